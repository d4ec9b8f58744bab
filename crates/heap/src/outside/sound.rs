//! Checks a heap that was read back for everything that operations on values rely on, and would not end or not work
//! without. Handles were checked when they were read.

use std::cmp::Ordering;

use ndscript_base::keyed::{self, KeyedMap, KeyedSet};

use crate::kinds::array::Role;
use crate::kinds::function::Closure;
use crate::kinds::queue::{is_valid_queue_head, is_valid_queue_slot};
use crate::kinds::text::LONG;
use crate::sets::treap::NIL;
use crate::store::heap::Heap;
use crate::store::trail::Target;
use crate::value::{Handle, Kind, Value};
use ndscript_base::codec::{Unsound, ensure};

/// The surroundings that a heap must fit.
pub struct Surroundings<'a> {
    /// For every function of the program the variables that it captures, and which of them are boxes.
    pub captures: &'a [Vec<bool>],
    pub globals: usize,
    /// For each choice point, the oldest first, the height of the trail, and how many global variables there are when
    /// a failure has gone back to it.
    pub marks: &'a [(usize, usize)],
}

/// A part of a frozen value.
#[derive(Clone, Copy)]
enum Part {
    Array(Handle),
    Set(Handle),
    Node(Handle),
}

/// The progress in checking a part.
#[derive(Clone, Copy, PartialEq)]
enum Progress {
    New,
    Open,
    Done,
}

/// The least and the greatest element of a checked tree.
type Span = (Value, Value);

/// The check that frozen values do not contain themselves, that sets are sorted, and that trees are search trees.
struct Frozen<'a> {
    heap: &'a mut Heap,
    arrays: Vec<Progress>,
    sets: Vec<Progress>,
    nodes: Vec<Progress>,
    spans: Vec<Span>,
    work: Vec<(Part, bool)>,
}

impl Frozen<'_> {
    /// Checks a frozen value and all parts below it, each once, without recursion.
    fn check(&mut self, part: Part) -> Result<(), Unsound> {
        self.work.push((part, false));
        while let Some((part, is_open)) = self.work.pop() {
            let progress = match part {
                Part::Array(at) => &mut self.arrays[at as usize],
                Part::Set(at) => &mut self.sets[at as usize],
                Part::Node(at) => &mut self.nodes[at as usize],
            };
            match (*progress, is_open) {
                (Progress::Done, _) => {}
                (Progress::New, false) => {
                    *progress = Progress::Open;
                    self.work.push((part, true));
                    self.open(part)?;
                }
                (Progress::Open, true) => {
                    *progress = Progress::Done;
                    self.close(part)?;
                }
                _ => return Err(Unsound::Wrong("a frozen value contains itself")),
            }
        }
        Ok(())
    }

    /// Puts the parts of a part on the work list.
    fn open(&mut self, part: Part) -> Result<(), Unsound> {
        let heap = &*self.heap;
        let inner = |value: Value, work: &mut Vec<(Part, bool)>| -> Result<(), Unsound> {
            match value.kind() {
                Kind::Array => {
                    ensure(
                        heap.arrays[value.payload()].is_frozen(),
                        "a set holds an array that is not frozen",
                    )?;
                    work.push((Part::Array(value.payload()), false));
                }
                Kind::Set => work.push((Part::Set(value.payload()), false)),
                Kind::Host => ensure(
                    heap.is_frozen_host(value),
                    "a set holds a value that is not frozen",
                )?,
                Kind::Text => ensure(
                    heap.is_interned_text(value),
                    "a set holds a text that is not interned",
                )?,
                Kind::Unset | Kind::Variable => {
                    return Err(Unsound::Wrong("a set holds what is no value"));
                }
                _ => {}
            }
            Ok(())
        };
        match part {
            Part::Array(at) => heap.arrays[at]
                .slots
                .values()
                .iter()
                .try_for_each(|value| inner(*value, &mut self.work)),
            Part::Set(at) if heap.sets[at].root() != NIL => {
                let root = heap.sets[at].root();
                ensure(heap.nodes.is_used(root), "a set has no tree")?;
                self.work.push((Part::Node(root), false));
                Ok(())
            }
            Part::Set(at) => heap.sets[at]
                .row()
                .iter()
                .try_for_each(|value| inner(*value, &mut self.work)),
            Part::Node(at) => {
                let node = heap.nodes[at];
                for below in [node.left, node.right]
                    .into_iter()
                    .filter(|below| *below != NIL)
                {
                    ensure(
                        heap.nodes.is_used(below),
                        "a tree has no branch where it should",
                    )?;
                    self.work.push((Part::Node(below), false));
                }
                inner(node.value, &mut self.work)
            }
        }
    }

    /// Checks a part whose own parts are valid.
    fn close(&mut self, part: Part) -> Result<(), Unsound> {
        match part {
            Part::Array(_) => Ok(()),
            Part::Set(at) => {
                let set = &self.heap.sets[at];
                let fits = match set.root() {
                    NIL => set.row().len() == set.len(),
                    root => set.row().is_empty() && self.heap.tree_len(root) == set.len(),
                };
                ensure(fits && set.has_right_form(), "a set has another size")?;
                let sorted = set
                    .row()
                    .windows(2)
                    .all(|pair| self.heap.order(pair[0], pair[1]).is_lt());
                ensure(sorted, "a set is not sorted")
            }
            Part::Node(at) => {
                let node = self.heap.nodes[at];
                let (mut least, mut greatest) = (node.value, node.value);
                if node.left != NIL {
                    let left = self.spans[node.left as usize];
                    ensure(
                        self.heap.order(left.1, node.value) == Ordering::Less,
                        "a set is not sorted",
                    )?;
                    least = left.0;
                }
                if node.right != NIL {
                    let right = self.spans[node.right as usize];
                    ensure(
                        self.heap.order(node.value, right.0) == Ordering::Less,
                        "a set is not sorted",
                    )?;
                    greatest = right.1;
                }
                ensure(self.heap.is_tree(at), "a tree has another shape")?;
                self.spans[at as usize] = (least, greatest);
                Ok(())
            }
        }
    }
}

