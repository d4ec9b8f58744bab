//! Reasons for the value of a place: the writes and guesses from which it came.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::narrator::{MOST_NAMED, Narration, Narrator};
use crate::When;
use crate::moments::place::Place;
use crate::moments::scene::LineAt;
use crate::recording::approach::{Advance, Beyond, watch_to};
use crate::recording::line::Timeline;
use ndscript::Kind;
use ndscript::Run;
use ndscript::View;
use ndscript::internals::{Definition, DefinitionTarget, OriginIndex, Part};
use ndscript::{Event, Moment, Observer, Wanted};
use ndscript_base::counted::counted;
use ndscript_base::keyed::{KeyedMap, KeyedSet};
use ndscript_base::source::Sources;

/// The most links of an answer.
const MOST_LINKS: usize = 200;

/// The most parts of a collection whose latest writes are listed.
const MOST_PARTS: usize = 12;

/// The most bytes for recorded definitions and their origins; the limit of memory of the run may allow less.
const MOST_BYTES: usize = 1 << 30;

/// A write, or a guess, that had a part in what a place holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The moment after it.
    pub when: When,
    /// The line of the program that does it.
    pub line: Option<LineAt>,
    /// The place that was written; empty for a guess, a random draw or an input.
    pub place: String,
    /// The cell, if it is one.
    pub cell: Option<(i64, i64)>,
    /// The value that was written, guessed, drawn or asked for, in words.
    pub value: String,
    /// The candidates that were removed, if that is known, as cells show them.
    pub lost: Vec<String>,
    /// The removed candidates as a program writes them: texts in quotes.
    pub lost_in_words: Vec<String>,
    /// The earlier value, if it was no set of candidates.
    pub was: Option<String>,
    /// The constraints that made the change, with the places from which it follows; `None` if the statement itself
    /// did.
    pub by: Option<String>,
    /// Whether it is a guess.
    pub is_guess: bool,
    /// The sources: indices into the list of links.
    pub from: Vec<usize>,
}

/// Why a place holds what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons {
    /// The value, as text.
    pub value: String,
    /// First the writes to the place itself, the latest first, then what they came from.
    pub links: Vec<Link>,
    /// The number of first links that are writes to the place itself, or to parts of its collection.
    pub own: usize,
    /// The number of parts of that collection whose latest writes are left out.
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
    /// The run was watched through an observer that passes events on, but not [`Observer::traced`].
    NotTraced,
}

impl std::fmt::Display for NoReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoReason::Beyond(beyond) => beyond.fmt(f),
            NoReason::NoPlace(place) => write!(f, "there is no {place} at this moment"),
            NoReason::NotTraced => {
                write!(
                    f,
                    "where values came from is not known: the observer that watches has to hand on `traced`, too"
                )
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

/// Computes why a place has its value. It watches a run twice from its beginning to a moment: first to record
/// definitions and their origins, then, after [`Reasoning::begin_second_pass`], to put them into words. [`Timeline::why`] does all
/// of it.
pub struct Reasoning {
    place: Place,
    most_bytes: usize,
    has_watched: bool,
    /// The second pass: the definitions to narrate, and the narrator.
    second_pass: Option<SecondPass>,
}

impl Reasoning {
    /// Starts to search for the reasons of a place.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::{Place, Reasoning};
    /// let program = Engine::new().compile("let a = choose(1, 2); let g = [0]; g[0] = 3;")?;
    /// let place: Place = "g[0]".parse()?;
    /// let mut reasoning = Reasoning::new(&place);
    /// let mut run = program.run(1);
    /// run.watch(1000, &mut reasoning);
    /// reasoning.begin_second_pass(&run)?;
    /// program.run(1).watch(1000, &mut reasoning);
    /// assert!(reasoning.finish(program.sources()).links.iter().all(|link| !link.is_guess));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(place: &Place) -> Reasoning {
        Reasoning {
            place: place.clone(),
            most_bytes: MOST_BYTES,
            has_watched: false,
            second_pass: None,
        }
    }

    /// Sets the limit of memory of the run: records take at most a quarter of it.
    pub fn within(mut self, memory: usize) -> Reasoning {
        self.most_bytes = MOST_BYTES.min(memory / 4);
        self
    }

    /// Ends the first pass, with the run at the moment that is asked about.
    ///
    /// # Errors
    /// If there is no such place then, or if too much was written before.
    pub fn begin_second_pass(&mut self, run: &Run) -> Result<(), NoReason> {
        if run.origins().is_some_and(|known| known.is_full()) {
            return Err(NoReason::TooLong);
        }
        if self.has_watched && run.origins().is_none() {
            return Err(NoReason::NotTraced);
        }
        let second_pass = self.chain(run)?;
        self.second_pass = Some(second_pass);
        Ok(())
    }

    /// The reasons, after the second pass.
    pub fn finish(self, sources: &Sources) -> Reasons {
        match self.second_pass {
            Some(second_pass) => second_pass.in_words(sources),
            None => Reasons {
                value: String::new(),
                links: Vec::new(),
                own: 0,
                left_out: 0,
                is_cut: false,
            },
        }
    }
}

