//! The output of a branch without a solution, for the person who wonders why.

/// At most this many lines and bytes of it are shown.
const LINES: usize = 40;
const BYTES: usize = 8000;

/// Where the end of a text begins that is shown.
pub fn shown_from(text: &str) -> usize {
    let mut start = text.len().saturating_sub(BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let breaks = text[start..].trim_end_matches('\n').rmatch_indices('\n');
    breaks
        .map(|(at, _)| start + at + 1)
        .nth(LINES - 1)
        .unwrap_or(start)
}

/// The end of a text: the latest output is the most useful.
pub fn end_of(text: &str) -> String {
    let start = shown_from(text);
    let shown = text[start..].lines().collect::<Vec<&str>>().join("\n");
    if start > 0 {
        format!("...\n{shown}")
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn the_end_is_shown() {
        assert_eq!(end_of("a\nb\n"), "a\nb");
        let long: String = (0..100).map(|n| format!("line {n}\n")).collect();
        assert!(end_of(&long).starts_with("...\nline 60\n") && end_of(&long).ends_with("line 99"));
        assert!(end_of(&"\u{e4}".repeat(10_000)).len() <= 8004);
    }
}
