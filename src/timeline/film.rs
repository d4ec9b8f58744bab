//! How a grid comes to be: what each cell may still be, at so many moments of a search.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use super::words;
use crate::host::observer::{Event, Moment, Observer, Target};
use crate::host::value::Kind;
use crate::host::view::View;
use crate::source::{Sources, Span};

/// Of a value's text, so many characters are kept; of a caption, so many.
const TEXT: usize = 40;
const CAPTION: usize = 100;

/// All shots together have so many changes of a cell at most.
const MOST_CHANGES: usize = 1 << 24;

/// Larger grids are not filmed.
const MOST_CELLS: usize = 1 << 22;

/// Cells whose candidates are no more than this many make a grid that a search is about.
const MOST_CANDIDATES: usize = 1000;

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Nothing: `null`, or what is outside of the grid.
    Nothing,
    /// So many candidates, by their numbers in [`Film::values`], in order. A plain value is the only one; none is a
    /// contradiction.
    Candidates(Vec<u32>),
}

/// What a shot is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShotKind {
    /// Something has changed.
    Change,
    /// A failure has taken something back.
    Back,
    /// A cell was guessed.
    Guess,
    /// The branch has died.
    Failure,
    /// The end of the program was reached.
    Solution,
    /// The search has come to its end.
    End,
}

/// A moment of a film.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The step of the run.
    pub step: u64,
    /// What it is of.
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
    /// How many branches had died.
    pub failures: u64,
    /// What has happened, in words.
    pub words: String,
}

/// Watches a run and films a grid of it.
///
/// It is bounded: of a long search it keeps as many shots as it was told, spread over the whole of it; of two neighbors the
/// one stays that shows more.
///
/// ```
/// use ndscript::Engine;
/// use ndscript::timeline::{Content, Film, ShotKind};
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
    watched: Option<String>,
    most: usize,
    /// So many events lie between two shots.
    stride: u64,
    since: u64,
    shots: Vec<Shot>,
    changes: usize,
    values: Vec<Value>,
    numbers: HashMap<String, u32>,
    contents: Vec<Content>,
    content_numbers: HashMap<Content, u32>,
    /// The cells as the latest shot has them, and as the writes since then have left them.
    shown: Vec<u32>,
    live: Vec<u32>,
    size: (u32, u32),
    /// Whether `live` may lack something.
    is_stale: bool,
    /// What was taken, and is not in the grid yet.
    taken: Option<String>,
    latest_cell: Option<u32>,
    alternatives: HashMap<u64, usize>,
    guesses: u64,
    failures: u64,
    solutions: u64,
    ended: bool,
}

#[derive(Clone, Debug)]
struct Value {
    text: String,
    number: Option<f64>,
}

impl Film {
    /// A film of a run that begins, of a program with these texts: of the grid in the global variable of this name, or
    /// else in the first one that holds sets. A shot is made every so many events of the search, and at most so many are
    /// kept.
    pub fn new(sources: Sources, watched: Option<String>, every: u64, most: usize) -> Film {
        Film {
            sources,
            watched,
            most: most.max(2),
            stride: every.max(1),
            since: u64::MAX / 2,
            shots: Vec::new(),
            changes: 0,
            values: Vec::new(),
            numbers: HashMap::new(),
            contents: vec![Content::Nothing],
            content_numbers: HashMap::from([(Content::Nothing, 0)]),
            shown: Vec::new(),
            live: Vec::new(),
            size: (0, 0),
            is_stale: true,
            taken: None,
            latest_cell: None,
            alternatives: HashMap::new(),
            guesses: 0,
            failures: 0,
            solutions: 0,
            ended: false,
        }
    }

    /// The name of the variable whose grid is filmed, once it is known.
    pub fn watched(&self) -> Option<&str> {
        self.watched.as_deref()
    }

    /// The shots, in order.
    pub fn shots(&self) -> &[Shot] {
        &self.shots
    }

