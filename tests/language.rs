//! Runs every script of `tests/language/` and compares what happens with what the script itself says should.
//! `tests/README.md` explains the comments that scripts use, and which source file each folder would break.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[path = "language/runner/mod.rs"]
mod runner;

use runner::{check, generated};

/// One test for each chapter, so that a failing one names the part of the language that it is about.
macro_rules! chapters {
    ($($chapter:ident)*) => {
        $(#[test]
        fn $chapter() {
            run_chapter(stringify!($chapter));
        })*

        #[test]
        fn every_folder_is_a_chapter() {
            let mut known = vec![$(stringify!($chapter)),*];
            known.sort_unstable();
            let mut found: Vec<String> = fs::read_dir(root())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name != "runner")
                .collect();
            found.sort_unstable();
            assert_eq!(found, known);
        }
    };
}

chapters! {
    any_value arrays barriers choose choose_element collections constraints draws expressions fail first_visit functions grids library limit literals logic
    numbers numbers_builtins objects outside pictures positions queues regression relations restarts scope sets statements
    strings text tiled
}

/// Programs too large to keep as files.
#[test]
fn generated_programs() {
    let programs = generated::programs();
    report(
        programs.len(),
        run_all(&programs, |(name, text)| {
            check::check(Path::new(name), text)
        }),
    );
}

/// Other seeds give other runs; that one seed gives one run is checked with every script that has several.
#[test]
fn seeds_matter() {
    let script = "for (let i = 0; i < 20; i++) { choose print(1); or print(2); print(chooseElement(\"ab\"), randomInt(0, 9)); }";
    let program = ndscript::Engine::new().compile(script).unwrap();
    let mut texts: Vec<String> = (0..100)
        .map(|seed| program.run(seed).next().unwrap().unwrap().text)
        .collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 100);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language")
}

fn run_chapter(chapter: &str) {
    let mut scripts = Vec::new();
    collect(&root().join(chapter), &mut scripts);
    scripts.sort();
    assert!(
        !scripts.is_empty(),
        "no scripts in tests/language/{chapter}"
    );
    let failures = run_all(&scripts, |path| match fs::read_to_string(path) {
        Ok(text) => check::check(path, &text),
        Err(error) => Err(format!("{}: {error}", path.display())),
    });
    report(scripts.len(), failures);
}

/// All scripts below a folder; those in folders called `parts` are only imported by others.
fn collect(folder: &Path, scripts: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "parts") {
                collect(&path, scripts);
            }
        } else if path.extension().is_some_and(|extension| extension == "nds") {
            scripts.push(path);
        }
    }
}

/// Checks everything on two threads and returns what went wrong, in order.
fn run_all<T: Sync>(items: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            // A small stack, as embedders give their threads.
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let worker = small.spawn_scoped(scope, || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let at = next.load(Ordering::Relaxed);
                    if let Err(message) = check(item) {
                        failures.lock().unwrap().push((at, message));
                    }
                }
            });
            worker.unwrap();
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    failures.into_iter().map(|(_, message)| message).collect()
}

fn report(total: usize, failures: Vec<String>) {
    if failures.is_empty() {
        return;
    }
    let mut text = format!("{} of {total} scripts failed\n", failures.len());
    for failure in &failures {
        let _ = writeln!(text, "\n{failure}");
    }
    panic!("{text}");
}
