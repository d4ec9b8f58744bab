//! Programs: what all functions share.

use std::ops::Range;
use std::sync::Arc;

use super::function::{Body, Constant, Function, Global, InitialValue};
use super::op::{Destination, FIRST_REGISTER, Op, Register};
use ndscript_base::source::Span;

/// The parts of a function that a call needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    pub entry: u32,
    /// The number of arguments; [`Head::LIST`] if they come as one array.
    pub parameters: u32,
}

impl Head {
    pub const LIST: u32 = u32::MAX;
}

/// Which registers are written from an instruction on.
#[derive(Clone, Copy, Debug)]
pub struct Writes {
    /// The lowest that its function may write.
    pub written: Register,
    /// The lowest register that a choice saves: `written` in the program itself, elsewhere the first.
    pub first_saved: Register,
}

/// A compiled program. Functions are only ever appended, so indexes into a program stay valid in one that extends it.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The instructions of all functions, function by function.
    pub ops: Vec<Op>,
    /// The source of each instruction.
    pub spans: Vec<Span>,
    /// For each instruction, the registers of its function that may be written after it.
    pub writes: Vec<Writes>,
    /// The tables of each `choose`: the number of alternatives, then the target of each; and their sources.
    pub tables: Vec<u32>,
    pub alternatives: Vec<Span>,
    pub functions: Vec<Arc<Function>>,
    /// For each function what calls of it need.
    pub heads: Vec<Head>,
    /// The functions in the order of their instructions.
    pub order: Vec<u32>,
    pub constants: Vec<Constant>,
    pub globals: Vec<Global>,
    /// The global variables that are registers of the program's own frame, from the first on.
    pub top_level: Vec<u32>,
    /// The function that is the program, or the latest input of a growing one.
    pub main: u32,
    /// The functions that make calls of the host: by the number of arguments, and the last one with a list of any
    /// number.
    pub calls_of_host: Vec<u32>,
    /// The function that runs the due functions of a board.
    pub due_functions: u32,
    /// The function that makes a call for a function of the host, and then continues the host.
    pub callback: u32,
    /// The function that chooses among alternatives that the host makes one by one.
    pub choice_of_host: u32,
    /// The declarations of a growing program's latest input, by the numbers of global variables.
    pub beginnings: Vec<(u32, InitialValue)>,
    /// The folders that the program names for its tiles, apart from those of the host.
    pub tile_folders: Arc<[Arc<str>]>,
}

/// The size of a program.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    ops: usize,
    tables: usize,
    functions: usize,
    order: usize,
    constants: usize,
}

/// A copy of a list with room for a few more.
fn to_grow<T: Clone>(list: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.len() + 16);
    copy.extend_from_slice(list);
    copy
}

impl Code {
    /// A copy that grows by little: a full list doubles its capacity when it grows, and a conversation keeps the
    /// programs of many inputs.
    pub fn to_grow(&self) -> Code {
        Code {
            ops: to_grow(&self.ops),
            spans: to_grow(&self.spans),
            writes: to_grow(&self.writes),
            tables: to_grow(&self.tables),
            alternatives: to_grow(&self.alternatives),
            functions: to_grow(&self.functions),
            heads: to_grow(&self.heads),
            order: to_grow(&self.order),
            constants: to_grow(&self.constants),
            globals: to_grow(&self.globals),
            top_level: to_grow(&self.top_level),
            main: self.main,
            calls_of_host: self.calls_of_host.clone(),
            due_functions: self.due_functions,
            callback: self.callback,
            choice_of_host: self.choice_of_host,
            beginnings: self.beginnings.clone(),
            tile_folders: self.tile_folders.clone(),
        }
    }

    /// The size of the program, for [`Code::cut_back`].
    pub fn extent(&self) -> Extent {
        Extent {
            ops: self.ops.len(),
            tables: self.tables.len(),
            functions: self.functions.len(),
            order: self.order.len(),
            constants: self.constants.len(),
        }
    }

    /// Removes everything that was added since.
    pub fn cut_back(&mut self, extent: &Extent) {
        self.ops.truncate(extent.ops);
        self.spans.truncate(extent.ops);
        self.writes.truncate(extent.ops);
        self.tables.truncate(extent.tables);
        self.alternatives.truncate(extent.tables);
        self.functions.truncate(extent.functions);
        self.heads.truncate(extent.functions);
        self.order.truncate(extent.order);
        self.constants.truncate(extent.constants);
    }

    /// The bytes that it takes, about; functions and names are shared.
    pub fn bytes(&self) -> usize {
        let lists = [
            size_of_val(&self.ops[..]),
            size_of_val(&self.spans[..]),
            size_of_val(&self.writes[..]),
            size_of_val(&self.tables[..]),
            size_of_val(&self.alternatives[..]),
            size_of_val(&self.functions[..]),
            size_of_val(&self.heads[..]),
            size_of_val(&self.order[..]),
            size_of_val(&self.constants[..]),
            size_of_val(&self.globals[..]),
            size_of_val(&self.top_level[..]),
            size_of_val(&self.beginnings[..]),
        ];
        lists.iter().sum()
    }

