//! Compiled functions, and the program that they make up.

use std::sync::Arc;

use super::op::{Home, Op, Register};
use ndscript_base::source::Span;

/// The instructions of a function by itself. Jumps count from its beginning, tables of alternatives have numbers
/// within it, and calls of known functions the numbers of these.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub ops: Vec<Op>,
    /// The source of each instruction.
    pub spans: Vec<Span>,
    /// The targets of each `choose`, and the sources of its alternatives.
    pub tables: Vec<Vec<(u32, Span)>>,
}

/// A compiled function. Its first registers, from 1 on, are its parameters.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// `None` for function values.
    pub name: Option<Arc<str>>,
    pub parameters: Vec<Arc<str>>,
    /// How many of them, the last ones, a call may leave out.
    pub optional: u32,
    /// Where its instructions begin among those of the program, and how many there are.
    pub entry: u32,
    pub length: u32,
    /// The captures of a closure of it.
    pub captures: Vec<Capture>,
    /// The names of the captured variables.
    pub capture_names: Vec<Arc<str>>,
    /// Its own variables, for observers. The machine does not use them.
    pub variables: Vec<Local>,
    /// Errors that are certain once an instruction is reached.
    pub complaints: Vec<StaticError>,
    /// The calls of names that hide built-ins: their instructions, counted from the entry, and the names.
    pub hiding: Vec<(u32, Arc<str>)>,
    /// The number of registers.
    pub registers: u16,
    /// Whether a call keeps only its first result.
    pub deterministic: bool,
    /// Whether it belongs to the built-ins: such frames do not show.
    pub prelude: bool,
    /// Whether the arguments come as one array in the first register.
    pub takes_list: bool,
    pub span: Span,
}

impl Function {
    /// The fewest arguments that it takes.
    pub fn least(&self) -> usize {
        self.parameters.len().saturating_sub(self.optional as usize)
    }

    /// Whether it takes this many arguments.
    pub fn accepts(&self, count: usize) -> bool {
        (self.least()..=self.parameters.len()).contains(&count)
    }

    /// The function that runs the due functions of a board, one after another: the board is in register 1. The
    /// built-ins `next` and `end` are called around each.
    pub fn woken(next: u32, end: u32) -> (Function, Body) {
        let ops = vec![
            Op::Null { to: 4 },
            Op::Move { to: 3, from: 1 },
            Op::CallNative {
                base: 2,
                to: 2,
                arguments: 1,
                native: next,
            },
            Op::JumpEqual {
                a: 2,
                b: 4,
                target: 7,
            },
            Op::Call {
                base: 2,
                arguments: 0,
            },
            Op::CallNative {
                base: 2,
                to: 2,
                arguments: 0,
                native: end,
            },
            Op::Loop { target: 0 },
            Op::ReturnNull {},
        ];
        let body = Body {
            spans: vec![Span::default(); ops.len()],
            ops,
            tables: Vec::new(),
        };
        (
            Function {
                registers: 5,
                prelude: true,
                ..Function::default()
            },
            body,
        )
    }

    /// The function that calls the script for a function of the host, which continues with the result: its
    /// continuation is in register 1, the called value in register 2, and the arguments are an array in register 3.
    pub fn callback() -> (Function, Body) {
        let ops = vec![
            Op::CallWithList { base: 2 },
            Op::Call {
                base: 1,
                arguments: 1,
            },
            Op::Return { from: 1 },
        ];
        let body = Body {
            spans: vec![Span::default(); ops.len()],
            ops,
            tables: Vec::new(),
        };
        (
            Function {
                registers: 4,
                prelude: true,
                ..Function::default()
            },
            body,
        )
    }

    /// The function that chooses among alternatives of the host, which it makes one by one: the first is in register 1. The
    /// others come from the built-in `next`, which gets the function of the host, an array of its arguments and the number
    /// of the one before, in the registers from 2 on.
    pub fn choice_of_host(next: u32) -> (Function, Body) {
        let ops = vec![
            Op::ChooseFirst {
                live_registers: 5,
                table: 0,
            },
            Op::Return { from: 1 },
            Op::Increment { to: 4, a: 4 },
            Op::CallNative {
                base: 1,
                to: 1,
                arguments: 3,
                native: next,
            },
            Op::Loop { target: 0 },
        ];
        let body = Body {
            spans: vec![Span::default(); ops.len()],
            ops,
            tables: vec![vec![(1, Span::default()), (2, Span::default())]],
        };
        (
            Function {
                registers: 5,
                prelude: true,
                ..Function::default()
            },
            body,
        )
    }

    /// The function that makes a call by the host: the called value is in register 1 and the arguments follow it, or,
    /// for `None`, are in an array.
    pub fn call_of_host(arguments: Option<u8>) -> (Function, Body) {
        let call = match arguments {
            Some(arguments) => Op::Call { base: 1, arguments },
            None => Op::CallWithList { base: 1 },
        };
        let registers = arguments.map_or(3, |arguments| u16::from(arguments) + 2);
        let ops = vec![call, Op::Leave { from: 1 }];
        let body = Body {
            spans: vec![Span::default(); ops.len()],
            ops,
            tables: Vec::new(),
        };
        (
            Function {
                registers,
                prelude: true,
                ..Function::default()
            },
            body,
        )
    }
}

/// A variable of a function: its name, its register or box, and the instructions for which it is live.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: Arc<str>,
    pub home: Home,
    /// The first instruction, counted from the entry, that finds its value there, and the one after the last.
    pub born: u32,
    pub gone: u32,
}

/// Where a closure finds a value to capture, in the frame that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    Register(u8),
    Spilled { register: u8, index: u32 },
    Captured(u32),
}

/// An error that is known before the run, and reported when it is reached.
#[derive(Clone, Debug)]
pub enum StaticError {
    /// A `let` or `const` used before its line.
    BeforeItsLine(Arc<str>),
    /// A call of a function of the program with the wrong number of arguments.
    Arguments { function: u32, given: u32 },
    /// A call of a built-in with the wrong number of arguments.
    NativeArguments { native: u32, given: u32 },
}

/// A constant of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    Text(Arc<str>),
    Float(f64),
    Integer(i64),
    Boolean(bool),
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Arc<str>,
    /// The function that it holds from the start.
    pub function: Option<u32>,
    /// Whether it is null before it is assigned, and not without a value.
    pub starts_null: bool,
    /// Whether some `let` or `const` declares it: reading it too early is an error even if a built-in has its name.
    pub lexical: bool,
    /// The built-in of the same name, used while the variable has no value.
    pub native: Option<u32>,
    /// Whether something declares or assigns it; if not, the name is the built-in's, or the host's constant.
    pub is_declared: bool,
    /// Whether the host has a constant of this name.
    pub is_host_constant: bool,
    /// Where it is declared, if it is a constant that an earlier input of a growing program declared.
    pub constant: Option<Span>,
    /// The register of the program's own frame that it is, if no function shares it; else it lives in the heap.
    pub register: Option<Register>,
    /// For the message if nothing gives it a value: whether something calls it, and whether a variable of the same
    /// name exists in an inner scope.
    pub is_called: bool,
    pub is_inner: bool,
}

/// How an input of a growing program sets a global variable before its first statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialValue {
    /// `var`: null, unless it has a value.
    Null,
    /// `let` and `const`: no value until the declaration, whatever an earlier input gave it.
    Unset,
    /// `function`: this function.
    Function(u32),
}
