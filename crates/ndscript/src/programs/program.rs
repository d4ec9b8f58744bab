//! A compiled program.

use std::sync::{Arc, OnceLock};

use super::compile_error::CompileError;
use super::engine::Engine;
use super::import::FilesRead;
use crate::host::tile_access::EngineTiles;
use crate::runs::outcome::{Asker, PrintSink};
use crate::runs::run::Run;
use ndscript_base::budget::PieceSize;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::limits::Limits;
use ndscript_base::rng::Rng;
use ndscript_base::source::{SourceFile, Sources, Span};
use ndscript_base::spelling::nearest;
use ndscript_base::tiles::Tiles;
use ndscript_bytecode::{Code, disassemble};
use ndscript_heap::Heap;
use ndscript_heap::kinds::hosted::TypeRules;
use ndscript_machine::host::output::Output;
use ndscript_machine::host::parameter::Parameter;
use ndscript_machine::host::record::Record;
use ndscript_machine::host::roots::Roots;
use ndscript_machine::natives::context::{Clock, Context, DebugSink};
use ndscript_machine::natives::native::Members;
use ndscript_machine::natives::native::{HostFunction, Native};
use ndscript_machine::work::CurrentWork;

/// A compiled program: immutable, cheap to clone, usable from several threads.
#[derive(Clone)]
pub struct Program(pub(crate) Arc<ProgramParts>);

pub(crate) struct ProgramParts {
    pub code: Arc<Code>,
    /// The data for the next input of a growing program.
    pub inputs: Option<Inputs>,
    pub gives_value: bool,
    pub warnings: Vec<Diagnostic>,
    /// Their names, each with the place of its default.
    pub parameters: Option<Vec<(Arc<str>, Option<Span>)>>,
    pub sources: Sources,
    pub limits: Limits,
    pub piece: PieceSize,
    pub tiles: Tiles,
    pub natives: Arc<[Native]>,
    pub host: Arc<[Arc<HostFunction>]>,
    pub types: Arc<[Arc<TypeRules>]>,
    pub members: Arc<[Members]>,
    pub print: Option<Arc<PrintSink>>,
    pub people: Option<Arc<Asker>>,
    pub debug: Arc<DebugSink>,
    pub clock: Option<Arc<Clock>>,
    /// The lines of its instructions; made when they are needed first.
    pub lines: OnceLock<Arc<[u32]>>,
    /// The key that runs of it are sealed with when they are saved.
    pub save_key: Option<[u8; 32]>,
    /// Made when it is needed first.
    pub fingerprint: OnceLock<[u8; 32]>,
}

/// The data for the next input of a growing program.
pub(crate) struct Inputs {
    pub engine: Engine,
    /// The paths of the files that were imported so far.
    pub imported: Vec<String>,
    /// The code of the program without its latest input.
    pub before: Arc<Code>,
    /// The program of the first input alone, if this is not it.
    pub first: Option<Program>,
    /// How many source files there were before the latest input.
    pub files_before: usize,
}

impl Program {
    pub(crate) fn new(parts: ProgramParts) -> Program {
        Program(Arc::new(parts))
    }

    /// A run of the program. Equal seeds always give equal runs.
    pub fn run(&self, seed: u64) -> Run {
        self.run_with(seed, &[])
    }

