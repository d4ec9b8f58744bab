//! Reports what an instruction has done, by comparing states before and after it.

use super::{
    Before, CollectionAccess, EventPoint, LineAt, NOWHERE, OpenEntry, Watch, WatchEvent, Watcher,
    Why, Written,
};
use crate::machine::Machine;
use crate::natives::effect::NativeEffect;
use crate::natives::native::{Action, Control};
use ndscript_base::source::Span;
use ndscript_bytecode::{Change, Code, Destination, Flow, Function, Op, Register};
use ndscript_heap::{Changed, Kind, Value};

impl Watch {
    /// Reports what an instruction has done. False if the watcher wants to stop.
    pub(super) fn report_after(
        &mut self,
        machine: &mut Machine,
        code: &Code,
        before: &Before,
        has_ended: bool,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let here = self.here(code.spans.get(self.at).copied());
        let op = code.ops[before.pc];
        let mut continues = true;
        if machine.statistics.failures > before.failures || machine.is_failing() || has_ended {
            if let Some(written) = &mut machine.context.heap.written {
                written.clear();
            }
            continues &=
                self.report_failing(machine, before.pc, op, before.knows_solution, here, watcher);
            (
                machine.context.heap.dead_end,
                machine.context.heap.wipeout_constraint,
            ) = (None, None);
            if has_ended {
                self.is_failing = false;
            } else if !machine.is_failing() {
                continues &= self.report_taking(machine, code, watcher);
            }
            return continues;
        }
        if machine.pc as usize == before.pc && op.flow() == Flow::Next {
            // It is carried out again, with more memory or once its long work is done.
            return true;
        }
        if let Some(measured) = &mut self.measured {
            // A choice is made inside the calls around its instruction.
            if machine.statistics.choice_points == before.choice_points {
                measured.follow(machine);
            }
        }
        let written = machine.context.heap.written.replace(Vec::new());
        for (target, value) in written
            .iter()
            .flatten()
            .filter_map(|change| machine.changed(*change))
        {
            continues &= watcher.tell_write(machine, here, target, value);
        }
        if machine.statistics.choice_points > before.choice_points {
            continues &= self.report_choice(machine, code, before.pc, here, watcher);
        } else if machine.choices.height() < self.open.len() {
            self.open.truncate(machine.choices.height());
        }
        continues &= self.report_output(machine, before, here, watcher);
        continues &= self.report_calls(machine, code, before, op, here, watcher);
        if !self.marks[before.pc].is_prelude {
            continues &= self.report_write(machine, code, before, op, here, watcher);
        }
        continues & self.report_variables(machine, code, before, here, watcher)
    }

    /// As `report_after`, for an instruction that has chosen in the main loop.
    pub(super) fn report_choosing(
        &mut self,
        machine: &Machine,
        code: &Code,
        at: usize,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let here = self.here(code.spans.get(self.at).copied());
        // Where there is only one alternative, there is no choice point.
        let is_new = machine.choices.height() > self.open.len();
        (!is_new || self.report_choice(machine, code, at, here, watcher))
            & self.report_only_variables(machine, code, at, (true, true), watcher)
    }

    /// As `report_after`, for one that has failed there.
    pub(super) fn report_failure(
        &mut self,
        machine: &mut Machine,
        code: &Code,
        at: usize,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let here = self.here(code.spans.get(self.at).copied());
        if let Some(written) = &mut machine.context.heap.written {
            written.clear();
        }
        let continues = self.report_failing(machine, at, code.ops[at], None, here, watcher);
        (
            machine.context.heap.dead_end,
            machine.context.heap.wipeout_constraint,
        ) = (None, None);
        continues & self.report_taking(machine, code, watcher)
    }

