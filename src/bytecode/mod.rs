//! What the machine runs.

pub mod code;
pub mod disassemble;
pub mod function;
mod jumps;
pub mod op;
pub mod shortcut;
pub mod signature;

pub use code::{Body, Code, Head};
pub use function::{Beginning, Capture, Complaint, Constant, Function, Global, Home, Local};
pub use op::{Destination, Flow, Op, Register};
pub use shortcut::Shortcut;
pub use signature::{Signature, Signatures};
