//! Rules and values of a board in words, for steps.

use ndscript_base::counted::counted;
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::natives::context::Context;
use ndscript_solver::{Constraint, Pattern, Related, Shape, Sum, Wording, ones};

/// More places than these are described as a block, if they are all cells of one.
pub(super) const MOST_NAMED: usize = 8;
/// At most this many rows of values, or pairs, are listed.
const MOST_LISTED: usize = 3;

/// A relation of at most this many pairs of values is compared with those that have a name.
const MOST_COMPARED: usize = 4096;

/// Relations that have a name; the first two are of any values.
type Relation = (&'static str, fn(f64, f64) -> bool);
const RELATIONS: &[Relation] = &[
    ("equals", |a, b| a == b),
    ("differs from", |a, b| a != b),
    ("is less than", |a, b| a < b),
    ("is greater than", |a, b| a > b),
    ("is at most", |a, b| a <= b),
    ("is at least", |a, b| a >= b),
    ("differs by 1 from", |a, b| (a - b).abs() == 1.0),
    ("does not differ by 1 from", |a, b| (a - b).abs() != 1.0),
];

/// A board described in words.
#[derive(Clone, Copy)]
pub(crate) struct BoardPhrases<'a> {
    pub context: &'a Context,
    pub container: Value,
    pub board: Handle,
    /// The names that the program has given to constraints.
    pub names: &'a KeyedMap<u32, Value>,
}