impl Observer for Reasoning {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match &mut self.second_pass {
            Some(second_pass) => second_pass.teller.observe(moment, event),
            None => {
                self.has_watched = true;
                ControlFlow::Continue(())
            }
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reads: true,
            ..Wanted::default()
        }
    }

    fn traced(&self) -> Option<(&str, usize)> {
        self.second_pass
            .is_none()
            .then_some((&self.place.variable, self.most_bytes))
    }
}

/// A search for reasons, in slices.
pub struct Why {
    reasoning: Option<Reasoning>,
    when: When,
    run: Run,
    answered: usize,
}

/// The second pass, which narrates.
struct SecondPass {
    value: String,
    chosen: Vec<Definition>,
    own: usize,
    left_out: usize,
    from: Vec<Vec<usize>>,
    is_cut: bool,
    last: When,
    teller: Narrator,
}

impl Timeline {
    /// A search for the reasons of the value of a place at a moment, in slices.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn search_reasons(&mut self, place: &Place, when: When) -> Result<Why, NoReason> {
        let when = self.exactly(when).map_err(NoReason::Beyond)?;
        let fork = &self.forks.list()[0];
        let reasoning = Reasoning::new(place).within(self.head.limits().memory);
        Ok(Why {
            reasoning: Some(reasoning),
            when,
            run: fork.run.clone(),
            answered: fork.answered,
        })
    }

    /// The reasons why a place holds what it holds at a moment.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::Timeline;
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
        // Free the copies of the run, as this search makes another one.
        (self.stand, self.near) = (None, None);
        loop {
            if let Some(found) = search.resume(self, u64::MAX) {
                return found;
            }
        }
    }
}

impl Why {
    /// Asks about the moment that the search has reached, so that a caller without more time learns at least that much.
    /// Returns the moment that is asked about from now on.
    pub fn ask_here(&mut self) -> When {
        if self
            .reasoning
            .as_ref()
            .is_some_and(|reasoning| reasoning.second_pass.is_none())
        {
            self.when = self.when.min(self.run.when());
        }
        self.when
    }

    /// Resumes for about `fuel` steps. `None` if it is not done: call it again, with the same timeline.
    pub fn resume(&mut self, timeline: &Timeline, fuel: u64) -> Option<Result<Reasons, NoReason>> {
        let mut reasoning = self.reasoning.take()?;
        let until = reasoning
            .second_pass
            .as_ref()
            .map_or(self.when, |second_pass| second_pass.last);
        let advance = watch_to(
            &mut self.run,
            &mut self.answered,
            &timeline.answers,
            until,
            fuel,
            &mut reasoning,
        );
        if advance == Advance::Paused && !self.run.origins().is_some_and(|known| known.is_full()) {
            self.reasoning = Some(reasoning);
            return None;
        }
        if reasoning.second_pass.is_some() {
            return Some(Ok(reasoning.finish(timeline.sources())));
        }
        if let Err(none) = reasoning.begin_second_pass(&self.run) {
            return Some(Err(none));
        }
        let fork = &timeline.forks.list()[0];
        (self.run, self.answered) = (fork.run.clone(), fork.answered);
        self.reasoning = Some(reasoning);
        None
    }
}

/// The place that is asked about.
struct Subject<'a> {
    value: View<'a>,
    /// The collection and its part that is asked for, if it is not a variable; then the collections that contain it.
    parts: Vec<(View<'a>, usize)>,
}

