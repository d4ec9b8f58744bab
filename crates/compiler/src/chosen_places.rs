//! Finds where a program chooses one of the undecided places. Each order of the places leads to the same boards, so a
//! search that may backtrack to such a choice finds every contradiction once for each order.

use ndscript_base::keyed::KeyedMap;

use super::resolve::meaning::Meaning;
use super::resolve::scope::Resolution;
use ndscript_base::source::Span;
use ndscript_bytecode::{Facts, Form, Signatures};
use ndscript_syntax::ast::*;
use ndscript_syntax::parts::StatementPart;

/// A call of `chooseElement` whose collection holds undecided places.
pub(super) struct ChosenPlace {
    /// The name `chooseElement`.
    pub span: Span,
    /// The collection, if it is a variable.
    pub collection: Option<Ident>,
    /// Where the places were listed.
    pub list_span: Span,
}

/// A holder of undecided places.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    /// A call of a built-in that lists them.
    Listed(Span),
    Variable(Meaning),
    /// The result of a function of the program.
    Result(Meaning),
    Parameter(Meaning, usize),
}

/// All such calls, in the order of the text. Values are followed through variables, parameters and results of the
/// program's own functions, not through arrays and objects.
pub(super) fn chosen_places(
    files: &[&Script],
    resolution: &Resolution,
    signatures: &Signatures,
) -> Vec<ChosenPlace> {
    let calls_of = |is: fn(&Facts) -> bool| {
        let mut natives = resolution.globals.iter().filter_map(|global| global.native);
        natives.any(|native| is(&signatures.get(native).facts))
    };
    // Nearly all programs lack one or the other.
    if !calls_of(is_choice) || !calls_of(|facts| facts.lists_undecided) {
        return Vec::new();
    }
    let mut walk = Walk {
        resolution,
        signatures,
        flows: KeyedMap::default(),
        choices: Vec::new(),
        functions: Vec::new(),
    };
    files
        .iter()
        .for_each(|file| walk.statements(&file.statements));
    let reached = walk.reached();
    let chosen = |(span, collection, sources): (Span, Option<Ident>, Vec<Holder>)| {
        let listed = sources.iter().find_map(|source| reached.get(source))?;
        Some(ChosenPlace {
            span,
            collection,
            list_span: *listed,
        })
    };
    walk.choices.into_iter().filter_map(chosen).collect()
}

/// Whether it is `chooseElement`.
fn is_choice(facts: &Facts) -> bool {
    facts.form == Some(Form::ChooseElement)
}

struct Walk<'a> {
    resolution: &'a Resolution,
    signatures: &'a Signatures,
    /// The holders that each holder's value flows to.
    flows: KeyedMap<Holder, Vec<Holder>>,
    choices: Vec<(Span, Option<Ident>, Vec<Holder>)>,
    /// The functions around, innermost last; those without a name are `None`.
    functions: Vec<Option<Meaning>>,
}

