//! Brackets, before the parser sees them: too many levels are refused, and where they do not match, the mistake is
//! reported here and the tokens are mended, so that the grammar always reads balanced brackets.

use super::ast::MAX_DEPTH;
use super::lexer::MAX_DIAGNOSTICS;
use super::token::{Spanned, Token};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

/// Whether all brackets match; an error if they are too many.
pub fn check(tokens: &[Spanned]) -> Result<bool, Box<Diagnostic>> {
    let mut open: Vec<&Token> = Vec::new();
    let mut matched = true;
    for Spanned { token, span, .. } in tokens {
        if token.closes() || matches!(token, Token::TemplateMiddle(_)) {
            matched &= open.pop().is_some_and(|opener| fits(opener, token));
        }
        if token.opens() || matches!(token, Token::TemplateMiddle(_)) {
            open.push(token);
            if open.len() > MAX_DEPTH as usize {
                let diagnostic = Diagnostic::error("brackets are nested too deeply", *span)
                    .with_label(format!("this is more than {MAX_DEPTH} levels deep"))
                    .with_hint("give its parts names, with variables or functions");
                return Err(Box::new(diagnostic));
            }
        }
    }
    Ok(matched && open.is_empty())
}

fn fits(opener: &Token, closer: &Token) -> bool {
    match opener {
        Token::OpenParen | Token::ChooseParen => *closer == Token::CloseParen,
        Token::OpenBracket => *closer == Token::CloseBracket,
        Token::OpenBrace => *closer == Token::CloseBrace,
        _ => matches!(closer, Token::TemplateTail(_) | Token::TemplateMiddle(_)),
    }
}

fn closer(opener: &Token) -> Token {
    match opener {
        Token::OpenParen | Token::ChooseParen => Token::CloseParen,
        Token::OpenBracket => Token::CloseBracket,
        Token::OpenBrace => Token::CloseBrace,
        _ => Token::TemplateTail("".into()),
    }
}

fn written(token: &Token) -> &'static str {
    match token {
        Token::OpenParen | Token::ChooseParen => "(",
        Token::CloseParen => ")",
        Token::OpenBracket => "[",
        Token::CloseBracket => "]",
        Token::OpenBrace => "{",
        Token::CloseBrace => "}",
        Token::TemplateHead(_) | Token::TemplateMiddle(_) => "${",
        _ => "}",
    }
}

/// An open bracket.
struct Open {
    token: Token,
    /// Of the bracket alone: of `choose (` its last character.
    span: Span,
    /// It belongs to `if`, `while`, `for`, `foreach` (or a word in their place).
    head: bool,
    /// Semicolons may still come inside.
    semicolons: u32,
    /// It holds the parameters of a function.
    parameters: bool,
    /// Inside, the index of the first operand without an operator before it, in the tokens so far.
    missing_operator_at: Option<usize>,
}

/// Repairs brackets that do not match. `cut` means that the text ends inside a string or comment, so that brackets
/// still open there are not reported.
pub fn mend(
    tokens: Vec<Spanned>,
    text: &str,
    base: u32,
    cut: bool,
) -> (Vec<Spanned>, Vec<Diagnostic>) {
    let mut mender = Mender {
        text,
        base,
        open: Vec::new(),
        out: Vec::with_capacity(tokens.len() + 8),
        diagnostics: Vec::new(),
        suspect: None,
        closed_parameters: false,
    };
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        mender.read(token, rest.peek());
    }
    mender.end(cut);
    (mender.out, mender.diagnostics)
}

struct Mender<'t> {
    text: &'t str,
    base: u32,
    open: Vec<Open>,
    out: Vec<Spanned>,
    diagnostics: Vec<Diagnostic>,
    /// A `{` whose `}` is further left than its line begins: most likely that `}` belongs to another one.
    suspect: Option<Span>,
    /// The latest `)` closed the parameters of a function.
    closed_parameters: bool,
}

