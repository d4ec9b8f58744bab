//! The form of expressions.

use super::layout::Layout;
use super::reader::Reader;
use ndscript::syntax::highlight::TokenClass;

/// Elements up to this length share lines.
const SHORT_ELEMENT: usize = 30;

/// A literal up to this length does not begin on one line and end on another to the right of other arguments.
const SHORT_LITERAL: usize = 40;

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
    /// It ends with an index.
    Index,
    /// `[...]` or `{...}`
    Literal,
    /// A function with a block.
    Block,
    /// `x => e`
    Arrow,
    Other,
}

impl Shaped<'_> {
    /// Whether what follows it on its line may be large.
    fn is_simple(&self) -> bool {
        self.shape != Shape::Literal
    }
}

impl<'t> Reader<'t> {
    /// Reads an expression.
    pub fn expression(&mut self) -> Shaped<'t> {
        if self.is("fail") && self.has_message() {
            return self.fail();
        }
        if self.is_arrow() {
            return self.arrow();
        }
        let left = self.operands();
        if self.is("?") {
            return self.conditional(left);
        }
        if self.is_assignment() {
            return self.assignment(left);
        }
        left
    }

    fn fail(&mut self) -> Shaped<'t> {
        let mut parts = vec![self.word(), Layout::text(" ")];
        self.push_expression(&mut parts);
        other(Layout::all(parts))
    }

    fn assignment(&mut self, target: Shaped<'t>) -> Shaped<'t> {
        let mut parts = vec![target.layout, Layout::text(" ")];
        parts.extend([self.word(), Layout::text(" ")]);
        self.push_expression(&mut parts);
        other(Layout::all(parts))
    }

    /// Expressions are in one another up to the depth that the parser lets through, and every step of that stands on the
    /// stack. So the functions that recurse have small frames, and separate functions build the layouts.
    pub fn push_expression(&mut self, parts: &mut Vec<Layout<'t>>) {
        let expression = self.expression();
        parts.push(expression.layout);
    }

    fn is_assignment(&self) -> bool {
        ["=", "+=", "-=", "*=", "/=", "%="]
            .iter()
            .any(|operator| self.is(operator))
    }

    /// Whether what follows `fail` on its line is a message.
    fn has_message(&self) -> bool {
        let next = self.ahead(1);
        next.begins_message() && !next.begins_line
    }

    fn is_arrow(&self) -> bool {
        let first = self.ahead(0);
        first.class == TokenClass::Name && self.ahead(1).is("=>")
            || first.is("(") && self.word_after_bracket().is_some_and(|word| word.is("=>"))
    }

    fn arrow(&mut self) -> Shaped<'t> {
        let mut parts = self.arrow_head();
        if self.is("{") {
            parts.push(Layout::text(" "));
            self.push_block(&mut parts);
            return Shaped {
                layout: Layout::all(parts),
                shape: Shape::Block,
            };
        }
        let has_comment = !self.ahead(0).before.is_empty();
        let body = self.expression();
        arrow_of(parts, body, has_comment)
    }

    /// `(a, b) =>`
    fn arrow_head(&mut self) -> Vec<Layout<'t>> {
        let parameters = if self.is("(") {
            self.parameters()
        } else {
            self.word()
        };
        vec![parameters, Layout::text(" "), self.word()]
    }

    /// `c ? a : d ? b : e` is one list of questions.
    fn conditional(&mut self, condition: Shaped<'t>) -> Shaped<'t> {
        let mut rest = Vec::new();
        self.push_branch(&mut rest);
        self.push_expression(&mut rest);
        loop {
            self.push_branch(&mut rest);
            if self.is_arrow() || self.is("fail") {
                self.push_expression(&mut rest);
                break;
            }
            self.push_operands(&mut rest);
            let is_question = self.is("?");
            if !is_question && !self.is_assignment() {
                break;
            }
            rest.extend([Layout::text(" "), self.word(), Layout::text(" ")]);
            self.push_expression(&mut rest);
            if !is_question {
                break;
            }
        }
        let parts = vec![condition.layout, Layout::all(rest).indent()];
        other(Layout::all(parts).group())
    }

    /// `?` or `:` on a new line.
    fn push_branch(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.extend([Layout::line(), self.word(), Layout::text(" ")]);
    }

    fn push_operands(&mut self, parts: &mut Vec<Layout<'t>>) {
        let operands = self.operands();
        parts.push(operands.layout);
    }

    /// Operands with operators between them.
    fn operands(&mut self) -> Shaped<'t> {
        let first = self.unary();
        if self.operator_rank().is_none() {
            return first;
        }
        let mut rest = Vec::new();
        while let Some(rank) = self.operator_rank() {
            let operator = self.word();
            let operand = self.unary();
            rest.push((rank, operator, operand.layout));
        }
        other(chain(first.layout, rest, 0))
    }

    fn operator_rank(&self) -> Option<u8> {
        let word = self.ahead(0);
        let is_operator = word.class == TokenClass::Operator;
        rank(word.text).filter(|_| is_operator)
    }

    fn unary(&mut self) -> Shaped<'t> {
        let mut parts = self.signs();
        let operand = self.postfix();
        if parts.is_empty() && !self.is("++") && !self.is("--") {
            return operand;
        }
        parts.push(operand.layout);
        let mut shape = operand.shape;
        if self.is("++") || self.is("--") {
            parts.push(self.word());
            shape = Shape::Other;
        }
        Shaped {
            layout: Layout::all(parts),
            shape,
        }
    }

    /// The signs before an operand.
    fn signs(&mut self) -> Vec<Layout<'t>> {
        let mut signs = Vec::new();
        while ["-", "+", "!", "++", "--"].iter().any(|sign| self.is(sign)) {
            let sign = self.ahead(0).text;
            signs.push(self.word());
            // Two signs would read as one.
            let next = self.ahead(0);
            if next.class == TokenClass::Operator && next.text.starts_with(&sign[..1]) {
                signs.push(Layout::text(" "));
            }
        }
        signs
    }

    fn postfix(&mut self) -> Shaped<'t> {
        let base = self.primary();
        if !["(", "[", "."].iter().any(|operator| self.is(operator)) {
            return base;
        }
        let mut parts = vec![base.layout];
        let mut shape = base.shape;
        loop {
            if self.is("(") {
                self.push_arguments(&mut parts);
                shape = Shape::Call;
            } else if self.is("[") {
                self.push_index(&mut parts);
                shape = Shape::Index;
            } else if self.is(".") {
                parts.extend([self.word(), self.word()]);
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

    fn push_index(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.push(self.word());
        let mut inner = vec![Layout::soft()];
        self.push_expression(&mut inner);
        if self.is(",") {
            inner.extend([self.word(), Layout::line()]);
            self.push_expression(&mut inner);
        }
        self.push_between(parts, inner);
    }

    /// What stands between brackets, on lines of its own if there is no room, and the closing bracket.
    pub fn push_between(&mut self, parts: &mut Vec<Layout<'t>>, inner: Vec<Layout<'t>>) {
        let inner = vec![Layout::all(inner).indent(), Layout::soft(), self.word()];
        parts.push(Layout::all(inner).group());
    }

    fn primary(&mut self) -> Shaped<'t> {
        if self.is("(") {
            return self.in_brackets();
        }
        if self.is("[") || self.is("{") {
            return self.literal();
        }
        if self.is("function") {
            return self.function();
        }
        // The brackets of `choose(...)` are arguments as of any call.
        other(self.word())
    }

    /// `(a)`
    fn in_brackets(&mut self) -> Shaped<'t> {
        let mut parts = vec![self.word()];
        self.push_expression(&mut parts);
        parts.push(self.word());
        other(Layout::all(parts))
    }

    fn function(&mut self) -> Shaped<'t> {
        let mut parts = vec![self.word(), Layout::text(" ")];
        parts.extend([self.parameters(), Layout::text(" ")]);
        self.push_block(&mut parts);
        Shaped {
            layout: Layout::all(parts),
            shape: Shape::Block,
        }
    }

    /// The arguments of a call: `(a, b)`.
    fn push_arguments(&mut self, parts: &mut Vec<Layout<'t>>) {
        let begins_row = self.ahead(1).begins_line;
        parts.push(self.word());
        let mut items = Vec::new();
        while !self.is(")") {
            let begins_row = self.ahead(0).begins_line;
            let item = self.expression();
            let shape = item.shape;
            let layout = self.with_comma(item.layout, ")");
            items.push((begins_row, Shaped { layout, shape }));
        }
        let is_table = begins_row && items.len() > 1;
        let is_table = is_table && items.iter().all(|(_, item)| item.shape == Shape::Literal);
        let close = self.word();
        if is_table {
            push_table(parts, items, close);
        } else {
            let items = items.into_iter().map(|(_, item)| item).collect();
            push_arguments_of(parts, items, close);
        }
    }

    /// Adds the comma that follows an item, unless the list ends there.
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
    fn literal(&mut self) -> Shaped<'t> {
        let end = if self.is("[") { "]" } else { "}" };
        let keeps_rows = self.ahead(1).begins_line && !self.ahead(1).is(end);
        let mut parts = vec![self.word()];
        let mut rows: Vec<Row<'t>> = Vec::new();
        while !self.is(end) {
            let next = self.ahead(0);
            let blank = next.is_set_off() && !rows.is_empty();
            let begins_row = keeps_rows && (next.begins_line || !next.before.is_empty());
            if begins_row || rows.is_empty() {
                let items = Vec::new();
                rows.push(Row { blank, items });
            }
            if let Some(row) = rows.last_mut() {
                self.push_element(&mut row.items, end);
            }
        }
        self.push_inside(&mut parts, rows, keeps_rows);
        Shaped {
            layout: Layout::all(parts).group(),
            shape: Shape::Literal,
        }
    }

    /// An element, or a key with its value, and a comma.
    fn push_element(&mut self, items: &mut Vec<Layout<'t>>, end: &str) {
        let mut parts = Vec::new();
        let is_key = self.ahead(1).is(":") && self.ahead(0).class != TokenClass::Bracket;
        if is_key {
            parts.extend([self.word(), self.word(), Layout::text(" ")]);
        }
        self.push_expression(&mut parts);
        let item = Layout::all(parts);
        items.push(self.with_comma(item, end));
    }

    /// The elements of a literal, and its end.
    fn push_inside(&mut self, parts: &mut Vec<Layout<'t>>, rows: Vec<Row<'t>>, keeps_rows: bool) {
        let mut last = Vec::new();
        self.push_comments(&mut last);
        let inner = Layout::all(inside(rows, keeps_rows, last));
        parts.extend([inner.indent(), Layout::soft(), self.word()]);
    }
}

