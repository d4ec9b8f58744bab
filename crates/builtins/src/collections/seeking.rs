//! Searches a row for an element equal to a value; can stop and resume.

use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedSet;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::store::heap::Heap;
use ndscript_heap::walks::compare::CompareWalk;
use ndscript_machine::work::Tracer;

/// The row to search.
#[derive(Clone, Copy)]
pub enum Row<'a> {
    /// The slots of an array or a queue.
    SlotsOf(Value),
    List(&'a [Value]),
}

impl<'a> Row<'a> {
    fn elements(self, heap: &'a Heap) -> &'a [Value] {
        match self {
            Row::SlotsOf(container) => heap.slots_of(container),
            Row::List(elements) => elements,
        }
    }
}

/// A running search. The row must stay alive.
#[derive(Clone)]
pub struct RowSearch {
    wanted: Value,
    at: usize,
    step: usize,
    comparing: Option<CompareWalk>,
    /// Elements that were compared and differ: often one value occurs again and again.
    others: KeyedSet<Value>,
}

impl RowSearch {
    /// Searches for a value from an index on, at every `step`-th element only.
    pub fn new(wanted: Value, from: usize, step: usize) -> RowSearch {
        RowSearch {
            wanted,
            at: from,
            step,
            comparing: None,
            others: KeyedSet::default(),
        }
    }

    /// Sets the wanted value, before anything was compared with it.
    pub fn look_for(&mut self, wanted: Value) {
        self.wanted = wanted;
    }

    /// Continues; when known, the index of the first one, if there is one.
    pub fn resume(
        &mut self,
        heap: &mut Heap,
        row: Row<'_>,
        budget: &mut Budget,
    ) -> Option<Option<usize>> {
        loop {
            if let Some(comparing) = &mut self.comparing {
                if comparing.resume(heap, budget)? {
                    return Some(Some(self.at));
                }
                self.others.extend(row.elements(heap).get(self.at).copied());
                self.comparing = None;
                self.at += self.step;
            }
            let elements = row.elements(heap);
            let rest = elements
                .get(self.at..)
                .unwrap_or_default()
                .iter()
                .step_by(self.step);
            let most = budget.room_for(2);
            let wanted = self.wanted;
            let differs = |element: &Value| {
                *element != wanted
                    && (!heap.may_be_equal(*element, wanted) || self.others.contains(element))
            };
            let passed = rest
                .take(most)
                .take_while(|element| differs(element))
                .count();
            budget.spend(2 * passed + 2);
            self.at += passed * self.step;
            match elements.get(self.at).copied() {
                None => return Some(None),
                _ if passed == most => return None,
                Some(element) if element == wanted => return Some(Some(self.at)),
                Some(element) => self.comparing = Some(CompareWalk::new(element, wanted)),
            }
            if budget.is_spent() {
                return None;
            }
        }
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.wanted);
        tracer.values.extend(&self.others);
    }

    pub fn bytes(&self) -> usize {
        let comparing = self.comparing.as_ref().map_or(0, CompareWalk::bytes);
        comparing + room::hash_map(self.others.capacity(), 8)
    }
}
