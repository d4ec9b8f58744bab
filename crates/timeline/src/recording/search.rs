//! Searches a recording: the next event of a kind, or the latest one before a moment.

use std::ops::ControlFlow;

use super::approach::{Advance, SilentObserver, run_unwatched_to, watch_to};
use super::event_log::{EventLog, Kind};
use super::line::{Recorded, Timeline};
use crate::When;
use crate::moments::place::Place;
use crate::moments::scene::{LineAt, candidates};
use crate::moments::words;
use ndscript::Run;
use ndscript::internals::NO_CANDIDATE;
use ndscript::{Event, Moment, Observer, Wanted};
use ndscript_base::source::Sources;

/// The target of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// An event of a kind.
    Event(Kind),
    /// A write to a place.
    Write(Place),
    /// A write by which a place lost a candidate.
    Loss(Place),
    /// A write by which a place lost this candidate.
    LossOf(Place, String),
    /// A domain wipeout: a place of a board has no candidate left.
    EmptyPlace,
    /// The beginning of a line, by the name of its file and its number, or of any.
    Line {
        /// Which line.
        at: Option<(String, usize)>,
        /// The greatest depth of calls.
        depth: Option<usize>,
    },
    /// The return of a call, after which calls are nested at most `depth` deep.
    Return {
        /// The greatest depth.
        depth: usize,
    },
    /// One of several.
    Any(Vec<Sought>),
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// After a moment.
    Forward,
    /// Before it.
    Back,
}

/// An event that was searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The moment to show: after the event; for failures and lines, before it.
    pub when: When,
    /// The kind of the event.
    pub kind: Kind,
    /// The event in words.
    pub text: String,
    /// Its line, if it has one.
    pub line: Option<LineAt>,
}

/// The steps of the first stretch of a backward search, and the factor by which each further one is longer.
const FIRST_STRETCH: u64 = 1 << 13;
const LONGER: u64 = 8;

/// A search in slices. What it has found stays valid when recording continues.
pub struct Search {
    from: When,
    direction: Direction,
    what: Sought,
    /// The stretch that is being replayed.
    stretch: Option<Stretch>,
    /// Backward: everything from here to the start of the search was searched.
    seen_from: When,
    length: u64,
    overlap: u64,
    found: Vec<Found>,
    most: usize,
    until: When,
    records: bool,
    is_done: bool,
}

struct Stretch {
    run: Run,
    answered: usize,
    /// The replay runs unobserved up to here.
    begin: When,
    end: When,
    is_inside: bool,
    /// Whether moments of the step at which it begins are known exactly.
    is_exact: bool,
    scan: Scan,
}

/// The state of an observer between two slices.
#[derive(Default)]
struct Scan {
    found: Vec<Found>,
    /// The latest candidates of places, for losses.
    before: Vec<(Place, Vec<String>)>,
    is_full: bool,
}

struct Scanner<'a> {
    what: &'a Sought,
    sources: &'a Sources,
    /// Forward: only events after this moment count.
    after: Option<When>,
    /// Backward: only the latest event before this moment is wanted.
    before: Option<When>,
    most: usize,
    /// Moments of this step are inexact.
    vague: Option<u64>,
    scan: &'a mut Scan,
}

impl Sought {
    fn wanted(&self) -> Wanted {
        let nothing = Wanted::NOTHING;
        match self {
            Sought::Event(Kind::Line) | Sought::Line { .. } => Wanted {
                lines: true,
                ..nothing
            },
            Sought::Event(Kind::Choice | Kind::Take | Kind::Failure) | Sought::EmptyPlace => {
                Wanted {
                    choices: true,
                    ..nothing
                }
            }
            Sought::Event(Kind::Write) | Sought::Write(_) => Wanted {
                variables: true,
                ..nothing
            },
            Sought::Event(Kind::Call | Kind::Return) | Sought::Return { .. } => Wanted {
                calls: true,
                ..nothing
            },
            Sought::Event(_) => nothing,
            // Taking an alternative may change the value of the place.
            Sought::Loss(_) | Sought::LossOf(..) => Wanted {
                choices: true,
                variables: true,
                ..nothing
            },
            Sought::Any(all) => all.iter().map(Sought::wanted).fold(nothing, Wanted::or),
        }
    }

    /// Whether a stretch may have a match, by its summary.
    fn may_be_in(&self, happened: &EventLog) -> bool {
        match self {
            Sought::Event(Kind::Line) | Sought::Line { .. } => true,
            Sought::Event(kind) => happened.may_have(*kind),
            Sought::Write(place) => {
                happened.may_have(Kind::Write)
                    && (happened.may_have_written(place)
                        || place.may_hold_collection() && happened.has_part_writes)
            }
            Sought::Loss(place) | Sought::LossOf(place, _) => {
                happened.may_have(Kind::Write) && happened.may_have_written(place)
            }
            Sought::EmptyPlace => happened.may_have(Kind::Failure),
            Sought::Return { .. } => happened.may_have(Kind::Return),
            Sought::Any(all) => all.iter().any(|each| each.may_be_in(happened)),
        }
    }

