//! Imported files.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostics::Diagnostic;
use crate::source::{Sources, Span};
use crate::syntax;
use crate::syntax::ast::{Script, Statement, StatementKind};

/// Where imported files come from.
pub trait ImportSource: Send + Sync {
    /// The text of a file. `path` is the path of the import, joined to that of the importing file. An `Err` says in
    /// words what went wrong.
    fn read(&self, path: &str) -> Result<String, String>;
}

/// The files of a program that were read already.
#[derive(Clone, Default)]
pub(super) struct Earlier {
    pub sources: Sources,
    /// The paths of those that were imported, which do not run again.
    pub imported: Vec<String>,
}

/// The files of a program, parsed.
#[derive(Default)]
pub(super) struct Files {
    pub sources: Sources,
    /// The paths of all files that were imported so far.
    pub imported: Vec<String>,
    /// Whether the program ends in an expression that lacks its `;`.
    pub gives_value: bool,
    /// A file comes behind those that it imports.
    pub scripts: Vec<Script>,
    /// By the place of each `import` the number of the file that it runs.
    pub imports: FxHashMap<u32, usize>,
}

struct Loader<'a> {
    source: Option<&'a dyn ImportSource>,
    limit: usize,
    bytes: usize,
    files: Files,
    /// Paths of files that are being loaded, and of those that are.
    open: Vec<String>,
    done: FxHashSet<String>,
    /// Whether the program may lack its last `;`.
    is_input: bool,
    errors: Vec<Diagnostic>,
}

/// Parses a program and all that it imports; or the next input of a growing program, behind its earlier files.
pub(super) fn load(
    name: &str,
    text: &str,
    source: Option<&dyn ImportSource>,
    limit: usize,
    earlier: Option<Earlier>,
) -> Result<Files, (Vec<Diagnostic>, Sources)> {
    let is_input = earlier.is_some();
    let Earlier { sources, imported } = earlier.unwrap_or_default();
    let mut loader = Loader {
        source,
        limit,
        bytes: sources.files().iter().map(|file| file.text.len()).sum(),
        done: imported.iter().cloned().collect(),
        files: Files { sources, imported, ..Files::default() },
        open: Vec::new(),
        is_input,
        errors: Vec::new(),
    };
    loader.file(name, text, None);
    if loader.errors.is_empty() { Ok(loader.files) } else { Err((loader.errors, loader.files.sources)) }
}

/// Files may import files that import files, but not endlessly.
const DEEPEST: usize = 64;

impl Loader<'_> {
    fn file(&mut self, name: &str, text: &str, from: Option<Span>) -> Option<usize> {
        self.bytes += text.len();
        let base = if self.bytes > self.limit { None } else { self.files.sources.add(name, text) };
        let Some(base) = base else {
            let message = format!("the source text is larger than the limit of {} bytes", self.limit);
            let hint = "a host raises it with `Limits::source`";
            self.errors.push(Diagnostic::error(message, from.unwrap_or_default()).with_hint(hint));
            return None;
        };
        let script = match self.parse(text, base) {
            Ok(script) => script,
            Err(errors) => {
                self.errors.extend(errors);
                return None;
            }
        };
        self.open.push(name.to_string());
        for statement in &script.statements {
            self.import(statement, name);
        }
        self.open.pop();
        let number = self.files.scripts.len();
        self.files.scripts.push(script);
        if !self.open.is_empty() {
            self.files.imported.push(name.to_string());
        }
        self.done.insert(name.to_string());
        Some(number)
    }

    /// The tree of a file. An input may lack its last `;`.
    fn parse(&mut self, text: &str, base: u32) -> Result<Script, Vec<Diagnostic>> {
        let errors = match syntax::parse(text, base) {
            Err(errors) if self.is_input && self.open.is_empty() => errors,
            parsed => return parsed,
        };
        // On a line of its own, as the text may end in a comment.
        match syntax::parse(&format!("{text}\n;"), base) {
            Ok(script) => match script.statements.last() {
                Some(last) if takes_semicolon(last) => {
                    self.files.gives_value = matches!(last.kind, StatementKind::Expression(_));
                    Ok(script)
                }
                // Behind anything else the `;` would be a statement of its own.
                _ => Err(errors),
            },
            Err(fewer) if fewer.len() < errors.len() => Err(fewer),
            Err(_) => Err(errors),
        }
    }

    fn import(&mut self, statement: &Statement, importer: &str) {
        let StatementKind::Import { path, path_span } = &statement.kind else { return };
        let full = join(importer, path);
        if self.open.contains(&full) || self.open.len() >= DEEPEST {
            let chain = self.open.iter().map(String::as_str).chain([full.as_str()]).collect::<Vec<_>>().join(" -> ");
            let error = Diagnostic::error(format!("the import of \"{path}\" goes in a circle"), *path_span);
            self.errors.push(error.with_label("imported again here").with_hint(format!("the circle: {chain}")));
            return;
        }
        // A file runs at its first import only.
        if self.done.contains(&full) {
            return;
        }
        let Some(source) = self.source else {
            let error =
                Diagnostic::error(format!("cannot import \"{path}\": this program may not import files"), *path_span);
            self.errors.push(error.with_hint("the host has to allow imports"));
            return;
        };
        match source.read(&full) {
            Ok(text) => {
                if let Some(number) = self.file(&full, &text, Some(*path_span)) {
                    self.files.imports.insert(statement.span.start, number);
                }
            }
            Err(why) => {
                let error = Diagnostic::error(format!("cannot import \"{path}\": {why}"), *path_span);
                self.errors.push(
                    error
                        .with_label("imported here")
                        .with_hint("the path of an import is relative to the file that it stands in"),
                );
            }
        }
    }
}

/// Whether a statement ends in one that a `;` ends, and not in an empty one.
fn takes_semicolon(statement: &Statement) -> bool {
    let mut last = statement;
    loop {
        last = match &last.kind {
            StatementKind::If { arms, otherwise } => match (otherwise, arms.last()) {
                (Some(otherwise), _) => otherwise,
                (None, Some((_, body))) => body,
                (None, None) => return false,
            },
            StatementKind::While { body, .. }
            | StatementKind::For { body, .. }
            | StatementKind::Foreach { body, .. } => body,
            StatementKind::Choose { alternatives, .. } => match alternatives.last() {
                Some(alternative) => alternative,
                None => return false,
            },
            StatementKind::Empty | StatementKind::Block(_) | StatementKind::Function(_) => return false,
            _ => return true,
        };
    }
}

/// The path of an import, seen from the importing file.
fn join(importer: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    let folder = if absolute { "" } else { importer.rsplit_once('/').map_or("", |split| split.0) };
    let rooted = absolute || folder.starts_with('/') || (folder.is_empty() && importer.starts_with('/'));
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_seen_from_the_importing_file() {
        assert_eq!(join("a.nds", "b.nds"), "b.nds");
        assert_eq!(join("x/a.nds", "b.nds"), "x/b.nds");
        assert_eq!(join("x/a.nds", "../b.nds"), "b.nds");
        assert_eq!(join("a.nds", "../b.nds"), "../b.nds");
        assert_eq!(join("/x/a.nds", "./y/b.nds"), "/x/y/b.nds");
    }
}