impl Heap {
    /// Checks the global variables, and that closures captured what their functions expect.
    pub(crate) fn check_functions(&self, surroundings: &Surroundings<'_>) -> Result<(), Unsound> {
        ensure(
            self.globals.len() == surroundings.globals,
            "there are more or fewer global variables",
        )?;
        for closure in self
            .functions
            .iter()
            .filter(|closure| closure.function != Closure::GONE)
        {
            let captures = surroundings
                .captures
                .get(closure.function as usize)
                .ok_or(Unsound::Wrong("no such function"))?;
            ensure(
                captures.len() == closure.captured.len(),
                "a function has captured other variables",
            )?;
            let mut boxes = captures
                .iter()
                .zip(&closure.captured)
                .filter(|(is_box, _)| **is_box);
            ensure(
                boxes.all(|(_, value)| value.is_kind(Kind::Variable)),
                "a function has captured no box",
            )?;
        }
        Ok(())
    }

    /// Checks all frozen arrays, sets and nodes of trees.
    pub(crate) fn check_frozen(&mut self) -> Result<(), Unsound> {
        ensure(
            self.floats.iter().all(|float| float.is_finite()),
            "a float is not finite",
        )?;
        let parts: Vec<Part> = self.frozen_arrays().map(Part::Array).collect();
        let sets: Vec<Part> = self.sets.handles().map(Part::Set).collect();
        let nodes: Vec<Part> = self.nodes.handles().map(Part::Node).collect();
        let mut frozen = Frozen {
            arrays: vec![Progress::New; self.arrays.places()],
            sets: vec![Progress::New; self.sets.places()],
            nodes: vec![Progress::New; self.nodes.places()],
            spans: vec![(Value::NULL, Value::NULL); self.nodes.places()],
            work: Vec::new(),
            heap: self,
        };
        parts
            .into_iter()
            .chain(sets)
            .chain(nodes)
            .try_for_each(|part| frozen.check(part))
    }

