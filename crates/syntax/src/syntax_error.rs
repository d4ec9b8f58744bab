//! Errors of the grammar in words: what was found, what was expected, and what helps.

use super::token::{Spanned, Token};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

/// A parse error: the index of a token (the number of tokens for the end of the file), and the names of the grammar's
/// tokens that would be valid there.
#[derive(Clone, Debug)]
pub struct Fault {
    pub at: usize,
    pub expected: Vec<String>,
}

impl Fault {
    /// Whether a token of the grammar, by its name there, could have stood here.
    pub fn expects(&self, name: &str) -> bool {
        self.expected
            .iter()
            .any(|expected| expected.trim_matches('"') == name)
    }

    /// Whether an expression could have begun here.
    pub fn expects_expression(&self) -> bool {
        self.expects("integer") && self.expects("true")
    }

    /// Whether an expression could have gone on here.
    pub fn expects_operator(&self) -> bool {
        self.expects("*")
    }

    /// The valid tokens here, in a person's words; at most three.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        let after_operand = self.expects_operator();
        if self.expects("while") {
            names.push("a statement");
        } else if self.expects_expression() {
            names.push("an expression");
        } else if self.expects("name") && self.expects("string") {
            names.push("a key");
        } else if self.expects("name") {
            names.push("a name");
        } else if self.expects("string") {
            names.push("a text in quotes");
        }
        // Tokens that begin an expression, a statement or a name are not named one by one.
        let begins = !names.is_empty();
        for (token, name, only_outside) in [
            (";", "`;`", false),
            (",", "`,`", false),
            (")", "`)`", false),
            ("]", "`]`", false),
            ("}", "`}`", false),
            ("template tail", "`}`", false),
            (":", "`:`", false),
            ("in", "`in`", false),
            ("=", "`=`", true),
            ("(", "`(`", true),
            ("{", "`{`", true),
            ("function", "`function`", true),
            ("or", "`or`", true),
            ("else", "`else`", true),
        ] {
            let covered = only_outside && (after_operand || begins);
            if self.expects(token) && !covered {
                names.push(name);
            }
        }
        if after_operand {
            names.push("an operator");
        } else if names.is_empty() && self.expects("=>") {
            names.push("`=>`");
        }
        names.truncate(3);
        names
    }
}

/// Tokens with their text.
pub struct TokenText<'t> {
    pub text: &'t str,
    pub base: u32,
    pub tokens: Vec<Spanned>,
}

