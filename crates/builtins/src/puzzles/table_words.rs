//! Rules that are tables of rows, in words.

use super::rule_words::{BoardPhrases, MOST_LISTED, add_to_group, list_in_words};
use ndscript_solver::Tuples;
use ndscript_solver::steps::Step;

/// A table is compared with what all rows say of the values, if these have at most this many combinations.
const MOST_COMPARED: usize = 8192;
/// Rows are listed if they have at most this many values.
const MOST_LISTED_VALUES: usize = 24;
/// At most this many rows are listed as what a step leaves, with at most so many values in all.
const MOST_LEFT: usize = 6;
const MOST_VALUES: usize = 60;

/// The rows of a table in the order in which their places are named.
struct Rows {
    places: Vec<u32>,
    rows: Vec<Vec<u32>>,
}

/// The pairs of a row that differ, in addition to what else is said of it.
type Differing<'a> = (&'static str, &'a dyn Fn(&[u32]) -> bool);

impl BoardPhrases<'_> {
    fn rows_in_order(&self, rule: &Tuples) -> Rows {
        let mut sorted = rule.places.clone();
        sorted.sort_unstable();
        let places: Vec<u32> = match self.are_one(&sorted) {
            true => sorted,
            false => {
                let runs = self.runs_of(&sorted).into_iter();
                runs.flat_map(|(_, places)| places).collect()
            }
        };
        let at = |place: &u32| rule.places.iter().position(|own| own == place);
        let order: Vec<usize> = places.iter().filter_map(at).collect();
        let rows = rule.table.rows().chunks(rule.places.len().max(1));
        let rows = rows.map(|row| order.iter().map(|at| row[*at]).collect());
        Rows {
            rows: rows.collect(),
            places,
        }
    }

    /// A table as a rule, or only what it says of the values that its rows have, and the work for that; `None` if it has too many
    /// rows to say more than their number.
    pub(super) fn short_table(
        &self,
        rule: &Tuples,
        of_its_values: bool,
    ) -> (Option<String>, usize) {
        let table = self.rows_in_order(rule);
        let mut domains = self.initial_domains(&table);
        let all = domains.iter().map(Vec::len).sum::<usize>();
        if of_its_values {
            for (at, own) in domains.iter_mut().enumerate() {
                own.retain(|value| table.rows.iter().any(|row| row[at] == *value));
            }
        }
        let kept = domains.iter().map(Vec::len);
        if of_its_values && kept.clone().sum::<usize>() == all {
            return (None, 0);
        }
        let combinations = kept.fold(1, usize::saturating_mul);
        let places = table.places.len();
        let compared = match combinations > MOST_COMPARED {
            true => 0,
            // All rows are looked at for each property; of most places it has two.
            false => combinations * places * (5 + 2 * places),
        };
        let work = table.rows.len() * places + compared;
        match of_its_values {
            true => {
                let work = work + table.rows.len() * all;
                (self.table_as_sentence(&table, &domains), work)
            }
            false => (self.table_in_words(&table), work),
        }
    }

    fn initial_domains(&self, table: &Rows) -> Vec<Vec<u32>> {
        let places = table.places.iter();
        places.map(|place| self.initial(*place)).collect()
    }

    fn table_in_words(&self, table: &Rows) -> Option<String> {
        let Rows { places, rows } = table;
        if let Some(sentence) = self.table_as_sentence(table, &self.initial_domains(table)) {
            return Some(sentence);
        }
        let is_short = rows.len() <= MOST_LISTED
            || rows.len() * places.len() <= MOST_LISTED_VALUES && rows.len() <= 2 * MOST_LISTED;
        is_short.then(|| {
            let (own, list) = (self.places(places), self.rows(rows.iter()));
            match (rows.len(), self.are_one(places)) {
                (1, _) => format!("only {list} is allowed at {own}"),
                (_, true) => format!("{own} reads {list}"),
                (_, false) => format!("{own} hold together only {list}"),
            }
        })
    }

    /// A table as a rule.
    pub(super) fn table(&self, rule: &Tuples) -> String {
        let table = self.rows_in_order(rule);
        self.table_in_words(&table).unwrap_or_else(|| {
            let has = if self.are_one(&table.places) {
                "has"
            } else {
                "have"
            };
            let own = self.places(&table.places);
            format!(
                "{own} {has} one of {} rows that are allowed",
                table.rows.len()
            )
        })
    }

    /// A table, as far as a step uses it: the rows that are left, or what none of them has.
    pub(super) fn used_table(
        &self,
        step: &Step,
        rule: &Tuples,
        of_its_values: Option<&String>,
    ) -> Option<String> {
        let table = self.rows_in_order(rule);
        if let Some(sentence) = of_its_values {
            let has = |place: u32, value: u32| {
                let at = table.places.iter().position(|own| *own == place);
                at.is_some_and(|at| table.rows.iter().any(|row| row[at] == value))
            };
            let mut concluded = step.conclusions.iter();
            if concluded.all(|one| one.values.iter().all(|value| has(one.place, *value))) {
                return Some(sentence.clone());
            }
        }
        let own = self.places(&table.places);
        let mut left = table.rows.clone();
        for (at, place) in table.places.iter().enumerate() {
            if let Some(known) = step.places.iter().position(|own| own == place) {
                left.retain(|row| step.candidates[known].contains(&row[at]));
            }
            let mut concluded = step.conclusions.iter();
            if let Some(one) = concluded.find(|one| one.place == *place)
                && let Some(value) = one.decided
            {
                left.retain(|row| row[at] == value || one.values.contains(&row[at]));
            }
        }
        let all = table.rows.len();
        if left.is_empty() {
            return Some(format!(
                "none of the {all} rows that are allowed at {own} fits"
            ));
        }
        let is_listed = left.len() <= MOST_LEFT && left.len() * table.places.len() <= MOST_VALUES;
        if is_listed {
            let rows = self.rows(left.iter());
            if left.len() == all {
                let are = if all == 1 { "is" } else { "are" };
                return Some(format!("only {rows} {are} allowed at {own}"));
            }
            let fit = if left.len() == 1 { "fits" } else { "fit" };
            return Some(format!(
                "of the {all} rows that are allowed at {own} only {rows} {fit}"
            ));
        }
        if let Some(rows) = self.rows_with(step, &table) {
            return Some(rows);
        }
        // What the rows that are left have at each place of a conclusion.
        let mut groups: Vec<(String, Vec<u32>)> = Vec::new();
        for one in &step.conclusions {
            let Some(at) = table.places.iter().position(|place| *place == one.place) else {
                continue;
            };
            let mut values: Vec<u32> = left.iter().map(|row| row[at]).collect();
            values.sort_unstable();
            values.dedup();
            let values = match values.len() <= MOST_LEFT {
                true => self.either_of(&values),
                false => format!("no {}", self.either_of(&one.values)),
            };
            add_to_group(&mut groups, values, one.place);
        }
        let phrases = groups.iter().map(|(values, places)| {
            let places = list_in_words(&self.names_of(places), "and");
            format!("{values} at {places}")
        });
        let has = list_in_words(&phrases.collect::<Vec<String>>(), "and");
        let left = left.len();
        Some(match left == all {
            true => format!("each of the {all} rows that are allowed at {own} has {has}"),
            false => format!(
                "each of the {left} rows that fit at {own}, of {all} that are allowed, has {has}"
            ),
        })
    }

    /// The few rows that have what a step excludes from one place: `of the 50 rows that are allowed at row 1 only 1 2 3 has 2 at (1,1)`.
    fn rows_with(&self, step: &Step, table: &Rows) -> Option<String> {
        let [one] = &step.conclusions[..] else {
            return None;
        };
        let at = table.places.iter().position(|place| *place == one.place)?;
        let with = table.rows.iter();
        let with: Vec<&Vec<u32>> = with.filter(|row| one.values.contains(&row[at])).collect();
        if with.len() > MOST_LISTED || with.len() * table.places.len() > MOST_VALUES {
            return None;
        }
        let (all, own) = (table.rows.len(), self.places(&table.places));
        let (values, place) = (self.either_of(&one.values), self.place(one.place));
        let has = if with.len() == 1 { "has" } else { "have" };
        Some(match with.is_empty() {
            true => {
                format!("none of the {all} rows that are allowed at {own} has {values} at {place}")
            }
            false => format!(
                "of the {all} rows that are allowed at {own} only {} {has} {values} at {place}",
                self.rows(with.into_iter())
            ),
        })
    }

    /// What all rows of a table have in common, if no other rows have it: `the sum of (0,1) to (0,3) is 12`.
    /// `domains` are what each place could hold.
    fn table_as_sentence(&self, table: &Rows, domains: &[Vec<u32>]) -> Option<String> {
        let Rows { places, rows } = table;
        let first = rows.first()?;
        let room = domains.iter().map(Vec::len);
        if places.len() < 2 || room.fold(1, usize::saturating_mul) > MOST_COMPARED {
            return None;
        }
        let fits = |row: &&Vec<u32>| {
            row.iter()
                .zip(domains)
                .all(|(value, own)| own.contains(value))
        };
        let rows: Vec<&Vec<u32>> = rows.iter().filter(fits).collect();
        let all = product(domains);
        let in_line = |one: u32, other: u32| self.are_in_line(one, other);
        let differ = |row: &[u32], counts: &dyn Fn(usize, usize) -> bool| {
            (0..row.len()).all(|a| (0..a).all(|b| row[a] != row[b] || !counts(a, b)))
        };
        let lines = |row: &[u32]| differ(row, &|a, b| in_line(places[a], places[b]));
        let everywhere = |row: &[u32]| differ(row, &|_, _| true);
        let differing: [Differing<'_>; 3] = [
            ("", &|_| true),
            (", with no value twice in a row or column", &lines),
            (", with no value twice", &everywhere),
        ];
        // The words after which all rows that have a property are those of the table.
        let suffix = |has: &dyn Fn(&[u32]) -> bool| {
            if !rows.iter().all(|row| has(row)) {
                return None;
            }
            let is_it = |(_, differs): &&Differing<'_>| {
                let count = all.iter().filter(|row| has(row) && differs(row)).count();
                count == rows.len() && rows.iter().all(|row| differs(row))
            };
            differing.iter().find(is_it).map(|(words, _)| *words)
        };
        let own = self.places(places);
        if suffix(&|row| row.iter().all(|value| *value == row[0])) == Some("") {
            return Some(format!("{own} are equal"));
        }
        for at in 0..places.len() {
            let others: Vec<u32> = places
                .iter()
                .copied()
                .filter(|own| *own != places[at])
                .collect();
            let (place, others) = (self.place(places[at]), self.places(&others));
            let differing = |row: &[u32]| row.iter().filter(|value| **value != row[at]).count();
            let count = differing(first);
            if places.len() > 2 && suffix(&|row| differing(row) == count) == Some("") {
                let differ = if count == 1 { "differs" } else { "differ" };
                return Some(format!("exactly {count} of {others} {differ} from {place}"));
            }
            let value = first[at];
            let are_equal = |row: &[u32]| {
                let mut others = (0..row.len()).filter(|other| *other != at);
                let one = others.next().map(|other| row[other]);
                others.all(|other| Some(row[other]) == one)
            };
            let is_then = are_equal(first);
            let tells = |row: &[u32]| (row[at] == value) == (are_equal(row) == is_then);
            if places.len() == 3 && domains[at].len() == 2 && suffix(&tells) == Some("") {
                let verb = if is_then { "are equal" } else { "differ" };
                let value = self.value(value);
                return Some(format!("{place} is {value} exactly if {others} {verb}"));
            }
        }
        let numbers = |row: &[u32]| -> Option<Vec<f64>> {
            row.iter().map(|value| self.number(*value)).collect()
        };
        let of_first = numbers(first)?;
        type Amount = fn(&[f64]) -> f64;
        let amounts: [(&str, &str, bool, Amount); 4] = [
            ("the sum of ", " is ", false, |row| row.iter().sum()),
            ("the product of ", " is ", false, |row| row.iter().product()),
            ("", " differ by ", true, |row| (row[0] - row[1]).abs()),
            (
                "of ",
                " the larger one divided by the smaller one is ",
                true,
                |row| row[0].max(row[1]) / row[0].min(row[1]),
            ),
        ];
        amounts
            .iter()
            .find_map(|(before, after, is_of_two, amount)| {
                if *is_of_two && places.len() != 2 {
                    return None;
                }
                let goal = amount(&of_first);
                let words = suffix(&|row| numbers(row).is_some_and(|row| amount(&row) == goal))?;
                goal.is_finite()
                    .then(|| format!("{before}{own}{after}{goal}{words}"))
            })
    }
}

/// All rows of values of domains.
fn product(domains: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new()];
    for domain in domains {
        let longer = rows.iter().flat_map(|row: &Vec<u32>| {
            domain.iter().map(move |value| {
                let mut row = row.clone();
                row.push(*value);
                row
            })
        });
        rows = longer.collect();
    }
    rows
}
