//! Natural numbers of any size: rows of digits in base 2^64, the lowest first. Digits at the end may be 0.

/// Adds a number with at most as many digits; a carry out of the last digit is lost.
pub fn add(sum: &mut [u64], other: &[u64]) {
    let mut carry = false;
    for (at, digit) in sum.iter_mut().enumerate() {
        let more = other.get(at).copied().unwrap_or(0);
        if more == 0 && !carry && at >= other.len() {
            return;
        }
        let (partial, first) = digit.overflowing_add(more);
        let (total, second) = partial.overflowing_add(u64::from(carry));
        (*digit, carry) = (total, first || second);
    }
}

/// Subtracts a number that is not larger.
pub fn subtract(from: &mut [u64], other: &[u64]) {
    let mut borrow = false;
    for (at, digit) in from.iter_mut().enumerate() {
        let less = other.get(at).copied().unwrap_or(0);
        let (partial, first) = digit.overflowing_sub(less);
        let (rest, second) = partial.overflowing_sub(u64::from(borrow));
        (*digit, borrow) = (rest, first || second);
    }
}

/// Whether one number is less than another.
pub fn is_less(left: &[u64], right: &[u64]) -> bool {
    let digit = |number: &[u64], at: usize| number.get(at).copied().unwrap_or(0);
    let differing = (0..left.len().max(right.len()))
        .rev()
        .find(|at| digit(left, *at) != digit(right, *at));
    differing.is_some_and(|at| digit(left, at) < digit(right, at))
}

pub fn is_zero(number: &[u64]) -> bool {
    number.iter().all(|digit| *digit == 0)
}

/// The number of binary digits.
pub fn bits(number: &[u64]) -> usize {
    let highest = number.iter().rposition(|digit| *digit != 0);
    highest.map_or(0, |at| 64 * at + 64 - number[at].leading_zeros() as usize)
}

/// Divides by a number below 2^64; returns the remainder.
pub fn divide(number: &mut [u64], by: u64) -> u64 {
    let mut rest = 0;
    for digit in number.iter_mut().rev() {
        let whole = u128::from(rest) << 64 | u128::from(*digit);
        *digit = (whole / u128::from(by)) as u64;
        rest = (whole % u128::from(by)) as u64;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::rng::Rng;

    fn number(mut of: u128, digits: usize) -> Vec<u64> {
        let mut number = Vec::new();
        while number.len() < digits {
            number.push(of as u64);
            of >>= 64;
        }
        number
    }

    #[test]
    fn they_are_what_the_machine_says_of_small_ones() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let mut random = || {
                let wide = u128::from(rng.below(u64::MAX)) << 64 | u128::from(rng.below(u64::MAX));
                wide >> rng.below(127) >> 1
            };
            let (a, b) = (random(), random());
            let mut sum = number(a, 3);
            add(&mut sum, &number(b, 2));
            assert_eq!(sum, number(a + b, 3));
            let mut difference = number(a.max(b), 2);
            subtract(&mut difference, &number(a.min(b), 2));
            assert_eq!(difference, number(a.max(b) - a.min(b), 2));
            assert_eq!(is_less(&number(a, 2), &number(b, 4)), a < b);
            assert_eq!(bits(&number(a, 5)), 128 - a.leading_zeros() as usize);
            let by = (b as u64).max(1);
            let mut quotient = number(a, 3);
            let rest = divide(&mut quotient, by);
            assert_eq!(
                (quotient, u128::from(rest)),
                (number(a / u128::from(by), 3), a % u128::from(by))
            );
            assert_eq!(is_zero(&number(a, 2)), a == 0);
        }
    }

    #[test]
    fn a_carry_goes_all_the_way() {
        let mut sum = vec![u64::MAX, u64::MAX, 0];
        add(&mut sum, &[1]);
        assert_eq!(sum, [0, 0, 1]);
        subtract(&mut sum, &[1]);
        assert_eq!(sum, [u64::MAX, u64::MAX, 0]);
    }
}
