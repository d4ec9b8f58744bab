//! Constants of the host.

mod in_engine;

use ndscript_bytecode::{Constant, HostConstant};
use ndscript_heap::outside::data::Data;
use std::sync::Arc;

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
        Data::Queue(_) | Data::PriorityQueue(_) => return Err("a queue"),
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
