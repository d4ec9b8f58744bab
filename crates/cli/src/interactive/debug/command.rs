//! The commands of the debugger.

use ndscript_timeline::{Place, When};

/// The goal of a moving command.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// The next line, into calls.
    Step,
    /// The next line, over calls.
    Over,
    /// Out of the call.
    Out,
    Failure,
    Choice,
    Solution,
    Print,
    /// A line by its number, in the file that runs or another one.
    Line(Option<String>, usize),
    /// A write to a place, or one by which it lost a candidate.
    Change(Place),
    Loss(Place),
    /// The call of a function.
    Call,
}

impl Goal {
    /// The message if there is no such goal before a moment.
    pub fn none_before(&self) -> String {
        let what = match self {
            Goal::Step | Goal::Over => "there is no line",
            Goal::Out => "there is nothing outside of the call",
            Goal::Failure => "there is no failure",
            Goal::Choice => "there is no choice",
            Goal::Solution => "there is no solution",
            Goal::Print => "nothing was printed",
            Goal::Call => "no function was called",
            Goal::Line(_, number) => {
                return format!("line {number} has not run before this moment");
            }
            Goal::Change(place) => {
                return format!("nothing was written to {place} before this moment");
            }
            Goal::Loss(place) => {
                return format!("nothing was taken away from {place} before this moment");
            }
        };
        format!("{what} before this moment")
    }
}

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Move { goal: Goal, back: bool, times: u64 },
    Go(When),
    Start,
    End,
    More,
    Variables,
    Show(Place),
    Map(Option<String>),
    Choices,
    Calls,
    Source,
    Text,
    Take { alternative: usize, choice: usize },
    Untake,
    Answer(String),
    Why(Place),
    Where,
    Help,
    Quit,
}

/// The words that commands begin with, but for short forms.
pub const WORDS: [&str; 31] = [
    "answer", "back", "call", "calls", "change", "choice", "choices", "end", "fail", "go", "help",
    "line", "list", "loss", "map", "more", "out", "over", "print", "quit", "show", "solution",
    "start", "step", "take", "text", "untake", "vars", "where", "why", "next",
];

pub const HELP: &str = "\
Moving. A number after a command says how often. With `back` before it, each goes backwards: `back over`, `back fail`.
  step, s           the next line, into calls                 back, b        the line before
  over, n           the next line, over calls
  out, o            until the call returns
  fail, f           the next failure: what it will undo is there still
  choice, c         the next choice
  change PLACE      the next write to a place: `change g[3,4]`, `change count`
  loss PLACE        the next write by which a place loses a candidate
  line N            line N, `line FILE:N`
  call              the next call of a function
  print, solution   the next text that is printed, the next solution
  go STEP, start, end, more                                   to a moment; past a solution
Looking
  vars, v           the variables                             show PLACE     what a place holds
  map, m [NAME]     a grid with its candidates                choices        the open choices, the latest first
  calls             the calls that led here                   list, l        the source around
  text              what was printed so far                   where, w       where it stands
  why PLACE         the writes that led to what it holds, and the guesses behind them
Trying
  take N [of M]     go back to the latest choice, or the M-th latest, and take alternative N of those it has left
  untake            return to the way that was left
  answer TEXT       answer what the program asks
  help, quit        An empty line does the latest move once more.";

