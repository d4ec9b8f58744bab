//! Sides of a cell.

/// Sides of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Whether the left side is one of them, and so on.
    pub left: bool,
    /// The upper one.
    pub top: bool,
    /// The right one.
    pub right: bool,
    /// The lower one.
    pub bottom: bool,
}

impl Sides {
    /// All four.
    pub const ALL: Sides = Sides {
        left: true,
        top: true,
        right: true,
        bottom: true,
    };

    /// By their letters, `l`, `t`, `r` and `b`, each at most once.
    pub(crate) fn named(letters: &str) -> Option<Sides> {
        let counts = ['l', 't', 'r', 'b'].map(|side| letters.matches(side).count());
        let is_sound =
            counts.iter().all(|count| *count <= 1) && counts.iter().sum::<usize>() == letters.len();
        let [left, top, right, bottom] = counts.map(|count| count == 1);
        is_sound.then_some(Sides {
            left,
            top,
            right,
            bottom,
        })
    }
}
