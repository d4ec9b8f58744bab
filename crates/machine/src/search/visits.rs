//! The states that `firstVisit` has seen. They are not on the trail, so a failure does not discard where the search
//! has been; but each barrier has its own table, which is dropped with it.

use hashbrown::HashTable;

use crate::errors::error::Fault;
use crate::machine::Machine;
use ndscript_base::keyed::hash_word;
use ndscript_base::room::block;
use ndscript_heap::Value;

/// The values that were visited inside one barrier.
#[derive(Clone, Debug)]
pub struct Visits {
    /// How many barriers were open: the table belongs to the innermost.
    pub(crate) barriers: u32,
    /// Frozen values, so equal ones are one word.
    seen: HashTable<Value>,
}

impl Visits {
    fn above_barriers(barriers: usize) -> Visits {
        Visits {
            barriers: barriers as u32,
            seen: HashTable::new(),
        }
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        block(self.seen.allocation_size())
    }

    /// The bytes for one more value.
    fn bytes_to_grow(&self) -> usize {
        if self.seen.len() < self.seen.capacity() {
            0
        } else {
            2 * self.seen.allocation_size() + 256
        }
    }

    /// The values that it holds.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.seen.iter().copied()
    }

    /// Adds a value; false if it was there already.
    fn insert(&mut self, value: Value) -> bool {
        let hash = |value: &Value| hash_word(value.bits());
        let entry = self.seen.entry(hash(&value), |other| *other == value, hash);
        match entry {
            hashbrown::hash_table::Entry::Occupied(_) => false,
            hashbrown::hash_table::Entry::Vacant(place) => {
                place.insert(value);
                true
            }
        }
    }
}

impl Machine {
    /// Whether a value is visited for the first time inside the innermost barrier.
    pub(crate) fn first_visit(&mut self, value: Value) -> Result<Value, Fault> {
        let value = self
            .context
            .perform_freezing([value], |context, frozen| match frozen {
                Ok(frozen) => Ok(frozen[0]),
                Err(unfreezable) => Err(context.not_frozen(unfreezable)),
            })?;
        let barriers = self.choices.barriers().len();
        let is_known = self
            .visits
            .last()
            .is_some_and(|visits| visits.barriers as usize == barriers);
        let bytes = if is_known {
            self.visits.last().map_or(0, Visits::bytes_to_grow)
        } else {
            size_of::<Visits>()
        };
        if bytes > 0 {
            self.context.reserve(bytes)?;
        }
        if !is_known {
            self.visits.push(Visits::above_barriers(barriers));
        }
        self.context.charge(1);
        let is_first = self
            .visits
            .last_mut()
            .is_some_and(|visits| visits.insert(value));
        if bytes > 0 {
            self.count_room();
        }
        Ok(Value::boolean(is_first))
    }

    /// Discards the tables of barriers that are closed now.
    #[inline]
    pub(crate) fn drop_visits(&mut self) {
        if !self.visits.is_empty() {
            let barriers = self.choices.barriers().len();
            while self
                .visits
                .last()
                .is_some_and(|visits| visits.barriers as usize > barriers)
            {
                self.visits.pop();
            }
        }
    }

    /// Empties the table of the innermost search for its next attempt.
    pub(crate) fn clear_visits_of_attempt(&mut self) {
        let barriers = self.choices.barriers().len();
        self.visits
            .retain(|visits| (visits.barriers as usize) < barriers);
    }
}

impl ndscript_base::codec::Saved for Visits {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.barriers.save(out);
        // In an order independent of the table, so that equal states are equal bytes.
        let mut values: Vec<Value> = self.values().collect();
        values.sort_unstable_by_key(|value| value.bits());
        values.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Visits, ndscript_base::codec::Unsound> {
        let mut visits = Visits::above_barriers(u32::load(from)? as usize);
        let values: Vec<Value> = Vec::load(from)?;
        from.make_room::<(Value, u64)>(values.len() * 2)?;
        for value in values {
            ndscript_base::codec::ensure(
                visits.insert(value),
                "a value was visited for the first time twice",
            )?;
        }
        Ok(visits)
    }
}
