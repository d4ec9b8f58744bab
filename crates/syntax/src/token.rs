//! The tokens of the language: what the lexer hands to the grammar.

use std::sync::Arc;

use logos::Logos;
use ndscript_base::keyed::KeyedSet;

use ndscript_base::source::Span;

/// A token with the place where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned {
    pub token: Token,
    pub span: Span,
    /// Whether the text has it, or a repair put it there (see [`super::repair`]).
    pub is_inserted: bool,
}

/// Names met so far, so that equal ones share their text.
#[derive(Default)]
pub struct Names(KeyedSet<Arc<str>>);

impl Names {
    pub fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.0.insert(name.clone());
        name
    }
}

/// One token. Variants without a pattern are made by the lexer by hand.
#[derive(Logos, Clone, Debug, PartialEq)]
#[logos(extras = Names)]
pub enum Token {
    /// A name or a reserved word as written; the lexer tells which. Here only letters of ASCII, from which the lexer reads on: all
    /// letters, or a branch for each letter of each reserved word, would be most of its machine code.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    Name(Arc<str>),
    /// A number as written; the lexer turns it into one of the next two.
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    Integer(i64),
    Float(f64),
    String(Arc<str>),
    /// A template without `${`.
    Template(Arc<str>),
    TemplateHead(Arc<str>),
    TemplateMiddle(Arc<str>),
    TemplateTail(Arc<str>),
    /// An error that was already reported; may replace any expression.
    Bad,

    Var,
    Let,
    Const,
    Function,
    Deterministic,
    If,
    Else,
    While,
    For,
    Foreach,
    In,
    Break,
    Continue,
    Choose,
    /// `choose first`
    ChooseFirst,
    /// `choose (`
    ChooseParen,
    Or,
    Fail,
    /// `fail` with a message after it on its line
    FailMessage,
    Return,
    True,
    False,
    Null,
    Import,

    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token("=>")]
    Arrow,
    #[token("=")]
    Assign,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubtractAssign,
    #[token("*=")]
    MultiplyAssign,
    #[token("/=")]
    DivideAssign,
    #[token("%=")]
    RemainderAssign,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("!")]
    Not,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,

    /// `===`, reported and read as `==`.
    #[token("===")]
    TripleEqual,
    /// `!==`, reported and read as `!=`.
    #[token("!==")]
    NotDoubleEqual,
    /// `&`, reported and read as `&&`.
    #[token("&")]
    And,
    /// `|`, reported and read as `||`.
    #[token("|")]
    Pipe,
}

/// The reserved words.
pub const KEYWORDS: [&str; 21] = [
    "var",
    "let",
    "const",
    "function",
    "deterministic",
    "if",
    "else",
    "while",
    "for",
    "foreach",
    "in",
    "break",
    "continue",
    "choose",
    "or",
    "fail",
    "return",
    "true",
    "false",
    "null",
    "import",
];

impl Token {
    /// The token of a reserved word.
    pub fn keyword(word: &str) -> Option<Token> {
        let token = match word {
            "var" => Token::Var,
            "let" => Token::Let,
            "const" => Token::Const,
            "function" => Token::Function,
            "deterministic" => Token::Deterministic,
            "if" => Token::If,
            "else" => Token::Else,
            "while" => Token::While,
            "for" => Token::For,
            "foreach" => Token::Foreach,
            "in" => Token::In,
            "break" => Token::Break,
            "continue" => Token::Continue,
            "choose" => Token::Choose,
            "or" => Token::Or,
            "fail" => Token::Fail,
            "return" => Token::Return,
            "true" => Token::True,
            "false" => Token::False,
            "null" => Token::Null,
            "import" => Token::Import,
            _ => return None,
        };
        Some(token)
    }

    /// Whether this is a reserved word (also one merged with what follows it).
    pub fn is_keyword(&self) -> bool {
        matches!(
            self,
            Token::Var
                | Token::Let
                | Token::Const
                | Token::Function
                | Token::Deterministic
                | Token::If
                | Token::Else
                | Token::While
                | Token::For
                | Token::Foreach
                | Token::In
                | Token::Break
                | Token::Continue
                | Token::Choose
                | Token::ChooseFirst
                | Token::ChooseParen
                | Token::Or
                | Token::Fail
                | Token::FailMessage
                | Token::Return
                | Token::True
                | Token::False
                | Token::Null
                | Token::Import
        )
    }

    /// Whether it begins a statement and nothing else.
    pub fn begins_statement(&self) -> bool {
        matches!(
            self,
            Token::Var
                | Token::Let
                | Token::Const
                | Token::Deterministic
                | Token::If
                | Token::While
                | Token::For
                | Token::Foreach
                | Token::Break
                | Token::Continue
                | Token::Choose
                | Token::ChooseFirst
                | Token::Return
                | Token::Import
        )
    }

    /// Whether an expression can begin with it and cannot continue with it.
    pub fn begins_operand(&self) -> bool {
        matches!(
            self,
            Token::Name(_)
                | Token::Integer(_)
                | Token::Float(_)
                | Token::String(_)
                | Token::Template(_)
                | Token::TemplateHead(_)
                | Token::Bad
                | Token::True
                | Token::False
                | Token::Null
                | Token::Fail
                | Token::FailMessage
                | Token::Function
                | Token::ChooseParen
                | Token::Not
        )
    }

    /// Whether an expression can end with it.
    pub fn ends_operand(&self) -> bool {
        matches!(
            self,
            Token::Name(_)
                | Token::Integer(_)
                | Token::Float(_)
                | Token::String(_)
                | Token::Template(_)
                | Token::TemplateTail(_)
                | Token::Bad
                | Token::True
                | Token::False
                | Token::Null
                | Token::Fail
                | Token::CloseParen
                | Token::CloseBracket
                | Token::Increment
                | Token::Decrement
        )
    }

    /// Whether it opens a bracket.
    pub fn opens(&self) -> bool {
        matches!(
            self,
            Token::OpenParen
                | Token::ChooseParen
                | Token::OpenBracket
                | Token::OpenBrace
                | Token::TemplateHead(_)
        )
    }

    /// Whether it closes a bracket.
    pub fn closes(&self) -> bool {
        matches!(
            self,
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace | Token::TemplateTail(_)
        )
    }
}