    /// So many events of the search lie between two shots.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Columns and rows of the largest grid that was filmed.
    pub fn size(&self) -> (u32, u32) {
        let sizes = self.shots.iter().map(|shot| shot.size);
        sizes.fold((0, 0), |most, size| (most.0.max(size.0), most.1.max(size.1)))
    }

    /// The values that cells may have, as text: numbers first, in order, then words.
    pub fn values(&self) -> Vec<String> {
        self.order().into_iter().map(|at| self.values[at as usize].text.clone()).collect()
    }

    /// What cells hold in any shot; their candidates are places in [`Film::values`].
    pub fn contents(&self) -> Vec<Content> {
        let mut places = vec![0; self.values.len()];
        self.order().iter().enumerate().for_each(|(place, at)| places[*at as usize] = place as u32);
        let placed = |content: &Content| match content {
            Content::Nothing => Content::Nothing,
            Content::Candidates(candidates) => {
                let mut candidates: Vec<u32> = candidates.iter().map(|at| places[*at as usize]).collect();
                candidates.sort_unstable();
                Content::Candidates(candidates)
            }
        };
        self.contents.iter().map(placed).collect()
    }

    fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.values.len() as u32).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.values[*a as usize], &self.values[*b as usize]);
            match (a.number, b.number) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a_number, b_number) => b_number.is_some().cmp(&a_number.is_some()).then_with(|| a.text.cmp(&b.text)),
            }
        });
        order
    }

    /// The grid that is filmed.
    fn grid<'a>(&mut self, moment: &Moment<'a>) -> Option<View<'a>> {
        let is_filmed = |view: &View<'a>| view.kind() == Kind::Grid && (1..=MOST_CELLS).contains(&view.len());
        if let Some(name) = &self.watched {
            return moment.global(name).filter(is_filmed);
        }
        let has_candidates = |view: &View<'a>| {
            view.cells().any(|cell| cell.kind() == Kind::Set && (2..MOST_CANDIDATES).contains(&cell.len()))
                && view.cells().filter(|cell| cell.kind() == Kind::Set).flat_map(View::elements).take(50).all(is_plain)
        };
        let (name, grid) = moment.globals().find(|(_, view)| is_filmed(view) && has_candidates(view))?;
        self.watched = Some(name.to_string());
        Some(grid)
    }

    fn content(&mut self, cell: View<'_>) -> u32 {
        let content = match cell.kind() {
            Kind::Null => return 0,
            Kind::Set => {
                let mut candidates: Vec<u32> =
                    cell.elements().take(MOST_CANDIDATES).map(|value| self.value(value)).collect();
                candidates.sort_unstable();
                Content::Candidates(candidates)
            }
            _ => Content::Candidates(vec![self.value(cell)]),
        };
        if let Some(number) = self.content_numbers.get(&content) {
            return *number;
        }
        let number = self.contents.len() as u32;
        self.contents.push(content.clone());
        self.content_numbers.insert(content, number);
        number
    }

    fn value(&mut self, value: View<'_>) -> u32 {
        let known = value.as_str().filter(|text| text.len() <= TEXT).and_then(|text| self.numbers.get(text));
        if let Some(number) = known {
            return *number;
        }
        let text = match value.as_str() {
            Some(text) => text.chars().take(TEXT).collect(),
            None => value.beginning(TEXT),
        };
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        let number = self.values.len() as u32;
        self.values.push(Value { text: text.clone(), number: value.as_f64() });
        self.numbers.insert(text, number);
        number
    }

    /// Looks at all cells.
    fn look(&mut self, moment: &Moment<'_>) -> bool {
        let Some(grid) = self.grid(moment) else { return false };
        self.size = (grid.width() as u32, grid.height() as u32);
        // Equal sets lie at one place, so each is read once.
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut live = std::mem::take(&mut self.live);
        live.clear();
        for cell in grid.cells() {
            let number = match known.get(&cell.identity()) {
                Some(number) => *number,
                None => {
                    let number = self.content(cell);
                    known.insert(cell.identity(), number);
                    number
                }
            };
            live.push(number);
        }
        self.live = live;
        self.is_stale = false;
        true
    }

    /// Makes a shot of the cells as they are known to be.
    fn shoot(&mut self, moment: &Moment<'_>, kind: ShotKind, words: String) {
        let is_same_size = self.shots.last().is_some_and(|shot| shot.size == self.size);
        let changes: Vec<(u32, u32)> = if is_same_size {
            let pairs = self.live.iter().zip(&self.shown).enumerate();
            pairs.filter(|(_, (now, before))| now != before).map(|(at, (now, _))| (at as u32, *now)).collect()
        } else {
            self.live.iter().enumerate().map(|(at, now)| (at as u32, *now)).collect()
        };
        if changes.is_empty() && kind <= ShotKind::Back && !self.shots.is_empty() {
            return;
        }
        self.since = 0;
        self.changes += changes.len();
        self.shown.clone_from(&self.live);
        self.shots.push(Shot {
            step: moment.step(),
            kind,
            size: self.size,
            changes,
            cell: self.latest_cell.filter(|_| matches!(kind, ShotKind::Guess | ShotKind::Failure)),
            guesses: self.guesses,
            failures: self.failures,
            words,
        });
        if self.shots.len() > self.most || self.changes > MOST_CHANGES {
            self.thin_out();
        }
    }

    /// Drops every other shot: of two the one that shows less.
    fn thin_out(&mut self) {
        self.stride = self.stride.saturating_mul(2);
        let count = self.shots.len();
        let mut kept: Vec<Shot> = Vec::with_capacity(count / 2 + 2);
        let mut shots = std::mem::take(&mut self.shots).into_iter().enumerate().peekable();
        // The first and the last are never dropped, so what a dropped one has changed always finds its way on.
        kept.extend(shots.next().map(|(_, shot)| shot));
        let mut carried = Carried::default();
        while let Some((_, first)) = shots.next() {
            match shots.peek() {
                Some((at, second)) if *at + 1 < count && second.kind >= first.kind => carried.take_up(&first),
                Some((at, _)) if *at + 1 < count => {
                    kept.push(carried.put_down(first));
                    shots.next().iter().for_each(|(_, second)| carried.take_up(second));
                    continue;
                }
                _ => {
                    kept.push(carried.put_down(first));
                    continue;
                }
            }
            kept.extend(shots.next().map(|(_, second)| carried.put_down(second)));
        }
        self.changes = kept.iter().map(|shot| shot.changes.len()).sum();
        self.shots = kept;
    }

    fn line(&self, span: Option<Span>) -> String {
        words::line_in_words(&self.sources, span, ": ")
    }

    /// An event of the search has happened behind which a shot may be made; true if it is time.
    fn is_due(&mut self, moment: &Moment<'_>) -> bool {
        self.since = self.since.saturating_add(1);
        self.since >= self.stride && (!self.is_stale || self.look(moment))
    }

    /// A write to the grid that is filmed; the cell, if it is one.
    fn written(&mut self, moment: &Moment<'_>, target: &Target<'_>, value: View<'_>) -> Option<Option<u32>> {
        let Some(name) = &self.watched else {
            // Before the first shot every write may be the one that makes a grid of candidates.
            return matches!(target, Target::Variable(_)).then_some(None);
        };
        match target {
            Target::Variable(variable) => (variable == name).then(|| {
                self.is_stale = true;
                None
            }),
            Target::Part(collection, key) => {
                let grid = moment.global(name).filter(|grid| grid.identity() == collection.identity())?;
                let (x, y) = key.as_position()?;
                let at = u32::try_from(y * grid.width() as i64 + x).ok()?;
                if !self.is_stale && (grid.width() as u32, grid.height() as u32) == self.size {
                    let content = self.content(value);
                    if let Some(cell) = self.live.get_mut(at as usize) {
                        *cell = content;
                    }
                }
                Some(Some(at))
            }
            Target::Whole(_) => None,
        }
    }
}

