//! Why a search fails, or takes long: counts failures and choices by place, and records the deepest branch.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::moments::named::{Line, ReadValues, WritesSinceGuess};
use crate::moments::words;
use ndscript::Kind;
use ndscript::{Event, Moment, Observer, Target, Wanted};
use ndscript_base::counted::counted;
use ndscript_base::source::{Sources, Span};
use ndscript_syntax::highlight::{TokenClass, tokens};

/// The most causes, choices and steps of the deepest branch that are shown.
const MOST_SHOWN: usize = 8;

/// At most this many messages of one place are shown, and told apart.
const MOST_SHOWN_MESSAGES: usize = 3;
const MOST_MESSAGES: usize = 1000;

/// The most open choices stored with the alternative taken, the latest ones: a run that only goes deeper would fill
/// memory.
const MOST_OPEN_CHOICES: usize = 1 << 16;

/// The most characters of a value or a line.
const MOST_CHARACTERS: usize = 60;

/// The first failures of a cause whose lines are all read; after that two in a row are read of every `EXAMINE_EVERY`.
const ALWAYS_EXAMINED: u64 = 1000;
const EXAMINE_EVERY: u64 = 64;

/// After this number of failures a search by constraints is worth a restart.
const MANY_FAILURES: u64 = 1000;
const RESTARTS: &str = "withRestarts";

/// A choice of a place is worth advice if it was taken back this often.
const MANY_REDONE: u64 = 20;

/// Watches a run and counts why its branches fail.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::Causes;
/// let program = Engine::new().compile("let x = choose(1, 2, 3); require(x > 3, \"too small\");")?;
/// let mut causes = Causes::new(program.sources().clone());
/// program.run(1).watch(1000, &mut causes);
/// assert_eq!(causes.failures(), 3);
/// assert!(causes.to_text().contains("too small"));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Causes {
    sources: Sources,
    /// By the instruction that failed.
    causes: BTreeMap<Option<u32>, Cause>,
    /// By the instruction that chose.
    choices: BTreeMap<u32, Choices>,
    /// The open choices, oldest first: id, and the alternative taken. Beyond [`MOST_OPEN_CHOICES`] the oldest are only
    /// counted.
    path: VecDeque<(u64, PathEntry)>,
    before_path: usize,
    /// The number of open choices at the deepest failure, and the latest of them.
    depth: usize,
    deepest: Vec<PathEntry>,
    /// The number of failures at that depth.
    deep_failures: u64,
    /// Whether the run has ended with an error.
    has_ended: bool,
    /// Why the deepest branch has failed.
    deepest_failure: Option<(String, Option<Span>)>,
    /// The first write after the latest guess: a part of a collection if there is one, else a variable.
    latest_write: Option<(bool, String)>,
    /// The values that the failing line has read.
    failing: Option<ReadValues>,
    since: WritesSinceGuess,
    failures: u64,
    /// The number of failures after a solution.
    after_solutions: u64,
    /// The number of failures by domain wipeout.
    without_candidates: u64,
    points: u64,
    /// How many alternatives `decide` has taken.
    decided: u64,
    solutions: u64,
    /// The greatest number of open choices.
    most_open: usize,
}

#[derive(Clone, Debug)]
struct Cause {
    span: Option<Span>,
    count: u64,
    /// Messages of failures and how often each occurred; of very many, the first ones.
    messages: BTreeMap<String, u64>,
    latest_message: String,
    /// The write before its latest failure.
    latest: Option<String>,
    /// The places that its line reads, their values at the latest reading, and the number of that failure.
    line: Line,
    seen: ReadValues,
    seen_at: u64,
    /// The number of compared pairs of consecutive failures, and of those that had read equal values.
    compared: u64,
    same: u64,
    /// By place of a choice: how often it was redone between two failures that had read equal values.
    redone: BTreeMap<u32, (Span, u64)>,
}

impl Cause {
    /// The values that the line has read, or else the first write after the latest guess.
    fn read_values_in_words(&self) -> String {
        match &self.latest {
            _ if !self.seen.words.is_empty() => format!("with {}", self.seen.words.join(", ")),
            Some(latest) => format!("behind {}", short(latest)),
            None => String::new(),
        }
    }

    /// Whether the record is of the latest failure.
    fn is_of_last(&self) -> bool {
        self.seen.words.is_empty() || self.seen_at == self.count
    }

    /// Whether the next failure is examined: in a long run most are not.
    fn examines_next(&self) -> bool {
        self.count < ALWAYS_EXAMINED || (self.count + 1) % EXAMINE_EVERY < 2
    }

