//! Counts the solutions of a narrow board by dynamic programming over its cells, and draws one of them.
//!
//! The cells are passed line by line, each line along the narrow side. The rest of the board depends on the passed
//! cells only through the latest of them, as far back as a neighbor is, and through the counts: beginnings that agree
//! in these are one *state*. Each cell has a layer of states. First the layers are computed, from the first cell on;
//! then, from the last cell back, the number of ways to fill the rest from each state. A drawn solution passes the
//! layers once more, each step with probability proportional to the number of solutions after it.

mod frontier;
mod reading;

use std::sync::Arc;

use frontier::Frontier;

use ndscript_base::keyed::KeyedMap;

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::{Value, natural};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};
use ndscript_solver::{Adjacent, Candidates, Connected, Constraint, Count};

/// A step that no state allows.
const NOWHERE: u32 = u32::MAX;

/// The visits charged for a layer, apart from its states.
const VISITS_OF_LAYER: usize = 32;

/// This many decimal digits are written at once.
const DIGITS: usize = 19;

#[derive(Clone, Copy, PartialEq)]
pub enum Wants {
    /// The number of solutions, as a text of digits.
    Number,
    /// The values of a solution by place, as an array; null if there is none.
    Solution,
}

impl Wants {
    fn function(self) -> &'static str {
        match self {
            Wants::Number => "numberOfSolutions",
            Wants::Solution => "uniformSolution",
        }
    }
}

/// The order in which the cells are passed.
#[derive(Clone, Copy)]
struct Order {
    columns: usize,
    rows: usize,
    /// Whether a line is a column.
    is_turned: bool,
}

impl Order {
    /// The cells of a line.
    fn side(&self) -> usize {
        self.columns.min(self.rows).max(1)
    }

    /// The place that is passed `at` cells after the first.
    fn place(&self, at: usize) -> usize {
        if self.is_turned {
            at % self.rows * self.columns + at / self.rows
        } else {
            at
        }
    }

    /// Column and row of a place.
    fn column_and_row(&self, place: usize) -> (i64, i64) {
        (
            (place % self.columns.max(1)) as i64,
            (place / self.columns.max(1)) as i64,
        )
    }

    /// How many cells earlier the neighbor in a direction is passed; not above 0 if it comes later.
    fn back(&self, columns: i32, rows: i32) -> i64 {
        let (columns, rows) = (i64::from(columns), i64::from(rows));
        if self.is_turned {
            -(columns * self.rows as i64 + rows)
        } else {
            -(rows * self.columns as i64 + columns)
        }
    }
}

/// A neighbor that is passed earlier: the constraint and the direction that decide what fits, and how far back it is.
#[derive(Clone, Copy)]
struct EarlierNeighbor {
    constraint: usize,
    direction: usize,
    columns: i64,
    rows: i64,
    back: usize,
}

/// A constraint on how many cells hold one of some values, and where a state stores its count.
#[derive(Clone, Copy)]
struct Counter {
    constraint: usize,
    /// Counts above this are equivalent, or too many.
    most: u64,
    has_most: bool,
    least: u64,
    shift: u32,
    mask: u128,
    /// How many of its cells are not passed yet.
    left: u64,
}

/// The states before a cell, and where each candidate leads from there.
#[derive(Clone, Default)]
struct Layer {
    states: usize,
    /// Rows of as many states of the next layer as the cell has candidates.
    nexts: Vec<u32>,
    /// The number of ways to fill the rest from each state, in rows of this many digits.
    digits: usize,
    ways: Vec<u64>,
    /// The binary digits of the largest of them.
    bits: usize,
}

impl Layer {
    fn bytes(&self) -> usize {
        room::row(&self.nexts) + room::row(&self.ways)
    }

