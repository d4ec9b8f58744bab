//! The states that `firstVisit` has seen. They are not on the trail, so a failure does not discard where the search
//! has been; but each barrier has its own table, which is dropped with it.

mod in_machine;

use hashbrown::HashTable;
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
