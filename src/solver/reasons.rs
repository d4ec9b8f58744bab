//! From which other places it follows that a place has lost values: as few as leaving out finds (a deletion filter, after Chinneck and
//! Dravnieks, 1991), by halves first. Whoever asks is watching; a look at a large board costs no more than a share of a statement.

use super::domains::Candidates;
use super::piece::Piece;
use super::{Constraint, Solver};

/// So many values and cells are looked at for the removals of one statement. Beyond that reasons are not the fewest.
pub(super) const MOST_WORK: usize = 1 << 22;

/// Whether a constraint can hold with some values of one place, if others are what they are now, or what they could be at first.
pub(super) struct Question<'b> {
    solver: &'b Solver,
    constraint: &'b Constraint,
    place: u32,
    /// The values as bits.
    values: Vec<u64>,
    /// All values of the board.
    all: Vec<u64>,
    is_relaxed: Vec<bool>,
    work: usize,
}

impl<'b> Question<'b> {
    pub fn new(
        solver: &'b Solver,
        constraint: &'b Constraint,
        place: u32,
        values: &[u32],
    ) -> Question<'b> {
        let words = solver.values.div_ceil(64).max(1);
        let bits = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut bits = vec![0; words];
            numbers.for_each(|number| bits[number / 64] |= 1 << (number % 64));
            bits
        };
        Question {
            solver,
            constraint,
            place,
            values: bits(&mut values.iter().map(|value| *value as usize)),
            all: bits(&mut (0..solver.values)),
            is_relaxed: vec![false; solver.places],
            work: 0,
        }
    }

    /// Whether the constraint says what follows for any values of the board: a table and a relation know only those that places could
    /// hold when they were put there.
    pub fn knows_all_values(constraint: &Constraint) -> bool {
        !matches!(
            constraint,
            Constraint::Related { .. } | Constraint::Table { .. }
        )
    }

    fn domain(&self, place: u32) -> Candidates<'_> {
        if place == self.place {
            Candidates::whole(&self.values)
        } else if !self.is_relaxed[place as usize] {
            self.solver.candidates(place as usize)
        } else if Question::knows_all_values(self.constraint) {
            Candidates::whole(&self.all)
        } else {
            self.solver.initial(place as usize)
        }
    }

    /// The fewest of some places from which it follows that nothing of the values is left, beside others that are told anyway, and the work
    /// that was. `None` if it does not follow from all of them, or nothing is known of such constraints.
    pub fn fewest(
        mut self,
        places: Vec<u32>,
        told_anyway: &[u32],
        most_work: usize,
    ) -> (Option<Vec<u32>>, usize) {
        // What is no candidate for a reason is as it could be at first.
        self.is_relaxed.fill(true);
        places
            .iter()
            .chain(told_anyway)
            .for_each(|place| self.is_relaxed[*place as usize] = false);
        if self.can_hold() != Some(false) {
            return (None, self.work);
        }
        let mut kept = places;
        let mut size = kept.len().max(1);
        while size > 0 {
            let mut at = 0;
            while at < kept.len() && self.work < most_work {
                let end = (at + size).min(kept.len());
                kept[at..end]
                    .iter()
                    .for_each(|place| self.is_relaxed[*place as usize] = true);
                if self.can_hold() == Some(false) {
                    kept.drain(at..end);
                } else {
                    kept[at..end]
                        .iter()
                        .for_each(|place| self.is_relaxed[*place as usize] = false);
                    at = end;
                }
            }
            size /= 2;
        }
        (Some(kept), self.work)
    }

    /// Whether the constraint can hold. It may say so wrongly, but never the contrary.
    fn can_hold(&mut self) -> Option<bool> {
        let (holds, work) = match self.constraint {
            Constraint::Related {
                places: [a, b],
                width,
                forward,
                ..
            } => {
                let width = *width as usize;
                let other = self.domain(*b);
                let row = |number: usize| {
                    forward
                        .get(number * width..(number + 1) * width)
                        .unwrap_or_default()
                };
                (
                    self.domain(*a)
                        .numbers()
                        .any(|number| other.meets(row(number))),
                    width * self.solver.values,
                )
            }
            Constraint::Table { places, table, .. } => {
                let domains: Vec<Candidates<'_>> =
                    places.iter().map(|place| self.domain(*place)).collect();
                let fits = |row: &[u32]| {
                    row.iter()
                        .zip(&domains)
                        .all(|(value, domain)| domain.has(*value as usize))
                };
                (
                    table.each_row().any(fits),
                    table.each_row().len() * places.len(),
                )
            }
            Constraint::Pattern {
                places, automaton, ..
            } => {
                let holds = automaton.reads(places.iter().map(|place| self.domain(*place)));
                (holds, places.len() * automaton.states as usize)
            }
            Constraint::Connected {
                columns,
                rows,
                values,
            } => {
                let piece = Piece {
                    columns: *columns as usize,
                    rows: *rows as usize,
                    values,
                };
                let must = |place: &u32| !self.domain(*place).has_others(values);
                let musts: Vec<u32> = (0..self.solver.places as u32).filter(must).collect();
                (self.is_joined(&piece, &musts), 4 * self.solver.places)
            }
            Constraint::Reachable {
                columns,
                rows,
                values,
                ends,
            } => {
                let piece = Piece {
                    columns: *columns as usize,
                    rows: *rows as usize,
                    values,
                };
                (self.is_joined(&piece, ends), 4 * self.solver.places)
            }
            _ => return None,
        };
        self.work += work;
        Some(holds)
    }

    /// Whether open cells lead from one of some places to all others.
    fn is_joined(&self, piece: &Piece<'_>, places: &[u32]) -> bool {
        let Some(first) = places.first() else {
            return true;
        };
        let may: Vec<bool> = (0..self.solver.places as u32)
            .map(|place| self.domain(place).meets(piece.values))
            .collect();
        let mut is_seen = vec![false; may.len()];
        let mut open = Vec::new();
        if may[*first as usize] {
            is_seen[*first as usize] = true;
            open.push(*first as usize);
        }
        while let Some(place) = open.pop() {
            let (x, y) = (place % piece.columns, place / piece.columns);
            let beside = [
                (x > 0).then(|| place - 1),
                (x + 1 < piece.columns).then_some(place + 1),
                (y > 0).then(|| place - piece.columns),
                (y + 1 < piece.rows).then_some(place + piece.columns),
            ];
            for next in beside.into_iter().flatten() {
                if may[next] && !std::mem::replace(&mut is_seen[next], true) {
                    open.push(next);
                }
            }
        }
        places.iter().all(|place| is_seen[*place as usize])
    }
}
