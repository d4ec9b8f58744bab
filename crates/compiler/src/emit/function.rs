//! Functions, their variables, and their captures.

use super::{Emitter, Location, State, VARIABLE_REGISTERS};
use crate::resolve::hoist::hoisted;
use crate::resolve::meaning::{Meaning, VariableId};
use crate::resolve::{MOST_VARIABLES, function_number, optional};
use ndscript_base::source::Span;
use ndscript_bytecode::op::Register;
use ndscript_bytecode::{Capture, Op};
use ndscript_syntax::ast::{
    self, Expression, FunctionBody, Ident, Parameter, Statement, StatementKind,
};

/// Functions with more parameters get their arguments as one array.
pub(crate) const MOST_PARAMETERS: usize = 100;

/// How the current function reaches a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableAccess {
    Own(Location),
    Captured { index: u32, boxed: bool },
}

impl Emitter<'_> {
    /// Compiles the functions that a top level declares; they exist from the start of the run.
    pub fn global_functions(&mut self, statements: &[Statement]) {
        for statement in statements {
            if let StatementKind::Function(function) = &statement.kind
                && let Some(number) = self.top_level.get(&function.span.start).copied()
            {
                self.function(function, number);
            }
        }
    }

    /// Emits a function value into a register.
    pub fn closure(&mut self, function: &ast::Function, to: Register) {
        let number = self.reserve_function();
        self.function(function, number);
        self.op(
            Op::Closure {
                to,
                function: number,
            },
            function.span,
        );
    }

    /// Emits a function with its parameters, as the function of this number.
    fn function(&mut self, function: &ast::Function, number: u32) {
        self.states.push(State::new(function_number(function)));
        let state = self.state();
        state.function.name = function.name.as_ref().map(|name| name.name.clone());
        state.function.parameters = function
            .parameters
            .iter()
            .map(|parameter| parameter.name.name.clone())
            .collect();
        state.function.optional = optional(&function.parameters);
        state.function.deterministic = function.deterministic;
        state.function.span = function.span;
        if function.deterministic {
            self.op(Op::OpenCommit {}, function.span);
        }
        self.parameters(&function.parameters, function.span);
        match &function.body {
            FunctionBody::Block(statements) => {
                self.declare_vars(statements);
                self.block_statements(statements);
                let end = Span::new(function.span.end.saturating_sub(1), function.span.end);
                self.return_null(end);
            }
            FunctionBody::Expression(expression) => {
                let from = self.operand(expression);
                self.return_register(from, expression.span);
            }
        }
        self.finish_function(number);
    }

    pub fn return_register(&mut self, from: Register, span: Span) {
        let op = if self.state().function.deterministic {
            Op::ReturnAndCommit { from }
        } else {
            Op::Return { from }
        };
        self.op(op, span);
    }

    pub fn return_null(&mut self, span: Span) {
        if self.state().function.deterministic {
            let from = self.allocate(span);
            self.op(Op::Null { to: from }, span);
            self.op(Op::ReturnAndCommit { from }, span);
        } else {
            self.op(Op::ReturnNull {}, span);
        }
    }

    /// Gives the parameters their registers and emits their defaults. A function with too many for registers takes them
    /// as a list.
    fn parameters(&mut self, parameters: &[Parameter], span: Span) {
        if parameters.len() > MOST_PARAMETERS {
            self.state().function.takes_list = true;
            let list = self.allocate(span);
            let state = self.state();
            state.variables_end = state.next;
            self.prepare_spill(span);
            for (index, Parameter { name, default }) in parameters.iter().enumerate() {
                let value = self.allocate(span);
                self.op(
                    Op::GetSpilled {
                        to: value,
                        from: list,
                        index: index as u32,
                    },
                    name.span,
                );
                self.default(default.as_ref(), value);
                let variable = self.declared_variable(name);
                self.release(value as u16);
                self.bind_value(variable, value, name.span);
            }
            return;
        }
        for Parameter { name, .. } in parameters {
            let register = self.allocate(name.span);
            let state = self.state();
            state.variables_end = state.next;
            let Some(id) = self.declared_variable(name) else {
                continue;
            };
            self.set_location(id, Location::Register(register));
        }
        self.prepare_spill(span);
        for Parameter { name, default } in parameters {
            let Some(id) = self.declared_variable(name) else {
                continue;
            };
            let Some(Location::Register(at)) = self.state().locations.get(&id).copied() else {
                continue;
            };
            self.default(default.as_ref(), at);
            if self.resolution.variables[id as usize].is_boxed() {
                self.op(Op::NewBox { at }, name.span);
                self.set_location(id, Location::Box(at));
            }
        }
    }

    /// Gives a parameter its default where the call has left it out.
    fn default(&mut self, default: Option<&Expression>, at: Register) {
        let Some(default) = default else { return };
        let given = self.op(Op::JumpIfGiven { a: at, target: 0 }, default.span);
        self.into(default, at);
        self.patch(given);
    }

    /// The local variable that a declaring name declares.
    pub fn declared_variable(&self, name: &Ident) -> Option<VariableId> {
        match self.resolution.meanings.get(&name.span.start) {
            Some(Meaning::Local(id)) => Some(*id),
            _ => None,
        }
    }

    /// Gives a place to every `var` of a function, with null in it.
    fn declare_vars(&mut self, statements: &[Statement]) {
        for declarator in hoisted(statements) {
            let Some(id) = self.declared_variable(&declarator.name) else {
                continue;
            };
            if self.state().locations.contains_key(&id) {
                continue;
            }
            // It has no line: a step into the function stops at its first statement.
            let span = Span::default();
            let value = self.allocate(declarator.name.span);
            self.op(Op::Null { to: value }, span);
            self.release(value as u16);
            self.bind_value(Some(id), value, span);
        }
    }

    /// Makes a new variable with the value of the register that is the next free one.
    pub fn bind_value(&mut self, id: Option<VariableId>, value: Register, span: Span) {
        let Some(id) = id else { return };
        let boxed = self.resolution.variables[id as usize].is_boxed();
        let Some(at) = self.spill_array() else {
            let register = self.allocate(span);
            debug_assert_eq!(register, value);
            let state = self.state();
            state.variables_end = state.next;
            if boxed {
                self.op(Op::NewBox { at: register }, span);
            }
            let location = if boxed {
                Location::Box(register)
            } else {
                Location::Register(register)
            };
            self.set_location(id, location);
            return;
        };
        let register = self.allocate(span);
        if boxed {
            self.op(Op::NewBox { at: register }, span);
        }
        self.release(register as u16);
        let index = self.spill(id, boxed);
        self.op(
            Op::SetSpilled {
                at,
                from: register,
                index,
            },
            span,
        );
    }

    /// Makes a variable that gets its value later, in a box that inner functions can capture before that. That has no line.
    pub fn bind_unset_box(&mut self, id: VariableId, span: Span) {
        let value = self.allocate(span);
        self.op(Op::NewUnsetBox { at: value }, Span::default());
        self.release(value as u16);
        let Some(at) = self.spill_array() else {
            let register = self.allocate(span);
            let state = self.state();
            state.variables_end = state.next;
            self.set_location(id, Location::Box(register));
            return;
        };
        let register = self.allocate(span);
        self.release(register as u16);
        let index = self.spill(id, true);
        self.op(
            Op::SetSpilled {
                at,
                from: register,
                index,
            },
            Span::default(),
        );
    }

    /// Stores a variable outside the registers, in the frame's list of spilled variables; returns its index there.
    fn spill(&mut self, id: VariableId, boxed: bool) -> u32 {
        let state = self.state();
        let index = state.spilled;
        state.spilled += 1;
        self.set_location(
            id,
            if boxed {
                Location::SpilledBox(index)
            } else {
                Location::Spilled(index)
            },
        );
        index
    }

    /// Makes the array for variables beyond the registers, if the function has that many. To be called at the very
    /// start of a function.
    pub fn prepare_spill(&mut self, span: Span) {
        let number = self.state().number;
        let variables = self
            .resolution
            .variable_counts
            .get(&number)
            .copied()
            .unwrap_or(0);
        if variables > MOST_VARIABLES {
            let register = self.allocate(span);
            let state = self.state();
            state.variables_end = state.next;
            state.spill = Some(register);
            self.op(
                Op::NewSpill {
                    to: register,
                    count: variables,
                },
                span,
            );
        }
    }

    /// The array for variables beyond the registers, once the registers for variables are used up.
    fn spill_array(&mut self) -> Option<Register> {
        let state = self.state();
        if state.next < VARIABLE_REGISTERS {
            None
        } else {
            state.spill
        }
    }

    /// How the current function reaches a local variable, its own or one that it closes over.
    pub fn place(&mut self, id: VariableId) -> Option<VariableAccess> {
        self.place_in(self.states.len().checked_sub(1)?, id)
    }

    /// Where the function at this depth of nesting finds a variable; captures it through the functions between, if it
    /// is theirs.
    fn place_in(&mut self, at: usize, id: VariableId) -> Option<VariableAccess> {
        let variable = &self.resolution.variables[id as usize];
        if self.states[at].number == variable.function {
            return self.states[at]
                .locations
                .get(&id)
                .copied()
                .map(VariableAccess::Own);
        }
        let boxed = variable.is_boxed();
        if let Some(index) = self.states[at].captured.get(&id).copied() {
            return Some(VariableAccess::Captured { index, boxed });
        }
        let capture = match self.place_in(at.checked_sub(1)?, id)? {
            VariableAccess::Own(Location::Register(register) | Location::Box(register)) => {
                Capture::Register(register)
            }
            VariableAccess::Own(Location::Spilled(index) | Location::SpilledBox(index)) => {
                let register = self.states[at - 1].spill?;
                Capture::Spilled { register, index }
            }
            VariableAccess::Captured { index, .. } => Capture::Captured(index),
        };
        let name = self.resolution.variables[id as usize].name.clone();
        let state = &mut self.states[at];
        let index = state.function.captures.len() as u32;
        state.function.capture_names.push(name);
        state.captured.insert(id, index);
        state.function.captures.push(capture);
        Some(VariableAccess::Captured { index, boxed })
    }
}
