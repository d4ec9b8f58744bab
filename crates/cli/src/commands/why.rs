//! `ndscript why`: the writes that led to what a place holds.

use ndscript::tiles::Tiles;
use ndscript::{LimitReached, When};
use ndscript_render::board::{BoardLayout, BoardPainter, Mark};
use ndscript_timeline::{Detail, Key, NoReason, Place, Reasons, Recorded, Scene, Timeline};

use crate::arguments::limits;
use crate::arguments::options::{ProgramOptions, SolutionCount};
use crate::arguments::search_options::{WatchOptions, WhyOptions};
use crate::exit::{Exit, Stop};
use crate::files::save::save;
use crate::runs::clock::Clock;
use crate::runs::watched::Watched;
use crate::terminal::stdout;
use crate::terminal::{self, say};

/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 15;

/// Runs a program and shows why a place has its value.
pub fn why(options: &WhyOptions) -> Result<Exit, Stop> {
    let place: Place = options.place.parse().map_err(Stop::error)?;
    let at: Option<When> = options
        .at
        .as_ref()
        .map(|at| at.parse())
        .transpose()
        .map_err(Stop::error)?;
    let watched = WatchOptions {
        program: ProgramOptions {
            file: options.file.clone(),
            params: options.params.clone(),
            seed: options.seed,
        },
        run: options.around.clone(),
    };
    let Some(watched) = Watched::new(&watched)? else {
        return Ok(Exit::Error);
    };
    watched.knows(&options.place)?;
    let tiles = watched.tiles().clone();
    let clock = Clock::new(watched.timeout());
    let (run, wanted) = watched.into_run();
    crate::terminal::interrupt::watch(run.cancel_token());
    let mut timeline = Timeline::new(run);
    let mut stopped = None;
    let come_to = match record(&mut timeline, options, wanted, at, &clock)? {
        RecordingEnd::Interrupted => return Ok(interrupted()),
        RecordingEnd::Moment => at.unwrap_or_else(|| {
            timeline
                .solutions()
                .last()
                .map_or(timeline.end(), |(when, _)| *when)
        }),
        RecordingEnd::Stop(why, exit) => {
            stopped = Some((why, exit));
            timeline.end()
        }
    };
    let when = at.filter(|at| *at <= timeline.end()).unwrap_or(come_to);
    if let Some(at) = at.filter(|at| *at > timeline.end() && clock.has_passed(RECORDING_SHARE)) {
        return Err(Stop::limit(format!(
            "stopped at step {} of the recording, which takes a quarter of --timeout: step {at} comes later",
            timeline.end()
        )));
    }
    if let Some(at) = at.filter(|at| *at > timeline.end()) {
        let (ended, exit) = match (&stopped, timeline.has_ended()) {
            (Some((why, exit)), _) => (&*format!("{why}that was"), *exit),
            (None, true) => ("the run has ended", Exit::Error),
            (None, false) => (
                "the last solution that was asked for (--solutions N asks for more) is",
                Exit::Error,
            ),
        };
        let message = format!("step {at} is too late: {ended} at step {}", timeline.end());
        return Err(if exit == Exit::Limit {
            Stop::limit(message)
        } else {
            Stop::error(message)
        });
    }
    let found =
        reasons(&mut timeline, &place, when, at.is_none(), &clock).map_err(
            |unknown| match &stopped {
                Some((why, exit)) if at.is_none() && unknown.exit == Exit::Error => {
                    let last = format!("{why}at its last moment, step {when}: {}", unknown.message);
                    let message = format!("{last}\n--at STEP asks about an earlier one");
                    if *exit == Exit::Limit {
                        Stop::limit(message)
                    } else {
                        Stop::error(message)
                    }
                }
                _ => unknown,
            },
        )?;
    let Some((reasons, found_at)) = found else {
        return Ok(interrupted());
    };
    // Without `--at`, the question is about the end of a solution: if another moment is answered, the exit code tells
    // that, too.
    let mut exit = Exit::Success;
    if found_at < when {
        say(&format!(
            "--timeout leaves no time for more: this is why at step {found_at}"
        ));
        exit = Exit::Limit;
    } else if let Some((why, ended)) = stopped.filter(|_| at.is_none()) {
        say(&format!(
            "{why}this is why at its last moment, step {found_at}"
        ));
        exit = ended;
    }
    let when = found_at;
    if let Some(path) = &options.png {
        let scene = timeline
            .scene(when, &Detail::default())
            .map_err(|beyond| Stop::error(beyond.to_string()))?;
        let png = draw(&place, &scene, &reasons, &tiles)?;
        save(path, &png)?;
        say(&format!("wrote {}", path.display()));
    }
    stdout::write_text(&reasons.to_text(&place))?;
    stdout::flush()?;
    Ok(exit)
}

