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
            self.lines(&mut parts, Reader::statement);
        }
        self.last_comments(&mut parts);
        Layout::all(parts)
    }

    /// What stands on lines of its own, with the comments and empty lines before it.
    pub fn lines(
        &mut self,
        parts: &mut Vec<Layout<'t>>,
        read: impl FnOnce(&mut Reader<'t>) -> Layout<'t>,
    ) {
        for comment in self.comments() {
            parts.push(Layout::hard(comment.after_blank && !parts.is_empty()));
            parts.push(Layout::text(comment.text));
        }
        let blank = self.ahead(0).after_blank && !parts.is_empty();
        parts.push(Layout::hard(blank));
        parts.push(read(self));
    }

    /// Comments behind which nothing stands but a closing bracket.
    pub fn last_comments(&mut self, parts: &mut Vec<Layout<'t>>) {
        for comment in self.comments() {
            parts.push(Layout::hard(comment.after_blank && !parts.is_empty()));
            parts.push(Layout::text(comment.text));
        }
    }

    fn statement(&mut self) -> Layout<'t> {
        let word = self.ahead(0);
        if word.is("{") {
            return self.block();
        }
        if word.is("var") || word.is("let") || word.is("const") {
            return self.declaration();
        }
        let is_function = word.is("function") && !self.ahead(1).is("(");
        if is_function || word.is("deterministic") {
            return self.function_statement();
        }
        if word.is("if") {
            return self.if_statement();
        }
        if word.is("while") {
            let head = vec![self.word(), Layout::text(" "), self.in_brackets()];
            return self.with_body(head);
        }
        if word.is("for") {
            return self.for_loop();
        }
        if word.is("foreach") {
            return self.foreach_loop();
        }
        if word.is("choose") && !self.ahead(1).is("(") {
            return self.choose();
        }
        if word.is("return") || word.is("import") || word.is("break") || word.is("continue") {
            let mut parts = vec![self.word()];
            if !self.is(";") {
                parts.push(Layout::text(" "));
                parts.push(self.expression().layout);
            }
            parts.push(self.word());
            return Layout::all(parts);
        }
        if word.is(";") {
            return self.word();
        }
        let expression = self.expression().layout;
        Layout::all(vec![expression, self.word()])
    }

    /// `{ ... }`; on one line only if it was so and is short.
    pub fn block(&mut self) -> Layout<'t> {
        let one_line = self.is_on_one_line();
        let is_bare = self.ahead(0).behind.is_empty() && self.ahead(1).before.is_empty();
        let open = self.word();
        if self.is("}") && is_bare {
            return Layout::all(vec![open, self.word()]);
        }
        let mut parts = Vec::new();
        if one_line {
            while !self.is("}") {
                parts.push(Layout::line());
                parts.push(self.statement());
            }
            let inner = Layout::all(parts);
            if inner.is_short(SHORT_BLOCK) {
                let parts = vec![open, inner.indent(), Layout::line(), self.word()];
                return Layout::all(parts).group();
            }
            let parts = vec![open, inner.indent(), Layout::hard(false), self.word()];
            return Layout::all(parts).group();
        }
        while !self.is("}") {
            self.lines(&mut parts, Reader::statement);
        }
        self.last_comments(&mut parts);
        let inner = Layout::all(parts).indent();
        Layout::all(vec![open, inner, Layout::hard(false), self.word()])
    }

    fn declaration(&mut self) -> Layout<'t> {
        let mut parts = vec![self.word(), Layout::text(" ")];
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
        parts.push(if self.is(";") {
            self.word()
        } else {
            Layout::text("")
        });
        Layout::all(parts)
    }

    fn declarator(&mut self) -> Layout<'t> {
        let mut parts = vec![self.word()];
        if self.is("=") {
            parts.push(Layout::text(" "));
            parts.push(self.word());
            parts.push(Layout::text(" "));
            parts.push(self.expression().layout);
        }
        Layout::all(parts)
    }

    fn function_statement(&mut self) -> Layout<'t> {
        let mut parts = Vec::new();
        while !self.is("(") {
            parts.push(self.word());
            parts.push(Layout::text(" "));
        }
        parts.pop();
        parts.push(self.parameters());
        parts.push(Layout::text(" "));
        parts.push(self.block());
        Layout::all(parts)
    }

    fn in_brackets(&mut self) -> Layout<'t> {
        let open = self.word();
        let inner = self.expression().layout;
        Layout::all(vec![open, inner, self.word()])
    }

    /// What a loop or condition leads to: on its line if that has room. Blocks and other loops always are.
    fn with_body(&mut self, mut head: Vec<Layout<'t>>) -> Layout<'t> {
        self.push_body(&mut head);
        Layout::all(head)
    }

    /// Returns whether it was a block.
    fn push_body(&mut self, parts: &mut Vec<Layout<'t>>) -> bool {
        let word = self.ahead(0);
        let is_block = word.is("{");
        let is_control = ["if", "while", "for", "foreach"]
            .iter()
            .any(|it| word.is(it));
        let has_comment = word.before.iter().any(|comment| comment.own_line);
        if word.is(";") {
            parts.push(self.word());
        } else if is_block || is_control && !has_comment {
            parts.push(Layout::text(" "));
            parts.push(self.statement());
        } else {
            let body = Layout::all(vec![Layout::line(), self.statement()]);
            parts.push(body.indent().group());
        }
        is_block
    }

    fn if_statement(&mut self) -> Layout<'t> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.word());
            parts.push(Layout::text(" "));
            parts.push(self.in_brackets());
            let was_block = self.push_body(&mut parts);
            if !self.is("else") {
                return Layout::all(parts);
            }
            parts.push(if was_block {
                Layout::text(" ")
            } else {
                Layout::hard(false)
            });
            parts.push(self.word());
            if !self.is("if") {
                self.push_body(&mut parts);
                return Layout::all(parts);
            }
            parts.push(Layout::text(" "));
        }
    }

    fn for_loop(&mut self) -> Layout<'t> {
        let mut parts = vec![self.word(), Layout::text(" "), self.word()];
        if self.is("var") || self.is("let") || self.is("const") {
            parts.push(self.declaration());
        } else {
            if !self.is(";") {
                parts.push(self.expression().layout);
            }
            parts.push(self.word());
        }
        if !self.is(";") {
            parts.push(Layout::text(" "));
            parts.push(self.expression().layout);
        }
        parts.push(self.word());
        if !self.is(")") {
            parts.push(Layout::text(" "));
            parts.push(self.expression().layout);
        }
        parts.push(self.word());
        self.with_body(parts)
    }

    fn foreach_loop(&mut self) -> Layout<'t> {
        let mut parts = vec![self.word(), Layout::text(" "), self.word()];
        while !self.is("in") {
            parts.push(self.word());
            parts.push(Layout::text(" "));
        }
        parts.push(self.word());
        parts.push(Layout::text(" "));
        parts.push(self.expression().layout);
        parts.push(self.word());
        self.with_body(parts)
    }

    /// Each `or` begins a line, but behind a block.
    fn choose(&mut self) -> Layout<'t> {
        let mut parts = vec![self.word()];
        if self.ahead(0).text == "first" {
            parts.push(Layout::text(" "));
            parts.push(self.word());
        }
        loop {
            let was_block = self.push_body(&mut parts);
            if !self.is("or") {
                return Layout::all(parts);
            }
            parts.push(if was_block {
                Layout::text(" ")
            } else {
                Layout::hard(false)
            });
            parts.push(self.word());
        }
    }
}
