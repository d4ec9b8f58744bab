//! Arithmetic, equality and order.

use std::cmp::Ordering;

use super::integers::{
    add_integers, divide_integers, multiply_integers, remainder_integers, subtract_integers,
};
use super::{After, Constant, Done, Fast};
use crate::errors::error::{ErrorKind, Fault, VALUE_OF_SET};
use crate::machine::Machine;
use crate::natives::context::{Context, number_fault};
use crate::work::writing::TextTarget;
use ndscript_bytecode::Register;
use ndscript_heap::{Heap, Kind, Value};

/// The operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// `++`: adds 1 to a number, and to nothing else.
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

/// The result of an operator on two numbers of which at least one is a float; `None` for other operands.
#[inline(always)]
fn operate_floats<const OPERATOR: u8>(x: f64, y: f64) -> Option<f64> {
    const ADD: u8 = Operator::Add as u8;
    const SUBTRACT: u8 = Operator::Subtract as u8;
    const MULTIPLY: u8 = Operator::Multiply as u8;
    const DIVIDE: u8 = Operator::Divide as u8;
    match OPERATOR {
        ADD => Some(x + y),
        SUBTRACT => Some(x - y),
        MULTIPLY => Some(x * y),
        DIVIDE => Some(x / y),
        _ => None,
    }
}

/// As above for words that may be integers or no numbers, if the result fits into its word. Not inlined, so that the
/// main loop has one short path.
#[inline(never)]
fn operate_mixed<const OPERATOR: u8>(a: Value, b: Value) -> Option<Value> {
    let result = operate_floats::<OPERATOR>(a.inline_f64()?, b.inline_f64()?)?;
    Value::fraction(result).or_else(|| Value::from_float(result))
}

/// The fast forms of operators: integers, and floats that fit into their words.
macro_rules! fast_operators {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident($first:ident: $one:ty, $second:ident: $other:ty) => $operator:ident, $integers:ident;
    )*) => {
        impl Fast<'_> {
            $(
                $(#[doc = $doc])+
                #[inline(always)]
                pub fn $name(&mut self, to: Register, $first: $one, $second: $other) -> Option<()> {
                    let (a, b) = ($first.of_fast(self), $second.of_fast(self));
                    if a.both_integers(b) {
                        self.set(to, $integers(a, b)?);
                    } else if let (Some(x), Some(y)) = ($first.float(a), $second.float(b)) {
                        let result = operate_floats::<{ Operator::$operator as u8 }>(x, y)?;
                        match Value::fraction(result) {
                            Some(fraction) => self.set(to, fraction),
                            None => self.set(to, Value::from_float(result)?),
                        }
                    } else {
                        self.set(to, operate_mixed::<{ Operator::$operator as u8 }>(a, b)?);
                    }
                    Some(())
                }
            )*
        }
    };
}

/// An operand of an instruction: a register, an immediate number, or a constant.
pub(crate) trait Operand {
    fn of_fast(self, fast: &Fast) -> Value;
    /// As a float, if its word alone decides that.
    fn float(self, value: Value) -> Option<f64>;
    fn of(self, machine: &Machine) -> Value;
}

impl Operand for Register {
    #[inline(always)]
    fn of_fast(self, fast: &Fast) -> Value {
        fast.get(self)
    }

    #[inline(always)]
    fn float(self, value: Value) -> Option<f64> {
        value.inline_float_value()
    }

    fn of(self, machine: &Machine) -> Value {
        machine.get(self)
    }
}

impl Operand for i32 {
    #[inline(always)]
    fn of_fast(self, _: &Fast) -> Value {
        Value::integer(self as i64)
    }

    #[inline(always)]
    fn float(self, _: Value) -> Option<f64> {
        Some(self as f64)
    }

    fn of(self, _: &Machine) -> Value {
        Value::integer(self as i64)
    }
}

impl Operand for Constant {
    #[inline(always)]
    fn of_fast(self, fast: &Fast) -> Value {
        fast.constants[self.0 as usize]
    }

