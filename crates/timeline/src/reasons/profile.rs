//! The cost of a run, by line and by function.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::moments::words;
use crate::tree::json::quoted;
use ndscript::{Event, Moment, Observer, Wanted};
use ndscript::{MeasuredCall, Measurement};
use ndscript_base::counted::counted;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::markup;
use ndscript_base::source::{Sources, Span};

/// At most this many lines and functions are shown.
const MOST_SHOWN: usize = 15;

/// Fewer samples of time, hundredths of a millisecond each, say nothing.
const FEWEST_SAMPLES: u64 = 100;
/// At most this many characters of a line are shown.
const MOST_CHARACTERS: usize = 60;

/// The width of a flame graph, the height of its rows, and the least share of the width that is drawn.
const WIDTH: f64 = 1200.0;
const ROW: usize = 18;
const NARROWEST: f64 = 0.001;

/// The cost of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Steps, with those of the built-ins that it called.
    pub steps: u64,
    /// The samples of time that fell on it.
    pub samples: u64,
    /// Choice points that were made.
    pub choices: u64,
    /// Branches that failed.
    pub failures: u64,
    /// Writes that were taken back when the search went back to a choice point.
    pub undone: u64,
}

/// Watches a run and counts choices, failures and undone writes; with what [`Run::measure`](ndscript::Run::measure) has
/// found it makes a profile.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::Profile;
/// let script = "let x = 0;\nx = choose(1, 2, 3);\nrequire(x > 2);";
/// let program = Engine::new().compile_named("a.nds", script)?;
/// let mut run = program.run(1);
/// run.measure();
/// let mut profile = Profile::new(program.sources().clone());
/// run.watch(u64::MAX, &mut profile);
/// profile.add_measurement(run.measurement());
/// let lines: Vec<_> = profile.lines().into_iter().map(|(line, cost)| (line, cost.choices, cost.failures, cost.undone)).collect();
/// assert_eq!(lines, [(2, 1, 0, 2), (3, 0, 2, 0)]);
/// assert_eq!(profile.steps(), run.statistics().steps);
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Profile {
    sources: Sources,
    /// By file and line.
    costs: BTreeMap<(u32, usize), Cost>,
    /// The search, by place: the beginning of a statement.
    search: BTreeMap<u32, SearchCost>,
    /// For each open choice point, the latest one last, the writes since it was made.
    open: Vec<WritesSinceGuess>,
    measured: Measurement,
    samples: u64,
    /// How often a solution was undone because another one was wanted.
    after_solutions: u64,
}

#[derive(Clone, Debug)]
struct WritesSinceGuess {
    id: u64,
    alternatives: usize,
    /// By place.
    writes: KeyedMap<u32, u64>,
}

/// The search at a place, or in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCost {
    /// Choice points that were made.
    pub choices: u64,
    /// Branches that failed.
    pub failures: u64,
    /// Writes that were taken back when the search went back to a choice point.
    pub undone: u64,
}

/// A function in a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionCost {
    /// Its name.
    pub name: String,
    /// The line on which it stands, of a function of the program.
    pub line: Option<usize>,
    /// How often it was called.
    pub calls: u64,
    /// The steps in it.
    pub own: u64,
    /// The steps in it and in all that it called.
    pub all: u64,
    /// The search in the function, without what it called.
    pub search: SearchCost,
}

/// A part of a flame graph: a function with those that called it, each of them once.
struct Flame {
    parent: Option<usize>,
    name: String,
    line: Option<usize>,
    own: u64,
    all: u64,
}

impl Profile {
    /// An empty profile of a program with these texts.
    pub fn new(sources: Sources) -> Profile {
        Profile {
            sources,
            costs: BTreeMap::new(),
            search: BTreeMap::new(),
            open: Vec::new(),
            measured: Measurement::default(),
            samples: 0,
            after_solutions: 0,
        }
    }

    /// Adds a measurement of the run.
    pub fn add_measurement(&mut self, measured: Measurement) {
        for (span, steps) in &measured.places {
            self.cost(Some(*span)).steps += steps;
        }
        self.measured = measured;
    }

    /// Whether there are enough samples of time to say something.
    fn has_times(&self) -> bool {
        self.samples >= FEWEST_SAMPLES
    }

