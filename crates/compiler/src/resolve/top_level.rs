//! Which variables of the top level are registers of the program's own frame. A global variable that functions share lives
//! in the heap, where each change is logged; one that only the top level uses is as cheap as a variable of a function.
//! Hosts find both by name.

use std::sync::Arc;

use ndscript_base::keyed::KeyedMap;

use super::meaning::{Meaning, VariableId};
use super::scope::{Resolution, Variable};
use ndscript_base::source::Span;

/// At most this many: each choice of the top level saves them.
const MOST_REGISTERS: usize = 64;

/// A use in a loop counts as this many outside of it, for loops nested up to this depth.
const PER_LOOP: u64 = 8;
const COUNTED_LOOPS: u32 = 8;

/// How a program uses a global variable.
#[derive(Clone, Debug, Default)]
struct Usage {
    declared: Option<Declared>,
    /// Whether it is a function that exists from the start.
    is_function: bool,
    /// Whether a function mentions it, or something that may run before its line.
    is_shared: bool,
    /// Whether it is assigned in the middle of an expression.
    assigned_inside: bool,
    /// How often the top level mentions it, loops weighed in.
    weight: u64,
    /// When the top level writes it last.
    last_write: u32,
}

#[derive(Clone, Debug)]
struct Declared {
    name: Arc<str>,
    span: Span,
    /// The file, and from where on in it a `let` or `const` has its value; 0 for `var`.
    file: u32,
    initialised_at: u32,
}

/// Facts about the global variables of a program, recorded while its names are resolved.
#[derive(Debug, Default)]
pub(crate) struct TopLevel {
    usages: Vec<Usage>,
    pub file: u32,
    loops: u32,
    /// Counts writes; those of a loop happen when it ends.
    now: u32,
    written_in_loop: Vec<u32>,
}

impl TopLevel {
    fn usage(&mut self, slot: u32) -> &mut Usage {
        let slot = slot as usize;
        if self.usages.len() <= slot {
            self.usages.resize(slot + 1, Usage::default());
        }
        &mut self.usages[slot]
    }

    pub fn declare(&mut self, slot: u32, name: &Arc<str>, span: Span, initialised_at: u32) {
        let file = self.file;
        let declared = Declared {
            name: name.clone(),
            span,
            file,
            initialised_at,
        };
        self.usage(slot).declared.get_or_insert(declared);
    }

    pub fn declare_function(&mut self, slot: u32) {
        self.usage(slot).is_function = true;
    }

    pub fn mention(&mut self, slot: u32, span: Span, in_function: bool) {
        let (file, loops) = (self.file, self.loops.min(COUNTED_LOOPS));
        let usage = self.usage(slot);
        usage.weight = usage.weight.saturating_add(PER_LOOP.pow(loops));
        let is_early = |declared: &Declared| {
            declared.initialised_at > 0
                && (declared.file != file || span.start < declared.initialised_at)
        };
        usage.is_shared |= in_function || usage.declared.as_ref().is_some_and(is_early);
    }

    pub fn write(&mut self, slot: u32, inside: bool) {
        self.now += 1;
        let now = self.now;
        let usage = self.usage(slot);
        usage.last_write = now;
        usage.assigned_inside |= inside;
        if self.loops > 0 {
            self.written_in_loop.push(slot);
        }
    }

    pub fn begin_loop(&mut self) {
        self.loops += 1;
    }

    pub fn end_loop(&mut self) {
        self.loops -= 1;
        if self.loops == 0 {
            self.now += 1;
            for slot in std::mem::take(&mut self.written_in_loop) {
                self.usages[slot as usize].last_write = self.now;
            }
        }
    }

    /// The variables that become registers, first those whose last write is earliest: later choices need not save the
    /// lowest ones.
    fn chosen(self, room: usize) -> Vec<(u32, Usage)> {
        let usages = self
            .usages
            .into_iter()
            .enumerate()
            .map(|(slot, usage)| (slot as u32, usage));
        let can_be =
            |usage: &Usage| usage.declared.is_some() && !usage.is_function && !usage.is_shared;
        let mut chosen: Vec<(u32, Usage)> = usages.filter(|(_, usage)| can_be(usage)).collect();
        chosen.sort_unstable_by_key(|(slot, usage)| (std::cmp::Reverse(usage.weight), *slot));
        chosen.truncate(room);
        chosen.sort_unstable_by_key(|(slot, usage)| (usage.last_write, *slot));
        chosen
    }
}

impl Resolution {
    /// Makes variables of the program's own frame of the globals that nothing else uses. `most` is how many variables
    /// a function has registers for.
    pub(crate) fn place_top_level(&mut self, notes: TopLevel, most: usize) {
        let inner = self
            .variables
            .iter()
            .filter(|variable| variable.function == 0)
            .count();
        let room = most.saturating_sub(inner).min(MOST_REGISTERS);
        let mut places: KeyedMap<u32, VariableId> = KeyedMap::default();
        for (slot, usage) in notes.chosen(room) {
            let Some(Declared { name, span, .. }) = usage.declared else {
                continue;
            };
            let id = self.variables.len() as VariableId;
            self.variables.push(Variable {
                name,
                function: 0,
                declared: span,
                initialised_at: 0,
                // Whether it is used before its declaration, or assigned as a constant, is known already.
                lexical: false,
                constant: false,
                captured: false,
                captured_early: false,
                reassigned: true,
                assigned_inside: usage.assigned_inside,
                is_unused: false,
            });
            places.insert(slot, id);
            self.top_level.push((slot, id));
        }
        if places.is_empty() {
            return;
        }
        for meaning in self.meanings.values_mut() {
            if let Meaning::Global(slot) = meaning
                && let Some(id) = places.get(slot)
            {
                *meaning = Meaning::Local(*id);
            }
        }
    }

    /// Takes that back: all globals live in the heap.
    pub(crate) fn displace_top_level(&mut self) {
        let slots: KeyedMap<VariableId, u32> = self
            .top_level
            .drain(..)
            .map(|(slot, id)| (id, slot))
            .collect();
        for meaning in self.meanings.values_mut() {
            if let Meaning::Local(id) = meaning
                && let Some(slot) = slots.get(id)
            {
                *meaning = Meaning::Global(*slot);
            }
        }
        self.globals
            .iter_mut()
            .for_each(|global| global.register = None);
        self.variables.truncate(self.variables.len() - slots.len());
    }
}
