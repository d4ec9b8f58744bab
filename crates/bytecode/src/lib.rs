//! The instructions that the machine runs.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod code;
pub mod disassemble;
pub mod facts;
pub mod function;
pub mod host_constant;
mod jumps;
pub mod op;
pub mod shortcut;
pub mod signature;
mod writes;

pub use code::{Code, Extent, Head, Writes};
pub use facts::{Facts, Form, ResultKind, Shows};
pub use function::{Body, Capture, Constant, Function, Global, InitialValue, Local, StaticError};
pub use host_constant::HostConstant;
pub use op::{Change, Destination, FIRST_REGISTER, Flow, Home, Op, Register};
pub use shortcut::Shortcut;
pub use signature::{Signature, Signatures};
