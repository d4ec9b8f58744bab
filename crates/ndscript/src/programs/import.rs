//! Imported files.

use std::sync::Arc;

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use super::engine::Engine;
use super::readings::{Reading, Readings};
use crate::host::modules::HostText;
use crate::library;
use ndscript_base::counted::counted;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::{Sources, Span, relative_path};
use ndscript_base::tiles::Tiles;
use ndscript_syntax::TextRead;
use ndscript_syntax::ast::{
    Declarator, DeclareKeyword, Expression, ExpressionKind, Ident, Postfix, PostfixKind, Script,
    Statement, StatementKind,
};

/// Where imported files come from: one folder, several, an archive, memory.
///
/// The name of an import is a relative path without `..`; a program with any other does not get as far as this.
pub trait ImportSource: Send + Sync {
    /// The text of a file, by the path that [`locate`](ImportSource::locate) gave. An `Err` says in words what went
    /// wrong.
    fn read(&self, path: &str) -> Result<String, String>;

    /// The text of a file that is no program: of `import "data.json" as data;`. By default it is read as a program is.
    fn read_data(&self, path: &str) -> Result<String, String> {
        self.read(path)
    }

    /// The path of the file that `name` means in the file `importer`; `None` if there is none. A file runs once,
    /// however many imports lead to its path, and messages call it by that path.
    ///
    /// By default the path is the one [beside the importing file](import_beside). A host that searches elsewhere, too,
    /// returns here which file it has found.
    /// ```
    /// use ndscript::{Engine, ImportSource, import_beside};
    /// struct Files;
    /// impl ImportSource for Files {
    ///     fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
    ///         let paths = [import_beside(importer, name), format!("library/{name}")];
    ///         Ok(paths.into_iter().find(|path| self.read(path).is_ok()))
    ///     }
    ///     fn read(&self, path: &str) -> Result<String, String> {
    ///         if path == "library/tools.nds" { Ok("var tools = 7;".into()) } else { Err("it is missing".into()) }
    ///     }
    /// }
    /// let program = Engine::new().with_imports(Files).compile("import \"tools.nds\"; print(tools);")?;
    /// assert_eq!(program.run(1).next().unwrap()?.text, "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
        Ok(Some(import_beside(importer, name)))
    }
}

/// The path of the file `name` beside a file.
///
/// ```
/// use ndscript::import_beside;
/// assert_eq!(import_beside("maps/island.nds", "parts/trees.nds"), "maps/parts/trees.nds");
/// ```
pub fn import_beside(file: &str, name: &str) -> String {
    join(file, name)
}

/// The path that a name had when these files were found: the file beside the importing one, else the first whose path
/// ends in the name.
pub(crate) fn located_among<'a>(
    importer: &str,
    name: &str,
    found: impl Iterator<Item = &'a str> + Clone,
) -> Option<String> {
    let sibling = join(importer, name);
    let end = format!("/{name}");
    let mut others = found.clone().filter(|path| path.ends_with(&end));
    if found.clone().any(|path| path == sibling) {
        return Some(sibling);
    }
    // The path of a library file is its name.
    others
        .next()
        .or_else(|| found.clone().find(|path| *path == name))
        .map(str::to_string)
}

/// The files of an input that are known already: its own text, and what it imports.
pub(crate) struct GivenFiles {
    pub files: Vec<(String, String)>,
    /// The paths of what earlier inputs have imported.
    pub earlier: Vec<String>,
}

impl ImportSource for GivenFiles {
    fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
        let given = self.files.iter().skip(1).map(|(path, _)| &**path);
        Ok(located_among(
            importer,
            name,
            given.chain(self.earlier.iter().map(|path| &**path)),
        ))
    }

    fn read(&self, path: &str) -> Result<String, String> {
        let file = self.files.iter().find(|(name, _)| name == path);
        file.map(|(_, text)| text.clone())
            .ok_or_else(|| "it is not there any more".to_string())
    }
}

