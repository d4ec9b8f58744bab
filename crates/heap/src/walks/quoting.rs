//! How names of fields and strings show inside collections.

use ndscript_base::letters::is_name;

/// Appends the name of a field, quoted unless it is a name.
pub(crate) fn key_or_quoted(key: &str, out: &mut String) {
    if is_name(key) {
        out.push_str(key);
    } else {
        quote(key, out);
    }
}

/// Appends a string as it shows inside a collection.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    escape(text, out);
    out.push('"');
}

/// Appends a string as a literal of the language.
/// Appends the characters of a string, with escapes for those that cannot stand between quotes.
pub(super) fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            other => out.push(other),
        }
    }
}
