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
            Some(message) if message.contains(words) => Ok(()),
            Some(message) => {
                let all = format!("{message}; {words}");
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
        let mut short = self.failure_message.take().unwrap_or_default();
        short.clear();
        match self.heap.as_str(message) {
            Some(text) => {
                let end = text.char_indices().nth(LONGEST).map(|(end, _)| end);
                short.push_str(&text[..end.unwrap_or(text.len())]);
                if end.is_some() {
                    short.push_str("...");
                }
                self.charge(short.len() / 8 + 1);
            }
            None => {
                let text = self.heap.show_beginning(message, self, LONGEST);
                self.charge(text.len() / 8 + 1);
                short.push_str(&shorten(&text, LONGEST));
            }
        }
        self.failure_message = Some(short);
        self.failure_messages += 1;
        Ok(())
    }
}
