//! What the machine runs.

pub mod code;
pub mod disassemble;
pub mod function;
mod jumps;
pub mod op;
pub mod shortcut;
pub mod signature;
mod writes;

pub use code::{Body, Code, Extent, Head};
pub use function::{Beginning, Capture, Complaint, Constant, Function, Global, Home, Local};
pub use op::{Destination, FIRST_REGISTER, Flow, Op, Register};
pub use shortcut::Shortcut;
pub use signature::{Signature, Signatures};