    /// Counts samples of time at a place.
    pub fn sample(&mut self, place: Option<Span>, samples: u64) {
        self.samples += samples;
        self.cost(place).samples += samples;
    }

    /// All steps.
    pub fn steps(&self) -> u64 {
        self.costs.values().map(|cost| cost.steps).sum()
    }

    /// The lines of the program's own file that cost anything.
    pub fn lines(&self) -> Vec<(usize, Cost)> {
        self.costs
            .iter()
            .filter(|((base, _), _)| *base == 0)
            .map(|((_, line), cost)| (*line, *cost))
            .collect()
    }

    /// The functions, those first that took most steps with all that they called.
    pub fn functions(&self) -> Vec<FunctionCost> {
        let calls = &self.measured.calls;
        let keys: Vec<(String, Option<usize>)> = calls.iter().map(|call| self.name(call)).collect();
        let mut functions: BTreeMap<&(String, Option<usize>), FunctionCost> = BTreeMap::new();
        for (call, key) in calls.iter().zip(&keys) {
            let search = SearchCost::default();
            let fresh = FunctionCost {
                name: key.0.clone(),
                line: key.1,
                calls: 0,
                own: 0,
                all: 0,
                search,
            };
            let function = functions.entry(key).or_insert(fresh);
            function.calls += call.calls;
            function.own += call.steps;
        }
        // A function occurs once on each path, so that a recursive call does not count twice.
        let flames = self.flames();
        for flame in &flames {
            if let Some(function) = functions.get_mut(&(flame.name.clone(), flame.line)) {
                function.all += flame.all;
            }
        }
        for (place, cost) in &self.search {
            let key = self.innermost_at(*place);
            if let Some(function) = functions.get_mut(&key) {
                function.search.choices += cost.choices;
                function.search.failures += cost.failures;
                function.search.undone += cost.undone;
            }
        }
        let mut functions: Vec<FunctionCost> = functions.into_values().collect();
        functions.sort_by(|a, b| b.all.cmp(&a.all).then_with(|| a.name.cmp(&b.name)));
        functions
    }

    /// The function that a place of the program lies in, by its name and line.
    fn innermost_at(&self, place: u32) -> (String, Option<usize>) {
        let is_around = |call: &&MeasuredCall| {
            call.parent.is_none()
                || call
                    .span
                    .is_some_and(|span| (span.start..span.end).contains(&place))
        };
        // Of two functions that enclose it, the one that begins later lies inside the other.
        let innermost = self
            .measured
            .calls
            .iter()
            .filter(is_around)
            .max_by_key(|call| call.span.map(|span| span.start));
        innermost.map_or_else(Default::default, |call| self.name(call))
    }

    /// The calls, with every function once on each path: a recursion is folded into its first call.
    fn flames(&self) -> Vec<Flame> {
        let calls = &self.measured.calls;
        let mut flames: Vec<Flame> = Vec::new();
        let mut folded: Vec<usize> = Vec::with_capacity(calls.len());
        let mut children: KeyedMap<(usize, String, Option<usize>), usize> = KeyedMap::default();
        for call in calls {
            let (name, line) = self.name(call);
            let parent = call.parent.map(|parent| folded[parent]);
            let mut above = parent;
            let again = loop {
                match above {
                    Some(at) if flames[at].name == name && flames[at].line == line => {
                        break Some(at);
                    }
                    Some(at) => above = flames[at].parent,
                    None => break None,
                }
            };
            let at = match (again, parent) {
                (Some(at), _) => at,
                (None, Some(parent)) => *children
                    .entry((parent, name.clone(), line))
                    .or_insert_with(|| {
                        flames.push(Flame {
                            parent: Some(parent),
                            name,
                            line,
                            own: 0,
                            all: 0,
                        });
                        flames.len() - 1
                    }),
                (None, None) => {
                    flames.push(Flame {
                        parent: None,
                        name,
                        line,
                        own: 0,
                        all: 0,
                    });
                    flames.len() - 1
                }
            };
            flames[at].own += call.steps;
            folded.push(at);
        }
        for at in (0..flames.len()).rev() {
            flames[at].all += flames[at].own;
            if let Some(parent) = flames[at].parent {
                flames[parent].all += flames[at].all;
            }
        }
        flames
    }

