//! The prelude: built-ins in the language itself. A function of it is compiled when the first program calls it, once
//! for all engines, so that no program waits for what it does not use.

use std::sync::{Arc, OnceLock};

use ndscript_base::keyed::KeyedMap;

use ndscript_bytecode::{Body, Code, Constant, Function, Head, Signatures};
use ndscript_compiler::{Compiled, Unit, compile};
use ndscript_machine::natives::native::Native;

/// The host's calls with at most this many arguments need no list of them.
const MOST_DIRECT: u8 = 8;

/// The beginning of every program.
pub struct Prelude {
    /// A place for every function of the prelude, and all constants that they use.
    pub base: Code,
    pub signatures: Signatures,
    pub natives: Arc<[Native]>,
    functions: Vec<Scripted>,
}

/// A function of the prelude. Its number is its place among them.
struct Scripted {
    name: &'static str,
    text: &'static str,
    compiled: OnceLock<(Function, Body)>,
}

/// Whether a function begins at a place in the text of the prelude.
const fn starts_at(text: &[u8], at: usize) -> bool {
    const HEADS: [&[u8]; 2] = [b"function ", b"deterministic function "];
    let mut head = 0;
    while head < HEADS.len() {
        let mut matched = 0;
        while matched < HEADS[head].len()
            && at + matched < text.len()
            && text[at + matched] == HEADS[head][matched]
        {
            matched += 1;
        }
        if matched == HEADS[head].len() {
            return at == 0 || text[at - 1] == b'\n';
        }
        head += 1;
    }
    false
}

const FUNCTIONS: usize = {
    let text = ndscript_builtins::PRELUDE.as_bytes();
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        count += starts_at(text, at) as usize;
        at += 1;
    }
    count
};

/// Where the functions begin, and where the text ends: known before the program starts.
const STARTS: [usize; FUNCTIONS + 1] = {
    let text = ndscript_builtins::PRELUDE.as_bytes();
    let mut starts = [text.len(); FUNCTIONS + 1];
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        if starts_at(text, at) {
            starts[count] = at;
            count += 1;
        }
        at += 1;
    }
    starts
};

/// The functions in the text of the prelude, each from its first line to the next one's.
fn functions() -> Vec<Scripted> {
    let function = |range: &[usize]| {
        let text = &ndscript_builtins::PRELUDE[range[0]..range[1]];
        let head = text.split('(').next().unwrap_or(text);
        Scripted {
            name: head.rsplit(' ').next().unwrap_or(head),
            text,
            compiled: OnceLock::new(),
        }
    };
    STARTS.windows(2).map(function).collect()
}

/// The prelude, made at its first use.
pub fn prelude() -> &'static Prelude {
    static PRELUDE: OnceLock<Prelude> = OnceLock::new();
    PRELUDE.get_or_init(|| {
        let functions = functions();
        let number = |name: &str| {
            functions
                .iter()
                .position(|function| function.name == name)
                .map(|at| at as u32)
        };
        let place = Arc::new(Function {
            prelude: true,
            ..Function::default()
        });
        let texts = ndscript_builtins::PRELUDE_TEXTS
            .iter()
            .map(|text| Constant::Text(Arc::from(*text)));
        let direct = (0..=MOST_DIRECT).map(|arguments| Function::call_of_host(Some(arguments)));
        let calls = direct.chain([Function::call_of_host(None)]);
        let mut base = Code {
            functions: vec![place; functions.len()],
            heads: vec![Head::default(); functions.len()],
            constants: texts.chain([false, true].map(Constant::Boolean)).collect(),
            ..Code::default()
        };
        for call in calls {
            let number = base.add(call);
            base.calls_of_host.push(number);
        }
        let native = |name: &str| {
            ndscript_builtins::CALLED
                .iter()
                .position(|row| row.name == name)
                .unwrap_or_default() as u32
        };
        base.due_functions = base.add(Function::woken(
            native("__nextFunction"),
            native("__endFunction"),
        ));
        base.callback = base.add(Function::callback());
        base.choice_of_host = base.add(Function::choice_of_host(native("__nextAlternative")));
        let natives = ndscript_builtins::natives(number).into();
        let signatures = ndscript_builtins::signatures(number);
        Prelude {
            base,
            signatures,
            natives,
            functions,
        }
    })
}

impl Prelude {
    /// Puts those functions that a program may call into their places.
    pub fn supply(&self, code: &mut Code, wanted: &[u32]) {
        for number in wanted {
            if !code.has(*number) {
                let function = &self.functions[*number as usize];
                let (compiled, body) = function
                    .compiled
                    .get_or_init(|| self.compile(function.text))
                    .clone();
                code.append(*number, compiled, body);
            }
        }
    }

    /// Compiles one function. The prelude is part of this library and tested with it: it has no errors.
    fn compile(&self, text: &str) -> (Function, Body) {
        let compiled = self.compile_function(text);
        compiled.code.body(self.base.functions.len() as u32)
    }

    fn compile_function(&self, text: &str) -> Compiled {
        let script = ndscript_syntax::parse(text, 0)
            .unwrap_or_else(|errors| panic!("the prelude: {errors:?}"));
        let unit = Unit {
            files: vec![&script],
            imports: KeyedMap::default(),
            preludes: Vec::new(),
            signatures: &self.signatures,
            base: self.base.clone(),
            is_prelude: true,
            incremental: false,
            gives_value: false,
        };
        compile(unit).unwrap_or_else(|errors| panic!("the prelude: {errors:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each function of the prelude must compile by itself, so that it can be put into any program.
    #[test]
    fn every_function_stands_alone() {
        let prelude = prelude();
        assert!(prelude.functions.len() > 10);
        for function in &prelude.functions {
            let Compiled { code, scripts, .. } = prelude.compile_function(function.text);
            let name = function.name;
            assert_eq!(
                code.constants, prelude.base.constants,
                "`{name}`: its texts must be in PRELUDE_TEXTS"
            );
            assert!(
                scripts.is_empty(),
                "`{name}` calls another function of the prelude"
            );
            // Itself and the top level: a function value inside would need a number of its own.
            assert_eq!(
                code.functions.len(),
                prelude.base.functions.len() + 2,
                "`{name}` contains function values"
            );
            assert_eq!(
                code.functions[prelude.base.functions.len()].name.as_deref(),
                Some(name)
            );
            assert!(code.functions[prelude.base.functions.len()].prelude);
        }
    }

    #[test]
    fn all_functions_that_rows_name_are_there() {
        for row in &ndscript_builtins::CALLED {
            for (_, name) in row.scripts {
                assert!(
                    prelude()
                        .functions
                        .iter()
                        .any(|function| function.name == *name),
                    "{name}"
                );
            }
        }
    }
}
