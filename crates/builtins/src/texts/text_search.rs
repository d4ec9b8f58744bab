//! Searches long texts for a part; can stop and resume.

use ndscript_base::budget::Budget;

/// At most this many bytes of a text are searched at a time.
pub const BLOCK: usize = 1 << 14;
/// Bytes that are searched or copied in a visit.
pub const BYTES_OF_VISIT: usize = 4;
/// Most parts are short and occur early: this many bytes are searched first.
const NEAR: usize = 128;
/// Bytes that are compared in a visit.
const BYTES_COMPARED_IN_VISIT: usize = 8;

/// The end of a block of about `BLOCK` bytes from a position on, at a character boundary.
#[inline]
pub fn stretch(text: &str, from: usize, bytes: usize) -> usize {
    let mut end = text.len().min(from.saturating_add(bytes));
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

/// Looks for a part in a text, from a byte on.
#[derive(Clone, Copy, Debug)]
pub struct TextSearch {
    pub from: usize,
    /// For the rolling hash of Rabin and Karp (1987), which finds long parts: the hash of the part, that of the bytes
    /// before `at`, and the weight of the byte that leaves.
    rolling: Option<RollingHash>,
}

#[derive(Clone, Copy, Debug)]
struct RollingHash {
    part: u64,
    window: u64,
    weight: u64,
    /// How many bytes are in the hashes.
    at: usize,
    /// Where the hashes are equal: how many bytes of the part are known to match.
    equal: usize,
}

const MODULUS: u64 = (1 << 61) - 1;
const BASE: u64 = 0x1f3d_5b79_8ace_0247 % MODULUS;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(MODULUS)) as u64
}

/// The position of a part in a text. The standard library prepares a search before it reads the text, which takes
/// longer than finding an early part.
fn find(text: &str, part: &str) -> Option<usize> {
    if part.is_empty() || part.len() > size_of::<u64>() {
        return text.find(part);
    }
    // The latest bytes of the text, as many as the part has, as one number.
    let mut bytes = 0;
    for byte in part.as_bytes() {
        bytes = bytes << 8 | u64::from(*byte);
    }
    let mask = u64::MAX >> (64 - 8 * part.len());
    let mut latest = 0;
    let near = &text.as_bytes()[..text.len().min(NEAR)];
    for (at, byte) in near.iter().enumerate() {
        latest = (latest << 8 | u64::from(*byte)) & mask;
        if latest == bytes && at + 1 >= part.len() {
            return Some(at + 1 - part.len());
        }
    }
    // A match that begins in the first bytes may end after them.
    let mut from = near.len().saturating_sub(part.len() - 1);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    if near.len() == text.len() {
        None
    } else {
        text[from..].find(part).map(|at| from + at)
    }
}

impl TextSearch {
    pub fn new(from: usize) -> TextSearch {
        TextSearch {
            from,
            rolling: None,
        }
    }

    /// Restarts at another byte.
    #[inline]
    pub fn restart(&mut self, from: usize) {
        self.from = from;
        self.rolling = None;
    }

    /// Continues; where the part begins, or that it is not there.
    pub fn resume(&mut self, text: &str, part: &str, budget: &mut Budget) -> Option<Option<usize>> {
        if part.len() > BLOCK {
            return self.go_rolling(text.as_bytes(), part.as_bytes(), budget);
        }
        loop {
            if text.len() - self.from < part.len() {
                return Some(None);
            }
            if budget.is_spent() {
                return None;
            }
            let next = stretch(text, self.from, BLOCK);
            let end = stretch(text, next, part.len());
            if let Some(at) = find(&text[self.from..end], part) {
                budget.spend(at / BYTES_OF_VISIT + 2);
                return Some(Some(self.from + at));
            }
            budget.spend((end - self.from) / BYTES_OF_VISIT + 2);
            if end == text.len() {
                return Some(None);
            }
            self.from = next;
        }
    }