impl Reasoning {
    /// The definitions that led to the place, backwards from it.
    fn chain(&self, run: &Run) -> Result<SecondPass, NoReason> {
        let subject = self.subject(run)?;
        let known = run.origins();
        let definitions = known.map_or(&[][..], |known| known.definitions());
        let (mut numbers, left_out) = known.map_or_else(Default::default, |known| {
            self.own(known, &subject, definitions)
        });
        let own = numbers.len();
        let mut places: KeyedMap<u32, usize> = numbers
            .iter()
            .enumerate()
            .map(|(at, number)| (*number, at))
            .collect();
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); own];
        let mut to_do: VecDeque<usize> = (0..own).collect();
        let mut is_cut = false;
        while let Some(at) = to_do.pop_front() {
            let causes = causes(definitions, numbers[at], |definition| {
                places.get(&definition).is_some_and(|place| *place < own)
            });
            for cause in causes {
                let link = match places.get(&cause) {
                    Some(link) => *link,
                    None if numbers.len() >= MOST_LINKS => {
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
        let chosen: Vec<Definition> = numbers
            .iter()
            .map(|number| definitions[*number as usize].clone())
            .collect();
        let teller = Narrator::new(run.program().sources(), &self.place.variable, &chosen);
        let last = chosen
            .iter()
            .map(|definition| definition.when)
            .max()
            .unwrap_or_default();
        Ok(SecondPass {
            value: subject.value.beginning(200),
            own,
            left_out,
            chosen,
            from,
            is_cut,
            last,
            teller,
        })
    }

    /// Writes to the place itself, the latest first, and the number of parts whose writes are left out.
    fn own(
        &self,
        known: OriginIndex<'_>,
        subject: &Subject<'_>,
        definitions: &[Definition],
    ) -> (Vec<u32>, usize) {
        let of_variable = known.of_variable(&self.place.variable);
        // The places of a collection that was made at once came from elsewhere.
        let of_places = subject
            .parts
            .iter()
            .map(|(collection, place)| known.of_place(*collection, *place));
        let mut own = match subject.parts.is_empty() {
            true => of_variable.clone(),
            false => of_places
                .into_iter()
                .find(|own| !own.is_empty())
                .unwrap_or_default(),
        };
        own.truncate(MOST_LINKS / 2);
        let mut left_out = 0;
        if matches!(
            subject.value.kind(),
            Kind::Array | Kind::Object | Kind::Grid | Kind::Queue
        ) {
            let mut into = known.of_contents(subject.value);
            left_out = into.len().saturating_sub(MOST_PARTS);
            into.truncate(MOST_PARTS);
            into.retain(|number| !own.contains(number));
            own.splice(0..0, into);
        }
        // Writes before the variable got another collection do not count: they went to a different one.
        let latest = of_variable
            .first()
            .filter(|number| definitions[**number as usize].to == DefinitionTarget::Variable);
        if !subject.parts.is_empty()
            && let Some(latest) = latest.filter(|latest| !own.contains(latest))
        {
            own.push(*latest);
        }
        (own, left_out)
    }

    /// The place that is asked about, in the watched run, and its value.
    fn subject<'a>(&self, run: &'a Run) -> Result<Subject<'a>, NoReason> {
        let place = &self.place;
        let none = || NoReason::NoPlace(place.to_string());
        let calls = run.calls(16);
        let own = calls
            .iter()
            .flat_map(|call| &call.variables)
            .find(|(name, _)| *name == place.variable);
        let value = own
            .map(|(_, value)| *value)
            .or_else(|| run.view_global(&place.variable))
            .ok_or_else(none)?;
        let content = place.follow(value).ok_or_else(none)?;
        let mut parts = Vec::with_capacity(place.path.len());
        let mut collection = value;
        for key in &place.path {
            parts.push((collection, key.number_in(collection).ok_or_else(none)?));
            collection = key.of_collection(collection).ok_or_else(none)?;
        }
        parts.reverse();
        Ok(Subject {
            value: content,
            parts,
        })
    }
}

