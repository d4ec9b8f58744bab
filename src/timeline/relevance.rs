//! Which statements may have a part in what another one does, told by the names that they use. What was read in between for
//! something else is no reason.
//!
//! What comes by way of a place of a collection is known better from the run itself. So here it is followed through
//! variables alone, and through collections that are used as a whole.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::source::{Sources, Span};
use crate::syntax::ast::*;
use crate::syntax::parse;
use crate::syntax::parts::StatementPart;

/// Built-ins that change the collection that they are given.
const CHANGERS: [&str; 8] = ["push", "pop", "insert", "removeAt", "removeKey", "enqueue", "dequeue", "fill"];

/// Of a program with more functions nothing is known: what each does with all that it calls would take too much.
const FUNCTIONS: usize = 200;

/// So many statements are looked at in all. Whatever is asked behind that may have a part.
const LOOKS: usize = 5_000_000;

/// The statements of a program.
#[derive(Default)]
pub(super) struct Relevance {
    statements: Vec<Stated>,
    /// So many bodies of functions there are; what stands outside of all is the one before the first.
    bodies: usize,
    /// What the functions of a name use, with all that they call.
    functions: HashMap<Arc<str>, Names>,
    /// The statements that stand at places, and those that have a part in them, as far as somebody has asked.
    known: HashMap<u32, Option<usize>>,
    parts: HashMap<usize, HashSet<usize>>,
    looks: usize,
}

/// A simple statement, or what decides whether others run.
struct Stated {
    span: Span,
    /// Statements of one call have the same.
    function: usize,
    /// What decides whether it runs.
    around: Option<usize>,
    /// Whether it may keep what stands behind it from running.
    is_guard: bool,
    names: Names,
}

/// What a statement does with names.
#[derive(Clone, Default)]
struct Names {
    used: HashSet<Arc<str>>,
    /// Those that are used otherwise than for one of their parts.
    whole: HashSet<Arc<str>>,
    /// Variables that get another value.
    set: HashSet<Arc<str>>,
    /// Collections that get more or fewer elements.
    changed: HashSet<Arc<str>>,
    /// Functions, with the collections that they are given.
    given: Vec<(Arc<str>, Arc<str>)>,
    /// Names that are declared here: outside of the function they are nobody's.
    declared: HashSet<Arc<str>>,
}

impl Names {
    fn add(&mut self, other: &Names) {
        for (all, more) in [
            (&mut self.used, &other.used),
            (&mut self.whole, &other.whole),
            (&mut self.set, &other.set),
            (&mut self.changed, &other.changed),
        ] {
            all.extend(more.iter().cloned());
        }
    }

    /// A function of the program may change what it is given.
    fn hand_over(&mut self, named: &HashSet<Arc<str>>) {
        let given = std::mem::take(&mut self.given);
        self.changed.extend(given.into_iter().filter(|(function, _)| named.contains(function)).map(|(_, given)| given));
    }

    fn size(&self) -> usize {
        self.used.len() + self.whole.len() + self.set.len() + self.changed.len()
    }

    /// Whether what this does is of use to somebody who needs these names.
    fn serves(&self, needed: &Names) -> bool {
        !self.set.is_disjoint(&needed.used) || !self.changed.is_disjoint(&needed.whole)
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                self.used.insert(name.name.clone());
                self.whole.insert(name.name.clone());
            }
            ExpressionKind::Postfix { base, operations } => {
                match (&base.kind, operations.first().map(|first| &first.kind)) {
                    (ExpressionKind::Name(name), Some(PostfixKind::Index(_) | PostfixKind::Field(_))) => {
                        self.used.insert(name.name.clone());
                    }
                    (ExpressionKind::Name(name), Some(PostfixKind::Call(arguments))) => {
                        self.used.insert(name.name.clone());
                        let given = arguments.iter().filter_map(root);
                        match CHANGERS.contains(&&*name.name) {
                            true => self.changed.extend(given),
                            false => self.given.extend(given.map(|given| (name.name.clone(), given))),
                        }
                    }
                    _ => self.expression(base),
                }
                operations.iter().for_each(|operation| operation.each_part(&mut |part| self.expression(part)));
            }
            ExpressionKind::Assign { target, operator, value } => {
                self.target(target, operator.is_some());
                self.expression(value);
            }
            ExpressionKind::Update { target, .. } => self.target(target, true),
            ExpressionKind::Function(function) => self.function(function),
            _ => expression.each_part(&mut |part| self.expression(part)),
        }
    }

    /// The collection that is written to has no part in what is written.
    fn target(&mut self, target: &Target, is_used: bool) {
        match target {
            Target::Name(name) => {
                self.set.insert(name.name.clone());
                if is_used {
                    self.used.insert(name.name.clone());
                }
            }
            Target::Field { object, .. } | Target::Index { object, .. } => {
                target.each_part(&mut |part| {
                    if !std::ptr::eq(part, object) || !matches!(part.kind, ExpressionKind::Name(_)) {
                        self.expression(part);
                    }
                });
            }
        }
    }

    fn function(&mut self, function: &Function) {
        let mut inner = Names::default();
        for parameter in &function.parameters {
            parameter.default.iter().for_each(|value| inner.expression(value));
            inner.declared.insert(parameter.name.name.clone());
        }
        match &function.body {
            FunctionBody::Block(statements) => statements.iter().for_each(|statement| inner.statement(statement)),
            FunctionBody::Expression(value) => inner.expression(value),
        }
        let Names { used, whole, set, changed, given, declared } = inner;
        for (all, names) in
            [(&mut self.used, used), (&mut self.whole, whole), (&mut self.set, set), (&mut self.changed, changed)]
        {
            all.extend(names.difference(&declared).cloned());
        }
        self.given.extend(given.into_iter().filter(|(_, given)| !declared.contains(given)));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare { declarators, .. } => {
                let names = declarators.iter().map(|declarator| &declarator.name.name);
                self.set.extend(names.clone().cloned());
                self.declared.extend(names.cloned());
            }
            StatementKind::Foreach { name, .. } => {
                self.set.insert(name.name.clone());
                self.declared.insert(name.name.clone());
            }
            StatementKind::Function(function) => self.function(function),
            _ => {}
        }
        statement.each_part(&mut |part| match part {
            StatementPart::Expression(part) => self.expression(part),
            StatementPart::Statement(part) => self.statement(part),
        });
    }
}