/// Elements of a literal that share a line if there is room.
struct Row<'t> {
    /// Whether an empty line is before it.
    blank: bool,
    items: Vec<Layout<'t>>,
}

impl Row<'_> {
    fn is_plain(&self) -> bool {
        self.items.iter().all(|item| item.is_short(SHORT_ELEMENT))
    }

    fn is_long(&self) -> bool {
        let length = self
            .items
            .iter()
            .map(|item| item.width() + 1)
            .sum::<usize>();
        self.items.len() > 1 && length > LONGEST_ROW
    }
}

/// What stands between the brackets of a literal.
fn inside<'t>(rows: Vec<Row<'t>>, keeps_rows: bool, last: Vec<Layout<'t>>) -> Vec<Layout<'t>> {
    if rows.is_empty() {
        return last;
    }
    let mut inner = Vec::new();
    // A row that has grown too long would leave one element alone on the next line.
    let reflows = rows.iter().all(Row::is_plain) && rows.iter().any(Row::is_long);
    if keeps_rows && !reflows {
        for row in rows {
            inner.push(Layout::hard(row.blank));
            inner.push(Layout::fill(row.items));
        }
    } else {
        inner.push(if keeps_rows {
            Layout::hard(false)
        } else {
            Layout::soft()
        });
        let items: Vec<Layout<'t>> = rows.into_iter().flat_map(|row| row.items).collect();
        if items.iter().all(|item| item.is_short(SHORT_ELEMENT)) {
            inner.push(Layout::fill(items));
        } else {
            inner.extend(on_lines(items));
        }
    }
    inner.push(Layout::if_broken(","));
    inner.extend(last);
    inner
}

