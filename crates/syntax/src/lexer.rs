//! From text to tokens. Errors inside a single token are reported here, and only here.

use std::sync::Arc;

use logos::{Lexer as Logos, Logos as _};

use super::ast::MAX_DEPTH;
use super::token::{Names, Spanned, Token};
use crate::foreign;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::letters::{begins_name, continues_name};
use ndscript_base::source::Span;

/// The largest integer that is exact everywhere, 2^53 - 1.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// The most errors that are recorded; far more than are ever shown.
pub const MAX_DIAGNOSTICS: usize = 1000;

/// The tokens of a text.
pub struct Lexed {
    /// Without comments and white space.
    pub tokens: Vec<Spanned>,
    pub comments: Vec<Span>,
    pub diagnostics: Vec<Diagnostic>,
    /// The unfinished token at the end of the text.
    pub unfinished: Option<Unfinished>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    Comment,
    String,
    Template,
}

/// Splits a text into tokens for the grammar; `base` is added to all places. It stops where brackets are nested too
/// deeply, which [`super::brackets::check`] then reports.
pub fn lex(text: &str, base: u32) -> Lexed {
    let mut lexed = split(text, base, MAX_DEPTH);
    lexed.tokens = join(lexed.tokens, text, base);
    lexed
}

/// Splits a whole text into tokens as they are written, for highlighting.
pub fn lex_all(text: &str) -> Lexed {
    split(text, 0, u32::MAX)
}

/// Splits a text into tokens.
fn split(text: &str, base: u32, max_depth: u32) -> Lexed {
    let mut lexer = Lexer {
        text,
        base,
        logos: Token::lexer_with_extras(text, Names::default()),
        out: Lexed {
            tokens: Vec::new(),
            comments: Vec::new(),
            diagnostics: Vec::new(),
            unfinished: None,
        },
        braces: Vec::new(),
        previous_bad: None,
        depth: 0,
        max_depth,
    };
    lexer.run();
    let mut out = lexer.out;
    name_keys(&mut out.tokens, text, base);
    out
}

#[derive(PartialEq)]
enum Brace {
    Plain,
    /// `${`, with the place of the template's opening.
    Template(usize),
}

struct Lexer<'t> {
    text: &'t str,
    base: u32,
    logos: Logos<'t, Token>,
    out: Lexed,
    braces: Vec<Brace>,
    /// Where the latest run of unreadable characters ends.
    previous_bad: Option<usize>,
    /// How many brackets are open.
    depth: u32,
    max_depth: u32,
}

