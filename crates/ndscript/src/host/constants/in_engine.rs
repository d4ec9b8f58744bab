//! How an engine gets constants.

use super::ConstantEntry;
use crate::programs::engine::Engine;
use ndscript_heap::outside::data::Data;
use std::sync::Arc;

impl Engine {
    /// Adds a constant, which programs read by its name and cannot change: a number, a text, a Boolean, a position, a
    /// set, an array or an object of such values, nested to any depth. It hides a built-in of that name; a program can
    /// still declare the name itself.
    ///
    /// A program uses the constant as if it was written in place of the name: a number costs as much as a literal, a
    /// path to a field is resolved when the program is compiled, and reading a whole array or object makes a copy. So
    /// nothing changes a constant: assigning it, or something inside of it, is an error of the compiler. It need not be
    /// used. A value that cannot be a constant, such as a grid, and a name that no program can write, are errors of
    /// every program.
    ///
    /// ```
    /// use ndscript::{Data, Engine};
    /// let tiles = Data::object([("grass", 1.into()), ("water", Data::object([("deep", 7.into())]))]);
    /// let engine = Engine::new().with_constant("TILE_SIZE", 16).with_constant("tiles", tiles);
    /// let program = engine.compile("return TILE_SIZE * tiles.water.deep;")?;
    /// assert_eq!(program.run(1).next().unwrap().unwrap().value, 112.into());
    /// let error = engine.compile("tiles.grass = 2;").unwrap_err();
    /// assert_eq!(error.diagnostics[0].message, "`tiles` is a constant of the host and cannot be changed");
    /// assert_eq!(engine.check("print(tiles.gras);").diagnostics[0].hints, ["did you mean `grass`?"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_constant(mut self, name: &str, value: impl Into<Data>) -> Engine {
        self.constants.push(ConstantEntry::new(name, value.into()));
        self.latest_is_constant = true;
        self
    }

    /// The constants of the host with their values. One hides an earlier one of that name.
    ///
    /// ```
    /// let engine = ndscript::Engine::new().with_constant("most", 3).with_constant("most", 4);
    /// assert_eq!(engine.constants().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>(), ["most = 4"]);
    /// ```
    pub fn constants(&self) -> impl Iterator<Item = (&str, &Data)> {
        self.constants_there()
            .map(|entry| (&*entry.name, &entry.value))
    }

    pub(crate) fn constants_there(&self) -> impl Iterator<Item = &ConstantEntry> {
        let all = self.constants.iter().enumerate();
        let is_covered = |at: usize, name: &Arc<str>| {
            self.constants[at + 1..]
                .iter()
                .any(|later| later.name == *name)
        };
        all.filter(move |(at, entry)| !is_covered(*at, &entry.name))
            .map(|(_, entry)| entry)
    }
}