/// Parses a line.
///
/// # Errors
/// The mistake in words.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line
        .split_once(char::is_whitespace)
        .map_or((line, ""), |(word, rest)| (word, rest.trim()));
    Ok(match word {
        "back" | "b" | "reverse" => {
            let (goal, times) = if rest.is_empty() || rest.parse::<u64>().is_ok() {
                (Goal::Step, times(rest)?)
            } else {
                goal(rest)?.ok_or_else(|| {
                    format!("`{rest}` is no way back: `back step`, `back over`, `back fail`, ...")
                })?
            };
            Command::Move {
                goal,
                back: true,
                times,
            }
        }
        "go" => match rest {
            "start" => Command::Start,
            "end" => Command::End,
            _ => Command::Go(rest.parse()?),
        },
        "start" => Command::Start,
        "end" => Command::End,
        "more" => Command::More,
        "vars" | "variables" | "v" => Command::Variables,
        "show" | "p" => Command::Show(rest.parse()?),
        "map" | "m" => Command::Map((!rest.is_empty()).then(|| rest.to_string())),
        "choices" => Command::Choices,
        "calls" | "backtrace" | "bt" => Command::Calls,
        "list" | "source" | "l" => Command::Source,
        "text" => Command::Text,
        "take" | "t" => {
            let (alternative, choice) = rest.split_once("of").unwrap_or((rest, "1"));
            let number = |text: &str| {
                text.trim()
                    .parse::<usize>()
                    .ok()
                    .filter(|number| *number > 0)
            };
            match (number(alternative), number(choice)) {
                (Some(alternative), Some(choice)) => Command::Take {
                    alternative: alternative - 1,
                    choice: choice - 1,
                },
                _ => {
                    return Err(
                        "write which alternative: `take 2`, or `take 2 of 3` for the third latest choice".to_string()
                    );
                }
            }
        }
        "untake" => Command::Untake,
        "answer" | "a" => Command::Answer(rest.to_string()),
        "why" => Command::Why(rest.parse()?),
        "where" | "w" => Command::Where,
        "help" | "h" | "?" => Command::Help,
        "quit" | "q" | "exit" => Command::Quit,
        _ => match goal(line)? {
            Some((goal, times)) => Command::Move {
                goal,
                back: false,
                times,
            },
            None => return Err(format!("there is no command `{word}`; `help` lists them")),
        },
    })
}

fn times(text: &str) -> Result<u64, String> {
    match text {
        "" => Ok(1),
        _ => text
            .parse()
            .ok()
            .filter(|times| *times > 0)
            .ok_or_else(|| format!("`{text}` is no number of times")),
    }
}

/// Reads the goal of a move, and how many times to move. `None` if the line is no move.
fn goal(line: &str) -> Result<Option<(Goal, u64)>, String> {
    let (word, rest) = line
        .split_once(char::is_whitespace)
        .map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let plain = |goal| Ok(Some((goal, times(rest)?)));
    match word {
        "step" | "s" => plain(Goal::Step),
        "over" | "next" | "n" => plain(Goal::Over),
        "out" | "finish" | "o" => plain(Goal::Out),
        "fail" | "failure" | "f" => plain(Goal::Failure),
        "choice" | "c" => plain(Goal::Choice),
        "solution" => plain(Goal::Solution),
        "print" => plain(Goal::Print),
        "call" => plain(Goal::Call),
        "change" => Ok(Some((Goal::Change(rest.parse()?), 1))),
        "loss" => Ok(Some((Goal::Loss(rest.parse()?), 1))),
        "line" => {
            let (file, number) = rest
                .rsplit_once(':')
                .map_or((None, rest), |(file, number)| (Some(file), number));
            let number = number
                .trim()
                .parse()
                .map_err(|_| "write which line: `line 12`, `line tools.nds:12`".to_string())?;
            Ok(Some((Goal::Line(file.map(str::to_string), number), 1)))
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_mistakes_explained() {
        let moved = |goal, back, times| Ok(Command::Move { goal, back, times });
        assert_eq!(parse("s"), moved(Goal::Step, false, 1));
        assert_eq!(parse(" over 3 "), moved(Goal::Over, false, 3));
        assert_eq!(parse("back"), moved(Goal::Step, true, 1));
        assert_eq!(parse("b 2"), moved(Goal::Step, true, 2));
        assert_eq!(parse("back fail"), moved(Goal::Failure, true, 1));
        assert_eq!(
            parse("back line a.nds:4"),
            moved(Goal::Line(Some("a.nds".to_string()), 4), true, 1)
        );
        assert_eq!(
            parse("take 2 of 3"),
            Ok(Command::Take {
                alternative: 1,
                choice: 2
            })
        );
        assert_eq!(
            parse("go 12.3"),
            Ok(Command::Go(When {
                step: 12,
                inside: 3
            }))
        );
        for wrong in [
            "",
            "jump",
            "back up",
            "step -1",
            "take",
            "take 0",
            "go soon",
            "line x",
            "change 3 + 4",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
