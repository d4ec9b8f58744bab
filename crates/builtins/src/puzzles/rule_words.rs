//! Rules and values of a board in words, for steps.

use super::first_words::FirstKnown;
use super::pattern_words::work_of_pattern;
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::natives::context::Context;
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Count, Division, Shape, ones};

/// More places than these are described as a block, if they are all cells of one.
pub(super) const MOST_NAMED: usize = 8;
/// At most this many rows of values, or pairs, are listed.
pub(super) const MOST_LISTED: usize = 3;
/// At most this many pairs of values are compared for a sentence.
pub(super) const MOST_COMPARED: usize = 4096;

/// A rule in words, for all steps that use it.
#[derive(Clone)]
pub(crate) struct RuleSentence {
    /// The rule.
    pub whole: String,
    /// The rule once more, if that says enough for every step. Else a step says what it uses of a long rule.
    pub short: Option<String>,
    /// What a table says of the values that its rows have, if it rules out others besides. Enough for steps without those.
    pub of_its_values: Option<String>,
}

/// A board described in words.
#[derive(Clone, Copy)]
pub(crate) struct BoardPhrases<'a> {
    pub context: &'a Context,
    pub container: Value,
    pub board: Handle,
    /// What the program says of the board before any step.
    pub first: &'a FirstKnown,
    /// The rules that were put into words already.
    pub sentences: &'a KeyedMap<u32, RuleSentence>,
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
        let is_text = value.is_some_and(|value| value.kind() == Kind::Text);
        match is_text && self.first.are_texts_quoted || words.is_empty() {
            true => format!("\"{words}\""),
            false => words,
        }
    }

    pub(super) fn values(&self, mask: &[u64]) -> String {
        let values: Vec<u32> = ones(mask).map(|number| number as u32).collect();
        self.either_of(&values)
    }

    /// `1, 2 or sea`: numbers by size, and then the other values of the board.
    pub(super) fn either_of(&self, values: &[u32]) -> String {
        self.sorted_values(values, "or")
    }

    /// `1, 2 and sea`.
    pub(super) fn all_of(&self, values: &[u32]) -> String {
        self.sorted_values(values, "and")
    }

    fn sorted_values(&self, values: &[u32], word: &str) -> String {
        let universe = self.context.heap.boards[self.board].universe();
        let number = |value: u32| self.context.heap.as_f64(universe[value as usize]);
        let mut values = values.to_vec();
        values.sort_by(|a, b| {
            let [a, b] = [*a, *b].map(|value| number(value).unwrap_or(f64::INFINITY));
            a.total_cmp(&b)
        });
        let names: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        list_in_words(&names, word)
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

    /// Rows of values, in words.
    pub(super) fn rows<R: AsRef<[u32]>>(&self, rows: impl Iterator<Item = R>) -> String {
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

    /// A constraint in words, and how much work that was, in visits.
    pub fn sentence_of(&self, number: u32) -> (RuleSentence, usize) {
        let solver = &self.context.heap.boards[self.board].solver;
        let is_named = self.first.names.contains_key(&number);
        let mut of_its_values = None;
        let (short, work) = match solver.constraints().get(number as usize) {
            Some(constraint) if !is_named => match &**constraint {
                Constraint::Related(rule) => self.short_relation(rule),
                Constraint::Adjacent(rule) => self.short_neighbors(rule),
                Constraint::Tuples(rule) => {
                    let (short, work) = self.short_table(rule, false);
                    let (own, more) = match short {
                        Some(_) => (None, 0),
                        None => self.short_table(rule, true),
                    };
                    of_its_values = own;
                    (short, work + more)
                }
                Constraint::Pattern(rule) => (None, work_of_pattern(rule)),
                _ => (None, 0),
            },
            _ => (None, 0),
        };
        let whole = short.clone().unwrap_or_else(|| self.rule(number));
        let sentence = RuleSentence {
            whole,
            short,
            of_its_values,
        };
        (sentence, work)
    }

    /// A constraint by its name, or as a sentence.
    pub fn rule(&self, number: u32) -> String {
        if let Some(sentence) = self.sentences.get(&number) {
            return sentence.whole.clone();
        }
        let name = self.first.names.get(&number);
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
            Constraint::Count(rule) => self.count(rule, &self.values(&rule.values)),
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
            Constraint::Adjacent(rule) => self.neighbors(rule),
            Constraint::Related(rule) => self.relation(rule),
            Constraint::Tuples(rule) => self.table(rule),
            Constraint::Pattern(rule) => self.pattern(rule),
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
                Shape::Division(division) => division_in_words(division),
            },
            Constraint::Callback(_) => format!("the function of `{}` on {own}", constraint.name()),
            Constraint::Cardinality(_) => constraint.name().to_string(),
        }
    }
}

