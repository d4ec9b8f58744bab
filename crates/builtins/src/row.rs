//! A row of the table of a domain: everything about a built-in.

use ndscript_bytecode::{Facts, Form, ResultKind, Shortcut, Shows};
use ndscript_machine::natives::effect::{NativeEffect, OutsideSource, SearchWords};
use ndscript_machine::natives::native::{Control, DecideStep, Plain};

/// A built-in, as a row of its domain's table. The parts for running programs and the documentation are separated
/// when the library is built ([`super::CALLED`], [`super::WORDS`]): a host that only runs programs, such as a web
/// page at first, need not load the documentation.
#[derive(Clone, Copy)]
pub struct Row {
    pub called: Called,
    pub words: Words,
}

/// The parts of a row that compiler and machine use.
#[derive(Clone, Copy)]
pub struct Called {
    pub name: &'static str,
    /// Its parameters as the reference shows them: `collection[, weights]`, `a, b, ...`.
    pub parameters: &'static str,
    /// The fewest and the most arguments; `None` for any number.
    pub least: u32,
    pub most: Option<u32>,
    pub action: RowAction,
    /// The prelude functions that implement it, by number of arguments.
    pub scripts: &'static [(u32, &'static str)],
    /// Whether each call returns a new array that nothing else refers to.
    pub fresh: bool,
    /// Its calls that the main loop can carry out itself.
    pub shortcuts: &'static [Shortcut],
    /// The part of `decide` that it is.
    pub stage: Option<DecideStep>,
    /// Facts for the compiler and the checker.
    pub facts: Facts,
    /// Its effects, for `why`.
    pub effect: NativeEffect,
    /// The source of its result, if that is not its arguments.
    pub outside: Option<OutsideSource>,
    /// How it describes its choices, if it searches.
    pub search: Option<SearchWords>,
}

/// The documentation of a built-in.
#[derive(Clone, Copy)]
pub struct Words {
    /// How its charge grows.
    pub cost: Cost,
    /// One line.
    pub doc: &'static str,
    /// Statements, if need be, and then an expression; and the text of its value.
    pub example: (&'static str, &'static str),
}

/// How the steps charged for a call grow with n, the size of its inputs and results: elements, and bytes of text.
/// `tests/safety/work.rs` measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    Constant,
    Logarithmic,
    Linear,
    /// Sorting, or looking each element up.
    Sorting,
    /// One call of a function of the script for each element.
    Calls,
    /// The cost of the function given to it.
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

