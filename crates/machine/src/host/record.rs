//! The record of a run: what programs count and draw for whoever looks on, and where they failed. It is no part of the
//! state: failures do not take it back, the search cannot read it, and of what programs count and draw nothing is kept
//! without somebody who wants it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::errors::failures::Failures;
use ndscript_base::picture::Picture;
use ndscript_base::source::Span;

/// So many names are counted apart, and so many bytes of a name or a caption are kept.
const MOST_NAMES: usize = 10_000;
pub const LONGEST: usize = 200;

/// So many bytes are kept in all, and no more than such a share of the run's limit of memory. What comes then is counted,
/// not kept.
const MOST_BYTES: usize = 64 << 20;
const SHARE: usize = 8;

/// What an entry takes beside its picture and its text.
const ENTRY: usize = 2 * size_of::<Snapshot>();

/// A picture that `snapshot` has recorded.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its description.
    pub picture: Arc<Picture>,
    /// What the program has said of it; empty if nothing.
    pub caption: String,
    /// Whether a failure has gone back to a choice that was made before it: then it shows a dead end.
    pub is_dead: bool,
    /// The choice point that was the latest one.
    behind: u64,
}

/// What `tally` has counted and `snapshot` drawn, and where the run failed.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub is_wanted: bool,
    /// Whether pictures are counted alone.
    pub counts_alone: bool,
    tallies: BTreeMap<String, f64>,
    snapshots: Vec<Snapshot>,
    bytes: usize,
    left_out: u64,
    undrawn: u64,
    pub(crate) failures: Failures,
    /// The pictures that are no dead ends, by their places.
    alive: Vec<usize>,
}

impl Record {
    /// What was counted, by name, in the order of the names.
    pub fn tallies(&self) -> impl Iterator<Item = (&str, f64)> {
        self.tallies.iter().map(|(name, amount)| (&**name, *amount))
    }

    /// The places of the program that failed, and how often, in the order of the text. They are counted in every run, since
    /// it began or was loaded.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("let x = choose(1, 2, 3); require(x > 2);")?;
    /// let mut run = program.run(1);
    /// while run.next().is_some() {}
    /// let failing: Vec<_> = run.record().failing().map(|(place, count)| (place.start, count)).collect();
    /// assert_eq!(failing, [(25, 2)]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn failing(&self) -> impl Iterator<Item = (Span, u64)> + '_ {
        self.failures.iter()
    }

    /// What was drawn, in order.
    pub fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    /// What the record takes in a copy of the run; pictures that copies of it share are in it.
    pub fn bytes(&self) -> usize {
        self.bytes + self.failures.bytes()
    }

    /// How many pictures were not kept, as there are too many or the host wants none.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many pictures could not be drawn, as something in a cell is neither the name of a tile nor a set of such names.
    pub fn undrawn(&self) -> u64 {
        self.undrawn
    }

    pub fn cannot_draw(&mut self) {
        self.undrawn += 1;
    }

    /// Counts something, in a run with this limit of memory.
    pub fn count(&mut self, name: &str, amount: f64, memory: usize) {
        let name = beginning(name);
        if let Some(sum) = self.tallies.get_mut(name) {
            *sum += amount;
        } else if self.tallies.len() < MOST_NAMES && self.takes(name.len(), memory) {
            self.tallies.insert(name.to_string(), amount);
        }
    }

    /// Whether there is room for another entry with so many bytes in a run with this limit of memory. They count then.
    fn takes(&mut self, bytes: usize, memory: usize) -> bool {
        let bytes = self.bytes.saturating_add(bytes).saturating_add(ENTRY);
        let has_room = bytes <= MOST_BYTES.min(memory / SHARE);
        if has_room {
            self.bytes = bytes;
        }
        has_room
    }

    /// Whether something was drawn in the branch that runs.
    #[inline]
    pub fn shows_branch(&self) -> bool {
        !self.alive.is_empty()
    }

    /// A failure goes back to a choice point: what was drawn behind it shows dead ends.
    pub fn go_back(&mut self, to: u64) {
        while let Some(at) = self.alive.pop_if(|at| self.snapshots[*at].behind >= to) {
            self.snapshots[at].is_dead = true;
        }
    }

    /// Keeps a picture, if a run with this limit of memory has room for it.
    pub fn draw(&mut self, picture: Picture, caption: &str, behind: u64, memory: usize) {
        let caption = beginning(caption);
        if self.counts_alone || !self.takes(picture.bytes() + caption.len(), memory) {
            self.left_out += 1;
            return;
        }
        self.alive.push(self.snapshots.len());
        self.snapshots.push(Snapshot {
            picture: Arc::new(picture),
            caption: caption.to_string(),
            is_dead: false,
            behind,
        });
    }
}

fn beginning(text: &str) -> &str {
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= LONGEST)
        .last()
        .unwrap_or(0);
    if text.len() <= LONGEST {
        text
    } else {
        &text[..end]
    }
}
