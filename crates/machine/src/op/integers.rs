//! Operators on two integers whose result fits into its word; for any other, `None` leaves it to
//! [`super::arithmetic`].

use crate::execute::branch;
use ndscript_heap::{Heap, Value};

#[inline(always)]
pub(crate) fn add_integers(a: Value, b: Value) -> Option<Value> {
    let sum = a.scaled().checked_add(b.scaled())?;
    branch();
    Value::from_scaled(sum)
}

#[inline(always)]
pub(crate) fn subtract_integers(a: Value, b: Value) -> Option<Value> {
    let difference = a.scaled().checked_sub(b.scaled())?;
    branch();
    Value::from_scaled(difference)
}

#[inline(always)]
pub(crate) fn multiply_integers(a: Value, b: Value) -> Option<Value> {
    let (x, scaled) = (a.integer_unchecked(), b.scaled());
    #[cfg(not(target_family = "wasm"))]
    let product = x.checked_mul(scaled);
    #[cfg(target_family = "wasm")]
    let product = product_by_float(x, scaled);
    product.and_then(Value::from_scaled)
}

/// `checked_mul` of an integer and a scaled one. WebAssembly does not report overflows, and the compiler would call a
/// function that multiplies with 128 bits. But floats hold both factors exactly, and every product of them that is in
/// range; a product out of range is out of range as a float, too.
#[cfg(any(target_family = "wasm", test))]
#[inline(always)]
fn product_by_float(x: i64, scaled: i64) -> Option<i64> {
    const BEYOND: f64 = -(i64::MIN as f64);
    ((x as f64 * scaled as f64).abs() < BEYOND).then(|| x.wrapping_mul(scaled))
}

#[inline(always)]
pub(crate) fn divide_integers(a: Value, b: Value) -> Option<Value> {
    let (x, y) = (a.integer_unchecked(), b.integer_unchecked());
    if y == 0 {
        return None;
    }
    if remainder_of(x, y) != 0 {
        return Value::from_float(x as f64 / y as f64);
    }
    Heap::integer(x / y).ok()
}

#[inline(always)]
pub(crate) fn remainder_integers(a: Value, b: Value) -> Option<Value> {
    let (x, y) = (a.integer_unchecked(), b.integer_unchecked());
    if y == 0 {
        return None;
    }
    Some(Value::integer(remainder_of(x, y)))
}

/// Most numbers are small, and dividing small ones is several times faster. The range of integers leaves out the one
/// quotient that would overflow.
#[inline(always)]
fn remainder_of(x: i64, y: i64) -> i64 {
    if (x | y) as u64 >> 32 == 0 {
        (x as u32 % y as u32) as i64
    } else {
        x % y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_by_float_is_that_of_integers() {
        let largest = (1i64 << 53) - 1;
        let near = [
            0,
            1,
            2,
            3,
            7,
            1 << 26,
            (1 << 26) + 1,
            (1 << 27) - 1,
            94_906_265,
            94_906_266,
            94_906_267,
            largest / 3,
            largest / 2,
            largest - 1,
            largest,
        ];
        let both: Vec<i64> = near.iter().flat_map(|&x| [x, -x]).collect();
        for &x in &both {
            // Around where it leaves the range.
            let edge = largest / x.abs().max(1);
            let others = (-2..=2)
                .map(|by| edge + by)
                .filter(|y| (0..=largest).contains(y));
            for y in both
                .iter()
                .copied()
                .chain(others.clone())
                .chain(others.map(|y| -y))
            {
                let scaled = Value::integer(y).scaled();
                let expected = x.checked_mul(scaled).and_then(Value::from_scaled);
                assert_eq!(
                    product_by_float(x, scaled).and_then(Value::from_scaled),
                    expected,
                    "{x} * {y}"
                );
            }
        }
    }
}
