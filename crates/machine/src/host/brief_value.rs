//! The result of a solution as text that fits into a window: where a board does not fit, its undecided places are shown
//! by how many candidates they have.

use crate::machine::Machine;
use ndscript_heap::{Kind, Value};

/// The most characters of a cell in a board that is shown in brief.
const MOST_OF_CELL: usize = 16;

/// Lines of the window that are left for the input, the prompt and what is said below a board.
const OTHER_LINES: usize = 5;

/// The lines that a list may take before its undecided places are shown in brief.
const LINES_OF_LIST: usize = 4;

impl Machine {
    /// The value of the latest solution as text of at most `most` bytes for a window of these columns and rows.
    pub fn show_result_within(&self, most: usize, columns: usize, rows: usize) -> String {
        let (value, rows) = (self.result, rows.saturating_sub(OTHER_LINES).max(3));
        let whole = self.show_result(most);
        let is_cut = whole.len() >= most;
        let taken: usize = whole
            .lines()
            .map(|line| line.chars().count().div_ceil(columns).max(1))
            .sum();
        match value.kind() {
            Kind::Grid if is_cut || taken > rows || taken > whole.lines().count() => {
                self.grid_in_brief(value, columns, rows)
            }
            Kind::Array | Kind::Object
                if taken > LINES_OF_LIST
                    && self.first_undecided(&self.contents(value)).is_some() =>
            {
                self.list_in_brief(value, columns.saturating_mul(LINES_OF_LIST))
            }
            _ if taken > rows => self.show_result(most.min(columns.saturating_mul(rows))),
            _ => whole,
        }
    }

    /// How many candidates a place has, if it is undecided.
    fn candidates(&self, value: Value) -> Option<usize> {
        let count = value
            .is_kind(Kind::Set)
            .then(|| self.context.heap.set_len(value))?;
        (count != 1).then_some(count)
    }

    /// The contents of a board's places.
    fn contents(&self, board: Value) -> Vec<Value> {
        let heap = &self.context.heap;
        let places = 0..heap.places_of(board);
        places.map(|place| heap.at_place(board, place)).collect()
    }

    /// How many candidates the first undecided place has.
    fn first_undecided(&self, contents: &[Value]) -> Option<usize> {
        contents.iter().find_map(|value| self.candidates(*value))
    }

    /// A place of a board in few characters.
    fn place_in_brief(&self, value: Value) -> String {
        if let Some(count) = self.candidates(value) {
            return format!("·{count}");
        }
        let heap = &self.context.heap;
        let mut text = heap.show_beginning(value, &self.context, MOST_OF_CELL);
        if let Some((end, _)) = text.char_indices().nth(MOST_OF_CELL) {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    /// A grid with its columns below one another, as many columns and rows as fit.
    fn grid_in_brief(&self, grid: Value, columns: usize, rows: usize) -> String {
        let width = (self.context.heap.grids[grid.payload()].width as usize).max(1);
        let places = self.contents(grid);
        let height = places.len() / width;
        // The last line says what the others mean, and one more says how many rows are missing.
        let (shown_rows, shown_columns) = (
            if height + 2 > rows {
                rows.saturating_sub(3).max(1)
            } else {
                height
            },
            width.min(columns),
        );
        let cells: Vec<Vec<String>> = places
            .chunks(width)
            .take(shown_rows)
            .map(|row| {
                row.iter()
                    .take(shown_columns)
                    .map(|value| self.place_in_brief(*value))
                    .collect()
            })
            .collect();
        let letters = |cell: &String| cell.chars().count();
        let widths: Vec<usize> = (0..shown_columns)
            .map(|x| cells.iter().map(|row| letters(&row[x])).max().unwrap_or(0))
            .collect();
        let (mut used, mut fitting) = (2, 0);
        for width in &widths {
            // Two columns are left for the dots.
            if used + width + 3 > columns {
                break;
            }
            used += width + 1;
            fitting += 1;
        }
        let mut out = format!("grid {width}x{height}");
        for row in &cells {
            out.push_str("\n ");
            for (cell, width) in row.iter().zip(&widths).take(fitting) {
                let gap = " ".repeat(width - letters(cell) + 1);
                out.push_str(&gap);
                out.push_str(cell);
            }
            if fitting < width {
                out.push_str(" …");
            }
        }
        if cells.len() < height {
            out.push_str(&format!("\n  … {} more rows", height - cells.len()));
        }
        if let Some(count) = self.first_undecided(&places) {
            out.push_str(&legend(count, "a cell, `g[0, 0]`,", "printGrid"));
        }
        out
    }

    /// An array or object in brief, in about `most` characters.
    fn list_in_brief(&self, list: Value, most: usize) -> String {
        let heap = &self.context.heap;
        let is_object = list.is_kind(Kind::Object);
        let (begin, end) = if is_object { ("{", "}") } else { ("[", "]") };
        let contents = self.contents(list);
        let (mut out, mut letters) = (begin.to_string(), 1);
        for (at, value) in contents.iter().enumerate() {
            let mut place = self.place_in_brief(*value);
            if is_object {
                let key = heap
                    .as_str(self.context.name_of_place(list, at))
                    .unwrap_or_default();
                let key: String = key.chars().take(MOST_OF_CELL).collect();
                place = format!("{key}: {place}");
            }
            let gap = if at == 0 { "" } else { ", " };
            letters += place.chars().count() + gap.len();
            if letters + 5 > most {
                out.push_str(", …");
                break;
            }
            out.push_str(gap);
            out.push_str(&place);
        }
        out.push_str(end);
        if let Some(count) = self.first_undecided(&contents) {
            out.push_str(&legend(count, "a place", "printLine"));
        }
        out
    }
}

/// Says what `·3` means, and how everything is seen.
fn legend(count: usize, place: &str, printing: &str) -> String {
    format!("\n·{count}: {count} candidates. Name {place} for them, or `{printing}` the whole")
}