/// The files of a program that were read already.
#[derive(Clone, Default)]
pub(crate) struct FilesRead {
    pub sources: Sources,
    /// The paths of those that were imported, which do not run again.
    pub imported: Vec<String>,
}

/// The files of a program, parsed.
#[derive(Default)]
pub(crate) struct Files {
    pub sources: Sources,
    /// The paths of all files that were imported so far.
    pub imported: Vec<String>,
    /// Whether the program ends in an expression that lacks its `;`.
    pub gives_value: bool,
    /// A file comes after those that it imports.
    pub scripts: Vec<Arc<Script>>,
    /// The numbers of those that run before the program.
    pub preludes: Vec<usize>,
    /// By the place of each `import` the number of the file that it runs.
    pub imports: KeyedMap<u32, usize>,
    /// The folders of tiles that these files name.
    pub tile_folders: Vec<Arc<str>>,
    /// Where files are named that were found, with their paths.
    pub imported_at: Vec<(Span, Arc<str>)>,
    /// The readings of all texts; only stored for a lenient reading.
    pub readings: Vec<Reading>,
}

struct Loader<'a> {
    engine: &'a Engine,
    source: Option<&'a dyn ImportSource>,
    tiles: &'a Tiles,
    limit: usize,
    /// The texts that run before the program, until they are loaded.
    preludes: &'a [HostText],
    /// The texts of the host that are used at places of their own.
    host_texts: Vec<HostText>,
    bytes: usize,
    files: Files,
    /// Paths of files that are being loaded, and of those that are.
    open: Vec<String>,
    done: KeyedSet<String>,
    /// Whether the program may lack its last `;`.
    is_input: bool,
    /// Whether files with syntax errors are taken as far as they can be read.
    takes_all: bool,
    /// Readings from before.
    known: Option<Readings<'a>>,
    /// Readings of texts that may have changed since.
    earlier: Option<Readings<'a>>,
    errors: Vec<Diagnostic>,
    /// The number of imports that were skipped, because there are enough errors.
    passed_over: usize,
}

/// Parses a program and all that it imports, except known files; or the next input of a growing program, after its
/// earlier files.
pub(crate) fn load(
    engine: &Engine,
    name: &str,
    text: &str,
    source: Option<&dyn ImportSource>,
    earlier: Option<FilesRead>,
    known: Option<Readings<'_>>,
) -> Result<Files, (Vec<Diagnostic>, Sources)> {
    let is_input = earlier.is_some();
    let is_first = earlier
        .as_ref()
        .is_none_or(|earlier| earlier.sources.files().is_empty());
    let FilesRead { sources, imported } = earlier.unwrap_or_default();
    let mut loader = Loader {
        engine,
        source,
        tiles: &engine.tiles,
        limit: engine.limits.source,
        preludes: if is_first { &engine.preludes } else { &[] },
        host_texts: Vec::new(),
        bytes: sources.files().iter().map(|file| file.text.len()).sum(),
        done: imported.iter().cloned().collect(),
        files: Files {
            sources,
            imported,
            ..Files::default()
        },
        open: Vec::new(),
        is_input,
        takes_all: false,
        known,
        earlier: None,
        errors: Vec::new(),
        passed_over: 0,
    };
    loader.file(name, text, None);
    loader.place_host_texts();
    let Loader {
        files,
        mut errors,
        passed_over,
        ..
    } = loader;
    if errors.is_empty() {
        return Ok(files);
    }
    if passed_over > 0
        && let Some(span) = errors.last().and_then(|last| last.span)
    {
        let more = counted(passed_over, "more import");
        errors.push(Diagnostic::error(
            format!("{more} after this one: not looked at"),
            span,
        ));
    }
    Err((errors, files.sources))
}

