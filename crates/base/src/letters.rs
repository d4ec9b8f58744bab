//! The characters of names: those that Unicode allows at the beginning and inside of identifiers, and `_`, as in
//! JavaScript.

/// Whether a name can begin with it.
pub fn begins_name(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

/// Whether it can stand in a name after the first character.
pub fn continues_name(c: char) -> bool {
    unicode_ident::is_xid_continue(c)
}

/// Whether a whole text can be a name; reserved words can.
pub fn is_name(text: &str) -> bool {
    text.starts_with(begins_name) && text.chars().all(continues_name)
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn letters_of_all_scripts_and_their_digits_make_names() {
        for name in ["a", "_", "x9", "größe", "名前", "имя٣", "ñ", "_９"] {
            assert!(is_name(name), "{name}");
        }
        for other in ["", "9", "٣", "a b", "a-b", "a²", "“a”", "😀"] {
            assert!(!is_name(other), "{other}");
        }
    }
}
