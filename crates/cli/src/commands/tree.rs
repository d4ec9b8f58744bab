//! `ndscript tree`: the tree of a search.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndscript::counted::counted;
use ndscript::{Event, Moment, Observer, Wanted};
use ndscript_render::RenderError;
use ndscript_render::board::{BoardLayout, BoardPainter};
use ndscript_render::sheet::Sheet;
use ndscript_timeline::{Comparison, MapLooks, SearchTree};

use crate::arguments::search_options::TreeOptions;
use crate::exit::{Exit, Stop};
use crate::files;
use crate::files::save::save;
use crate::runs::watched::{Watched, Watching};
use crate::terminal::say;
use crate::terminal::stdout;

/// In addition to twice `--nodes`, a tree may have this many nodes that cannot be folded.
const MOST_UNFOLDED: usize = 10_000;

/// Runs a program and draws its search.
pub fn tree(options: &TreeOptions) -> Result<Exit, Stop> {
    let Some(watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    options
        .watch
        .iter()
        .try_for_each(|name| watched.knows(name))?;
    let title = files::shown_name(&options.watched.program.file);
    if let Some(other) = &options.diff {
        return compare(options, watched, &title, other);
    }
    let mut watched = watched;
    let (tree, exit) = search(options, &mut watched, options.html.is_some())?;
    if options.html.is_some()
        && tree.map_name().is_none()
        && let Some(name) = tree.other_maps().first()
    {
        say(&format!(
            "the page has no maps: no variable of the program held a grid; one of a function did: --watch {name}"
        ));
    }
    write(options, &watched, &tree, &title, &|| tree.to_text())?;
    Ok(exit)
}

/// Runs the program and records the tree of its search.
fn search(
    options: &TreeOptions,
    watched: &mut Watched,
    with_maps: bool,
) -> Result<(SearchTree, Exit), Stop> {
    let mut tree = SearchTree::new(watched.sources().clone(), options.nodes as usize);
    // Only these say what has changed.
    if options.html.is_none() {
        tree = tree.without_changes();
    }
    if with_maps {
        tree = tree.with_maps(options.watch.clone());
    }
    let mut growing = BoundedTree {
        tree,
        most: 2 * options.nodes as usize + MOST_UNFOLDED,
    };
    let exit = watched.finish(&mut growing);
    if let Some(result) = exit.stopped_by()
        && growing.tree.nodes().iter().all(|node| node.stop.is_none())
    {
        match watched.unanswered() {
            Some(unanswered) => growing.tree.record_error(&unanswered.why, unanswered.at),
            None => growing.tree.record_stop(result),
        }
    }
    if growing.is_full() {
        let nodes = counted(growing.tree.nodes().len(), "node");
        say(&format!(
            "stopped at step {}: the tree has {nodes}, and few of them can be folded, as the search goes on and on without coming \
             back; --nodes keeps more",
            watched.steps()
        ));
        return Ok((growing.tree, Exit::Limit));
    }
    Ok((growing.tree, exit))
}

/// Writes the comparison of two runs: another seed, or another program with an equal seed.
fn compare(
    options: &TreeOptions,
    mut first: Watched,
    title: &str,
    other: &Path,
) -> Result<Exit, Stop> {
    let seed = first.seed();
    let other_seed: Option<u64> = other.to_str().and_then(|text| text.parse().ok());
    let (file, seeds) = match other_seed {
        Some(other) => (&*options.watched.program.file, [seed, other]),
        None => (other, [seed, seed]),
    };
    let Some(mut second) = Watched::of(&options.watched, file, Some(seeds[1]))? else {
        return Ok(Exit::Error);
    };
    let names = [
        format!("{title}, seed {}", seeds[0]),
        format!("{}, seed {}", files::shown_name(file), seeds[1]),
    ];
    // Tells which of the runs the following messages are about.
    say(&format!("first: {}", names[0]));
    let (tree, exit) = search(options, &mut first, true)?;
    say(&format!("second: {}", names[1]));
    let (other, other_exit) = search(options, &mut second, true)?;
    let comparison = Comparison::new([&names[0], &names[1]], &tree, &other);
    write(
        options,
        &first,
        comparison.tree(),
        &format!("{} and {}", names[0], names[1]),
        &|| comparison.to_text(),
    )?;
    if options.json || options.html.is_some() || options.svg.is_some() || options.dot.is_some() {
        say(comparison.in_words().trim_end());
    }
    Ok(if exit == Exit::Success {
        other_exit
    } else {
        exit
    })
}

/// Writes the tree in the forms that are wanted; as text if there are none.
fn write(
    options: &TreeOptions,
    watched: &Watched,
    tree: &SearchTree,
    title: &str,
    text: &dyn Fn() -> String,
) -> Result<(), Stop> {
    let mut is_written = false;
    let mut put = |path: &Option<PathBuf>, make: &dyn Fn() -> String| -> Result<(), Stop> {
        let Some(path) = path else { return Ok(()) };
        is_written = true;
        save(path, make().as_bytes())?;
        say(&format!("wrote {}", path.display()));
        Ok(())
    };
    put(&options.html, &|| {
        tree.to_html(title, looks(tree, watched).as_ref())
    })?;
    put(&options.svg, &|| tree.to_svg())?;
    put(&options.speedscope, &|| tree.to_speedscope(title))?;
    put(&options.dot, &|| tree.to_dot())?;
    if options.json {
        stdout::write_json(&tree.to_json())?;
    } else if !is_written {
        stdout::write_text(&text())?;
    }
    stdout::flush()
}

/// At most this many values of a map are drawn; beyond that the page shows the words.
const MOST_DRAWN: usize = 4096;

/// The width and height of a value in pixels.
const CELL: u32 = 24;

/// The pictures of the values of the map, if they can be drawn.
fn looks(tree: &SearchTree, watched: &Watched) -> Option<MapLooks> {
    let values = tree.values();
    if values.is_empty() || values.len() > MOST_DRAWN {
        return None;
    }
    let draw = || -> Result<MapLooks, RenderError> {
        let max_pixels = watched.max_pixels();
        let layout = BoardLayout {
            size: (1, 1),
            cell: Some(CELL),
            captions: Vec::new(),
            max_pixels,
        };
        let mut painter = BoardPainter::new(&values, watched.tiles(), &layout)?;
        let mut sheet = Sheet::new(CELL);
        for value in 0..values.len() as u32 {
            painter.show(0, Some(&[value]));
            sheet.add(painter.canvas(), painter.corner(0));
        }
        Ok(MapLooks {
            url: sheet.url(max_pixels)?,
            cell: CELL,
            across: sheet.across(),
        })
    };
    match draw() {
        Ok(looks) => Some(looks),
        Err(why) => {
            say(&format!(
                "the maps of the page have words in place of tiles: {why}"
            ));
            None
        }
    }
}

/// A tree that grows up to a bound. Only failed subtrees are folded: a search that never backtracks makes more and more
/// nodes that cannot be.
struct BoundedTree {
    tree: SearchTree,
    most: usize,
}

impl BoundedTree {
    fn is_full(&self) -> bool {
        self.tree.nodes().len() > self.most
    }
}

impl Observer for BoundedTree {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        self.tree.observe(moment, event)?;
        if self.is_full() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn wanted(&self) -> Wanted {
        self.tree.wanted()
    }
}

impl Watching for BoundedTree {
    fn has_enough(&self) -> bool {
        self.is_full()
    }
}
