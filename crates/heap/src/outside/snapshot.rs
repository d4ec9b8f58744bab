//! Values as data outside of the run, and back.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::data::{Data, GridData, MAX_DEPTH, PriorityQueueData};
use super::parts::Parts;
use crate::kinds::array::UndecidedView;
use crate::kinds::grid::UndecidedSnapshot;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use crate::walks::show::Names;

/// Why a value has no data outside of its run, or data is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A collection is inside itself.
    ContainsItself,
    /// Collections are nested more deeply than [`MAX_DEPTH`].
    TooDeep,
    /// Written out, it would be far larger than the heap that it comes from.
    TooLarge,
    /// It was stopped.
    Stopped,
    /// An integer beyond the language's.
    Overflow(i64),
    /// A number that is not finite.
    NotFinite,
    /// A coordinate beyond the language's.
    OutOfRange(i64, i64),
    /// A function, or something left out, which data can only name.
    OnlyNamed(&'static str),
}

/// No data has more parts than this, shared ones counted each time. So it is safe to print and to compare.
const MAX_PARTS: usize = 1 << 26;
/// In a lenient snapshot, at most this many parts are written out; shared sets count once. Fixed, since the memory in
/// use differs between runs that do the same.
const MAX_MADE: usize = 1 << 21;

/// Makes data from values of one moment. Parts that the values share are shared in the data, for any number of
/// values.
pub struct Snapshot<'a> {
    heap: &'a Heap,
    names: &'a dyn Names,
    /// Whether obstacles are left out instead of being errors.
    lenient: bool,
    is_stopped: Option<&'a dyn Fn() -> bool>,
    /// The collections around the current one, and the greatest nesting depth since the current one began.
    path: Vec<Value>,
    deepest: usize,
    /// Collections and long texts whose data is complete.
    known: KeyedMap<Value, ConvertedData>,
    /// For grids the snapshot of the last view of their undecided cells: the next view is mostly of a nearby version.
    moments: KeyedMap<Handle, Option<UndecidedSnapshot>>,
    /// The number of parts left out.
    left_out: usize,
    /// How many parts there may still be, and how many of them may be made.
    parts: usize,
    made: usize,
    /// The limits at the beginning.
    affordable: (usize, usize),
    /// How many parts were visited.
    looked_at: u64,
}

/// Data made before.
struct ConvertedData {
    data: Data,
    /// The greatest nesting depth of collections in it.
    height: usize,
    /// The number of its parts, shared ones counted each time.
    parts: usize,
}

/// Texts of more bytes are shared.
const SHORT: usize = 64;
/// Collections with at most this many parts, and no collections among them, are made anew each time.
const FEW: usize = 16;
/// Bytes of a part: its data, and its place in the list of those that are being made.
const BYTES_OF_PART: usize = size_of::<Data>() + size_of::<Value>();
/// Bytes of an entry of `known`.
const BYTES_OF_KNOWN: usize = 100;
/// This many parts are made between two checks of limits.
const PIECE: u64 = 1 << 14;