    /// The name of a call, and the line of its function.
    fn name(&self, call: &MeasuredCall) -> (String, Option<usize>) {
        let line = call
            .span
            .and_then(|span| self.sources.locate(span))
            .map(|found| found.1);
        match (&*call.name, call.parent) {
            (_, None) => ("the program itself".to_string(), None),
            ("", _) => ("a function value".to_string(), line),
            (name, _) => (name.to_string(), line),
        }
    }

    fn key(&self, place: Option<Span>) -> (u32, usize) {
        match place.and_then(|span| self.sources.locate(span)) {
            Some((file, line, _)) => (file.base, line),
            None => (0, 0),
        }
    }

    /// Counts what the search does at a place, for its line and for the function that it lies in.
    fn count(&mut self, place: Option<u32>, add: SearchCost) {
        let line = self.cost(place.map(|start| Span::new(start, start)));
        line.choices += add.choices;
        line.failures += add.failures;
        line.undone += add.undone;
        if let Some(start) = place {
            let known = self.search.entry(start).or_default();
            known.choices += add.choices;
            known.failures += add.failures;
            known.undone += add.undone;
        }
    }

    fn cost(&mut self, place: Option<Span>) -> &mut Cost {
        let key = self.key(place);
        self.costs.entry(key).or_default()
    }

    fn line_of(&self, (base, line): (u32, usize)) -> (String, &str) {
        match self.sources.file_at(base) {
            Some(file) if line > 0 => {
                let name = if base == 0 {
                    String::new()
                } else {
                    format!("{} ", file.name)
                };
                (format!("{name}{line}"), file.line(line).trim())
            }
            _ => ("-".to_string(), ""),
        }
    }

    /// The most expensive lines and functions, as tables.
    pub fn to_text(&self) -> String {
        let steps = self.steps().max(1);
        let failures =
            self.costs.values().map(|cost| cost.failures).sum::<u64>() + self.after_solutions;
        let mut out = format!(
            "{}, {}",
            counted(self.steps(), "step"),
            counted(failures, "failure")
        );
        if self.after_solutions > 0 {
            let _ = write!(
                out,
                " ({} behind a solution, because another one was wanted)",
                self.after_solutions
            );
        }
        if self.has_times() {
            let _ = write!(out, ", {} of time", counted(self.samples, "sample"));
        }
        out.push_str("\n\n");
        let is_shown = |cost: &Cost| {
            self.has_times()
                || Cost {
                    samples: 0,
                    ..*cost
                } != Cost::default()
        };
        let mut costs: Vec<(&(u32, usize), &Cost)> = self
            .costs
            .iter()
            .filter(|(_, cost)| is_shown(cost))
            .collect();
        costs.sort_by(|a, b| b.1.steps.cmp(&a.1.steps).then(a.0.cmp(b.0)));
        let time = if self.has_times() { "  time" } else { "" };
        let _ = writeln!(
            out,
            "      steps      %{time}  choices failures   undone  line"
        );
        for (key, cost) in costs.iter().take(MOST_SHOWN) {
            let (line, text) = self.line_of(**key);
            let text: String = text.chars().take(MOST_CHARACTERS).collect();
            let _ = writeln!(out, "{}  {line}: {text}", self.columns(cost, steps));
        }
        if costs.len() > MOST_SHOWN {
            let _ = writeln!(out, "and {} other lines", costs.len() - MOST_SHOWN);
        }
        out.push_str("\n  all steps  own steps      calls  choices failures   undone  function\n");
        let functions = self.functions();
        for function in functions.iter().take(MOST_SHOWN) {
            let line = function
                .line
                .map_or_else(String::new, |line| format!(", line {line}"));
            let FunctionCost {
                name,
                calls,
                own,
                all,
                search,
                ..
            } = function;
            let SearchCost {
                choices,
                failures,
                undone,
            } = search;
            let _ = writeln!(
                out,
                "{all:>11}{own:>11}{calls:>11}{choices:>9}{failures:>9}{undone:>9}  {name}{line}"
            );
        }
        if functions.len() > MOST_SHOWN {
            let _ = writeln!(out, "and {} other functions", functions.len() - MOST_SHOWN);
        }
        out
    }