/// The shares of the time, in percent: for the recording, and up to the end of the search for the origins. In the rest
/// the run is watched again, to put them into words.
const RECORDING_SHARE: u32 = 25;
const SEARCH_SHARE: u32 = 55;

/// The reasons, and their moment; `None` if interrupted. A moment that was not named may become an earlier one, if the
/// time is short.
fn reasons(
    timeline: &mut Timeline,
    place: &Place,
    mut when: When,
    may_be_earlier: bool,
    clock: &Clock,
) -> Result<Option<(Reasons, When)>, Stop> {
    let in_words = |none: NoReason| Stop::error(none.to_string());
    let mut search = timeline.search_reasons(place, when).map_err(in_words)?;
    loop {
        let found = search.resume(timeline, SLICE);
        if crate::terminal::interrupt::pressed() {
            return Ok(None);
        }
        if let Some(found) = found {
            return Ok(Some((found.map_err(in_words)?, when)));
        }
        if clock.is_over() {
            return Err(Stop::limit(format!(
                "stopped after {}, as long as --timeout allows, before the reasons were found\n\
                 ask about an earlier moment (--at), or allow more",
                clock.in_words()
            )));
        }
        if may_be_earlier && clock.has_passed(SEARCH_SHARE) {
            when = search.ask_here();
        }
    }
}

fn interrupted() -> Exit {
    say("interrupted");
    Exit::Interrupted
}

/// The result of a recording.
enum RecordingEnd {
    /// The moment that is asked about.
    Moment,
    /// Something else has stopped it: in words, with a separator for more, and as an exit code.
    Stop(String, Exit),
    Interrupted,
}

/// Records as far as is wanted.
fn record(
    timeline: &mut Timeline,
    options: &WhyOptions,
    wanted: SolutionCount,
    at: Option<When>,
    clock: &Clock,
) -> Result<RecordingEnd, Stop> {
    let mut solutions = 0;
    loop {
        if at.is_some_and(|at| timeline.end() >= at) {
            return Ok(RecordingEnd::Moment);
        }
        let left = options
            .around
            .limits
            .max_steps
            .map_or(u64::MAX, |most| most.saturating_sub(timeline.end().step));
        if clock.has_passed(RECORDING_SHARE) || left == 0 {
            return Ok(RecordingEnd::Stop(
                "the run was stopped by a limit; ".to_string(),
                Exit::Limit,
            ));
        }
        match timeline.record(left.min(SLICE)) {
            Recorded::Paused => {}
            Recorded::Solved(_) => {
                solutions += 1;
                if wanted.is_reached(solutions) {
                    return Ok(RecordingEnd::Moment);
                }
            }
            Recorded::Failed if solutions > 0 => return Ok(RecordingEnd::Moment),
            Recorded::Failed => {
                let words = "there is no solution; the search has ended, and ".to_string();
                return Ok(RecordingEnd::Stop(words, Exit::NoSolution));
            }
            Recorded::Error(error) => {
                terminal::show(
                    &error.diagnostic,
                    timeline.sources(),
                    terminal::colors_messages(options.around.color),
                );
                return Ok(RecordingEnd::Stop(
                    "the run has ended with that error; ".to_string(),
                    Exit::Error,
                ));
            }
            Recorded::Limit(LimitReached::Cancelled) => return Ok(RecordingEnd::Interrupted),
            Recorded::Limit(limit) => {
                let words = limits::in_words(limit);
                let words = words.split_once('\n').map_or(&*words, |(first, _)| first);
                return Ok(RecordingEnd::Stop(format!("{words}; "), Exit::Limit));
            }
            Recorded::Asked(question) => {
                let answer = crate::terminal::ask::ask(&question)?;
                timeline.answer(answer);
            }
        }
    }
}

