//! `ndscript hint`: what is forced next in a puzzle, and the fewest reasons for it that are found.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use ndscript::{CallOutcome, Data, ErrorKind, Kind, LimitReached, Run, ScriptError, Value, View};
use ndscript_render::board::{BoardLayout, BoardPainter, Mark};
use serde_json::json;

use crate::arguments::limits;
use crate::arguments::search_options::HintOptions;
use crate::exit::{Exit, Stop};
use crate::files::save::save;
use crate::runs::account::{Account, stopped};
use crate::runs::clock::Clock;
use crate::runs::solved::{Solved, solved};
use crate::runs::watched::Watched;
use crate::terminal::stdout;
use crate::terminal::{self, say};

/// The function that a puzzle is asked for with.
const ENTRY: &str = "hintPuzzle";

/// The most steps of a question whether there is a filling; a question that takes more has no answer.
const MOST_STEPS: u64 = 2_000_000;

/// The number of reasons that are tried first, and of forced places whose reasons are compared.
const REASONS_TRIED: usize = 12;
const PLACES_COMPARED: usize = 3;

/// The most cells of a board for hints: each open one is a question.
const MOST_CELLS: usize = 1 << 16;

/// At most this many characters of a value are shown.
const MOST_CHARACTERS: usize = 200;

/// The most characters of a value in a cell that `solve` fills, so that values can be compared.
const LONGEST_VALUE: usize = 100_000;

type PlaceName = (i64, i64);

/// A reason: a clue, or a rule.
struct Reason {
    text: String,
    places: Vec<PlaceName>,
}

/// A puzzle as a program describes it.
struct Puzzle {
    run: Run,
    solve: Value,
    name: Option<Value>,
    size: (usize, usize),
    /// The cells, row by row: their candidates, or `None` for an empty cell.
    cells: Vec<Option<Vec<String>>>,
    reasons: Vec<Reason>,
    /// The steps left.
    left: u64,
    /// Whether a question was given up.
    is_unsure: bool,
    account: Account,
    /// Whether messages are colored.
    color: bool,
}

/// A place whose value is forced.
struct ForcedPlace {
    place: PlaceName,
    value: String,
    reasons: Vec<usize>,
}

/// Reports what is forced next. JSON output also tells why nothing was found, whatever the reason.
pub fn hint(options: &HintOptions) -> Result<Exit, Stop> {
    let found = look_for_hint(options);
    if options.json
        && let Err(stop) = &found
    {
        write_none(stop.message.lines().next().unwrap_or_default())?;
    }
    found
}

fn write_none(why: &str) -> Result<(), Stop> {
    stdout::write_json(&format!("{}\n", json!({"place": null, "why": why})))?;
    stdout::flush()
}

