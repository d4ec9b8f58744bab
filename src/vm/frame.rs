//! Calls that wait for another one.

/// A function that called another one and will go on behind the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where it goes on.
    pub pc: u32,
    /// Where its registers begin on the stack.
    pub base: u32,
}

/// A frame as it was when the latest choice point was made, saved when control returned into it.
#[derive(Clone, Copy, Debug)]
pub struct SavedFrame {
    /// Its place among the frames.
    pub index: u32,
    pub frame: Frame,
    /// Where on the stack those of its registers begin that are saved.
    pub first: u32,
    /// Where they are among the saved ones.
    pub start: u32,
    pub length: u32,
}

#[cfg(feature = "save")]
saved!(struct Frame { pc, base });
#[cfg(feature = "save")]
saved!(struct SavedFrame { index, frame, first, start, length });
