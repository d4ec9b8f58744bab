//! Builds trees for the grammar: one helper for each production that makes a node.
//!
//! Nesting is capped here: what would be deeper than [`MAX_DEPTH`] becomes an [`ExpressionKind::Error`] and is reported
//! once, so every tree that leaves the parser can be walked and dropped by recursion.

mod expression;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use lalrpop_util::ErrorRecovery;

use super::ast::*;
use super::parse::Activity;
use super::token::Token;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

/// The parser's record of an error from which it recovered.
pub type Recovery = ErrorRecovery<u32, Token, ()>;

/// An operand, and where it begins and ends, its parentheses included.
pub struct Operand {
    expression: Expression,
    start: u32,
    end: u32,
}

/// An operator between two operands.
#[derive(Clone, Copy)]
pub enum Operator {
    Or,
    And,
    Binary(BinaryOperator),
}

/// An operator with its right operand.
pub struct NextOperand {
    operator: Operator,
    operator_span: Span,
    operand: Operand,
}

/// `first op e op e ...` while it is read, with operators of all ranks.
pub struct Operands {
    first: Operand,
    rest: Vec<NextOperand>,
}

/// A base with its postfix operations while they are read.
pub type Operations = (Expression, Vec<Postfix>);

/// The parts of `for (initial; condition; step)`.
pub type ForHead = (
    Option<Box<Statement>>,
    Option<Expression>,
    Option<Expression>,
);

/// The state apart from the tree while a file is parsed.
#[derive(Default)]
pub struct Builder {
    /// Errors that the grammar accepts.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors of the grammar, in the order of the text.
    pub recoveries: Vec<Recovery>,
    /// `break` and `continue` around which no loop has been seen yet, in the order of the text.
    jumps: Vec<(Span, &'static str)>,
    too_deep: bool,
    /// The activity so far, for the feeder of tokens.
    pub activity: Rc<Cell<Activity>>,
}

fn deepest<'a>(depths: impl Iterator<Item = &'a Expression>) -> u32 {
    depths.map(|e| e.depth).max().unwrap_or(0)
}

fn deepest_statement(statements: &[Statement]) -> u32 {
    statements.iter().map(|s| s.depth).max().unwrap_or(0)
}

fn deepest_default(parameters: &[Parameter]) -> u32 {
    deepest(
        parameters
            .iter()
            .filter_map(|parameter| parameter.default.as_ref()),
    )
}

fn body_depth(body: &FunctionBody) -> u32 {
    match body {
        FunctionBody::Block(statements) => deepest_statement(statements),
        FunctionBody::Expression(e) => e.depth,
    }
}

impl Builder {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn active(&self) {
        let activity = self.activity.get();
        self.activity.set(Activity {
            nodes: activity.nodes.wrapping_add(1),
            ..activity
        });
    }

    /// The meaning of an operator or keyword.
    pub fn word<T>(&mut self, meaning: T) -> T {
        self.active();
        meaning
    }

    pub fn push<T>(&mut self, mut list: Vec<T>, item: T) -> Vec<T> {
        list.push(item);
        list
    }

    fn check_depth(&mut self, l: u32, below: u32) -> bool {
        self.active();
        if below < MAX_DEPTH {
            return true;
        }
        if !self.too_deep {
            self.too_deep = true;
            self.report(
                Diagnostic::error("this is nested too deeply", Span::new(l, l + 1))
                    .with_label(format!("more than {MAX_DEPTH} levels from here on"))
                    .with_hint("give its parts names, with variables or functions"),
            );
        }
        false
    }

    /// A statement whose deepest child has the depth `below`.
    pub fn statement(&mut self, l: u32, r: u32, kind: StatementKind, below: u32) -> Statement {
        let span = Span::new(l, r);
        if self.check_depth(l, below) {
            Statement {
                kind,
                span,
                depth: below + 1,
            }
        } else {
            Statement {
                kind: StatementKind::Empty,
                span,
                depth: 1,
            }
        }
    }

    /// An expression whose deepest child has the depth `below`.
    fn expression(&mut self, l: u32, r: u32, kind: ExpressionKind, below: u32) -> Expression {
        let span = Span::new(l, r);
        if self.check_depth(l, below) {
            Expression {
                kind,
                span,
                depth: below + 1,
            }
        } else {
            Expression {
                kind: ExpressionKind::Error,
                span,
                depth: 1,
            }
        }
    }

    // ---- After errors ----

    /// Records an error from which the parser recovered.
    pub fn recover(&mut self, error: Recovery) {
        let activity = self.activity.get();
        self.activity.set(Activity {
            errors: activity.errors + 1,
            ..activity
        });
        self.recoveries.push(error);
    }

