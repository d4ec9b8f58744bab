//! The form of expressions.

use super::layout::Layout;
use super::reader::Reader;
use ndscript::syntax::highlight::TokenClass;

/// Elements up to this length share lines.
const SHORT_ELEMENT: usize = 30;

/// Rows longer than this are made anew.
const LONGEST_ROW: usize = 90;

/// A layout of an expression.
pub struct Shaped<'t> {
    pub layout: Layout<'t>,
    pub shape: Shape,
}

/// What an expression looks like, as far as it matters where it may break.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// It ends with the bracket of a call.
    Call,
    /// `[...]` or `{...}`
    Literal,
    /// A function with a block.
    Block,
    /// `x => e`
    Arrow,
    Other,
}

impl<'t> Reader<'t> {
    pub fn expression(&mut self) -> Shaped<'t> {
        if self.is("fail") && self.has_message() {
            let parts = vec![self.word(), Layout::text(" "), self.expression().layout];
            return other(Layout::all(parts));
        }
        if self.is_arrow() {
            return self.arrow();
        }
        let left = self.operands();
        if self.is("?") {
            return self.conditional(left);
        }
        if ["=", "+=", "-=", "*=", "/=", "%="]
            .iter()
            .any(|operator| self.is(operator))
        {
            let operator = self.word();
            let value = self.expression().layout;
            let space = || Layout::text(" ");
            return other(Layout::all(vec![
                left.layout,
                space(),
                operator,
                space(),
                value,
            ]));
        }
        left
    }

    /// Whether what stands behind `fail` on its line is a message.
    fn has_message(&self) -> bool {
        let next = self.ahead(1);
        next.begins_message() && !next.begins_line
    }

    fn is_arrow(&self) -> bool {
        let first = self.ahead(0);
        first.class == TokenClass::Name && self.ahead(1).is("=>")
            || first.is("(") && self.behind_bracket().is_some_and(|word| word.is("=>"))
    }

    fn arrow(&mut self) -> Shaped<'t> {
        let parameters = if self.is("(") {
            self.parameters()
        } else {
            self.word()
        };
        let mut parts = vec![parameters, Layout::text(" "), self.word()];
        if self.is("{") {
            parts.push(Layout::text(" "));
            parts.push(self.block());
            return Shaped {
                layout: Layout::all(parts),
                shape: Shape::Block,
            };
        }
        let has_comment = !self.ahead(0).before.is_empty();
        let body = self.expression();
        if body.shape == Shape::Other || has_comment {
            let body = Layout::all(vec![Layout::line(), body.layout]);
            parts.push(body.indent().group());
        } else {
            parts.push(Layout::text(" "));
            parts.push(body.layout);
        }
        Shaped {
            layout: Layout::all(parts),
            shape: Shape::Arrow,
        }
    }

    /// `c ? a : d ? b : e` is one list of questions.
    fn conditional(&mut self, condition: Shaped<'t>) -> Shaped<'t> {
        let mut rest = Vec::new();
        let space = || Layout::text(" ");
        rest.extend([
            Layout::line(),
            self.word(),
            space(),
            self.expression().layout,
        ]);
        loop {
            rest.extend([Layout::line(), self.word(), space()]);
            if self.is_arrow() || self.is("fail") {
                rest.push(self.expression().layout);
                break;
            }
            rest.push(self.operands().layout);
            if self.is("?") {
                rest.extend([space(), self.word(), space(), self.expression().layout]);
                continue;
            }
            if !self.ends_value() {
                rest.extend([space(), self.word(), space(), self.expression().layout]);
            }
            break;
        }
        let parts = vec![condition.layout, Layout::all(rest).indent()];
        other(Layout::all(parts).group())
    }

    /// Whether no assignment follows.
    fn ends_value(&self) -> bool {
        !["=", "+=", "-=", "*=", "/=", "%="]
            .iter()
            .any(|operator| self.is(operator))
    }

    /// Operands with operators between them.
    fn operands(&mut self) -> Shaped<'t> {
        let first = self.unary();
        let mut rest = Vec::new();
        while let Some(rank) = rank(self.ahead(0).text).filter(|_| self.is_operator()) {
            rest.push((rank, self.word(), self.unary().layout));
        }
        if rest.is_empty() {
            return first;
        }
        other(chain(first.layout, rest, 0))
    }

    fn is_operator(&self) -> bool {
        self.ahead(0).class == TokenClass::Operator
    }

    fn unary(&mut self) -> Shaped<'t> {
        let mut signs = Vec::new();
        while ["-", "+", "!", "++", "--"].iter().any(|sign| self.is(sign)) {
            let sign = self.ahead(0).text;
            signs.push(self.word());
            // Two signs would read as one.
            if self.is_operator() && self.ahead(0).text.starts_with(&sign[..1]) {
                signs.push(Layout::text(" "));
            }
        }
        let mut operand = self.postfix();
        if self.is("++") || self.is("--") {
            operand = other(Layout::all(vec![operand.layout, self.word()]));
        }
        if signs.is_empty() {
            return operand;
        }
        signs.push(operand.layout);
        Shaped {
            layout: Layout::all(signs),
            shape: operand.shape,
        }
    }

    fn postfix(&mut self) -> Shaped<'t> {
        let base = self.primary();
        let mut shape = base.shape;
        let mut parts = vec![base.layout];
        loop {
            if self.is("(") {
                parts.push(self.arguments());
                shape = Shape::Call;
            } else if self.is("[") {
                parts.push(self.word());
                parts.push(self.expression().layout);
                if self.is(",") {
                    parts.push(self.word());
                    parts.push(Layout::text(" "));
                    parts.push(self.expression().layout);
                }
                parts.push(self.word());
                shape = Shape::Other;
            } else if self.is(".") {
                parts.push(self.word());
                parts.push(self.word());
                shape = Shape::Other;
            } else {
                break;
            }
        }
        Shaped {
            layout: Layout::all(parts),
            shape,
        }
    }

    fn primary(&mut self) -> Shaped<'t> {
        if self.is("(") {
            let open = self.word();
            let inner = self.expression().layout;
            return other(Layout::all(vec![open, inner, self.word()]));
        }
        if self.is("[") || self.is("{") {
            return Shaped {
                layout: self.literal(),
                shape: Shape::Literal,
            };
        }
        if self.is("function") {
            let parts = vec![
                self.word(),
                Layout::text(" "),
                self.parameters(),
                Layout::text(" "),
                self.block(),
            ];
            return Shaped {
                layout: Layout::all(parts),
                shape: Shape::Block,
            };
        }
        // The brackets of `choose(...)` are arguments as of any call.
        other(self.word())
    }

    /// `(a, b)` behind what is called.
    fn arguments(&mut self) -> Layout<'t> {
        let open = self.word();
        let mut items = Vec::new();
        let mut shapes = Vec::new();
        while !self.is(")") {
            let item = self.expression();
            shapes.push(item.shape);
            items.push(self.with_comma(item.layout, ")"));
        }
        if items.is_empty() {
            return Layout::all(vec![open, self.word()]);
        }
        let hugs_last = match shapes.last() {
            Some(Shape::Call | Shape::Other) => shapes.len() == 1,
            Some(_) => true,
            None => false,
        };
        let hugs_first = shapes[0] == Shape::Block && shapes.len() > 1;
        let is_plain = |shape: &Shape| matches!(shape, Shape::Call | Shape::Literal | Shape::Other);
        let forced = items.iter().any(Layout::is_forced);
        let plain = shapes.len() > 1 && !hugs_last && shapes.iter().all(is_plain) && !forced;
        let close = |reader: &mut Reader<'t>| reader.word();
        if plain {
            let inner = Layout::all(vec![Layout::soft(), Layout::fill(items)]).indent();
            return Layout::all(vec![open, inner, Layout::soft(), close(self)]).group();
        }
        let arguments = Layout::arguments(items, hugs_last, hugs_first);
        Layout::all(vec![open, arguments, close(self)])
    }

    /// With the comma behind it, unless the list ends there.
    fn with_comma(&mut self, item: Layout<'t>, end: &str) -> Layout<'t> {
        if !self.is(",") {
            return item;
        }
        let comma = if self.ahead(1).is(end) {
            self.skip()
        } else {
            self.word()
        };
        Layout::all(vec![item, comma])
    }

    /// The parameters of a function.
    pub fn parameters(&mut self) -> Layout<'t> {
        let open = self.word();
        let mut items = Vec::new();
        while !self.is(")") {
            let item = self.expression().layout;
            items.push(self.with_comma(item, ")"));
        }
        if items.is_empty() {
            return Layout::all(vec![open, self.word()]);
        }
        let inner = Layout::all(vec![Layout::soft(), Layout::fill(items)]).indent();
        Layout::all(vec![open, inner, Layout::soft(), self.word()]).group()
    }

    /// `[a, b]` or `{a: b}`. If its first element began on a new line, the lines of its elements stay.
    fn literal(&mut self) -> Layout<'t> {
        let end = if self.is("[") { "]" } else { "}" };
        let keeps_rows = self.ahead(1).begins_line && !self.ahead(1).is(end);
        let open = self.word();
        let mut rows: Vec<(bool, Vec<Layout<'t>>)> = Vec::new();
        while !self.is(end) {
            let next = self.ahead(0);
            let blank = next.is_set_off() && !rows.is_empty();
            let begins_row = keeps_rows && (next.begins_line || !next.before.is_empty());
            let item = self.element();
            let item = self.with_comma(item, end);
            match rows.last_mut() {
                Some((_, row)) if !begins_row => row.push(item),
                _ => rows.push((blank, vec![item])),
            }
        }
        let mut last = Vec::new();
        self.last_comments(&mut last);
        if rows.is_empty() {
            let inner = Layout::all(last).indent();
            return Layout::all(vec![open, inner, Layout::soft(), self.word()]).group();
        }
        let mut inner = Vec::new();
        // A row that has grown too long would leave one element alone on the next line.
        let is_plain = |row: &Vec<Layout<'t>>| row.iter().all(|item| item.is_short(SHORT_ELEMENT));
        let length = |row: &Vec<Layout<'t>>| row.iter().map(|item| item.width() + 1).sum::<usize>();
        let is_long =
            |(_, row): &(bool, Vec<Layout<'t>>)| row.len() > 1 && length(row) > LONGEST_ROW;
        let reflows =
            keeps_rows && rows.iter().all(|(_, row)| is_plain(row)) && rows.iter().any(is_long);
        if reflows {
            let items = rows.into_iter().flat_map(|(_, row)| row);
            inner.push(Layout::hard(false));
            inner.push(Layout::fill(items.collect()));
        } else if keeps_rows {
            for (blank, row) in rows {
                inner.push(Layout::hard(blank));
                inner.push(Layout::fill(row));
            }
        } else {
            inner.push(Layout::soft());
            let items: Vec<Layout<'t>> = rows.into_iter().flat_map(|(_, row)| row).collect();
            if items.iter().all(|item| item.is_short(SHORT_ELEMENT)) {
                inner.push(Layout::fill(items));
            } else {
                for (at, item) in items.into_iter().enumerate() {
                    if at > 0 {
                        inner.push(Layout::line());
                    }
                    inner.push(item);
                }
            }
        }
        inner.push(Layout::if_broken(","));
        inner.extend(last);
        let inner = Layout::all(inner).indent();
        Layout::all(vec![open, inner, Layout::soft(), self.word()]).group()
    }

    /// An element, or a key with its value.
    fn element(&mut self) -> Layout<'t> {
        let is_key = self.ahead(1).is(":") && self.ahead(0).class != TokenClass::Bracket;
        if !is_key {
            return self.expression().layout;
        }
        let key = self.word();
        let colon = self.word();
        let value = self.expression().layout;
        Layout::all(vec![key, colon, Layout::text(" "), value])
    }
}

