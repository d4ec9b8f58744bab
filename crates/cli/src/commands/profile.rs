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

/// The steps between two samples of the time; the second number avoids hitting one line of a loop each time.
const STEPS_PER_SAMPLE: u64 = 5000;
const SAMPLE_JITTER: u64 = 1009;

impl Watching for Profile {}

/// Runs a program and shows the cost of its parts.
pub fn profile(options: &ProfileOptions) -> Result<Exit, Stop> {
    let Some(mut watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    let mut profile = Profile::new(watched.sources().clone());
    // Runs again at full speed: watching takes time that does not belong to the run.
    let undisturbed = watched.fork();
    watched.measure();
    let exit = watched.finish(&mut profile);
    profile.add_measurement(watched.measurement());
    let (steps, timeout) = (watched.steps(), watched.timeout());
    // The memory of this run is free now; the second run needs as much.
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

/// Runs some steps, and samples the time, in hundredths of a millisecond. At a question it ends: waiting for a person
/// takes no time of the run.
fn sample(profile: &mut Profile, mut run: Run, steps: u64, until: Option<Instant>) {
    let mut slice = STEPS_PER_SAMPLE;
    let mut rest = 0;
    while run.statistics().steps < steps && until.is_none_or(|until| Instant::now() < until) {
        let begin = Instant::now();
        let outcome = run.resume(slice.min(steps - run.statistics().steps));
        let spent = begin.elapsed().as_nanos() as u64 + rest;
        profile.sample(run.place(), spent / 10_000);
        rest = spent % 10_000;
        slice = STEPS_PER_SAMPLE + (slice * 31 + 7) % SAMPLE_JITTER;
        if !matches!(outcome, Outcome::OutOfFuel | Outcome::Solved(_)) {
            return;
        }
    }
}
