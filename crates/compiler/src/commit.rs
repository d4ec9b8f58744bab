//! Finds `deterministic` functions that make no choice: they have nothing to discard when they return, and are called
//! like any other function.

use ndscript_bytecode::{Code, Op, Signatures};

/// Removes the barriers of functions that make no choice from a program. Calls of known functions still use their
/// numbers; `first` is the first function that is not of the base.
pub(super) fn drop_needless(code: &mut Code, first: usize, signatures: &Signatures) {
    let has_barrier = |code: &Code, function: usize| {
        let entry = code.functions[function].entry as usize;
        matches!(code.ops.get(entry), Some(Op::OpenCommit {}))
    };
    if !(first..code.functions.len()).any(|function| has_barrier(code, function)) {
        return;
    }
    let choosing = choosing_functions(code, first, signatures);
    let never_choosing = (first..code.functions.len()).filter(|function| !choosing[*function]);
    for function in never_choosing
        .filter(|function| has_barrier(code, *function))
        .collect::<Vec<usize>>()
    {
        let entry = code.functions[function].entry;
        let end = entry + code.functions[function].length;
        // Calls begin after the instruction that opens the barrier.
        code.heads[function].entry = entry + 1;
        code.ops[entry as usize] = Op::Jump { target: entry + 1 };
        for op in &mut code.ops[entry as usize..end as usize] {
            if let Op::ReturnAndCommit { from } = *op {
                *op = Op::Return { from };
            }
        }
    }
}

/// For each function whether a call of it may make a choice, or leave the machine.
fn choosing_functions(code: &Code, first: usize, signatures: &Signatures) -> Vec<bool> {
    // Functions of the base are not examined: they call the functions given to them.
    let mut choosing = vec![true; first];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); code.functions.len()];
    for (number, function) in code.functions.iter().enumerate().skip(first) {
        let entry = function.entry as usize;
        let mut chooses = false;
        for op in &code.ops[entry..entry + function.length as usize] {
            match *op {
                Op::CallNative { native, .. } => chooses |= !signatures.get(native).computes,
                Op::CallKnown { entry, .. } => callers[entry as usize].push(number),
                op => chooses |= op.live_registers().is_some(),
            }
        }
        choosing.push(chooses);
    }
    // A function that calls a choosing one chooses, too.
    let mut work: Vec<usize> = (0..choosing.len())
        .filter(|function| choosing[*function])
        .collect();
    while let Some(called) = work.pop() {
        for caller in std::mem::take(&mut callers[called]) {
            if !std::mem::replace(&mut choosing[caller], true) {
                work.push(caller);
            }
        }
    }
    choosing
}
