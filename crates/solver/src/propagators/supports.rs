//! The values that the candidates of a place allow at another.

use ndscript_base::room;

/// The number of candidates per table lookup.
const AT_ONCE: usize = 8;

/// The values that each value of a place allows at another one.
#[derive(Clone, Debug)]
pub struct Supports {
    /// By value, the mask of what it allows.
    rows: Vec<u64>,
    /// If a mask is one word: for each group of eight values, what each subset of them allows together, indexed by
    /// the bits of the subset.
    together: Vec<u64>,
}

impl Supports {
    /// Makes supports of masks of `width` words each.
    pub fn new(rows: Vec<u64>, width: usize) -> Supports {
        let mut together = Vec::new();
        if width == 1 {
            together.reserve_exact(Supports::sets_of(rows.len()));
            for alone in rows.chunks(AT_ONCE) {
                let from = together.len();
                together.push(0);
                for set in 1..1_usize << alone.len() {
                    let (rest, least) = (set & (set - 1), set.trailing_zeros() as usize);
                    together.push(together[from + rest] | alone[least]);
                }
            }
        }
        Supports { rows, together }
    }

    /// The number of entries of `together` for this number of values.
    pub fn sets_of(values: usize) -> usize {
        ((values / AT_ONCE) << AT_ONCE)
            + if values.is_multiple_of(AT_ONCE) {
                0
            } else {
                1 << (values % AT_ONCE)
            }
    }

    /// By value, the mask of what it allows.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The values that the candidates in a word allow together.
    #[inline]
    pub fn of_word(&self, word: u64) -> u64 {
        let (mut allowed, mut rest, mut from) = (0, word as usize, 0);
        while rest != 0 {
            allowed |= self
                .together
                .get(from + (rest & 0xff))
                .copied()
                .unwrap_or(0);
            rest >>= AT_ONCE;
            from += 1 << AT_ONCE;
        }
        allowed
    }

    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        room::row(&self.rows) + room::row(&self.together)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_allow_what_their_values_do() {
        for count in [1, 3, 8, 13, 40, 64] {
            let rows: Vec<u64> = (1..=count as u64)
                .map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let supports = Supports::new(rows.clone(), 1);
            assert_eq!(supports.together.len(), Supports::sets_of(count));
            for seed in 0..500_u64 {
                let word = seed.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(17)
                    & (u64::MAX >> (64 - count));
                let one_by_one = (0..count)
                    .filter(|at| word >> at & 1 == 1)
                    .fold(0, |all, at| all | rows[at]);
                assert_eq!(supports.of_word(word), one_by_one, "{word:b} of {count}");
            }
        }
    }
}