    #[inline(always)]
    fn float(self, value: Value) -> Option<f64> {
        value.inline_float_value()
    }

    fn of(self, machine: &Machine) -> Value {
        machine.constants[self.0 as usize]
    }
}

fast_operators! {
    /// `R[to] := R[a] + R[b]`
    add(a: Register, b: Register) => Add, add_integers;
    /// `R[to] := R[a] - R[b]`
    subtract(a: Register, b: Register) => Subtract, subtract_integers;
    /// `R[to] := R[a] * R[b]`
    multiply(a: Register, b: Register) => Multiply, multiply_integers;
    /// `R[to] := R[a] / R[b]`
    divide(a: Register, b: Register) => Divide, divide_integers;
    /// `R[to] := R[a] % R[b]`
    remainder(a: Register, b: Register) => Remainder, remainder_integers;
    /// `R[to] := R[a] + value`
    add_integer(a: Register, value: i32) => Add, add_integers;
    /// `R[to] := R[a] - value`
    subtract_integer(a: Register, value: i32) => Subtract, subtract_integers;
    /// `R[to] := R[a] * value`
    multiply_integer(a: Register, value: i32) => Multiply, multiply_integers;
    /// `R[to] := R[a] / value`
    divide_integer(a: Register, value: i32) => Divide, divide_integers;
    /// `R[to] := R[a] % value`
    remainder_integer(a: Register, value: i32) => Remainder, remainder_integers;
    /// `R[to] := value - R[b]`
    integer_minus(value: i32, b: Register) => Subtract, subtract_integers;
    /// `R[to] := value * R[b]`
    integer_times(value: i32, b: Register) => Multiply, multiply_integers;
    /// `R[to] := R[a] + K[index]`
    add_constant(a: Register, constant: Constant) => Add, add_integers;
    /// `R[to] := R[a] - K[index]`
    subtract_constant(a: Register, constant: Constant) => Subtract, subtract_integers;
    /// `R[to] := R[a] * K[index]`
    multiply_constant(a: Register, constant: Constant) => Multiply, multiply_integers;
    /// `R[to] := K[index] * R[b]`
    constant_times(constant: Constant, b: Register) => Multiply, multiply_integers;
}

impl Fast<'_> {
    /// `G[slot] := G[slot] + R[from]`, if both are integers and it need not be logged
    #[inline(always)]
    pub fn add_to_global(&mut self, from: Register, slot: u32) -> Option<()> {
        let b = self.get(from);
        self.add_value_to_global(b, slot)
    }

    /// `G[slot] := G[slot] + value`, if it is an integer and need not be logged
    #[inline(always)]
    pub fn add_integer_to_global(&mut self, value: i16, slot: u32) -> Option<()> {
        self.add_value_to_global(Value::integer(value as i64), slot)
    }

    #[inline(always)]
    fn add_value_to_global(&mut self, b: Value, slot: u32) -> Option<()> {
        let global = self.heap.fresh_global(slot, self.top)?;
        if !global.both_integers(b) {
            return None;
        }
        *global = add_integers(*global, b)?;
        Some(())
    }

    /// `R[to] := R[a] + 1`, of a number
    #[inline(always)]
    pub fn increment(&mut self, to: Register, a: Register) -> Option<()> {
        self.add_integer(to, a, 1)
    }

    /// `R[to] := !R[from]`
    #[inline(always)]
    pub fn not(&mut self, to: Register, from: Register) -> Option<()> {
        let truth = self.get(from).as_boolean()?;
        self.set(to, Value::boolean(!truth));
        Some(())
    }

    /// `R[to] := R[a] == R[b]`, where one word decides
    #[inline(always)]
    pub fn equal(&mut self, to: Register, a: Register, b: Register) -> Option<()> {
        let equal = are_equal(self.get(a), self.get(b))?;
        self.set(to, Value::boolean(equal));
        Some(())
    }

    /// `R[to] := R[a] != R[b]`, where one word decides
    #[inline(always)]
    pub fn not_equal(&mut self, to: Register, a: Register, b: Register) -> Option<()> {
        let equal = are_equal(self.get(a), self.get(b))?;
        self.set(to, Value::boolean(!equal));
        Some(())
    }

    /// `R[to] := R[a] < R[b]` of numbers that fit into their words
    #[inline(always)]
    pub fn less(&mut self, to: Register, a: Register, b: Register) -> Option<()> {
        let less = is_less(self.get(a), self.get(b))?;
        self.set(to, Value::boolean(less));
        Some(())
    }

    /// `R[to] := R[a] <= R[b]` of numbers that fit into their words
    #[inline(always)]
    pub fn less_equal(&mut self, to: Register, a: Register, b: Register) -> Option<()> {
        let greater = is_less(self.get(b), self.get(a))?;
        self.set(to, Value::boolean(!greater));
        Some(())
    }
}

