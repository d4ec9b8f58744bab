//! Calls that wait for another one.

/// A function that has called another one and continues after the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where it continues.
    pub pc: u32,
    /// Where its registers begin on the stack.
    pub base: u32,
}

ndscript_base::saved!(struct Frame { pc, base });
