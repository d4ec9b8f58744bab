//! Built-ins on large grids, as work that can stop and resume.

use ndscript_base::counted::counted;
use ndscript_base::keyed::KeyedMap;

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::walks::copy::{CopyWalk, Halt};
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// The error for rows that are not equally long.
pub fn uneven(row: usize, length: usize, width: usize) -> Fault {
    Fault::error(
        ErrorKind::Value,
        format!(
            "the rows of a grid must be equally long, but row {row} has {} and row 0 has {width}",
            counted(length, "cell")
        ),
    )
}

/// Writes a value into every cell.
#[derive(Clone)]
pub struct FillGrid {
    grid: Value,
    value: Value,
    at: usize,
}

impl FillGrid {
    pub fn new(grid: Value, value: Value) -> FillGrid {
        FillGrid { grid, value, at: 0 }
    }
}

impl Work for FillGrid {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let grid = self.grid.payload();
        while self.at < context.heap.grids[grid].slots.len() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(3);
            context.heap.set_cell(grid, self.at, self.value);
            self.at += 1;
        }
        Ok(Some(self.grid))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.grid, self.value]);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// A grid whose first cell holds a value, and every other one its own copy.
#[derive(Clone)]
pub struct GridOfCopies {
    value: Value,
    size: (u32, u32),
    cells: Vec<Value>,
    copying: Option<CopyWalk>,
}

impl GridOfCopies {
    /// Whether cells that share a value would change together.
    pub fn is_needed(context: &Context, value: Value) -> bool {
        match value.kind() {
            Kind::Array => !context.heap.arrays[value.payload()].is_frozen(),
            kind => matches!(kind, Kind::Grid | Kind::Object | Kind::Queue),
        }
    }

    /// Begins a grid of this size, whose cells fit into memory.
    pub fn new(value: Value, size: (u32, u32)) -> GridOfCopies {
        let count = size.0 as usize * size.1 as usize;
        let mut cells = Vec::with_capacity(count);
        cells.extend((count > 0).then_some(value));
        GridOfCopies {
            value,
            size,
            cells,
            copying: None,
        }
    }
}

impl Work for GridOfCopies {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        context.reserve(0)?;
        while self.cells.len() < self.size.0 as usize * self.size.1 as usize {
            if budget.is_spent() {
                return Ok(None);
            }
            let copying = self
                .copying
                .get_or_insert_with(|| CopyWalk::new(self.value));
            let copied = copying.resume(&mut context.heap, budget);
            budget.spend(2);
            match copied {
                Ok(Some(copy)) => {
                    self.cells.push(copy);
                    self.copying = None;
                }
                Ok(None) => return Ok(None),
                Err(Halt::Host(host)) => return Err(context.no_copy(host, "cannot be copied")),
                Err(Halt::Room(bytes)) => {
                    context.reserve(bytes)?;
                    self.copying
                        .iter_mut()
                        .for_each(|copying| copying.grant(bytes));
                }
            }
        }
        Ok(Some(context.heap.grid(
            self.size.0,
            self.size.1,
            std::mem::take(&mut self.cells),
        )))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.value);
        tracer.values.extend_from_slice(&self.cells);
        self.copying
            .iter()
            .for_each(|copying| copying.values(&mut |value| tracer.values.push(value)));
    }

    fn bytes(&self) -> usize {
        room::row(&self.cells) + self.copying.as_ref().map_or(0, CopyWalk::bytes)
    }
}

/// A grid of rows, which must be equally long.
#[derive(Clone)]
pub struct GridFromRows {
    rows: ListWalk,
    /// The size that the first row decides.
    size: Option<(u32, u32)>,
    checked: usize,
    cells: Option<ListWalk>,
    /// Checks a row.
    check: fn(&mut Context, &[Value], usize) -> Result<(), Fault>,
    check_size: SizeCheck,
}

impl GridFromRows {
    /// Makes a grid of rows, the first of which decides how long they are; `check` is called for each row.
    pub fn new(
        rows: ListWalk,
        check: fn(&mut Context, &[Value], usize) -> Result<(), Fault>,
        check_size: SizeCheck,
    ) -> GridFromRows {
        GridFromRows {
            rows,
            size: None,
            checked: 0,
            cells: None,
            check,
            check_size,
        }
    }

