//! The tree of a script. Every node has its [`Span`]; what can be long in practice (operator chains, postfix
//! chains, `else if`) is a list, and all other nesting is capped while the tree is built, so that code that walks
//! the tree may recurse.

use std::sync::Arc;

use crate::source::Span;

/// The deepest nesting of nodes that the parser lets through.
pub const MAX_DEPTH: u32 = 200;

/// A name where it stands. Its `span.start` is unique in the program and serves as its identity.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    pub name: Arc<str>,
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
    /// Levels of nodes below this one, plus one.
    pub depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `e;`, which includes `fail;`
    Expression(Expression),
    /// `var a = 1, b;` and its kin.
    Declare {
        keyword: DeclareKeyword,
        declarators: Vec<Declarator>,
    },
    /// `function f() {}`; the function has a name.
    Function(Arc<Function>),
    Block(Vec<Statement>),
    /// `if (c) s else if (d) t else u`: one arm for each condition.
    If {
        arms: Vec<(Expression, Statement)>,
        otherwise: Option<Box<Statement>>,
    },
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    /// `for (initial; condition; step) body`; `initial` is a declaration or an expression statement.
    For {
        initial: Option<Box<Statement>>,
        condition: Option<Expression>,
        step: Option<Expression>,
        body: Box<Statement>,
    },
    /// `foreach (name in collection) body`; the name is bound afresh each turn, with or without `var`.
    Foreach {
        name: Ident,
        collection: Expression,
        body: Box<Statement>,
    },
    Break,
    Continue,
    Return(Option<Expression>),
    /// `choose a or b`; `first` keeps the written order.
    Choose {
        first: bool,
        alternatives: Vec<Statement>,
    },
    /// `import "path";` at the top level.
    Import {
        path: Arc<str>,
        path_span: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclareKeyword {
    Var,
    Let,
    Const,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    pub name: Ident,
    pub value: Option<Expression>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Present for declarations, absent for function values.
    pub name: Option<Ident>,
    pub parameters: Vec<Ident>,
    pub body: FunctionBody,
    pub deterministic: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FunctionBody {
    Block(Vec<Statement>),
    /// `x => e`
    Expression(Expression),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
    /// Levels of nodes below this one, plus one.
    pub depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    Null,
    Boolean(bool),
    /// A literal inside the range of integers; a float literal without fraction is one as well.
    Integer(i64),
    Float(f64),
    String(Arc<str>),
    /// `` `text${e}text` ``
    Template(Vec<TemplatePart>),
    Name(Ident),
    Array(Vec<Expression>),
    Object(Vec<ObjectField>),
    /// An arrow or an anonymous `function`.
    Function(Arc<Function>),
    Unary {
        operator: UnaryOperator,
        operand: Box<Expression>,
    },
    /// `first op e op e ...`, all operators of one precedence, grouped from the left.
    Chain {
        first: Box<Expression>,
        rest: Vec<ChainLink>,
    },
    /// `a && b && ...`
    And(Vec<Expression>),
    /// `a || b || ...`
    Or(Vec<Expression>),
    Conditional {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    /// `base(...)[...].name`, applied from the left.
    Postfix {
        base: Box<Expression>,
        operations: Vec<Postfix>,
    },
    /// `target = value`, or `target op= value`.
    Assign {
        target: Box<Target>,
        operator: Option<BinaryOperator>,
        value: Box<Expression>,
    },
    /// `x++`, `++x`, `x--`, `--x`
    Update {
        target: Box<Target>,
        increment: bool,
        prefix: bool,
    },
    /// `choose(a, b, ...)`
    Choose(Vec<Expression>),
    Fail,
    /// What stands where an error was reported; never compiled.
    Error,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    Text(Arc<str>),
    Expression(Expression),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ObjectField {
    pub key: Arc<str>,
    pub key_span: Span,
    pub value: Expression,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChainLink {
    pub operator: BinaryOperator,
    pub operator_span: Span,
    pub operand: Expression,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Postfix {
    pub kind: PostfixKind,
    /// From the beginning of the base to the end of this operation.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PostfixKind {
    Call(Vec<Expression>),
    /// One index, or two (`g[x, y]`).
    Index(Vec<Expression>),
    Field(Ident),
}

/// What can be assigned to.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Name(Ident),
    Field { object: Expression, field: Ident, span: Span },
    Index { object: Expression, indexes: Vec<Expression>, span: Span },
}

impl Target {
    pub fn span(&self) -> Span {
        match self {
            Target::Name(name) => name.span,
            Target::Field { span, .. } | Target::Index { span, .. } => *span,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Negate,
    Plus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOperator {
    /// The operator as it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
        }
    }
}
