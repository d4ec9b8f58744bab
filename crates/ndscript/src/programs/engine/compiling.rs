//! How an engine compiles texts to programs.

use super::Engine;
use crate::programs::compile_error::CompileError;
use crate::programs::import::{FilesRead, GivenFiles, ImportSource, load};
use crate::programs::prelude::prelude;
use crate::programs::program::{Inputs, Program, ProgramParts};
use crate::programs::readings::Readings;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::{SourceFile, Sources, Span};
use ndscript_compiler::{Compiled, Unit, compile};
use ndscript_syntax::ast::Script;
use std::sync::Arc;

impl Engine {
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
