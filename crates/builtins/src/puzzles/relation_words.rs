//! Rules about two places, and about neighbors, in words.

use super::rule_words::{BoardPhrases, MOST_COMPARED, MOST_LISTED, list_in_words};
use ndscript_solver::steps::Step;
use ndscript_solver::{Adjacent, Related};

/// At most this many values are listed of one place.
const MOST_VALUES: usize = 6;
/// At most this many conclusions of a step are each explained by a pair of values.
const MOST_CONCLUSIONS: usize = 3;

/// Relations that have a name, of two places and of all neighbors; the first two are of any values.
type Relation = (&'static str, &'static str, fn(f64, f64) -> bool);
const RELATIONS: &[Relation] = &[
    ("equals", "are equal", |a, b| a == b),
    ("differs from", "differ", |a, b| a != b),
    ("is less than", "", |a, b| a < b),
    ("is greater than", "", |a, b| a > b),
    ("is at most", "", |a, b| a <= b),
    ("is at least", "", |a, b| a >= b),
    ("differs by 1 from", "differ by 1", |a, b| {
        (a - b).abs() == 1.0
    }),
    ("does not differ by 1 from", "do not differ by 1", |a, b| {
        (a - b).abs() != 1.0
    }),
];

/// Whether a table allows a value beside another.
fn is_in(rows: &[u64], width: usize, a: u32, b: u32) -> bool {
    let (a, b) = (a as usize, b as usize);
    let word = rows.get(a * width + b / 64);
    b / 64 < width && word.is_some_and(|word| word >> (b % 64) & 1 == 1)
}

