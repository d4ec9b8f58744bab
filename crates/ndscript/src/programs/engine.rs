//! The engine: compiles programs, and holds what a host allows them.

use std::sync::Arc;
use std::time::Duration;

use super::import::{FilesRead, GivenFiles, ImportSource, load};
use super::prelude::prelude;
use super::program::{Inputs, Program, ProgramParts};
use super::readings::Readings;
use crate::host::allowed::Allowed;
use crate::host::closures::HostClosure;
use crate::host::constants::ConstantEntry;
use crate::host::host_type::TypeEntry;
use crate::host::modules::{HostText, ModuleEntry};
use crate::runs::outcome::{Answer, Asker, PrintSink, Question};
use crate::tools::functions::HostEntry;
use ndscript_base::budget::PieceSize;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::limits::Limits;
use ndscript_base::source::{SourceFile, Sources, Span};
use ndscript_base::tiles::Tiles;
use ndscript_compiler::{Compiled, Unit, compile};
use ndscript_machine::natives::context::{Clock, DebugSink};
use ndscript_syntax::ast::Script;

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
    pub(crate) limits: Limits,
    piece: PieceSize,
    pub(crate) tiles: Tiles,
    imports: Option<Arc<dyn ImportSource>>,
    debug: Option<Arc<DebugSink>>,
    clock: Option<Arc<Clock>>,
    pub(crate) functions: Vec<HostEntry>,
    pub(crate) types: Vec<TypeEntry>,
    pub(crate) constants: Vec<ConstantEntry>,
    /// Whether a constant was added last, and not a function.
    pub(crate) latest_is_constant: bool,
    pub(crate) modules: Vec<ModuleEntry>,
    pub(crate) preludes: Vec<HostText>,
    pub(crate) allowed: Allowed,
    print: Option<Arc<PrintSink>>,
    people: Option<Arc<Asker>>,
    pub(crate) save_key: Option<[u8; 32]>,
}

impl Engine {
    /// An engine that allows nothing but computing.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Sets the limits.
    pub fn with_limits(mut self, limits: Limits) -> Engine {
        self.limits = limits;
        self
    }

