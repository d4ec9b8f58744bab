//! The record of a run: the program's tallies and pictures for observers, and where it failed. It is no part of the
//! state: failures do not undo it, the search cannot read it, and tallies and pictures are stored only if the host
//! wants them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::errors::failures::Failures;
use ndscript_base::picture::Picture;
use ndscript_base::source::Span;

/// At most this many names are counted separately, and at most this many bytes of a name or a caption are stored.
const MOST_NAMES: usize = 10_000;
pub const LONGEST: usize = 200;

/// At most this many bytes are stored in all, and at most this share of the run's memory limit. Later entries are
/// counted, not stored.
const MOST_BYTES: usize = 64 << 20;
const SHARE: usize = 8;

/// The bytes of an entry without its picture and its text.
const ENTRY: usize = 2 * size_of::<Snapshot>();

/// A picture that `snapshot` has recorded.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its description.
    pub picture: Arc<Picture>,
    /// The program's text for it; empty if none.
    pub caption: String,
    /// Whether a failure went back to a choice made before the picture: then it shows a dead end.
    pub is_dead: bool,
    /// The choice point that was the latest one.
    latest_choice: u64,
}

/// What `tally` has counted and `snapshot` has drawn, and where the run failed.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub is_wanted: bool,
    /// Whether pictures are only counted.
    pub only_counts: bool,
    tallies: BTreeMap<String, f64>,
    snapshots: Vec<Snapshot>,
    bytes: usize,
    left_out: u64,
    undrawn: u64,
    pub(crate) failures: Failures,
    /// The indices of the pictures that are no dead ends.
    alive: Vec<usize>,
}

impl Record {
    /// The tallies, sorted by name.
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

    /// The pictures, in the order drawn.
    pub fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    /// The bytes of the record in a clone of the run, including pictures shared with other clones.
    pub fn bytes(&self) -> usize {
        self.bytes + self.failures.bytes()
    }

    /// How many pictures were not stored, because there are too many or the host wants none.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many pictures could not be drawn, because a cell holds neither the name of a tile nor a set of such names.
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

    /// Whether another entry of this many bytes fits into a run with this memory limit. If so, they are counted.
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

    /// Called when a failure goes back to a choice point: pictures drawn after it show dead ends.
    pub fn go_back(&mut self, to: u64) {
        while let Some(at) = self
            .alive
            .pop_if(|at| self.snapshots[*at].latest_choice >= to)
        {
            self.snapshots[at].is_dead = true;
        }
    }

    /// Stores a picture, if it fits into a run with this limit of memory.
    pub fn draw(&mut self, picture: Picture, caption: &str, latest_choice: u64, memory: usize) {
        let caption = beginning(caption);
        if self.only_counts || !self.takes(picture.bytes() + caption.len(), memory) {
            self.left_out += 1;
            return;
        }
        self.alive.push(self.snapshots.len());
        self.snapshots.push(Snapshot {
            picture: Arc::new(picture),
            caption: caption.to_string(),
            is_dead: false,
            latest_choice,
        });
    }
}

/// The beginning of a text that is too long to be recorded.
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