/// The variable that an expression is, or that holds what it is a part of.
fn root(expression: &Expression) -> Option<Arc<str>> {
    match &expression.kind {
        ExpressionKind::Name(name) => Some(name.name.clone()),
        ExpressionKind::Postfix { base, .. } => root(base),
        _ => None,
    }
}

/// Whether a body ends what it stands in.
fn leaves(body: &Statement) -> bool {
    match &body.kind {
        StatementKind::Return(_) | StatementKind::Break | StatementKind::Continue => true,
        StatementKind::Block(statements) => statements.iter().any(leaves),
        _ => false,
    }
}

impl Relevance {
    /// Of the files of a program.
    pub fn of(sources: &Sources) -> Relevance {
        let mut all = Relevance::default();
        for file in sources.files() {
            // An input of a conversation may lack its last semicolon.
            let parsed = parse(&file.text, file.base).or_else(|_| parse(&format!("{}\n;", file.text), file.base));
            if let Ok(script) = parsed {
                Reading(&mut all).statements(&script.statements, 0, None);
            }
        }
        if all.functions.len() > FUNCTIONS {
            return Relevance::default();
        }
        all.close();
        all
    }

    /// Functions do what those do that they name.
    fn close(&mut self) {
        let named: HashSet<Arc<str>> = self.functions.keys().cloned().collect();
        self.functions.values_mut().for_each(|names| names.hand_over(&named));
        loop {
            let mut is_done = true;
            let names: Vec<Arc<str>> = self.functions.keys().cloned().collect();
            for name in names {
                let before = self.functions[&name].clone();
                let mut after = before.clone();
                before.used.iter().filter_map(|used| self.functions.get(used)).for_each(|used| after.add(used));
                if after.size() > before.size() {
                    self.functions.insert(name, after);
                    is_done = false;
                }
            }
            if is_done {
                break;
            }
        }
        for statement in &mut self.statements {
            let Stated { names, .. } = statement;
            names.hand_over(&named);
            let called: Vec<&Names> = names.used.iter().filter_map(|used| self.functions.get(used)).collect();
            called.into_iter().for_each(|called| names.add(called));
        }
    }

    /// The smallest statement at a place.
    fn statement(&mut self, at: u32) -> Option<usize> {
        let Relevance { statements, known, looks, .. } = self;
        *known.entry(at).or_insert_with(|| {
            *looks += statements.len();
            let there = (0..statements.len()).filter(|number| {
                let span = statements[*number].span;
                (span.start..span.end.max(span.start + 1)).contains(&at)
            });
            there.min_by_key(|number| statements[*number].span.end - statements[*number].span.start)
        })
    }

    /// Whether what stands at one place may have a part in what the statement at another does. Of what is not known, it may.
    pub fn has_part(&mut self, at: Option<u32>, by: Option<u32>) -> bool {
        let (Some(at), Some(by)) = (at, by) else { return true };
        if self.looks > LOOKS {
            return true;
        }
        let (Some(at), Some(by)) = (self.statement(at), self.statement(by)) else { return true };
        // A function that stands within the statement of another is called by what is asked about.
        if at == by || self.statements[at].function != self.statements[by].function {
            return true;
        }
        let Relevance { statements, parts, looks, .. } = self;
        parts.entry(by).or_insert_with(|| parts_of(statements, by, looks)).contains(&at)
    }
}