    /// As `report_after`, for an instruction that has only changed variables of the running frame. It may have
    /// `others` than those of its function, and `births` of some of these may follow it.
    pub(super) fn report_only_variables(
        &mut self,
        machine: &Machine,
        code: &Code,
        at: usize,
        (others, births): (bool, bool),
        watcher: &mut dyn Watcher,
    ) -> bool {
        let here = self.here(code.spans.get(self.at).copied());
        let (op, mark) = (code.ops[at], self.marks[at]);
        let mut continues = true;
        let mut report = |name, value| {
            continues &= watcher.tell_write(machine, here, Written::Variable(name), value);
        };
        if others && !mark.is_prelude {
            if let Some((name, value)) = machine.named_write(code, op) {
                report(name, value);
            }
            if let Some((global, value)) = machine.written_register(op, machine.base) {
                report(&global.name, value);
            }
        }
        if let Some((name, value)) = machine.variable_written(mark) {
            report(name, value);
        }
        if births {
            self.report_births(machine, at, report);
        }
        continues
    }

    /// Reports the variables that have their first value after an instruction. A loop that jumps back to such a place
    /// writes nothing.
    fn report_births<'a>(
        &self,
        machine: &'a Machine,
        at: usize,
        report: impl FnMut(&'a str, Value),
    ) {
        let pc = machine.pc as usize;
        if at < pc
            && let Some(mark) = self.marks.get(pc).filter(|mark| mark.is_birth)
        {
            let mut report = report;
            machine
                .variables_born(*mark)
                .for_each(|(name, value)| report(name, value));
        }
    }

    /// Reports why the run fails, once for each failure. Returns whether the run is to go on.
    fn report_failing(
        &mut self,
        machine: &Machine,
        at: usize,
        op: Op,
        knows_solution: Option<bool>,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        if std::mem::replace(&mut self.is_failing, true) {
            return true;
        }
        let messages = machine.context.failure_messages;
        let has_said = std::mem::replace(&mut self.messages, messages) != messages;
        // Inside of `minimize` only an instruction that spends, or ends a call, may find that too much was spent.
        let too_dear = knows_solution.filter(|_| match op {
            Op::CallNative { native, .. } => matches!(
                machine.context.natives[native as usize].action,
                Action::Control(
                    Control::Cost | Control::EndRestarts | Control::EndFunction | Control::Best
                )
            ),
            _ => true,
        });
        let wipeout_constraint = machine.context.heap.wipeout_constraint;
        let why = match op {
            _ if has_said => Why::Refused(machine.context.failure_message.as_deref()),
            Op::Fail {} => match machine
                .search_of(self.marks[at].function)
                .and_then(|words| words.continues)
            {
                Some(words) => Why::GoesOn(words),
                None => Why::Refused(None),
            },
            Op::SetIndex { .. }
            | Op::SetCell { .. }
            | Op::SetField { .. }
            | Op::CallNative { .. }
                if wipeout_constraint.is_some() =>
            {
                Why::BuiltIn(wipeout_constraint.unwrap_or_default())
            }
            Op::SetIndex { .. } | Op::SetCell { .. } | Op::SetField { .. } => Why::NoCandidate,
            Op::ChooseElement { .. } | Op::ChooseRange { .. } => Why::NothingToChoose,
            _ if op.live_registers().is_some() && machine.calls_chooser(op) => Why::NothingToChoose,
            _ if too_dear.is_some() => Why::TooDear {
                known: too_dear == Some(true),
            },
            Op::CallNative { native, .. } => {
                let native = &machine.context.natives[native as usize];
                match native.effect {
                    // Functions that implement a built-in are not called by programs.
                    NativeEffect::Narrows if native.is_hidden() => Why::NoCandidate,
                    _ if native.is_hidden() => Why::Other,
                    NativeEffect::Requires => Why::DoesNotHold,
                    _ => Why::BuiltIn(&native.name),
                }
            }
            _ => Why::Other,
        };
        watcher.tell(machine, here, WatchEvent::Fail { why })
    }

