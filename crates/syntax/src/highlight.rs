//! The tokens of a text for highlighting: any text, however broken, is covered in order.

use std::ops::Range;

use super::lexer::lex_all;
use super::token::Token;

/// The class of a piece of text, for coloring it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// A reserved word, or `first` after `choose`.
    Keyword,
    /// A name, of a variable or a field.
    Name,
    /// A number.
    Number,
    /// A string, or the text of a template with its backticks and `${`, `}`.
    String,
    /// A comment of either sort.
    Comment,
    /// A bracket of any sort.
    Bracket,
    /// An operator, or other punctuation.
    Operator,
    /// Unreadable text.
    Error,
}

/// The tokens and comments of a text in order, with the bytes that they cover; white space lies between them.
///
/// ```
/// use ndscript::syntax::highlight::{TokenClass, tokens};
/// let classes: Vec<_> = tokens("fail; // no").map(|(class, _)| class).collect();
/// assert_eq!(classes, [TokenClass::Keyword, TokenClass::Operator, TokenClass::Comment]);
/// ```
pub fn tokens(text: &str) -> impl Iterator<Item = (TokenClass, Range<usize>)> {
    let lexed = lex_all(text);
    let after_choose = |at: usize| at > 0 && lexed.tokens[at - 1].token == Token::Choose;
    let mut all: Vec<(TokenClass, Range<usize>)> = lexed
        .comments
        .iter()
        .map(|span| (TokenClass::Comment, *span))
        .chain(
            lexed
                .tokens
                .iter()
                .enumerate()
                .map(|(at, token)| match &token.token {
                    Token::Name(name) if &**name == "first" && after_choose(at) => {
                        (TokenClass::Keyword, token.span)
                    }
                    token_here => (class(token_here), token.span),
                }),
        )
        .map(|(class, span)| (class, span.start as usize..span.end as usize))
        .collect();
    // Both sorts are in order by themselves, which a stable sort makes use of.
    all.sort_by_key(|(_, range)| range.start);
    all.into_iter()
}

/// The class of a token.
fn class(token: &Token) -> TokenClass {
    match token {
        Token::Name(_) => TokenClass::Name,
        Token::Integer(_) | Token::Float(_) | Token::Number => TokenClass::Number,
        Token::String(_)
        | Token::Template(_)
        | Token::TemplateHead(_)
        | Token::TemplateMiddle(_)
        | Token::TemplateTail(_) => TokenClass::String,
        Token::Bad => TokenClass::Error,
        Token::OpenParen
        | Token::CloseParen
        | Token::OpenBracket
        | Token::CloseBracket
        | Token::OpenBrace
        | Token::CloseBrace => TokenClass::Bracket,
        token if token.is_keyword() => TokenClass::Keyword,
        _ => TokenClass::Operator,
    }
}
