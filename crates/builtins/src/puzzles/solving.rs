//! Puzzles: how a person could solve them, how hard they are, and which clues leave one solution.

use super::clueing_work::{ClueSearch, Wishes};
use super::solving_work::{StepsWork, Wanted, constrained};
use crate::constraints::constraint::board;
use crate::constraints::place::place_named;
use crate::guessing::decided::only_candidate;
use crate::options::known_options;
use crate::{Cost, Row, args};
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

fn steps(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    solving(context, "steps", arguments[0], Wanted::Steps)
}

fn difficulty(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    solving(context, "difficulty", arguments[0], Wanted::Difficulty)
}

/// `__solving(b)`: the steps and the difficulty, from one search, and the start: [`Wanted::All`].
fn all_of_steps(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    solving(context, "steps", arguments[0], Wanted::All)
}

fn solving(
    context: &mut Context,
    function: &'static str,
    value: Value,
    wanted: Wanted,
) -> Result<Value, Fault> {
    let container = board(context, function, value)?;
    let board = constrained(context, function, container)?;
    context.perform(|_| Ok(StepsWork::new(container, board, wanted)))
}

fn make_unique(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const NAME: &str = "makeUnique";
    let container = board(context, NAME, arguments[0])?;
    let board = constrained(context, NAME, container)?;
    let mut wishes = Wishes {
        groups: Vec::new(),
        free: Vec::new(),
        levels: None,
    };
    let mut turn = ClueSymmetry::None;
    let mut solution = Vec::new();
    if let Some(options) = arguments
        .get(2)
        .copied()
        .filter(|options| *options != Value::NULL)
    {
        known_options(context, NAME, options, &["symmetry", "level", "solution"])?;
        let options = args::object(context, NAME, options)?;
        let mut get = |name| {
            let key = context.heap.text(name);
            context.heap.objects[options].get(key)
        };
        let (symmetry, level) = (get("symmetry"), get("level"));
        let other = get("solution");
        if let Some(symmetry) = symmetry {
            turn = match context.heap.as_str(symmetry) {
                _ if !container.is_kind(Kind::Grid) => ClueSymmetry::Unknown,
                Some("turn") => ClueSymmetry::Half,
                Some("mirror") => ClueSymmetry::Mirror,
                _ => ClueSymmetry::Unknown,
            };
            if turn == ClueSymmetry::Unknown {
                let wanted = "\"turn\" or \"mirror\" as its symmetry, for a grid";
                return Err(context.wrong_argument(NAME, wanted, symmetry));
            }
        }
        if let Some(other) = other {
            solution = numbers_of(context, container, board, other)?;
        }
        if let Some(level) = level {
            let array = args::handle(
                context,
                NAME,
                "[low, high] as its level",
                Kind::Array,
                level,
            )?;
            let ends = [0, 1].map(|at| context.heap.element(array, at).unwrap_or(Value::NULL));
            let count = context.heap.array_len(array);
            if count != 2 {
                return Err(context.wrong_argument(NAME, "[low, high] as its level", level));
            }
            let low = args::number(context, NAME, ends[0])?;
            let high = args::number(context, NAME, ends[1])?;
            if low > high {
                let wanted = "a level from a low to a high number";
                return Err(context.wrong_argument(NAME, wanted, level));
            }
            wishes.levels = Some([low, high]);
        }
    }
    let mut places: Vec<u32> = match arguments.get(1).copied().unwrap_or(Value::NULL) {
        Value::NULL => (0..context.heap.places_of(container) as u32).collect(),
        list => {
            let names = names_of(context, list)?;
            let mut places = Vec::with_capacity(names.len());
            for name in names {
                places.push(place_named(context, NAME, container, name)? as u32);
            }
            places
        }
    };
    context.charge(places.len());
    places.sort_unstable();
    places.dedup();
    // A place under no rule must be a clue, if it may.
    wishes.free = context.heap.free_places(board);
    wishes
        .free
        .retain(|place| places.binary_search(place).is_ok());
    let solver = &context.heap.boards[board].solver;
    // A place known from the beginning is listed anyway.
    places.retain(|place| {
        solver.is_bound(*place as usize) && solver.initial(*place as usize).count() > 1
    });
    let is_open = |place: &&u32| solver.candidates(**place as usize).count() != 1;
    if solution.is_empty()
        && let Some(undecided) = places.iter().find(is_open)
    {
        let name = context.name_of_place(container, *undecided as usize);
        let message = format!(
            "`{NAME}` wants a solution, but {} is undecided",
            context.brief(name)
        );
        return Err(Fault::error(ErrorKind::Value, message).with_hint(
            "`decide(b)` first, or give a solution: `makeUnique(b, null, {solution: other})`",
        ));
    }
    wishes.groups = groups(context, container, places, turn);
    context.perform(|_| Ok(ClueSearch::new(container, board, wishes, solution)))
}

