//! The constraints, a file or a folder for each.

mod adjacent;
mod all_different;
mod callback;
mod cardinality;
mod count;
mod graph;
mod lexicographic;
mod network;
mod pattern;
mod related;
mod sum;
mod supports;
mod tuples;

pub(super) use adjacent::VISITS_OF_LOOK;
pub use adjacent::{Adjacent, Direction};
pub use all_different::AllDifferent;
pub use callback::{Callback, CallbackId};
pub use cardinality::Cardinality;
pub use count::{Count, Tally};
pub use graph::{Advice, Connected, Reachable};
pub(super) use graph::{Cut, Lost, Mark};
pub use lexicographic::{Lexicographic, UNRANKED};
pub use network::{
    Booleans, Division, Lattice, MOST_OF_NETWORK, Mistake, Network, Regions, Shape, Wiring,
};
pub(crate) use pattern::KnownRejected;
pub use pattern::{Automaton, Pattern, Wording};
pub use related::Related;
pub use sum::Sum;
pub use supports::Supports;
pub use tuples::{Table, TableBuilder, TableProgress, Tuples};

/// Whether `columns` by `rows` is a grid of `places` places, and not empty.
fn is_grid(columns: u32, rows: u32, places: usize) -> bool {
    columns as usize * rows as usize == places && columns > 0
}

/// Whether a place is listed twice.
fn has_twice(places: &[u32]) -> bool {
    let mut sorted = places.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|two| two[0] == two[1])
}
