//! Goes over the words of a script that is known to be right, and gives each its place in the layout.

use super::layout::Layout;
use super::words::{Comment, Word};
use ndscript::syntax::highlight::TokenClass;

/// Where reading stands.
pub struct Reader<'t> {
    words: Vec<Word<'t>>,
    at: usize,
    /// For each opening bracket its closing one.
    closing: Vec<usize>,
}

impl<'t> Reader<'t> {
    pub fn new(words: Vec<Word<'t>>) -> Reader<'t> {
        let mut closing = vec![0; words.len()];
        let mut open = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if word.class != TokenClass::Bracket {
                continue;
            }
            if matches!(word.text, "(" | "[" | "{") {
                open.push(at);
            } else if let Some(opened) = open.pop() {
                closing[opened] = at;
            }
        }
        Reader {
            words,
            at: 0,
            closing,
        }
    }

    /// The word `words` after the current one.
    pub fn ahead(&self, words: usize) -> &Word<'t> {
        let last = self.words.len() - 1;
        &self.words[(self.at + words).min(last)]
    }

    pub fn is(&self, text: &str) -> bool {
        self.ahead(0).is(text)
    }

    pub fn is_end(&self) -> bool {
        self.at + 1 >= self.words.len()
    }

    /// The word after the bracket that closes the current one.
    pub fn word_after_bracket(&self) -> Option<&Word<'t>> {
        self.words.get(self.closing[self.at] + 1)
    }

    /// The index, counted from the current word, of what follows the bracket that is `words` after the current one.
    pub fn index_after_bracket(&self, words: usize) -> usize {
        self.closing[self.at + words] + 1 - self.at
    }

    /// Whether what is in this bracket stands on one line with it.
    pub fn is_on_one_line(&self) -> bool {
        let inside = self.at + 1..=self.closing[self.at];
        !self.words[inside]
            .iter()
            .any(|word| word.begins_line || !word.before.is_empty() || word.text.contains('\n'))
    }

    /// The next word with its comments.
    pub fn word(&mut self) -> Layout<'t> {
        let text = self.ahead(0).text;
        self.word_as(Some(text))
    }

    /// The comments of the next word, without the word.
    pub fn skip(&mut self) -> Layout<'t> {
        self.word_as(None)
    }

    /// Takes the next word with its comments, printed as another text or not at all.
    fn word_as(&mut self, text: Option<&'t str>) -> Layout<'t> {
        let last = self.words.len() - 1;
        let word = &mut self.words[self.at.min(last)];
        self.at += 1;
        let mut parts: Vec<Layout<'t>> = Vec::new();
        // With no word before it on its line, a comment stays below those before it.
        let stays_below = text.is_none() && word.before.iter().any(|comment| comment.own_line);
        for comment in std::mem::take(&mut word.before) {
            if comment.own_line {
                parts.push(Layout::above(comment.text));
            } else {
                parts.push(Layout::text(comment.text));
                parts.push(Layout::text(" "));
            }
        }
        parts.extend(text.map(Layout::text));
        for comment in std::mem::take(&mut word.trailing_comments) {
            if comment.starts_with("/*") {
                parts.push(Layout::text(" "));
                parts.push(Layout::text(comment));
            } else if stays_below {
                parts.push(Layout::above(comment));
            } else {
                parts.push(Layout::trailing_comment(comment));
            }
        }
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                parts.push(last);
                Layout::all(parts)
            }
            (_, None) => Layout::text(""),
        }
    }

    /// The comments before the next word that have lines of their own, and whether an empty line follows them.
    pub fn comments(&mut self) -> Vec<Comment<'t>> {
        let last = self.words.len() - 1;
        let before = &mut self.words[self.at.min(last)].before;
        let own = before
            .iter()
            .rposition(|comment| comment.own_line)
            .map_or(0, |at| at + 1);
        before.drain(..own).collect()
    }
}
