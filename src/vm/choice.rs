//! Choice points.

use super::output::OutputMark;
use super::shuffle::Shuffle;
use crate::value::Value;
use crate::value::room::{block, row};

/// A guess that may have been wrong: where to go on, with what, and how high everything stood.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Larger than that of everything made before; a new one each time the choice is resumed.
    pub serial: u64,
    pub alternatives: Alternatives,
    pub closure: Value,
    pub function: u32,
    /// Behind the instruction that chose.
    pub pc: u32,
    pub base: u32,
    /// Height of the waiting frames.
    pub frames: u32,
    /// Heights of the trail, the saved registers (its own come first) and the saved frames.
    pub trail: u32,
    pub saves: u32,
    pub saved_frames: u32,
    pub output: OutputMark,
    /// What [`super::machine::Machine::protect`] was for the choice point below.
    pub protect: u32,
    pub barriers: u32,
    /// How many registers it has saved.
    pub live: u8,
}

/// What is left to try.
#[derive(Clone, Debug)]
pub enum Alternatives {
    /// Jump targets of a table, by bits.
    Branches { table: u32, ordered: bool, left: u32 },
    /// Jump targets of a table that has more than 32.
    ManyBranches { table: u32, left: Box<Shuffle> },
    /// Elements of a collection, by bits. The collection itself is restored by the trail.
    Elements { collection: Value, to: u8, left: u32 },
    /// Elements of an array of the host's alternatives, from one on.
    InOrder {
        /// The array.
        collection: Value,
        /// Where the next one goes.
        to: u8,
        /// The index of the next one.
        next: u32,
    },
    /// Elements of a collection of more than 32, of which one has been picked. Most choices never come further.
    OncePicked { collection: Value, to: u8, picked: u32 },
    /// Elements of a collection of more than 32.
    ManyElements { to: u8, left: Box<ManyLeft> },
    /// Elements with weights.
    Weighted { to: u8, left: Box<Weighted> },
}

/// What is left of a collection of many elements.
#[derive(Clone, Debug)]
pub struct ManyLeft {
    pub collection: Value,
    pub order: Shuffle,
}

/// Elements that are drawn by weight, each once.
#[derive(Clone, Debug)]
pub struct Weighted {
    pub elements: Vec<(Value, f64)>,
}

/// The number of a random bit among those set.
pub fn random_bit(bits: u32, rng: &mut crate::rng::Rng) -> u32 {
    let mut rest = bits;
    for _ in 0..rng.below(bits.count_ones() as u64) {
        rest &= rest - 1;
    }
    rest.trailing_zeros()
}

impl Weighted {
    /// Takes the next element: proportional to weight, those of weight 0 after all others.
    pub fn draw(&mut self, rng: &mut crate::rng::Rng) -> Option<Value> {
        let total: f64 = self.elements.iter().map(|element| element.1).sum();
        let at = if total > 0.0 {
            let mut rest = rng.unit() * total;
            let positive = |element: &(Value, f64)| element.1 > 0.0;
            let last = self.elements.iter().rposition(positive)?;
            let found = self.elements.iter().position(|element| {
                rest -= element.1;
                positive(element) && rest < 0.0
            });
            found.unwrap_or(last)
        } else if self.elements.is_empty() {
            return None;
        } else {
            rng.below(self.elements.len() as u64) as usize
        };
        Some(self.elements.swap_remove(at).0)
    }
}

impl Alternatives {
    /// The bytes that the alternatives own.
    pub fn bytes(&self) -> usize {
        match self {
            Alternatives::ManyBranches { left, .. } => block(size_of::<Shuffle>()) + left.bytes(),
            Alternatives::ManyElements { left, .. } => block(size_of::<ManyLeft>()) + left.order.bytes(),
            Alternatives::Weighted { left, .. } => block(size_of::<Weighted>()) + row(&left.elements),
            _ => 0,
        }
    }

    /// The values that the alternatives hold.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let collection = match self {
            Alternatives::Elements { collection, .. }
            | Alternatives::InOrder { collection, .. }
            | Alternatives::OncePicked { collection, .. } => Some(*collection),
            Alternatives::ManyElements { left, .. } => Some(left.collection),
            _ => None,
        };
        let weighted: &[(Value, f64)] = match self {
            Alternatives::Weighted { left, .. } => &left.elements,
            _ => &[],
        };
        collection.into_iter().chain(weighted.iter().map(|element| element.0))
    }
}

#[cfg(feature = "save")]
saved!(struct Choice {
    serial,
    alternatives,
    closure,
    function,
    pc,
    base,
    frames,
    trail,
    saves,
    saved_frames,
    output,
    protect,
    barriers,
    live,
});
#[cfg(feature = "save")]
saved!(enum Alternatives {
    0 => Branches { table, ordered, left },
    1 => ManyBranches { table, left },
    2 => Elements { collection, to, left },
    3 => OncePicked { collection, to, picked },
    4 => ManyElements { to, left },
    5 => Weighted { to, left },
    6 => InOrder { collection, to, next },
});
#[cfg(feature = "save")]
saved!(struct ManyLeft { collection, order });
#[cfg(feature = "save")]
saved!(struct Weighted { elements });
