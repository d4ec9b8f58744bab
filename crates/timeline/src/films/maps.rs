//! The map at each node of a search tree, stored as differences from the map of its parent.

use super::contents::Contents;
use super::grid_tracker::{GridTracker, Wanted, Written};
use ndscript::{Event, Moment};
use ndscript_base::keyed::{KeyedMap, KeyedSet};

/// The most bytes of changes of all nodes; later nodes have no map.
const MOST_BYTES: usize = 64 << 20;

/// At most this many cells may have to be undone at once; a search with more has no maps from then on.
const MOST_UNDONE: usize = 1 << 24;

/// The changes to the map between the beginning and the end of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapChange {
    /// Columns and rows, if the grid is another than in the parent; then all of its cells are listed.
    pub size: Option<(u32, u32)>,
    /// The cell that was written to first.
    pub first: Option<u32>,
    /// Cells, row by row, and what they hold, by its number in [`SearchTree::contents`](crate::SearchTree::contents).
    pub cells: Vec<(u32, u32)>,
}

impl MapChange {
    /// The numbers that it is written as: the size and the cell that was written first, then cells by what lies between
    /// them, each with its content. Told is also whether a number is that of a content.
    pub(crate) fn each_number(&self, mut visit: impl FnMut(u32, bool)) {
        let (width, height) = self.size.unwrap_or((0, 0));
        let first = self.first.map_or(0, |first| first + 1);
        [width, height, first]
            .into_iter()
            .for_each(|number| visit(number, false));
        let mut next = 0;
        for (at, content) in &self.cells {
            visit(at - next, false);
            visit(*content, true);
            next = at + 1;
        }
    }
}

/// Watches a grid, and records the changes of each node.
#[derive(Clone, Debug)]
pub(crate) struct Maps {
    tracker: GridTracker,
    /// The overwritten contents, oldest first, on the path from the root to the current node.
    log: Vec<Undo>,
    nodes: Vec<NodeRecord>,
    bytes: usize,
    is_off: bool,
    /// Something may have changed that no write reports: the result of a search inside.
    is_stale: bool,
}

/// The record of a node.
#[derive(Clone, Debug, Default)]
struct NodeRecord {
    /// Where in the log it begins.
    begin: usize,
    /// Where it ended, if a choice was made in it: its map is the one of that moment.
    end: Option<usize>,
    change: Option<Packed>,
    /// In a tree of two runs, what the second has changed, if that is something else.
    second: Option<Packed>,
}

#[derive(Clone, Debug)]
enum Undo {
    Cell(u32, u32),
    /// A grid of another size.
    Whole((u32, u32), Vec<u32>),
    /// A different grid of equal size, whose cells are reported one by one.
    Other,
}

impl Maps {
    /// Follows the grid in a variable, or the one that the search is about.
    pub fn new(name: Option<String>) -> Maps {
        Maps {
            tracker: GridTracker::new(name, Wanted::Any),
            log: Vec::new(),
            nodes: vec![NodeRecord::default()],
            bytes: 0,
            is_off: false,
            is_stale: false,
        }
    }

    pub fn name(&self) -> Option<&str> {
        self.tracker.name.as_deref()
    }

    pub fn others(&self) -> &[String] {
        &self.tracker.others
    }

    pub fn contents(&self) -> &Contents {
        &self.tracker.contents
    }

    /// The end of the log: later entries can be undone.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Applies a write; true if it was one to the map. `open` is the mark of the latest open choice.
    pub fn follow(
        &mut self,
        moment: &Moment<'_>,
        event: &Event<'_>,
        current: usize,
        open: usize,
    ) -> bool {
        let Some(written) = (if self.is_off {
            None
        } else {
            self.tracker.apply(moment, event)
        }) else {
            return false;
        };
        let written = if self.tracker.take_switched() {
            self.leave_the_other()
        } else {
            written
        };
        match written {
            Written::Cell(at, content) => self.log.push(Undo::Cell(at, content)),
            Written::Whole(size, live) => self.record_whole(size, live),
        }
        // A cell that a stretch writes again need not be undone twice.
        let record = &self.nodes[current];
        let from = open
            .max(record.end.unwrap_or(record.begin))
            .min(self.log.len());
        if self.log.len() - from > 2 * self.tracker.live.len() + (1 << 10) {
            self.shorten(from);
        }
        if self.log.len() > MOST_UNDONE {
            self.is_off = true;
            self.log = Vec::new();
        }
        true
    }

    /// From now on another variable is tracked, so earlier records are no maps of it. The log keeps its length, because
    /// marks point into it.
    fn leave_the_other(&mut self) -> Written {
        self.log.fill(Undo::Other);
        for change in self
            .nodes
            .iter_mut()
            .filter_map(|record| record.change.as_mut())
        {
            self.bytes -= change.len();
            *change = pack(&MapChange::default());
            self.bytes += change.len();
        }
        Written::Whole((0, 0), Vec::new())
    }

