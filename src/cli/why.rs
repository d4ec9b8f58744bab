//! `ndscript why`: the writes that led to what a place holds.

use std::time::Instant;

use ndscript::timeline::{Place, Recorded, Timeline};
use ndscript::{LimitReached, When};

use super::exit::{Exit, Stop};
use super::options::{ProgramOptions, SolutionCount, WatchOptions, WhyOptions};
use super::stdout;
use super::terminal::{self, say};
use super::watched::Watched;

/// So many steps are made between two looks at the clock.
const SLICE: u64 = 1 << 18;

/// Runs a program and says why a place holds what it holds.
pub fn why(options: &WhyOptions) -> Result<Exit, Stop> {
    let place: Place = options.place.parse().map_err(Stop::error)?;
    let at: Option<When> = options.at.as_ref().map(|at| at.parse()).transpose().map_err(Stop::error)?;
    let watched = WatchOptions {
        program: ProgramOptions { file: options.file.clone(), params: options.params.clone(), seed: options.seed },
        solutions: options.solutions,
        tiles: options.tiles.clone(),
        imports: options.imports.clone(),
        limits: options.limits,
        color: options.color,
    };
    let Some(watched) = Watched::new(&watched)? else { return Ok(Exit::Error) };
    let (run, wanted) = watched.into_run();
    super::interrupt::watch(run.cancel_token());
    let mut timeline = Timeline::new(run);
    if let Some(exit) = record(&mut timeline, options, wanted, at)? {
        return Ok(exit);
    }
    let when = at.unwrap_or_else(|| match timeline.solutions().last() {
        Some((when, _)) => *when,
        None => timeline.end(),
    });
    let reasons = timeline.why(&place, when).map_err(|none| Stop::error(none.to_string()))?;
    stdout::write_text(&reasons.to_text(&place))?;
    stdout::flush()?;
    Ok(Exit::Success)
}

/// Records as far as is wanted. An exit means that there is nothing to ask about.
fn record(
    timeline: &mut Timeline,
    options: &WhyOptions,
    wanted: SolutionCount,
    at: Option<When>,
) -> Result<Option<Exit>, Stop> {
    let begin = Instant::now();
    let mut solutions = 0;
    loop {
        if at.is_some_and(|at| timeline.end() >= at) {
            return Ok(None);
        }
        let is_late = options.limits.timeout.is_some_and(|most| begin.elapsed() >= most);
        let left = options.limits.max_steps.map_or(u64::MAX, |most| most.saturating_sub(timeline.end().step));
        if is_late || left == 0 {
            say("the run was stopped by a limit; this is why at that moment");
            return Ok(None);
        }
        match timeline.record(left.min(SLICE)) {
            Recorded::Paused => {}
            Recorded::Solved(_) => {
                solutions += 1;
                if wanted.is_reached(solutions) && at.is_none() {
                    return Ok(None);
                }
            }
            Recorded::Failed if solutions > 0 => return Ok(None),
            Recorded::Failed => {
                say("there is no solution; this is why at the end of the search");
                return Ok(None);
            }
            Recorded::Error(error) => {
                terminal::show(&error.diagnostic, timeline.sources(), terminal::colors_messages(options.color));
                say("this is why at that moment");
                return Ok(None);
            }
            Recorded::Limit(LimitReached::Cancelled) => return Ok(Some(Exit::Interrupted)),
            Recorded::Limit(limit) => {
                say(&format!("stopped: {limit}; this is why at that moment"));
                return Ok(None);
            }
            Recorded::Asked(question) => {
                let answer = super::ask::ask(&question)?;
                timeline.answer(answer);
            }
        }
    }
}
