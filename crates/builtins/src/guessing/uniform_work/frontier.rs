//! Which of the latest cells belong together, for a `connected` whose solutions are counted.
//!
//! A state knows the labels of as many cells as a line has: equal ones are of cells that are joined already, 0 is of a cell
//! outside. A region whose last cell leaves the frontier is *closed*: then no other cell may be inside any more. (The transfer matrix by
//! connectivities; Blöte and Nightingale, 1982.)

/// A frontier, and where its labels lie in a state.
#[derive(Clone, Copy)]
pub struct Frontier {
    pub constraint: usize,
    /// The cells of a line.
    side: usize,
    /// Bits of a label.
    bits: u32,
    pub shift: u32,
}

/// The labels of longer lines do not fit into a state, so the caller does not ask about them.
const LONGEST_SIDE: usize = 32;

impl Frontier {
    /// A frontier for lines of this number of cells.
    pub fn new(constraint: usize, side: usize) -> Frontier {
        // At the end of a piece of a line the cells at its two sides do not touch, so there may be one region more.
        let most = side as u32 / 2 + 2;
        Frontier {
            constraint,
            side,
            bits: u32::BITS - most.leading_zeros(),
            shift: 0,
        }
    }

    /// The bits that it takes in a state.
    pub fn width(&self) -> u32 {
        self.side as u32 * self.bits + 1
    }

    /// The state after the next cell; `None` if that leaves two regions.
    pub fn after(
        &self,
        state: u128,
        column: usize,
        is_inside: bool,
        is_last: bool,
    ) -> Option<u128> {
        let packed = state >> self.shift;
        let is_closed = packed >> (self.width() - 1) & 1 == 1;
        let mut labels = [0_u8; LONGEST_SIDE + 1];
        let labels = &mut labels[..=self.side];
        for (at, label) in labels[1..=self.side].iter_mut().enumerate() {
            *label = (packed >> (at as u32 * self.bits) & ((1 << self.bits) - 1)) as u8;
        }
        let above = labels[self.side];
        let left = if column == 0 { 0 } else { labels[1] };
        if is_inside {
            if is_closed {
                return None;
            }
            let fresh = labels.iter().max().map_or(1, |most| most + 1);
            labels[0] = fresh;
            for joined in [above, left].into_iter().filter(|label| *label > 0) {
                labels
                    .iter_mut()
                    .filter(|label| **label == joined)
                    .for_each(|label| *label = fresh);
            }
        }
        let leaving = labels[self.side];
        let staying = &mut labels[..self.side];
        let ends = leaving > 0 && !staying.contains(&leaving);
        if ends && staying.iter().any(|label| *label > 0) {
            return None;
        }
        // Regions are numbered as they come, so that equal states are the same number.
        let mut names = [0_u8; LONGEST_SIDE + 2];
        let mut regions = 0;
        let mut after = u128::from(is_closed || ends) << (self.width() - 1);
        for (at, label) in staying.iter().enumerate().filter(|(_, label)| **label > 0) {
            let name = &mut names[usize::from(*label)];
            if *name == 0 {
                regions += 1;
                *name = regions;
            }
            after |= u128::from(*name) << (at as u32 * self.bits);
        }
        (!is_last || regions <= 1).then_some(after << self.shift)
    }
}
