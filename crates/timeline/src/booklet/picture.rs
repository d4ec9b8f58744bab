//! Pictures of a puzzle as SVG. Their marks are visible without colors, too: places of a reason are shaded, conclusions
//! have a thick frame, removed values are struck out, suppositions have a dotted frame.

use std::collections::HashSet;
use std::fmt::Write as _;

use ndscript::markup;

use super::rules::families;
use crate::puzzle::{Layout, Puzzle, PuzzlePlace, PuzzleStep};

/// The height of a cell, and its width unless its texts want more.
const CELL: usize = 40;
/// The width of a character.
const CHARACTER: usize = 9;
/// Room for the numbers of rows and columns.
const AXIS: usize = 20;
/// The height of a line of text beside a row or above a column.
const LINE: usize = 15;
/// Where places have more values than this, small ones are not written.
const MOST_CANDIDATES: usize = 25;

/// The sizes in the pictures of one puzzle, and the frame that all of them share.
pub struct Pictures<'p> {
    puzzle: &'p Puzzle,
    /// The id of the shared frame.
    id: String,
    cell: (usize, usize),
    /// Where the first cell begins.
    corner: (usize, usize),
    /// By how much places are apart.
    pitch: (usize, usize),
}

impl<'p> Pictures<'p> {
    pub fn new(puzzle: &'p Puzzle, id: String) -> Pictures<'p> {
        let names = puzzle.places.iter().map(|place| &place.name);
        let texts = puzzle.values.iter().chain(names);
        let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let cell = ((longest * CHARACTER + 8).max(CELL), CELL);
        let beside = puzzle.beside.iter().map(|text| text.chars().count());
        let beside = beside.max().unwrap_or(0) * CHARACTER;
        let above = puzzle.above.iter().map(|text| text.lines().count());
        let above = above.max().unwrap_or(0) * LINE;
        match puzzle.layout {
            Layout::Grid => Pictures {
                puzzle,
                id,
                cell,
                corner: (AXIS + beside, AXIS + above),
                pitch: cell,
            },
            Layout::Boxes => Pictures {
                puzzle,
                id,
                cell,
                corner: (4, AXIS),
                pitch: (cell.0 + 8, cell.1 + AXIS + 4),
            },
        }
    }

    /// The width and the height of each picture.
    pub fn size(&self) -> (usize, usize) {
        (
            self.corner.0 + self.puzzle.width * self.pitch.0 + 4,
            self.corner.1 + self.puzzle.height * self.pitch.1 + 4,
        )
    }

    /// The puzzle before its first step. The other pictures refer to it.
    pub fn puzzle(&self) -> String {
        let frame = format!("<g id=\"{}\">{}</g>", self.id, self.frame());
        self.svg("the puzzle", &frame)
    }

    /// A picture of the known candidates.
    pub fn known(&self, words: &str, known: &[Vec<usize>]) -> String {
        let mut body = self.used();
        self.put_known(known, &HashSet::new(), &mut body);
        self.svg(words, &body)
    }

    /// A step, from what was known before it.
    pub fn step(&self, step: &PuzzleStep, known: &[Vec<usize>]) -> String {
        let mut body = String::new();
        for place in &step.places {
            let (x, y) = self.at(*place);
            let (width, height) = self.cell;
            let _ = write!(
                body,
                "<rect class=\"why\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
            );
        }
        body += &self.used();
        let decided: HashSet<usize> = step.decided.iter().map(|(place, _)| *place).collect();
        let supposed: HashSet<usize> = step.supposed.iter().map(|(place, _)| *place).collect();
        let framed: HashSet<usize> = decided.union(&supposed).copied().collect();
        self.put_known(known, &framed, &mut body);
        let ruled_out = step
            .removed
            .iter()
            .filter(|(place, _)| !framed.contains(place));
        for (place, gone) in ruled_out.clone() {
            self.put_frame("gone", *place, &mut body);
            self.put_candidates(*place, &known[*place], gone, &mut body);
        }
        let is_drawn = |place: usize| {
            framed.contains(&place) || ruled_out.clone().any(|(other, _)| *other == place)
        };
        for place in step.places.iter().filter(|place| !is_drawn(**place)) {
            if known[*place].len() > 1 {
                self.put_candidates(*place, &known[*place], &[], &mut body);
            }
        }
        for (place, value) in &step.decided {
            self.put_frame("so", *place, &mut body);
            self.put_value("value now", *place, &self.puzzle.values[*value], &mut body);
            self.put_last(*place, step, &mut body);
        }
        if let Some((place, value)) = &step.supposed {
            if !decided.contains(place) {
                self.put_value(
                    "value if",
                    *place,
                    &format!("{}?", self.puzzle.values[*value]),
                    &mut body,
                );
            }
            self.put_frame("if", *place, &mut body);
        }
        let mut numbered = HashSet::new();
        for (number, link) in step.chain.iter().enumerate() {
            for (place, _) in link
                .removed
                .iter()
                .filter(|(place, _)| numbered.insert(*place))
            {
                let (x, y) = self.at(*place);
                let (x, y) = (x + self.cell.0 - 8, y + 9);
                let _ = write!(
                    body,
                    "<circle class=\"link\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>\
                     <text class=\"number\" x=\"{x}\" y=\"{}\">{}</text>",
                    y + 3,
                    number + 1
                );
            }
        }
        self.svg("the step", &body)
    }

    fn svg(&self, words: &str, body: &str) -> String {
        let (width, height) = self.size();
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{body}</svg>\n",
            markup::attribute(words)
        )
    }

