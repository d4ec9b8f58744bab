//! Arithmetic and comparison beyond the integers that the main loop does itself.

use std::cmp::Ordering;

use super::context::{Context, number_fault};
use super::error::{ErrorKind, Fault};
use super::work::writing::Then;
use crate::value::{Heap, Kind, Value};

/// The operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// `++`: subtracts the second operand, which is -1, so that strings are refused.
    Increment,
}

impl Operator {
    fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Increment => "++",
        }
    }
}

/// The result of an operator on two numbers that lie in their words, not both integers, where it lies in its word as
/// well: what most calculations with fractions consist of.
#[inline(always)]
pub fn operate_floats<const OPERATOR: u8>(a: Value, b: Value) -> Option<Value> {
    const ADD: u8 = Operator::Add as u8;
    const SUBTRACT: u8 = Operator::Subtract as u8;
    const MULTIPLY: u8 = Operator::Multiply as u8;
    const DIVIDE: u8 = Operator::Divide as u8;
    if a.both_integers(b) {
        return None;
    }
    let (x, y) = (a.inline_f64()?, b.inline_f64()?);
    let result = match OPERATOR {
        ADD => x + y,
        SUBTRACT => x - y,
        MULTIPLY => x * y,
        DIVIDE => x / y,
        _ => return None,
    };
    // What is whole must become an integer, which is the rarer case: left to the general way.
    let bits = result.to_bits();
    let exponent = bits >> 52 & 0x7ff;
    let whole = exponent >= 1023 && exponent - 1023 + bits.trailing_zeros() as u64 >= 52;
    if whole { None } else { Value::inline_float(result) }
}

/// The order of two numbers that lie in their words.
#[inline(always)]
pub fn compare_floats(a: Value, b: Value) -> Option<Ordering> {
    a.inline_f64()?.partial_cmp(&b.inline_f64()?)
}