    /// The columns of a row of the profile.
    fn columns(&self, cost: &Cost, steps: u64) -> String {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let time = if self.has_times() {
            format!("{:>6.1}", share(cost.samples, self.samples))
        } else {
            String::new()
        };
        let Cost {
            choices,
            failures,
            undone,
            ..
        } = cost;
        format!(
            "{:>11}{:>7.1}{time}{choices:>9}{failures:>9}{undone:>9}",
            cost.steps,
            share(cost.steps, steps)
        )
    }

    /// The text of the program with the cost of each line beside it.
    pub fn to_source(&self) -> String {
        let steps = self.steps().max(1);
        let time = if self.has_times() { "  time" } else { "" };
        let is_shown = |cost: &&Cost| {
            self.has_times()
                || Cost {
                    samples: 0,
                    ..**cost
                } != Cost::default()
        };
        let mut out = format!("      steps      %{time}  choices failures   undone\n");
        for (number, file) in self.sources.files().iter().enumerate() {
            if number > 0 {
                let is_used = self.costs.keys().any(|(base, _)| *base == file.base);
                if !is_used {
                    continue;
                }
                let _ = writeln!(out, "\n{}", file.name);
            }
            for (at, text) in file.text.lines().enumerate() {
                match self
                    .costs
                    .get(&(file.base, at + 1))
                    .filter(|cost| is_shown(cost))
                {
                    Some(cost) => {
                        let _ =
                            writeln!(out, "{}  {:>4}  {text}", self.columns(cost, steps), at + 1);
                    }
                    None => {
                        let _ = writeln!(out, "{:1$}  {2:>4}  {text}", "", 45 + time.len(), at + 1);
                    }
                }
            }
        }
        out
    }

    /// A flame graph of the steps: callers are below the functions that they call, as wide as the steps of both.
    pub fn to_svg(&self, title: &str) -> String {
        let flames = self.flames();
        let whole = flames.first().map_or(1, |flame| flame.all).max(1) as f64;
        let mut spots: Vec<Option<(f64, usize)>> = vec![None; flames.len()];
        let mut filled: Vec<f64> = vec![0.0; flames.len()];
        let mut deepest = 0;
        for (at, flame) in flames.iter().enumerate() {
            let place = match flame.parent {
                None => Some((0.0, 0)),
                Some(parent) => spots[parent].map(|(left, row)| {
                    let begin = left + filled[parent];
                    filled[parent] += flame.all as f64 / whole;
                    (begin, row + 1)
                }),
            };
            spots[at] = place.filter(|_| flame.all as f64 / whole >= NARROWEST);
            deepest = deepest.max(spots[at].map_or(0, |spot| spot.1));
        }
        let height = (deepest + 3) * ROW;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{0}: where the steps go</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"6\" y=\"14\">{0}: {1} steps</text>\n",
            markup::text(title),
            self.steps()
        );
        for (flame, spot) in flames.iter().zip(&spots) {
            let Some((left, row)) = spot else { continue };
            let (x, width) = (left * WIDTH, flame.all as f64 / whole * WIDTH);
            let y = height - (row + 1) * ROW - ROW / 2;
            let line = flame
                .line
                .map_or_else(String::new, |line| format!(", line {line}"));
            let share = 100.0 * flame.all as f64 / whole;
            let words = format!(
                "{}{line}: {}, {share:.1} %, {} of them its own",
                flame.name,
                counted(flame.all, "step"),
                flame.own
            );
            // Warm colors that differ by name, and are equal for equal names.
            let hue = flame.name.bytes().fold(7u32, |hash, byte| {
                hash.wrapping_mul(31).wrapping_add(byte.into())
            }) % 40
                + 15;
            let characters = (width / 6.5) as usize;
            let name: String = flame
                .name
                .chars()
                .take(if characters < 3 { 0 } else { characters })
                .collect();
            let _ = writeln!(
                out,
                "<g><title>{}</title><rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{}\" fill=\"hsl({hue},80%,68%)\" stroke=\"white\" stroke-width=\"0.5\"/><text x=\"{:.2}\" y=\"{}\">{}</text></g>",
                markup::text(&words),
                ROW - 1,
                x + 3.0,
                y + 12,
                markup::text(&name)
            );
        }
        out.push_str("</svg>\n");
        out
    }

    /// The calls as speedscope reads them (<https://www.speedscope.app>, the sampled form), with steps as weights.
    pub fn to_speedscope(&self, title: &str) -> String {
        let flames = self.flames();
        let mut frames: Vec<(&str, Option<usize>)> = Vec::new();
        let mut numbers: KeyedMap<(&str, Option<usize>), usize> = KeyedMap::default();
        let number_of = flames.iter().map(|flame| {
            *numbers.entry((&flame.name, flame.line)).or_insert_with(|| {
                frames.push((&flame.name, flame.line));
                frames.len() - 1
            })
        });
        let number_of: Vec<usize> = number_of.collect();
        let file = self.sources.files().first().map_or("", |file| &*file.name);
        let frames: Vec<String> = frames
            .iter()
            .map(|(name, line)| match line {
                Some(line) => format!(
                    "{{\"name\":{},\"file\":{},\"line\":{line}}}",
                    quoted(name),
                    quoted(file)
                ),
                None => format!("{{\"name\":{}}}", quoted(name)),
            })
            .collect();
        let mut samples = Vec::new();
        let mut weights = Vec::new();
        for (at, flame) in flames.iter().enumerate().filter(|(_, flame)| flame.own > 0) {
            let mut stack = vec![number_of[at].to_string()];
            let mut above = flame.parent;
            while let Some(parent) = above {
                stack.push(number_of[parent].to_string());
                above = flames[parent].parent;
            }
            stack.reverse();
            samples.push(format!("[{}]", stack.join(",")));
            weights.push(flame.own.to_string());
        }
        let end: u64 = flames.iter().map(|flame| flame.own).sum();
        let (frames, samples, weights) = (frames.join(","), samples.join(","), weights.join(","));
        format!(
            "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ndscript\",\"name\":{0},\n\
             \"shared\":{{\"frames\":[{frames}]}},\n\
             \"profiles\":[{{\"type\":\"sampled\",\"name\":{0},\"unit\":\"none\",\"startValue\":0,\"endValue\":{end},\n\
             \"samples\":[{samples}],\n\"weights\":[{weights}]}}]}}\n",
            quoted(title)
        )
    }
}

