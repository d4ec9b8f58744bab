//! A film of a grid: the candidates of each cell at several moments of a search.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::contents::Content;
use super::grid_tracker::{GridTracker, Wanted, Written};
use crate::moments::scene::candidates;
use crate::moments::words;
use ndscript::View;
use ndscript::{Event, Moment, Observer, Wanted as Narration};
use ndscript_base::keyed::KeyedMap;
use ndscript_base::source::{Sources, Span};

/// The most characters of an alternative, and of a caption.
const TEXT: usize = 40;
const CAPTION: usize = 100;

/// The most changes of cells in all shots together.
const MOST_CHANGES: usize = 1 << 24;

/// The number of thinnings in which shots that show more are preferred.
const MOST_BY_KIND: u32 = 2;

/// The event that a shot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShotKind {
    /// Something has changed.
    Change,
    /// A failure has taken something back.
    Back,
    /// A cell was guessed.
    Guess,
    /// The branch has failed.
    Failure,
    /// The end of the program was reached.
    Solution,
    /// The search has ended.
    End,
}

/// A moment of a film.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The step of the run.
    pub step: u64,
    /// The event that it shows.
    pub kind: ShotKind,
    /// Columns and rows of the grid.
    pub size: (u32, u32),
    /// The cells that are not as in the shot before, row by row, and what they hold, by its number in
    /// [`Film::contents`].
    pub changes: Vec<(u32, u32)>,
    /// The cell that was guessed last, or written last before a failure.
    pub cell: Option<u32>,
    /// How many guesses were made, and how many failures there were.
    pub guesses: u64,
    /// The number of failures so far.
    pub failures: u64,
    /// The event in words.
    pub words: String,
}

/// Watches a run and films a grid of it.
///
/// Its size is bounded: of a long search it stores at most the given number of shots, spread over the whole of it; of
/// two neighbors the one that shows more stays.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::{Content, Film, ShotKind};
/// let script = "let g = makeGrid(2, 1, setOf(1, 2)); g[0, 0] = setOf(chooseElement(g[0, 0])); require(g[0, 0] == setOf(2));";
/// let program = Engine::new().compile(script)?;
/// let mut film = Film::new(program.sources().clone(), None, 1, 100);
/// program.run(3).watch(1000, &mut film);
/// assert_eq!(film.values(), ["1", "2"]);
/// assert_eq!(film.shots()[0].changes.len(), 2);
/// let contents = film.contents();
/// assert!(contents.contains(&Content::Candidates(vec![0, 1])) && contents.contains(&Content::Candidates(vec![1])));
/// assert!(film.shots().iter().any(|shot| shot.kind == ShotKind::Guess && shot.cell == Some(0)));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Film {
    sources: Sources,
    tracker: GridTracker,
    most: usize,
    /// The number of events between two shots.
    stride: u64,
    /// How often it was thinned out.
    thinned: u32,
    since: u64,
    shots: Vec<Shot>,
    changes: usize,
    /// The cells as the latest shot has them.
    shown: Vec<u32>,
    /// Whether the followed grid may be incomplete.
    is_stale: bool,
    /// An alternative that was taken, and is not in the grid yet.
    taken: Option<TakenAlternative>,
    latest_cell: Option<u32>,
    alternatives: KeyedMap<u64, usize>,
    guesses: u64,
    failures: u64,
    solutions: u64,
    ended: bool,
}

impl Film {
    /// A film of a run that begins, of a program with these sources: of the grid in the variable of this name, a global
    /// one or one of a function, or else in the first global variable that holds sets. A shot is made every `every`
    /// events of the search, and at most `most` are stored.
    pub fn new(sources: Sources, watched: Option<String>, every: u64, most: usize) -> Film {
        Film {
            sources,
            tracker: GridTracker::new(watched, Wanted::Candidates),
            most: most.max(2),
            stride: every.max(1),
            thinned: 0,
            since: u64::MAX / 2,
            shots: Vec::new(),
            changes: 0,
            shown: Vec::new(),
            is_stale: true,
            taken: None,
            latest_cell: None,
            alternatives: KeyedMap::default(),
            guesses: 0,
            failures: 0,
            solutions: 0,
            ended: false,
        }
    }

    /// The name of the variable whose grid is filmed, once it is known.
    pub fn watched(&self) -> Option<&str> {
        self.tracker.name.as_deref()
    }

    /// Variables of functions that held grids with sets, as long as none of the program did: the first few.
    pub fn others(&self) -> &[String] {
        &self.tracker.others
    }

    /// The shots, in order.
    pub fn shots(&self) -> &[Shot] {
        &self.shots
    }

