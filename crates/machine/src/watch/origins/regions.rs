//! The region of a condition: up to the instruction that is reached whatever the condition was.

use ndscript_base::keyed::KeyedMap;
use ndscript_bytecode::{Code, Flow, Op};

/// After the end of the function.
pub const NEVER: u32 = u32::MAX;

/// For each function, by its first instruction, the ends of the regions of its instructions.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    ends: KeyedMap<u32, Vec<u32>>,
    /// By where a decision is made, whether it may end a branch.
    may_fail: KeyedMap<u32, bool>,
    /// By the test of a loop, whether nothing else ends the loop.
    only_exits: KeyedMap<u32, bool>,
}

impl Regions {
    /// Whether the decision of an instruction can affect whether the branch fails: one of its paths reaches an
    /// instruction that may fail before the paths join.
    pub fn may_fail(&mut self, code: &Code, pc: u32, fails: impl Fn(Op) -> bool) -> bool {
        let until = self.end_of(code, pc);
        *self.may_fail.entry(pc).or_insert_with(|| {
            let function = &code.functions[code.function_at(pc) as usize];
            let (entry, length) = (function.entry as usize, function.length as usize);
            let is_over = |at: usize| at >= length || (entry + at) as u32 == until;
            let mut is_seen = vec![false; length + 1];
            let mut open = vec![pc as usize - entry];
            while let Some(at) = open.pop() {
                for next in successors(code, at, entry, length)
                    .into_iter()
                    .filter(|next| !is_over(*next))
                {
                    if fails(code.ops[entry + next]) {
                        return true;
                    }
                    if !std::mem::replace(&mut is_seen[next], true) {
                        open.push(next);
                    }
                }
            }
            false
        })
    }

    /// Whether the test at `pc` has just ended a loop, after which the run continues at `to`, that nothing else ends:
    /// no other condition and no `break`. The test comes before the first turn, and again at the end of each.
    pub fn is_only_exit(&mut self, code: &Code, pc: u32, to: u32) -> bool {
        let Some(last) = to.checked_sub(1).filter(|last| *last >= pc) else {
            return false;
        };
        let back = match code.ops[last as usize].flow() {
            Flow::Jump(begin) | Flow::MayJump(begin) => begin,
            _ => return false,
        };
        let is_test = back == pc + 1 || back <= pc;
        if !is_test || back > last {
            return false;
        }
        *self.only_exits.entry(pc).or_insert_with(|| {
            let leaves = |at: &u32| match code.ops[*at as usize].flow() {
                Flow::Jump(target) | Flow::MayJump(target) => target >= to,
                Flow::Branch(table) => code.targets(table).iter().any(|target| *target >= to),
                _ => false,
            };
            // A jump back on its own is preceded by the test; otherwise the test itself jumps back.
            let tests = usize::from(matches!(code.ops[last as usize].flow(), Flow::Jump(_)));
            (back..last).filter(leaves).count() <= tests
        })
    }

    /// The instruction that is reached on all paths from this one.
    pub fn end_of(&mut self, code: &Code, pc: u32) -> u32 {
        let function = &code.functions[code.function_at(pc) as usize];
        let (entry, length) = (function.entry, function.length as usize);
        let ends = self
            .ends
            .entry(entry)
            .or_insert_with(|| ends(code, entry as usize, length));
        ends.get((pc - entry) as usize).copied().unwrap_or(NEVER)
    }
}

/// The successors of an instruction within its function, counted from the entry; `length` is its end. A failure leads
/// nowhere: that something did not fail decides nothing.
fn successors(code: &Code, at: usize, entry: usize, length: usize) -> Vec<usize> {
    let op = code.ops[entry + at];
    let inside = |target: u32| target as usize - entry;
    match op.flow() {
        Flow::Next => vec![at + 1],
        Flow::Jump(target) => vec![inside(target)],
        Flow::MayJump(target) => vec![at + 1, inside(target)],
        Flow::Branch(table) => code
            .targets(table)
            .iter()
            .map(|target| inside(*target))
            .collect(),
        Flow::End if matches!(op, Op::Fail {} | Op::Throw { .. }) => Vec::new(),
        Flow::End => vec![length],
    }
}

/// The nearest instruction that all paths from each lead to: its immediate postdominator (Cooper, Harvey and Kennedy,
/// 2001).
fn ends(code: &Code, entry: usize, length: usize) -> Vec<u32> {
    let mut next: Vec<Vec<usize>> = (0..length)
        .map(|at| successors(code, at, entry, length))
        .collect();
    // A loop that only a jump out of it ends counts as one that could end by itself: so the conditions of that jump
    // decide.
    let mut is_end = vec![true; length];
    for at in (0..length).rev() {
        for target in next[at].clone().into_iter().filter(|target| *target <= at) {
            if std::mem::replace(&mut is_end[target], false) && next[at].len() == 1 {
                next[at].push(at + 1);
            }
        }
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); length + 1];
    for (at, targets) in next.iter().enumerate() {
        targets
            .iter()
            .filter(|target| **target <= length)
            .for_each(|target| before[*target].push(at));
    }
    // Postorder of the walk backwards from the end.
    let mut order = Vec::with_capacity(length + 1);
    let mut number = vec![usize::MAX; length + 1];
    let mut is_seen = vec![false; length + 1];
    let mut open = vec![(length, 0)];
    is_seen[length] = true;
    while let Some((at, done)) = open.last_mut() {
        match before[*at].get(*done).copied() {
            Some(other) => {
                *done += 1;
                if !std::mem::replace(&mut is_seen[other], true) {
                    open.push((other, 0));
                }
            }
            None => {
                number[*at] = order.len();
                order.push(*at);
                open.pop();
            }
        }
    }
    let mut nearest = vec![usize::MAX; length + 1];
    nearest[length] = length;
    loop {
        let mut is_done = true;
        for at in order.iter().rev().copied().filter(|at| *at != length) {
            let known = next[at]
                .iter()
                .copied()
                .filter(|target| *target <= length && nearest[*target] != usize::MAX);
            let found = known.reduce(|mut a, mut b| {
                while a != b {
                    while number[a] < number[b] {
                        a = nearest[a];
                    }
                    while number[b] < number[a] {
                        b = nearest[b];
                    }
                }
                a
            });
            if let Some(found) = found
                && nearest[at] != found
            {
                nearest[at] = found;
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    let end = |at: &usize| {
        if *at < length {
            (entry + at) as u32
        } else {
            NEVER
        }
    };
    nearest[..length].iter().map(end).collect()
}
