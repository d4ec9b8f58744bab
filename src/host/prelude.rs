//! The prelude, compiled once for all engines.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::builtins;
use crate::bytecode::{Code, Signatures};
use crate::compile::{Unit, compile};
use crate::syntax;
use crate::vm::native::Native;

/// What every program starts from.
pub struct Prelude {
    pub code: Code,
    pub signatures: Signatures,
    pub natives: Arc<[Native]>,
}

/// The compiled prelude.
pub fn prelude() -> &'static Prelude {
    static PRELUDE: OnceLock<Prelude> = OnceLock::new();
    PRELUDE.get_or_init(|| {
        // The prelude is part of this library and tested with it: it has no errors.
        let script = syntax::parse(builtins::PRELUDE, 0).unwrap_or_else(|errors| panic!("the prelude: {errors:?}"));
        let signatures = builtins::signatures(|_| None);
        let unit = Unit {
            files: vec![&script],
            imports: FxHashMap::default(),
            signatures: &signatures,
            base: Code::default(),
            is_prelude: true,
            growing: false,
            gives_value: false,
        };
        let mut code = compile(unit).unwrap_or_else(|errors| panic!("the prelude: {errors:?}")).code;
        let numbers: FxHashMap<String, u32> =
            code.globals.iter().filter_map(|global| Some((global.name.to_string(), global.function?))).collect();
        let number = |name: &str| numbers.get(name).copied();
        let natives = builtins::natives(number).into();
        let signatures = builtins::signatures(number);
        code.globals.clear();
        Prelude { code, signatures, natives }
    })
}