    /// The number of events of the search between two shots.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Columns and rows of the largest grid that was filmed.
    pub fn size(&self) -> (u32, u32) {
        let sizes = self.shots.iter().map(|shot| shot.size);
        sizes.fold((0, 0), |most, size| {
            (most.0.max(size.0), most.1.max(size.1))
        })
    }

    /// The values that cells may have, as text: numbers first, in order, then words.
    pub fn values(&self) -> Vec<String> {
        self.tracker.contents.values()
    }

    /// The contents of cells in any shot; their candidates are indices into [`Film::values`].
    pub fn contents(&self) -> Vec<Content> {
        self.tracker.contents.contents()
    }

    /// Reads all cells.
    fn reread(&mut self, moment: &Moment<'_>) -> bool {
        let is_known = self.tracker.reread(moment);
        self.is_stale &= !is_known;
        is_known
    }

    /// Makes a shot of the cells as they are known to be.
    fn shoot(&mut self, moment: &Moment<'_>, kind: ShotKind, words: String) {
        let size = self.tracker.size;
        let is_same_size = self.shots.last().is_some_and(|shot| shot.size == size);
        let changes: Vec<(u32, u32)> = if is_same_size {
            let pairs = self.tracker.live.iter().zip(&self.shown).enumerate();
            pairs
                .filter(|(_, (now, before))| now != before)
                .map(|(at, (now, _))| (at as u32, *now))
                .collect()
        } else {
            self.tracker
                .live
                .iter()
                .enumerate()
                .map(|(at, now)| (at as u32, *now))
                .collect()
        };
        if changes.is_empty() && kind <= ShotKind::Back && !self.shots.is_empty() {
            return;
        }
        self.since = 0;
        self.changes += changes.len();
        self.shown.clone_from(&self.tracker.live);
        self.shots.push(Shot {
            step: moment.step(),
            kind,
            size,
            changes,
            cell: self
                .latest_cell
                .filter(|_| matches!(kind, ShotKind::Guess | ShotKind::Failure)),
            guesses: self.guesses,
            failures: self.failures,
            words,
        });
        if self.shots.len() > self.most || self.changes > MOST_CHANGES {
            self.thin_out();
        }
    }

    /// Drops every other shot: of two the one that shows less, at first.
    fn thin_out(&mut self) {
        self.stride = self.stride.saturating_mul(2);
        self.thinned += 1;
        let count = self.shots.len();
        let mut shots_left: Vec<Shot> = Vec::with_capacity(count / 2 + 2);
        let mut shots = std::mem::take(&mut self.shots)
            .into_iter()
            .enumerate()
            .peekable();
        // The first and the last are never dropped, so the changes of a dropped one always reach a later one.
        shots_left.extend(shots.next().map(|(_, shot)| shot));
        let mut carried = DroppedChanges::default();
        // Long films, thinned out many times, would show nothing but failures.
        let by_kind = self.thinned <= MOST_BY_KIND;
        while let Some((_, first)) = shots.next() {
            match shots.peek() {
                Some((at, second)) if *at + 1 < count && (by_kind && second.kind >= first.kind) => {
                    carried.add(&first)
                }
                Some((at, _)) if *at + 1 < count => {
                    shots_left.push(carried.apply_to(first));
                    shots
                        .next()
                        .iter()
                        .for_each(|(_, second)| carried.add(second));
                    continue;
                }
                _ => {
                    shots_left.push(carried.apply_to(first));
                    continue;
                }
            }
            shots_left.extend(shots.next().map(|(_, second)| carried.apply_to(second)));
        }
        self.changes = shots_left.iter().map(|shot| shot.changes.len()).sum();
        self.shots = shots_left;
    }

    /// The number of a cell, by column and row.
    fn cell_at(&self, (x, y): (i64, i64)) -> Option<u32> {
        u32::try_from(y * i64::from(self.tracker.size.0) + x).ok()
    }

    fn line(&self, span: Option<Span>) -> String {
        words::line_in_words(&self.sources, span, ": ")
    }

    /// Counts an event of the search after which a shot may be made; true if a shot is due.
    fn is_due(&mut self, moment: &Moment<'_>) -> bool {
        self.since = self.since.saturating_add(1);
        self.since >= self.stride && (!self.is_stale || self.reread(moment))
    }
}

/// The changes of dropped shots.
#[derive(Default)]
struct DroppedChanges {
    size: (u32, u32),
    changes: Vec<(u32, u32)>,
}

impl DroppedChanges {
    fn add(&mut self, dropped: &Shot) {
        if self.size != dropped.size {
            self.size = dropped.size;
            self.changes.clear();
        }
        self.changes.extend(&dropped.changes);
    }