    /// Records what the line has read; `guess` was the latest guess.
    fn record(&mut self, seen: ReadValues, moment: &Moment<'_>, guess: Option<Span>) {
        if self.seen_at + 1 == self.count && self.count > 1 && seen.is_all && self.seen.is_all {
            self.compared += 1;
            let is_elsewhere = !words::is_of_choice(moment.span, guess);
            if seen == self.seen
                && seen.is_older
                && is_elsewhere
                && let Some(guess) = guess
            {
                self.same += 1;
                self.redone.entry(guess.start).or_insert((guess, 0)).1 += 1;
            }
        }
        (self.seen, self.seen_at) = (seen, self.count);
    }

    /// The choice that was redone most often between two failures that had read equal values; `None` unless most had.
    fn redone_for_nothing(&self) -> Option<Span> {
        let is_much = self.same >= MANY_REDONE && self.same * 2 > self.compared;
        let (span, _) = self
            .redone
            .values()
            .max_by_key(|(_, count)| *count)
            .filter(|_| is_much)?;
        Some(*span)
    }
}

#[derive(Clone, Debug)]
struct Choices {
    span: Span,
    points: u64,
    taken: u64,
    /// How often a position was chosen.
    places: u64,
}

#[derive(Clone, Debug)]
struct PathEntry {
    span: Option<Span>,
    number: usize,
    of: usize,
    label: String,
}

impl Causes {
    /// An empty count for a program with these texts.
    pub fn new(sources: Sources) -> Causes {
        Causes {
            sources,
            causes: BTreeMap::new(),
            choices: BTreeMap::new(),
            path: VecDeque::new(),
            before_path: 0,
            depth: 0,
            deep_failures: 0,
            has_ended: false,
            deepest: Vec::new(),
            deepest_failure: None,
            latest_write: None,
            failing: None,
            since: WritesSinceGuess::default(),
            failures: 0,
            after_solutions: 0,
            without_candidates: 0,
            points: 0,
            decided: 0,
            solutions: 0,
            most_open: 0,
        }
    }

    /// The number of failures; a solution counts as one once another solution was asked for.
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Removes choices made after `choice` from the path; all of them if it is `None`. Ids ascend.
    fn drop_choices_after(&mut self, choice: Option<u64>, moment: &Moment<'_>) {
        let stays = choice.map_or(0, |choice| {
            self.path.partition_point(|(id, _)| *id <= choice)
        });
        self.path.truncate(stays);
        if stays == 0 {
            // It is one of those that are only counted, or there is none.
            self.before_path = if choice.is_none() {
                0
            } else {
                self.before_path.min(moment.open_choices())
            };
        }
    }

    /// The line of a span in words, and its text.
    fn line(&self, span: Option<Span>) -> Option<(String, &str)> {
        let (file, line, _) = self.sources.locate(span?)?;
        Some((self.sources.line_in_words(span?)?, file.line(line).trim()))
    }

