//! The tree of a script. Every node has its [`Span`]; what can be long in practice (operator chains, postfix
//! chains, `else if`) is a list, and all other nesting is capped while the tree is built, so that code that walks
//! the tree may recurse.

use std::sync::Arc;

use ndscript_base::source::Span;

/// The deepest nesting of nodes that the parser accepts.
pub const MAX_DEPTH: u32 = 200;

/// A name where it stands. Its `span.start` is unique in the program and serves as its identity.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// Its statements, in order.
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
    /// Levels of nodes below this one, plus one.
    pub depth: u32,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `e;`, which includes `fail;`
    Expression(Expression),
    /// `var a = 1, b;` and its kin.
    Declare {
        /// The word that declares.
        keyword: DeclareKeyword,
        /// The variables, in order.
        declarators: Vec<Declarator>,
    },
    /// `function f() {}`; the function has a name.
    Function(Arc<Function>),
    /// `{ ... }`
    Block(Vec<Statement>),
    /// `if (c) s else if (d) t else u`: one arm for each condition.
    If {
        /// Each condition with what it leads to.
        arms: Vec<(Expression, Statement)>,
        /// The last `else`.
        otherwise: Option<Box<Statement>>,
    },
    /// `while (condition) body`
    While {
        /// Looked at before each turn.
        condition: Expression,
        /// The statement of each turn.
        body: Box<Statement>,
    },
    /// `for (initial; condition; step) body`; `initial` is a declaration or an expression statement.
    For {
        /// Done once.
        initial: Option<Box<Statement>>,
        /// Looked at before each turn; none is true.
        condition: Option<Box<Expression>>,
        /// Done after each turn.
        step: Option<Box<Expression>>,
        /// The statement of each turn.
        body: Box<Statement>,
    },
    /// `foreach (name in collection) body`; the name is bound afresh each turn, with or without `var`.
    Foreach {
        /// The name.
        name: Ident,
        /// The collection to iterate over.
        collection: Box<Expression>,
        /// The statement of each turn.
        body: Box<Statement>,
    },
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<Expression>),
    /// `choose a or b`; `first` keeps the written order.
    Choose {
        /// Whether the order is the written one.
        first: bool,
        /// The alternatives, in order.
        alternatives: Vec<Statement>,
    },
    /// `import "path";` or `import "path" as name;` at the top level.
    Import {
        /// The file.
        path: Arc<str>,
        /// Where the file is named.
        path_span: Span,
        /// The name of its content, if it is no program.
        name: Option<Ident>,
    },
}

/// The words that declare variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclareKeyword {
    /// `var`
    Var,
    /// `let`
    Let,
    /// `const`
    Const,
}

/// One variable of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// Its first value.
    pub value: Option<Expression>,
}

/// A function, with or without a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Present for declarations, absent for function values.
    pub name: Option<Ident>,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The body.
    pub body: FunctionBody,
    /// Whether only its first result counts.
    pub deterministic: bool,
    /// Where it stands.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: Ident,
    /// Its value where the call gives none.
    pub default: Option<Expression>,
}

/// The body of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionBody {
    /// `{ ... }`
    Block(Vec<Statement>),
    /// `x => e`
    Expression(Expression),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
    /// Levels of nodes below this one, plus one.
    pub depth: u32,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A literal inside the range of integers; a float literal without fraction is one as well.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string, its escapes resolved.
    String(Arc<str>),
    /// `` `text${e}text` ``
    Template(Vec<TemplatePart>),
    /// A variable or a built-in.
    Name(Ident),
    /// `[a, b]`
    Array(Vec<Expression>),
    /// `{a: 1}`
    Object(Vec<ObjectField>),
    /// An arrow or an anonymous `function`.
    Function(Arc<Function>),
    /// `-a`, `+a`, `!a`
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: Box<Expression>,
    },
    /// `first op e op e ...`, all operators of one precedence, grouped from the left.
    Chain {
        /// The leftmost operand.
        first: Box<Expression>,
        /// The operators and operands that follow.
        rest: Vec<ChainLink>,
    },
    /// `a && b && ...`
    And(Vec<Expression>),
    /// `a || b || ...`
    Or(Vec<Expression>),
    /// `condition ? then : otherwise`
    Conditional {
        /// The condition.
        condition: Box<Expression>,
        /// The value if it is true.
        then: Box<Expression>,
        /// The value if it is false.
        otherwise: Box<Expression>,
    },
    /// `base(...)[...].name`, applied from the left.
    Postfix {
        /// The base of the first operation.
        base: Box<Expression>,
        /// The operations, in order.
        operations: Vec<Postfix>,
    },
    /// `target = value`, or `target op= value`.
    Assign {
        /// The target.
        target: Box<Target>,
        /// The operator of `+=` and its kin.
        operator: Option<BinaryOperator>,
        /// The assigned value.
        value: Box<Expression>,
    },
    /// `x++`, `++x`, `x--`, `--x`
    Update {
        /// The target.
        target: Box<Target>,
        /// `++`, not `--`.
        increment: bool,
        /// Whether the operator stands before the target.
        prefix: bool,
    },
    /// `choose(a, b, ...)`
    Choose(Vec<Expression>),
    /// `fail`, `fail message`
    Fail(Option<Box<Expression>>),
    /// In place of a part with a reported error; never compiled.
    Error,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Text, its escapes resolved.
    Text(Arc<str>),
    /// `${e}`
    Expression(Expression),
}

/// A field of an object literal.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectField {
    /// The key.
    pub key: Arc<str>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Expression,
}

/// An operator of a chain with its right operand.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainLink {
    /// The operator.
    pub operator: BinaryOperator,
    /// Where the operator stands.
    pub operator_span: Span,
    /// The right operand.
    pub operand: Expression,
}

/// An operation on a base: a call, an index or a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Postfix {
    /// What it is.
    pub kind: PostfixKind,
    /// From the beginning of the base to the end of this operation.
    pub span: Span,
}

/// The kinds of postfix operations.
#[derive(Clone, Debug, PartialEq)]
pub enum PostfixKind {
    /// `(a, b)`
    Call(Vec<Expression>),
    /// One index, or two (`g[x, y]`).
    Index(Vec<Expression>),
    /// `.field`
    Field(Ident),
}

/// The target of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// `name`
    Name(Ident),
    /// `object.field`
    Field {
        /// The object with the field.
        object: Expression,
        /// The field.
        field: Ident,
        /// From the object to the field.
        span: Span,
    },
    /// `object[index]`, or `object[x, y]`
    Index {
        /// The indexed object.
        object: Expression,
        /// One index, or two.
        indexes: Vec<Expression>,
        /// From the object to the closing bracket.
        span: Span,
    },
}

impl Target {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Target::Name(name) => name.span,
            Target::Field { span, .. } | Target::Index { span, .. } => *span,
        }
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `++`, which adds 1 to a number, and to nothing else. It is never between two operands.
    Increment,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl BinaryOperator {
    /// Whether it compares its operands.
    ///
    /// ```
    /// use ndscript_syntax::ast::BinaryOperator;
    /// assert!(BinaryOperator::Equal.compares() && !BinaryOperator::Add.compares());
    /// ```
    pub fn compares(self) -> bool {
        use BinaryOperator::*;
        matches!(
            self,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
        )
    }
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
            BinaryOperator::Increment => "++",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
        }
    }
}