impl TokenText<'_> {
    pub fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at).map(|token| &token.token)
    }

    /// The token `back` places before.
    pub fn before(&self, at: usize, back: usize) -> Option<&Token> {
        self.token(at.checked_sub(back)?)
    }

    pub fn written(&self, span: Span) -> &str {
        self.text
            .get((span.start - self.base) as usize..(span.end - self.base) as usize)
            .unwrap_or("")
    }

    /// Where a token stands; for the end of the file, the last character that is not blank.
    pub fn span(&self, at: usize) -> Span {
        match self.tokens.get(at) {
            Some(token) => token.span,
            None => self.end_of_last(self.tokens.len()),
        }
    }

    /// The last character of the token before.
    pub fn end_of_last(&self, at: usize) -> Span {
        let Some(before) = at.checked_sub(1).and_then(|at| self.tokens.get(at)) else {
            return Span::new(self.base, self.base);
        };
        let width = self
            .written(before.span)
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        Span::new(before.span.end - width as u32, before.span.end)
    }

    /// Whether a token begins a line (or is the end of the file).
    pub fn begins_line(&self, at: usize) -> bool {
        let (Some(before), Some(token)) = (
            at.checked_sub(1).and_then(|at| self.tokens.get(at)),
            self.tokens.get(at),
        ) else {
            return true;
        };
        self.written(Span::new(
            before.span.end,
            token.span.start.max(before.span.end),
        ))
        .contains('\n')
    }

    /// Where the bracket around a place was opened.
    pub fn enclosing_opener(&self, at: usize) -> Option<usize> {
        let mut closed = 0;
        (0..at.min(self.tokens.len())).rev().find(|index| {
            let token = &self.tokens[*index].token;
            if token.closes() {
                closed += 1;
            } else if token.opens() {
                if closed == 0 {
                    return true;
                }
                closed -= 1;
            }
            false
        })
    }

    fn in_for_head(&self, at: usize) -> bool {
        self.enclosing_opener(at)
            .is_some_and(|open| self.before(open, 1) == Some(&Token::For))
    }

    /// Whether a token stands between the parentheses of a `choose(a, b)`.
    pub fn in_choice(&self, at: usize) -> bool {
        self.enclosing_opener(at).is_some_and(|open| {
            self.token(open) == Some(&Token::ChooseParen)
                || self.before(open, 1) == Some(&Token::ChooseParen)
        })
    }

    /// The token in a person's words.
    pub fn describe(&self, at: usize) -> String {
        let Some(Spanned { token, span, .. }) = self.tokens.get(at) else {
            return "the end of the file".into();
        };
        let written = self.written(*span);
        let short = shortened(
            written.lines().next().unwrap_or(written),
            written.contains('\n'),
        );
        match token {
            Token::Name(_) => format!("the name `{short}`"),
            Token::Integer(_) | Token::Float(_) => format!("the number `{short}`"),
            Token::String(_) => format!("the text {short}"),
            Token::Template(_) | Token::TemplateHead(_) => "a template string".into(),
            Token::TemplateMiddle(_) | Token::TemplateTail(_) => "`}`".into(),
            Token::ChooseFirst => "the keyword `choose first`".into(),
            Token::ChooseParen => "`choose (`".into(),
            Token::FailMessage => "the keyword `fail`".into(),
            token if token.is_keyword() => format!("the keyword `{short}`"),
            _ => format!("`{short}`"),
        }
    }

    /// The expected and the found token.
    pub fn explain(&self, fault: &Fault) -> Diagnostic {
        let span = self.span(fault.at);
        let found = self.describe(fault.at);
        let names = fault.names();
        let diagnostic = match names.split_last() {
            None => Diagnostic::error(format!("{found} cannot stand here"), span),
            Some(_) if fault.at >= self.tokens.len() => Diagnostic::error(
                format!("expected {}, but the file ends", one_of(&names)),
                span,
            )
            .with_label("behind this"),
            Some(_) => Diagnostic::error(
                format!("expected {}, but found {found}", one_of(&names)),
                span,
            ),
        };
        let diagnostic = match self.hint(fault) {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        };
        self.suspect_quote(fault.at, diagnostic)
    }

    /// Adds a doubt about a text over several lines that ends right before the error.
    fn suspect_quote(&self, at: usize, diagnostic: Diagnostic) -> Diagnostic {
        let near = (1..=2)
            .filter_map(|back| self.tokens.get(at.checked_sub(back)?))
            .chain(self.tokens.get(at));
        for token in near {
            if matches!(token.token, Token::String(_)) && self.written(token.span).contains('\n') {
                let opened = Span::new(token.span.start, token.span.start + 1);
                return diagnostic.with_related(
                    opened,
                    "this text continues past the end of its line: is a closing quote missing?",
                );
            }
        }
        diagnostic
    }

    /// A hint for this pair of tokens.
    fn hint(&self, fault: &Fault) -> Option<String> {
        let at = fault.at;
        let found = self.token(at)?;
        let hint = match (self.before(at, 1), found, self.token(at + 1)) {
            (_, Token::Dot, Some(Token::Integer(_))) if fault.expects_expression() => {
                "a number has a digit before its point, such as 0.5"
            }
            (Some(Token::Dot), Token::Dot, _) => {
                "there is no `..`: see `range(a, b)` and `concat(a, b)`"
            }
            (Some(Token::Dot), _, _) if matches!(self.before(at, 2), Some(Token::Integer(_))) => {
                "a number has a digit behind its point, such as 1.0"
            }
            (Some(Token::Name(_) | Token::String(_)), Token::Colon, _)
                if self.before(at, 2) == Some(&Token::OpenBrace) =>
            {
                "here `{` begins a block; an object is a value: put it in parentheses, or behind `=`"
            }
            _ if fault.expects(":")
                && !fault.expects_operator()
                && matches!(self.before(at, 2), Some(Token::OpenBrace | Token::Comma)) =>
            {
                let is_list = matches!(found, Token::Comma | Token::CloseBrace);
                return Some(match (self.before(at, 1), found) {
                    // In other languages that is a set.
                    (Some(Token::String(_) | Token::Integer(_) | Token::Float(_)), _) if is_list => {
                        "a set is written `setOf(a, b)`; a field of an object is written `key: value`"
                            .to_string()
                    }
                    (Some(Token::Name(name)), Token::Comma | Token::CloseBrace) => {
                        format!(
                            "a field of an object is written `key: value`, such as `{name}: {name}`; a set is written `setOf({name}, ...)`"
                        )
                    }
                    _ => "a field of an object is written `key: value`".to_string(),
                });
            }
            (Some(Token::OpenParen), Token::CloseParen, _)
                if matches!(self.before(at, 2), Some(Token::If | Token::While)) =>
            {
                "between the parentheses stands what must be true"
            }
            (_, Token::In, _) if fault.expects_operator() => {
                "`in` belongs to `foreach (x in c)`; write `contains(x, c)`, or `has(object, key)`"
            }
            (_, Token::If, _) if fault.expects_expression() => {
                "`if` is a statement; a value is chosen with `condition ? a : b`"
            }
            (_, Token::Dot, Some(Token::Dot)) => {
                return crate::foreign::operator("...")
                    .map(|hint| format!("there is no `...`: {hint}"));
            }
            (Some(Token::Comma), Token::Let | Token::Const | Token::Var, _)
                if fault.expects("name") =>
            {
                "the word stands once, before the first name: `let a = 1, b = 2;`"
            }
            (Some(Token::Import), _, _) => "a file is named in quotes: `import \"file.nds\";`",
            (Some(Token::Dot), Token::Integer(_), _) => {
                "an element is read with brackets, such as `a[3]`"
            }
            (Some(Token::Name(name)), Token::Comma, Some(Token::Name(place)))
                if fault.expects("in") =>
            {
                return Some(format!(
                    "`foreach` has one variable: write `foreach ({place} in range(sizeOf(a)))`, and `a[{place}]` for `{name}`; \
                     of an object, `foreach (key in o)` and `o[key]`"
                ));
            }
            (_, Token::Comma | Token::CloseParen, _)
                if fault.expects(";") && self.in_for_head(at) =>
            {
                "the three parts behind `for` are separated by `;`"
            }
            (Some(Token::Name(_)), found, _)
                if !self.begins_line(at)
                    && found.begins_operand()
                    && fault.expects(";")
                    && matches!(
                        self.before(at, 2),
                        None | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace)
                    ) =>
            {
                "a function is called with parentheses, such as `print(x)`"
            }
            _ if fault.expects(":") => "behind `?` come two values: `condition ? a : b`",
            (_, found, _)
                if found.is_keyword() && (fault.expects("name") || fault.expects("=")) =>
            {
                let word = self.written(self.tokens[at].span);
                return Some(format!(
                    "`{word}` is a word of the language and cannot be a name"
                ));
            }
            (_, _, _) if fault.expects("=>") && fault.names() == ["`=>`"] => {
                "`()` alone is not a value; a function without parameters is written `() => ...`"
            }
            _ => return None,
        };
        Some(hint.to_string())
    }

    /// The message about something missing at the end of the token before.
    pub fn missing(&self, at: usize, what: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(format!("a `{what}` is missing"), self.end_of_last(at))
            .with_label(format!("behind this belongs a `{what}`"));
        self.suspect_quote(at, diagnostic)
    }
}

fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn shortened(text: &str, more: bool) -> String {
    if text.chars().count() <= 30 && !more {
        return text.to_string();
    }
    text.chars().take(25).chain("...".chars()).collect()
}
