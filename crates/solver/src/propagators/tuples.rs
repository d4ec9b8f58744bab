//! `tuples`: what no row of a table spells, after Demeulenaere et al., "Compact-Table" (2016). For each value of each
//! place the rows that have it are bits; the rows that are still possible are what all places have in common. They are
//! found anew each time, so that there is nothing to undo.

use std::collections::{BTreeMap, BTreeSet};

use ndscript_base::keyed::KeyedMap;

use super::has_twice;
use crate::explanation::Question;
use crate::learning::Lit;
use crate::learning::encoder::{Encoded, Encoder};
use crate::learning::log::Meaning;
use crate::propagator::{Call, Propagator};
use crate::{Candidates, ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room::{self, hash_map};

/// A table of three columns with more rows than this is encoded by the values of a column that has few, if there is
/// one.
const MANY_ROWS: usize = 256;
/// Up to this number, values are few.
const FEW_VALUES: usize = 8;

/// The places spell a row of a table.
#[derive(Clone, Debug)]
pub struct Tuples {
    /// The places, in the order of a row.
    pub places: Vec<u32>,
    /// The rows.
    pub table: Table,
    /// Places whose lost values were left out of the rows when the table was made.
    pub clues: Vec<u32>,
}

impl Propagator for Tuples {
    type Progress = TuplesPropagation;

    fn name(&self) -> &'static str {
        "tuples"
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        1
    }

    fn propagate(
        &self,
        progress: &mut TuplesPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(solver, call.number, &self.places, &self.table, budget)
    }

    fn bytes_of(progress: &TuplesPropagation) -> usize {
        room::row(&progress.possible) + room::row(&progress.here)
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let domains: Vec<Candidates<'_>> = self
            .places
            .iter()
            .map(|place| question.domain(*place))
            .collect();
        let fits = |row: &[u32]| {
            row.iter()
                .zip(&domains)
                .all(|(value, domain)| domain.has(*value as usize))
        };
        let work = self.table.each_row().len() * self.places.len();
        Some((self.table.each_row().any(fits), work))
    }

    /// A variable for each row that is possible: it has its values, and each value is that of a row.
    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        if let Some(column) = self.small_column(encoder) {
            self.encode_by(column, encoder);
            return Encoded::Done;
        }
        let mut rows_with: BTreeMap<(u32, u32), Vec<Lit>> = BTreeMap::new();
        let mut rows = Vec::new();
        for (number, row) in (0..).zip(self.table.each_row()) {
            if encoder.engine.is_full {
                return Encoded::Done;
            }
            let cells = self.places.iter().zip(row);
            let literals: Option<Vec<Lit>> = cells
                .clone()
                .map(|(place, value)| encoder.equals_literal(*place, *value))
                .collect();
            let Some(literals) = literals else {
                continue;
            };
            let chosen = encoder.variable();
            encoder.record_meaning(chosen, || Meaning::Row(number));
            for ((place, value), literal) in cells.zip(literals) {
                encoder.engine.add_clause(&[!chosen, literal]);
                rows_with.entry((*place, *value)).or_default().push(chosen);
            }
            rows.push(chosen);
        }
        encoder.engine.add_clause(&rows);
        for place in &self.places {
            for (value, literal) in encoder.values(*place).to_vec() {
                let mut clause = rows_with.get(&(*place, value)).cloned().unwrap_or_default();
                clause.push(!literal);
                encoder.engine.add_clause(&clause);
            }
        }
        Encoded::Done
    }

    fn knows_all_values(&self) -> bool {
        false
    }

    fn clues(&self) -> &[u32] {
        &self.clues
    }

    fn reads_twice(&self) -> bool {
        has_twice(&self.places)
    }

    fn bytes(&self) -> usize {
        room::row(&self.places) + room::row(&self.clues) + self.table.bytes()
    }

    fn fits(&self, _: usize) -> bool {
        self.table
            .rows()
            .len()
            .is_multiple_of(self.places.len().max(1))
    }
}

impl Tuples {
    /// The column with the fewest values of a large table of three, if these are few.
    fn small_column(&self, encoder: &Encoder) -> Option<usize> {
        if self.places.len() != 3
            || self.table.each_row().len() <= MANY_ROWS
            || has_twice(&self.places)
        {
            return None;
        }
        let values_of = |column: &usize| encoder.values(self.places[*column]).len();
        let column = (0..3).min_by_key(values_of)?;
        (values_of(&column) <= FEW_VALUES).then_some(column)
    }

