//! Where a search fails: how often each cell of a grid was the one at which a branch failed.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::moments::named::Line;
use crate::moments::words;
use ndscript::Kind;
use ndscript::View;
use ndscript::{Event, Moment, Observer, Target, Wanted};
use ndscript_base::counted::counted;
use ndscript_base::source::Sources;

/// Larger grids are not counted.
const MOST_CELLS: usize = 1 << 22;

/// Watches a run and counts, for the grids of global variables, at which cells its branches fail: if a cell of a board
/// had no candidate left, at the cell that lost candidates last; else at the cells that the failing line reads, as
/// `g[p]`; and if it names none, at the cell that was written last.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::FailingCells;
/// let program = Engine::new().compile("let g = makeGrid(2, 1, 0); g[0, 0] = 1; g[1, 0] = choose(1, 2, 3); require(g[1, 0] > 2);")?;
/// let mut cells = FailingCells::new(program.sources().clone());
/// program.run(1).watch(1000, &mut cells);
/// assert_eq!(cells.counts("g"), Some(&[0, 2][..]));
/// assert_eq!(cells.to_text(), "where in `g` branches died: g[1, 0] 2 times\n  . 9\n");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FailingCells {
    sources: Sources,
    grids: Vec<CountedGrid>,
    /// The place that the line of each failed statement reads, by the beginning of the statement; there are few.
    lines: Vec<(u32, Line)>,
    /// The cells that the line of the failing branch reads.
    failing: Vec<(usize, usize)>,
    /// The grid, by its place in `grids`, and the cell that was written last.
    latest: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct CountedGrid {
    name: String,
    width: usize,
    counts: Vec<u64>,
}

/// At most this many cells are named, and the largest grid that is shown.
const MOST_NAMED: usize = 5;
const MOST_SHOWN_CELLS: usize = 64;

impl FailingCells {
    /// An empty count for a program with these texts.
    pub fn new(sources: Sources) -> FailingCells {
        FailingCells {
            sources,
            grids: Vec::new(),
            lines: Vec::new(),
            failing: Vec::new(),
            latest: None,
        }
    }

    /// How often branches failed at each cell of the grid in this global variable, row by row; `None` if none did.
    pub fn counts(&self, name: &str) -> Option<&[u64]> {
        let counted = self.grids.iter().find(|counted| counted.name == name)?;
        counted
            .counts
            .iter()
            .any(|count| *count > 0)
            .then_some(&*counted.counts)
    }

    /// The cells at which most branches have failed, and a map of each grid with a digit for how often: 9 where it was
    /// most often, a dot where it never was. Empty if no branch has failed at a cell.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for CountedGrid {
            name,
            width,
            counts,
        } in &self.grids
        {
            let mut most: Vec<(usize, u64)> = counts
                .iter()
                .copied()
                .enumerate()
                .filter(|(_, count)| *count > 0)
                .collect();
            most.sort_by_key(|(at, count)| (std::cmp::Reverse(*count), *at));
            let Some((_, greatest)) = most.first().copied() else {
                continue;
            };
            let named: Vec<String> = most
                .iter()
                .take(MOST_NAMED)
                .map(|(at, count)| {
                    format!(
                        "{name}[{}, {}] {}",
                        at % width,
                        at / width,
                        counted(*count, "time")
                    )
                })
                .collect();
            let others = match most.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                others => format!(" and {}", counted(others, "other cell")),
            };
            // A `String` takes every write.
            let _ = writeln!(
                out,
                "where in `{name}` branches died: {}{others}",
                named.join(", ")
            );
            if *width <= MOST_SHOWN_CELLS && counts.len() / width <= MOST_SHOWN_CELLS {
                for row in counts.chunks(*width) {
                    let digits: Vec<String> =
                        row.iter().map(|count| digit(*count, greatest)).collect();
                    let _ = writeln!(out, "  {}", digits.join(" "));
                }
            }
        }
        out
    }

    /// A cell of the grid in a global variable.
    fn cell(
        &mut self,
        moment: &Moment<'_>,
        collection: View<'_>,
        place: (i64, i64),
    ) -> Option<(usize, usize)> {
        if collection.kind() != Kind::Grid || collection.len() > MOST_CELLS {
            return None;
        }
        let (x, y) = place;
        let (width, height) = (collection.width() as i64, collection.height() as i64);
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return None;
        }
        let is_collection = |view: Option<View<'_>>| {
            view.is_some_and(|view| view.identity() == collection.identity())
        };
        let known = self
            .grids
            .iter()
            .position(|counted| is_collection(moment.global(&counted.name)));
        let at = match known {
            Some(at) => at,
            None => {
                let (name, _) = moment
                    .globals()
                    .find(|(_, view)| is_collection(Some(*view)))?;
                self.grids.push(CountedGrid {
                    name: name.to_string(),
                    width: 1,
                    counts: Vec::new(),
                });
                self.grids.len() - 1
            }
        };
        // Another grid of the variable has counts of its own.
        if self.grids[at].counts.len() != collection.len() {
            self.grids[at].counts = vec![0; collection.len()];
            self.grids[at].width = collection.width().max(1);
        }
        Some((at, (y * width + x) as usize))
    }
}

/// From 1 to 9, rounded up; a dot for nothing.
fn digit(count: u64, greatest: u64) -> String {
    if count == 0 {
        ".".to_string()
    } else {
        (count.saturating_mul(9)).div_ceil(greatest).to_string()
    }
}

impl Observer for FailingCells {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Write {
                target: Target::Part(collection, key),
                ..
            } => {
                let cell = key
                    .as_position()
                    .and_then(|place| self.cell(moment, *collection, place));
                self.latest = cell.or(self.latest);
            }
            Event::Failing => {
                let Some(span) = moment.span else {
                    return ControlFlow::Continue(());
                };
                let known = self
                    .lines
                    .iter()
                    .position(|(start, _)| *start == span.start);
                let at = known.unwrap_or_else(|| {
                    self.lines.push((span.start, Line::at(&self.sources, span)));
                    self.lines.len() - 1
                });
                let line = std::mem::take(&mut self.lines[at].1);
                line.each_cell(moment, |grid, place| {
                    if let Some(cell) = self
                        .cell(moment, grid, place)
                        .filter(|cell| !self.failing.contains(cell))
                    {
                        self.failing.push(cell);
                    }
                });
                self.lines[at].1 = line;
            }
            Event::Fail { why } if !words::is_after_solution(moment, why) => {
                let dead_end = moment.dead_end();
                let emptied = dead_end
                    .as_ref()
                    .and_then(|end| Some((end.board, end.removals.last()?.place.as_position()?)));
                let emptied = emptied.and_then(|(board, place)| self.cell(moment, board, place));
                let failing = std::mem::take(&mut self.failing);
                let all = match (emptied, &failing[..]) {
                    (Some(cell), _) => vec![cell],
                    (None, []) => self.latest.into_iter().collect(),
                    (None, _) => failing,
                };
                for (grid, cell) in all {
                    if let Some(count) = self.grids[grid].counts.get_mut(cell) {
                        *count += 1;
                    }
                }
                self.latest = None;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            failing: true,
            reasons: false,
            ..Wanted::default()
        }
    }
}