    /// The report as text.
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{}: {}, {}, {} open at most\n",
            counted(self.solutions, "solution"),
            counted(self.failures, "failure"),
            counted(self.points, "choice point"),
            counted(self.most_open as u64, "choice"),
        );
        if self.failures > 0 {
            out.push_str("\nwhat failed, the most frequent first:\n");
        }
        let mut causes: Vec<_> = self
            .causes
            .iter()
            .filter(|(_, cause)| cause.count > 0)
            .collect();
        causes.sort_by_key(|(_, cause)| std::cmp::Reverse(cause.count));
        for (_, cause) in causes.iter().take(MOST_SHOWN) {
            self.put_cause(&mut out, cause);
        }
        if causes.len() > MOST_SHOWN {
            let _ = writeln!(
                out,
                "          and {}",
                counted(causes.len() - MOST_SHOWN, "other place")
            );
        }
        if self.after_solutions > 0 {
            let times = counted(self.after_solutions, "time");
            let _ = writeln!(
                out,
                "{times:>15}  behind a solution, because another one was wanted"
            );
        }
        if !self.choices.is_empty() {
            out.push_str("\nwhere it chose:\n");
        }
        let mut choices: Vec<&Choices> = self.choices.values().collect();
        choices.sort_by_key(|choices| std::cmp::Reverse(choices.taken));
        for choices in choices.iter().take(MOST_SHOWN) {
            let Some((line, text)) = self.line(Some(choices.span)) else {
                continue;
            };
            let (points, tried) = (
                counted(choices.points, "choice"),
                counted(choices.taken, "alternative"),
            );
            let _ = writeln!(out, "  {line}: {points}, {tried} tried: {}", short(text));
        }
        if let Some((why, span)) = &self.deepest_failure {
            let place = self
                .line(*span)
                .map_or_else(String::new, |(line, _)| format!(" on {line}"));
            let _ = writeln!(out, "\nthe deepest branch failed{place}: {}", short(why));
            let skipped = self.depth - self.deepest.len();
            if skipped > 0 {
                let _ = writeln!(out, "  ... {} before", counted(skipped, "choice"));
            }
            for entry in &self.deepest {
                let place = words::line_in_words(&self.sources, entry.span, ": ");
                let _ = writeln!(
                    out,
                    "  {place}{} of {}: {}",
                    entry.number + 1,
                    entry.of,
                    short(&entry.label)
                );
            }
        }
        for advice in self.advice() {
            let _ = writeln!(out, "\n{advice}");
        }
        out
    }

    /// The most frequent failure, and what to try, in a sentence each; empty if nothing has failed.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::Causes;
    /// let program = Engine::new().compile("let x = choose(1, 2, 3);\nrequire(x > 3, \"too small\");")?;
    /// let mut causes = Causes::new(program.sources().clone());
    /// program.run(1).watch(1000, &mut causes);
    /// assert_eq!(causes.in_short(), ["line 2 failed 3 times: too small; the last time with x = 3"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn in_short(&self) -> Vec<String> {
        // Of equally frequent causes, the first one in the program.
        let Some(worst) = self
            .causes
            .values()
            .rev()
            .max_by_key(|cause| cause.count)
            .filter(|cause| cause.count > 0)
        else {
            return Vec::new();
        };
        let place = self
            .line(worst.span)
            .map_or_else(|| "the program".to_string(), |(line, _)| line);
        let mut sentence = format!("{place} failed {}", counted(worst.count, "time"));
        let message = worst.messages.iter().rev().max_by_key(|(_, count)| **count);
        if let Some((why, _)) = message {
            let _ = write!(sentence, ": {}", short(why));
        }
        let read_values = worst.read_values_in_words();
        if !read_values.is_empty() && worst.is_of_last() {
            let _ = write!(sentence, "; the last time {read_values}");
        }
        let mut sentences = vec![sentence];
        sentences.extend(self.advice());
        sentences
    }

    /// A place that has failed: how often, with what words, and the last time.
    fn put_cause(&self, out: &mut String, cause: &Cause) {
        let times = counted(cause.count, "time");
        let only = cause
            .messages
            .keys()
            .next()
            .filter(|_| cause.messages.len() == 1);
        let _ = match only {
            Some(why) => {
                let place = words::line_in_words(&self.sources, cause.span, ": ");
                writeln!(out, "{times:>15}  {place}{}", short(why))
            }
            None => writeln!(
                out,
                "{times:>15}  {}",
                words::line_in_words(&self.sources, cause.span, "")
            ),
        };
        if let Some((_, text)) = self.line(cause.span) {
            let _ = writeln!(out, "{:17}{}", "", short(text));
        }
        let read_values = cause.read_values_in_words();
        let time = if cause.is_of_last() {
            "the last time"
        } else {
            "for example"
        };
        if only.is_some() {
            if !read_values.is_empty() {
                let _ = writeln!(out, "{:17}{time} {read_values}", "");
            }
            return;
        }
        let mut messages: Vec<(&String, &u64)> = cause.messages.iter().collect();
        messages.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (why, count) in messages.iter().take(MOST_SHOWN_MESSAGES) {
            let _ = writeln!(out, "{:17}{}: {}", "", counted(**count, "time"), short(why));
        }
        let others: u64 = cause.count
            - messages
                .iter()
                .take(MOST_SHOWN_MESSAGES)
                .map(|(_, count)| **count)
                .sum::<u64>();
        if others > 0 {
            let _ = writeln!(
                out,
                "{:17}and {} with other words",
                "",
                counted(others, "time")
            );
        }
        let _ = writeln!(
            out,
            "{:17}the last time: {}",
            "",
            short(&cause.latest_message)
        );
        if !read_values.is_empty() {
            let _ = writeln!(out, "{:17}{time} {read_values}", "");
        }
    }

    /// Whether the program uses restarts.
    fn has_restarts(&self) -> bool {
        let is_named = |text: &str| {
            tokens(text).any(|(class, at)| class == TokenClass::Name && &text[at] == RESTARTS)
        };
        self.sources.files().iter().any(|file| is_named(&file.text))
    }

    /// Advice for the author of the program, derived from the figures.
    fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        let mut is_redone = Vec::new();
        for cause in self.causes.values() {
            if let Some(guess) = cause.redone_for_nothing()
                && let Some((line, _)) = self.line(cause.span)
                && let Some((chosen, _)) = self.line(Some(guess))
            {
                is_redone.push(guess.start);
                let often = match cause.compared + 1 == cause.count {
                    true => format!("{} of {} times", cause.same, cause.count),
                    false => format!("{} of 100 times", cause.same * 100 / cause.compared),
                };
                advice.push(format!(
                    "{often} {line} failed for the very values of the time before: what was guessed in between, on {chosen}, \
                     has no part in it. Move the check up, right behind the last guess that it looks at: there it fails once \
                     for all of these."
                ));
            }
        }
        for choices in self.choices.values() {
            // More alternatives were taken than choice points made, so failures retried other places.
            let again = choices.taken - choices.points;
            if let Some((line, _)) = self.line(Some(choices.span))
                && choices.places * 2 > choices.taken
                && again >= MANY_REDONE
                && !is_redone.contains(&choices.span.start)
            {
                advice.push(format!(
                    "{line} chooses a place, and {again} times a failure made it choose another one. If all these places are \
                     filled in the end, which one comes next need not be a choice: every order leads to the same maps, and \
                     each contradiction is met in all of them. `randomElement(c)` draws a place without a choice, and \
                     `decide(g)` takes the smallest set."
                ));
            }
        }
        let wrong = self.failures - self.after_solutions;
        let first = self
            .causes
            .values()
            .map(|cause| cause.count)
            .max()
            .unwrap_or(0);
        if self.solutions == 0 && self.failures > 0 && self.points == 0 {
            advice
                .push("Nothing was guessed before it failed: the program contradicts itself as it stands.".to_string());
        } else if self.failures == 0 && self.solutions == 0 && !self.has_ended {
            advice.push(
                "Nothing has failed: the time goes into what runs between the choices. `ndscript profile` says which \
                 lines take it."
                    .to_string(),
            );
        } else if self.solutions == 0
            && !self.has_ended
            && wrong >= MANY_FAILURES
            && self.decided > 0
            && self.without_candidates * 2 > wrong
        {
            if !self.has_restarts() {
                advice.push(format!(
                    "Constraints failed {}, and there is no solution yet. Where early guesses were wrong, what follows from them \
                     is tried in vain: `{RESTARTS}(() => decide(g))` begins again after some failures, with other guesses. \
                     Weights help, too, where one value fits more often than others (`ndscript doc decide`).",
                    counted(self.without_candidates, "time"),
                ));
            }
        } else if advice.is_empty()
            && first * 10 > wrong * 9
            && wrong >= 100
            && self.depth > 3
            && self.deep_failures * 2 > wrong
        {
            // An early check fails at many depths; a late one fails where everything is guessed.
            advice.push(
                "Nearly all failures have one cause. Checked earlier, right after the guess that it is about, it \
                 would cut off more of the search; as a constraint (`ndscript doc allDifferent` and its neighbours) \
                 it would remove candidates before they are guessed."
                    .to_string(),
            );
        }
        advice
    }
}

