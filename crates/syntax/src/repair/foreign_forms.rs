//! Words, operators and forms that are those of other languages.

use super::{Edit, Guess};
use crate::foreign;
use crate::token::Token;
use ndscript_base::diagnostics::Diagnostic;

/// The kinds of destructuring in place of a name.
const DESTRUCTURING: [(Token, &str, &str); 2] = [
    (Token::OpenBracket, "let a = pair[0], b = pair[1];", "pair"),
    (Token::OpenBrace, "let x = place.x, y = place.y;", "place"),
];

impl Guess<'_, '_> {
    pub(super) fn foreign_forms(&mut self) {
        self.destructuring();
        self.spread();
        self.imported_names();
        self.declared_type();
        self.label();
        self.accessor_in_object();
        self.method_in_object();
        self.generator();
        self.regular_expression();
    }

    /// The keyword whose head or parameters are around this place.
    fn head_of(&self, at: usize) -> Option<&Token> {
        let open = self.source.enclosing_opener(at)?;
        self.source
            .before(open, 1)
            .filter(|_| self.source.token(open) == Some(&Token::OpenParen))
    }

    /// `foreach (const x in c)`.
    pub(super) fn loop_constant(&mut self) {
        let at = self.at;
        if self.found() != Some(&Token::Const) || self.head_of(at) != Some(&Token::Foreach) {
            return;
        }
        if let Some(repair) = self.destructuring_error(at + 1) {
            let remove = self.past(at + 1) - at;
            return self.add(
                Edit {
                    at,
                    remove,
                    insert: vec![Token::Name("".into())],
                },
                repair,
            );
        }
        let diagnostic = Diagnostic::error(
            "the variable of a `foreach` is not a `const`",
            self.source.span(at),
        )
        .with_hint(
            "leave `const` out: each turn has a variable of its own, `foreach (x in collection)`",
        );
        self.add(
            Edit {
                at,
                remove: 1,
                insert: vec![],
            },
            diagnostic,
        );
    }

    /// The message about brackets in place of a name.
    fn destructuring_error(&self, at: usize) -> Option<Diagnostic> {
        let found = self.source.token(at)?;
        let (_, taking, whole) = DESTRUCTURING.iter().find(|(open, ..)| open == found)?;
        let (message, hint) = match (self.head_of(at), self.source.before(at, 1)) {
            (Some(Token::For | Token::Foreach), _) => (
                "a variable is declared by a name",
                format!(
                    "take it apart inside the loop: `foreach ({whole} in collection) {{ {taking} ... }}`"
                ),
            ),
            (_, Some(Token::Let | Token::Const | Token::Var)) => (
                "a variable is declared by a name",
                format!("take it apart one by one: `{taking}`"),
            ),
            (Some(_), _) => (
                "a parameter is a name",
                format!("take it apart inside: `function f({whole}) {{ {taking} ... }}`"),
            ),
            _ => (
                "a variable is declared by a name",
                format!("take it apart one by one: `{taking}`"),
            ),
        };
        Some(Diagnostic::error(message, self.source.span(at)).with_hint(hint))
    }

    /// `let [a, b] = c`, `foreach ([a, b] in c)`, `function f({a, b}) { }`.
    fn destructuring(&mut self) {
        let fault = self.fault;
        let wants_name =
            fault.expects("name") && !fault.expects("string") && !fault.expects_expression();
        if !wants_name || self.source.before(self.at, 1) == Some(&Token::Dot) {
            return;
        }
        let Some(diagnostic) = self.destructuring_error(self.at) else {
            return;
        };
        let remove = self.past(self.at) - self.at;
        self.add(
            Edit {
                at: self.at,
                remove,
                insert: vec![Token::Name("".into())],
            },
            diagnostic,
        );
    }

    /// `[...a]`, `{...o}`, `f(...a)`, `function f(...a) { }`.
    fn spread(&mut self) {
        let at = self.at;
        if (at..at + 3).any(|at| self.source.token(at) != Some(&Token::Dot)) {
            return;
        }
        let span = self.source.span(at).to(self.source.span(at + 2));
        let (hint, insert) = if self.fault.expects_expression() {
            let open = self.source.enclosing_opener(at);
            let hint = match open.and_then(|open| self.source.token(open)) {
                Some(Token::OpenParen) => {
                    "hand over the collection itself to a function that takes one, such as `max(c)`; `concat(a, b)` \
                     joins arrays"
                }
                _ => "`concat(a, b)` joins arrays, `toArray(c)` makes one of any collection",
            };
            (hint, vec![])
        } else if self.fault.expects("string") {
            (
                "copy the object and set its fields: `let o = copy(other); o.a = 1;`",
                { vec![Token::Name("".into()), Token::Colon] },
            )
        } else {
            (
                "a function has a fixed number of parameters: hand over many values as one array",
                vec![],
            )
        };
        self.add(
            Edit {
                at,
                remove: 3,
                insert,
            },
            Diagnostic::error("there is no `...`", span).with_hint(hint),
        );
    }