impl Mender<'_> {
    /// Reads the next token, and closes what the program has left open before it.
    fn read(&mut self, token: Spanned, next: Option<&Spanned>) {
        let ends_line_of_thought = token.token == Token::Semicolon
            || token.token.begins_statement()
            || matches!(token.token, Token::Else | Token::Or if self.inside_expression())
            || token.token == Token::Function
                && matches!(
                    next,
                    Some(Spanned {
                        token: Token::Name(_),
                        ..
                    })
                );
        if ends_line_of_thought {
            self.close_before_statement(&token.token);
        } else if token.token == Token::OpenBrace {
            self.close_before_body();
        }
        self.record_missing_operator(&token);
        if token.token.opens() {
            self.push_open(&token, next);
            self.out.push(token);
        } else if token.token.closes() || matches!(token.token, Token::TemplateMiddle(_)) {
            self.close(token);
        } else {
            self.out.push(token);
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Two operands side by side: if the bracket around them is not closed, most likely it was to be closed there.
    fn record_missing_operator(&mut self, token: &Spanned) {
        let at = self.out.len();
        let begins_operand = matches!(token.token, Token::Name(_))
            && self.out.last().is_some_and(|t| t.token.ends_operand());
        if let Some(open) = self.open.last_mut()
            && open.missing_operator_at.is_none()
            && begins_operand
        {
            open.missing_operator_at = Some(at);
        }
    }

    fn inside_expression(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| !matches!(open.token, Token::OpenBrace))
    }

    /// Opens a bracket, and records what it belongs to.
    fn push_open(&mut self, token: &Spanned, next: Option<&Spanned>) {
        let previous = |back: usize| {
            self.out
                .len()
                .checked_sub(back)
                .and_then(|at| self.out.get(at))
                .map(|t| &t.token)
        };
        let before = previous(1);
        let declares = matches!(
            next.map(|next| &next.token),
            Some(Token::Var | Token::Let | Token::Const)
        );
        let head = token.token == Token::OpenParen
            && (matches!(
                before,
                Some(Token::If | Token::While | Token::For | Token::Foreach)
            ) || declares);
        let loops = matches!(before, Some(Token::For)) || declares;
        let named = matches!(before, Some(Token::Name(_))) && previous(2) == Some(&Token::Function);
        self.open.push(Open {
            token: token.token.clone(),
            span: Span::new(
                token.span.end - written(&token.token).len() as u32,
                token.span.end,
            ),
            head,
            semicolons: if loops { 2 } else { 0 },
            parameters: token.token == Token::OpenParen
                && (before == Some(&Token::Function) || named),
            missing_operator_at: None,
        });
    }

    /// Closes what is open although a statement begins, or ends, here.
    fn close_before_statement(&mut self, token: &Token) {
        if let Some(open) = self.open.last_mut()
            && open.semicolons > 0
        {
            let declares = matches!(token, Token::Var | Token::Let | Token::Const);
            if *token == Token::Semicolon {
                open.semicolons -= 1;
                return;
            }
            if declares {
                return;
            }
        }
        while let Some(open) = self.open.last()
            && matches!(
                open.token,
                Token::OpenParen | Token::ChooseParen | Token::OpenBracket
            )
        {
            if open.semicolons > 0 && *token == Token::Semicolon {
                self.close_before_statement(token);
                return;
            }
            self.insert_closer();
        }
    }

    /// Closes the head of an `if` or loop where its body begins.
    fn close_before_body(&mut self) {
        let Some(before) = self.out.last() else {
            return;
        };
        if !before.token.ends_operand()
            || self.closed_parameters && before.token == Token::CloseParen
        {
            return;
        }
        let up_to_brace = self
            .open
            .iter()
            .rev()
            .take_while(|open| open.token != Token::OpenBrace);
        let Some(heads) = up_to_brace
            .enumerate()
            .find(|(_, open)| open.head)
            .map(|(at, _)| at + 1)
        else {
            return;
        };
        for _ in 0..heads {
            self.insert_closer();
        }
    }

    /// Inserts the missing closer after the latest token, or before the first misplaced operand.
    fn insert_closer(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let closer = closer(&open.token);
        let is_brace = matches!(open.token, Token::OpenBrace);
        let insert_at = open
            .missing_operator_at
            .filter(|_| !is_brace)
            .unwrap_or(self.out.len());
        let end = insert_at
            .checked_sub(1)
            .and_then(|at| self.out.get(at))
            .map_or(open.span.end, |last| last.span.end);
        let message = format!(
            "the `{}` that closes this `{}` is missing",
            written(&closer),
            written(&open.token)
        );
        let mut diagnostic = Diagnostic::error(message, open.span).with_label("it was opened here");
        let at = self.last_character(end);
        if at.start >= open.span.end {
            diagnostic = diagnostic
                .with_related(at, format!("behind this belongs a `{}`", written(&closer)));
        }
        self.report(diagnostic);
        self.out.insert(
            insert_at,
            Spanned {
                token: closer,
                span: Span::new(end, end),
                is_inserted: true,
            },
        );
    }

    /// The character that ends at a place.
    fn last_character(&self, end: u32) -> Span {
        let before = self
            .text
            .get(..(end - self.base) as usize)
            .and_then(|text| text.chars().next_back());
        Span::new(end - before.map_or(0, char::len_utf8) as u32, end)
    }

    /// Closes the bracket that a token fits to, or reports that none does.
    fn close(&mut self, token: Spanned) {
        self.closed_parameters = false;
        let is_round_or_square = matches!(token.token, Token::CloseParen | Token::CloseBracket);
        let reach = self
            .open
            .iter()
            .rev()
            .position(|open| fits(&open.token, &token.token));
        // A round or square bracket does not close what lies outside of the braces around it.
        let reach = reach.filter(|reach| {
            let above = &self.open[self.open.len() - reach..];
            !is_round_or_square
                || !above
                    .iter()
                    .any(|open| matches!(open.token, Token::OpenBrace | Token::TemplateHead(_)))
        });
        match reach {
            Some(above) => {
                // Braces left open inside a template or a block end with it.
                for _ in 0..above {
                    self.insert_closer();
                }
                self.pop(&token);
                if matches!(token.token, Token::TemplateMiddle(_)) {
                    self.push_open(&token, None);
                }
                self.out.push(token);
            }
            None => self.close_nothing(token),
        }
    }

    fn pop(&mut self, token: &Spanned) {
        let Some(open) = self.open.pop() else { return };
        self.closed_parameters = open.parameters;
        if open.token == Token::OpenBrace
            && self.suspect.is_none()
            && let (Some(outer), (inner, _)) = (
                self.indent_if_first(token.span.start),
                self.indent(open.span.start),
            )
            && outer < inner
        {
            self.suspect = Some(open.span);
        }
    }

    /// A closing bracket that fits none that is open.
    fn close_nothing(&mut self, token: Spanned) {
        let name = written(&token.token);
        let wrong = self.open.last().filter(|open| {
            matches!(
                open.token,
                Token::OpenParen | Token::ChooseParen | Token::OpenBracket
            ) && token.token.closes()
        });
        if let Some(open) = wrong {
            let right = closer(&open.token);
            self.report(
                Diagnostic::error(
                    format!("`{}` is closed by `{name}`", written(&open.token)),
                    token.span,
                )
                .with_label(format!("a `{}` belongs here", written(&right)))
                .with_related(open.span, "this was opened"),
            );
            self.open.pop();
            self.out.push(Spanned {
                token: right,
                span: token.span,
                is_inserted: true,
            });
            return;
        }
        let mut diagnostic = Diagnostic::error(format!("this `{name}` closes nothing"), token.span);
        if let Some(open) = self.open.last() {
            diagnostic = diagnostic.with_related(
                open.span,
                format!("only this `{}` is open here", written(&open.token)),
            );
        }
        self.report(diagnostic.with_hint(format!(
            "remove it, or open it with `{}`",
            match token.token {
                Token::CloseParen => "(",
                Token::CloseBracket => "[",
                _ => "{",
            }
        )));
        if token.token == Token::CloseBrace {
            // The statement before it was probably complete.
            let span = Span::new(token.span.start, token.span.start);
            let finished = matches!(
                self.out.last().map(|last| &last.token),
                None | Some(Token::Semicolon | Token::CloseBrace | Token::OpenBrace)
            );
            if !finished {
                self.out.push(Spanned {
                    token: Token::Semicolon,
                    span,
                    is_inserted: true,
                });
            }
        }
    }

    /// Closes what is open at the end of the text.
    fn end(&mut self, cut: bool) {
        let before = self.diagnostics.len();
        while !self.open.is_empty() {
            self.insert_closer();
        }
        let mut unclosed = self.diagnostics.split_off(before);
        if cut || unclosed.is_empty() {
            return;
        }
        // One message for all of them, about the innermost, or about that which the indentation betrays.
        let mut main = unclosed.remove(0);
        main.related.clear();
        if let (Some(suspect), Some(span)) = (self.suspect, main.span)
            && main.message.contains('{')
            && suspect.start > span.start
        {
            main.related.push((
                span,
                "by its place, the last `}` closes this one instead".into(),
            ));
            main.span = Some(suspect);
        }
        for other in unclosed.into_iter().take(4) {
            if let Some(span) = other.span {
                main.related.push((span, "nor is this one".into()));
            }
        }
        main.hints.push("the file ends before it".into());
        self.report(main);
    }

    /// The width of the white space that a place's line begins with, and where the rest of that line begins.
    fn indent(&self, at: u32) -> (usize, u32) {
        let at = (at - self.base) as usize;
        let start = self.text[..at].rfind('\n').map_or(0, |line| line + 1);
        let line = &self.text[start..];
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        (blank, self.base + (start + blank) as u32)
    }

    /// The indentation, if the offset is that of the first token of its line.
    fn indent_if_first(&self, at: u32) -> Option<usize> {
        let (width, first) = self.indent(at);
        (first == at).then_some(width)
    }
}