/// With a place for a line break between any two.
fn on_lines(items: Vec<Layout<'_>>) -> impl Iterator<Item = Layout<'_>> {
    let with_line = |(at, item)| [(at > 0).then(Layout::line), Some(item)];
    items.into_iter().enumerate().flat_map(with_line).flatten()
}

/// Lays out an arrow function: its body stays on the line if it can.
fn arrow_of<'t>(mut parts: Vec<Layout<'t>>, body: Shaped<'t>, has_comment: bool) -> Shaped<'t> {
    let body = match body.shape {
        Shape::Call | Shape::Index if !has_comment => body.layout.hang(),
        Shape::Literal | Shape::Block | Shape::Arrow if !has_comment => {
            Layout::all(vec![Layout::text(" "), body.layout])
        }
        _ => {
            let body = Layout::all(vec![Layout::line(), body.layout]);
            body.indent().group()
        }
    };
    parts.push(body);
    Shaped {
        layout: Layout::all(parts),
        shape: Shape::Arrow,
    }
}

/// Literals as the arguments of a call, in the rows that they were written in.
fn push_table<'t>(parts: &mut Vec<Layout<'t>>, items: Vec<(bool, Shaped<'t>)>, close: Layout<'t>) {
    let mut rows: Vec<Vec<Layout<'t>>> = Vec::new();
    for (begins_row, item) in items {
        match rows.last_mut() {
            Some(row) if !begins_row => row.push(item.layout),
            _ => rows.push(vec![item.layout]),
        }
    }
    let mut inner = Vec::new();
    for row in rows {
        inner.push(Layout::hard(false));
        inner.push(Layout::fill(row));
    }
    parts.extend([Layout::all(inner).indent(), Layout::hard(false), close]);
}

/// Lays out arguments: on one line, with the first or last one spread over lines, or one a line.
fn push_arguments_of<'t>(parts: &mut Vec<Layout<'t>>, items: Vec<Shaped<'t>>, close: Layout<'t>) {
    let Some((first, last)) = items.first().zip(items.last()) else {
        parts.push(close);
        return;
    };
    let is_alone = items.len() == 1;
    let hugs_last = match last.shape {
        Shape::Call | Shape::Index | Shape::Other => is_alone,
        Shape::Literal => {
            let is_large = last.layout.is_forced() || last.layout.width() > SHORT_LITERAL;
            is_alone || is_large && items[..items.len() - 1].iter().all(Shaped::is_simple)
        }
        Shape::Block | Shape::Arrow => true,
    };
    let hugs_first = first.shape == Shape::Block && !is_alone;
    let is_plain = |item: &Shaped<'t>| {
        !matches!(item.shape, Shape::Block | Shape::Arrow) && !item.layout.is_forced()
    };
    let plain = !is_alone && !hugs_last && items.iter().all(is_plain);
    let is_word = is_alone && first.layout.is_word();
    let items = items.into_iter().map(|item| item.layout).collect();
    if is_word {
        // A line break before it would gain nothing.
        parts.extend(items);
        parts.push(close);
    } else if plain {
        let inner = Layout::all(vec![Layout::soft(), Layout::fill(items)]).indent();
        let inner = vec![inner, Layout::soft(), close];
        parts.push(Layout::all(inner).group());
    } else {
        parts.push(Layout::arguments(items, hugs_last, hugs_first));
        parts.push(close);
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
