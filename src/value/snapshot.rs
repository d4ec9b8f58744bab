//! Values as data outside of the run, and back.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::data::{Data, GridData, MAX_DEPTH};
use super::heap::Heap;
use super::show::Names;
use super::value::{Kind, Value};

/// Why a value has no data outside of its run, or data is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A collection is inside itself.
    ContainsItself,
    /// Collections are nested more deeply than [`MAX_DEPTH`].
    TooDeep,
    /// Written out, it would be far larger than the heap that it comes from.
    TooLarge,
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
/// Where parts may be left out, no more than this are written out; shared sets count once. Fixed, since how much memory
/// is in use differs between runs that do the same.
const MAX_MADE: usize = 1 << 21;

/// The making of data from values of one moment.
pub struct Snapshot<'a> {
    heap: &'a Heap,
    names: &'a dyn Names,
    /// Whether what cannot be had is left out, and no obstacle.
    lenient: bool,
    path: Vec<Value>,
    /// Sets without collections inside, with their sizes: equal sets are one object, so their data is shared.
    sets: FxHashMap<Value, Data>,
    parts: usize,
    made: usize,
}

impl<'a> Snapshot<'a> {
    /// A snapshot in which everything that cannot be had is [`Data::Elided`]. It takes a quarter of the limit of memory
    /// at most.
    pub fn lenient(heap: &'a Heap, names: &'a dyn Names, limit: usize) -> Snapshot<'a> {
        let made = MAX_MADE.min(limit / 4 / size_of::<Data>());
        Snapshot { heap, names, lenient: true, path: Vec::new(), sets: FxHashMap::default(), parts: MAX_PARTS, made }
    }

    /// A snapshot in which that is an error. It takes the limit of memory at most, and so does what is made of it, with
    /// 32 bytes a part.
    pub fn strict(heap: &'a Heap, names: &'a dyn Names, limit: usize) -> Snapshot<'a> {
        let made = (MAX_PARTS / 4).min(limit / size_of::<Data>());
        let parts = MAX_PARTS.min(limit / 32);
        Snapshot { lenient: false, made, parts, ..Snapshot::lenient(heap, names, usize::MAX) }
    }

    fn obstacle(&self, obstacle: Obstacle) -> Result<Data, Obstacle> {
        if self.lenient { Ok(Data::Elided) } else { Err(obstacle) }
    }

    /// The data of a value.
    pub fn take(&mut self, value: Value) -> Result<Data, Obstacle> {
        let handle = value.payload();
        Ok(match value.kind() {
            Kind::Null | Kind::Unset | Kind::Variable => Data::Null,
            Kind::Boolean => Data::Boolean(value == Value::TRUE),
            Kind::Integer => Data::Integer(value.integer_unchecked()),
            Kind::Float | Kind::BoxedFloat => Data::Float(self.heap.as_f64(value).unwrap_or(0.0)),
            Kind::Text => {
                let text = self.heap.as_str(value).unwrap_or("");
                let Some(made) = self.made.checked_sub(text.len() / size_of::<Data>()) else {
                    return self.obstacle(Obstacle::TooLarge);
                };
                self.made = made;
                Data::Text(text.into())
            }
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
                let name = self.names.method(self.heap.type_number(value), value.method_number());
                Data::Function(format!("{}.{name}", self.heap.rules_of(value).name).into())
            }
            Kind::Host => self.heap.data_of_host(value),
            Kind::Set => return self.set(value),
            Kind::Array | Kind::Queue | Kind::Object | Kind::Grid | Kind::Relation => return self.collection(value),
        })
    }

    fn set(&mut self, value: Value) -> Result<Data, Obstacle> {
        if let Some(data) = self.sets.get(&value) {
            let data = data.clone();
            return match self.parts.checked_sub(self.heap.set_len(value) + 1) {
                Some(left) => {
                    self.parts = left;
                    Ok(data)
                }
                None => self.obstacle(Obstacle::TooLarge),
            };
        }
        let data = self.collection(value)?;
        if matches!(&data, Data::Set(elements) if elements.iter().all(Data::is_scalar)) {
            self.sets.insert(value, data.clone());
        }
        Ok(data)
    }

    fn collection(&mut self, value: Value) -> Result<Data, Obstacle> {
        if self.path.len() >= MAX_DEPTH {
            return self.obstacle(Obstacle::TooDeep);
        }
        if self.path.contains(&value) {
            return self.obstacle(Obstacle::ContainsItself);
        }
        let elements = self.heap.parts_of(value);
        let parts = elements.len() + 1;
        let (Some(left), Some(made)) = (self.parts.checked_sub(parts), self.made.checked_sub(parts)) else {
            return self.obstacle(Obstacle::TooLarge);
        };
        (self.parts, self.made) = (left, made);
        self.path.push(value);
        let data = self.data_of(value, elements);
        self.path.pop();
        data
    }

    fn data_of(&mut self, value: Value, parts: Vec<Value>) -> Result<Data, Obstacle> {
        let mut data = Vec::with_capacity(parts.len());
        for part in parts {
            data.push(self.take(part)?);
        }
        Ok(match value.kind() {
            Kind::Set => Data::Set(data.into()),
            Kind::Queue => Data::Queue(data.into()),
            Kind::Grid => {
                let grid = &self.heap.grids[value.payload()];
                Data::Grid(Arc::new(GridData { width: grid.width, height: grid.height, cells: data.into() }))
            }
            Kind::Relation => Data::Relation(pairs(data).collect()),
            Kind::Object => {
                let name = |key| if let Data::Text(text) = key { text } else { Arc::default() };
                Data::Object(pairs(data).map(|(key, value)| (name(key), value)).collect())
            }
            _ => Data::Array(data.into()),
        })
    }
}

fn pairs(list: Vec<Data>) -> impl Iterator<Item = (Data, Data)> {
    let mut list = list.into_iter();
    std::iter::from_fn(move || Some((list.next()?, list.next()?)))
}

impl Heap {
    /// What a collection consists of: elements, cells row by row, or keys and values or left and right by turns.
    pub fn parts_of(&self, value: Value) -> Vec<Value> {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => self.array_snapshot(handle),
            Kind::Set => self.set_elements(value),
            Kind::Queue => self.queues[handle].list(self),
            Kind::Object => self.objects[handle].slots().to_vec(),
            Kind::Grid => self.grids[handle].slots.values().to_vec(),
            Kind::Relation => self.relations[handle].pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect(),
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

    fn make_inside(&mut self, data: &Data, depth: usize) -> Result<Value, Obstacle> {
        if depth > MAX_DEPTH {
            return Err(Obstacle::TooDeep);
        }
        Ok(match data {
            Data::Null => Value::NULL,
            Data::Boolean(boolean) => Value::boolean(*boolean),
            Data::Integer(integer) => Heap::integer(*integer).map_err(|_| Obstacle::Overflow(*integer))?,
            Data::Float(float) => self.float(*float).map_err(|_| Obstacle::NotFinite)?,
            Data::Text(text) => self.text(text),
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
            Data::Function(_) => return Err(Obstacle::OnlyNamed("a function")),
            Data::Host(..) => return Err(Obstacle::OnlyNamed("a value of a type of the host")),
            Data::Elided => return Err(Obstacle::OnlyNamed("what was left out of a value")),
        })
    }

    fn make_all(&mut self, elements: &[Data], depth: usize) -> Result<Vec<Value>, Obstacle> {
        elements.iter().map(|element| self.make_inside(element, depth + 1)).collect()
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
