//! The places of a board, their values, and sets and relations of these.

use crate::bits::{self, Bits};

/// The board of a proof: places and their candidates.
pub struct Board {
    pub(crate) words: usize,
    pub(crate) values: usize,
    /// By place, what it may have.
    pub(crate) places: Vec<Bits>,
    /// A place may have nothing: then there is no solution.
    pub(crate) has_empty_place: bool,
    pub(crate) sets: Vec<Bits>,
    /// By value of the first place, what may stand at the second.
    pub(crate) relations: Vec<Vec<Bits>>,
}

/// A rule as it is written: its numbers, in sections.
pub(crate) struct Written<'a> {
    pub kind: &'a str,
    /// `None` where `none` stands.
    pub numbers: Vec<Option<i64>>,
    pub sections: Vec<Vec<i64>>,
}

pub(crate) fn is_remark(line: &str) -> bool {
    line == "c" || line.starts_with("c ")
}

impl Board {
    /// A board with this number of values, and no places yet.
    pub(crate) fn of(values: usize) -> Board {
        Board {
            words: values.div_ceil(64).max(1),
            values,
            places: Vec::new(),
            has_empty_place: false,
            sets: Vec::new(),
            relations: Vec::new(),
        }
    }

    pub(crate) fn set(&self, values: &[i64]) -> Result<Bits, String> {
        let numbers: Vec<usize> = values
            .iter()
            .map(|value| index(*value, self.values, "value"))
            .collect::<Result<_, String>>()?;
        Ok(bits::set_of(numbers, self.words))
    }

    pub(crate) fn place(&self, number: i64) -> Result<usize, String> {
        index(number, self.places.len(), "place")
    }

    pub(crate) fn all_places(&self, numbers: &[i64]) -> Result<Vec<usize>, String> {
        numbers.iter().map(|number| self.place(*number)).collect()
    }

    pub(crate) fn relation(&self, number: i64) -> Result<usize, String> {
        index(number, self.relations.len(), "relation")
    }
}

/// A number that counts something.
pub(crate) fn index(number: i64, count: usize, what: &str) -> Result<usize, String> {
    usize::try_from(number)
        .ok()
        .filter(|number| *number < count)
        .ok_or_else(|| format!("there is no {what} {number}"))
}

pub(crate) fn not_a_number(word: &str) -> String {
    format!("`{word}` is no number")
}

pub(crate) fn numbers(text: &str) -> Result<Vec<i64>, String> {
    numbers_of(text.split_ascii_whitespace())
}

pub(crate) fn numbers_of<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<i64>, String> {
    words
        .map(|word| word.parse().map_err(|_| not_a_number(word)))
        .collect()
}
