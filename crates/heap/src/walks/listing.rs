//! Lists the elements of any collection, in pieces.

use super::sorting::{SortWalk, Sortable};
use crate::sets::treap::NIL;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// Elements that are being listed.
#[derive(Clone, Debug)]
pub struct ListWalk {
    source: Source,
    /// The number of elements to list, and of those listed.
    count: usize,
    listed: usize,
    pub elements: Vec<Value>,
}

#[derive(Clone, Debug)]
enum Source {
    /// The slots of an array, an object, a queue or a grid, from one on, so far apart.
    Slots {
        container: Value,
        first: usize,
        step: usize,
    },
    /// The elements of arrays, one array after another.
    Rows {
        rows: Vec<Value>,
        row: usize,
        column: usize,
    },
    /// A set that is small.
    Row { set: Value },
    /// A tree: the nodes to come back to.
    Tree {
        at: Handle,
        path: Vec<Handle>,
        set: Value,
    },
    /// The positions of a grid.
    Positions { grid: Value },
    /// The characters of a text, from a byte on.
    Characters { text: Value, byte: usize },
    /// An arithmetic sequence.
    Numbers { first: i64, step: i64 },
    /// One value, repeated.
    Same(Value),
    /// Pairs of the elements of two lists.
    Pairs { left: Vec<Value>, right: Vec<Value> },
    /// The entries of a priority queue, gathered to be sorted.
    Entries { queue: Value, entries: Vec<Waiting> },
    /// Entries that are being sorted.
    Ordering(SortWalk<Waiting>),
    /// Sorted entries.
    Ordered(Vec<Waiting>),
}

/// An entry of a priority queue: priority, ticket and element.
#[derive(Clone, Copy, Debug)]
struct Waiting([Value; ENTRY]);

impl Sortable for Waiting {
    fn keys(&self) -> [Value; 2] {
        [self.0[0], self.0[1]]
    }

    fn is_plain(_: &Heap, _: &Waiting) -> bool {
        true
    }

    fn values(&self, visit: &mut dyn FnMut(Value)) {
        self.0.iter().for_each(|value| visit(*value));
    }
}

/// Slots of an entry of a priority queue.
const ENTRY: usize = 3;

impl ListWalk {
    fn new(source: Source, count: usize) -> ListWalk {
        ListWalk {
            source,
            count,
            listed: 0,
            elements: Vec::new(),
        }
    }

    /// Lists a collection: for an object its keys, for a grid its positions, for a text its characters. `None` if the
    /// value is no collection.
    pub fn of(heap: &mut Heap, collection: Value) -> Option<ListWalk> {
        let handle = collection.payload();
        let slots = |first, step| Source::Slots {
            container: collection,
            first,
            step,
        };
        Some(match collection.kind() {
            Kind::Array => {
                let count = heap.elements(handle).len();
                ListWalk::new(slots(0, 1), count)
            }
            Kind::Set => {
                let set = &heap.sets[handle];
                let source = match set.root() {
                    NIL => Source::Row { set: collection },
                    root => Source::Tree {
                        at: root,
                        path: Vec::new(),
                        set: collection,
                    },
                };
                ListWalk::new(source, set.len())
            }
            Kind::Object => ListWalk::new(slots(0, 2), heap.objects[handle].len()),
            Kind::Queue => {
                let queue = &heap.queues[handle];
                let count = queue.len();
                if queue.has_priorities {
                    return Some(ListWalk::new(
                        Source::Entries {
                            queue: collection,
                            entries: Vec::new(),
                        },
                        count,
                    ));
                }
                let first = queue.values().len() - count;
                ListWalk::new(slots(first, 1), count)
            }
            Kind::Grid => ListWalk::new(
                Source::Positions { grid: collection },
                heap.grids[handle].slots.len(),
            ),
            Kind::Text => {
                let count = heap.texts[handle].characters as usize;
                ListWalk::new(
                    Source::Characters {
                        text: collection,
                        byte: 0,
                    },
                    count,
                )
            }
            _ => return None,
        })
    }

