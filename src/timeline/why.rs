//! Why a place holds what it holds: the writes that led there, what each of them came from, back to the guesses.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use super::When;
use super::approach::{Beyond, Went, watch_to};
use super::line::Timeline;
use super::place::{Key, Place};
use super::scene::{LineAt, candidates};
use super::words;
use crate::counted::counted;
use crate::host::observer::{Event, Moment, Observer, Target, Wanted};
use crate::host::origins::{Deed, Known, Part, To};
use crate::host::removal::Removal;
use crate::host::run::Run;
use crate::host::value::Kind;
use crate::host::view::View;
use crate::source::Sources;

/// So many links are given.
const LINKS: usize = 200;

/// Of a collection, the last writes to so many of its parts are told.
const PARTS: usize = 12;

/// Of a constraint so many places are named.
const NAMED: usize = 6;

/// So many bytes of what was done, and of what it came from, are kept, or a share of the run's limit of memory if that is
/// less.
const MOST_BYTES: usize = 1 << 30;

/// A write, or a guess, that had a part in what a place holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The moment behind it.
    pub when: When,
    /// Where the program says so.
    pub line: Option<LineAt>,
    /// What was written to; empty for a guess.
    pub place: String,
    /// The cell, if it is one.
    pub cell: Option<(i64, i64)>,
    /// What was written, or guessed, in words.
    pub value: String,
    /// The candidates that were taken away, where that is known.
    pub lost: Vec<String>,
    /// By what, if not by the statement itself: the constraints that have changed it, with the places they had it from.
    pub by: Option<String>,
    /// Whether it is a guess.
    pub is_guess: bool,
    /// What it came from: places in the list of links.
    pub from: Vec<usize>,
}

/// Why a place holds what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// What it holds, as text.
    pub value: String,
    /// First the writes to the place itself, the latest first, then what they came from.
    pub links: Vec<Link>,
    /// How many of the first links are writes to the place itself, or to parts of the collection that it holds.
    pub own: usize,
    /// To how many parts of that collection the last writes are not among them.
    pub left_out: usize,
    /// Whether there are more links than are given.
    pub is_cut: bool,
}

/// Why no reasons can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoReason {
    /// The moment was not recorded.
    Beyond(Beyond),
    /// There is no such place at the moment.
    NoPlace(String),
    /// The branch has written too often.
    TooLong,
    /// The run was watched by another observer that hands events on, but not [`Observer::traced`].
    NotTraced,
}

impl std::fmt::Display for NoReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoReason::Beyond(beyond) => beyond.fmt(f),
            NoReason::NoPlace(place) => write!(f, "there is no {place} at this moment"),
            NoReason::NotTraced => {
                write!(f, "where values came from is not known: the observer that watches has to hand on `traced`, too")
            }
            NoReason::TooLong => {
                write!(
                    f,
                    "too many writes led here, or more than the limit of memory has room for: ask for an earlier moment"
                )
            }
        }
    }
}

impl std::error::Error for NoReason {}

/// Finds out why a place holds what it holds, by watching a run twice from its beginning to the moment that is asked about:
/// first to learn what came from what, then, behind [`Reasoning::turn`], to put that into words. [`Timeline::why`] does all
/// of it.
pub struct Reasoning {
    place: Place,
    most_bytes: usize,
    has_watched: bool,
    /// The second time: what is to be told, and who tells it.
    telling: Option<Telling>,
}

impl Reasoning {
    /// Nothing is known yet of a place.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript::timeline::{Place, Reasoning};
    /// let program = Engine::new().compile("let a = choose(1, 2); let g = [0]; g[0] = 3;")?;
    /// let place: Place = "g[0]".parse()?;
    /// let mut reasoning = Reasoning::new(&place);
    /// let mut run = program.run(1);
    /// run.watch(1000, &mut reasoning);
    /// reasoning.turn(&run)?;
    /// program.run(1).watch(1000, &mut reasoning);
    /// assert!(reasoning.finish(program.sources()).links.iter().all(|link| !link.is_guess));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(place: &Place) -> Reasoning {
        Reasoning { place: place.clone(), most_bytes: MOST_BYTES, has_watched: false, telling: None }
    }

    /// For a run with this limit of memory: what is learnt takes a quarter of it at most.
    pub fn within(mut self, memory: usize) -> Reasoning {
        self.most_bytes = MOST_BYTES.min(memory / 4);
        self
    }

    /// Between the two times: the run stands at the moment that is asked about.
    ///
    /// # Errors
    /// If there is no such place then, or if too much was written before.
    pub fn turn(&mut self, run: &Run) -> Result<(), NoReason> {
        if run.origins().is_some_and(|known| known.is_full()) {
            return Err(NoReason::TooLong);
        }
        if self.has_watched && run.origins().is_none() {
            return Err(NoReason::NotTraced);
        }
        let telling = self.chain(run)?;
        self.telling = Some(telling);
        Ok(())
    }

    /// What was found, behind the second time.
    pub fn finish(self, sources: &Sources) -> Reasons {
        match self.telling {
            Some(telling) => telling.in_words(sources),
            None => Reasons { value: String::new(), links: Vec::new(), own: 0, left_out: 0, is_cut: false },
        }
    }
}