    /// `import { a } from "file.nds";`
    fn imported_names(&mut self) {
        let at = self.at;
        if self.source.before(at, 1) != Some(&Token::Import) {
            return;
        }
        let end = self.end_of_statement(at);
        let Some(file) =
            (at..end).find(|at| matches!(self.source.token(*at), Some(Token::String(_))))
        else {
            return;
        };
        let span = self
            .source
            .span(at)
            .to(self.source.span(file.saturating_sub(1).max(at)));
        let diagnostic = Diagnostic::error("an import names only its file", span).with_hint(
            "write `import \"file.nds\";`, which brings in all global names of the file",
        );
        self.add(
            Edit {
                at,
                remove: file - at,
                insert: vec![],
            },
            diagnostic,
        );
    }

    /// `let x: number = 3;`, `function f(a: number): number { }`.
    fn declared_type(&mut self) {
        let at = self.at;
        let declares = |token: &Token| {
            matches!(
                token,
                Token::Let | Token::Const | Token::Var | Token::Comma | Token::OpenParen
            )
        };
        let follows = match self.source.before(at, 1) {
            Some(Token::Name(_)) => self.source.before(at, 2).is_some_and(declares),
            before => before == Some(&Token::CloseParen),
        };
        let fault = self.fault;
        let value = fault.expects_operator() || fault.expects(":") || fault.expects_expression();
        if self.found() != Some(&Token::Colon) || !follows || value {
            return;
        }
        let is_loop = |back: usize| {
            matches!(
                self.source.before(at, back),
                Some(Token::Foreach | Token::For)
            )
        };
        if self.source.token(at + 2) == Some(&Token::CloseParen) && (is_loop(3) || is_loop(4)) {
            // `foreach (x : collection)` is a loop of other languages.
            return;
        }
        let Some(named) = self.name_at(at + 1) else {
            return;
        };
        let hint = format!("leave `: {named}` out: any variable can hold any value");
        let span = self.source.span(at).to(self.source.span(at + 1));
        let mut end = at + 2;
        while self.source.token(end) == Some(&Token::OpenBracket) {
            end = self.past(end);
        }
        let diagnostic = Diagnostic::error("types are not declared", span).with_hint(hint);
        self.add(
            Edit {
                at,
                remove: end - at,
                insert: vec![],
            },
            diagnostic,
        );
    }

    /// `outer: for (...)`, `break outer;`
    fn label(&mut self) {
        let at = self.at;
        let hint = "`break` and `continue` are about the innermost loop; `return` ends all loops of a function";
        let (before, next) = (self.source.before(at, 1), self.source.token(at + 1));
        match (before, self.found(), next) {
            (
                Some(Token::Name(_)),
                Some(Token::Colon),
                Some(Token::For | Token::Foreach | Token::While),
            ) => {
                let diagnostic =
                    Diagnostic::error("loops have no labels", self.source.span(at - 1))
                        .with_hint(hint);
                self.add(
                    Edit {
                        at: at - 1,
                        remove: 2,
                        insert: vec![],
                    },
                    diagnostic,
                );
            }
            (
                Some(Token::Break | Token::Continue),
                Some(Token::Name(_)),
                Some(Token::Semicolon),
            ) => {
                let diagnostic =
                    Diagnostic::error("loops have no labels", self.source.span(at)).with_hint(hint);
                self.add(
                    Edit {
                        at,
                        remove: 1,
                        insert: vec![],
                    },
                    diagnostic,
                );
            }
            _ => {}
        }
    }

