//! The meaning of the Booleans of a rule over a graph on a board.

use std::sync::Arc;

use crate::kernel::{Item, Literal, Status};
use crate::{Candidates, DomainWipeout, Solver};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_base::room;

/// Places that hold one of some values come first, by number; then pairs of places whose values fit.
#[derive(Clone, Debug, Default)]
pub struct Booleans {
    /// Words of a mask.
    pub width: u32,
    /// The masks, one after the other.
    pub masks: Vec<u64>,
    /// A place and the number of a mask, one after the other.
    pub holds: Vec<u32>,
    /// For each relation a mask for each value of the first place.
    pub tables: Vec<Vec<u64>>,
    /// Two places and the number of a relation, one after the other.
    pub fits: Vec<u32>,
}

impl Booleans {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count_of_holds() + self.fits.len() / 3
    }

    /// How many of them are about one place.
    pub fn count_of_holds(&self) -> usize {
        self.holds.len() / 2
    }

    fn mask(&self, number: u32) -> &[u64] {
        let width = self.width as usize;
        &self.masks[number as usize * width..(number as usize + 1) * width]
    }

    /// The place of an item, and its values as a mask.
    pub fn hold(&self, item: usize) -> (u32, &[u64]) {
        (self.holds[2 * item], self.mask(self.holds[2 * item + 1]))
    }

    fn fit(&self, item: usize) -> ([u32; 2], &[u64]) {
        let at = 3 * (item - self.count_of_holds());
        let table = &self.tables[self.fits[at + 2] as usize];
        ([self.fits[at], self.fits[at + 1]], table)
    }

    /// The values that fit to a value of the first place. A value numbered later fits to nothing.
    fn row<'a>(&self, table: &'a [u64], value: usize) -> &'a [u64] {
        let width = self.width as usize;
        table
            .get(value * width..(value + 1) * width)
            .unwrap_or_default()
    }

    /// The places of an item.
    pub fn places_of(&self, item: u32) -> impl Iterator<Item = u32> {
        let item = item as usize;
        let places = if item < self.count_of_holds() {
            let (place, _) = self.hold(item);
            [place, place]
        } else {
            self.fit(item).0
        };
        let count = if places[0] == places[1] { 1 } else { 2 };
        places.into_iter().take(count)
    }

    /// The items, as a kernel gives them out.
    pub fn items(&self) -> Vec<Item> {
        let tables: Vec<Arc<[Box<[u64]>]>> = self
            .tables
            .iter()
            .map(|table| {
                table
                    .chunks(self.width.max(1) as usize)
                    .map(Box::from)
                    .collect()
            })
            .collect();
        let holds = (0..self.count_of_holds()).map(|item| {
            let (place, values) = self.hold(item);
            Item::Holds {
                place,
                values: values.into(),
            }
        });
        let fits = self.fits.chunks_exact(3).map(|fit| Item::Fits {
            first: fit[0],
            second: fit[1],
            pairs: tables[fit[2] as usize].clone(),
        });
        holds.chain(fits).collect()
    }

    /// The status of all items if places have these candidates, and the visits that it took.
    pub fn statuses<'a>(
        &self,
        domain: impl Fn(u32) -> Candidates<'a>,
        into: &mut Vec<Status>,
    ) -> usize {
        let mut visits = 0;
        into.clear();
        into.reserve_exact(self.count());
        for item in 0..self.count_of_holds() {
            let (place, values) = self.hold(item);
            let candidates = domain(place);
            visits += 2 * candidates.words().1.len();
            into.push(match () {
                () if !candidates.meets(values) => Status::No,
                () if !candidates.has_others(values) => Status::Yes,
                () => Status::Open,
            });
        }
        for item in self.count_of_holds()..self.count() {
            let ([first, second], table) = self.fit(item);
            let (first, second) = (domain(first), domain(second));
            let (mut some, mut all) = (false, true);
            for value in first.numbers() {
                visits += 1 + second.words().1.len();
                let row = self.row(table, value);
                some |= second.meets(row);
                all &= !second.has_others(row);
                if some && !all {
                    break;
                }
            }
            into.push(match (some, all) {
                (false, _) => Status::No,
                (true, true) => Status::Yes,
                (true, false) => Status::Open,
            });
        }
        visits
    }

    /// Removes the values that contradict a conclusion.
    pub fn carry_out(
        &self,
        literal: Literal,
        solver: &mut Solver,
        by: u32,
    ) -> Result<bool, DomainWipeout> {
        let item = literal.item as usize;
        if item < self.count_of_holds() {
            let (place, values) = self.hold(item);
            return match literal.is {
                true => solver.keep(place as usize, values, Some(by)),
                false => solver.leave_out(place as usize, values, Some(by)),
            };
        }
        let ([first, second], table) = self.fit(item);
        let candidates = solver.candidates(first as usize);
        // The values that some value of the first place fits to, or those that all of them fit to.
        let mut beside = vec![if literal.is { 0 } else { u64::MAX }; self.width as usize];
        for value in candidates.numbers() {
            let row = self.row(table, value);
            for (at, word) in beside.iter_mut().enumerate() {
                let own = row.get(at).copied().unwrap_or(0);
                *word = if literal.is { *word | own } else { *word & own };
            }
        }
        let second_changes = match literal.is {
            true => solver.keep(second as usize, &beside, Some(by))?,
            false => solver.leave_out(second as usize, &beside, Some(by))?,
        };
        let others = solver.candidates(second as usize);
        let mut stays = vec![0; self.width as usize];
        for value in solver.candidates(first as usize).numbers() {
            let row = self.row(table, value);
            let is_possible = match literal.is {
                true => others.meets(row),
                false => others.has_others(row),
            };
            if is_possible && let Some(word) = stays.get_mut(value / 64) {
                *word |= 1 << (value % 64);
            }
        }
        Ok(solver.keep(first as usize, &stays, Some(by))? || second_changes)
    }

    /// Whether a conclusion would remove one of some values from a place with these candidates.
    pub fn concerns(&self, literal: Literal, place: u32, values: &[u32]) -> bool {
        let item = literal.item as usize;
        if item >= self.count_of_holds() {
            return self.fit(item).0.contains(&place);
        }
        let (own, mask) = self.hold(item);
        let is_in = |value: &u32| {
            let word = mask.get(*value as usize / 64).copied().unwrap_or(0);
            word >> (value % 64) & 1 == 1
        };
        own == place && values.iter().any(|value| is_in(value) != literal.is)
    }

    /// Whether all its places exist on a board of this size.
    pub fn fits_on(&self, places: usize) -> bool {
        let is_place = |place: &u32| (*place as usize) < places;
        self.holds.chunks(2).all(|hold| is_place(&hold[0]))
            && self.fits.chunks(3).all(|fit| fit[..2].iter().all(is_place))
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.masks)
            + room::row(&self.holds)
            + room::row(&self.tables)
            + self.tables.iter().map(room::row).sum::<usize>()
            + room::row(&self.fits)
    }
}

impl Saved for Booleans {
    fn save(&self, out: &mut Writer) {
        let Booleans {
            width,
            masks,
            holds,
            tables,
            fits,
        } = self;
        width.save(out);
        masks.save(out);
        holds.save(out);
        tables.save(out);
        fits.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Booleans, Unsound> {
        let loaded = Booleans {
            width: u32::load(from)?,
            masks: Vec::load(from)?,
            holds: Vec::load(from)?,
            tables: Vec::load(from)?,
            fits: Vec::load(from)?,
        };
        let masks = loaded.masks.len() / loaded.width.max(1) as usize;
        let is_sound = loaded.width > 0
            && loaded.holds.len().is_multiple_of(2)
            && loaded.fits.len().is_multiple_of(3)
            && loaded
                .holds
                .chunks(2)
                .all(|hold| (hold[1] as usize) < masks)
            && loaded
                .fits
                .chunks(3)
                .all(|fit| (fit[2] as usize) < loaded.tables.len() && fit[0] != fit[1]);
        ensure(is_sound, "a rule over a graph has no such values")?;
        Ok(loaded)
    }
}
