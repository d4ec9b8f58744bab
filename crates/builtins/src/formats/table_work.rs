//! Grids from tables of numbers with commas between them, as map editors write them.

use ndscript_base::keyed::KeyedMap;

use crate::grids::grid_work::{GridFromDrawing, SizeCheck, missing_in_legend, uneven};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::value::{Handle, MAX_INTEGER};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// No number of a table is longer, the blanks around it included.
const LONGEST: usize = 64;

/// Detects whether a text is such a table: its first line that is not blank has numbers and commas only, and a comma.
#[derive(Clone, Default)]
pub struct FormatDetection {
    /// The position up to which the text was read.
    at: usize,
    has_digit: bool,
    has_comma: bool,
    /// Found white space that tables do not allow.
    has_other_blank: bool,
    has_sign: bool,
}

impl FormatDetection {
    /// Continues; `Some` once decided.
    pub fn resume(&mut self, text: &str, budget: &mut Budget) -> Option<bool> {
        let rest = text.get(self.at..).unwrap_or("");
        for (at, c) in rest.char_indices() {
            if budget.is_spent() {
                self.at += at;
                return None;
            }
            budget.spend(1);
            match c {
                '\n' if self.has_digit || self.has_comma || self.has_sign => {
                    return Some(self.is_table());
                }
                '\n' => {
                    *self = FormatDetection {
                        at: self.at,
                        ..FormatDetection::default()
                    }
                }
                '0'..='9' => self.has_digit = true,
                ',' => self.has_comma = true,
                '-' => self.has_sign = true,
                ' ' | '\t' | '\r' => {}
                c if c.is_whitespace() => self.has_other_blank = true,
                _ => return Some(false),
            }
        }
        Some(self.is_table())
    }

    fn is_table(&self) -> bool {
        self.has_digit && self.has_comma && !self.has_other_blank
    }
}

/// A grid from a text, which may be a table or a drawing.
#[derive(Clone)]
pub enum GridFromText {
    Detecting(FormatDetection, Value, Option<Handle>, SizeCheck),
    Table(Table),
    Drawing(GridFromDrawing),
}

impl Work for GridFromText {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if let GridFromText::Detecting(detection, text, legend, check_size) = self {
            let (text, legend, check_size) = (*text, *legend, *check_size);
            *self = match detection.resume(context.heap.as_str(text).unwrap_or(""), budget) {
                None => return Ok(None),
                Some(true) => GridFromText::Table(Table::new(text, legend, check_size)),
                Some(false) => {
                    GridFromText::Drawing(GridFromDrawing::new(text, legend, check_size))
                }
            };
        }
        match self {
            GridFromText::Detecting(..) => Ok(None),
            GridFromText::Table(table) => table.resume(context, budget),
            GridFromText::Drawing(drawing) => drawing.resume(context, budget),
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        match self {
            GridFromText::Detecting(_, text, legend, _) => {
                tracer.values.push(*text);
                tracer
                    .values
                    .extend(legend.map(|legend| Value::handle(Kind::Object, legend)));
            }
            GridFromText::Table(table) => table.trace(tracer),
            GridFromText::Drawing(drawing) => drawing.trace(tracer),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            GridFromText::Detecting(..) => 0,
            GridFromText::Table(table) => table.bytes(),
            GridFromText::Drawing(drawing) => drawing.bytes(),
        }
    }
}

/// A table being read, twice: for its size, and for its numbers.
#[derive(Clone)]
pub struct Table {
    text: Value,
    legend: Option<Handle>,
    check_size: SizeCheck,
    at: usize,
    /// Cells of the row that is read, rows before it, and the width of the first.
    column: usize,
    rows: usize,
    width: usize,
    size: Option<(u32, u32)>,
    value_by_number: KeyedMap<i64, Value>,
    cells: Vec<Value>,
}

/// The next item in a table.
enum TableItem<'t> {
    Number(&'t str),
    EndOfRow,
    End,
}

impl Table {
    pub fn new(text: Value, legend: Option<Handle>, check_size: SizeCheck) -> Table {
        Table {
            text,
            legend,
            check_size,
            at: 0,
            column: 0,
            rows: 0,
            width: 0,
            size: None,
            value_by_number: KeyedMap::default(),
            cells: Vec::new(),
        }
    }