/// Loads as much as can be read, whatever errors there are. What has not changed since earlier readings is taken from there.
pub(crate) fn load_all(
    engine: &Engine,
    name: &str,
    text: &str,
    earlier: Option<Readings<'_>>,
) -> Files {
    let mut loader = Loader {
        engine,
        source: engine.import_source(),
        tiles: &engine.tiles,
        limit: engine.limits.source,
        preludes: &engine.preludes,
        host_texts: Vec::new(),
        bytes: 0,
        done: KeyedSet::default(),
        files: Files::default(),
        open: Vec::new(),
        is_input: false,
        takes_all: true,
        known: None,
        earlier,
        errors: Vec::new(),
        passed_over: 0,
    };
    loader.file(name, text, None);
    loader.place_host_texts();
    loader.files
}

/// After this number of errors loading stops; each of them was a search in folders.
const MOST_ERRORS: usize = 20;

/// Files may import files that import files, but not endlessly.
const DEEPEST: usize = 64;

impl Loader<'_> {
    /// Adds the text of a file; returns its first offset.
    fn add_source(&mut self, name: &str, text: &str, from: Option<Span>) -> Option<u32> {
        self.bytes += text.len();
        let base = if self.bytes > self.limit {
            None
        } else {
            self.files.sources.add(name, text)
        };
        let Some(base) = base else {
            self.too_large(from);
            return None;
        };
        Some(base)
    }

    fn file(&mut self, name: &str, text: &str, from: Option<Span>) -> Option<usize> {
        let base = self.add_source(name, text, from)?;
        match self.parse(text, base) {
            Ok(script) => self.script(name, script),
            Err(errors) => {
                self.errors.extend(errors);
                None
            }
        }
    }

    fn too_large(&mut self, from: Option<Span>) {
        let message = format!(
            "the source text is larger than the limit of {} bytes",
            self.limit
        );
        let hint = "a host raises it with `Limits::source`; on the command line it goes with `--max-memory`";
        self.errors
            .push(Diagnostic::error(message, from.unwrap_or_default()).with_hint(hint));
    }

    /// A text of the host. Its tree is shared, except by growing programs: there the files of each input follow those
    /// of earlier ones.
    fn host_text(&mut self, text: &HostText, from: Option<Span>) -> Option<usize> {
        if self.is_input {
            return self.file(&text.name, &text.text, from);
        }
        self.bytes += text.text.len();
        if self.bytes > self.limit {
            self.too_large(from);
            return None;
        }
        self.host_texts.push(text.clone());
        match text.tree() {
            Ok(script) => self.script(&text.name, script.clone()),
            Err(errors) => {
                self.errors.extend(errors.iter().cloned());
                None
            }
        }
    }

    /// Gives the texts of the host their offsets, after those of all files.
    fn place_host_texts(&mut self) {
        self.host_texts.sort_by_key(|text| text.base);
        for text in std::mem::take(&mut self.host_texts) {
            if !self.files.sources.add_at(text.base, &text.name, &text.text) {
                self.too_large(None);
            }
        }
    }

    fn script(&mut self, name: &str, script: Arc<Script>) -> Option<usize> {
        self.open.push(name.to_string());
        for text in std::mem::take(&mut self.preludes) {
            let number = self.host_text(text, None);
            self.files.preludes.extend(number);
        }
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

    /// The tree of a file as far as it can be read.
    fn read(&self, text: &str, base: u32) -> (Option<Arc<Script>>, Vec<Diagnostic>) {
        let file = self.files.sources.file_at(base);
        let earlier = self.earlier.zip(file);
        let before = earlier.and_then(|(earlier, file)| earlier.named(&file.name));
        let (script, errors) = match before {
            Some((file, reading)) if reading.base == base && *file.text == *text => {
                return (reading.script.clone(), reading.errors.clone());
            }
            before => {
                let before = before.and_then(|(file, reading)| {
                    Some(TextRead {
                        text: &file.text,
                        base: file.base,
                        script: reading.script.as_deref()?,
                        errors: &reading.errors,
                    })
                });
                match before {
                    Some(before) => ndscript_syntax::read_changed(before, text, base),
                    None => ndscript_syntax::read(text, base),
                }
            }
        };
        (script.map(Arc::new), errors)
    }

    /// The tree of a file. An input may lack its last `;`.
    fn parse(&mut self, text: &str, base: u32) -> Result<Arc<Script>, Vec<Diagnostic>> {
        if self.takes_all {
            let (script, errors) = self.read(text, base);
            self.files.readings.push(Reading {
                base,
                script: script.clone(),
                errors: errors.clone(),
            });
            return script.ok_or(errors);
        }
        if let Some(known) = self.known.and_then(|known| known.of(text, base)) {
            let script = known.script.clone().filter(|_| known.errors.is_empty());
            return script.ok_or_else(|| known.errors.clone());
        }
        let errors = match ndscript_syntax::parse(text, base) {
            Err(errors) if self.is_input && self.open.is_empty() => errors,
            parsed => return parsed.map(Arc::new),
        };
        // On a line of its own, as the text may end in a comment.
        match ndscript_syntax::parse(&format!("{text}\n;"), base) {
            Ok(script) => match script.statements.last() {
                Some(last) if takes_semicolon(last) => {
                    self.files.gives_value = matches!(last.kind, StatementKind::Expression(_));
                    Ok(Arc::new(script))
                }
                // After anything else the `;` would be an empty statement.
                _ => Err(errors),
            },
            Err(fewer) if fewer.len() < errors.len() => Err(fewer),
            Err(_) => Err(errors),
        }
    }

    /// The path of an imported file, and its text if it is one of the library. Files of the host come first, so that a program
    /// may bring its own instead.
    fn locate(
        &self,
        importer: &str,
        name: &str,
    ) -> Result<Option<(String, Option<&'static str>)>, String> {
        let library = library::files().iter().find(|file| file.path == name);
        if let Some(source) = self.source
            && let Some(path) = source.locate(importer, name)?
        {
            // A host may say where a file would be without looking.
            let exists = || {
                self.open.contains(&path) || self.done.contains(&path) || source.read(&path).is_ok()
            };
            if library.is_none() || exists() {
                return Ok(Some((path, None)));
            }
        }
        Ok(library.map(|file| (file.path.to_string(), Some(file.text))))
    }

    fn import(&mut self, statement: &Statement, importer: &str) {
        let StatementKind::Import {
            path,
            path_span,
            name: called,
        } = &statement.kind
        else {
            return;
        };
        if self.errors.len() >= MOST_ERRORS {
            self.passed_over += 1;
            return;
        }
        let refuse = |why: &str| {
            let error = Diagnostic::error(format!("cannot import {path:?}: {why}"), *path_span);
            error.with_label("imported here")
        };
        let Some(name) = relative_path(path) else {
            let error = refuse("the name of an import is a relative path without `..`");
            self.errors
                .push(error.with_hint("put the file into the folder of the program or below it"));
            return;
        };
        if path.ends_with('/') {
            match self.tile_folder(&name, importer) {
                Ok(folder) if self.files.tile_folders.contains(&folder) => {}
                Ok(folder) => self.files.tile_folders.push(folder),
                Err(why) => self.errors.push(refuse(&why).with_hint(FOLDERS)),
            }
            return;
        }
        let module = self.engine.module(&name);
        let located = match module {
            Some(module) => Ok(Some((module.text.name.to_string(), None))),
            None => self.locate(importer, &name),
        };
        let (full, from_library) = match located {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.errors
                    .push(if self.source.is_none() && !name.starts_with(LIBRARY) {
                        refuse("this program may not import files")
                            .with_hint("the host has to allow imports")
                    } else {
                        refuse("there is no such file").with_hint(where_it_may_be(&name))
                    });
                return;
            }
            Err(why) => {
                self.errors.push(refuse(&why));
                return;
            }
        };
        self.files
            .imported_at
            .push((*path_span, full.as_str().into()));
        if self.open.len() >= DEEPEST && !self.open.contains(&full) && !self.done.contains(&full) {
            let deep = refuse(&format!(
                "it is the end of a chain of more than {DEEPEST} imports"
            ));
            self.errors
                .push(deep.with_hint("import it from a file that is nearer to the program"));
            return;
        }
        if self.open.contains(&full) {
            let chain = self
                .open
                .iter()
                .map(String::as_str)
                .chain([full.as_str()])
                .collect::<Vec<_>>()
                .join(" -> ");
            let error = Diagnostic::error(
                format!("the import of {path:?} goes in a circle"),
                *path_span,
            );
            self.errors.push(
                error
                    .with_label("imported again here")
                    .with_hint(format!("the circle: {chain}")),
            );
            return;
        }
        // A file runs at its first import only.
        if self.done.contains(&full) && called.is_none() {
            return;
        }
        if called.is_none() && is_data(&full) {
            let name = text_name(&full);
            let hint = format!("`import {path:?} as {name};` makes its content a constant");
            self.errors.push(refuse("it is no program").with_hint(hint));
            return;
        }
        if let Some(module) = module {
            if let Some(number) = self.host_text(&module.text, Some(*path_span)) {
                self.files.imports.insert(statement.span.start, number);
            }
            return;
        }
        let text = match (from_library, self.source) {
            (Some(text), _) => Ok(text.to_string()),
            (None, Some(source)) if called.is_some() => source.read_data(&full),
            (None, Some(source)) => source.read(&full),
            (None, None) => return,
        };
        match (text, called) {
            (Ok(text), Some(called)) => {
                if self.add_source(&full, &text, Some(*path_span)).is_some() {
                    let number = self.files.scripts.len();
                    let is_json = full.ends_with(".json");
                    let script = content(called, *path_span, &text, is_json);
                    self.files.scripts.push(Arc::new(script));
                    self.files.imports.insert(statement.span.start, number);
                }
            }
            (Ok(text), None) => {
                if let Some(number) = self.file(&full, &text, Some(*path_span)) {
                    self.files.imports.insert(statement.span.start, number);
                }
            }
            (Err(why), _) => self
                .errors
                .push(refuse(&why).with_hint(where_it_may_be(&name))),
        }
    }
}