fn other(layout: Layout<'_>) -> Shaped<'_> {
    Shaped {
        layout,
        shape: Shape::Other,
    }
}

/// How loosely an operator binds, from 0; `None` if it is none.
fn rank(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "==" | "!=" => 2,
        "<" | "<=" | ">" | ">=" => 3,
        "+" | "-" => 4,
        "*" | "/" | "%" => 5,
        _ => return None,
    })
}

/// Operands of operators from a rank on, those of the loosest one with places to break between them.
fn chain<'t>(first: Layout<'t>, rest: Vec<(u8, Layout<'t>, Layout<'t>)>, from: u8) -> Layout<'t> {
    let Some(loosest) = rest.iter().map(|(rank, _, _)| *rank).min() else {
        return first;
    };
    if loosest > from && from < 6 {
        return chain(first, rest, loosest);
    }
    let mut operands: Vec<Layout<'t>> = Vec::new();
    let mut current = (None, first, Vec::new());
    let mut finish = |(operator, first, inner): (Option<Layout<'t>>, _, _)| {
        let operand = chain(first, inner, from + 1);
        match operator {
            None => operands.push(operand),
            Some(operator) => {
                let parts = vec![Layout::line(), operator, Layout::text(" "), operand];
                operands.push(Layout::all(parts).indent());
            }
        }
    };
    for (rank, operator, operand) in rest {
        if rank > loosest {
            current.2.push((rank, operator, operand));
        } else {
            finish(current);
            current = (Some(operator), operand, Vec::new());
        }
    }
    finish(current);
    Layout::all(operands).group()
}
