//! Constants that a host gives to its programs.

use std::sync::Arc;

use super::function::Constant;

/// The value of a constant of the host. A program treats it as if it was written out at every use, so changes at one
/// place do not show at another.
#[derive(Clone, Debug, PartialEq)]
pub enum HostConstant {
    Null,
    Scalar(Constant),
    Position(i64, i64),
    Array(Vec<HostConstant>),
    Set(Vec<HostConstant>),
    Object(Vec<(Arc<str>, HostConstant)>),
}

impl HostConstant {
    /// The field of an object.
    pub fn field(&self, name: &str) -> Option<&HostConstant> {
        match self {
            HostConstant::Object(fields) => {
                let field = fields.iter().find(|(known, _)| &**known == name)?;
                Some(&field.1)
            }
            _ => None,
        }
    }
}