/// Whether a file is one of other programs, by its ending.
fn is_data(path: &str) -> bool {
    let endings = [
        ".json", ".tmx", ".tsx", ".tmj", ".tsj", ".ldtk", ".xml", ".csv",
    ];
    endings.iter().any(|ending| path.ends_with(ending))
}

/// A name for the content of a file.
fn text_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let letters = stem.chars().skip_while(|c| !c.is_alphabetic());
    let name: String = letters
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    if name.is_empty() { "data".into() } else { name }
}

/// The script for `import "file" as name;`: a declaration of a constant in place of the import.
fn content(name: &Ident, path_span: Span, text: &str, is_json: bool) -> Script {
    let expression = |kind, span, depth| Expression { kind, span, depth };
    let text = expression(ExpressionKind::String(text.into()), path_span, 1);
    let value = if is_json {
        let function = Ident {
            name: "readJson".into(),
            span: path_span,
        };
        let base = expression(ExpressionKind::Name(function), path_span, 1);
        let call = Postfix {
            kind: PostfixKind::Call(vec![text]),
            span: path_span,
        };
        let kind = ExpressionKind::Postfix {
            base: Box::new(base),
            operations: vec![call],
        };
        expression(kind, path_span, 2)
    } else {
        text
    };
    let declarator = Declarator {
        name: name.clone(),
        value: Some(value),
    };
    Script {
        statements: vec![Statement {
            kind: StatementKind::Declare {
                keyword: DeclareKeyword::Const,
                declarators: vec![declarator],
            },
            span: path_span.to(name.span),
            depth: 3,
        }],
    }
}

