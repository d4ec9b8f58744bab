//! What names mean: variables, and the scopes that they are found in.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::meaning::{Meaning, VariableId};
use crate::notes::Notes;
use ndscript_base::source::Span;
use ndscript_bytecode::{Global, InitialValue};

/// A local variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Arc<str>,
    /// The function that it belongs to, by its number; 0 is the program.
    pub function: u32,
    pub declared: Span,
    /// Uses before this offset, in the same function, come before the declaration.
    pub initialised_at: u32,
    /// Whether it is a `let` or `const`, which cannot be used before its line.
    pub lexical: bool,
    pub constant: bool,
    /// Whether an inner function uses it.
    pub captured: bool,
    /// Whether an inner function that uses it may be made before the variable has its value.
    pub captured_early: bool,
    /// Whether it is assigned after its declaration.
    pub reassigned: bool,
    /// Whether it is assigned in the middle of an expression.
    pub assigned_inside: bool,
    /// Whether it is a variable that the program writes itself, and nothing reads it.
    pub is_unused: bool,
}

impl Variable {
    /// Whether it lives in a box that its inner functions share.
    pub fn is_boxed(&self) -> bool {
        self.captured && (self.reassigned || self.captured_early)
    }
}

/// The meaning of every name of a program.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    pub variables: Vec<Variable>,
    /// The number of variables of a function, by its number.
    pub variable_counts: KeyedMap<u32, u32>,
    /// By the offset of the name.
    pub meanings: KeyedMap<u32, Meaning>,
    pub globals: Vec<Global>,
    /// The globals that something in the program declares, with the first place; the others are only assigned.
    pub declared_globals: Vec<Option<Span>>,
    /// Names that nothing declares, each with its first assignment.
    pub undeclared: Vec<(Arc<str>, Span)>,
    /// The globals that are assigned somewhere after their declaration.
    pub reassigned_globals: Vec<bool>,
    /// The globals that are registers of the program's own frame, in their order, as variables.
    pub top_level: Vec<(u32, VariableId)>,
    /// The declarations of an input of a growing program, by the numbers of global variables.
    pub beginnings: Vec<(u32, InitialValue)>,
    pub notes: Notes,
}

impl Resolution {
    /// The built-in that a name with this meaning has throughout the program.
    pub fn native(&self, meaning: Meaning) -> Option<u32> {
        let Meaning::Global(slot) = meaning else {
            return None;
        };
        let global = self.globals.get(slot as usize)?;
        global.native.filter(|_| !global.is_declared)
    }
}
