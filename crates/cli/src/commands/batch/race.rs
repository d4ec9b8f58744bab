//! `ndscript run --race J`: one problem from several seeds at once; the first solution wins.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ndscript::{CancelToken, Run, Solution};

use super::BatchInput;
use super::batch_result::Ending;
use super::job::Job;
use crate::exit::{Exit, Stop};
use crate::terminal::interrupt;
use crate::terminal::{complain, say};

/// The runner that found the first solution.
pub struct Winner {
    pub seed: u64,
    pub solution: Solution,
    pub run: Run,
    pub time: Duration,
}

/// The first solution, with the run that found it. A run that has searched everything proves that there is none; with
/// random draws alone another seed may still have one, so all runs are awaited.
pub fn race(recipe: &BatchInput<'_>, runners: u64) -> Result<Result<Winner, Exit>, Stop> {
    let token = CancelToken::new();
    interrupt::watch(token.clone());
    let mut losers: Vec<(u64, Ending)> = Vec::new();
    let winner = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for number in 0..runners {
            let (sender, token) = (sender.clone(), token.clone());
            scope.spawn(move || {
                let seed = recipe.seed.wrapping_add(number);
                let started = Instant::now();
                let mut job = Job::new(recipe, seed, &token).keeping_records();
                let found = job.search(started).map(|solution| {
                    let (run, time) = (job.into_run(), started.elapsed());
                    Winner {
                        seed,
                        solution,
                        run,
                        time,
                    }
                });
                // Later results are not received.
                drop(sender.send((seed, found)));
            });
        }
        drop(sender);
        for (seed, found) in receiver {
            match found {
                Ok(winner) => {
                    token.cancel();
                    return Some(winner);
                }
                Err(ending) => losers.push((seed, ending)),
            }
        }
        None
    });
    if let Some(winner) = winner {
        say(&format!("seed {} was first of {runners}", winner.seed));
        return Ok(Ok(winner));
    }
    if interrupt::pressed() {
        complain("interrupted");
        return Ok(Err(Exit::Interrupted));
    }
    losers.sort_by_key(|(seed, _)| *seed);
    let mut exit = None;
    for (seed, ending) in &losers {
        let (words, code) = match ending {
            Ending::NoSolution(None) => ("no solution".to_string(), Exit::NoSolution),
            Ending::NoSolution(Some(reason)) => {
                (format!("no solution: {reason}"), Exit::NoSolution)
            }
            Ending::Error(error) => (
                error.diagnostic.render(recipe.program.sources(), false),
                Exit::Error,
            ),
            Ending::Stopped(exit, words) => (words.clone(), *exit),
            Ending::Solved | Ending::Cancelled => continue,
        };
        say(&format!("seed {seed}: {words}"));
        exit = exit.or(Some(code));
    }
    Ok(Err(exit.unwrap_or(Exit::NoSolution)))
}
