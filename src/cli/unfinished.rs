//! What was printed on a branch that came to no solution, for the person who wonders why.

/// So many lines and bytes of it are shown at most.
const LINES: usize = 40;
const BYTES: usize = 8000;

/// The end of a text: what was printed last says most.
pub fn end_of(text: &str) -> String {
    let mut start = text.len().saturating_sub(BYTES);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let text_end = &text[start..];
    let lines: Vec<&str> = text_end.lines().collect();
    let shown = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let left_out = start > 0 || lines.len() > LINES;
    if left_out { format!("...\n{shown}") } else { shown }
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
