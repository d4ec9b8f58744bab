//! Builds expressions.

use std::sync::Arc;

use super::super::ast::*;
use super::{
    Builder, NextOperand, Operand, Operands, Operations, Operator, body_depth, deepest,
    deepest_default,
};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

impl Operator {
    /// How tightly it binds.
    fn rank(self) -> u32 {
        use BinaryOperator::*;
        match self {
            Operator::Or => 0,
            Operator::And => 1,
            Operator::Binary(Equal | NotEqual) => 2,
            Operator::Binary(Less | LessEqual | Greater | GreaterEqual) => 3,
            Operator::Binary(Add | Subtract | Increment) => 4,
            Operator::Binary(Multiply | Divide | Remainder) => 5,
        }
    }
}

const ARRAY_LITERAL: &str = "an array literal";
const OBJECT_LITERAL: &str = "an object literal";

impl Builder {
    pub fn leaf(&mut self, l: u32, r: u32, kind: ExpressionKind) -> Expression {
        self.expression(l, r, kind, 0)
    }

    pub fn name(&mut self, name: Ident) -> Expression {
        self.leaf(name.span.start, name.span.end, ExpressionKind::Name(name))
    }

    /// Makes `e` the target of an assignment, or reports that it is none.
    fn target(&mut self, l: u32, e: Expression, operator: &str) -> Option<Target> {
        let span = e.span;
        match e.kind {
            ExpressionKind::Name(name) if span.start == l => return Some(Target::Name(name)),
            ExpressionKind::Postfix {
                base,
                mut operations,
            } if span.start == l => {
                let last = operations.pop();
                if let Some(Postfix {
                    kind: PostfixKind::Call(_),
                    ..
                })
                | None = last
                {
                    self.not_a_target(span, "the result of a call", operator);
                    return None;
                }
                let object = match operations.last() {
                    None => *base,
                    Some(before) => {
                        let span = before.span;
                        Expression {
                            kind: ExpressionKind::Postfix { base, operations },
                            span,
                            depth: e.depth,
                        }
                    }
                };
                return match last {
                    Some(Postfix {
                        kind: PostfixKind::Field(field),
                        span,
                    }) => Some(Target::Field {
                        object,
                        field,
                        span,
                    }),
                    Some(Postfix {
                        kind: PostfixKind::Index(indexes),
                        span,
                    }) => Some(Target::Index {
                        object,
                        indexes,
                        span,
                    }),
                    _ => None,
                };
            }
            ExpressionKind::Error => return None,
            kind => self.not_a_target(span, describe(&kind), operator),
        }
        None
    }

    fn not_a_target(&mut self, span: Span, what: &str, operator: &str) {
        let diagnostic = Diagnostic::error(format!("{what} cannot be assigned to"), span)
            .with_label("a variable, a field or an element belongs here");
        self.report(match (operator, what) {
            ("=", ARRAY_LITERAL | OBJECT_LITERAL) => diagnostic
                .with_hint("assign one by one; two variables change places by a third: `let old = a; a = b; b = old;`"),
            ("=", _) => diagnostic.with_hint("to compare, write `==` instead of `=`"),
            _ => diagnostic,
        });
    }

    pub fn assign(
        &mut self,
        l: u32,
        r: u32,
        target: Expression,
        operator: Option<BinaryOperator>,
        value: Expression,
    ) -> Expression {
        let below = target.depth.max(value.depth);
        let Some(target) = self.target(l, target, if operator.is_none() { "=" } else { "" }) else {
            return self.nothing(l, r);
        };
        let kind = ExpressionKind::Assign {
            target: Box::new(target),
            operator,
            value: Box::new(value),
        };
        self.expression(l, r, kind, below)
    }

    pub fn update(
        &mut self,
        l: u32,
        r: u32,
        target: Expression,
        increment: bool,
        prefix: bool,
    ) -> Expression {
        let below = target.depth;
        let start = if prefix { target.span.start } else { l };
        let Some(target) = self.target(start, target, if increment { "++" } else { "--" }) else {
            return self.nothing(l, r);
        };
        self.expression(
            l,
            r,
            ExpressionKind::Update {
                target: Box::new(target),
                increment,
                prefix,
            },
            below,
        )
    }

    fn function_value(
        &mut self,
        l: u32,
        r: u32,
        parameters: Vec<Parameter>,
        body: FunctionBody,
    ) -> Expression {
        self.reject_jumps(l);
        self.check_parameters(&parameters);
        let below = body_depth(&body).max(deepest_default(&parameters)) + 1;
        let function = Function {
            name: None,
            parameters,
            body,
            deterministic: false,
            span: Span::new(l, r),
        };
        self.expression(l, r, ExpressionKind::Function(Arc::new(function)), below)
    }

