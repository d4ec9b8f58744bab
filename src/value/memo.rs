//! Remembered results of set operations: a bounded table, a new result takes an old one's place.

use super::value::Value;

/// The operations that are worth remembering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum MemoKey {
    Union = 1,
    Intersection,
    Except,
    LeftImage,
    RightImage,
    Singleton,
}

const SIZE: usize = 1 << 12;

#[derive(Clone, Copy, Debug)]
struct Remembered {
    key: u64,
    a: Value,
    b: Value,
    result: Value,
}

/// Results by operation and operands. Emptied when garbage is collected, since handles are used again then.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    table: Vec<Remembered>,
}

impl Memo {
    #[inline]
    fn place(key: MemoKey, a: Value, b: Value) -> usize {
        let mixed = (a.bits() ^ b.bits().rotate_left(23) ^ (key as u64) << 17).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 52) as usize
    }

    #[inline]
    pub fn get(&self, key: MemoKey, a: Value, b: Value) -> Option<Value> {
        let found = self.table.get(Memo::place(key, a, b))?;
        (found.key == key as u64 && found.a == a && found.b == b).then_some(found.result)
    }

    pub fn put(&mut self, key: MemoKey, a: Value, b: Value, result: Value) {
        if self.table.is_empty() {
            let nothing = Remembered { key: 0, a: Value::NULL, b: Value::NULL, result: Value::NULL };
            self.table = vec![nothing; SIZE];
        }
        self.table[Memo::place(key, a, b)] = Remembered { key: key as u64, a, b, result };
    }

    pub fn bytes(&self) -> usize {
        super::room::row(&self.table)
    }

    pub fn clear(&mut self) {
        self.table.clear();
    }
}
