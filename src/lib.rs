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
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// `clippy.toml` lists what reaches out of the process.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod builtins;
mod bytecode;
#[cfg(feature = "save")]
#[macro_use]
mod codec;
mod compile;
pub mod counted;
pub mod diagnostics;
pub mod foreign;
mod host;
mod keyed;
mod letters;
pub mod library;
pub mod limits;
pub mod markup;
pub mod picture;
pub mod reference;
#[cfg(feature = "render")]
pub mod render;
pub mod rng;
pub mod solver;
pub mod source;
pub mod spelling;
pub mod syntax;
pub mod tiles;
#[cfg(feature = "timeline")]
pub mod timeline;
mod value;
mod vm;

pub use host::call::{Call, CallArguments, CallOutcome, Callee};
pub use host::calls::CallView;
pub use host::cancel::CancelToken;
pub use host::convert::{FromValue, IntoValue, Made, Maker};
pub use host::engine::{CompileError, Engine};
pub use host::function::{Argument, Choices, HostClosure, HostError, HostResult, Rest};
pub use host::functions::EngineFunction;
pub use host::globals::Globals;
pub use host::growing::ExtendError;
pub use host::host_type::HostType;
pub use host::hosted::HostValue;
pub use host::import::{ImportSource, import_beside};
pub use host::measure::{MeasuredCall, Measurement};
pub use host::method::{HostMethod, HostMethodMut};
pub use host::observer::{Arguments, Event, Moment, Observer, Target, Wanted};
pub use host::outcome::{Answer, Outcome, PlacedPicture, Question, RunError, Solution};
pub use host::program::Program;
pub use host::removal::{DeadEnd, Removal};
pub use host::run::{ForkError, Run};
#[cfg(feature = "save")]
pub use host::save::{RestoreError, SaveError};
#[cfg(feature = "serde")]
pub use host::serde::Serde;
pub use host::tooling::{Check, Completion, Completions};
pub use host::types::{EngineMember, EngineType};
pub use host::value::{Kind, Value};
pub use host::value_error::ValueError;
pub use host::view::View;
pub use limits::{LimitReached, Limits};
pub use value::data::{Data, GridData};
pub use value::parts::{Part, Parts};
pub use vm::error::ErrorKind;
pub use vm::inspect::{Alternative, OpenChoice};
pub use vm::machine::Statistics;
pub use vm::parameter::Parameter as Param;
pub use vm::record::{Record, Snapshot};
pub use vm::trace::ScriptError;
pub use vm::watch::When;