    /// The places whose losses are sought.
    fn places<'s>(&'s self, visit: &mut dyn FnMut(&'s Place)) {
        match self {
            Sought::Loss(place) | Sought::LossOf(place, _) => visit(place),
            Sought::Any(all) => all.iter().for_each(|each| each.places(visit)),
            _ => {}
        }
    }

    fn is(
        &self,
        moment: &Moment<'_>,
        event: &Event<'_>,
        sources: &Sources,
        before: &[(Place, Vec<String>)],
    ) -> bool {
        match (self, event) {
            (Sought::Any(all), _) => all
                .iter()
                .any(|each| each.is(moment, event, sources, before)),
            (Sought::Event(kind), _) => *kind == Kind::of(event),
            (Sought::Write(place), Event::Write { target, .. }) => {
                place.is_changed_inside(moment, target)
            }
            (Sought::Loss(place) | Sought::LossOf(place, _), Event::Write { target, .. }) => {
                let is_sought = |lost: &String| match self {
                    Sought::LossOf(_, candidate) => lost == candidate,
                    _ => true,
                };
                let before = before.iter().find(|(known, _)| known == place);
                place.is_changed(moment, target)
                    && match (before, place.value(moment).map(candidates)) {
                        (Some((_, before)), Some(now)) => {
                            let mut lost = before.iter().filter(|old| !now.contains(old));
                            lost.any(is_sought)
                        }
                        _ => false,
                    }
            }
            (Sought::Line { at, depth }, Event::Line) => {
                depth.is_none_or(|depth| moment.depth() <= depth)
                    && at.as_ref().is_none_or(|(file, line)| {
                        let located = moment.span.and_then(|span| sources.locate(span));
                        located.is_some_and(|(found, number, _)| {
                            *found.name == **file && number == *line
                        })
                    })
            }
            (Sought::EmptyPlace, Event::Fail { why }) => {
                *why == NO_CANDIDATE || moment.leaves_nothing()
            }
            (Sought::Return { depth }, Event::Leave { .. }) => moment.depth() <= *depth,
            _ => false,
        }
    }
}

impl Observer for Scanner<'_> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let when = match event {
            Event::Fail { .. } => moment.began(),
            _ => moment.when(),
        };
        let is_in = self.vague != Some(when.step)
            && self.after.is_none_or(|after| when > after)
            && self.before.is_none_or(|before| when < before);
        if is_in && self.what.is(moment, event, self.sources, &self.scan.before) {
            let found = Found {
                when,
                kind: Kind::of(event),
                text: words::in_words(moment, event, self.sources),
                line: moment.span.and_then(|span| LineAt::of(self.sources, span)),
            };
            if self.before.is_some() {
                self.scan.found.clear();
            }
            self.scan.found.push(found);
        }
        if matches!(event, Event::Write { .. } | Event::Take { .. }) {
            let before = &mut self.scan.before;
            self.what.places(&mut |place| {
                let known = before.iter().position(|(known, _)| known == place);
                let changes = match event {
                    Event::Write { target, .. } => place.is_changed(moment, target),
                    _ => true,
                };
                if changes || known.is_none() {
                    let now = place.value(moment).map(candidates);
                    known
                        .into_iter()
                        .for_each(|at| drop(before.swap_remove(at)));
                    before.extend(now.map(|now| (place.clone(), now)));
                }
            });
        }
        self.scan.is_full = self.before.is_none() && self.scan.found.len() >= self.most;
        if self.scan.is_full {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn wanted(&self) -> Wanted {
        self.what.wanted()
    }
}

impl Search {
    /// Continues for about `fuel` steps. `None` if it is not done: call it again, with the same timeline.
    pub fn resume(&mut self, timeline: &mut Timeline, fuel: u64) -> Option<Vec<Found>> {
        let mut fuel = fuel;
        while !self.is_done {
            let next = match (self.stretch.take(), self.direction) {
                (Some(stretch), _) => Some(stretch),
                (None, Direction::Forward) => self.next_stretch(timeline),
                (None, Direction::Back) => self.stretch_before(timeline),
            };
            let Some(mut stretch) = next else {
                fuel = fuel.saturating_sub(self.record_further(timeline, fuel));
                if fuel == 0 && !self.is_done {
                    return None;
                }
                continue;
            };
            let begin = stretch.run.statistics().steps;
            let advance = self.scan(timeline, &mut stretch, fuel);
            fuel = fuel.saturating_sub(stretch.run.statistics().steps.saturating_sub(begin));
            if advance == Advance::Paused && !stretch.scan.is_full {
                self.stretch = Some(stretch);
            } else {
                let first = timeline.begin();
                self.finish(stretch, first);
            }
            if fuel == 0 && !self.is_done {
                return None;
            }
        }
        Some(std::mem::take(&mut self.found))
    }

