//! What if a place of a board had fewer candidates: a timeline that starts from there.

use std::fmt::{self, Display, Formatter};

use super::place::{Key, Place, variable};
use crate::When;
use crate::recording::approach::Beyond;
use crate::recording::line::Timeline;
use ndscript::{CallOutcome, Data, Kind, Run, View};

/// Functions of constraints may take at most this many steps.
const STEPS: u64 = 1 << 24;

/// Why a place cannot be narrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotNarrow {
    /// The moment was not recorded.
    Beyond(Beyond),
    /// The run goes nowhere from there: it stands at a solution, or at its end.
    NothingFollows,
    /// There is no such place at the moment.
    NoPlace(Place),
    /// It is a variable, or a part of something that is no board.
    NotOfBoard(Place),
    /// Only this value is left.
    Decided(Place, String),
    /// These are no candidates of it; those that are.
    NoCandidates {
        /// The place.
        place: Place,
        /// The values that were to be left.
        wanted: String,
        /// The values that it has.
        held: String,
    },
    /// Some place then has no candidate left, and why.
    Fails(Place, String),
}

impl Display for CannotNarrow {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            CannotNarrow::Beyond(beyond) => beyond.fmt(f),
            CannotNarrow::NothingFollows => {
                f.write_str("nothing comes behind this moment on its way: step back, and narrow the place there")
            }
            CannotNarrow::NoPlace(place) => write!(f, "there is no place `{place}` here"),
            CannotNarrow::NotOfBoard(place) => write!(
                f,
                "`{place}` is no place of a board with candidates, and nothing else can be narrowed: take another \
                 alternative of a choice instead, such as `take 1`"
            ),
            CannotNarrow::Decided(place, value) => write!(
                f,
                "`{place}` is decided: it is {value}. Step back to where it has more candidates"
            ),
            CannotNarrow::NoCandidates {
                place,
                wanted,
                held,
            } => write!(
                f,
                "{wanted} is no candidate of `{place}`, which can only lose some of {held}"
            ),
            CannotNarrow::Fails(place, why) => {
                write!(f, "narrowing `{place}` so leads nowhere: {why}")
            }
        }
    }
}

impl std::error::Error for CannotNarrow {}

impl From<Beyond> for CannotNarrow {
    fn from(beyond: Beyond) -> CannotNarrow {
        CannotNarrow::Beyond(beyond)
    }
}

impl Timeline {
    /// Another timeline, which begins at a moment of this one with a place of a board narrowed to some values, a set or
    /// one value. The variable is one of a call, counted from the innermost one, or a global one. Going back to an
    /// earlier choice undoes it, like a guess.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::{Recorded, Timeline};
    /// let program = Engine::new().compile(
    ///     "let board = allDifferent([setOf(1, 2), setOf(1, 2)]);\nlet n = choose(1, 2);\nprint(board);",
    /// )?;
    /// let mut timeline = Timeline::new(program.run(1));
    /// timeline.record(1000);
    /// let made = timeline.previous(timeline.end(), &"board".parse().map(ndscript_timeline::Sought::Write)?);
    /// let mut other = timeline.with_narrowed(made.unwrap().when, None, &"board[0]".parse()?, &2.into())?;
    /// assert!(matches!(other.record(1000), Recorded::Solved(solution) if solution.text == "[{2}, {1}]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the moment was not recorded, there is nothing to narrow, or nothing would be left.
    pub fn with_narrowed(
        &mut self,
        when: When,
        call: Option<usize>,
        place: &Place,
        values: &Data,
    ) -> Result<Timeline, CannotNarrow> {
        let is_at_solution = self.solutions().iter().any(|(known, _)| *known == when);
        if is_at_solution || self.has_ended() && when >= self.end() {
            return Err(CannotNarrow::NothingFollows);
        }
        let mut run = self.run_at(when)?.clone();
        narrow(&mut run, call, place, values)?;
        Ok(self.continued_by(run, when))
    }
}

/// Narrows a place of a board in a run, or says why that is not possible.
fn narrow(
    run: &mut Run,
    call: Option<usize>,
    place: &Place,
    values: &Data,
) -> Result<(), CannotNarrow> {
    let no_place = || CannotNarrow::NoPlace(place.clone());
    let root = variable(run, call, &place.variable).ok_or_else(no_place)?;
    let (board, key) = match place.path.split_last() {
        Some((key, path)) => {
            let mut path = path.iter();
            let board = path.try_fold(root, |value, key| key.of_collection(value));
            (board.ok_or_else(no_place)?, key)
        }
        None => return Err(CannotNarrow::NotOfBoard(place.clone())),
    };
    let content = key.of_collection(board).ok_or_else(no_place)?;
    let is_board = matches!(board.kind(), Kind::Array | Kind::Grid | Kind::Object);
    if content.kind() != Kind::Set || !is_board {
        return Err(match is_board && board.is_constrained() {
            true => CannotNarrow::Decided(place.clone(), content.to_string()),
            false => CannotNarrow::NotOfBoard(place.clone()),
        });
    }
    if content.len() == 1 {
        let only = content.elements().next();
        let only = only.map_or_else(String::new, |only| only.to_string());
        return Err(CannotNarrow::Decided(place.clone(), only));
    }
    let left = match values {
        Data::Set(wanted) => wanted.iter().any(|value| content.contains(value.clone())),
        value => content.contains(value.clone()),
    };
    if !left {
        return Err(CannotNarrow::NoCandidates {
            place: place.clone(),
            wanted: values.to_string(),
            held: content.beginning(200),
        });
    }
    let key = key_in(board, key);
    let board = board.hold();
    let fails = |why: &str| CannotNarrow::Fails(place.clone(), why.to_string());
    let one = match values {
        Data::Set(_) => values.clone(),
        one => Data::Set(std::iter::once(one.clone()).collect()),
    };
    let outcome = match run.narrow(&board, key, &one) {
        Ok(mut narrowing) => narrowing.resume(STEPS),
        Err(error) => return Err(fails(&error.to_string())),
    };
    match outcome {
        CallOutcome::Returned(_) => {}
        CallOutcome::Failed => {
            return Err(fails("the constraints leave no candidate of some place"));
        }
        CallOutcome::Error(error) => return Err(fails(&error.diagnostic.message)),
        CallOutcome::Limit(limit) => return Err(fails(&limit.to_string())),
        CallOutcome::OutOfFuel => return Err(fails("it takes too long")),
        CallOutcome::Asked(_) | CallOutcome::Waiting(_) => {
            return Err(fails("a function of a constraint asks, and nobody answers"));
        }
    }
    Ok(())
}

/// A key as the program has it for a collection.
fn key_in(board: View<'_>, key: &Key) -> Data {
    match key {
        Key::Field(name) => Data::from(name.as_str()),
        Key::Index(index) if board.kind() == Kind::Object => Data::from(index.to_string()),
        Key::Index(index) => Data::Integer(*index),
        Key::Cell(x, y) => Data::Position(*x, *y),
    }
}