    /// For each value of a column what it leaves of the others: if the rows with it are few, by a variable for each of them; else each
    /// value of one place has its support at the other.
    fn encode_by(&self, column: usize, encoder: &mut Encoder) {
        let others = [(column + 1) % 3, (column + 2) % 3];
        let places = others.map(|other| self.places[other]);
        let most = 2 * places
            .map(|place| encoder.values(place).len())
            .iter()
            .sum::<usize>();
        for (key, given) in encoder.values(self.places[column]).to_vec() {
            if encoder.engine.is_full {
                return;
            }
            let rows = (0..).zip(self.table.each_row());
            let rows: Vec<(u32, [(u32, Lit); 2])> = rows
                .filter(|(_, row)| row[column] == key)
                .filter_map(|(number, row)| {
                    let [one, other] = [0, 1].map(|at| {
                        let value = row[others[at]];
                        encoder
                            .equals_literal(places[at], value)
                            .map(|literal| (value, literal))
                    });
                    Some((number, [one?, other?]))
                })
                .collect();
            let chosen: Option<Vec<Lit>> = (rows.len() <= most).then(|| {
                let mut chosen = Vec::with_capacity(rows.len());
                for (number, cells) in &rows {
                    let row = encoder.variable();
                    encoder.record_meaning(row, || Meaning::Row(*number));
                    encoder.engine.add_clause(&[!row, given]);
                    for (_, literal) in cells {
                        encoder.engine.add_clause(&[!row, *literal]);
                    }
                    chosen.push(row);
                }
                let mut clause = chosen.clone();
                clause.push(!given);
                encoder.engine.add_clause(&clause);
                chosen
            });
            for side in [0, 1] {
                // For each value of the one place its rows, with the values of the other.
                let mut rows_with: BTreeMap<u32, Vec<(usize, Lit)>> = BTreeMap::new();
                for (at, (_, cells)) in rows.iter().enumerate() {
                    let own = rows_with.entry(cells[side].0).or_default();
                    own.push((at, cells[1 - side].1));
                }
                for (value, literal) in encoder.values(places[side]).to_vec() {
                    let own = rows_with.remove(&value).unwrap_or_default();
                    let mut clause = vec![!given, !literal];
                    if let Some(chosen) = &chosen {
                        clause.extend(own.iter().map(|(at, _)| chosen[*at]));
                        encoder.engine.add_clause(&clause);
                        continue;
                    }
                    let supports: BTreeSet<Lit> = own.iter().map(|(_, other)| *other).collect();
                    let all = encoder.values(places[1 - side]).iter();
                    let against: Vec<Lit> = all
                        .map(|(_, other)| *other)
                        .filter(|other| !supports.contains(other))
                        .collect();
                    if against.len() <= 2 {
                        for other in against {
                            encoder.engine.add_clause(&[!given, !literal, !other]);
                        }
                    } else {
                        clause.extend(supports);
                        encoder.engine.add_clause(&clause);
                    }
                }
            }
        }
    }
}

impl ndscript_base::codec::Saved for Tuples {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.places.save(out);
        self.table.rows().save(out);
        self.clues.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Tuples, ndscript_base::codec::Unsound> {
        let (places, rows): (Vec<u32>, Vec<u32>) = (Vec::load(from)?, Vec::load(from)?);
        from.make_room::<u64>(
            rows.len()
                .saturating_mul(rows.len() / places.len().max(1) / 64 + 3),
        )?;
        let table = TableBuilder::new(rows, places.len()).finish();
        Ok(Tuples {
            places,
            table,
            clues: Vec::load(from)?,
        })
    }
}

/// The rows that some places can spell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Numbers of values, a row after another.
    rows: Vec<u32>,
    length: usize,
    /// For each value of a place the number of its row of bits.
    numbers: KeyedMap<(u32, u32), u32>,
    bits: Vec<u64>,
    words: usize,
}

impl Table {
    /// How many rows there are.
    fn count(&self) -> usize {
        self.rows.len() / self.length.max(1)
    }

    /// The numbers of values, a row after another.
    pub fn rows(&self) -> &Vec<u32> {
        &self.rows
    }

    /// The numbers of the values of each row.
    pub(crate) fn each_row(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.rows.chunks_exact(self.length.max(1))
    }

    fn of_value(&self, at: usize, number: usize) -> Option<&[u64]> {
        let start = *self.numbers.get(&(at as u32, number as u32))? as usize * self.words;
        self.bits.get(start..start + self.words)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.rows) + room::row(&self.bits) + hash_map(self.numbers.capacity(), 12)
    }
}

/// A table that is being built.
#[derive(Clone, Debug)]
pub struct TableBuilder {
    table: Table,
    at: usize,
    is_numbered: bool,
}

/// The progress of building a table.
pub enum TableProgress {
    /// The budget is spent before.
    NotYet,
    /// It needs this number of bytes.
    Wants(usize),
    /// It is there.
    Done(Table),
}

impl TableBuilder {
    /// Makes tuples of rows of this length.
    pub fn new(rows: Vec<u32>, length: usize) -> TableBuilder {
        let words = (rows.len() / length.max(1)).div_ceil(64);
        let table = Table {
            rows,
            length,
            words,
            ..Table::default()
        };
        TableBuilder {
            table,
            at: 0,
            is_numbered: false,
        }
    }