    /// The expression in place of one that could not be read.
    pub fn nothing(&mut self, l: u32, r: u32) -> Expression {
        self.expression(l, r, ExpressionKind::Error, 0)
    }

    pub fn no_foreach_head(&mut self, l: u32, r: u32) -> (Ident, Expression) {
        let name = Ident {
            name: "".into(),
            span: Span::new(l, l),
        };
        (name, self.nothing(l, r))
    }

    // ---- Statements ----

    pub fn script(&mut self, statements: Vec<Statement>) -> Script {
        self.reject_jumps(0);
        Script { statements }
    }

    pub fn block(&mut self, list: Vec<Statement>) -> Vec<Statement> {
        for statement in &list {
            self.reject_import(statement);
        }
        list
    }

    fn reject_import(&mut self, statement: &Statement) {
        if let StatementKind::Import { .. } = statement.kind {
            self.report(
                Diagnostic::error("`import` is inside a block", statement.span).with_hint(
                    "files are imported before the run: write imports at the top level of the file",
                ),
            );
        }
    }

    /// Checks a statement that is alone after `if (...)`, `else`, `or` and the like.
    fn body(&mut self, statement: &Statement) {
        self.reject_import(statement);
        let what = match &statement.kind {
            StatementKind::Declare {
                keyword: DeclareKeyword::Let,
                ..
            } => "`let`",
            StatementKind::Declare {
                keyword: DeclareKeyword::Const,
                ..
            } => "`const`",
            StatementKind::Function(_) => "a function",
            _ => return,
        };
        self.report(
            Diagnostic::error(
                format!("{what} cannot be declared here, where nothing could use it"),
                statement.span,
            )
            .with_hint("put braces around it and what uses it: `{ ... }`"),
        );
    }

    pub fn block_statement(&mut self, l: u32, r: u32, list: Vec<Statement>) -> Statement {
        let below = deepest_statement(&list);
        self.statement(l, r, StatementKind::Block(list), below)
    }

    pub fn expression_statement(&mut self, l: u32, r: u32, e: Expression) -> Statement {
        let below = e.depth;
        self.statement(l, r, StatementKind::Expression(e), below)
    }

    pub fn declare(
        &mut self,
        l: u32,
        r: u32,
        keyword: DeclareKeyword,
        declarators: Vec<Declarator>,
    ) -> Statement {
        if keyword == DeclareKeyword::Const {
            for declarator in declarators
                .iter()
                .filter(|declarator| declarator.value.is_none())
            {
                let name = &declarator.name.name;
                self.report(
                    Diagnostic::error(
                        format!("the constant `{name}` gets no value"),
                        declarator.name.span,
                    )
                    .with_hint(format!(
                        "write `const {name} = ...`, or `let {name}` if it is set later"
                    )),
                );
            }
        }
        let below = deepest(
            declarators
                .iter()
                .filter_map(|declarator| declarator.value.as_ref()),
        );
        self.statement(
            l,
            r,
            StatementKind::Declare {
                keyword,
                declarators,
            },
            below,
        )
    }

    pub fn arm(&mut self, condition: Expression, body: Statement) -> Box<(Expression, Statement)> {
        self.body(&body);
        Box::new((condition, body))
    }

    pub fn if_statement(
        &mut self,
        l: u32,
        r: u32,
        arms: Vec<(Expression, Statement)>,
        otherwise: Option<Statement>,
    ) -> Statement {
        if let Some(otherwise) = &otherwise {
            self.body(otherwise);
        }
        let below = arms
            .iter()
            .map(|(condition, body)| condition.depth.max(body.depth))
            .max()
            .unwrap_or(0);
        let below = below.max(otherwise.as_ref().map_or(0, |otherwise| otherwise.depth));
        self.statement(
            l,
            r,
            StatementKind::If {
                arms,
                otherwise: otherwise.map(Box::new),
            },
            below,
        )
    }

    /// An `if` that ends in `else if` without an `else` of its own.
    pub fn if_open(
        &mut self,
        l: u32,
        r: u32,
        arms: Vec<(Expression, Statement)>,
        last: (Expression, Statement),
    ) -> Statement {
        let arms = self.push(arms, last);
        self.if_statement(l, r, arms, None)
    }

    /// A condition in parentheses; one that assigns something that is never a Boolean meant `==`.
    pub fn condition(&mut self, e: Expression) -> Expression {
        if let ExpressionKind::Assign {
            target,
            operator: None,
            value,
        } = &e.kind
            && never_boolean(value)
        {
            self.report(
                Diagnostic::error(
                    "a condition is true or false, but this assigns a value",
                    e.span,
                )
                .with_label(match &**target {
                    Target::Name(name) => format!("this sets `{}`", name.name),
                    _ => String::new(),
                })
                .with_hint("to compare, write `==` instead of `=`"),
            );
        }
        e
    }