    /// Lists `count` slots of an array, object, queue or grid from `first` on, every `step`-th.
    pub fn of_slots(container: Value, first: usize, step: usize, count: usize) -> ListWalk {
        ListWalk::new(
            Source::Slots {
                container,
                first,
                step,
            },
            count,
        )
    }

    /// Lists the elements of arrays, one array after another; `count` in all.
    pub fn of_rows(rows: Vec<Value>, count: usize) -> ListWalk {
        ListWalk::new(
            Source::Rows {
                rows,
                row: 0,
                column: 0,
            },
            count,
        )
    }

    /// Lists `count` numbers from `first` on, `step` apart.
    pub fn of_numbers(first: i64, step: i64, count: usize) -> ListWalk {
        ListWalk::new(Source::Numbers { first, step }, count)
    }

    /// Lists given values.
    pub fn of_list(elements: Vec<Value>) -> ListWalk {
        let count = elements.len();
        ListWalk {
            source: Source::Same(Value::NULL),
            count,
            listed: count,
            elements,
        }
    }

    /// Lists one value `count` times.
    pub fn of_same(value: Value, count: usize) -> ListWalk {
        ListWalk::new(Source::Same(value), count)
    }

    /// Lists new arrays, each of the two values at one index of two lists.
    pub fn of_pairs(left: Vec<Value>, right: Vec<Value>) -> ListWalk {
        let count = left.len().min(right.len());
        ListWalk::new(Source::Pairs { left, right }, count)
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bytes of the finished list.
    pub fn bytes_needed(&self) -> usize {
        let extra = if let Source::Entries { .. } = &self.source {
            2 * size_of::<Waiting>()
        } else {
            0
        };
        let each = match &self.source {
            // As objects of the heap.
            Source::Pairs { .. } => 128,
            _ => 8,
        };
        self.count.saturating_mul(each + extra)
    }

    /// Continues; true once all elements are listed, also when called again.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> bool {
        if self.listed == self.count {
            return true;
        }
        if !self.order(heap, budget) {
            return false;
        }
        if self.elements.capacity() == 0 {
            self.elements.reserve_exact(self.count);
        }
        while self.listed < self.count {
            if budget.is_spent() {
                return false;
            }
            let visits = self.visits_each();
            let some = (self.count - self.listed).min(budget.room_for(visits));
            budget.spend(some * visits);
            self.take(heap, some);
            self.listed += some;
        }
        if let Source::Ordered(_) = self.source {
            self.source = Source::Same(Value::NULL);
        }
        true
    }

    /// Continues sorting the entries of a priority queue; true when that is done.
    fn order(&mut self, heap: &Heap, budget: &mut Budget) -> bool {
        if let Source::Entries { queue, entries } = &mut self.source {
            let all = heap
                .slots_of(*queue)
                .get(1..)
                .unwrap_or_default()
                .chunks_exact(ENTRY);
            if entries.capacity() == 0 {
                entries.reserve_exact(all.len());
            }
            let some = all
                .len()
                .saturating_sub(entries.len())
                .min(budget.room_for(3));
            budget.spend(3 * some);
            entries.extend(
                all.clone()
                    .skip(entries.len())
                    .take(some)
                    .map(|entry| Waiting([entry[0], entry[1], entry[2]])),
            );
            if entries.len() < all.len() {
                return false;
            }
            self.source = Source::Ordering(SortWalk::new(std::mem::take(entries)));
        }
        if let Source::Ordering(sorting) = &mut self.source {
            if !sorting.resume(heap, budget) {
                return false;
            }
            self.source =
                Source::Ordered(std::mem::replace(sorting, SortWalk::new(Vec::new())).into_items());
        }
        true
    }

    fn visits_each(&self) -> usize {
        match self.source {
            Source::Characters { .. } | Source::Pairs { .. } => 16,
            Source::Tree { .. } | Source::Rows { .. } => 4,
            _ => 1,
        }
    }

