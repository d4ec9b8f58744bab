//! Statements, expressions and calls, each evaluated where it stands in the tree.

use std::rc::Rc;
use std::sync::Arc;

use ndscript::syntax::ast::{
    BinaryOperator, Declarator, DeclareKeyword, Expression, ExpressionKind, Function, FunctionBody,
    Parameter, PostfixKind, Statement, StatementKind, TemplatePart, UnaryOperator,
};

use super::order::{equal, set_of};
use super::search::Decisions;
use super::state::{GLOBALS, State};
use super::value::Value;
use super::{builtins, collections, numbers, show};

/// The kinds of errors of a script, by the names that the machine gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorName {
    Type,
    Arity,
    Undefined,
    Index,
    Field,
    Arithmetic,
    Overflow,
    Empty,
    Frozen,
    Value,
}

/// Why an evaluation has no value.
#[derive(Clone, Debug)]
pub enum Interrupt {
    Fail,
    Error(ErrorName, String),
    /// The innermost `withinFailures` has had as many failures as it may.
    GaveUp,
    /// The program cannot be compared.
    Drop(&'static str),
}

pub type Result<T> = std::result::Result<T, Interrupt>;

pub fn error<T>(name: ErrorName, message: impl Into<String>) -> Result<T> {
    Err(Interrupt::Error(name, message.into()))
}

pub fn type_error<T>(wanted: &str, value: &Value) -> Result<T> {
    error(
        ErrorName::Type,
        format!("wanted {wanted}, got {}", value.kind()),
    )
}

/// Where control goes after a statement.
pub enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

pub struct Interpreter {
    pub state: State,
    pub decisions: Decisions,
    /// Whether the order of random choices is open, so that an error ends a branch but not the enumeration.
    pub any_order: bool,
    pub possible_errors: Vec<ErrorName>,
    /// The searches under way, outermost first.
    pub searches: Vec<super::search::Search>,
    /// How many failures each `withinFailures` under way may still have, outermost first.
    pub patience: Vec<u64>,
    steps: usize,
    max_steps: usize,
    /// Calls under way.
    depth: usize,
}

/// The most calls under way, for the sake of the native stack.
const MAX_CALLS: usize = 2000;

impl Interpreter {
    pub fn new(max_steps: usize, any_order: bool) -> Interpreter {
        Interpreter {
            state: State::new(),
            decisions: Decisions::default(),
            any_order,
            possible_errors: Vec::new(),
            searches: Vec::new(),
            patience: Vec::new(),
            steps: 0,
            max_steps,
            depth: 0,
        }
    }

    pub fn charge(&mut self, steps: usize) -> Result<()> {
        self.steps += steps;
        if self.steps > self.max_steps {
            Err(Interrupt::Drop("too many steps"))
        } else {
            Ok(())
        }
    }

