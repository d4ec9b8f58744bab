//! Constants of the host.

use std::sync::Arc;

use crate::programs::engine::Engine;
use ndscript_bytecode::{Constant, HostConstant};
use ndscript_heap::outside::data::Data;

/// A constant of the host.
#[derive(Clone)]
pub(crate) struct ConstantEntry {
    pub name: Arc<str>,
    pub value: Data,
    /// The value for the compiler; or the reason why it cannot be a constant.
    pub compiled: Result<Arc<HostConstant>, &'static str>,
    pub doc: Arc<str>,
}

/// The value for the compiler, which writes it out wherever its name stands.
fn compiled(value: &Data) -> Result<HostConstant, &'static str> {
    let all = |parts: &[Data]| parts.iter().map(compiled).collect::<Result<Vec<_>, _>>();
    Ok(match value {
        Data::Null => HostConstant::Null,
        Data::Boolean(value) => HostConstant::Scalar(Constant::Boolean(*value)),
        Data::Integer(value) => HostConstant::Scalar(Constant::Integer(*value)),
        Data::Float(value) if !value.is_finite() => return Err("a number that is not finite"),
        Data::Float(value) => HostConstant::Scalar(Constant::Float(*value)),
        Data::Text(text) => HostConstant::Scalar(Constant::Text(text.clone())),
        Data::Position(x, y) => HostConstant::Position(*x, *y),
        Data::Array(elements) => HostConstant::Array(all(elements)?),
        Data::Set(elements) => HostConstant::Set(all(elements)?),
        Data::Object(fields) => {
            let field = |(name, value): &(Arc<str>, Data)| Ok((name.clone(), compiled(value)?));
            HostConstant::Object(fields.iter().map(field).collect::<Result<_, &str>>()?)
        }
        Data::Relation(_) => return Err("a relation"),
        Data::Grid(_) => return Err("a grid"),
        Data::Queue(_) => return Err("a queue"),
        Data::Function(_) => return Err("a function"),
        Data::Host(..) => return Err("a value of a type of the host"),
        Data::Elided | _ => return Err("a value that is not all there"),
    })
}

impl ConstantEntry {
    fn new(name: &str, value: Data) -> ConstantEntry {
        ConstantEntry {
            name: name.into(),
            compiled: compiled(&value).map(Arc::new),
            value,
            doc: "A constant of the host.".into(),
        }
    }

    /// The error in the constant, for every program.
    pub fn problem(&self) -> Option<String> {
        let what = self.compiled.as_ref().err()?;
        Some(format!(
            "the host's constant `{}` is, or holds, {what}: hand that out by a function",
            self.name
        ))
    }
}

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
