//! How the machine remembers states for `firstVisit`.

use super::Visits;
use crate::errors::error::Fault;
use crate::machine::Machine;
use ndscript_heap::Value;

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
            .search
            .visits
            .last()
            .is_some_and(|visits| visits.barriers as usize == barriers);
        let bytes = if is_known {
            self.search.visits.last().map_or(0, Visits::bytes_to_grow)
        } else {
            size_of::<Visits>()
        };
        if bytes > 0 {
            self.context.reserve(bytes)?;
        }
        if !is_known {
            self.search.visits.push(Visits::above_barriers(barriers));
        }
        self.context.charge(1);
        let is_first = self
            .search
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
        if !self.search.visits.is_empty() {
            let barriers = self.choices.barriers().len();
            while self
                .search
                .visits
                .last()
                .is_some_and(|visits| visits.barriers as usize > barriers)
            {
                self.search.visits.pop();
            }
        }
    }

    /// Empties the table of the innermost search for its next attempt.
    pub(crate) fn clear_visits_of_attempt(&mut self) {
        let barriers = self.choices.barriers().len();
        self.search
            .visits
            .retain(|visits| (visits.barriers as usize) < barriers);
    }
}