/// Runs the program, reads the puzzle that it describes, and looks for a forced place.
fn look_for_hint(options: &HintOptions) -> Result<Exit, Stop> {
    let Some(watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    let color = terminal::colors_messages(options.watched.run.color);
    let (tiles, max_pixels) = (watched.tiles().clone(), watched.max_pixels());
    let around = &options.watched.run.limits;
    let most = around.max_steps.unwrap_or(u64::MAX);
    let clock = Clock::new(watched.timeout());
    let (run, _) = watched.into_run();
    let asks = "the program asks a question: a program for hints only describes the puzzle";
    let run = match solved(run, around, color, asks)? {
        Solved::Yes(run) => *run,
        Solved::No(reason) => {
            if options.json {
                write_none(&reason.map_or_else(
                    || "no solution".to_string(),
                    |why| format!("no solution: {why}"),
                ))?;
            }
            return Ok(Exit::NoSolution);
        }
        Solved::Interrupted => return Ok(Exit::Interrupted),
    };
    let account = Account::new(clock, run.limits().memory);
    let mut puzzle = Puzzle::of(run, most, account, color)?;
    let all: Vec<usize> = (0..puzzle.reasons.len()).collect();
    let Some(filled) = puzzle.fill(&all, None)? else {
        return Err(Stop {
            message: "the puzzle has no solution".to_string(),
            exit: Exit::NoSolution,
        });
    };
    let forced = puzzle.forced(&all, &filled)?;
    let best = puzzle.easiest(&forced)?;
    let Some(best) = best else {
        let open = (0..filled.len())
            .filter(|at| puzzle.is_open(*at, &filled))
            .count();
        let why = match open {
            _ if puzzle.is_unsure => {
                "no place is known to be forced: a call of `solve` was given up after 2,000,000 steps"
            }
            0 => "nothing is open: every place is filled",
            1 => "nothing is forced: the open place can be filled in more than one way",
            _ => "nothing is forced: every open place can be filled in more than one way",
        };
        if options.json {
            write_none(why)?;
        } else {
            stdout::write_text(&format!("{why}\n"))?;
        }
        stdout::flush()?;
        return Ok(Exit::NoSolution);
    };
    if options.json {
        stdout::write_json(&format!("{}\n", puzzle.json(&best, forced.len())))?;
    } else {
        let words = puzzle.words(&best, forced.len())?;
        stdout::write_text(&words)?;
    }
    stdout::flush()?;
    if let Some(path) = &options.png {
        let (columns, rows) = puzzle.size;
        let layout = BoardLayout {
            size: (columns as u32, rows as u32),
            cell: options.tile_size,
            captions: Vec::new(),
            max_pixels,
        };
        let mut values: Vec<String> = puzzle.cells.iter().flatten().flatten().cloned().collect();
        values.push(best.value.clone());
        values.sort();
        values.dedup();
        let mut painter = BoardPainter::new(&values, &tiles, &layout)
            .map_err(|why| Stop::error(format!("cannot draw: {why}")))?;
        puzzle.draw(&mut painter, &values, &best);
        save(path, &painter.canvas().to_png())?;
        say(&format!("wrote {}", path.display()));
    }
    Ok(Exit::Success)
}

/// Shows an error of the script with its place; of a call that takes other arguments, how it is called.
fn error_of_call(run: &Run, error: &ScriptError, called: &str, color: bool) -> Stop {
    let mut diagnostic = error.diagnostic.clone();
    if error.kind == ErrorKind::Arity && diagnostic.span.is_none() && !called.is_empty() {
        let hint = format!(
            "`ndscript hint` calls `{called}`; examples/sudoku/hint.nds says what they are"
        );
        diagnostic = diagnostic.with_hint(hint);
    }
    terminal::show(&diagnostic, run.program().sources(), color);
    Stop::silent(Exit::Error)
}

fn wrong(what: &str) -> Stop {
    Stop::error(format!(
        "`{ENTRY}()` {what}\n\
         it returns {{board: a grid, reasons: [{{text: ..., places: [...]}}, ...], solve: (numbers, place, value) => a filled grid}}; \
         examples/sudoku/hint.nds is one"
    ))
}

impl Puzzle {
    /// Reads the puzzle that the program's function describes.
    fn of(mut run: Run, most: u64, mut account: Account, color: bool) -> Result<Puzzle, Stop> {
        if run.global(ENTRY).is_none() {
            return Err(Stop::error(format!(
                "the program has no function `{ENTRY}`, which describes a puzzle for hints; examples/sudoku/hint.nds has one"
            )));
        }
        let described = first(&mut run, ENTRY, Vec::<Data>::new(), most, color)?;
        let described = described.ok_or_else(|| wrong("has failed"))?;
        let view = run
            .view(&described)
            .map_err(|why| Stop::error(why.to_string()))?;
        let field = |name: &str| {
            view.field(name)
                .ok_or_else(|| wrong(&format!("has returned nothing with `{name}`")))
        };
        let board = field("board")?;
        if board.kind() != Kind::Grid {
            return Err(wrong("has returned a `board` that is no grid"));
        }
        if board.width() * board.height() > MOST_CELLS {
            return Err(wrong(&format!(
                "has returned a `board` of more than {MOST_CELLS} cells"
            )));
        }
        let mut cells = Vec::new();
        for cell in board.cells() {
            let texts = shown(cell, &mut account)?;
            cells.push(texts);
        }
        let size = (board.width(), board.height());
        let reason = |(number, reason): (usize, View<'_>)| {
            let cannot = |what: &str| {
                wrong(&format!(
                    "has returned `reasons` of which number {number} {what}"
                ))
            };
            let text = reason
                .field("text")
                .ok_or_else(|| cannot("has no `text`"))?;
            let listed = reason.field("places").into_iter().flat_map(View::elements);
            let mut places: Vec<PlaceName> = Vec::new();
            account.take(size_of::<Reason>() + 4 * MOST_CHARACTERS)?;
            for place in listed.filter_map(View::as_position) {
                account.take(size_of::<PlaceName>())?;
                places.push(place);
            }
            let is_undecided = |(x, y): &PlaceName| {
                (0..board.width() as i64).contains(x) && (0..board.height() as i64).contains(y)
            };
            match places.iter().find(|place| !is_undecided(place)) {
                Some((x, y)) => Err(cannot(&format!(
                    "is about ({x},{y}), which is no cell of the board"
                ))),
                None => Ok(Reason {
                    text: brief_view(text),
                    places,
                }),
            }
        };
        let reasons = field("reasons")?
            .elements()
            .enumerate()
            .map(reason)
            .collect::<Result<Vec<Reason>, Stop>>()?;
        let solve = field("solve")?;
        if solve.kind() != Kind::Function {
            return Err(wrong("has returned a `solve` that is not a function"));
        }
        let (solve, name) = (solve.hold(), view.field("name").map(View::hold));
        Ok(Puzzle {
            run,
            solve,
            name,
            size,
            cells,
            reasons,
            left: most,
            is_unsure: false,
            account,
            color,
        })
    }

    /// A filling of the board by these reasons, in which a place does not hold a value.
    fn fill(
        &mut self,
        reasons: &[usize],
        not: Option<(PlaceName, &Data)>,
    ) -> Result<Option<Vec<Data>>, Stop> {
        self.account.check()?;
        let numbers = Data::Array(
            reasons
                .iter()
                .map(|number| Data::from(*number as i64))
                .collect(),
        );
        let (place, value) = match not {
            Some(((x, y), value)) => (Data::Position(x, y), value.clone()),
            None => (Data::Null, Data::Null),
        };
        let before = self.run.statistics().steps;
        let mut call = self
            .run
            .call(&self.solve, vec![numbers, place, value])
            .map_err(|why| Stop::error(why.to_string()))?;
        let outcome = call.resume(MOST_STEPS.min(self.left));
        drop(call);
        self.left = self
            .left
            .saturating_sub(self.run.statistics().steps - before);
        match outcome {
            CallOutcome::Returned(grid) => {
                let view = self
                    .run
                    .view(&grid)
                    .map_err(|why| Stop::error(why.to_string()))?;
                if view.kind() != Kind::Grid || (view.width(), view.height()) != self.size {
                    return Err(wrong(
                        "has a `solve` that does not return a grid of the size of the board",
                    ));
                }
                // Values that cells share exist once.
                let too_large = |_| wrong("has a `solve` whose grid is too large");
                let Data::Grid(grid) = view.whole_data().map_err(too_large)? else {
                    return Ok(None);
                };
                let only = |cell: &Data| match cell {
                    Data::Set(values) => values.first().cloned().unwrap_or_default(),
                    other => other.clone(),
                };
                let filled: Vec<Data> = grid.cells().iter().map(only).collect();
                if let Some(at) = filled.iter().position(is_too_long) {
                    let (x, y) = (at % self.size.0, at / self.size.0);
                    let what = format!(
                        "has a `solve` that fills ({x},{y}) with a value of more than {LONGEST_VALUE} characters"
                    );
                    return Err(wrong(&what));
                }
                if let Some(((x, y), value)) = not
                    && filled[y as usize * self.size.0 + x as usize] == *value
                {
                    let what = format!(
                        "has a `solve` that returns a grid with {} in ({x},{y}), though it was asked for one without",
                        brief(value)
                    );
                    return Err(wrong(&what));
                }
                Ok(Some(filled))
            }
            CallOutcome::Failed => Ok(None),
            CallOutcome::Error(error) => Err(error_of_call(
                &self.run,
                &error,
                "solve(numbers, place, value)",
                self.color,
            )),
            CallOutcome::OutOfFuel if self.left == 0 => Err(Stop::limit(
                "the puzzle was not answered after as many steps as --max-steps allows",
            )),
            // It is unknown whether there is one. Count it as one, so that only known conclusions are reported.
            CallOutcome::OutOfFuel => {
                self.is_unsure = true;
                Ok(Some(Vec::new()))
            }
            CallOutcome::Limit(LimitReached::Cancelled) => Err(Stop::silent(Exit::Interrupted)),
            CallOutcome::Limit(limit) => Err(stopped(limit)),
            CallOutcome::Waiting(_) => Err(Stop::error(limits::WAITS)),
            CallOutcome::Asked(_) => {
                Err(Stop::error("`solve` asks a question, which it must not do"))
            }
        }
    }

    fn is_known(&self, at: usize) -> bool {
        self.cells[at]
            .as_ref()
            .is_some_and(|values| values.len() == 1)
    }

    /// Whether a place is to be filled.
    fn is_open(&self, at: usize, filled: &[Data]) -> bool {
        !self.is_known(at) && filled[at] != Data::Null
    }

    /// The open places that have equal values in all fillings.
    fn forced(&mut self, all: &[usize], filled: &[Data]) -> Result<Vec<(PlaceName, Data)>, Stop> {
        let mut candidates: Vec<usize> = (0..filled.len())
            .filter(|at| self.is_open(*at, filled))
            .collect();
        let mut forced = Vec::new();
        while let Some(at) = candidates.pop() {
            let place = ((at % self.size.0) as i64, (at / self.size.0) as i64);
            match self.fill(all, Some((place, &filled[at])))? {
                None => forced.push((place, filled[at].clone())),
                // Wherever another filling differs, nothing is forced.
                Some(other) => {
                    candidates.retain(|at| other.get(*at).is_none_or(|value| *value == filled[*at]))
                }
            }
        }
        forced.reverse();
        Ok(forced)
    }

    /// Of the places whose values are forced, one that few reasons force. The nearest reasons are tried first, more and
    /// more of them: what few reasons force is found before much is asked.
    fn easiest(&mut self, forced: &[(PlaceName, Data)]) -> Result<Option<ForcedPlace>, Stop> {
        let mut count = REASONS_TRIED.min(self.reasons.len());
        loop {
            let mut best: Option<ForcedPlace> = None;
            let mut found = 0;
            for (place, value) in forced {
                if found >= PLACES_COMPARED {
                    break;
                }
                let order = self.nearest_first(*place)?;
                let is_all = count == order.len();
                if !is_all && self.fill(&order[..count], Some((*place, value)))?.is_some() {
                    continue;
                }
                let reasons = self.fewest(&order[..count], *place, value)?;
                found += 1;
                if best
                    .as_ref()
                    .is_none_or(|best| reasons.len() < best.reasons.len())
                {
                    best = Some(ForcedPlace {
                        place: *place,
                        value: brief(value),
                        reasons,
                    });
                }
            }
            if best.is_some() || count == self.reasons.len() {
                return Ok(best);
            }
            count = (2 * count).min(self.reasons.len());
        }
    }

    /// The reasons, those first that have to do with a place: that are about it, then those that share places with them, and
    /// so on; then those that are near.
    fn nearest_first(&self, (x, y): PlaceName) -> Result<Vec<usize>, Stop> {
        let mut levels: Vec<usize> = vec![usize::MAX; self.reasons.len()];
        let mut reached: BTreeSet<PlaceName> = BTreeSet::from([(x, y)]);
        for level in 0.. {
            self.account.check()?;
            let is_next = |number: &usize| {
                levels[*number] == usize::MAX
                    && self.reasons[*number]
                        .places
                        .iter()
                        .any(|place| reached.contains(place))
            };
            let next: Vec<usize> = (0..levels.len()).filter(is_next).collect();
            if next.is_empty() {
                break;
            }
            for number in next {
                levels[number] = level;
                reached.extend(&self.reasons[number].places);
                self.account.check()?;
            }
        }
        let far = |reason: &Reason| {
            let distance = |place: &PlaceName| (place.0 - x).abs().max((place.1 - y).abs());
            reason.places.iter().map(distance).min().unwrap_or(i64::MAX)
        };
        let mut order: Vec<usize> = (0..self.reasons.len()).collect();
        order.sort_by_cached_key(|number| {
            let reason = &self.reasons[*number];
            (
                levels[*number],
                if levels[*number] == 0 {
                    0
                } else {
                    reason.places.len()
                },
                far(reason),
            )
        });
        Ok(order)
    }

    /// Reasons of which none can be left out, found by leaving out halves of them.
    fn fewest(
        &mut self,
        reasons: &[usize],
        place: PlaceName,
        value: &Data,
    ) -> Result<Vec<usize>, Stop> {
        let mut needed = self.needed(&[], reasons, place, value)?;
        // The remaining halves may need one less: each is tried once more.
        let mut at = 0;
        while at < needed.len() {
            let without: Vec<usize> = needed
                .iter()
                .copied()
                .filter(|number| *number != needed[at])
                .collect();
            if self.fill(&without, Some((place, value)))?.is_none() {
                needed = without;
            } else {
                at += 1;
            }
        }
        needed.sort_unstable();
        Ok(needed)
    }

    /// The reasons that are needed to force a value, apart from others that hold anyway.
    fn needed(
        &mut self,
        there: &[usize],
        reasons: &[usize],
        place: PlaceName,
        value: &Data,
    ) -> Result<Vec<usize>, Stop> {
        // Open questions: given reasons, and reasons of which some are needed. Halves are tried from the end.
        enum Task {
            Find {
                there: Vec<usize>,
                among: Vec<usize>,
                has_more: bool,
            },
            First {
                there: Vec<usize>,
                among: Vec<usize>,
            },
            Join {
                second: Vec<usize>,
            },
        }
        let mut results: Vec<Vec<usize>> = Vec::new();
        let mut tasks = vec![Task::Find {
            there: there.to_vec(),
            among: reasons.to_vec(),
            has_more: false,
        }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Find {
                    there,
                    among,
                    has_more,
                } => {
                    if has_more && self.fill(&there, Some((place, value)))?.is_none() {
                        results.push(Vec::new());
                    } else if among.len() <= 1 {
                        results.push(among);
                    } else {
                        let (first, second) = among.split_at(among.len() / 2);
                        let with_first = [&there[..], first].concat();
                        tasks.push(Task::First {
                            there,
                            among: first.to_vec(),
                        });
                        tasks.push(Task::Find {
                            there: with_first,
                            among: second.to_vec(),
                            has_more: true,
                        });
                    }
                }
                Task::First { there, among } => {
                    let second = results.pop().unwrap_or_default();
                    let has_more = !second.is_empty();
                    let with_second = [&there[..], &second].concat();
                    tasks.push(Task::Join { second });
                    tasks.push(Task::Find {
                        there: with_second,
                        among,
                        has_more,
                    });
                }
                Task::Join { second } => {
                    let first = results.pop().unwrap_or_default();
                    results.push([first, second].concat());
                }
            }
        }
        Ok(results.pop().unwrap_or_default())
    }

    /// Says which place is forced, and why.
    fn words(&mut self, forced: &ForcedPlace, count: usize) -> Result<String, Stop> {
        let (x, y) = forced.place;
        let place = match &self.name {
            Some(name) => {
                let name = name.clone();
                let named = first(
                    &mut self.run,
                    &name,
                    vec![Data::Position(x, y)],
                    u64::MAX,
                    self.color,
                )?;
                named.and_then(|text| self.run.view(&text).ok().map(brief_view))
            }
            None => None,
        };
        let place = place.unwrap_or_else(|| format!("the cell ({x},{y})"));
        let mut out = format!("{place} is {}.\n", forced.value);
        out += if forced.reasons.is_empty() {
            "It cannot be anything else.\n"
        } else {
            "It follows from\n"
        };
        for number in &forced.reasons {
            out += &format!("  {}\n", self.reasons[*number].text);
        }
        if count > 1 {
            out += &format!(
                "{count} open places are forced; of those that were compared, this one needs the fewest reasons.\n"
            );
        }
        Ok(out)
    }

    fn json(&self, forced: &ForcedPlace, count: usize) -> serde_json::Value {
        let reason = |number: &usize| {
            let Reason { text, places } = &self.reasons[*number];
            json!({"number": number, "text": text, "places": places})
        };
        json!({
            "place": forced.place,
            "value": forced.value,
            "reasons": forced.reasons.iter().map(reason).collect::<Vec<_>>(),
            "forced": count,
        })
    }

    /// Draws the board with the forced place and the places of its reasons marked.
    fn draw(&self, painter: &mut BoardPainter, values: &[String], forced: &ForcedPlace) {
        let number = |text: &String| {
            values
                .iter()
                .position(|value| value == text)
                .map(|at| at as u32)
        };
        for (at, cell) in self.cells.iter().enumerate() {
            let numbers = cell
                .as_ref()
                .map(|texts| texts.iter().filter_map(number).collect::<Vec<u32>>());
            painter.show(at as u32, numbers.as_deref());
        }
        let cell = |(x, y): PlaceName| (y * self.size.0 as i64 + x) as u32;
        for place in forced
            .reasons
            .iter()
            .flat_map(|number| &self.reasons[*number].places)
        {
            painter.mark(cell(*place), Mark::Reason);
        }
        let value: Vec<u32> = number(&forced.value).into_iter().collect();
        painter.show(cell(forced.place), Some(&value));
        painter.mark(cell(forced.place), Mark::Asked);
    }
}

