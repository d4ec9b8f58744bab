//! Grids as text in columns.

use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::walks::show::ShowWalk;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// Prints the cells of a grid, one line for each row, with columns as wide as their widest cell. Numbers are aligned
/// right, everything else left; the last column is not padded.
#[derive(Clone)]
pub struct AlignedPrint {
    grid: Value,
    width: usize,
    separator: Value,
    cells: ListWalk,
    showing: ShowWalk,
    /// The texts of the cells one after another, the end of each, and how many characters it has.
    texts: String,
    ends: Vec<(u32, u32)>,
    is_showing: bool,
    /// Up to where the characters of the latest text are counted, and how many those are.
    counted: usize,
    characters: u32,
    widths: Vec<u32>,
    /// The next cell, its current part, and the position in that; and the written text.
    at: usize,
    part: usize,
    copied: usize,
    out: String,
}

/// This many bytes are counted or copied at a time.
const BLOCK: usize = 1 << 14;

/// The parts of a cell's text in a line.
enum Part<'t> {
    Text(&'t str),
    Blanks(usize),
}

impl Part<'_> {
    fn len(&self) -> usize {
        match self {
            Part::Text(text) => text.len(),
            Part::Blanks(count) => *count,
        }
    }

    /// Copies a block from a byte on; where it ends.
    fn copy(&self, from: usize, out: &mut String) -> usize {
        let mut end = self.len().min(from + BLOCK);
        match self {
            Part::Text(text) => {
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                out.push_str(&text[from..end]);
            }
            Part::Blanks(_) => out.extend(std::iter::repeat_n(' ', end - from)),
        }
        end
    }
}

impl AlignedPrint {
    /// Prints the cells of a grid with `width` cells in a row, at least one.
    pub fn new(grid: Value, width: usize, cells: ListWalk, separator: Value) -> AlignedPrint {
        AlignedPrint {
            grid,
            width,
            separator,
            cells,
            showing: ShowWalk::default(),
            texts: String::new(),
            ends: Vec::new(),
            is_showing: false,
            counted: 0,
            characters: 0,
            widths: Vec::new(),
            at: 0,
            part: 0,
            copied: 0,
            out: String::new(),
        }
    }

    /// Continues to find the texts of the cells; true when all are there.
    fn show(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let limit = context.limits.output;
        context.reserve(room::step(self.texts.capacity()))?;
        if self.widths.is_empty() {
            context.reserve(self.width * 4 + self.cells.elements.len() * 8)?;
            self.widths = vec![0; self.width];
            self.ends.reserve_exact(self.cells.elements.len());
        }
        while self.ends.len() < self.cells.elements.len() {
            if self.counted == 0 && !self.is_showing {
                let value = self.cells.elements[self.ends.len()];
                self.showing
                    .begin(&context.heap, value, true, context, &mut self.texts, budget);
                self.is_showing = true;
            }
            if self.is_showing {
                match self
                    .showing
                    .resume(&context.heap, context, &mut self.texts, limit, budget)
                {
                    Ok(false) => return Ok(false),
                    Ok(true) => {}
                    Err(_) => return Err(Fault::Limit(LimitReached::Output(limit))),
                }
                budget.spend(8);
                self.is_showing = false;
                self.counted = self.ends.last().map_or(0, |end| end.0 as usize);
            }
            if !self.count(budget) {
                return Ok(false);
            }
            let characters = std::mem::take(&mut self.characters);
            let column = self.ends.len() % self.width;
            self.widths[column] = self.widths[column].max(characters);
            self.ends.push((self.texts.len() as u32, characters));
            self.counted = 0;
        }
        Ok(true)
    }

    /// Continues to count the characters of the latest text; true when that is done.
    fn count(&mut self, budget: &mut Budget) -> bool {
        while self.counted < self.texts.len() {
            if budget.is_spent() {
                return false;
            }
            let end = self.texts.len().min(self.counted + BLOCK);
            // A character begins at every byte that does not continue one.
            let begin = self.texts.as_bytes()[self.counted..end]
                .iter()
                .filter(|byte| (**byte as i8) >= -0x40);
            self.characters += begin.count() as u32;
            budget.spend((end - self.counted) / 16);
            self.counted = end;
        }
        true
    }

    /// Continues to write the lines; true when all are written.
    fn write(&mut self, separator: &str, budget: &mut Budget) -> bool {
        while let Some((end, characters)) = self.ends.get(self.at).copied() {
            let begin = self
                .at
                .checked_sub(1)
                .map_or(0, |before| self.ends[before].0);
            let column = self.at % self.width;
            let is_last = column + 1 == self.width;
            let blanks = (self.widths[column] - characters) as usize;
            let is_number = self.cells.elements[self.at].is_number();
            let parts = [
                Part::Text(if column > 0 { separator } else { "" }),
                Part::Blanks(if is_number { blanks } else { 0 }),
                Part::Text(&self.texts[begin as usize..end as usize]),
                Part::Blanks(if is_number || is_last { 0 } else { blanks }),
            ];
            while let Some(part) = parts.get(self.part) {
                if budget.is_spent() {
                    return false;
                }
                let copied = self.copied;
                self.copied = part.copy(copied, &mut self.out);
                budget.spend((self.copied - copied) / 16 + 1);
                if self.copied == part.len() {
                    (self.part, self.copied) = (self.part + 1, 0);
                }
            }
            if is_last {
                self.out.push('\n');
            }
            (self.at, self.part) = (self.at + 1, 0);
        }
        true
    }

    /// The greatest number of bytes of all lines.
    fn size(&self, context: &Context) -> usize {
        let separator = context.heap.as_str(self.separator).map_or(0, str::len);
        let line = self
            .widths
            .iter()
            .map(|width| *width as usize + separator)
            .sum::<usize>();
        let lines = self.ends.len() / self.width;
        line.saturating_mul(lines).saturating_add(self.texts.len())
    }
}

impl Work for AlignedPrint {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.cells.resume(&mut context.heap, budget) || !self.show(context, budget)? {
            return Ok(None);
        }
        if self.at == 0 && self.out.capacity() == 0 {
            let size = self.size(context);
            if size > context.limits.output.saturating_mul(2) {
                return Err(Fault::Limit(LimitReached::Output(context.limits.output)));
            }
            context.reserve(size)?;
            self.out.reserve_exact(size);
        }
        let separator = context.heap.as_str(self.separator).unwrap_or("");
        if !self.write(separator, budget) {
            return Ok(None);
        }
        context.print(&self.out)?;
        Ok(Some(self.grid))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.grid, self.separator]);
        self.cells.values(&mut |value| tracer.values.push(value));
        self.showing.values(&mut |value| tracer.values.push(value));
    }

    fn bytes(&self) -> usize {
        let texts = room::block(self.texts.capacity()) + room::block(self.out.capacity());
        let rows = room::row(&self.ends) + room::row(&self.widths);
        self.cells.bytes() + self.showing.bytes() + texts + rows
    }
}