    fn ways(&self, state: usize) -> &[u64] {
        self.ways
            .get(state * self.digits..(state + 1) * self.digits)
            .unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// The candidates of a place after another.
    Reading,
    /// The places of a counting constraint after another.
    Counting,
    Forward,
    Backward,
    Drawing,
    Writing,
}

/// The work.
#[derive(Clone)]
pub struct Uniform {
    board: Value,
    wants: Wants,
    order: Order,
    earlier_neighbors: Vec<EarlierNeighbor>,
    counters: Vec<Counter>,
    frontiers: Vec<Frontier>,
    /// The values of the cells, their numbers here, and those that they have on the board.
    values: Vec<Value>,
    numbers: KeyedMap<Value, u32>,
    on_board: Vec<Option<usize>>,
    /// The candidates of each place in a row of all; by place, where they begin.
    candidates: Vec<u32>,
    starts: Vec<u32>,
    /// Which counters look at a place.
    counted_by: Vec<u64>,
    /// Bits of a cell in a state, and of all cells that it knows.
    bits: u32,
    profile: u128,
    stage: Stage,
    /// The cell, constraint or digit that comes next, and what comes next of it.
    at: usize,
    next: usize,
    /// The states of the layer that is looked at, and those found of the next.
    states: Vec<u128>,
    found: Vec<u128>,
    found_at: KeyedMap<u128, u32>,
    layers: Vec<Layer>,
    layer_bytes: usize,
    /// The remainder of the number that was drawn, or of the one being written.
    rest: Vec<u64>,
    drawn: Vec<Value>,
    state: usize,
    text: Vec<u64>,
    asking: MemoryRequest,
}

impl Uniform {
    fn cells(&self) -> usize {
        self.order.columns * self.order.rows
    }

    /// Makes room for one more in a row.
    fn make_room<T>(
        asking: &mut MemoryRequest,
        context: &mut Context,
        row: &mut Vec<T>,
        more: usize,
    ) -> Result<bool, Fault> {
        if row.capacity() - row.len() < more {
            let bytes = room::step(room::row(row)).max(more * size_of::<T>()) + 64;
            if !asking.ask(context, bytes)? {
                return Ok(false);
            }
            room::grow(row, more);
        }
        Ok(true)
    }

    fn candidates_of(&self, place: usize) -> &[u32] {
        self.candidates
            .get(self.starts[place] as usize..self.starts[place + 1] as usize)
            .unwrap_or_default()
    }

    /// The next state, if a cell holds a value; `None` if it cannot.
    fn step(
        &self,
        constraints: &[Arc<Constraint>],
        state: u128,
        place: usize,
        value: u32,
        budget: &mut Budget,
    ) -> Option<u128> {
        let (column, row) = self.order.column_and_row(place);
        let number = self.on_board.get(value as usize).copied().flatten();
        budget.spend(4 + 2 * self.earlier_neighbors.len() + 2 * self.counters.len());
        for neighbor in &self.earlier_neighbors {
            let (x, y) = (column + neighbor.columns, row + neighbor.rows);
            if x < 0 || y < 0 || x >= self.order.columns as i64 || y >= self.order.rows as i64 {
                continue;
            }
            let shift = (neighbor.back as u32 - 1) * self.bits;
            let other = if self.bits == 0 {
                0
            } else {
                state >> shift & ones(self.bits)
            };
            let other = self.on_board.get(other as usize).copied().flatten()?;
            let Some(Constraint::Adjacent(Adjacent {
                width,
                tables,
                directions,
                ..
            })) = constraints.get(neighbor.constraint).map(Arc::as_ref)
            else {
                return None;
            };
            let table = tables.get(directions.get(neighbor.direction)?.table as usize)?;
            let word = table.rows().get(number? * *width as usize + other / 64)?;
            if word >> (other % 64) & 1 == 0 {
                return None;
            }
        }
        let mut after = if self.profile == 0 {
            0
        } else {
            (state << self.bits | u128::from(value)) & self.profile
        };
        for (at, counter) in self.counters.iter().enumerate() {
            let mut count = (state >> counter.shift & counter.mask) as u64;
            let mut left = counter.left;
            if self.counted_by[place] >> at & 1 == 1 {
                left -= 1;
                let Some(Constraint::Count(Count { values, .. })) =
                    constraints.get(counter.constraint).map(Arc::as_ref)
                else {
                    return None;
                };
                let holds = number.is_some_and(|number| Candidates::whole(values).has(number));
                if holds {
                    if counter.has_most && count == counter.most {
                        return None;
                    }
                    count = (count + 1).min(counter.most);
                }
            }
            if count + left < counter.least {
                return None;
            }
            after |= u128::from(count) << counter.shift;
        }
        let side = self.order.side();
        for frontier in &self.frontiers {
            budget.spend(2 * side);
            let Some(Constraint::Connected(Connected { values, .. })) =
                constraints.get(frontier.constraint).map(Arc::as_ref)
            else {
                return None;
            };
            let is_inside = number.is_some_and(|number| Candidates::whole(values).has(number));
            let is_last = self.at + 1 == self.cells();
            after |= frontier.after(state, self.at % side, is_inside, is_last)?;
        }
        Some(after)
    }