/// At most this many characters explain the colors.
const LEGEND_CHARACTERS: usize = 55;

/// More pixels a picture has not.
const PIXELS: u64 = 1 << 26;

/// The map of the cell that was asked about: its candidates, and an arrow to each cell from its sources.
fn draw(place: &Place, scene: &Scene, reasons: &Reasons, tiles: &Tiles) -> Result<Vec<u8>, Stop> {
    let ([Key::Cell(x, y)], Some(grid)) = (
        &place.path[..],
        scene
            .variable(&place.variable)
            .and_then(|variable| variable.grid.as_ref()),
    ) else {
        return Err(Stop::error(format!(
            "{place} is not a cell of a grid, so there is no map to draw"
        )));
    };
    let number_of = |x: i64, y: i64| u32::try_from(y * grid.width as i64 + x).unwrap_or(u32::MAX);
    let mut values: Vec<String> = grid
        .cells
        .iter()
        .flat_map(|cell| cell.candidates.clone())
        .collect();
    values.extend(reasons.links.iter().flat_map(|link| link.lost.clone()));
    values.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    values.dedup();
    let size = (grid.width as u32, grid.height as u32);
    let title = format!("{place} = {}", reasons.value);
    let layout = BoardLayout {
        size,
        cell: None,
        captions: vec![title.chars().count(), LEGEND_CHARACTERS],
        max_pixels: PIXELS,
    };
    let cannot =
        |error: ndscript_render::RenderError| Stop::error(format!("cannot draw the map: {error}"));
    let mut painter = BoardPainter::new(&values, tiles, &layout).map_err(cannot)?;
    for (at, cell) in grid.cells.iter().enumerate() {
        let numbers: Vec<u32> = cell
            .candidates
            .iter()
            .filter_map(|candidate| values.iter().position(|value| value == candidate))
            .map(|number| number as u32)
            .collect();
        painter.show(at as u32, Some(&numbers));
    }
    let cells: Vec<Option<u32>> = reasons
        .links
        .iter()
        .map(|link| link.cell.map(|(x, y)| number_of(x, y)))
        .collect();
    let asked = number_of(*x, *y);
    let is_guessed = |at: &usize| {
        reasons.links[*at]
            .from
            .iter()
            .any(|from| reasons.links[*from].is_guess)
    };
    let (guessed, others): (Vec<usize>, Vec<usize>) = (0..cells.len()).partition(is_guessed);
    // A cell that was narrowed before it was guessed is a guess.
    let mark_all = |painter: &mut BoardPainter, links: &[usize], mark| {
        let marked: Vec<u32> = links
            .iter()
            .filter_map(|at| cells[*at])
            .filter(|cell| *cell != asked)
            .collect();
        marked.iter().for_each(|cell| painter.mark(*cell, mark));
        !marked.is_empty()
    };
    let has_others = mark_all(&mut painter, &others, Mark::Reason);
    let has_guessed = mark_all(&mut painter, &guessed, Mark::Chosen);
    painter.mark(asked, Mark::Asked);
    for (at, link) in reasons.links.iter().enumerate() {
        for from in &link.from {
            if let (Some(cell), Some(from)) = (cells[at], cells[*from])
                && cell != from
            {
                painter.arrow(
                    from,
                    cell,
                    if at < reasons.own {
                        Mark::Asked
                    } else {
                        Mark::Reason
                    },
                );
            }
        }
    }
    painter.caption(0, &title);
    let own = if guessed.iter().any(|at| cells[*at] == Some(asked)) {
        "green: guessed"
    } else {
        "green: asked"
    };
    let colors = [
        (true, own),
        (has_guessed, "yellow: guessed"),
        (has_others, "orange: came before"),
    ];
    let colors: Vec<&str> = colors
        .iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, color)| *color)
        .collect();
    painter.caption(1, &colors.join("  "));
    Ok(painter.canvas().to_png())
}
