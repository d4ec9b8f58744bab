//! Fields, elements and cells.

use super::{After, Done, Fast};
use crate::errors::error::{ErrorKind, Fault, UnlocatedError, VALUE_OF_SET};
use crate::errors::shorten::{self, name};
use crate::machine::Machine;
use crate::natives::context::Context;
use ndscript_base::spelling::nearest;
use ndscript_bytecode::Register;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_syntax::foreign;

/// At most this many field names are compared to suggest a spelling.
const MOST_COMPARED: usize = 10_000;

impl Fast<'_> {
    /// `R[to] := R[object].K[key]`, of an object without an index
    #[inline(always)]
    pub fn get_field(&mut self, to: Register, object: Register, key: u32) -> Option<()> {
        let object = self.get(object).handle_of(Kind::Object)?;
        let value = self.heap.objects[object].get_unindexed(self.constants[key as usize])?;
        self.set(to, value);
        Some(())
    }

    /// `R[to] := R[object].x`, or `.y`, of a position or of an object without an index
    #[inline(always)]
    pub fn get_coordinate(
        &mut self,
        to: Register,
        object: Register,
        vertical: u8,
        key: u32,
    ) -> Option<()> {
        if let Some((x, y)) = self.get(object).as_position() {
            self.set(to, Value::integer(if vertical == 0 { x } else { y }));
            return Some(());
        }
        self.get_field(to, object, key)
    }

    /// `R[object].K[key] := R[from]`, of a field that is there and need not be logged
    #[inline(always)]
    pub fn set_field(&mut self, object: Register, from: Register, key: u32) -> Option<()> {
        let object = self.get(object).handle_of(Kind::Object)?;
        let value = self.get(from);
        *self.heap.objects[object].fresh_place(self.constants[key as usize], self.top)? = value;
        Some(())
    }

    /// `R[to] := R[base][R[index]]`, of an array or a grid
    #[inline(always)]
    pub fn get_index(&mut self, to: Register, base: Register, index: Register) -> Option<()> {
        let (collection, index) = (self.get(base), self.get(index));
        let value = if let Some(array) = collection.handle_of(Kind::Array)
            && index.is_integer()
        {
            self.heap.arrays[array]
                .slots
                .get(index.integer_unchecked() as usize)?
        } else {
            let grid = collection.handle_of(Kind::Grid)?;
            let (x, y) = index.as_position()?;
            let cell = self.heap.grids[grid].cell(x, y)?;
            self.heap.grids[grid].slots.values()[cell]
        };
        self.set(to, value);
        Some(())
    }

    /// `R[base][R[index]] := R[from]`, of an array or a grid, if it need not be logged
    #[inline(always)]
    pub fn set_index(&mut self, base: Register, index: Register, from: Register) -> Option<()> {
        let (collection, index, value) = (self.get(base), self.get(index), self.get(from));
        let is_written = if let Some(array) = collection.handle_of(Kind::Array) {
            self.heap
                .write_element(array, index.as_integer()? as usize, value)
        } else {
            let grid = collection.handle_of(Kind::Grid)?;
            let (x, y) = index.as_position()?;
            self.heap.write_cell(grid, x, y, value)
        };
        is_written.then_some(())
    }

    /// `R[to] := R[grid][R[x], R[y]]`
    #[inline(always)]
    pub fn get_cell(
        &mut self,
        to: Register,
        grid: Register,
        x: Register,
        y: Register,
    ) -> Option<()> {
        let grid = self.get(grid).handle_of(Kind::Grid)?;
        let (x, y) = (self.get(x).as_integer()?, self.get(y).as_integer()?);
        let cell = self.heap.grids[grid].cell(x, y)?;
        let value = self.heap.grids[grid].slots.values()[cell];
        self.set(to, value);
        Some(())
    }
}

impl Machine {
    /// `R[to] := R[object].K[key]`
    pub(crate) fn get_field(&mut self, to: Register, object: Register, key: u32) -> Done {
        let key = self.constants[key as usize];
        let value = self.context.get_field(self.get(object), key)?;
        self.set(to, value);
        Ok(After::Next)
    }

    /// `R[object].K[key] := R[from]`
    pub(crate) fn set_field(&mut self, object: Register, from: Register, key: u32) -> Done {
        let key = self.constants[key as usize];
        self.context
            .set_field(self.get(object), key, self.get(from))?;
        Ok(After::Next)
    }

    /// `R[to] := R[base][R[index]]`
    pub(crate) fn get_index(&mut self, to: Register, base: Register, index: Register) -> Done {
        let value = self.context.get_index(self.get(base), self.get(index))?;
        self.set(to, value);
        Ok(After::LookAtMemory)
    }

