//! The candidates of places as bits over the values of a board. Places rarely have candidates from all over it, so each
//! has a window of words only: what a board takes grows with the candidates that its places have, not with places times
//! values.

use std::ops::Range;

use super::ones;
use ndscript_base::room;

/// Where the words of a place lie, and which words of all values they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    start: u32,
    pub first: u32,
    pub length: u32,
}

/// The candidates of a place. A mask is a row of words for all values, of which those that are missing are empty.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    first: usize,
    words: &'a [u64],
}

impl<'a> Candidates<'a> {
    /// Those of a whole row of bits.
    pub fn whole(words: &'a [u64]) -> Candidates<'a> {
        Candidates { first: 0, words }
    }

    /// The numbers of the values.
    #[inline]
    pub fn numbers(self) -> impl Iterator<Item = usize> + 'a {
        let first = self.first * 64;
        ones(self.words).map(move |number| first + number)
    }

    /// How many there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether the value with a number is one of them.
    #[inline]
    pub fn has(self, number: usize) -> bool {
        let word = (number / 64)
            .checked_sub(self.first)
            .and_then(|at| self.words.get(at));
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The words, and the number of the first of them.
    #[inline]
    pub fn words(self) -> (usize, &'a [u64]) {
        (self.first, self.words)
    }

    /// Whether one of them is in a mask.
    #[inline]
    pub fn meets(self, mask: &[u64]) -> bool {
        let mask = mask.get(self.first..).unwrap_or_default();
        self.words
            .iter()
            .zip(mask)
            .any(|(bits, mask)| bits & mask != 0)
    }

    /// Whether one of them is not in a mask.
    #[inline]
    pub fn has_others(self, mask: &[u64]) -> bool {
        let words = self.words.iter().enumerate();
        words
            .into_iter()
            .any(|(at, bits)| bits & !mask.get(self.first + at).unwrap_or(&0) != 0)
    }
}

/// Whether a place may hold one of the values that were asked for, whether it can hold nothing else, and the visits
/// that the look took.
#[derive(Clone, Copy)]
pub struct Found {
    pub may: bool,
    pub must: bool,
    pub visits: usize,
}

/// The windows of all places. First comes one word for each place; longer windows lie after them.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    bits: Vec<u64>,
    /// The bits from when the first constraint was put on the place.
    initial: Vec<u64>,
    /// Empty while no place has another window than the first word.
    windows: Vec<Window>,
}

impl Domains {
    /// Empty ones, one word for each place.
    pub fn new(places: usize) -> Domains {
        Domains {
            bits: vec![0; places],
            initial: vec![0; places],
            windows: Vec::new(),
        }
    }