    /// Finds the states of all layers.
    fn go_forward(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let cells = self.cells();
        if self.states.is_empty() && self.at == 0 {
            self.states.push(0);
        }
        while self.at < cells {
            // If no state is left, the layers are empty, and there are equally many.
            if budget.is_spent() {
                return Ok(false);
            }
            let place = self.order.place(self.at);
            let options = self.candidates_of(place).len();
            if self.layers.len() == self.at {
                if !Self::make_room(&mut self.asking, context, &mut self.layers, 1)? {
                    return Ok(false);
                }
                self.layers.push(Layer {
                    states: self.states.len(),
                    ..Layer::default()
                });
            }
            while self.next < self.states.len() {
                if budget.is_spent() {
                    return Ok(false);
                }
                let more = self.found_at.len() + options > self.found_at.capacity();
                if more {
                    let bytes = room::hash_map(2 * self.found_at.capacity() + options, 32);
                    if !self.asking.ask(context, bytes)? {
                        return Ok(false);
                    }
                    budget.spend(self.found_at.len());
                    self.found_at.reserve(options);
                }
                let is_room = Self::make_room(&mut self.asking, context, &mut self.found, options)?
                    && Self::make_room(
                        &mut self.asking,
                        context,
                        &mut self.layers[self.at].nexts,
                        options,
                    )?;
                if !is_room {
                    return Ok(false);
                }
                if self.found.len() + options >= NOWHERE as usize {
                    return Err(cannot_draw_fairly(
                        self.wants,
                        "the board has too many states",
                    ));
                }
                let state = self.states[self.next];
                let board = context.heap.constrained(self.board);
                let constraints = board.map_or(&[][..], |board| {
                    context.heap.boards[board].solver.constraints()
                });
                for option in 0..options {
                    let value = self.candidates[self.starts[place] as usize + option];
                    let next = match self.step(constraints, state, place, value, budget) {
                        None => NOWHERE,
                        Some(after) => {
                            let fresh = self.found.len() as u32;
                            let number = *self.found_at.entry(after).or_insert(fresh);
                            if number == fresh {
                                self.found.push(after);
                            }
                            number
                        }
                    };
                    self.layers[self.at].nexts.push(next);
                }
                self.next += 1;
            }
            budget.spend(VISITS_OF_LAYER + self.found_at.capacity() / 8);
            self.layer_bytes += self.layers[self.at].bytes();
            self.states = std::mem::take(&mut self.found);
            self.found_at.clear();
            for (at, counter) in self.counters.iter_mut().enumerate() {
                counter.left -= self.counted_by[place] >> at & 1;
            }
            (self.at, self.next) = (self.at + 1, 0);
        }
        // Each beginning counts as one way.
        let states = self.states.len();
        if !self.asking.ask(context, 8 * states + 64)? {
            return Ok(false);
        }
        self.found_at = KeyedMap::default();
        self.states = Vec::new();
        let last = Layer {
            states,
            digits: 1,
            ways: vec![1; states],
            bits: 1,
            nexts: Vec::new(),
        };
        self.layer_bytes += last.bytes();
        self.layers.push(last);
        (self.stage, self.at, self.next) = (Stage::Backward, cells, 0);
        Ok(true)
    }