    fn frozen_arrays(&self) -> impl Iterator<Item = Handle> + '_ {
        self.arrays
            .handles()
            .filter(|at| self.arrays[*at].is_frozen())
    }

    /// Counts the characters of growing texts; returns by place which texts are long, and which are not. A text that
    /// a failure has undone may still be in a register that is never read: it has other characters now, or none.
    pub(crate) fn mend_texts(&mut self) -> Result<(Vec<bool>, Vec<bool>), Unsound> {
        let (mut long, mut short) = (
            vec![false; self.texts.places()],
            vec![false; self.texts.places()],
        );
        let mut growing: Vec<(Handle, usize, Handle)> = Vec::new();
        for at in self.texts.handles() {
            let text = &self.texts[at];
            let kind = if text.length() < LONG {
                &mut short
            } else {
                &mut long
            };
            kind[at as usize] = true;
            if let Some(buffer) = text.buffer() {
                growing.push((buffer, text.length(), at));
                let is_name = text
                    .known_interned()
                    .is_none_or(|interned| self.texts[interned].is_interned());
                ensure(is_name, "the name of a text is none")?;
            }
        }
        // In this order the characters of each buffer are counted only once.
        growing.sort_unstable();
        let (mut buffer, mut bytes, mut characters) = (Handle::MAX, 0, 0);
        for (at, length, text) in growing {
            ensure(length >= LONG, "a text is not what it is said to be")?;
            if at != buffer {
                (buffer, bytes, characters) = (at, 0, 0);
            }
            if let Some(more) = self.buffers[at].string().get(bytes..length) {
                characters += more.chars().count();
                bytes = length;
                self.texts[text].characters = characters as u32;
            }
        }
        Ok((long, short))
    }

    /// Checks that the names of all fields are interned.
    pub(crate) fn check_names(&self) -> Result<(), Unsound> {
        let mut names = self.objects.iter().flat_map(|object| object.keys());
        ensure(
            names.all(|name| self.is_interned_text(name)),
            "the name of a field is not interned",
        )
    }

    /// Interned objects by content; equal ones must not occur twice.
    pub(crate) fn make_tables(&mut self) -> Result<(), Unsound> {
        let twice = "a value is there twice";
        let texts = &self.texts;
        for at in texts.handles() {
            let hash = |at: &Handle| texts[*at].table_hash();
            if texts[at].is_interned() {
                let same =
                    |other: &Handle| texts[*other].interned_string() == texts[at].interned_string();
                ensure(self.interned.texts.enter_new(at, same, &hash), twice)?;
            }
        }
        let floats = &self.floats;
        for at in floats.handles() {
            let hash = |at: &Handle| keyed::hash_word(floats[*at].to_bits());
            let same = |other: &Handle| floats[*other].to_bits() == floats[at].to_bits();
            ensure(self.interned.floats.enter_new(at, same, &hash), twice)?;
        }
        self.check_contents()?;
        for at in self.arrays.handles().collect::<Vec<Handle>>() {
            if self.arrays[at].is_frozen() {
                self.arrays[at].role =
                    Role::Frozen(self.hash_contents(self.arrays[at].slots.values()));
            }
        }
        let arrays = &self.arrays;
        for at in arrays.handles().filter(|at| arrays[*at].is_frozen()) {
            let hash = |at: &Handle| arrays[*at].table_hash();
            let same = |other: &Handle| arrays[*other].slots.values() == arrays[at].slots.values();
            ensure(self.interned.frozen.enter_new(at, same, &hash), twice)?;
        }
        self.find_frozen_hosts()?;
        let sets = &self.sets;
        for at in sets.handles() {
            let same = |other: &Handle| sets[*other].is_same(&sets[at]);
            ensure(
                self.interned
                    .sets
                    .enter_new(at, same, &|at| sets[*at].hash()),
                twice,
            )?;
        }
        let nodes = &self.nodes;
        for at in nodes.handles() {
            let same = |other: &Handle| nodes[*other].is_same(&nodes[at]);
            ensure(
                self.interned
                    .nodes
                    .enter_new(at, same, &|at| nodes[*at].hash()),
                twice,
            )?;
        }
        Ok(())
    }

    /// Stored contents were read back. Each is computed again from those of the parts, which are checked as well.
    fn check_contents(&self) -> Result<(), Unsound> {
        let mut arrays = self.arrays.iter().filter(|array| array.is_frozen());
        let arrays_hold = arrays
            .all(|array| array.hash().content == self.hash_contents(array.slots.values()).content);
        let sets_hold = self
            .sets
            .iter()
            .all(|set| set.content() == self.content_of_set(set));
        let nodes_hold = self
            .nodes
            .iter()
            .all(|node| node.content == self.content_of_node(node));
        ensure(
            arrays_hold && sets_hold && nodes_hold,
            "a value is not what it is said to be",
        )
    }

    /// Checks the pairs of all relations, and restores their indexes.
    pub(crate) fn mend_relations(&mut self) -> Result<(), Unsound> {
        let handles: Vec<Handle> = self.relations.handles().collect();
        for at in handles {
            let mut relation = std::mem::take(&mut self.relations[at]);
            let frozen = |value: Value| match value.kind() {
                Kind::Array => self.arrays[value.payload()].is_frozen(),
                Kind::Host => self.is_frozen_host(value),
                Kind::Text => self.is_interned_text(value),
                kind => !matches!(kind, Kind::Unset | Kind::Variable),
            };
            ensure(
                relation
                    .pairs
                    .iter()
                    .all(|pair| frozen(pair.0) && frozen(pair.1)),
                "a relation holds no values",
            )?;
            let order = |a: &(Value, Value), b: &(Value, Value)| {
                self.order(a.0, b.0).then_with(|| self.order(a.1, b.1))
            };
            let sorted = relation
                .pairs
                .windows(2)
                .all(|two| order(&two[0], &two[1]).is_lt());
            ensure(sorted, "a relation is not sorted")?;
            relation.index(self);
            self.relations[at] = relation;
        }
        Ok(())
    }

    /// Checks the arrays that are views of grids, and restores the indexes of undecided cells.
    pub(crate) fn mend_grids(&mut self) -> Result<(), Unsound> {
        let mut views: KeyedMap<Handle, Vec<(u32, u32)>> = KeyedMap::default();
        for array in self.arrays.iter() {
            let Some(view) = array.view() else { continue };
            ensure(self.grids.is_used(view.grid), "an array looks at no grid")?;
            ensure(
                array.slots.len() == 0,
                "an array looks at a grid and has elements",
            )?;
            views
                .entry(view.grid)
                .or_default()
                .push((view.version, view.length));
        }
        let handles: Vec<Handle> = self.grids.handles().collect();
        handles
            .into_iter()
            .try_for_each(|grid| self.mend_grid(grid, views.remove(&grid).unwrap_or_default()))
    }

    /// Replays the trail as failures will, looking at lengths alone: each place must exist, and regrown rows must
    /// fit.
    pub(crate) fn check_trail(
        &self,
        around: &Surroundings<'_>,
        room: usize,
    ) -> Result<(), Unsound> {
        let rising = around
            .marks
            .windows(2)
            .all(|two| two[0].0 <= two[1].0 && two[0].1 <= two[1].1);
        let last = around.marks.last().map_or(0, |mark| mark.0);
        ensure(
            rising && last <= self.trail.len(),
            "a choice point lies higher than the trail",
        )?;
        let mut rows: KeyedMap<Value, Row> = KeyedMap::default();
        let mut added = 0usize;
        let mut touched: Vec<Value> = Vec::new();
        let mut marks = around.marks.iter().rev().copied().peekable();
        // Boards that have no constraints any more there: only these may have had other places before.
        let mut freed: KeyedSet<Handle> = KeyedSet::default();
        let mut globals = self.globals.len();
        let mut ends: Vec<(Handle, usize, i64)> = Vec::new();
        ensure(
            self.protected.fits(self.trail.len()),
            "a result lies higher than the trail",
        )?;
        for (at, entry) in (0..self.trail.len()).rev().zip(self.trail.iter_back_to(0)) {
            while let Some(mark) = marks.next_if(|mark| mark.0 > at) {
                globals = mark.1;
                touched
                    .drain(..)
                    .try_for_each(|row| rows[&row].check(row))?;
            }
            let old = entry.old();
            let Some(container) = entry.container() else {
                match entry.target() {
                    Target::Buffer => {
                        let is_sound = self.buffers.is_used(entry.handle()) && old.is_integer();
                        ensure(is_sound, "the trail leads nowhere")?;
                        ends.push((entry.handle(), entry.index(), old.integer_unchecked()));
                    }
                    Target::Board => {
                        ensure(
                            self.board_of(old) == Some(entry.handle()),
                            "the trail leads nowhere",
                        )?;
                        if entry.index() == 0 {
                            freed.insert(entry.handle());
                        }
                    }
                    Target::Global => {
                        ensure((entry.handle() as usize) < globals, "no such variable")?
                    }
                    Target::RuleName => ensure(
                        old == Value::NULL || old.is_kind(Kind::Text),
                        "the name of constraints is no string",
                    )?,
                    _ => ensure(old.is_number(), "what was spent is no number")?,
                }
                continue;
            };
            if !self.has(container) {
                return Err(Unsound::Wrong("the trail leads nowhere"));
            }
            if let Some(board) = self.constrained(container)
                && !freed.contains(&board)
            {
                let places = self.boards[board].solver.places();
                ensure(
                    entry.keeps_places(places),
                    "the trail changes the places of a board",
                )?;
            }
            match entry.target() {
                Target::Variable => continue,
                Target::Host => {
                    ensure(
                        self.is_saved_state_of(old, container.payload()),
                        "the trail leads nowhere",
                    )?;
                    continue;
                }
                Target::GridHistory => continue,
                Target::Grid => {
                    let cells = self.grids[container.payload()].slots.len();
                    ensure(entry.index() < cells, "the trail leads nowhere")?;
                    continue;
                }
                _ => {}
            }
            let row = rows
                .entry(container)
                .or_insert_with(|| Row::new(self, container));
            let longest = row.longest;
            row.undo(self, entry.target(), entry.index(), old)?;
            added += row.longest - longest;
            ensure((added as u64) < 1 << 40, "the trail leads too far")?;
            if added.saturating_mul(8) > room {
                return Err(Unsound::TooLarge);
            }
            touched.push(container);
        }
        touched
            .drain(..)
            .try_for_each(|row| rows[&row].check(row))?;
        self.check_ends(ends)
    }

    /// Checks the number of characters of a buffer up to where it will end again.
    fn check_ends(&self, mut ends: Vec<(Handle, usize, i64)>) -> Result<(), Unsound> {
        ends.sort_unstable();
        let (mut buffer, mut bytes, mut characters) = (Handle::MAX, 0, 0);
        for (at, end, count) in ends {
            if at != buffer {
                (buffer, bytes, characters) = (at, 0, 0);
            }
            let string = self.buffers[at].string();
            // No text needs the collected bytes.
            if end <= string.len() {
                let more = string
                    .get(bytes..end)
                    .ok_or(Unsound::Wrong("the trail ends a text within a character"))?;
                characters += more.chars().count() as i64;
                bytes = end;
                ensure(characters == count, "a text is not what it is said to be")?;
            }
        }
        Ok(())
    }

    /// Whether a value can be the name of a field.
    fn can_be_name(&self, value: Value) -> bool {
        value.is_kind(Kind::Text) && self.is_interned_text(value)
    }

    /// Whether the object that a word refers to is there.
    pub(crate) fn has(&self, value: Value) -> bool {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => self.arrays.is_used(handle) && !self.arrays[handle].is_frozen(),
            Kind::Grid => self.grids.is_used(handle),
            Kind::Object => self.objects.is_used(handle),
            Kind::Queue => self.queues.is_used(handle),
            Kind::Host => self.has_host(handle),
            _ => self.variables.is_used(handle),
        }
    }
}