impl<'a> Snapshot<'a> {
    /// A snapshot in which every obstacle becomes [`Data::Elided`]. It takes an eighth of the limit of memory at
    /// most: the value of a solution and its globals together take a quarter.
    pub fn lenient(heap: &'a Heap, names: &'a dyn Names, limit: usize) -> Snapshot<'a> {
        Snapshot::within(
            heap,
            names,
            MAX_PARTS,
            MAX_MADE.min(limit / 8 / BYTES_OF_PART),
        )
    }

    /// A snapshot with room for so much data. What is beyond it is left out.
    fn within(heap: &'a Heap, names: &'a dyn Names, parts: usize, made: usize) -> Snapshot<'a> {
        Snapshot {
            heap,
            names,
            lenient: true,
            is_stopped: None,
            path: Vec::new(),
            deepest: 0,
            known: KeyedMap::default(),
            moments: KeyedMap::default(),
            left_out: 0,
            parts,
            made,
            affordable: (parts, made),
            looked_at: 0,
        }
    }

    /// A snapshot in which a part left out is an error. It takes the limit of memory at most, and so does the text of
    /// its data, with 32 bytes a part.
    pub fn strict(heap: &'a Heap, names: &'a dyn Names, limit: usize) -> Snapshot<'a> {
        let made = (MAX_PARTS / 4).min(limit / size_of::<Data>());
        let parts = MAX_PARTS.min(limit / 32);
        Snapshot {
            lenient: false,
            ..Snapshot::within(heap, names, parts, made)
        }
    }

    /// Sets a function that is asked whether to stop.
    pub fn stopped_by(self, is_stopped: &'a dyn Fn() -> bool) -> Snapshot<'a> {
        Snapshot {
            is_stopped: Some(is_stopped),
            ..self
        }
    }

    /// Allows the next values as many parts as the first.
    pub fn renew_allowance(&mut self) {
        (self.parts, self.made) = self.affordable;
    }

    /// How many parts were visited so far.
    #[cfg(test)]
    fn looked_at(&self) -> u64 {
        self.looked_at
    }

    fn obstacle(&mut self, obstacle: Obstacle) -> Result<Data, Obstacle> {
        self.left_out += 1;
        if self.lenient {
            Ok(Data::Elided)
        } else {
            Err(obstacle)
        }
    }

    /// Subtracts from the parts that there may be, and that may be made; false if too few are left.
    fn afford(&mut self, parts: usize, made: usize) -> bool {
        match (self.parts.checked_sub(parts), self.made.checked_sub(made)) {
            (Some(left), Some(left_to_make)) => {
                (self.parts, self.made) = (left, left_to_make);
                true
            }
            _ => false,
        }
    }

    /// Counts a visit of this many parts.
    ///
    /// # Errors
    /// [`Obstacle::Stopped`].
    fn spend_looks(&mut self, parts: usize) -> Result<(), Obstacle> {
        let before = self.looked_at;
        self.looked_at += parts as u64;
        let is_due = before / PIECE != self.looked_at / PIECE;
        match self.is_stopped {
            Some(is_stopped) if is_due && is_stopped() => Err(Obstacle::Stopped),
            _ => Ok(()),
        }
    }

    /// The data of a value.
    ///
    /// # Errors
    /// The obstacle; in a lenient snapshot only [`Obstacle::Stopped`].
    pub fn take(&mut self, value: Value) -> Result<Data, Obstacle> {
        self.spend_looks(1)?;
        let handle = value.payload();
        Ok(match value.kind() {
            Kind::Null | Kind::Unset | Kind::Variable => Data::Null,
            Kind::Boolean => Data::Boolean(value == Value::TRUE),
            Kind::Integer => Data::Integer(value.integer_unchecked()),
            Kind::Float | Kind::BoxedFloat => Data::Float(self.heap.as_f64(value).unwrap_or(0.0)),
            Kind::Text => return self.text(value),
            Kind::Position => {
                let (x, y) = value.as_position().unwrap_or((0, 0));
                Data::Position(x, y)
            }
            Kind::Function => {
                let name = self.names.function(self.heap.functions[handle].function);
                Data::Function(name.unwrap_or("").into())
            }
            Kind::Native => Data::Function(self.names.native(handle).into()),
            Kind::Method => {
                let name = self
                    .names
                    .method(self.heap.type_number(value), value.method_number());
                Data::Function(format!("{}.{name}", self.heap.rules_of(value).name).into())
            }
            Kind::Host => self.heap.data_of_host(value),
            Kind::Set | Kind::Array | Kind::Queue | Kind::Object | Kind::Grid | Kind::Relation => {
                return self.collection(value);
            }
        })
    }

    /// A string as data. Equal long strings share their bytes.
    fn text(&mut self, value: Value) -> Result<Data, Obstacle> {
        let text = self.heap.as_str(value).unwrap_or("");
        // Printing it writes it each time.
        let parts = text.len() / 32;
        let known = self.known.get(&value).map(|known| known.data.clone());
        let made = if known.is_some() {
            0
        } else {
            text.len() / size_of::<Data>()
        };
        if !self.afford(parts, made) {
            return self.obstacle(Obstacle::TooLarge);
        }
        if let Some(data) = known {
            return Ok(data);
        }
        self.spend_looks(text.len() / 64)?;
        let data = Data::Text(text.into());
        if text.len() > SHORT {
            self.known.insert(
                value,
                ConvertedData {
                    data: data.clone(),
                    height: 0,
                    parts,
                },
            );
        }
        Ok(data)
    }

    /// A collection as data, with its parts; one that was converted before is shared.
    fn collection(&mut self, value: Value) -> Result<Data, Obstacle> {
        let depth = self.path.len();
        if let Some(known) = self.known.get(&value)
            && depth + known.height <= MAX_DEPTH
        {
            let (data, height, parts) = (known.data.clone(), known.height, known.parts);
            if !self.afford(parts, 0) {
                return self.obstacle(Obstacle::TooLarge);
            }
            self.deepest = self.deepest.max(depth + height);
            return Ok(data);
        }
        if depth >= MAX_DEPTH {
            return self.obstacle(Obstacle::TooDeep);
        }
        if self.path.contains(&value) {
            return self.obstacle(Obstacle::ContainsItself);
        }
        let (left, left_out) = (self.parts, self.left_out);
        // Before anything is listed: there may be many references to a collection that is too large.
        let parts = self.heap.count_of_data(value) + 1;
        if !self.afford(parts, parts) {
            return self.obstacle(Obstacle::TooLarge);
        }
        let around = std::mem::replace(&mut self.deepest, depth + 1);
        let elements = match value
            .handle_of(Kind::Array)
            .and_then(|array| self.heap.arrays[array].view())
        {
            Some(view) => self.positions_of_snapshot(view)?,
            None => self.heap.parts_of(value),
        };
        self.spend_looks(elements.len() / 8)?;
        self.path.push(value);
        let data = self.data_of(value, &elements);
        drop(elements);
        self.path.pop();
        let height = self.deepest - depth;
        self.deepest = self.deepest.max(around);
        let data = data?;
        if self.left_out == left_out
            && (height > 1 || parts > FEW)
            && self.afford(0, BYTES_OF_KNOWN / size_of::<Data>())
        {
            self.known.insert(
                value,
                ConvertedData {
                    data: data.clone(),
                    height,
                    parts: left - self.parts,
                },
            );
        }
        Ok(data)
    }

    /// The undecided cells of a grid at the moment of a view.
    fn positions_of_snapshot(&mut self, view: UndecidedView) -> Result<Vec<Value>, Obstacle> {
        let grid = &self.heap.grids[view.grid];
        let moment = self.moments.entry(view.grid).or_default();
        let between = grid.go_to_moment(moment, view.version);
        let positions = moment
            .as_ref()
            .map(|moment| grid.positions_at(moment))
            .unwrap_or_default();
        self.spend_looks(positions.len() / 4 + grid.slots.len() / 64 + between / 4)?;
        Ok(positions)
    }

    /// The data of a collection of these parts. Each row is made in its final place: a second copy would take as much
    /// memory again.
    fn data_of(&mut self, value: Value, parts: &[Value]) -> Result<Data, Obstacle> {
        let mut obstacle = None;
        let mut take = |part: Value| match obstacle {
            None => self.take(part).unwrap_or_else(|why| {
                obstacle = Some(why);
                Data::Null
            }),
            Some(_) => Data::Null,
        };
        let both = parts.len() / 2;
        let data = match value.kind() {
            Kind::Relation => Data::Relation(
                (0..both)
                    .map(|at| (take(parts[2 * at]), take(parts[2 * at + 1])))
                    .collect(),
            ),
            Kind::Object => {
                let name = |key| {
                    if let Data::Text(text) = key {
                        text
                    } else {
                        Arc::default()
                    }
                };
                let fields =
                    (0..both).map(|at| (name(take(parts[2 * at])), take(parts[2 * at + 1])));
                Data::Object(fields.collect())
            }
            kind => {
                let data: Parts<Data> = parts.iter().map(|part| take(*part)).collect();
                match kind {
                    Kind::Set => Data::Set(data),
                    Kind::Queue => {
                        let queue = &self.heap.queues[value.payload()];
                        match queue.has_priorities {
                            false => Data::Queue(data),
                            true => Data::PriorityQueue(Arc::new(PriorityQueueData {
                                elements: data,
                                priorities: queue.priorities_in_order(self.heap),
                            })),
                        }
                    }
                    Kind::Grid => {
                        let grid = &self.heap.grids[value.payload()];
                        Data::Grid(Arc::new(GridData {
                            width: grid.width,
                            height: grid.height,
                            cells: data,
                        }))
                    }
                    _ => Data::Array(data),
                }
            }
        };
        obstacle.map_or(Ok(data), Err)
    }
}