/// The implementation for calls that no prelude function covers.
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
        Row::new(
            name,
            parameters,
            (least, most),
            RowAction::Plain(function),
            doc,
            example,
        )
    }

    /// A row for functions of the prelude, by number of arguments.
    pub const fn script(
        name: &'static str,
        parameters: &'static str,
        scripts: &'static [(u32, &'static str)],
        doc: &'static str,
        example: (&'static str, &'static str),
    ) -> Row {
        let arity = (scripts[0].0, Some(scripts[scripts.len() - 1].0));
        Row::new(name, parameters, arity, RowAction::Script, doc, example).with_scripts(scripts)
    }

    /// A row for an action of the machine.
    pub const fn control(
        name: &'static str,
        parameters: &'static str,
        least: u32,
        most: Option<u32>,
        control: Control,
        doc: &'static str,
        example: (&'static str, &'static str),
    ) -> Row {
        Row::new(
            name,
            parameters,
            (least, most),
            RowAction::Control(control),
            doc,
            example,
        )
    }

    const fn new(
        name: &'static str,
        parameters: &'static str,
        (least, most): (u32, Option<u32>),
        action: RowAction,
        doc: &'static str,
        example: (&'static str, &'static str),
    ) -> Row {
        let (scripts, shortcuts) = (&[], &[]);
        let called = Called {
            name,
            parameters,
            least,
            most,
            action,
            scripts,
            fresh: false,
            shortcuts,
            stage: None,
            facts: Facts {
                gives: ResultKind::Anything,
                form: None,
                lists_undecided: false,
                passes_elements: false,
                decides: false,
                lists_line: None,
                constrains: false,
                calls_with_elements: false,
                searches: None,
                unchanging: None,
                minimizes: false,
                adds_price: false,
                drops_result: false,
                shows: None,
            },
            effect: match action {
                RowAction::Control(control) => NativeEffect::Controls(control),
                RowAction::Plain(_) | RowAction::Script => NativeEffect::Computes,
            },
            outside: None,
            search: None,
        };
        Row {
            called,
            words: Words {
                cost: Cost::Constant,
                doc,
                example,
            },
        }
    }

    /// The row with functions of the prelude for calls with other numbers of arguments.
    pub const fn with_scripts(mut self, scripts: &'static [(u32, &'static str)]) -> Row {
        self.called.scripts = scripts;
        self
    }

    /// The row with the growth of its charge, where that is not constant.
    pub const fn costing(mut self, cost: Cost) -> Row {
        self.words.cost = cost;
        self
    }

    /// The row of a function whose result is always a new array.
    pub const fn returning_fresh(mut self) -> Row {
        self.called.fresh = true;
        self
    }

    /// The row of a function for which the main loop can carry out some calls itself.
    pub const fn with_shortcuts(mut self, shortcuts: &'static [Shortcut]) -> Row {
        self.called.shortcuts = shortcuts;
        self
    }

    /// The row with its effects for `why`, if it does more than read its arguments.
    pub const fn with_effect(mut self, effect: NativeEffect) -> Row {
        self.called.effect = effect;
        self
    }

    /// The row of a function whose result comes from outside the program.
    pub const fn from_outside(mut self, outside: OutsideSource) -> Row {
        self.called.outside = Some(outside);
        self
    }

    /// The row of a function whose results all have one type.
    pub const fn giving(mut self, gives: ResultKind) -> Row {
        self.called.facts.gives = gives;
        self
    }

    /// The row of a function that lists which places of a board are undecided.
    pub const fn listing_undecided(mut self) -> Row {
        self.called.facts.lists_undecided = true;
        self
    }

    /// The row of a function whose result has elements of its first argument.
    pub const fn passing_elements(mut self) -> Row {
        self.called.facts.passes_elements = true;
        self
    }

    /// The row of a function that puts a constraint on its first argument.
    pub const fn constraining(mut self) -> Row {
        self.called.facts.constrains = true;
        self
    }

    /// The row of a function that looks for a solution of its first argument.
    pub const fn deciding(mut self) -> Row {
        self.called.facts.decides = true;
        self
    }

    /// The row of a function that lists what a row or column of a grid holds. The condition picks the positions `p` of the
    /// first one, for a hint.
    pub const fn listing_line(mut self, condition: &'static str) -> Row {
        self.called.facts.lists_line = Some(condition);
        self
    }

    /// The row of a function that looks for an argument among the elements of another one.
    pub const fn looking_for(mut self, wanted: u8, collection: u8) -> Row {
        self.called.facts.searches = Some((wanted, collection));
        self
    }

    /// The row of a function whose call as a statement does nothing, and why.
    pub const fn unchanging(mut self, why: &'static str) -> Row {
        self.called.facts.unchanging = Some(why);
        self
    }

    /// The row of a function that makes text of its arguments, of the elements of one, or of results.
    pub const fn showing(mut self, shows: Shows) -> Row {
        self.called.facts.shows = Some(shows);
        self
    }

    /// The row of a function that looks for a solution of the least price.
    pub const fn minimizing(mut self) -> Row {
        self.called.facts.minimizes = true;
        self
    }

    /// The row of a function that adds to the price.
    pub const fn adding_price(mut self) -> Row {
        self.called.facts.adds_price = true;
        self
    }

    /// The row of a function that runs one of the script for what that does.
    pub const fn dropping_result(mut self) -> Row {
        self.called.facts.drops_result = true;
        self
    }

    /// The row of a function for which the compiler has own instructions.
    pub const fn with_form(mut self, form: Form) -> Row {
        self.called.facts.form = Some(form);
        self
    }

    /// The row of a function that calls one of the script with one element each.
    pub const fn calling_with_elements(mut self) -> Row {
        self.called.facts.calls_with_elements = true;
        self
    }

    /// The row of a function that searches by making choices.
    pub const fn searching(mut self, words: SearchWords) -> Row {
        self.called.search = Some(words);
        self
    }

    /// The row of a part of `decide`.
    pub const fn as_stage(mut self, stage: DecideStep) -> Row {
        self.called.stage = Some(stage);
        self
    }
}

impl Called {
    /// Whether only the prelude can name it.
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with("__")
    }
}