    /// Lists the next elements, this many at most.
    fn take(&mut self, heap: &mut Heap, some: usize) {
        let from = self.listed;
        let elements = &mut self.elements;
        match &mut self.source {
            Source::Slots {
                container,
                first,
                step,
            } => {
                let values = heap.slots_of(*container);
                let start = *first + from * *step;
                if *step == 1 {
                    elements.extend_from_slice(
                        values
                            .get(start..values.len().min(start + some))
                            .unwrap_or_default(),
                    );
                } else {
                    elements.extend(values.iter().skip(start).step_by(*step).take(some));
                }
            }
            Source::Rows { rows, row, column } => {
                let mut left = some;
                while left > 0 {
                    let Some(cells) = rows.get(*row).and_then(|row| row.handle_of(Kind::Array))
                    else {
                        return;
                    };
                    let cells = heap.elements(cells);
                    let end = cells.len().min(*column + left);
                    elements.extend_from_slice(cells.get(*column..end).unwrap_or_default());
                    left -= end.saturating_sub(*column).min(left);
                    *column = end;
                    if left > 0 {
                        (*row, *column) = (*row + 1, 0);
                    }
                }
            }
            Source::Row { set } => {
                elements.extend(heap.sets[set.payload()].row().iter().skip(from).take(some))
            }
            Source::Tree { at, path, .. } => {
                for _ in 0..some {
                    while *at != NIL {
                        path.push(*at);
                        *at = heap.nodes[*at].left;
                    }
                    let Some(handle) = path.pop() else { return };
                    elements.push(heap.nodes[handle].value);
                    *at = heap.nodes[handle].right;
                }
            }
            Source::Positions { grid } => {
                let grid = &heap.grids[grid.payload()];
                elements.extend((from..from + some).filter_map(|cell| grid.position_of(cell)));
            }
            Source::Characters { text, byte } => {
                let mut buffer = [0; 4];
                for _ in 0..some {
                    let rest = heap.as_str(*text).and_then(|text| text.get(*byte..));
                    let Some(character) = rest.and_then(|rest| rest.chars().next()) else {
                        return;
                    };
                    *byte += character.len_utf8();
                    elements.push(heap.text(character.encode_utf8(&mut buffer)));
                }
            }
            Source::Numbers { first, step } => {
                elements.extend(
                    (from as i64..(from + some) as i64)
                        .map(|at| Value::integer(*first + at * *step)),
                );
            }
            Source::Same(value) => elements.extend(std::iter::repeat_n(*value, some)),
            Source::Pairs { left, right } => {
                for at in from..from + some {
                    elements.push(heap.array(vec![left[at], right[at]]));
                }
            }
            Source::Ordered(entries) => {
                elements.extend(entries.iter().skip(from).take(some).map(|entry| entry.0[2]))
            }
            Source::Entries { .. } | Source::Ordering(_) => {}
        }
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        self.elements.iter().for_each(|element| visit(*element));
        match &self.source {
            Source::Slots {
                container: value, ..
            }
            | Source::Row { set: value }
            | Source::Tree { set: value, .. }
            | Source::Positions { grid: value }
            | Source::Characters { text: value, .. }
            | Source::Same(value) => visit(*value),
            Source::Pairs { left, right } => {
                left.iter().chain(right).for_each(|value| visit(*value))
            }
            Source::Rows { rows, .. } => rows.iter().for_each(|row| visit(*row)),
            Source::Entries { queue, .. } => visit(*queue),
            Source::Ordering(sorting) => sorting.values(visit),
            Source::Ordered(entries) => entries.iter().for_each(|entry| entry.values(visit)),
            Source::Numbers { .. } => {}
        }
    }

    pub fn bytes(&self) -> usize {
        let source = match &self.source {
            Source::Pairs { left, right } => room::row(left) + room::row(right),
            Source::Rows { rows, .. } => room::row(rows),
            Source::Entries { entries, .. } => room::row(entries),
            Source::Ordering(sorting) => sorting.bytes(),
            Source::Ordered(entries) => room::row(entries),
            _ => 0,
        };
        source + room::row(&self.elements)
    }
}