    fn find_size(&self, context: &mut Context) -> Result<(u32, u32), Fault> {
        let rows = &self.rows.elements;
        let Some(first) = rows.first() else {
            return (self.check_size)(context, 0, 0);
        };
        (self.check)(context, rows, 0)?;
        let width = context.heap.array_len(first.payload());
        (self.check_size)(context, width, rows.len())
    }
}

impl Work for GridFromRows {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.cells.is_none() && !self.rows.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        let (width, height) = match self.size {
            Some(size) => size,
            None => *self.size.insert(self.find_size(context)?),
        };
        while self.checked < self.rows.elements.len() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(4);
            (self.check)(context, &self.rows.elements, self.checked)?;
            self.checked += 1;
        }
        if self.cells.is_none() {
            let rows = std::mem::take(&mut self.rows.elements);
            self.cells = Some(ListWalk::of_rows(rows, width as usize * height as usize));
        }
        let Some(cells) = &mut self.cells else {
            return Ok(None);
        };
        if !cells.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        let cells = std::mem::take(&mut cells.elements);
        Ok(Some(context.heap.grid(width, height, cells)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.rows.values(&mut |value| tracer.values.push(value));
        self.cells
            .iter()
            .for_each(|cells| cells.values(&mut |value| tracer.values.push(value)));
    }

    fn bytes(&self) -> usize {
        self.rows.bytes() + self.cells.as_ref().map_or(0, ListWalk::bytes)
    }
}

/// Makes the index of the undecided cells.
#[derive(Clone)]
pub struct IndexUndecided {
    pub grid: Value,
}

impl Work for IndexUndecided {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        Ok(context
            .heap
            .index_undecided(self.grid.payload(), budget)
            .then_some(Value::NULL))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.grid);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The error for a value without an entry in a legend.
pub fn missing_in_legend(context: &Context, key: Value, x: usize, y: usize) -> Fault {
    let message = format!(
        "the legend has no {} for the cell ({x},{y})",
        context.brief(key)
    );
    Fault::error(ErrorKind::Value, message)
        .with_hint("the legend is an object that gives the value for every character of the text")
}

/// A line of a text.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    start: usize,
    end: usize,
    characters: usize,
    is_blank: bool,
}

/// Checks the size of a grid, and that its cells fit into memory.
pub type SizeCheck = fn(&mut Context, usize, usize) -> Result<(u32, u32), Fault>;

/// A grid that is drawn as a text.
#[derive(Clone)]
pub struct GridFromDrawing {
    text: Value,
    legend: Option<Handle>,
    check_size: SizeCheck,
    /// The lines so far, and the one that is being read.
    lines: Vec<Line>,
    line: Line,
    at: usize,
    is_read: bool,
    /// How many lines were read, the width of rows, the rows among the lines so far, and how many of them are as long
    /// as the first.
    looked_at: usize,
    width: Option<usize>,
    rows: Option<(usize, usize)>,
    checked: usize,
    /// Whether the rows and the size of the grid are known.
    is_ready: bool,
    size: (u32, u32),
    row: usize,
    /// The value of each character that has occurred.
    value_by_character: KeyedMap<char, Value>,
    cells: Vec<Value>,
}

impl GridFromDrawing {
    pub fn new(text: Value, legend: Option<Handle>, check_size: SizeCheck) -> GridFromDrawing {
        let line = Line {
            is_blank: true,
            ..Line::default()
        };
        GridFromDrawing {
            text,
            legend,
            check_size,
            lines: Vec::new(),
            line,
            at: 0,
            is_read: false,
            looked_at: 0,
            width: None,
            rows: None,
            checked: 0,
            is_ready: false,
            size: (0, 0),
            row: 0,
            value_by_character: KeyedMap::default(),
            cells: Vec::new(),
        }
    }

