//! Inside a crate, uses go one way: no more than three modules need each other, directly or by way of others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::names::{Names, module_of, names_in, sources};

/// A type, what it is made of and what is written for both of them may stand in files of their own.
const MOST_TOGETHER: usize = 3;

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

/// Every module that is reached from `start`, in the order in which they are left.
fn visit(uses: &Uses, start: &str, seen: &mut BTreeSet<String>, left: &mut Vec<String>) {
    if !seen.insert(start.to_string()) {
        return;
    }
    for next in uses.get(start).into_iter().flat_map(BTreeMap::keys) {
        visit(uses, next, seen, left);
    }
    left.push(start.to_string());
}

/// The strongly connected components of more than `most` modules, by the algorithm of Kosaraju and Sharir.
fn circles(uses: &Uses, most: usize) -> Vec<Vec<String>> {
    let (mut seen, mut left) = (BTreeSet::new(), Vec::new());
    for module in uses.keys() {
        visit(uses, module, &mut seen, &mut left);
    }
    let mut users = Uses::new();
    for (module, used) in uses {
        for (target, line) in used {
            let of_target = users.entry(target.clone()).or_default();
            of_target.insert(module.clone(), *line);
        }
    }
    let (mut seen, mut circles) = (BTreeSet::new(), Vec::new());
    for module in left.iter().rev() {
        let mut together = Vec::new();
        visit(&users, module, &mut seen, &mut together);
        if together.len() > most {
            together.sort();
            circles.push(together);
        }
    }
    circles
}

/// What is wrong: circles of too many modules, each with the uses that close it.
fn wrong(modules: &BTreeMap<String, Names>, most: usize) -> Vec<String> {
    let uses = uses(modules);
    let told = |circle: &Vec<String>| {
        let mut lines = vec![format!("these {} modules need each other:", circle.len())];
        for module in circle {
            for (target, line) in &uses[module] {
                if circle.contains(target) {
                    lines.push(format!("  `{module}` uses `{target}` in line {line}"));
                }
            }
        }
        lines.join("\n")
    };
    circles(&uses, most).iter().map(told).collect()
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
fn no_circle_is_large() {
    let wrong = wrong(&modules(), MOST_TOGETHER);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
        wrong(&modules, 1).len()
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
    let ring = |count: usize| -> BTreeMap<String, Names> {
        let module = |at: usize| {
            let text = format!("use super::m{}::A;", (at + 1) % count);
            let parts = vec!["p".to_string(), format!("m{at}")];
            (parts.join("::"), names_in(&text, parts))
        };
        (0..count).map(module).collect()
    };
    assert!(wrong(&ring(MOST_TOGETHER), MOST_TOGETHER).is_empty());
    assert_eq!(wrong(&ring(MOST_TOGETHER + 1), MOST_TOGETHER).len(), 1);
}
