//! A watcher that also follows where values come from.

use super::Origins;
use crate::machine::Machine;
use crate::watch::{EventPoint, WatchEvent, Watcher, Written};
use ndscript_bytecode::Code;
use ndscript_heap::Value;

/// A watcher together with [`Origins`].
pub struct OriginWatcher<'a, W> {
    pub origins: &'a mut Origins,
    pub watcher: &'a mut W,
}

impl<W: Watcher> Watcher for OriginWatcher<'_, W> {
    /// Every instruction must be seen.
    fn lets_run() -> bool {
        false
    }

    fn begin(&mut self, machine: &Machine, code: &Code) {
        self.origins.begin(machine, code);
    }

    fn end(&mut self, machine: &Machine, code: &Code, at: EventPoint) {
        self.origins.end(machine, code, at);
    }

    fn tell(&mut self, machine: &Machine, at: EventPoint, event: WatchEvent<'_>) -> bool {
        match event {
            // Once full, the graph does not grow.
            _ if self.origins.is_full => {}
            WatchEvent::Fail { .. } => self.origins.failed(machine),
            WatchEvent::Choice {
                id, alternatives, ..
            } => self.origins.chosen(id, alternatives),
            WatchEvent::Take { id, number, .. } => self.origins.taken(machine, at, id, number),
            _ => {}
        }
        self.watcher.tell(machine, at, event) & self.origins.may_continue()
    }

    fn tell_write(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        target: Written<'_>,
        value: Value,
    ) -> bool {
        match target {
            _ if self.origins.is_full => {}
            Written::Variable(name) => self.origins.wrote_variable(machine, at, name, value),
            Written::Part(collection, key) => self.origins.wrote_part(machine, at, collection, key),
            Written::Whole(collection) => self.origins.wrote_whole(machine, at, collection),
        }
        self.watcher.tell_write(machine, at, target, value) & self.origins.may_continue()
    }
}