    /// `R[base][R[index]] := R[from]`
    pub(crate) fn set_index(&mut self, base: Register, index: Register, from: Register) -> Done {
        self.context
            .set_index(self.get(base), self.get(index), self.get(from))?;
        Ok(After::Next)
    }

    /// `R[to] := R[grid][R[x], R[y]]`
    pub(crate) fn get_cell(
        &mut self,
        to: Register,
        grid: Register,
        x: Register,
        y: Register,
    ) -> Done {
        let value = self
            .context
            .get_cell(self.get(grid), self.get(x), self.get(y))?;
        self.set(to, value);
        Ok(After::Next)
    }

    /// `R[grid][R[x], R[y]] := R[from]`
    pub(crate) fn set_cell(
        &mut self,
        grid: Register,
        x: Register,
        y: Register,
        from: Register,
    ) -> Done {
        self.context
            .set_cell(self.get(grid), self.get(x), self.get(y), self.get(from))?;
        Ok(After::Next)
    }
}

impl Context {
    /// `object.key`
    pub fn get_field(&mut self, object: Value, key: Value) -> Result<Value, Fault> {
        if let Some(handle) = object.handle_of(Kind::Object) {
            return match self.heap.objects[handle].get(key) {
                Some(value) => Ok(value),
                None => Err(self.no_field(handle, key)),
            };
        }
        if let Some((x, y)) = object.as_position() {
            match self.heap.as_str(key) {
                Some("x") => return Ok(Value::integer(x)),
                Some("y") => return Ok(Value::integer(y)),
                _ => {}
            }
            return Err(Fault::error(
                ErrorKind::Field,
                format!(
                    "a position has the fields x and y, but no `{}`",
                    self.key_text(key)
                ),
            ));
        }
        if object.is_kind(Kind::Host) {
            return self.member(object, key);
        }
        let fault = Fault::error(
            ErrorKind::Type,
            format!(
                "{} has no fields: cannot read `.{}`",
                self.describe(object),
                self.key_text(key)
            ),
        );
        let name = self.key_text(key);
        if let Some(hint) = foreign::method(&name) {
            return Err(fault.with_hint(hint));
        }
        let native = self
            .natives
            .iter()
            .find(|native| *native.name == *name && !native.parameters.is_empty());
        Err(match native {
            Some(native) if object.is_kind(Kind::Set) && native.parameters == "set, element" => {
                fault.with_hint(format!(
                    "a set does not change: write `s = {name}({})`",
                    native.parameters
                ))
            }
            Some(native) => fault.with_hint(format!("write `{name}({})`", native.parameters)),
            None if object.is_kind(Kind::Set) => fault.with_hint(VALUE_OF_SET),
            None => fault,
        })
    }

    fn key_text(&self, key: Value) -> String {
        name(self.heap.as_str(key).unwrap_or(""))
    }

    /// The error of a field that an object does not have, with the fields that it has.
    #[cold]
    fn no_field(&self, object: Handle, key: Value) -> Fault {
        let name = self.key_text(key);
        let keys = || {
            self.heap.objects[object]
                .keys()
                .filter_map(|key| self.heap.as_str(key))
        };
        let fault = Fault::error(
            ErrorKind::Field,
            format!("the object has no field `{name}`"),
        );
        if let Some(close) = nearest(&name, keys().take(MOST_COMPARED)) {
            return fault.with_hint(format!("did you mean `{close}`?"));
        }
        let shown: Vec<String> = keys().take(8).map(shorten::name).collect();
        let more = if self.heap.objects[object].len() > shown.len() {
            ", ..."
        } else {
            ""
        };
        match shown.is_empty() {
            true => fault.with_hint("it has no fields at all"),
            false => fault.with_hint(format!("it has: {}{more}", shown.join(", "))),
        }
    }

    /// `object.key = value`
    pub fn set_field(&mut self, object: Value, key: Value, value: Value) -> Result<(), Fault> {
        match object.handle_of(Kind::Object) {
            Some(handle) => {
                if self.heap.constrained(object).is_some() {
                    let Some(place) = self.heap.objects[handle].find(key) else {
                        return Err(self.keeps_its_places(object));
                    };
                    return self.assign_place(object, place, value).map(|_| ());
                }
                self.reserve_write(object)?;
                self.heap.set_field(handle, key, value);
                Ok(())
            }
            None => {
                if object.is_kind(Kind::Host) {
                    let sign = format!("{}=", self.key_text(key));
                    if let Some(set) = self.at_sign(object, &sign, &[value]) {
                        return set.map(drop);
                    }
                }
                let fault = Fault::error(
                    ErrorKind::Type,
                    format!(
                        "cannot set the field `{}` of {}",
                        self.key_text(key),
                        self.describe(object)
                    ),
                );
                Err(if object.is_kind(Kind::Host) {
                    fault.with_hint("only its methods change it")
                } else {
                    fault
                })
            }
        }
    }