    /// Continues the search with a rolling hash, which cannot be slow for any text. The inner `None` means that the
    /// part does not occur.
    fn go_rolling(
        &mut self,
        text: &[u8],
        part: &[u8],
        budget: &mut Budget,
    ) -> Option<Option<usize>> {
        let count = part.len();
        if text.len() - self.from < count {
            return Some(None);
        }
        let rolling = self.rolling.get_or_insert(RollingHash {
            part: 0,
            window: 0,
            weight: 1,
            at: 0,
            equal: 0,
        });
        while rolling.at < count {
            if budget.is_spent() {
                return None;
            }
            let byte = |bytes: &[u8], at: usize| u64::from(bytes[at]) + 1;
            rolling.part = (times(rolling.part, BASE) + byte(part, rolling.at)) % MODULUS;
            rolling.window =
                (times(rolling.window, BASE) + byte(text, self.from + rolling.at)) % MODULUS;
            if rolling.at > 0 {
                rolling.weight = times(rolling.weight, BASE);
            }
            rolling.at += 1;
            budget.spend(6);
        }
        loop {
            if budget.is_spent() {
                return None;
            }
            if rolling.window == rolling.part {
                let end = count.min(rolling.equal + BLOCK);
                budget.spend((end - rolling.equal) / BYTES_COMPARED_IN_VISIT);
                let found = &text[self.from + rolling.equal..self.from + end];
                if *found == part[rolling.equal..end] {
                    rolling.equal = end;
                    if end == count {
                        return Some(Some(self.from));
                    }
                    continue;
                }
                rolling.equal = 0;
            }
            budget.spend(4);
            let Some(next) = text.get(self.from + count) else {
                return Some(None);
            };
            let leaves = times(u64::from(text[self.from]) + 1, rolling.weight);
            let rest = (rolling.window + MODULUS - leaves) % MODULUS;
            rolling.window = (times(rest, BASE) + u64::from(*next) + 1) % MODULUS;
            self.from += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::budget::PieceSize;

    fn search(text: &str, part: &str) -> Option<usize> {
        let mut search = TextSearch::new(0);
        loop {
            let mut budget = Budget::piece(PieceSize::default());
            budget.spend(budget.room_for(1) - 100);
            if let Some(found) = search.resume(text, part, &mut budget) {
                return found;
            }
        }
    }

    #[test]
    fn long_and_short_parts_are_found_wherever_they_are() {
        let text: String = (0..60_000)
            .map(|i| if i % 7 == 0 { "é" } else { "ab" })
            .collect::<String>()
            + "x";
        for at in [0, 2, text.len() / 2 + 1, text.len() - 1] {
            let mut at = at;
            while !text.is_char_boundary(at) {
                at += 1;
            }
            for length in [0, 1, 5, 70_000] {
                let Some(part) = text.get(at..at + length) else {
                    continue;
                };
                assert_eq!(
                    search(&text, part),
                    text.find(part),
                    "{length} bytes from {at}"
                );
            }
        }
        for part in ["y", "xx", "abababab"] {
            assert_eq!(search(&text, part), text.find(part));
        }
        // Short parts, near and far, across the end of the first bytes, and where the text has zero bytes.
        let texts = [
            "",
            "a",
            "aé",
            "\0\0a",
            "abcabd",
            &"é\0".repeat(70),
            &("b".repeat(NEAR - 3) + "éaab"),
        ];
        let parts = [
            "",
            "\0",
            "a",
            "é",
            "\0a",
            "ab",
            "abd",
            "aab",
            "éaa",
            "bbbbéaab",
            "bbbbbéaab",
            "éaabx",
        ];
        for (text, part) in texts.iter().flat_map(|text| parts.map(|part| (text, part))) {
            assert_eq!(search(text, part), text.find(part), "{part:?} in {text:?}");
        }
        let long = text[..70_000].to_string() + "y";
        assert_eq!(search(&text, &long), None);
    }
}
