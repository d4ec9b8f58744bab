//! Guesses at the meaning of text that the grammar cannot read: changes of a few tokens, the likeliest first, each with
//! its message. The parser then tries them (see [`super::parse`]), so that one mistake hides no other and brings no
//! follow-up errors.

mod foreign_forms;
mod loop_heads;

use super::syntax_error::{Fault, TokenText};
use super::token::{KEYWORDS, Spanned, Token};
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;
use ndscript_base::spelling::nearest;

/// A change of the tokens: others replace `remove` of them from `at` on.
#[derive(Clone, Debug)]
pub struct Edit {
    pub at: usize,
    pub remove: usize,
    pub insert: Vec<Token>,
}

impl Edit {
    fn replace(at: usize, insert: Vec<Token>) -> Edit {
        Edit {
            at,
            remove: 1,
            insert,
        }
    }

    fn insert(at: usize, insert: Vec<Token>) -> Edit {
        Edit {
            at,
            remove: 0,
            insert,
        }
    }
}

/// A guess at what was meant.
pub struct Repair {
    /// In the order of the text.
    pub edits: Vec<Edit>,
    pub diagnostic: Diagnostic,
}

impl Repair {
    fn new(edit: Edit, diagnostic: Diagnostic) -> Repair {
        Repair {
            edits: vec![edit],
            diagnostic,
        }
    }

    /// The changed tokens.
    pub fn apply(&self, source: &TokenText) -> Vec<Spanned> {
        let mut tokens = source.tokens.clone();
        for edit in self.edits.iter().rev() {
            let removed = tokens
                .get(edit.at..edit.at + edit.remove)
                .and_then(|cut| Some((cut.first()?, cut.last()?)));
            let span = match removed {
                Some((first, last)) => first.span.to(last.span),
                None => {
                    let end = edit
                        .at
                        .checked_sub(1)
                        .and_then(|at| tokens.get(at))
                        .map_or(source.base, |t| t.span.end);
                    Span::new(end, end)
                }
            };
            let insert = edit.insert.iter().map(|token| Spanned {
                token: token.clone(),
                span,
                is_inserted: true,
            });
            tokens.splice(edit.at..edit.at + edit.remove, insert);
        }
        tokens
    }
}

/// Guesses at what was meant, the likeliest first.
pub fn repairs(source: &TokenText, fault: &Fault) -> Vec<Repair> {
    let mut guess = Guess {
        source,
        fault,
        at: fault.at,
        repairs: Vec::new(),
    };
    guess.foreign_operator();
    guess.loop_constant();
    guess.reserved_name();
    guess.loops();
    guess.foreign_forms();
    guess.words();
    guess.named_function();
    guess.nameless_function();
    guess.semicolon();
    guess.stray_else();
    guess.stray_or();
    guess.parentheses();
    guess.braces();
    guess.comma();
    guess.single_tokens();
    guess.skip();
    guess.repairs
}

/// The message about an error where no guess was tried, or none was right.
pub fn likely(source: &TokenText, fault: &Fault) -> Diagnostic {
    let mut guess = Guess {
        source,
        fault,
        at: fault.at,
        repairs: Vec::new(),
    };
    guess.semicolon();
    guess.parentheses();
    match guess.repairs.into_iter().next() {
        Some(repair) => repair.diagnostic,
        None => source.explain(fault),
    }
}

struct Guess<'a, 't> {
    source: &'a TokenText<'t>,
    fault: &'a Fault,
    at: usize,
    repairs: Vec<Repair>,
}

impl Guess<'_, '_> {
    fn found(&self) -> Option<&Token> {
        self.source.token(self.at)
    }

    fn explain(&self) -> Diagnostic {
        self.source.explain(self.fault)
    }

    fn add(&mut self, edit: Edit, diagnostic: Diagnostic) {
        self.repairs.push(Repair::new(edit, diagnostic));
    }

