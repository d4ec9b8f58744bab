//! The writes of the branch that is alive, with what each of them came from: what the same turn of the same call has
//! read, or, where that says nothing, what the calls around it have read.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::When;
use super::place::Key;
use super::relevance::Relevance;
use crate::host::observer::{Event, Moment, Observer, Target, Wanted};
use crate::host::removal::Removal;
use crate::host::view::View;
use crate::source::Span;

/// So many writes are kept.
const MOST: usize = 4_000_000;

/// So many bytes of them, and of what they came from, are kept, or a share of the run's limit of memory if that is less.
pub(super) const MOST_BYTES: usize = 1 << 30;

/// So many of the latest reads are looked at.
const LOOKED_AT: usize = 400;

/// What a write came from, or was to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// A part of a collection.
    Part(u64, Key),
    /// The variable that is asked for.
    Variable,
    /// What was guessed; the number of the entry.
    Guess(usize),
}

/// A write or a guess of the branch.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub when: When,
    pub span: Option<Span>,
    /// What was written to, or that it was a guess.
    pub to: Source,
    /// What it came from, as it was when so many entries were there.
    pub from: Vec<(Source, usize)>,
    /// The first entry of the same instruction, where that is as much as is known of what it came from.
    pub first: Option<usize>,
}

struct Read {
    number: u64,
    depth: usize,
    at: Option<u32>,
    of: Source,
    entries: usize,
    /// Whether a write came from it.
    is_used: bool,
    /// When it was forgotten; all numbers are below that while it is not.
    ended: u64,
}

/// A call that is under way, or has just ended, and where it was made.
struct Call {
    depth: usize,
    at: Option<u32>,
    outer: Option<Arc<Call>>,
}

impl Drop for Call {
    /// Calls are nested deeper than the native stack is.
    fn drop(&mut self) {
        let mut outer = self.outer.take();
        while let Some(mut call) = outer.and_then(Arc::into_inner) {
            outer = call.outer.take();
        }
    }
}

/// So many calls are looked at to find where one was made.
const CALLS: usize = 1000;

/// How high everything stood at a choice.
struct Mark {
    entries: usize,
    number: u64,
    alternatives: usize,
    calls: Option<Arc<Call>>,
}

pub(super) struct Ledger {
    variable: String,
    /// What of the program may have a part in what else; everything in everything if that is not known.
    pub relevance: Relevance,
    /// The innermost call.
    calls: Option<Arc<Call>>,
    pub entries: Vec<Entry>,
    reads: Vec<Read>,
    marks: HashMap<u64, Mark>,
    number: u64,
    /// The latest instruction that wrote something, and its first entry.
    instruction: Option<(When, usize)>,
    /// The bytes of the entries, the reads and the marks that there may be.
    pub most_bytes: usize,
    /// What the entries came from, in all.
    sources: usize,
    pub is_full: bool,
}

impl Ledger {
    pub fn new(variable: &str, most_bytes: usize) -> Ledger {
        Ledger {
            variable: variable.to_string(),
            relevance: Relevance::default(),
            calls: None,
            entries: Vec::new(),
            reads: Vec::new(),
            marks: HashMap::new(),
            number: 0,
            instruction: None,
            most_bytes,
            sources: 0,
            is_full: false,
        }
    }