    /// The next shot, with the changes carried over; in a grid of another size all cells have changed.
    fn apply_to(&mut self, mut shot: Shot) -> Shot {
        let carried = std::mem::take(&mut self.changes);
        if !carried.is_empty() && self.size == shot.size {
            let mut cells: BTreeMap<u32, u32> = BTreeMap::new();
            cells.extend(carried.into_iter().chain(shot.changes.iter().copied()));
            shot.changes = cells.into_iter().collect();
        }
        shot
    }
}

/// An alternative that was taken.
#[derive(Clone, Debug)]
struct TakenAlternative {
    words: String,
    /// Where it was chosen, and where it stands if it is one of a `choose`.
    chosen: Option<Span>,
    alternative: Option<Span>,
    /// The value that was chosen, as a row of one candidate.
    value: Option<Vec<String>>,
}

impl TakenAlternative {
    /// Whether it is what a write has put into a cell: in the statement that chose, or that was chosen, or the very value.
    fn is_put(&self, written: Option<Span>, value: View<'_>) -> bool {
        words::is_of_choice(written, self.chosen)
            || words::is_of_choice(self.alternative, written)
            || self
                .value
                .as_ref()
                .is_some_and(|chosen| *chosen == candidates(value))
    }
}

impl Observer for Film {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Choice {
                id, alternatives, ..
            } => {
                self.alternatives.insert(*id, *alternatives);
            }
            Event::Take {
                id,
                number,
                value,
                alternative,
            } => {
                self.guesses += 1;
                let count = self.alternatives.get(id).copied().unwrap_or(0);
                if number + 1 >= count {
                    self.alternatives.remove(id);
                }
                let what = match (value, alternative) {
                    (Some(value), _) => format!(": {}", value.beginning(TEXT)),
                    (None, Some(span)) => format!(": {}", one_line(self.sources.text(*span))),
                    (None, None) => String::new(),
                };
                let words = format!("{} of {count}{what}", number + 1);
                if *number > 0 {
                    self.is_stale = true;
                    if self.is_due(moment) {
                        let line = self.line(moment.span);
                        self.shoot(moment, ShotKind::Back, format!("{line}back, take {words}"));
                    }
                }
                let value = value.as_ref().map(|value| candidates(*value));
                self.taken = Some(TakenAlternative {
                    words,
                    chosen: moment.span,
                    alternative: *alternative,
                    value,
                });
            }
            Event::Write { target, value } => {
                let Some(written) = self.tracker.apply(moment, event) else {
                    return ControlFlow::Continue(());
                };
                let cell = match written {
                    Written::Cell(cell, _) => Some(cell),
                    Written::Whole(..) => {
                        self.is_stale = false;
                        target.position().and_then(|at| self.cell_at(at))
                    }
                };
                let guess = self.taken.take_if(|latest_taken| {
                    cell.is_some() && latest_taken.is_put(moment.span, *value)
                });
                self.latest_cell = cell.or(self.latest_cell);
                if self.is_due(moment) {
                    let (kind, what) = match guess {
                        Some(latest_taken) => {
                            (ShotKind::Guess, format!("take {}", latest_taken.words))
                        }
                        None => (ShotKind::Change, target.text_in(moment, &self.sources)),
                    };
                    let line = self.line(moment.span);
                    self.shoot(moment, kind, format!("{line}{what}"));
                }
            }
            Event::Fail { why } => {
                // When a failure is reported, its branch is undone already: the cells are shown as the writes left
                // them.
                let is_search = !words::is_after_solution(moment, why);
                self.failures += 1;
                self.since = self.since.saturating_add(1);
                let is_new = self
                    .shots
                    .last()
                    .is_some_and(|shot| shot.kind != ShotKind::Failure);
                if is_search && !self.is_stale && is_new {
                    let line = self.line(moment.span);
                    let words = if *why == "fail" {
                        (*why).to_string()
                    } else {
                        format!("fail: {}", one_line(why))
                    };
                    self.shoot(moment, ShotKind::Failure, format!("{line}{words}"));
                }
                self.is_stale = true;
                self.taken = None;
            }
            Event::Solution { number } => {
                self.solutions = *number;
                if self.reread(moment) {
                    self.shoot(moment, ShotKind::Solution, format!("solution {number}"));
                }
            }
            Event::End { result, .. } => {
                self.ended = true;
                if !self.shots.is_empty() && *result != "solution" {
                    self.shoot(moment, ShotKind::End, format!("end: {result}"));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Narration {
        Narration {
            reasons: false,
            ..Narration::default()
        }
    }
}

/// The beginning of a text, on one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(20).collect();
    words.join(" ").chars().take(CAPTION).collect()
}
