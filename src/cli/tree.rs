//! `ndscript tree`: the tree of a search.

use std::path::Path;

use ndscript::timeline::SearchTree;

use super::exit::{Exit, Stop};
use super::save::save;
use super::search_options::TreeOptions;
use super::watched::{Watched, Watching};
use super::{files, stdout};

/// Runs a program and draws its search.
pub fn tree(options: &TreeOptions) -> Result<Exit, Stop> {
    let Some(mut watched) = Watched::new(&options.watched)? else { return Ok(Exit::Error) };
    let mut tree = SearchTree::new(watched.sources().clone(), options.nodes as usize);
    let exit = watched.finish(&mut tree)?;
    let title = files::shown_name(&options.watched.program.file);
    let mut is_written = false;
    let mut put = |path: &Option<std::path::PathBuf>, make: &dyn Fn() -> String| -> Result<(), Stop> {
        let Some(path) = path else { return Ok(()) };
        is_written = true;
        write(path, &make())
    };
    put(&options.html, &|| tree.to_html(&title))?;
    put(&options.svg, &|| tree.to_svg())?;
    put(&options.speedscope, &|| tree.to_speedscope(&title))?;
    put(&options.dot, &|| tree.to_dot())?;
    if options.json {
        stdout::write(&tree.to_json())?;
    } else if !is_written {
        stdout::write_text(&tree.to_text())?;
    }
    stdout::flush()?;
    Ok(exit)
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    save(path, text.as_bytes())
}

impl Watching for SearchTree {}
