//! A machine in a saved run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::frame::Frame;
use super::host::inputs::Input;
use super::host::output::OutputMark;
use super::machine::{Machine, SearchState, State, Stop, WINDOW, constant_value};
use super::natives::context::Context;
use super::search::choices::choice::Choice;
use super::work::consulting::RestingSearch;
use super::work::{CurrentWork, Finished};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_bytecode::{Code, Op};
use ndscript_heap::outside::saved_hosts::Unsaved;
use ndscript_heap::value::Kind;
use ndscript_heap::{Heap, Surroundings, Value};

impl Machine {
    /// Writes the whole state, except the code. Garbage is collected first, which changes nothing that the program
    /// could observe.
    ///
    /// # Errors
    /// If a value of a type of the host cannot be saved.
    pub fn save(&mut self, out: &mut Writer) -> Result<(), Unsaved> {
        if self.is_broken() {
            return Err(Unsaved::Broken);
        }
        self.end_host_call();
        self.finish_collection();
        self.finish_work();
        self.prepare_save();
        let states = self.context.heap.saved_states()?;
        let top = self.top();
        let Machine {
            stack,
            frames,
            depth,
            choices,
            search:
                SearchState {
                    gatherings,
                    minimizations,
                    restarts,
                    visits,
                    guesses,
                    conflict,
                    // For the present observer.
                    skipped_by_failure: _,
                },
            host_writes,
            pc,
            base,
            constants: _,
            inputs,
            stays: _,
            announces_failures: _,
            has_left: _,
            result,
            context,
            state,
            stop:
                Stop {
                    unfinished,
                    // The copy has its own limits.
                    limit: _,
                    has_new_limits: _,
                    is_diving: _,
                    undelivered,
                },
            question,
            host_call: _,
            statistics,
            counted: _,
            // The clock of the copy may be another one.
            clock,
            is_inside: _,
            driver: _,
            cancelled: _,
            grant: _,
            collection: _,
            wanted_room: _,
            #[cfg(debug_assertions)]
                verified: _,
        } = self;
        let Context {
            heap,
            rng,
            output,
            fuel: _,
            fuel_before: _,
            limits: _,
            code: _,
            natives: _,
            #[cfg(debug_assertions)]
                has_constrained: _,
            host: _,
            members: _,
            tiles: _,
            debug: _,
            clock: _,
            parameters,
            failure_message,
            failure_messages: _,
            refused: _,
            changed: _,
            record: _,
            // Handles belong to the host.
            roots: _,
            learning,
            current_work: under_way,
            piece: _,
        } = context;
        heap.save(out);
        states.save(out);
        rng.save(out);
        output.save(out);
        out.number(parameters.len() as u64);
        parameters.iter().for_each(|parameter| parameter.save(out));
        failure_message.save(out);
        // There is nothing above it.
        out.number(top as u64);
        stack[..top].iter().for_each(|value| value.save(out));
        // The calls above have returned.
        out.number(u64::from(*depth));
        frames[..*depth as usize]
            .iter()
            .for_each(|frame| frame.save(out));
        choices.save(out);
        gatherings.save(out);
        minimizations.save(out);
        restarts.save(out);
        host_writes.save(out);
        visits.save(out);
        guesses.save(out);
        conflict.save(out);
        learning.save(out);
        pc.save(out);
        base.save(out);
        result.save(out);
        unfinished.unwrap_or(*state).save(out);
        question.save(out);
        statistics.save(out);
        clock.timed.save(out);
        undelivered.save(out);
        // It was finished before.
        under_way.finished().save(out);
        under_way.resting.is_some().save(out);
        under_way
            .resting
            .iter()
            .for_each(|resting| resting.save(out));
        for Input {
            choices,
            code: _,
            handed_over,
        } in inputs
        {
            choices.save(out);
            // If no failure can go back to it, the mark may be beyond the remaining text.
            let mark = if output.has(*handed_over) {
                *handed_over
            } else {
                OutputMark::default()
            };
            mark.save(out);
        }
        Ok(())
    }

    /// Whether a restored copy has anything left to do.
    pub fn can_go_on(&self) -> bool {
        !self.is_broken() && (self.state != State::Ended || self.stop.unfinished.is_some())
    }

    /// Frees everything that the machine no longer needs.
    fn prepare_save(&mut self) {
        if self.state == State::Ended && self.stop.unfinished.is_none() {
            self.frames.clear();
            self.depth = 0;
            self.choices.clear();
            self.search.gatherings.clear();
            self.search.minimizations.clear();
            self.search.restarts.clear();
            self.host_writes.clear();
            self.search.visits.clear();
            self.search.guesses.clear();
            self.search.conflict.set_unknown();
            self.question = None;
            self.lower_inputs(0);
            self.context.heap.serials.floor = 0;
            self.context.heap.drop_entries_above(0, 0);
            self.context.heap.serials.top = 0;
            let code = &self.context.code;
            (self.pc, self.base) = (code.heads[code.main as usize].entry, 0);
        }
        self.collect();
        self.context.heap.discard_lost_moments();
        // The run's own statistics do not show how often it was saved.
        self.statistics.collections -= 1;
    }

    /// Gives the stack the size that all frames need that may run again.
    fn fit_stack(&mut self) {
        let waiting = self
            .frames
            .iter()
            .chain(self.choices.saved_frames().map(|(_, frame)| frame));
        let bases = waiting
            .map(|frame| frame.base)
            .chain(self.choices.points_from(0).map(|choice| choice.base));
        let highest = bases.chain([self.base]).max().unwrap_or(0) as usize;
        self.stack
            .resize((highest + 2 * WINDOW).max(self.stack.len()), Value::NULL);
    }

