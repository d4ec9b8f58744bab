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

mod allowed;
mod call;
mod calls;
mod cancel;
mod closures;
mod constants;
mod convert;
mod convert_collections;
mod engine;
mod errand;
mod function;
mod functions;
mod globals;
mod growing;
mod handles;
mod host_type;
mod hosted;
mod import;
pub mod library;
mod measure;
mod method;
mod modules;
mod names;
mod observer;
mod origins;
mod outcome;
mod outline;
mod path;
mod prelude;
mod program;
mod proof;
mod reading;
pub mod reference;
mod removal;
mod run;
mod save;
#[cfg(feature = "serde")]
mod serde;
mod shown;
mod tile_access;
mod tooling;
mod types;
mod value;
mod view;
mod vocabulary;
mod waiting;

#[cfg(feature = "serde")]
pub use self::serde::Serde;
pub use call::{Call, CallArguments, CallOutcome, Callee};
pub use calls::CallView;
pub use cancel::CancelToken;
pub use closures::HostClosure;
pub use convert::{FromValue, IntoValue, Made, Maker};
pub use engine::{CompileError, Engine};
pub use errand::Errand;
pub use function::{
    Argument, Charged, Choices, HostAnswer, HostError, HostOutput, HostResult, Rest,
};
pub use functions::EngineFunction;
pub use globals::Globals;
pub use growing::ExtendError;
pub use host_type::HostType;
pub use hosted::HostValue;
pub use import::{ImportSource, import_beside};
pub use measure::{MeasuredCall, Measurement};
pub use method::{HostMethod, HostMethodMut};
pub use names::{Mention, Name, Names};
pub use ndscript_base::limits::{LimitReached, Limits};
pub use ndscript_base::{
    counted, diagnostics, limits, markup, picture, rng, source, spelling, tiles,
};
#[cfg(feature = "derive")]
pub use ndscript_derive::{NdData, NdType};
pub use ndscript_heap::data::{Data, GridData};
pub use ndscript_heap::parts::{Part, Parts};
pub use ndscript_heap::value_error::ValueError;
pub use ndscript_machine::error::ErrorKind;
pub use ndscript_machine::inspect::{Alternative, OpenChoice};
pub use ndscript_machine::machine::Statistics;
pub use ndscript_machine::parameter::Parameter as Param;
pub use ndscript_machine::record::{Record, Snapshot};
pub use ndscript_machine::trace::{ErrorPlace, ScriptError};
pub use ndscript_machine::when::When;
#[cfg(feature = "render")]
pub use ndscript_render as render;
pub use ndscript_syntax as syntax;
pub use ndscript_syntax::foreign;
pub use observer::{Arguments, Event, Moment, Observer, Target, Wanted};
pub use outcome::{Answer, Outcome, PlacedPicture, Question, RunError, Solution};
pub use program::Program;
pub use proof::{BoardProof, ProofProgress};
pub use removal::{DeadEnd, Removal};
pub use run::{ForkError, Run};
pub use save::{RestoreError, SaveError};
pub use tooling::{Check, Completion, Completions};
pub use types::{EngineMember, EngineType};
pub use value::{Kind, Value};
pub use view::View;
pub use waiting::Waiting;

/// What the other crates of this house need beyond the API: nothing of it is promised to anybody else.
#[doc(hidden)]
pub mod internals {
    pub use crate::origins::OriginIndex;
    pub use crate::view::in_quotes;
    pub use ndscript_machine::watch::origins::{Definition, DefinitionTarget, Part};
    pub use ndscript_machine::watch::{GOES_ON, NO_CANDIDATE, Unreported};
}
