//! Boards as bytes. Saved is what constraints know of their places; what follows from the cells is made again.

use std::sync::Arc;

use super::{Board, Constraint, Height, Pending, Sizes, Waking};
use crate::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};

impl Saved for Height {
    fn save(&self, out: &mut Writer) {
        let Height {
            universe,
            words,
            links: _,
        } = self;
        universe.save(out);
        words.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Height, Unsound> {
        Ok(Height {
            universe: usize::load(from)?,
            words: usize::load(from)?,
            links: 0,
        })
    }
}

impl Saved for Board {
    fn save(&self, out: &mut Writer) {
        self.container.save(out);
        if self.is_constrained() {
            self.save_rules(self.stamp, out);
        } else {
            // Made anew, with as many places as the container has.
            Board::default().save_rules(self.stamp, out);
        }
    }

    /// The rest is made when all values are there.
    fn load(from: &mut Reader<'_>) -> Result<Board, Unsound> {
        let (container, places) = (Value::load(from)?, usize::load(from)?);
        let (universe, domains) = (Vec::load(from)?, Saved::load(from)?);
        let (constraints, matchings) = (Vec::load(from)?, Vec::load(from)?);
        let (heights, weights) = (Vec::load(from)?, Vec::load(from)?);
        let slack: Vec<u32> = Vec::load(from)?;
        let stamp = u64::load(from)?;
        let (stale, stale_from) = (Vec::load(from)?, usize::load(from)?);
        let (has_sizes, knows_counts) = (bool::load(from)?, bool::load(from)?);
        let sizes = has_sizes.then(|| Box::new(Sizes::to_be_made(knows_counts)));
        let losses = Saved::load(from)?;
        Ok(Board {
            stale,
            stale_from,
            sizes,
            losses,
            container,
            places,
            universe,
            domains,
            constraints,
            matchings,
            heights,
            weights,
            waking: slack
                .into_iter()
                .map(|slack| Waking {
                    slack,
                    ..Waking::default()
                })
                .collect(),
            stamp,
            ..Board::default()
        })
    }
}

impl Board {
    fn save_rules(&self, stamp: u64, out: &mut Writer) {
        self.places.save(out);
        self.universe.save(out);
        self.domains.save(out);
        self.constraints.save(out);
        self.matchings.save(out);
        // Without that of a constraint that is on its way.
        self.heights[..self.constraints.len().min(self.heights.len())]
            .to_vec()
            .save(out);
        self.weights.save(out);
        self.waking
            .iter()
            .map(|waking| waking.slack)
            .collect::<Vec<u32>>()
            .save(out);
        stamp.save(out);
        // What is still to be done is to take as many steps as it would have.
        self.stale.save(out);
        self.stale_from.save(out);
        self.sizes.is_some().save(out);
        self.sizes
            .as_ref()
            .is_some_and(|sizes| sizes.knows_counts())
            .save(out);
        self.losses.save(out);
    }

    /// Whether what only later constraints need lies behind what earlier ones do.
    fn has_sound_heights(&self) -> bool {
        let last = Height {
            universe: self.universe.len(),
            words: self.domains.height(),
            links: 0,
        };
        let heights = self.heights.iter().chain([&last]);
        let rises = heights.clone().zip(heights.skip(1));
        self.heights.len() == self.constraints.len()
            && self
                .heights
                .iter()
                .all(|height| height.words >= self.places)
            && rises
                .into_iter()
                .all(|(low, high)| low.universe <= high.universe && low.words <= high.words)
    }
}

impl Heap {
    /// Whether constraints fit to a board.
    pub fn can_have(&self, board: Handle, constraints: &[Arc<Constraint>]) -> bool {
        let board = &self.boards[board];
        constraints
            .iter()
            .all(|constraint| constraint.fits(board.places))
    }

    /// Checks the boards that were read back, and makes what was left out.
    pub(crate) fn mend_boards(&mut self) -> Result<(), Unsound> {
        let are_there = {
            let links = self
                .grids
                .iter()
                .map(|grid| grid.board)
                .chain(self.arrays.iter().map(|array| array.board()));
            let mut links = links
                .chain(self.objects.iter().map(|object| object.board))
                .filter(|link| *link != 0);
            links.all(|link| self.boards.is_used(link - 1))
        };
        ensure(are_there, "a board is missing")?;
        for container in self.containers() {
            if let Some(board) = self.board_of(container) {
                ensure(
                    self.boards[board].container == container,
                    "a board belongs to something else",
                )?;
            }
        }
        for handle in self.boards.handles().collect::<Vec<Handle>>() {
            let is_container = matches!(
                self.boards[handle].container.kind(),
                Kind::Grid | Kind::Array | Kind::Object
            );
            ensure(
                is_container && self.has(self.boards[handle].container),
                "a board belongs to nothing",
            )?;
            self.mend_board(handle)?;
        }
        Ok(())
    }

