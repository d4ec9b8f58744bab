//! Why a call of the host has failed, in words that name cells.

use std::ops::ControlFlow;

use ndscript::timeline::FailingCells;
use ndscript::{Event, Moment, Observer, Run, View, Wanted};

/// So many cells are named; all of them are shown.
const NAMED: usize = 3;

/// Watches a call and remembers where its branches die, and how the last one did.
pub struct Contradiction {
    cells: FailingCells,
    /// Of the place of a board that lost candidates last: where it is, how many it lost, and what took them.
    last_loss: Option<Loss>,
}

struct Loss {
    place: (i64, i64),
    lost: usize,
    constraint: Option<&'static str>,
}

impl Contradiction {
    pub fn new(run: &Run) -> Contradiction {
        Contradiction { cells: FailingCells::new(run.program().sources().clone()), last_loss: None }
    }

    /// The cells of a grid of the run at which it failed, as numbers row by row, and what is to be said of them. The run stands
    /// where it stood before the call. The program may have said something itself.
    pub fn in_words(&self, run: &Run, grid: &str, said: Option<String>) -> (Vec<usize>, String) {
        let shown = run.view_global(grid);
        let counts = self.cells.counts(grid).unwrap_or(&[]);
        let cells: Vec<usize> = (0..counts.len()).filter(|at| counts[*at] > 0).collect();
        let Some(shown) = shown.filter(|_| !cells.is_empty()) else {
            return (cells, said.unwrap_or("it fails, but at no cell of this grid".to_string()));
        };
        let width = shown.width().max(1);
        let named: Vec<String> = cells.iter().take(NAMED).map(|at| format!("{}, {}", at % width, at / width)).collect();
        let fails = format!("it fails at {}{}", named.join("; "), if cells.len() > NAMED { "; ..." } else { "" });
        let words = match (said, &self.last_loss) {
            (Some(said), _) => format!("{said} ({fails})"),
            (None, Some(loss)) => loss.in_words(shown),
            (None, None) => fails,
        };
        (cells, words)
    }
}

impl Loss {
    fn in_words(&self, grid: View<'_>) -> String {
        let (x, y) = self.place;
        let cell = usize::try_from(x).ok().zip(usize::try_from(y).ok()).and_then(|(x, y)| grid.cell(x, y));
        let held = cell.map_or(0, |cell| cell.elements().count().max(1));
        match self.constraint {
            None => format!("nothing would be left for {x}, {y}"),
            Some(name) if self.lost >= held => format!("`{name}` would leave nothing for {x}, {y}"),
            // A constraint may find that it cannot hold before a cell has lost all.
            Some(name) => format!("`{name}` could not hold; the last cell to lose candidates would be {x}, {y}"),
        }
    }
}

impl Observer for Contradiction {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Fail { .. } = event {
            self.last_loss = moment.dead_end().and_then(|end| {
                let place = end.removals.last()?.place.as_position()?;
                let at_place = end.removals.iter().filter(|removal| removal.place.as_position() == Some(place));
                Some(Loss { place, lost: at_place.map(|removal| removal.lost.len()).sum(), constraint: end.constraint })
            });
        }
        self.cells.observe(moment, event)
    }

    fn wanted(&self) -> Wanted {
        self.cells.wanted()
    }
}
