//! Values of the language as values of Rust, and back.

use crate::value::{Heap, Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// Access to the run that a host function is called from, for conversions.
pub struct Converter<'a> {
    pub(super) context: &'a mut Context,
}

/// A value of the language on its way to or from the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raw(pub(super) Value);

/// Rust types that an argument of a host function can have.
///
/// Integers, floats, Booleans, strings, `(i64, i64)` for positions, `Option` for values that may be null, and `Vec`
/// for any collection.
pub trait FromValue: Sized {
    /// What is expected, for messages: `a string`.
    const EXPECTED: &'static str;

    /// The value as this type; `None` if it is of another kind.
    fn from_value(converter: &mut Converter<'_>, value: Raw) -> Option<Self>;
}

/// Rust types that a host function can return.
pub trait IntoValue {
    /// The value of the language.
    ///
    /// # Errors
    /// In words, if there is no such value: an integer beyond 2^53 - 1, a float that is not finite, a position out of
    /// range.
    fn into_value(self, converter: &mut Converter<'_>) -> Result<Raw, String>;
}

impl FromValue for i64 {
    const EXPECTED: &'static str = "a whole number";
    fn from_value(_: &mut Converter<'_>, value: Raw) -> Option<i64> {
        value.0.as_integer()
    }
}

impl FromValue for f64 {
    const EXPECTED: &'static str = "a number";
    fn from_value(converter: &mut Converter<'_>, value: Raw) -> Option<f64> {
        converter.context.heap.as_f64(value.0)
    }
}

impl FromValue for bool {
    const EXPECTED: &'static str = "true or false";
    fn from_value(_: &mut Converter<'_>, value: Raw) -> Option<bool> {
        value.0.as_boolean()
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "a string";
    fn from_value(converter: &mut Converter<'_>, value: Raw) -> Option<String> {
        converter.context.heap.as_str(value.0).map(str::to_string)
    }
}

impl FromValue for (i64, i64) {
    const EXPECTED: &'static str = "a position";
    fn from_value(_: &mut Converter<'_>, value: Raw) -> Option<(i64, i64)> {
        value.0.as_position()
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    fn from_value(converter: &mut Converter<'_>, value: Raw) -> Option<Option<T>> {
        if value.0.is_kind(Kind::Null) { Some(None) } else { T::from_value(converter, value).map(Some) }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    const EXPECTED: &'static str = "a collection of the right elements";
    fn from_value(converter: &mut Converter<'_>, value: Raw) -> Option<Vec<T>> {
        let elements = converter.context.list_of(value.0).ok()?;
        converter.context.charge(elements.len());
        elements.into_iter().map(|element| T::from_value(converter, Raw(element))).collect()
    }
}

impl IntoValue for () {
    fn into_value(self, _: &mut Converter<'_>) -> Result<Raw, String> {
        Ok(Raw(Value::NULL))
    }
}

impl IntoValue for bool {
    fn into_value(self, _: &mut Converter<'_>) -> Result<Raw, String> {
        Ok(Raw(Value::boolean(self)))
    }
}

impl IntoValue for i64 {
    fn into_value(self, _: &mut Converter<'_>) -> Result<Raw, String> {
        Heap::integer(self).map(Raw).map_err(|_| format!("{self} is beyond the integers of the language"))
    }
}

impl IntoValue for f64 {
    fn into_value(self, converter: &mut Converter<'_>) -> Result<Raw, String> {
        converter.context.heap.float(self).map(Raw).map_err(|_| format!("{self} is not a finite number"))
    }
}

impl IntoValue for &str {
    fn into_value(self, converter: &mut Converter<'_>) -> Result<Raw, String> {
        Ok(Raw(converter.context.heap.text(self)))
    }
}

impl IntoValue for String {
    fn into_value(self, converter: &mut Converter<'_>) -> Result<Raw, String> {
        Ok(Raw(converter.context.heap.text_owned(self)))
    }
}

impl IntoValue for (i64, i64) {
    fn into_value(self, _: &mut Converter<'_>) -> Result<Raw, String> {
        Value::position(self.0, self.1).map(Raw).ok_or_else(|| format!("({},{}) is out of range", self.0, self.1))
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self, converter: &mut Converter<'_>) -> Result<Raw, String> {
        self.map_or(Ok(Raw(Value::NULL)), |value| value.into_value(converter))
    }
}

impl<T: IntoValue> IntoValue for Vec<T> {
    fn into_value(self, converter: &mut Converter<'_>) -> Result<Raw, String> {
        let elements: Result<Vec<Value>, String> =
            self.into_iter().map(|element| element.into_value(converter).map(|raw| raw.0)).collect();
        Ok(Raw(converter.context.heap.array(elements?)))
    }
}

/// The error of a host function, in words; the script's place and calls are added to it.
///
/// ```
/// let error = ndscript::HostError::new("the door is locked");
/// assert_eq!(error.to_string(), "the door is locked");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostError(String);

impl HostError {
    /// An error with a message: lower case, no full stop.
    pub fn new(message: impl Into<String>) -> HostError {
        HostError(message.into())
    }
}

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostError {}

/// Closures that can be host functions: up to eight arguments of types that are [`FromValue`], and a result of
/// `Result<R, HostError>` with an `R` that is [`IntoValue`].
pub trait HostClosure<Arguments>: Send + Sync + 'static {
    /// How many arguments it takes.
    const ARGUMENTS: u32;

    #[doc(hidden)]
    fn call(&self, name: &str, converter: &mut Converter<'_>, arguments: &[Raw]) -> Result<Raw, HostCallFault>;
}

/// Why a call of a host function came to no result.
#[doc(hidden)]
#[derive(Debug)]
pub enum HostCallFault {
    /// The argument of this number is not what was expected.
    Argument(usize, &'static str),
    Error(String),
}

macro_rules! host_closure {
    ($count:literal; $($type:ident $at:tt),*) => {
        impl<Function, Output, $($type),*> HostClosure<($($type,)*)> for Function
        where
            Function: Fn($($type),*) -> Result<Output, HostError> + Send + Sync + 'static,
            Output: IntoValue,
            $($type: FromValue,)*
        {
            const ARGUMENTS: u32 = $count;

            // The names of the type parameters name the arguments, too; a closure without any uses none of it.
            #[allow(unused_variables, non_snake_case)]
            fn call(&self, name: &str, converter: &mut Converter<'_>, arguments: &[Raw]) -> Result<Raw, HostCallFault> {
                $(
                    let $type = $type::from_value(converter, arguments[$at])
                        .ok_or(HostCallFault::Argument($at, $type::EXPECTED))?;
                )*
                let output = self($($type),*).map_err(|error| HostCallFault::Error(error.0))?;
                output.into_value(converter).map_err(HostCallFault::Error)
            }
        }
    };
}

host_closure!(0;);
host_closure!(1; A 0);
host_closure!(2; A 0, B 1);
host_closure!(3; A 0, B 1, C 2);
host_closure!(4; A 0, B 1, C 2, D 3);
host_closure!(5; A 0, B 1, C 2, D 3, E 4);
host_closure!(6; A 0, B 1, C 2, D 3, E 4, F 5);
host_closure!(7; A 0, B 1, C 2, D 3, E 4, F 5, G 6);
host_closure!(8; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// The function of the machine that calls a closure of the host.
pub(super) fn host_function<Arguments: 'static, Closure: HostClosure<Arguments>>(
    name: String,
    closure: Closure,
) -> impl Fn(&mut Context, &[Value]) -> Result<Value, Fault> + Send + Sync {
    move |context: &mut Context, arguments: &[Value]| {
        let raw: Vec<Raw> = arguments.iter().map(|value| Raw(*value)).collect();
        context.charge(1);
        match closure.call(&name, &mut Converter { context: &mut *context }, &raw) {
            Ok(Raw(value)) => Ok(value),
            Err(HostCallFault::Argument(at, expected)) => Err(context.wrong_argument(&name, expected, arguments[at])),
            Err(HostCallFault::Error(message)) => Err(Fault::error(ErrorKind::Host, message)),
        }
    }
}