impl BoardPhrases<'_> {
    /// A place, as a program names it.
    pub fn place(&self, place: u32) -> String {
        let name = self.context.name_of_place(self.container, place as usize);
        let name = self.context.words(name);
        match self.container.kind() {
            Kind::Array => format!("place {name}"),
            _ => name,
        }
    }

    /// A value of the board by its number.
    pub fn value(&self, number: u32) -> String {
        let universe = self.context.heap.boards[self.board].universe();
        let value = universe.get(number as usize);
        let words = value.map_or_else(String::new, |value| self.context.words(*value));
        // A point inside a sentence is not a word.
        let is_word = words.chars().any(char::is_alphanumeric);
        match is_word && !value.is_some_and(|value| self.reads_as_another(*value, &words)) {
            true => words,
            false => format!("\"{words}\""),
        }
    }

    /// Whether a value is a text, such as "1" or "true", and the board has another value that prints so.
    fn reads_as_another(&self, value: Value, words: &str) -> bool {
        if value.kind() != Kind::Text {
            return false;
        }
        let is_literal = words.parse::<f64>().is_ok() || ["true", "false", "null"].contains(&words);
        let mut universe = self.context.heap.boards[self.board].universe().iter();
        is_literal
            && universe
                .any(|other| other.kind() != Kind::Text && self.context.words(*other) == words)
    }

    pub(super) fn values(&self, mask: &[u64]) -> String {
        let values: Vec<u32> = ones(mask).map(|number| number as u32).collect();
        self.either_of(&values)
    }

    /// `1, 2 or sea`: numbers by size, and then the other values of the board.
    pub(super) fn either_of(&self, values: &[u32]) -> String {
        let universe = self.context.heap.boards[self.board].universe();
        let number = |value: u32| self.context.heap.as_f64(universe[value as usize]);
        let mut values = values.to_vec();
        values.sort_by(|a, b| {
            let [a, b] = [*a, *b].map(|value| number(value).unwrap_or(f64::INFINITY));
            a.total_cmp(&b)
        });
        let names: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        list_in_words(&names, "or")
    }

    fn has(&self, constraint: &Constraint) -> &'static str {
        match constraint
            .places()
            .is_none_or(|places| self.are_one(places))
        {
            true => "has",
            false => "have",
        }
    }

    fn reads(&self, constraint: &Constraint) -> &'static str {
        match constraint
            .places()
            .is_none_or(|places| self.are_one(places))
        {
            true => "reads",
            false => "read",
        }
    }

    /// A relation that has a name: `(0,1) is less than (0,2)`.
    fn relation(&self, rule: &Related) -> Option<String> {
        let board = &self.context.heap.boards[self.board];
        let [left, right] = rule.places.map(|place| {
            let initial = board.solver.initial(place as usize);
            initial.numbers().collect::<Vec<usize>>()
        });
        if left.len() * right.len() > MOST_COMPARED {
            return None;
        }
        let is_allowed = |a: usize, b: usize| {
            let row = rule.forward.get(a * rule.width as usize + b / 64);
            b / 64 < rule.width as usize && row.is_some_and(|word| word >> (b % 64) & 1 == 1)
        };
        let mut ends = left.iter().chain(&right);
        let are_numbers = ends.all(|number| board.universe()[*number].is_number());
        let number_of = |number: usize| self.context.heap.as_f64(board.universe()[number]);
        let rank = |number: usize| match are_numbers {
            true => number_of(number).unwrap_or(f64::NAN),
            false => number as f64,
        };
        let known = if are_numbers {
            RELATIONS
        } else {
            &RELATIONS[..2]
        };
        let [a, b] = rule.places.map(|place| self.place(place));
        let named = known.iter().find(|(_, holds)| {
            left.iter().all(|a| {
                let mut others = right.iter();
                others.all(|b| holds(rank(*a), rank(*b)) == is_allowed(*a, *b))
            })
        });
        if let Some((words, _)) = named {
            return Some(format!("{a} {words} {b}"));
        }
        let pairs = left.iter().flat_map(|a| right.iter().map(|b| (*a, *b)));
        let (allowed, others): (Vec<(usize, usize)>, _) =
            pairs.partition(|(a, b)| is_allowed(*a, *b));
        let both = left.iter().find(|value| {
            let fits = |(a, b): &(usize, usize)| (a == *value) == (b == *value);
            allowed.iter().all(fits) && !others.iter().any(fits)
        });
        if let Some(value) = both {
            let value = self.value(*value as u32);
            return Some(format!("both or neither of {a} and {b} are {value}"));
        }
        let pair = |(a, b): &(usize, usize)| [*a as u32, *b as u32];
        if allowed.len() <= MOST_LISTED {
            let rows: Vec<[u32; 2]> = allowed.iter().map(pair).collect();
            return Some(format!("{a} and {b} read {}", self.rows(rows.iter())));
        }
        let values = |(x, y): &(usize, usize)| {
            let [x, y] = [*x, *y].map(|value| self.value(value as u32));
            format!("{a} is {x} and {b} is {y}")
        };
        let others: Vec<String> = others.iter().map(values).collect();
        (others.len() <= MOST_LISTED)
            .then(|| format!("it is not that {}", list_in_words(&others, "or that")))
    }

    /// `(0,1) is wall or (2,0) is floor or sand`.
    fn either(&self, rule: &Pattern) -> String {
        if rule.places.len() > MOST_NAMED {
            return "at least one condition of a list holds".to_string();
        }
        let words = rule.automaton.words as usize;
        let masks = rule.automaton.masks.chunks(words.max(1)).skip(1);
        let mut groups: Vec<(&[u64], Vec<u32>)> = Vec::new();
        for (place, mask) in rule.places.iter().zip(masks) {
            add_to_group(&mut groups, mask, *place);
        }
        let parts = groups.iter().map(|(mask, places)| {
            let places: Vec<String> = places.iter().map(|place| self.place(*place)).collect();
            format!("{} is {}", list_in_words(&places, "or"), self.values(mask))
        });
        list_in_words(&parts.collect::<Vec<String>>(), "or")
    }

    /// Rows of values, in words.
    fn rows<R: AsRef<[u32]>>(&self, rows: impl Iterator<Item = R>) -> String {
        let row = |row: R| {
            let values: Vec<String> = row
                .as_ref()
                .iter()
                .map(|value| self.value(*value))
                .collect();
            values.join(" ")
        };
        list_in_words(&rows.map(row).collect::<Vec<String>>(), "or")
    }

    /// The terms of a sum.
    fn sum(&self, rule: &Sum, own: &str) -> String {
        if !rule.parts.is_empty() {
            return format!("what {own} count, added up,");
        }
        if rule.factors.iter().all(|factor| *factor == 1.0) {
            return format!("the sum of {own}");
        }
        if rule.places.len() > 2 * MOST_NAMED {
            return format!("the sum of {own} with their factors");
        }
        let mut out = String::new();
        for (place, factor) in rule.places.iter().zip(&rule.factors) {
            let sign = match (*factor < 0.0, out.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            out.push_str(sign);
            if factor.abs() != 1.0 {
                out.push_str(&format!("{} × ", factor.abs()));
            }
            out.push_str(&self.place(*place));
        }
        out
    }

    /// A constraint by its name, or as a sentence.
    pub fn rule(&self, number: u32) -> String {
        let name = self.names.get(&number);
        if let Some(name) = name.and_then(|name| self.context.heap.as_str(*name)) {
            return name.to_string();
        }
        let solver = &self.context.heap.boards[self.board].solver;
        let Some(constraint) = solver.constraints().get(number as usize) else {
            return String::new();
        };
        let own = constraint.places().map_or_else(
            || "the whole board".to_string(),
            |places| self.places(places),
        );
        match &**constraint {
            Constraint::AllDifferent(rule) if rule.starts.is_empty() => {
                format!("{own} {} no value twice", self.has(constraint))
            }
            Constraint::AllDifferent(_) => format!(
                "{own} {} no sum with its offset twice",
                self.has(constraint)
            ),
            Constraint::Count(rule) => {
                let values = self.values(&rule.values);
                let all = rule.places.len() as u64;
                let many = match (rule.least, rule.most) {
                    (0, 0) => return format!("{own} {} no {values}", self.has(constraint)),
                    (least, most) if least == most => format!("exactly {}", times(least)),
                    (0, most) => format!("at most {}", times(most)),
                    (least, most) if most >= all => format!("at least {}", times(least)),
                    (least, most) => format!("{least} to {}", times(most)),
                };
                format!("{own} {} {values} {many}", self.has(constraint))
            }
            Constraint::Sum(rule) => {
                let (low, high) = (rule.low, rule.high);
                let sum = self.sum(rule, &own);
                if low == high {
                    format!("{sum} is {low}")
                } else if low == f64::NEG_INFINITY {
                    format!("{sum} is at most {high}")
                } else if high == f64::INFINITY {
                    format!("{sum} is at least {low}")
                } else {
                    format!("{sum} is {low} to {high}")
                }
            }
            Constraint::Adjacent(_) => "neighbours fit together".to_string(),
            Constraint::Related(rule) => self
                .relation(rule)
                .unwrap_or_else(|| format!("{own} fit together")),
            Constraint::Tuples(rule) => {
                let rows = rule.table.rows().chunks(rule.places.len().max(1));
                match rows.len() <= MOST_LISTED {
                    true => format!("{own} {} {}", self.reads(constraint), self.rows(rows)),
                    false => format!(
                        "{own} {} one of {} that are allowed",
                        self.has(constraint),
                        counted(rows.len(), "row")
                    ),
                }
            }
            Constraint::Pattern(rule) => match &rule.wording {
                Wording::Either => self.either(rule),
                Wording::Expression(text) => format!("{own} {} {text}", self.reads(constraint)),
                Wording::Unknown => format!("{own} {} as its pattern says", self.reads(constraint)),
                Wording::Transitions => {
                    format!("{own} {} as its automaton allows", self.reads(constraint))
                }
            },
            Constraint::Connected(rule) => {
                format!("all with {} are one piece", self.values(&rule.values))
            }
            Constraint::Reachable(rule) => format!(
                "a way of {} joins {} and {}",
                self.values(&rule.values),
                self.place(rule.ends[0]),
                self.place(rule.ends[1])
            ),
            Constraint::Lexicographic(_) => format!("{own} are in order"),
            Constraint::Network(rule) => match &rule.shape {
                Shape::Circuit => "the edges form one closed loop".to_string(),
                Shape::Acyclic => "the edges form no closed loop".to_string(),
                Shape::Connected => "they form one piece".to_string(),
                Shape::Reachable { ends, .. } => {
                    format!(
                        "a way joins {} and {}",
                        self.place(ends[0]),
                        self.place(ends[1])
                    )
                }
                Shape::Regions(_) => "equal values form pieces of their sizes".to_string(),
            },
            Constraint::Callback(_) => format!("the function of `{}` on {own}", constraint.name()),
            Constraint::Cardinality(_) => constraint.name().to_string(),
        }
    }
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        _ => format!("{count} times"),
    }
}

/// Adds a place to the group about which the same is said.
pub(super) fn add_to_group<T: PartialEq>(groups: &mut Vec<(T, Vec<u32>)>, words: T, place: u32) {
    match groups.iter_mut().find(|(other, _)| *other == words) {
        Some((_, places)) => places.push(place),
        None => groups.push((words, vec![place])),
    }
}

/// `a, b and c`.
pub(crate) fn list_in_words(names: &[String], word: &str) -> String {
    match names {
        [] => "nothing".to_string(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}