    /// Sets the visits of a piece of long work. For tests: with small pieces nearly everything is long.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub fn with_pieces(mut self, visits: u32) -> Engine {
        self.piece = PieceSize::of(visits);
        self
    }

    /// Sets the source of tiles; without one an engine knows only colors and built-in tiles.
    pub fn with_tiles(mut self, tiles: Tiles) -> Engine {
        self.tiles = tiles;
        self
    }

    /// Sets the source of files to import.
    pub fn with_imports(mut self, source: impl ImportSource + 'static) -> Engine {
        self.imports = Some(Arc::new(source));
        self
    }

    /// Sets the sink for lines of `debug(...)`; without one they are lost.
    pub fn with_debug(mut self, sink: impl Fn(&str) + Send + Sync + 'static) -> Engine {
        self.debug = Some(Arc::new(sink));
        self
    }

    /// Sets a clock, for [`Limits::time`]: it returns the time since some fixed moment. The library reads no clock by
    /// itself; where there is none, as in a browser's sandbox, leave it out and count steps.
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

    /// Adds a function of the host, which scripts call like a built-in. It hides a built-in of that name; a program can
    /// still define the name itself.
    ///
    /// A name that no program can write, such as `if` or `two words`, is an error of every program.
    ///
    /// Changes that the function makes on the host's side are not undone when the script fails: it should compute
    /// something from its arguments.
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
        self.functions.push(HostEntry::new(name, closure));
        self.latest_is_constant = false;
        self
    }

    /// Sets a sink for the text of the program as it is settled: the text before a question when it is asked, and the
    /// rest of a solution's text when it is found. Text of branches that fail later is never handed over. The question
    /// or the solution contains it as well.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// let log = Arc::new(Mutex::new(String::new()));
    /// let lines = log.clone();
    /// let engine = ndscript::Engine::new().with_print(move |text| lines.lock().unwrap().push_str(text));
    /// engine.compile("choose first { printLine(1); fail; } or printLine(2);")?.run(1).next();
    /// assert_eq!(*log.lock().unwrap(), "2\n");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_print(mut self, sink: impl Fn(&str) + Send + Sync + 'static) -> Engine {
        self.print = Some(Arc::new(sink));
        self
    }

    /// Sets a function that answers the questions of `ask` and `input`, so that runs do not stop for them. A question
    /// without an answer, or with one that does not fit, stops the run as usual.
    /// ```
    /// use ndscript::{Answer, Engine, Question};
    /// let engine = Engine::new().with_people(|question: &Question| match &question.options {
    ///     Some(options) => Some(Answer::Option(options.len() - 1)),
    ///     None => Some(Answer::Line("Ada".to_string())),
    /// });
    /// let program = engine.compile("print(ask(\"Which way?\", [\"left\", \"right\"]), \" \", input(\"Name? \"));")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().text, "right Ada");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_people(
        mut self,
        asker: impl Fn(&Question) -> Option<Answer> + Send + Sync + 'static,
    ) -> Engine {
        self.people = Some(Arc::new(asker));
        self
    }

    pub(crate) fn import_source(&self) -> Option<&dyn ImportSource> {
        self.imports.as_deref()
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
        self.compile_at(TextOrigin::Whole, name, text, self.imports.as_deref())
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
    /// assert_eq!((run.input(), run.view_global("x").unwrap().as_i64()), (1, Some(2)));
    /// run.extend(&first.extend("input 2", "x * 10")?)?;
    /// assert_eq!(run.next().unwrap().unwrap().value.to_string(), "20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Engine::compile`].
    pub fn compile_input(&self, name: &str, text: &str) -> Result<Program, CompileError> {
        self.compile_at(TextOrigin::First, name, text, self.imports.as_deref())
    }

    /// Compiles the next input of a program that began with [`Engine::compile_input`].
    pub(crate) fn compile_next_input(
        &self,
        program: &Program,
        name: &str,
        text: &str,
    ) -> Result<Program, CompileError> {
        self.compile_at(
            TextOrigin::Behind(program),
            name,
            text,
            self.imports.as_deref(),
        )
    }

    /// Compiles files that are already loaded.
    pub(crate) fn recompile(
        &self,
        program: &Program,
        files: &[SourceFile],
    ) -> Result<Program, CompileError> {
        let (name, text) = files
            .first()
            .map_or(("", ""), |file| (&*file.name, &*file.text));
        let given = GivenFiles {
            files: files
                .iter()
                .map(|file| (file.name.to_string(), file.text.to_string()))
                .collect(),
            earlier: program.earlier().imported,
        };
        self.compile_at(TextOrigin::Behind(program), name, text, Some(&given))
    }

    /// Compiles a program, or the next input of a growing one.
    pub(crate) fn compile_at(
        &self,
        place: TextOrigin<'_>,
        name: &str,
        text: &str,
        imports: Option<&dyn ImportSource>,
    ) -> Result<Program, CompileError> {
        if let Some((problem, hint)) = self.host_problem() {
            let diagnostic = Diagnostic {
                span: None,
                ..Diagnostic::error(problem, Span::default())
            };
            return Err(CompileError {
                diagnostics: vec![diagnostic.with_hint(hint)],
                sources: Sources::default(),
            });
        }
        let incremental = matches!(place, TextOrigin::First | TextOrigin::Behind(_));
        // A growing program starts from what its input begins with.
        let (base, before, earlier) = match place {
            TextOrigin::Whole | TextOrigin::Known(_) => (prelude().base.clone(), None, None),
            TextOrigin::First => {
                let base = prelude().base.clone();
                (
                    base.clone(),
                    Some(Arc::new(base)),
                    Some(FilesRead::default()),
                )
            }
            TextOrigin::Behind(program) => (
                program.code().to_grow(),
                Some(program.code().clone()),
                Some(program.earlier()),
            ),
        };
        let files_before = earlier
            .as_ref()
            .map_or(0, |earlier| earlier.sources.files().len());
        let first = if let TextOrigin::Behind(program) = place {
            Some(program.first().clone())
        } else {
            None
        };
        let known = match place {
            TextOrigin::Known(readings) => Some(readings),
            TextOrigin::Whole | TextOrigin::First | TextOrigin::Behind(_) => None,
        };
        let files =
            load(self, name, text, imports, earlier, known).map_err(|(diagnostics, sources)| {
                CompileError {
                    diagnostics,
                    sources,
                }
            })?;
        let (signatures, natives) = self.natives(&files.imported);
        let scripts: Vec<&Script> = files.scripts.iter().map(|script| &**script).collect();
        let unit = Unit {
            files: scripts,
            imports: files.imports,
            preludes: files.preludes,
            signatures: &signatures,
            base,
            is_prelude: false,
            incremental,
            gives_value: files.gives_value,
        };
        match compile(unit) {
            Ok(Compiled {
                mut code,
                linked,
                scripts,
                warnings,
                parameters,
            }) => Ok(Program::new(ProgramParts {
                code: {
                    prelude().supply(&mut code, &scripts);
                    code.link(linked);
                    let folders = code.tile_folders.iter().chain(&files.tile_folders).cloned();
                    code.tile_folders = folders.collect();
                    Arc::new(code)
                },
                inputs: before.map(|before| Inputs {
                    engine: self.clone(),
                    imported: files.imported,
                    before,
                    first,
                    files_before,
                }),
                gives_value: files.gives_value,
                warnings,
                parameters,
                sources: files.sources,
                limits: self.limits,
                piece: self.piece,
                tiles: self.tiles.clone(),
                natives,
                host: self
                    .all_functions()
                    .map(|(_, entry)| entry.function.clone())
                    .collect(),
                types: self.all_types().map(|entry| entry.rules.clone()).collect(),
                members: self
                    .all_types()
                    .map(|entry| entry.members.clone())
                    .collect(),
                print: self.print.clone(),
                people: self.people.clone(),
                debug: self.debug.clone().unwrap_or_else(|| Arc::new(|_: &str| {})),
                clock: self.clock.clone(),
                save_key: self.save_key,
                fingerprint: std::sync::OnceLock::new(),
                lines: std::sync::OnceLock::new(),
            })),
            Err(diagnostics) => Err(CompileError {
                diagnostics,
                sources: files.sources,
            }),
        }
    }
}

/// Where a text stands.
#[derive(Clone, Copy)]
pub(crate) enum TextOrigin<'a> {
    /// It is a program by itself.
    Whole,
    /// It is a program by itself, whose files were read before.
    Known(Readings<'a>),
    /// It is the first input of a growing program.
    First,
    /// It is the next input of this one.
    Behind(&'a Program),
}

/// Why a program does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// The errors; at least one message.
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

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let functions: Vec<&str> = self.functions.iter().map(|entry| &*entry.name).collect();
        let mut out = f.debug_struct("Engine");
        out.field("functions", &functions);
        out.field("limits", &self.limits).finish_non_exhaustive()
    }
}
