//! Remembered results of set operations: a bounded table in which a new result replaces an old one.

use crate::value::Value;

/// The operations whose results are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum MemoKey {
    Union = 1,
    Intersection,
    Except,
    LeftImage,
    RightImage,
    Singleton,
    SymmetricDifference,
}

/// The table starts with this many places and grows up to `LARGEST`, each time by `GROWTH`, whenever `MOST_LOST`
/// times its places were replaced: a short script should not pay for what a long one needs.
const SMALLEST: usize = 1 << 6;
const LARGEST: usize = 1 << 12;
const GROWTH: usize = 8;
const MOST_LOST: usize = 4;

#[derive(Clone, Copy, Debug)]
struct Remembered {
    a: Value,
    b: Value,
    result: Value,
    key: u32,
    /// The charge for computing it. A repeated operation is charged the same: otherwise the steps of a run would
    /// depend on when garbage was collected.
    charge: u32,
}

/// Results by operation and operands. Emptied when garbage is collected, since handles are used again then.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    table: Vec<Remembered>,
    /// The bits of a hash that are no part of its place.
    shift: u32,
    /// How many results were replaced since the table has its size.
    lost: usize,
}

impl Memo {
    #[inline(always)]
    fn place(&self, key: u32, a: Value, b: Value) -> usize {
        let mixed = (a.bits() ^ b.bits().rotate_left(23) ^ (key as u64) << 17)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> self.shift) as usize
    }

    #[inline(always)]
    pub fn get(&self, key: MemoKey, a: Value, b: Value) -> Option<(Value, usize)> {
        let found = self.table.get(self.place(key as u32, a, b))?;
        (found.key == key as u32 && found.a == a && found.b == b)
            .then_some((found.result, found.charge as usize))
    }

    /// Remembers the result of an operation, in place of what was at its place in the table.
    pub fn put(&mut self, key: MemoKey, a: Value, b: Value, result: Value, charge: usize) {
        if self.table.is_empty() || self.lost > MOST_LOST && self.table.len() < LARGEST {
            self.grow();
        }
        let place = self.place(key as u32, a, b);
        self.lost += (self.table[place].key != 0) as usize;
        let charge = charge.min(u32::MAX as usize) as u32;
        self.table[place] = Remembered {
            a,
            b,
            result,
            key: key as u32,
            charge,
        };
    }

    #[cold]
    fn grow(&mut self) {
        let nothing = Remembered {
            a: Value::NULL,
            b: Value::NULL,
            result: Value::NULL,
            key: 0,
            charge: 0,
        };
        let size = (self.table.len() * GROWTH).max(SMALLEST);
        let old = std::mem::replace(&mut self.table, vec![nothing; size]);
        self.shift = 64 - size.ilog2();
        self.lost = 0;
        for remembered in old.into_iter().filter(|remembered| remembered.key != 0) {
            let place = self.place(remembered.key, remembered.a, remembered.b);
            self.table[place] = remembered;
        }
    }

    pub fn bytes(&self) -> usize {
        ndscript_base::room::row(&self.table)
    }

    pub fn clear(&mut self) {
        self.table.clear();
        self.lost = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_put_in() {
        let mut memo = Memo::default();
        assert_eq!(memo.get(MemoKey::Union, Value::ZERO, Value::ZERO), None);
        for round in 0..2 {
            for i in 0..20_000 {
                let (a, b) = (Value::integer(i), Value::integer(i % 77));
                memo.put(MemoKey::Union, a, b, Value::integer(i + round), 7);
                assert_eq!(
                    memo.get(MemoKey::Union, a, b),
                    Some((Value::integer(i + round), 7))
                );
                assert_eq!(memo.get(MemoKey::Except, a, b), None);
            }
            let kept = (0..20_000).filter(|i| {
                let found = memo.get(MemoKey::Union, Value::integer(*i), Value::integer(i % 77));
                assert!(found.is_none_or(|found| found.0 == Value::integer(i + round)));
                found.is_some()
            });
            assert!(kept.count() > LARGEST / 2);
            memo.clear();
            assert_eq!(
                memo.get(
                    MemoKey::Union,
                    Value::integer(19_999),
                    Value::integer(19_999 % 77)
                ),
                None
            );
        }
    }

    #[test]
    fn little_is_remembered_in_little_room() {
        let mut memo = Memo::default();
        memo.put(MemoKey::Singleton, Value::ZERO, Value::NULL, Value::TRUE, 0);
        assert_eq!(memo.table.len(), SMALLEST);
        // As many as there are places: some share one, which shows that the table is too small.
        for i in 0..SMALLEST as i64 {
            memo.put(
                MemoKey::Singleton,
                Value::integer(i),
                Value::NULL,
                Value::TRUE,
                0,
            );
        }
        assert_eq!(memo.table.len(), SMALLEST * GROWTH);
        assert_eq!(
            memo.get(MemoKey::Singleton, Value::integer(63), Value::NULL),
            Some((Value::TRUE, 0))
        );
    }
}