    fn used(&self) -> String {
        format!("<use href=\"#{}\"/>", self.id)
    }

    fn at(&self, place: usize) -> (usize, usize) {
        let PuzzlePlace { x, y, .. } = self.puzzle.places[place];
        (
            self.corner.0 + x * self.pitch.0,
            self.corner.1 + y * self.pitch.1,
        )
    }

    /// The shared frame: lines, names of places, given values, and texts beside.
    fn frame(&self) -> String {
        let mut out = String::new();
        let mut lines = String::new();
        let (width, height) = self.cell;
        for (number, place) in self.puzzle.places.iter().enumerate() {
            let (x, y) = self.at(number);
            if self.puzzle.layout == Layout::Boxes {
                put_text("name", (x + width / 2, y - 5), &place.name, &mut out);
            }
            if place.start.is_empty() {
                continue;
            }
            let _ = write!(lines, "M{x} {y}h{width}v{height}h-{width}z");
            match (&place.clue, place.start.as_slice()) {
                (Some(clue), [_]) => self.put_value("value given", number, clue, &mut out),
                (Some(clue), _) => put_text("clue", (x + 3, y + 12), clue, &mut out),
                (None, [only]) => {
                    self.put_value("value given", number, &self.puzzle.values[*only], &mut out);
                }
                (None, _) => {}
            }
        }
        let _ = write!(out, "<path class=\"lines\" d=\"{lines}\"/>");
        if self.puzzle.layout == Layout::Grid {
            self.put_axes(&mut out);
            self.put_borders(&mut out);
        }
        out
    }

    fn put_axes(&self, out: &mut String) {
        let (left, top) = self.corner;
        let (width, height) = self.cell;
        for x in 0..self.puzzle.width {
            let middle = left + x * width + width / 2;
            put_text("axis", (middle, 13), &x.to_string(), out);
            let above = self.puzzle.above.get(x).map_or("", String::as_str);
            let count = above.lines().count();
            for (number, line) in above.lines().enumerate() {
                let y = top - 4 - (count - 1 - number) * LINE;
                put_text("beside middle", (middle, y), line, out);
            }
        }
        for y in 0..self.puzzle.height {
            let middle = top + y * height + height / 2 + 5;
            put_text("axis", (9, middle), &y.to_string(), out);
            if let Some(beside) = self.puzzle.beside.get(y) {
                put_text("beside", (left - 5, middle), beside, out);
            }
        }
    }

