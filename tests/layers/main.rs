//! What cargo cannot see of the house: circles of modules inside a crate, what reaches out of the process, and how long files
//! and functions are. Every file is read as the compiler reads it, so that neither the form of a path nor where it stands
//! makes a difference.

mod cycles;
mod dependencies;
mod header;
mod lengths;
mod names;
mod words;

use std::fs;

use names::{Names, module_of, names_in, sources};

/// What reaches out of the process. A length of time, and an error of writing, do not.
const OUTSIDE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::os",
    "std::process",
    "std::thread::Builder",
    "std::thread::available_parallelism",
    "std::thread::scope",
    "std::thread::sleep",
    "std::thread::spawn",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::time::Instant",
    "std::time::SystemTime",
    "getrandom",
    "tempfile",
];

const OUTSIDE_MACROS: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];

/// What a file names of the outside.
fn outside(names: &Names) -> Vec<String> {
    let reaches = |path: &str| {
        let path = path.replacen("core::", "std::", 1);
        OUTSIDE.iter().any(|out| path == *out || path.starts_with(&format!("{out}::")))
            // All of a module that holds something of it.
            || ["std", "std::io", "std::thread", "std::time"].contains(&path.as_str())
    };
    let paths = names.paths.iter().filter(|(_, path)| reaches(path));
    let macros = names
        .macros
        .iter()
        .filter(|(_, name)| OUTSIDE_MACROS.contains(&name.as_str()));
    paths
        .chain(macros)
        .map(|(line, name)| format!("line {line}: {name}"))
        .collect()
}

#[test]
fn only_the_command_line_touches_the_outside() {
    let mut wrong = Vec::new();
    for file in sources() {
        let module = module_of(&file);
        if module[0] == "cli" {
            continue;
        }
        let names = names_in(&fs::read_to_string(&file).unwrap(), module);
        wrong.extend(
            outside(&names)
                .iter()
                .map(|what| format!("{}, {what}", file.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each of these was once overlooked.
#[test]
fn faults_are_found_wherever_they_stand() {
    let out = |text: &str| outside(&names_in(text, vec!["vm".into()])).len();
    assert_eq!(
        out("use std::time::Duration; use std::io::{self as other, Write}; use std::fmt;"),
        1
    );
    assert_eq!(out("use std::{fs, env};"), 2);
    assert_eq!(out("use std::*;"), 1);
    assert_eq!(out("fn f() { print!(\"a\"); dbg!(1); }"), 2);
    assert_eq!(
        out(
            "fn f() { write!(std::io::stdout(), \"a\"); assert!(matches!(eprintln!(\"x\"), ())); }"
        ),
        2
    );
    assert_eq!(
        out("fn f() -> std::time::Instant { std::time::Instant::now() }"),
        2
    );
    assert_eq!(
        out("#[cfg(test)] mod tests {} fn f() { std::process::exit(1); }"),
        1,
        "behind unit tests"
    );
}

#[test]
fn there_is_no_unsafe_code() {
    let whole = fs::read_to_string("Cargo.toml").unwrap();
    assert!(whole.contains("[workspace.lints.rust]\nunsafe_code = \"forbid\"\n"));
    for entry in fs::read_dir("crates").unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(
            text.contains("[lints]\nworkspace = true\n"),
            "{}",
            manifest.display()
        );
    }
}
