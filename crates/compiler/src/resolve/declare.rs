//! Declarations: the names in a scope, before anything in it is walked.

use std::sync::Arc;

use super::{Declaration, Resolver};
use crate::resolve::hoist::hoisted;
use crate::resolve::meaning::{Meaning, VariableId};
use crate::resolve::scope::Variable;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_bytecode::{Global, InitialValue};
use ndscript_syntax::ast::{DeclareKeyword, Ident, Statement, StatementKind};

impl Resolver<'_> {
    /// Declares what `var` declares in these statements, for the function or program that they are in.
    pub(super) fn declare_vars(&mut self, statements: &[Statement]) {
        for declarator in hoisted(statements) {
            self.declare(&declarator.name, Declaration::Var, 0);
        }
    }

    /// Declares what `let`, `const` and `function` declare in the block made of these statements.
    pub(super) fn declare_block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.declare_lexical(statement);
        }
    }

    /// Declares what a statement declares in its block: `let`, `const` and functions.
    pub(super) fn declare_lexical(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare {
                keyword,
                declarators,
            } if *keyword != DeclareKeyword::Var => {
                let keyword_text = if *keyword == DeclareKeyword::Let {
                    Declaration::Let
                } else {
                    Declaration::Const
                };
                for declarator in declarators {
                    let end = declarator
                        .value
                        .as_ref()
                        .map_or(declarator.name.span.end, |value| value.span.end);
                    self.declare(&declarator.name, keyword_text, end);
                }
            }
            StatementKind::Function(function) => {
                if let Some(name) = &function.name {
                    self.declare(name, Declaration::Function, 0);
                    if let Some(meaning) = self.out.meanings.get(&name.span.start) {
                        let most = function.parameters.len();
                        let least = function
                            .parameters
                            .iter()
                            .filter(|parameter| parameter.default.is_none())
                            .count();
                        self.out.notes.functions.insert(*meaning, (least, most));
                    }
                }
            }
            _ => {}
        }
    }

    /// Enters a name into the scope that it belongs to, or reports that the scope has it already. Uses before the offset
    /// `initialised_at` come before a `let` or `const` has its value.
    pub(super) fn declare(&mut self, name: &Ident, how: Declaration, initialised_at: u32) {
        let to_function_scope = how == Declaration::Var;
        let function = self.function();
        let at = if to_function_scope {
            self.scopes
                .iter()
                .position(|scope| scope.function == function)
                .unwrap_or(0)
        } else {
            self.scopes.len() - 1
        };
        if let Some((meaning, before, place)) = self.scopes[at].names.get(&name.name).cloned() {
            let may_repeat = matches!(how, Declaration::Var)
                && matches!(
                    before,
                    Declaration::Var | Declaration::Parameter | Declaration::Function
                );
            if may_repeat || how == Declaration::Function && before == Declaration::Var && at == 0 {
                self.out.meanings.insert(name.span.start, meaning);
                if how == Declaration::Function {
                    if let Meaning::Global(slot) = meaning {
                        self.top_level.declare_function(slot);
                    }
                    self.scopes[at]
                        .names
                        .insert(name.name.clone(), (meaning, how, name.span));
                    self.mark_reassigned(meaning, false);
                }
                return;
            }
            let (first, again) = if place.start < name.span.start {
                (place, name.span)
            } else {
                (name.span, place)
            };
            self.errors.push(
                Diagnostic::error(format!("`{}` is declared twice", name.name), again)
                    .with_label("declared again here")
                    .with_related(first, "first declared here")
                    .with_hint("give one of the two another name"),
            );
            return;
        }
        let meaning = if at == 0 {
            self.declare_global(name, how, initialised_at)
        } else {
            self.new_variable(name, how, initialised_at)
        };
        self.scopes[at]
            .names
            .insert(name.name.clone(), (meaning, how, name.span));
        self.out.meanings.insert(name.span.start, meaning);
    }

    /// Declares a global variable, and records what it holds before its declaration is reached.
    fn declare_global(&mut self, name: &Ident, how: Declaration, initialised_at: u32) -> Meaning {
        let slot = self.global_slot(&name.name);
        match how {
            Declaration::Function => self.top_level.declare_function(slot),
            _ => self
                .top_level
                .declare(slot, &name.name, name.span, initialised_at),
        }
        let global = &mut self.out.globals[slot as usize];
        global.starts_null = matches!(how, Declaration::Var) && !self.incremental;
        global.lexical = matches!(how, Declaration::Let | Declaration::Const);
        global.constant = (how == Declaration::Const).then_some(name.span);
        global.is_declared = true;
        if how == Declaration::Const {
            self.global_constants.insert(slot, name.span);
        } else {
            // An earlier input of a growing program may have declared the name as a constant.
            self.global_constants.remove(&slot);
        }
        if self.incremental && how != Declaration::Function {
            let beginning = if global.lexical {
                InitialValue::Unset
            } else {
                InitialValue::Null
            };
            self.out.beginnings.push((slot, beginning));
        }
        self.out.declared_globals[slot as usize].get_or_insert(name.span);
        Meaning::Global(slot)
    }

    /// The number of the global variable of this name, which the first use of the name makes.
    pub(super) fn global_slot(&mut self, name: &Arc<str>) -> u32 {
        if let Some(slot) = self.global_slots.get(name) {
            return *slot;
        }
        let slot = self.out.globals.len() as u32;
        let is_host_constant = !self.in_prelude && self.signatures.host_constant(name).is_some();
        let native = self.signatures.find(name, self.in_prelude);
        self.out.globals.push(Global {
            name: name.clone(),
            function: None,
            starts_null: false,
            lexical: false,
            native: native.filter(|_| !is_host_constant),
            is_declared: false,
            is_host_constant,
            constant: None,
            register: None,
            is_called: false,
            is_inner: false,
        });
        self.out.declared_globals.push(None);
        self.out.reassigned_globals.push(false);
        self.global_slots.insert(name.clone(), slot);
        slot
    }

    /// Adds a local variable of the current function.
    fn new_variable(&mut self, name: &Ident, how: Declaration, initialised_at: u32) -> Meaning {
        let id = self.out.variables.len() as VariableId;
        let function = self.function();
        *self.out.variable_counts.entry(function).or_default() += 1;
        self.out.variables.push(Variable {
            name: name.name.clone(),
            function,
            declared: name.span,
            initialised_at,
            lexical: matches!(how, Declaration::Let | Declaration::Const),
            constant: how == Declaration::Const,
            captured: false,
            // A function declaration exists from the start of its block, before its own siblings do; a `var` from
            // the start of its function.
            captured_early: matches!(how, Declaration::Function | Declaration::Var),
            reassigned: false,
            assigned_inside: false,
            is_unused: matches!(
                how,
                Declaration::Var | Declaration::Let | Declaration::Const
            ),
        });
        Meaning::Local(id)
    }
}
