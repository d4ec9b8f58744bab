//! Text between tags and in attributes of XML and HTML. All that writes either goes through here, so that every reader can
//! read it, whatever characters a program has printed.

use std::borrow::Cow;

/// Text between tags. Characters of tags are written as entities, and those that XML 1.0 does not allow as U+FFFD.
///
/// ```
/// use ndscript::markup::text;
/// assert_eq!(text("1 < 2\n\u{0}\u{ffff}"), "1 &lt; 2\n\u{fffd}\u{fffd}");
/// ```
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, entity)
}

/// The value of an attribute in double quotes. Readers make spaces of its line breaks and tabs, so these are entities, too.
///
/// ```
/// use ndscript::markup::attribute;
/// assert_eq!(attribute("a \"b\"\n"), "a &quot;b&quot;&#10;");
/// ```
pub fn attribute(text: &str) -> Cow<'_, str> {
    escaped(text, |character| match character {
        '\n' => Some("&#10;"),
        '\t' => Some("&#9;"),
        character => entity(character),
    })
}

fn escaped(text: &str, entity: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    let Some(first) = text.find(|character| entity(character).is_some()) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for character in text[first..].chars() {
        match entity(character) {
            Some(entity) => out.push_str(entity),
            None => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// The entity for a character.
fn entity(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        // Readers make a line break of it.
        '\r' => Some("&#13;"),
        '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}' => {
            None
        }
        _ => Some("\u{fffd}"),
    }
}
