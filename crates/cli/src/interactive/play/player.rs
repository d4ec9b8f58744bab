//! The player: with keys on a terminal, else with lines.

use std::cell::Cell;

use ndscript::Question;

use super::answer::{Answer, Move};
use super::click::{Click, Target};
use super::journey::Journey;
use super::menu::{self, GoBack, Key, Menu, OnClick};
use super::transcript::{Line, read_command, read_line};
use crate::exit::{Exit, Stop};
use crate::terminal::ask::{self, with_answer};
use crate::terminal::say;

/// Where the answers come from.
pub struct Player {
    on_terminal: bool,
    /// The rows that questions have left on the screen.
    rows: Cell<u32>,
}

impl Player {
    pub fn new(on_terminal: bool) -> Player {
        Player {
            on_terminal,
            rows: Cell::new(0),
        }
    }

    /// The number of rows that questions have left on the screen since the last call.
    pub fn take_rows(&self) -> u32 {
        self.rows.take()
    }

    /// Counts the rows that an answered question leaves on the screen.
    fn count_rows_left(&self, prompt: &str, answer: &str) {
        self.rows
            .set(self.rows.get() + menu::rows_left(prompt, answer));
    }

    /// Shows an answer that a transcript gives.
    pub fn echo(&self, question: &Question, next: &Move) {
        match next {
            Move::Answer(answer) => say(&with_answer(&question.prompt, answer.text())),
            Move::GoTo(_) | Move::Quit => {}
        }
    }

    /// The player's move at a question; the target is the latest picture.
    pub fn ask(
        &self,
        question: &Question,
        journey: &Journey,
        target: Option<&Target>,
    ) -> Result<Move, Stop> {
        if self.on_terminal {
            return self.ask_with_keys(question, journey, target);
        }
        match &question.options {
            Some(options) => ask::list(&question.prompt, options),
            None => say(&question.prompt),
        }
        loop {
            let Some(line) = ask::read_line()? else {
                return Err(Stop::error(format!(
                    "the input ended before {:?} was answered",
                    question.prompt
                )));
            };
            match read_line(&line, question, journey.len()) {
                Ok(Line::Move(next)) => return Ok(next),
                Ok(Line::Moments) => list_moments(journey),
                Ok(Line::Help) => say(HELP),
                Err(what) if line.starts_with(':') => say(&what),
                Err(_) => ask::explain(question.options.as_deref().unwrap_or_default()),
            }
        }
    }

    /// The player's move when the game is over; `None` to leave.
    pub fn at_end(&self, exit: Exit, journey: &Journey) -> Result<Option<Move>, Stop> {
        // Without any question there is nothing to go back to.
        if journey.len() == 0 {
            return Ok(None);
        }
        if self.on_terminal {
            return self.at_end_with_keys(exit, journey);
        }
        while let Some(line) = ask::read_line()? {
            match line
                .strip_prefix(':')
                .map(|command| read_command(command, None, journey.len()))
            {
                Some(Ok(Line::Move(Move::GoTo(moment)))) => return Ok(Some(Move::GoTo(moment))),
                Some(Ok(Line::Moments)) => list_moments(journey),
                Some(Ok(Line::Help)) => say(HELP),
                Some(Ok(Line::Move(_))) => return Ok(None),
                Some(Err(what)) => say(&what),
                None if line.trim().is_empty() => return Ok(None),
                None => say("the program has ended; `:back` goes back, an empty line leaves"),
            }
        }
        Ok(None)
    }

