//! From a text to its tree, or to all its errors.
//!
//! The parser continues after an error by the grammar's own recovery, which finds the errors that follow, but skips
//! tokens on the way. So for good messages its first error is repaired (see [`super::repair`]) and the text is parsed
//! again, until no error is left, or enough are reported, or the work for it exceeds a bound.

use std::cell::Cell;
use std::rc::Rc;

use lalrpop_util::ParseError;

use super::ast::Script;
use super::brackets;
use super::build::Builder;
use super::grammar::ScriptParser;
use super::lexer::{Lexed, lex};
use super::repair::{likely, repairs};
use super::syntax_error::{Fault, TokenText};
use super::token::{Spanned, Token};
use ndscript_base::counted::counted;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;

/// How many errors of one file are shown.
pub const MAX_SHOWN: usize = 20;

/// How many errors one pass of the parser collects.
const MAX_COLLECTED: u32 = 100;

/// Tokens that may be parsed again for the sake of better messages.
const REPAIR_BUDGET: usize = 2_000_000;

/// Tokens that the parser may pass over without building anything; more and it is given the end of the text, because
/// each costs it a look at its whole stack. The deepest nesting of brackets, with five tokens a level, needs fewer.
const MAX_IDLE: u32 = 1024;

/// How many guesses are tried at one error.
const MAX_GUESSES: usize = 16;

/// Parses one file; `base` is added to all places in it.
///
/// ```
/// let errors = ndscript::syntax::parse("var x = 1\nprint(x);", 0).unwrap_err();
/// assert_eq!(errors[0].message, "a `;` is missing");
/// ```
pub fn parse(text: &str, base: u32) -> Result<Script, Vec<Diagnostic>> {
    match read(text, base) {
        (Some(script), diagnostics) if diagnostics.is_empty() => Ok(script),
        (_, diagnostics) => Err(diagnostics),
    }
}

/// The tree of a text as far as it can be read, for editors: errors are repaired as the messages say, or become an
/// [`Error`](super::ast::ExpressionKind::Error) in the tree. `None` if nothing can be read. Such a tree is never
/// compiled.
///
/// ```
/// let (script, errors) = ndscript::syntax::read("var x = 1\nprint(x", 0);
/// assert_eq!((script.unwrap().statements.len(), errors.len()), (2, 2));
/// ```
pub fn read(text: &str, base: u32) -> (Option<Script>, Vec<Diagnostic>) {
    if !fits(text, base) {
        let error = Diagnostic::error(
            "the text is too long: its places cannot be counted",
            Span::default(),
        );
        return (None, vec![error]);
    }
    let Lexed {
        tokens,
        mut diagnostics,
        unfinished,
        ..
    } = lex(text, base);
    let tokens = match brackets::check(&tokens) {
        Ok(true) => tokens,
        Ok(false) => {
            let (tokens, mut found) = brackets::mend(tokens, text, base, unfinished.is_some());
            diagnostics.append(&mut found);
            tokens
        }
        Err(too_deep) => {
            diagnostics.push(*too_deep);
            return (None, limited(diagnostics, 0));
        }
    };
    if diagnostics.len() > MAX_SHOWN {
        return (None, limited(diagnostics, 0));
    }
    let first = Pass::run(&tokens);
    if first.faults.is_empty() {
        diagnostics.extend(first.diagnostics);
        let is_whole = first.script.is_some() && diagnostics.is_empty();
        return (
            first.script,
            if is_whole {
                diagnostics
            } else {
                limited(diagnostics, 0)
            },
        );
    }
    let source = TokenText { text, base, tokens };
    let mut recovery = Recovery {
        source,
        pass: first,
        budget: REPAIR_BUDGET,
        shown: 0,
    };
    let more = recovery.run(&mut diagnostics, unfinished.is_some());
    (recovery.pass.script, limited(diagnostics, more))
}

/// Whether the places of a text can be counted. Offsets have 32 bits, with some left after the end.
pub fn fits(text: &str, base: u32) -> bool {
    const RESERVED_OFFSETS: u32 = 16;
    let length = u32::try_from(text.len()).ok();
    let end = length.and_then(|length| length.checked_add(RESERVED_OFFSETS)?.checked_add(base));
    end.is_some()
}

