//! Inside a crate, uses go one way: no two modules need each other, directly or by way of others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::names::{Names, module_of, names_in, sources};

/// Modules whose type owns what the others of their crate define. The others add their own share of its methods, so they
/// name it; that does not count.
const CENTERS: &[&str] = &[
    "machine::machine",
    "machine::natives::context",
    "heap::store::heap",
    "ndscript::runs::run",
    "ndscript::programs::engine",
    "timeline::recording::line",
];

/// Pairs that need each other: a type and what it is made of.
const PAIRS: &[(&str, &str)] = &[
    ("syntax::build", "syntax::parse"),
    ("heap::outside::data", "heap::outside::parts"),
    ("render::label", "render::tile"),
];

type Uses = BTreeMap<String, BTreeMap<String, usize>>;

/// The module that a path leads to, by way of what modules hand on.
fn target(path: &str, from: &str, modules: &BTreeMap<String, Names>) -> Option<String> {
    let mut path = match path.strip_prefix("crate::") {
        Some(path) => path.to_string(),
        // The name of a child stands by itself.
        None => format!("{from}::{path}"),
    };
    // Nobody hands on what was handed on so often.
    for _ in 0..8 {
        let mut parts: Vec<&str> = path.split("::").collect();
        while !modules.contains_key(&parts.join("::")) {
            parts.pop()?;
        }
        let module = parts.join("::");
        let next = path
            .strip_prefix(&module)?
            .trim_start_matches("::")
            .split("::")
            .next()
            .unwrap_or_default();
        let rest = path
            .strip_prefix(&module)?
            .trim_start_matches("::")
            .strip_prefix(next)?
            .to_string();
        match modules[&module].handed_on.get(next) {
            Some(handed) => {
                let whole = handed
                    .strip_prefix("crate::")
                    .map_or_else(|| format!("{module}::{handed}"), str::to_string);
                path = whole + &rest;
            }
            None => return Some(module),
        }
    }
    None
}

/// Which modules of its crate each one uses, with a line where it does.
fn uses(modules: &BTreeMap<String, Names>) -> Uses {
    let part = |module: &str| module.split("::").next().unwrap_or_default().to_string();
    let mut uses = Uses::new();
    for (module, names) in modules {
        let own = uses.entry(module.clone()).or_default();
        for (line, path) in &names.paths {
            if let Some(target) = target(path, module, modules)
                && target != *module
                // The root of a folder joins what is in it.
                && !target.starts_with(&format!("{module}::"))
                && part(&target) == part(module)
            {
                own.entry(target).or_insert(*line);
            }
        }
    }
    uses
}

/// A way along the uses from one module to another, without what the filter leaves out.
fn way(
    uses: &Uses,
    from: &str,
    to: &str,
    counts: &impl Fn(&str, &str) -> bool,
) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut open = vec![vec![from.to_string()]];
    while let Some(way) = open.pop() {
        let last = &way[way.len() - 1];
        for next in uses[last].keys().filter(|next| counts(last, next)) {
            let longer = [way.clone(), vec![next.clone()]].concat();
            if next == to {
                return Some(longer);
            }
            if seen.insert(next.clone()) {
                open.push(longer);
            }
        }
    }
    None
}

fn is_exempt(from: &str, to: &str) -> bool {
    CENTERS.contains(&to) || PAIRS.contains(&(from, to))
}

/// What is wrong: ways from a module back to itself, and exceptions that nobody needs.
fn wrong(modules: &BTreeMap<String, Names>) -> Vec<String> {
    let uses = uses(modules);
    let mut told = BTreeSet::new();
    let mut wrong = Vec::new();
    for module in uses.keys() {
        if told.contains(module) {
            continue;
        }
        if let Some(round) = way(&uses, module, module, &|from, to| !is_exempt(from, to)) {
            let steps: Vec<String> = round
                .windows(2)
                .map(|two| {
                    format!(
                        "  `{}` uses `{}` in line {}",
                        two[0], two[1], uses[&two[0]][&two[1]]
                    )
                })
                .collect();
            wrong.push(format!(
                "these modules need each other:\n{}",
                steps.join("\n")
            ));
            told.extend(round);
        }
    }
    wrong
}

fn modules() -> BTreeMap<String, Names> {
    let named = |file| {
        let module = module_of(file);
        let names = names_in(&fs::read_to_string(file).unwrap(), module.clone());
        (module.join("::"), names)
    };
    sources().iter().map(|file| named(file.as_path())).collect()
}

#[test]
fn no_two_modules_need_each_other() {
    let wrong = wrong(&modules());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_exception_is_needed() {
    let uses = uses(&modules());
    for center in CENTERS {
        let others = |from: &str, to: &str| to == *center || !is_exempt(from, to);
        assert!(
            way(&uses, center, center, &others).is_some(),
            "`{center}` needs no exception"
        );
    }
    for (from, to) in PAIRS {
        let others = |a: &str, b: &str| (a, b) == (*from, *to) || !is_exempt(a, b);
        assert!(
            way(&uses, from, from, &others).is_some(),
            "`{from}` and `{to}` need no exception"
        );
    }
}

/// The check sees what it is there for.
#[test]
fn cycles_are_found_however_they_are_written() {
    let found = |files: &[(&str, &str)]| {
        let modules: BTreeMap<String, Names> = files
            .iter()
            .map(|(module, text)| {
                let parts = module.split("::").map(str::to_string).collect();
                (module.to_string(), names_in(text, parts))
            })
            .collect();
        wrong(&modules).len()
    };
    let one_way = [
        ("p", "pub mod a; pub mod b;"),
        ("p::a", "use super::b::B;"),
        ("p::b", "pub struct B;"),
    ];
    assert_eq!(found(&one_way), 0);
    let direct = [
        ("p", ""),
        ("p::a", "use super::b::B;"),
        ("p::b", "use crate::a::A;"),
    ];
    assert_eq!(found(&direct), 1);
    let in_code = [
        ("p", ""),
        ("p::a", "use super::b::B;"),
        ("p::b", "fn f() { super::a::f() }"),
    ];
    assert_eq!(found(&in_code), 1, "a path in the code");
    let by_way = [
        ("p", ""),
        ("p::a", "use super::b::B;"),
        ("p::b", "use super::c::C;"),
        ("p::c", "use super::a::A;"),
    ];
    assert_eq!(found(&by_way), 1, "by way of a third");
    let handed_on = [
        ("p", "pub use b::B;"),
        ("p::a", "use super::B;"),
        ("p::b", "use crate::a::A;"),
    ];
    assert_eq!(found(&handed_on), 1, "by a name that is handed on");
    let of_test = [
        ("p", ""),
        ("p::a", "use super::b::B;"),
        ("p::b", "#[cfg(test)] mod tests { use super::super::a::A; }"),
    ];
    assert_eq!(found(&of_test), 0, "unit tests may look at anything");
}