    /// Asks a question with a menu, by keys and clicks.
    fn ask_with_keys(
        &self,
        question: &Question,
        journey: &Journey,
        target: Option<&Target>,
    ) -> Result<Move, Stop> {
        let can_go_back = journey.len() > 0;
        let back = GoBack::if_possible(can_go_back);
        let earlier = journey.earlier_answer();
        let target = target.filter(|_| journey.hears_clicks());
        let mut meant = |click| match target {
            Some(target) => meaning(click, target, question, journey),
            None => Ok(None),
        };
        loop {
            let on_click: Option<&mut OnClick<'_>> = if target.is_some() {
                Some(&mut meant)
            } else {
                None
            };
            let key = match (&question.options, earlier) {
                (Some(options), Some(Answer::Option(index, _))) => {
                    Menu::new(&question.prompt, options, *index, back).pick(on_click)?
                }
                (Some(options), _) => {
                    Menu::new(&question.prompt, options, 0, back).pick(on_click)?
                }
                (None, Some(Answer::Line(line))) => {
                    menu::line(&question.prompt, line, can_go_back, on_click)?
                }
                (None, _) => menu::line(&question.prompt, "", can_go_back, on_click)?,
            };
            return Ok(match key {
                Key::Option(index) => {
                    let text = question
                        .options
                        .as_ref()
                        .and_then(|options| options.get(index))
                        .cloned();
                    self.answered(question, Answer::Option(index, text.unwrap_or_default()))
                }
                Key::Line(line) => self.answered(question, Answer::Line(line)),
                Key::Back if can_go_back => Move::GoTo(journey.len() - 1),
                Key::Moments if can_go_back => match self.pick_moment(journey)? {
                    Some(next) => next,
                    None => continue,
                },
                Key::Back | Key::Moments => continue,
                Key::Quit => Move::Quit,
            });
        }
    }

    fn answered(&self, question: &Question, answer: Answer) -> Move {
        self.count_rows_left(&question.prompt, answer.text());
        Move::Answer(answer)
    }

    /// A moment to go back to, oldest first, with the latest preselected; `None` to stay.
    fn pick_moment(&self, journey: &Journey) -> Result<Option<Move>, Stop> {
        let moments = journey.list();
        let latest = moments.len() - 1;
        let prompt = "Back to which moment?";
        Ok(
            match Menu::new(prompt, &moments, latest, GoBack::Offered)
                .unnumbered()
                .pick(None)?
            {
                Key::Option(moment) => {
                    self.count_rows_left(prompt, moments.get(moment).map_or("", String::as_str));
                    Some(Move::GoTo(moment))
                }
                Key::Quit => Some(Move::Quit),
                _ => None,
            },
        )
    }

    /// Asks with a menu whether to leave or to go back; `None` to leave.
    fn at_end_with_keys(&self, exit: Exit, journey: &Journey) -> Result<Option<Move>, Stop> {
        let options = ["leave", "go back"].map(str::to_string);
        let prompt = if exit == Exit::Success {
            "The end."
        } else {
            "It cannot go on from here."
        };
        loop {
            let moment = match Menu::new(prompt, &options, 0, GoBack::Offered).pick(None)? {
                Key::Option(0) | Key::Quit | Key::Line(_) => return Ok(None),
                Key::Back => return Ok(Some(Move::GoTo(journey.len() - 1))),
                picked @ (Key::Option(_) | Key::Moments) => {
                    if picked != Key::Moments {
                        self.count_rows_left(prompt, &options[1]);
                    }
                    self.pick_moment(journey)?
                }
            };
            match moment {
                Some(Move::Quit) => return Ok(None),
                Some(next) => return Ok(Some(next)),
                None => {}
            }
        }
    }
}

/// The program's meaning of a click.
fn meaning(
    click: Click,
    target: &Target,
    question: &Question,
    journey: &Journey,
) -> Result<Option<Key>, Stop> {
    let Some(cell) = target.cell(click) else {
        return Ok(None);
    };
    let answer = journey.clicked(cell, click.button_name());
    let answer = answer.map_err(|why| {
        let (x, y) = cell;
        Stop::error(format!(
            "clicked(({x},{y}), \"{}\") did not say what the click stands for: {why}",
            click.button_name()
        ))
    })?;
    Ok(answer.and_then(|text| match &question.options {
        Some(options) => options
            .iter()
            .position(|option| *option == text)
            .map(Key::Option),
        None => Some(Key::Line(text)),
    }))
}

fn list_moments(journey: &Journey) {
    if journey.len() == 0 {
        say("this is the first moment");
    }
    journey.list().iter().for_each(|line| say(line));
}

const HELP: &str = "\
type the number or the text of an option, or a line where a line is wanted
:back     go back to the question before      :moments  list what was answered so far
:go N     go back to moment N of that list    :pick N   pick option N, whatever the texts are
:quit     leave                               ::TEXT    the answer :TEXT";