/// Whether a text is the beginning of something longer: it ends inside a bracket, a string, a template or a comment,
/// or where more must follow. (A statement that lacks only its `;` does not count.)
///
/// ```
/// use ndscript::syntax::is_unfinished;
/// assert!(is_unfinished("while (x) {"));
/// assert!(is_unfinished("x = 1 +"));
/// assert!(!is_unfinished("x = 1"));
/// ```
pub fn is_unfinished(text: &str) -> bool {
    let lexed = lex(text, 0);
    if lexed.unfinished.is_some() {
        return true;
    }
    if !lexed.diagnostics.is_empty() || brackets::check(&lexed.tokens).is_err() {
        return false;
    }
    let open_before = |end: usize| {
        let tokens = lexed.tokens.iter().take(end);
        tokens.fold(0i64, |open, t| {
            open + i64::from(t.token.opens()) - i64::from(t.token.closes())
        })
    };
    let open = open_before(usize::MAX);
    match Pass::run(&lexed.tokens).faults.first() {
        // If only a `;` is missing inside a block, it is reported when the block is complete.
        Some(fault) if open > 0 && open_before(fault.at) > 0 && fault.expects(";") => true,
        Some(fault) => {
            fault.at == lexed.tokens.len()
                && (open > 0 || !fault.expects(";") || fault.expects("while"))
        }
        None => false,
    }
}

/// At most [`MAX_SHOWN`] errors in the order of the text, and how many more there are.
pub fn limited(mut diagnostics: Vec<Diagnostic>, more: usize) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics
        .dedup_by(|later, earlier| later.span == earlier.span && later.message == earlier.message);
    let more = more + diagnostics.len().saturating_sub(MAX_SHOWN);
    diagnostics.truncate(MAX_SHOWN);
    if more > 0
        && let Some(span) = diagnostics.last().and_then(|last| last.span)
    {
        let more = counted(more, "more error");
        diagnostics.push(Diagnostic::error(
            format!("and {more} after this one"),
            span,
        ));
    }
    diagnostics
}

/// The result of one run of the generated parser.
struct Pass {
    script: Option<Script>,
    /// In the order of the text.
    faults: Vec<Fault>,
    diagnostics: Vec<Diagnostic>,
    /// The cost, in tokens.
    work: usize,
}

impl Pass {
    fn run(tokens: &[Spanned]) -> Pass {
        let mut build = Builder::default();
        let activity = build.activity.clone();
        let feed = Feed {
            tokens,
            next: 0,
            activity: activity.clone(),
            seen: 0,
            idle: 0,
        };
        let result = ScriptParser::new().parse(&mut build, feed);
        let recovered = build.recoveries.into_iter().map(|recovery| recovery.error);
        let (script, last) = match result {
            Ok(script) => (Some(script), None),
            Err(error) => (None, Some(error)),
        };
        let mut faults: Vec<Fault> = recovered
            .chain(last)
            .filter_map(|error| fault(tokens, error))
            .collect();
        faults.sort_by_key(|fault| fault.at);
        if activity.get().ended && faults.len() > 1 {
            faults.retain(|fault| fault.at < tokens.len());
        }
        // Passing over a token costs a look at the whole stack.
        let work = tokens.len() + activity.get().idle as usize * 64;
        Pass {
            script,
            faults,
            diagnostics: build.diagnostics,
            work,
        }
    }
}

/// Finds the token that an error is about.
fn fault(tokens: &[Spanned], error: ParseError<u32, Token, ()>) -> Option<Fault> {
    match error {
        ParseError::UnrecognizedEof { expected, .. } => Some(Fault {
            at: tokens.len(),
            expected,
        }),
        ParseError::UnrecognizedToken {
            token: (start, token, end),
            expected,
        } => {
            let from = tokens.partition_point(|known| known.span.start < start);
            let near = tokens[from..]
                .iter()
                .position(|known| known.span.end == end && known.token == token)?;
            Some(Fault {
                at: from + near,
                expected,
            })
        }
        _ => None,
    }
}

/// Feeds the tokens to the parser, and ends them early where more would be useless.
struct Feed<'t> {
    tokens: &'t [Spanned],
    next: usize,
    activity: Rc<Cell<Activity>>,
    /// The number of nodes when the latest token was read.
    seen: u32,
    /// How many tokens were read since that changed.
    idle: u32,
}

