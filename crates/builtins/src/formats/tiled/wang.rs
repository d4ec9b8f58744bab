//! Wang sets: which tiles may be adjacent, by the colors of their sides and corners.

use std::collections::BTreeMap;

use super::values::{LONGEST_NAME, VALUES_OF_TAG};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::sets::relation::RelationFromPairs;
use ndscript_heap::value::Handle;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;

/// The colors of a tile: from the top clockwise, a side and a corner by turns; 0 is no color.
pub type Colors = [u8; 8];

/// A set that is being read.
#[derive(Clone, Default)]
pub struct WangSet {
    pub tiles: Vec<(u32, Colors)>,
    pub colors: Vec<Value>,
}

impl WangSet {
    pub fn bytes(&self) -> usize {
        room::row(&self.tiles) + room::row(&self.colors)
    }
}

/// The colors as a file writes them: eight numbers, or, in old files, one in hexadecimal digits, the last digit
/// first.
pub fn colors(text: &str) -> Option<Colors> {
    let mut colors = Colors::default();
    if let Some(digits) = text.strip_prefix("0x") {
        let all = u32::from_str_radix(digits, 16).ok()?;
        for (at, color) in colors.iter_mut().enumerate() {
            *color = (all >> (4 * at) & 15) as u8;
        }
        return Some(colors);
    }
    let mut parts = text.split(',');
    for color in &mut colors {
        *color = parts.next()?.trim().parse().ok()?;
    }
    parts.next().is_none().then_some(colors)
}

/// The relations that are made by pairs, with their inverses.
const DIRECTIONS: [(&str, &str); 2] = [("right", "left"), ("down", "up")];

/// The side that a tile shows in a direction, and the one that its neighbor there shows.
fn sides(down: bool, colors: Colors) -> ([u8; 3], [u8; 3]) {
    match down {
        false => (
            [colors[1], colors[2], colors[3]],
            [colors[7], colors[6], colors[5]],
        ),
        true => (
            [colors[5], colors[4], colors[3]],
            [colors[7], colors[0], colors[1]],
        ),
    }
}

/// The tiles of a set, being turned into relations.
#[derive(Clone)]
pub struct WangSetReader {
    /// The object that the relations are put into.
    target: Handle,
    numbers: Vec<(u32, Colors)>,
    /// The tiles as far as they are named.
    tiles: Vec<(Value, Colors)>,
    /// For the current direction: the tiles by the side that a neighbor sees.
    facing: BTreeMap<[u8; 3], Vec<u32>>,
    direction: usize,
    /// The current tile, and its next neighbor.
    at: usize,
    next: usize,
    pairs: [Vec<(Value, Value)>; 2],
    made: Option<(usize, RelationFromPairs)>,
}

impl WangSetReader {
    pub fn new(target: Handle, numbers: Vec<(u32, Colors)>) -> WangSetReader {
        WangSetReader {
            target,
            numbers,
            tiles: Vec::new(),
            facing: BTreeMap::new(),
            direction: 0,
            at: 0,
            next: 0,
            pairs: Default::default(),
            made: None,
        }
    }

    /// The bytes that are needed before anything is begun.
    pub fn room(&self) -> usize {
        let pairs: usize = self
            .pairs
            .iter()
            .map(|row| room::step(room::row(row)))
            .sum();
        VALUES_OF_TAG + LONGEST_NAME + 80 * self.numbers.len() + pairs
    }

    /// Continues; true at the end.
    pub fn resume(
        &mut self,
        context: &mut Context,
        name: impl Fn(u32) -> String,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        while let Some((tile, colors)) = self.numbers.get(self.tiles.len()).copied() {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(16);
            context.reserve(self.room())?;
            room::grow(&mut self.tiles, 1);
            self.tiles.push((context.heap.text(&name(tile)), colors));
        }
        while self.direction < DIRECTIONS.len() {
            if budget.is_spent() {
                return Ok(false);
            }
            context.reserve(self.room())?;
            if let Some((number, making)) = &mut self.made {
                let Some(relation) = making.resume(&mut context.heap, budget) else {
                    return Ok(false);
                };
                let names = DIRECTIONS[self.direction];
                let name = if *number == 0 { names.0 } else { names.1 };
                let key = context.heap.text(name);
                context.heap.set_field(self.target, key, relation);
                let others = std::mem::take(&mut self.pairs[1]);
                self.made = match *number {
                    0 => Some((1, RelationFromPairs::new(others))),
                    _ => None,
                };
                if self.made.is_none() {
                    self.direction += 1;
                    (self.at, self.next) = (0, 0);
                    self.facing = BTreeMap::new();
                }
                continue;
            }
            let down = self.direction == 1;
            if self.facing.is_empty() {
                budget.spend(8 * self.tiles.len() + 1);
                for (at, (_, colors)) in self.tiles.iter().enumerate() {
                    let facing = self.facing.entry(sides(down, *colors).1).or_default();
                    facing.push(at as u32);
                }
            }
            let Some((tile, colors)) = self.tiles.get(self.at).copied() else {
                let pairs = std::mem::take(&mut self.pairs[0]);
                self.made = Some((0, RelationFromPairs::new(pairs)));
                continue;
            };
            let facing = self.facing.get(&sides(down, colors).0);
            let facing = facing.map(Vec::as_slice).unwrap_or_default();
            budget.spend(4);
            match facing.get(self.next) {
                Some(other) => {
                    let other = self.tiles[*other as usize].0;
                    for (pairs, pair) in self.pairs.iter_mut().zip([(tile, other), (other, tile)]) {
                        room::grow(pairs, 1);
                        pairs.push(pair);
                    }
                    self.next += 1;
                }
                None => (self.at, self.next) = (self.at + 1, 0),
            }
        }
        Ok(true)
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        let target = Value::handle(ndscript_heap::Kind::Object, self.target);
        tracer.values.push(target);
        for (tile, _) in &self.tiles {
            tracer.values.push(*tile);
        }
        if let Some((_, making)) = &self.made {
            making.values(&mut |value| tracer.values.push(value));
        }
    }

    pub fn bytes(&self) -> usize {
        let made = self.made.as_ref().map_or(0, |(_, made)| made.bytes());
        let pairs: usize = self.pairs.iter().map(room::row).sum();
        room::row(&self.numbers) + room::row(&self.tiles) + 64 * self.tiles.len() + pairs + made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_both_forms() {
        assert_eq!(colors("1,2,3,4,5,6,7,8"), Some([1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(colors("0x10203"), Some([3, 0, 2, 0, 1, 0, 0, 0]));
        assert_eq!((colors("1,2"), colors("1,2,3,4,5,6,7,8,9")), (None, None));
    }

    #[test]
    fn a_side_fits_the_one_that_faces_it() {
        let tile = [0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!(sides(false, tile), ([1, 2, 3], [7, 6, 5]));
        assert_eq!(sides(true, tile), ([5, 4, 3], [7, 0, 1]));
    }
}
