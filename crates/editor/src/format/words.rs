//! The words of a text, each with the comments that belong to it.

use std::ops::Range;

use ndscript::syntax::highlight::{TokenClass, tokens};

/// A token, with what stands around it.
#[derive(Clone, Debug)]
pub struct Word<'t> {
    pub class: TokenClass,
    pub text: &'t str,
    /// Comments before it, except those on the line of the previous word.
    pub before: Vec<Comment<'t>>,
    /// Comments after it on its line.
    pub trailing_comments: Vec<&'t str>,
    /// Whether it stands on another line than the word before it, or than the comments of that.
    pub begins_line: bool,
    /// Whether an empty line is before it, after its comments.
    pub after_blank: bool,
}

#[derive(Clone, Debug)]
pub struct Comment<'t> {
    pub text: &'t str,
    /// Whether a line break follows, so that nothing else stands on its line.
    pub own_line: bool,
    pub after_blank: bool,
}

impl Word<'_> {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && !matches!(self.class, TokenClass::Name | TokenClass::String)
    }

    /// Whether it is the message of a `fail` on its line.
    pub fn begins_message(&self) -> bool {
        match self.class {
            TokenClass::Keyword => {
                ["true", "false", "null", "function", "choose"].contains(&self.text)
            }
            TokenClass::Bracket => matches!(self.text, "(" | "["),
            TokenClass::Operator => matches!(self.text, "+" | "-" | "!" | "++" | "--"),
            TokenClass::Name | TokenClass::Number | TokenClass::String => true,
            TokenClass::Comment | TokenClass::Error => false,
        }
    }

    /// Whether an empty line is before it and its comments.
    pub fn is_set_off(&self) -> bool {
        match self.before.first() {
            Some(comment) => comment.after_blank,
            None => self.after_blank,
        }
    }
}

/// The words of a text. A template is one word. The last word is empty and has the comments that are left.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut parts: Vec<(TokenClass, Range<usize>)> = Vec::new();
    let mut templates = 0usize;
    for (class, range) in tokens(text) {
        let part = &text[range.clone()];
        if templates > 0
            && let Some(last) = parts.last_mut()
        {
            last.1.end = range.end;
        } else {
            parts.push((class, range));
        }
        // What a template holds may hold templates.
        if class == TokenClass::String && (part.starts_with('`') || part.starts_with('}')) {
            let continues = part.ends_with("${");
            match (part.starts_with('`'), continues) {
                (true, true) => templates += 1,
                (false, false) => templates = templates.saturating_sub(1),
                _ => {}
            }
        }
    }
    let end = text.len();
    parts.push((TokenClass::Operator, end..end));
    join_comments(text, parts)
}

/// The words of a text, each with the comments around it.
fn join_comments(text: &str, parts: Vec<(TokenClass, Range<usize>)>) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut before: Vec<Comment<'_>> = Vec::new();
    let mut at = 0;
    let mut begins_line = true;
    let ends_line = ends_line(text, &parts);
    for (index, (class, range)) in parts.iter().enumerate() {
        let gap = &text[at..range.start];
        let breaks = gap.matches('\n').count();
        let after_blank = breaks > 1;
        at = range.end;
        let part = &text[range.clone()];
        if breaks > 0 {
            begins_line = true;
        }
        if *class != TokenClass::Comment {
            words.push(Word {
                class: *class,
                text: part,
                before: std::mem::take(&mut before),
                trailing_comments: Vec::new(),
                begins_line,
                after_blank,
            });
            begins_line = false;
            continue;
        }
        let comment = part.trim_end();
        let next = parts.get(index + 1);
        let own_line = ends_line[index];
        let closes = next.is_some_and(|(_, next)| {
            matches!(&text[next.clone()], "" | "," | ";" | ")" | "]" | "}")
        });
        match words.last_mut() {
            Some(word) if !begins_line && (own_line || closes) => {
                word.trailing_comments.push(comment)
            }
            _ => before.push(Comment {
                text: comment,
                own_line,
                after_blank,
            }),
        }
    }
    words
}

/// For each part, whether nothing but comments follows it on its line, if it is a comment.
fn ends_line(text: &str, parts: &[(TokenClass, Range<usize>)]) -> Vec<bool> {
    // Of a last line, that is not so even if it has no line break.
    let mut ends = vec![false; parts.len()];
    // From the end backwards, so that no comment looks through all those after it.
    for at in (1..parts.len()).rev() {
        let ((_, range), (class, next)) = (&parts[at - 1], &parts[at]);
        let is_line_comment = text[range.clone()].starts_with("//");
        ends[at - 1] = is_line_comment
            || text[range.end..next.start].contains('\n')
            || *class == TokenClass::Comment && ends[at];
    }
    ends
}
