//! Which characters names are made of: letters and `_`, behind the first also digits. Unicode's letters and digits count.

include!(concat!(env!("OUT_DIR"), "/letters.rs"));

/// Whether a name can begin with it.
pub(crate) fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii() && is_in(LETTERS, c)
}

/// Whether it can stand in a name behind the first character.
pub(crate) fn continues_name(c: char) -> bool {
    c.is_ascii_digit() || begins_name(c) || !c.is_ascii() && is_in(DIGITS, c)
}

/// Whether a whole text can be a name; reserved words can.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(begins_name) && text.chars().all(continues_name)
}

fn is_in(ranges: &[(char, char)], c: char) -> bool {
    let behind = ranges.partition_point(|(first, _)| *first <= c);
    behind > 0 && c <= ranges[behind - 1].1
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn letters_of_all_scripts_and_their_digits_make_names() {
        for name in ["a", "_", "x9", "größe", "名前", "имя٣", "ñ", "_９"] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "", "9", "٣", "a b", "a-b", "a²", "ⅷ", "“a”", "a\u{301}", "😀",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }
}
