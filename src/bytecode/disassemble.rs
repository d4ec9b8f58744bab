//! Bytecode as text.

use std::fmt::Write;

use super::function::{Code, Function};

/// The instructions of a program, a line each.
pub fn disassemble(code: &Code) -> String {
    let mut out = String::new();
    for (number, function) in code.functions.iter().enumerate().filter(|(_, function)| !function.prelude) {
        let name = function.name.as_deref().unwrap_or("(no name)");
        let _ = writeln!(
            out,
            "function {number} {name}({}), {} registers",
            function.parameters.join(", "),
            function.registers
        );
        instructions(function, &mut out);
    }
    out
}

fn instructions(function: &Function, out: &mut String) {
    for (at, op) in function.code.iter().enumerate() {
        let (name, meaning, operands) = op.describe();
        let operands: Vec<String> = operands.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let _ = writeln!(out, "{at:5}  {name:24} {:36} ;{meaning}", operands.join(", "));
    }
    for (at, table) in function.tables.iter().enumerate() {
        let _ = writeln!(out, "       alternatives {at}: {table:?}");
    }
}