/// The values of another board of this shape, as numbers of values of this one.
fn numbers_of(
    context: &mut Context,
    container: Value,
    board: Handle,
    other: Value,
) -> Result<Vec<u32>, Fault> {
    const NAME: &str = "makeUnique";
    let count = context.heap.places_of(container);
    let is_alike = other.kind() == container.kind() && context.heap.places_of(other) == count;
    if !is_alike {
        let wanted = "a board of the same shape as its solution";
        return Err(context.wrong_argument(NAME, wanted, other));
    }
    context.charge(count);
    let mut numbers = Vec::with_capacity(count);
    for place in 0..count {
        let name = context.name_of_place(container, place);
        let has_key = |object| context.heap.objects[object].get(name).is_some();
        if other
            .handle_of(Kind::Object)
            .is_some_and(|object| !has_key(object))
        {
            let wanted = "a board with the same keys as its solution";
            return Err(context.wrong_argument(NAME, wanted, other));
        }
        let value = only_candidate(context, NAME, &[other, name])?;
        let Some(number) = context.heap.boards[board].number_of(value) else {
            let (name, value) = (context.brief(name), context.brief(value));
            let message = format!(
                "`{NAME}` is given {value} at {name}, which no place of the board can hold"
            );
            return Err(Fault::error(ErrorKind::Value, message));
        };
        numbers.push(number as u32);
    }
    Ok(numbers)
}

fn names_of(context: &mut Context, list: Value) -> Result<Vec<Value>, Fault> {
    match list.kind() {
        Kind::Array => Ok(context.heap.elements(list.payload()).to_vec()),
        Kind::Set => {
            let count = context.heap.set_len(list);
            Ok((0..count)
                .filter_map(|at| context.heap.set_get(list, at))
                .collect())
        }
        _ => Err(context.wrong_argument("makeUnique", "an array or a set of places", list)),
    }
}

/// Which clues belong together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClueSymmetry {
    None,
    /// Cells that a half turn exchanges.
    Half,
    /// Cells that a mirror from left to right exchanges.
    Mirror,
    Unknown,
}

/// The places in groups that keep or lose their clues together, by the symmetry.
fn groups(
    context: &Context,
    container: Value,
    places: Vec<u32>,
    turn: ClueSymmetry,
) -> Vec<Vec<u32>> {
    let (width, count) = match container.handle_of(Kind::Grid) {
        Some(grid) => (
            context.heap.grids[grid].width.max(1),
            context.heap.places_of(container) as u32,
        ),
        None => (1, 0),
    };
    let other = |place: u32| match turn {
        ClueSymmetry::Half => count - 1 - place,
        ClueSymmetry::Mirror => place - place % width + (width - 1 - place % width),
        ClueSymmetry::None | ClueSymmetry::Unknown => place,
    };
    let mut groups = Vec::new();
    for place in &places {
        let other = other(*place);
        if other == *place || places.binary_search(&other).is_err() {
            groups.push(vec![*place]);
        } else if *place < other {
            groups.push(vec![*place, other]);
        }
    }
    groups
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "steps",
        "b",
        1,
        Some(1),
        steps,
        "The way that a person could take to the solution of a board, from what its places held before their first constraint and \
         what the program has assigned since, the simplest steps first: an array of objects. `kind` is \"direct\" (one rule, from \
         one known place), \"rule\" (one rule), \"rules\" (several together), \"suppose\" (something is supposed and leads to a \
         contradiction: `supposed`, `chain`) or \"search\"; `text` is a sentence; `rules` are the rules in words and `places` \
         those that it follows from; `removed` has the values that places lose, `decided` the places that have one left. \
         Nothing is changed. Functions (`constrain`) are not looked at.",
        ("steps(allDifferent([1, setOf(1, 2)]))[0].text", "place 1 is 2, since the whole board has no value twice, and place 0 is 1"),
    )
    .costing(Cost::Search),
    Row::script(
        "named",
        "name, f",
        &[(2, "named")],
        "The result of f, whose constraints `steps` and `explain --solve` call by a name, as words that follow on `since`, \
         instead of a sentence of their own.",
        (
            "let b = [1, setOf(1, 2)]; named(\"neighbours differ\", () => allDifferent(b)); steps(b)[0].text",
            "place 1 is 2, since neighbours differ, and place 0 is 1",
        ),
    )
    .costing(Cost::Search),
    Row::plain(
        "difficulty",
        "b",
        1,
        Some(1),
        difficulty,
        "How hard a board is to solve by `steps`: an object with `level` from 0 to 10, the number of steps of each kind (`direct`, \
         `rule`, `rules`, `suppose`, `search`), the most places that a step follows from (`largest`), the longest chain \
         (`longest`), and how they end: `end` is \"solved\", \"open\" (there are several solutions), \"none\" or \"unknown\".",
        ("difficulty(allDifferent([1, setOf(1, 2)])).level", "0.5"),
    )
    .costing(Cost::Search),
    Row::plain(
        "makeUnique",
        "b[, places[, options]]",
        1,
        Some(3),
        make_unique,
        "The clues of a puzzle whose only solution is the one that a decided board holds: an array of places, none of which could \
         be left out. `places` are those that may be clues (all, if left out or null); which of them go is drawn, and those that no \
         rule is about stay. It fails if the rules and all of these leave several solutions. Options: \
         `symmetry`: \"turn\" or \"mirror\" (clues of a grid come in pairs), `level: [low, high]`: as `difficulty` has it, with more \
         clues than needed if that makes it easy enough; it fails if no such puzzle is found, `solution`: another board of that \
         shape, which holds the solution in place of b; so b may have fewer rules than that one was made by.",
        ("let b = decide(allDifferent([setOf(1, 2), setOf(1, 2)])); sizeOf(makeUnique(b))", "1"),
    )
    .costing(Cost::Search),
    Row::plain("__solving", "", 1, Some(1), all_of_steps, "", ("", "")),
];
