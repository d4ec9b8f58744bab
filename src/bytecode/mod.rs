//! What the machine runs.

pub mod disassemble;
pub mod function;
pub mod op;
pub mod signature;

pub use function::{Beginning, Capture, Code, Complaint, Constant, Function, Global};
pub use op::Op;
pub use signature::{Signature, Signatures};
