//! The built-in functions: one file a domain, each ending in a table of rows. A row feeds the check of arguments,
//! completion, `ndscript doc`, the reference, and a test that runs its example.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

pub mod any_value;
pub mod args;
pub mod collections;
pub mod constraints;
mod formats;
pub mod grids;
pub mod guessing;
pub mod math;
mod options;
pub mod outside;
pub mod pictures;
pub mod print;
pub mod puzzles;
pub mod row;
mod texts;

use ndscript_bytecode::{Signature, Signatures};
use ndscript_machine::natives::native::{Action, Native};
use row::{Called, Cost, Row, RowAction, Words};

/// The built-ins that call script functions, in the language itself.
pub const PRELUDE: &str = include_str!("prelude.nds");

/// The texts in functions of the prelude. They are the first constants of every program, so they have the same
/// numbers in all of them, and compiled functions of the prelude fit into any.
pub const PRELUDE_TEXTS: &[&str] = &[
    "map",
    "named",
    "filter",
    "reduce",
    "any",
    "all",
    "sorted",
    "chooseElement",
    "function",
    "object",
    "once",
    "not",
    "solutions",
    "countSolutions",
    "minimize",
    "randomElement",
    "minBy",
    "maxBy",
    "withRestarts",
    "relation",
    "adjacent",
    "related",
    "right",
    "weights",
    "decide",
    "set",
    "count",
    "groupBy",
    "mapGrid",
    "floodFill",
    "shortestPath",
    "printTilemap",
    "withinFailures",
    "array",
    "decided",
    "retry",
    "ordered",
    "unique",
    "counts",
    "lexicographic",
    "sumOf",
    "number",
    "connected",
    "reachable",
    "regions",
    "joined",
    "sizes",
    "parted",
    "left",
    "up",
    "down",
    "neighbors",
    "costOf",
    "element",
    "automaton",
    "missing",
];

/// The domains, in the order of the reference, with their tables.
const DOMAINS: &[(&str, &[Row])] = &[
    ("Guessing", guessing::search::TABLE),
    ("Any value", any_value::TABLE),
    ("Printing", print::TABLE),
    ("Numbers", math::TABLE),
    ("Collections", collections::collection::TABLE),
    ("Arrays", collections::array::TABLE),
    ("Strings", texts::text::TABLE),
    ("Sets", collections::set::TABLE),
    ("Relations", collections::relation::TABLE),
    ("Objects", collections::object::TABLE),
    ("Queues", collections::queue::TABLE),
    ("Positions", grids::position::TABLE),
    ("Grids", grids::grid::TABLE),
    ("Constraints", constraints::constraint::TABLE),
    ("Constraints", constraints::counting::TABLE),
    ("Constraints", guessing::decide::TABLE),
    ("Constraints", guessing::decided::TABLE),
    ("Constraints", constraints::combined::TABLE),
    ("Constraints", constraints::network::TABLE),
    ("Constraints", guessing::uniform::TABLE),
    ("Constraints", puzzles::solving::TABLE),
    ("Logic", constraints::logic::TABLE),
    ("Pictures", pictures::picture::TABLE),
    ("Tiled", formats::tiled::TABLE),
    ("Learning from samples", grids::sample::TABLE),
    ("People and the outside", outside::TABLE),
];

const COUNT: usize = {
    let (mut count, mut domain) = (0, 0);
    while domain < DOMAINS.len() {
        count += DOMAINS[domain].1.len();
        domain += 1;
    }
    count
};

/// A row by its number, with its domain. Hidden ones have numbers, too.
const fn row(mut number: usize) -> (&'static str, Row) {
    let mut domain = 0;
    while number >= DOMAINS[domain].1.len() {
        number -= DOMAINS[domain].1.len();
        domain += 1;
    }
    (DOMAINS[domain].0, DOMAINS[domain].1[number])
}

/// The built-ins for compiler and machine; the index of each is its number.
pub static CALLED: [Called; COUNT] = {
    let mut called = [row(0).1.called; COUNT];
    let mut at = 0;
    while at < COUNT {
        called[at] = row(at).1.called;
        at += 1;
    }
    called
};

/// The documentation of the built-ins, in the order of [`CALLED`], with the domain of each.
pub static WORDS: [(&str, Words); COUNT] = {
    let mut words = [(row(0).0, row(0).1.words); COUNT];
    let mut at = 0;
    while at < COUNT {
        let (domain, row) = row(at);
        words[at] = (domain, row.words);
        at += 1;
    }
    words
};

/// The signatures of the built-ins for the compiler. `script` gives the number of a function of the prelude.
pub fn signatures(script: impl Fn(&str) -> Option<u32>) -> Signatures {
    let mut signatures = Signatures::with_capacity(COUNT);
    for row in &CALLED {
        signatures.add(Signature {
            name: row.name.into(),
            least: row.least,
            most: row.most,
            scripts: numbered(row, &script),
            fresh: row.fresh,
            computes: matches!(row.action, RowAction::Plain(_)) && row.scripts.is_empty(),
            shortcuts: row.shortcuts,
            calls_back: false,
            hidden: row.is_hidden(),
            facts: row.facts,
        });
    }
    signatures
}

/// The built-ins for the machine, by number.
pub fn natives(script: impl Fn(&str) -> Option<u32>) -> Vec<Native> {
    let native = |row: &'static Called| Native {
        parameters: row.parameters,
        name: row.name.into(),
        least: row.least,
        most: row.most,
        action: match row.action {
            RowAction::Plain(function) => Action::Plain(function),
            RowAction::Control(control) => Action::Control(control),
            RowAction::Script => Action::Script,
        },
        scripts: numbered(row, &script),
        stage: row.stage,
        effect: row.effect,
        outside: row.outside,
        search: row.search.as_ref(),
        calls_with_elements: row.facts.calls_with_elements,
        constrains: row.facts.constrains,
    };
    CALLED.iter().map(native).collect()
}

fn numbered(row: &Called, script: &impl Fn(&str) -> Option<u32>) -> Vec<(u32, u32)> {
    row.scripts
        .iter()
        .filter_map(|(count, name)| Some((*count, script(name)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_belong_to_the_rows_that_name_them() {
        let mut seen = Vec::new();
        for row in &CALLED {
            for shortcut in row.shortcuts {
                let name = format!("{shortcut:?}")
                    .replace("OfQuotient", "")
                    .to_lowercase();
                assert_eq!(name, row.name.to_lowercase());
                assert!(
                    shortcut.arguments() >= row.least
                        && row.most.is_none_or(|most| shortcut.arguments() <= most)
                );
                assert!(
                    matches!(row.action, RowAction::Plain(_)),
                    "`{}` may do more than compute",
                    row.name
                );
                seen.push(*shortcut as u8);
            }
        }
        seen.sort_unstable();
        assert_eq!(
            seen,
            (0..seen.len() as u8).collect::<Vec<u8>>(),
            "each shortcut has one row"
        );
    }
}
