//! Reads the board to be counted, and lays out the states.

use std::sync::Arc;

use super::{
    Counter, EarlierNeighbor, Frontier, Order, Stage, Uniform, Wants, cannot_draw_fairly, ones,
};
use ndscript_base::budget::Budget;
use ndscript_base::counted::counted;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_solver::{Adjacent, Constraint, Count};

impl Uniform {
    /// # Errors
    /// If a constraint is none of those that can be counted.
    pub fn new(context: &Context, board: Value, wants: Wants) -> Result<Uniform, Fault> {
        let grid = &context.heap.grids[board.payload()];
        let (columns, rows) = (grid.width as usize, grid.height as usize);
        let order = Order {
            columns,
            rows,
            is_turned: columns > rows,
        };
        let (mut behind, mut counters, mut frontiers) = (Vec::new(), Vec::new(), Vec::new());
        let constraints = context.heap.constrained(board).map_or(&[][..], |board| {
            context.heap.boards[board].solver.constraints()
        });
        for (number, constraint) in constraints.iter().enumerate() {
            match &**constraint {
                Constraint::Adjacent(Adjacent {
                    wraps: false,
                    directions,
                    ..
                }) => {
                    for (at, direction) in directions.iter().enumerate() {
                        let back = order.back(direction.columns, direction.rows);
                        if back > 0 {
                            behind.push(EarlierNeighbor {
                                constraint: number,
                                direction: at,
                                columns: i64::from(direction.columns),
                                rows: i64::from(direction.rows),
                                back: back as usize,
                            });
                        }
                    }
                }
                Constraint::Count(Count {
                    places,
                    least,
                    most,
                    ..
                }) => {
                    let has_most = *most < places.len() as u64;
                    let most = if has_most {
                        *most
                    } else {
                        (*least).min(places.len() as u64 + 1)
                    };
                    counters.push(Counter {
                        constraint: number,
                        most,
                        has_most,
                        least: *least,
                        shift: 0,
                        mask: 0,
                        left: places.len() as u64,
                    });
                }
                Constraint::Connected(_) => {
                    frontiers.push(Frontier::new(number, order.side()));
                }
                // It is redundant with the counts.
                Constraint::Cardinality(_) => {}
                _ => {
                    return Err(cannot_draw_fairly(
                        wants,
                        "the board has other constraints than `adjacent` without `wrap`, `connected` without options, and counts",
                    ));
                }
            }
        }
        if counters.len() > 64 {
            return Err(cannot_draw_fairly(
                wants,
                "the board has more than 64 counts",
            ));
        }
        Ok(Uniform {
            board,
            wants,
            order,
            earlier_neighbors: behind,
            counters,
            frontiers,
            values: Vec::new(),
            numbers: KeyedMap::default(),
            on_board: Vec::new(),
            candidates: Vec::new(),
            starts: Vec::new(),
            counted_by: Vec::new(),
            bits: 0,
            profile: 0,
            stage: Stage::Reading,
            at: 0,
            next: 0,
            states: Vec::new(),
            found: Vec::new(),
            found_at: KeyedMap::default(),
            layers: Vec::new(),
            layer_bytes: 0,
            rest: Vec::new(),
            drawn: Vec::new(),
            state: 0,
            text: Vec::new(),
            asking: MemoryRequest::default(),
        })
    }

