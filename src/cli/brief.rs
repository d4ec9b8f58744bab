//! What a person has typed may be as long as one likes; a message that quotes it is short.

/// Words, lines and messages have so many characters, lines and lines at most: more than any file name has.
const WORD: usize = 300;
const LINE: usize = 2000;
const LINES: usize = 200;

/// Of a word that is longer, so many characters are shown.
const SHOWN: usize = 80;

const MORE: &str = "...";

/// A message without what is too long in it.
pub fn message(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().take(LINES).map(line).collect();
    if text.lines().nth(LINES).is_some() {
        lines.push(MORE.to_string());
    }
    lines.join("\n")
}

fn line(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(word).collect();
    cut(&words.join(" "), LINE, LINE)
}

/// One word; what closes the quotes around it stays.
fn word(text: &str) -> String {
    let end = text.trim_end_matches(['"', '`', '\'', ')', ':', ',', '.']);
    let closing = &text[end.len()..];
    if closing.len() > 8 { cut(text, WORD, SHOWN) } else { cut(end, WORD, SHOWN) + closing }
}

fn cut(text: &str, most: usize, shown: usize) -> String {
    if text.char_indices().nth(most).is_none() {
        return text.to_string();
    }
    let end = text.char_indices().nth(shown).map_or(text.len(), |(end, _)| end);
    format!("{}{MORE}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_lines_and_messages_are_cut() {
        let long = "x".repeat(100_000);
        let cut = format!("{}...", "x".repeat(SHOWN));
        assert_eq!(
            message(&format!("cannot read \"{long}\": no\nsee `{long}`")),
            format!("cannot read \"{}\": no\nsee `{}`", &cut[1..], &cut[1..])
        );
        assert!(message(&"ä b ".repeat(10_000)).chars().count() <= LINE + MORE.len());
        assert_eq!(message(&"line\n".repeat(10_000)).lines().count(), LINES + 1);
        let path = format!("\"{}\"", "dir/".repeat(50));
        assert_eq!(message(&path), path);
        assert!(message(&"\"".repeat(1000)).len() < 100);
    }
}
