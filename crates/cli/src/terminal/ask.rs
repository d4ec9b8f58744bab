//! Questions to the person at the terminal.

use std::io::{self, BufRead, Read};

use ndscript::{Answer, Question, Run};

use super::interrupt::while_waiting;
use super::say;
use crate::exit::Stop;

/// Asks the question of a run, and answers it.
///
/// # Errors
/// If the input ends before.
pub fn answer(run: &mut Run, question: &Question) -> Result<(), Stop> {
    match ask(question)? {
        Answer::Option(index) => run.answer(index),
        Answer::Line(line) => run.answer_text(&line),
    };
    Ok(())
}

/// Asks a question.
///
/// # Errors
/// If the input ends before.
pub fn ask(question: &Question) -> Result<Answer, Stop> {
    let ended = || {
        Stop::error(format!(
            "the input ended before {:?} was answered",
            question.prompt
        ))
    };
    Ok(match &question.options {
        Some(options) => Answer::Option(pick(&question.prompt, options)?.ok_or_else(ended)?),
        None => Answer::Line(line(&question.prompt)?.ok_or_else(ended)?),
    })
}

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
        say(&if numbered {
            format!("  {}) {option}", index + 1)
        } else {
            format!("  {option}")
        });
    }
}

/// Says what can be typed, after something else was.
pub fn explain(options: &[String]) {
    let range = format!("a number from 1 to {}, or ", options.len());
    let range = if looks_like_numbers(options) {
        ""
    } else {
        range.as_str()
    };
    say(&format!(
        "please type {range}the text of one of the options"
    ));
}

/// Asks for a line; `None` if the input ends.
pub fn line(prompt: &str) -> Result<Option<String>, Stop> {
    say(prompt);
    read_line()
}

/// A question with what was answered. A prompt that ends with a blank needs no other.
pub fn with_answer(prompt: &str, answer: &str) -> String {
    let gap = if prompt.is_empty() || prompt.ends_with(char::is_whitespace) {
        ""
    } else {
        " "
    };
    format!("{prompt}{gap}{answer}")
}

/// Whether some options are numbers themselves. A typed number then means such an option, never its position: a number
/// that is no longer offered must not pick another option.
pub fn looks_like_numbers(options: &[String]) -> bool {
    let is_number = |option: &String| {
        let text = option.trim();
        text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
            && text.parse::<f64>().is_ok()
    };
    options.iter().any(is_number)
}

/// The option that a line means.
pub fn picked(line: &str, options: &[String]) -> Option<usize> {
    let exact = options.iter().position(|option| option == line);
    let trimmed = || {
        options
            .iter()
            .position(|option| option.trim() == line.trim())
    };
    let place = || {
        let number = line
            .trim()
            .parse()
            .ok()
            .filter(|number: &usize| (1..=options.len()).contains(number));
        number
            .filter(|_| !looks_like_numbers(options))
            .map(|number| number - 1)
    };
    exact.or_else(trimmed).or_else(place)
}

/// The longest line that is read, in bytes. A pipe may never end a line.
const LONGEST_LINE: usize = 4 << 20;

/// The next line of standard input; `None` at its end.
pub fn read_line() -> Result<Option<String>, Stop> {
    let mut bytes = Vec::new();
    let room = LONGEST_LINE as u64 + 3;
    let count = while_waiting(|| io::stdin().lock().take(room).read_until(b'\n', &mut bytes));
    if count.map_err(|why| Stop::error(format!("cannot read standard input: {why}")))? == 0 {
        return Ok(None);
    }
    let end = if bytes.ends_with(b"\r\n") {
        2
    } else {
        usize::from(bytes.ends_with(b"\n"))
    };
    if bytes.len() - end > LONGEST_LINE {
        return Err(Stop::error(format!(
            "a line of the input is longer than {} MB; a program reads a long text with `NAME=@FILE` and `param`",
            LONGEST_LINE >> 20
        )));
    }
    let mut line =
        String::from_utf8(bytes).map_err(|_| Stop::error("the answer is not UTF-8 text"))?;
    if line.ends_with('\n') {
        line.pop();
        if line.ends_with('\r') {
            line.pop();
        }
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_before_numbers() {
        let options = ["pear", " 2 pears", "apple"].map(String::from);
        assert_eq!(
            ["2", "apple", " apple ", "1", "3", "4", "", "app"].map(|line| picked(line, &options)),
            [
                Some(1),
                Some(2),
                Some(2),
                Some(0),
                Some(2),
                None,
                None,
                None
            ]
        );
    }

    #[test]
    fn a_number_is_no_place_where_options_are_numbers() {
        let guesses: Vec<String> = (51..=100).map(|n: i32| n.to_string()).collect();
        assert_eq!(
            ["51", "7", "50", "100"].map(|line| picked(line, &guesses)),
            [Some(0), None, None, Some(49)]
        );
        let mixed = ["3", "2", "apple"].map(String::from);
        assert_eq!(
            ["2", "1", "3", "apple"].map(|line| picked(line, &mixed)),
            [Some(1), None, Some(0), Some(2)]
        );
        for (option, is_number) in [
            ("10", true),
            ("-1", true),
            ("+5", true),
            ("2.5", true),
            ("3 pears", false),
            ("nan", false),
            ("-", false),
        ] {
            assert_eq!(
                looks_like_numbers(&["a".to_string(), option.to_string()]),
                is_number,
                "{option}"
            );
        }
    }
}