impl Loader<'_> {
    /// The folder of tiles that an import names, seen from the folder of the program.
    fn tile_folder(&self, name: &str, importer: &str) -> Result<Arc<str>, String> {
        if self.files.tile_folders.len() >= MOST_TILE_FOLDERS {
            return Err(format!(
                "a program names at most {MOST_TILE_FOLDERS} folders of tiles"
            ));
        }
        let program = self
            .files
            .sources
            .files()
            .first()
            .map_or(importer, |file| &*file.name);
        let folder_of = |path: &str| {
            path.rsplit_once('/')
                .map_or(String::new(), |(folder, _)| format!("{folder}/"))
        };
        let whole = join(importer, name);
        // A path outside of the program's folder is in a folder of the host, as for tiles of that name.
        let base = join(&folder_of(program), "");
        let inside = whole
            .strip_prefix(&base)
            .filter(|rest| base.is_empty() || rest.starts_with('/'));
        let inside = inside.map(|rest| rest.trim_start_matches('/'));
        let folder = inside
            .and_then(relative_path)
            .unwrap_or_else(|| name.to_string());
        self.tiles.check_folder(&folder).map(|()| folder.into())
    }
}

/// Each is searched for every tile that is no color.
const MOST_TILE_FOLDERS: usize = 16;