/// Pieces that edges part, in words.
fn division_in_words(division: &Division) -> String {
    let [sizes] = division.sizes() else {
        let sizes = if division.sizes().is_empty() {
            ""
        } else {
            " of their sizes"
        };
        return format!("the edges part pieces{sizes}");
    };
    let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
    format!("the edges part pieces of {}", list_in_words(&sizes, "or"))
}

impl BoardPhrases<'_> {
    /// How often places have values that are named so.
    fn count(&self, rule: &Count, values: &str) -> String {
        let own = self.places(&rule.places);
        let has = if self.are_one(&rule.places) {
            "has"
        } else {
            "have"
        };
        let all = rule.places.len() as u64;
        let many = match (rule.least, rule.most) {
            (0, 0) => return format!("{own} {has} no {values}"),
            (least, most) if least == most => format!("exactly {}", times(least)),
            (0, most) => format!("at most {}", times(most)),
            (1, most) if most >= all && all > 1 && has == "have" => {
                return format!("at least one of {own} is {values}");
            }
            (least, most) if most >= all => format!("at least {}", times(least)),
            (least, most) => format!("{least} to {}", times(most)),
        };
        format!("{own} {has} {values} {many}")
    }

    /// A rule, as far as a step uses it: of many values, pairs or rows those that the step is about.
    pub(super) fn used_rule(&self, number: u32, step: &Step) -> String {
        let solver = &self.context.heap.boards[self.board].solver;
        let is_named = self.first.names.contains_key(&number);
        let sentence = self.sentences.get(&number);
        if let Some(short) = sentence.and_then(|sentence| sentence.short.clone()) {
            return short;
        }
        let used = match solver.constraints().get(number as usize) {
            Some(constraint) if !is_named => match &**constraint {
                Constraint::Related(rule) => self.used_relation(step, rule),
                Constraint::Adjacent(rule) => self.used_neighbors(step, rule),
                Constraint::Tuples(rule) => {
                    let of_its_values =
                        sentence.and_then(|sentence| sentence.of_its_values.as_ref());
                    self.used_table(step, rule, of_its_values)
                }
                Constraint::Count(rule) => self.used_count(step, rule),
                _ => None,
            },
            _ => None,
        };
        used.unwrap_or_else(|| self.rule(number))
    }

    /// A count of many values, of which a step is about some.
    fn used_count(&self, step: &Step, rule: &Count) -> Option<String> {
        let all = ones(&rule.values).map(|value| value as u32);
        let concluded = step.conclusions.iter();
        let concluded = concluded.flat_map(|one| one.values.iter().chain(&one.decided));
        let certain = self.certain(step);
        let certain = certain.iter().flat_map(|(_, values)| values);
        let known = step.candidates.iter().flatten().chain(certain);
        let mentioned: Vec<u32> = concluded.chain(known).copied().collect();
        let (used, others): (Vec<u32>, Vec<u32>) = all.partition(|value| mentioned.contains(value));
        if used.is_empty() || others.len() <= MOST_LISTED {
            return None;
        }
        let mut names: Vec<String> = used.iter().map(|value| self.value(*value)).collect();
        names.push(format!("{} others", others.len()));
        Some(self.count(rule, &list_in_words(&names, "or")))
    }
}

pub(super) fn times(count: u64) -> String {
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
