//! Code that looks right to those who know other languages, but does something else: sets compared with other values,
//! results thrown away, conditions that lead to nothing, choices of one alternative, constraints on copies.

mod conditions;
mod elements;
mod lists;
mod shown;

use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::source::Span;
use ndscript_syntax::ast::*;
use ndscript_syntax::parts::StatementPart;

use super::resolve::meaning::Meaning;
use super::resolve::scope::Resolution;
use elements::{Elements, Indexed};
use ndscript_bytecode::{Form, ResultKind, Signature, Signatures};
use shown::{Decision, Shown};

/// Names are followed to this depth.
const DEEPEST: usize = 4;

/// The warnings of this kind, in no order.
pub(super) fn lints(
    files: &[&Script],
    resolution: &Resolution,
    signatures: &Signatures,
) -> Vec<Diagnostic> {
    let mut walk = Walk {
        resolution,
        signatures,
        values: KeyedMap::default(),
        elements: KeyedMap::default(),
        given_elements: KeyedMap::default(),
        comparisons: Vec::new(),
        searches: Vec::new(),
        indexed: Vec::new(),
        calls: Vec::new(),
        gone_through: KeyedMap::default(),
        decisions: Vec::new(),
        shown: Vec::new(),
        around: None,
        minimizations: Vec::new(),
        adds_price: false,
        found: Vec::new(),
    };
    files
        .iter()
        .for_each(|file| file.statements.iter().for_each(|each| walk.statement(each)));
    for (left, right, span) in std::mem::take(&mut walk.comparisons) {
        if walk.compares_set(left, right) || walk.compares_set(right, left) {
            walk.found.push(
                Diagnostic::warning("a set never equals what is no set".to_string(), span)
                    .with_label("when the program gets here, this is an error")
                    .with_hint(
                        "`valueAt(b, place)` is the only candidate of a place, `decided(b)` a board with plain values, and \
                         `singletonValue(s)` the only element of a set",
                    ),
            );
        } else if !walk.element_as_value(left, right, span) {
            walk.element_as_value(right, left, span);
        }
    }
    for indexed in std::mem::take(&mut walk.indexed) {
        walk.element_as_index(&indexed);
    }
    for call in std::mem::take(&mut walk.calls) {
        walk.lists_as_candidates(call);
        walk.contents_as_places(call);
        walk.conditions_as_rules(call);
    }
    if !walk.adds_price {
        let warning = |span| {
            Diagnostic::warning("nothing in this program has a price".to_string(), span)
                .with_label("so this gives the first result, not the least")
                .with_hint("the price is what `cost(n)` adds up: call it where something is spent, or last, `cost(total);`")
        };
        let unpriced = std::mem::take(&mut walk.minimizations);
        walk.found.extend(unpriced.into_iter().map(warning));
    }
    for shown in std::mem::take(&mut walk.shown) {
        walk.shows_sets(&shown);
    }
    for call in std::mem::take(&mut walk.searches) {
        if !walk.cells_among_positions(call) && walk.finds_nothing(call) {
            walk.found.push(
                Diagnostic::warning("a set never equals what is no set".to_string(), call.span)
                    .with_label("nothing is ever found here")
                    .with_hint(
                        "`decided(b)` is a board with plain values, `valueAt(b, place)` the only candidate of a place",
                    ),
            );
        }
    }
    walk.found
}

struct Walk<'a> {
    resolution: &'a Resolution,
    signatures: &'a Signatures,
    /// All values assigned to a variable; `None` for one that is not visible here.
    values: KeyedMap<Meaning, Vec<Option<&'a Expression>>>,
    /// The values of its elements.
    elements: KeyedMap<Meaning, Vec<&'a Expression>>,
    /// What the parameters of functions get that built-ins call with elements.
    given_elements: KeyedMap<Meaning, Elements<'a>>,
    comparisons: Vec<(&'a Expression, &'a Expression, Span)>,
    /// Calls that look for a value.
    searches: Vec<&'a Expression>,
    indexed: Vec<Indexed<'a>>,
    calls: Vec<&'a Expression>,
    /// What the variables of loops go through.
    gone_through: KeyedMap<Meaning, &'a Expression>,
    decisions: Vec<Decision>,
    /// What shows as text.
    shown: Vec<Shown<'a>>,
    /// The function that is walked through.
    around: Option<Span>,
    /// Calls that look for the least price.
    minimizations: Vec<Span>,
    adds_price: bool,
    found: Vec<Diagnostic>,
}