/// The state of a row of slots after undoing, as far as it matters.
struct Row {
    length: usize,
    longest: usize,
    first: Value,
    has_priorities: bool,
}

impl Row {
    fn new(heap: &Heap, container: Value) -> Row {
        let slots = heap.slots_of(container);
        let has_priorities =
            container.is_kind(Kind::Queue) && heap.queues[container.payload()].has_priorities;
        let first = slots.first().copied().unwrap_or(Value::NULL);
        Row {
            length: slots.len(),
            longest: slots.len(),
            first,
            has_priorities,
        }
    }

    /// Checks an entry of the trail, and takes the row back to before it.
    fn undo(
        &mut self,
        heap: &Heap,
        target: Target,
        index: usize,
        old: Value,
    ) -> Result<(), Unsound> {
        match target {
            Target::Array | Target::Object | Target::Queue => {
                self.length = self.length.max(index + 1);
                if index == 0 {
                    self.first = old;
                }
                let fits = match target {
                    Target::Object => index % 2 == 1 || heap.can_be_name(old),
                    Target::Queue => is_valid_queue_slot(self.has_priorities, index, old),
                    _ => true,
                };
                ensure(fits, "the trail puts a value where it does not belong")?;
            }
            _ => {
                ensure(
                    old.is_integer(),
                    "the trail puts a length where there is none",
                )?;
                self.length = index;
            }
        }
        self.longest = self.longest.max(self.length);
        Ok(())
    }

