//! Resolves every name, before any code is emitted.

pub(crate) mod assigned;
mod declare;
pub(crate) mod hoist;
pub(crate) mod meaning;
mod refusals;
pub(crate) mod scope;
mod top_level;

use std::ops::Range;
use std::sync::Arc;

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use super::notes::NamedCall;
use meaning::{Meaning, VariableId};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;
use ndscript_bytecode::{Facts, Form, Global, Signatures};
use ndscript_syntax::ast::*;
use ndscript_syntax::limited;
use scope::Resolution;
use top_level::TopLevel;

/// How a name is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declaration {
    Var,
    Let,
    Const,
    Function,
    Parameter,
}

struct Scope {
    names: KeyedMap<Arc<str>, (Meaning, Declaration, Span)>,
    function: u32,
}

/// A function that is being walked.
struct Enclosing {
    number: u32,
    /// Where it begins, and whether it exists from the start of its block.
    start: u32,
    hoisted: bool,
}

struct Resolver<'a> {
    signatures: &'a Signatures,
    in_prelude: bool,
    scopes: Vec<Scope>,
    enclosing: Vec<Enclosing>,
    global_slots: KeyedMap<Arc<str>, u32>,
    global_constants: KeyedMap<u32, Span>,
    /// Whether this is an input of a growing program: every fact about a global may change later.
    incremental: bool,
    /// The parameters that have no value yet in the default that is being walked.
    parameters_without_value: Vec<Range<VariableId>>,
    top_level: TopLevel,
    /// The finished blocks and functions, with their declarations; recorded for editors only.
    left: Option<Vec<LeftScope>>,
    out: Resolution,
    errors: Vec<Diagnostic>,
}

/// A block or a function, and the meanings of its names.
#[derive(Clone, Debug)]
pub struct LeftScope {
    pub span: Span,
    pub names: Vec<Meaning>,
}

/// The facts of the built-in of a name; none if there is no such built-in.
fn facts_of(signatures: &Signatures, name: &str) -> Facts {
    let native = signatures.find(name, false);
    native.map_or_else(Facts::default, |native| signatures.get(native).facts)
}

/// Whether a value that is written like this can certainly not be called.
fn is_no_function(value: &Expression, signatures: &Signatures) -> bool {
    match &value.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Boolean(_)
        | ExpressionKind::String(_)
        | ExpressionKind::Template(_)
        | ExpressionKind::Array(_)
        | ExpressionKind::Object(_)
        | ExpressionKind::Chain { .. }
        | ExpressionKind::Unary { .. } => true,
        ExpressionKind::Postfix { base, operations } => {
            matches!(&base.kind, ExpressionKind::Name(name) if facts_of(signatures, &name.name).gives.is_no_function())
                && matches!(
                    &operations[..],
                    [Postfix {
                        kind: PostfixKind::Call(_),
                        ..
                    }]
                )
        }
        _ => false,
    }
}

/// Functions with more variables keep some of them in an array.
pub(super) const MOST_VARIABLES: u32 = 110;

/// How many parameters, the last ones, have defaults.
pub(super) fn optional(parameters: &[Parameter]) -> u32 {
    parameters
        .iter()
        .filter(|parameter| parameter.default.is_some())
        .count() as u32
}

/// The name that a target begins with: `a` of `a.b[c]`.
fn root(target: &Target) -> Option<&Ident> {
    let object = match target {
        Target::Name(name) => return Some(name),
        Target::Field { object, .. } | Target::Index { object, .. } => object,
    };
    let base = match &object.kind {
        ExpressionKind::Postfix { base, operations } => {
            let is_call = |operation: &Postfix| matches!(operation.kind, PostfixKind::Call(_));
            if operations.iter().any(is_call) {
                return None;
            }
            base
        }
        _ => object,
    };
    match &base.kind {
        ExpressionKind::Name(name) => Some(name),
        _ => None,
    }
}

