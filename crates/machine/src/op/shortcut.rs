//! Calls of built-ins that the main loop carries out itself. Each has the effect of the built-in and charges as much;
//! where it cannot, it returns `None`, and the built-in is called.

use crate::errors::error::Fault;
use crate::machine::Machine;
use crate::natives::native::Action;
use ndscript_bytecode::Shortcut;
use ndscript_heap::sets::memo::MemoKey;
use ndscript_heap::value::MAX_INTEGER;
use ndscript_heap::{Heap, Kind, Value};

/// The stored result of an operation on sets, and its charge.
#[inline(always)]
pub(crate) fn remembered(heap: &Heap, call: Shortcut, a: Value, b: Value) -> Option<(Value, i64)> {
    let key = match call {
        Shortcut::Union => MemoKey::Union,
        Shortcut::Intersection => MemoKey::Intersection,
        Shortcut::Except => MemoKey::Except,
        Shortcut::LeftImage => MemoKey::LeftImage,
        _ => MemoKey::RightImage,
    };
    let (found, charge) = heap.remembered_operation(key, a, b)?;
    Some((found, charge as i64))
}

/// The result of any other one.
#[inline(always)]
pub(crate) fn shortcut(heap: &Heap, call: Shortcut, a: Value, b: Value) -> Option<Value> {
    Some(match call {
        Shortcut::IsEmpty => Value::boolean(size(heap, a)? == 0),
        Shortcut::IsSingleton => Value::boolean(size(heap, a)? == 1),
        Shortcut::SizeOf => Value::size(size(heap, a)?),
        Shortcut::SingletonValue => match heap.sets[a.handle_of(Kind::Set)?].row() {
            [element] => *element,
            _ => return None,
        },
        Shortcut::Contains => {
            // Numbers, positions and short texts need not be frozen first.
            let is_short_text = a.is_kind(Kind::Text) && !a.may_equal_another();
            if !a.is_integer() && !a.is_kind(Kind::Position) && !is_short_text {
                return None;
            }
            let row = heap.sets[b.handle_of(Kind::Set)?].small_row()?;
            Value::boolean(row.contains(&a))
        }
        Shortcut::Position => Value::position(a.as_integer()?, b.as_integer()?)?,
        Shortcut::Floor if a.is_integer() => a,
        Shortcut::Floor => {
            let float = a.inline_f64()?;
            if float.abs() >= MAX_INTEGER as f64 {
                return None;
            }
            let towards_zero = float as i64;
            Value::integer(towards_zero - i64::from(towards_zero as f64 > float))
        }
        Shortcut::FloorOfQuotient => {
            let (x, y) = (a.as_integer()?, b.as_integer()?);
            if y <= 0 {
                return None;
            }
            // Small numbers are divided several times faster.
            let quotient = if (x | y) as u64 >> 32 == 0 {
                (x as u32 / y as u32) as i64
            } else {
                x.div_euclid(y)
            };
            Value::integer(quotient)
        }
        Shortcut::Abs => Value::integer(a.as_integer()?.abs()),
        Shortcut::Min if a.both_integers(b) => {
            if b.scaled() < a.scaled() {
                b
            } else {
                a
            }
        }
        Shortcut::Max if a.both_integers(b) => {
            if b.scaled() > a.scaled() {
                b
            } else {
                a
            }
        }
        Shortcut::Sqrt | Shortcut::Sin | Shortcut::Cos => return elementary(call, a),
        _ => return None,
    })
}

/// An elementary function of a number whose result fits into its word. Not inlined into the main loop, as it calls
/// others.
#[inline(never)]
fn elementary(call: Shortcut, a: Value) -> Option<Value> {
    let x = a.inline_f64()?;
    let result = match call {
        // The root of a negative number is no number, which no word holds.
        Shortcut::Sqrt => x.sqrt(),
        Shortcut::Sin => libm::sin(x),
        _ => libm::cos(x),
    };
    Value::fraction(result).or_else(|| Value::from_float(result))
}

/// The size of a set or an array.
#[inline(always)]
fn size(heap: &Heap, collection: Value) -> Option<usize> {
    if let Some(set) = collection.handle_of(Kind::Set) {
        return Some(heap.sets[set].len());
    }
    Some(heap.array_len(collection.handle_of(Kind::Array)?))
}

impl Machine {
    /// Calls the built-in itself.
    pub(crate) fn call_in_full(
        &mut self,
        call: Shortcut,
        native: u16,
        a: Value,
        b: Value,
    ) -> Result<Value, Fault> {
        self.context.fuel -= 1;
        match self.context.natives[native as usize].action {
            Action::Plain(function) => {
                function(&mut self.context, &[a, b][..call.arguments() as usize])
            }
            _ => Ok(Value::NULL),
        }
    }
}
