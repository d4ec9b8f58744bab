//! What no script and no host may bring about: SECURITY.md names the test that holds each promise.

mod barriers;
#[path = "../corpus/mod.rs"]
mod corpus;
mod drivers;
mod fuzz;
mod moments;
mod refusals;
mod results;
#[cfg(debug_assertions)]
mod saved_work;
mod small_stack;
mod work;

use ndscript::{Engine, Limits, Program};

/// A program within limits.
fn program(limits: Limits, text: &str) -> Program {
    Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// SECURITY.md names files and tests that hold its promises: all of them are there.
#[test]
fn what_security_promises_is_held_by_tests_that_are_there() {
    fn all(folder: &std::path::Path, text: &mut String, scripts: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                all(&path, text, scripts);
            } else if path.extension().is_some_and(|extension| extension == "nds") {
                scripts.push(path.file_name().unwrap().to_string_lossy().into_owned());
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut tests = String::new();
    let mut scripts = Vec::new();
    for folder in ["tests", "crates", "fuzz/fuzz_targets"] {
        all(std::path::Path::new(folder), &mut tests, &mut scripts);
    }
    let page = std::fs::read_to_string("SECURITY.md").unwrap();
    let mut names = 0;
    for word in page.split('`').skip(1).step_by(2) {
        if ["tests/", "crates/", "fuzz/", "benches/"]
            .iter()
            .any(|folder| word.starts_with(folder))
        {
            assert!(
                std::path::Path::new(word).exists(),
                "SECURITY.md names {word}"
            );
            names += 1;
        } else if word.contains('_')
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_*".contains(c))
        {
            // `name_*` stands for all whose names begin so: tests, or scripts that are tests.
            let held = match word.strip_suffix('*') {
                Some(begin) => {
                    tests.contains(&format!("fn {begin}"))
                        || scripts.iter().any(|name| name.starts_with(begin))
                }
                None => tests.contains(&format!("fn {word}(")),
            };
            assert!(held, "SECURITY.md names the test {word}");
            names += 1;
        }
    }
    assert!(names > 60, "{names}");
}
