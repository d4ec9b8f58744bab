//! Rules and places of a board in words, for steps.

use ndscript_base::counted::counted;
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::natives::context::Context;
use ndscript_solver::steps::{Conclusion, Step};
use ndscript_solver::{Constraint, Pattern, Related, Shape, Sum, Wording, ones};

/// More places than these are a block, if they are all of one.
const NAMED: usize = 8;
/// So many names of places are listed.
const TOLD: usize = 12;
/// So many places side by side are told by the first and the last.
const SHORTENED: u32 = 3;
/// Of so many values a place is told to have been one, before it is decided.
const TOLD_BEFORE: usize = 4;
/// So many rows of values, or pairs, are listed.
const LISTED: usize = 3;

/// A relation of so many pairs of values is compared with those that have a name.
const COMPARED: usize = 4096;

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

/// A board that something is said about.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub context: &'a Context,
    pub container: Value,
    pub board: Handle,
    /// The names that the program has given to constraints.
    pub names: &'a KeyedMap<u32, Value>,
}

impl Words<'_> {
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
        // A point in a sentence is none of its words.
        let is_word = words.chars().any(char::is_alphanumeric);
        match is_word && !value.is_some_and(|value| self.reads_as_another(*value, &words)) {
            true => words,
            false => format!("\"{words}\""),
        }
    }

    /// Whether a value is a text, such as "1" or "true", and the board has a value that is none and reads the same.
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

    fn values(&self, mask: &[u64]) -> String {
        let values: Vec<u32> = ones(mask).map(|number| number as u32).collect();
        self.either_of(&values)
    }

    /// `1, 2 or sea`: numbers by size, and then what else the board has.
    fn either_of(&self, values: &[u32]) -> String {
        let universe = self.context.heap.boards[self.board].universe();
        let number = |value: u32| self.context.heap.as_f64(universe[value as usize]);
        let mut values = values.to_vec();
        values.sort_by(|a, b| {
            let [a, b] = [*a, *b].map(|value| number(value).unwrap_or(f64::INFINITY));
            a.total_cmp(&b)
        });
        let names: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        listed(&names, "or")
    }

    /// Several places: a row, a column, all, or a list.
    pub fn places(&self, places: &[u32]) -> String {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        let count = self.context.heap.places_of(self.container);
        if sorted.len() == count && count > 1 {
            return "the whole board".to_string();
        }
        if let Some(line) = self.line(&sorted) {
            return line;
        }
        if let Some(middle) = self.middle(&sorted) {
            return format!("the cells around {}", self.place(middle));
        }
        let names = self.names_of(&sorted);
        if names.len() <= TOLD && !self.is_block(&sorted) {
            return listed(&names, "and");
        }
        match self.container.kind() {
            Kind::Grid => self.area(&sorted),
            _ => counted(sorted.len(), "place"),
        }
    }

    /// Whether places are many, and all cells of a block of a grid.
    fn is_block(&self, sorted: &[u32]) -> bool {
        sorted.len() > NAMED && self.corners(sorted).is_some_and(|(_, is_block)| is_block)
    }

    /// The names of places in order; those side by side have one: "(1,3) to (6,3)".
    fn names_of(&self, sorted: &[u32]) -> Vec<String> {
        let mut left = sorted.to_vec();
        let mut names = Vec::new();
        while let Some(first) = left.first().copied() {
            let width = self.size().map_or(u32::MAX, |(width, _)| width);
            let run = |step: u32, most: u32| -> u32 {
                let is_in = |at: &u32| left.binary_search(&(first + at * step)).is_ok();
                (0..most).take_while(is_in).count() as u32
            };
            let across = run(1, width - first.checked_rem(width).unwrap_or(0));
            let (count, step) = match self.size() {
                None => (1, 1),
                Some((_, height)) => {
                    let down = run(width, height);
                    if down > across {
                        (down, width)
                    } else {
                        (across, 1)
                    }
                }
            };
            let (count, last) = match count >= SHORTENED {
                true => (count, first + (count - 1) * step),
                false => (1, first),
            };
            names.push(match count {
                1 => self.place(first),
                _ => format!("{} to {}", self.place(first), self.place(last)),
            });
            left.retain(|place| {
                *place < first || *place > last || !(*place - first).is_multiple_of(step)
            });
        }
        names
    }

    /// What is concluded: `(0,1) and (2,1) are not 4, and (3,1), which was 2 or 4, is 2`.
    pub fn conclusions(&self, conclusions: &[Conclusion]) -> String {
        let solver = &self.context.heap.boards[self.board].solver;
        let mut groups: Vec<([String; 2], Vec<u32>)> = Vec::new();
        for one in conclusions {
            let Some(value) = one.decided else {
                let said = [
                    "".to_string(),
                    format!("not {}", self.either_of(&one.values)),
                ];
                add_to_group(&mut groups, said, one.place);
                continue;
            };
            // What it has lost before says that nothing else is left.
            let mut before = one.values.clone();
            before.push(value);
            before.sort_unstable();
            let initial = solver.initial(one.place as usize).count() as usize;
            let was = match before.len() < initial && before.len() <= TOLD_BEFORE {
                true => self.either_of(&before),
                false => String::new(),
            };
            add_to_group(&mut groups, [was, self.value(value)], one.place);
        }
        let told = groups.iter().map(|([was, is], places)| {
            let (was_or_were, is_or_are) = match places.len() {
                1 => ("was", "is"),
                _ => ("were", "are"),
            };
            let list = listed(&self.names_of(places), "and");
            match was.is_empty() {
                true => format!("{list} {is_or_are} {is}"),
                false => format!("{list}, which {was_or_were} {was}, {is_or_are} {is}"),
            }
        });
        let told: Vec<String> = told.collect();
        match (&told[..], conclusions.len()) {
            ([], _) => "that cannot be".to_string(),
            // Where places are listed, another "and" would be read with them.
            ([before @ .., last], more) if told.len() > 1 && more > told.len() => {
                format!("{}, and {last}", before.join(", "))
            }
            _ => listed(&told, "and"),
        }
    }

    /// The row or column that places are.
    fn line(&self, places: &[u32]) -> Option<String> {
        let (width, height) = self.size()?;
        let (first, last) = (*places.first()?, *places.last()?);
        let are_spaced = |step: u32| places.windows(2).all(|pair| pair[1] - pair[0] == step);
        if places.len() == width as usize
            && width > 1
            && first.is_multiple_of(width)
            && are_spaced(1)
        {
            return Some(format!("row {}", first / width));
        }
        let is_column = places.len() == height as usize && height > 1 && first < width;
        (is_column && last / width == height - 1 && are_spaced(width))
            .then(|| format!("column {first}"))
    }

    fn size(&self) -> Option<(u32, u32)> {
        let grid = self.container.handle_of(Kind::Grid)?;
        let grid = &self.context.heap.grids[grid];
        let count = self.context.heap.places_of(self.container) as u32;
        let width = grid.width;
        (width > 0).then(|| (width, count / width))
    }

    /// The upper left and the lower right corner of an area of a grid, as places, and whether it has all cells between.
    fn corners(&self, places: &[u32]) -> Option<([u32; 2], bool)> {
        let (width, _) = self.size()?;
        let columns = places.iter().map(|place| place % width);
        let (left, right) = (
            columns.clone().min().unwrap_or(0),
            columns.max().unwrap_or(0),
        );
        let rows = places.iter().map(|place| place / width);
        let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        let is_block = (right - left + 1) * (bottom - top + 1) == places.len() as u32;
        Some(([top * width + left, bottom * width + right], is_block))
    }

    /// The cell whose eight neighbors places are.
    fn middle(&self, places: &[u32]) -> Option<u32> {
        let (width, _) = self.size()?;
        let (first, last) = (*places.first()?, *places.last()?);
        let middle = first + width + 1;
        let is_ring = places.len() == 8
            && last == middle + width + 1
            && first % width + 2 == last % width
            && places.binary_search(&middle).is_err()
            && places.iter().all(|place| {
                let x = place % width;
                (first % width..=last % width).contains(&x)
            });
        is_ring.then_some(middle)
    }

    /// Many cells of a grid by their corners.
    fn area(&self, places: &[u32]) -> String {
        match self.corners(places) {
            Some((corners, true)) => {
                let [first, last] = corners.map(|place| self.place(place));
                format!("the block from {first} to {last}")
            }
            Some((corners, false)) => {
                let [first, last] = corners.map(|place| self.place(place));
                let cells = counted(places.len(), "cell");
                format!("{cells} of the block from {first} to {last}")
            }
            None => counted(places.len(), "place"),
        }
    }

    /// Whether places are called by one name.
    fn are_one(&self, places: &[u32]) -> bool {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        let count = self.context.heap.places_of(self.container);
        let is_line = sorted.len() == 1 || sorted.len() == count || self.line(&sorted).is_some();
        is_line || self.is_block(&sorted)
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

    /// What is known of places: `(0,1) is 4 or 8, (0,2) and (0,3) are wall`. Where a single rule is about whether places hold some
    /// values, and they hold many others, that they hold none of them: `(1,4) and (2,2) are not wall`.
    pub fn known(&self, step: &Step, places: &[u32], held: &[Vec<u32>]) -> String {
        if let Some(told) = self.only_places(step) {
            return told;
        }
        let mut groups: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for (place, held) in places.iter().zip(held) {
            add_to_group(&mut groups, held.clone(), *place);
        }
        let mut told: Vec<String> = Vec::new();
        if let Some(asked) = self.asked_values(step) {
            let is_asked = |value: &u32| asked[*value as usize / 64] >> (value % 64) & 1 == 1;
            let (others, rest): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|(held, _)| !held.iter().any(is_asked));
            groups = rest;
            // A value alone says more than what it is not.
            if others.len() > 1 {
                let mut places: Vec<u32> = others.into_iter().flat_map(|(_, own)| own).collect();
                places.sort_unstable();
                let values = self.values(&asked);
                told.push(format!("{} not {values}", self.known_places(step, &places)));
            } else {
                groups.extend(others);
            }
        }
        told.extend(groups.iter().map(|(held, places)| {
            let places = self.known_places(step, places);
            format!("{places} {}", self.either_of(held))
        }));
        listed(&told, "and")
    }

    /// What a step follows from, told by the few places that are left for some values rather than by the many that have others: `only
    /// (1,2) and (11,2) can be 1 or 2`. There have to be as many values as places in its only rule.
    fn only_places(&self, step: &Step) -> Option<String> {
        let [rule] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::AllDifferent(rule) = &**solver.constraints().get(rule as usize)? else {
            return None;
        };
        let left = rule.places.iter().copied();
        let left: Vec<u32> = left.filter(|place| !step.places.contains(place)).collect();
        let mut values: Vec<u32> = (rule.places.iter())
            .flat_map(|place| solver.initial(*place as usize).numbers())
            .map(|value| value as u32)
            .collect();
        values.sort_unstable();
        values.dedup();
        let is_permutation = rule.starts.is_empty() && values.len() == rule.places.len();
        values.retain(|value| !step.held.iter().any(|held| held.contains(value)));
        let fits = is_permutation && values.len() == left.len() && left.len() < step.places.len();
        fits.then(|| {
            format!(
                "only {} can be {}",
                self.places(&left),
                self.either_of(&values)
            )
        })
    }

    /// Places that a step follows from: "(1,3) and (2,2) are", or "all others are", if they are all that its rule has beside those
    /// that it concludes something of.
    fn known_places(&self, step: &Step, places: &[u32]) -> String {
        let solver = &self.context.heap.boards[self.board].solver;
        let own = match step.rules[..] {
            [rule] => solver.constraints().get(rule as usize),
            _ => None,
        };
        let is_other = |place: &u32| {
            let concluded = step.conclusions.iter().map(|one| one.place);
            let supposed = step.supposed.map(|(place, _)| place);
            !concluded.chain(supposed).any(|own| own == *place)
        };
        let are_all = places.len() > NAMED
            && own.is_some_and(|own| match own.places() {
                Some(own) => own
                    .iter()
                    .filter(|place| is_other(place))
                    .all(|own| places.contains(own)),
                None => (0..solver.places() as u32)
                    .filter(is_other)
                    .all(|own| places.contains(&own)),
            });
        match are_all {
            true => "all others are".to_string(),
            false => {
                let is = if self.are_one(places) { "is" } else { "are" };
                format!("{} {is}", self.places(places))
            }
        }
    }

    /// The values, as a mask, of which alone it matters to a step whether places hold any: its only rule is about them.
    fn asked_values(&self, step: &Step) -> Option<Vec<u64>> {
        let [rule] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        match &**solver.constraints().get(rule as usize)? {
            Constraint::Count(rule) => Some(rule.values.to_vec()),
            Constraint::Connected(rule) => Some(rule.values.to_vec()),
            Constraint::Reachable(rule) => Some(rule.values.to_vec()),
            _ => None,
        }
    }

    /// A relation that has a name: `(0,1) is less than (0,2)`.
    fn relation(&self, rule: &Related) -> Option<String> {
        let board = &self.context.heap.boards[self.board];
        let [left, right] = rule.places.map(|place| {
            let initial = board.solver.initial(place as usize);
            initial.numbers().collect::<Vec<usize>>()
        });
        if left.len() * right.len() > COMPARED {
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
        if allowed.len() <= LISTED {
            let rows: Vec<[u32; 2]> = allowed.iter().map(pair).collect();
            return Some(format!("{a} and {b} read {}", self.rows(rows.iter())));
        }
        let values = |(x, y): &(usize, usize)| {
            let [x, y] = [*x, *y].map(|value| self.value(value as u32));
            format!("{a} is {x} and {b} is {y}")
        };
        let others: Vec<String> = others.iter().map(values).collect();
        (others.len() <= LISTED).then(|| format!("it is not that {}", listed(&others, "or that")))
    }

    /// `(0,1) is wall or (2,0) is floor or sand`.
    fn either(&self, rule: &Pattern) -> String {
        if rule.places.len() > NAMED {
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
            format!("{} is {}", listed(&places, "or"), self.values(mask))
        });
        listed(&parts.collect::<Vec<String>>(), "or")
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
        listed(&rows.map(row).collect::<Vec<String>>(), "or")
    }

    /// What is added up.
    fn sum(&self, rule: &Sum, own: &str) -> String {
        if !rule.parts.is_empty() {
            return format!("what {own} count, added up,");
        }
        if rule.factors.iter().all(|factor| *factor == 1.0) {
            return format!("the sum of {own}");
        }
        if rule.places.len() > 2 * NAMED {
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
                match rows.len() <= LISTED {
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

/// Puts a place with those of which the same is said.
fn add_to_group<T: PartialEq>(groups: &mut Vec<(T, Vec<u32>)>, said: T, place: u32) {
    match groups.iter_mut().find(|(other, _)| *other == said) {
        Some((_, places)) => places.push(place),
        None => groups.push((said, vec![place])),
    }
}

/// `a, b and c`.
pub(crate) fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => "nothing".to_string(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}
