//! Imported files.

mod loading;

use super::readings::Reading;
pub(crate) use loading::{load, load_all};
use ndscript_base::keyed::KeyedMap;
use ndscript_base::source::{Sources, Span};
use ndscript_syntax::ast::Script;
use std::sync::Arc;

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