impl<'a> Walk<'a> {
    fn meaning(&self, name: &Ident) -> Option<Meaning> {
        self.resolution.meanings.get(&name.span.start).copied()
    }

    /// The built-in and the arguments of an expression that is only a call.
    fn built_in(&self, expression: &'a Expression) -> Option<(&'a Signature, &'a [Expression])> {
        let ExpressionKind::Postfix { base, operations } = &expression.kind else {
            return None;
        };
        let (ExpressionKind::Name(name), [only]) = (&base.kind, &operations[..]) else {
            return None;
        };
        let PostfixKind::Call(arguments) = &only.kind else {
            return None;
        };
        let native = self.resolution.native(self.meaning(name)?)?;
        Some((self.signatures.get(native), &arguments[..]))
    }

    /// Whether a call looks for a plain value among sets, or for a set among plain values.
    fn finds_nothing(&self, call: &'a Expression) -> bool {
        let Some((built_in, arguments)) = self.built_in(call) else {
            return false;
        };
        let Some((wanted, collection)) = built_in.facts.searches else {
            return false;
        };
        let (Some(wanted), Some(collection)) = (
            arguments.get(usize::from(wanted)),
            arguments.get(usize::from(collection)),
        ) else {
            return false;
        };
        // A function tests, and the elements of a grid are its positions.
        let is_position =
            |(built_in, _): (&Signature, _)| built_in.facts.gives == ResultKind::Position;
        let is_other = matches!(wanted.kind, ExpressionKind::Function(_))
            || self.built_in(wanted).is_some_and(is_position);
        match &collection.kind {
            ExpressionKind::Name(name) => {
                !is_other && self.is_no_set(wanted) && self.holds_sets(name, 0)
            }
            ExpressionKind::Array(elements) => {
                !elements.is_empty()
                    && elements.iter().all(|element| self.is_no_set(element))
                    && self.is_set(wanted, 0)
            }
            _ => self
                .built_in(collection)
                .is_some_and(|(built_in, elements)| {
                    built_in.facts.form == Some(Form::SetOf)
                        && !elements.is_empty()
                        && elements.iter().all(|element| self.is_no_set(element))
                        && self.is_set(wanted, 0)
                }),
        }
    }

    fn compares_set(&self, set: &'a Expression, other: &'a Expression) -> bool {
        self.is_no_set(other) && self.is_set(set, 0)
    }

