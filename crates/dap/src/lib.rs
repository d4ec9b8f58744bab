//! The debugger for editors: the Debug Adapter Protocol over a recorded search, so that it steps back, runs in reverse and
//! takes other alternatives. It knows no input and no output: messages go in and come out, and what an editor launches comes
//! from a [`Host`].
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod breakpoint;
mod debuggee;
mod dispatch;
mod evaluate;
mod launch;
mod message;
mod motion;
mod moving;
mod narrowing;
mod pictures;
mod requests;
mod sent_pictures;
mod session;
mod shown;

pub use launch::{Host, Launch};
pub use session::Session;
