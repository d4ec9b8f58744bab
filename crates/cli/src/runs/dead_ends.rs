//! Which rule of a board leaves nothing, for a run that has no solution: the search is run once more, watched, if it was short.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ndscript::{Event, Moment, Observer, Outcome, Param, Run, View, Wanted};

use super::stats;

/// Longer searches are not run again.
const MOST_STEPS: u64 = 2_000_000;
/// So long it may take.
const TIME: Duration = Duration::from_secs(1);
/// Steps between two looks at the clock.
const SLICE: u64 = 1 << 16;
/// At most this many candidates and lines are named.
const MOST_NAMED: usize = 4;

/// The rule that failed most often, in words: its line, the place, and the candidates that this lost. Empty if the
/// search was long, or failed in other ways.
pub fn in_words(ended: &Run, seed: u64, params: &[(String, Param)]) -> Option<String> {
    let program = ended.program();
    // Output of `debug` would appear twice.
    let files = program.sources().files();
    let says = files.iter().any(|file| file.text.contains("debug("));
    if ended.statistics().steps > MOST_STEPS || says {
        return None;
    }
    let mut run = program.run_with(seed, params);
    let mut dead_ends = DeadEnds::default();
    let started = Instant::now();
    while started.elapsed() < TIME {
        if !matches!(run.watch(SLICE, &mut dead_ends), Outcome::OutOfFuel) {
            break;
        }
    }
    let most = dead_ends.rules.into_iter().max_by_key(|(_, found)| found.0);
    let (rule, (_, what)) = most?;
    let lines = lines_of(program.sources(), &rule);
    Some(format!("`{rule}`{lines} leaves nothing {what}"))
}

/// The lines on which a built-in is called.
fn lines_of(sources: &ndscript::source::Sources, built_in: &str) -> String {
    let call = format!("{built_in}(");
    let mut lines = Vec::new();
    for (at, file) in sources.files().iter().enumerate() {
        let found = file.text.lines().enumerate().filter(|(_, line)| {
            line.match_indices(&call).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
            })
        });
        lines.extend(found.map(|(line, _)| match at {
            0 => format!("line {}", line + 1),
            _ => format!("{}, line {}", file.name, line + 1),
        }));
    }
    match lines.len() {
        0 => String::new(),
        1..=MOST_NAMED => format!(" ({})", lines.join("; ")),
        _ => format!(" ({}; ...)", lines[..MOST_NAMED].join("; ")),
    }
}

/// Counts the rules that leave no candidate, and stores a description of the latest failure of each.
#[derive(Default)]
struct DeadEnds {
    rules: BTreeMap<String, (u64, String)>,
}

impl Observer for DeadEnds {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Fail { .. } = event
            && let Some(dead_end) = moment.dead_end()
            && let Some(rule) = dead_end.constraint
        {
            let found = self.rules.entry(rule.to_string()).or_default();
            found.0 += 1;
            // The removals at a place without candidates.
            if let Some(last) = dead_end.removals.last() {
                let board = name_of(moment, dead_end.board);
                let lost: Vec<String> = last
                    .lost
                    .iter()
                    .take(MOST_NAMED)
                    .map(|value| stats::shortened(&value.to_string(), stats::LINE).to_string())
                    .collect();
                let more = if last.lost.len() > MOST_NAMED {
                    ", ..."
                } else {
                    ""
                };
                let constraint_in_words = match last.constraint {
                    Some(other) if other != rule => format!(" by `{other}`"),
                    _ => String::new(),
                };
                let constraint_in_words = match last.beside {
                    Some(beside) => format!("{constraint_in_words}, beside `{beside}`"),
                    None => constraint_in_words,
                };
                let few = last.lost.len() <= 2;
                let hint =
                    if few && !lost.is_empty() && lost.iter().all(|value| value.starts_with('[')) {
                        "; an array is one value, and candidates are a set: `toSet(a)`"
                    } else {
                        ""
                    };
                found.1 = format!(
                    "at {}, which lost {}{more}{constraint_in_words}{hint}",
                    place_of(&board, last.place),
                    lost.join(", ")
                );
            } else if let Some(place) = dead_end.on.first() {
                let board = name_of(moment, dead_end.board);
                found.1 = format!("at {}", place_of(&board, *place));
            }
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::default()
    }
}

/// The global variable that holds a board.
fn name_of(moment: &Moment<'_>, board: View<'_>) -> Option<String> {
    let mut globals = moment.globals();
    let (name, _) = globals.find(|(_, view)| view.is_same(board))?;
    Some(name.to_string())
}

/// A place as a program writes it.
fn place_of(board: &Option<String>, place: View<'_>) -> String {
    let Some(board) = board else {
        return place.to_string();
    };
    match place.as_position() {
        Some((x, y)) => format!("{board}[{x}, {y}]"),
        None => match place.as_str() {
            Some(key) => format!("{board}[{key:?}]"),
            None => format!("{board}[{place}]"),
        },
    }
}
