//! `ndscript explain`: why a search fails, or takes long.

use std::ops::ControlFlow;

use ndscript::{Event, Moment, Observer, Wanted};
use ndscript_timeline::{Causes, FailingCells};

use crate::arguments::search_options::ExplainOptions;
use crate::exit::{Exit, Stop};
use crate::results::{booklet, solution_steps};
use crate::runs::watched::{Watched, Watching};
use crate::terminal::stdout;

/// Runs a program and reports how its search went.
pub fn explain(options: &ExplainOptions) -> Result<Exit, Stop> {
    if options.solve {
        return match &options.html {
            Some(path) => booklet::write(options, path),
            None => solution_steps::explain_solution(options),
        };
    }
    let Some(mut watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    let sources = watched.sources().clone();
    let mut search = ExplainObserver {
        causes: Causes::new(sources.clone()),
        cells: FailingCells::new(sources),
    };
    let exit = watched.finish(&mut search);
    let (causes, cells) = (search.causes.to_text(), search.cells.to_text());
    stdout::write_text(&causes)?;
    if !cells.is_empty() {
        stdout::write_text(&format!("\n{cells}"))?;
    }
    stdout::flush()?;
    Ok(exit)
}

/// Counts why branches fail, and at which cells.
struct ExplainObserver {
    causes: Causes,
    cells: FailingCells,
}

impl Observer for ExplainObserver {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let _ = self.cells.observe(moment, event);
        self.causes.observe(moment, event)
    }

    fn wanted(&self) -> Wanted {
        self.causes.wanted().or(self.cells.wanted())
    }
}

impl Watching for ExplainObserver {}
