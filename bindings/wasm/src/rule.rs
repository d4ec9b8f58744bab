//! A rule that could not hold, as a person finds it again: in the grid, and in the program.

use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::{Program, View};
use wasm_bindgen::JsValue;

use crate::object::{Fields, array};

/// So many places are named where they have no shape of their own.
const NAMED: usize = 4;

/// A constraint: the built-in that has put it, and the places that it is on, none where it is on the whole grid.
#[derive(Clone)]
pub struct Rule {
    pub name: &'static str,
    pub on: Vec<(i64, i64)>,
}

/// Where a rule may stand in the text of a program.
pub struct Line {
    file: String,
    pub number: usize,
}

impl Rule {
    /// Its places in words: a row, a column, a block, or one after another.
    pub fn places(&self, grid: View<'_>) -> Option<String> {
        let (mut left, mut top) = *self.on.first()?;
        let (mut right, mut bottom) = (left, top);
        let mut places = self.on.clone();
        places.sort_unstable_by_key(|(x, y)| (*y, *x));
        places.dedup();
        for (x, y) in &places {
            (left, right, top, bottom) = (left.min(*x), right.max(*x), top.min(*y), bottom.max(*y));
        }
        let (width, height) = (right - left + 1, bottom - top + 1);
        if places.len() > 1 && places.len() as i64 == width * height {
            let is_whole = |size: i64, whole: usize| size == whole as i64;
            return Some(
                match (
                    is_whole(width, grid.width()),
                    is_whole(height, grid.height()),
                ) {
                    (true, true) => "the whole grid".to_string(),
                    (true, false) if height == 1 => format!("row {top}"),
                    (false, true) if width == 1 => format!("column {left}"),
                    _ if places.len() <= NAMED => listed(&places),
                    _ => format!("{left}, {top} to {right}, {bottom}"),
                },
            );
        }
        Some(listed(&places))
    }

    /// Its places as numbers of cells, row by row.
    pub fn cells(&self, grid: View<'_>) -> Vec<usize> {
        let number = |(x, y): &(i64, i64)| {
            Some(usize::try_from(*y).ok()? * grid.width() + usize::try_from(*x).ok()?)
        };
        self.on.iter().filter_map(number).collect()
    }

    /// The lines of the program that name the built-in. A board does not keep which of them has put the rule.
    pub fn lines(&self, program: &Program) -> Vec<Line> {
        let mut lines = Vec::new();
        for file in program.sources().files() {
            let mut walked = (0, 1);
            for (class, range) in tokens(&file.text) {
                if class != TokenClass::Name || file.text.get(range.clone()) != Some(self.name) {
                    continue;
                }
                let between = file.text.get(walked.0..range.start).unwrap_or_default();
                walked = (range.start, walked.1 + between.matches('\n').count());
                let line = Line {
                    file: file.name.to_string(),
                    number: walked.1,
                };
                if lines.last().is_none_or(|last: &Line| {
                    (&last.file, last.number) != (&line.file, line.number)
                }) {
                    lines.push(line);
                }
            }
        }
        lines
    }
}

impl Line {
    pub fn at(program: &Program, span: ndscript::source::Span) -> Option<Line> {
        let (file, number, _) = program.sources().locate(span)?;
        Some(Line {
            file: file.name.to_string(),
            number,
        })
    }
}

fn listed(places: &[(i64, i64)]) -> String {
    let named: Vec<String> = places
        .iter()
        .take(NAMED)
        .map(|(x, y)| format!("{x}, {y}"))
        .collect();
    format!(
        "{}{}",
        named.join("; "),
        if places.len() > NAMED { "; ..." } else { "" }
    )
}

/// As `Misplaced` of `types.d.ts` has them.
pub fn lines_to_js(lines: &[Line]) -> JsValue {
    array(lines.iter().map(|line| {
        Fields::new()
            .with("file", line.file.as_str())
            .with("line", line.number as f64)
    }))
}
