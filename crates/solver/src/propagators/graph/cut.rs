//! Cuts: closed cells that keep two cells of a grid apart. They are the reason why a path or region needs a cell, or
//! cannot have it.
//!
//! Two searches start from the two cells and alternate, until one of them has no cell left. The closed cells around
//! that one are a cut; those of them that a search from the other cell reaches, over open and closed cells alike, are
//! a minimal cut.

use super::region::Region;
use crate::{Candidates, ConstraintNumber, Solver};

/// A summary of the candidates of a place, as far as paths and regions depend on them. On boards of one word it is
/// the domain itself. Otherwise each path or region has two bits: whether the place has one of its values, and
/// whether it has others.
pub type Mark = u64;

/// The number of paths and regions that have bits in a mark.
const MOST_PATHS: usize = Mark::BITS as usize / 2;

impl Solver {
    /// The mark of the current domain of a place.
    pub fn mark_of(&self, place: usize) -> Mark {
        self.mark(self.candidates(place))
    }

    /// Appends the marks of all places.
    pub fn push_marks(&self, marks: &mut Vec<Mark>) {
        if self.is_one_word() && self.domains.is_plain() {
            marks.extend_from_slice(self.domains.first_words());
        } else {
            marks.extend((0..self.places).map(|place| self.mark_of(place)));
        }
    }

    /// For each of the first paths two bits: whether the place can be on it, and whether it can be off it. With domains
    /// of one word, the word.
    fn mark(&self, candidates: Candidates<'_>) -> Mark {
        if self.is_one_word() {
            return candidates.words().1.first().copied().unwrap_or(0);
        }
        let paths = self.paths.iter().take(MOST_PATHS).enumerate();
        let bits = paths.map(|(at, path)| {
            let values = self
                .constraints
                .get(*path as usize)
                .and_then(|path| path.joined_cells())
                .map_or(&[][..], |joined| joined.values);
            (u64::from(candidates.meets(values)) | u64::from(candidates.has_others(values)) << 1)
                << (2 * at)
        });
        bits.fold(0, |mark, bits| mark | bits)
    }
}

/// A removal: the place, and its mark after it.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    pub place: u32,
    pub mark: Mark,
}

/// A grid at some moment, as a path or region sees it.
struct GridAtMoment<'a> {
    region: Region<'a>,
    marks: &'a [Mark],
    /// The bits of marks for the values of the path or region, and for all other values.
    own: Mark,
    others: Mark,
}

impl GridAtMoment<'_> {
    fn is_open(&self, place: usize) -> bool {
        self.marks[place] & self.own != 0
    }

    fn is_certain(&self, place: usize) -> bool {
        self.is_open(place) && self.marks[place] & self.others == 0
    }

    fn neighbors(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let Region { columns, rows, .. } = self.region;
        let (x, y) = (place % columns, place / columns);
        let left = (x > 0).then(|| place - 1);
        let right = (x + 1 < columns).then_some(place + 1);
        let up = (y > 0).then(|| place - columns);
        let down = (y + 1 < rows).then_some(place + columns);
        [left, right, up, down].into_iter().flatten()
    }
}

/// What the searches know of a cell: reached from the first or second end (`SIDES`), closed and next to a cell of the
/// smaller side (`RIM`), or reached by the latest search (`FAR`).
const NOTHING: u8 = 0;
const SIDES: [u8; 2] = [1, 2];
const RIM: u8 = 3;
const FAR: u8 = 4;
/// No search may enter this cell.
const BARRED: u8 = 5;

/// The memory of a search for reasons.
#[derive(Debug, Default)]
pub struct Cut {
    seen: Vec<u8>,
    /// The cells that the searches of both sides have yet to expand.
    queues: [Vec<u32>; 2],
    rim: Vec<u32>,
    /// The places that were found.
    pub found: Vec<u32>,
    /// The number of cells visited.
    pub visits: usize,
}

impl Cut {
    /// Finds places whose candidates, given as marks, explain a removal by a path or region, or, without `lost`, why
    /// there is no path. `None` if there is no explanation.
    pub fn find(
        &mut self,
        solver: &Solver,
        marks: &[Mark],
        number: ConstraintNumber,
        lost: Option<Lost>,
    ) -> Option<()> {
        self.found.clear();
        let constraint = solver.constraints.get(number as usize)?;
        let joined = constraint.joined_cells()?;
        let (region, ends) = (Region::of(joined), joined.ends);
        let [own, others] = if solver.is_one_word() {
            let values = region.values.first().copied().unwrap_or(0);
            [values, !values]
        } else {
            let at = solver
                .paths
                .iter()
                .position(|path| *path == number)
                .filter(|at| *at < MOST_PATHS)?;
            [1 << (2 * at), 2 << (2 * at)]
        };
        let ground = GridAtMoment {
            region,
            marks,
            own,
            others,
        };
        let cell = lost.map(|lost| lost.place as usize);
        match (ends, lost, cell) {
            // The constraint alone restricts its ends.
            (Some(ends), Some(lost), _) if ends.contains(&lost.place) => Some(()),
            (Some(ends), ..) => self.separate(solver, &ground, ends.map(|end| end as usize), cell),
            (None, Some(lost), Some(cell)) if lost.mark & own == 0 => {
                self.explain_exclusion(solver, &ground, cell)
            }
            (None, Some(_), Some(cell)) => self.explain_need(solver, &ground, cell),
            (None, ..) => None,
        }
    }

