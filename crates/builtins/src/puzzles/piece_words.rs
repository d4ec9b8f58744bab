//! Why places are or are not of one piece, in words.

use super::rule_words::{BoardPhrases, add_to_group, list_in_words};
use ndscript_solver::Constraint;
use ndscript_solver::steps::Step;

/// At most this many places are looked at for one step.
const MOST_LOOKED_AT: usize = 1 << 16;
/// Borders of at most this many places are told.
const MOST_AROUND: usize = 24;

/// The cells of a grid, and which of them a step lets be, or knows to be, of the piece.
struct Piece {
    columns: usize,
    can_be: Vec<bool>,
    must_be: Vec<bool>,
    /// The cells that the step names, of which one is told rather than of others.
    named: Vec<u32>,
}

/// A part of the piece that cannot reach the rest.
struct CutOff {
    /// The place of the conclusion, and whether that is that it is of the piece.
    concluded: Option<(u32, bool)>,
    /// A place of that part which is of the piece, or would be.
    place: u32,
    /// The places around that part.
    around: Vec<u32>,
}

impl Piece {
    fn around(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, count) = (self.columns, self.can_be.len());
        let x = cell % columns;
        let left = (x > 0).then(|| cell - 1);
        let right = (x + 1 < columns).then_some(cell + 1);
        let up = cell.checked_sub(columns);
        let down = Some(cell + columns).filter(|cell| *cell < count);
        [up, left, right, down].into_iter().flatten()
    }

    /// The cells that can be reached from one, and those around them, in order.
    fn reached(&self, cell: usize) -> (Vec<bool>, Vec<u32>) {
        let mut is_reached = vec![false; self.can_be.len()];
        is_reached[cell] = true;
        let (mut waiting, mut around) = (vec![cell], Vec::new());
        while let Some(cell) = waiting.pop() {
            for other in self.around(cell) {
                if !self.can_be[other] {
                    around.push(other as u32);
                } else if !is_reached[other] {
                    is_reached[other] = true;
                    waiting.push(other);
                }
            }
        }
        around.sort_unstable();
        around.dedup();
        (is_reached, around)
    }

    /// The smallest part with a known cell that another known cell cannot reach: that cell and those around the part.
    fn parted(&self) -> Option<(u32, Vec<u32>)> {
        let named = self.named.iter().map(|cell| *cell as usize);
        let all = named.chain(0..self.must_be.len());
        let mut is_seen = vec![false; self.can_be.len()];
        let mut parts = Vec::new();
        for cell in all.filter(|cell| self.must_be[*cell]) {
            if is_seen[cell] {
                continue;
            }
            let (is_reached, around) = self.reached(cell);
            let size = is_reached.iter().filter(|is| **is).count();
            let seen = is_seen.iter_mut().zip(is_reached);
            seen.for_each(|(seen, is)| *seen |= is);
            parts.push((size, cell as u32, around));
        }
        if parts.len() < 2 {
            return None;
        }
        let (_, cell, around) = parts.into_iter().min_by_key(|(size, ..)| *size)?;
        Some((cell, around))
    }
}

impl BoardPhrases<'_> {
    /// The parts that are cut off by what a step says, one for each conclusion. `None` if it is not as simple as that.
    fn cut_off(&self, step: &Step) -> Option<Vec<CutOff>> {
        let [number] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::Connected(rule) = &**solver.constraints().get(number as usize)? else {
            return None;
        };
        let count = rule.columns as usize * rule.rows as usize;
        if count * (1 + step.conclusions.len()) > MOST_LOOKED_AT {
            return None;
        }
        let is_counted = |value: &u32| rule.values[*value as usize / 64] >> (value % 64) & 1 == 1;
        let held: Vec<Vec<u32>> = (0..count as u32)
            .map(|place| self.held(step, place))
            .collect();
        let mut piece = Piece {
            columns: (rule.columns as usize).max(1),
            can_be: held
                .iter()
                .map(|held| held.iter().any(is_counted))
                .collect(),
            must_be: held
                .iter()
                .map(|held| !held.is_empty() && held.iter().all(is_counted))
                .collect(),
            named: step.places.clone(),
        };
        if step.conclusions.is_empty() {
            let (place, around) = piece.parted()?;
            let concluded = None;
            return Some(vec![CutOff {
                concluded,
                place,
                around,
            }]);
        }
        let parts = step.conclusions.iter().map(|one| {
            let at = one.place as usize;
            let is_needed = !one.values.iter().any(is_counted);
            let before = (piece.can_be[at], piece.must_be[at]);
            (piece.can_be[at], piece.must_be[at]) = (!is_needed, !is_needed);
            let part = match is_needed {
                true => piece.parted(),
                false => {
                    let (is_reached, around) = piece.reached(at);
                    let mut others = (0..count).filter(|cell| piece.must_be[*cell]);
                    let is_apart = others.any(|cell| !is_reached[cell]);
                    is_apart.then_some((one.place, around))
                }
            };
            (piece.can_be[at], piece.must_be[at]) = before;
            let (place, mut around) = part?;
            around.retain(|place| *place != one.place);
            Some(CutOff {
                concluded: Some((one.place, is_needed)),
                place,
                around,
            })
        });
        parts.collect()
    }

    /// The places around a part of a piece that could not be of it from the beginning, with what they can be.
    pub(super) fn around_piece(&self, step: &Step) -> Option<Vec<(u32, Vec<u32>)>> {
        let parts = self.cut_off(step)?;
        let mut places: Vec<u32> = parts
            .iter()
            .flat_map(|part| &part.around)
            .copied()
            .collect();
        places.sort_unstable();
        places.dedup();
        places.retain(|place| !step.places.contains(place));
        if places.len() > MOST_AROUND {
            places.clear();
        }
        let with_values = places.into_iter().map(|place| (place, self.start(place)));
        Some(with_values.collect())
    }

    /// What would be cut off without what a step concludes: `else (0,0) would be cut off`.
    pub(super) fn piece_without(&self, step: &Step) -> Option<String> {
        let parts = self.cut_off(step)?;
        let mut excluded = Vec::new();
        let mut needed: Vec<(u32, Vec<u32>)> = Vec::new();
        for part in &parts {
            match part.concluded {
                None => return Some(format!("{} is cut off", self.place(part.place))),
                Some((place, false)) => excluded.push(place),
                Some((place, true)) => add_to_group(&mut needed, part.place, place),
            }
        }
        let mut phrases = Vec::new();
        if !excluded.is_empty() {
            let it = match excluded.len() {
                1 => "it".to_string(),
                _ => "they".to_string(),
            };
            phrases.push(format!("{it} would be cut off"));
        }
        let alone = needed.len() == 1 && excluded.is_empty();
        phrases.extend(needed.iter().map(|(place, by)| {
            let place = self.place(*place);
            match by.len() {
                1 if alone => format!("else {place} would be cut off"),
                _ => {
                    let by = list_in_words(&self.names_of(by), "or");
                    format!("without {by}, {place} would be cut off")
                }
            }
        }));
        Some(list_in_words(&phrases, "and"))
    }
}
