//! Global variables by name: their places in the program, and reading and setting them from outside.

mod in_machine;

use ndscript_bytecode::Register;
use ndscript_heap::Value;

/// A write by the host to one of the program's own registers that no choice point has saved.
#[derive(Clone, Copy, Debug)]
pub struct HostWrite {
    /// How many choice points were open; backtracking to the last of them undoes the write.
    pub choices: u32,
    pub register: Register,
    pub old: Value,
}

ndscript_base::saved!(struct HostWrite { choices, register, old });
