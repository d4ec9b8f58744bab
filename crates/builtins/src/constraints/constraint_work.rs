//! Constraints made of the arguments of built-ins, in pieces.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::missing::{MissingSearch, MissingValues};
use super::sum_work::too_large;
use crate::args;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::{Function, Rule};
use ndscript_heap::value::MAX_INTEGER;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::candidates::MaskWork;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{AllDifferent, Callback, Constraint, Sum, Supports};

/// Builds a constraint from its places alone.
#[derive(Clone)]
pub enum Plain {
    Different,
}

impl ConstraintBuilder for Plain {
    fn resume(
        &mut self,
        _: &mut Context,
        target: &mut Target,
        _: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        let places = std::mem::take(&mut target.places);
        Ok(Some(Constraint::from(AllDifferent::new(places)).into()))
    }
}

/// A function of the program.
#[derive(Clone)]
pub struct FunctionBuilder(pub Value);

impl ConstraintBuilder for FunctionBuilder {
    fn resume(
        &mut self,
        _: &mut Context,
        target: &mut Target,
        _: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        let places = std::mem::take(&mut target.places);
        let callback = Callback {
            places,
            ..Callback::default()
        };
        Ok(Some(Rule {
            constraint: Arc::new(callback.into()),
            function: Some(Function::new(self.0)),
        }))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.0);
    }
}

/// Builds a constraint on which places hold some values.
#[derive(Clone)]
pub struct ValuesBuilder<F> {
    function: &'static str,
    masking: MaskWork,
    /// Looks for a value that the board does not know; left out if such values are allowed.
    missing: Option<MissingSearch>,
    /// A function that runs when the condition holds.
    calls: Option<Value>,
    make: F,
}

impl<F: Fn(Vec<u32>, Vec<u64>) -> Constraint + Clone> ValuesBuilder<F> {
    pub fn new(function: &'static str, values: Value, make: F) -> ValuesBuilder<F> {
        ValuesBuilder {
            function,
            masking: MaskWork::new(values),
            missing: Some(MissingSearch::default()),
            calls: None,
            make,
        }
    }

    /// With a function of the program that the constraint calls.
    pub fn calling(self, function: Value) -> ValuesBuilder<F> {
        ValuesBuilder {
            calls: Some(function),
            ..self
        }
    }

    /// Whether values are allowed that no place can hold.
    pub fn allowing_missing(self, is_allowed: bool) -> ValuesBuilder<F> {
        ValuesBuilder {
            missing: self.missing.filter(|_| !is_allowed),
            ..self
        }
    }
}

impl<F: Fn(Vec<u32>, Vec<u64>) -> Constraint + Clone + Send + Sync + 'static> ConstraintBuilder
    for ValuesBuilder<F>
{
    /// Continues to collect the numbers; true when all are there.
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self.masking.freeze(context, budget)?
            || !self
                .masking
                .mask(context, target.board, &mut target.asking, budget)?
        {
            return Ok(None);
        }
        self.masking
            .refuse_list(context, target.board, self.function, budget)?;
        if let Some(missing) = &mut self.missing
            && let Some(value) = self.masking.unknown()
            && !missing.refuse(context, target, self.function, value, budget)?
        {
            return Ok(None);
        }
        let constraint = (self.make)(std::mem::take(&mut target.places), self.masking.take());
        Ok(Some(Rule {
            constraint: Arc::new(constraint),
            function: self.calls.map(Function::new),
        }))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.masking.trace(tracer);
        tracer.values.extend(self.calls);
    }

    fn bytes(&self) -> usize {
        self.masking.bytes()
    }
}

/// The pairs of a relation that must hold, and those of a second one that must hold in the other direction.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    relation: Value,
    is_turned: bool,
    back: Option<Value>,
}

impl Rows {
    pub fn of(relation: Value) -> Rows {
        Rows {
            relation,
            is_turned: false,
            back: None,
        }
    }

    /// With the sides of each pair exchanged.
    pub fn turned(relation: Value) -> Rows {
        Rows {
            relation,
            is_turned: true,
            back: None,
        }
    }

    pub fn there_and_back(relation: Value, back: Value) -> Rows {
        Rows {
            relation,
            is_turned: false,
            back: Some(back),
        }
    }

    pub fn both_ways(relation: Value) -> Rows {
        Rows::there_and_back(relation, relation)
    }
}

/// The first two of some values.
fn first_two(mut values: impl Iterator<Item = Value>) -> [Option<Value>; 2] {
    [values.next(), values.next()]
}

/// For each value the values that relations allow, as rows of bits, there and back.
#[derive(Clone)]
pub struct RelationBuilder<F> {
    rows: Vec<Rows>,
    /// The next pair of the relation whose tables are the last.
    at: usize,
    is_begun: bool,
    tables: Vec<[Vec<u64>; 2]>,
    function: &'static str,
    missing: MissingValues,
    make: F,
}