    /// Takes `break` and `continue` from `start` on: a loop has been found for them.
    fn accept_jumps(&mut self, start: u32) {
        while self.jumps.pop_if(|(span, _)| span.start >= start).is_some() {}
    }

    /// Reports `break` and `continue` from `start` on: their function ends here.
    fn reject_jumps(&mut self, start: u32) {
        let first = self.jumps.partition_point(|(span, _)| span.start < start);
        for (span, word) in self.jumps.split_off(first) {
            self.report(
                Diagnostic::error(format!("`{word}` is outside of any loop"), span)
                    .with_hint("it belongs inside `while`, `for` or `foreach`; to leave a function, write `return;`"),
            );
        }
    }

    pub fn jump(&mut self, l: u32, r: u32, kind: StatementKind) -> Statement {
        let word = if kind == StatementKind::Break {
            "break"
        } else {
            "continue"
        };
        self.jumps.push((Span::new(l, l + word.len() as u32), word));
        self.statement(l, r, kind, 0)
    }

    pub fn while_loop(
        &mut self,
        l: u32,
        r: u32,
        condition: Expression,
        body: Statement,
    ) -> Statement {
        self.accept_jumps(body.span.start);
        self.body(&body);
        let below = condition.depth.max(body.depth);
        self.statement(
            l,
            r,
            StatementKind::While {
                condition,
                body: Box::new(body),
            },
            below,
        )
    }

    pub fn for_head(
        &mut self,
        initial: Option<Box<Statement>>,
        condition: Option<Expression>,
        step: Option<Expression>,
    ) -> Box<ForHead> {
        Box::new((
            initial,
            condition.map(|condition| self.condition(condition)),
            step,
        ))
    }

    // The parser's stack holds heads, so they come boxed: its places are as large as the largest symbol.
    #[allow(clippy::boxed_local)]
    pub fn for_loop(&mut self, l: u32, r: u32, head: Box<ForHead>, body: Statement) -> Statement {
        self.accept_jumps(body.span.start);
        self.body(&body);
        let (initial, condition, step) = *head;
        let below = deepest(condition.iter().chain(&step)).max(body.depth);
        let below = below.max(initial.as_ref().map_or(0, |initial| initial.depth));
        let (condition, step) = (condition.map(Box::new), step.map(Box::new));
        self.statement(
            l,
            r,
            StatementKind::For {
                initial,
                condition,
                step,
                body: Box::new(body),
            },
            below,
        )
    }

    pub fn foreach_loop(
        &mut self,
        l: u32,
        r: u32,
        head: (Ident, Expression),
        body: Statement,
    ) -> Statement {
        self.accept_jumps(body.span.start);
        self.body(&body);
        let (name, collection) = head;
        let below = collection.depth.max(body.depth);
        self.statement(
            l,
            r,
            StatementKind::Foreach {
                name,
                collection: Box::new(collection),
                body: Box::new(body),
            },
            below,
        )
    }

    pub fn choose(
        &mut self,
        l: u32,
        r: u32,
        first: bool,
        list: Vec<Statement>,
        last: Statement,
    ) -> Statement {
        let alternatives = self.push(list, last);
        for alternative in &alternatives {
            self.body(alternative);
        }
        let below = deepest_statement(&alternatives);
        self.statement(
            l,
            r,
            StatementKind::Choose {
                first,
                alternatives,
            },
            below,
        )
    }

    pub fn function_statement(
        &mut self,
        l: u32,
        r: u32,
        deterministic: bool,
        name: Ident,
        parameters: Vec<Parameter>,
        body: Vec<Statement>,
    ) -> Statement {
        self.reject_jumps(l);
        self.check_parameters(&parameters);
        let below = deepest_statement(&body).max(deepest_default(&parameters)) + 1;
        let body = FunctionBody::Block(body);
        let function = Function {
            name: Some(name),
            parameters,
            body,
            deterministic,
            span: Span::new(l, r),
        };
        self.statement(l, r, StatementKind::Function(Arc::new(function)), below)
    }

    pub fn return_statement(&mut self, l: u32, r: u32, value: Option<Expression>) -> Statement {
        let below = deepest(value.iter());
        self.statement(l, r, StatementKind::Return(value), below)
    }

