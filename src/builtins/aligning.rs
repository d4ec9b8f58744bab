//! Grids as text in columns.

use crate::limits::LimitReached;
use crate::value::budget::Budget;
use crate::value::listing::Listing;
use crate::value::show::Showing;
use crate::value::{Value, room};
use crate::vm::context::Context;
use crate::vm::error::Fault;
use crate::vm::work::{Held, Work};

/// Prints the cells of a grid, a row a line, with columns that are as wide as what is widest in them. Numbers stand on
/// the right of their column, all else on its left; nothing is filled up at the end of a line.
#[derive(Clone)]
pub struct Aligning {
    grid: Value,
    width: usize,
    separator: Value,
    cells: Listing,
    showing: Showing,
    /// The texts of the cells one behind another, where each ends, and how many characters it has.
    texts: String,
    ends: Vec<(u32, u32)>,
    is_showing: bool,
    widths: Vec<u32>,
    /// The cell that is written next, and what is written.
    at: usize,
    out: String,
}

impl Aligning {
    /// Of the cells of a grid, which are so many in a row; at least one.
    pub fn new(grid: Value, width: usize, cells: Listing, separator: Value) -> Aligning {
        Aligning {
            grid,
            width,
            separator,
            cells,
            showing: Showing::default(),
            texts: String::new(),
            ends: Vec::new(),
            is_showing: false,
            widths: Vec::new(),
            at: 0,
            out: String::new(),
        }
    }

    /// Goes on to find the texts of the cells; true when all are there.
    fn show(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let limit = context.limits.output;
        context.reserve(room::step(self.texts.capacity()))?;
        if self.widths.is_empty() {
            context.reserve(self.width * 4 + self.cells.elements.len() * 8)?;
            self.widths = vec![0; self.width];
            self.ends.reserve_exact(self.cells.elements.len());
        }
        while self.ends.len() < self.cells.elements.len() {
            if !self.is_showing {
                let value = self.cells.elements[self.ends.len()];
                self.showing.begin(&context.heap, value, true, context, &mut self.texts);
                self.is_showing = true;
            }
            match self.showing.go(&context.heap, context, &mut self.texts, limit, budget) {
                Ok(false) => return Ok(false),
                Ok(true) => {}
                Err(_) => return Err(Fault::Limit(LimitReached::Output(limit))),
            }
            budget.spend(8);
            self.is_showing = false;
            let begin = self.ends.last().map_or(0, |end| end.0 as usize);
            let text = &self.texts[begin..];
            budget.spend(text.len() / 16);
            let characters = text.chars().count() as u32;
            let column = self.ends.len() % self.width;
            self.widths[column] = self.widths[column].max(characters);
            self.ends.push((self.texts.len() as u32, characters));
        }
        Ok(true)
    }

    /// What all lines come to in bytes, at most.
    fn size(&self, context: &Context) -> usize {
        let separator = context.heap.as_str(self.separator).map_or(0, str::len);
        let line = self.widths.iter().map(|width| *width as usize + separator).sum::<usize>();
        let lines = self.ends.len() / self.width;
        line.saturating_mul(lines).saturating_add(self.texts.len())
    }
}

impl Work for Aligning {
    fn go(&mut self, context: &mut Context, budget: &mut Budget) -> Result<Option<Value>, Fault> {
        if !self.cells.go(&mut context.heap, budget) || !self.show(context, budget)? {
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
        while let Some((end, characters)) = self.ends.get(self.at).copied() {
            if budget.is_spent() {
                return Ok(None);
            }
            let begin = self.at.checked_sub(1).map_or(0, |before| self.ends[before].0);
            let text = &self.texts[begin as usize..end as usize];
            let column = self.at % self.width;
            let blanks = (self.widths[column] - characters) as usize;
            let is_number = self.cells.elements[self.at].is_number();
            budget.spend((blanks + text.len() + separator.len()) / 16 + 6);
            if column > 0 {
                self.out.push_str(separator);
            }
            if is_number {
                self.out.extend(std::iter::repeat_n(' ', blanks));
            }
            self.out.push_str(text);
            if column + 1 == self.width {
                self.out.push('\n');
            } else if !is_number {
                self.out.extend(std::iter::repeat_n(' ', blanks));
            }
            self.at += 1;
        }
        context.print(&self.out)?;
        Ok(Some(self.grid))
    }

    fn hold(&self, held: &mut Held) {
        held.values.extend([self.grid, self.separator]);
        self.cells.values(&mut |value| held.values.push(value));
        self.showing.values(&mut |value| held.values.push(value));
    }

    fn bytes(&self) -> usize {
        let texts = room::block(self.texts.capacity()) + room::block(self.out.capacity());
        let rows = room::row(&self.ends) + room::row(&self.widths);
        self.cells.bytes() + self.showing.bytes() + texts + rows
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}