    /// `base[index]`
    pub fn get_index(&mut self, base: Value, index: Value) -> Result<Value, Fault> {
        match base.kind() {
            Kind::Array => {
                let handle = base.payload();
                let at = self.array_index(handle, index)?;
                Ok(self.heap.element(handle, at).unwrap_or(Value::NULL))
            }
            Kind::Text => {
                let length = self.heap.texts[base.payload()].characters as usize;
                let at = self.index_in(index, length, "string")?;
                let text = self.heap.text_at(base.payload());
                let (character, visits) = (
                    text.character(at).unwrap_or("").to_string(),
                    text.visits_to(at),
                );
                self.charge(visits / 16);
                Ok(self.heap.text(&character))
            }
            Kind::Object => {
                self.is_key(index)?;
                let key = self.name_in_use(index)?.unwrap_or(index);
                self.get_field(base, key)
            }
            Kind::Grid => {
                let cell = self.cell_at(base, index)?;
                Ok(self.heap.grids[base.payload()].slots.values()[cell])
            }
            _ => match self.at_sign(base, "[]", &[index]) {
                Some(element) => element,
                None => Err(self.not_indexable(base)),
            },
        }
    }

    /// The error of an index on a value without elements.
    fn not_indexable(&self, base: Value) -> Fault {
        let fault = Fault::error(
            ErrorKind::Type,
            format!(
                "{} has no elements to be indexed with []",
                self.describe(base)
            ),
        );
        match base.kind() {
            Kind::Set if self.is_singleton(base) => fault.with_hint(VALUE_OF_SET),
            Kind::Set | Kind::Queue => fault.with_hint("`toArray(c)` makes an array of it"),
            _ => fault,
        }
    }

    /// Fails if a value cannot be a key in `object[index]`.
    fn is_key(&mut self, index: Value) -> Result<(), Fault> {
        if index.is_kind(Kind::Text) {
            return Ok(());
        }
        Err(Fault::error(
            ErrorKind::Type,
            format!(
                "the key of an object must be a string, not {}",
                self.describe(index)
            ),
        )
        .with_hint(match index.kind() {
            Kind::Set => VALUE_OF_SET,
            _ => "`toString(v)` makes a string of any value",
        }))
    }

    fn array_index(&self, array: Handle, index: Value) -> Result<usize, Fault> {
        self.index_in(index, self.heap.array_len(array), "array")
    }

    /// Converts an index to `usize` and checks that it is below `length`.
    pub fn index_in(&self, index: Value, length: usize, what: &str) -> Result<usize, Fault> {
        match index.as_integer() {
            Some(at) if at >= 0 && (at as usize) < length => Ok(at as usize),
            Some(at) => {
                let fault = Fault::error(ErrorKind::Index, format!("index {at} is out of range"));
                Err(match (length, what) {
                    (0, _) => fault.with_hint(format!("the {what} is empty")),
                    (1, "array") => fault.with_hint("the array has 1 element, with index 0"),
                    (1, _) => fault.with_hint(format!("the {what} has 1 character, with index 0")),
                    (_, "array") => fault.with_hint(format!(
                        "the array has {length} elements, with indexes 0 to {}",
                        length - 1
                    )),
                    _ => fault.with_hint(format!(
                        "the {what} has {length} characters, 0 to {}",
                        length - 1
                    )),
                })
            }
            None if index.is_number() => Err(Fault::error(
                ErrorKind::Type,
                format!("an index must be whole, not {}", self.brief(index)),
            )
            .with_hint("`floor(x)` makes a number whole")),
            None => {
                let fault = Fault::error(
                    ErrorKind::Type,
                    format!(
                        "the index of {} {what} must be a whole number, not {}",
                        article(what),
                        self.describe(index)
                    ),
                );
                Err(match index.kind() {
                    Kind::Set => fault.with_hint(VALUE_OF_SET),
                    _ => fault,
                })
            }
        }
    }

    /// The number of the cell at a position.
    fn cell_at(&self, grid: Value, index: Value) -> Result<usize, Fault> {
        match index.as_position() {
            Some((x, y)) => self.cell(grid.payload(), x, y),
            None => Err(Fault::error(
                ErrorKind::Type,
                format!(
                    "a grid is indexed by a position or by two numbers, not by {}",
                    self.describe(index)
                ),
            )
            .with_hint("write `g[x, y]` or `g[position(x, y)]`")),
        }
    }

