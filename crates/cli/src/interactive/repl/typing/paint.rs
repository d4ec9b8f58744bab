//! Colours for what is being typed, and the bracket that belongs to the one at the cursor.

use std::ops::Range;

use ndscript::syntax::highlight::{TokenClass, tokens};

use super::command;

const RESET: &str = "\x1b[0m";
const MATCH: &str = "\x1b[1;4m";

fn color(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "\x1b[35m",
        TokenClass::Number => "\x1b[36m",
        TokenClass::String => "\x1b[32m",
        TokenClass::Comment => "\x1b[90m",
        TokenClass::Error => "\x1b[31m",
        TokenClass::Name | TokenClass::Bracket | TokenClass::Operator => "",
    }
}

/// Longer texts are not painted, because that happens at every key.
const LONGEST: usize = 20_000;

/// A text in colors, with the pair of brackets at the cursor marked.
pub fn paint(text: &str, cursor: usize) -> Option<String> {
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    if command::is_command(text) {
        let start = text.len() - text.trim_start().len();
        let end = text[start..]
            .find(char::is_whitespace)
            .map_or(text.len(), |at| start + at);
        return Some(format!(
            "{}\x1b[34m{}{RESET}{}",
            &text[..start],
            &text[start..end],
            &text[end..]
        ));
    }
    let matched = matching(text, cursor);
    let mut out = String::with_capacity(2 * text.len());
    let mut done = 0;
    for (class, range) in tokens(text) {
        out.push_str(text.get(done..range.start).unwrap_or_default());
        let is_matched = matched.as_ref().is_some_and(|pair| pair.contains(&range));
        let color = if is_matched { MATCH } else { color(class) };
        let token = text.get(range.clone()).unwrap_or_default();
        if color.is_empty() {
            out.push_str(token);
        } else {
            out.push_str(color);
            out.push_str(token);
            out.push_str(RESET);
        }
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// The bracket at the cursor, or else right before it, and the one that it belongs to.
fn matching(text: &str, cursor: usize) -> Option<[Range<usize>; 2]> {
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut pairs: Vec<[Range<usize>; 2]> = Vec::new();
    for (_, range) in tokens(text).filter(|(class, _)| *class == TokenClass::Bracket) {
        match text.get(range.clone())? {
            "(" | "[" | "{" => open.push(range),
            close => {
                let opener = open.pop()?;
                if !matches!(
                    (&text[opener.clone()], close),
                    ("(", ")") | ("[", "]") | ("{", "}")
                ) {
                    return None;
                }
                pairs.push([opener, range]);
            }
        }
    }
    let at = |place: usize| {
        pairs
            .iter()
            .find(|pair| pair.iter().any(|range| range.start == place))
            .cloned()
    };
    at(cursor).or_else(|| at(cursor.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_stays_the_same() {
        for text in [
            "let x = [1, 'a)'];",
            ":load a b",
            "`a${f(1)}b`",
            "choose first x; or \"",
            "// ä",
            "}{)(",
            "#ß",
        ] {
            for cursor in 0..=text.len() {
                let painted = paint(text, cursor).unwrap();
                let mut plain = String::new();
                let mut rest = painted.as_str();
                while let Some(at) = rest.find('\x1b') {
                    plain.push_str(&rest[..at]);
                    rest = &rest[at + rest[at..].find('m').unwrap() + 1..];
                }
                plain.push_str(rest);
                assert_eq!(plain, text);
            }
        }
    }

    #[test]
    fn brackets_belong_together() {
        let text = "f(a[1], ')', {})";
        let pair = |cursor| matching(text, cursor).map(|pair| pair.map(|range| range.start));
        assert_eq!(pair(1), Some([1, 15]));
        assert_eq!(pair(16), Some([1, 15]));
        assert_eq!(pair(6), Some([3, 5]));
        assert_eq!(pair(9), None);
        assert_eq!(matching("(]", 0), None);
    }
}
