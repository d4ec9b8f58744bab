//! Completions of a word: names, fields, built-ins, commands and files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ndscript::reference;
use ndscript::syntax::KEYWORDS;
use ndscript::syntax::highlight::{TokenClass, tokens};

use super::command::{COMMANDS, Operand, is_command};
use crate::interactive::repl::session::Session;

/// The candidates for completion, and where they begin.
#[derive(Debug, Default, PartialEq)]
pub struct Candidates {
    pub start: usize,
    pub words: Vec<String>,
}

/// The candidates for the word before the cursor.
pub fn complete(session: Option<&Session>, text: &str, cursor: usize) -> Candidates {
    let before = text.get(..cursor).unwrap_or(text);
    if !is_command(text) {
        return code(session, text, before);
    }
    let colon = before.find(':').unwrap_or(0);
    let Some(space) = before[colon..].find(char::is_whitespace) else {
        let typed = before.get(colon + 1..).unwrap_or_default().trim_start();
        let start = before.len() - typed.len();
        let space = |operand: Operand| if operand == Operand::None { "" } else { " " };
        let names = COMMANDS
            .iter()
            .map(|row| format!("{}{}", row.name, space(row.operand)));
        return Candidates {
            start,
            words: names.filter(|name| name.starts_with(typed)).collect(),
        };
    };
    let name = &before[colon + 1..colon + space];
    let start =
        colon + space + before[colon + space..].len() - before[colon + space..].trim_start().len();
    let operand = &before[start..];
    let row = COMMANDS
        .iter()
        .find(|row| row.name == name || row.short == Some(name));
    match row.map(|row| row.operand) {
        Some(Operand::File) => Candidates {
            start,
            words: files(operand, &|_| true),
        },
        Some(Operand::Name) => {
            let functions = session.map(functions).unwrap_or_default();
            let names = reference::entries()
                .map(|entry| entry.name.to_string())
                .chain(functions);
            let words: BTreeSet<String> = names.filter(|name| name.starts_with(operand)).collect();
            Candidates {
                start,
                words: words.into_iter().collect(),
            }
        }
        Some(Operand::Input) => {
            let inner = code(session, &text[start..], operand);
            Candidates {
                start: start + inner.start,
                words: inner.words,
            }
        }
        _ => Candidates {
            start: cursor,
            words: Vec::new(),
        },
    }
}

