//! Clicks: which cell of the latest picture was meant.

use crossterm::event::MouseButton;
use unicode_width::UnicodeWidthChar;

/// A click above a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Click {
    /// The column of the window, from 0.
    pub column: u32,
    /// The row, counted upwards from the first row of the question, at least 1.
    pub above: u32,
    pub button: MouseButton,
}

impl Click {
    /// The button as scripts know it.
    pub fn button_name(self) -> &'static str {
        match self.button {
            MouseButton::Left => "left",
            MouseButton::Right => "right",
            MouseButton::Middle => "middle",
        }
    }
}

/// The latest picture, as it lies on the screen, and what was written below it.
#[derive(Clone, Debug)]
pub struct Target {
    /// Cells across and down.
    cells: (u32, u32),
    /// Dots across and down; a row of the screen shows two of them.
    dots: (u32, u32),
    /// Rows below the picture that are complete.
    rows_below: u32,
    /// The columns of the row that is not.
    columns_used: u32,
}

impl Target {
    pub fn new(cells: (u32, u32), dots: (u32, u32)) -> Target {
        Target {
            cells,
            dots,
            rows_below: 0,
            columns_used: 0,
        }
    }

    /// Text was written below, in a window of this many columns.
    pub fn wrote(&mut self, text: &str, window: u32) {
        for character in text.chars() {
            if character == '\n' {
                self.rows_below += 1;
                self.columns_used = 0;
                continue;
            }
            let width = character.width().unwrap_or(0) as u32;
            // A row is only broken by what does not fit into it any more.
            if self.columns_used + width > window {
                self.rows_below += 1;
                self.columns_used = 0;
            }
            self.columns_used += width;
        }
    }

    /// The cell of a click, by column and row; `None` outside of the picture.
    pub fn cell(&self, click: Click) -> Option<(i64, i64)> {
        let rows = self.dots.1.div_ceil(2);
        let row = (rows + self.rows_below)
            .checked_sub(click.above)
            .filter(|row| *row < rows)?;
        let at = |dot: u32, cells: u32, dots: u32| {
            (dot < dots).then(|| i64::from(dot) * i64::from(cells) / i64::from(dots.max(1)))
        };
        Some((
            at(click.column, self.cells.0, self.dots.0)?,
            at(2 * row, self.cells.1, self.dots.1)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(target: &Target, column: u32, above: u32) -> Option<(i64, i64)> {
        target.cell(Click {
            column,
            above,
            button: MouseButton::Left,
        })
    }

    #[test]
    fn a_click_means_the_cell_below_it() {
        // Seven by six cells of three dots each: nine rows of the screen.
        let mut target = Target::new((7, 6), (21, 18));
        assert_eq!(cell(&target, 0, 9), Some((0, 0)));
        assert_eq!(
            [
                cell(&target, 20, 1),
                cell(&target, 2, 1),
                cell(&target, 3, 2)
            ],
            [Some((6, 5)), Some((0, 5)), Some((1, 4))]
        );
        assert_eq!(
            [
                cell(&target, 21, 1),
                cell(&target, 0, 10),
                cell(&target, 0, 0)
            ],
            [None; 3]
        );
        // Text below it, with a line that is broken and one that just fits.
        target.wrote("ab\n", 10);
        target.wrote("0123456789", 10);
        target.wrote("\n0123456789ab\n", 10);
        assert_eq!(
            [
                cell(&target, 0, 4),
                cell(&target, 20, 5),
                cell(&target, 0, 13)
            ],
            [None, Some((6, 5)), Some((0, 0))]
        );
    }

    #[test]
    fn every_cell_of_a_small_picture_can_be_met() {
        for (cells, dots) in [
            ((5, 5), (10, 10)),
            ((3, 4), (3, 4)),
            ((13, 13), (26, 26)),
            ((4, 3), (12, 9)),
        ] {
            let target = Target::new(cells, dots);
            let mut met: Vec<_> = (1..=dots.1.div_ceil(2))
                .flat_map(|above| (0..dots.0).map(move |column| (column, above)))
                .filter_map(|(column, above)| cell(&target, column, above))
                .collect();
            met.sort_unstable();
            met.dedup();
            // If a cell is one dot high, a row of the screen shows two of them; a click means the upper one.
            let rows = if dots.1 == cells.1 {
                cells.1 / 2
            } else {
                cells.1
            };
            assert_eq!(met.len() as u32, cells.0 * rows, "{cells:?} {dots:?}");
        }
    }
}
