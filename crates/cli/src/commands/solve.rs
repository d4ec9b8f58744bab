//! `ndscript solve`: whether a board has no solution, exactly one or several, with a proof.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use ndscript::counted::counted;
use ndscript::{BoardProof, Event, Moment, Observer, ProofProgress, Target, View, Wanted};

use crate::arguments::limits;
use crate::arguments::search_options::{SolveOptions, WatchOptions};
use crate::exit::{Exit, Stop};
use crate::files::save;
use crate::runs::watched::{Watched, Watching};
use crate::terminal;
use crate::terminal::{interrupt, stdout};

/// Visits between two looks at the clock.
const SLICE: u32 = 1 << 22;
/// The most bytes of a proof if `--max-memory` is not given.
const MOST_BYTES: u64 = 1 << 30;

/// A board at which a program was stopped.
pub struct Found {
    /// How the program calls it, if it does.
    pub name: Option<String>,
    pub proof: BoardProof,
    pub seed: u64,
    /// Whether the program had guessed by then, other than values of places of boards.
    has_guessed: bool,
    /// Whether the program has failed there.
    has_failed: bool,
}

/// Finds out what solutions the board of a program has.
pub fn solve(options: &SolveOptions) -> Result<Exit, Stop> {
    let program = &options.watched.program;
    let seed = program.seed;
    let Some(mut found) = board(
        &options.watched,
        &program.file,
        seed,
        options.board.as_deref(),
    )?
    else {
        return Ok(Exit::Error);
    };
    if options.proof.is_none() {
        found.proof = found.proof.without_log();
    }
    let begin = Instant::now();
    let progress = loop {
        if interrupt::pressed() {
            return Ok(Exit::Interrupted);
        }
        let most = options.watched.run.limits.timeout;
        if let Some(most) = most.filter(|most| begin.elapsed() >= *most) {
            return Err(Stop::limit(limits::out_of_time(most)));
        }
        match found.proof.resume(SLICE) {
            ProofProgress::OutOfFuel => {}
            other => break other,
        }
    };
    let what = match progress {
        ProofProgress::None => "no solution",
        ProofProgress::One => "exactly one solution",
        ProofProgress::Several => "more than one solution",
        ProofProgress::OutOfFuel | ProofProgress::TooLarge => {
            return Err(Stop::limit(
                "stopped: the search has used its memory\n`--max-memory SIZE` allows more",
            ));
        }
    };
    let name = found.name.as_deref().unwrap_or("the board");
    if found.has_failed && progress != ProofProgress::None {
        return Err(Stop::error(format!(
            "the program fails, although {name} has {what}: what fails is no constraint on it, such as an assignment, `require` or `fail`, \
             and nothing is proved\n`ndscript explain` says which line it is; what is given can be assigned before the constraints"
        )));
    }
    let wrong = counted(found.proof.conflicts(), "conflict");
    let free = match progress {
        ProofProgress::One => uncovered_parts(&found.proof),
        _ => String::new(),
    };
    // Another guess may lead to another board.
    let given = match found.has_guessed {
        true => ", given what the program has guessed before",
        false => "",
    };
    let mut line = format!("{name} has {what}{given}{free} ({wrong}");
    if let Some(path) = &options.proof {
        let text = found.proof.text();
        let text = text.replacen('\n', &format!("\nc seed {}\n", found.seed), 1);
        save::save(path, text.as_bytes())?;
        let steps = text.lines().filter(|line| is_step(line)).count();
        line.push_str(&format!(
            ", {} of proof, {:.1} MB",
            counted(steps, "step"),
            text.len() as f64 / 1e6
        ));
    }
    stdout::write_text(&format!("{line})\n"))?;
    stdout::flush()?;
    Ok(match progress {
        ProofProgress::None => Exit::NoSolution,
        _ => Exit::Success,
    })
}

/// The parts of the solution that the proof does not cover.
pub fn uncovered_parts(proof: &BoardProof) -> String {
    match proof.free_places() {
        [] => String::new(),
        [only] => format!(", apart from {only}, which no rule is about"),
        [first, .., last] => format!(
            ", apart from {} that no rule is about, from {first} to {last}",
            counted(proof.free_places().len(), "place")
        ),
    }
}

/// Whether a line of a proof is a step: an explanation (`e`), a nogood (`n`) or a solution (`s`).
fn is_step(line: &str) -> bool {
    ["e ", "n ", "s "].iter().any(|step| line.starts_with(step))
}