/// The sources of a definition, the latest first. A different variable of the same name counts like any other
/// variable.
fn causes(definitions: &[Definition], of: u32, is_own: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut open = sources(definitions, of);
    // If all writes to a place are listed, its earlier value adds nothing, on any path.
    let before = std::iter::successors(definitions[of as usize].before, |definition| {
        definitions[*definition as usize].before
    });
    let mut seen: KeyedSet<u32> = before
        .take_while(|before| is_own(*before))
        .take(MOST_LINKS)
        .collect();
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match definitions[next as usize].to {
            DefinitionTarget::Variable if !is_own(next) => open.extend(sources(definitions, next)),
            _ => found.push(next),
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

/// The sources of a definition. They include the previous definition of the place if the value came from that, too,
/// and that one has sources.
fn sources(definitions: &[Definition], of: u32) -> Vec<u32> {
    let mut all = definitions[of as usize].from.to_vec();
    let older = |number: &u32| {
        definitions[*number as usize]
            .before
            .filter(|_| definitions[*number as usize].keeps)
    };
    let befores = std::iter::successors(older(&of), older);
    // A write that removed candidates explains their absence, whatever its sources.
    let says = |number: &u32| {
        !definitions[*number as usize].from.is_empty()
            || definitions[*number as usize].narrowed.is_some()
    };
    all.extend(befores.into_iter().find(says));
    all
}

impl SecondPass {
    /// The chosen definitions as links with words.
    fn in_words(self, sources: &Sources) -> Reasons {
        let SecondPass {
            value,
            chosen,
            own,
            left_out,
            mut from,
            is_cut,
            teller,
            ..
        } = self;
        let narrations: Vec<Narration> = chosen
            .iter()
            .map(|definition| teller.narrate(definition))
            .collect();
        let mut links = Vec::with_capacity(chosen.len());
        for (at, (entry, narration)) in chosen.iter().zip(&narrations).enumerate() {
            let cell = match &entry.to {
                DefinitionTarget::Part(_, Part::Cell(x, y)) => Some((*x, *y)),
                _ => None,
            };
            links.push(Link {
                when: entry.when,
                line: entry.span.and_then(|span| LineAt::of(sources, span)),
                place: narration.place.clone(),
                cell,
                value: narration.value.clone(),
                lost: narration
                    .lost
                    .iter()
                    .map(|lost| lost.shown.clone())
                    .collect(),
                lost_in_words: narration
                    .lost
                    .iter()
                    .map(|lost| lost.written.clone())
                    .collect(),
                was: narration.was.clone(),
                by: narration.by.clone(),
                is_guess: entry.to == DefinitionTarget::Guess,
                from: std::mem::take(&mut from[at]),
            });
        }
        Reasons {
            value,
            links,
            own,
            left_out,
            is_cut,
        }
    }
}

impl Reasons {
    /// In words: a line for each link, its sources indented below it; each link is written once.
    pub fn to_text(&self, place: &Place) -> String {
        let mut out = format!("{place} = {}\n", self.value);
        if self.links.is_empty() {
            out.push_str(match place.path.is_empty() {
                true => "nothing has written to it\n",
                false => "nothing has written to it since the collection was made\n",
            });
            return out;
        }
        let mut written = KeyedSet::default();
        for at in 0..self.own {
            let mut open = vec![(at, 0)];
            while let Some((at, depth)) = open.pop() {
                let is_new = written.insert(at);
                let indent = "  ".repeat(depth.min(DEEPEST));
                let again = if is_new || self.links[at].from.is_empty() {
                    ""
                } else {
                    " (see above)"
                };
                out.push_str(&format!("{indent}{}{again}\n", self.link_text(at)));
                if is_new {
                    open.extend(
                        self.links[at]
                            .from
                            .iter()
                            .rev()
                            .map(|from| (*from, depth + 1)),
                    );
                }
            }
        }
        if self.left_out > 0 {
            out.push_str(&format!(
                "... and {} before: ask for one of them\n",
                counted(self.left_out, "other part")
            ));
        }
        if self.is_cut {
            out.push_str("... and more before\n");
        }
        out
    }

    /// A link as text: its line, its place, and what happened there.
    fn link_text(&self, at: usize) -> String {
        let link = &self.links[at];
        let line = link
            .line
            .as_ref()
            .map_or_else(String::new, |line| format!("{}: ", line.in_words));
        if link.is_guess {
            return format!("{line}guessed {} (step {})", link.value, link.when);
        }
        if link.place.is_empty() {
            return format!("{line}{} (step {})", link.value, link.when);
        }
        let old_value = link
            .was
            .as_ref()
            .map_or_else(String::new, |old_value| format!(", was {old_value}"));
        let lost = match &link.lost_in_words[..] {
            [] => String::new(),
            lost if lost.len() <= MOST_NAMED => format!(", lost {}", lost.join(", ")),
            lost => format!(
                ", lost {} and {} more",
                lost[..MOST_NAMED].join(", "),
                lost.len() - MOST_NAMED
            ),
        };
        let constraints = link
            .by
            .as_ref()
            .map_or_else(String::new, |constraints| format!(", by {constraints}"));
        format!(
            "{line}{} = {}{old_value}{lost}{constraints} (step {})",
            link.place, link.value, link.when
        )
    }
}

/// Links are not indented further.
const DEEPEST: usize = 20;
