//! `ndscript verify`: whether a proof is about the board of a program, and holds.

use std::time::Instant;

use ndscript::counted::counted;

use super::solve;
use crate::arguments::limits::out_of_time;
use crate::arguments::options::ProgramOptions;
use crate::arguments::search_options::{VerifyOptions, WatchOptions};
use crate::exit::{Exit, Stop};
use crate::files::{self, Bounds};
use crate::terminal::{interrupt, stdout};

/// Checks a proof.
pub fn verify(options: &VerifyOptions) -> Result<Exit, Stop> {
    let limits = &options.run.limits;
    let bounds = Bounds::new(limits.memory.max_memory, limits.timeout);
    let proof = files::read_text(&options.proof, bounds)?;
    let seed = options.seed.or_else(|| seed_of(&proof));
    let watched = WatchOptions {
        program: ProgramOptions {
            file: options.file.clone(),
            params: options.params.clone(),
            seed,
        },
        run: options.run.clone(),
    };
    let Some(found) = solve::board(&watched, &options.file, seed, options.board.as_deref())? else {
        return Ok(Exit::Error);
    };
    let (claimed, own) = (ndscript_proof::head(&proof), found.proof.head());
    let own: Vec<&str> = own.lines().collect();
    if let Some(why) = difference(&claimed, &own) {
        return refuse(&format!("The proof is about another board: {why}"));
    }
    let begin = Instant::now();
    let is_late = || limits.timeout.is_some_and(|most| begin.elapsed() >= most);
    let checked = ndscript_proof::check_while(&proof, || !interrupt::pressed() && !is_late());
    let Some(checked) = checked else {
        return match limits.timeout {
            Some(most) if is_late() => Err(Stop::limit(out_of_time(most))),
            _ => Ok(Exit::Interrupted),
        };
    };
    match checked {
        Err(wrong) => refuse(&format!("The proof does not hold: {wrong}")),
        Ok(checked) => {
            let name = found.name.as_deref().unwrap_or("the board");
            stdout::write_text(&format!(
                "The proof holds: of {name}, {}{} ({}, {}).\n",
                checked.claim.in_words(),
                match checked.claim {
                    ndscript_proof::Claim::One => solve::uncovered_parts(&found.proof),
                    _ => String::new(),
                },
                counted(checked.explanations, "explanation"),
                counted(checked.nogoods, "nogood")
            ))?;
            stdout::flush()?;
            Ok(Exit::Success)
        }
    }
}

fn refuse(why: &str) -> Result<Exit, Stop> {
    stdout::write_text(&format!("{why}\n"))?;
    stdout::flush()?;
    Ok(Exit::NoSolution)
}

/// The seed in the remarks of a proof.
fn seed_of(proof: &str) -> Option<u64> {
    let mut head = proof.lines().take(8);
    head.find_map(|line| line.strip_prefix("c seed ")?.parse().ok())
}

/// The first line in which two heads differ.
fn difference(claimed: &[&str], own: &[&str]) -> Option<String> {
    const LONGEST: usize = 60;
    let short = |line: Option<&&str>| match line {
        None => "nothing".to_string(),
        Some(line) if line.chars().count() > LONGEST => {
            let start: String = line.chars().take(LONGEST).collect();
            format!("`{start}...`")
        }
        Some(line) => format!("`{line}`"),
    };
    let count = claimed.len().max(own.len());
    let at = (0..count).find(|at| claimed.get(*at) != own.get(*at))?;
    Some(format!(
        "it has {} where the program has {}",
        short(claimed.get(at)),
        short(own.get(at))
    ))
}
