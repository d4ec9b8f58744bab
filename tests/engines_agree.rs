//! Two engines agree: the machine and the naive interpreter of `tests/naive` must find the same solutions of
//! generated programs, in the same order where choices are ordered, and end with the same kind of error.
//!
//! `NDSCRIPT_PROGRAMS` sets how many programs are compared, `NDSCRIPT_SEED` which ones; `NDSCRIPT_ONLY` compares the
//! one program whose seed a disagreement names.

mod generator;
mod naive;

use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ndscript::{Engine, Outcome, Program};

use generator::{Node, minimised, shortened};
use naive::{Bounds, End, Findings};

const PROGRAMS: u64 = 3000;
/// Steps that the naive interpreter may take for one program.
const STEPS: usize = 100_000;
/// Solutions of one program that are compared.
const SOLUTIONS: usize = 200;
/// Fuel that the machine may use for one program.
const FUEL: u64 = 20_000_000;
/// The naive interpreter recurses on the native stack.
const STACK: usize = 512 << 20;
/// How long a disagreement is made smaller.
const PATIENCE: Duration = Duration::from_secs(40);
const SHOWN_DISAGREEMENTS: usize = 5;

/// What the machine found out about a program.
#[derive(Debug)]
struct MachineFindings {
    solutions: Vec<(String, String)>,
    error: Option<String>,
    /// Why it stopped before the end.
    stopped: Option<String>,
}

/// How many runs there have been.
#[cfg(debug_assertions)]
static RUNS: AtomicUsize = AtomicUsize::new(0);

fn run_machine(program: &Program, seed: u64, most: usize) -> MachineFindings {
    let mut run = program.run(seed);
    // Besides, every failure must restore exactly what there was; looking is slow, so in every third program only.
    #[cfg(debug_assertions)]
    if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
        run.verify_backtracking();
    }
    let mut findings = MachineFindings { solutions: Vec::new(), error: None, stopped: None };
    while findings.solutions.len() < most {
        match run.resume(FUEL) {
            Outcome::Solved(solution) => findings.solutions.push((solution.text, solution.value.to_string())),
            Outcome::Failed => break,
            Outcome::Error(error) => {
                findings.error = Some(format!("{:?}", error.kind));
                break;
            }
            Outcome::OutOfFuel => {
                findings.stopped = Some("out of fuel".to_string());
                break;
            }
            Outcome::Limit(limit) => {
                findings.stopped = Some(format!("limit {limit:?}"));
                break;
            }
            Outcome::Asked(_) => {
                findings.stopped = Some("a question".to_string());
                break;
            }
        }
    }
    findings
}

enum Verdict {
    Agree,
    Dropped(String),
    Disagree(Difference, String),
}

#[derive(Clone, Copy, PartialEq)]
enum Difference {
    Syntax,
    Compilation,
    Panic,
    Findings,
}

/// How one program was compared.
struct Comparison {
    verdict: Verdict,
    solutions: usize,
    error: bool,
}

/// Compares the engines on a program; the order of solutions counts unless it is left open.
fn compare(text: &str, any_order: bool) -> Comparison {
    let script = match ndscript::syntax::parse(text, 0) {
        Ok(script) => script,
        Err(diagnostics) => {
            let verdict = Verdict::Disagree(Difference::Syntax, format!("syntax error: {}", diagnostics[0].message));
            return Comparison { verdict, solutions: 0, error: false };
        }
    };
    // Which solutions come first is a matter of chance where the order is, so all are needed there.
    let most = if any_order { SOLUTIONS * 5 } else { SOLUTIONS };
    let found = naive::run(&script, Bounds { steps: STEPS, solutions: most }, any_order);
    let error = matches!(found.end, End::Error(..)) || !found.possible_errors.is_empty();
    let solutions = found.solutions.len();
    let verdict = match &found.end {
        End::Dropped(reason) => Verdict::Dropped(reason.clone()),
        _ if any_order && solutions == most => Verdict::Dropped("too many solutions".to_string()),
        _ => judge(text, found, most, any_order),
    };
    Comparison { verdict, solutions, error }
}

fn judge(text: &str, naive: Findings, most: usize, any_order: bool) -> Verdict {
    let program = match Engine::new().compile(text) {
        Ok(program) => program,
        Err(error) => {
            let message = format!("the machine does not compile it: {error}");
            return Verdict::Disagree(Difference::Compilation, message);
        }
    };
    let machine = match catch_unwind(AssertUnwindSafe(|| run_machine(&program, 1, most))) {
        Ok(machine) => machine,
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map_or("", |message| message);
            return Verdict::Disagree(Difference::Panic, format!("the machine panicked: {message}"));
        }
    };
    if let Some(reason) = &machine.stopped {
        return Verdict::Dropped(format!("the machine stopped: {reason}"));
    }
    let agree = if any_order { agree_in_any_order(&naive, &machine) } else { agree_in_order(&naive, &machine) };
    if agree { Verdict::Agree } else { Verdict::Disagree(Difference::Findings, difference(&naive, &machine)) }
}

fn agree_in_order(naive: &Findings, machine: &MachineFindings) -> bool {
    let error = match &naive.end {
        End::Error(name, _) => Some(format!("{name:?}")),
        _ => None,
    };
    naive.solutions == machine.solutions && error == machine.error
}

fn agree_in_any_order(naive: &Findings, machine: &MachineFindings) -> bool {
    let mut left = naive.solutions.clone();
    for solution in &machine.solutions {
        let Some(at) = left.iter().position(|other| other == solution) else { return false };
        left.swap_remove(at);
    }
    if naive.possible_errors.is_empty() && naive.end == End::Complete {
        return left.is_empty() && machine.error.is_none();
    }
    let mut possible = naive.possible_errors.clone();
    if let End::Error(name, _) = &naive.end {
        possible.push(*name);
    }
    match &machine.error {
        Some(error) => possible.iter().any(|name| format!("{name:?}") == *error),
        // A search that stops at its first solution may not come to an error behind it.
        None => true,
    }
}

