//! Places of a board that shows as text after `decide`: each holds a set with one element, `{"A"}`, where its value is meant.

use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;
use ndscript_bytecode::{Form, ResultKind, Shows};
use ndscript_syntax::ast::*;

use super::super::resolve::meaning::Meaning;
use super::Walk;

/// `decide(b);` as a statement.
pub(super) struct Decision {
    board: Meaning,
    /// Where the board is decided: from here on, in the function around it.
    from: u32,
    until: u32,
}

/// What shows as text.
pub(super) enum Shown<'a> {
    Value(&'a Expression),
    /// Its elements, or the cells of a grid.
    Elements(&'a Expression),
}

impl<'a> Walk<'a> {
    /// Records the statement `decide(b);`.
    pub(super) fn decision(&mut self, statement: &'a Expression) {
        let Some((built_in, [board, ..])) = self.built_in(statement) else {
            return;
        };
        if built_in.facts.decides
            && let ExpressionKind::Name(name) = &board.kind
            && let Some(board) = self.meaning(name)
        {
            self.decisions.push(Decision {
                board,
                from: statement.span.end,
                until: self.around.map_or(u32::MAX, |around| around.end),
            });
        }
    }

    /// Records what a call shows as text.
    pub(super) fn shown_by_call(&mut self, call: &'a Expression) {
        let Some((built_in, arguments)) = self.built_in(call) else {
            return;
        };
        match (built_in.facts.shows, arguments) {
            (Some(Shows::Text), [only]) => self.shown.push(Shown::Value(only)),
            (Some(Shows::Elements), [collection, ..]) => {
                self.shown.push(Shown::Elements(collection));
            }
            // Alone it may be looked at for its candidates.
            (Some(Shows::Arguments), _) if arguments.iter().any(is_text) => {
                self.shown.extend(arguments.iter().map(Shown::Value));
            }
            (Some(Shows::Keys), [_, function]) => {
                self.shown.extend(result_of(function).map(Shown::Value));
            }
            _ => {}
        }
    }

    /// Records what an operator or a template makes text of.
    pub(super) fn shown_in_text(&mut self, expression: &'a Expression) {
        match &expression.kind {
            ExpressionKind::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Expression(part) = part {
                        self.shown.push(Shown::Value(part));
                    }
                }
            }
            ExpressionKind::Chain { first, rest } => {
                let operands = || {
                    let rest = rest.iter().map(|link| &link.operand);
                    std::iter::once(&**first).chain(rest)
                };
                let adds = |link: &ChainLink| link.operator == BinaryOperator::Add;
                if rest.iter().all(adds) && operands().any(is_text) {
                    self.shown.extend(operands().map(Shown::Value));
                }
            }
            _ => {}
        }
    }

    /// The warning, if this shows what a decided board holds.
    pub(super) fn shows_sets(&mut self, shown: &Shown<'a>) {
        let found = match shown {
            Shown::Value(value) => self.decided_place(value),
            Shown::Elements(collection) => self.decided_places(collection),
        };
        let Some(span) = found else { return };
        self.found.push(
            Diagnostic::warning("a decided place is shown as a set".to_string(), span)
                .with_label("this shows with braces, as in `{\"A\"}`")
                .with_hint(
                    "`valueAt(b, place)` is the only candidate of a place, `decided(b)` a board with plain values",
                ),
        );
    }

    /// `b[place]` or `b.place`, where the board is decided, or the variable of a loop over an array that is.
    fn decided_place(&self, value: &'a Expression) -> Option<Span> {
        if let ExpressionKind::Name(name) = &value.kind {
            let collection = self.gone_through.get(&self.meaning(name)?)?;
            let ExpressionKind::Name(board) = &collection.kind else {
                return None;
            };
            let is_array = self.is_kind(collection, ResultKind::Array, 0);
            return (is_array && self.is_decided(board, value.span)).then_some(value.span);
        }
        let ExpressionKind::Postfix { base, operations } = &value.kind else {
            return None;
        };
        let (ExpressionKind::Name(board), [only]) = (&base.kind, &operations[..]) else {
            return None;
        };
        let is_place = matches!(only.kind, PostfixKind::Index(_) | PostfixKind::Field(_));
        (is_place && self.is_decided(board, value.span)).then_some(value.span)
    }

    /// The board itself, a row of it, or a list of its places.
    fn decided_places(&self, collection: &'a Expression) -> Option<Span> {
        if let ExpressionKind::Name(board) = &collection.kind {
            return self
                .is_decided(board, collection.span)
                .then_some(collection.span);
        }
        let (built_in, arguments) = self.built_in(collection)?;
        match (built_in.facts.form, arguments) {
            (Some(Form::Map), [_, function]) => self.decided_place(result_of(function)?),
            (_, [board, ..]) if built_in.facts.lists_line.is_some() => self.decided_places(board),
            _ => None,
        }
    }

    /// Whether a board was decided before, and is the same since.
    fn is_decided(&self, board: &Ident, at: Span) -> bool {
        let Some(meaning) = self.meaning(board) else {
            return false;
        };
        let is_one = self
            .values
            .get(&meaning)
            .is_some_and(|values| values.len() == 1);
        is_one
            && self.decisions.iter().any(|decision| {
                decision.board == meaning && decision.from <= at.start && at.end <= decision.until
            })
    }
}

/// The value of a function that is only an expression.
fn result_of(function: &Expression) -> Option<&Expression> {
    match &function.kind {
        ExpressionKind::Function(function) => match &function.body {
            FunctionBody::Expression(value) => Some(value),
            FunctionBody::Block(_) => None,
        },
        _ => None,
    }
}

fn is_text(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::String(_) | ExpressionKind::Template(_)
    )
}
