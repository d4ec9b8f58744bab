//! Choice points.

use crate::search::shuffle::Shuffle;
use crate::search::weighted::Weighted;
use ndscript_heap::Value;
use ndscript_heap::store::packing::Packable;

/// A choice point: where to resume, the alternatives left, and the heights of all stacks. Searches make millions of
/// them, so it stores nothing that can be computed: the instruction before `pc` says which registers are saved and
/// where a chosen element goes, and the barriers say which of them are younger.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Larger than that of everything made before; a new one each time the choice is resumed.
    pub serial: u64,
    /// What is chosen from: null for the branches of a table, a collection for its elements (the trail restores it),
    /// an integer for an index into the [`LargeAlternatives`] choices.
    pub from: Value,
    /// The alternatives left, by bits; or [`ONE_PICKED`] and the one that has been picked.
    pub left: u32,
    /// After the instruction that chose.
    pub pc: u32,
    pub base: u32,
    /// Height of the waiting frames.
    pub frames: u32,
    /// Heights of the trail, the saved registers (its own come first), the saved frames and the output.
    pub trail: u32,
    pub(super) saves: u32,
    pub(super) saved_frames: u32,
    pub output: u32,
}

impl Packable<6> for Choice {
    /// Serial numbers and heights.
    const GROWING_LANES: u32 = 0b11_0001;
    // As many choices as a turn of a loop makes, mostly.
    const LONGEST_PERIOD: usize = 4;
    const FEW_ENOUGH_BYTES: usize = 5;

    #[inline]
    fn lanes(self) -> [u64; 6] {
        let Choice {
            serial,
            from,
            left,
            pc,
            base,
            frames,
            trail,
            saves,
            saved_frames,
            output,
        } = self;
        let two = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [
            serial,
            from.bits(),
            two(left, pc),
            two(base, frames),
            two(trail, saves),
            two(saved_frames, output),
        ]
    }

    #[inline]
    fn of_lanes(
        [
            serial,
            from,
            left_and_pc,
            base_and_frames,
            trail_and_saves,
            rest,
        ]: [u64; 6],
    ) -> Choice {
        let low = |two: u64| two as u32;
        let high = |two: u64| (two >> 32) as u32;
        Choice {
            serial,
            from: Value::from_bits(from),
            left: low(left_and_pc),
            pc: high(left_and_pc),
            base: low(base_and_frames),
            frames: high(base_and_frames),
            trail: low(trail_and_saves),
            saves: high(trail_and_saves),
            saved_frames: low(rest),
            output: high(rest),
        }
    }
}

/// Where a choice point resumes, and the heights of the stacks outside `Choices`.
#[derive(Clone, Copy, Debug)]
pub struct Resumption {
    pub pc: u32,
    pub base: u32,
    pub frames: u32,
    pub trail: u32,
    pub output: u32,
}

/// The parts of a choice point that a failure needs if it stays in its frame.
#[derive(Clone, Copy, Debug)]
pub struct FramePart {
    pub pc: u32,
    pub base: u32,
    pub frames: u32,
    pub(super) saves: u32,
    pub(super) saved_frames: u32,
}

impl Choice {
    /// The part that depends on the frame in which it was made.
    #[inline(always)]
    pub fn in_frame(&self) -> FramePart {
        let Choice {
            pc,
            base,
            frames,
            saves,
            saved_frames,
            ..
        } = *self;
        FramePart {
            pc,
            base,
            frames,
            saves,
            saved_frames,
        }
    }

    /// Its place among the [`LargeAlternatives`] choices, if it is one.
    #[inline]
    pub fn large(&self) -> Option<usize> {
        self.from.as_integer().map(|place| place as usize)
    }
}

/// Up to this many alternatives are the bits of a word.
pub const BITS: usize = 31;

/// Set in the bits of a choice among more elements of which only one has been picked. Most come no further.
pub const ONE_PICKED: u32 = 1 << 31;

/// The remaining alternatives, where they do not fit into a few bits.
#[derive(Clone, Debug)]
pub enum LargeAlternatives {
    /// Jump targets of a table.
    Branches(Shuffle),
    /// Elements of a collection.
    Elements(RemainingElements),
    /// Elements with weights.
    Weighted(Weighted),
}

/// The remaining elements of a collection of many.
#[derive(Clone, Debug)]
pub struct RemainingElements {
    pub collection: Value,
    pub order: Shuffle,
}

/// As many alternatives as there are, as bits.
#[inline]
pub fn all_bits(count: usize) -> u32 {
    (1 << count) - 1
}

/// A range of whole numbers as one word, for choices among them: a position of its first number and its length.
/// `None` if they do not fit.
pub fn range_word(from: i64, count: usize) -> Option<Value> {
    Value::position(from, i64::try_from(count).ok()?)
}

/// A number of such a range.
#[inline]
pub fn element_of_range(range: Value, index: usize) -> Option<Value> {
    range
        .as_position()
        .map(|(from, _)| Value::integer(from + index as i64))
}

/// The number of a random bit among those set.
#[inline(always)]
pub fn random_bit(bits: u32, rng: &mut ndscript_base::rng::Rng) -> u32 {
    let mut rest = bits;
    for _ in 0..rng.below(bits.count_ones() as u64) {
        rest &= rest - 1;
    }
    rest.trailing_zeros()
}

impl LargeAlternatives {
    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        match self {
            LargeAlternatives::Branches(left) => left.bytes(),
            LargeAlternatives::Elements(left) => left.order.bytes(),
            LargeAlternatives::Weighted(left) => left.bytes(),
        }
    }

    /// The bytes that taking the next alternative may allocate at once.
    pub fn bytes_to_draw(&self) -> usize {
        match self {
            LargeAlternatives::Branches(left) => left.bytes_to_draw(),
            LargeAlternatives::Elements(left) => left.order.bytes_to_draw(),
            LargeAlternatives::Weighted(_) => 0,
        }
    }

    /// Whether nothing is left.
    pub fn is_used_up(&self) -> bool {
        match self {
            LargeAlternatives::Branches(left) => left.left() == 0,
            LargeAlternatives::Elements(left) => left.order.left() == 0,
            LargeAlternatives::Weighted(left) => left.elements().is_empty(),
        }
    }

    /// The values that it holds.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let (collection, weighted): (Option<Value>, &[(Value, f64)]) = match self {
            LargeAlternatives::Branches(_) => (None, &[]),
            LargeAlternatives::Elements(left) => (Some(left.collection), &[]),
            LargeAlternatives::Weighted(left) => (None, left.elements()),
        };
        collection
            .into_iter()
            .chain(weighted.iter().map(|element| element.0))
    }
}

ndscript_base::saved!(struct Choice { serial, from, left, pc, base, frames, trail, saves, saved_frames, output });
ndscript_base::saved!(enum LargeAlternatives { 0 => Branches(left), 1 => Elements(left), 2 => Weighted(left) });
ndscript_base::saved!(struct RemainingElements { collection, order });

#[cfg(test)]
mod tests {
    #[test]
    fn a_choice_point_is_48_bytes() {
        assert_eq!(size_of::<super::Choice>(), 48);
    }
}