    /// The number of the cell at two coordinates.
    pub fn cell(&self, grid: Handle, x: i64, y: i64) -> Result<usize, Fault> {
        let grid = &self.heap.grids[grid];
        grid.cell(x, y).ok_or_else(|| {
            Fault::error(
                ErrorKind::Index,
                format!("the position ({x},{y}) is outside the grid"),
            )
            .with_hint(format!(
                "the grid is {} wide and {} high, counted from 0",
                grid.width, grid.height
            ))
        })
    }

    /// `base[index] = value`
    pub fn set_index(&mut self, base: Value, index: Value, value: Value) -> Result<(), Fault> {
        match base.kind() {
            Kind::Array => {
                let handle = base.payload();
                let at = self.array_index(handle, index).map_err(|fault| {
                    let appends = index.as_integer() == Some(self.heap.array_len(handle) as i64);
                    match fault {
                        Fault::Error(mut complaint) if appends => {
                            let known = complaint.hint.take().unwrap_or_default();
                            Fault::Error(Box::new(
                                complaint.with_hint(format!(
                                    "{known}; `push(array, value)` appends one"
                                )),
                            ))
                        }
                        fault => fault,
                    }
                })?;
                if self.heap.constrained(base).is_some() {
                    return self.assign_place(base, at, value).map(|_| ());
                }
                self.writable(handle)?;
                self.heap.elements(handle);
                self.reserve_write(base)?;
                self.heap.set_element(handle, at, value);
                Ok(())
            }
            Kind::Object => {
                self.is_key(index)?;
                let key = match self.heap.constrained(base) {
                    Some(_) => self.name_in_use(index)?.unwrap_or(index),
                    None => self.name(index)?,
                };
                self.set_field(base, key, value)
            }
            Kind::Grid => {
                let cell = self.cell_at(base, index)?;
                if self.heap.constrained(base).is_some() {
                    return self.assign_place(base, cell, value).map(|_| ());
                }
                self.reserve_write(base)?;
                self.heap.set_cell(base.payload(), cell, value);
                Ok(())
            }
            Kind::Text => Err(Fault::error(
                ErrorKind::Type,
                "the characters of a string cannot be changed",
            )
            .with_hint("make a new string, for example with `substring` and `+`")),
            _ => match self.at_sign(base, "[]=", &[index, value]) {
                Some(set) => set.map(drop),
                None => Err(self.not_indexable(base)),
            },
        }
    }

    /// Fails for an array in a set, and for one whose number of elements a board with constraints fixes.
    pub fn writable(&mut self, array: Handle) -> Result<(), Fault> {
        let value = Value::handle(Kind::Array, array);
        self.changed = Some(value);
        if !self.heap.arrays[array].is_frozen() {
            return if self.heap.constrained(value).is_some() {
                Err(self.keeps_its_places(value))
            } else {
                Ok(())
            };
        }
        let complaint = UnlocatedError::new(
            ErrorKind::Frozen,
            format!(
                "the array {} is frozen: it is an element of a set or relation",
                self.brief(value)
            ),
        );
        Err(Fault::Error(Box::new(
            complaint.with_hint("`copy` the array first and change the copy"),
        )))
    }

    /// `grid[x, y]`
    pub fn get_cell(&self, grid: Value, x: Value, y: Value) -> Result<Value, Fault> {
        let (handle, cell) = self.cell_by_numbers(grid, x, y)?;
        Ok(self.heap.grids[handle].slots.values()[cell])
    }

    /// `grid[x, y] = value`
    pub fn set_cell(&mut self, grid: Value, x: Value, y: Value, value: Value) -> Result<(), Fault> {
        let (handle, cell) = self.cell_by_numbers(grid, x, y)?;
        if self.heap.constrained(grid).is_some() {
            return self.assign_place(grid, cell, value).map(|_| ());
        }
        self.reserve_write(grid)?;
        self.heap.set_cell(handle, cell, value);
        Ok(())
    }

    /// The grid and the cell of `grid[x, y]`.
    fn cell_by_numbers(&self, grid: Value, x: Value, y: Value) -> Result<(Handle, usize), Fault> {
        let Some(handle) = grid.handle_of(Kind::Grid) else {
            return Err(Fault::error(
                ErrorKind::Type,
                format!(
                    "only a grid is indexed by two numbers, not {}",
                    self.describe(grid)
                ),
            ));
        };
        match (x.as_integer(), y.as_integer()) {
            (Some(x), Some(y)) => Ok((handle, self.cell(handle, x, y)?)),
            _ => Err(Fault::error(
                ErrorKind::Type,
                format!(
                    "the coordinates of a cell must be whole numbers, not {} and {}",
                    self.brief(x),
                    self.brief(y)
                ),
            )),
        }
    }
}

pub(crate) fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}