    /// Whether a value is certainly neither a set nor null.
    fn is_no_set(&self, expression: &'a Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Boolean(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::String(_)
            | ExpressionKind::Template(_)
            | ExpressionKind::Array(_)
            | ExpressionKind::Object(_)
            | ExpressionKind::Function(_)
            | ExpressionKind::Unary { .. } => true,
            _ => self
                .built_in(expression)
                .is_some_and(|(built_in, _)| built_in.facts.gives.is_no_set()),
        }
    }

    /// Whether a value is certainly a set.
    fn is_set(&self, expression: &'a Expression, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        match &expression.kind {
            ExpressionKind::Name(name) => {
                self.all_values(name, |value| self.is_set(value, depth + 1))
            }
            ExpressionKind::Conditional {
                then, otherwise, ..
            } => self.is_set(then, depth + 1) && self.is_set(otherwise, depth + 1),
            ExpressionKind::Postfix { base, operations } => {
                if let Some((built_in, arguments)) = self.built_in(expression) {
                    return built_in.facts.gives.is_set(arguments.len());
                }
                let (ExpressionKind::Name(board), [only]) = (&base.kind, &operations[..]) else {
                    return false;
                };
                matches!(only.kind, PostfixKind::Index(_)) && self.holds_sets(board, depth + 1)
            }
            _ => false,
        }
    }

    fn all_values(&self, name: &Ident, is: impl Fn(&'a Expression) -> bool) -> bool {
        let values = self
            .meaning(name)
            .and_then(|meaning| self.values.get(&meaning));
        values.is_some_and(|values| values.iter().all(|value| value.is_some_and(&is)))
    }

    /// Whether all elements of a variable are certainly sets.
    fn holds_sets(&self, name: &Ident, depth: usize) -> bool {
        self.holds(name, depth, &|value, depth| self.is_set(value, depth))
    }

    /// Whether something is certainly true of all elements of a variable.
    fn holds(
        &self,
        name: &Ident,
        depth: usize,
        is: &dyn Fn(&'a Expression, usize) -> bool,
    ) -> bool {
        let written = self
            .meaning(name)
            .and_then(|meaning| self.elements.get(&meaning));
        self.all_values(name, |value| self.is_of(value, depth, is))
            && written.into_iter().flatten().all(|value| is(value, depth))
    }

    /// Whether the value is an array, a grid or a mapped list whose elements are all of this kind for certain.
    fn is_of(
        &self,
        expression: &'a Expression,
        depth: usize,
        is: &dyn Fn(&'a Expression, usize) -> bool,
    ) -> bool {
        match &expression.kind {
            ExpressionKind::Array(elements) => {
                return !elements.is_empty() && elements.iter().all(|element| is(element, depth));
            }
            ExpressionKind::Object(fields) => {
                return !fields.is_empty() && fields.iter().all(|field| is(&field.value, depth));
            }
            _ => {}
        }
        let Some((built_in, arguments)) = self.built_in(expression) else {
            return false;
        };
        match (built_in.facts.form, arguments) {
            (Some(Form::MakeGrid), [_, _, value]) => is(value, depth),
            (Some(Form::Map), [_, function]) => match &function.kind {
                ExpressionKind::Function(function) => match &function.body {
                    FunctionBody::Expression(value) => is(value, depth),
                    FunctionBody::Block(_) => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    fn assigns(&mut self, name: &Ident, value: Option<&'a Expression>) {
        if let Some(meaning) = self.meaning(name) {
            self.values.entry(meaning).or_default().push(value);
        }
    }

    /// Walks through a statement, and collects what the lints need.
    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Expression(expression) => {
                self.decision(expression);
                self.thrown_away(expression);
            }
            StatementKind::If { arms, .. } => {
                for (condition, then) in arms {
                    self.empty_body(condition, then);
                }
            }
            StatementKind::Declare { declarators, .. } => {
                for declarator in declarators {
                    if let Some(value) = &declarator.value {
                        self.assigns(&declarator.name, Some(value));
                    }
                }
            }
            StatementKind::Foreach {
                name, collection, ..
            } => {
                self.assigns(name, None);
                if let Some(meaning) = self.meaning(name) {
                    self.gone_through.insert(meaning, collection);
                }
            }
            StatementKind::Function(function) => self.function(function),
            _ => {}
        }
        statement.each_part(&mut |part| match part {
            StatementPart::Expression(part) => self.expression(part),
            StatementPart::Statement(part) => self.statement(part),
        });
    }

    /// `if (c);`: the semicolon is all that the condition leads to.
    fn empty_body(&mut self, condition: &Expression, then: &Statement) {
        if matches!(then.kind, StatementKind::Empty) {
            let span = condition.span.to(then.span);
            let warning = Diagnostic::warning("this `if` leads to nothing".to_string(), span);
            self.found.push(
                warning
                    .with_label("its statement ends with this `;`")
                    .with_hint(
                        "leave out the `;` behind the condition, or write `{}` if that is meant",
                    ),
            );
        }
    }

    /// Walks through a function, and collects what the lints need.
    fn function(&mut self, function: &'a Function) {
        for parameter in &function.parameters {
            self.assigns(&parameter.name, None);
            parameter
                .default
                .iter()
                .for_each(|default| self.expression(default));
        }
        let around = self.around.replace(function.span);
        match &function.body {
            FunctionBody::Block(statements) => {
                statements.iter().for_each(|each| self.statement(each));
            }
            FunctionBody::Expression(value) => self.expression(value),
        }
        self.around = around;
    }

    /// A statement that is a call without effect, or a comparison.
    fn thrown_away(&mut self, expression: &'a Expression) {
        if let ExpressionKind::Chain { rest, .. } = &expression.kind
            && rest.iter().all(|link| link.operator.compares())
        {
            let warning = Diagnostic::warning(
                "what this comparison says is thrown away".to_string(),
                expression.span,
            )
            .with_label("this changes nothing");
            let assigns = rest[0].operator == BinaryOperator::Equal;
            self.found.push(warning.with_hint(if assigns {
                "to assign, write `=`; a rule is written `require(a == b);`"
            } else {
                "a rule is written `require(a < b);`"
            }));
            return;
        }
        let Some((built_in, arguments)) = self.built_in(expression) else {
            return;
        };
        let name = &built_in.name;
        if built_in.facts.constrains
            && let Some((source, _)) = arguments.first().and_then(|board| self.built_in(board))
            && (source.fresh || source.facts.unchanging.is_some())
        {
            let source = &source.name;
            self.found.push(
                Diagnostic::warning(format!("this `{name}` is about a copy"), expression.span)
                    .with_label(format!(
                        "`{source}` makes a new collection, which nothing else holds"
                    ))
                    .with_hint(format!(
                        "give the board itself, and say which places: `{name}(board, ...)`"
                    )),
            );
            return;
        }
        let Some(why) = built_in.facts.unchanging else {
            return;
        };
        let variable = match arguments.first().map(|first| &first.kind) {
            Some(ExpressionKind::Name(variable)) => &*variable.name,
            _ => "x",
        };
        self.found.push(
            Diagnostic::warning(
                format!("the result of `{name}` is thrown away"),
                expression.span,
            )
            .with_label("this changes nothing")
            .with_hint(
                format!("{why}: write `{variable} = {name}({variable}...);`")
                    .replace("...)", if arguments.len() > 1 { ", ...)" } else { ")" }),
            ),
        );
    }

    /// Walks through an expression, and collects what the lints need.
    fn expression(&mut self, expression: &'a Expression) {
        self.shown_in_text(expression);
        match &expression.kind {
            ExpressionKind::Function(function) => return self.function(function),
            ExpressionKind::Choose(alternatives) => self.choice(expression, alternatives),
            ExpressionKind::Name(name) => {
                let native = self
                    .meaning(name)
                    .and_then(|meaning| self.resolution.native(meaning));
                self.adds_price |=
                    native.is_some_and(|native| self.signatures.get(native).facts.adds_price);
            }
            ExpressionKind::Chain { first, rest } => {
                if let [link] = &rest[..]
                    && matches!(
                        link.operator,
                        BinaryOperator::Equal | BinaryOperator::NotEqual
                    )
                {
                    let span = expression.span;
                    self.comparisons.push((first, &link.operand, span));
                }
            }
            ExpressionKind::Assign {
                target,
                operator,
                value,
            } => match &**target {
                Target::Name(name) => self.assigns(name, operator.is_none().then_some(&**value)),
                Target::Index { object, .. } => {
                    if let ExpressionKind::Name(name) = &object.kind
                        && let Some(meaning) = self.meaning(name)
                    {
                        self.elements.entry(meaning).or_default().push(value);
                    }
                }
                Target::Field { .. } => {}
            },
            ExpressionKind::Update { target, .. } => {
                if let Target::Name(name) = &**target {
                    self.assigns(name, None);
                }
            }
            ExpressionKind::Postfix { .. } => {
                self.set_of_array(expression);
                self.call_with_elements(expression);
                self.index(expression);
                if self
                    .built_in(expression)
                    .is_some_and(|(built_in, _)| built_in.facts.minimizes)
                {
                    self.minimizations.push(expression.span);
                }
                self.shown_by_call(expression);
                self.calls.push(expression);
                if self
                    .built_in(expression)
                    .is_some_and(|(built_in, _)| built_in.facts.searches.is_some())
                {
                    self.searches.push(expression);
                }
            }
            _ => {}
        }
        expression.each_part(&mut |part| self.expression(part));
    }

    /// `choose(e)`
    fn choice(&mut self, expression: &'a Expression, alternatives: &'a [Expression]) {
        let [only] = alternatives else { return };
        let warning = Diagnostic::warning(
            "this `choose` has one alternative".to_string(),
            expression.span,
        )
        .with_label("there is nothing to choose");
        let is_list = matches!(only.kind, ExpressionKind::Array(_));
        self.found.push(warning.with_hint(if is_list {
            "an element of an array is chosen by `chooseElement([a, b])`; the alternatives of `choose(a, b)` stand one by one"
        } else {
            "`chooseElement(c)` chooses an element of a collection; the alternatives of `choose(a, b)` stand one by one"
        }));
    }
}