/// The number by which variables know their function; the program itself is 0.
pub fn function_number(function: &Function) -> u32 {
    function.span.start + 1
}

/// Resolves the names of a program, given as the statements of its files in order of import. `earlier` are the global
/// variables of the earlier inputs of a growing program.
pub fn resolve(
    files: &[&[Statement]],
    signatures: &Signatures,
    in_prelude: bool,
    earlier: Option<&[Global]>,
) -> Result<Resolution, Vec<Diagnostic>> {
    let mut resolver = Resolver::new(signatures, in_prelude, earlier);
    resolver.files(files);
    if !resolver.errors.is_empty() {
        return Err(limited(resolver.errors, 0));
    }
    // Functions may use names that a later input declares, and functions of the prelude run in no frame of a program.
    if !resolver.incremental && !in_prelude {
        resolver
            .out
            .place_top_level(resolver.top_level, MOST_VARIABLES as usize);
    }
    Ok(resolver.out)
}

/// The meanings of the names in a program as far as they can be resolved, even if it has errors, and its scopes. For
/// editors.
pub fn meanings(
    files: &[&[Statement]],
    signatures: &Signatures,
) -> (Resolution, Vec<LeftScope>, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(signatures, false, None);
    resolver.left = Some(Vec::new());
    resolver.files(files);
    let left = resolver.left.unwrap_or_default();
    (resolver.out, left, resolver.errors)
}

impl<'a> Resolver<'a> {
    /// A resolver with the scope of the top level, which has the global variables of earlier inputs.
    fn new(
        signatures: &'a Signatures,
        in_prelude: bool,
        earlier: Option<&[Global]>,
    ) -> Resolver<'a> {
        let mut resolver = Resolver {
            signatures,
            in_prelude,
            scopes: vec![Scope {
                names: KeyedMap::default(),
                function: 0,
            }],
            enclosing: vec![Enclosing {
                number: 0,
                start: 0,
                hoisted: false,
            }],
            global_slots: KeyedMap::default(),
            global_constants: KeyedMap::default(),
            incremental: earlier.is_some(),
            parameters_without_value: Vec::new(),
            top_level: TopLevel::default(),
            left: None,
            out: Resolution::default(),
            errors: Vec::new(),
        };
        for (slot, global) in earlier.unwrap_or_default().iter().enumerate() {
            resolver
                .global_slots
                .insert(global.name.clone(), slot as u32);
            resolver
                .global_constants
                .extend(global.constant.map(|place| (slot as u32, place)));
            resolver.out.globals.push(global.clone());
            resolver.out.declared_globals.push(None);
            resolver.out.reassigned_globals.push(false);
        }
        resolver
    }

    /// Resolves all files: first all their declarations, since functions may use what a later file declares.
    fn files(&mut self, files: &[&[Statement]]) {
        for (file, statements) in files.iter().enumerate() {
            self.top_level.file = file as u32;
            self.declare_vars(statements);
            self.declare_block(statements);
        }
        for (file, statements) in files.iter().enumerate() {
            self.top_level.file = file as u32;
            self.statements(statements);
        }
        self.record_unknown();
        self.refuse_denied();
    }
}