    /// Thick lines around the blocks into which rules of one form divide the grid, such as the boxes of a sudoku;
    /// broken ones around those of a second form, such as cages.
    fn put_borders(&self, out: &mut String) {
        let mut drawn: Vec<Vec<usize>> = Vec::new();
        for family in families(&self.puzzle.rules) {
            let pieces: Vec<&[usize]> = family.rules.iter().map(|rule| &*rule.places).collect();
            let Some(owners) = self.divided(&pieces) else {
                continue;
            };
            if drawn.contains(&owners) {
                continue;
            }
            let (class, inset) = [("border", 0), ("cage", 3)][drawn.len()];
            let _ = write!(
                out,
                "<path class=\"{class}\" d=\"{}\"/>",
                self.border(&owners, inset)
            );
            drawn.push(owners);
            if drawn.len() == 2 {
                return;
            }
        }
    }

    /// For each place the number of its block, from 1 on, if these are blocks that do not overlap, and not only rows or
    /// columns.
    fn divided(&self, pieces: &[&[usize]]) -> Option<Vec<usize>> {
        let mut owners = vec![0; self.puzzle.places.len()];
        let mut is_bent = false;
        for (piece, places) in pieces.iter().enumerate() {
            for place in *places {
                if std::mem::replace(&mut owners[*place], piece + 1) != 0 {
                    return None;
                }
            }
            let first = &self.puzzle.places[*places.first()?];
            let all = || places.iter().map(|place| &self.puzzle.places[*place]);
            is_bent |=
                all().any(|place| place.x != first.x) && all().any(|place| place.y != first.y);
            if !self.is_whole(places) {
                return None;
            }
        }
        (pieces.len() > 1 && is_bent).then_some(owners)
    }

    /// Whether places are connected by touching.
    fn is_whole(&self, places: &[usize]) -> bool {
        let all: HashSet<usize> = places.iter().copied().collect();
        let mut reached: HashSet<usize> = places.first().copied().into_iter().collect();
        let mut left: Vec<usize> = reached.iter().copied().collect();
        while let Some(place) = left.pop() {
            for next in self.neighbors(place).into_iter().flatten() {
                if all.contains(&next) && reached.insert(next) {
                    left.push(next);
                }
            }
        }
        reached.len() == all.len()
    }

    /// The places above, to the right, below and to the left.
    fn neighbors(&self, place: usize) -> [Option<usize>; 4] {
        let width = self.puzzle.width;
        let PuzzlePlace { x, y, .. } = self.puzzle.places[place];
        [
            (y > 0).then(|| place - width),
            (x + 1 < width).then(|| place + 1),
            (y + 1 < self.puzzle.height).then(|| place + width),
            (x > 0).then(|| place - 1),
        ]
    }

    /// The lines between places of different pieces.
    fn border(&self, owners: &[usize], inset: usize) -> String {
        let mut path = String::new();
        let (width, height) = self.cell;
        for (place, owner) in owners.iter().enumerate().filter(|(_, owner)| **owner != 0) {
            let (x, y) = self.at(place);
            let (left, top) = (x + inset, y + inset);
            let (right, bottom) = (x + width - inset, y + height - inset);
            let sides = [
                (left, top, right, top),
                (right, top, right, bottom),
                (left, bottom, right, bottom),
                (left, top, left, bottom),
            ];
            for (side, other) in sides.iter().zip(self.neighbors(place)) {
                if other.is_none_or(|other| owners[other] != *owner) {
                    let (x, y, to_x, to_y) = side;
                    let _ = write!(path, "M{x} {y}L{to_x} {to_y}");
                }
            }
        }
        path
    }

    /// The values that are known and were not given, but for some places.
    fn put_known(&self, known: &[Vec<usize>], but: &HashSet<usize>, out: &mut String) {
        for (number, place) in self.puzzle.places.iter().enumerate() {
            if let ([only], false) = (known[number].as_slice(), but.contains(&number))
                && place.start.len() > 1
            {
                self.put_value("value", number, &self.puzzle.values[*only], out);
            }
        }
    }