/// The content of a cell: its candidates, or its known value.
fn shown(cell: View<'_>, account: &mut Account) -> Result<Option<Vec<String>>, Stop> {
    let mut text = |value: View<'_>| {
        let text = brief_view(value);
        account.take(2 * size_of::<String>() + text.capacity())?;
        Ok(text)
    };
    match cell.kind() {
        Kind::Null => Ok(None),
        Kind::Set => cell
            .elements()
            .map(text)
            .collect::<Result<_, _>>()
            .map(Some),
        _ => Ok(Some(vec![text(cell)?])),
    }
}

/// Whether the text of a value is longer than values that are compared may be.
fn is_too_long(value: &Data) -> bool {
    struct Left(usize);
    impl fmt::Write for Left {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    match value {
        Data::Null | Data::Boolean(_) | Data::Integer(_) | Data::Float(_) => false,
        other => write!(Left(LONGEST_VALUE), "{other}").is_err(),
    }
}

/// The beginning of a value as text.
fn brief_view(value: View<'_>) -> String {
    match value.as_str() {
        Some(text) => brief(&text.into()),
        None => value.beginning(MOST_CHARACTERS),
    }
}

/// A value outside of the run in short, without making more values.
fn brief(value: &Data) -> String {
    struct Brief(String);
    impl fmt::Write for Brief {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let left = MOST_CHARACTERS.saturating_sub(self.0.chars().count());
            let end = text
                .char_indices()
                .nth(left)
                .map_or(text.len(), |(at, _)| at);
            self.0.push_str(&text[..end]);
            if end < text.len() {
                self.0.push_str("...");
                return Err(fmt::Error);
            }
            Ok(())
        }
    }
    let mut brief = Brief(String::new());
    let _ = write!(brief, "{value}");
    brief.0
}

/// The first result of a function; `None` if it fails.
fn first(
    run: &mut Run,
    function: impl ndscript::Callee,
    arguments: Vec<Data>,
    most: u64,
    color: bool,
) -> Result<Option<Value>, Stop> {
    let mut call = run
        .call(function, arguments)
        .map_err(|why| Stop::error(why.to_string()))?;
    let outcome = call.resume(most);
    drop(call);
    match outcome {
        CallOutcome::Returned(value) => Ok(Some(value)),
        CallOutcome::Failed => Ok(None),
        CallOutcome::Error(error) => Err(error_of_call(run, &error, "", color)),
        CallOutcome::Limit(LimitReached::Cancelled) => Err(Stop::silent(Exit::Interrupted)),
        CallOutcome::Limit(limit) => Err(stopped(limit)),
        CallOutcome::OutOfFuel => Err(Stop::limit("stopped, as --max-steps says")),
        CallOutcome::Waiting(_) => Err(Stop::error(limits::WAITS)),
        CallOutcome::Asked(_) => Err(Stop::error(
            "the puzzle asks a question, which it must not do",
        )),
    }
}