    /// Reports the alternative that a failure has led to.
    pub(super) fn report_taking(
        &mut self,
        machine: &Machine,
        code: &Code,
        watcher: &mut dyn Watcher,
    ) -> bool {
        self.is_failing = false;
        self.line = LineAt::default();
        // The choice point is the latest one if it has alternatives left: then it got another serial. If not, it was
        // removed.
        let latest = machine.choices.height().checked_sub(1);
        let resumed = match latest {
            Some(at)
                if self
                    .open
                    .get(at)
                    .is_some_and(|open| open.serial != machine.choices.latest_serial()) =>
            {
                at
            }
            _ => machine.choices.height(),
        };
        let open = self.open.get(resumed).copied();
        if let Some(measured) = &mut self.measured {
            measured.go_back(open.and_then(|open| open.standing), machine);
        }
        let Some(open) = open else { return true };
        self.at = open.origin;
        if open.origin == NOWHERE {
            self.come_back(machine);
        }
        self.measured
            .iter_mut()
            .filter(|_| open.origin != NOWHERE)
            .for_each(|measured| measured.come_to(open.origin));
        self.open.truncate(resumed + 1);
        self.open[resumed].taken += 1;
        match machine.choices.point(resumed) {
            Some(choice) => self.open[resumed].serial = choice.serial,
            None => self.open.truncate(resumed),
        }
        let mut continues = self.report_take(machine, code, open, watcher);
        // The chosen value may go into a variable at once.
        let (pc, at) = (machine.pc as usize, machine.pc as usize - 1);
        let here = self.here(open.place);
        let is_choice = at == open.at && !self.marks[at].is_prelude;
        let global = machine
            .written_register(code.ops[at], machine.base)
            .map(|(global, value)| (&*global.name, value));
        if is_choice
            && let Some((name, value)) = global.or_else(|| machine.variable_written(self.marks[at]))
        {
            continues &= watcher.tell_write(machine, here, Written::Variable(name), value);
        }
        if is_choice && let Some(mark) = self.marks.get(pc).filter(|mark| mark.is_birth) {
            for (name, value) in machine.variables_born(*mark) {
                continues &= watcher.tell_write(machine, here, Written::Variable(name), value);
            }
        }
        continues
    }

    /// Reports the choice point that was just made. Returns whether the run is to go on.
    fn report_choice(
        &mut self,
        machine: &Machine,
        code: &Code,
        at: usize,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let Some(choice) = machine.choices.latest() else {
            return true;
        };
        self.open.truncate(machine.choices.height() - 1);
        let parent = self.open.last().map(|open| open.id);
        let id = self.next;
        self.next += 1;
        let standing = self.measured.as_ref().map(|measured| measured.standing());
        let origin = self.at;
        let open = OpenEntry {
            id,
            serial: choice.serial,
            taken: 1,
            at,
            origin,
            place: here.span,
            standing,
        };
        self.open.push(open);
        let alternatives = match code.ops[at].flow() {
            Flow::Branch(table) => code.targets(table).len(),
            _ => machine.size_of_choice(choice),
        };
        watcher.tell(
            machine,
            here,
            WatchEvent::Choice {
                id,
                parent,
                alternatives,
            },
        ) & self.report_take(machine, code, OpenEntry { taken: 0, ..open }, watcher)
    }

    /// Reports the alternative that an instruction has taken, and how many are left.
    fn report_take(
        &self,
        machine: &Machine,
        code: &Code,
        open: OpenEntry,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let op = code.ops[open.at];
        let (mut alternative, mut value) = (None, None);
        match (op.flow(), op.destination()) {
            // Code of the prelude is no text of the program.
            (Flow::Branch(_), _) if self.marks.get(open.at).is_some_and(|mark| mark.is_prelude) => {
            }
            (Flow::Branch(table), _) => {
                let branch = code
                    .targets(table)
                    .iter()
                    .position(|target| *target == machine.pc);
                alternative =
                    branch.and_then(|branch| code.alternatives(table).get(branch).copied());
            }
            (_, Destination::Register(to)) => value = Some(machine.get(to)),
            _ => {}
        }
        let here = self.here(open.place);
        watcher.tell(
            machine,
            here,
            WatchEvent::Take {
                id: open.id,
                number: open.taken,
                alternative,
                value,
            },
        )
    }

