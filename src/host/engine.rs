//! The engine: compiles programs, and holds what a host allows them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::convert::{HostClosure, host_function};
use super::import::{Earlier, ImportSource, load};
use super::prelude::prelude;
use super::program::{Inputs, Program, ProgramParts};
use crate::bytecode::{Code, Signature, Signatures};
use crate::compile::{Compiled, Unit, compile};
use crate::diagnostics::Diagnostic;
use crate::limits::Limits;
use crate::source::Sources;
use crate::syntax::ast::Script;
use crate::tiles::Tiles;
use crate::vm::context::{Clock, DebugSink};
use crate::vm::native::{Action, HostFunction, Native};

/// Compiles programs. By itself an engine gives them no file, clock, console or entropy.
///
/// ```
/// use ndscript::Engine;
/// let engine = Engine::new();
/// let program = engine.compile("var x = choose(1, 2, 3); require(x * x > 3); print(x);")?;
/// let texts: Vec<String> = program.run(1).map(|solution| solution.unwrap().text).collect();
/// assert_eq!(texts, ["2", "3"]);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Default)]
pub struct Engine {
    limits: Limits,
    tiles: Tiles,
    imports: Option<Arc<dyn ImportSource>>,
    debug: Option<Arc<DebugSink>>,
    clock: Option<Arc<Clock>>,
    functions: Vec<HostEntry>,
    #[cfg(feature = "save")]
    pub(super) save_key: Option<[u8; 32]>,
}

/// A function of the host.
#[derive(Clone)]
struct HostEntry {
    name: Arc<str>,
    arguments: u32,
    function: Arc<HostFunction>,
}

impl Engine {
    /// An engine that allows nothing but computing.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// The same with other limits.
    pub fn with_limits(mut self, limits: Limits) -> Engine {
        self.limits = limits;
        self
    }

    /// The same with tiles from a source; by itself an engine knows colours and built-in tiles.
    pub fn with_tiles(mut self, tiles: Tiles) -> Engine {
        self.tiles = tiles;
        self
    }

    /// The same with files to import.
    pub fn with_imports(mut self, source: impl ImportSource + 'static) -> Engine {
        self.imports = Some(Arc::new(source));
        self
    }

    /// The same with somebody who takes the lines of `debug(...)`; they are lost otherwise.
    pub fn with_debug(mut self, sink: impl Fn(&str) + Send + Sync + 'static) -> Engine {
        self.debug = Some(Arc::new(sink));
        self
    }