impl Observer for Reasoning {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match &mut self.telling {
            Some(telling) => telling.teller.observe(moment, event),
            None => {
                self.has_watched = true;
                ControlFlow::Continue(())
            }
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted { reads: true, ..Wanted::default() }
    }

    fn traced(&self) -> Option<(&str, usize)> {
        self.telling.is_none().then_some((&self.place.variable, self.most_bytes))
    }
}

/// A search for reasons, which goes on in slices.
pub struct Why {
    reasoning: Option<Reasoning>,
    when: When,
    run: Run,
    answered: usize,
}

/// What is put into words.
struct Telling {
    value: String,
    chosen: Vec<Deed>,
    own: usize,
    left_out: usize,
    from: Vec<Vec<usize>>,
    is_cut: bool,
    last: When,
    teller: Teller,
}

/// By moment and target, what was found out about a write.
struct Teller {
    sources: Sources,
    /// The variable that is asked for.
    variable: String,
    wanted: HashSet<When>,
    told: HashMap<(When, About), Told>,
    /// What places hold that are of interest, to see what they lost.
    held: HashMap<(u64, Key), Vec<String>>,
    followed: HashSet<Key>,
}

/// Sorts candidates: numbers first, by their values, then words.
fn in_order(candidates: &mut Vec<String>) {
    let number = |text: &String| text.parse::<f64>().ok();
    candidates.sort_by(|a, b| match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y),
        (x, y) => y.is_some().cmp(&x.is_some()).then_with(|| a.cmp(b)),
    });
    candidates.dedup();
}

/// What was told about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum About {
    Part(Key),
    Variable,
    Whole,
    Guess,
}

#[derive(Clone, Debug, Default)]
struct Told {
    place: String,
    value: String,
    lost: Vec<String>,
    by: Option<String>,
}

impl Observer for Teller {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Write { target: Target::Part(collection, key), value } => {
                let Some(name) = Key::of(*key) else { return ControlFlow::Continue(()) };
                if !self.followed.contains(&name) {
                    return ControlFlow::Continue(());
                }
                let now = candidates(*value);
                let before = self.held.insert((collection.identity(), name.clone()), now.clone());
                if self.wanted.contains(&moment.when()) {
                    let mut lost = before.unwrap_or_default();
                    lost.retain(|candidate| !now.contains(candidate));
                    let place = Target::Part(*collection, *key).text_in(moment, &self.sources);
                    let removals = moment.removals(*collection, *key);
                    if !removals.is_empty() {
                        lost = removals
                            .iter()
                            .flat_map(|removal| &removal.lost)
                            .flat_map(|value| candidates(*value))
                            .collect();
                    }
                    in_order(&mut lost);
                    let by = named(moment, *collection, &removals);
                    let value = value.beginning(80);
                    self.told.insert((moment.when(), About::Part(name)), Told { place, value, lost, by });
                }
            }
            Event::Write { target: target @ Target::Whole(_), value } if self.wanted.contains(&moment.when()) => {
                let told = Told {
                    place: target.text_in(moment, &self.sources),
                    value: value.beginning(80),
                    ..Told::default()
                };
                self.told.insert((moment.when(), About::Whole), told);
            }
            Event::Write { target: Target::Variable(name), value }
                if *name == self.variable && self.wanted.contains(&moment.when()) =>
            {
                let told = Told { place: (*name).to_string(), value: value.beginning(80), ..Told::default() };
                self.told.insert((moment.when(), About::Variable), told);
            }
            Event::Read { collection, key } => {
                if let Some(name) = Key::of(*key).filter(|name| self.followed.contains(name))
                    && let Some(held) = name.of_collection(*collection)
                {
                    self.held.entry((collection.identity(), name)).or_insert_with(|| candidates(held));
                }
            }
            Event::Take { number, .. } => {
                if *number > 0 {
                    // What is undone is known no more.
                    self.held.clear();
                }
                if self.wanted.contains(&moment.when()) {
                    let value = words::in_words(moment, event, &self.sources);
                    self.told.insert((moment.when(), About::Guess), Told { value, ..Told::default() });
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted { reads: true, ..Wanted::default() }
    }
}

impl Timeline {
    /// A search for the reasons why a place holds what it holds at a moment, which goes on in slices.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn search_reasons(&mut self, place: &Place, when: When) -> Result<Why, NoReason> {
        let when = self.exactly(when).map_err(NoReason::Beyond)?;
        let fork = &self.forks.list()[0];
        let reasoning = Reasoning::new(place).within(self.head.limits().memory);
        Ok(Why { reasoning: Some(reasoning), when, run: fork.run.clone(), answered: fork.answered })
    }