    fn mend_board(&mut self, handle: Handle) -> Result<(), Unsound> {
        let mut board = std::mem::take(&mut self.boards[handle]);
        let count = self.places_of(board.container);
        if board.constraints.is_empty() {
            self.boards[handle] = Board {
                stamp: board.stamp,
                ..Board::of(board.container, count)
            };
            return Ok(());
        }
        let universe = board.universe.len();
        board.domains.make_bits();
        ensure(
            board.places == count && board.domains.is_sound(count, universe),
            "a board has another size",
        )?;
        let rows = [
            board.weights.len(),
            board.waking.len(),
            board.matchings.len(),
        ];
        ensure(
            rows == [board.constraints.len(); 3],
            "a board has another number of constraints",
        )?;
        ensure(board.losses.are_sound(count), "what was lost was not there")?;
        ensure(
            board.has_sound_heights(),
            "the constraints of a board do not lie on each other",
        )?;
        let fits = |constraint: &Arc<Constraint>| constraint.fits(count);
        ensure(
            board.constraints.iter().all(fits),
            "a constraint looks at what is not there",
        )?;
        let numbers = board
            .universe
            .iter()
            .enumerate()
            .map(|(number, value)| (*value, number as u32));
        board.numbers = numbers.collect();
        ensure(
            board.numbers.len() == universe,
            "a value of a board has two numbers",
        )?;
        let domains = std::mem::take(&mut board.domains);
        let stale = std::mem::take(&mut board.stale);
        board.make_rows();
        (board.domains, board.stale) = (domains, stale);
        for (number, constraint) in std::mem::take(&mut board.constraints)
            .into_iter()
            .enumerate()
        {
            let constraint = Arc::new(Arc::unwrap_or_clone(constraint).with_short_ways(&board));
            board.heights[number].links = board.watchers.height();
            for place in constraint.places().unwrap_or_default() {
                board.watchers.add(number as u32, *place);
                board.bound[*place as usize] += 1;
                board.unbound -= usize::from(board.bound[*place as usize] == 1);
            }
            if constraint.places().is_none() {
                board.everywhere.push(number as u32);
            }
            let cells = if constraint.looks_at_changes() {
                vec![false; count]
            } else {
                Vec::new()
            };
            board.pending.push(Pending {
                cells: Vec::new(),
                is_in: cells,
            });
            let slack = board.waking[number].slack;
            board.waking[number] = Waking::of(&constraint, !constraint.is_native(), slack);
            if !constraint.is_native() {
                board.functions.push(number as u32);
            }
            if constraint.joined().is_some() {
                board.ways.push(number as u32);
            }
            if constraint.may_run_short(count) {
                board.counts.push(number as u32);
            }
            board.rule_bytes += board.bytes_of(&constraint);
            board.constraints.push(constraint);
        }
        ensure(
            self.has_sound_agenda(&board),
            "a function of a board has no flag",
        )?;
        ensure(
            board.stale.iter().all(|place| (*place as usize) < count),
            "a place is not there",
        )?;
        let (stale, stale_from) = (std::mem::take(&mut board.stale), board.stale_from);
        let sizes = board.sizes.take();
        self.boards[handle] = board;
        let mut budget = Budget::unlimited();
        for place in 0..count {
            if self.boards[handle].is_bound(place) {
                self.find_bits(handle, place);
            }
        }
        self.freshen(handle, &mut budget);
        if let Some(sizes) = sizes {
            self.index_sizes(handle, sizes.knows_counts(), &mut budget, |_, _| true);
        }
        (self.boards[handle].stale, self.boards[handle].stale_from) = (stale, stale_from);
        let counted = self.boards[handle].bytes();
        self.boards[handle].counted = counted;
        Ok(())
    }

    fn containers(&self) -> Vec<Value> {
        let grids = self
            .grids
            .handles()
            .map(|handle| Value::handle(Kind::Grid, handle));
        let arrays = self
            .arrays
            .handles()
            .map(|handle| Value::handle(Kind::Array, handle));
        let objects = self
            .objects
            .handles()
            .map(|handle| Value::handle(Kind::Object, handle));
        grids.chain(arrays).chain(objects).collect()
    }
}