    /// The same with a clock, for [`Limits::time`]: it says how much time has passed since some fixed moment. The
    /// library reads no clock by itself; where there is none, as in a browser's sandbox, leave it out and count steps.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use ndscript::{Engine, LimitReached, Limits, Outcome};
    /// let started = Instant::now();
    /// let limits = Limits { time: Duration::from_millis(20), ..Limits::default() };
    /// let engine = Engine::new().with_limits(limits).with_clock(move || started.elapsed());
    /// let outcome = engine.compile("while (true) {}")?.run(1).resume(u64::MAX);
    /// assert!(matches!(outcome, Outcome::Limit(LimitReached::Time(_))));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Engine {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// The same with a function of the host, which scripts call like a built-in. It covers a built-in of the same
    /// name; a program can still define the name for itself.
    ///
    /// What the function changes on the host's side is not undone when the script fails: it should compute something
    /// from its arguments.
    ///
    /// ```
    /// use ndscript::{Engine, HostError};
    /// let engine = Engine::new().with_function("price", |item: String, count: i64| match item.as_str() {
    ///     "rope" => Ok(1.5 * count as f64),
    ///     other => Err(HostError::new(format!("nobody sells {other} here"))),
    /// });
    /// let program = engine.compile("print(price(\"rope\", 4));")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "6");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_function<Arguments: 'static, Closure: HostClosure<Arguments>>(
        mut self,
        name: &str,
        closure: Closure,
    ) -> Engine {
        let function = Arc::new(host_function(name.to_string(), closure));
        self.functions.push(HostEntry { name: name.into(), arguments: Closure::ARGUMENTS, function });
        self
    }

    /// Built-ins and host functions: for the compiler, and for the machine.
    fn natives(&self) -> (Cow<'static, Signatures>, Arc<[Native]>) {
        let prelude = prelude();
        if self.functions.is_empty() {
            return (Cow::Borrowed(&prelude.signatures), prelude.natives.clone());
        }
        let mut signatures = prelude.signatures.clone();
        let mut natives = prelude.natives.to_vec();
        for (number, entry) in self.functions.iter().enumerate() {
            signatures.add(Signature {
                name: entry.name.to_string().into(),
                least: entry.arguments,
                most: Some(entry.arguments),
                scripts: Vec::new(),
                fresh: false,
                hidden: false,
            });
            natives.push(Native {
                name: entry.name.to_string().into(),
                least: entry.arguments,
                most: Some(entry.arguments),
                action: Action::Host(number as u32),
                scripts: Vec::new(),
            });
        }
        (Cow::Owned(signatures), natives.into())
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// All syntax errors of its files, or else all errors that can be known before the run.
    pub fn compile(&self, text: &str) -> Result<Program, CompileError> {
        self.compile_named("program", text)
    }

    /// Compiles a program whose messages call it by a name; imports are seen from there.
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn compile_named(&self, name: &str, text: &str) -> Result<Program, CompileError> {
        self.compile_behind(name, text, None)
    }

    /// Compiles the first input of a growing program: one that [`Program::extend`] takes further, and a run of it
    /// [`Run::extend`](crate::Run::extend), as in a conversation.
    ///
    /// The last statement of an input may lack its `;`; if it is an expression, its value is then the value of the
    /// solution. Later inputs may declare again what earlier ones declare. Calls of functions go by their name at the
    /// moment of the call, so a function that is declared again is a new one for the functions of earlier inputs, too.
    /// Only built-ins that an input uses before a later one covers their names stay what they are there.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let first = Engine::new().compile_input("input 1", "let x = choose(1, 2, 3);")?;
    /// let mut run = first.run(7);
    /// run.next().unwrap().unwrap();
    /// let second = first.extend("input 2", "require(x > 1); x * 10")?;
    /// run.extend(&second)?;
    /// // The second input fails, so the first one is taken up again: its `x` is 2 now, and the second has not run.
    /// run.next().unwrap().unwrap();
    /// assert_eq!((run.input(), run.global("x").as_deref()), (1, Some("2")));
    /// run.extend(&first.extend("input 2", "x * 10")?)?;
    /// assert_eq!(run.next().unwrap().unwrap().value, "20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn compile_input(&self, name: &str, text: &str) -> Result<Program, CompileError> {
        self.compile_behind(name, text, Some((Arc::new(prelude().base.clone()), Earlier::default())))
    }

    /// Compiles a program, or an input behind earlier ones.
    pub(super) fn compile_behind(
        &self,
        name: &str,
        text: &str,
        earlier: Option<(Arc<Code>, Earlier)>,
    ) -> Result<Program, CompileError> {
        let growing = earlier.is_some();
        let (base, earlier) = match earlier {
            Some((code, earlier)) => (code, Some(earlier)),
            None => (Arc::new(prelude().base.clone()), None),
        };
        let files = load(name, text, self.imports.as_deref(), self.limits.source, earlier)
            .map_err(|(diagnostics, sources)| CompileError { diagnostics, sources })?;
        let (signatures, natives) = self.natives();
        let scripts: Vec<&Script> = files.scripts.iter().collect();
        let unit = Unit {
            files: scripts,
            imports: files.imports,
            signatures: &signatures,
            base: (*base).clone(),
            is_prelude: false,
            growing,
            gives_value: files.gives_value,
        };
        match compile(unit) {
            Ok(Compiled { mut code, scripts, warnings }) => Ok(Program::new(ProgramParts {
                code: {
                    prelude().supply(&mut code, &scripts);
                    Arc::new(code)
                },
                inputs: growing.then(|| Inputs { engine: self.clone(), imported: files.imported, before: base }),
                gives_value: files.gives_value,
                warnings,
                sources: files.sources,
                limits: self.limits,
                tiles: self.tiles.clone(),
                natives,
                host: self.functions.iter().map(|entry| entry.function.clone()).collect(),
                debug: self.debug.clone().unwrap_or_else(|| Arc::new(|_: &str| {})),
                clock: self.clock.clone(),
                #[cfg(feature = "save")]
                save_key: self.save_key,
                #[cfg(feature = "save")]
                fingerprint: std::sync::OnceLock::new(),
            })),
            Err(diagnostics) => Err(CompileError { diagnostics, sources: files.sources }),
        }
    }
}

/// Why a program does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// What is wrong; at least one message.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the messages point into.
    pub sources: Sources,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if at > 0 { "\n" } else { "" };
            write!(f, "{separator}{}", diagnostic.render(&self.sources, false))?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}