    /// The reasons why a place holds what it holds at a moment.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript::timeline::Timeline;
    /// let program = Engine::new().compile(
    ///     "let g = makeGrid(2, 1, setOf(1, 2));
    ///      g[0, 0] = setOf(choose(1, 2));
    ///      g[1, 0] = except(g[1, 0], g[0, 0]);",
    /// )?;
    /// let mut timeline = Timeline::new(program.run(1));
    /// timeline.record(1000);
    /// let reasons = timeline.why(&"g[1,0]".parse()?, timeline.end())?;
    /// let places: Vec<&str> = reasons.links.iter().map(|link| link.place.as_str()).collect();
    /// assert_eq!(places, ["g[1, 0]", "g", "g[0, 0]", ""]);
    /// assert!(reasons.links[3].is_guess);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the moment was not recorded, if there is no such place then, or if too much was written before.
    pub fn why(&mut self, place: &Place, when: When) -> Result<Reasons, NoReason> {
        let mut search = self.search_reasons(place, when)?;
        // Where the moment was found out would be one more copy of the run.
        (self.stand, self.near) = (None, None);
        loop {
            if let Some(found) = search.go_on(self, u64::MAX) {
                return found;
            }
        }
    }
}

impl Why {
    /// Asks about the moment that the search has come to, if it is not the one that is asked about yet: whoever has no more
    /// time learns that much. Returns the moment that is asked about from now on.
    pub fn ask_here(&mut self) -> When {
        if self.reasoning.as_ref().is_some_and(|reasoning| reasoning.telling.is_none()) {
            self.when = self.when.min(self.run.when());
        }
        self.when
    }

    /// Goes on for about so many steps. `None`: it is not done yet. Then call it again, with the same timeline.
    pub fn go_on(&mut self, timeline: &Timeline, fuel: u64) -> Option<Result<Reasons, NoReason>> {
        let mut reasoning = self.reasoning.take()?;
        let until = reasoning.telling.as_ref().map_or(self.when, |telling| telling.last);
        let went = watch_to(&mut self.run, &mut self.answered, &timeline.answers, until, fuel, &mut reasoning);
        if went == Went::Paused && !self.run.origins().is_some_and(|known| known.is_full()) {
            self.reasoning = Some(reasoning);
            return None;
        }
        if reasoning.telling.is_some() {
            return Some(Ok(reasoning.finish(timeline.sources())));
        }
        if let Err(none) = reasoning.turn(&self.run) {
            return Some(Err(none));
        }
        let fork = &timeline.forks.list()[0];
        (self.run, self.answered) = (fork.run.clone(), fork.answered);
        self.reasoning = Some(reasoning);
        None
    }
}

/// What is asked for.
struct Asked<'a> {
    value: View<'a>,
    /// The collection and the place of it that is asked for, if it is not a variable.
    part: Option<(View<'a>, usize)>,
}

