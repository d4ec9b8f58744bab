//! Closed cells that keep cells of a grid apart: why a way or a piece needs a cell, or cannot have it.
//!
//! From both of the cells a search goes on at the same time, until one is at its end. What is closed around that one keeps them
//! apart; those of it that a search from the other cell comes to, over whatever else, are enough, and none of them can be left out.

use super::piece::Piece;
use crate::{Candidates, Solver};

/// What candidates may be and must be, as far as ways and pieces go by that: all of them where a word is enough, and otherwise two
/// bits for each of the ways and pieces, whether one of its values and whether anything else is among them.
pub type Mark = u64;

/// So many ways and pieces have bits in a mark.
const MOST_WAYS: usize = Mark::BITS as usize / 2;

impl Solver {
    /// The mark of what a place has.
    pub fn mark_of(&self, place: usize) -> Mark {
        self.mark(self.candidates(place))
    }

    /// The marks of all places, behind others.
    pub fn push_marks(&self, marks: &mut Vec<Mark>) {
        if self.is_one_word() && self.domains.is_plain() {
            marks.extend_from_slice(self.domains.first_words());
        } else {
            marks.extend((0..self.places).map(|place| self.mark_of(place)));
        }
    }

    fn mark(&self, candidates: Candidates<'_>) -> Mark {
        if self.is_one_word() {
            return candidates.words().1.first().copied().unwrap_or(0);
        }
        let ways = self.ways.iter().take(MOST_WAYS).enumerate();
        let bits = ways.map(|(at, way)| {
            let values = self
                .constraints
                .get(*way as usize)
                .and_then(|way| way.joined())
                .map_or(&[][..], |joined| joined.values);
            (u64::from(candidates.meets(values)) | u64::from(candidates.has_others(values)) << 1)
                << (2 * at)
        });
        bits.fold(0, |mark, bits| mark | bits)
    }
}

/// What a place has lost: before, and then.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    pub place: u32,
    pub then: Mark,
}

/// A grid as it was at some moment, as a way or a piece sees it.
struct Ground<'a> {
    piece: Piece<'a>,
    marks: &'a [Mark],
    /// The bits of marks that stand for what it consists of, and for everything else.
    own: Mark,
    others: Mark,
}

impl Ground<'_> {
    fn may(&self, place: usize) -> bool {
        self.marks[place] & self.own != 0
    }

    fn must(&self, place: usize) -> bool {
        self.may(place) && self.marks[place] & self.others == 0
    }

    fn beside(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let Piece { columns, rows, .. } = self.piece;
        let (x, y) = (place % columns, place / columns);
        let left = (x > 0).then(|| place - 1);
        let right = (x + 1 < columns).then_some(place + 1);
        let up = (y > 0).then(|| place - columns);
        let down = (y + 1 < rows).then_some(place + columns);
        [left, right, up, down].into_iter().flatten()
    }
}

/// What is known of a cell: from which of two cells it was come to, that it is closed and lies beside one that was come to, and that the
/// last search was there.
const NOTHING: u8 = 0;
const SIDES: [u8; 2] = [1, 2];
const RIM: u8 = 3;
const FAR: u8 = 4;
/// Nothing leads over this cell.
const BARRED: u8 = 5;

/// The rows that looking for reasons takes.
#[derive(Debug, Default)]
pub struct Cut {
    seen: Vec<u8>,
    /// From where the searches of both sides go on.
    queues: [Vec<u32>; 2],
    rim: Vec<u32>,
    /// The places that were found.
    pub found: Vec<u32>,
    /// How many cells were looked at.
    pub visits: usize,
}

impl Cut {
    /// Finds places from whose candidates, as marks tell them, it follows for a way or a piece that another place has lost something,
    /// or without one that there is no way. None if that is not known.
    pub fn find(
        &mut self,
        solver: &Solver,
        marks: &[Mark],
        number: u32,
        lost: Option<Lost>,
    ) -> Option<()> {
        self.found.clear();
        let constraint = solver.constraints.get(number as usize)?;
        let joined = constraint.joined()?;
        let (piece, ends) = (Piece::of(joined), joined.ends);
        let [own, others] = if solver.is_one_word() {
            let values = piece.values.first().copied().unwrap_or(0);
            [values, !values]
        } else {
            let at = solver
                .ways
                .iter()
                .position(|way| *way == number)
                .filter(|at| *at < MOST_WAYS)?;
            [1 << (2 * at), 2 << (2 * at)]
        };
        let ground = Ground {
            piece,
            marks,
            own,
            others,
        };
        let cell = lost.map(|lost| lost.place as usize);
        match (ends, lost, cell) {
            // The constraint alone says what its ends hold.
            (Some(ends), Some(lost), _) if ends.contains(&lost.place) => Some(()),
            (Some(ends), ..) => self.part(solver, &ground, ends.map(|end| end as usize), cell),
            (None, Some(lost), Some(cell)) if lost.then & own == 0 => {
                self.find_what_leaves_out(solver, &ground, cell)
            }
            (None, Some(_), Some(cell)) => self.find_what_needs(solver, &ground, cell),
            (None, ..) => None,
        }
    }