    /// `{get size() { ... }}`.
    fn accessor_in_object(&mut self) {
        let at = self.at;
        let field = self.fault.expects(":") && !self.fault.expects_operator();
        let Some(word) = at.checked_sub(1).and_then(|at| self.name_at(at)) else {
            return;
        };
        if !field
            || !matches!(word, "get" | "set" | "static")
            || self.source.token(at + 1) != Some(&Token::OpenParen)
        {
            return;
        }
        let Some(name) = self.name_at(at) else { return };
        let span = self.source.span(at - 1).to(self.source.span(at));
        let hint = format!(
            "a function is a field like others, `{name}: () => ...`, and called: `object.{name}()`"
        );
        let diagnostic =
            Diagnostic::error(format!("there is no `{word}` before a field"), span).with_hint(hint);
        let insert = vec![Token::Name(name.into()), Token::Colon, Token::Bad];
        let end = self.past_function(at + 1);
        self.add(
            Edit {
                at: at - 1,
                remove: end + 1 - at,
                insert,
            },
            diagnostic,
        );
    }

    /// The index after the parameters, and after the body if there is one.
    fn past_function(&self, parameters: usize) -> usize {
        let end = self.past(parameters);
        if self.source.token(end) == Some(&Token::OpenBrace) {
            self.past(end)
        } else {
            end
        }
    }

    /// `{ f(x) { ... } }` as an object.
    fn method_in_object(&mut self) {
        let at = self.at;
        let field = self.fault.expects(":") && !self.fault.expects_operator();
        if !field || self.found() != Some(&Token::OpenParen) {
            return;
        }
        let Some(name) = at.checked_sub(1).and_then(|at| self.name_at(at)) else {
            return;
        };
        let end = self.past_function(at);
        let hint = format!("a function is a field like others: `{name}: (a, b) => {{ ... }}`");
        let diagnostic = self.explain_with(hint);
        self.add(
            Edit {
                at,
                remove: end - at,
                insert: vec![Token::Colon, Token::Bad],
            },
            diagnostic,
        );
    }

    fn explain_with(&self, hint: String) -> Diagnostic {
        let mut diagnostic = self.explain();
        diagnostic.hints.clear();
        diagnostic.with_hint(hint)
    }