impl<'t> Lexer<'t> {
    /// Reads all tokens, until the nesting is too deep.
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.logos.bump('\u{feff}'.len_utf8());
        }
        if self.logos.remainder().starts_with("#!") {
            self.line_comment();
        }
        while self.depth <= self.max_depth {
            let rest = self.logos.remainder();
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            self.logos.bump(blank);
            let rest = self.logos.remainder();
            let Some(next) = rest.chars().next() else {
                break;
            };
            match next {
                '/' if rest.starts_with("//") => self.line_comment(),
                '/' if rest.starts_with("/*") => self.block_comment(),
                '"' | '\'' => self.string(next),
                '`' => self.template(true, self.at()),
                '}' => match self.braces.pop() {
                    Some(Brace::Template(opened)) => self.template(false, opened),
                    _ => self.plain(),
                },
                '{' => {
                    self.braces.push(Brace::Plain);
                    self.plain();
                }
                _ if !next.is_ascii() && begins_name(next) => {
                    let start = self.at();
                    self.name(start);
                }
                _ => self.plain(),
            }
        }
        if let Some(Brace::Template(opened)) =
            self.braces.iter().find(|brace| **brace != Brace::Plain)
            && self.out.unfinished.is_none()
            && self.depth <= self.max_depth
        {
            let opened = *opened;
            self.out.unfinished = Some(Unfinished::Template);
            self.unclosed("this template string", "`", opened, 1);
        }
    }

    /// Local offset of what comes next.
    fn at(&self) -> usize {
        self.text.len() - self.logos.remainder().len()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    fn push(&mut self, token: Token, start: usize, end: usize) {
        if token.opens() {
            self.depth += 1;
        } else if token.closes() {
            self.depth = self.depth.saturating_sub(1);
        }
        let span = self.span(start, end);
        self.out.tokens.push(Spanned {
            token,
            span,
            is_inserted: false,
        });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.out.diagnostics.len() < MAX_DIAGNOSTICS {
            self.out.diagnostics.push(diagnostic);
        }
    }

    /// Reads a comment up to the end of its line.
    fn line_comment(&mut self) {
        let start = self.at();
        let rest = self.logos.remainder();
        let line = rest.split('\n').next().unwrap_or_default();
        let length = line.strip_suffix('\r').unwrap_or(line).len();
        if let Some(at) = rest[..length].find('\r') {
            // The part that an editor shows as the next line belongs to the comment.
            let alone = self.span(start + at, start + at + 1);
            self.report(
                Diagnostic::error("a carriage return alone does not end a line", alone)
                    .with_label("the comment goes on behind it")
                    .with_hint("save the file with other line ends: LF, or CR and LF"),
            );
        }
        self.logos.bump(length);
        self.out.comments.push(self.span(start, start + length));
    }

    fn block_comment(&mut self) {
        let start = self.at();
        let rest = self.logos.remainder();
        let length = match rest[2..].find("*/") {
            Some(length) => length + 4,
            None => {
                self.out.unfinished = Some(Unfinished::Comment);
                self.unclosed("this comment", "*/", start, 2);
                rest.len()
            }
        };
        self.logos.bump(length);
        self.out.comments.push(self.span(start, start + length));
    }

    fn unclosed(&mut self, what: &str, closer: &str, start: usize, length: usize) {
        let span = self.span(start, start + length);
        self.report(
            Diagnostic::error(format!("{what} never ends"), span)
                .with_label("it begins here")
                .with_hint(format!("write {} where it ends", quoted(closer))),
        );
    }

    /// A token that logos reads alone.
    fn plain(&mut self) {
        let token = self.logos.next();
        let (start, end) = (self.logos.span().start, self.logos.span().end);
        match token {
            Some(Ok(Token::Number)) => self.number(start, end),
            Some(Ok(Token::Word)) if self.name_continues() => self.name(start),
            Some(Ok(Token::Word)) => {
                let written = &self.text[start..end];
                let after_dot = self
                    .out
                    .tokens
                    .last()
                    .is_some_and(|before| before.token == Token::Dot);
                let token = match Token::keyword(written) {
                    Some(keyword) if !after_dot => keyword,
                    _ => Token::Name(self.logos.extras.intern(written)),
                };
                self.push(token, start, end);
            }
            Some(Ok(token)) => {
                let token = match token {
                    Token::TripleEqual => Token::Equal,
                    Token::NotDoubleEqual => Token::NotEqual,
                    Token::And => Token::AndAnd,
                    Token::Pipe => Token::OrOr,
                    token => return self.push(token, start, end),
                };
                let written = &self.text[start..end];
                self.report(
                    Diagnostic::error(
                        format!("`{written}` is not an operator"),
                        self.span(start, end),
                    )
                    .with_hint(foreign::operator(written).unwrap_or_default()),
                );
                self.push(token, start, end);
            }
            Some(Err(())) => self.unreadable(start, end),
            None => {}
        }
    }

    /// Whether the name that was just read continues with characters that logos does not know.
    fn name_continues(&self) -> bool {
        self.logos
            .remainder()
            .chars()
            .next()
            .is_some_and(|next| !next.is_ascii() && continues_name(next))
    }

    /// Reads on in a name with letters beyond ASCII.
    fn name(&mut self, start: usize) {
        let rest = self.logos.remainder();
        let length = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
        self.logos.bump(length);
        let end = self.at();
        let name = self.logos.extras.intern(&self.text[start..end]);
        self.push(Token::Name(name), start, end);
    }

    /// Characters that begin no token; a run of them is one mistake.
    fn unreadable(&mut self, start: usize, end: usize) {
        let continued = self.previous_bad == Some(start);
        self.previous_bad = Some(end);
        if continued {
            if let Some(last) = self.out.tokens.last_mut() {
                last.span.end = self.base + end as u32;
            }
            if self.out.diagnostics.len() < MAX_DIAGNOSTICS
                && let Some(span) = self
                    .out
                    .diagnostics
                    .last_mut()
                    .and_then(|last| last.span.as_mut())
            {
                span.end = self.base + end as u32;
            }
            return;
        }
        let character = self.text[start..].chars().next().unwrap_or(' ');
        let shown = if character.is_control() || is_invisible(character) {
            format!("the invisible character U+{:04X}", u32::from(character))
        } else {
            format!("the character `{character}`")
        };
        let mut diagnostic = Diagnostic::error(
            format!("{shown} has no meaning here"),
            self.span(start, end),
        );
        let hint = match character {
            '“' | '”' | '„' | '«' | '»' => "write text between straight quotes: \"...\"",
            '‘' | '’' | '´' => "write text between straight quotes: '...' or \"...\"",
            '–' | '—' | '−' => "write minus as `-`",
            '×' | '·' => "write times as `*`",
            '÷' => "write divided by as `/`",
            '≠' => "write unequal as `!=`",
            '≤' => "write at most as `<=`",
            '≥' => "write at least as `>=`",
            '#' => "a comment begins with `//`; a color is text, such as \"#ff0000\"",
            '@' | '$' => "a name consists of letters, digits and `_`",
            '^' | '~' => foreign::operator(&self.text[start..end]).unwrap_or_default(),
            '\0'..='\u{8}' | '\u{fffd}' => {
                "this looks like a file that is not text; save the script as UTF-8 text"
            }
            _ => "",
        };
        if !hint.is_empty() {
            diagnostic = diagnostic.with_hint(hint);
        }
        self.report(diagnostic);
        self.push(Token::Bad, start, end);
    }

    /// Reads what begins with a digit.
    fn number(&mut self, start: usize, end: usize) {
        let rest = self.logos.remainder();
        let tail = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
                .len();
        let written = &self.text[start..end];
        if tail > 0 {
            self.logos.bump(tail);
            let end = end + tail;
            let whole = &self.text[start..end];
            let mut diagnostic = Diagnostic::error(
                format!("`{}` is neither a number nor a name", shortened(whole)),
                self.span(start, end),
            );
            diagnostic = if written == "0"
                && matches!(rest.as_bytes()[0], b'x' | b'X' | b'b' | b'B' | b'o' | b'O')
            {
                diagnostic.with_hint("numbers are written in the decimal system, such as 255")
            } else if whole
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'_')
            {
                diagnostic.with_hint(format!(
                    "digits stand side by side: `{}`",
                    shortened(&whole.replace('_', ""))
                ))
            } else {
                diagnostic.with_hint(
                    "a name cannot begin with a digit; an operator is missing between the number and \
                     the name",
                )
            };
            self.report(diagnostic);
            return self.push(Token::Bad, start, end);
        }
        match number(written) {
            Ok(token) => self.push(token, start, end),
            Err((message, hint)) => {
                self.report(Diagnostic::error(message, self.span(start, end)).with_hint(hint));
                self.push(Token::Bad, start, end);
            }
        }
    }

    /// Reads a string up to its closing quote.
    fn string(&mut self, quote: char) {
        let start = self.at();
        self.logos.bump(1);
        let mut text = String::new();
        loop {
            let rest = self.logos.remainder();
            let plain = rest.find([quote, '\\']).unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.logos.bump(plain);
            match self.logos.remainder().as_bytes().first() {
                Some(b'\\') => self.escape(&mut text, false),
                Some(_) => {
                    self.logos.bump(1);
                    let end = self.at();
                    return self.push(Token::String(text.into()), start, end);
                }
                None => break,
            }
        }
        self.out.unfinished = Some(Unfinished::String);
        self.unclosed_string(start, quote);
    }

    /// Reports a string without an end. The missing quote may well be an earlier one, of a string that then ended where
    /// the next was to begin: so text after the first string over several lines is skipped.
    fn unclosed_string(&mut self, start: usize, quote: char) {
        let base = self.base;
        let text = self.text;
        let suspect = self.out.tokens.iter().position(|before| {
            let (from, to) = (
                (before.span.start - base) as usize,
                (before.span.end - base) as usize,
            );
            matches!(before.token, Token::String(_))
                && text[from..].starts_with(quote)
                && text[from..to].contains('\n')
        });
        let Some(suspect) = suspect else {
            self.unclosed("this text", &quote.to_string(), start, 1);
            return self.push(Token::Bad, start, text.len());
        };
        let opened = self.out.tokens[suspect].span.start;
        self.out.tokens.truncate(suspect);
        self.out
            .diagnostics
            .retain(|earlier| earlier.span.is_some_and(|span| span.start < opened));
        let from = (opened - base) as usize;
        self.report(
            Diagnostic::error("a closing quote is missing", self.span(from, from + 1))
                .with_label("this text continues past the end of its line")
                .with_related(self.span(start, start + 1), "and this one never ends")
                .with_hint(format!(
                    "write {} where the text ends",
                    quoted(&quote.to_string())
                )),
        );
        self.push(Token::Bad, from, text.len());
    }

    /// Continues to read a template: from its backtick (`head`), or from the `}` after an expression.
    fn template(&mut self, head: bool, opened: usize) {
        let start = self.at();
        self.logos.bump(1);
        let mut text = String::new();
        loop {
            let rest = self.logos.remainder();
            let plain = rest.find(['`', '\\', '$']).unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.logos.bump(plain);
            let rest = self.logos.remainder();
            match rest.as_bytes().first() {
                Some(b'\\') => self.escape(&mut text, true),
                Some(b'`') => {
                    self.logos.bump(1);
                    let text: Arc<str> = text.into();
                    let token = if head {
                        Token::Template(text)
                    } else {
                        Token::TemplateTail(text)
                    };
                    let end = self.at();
                    return self.push(token, start, end);
                }
                Some(_) if rest.starts_with("${") => {
                    self.logos.bump(2);
                    self.braces.push(Brace::Template(opened));
                    let text: Arc<str> = text.into();
                    let token = if head {
                        Token::TemplateHead(text)
                    } else {
                        Token::TemplateMiddle(text)
                    };
                    let end = self.at();
                    return self.push(token, start, end);
                }
                Some(_) => {
                    text.push('$');
                    self.logos.bump(1);
                }
                None => break,
            }
        }
        self.out.unfinished = Some(Unfinished::Template);
        self.unclosed("this template string", "`", opened, 1);
        let end = self.text.len();
        self.push(
            if head {
                Token::Bad
            } else {
                Token::TemplateTail(text.into())
            },
            start,
            end,
        );
    }

    /// Reads `\...` into `text`.
    fn escape(&mut self, text: &mut String, template: bool) {
        let start = self.at();
        let rest = self.logos.remainder();
        let Some(code) = rest[1..].chars().next() else {
            self.logos.bump(1);
            return;
        };
        let simple = match code {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '0' => Some('\0'),
            '"' | '\'' | '\\' => Some(code),
            '`' | '$' if template => Some(code),
            _ => None,
        };
        if let Some(character) = simple {
            text.push(character);
            return self.logos.bump(2);
        }
        if code == 'u' {
            let inner = rest[2..].strip_prefix('{').unwrap_or_default();
            let digits = &inner[..inner
                .find(|c: char| !c.is_ascii_hexdigit())
                .unwrap_or(inner.len())];
            if (1..=8).contains(&digits.len())
                && inner[digits.len()..].starts_with('}')
                && let Ok(number) = u32::from_str_radix(digits, 16)
            {
                self.logos.bump(digits.len() + 4);
                match char::from_u32(number) {
                    Some(character) => text.push(character),
                    None => self.report(
                        Diagnostic::error(
                            "no character has this number",
                            self.span(start, self.at()),
                        )
                        .with_hint("numbers of characters go up to 10FFFF, without D800 to DFFF"),
                    ),
                }
                return;
            }
        }
        let length = 1 + code.len_utf8();
        self.logos.bump(length);
        let diagnostic = Diagnostic::error(
            "this `\\` begins nothing that is known",
            self.span(start, start + length),
        );
        self.report(match code {
            'u' => diagnostic.with_hint("a character by its number is written `\\u{1F600}`"),
            _ => diagnostic
                .with_hint("for a backslash itself write `\\\\`; known are \\n \\t \\r \\0 \\\" \\' \\\\ and \\u{...}"),
        });
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fffd}')
}

