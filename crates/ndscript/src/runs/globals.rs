//! Global variables by name.

use std::sync::Arc;

use super::run::Run;
use crate::values::convert::IntoValue;
use crate::values::value::Value;
use crate::values::view::View;
use ndscript_base::spelling::nearest;
use ndscript_bytecode::Global;
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::snapshot::{Obstacle, Snapshot};
use ndscript_heap::outside::value_error::ValueError;
use ndscript_machine::machine::Machine;

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

impl Run {
    /// The value of a global variable or function as it is now; `None` if there is none of that name, or it has no
    /// value yet.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var lives = 3;")?;
    /// let mut run = program.run(1);
    /// assert!(run.global("lives").unwrap().kind() == ndscript::Kind::Null);
    /// run.next();
    /// let lives = run.global("lives").unwrap();
    /// assert_eq!(run.read::<i64>(&lives)?, 3);
    /// assert!(run.global("monsters").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn global(&self, name: &str) -> Option<Value> {
        self.view_global(name).map(View::hold)
    }

    /// A look at a global variable as it is now, without copying; `None` if there is none of that name, or it has
    /// no value yet.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var map = gridFromText(\"#.\\n.#\");")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let map = run.view_global("map").unwrap();
    /// assert_eq!((map.width(), map.cell(1, 1).unwrap().as_str()), (2, Some("#")));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn view_global(&self, name: &str) -> Option<View<'_>> {
        let word = self.machine.global(name)?;
        Some(View {
            context: &self.machine.context,
            word,
        })
    }

    /// A look at all global variables that have a value, in the order in which the program names them, without the
    /// functions that it declares.
    ///
    /// ```
    /// let mut run = ndscript::Engine::new().compile("let a = 1, b = [2]; function f() {}")?.run(1);
    /// run.next();
    /// let shown: Vec<String> = run.view_globals().map(|(name, value)| format!("{name} = {value}")).collect();
    /// assert_eq!(shown, ["a = 1", "b = [2]"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn view_globals(&self) -> impl Iterator<Item = (&str, View<'_>)> {
        let variables = self
            .machine
            .globals()
            .filter(|(global, _)| global.function.is_none());
        variables.map(|(global, word)| (&*global.name, self.view_of(word)))
    }

    /// Sets a global variable. Like an assignment of the script it is undone when the run backtracks to an earlier
    /// guess. A variable that the program only reads is set like any other: so a host passes values before the run
    /// begins. A current expression of the run may have read it already.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("print(size * choose(1, 2));")?;
    /// let mut run = program.run(1);
    /// run.set_global("size", 21)?;
    /// assert_eq!(run.next().unwrap().unwrap().text, "21");
    /// assert_eq!(run.next().unwrap().unwrap().text, "42");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ValueError::NoGlobal`] if the program does not name such a variable; [`ValueError::CannotBeSet`] for functions
    /// that it declares, constants (those of the host, too) and built-ins; and the errors of [`Run::make`] about the
    /// value.
    pub fn set_global(&mut self, name: &str, value: impl IntoValue) -> Result<(), ValueError> {
        let context = &mut self.machine.context;
        let globals = &context.code.globals;
        let Some(slot) = globals.iter().position(|global| &*global.name == name) else {
            let is_built_in = self.machine.built_in(name).is_some();
            return Err(if is_built_in {
                ValueError::CannotBeSet(name.to_string())
            } else {
                self.no_global(name)
            });
        };
        // A name that only a built-in has is looked up when the program is compiled, and so are functions.
        let is_fixed = |global: &Global| {
            global.function.is_some()
                || global.constant.is_some()
                || (global.native.is_some() || global.is_host_constant) && !global.is_declared
        };
        if is_fixed(&globals[slot]) {
            return Err(ValueError::CannotBeSet(name.to_string()));
        }
        let made = self.make(value)?;
        let context = &mut self.machine.context;
        let word = context.roots.value(&made.0).ok_or(ValueError::OtherRun)?;
        self.machine.put_global(slot, word);
        Ok(())
    }

    pub(crate) fn no_global(&self, name: &str) -> ValueError {
        let globals = self.machine.context.code.globals.iter();
        let nearest = nearest(name, globals.map(|global| &*global.name)).map(str::to_string);
        ValueError::NoGlobal {
            name: name.to_string(),
            nearest,
        }
    }
}
