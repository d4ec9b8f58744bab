//! Loops over a collection as other languages write them.

use super::{Edit, Guess, Repair};
use crate::foreign;
use crate::token::Token;
use ndscript_base::diagnostics::Diagnostic;

/// The head of such a loop, by the indexes of its tokens.
struct Head {
    /// `for` or `foreach`.
    word: usize,
    /// The name of the variable.
    name: usize,
    /// Whether there is a second variable, for keys or indexes.
    has_second: bool,
    /// The collection, and the end of the head.
    collection: std::ops::Range<usize>,
    end: usize,
}

/// A hint shows a head that is at most so long.
const LONGEST: usize = 60;

impl Guess<'_, '_> {
    /// `for (x in c)`, `for x in c:`, `for (const x of c)`, `for (int x : c)`, `foreach (c as x)`.
    pub(super) fn loops(&mut self) {
        let Some(head) = self.head().or_else(|| self.head_with_as()) else {
            return;
        };
        let (source, word) = (self.source, head.word);
        let mut diagnostic = if source.token(word) == Some(&Token::For) {
            let message = "`for` does not loop over a collection";
            Diagnostic::error(message, source.span(word).to(source.span(head.end - 1)))
        } else {
            let mut diagnostic = self.explain();
            diagnostic.hints.clear();
            diagnostic.span = Some(source.span(word).to(source.span(head.end - 1)));
            diagnostic
        };
        let name = self.name_at(head.name).unwrap_or("x");
        let first = source.span(head.collection.start);
        let collection = source.written(first.to(source.span(head.collection.end - 1)));
        let is_short = collection.len() < LONGEST && !collection.contains(['\n', '`']);
        let hint = match (head.has_second, is_short) {
            (true, _) => foreign::method("entries").unwrap_or_default().to_string(),
            (false, true) => format!("write `foreach ({name} in {collection})`"),
            (false, false) => "write `foreach (x in collection)`".to_string(),
        };
        diagnostic = diagnostic.with_hint(hint);
        let mut edits = vec![Edit {
            at: word,
            remove: head.name.min(head.collection.start) - word,
            insert: vec![Token::Foreach, Token::OpenParen],
        }];
        if head.name < head.collection.start {
            edits.push(Edit {
                at: head.name + 1,
                remove: head.collection.start - head.name - 1,
                insert: vec![Token::In],
            });
        } else {
            let name = Token::Name(name.into());
            edits[0].insert.extend([name, Token::In]);
        }
        edits.push(Edit {
            at: head.collection.end,
            remove: head.end - head.collection.end,
            insert: vec![Token::CloseParen],
        });
        self.repairs.push(Repair { edits, diagnostic });
    }

    /// The loop word whose head is around this place, or ends here.
    fn loop_word(&self) -> Option<usize> {
        let is_before_head = |token: &Token| {
            matches!(
                token,
                Token::Semicolon | Token::OpenBrace | Token::CloseBrace
            )
        };
        for at in (0..=self.at.min(self.source.tokens.len().checked_sub(1)?)).rev() {
            let token = self.source.token(at)?;
            if matches!(token, Token::For | Token::Foreach) {
                return Some(at);
            }
            if is_before_head(token) && at < self.at {
                return None;
            }
        }
        None
    }

    /// The variable before its collection.
    fn head(&self) -> Option<Head> {
        let source = self.source;
        let word = self.loop_word()?;
        let mut at = word + 1;
        let is_name = |at: usize, names: &[&str]| {
            let name = self.name_at(at);
            name.is_some_and(|name| names.contains(&name))
        };
        if is_name(at, &["each", "await"]) && source.token(at + 1) != Some(&Token::In) {
            at += 1;
        }
        let is_bracketed = source.token(at) == Some(&Token::OpenParen);
        let open = at;
        at += usize::from(is_bracketed);
        if matches!(
            source.token(at),
            Some(Token::Let | Token::Var | Token::Const)
        ) {
            at += 1;
        }
        // A type before the name.
        let has_type = self.name_at(at + 1).is_some() && !is_name(at + 1, &["of"]);
        at += usize::from(has_type);
        let mut name = at;
        self.name_at(name)?;
        at += 1;
        let has_second = source.token(at) == Some(&Token::Comma) && self.name_at(at + 1).is_some();
        if has_second {
            at += 2;
        }
        // `for (k, v) in c`
        let is_tuple = is_bracketed && has_second && source.token(at) == Some(&Token::CloseParen);
        at += usize::from(is_tuple);
        let is_bracketed = is_bracketed && !is_tuple;
        let between = at;
        at += match source.token(at)? {
            Token::In | Token::Colon if source.token(at + 1) != Some(&Token::Assign) => 1,
            Token::Colon if is_name(at + 2, &["range"]) => 3,
            Token::Less if source.token(at + 1) == Some(&Token::Minus) => 2,
            Token::Name(word) if **word == *"of" => 1,
            _ => return None,
        };
        let start = at;
        let end = if is_bracketed {
            self.past(open).checked_sub(1)?
        } else {
            self.end_of_bare_head(start)
        };
        if has_second && is_name(name, &["_"]) {
            name += 2;
        }
        let is_closer = is_bracketed && source.token(end) == Some(&Token::CloseParen);
        let is_word = !is_bracketed
            && (is_name(end, &["do", "then"]) || source.token(end) == Some(&Token::Colon));
        // What is written as it should be, but for one word, is for others to explain.
        let is_right = source.token(word) == Some(&Token::Foreach)
            && is_bracketed
            && !has_type
            && !has_second
            && (source.token(between) == Some(&Token::In) || is_name(between, &["of"]));
        let has_parts = (start..end).any(|at| source.token(at) == Some(&Token::Semicolon));
        (start < end && !is_right && !has_parts).then(|| Head {
            word,
            name,
            has_second,
            collection: start..end,
            end: end + usize::from(is_closer || is_word),
        })
    }

    /// The end of a collection without parentheses around the head: a block, a line, or a word of other languages.
    fn end_of_bare_head(&self, start: usize) -> usize {
        let mut end = start;
        while let Some(token) = self.source.token(end) {
            let is_word = matches!(self.name_at(end), Some("do" | "then"));
            let ends = matches!(token, Token::OpenBrace | Token::Semicolon | Token::Colon);
            if end > start && (ends || is_word || self.source.begins_line(end)) || token.closes() {
                break;
            }
            end = self.past(end);
        }
        end
    }

    /// `foreach (c as x)`, `foreach (c as k => x)`.
    fn head_with_as(&self) -> Option<Head> {
        let word = self.loop_word()?;
        if self.name_at(self.at) != Some("as")
            || self.source.token(word + 1) != Some(&Token::OpenParen)
        {
            return None;
        }
        let has_second = self.source.token(self.at + 2) == Some(&Token::Arrow);
        let name = self.at + if has_second { 3 } else { 1 };
        self.name_at(name)?;
        let is_whole = self.source.token(name + 1) == Some(&Token::CloseParen);
        is_whole.then(|| Head {
            word,
            name,
            has_second,
            collection: word + 2..self.at,
            end: name + 2,
        })
    }
}
