//! The library: files in the language itself that programs import as `std/...`, wherever they run. A file that the host has
//! by that name comes first.

/// A file of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryFile {
    /// As programs import it: `std/picks.nds`.
    pub path: &'static str,
    /// All of it.
    pub text: &'static str,
}

/// A function of a file, as the file itself describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryFunction {
    /// Its name.
    pub name: &'static str,
    /// Its parameters as they are written, with defaults.
    pub parameters: &'static str,
    /// What the function does.
    pub doc: String,
}

/// All files, by name.
///
/// ```
/// assert!(ndscript::library::files().iter().any(|file| file.path == "std/picks.nds"));
/// ```
pub fn files() -> &'static [LibraryFile] {
    FILES
}

/// The file of a name: `std/picks.nds`, or `std/picks`.
///
/// ```
/// let file = ndscript::library::find("std/picks").unwrap();
/// assert_eq!(file.functions()[0].name, "pick");
/// assert!(ndscript::library::find("std/magic").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static LibraryFile> {
    FILES
        .iter()
        .find(|file| file.path == name || file.path.strip_suffix(".nds") == Some(name))
}

const FILES: &[LibraryFile] = &[
    LibraryFile {
        path: "std/borders.nds",
        text: include_str!("library/borders.nds"),
    },
    LibraryFile {
        path: "std/dates.nds",
        text: include_str!("library/dates.nds"),
    },
    LibraryFile {
        path: "std/floors.nds",
        text: include_str!("library/floors.nds"),
    },
    LibraryFile {
        path: "std/grammar.nds",
        text: include_str!("library/grammar.nds"),
    },
    LibraryFile {
        path: "std/graphs.nds",
        text: include_str!("library/graphs.nds"),
    },
    LibraryFile {
        path: "std/hex.nds",
        text: include_str!("library/hex.nds"),
    },
    LibraryFile {
        path: "std/lazy.nds",
        text: include_str!("library/lazy.nds"),
    },
    LibraryFile {
        path: "std/ldtk.nds",
        text: include_str!("library/ldtk.nds"),
    },
    LibraryFile {
        path: "std/lines.nds",
        text: include_str!("library/lines.nds"),
    },
    LibraryFile {
        path: "std/picks.nds",
        text: include_str!("library/picks.nds"),
    },
    LibraryFile {
        path: "std/regions.nds",
        text: include_str!("library/regions.nds"),
    },
    LibraryFile {
        path: "std/samples.nds",
        text: include_str!("library/samples.nds"),
    },
    LibraryFile {
        path: "std/spacing.nds",
        text: include_str!("library/spacing.nds"),
    },
    LibraryFile {
        path: "std/symmetry.nds",
        text: include_str!("library/symmetry.nds"),
    },
    LibraryFile {
        path: "std/tiles.nds",
        text: include_str!("library/tiles.nds"),
    },
];

impl LibraryFile {
    /// The purpose of the file: the comment at its beginning, a line a paragraph.
    pub fn doc(&self) -> String {
        let mut lines = self.text.lines().take_while(|line| line.starts_with("//"));
        comment(&mut lines)
    }

    /// Its functions in their order, each with the comment before it.
    pub fn functions(&self) -> Vec<LibraryFunction> {
        let mut functions = Vec::new();
        let mut before = Vec::new();
        for line in self.text.lines() {
            let declared = line
                .strip_prefix("deterministic ")
                .unwrap_or(line)
                .strip_prefix("function ");
            match declared.and_then(|declared| declared.strip_suffix(") {")?.split_once('(')) {
                Some((name, parameters)) => {
                    let doc = comment(&mut before.drain(..));
                    functions.push(LibraryFunction {
                        name,
                        parameters,
                        doc,
                    });
                }
                None if line.starts_with("//") => before.push(line),
                None => before.clear(),
            }
        }
        functions
    }
}

/// The text of a comment. Its lines are joined; an empty one begins a new paragraph.
fn comment(lines: &mut dyn Iterator<Item = &'static str>) -> String {
    let mut text = String::new();
    for line in lines {
        match line.trim_start_matches('/').trim() {
            "" => text.push('\n'),
            words if text.is_empty() || text.ends_with('\n') => text.push_str(words),
            words => {
                text.push(' ');
                text.push_str(words);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn all_functions_are_described_and_have_names_of_their_own() {
        let mut names: Vec<&str> = Vec::new();
        for file in files() {
            assert!(file.doc().ends_with('.'), "{}", file.path);
            assert!(
                !file.text.contains("import "),
                "{} imports another file",
                file.path
            );
            let declared = file
                .text
                .lines()
                .filter(|line| line.contains("function ") && !line.starts_with([' ', '/']));
            assert_eq!(declared.count(), file.functions().len(), "{}", file.path);
            for function in file.functions() {
                assert!(
                    function.doc.ends_with('.'),
                    "{}: {}",
                    function.name,
                    function.doc
                );
                assert!(!names.contains(&function.name), "{}", function.name);
                names.push(function.name);
            }
        }
    }
}
