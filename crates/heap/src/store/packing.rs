//! Packed blocks of a stack: neighboring items are alike, and their differences take few bytes.
//!
//! An item is a row of 64-bit lanes. Each lane is stored as its change since the item one *period* below: in a loop
//! that makes two choices, every second item is alike. Of these changes only the bytes used anywhere in the block are
//! stored, byte position after byte position.
//!
//! ```text
//! how many | period | per lane and phase: which bytes | per lane: of the first items, whole | per lane and phase: these bytes of changes
//! ```

/// An item that can be packed.
pub trait Packable<const N: usize>: Copy {
    /// The lanes that grow from one item to the next, as bits. They are stored as differences, the others as the bits
    /// that differ.
    const GROWING_LANES: u32;
    /// The longest period that is tried.
    const LONGEST_PERIOD: usize;
    /// If an item takes no more bytes than this by a period, no longer one is tried.
    const FEW_ENOUGH_BYTES: usize;

    fn lanes(self) -> [u64; N];
    fn of_lanes(lanes: [u64; N]) -> Self;
}

/// The number of items transposed at once.
const BLOCK: usize = 64;
/// The number of items from which the period is estimated.
const SAMPLE: usize = 96;

/// The bytes of how many items there are, and of the period.
const HEAD: usize = 3;

/// Packed items.
#[derive(Clone, Debug)]
pub struct PackedBlock(Box<[u8]>);