    pub fn arrow(
        &mut self,
        l: u32,
        r: u32,
        parameters: Vec<Parameter>,
        body: FunctionBody,
    ) -> Expression {
        self.function_value(l, r, parameters, body)
    }

    pub fn function(
        &mut self,
        l: u32,
        r: u32,
        parameters: Vec<Parameter>,
        body: Vec<Statement>,
    ) -> Expression {
        self.function_value(l, r, parameters, FunctionBody::Block(body))
    }

    pub fn conditional(
        &mut self,
        l: u32,
        r: u32,
        condition: Expression,
        then: Expression,
        otherwise: Expression,
    ) -> Expression {
        let below = condition.depth.max(then.depth).max(otherwise.depth);
        let (condition, then, otherwise) =
            (Box::new(condition), Box::new(then), Box::new(otherwise));
        self.expression(
            l,
            r,
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            },
            below,
        )
    }

    // ---- Binary operators ----

    pub fn operands(
        &mut self,
        l: u32,
        r: u32,
        first: Expression,
        next: NextOperand,
    ) -> Box<Operands> {
        Box::new(Operands {
            first: Operand {
                expression: first,
                start: l,
                end: r,
            },
            rest: vec![next],
        })
    }

    pub fn more_operands(
        &mut self,
        mut operands: Box<Operands>,
        next: NextOperand,
    ) -> Box<Operands> {
        operands.rest.push(next);
        operands
    }

    pub fn next_operand(
        &mut self,
        operator_span: Span,
        operator: Operator,
        l: u32,
        r: u32,
        operand: Expression,
    ) -> NextOperand {
        NextOperand {
            operator,
            operator_span,
            operand: Operand {
                expression: operand,
                start: l,
                end: r,
            },
        }
    }

    pub fn binary(&mut self, operands: Operands) -> Expression {
        self.ranked(0, operands.first, operands.rest).expression
    }

    /// The tree of operands between which there are operators of this rank and of higher ones.
    fn ranked(&mut self, rank: u32, first: Operand, rest: Vec<NextOperand>) -> Operand {
        let Some(lowest) = rest.iter().map(|next| next.operator.rank()).min() else {
            return first;
        };
        if lowest > rank {
            return self.ranked(lowest, first, rest);
        }
        let (mut head, mut inside) = (first, Vec::new());
        let mut link: Option<(Operator, Span)> = None;
        let mut parts: Vec<(Option<(Operator, Span)>, Operand)> = Vec::new();
        for next in rest {
            if next.operator.rank() > rank {
                inside.push(next);
            } else {
                parts.push((
                    link,
                    self.ranked(rank + 1, head, std::mem::take(&mut inside)),
                ));
                link = Some((next.operator, next.operator_span));
                head = next.operand;
            }
        }
        let last = self.ranked(rank + 1, head, inside);
        let (start, end) = (
            parts.first().map_or(last.start, |part| part.1.start),
            last.end,
        );
        parts.push((link, last));
        Operand {
            expression: self.joined(start, end, parts),
            start,
            end,
        }
    }

    /// Operands that operators of one rank connect; the first has none before it.
    fn joined(
        &mut self,
        l: u32,
        r: u32,
        parts: Vec<(Option<(Operator, Span)>, Operand)>,
    ) -> Expression {
        let below = deepest(parts.iter().map(|part| &part.1.expression));
        let is_and = matches!(parts.last(), Some((Some((Operator::And, _)), _)));
        let is_or = matches!(parts.last(), Some((Some((Operator::Or, _)), _)));
        let mut first = None;
        let (mut list, mut rest) = (Vec::new(), Vec::new());
        for (link, part) in parts {
            match link {
                Some((Operator::Binary(operator), operator_span)) => {
                    rest.push(ChainLink {
                        operator,
                        operator_span,
                        operand: part.expression,
                    });
                }
                None if !is_and && !is_or => first = Some(Box::new(part.expression)),
                _ => list.push(part.expression),
            }
        }
        let kind = match first {
            Some(first) => ExpressionKind::Chain { first, rest },
            None if is_and => ExpressionKind::And(list),
            None => ExpressionKind::Or(list),
        };
        self.expression(l, r, kind, below)
    }

    pub fn unary(
        &mut self,
        l: u32,
        r: u32,
        operator: UnaryOperator,
        operand: Expression,
    ) -> Expression {
        let below = operand.depth;
        self.expression(
            l,
            r,
            ExpressionKind::Unary {
                operator,
                operand: Box::new(operand),
            },
            below,
        )
    }

    pub fn operations(
        &mut self,
        l: u32,
        r: u32,
        base: Expression,
        kind: PostfixKind,
    ) -> Box<Operations> {
        self.operation(l, r, Box::new((base, Vec::new())), kind)
    }

    pub fn operation(
        &mut self,
        l: u32,
        r: u32,
        mut all: Box<Operations>,
        kind: PostfixKind,
    ) -> Box<Operations> {
        self.active();
        all.1.push(Postfix {
            kind,
            span: Span::new(l, r),
        });
        all
    }

    pub fn postfix(&mut self, l: u32, r: u32, (base, operations): Operations) -> Expression {
        let inside = operations
            .iter()
            .flat_map(|operation| match &operation.kind {
                PostfixKind::Call(list) | PostfixKind::Index(list) => list.as_slice(),
                PostfixKind::Field(_) => &[],
            });
        let below = base.depth.max(deepest(inside));
        self.expression(
            l,
            r,
            ExpressionKind::Postfix {
                base: Box::new(base),
                operations,
            },
            below,
        )
    }

    pub fn array(&mut self, l: u32, r: u32, list: Vec<Expression>) -> Expression {
        let below = deepest(list.iter());
        self.expression(l, r, ExpressionKind::Array(list), below)
    }

    pub fn object(&mut self, l: u32, r: u32, list: Vec<ObjectField>) -> Expression {
        let below = deepest(list.iter().map(|field| &field.value));
        self.expression(l, r, ExpressionKind::Object(list), below)
    }

    pub fn field(&mut self, l: u32, r: u32, key: Arc<str>, value: Expression) -> ObjectField {
        ObjectField {
            key,
            key_span: Span::new(l, r),
            value,
        }
    }

    /// A field whose key is found as the program runs, which there is not.
    pub fn computed_field(
        &mut self,
        l: u32,
        r: u32,
        key: Expression,
        value: Expression,
    ) -> ObjectField {
        let _ = key;
        self.report(
            Diagnostic::error(
                "a key of an object is a name, a text or a number",
                Span::new(l, r),
            )
            .with_label("this would be a computed key")
            .with_hint("set the field behind the object: `o[key] = value;`"),
        );
        self.field(l, r, "".into(), value)
    }

    pub fn integer_key(&mut self, value: i64) -> Arc<str> {
        value.to_string().into()
    }

    pub fn float_key(&mut self, value: f64) -> Arc<str> {
        ryu_js::Buffer::new().format(value).into()
    }

    pub fn fail(&mut self, l: u32, r: u32, message: Expression) -> Expression {
        let below = message.depth;
        self.expression(l, r, ExpressionKind::Fail(Some(Box::new(message))), below)
    }

    pub fn choose_expression(&mut self, l: u32, r: u32, list: Vec<Expression>) -> Expression {
        let below = deepest(list.iter());
        self.expression(l, r, ExpressionKind::Choose(list), below)
    }

    pub fn template(&mut self, l: u32, r: u32, list: Vec<TemplatePart>) -> Expression {
        let below = deepest(list.iter().filter_map(|part| match part {
            TemplatePart::Text(_) => None,
            TemplatePart::Expression(e) => Some(e),
        }));
        let list = list
            .into_iter()
            .filter(|part| !matches!(part, TemplatePart::Text(text) if text.is_empty()))
            .collect();
        self.expression(l, r, ExpressionKind::Template(list), below)
    }

    pub fn template_part(
        &mut self,
        mut list: Vec<TemplatePart>,
        text: Arc<str>,
        e: Expression,
    ) -> Vec<TemplatePart> {
        list.push(TemplatePart::Text(text));
        list.push(TemplatePart::Expression(e));
        list
    }

    pub fn template_end(
        &mut self,
        l: u32,
        r: u32,
        list: Vec<TemplatePart>,
        tail: Arc<str>,
    ) -> Expression {
        let list = self.push(list, TemplatePart::Text(tail));
        self.template(l, r, list)
    }
}

/// The kind of the expression in a person's words.
fn describe(kind: &ExpressionKind) -> &'static str {
    match kind {
        ExpressionKind::Null => "`null`",
        ExpressionKind::Boolean(true) => "`true`",
        ExpressionKind::Boolean(false) => "`false`",
        ExpressionKind::Integer(_) | ExpressionKind::Float(_) => "a number",
        ExpressionKind::String(_) | ExpressionKind::Template(_) => "a text",
        ExpressionKind::Name(_) | ExpressionKind::Postfix { .. } => "what stands in parentheses",
        ExpressionKind::Array(_) => ARRAY_LITERAL,
        ExpressionKind::Object(_) => OBJECT_LITERAL,
        ExpressionKind::Function(_) => "a function value",
        ExpressionKind::Choose(_) | ExpressionKind::Fail(_) => "a choice",
        ExpressionKind::Assign { .. } | ExpressionKind::Update { .. } => {
            "the result of an assignment"
        }
        _ => "the result of a calculation",
    }
}