    fn put_value(&self, class: &str, place: usize, value: &str, out: &mut String) {
        let (x, y) = self.at(place);
        // All values have letters of one size, that of the longest.
        let lengths = self.puzzle.values.iter().map(|value| value.chars().count());
        let longest = lengths.max().unwrap_or(1).max(1);
        let size = ((self.cell.0 - 4) * 10 / (longest * 7)).clamp(8, 24);
        let _ = write!(
            out,
            "<text class=\"{class}\" font-size=\"{size}\" x=\"{}\" y=\"{}\">{}</text>",
            x + self.cell.0 / 2,
            y + self.cell.1 / 2 + size * 7 / 20,
            markup::text(value)
        );
    }

    /// The last other value that a place loses, struck out in its corner: it shows why the one left is the only one.
    fn put_last(&self, place: usize, step: &PuzzleStep, out: &mut String) {
        let mut removed = step.removed.iter();
        let Some((_, gone)) = removed.find(|(other, _)| *other == place) else {
            return;
        };
        // With two candidates, showing one is enough.
        let ([gone], true) = (gone.as_slice(), self.puzzle.values.len() > 2) else {
            return;
        };
        let text = &self.puzzle.values[*gone];
        let (x, y) = self.at(place);
        let half = text.chars().count() * 3 + 2;
        let (x, y) = (x + self.cell.0 - half - 4, y + 12);
        put_text("last", (x, y), text, out);
        put_strike((x, y - 3), half, out);
    }

    fn put_frame(&self, class: &str, place: usize, out: &mut String) {
        let (x, y) = self.at(place);
        let (width, height) = (self.cell.0 - 4, self.cell.1 - 4);
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>",
            x + 2,
            y + 2
        );
    }

    /// Small values, each at its own spot of the cell, some of them struck out.
    fn put_candidates(&self, place: usize, left: &[usize], removed: &[usize], out: &mut String) {
        let all = &self.puzzle.values;
        let (x, y) = self.at(place);
        let longest = all
            .iter()
            .map(|value| value.chars().count())
            .max()
            .unwrap_or(1);
        // If there are too many candidates, only those that are ruled out get spots.
        let shown: Vec<usize> = match all.len() > MOST_CANDIDATES {
            true => removed.iter().copied().take(9).collect(),
            false => (0..all.len()).collect(),
        };
        let columns = match longest {
            0..=2 => shown.len().isqrt() + usize::from(shown.len().isqrt().pow(2) < shown.len()),
            _ => 1,
        };
        let rows = shown.len().div_ceil(columns.max(1));
        let has_clue = self.puzzle.places[place].clue.is_some();
        let top = if has_clue { 13 } else { 3 };
        let (wide, high) = (self.cell.0 - 8, self.cell.1 - 3 - top);
        let size = (high / rows.max(1))
            .min(13)
            .min(wide * 5 / (3 * longest.max(1) * columns.max(1)))
            .max(4);
        for (spot, value) in shown
            .iter()
            .enumerate()
            .filter(|(_, value)| left.contains(value))
        {
            let middle = x + 4 + (2 * (spot % columns) + 1) * wide / (2 * columns);
            let base = y + top + (2 * (spot / columns) + 1) * high / (2 * rows) + size * 7 / 20;
            let _ = write!(
                out,
                "<text class=\"small\" font-size=\"{size}\" x=\"{middle}\" y=\"{base}\">{}</text>",
                markup::text(&all[*value])
            );
            if removed.contains(value) {
                let half = (all[*value].chars().count() * size / 3 + 1).max(4);
                put_strike((middle, base - size * 7 / 20), half, out);
            }
        }
    }
}

fn put_strike((x, y): (usize, usize), half: usize, out: &mut String) {
    let (left, right, top, bottom) = (x - half, x + half, y - 3, y + 3);
    let _ = write!(
        out,
        "<path class=\"strike\" d=\"M{left} {bottom}L{right} {top}\"/>"
    );
}

fn put_text(class: &str, (x, y): (usize, usize), text: &str, out: &mut String) {
    let text = markup::text(text);
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
    );
}
