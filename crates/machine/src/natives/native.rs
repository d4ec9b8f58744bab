//! Built-ins as the machine sees them.

use std::borrow::Cow;
use std::sync::Arc;

use super::context::Context;
pub use super::effect::Control;
use super::effect::{NativeEffect, OutsideSource, SearchWords};
use crate::errors::error::Fault;
use ndscript_heap::Value;

/// A built-in that computes a value from its arguments.
pub type Plain = fn(&mut Context, &[Value]) -> Result<Value, Fault>;

/// A function of the host: values in, a value or several to choose from out.
pub type HostFunction = dyn Fn(&mut Context, &[Value]) -> Result<HostReturn, Fault> + Send + Sync;

/// A method of the host: a function of a value and arguments.
pub type MethodFunction =
    dyn Fn(&mut Context, Value, &[Value]) -> Result<HostReturn, Fault> + Send + Sync;

/// A method of a type of the host, or a field that is read through one.
#[derive(Clone)]
pub struct Member {
    pub name: Arc<str>,
    pub least: u32,
    pub most: Option<u32>,
    /// Whether it is read like a field: `value.name`.
    pub is_field: bool,
    pub function: Arc<MethodFunction>,
}

/// The members of a type of the host, in the order in which they were registered.
pub type Members = Arc<[Member]>;

/// Makes the alternative of a number, counted from 0; `None` if there are no more.
#[derive(Clone)]
pub struct MakeAlternative(
    pub Arc<dyn Fn(&mut Context, u64) -> Result<Option<Value>, Fault> + Send + Sync>,
);

impl std::fmt::Debug for MakeAlternative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MakeAlternative")
    }
}

/// The result of a function of the host.
#[derive(Clone, Debug)]
pub enum HostReturn {
    /// Its result.
    Value(Value),
    /// The results that it may have; with none the call fails.
    Choices {
        /// The results.
        alternatives: Vec<Value>,
        /// Whether they are tried in this order, or in a random one.
        ordered: bool,
    },
    /// The results that it may have, in order, each made when the search asks for it.
    Alternatives(MakeAlternative),
    /// A function to call first, with these arguments; then the host continues with its result.
    Call {
        /// The function to call.
        function: Value,
        /// With what.
        arguments: Vec<Value>,
        /// Called with the result: a method of a host value.
        then: Value,
    },
    /// There is no result yet: the host gives it later, by this number.
    Wait(u64),
}

/// What calling a built-in does.
#[derive(Clone, Copy)]
pub enum Action {
    Plain(Plain),
    /// Something that only the machine itself can do.
    Control(Control),
    /// A function of the host, by its number.
    Host(u32),
    /// Implemented by the prelude for every number of arguments.
    Script,
}

/// A built-in by its number.
#[derive(Clone)]
pub struct Native {
    pub name: Cow<'static, str>,
    /// Its parameters as the reference shows them; empty for functions of the host.
    pub parameters: &'static str,
    pub least: u32,
    pub most: Option<u32>,
    pub action: Action,
    /// The prelude functions that implement it, by number of arguments.
    pub scripts: Vec<(u32, u32)>,
    /// The part of `decide` that it is, if it is one: most calls of these have a fast form.
    pub stage: Option<DecideStep>,
    pub effect: NativeEffect,
    pub outside: Option<OutsideSource>,
    /// How it describes its choices, if it searches.
    pub search: Option<&'static SearchWords>,
    /// Whether it calls a function of the script with one element each.
    pub calls_with_elements: bool,
    /// Whether it puts a constraint on its first argument.
    pub constrains: bool,
}

impl Native {
    /// Whether only the prelude can name it.
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with("__")
    }

    /// A function that only computes and that no prelude function implements, such as one of the host.
    pub fn computing(
        name: Cow<'static, str>,
        (least, most): (u32, Option<u32>),
        action: Action,
    ) -> Native {
        Native {
            name,
            parameters: "",
            least,
            most,
            action,
            scripts: Vec::new(),
            stage: None,
            effect: NativeEffect::Computes,
            outside: None,
            search: None,
            calls_with_elements: false,
            constrains: false,
        }
    }
}

/// A built-in that `decide` calls for every guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecideStep {
    /// `__nextPlace(b, order, places)`
    NextPlace,
    /// `__guess(candidates, b, call, place)`
    Guess,
    /// `__narrow(b, place, value, call)`
    Narrow,
}