/// A piece of source text for a message, in backticks (in quotes if it is one).
fn quoted(text: &str) -> String {
    if text == "`" {
        "a backtick".to_string()
    } else {
        format!("`{text}`")
    }
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 24 {
        text.to_string()
    } else {
        text.chars().take(20).chain("...".chars()).collect()
    }
}

/// The value of a number as written.
fn number(written: &str) -> Result<Token, (&'static str, &'static str)> {
    const RANGE: &str = "integers go up to 9007199254740991";
    let bytes = written.as_bytes();
    if bytes[0] == b'0' && bytes.get(1).is_some_and(u8::is_ascii_digit) {
        return Err((
            "a number does not begin with 0",
            "leave the leading zeros out",
        ));
    }
    if bytes.iter().all(u8::is_ascii_digit) {
        return match written.parse::<u64>() {
            Ok(value) if value <= MAX_INTEGER => Ok(Token::Integer(value as i64)),
            _ => Err(("integer overflow", RANGE)),
        };
    }
    match written.parse::<f64>() {
        Ok(value) if value.is_finite() => {
            let integral = value == value.trunc() && value <= MAX_INTEGER as f64;
            Ok(if integral {
                Token::Integer(value as i64)
            } else {
                Token::Float(value)
            })
        }
        _ => Err(("this number is too large", "numbers go up to about 1.8e308")),
    }
}