    /// Reports what was printed, drawn and recorded. Returns whether the run is to go on.
    fn report_output(
        &self,
        machine: &Machine,
        before: &Before,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let output = &machine.context.output;
        let mark = output.mark();
        if mark.text < before.output.text || mark.pictures < before.output.pictures {
            return true;
        }
        let mut continues = true;
        for snapshot in &machine.context.record.snapshots()[before.snapshots..] {
            continues &= watcher.tell(machine, here, WatchEvent::Snapshot { snapshot });
        }
        if mark.text > before.output.text {
            let text = &output.text[before.output.text as usize..];
            continues &= watcher.tell(machine, here, WatchEvent::Print { text });
        }
        for (_, picture) in &output.pictures[before.output.pictures as usize..] {
            continues &= watcher.tell(machine, here, WatchEvent::Picture { picture });
        }
        continues
    }

    /// Reports a call or a return of a function of the program. Returns whether the run is to go on.
    fn report_calls(
        &self,
        machine: &Machine,
        code: &Code,
        before: &Before,
        op: Op,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        if machine.depth > before.depth {
            let function = code.function(code.function_at(machine.pc));
            if function.prelude {
                return true;
            }
            let arguments = machine.arguments_of_call(function);
            return watcher.tell(
                machine,
                here,
                WatchEvent::Enter {
                    function,
                    arguments,
                },
            );
        }
        if machine.depth < before.depth && op.flow() == Flow::End {
            let function = code.function_at(before.pc as u32);
            let function = code.function(function);
            let value = machine.stack[before.base as usize];
            return function.prelude
                || watcher.tell(machine, here, WatchEvent::Leave { function, value });
        }
        true
    }

    fn report_write(
        &self,
        machine: &Machine,
        code: &Code,
        before: &Before,
        op: Op,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let written = machine.changed_by(code, op);
        let global = machine.written_register(op, before.base);
        let global = global.map(|(global, value)| (Written::Variable(&global.name), value));
        let mut continues = true;
        for (target, value) in written.into_iter().chain(global) {
            continues &= watcher.tell_write(machine, here, target, value);
        }
        continues
    }
}

impl Machine {
    /// The arguments of the function that the machine has just entered.
    #[inline]
    pub(super) fn arguments_of_call(&self, function: &Function) -> &[Value] {
        let first = self.base as usize + 1;
        &self.stack[first..first + function.parameters.len().min(100)]
    }

    /// The target and the value that an instruction has written by its table entry, except variables of its function.
    pub(super) fn changed_by<'a>(&'a self, code: &'a Code, op: Op) -> Option<(Written<'a>, Value)> {
        let part = |container: Register, key: Value, from: Register| {
            // A constrained board has reported it, with the resulting candidates.
            let container = self.get(container);
            let is_reported = self.context.heap.constrained(container).is_some();
            (!is_reported).then(|| (Written::Part(container, key), self.get(from)))
        };
        match op.change() {
            Change::Global(_) | Change::Captured { .. } => self
                .named_write(code, op)
                .map(|(name, value)| (Written::Variable(name), value)),
            Change::End { array, value } => {
                let array = self.get(array);
                let last = array
                    .handle_of(Kind::Array)
                    .map(|array| self.context.heap.array_len(array));
                last.and_then(|length| length.checked_sub(1))
                    .map(|last| (Written::Part(array, Value::size(last)), self.get(value)))
            }
            Change::Field { object, key, from } => part(object, self.constants[key as usize], from),
            Change::Element { base, index, from } => part(base, self.get(index), from),
            Change::Cell { grid, x, y, from } => {
                let position = match (self.get(x).as_integer(), self.get(y).as_integer()) {
                    (Some(x), Some(y)) => Value::position(x, y),
                    _ => None,
                };
                position.and_then(|position| part(grid, position, from))
            }
            Change::ByBuiltIn => {
                let is_reported =
                    |collection: Value| self.context.heap.constrained(collection).is_some();
                let changed = self
                    .context
                    .changed
                    .filter(|collection| !is_reported(*collection));
                changed.map(|collection| (Written::Whole(collection), collection))
            }
            // It is reported with the other variables of the function.
            Change::Variable(_) | Change::Nothing => None,
        }
    }

    /// The variable that an instruction has written to which is not one of the running function alone.
    fn named_write<'a>(&'a self, code: &'a Code, op: Op) -> Option<(&'a str, Value)> {
        match op.change() {
            Change::Global(slot) => Some((
                &*code.globals[slot as usize].name,
                self.context.heap.global(slot),
            )),
            Change::Captured { index, from } => {
                let function = self.function_of(code.function_at(self.pc - 1));
                Some((
                    &**function.capture_names.get(index as usize)?,
                    self.get(from),
                ))
            }
            _ => None,
        }
    }

    /// A change without a write of the program, in the form of such a write, and the new value.
    fn changed(&self, change: Changed) -> Option<(Written<'_>, Value)> {
        let heap = &self.context.heap;
        match change {
            Changed::Place(container, place) => {
                let key = self.key_of_place(container, place)?;
                Some((
                    Written::Part(container, key),
                    heap.at_place(container, place),
                ))
            }
            Changed::Whole(collection) => Some((Written::Whole(collection), collection)),
            Changed::Global(slot) => {
                let global = self.context.code.globals.get(slot as usize)?;
                Some((Written::Variable(&global.name), heap.global(slot)))
            }
            Changed::Variable(handle) => {
                let variable = Value::handle(Kind::Variable, handle);
                Some((
                    Written::Variable(self.name_of_box(variable)?),
                    self.content(variable),
                ))
            }
        }
    }
}

