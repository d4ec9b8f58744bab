//! The reference of the built-in functions, from the same rows that run them.

use crate::builtins;

/// A built-in function as the reference shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The domain that it belongs to, such as "Collections".
    pub domain: &'static str,
    /// Its parameters, optional ones in brackets: `collection[, weights]`.
    pub parameters: &'static str,
    /// How the steps of a call grow with n, the size of what it reads and makes (elements, and bytes of text): `1`,
    /// `log n`, `n`, `n log n`, `n calls of f` or `as f`.
    pub cost: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Statements, if need be, and then an expression.
    pub example: &'static str,
    /// The text of the example's value.
    pub gives: &'static str,
}

/// All built-in functions, by domain.
///
/// ```
/// let names: Vec<&str> = ndscript::reference::entries().map(|entry| entry.name).collect();
/// assert!(names.contains(&"chooseElement"));
/// ```
pub fn entries() -> impl Iterator<Item = Entry> {
    builtins::DOMAINS.iter().flat_map(|(domain, rows)| {
        rows.iter().filter(|row| !row.is_hidden()).map(|row| Entry {
            name: row.name,
            domain,
            parameters: row.parameters,
            cost: row.cost.text(),
            doc: row.doc,
            example: row.example.0,
            gives: row.example.1,
        })
    })
}

/// The built-in function of a name.
///
/// ```
/// assert_eq!(ndscript::reference::find("isEmpty").unwrap().domain, "Collections");
/// assert!(ndscript::reference::find("frobnicate").is_none());
/// ```
pub fn find(name: &str) -> Option<Entry> {
    entries().find(|entry| entry.name == name)
}

impl Entry {
    /// A program that prints the value of the example.
    pub fn program(&self) -> String {
        let mut depth = 0;
        let mut last = None;
        for (at, character) in self.example.char_indices() {
            match character {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ';' if depth == 0 => last = Some(at),
                _ => {}
            }
        }
        match last {
            Some(at) => format!("{};\nprint({});\n", &self.example[..at], &self.example[at + 2..]),
            None => format!("print({});\n", self.example),
        }
    }
}
