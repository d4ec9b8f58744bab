//! The direction of the house: which part may use which, and which may touch the outside. Every file is read as the compiler
//! reads it, so that neither the form of a path nor where it stands makes a difference.

mod cycles;
mod lengths;
mod names;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use names::{Names, files, module_of, names_in};

/// A part of the crate, and the parts that it may name.
const MAY_USE: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("spelling", &[]),
    ("counted", &[]),
    ("markup", &[]),
    ("foreign", &[]),
    ("limits", &["counted"]),
    ("codec", &[]),
    ("library", &[]),
    ("keyed", &[]),
    ("letters", &[]),
    ("rng", &["codec"]),
    ("picture", &["codec", "counted"]),
    ("tiles", &["counted", "keyed", "source"]),
    ("diagnostics", &["source"]),
    (
        "syntax",
        &[
            "counted",
            "keyed",
            "source",
            "diagnostics",
            "foreign",
            "letters",
            "spelling",
        ],
    ),
    ("bytecode", &["keyed", "source"]),
    (
        "compile",
        &[
            "counted",
            "keyed",
            "source",
            "spelling",
            "diagnostics",
            "syntax",
            "bytecode",
        ],
    ),
    // What it uses of `value` are budgets and the account of memory, which know nothing of values.
    ("solver", &["keyed", "codec", "value"]),
    ("value", &["keyed", "codec", "letters", "solver"]),
    (
        "vm",
        &[
            "counted",
            "keyed",
            "codec",
            "solver",
            "value",
            "bytecode",
            "foreign",
            "spelling",
            "diagnostics",
            "source",
            "limits",
            "rng",
            "picture",
        ],
    ),
    (
        "builtins",
        &[
            "counted", "keyed", "solver", "value", "vm", "bytecode", "limits", "picture",
        ],
    ),
    ("render", &["keyed", "markup", "picture", "tiles"]),
    ("reference", &["builtins"]),
    // It is built of what the root exports, as a host is.
    (
        "timeline",
        &[
            "counted", "exports", "host", "keyed", "markup", "render", "source", "syntax", "tiles",
        ],
    ),
    (
        "host",
        &[
            "builtins",
            "bytecode",
            "codec",
            "compile",
            "counted",
            "diagnostics",
            "keyed",
            "letters",
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
    // The root names all of them; it holds nothing else.
    ("lib", &["*"]),
    // The binary is a crate of its own, which sees what the library exports.
    ("main", &["cli"]),
    ("cli", &["cli"]),
];

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

/// Which part each name belongs to that the root exports.
fn exports() -> BTreeMap<String, String> {
    let names = names_in(&fs::read_to_string("src/lib.rs").unwrap(), vec![]);
    let mut exports = BTreeMap::new();
    for (_, path) in names.paths {
        let mut parts = path.split("::");
        if let (Some(part), Some(name)) = (parts.next(), path.split("::").last()) {
            exports.insert(name.to_string(), part.to_string());
        }
    }
    exports
}

/// What is wrong with the parts that a file names.
fn wrong_parts(names: &Names, part: &str, exports: &BTreeMap<String, String>) -> Vec<String> {
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == part) else {
        return vec![format!(
            "`{part}` is no known part: say in MAY_USE what it may use"
        )];
    };
    let mut wrong = Vec::new();
    for (line, path) in &names.paths {
        let Some(named) = path
            .strip_prefix("crate::")
            .map(|rest| rest.split("::").next().unwrap_or_default())
        else {
            continue;
        };
        let of = exports.get(named).map_or(named, String::as_str);
        if exports.contains_key(named) && allowed.contains(&"exports") {
            continue;
        }
        if of != part && !allowed.contains(&of) && !allowed.contains(&"*") {
            wrong.push(format!("line {line}: `{part}` may not use `{of}`: {path}"));
        }
    }
    wrong
}

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
fn dependencies_go_one_way() {
    let (exports, mut wrong) = (exports(), Vec::new());
    for file in files(Path::new("src")) {
        let module = module_of(&file);
        let part = module[0].clone();
        // The root's own paths begin with the parts themselves.
        if part == "lib" {
            continue;
        }
        let names = names_in(&fs::read_to_string(&file).unwrap(), module);
        wrong.extend(
            wrong_parts(&names, &part, &exports)
                .iter()
                .map(|what| format!("{}, {what}", file.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_touches_the_outside() {
    let mut wrong = Vec::new();
    for file in files(Path::new("src")) {
        let module = module_of(&file);
        if module[0] == "cli" || module[0] == "main" {
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
    let exports = exports();
    let parts = |text: &str| {
        wrong_parts(
            &names_in(text, vec!["value".into(), "slots".into()]),
            "value",
            &exports,
        )
        .len()
    };
    assert_eq!(
        parts("#[cfg(test)] mod tests { use crate::vm::Machine; } use crate::value::Kind;"),
        0
    );
    assert_eq!(
        parts("#[cfg(test)] mod tests {} use crate::vm::Machine;"),
        1,
        "behind unit tests"
    );
    assert_eq!(parts("use super::super::vm::Machine;"), 1);
    assert_eq!(parts("use super::arena::Arena; use self::inner::Thing;"), 0);
    assert_eq!(
        parts("mod inner { use super::super::super::host::Run; }"),
        1
    );
    assert_eq!(parts("use crate::{codec::Reader, compile::Scope};"), 1);
    assert_eq!(
        parts("fn f() { crate::Engine::new(); }"),
        1,
        "what the root exports belongs to its part"
    );
    let timeline = |text: &str| {
        wrong_parts(
            &names_in(text, vec!["timeline".into()]),
            "timeline",
            &exports,
        )
        .len()
    };
    assert_eq!(
        timeline("use crate::{Engine, Limits}; use crate::vm::machine::Machine;"),
        1,
        "exports, and nothing inside"
    );
    assert_eq!(
        parts("fn f() { log!(a, crate::vm::now()); }"),
        1,
        "inside a macro"
    );
    assert_eq!(
        wrong_parts(&names_in("", vec![]), "extra", &exports).len(),
        1,
        "a part that is not known"
    );
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
    for file in ["src/lib.rs", "src/main.rs"] {
        assert!(
            fs::read_to_string(file)
                .unwrap()
                .contains("#![forbid(unsafe_code)]"),
            "{file}"
        );
    }
}
