//! Names that may not be used where they are: constants, names of the host, names that it has removed, later
//! parameters.

use super::Resolver;
use crate::resolve::meaning::{Meaning, VariableId};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::spelling::nearest;
use ndscript_bytecode::HostConstant;
use ndscript_syntax::ast::*;

impl Resolver<'_> {
    /// Refuses built-ins that the host does not allow.
    pub(super) fn refuse_denied(&mut self) {
        for (slot, global) in self.out.globals.iter().enumerate() {
            if global.is_declared
                || global.native.is_some()
                || global.is_host_constant
                || self.in_prelude
                || !self.signatures.is_denied(&global.name)
            {
                continue;
            }
            // In a growing program, earlier inputs were checked when they came.
            if let Some(span) = self.out.notes.read.get(&(slot as u32)) {
                let message = format!("`{}` is not allowed here", global.name);
                self.errors.push(
                    Diagnostic::error(message, *span)
                        .with_label("the host has taken this built-in away")
                        .with_hint("do without it; who runs the program says what it may use"),
                );
            }
        }
        self.errors.sort_by_key(|error| error.span);
    }

    /// Refuses to change a constant of the host, or something inside of one.
    pub(super) fn refuse_given(&mut self, name: &Ident) -> bool {
        // An earlier input of a growing program may have declared the name.
        let is_taken = |slot: &u32| self.out.globals[*slot as usize].is_declared;
        let is_own = self.global_slots.get(&name.name).is_some_and(is_taken)
            || self
                .scopes
                .iter()
                .any(|scope| scope.names.contains_key(&name.name));
        let is_host_constant =
            !is_own && !self.in_prelude && self.signatures.host_constant(&name.name).is_some();
        if is_host_constant {
            let message = format!(
                "`{}` is a constant of the host and cannot be changed",
                name.name
            );
            self.errors.push(
                Diagnostic::error(message, name.span)
                    .with_label("assigned here")
                    .with_hint("keep a copy in a variable and change that"),
            );
        }
        is_host_constant
    }

    /// Records a field that a constant of the host does not have.
    pub(super) fn record_missing_field(&mut self, base: &Ident, operations: &[Postfix]) {
        let Some(Meaning::Global(slot)) = self.out.meanings.get(&base.span.start).copied() else {
            return;
        };
        let global = &self.out.globals[slot as usize];
        if global.is_declared || !global.is_host_constant {
            return;
        }
        let mut value = self
            .signatures
            .host_constant(&base.name)
            .map(|value| &**value);
        let mut path = base.name.to_string();
        for operation in operations {
            let (Some(HostConstant::Object(fields)), PostfixKind::Field(field)) =
                (value, &operation.kind)
            else {
                return;
            };
            value = value.and_then(|value| value.field(&field.name));
            if value.is_none() {
                let message = format!("the host's constant `{path}` has no field `{}`", field.name);
                let warning = Diagnostic::warning(message, field.span)
                    .with_label("when the program gets here, this is an error");
                let close = nearest(&field.name, fields.iter().map(|(name, _)| &**name));
                self.out.notes.missing_fields.push(match close {
                    Some(close) => warning.with_hint(format!("did you mean `{close}`?")),
                    None => warning,
                });
                return;
            }
            path = format!("{path}.{}", field.name);
        }
    }

    /// Reports an assignment to a `const`.
    pub(super) fn refuse_constant(&mut self, meaning: Meaning, name: &Ident) {
        let declared = match meaning {
            Meaning::Local(id) => {
                let variable = &self.out.variables[id as usize];
                variable.constant.then_some(variable.declared)
            }
            Meaning::Global(slot) => self.global_constants.get(&slot).copied(),
        };
        if let Some(declared) = declared {
            self.errors.push(
                Diagnostic::error(
                    format!("`{}` is a constant and cannot be assigned", name.name),
                    name.span,
                )
                .with_label("assigned here")
                .with_related(declared, "declared with `const` here")
                .with_hint("declare it with `let` if it is to change"),
            );
        }
    }

    /// Rejects a default that uses a parameter without a value yet, even inside a function that is called later.
    pub(super) fn refuse_later_parameter(&mut self, id: VariableId, name: &Ident) {
        if self
            .parameters_without_value
            .iter()
            .any(|parameters| parameters.contains(&id))
        {
            self.errors.push(
                Diagnostic::error(
                    format!("the parameter `{}` has no value yet", name.name),
                    name.span,
                )
                .with_label("a default can use the parameters before its own")
                .with_hint("change the order of the parameters"),
            );
        }
    }
}
