//! Queries of editors and tools to an engine: errors in a text, documentation of a function, completions of a word.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use super::functions::EngineFunction;
use crate::programs::engine::{CompileError, Engine};
use crate::programs::program::Program;
use ndscript_base::diagnostics::{Diagnostic, Severity};
use ndscript_base::source::Sources;
use ndscript_syntax::KEYWORDS;
use ndscript_syntax::highlight::{TokenClass, tokens};

/// The findings about a program without running it: errors, or else warnings. Its text is that of the command line.
#[derive(Clone, Debug)]
pub struct Check {
    /// The messages; none if nothing is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that they point into.
    pub sources: Sources,
}

impl Check {
    pub(super) fn of(compiled: Result<Program, CompileError>) -> Check {
        match compiled {
            Ok(program) => Check {
                diagnostics: program.warnings().to_vec(),
                sources: program.sources().clone(),
            },
            Err(error) => Check {
                diagnostics: error.diagnostics,
                sources: error.sources,
            },
        }
    }

    /// Whether the program can run; there may be warnings.
    pub fn can_run(&self) -> bool {
        self.diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity == Severity::Warning)
    }
}

impl Display for Check {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if at > 0 { "\n" } else { "" };
            write!(f, "{separator}{}", diagnostic.render(&self.sources, false))?;
        }
        Ok(())
    }
}

/// A word that may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The whole word.
    pub word: Arc<str>,
    /// The function that it names: a built-in, one of the host, or a method. `None` for keywords, and for names of the program.
    pub function: Option<EngineFunction>,
}

impl Completion {
    /// By the alphabet, each word once: the first of equal ones.
    fn in_order(mut words: Vec<Completion>) -> Vec<Completion> {
        words.sort_by(|a, b| a.word.cmp(&b.word));
        words.dedup_by(|later, earlier| later.word == earlier.word);
        words
    }
}

/// The completions of the word before a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// Where the word begins, in bytes: what is put there replaces the text up to the cursor.
    pub start: usize,
    /// The completions, in alphabetical order.
    pub words: Vec<Completion>,
}

impl Engine {
    /// The errors or warnings of a program. Functions of the host are known; nothing runs.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new().with_function("price", |item: String| Ok(item.len() as i64));
    /// let check = engine.check("var total = price(\"rope\");\ntotl = prise(\"lamp\");");
    /// assert!(check.can_run());
    /// let messages: Vec<&str> = check.diagnostics.iter().map(|diagnostic| &*diagnostic.message).collect();
    /// assert_eq!(messages, ["nothing declares `totl`", "nothing gives `prise` a value"]);
    /// assert_eq!(check.diagnostics[1].hints, ["did you mean `price`?"]);
    /// let (_, line, column) = check.sources.locate(check.diagnostics[1].span.unwrap()).unwrap();
    /// assert_eq!((line, column), (2, 8));
    /// assert!(!engine.check("price(;").can_run());
    /// ```
    pub fn check(&self, text: &str) -> Check {
        self.check_named("program", text)
    }

    /// The errors or warnings of a program with a name for messages; imports are resolved from there.
    pub fn check_named(&self, name: &str, text: &str) -> Check {
        Check::of(self.compile_named(name, text))
    }

    /// The documentation of a function that programs of this engine can call: a built-in, or one of the host. Its text
    /// is that of `ndscript doc`. Methods and fields of the host's types are found as `inventory.add`. Constants of the
    /// host, and members of its modules, are found, too.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new()
    ///     .with_function("price", |item: String| Ok(item.len() as i64))
    ///     .with_doc("item", "What an item costs.")
    ///     .with_example("price(\"rope\")", "4");
    /// let price = engine.doc("price").unwrap();
    /// assert_eq!(price.to_string(), "price(item)    [The host]\n  What an item costs.\n\n  price(\"rope\")\n  => 4\n");
    /// assert_eq!(engine.doc("sizeOf").unwrap().domain, "Collections");
    /// assert!(engine.doc("prise").is_none());
    /// ```
    pub fn doc(&self, name: &str) -> Option<EngineFunction> {
        let method = || {
            let (type_name, member) = name.split_once('.')?;
            let host_type = self.types().find(|host_type| host_type.name == type_name)?;
            let member = host_type
                .members
                .into_iter()
                .find(|known| &*known.name == member)?;
            Some(EngineFunction {
                name: name.into(),
                ..member.function(host_type.name)
            })
        };
        let in_module = || {
            let modules = self.modules.iter().rev();
            let mut all = modules.flat_map(|module| Engine::of_module(&module.engine));
            all.find(|known| &*known.name == name)
        };
        self.described_constants()
            .chain(self.functions())
            .find(|function| &*function.name == name)
            .or_else(method)
            .or_else(in_module)
    }