/// The used bytes of a word, as bits.
fn bytes_used(word: u64) -> u8 {
    let halves = word | word >> 4;
    let quarters = halves | halves >> 2;
    let used = (quarters | quarters >> 1) & 0x0101_0101_0101_0101;
    // Moves the lowest bit of each byte to one of the highest eight bits, and no two of them elsewhere.
    (used.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The shifts of the used bytes of a word.
fn shifts(used: u8) -> impl Iterator<Item = u32> {
    (0..8)
        .filter(move |byte| used >> byte & 1 == 1)
        .map(|byte| 8 * byte)
}

/// How items of a kind are packed. Only transposing items to lanes and back depends on the kind.
struct Form {
    lanes: usize,
    growing: u32,
    longest_period: usize,
    enough: usize,
}

impl Form {
    /// The lanes of items, column by column.
    const fn of<T: Packable<N>, const N: usize>() -> Form {
        Form {
            lanes: N,
            growing: T::GROWING_LANES,
            longest_period: T::LONGEST_PERIOD,
            enough: T::FEW_ENOUGH_BYTES,
        }
    }

    fn is_growing(&self, lane: usize) -> bool {
        self.growing >> lane & 1 == 1
    }
}

/// Computes the changes of a lane since the item one period below. The lane is a column of its own, so that this is
/// vectorized.
fn find_changes(column: &[u64], grows: bool, period: usize, changes: &mut Vec<u64>) {
    let pairs = column.iter().zip(&column[period.min(column.len())..]);
    changes.clear();
    if grows {
        changes.extend(pairs.map(|(from, to)| to.wrapping_sub(*from)));
    } else {
        changes.extend(pairs.map(|(from, to)| from ^ to));
    }
}

/// The changes of one phase.
fn of_phase(changes: &[u64], phase: usize, period: usize) -> impl Iterator<Item = u64> + '_ {
    changes
        .get(phase..)
        .unwrap_or_default()
        .iter()
        .step_by(period)
        .copied()
}

/// The bits used by the changes of a phase.
fn used_by(changes: &[u64], phase: usize, period: usize) -> u64 {
    match period {
        1 => changes.iter().fold(0, |used, change| used | change),
        _ => of_phase(changes, phase, period).fold(0, |used, change| used | change),
    }
}

/// The number of changes of a phase among `items` items.
fn count_of(items: usize, phase: usize, period: usize) -> usize {
    items.saturating_sub(phase + period).div_ceil(period)
}

/// Fills a column from its first value and its changes.
#[inline(always)]
fn fill(column: &mut [u64], change: impl Fn(u64, u64) -> u64, changes: impl Iterator<Item = u64>) {
    let mut value = column[0];
    for (to, by) in column[1..].iter_mut().zip(changes) {
        value = change(value, by);
        *to = value;
    }
}

/// The lanes of items, transposed: a column for each lane.
struct Columns {
    items: usize,
    values: Vec<u64>,
}

impl Columns {
    fn of<T: Packable<N>, const N: usize>(items: &[T]) -> Columns {
        let count = items.len();
        let mut values = vec![0; N * count];
        let mut rows = [[0; BLOCK]; N];
        for (block, items) in items.chunks(BLOCK).enumerate() {
            for (at, item) in items.iter().enumerate().take(BLOCK) {
                for (row, lane) in rows.iter_mut().zip(item.lanes()) {
                    row[at] = lane;
                }
            }
            for (lane, row) in rows.iter().enumerate() {
                let first = lane * count + block * BLOCK;
                values[first..first + items.len()].copy_from_slice(&row[..items.len()]);
            }
        }
        Columns {
            items: count,
            values,
        }
    }

    /// Appends the items.
    fn push_on<T: Packable<N>, const N: usize>(&self, items: &mut Vec<T>) {
        let columns: [&[u64]; N] = std::array::from_fn(|lane| self.column(lane));
        items.extend((0..self.items).map(|at| T::of_lanes(columns.map(|column| column[at]))));
    }

    fn column(&self, lane: usize) -> &[u64] {
        &self.values[lane * self.items..(lane + 1) * self.items]
    }

    /// The lanes in which items differ.
    fn varying(&self) -> Vec<(usize, &[u64])> {
        let lanes = self.values.chunks_exact(self.items).enumerate();
        lanes
            .filter(|(_, column)| column.windows(2).any(|two| two[0] != two[1]))
            .collect()
    }

    /// Packs the columns as changes from item to item, with only the bytes in which these differ from zero.
    fn pack(&self, form: &Form, below: Option<&PackedBlock>) -> PackedBlock {
        let varying = self.varying();
        let period = period_of(form, self.items, &varying, below);
        let mut used = vec![0u8; form.lanes * period];
        let mut changes: Vec<u64> = Vec::with_capacity(self.items);
        let mut bytes: Vec<u8> = Vec::with_capacity(self.values.len());
        for (lane, column) in varying {
            find_changes(column, form.is_growing(lane), period, &mut changes);
            for phase in 0..period {
                let own = bytes_used(used_by(&changes, phase, period));
                used[lane * period + phase] = own;
                for shift in shifts(own) {
                    match period {
                        1 => bytes.extend(changes.iter().map(|change| (change >> shift) as u8)),
                        _ => bytes.extend(
                            of_phase(&changes, phase, period).map(|change| (change >> shift) as u8),
                        ),
                    }
                }
            }
        }
        let mut packed = Vec::with_capacity(HEAD + 9 * used.len() + bytes.len());
        packed.extend((self.items as u16).to_le_bytes());
        packed.push(period as u8);
        packed.extend_from_slice(&used);
        for column in self.values.chunks_exact(self.items) {
            column[..period]
                .iter()
                .for_each(|value| packed.extend(value.to_le_bytes()));
        }
        packed.extend_from_slice(&bytes);
        PackedBlock(packed.into_boxed_slice())
    }

    /// Restores the columns from their packed form.
    fn unpacked(form: &Form, packed: &[u8]) -> Columns {
        let Some(([low, high, period], rest)) = packed.split_first_chunk::<HEAD>() else {
            return Columns {
                items: 0,
                values: Vec::new(),
            };
        };
        let (count, period) = (
            usize::from(u16::from_le_bytes([*low, *high])),
            usize::from(*period),
        );
        let (used, rest) = rest.split_at(form.lanes * period);
        let (first, mut bytes) = rest.split_at(8 * form.lanes * period);
        let mut first = first
            .chunks_exact(8)
            .map(|value| value.try_into().map_or(0, u64::from_le_bytes));
        let mut values = Vec::with_capacity(form.lanes * count);
        let mut changes: Vec<u64> = Vec::with_capacity(count);
        for (lane, used) in used.chunks_exact(period).enumerate() {
            let start = values.len();
            values.extend(first.by_ref().take(period));
            // Most lanes of most blocks are constant.
            values.resize(start + count, values[start]);
            let column = &mut values[start..];
            let grows = form.is_growing(lane);
            for (phase, used) in used.iter().copied().enumerate() {
                if used == 0 && column[phase] == column[0] {
                    continue;
                }
                let length = count_of(count, phase, period);
                let (own, others) = bytes.split_at(used.count_ones() as usize * length);
                bytes = others;
                if period == 1 && used.is_power_of_two() {
                    let shift = 8 * used.trailing_zeros();
                    let changes = own.iter().map(|byte| u64::from(*byte) << shift);
                    if grows {
                        fill(column, u64::wrapping_add, changes);
                    } else {
                        fill(column, |from, by| from ^ by, changes);
                    }
                    continue;
                }
                changes.clear();
                changes.resize(length, 0);
                for (shift, own) in shifts(used).zip(own.chunks_exact(length.max(1))) {
                    for (change, byte) in changes.iter_mut().zip(own) {
                        *change |= u64::from(*byte) << shift;
                    }
                }
                let (mut value, mut at) = (column[phase], phase);
                for change in &changes {
                    at += period;
                    value = if grows {
                        value.wrapping_add(*change)
                    } else {
                        value ^ change
                    };
                    column[at] = value;
                }
            }
        }
        Columns {
            items: count,
            values,
        }
    }
}

impl PackedBlock {
    /// Packs items, at least one and at most 65535, that lie above those of another piece.
    pub fn pack<T: Packable<N>, const N: usize>(
        items: &[T],
        below: Option<&PackedBlock>,
    ) -> PackedBlock {
        Columns::of(items).pack(&Form::of::<T, N>(), below)
    }

    /// Unpacks: appends its items.
    pub fn unpack<T: Packable<N>, const N: usize>(&self, items: &mut Vec<T>) {
        Columns::unpacked(&Form::of::<T, N>(), &self.0).push_on(items);
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        ndscript_base::room::block(self.0.len())
    }
}

/// A period with which a piece takes few bytes, estimated from some of its items.
fn period_of(
    form: &Form,
    items: usize,
    varying: &[(usize, &[u64])],
    below: Option<&PackedBlock>,
) -> usize {
    let sample = SAMPLE.min(items);
    let longest = form.longest_period.min(sample.div_ceil(2));
    let mut changes = Vec::with_capacity(SAMPLE);
    let mut planes_of = |period: usize| {
        let mut planes = 0;
        for (lane, column) in varying {
            find_changes(
                &column[..sample],
                form.is_growing(*lane),
                period,
                &mut changes,
            );
            for phase in 0..period {
                planes += bytes_used(used_by(&changes, phase, period)).count_ones() as usize;
            }
        }
        planes
    };
    let size = |planes: usize, period: usize| planes * (items / period) + period * 8 * form.lanes;
    // Loops are long: the period of the block below is mostly good for this one.
    if let Some(PackedBlock(bytes)) = below
        && let Some(period) = bytes
            .get(HEAD - 1)
            .map(|period| usize::from(*period))
            .filter(|own| *own <= longest)
        && size(planes_of(period), period) <= bytes.len()
    {
        return period;
    }
    let mut best = (usize::MAX, 1);
    for period in 1..=longest {
        let planes = planes_of(period);
        best = best.min((size(planes, period), period));
        if planes <= period * form.enough {
            break;
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Three([u64; 3]);

    impl Packable<3> for Three {
        const GROWING_LANES: u32 = 0b001;
        const LONGEST_PERIOD: usize = 5;
        const FEW_ENOUGH_BYTES: usize = 1;

        fn lanes(self) -> [u64; 3] {
            self.0
        }

        fn of_lanes(lanes: [u64; 3]) -> Three {
            Three(lanes)
        }
    }

    const COUNT: usize = 512;

    /// The bytes that this many items take; checks that they are restored.
    fn packed(item: impl Fn(u64) -> [u64; 3]) -> usize {
        (1..10).for_each(|count| assert!(packed_of(count, &item) > 0));
        packed_of(COUNT, &item)
    }

    fn packed_of(count: usize, item: &impl Fn(u64) -> [u64; 3]) -> usize {
        let items: Vec<Three> = (0..count as u64).map(|at| Three(item(at))).collect();
        let piece = PackedBlock::pack(&items, None);
        assert_eq!(PackedBlock::pack(&items, Some(&piece)).0, piece.0);
        let mut unpacked = vec![Three([1, 2, 3])];
        piece.unpack(&mut unpacked);
        assert_eq!(unpacked[0], Three([1, 2, 3]));
        assert_eq!(unpacked[1..], items);
        piece.0.len()
    }

    #[test]
    fn what_is_packed_comes_back() {
        let random = |at: u64| {
            at.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(at as u32 % 64)
                .wrapping_mul(0x85eb_ca6b)
        };
        assert!(packed(|_| [7; 3]) < 40);
        assert!(packed(|at| [at, 0, u64::MAX]) < 40 + COUNT);
        assert!(
            packed(|at| [(1 << 40) + 300 * at, (at % 4) << 8, at % 3 * 0x0100_0001]) < 10 * COUNT
        );
        assert!(
            packed(|at| [
                at / 5 * 1000,
                [1, 0xf000_0000, 7, 9, 1 << 60][at as usize % 5],
                at % 5
            ]) < 3 * COUNT
        );
        for bits in 0..64 {
            packed(|at| {
                [
                    random(at) >> bits,
                    random(at) << bits,
                    random(at + 1) >> bits << (bits / 2),
                ]
            });
            packed(|at| [random(at), random(at % 5), random(at) & 1 << bits]);
        }
    }
}
