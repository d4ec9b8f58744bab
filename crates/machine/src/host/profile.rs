//! Steps of a watched run by instruction, and by the calls that led to it. All counts are exact.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use crate::machine::Machine;
use ndscript_base::source::Span;

/// At most this many call paths are counted separately; deeper calls count for the last of them.
const MOST_CALLS: usize = 1 << 18;

/// A function reached by one call path.
#[derive(Clone, Debug)]
pub struct CallNode {
    /// The calls that it was called from; `None` of the program itself.
    pub parent: Option<u32>,
    /// Its number; `None` of the program itself.
    pub function: Option<u32>,
    /// How often it was called so.
    pub calls: u64,
    /// The steps in the function itself, without its callees.
    pub steps: u64,
    /// Its depth in the call tree.
    depth: u32,
}

/// The position of an instruction in the tree of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallPosition {
    node: u32,
    depth: u32,
}

/// The measurements so far.
#[derive(Clone, Debug)]
pub struct Measurements {
    /// The steps of each instruction of the program, with those of the built-ins that it called.
    pub steps: Vec<u64>,
    /// All calls; callers come before their callees.
    pub calls: Vec<CallNode>,
    children: KeyedMap<(u32, u32), u32>,
    standing: CallPosition,
    /// The latest instruction of the program, and the steps up to it.
    at: usize,
    counted: u64,
}

impl Measurements {
    /// No measurements yet, for a run at its beginning.
    pub fn new(machine: &Machine) -> Measurements {
        let root = CallNode {
            parent: None,
            function: None,
            calls: 1,
            steps: 0,
            depth: machine.depth,
        };
        Measurements {
            steps: Vec::new(),
            calls: vec![root],
            children: KeyedMap::default(),
            standing: CallPosition {
                node: 0,
                depth: machine.depth,
            },
            at: 0,
            counted: machine.steps_now(),
        }
    }

    /// The position of the run, for a choice point that is made there.
    pub fn standing(&self) -> CallPosition {
        self.standing
    }

    /// Charges all steps since the last time to the current instruction.
    pub fn settle(&mut self, steps: u64) {
        let spent = steps.saturating_sub(self.counted);
        self.counted = steps;
        if spent > 0 {
            if self.steps.len() <= self.at {
                self.steps.resize(self.at + 1, 0);
            }
            self.steps[self.at] += spent;
            self.calls[self.standing.node as usize].steps += spent;
        }
    }

    /// Moves to an instruction of the program.
    pub fn come_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Updates the call after an instruction that has called a function, or returned from one.
    pub fn follow(&mut self, machine: &Machine) {
        let depth = machine.depth;
        if depth > self.standing.depth {
            self.enter(machine.context.code.function_at(machine.pc), depth);
        } else if depth < self.standing.depth {
            self.leave(depth);
        }
    }

    /// Goes back to a choice point, or leaves calls that a failure has ended.
    pub fn go_back(&mut self, to: Option<CallPosition>, machine: &Machine) {
        self.standing = to.unwrap_or(self.standing);
        if machine.depth < self.standing.depth {
            self.leave(machine.depth);
        }
    }

    /// Counts a call: from here on, steps are those of its node in the tree of calls.
    fn enter(&mut self, function: u32, depth: u32) {
        let parent = self.standing.node;
        self.standing.depth = depth;
        // Calls below a path that is no longer separate are not separate either.
        if self.calls[parent as usize].depth + 1 < depth {
            return;
        }
        let known = self.children.get(&(parent, function)).copied();
        let node = match known {
            Some(node) => node,
            None if self.calls.len() >= MOST_CALLS => return,
            None => {
                let node = self.calls.len() as u32;
                self.calls.push(CallNode {
                    parent: Some(parent),
                    function: Some(function),
                    calls: 0,
                    steps: 0,
                    depth,
                });
                self.children.insert((parent, function), node);
                node
            }
        };
        self.calls[node as usize].calls += 1;
        self.standing.node = node;
    }

    fn leave(&mut self, depth: u32) {
        self.standing.depth = depth;
        while let node = &self.calls[self.standing.node as usize]
            && node.depth > depth
            && let Some(parent) = node.parent
        {
            self.standing.node = parent;
        }
    }
}

impl Machine {
    /// The current place in the program; inside a built-in, the place of its call.
    pub fn place(&self) -> Option<Span> {
        let code = &self.context.code;
        let waiting = self.frames[..self.depth as usize]
            .iter()
            .rev()
            .map(|frame| frame.pc);
        let mut all = std::iter::once(self.pc)
            .chain(waiting)
            .map(|pc| pc.saturating_sub(1));
        let at = all.find(|at| !self.function_of(code.function_at(*at)).prelude)?;
        code.spans.get(at as usize).copied()
    }

    /// The name in the program of the built-in that a prelude function implements.
    pub fn built_in_name(&self, function: Option<u32>) -> Option<Arc<str>> {
        let function = function?;
        let native = self
            .context
            .natives
            .iter()
            .find(|native| native.scripts.iter().any(|script| script.1 == function));
        Some(native.map_or_else(|| "built-in".into(), |native| native.name.as_ref().into()))
    }

    /// Counts a failure of the instruction that runs at its place in the program.
    pub(crate) fn count_failing(&mut self) {
        let instruction = self.pc.saturating_sub(1);
        if self.context.record.failures.count(instruction as usize) {
            return;
        }
        let Some(place) = self.place() else { return };
        let code = &self.context.code;
        let is_own = !self.function_of(code.function_at(instruction)).prelude;
        let failures = &mut self.context.record.failures;
        // A failure inside the prelude counts for the caller, and other callers may share the instruction.
        if is_own {
            failures.count_first(instruction, place);
        } else {
            failures.count_at(place);
        }
    }
}