impl Resolver<'_> {
    fn function(&self) -> u32 {
        self.enclosing
            .last()
            .map_or(0, |enclosing| enclosing.number)
    }

    /// Records what a message can say of names that nothing gives a value.
    fn record_unknown(&mut self) {
        let Resolution {
            globals,
            variables,
            notes,
            ..
        } = &mut self.out;
        if globals
            .iter()
            .all(|global| global.is_declared || global.native.is_some() || global.is_host_constant)
        {
            return;
        }
        let inner: KeyedSet<&str> = variables.iter().map(|variable| &*variable.name).collect();
        for global in globals.iter_mut() {
            global.is_inner = inner.contains(&*global.name);
        }
        for call in &notes.calls {
            if let Meaning::Global(slot) = call.meaning {
                globals[slot as usize].is_called = true;
            }
        }
    }

    /// Walks through something in a scope of its own, which ends with it.
    fn scoped(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        let function = self.function();
        self.scopes.push(Scope {
            names: KeyedMap::default(),
            function,
        });
        walk(self);
        if let (Some(scope), Some(left)) = (self.scopes.pop(), &mut self.left)
            && !scope.names.is_empty()
        {
            let names = scope.names.values().map(|(meaning, ..)| *meaning).collect();
            left.push(LeftScope { span, names });
        }
    }

    fn looped(&mut self, walk: impl FnOnce(&mut Self)) {
        self.top_level.begin_loop();
        walk(self);
        self.top_level.end_loop();
    }

    // Statements.

    /// Resolves statements, and records those that a `return` or the like before them makes unreachable.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
        for pair in statements.windows(2) {
            let word = match &pair[0].kind {
                StatementKind::Return(_) => "return",
                StatementKind::Break => "break",
                StatementKind::Continue => "continue",
                StatementKind::Expression(Expression {
                    kind: ExpressionKind::Fail(_),
                    ..
                }) => "fail",
                _ => continue,
            };
            // Functions exist from the start of their block.
            if !matches!(
                pair[1].kind,
                StatementKind::Function(_) | StatementKind::Empty
            ) {
                self.out.notes.unreachable.push((pair[1].span, word));
            }
        }
    }

    /// A statement that is a body: a declaration in it is in a scope of its own.
    fn body(&mut self, statement: &Statement) {
        self.scoped(statement.span, |this| {
            this.declare_lexical(statement);
            this.statement(statement);
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Empty
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Import { .. } => {}
            StatementKind::Expression(expression) => self.effect(expression),
            StatementKind::Declare { declarators, .. } => {
                for declarator in declarators {
                    if let Some(value) = &declarator.value {
                        self.expression(value);
                        self.record_hiding(&declarator.name, value);
                        match self.out.meanings.get(&declarator.name.span.start).copied() {
                            // A `var` with a value may be executed several times.
                            Some(meaning @ Meaning::Local(id))
                                if !self.out.variables[id as usize].lexical =>
                            {
                                self.mark_reassigned(meaning, false);
                            }
                            Some(Meaning::Global(slot)) => self.top_level.write(slot, false),
                            _ => {}
                        }
                    }
                }
            }
            StatementKind::Function(function) => self.function_body(function, true),
            StatementKind::Block(statements) => self.scoped(statement.span, |this| {
                this.declare_block(statements);
                this.statements(statements);
            }),
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.expression(condition);
                    self.body(body);
                }
                otherwise.iter().for_each(|body| self.body(body));
            }
            StatementKind::While { condition, body } => self.looped(|this| {
                this.expression(condition);
                this.body(body);
            }),
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => self.scoped(statement.span, |this| {
                if let Some(initial) = initial {
                    this.declare_lexical(initial);
                    this.statement(initial);
                }
                this.looped(|this| {
                    condition
                        .iter()
                        .for_each(|condition| this.expression(condition));
                    step.iter().for_each(|step| this.effect(step));
                    this.body(body);
                });
            }),
            StatementKind::Foreach {
                name,
                collection,
                body,
            } => {
                self.expression(collection);
                self.scoped(body.span.to(name.span), |this| {
                    this.declare(name, Declaration::Let, 0);
                    // A loop that only counts need not read it.
                    if let Some(Meaning::Local(id)) = this.out.meanings.get(&name.span.start) {
                        this.out.variables[*id as usize].is_unused = false;
                    }
                    this.looped(|this| this.body(body));
                });
            }
            StatementKind::Return(value) => value.iter().for_each(|value| self.expression(value)),
            StatementKind::Choose { alternatives, .. } => {
                alternatives
                    .iter()
                    .for_each(|alternative| self.body(alternative));
            }
        }
    }

    /// Resolves the parameters and the body of a function; `hoisted` if it exists from the start of its block.
    fn function_body(&mut self, function: &Function, hoisted: bool) {
        let number = function_number(function);
        self.enclosing.push(Enclosing {
            number,
            start: function.span.start,
            hoisted,
        });
        self.scoped(function.span, |this| {
            this.parameters(&function.parameters);
            match &function.body {
                FunctionBody::Block(statements) => {
                    this.declare_vars(statements);
                    this.declare_block(statements);
                    this.statements(statements);
                }
                FunctionBody::Expression(expression) => this.expression(expression),
            }
        });
        self.enclosing.pop();
    }

    /// Declares parameters. Declarations in the body are not visible to their defaults.
    fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            self.declare(&parameter.name, Declaration::Parameter, 0);
        }
        let end = self.out.variables.len() as VariableId;
        for parameter in parameters {
            let (Some(default), Some(Meaning::Local(own))) = (
                &parameter.default,
                self.out.meanings.get(&parameter.name.span.start).copied(),
            ) else {
                continue;
            };
            self.parameters_without_value.push(own..end);
            self.expression(default);
            self.parameters_without_value.pop();
        }
    }

    // Expressions.

    /// An expression whose value is not used.
    fn effect(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Assign {
                target,
                operator,
                value,
            } => self.assign(target, operator.is_some(), value, false),
            ExpressionKind::Update { target, .. } => self.target(target, false),
            _ => self.expression(expression),
        }
    }

    fn assign(&mut self, target: &Target, reads: bool, value: &Expression, inside: bool) {
        self.expression(value);
        if reads && let Target::Name(name) = target {
            self.name(name);
        }
        self.target(target, inside);
    }

    /// Resolves the target of an assignment, and records that its variable changes; `inside` as for `mark_reassigned`.
    fn target(&mut self, target: &Target, inside: bool) {
        if let Some(name) = root(target)
            && self.refuse_given(name)
        {
            return;
        }
        if let Target::Name(name) = target {
            let meaning = self.meaning(name, true);
            self.out.meanings.insert(name.span.start, meaning);
            self.mark_reassigned(meaning, inside);
            self.refuse_constant(meaning, name);
        }
        target.each_part(&mut |part| self.expression(part));
    }

    /// Records that a variable changes after its declaration; `inside` if an inner function or a loop changes it.
    fn mark_reassigned(&mut self, meaning: Meaning, inside: bool) {
        match meaning {
            Meaning::Local(id) => {
                let variable = &mut self.out.variables[id as usize];
                variable.reassigned = true;
                variable.assigned_inside |= inside;
            }
            Meaning::Global(slot) => {
                self.top_level.write(slot, inside);
                self.out.reassigned_globals[slot as usize] = true;
            }
        }
    }

    fn name(&mut self, name: &Ident) {
        let meaning = self.meaning(name, false);
        self.out.meanings.insert(name.span.start, meaning);
        match meaning {
            Meaning::Local(id) => self.out.variables[id as usize].is_unused = false,
            Meaning::Global(slot) => {
                self.out.notes.read.entry(slot).or_insert(name.span);
            }
        }
    }

    /// A call by name, whose arguments are not resolved yet.
    fn record_call(&mut self, base: &Expression, arguments: &[Expression]) {
        let ExpressionKind::Name(name) = &base.kind else {
            return;
        };
        let Some(meaning) = self.out.meanings.get(&name.span.start).copied() else {
            return;
        };
        self.out.notes.calls.push(NamedCall {
            meaning,
            arguments: arguments.len(),
            span: name.span,
        });
    }

    /// Records a variable that has the name of a built-in and begins as something that cannot be called.
    fn record_hiding(&mut self, name: &Ident, value: &Expression) {
        if self.signatures.find(&name.name, false).is_some()
            && is_no_function(value, self.signatures)
            && let Some(meaning) = self.out.meanings.get(&name.span.start)
        {
            self.out.notes.hiding.insert(*meaning, name.span);
        }
    }

    /// Records what parameters a use of the name `param` asks for.
    fn record_parameter(&mut self, base: &Expression, arguments: Option<&[Expression]>) {
        let is_parameter =
            |name: &str| facts_of(self.signatures, name).form == Some(Form::Parameter);
        if !matches!(&base.kind, ExpressionKind::Name(name) if is_parameter(&name.name)) {
            return;
        }
        let notes = &mut self.out.notes;
        match arguments
            .and_then(<[Expression]>::first)
            .map(|first| &first.kind)
        {
            Some(ExpressionKind::String(name)) => {
                let default = arguments
                    .and_then(|arguments| arguments.get(1))
                    .map(|default| default.span);
                notes.parameters.push(((&**name).into(), default));
            }
            _ => notes.computes_parameters = true,
        }
    }

    /// The variable that a name stands for; a name that nothing declares is a global variable. `assigned` if it is
    /// written to.
    fn meaning(&mut self, name: &Ident, assigned: bool) -> Meaning {
        let found = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(&name.name).map(|found| found.0));
        if let Some(meaning) = found {
            match meaning {
                Meaning::Local(id) => {
                    self.refuse_later_parameter(id, name);
                    self.record_capture(id);
                }
                Meaning::Global(slot) => {
                    self.top_level
                        .mention(slot, name.span, self.enclosing.len() > 1)
                }
            }
            return meaning;
        }
        // Every other name is a global that may be declared later, unless it is a built-in that nothing assigns: the
        // emitter decides that once all assignments are known.
        let slot = self.global_slot(&name.name);
        if assigned {
            if !self.out.reassigned_globals[slot as usize]
                && !self.out.globals[slot as usize].is_declared
            {
                self.out.undeclared.push((name.name.clone(), name.span));
            }
            self.out.reassigned_globals[slot as usize] = true;
            self.out.globals[slot as usize].is_declared = true;
        }
        Meaning::Global(slot)
    }

    /// Records that an inner function uses a variable, and whether that function may be made before the variable has
    /// its value.
    fn record_capture(&mut self, id: VariableId) {
        let variable = &mut self.out.variables[id as usize];
        let owner = variable.function;
        let Some(at) = self
            .enclosing
            .iter()
            .position(|enclosing| enclosing.number == owner)
        else {
            return;
        };
        let Some(inner) = self.enclosing.get(at + 1) else {
            return;
        };
        variable.captured = true;
        if inner.hoisted || inner.start < variable.initialised_at {
            // A parameter has its value before any inner function is made.
            variable.captured_early |= variable.lexical;
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                self.record_parameter(expression, None);
                self.name(name);
            }
            ExpressionKind::Function(function) => self.function_body(function, false),
            ExpressionKind::Postfix { base, operations } => {
                match (
                    &base.kind,
                    operations.first().map(|operation| &operation.kind),
                ) {
                    (ExpressionKind::Name(name), Some(PostfixKind::Call(arguments))) => {
                        self.name(name);
                        self.record_call(base, arguments);
                        self.record_parameter(base, Some(arguments));
                    }
                    (ExpressionKind::Name(name), Some(PostfixKind::Field(_))) => {
                        self.expression(base);
                        self.record_missing_field(name, operations);
                    }
                    _ => self.expression(base),
                }
                operations
                    .iter()
                    .for_each(|operation| operation.each_part(&mut |part| self.expression(part)));
            }
            ExpressionKind::Assign {
                target,
                operator,
                value,
            } => self.assign(target, operator.is_some(), value, true),
            ExpressionKind::Update { target, .. } => {
                if let Target::Name(name) = &**target {
                    self.name(name);
                }
                self.target(target, true);
            }
            _ => expression.each_part(&mut |part| self.expression(part)),
        }
    }
}