    /// Finds the lines; true when all are found.
    fn read(&mut self, text: &str, budget: &mut Budget) -> bool {
        let mut characters = text[self.at..].chars();
        loop {
            if budget.is_spent() {
                return false;
            }
            budget.spend(2);
            let next = characters.next();
            if matches!(next, None | Some('\n')) {
                self.line.end = self.at;
                if text[self.line.start..self.at].ends_with('\r') {
                    self.line.end -= 1;
                    self.line.characters -= 1;
                }
                room::grow(&mut self.lines, 1);
                self.lines.push(self.line);
                if next.is_none() {
                    return true;
                }
                self.at += 1;
                self.line = Line {
                    start: self.at,
                    end: self.at,
                    characters: 0,
                    is_blank: true,
                };
                budget.spend(8);
            } else if let Some(character) = next {
                self.at += character.len_utf8();
                self.line.characters += 1;
                self.line.is_blank &= character.is_whitespace();
            }
        }
    }

    /// Determines which lines are rows, all of which must be equally long; true when that is known. Blank lines at
    /// both ends are dropped, but one of spaces that is as long as the rows is a row.
    fn find_rows(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        while let Some(line) = self.lines.get(self.looked_at) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(4);
            let width = *self.width.get_or_insert(0);
            if width == 0 && !line.is_blank {
                // The first that is not blank: blank ones before it may be rows, too.
                self.width = Some(line.characters);
                self.looked_at = 0;
                continue;
            }
            if !line.is_blank || line.characters > 0 && line.characters == width {
                let (first, _) = self.rows.unwrap_or((self.looked_at, 0));
                self.rows = Some((first, self.looked_at + 1));
            }
            self.looked_at += 1;
        }
        let (first, last) = self.rows.unwrap_or_default();
        let width = self
            .lines
            .get(first)
            .filter(|_| first < last)
            .map_or(0, |line| line.characters);
        while first + self.checked < last {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2);
            let line = self.lines[first + self.checked];
            if line.characters != width {
                return Err(uneven(self.checked, line.characters, width));
            }
            self.checked += 1;
        }
        self.size = (self.check_size)(context, width, last - first)?;
        self.cells.reserve_exact(width * (last - first));
        self.rows = Some((first, last));
        self.row = first;
        self.at = self.lines.get(first).map_or(0, |line| line.start);
        self.is_ready = true;
        Ok(true)
    }

    /// The value of a cell.
    fn value(&mut self, context: &mut Context, character: char) -> Result<Value, Fault> {
        if let Some(value) = self.value_by_character.get(&character) {
            return Ok(*value);
        }
        let key = context.heap.text(character.encode_utf8(&mut [0; 4]));
        let value = match self.legend {
            Some(legend) => context.heap.objects[legend].get(key).ok_or_else(|| {
                let cell = self.cells.len();
                let (x, y) = (cell % self.size.0 as usize, cell / self.size.0 as usize);
                missing_in_legend(context, key, x, y)
            })?,
            None => key,
        };
        self.value_by_character.insert(character, value);
        Ok(value)
    }
}

impl Work for GridFromDrawing {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.is_read {
            let text = context.heap.as_str(self.text).unwrap_or("");
            if !self.read(text, budget) {
                return Ok(None);
            }
            self.is_read = true;
        }
        if !self.is_ready && !self.find_rows(context, budget)? {
            return Ok(None);
        }
        let (_, last) = self.rows.unwrap_or_default();
        while self.row < last {
            if budget.is_spent() {
                return Ok(None);
            }
            if self.at >= self.lines[self.row].end {
                self.row += 1;
                self.at = self.lines.get(self.row).map_or(0, |line| line.start);
                continue;
            }
            budget.spend(4);
            let text = context.heap.as_str(self.text).unwrap_or("");
            let Some(character) = text.get(self.at..).and_then(|rest| rest.chars().next()) else {
                break;
            };
            self.at += character.len_utf8();
            let value = self.value(context, character)?;
            self.cells.push(value);
        }
        let cells = std::mem::take(&mut self.cells);
        Ok(Some(context.heap.grid(self.size.0, self.size.1, cells)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.value_by_character.values());
        tracer.values.extend_from_slice(&self.cells);
    }

    fn bytes(&self) -> usize {
        room::row(&self.lines)
            + room::row(&self.cells)
            + room::hash_map(self.value_by_character.capacity(), 16)
    }
}