    /// Reads a state back. `context` is that of a fresh run of the same program, `codes` are the code after each of its
    /// inputs.
    ///
    /// # Errors
    /// If it is not the state of a run of this program, or does not fit into the context's limit of memory.
    pub fn load(
        from: &mut Reader<'_>,
        mut context: Context,
        codes: Vec<Arc<Code>>,
        cancelled: Arc<AtomicBool>,
    ) -> Result<Machine, Unsound> {
        let code = context.code.clone();
        // The program may only call functions of the prelude that have code.
        let has_code = |script: &(u32, u32)| code.has(script.1);
        let natives = context
            .natives
            .iter()
            .map(|native| native.scripts.iter().all(has_code));
        from.know(Kind::Native as usize, natives.collect());
        let types = context.heap.hosts.types();
        context.heap = Heap::load(from)?;
        context.heap.hosts.set_types(types);
        let states = Vec::load(from)?;
        context.rng = Saved::load(from)?;
        context.output = Saved::load(from)?;
        context.parameters = Vec::load(from)?.into();
        context.failure_message = Option::load(from)?;
        let stack: Vec<Value> = Vec::load(from)?;
        let mut machine = Machine::bare(context, cancelled);
        machine.stack = stack;
        machine.frames = Vec::load(from)?;
        machine.depth = machine.frames.len() as u32;
        machine.choices = Saved::load(from)?;
        machine.search.gatherings = Vec::load(from)?;
        machine.search.minimizations = Vec::load(from)?;
        machine.context.heap.serials.floor = machine.latest_best();
        machine.search.restarts = Vec::load(from)?;
        machine.host_writes = Vec::load(from)?;
        machine.search.visits = Vec::load(from)?;
        machine.search.guesses = Vec::load(from)?;
        machine.search.conflict = Saved::load(from)?;
        machine.context.learning = Saved::load(from)?;
        machine.pc = Saved::load(from)?;
        machine.base = Saved::load(from)?;
        machine.result = Saved::load(from)?;
        machine.state = Saved::load(from)?;
        machine.question = Saved::load(from)?;
        machine.statistics = Saved::load(from)?;
        machine.clock.timed = Saved::load(from)?;
        machine.stop.undelivered = Saved::load(from)?;
        let finished: Option<Finished> = Saved::load(from)?;
        ensure(
            finished.is_none() || machine.state == State::Running,
            "work is done that nobody wants",
        )?;
        machine.context.current_work = CurrentWork::of_finished(finished);
        let resting = RestingSearch::read(from)?;
        for code in codes {
            let (choices, handed_over) = (Saved::load(from)?, Saved::load(from)?);
            machine.inputs.push(Input {
                choices,
                code: Some(code),
                handed_over,
            });
            machine.choices.set_floor(choices);
        }
        ensure(
            !machine.stop.undelivered || machine.state == State::Solved,
            "what is no solution waits to be handed over",
        )?;
        ensure(from.is_at_end(), "it goes on behind its end")?;
        machine.check_soundness()?;
        // The check of the frames has bounded their bases by their number.
        from.make_room::<Value>(machine.base as usize + 2 * WINDOW)?;
        machine.fit_stack();
        let highest = machine
            .choices
            .saved_frames()
            .map(|(index, _)| index as usize + 1)
            .max()
            .unwrap_or(0);
        from.make_room::<Frame>(highest)?;
        let length = machine.frames.len().max(highest);
        machine.frames.resize(length, Frame { pc: 0, base: 0 });
        machine.check_closures()?;
        machine.context.heap.read_states(from, states)?;
        let mark = |(at, choice): (usize, Choice)| {
            let globals = machine.inputs[machine.input_of(at)]
                .code
                .as_ref()
                .map_or(0, |code| code.globals.len());
            (choice.trail as usize, globals)
        };
        let marks: Vec<(usize, usize)> = machine
            .choices
            .points_from(0)
            .enumerate()
            .map(mark)
            .collect();
        let captures = boxes(&code);
        let around = Surroundings {
            captures: &captures,
            globals: code.globals.len(),
            marks: &marks,
        };
        machine.context.heap.mend(&around, from.room())?;
        // Its board has bits again only now.
        if let Some(resting) = resting {
            let context = &mut machine.context;
            let known = context.learning.known();
            let resting = RestingSearch::load(resting, known, &mut context.heap)?;
            machine.context.current_work.resting = Some(resting);
        }
        let heap = &mut machine.context.heap;
        machine.constants = code
            .constants
            .iter()
            .map(|constant| constant_value(heap, constant))
            .collect();
        machine.check_minimizations()?;
        machine.drop_codes(0);
        machine.recount_bytes();
        Ok(machine)
    }
}

/// For each function, its captures, and whether each must be a box.
fn boxes(code: &Code) -> Vec<Vec<bool>> {
    let of_function = |function: &std::sync::Arc<ndscript_bytecode::Function>| {
        let mut boxes = vec![false; function.captures.len()];
        let range = function.entry as usize..(function.entry + function.length) as usize;
        for op in &code.ops[range] {
            match op {
                Op::GetCapturedBox { index, .. }
                | Op::GetCapturedBoxChecked { index, .. }
                | Op::SetCapturedBox { index, .. }
                | Op::SetCapturedBoxChecked { index, .. } => boxes[*index as usize] = true,
                _ => {}
            }
        }
        boxes
    };
    code.functions.iter().map(of_function).collect()
}