    /// About what is kept.
    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.sources * size_of::<(Source, usize)>()
            + self.reads.capacity() * size_of::<Read>()
            + self.marks.capacity() * (size_of::<Mark>() + 16)
            + self.calls.as_ref().map_or(0, |call| call.depth * (size_of::<Call>() + 16))
    }

    fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    fn read(&mut self, depth: usize, at: Option<Span>, of: Source) {
        let is_known = |read: &Read| read.ended == u64::MAX && read.depth == depth && read.of == of;
        let entries = self.entries.len();
        // The same place once more: what it holds now counts.
        if let Some(known) = self.reads.iter_mut().rev().take(16).find(|read| is_known(read))
            && known.entries == entries
        {
            return;
        }
        let number = self.next_number();
        let at = at.map(|span| span.start);
        self.reads.push(Read { number, depth, at, of, entries, is_used: false, ended: u64::MAX });
    }

    /// Forgets reads, so that going back can remember them.
    fn forget(&mut self, is_meant: impl Fn(&Read) -> bool) {
        let now = self.next_number();
        for read in self.reads.iter_mut().rev().take(LOOKED_AT) {
            if read.ended == u64::MAX && is_meant(read) {
                read.ended = now;
            }
        }
        // What no choice can bring back goes for good.
        let kept = self.marks.values().map(|mark| mark.number).max().unwrap_or(0);
        while self.reads.last().is_some_and(|read| read.ended != u64::MAX && read.number > kept) {
            self.reads.pop();
        }
    }

    /// Where a call of this depth has made the call that is under way inside of it, or that was the last.
    fn site(&self, depth: usize) -> Option<u32> {
        let mut call = self.calls.as_ref()?;
        for _ in 0..CALLS {
            match &call.outer {
                _ if call.depth <= depth => return None,
                Some(outer) if outer.depth > depth => call = outer,
                _ => return call.at,
            }
        }
        None
    }

    fn enter(&mut self, depth: usize, at: Option<u32>) {
        let outer = self.calls.take();
        self.calls = Some(Arc::new(Call { depth, at, outer }));
    }

    /// What calls that are over have read belongs to the call that goes on, which has read it where it made them.
    fn settle(&mut self, depth: usize) {
        let at = self.site(depth);
        while let Some(over) = self.calls.as_ref().filter(|call| call.depth > depth) {
            self.calls = over.outer.clone();
        }
        let latest = self.reads.iter().rev().take(LOOKED_AT);
        let of_calls: Vec<(Source, usize)> = latest
            .filter(|read| read.ended == u64::MAX && read.depth > depth)
            .map(|read| (read.of.clone(), read.entries))
            .collect();
        if of_calls.is_empty() {
            return;
        }
        self.forget(|read| read.depth > depth);
        for (of, entries) in of_calls.into_iter().rev() {
            let number = self.next_number();
            self.reads.push(Read { number, depth, at, of, entries, is_used: false, ended: u64::MAX });
        }
    }

    /// What a write to a place comes from, which a statement at this place has made.
    fn sources(&mut self, depth: usize, at: Option<u32>, to: &Source) -> Vec<(Source, usize)> {
        let mut level = depth;
        loop {
            let by = if level == depth { at } else { self.site(level) };
            let Ledger { reads, relevance, .. } = self;
            let alive = reads.iter_mut().rev().take(LOOKED_AT).filter(|read| read.ended == u64::MAX);
            let mut found: Vec<(Source, usize)> = Vec::new();
            for read in alive.filter(|read| read.depth == level && relevance.has_part(read.at, by)) {
                // A guess that was used before, and places that were read since then: it is in what these hold.
                let is_guess = matches!(read.of, Source::Guess(_));
                let is_over = is_guess && read.is_used && found.iter().any(|(of, _)| of != to);
                if !is_over && found.iter().all(|(of, _)| *of != read.of) {
                    read.is_used = true;
                    found.push((read.of.clone(), read.entries));
                }
            }
            // That a place depends on what it held before says nothing.
            if found.iter().any(|(of, _)| of != to) {
                found.retain(|(of, _)| of != to);
                return found;
            }
            let alive = self.reads.iter().rev().take(LOOKED_AT).filter(|read| read.ended == u64::MAX);
            match alive.map(|read| read.depth).filter(|outer| *outer < level).max() {
                Some(outer) => level = outer,
                None => return Vec::new(),
            }
        }
    }

    fn write(&mut self, moment: &Moment<'_>, to: Source) {
        if self.entries.len() >= MOST {
            self.is_full = true;
            return;
        }
        let from = match to {
            Source::Guess(_) => Vec::new(),
            _ => self.sources(moment.depth(), beginning(moment), &to),
        };
        self.push(moment, to, from, true);
    }

    /// What constraints have taken from a place came from the places that they name, and from what the statement read if
    /// it took something itself. Those that look at their board as a whole name none.
    fn write_by_constraints(&mut self, moment: &Moment<'_>, board: View<'_>, to: Source, removals: &[Removal<'_>]) {
        if self.entries.len() >= MOST {
            self.is_full = true;
            return;
        }
        let is_own = removals.iter().any(|removal| removal.constraint.is_none());
        let mut from = if is_own { self.sources(moment.depth(), beginning(moment), &to) } else { Vec::new() };
        let entries = self.entries.len();
        for (place, _) in removals.iter().flat_map(|removal| &removal.from) {
            if let Some(of) = part(board, *place).filter(|of| *of != to)
                && from.iter().all(|(known, _)| *known != of)
            {
                from.push((of, entries));
            }
        }
        self.push(
            moment,
            to,
            from,
            removals.iter().any(|removal| removal.constraint.is_some() && removal.from.is_empty()),
        );
    }

    fn push(&mut self, moment: &Moment<'_>, to: Source, from: Vec<(Source, usize)>, is_vague: bool) {
        let number = self.entries.len();
        if self.instruction.is_none_or(|(when, first)| when != moment.when() || first > number) {
            self.instruction = Some((moment.when(), number));
        }
        let first = self.instruction.filter(|_| is_vague).map(|(_, first)| first);
        self.sources += from.capacity();
        self.entries.push(Entry { when: moment.when(), span: moment.span, to: to.clone(), from, first });
        self.know(moment.depth(), &to);
    }

    /// A call that has read a place and then writes to it knows what it has put there. That, and not what it has read, is
    /// where its next writes come from, and those of the calls that it makes.
    fn know(&mut self, depth: usize, written: &Source) {
        let is_known = |read: &Read| read.ended == u64::MAX && read.depth == depth && read.of == *written;
        let Some(at) = self.reads.iter().rev().take(LOOKED_AT).find(|read| is_known(read)).map(|read| read.at) else {
            return;
        };
        self.forget(is_known);
        let (number, entries) = (self.next_number(), self.entries.len());
        let of = written.clone();
        self.reads.push(Read { number, depth, at, of, entries, is_used: false, ended: u64::MAX });
    }

    fn go_back(&mut self, id: u64, number: usize) {
        let Some(mark) = self.marks.get(&id) else { return };
        let undone = self.entries.drain(mark.entries.min(self.entries.len())..);
        self.sources -= undone.map(|entry| entry.from.capacity()).sum::<usize>();
        self.calls.clone_from(&mark.calls);
        let then = mark.number;
        self.reads.retain(|read| read.number <= then);
        for read in &mut self.reads {
            if read.ended > then {
                read.ended = u64::MAX;
            }
        }
        // Choices that were made later are gone.
        let is_last = number + 1 >= mark.alternatives;
        self.marks.retain(|known, mark| mark.number <= then && !(is_last && *known == id));
    }
}

