//! Transcripts: the answers of a game, a line each.
//!
//! A line is the answer to the next question: for `ask` the text of the option or its number from 1, where a text
//! counts before a number; for `input` the line itself. Lines that begin with `:` say something else:
//! `:seed N` (the first line only) is the seed of the game, and lines `:param NAME=VALUE` at the beginning are its
//! parameters, with texts in quotes or bare; `:pick N` picks the option number N whatever the texts
//! are; `:back` goes back to the question before, `:go N` to moment N, the first being 1; `::text` is the answer
//! `:text`.

use std::path::{Path, PathBuf};

use ndscript::{Param, Question};

use super::answer::{Answer, Move};
use crate::arguments::params;
use crate::exit::Stop;
use crate::files::read_regular_text;
use crate::files::save::save;
use crate::terminal::ask::picked;

/// A line of a transcript, or one that a person typed.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Move(Move),
    /// Show the moments.
    Moments,
    /// Say what can be typed.
    Help,
}

/// Parses a line; `len` is the number of answered questions. An error tells in words what is wrong with it.
pub fn read_line(line: &str, question: &Question, len: usize) -> Result<Line, String> {
    if let Some(command) = line.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
        return read_command(command, Some(question), len);
    }
    let text = if line.starts_with("::") {
        &line[1..]
    } else {
        line
    };
    let Some(options) = &question.options else {
        return Ok(Line::Move(Move::Answer(Answer::Line(text.to_string()))));
    };
    match picked(text, options) {
        Some(index) => Ok(picking(index, options)),
        None => Err(format!(
            "{text:?} is none of the options of {:?}: {}",
            question.prompt,
            listed(options)
        )),
    }
}

/// Reads what follows a colon; without a question only what moves between moments.
pub fn read_command(
    command: &str,
    question: Option<&Question>,
    len: usize,
) -> Result<Line, String> {
    let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
    let number = rest
        .trim()
        .parse::<usize>()
        .ok()
        .filter(|number| *number > 0);
    match (word.trim(), number) {
        ("back", None) if rest.trim().is_empty() => match len.checked_sub(1) {
            Some(moment) => Ok(Line::Move(Move::GoTo(moment))),
            None => Err("this is the first moment, there is none to go back to".to_string()),
        },
        ("go", Some(number)) if number <= len => Ok(Line::Move(Move::GoTo(number - 1))),
        ("go", _) => Err(match len {
            0 => "this is the first moment, there is none to go to".to_string(),
            _ => format!("`:go` wants the number of an earlier moment, from 1 to {len}"),
        }),
        ("pick", _) => pick(number, question),
        ("quit", None) => Ok(Line::Move(Move::Quit)),
        ("moments", None) => Ok(Line::Moments),
        ("help", None) => Ok(Line::Help),
        _ => Err(format!(
            "`:{command}` is not a command: there are :back, :go N, :moments, :pick N, :quit and :help; an answer that \
             begins with a colon is written with two"
        )),
    }
}

fn pick(number: Option<usize>, question: Option<&Question>) -> Result<Line, String> {
    let Some(options) = question.and_then(|question| question.options.as_ref()) else {
        return Err("`:pick` picks an option, but nothing offers options here".to_string());
    };
    match number.filter(|number| *number <= options.len()) {
        Some(number) => Ok(picking(number - 1, options)),
        None => Err(format!(
            "`:pick` wants the number of an option, from 1 to {}",
            options.len()
        )),
    }
}

fn picking(index: usize, options: &[String]) -> Line {
    Line::Move(Move::Answer(Answer::Option(index, options[index].clone())))
}

fn listed(options: &[String]) -> String {
    const MOST: usize = 12;
    let mut text = options
        .iter()
        .take(MOST)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if options.len() > MOST {
        text += &format!(", and {} more", options.len() - MOST);
    }
    text
}

/// The answers that are given before anybody is asked.
#[derive(Default)]
pub struct Transcript {
    path: PathBuf,
    /// The seed of the game, if the transcript has one.
    pub seed: Option<u64>,
    /// The parameters in the transcript.
    pub params: Vec<(String, Param)>,
    lines: Vec<String>,
    /// The number of used lines.
    used: usize,
}

impl Transcript {
    /// Reads a transcript, with the seed and the parameters at its beginning.
    pub fn read(path: &Path) -> Result<Transcript, Stop> {
        let text = read_regular_text(path)?;
        let mut transcript = Transcript {
            path: path.to_path_buf(),
            ..Transcript::default()
        };
        transcript.lines = text.lines().map(str::to_string).collect();
        if let Some(seed) = transcript
            .lines
            .first()
            .and_then(|line| line.strip_prefix(":seed"))
        {
            let seed = seed
                .trim()
                .parse()
                .map_err(|_| transcript.wrong(1, "`:seed` wants a whole number from 0"))?;
            transcript.seed = Some(seed);
            transcript.used = 1;
        }
        while let Some(line) = transcript
            .lines
            .get(transcript.used)
            .and_then(|line| line.strip_prefix(":param"))
        {
            let param = params::read_written(line.trim_start()).ok_or_else(|| {
                transcript.wrong(
                    transcript.used + 1,
                    "`:param` wants NAME=VALUE, such as width=6 or name=\"Ada\"",
                )
            })?;
            transcript.params.push(param);
            transcript.used += 1;
        }
        Ok(transcript)
    }