    /// Computes the number of ways to fill the rest.
    fn go_back(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        while self.at > 0 {
            if budget.is_spent() {
                return Ok(false);
            }
            let (before, behind) = self.layers.split_at_mut(self.at);
            let (Some(layer), Some(after)) = (before.last_mut(), behind.first()) else {
                return Ok(true);
            };
            let place = self.order.place(self.at - 1);
            let options = (self.starts[place + 1] - self.starts[place]) as usize;
            if layer.ways.capacity() == 0 && layer.states > 0 {
                // The sum of n numbers has at most log2(n) more binary digits.
                let digits = (after.bits + (usize::BITS - options.leading_zeros()) as usize)
                    .div_ceil(64)
                    .max(1);
                if !self.asking.ask(context, 8 * digits * layer.states + 64)? {
                    return Ok(false);
                }
                layer.digits = digits;
                layer.ways.reserve_exact(digits * layer.states);
                self.layer_bytes += room::row(&layer.ways);
            }
            while self.next < layer.states {
                if budget.is_spent() {
                    return Ok(false);
                }
                budget.spend(2 + options * (1 + layer.digits));
                let start = layer.ways.len();
                layer.ways.resize(start + layer.digits, 0);
                for next in layer
                    .nexts
                    .get(self.next * options..(self.next + 1) * options)
                    .unwrap_or_default()
                {
                    if *next != NOWHERE {
                        natural::add(&mut layer.ways[start..], after.ways(*next as usize));
                    }
                }
                layer.bits = layer.bits.max(natural::bits(&layer.ways[start..]));
                self.next += 1;
            }
            if self.wants == Wants::Number {
                // Only the latest layer is needed.
                let done = std::mem::take(&mut self.layers[self.at]);
                self.layer_bytes -= done.bytes();
                let nexts = std::mem::take(&mut self.layers[self.at - 1].nexts);
                self.layer_bytes -= room::row(&nexts);
            }
            budget.spend(VISITS_OF_LAYER);
            (self.at, self.next) = (self.at - 1, 0);
        }
        self.rest = self
            .layers
            .first()
            .map_or(Vec::new(), |first| first.ways(0).to_vec());
        self.stage = if self.wants == Wants::Number {
            Stage::Writing
        } else {
            Stage::Drawing
        };
        Ok(true)
    }

    /// Draws a number below that of all solutions, which is then the number of the solution.
    fn draw(&mut self, context: &mut Context) {
        let total = std::mem::take(&mut self.rest);
        let bits = natural::bits(&total);
        loop {
            let mut number: Vec<u64> = Vec::with_capacity(total.len());
            for at in 0..total.len() {
                let (high, low) = (context.rng.below(1 << 32), context.rng.below(1 << 32));
                let wanted = bits.saturating_sub(64 * at).min(64);
                let mask = if wanted == 64 {
                    u64::MAX
                } else {
                    (1 << wanted) - 1
                };
                number.push((high << 32 | low) & mask);
            }
            if natural::is_less(&number, &total) {
                self.rest = number;
                return;
            }
        }
    }

