//! The header for C, and the bindings that are made on it.

use std::collections::BTreeSet;
use std::fs;

/// The names of the library's functions in a text.
fn functions(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("nds_")).collect()
}

/// The functions of the header that a binding does not reach, and those that it knows and the header does not.
fn differences(binding: &str) -> Vec<String> {
    let header = fs::read_to_string("bindings/c/ndscript.h").expect("the header");
    let text = fs::read_to_string(binding).expect("a binding");
    let (offered, used) = (functions(&header), functions(&text));
    let different = offered.symmetric_difference(&used);
    different.map(|name| name.to_string()).collect()
}

#[test]
fn bindings_reach_all_that_the_header_offers() {
    for binding in [
        "bindings/lua/ndscript.lua",
        "bindings/csharp/Runtime/NdScript.cs",
    ] {
        assert!(
            differences(binding).is_empty(),
            "{binding}: {:?}",
            differences(binding)
        );
    }
}
