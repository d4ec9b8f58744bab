//! Where a search fails: how often each cell of a grid was the one at which a branch died.

use std::ops::ControlFlow;

use super::words;
use crate::host::observer::{Event, Moment, Observer, Target};
use crate::host::value::Kind;
use crate::host::view::View;

/// Larger grids are not counted.
const MOST_CELLS: usize = 1 << 22;

/// Watches a run and counts, for the grids of global variables, at which cells its branches die: where nothing was left for
/// a cell of a board, at the cell that lost candidates last, and else at the cell that was written last.
///
/// ```
/// use ndscript::Engine;
/// use ndscript::timeline::FailingCells;
/// let program = Engine::new().compile("let g = makeGrid(2, 1, 0); g[0, 0] = 1; g[1, 0] = choose(1, 2, 3); require(g[1, 0] > 2);")?;
/// let mut cells = FailingCells::default();
/// program.run(1).watch(1000, &mut cells);
/// assert_eq!(cells.counts("g"), Some(&[0, 2][..]));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FailingCells {
    grids: Vec<Counted>,
    /// The grid, by its place in `grids`, and the cell that was written last.
    latest: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Counted {
    name: String,
    counts: Vec<u64>,
}

impl FailingCells {
    /// How often each cell of the grid in this global variable was the one, row by row; `None` if no branch died at any.
    pub fn counts(&self, name: &str) -> Option<&[u64]> {
        let counted = self.grids.iter().find(|counted| counted.name == name)?;
        counted.counts.iter().any(|count| *count > 0).then_some(&*counted.counts)
    }

    /// A cell of the grid in a global variable.
    fn cell(&mut self, moment: &Moment<'_>, collection: View<'_>, key: View<'_>) -> Option<(usize, usize)> {
        if collection.kind() != Kind::Grid || collection.len() > MOST_CELLS {
            return None;
        }
        let (x, y) = key.as_position()?;
        let (width, height) = (collection.width() as i64, collection.height() as i64);
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return None;
        }
        let (name, _) = moment.globals().find(|(_, view)| view.identity() == collection.identity())?;
        let at = self.grids.iter().position(|counted| counted.name == name).unwrap_or_else(|| {
            self.grids.push(Counted { name: name.to_string(), counts: Vec::new() });
            self.grids.len() - 1
        });
        // Another grid of the same variable has counts of its own.
        if self.grids[at].counts.len() != collection.len() {
            self.grids[at].counts = vec![0; collection.len()];
        }
        Some((at, (y * width + x) as usize))
    }
}

impl Observer for FailingCells {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Write { target: Target::Part(collection, key), .. } => {
                self.latest = self.cell(moment, *collection, *key).or(self.latest);
            }
            Event::Fail { why } if !words::is_behind_solution(moment, why) => {
                let dead_end = moment.dead_end();
                let emptied = dead_end.as_ref().and_then(|end| Some((end.board, end.removals.last()?.place)));
                let at = emptied.and_then(|(board, place)| self.cell(moment, board, place)).or(self.latest);
                if let Some(count) = at.and_then(|(grid, cell)| self.grids[grid].counts.get_mut(cell)) {
                    *count += 1;
                }
                self.latest = None;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
