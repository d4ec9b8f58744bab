//! The direction of the house: which part may use which. Reads the `use` lines and paths of the source.

use std::fs;
use std::path::{Path, PathBuf};

/// A part of the crate, and the parts that it may name.
const MAY_USE: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("spelling", &[]),
    ("limits", &[]),
    ("codec", &[]),
    ("library", &[]),
    ("rng", &["codec"]),
    ("picture", &["codec"]),
    ("tiles", &["source"]),
    ("diagnostics", &["source"]),
    ("syntax", &["source", "diagnostics", "spelling"]),
    ("bytecode", &["source"]),
    ("compile", &["source", "spelling", "diagnostics", "syntax", "bytecode"]),
    ("value", &["codec"]),
    ("vm", &["codec", "value", "bytecode", "spelling", "diagnostics", "source", "limits", "rng", "picture"]),
    ("builtins", &["value", "vm", "bytecode", "limits", "picture"]),
    ("render", &["picture", "tiles"]),
    ("reference", &["builtins"]),
    ("timeline", &["host", "source"]),
    (
        "host",
        &[
            "builtins",
            "bytecode",
            "codec",
            "compile",
            "diagnostics",
            "library",
            "limits",
            "picture",
            "reference",
            "render",
            "rng",
            "source",
            "spelling",
            "syntax",
            "tiles",
            "value",
            "vm",
        ],
    ),
];

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let mut found: Vec<PathBuf> = fs::read_dir(path).unwrap().flat_map(|entry| files(&entry.unwrap().path())).collect();
    found.sort();
    found.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    found
}

fn part_of(file: &Path) -> String {
    let inside = file.strip_prefix("src").unwrap();
    inside.components().next().unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_string()
}

/// The lines of a file that are code: not comments, and not its unit tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn dependencies_go_one_way() {
    let mut wrong = Vec::new();
    for file in files(Path::new("src")) {
        let part = part_of(&file);
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == part) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        for line in code(&text) {
            for (at, _) in line.match_indices("crate::") {
                let named: String = line[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let is_part = MAY_USE.iter().any(|(name, _)| *name == named);
                if is_part && named != part && !allowed.contains(&named.as_str()) {
                    wrong.push(format!("{}: `{part}` may not use `{named}`: {}", file.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_touches_the_outside() {
    let mut wrong = Vec::new();
    for file in files(Path::new("src")) {
        let part = part_of(&file);
        if part == "cli" || part == "main" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        // A length of time is no clock.
        for line in code(&text).filter(|line| *line != "use std::time::Duration;") {
            for outside in ["std::fs", "std::env", "std::time", "std::net", "std::process", "println!", "getrandom"] {
                if line.contains(outside) {
                    wrong.push(format!("{}: {outside} in `{}`", file.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_command_line_uses_only_what_the_library_exports() {
    for file in files(Path::new("src/cli")) {
        let text = fs::read_to_string(&file).unwrap();
        for line in code(&text) {
            assert!(!line.contains("crate::"), "{}: {}", file.display(), line.trim());
        }
    }
}

#[test]
fn there_is_no_unsafe_code() {
    let library = fs::read_to_string("src/lib.rs").unwrap();
    assert!(library.contains("#![forbid(unsafe_code)]"));
}
