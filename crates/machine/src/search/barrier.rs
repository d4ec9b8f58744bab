//! Opening and closing barriers, at whose end choices are discarded or effects undone.

mod in_machine;

use ndscript_base::room;
use ndscript_heap::Value;

/// Results that survive the failures of the search that found them.
#[derive(Clone, Debug, Default)]
pub struct ResultCollection {
    pub results: Vec<Value>,
    pub count: u64,
}

impl ResultCollection {
    pub fn bytes(&self) -> usize {
        room::row(&self.results)
    }
}

ndscript_base::saved!(struct ResultCollection { results, count });
