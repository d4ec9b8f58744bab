//! The built-in functions: one file a domain, each ending in a table of rows. A row feeds the check of arguments,
//! completion, `ndscript doc`, the reference, and a test that runs its example.

mod aligning;
pub mod any_value;
pub mod args;
pub mod array;
mod closure;
pub mod collection;
pub mod constraint;
mod constraint_work;
mod decide;
pub mod grid;
mod grid_work;
mod label;
mod legend;
mod list_work;
pub mod logic;
pub mod math;
pub mod object;
pub mod outside;
mod padding;
pub mod picture;
mod picture_work;
mod place_work;
pub mod position;
pub mod print;
pub mod queue;
mod regular;
pub mod relation;
mod relation_work;
pub mod sample;
pub mod search;
mod seeking;
pub mod set;
mod shift_work;
mod spelling_work;
pub mod table_work;
mod text;
mod text_search;
mod text_work;
mod uniform;
mod uniform_work;

use crate::bytecode::{Shortcut, Signature, Signatures};
use crate::vm::native::{Action, Control, Native, Plain, Stage};

/// The built-ins that call script functions, in the language itself.
pub const PRELUDE: &str = include_str!("prelude.nds");

/// The texts that the functions of the prelude contain. Being the first constants of every program, they have the same
/// numbers in all of them, so that compiled functions of the prelude fit into any.
pub const PRELUDE_TEXTS: &[&str] = &[
    "map",
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
];

/// A built-in.
#[derive(Clone, Copy)]
pub struct Row {
    pub name: &'static str,
    /// Its parameters as the reference shows them: `collection[, weights]`, `a, b, ...`.
    pub parameters: &'static str,
    /// The fewest and the most arguments; `None` for any number.
    pub least: u32,
    pub most: Option<u32>,
    pub action: RowAction,
    /// The functions of the prelude that serve calls with so many arguments.
    pub scripts: &'static [(u32, &'static str)],
    /// Whether each call returns a new array that nobody else holds.
    pub fresh: bool,
    /// The calls of it that the main loop can carry out by itself.
    pub shortcuts: &'static [Shortcut],
    /// How its charge grows.
    pub cost: Cost,
    /// The part of `decide` that it is.
    pub stage: Option<Stage>,
    /// One line.
    pub doc: &'static str,
    /// Statements, if need be, and then an expression; and the text of its value.
    pub example: (&'static str, &'static str),
}

/// How the steps that a call is charged grow with n, the size of what it reads and makes: elements, and bytes of text.
/// It is what the call does: `tests/safety/work.rs` measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    Constant,
    Logarithmic,
    Linear,
    /// Sorting, or looking each element up.
    Sorting,
    /// One call of a function of the script for each element.
    Calls,
    /// What the function given to it costs.
    Search,
}

impl Cost {
    /// For the reference.
    pub fn text(self) -> &'static str {
        match self {
            Cost::Constant => "1",
            Cost::Logarithmic => "log n",
            Cost::Linear => "n",
            Cost::Sorting => "n log n",
            Cost::Calls => "n calls of f",
            Cost::Search => "as f",
        }
    }
}

/// What serves the calls that no function of the prelude serves.
#[derive(Clone, Copy)]
pub enum RowAction {
    Plain(Plain),
    Control(Control),
    Script,
}

impl Row {
    /// A row for a function in Rust.
    pub const fn plain(
        name: &'static str,
        parameters: &'static str,
        least: u32,
        most: Option<u32>,
        function: Plain,
        doc: &'static str,
        example: (&'static str, &'static str),
    ) -> Row {
        Row {
            name,
            parameters,
            least,
            most,
            action: RowAction::Plain(function),
            scripts: &[],
            fresh: false,
            shortcuts: &[],
            cost: Cost::Constant,
            stage: None,
            doc,
            example,
        }
    }

