//! Places of a board in words: rows, columns, blocks, and lists of the rest.

use super::rule_words::{BoardPhrases, MOST_NAMED, list_in_words};
use ndscript_base::counted::counted;
use ndscript_heap::Kind;

/// At most this many places are listed.
const MOST_PLACES: usize = 12;
/// At least this many consecutive places are written as the first and the last.
const SHORTENED: u32 = 3;

impl BoardPhrases<'_> {
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
        if let Some(middle) = self.cross(&sorted) {
            return format!("the four cells beside {}", self.place(middle));
        }
        let names = self.names_of(&sorted);
        if names.len() <= MOST_PLACES && !self.is_block(&sorted) {
            return list_in_words(&names, "and");
        }
        match self.container.kind() {
            Kind::Grid => self.area(&sorted),
            _ => counted(sorted.len(), "place"),
        }
    }

    /// Whether places are many, and all cells of a block of a grid.
    pub(super) fn is_block(&self, sorted: &[u32]) -> bool {
        sorted.len() > MOST_NAMED && self.corners(sorted).is_some_and(|(_, is_block)| is_block)
    }

    /// The names of places in order; those side by side have one: "(1,3) to (6,3)".
    pub(super) fn names_of(&self, sorted: &[u32]) -> Vec<String> {
        let runs = self.runs_of(sorted).into_iter();
        runs.map(|(name, _)| name).collect()
    }

    /// The names of places in order, each with its places.
    pub(super) fn runs_of(&self, sorted: &[u32]) -> Vec<(String, Vec<u32>)> {
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
                None if self.container.is_kind(Kind::Array) => (across, 1),
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
            let name = match count {
                1 => self.place(first),
                _ => format!("{} to {}", self.place(first), self.place(last)),
            };
            let is_in = |place: &u32| {
                (first..=last).contains(place) && (*place - first).is_multiple_of(step)
            };
            let (run, rest): (Vec<u32>, Vec<u32>) = left.into_iter().partition(is_in);
            names.push((name, run));
            left = rest;
        }
        names
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

    /// Whether two cells of a grid are in one row or column.
    pub(super) fn are_in_line(&self, one: u32, other: u32) -> bool {
        self.size()
            .is_some_and(|(width, _)| one / width == other / width || one % width == other % width)
    }

    /// The cell of which these places are the four neighbors with an edge in common.
    fn cross(&self, places: &[u32]) -> Option<u32> {
        let (width, _) = self.size()?;
        let [up, left, right, down] = places[..] else {
            return None;
        };
        let middle = up + width;
        let is_cross = left + 1 == middle
            && right == middle + 1
            && down == middle + width
            && left / width == right / width;
        is_cross.then_some(middle)
    }

    /// The cell of which these places are the eight neighbors.
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
                let width = self.size().map_or(1, |(width, _)| width);
                let [a, b] = corners;
                match a % width == b % width || a / width == b / width {
                    true => format!("{first} to {last}"),
                    false => format!("the block from {first} to {last}"),
                }
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
    pub(super) fn are_one(&self, places: &[u32]) -> bool {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        let count = self.context.heap.places_of(self.container);
        let is_line = sorted.len() == 1 || sorted.len() == count || self.line(&sorted).is_some();
        is_line || self.is_block(&sorted)
    }
}
