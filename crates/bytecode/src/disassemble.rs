//! Bytecode as text.

use std::fmt::Write;

use super::code::Code;
use super::function::Function;
use super::op::Flow;

/// The instructions of a program, a line each.
pub fn disassemble(code: &Code) -> String {
    let mut out = String::new();
    for (number, function) in code
        .functions
        .iter()
        .enumerate()
        .filter(|(_, function)| !function.prelude)
    {
        let name = function.name.as_deref().unwrap_or("(no name)");
        let _ = writeln!(
            out,
            "function {number} {name}({}), {} registers",
            function.parameters.join(", "),
            function.registers
        );
        instructions(code, function, &mut out);
    }
    out
}

/// Lists the instructions of a function.
fn instructions(code: &Code, function: &Function, out: &mut String) {
    let (begin, end) = (
        function.entry as usize,
        (function.entry + function.length) as usize,
    );
    for (at, op) in code.ops.iter().enumerate().take(end).skip(begin) {
        let (name, meaning, operands) = op.describe();
        let operands: Vec<String> = operands
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let _ = writeln!(
            out,
            "{at:5}  {name:24} {:36} ;{meaning}",
            operands.join(", ")
        );
        if let Flow::Branch(table) = op.flow() {
            let _ = writeln!(out, "       alternatives {:?}", code.targets(table));
        }
    }
}
