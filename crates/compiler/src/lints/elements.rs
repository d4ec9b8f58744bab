//! Functions that get the elements of a collection, such as that of `count`, and take them for something else: the positions of a
//! grid for its cells, the elements of an array for their indexes.

use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;
use ndscript_bytecode::ResultKind;
use ndscript_syntax::ast::*;

use super::{DEEPEST, Walk};

/// The elements that a parameter gets.
pub(super) struct Elements<'a> {
    /// The built-in that calls its function.
    caller: &'a str,
    collection: &'a Expression,
}

/// `name[index]`, with a name as the index.
pub(super) struct Indexed<'a> {
    name: &'a Ident,
    index: &'a Ident,
    span: Span,
}

impl<'a> Walk<'a> {
    /// `count(c, x => ...)`
    pub(super) fn call_with_elements(&mut self, call: &'a Expression) {
        let Some((built_in, [collection, function])) = self.built_in(call) else {
            return;
        };
        if !built_in.facts.calls_with_elements {
            return;
        }
        let caller = &*built_in.name;
        if let ExpressionKind::Function(function) = &function.kind {
            if let [parameter] = &function.parameters[..]
                && let Some(meaning) = self.meaning(&parameter.name)
            {
                let elements = Elements { caller, collection };
                self.given_elements.insert(meaning, elements);
            }
        } else if is_plain(function) {
            let message = format!("`{caller}` wants a function as its second argument");
            self.found.push(
                Diagnostic::warning(message, function.span)
                    .with_label("when the program gets here, this is an error")
                    .with_hint(format!(
                        "it says what is asked of each element: `{caller}(c, x => x == ...)`"
                    )),
            );
        }
    }

    /// Records `a[i]`.
    pub(super) fn index(&mut self, expression: &'a Expression) {
        if let ExpressionKind::Postfix { base, operations } = &expression.kind
            && let (ExpressionKind::Name(name), [first, ..]) = (&base.kind, &operations[..])
            && let PostfixKind::Index(indexes) = &first.kind
            && let [index] = &indexes[..]
            && let ExpressionKind::Name(index) = &index.kind
        {
            let span = expression.span;
            self.indexed.push(Indexed { name, index, span });
        }
    }

    /// `a[i]` in the function of `count(a, i => ...)`, where the elements are certainly no numbers.
    pub(super) fn element_as_index(&mut self, indexed: &Indexed<'a>) {
        let Some(elements) = self.elements_given_to(indexed.index) else {
            return;
        };
        let ExpressionKind::Name(collection) = &elements.collection.kind else {
            return;
        };
        let is_no_number = |value: &'a Expression, depth| {
            matches!(
                value.kind,
                ExpressionKind::String(_)
                    | ExpressionKind::Template(_)
                    | ExpressionKind::Boolean(_)
                    | ExpressionKind::Array(_)
                    | ExpressionKind::Object(_)
            ) || self.is_set(value, depth)
        };
        if self.meaning(collection) != self.meaning(indexed.name)
            || !self.all_values(collection, |value| {
                self.is_kind(value, ResultKind::Array, 0)
            })
            || !self.holds(collection, 0, &is_no_number)
        {
            return;
        }
        let (caller, name) = (elements.caller, &collection.name);
        let message =
            format!("`{caller}` gives its function the elements of an array, not their indexes");
        self.found.push(
            Diagnostic::warning(message, indexed.span)
                .with_label("when the program gets here, this is an error")
                .with_hint(format!(
                    "the element is there already; `{caller}(range(sizeOf({name})), i => ...)` goes over the indexes"
                )),
        );
    }

    /// `p == "wall"` in the function of `count(g, p => ...)`; whether that is so.
    pub(super) fn element_as_value(
        &mut self,
        element: &'a Expression,
        other: &'a Expression,
        span: Span,
    ) -> bool {
        let ExpressionKind::Name(name) = &element.kind else {
            return false;
        };
        let Some(elements) = self.elements_given_to(name) else {
            return false;
        };
        let (caller, collection) = (elements.caller, elements.collection);
        let is_text = matches!(
            other.kind,
            ExpressionKind::String(_) | ExpressionKind::Template(_)
        );
        let (message, label, hint) = if self.is_kind(collection, ResultKind::Grid, 0)
            && is_plain(other)
        {
            (
                "a position never equals what is none",
                format!("`{caller}` gives its function the positions of a grid"),
                format!(
                    "the cell is `g[{0}]`: write `{caller}(g, {0} => g[{0}] == ...)`; `valuesOf(g)` has all of them",
                    name.name
                ),
            )
        } else if self.is_object(collection) && is_plain(other) && !is_text {
            (
                "a key never equals what is no text",
                format!("`{caller}` gives its function the keys of an object"),
                format!(
                    "the value is `o[{0}]`: write `{caller}(o, {0} => o[{0}] == ...)`; `valuesOf(o)` has all of them",
                    name.name
                ),
            )
        } else {
            return false;
        };
        let warning = Diagnostic::warning(message.to_string(), span);
        self.found.push(warning.with_label(label).with_hint(hint));
        true
    }

    /// `contains("wall", g)`, of a grid; whether that is so. Built-ins that take the grid first look at its cells.
    pub(super) fn cells_among_positions(&mut self, call: &'a Expression) -> bool {
        let Some((built_in, arguments)) = self.built_in(call) else {
            return false;
        };
        let (Some((0, 1)), [wanted, collection, ..]) = (built_in.facts.searches, arguments) else {
            return false;
        };
        if !is_plain(wanted) || !self.is_kind(collection, ResultKind::Grid, 0) {
            return false;
        }
        let warning = Diagnostic::warning(
            "a position never equals what is none".to_string(),
            call.span,
        );
        self.found.push(
            warning
                .with_label("the elements of a grid are its positions: nothing is ever found here")
                .with_hint(format!(
                    "`valuesOf(g)` has what the cells hold: `{}(v, valuesOf(g))`",
                    built_in.name
                )),
        );
        true
    }

    fn elements_given_to(&self, name: &Ident) -> Option<&Elements<'a>> {
        self.given_elements.get(&self.meaning(name)?)
    }

    /// Whether a value is certainly an array or a grid.
    pub(super) fn is_kind(
        &self,
        expression: &'a Expression,
        kind: ResultKind,
        depth: usize,
    ) -> bool {
        match &expression.kind {
            ExpressionKind::Array(_) => kind == ResultKind::Array,
            ExpressionKind::Name(name) => {
                depth <= DEEPEST
                    && self.all_values(name, |value| self.is_kind(value, kind, depth + 1))
            }
            _ => self
                .built_in(expression)
                .is_some_and(|(built_in, _)| built_in.facts.gives == kind),
        }
    }

    fn is_object(&self, expression: &'a Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Object(_) => true,
            ExpressionKind::Name(name) => self.all_values(name, |value| {
                matches!(value.kind, ExpressionKind::Object(_))
            }),
            _ => false,
        }
    }
}

/// Whether an expression is a text, a number or a Boolean as it stands.
fn is_plain(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        ExpressionKind::String(_)
            | ExpressionKind::Template(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Boolean(_)
    )
}