fn difference(naive: &Findings, machine: &MachineFindings) -> String {
    let at = naive.solutions.iter().zip(&machine.solutions).take_while(|(a, b)| a == b).count();
    format!(
        "naive:   {} solutions, end {:?}, possible errors {:?}\nmachine: {} solutions, error {:?}\n\
         first difference at solution {at}\nnaive:   {:?}\nmachine: {:?}",
        naive.solutions.len(),
        naive.end,
        naive.possible_errors,
        machine.solutions.len(),
        machine.error,
        naive.solutions.get(at),
        machine.solutions.get(at),
    )
}

/// A disagreement with its program made small.
fn report(seed: u64, any_order: bool, nodes: Vec<Node>, kind: Difference) -> String {
    let begin = Instant::now();
    let mut keeps = |nodes: &[Node]| {
        begin.elapsed() < PATIENCE
            && ndscript::syntax::parse(&generator::text(nodes), 0).is_ok()
            && matches!(compare(&generator::text(nodes), any_order).verdict, Verdict::Disagree(other, _) if other == kind)
    };
    let small = minimised(nodes, &mut keeps);
    let small = minimised(shortened(small, &mut keeps), &mut keeps);
    let text = generator::text(&small);
    let Verdict::Disagree(_, difference) = compare(&text, any_order).verdict else {
        return format!("{seed}: unstable");
    };
    let order = if any_order { "any order" } else { "in order" };
    format!("seed {seed}, {order}:\n{text}{difference}\n")
}

#[derive(Default)]
struct Tally {
    compared: usize,
    dropped: Vec<String>,
    several_solutions: usize,
    errors: usize,
    disagreements: Vec<String>,
}

fn tally(seeds: impl Iterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        // A third of the programs has random choices.
        let any_order = seed % 3 == 2;
        let nodes = generator::program(seed, any_order);
        let comparison = compare(&generator::text(&nodes), any_order);
        tally.compared += 1;
        tally.several_solutions += usize::from(comparison.solutions > 1);
        tally.errors += usize::from(comparison.error);
        match comparison.verdict {
            Verdict::Agree => {}
            Verdict::Dropped(reason) => tally.dropped.push(reason),
            Verdict::Disagree(kind, _) => tally.disagreements.push(report(seed, any_order, nodes, kind)),
        }
        if tally.disagreements.len() >= SHOWN_DISAGREEMENTS {
            break;
        }
    }
    tally
}

fn on_big_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::thread::JoinHandle<T> {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).expect("a thread can be made")
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |value| value.parse().expect("a number"))
}

#[test]
fn engines_agree_on_generated_programs() {
    // A panic of the machine is reported with its program; while that is made smaller it panics many times.
    std::panic::set_hook(Box::new(|_| {}));
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS);
    let first = from_environment("NDSCRIPT_SEED", 1).wrapping_mul(1_000_000_000);
    let (first, programs) = match from_environment("NDSCRIPT_ONLY", 0) {
        0 => (first, programs),
        only => (only, 1),
    };
    let workers: Vec<_> = (0..2)
        .map(|worker| {
            on_big_stack(move || tally((0..programs).filter(move |n| n % 2 == worker).map(move |n| first + n)))
        })
        .collect();
    let mut total = Tally::default();
    for worker in workers {
        let part = worker.join().expect("the comparison itself does not panic");
        total.compared += part.compared;
        total.dropped.extend(part.dropped);
        total.several_solutions += part.several_solutions;
        total.errors += part.errors;
        total.disagreements.extend(part.disagreements);
    }
    println!(
        "{} programs, {} with several solutions, {} with errors, {} dropped {:?}",
        total.compared,
        total.several_solutions,
        total.errors,
        total.dropped.len(),
        total.dropped.first()
    );
    let _ = std::panic::take_hook();
    assert!(total.disagreements.is_empty(), "\n{}", total.disagreements.join("\n"));
    if total.compared >= 500 {
        assert!(total.dropped.len() * 20 < total.compared, "too many dropped: {:?}", total.dropped);
        assert!(total.several_solutions * 5 > total.compared, "too few programs have several solutions");
        assert!(total.errors * 100 > total.compared, "too few programs have errors");
    }
}

#[test]
fn both_engines_know_what_follows_from_the_contract() {
    let work = on_big_stack(|| {
        for known in naive::known::PROGRAMS {
            let program = known.program;
            let script = ndscript::syntax::parse(program, 0).unwrap_or_else(|e| panic!("{program}: {}", e[0].message));
            let naive = naive::run(&script, Bounds { steps: STEPS, solutions: SOLUTIONS }, false);
            let solutions: Vec<(&str, &str)> =
                naive.solutions.iter().map(|(text, value)| (&**text, &**value)).collect();
            assert_eq!(solutions, known.solutions, "the naive interpreter on {program}");
            let error = match &naive.end {
                End::Error(name, _) => Some(*name),
                _ => None,
            };
            assert_eq!(error, known.error, "the naive interpreter on {program}");
            let compiled = Engine::new().compile(program).unwrap_or_else(|e| panic!("{program}: {e}"));
            let machine = run_machine(&compiled, 1, SOLUTIONS);
            assert!(agree_in_order(&naive, &machine), "{program}\n{}", difference(&naive, &machine));
        }
    });
    if let Err(panic) = work.join() {
        std::panic::resume_unwind(panic);
    }
}