    /// Continues; asks `fits` for the memory that is needed before it is taken.
    pub fn resume(
        &mut self,
        budget: &mut Budget,
        fits: &mut dyn FnMut(usize) -> bool,
    ) -> TableProgress {
        let table = &mut self.table;
        let count = table.count() * table.length;
        while !self.is_numbered {
            if budget.is_spent() {
                return TableProgress::NotYet;
            }
            if self.at == count {
                let bytes = table.numbers.len() * table.words * 8;
                if !fits(bytes) {
                    return TableProgress::Wants(bytes);
                }
                budget.spend(table.numbers.len() * table.words / 16);
                table.bits = vec![0; table.numbers.len() * table.words];
                (self.at, self.is_numbered) = (0, true);
                break;
            }
            if table.numbers.len() == table.numbers.capacity() {
                let bytes = hash_map(2 * table.numbers.capacity() + 1, 12);
                if !fits(bytes) {
                    return TableProgress::Wants(bytes);
                }
                table.numbers.reserve(1);
            }
            budget.spend(4);
            let next = table.numbers.len() as u32;
            table
                .numbers
                .entry(((self.at % table.length) as u32, table.rows[self.at]))
                .or_insert(next);
            self.at += 1;
        }
        while self.at < count {
            if budget.is_spent() {
                return TableProgress::NotYet;
            }
            budget.spend(4);
            let (row, at) = (self.at / table.length, self.at % table.length);
            if let Some(number) = table.numbers.get(&(at as u32, table.rows[self.at])) {
                table.bits[*number as usize * table.words + row / 64] |= 1 << (row % 64);
            }
            self.at += 1;
        }
        TableProgress::Done(std::mem::take(&mut self.table))
    }

    /// All at once.
    pub fn finish(mut self) -> Table {
        match self.resume(&mut Budget::unlimited(), &mut |_| true) {
            TableProgress::Done(table) => table,
            TableProgress::NotYet | TableProgress::Wants(_) => Table::default(),
        }
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// A pass over all places for the rows that are still possible, and a second one that removes the values of no possible
/// row.
#[derive(Clone, Debug, Default)]
pub struct TuplesPropagation {
    possible: Vec<u64>,
    /// The rows that the candidates of a place have; the candidates that stay.
    here: Vec<u64>,
    at: usize,
    /// The next candidate of the place to visit.
    value: usize,
    is_known: bool,
    is_begun: bool,
}

impl TuplesPropagation {
    /// Removes the values of no possible row.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        places: &[u32],
        table: &Table,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        if !self.is_begun {
            let bytes = table.words * 16;
            if !solver.is_granted(bytes) {
                return Ok(Fixpoint::NeedsMemory(bytes));
            }
            self.possible = vec![u64::MAX; table.words];
            self.here = vec![0; table.words];
            self.is_begun = true;
            budget.spend(table.words + 32);
        }
        while !self.is_known {
            let Some(place) = places.get(self.at).filter(|_| self.at < table.length) else {
                (self.at, self.value, self.is_known) = (0, 0, true);
                self.here = Vec::new();
                break;
            };
            for value in solver
                .candidates(*place as usize)
                .numbers()
                .filter(|value| *value >= self.value)
            {
                if budget.is_spent() {
                    self.value = value;
                    return Ok(Fixpoint::NotYet);
                }
                budget.spend(4 * (table.words + 2));
                let bits = table.of_value(self.at, value).unwrap_or_default();
                self.here
                    .iter_mut()
                    .zip(bits)
                    .for_each(|(here, bits)| *here |= bits);
            }
            self.possible
                .iter_mut()
                .zip(&self.here)
                .for_each(|(possible, here)| *possible &= here);
            self.here.fill(0);
            (self.at, self.value) = (self.at + 1, 0);
        }
        while let Some(place) = places.get(self.at).filter(|_| self.at < table.length) {
            let candidates = solver.candidates(*place as usize);
            let (first, words) = candidates.words();
            if self.value == 0 {
                self.here.clear();
                self.here.resize(words.len(), 0);
            }
            for value in candidates.numbers().filter(|value| *value >= self.value) {
                if budget.is_spent() {
                    self.value = value;
                    return Ok(Fixpoint::NotYet);
                }
                budget.spend(4 * (table.words + 2));
                let bits = table.of_value(self.at, value).unwrap_or_default();
                if bits
                    .iter()
                    .zip(&self.possible)
                    .any(|(bits, possible)| bits & possible != 0)
                {
                    self.here[value / 64 - first] |= 1 << (value % 64);
                }
            }
            solver.keep_words(*place as usize, &self.here, Some(number))?;
            (self.at, self.value) = (self.at + 1, 0);
        }
        Ok(Fixpoint::Reached)
    }
}