    /// Records further once the recording is searched. Returns the recorded steps.
    fn record_further(&mut self, timeline: &mut Timeline, fuel: u64) -> u64 {
        if !self.records || timeline.has_ended || timeline.is_asking {
            self.is_done = true;
            return 0;
        }
        let before = timeline.end().step;
        let recorded = timeline.record(fuel.min(RECORDED_AT_ONCE));
        // Recording past a solution has to be asked for.
        self.records = matches!(recorded, Recorded::Paused);
        self.until = timeline.end();
        self.until.step.saturating_sub(before)
    }

    /// The next stretch forward; stretches without a possible match are skipped.
    fn next_stretch(&mut self, timeline: &mut Timeline) -> Option<Stretch> {
        let forks = timeline.forks.list();
        let first = timeline.forks.before(self.seen_from);
        let candidate = (first..forks.len()).find(|at| self.what.may_be_in(&forks[*at].events));
        let begin = candidate.map_or(self.until, |at| forks[at].when.max(self.seen_from));
        if begin >= self.until {
            self.seen_from = self.until;
            return None;
        }
        let next = candidate
            .and_then(|at| forks.get(at + 1))
            .filter(|_| !self.what.wanted().lines);
        let end = next.map_or(self.until, |next| next.when.min(self.until));
        let (run, answered) = timeline.copy_before(begin);
        Some(Stretch {
            run,
            answered,
            begin,
            end,
            is_inside: false,
            is_exact: true,
            scan: Scan::default(),
        })
    }

    /// The next stretch backward: it ends where the searched part begins, and does not cross a fork.
    fn stretch_before(&mut self, timeline: &Timeline) -> Option<Stretch> {
        let forks = timeline.forks.list();
        let last = forks.partition_point(|fork| fork.when < self.seen_from);
        let mut at = (0..last)
            .rev()
            .find(|at| self.what.may_be_in(&forks[*at].events))?;
        let end = forks
            .get(at + 1)
            .map_or(self.seen_from, |next| next.when.min(self.seen_from));
        let mut begin = When::step(end.step.saturating_sub(self.length));
        // A short rest before a fork is joined to this stretch.
        let mut is_exact = begin.step <= forks[at].when.step + self.length / 2;
        if is_exact {
            begin = forks[at].when;
        }
        if is_exact && at > 0 && self.what.wanted().lines {
            // A line that begins at the fork itself is seen only from before it.
            at -= 1;
            let before = begin.step.saturating_sub(self.overlap);
            is_exact = before <= forks[at].when.step;
            begin = if is_exact {
                forks[at].when
            } else {
                When::step(before)
            };
        }
        self.length = self.length.saturating_mul(LONGER);
        let (run, answered) = (forks[at].run.clone(), forks[at].answered);
        Some(Stretch {
            run,
            answered,
            begin,
            end,
            is_inside: false,
            is_exact,
            scan: Scan::default(),
        })
    }

    fn scan(&mut self, timeline: &Timeline, stretch: &mut Stretch, fuel: u64) -> Advance {
        let Stretch {
            run,
            answered,
            begin,
            end,
            is_inside,
            is_exact,
            scan,
        } = stretch;
        if !*is_inside {
            // Right before the beginning it is watched, so that it is known where it stands.
            let unwatched = if *is_exact {
                begin.step.saturating_sub(FIRST_STRETCH)
            } else {
                begin.step
            };
            let mut advance = Advance::There;
            if run.statistics().steps < unwatched {
                advance = run_unwatched_to(run, answered, &timeline.answers, unwatched, fuel);
            }
            if advance == Advance::There && *is_exact {
                advance = watch_to(
                    run,
                    answered,
                    &timeline.answers,
                    *begin,
                    fuel,
                    &mut SilentObserver,
                );
            }
            if advance == Advance::Paused {
                return advance;
            }
            *is_inside = true;
            *begin = run.when().max(*begin);
            if self.seen_from == self.from && self.direction == Direction::Forward {
                // The first boundary from there on is meant.
                self.from = self.from.max(*begin);
                self.seen_from = self.from;
            }
            self.what.places(&mut |place| {
                let now = value_in(run, place).map(|now| (place.clone(), now));
                scan.before.extend(now);
            });
        }
        let is_back = self.direction == Direction::Back;
        let sources = timeline.sources().clone();
        let mut scanner = Scanner {
            what: &self.what,
            sources: &sources,
            after: (!is_back).then_some(self.from),
            before: is_back.then_some(self.seen_from),
            most: self.most - self.found.len(),
            vague: (!*is_exact).then_some(begin.step),
            scan,
        };
        watch_to(run, answered, &timeline.answers, *end, fuel, &mut scanner)
    }

