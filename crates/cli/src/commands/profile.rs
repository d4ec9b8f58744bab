//! `ndscript profile`: what a run is spent on.

use std::path::PathBuf;
use std::time::Instant;

use ndscript::{Outcome, Run};
use ndscript_timeline::Profile;

use crate::arguments::search_options::ProfileOptions;
use crate::exit::{Exit, Stop};
use crate::files;
use crate::files::save::save;
use crate::runs::watched::{Watched, Watching};
use crate::terminal::say;
use crate::terminal::stdout;

/// Time is looked at about every so many steps; the second number lets it not fall on the same line of a loop each time.
const SAMPLED: u64 = 5000;
const SPREAD: u64 = 1009;

impl Watching for Profile {}

/// Runs a program and says what it costs where.
pub fn profile(options: &ProfileOptions) -> Result<Exit, Stop> {
    let Some(mut watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    let mut profile = Profile::new(watched.sources().clone());
    // The same run once more, at its own speed: watching takes time that is no part of it.
    let undisturbed = watched.fork();
    watched.measure();
    let exit = watched.finish(&mut profile);
    profile.take_up(watched.measurement());
    let (steps, timeout) = (watched.steps(), watched.timeout());
    // What the run has in memory is not needed any more; the same run once more needs as much.
    drop(watched);
    if let Some(run) = undisturbed {
        sample(
            &mut profile,
            run,
            steps,
            timeout.map(|most| Instant::now() + most / 4),
        );
    }
    let title = files::shown_name(&options.watched.program.file);
    let mut is_written = false;
    let mut put = |path: &Option<PathBuf>, make: &dyn Fn() -> String| -> Result<(), Stop> {
        let Some(path) = path else { return Ok(()) };
        is_written = true;
        save(path, make().as_bytes())?;
        say(&format!("wrote {}", path.display()));
        Ok(())
    };
    put(&options.svg, &|| profile.to_svg(&title))?;
    put(&options.speedscope, &|| profile.to_speedscope(&title))?;
    if options.source {
        stdout::write_text(&profile.to_source())?;
    } else if !is_written {
        stdout::write_text(&profile.to_text())?;
    }
    stdout::flush()?;
    Ok(exit)
}

/// Lets a run take so many steps, and counts where its time goes, in hundredths of a millisecond. What asks a person has
/// no time of its own: there it ends, as it does at a moment.
fn sample(profile: &mut Profile, mut run: Run, steps: u64, until: Option<Instant>) {
    let mut slice = SAMPLED;
    let mut rest = 0;
    while run.statistics().steps < steps && until.is_none_or(|until| Instant::now() < until) {
        let begin = Instant::now();
        let outcome = run.resume(slice.min(steps - run.statistics().steps));
        let spent = begin.elapsed().as_nanos() as u64 + rest;
        profile.sample(run.place(), spent / 10_000);
        rest = spent % 10_000;
        slice = SAMPLED + (slice * 31 + 7) % SPREAD;
        if !matches!(outcome, Outcome::OutOfFuel | Outcome::Solved(_)) {
            return;
        }
    }
}
