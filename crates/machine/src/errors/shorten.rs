//! Texts of scripts in messages: short, since a script may make them as long as it likes.

use ndscript_heap::walks::brief::excerpt;

/// At most this many characters of a name are shown.
const NAME: usize = 60;

/// Cuts a text after at most `most` characters.
pub fn cut(text: &str, most: usize) -> String {
    let beginning = excerpt(text, most);
    if beginning.len() == text.len() {
        text.to_string()
    } else {
        format!("{beginning}...")
    }
}

/// A name for messages.
pub fn name(text: &str) -> String {
    cut(text, NAME)
}

/// Cuts the text of a value to at most `most` characters. Brackets still open are closed after the dots.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_string();
    }
    let mut open: Vec<char> = Vec::new();
    let mut is_quoted = false;
    let mut is_escaped = false;
    // The position after the last comma or opening bracket, and the brackets open there.
    let mut element = (0, Vec::new());
    let mut end = 0;
    for (at, character) in text.char_indices().take(most) {
        end = at + character.len_utf8();
        if is_quoted {
            is_quoted = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        match character {
            '"' => is_quoted = true,
            '[' => open.push(']'),
            '{' => open.push('}'),
            '(' => open.push(')'),
            ']' | '}' | ')' => {
                open.pop();
            }
            _ => {}
        }
        if matches!(character, '[' | '{' | '(' | ',') {
            element = (end, open.clone());
        }
    }
    let closing = |open: &[char]| open.iter().rev().collect::<String>();
    if is_quoted {
        // Half of an escape would read as another character.
        let beginning = text[..end].trim_end_matches('\\');
        return format!("{beginning}...\"{}", closing(&open));
    }
    let (end, open) = if open.is_empty() {
        (end, open)
    } else {
        element
    };
    let (beginning, closing) = (&text[..end], closing(&open));
    let gap = if beginning.ends_with(',') { " " } else { "" };
    format!("{beginning}{gap}...{closing}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_is_closed() {
        for (text, short) in [
            ("[1, 2]", "[1, 2]"),
            ("[0, 1, 2, 3, 4, 5, 6, 7]", "[0, 1, 2, 3, ...]"),
            ("{size: 1, parts: [1, 2, 3]}", "{size: 1, ...}"),
            ("{a: [1, 2, 3, 4], b: 2}", "{a: [1, 2, ...]}"),
            ("\"a rather long text\"", "\"a rather lo...\""),
            ("[\"a, [b\", \"a rather long\"]", "[\"a, [b\", \"a...\"]"),
            ("{\"a\\\"b\": [\"1234567\"]}", "{\"a\\\"b\": [\"...\"]}"),
            ("[\"01234567\\n\", 2]", "[\"01234567...\"]"),
            ("function withALongName", "function wit..."),
            ("[123456789012345]", "[...]"),
            ("äöüäöüäöüäöüäöü", "äöüäöüäöüäöü..."),
        ] {
            assert_eq!(
                shorten(text, if text.contains('\\') { 11 } else { 12 }),
                short,
                "{text}"
            );
        }
        let long = "[[{a: (1,2), b: \"x\"}]]";
        for most in 0..30 {
            let short = shorten(long, most);
            let count = |a: char| short.chars().filter(|c| *c == a).count();
            assert_eq!(
                (count('['), count('{'), count('(')),
                (count(']'), count('}'), count(')')),
                "{short}"
            );
            assert_eq!(count('"') % 2, 0, "{short}");
        }
    }
}
