//! Calls that wait for another one.

/// A function that called another one and will go on behind the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where it goes on.
    pub pc: u32,
    /// Where its registers begin on the stack.
    pub base: u32,
}

ndscript_base::saved!(struct Frame { pc, base });
