//! Facts about a program for the lints, recorded while its names are resolved.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::resolve::meaning::Meaning;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

/// A call of something that has a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedCall {
    pub meaning: Meaning,
    pub arguments: usize,
    /// The name.
    pub span: Span,
}

/// Facts about a whole program.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The first read of each global name, by its number.
    pub read: KeyedMap<u32, Span>,
    pub calls: Vec<NamedCall>,
    /// The fewest and the most arguments that the declared functions take.
    pub functions: KeyedMap<Meaning, (usize, usize)>,
    /// The variables that have the name of a built-in and begin as something that cannot be called.
    pub hiding: KeyedMap<Meaning, Span>,
    /// Unreachable code, and the word before it.
    pub unreachable: Vec<(Span, &'static str)>,
    /// Fields that constants of the host do not have.
    pub missing_fields: Vec<Diagnostic>,
    /// The names with which `param` is called, in the order of the text, possibly repeated, each with the place of
    /// its default, and whether there are others, which the program computes.
    pub parameters: Vec<(Arc<str>, Option<Span>)>,
    pub computes_parameters: bool,
}
