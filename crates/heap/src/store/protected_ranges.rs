//! Ranges of the trail that lie below results which survive failures, as those of `solutions` and `minimize` do.
//!
//! A failure undoes the growth of texts in their buffers since the choice, and later texts overwrite that memory. A
//! text of a result would change, so entries for buffers that were logged before it was found undo nothing.

/// Ranges of heights of the trail, from the lowest to the highest; none touches another.
#[derive(Clone, Debug, Default)]
pub struct ProtectedRanges {
    ranges: Vec<Range>,
}

/// A range from a height up to below another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    from: usize,
    below: usize,
}

impl ProtectedRanges {
    /// Adds everything from a height up to the top of the trail.
    pub(super) fn add(&mut self, from: usize, top: usize) {
        let mut range = Range { from, below: top };
        while let Some(last) = self.ranges.pop_if(|last| last.below >= range.from) {
            range.from = range.from.min(last.from);
        }
        if range.from < range.below {
            self.ranges.push(range);
        }
    }

    /// Whether an entry lies below a protected result. Those above it were undone.
    pub(crate) fn has(&self, entry: usize) -> bool {
        self.ranges
            .last()
            .is_some_and(|range| range.from <= entry && entry < range.below)
    }

    /// Whether anything above a height lies below a result.
    pub(crate) fn reaches(&self, height: usize) -> bool {
        self.ranges.last().is_some_and(|range| range.below > height)
    }

    /// Whether it fits a trail with this many entries.
    pub(crate) fn fits(&self, top: usize) -> bool {
        let bounds: Vec<usize> = self
            .ranges
            .iter()
            .flat_map(|range| [range.from, range.below])
            .collect();
        bounds.is_sorted_by(|a, b| a < b) && bounds.last().is_none_or(|last| *last <= top)
    }

    /// Drops ranges above the top of the trail.
    #[inline]
    pub(crate) fn cut(&mut self, top: usize) {
        if self.ranges.last().is_some_and(|range| range.below > top) {
            self.cut_ranges(top);
        }
    }

    #[cold]
    fn cut_ranges(&mut self, top: usize) {
        while self.ranges.pop_if(|range| range.from >= top).is_some() {}
        if let Some(range) = self.ranges.last_mut() {
            range.below = range.below.min(top);
        }
    }
}

ndscript_base::saved!(struct ProtectedRanges { ranges });

ndscript_base::saved!(struct Range { from, below });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_result_takes_earlier_ones_in_that_it_lies_around() {
        let mut protected = ProtectedRanges::default();
        protected.add(2, 5);
        protected.cut(7);
        protected.add(8, 9);
        assert!(protected.has(8) && !protected.has(9) && !protected.has(7));
        protected.cut(8);
        assert!(protected.has(4) && !protected.has(5));
        protected.cut(4);
        assert!(protected.has(3) && !protected.has(4));
        protected.add(4, 4);
        assert!(protected.has(2) && !protected.has(1));
        protected.add(0, 6);
        assert_eq!(protected.ranges, [Range { from: 0, below: 6 }]);
        protected.cut(0);
        assert!(protected.ranges.is_empty() && !protected.has(0));
    }
}
