//! The second engine: a naive interpreter that walks the tree, copies its whole state at each search, and finds the
//! solutions of a program by replaying it from its start under every list of decisions. It shares nothing with
//! the machine but the parser, so a mistake in one of them shows as a disagreement.

mod arrays;
mod boards;
mod builtins;
mod collections;
mod grids;
mod interpreter;
pub mod known;
mod numbers;
mod order;
mod search;
mod sets;
mod show;
mod state;
mod targets;
mod value;

use std::rc::Rc;

use ndscript::syntax::ast::Script;

pub use interpreter::ErrorName;

use interpreter::{Interpreter, Interrupt};

/// How an enumeration ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// No alternative was left, or as many solutions as wanted were found.
    Complete,
    /// The script made an error of this kind.
    Error(ErrorName, String),
    /// The program is too long for this interpreter, or does what the contract leaves open.
    Dropped(String),
}

/// What the interpreter found out about a program.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Printed text and value of every solution, in the order found.
    pub solutions: Vec<(String, String)>,
    /// The alternatives that were taken on the way to each, where there was more than one.
    pub ways: Vec<Vec<usize>>,
    pub end: End,
    /// Errors met on some branch, where the order of branches is open.
    pub possible_errors: Vec<ErrorName>,
}

/// What to stop at.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub steps: usize,
    pub solutions: usize,
}

/// Enumerates the solutions of a script. With `any_order`, errors do not end the enumeration: which solutions come
/// before them is then a matter of chance.
pub fn run(script: &Script, bounds: Bounds, any_order: bool) -> Findings {
    let statements = Rc::new(script.statements.clone());
    let mut interpreter = Interpreter::new(bounds.steps, any_order);
    let (mut solutions, mut ways) = (Vec::new(), Vec::new());
    let result = interpreter.attempts(&mut |i| i.run_program(&statements), &mut |i, value| {
        solutions.push((i.state.text.clone(), show::text(&i.state, &value)));
        ways.push(i.decisions.way());
        solutions.len() < bounds.solutions
    });
    let end = match result {
        Ok(_) | Err(Interrupt::Fail | Interrupt::GaveUp) => End::Complete,
        Err(Interrupt::Error(name, message)) => End::Error(name, message),
        Err(Interrupt::Drop(reason)) => End::Dropped(reason.to_string()),
    };
    Findings {
        solutions,
        ways,
        end,
        possible_errors: interpreter.possible_errors,
    }
}
