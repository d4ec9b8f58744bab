//! NDScript is a small scripting language that guesses: `choose` picks an alternative, `fail` says that an earlier
//! guess was wrong, and the machine backtracks until no guess is wrong.
//!
//! ```
//! use ndscript::Engine;
//!
//! let program = Engine::new().compile(
//!     "var a = chooseElement(range(1, 20));
//!      var b = chooseElement(range(a, 20));
//!      var c = chooseElement(range(b, 20));
//!      require(a * a + b * b == c * c);
//!      print(`${a} ${b} ${c}`);",
//! )?;
//! let mut solutions: Vec<String> = program.run(7).map(|solution| solution.unwrap().text).collect();
//! solutions.sort();
//! assert_eq!(solutions, ["3 4 5", "5 12 13", "6 8 10", "8 15 17", "9 12 15"]);
//! # Ok::<(), ndscript::CompileError>(())
//! ```
//!
//! An [`Engine`] compiles a [`Program`], a program starts a [`Run`], and a run yields [`Solution`]s: as an iterator,
//! or step by step with [`Run::resume`], so that a host stays in charge of time and memory ([`Limits`]).
#![deny(missing_docs)]
// `clippy.toml` lists what reaches out of the process.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod host;
pub mod library;
mod programs;
mod runs;
mod tools;
mod values;
mod watching;

pub use host::callback::Callback;
pub use host::choices::Choices;
pub use host::closures::HostClosure;
pub use host::function::{Argument, Charged, HostAnswer, HostError, HostOutput, HostResult, Rest};
pub use host::host_type::HostType;
pub use host::hosted::HostValue;
pub use host::method::{HostMethod, HostMethodMut};
pub use host::types::{EngineMember, EngineType};
pub use host::waiting::Waiting;
pub use ndscript_base::limits::{LimitReached, Limits};
pub use ndscript_base::{
    counted, diagnostics, limits, markup, picture, rng, source, spelling, tiles,
};
#[cfg(feature = "derive")]
/// ```
/// use ndscript::{Engine, NdData};
///
/// #[derive(Debug, PartialEq, NdData)]
/// enum Order { Wait, Walk { to: (i64, i64), max_cost: Option<i64> }, Say(String) }
///
/// #[derive(NdData)]
/// struct Unit { name: String, #[nds(default)] orders: Vec<Order> }
///
/// let engine = Engine::new().with_function("obey", |mut unit: Unit| {
///     unit.orders.push(Order::Say(format!("I am {}", unit.name)));
///     unit.orders
/// });
/// let program = engine.compile("return obey({name: \"Bo\", orders: [\"wait\", {kind: \"walk\", to: position(1, 2)}]});")?;
/// let mut run = program.run(1);
/// assert_eq!(run.next().unwrap().unwrap().value.to_string(),
///     "[\"wait\", {kind: \"walk\", to: (1,2), maxCost: null}, {kind: \"say\", values: [\"I am Bo\"]}]");
/// let error = engine.compile("obey({name: \"Bo\", orders: [\"sleep\"]});")?.run(1).next().unwrap().unwrap_err();
/// assert!(error.to_string().contains("at .orders[0]: expected \"wait\", or an object whose `kind` is \"walk\" or \"say\""));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
pub use ndscript_derive::NdData;
#[cfg(feature = "derive")]
/// ```
/// use ndscript::{Engine, NdType};
///
/// #[derive(Clone, NdType)]
/// struct Hero { #[nds(get)] name: String, #[nds(set)] hit_points: i64, secret: u8 }
///
/// let kind = Hero::host_type().cloned().method("isAlive", |hero: &Hero| hero.hit_points > 0);
/// let engine = Engine::new()
///     .with_type(kind)
///     .with_function("hero", |name: String| Hero { name, hit_points: 10, secret: 7 });
/// let program = engine.compile(
///     "let h = hero(\"Bo\"); choose first { h.hitPoints -= 10; require(h.isAlive()); } or {} print(h.name, h.hitPoints);",
/// )?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "Bo10");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
pub use ndscript_derive::NdType;
pub use ndscript_heap::outside::data::{Data, GridData, PriorityQueueData};
pub use ndscript_heap::outside::parts::{Part, Parts};
pub use ndscript_heap::outside::value_error::ValueError;
pub use ndscript_machine::errors::error::ErrorKind;
pub use ndscript_machine::errors::trace::{ErrorPlace, ScriptError};
pub use ndscript_machine::host::inspect::{Alternative, OpenChoice};
pub use ndscript_machine::host::parameter::Parameter as Param;
pub use ndscript_machine::host::record::{Record, Snapshot};
pub use ndscript_machine::host::when::When;
pub use ndscript_machine::machine::Statistics;
#[cfg(feature = "render")]
pub use ndscript_render as render;
pub use ndscript_syntax as syntax;
pub use ndscript_syntax::foreign;
pub use programs::compile_error::CompileError;
pub use programs::engine::Engine;
pub use programs::import::{ImportSource, import_beside};
pub use programs::program::Program;
pub use runs::call::{Call, CallArguments, CallOutcome, Callee};
pub use runs::calls::CallView;
pub use runs::cancel::CancelToken;
pub use runs::globals::Globals;
pub use runs::growing::ExtendError;
pub use runs::outcome::{Answer, Outcome, PlacedPicture, Question, RunError, Solution};
pub use runs::proof::{BoardProof, ProofProgress};
pub use runs::reload::Reloaded;
pub use runs::run::{ForkError, Run};
pub use runs::save::{RestoreError, SaveError};
pub use tools::functions::EngineFunction;
pub use tools::names::{Mention, Name, Names};
pub use tools::reference;
pub use tools::tooling::{Check, Completion, Completions};
pub use values::convert::{FromValue, IntoValue, Made, Maker};
#[cfg(feature = "serde")]
pub use values::serde::Serde;
pub use values::value::{Kind, Value};
pub use values::view::View;
pub use watching::measure::{MeasuredCall, Measurement};
pub use watching::observer::{Arguments, Event, Moment, Observer, Target, Wanted};
pub use watching::removal::{DeadEnd, Removal};

/// Parts of the crate that the other crates of this repository need: not a stable API.
#[doc(hidden)]
pub mod internals {
    pub use crate::values::view::in_quotes;
    pub use crate::watching::origins::OriginIndex;
    pub use ndscript_machine::watch::origins::{Definition, DefinitionTarget, Part};
    pub use ndscript_machine::watch::{GOES_ON, NO_CANDIDATE, Unreported};
}