/// Runs a program up to its board. `None` if the program has errors, or has failed in another way, which is reported.
pub fn board(
    options: &WatchOptions,
    file: &Path,
    seed: Option<u64>,
    name: Option<&str>,
) -> Result<Option<Found>, Stop> {
    let Some(mut watched) = Watched::of(options, file, seed)? else {
        return Ok(None);
    };
    watched.keep_refused();
    let seed = watched.seed();
    let bytes = options.run.limits.memory.max_memory;
    let mut looking = BoardWaiter {
        name,
        seed,
        most_bytes: bytes.unwrap_or(MOST_BYTES) as usize,
        found: None,
        has_guessed: false,
        has_failed: false,
    };
    let exit = watched.finish(&mut looking);
    match looking.found {
        Some(Ok((name, proof))) => Ok(Some(Found {
            name,
            proof,
            seed,
            has_guessed: looking.has_guessed,
            has_failed: looking.has_failed,
        })),
        Some(Err(why)) => Err(Stop::error(why)),
        None if exit == Exit::Interrupted || exit == Exit::Limit => Err(Stop::silent(exit)),
        None if exit == Exit::Error => Ok(None),
        None => Err(Stop::error(
            "the program came to no board: a proof is about the board for which `decide` guesses first, or that a variable holds when the program ends",
        )),
    }
}

/// Waits for the board.
struct BoardWaiter<'a> {
    name: Option<&'a str>,
    seed: u64,
    most_bytes: usize,
    found: Option<Result<(Option<String>, BoardProof), String>>,
    has_guessed: bool,
    has_failed: bool,
}

impl BoardWaiter<'_> {
    fn take(&mut self, moment: &Moment<'_>, decided: Option<View<'_>>) -> ControlFlow<()> {
        if self.found.is_none() {
            self.has_guessed &= moment.open_choices() > 0;
            self.found = Some(self.board(moment, decided));
        }
        ControlFlow::Break(())
    }

    fn is_wanted(&self, moment: &Moment<'_>, decided: View<'_>) -> bool {
        let Some(name) = self.name else {
            return true;
        };
        let board = moment.variable(name);
        board.is_some_and(|board| board.is_constrained() || board.is_same(decided))
    }

    /// The board to solve, with its name: the one that was named, or that `decide` was called on, or the only one.
    fn board(
        &self,
        moment: &Moment<'_>,
        decided: Option<View<'_>>,
    ) -> Result<(Option<String>, BoardProof), String> {
        let (name, board) = match (self.name, decided) {
            (Some(name), _) => {
                let is_refused =
                    |board: &View<'_>| decided.is_some_and(|decided| decided.is_same(*board));
                let board = moment.variable(name);
                let board = board.filter(|board| board.is_constrained() || is_refused(board));
                let board = board.ok_or_else(|| {
                    format!("no variable `{name}` holds a board with constraints then")
                })?;
                (Some(name.to_string()), board)
            }
            (None, Some(board)) => (moment.path_of(board), board),
            (None, None) => {
                let mut boards = moment.globals().filter(|(_, view)| view.is_constrained());
                let (name, board) = boards.next().ok_or(
                    "no variable of the program holds a board with constraints: keep the board in a variable outside of functions",
                )?;
                if let Some((other, _)) = boards.find(|(_, view)| !view.is_same(board)) {
                    return Err(format!(
                        "there are several boards, in `{name}` and `{other}`: say which one by --board NAME"
                    ));
                }
                (Some(name.to_string()), board)
            }
        };
        let proof = board.prove(self.seed, self.most_bytes).map_err(|why| {
            format!(
                "nothing can be proved about this board\n{}",
                terminal::in_one_line(&why)
            )
        })?;
        Ok((name, proof))
    }
}

impl Observer for BoardWaiter<'_> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Take { .. } => match moment.place_decided() {
                // The board that is asked for may be one that the program makes later.
                Some(Target::Part(board, _)) if self.is_wanted(moment, board) => {
                    self.take(moment, Some(board))
                }
                Some(_) => ControlFlow::Continue(()),
                None => {
                    self.has_guessed = true;
                    ControlFlow::Continue(())
                }
            },
            // No alternative is left: the whole program fails.
            Event::Dying if moment.open_choices() == 0 => {
                self.has_failed = true;
                self.take(moment, moment.refused_board())
            }
            Event::Solution { .. } => self.take(moment, None),
            _ => ControlFlow::Continue(()),
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            deaths: true,
            ..Wanted::default()
        }
    }
}

impl Watching for BoardWaiter<'_> {
    fn has_enough(&self) -> bool {
        self.found.is_some()
    }
}
