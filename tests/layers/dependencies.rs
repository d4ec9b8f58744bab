//! Every dependency has its reason in `docs/decisions/dependencies.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All manifests of the project's own packages.
fn manifests() -> Vec<PathBuf> {
    let folders = ["crates", "bindings"].map(|room| fs::read_dir(room).unwrap());
    let folders = folders
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path());
    let manifests = folders.map(|folder| folder.join("Cargo.toml"));
    let own = [Path::new("Cargo.toml").to_path_buf()];
    own.into_iter()
        .chain(manifests.filter(|file| file.exists()))
        .collect()
}

/// The crates that a manifest names, other than our own.
fn named(manifest: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    let mut is_listing = false;
    for line in manifest.lines() {
        if let Some(title) = line.strip_prefix('[') {
            is_listing = title.trim_end_matches(']').ends_with("dependencies");
            continue;
        }
        let Some((name, _)) = line.split_once('=').filter(|_| is_listing) else {
            continue;
        };
        let name = name.split('.').next().unwrap_or_default().trim();
        if !name.starts_with("ndscript") && !name.starts_with('#') {
            named.insert(name.to_string());
        }
    }
    named
}

/// The crates that the page has a line for.
fn explained(page: &str) -> BTreeSet<String> {
    let firsts = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let firsts = firsts.filter_map(|line| line.split(" | ").next());
    firsts
        .flat_map(|names| names.split(", "))
        .map(|name| name.trim_matches('`').to_string())
        .collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let used: BTreeSet<String> = manifests()
        .iter()
        .flat_map(|file| named(&fs::read_to_string(file).unwrap()))
        .collect();
    let page = fs::read_to_string("docs/decisions/dependencies.md").unwrap();
    let explained = explained(&page);
    let missing: Vec<_> = used.difference(&explained).collect();
    let left_over: Vec<_> = explained.difference(&used).collect();
    assert!(
        missing.is_empty() && left_over.is_empty(),
        "docs/decisions/dependencies.md lacks {missing:?}, and explains without need {left_over:?}"
    );
}

#[test]
fn dependencies_are_read() {
    let text = "[package]\nname = \"x\"\n[dev-dependencies]\nserde.workspace = true\n# a = b\n\
                [target.x.dependencies]\npyo3 = \"1\"\nndscript-base = 1\n[features]\ny = []";
    assert_eq!(Vec::from_iter(named(text)), ["pyo3", "serde"]);
    let page = "| `a`, `b-c` | for `d` |\n| crate | why |";
    assert_eq!(Vec::from_iter(explained(page)), ["a", "b-c"]);
}