    /// Moves past the next number or the end of a row. A comma at the end of a row is part of no number.
    fn next<'t>(&mut self, text: &'t str) -> Result<TableItem<'t>, Fault> {
        let rest = text.get(self.at..).unwrap_or("");
        if rest.is_empty() {
            return Ok(TableItem::End);
        }
        let near = rest.as_bytes().iter().take(LONGEST);
        let Some(length) = near
            .clone()
            .position(|byte| matches!(byte, b',' | b'\n'))
            .or_else(|| (rest.len() <= LONGEST).then_some(rest.len()))
        else {
            return Err(self.no_number(
                &rest
                    .chars()
                    .take(20)
                    .chain("...".chars())
                    .collect::<String>(),
            ));
        };
        let word = rest.get(..length).unwrap_or("").trim();
        let ends_row = rest.as_bytes().get(length) != Some(&b',');
        if word.is_empty() && ends_row {
            self.at += length + 1;
            return Ok(TableItem::EndOfRow);
        }
        if word.is_empty() {
            return Err(self.no_number(word));
        }
        // The end of the row is the next item.
        self.at += if ends_row { length } else { length + 1 };
        Ok(TableItem::Number(word))
    }

    fn no_number(&self, word: &str) -> Fault {
        let (x, y) = (self.column, self.rows);
        let message =
            format!("the table has {word:?} for the cell ({x},{y}), which is not a whole number");
        Fault::error(ErrorKind::Value, message)
            .with_hint("a text whose first line has numbers and commas is read as a table, as map editors write them")
    }

    /// Finds the size; true when it is known.
    fn measure(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        loop {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(4);
            let next = self.next(context.heap.as_str(self.text).unwrap_or(""))?;
            match next {
                TableItem::Number(_) => self.column += 1,
                TableItem::EndOfRow | TableItem::End if self.column > 0 => {
                    if self.rows == 0 {
                        self.width = self.column;
                    } else if self.column != self.width {
                        return Err(uneven(self.rows, self.column, self.width));
                    }
                    (self.column, self.rows) = (0, self.rows + 1);
                }
                TableItem::EndOfRow => {}
                TableItem::End => break,
            }
        }
        let size = (self.check_size)(context, self.width, self.rows)?;
        self.cells.reserve_exact(self.width * self.rows);
        (self.at, self.rows, self.size) = (0, 0, Some(size));
        Ok(true)
    }

    /// The value of a cell.
    fn value(&mut self, context: &mut Context, number: i64) -> Result<Value, Fault> {
        if let Some(value) = self.value_by_number.get(&number) {
            return Ok(*value);
        }
        let value = match self.legend {
            None => return Ok(Value::integer(number)),
            Some(legend) => {
                let key = context.heap.text(&number.to_string());
                let found = context.heap.objects[legend].get(key);
                found.ok_or_else(|| missing_in_legend(context, key, self.column, self.rows))?
            }
        };
        self.value_by_number.insert(number, value);
        Ok(value)
    }
}

impl Work for Table {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.size.is_none() && !self.measure(context, budget)? {
            return Ok(None);
        }
        let size = self.size.unwrap_or_default();
        loop {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(6);
            let number = match self.next(context.heap.as_str(self.text).unwrap_or(""))? {
                TableItem::Number(word) => {
                    let number: Option<i64> = word.parse().ok();
                    number
                        .filter(|number| number.abs() <= MAX_INTEGER)
                        .ok_or_else(|| self.no_number(word))?
                }
                TableItem::EndOfRow if self.column > 0 => {
                    (self.column, self.rows) = (0, self.rows + 1);
                    continue;
                }
                TableItem::EndOfRow => continue,
                TableItem::End => break,
            };
            let value = self.value(context, number)?;
            self.cells.push(value);
            self.column += 1;
        }
        let cells = std::mem::take(&mut self.cells);
        Ok(Some(context.heap.grid(size.0, size.1, cells)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.value_by_number.values());
        tracer.values.extend_from_slice(&self.cells);
    }

    fn bytes(&self) -> usize {
        room::row(&self.cells) + room::hash_map(self.value_by_number.capacity(), 16)
    }
}