impl<F: Fn(u32, Vec<[Vec<u64>; 2]>) -> Constraint> RelationBuilder<F> {
    pub fn new(
        function: &'static str,
        allows_missing: bool,
        rows: Vec<Rows>,
        make: F,
    ) -> RelationBuilder<F> {
        RelationBuilder {
            function,
            missing: MissingValues::new(allows_missing),
            rows,
            at: 0,
            is_begun: false,
            tables: Vec::new(),
            make,
        }
    }
}

impl RelationBuilder<()> {
    /// For callers that need only the tables.
    pub fn tables_of(
        function: &'static str,
        allows_missing: bool,
        rows: Vec<Rows>,
    ) -> RelationBuilder<()> {
        RelationBuilder {
            function,
            missing: MissingValues::new(allows_missing),
            rows,
            at: 0,
            is_begun: false,
            tables: Vec::new(),
            make: (),
        }
    }
}

impl<F> RelationBuilder<F> {
    /// The tables that were made, there and back for each of the rows.
    pub fn take_tables(&mut self) -> Vec<[Vec<u64>; 2]> {
        std::mem::take(&mut self.tables)
    }

    /// Continues to make the tables; true when all are made.
    pub fn relate(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let board = &context.heap.boards[target.board];
        let (width, words) = (
            board.solver.width(),
            board.universe().len() * board.solver.width(),
        );
        loop {
            if !self.is_begun {
                if self.tables.len() == self.rows.len() {
                    return Ok(true);
                }
                // Leaves room for the supports of sets of values, which are computed from these tables.
                let sets = if width == 1 {
                    Supports::sets_of(words)
                } else {
                    0
                };
                if !target.asking.ask(context, (words + sets) * 16)? {
                    return Ok(false);
                }
                budget.spend((words + sets) / 16);
                self.tables.push([vec![0; words], vec![0; words]]);
                (self.at, self.is_begun) = (0, true);
            }
            let Some(rows) = self.rows.get(self.tables.len() - 1) else {
                return Ok(false);
            };
            let Some([forward, backward]) = self.tables.last_mut() else {
                return Ok(false);
            };
            loop {
                let relations = &context.heap.relations;
                let board = &context.heap.boards[target.board];
                let pairs = &relations[rows.relation.payload()].pairs;
                let Some((left, right)) = pairs.get(self.at) else {
                    break;
                };
                if budget.is_spent() {
                    return Ok(false);
                }
                budget.spend(24);
                let unknown = [*left, *right].into_iter();
                let unknown = unknown.filter(|value| board.number_of(*value).is_none());
                let unknown: [Option<Value>; 2] = first_two(unknown);
                if unknown[0].is_some() {
                    self.at += 1;
                    for value in unknown.into_iter().flatten() {
                        let missing = &mut self.missing;
                        if !missing.refuse(context, target, self.function, value, budget)? {
                            // The pair is visited again.
                            self.at -= 1;
                            return Ok(false);
                        }
                    }
                    continue;
                }
                self.at += 1;
                if rows
                    .back
                    .is_some_and(|back| !relations[back.payload()].contains(*right, *left))
                {
                    continue;
                }
                let (left, right) = if rows.is_turned {
                    (right, left)
                } else {
                    (left, right)
                };
                if let (Some(left), Some(right)) = (board.number_of(*left), board.number_of(*right))
                {
                    forward[left * width + right / 64] |= 1 << (right % 64);
                    backward[right * width + left / 64] |= 1 << (left % 64);
                }
            }
            self.is_begun = false;
        }
    }

    pub fn show(&self, tracer: &mut Tracer) {
        for rows in &self.rows {
            tracer.values.push(rows.relation);
            tracer.values.extend(rows.back);
        }
    }

    pub fn bytes_owned(&self) -> usize {
        self.tables.iter().flatten().map(room::row).sum::<usize>()
    }
}

impl<F: Fn(u32, Vec<[Vec<u64>; 2]>) -> Constraint + Clone + Send + Sync + 'static> ConstraintBuilder
    for RelationBuilder<F>
{
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self.relate(context, target, budget)? {
            return Ok(None);
        }
        let width = context.heap.boards[target.board].solver.width();
        target.places.clear();
        let tables = self.take_tables();
        Ok(Some((self.make)(width as u32, tables).into()))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.show(tracer);
    }

    fn bytes(&self) -> usize {
        self.bytes_owned()
    }
}

/// The numbers of a board's values, by their index; values that are no numbers count as 0 if no place can hold them.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    domain: Vec<u64>,
    at: usize,
    numbers: Vec<f64>,
}