/// What shots have changed that were dropped.
#[derive(Default)]
struct Carried {
    size: (u32, u32),
    changes: Vec<(u32, u32)>,
}

impl Carried {
    fn take_up(&mut self, dropped: &Shot) {
        if self.size != dropped.size {
            self.size = dropped.size;
            self.changes.clear();
        }
        self.changes.extend(&dropped.changes);
    }

    /// The next shot, with what was carried; a grid of another size has all its cells anew.
    fn put_down(&mut self, mut shot: Shot) -> Shot {
        let carried = std::mem::take(&mut self.changes);
        if !carried.is_empty() && self.size == shot.size {
            let mut cells: BTreeMap<u32, u32> = carried.into_iter().collect();
            cells.extend(shot.changes.iter().copied());
            shot.changes = cells.into_iter().collect();
        }
        shot
    }
}

/// Whether a value can stand in a cell.
fn is_plain(value: View<'_>) -> bool {
    value.as_str().is_some() || value.as_f64().is_some() || value.as_bool().is_some()
}

impl Observer for Film {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Choice { id, alternatives, .. } => {
                self.alternatives.insert(*id, *alternatives);
            }
            Event::Take { id, number, value, alternative } => {
                self.guesses += 1;
                let of = self.alternatives.get(id).copied().unwrap_or(0);
                if number + 1 >= of {
                    self.alternatives.remove(id);
                }
                let what = match (value, alternative) {
                    (Some(value), _) => format!(": {}", value.beginning(TEXT)),
                    (None, Some(span)) => format!(": {}", one_line(self.sources.text(*span))),
                    (None, None) => String::new(),
                };
                let words = format!("{} of {of}{what}", number + 1);
                if *number > 0 {
                    self.is_stale = true;
                    if self.is_due(moment) {
                        let line = self.line(moment.span);
                        self.shoot(moment, ShotKind::Back, format!("{line}back, take {words}"));
                    }
                }
                self.taken = Some(words);
            }
            Event::Write { target, value } => {
                let Some(cell) = self.written(moment, target, *value) else { return ControlFlow::Continue(()) };
                let guess = if cell.is_some() { self.taken.take() } else { None };
                self.latest_cell = cell.or(self.latest_cell);
                if self.is_due(moment) {
                    let (kind, what) = match guess {
                        Some(words) => (ShotKind::Guess, format!("take {words}")),
                        None => (ShotKind::Change, target.text(moment)),
                    };
                    let line = self.line(moment.span);
                    self.shoot(moment, kind, format!("{line}{what}"));
                }
            }
            Event::Fail { why } => {
                // What a failure takes back is gone when it is told: it is shown as the writes have left it.
                let is_search = why != "another solution is wanted";
                self.failures += u64::from(is_search);
                self.since = self.since.saturating_add(1);
                let is_new = self.shots.last().is_some_and(|shot| shot.kind != ShotKind::Failure);
                if is_search && !self.is_stale && is_new {
                    let line = self.line(moment.span);
                    let words = if why == "fail" { why.clone() } else { format!("fail: {}", one_line(why)) };
                    self.shoot(moment, ShotKind::Failure, format!("{line}{words}"));
                }
                self.is_stale = true;
                self.taken = None;
            }
            Event::Solution { number } => {
                self.solutions = *number;
                if self.look(moment) {
                    self.shoot(moment, ShotKind::Solution, format!("solution {number}"));
                }
            }
            Event::End { result } => {
                self.ended = true;
                if !self.shots.is_empty() && *result != "solution" {
                    self.shoot(moment, ShotKind::End, format!("end: {result}"));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// The beginning of a text, on one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(20).collect();
    words.join(" ").chars().take(CAPTION).collect()
}
