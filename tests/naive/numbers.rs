//! Arithmetic and comparison.

use ndscript::syntax::ast::BinaryOperator;

use super::interpreter::{ErrorName, Result, error, type_error};
use super::value::{MAX_INTEGER, Value, is_integer};

pub fn number(value: &Value) -> Result<f64> {
    match value {
        Value::Number(n) => Ok(*n),
        _ => type_error("a number", value),
    }
}

pub fn integer(value: &Value) -> Result<i64> {
    match value.integer() {
        Some(n) => Ok(n),
        None => type_error("an integer", value),
    }
}

/// A result that may be any float: without sign on zero, and never NaN or infinite.
pub fn float(n: f64) -> Result<Value> {
    if n.is_finite() {
        Ok(Value::Number(n + 0.0))
    } else {
        error(ErrorName::Arithmetic, "not a number")
    }
}

/// A result that must be an integer.
pub fn whole(n: f64) -> Result<Value> {
    if n.abs() <= MAX_INTEGER {
        float(n)
    } else {
        error(ErrorName::Overflow, "integer overflow")
    }
}

pub fn binary(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value> {
    match (operator, left, right) {
        (BinaryOperator::Add, Value::Position(ax, ay), Value::Position(bx, by)) => {
            position(ax + bx, ay + by)
        }
        (BinaryOperator::Subtract, Value::Position(ax, ay), Value::Position(bx, by)) => {
            position(ax - bx, ay - by)
        }
        (_, Value::Number(a), Value::Number(b)) => match operator {
            BinaryOperator::Less => Ok(Value::Boolean(a < b)),
            BinaryOperator::LessEqual => Ok(Value::Boolean(a <= b)),
            BinaryOperator::Greater => Ok(Value::Boolean(a > b)),
            BinaryOperator::GreaterEqual => Ok(Value::Boolean(a >= b)),
            _ => arithmetic(operator, *a, *b),
        },
        (_, Value::String(a), Value::String(b)) => match operator {
            BinaryOperator::Less => Ok(Value::Boolean(a < b)),
            BinaryOperator::LessEqual => Ok(Value::Boolean(a <= b)),
            BinaryOperator::Greater => Ok(Value::Boolean(a > b)),
            BinaryOperator::GreaterEqual => Ok(Value::Boolean(a >= b)),
            _ => type_error("numbers", left),
        },
        _ => type_error(
            "numbers",
            if matches!(left, Value::Number(_)) {
                right
            } else {
                left
            },
        ),
    }
}

fn arithmetic(operator: BinaryOperator, a: f64, b: f64) -> Result<Value> {
    let result = match operator {
        BinaryOperator::Add => a + b,
        BinaryOperator::Subtract => a - b,
        BinaryOperator::Multiply => a * b,
        BinaryOperator::Divide | BinaryOperator::Remainder if b == 0.0 => {
            return error(ErrorName::Arithmetic, "division by zero");
        }
        BinaryOperator::Divide => return float(a / b),
        _ => a % b,
    };
    if is_integer(a) && is_integer(b) {
        whole(result)
    } else {
        float(result)
    }
}

/// A position, whose coordinates have 28 bits.
pub fn position(x: i64, y: i64) -> Result<Value> {
    let range = -(1 << 27)..1 << 27;
    if range.contains(&x) && range.contains(&y) {
        Ok(Value::Position(x, y))
    } else {
        error(ErrorName::Value, "a position out of range")
    }
}

/// To the nearest integer, halves away from zero.
pub fn round(n: f64) -> f64 {
    n.round()
}

pub fn power(x: f64, y: f64) -> Result<Value> {
    if !is_integer(x) || !is_integer(y) || y < 0.0 {
        return float(libm::pow(x, y));
    }
    if x.abs() <= 1.0 {
        return float(if y == 0.0 || (x == -1.0 && y % 2.0 == 0.0) {
            1.0
        } else {
            x
        });
    }
    let mut result = 1.0;
    for _ in 0..(y as u64).min(64) {
        result *= x;
    }
    whole(result)
}
