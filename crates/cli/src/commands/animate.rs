//! `ndscript animate`: the search for a grid, as a film.

use std::path::Path;

use ndscript::counted::counted;
use ndscript_render::animation::{AnimationError, Apng, Gif};
use ndscript_render::{Canvas, RenderError};
use ndscript_timeline::{Film, FilmOptions, FilmRenderer, Still};

use crate::arguments::search_options::AnimateOptions;
use crate::exit::{Exit, Stop};
use crate::files;
use crate::files::save::{save, save_unnamed};
use crate::runs::clock::Clock;
use crate::runs::watched::{Watched, Watching};
use crate::terminal::say;

impl Watching for Film {}

/// Runs a program and films a grid of it.
pub fn animate(options: &AnimateOptions) -> Result<Exit, Stop> {
    let Some(mut watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    options
        .watch
        .iter()
        .try_for_each(|name| watched.knows(name))?;
    let most = options.max_frames as usize;
    let mut film = Film::new(
        watched.sources().clone(),
        options.watch.clone(),
        options.every,
        most,
    );
    let exit = watched.finish(&mut film);
    if film.shots().is_empty() {
        // Errors of the program are already reported.
        let nothing = nothing_to_show(options, film.others());
        return match exit {
            Exit::Error => Ok(exit),
            Exit::Success => Err(nothing),
            // The end of the run gives the reason.
            _ => Err(Stop { exit, ..nothing }),
        };
    }
    let showing = FilmOptions {
        cell: options.tile_size,
        milliseconds: (1000.0 / options.fps).round() as u32,
        max_pixels: watched.max_pixels(),
    };
    let clock = Clock::new(watched.timeout());
    let cutting = FilmRenderer::new(film, watched.tiles().clone(), showing);
    if let Some(path) = &options.gif {
        let mut file = Vec::new();
        let (width, height) = size(&cutting)?;
        let mut gif = Gif::new(&mut file, width, height).map_err(cannot_make)?;
        play(&cutting, &clock, |canvas, still, _| {
            gif.add(canvas, still.part, still.milliseconds)
                .map_err(cannot_make)
        })?;
        gif.finish().map_err(cannot_make)?;
        write(&cutting, path, &file)?;
    }
    if let Some(path) = &options.apng {
        let mut file = Vec::new();
        let (width, height) = size(&cutting)?;
        let count = cutting.film().shots().len() as u32;
        let mut apng = Apng::new(&mut file, width, height, count).map_err(cannot_make)?;
        play(&cutting, &clock, |canvas, still, _| {
            apng.add(canvas, still.part, still.milliseconds)
                .map_err(cannot_make)
        })?;
        apng.finish().map_err(cannot_make)?;
        write(&cutting, path, &file)?;
    }
    if let Some(folder) = &options.frames {
        let count = cutting.film().shots().len();
        let digits = count.to_string().len();
        play(&cutting, &clock, |canvas, _, number| {
            save_unnamed(
                &folder.join(format!("{:0digits$}.png", number + 1)),
                &canvas.to_png(),
            )
        })?;
        say(&format!(
            "wrote {} to {}: {}",
            counted(count, "picture"),
            folder.display(),
            in_words(cutting.film())
        ));
    }
    if let Some(path) = &options.html {
        let title = files::shown_name(&options.watched.program.file);
        let page = cutting
            .page_while(&title, &mut || !clock.is_over())
            .map_err(cannot_draw)?;
        let page = page.ok_or_else(|| too_long(&clock))?;
        write(&cutting, path, page.as_bytes())?;
    }
    Ok(exit)
}

fn size(cutting: &FilmRenderer) -> Result<(u32, u32), Stop> {
    let reel = cutting.reel().map_err(cannot_draw)?;
    Ok((reel.canvas().width(), reel.canvas().height()))
}

/// Drawing took too long. A run that was stopped by its time limit can still be drawn, for as long as that limit.
fn too_long(clock: &Clock) -> Stop {
    Stop::limit(format!(
        "stopped after drawing for {}, as long as --timeout allows\n\
         --max-frames 20 draws fewer pictures, --tile-size 8 smaller ones",
        clock.in_words()
    ))
}

/// Shows the pictures one after another, each with its number.
fn play(
    cutting: &FilmRenderer,
    clock: &Clock,
    mut show: impl FnMut(&Canvas, Still, usize) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut reel = cutting.reel().map_err(cannot_draw)?;
    let mut number = 0;
    while let Some(still) = reel.advance(cutting) {
        show(reel.canvas(), still, number)?;
        number += 1;
        if clock.is_over() && number < cutting.film().shots().len() {
            return Err(too_long(clock));
        }
    }
    Ok(())
}

fn write(cutting: &FilmRenderer, path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    save(path, bytes)?;
    say(&format!(
        "wrote {}: {}",
        path.display(),
        in_words(cutting.film())
    ));
    Ok(())
}

fn in_words(film: &Film) -> String {
    let shots = film.shots();
    let name = film.watched().unwrap_or("");
    let frames = counted(shots.len(), "frame");
    match film.stride() {
        1 => format!("{frames} of `{name}`"),
        stride => format!("{frames} of `{name}`, one every {stride} events of the search"),
    }
}

/// The error of a run that wrote to no grid which could be shown.
fn nothing_to_show(options: &AnimateOptions, others: &[String]) -> Stop {
    Stop::error(match (&options.watch, others) {
        (Some(name), _) => format!(
            "there is nothing to show: the variable `{name}` held no grid that was written to\n\
             --watch names the variable that holds the grid"
        ),
        (None, []) => {
            "there is nothing to show: no global variable held a grid with sets of candidates\n\
                       --watch NAME names the variable of another grid"
                .to_string()
        }
        (None, [first, ..]) => format!(
            "there is nothing to show: no global variable held a grid with sets of candidates\n\
             a variable of a function did: --watch {first}"
        ),
    })
}

fn cannot_make(why: AnimationError) -> Stop {
    Stop::error(format!("cannot make the animation: {why}"))
}

fn cannot_draw(why: RenderError) -> Stop {
    match why {
        RenderError::Tile(_) => Stop::error(format!("cannot draw the grid: {why}")),
        _ => Stop::limit(why.to_string()),
    }
}