impl Reasoning {
    /// What led to what, from the place backwards.
    fn chain(&self, run: &Run) -> Result<Telling, NoReason> {
        let asked = self.asked(run)?;
        let known = run.origins();
        let deeds = known.map_or(&[][..], |known| known.deeds());
        let (mut numbers, left_out) = known.map_or_else(Default::default, |known| self.own(known, &asked, deeds));
        let own = numbers.len();
        let mut places: HashMap<u32, usize> = numbers.iter().enumerate().map(|(at, number)| (*number, at)).collect();
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); own];
        let mut to_do: VecDeque<usize> = (0..own).collect();
        let mut is_cut = false;
        while let Some(at) = to_do.pop_front() {
            let causes = causes(deeds, numbers[at], |deed| places.get(&deed).is_some_and(|place| *place < own));
            for cause in causes {
                let link = match places.get(&cause) {
                    Some(link) => *link,
                    None if numbers.len() >= LINKS => {
                        is_cut = true;
                        continue;
                    }
                    None => {
                        numbers.push(cause);
                        from.push(Vec::new());
                        places.insert(cause, numbers.len() - 1);
                        to_do.push_back(numbers.len() - 1);
                        numbers.len() - 1
                    }
                };
                from[at].push(link);
            }
        }
        let chosen: Vec<Deed> = numbers.iter().map(|number| deeds[*number as usize].clone()).collect();
        let teller = Teller {
            sources: run.program().sources().clone(),
            variable: self.place.variable.clone(),
            wanted: chosen.iter().map(|deed| deed.when).collect(),
            told: HashMap::new(),
            held: HashMap::new(),
            followed: chosen.iter().filter_map(|deed| key_of(&deed.to)).collect(),
        };
        let last = chosen.iter().map(|deed| deed.when).max().unwrap_or_default();
        Ok(Telling { value: asked.value.beginning(200), own, left_out, chosen, from, is_cut, last, teller })
    }

    /// What was done to the place itself, the latest first, and to how many parts of what it holds more was done.
    fn own(&self, known: Known<'_>, asked: &Asked<'_>, deeds: &[Deed]) -> (Vec<u32>, usize) {
        let of_variable = known.of_variable(&self.place.variable);
        let mut own = match asked.part {
            Some((collection, place)) => known.of_place(collection, place),
            None => of_variable.clone(),
        };
        own.truncate(LINKS / 2);
        let mut left_out = 0;
        if matches!(asked.value.kind(), Kind::Array | Kind::Object | Kind::Grid | Kind::Queue) {
            let mut into = known.of_contents(asked.value);
            left_out = into.len().saturating_sub(PARTS);
            into.truncate(PARTS);
            into.retain(|number| !own.contains(number));
            own.splice(0..0, into);
        }
        // What was in the place before its variable got another collection does not count: it was another one.
        let latest = of_variable.first().filter(|number| deeds[**number as usize].to == To::Variable);
        if asked.part.is_some()
            && let Some(latest) = latest.filter(|latest| !own.contains(latest))
        {
            own.push(*latest);
        }
        (own, left_out)
    }

    /// What is asked for, in the run that was watched, and what it holds.
    fn asked<'a>(&self, run: &'a Run) -> Result<Asked<'a>, NoReason> {
        let place = &self.place;
        let none = || NoReason::NoPlace(place.to_string());
        let calls = run.calls(16);
        let own = calls.iter().flat_map(|call| &call.variables).find(|(name, _)| *name == place.variable);
        let held = own.map(|(_, value)| *value).or_else(|| run.view_global(&place.variable)).ok_or_else(none)?;
        let value = place.follow(held).ok_or_else(none)?;
        let Some((last, path)) = place.path.split_last() else { return Ok(Asked { value, part: None }) };
        let before = Place { variable: place.variable.clone(), path: path.to_vec() };
        let collection = before.follow(held).ok_or_else(none)?;
        let number = last.number_in(collection).ok_or_else(none)?;
        Ok(Asked { value, part: Some((collection, number)) })
    }
}