    /// A run with parameters, which the script reads with `param(name, default)`.
    ///
    /// ```
    /// use ndscript::{Engine, Param};
    /// let program = Engine::new().compile("return param(\"size\", 10) + 1;")?;
    /// let mut run = program.run_with(1, &[("size".into(), Param::Number(4.0))]);
    /// assert_eq!(run.next().unwrap().unwrap().value.to_string(), "5");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn run_with(&self, seed: u64, parameters: &[(String, Parameter)]) -> Run {
        Run::new(self.clone(), self.context(seed, parameters))
    }

    /// The initial context of a run.
    pub(crate) fn context(&self, seed: u64, parameters: &[(String, Parameter)]) -> Context {
        Context {
            heap: Heap::with_types(self.0.types.clone()),
            rng: Rng::new(seed),
            output: Output::default(),
            fuel: 0,
            fuel_before: 0,
            limits: self.0.limits,
            code: self.0.code.clone(),
            natives: self.0.natives.clone(),
            #[cfg(debug_assertions)]
            has_constrained: false,
            host: self.0.host.clone(),
            members: self.0.members.clone(),
            tiles: Arc::new(EngineTiles(self.0.tiles.clone())),
            debug: self.0.debug.clone(),
            clock: self.0.clock.clone(),
            parameters: parameters.into(),
            failure_message: None,
            failure_messages: 0,
            refused: Default::default(),
            changed: None,
            record: Record::default(),
            roots: Roots::default(),
            learning: Default::default(),
            current_work: CurrentWork::default(),
            piece: self.0.piece,
        }
    }

    /// Compiles the next input of a program that was begun with [`Engine::compile_input`], and returns the program
    /// with it; this one stays as it is. The engine is that of the first input.
    ///
    /// # Errors
    /// As [`Engine::compile`]; also if the program was compiled as a whole.
    pub fn extend(&self, name: &str, text: &str) -> Result<Program, CompileError> {
        let Some(inputs) = &self.0.inputs else {
            let message = "this program was compiled as a whole, so nothing can come behind it";
            let error = Diagnostic {
                span: None,
                ..Diagnostic::error(message, Span::default())
            };
            let error = error.with_hint("begin the program with `Engine::compile_input`");
            return Err(CompileError {
                diagnostics: vec![error],
                sources: self.0.sources.clone(),
            });
        };
        inputs.engine.compile_next_input(self, name, text)
    }

    /// The files that the latest input has brought: its own text, and what it imports that no earlier one does. Of a
    /// program that was compiled as a whole, all files.
    pub fn input_files(&self) -> &[SourceFile] {
        let before = self
            .0
            .inputs
            .as_ref()
            .map_or(0, |inputs| inputs.files_before);
        self.0.sources.files().get(before..).unwrap_or_default()
    }

    /// Compiles an input again, after this program, from its files ([`Program::input_files`]): nothing is searched
    /// elsewhere. A host that has backtracked into an earlier input begins later ones again like this, and need not
    /// store their programs, each of which contains all before it.
    ///
    /// ```
    /// let first = ndscript::Engine::new().compile_input("input 1", "let x = choose(1, 2);")?;
    /// let second = first.extend("input 2", "x * 10")?;
    /// let mut run = first.run(1);
    /// run.next().unwrap().unwrap();
    /// run.extend(&run.program().extend_again(second.input_files())?)?;
    /// assert_eq!(run.next().unwrap().unwrap().value.to_string(), "10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Program::extend`].
    pub fn extend_again(&self, files: &[SourceFile]) -> Result<Program, CompileError> {
        match &self.0.inputs {
            Some(inputs) => inputs.engine.recompile(self, files),
            None => self.extend("", ""),
        }
    }

    /// About how many bytes the program takes. Of a growing program, the instructions of all inputs and a little for each
    /// of their files, whose texts are shared: what every later program has a copy of.
    ///
    /// ```
    /// let first = ndscript::Engine::new().compile_input("input 1", "let x = 1;")?;
    /// assert!(first.extend("input 2", "x + 1")?.bytes() > first.bytes());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn bytes(&self) -> usize {
        size_of::<ProgramParts>() + self.0.code.bytes() + size_of_val(self.0.sources.files())
    }

    /// The lines of a file on which something happens, in order: what breakpoints can be set on. None of a file that it has not.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile_named("a.nds", "// first\nlet x = 1;\n\nprint(x);")?;
    /// assert_eq!(program.lines_with_code("a.nds"), [2, 4]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn lines_with_code(&self, file: &str) -> Vec<usize> {
        let files = self.0.sources.files();
        let Some(number) = files.iter().position(|known| *known.name == *file) else {
            return Vec::new();
        };
        let lines_of = |file: &SourceFile| file.text.lines().count() as u32 + 1;
        let before: u32 = files[..number].iter().map(lines_of).sum();
        let own = before + 1..=before + lines_of(&files[number]);
        let mut lines: Vec<u32> = self.lines().iter().copied().collect();
        lines.retain(|line| own.contains(line));
        lines.sort_unstable();
        lines.dedup();
        lines.iter().map(|line| (line - before) as usize).collect()
    }

    /// For each instruction the line that it comes from, counted through all files from 1; 0 for those of the prelude.
    pub(crate) fn lines(&self) -> Arc<[u32]> {
        let made = self.0.lines.get_or_init(|| {
            let files = self.0.sources.files();
            let mut before = Vec::with_capacity(files.len());
            let mut count = 1;
            for file in files {
                before.push(count);
                count += file.text.lines().count() as u32 + 1;
            }
            let code = &self.0.code;
            let mut lines = vec![0; code.ops.len()];
            for function in code.functions.iter().filter(|function| !function.prelude) {
                let (begin, end) = (
                    function.entry as usize,
                    (function.entry + function.length) as usize,
                );
                for (line, span) in lines[begin..end].iter_mut().zip(&code.spans[begin..end]) {
                    let number = files.iter().rposition(|file| file.base <= span.start);
                    // Code that the compiler has added has no line.
                    if let Some(number) = number.filter(|_| *span != Span::default()) {
                        let local =
                            files[number].line_column(span.start - files[number].base).0 as u32;
                        *line = before[number] + local - 1;
                    }
                }
            }
            lines.into()
        });
        made.clone()
    }

    /// The declarations that the next input can use.
    pub(crate) fn earlier(&self) -> FilesRead {
        let imported = self
            .0
            .inputs
            .as_ref()
            .map_or(&[][..], |inputs| &inputs.imported);
        FilesRead {
            sources: self.0.sources.clone(),
            imported: imported.to_vec(),
        }
    }

    /// The program of the first input.
    pub(crate) fn first(&self) -> &Program {
        self.0
            .inputs
            .as_ref()
            .and_then(|inputs| inputs.first.as_ref())
            .unwrap_or(self)
    }

    /// Whether the latest input of a growing program ends in an expression without `;`, whose value is the value of
    /// the solution.
    pub fn gives_value(&self) -> bool {
        self.0.gives_value
    }

    /// Whether this is the program with that code, extended by one input.
    pub(crate) fn extends(&self, code: &Arc<Code>) -> bool {
        self.0
            .inputs
            .as_ref()
            .is_some_and(|inputs| Arc::ptr_eq(&inputs.before, code))
    }

    pub(crate) fn print(&self) -> Option<&PrintSink> {
        self.0.print.as_deref()
    }

    pub(crate) fn people(&self) -> Option<&Asker> {
        self.0.people.as_deref()
    }

    pub(crate) fn code(&self) -> &Arc<Code> {
        &self.0.code
    }

    /// The files of the program, for messages.
    pub fn sources(&self) -> &Sources {
        &self.0.sources
    }

    /// Code that is allowed in the program, but seldom meant: names that nothing declares or gives a value (a global
    /// that only the host sets is one, too: declare it with `var`), wrong numbers of arguments, variables that nothing
    /// reads, and code that is never reached. At most about fifty.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var count = 0; cuont = 1;")?;
    /// assert_eq!(program.warnings()[0].message, "nothing declares `cuont`");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }

    /// The names of the parameters that the program asks for with `param`, in the order of its text, so that a host can
    /// offer them, or tell a misspelt one. `None` if it works some of the names out as it runs, so that it may ask for
    /// any. Of a growing program, those of the latest input.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let program = Engine::new().compile("let size = param(\"size\", 10) * param(\"scale\", 2);")?;
    /// let names: Vec<&str> = program.parameters().unwrap().collect();
    /// assert_eq!(names, ["size", "scale"]);
    /// let program = Engine::new().compile("let sizes = map([\"w\", \"h\"], name => param(name, 10));")?;
    /// assert!(program.parameters().is_none());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn parameters(&self) -> Option<impl Iterator<Item = &str>> {
        self.0
            .parameters
            .as_ref()
            .map(|names| names.iter().map(|(name, _)| &**name))
    }

    /// What to say about each of these names that the program cannot ask for, with a hint in a line of its own: for a host
    /// that gets parameters from a person. Where the program works out names as it runs, it may ask for any.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("let size = param(\"size\", 10);")?;
    /// assert!(program.unknown_parameters(["size"]).is_empty());
    /// let said = program.unknown_parameters(["szie"]);
    /// assert_eq!(said, ["the program has no parameter \"szie\"\ndid you mean `size`?"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn unknown_parameters<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        let Some(known) = self.parameters() else {
            return Vec::new();
        };
        let known: Vec<&str> = known.collect();
        let unknown = names.into_iter().filter(|name| !known.contains(name));
        let said = unknown.map(|name| {
            let hint = match (nearest(name, known.iter().copied()), known.as_slice()) {
                (Some(close), _) => format!("did you mean `{close}`?"),
                (None, []) => {
                    "a program reads a parameter with `param(name, default)`; this one reads none"
                        .to_string()
                }
                (None, known) => format!("its parameters are {}", known.join(", ")),
            };
            format!("the program has no parameter {name:?}\n{hint}")
        });
        said.collect()
    }

    /// The place of the default of a parameter, of the first `param` with this name: for a host that shows it, or needs
    /// the kind of the parameter.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("let size = param(\"size\", 10 * 2);")?;
    /// assert_eq!(program.sources().text(program.parameter_default("size").unwrap()), "10 * 2");
    /// assert!(program.parameter_default("scale").is_none());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn parameter_default(&self, name: &str) -> Option<Span> {
        self.0
            .parameters
            .as_ref()?
            .iter()
            .find(|(known, _)| &**known == name)?
            .1
    }

    /// The names of its variables: first the global ones, then those of its functions, with their parameters. Each is
    /// named once, in the order of the text.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("let g = 1; function f(x) { let y = x + g; return y; } f(2);")?;
    /// assert_eq!(program.variables(), ["g", "x", "y"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn variables(&self) -> Vec<&str> {
        let code = &self.0.code;
        let globals = code
            .globals
            .iter()
            .filter(|global| global.function.is_none() && global.is_declared);
        let own = code
            .functions
            .iter()
            .filter(|function| !function.prelude)
            .flat_map(|function| {
                let variables = function.variables.iter().map(|variable| &*variable.name);
                function
                    .parameters
                    .iter()
                    .map(|name| &**name)
                    .chain(variables)
            });
        let mut seen = ndscript_base::keyed::KeyedSet::default();
        globals
            .map(|global| &*global.name)
            .chain(own)
            .filter(|name| seen.insert(*name))
            .collect()
    }

    /// The names of the functions that it declares, in the order of the text.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("let g = x => x; function f(x) { return g(x); } f(2);")?;
    /// assert_eq!(program.functions(), ["f"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn functions(&self) -> Vec<&str> {
        let declared = self
            .0
            .code
            .globals
            .iter()
            .filter(|global| global.function.is_some() && global.is_declared);
        declared.map(|global| &*global.name).collect()
    }

    /// The bytecode as text.
    pub fn disassemble(&self) -> String {
        disassemble::disassemble(&self.0.code)
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files: Vec<&str> = self
            .sources()
            .files()
            .iter()
            .map(|file| &*file.name)
            .collect();
        f.debug_struct("Program")
            .field("files", &files)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_machine::op::decide::DecideTurn;

    #[test]
    fn the_loops_of_decide_are_known_to_the_machine() {
        let text = "let g = makeGrid(2, 2, setOf(1, 2)); decide(g); decide(g, {order: \"first\"});";
        let program = Engine::new().compile(text).unwrap();
        let ProgramParts { code, natives, .. } = &*program.0;
        let turns = (0..code.ops.len()).filter_map(|at| DecideTurn::enclosing(at, code, natives));
        // Its own, and those with options: for the least sum, for the start of a fair draw, for all else.
        assert_eq!(turns.count(), 4);
    }
}