    fn record_whole(&mut self, size: (u32, u32), live: Vec<u32>) {
        if size != self.tracker.size {
            return self.log.push(Undo::Whole(size, live));
        }
        self.log.push(Undo::Other);
        let pairs = live.iter().zip(&self.tracker.live).enumerate();
        self.log.extend(
            pairs
                .filter(|(_, (old, new))| old != new)
                .map(|(at, (old, _))| Undo::Cell(at as u32, *old)),
        );
    }

    /// Leaves of each cell only its first content.
    fn shorten(&mut self, from: usize) {
        let later = self.log.split_off(from);
        // A grid that is replaced as a whole has all that is needed.
        if let Some(Undo::Whole(..)) = later.first() {
            self.log.extend(later.into_iter().next());
            return;
        }
        let mut seen = KeyedSet::default();
        let mut is_new = |undo: &Undo| match undo {
            Undo::Whole(..) => true,
            other => seen.insert(other.cell()),
        };
        self.log
            .extend(later.into_iter().filter(|undo| is_new(undo)));
    }

    /// A search inside of the run, which has begun at a mark, has ended, and what it did is undone: cells hold again what
    /// they held.
    pub fn return_to(&mut self, moment: &Moment<'_>, mark: usize) {
        let later = self.log.get(mark..).unwrap_or_default();
        if self.is_off || later.is_empty() {
            return;
        }
        let touched: Vec<u32> = later.iter().filter_map(Undo::cell).collect();
        let Some(grid) = self.tracker.grid(moment) else {
            return;
        };
        if !self.tracker.knows(grid) {
            if let Written::Whole(size, live) = self.tracker.read(grid) {
                self.record_whole(size, live);
            }
            return;
        }
        for at in touched {
            let Some(now) = self.tracker.cell(grid, at) else {
                continue;
            };
            let Some(live) = self.tracker.live.get_mut(at as usize) else {
                continue;
            };
            if *live != now {
                self.log.push(Undo::Cell(at, std::mem::replace(live, now)));
            }
        }
    }

    /// A search inside has ended, and what it leaves may be found at the next event.
    pub fn expect_changes(&mut self) {
        self.is_stale = true;
    }

    /// Reads the whole map again if that is due.
    pub fn reread_if_stale(&mut self, moment: &Moment<'_>) {
        if !std::mem::take(&mut self.is_stale) || self.is_off {
            return;
        }
        if let Some(grid) = self.tracker.grid(moment)
            && let Written::Whole(size, live) = self.tracker.read(grid)
        {
            self.record_whole(size, live);
        }
    }