    pub fn run_program(&mut self, statements: &Rc<Vec<Statement>>) -> Result<Value> {
        self.hoist(statements, GLOBALS);
        self.enter(statements, GLOBALS);
        match self.statements(statements, GLOBALS)? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::Null),
        }
    }

    /// Makes the `var` names of a body, wherever in it they stand.
    fn hoist(&mut self, statements: &[Statement], scope: usize) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declare {
                    keyword: DeclareKeyword::Var,
                    declarators,
                } => {
                    for declarator in declarators {
                        let names = &mut self.state.scopes[scope].names;
                        names
                            .entry(declarator.name.name.clone())
                            .or_insert(Some(Value::Null));
                    }
                }
                StatementKind::Block(statements)
                | StatementKind::Choose {
                    alternatives: statements,
                    ..
                } => {
                    self.hoist(statements, scope);
                }
                StatementKind::If { arms, otherwise } => {
                    for (_, statement) in arms {
                        self.hoist(std::slice::from_ref(statement), scope);
                    }
                    if let Some(statement) = otherwise {
                        self.hoist(std::slice::from_ref(statement), scope);
                    }
                }
                StatementKind::For { initial, body, .. } => {
                    if let Some(initial) = initial {
                        self.hoist(std::slice::from_ref(initial), scope);
                    }
                    self.hoist(std::slice::from_ref(body), scope);
                }
                StatementKind::While { body, .. } | StatementKind::Foreach { body, .. } => {
                    self.hoist(std::slice::from_ref(body), scope);
                }
                _ => {}
            }
        }
    }

    /// Makes the names of a block: functions exist from its start, `let` and `const` from their line on.
    fn enter(&mut self, statements: &[Statement], scope: usize) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declare {
                    keyword: DeclareKeyword::Let | DeclareKeyword::Const,
                    declarators,
                } => {
                    for declarator in declarators {
                        self.state.scopes[scope]
                            .names
                            .insert(declarator.name.name.clone(), None);
                    }
                }
                StatementKind::Function(function) => {
                    let value = self.state.new_function(function.clone(), scope);
                    if let Some(name) = &function.name {
                        self.state.scopes[scope]
                            .names
                            .insert(name.name.clone(), Some(value));
                    }
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, statements: &[Statement], scope: usize) -> Result<Flow> {
        let declares = statements.iter().any(|statement| {
            matches!(
                statement.kind,
                StatementKind::Function(_)
                    | StatementKind::Declare {
                        keyword: DeclareKeyword::Let | DeclareKeyword::Const,
                        ..
                    }
            )
        });
        let scope = if declares {
            self.state.new_scope(scope)
        } else {
            scope
        };
        self.enter(statements, scope);
        self.statements(statements, scope)
    }

    fn statements(&mut self, statements: &[Statement], scope: usize) -> Result<Flow> {
        for statement in statements {
            match self.statement(statement, scope)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, scope: usize) -> Result<Flow> {
        self.charge(1)?;
        match &statement.kind {
            StatementKind::Empty | StatementKind::Function(_) => Ok(Flow::Next),
            StatementKind::Expression(expression) => {
                self.evaluate(expression, scope)?;
                Ok(Flow::Next)
            }
            StatementKind::Declare {
                keyword,
                declarators,
            } => {
                self.declare(*keyword, declarators, scope)?;
                Ok(Flow::Next)
            }
            StatementKind::Block(statements) => self.block(statements, scope),
            StatementKind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.condition(condition, scope)? {
                        return self.statement(body, scope);
                    }
                }
                match otherwise {
                    Some(body) => self.statement(body, scope),
                    None => Ok(Flow::Next),
                }
            }
            StatementKind::While { condition, body } => {
                while self.condition(condition, scope)? {
                    match self.statement(body, scope)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
                Ok(Flow::Next)
            }
            StatementKind::For {
                initial,
                condition,
                step,
                body,
            } => self.for_loop(
                initial.as_deref(),
                condition.as_deref(),
                step.as_deref(),
                body,
                scope,
            ),
            StatementKind::Foreach {
                name,
                collection,
                body,
            } => {
                let collection = self.evaluate(collection, scope)?;
                for element in collections::elements(&self.state, &collection)? {
                    let turn = self.state.new_scope(scope);
                    self.state.scopes[turn]
                        .names
                        .insert(name.name.clone(), Some(element));
                    match self.statement(body, turn)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
                Ok(Flow::Next)
            }
            StatementKind::Break => Ok(Flow::Break),
            StatementKind::Continue => Ok(Flow::Continue),
            StatementKind::Return(None) => Ok(Flow::Return(Value::Null)),
            StatementKind::Return(Some(value)) => Ok(Flow::Return(self.evaluate(value, scope)?)),
            StatementKind::Choose { alternatives, .. } => {
                let chosen = self.decide(alternatives.len())?;
                self.statement(&alternatives[chosen], scope)
            }
            StatementKind::Import { .. } => Err(Interrupt::Drop("an import")),
        }
    }

    fn declare(
        &mut self,
        keyword: DeclareKeyword,
        declarators: &[Declarator],
        scope: usize,
    ) -> Result<()> {
        for declarator in declarators {
            let value = match &declarator.value {
                Some(value) => self.evaluate(value, scope)?,
                None if keyword == DeclareKeyword::Var => continue,
                None => Value::Null,
            };
            let name = &declarator.name.name;
            let mut place = scope;
            if keyword == DeclareKeyword::Var {
                self.assign_name(name, value, scope)?;
            } else {
                while !self.state.scopes[place].names.contains_key(name) {
                    place = self.state.scopes[place].parent.unwrap_or(GLOBALS);
                }
                self.state.scopes[place]
                    .names
                    .insert(name.clone(), Some(value));
            }
        }
        Ok(())
    }

    fn for_loop(
        &mut self,
        initial: Option<&Statement>,
        condition: Option<&Expression>,
        step: Option<&Expression>,
        body: &Statement,
        scope: usize,
    ) -> Result<Flow> {
        let mut turn = self.state.new_scope(scope);
        if let Some(initial) = initial {
            self.enter(std::slice::from_ref(initial), turn);
            self.statement(initial, turn)?;
        }
        loop {
            turn = self.next_turn(turn);
            if let Some(condition) = condition
                && !self.condition(condition, turn)?
            {
                return Ok(Flow::Next);
            }
            match self.statement(body, turn)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            // The closures of a turn keep its variables as they were before the step.
            turn = self.next_turn(turn);
            if let Some(step) = step {
                self.evaluate(step, turn)?;
            }
        }
    }

    fn next_turn(&mut self, turn: usize) -> usize {
        let copy = self.state.scopes[turn].clone();
        self.state.scopes.push(copy);
        self.state.scopes.len() - 1
    }

    fn condition(&mut self, condition: &Expression, scope: usize) -> Result<bool> {
        self.charge(1)?;
        let value = self.evaluate(condition, scope)?;
        boolean(&value)
    }

    pub fn evaluate(&mut self, expression: &Expression, scope: usize) -> Result<Value> {
        match &expression.kind {
            ExpressionKind::Null => Ok(Value::Null),
            ExpressionKind::Boolean(b) => Ok(Value::Boolean(*b)),
            ExpressionKind::Integer(n) => Ok(Value::Number(*n as f64)),
            ExpressionKind::Float(n) => Ok(Value::Number(*n)),
            ExpressionKind::String(text) => Ok(Value::text(&**text)),
            ExpressionKind::Template(parts) => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        TemplatePart::Text(part) => text.push_str(part),
                        TemplatePart::Expression(part) => {
                            let value = self.evaluate(part, scope)?;
                            text.push_str(&show::text(&self.state, &value));
                        }
                    }
                }
                self.checked_text(text)
            }
            ExpressionKind::Name(name) => self.read_name(&name.name, scope),
            ExpressionKind::Array(elements) => {
                let elements = self.evaluate_all(elements, scope)?;
                Ok(self.state.new_array(elements))
            }
            ExpressionKind::Object(fields) => {
                let mut made: Vec<(Rc<str>, Value)> = Vec::new();
                for field in fields {
                    let value = self.evaluate(&field.value, scope)?;
                    let key: Rc<str> = Rc::from(&*field.key);
                    match made.iter_mut().find(|(other, _)| *other == key) {
                        Some((_, place)) => *place = value,
                        None => made.push((key, value)),
                    }
                }
                Ok(self.state.new_object(made))
            }
            ExpressionKind::Function(function) => {
                Ok(self.state.new_function(function.clone(), scope))
            }
            ExpressionKind::Unary { operator, operand } => {
                let value = self.evaluate(operand, scope)?;
                match operator {
                    UnaryOperator::Not => Ok(Value::Boolean(!boolean(&value)?)),
                    UnaryOperator::Plus => Ok(Value::Number(numbers::number(&value)?)),
                    UnaryOperator::Negate => numbers::float(-numbers::number(&value)?),
                }
            }
            ExpressionKind::Chain { first, rest } => {
                let mut left = self.evaluate(first, scope)?;
                for link in rest {
                    let right = self.evaluate(&link.operand, scope)?;
                    left = self.binary(link.operator, &left, &right)?;
                }
                Ok(left)
            }
            ExpressionKind::And(operands) => {
                for operand in operands {
                    let value = self.evaluate(operand, scope)?;
                    if !boolean(&value)? {
                        return Ok(Value::Boolean(false));
                    }
                }
                Ok(Value::Boolean(true))
            }
            ExpressionKind::Or(operands) => {
                for operand in operands {
                    let value = self.evaluate(operand, scope)?;
                    if boolean(&value)? {
                        return Ok(Value::Boolean(true));
                    }
                }
                Ok(Value::Boolean(false))
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                if self.condition(condition, scope)? {
                    self.evaluate(then, scope)
                } else {
                    self.evaluate(otherwise, scope)
                }
            }
            ExpressionKind::Postfix { base, operations } => {
                let mut value = self.evaluate(base, scope)?;
                for operation in operations {
                    value = match &operation.kind {
                        PostfixKind::Call(arguments) => {
                            let arguments = self.evaluate_all(arguments, scope)?;
                            self.call(&value, arguments)?
                        }
                        PostfixKind::Index(indexes) => {
                            let indexes = self.evaluate_all(indexes, scope)?;
                            self.read_index(&value, &indexes)?
                        }
                        PostfixKind::Field(field) => self.read_field(&value, &field.name)?,
                    };
                }
                Ok(value)
            }
            ExpressionKind::Assign {
                target,
                operator,
                value,
            } => self.assign(target, *operator, value, scope),
            ExpressionKind::Update {
                target,
                increment,
                prefix,
            } => self.update(target, *increment, *prefix, scope),
            ExpressionKind::Choose(alternatives) => {
                let chosen = self.decide(alternatives.len())?;
                self.evaluate(&alternatives[chosen], scope)
            }
            ExpressionKind::Fail(message) => {
                if let Some(message) = message {
                    self.evaluate(message, scope)?;
                }
                Err(Interrupt::Fail)
            }
            ExpressionKind::Error => Err(Interrupt::Drop("a syntax error")),
        }
    }

    pub fn evaluate_all(&mut self, expressions: &[Expression], scope: usize) -> Result<Vec<Value>> {
        expressions
            .iter()
            .map(|expression| self.evaluate(expression, scope))
            .collect()
    }

    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
    ) -> Result<Value> {
        self.charge(1)?;
        match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual
                if matches!(left, Value::Set(_)) != matches!(right, Value::Set(_))
                    && !matches!(left, Value::Null)
                    && !matches!(right, Value::Null) =>
            {
                error(ErrorName::Type, "a set never equals what is no set")
            }
            BinaryOperator::Equal => Ok(Value::Boolean(equal(&self.state, left, right))),
            BinaryOperator::NotEqual => Ok(Value::Boolean(!equal(&self.state, left, right))),
            BinaryOperator::Add
                if matches!(left, Value::String(_)) || matches!(right, Value::String(_)) =>
            {
                let text = show::text(&self.state, left) + &show::text(&self.state, right);
                self.checked_text(text)
            }
            _ => numbers::binary(operator, left, right),
        }
    }

    fn checked_text(&self, text: String) -> Result<Value> {
        if text.len() > 20_000 {
            Err(Interrupt::Drop("a long text"))
        } else {
            Ok(Value::text(text))
        }
    }

    pub fn call(&mut self, callee: &Value, arguments: Vec<Value>) -> Result<Value> {
        self.charge(1)?;
        if self.depth == MAX_CALLS {
            return Err(Interrupt::Drop("deep calls"));
        }
        self.depth += 1;
        let result = self.call_below(callee, arguments);
        self.depth -= 1;
        result
    }

    fn call_below(&mut self, callee: &Value, arguments: Vec<Value>) -> Result<Value> {
        match callee {
            Value::Function(id) => {
                let (code, scope) = self.state.function(*id);
                let least = code
                    .parameters
                    .iter()
                    .filter(|parameter| parameter.default.is_none())
                    .count();
                if !(least..=code.parameters.len()).contains(&arguments.len()) {
                    return error(ErrorName::Arity, format!("{} arguments", arguments.len()));
                }
                if code.deterministic {
                    self.once(&mut |i| i.call_function(&code, scope, arguments.clone()))
                } else {
                    self.call_function(&code, scope, arguments)
                }
            }
            Value::Native(name) => builtins::call(self, name, arguments),
            Value::Relation(id) => {
                let [left, right] = &arguments[..] else {
                    return error(ErrorName::Arity, "a relation takes two");
                };
                let pairs = self.state.relation(*id);
                let holds = pairs
                    .iter()
                    .any(|(a, b)| equal(&self.state, a, left) && equal(&self.state, b, right));
                Ok(Value::Boolean(holds))
            }
            _ => type_error("a function", callee),
        }
    }

    fn call_function(
        &mut self,
        code: &Arc<Function>,
        scope: usize,
        arguments: Vec<Value>,
    ) -> Result<Value> {
        let scope = self.state.new_scope(scope);
        let mut arguments = arguments.into_iter();
        for Parameter { name, default } in &code.parameters {
            let value = match (arguments.next(), default) {
                (Some(argument), _) => argument,
                (None, Some(default)) => self.evaluate(default, scope)?,
                (None, None) => Value::Null,
            };
            self.state.scopes[scope]
                .names
                .insert(name.name.clone(), Some(value));
        }
        match &code.body {
            FunctionBody::Expression(expression) => self.evaluate(expression, scope),
            FunctionBody::Block(statements) => {
                self.hoist(statements, scope);
                self.enter(statements, scope);
                match self.statements(statements, scope)? {
                    Flow::Return(value) => Ok(value),
                    _ => Ok(Value::Null),
                }
            }
        }
    }

    /// The set of some values, as built-ins give it.
    pub fn new_set(&self, elements: &[Value]) -> Result<Value> {
        set_of(&self.state, elements)
    }
}

pub fn boolean(value: &Value) -> Result<bool> {
    match value {
        Value::Boolean(b) => Ok(*b),
        _ => type_error("true or false", value),
    }
}
