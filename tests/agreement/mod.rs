//! One program in both engines: the machine and the naive interpreter. Used by `tests/engines_agree.rs`, and by the
//! fuzzing target of the same name.

use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicUsize, Ordering};

use ndscript::{Engine, Outcome, Program};

use crate::naive::{self, Bounds, End, Findings};

/// Steps that the naive interpreter may take for one program.
pub const STEPS: usize = 100_000;
/// Solutions of one program that are compared.
pub const SOLUTIONS: usize = 200;
/// Fuel that the machine may use for one program.
const FUEL: u64 = 20_000_000;
/// The naive interpreter recurses on the native stack.
pub const STACK: usize = 512 << 20;

/// What the machine found out about a program.
#[derive(Debug)]
pub struct MachineFindings {
    pub solutions: Vec<(String, String)>,
    pub error: Option<String>,
    /// Why it stopped before the end.
    pub stopped: Option<String>,
}

/// How many runs there have been.
#[cfg(debug_assertions)]
static RUNS: AtomicUsize = AtomicUsize::new(0);

pub fn run_machine(program: &Program, seed: u64, most: usize) -> MachineFindings {
    let mut run = program.run(seed);
    // Besides, every failure must restore exactly what there was; looking is slow, so in every third program only.
    #[cfg(debug_assertions)]
    if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
        run.verify_backtracking();
    }
    let mut findings = MachineFindings {
        solutions: Vec::new(),
        error: None,
        stopped: None,
    };
    while findings.solutions.len() < most {
        match run.resume(FUEL) {
            Outcome::Solved(solution) => findings
                .solutions
                .push((solution.text, solution.value.to_string())),
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
            Outcome::Asked(_) | Outcome::Waiting(_) => {
                findings.stopped = Some("a question".to_string());
                break;
            }
        }
    }
    findings
}

pub enum Verdict {
    Agree,
    Dropped(String),
    Disagree(Difference, String),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Difference {
    Syntax,
    Compilation,
    Panic,
    Findings,
}

/// How one program was compared.
pub struct Comparison {
    pub verdict: Verdict,
    pub solutions: usize,
    pub error: bool,
}

/// Compares the engines on a program; the order of solutions counts unless it is left open.
pub fn compare(text: &str, any_order: bool) -> Comparison {
    let script = match ndscript::syntax::parse(text, 0) {
        Ok(script) => script,
        Err(diagnostics) => {
            let verdict = Verdict::Disagree(
                Difference::Syntax,
                format!("syntax error: {}", diagnostics[0].message),
            );
            return Comparison {
                verdict,
                solutions: 0,
                error: false,
            };
        }
    };
    // Which solutions come first is a matter of chance where the order is, so all are needed there.
    let most = if any_order { SOLUTIONS * 5 } else { SOLUTIONS };
    let found = naive::run(
        &script,
        Bounds {
            steps: STEPS,
            solutions: most,
        },
        any_order,
    );
    let error = matches!(found.end, End::Error(..)) || !found.possible_errors.is_empty();
    let solutions = found.solutions.len();
    let verdict = match &found.end {
        End::Dropped(reason) => Verdict::Dropped(reason.clone()),
        _ if any_order && solutions == most => Verdict::Dropped("too many solutions".to_string()),
        _ => judge(text, found, most, any_order),
    };
    Comparison {
        verdict,
        solutions,
        error,
    }
}

/// In debug builds every second program is run with long work in small pieces, so that little is long.
fn engine() -> Engine {
    #[cfg(debug_assertions)]
    if RUNS.load(Ordering::Relaxed).is_multiple_of(2) {
        return Engine::new().with_pieces(20);
    }
    Engine::new()
}

fn judge(text: &str, naive: Findings, most: usize, any_order: bool) -> Verdict {
    let program = match engine().compile(text) {
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
            return Verdict::Disagree(
                Difference::Panic,
                format!("the machine panicked: {message}"),
            );
        }
    };
    if let Some(reason) = &machine.stopped {
        return Verdict::Dropped(format!("the machine stopped: {reason}"));
    }
    let agree = if any_order {
        agree_in_any_order(&naive, &machine)
    } else {
        agree_in_order(&naive, &machine)
    };
    if agree {
        Verdict::Agree
    } else {
        Verdict::Disagree(Difference::Findings, difference(&naive, &machine))
    }
}

pub fn agree_in_order(naive: &Findings, machine: &MachineFindings) -> bool {
    let error = match &naive.end {
        End::Error(name, _) => Some(format!("{name:?}")),
        _ => None,
    };
    naive.solutions == machine.solutions && error == machine.error
}

fn agree_in_any_order(naive: &Findings, machine: &MachineFindings) -> bool {
    let mut left = naive.solutions.clone();
    for solution in &machine.solutions {
        let Some(at) = left.iter().position(|other| other == solution) else {
            return false;
        };
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

pub fn difference(naive: &Findings, machine: &MachineFindings) -> String {
    let at = naive
        .solutions
        .iter()
        .zip(&machine.solutions)
        .take_while(|(a, b)| a == b)
        .count();
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