/// Whether two values are equal, if their words decide it.
#[inline(always)]
pub fn are_equal(a: Value, b: Value) -> Option<bool> {
    if a != b && (a.needs_a_look() || b.is_kind(Kind::Set)) {
        None
    } else {
        Some(a == b)
    }
}

/// Whether one number is less than another, if both fit into their words.
#[inline(always)]
pub fn is_less(a: Value, b: Value) -> Option<bool> {
    if a.both_integers(b) {
        return Some(a.scaled() < b.scaled());
    }
    let (x, y) = a.two_inline_f64(b)?;
    Some(x < y)
}

impl Machine {
    /// `R[to] := a operator b`
    pub(crate) fn operate(
        &mut self,
        operator: Operator,
        to: Register,
        a: impl Operand,
        b: impl Operand,
    ) -> Done {
        let (a, b) = (a.of(self), b.of(self));
        let result = self.context.operate(operator, a, b)?;
        self.set(to, result);
        Ok(After::LookAtMemory)
    }

    /// `G[slot] := G[slot] + b`
    pub(crate) fn add_to_global(&mut self, b: Value, slot: u32) -> Done {
        let sum = self
            .context
            .operate(Operator::Add, self.context.heap.global(slot), b)?;
        self.context.heap.set_global(slot, sum);
        Ok(After::Next)
    }

    /// `R[to] := -R[from]`
    pub(crate) fn negate(&mut self, to: Register, from: Register) -> Done {
        let negative = self.context.negate(self.get(from))?;
        self.set(to, negative);
        Ok(After::Next)
    }

    /// `R[to] := +R[from]`
    pub(crate) fn plus(&mut self, to: Register, from: Register) -> Done {
        let number = self.context.plus(self.get(from))?;
        self.set(to, number);
        Ok(After::Next)
    }

    /// `R[to] := !R[from]`
    pub(crate) fn not(&mut self, to: Register, from: Register) -> Done {
        let truth = self.truth(from)?;
        self.set(to, Value::boolean(!truth));
        Ok(After::Next)
    }

    /// The truth of a condition.
    pub(crate) fn truth(&mut self, register: Register) -> Result<bool, Fault> {
        let value = self.get(register);
        value
            .as_boolean()
            .ok_or_else(|| self.context.not_a_condition(value))
    }

    /// `R[to] := R[a] == R[b]`, or the contrary
    pub(crate) fn equal(&mut self, to: Register, a: Register, b: Register, when: bool) -> Done {
        let equal = self.context.equal(self.get(a), self.get(b))?;
        self.set(to, Value::boolean(equal == when));
        Ok(After::Look)
    }

    /// `R[to] :=` whether the order of `R[a]` and `R[b]` is as asked
    pub(crate) fn ordered(
        &mut self,
        to: Register,
        a: Register,
        b: Register,
        holds: fn(Ordering) -> bool,
    ) -> Done {
        let order = self.context.compare(self.get(a), self.get(b))?;
        self.set(to, Value::boolean(holds(order)));
        Ok(After::Look)
    }
}