impl Context {
    /// Applies an operator to any two values.
    #[cold]
    #[inline(never)]
    pub fn operate(&mut self, operator: Operator, a: Value, b: Value) -> Result<Value, Fault> {
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer()) {
            return self.operate_integers(operator, x, y);
        }
        if let (Some(x), Some(y)) = (self.heap.as_f64(a), self.heap.as_f64(b)) {
            let result = match operator {
                Operator::Add => x + y,
                Operator::Subtract | Operator::Increment => x - y,
                Operator::Multiply => x * y,
                Operator::Divide if y == 0.0 => return Err(division_by_zero()),
                Operator::Divide => x / y,
                Operator::Remainder if y == 0.0 => return Err(division_by_zero()),
                Operator::Remainder => libm::fmod(x, y),
            };
            return self.heap.float(result).map_err(|fault| {
                let what = format!("{} {} {}", self.brief(a), operator.text(), self.brief(b));
                number_fault(fault, &what)
            });
        }
        match operator {
            Operator::Add if a.is_kind(Kind::Text) || b.is_kind(Kind::Text) => self.concatenate(&[a, b]),
            Operator::Add | Operator::Subtract => match (a.as_position(), b.as_position()) {
                (Some((ax, ay)), Some((bx, by))) => {
                    let sign = if operator == Operator::Add { 1 } else { -1 };
                    self.position(ax + sign * bx, ay + sign * by)
                }
                _ => Err(self.wrong_operands(operator.text(), a, b)),
            },
            Operator::Increment => Err(self.wrong_operand("++", "a number", a)),
            _ => Err(self.wrong_operands(operator.text(), a, b)),
        }
    }

    fn operate_integers(&mut self, operator: Operator, x: i64, y: i64) -> Result<Value, Fault> {
        let result = match operator {
            Operator::Add => Some(x + y),
            Operator::Subtract | Operator::Increment => Some(x - y),
            Operator::Multiply => x.checked_mul(y),
            Operator::Divide | Operator::Remainder if y == 0 => return Err(division_by_zero()),
            Operator::Divide if x % y == 0 => Some(x / y),
            Operator::Divide => return self.number(x as f64 / y as f64),
            Operator::Remainder => Some(x % y),
        };
        result.and_then(|result| Heap::integer(result).ok()).ok_or_else(|| {
            let what = match operator {
                Operator::Increment => format!("{x} + 1"),
                _ => format!("{x} {} {y}", operator.text()),
            };
            Fault::error(ErrorKind::Overflow, format!("integer overflow: {what} is beyond 9007199254740991"))
                .with_hint("write one of the numbers as a float that is not whole, or keep the numbers smaller")
        })
    }

    /// A position, if its coordinates are in range.
    pub fn position(&mut self, x: i64, y: i64) -> Result<Value, Fault> {
        Value::position(x, y).ok_or_else(|| {
            Fault::error(
                ErrorKind::Value,
                format!("the position ({x},{y}) is out of range: coordinates lie between -134217728 and 134217727"),
            )
        })
    }

    fn wrong_operands(&self, operator: &str, a: Value, b: Value) -> Fault {
        let (x, y) = (self.describe(a), self.describe(b));
        let what = match operator {
            "+" => format!("add {x} and {y}"),
            "-" => format!("subtract {y} from {x}"),
            "*" => format!("multiply {x} by {y}"),
            "/" => format!("divide {x} by {y}"),
            _ => format!("take the remainder of {x} by {y}"),
        };
        let message = format!("cannot {what}: `{operator}`");
        let wants = if operator == "+" { "needs numbers, positions, or a string" } else { "needs numbers" };
        let wants = if operator == "-" { "needs numbers or positions" } else { wants };
        let sets = a.is_kind(Kind::Set) && b.is_kind(Kind::Set);
        let fault = Fault::error(ErrorKind::Type, format!("{message} {wants}"));
        match (sets, operator) {
            (true, "+") => fault.with_hint("`union(s, t)` joins two sets"),
            (true, "-") => fault.with_hint("`except(s, t)` takes one set away from another"),
            _ if a.is_kind(Kind::Array) && operator == "+" => fault.with_hint("`concat(a, b)` joins two arrays"),
            _ => fault,
        }
    }

    /// The text of several values, joined.
    pub fn concatenate(&mut self, values: &[Value]) -> Result<Value, Fault> {
        if let [value] = values
            && value.is_kind(Kind::Text)
        {
            return Ok(*value);
        }
        self.write(values, "", Then::Text)
    }

    /// `-v`
    #[cold]
    #[inline(never)]
    pub fn negate(&mut self, value: Value) -> Result<Value, Fault> {
        if let Some(integer) = value.as_integer() {
            return Ok(Value::integer(-integer));
        }
        match self.heap.as_f64(value) {
            Some(float) => self.number(-float),
            None => Err(self.wrong_operand("-", "a number", value)),
        }
    }

    /// `+v`
    pub fn plus(&mut self, value: Value) -> Result<Value, Fault> {
        if value.is_number() { Ok(value) } else { Err(self.wrong_operand("+", "a number", value)) }
    }

    fn wrong_operand(&self, operator: &str, wanted: &str, value: Value) -> Fault {
        Fault::error(ErrorKind::Type, format!("`{operator}` needs {wanted}, not {}", self.describe(value)))
    }

    /// The Boolean of a condition.
    #[cold]
    #[inline(never)]
    pub fn not_a_condition(&self, value: Value) -> Fault {
        Fault::error(ErrorKind::Type, format!("a condition must be true or false, not {}", self.describe(value)))
            .with_hint(match value.kind() {
                Kind::Null => "compare with `== null`",
                Kind::Integer | Kind::Float | Kind::BoxedFloat => "compare it, for example with `!= 0`",
                Kind::Array | Kind::Set | Kind::Text | Kind::Queue => "`isEmpty(c)` tells whether something is empty",
                _ => "compare it with something",
            })
    }

    /// The order of two numbers or two strings.
    #[cold]
    #[inline(never)]
    pub fn compare(&mut self, a: Value, b: Value) -> Result<Ordering, Fault> {
        if let (Some(x), Some(y)) = (self.heap.as_f64(a), self.heap.as_f64(b)) {
            return Ok(x.total_cmp(&y));
        }
        if a.is_kind(Kind::Text) && b.is_kind(Kind::Text) {
            return self.compare_texts(a, b);
        }
        let (x, y) = (self.describe(a), self.describe(b));
        let fault = Fault::error(
            ErrorKind::Type,
            format!("{x} and {y} cannot be compared: only two numbers or two strings have an order"),
        );
        let number_text = (a.is_number() && b.is_kind(Kind::Text)) || (a.is_kind(Kind::Text) && b.is_number());
        Err(if number_text { fault.with_hint("`toNumber(s)` makes a number of a string") } else { fault })
    }
}

fn division_by_zero() -> Fault {
    Fault::error(ErrorKind::Arithmetic, "division by zero").with_hint("check that the divisor is not 0 first")
}