impl Watch {
    /// Reports what an instruction has read, or that it has jumped back to the beginning of a loop.
    pub(super) fn report_reading(
        &self,
        machine: &Machine,
        code: &Code,
        before: &Before,
        access: Option<CollectionAccess>,
        watcher: &mut dyn Watcher,
    ) {
        let here = self.here(code.spans.get(before.pc).copied());
        match access {
            Some(CollectionAccess::Read { container, key }) => {
                watcher.tell(machine, here, WatchEvent::Read { container, key });
            }
            Some(CollectionAccess::Written {
                container,
                key,
                content: held,
                collections,
            }) if collections == machine.statistics.collections => {
                watcher.tell(
                    machine,
                    here,
                    WatchEvent::Overwritten {
                        container,
                        key,
                        held,
                    },
                );
            }
            _ => {}
        }
        let pc = machine.pc as usize;
        if machine.depth == before.depth && machine.base == before.base && pc < before.pc {
            let all = code.spans[pc..=before.pc]
                .iter()
                .filter(|span| **span != Span::default());
            let whole = all.copied().reduce(Span::to);
            watcher.tell(machine, self.here(whole), WatchEvent::Turn);
        }
    }

    /// Reports the variables of the running frame that an instruction has written.
    fn report_variables(
        &mut self,
        machine: &Machine,
        code: &Code,
        before: &Before,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        if machine.depth > before.depth {
            return true;
        }
        if machine.depth < before.depth {
            return self.report_result(machine, code, here, watcher);
        }
        let mut continues = true;
        let mut report = |name, value| {
            continues &= watcher.tell_write(machine, here, Written::Variable(name), value)
        };
        if let Some((name, value)) = machine.variable_written(self.marks[before.pc]) {
            report(name, value);
        }
        self.report_births(machine, before.pc, report);
        continues
    }

    /// Reports the variables that get the result of a call: after a call, the call has written them.
    pub(super) fn report_result(
        &mut self,
        machine: &Machine,
        code: &Code,
        here: EventPoint,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let at = machine.pc as usize - 1;
        let mark = self.marks[at];
        let mut continues = true;
        let mut report = |name, value| {
            continues &= watcher.tell_write(machine, here, Written::Variable(name), value)
        };
        if let Some((name, value)) = machine.variable_written(mark) {
            report(name, value);
        }
        if !mark.is_prelude {
            self.line.returned_to = Some(at);
            if let Some((global, value)) = machine.written_register(code.ops[at], machine.base) {
                report(&global.name, value);
            }
        }
        self.report_births(machine, at, report);
        continues
    }
}