    /// An import; of `as name`, the word and the name.
    pub fn import(
        &mut self,
        l: u32,
        r: u32,
        pl: u32,
        pr: u32,
        path: Arc<str>,
        called: Option<(Ident, Ident)>,
    ) -> Statement {
        if let Some((word, name)) = &called
            && &*word.name != "as"
            // A missing name is already reported.
            && !name.name.is_empty()
        {
            let message = format!("expected `as` or `;`, but found `{}`", word.name);
            let hint = format!("write `import \"data.json\" as {};`", name.name);
            self.report(Diagnostic::error(message, word.span).with_hint(hint));
        }
        self.statement(
            l,
            r,
            StatementKind::Import {
                path,
                path_span: Span::new(pl, pr),
                name: called.map(|(_, name)| name),
            },
            0,
        )
    }

    // ---- Names and parameters ----

    pub fn ident(&mut self, l: u32, r: u32, name: Arc<str>) -> Ident {
        self.active();
        Ident {
            name,
            span: Span::new(l, r),
        }
    }

    /// Reports parameters without default after optional ones, and names that are there twice.
    fn check_parameters(&mut self, parameters: &[Parameter]) {
        let optional = parameters
            .iter()
            .position(|parameter| parameter.default.is_some());
        if let Some(optional) = optional
            && let Some(needed) = parameters[optional..]
                .iter()
                .find(|parameter| parameter.default.is_none())
        {
            let (needed, optional) = (&needed.name, &parameters[optional].name);
            self.report(
                Diagnostic::error(format!("the parameter `{}` has no default", needed.name), needed.span)
                    .with_related(optional.span, "this one before it has a default")
                    .with_hint("parameters with a default come last: a call cannot leave out one and give the next"),
            );
        }
        let mut sorted: Vec<&Ident> = parameters.iter().map(|parameter| &parameter.name).collect();
        sorted.sort_unstable_by_key(|parameter| (parameter.name.clone(), parameter.span.start));
        for pair in sorted
            .windows(2)
            .filter(|pair| pair[0].name == pair[1].name && !pair[0].name.is_empty())
        {
            self.report(
                Diagnostic::error(
                    format!("two parameters are called `{}`", pair[1].name),
                    pair[1].span,
                )
                .with_related(pair[0].span, "the first is here"),
            );
        }
    }

    pub fn more_arrow_parameters(
        &mut self,
        first: (u32, Expression),
        rest: Vec<(u32, Expression)>,
    ) -> Vec<Parameter> {
        self.arrow_parameters(std::iter::once(first).chain(rest).collect())
    }

    /// Turns expressions in parentheses before `=>` into parameters.
    pub fn arrow_parameters(&mut self, list: Vec<(u32, Expression)>) -> Vec<Parameter> {
        let mut parameters = Vec::with_capacity(list.len());
        for (start, e) in list {
            match e.kind {
                ExpressionKind::Name(name) if name.span.start == start => {
                    parameters.push(Parameter {
                        name,
                        default: None,
                    });
                }
                ExpressionKind::Assign {
                    target,
                    operator: None,
                    value,
                } => match *target {
                    Target::Name(name) if name.span.start == start => {
                        parameters.push(Parameter {
                            name,
                            default: Some(*value),
                        });
                    }
                    _ => self.no_parameter(e.span, "a function value is written `(a, b) => a + b`"),
                },
                ExpressionKind::Error => {}
                ExpressionKind::Array(_) => {
                    self.no_parameter(
                        e.span,
                        "take it apart inside: `pair => { let a = pair[0], b = pair[1]; ... }`",
                    );
                }
                ExpressionKind::Object(_) => {
                    self.no_parameter(
                        e.span,
                        "take it apart inside: `place => { let x = place.x, y = place.y; ... }`",
                    );
                }
                _ => self.no_parameter(e.span, "a function value is written `(a, b) => a + b`"),
            }
        }
        parameters
    }

    fn no_parameter(&mut self, span: Span, hint: &str) {
        self.report(
            Diagnostic::error("a parameter is a name", span)
                .with_label("this is none")
                .with_hint(hint),
        );
    }
}

/// Whether a value that is written like this cannot be true or false.
fn never_boolean(e: &Expression) -> bool {
    match &e.kind {
        ExpressionKind::Chain { rest, .. } => rest.first().is_some_and(|link| {
            matches!(
                link.operator,
                BinaryOperator::Add
                    | BinaryOperator::Subtract
                    | BinaryOperator::Multiply
                    | BinaryOperator::Divide
                    | BinaryOperator::Remainder
            )
        }),
        ExpressionKind::Unary { operator, .. } => *operator != UnaryOperator::Not,
        kind => matches!(
            kind,
            ExpressionKind::Null
                | ExpressionKind::Integer(_)
                | ExpressionKind::Float(_)
                | ExpressionKind::String(_)
                | ExpressionKind::Template(_)
                | ExpressionKind::Array(_)
                | ExpressionKind::Object(_)
                | ExpressionKind::Function(_)
        ),
    }
}
