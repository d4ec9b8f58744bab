//! What is known of one document, found out when it is first asked for.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use ndscript::source::Span;
use ndscript::{Check, Engine, Mention, Name, Names};

use crate::outline::{Declared, Kind, Outline, comment};
use crate::text::Text;

pub struct Analysis {
    engine: Engine,
    name: String,
    text: Text,
    /// The analysis of an earlier text, of which parts may be the same; until the text is read.
    before: Mutex<Option<Arc<Analysis>>>,
    names: OnceLock<Names>,
    check: OnceLock<Check>,
    /// Of each file, in the order of the names' trees.
    outlines: OnceLock<Vec<Outline>>,
}

impl Analysis {
    pub fn new(engine: Engine, name: &str, text: &Text, before: Option<Arc<Analysis>>) -> Analysis {
        Analysis {
            engine,
            name: name.to_string(),
            text: text.clone(),
            before: Mutex::new(before),
            names: OnceLock::new(),
            check: OnceLock::new(),
            outlines: OnceLock::new(),
        }
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn names(&self) -> &Names {
        let (name, text) = (&*self.name, &*self.text.text);
        self.names.get_or_init(|| {
            let mut before = self
                .before
                .lock()
                .unwrap_or_else(|broken| broken.into_inner());
            let before = before.take();
            match before.as_ref().and_then(|before| before.names.get()) {
                Some(before) => self.engine.names_after(name, text, before),
                None => self.engine.names(name, text),
            }
        })
    }

    pub fn is_read(&self) -> bool {
        self.names.get().is_some()
    }

    /// Reads the program; false if that is done already.
    pub fn read(&self) -> bool {
        let is_new = !self.is_read();
        self.names();
        is_new
    }

    pub fn check(&self) -> &Check {
        let names = self.names();
        let check = || {
            self.engine
                .check_with_names(&self.name, &self.text.text, names)
        };
        self.check.get_or_init(check)
    }

    /// Whether the program imports a file, or would if it were there.
    pub fn uses(&self, file: &str) -> bool {
        let names = self.names.get();
        names.is_none_or(|names| names.imports().iter().any(|(_, path)| **path == *file))
    }

    pub fn outlines(&self) -> &[Outline] {
        self.outlines.get_or_init(|| {
            let scripts = self.names().scripts().iter();
            scripts
                .map(|script| Outline::of(&script.statements))
                .collect()
        })
    }

    /// The outline of the document itself.
    pub fn outline(&self) -> Option<&Outline> {
        // A file comes after those that it imports.
        let is_readable = self.names().script().is_some();
        self.outlines().last().filter(|_| is_readable)
    }

    /// The declaration whose name stands there.
    pub fn declared(&self, name: Span) -> Option<&Declared> {
        let mut found = None;
        for outline in self.outlines() {
            outline.each(&mut |declared| {
                if declared.name.span == name {
                    found = Some(declared);
                }
            });
        }
        found
    }

    /// All declarations, by the places of their names.
    pub fn all_declared(&self) -> HashMap<u32, &Declared> {
        let mut all = HashMap::new();
        for outline in self.outlines() {
            outline.each(&mut |declared| {
                all.insert(declared.name.span.start, declared);
            });
        }
        all
    }

    /// What is wrong with the document if it has another text.
    pub fn check_text(&self, text: &str) -> Check {
        let names = self.engine.names_after(&self.name, text, self.names());
        self.engine.check_with_names(&self.name, text, &names)
    }

    /// The name at a byte of the document.
    pub fn mention(&self, offset: usize) -> Option<(Mention, &Name)> {
        let mention = self.names().at(u32::try_from(offset).ok()?)?;
        let is_own = (mention.span.end as usize) <= self.text.text.len();
        is_own.then(|| (mention, &self.names().all()[mention.name]))
    }

    /// A declaration in words, as it is written: `function f(a, b = 2)`, `let size = 3`.
    pub fn head(&self, declared: &Declared) -> String {
        let sources = self.names().sources();
        let name = &declared.name.name;
        if let Some(parameters) = &declared.parameters {
            let parameters: Vec<&str> = parameters.iter().map(|span| sources.text(*span)).collect();
            return format!("function {name}({})", parameters.join(", "));
        }
        let word = match declared.kind {
            Kind::Parameter => "parameter ",
            Kind::Constant => "const ",
            Kind::Variable | Kind::Function => "let ",
        };
        match declared.value {
            Some(value) => format!("{word}{name} = {}", shortened(sources.text(value))),
            None => format!("{word}{name}"),
        }
    }

    /// What the comment at a declaration says.
    pub fn comment(&self, declared: &Declared) -> String {
        if declared.kind == Kind::Parameter {
            return String::new();
        }
        comment(self.names().sources(), declared.span)
    }
}

/// The bytes of a span in a file that begins there.
pub fn bytes(span: Span, base: u32) -> Range<usize> {
    let start = span.start.saturating_sub(base) as usize;
    start..(span.end.saturating_sub(base) as usize).max(start)
}

/// The first line of a value, and not too much of it.
fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None if line.len() < text.len() => format!("{line} ..."),
        None => line.to_string(),
    }
}