    /// Takes up the candidates of all places.
    pub(super) fn read(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let cells = self.cells();
        if self.starts.capacity() == 0 {
            if !self.asking.ask(context, 12 * cells + 64)? {
                return Ok(false);
            }
            self.starts.reserve_exact(cells + 1);
            self.counted_by.reserve_exact(cells);
            self.starts.push(0);
        }
        while self.at < cells {
            if budget.is_spent() {
                return Ok(false);
            }
            let content = context.heap.at_place(self.board, self.at);
            let (size, visits) = (
                context.heap.candidate_count(content),
                context.heap.visits_of_candidate(content),
            );
            while self.next < size {
                if budget.is_spent() {
                    return Ok(false);
                }
                budget.spend(visits + 4);
                let value = context
                    .heap
                    .candidate(content, self.next)
                    .unwrap_or(Value::NULL);
                let value = context.frozen_already(value).ok_or_else(|| {
                    cannot_draw_fairly(self.wants, "a cell holds an array")
                        .with_hint("put `setOf(array)` there, which stores it by value")
                })?;
                if !Self::make_room(&mut self.asking, context, &mut self.candidates, 1)? {
                    return Ok(false);
                }
                let number = match self.numbers.get(&value) {
                    Some(number) => *number,
                    None => {
                        if self.values.len() == usize::from(u16::MAX) {
                            return Err(cannot_draw_fairly(
                                self.wants,
                                "the board has too many values",
                            ));
                        }
                        let bytes = room::hash_map(2 * self.numbers.capacity() + 4, 16)
                            + 2 * room::row(&self.values)
                            + 128;
                        if !self.asking.ask(context, bytes)? {
                            return Ok(false);
                        }
                        let number = self.values.len() as u32;
                        let board = context.heap.constrained(self.board);
                        self.on_board.push(
                            board.and_then(|board| context.heap.boards[board].number_of(value)),
                        );
                        self.values.push(value);
                        self.numbers.insert(value, number);
                        number
                    }
                };
                self.candidates.push(number);
                self.next += 1;
            }
            budget.spend(4);
            self.starts.push(self.candidates.len() as u32);
            self.counted_by.push(0);
            (self.at, self.next) = (self.at + 1, 0);
        }
        self.lay_out()?;
        (self.stage, self.at) = (Stage::Counting, 0);
        Ok(true)
    }

    /// Decides where a state stores everything.
    fn lay_out(&mut self) -> Result<(), Fault> {
        self.bits = usize::BITS - self.values.len().saturating_sub(1).leading_zeros();
        let span = self
            .earlier_neighbors
            .iter()
            .map(|neighbor| neighbor.back)
            .max()
            .unwrap_or(0)
            .min(self.cells());
        let mut shift = (span as u64).saturating_mul(u64::from(self.bits));
        for counter in &mut self.counters {
            let bits = u64::BITS - counter.most.leading_zeros();
            if shift + u64::from(bits) <= 128 {
                (counter.shift, counter.mask) = ((shift as u32).min(127), ones(bits));
            }
            shift += u64::from(bits);
        }
        for frontier in &mut self.frontiers {
            let bits = frontier.width();
            if shift + u64::from(bits) <= 128 {
                frontier.shift = (shift as u32).min(127);
            }
            shift += u64::from(bits);
        }
        if shift > 128 {
            let side = self.order.columns.min(self.order.rows);
            let values = self.values.len();
            let why = format!(
                "the board is too wide: {} on its narrow side, of {}",
                counted(side, "cell"),
                counted(values, "value")
            );
            return Err(cannot_draw_fairly(self.wants, &why).with_hint(
                "it is for boards of up to about a dozen cells on one side and few values",
            ));
        }
        self.profile = ones(span as u32 * self.bits);
        Ok(())
    }

    /// Records for each place the constraints that count it.
    pub(super) fn record_counters(&mut self, context: &Context, budget: &mut Budget) -> bool {
        let Some(board) = context.heap.constrained(self.board) else {
            return true;
        };
        let constraints = context.heap.boards[board].solver.constraints();
        while let Some(counter) = self.counters.get(self.at) {
            if let Some(Constraint::Count(Count { places, .. })) =
                constraints.get(counter.constraint).map(Arc::as_ref)
            {
                while let Some(place) = places.get(self.next) {
                    if budget.is_spent() {
                        return false;
                    }
                    budget.spend(1);
                    self.counted_by[*place as usize] |= 1 << self.at;
                    self.next += 1;
                }
            }
            (self.at, self.next) = (self.at + 1, 0);
        }
        true
    }
}
