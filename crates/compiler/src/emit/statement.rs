//! Statements.

use super::{Emitter, LoopJumps};
use crate::resolve::meaning::Meaning;
use ndscript_base::source::Span;
use ndscript_bytecode::Op;
use ndscript_syntax::ast::*;

impl Emitter<'_> {
    pub fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// The statements of a block; functions declared in it exist from its start.
    pub fn block_statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.prepare_declarations(statement);
        }
        for statement in statements {
            if let StatementKind::Function(function) = &statement.kind {
                self.local_function(function);
            }
        }
        self.statements(statements);
    }

    /// Makes the boxes that inner functions capture before the variable has its value.
    fn prepare_declarations(&mut self, statement: &Statement) {
        let names: Vec<&Ident> = match &statement.kind {
            StatementKind::Declare {
                keyword,
                declarators,
            } if *keyword != DeclareKeyword::Var => declarators
                .iter()
                .map(|declarator| &declarator.name)
                .collect(),
            StatementKind::Function(function) => function.name.iter().collect(),
            _ => return,
        };
        for name in names {
            if let Some(id) = self.declared_variable(name) {
                let variable = &self.resolution.variables[id as usize];
                if variable.is_boxed() && variable.captured_early {
                    self.bind_unset_box(id, name.span);
                }
            }
        }
    }

    /// Emits a function declared inside of another one: makes its closure, and binds it to its name.
    fn local_function(&mut self, function: &Function) {
        let Some(name) = &function.name else { return };
        let Some(id) = self.declared_variable(name) else {
            return;
        };
        let mark = self.mark();
        let value = self.allocate(name.span);
        self.closure(function, value);
        if self.place(id).is_some() {
            self.store_local(id, value, name.span, false);
            self.release(mark);
        } else {
            self.release(mark);
            self.bind_value(Some(id), value, name.span);
        }
    }

    /// A statement in a scope of its own.
    fn body(&mut self, statement: &Statement) {
        let (mark, end) = (self.mark(), self.state().variables_end);
        self.prepare_declarations(statement);
        if let StatementKind::Function(function) = &statement.kind {
            self.local_function(function);
        }
        self.statement(statement);
        self.release(mark);
        self.state().variables_end = end;
    }

    fn statement(&mut self, statement: &Statement) {
        let mark = self.mark();
        match &statement.kind {
            StatementKind::Empty | StatementKind::Function(_) => {}
            StatementKind::Expression(expression) => {
                self.effect(expression);
                self.release(mark);
            }
            StatementKind::Declare {
                keyword,
                declarators,
            } => {
                declarators
                    .iter()
                    .for_each(|declarator| self.declarator(*keyword, declarator));
            }
            StatementKind::Block(statements) => {
                let end = self.state().variables_end;
                self.block_statements(statements);
                self.release(mark);
                self.state().variables_end = end;
            }
            StatementKind::If { arms, otherwise } => self.if_statement(arms, otherwise.as_deref()),
            StatementKind::While { condition, body } => {
                self.for_statement(Some(condition), None, body, statement.span, &[])
            }
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => {
                let end = self.state().variables_end;
                if let Some(initial) = initial {
                    self.prepare_declarations(initial);
                    self.statement(initial);
                }
                let renewed = initial
                    .as_deref()
                    .map_or(Vec::new(), |initial| self.boxed_names(initial));
                self.for_statement(
                    condition.as_deref(),
                    step.as_deref(),
                    body,
                    statement.span,
                    &renewed,
                );
                self.release(mark);
                self.state().variables_end = end;
            }
            StatementKind::Foreach {
                name,
                collection,
                body,
            } => self.foreach_statement(name, collection, body),
            StatementKind::Break => {
                let jump = self.op(Op::Jump { target: 0 }, statement.span);
                if let Some(innermost) = self.state().loops.last_mut() {
                    innermost.breaks.push(jump);
                }
            }
            StatementKind::Continue => {
                let jump = self.op(Op::Jump { target: 0 }, statement.span);
                if let Some(innermost) = self.state().loops.last_mut() {
                    innermost.continues.push(jump);
                }
            }
            StatementKind::Return(value) => {
                match value {
                    Some(value) => {
                        let from = self.operand(value);
                        self.return_register(from, statement.span);
                    }
                    None => self.return_null(statement.span),
                }
                self.release(mark);
            }
            StatementKind::Choose {
                first,
                alternatives,
            } => self.choose_statement(*first, alternatives, statement.span),
            StatementKind::Import { .. } => {
                if let Some(file) = self.imports.get(&statement.span.start).copied() {
                    let file = self.files[file];
                    self.statements(&file.statements);
                }
            }
        }
    }

    /// Emits the declaration of one variable with its value.
    fn declarator(&mut self, keyword: DeclareKeyword, declarator: &Declarator) {
        let span = declarator.name.span;
        let mark = self.mark();
        match self.resolution.meanings.get(&span.start).copied() {
            Some(Meaning::Local(id)) => {
                if self.place(id).is_some() {
                    // A `var`, or a box that is there already.
                    match &declarator.value {
                        Some(value) => self.assign_to_local(id, value, span, false),
                        None if keyword != DeclareKeyword::Var => {
                            let value = self.allocate(span);
                            self.op(Op::Null { to: value }, span);
                            self.store_local(id, value, span, false);
                        }
                        None => {}
                    }
                    self.release(mark);
                    return;
                }
                let value = self.allocate(span);
                match &declarator.value {
                    Some(initial) => self.into(initial, value),
                    None => {
                        self.op(Op::Null { to: value }, span);
                    }
                }
                self.release(mark);
                self.bind_value(Some(id), value, span);
            }
            Some(Meaning::Global(slot)) => {
                match &declarator.value {
                    Some(initial) => {
                        let from = self.operand(initial);
                        self.op(Op::SetGlobal { from, slot }, span.to(initial.span));
                    }
                    None if keyword != DeclareKeyword::Var => {
                        let from = self.allocate(span);
                        self.op(Op::Null { to: from }, span);
                        self.op(Op::SetGlobal { from, slot }, span);
                    }
                    None => {}
                }
                self.release(mark);
            }
            _ => {}
        }
    }

    fn if_statement(&mut self, arms: &[(Expression, Statement)], otherwise: Option<&Statement>) {
        let mut ends = Vec::new();
        for (at, (condition, body)) in arms.iter().enumerate() {
            let mark = self.mark();
            let past = self.jumps_unless(condition);
            self.release(mark);
            self.body(body);
            if at + 1 < arms.len() || otherwise.is_some() {
                ends.push(self.op(Op::Jump { target: 0 }, body.span));
            }
            self.patch_all(past);
        }
        if let Some(otherwise) = otherwise {
            self.body(otherwise);
        }
        self.patch_all(ends);
    }

    /// The loop variables that inner functions share: each turn has its own.
    fn boxed_names(&mut self, initial: &Statement) -> Vec<u32> {
        let StatementKind::Declare {
            keyword,
            declarators,
        } = &initial.kind
        else {
            return Vec::new();
        };
        if *keyword == DeclareKeyword::Var {
            return Vec::new();
        }
        let ids = declarators
            .iter()
            .filter_map(|declarator| self.declared_variable(&declarator.name));
        ids.filter(|id| self.resolution.variables[*id as usize].is_boxed())
            .collect()
    }

    /// Emits a `for` or `while` loop. The variables `renewed` get a new box on every turn, because closures capture
    /// them.
    fn for_statement(
        &mut self,
        condition: Option<&Expression>,
        step: Option<&Expression>,
        body: &Statement,
        span: Span,
        renewed: &[u32],
    ) {
        // The condition is emitted twice, before the loop and at its end, so that a turn has one jump.
        let mark = self.mark();
        let mut past = condition.map_or(Vec::new(), |condition| self.jumps_unless(condition));
        self.release(mark);
        let begin = self.here();
        self.state().loops.push(LoopJumps::default());
        self.body(body);
        let jumps = self.state().loops.pop().unwrap_or_default();
        self.patch_all(jumps.continues);
        for id in renewed {
            self.renew_box(*id, span);
        }
        if let Some(step) = step {
            self.effect(step);
            self.release(mark);
        }
        match condition {
            Some(condition) => {
                let exits = self.loop_while(condition, begin, span);
                past.extend(exits);
            }
            None => {
                self.op(Op::Loop { target: begin }, span);
            }
        }
        self.release(mark);
        self.patch_all(past);
        self.patch_all(jumps.breaks);
    }

    /// Emits a `foreach` loop; one over a range, or over the neighbours of a cell, makes no list.
    fn foreach_statement(&mut self, name: &Ident, collection: &Expression, body: &Statement) {
        let (mark, end) = (self.mark(), self.state().variables_end);
        let at = self.allocate(collection.span);
        let is_range = self.range_bounds(collection, at);
        let is_near = !is_range && self.neighbors_begin(collection, at);
        if !is_range && !is_near {
            let fresh = self.is_fresh(collection) as u8;
            self.into(collection, at);
            self.allocate(collection.span);
            self.op(Op::ForeachBegin { at, fresh }, collection.span);
        }
        let state = self.state();
        state.variables_end = state.next;
        let again = self.here();
        let next = match (is_range, is_near) {
            (true, _) => Op::RangeNext { at, target: 0 },
            (_, true) => Op::NeighborsNext { at, target: 0 },
            _ => Op::ForeachNext { at, target: 0 },
        };
        let past = self.op(next, collection.span);
        self.state().loops.push(LoopJumps::default());
        let value = self.allocate(name.span);
        self.release(value as u16);
        let id = self.declared_variable(name);
        self.bind_value(id, value, name.span);
        if self.mark() == value as u16 {
            // The variable is outside the registers; each turn uses its register nevertheless.
            self.allocate(name.span);
        }
        self.body(body);
        let jumps = self.state().loops.pop().unwrap_or_default();
        self.patch_all(jumps.continues);
        self.op(Op::Loop { target: again }, collection.span);
        self.patch(past);
        self.patch_all(jumps.breaks);
        self.release(mark);
        self.state().variables_end = end;
    }

    /// Emits a choice among statements, at random, or in order if `first`.
    fn choose_statement(&mut self, first: bool, alternatives: &[Statement], span: Span) {
        let table = self.begin_choice(first, alternatives.len(), span);
        let mut ends = Vec::new();
        for (at, alternative) in alternatives.iter().enumerate() {
            self.begin_alternative(table, at, alternative.span);
            self.body(alternative);
            if at + 1 < alternatives.len() {
                ends.push(self.op(Op::Jump { target: 0 }, alternative.span));
            }
        }
        self.patch_all(ends);
    }

    /// Emits a choice among this many alternatives and returns the number of its table.
    pub fn begin_choice(&mut self, first: bool, count: usize, span: Span) -> u32 {
        let live_registers = self.mark() as u8;
        let tables = &mut self.state().body.tables;
        let table = tables.len() as u32;
        tables.push(vec![(0, Span::default()); count]);
        self.op(
            if first {
                Op::ChooseFirst {
                    live_registers,
                    table,
                }
            } else {
                Op::Choose {
                    live_registers,
                    table,
                }
            },
            span,
        );
        table
    }

    /// Starts an alternative of a choice at the next instruction.
    pub fn begin_alternative(&mut self, table: u32, alternative: usize, span: Span) {
        let here = self.here();
        self.state().body.tables[table as usize][alternative] = (here, span);
    }
}
