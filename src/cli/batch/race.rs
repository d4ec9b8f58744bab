//! `ndscript run --race J`: the same problem from several seeds at once; the first solution wins.

use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use ndscript::{CancelToken, Solution};

use super::super::exit::{Exit, Stop};
use super::super::interrupt;
use super::super::terminal::{complain, say, say_text};
use super::Recipe;
use super::job::Job;
use super::made::Ending;

/// The first solution, with its seed. Whoever has searched everything knows that there is none; what comes of draws alone
/// may still have one with another seed, so all are heard.
pub fn race(recipe: &Recipe<'_>, runners: u64) -> Result<Result<(u64, Solution), Exit>, Stop> {
    let token = CancelToken::new();
    interrupt::watch(token.clone());
    let mut losers: Vec<(u64, Ending)> = Vec::new();
    let winner = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for number in 0..runners {
            let (sender, token) = (sender.clone(), token.clone());
            scope.spawn(move || {
                let seed = recipe.seed.wrapping_add(number);
                let found = Job::new(recipe, seed, &token).search(Instant::now());
                // Nobody hears of those that come later.
                drop(sender.send((seed, found)));
            });
        }
        drop(sender);
        for (seed, found) in receiver {
            match found {
                Ok(solution) => {
                    token.cancel();
                    return Some((seed, solution));
                }
                Err(ending) => losers.push((seed, ending)),
            }
        }
        None
    });
    if let Some((seed, solution)) = winner {
        say(&format!("seed {seed} was first of {runners}"));
        return Ok(Ok((seed, solution)));
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
            Ending::NoSolution(Some(reason)) => (format!("no solution: {reason}"), Exit::NoSolution),
            Ending::Error(error) => (error.diagnostic.render(recipe.program.sources(), false), Exit::Error),
            Ending::Stopped(exit, words) => (words.clone(), *exit),
            Ending::Solved | Ending::Cancelled => continue,
        };
        say_text(&format!("seed {seed}: {words}"));
        exit = exit.or(Some(code));
    }
    Ok(Err(exit.unwrap_or(Exit::NoSolution)))
}