/// What a deed came from, the latest first. A variable that is called like the one that is asked for and is another one has no more
/// part than any other variable: what it came from counts.
fn causes(deeds: &[Deed], of: u32, is_own: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut open = deeds[of as usize].from.to_vec();
    // What the place held before says nothing, on whatever way it came.
    let before = std::iter::successors(deeds[of as usize].before, |deed| deeds[*deed as usize].before);
    let mut seen: HashSet<u32> = before.take(LINKS).collect();
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match deeds[next as usize].to {
            To::Variable if !is_own(next) => open.extend(&deeds[next as usize].from),
            _ => found.push(next),
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

/// The part of a collection that was written to.
fn key_of(to: &To) -> Option<Key> {
    let To::Part(_, part) = to else { return None };
    Some(match part {
        Part::Field(name) => Key::Field(name.to_string()),
        Part::Index(index) => Key::Index(*index),
        Part::Cell(x, y) => Key::Cell(*x, *y),
    })
}

impl Telling {
    fn in_words(self, sources: &Sources) -> Reasons {
        let Telling { value, chosen, own, left_out, mut from, is_cut, teller, .. } = self;
        let told: Vec<Told> = chosen
            .iter()
            .map(|deed| {
                // What a built-in does to a collection is told of all of it.
                let about = match &deed.to {
                    To::Guess => About::Guess,
                    To::Variable => About::Variable,
                    To::Part(..) | To::Whole(_) => key_of(&deed.to).map_or(About::Whole, About::Part),
                };
                let told = teller.told.get(&(deed.when, about));
                told.or_else(|| teller.told.get(&(deed.when, About::Whole))).cloned().unwrap_or_default()
            })
            .collect();
        let mut links = Vec::with_capacity(chosen.len());
        for (at, (entry, told_of)) in chosen.iter().zip(&told).enumerate() {
            let cell = match &entry.to {
                To::Part(_, Part::Cell(x, y)) => Some((*x, *y)),
                _ => None,
            };
            links.push(Link {
                when: entry.when,
                line: entry.span.and_then(|span| LineAt::of(sources, span)),
                place: told_of.place.clone(),
                cell,
                value: told_of.value.clone(),
                lost: told_of.lost.clone(),
                by: told_of.by.clone(),
                is_guess: entry.to == To::Guess,
                from: std::mem::take(&mut from[at]),
            });
        }
        Reasons { value, links, own, left_out, is_cut }
    }
}

/// The constraints that have taken something from a place, each with the places that it had that from.
fn named(moment: &Moment<'_>, board: View<'_>, removals: &[Removal<'_>]) -> Option<String> {
    let mut by: Vec<(&str, Vec<String>)> = Vec::new();
    for removal in removals {
        let Some(name) = removal.constraint else { continue };
        let at = by.iter().position(|(known, _)| *known == name).unwrap_or(by.len());
        if at == by.len() {
            by.push((name, Vec::new()));
        }
        for (place, _) in &removal.from {
            let place = Target::Part(board, *place).text(moment);
            if !by[at].1.contains(&place) {
                by[at].1.push(place);
            }
        }
    }
    let in_words = |(name, places): &(&str, Vec<String>)| match &places[..] {
        [] => (*name).to_string(),
        places if places.len() <= NAMED => format!("{name} with {}", places.join(", ")),
        places => format!("{name} with {}, ...", places[..NAMED].join(", ")),
    };
    let by: Vec<String> = by.iter().map(in_words).collect();
    (!by.is_empty()).then(|| by.join("; "))
}

impl Reasons {
    /// In words, a line a link, what each came from indented below it; what was told before is told once.
    pub fn to_text(&self, place: &Place) -> String {
        let mut out = format!("{place} = {}\n", self.value);
        if self.links.is_empty() {
            out.push_str(match place.path.is_empty() {
                true => "nothing has written to it\n",
                false => "nothing has written to it since the collection was made\n",
            });
            return out;
        }
        let mut told = HashSet::new();
        for at in 0..self.own {
            let mut open = vec![(at, 0)];
            while let Some((at, depth)) = open.pop() {
                let is_new = told.insert(at);
                let indent = "  ".repeat(depth.min(DEEPEST));
                let again = if is_new || self.links[at].from.is_empty() { "" } else { " (see above)" };
                out.push_str(&format!("{indent}{}{again}\n", self.link_text(at)));
                if is_new {
                    open.extend(self.links[at].from.iter().rev().map(|from| (*from, depth + 1)));
                }
            }
        }
        if self.left_out > 0 {
            out.push_str(&format!("... and {} before: ask for one of them\n", counted(self.left_out, "other part")));
        }
        if self.is_cut {
            out.push_str("... and more before\n");
        }
        out
    }

    fn link_text(&self, at: usize) -> String {
        let link = &self.links[at];
        let line = link.line.as_ref().map_or_else(String::new, |line| format!("{}: ", line.in_words));
        if link.is_guess {
            return format!("{line}guessed {} (step {})", link.value, link.when);
        }
        let lost = match &link.lost[..] {
            [] => String::new(),
            lost if lost.len() <= NAMED => format!(", lost {}", lost.join(", ")),
            lost => format!(", lost {} and {} more", lost[..NAMED].join(", "), lost.len() - NAMED),
        };
        let by = link.by.as_ref().map_or_else(String::new, |by| format!(", by {by}"));
        format!("{line}{} = {}{lost}{by} (step {})", link.place, link.value, link.when)
    }
}

/// Links are not indented further.
const DEEPEST: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_stand_in_order() {
        let mut lost: Vec<String> = ["5", "b", "10", "-1", "4", "a", "5"].map(str::to_string).to_vec();
        in_order(&mut lost);
        assert_eq!(lost, ["-1", "4", "5", "10", "a", "b"]);
    }
}