    fn name_at(&self, at: usize) -> Option<&str> {
        match self.source.token(at)? {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }

    /// A reserved word where a name must stand.
    fn reserved_name(&mut self) {
        let Some(found) = self.found().filter(|found| found.is_keyword()) else {
            return;
        };
        let wrapped = self.source.begins_line(self.at) && found.begins_statement();
        if wrapped || !self.fault.expects("name") || self.fault.expects_expression() {
            return;
        }
        let mut insert = vec![Token::Name("".into())];
        if *found == Token::ChooseParen {
            insert.push(Token::OpenParen);
        }
        self.add(Edit::replace(self.at, insert), self.explain());
    }

    /// Keywords that are misspelt or come from other languages.
    fn words(&mut self) {
        let at = self.at;
        let opener = self.source.enclosing_opener(at);
        let closed = (self.source.before(at, 1) == Some(&Token::CloseParen))
            .then(|| self.source.enclosing_opener(at - 1))
            .flatten();
        let around = [closed, opener]
            .into_iter()
            .flatten()
            .filter(|open| matches!(self.source.token(*open), Some(Token::OpenParen)));
        let places: Vec<usize> = around
            .filter_map(|open| open.checked_sub(1))
            .chain(at.checked_sub(1))
            .chain([at])
            .collect();
        for place in places.into_iter().rev() {
            self.foreign_word(place);
            self.misspelt(place);
        }
    }

    fn misspelt(&mut self, place: usize) {
        let Some(word) = self.name_at(place) else {
            return;
        };
        if place > 0 && matches!(self.source.token(place - 1), Some(Token::Dot)) {
            return;
        }
        let after_choose = place
            .checked_sub(1)
            .filter(|at| self.source.token(*at) == Some(&Token::Choose));
        if let Some(choose) = after_choose
            && nearest(word, ["first"]).is_some()
        {
            let diagnostic = unknown_word(word, "first", self.source.span(place));
            self.add(
                Edit {
                    at: choose,
                    remove: 2,
                    insert: vec![Token::ChooseFirst],
                },
                diagnostic,
            );
        }
        let Some(word) = self.name_at(place) else {
            return;
        };
        let Some(keyword) = nearest(word, KEYWORDS) else {
            return;
        };
        if place == self.at && !self.fault.expects(keyword) {
            return;
        }
        let Some(token) = Token::keyword(keyword) else {
            return;
        };
        let diagnostic = unknown_word(word, keyword, self.source.span(place));
        let edit = match (token, self.source.token(place + 1)) {
            (Token::Choose, Some(Token::OpenParen)) => Edit {
                at: place,
                remove: 2,
                insert: vec![Token::ChooseParen],
            },
            (Token::Choose, Some(Token::Name(next))) if &**next == "first" => Edit {
                at: place,
                remove: 2,
                insert: vec![Token::ChooseFirst],
            },
            (token, _) => Edit::replace(place, vec![token]),
        };
        self.add(edit, diagnostic);
    }

    /// `function g(a) { ... }` inside an expression.
    fn named_function(&mut self) {
        let value =
            self.source.before(self.at, 1) == Some(&Token::Function) && !self.fault.expects("name");
        if value && matches!(self.found(), Some(Token::Name(_))) {
            let diagnostic =
                Diagnostic::error("a function value has no name", self.source.span(self.at))
                    .with_hint(
                        "leave the name out, or declare the function in a statement of its own",
                    );
            self.add(
                Edit {
                    at: self.at,
                    remove: 1,
                    insert: vec![],
                },
                diagnostic,
            );
        }
    }

    /// `function (a) { ... }` where a declaration was meant.
    fn nameless_function(&mut self) {
        if self.source.before(self.at, 1) != Some(&Token::CloseBrace) || !self.fault.expects(";") {
            return;
        }
        let Some(body) = self.source.enclosing_opener(self.at - 1) else {
            return;
        };
        if self.source.before(body, 1) != Some(&Token::CloseParen) {
            return;
        }
        let Some(parameters) = self.source.enclosing_opener(body - 1) else {
            return;
        };
        let starts = |at: usize| {
            matches!(
                self.source.before(at, 1),
                None | Some(
                    Token::Semicolon
                        | Token::CloseBrace
                        | Token::OpenBrace
                        | Token::Else
                        | Token::Or
                )
            )
        };
        let Some(function) = parameters.checked_sub(1).filter(|at| starts(*at)) else {
            return;
        };
        if self.source.token(function) == Some(&Token::Function) {
            let diagnostic = Diagnostic::error(
                "a function that is declared needs a name",
                self.source.span(function),
            )
            .with_hint("write `function name(...) { ... }`");
            self.add(
                Edit::insert(parameters, vec![Token::Name("".into())]),
                diagnostic,
            );
        }
    }

    fn semicolon(&mut self) {
        if self.source.before(self.at, 1) == Some(&Token::Comma)
            && self.source.begins_line(self.at)
            && self.found().is_some_and(Token::begins_statement)
        {
            let diagnostic =
                Diagnostic::error("expected `;`, but found `,`", self.source.span(self.at - 1))
                    .with_hint("what follows is a new statement");
            self.add(
                Edit::replace(self.at - 1, vec![Token::Semicolon]),
                diagnostic,
            );
        }
        let statement_for_value = self
            .found()
            .is_some_and(|found| found.begins_statement() && *found != Token::Deterministic);
        if statement_for_value && self.fault.expects_expression() && !self.fault.expects("while") {
            let hint = self.explain();
            self.add(
                Edit::insert(self.at, vec![Token::Bad, Token::Semicolon]),
                hint,
            );
        }
        if !self.fault.expects(";") {
            return;
        }
        let plain = match self.found() {
            None | Some(Token::CloseBrace | Token::Else | Token::Or | Token::Function) => true,
            Some(found) => {
                found.begins_statement()
                    || self.source.begins_line(self.at)
                        && (found.begins_operand() || *found == Token::OpenBrace)
            }
        };
        if plain {
            self.add(
                Edit::insert(self.at, vec![Token::Semicolon]),
                self.source.missing(self.at, ";"),
            );
        }
    }

    fn stray_else(&mut self) {
        if self.found() != Some(&Token::Else) {
            return;
        }
        let diagnostic = Diagnostic::error("`else` without `if`", self.source.span(self.at));
        let hint = match (
            self.source.before(self.at, 1),
            self.source.before(self.at, 2),
        ) {
            (Some(Token::Semicolon), Some(Token::CloseBrace)) => "remove the `;` before it",
            (Some(Token::Semicolon), _) => {
                "`if` and `else` take one statement each: put several in braces, `if (...) { ... } else { ... }`"
            }
            _ => "an `else` comes directly after the statement of its `if`",
        };
        self.add(
            Edit {
                at: self.at,
                remove: 1,
                insert: vec![],
            },
            diagnostic.with_hint(hint),
        );
    }

    fn stray_or(&mut self) {
        if self.found() != Some(&Token::Or) {
            return;
        }
        let span = self.source.span(self.at);
        let end = self
            .source
            .before(self.at, 1)
            .is_some_and(|before| *before == Token::Semicolon);
        let in_statement = self.source.tokens[..self.at]
            .iter()
            .rposition(|t| t.token == Token::Semicolon);
        let begin = in_statement.map_or(0, |at| at + 1);
        if self.source.token(begin) == Some(&Token::ChooseParen) && !end {
            let diagnostic = Diagnostic::error(
                "`choose (` begins the form `choose(a, b, ...)`, which has no `or`",
                span,
            )
            .with_related(self.source.span(begin), "it begins here")
            .with_hint("write `choose { ... } or { ... }`");
            self.add(Edit::replace(self.at, vec![Token::Semicolon]), diagnostic);
        } else if !end && self.fault.expects("||") {
            let diagnostic = Diagnostic::error("`or` belongs to `choose`", span);
            let (token, hint) = if self.source.in_choice(self.at) {
                (
                    Token::Comma,
                    "the expression form has commas: `choose(a, b)`",
                )
            } else {
                (Token::OrOr, "between conditions write `||`")
            };
            self.add(
                Edit::replace(self.at, vec![token]),
                diagnostic.with_hint(hint),
            );
        }
        let hint = match (
            self.source.before(self.at, 1),
            self.source.before(self.at, 2),
        ) {
            (Some(Token::Semicolon), Some(Token::CloseBrace)) => "remove the `;` before it",
            (Some(Token::Semicolon), _) => {
                "each alternative is one statement: put several in braces, `choose { ... } or { ... }`"
            }
            _ => "an `or` comes directly after an alternative of `choose`",
        };
        let diagnostic = Diagnostic::error("`or` without `choose`", span).with_hint(hint);
        self.add(
            Edit {
                at: self.at,
                remove: 1,
                insert: vec![],
            },
            diagnostic,
        );
    }

    /// The head of an `if` or loop, or the parameters of a function, without parentheses.
    fn parentheses(&mut self) {
        if !self.fault.expects("(")
            || self.fault.expects_operator()
            || self.fault.expects_expression()
        {
            return;
        }
        let word = match self.source.before(self.at, 1) {
            Some(Token::If) => "if",
            Some(Token::While) => "while",
            Some(Token::For) => "for",
            Some(Token::Foreach) => "foreach",
            _ => {
                let hint = "a function is written `function name(a, b) { ... }`";
                let diagnostic = self.explain().with_hint(hint);
                self.add(
                    Edit::insert(self.at, vec![Token::OpenParen, Token::CloseParen]),
                    diagnostic,
                );
                return;
            }
        };
        let hint = match word {
            "for" => "it is written `for (var i = 0; i < 10; i++) ...`".to_string(),
            "foreach" => "it is written `foreach (x in collection) ...`".to_string(),
            word => format!("what `{word}` depends on stands in parentheses: `{word} (...) ...`"),
        };
        let diagnostic = self.explain().with_hint(hint);
        let mut end = self.at;
        while let Some(token) = self.source.token(end) {
            let body = *token == Token::OpenBrace && end > self.at;
            if body || token.closes() || end > self.at && self.source.begins_line(end) {
                break;
            }
            end = self.past(end);
        }
        let edits = vec![
            Edit::insert(self.at, vec![Token::OpenParen]),
            Edit::insert(end, vec![Token::CloseParen]),
        ];
        self.repairs.push(Repair { edits, diagnostic });
    }

    /// The body of a function without braces.
    fn braces(&mut self) {
        if !self.fault.expects("{") || self.fault.expects("(") || self.fault.expects("name") {
            return;
        }
        let diagnostic = self
            .explain()
            .with_hint("the body of a function is in braces: `{ ... }`");
        if self.found() == Some(&Token::Arrow) {
            let hint = "with `=>`, leave out the word `function` and the name: `(a, b) => ...`";
            self.add(
                Edit {
                    at: self.at,
                    remove: 1,
                    insert: vec![],
                },
                self.explain().with_hint(hint),
            );
        }
        let end = self.end_of_statement(self.at);
        let edits = vec![
            Edit::insert(self.at, vec![Token::OpenBrace]),
            Edit::insert(end, vec![Token::CloseBrace]),
        ];
        self.repairs.push(Repair { edits, diagnostic });
        self.add(
            Edit::insert(self.at, vec![Token::OpenBrace, Token::CloseBrace]),
            self.explain(),
        );
    }

    fn comma(&mut self) {
        if !self.fault.expects(",") {
            return;
        }
        match self.found() {
            Some(Token::Semicolon) => {
                self.add(Edit::replace(self.at, vec![Token::Comma]), self.explain())
            }
            Some(found) if found.begins_operand() || found.opens() => {
                let missing = self.source.begins_line(self.at) && !self.fault.expects(";");
                let diagnostic = if missing {
                    self.source.missing(self.at, ",")
                } else {
                    self.explain()
                };
                self.add(Edit::insert(self.at, vec![Token::Comma]), diagnostic);
            }
            _ => {}
        }
    }

    /// Single tokens put in, or changed, or taken out.
    fn single_tokens(&mut self) {
        let fault = self.fault;
        let at = self.at;
        let put = |guess: &mut Self, tokens: Vec<Token>| {
            let diagnostic = guess.explain();
            guess.add(Edit::insert(at, tokens), diagnostic);
        };
        if fault.expects_expression() {
            let replaced = self.found().is_some_and(|found| {
                found.is_keyword()
                    && !found.begins_statement()
                    && *found != Token::Else
                    && *found != Token::Or
            });
            if replaced {
                self.add(Edit::replace(at, vec![Token::Bad]), self.explain());
            }
            put(self, vec![Token::Bad]);
        } else if fault.expects("name") {
            let name = Token::Name("".into());
            let replaced = self
                .found()
                .is_some_and(|found| found.is_keyword() || found.begins_operand());
            if replaced {
                self.add(Edit::replace(at, vec![name.clone()]), self.explain());
            }
            put(self, vec![name.clone()]);
            put(self, vec![name, Token::Colon, Token::Bad]);
        }
        if fault.expects(":") {
            if matches!(self.found(), Some(Token::Assign)) {
                self.add(Edit::replace(at, vec![Token::Colon]), self.explain());
            }
            put(self, vec![Token::Colon]);
            put(self, vec![Token::Colon, Token::Bad]);
        }
        if fault.expects("=") && !fault.expects_operator() {
            put(self, vec![Token::Assign]);
        }
        if fault.expects(";") {
            put(self, vec![Token::Semicolon]);
        }
        for (name, token) in [
            ("=>", Token::Arrow),
            ("function", Token::Function),
            ("string", Token::String("".into())),
        ] {
            if fault.expects(name) && !fault.expects_expression() {
                put(self, vec![token]);
            }
        }
        if self
            .found()
            .is_some_and(|found| !found.opens() && !found.closes())
        {
            self.add(
                Edit {
                    at,
                    remove: 1,
                    insert: vec![],
                },
                self.explain(),
            );
        }
    }

    /// The rest of the statement, or of what stands between brackets, passed over.
    fn skip(&mut self) {
        let end = self.end_of_statement(self.at);
        let end = if self.source.before(end, 1) == Some(&Token::Semicolon) && end > self.at {
            end - 1
        } else {
            end
        };
        let remove = end - self.at;
        for insert in [
            vec![],
            vec![Token::Bad],
            vec![Token::Semicolon],
            vec![Token::Bad, Token::Semicolon],
        ] {
            if remove > 0 {
                self.add(
                    Edit {
                        at: self.at,
                        remove,
                        insert,
                    },
                    self.explain(),
                );
            }
        }
    }

    /// The index after a token, or after the whole bracket that it opens.
    fn past(&self, at: usize) -> usize {
        let mut open = 0;
        for index in at..self.source.tokens.len() {
            let token = &self.source.tokens[index].token;
            if token.opens() {
                open += 1;
            } else if token.closes() {
                open -= 1;
            }
            if open <= 0 {
                return index + 1;
            }
        }
        self.source.tokens.len()
    }

    /// The index after the statement that continues at `at`, as far as `;`, braces and line breaks tell.
    fn end_of_statement(&self, at: usize) -> usize {
        let mut index = at;
        while let Some(token) = self.source.token(index) {
            if token.closes() || matches!(token, Token::TemplateMiddle(_)) {
                break;
            }
            let braces = *token == Token::OpenBrace;
            let semicolon = *token == Token::Semicolon;
            index = self.past(index);
            if semicolon || braces && self.source.begins_line(index) {
                break;
            }
        }
        index
    }
}

fn unknown_word(word: &str, keyword: &str, span: Span) -> Diagnostic {
    Diagnostic::error(format!("unknown word `{word}`"), span)
        .with_hint(format!("did you mean `{keyword}`?"))
}
