//! Why a call of the host has failed, in words that name cells.

use std::ops::ControlFlow;

use ndscript::source::Span;
use ndscript::{Event, Moment, Observer, Run, View, Wanted};
use ndscript_timeline::FailingCells;

use crate::rule::{Line, Rule};

/// So many cells are named, and lines; all of them are shown.
const NAMED: usize = 3;

/// Why something cannot be placed.
#[derive(Default)]
pub struct Misplaced {
    pub problem: String,
    /// The cells of the grid at which it fails, as numbers row by row, and those that the rule is on that could not hold.
    pub cells: Vec<usize>,
    pub on: Vec<usize>,
    /// Where that rule may stand in the program.
    pub lines: Vec<Line>,
}

impl Misplaced {
    pub fn new(problem: impl Into<String>) -> Misplaced {
        Misplaced {
            problem: problem.into(),
            ..Misplaced::default()
        }
    }
}

/// Watches a call and remembers where its branches die, and how the last one did.
pub struct Contradiction {
    cells: FailingCells,
    /// Of the place of a board that lost candidates last: where it is, how many it lost, and what took them.
    last_loss: Option<Loss>,
    /// The line that has failed last, where that was no constraint.
    failed_at: Option<Span>,
}

struct Loss {
    place: (i64, i64),
    lost: usize,
    rule: Option<Rule>,
}

impl Contradiction {
    pub fn new(run: &Run) -> Contradiction {
        let cells = FailingCells::new(run.program().sources().clone());
        Contradiction {
            cells,
            last_loss: None,
            failed_at: None,
        }
    }

    /// What is to be said of it. The run stands where it stood before the call. The program may have said something itself.
    pub fn in_words(&self, run: &Run, grid: &str, said: Option<String>) -> Misplaced {
        let counts = self.cells.counts(grid).unwrap_or(&[]);
        let cells: Vec<usize> = (0..counts.len()).filter(|at| counts[*at] > 0).collect();
        let Some(shown) = run.view_global(grid).filter(|_| !cells.is_empty()) else {
            let lines = self.own_line(run);
            let problem = said.unwrap_or("it fails, but at no cell of this grid".to_string());
            return Misplaced {
                problem: problem + &in_brackets("", &lines),
                cells,
                lines,
                ..Misplaced::default()
            };
        };
        let width = shown.width().max(1);
        let named: Vec<String> = cells
            .iter()
            .take(NAMED)
            .map(|at| format!("{}, {}", at % width, at / width))
            .collect();
        let fails = format!(
            "it fails at {}{}",
            named.join("; "),
            if cells.len() > NAMED { "; ..." } else { "" }
        );
        if let (None, Some(loss)) = (&said, &self.last_loss) {
            let rule = loss.rule.as_ref();
            let lines = rule.map_or_else(Vec::new, |rule| rule.lines(run.program()));
            let on = rule.map_or_else(Vec::new, |rule| rule.cells(shown));
            return Misplaced {
                problem: loss.in_words(shown, &lines),
                cells,
                on,
                lines,
            };
        }
        let lines = self.own_line(run);
        let problem = match said {
            Some(said) => format!("{said}{}", in_brackets(&fails, &lines)),
            None => format!("{fails}{}", in_brackets("", &lines)),
        };
        Misplaced {
            problem,
            cells,
            lines,
            ..Misplaced::default()
        }
    }

    fn own_line(&self, run: &Run) -> Vec<Line> {
        self.failed_at
            .and_then(|span| Line::at(run.program(), span))
            .into_iter()
            .collect()
    }
}

/// ` (line 3 or 4)`, behind something else where there is that.
fn in_brackets(before: &str, lines: &[Line]) -> String {
    let numbers: Vec<String> = lines
        .iter()
        .take(NAMED)
        .map(|line| line.number.to_string())
        .collect();
    let lines = match &numbers[..] {
        [] => String::new(),
        [first @ .., last] if !first.is_empty() && lines.len() <= NAMED => {
            format!("line {} or {last}", first.join(", "))
        }
        all if lines.len() > NAMED => format!("line {} or another", all.join(", ")),
        all => format!("line {}", all.join(", ")),
    };
    match (before.is_empty(), lines.is_empty()) {
        (true, true) => String::new(),
        (false, false) => format!(" ({before}, {lines})"),
        _ => format!(" ({before}{lines})"),
    }
}

impl Loss {
    fn in_words(&self, grid: View<'_>, lines: &[Line]) -> String {
        let (x, y) = self.place;
        let cell = usize::try_from(x)
            .ok()
            .zip(usize::try_from(y).ok())
            .and_then(|(x, y)| grid.cell(x, y));
        let held = cell.map_or(0, |cell| cell.elements().count().max(1));
        let Some(rule) = &self.rule else {
            return format!("nothing would be left for {x}, {y}");
        };
        let on = rule
            .places(grid)
            .map_or_else(String::new, |places| format!(" on {places}"));
        let rule = format!("`{}`{on}{}", rule.name, in_brackets("", lines));
        if self.lost >= held {
            return format!("{rule} would leave nothing for {x}, {y}");
        }
        // A constraint may find that it cannot hold before a cell has lost all.
        format!("{rule} could not hold; the last cell to lose candidates would be {x}, {y}")
    }
}

impl Observer for Contradiction {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Fail { .. } = event {
            let end = moment.dead_end();
            self.failed_at = moment.span.filter(|_| end.is_none());
            self.last_loss = end.and_then(|end| {
                let place = end.removals.last()?.place.as_position()?;
                let at_place = end
                    .removals
                    .iter()
                    .filter(|removal| removal.place.as_position() == Some(place));
                let lost = at_place.map(|removal| removal.lost.len()).sum();
                let on = end
                    .on
                    .iter()
                    .filter_map(|place| place.as_position())
                    .collect();
                Some(Loss {
                    place,
                    lost,
                    rule: end.constraint.map(|name| Rule { name, on }),
                })
            });
        }
        self.cells.observe(moment, event)
    }

    fn wanted(&self) -> Wanted {
        self.cells.wanted()
    }
}