impl BoardPhrases<'_> {
    /// The values that a place can have at the beginning.
    pub(super) fn initial(&self, place: u32) -> Vec<u32> {
        let solver = &self.context.heap.boards[self.board].solver;
        let initial = solver.initial(place as usize);
        initial.numbers().map(|number| number as u32).collect()
    }

    /// The values that the program leaves a place at the beginning.
    pub(super) fn start(&self, place: u32) -> Vec<u32> {
        self.first.left(place, self.initial(place))
    }

    /// What a step knows of a place.
    pub(super) fn held(&self, step: &Step, place: u32) -> Vec<u32> {
        let own = step.places.iter().position(|other| *other == place);
        own.map_or_else(|| self.start(place), |at| step.candidates[at].clone())
    }

    /// The number that a value is.
    pub(super) fn number(&self, value: u32) -> Option<f64> {
        let universe = self.context.heap.boards[self.board].universe();
        let value = universe.get(value as usize)?;
        value
            .is_number()
            .then(|| self.context.heap.as_f64(*value))
            .flatten()
    }

    /// The named relation that these values have, if any.
    fn named(
        &self,
        left: &[u32],
        right: &[u32],
        is_allowed: impl Fn(u32, u32) -> bool,
    ) -> Option<&'static Relation> {
        let are_numbers = left
            .iter()
            .chain(right)
            .all(|value| self.number(*value).is_some());
        let known = if are_numbers {
            RELATIONS
        } else {
            &RELATIONS[..2]
        };
        let rank = |value: u32| match are_numbers {
            true => self.number(value).unwrap_or(f64::NAN),
            false => f64::from(value),
        };
        known.iter().find(|(_, _, holds)| {
            left.iter().all(|a| {
                let mut others = right.iter();
                others.all(|b| holds(rank(*a), rank(*b)) == is_allowed(*a, *b))
            })
        })
    }

    /// A relation that has a name or few pairs: `(0,1) is less than (0,2)`; and the work for that.
    pub(super) fn short_relation(&self, rule: &Related) -> (Option<String>, usize) {
        let [left, right] = rule.places.map(|place| self.initial(place));
        let pairs = left.len() * right.len();
        match pairs > MOST_COMPARED {
            true => (None, 0),
            false => (self.relation_between(rule, &left, &right), 16 * pairs),
        }
    }

    fn relation_between(&self, rule: &Related, left: &[u32], right: &[u32]) -> Option<String> {
        let is_allowed = |a: u32, b: u32| is_in(&rule.forward, rule.width as usize, a, b);
        let [a, b] = rule.places.map(|place| self.place(place));
        if let Some((words, ..)) = self.named(left, right, is_allowed) {
            return Some(format!("{a} {words} {b}"));
        }
        let pairs = left.iter().flat_map(|a| right.iter().map(|b| [*a, *b]));
        let (allowed, others): (Vec<[u32; 2]>, _) = pairs.partition(|[a, b]| is_allowed(*a, *b));
        let both = left.iter().find(|value| {
            let fits = |[a, b]: &[u32; 2]| (a == *value) == (b == *value);
            right.contains(value) && allowed.iter().all(fits) && !others.iter().any(fits)
        });
        if let Some(value) = both {
            let value = self.value(*value);
            return Some(format!("{a} is {value} exactly if {b} is"));
        }
        if allowed.len() <= MOST_LISTED {
            let rows = self.rows(allowed.iter());
            return Some(format!("{a} and {b} hold together only {rows}"));
        }
        if let [[x, y]] = others[..] {
            let [x, y] = [x, y].map(|value| self.value(value));
            return Some(format!("{a} cannot be {x} while {b} is {y}"));
        }
        let [one, other] = rule.places;
        self.condition(one, other, &is_allowed)
            .or_else(|| self.condition(other, one, &|b, a| is_allowed(a, b)))
    }

    /// `if (0,1) is wall, (2,0) is floor`: what values of a place say about another one, if its others say nothing.
    fn condition(
        &self,
        place: u32,
        other: u32,
        is_allowed: &dyn Fn(u32, u32) -> bool,
    ) -> Option<String> {
        let (own, others) = (self.initial(place), self.initial(other));
        let allowed = |value: u32| -> Vec<u32> {
            let others = others.iter().copied();
            others.filter(|other| is_allowed(value, *other)).collect()
        };
        let is_open = |value: &u32| allowed(*value).len() == others.len();
        let strict: Vec<u32> = own.into_iter().filter(|value| !is_open(value)).collect();
        let then = allowed(*strict.first()?);
        let are_alike = strict.iter().all(|value| allowed(*value) == then);
        (are_alike && strict.len() <= MOST_VALUES && then.len() <= MOST_VALUES).then(|| {
            let [place, other] = [place, other].map(|place| self.place(place));
            let (strict, then) = (self.either_of(&strict), self.either_of(&then));
            format!("if {place} is {strict}, {other} is {then}")
        })
    }

    /// A relation as a rule.
    pub(super) fn relation(&self, rule: &Related) -> String {
        let (short, _) = self.short_relation(rule);
        short.unwrap_or_else(|| format!("{} fit together", self.places(&rule.places)))
    }

    /// A relation, as far as a step uses it.
    pub(super) fn used_relation(&self, step: &Step, rule: &Related) -> Option<String> {
        let is_allowed = |a: u32, x: u32, _: u32, y: u32| match a == rule.places[0] {
            true => is_in(&rule.forward, rule.width as usize, x, y),
            false => is_in(&rule.forward, rule.width as usize, y, x),
        };
        let partners = |place: u32| match rule.places {
            [one, other] if place == one => vec![other],
            [one, other] if place == other => vec![one],
            _ => Vec::new(),
        };
        self.used_pairs(step, &partners, &is_allowed)
    }

    /// What may be side by side, if that is short: `no two black are side by side`; and the work for that.
    pub(super) fn short_neighbors(&self, rule: &Adjacent) -> (Option<String>, usize) {
        let count = self.context.heap.boards[self.board].universe().len();
        let pairs = count.saturating_mul(count);
        match pairs > MOST_COMPARED {
            true => (None, 0),
            false => (self.excluded_neighbors(rule, count as u32), 16 * pairs),
        }
    }

    fn excluded_neighbors(&self, rule: &Adjacent, count: u32) -> Option<String> {
        let [table] = &rule.tables[..] else {
            return None;
        };
        let is_allowed = |a: u32, b: u32| is_in(table.rows(), rule.width as usize, a, b);
        let all: Vec<u32> = (0..count).collect();
        if let Some((_, words, _)) = self.named(&all, &all, is_allowed)
            && !words.is_empty()
        {
            return Some(format!("neighbours {words}"));
        }
        let pairs = all.iter().flat_map(|a| all.iter().map(|b| [*a, *b]));
        let mut excluded = Vec::new();
        for [a, b] in pairs.filter(|[a, b]| a <= b) {
            match (is_allowed(a, b), is_allowed(b, a)) {
                (false, false) => excluded.push([a, b]),
                (true, true) => {}
                _ => return None,
            }
        }
        // With diagonal neighbors there are more than four directions.
        let touch = match rule.directions.len() {
            0..=4 => "are side by side",
            _ => "touch",
        };
        let phrase = |pair: &[u32; 2]| match pair.map(|value| self.value(value)) {
            [a, b] if a == b => format!("no two {a} {touch}"),
            [a, b] => format!("no {a} and {b} {touch}"),
        };
        let phrases: Vec<String> = excluded.iter().map(phrase).collect();
        (1..=MOST_LISTED)
            .contains(&phrases.len())
            .then(|| list_in_words(&phrases, "and"))
    }

    /// What may be side by side as a rule.
    pub(super) fn neighbors(&self, rule: &Adjacent) -> String {
        let (short, _) = self.short_neighbors(rule);
        short.unwrap_or_else(|| "neighbours fit together".to_string())
    }

    /// What may be side by side, as far as a step uses it.
    pub(super) fn used_neighbors(&self, step: &Step, rule: &Adjacent) -> Option<String> {
        let neighbors = rule.neighbors();
        let partners = |place: u32| -> Vec<u32> {
            let around = neighbors.around(place as usize);
            let cells = rule.directions.iter().filter_map(|to| around.cell(to));
            cells.map(|cell| cell as u32).collect()
        };
        let is_allowed = |a: u32, x: u32, b: u32, y: u32| {
            let around = neighbors.around(a as usize);
            let directions = rule.directions.iter();
            let mut to_it = directions.filter(|to| around.cell(to) == Some(b as usize));
            to_it.all(|to| {
                let table = rule.tables.get(to.table as usize);
                table.is_none_or(|table| is_in(table.rows(), rule.width as usize, x, y))
            })
        };
        self.used_pairs(step, &partners, &is_allowed)
    }

    /// The pairs of values that a step excludes: `2 at (0,1) does not go with 3 at (1,1)`.
    fn used_pairs(
        &self,
        step: &Step,
        partners: &dyn Fn(u32) -> Vec<u32>,
        is_allowed: &dyn Fn(u32, u32, u32, u32) -> bool,
    ) -> Option<String> {
        let held = |place: u32| self.held(step, place);
        let excludes = |place: u32, values: &[u32], other: u32| {
            let held = held(other);
            if values.len() * held.len() > MOST_COMPARED / 16 {
                return false;
            }
            let is_apart = |x: &u32| held.iter().all(|y| !is_allowed(place, *x, other, *y));
            values.iter().all(is_apart)
        };
        if step.conclusions.is_empty() {
            let mut pairs = (step.places.iter())
                .flat_map(|place| partners(*place).into_iter().map(|other| (*place, other)));
            let (place, other) =
                pairs.find(|(place, other)| excludes(*place, &held(*place), *other))?;
            return Some(self.excluded_pairs(step, place, &held(place), None, other));
        }
        if step.conclusions.len() > MOST_CONCLUSIONS {
            return None;
        }
        let phrases = step.conclusions.iter().map(|one| {
            let mut others = partners(one.place);
            others.sort_by_key(|other| !step.places.contains(other));
            let mut others = others.into_iter();
            let other = others.find(|other| excludes(one.place, &one.values, *other))?;
            Some(self.excluded_pairs(step, one.place, &one.values, one.decided, other))
        });
        let phrases: Vec<String> = phrases.collect::<Option<_>>()?;
        Some(list_in_words(&phrases, "and"))
    }

    /// None of the values of a place goes with what another place holds.
    fn excluded_pairs(
        &self,
        step: &Step,
        place: u32,
        values: &[u32],
        decided: Option<u32>,
        other: u32,
    ) -> String {
        let held = self.held(step, other);
        let [own, partner] = [place, other].map(|place| self.place(place));
        let only = match held[..] {
            [only] => Some(format!("{} at {partner}", self.value(only))),
            _ => None,
        };
        if values.len() > MOST_LISTED {
            let with = only.unwrap_or_else(|| format!("what {partner} can be"));
            return match decided {
                Some(value) => {
                    let value = self.value(value);
                    format!("only {value} of what {own} can be goes with {with}")
                }
                None => format!("none of these at {own} goes with {with}"),
            };
        }
        let names: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        let list = list_in_words(&names, "and");
        // What no step has said of it so far.
        let is_new = !step.places.contains(&other) && held.len() <= MOST_VALUES;
        if only.is_none() && is_new {
            let go = if values.len() == 1 { "goes" } else { "go" };
            let with = self.all_of(&held);
            return format!("{list} at {own} {go} with none of {with}, all that {partner} can be");
        }
        match (only, values.len()) {
            (Some(with), 1) => format!("{list} at {own} does not go with {with}"),
            (Some(with), _) => format!("{list} at {own} do not go with {with}"),
            (None, 1) => format!("{list} at {own} goes with nothing that {partner} can be"),
            (None, _) => format!("{list} at {own} go with nothing that {partner} can be"),
        }
    }
}
