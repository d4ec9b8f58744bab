//! The form of statements.

use super::layout::Layout;
use super::reader::Reader;

/// A block on one line is at most this long.
const SHORT_BLOCK: usize = 80;

impl<'t> Reader<'t> {
    /// The whole script.
    pub fn script(&mut self) -> Layout<'t> {
        let mut parts = Vec::new();
        while !self.is_end() {
            self.line_of_statement(&mut parts);
        }
        self.push_comments(&mut parts);
        Layout::all(parts)
    }

    /// A statement on lines of its own, with the comments and empty lines before it.
    fn line_of_statement(&mut self, parts: &mut Vec<Layout<'t>>) {
        self.push_comments(parts);
        let blank = self.ahead(0).after_blank && !parts.is_empty();
        parts.push(Layout::hard(blank));
        self.push_statement(parts);
    }

    /// The comments here that have lines of their own.
    pub fn push_comments(&mut self, parts: &mut Vec<Layout<'t>>) {
        for comment in self.comments() {
            parts.push(Layout::hard(comment.after_blank && !parts.is_empty()));
            parts.push(Layout::text(comment.text));
        }
    }

    fn push_statement(&mut self, parts: &mut Vec<Layout<'t>>) {
        let word = self.ahead(0);
        let is_function = word.is("function") && !self.ahead(1).is("(");
        if word.is("{") {
            self.push_block(parts);
        } else if ["var", "let", "const"].iter().any(|it| word.is(it)) {
            self.declaration(parts);
        } else if is_function || word.is("deterministic") {
            self.function_statement(parts);
        } else if word.is("if") {
            self.if_statement(parts);
        } else if word.is("while") {
            self.while_loop(parts);
        } else if word.is("for") {
            self.for_loop(parts);
        } else if word.is("foreach") {
            self.foreach_loop(parts);
        } else if word.is("choose") && !self.ahead(1).is("(") {
            self.choose(parts);
        } else if ["return", "import", "break", "continue"]
            .iter()
            .any(|it| word.is(it))
        {
            parts.push(self.word());
            if !self.is(";") {
                parts.push(Layout::text(" "));
                self.push_expression(parts);
            }
            parts.push(self.word());
        } else if word.is(";") {
            parts.push(self.word());
        } else {
            self.push_expression(parts);
            parts.push(self.word());
        }
    }

    /// `{ ... }`; on one line only if it was so and is short.
    pub fn push_block(&mut self, parts: &mut Vec<Layout<'t>>) {
        let one_line = self.is_on_one_line();
        let is_bare = self.ahead(0).trailing_comments.is_empty() && self.ahead(1).before.is_empty();
        parts.push(self.word());
        if self.is("}") && is_bare {
            parts.push(self.word());
            return;
        }
        let mut inner = Vec::new();
        while !self.is("}") {
            if one_line {
                inner.push(Layout::line());
                self.push_statement(&mut inner);
            } else {
                self.line_of_statement(&mut inner);
            }
        }
        self.push_comments(&mut inner);
        let inner = Layout::all(inner);
        let is_short = one_line && inner.is_short(SHORT_BLOCK);
        let end = [end_of_block(is_short), self.word()];
        let mut block = vec![inner.indent()];
        block.extend(end);
        let block = Layout::all(block);
        parts.push(if one_line { block.group() } else { block });
    }

    fn declaration(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.extend([self.word(), Layout::text(" ")]);
        let mut names = vec![self.declarator()];
        while self.is(",") {
            let comma = self.word();
            let before = names.pop().unwrap_or_else(Layout::soft);
            names.push(Layout::all(vec![before, comma]));
            names.push(self.declarator());
        }
        if names.len() == 1 {
            parts.extend(names);
        } else {
            parts.push(Layout::fill(names).indent().group());
        }
        if self.is(";") {
            parts.push(self.word());
        }
    }

    fn declarator(&mut self) -> Layout<'t> {
        let mut parts = vec![self.word()];
        if self.is("=") {
            parts.extend([Layout::text(" "), self.word(), Layout::text(" ")]);
            self.push_expression(&mut parts);
        }
        Layout::all(parts)
    }

    fn function_statement(&mut self, parts: &mut Vec<Layout<'t>>) {
        while !self.is("(") {
            parts.extend([self.word(), Layout::text(" ")]);
        }
        parts.pop();
        parts.extend([self.parameters(), Layout::text(" ")]);
        self.push_block(parts);
    }

    fn push_condition(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.extend([self.word(), Layout::text(" "), self.word()]);
        let mut inner = vec![Layout::soft()];
        self.push_expression(&mut inner);
        self.push_between(parts, inner);
    }

    /// What a loop or condition leads to: on its line if that has room. Returns whether it is a block.
    fn push_body(&mut self, parts: &mut Vec<Layout<'t>>) -> bool {
        let word = self.ahead(0);
        let is_block = word.is("{");
        if word.is(";") {
            parts.push(self.word());
            return false;
        }
        if self.joins_head() {
            parts.push(Layout::text(" "));
            self.push_statement(parts);
            return is_block;
        }
        let keeps_line = self.is_control() && self.ahead(0).begins_line;
        let before = if keeps_line {
            Layout::hard(false)
        } else {
            Layout::line()
        };
        let mut body = vec![before];
        self.push_statement(&mut body);
        parts.push(Layout::all(body).indent().group());
        is_block
    }

    fn is_control(&self) -> bool {
        let word = self.ahead(0);
        ["if", "while", "for", "foreach"]
            .iter()
            .any(|it| word.is(it))
    }

    /// Whether the body here is a block, or conditions and loops on one line that lead to one.
    fn joins_head(&self) -> bool {
        let mut at = 0;
        loop {
            let word = self.ahead(at);
            let is_control = ["if", "while", "for", "foreach"]
                .iter()
                .any(|it| word.is(it));
            let has_comment = word.before.iter().any(|comment| comment.own_line);
            if word.is("{") {
                return true;
            }
            if !is_control || word.begins_line || has_comment {
                return false;
            }
            at = self.index_after_bracket(at + 1);
        }
    }

    fn while_loop(&mut self, parts: &mut Vec<Layout<'t>>) {
        self.push_condition(parts);
        self.push_body(parts);
    }

    fn if_statement(&mut self, parts: &mut Vec<Layout<'t>>) {
        loop {
            self.push_condition(parts);
            let was_block = self.push_body(parts);
            if !self.is("else") {
                return;
            }
            parts.extend([after_body(was_block), self.word()]);
            if !self.is("if") {
                self.push_body(parts);
                return;
            }
            parts.push(Layout::text(" "));
        }
    }

    fn for_loop(&mut self, parts: &mut Vec<Layout<'t>>) {
        self.for_head(parts);
        self.push_body(parts);
    }

    fn for_head(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.extend([self.word(), Layout::text(" "), self.word()]);
        let mut inner = vec![Layout::soft()];
        if ["var", "let", "const"].iter().any(|it| self.is(it)) {
            self.declaration(&mut inner);
        } else {
            if !self.is(";") {
                self.push_expression(&mut inner);
            }
            inner.push(self.word());
        }
        if !self.is(";") {
            inner.push(Layout::line());
            self.push_expression(&mut inner);
        }
        inner.push(self.word());
        if !self.is(")") {
            inner.push(Layout::line());
            self.push_expression(&mut inner);
        }
        self.push_between(parts, inner);
    }

    fn foreach_loop(&mut self, parts: &mut Vec<Layout<'t>>) {
        self.foreach_head(parts);
        self.push_body(parts);
    }

    fn foreach_head(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.extend([self.word(), Layout::text(" "), self.word()]);
        while !self.is("in") {
            parts.extend([self.word(), Layout::text(" ")]);
        }
        parts.extend([self.word(), Layout::text(" ")]);
        self.push_expression(parts);
        parts.push(self.word());
    }

    /// Each `or` begins a line, except after a block.
    fn choose(&mut self, parts: &mut Vec<Layout<'t>>) {
        parts.push(self.word());
        if self.ahead(0).text == "first" {
            parts.extend([Layout::text(" "), self.word()]);
        }
        loop {
            let was_block = self.push_body(parts);
            if !self.is("or") {
                return;
            }
            parts.extend([after_body(was_block), self.word()]);
        }
    }
}

/// What stands between a body and its `else` or `or`.
fn after_body(was_block: bool) -> Layout<'static> {
    if was_block {
        Layout::text(" ")
    } else {
        Layout::hard(false)
    }
}

fn end_of_block(is_short: bool) -> Layout<'static> {
    if is_short {
        Layout::line()
    } else {
        Layout::hard(false)
    }
}
