//! The engine: compiles programs, and holds what a host allows them.

mod compiling;

use super::import::ImportSource;
use crate::host::allowed::Allowed;
use crate::host::closures::HostClosure;
use crate::host::constants::ConstantEntry;
use crate::host::host_type::TypeEntry;
use crate::host::modules::{HostText, ModuleEntry};
use crate::runs::outcome::{Answer, Asker, PrintSink, Question};
use crate::tools::functions::HostEntry;
pub(crate) use compiling::TextOrigin;
use ndscript_base::budget::PieceSize;
use ndscript_base::limits::Limits;
use ndscript_base::tiles::Tiles;
use ndscript_machine::natives::context::{Clock, DebugSink};
use std::sync::Arc;
use std::time::Duration;

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
    /// Which function was added last.
    pub(crate) latest_function: usize,
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
    /// It takes the place of an earlier one with its name. A name that no program can write, such as `if` or `two words`,
    /// is an error of every program.
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
        let entry = HostEntry::new(name, closure);
        let known = self
            .functions
            .iter()
            .position(|known| known.name == entry.name);
        self.latest_function = known.unwrap_or(self.functions.len());
        match known {
            // In its place, since saved runs know functions by their numbers.
            Some(at) => self.functions[at] = entry,
            None => self.functions.push(entry),
        }
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
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let functions: Vec<&str> = self.functions.iter().map(|entry| &*entry.name).collect();
        let mut out = f.debug_struct("Engine");
        out.field("functions", &functions);
        out.field("limits", &self.limits).finish_non_exhaustive()
    }
}