    /// The fields of the host's constant that a path leads to: `a.b` of a text that ends in `a.b`.
    ///
    /// ```
    /// use ndscript::{Data, Engine};
    /// let tiles = Data::object([("water", Data::object([("deep", 7.into())]))]);
    /// let engine = Engine::new().with_constant("tiles", tiles);
    /// assert_eq!(engine.fields_of_constant("print(tiles.water"), ["deep".into()]);
    /// ```
    pub fn fields_of_constant(&self, before: &str) -> Vec<Arc<str>> {
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let path = &before[before.trim_end_matches(is_path).len()..];
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let modules = self.modules.iter().map(|module| &*module.engine);
        let mut value = std::iter::once(self)
            .chain(modules)
            .flat_map(Engine::constants)
            .find(|(name, _)| *name == first)
            .map(|(_, value)| value);
        for name in names {
            value = value.and_then(|value| value.field(name));
        }
        let fields = value.map_or(&[][..], |value| value.fields());
        fields.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The completions of the word before a cursor, a place in bytes: functions, keywords, and other names in the text,
    /// constants of the host, and members of modules that the text imports; after a point, methods and fields of the
    /// host's types, and fields of its constants. Nothing inside strings and comments.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new().with_function("price", |item: String| Ok(item.len() as i64)).with_doc("item", "");
    /// let text = "var prize = 3; pri";
    /// let completions = engine.complete(text, text.len());
    /// assert_eq!(&text[completions.start..], "pri");
    /// let words: Vec<&str> = completions.words.iter().map(|completion| &*completion.word).collect();
    /// assert_eq!(words, ["price", "print", "printGrid", "printHeatmap", "printImage", "printLayers", "printLegend", "printLine",
    ///     "printTilemap", "printTilesetMap", "priorityQueue", "prize"]);
    /// assert_eq!(completions.words[0].function.as_ref().unwrap().call(), "price(item)");
    /// ```
    pub fn complete(&self, text: &str, cursor: usize) -> Completions {
        let before = text.get(..cursor).unwrap_or(text);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = &before[before.trim_end_matches(is_word).len()..];
        let start = before.len() - word.len();
        let nothing = Completions {
            start,
            words: Vec::new(),
        };
        // A text that breaks off inside a string or a comment ends in one.
        let inside = tokens(before).last().is_some_and(|(class, range)| {
            let is_open = matches!(
                class,
                TokenClass::String | TokenClass::Comment | TokenClass::Error
            );
            is_open && range.end == before.len()
        });
        let is_field = before[..start].trim_end().ends_with('.');
        if inside || word.is_empty() || word.starts_with(char::is_numeric) {
            return nothing;
        }
        let mut words: Vec<Completion> = Vec::new();
        let mut add = |word_there: &str, function: Option<EngineFunction>| {
            if word_there.starts_with(word) {
                words.push(Completion {
                    word: word_there.into(),
                    function,
                });
            }
        };
        if is_field {
            for host_type in self.types() {
                let members = host_type.members.iter();
                members.for_each(|member| add(&member.name, Some(member.function(host_type.name))));
            }
            let path = before[..start].trim_end().trim_end_matches('.');
            self.fields_of_constant(path)
                .iter()
                .for_each(|field| add(field, None));
            return Completions {
                start,
                words: Completion::in_order(words),
            };
        }
        // The first of equal names stays: what covers others.
        for constant in self.described_constants() {
            add(&constant.name.clone(), Some(constant));
        }
        for module in self.modules.iter().rev() {
            let name = &module.text.name;
            if text.contains(&format!("\"{name}\"")) || text.contains(&format!("'{name}'")) {
                let known = Engine::of_module(&module.engine);
                known.for_each(|known| add(&known.name.clone(), Some(known)));
            }
        }
        for function in self.functions() {
            add(&function.name.clone(), Some(function));
        }
        KEYWORDS.iter().for_each(|keyword| add(keyword, None));
        let names = tokens(text)
            .filter(|(class, range)| *class == TokenClass::Name && range.start != start);
        names.for_each(|(_, range)| add(&text[range], None));
        Completions {
            start,
            words: Completion::in_order(words),
        }
    }
}