    /// `function* f() { yield 1; }`
    fn generator(&mut self) {
        if self.found() == Some(&Token::Star)
            && self.source.before(self.at, 1) == Some(&Token::Function)
        {
            let span = self.source.span(self.at - 1).to(self.source.span(self.at));
            let hint = foreign::word("yield").unwrap_or_default();
            let diagnostic = Diagnostic::error("there is no `function*`", span).with_hint(hint);
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

    /// `/ab+/g`
    fn regular_expression(&mut self) {
        let at = self.at;
        if self.found() != Some(&Token::Slash) || !self.fault.expects_expression() {
            return;
        }
        let mut rest =
            (at + 1..self.source.tokens.len()).take_while(|at| !self.source.begins_line(*at));
        let Some(last) = rest.find(|at| self.source.token(*at) == Some(&Token::Slash)) else {
            return;
        };
        let flags = self.name_at(last + 1).is_some()
            && self.source.span(last).end == self.source.span(last + 1).start;
        let last = last + usize::from(flags);
        let span = self.source.span(at).to(self.source.span(last));
        let hint = foreign::global("RegExp").unwrap_or_default();
        let diagnostic = Diagnostic::error("this is no value", span).with_hint(hint);
        self.add(
            Edit {
                at,
                remove: last + 1 - at,
                insert: vec![Token::Bad],
            },
            diagnostic,
        );
    }

    pub(super) fn foreign_word(&mut self, place: usize) {
        let Some(word) = self.name_at(place) else {
            return;
        };
        let begins_statement = match self.source.before(place, 1) {
            None
            | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace | Token::CloseParen) => {
                true
            }
            Some(Token::OpenParen) => self.source.before(place, 2) == Some(&Token::For),
            Some(_) => false,
        };
        let named = self.name_at(place + 1);
        let insert = match word {
            "elif" | "elseif" | "elsif" => vec![Token::Else, Token::If],
            "def" | "fn" | "func" | "fun" | "sub" | "procedure" => vec![Token::Function],
            "and" => vec![Token::AndAnd],
            "not" | "typeof" | "void" => vec![Token::Not],
            "is" | "instanceof" => vec![Token::Equal],
            "of" if self.fault.expects("in") => vec![Token::In],
            "new" if place > 0 && self.name_at(place - 1) == Some("throw") => return,
            "then" | "new" | "async" | "await" | "yield" => vec![],
            "static" | "public" | "private" | "export" if begins_statement => vec![],
            "int" | "float" | "double" | "bool" | "auto" | "local" | "val" | "my"
                if begins_statement && named.is_some() =>
            {
                vec![Token::Let]
            }
            "do" if place == self.at => vec![],
            "switch" | "match" | "do" | "repeat" | "loop" | "until" | "unless" | "delete"
            | "throw" | "raise" | "try" | "catch" | "finally" | "class" | "struct" | "enum" => {
                return self.absent(place);
            }
            "interface" | "type" | "typedef" | "goto" if begins_statement && named.is_some() => {
                return self.absent(place);
            }
            "with" | "using" if begins_statement => return self.absent(place),
            _ => return,
        };
        let hint = match (word, named) {
            ("do", _) => Some("leave it out"),
            ("new", Some(kind)) => foreign::global(kind).or_else(|| foreign::word(word)),
            _ => foreign::word(word),
        };
        let message = format!("`{word}` is not a keyword here");
        let diagnostic =
            Diagnostic::error(message, self.source.span(place)).with_hint(hint.unwrap_or_default());
        self.add(Edit::replace(place, insert), diagnostic);
    }

    /// A statement that the language does not have: what belongs to it is passed over.
    fn absent(&mut self, place: usize) {
        let word = self.name_at(place).unwrap_or_default();
        let hint = foreign::word(word).unwrap_or_default();
        let diagnostic =
            Diagnostic::error(format!("there is no `{word}`"), self.source.span(place))
                .with_hint(hint);
        let end = self.end_of_statement(self.at);
        let ended = matches!(
            self.source.before(end, 1),
            Some(Token::CloseBrace | Token::Semicolon)
        );
        let insert = if ended {
            vec![Token::Bad, Token::Semicolon]
        } else {
            vec![Token::Bad]
        };
        self.add(
            Edit {
                at: place,
                remove: end - place,
                insert,
            },
            diagnostic,
        );
    }

    /// Two or three tokens without a gap that are an operator elsewhere.
    pub(super) fn foreign_operator(&mut self) {
        for first in [self.at.checked_sub(1), Some(self.at)]
            .into_iter()
            .flatten()
        {
            let touches = |at: usize| self.source.span(at).end == self.source.span(at + 1).start;
            let third = self.source.token(first + 2).filter(|_| touches(first + 1));
            let (remove, insert) = match (
                self.source.token(first),
                self.source.token(first + 1),
                third,
            ) {
                (Some(Token::Question), Some(Token::Question), Some(Token::Assign)) => {
                    (3, vec![Token::Assign])
                }
                (Some(Token::OrOr | Token::AndAnd), Some(Token::Assign), _) => {
                    (2, vec![Token::Assign])
                }
                (Some(Token::Assign), Some(Token::Less), _) => (2, vec![Token::LessEqual]),
                (Some(Token::Less), Some(Token::Greater), _) => (2, vec![Token::NotEqual]),
                (Some(Token::Minus), Some(Token::Greater), _) => (2, vec![Token::Arrow]),
                (Some(Token::Star), Some(Token::MultiplyAssign), _)
                | (Some(Token::Less), Some(Token::LessEqual), _)
                | (Some(Token::Greater), Some(Token::GreaterEqual), _) => {
                    (2, vec![Token::MultiplyAssign])
                }
                (Some(Token::Star), Some(Token::Star), _)
                | (Some(Token::Less), Some(Token::Less), _)
                | (Some(Token::Greater), Some(Token::Greater), _) => (2, vec![Token::Star]),
                (Some(Token::Question), Some(Token::Question), _) => (2, vec![Token::OrOr]),
                (
                    Some(Token::Question),
                    Some(Token::Dot),
                    Some(Token::OpenBracket | Token::OpenParen),
                ) => (2, vec![]),
                (Some(Token::Question), Some(Token::Dot), _) => (2, vec![Token::Dot]),
                (Some(Token::Colon), Some(Token::Assign), _) => (2, vec![Token::Assign]),
                _ => continue,
            };
            if !touches(first) {
                continue;
            }
            let span = self
                .source
                .span(first)
                .to(self.source.span(first + remove - 1));
            let written = self.source.written(span);
            let hint = foreign::operator(written).unwrap_or_default();
            let diagnostic =
                Diagnostic::error(format!("`{written}` is not an operator"), span).with_hint(hint);
            self.add(
                Edit {
                    at: first,
                    remove,
                    insert,
                },
                diagnostic,
            );
        }
    }
}