impl Walk<'_> {
    /// The holders that undecided places reach, each with the place where they were listed.
    fn reached(&self) -> KeyedMap<Holder, Span> {
        let mut reached = KeyedMap::default();
        let mut open: Vec<(Holder, Span)> = Vec::new();
        for source in self.flows.keys() {
            if let Holder::Listed(span) = source {
                open.push((*source, *span));
            }
        }
        // The first in the text wins, whatever the order of the table.
        open.sort_unstable_by_key(|(_, span)| std::cmp::Reverse(*span));
        while let Some((holder, span)) = open.pop() {
            if reached.contains_key(&holder) {
                continue;
            }
            reached.insert(holder, span);
            open.extend(
                self.flows
                    .get(&holder)
                    .into_iter()
                    .flatten()
                    .map(|next| (*next, span)),
            );
        }
        reached
    }

    fn meaning(&self, name: &Ident) -> Option<Meaning> {
        self.resolution.meanings.get(&name.span.start).copied()
    }

    /// The facts of the built-in that a name means; none for other names.
    fn facts(&self, name: &Ident) -> Facts {
        let native = self
            .meaning(name)
            .and_then(|meaning| self.resolution.native(meaning));
        native.map_or_else(Facts::default, |native| self.signatures.get(native).facts)
    }

    /// The possible origins of the elements of an expression's value.
    fn sources(&self, expression: &Expression, found: &mut Vec<Holder>) {
        match &expression.kind {
            ExpressionKind::Name(name) => found.extend(self.meaning(name).map(Holder::Variable)),
            ExpressionKind::Conditional {
                then, otherwise, ..
            } => {
                self.sources(then, found);
                self.sources(otherwise, found);
            }
            ExpressionKind::Postfix { base, operations } => {
                let ExpressionKind::Name(name) = &base.kind else {
                    return;
                };
                let [
                    Postfix {
                        kind: PostfixKind::Call(arguments),
                        span,
                    },
                ] = &operations[..]
                else {
                    return;
                };
                let facts = self.facts(name);
                if facts.lists_undecided {
                    found.push(Holder::Listed(*span));
                } else if facts.passes_elements {
                    arguments
                        .iter()
                        .take(1)
                        .for_each(|first| self.sources(first, found));
                } else {
                    found.extend(self.meaning(name).map(Holder::Result));
                }
            }
            _ => {}
        }
    }

    fn flow(&mut self, value: &Expression, to: Holder) {
        let mut sources = Vec::new();
        self.sources(value, &mut sources);
        for source in sources {
            self.flows.entry(source).or_default().push(to);
        }
    }

    /// A variable is assigned.
    fn gives(&mut self, name: &Ident, value: &Expression) {
        let Some(meaning) = self.meaning(name) else {
            return self.expression(value);
        };
        if let ExpressionKind::Function(function) = &value.kind {
            return self.function(function, Some(meaning));
        }
        self.flow(value, Holder::Variable(meaning));
        self.expression(value);
    }

    /// Records a call: a choice with the collections that it chooses from, else where the arguments flow to.
    fn call(&mut self, name: &Ident, arguments: &[Expression]) {
        if is_choice(&self.facts(name)) {
            let Some(collection) = arguments.first() else {
                return;
            };
            let mut sources = Vec::new();
            self.sources(collection, &mut sources);
            for source in &sources {
                // So that a list in the expression itself is reached, too.
                self.flows.entry(*source).or_default();
            }
            let name_of = if let ExpressionKind::Name(name) = &collection.kind {
                Some(name.clone())
            } else {
                None
            };
            self.choices.push((name.span, name_of, sources));
        } else if let Some(meaning) = self.meaning(name) {
            for (at, argument) in arguments.iter().enumerate() {
                self.flow(argument, Holder::Parameter(meaning, at));
            }
        }
    }

    /// Walks through a function; its name, if it has one, tells which arguments flow into its parameters.
    fn function(&mut self, function: &Function, name: Option<Meaning>) {
        for (at, parameter) in function.parameters.iter().enumerate() {
            if let (Some(function), Some(own)) = (name, self.meaning(&parameter.name)) {
                self.flows
                    .entry(Holder::Parameter(function, at))
                    .or_default()
                    .push(Holder::Variable(own));
            }
            parameter
                .default
                .iter()
                .for_each(|default| self.expression(default));
        }
        self.functions.push(name);
        match &function.body {
            FunctionBody::Block(statements) => self.statements(statements),
            FunctionBody::Expression(value) => self.returns(value),
        }
        self.functions.pop();
    }

    fn returns(&mut self, value: &Expression) {
        if let Some(Some(function)) = self.functions.last() {
            self.flow(value, Holder::Result(*function));
        }
        self.expression(value);
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements
            .iter()
            .for_each(|statement| self.statement(statement));
    }

    /// Walks through a statement, and records where the values in it flow to.
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare { declarators, .. } => {
                for declarator in declarators {
                    declarator
                        .value
                        .iter()
                        .for_each(|value| self.gives(&declarator.name, value));
                }
            }
            StatementKind::Function(function) => {
                self.function(
                    function,
                    function.name.as_ref().and_then(|name| self.meaning(name)),
                );
            }
            StatementKind::Return(value) => value.iter().for_each(|value| self.returns(value)),
            _ => statement.each_part(&mut |part| match part {
                StatementPart::Expression(part) => self.expression(part),
                StatementPart::Statement(part) => self.statement(part),
            }),
        }
    }

    /// Walks through an expression, and records where the values in it flow to.
    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Function(function) => return self.function(function, None),
            ExpressionKind::Postfix { base, operations } => {
                if let (ExpressionKind::Name(name), Some(PostfixKind::Call(arguments))) =
                    (&base.kind, operations.first().map(|first| &first.kind))
                {
                    self.call(name, arguments);
                }
            }
            ExpressionKind::Assign { target, value, .. } => {
                if let Target::Name(name) = &**target {
                    return self.gives(name, value);
                }
            }
            _ => {}
        }
        expression.each_part(&mut |part| self.expression(part));
    }
}