impl Heap {
    /// The number of values that [`Heap::parts_of`] lists.
    pub fn count_of_data(&self, value: Value) -> usize {
        match value.kind() {
            Kind::Queue => self.queues[value.payload()].len(),
            _ => self.count_of_parts(value),
        }
    }

    /// The parts of a collection: elements, cells row by row, or alternating keys and values, or left and right
    /// sides.
    pub fn parts_of(&self, value: Value) -> Vec<Value> {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => self.array_snapshot(handle),
            Kind::Set => self.set_elements(value),
            Kind::Queue => self.queues[handle].list(self),
            Kind::Object => self.objects[handle].slots().to_vec(),
            Kind::Grid => self.grids[handle].slots.values().to_vec(),
            Kind::Relation => self.relations[handle]
                .pairs
                .iter()
                .flat_map(|pair| [pair.0, pair.1])
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Makes a value of data.
    pub fn make(&mut self, data: &Data) -> Result<Value, Obstacle> {
        if usize::from(data.depth()) > MAX_DEPTH {
            return Err(Obstacle::TooDeep);
        }
        self.make_inside(data, 0)
    }

    /// Makes a value of data that lies this deep in other data.
    fn make_inside(&mut self, data: &Data, depth: usize) -> Result<Value, Obstacle> {
        if depth > MAX_DEPTH {
            return Err(Obstacle::TooDeep);
        }
        self.record_work(1);
        Ok(match data {
            Data::Null => Value::NULL,
            Data::Boolean(boolean) => Value::boolean(*boolean),
            Data::Integer(integer) => {
                Heap::integer(*integer).map_err(|_| Obstacle::Overflow(*integer))?
            }
            Data::Float(float) => self.float(*float).map_err(|_| Obstacle::NotFinite)?,
            Data::Text(text) => {
                self.record_work(text.len() / 8);
                self.text(text)
            }
            Data::Position(x, y) => Value::position(*x, *y).ok_or(Obstacle::OutOfRange(*x, *y))?,
            Data::Array(elements) => {
                let elements = self.make_all(elements, depth)?;
                self.array(elements)
            }
            Data::Set(elements) => {
                let elements = self.make_frozen(elements.iter(), depth)?;
                self.set_of_frozen(elements)
            }
            Data::Relation(pairs) => {
                let left = self.make_frozen(pairs.iter().map(|pair| &pair.0), depth)?;
                let right = self.make_frozen(pairs.iter().map(|pair| &pair.1), depth)?;
                self.relation(left.into_iter().zip(right).collect())
            }
            Data::Grid(grid) => {
                let cells = self.make_all(&grid.cells, depth)?;
                self.grid(grid.width, grid.height, cells)
            }
            Data::Object(fields) => {
                let object = self.object();
                for (name, value) in fields.iter() {
                    let value = self.make_inside(value, depth + 1)?;
                    let name = self.text(name);
                    self.set_field(object.payload(), name, value);
                }
                object
            }
            Data::Queue(elements) => {
                let elements = self.make_all(elements, depth)?;
                let queue = self.queue(false);
                for element in elements {
                    self.enqueue(queue.payload(), element);
                }
                queue
            }
            Data::PriorityQueue(data) => {
                let elements = self.make_all(&data.elements, depth)?;
                let queue = self.queue(true);
                for (element, priority) in elements.into_iter().zip(&data.priorities) {
                    let priority = self.make_inside(&Data::from(*priority), depth)?;
                    self.enqueue_by_priority(queue.payload(), element, priority);
                }
                queue
            }
            Data::Function(_) => return Err(Obstacle::OnlyNamed("a function")),
            Data::Host(..) => return Err(Obstacle::OnlyNamed("a value of a type of the host")),
            Data::Elided => return Err(Obstacle::OnlyNamed("what was left out of a value")),
        })
    }

    fn make_all(&mut self, elements: &[Data], depth: usize) -> Result<Vec<Value>, Obstacle> {
        elements
            .iter()
            .map(|element| self.make_inside(element, depth + 1))
            .collect()
    }

    fn make_frozen<'d>(
        &mut self,
        elements: impl Iterator<Item = &'d Data>,
        depth: usize,
    ) -> Result<Vec<Value>, Obstacle> {
        elements
            .map(|element| {
                let value = self.make_inside(element, depth + 1)?;
                self.freeze(value).map_err(|_| Obstacle::ContainsItself)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoNames;

    impl Names for NoNames {
        fn function(&self, _: u32) -> Option<&str> {
            None
        }

        fn native(&self, _: u32) -> &str {
            ""
        }

        fn method(&self, _: u32, _: u32) -> &str {
            ""
        }
    }

    const MEMORY: usize = 64 << 20;

    #[test]
    fn what_is_shared_is_shared_in_the_data() {
        let mut heap = Heap::default();
        let numbers = heap.array((0..100).map(Value::integer).collect());
        let long = heap.text(&"long ".repeat(100));
        let pair = heap.array(vec![numbers, long]);
        let all = heap.array(vec![pair; 1000]);
        let mut snapshot = Snapshot::lenient(&heap, &NoNames, MEMORY);
        let data = snapshot.take(all).unwrap();
        let first = &data.elements()[0];
        for pair in data.elements() {
            let (Data::Array(pair), Data::Array(first)) = (pair, first) else {
                panic!("{pair}")
            };
            assert!(std::ptr::eq(&pair[..], &first[..]));
        }
        assert_eq!(first.elements()[0].elements().len(), 100);
        // The next value shares with the first, too.
        let again = snapshot.take(pair).unwrap();
        let (Data::Array(again), Data::Array(first)) = (&again, first) else {
            panic!("{again}")
        };
        assert!(std::ptr::eq(&again[..], &first[..]));
        assert!(snapshot.looked_at() < 1500, "{}", snapshot.looked_at());
    }

    #[test]
    fn many_references_to_what_is_too_large_are_little_work() {
        let mut heap = Heap::default();
        let large = heap.array(vec![Value::ZERO; 4_000_000]);
        let all = heap.array(vec![large; 10_000]);
        let mut snapshot = Snapshot::lenient(&heap, &NoNames, MEMORY);
        let data = snapshot.take(all).unwrap();
        assert_eq!(
            (data.elements().len(), &data.elements()[9999]),
            (10_000, &Data::Elided)
        );
        assert!(snapshot.looked_at() < 30_000, "{}", snapshot.looked_at());
        // Arrays with a part left out are made again each time, as far as the limits allow.
        let mut value = large;
        for _ in 0..20 {
            value = heap.array(vec![value; 100]);
        }
        let mut snapshot = Snapshot::lenient(&heap, &NoNames, MEMORY);
        snapshot.take(value).unwrap();
        assert!(
            snapshot.looked_at() < 2 * (MEMORY / 4 / size_of::<Data>()) as u64,
            "{}",
            snapshot.looked_at()
        );
    }

    #[test]
    fn shared_data_is_no_deeper_and_no_larger_written_out_than_any() {
        let mut heap = Heap::default();
        // Twice as much each time: it is made quickly, and could not be printed.
        let mut doubled = heap.array(vec![Value::ZERO; 20]);
        for _ in 0..60 {
            doubled = heap.array(vec![doubled; 2]);
        }
        let mut snapshot = Snapshot::lenient(&heap, &NoNames, MEMORY);
        let data = snapshot.take(doubled).unwrap();
        fn count(data: &Data) -> usize {
            1 + data.elements().iter().map(count).sum::<usize>()
        }
        assert!(count(&data) <= MAX_PARTS + 1, "{}", count(&data));
        // A chain that is known from a place further up does not lead deeper than any.
        let mut chain = heap.array(vec![Value::ZERO; 20]);
        for _ in 0..100 {
            chain = heap.array(vec![chain]);
        }
        let mut deeper = chain;
        for _ in 0..60 {
            deeper = heap.array(vec![deeper]);
        }
        let both = heap.array(vec![chain, deeper]);
        let data = Snapshot::lenient(&heap, &NoNames, MEMORY)
            .take(both)
            .unwrap();
        fn depth(data: &Data) -> usize {
            data.elements()
                .iter()
                .map(depth)
                .max()
                .map_or(0, |deepest| deepest + 1)
        }
        assert_eq!(depth(&data.elements()[0]), 101);
        assert_eq!(depth(&data), MAX_DEPTH);
    }

    #[test]
    fn it_stops_when_it_is_told_so() {
        let mut heap = Heap::default();
        let values = (0..1000)
            .map(|_| heap.array(vec![Value::ZERO; 100]))
            .collect();
        let all = heap.array(values);
        let mut snapshot = Snapshot::lenient(&heap, &NoNames, MEMORY).stopped_by(&|| true);
        assert_eq!(snapshot.take(all), Err(Obstacle::Stopped));
        assert!(snapshot.looked_at() < 2 * PIECE, "{}", snapshot.looked_at());
    }
}