/// The activity of the builder so far.
#[derive(Clone, Copy, Default)]
pub struct Activity {
    pub nodes: u32,
    pub errors: u32,
    /// How many tokens were read without building anything.
    pub idle: u32,
    /// The tokens were ended early.
    pub ended: bool,
}

impl Iterator for Feed<'_> {
    type Item = Result<(u32, Token, u32), ()>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut activity = self.activity.get();
        if activity.nodes == self.seen {
            self.idle += 1;
            activity.idle += 1;
            self.activity.set(activity);
        } else {
            self.idle = 0;
            self.seen = activity.nodes;
        }
        if self.idle > MAX_IDLE || activity.errors > MAX_COLLECTED {
            self.activity.set(Activity {
                ended: true,
                ..activity
            });
            return None;
        }
        let token = self.tokens.get(self.next)?;
        self.next += 1;
        Some(Ok((token.span.start, token.token.clone(), token.span.end)))
    }
}

/// Mends one error after the other.
struct Recovery<'t> {
    source: TokenText<'t>,
    pass: Pass,
    budget: usize,
    shown: usize,
}

impl Recovery<'_> {
    /// Adds what is wrong to `diagnostics`; returns how many errors were only counted.
    fn run(&mut self, diagnostics: &mut Vec<Diagnostic>, cut: bool) -> usize {
        // The number of tokens left at the latest error: unlike an index, it stays right when tokens change before it.
        let mut last = usize::MAX;
        loop {
            let left = |fault: &Fault| self.source.tokens.len() - fault.at;
            let Some(fault) = self
                .pass
                .faults
                .iter()
                .find(|fault| left(fault) < last)
                .cloned()
            else {
                if self.pass.faults.is_empty() {
                    diagnostics.append(&mut self.pass.diagnostics);
                }
                return 0;
            };
            if diagnostics.len() >= MAX_SHOWN {
                return self
                    .pass
                    .faults
                    .iter()
                    .filter(|fault| left(fault) < last)
                    .count();
            }
            let quiet = self.follows(&fault, last) || cut && fault.at >= self.source.tokens.len();
            last = left(&fault);
            let diagnostic = match self.mend(&fault, last) {
                Some(diagnostic) => diagnostic,
                None => likely(&self.source, &fault),
            };
            if !quiet || diagnostics.is_empty() {
                diagnostics.push(diagnostic);
                self.shown += 1;
            }
        }
    }

    /// Whether an error follows from a reported one: it touches a made-up token, or is right after another error.
    fn follows(&self, fault: &Fault, last: usize) -> bool {
        let at = fault.at;
        let touched = |at: usize| {
            self.source
                .tokens
                .get(at)
                .is_some_and(|token| token.is_inserted || token.token == Token::Bad)
        };
        let previous = self
            .source
            .tokens
            .len()
            .checked_sub(last)
            .filter(|_| last != usize::MAX);
        let near = previous.is_some_and(|previous| {
            at - previous < 3
                && !self.source.tokens[previous..at]
                    .iter()
                    .any(|token| token.token == Token::Semicolon)
        });
        touched(at) || at > 0 && touched(at - 1) || near
    }

    /// Tries what may have been meant; takes the first guess with which the parser gets past the error.
    fn mend(&mut self, fault: &Fault, left: usize) -> Option<Diagnostic> {
        for repair in repairs(&self.source, fault).into_iter().take(MAX_GUESSES) {
            self.budget = self.budget.checked_sub(self.pass.work)?;
            let tokens = repair.apply(&self.source);
            let pass = Pass::run(&tokens);
            // The errors before this one stay; none may be left here.
            let past = left.saturating_sub(usize::from(left > 0));
            let before = self
                .pass
                .faults
                .iter()
                .filter(|earlier| earlier.at < fault.at)
                .count();
            let next = pass.faults.get(before);
            if next.is_none_or(|next| tokens.len() - next.at <= past && left > 0) {
                self.source.tokens = tokens;
                self.pass = pass;
                return Some(repair.diagnostic);
            }
        }
        None
    }
}