    /// A row for functions of the prelude, by number of arguments.
    pub const fn script(
        name: &'static str,
        parameters: &'static str,
        scripts: &'static [(u32, &'static str)],
        doc: &'static str,
        example: (&'static str, &'static str),
    ) -> Row {
        let (least, most) = (scripts[0].0, Some(scripts[scripts.len() - 1].0));
        Row {
            name,
            parameters,
            least,
            most,
            action: RowAction::Script,
            scripts,
            fresh: false,
            shortcuts: &[],
            cost: Cost::Constant,
            stage: None,
            doc,
            example,
        }
    }

    /// A row for what only the machine can do.
    pub const fn control(
        name: &'static str,
        parameters: &'static str,
        least: u32,
        most: Option<u32>,
        control: Control,
        doc: &'static str,
        example: (&'static str, &'static str),
    ) -> Row {
        let action = RowAction::Control(control);
        Row {
            name,
            parameters,
            least,
            most,
            action,
            scripts: &[],
            fresh: false,
            shortcuts: &[],
            cost: Cost::Constant,
            stage: None,
            doc,
            example,
        }
    }

    /// The row with functions of the prelude for calls with other numbers of arguments.
    pub const fn with_scripts(mut self, scripts: &'static [(u32, &'static str)]) -> Row {
        self.scripts = scripts;
        self
    }

    /// The row with the growth of its charge, where that is not constant.
    pub const fn costing(mut self, cost: Cost) -> Row {
        self.cost = cost;
        self
    }

    /// The row of a function whose result is a new array.
    pub const fn returning_fresh(mut self) -> Row {
        self.fresh = true;
        self
    }

    /// The row of a function of which the main loop can carry out some calls by itself.
    pub const fn with_shortcuts(mut self, shortcuts: &'static [Shortcut]) -> Row {
        self.shortcuts = shortcuts;
        self
    }

    /// The row of a part of `decide`.
    pub const fn as_stage(mut self, stage: Stage) -> Row {
        self.stage = Some(stage);
        self
    }

    /// Whether only the prelude can name it.
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with("__")
    }
}

/// The domains, in the order of the reference, with their tables.
pub const DOMAINS: &[(&str, &[Row])] = &[
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
    ("Constraints", decide::TABLE),
    ("Constraints", uniform::TABLE),
    ("Logic", logic::TABLE),
    ("Pictures", picture::TABLE),
    ("Learning from samples", sample::TABLE),
    ("People and the outside", outside::TABLE),
];

/// All rows, hidden ones included; a row's place is its number.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    DOMAINS.iter().flat_map(|domain| domain.1)
}

/// What the compiler knows of the built-ins. `script` gives the number of a function of the prelude.
pub fn signatures(script: impl Fn(&str) -> Option<u32>) -> Signatures {
    let mut signatures = Signatures::with_capacity(rows().count());
    for row in rows() {
        signatures.add(Signature {
            name: row.name.into(),
            least: row.least,
            most: row.most,
            scripts: numbered(row, &script),
            fresh: row.fresh,
            computes: matches!(row.action, RowAction::Plain(_)) && row.scripts.is_empty(),
            shortcuts: row.shortcuts,
            hidden: row.is_hidden(),
        });
    }
    signatures
}

/// The built-ins for the machine, by number.
pub fn natives(script: impl Fn(&str) -> Option<u32>) -> Vec<Native> {
    let native = |row: &'static Row| Native {
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
    };
    rows().map(native).collect()
}

fn numbered(row: &Row, script: &impl Fn(&str) -> Option<u32>) -> Vec<(u32, u32)> {
    row.scripts.iter().filter_map(|(count, name)| Some((*count, script(name)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_belong_to_the_rows_that_name_them() {
        let mut seen = Vec::new();
        for row in rows() {
            for shortcut in row.shortcuts {
                let name = format!("{shortcut:?}").replace("OfQuotient", "").to_lowercase();
                assert_eq!(name, row.name.to_lowercase());
                assert!(shortcut.arguments() >= row.least && row.most.is_none_or(|most| shortcut.arguments() <= most));
                assert!(matches!(row.action, RowAction::Plain(_)), "`{}` may do more than compute", row.name);
                seen.push(*shortcut as u8);
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..seen.len() as u8).collect::<Vec<u8>>(), "each shortcut has one row");
    }
}
