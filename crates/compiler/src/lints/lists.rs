//! Lists where sets of values are meant: arrays as candidates of boards, and sets that have arrays as their elements.

use ndscript_base::diagnostics::Diagnostic;
use ndscript_bytecode::{Form, ResultKind};
use ndscript_syntax::ast::*;

use super::{DEEPEST, Walk};

impl<'a> Walk<'a> {
    /// Whether a value is certainly an array.
    fn is_array(&self, expression: &'a Expression, depth: usize) -> bool {
        match &expression.kind {
            ExpressionKind::Array(elements) => !elements.is_empty(),
            ExpressionKind::Name(name) => {
                depth <= DEEPEST && self.all_values(name, |value| self.is_array(value, depth + 1))
            }
            _ => self
                .built_in(expression)
                .is_some_and(|(built_in, _)| built_in.facts.gives == ResultKind::Array),
        }
    }

    /// A board whose places hold arrays: each is one value, not a list of candidates.
    pub(super) fn lists_as_candidates(&mut self, call: &'a Expression) {
        let Some((built_in, [board, ..])) = self.built_in(call) else {
            return;
        };
        let name = &built_in.name;
        if !built_in.facts.constrains && !built_in.facts.decides {
            return;
        }
        let ExpressionKind::Name(board) = &board.kind else {
            return;
        };
        let is_array = |value: &'a Expression, depth| self.is_array(value, depth);
        if !self.holds(board, 0, &is_array) {
            return;
        }
        let message = format!(
            "the places of `{}` hold arrays, and an array is one value",
            board.name
        );
        self.found.push(
            Diagnostic::warning(message, call.span)
                .with_label(format!("`{name}` finds no candidates there"))
                .with_hint("candidates are a set: write `setOf(a, b)`, or `toSet(c)` of an array"),
        );
    }

    /// `allDifferent(g, rowOf(g, 0))`: what the cells hold in place of where they are.
    pub(super) fn contents_as_places(&mut self, call: &'a Expression) {
        let Some((built_in, [_, arguments @ ..])) = self.built_in(call) else {
            return;
        };
        if !built_in.facts.constrains {
            return;
        }
        for argument in arguments {
            let Some((source, _)) = self.built_in(argument) else {
                continue;
            };
            let Some(line) = source.facts.lists_line else {
                continue;
            };
            let source = &source.name;
            let message = format!("`{source}` gives what the cells hold, not their places");
            self.found.push(
                Diagnostic::warning(message, argument.span)
                    .with_label("when the program gets here, this is an error")
                    .with_hint(format!(
                        "the places are `filter(positionsOf(g), p => {line})`"
                    )),
            );
        }
    }

    /// `setOf([a, b])`
    pub(super) fn set_of_array(&mut self, expression: &'a Expression) {
        let Some((built_in, arguments)) = self.built_in(expression) else {
            return;
        };
        if built_in.facts.form != Some(Form::SetOf) || arguments.is_empty() {
            return;
        }
        // Two elements may be a pair, and several literals a set of arrays.
        let may_be_meant = |value: &'a Expression| {
            match &value.kind {
            ExpressionKind::Array(elements) => elements.len() == 2 || arguments.len() > 1,
            ExpressionKind::Name(name) => !self.all_values(name, |value| {
                !matches!(&value.kind, ExpressionKind::Array(elements) if elements.len() == 2)
            }),
            _ => false,
        }
        };
        let mut all = arguments.iter();
        if !all.all(|value| self.is_array(value, 0) && !may_be_meant(value)) {
            return;
        }
        let (message, hint) = match arguments {
            [_] => (
                "this set has one element, which is the array",
                "a set of the elements is `setOf(a, b)`, or `toSet(c)` of an array",
            ),
            _ => (
                "the elements of this set are the arrays",
                "a set of all that they hold is `toSet(concat(a, b))`",
            ),
        };
        let warning = Diagnostic::warning(message.to_string(), expression.span);
        self.found.push(warning.with_hint(hint));
    }
}