/// The message about an import of a folder, for imports that cannot be used.
const FOLDERS: &str = "an import that ends in `/` names a folder with tile images, relative to the file that it stands in";

/// The prefix of library names.
const LIBRARY: &str = "std/";

/// A hint about the places that are searched, for imports that are not found.
fn where_it_may_be(name: &str) -> String {
    if name.starts_with(LIBRARY) {
        let known: Vec<&str> = library::files().iter().map(|file| file.path).collect();
        return format!("the library has {}", known.join(", "));
    }
    "the path of an import is relative to the file that it stands in, or to a folder for imports"
        .to_string()
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
            StatementKind::Empty | StatementKind::Block(_) | StatementKind::Function(_) => {
                return false;
            }
            _ => return true,
        };
    }
}

/// The path of an import, seen from the importing file, whose own path may begin anywhere.
fn join(importer: &str, path: &str) -> String {
    let folder = importer.rsplit_once('/').map_or("", |split| split.0);
    let rooted = importer.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
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
    use super::{join, located_among};

    #[test]
    fn paths_are_seen_from_the_importing_file() {
        assert_eq!(join("a.nds", "b.nds"), "b.nds");
        assert_eq!(join("x/a.nds", "b.nds"), "x/b.nds");
        assert_eq!(join("../x/a.nds", "b.nds"), "../x/b.nds");
        assert_eq!(join("y/../x/a.nds", "b.nds"), "x/b.nds");
        assert_eq!(join("/x/a.nds", "./y/b.nds"), "/x/y/b.nds");
        assert_eq!(join("/a.nds", "b.nds"), "/b.nds");
    }

    #[test]
    fn files_are_found_again_among_those_that_were_found() {
        let found = ["x/b.nds", "lib/b.nds", "lib/deep/c.nds"].into_iter();
        let again = |importer, name| located_among(importer, name, found.clone());
        assert_eq!(again("x/a.nds", "b.nds").as_deref(), Some("x/b.nds"));
        assert_eq!(again("lib/a.nds", "b.nds").as_deref(), Some("lib/b.nds"));
        assert_eq!(
            again("a.nds", "deep/c.nds").as_deref(),
            Some("lib/deep/c.nds")
        );
        assert_eq!(again("a.nds", "eep/c.nds"), None);
        let found = ["std/a.nds", "x/b.nds"].into_iter();
        assert_eq!(
            located_among("x/b.nds", "std/a.nds", found).as_deref(),
            Some("std/a.nds")
        );
    }
}