/// The global variables that hold functions.
fn functions(session: &Session) -> Vec<String> {
    let globals = session.run().show_globals(40);
    globals
        .into_iter()
        .filter(|(_, value)| value.starts_with("function"))
        .map(|(name, _)| name)
        .collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Completions in code, by what stands before the cursor.
fn code(session: Option<&Session>, text: &str, before: &str) -> Candidates {
    let nothing = Candidates {
        start: before.len(),
        words: Vec::new(),
    };
    match tokens(before).last() {
        Some((TokenClass::Comment, range))
            if range.end == before.len() && !before[range.clone()].ends_with("*/") =>
        {
            return nothing;
        }
        Some((TokenClass::String | TokenClass::Error, range)) if range.end == before.len() => {
            let literal = &before[range.clone()];
            if literal.starts_with(['"', '\''])
                && before[..range.start].trim_end().ends_with("import")
            {
                let words = files(&literal[1..], &|name| name.ends_with(".nds"));
                return Candidates {
                    start: range.start + 1,
                    words,
                };
            }
            // Inside a string nothing is known; after its end there is no word.
            return nothing;
        }
        _ => {}
    }
    let start = before.rfind(|c: char| !is_word(c)).map_or(0, |at| {
        at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    let word = &before[start..];
    if let Some(object) = before[..start].strip_suffix('.') {
        let path = path(object);
        let fields = session
            .map(|session| session.run().fields(&path))
            .unwrap_or_default();
        let words = fields
            .into_iter()
            .filter(|field| field.starts_with(word) && field.chars().all(is_word))
            .collect();
        return if path.is_empty() {
            nothing
        } else {
            Candidates { start, words }
        };
    }
    if word.is_empty() || word.starts_with(|c: char| c.is_numeric()) {
        return nothing;
    }
    let mut words: BTreeSet<String> = BTreeSet::new();
    let called = |name: &str| format!("{name}(");
    if let Some(session) = session {
        for (name, value) in session.run().show_globals(40) {
            words.insert(if value.starts_with("function") {
                called(&name)
            } else {
                name
            });
        }
    }
    // A variable of the session covers the built-in of its name.
    let known: BTreeSet<String> = words
        .iter()
        .map(|word| word.trim_end_matches('(').to_string())
        .collect();
    words.extend(
        reference::entries()
            .filter(|entry| !known.contains(entry.name))
            .map(|entry| called(entry.name)),
    );
    words.extend(KEYWORDS.iter().map(|keyword| keyword.to_string()));
    let names =
        tokens(text).filter(|(class, range)| *class == TokenClass::Name && range.start != start);
    for (_, range) in names {
        let name = &text[range];
        if !words.contains(&called(name)) {
            words.insert(name.to_string());
        }
    }
    let is_called = text[before.len()..].starts_with('(');
    let words = words.into_iter().filter(|name| name.starts_with(word));
    let words = words
        .map(|name| {
            if is_called {
                name.trim_end_matches('(').to_string()
            } else {
                name
            }
        })
        .collect();
    Candidates { start, words }
}

/// The names of `a.b.c` at the end of a text; empty if something else is there.
fn path(text: &str) -> Vec<&str> {
    let start = text
        .rfind(|c: char| !is_word(c) && c != '.')
        .map_or(0, |at| at + 1);
    let names: Vec<&str> = text.get(start..).unwrap_or_default().split('.').collect();
    if names.iter().any(|name| name.is_empty()) {
        Vec::new()
    } else {
        names
    }
}

/// The files and folders that begin with a path.
fn files(typed: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let (folder, prefix) = typed.rsplit_once('/').map_or(("", typed), |(_, name)| {
        typed.split_at(typed.len() - name.len())
    });
    let place = if folder.is_empty() {
        Path::new(".")
    } else {
        Path::new(folder)
    };
    let Ok(entries) = fs::read_dir(place) else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let is_hidden = name.starts_with('.') && !prefix.starts_with('.');
            let is_folder = entry.path().is_dir();
            let fits = name.starts_with(prefix) && !is_hidden && (is_folder || wanted(&name));
            fits.then(|| format!("{folder}{name}{}", if is_folder { "/" } else { "" }))
        })
        .collect();
    found.sort();
    found
}

/// The parameters of a call: shown after the cursor once its bracket is open.
pub fn parameters(text: &str, cursor: usize) -> Option<&'static str> {
    let before = text.get(..cursor)?;
    if cursor < text.len() || is_command(text) {
        return None;
    }
    let name = before.strip_suffix('(')?;
    let start = name.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    let entry = reference::find(name.get(start..)?)?;
    (!entry.parameters.is_empty()).then_some(entry.parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interactive::repl::generated::session;

    fn words(inputs: &[&str], text: &str) -> Vec<String> {
        let session = session(inputs);
        complete(Some(&session), text, text.len()).words
    }

    #[test]
    fn names_and_fields() {
        let inputs =
            ["let castle = {wall: 1, \"in side\": 2, tower: {height: 3}}; function castled() {}"];
        assert_eq!(words(&inputs, "castl"), ["castle", "castled("]);
        assert_eq!(words(&inputs, "print(castle."), ["wall", "tower"]);
        assert_eq!(words(&inputs, "castle.tower.h"), ["height"]);
        assert_eq!(words(&inputs, "castle.wall."), [""; 0]);
        assert_eq!(words(&inputs, "sizeO"), ["sizeOf("]);
        assert_eq!(words(&inputs, "whi"), ["while"]);
        assert_eq!(words(&inputs, "let banana = 1; bana"), ["banana"]);
        assert_eq!(words(&["let sizeOf = 3;"], "sizeO"), ["sizeOf"]);
        for nothing in ["\"siz", "// siz", "3", "", "'a' ", "x[0].a"] {
            assert_eq!(words(&inputs, nothing), [""; 0], "{nothing}");
        }
    }

    #[test]
    fn commands_and_files() {
        assert_eq!(words(&[], ":se"), ["seed "]);
        assert_eq!(words(&[], ":unknown x"), [""; 0]);
        assert_eq!(words(&[], ":doc sizeO"), ["sizeOf"]);
        assert_eq!(words(&["let xyz = 1"], ":time xy"), ["xyz"]);
        assert_eq!(words(&[], ":load Carg"), ["Cargo.toml"]);
        assert_eq!(words(&[], ":load src/files/gu"), ["src/files/guard.rs"]);
        assert_eq!(
            words(&[], "import \"src/commands/starter"),
            ["src/commands/starter.nds"]
        );
    }

    #[test]
    fn calls_show_their_parameters() {
        assert_eq!(parameters("x = sizeOf(", 11), Some("collection"));
        assert_eq!(parameters("sizeOf(x", 8), None);
        assert_eq!(parameters("unknown(", 8), None);
    }
}
