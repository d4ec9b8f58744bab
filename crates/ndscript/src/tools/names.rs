//! Where the names of a program are declared and used, for editors: also of one that does not compile.

use std::sync::Arc;

use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::{Sources, Span};
use ndscript_compiler::Meaning;
use ndscript_compiler::resolve::meanings;
use ndscript_syntax::ast::{Script, Statement};

use super::tooling::Check;
use crate::programs::engine::{Engine, TextOrigin};
use crate::programs::import::{Files, load_all};
use crate::programs::readings::{Reading, Readings};

/// A variable, a parameter, a function or a built-in that a program names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Its name.
    pub text: Arc<str>,
    /// Where it is declared first; `None` for a built-in, and for a global that is only assigned.
    pub declared: Option<Span>,
    /// Whether it is known outside of functions and blocks.
    pub is_global: bool,
    /// Whether it is a built-in, or a function or constant of the host, that no variable of the program covers.
    pub is_built_in: bool,
    /// Whether it is such a constant.
    pub is_host_constant: bool,
    /// Whether anything changes it after its declaration.
    pub changes: bool,
}

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Where it stands.
    pub span: Span,
    /// The number of its [`Name`].
    pub name: usize,
}

/// The names of a program and of all that it imports.
#[derive(Clone, Debug, Default)]
pub struct Names {
    sources: Sources,
    scripts: Vec<Arc<Script>>,
    imports: Vec<(Span, Arc<str>)>,
    names: Vec<Name>,
    mentions: Vec<Mention>,
    scopes: Vec<(Span, Vec<usize>)>,
    problems: Vec<Diagnostic>,
    readings: Vec<Reading>,
}

impl Names {
    /// The files; the program is the first.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The trees of the files, as far as they can be read. A file comes after those that it imports.
    pub fn scripts(&self) -> &[Arc<Script>] {
        &self.scripts
    }

    /// Where files are imported, each with the path of the file, as [`sources`](Names::sources) call it.
    pub fn imports(&self) -> &[(Span, Arc<str>)] {
        &self.imports
    }

    /// All names.
    pub fn all(&self) -> &[Name] {
        &self.names
    }

    /// Where they stand, in the order of the files and their texts.
    pub fn mentions(&self) -> &[Mention] {
        &self.mentions
    }

    /// The errors of the names themselves, such as two declarations of one.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The tree of the program itself, as far as it can be read.
    pub fn script(&self) -> Option<&Script> {
        self.readings.first()?.script.as_deref()
    }

    /// Whether the program itself has no syntax errors.
    pub fn is_well_formed(&self) -> bool {
        let own = self.readings.first();
        own.is_some_and(|own| own.script.is_some() && own.errors.is_empty())
    }

    fn readings(&self) -> Readings<'_> {
        Readings {
            sources: &self.sources,
            each: &self.readings,
        }
    }

    /// The name that stands at a place, or ends there.
    pub fn at(&self, place: u32) -> Option<Mention> {
        let next = self
            .mentions
            .partition_point(|mention| mention.span.start <= place);
        let mention = *self.mentions.get(next.checked_sub(1)?)?;
        (place <= mention.span.end).then_some(mention)
    }

    /// The names that can be used at a place, the innermost first. Built-ins are left out.
    ///
    /// ```
    /// let text = "var a; function f(b) { let c = b; return c; } let d;";
    /// let names = ndscript::Engine::new().names("map.nds", text);
    /// let visible = |place| names.visible(place).map(|name| &*name.text).collect::<Vec<_>>();
    /// assert_eq!(visible(30)[..2], ["b", "c"]);
    /// assert!(!visible(50).contains(&"b"));
    /// ```
    pub fn visible(&self, place: u32) -> impl Iterator<Item = &Name> {
        let contains = move |span: &Span| span.start <= place && place <= span.end;
        let inner = self.scopes.iter().filter(move |(span, _)| contains(span));
        let inner = inner.flat_map(|(_, names)| names.iter().map(|at| &self.names[*at]));
        let globals = self.names.iter();
        inner.chain(globals.filter(|name| name.is_global && !name.is_built_in))
    }
}

