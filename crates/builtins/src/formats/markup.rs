//! XML, one piece at a time: opening tags with their attributes, closing tags, and the text between them.

/// A tag, or the end of the text.
#[derive(Debug, PartialEq)]
pub enum Piece<'t> {
    /// An opening tag; `true` if it is closed at once.
    Open(&'t str, Attributes<'t>, bool),
    Close(&'t str),
    /// Text without markup.
    Data(&'t str),
    /// A declaration or a comment.
    Other,
}

/// The attributes of a tag, as they are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attributes<'t>(&'t str);

impl<'t> Attributes<'t> {
    /// Each name with its value.
    pub fn all(self) -> impl Iterator<Item = (&'t str, String)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (name, value, behind) = first_attribute(rest)?;
            rest = behind;
            Some((name, plain(value)))
        })
    }

    /// What cannot be read as an attribute.
    pub fn unread(self) -> Option<&'t str> {
        let mut rest = self.0;
        while let Some((_, _, behind)) = first_attribute(rest) {
            rest = behind;
        }
        let rest = rest.trim();
        (!rest.is_empty()).then_some(rest)
    }
}

/// The name and the value of the first attribute, and what stands behind it.
fn first_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, after) = text.split_once('=')?;
    let name = name.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let after = after.trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, behind) = after[1..].split_once(quote)?;
    Some((name, value, behind))
}

const DATA: &str = "<![CDATA[";

/// The piece that begins with the `<` at the start of a text, and its length; `None` if the text ends in it.
pub fn piece(text: &str) -> Option<(Piece<'_>, usize)> {
    if let Some(data) = text.strip_prefix(DATA) {
        let length = data.find("]]>")?;
        return Some((Piece::Data(&data[..length]), DATA.len() + length + 3));
    }
    for (start, end) in [("<!--", "-->"), ("<?", "?>")] {
        if text.starts_with(start) {
            return Some((Piece::Other, text.find(end)? + end.len()));
        }
    }
    let mut quote = None;
    let end = text.bytes().position(|byte| match (quote, byte) {
        (None, b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (Some(open), _) if open == byte => {
            quote = None;
            false
        }
        _ => false,
    })?;
    let inner = &text[1..end];
    let piece = if inner.starts_with('!') {
        Piece::Other
    } else if let Some(name) = inner.strip_prefix('/') {
        Piece::Close(name.trim())
    } else {
        let is_closed = inner.ends_with('/');
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let length = inner.find(char::is_whitespace).unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(length);
        Piece::Open(name, Attributes(attributes), is_closed)
    };
    Some((piece, end + 1))
}

/// A text with its entities replaced by characters.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let found = rest
            .find(';')
            .and_then(|end| Some((entity(&rest[1..end])?, end)));
        match found {
            Some((character, end)) => {
                out.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The character that an entity of XML stands for.
fn entity(name: &str) -> Option<char> {
    let code = |digits: &str, base| {
        u32::from_str_radix(digits, base)
            .ok()
            .and_then(char::from_u32)
    };
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix('#')? {
            number if number.starts_with('x') => code(&number[1..], 16),
            number => code(number, 10),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_entities() {
        let (found, length) = piece("<a b=\"1 > &lt;&#x41;\" c='2'/>x").unwrap();
        assert_eq!(length, 29);
        let Piece::Open("a", attributes, true) = found else {
            panic!("{found:?}")
        };
        let all: Vec<(&str, String)> = attributes.all().collect();
        assert_eq!(all, [("b", "1 > <A".to_string()), ("c", "2".to_string())]);
        assert_eq!(attributes.unread(), None);
        for (text, unread) in [
            (" b=1 c='2'", "b=1 c='2'"),
            (" c='2' b", "b"),
            (" b c='2'", "b c='2'"),
        ] {
            assert_eq!(Attributes(text).unread(), Some(unread));
        }
        assert_eq!(piece("<![CDATA[a<b]]>c").unwrap(), (Piece::Data("a<b"), 15));
        assert_eq!(piece("<!-- <a> -->").unwrap(), (Piece::Other, 12));
        assert_eq!(piece("</a >").unwrap(), (Piece::Close("a"), 5));
        assert_eq!(piece("<a b=\">"), None);
        assert_eq!(plain("a & b &no; &#0065;"), "a & b &no; A");
    }
}