    /// Explains why a cell cannot be in the region: a cell that is certain to be in it, and a cut between the two.
    fn explain_exclusion(
        &mut self,
        solver: &Solver,
        ground: &GridAtMoment<'_>,
        cell: usize,
    ) -> Option<()> {
        let terminals =
            (0..ground.marks.len()).find(|other| *other != cell && ground.is_certain(*other));
        self.visits += terminals.unwrap_or(ground.marks.len());
        self.separate(solver, ground, [cell, terminals?], None)?;
        self.found
            .extend(terminals.map(|terminals| terminals as u32));
        Some(())
    }

    /// Explains why the region needs a cell: two cells that are certain to be in it, and a cut between them that this
    /// cell completes.
    fn explain_need(
        &mut self,
        solver: &Solver,
        ground: &GridAtMoment<'_>,
        cell: usize,
    ) -> Option<()> {
        self.begin(ground);
        self.seen[cell] = BARRED;
        let mut musts = [None; 2];
        for from in ground.neighbors(cell) {
            if !ground.is_open(from) || self.seen[from] != NOTHING {
                continue;
            }
            let mut terminal = None;
            self.enter(0, from, SIDES[0]);
            while let Some(at) = self.queues[0].pop() {
                let at = at as usize;
                self.visits += 1;
                // Prefer a cell that was certain from the start: it needs no reason.
                if ground.is_certain(at)
                    && (terminal.is_none() || !solver.initial(at).has_others(ground.region.values))
                {
                    terminal = Some(at);
                }
                for to in ground.neighbors(at) {
                    if self.seen[to] == NOTHING && ground.is_open(to) {
                        self.enter(0, to, SIDES[0]);
                    }
                }
            }
            if let (Some(terminal), Some(free)) = (
                terminal,
                musts.iter_mut().find(|terminal| terminal.is_none()),
            ) {
                *free = Some(terminal);
            }
        }
        let [Some(one), Some(other)] = musts else {
            return None;
        };
        self.separate(solver, ground, [one, other], Some(cell))?;
        self.found.extend([one as u32, other as u32]);
        Some(())
    }

    /// Finds a cut between two cells, which `but_for` may complete. `None` if there is none.
    fn separate(
        &mut self,
        solver: &Solver,
        ground: &GridAtMoment<'_>,
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
        let inner = self.find_smaller_side(ground)?;
        self.find_rim(ground, SIDES[inner], ends[inner]);
        self.reach_rim(solver, ground, ends[1 - inner]);
        Some(())
    }

    /// Searches from both ends by turns. Returns the side that has no cell left first; `None` if they meet.
    fn find_smaller_side(&mut self, ground: &GridAtMoment<'_>) -> Option<usize> {
        loop {
            for side in 0..SIDES.len() {
                let Some(at) = self.queues[side].pop() else {
                    return Some(side);
                };
                self.visits += 1;
                for to in ground.neighbors(at as usize) {
                    if self.seen[to] == SIDES[1 - side] {
                        return None;
                    }
                    if self.seen[to] == NOTHING && ground.is_open(to) {
                        self.enter(side, to, SIDES[side]);
                    }
                }
            }
        }
    }

    /// Marks the closed cells next to the cells of a side.
    fn find_rim(&mut self, ground: &GridAtMoment<'_>, inner: u8, from: usize) {
        self.queues[0].clear();
        self.enter(0, from, FAR);
        while let Some(at) = self.queues[0].pop() {
            self.visits += 1;
            for to in ground.neighbors(at as usize) {
                if self.seen[to] == inner {
                    self.enter(0, to, FAR);
                } else if self.seen[to] == NOTHING {
                    self.seen[to] = RIM;
                    self.rim.push(to as u32);
                }
            }
        }
    }

    /// Adds to `found` the cells of the rim that a search from outside reaches. Cells that were closed from the start
    /// stop it, and need no reason.
    fn reach_rim(&mut self, solver: &Solver, ground: &GridAtMoment<'_>, from: usize) {
        let mut left = self.rim.len();
        self.queues[1].clear();
        self.enter(1, from, FAR);
        while left > 0
            && let Some(at) = self.queues[1].pop()
        {
            self.visits += 1;
            for to in ground.neighbors(at as usize) {
                if matches!(self.seen[to], FAR | BARRED) {
                    continue;
                }
                let was_closed =
                    !ground.is_open(to) && !solver.initial(to).meets(ground.region.values);
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

    /// Clears all that earlier searches know.
    fn begin(&mut self, ground: &GridAtMoment<'_>) {
        self.seen.clear();
        self.seen.resize(ground.marks.len(), NOTHING);
        self.visits += ground.marks.len() / 8;
        self.queues.iter_mut().for_each(Vec::clear);
        self.rim.clear();
    }

    /// An upper bound of its bytes for a board of `places` places.
    pub fn bytes(places: usize) -> usize {
        // A row that grows exists twice meanwhile.
        places * (size_of::<u8>() + 2 * 4 * size_of::<u32>())
    }
}
