//! Boards as bytes. The knowledge of constraints about their places is saved; everything that follows from the cells
//! is rebuilt.

use std::sync::Arc;

use super::{Board, Function, Rule, Sizes};
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_solver::Constraint;

ndscript_base::saved!(struct Function { function, agenda });

impl Saved for Rule {
    fn save(&self, out: &mut Writer) {
        self.constraint.save(out);
        self.function.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Rule, Unsound> {
        let (constraint, function): (Arc<Constraint>, Option<Function>) =
            (Arc::load(from)?, Option::load(from)?);
        ensure(
            constraint.is_native() == function.is_none(),
            "a constraint lacks its function",
        )?;
        Ok(Rule {
            constraint,
            function,
        })
    }
}

impl Saved for Board {
    fn save(&self, out: &mut Writer) {
        self.container.save(out);
        self.stamp.save(out);
        if self.is_constrained() {
            self.save_rules(out);
        } else {
            // Rebuilt, with as many places as the container has.
            Board::default().save_rules(out);
        }
    }

    /// The rest is made when all values are read.
    fn load(from: &mut Reader<'_>) -> Result<Board, Unsound> {
        let (container, stamp) = (Value::load(from)?, u64::load(from)?);
        let (universe, functions) = (Vec::load(from)?, Vec::load(from)?);
        let givens = Value::load(from)?;
        let solver = Saved::load(from)?;
        let (stale, stale_from) = (Vec::load(from)?, usize::load(from)?);
        let (has_sizes, knows_counts) = (bool::load(from)?, bool::load(from)?);
        let sizes = has_sizes.then(|| Box::new(Sizes::placeholder(knows_counts)));
        Ok(Board {
            container,
            stamp,
            universe,
            functions,
            givens,
            solver,
            stale,
            stale_from,
            sizes,
            ..Board::default()
        })
    }
}

impl Board {
    /// Writes the constraints of a board, and the work that is left to do for them.
    fn save_rules(&self, out: &mut Writer) {
        self.universe.save(out);
        self.functions.save(out);
        self.givens.save(out);
        self.solver.save(out);
        // The work left must take as many steps as it would have.
        self.stale.save(out);
        self.stale_from.save(out);
        self.sizes.is_some().save(out);
        self.sizes
            .as_ref()
            .is_some_and(|sizes| sizes.knows_counts())
            .save(out);
    }
}

impl Heap {
    /// Whether a board can have these constraints.
    pub fn can_have(&self, board: Handle, rules: &[Rule]) -> bool {
        let places = self.boards[board].solver.places();
        rules.iter().all(|rule| rule.constraint.fits(places))
    }

    /// Checks the boards that were read back, and rebuilds the parts that were not saved.
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

    /// Restores what a saved board leaves out, and checks that the rest can be true.
    fn mend_board(&mut self, handle: Handle) -> Result<(), Unsound> {
        let mut board = std::mem::take(&mut self.boards[handle]);
        let count = self.places_of(board.container);
        if !board.is_constrained() {
            self.boards[handle] = Board {
                stamp: board.stamp,
                ..Board::of(board.container, count)
            };
            return Ok(());
        }
        let universe = board.universe.len();
        ensure(
            board.solver.values() == universe,
            "a board has another number of values",
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
        board.solver.mend(count)?;
        board.make_near();
        ensure(
            self.has_sound_agenda(&board),
            "a function of a board has no flag",
        )?;
        ensure(
            self.has_sound_givens(&board),
            "what a board was given is no list of places",
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
            if self.boards[handle].solver.is_bound(place) {
                self.find_bits(handle, place);
            }
        }
        self.freshen(handle, &mut budget);
        if let Some(sizes) = sizes {
            self.index_sizes(handle, sizes.knows_counts(), &mut budget, |_, _| true);
        }
        (self.boards[handle].stale, self.boards[handle].stale_from) = (stale, stale_from);
        let counted = self.boards[handle].bytes();
        self.boards[handle].counted_bytes = counted;
        Ok(())
    }

    /// All grids, arrays and objects: each may be a board.
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