/// The statements of the same function that may have a part in one.
fn parts_of(statements: &[Stated], by: usize, looks: &mut usize) -> HashSet<usize> {
    let mut parts = HashSet::new();
    let mut needed = Names::default();
    let mut to_do = vec![by];
    let own = &statements[by];
    let is_guard = |other: &Stated| other.is_guard && other.span.start < own.span.start;
    let others: Vec<usize> =
        (0..statements.len()).filter(|other| statements[*other].function == own.function).collect();
    to_do.extend(others.iter().copied().filter(|other| is_guard(&statements[*other])));
    loop {
        while let Some(next) = to_do.pop() {
            if parts.insert(next) {
                needed.add(&statements[next].names);
                to_do.extend(statements[next].around);
            }
        }
        *looks += others.len();
        to_do.extend(
            others.iter().copied().filter(|other| !parts.contains(other) && statements[*other].names.serves(&needed)),
        );
        if to_do.is_empty() {
            return parts;
        }
    }
}

/// Takes the statements of a file down.
struct Reading<'a>(&'a mut Relevance);

impl Reading<'_> {
    fn add(&mut self, span: Span, function: usize, around: Option<usize>, names: Names) -> usize {
        self.0.statements.push(Stated { span, function, around, is_guard: false, names });
        self.0.statements.len() - 1
    }

    /// A statement that is one expression, or what decides whether others run.
    fn header(&mut self, expression: &Expression, function: usize, around: Option<usize>) -> usize {
        let mut names = Names::default();
        names.expression(expression);
        self.functions_in(expression);
        self.add(expression.span, function, around, names)
    }

    fn statements(&mut self, statements: &[Statement], function: usize, around: Option<usize>) {
        statements.iter().for_each(|statement| self.statement(statement, function, around));
    }

    fn statement(&mut self, statement: &Statement, function: usize, around: Option<usize>) {
        match &statement.kind {
            StatementKind::Block(statements) => self.statements(statements, function, around),
            StatementKind::Function(declared) => self.function(declared),
            StatementKind::If { arms, otherwise } => {
                let mut around = around;
                for (condition, body) in arms {
                    let header = self.header(condition, function, around);
                    self.0.statements[header].is_guard = leaves(body);
                    around = Some(header);
                    self.statement(body, function, around);
                }
                otherwise.iter().for_each(|body| self.statement(body, function, around));
            }
            StatementKind::While { condition, body } => {
                let header = self.header(condition, function, around);
                self.statement(body, function, Some(header));
            }
            StatementKind::For { initial, condition, step, body } => {
                initial.iter().for_each(|initial| self.statement(initial, function, around));
                let header = condition.as_ref().map(|condition| self.header(condition, function, around)).or(around);
                if let Some(step) = step {
                    self.header(step, function, header);
                }
                self.statement(body, function, header);
            }
            StatementKind::Foreach { name, collection, body } => {
                let header = self.header(collection, function, around);
                self.0.statements[header].names.set.insert(name.name.clone());
                self.statement(body, function, Some(header));
            }
            StatementKind::Choose { alternatives, .. } => {
                let header = self.add(statement.span, function, around, Names::default());
                self.statements(alternatives, function, Some(header));
            }
            _ => {
                let mut names = Names::default();
                names.statement(statement);
                statement.each_part(&mut |part| {
                    if let StatementPart::Expression(part) = part {
                        self.functions_in(part);
                    }
                });
                if let StatementKind::Declare { declarators, .. } = &statement.kind {
                    for declarator in declarators {
                        if let Some(Expression { kind: ExpressionKind::Function(value), .. }) = &declarator.value {
                            self.name(&declarator.name, value);
                        }
                    }
                }
                self.add(statement.span, function, around, names);
            }
        }
    }

    /// The functions that stand in an expression.
    fn functions_in(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Function(function) => self.function(function),
            _ => expression.each_part(&mut |part| self.functions_in(part)),
        }
    }

    fn function(&mut self, function: &Function) {
        if let Some(name) = &function.name {
            self.name(name, function);
        }
        self.0.bodies += 1;
        let number = self.0.bodies;
        match &function.body {
            FunctionBody::Block(statements) => self.statements(statements, number, None),
            FunctionBody::Expression(value) => {
                self.header(value, number, None);
            }
        }
    }

    fn name(&mut self, name: &Ident, function: &Function) {
        let mut names = Names::default();
        names.function(function);
        let known = self.0.functions.entry(name.name.clone()).or_default();
        known.add(&names);
        known.given.extend(names.given);
    }
}