    /// Whether the row is valid where a failure ends.
    fn check(&self, container: Value) -> Result<(), Unsound> {
        match container.kind() {
            Kind::Object => ensure(
                self.length.is_multiple_of(2),
                "the trail leaves a field without value",
            ),
            Kind::Queue => ensure(
                is_valid_queue_head(self.has_priorities, self.length, self.first),
                "the trail leaves no queue",
            ),
            _ => Ok(()),
        }
    }
}

impl Heap {
    /// Whether a container can have these slots.
    pub fn can_hold(&self, container: Value, slots: &[Value]) -> bool {
        let handle = container.payload();
        match container.kind() {
            Kind::Array => !self.arrays[handle].is_frozen(),
            Kind::Object => {
                slots.len().is_multiple_of(2)
                    && slots.iter().step_by(2).all(|key| self.can_be_name(*key))
            }
            Kind::Queue => {
                let has_priorities = self.queues[handle].has_priorities;
                let holds = |(slot, value): (usize, &Value)| {
                    is_valid_queue_slot(has_priorities, slot, *value)
                };
                slots.iter().enumerate().all(holds)
                    && slots.first().is_some_and(|first| {
                        is_valid_queue_head(has_priorities, slots.len(), *first)
                    })
            }
            _ => false,
        }
    }
}