impl Numbers {
    /// The numbers, once they are there.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    pub fn resume(
        &mut self,
        context: &mut Context,
        function: &str,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let (count, width) = {
            let board = &context.heap.boards[target.board];
            (board.universe().len(), board.solver.width())
        };
        if self.domain.is_empty() {
            if !target.asking.ask(context, width * 8 + count * 8)? {
                return Ok(false);
            }
            self.domain = vec![0; width];
            self.numbers.reserve_exact(count);
        }
        while let Some(place) = target.places.get(self.at) {
            if budget.is_spent() {
                return Ok(false);
            }
            let (first, words) = context.heap.boards[target.board]
                .solver
                .candidates(*place as usize)
                .words();
            budget.spend(1 + words.len());
            self.domain
                .iter_mut()
                .skip(first)
                .zip(words)
                .for_each(|(bits, word)| *bits |= word);
            self.at += 1;
        }
        while let Some(value) = context.heap.boards[target.board]
            .universe()
            .get(self.numbers.len())
            .copied()
        {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2);
            let at = self.numbers.len();
            let is_held = self.domain[at / 64] >> (at % 64) & 1 == 1;
            match context.heap.as_f64(value) {
                Some(number) => self.numbers.push(number),
                None if !is_held => self.numbers.push(0.0),
                None => {
                    let fault = context.wrong_argument(function, "numbers as candidates", value);
                    return Err(match value.kind() {
                        Kind::Array => fault.with_hint(context.set_for_list(value)),
                        Kind::Text if function == "ordered" => fault
                            .with_hint("`lexicographic(b, [[p], [q], ...])` puts texts in order"),
                        _ if function == "sumOf" => fault.with_hint(
                            "`exactly`, `atLeast` and `atMost` count places by what they hold; a function as factors makes a \
                             number of any value",
                        ),
                        _ => fault,
                    });
                }
            }
        }
        Ok(true)
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.domain) + room::row(&self.numbers)
    }
}

/// The numbers in an array, one for each place.
#[derive(Clone)]
struct Factors {
    array: Option<Value>,
    numbers: Vec<f64>,
}

impl Factors {
    /// Without an array all of them are one number.
    fn resume(
        &mut self,
        context: &mut Context,
        function: &str,
        target: &mut Target,
        otherwise: f64,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let count = target.places.len();
        if self.numbers.capacity() < count {
            if !target.asking.ask(context, count * 8)? {
                return Ok(false);
            }
            self.numbers.reserve_exact(count);
        }
        while self.numbers.len() < count {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2);
            let number = match self.array {
                None => otherwise,
                Some(array) => {
                    let element = context
                        .heap
                        .element(array.payload(), self.numbers.len())
                        .unwrap_or(Value::NULL);
                    args::number(context, function, element)?
                }
            };
            self.numbers.push(number);
        }
        Ok(true)
    }
}

/// A sum.
#[derive(Clone)]
pub struct SumBuilder {
    function: &'static str,
    factors: Factors,
    numbers: Numbers,
    low: f64,
    high: f64,
    /// How many places are included in `size`, the greatest possible sum.
    measured: usize,
    size: f64,
}

impl SumBuilder {
    pub fn new(function: &'static str, factors: Option<Value>, low: f64, high: f64) -> SumBuilder {
        let factors = Factors {
            array: factors,
            numbers: Vec::new(),
        };
        SumBuilder {
            function,
            factors,
            numbers: Numbers::default(),
            low,
            high,
            measured: 0,
            size: 0.0,
        }
    }
}

impl SumBuilder {
    /// Continues to compute how large the sum can be.
    ///
    /// # Errors
    /// If it can be so large that it would not be exact.
    fn measure(
        &mut self,
        context: &Context,
        target: &Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        while let Some(place) = target.places.get(self.measured) {
            if budget.is_spent() {
                return Ok(false);
            }
            let board = &context.heap.boards[target.board];
            let candidates = board.solver.candidates(*place as usize);
            budget.spend(2 + candidates.count() as usize);
            let numbers = candidates
                .numbers()
                .map(|value| self.numbers.numbers[value].abs());
            let largest = numbers.fold(0.0, f64::max);
            self.size += largest * self.factors.numbers[self.measured].abs();
            self.measured += 1;
        }
        if self.size <= MAX_INTEGER as f64 {
            return Ok(true);
        }
        Err(too_large())
    }
}

