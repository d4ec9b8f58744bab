//! Global variables by name.

mod in_run;

use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::snapshot::{Obstacle, Snapshot};
use ndscript_machine::machine::Machine;
use std::sync::Arc;

/// The global variables of a program at a solution, in the order in which the program names them: those that have a
/// value, and without the functions that it declares.
///
/// ```
/// let program = ndscript::Engine::new().compile("var x = choose(1, 2), y = [x]; function f() {}")?;
/// let solution = program.run(1).next().unwrap().unwrap();
/// assert_eq!(solution.globals.get("x").unwrap().as_i64(), Some(1));
/// let all: Vec<String> = solution.globals.iter().map(|(name, value)| format!("{name} = {value}")).collect();
/// assert_eq!(all, ["x = 1", "y = [1]"]);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Globals(Vec<(Arc<str>, Data)>);

impl Globals {
    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Data> {
        self.0
            .iter()
            .find(|global| &*global.0 == name)
            .map(|global| &global.1)
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Data)> {
        self.0.iter().map(|global| (&*global.0, &global.1))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of a run as they are now.
    pub(crate) fn of(machine: &Machine, snapshot: &mut Snapshot<'_>) -> Result<Globals, Obstacle> {
        let variables = machine
            .globals()
            .filter(|(global, _)| global.function.is_none());
        let names =
            variables.map(|(global, value)| Ok((global.name.clone(), snapshot.take(value)?)));
        names.collect::<Result<_, _>>().map(Globals)
    }
}
