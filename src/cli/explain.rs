//! `ndscript explain`: why a search fails, or takes long.

use ndscript::timeline::Causes;

use super::exit::{Exit, Stop};
use super::search_options::ExplainOptions;
use super::stdout;
use super::watched::{Watched, Watching};

/// Runs a program and says what its search came to.
pub fn explain(options: &ExplainOptions) -> Result<Exit, Stop> {
    let Some(mut watched) = Watched::new(&options.watched)? else { return Ok(Exit::Error) };
    let mut causes = Causes::new(watched.sources().clone());
    let exit = watched.finish(&mut causes);
    stdout::write_text(&causes.to_text())?;
    stdout::flush()?;
    Ok(exit)
}

impl Watching for Causes {}