    /// Whether all windows are the first word.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.windows.is_empty()
    }

    /// The first words of all places, which are all that there is if the windows are plain.
    #[inline]
    pub fn first_words(&self) -> &[u64] {
        &self.bits
    }

    /// The first words, mutably.
    #[inline]
    pub fn first_words_mut(&mut self) -> &mut [u64] {
        &mut self.bits
    }

    /// Where the words of a place lie.
    #[inline]
    pub fn window(&self, place: usize) -> Window {
        match self.windows.get(place) {
            Some(window) => *window,
            None => Window {
                start: place as u32,
                first: 0,
                length: 1,
            },
        }
    }

    /// The words of a place in one of the rows.
    #[inline]
    fn row<'a>(&self, rows: &'a [u64], place: usize) -> Candidates<'a> {
        let Window {
            start,
            first,
            length,
        } = self.window(place);
        let words = rows
            .get(start as usize..start as usize + length as usize)
            .unwrap_or_default();
        Candidates {
            first: first as usize,
            words,
        }
    }

    /// The candidates of a place.
    #[inline]
    pub fn candidates(&self, place: usize) -> Candidates<'_> {
        self.row(&self.bits, place)
    }

    /// Checks a place for some values, as a mask.
    #[inline(always)]
    pub fn look_for(&self, place: usize, values: &[u64]) -> Found {
        if self.is_plain() {
            let (word, values) = (
                self.first_words()[place],
                values.first().copied().unwrap_or(0),
            );
            return Found {
                may: word & values != 0,
                must: word & !values == 0,
                visits: 2,
            };
        }
        let candidates = self.candidates(place);
        let visits = 1 + candidates.words().1.len();
        Found {
            may: candidates.meets(values),
            must: !candidates.has_others(values),
            visits,
        }
    }

    /// The candidates of a place from when the first constraint was put on it.
    pub fn initial(&self, place: usize) -> Candidates<'_> {
        self.row(&self.initial, place)
    }

    /// The words of a place, to be changed, and the number of the first of them.
    #[inline]
    pub fn words_mut(&mut self, place: usize) -> (usize, &mut [u64]) {
        let Window {
            start,
            first,
            length,
        } = self.window(place);
        let words = self
            .bits
            .get_mut(start as usize..start as usize + length as usize)
            .unwrap_or_default();
        (first as usize, words)
    }

    /// The bytes that one more window takes at most.
    pub fn bytes_for_window(&self, first: usize, length: usize) -> usize {
        let windows = if self.windows.is_empty() && (first, length) != (0, 1) {
            self.bits.len() * size_of::<Window>()
        } else {
            0
        };
        let longer = if length > 1 {
            2 * (length * 8 + room::step(self.bits.len() * 8))
        } else {
            0
        };
        windows + longer
    }

    /// Gives a place an empty window.
    pub fn open_window(&mut self, place: usize, first: usize, length: usize) {
        if self.windows.is_empty() {
            if (first, length) == (0, 1) {
                return self.clear(place);
            }
            // One word for each place so far.
            self.windows = (0..self.bits.len() as u32)
                .map(|start| Window {
                    start,
                    first: 0,
                    length: 1,
                })
                .collect();
        }
        let start = if length <= 1 { place } else { self.bits.len() };
        if length > 1 {
            for row in [&mut self.bits, &mut self.initial] {
                room::grow(row, length);
                row.resize(start + length, 0);
            }
        }
        self.windows[place] = Window {
            start: start as u32,
            first: first as u32,
            length: length as u32,
        };
        self.clear(place);
    }

    /// Leaves a place nothing.
    pub fn clear(&mut self, place: usize) {
        self.words_mut(place).1.fill(0);
    }

    /// Adds a candidate that lies in the window of its place.
    #[inline]
    pub fn insert(&mut self, place: usize, number: usize) {
        let (first, words) = self.words_mut(place);
        if let Some(word) = (number / 64)
            .checked_sub(first)
            .and_then(|at| words.get_mut(at))
        {
            *word |= 1 << (number % 64);
        }
    }

    /// Records the candidates of a place as its initial ones.
    pub fn set_initial(&mut self, place: usize) {
        let Window { start, length, .. } = self.window(place);
        let row = start as usize..start as usize + length as usize;
        if let (Some(initial), Some(bits)) = (self.initial.get_mut(row.clone()), self.bits.get(row))
        {
            initial.copy_from_slice(bits);
        }
    }

    /// Gives a place what another had at first.
    pub fn copy_initial(&mut self, from: usize, to: usize) {
        let (from, to) = (self.window(from), self.window(to));
        for at in 0..from.length.min(to.length) as usize {
            let word = self
                .initial
                .get(from.start as usize + at)
                .copied()
                .unwrap_or(0);
            if let Some(bits) = self.bits.get_mut(to.start as usize + at) {
                *bits = word;
            }
        }
        // Both ranges are words of one set.
        let row = to.start as usize..to.start as usize + to.length as usize;
        if let (Some(initial), Some(bits)) = (self.initial.get_mut(row.clone()), self.bits.get(row))
        {
            initial.copy_from_slice(bits);
        }
    }

    /// Copies the domain of a place where all windows are the first word.
    #[inline]
    pub fn copy_word(&mut self, from: usize, to: usize) {
        let word = self.initial.get(from).copied().unwrap_or(0);
        if let (Some(initial), Some(bits)) = (self.initial.get_mut(to), self.bits.get_mut(to)) {
            (*initial, *bits) = (word, word);
        }
    }

    /// Copies the domain of a place to several places where all windows are the first word.
    pub fn copy_word_to(&mut self, from: usize, to: Range<usize>) {
        let word = self.initial.get(from).copied().unwrap_or(0);
        for row in [&mut self.initial, &mut self.bits] {
            row.get_mut(to.clone()).unwrap_or_default().fill(word);
        }
    }

    /// How many words there are.
    pub fn height(&self) -> usize {
        self.bits.len()
    }

    /// Removes the windows that were opened last, down to a height.
    pub fn cut_back(&mut self, height: usize) {
        self.bits.truncate(height);
        self.initial.truncate(height);
    }

    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        room::row(&self.bits) + room::row(&self.initial) + room::row(&self.windows)
    }
}

impl Domains {
    /// Whether there is a window for each place, with words of its own that are there.
    pub fn is_sound(&self, places: usize, universe: usize) -> bool {
        let fits = |window: &Window| {
            let (start, length) = (window.start as usize, window.length as usize);
            let is_inside = start < self.initial.len() && length <= self.initial.len() - start;
            is_inside
                && length > 0
                && window.first as usize + length <= universe.div_ceil(64).max(1)
        };
        let are_there = self.windows.is_empty() || self.windows.len() == places;
        are_there && self.initial.len() >= places && self.windows.iter().all(fits)
    }

    /// Makes the bits, which are not saved.
    pub fn make_bits(&mut self) {
        self.bits = vec![0; self.initial.len()];
    }
}

impl ndscript_base::codec::Saved for Domains {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Domains {
            bits: _,
            initial,
            windows,
        } = self;
        initial.save(out);
        let flat: Vec<u32> = windows
            .iter()
            .flat_map(|window| [window.start, window.first, window.length])
            .collect();
        flat.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Domains, ndscript_base::codec::Unsound> {
        let initial: Vec<u64> = Vec::load(from)?;
        from.make_room::<u64>(initial.len())?;
        let flat: Vec<u32> = Vec::load(from)?;
        let windows = flat.chunks_exact(3);
        let windows = windows
            .map(|window| Window {
                start: window[0],
                first: window[1],
                length: window[2],
            })
            .collect();
        Ok(Domains {
            bits: Vec::new(),
            initial,
            windows,
        })
    }
}