/// The place of what has none in the program.
const NOWHERE: u32 = u32::MAX;

fn start_of(moment: &Moment<'_>) -> Option<u32> {
    moment.span.map(|span| span.start)
}

impl Observer for Profile {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => {
                self.count(
                    start_of(moment),
                    SearchCost {
                        choices: 1,
                        ..SearchCost::default()
                    },
                );
                self.close_above(*parent);
                self.open.push(WritesSinceGuess {
                    id: *id,
                    alternatives: *alternatives,
                    writes: KeyedMap::default(),
                });
            }
            Event::Take { id, number, .. } if *number > 0 => {
                let Some(at) = self.open.iter().rposition(|since| since.id == *id) else {
                    return ControlFlow::Continue(());
                };
                let undone = self
                    .open
                    .drain(at + 1..)
                    .flat_map(|since| since.writes)
                    .collect::<Vec<_>>();
                let own = std::mem::take(&mut self.open[at].writes);
                for (key, count) in undone.into_iter().chain(own) {
                    self.count(
                        (key != NOWHERE).then_some(key),
                        SearchCost {
                            undone: count,
                            ..SearchCost::default()
                        },
                    );
                }
                if number + 1 >= self.open[at].alternatives {
                    self.open.truncate(at);
                }
            }
            Event::Write { .. } => {
                let key = start_of(moment).unwrap_or(NOWHERE);
                if let Some(since) = self.open.last_mut() {
                    *since.writes.entry(key).or_default() += 1;
                }
            }
            Event::Fail { why } if words::is_after_solution(moment, why) => {
                self.after_solutions += 1
            }
            Event::Fail { .. } => {
                self.count(
                    start_of(moment),
                    SearchCost {
                        failures: 1,
                        ..SearchCost::default()
                    },
                );
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reasons: false,
            ..Wanted::default()
        }
    }
}

impl Profile {
    /// Choice points above this one are gone: what was written since then is undone with it.
    fn close_above(&mut self, parent: Option<u64>) {
        while let Some(last) = self.open.last()
            && Some(last.id) != parent
        {
            let Some(closed) = self.open.pop() else {
                return;
            };
            if let Some(below) = self.open.last_mut() {
                for (key, count) in closed.writes {
                    *below.writes.entry(key).or_default() += count;
                }
            }
        }
    }
}
