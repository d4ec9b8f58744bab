//! A search for as long as one asks, and what it has found.

use std::time::{Duration, Instant};

use super::LARGE;
use super::exceptions;
use super::measure::{Measured, Promise};
use super::program::Program;
use super::worker::Worker;

/// What a finding is about: a promise, or one of the times that nobody promises anything of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Subject {
    Broken(Promise),
    /// The longest time between two looks.
    Pause,
    /// The longest collection of garbage.
    Collection,
    /// Time for each step.
    Pace,
}

impl Subject {
    const ALL: [Subject; 8] = [
        Subject::Broken(Promise::Panic),
        Subject::Broken(Promise::Memory),
        Subject::Broken(Promise::Stretch),
        Subject::Broken(Promise::Latency),
        Subject::Broken(Promise::Message),
        Subject::Pause,
        Subject::Pace,
        Subject::Collection,
    ];

    /// How bad it is; 0 for what is as it should be.
    fn badness(self, measured: &Measured) -> f64 {
        match self {
            Subject::Broken(promise) if !measured.broken().contains(&promise) => 0.0,
            Subject::Broken(Promise::Stretch) => measured.stretch as f64,
            Subject::Broken(Promise::Latency) => measured.latency as f64,
            Subject::Broken(Promise::Memory) => measured.peak as f64 / measured.limit as f64,
            Subject::Broken(Promise::Message) => measured.message as f64,
            Subject::Broken(Promise::Panic) => 1.0,
            Subject::Pause => Some(measured.pause.as_secs_f64() * 1e3)
                .filter(|pause| *pause > 4.0)
                .unwrap_or(0.0),
            Subject::Collection => measured.collection.as_secs_f64() * 1e3,
            Subject::Pace if measured.time < Duration::from_millis(50) => 0.0,
            Subject::Pace => Some(measured.nanoseconds_a_step())
                .filter(|pace| *pace > 60.0)
                .unwrap_or(0.0),
        }
    }

    /// What is left of it in a program that was made smaller.
    fn share(self) -> f64 {
        match self {
            Subject::Broken(_) => 0.0,
            _ => 0.6,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Subject::Broken(Promise::Panic) => "Panics, hangs and deaths",
            Subject::Broken(Promise::Memory) => "More memory than promised",
            Subject::Broken(Promise::Stretch) => "Longer stretches between two looks than promised",
            Subject::Broken(Promise::Latency) => "Cancellations seen later than promised",
            Subject::Broken(Promise::Message) => "Messages longer than promised",
            Subject::Pause => {
                "The longest times between two looks, collections apart (held to nothing)"
            }
            Subject::Collection => "The longest collections of garbage (held to nothing)",
            Subject::Pace => "The most time for each step (held to nothing)",
        }
    }
}

/// A program that is bad in some way.
struct Finding {
    seed: u64,
    badness: f64,
    program: Program,
    measured: Measured,
}

/// The worst programs of a subject, the worst first.
struct Worst {
    subject: Subject,
    findings: Vec<Finding>,
}

/// So many programs of a subject are kept, to be made smaller.
const KEPT: usize = 60;
/// So many are reported.
const REPORTED: usize = 10;

impl Worst {
    fn consider(&mut self, seed: u64, program: &Program, measured: &Measured) {
        let badness = self.subject.badness(measured);
        if badness > 0.0 {
            let at = self
                .findings
                .partition_point(|finding| finding.badness >= badness);
            self.findings.insert(
                at,
                Finding {
                    seed,
                    badness,
                    program: program.clone(),
                    measured: measured.clone(),
                },
            );
            self.findings.truncate(KEPT);
        }
    }

    /// Makes programs smaller, and keeps the worst of those that come down to the same built-ins.
    fn distinct(&mut self, worker: &mut Worker, until: Instant) {
        let mut kinds: Vec<Vec<String>> = Vec::new();
        let mut distinct: Vec<Finding> = Vec::new();
        let mut later = Vec::new();
        let mut findings = std::mem::take(&mut self.findings).into_iter();
        while Instant::now() < until && distinct.len() < REPORTED {
            let Some(finding) = findings.next() else {
                if later.is_empty() {
                    break;
                }
                findings = std::mem::take(&mut later).into_iter();
                kinds.clear();
                continue;
            };
            // What has all names of another one is most likely bad for the same reason.
            let all = names(&finding.program.text());
            if kinds
                .iter()
                .any(|kind| kind.iter().all(|name| all.contains(name)))
            {
                later.push(finding);
            } else if let Some(finding) = self.smaller(finding, worker, until) {
                let names = names(&finding.program.text());
                let is_new = distinct
                    .iter()
                    .all(|other| self::names(&other.program.text()) != names);
                kinds.push(names);
                if is_new {
                    distinct.push(finding);
                }
            }
        }
        distinct.sort_by(|one, other| other.badness.total_cmp(&one.badness));
        self.findings = distinct;
    }

