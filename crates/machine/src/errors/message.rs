//! Failure messages for people: backtracking keeps them, and scripts cannot read them.

use super::error::Fault;
use super::shorten::shorten;
use crate::natives::context::Context;
use ndscript_heap::Value;

/// Longer messages are cut to this many characters.
const LONGEST: usize = 2000;

impl Context {
    /// Sets the message of the failure that a built-in is about to raise.
    ///
    /// # Errors
    /// As [`Context::reserve`].
    pub fn set_failure_message(&mut self, words: &str) -> Result<(), Fault> {
        self.reserve(words.len())?;
        self.charge(words.len() / 8 + 1);
        self.failure_message = Some(words.to_string());
        self.failure_messages += 1;
        Ok(())
    }

    /// Adds to the latest failure message.
    ///
    /// # Errors
    /// As [`Context::reserve`].
    pub fn extend_failure_message(&mut self, words: &str) -> Result<(), Fault> {
        match self.failure_message.as_deref() {
            Some(said) if said.contains(words) => Ok(()),
            Some(said) => {
                let all = format!("{said}; {words}");
                self.set_failure_message(&all)
            }
            None => self.set_failure_message(words),
        }
    }

    /// Sets the message of the failure that follows, replacing an earlier one.
    ///
    /// # Errors
    /// As [`Context::reserve`].
    pub fn set_failure_message_to(&mut self, message: Value) -> Result<(), Fault> {
        self.reserve(4 * LONGEST)?;
        let mut kept = self.failure_message.take().unwrap_or_default();
        kept.clear();
        match self.heap.as_str(message) {
            Some(text) => {
                let end = text.char_indices().nth(LONGEST).map(|(end, _)| end);
                kept.push_str(&text[..end.unwrap_or(text.len())]);
                if end.is_some() {
                    kept.push_str("...");
                }
                self.charge(kept.len() / 8 + 1);
            }
            None => {
                let text = self.heap.show_beginning(message, self, LONGEST);
                self.charge(text.len() / 8 + 1);
                kept.push_str(&shorten(&text, LONGEST));
            }
        }
        self.failure_message = Some(kept);
        self.failure_messages += 1;
        Ok(())
    }
}