    /// Finishes a stretch of a recording whose first moment is known.
    fn finish(&mut self, stretch: Stretch, first: When) {
        let Stretch {
            begin,
            end,
            scan,
            is_exact,
            ..
        } = stretch;
        let has_found = !scan.found.is_empty();
        self.found.extend(scan.found);
        match self.direction {
            Direction::Forward => {
                self.seen_from = end;
                self.is_done |= self.found.len() >= self.most;
            }
            Direction::Back => {
                let is_certain = match is_exact {
                    // Moments of its first step are unreliable.
                    false => When::step(begin.step + 1),
                    // Whether a line begins at the fork is unknown.
                    true if self.what.wanted().lines && begin > first => When {
                        inside: begin.inside + 1,
                        ..begin
                    },
                    true => begin,
                };
                if is_certain >= self.seen_from {
                    // One instruction took more steps than the overlap, and the run cannot be stopped inside it.
                    self.overlap = self.overlap.saturating_mul(LONGER);
                }
                self.seen_from = self.seen_from.min(is_certain);
                self.is_done |= has_found;
            }
        }
    }
}

/// The initial overlap of stretches, in steps, when lines are sought.
const OVERLAP: u64 = 256;

/// The steps recorded between two searches.
const RECORDED_AT_ONCE: u64 = 1 << 20;

/// The candidates of a place in a run that stands still.
fn value_in(run: &Run, place: &Place) -> Option<Vec<String>> {
    let calls = run.calls(16);
    let own = calls
        .iter()
        .flat_map(|call| &call.variables)
        .find(|(name, _)| *name == place.variable);
    let value = own
        .map(|(_, value)| *value)
        .or_else(|| run.view_global(&place.variable))?;
    place.follow(value).map(candidates)
}

impl Timeline {
    /// A search for an event after or before a moment, in slices: see [`Search::resume`]. Forward, it records further if
    /// it has to, up to the next solution or question, and past one only if it starts there.
    pub fn search(&self, from: When, direction: Direction, what: Sought) -> Search {
        Search {
            from,
            direction,
            what,
            stretch: None,
            seen_from: from,
            length: FIRST_STRETCH,
            overlap: OVERLAP,
            found: Vec::new(),
            most: 1,
            until: if direction == Direction::Forward {
                self.end()
            } else {
                self.begin()
            },
            // A search does not go past a solution that is still ahead.
            records: direction == Direction::Forward
                && (from >= self.end() || matches!(self.recorded(), Recorded::Paused)),
            is_done: false,
        }
    }

    /// The first event of a kind after a moment. Records further if necessary, up to the next solution or question.
    /// `None` if there is none.
    pub fn next(&mut self, from: When, what: &Sought) -> Option<Found> {
        let search = self.search(from, Direction::Forward, what.clone());
        self.finish(search).into_iter().next()
    }

    /// The last event of a kind before a moment; `None` if there is none.
    pub fn previous(&mut self, from: When, what: &Sought) -> Option<Found> {
        let search = self.search(from, Direction::Back, what.clone());
        self.finish(search).into_iter().next()
    }

    /// The first `most` events of a kind that were recorded after a moment and up to another one.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::{Sought, Timeline, When};
    /// let program = Engine::new().compile("let g = makeGrid(2, 1, setOf(1, 2, 3));\ng[1, 0] = setOf(1, 3);\ng[1, 0] = setOf(3);")?;
    /// let mut timeline = Timeline::new(program.run(1));
    /// timeline.record(1000);
    /// let losses = timeline.all(When::START, timeline.end(), &Sought::Loss("g[1,0]".parse()?), 10);
    /// assert_eq!(losses.iter().map(|loss| loss.text.as_str()).collect::<Vec<_>>(), ["g[1, 0] = {1, 3}", "g[1, 0] = {3}"]);
    /// let losses = timeline.all(When::START, timeline.end(), &Sought::LossOf("g[1,0]".parse()?, "1".to_string()), 10);
    /// assert_eq!(losses.iter().map(|loss| loss.text.as_str()).collect::<Vec<_>>(), ["g[1, 0] = {3}"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all(&mut self, from: When, to: When, what: &Sought, most: usize) -> Vec<Found> {
        let mut search = self.search(from, Direction::Forward, what.clone());
        (search.most, search.until, search.records) = (most, to.min(self.end()), false);
        let mut found = self.finish(search);
        found.retain(|found| found.when <= to);
        found
    }

    fn finish(&mut self, mut search: Search) -> Vec<Found> {
        loop {
            if let Some(found) = search.resume(self, u64::MAX) {
                return found;
            }
        }
    }
}