impl ConstraintBuilder for SumBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self
            .factors
            .resume(context, self.function, target, 1.0, budget)?
            || !self
                .numbers
                .resume(context, self.function, target, budget)?
            || !self.measure(context, target, budget)?
        {
            return Ok(None);
        }
        let sum = Sum::new(
            std::mem::take(&mut target.places),
            std::mem::take(&mut self.factors.numbers),
            std::mem::take(&mut self.numbers.numbers),
            [self.low, self.high],
        );
        Ok(Some(
            Constraint::from(sum)
                .prepared(&context.heap.boards[target.board].solver)
                .into(),
        ))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.factors.array);
    }

    fn bytes(&self) -> usize {
        room::row(&self.factors.numbers) + self.numbers.bytes()
    }
}

/// An `allDifferent` with offsets: each sum of value and offset is a symbol.
#[derive(Clone)]
pub struct ShiftedAllDifferent {
    function: &'static str,
    offsets: Factors,
    numbers: Numbers,
    known: KeyedMap<u64, u32>,
    starts: Vec<u32>,
    symbols: Vec<u32>,
}

impl ShiftedAllDifferent {
    pub fn new(function: &'static str, offsets: Value) -> ShiftedAllDifferent {
        ShiftedAllDifferent {
            function,
            offsets: Factors {
                array: Some(offsets),
                numbers: Vec::new(),
            },
            numbers: Numbers::default(),
            known: KeyedMap::default(),
            starts: Vec::new(),
            symbols: Vec::new(),
        }
    }
}

impl ShiftedAllDifferent {
    /// Numbers symbols by their sums if they are few, so that the order of a place's symbols mostly matches that of
    /// its values.
    fn number_by_size(&mut self) {
        const FEW: usize = 128;
        // No place has a value: there is no sum.
        if self.known.is_empty() {
            return;
        }
        // Their order helps only if a word is enough for the values, and then this is little work.
        if self.known.len() > FEW || self.starts.len() > FEW || self.symbols.len() > 64 * FEW {
            return;
        }
        let mut sums: Vec<(f64, u32)> = self
            .known
            .iter()
            .map(|(sum, number)| (f64::from_bits(*sum), *number))
            .collect();
        sums.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut numbers = vec![0; sums.len()];
        for (number, (_, before)) in sums.into_iter().enumerate() {
            numbers[before as usize] = number as u32;
        }
        self.symbols
            .iter_mut()
            .for_each(|symbol| *symbol = numbers[*symbol as usize]);
    }
}

impl ConstraintBuilder for ShiftedAllDifferent {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self
            .offsets
            .resume(context, self.function, target, 0.0, budget)?
            || !self
                .numbers
                .resume(context, self.function, target, budget)?
        {
            return Ok(None);
        }
        let count = target.places.len();
        if self.starts.capacity() < count {
            if !target.asking.ask(context, 4 * count)? {
                return Ok(None);
            }
            self.starts.reserve_exact(count);
        }
        while self.starts.len() < count {
            if budget.is_spent() {
                return Ok(None);
            }
            let at = self.starts.len();
            let (first, words) = context.heap.boards[target.board]
                .solver
                .candidates(target.places[at] as usize)
                .words();
            let words = words.len();
            let more = 64 * words;
            let table = if self.known.capacity() - self.known.len() < more {
                room::hash_map(2 * self.known.capacity().max(more), 16)
            } else {
                0
            };
            let row = room::step(self.symbols.len() * 4).max(4 * more);
            if !target.asking.ask(context, table + row)? {
                return Ok(None);
            }
            budget.spend(8 * more + table / 32);
            let (first, end) = (first * 64, (first + words) * 64);
            self.starts
                .push((self.symbols.len() as u32).wrapping_sub(first as u32));
            self.known.reserve(more);
            room::grow(&mut self.symbols, more);
            let candidates = context.heap.boards[target.board]
                .solver
                .initial(target.places[at] as usize);
            for number in first..end {
                // Symbols of values that the place never had do not matter.
                let Some(own) = self
                    .numbers
                    .numbers
                    .get(number)
                    .filter(|_| candidates.has(number))
                else {
                    self.symbols.push(0);
                    continue;
                };
                // Zero has two signs, and is one number.
                let sum = own + self.offsets.numbers[at] + 0.0;
                let next = self.known.len() as u32;
                self.symbols
                    .push(*self.known.entry(sum.to_bits()).or_insert(next));
            }
        }
        self.number_by_size();
        let different = AllDifferent::with_symbols(
            std::mem::take(&mut target.places),
            std::mem::take(&mut self.symbols),
            std::mem::take(&mut self.starts),
        );
        Ok(Some(
            Constraint::from(different)
                .prepared(&context.heap.boards[target.board].solver)
                .into(),
        ))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.offsets.array);
    }

    fn bytes(&self) -> usize {
        room::row(&self.offsets.numbers)
            + self.numbers.bytes()
            + room::hash_map(self.known.capacity(), 16)
            + room::row(&self.starts)
            + room::row(&self.symbols)
    }
}
