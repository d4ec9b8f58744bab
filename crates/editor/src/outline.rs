//! What a program declares, and what can be said of it without running it.

use ndscript::source::{Sources, Span};
use ndscript::syntax::ast::*;
use ndscript::syntax::parts::StatementPart;

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Function,
    Parameter,
    Variable,
    Constant,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: Ident,
    pub kind: Kind,
    /// The whole of it.
    pub span: Span,
    /// The parameters, if it is a function or begins as one.
    pub parameters: Option<Vec<Span>>,
    /// Its first value.
    pub value: Option<Span>,
    /// What is declared inside.
    pub inner: Vec<Declared>,
}

impl Declared {
    /// What it is used as: a variable that begins as a function is one.
    pub fn kind(&self) -> Kind {
        match self.parameters {
            Some(_) => Kind::Function,
            None => self.kind,
        }
    }
}

/// The declarations of a tree, and the names of fields that stand in it.
#[derive(Debug, Default)]
pub struct Outline {
    pub declared: Vec<Declared>,
    pub fields: Vec<Ident>,
    /// Where files are imported: their names with the quotes.
    pub imports: Vec<Span>,
}

impl Outline {
    pub fn of(statements: &[Statement]) -> Outline {
        let mut walk = Walk::default();
        walk.statements(statements);
        walk.out
    }

    /// All declarations, those inside of others, too.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Declared)) {
        fn go<'a>(declared: &'a [Declared], visit: &mut dyn FnMut(&'a Declared)) {
            for one in declared {
                visit(one);
                go(&one.inner, visit);
            }
        }
        go(&self.declared, visit);
    }
}

#[derive(Default)]
struct Walk {
    out: Outline,
}

impl Walk {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// Walks, and returns what was declared there.
    fn inside(&mut self, walk: impl FnOnce(&mut Walk)) -> Vec<Declared> {
        let outer = std::mem::take(&mut self.out.declared);
        walk(self);
        std::mem::replace(&mut self.out.declared, outer)
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare {
                keyword,
                declarators,
            } => {
                for declarator in declarators {
                    self.declarator(declarator, *keyword, statement.span);
                }
                return;
            }
            StatementKind::Function(function) => {
                let inner = self.inside(|walk| walk.function(function));
                if let Some(name) = function.name.clone() {
                    self.out.declared.push(Declared {
                        name,
                        kind: Kind::Function,
                        span: function.span,
                        parameters: Some(parameters(function)),
                        value: None,
                        inner,
                    });
                }
                return;
            }
            StatementKind::Foreach { name, .. } => self.out.declared.push(Declared {
                name: name.clone(),
                kind: Kind::Variable,
                span: name.span,
                parameters: None,
                value: None,
                inner: Vec::new(),
            }),
            StatementKind::Import { path_span, .. } => self.out.imports.push(*path_span),
            _ => {}
        }
        statement.each_part(&mut |part| match part {
            StatementPart::Expression(expression) => self.expression(expression),
            StatementPart::Statement(statement) => self.statement(statement),
        });
    }

    fn declarator(&mut self, declarator: &Declarator, keyword: DeclareKeyword, span: Span) {
        let value = declarator.value.as_ref();
        let inner = self.inside(|walk| value.iter().for_each(|value| walk.expression(value)));
        let function = value.and_then(|value| match &value.kind {
            ExpressionKind::Function(function) => Some(function),
            _ => None,
        });
        self.out.declared.push(Declared {
            name: declarator.name.clone(),
            kind: if keyword == DeclareKeyword::Const {
                Kind::Constant
            } else {
                Kind::Variable
            },
            span,
            parameters: function.map(|function| parameters(function)),
            value: value.map(|value| value.span),
            inner,
        });
    }

    fn function(&mut self, function: &Function) {
        for parameter in &function.parameters {
            let default = parameter.default.as_ref();
            self.out.declared.push(Declared {
                name: parameter.name.clone(),
                kind: Kind::Parameter,
                span: parameter_span(parameter),
                parameters: None,
                value: default.map(|default| default.span),
                inner: Vec::new(),
            });
            default.iter().for_each(|default| self.expression(default));
        }
        match &function.body {
            FunctionBody::Block(statements) => self.statements(statements),
            FunctionBody::Expression(expression) => self.expression(expression),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Function(function) => self.function(function),
            ExpressionKind::Object(fields) => {
                self.out.fields.extend(fields.iter().map(|field| Ident {
                    name: field.key.clone(),
                    span: field.key_span,
                }));
            }
            ExpressionKind::Postfix { operations, .. } => {
                for operation in operations {
                    if let PostfixKind::Field(field) = &operation.kind {
                        self.out.fields.push(field.clone());
                    }
                }
            }
            ExpressionKind::Assign { target, .. } | ExpressionKind::Update { target, .. } => {
                if let Target::Field { field, .. } = &**target {
                    self.out.fields.push(field.clone());
                }
            }
            _ => {}
        }
        expression.each_part(&mut |part| self.expression(part));
    }
}

fn parameters(function: &Function) -> Vec<Span> {
    function.parameters.iter().map(parameter_span).collect()
}

fn parameter_span(parameter: &Parameter) -> Span {
    match &parameter.default {
        Some(default) => parameter.name.span.to(default.span),
        None => parameter.name.span,
    }
}

/// The comment right above a declaration, or after it on its line: what it says, without the marks.
pub fn comment(sources: &Sources, span: Span) -> String {
    let Some(file) = sources.file_at(span.start) else {
        return String::new();
    };
    let start = file.clamp(span.start - file.base);
    let before = &file.text[..start];
    let before = &before[..before.rfind('\n').map_or(0, |at| at + 1)];
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let mut lines: Vec<&str> = before.lines().rev().take_while(is_comment).collect();
    lines.reverse();
    let words = |line: &str| line.trim_start().trim_start_matches('/').trim().to_string();
    if lines.is_empty() {
        let line = file.text[start..].lines().next().unwrap_or_default();
        let after = line
            .split_once("// ")
            .filter(|(code, _)| !code.contains(['"', '\'', '`']));
        return after.map_or(String::new(), |(_, comment)| comment.trim().to_string());
    }
    lines.into_iter().map(words).collect::<Vec<_>>().join("\n")
}