    /// Undoes what was written since a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Cell(at, content)) => {
                    if let Some(cell) = self.tracker.live.get_mut(at as usize) {
                        *cell = content;
                    }
                }
                Some(Undo::Whole(size, live)) => {
                    (self.tracker.size, self.tracker.live) = (size, live);
                    self.tracker.reset_identity();
                }
                Some(Undo::Other) => self.tracker.reset_identity(),
                None => break,
            }
        }
    }

    /// A choice is made in a node, unless one was made before.
    pub fn end(&mut self, node: usize) {
        self.settle(node);
        let end = self.log.len();
        self.nodes[node].end.get_or_insert(end);
    }

    /// Writes down what a node has changed, if it has not ended before.
    pub fn settle(&mut self, node: usize) {
        if self.is_off || self.nodes[node].end.is_some() {
            return;
        }
        let packed = pack(&self.changes(self.nodes[node].begin));
        let before = self.nodes[node]
            .change
            .take()
            .map_or(0, |change| change.len());
        self.bytes = self.bytes - before + packed.len();
        if self.bytes <= MOST_BYTES {
            self.nodes[node].change = Some(packed);
        } else {
            self.bytes -= packed.len();
        }
    }

    /// The cells that differ from when the log had this length.
    fn changes(&self, begin: usize) -> MapChange {
        let later = self.log.get(begin..).unwrap_or_default();
        let first = later.iter().find_map(Undo::cell);
        let is_other =
            |undo: &Undo| matches!(undo, Undo::Whole(size, _) if *size != self.tracker.size);
        let live = &self.tracker.live;
        if later
            .iter()
            .find(|undo| matches!(undo, Undo::Whole(..)))
            .is_some_and(is_other)
        {
            let cells = live
                .iter()
                .enumerate()
                .map(|(at, content)| (at as u32, *content))
                .collect();
            return MapChange {
                size: Some(self.tracker.size),
                first,
                cells,
            };
        }
        // The first content of each cell; a grid of another size in between does not matter.
        let mut old: KeyedMap<u32, u32> = KeyedMap::default();
        for undo in later {
            match undo {
                Undo::Cell(at, content) => {
                    old.entry(*at).or_insert(*content);
                }
                Undo::Whole(_, before) => {
                    for (at, content) in before.iter().enumerate() {
                        old.entry(at as u32).or_insert(*content);
                    }
                }
                Undo::Other => {}
            }
        }
        let now = |at: u32| live.get(at as usize).copied().unwrap_or(0);
        let changed = old
            .into_iter()
            .filter(|(at, before)| (*at as usize) < live.len() && now(*at) != *before);
        let mut cells: Vec<(u32, u32)> = changed.map(|(at, _)| (at, now(at))).collect();
        cells.sort_unstable();
        MapChange {
            size: None,
            first,
            cells,
        }
    }

    /// The search continues in a new node, after everything since a mark is undone.
    pub fn begin(&mut self, node: usize, parent: usize, mark: usize) {
        self.undo(mark);
        self.nodes.truncate(node);
        // Writes of the parent after its own map belong to the node.
        let begin = self.nodes[parent].end.unwrap_or(mark);
        self.nodes.push(NodeRecord {
            begin,
            ..NodeRecord::default()
        });
    }

    /// The maps of two runs, of which each node is one of the one, of the other, or of both. Each comes with the node in
    /// which its search was last.
    pub fn joined(
        first: (&Maps, usize),
        second: (&Maps, usize),
        pairs: &[[Option<usize>; 2]],
    ) -> Maps {
        let mut joined = Maps::new(first.0.name().or(second.0.name()).map(str::to_string));
        joined.tracker.contents = first.0.tracker.contents.clone();
        let numbers = joined
            .tracker
            .contents
            .take_over(&second.0.tracker.contents);
        let of_second = |at: usize| {
            let mut change = second.0.change(at, second.1)?;
            change
                .cells
                .iter_mut()
                .for_each(|cell| cell.1 = numbers[cell.1 as usize]);
            Some(change)
        };
        let record = |pair: &[Option<usize>; 2]| {
            let changes = [
                pair[0].and_then(|at| first.0.change(at, first.1)),
                pair[1].and_then(of_second),
            ];
            let [change, other] = changes.map(|change| change.map(|change| pack(&change)));
            match (pair[0], change == other) {
                (Some(_), true) => NodeRecord {
                    change,
                    ..NodeRecord::default()
                },
                (Some(_), false) => NodeRecord {
                    change,
                    second: other,
                    ..NodeRecord::default()
                },
                (None, _) => NodeRecord {
                    change: other,
                    ..NodeRecord::default()
                },
            }
        };
        joined.nodes = pairs.iter().map(record).collect();
        joined
    }

    /// The changes of the second of two runs in a node of both, if they differ from those of the first.
    pub fn second_change(&self, node: usize) -> Option<MapChange> {
        self.nodes.get(node)?.second.as_deref().map(unpack)
    }

    /// Nodes from this one on are folded away.
    pub fn fold(&mut self, from: usize) {
        for record in self.nodes.drain(from..) {
            self.bytes -= record.change.map_or(0, |change| change.len());
        }
    }

    /// The changes of a node, if they are known; `current` is the node of the search now.
    pub fn change(&self, node: usize, current: usize) -> Option<MapChange> {
        if self.is_off && self.nodes.get(node)?.change.is_none() {
            return None;
        }
        let record = self.nodes.get(node)?;
        if node == current && record.end.is_none() && !self.is_off {
            return Some(self.changes(record.begin));
        }
        record.change.as_deref().map(unpack)
    }
}

impl Undo {
    fn cell(&self) -> Option<u32> {
        if let Undo::Cell(at, _) = self {
            Some(*at)
        } else {
            None
        }
    }
}

/// A change as bytes: numbers of seven bits a byte, cells by what lies between them.
type Packed = Box<[u8]>;

fn pack(change: &MapChange) -> Packed {
    let mut out = Vec::new();
    change.each_number(|number, _| put(&mut out, number));
    out.into()
}

fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Unpacks a change of a map from its bytes.
fn unpack(packed: &[u8]) -> MapChange {
    let mut bytes = packed.iter();
    let mut take = || {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *bytes.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Some(number);
            }
        }
    };
    let (width, height, first) = (
        take().unwrap_or(0),
        take().unwrap_or(0),
        take().unwrap_or(0),
    );
    let (mut cells, mut next) = (Vec::new(), 0);
    while let (Some(gap), Some(content)) = (take(), take()) {
        cells.push((next + gap, content));
        next += gap + 1;
    }
    MapChange {
        size: (width > 0).then_some((width, height)),
        first: first.checked_sub(1),
        cells,
    }
}