/// Where what an event comes from begins.
fn beginning(moment: &Moment<'_>) -> Option<u32> {
    moment.span.map(|span| span.start)
}

/// What a part of a collection is to the ledger.
pub(super) fn part(collection: View<'_>, key: View<'_>) -> Option<Source> {
    Some(Source::Part(collection.identity(), Key::of(key)?))
}

impl Observer for Ledger {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let depth = moment.depth();
        match event {
            Event::Choice { id, alternatives, .. } => {
                let mark = Mark {
                    entries: self.entries.len(),
                    number: self.number,
                    alternatives: *alternatives,
                    calls: self.calls.clone(),
                };
                self.marks.insert(*id, mark);
            }
            Event::Take { id, number, .. } => {
                if *number > 0 {
                    self.go_back(*id, *number);
                }
                self.settle(depth);
                // That the search of a built-in begins or ends is no guess.
                if moment.search_in_words(*number).is_some() {
                    return ControlFlow::Continue(());
                }
                let at = moment.span.map(|span| span.start);
                // The guess before at the same place is not what the next write comes from.
                self.forget(|read| read.depth == depth && read.at == at && matches!(read.of, Source::Guess(_)));
                let entry = self.entries.len();
                self.write(moment, Source::Guess(entry));
                self.read(depth, moment.span, Source::Guess(entry));
            }
            Event::Read { collection, key } => {
                self.settle(depth);
                if let Some(of) = part(*collection, *key) {
                    self.read(depth, moment.span, of);
                }
            }
            Event::Turn => {
                self.settle(depth);
                if let Some(all) = moment.span {
                    let is_inside = |at: Option<u32>| at.is_none_or(|at| (all.start..all.end).contains(&at));
                    self.forget(|read| read.depth == depth && is_inside(read.at));
                }
            }
            Event::Enter { .. } => {
                self.settle(depth.saturating_sub(1));
                self.enter(depth, beginning(moment));
            }
            Event::Leave { .. } => self.settle(depth),
            Event::Write { target: Target::Part(collection, key), .. } => {
                self.settle(depth);
                if let Some(to) = part(*collection, *key) {
                    let removals = moment.removals(*collection, *key);
                    match removals.iter().any(|removal| removal.constraint.is_some()) {
                        true => self.write_by_constraints(moment, *collection, to, &removals),
                        false => self.write(moment, to),
                    }
                }
            }
            Event::Write { target: Target::Variable(name), .. } if *name == self.variable => {
                self.settle(depth);
                self.write(moment, Source::Variable);
            }
            _ => {}
        }
        self.is_full |= self.bytes() > self.most_bytes;
        if self.is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wanted(&self) -> Wanted {
        Wanted { reads: true, ..Wanted::default() }
    }
}