    /// Why a cell cannot be on the piece: a cell that must be, and what keeps them apart.
    fn find_what_leaves_out(
        &mut self,
        solver: &Solver,
        ground: &Ground<'_>,
        cell: usize,
    ) -> Option<()> {
        let must = (0..ground.marks.len()).find(|other| *other != cell && ground.must(*other));
        self.visits += must.unwrap_or(ground.marks.len());
        self.part(solver, ground, [cell, must?], None)?;
        self.found.extend(must.map(|must| must as u32));
        Some(())
    }

    /// Why the piece needs a cell: two cells that must be on it, and what keeps them apart but for that one.
    fn find_what_needs(&mut self, solver: &Solver, ground: &Ground<'_>, cell: usize) -> Option<()> {
        self.begin(ground);
        self.seen[cell] = BARRED;
        let mut musts = [None; 2];
        for from in ground.beside(cell) {
            if !ground.may(from) || self.seen[from] != NOTHING {
                continue;
            }
            let mut must = None;
            self.enter(0, from, SIDES[0]);
            while let Some(at) = self.queues[0].pop() {
                let at = at as usize;
                self.visits += 1;
                // Rather one that was always there: it needs no reason.
                if ground.must(at)
                    && (must.is_none() || !solver.initial(at).has_others(ground.piece.values))
                {
                    must = Some(at);
                }
                for to in ground.beside(at) {
                    if self.seen[to] == NOTHING && ground.may(to) {
                        self.enter(0, to, SIDES[0]);
                    }
                }
            }
            if let (Some(must), Some(free)) = (must, musts.iter_mut().find(|must| must.is_none())) {
                *free = Some(must);
            }
        }
        let [Some(one), Some(other)] = musts else {
            return None;
        };
        self.part(solver, ground, [one, other], Some(cell))?;
        self.found.extend([one as u32, other as u32]);
        Some(())
    }

    /// Finds what keeps two cells apart, but for one that may do so, too. None if nothing does.
    fn part(
        &mut self,
        solver: &Solver,
        ground: &Ground<'_>,
        ends: [usize; 2],
        but_for: Option<usize>,
    ) -> Option<()> {
        if ends[0] == ends[1] {
            return None;
        }
        self.begin(ground);
        if let Some(cell) = but_for {
            self.seen[cell] = BARRED;
        }
        for (side, end) in ends.into_iter().enumerate() {
            self.enter(side, end, SIDES[side]);
        }
        let inner = self.surround(ground)?;
        self.find_rim(ground, SIDES[inner], ends[inner]);
        self.come_to_rim(solver, ground, ends[1 - inner]);
        Some(())
    }

    /// Lets searches go on from both sides, until one has come to its end: that one is returned. None if they meet.
    fn surround(&mut self, ground: &Ground<'_>) -> Option<usize> {
        loop {
            for side in 0..SIDES.len() {
                let Some(at) = self.queues[side].pop() else {
                    return Some(side);
                };
                self.visits += 1;
                for to in ground.beside(at as usize) {
                    if self.seen[to] == SIDES[1 - side] {
                        return None;
                    }
                    if self.seen[to] == NOTHING && ground.may(to) {
                        self.enter(side, to, SIDES[side]);
                    }
                }
            }
        }
    }

    /// Marks what is closed beside the cells of a side.
    fn find_rim(&mut self, ground: &Ground<'_>, inner: u8, from: usize) {
        self.queues[0].clear();
        self.enter(0, from, FAR);
        while let Some(at) = self.queues[0].pop() {
            self.visits += 1;
            for to in ground.beside(at as usize) {
                if self.seen[to] == inner {
                    self.enter(0, to, FAR);
                } else if self.seen[to] == NOTHING {
                    self.seen[to] = RIM;
                    self.rim.push(to as u32);
                }
            }
        }
    }

    /// Finds those cells of the rim that a search from outside comes to. Cells that were closed at first are closed for it, too, and need
    /// no reason.
    fn come_to_rim(&mut self, solver: &Solver, ground: &Ground<'_>, from: usize) {
        let mut left = self.rim.len();
        self.queues[1].clear();
        self.enter(1, from, FAR);
        while left > 0
            && let Some(at) = self.queues[1].pop()
        {
            self.visits += 1;
            for to in ground.beside(at as usize) {
                if matches!(self.seen[to], FAR | BARRED) {
                    continue;
                }
                let was_closed = !ground.may(to) && !solver.initial(to).meets(ground.piece.values);
                if self.seen[to] == RIM {
                    self.seen[to] = FAR;
                    left -= 1;
                    if !was_closed {
                        self.found.push(to as u32);
                    }
                } else if was_closed {
                    self.seen[to] = FAR;
                } else {
                    self.enter(1, to, FAR);
                }
            }
        }
    }

    fn enter(&mut self, side: usize, place: usize, mark: u8) {
        self.seen[place] = mark;
        self.queues[side].push(place as u32);
    }

    /// Begins a search in which no cell was seen.
    fn begin(&mut self, ground: &Ground<'_>) {
        self.seen.clear();
        self.seen.resize(ground.marks.len(), NOTHING);
        self.visits += ground.marks.len() / 8;
        self.queues.iter_mut().for_each(Vec::clear);
        self.rim.clear();
    }

    /// The bytes that it takes at most on a board of so many places.
    pub fn bytes(places: usize) -> usize {
        // Rows that grow are there twice for a moment.
        places * (size_of::<u8>() + 2 * 4 * size_of::<u32>())
    }
}
