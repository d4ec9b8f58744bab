//! The functions that programs of an engine can call, for completion and documentation.

mod in_engine;

use crate::host::closures::{HostClosure, host_function};
use crate::host::function::unnamed_parameters;
use ndscript_machine::natives::native::HostFunction;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// A function of the host.
#[derive(Clone)]
pub(crate) struct HostEntry {
    pub name: Arc<str>,
    pub arity: (u32, Option<u32>),
    pub function: Arc<HostFunction>,
    /// Whether it may call functions of the script.
    pub calls_back: bool,
    pub parameters: Arc<str>,
    pub doc: Arc<str>,
    pub example: Arc<str>,
    pub gives: Arc<str>,
}

impl HostEntry {
    pub fn new<Arguments: 'static, Closure: HostClosure<Arguments>>(
        name: &str,
        closure: Closure,
    ) -> HostEntry {
        HostEntry {
            name: name.into(),
            arity: Closure::ARITY,
            calls_back: Closure::CALLS_BACK,
            function: Arc::new(host_function(name.to_string(), closure)),
            parameters: unnamed_parameters(Closure::COUNTS, Closure::ARITY.0).into(),
            doc: "A function of the host.".into(),
            example: "".into(),
            gives: "".into(),
        }
    }
}

impl HostEntry {
    fn described(&self) -> EngineFunction {
        EngineFunction {
            name: self.name.clone(),
            domain: HOST,
            parameters: self.parameters.clone(),
            is_field: false,
            doc: self.doc.clone(),
            example: self.example.clone(),
            gives: self.gives.clone(),
        }
    }
}

/// The domain of functions of the host.
const HOST: &str = "The host";

/// A function that programs of an engine can call: a built-in, or one of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineFunction {
    /// Its name.
    pub name: Arc<str>,
    /// The domain that it belongs to, such as "Collections"; "The host" for functions of the host, and the name of the
    /// type for its methods and fields.
    pub domain: &'static str,
    /// Its parameters, optional ones in brackets: `collection[, weights]`.
    pub parameters: Arc<str>,
    /// Whether it is a field, read without being called.
    pub is_field: bool,
    /// What it does, in one line.
    pub doc: Arc<str>,
    /// An example: statements, if need be, and then an expression. Empty if there is none.
    pub example: Arc<str>,
    /// The text of the example's value.
    pub gives: Arc<str>,
}

impl EngineFunction {
    /// How it is called: `chooseElement(collection[, weights])`.
    pub fn call(&self) -> String {
        if self.is_field {
            self.name.to_string()
        } else {
            format!("{}({})", self.name, self.parameters)
        }
    }
}

/// How it is called, its domain, what it does, and the example.
impl Display for EngineFunction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}    [{}]", self.call(), self.domain)?;
        writeln!(f, "  {}", self.doc)?;
        if self.example.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n  {}\n  => {}",
            self.example,
            self.gives.replace('\n', "\n     ")
        )
    }
}