    pub fn is_over(&self) -> bool {
        self.used >= self.lines.len()
    }

    fn wrong(&self, line: usize, what: &str) -> Stop {
        Stop::error(format!("\"{}\", line {line}: {what}", self.path.display()))
    }

    /// The answer to a question, `None` if there are no more.
    pub fn next(&mut self, question: &Question, len: usize) -> Result<Option<Move>, Stop> {
        if self.is_over() {
            return Ok(None);
        }
        self.used += 1;
        let read = read_line(&self.lines[self.used - 1], question, len);
        self.only_moves(read)
    }

    /// The move at the end of the game; unused answers are an error, because they were meant for something.
    pub fn after_the_end(&mut self, len: usize) -> Result<Option<Move>, Stop> {
        while self
            .lines
            .get(self.used)
            .is_some_and(|line| line.trim().is_empty())
        {
            self.used += 1;
        }
        if self.is_over() {
            return Ok(None);
        }
        self.used += 1;
        let line = &self.lines[self.used - 1];
        let read = match line.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
            Some(command) => read_command(command, None, len),
            None => Err(format!(
                "the program has ended, but there is one more answer: {line:?}"
            )),
        };
        self.only_moves(read)
    }

    fn only_moves(&self, read: Result<Line, String>) -> Result<Option<Move>, Stop> {
        match read {
            Ok(Line::Move(next)) => Ok(Some(next)),
            Ok(Line::Moments | Line::Help) => {
                Err(self.wrong(self.used, "this command is for a person who types it"))
            }
            Err(what) => Err(self.wrong(self.used, &what)),
        }
    }
}

/// Writes the answers of a game to a file.
pub struct Recorder<'a> {
    path: &'a Path,
    /// The lines that come before the answers.
    head: String,
}

impl Recorder<'_> {
    pub fn new<'p>(path: &'p Path, seed: u64, params: &[(String, Param)]) -> Recorder<'p> {
        let mut head = format!(":seed {seed}\n");
        params
            .iter()
            .for_each(|param| head += &format!(":param {}\n", params::written(param)));
        Recorder { path, head }
    }

    pub fn write<'b>(&self, answers: impl Iterator<Item = &'b str>) -> Result<(), Stop> {
        let mut text = self.head.clone();
        for answer in answers {
            text += answer;
            text.push('\n');
        }
        save(self.path, text.as_bytes())
    }
}

/// The line that reads as this answer to this question.
pub fn written(question: &Question, answer: &Answer) -> String {
    let (Answer::Option(_, text) | Answer::Line(text)) = answer;
    let line = if text.starts_with(':') {
        format!(":{text}")
    } else {
        text.clone()
    };
    match answer {
        Answer::Line(_) => line,
        // Some texts cannot be typed as they are: those of several lines, and the second of two that are equal.
        Answer::Option(index, _) => {
            let reads =
                read_line(&line, question, 0) == Ok(Line::Move(Move::Answer(answer.clone())));
            if reads && !line.contains(['\n', '\r']) {
                line
            } else {
                format!(":pick {}", index + 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: Option<&[&str]>) -> Question {
        let options =
            options.map(|options| options.iter().map(|option| option.to_string()).collect());
        Question {
            prompt: "Which?".to_string(),
            options,
            text: String::new(),
            pictures: Vec::new(),
        }
    }

    #[test]
    fn what_is_written_reads_as_the_same_answer() {
        let texts = [
            "a",
            " a ",
            "",
            "2",
            "1",
            ":back",
            "::",
            "two\nlines",
            "ä b",
            "a",
            "two",
        ];
        let reads = |question: &Question, answer: Answer| {
            let line = written(question, &answer);
            assert!(!line.contains('\n'));
            assert_eq!(
                read_line(&line, question, 0),
                Ok(Line::Move(Move::Answer(answer))),
                "{line:?}"
            );
        };
        for (index, text) in texts.iter().enumerate() {
            reads(
                &question(Some(&texts)),
                Answer::Option(index, text.to_string()),
            );
        }
        for text in ["", " a ", ":", "::x", ":back", "1"] {
            reads(&question(None), Answer::Line(text.to_string()));
        }
    }

    #[test]
    fn commands_know_where_they_are() {
        let asked = question(Some(&["a", "b"]));
        let read = |line, len| read_line(line, &asked, len);
        assert_eq!(read(":back", 3), Ok(Line::Move(Move::GoTo(2))));
        assert_eq!(read(":go 3", 3), Ok(Line::Move(Move::GoTo(2))));
        assert_eq!(
            read(":pick 2", 0),
            Ok(Line::Move(Move::Answer(Answer::Option(1, "b".to_string()))))
        );
        assert_eq!(
            (read(":quit", 0), read(":moments", 0)),
            (Ok(Line::Move(Move::Quit)), Ok(Line::Moments))
        );
        for (line, len) in [
            (":back", 0),
            (":go 4", 3),
            (":go", 3),
            (":go 0", 3),
            (":go 1", 0),
            (":pick 3", 0),
            (":bak", 2),
            ("c", 0),
        ] {
            assert!(read(line, len).is_err(), "{line}");
        }
        assert!(read_line(":pick 1", &question(None), 0).is_err());
    }
}
