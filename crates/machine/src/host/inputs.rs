//! A run that grows by inputs. Each input is a function of its own that begins where the one before has ended, above
//! its open choice points; so a failure can go back from one input into an earlier one.

mod in_machine;

use super::output::OutputMark;
use ndscript_bytecode::Code;
use std::sync::Arc;

/// An input that has begun.
#[derive(Clone)]
pub(crate) struct Input {
    /// How many choice points were open when it began: those below belong to earlier inputs.
    pub choices: u32,
    /// The program up to this input. A later input may change what is known of a global, so when a failure comes back
    /// here, this code runs and not that of later ones. `None` if no choice is left open in it, so nothing can come
    /// back: each code holds that of all inputs before, so memory would grow with the square of their number.
    pub code: Option<Arc<Code>>,
    /// What [`super::output::Output::handed_over`] was when the next input began.
    pub handed_over: OutputMark,
}
