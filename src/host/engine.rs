//! The engine: compiles programs, and holds what a host allows them.

use std::sync::Arc;

use super::import::{ImportSource, load};
use super::prelude::prelude;
use super::program::{Program, ProgramParts};
use crate::compile::{Unit, compile};
use crate::diagnostics::Diagnostic;
use crate::limits::Limits;
use crate::source::Sources;
use crate::syntax::ast::Script;
use crate::tiles::Tiles;
use crate::vm::context::DebugSink;

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
        let prelude = prelude();
        let files = load(name, text, self.imports.as_deref(), self.limits.source)
            .map_err(|(diagnostics, sources)| CompileError { diagnostics, sources })?;
        let scripts: Vec<&Script> = files.scripts.iter().collect();
        let unit = Unit {
            files: scripts,
            imports: files.imports,
            signatures: &prelude.signatures,
            base: prelude.code.clone(),
            is_prelude: false,
        };
        match compile(unit) {
            Ok(code) => Ok(Program::new(ProgramParts {
                code: Arc::new(code),
                sources: files.sources,
                limits: self.limits,
                tiles: self.tiles.clone(),
                natives: prelude.natives.clone(),
                debug: self.debug.clone().unwrap_or_else(|| Arc::new(|_: &str| {})),
            })),
            Err(diagnostics) => Err(CompileError { diagnostics, sources: files.sources }),
        }
    }
}

/// Why a program does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    pub diagnostics: Vec<Diagnostic>,
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