impl Engine {
    /// The declarations and uses of the names of a program. Unlike [`compile`](Engine::compile_named) it takes any
    /// text: unreadable parts are left out.
    ///
    /// ```
    /// let text = "function double(n) { return n * 2; } print(double(4));";
    /// let names = ndscript::Engine::new().names("map.nds", text);
    /// let use_of_double = names.at(43).unwrap();
    /// let double = &names.all()[use_of_double.name];
    /// assert_eq!(names.sources().text(double.declared.unwrap()), "double");
    /// assert_eq!(names.mentions().iter().filter(|mention| mention.name == use_of_double.name).count(), 2);
    /// assert!(names.all()[names.at(38).unwrap().name].is_built_in);
    /// ```
    pub fn names(&self, name: &str, text: &str) -> Names {
        self.names_of(load_all(self, name, text, None))
    }

    /// As [`names`](Engine::names), for a program that was read before: parts of texts that have not changed since are not
    /// read again.
    ///
    /// ```
    /// let engine = ndscript::Engine::new();
    /// let before = engine.names("map.nds", "let a = 1; let b = 2; let c = 3; print(a);");
    /// let after = engine.names_after("map.nds", "let a = 1; let b = 2; let cc = 3; print(a);", &before);
    /// assert_eq!(after.all().iter().map(|name| &*name.text).filter(|name| name.len() == 2).collect::<Vec<_>>(), ["cc"]);
    /// ```
    pub fn names_after(&self, name: &str, text: &str, before: &Names) -> Names {
        self.names_of(load_all(self, name, text, Some(before.readings())))
    }

    fn names_of(&self, files: Files) -> Names {
        let (signatures, _) = self.natives(&files.imported);
        let statements: Vec<&[Statement]> = files
            .scripts
            .iter()
            .map(|script| &*script.statements)
            .collect();
        let (resolution, left, problems) = meanings(&statements, &signatures);
        let globals = resolution.globals.len();
        let number = |meaning: Meaning| match meaning {
            Meaning::Global(slot) => slot as usize,
            Meaning::Local(id) => globals + id as usize,
        };
        let mut names: Vec<Name> = Vec::with_capacity(globals + resolution.variables.len());
        for (slot, global) in resolution.globals.iter().enumerate() {
            names.push(Name {
                text: global.name.clone(),
                declared: resolution.declared_globals[slot],
                is_global: true,
                is_built_in: !global.is_declared
                    && (global.native.is_some() || global.is_host_constant),
                is_host_constant: !global.is_declared && global.is_host_constant,
                changes: resolution.reassigned_globals[slot],
            });
        }
        names.extend(resolution.variables.iter().map(|variable| Name {
            text: variable.name.clone(),
            declared: Some(variable.declared),
            is_global: false,
            is_built_in: false,
            is_host_constant: false,
            changes: variable.reassigned,
        }));
        let mut mentions: Vec<Mention> = resolution
            .meanings
            .iter()
            .map(|(start, meaning)| {
                let name = number(*meaning);
                let end = start + names[name].text.len() as u32;
                let span = Span::new(*start, end);
                Mention { span, name }
            })
            // Names that were made up to repair a text are nowhere in it.
            .filter(|mention| *files.sources.text(mention.span) == *names[mention.name].text)
            .collect();
        mentions.sort_unstable_by_key(|mention| mention.span.start);
        let mut scopes: Vec<(Span, Vec<usize>)> = left
            .into_iter()
            .map(|scope| (scope.span, scope.names.into_iter().map(number).collect()))
            .collect();
        for (_, names) in &mut scopes {
            names.sort_unstable();
        }
        // The innermost first.
        scopes.sort_by_key(|(span, _)| (std::cmp::Reverse(span.start), span.end));
        Names {
            sources: files.sources,
            scripts: files.scripts,
            imports: files.imported_at,
            names,
            mentions,
            scopes,
            problems,
            readings: files.readings,
        }
    }

    /// Checks as [`check_named`](Engine::check_named) does. Texts that were read for these names, and are unchanged,
    /// are not read again.
    ///
    /// ```
    /// let (engine, text) = (ndscript::Engine::new(), "let total = 3; print(totl);");
    /// let names = engine.names("map.nds", text);
    /// assert_eq!(engine.check_with_names("map.nds", text, &names).to_string(), engine.check_named("map.nds", text).to_string());
    /// ```
    pub fn check_with_names(&self, name: &str, text: &str, names: &Names) -> Check {
        let origin = TextOrigin::Known(names.readings());
        Check::of(self.compile_at(origin, name, text, self.import_source()))
    }
}