/// Makes reserved words names where they are keys of an object.
fn name_keys(tokens: &mut [Spanned], text: &str, base: u32) {
    for at in 1..tokens.len().saturating_sub(1) {
        if tokens[at].token.is_keyword()
            && tokens[at + 1].token == Token::Colon
            && matches!(tokens[at - 1].token, Token::OpenBrace | Token::Comma)
        {
            let span = tokens[at].span;
            tokens[at].token =
                Token::Name(text[(span.start - base) as usize..(span.end - base) as usize].into());
        }
    }
}

/// Joins `choose first` and `choose (` to one token each, and distinguishes `fail` with a message from `fail` alone:
/// the message begins on its line, so that a missing `;` after `fail` is reported there.
fn join(lexed: Vec<Spanned>, text: &str, base: u32) -> Vec<Spanned> {
    let mut tokens: Vec<Spanned> = Vec::with_capacity(lexed.len());
    let mut rest = lexed.into_iter().peekable();
    while let Some(mut token) = rest.next() {
        let joined = match (&token.token, rest.peek().map(|next| &next.token)) {
            (Token::Choose, Some(Token::OpenParen)) => Some(Token::ChooseParen),
            (Token::Choose, Some(Token::Name(name))) if &**name == "first" => {
                Some(Token::ChooseFirst)
            }
            _ => None,
        };
        if token.token == Token::Fail
            && let Some(next) = rest.peek()
            && begins_message(&next.token)
            && !text[(token.span.end - base) as usize..(next.span.start - base) as usize]
                .contains(['\n', '\r'])
        {
            token.token = Token::FailMessage;
        }
        if let Some(joined) = joined {
            token.token = joined;
            token.span.end = rest.next().map_or(token.span.end, |next| next.span.end);
        }
        tokens.push(token);
    }
    tokens
}

/// Whether the token after `fail` begins its message. An object would be taken for a block.
fn begins_message(token: &Token) -> bool {
    token.begins_operand() && !matches!(token, Token::Fail | Token::Bad)
        || matches!(
            token,
            Token::OpenParen | Token::OpenBracket | Token::Plus | Token::Minus | Token::Choose
        )
}