impl Observer for Causes {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Write { target, .. } = event {
            self.since.write(target);
        }
        match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => {
                self.points += 1;
                self.most_open = self.most_open.max(moment.open_choices());
                self.drop_choices_after(*parent, moment);
                if self.path.len() >= MOST_OPEN_CHOICES {
                    self.path.pop_front();
                    self.before_path += 1;
                }
                let path_entry = PathEntry {
                    span: moment.span,
                    number: 0,
                    of: *alternatives,
                    label: String::new(),
                };
                self.path.push_back((*id, path_entry));
                if let Some(span) = moment.span {
                    let fresh = Choices {
                        span,
                        points: 0,
                        taken: 0,
                        places: 0,
                    };
                    self.choices.entry(span.start).or_insert(fresh).points += 1;
                }
            }
            Event::Take {
                id,
                number,
                alternative,
                value,
            } => {
                self.drop_choices_after(Some(*id), moment);
                let label = match (value, alternative) {
                    (Some(value), _) => value.beginning(MOST_CHARACTERS),
                    (None, Some(span)) => {
                        words::beginning(self.sources.text(*span), MOST_CHARACTERS)
                    }
                    (None, None) => moment
                        .search_in_words(*number)
                        .unwrap_or_default()
                        .to_string(),
                };
                // What `decide` has chosen means little without its place.
                let label = match moment.place_decided() {
                    Some(place) => {
                        self.decided += 1;
                        format!("{}: {label}", place.text(moment))
                    }
                    None => label,
                };
                if let Some((_, path_entry)) =
                    self.path.back_mut().filter(|(latest, _)| latest == id)
                {
                    (path_entry.number, path_entry.label) = (*number, label);
                }
                if let Some(choices) = moment
                    .span
                    .and_then(|span| self.choices.get_mut(&span.start))
                {
                    choices.taken += 1;
                    choices.places +=
                        u64::from(value.is_some_and(|value| value.kind() == Kind::Position));
                }
                self.latest_write = None;
                self.since.guess();
            }
            // Only the first write after a guess: making text of each is slow.
            Event::Write { target, value }
                if self
                    .latest_write
                    .as_ref()
                    .is_none_or(|latest| !latest.0 && !matches!(target, Target::Variable(_))) =>
            {
                let is_part = !matches!(target, Target::Variable(_));
                let place = target.text_in(moment, &self.sources);
                let words = format!("{place} = {}", value.beginning(MOST_CHARACTERS));
                // The value written in the choosing statement means more than the alternative.
                if let Some((_, path_entry)) = self.path.back_mut()
                    && is_part
                    && words::is_of_choice(moment.span, path_entry.span)
                    && !path_entry.label.starts_with(&place)
                {
                    path_entry.label.clone_from(&words);
                }
                self.latest_write = Some((is_part, words));
            }
            Event::Dying => {
                let cause = cause_at(&mut self.causes, &self.sources, moment.span);
                if cause.count == 0 {
                    self.since.watch(&cause.line);
                }
                self.failing = cause
                    .examines_next()
                    .then(|| cause.line.seen(moment, &self.since));
            }
            Event::Fail { why } if words::is_after_solution(moment, why) => {
                self.failures += 1;
                self.after_solutions += 1;
            }
            Event::Fail { why } => {
                self.failures += 1;
                self.without_candidates += u64::from(moment.leaves_nothing());
                let cause = cause_at(&mut self.causes, &self.sources, moment.span);
                cause.count += 1;
                if let Some(seen) = self.failing.take() {
                    cause.record(
                        seen,
                        moment,
                        self.path.back().and_then(|(_, path_entry)| path_entry.span),
                    );
                }
                let has_room = cause.messages.len() < MOST_MESSAGES;
                if let Some(count) = cause.messages.get_mut(*why) {
                    *count += 1;
                } else if has_room {
                    cause.messages.insert((*why).to_string(), 1);
                }
                (*why).clone_into(&mut cause.latest_message);
                cause.latest = self.latest_write.take().map(|latest| latest.1);
                let depth = self.before_path + self.path.len();
                if depth > self.depth {
                    (self.depth, self.deep_failures) = (depth, 0);
                    let first = self.path.len().saturating_sub(MOST_SHOWN);
                    self.deepest = self
                        .path
                        .iter()
                        .skip(first)
                        .map(|(_, path_entry)| path_entry.clone())
                        .collect();
                    self.deepest_failure = Some(((*why).to_string(), moment.span));
                }
                self.deep_failures += u64::from(depth == self.depth);
            }
            Event::End {
                result: "error", ..
            } => self.has_ended = true,
            Event::Solution { .. } => self.solutions += 1,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            deaths: true,
            reasons: false,
            ..Wanted::default()
        }
    }
}

/// The cause at a place of the program, which its first failure makes.
fn cause_at<'c>(
    causes: &'c mut BTreeMap<Option<u32>, Cause>,
    sources: &Sources,
    span: Option<Span>,
) -> &'c mut Cause {
    causes
        .entry(span.map(|span| span.start))
        .or_insert_with(|| Cause {
            span,
            count: 0,
            messages: BTreeMap::new(),
            latest_message: String::new(),
            latest: None,
            line: span.map_or_else(Line::default, |span| Line::at(sources, span)),
            seen: ReadValues::default(),
            seen_at: 0,
            compared: 0,
            same: 0,
            redone: BTreeMap::new(),
        })
}

/// A text on one line, shortened.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let short: String = line.chars().take(2 * MOST_CHARACTERS).collect();
    if short.len() < line.len() {
        short + "..."
    } else {
        short
    }
}
