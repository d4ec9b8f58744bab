//! Questions to the person at the terminal.

use std::io::{self, BufRead};

use super::exit::Stop;
use super::interrupt::while_waiting;
use super::terminal::say;

/// Asks until one of the options is picked, by its number or its text; `None` if the input ends.
pub fn pick(prompt: &str, options: &[String]) -> Result<Option<usize>, Stop> {
    list(prompt, options);
    while let Some(line) = read_line()? {
        let picked = picked(&line, options);
        if picked.is_some() {
            return Ok(picked);
        }
        explain(options);
    }
    Ok(None)
}

/// Shows a question with its options.
pub fn list(prompt: &str, options: &[String]) {
    say(prompt);
    let numbered = !looks_like_numbers(options);
    for (index, option) in options.iter().enumerate() {
        say(&if numbered { format!("  {}) {option}", index + 1) } else { format!("  {option}") });
    }
}

/// Says what can be typed, after something else was.
pub fn explain(options: &[String]) {
    let range = format!("a number from 1 to {}, or ", options.len());
    let range = if looks_like_numbers(options) { "" } else { range.as_str() };
    say(&format!("please type {range}the text of one of the options"));
}

/// Asks for a line; `None` if the input ends.
pub fn line(prompt: &str) -> Result<Option<String>, Stop> {
    say(prompt);
    read_line()
}

/// Whether a number could mean both an option's text and an option's place.
pub fn looks_like_numbers(options: &[String]) -> bool {
    options.iter().any(|option| option.parse().is_ok_and(|number: usize| (1..=options.len()).contains(&number)))
}

/// The option that a line means.
pub fn picked(line: &str, options: &[String]) -> Option<usize> {
    let exact = options.iter().position(|option| option == line);
    let trimmed = || options.iter().position(|option| option.trim() == line.trim());
    let number =
        || line.trim().parse().ok().filter(|number| (1..=options.len()).contains(number)).map(|n: usize| n - 1);
    exact.or_else(trimmed).or_else(number)
}

/// The next line of standard input; `None` at its end.
pub fn read_line() -> Result<Option<String>, Stop> {
    let mut bytes = Vec::new();
    let count = while_waiting(|| io::stdin().lock().read_until(b'\n', &mut bytes));
    if count.map_err(|why| Stop::error(format!("cannot read standard input: {why}")))? == 0 {
        return Ok(None);
    }
    let mut line = String::from_utf8(bytes).map_err(|_| Stop::error("the answer is not UTF-8 text"))?;
    if line.ends_with('\n') {
        line.pop();
    }
    if line.ends_with('\r') {
        line.pop();
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_before_numbers() {
        let options = ["3", "2", "apple"].map(String::from);
        assert_eq!(
            ["2", "apple", " apple ", "1", "3", "4", "", "app"].map(|line| picked(line, &options)),
            [Some(1), Some(2), Some(2), Some(0), Some(0), None, None, None]
        );
        assert!(looks_like_numbers(&options));
        assert!(!looks_like_numbers(&["10".to_string(), "0".to_string()]));
    }
}