    /// The finding made smaller; `None` if it is not bad a second time.
    fn smaller(&self, finding: Finding, worker: &mut Worker, until: Instant) -> Option<Finding> {
        let subject = self.subject;
        // The clock counts what other programs do with the processor, too: the least of several times is taken.
        let times = if matches!(subject, Subject::Broken(_)) {
            1
        } else {
            3
        };
        let mut again = |program: &Program, enough: f64| {
            let mut least: Option<Measured> = None;
            for _ in 0..times {
                let measured = worker.measure(program);
                if least
                    .as_ref()
                    .is_none_or(|least| subject.badness(&measured) < subject.badness(least))
                {
                    least = Some(measured);
                }
                if least
                    .as_ref()
                    .is_some_and(|least| subject.badness(least) < enough)
                {
                    break;
                }
            }
            least.unwrap_or_default()
        };
        let first = subject.badness(&again(&finding.program, 0.0));
        let least = (first * subject.share()).max(f64::MIN_POSITIVE);
        if first < finding.badness * 0.3 || first == 0.0 {
            return None;
        }
        let program = finding.program.shrunk(&mut |smaller| {
            Instant::now() < until && subject.badness(&again(smaller, least)) >= least
        });
        let measured = again(&program, 0.0);
        Some(Finding {
            seed: finding.seed,
            badness: subject.badness(&measured),
            program,
            measured,
        })
    }

    fn report(&self) {
        println!("\n### {}\n", self.subject.title());
        if self.findings.is_empty() {
            println!("None.");
        }
        for finding in &self.findings {
            let Finding {
                seed,
                badness,
                program,
                measured,
            } = finding;
            let globals = if program.keeps_globals {
                ", with globals"
            } else {
                ""
            };
            println!(
                "- {badness:.2} (seed {seed}{globals}) {measured}\n\n```js\n{}```\n",
                program.text()
            );
        }
    }
}

/// The built-ins that a program names, apart from those that make values everywhere.
fn names(text: &str) -> Vec<String> {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    let mut names: Vec<String> = words
        .filter(|word| ndscript::reference::find(word).is_some())
        .map(String::from)
        .collect();
    names.retain(|name| !["map", "range", "push"].contains(&name.as_str()));
    names.sort_unstable();
    names.dedup();
    names
}

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn for_as_long_as_one_asks() {
    let Some(seconds) = asked("NDSCRIPT_HOSTILE_SECONDS") else {
        return;
    };
    let from = asked("NDSCRIPT_HOSTILE_SEED").unwrap_or(1_000_000);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut worker = Worker::default();
    let mut worst = Subject::ALL.map(|subject| Worst {
        subject,
        findings: Vec::new(),
    });
    let (mut seed, mut broken, mut steps, mut solved) = (from, 0, 0, 0);
    while Instant::now() < end {
        let program = Program::of_seed(seed, LARGE);
        let measured = worker.measure(&program);
        steps += measured.steps;
        solved += u64::from(measured.end == "solved" || measured.end == "failed");
        worst
            .iter_mut()
            .for_each(|worst| worst.consider(seed, &program, &measured));
        let known = |promise: &Promise| exceptions::is_known(*promise, &program.text());
        if !measured.broken().iter().all(known) {
            broken += 1;
            println!("seed {seed}: {:?}: {measured}", measured.broken());
        }
        seed += 1;
    }
    println!(
        "\n{} programs (seeds {from} to {}), {solved} of them without an error or a limit, {steps} steps, {broken} break a promise",
        seed - from,
        seed - 1
    );
    for worst in &mut worst {
        let share = Duration::from_secs(seconds / 4 + 10);
        worst.distinct(&mut worker, Instant::now() + share);
        worst.report();
    }
    assert_eq!(broken, 0, "programs that break a promise");
}

/// Runs the programs of some seeds again, shows them, and makes each that breaks a promise smaller for so many seconds.
#[test]
fn those_that_one_names() {
    let Ok(seeds) = std::env::var("NDSCRIPT_HOSTILE_SEEDS") else {
        return;
    };
    let share = Duration::from_secs(asked("NDSCRIPT_HOSTILE_SECONDS").unwrap_or(60));
    let seeds: Vec<u64> = seeds
        .split(',')
        .map(|seed| seed.trim().parse().unwrap())
        .collect();
    let mut worker = Worker::default();
    let mut broken = 0;
    for seed in seeds {
        let program = Program::of_seed(seed, LARGE);
        let measured = worker.measure(&program);
        println!("seed {seed}: {:?}: {measured}", measured.broken());
        let Some(promise) = measured.broken().first().copied() else {
            println!("{}", program.text());
            continue;
        };
        broken += 1;
        let until = Instant::now() + share;
        let mut breaks = |smaller: &Program| {
            let again = worker.measure(smaller);
            again.broken().contains(&promise) && again.panic == measured.panic
        };
        let program = program.shrunk(&mut |smaller| Instant::now() < until && breaks(smaller));
        let measured = worker.measure(&program);
        println!("  made smaller: {measured}\n{}", program.text());
    }
    assert_eq!(broken, 0, "programs that break a promise");
}

#[test]
fn what_is_bad_is_kept_in_order() {
    let program = Program::default();
    let mut worst = Worst {
        subject: Subject::Broken(Promise::Message),
        findings: Vec::new(),
    };
    for (seed, message) in [(1, 10), (2, 20_000), (3, 90_000), (4, 30_000)] {
        worst.consider(
            seed,
            &program,
            &Measured {
                message,
                limit: 1,
                ..Measured::default()
            },
        );
    }
    let seeds: Vec<u64> = worst.findings.iter().map(|finding| finding.seed).collect();
    assert_eq!(seeds, [3, 4, 2]);
}