/// The steps of a remainder apart from its instruction: it is computed bit by bit where one number is far larger than
/// the other.
fn steps_of_remainder(x: f64, y: f64) -> usize {
    let exponent = |number: f64| (number.to_bits() >> 52 & 0x7ff) as usize;
    exponent(x).saturating_sub(exponent(y)) / 128
}

impl Context {
    /// Applies an operator to any two values.
    #[cold]
    #[inline(never)]
    pub fn operate(&mut self, operator: Operator, a: Value, b: Value) -> Result<Value, Fault> {
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer()) {
            return self.operate_integers(operator, x, y);
        }
        if operator == Operator::Add && (a.is_kind(Kind::Text) || b.is_kind(Kind::Text)) {
            return self.concatenate(&[a, b]);
        }
        if let (Some(x), Some(y)) = (self.heap.as_f64(a), self.heap.as_f64(b)) {
            let result = match operator {
                Operator::Add | Operator::Increment => x + y,
                Operator::Subtract => x - y,
                Operator::Multiply => x * y,
                Operator::Divide if y == 0.0 => return Err(division_by_zero()),
                Operator::Divide => x / y,
                Operator::Remainder if y == 0.0 => return Err(division_by_zero()),
                Operator::Remainder => {
                    self.charge(steps_of_remainder(x, y));
                    libm::fmod(x, y)
                }
            };
            return self.heap.float(result).map_err(|fault| {
                let what = format!("{} {} {}", self.brief(a), operator.text(), self.brief(b));
                number_fault(fault, &what)
            });
        }
        if let Some(result) = self.operate_host(operator, a, b) {
            return result;
        }
        match operator {
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

    /// The host's result for an operator with at least one host value: the one on the left is asked first.
    fn operate_host(
        &mut self,
        operator: Operator,
        a: Value,
        b: Value,
    ) -> Option<Result<Value, Fault>> {
        if operator == Operator::Increment {
            return self.at_sign(a, "+", &[Value::integer(1)]);
        }
        self.at_sign(a, operator.text(), &[b])
            .or_else(|| self.at_sign(b, &format!("{} behind", operator.text()), &[a]))
    }

    /// The result of an operator on integers, which may be a fraction.
    fn operate_integers(&mut self, operator: Operator, x: i64, y: i64) -> Result<Value, Fault> {
        let result = match operator {
            Operator::Add | Operator::Increment => Some(x + y),
            Operator::Subtract => Some(x - y),
            Operator::Multiply => x.checked_mul(y),
            Operator::Divide | Operator::Remainder if y == 0 => return Err(division_by_zero()),
            Operator::Divide if x % y == 0 => Some(x / y),
            Operator::Divide => return self.number(x as f64 / y as f64),
            Operator::Remainder => Some(x % y),
        };
        result
            .and_then(|result| Heap::integer(result).ok())
            .ok_or_else(|| {
                let what = match operator {
                    Operator::Increment => format!("{x} + 1"),
                    _ => format!("{x} {} {y}", operator.text()),
                };
                Fault::error(
                    ErrorKind::Overflow,
                    format!("integer overflow: {what} is beyond 9007199254740991"),
                )
                .with_hint("keep the numbers smaller, or calculate with a fraction, such as 1.5")
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

    /// The error of an operator that does not take these values, with a hint for usual mistakes.
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
        let expectation = if operator == "+" {
            "needs numbers, positions, or a string"
        } else {
            "needs numbers"
        };
        let expectation = if operator == "-" {
            "needs numbers or positions"
        } else {
            expectation
        };
        let sets = a.is_kind(Kind::Set) && b.is_kind(Kind::Set);
        // What a decided place holds is mostly meant as its value.
        let sets = sets && !(self.is_singleton(a) && self.is_singleton(b));
        let fault = Fault::error(ErrorKind::Type, format!("{message} {expectation}"));
        match (sets, operator) {
            (true, "+") => fault.with_hint("`union(s, t)` joins two sets"),
            (true, "-") => fault.with_hint("`except(s, t)` takes one set away from another"),
            _ if a.is_kind(Kind::Position) || b.is_kind(Kind::Position) => match (a, b) {
                (list, _) | (_, list) if self.as_step(list).is_some() => {
                    let (x, y) = self.as_step(list).unwrap_or_default();
                    fault.with_hint(format!(
                        "a step is a position, too: write `position({x}, {y})`"
                    ))
                }
                _ if matches!(operator, "*" | "/") && (a.is_number() || b.is_number()) => fault
                    .with_hint(format!(
                        "write it for each part: `position(p.x {operator} n, p.y {operator} n)`"
                    )),
                _ => fault,
            },
            _ if a.is_kind(Kind::Set) || b.is_kind(Kind::Set) => fault.with_hint(VALUE_OF_SET),
            _ if a.is_kind(Kind::Array) && operator == "+" => {
                fault.with_hint("`concat(a, b)` joins two arrays")
            }
            _ => fault,
        }
    }

    /// The columns and rows of a step that is written as an array or an object.
    fn as_step(&self, value: Value) -> Option<(i64, i64)> {
        let handle = value.payload();
        let [x, y] = match value.kind() {
            Kind::Array if self.heap.array_len(handle) == 2 => {
                [0, 1].map(|at| self.heap.arrays[handle].slots.get(at))
            }
            Kind::Object => ["x", "y"].map(|name| {
                let key = self.heap.find_text(name)?;
                self.heap.objects[handle].get(key)
            }),
            _ => return None,
        };
        x?.as_integer().zip(y?.as_integer())
    }

    /// The text of several values, joined.
    pub fn concatenate(&mut self, values: &[Value]) -> Result<Value, Fault> {
        if let [value] = values
            && value.is_kind(Kind::Text)
        {
            return Ok(*value);
        }
        match self.append(values)? {
            Some(text) => Ok(text),
            None => self.write(values, "", TextTarget::Made),
        }
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
        if value.is_number() {
            Ok(value)
        } else {
            Err(self.wrong_operand("+", "a number", value))
        }
    }

    fn wrong_operand(&self, operator: &str, wanted: &str, value: Value) -> Fault {
        Fault::error(
            ErrorKind::Type,
            format!("`{operator}` needs {wanted}, not {}", self.describe(value)),
        )
    }

    /// The Boolean of a condition.
    #[cold]
    #[inline(never)]
    pub fn not_a_condition(&self, value: Value) -> Fault {
        Fault::error(
            ErrorKind::Type,
            format!(
                "a condition must be true or false, not {}",
                self.describe(value)
            ),
        )
        .with_hint(match value.kind() {
            Kind::Null => "compare with `== null`",
            Kind::Integer | Kind::Float | Kind::BoxedFloat => "compare it, for example with `!= 0`",
            Kind::Set if self.is_singleton(value) => VALUE_OF_SET,
            Kind::Text => {
                "`isEmpty(s)` tells whether it is empty; each side of `||` and `&&` is a whole condition: `a == \"x\" || a == \"y\"`"
            }
            Kind::Array | Kind::Set | Kind::Queue => {
                "`isEmpty(c)` tells whether something is empty"
            }
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
            format!(
                "{x} and {y} cannot be compared: only two numbers or two strings have an order"
            ),
        );
        let number_text =
            (a.is_number() && b.is_kind(Kind::Text)) || (a.is_kind(Kind::Text) && b.is_number());
        Err(if number_text {
            fault.with_hint("`toNumber(s)` makes a number of a string")
        } else if a.is_kind(Kind::Set) || b.is_kind(Kind::Set) {
            fault.with_hint(VALUE_OF_SET)
        } else {
            fault
        })
    }
}

fn division_by_zero() -> Fault {
    Fault::error(ErrorKind::Arithmetic, "division by zero")
        .with_hint("check that the divisor is not 0 first")
}