    /// The targets of a table.
    #[inline(always)]
    pub fn targets(&self, table: u32) -> &[u32] {
        let begin = table as usize + 1;
        &self.tables[begin..begin + self.tables[table as usize] as usize]
    }

    /// The sources of the alternatives of a table.
    pub fn alternatives(&self, table: u32) -> &[Span] {
        let begin = table as usize + 1;
        &self.alternatives[begin..begin + self.tables[table as usize] as usize]
    }

    /// Adds a function and returns its number.
    pub fn add(&mut self, (function, body): (Function, Body)) -> u32 {
        let number = self.functions.len() as u32;
        self.functions.push(Arc::default());
        self.heads.push(Head::default());
        self.append(number, function, body);
        number
    }

    /// Appends a complete function.
    pub fn append(&mut self, number: u32, mut function: Function, mut body: Body) {
        body.follow_jumps();
        function.entry = self.ops.len() as u32;
        function.length = body.ops.len() as u32;
        let mut places = Vec::with_capacity(body.tables.len());
        for table in body.tables {
            places.push(self.tables.len() as u32);
            self.tables.push(table.len() as u32);
            self.alternatives.push(Span::default());
            for (target, span) in table {
                self.tables.push(target + function.entry);
                self.alternatives.push(span);
            }
        }
        for mut op in body.ops {
            if let Some(table) = op.table_mut() {
                *table = places[*table as usize];
            } else if let Some(target) = op.target_mut() {
                *target += function.entry;
            }
            self.ops.push(op);
        }
        self.spans.extend(body.spans);
        let lowest = self.lowest_written(function.entry as usize..self.ops.len());
        self.writes.extend(lowest.into_iter().map(|written| Writes {
            written,
            first_saved: FIRST_REGISTER,
        }));
        self.order.push(number);
        let parameters = if function.takes_list {
            Head::LIST
        } else {
            function.parameters.len() as u32
        };
        self.heads[number as usize] = Head {
            entry: function.entry,
            parameters,
        };
        self.functions[number as usize] = Arc::new(function);
    }

    /// Whether a function has been appended.
    pub fn has(&self, number: u32) -> bool {
        self.functions[number as usize].length > 0
    }

    /// A function as it was before it was appended, if it calls no other one.
    pub fn body(&self, number: u32) -> (Function, Body) {
        let function = Function::clone(&self.functions[number as usize]);
        let range = function.entry as usize..(function.entry + function.length) as usize;
        let mut body = Body {
            ops: self.ops[range.clone()].to_vec(),
            spans: self.spans[range].to_vec(),
            tables: Vec::new(),
        };
        for op in &mut body.ops {
            if let Some(table) = op.table_mut() {
                let targets = self
                    .targets(*table)
                    .iter()
                    .map(|target| target - function.entry);
                let alternatives = targets
                    .zip(self.alternatives(*table).iter().copied())
                    .collect();
                *table = body.tables.len() as u32;
                body.tables.push(alternatives);
            } else if let Some(target) = op.target_mut() {
                *target -= function.entry;
            }
        }
        (function, body)
    }

    /// Sets the targets of calls of known functions, from an instruction on, once all functions have their places.
    pub fn link(&mut self, from: usize) {
        for op in &mut self.ops[from..] {
            if let Op::CallKnown { entry, .. } = op {
                *entry = self.heads[*entry as usize].entry;
            }
        }
    }

    /// Whether a register of the program's own frame is a global variable.
    pub fn is_top_level(&self, register: Register) -> bool {
        register >= FIRST_REGISTER && usize::from(register - FIRST_REGISTER) < self.top_level.len()
    }

    /// A function by its number.
    #[inline]
    pub fn function(&self, number: u32) -> &Function {
        &self.functions[number as usize]
    }

    /// The number of the function that an instruction belongs to.
    pub fn function_at(&self, pc: u32) -> u32 {
        let next = self
            .order
            .partition_point(|function| self.functions[*function as usize].entry <= pc);
        next.checked_sub(1).map_or(0, |at| self.order[at])
    }

    /// How many of its frame's registers an instruction that can choose saves.
    #[inline]
    pub fn live_registers_at(&self, pc: u32) -> Register {
        self.ops[pc as usize].live_registers().unwrap_or(0)
    }

    /// The registers that a choice saves: those that may be written after it.
    #[inline]
    pub fn saved_at(&self, pc: u32) -> Range<usize> {
        let live_registers = self.live_registers_at(pc) as usize;
        (self.writes[pc as usize].first_saved as usize).min(live_registers)..live_registers
    }

    /// The first register to save of a frame that waits after an instruction: all of them, or those it may still
    /// write.
    #[inline]
    pub fn count_saved_of_frame(&self, pc: u32) -> usize {
        match self.writes[pc as usize].first_saved {
            FIRST_REGISTER => 0,
            first => first as usize,
        }
    }

    /// The register that an instruction puts the chosen element into.
    #[inline]
    pub fn result_at(&self, pc: u32) -> Register {
        match self.ops[pc as usize].destination() {
            Destination::Register(register) => register,
            Destination::Foreach(_) | Destination::Elsewhere => 0,
        }
    }
}
