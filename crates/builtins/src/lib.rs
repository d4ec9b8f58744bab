//! The built-in functions: one file a domain, each ending in a table of rows. A row feeds the check of arguments,
//! completion, `ndscript doc`, the reference, and a test that runs its example.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod aligning;
pub mod any_value;
pub mod args;
pub mod array;
mod closure;
mod clueing_work;
pub mod collection;
mod combined;
pub mod constraint;
mod constraint_work;
mod counting;
mod decide;
mod decided;
mod either_work;
pub mod grid;
mod grid_work;
mod json_reading;
mod json_writing;
mod label;
mod legend;
mod lexicographic_work;
mod list_work;
pub mod logic;
mod markup;
pub mod math;
mod missing;
mod neighborhood;
pub mod network;
mod network_work;
mod object;
mod options;
mod ordering_work;
pub mod outside;
mod padding;
mod pattern_work;
pub mod picture;
mod picture_work;
mod place_work;
pub mod position;
pub mod print;
pub mod proving;
pub mod queue;
mod regular;
pub mod relation;
mod relation_work;
pub mod row;
mod rule_words;
pub mod sample;
pub mod search;
mod seeking;
pub mod set;
mod shift_work;
mod solving;
mod solving_work;
pub mod sum_work;
mod table_work;
mod text;
mod text_pattern;
mod text_search;
mod text_work;
mod tiled;
mod tuples_work;
mod uniform;
mod uniform_work;
mod xml_reading;

use ndscript_bytecode::{Signature, Signatures};
use ndscript_machine::native::{Action, Native};
use row::{Called, Cost, Row, RowAction, Words};

/// The built-ins that call script functions, in the language itself.
pub const PRELUDE: &str = include_str!("prelude.nds");

/// The texts that the functions of the prelude contain. Being the first constants of every program, they have the same
/// numbers in all of them, so that compiled functions of the prelude fit into any.
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
    "left",
    "up",
    "down",
    "neighbors",
    "costOf",
    "element",
];

/// The domains, in the order of the reference, with their tables.
const DOMAINS: &[(&str, &[Row])] = &[
    ("Guessing", search::TABLE),
    ("Any value", any_value::TABLE),
    ("Printing", print::TABLE),
    ("Numbers", math::TABLE),
    ("Collections", collection::TABLE),
    ("Arrays", array::TABLE),
    ("Strings", text::TABLE),
    ("Sets", set::TABLE),
    ("Relations", relation::TABLE),
    ("Objects", object::TABLE),
    ("Queues", queue::TABLE),
    ("Positions", position::TABLE),
    ("Grids", grid::TABLE),
    ("Constraints", constraint::TABLE),
    ("Constraints", counting::TABLE),
    ("Constraints", decide::TABLE),
    ("Constraints", decided::TABLE),
    ("Constraints", combined::TABLE),
    ("Constraints", network::TABLE),
    ("Constraints", uniform::TABLE),
    ("Constraints", solving::TABLE),
    ("Logic", logic::TABLE),
    ("Pictures", picture::TABLE),
    ("Tiled", tiled::TABLE),
    ("Learning from samples", sample::TABLE),
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

/// What compiler and machine know of the built-ins; the place of each is its number.
pub static CALLED: [Called; COUNT] = {
    let mut called = [row(0).1.called; COUNT];
    let mut at = 0;
    while at < COUNT {
        called[at] = row(at).1.called;
        at += 1;
    }
    called
};

/// The words about the built-ins and the domain of each, in the same order.
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

/// What the compiler knows of the built-ins. `script` gives the number of a function of the prelude.
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
        calls_with_elements: row.calls_with_elements,
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
