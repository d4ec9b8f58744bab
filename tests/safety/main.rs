//! What no script and no host may bring about: SECURITY.md names the test that holds each promise.

mod barriers;
mod drivers;
mod fuzz;
mod refusals;
mod small_stack;
mod work;

use ndscript::{Engine, Limits, Program};

/// A program within limits.
fn program(limits: Limits, text: &str) -> Program {
    Engine::new().with_limits(limits).compile(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}