    /// Follows the number that was drawn through the layers.
    fn follow(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let cells = self.cells();
        if self.drawn.capacity() == 0 {
            if natural::is_zero(&self.rest) {
                return Ok(Some(Value::NULL));
            }
            if !self.asking.ask(context, 2 * (8 * cells + 64))? {
                return Ok(None);
            }
            self.drawn.reserve_exact(cells.max(1));
            self.drawn.resize(cells, Value::NULL);
            budget.spend(cells / 8 + 8 * self.rest.len());
            self.draw(context);
        }
        while self.at < cells {
            if budget.is_spent() {
                return Ok(None);
            }
            let place = self.order.place(self.at);
            let options = (self.starts[place + 1] - self.starts[place]) as usize;
            let mut found = None;
            for option in 0..options {
                let next = self.layers[self.at]
                    .nexts
                    .get(self.state * options + option)
                    .copied()
                    .unwrap_or(NOWHERE);
                if next == NOWHERE {
                    continue;
                }
                let ways = self.layers[self.at + 1].ways(next as usize);
                budget.spend(2 + ways.len());
                if natural::is_less(&self.rest, ways) {
                    found = Some((option, next));
                    break;
                }
                natural::subtract(&mut self.rest, ways);
            }
            let Some((option, next)) = found else {
                return Ok(Some(Value::NULL));
            };
            let value = self.candidates[self.starts[place] as usize + option];
            self.drawn[place] = self.values[value as usize];
            self.state = next as usize;
            self.at += 1;
        }
        Ok(Some(context.heap.array(std::mem::take(&mut self.drawn))))
    }

    /// Writes the number of solutions.
    fn write(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while !natural::is_zero(&self.rest) {
            if budget.is_spent() || !Self::make_room(&mut self.asking, context, &mut self.text, 1)?
            {
                return Ok(None);
            }
            budget.spend(4 * self.rest.len() + 4);
            self.text
                .push(natural::divide(&mut self.rest, 10u64.pow(DIGITS as u32)));
        }
        if !self
            .asking
            .ask(context, 2 * (DIGITS * self.text.len() + 64))?
        {
            return Ok(None);
        }
        let mut text = self.text.last().unwrap_or(&0).to_string();
        for part in self.text.iter().rev().skip(1) {
            text.push_str(&format!("{part:0DIGITS$}"));
        }
        Ok(Some(context.heap.text(&text)))
    }
}

impl Work for Uniform {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            let is_done = match self.stage {
                Stage::Reading => self.read(context, budget)?,
                Stage::Counting => {
                    let is_noted = self.record_counters(context, budget);
                    if is_noted {
                        (self.stage, self.at, self.next) = (Stage::Forward, 0, 0);
                    }
                    is_noted
                }
                Stage::Forward => self.go_forward(context, budget)?,
                Stage::Backward => self.go_back(context, budget)?,
                Stage::Drawing => return self.follow(context, budget),
                Stage::Writing => return self.write(context, budget),
            };
            if !is_done {
                return Ok(None);
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.board);
        tracer.values.extend_from_slice(&self.values);
    }

    fn bytes(&self) -> usize {
        let running = if self.stage == Stage::Forward {
            self.layers.get(self.at).map_or(0, Layer::bytes)
        } else {
            0
        };
        room::row(&self.earlier_neighbors)
            + room::row(&self.counters)
            + room::row(&self.frontiers)
            + room::row(&self.values)
            + room::row(&self.on_board)
            + room::hash_map(self.numbers.capacity(), 16)
            + room::row(&self.candidates)
            + room::row(&self.starts)
            + room::row(&self.counted_by)
            + room::row(&self.states)
            + room::row(&self.found)
            + room::hash_map(self.found_at.capacity(), 32)
            + room::row(&self.layers)
            + self.layer_bytes
            + running
            + room::row(&self.rest)
            + room::row(&self.drawn)
            + room::row(&self.text)
    }
}

/// This many bits that are all set.
fn ones(bits: u32) -> u128 {
    if bits >= 128 {
        u128::MAX
    } else {
        (1 << bits) - 1
    }
}

fn cannot_draw_fairly(wants: Wants, why: &str) -> Fault {
    let message = format!("`{}` cannot count the solutions: {why}", wants.function());
    let fault = Fault::error(ErrorKind::Value, message);
    match wants {
        Wants::Solution => {
            fault.with_hint("`decide` takes any board; its solutions are not equally likely")
        }
        Wants::Number => fault.with_hint("`countSolutions(() => decide(b))` counts by trying"),
    }
}
