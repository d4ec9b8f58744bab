//! Constraints on boards: grids, arrays and objects whose places hold sets of candidates.

use super::automaton_work::{self, AutomatonBuilder, MOST_STATES};
use super::constraint_work::{
    FunctionBuilder, Plain, RelationBuilder, Rows, ShiftedAllDifferent, ValuesBuilder,
};
use super::pattern_work::PatternBuilder;
use super::place::{place, place_named};
use super::tuples_work::TuplesBuilder;
use crate::guessing::place_work::{Candidates, CandidatesWork};
use crate::options::{flag, known_options};
use crate::{Cost, Row, args};
use ndscript_base::counted::counted;
use ndscript_bytecode::ResultKind;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::natives::native::Control;
use ndscript_machine::work::posting::Places;
use ndscript_solver::{Adjacent, Connected, Direction, Reachable, Related, Supports};

/// A board, of which every place is there to be written.
pub(crate) fn board(context: &mut Context, function: &str, value: Value) -> Result<Value, Fault> {
    match value.kind() {
        Kind::Grid | Kind::Object => Ok(value),
        Kind::Array => {
            let array = value.payload();
            if context.heap.arrays[array].is_frozen() {
                context.writable(array)?;
            }
            context.heap.elements(array);
            Ok(value)
        }
        _ => {
            Err(context.wrong_argument(function, "a board (a grid, an array or an object)", value))
        }
    }
}

/// The places that an argument lists, or all if it was left out.
pub(crate) fn places(
    context: &Context,
    function: &'static str,
    list: Option<&Value>,
    are_distinct: bool,
) -> Result<Places, Fault> {
    let names = list.copied().filter(|list| *list != Value::NULL);
    match names.map(Value::kind) {
        None | Some(Kind::Array | Kind::Set) => Ok(Places::Listed {
            names,
            are_distinct,
        }),
        Some(_) => {
            let list = names.unwrap_or(Value::NULL);
            Err(context.wrong_argument(function, "an array or a set of places", list))
        }
    }
}

/// The number of these places.
pub(crate) fn count_of(context: &Context, board: Value, places: &Places) -> usize {
    match places {
        Places::Listed {
            names: Some(names), ..
        } if names.is_kind(Kind::Set) => context.heap.set_len(*names),
        Places::Listed {
            names: Some(names), ..
        } => context.heap.array_len(names.payload()),
        Places::Everywhere | Places::Listed { .. } => context.heap.places_of(board),
        Places::These(places) => places.len(),
    }
}

fn all_different(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "allDifferent";
    let board = board(context, FUNCTION, arguments[0])?;
    let Some(offsets) = arguments.get(2) else {
        let places = places(context, FUNCTION, arguments.get(1), true)?;
        return context.constrain(FUNCTION, board, place_named, places, Plain::Different);
    };
    let places = places(context, FUNCTION, arguments.get(1), false)?;
    let array = args::array(context, FUNCTION, *offsets)?;
    let (given, wanted) = (
        context.heap.array_len(array),
        count_of(context, board, &places),
    );
    if given != wanted {
        let message = format!(
            "`allDifferent` has {} for {}",
            counted(given, "offset"),
            counted(wanted, "place")
        );
        return Err(Fault::error(ErrorKind::Value, message)
            .with_hint("give one offset for each place, in their order"));
    }
    context.constrain(
        FUNCTION,
        board,
        place_named,
        places,
        ShiftedAllDifferent::new(FUNCTION, *offsets),
    )
}

fn relation_of(context: &Context, function: &str, value: Value) -> Result<Value, Fault> {
    args::handle(context, function, "a relation", Kind::Relation, value).map(|_| value)
}

/// `__related(b, p, q, relation, options)`
fn related(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "related";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = [
        place(context, FUNCTION, board, arguments[1])? as u32,
        place(context, FUNCTION, board, arguments[2])? as u32,
    ];
    let relation = relation_of(context, FUNCTION, arguments[3])?;
    let missing = allows_missing_last(context, FUNCTION, arguments.get(4))?;
    let rows = vec![Rows::of(relation)];
    let relating = RelationBuilder::new(FUNCTION, missing, rows, move |width, mut tables| {
        let [forward, backward] = tables.pop().unwrap_or_default();
        Related {
            places,
            width,
            forward,
            backward,
        }
        .into()
    });
    context.constrain(
        FUNCTION,
        board,
        place_named,
        Places::These(places.to_vec()),
        relating,
    )
}

/// The arguments without an object of options at their end, and that object; the first `least` arguments are never
/// options.
pub(crate) fn with_options<'a>(
    context: &Context,
    function: &str,
    arguments: &'a [Value],
    least: usize,
    known: &[&str],
) -> Result<(&'a [Value], Option<Value>), Fault> {
    match arguments.split_last() {
        Some((last, rest)) if rest.len() >= least && last.is_kind(Kind::Object) => {
            known_options(context, function, *last, known)?;
            Ok((rest, Some(*last)))
        }
        _ => Ok((arguments, None)),
    }
}

/// Whether the options of a constraint allow values that no place can hold.
pub(crate) fn allows_missing(
    context: &mut Context,
    function: &str,
    options: Option<Value>,
) -> Result<bool, Fault> {
    options.map_or(Ok(false), |options| {
        flag(context, function, options, "missing")
    })
}

/// As `allows_missing`, for options that are the last argument, with no other field.
fn allows_missing_last(
    context: &mut Context,
    function: &str,
    options: Option<&Value>,
) -> Result<bool, Fault> {
    if let Some(options) = options {
        known_options(context, function, *options, &["missing"])?;
    }
    allows_missing(context, function, options.copied())
}

/// `__adjacent(g, relation, options)`
fn adjacent(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "adjacent";
    let grid = args::grid(context, FUNCTION, arguments[0])?;
    let options = arguments[2];
    known_options(context, FUNCTION, options, &["wrap", "diagonal", "missing"])?;
    let missing = flag(context, FUNCTION, options, "missing")?;
    let wraps = flag(context, FUNCTION, options, "wrap")?;
    let diagonal = flag(context, FUNCTION, options, "diagonal")?;
    let sides = ["right", "left", "down", "up"];
    let mut given = [None; 4];
    if arguments[1].is_kind(Kind::Object) {
        known_options(context, FUNCTION, arguments[1], &sides)?;
        if diagonal {
            let message = "`adjacent` with a relation for each side has none for the diagonals";
            return Err(Fault::error(ErrorKind::Value, message)
                .with_hint("leave out `diagonal`, or give one relation"));
        }
        for (side, given) in sides.iter().zip(&mut given) {
            let key = context.heap.text(side);
            *given = context.heap.objects[arguments[1].payload()].get(key);
        }
    } else {
        given[0] = Some(arguments[1]);
    }
    for relation in given.into_iter().flatten() {
        relation_of(context, FUNCTION, relation)?;
    }
    let is_one = !arguments[1].is_kind(Kind::Object);
    let (columns, lines) = (
        context.heap.grids[grid].width,
        context.heap.grids[grid].height,
    );
    let mut rows = Vec::new();
    // For each direction its columns and lines, and the table of allowed values with the side to read.
    let mut directions = Vec::new();
    if is_one {
        rows.push(Rows::both_ways(arguments[1]));
        let diagonals: &[(i32, i32)] = if diagonal { &[(1, 1), (-1, 1)] } else { &[] };
        for (columns, rows) in [(1, 0), (0, 1)].iter().chain(diagonals) {
            directions.push(Direction {
                columns: *columns,
                rows: *rows,
                table: 0,
            });
            directions.push(Direction {
                columns: -columns,
                rows: -rows,
                table: 0,
            });
        }
    } else {
        for (at, columns, lines) in [(0, 1, 0), (2, 0, 1)] {
            let table = 2 * rows.len() as u32;
            rows.push(match (given[at], given[at + 1]) {
                (Some(there), Some(back)) => Rows::there_and_back(there, back),
                (Some(there), None) => Rows::of(there),
                (None, Some(back)) => Rows::turned(back),
                (None, None) => continue,
            });
            directions.push(Direction {
                columns,
                rows: lines,
                table,
            });
            directions.push(Direction {
                columns: -columns,
                rows: -lines,
                table: table + 1,
            });
        }
    }
    let relating = RelationBuilder::new(FUNCTION, missing, rows, move |width, tables| {
        // For a symmetric relation one table is enough.
        let tables = tables
            .into_iter()
            .flatten()
            .take(if is_one { 1 } else { usize::MAX });
        let tables = tables
            .map(|rows| Supports::new(rows, width as usize))
            .collect();
        Adjacent {
            columns: columns.max(1),
            rows: lines,
            wraps,
            width,
            tables,
            directions: directions.clone(),
        }
        .into()
    });
    context.constrain(
        FUNCTION,
        arguments[0],
        place_named,
        Places::Everywhere,
        relating,
    )
}

fn tuples(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "tuples";
    let missing = allows_missing_last(context, FUNCTION, arguments.get(3))?;
    let board = board(context, FUNCTION, arguments[0])?;
    let places = listed_places(context, FUNCTION, arguments[1])?;
    if !matches!(arguments[2].kind(), Kind::Array | Kind::Set) {
        return Err(context.wrong_argument(FUNCTION, "an array or a set of rows", arguments[2]));
    }
    // An empty list of places spells the empty row, which must be among the rows.
    let rows = match arguments[2].handle_of(Kind::Array) {
        Some(array) => context.heap.array_len(array),
        None => context.heap.set_len(arguments[2]),
    };
    if rows == 0 && count_of(context, board, &places) == 0 {
        return Err(Fault::Fail);
    }
    context.constrain(
        FUNCTION,
        board,
        place_named,
        places,
        TuplesBuilder::new(arguments[2], missing),
    )
}

/// A list of places where null does not mean all of them.
fn listed_places(context: &Context, function: &'static str, list: Value) -> Result<Places, Fault> {
    if list == Value::NULL {
        return Err(context.wrong_argument(function, "an array or a set of places", list));
    }
    places(context, function, Some(&list), false)
}

fn pattern(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "pattern";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = listed_places(context, FUNCTION, arguments[1])?;
    args::handle(context, FUNCTION, "a string", Kind::Text, arguments[2])?;
    // Names are single characters, so an object with this key is no object of names.
    let key = context.heap.text("missing");
    let is_options = |context: &Context, value: &Value| {
        value.is_kind(Kind::Object) && context.heap.objects[value.payload()].get(key).is_some()
    };
    let (arguments, options) = match arguments {
        [.., last] if arguments.len() > 3 && is_options(context, last) => {
            (&arguments[..arguments.len() - 1], Some(*last))
        }
        [_, _, _, _, last] => (&arguments[..4], Some(*last)),
        _ => (arguments, None),
    };
    let missing = allows_missing_last(context, FUNCTION, options.as_ref())?;
    let names = arguments.get(3).filter(|names| **names != Value::NULL);
    if let Some(names) = names {
        args::object(context, FUNCTION, *names)?;
    }
    let names = names.copied();
    context.constrain(
        FUNCTION,
        board,
        place_named,
        places,
        PatternBuilder::new(arguments[2], names, missing),
    )
}

/// `__automaton(b, places, start, transitions, ends)`: three elements for each transition, a state, a value and the next
/// state.
fn automaton(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "automaton";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = listed_places(context, FUNCTION, arguments[1])?;
    let [transitions, ends] = [3, 4].map(|at| {
        let list = args::array(context, FUNCTION, arguments[at]);
        list.map(|list| context.heap.elements(list).to_vec())
    });
    let builder = AutomatonBuilder::new(arguments[2], &transitions?, &ends?);
    context.constrain(FUNCTION, board, place_named, places, builder)
}

/// `__fewStates(states)`: an error where an automaton has too many.
fn few_states(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match context.heap.set_len(arguments[0]) > MOST_STATES {
        true => Err(automaton_work::too_large()),
        false => Ok(Value::NULL),
    }
}

/// The grid whose neighbors are those of its cells.
fn grid_of_cells(context: &Context, function: &str, board: Value) -> Result<Handle, Fault> {
    args::grid(context, function, board).map_err(|fault| {
        fault.with_hint("of another board give the neighbours: `{links: [[place, place], ...]}`")
    })
}

/// `connected(g, values[, options])` with the plain neighbors of a grid.
pub(crate) fn connected_cells(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "connected";
    // `__neighbours` knows the options; those about neighbors are false here.
    let missing = allows_missing(context, FUNCTION, arguments.get(2).copied())?;
    let grid = grid_of_cells(context, FUNCTION, arguments[0])?;
    let (columns, rows) = (
        context.heap.grids[grid].width.max(1),
        context.heap.grids[grid].height,
    );
    let holding = ValuesBuilder::new(FUNCTION, arguments[1], move |_, values| {
        Connected {
            columns,
            rows,
            values,
        }
        .into()
    })
    .allowing_missing(missing);
    context.constrain(
        FUNCTION,
        arguments[0],
        place_named,
        Places::Everywhere,
        holding,
    )
}

/// `reachable(g, values, from, to[, options])` with the plain neighbors of a grid.
pub(crate) fn reachable_cells(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "reachable";
    // `__neighbours` knows the options; those about neighbors are false here.
    let missing = allows_missing(context, FUNCTION, arguments.get(4).copied())?;
    let grid = grid_of_cells(context, FUNCTION, arguments[0])?;
    let ends = [
        place(context, FUNCTION, arguments[0], arguments[2])? as u32,
        place(context, FUNCTION, arguments[0], arguments[3])? as u32,
    ];
    let (columns, rows) = (
        context.heap.grids[grid].width.max(1),
        context.heap.grids[grid].height,
    );
    let holding = ValuesBuilder::new(FUNCTION, arguments[1], move |_, values| {
        Reachable {
            columns,
            rows,
            values,
            ends,
        }
        .into()
    })
    .allowing_missing(missing);
    context.constrain(
        FUNCTION,
        arguments[0],
        place_named,
        Places::Everywhere,
        holding,
    )
}

/// The machine runs the function, once the board has reached its fixpoint.
fn constrain(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "constrain";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = places(context, FUNCTION, Some(&arguments[1]), true)?;
    check_callable(context, FUNCTION, "b, places", arguments[2])?;
    context.constrain(
        FUNCTION,
        board,
        place_named,
        places,
        FunctionBuilder(arguments[2]),
    )
}

/// Checks that something is a function that can be called without arguments; `before` are the arguments before it.
pub(crate) fn check_callable(
    context: &mut Context,
    name: &str,
    before: &str,
    function: Value,
) -> Result<(), Fault> {
    let is_callable = matches!(
        function.kind(),
        Kind::Function | Kind::Native | Kind::Method
    );
    if !is_callable {
        return Err(context.wrong_argument(name, "a function", function));
    }
    if let Some(closure) = function.handle_of(Kind::Function)
        && let Some(target) = context
            .code
            .functions
            .get(context.heap.functions[closure].function as usize)
        && !target.accepts(0)
    {
        let message = format!(
            "`{name}` calls its function without arguments, but {} takes some",
            context.describe(function)
        );
        return Err(Fault::error(ErrorKind::Arity, message)
            .with_hint(format!("write `{name}({before}, () => {{ ... }})`")));
    }
    Ok(())
}

fn narrow(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "narrow", arguments[0])?;
    let place = place(context, "narrow", board, arguments[1])?;
    let narrowed = context.narrow_place(board, place, arguments[2])?;
    if narrowed.is_kind(Kind::Set) {
        return Ok(narrowed);
    }
    Ok(context.heap.singleton(narrowed))
}

fn undecided(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "undecided", arguments[0])?;
    if board.is_kind(Kind::Grid) {
        return crate::grids::grid::undecided_positions(context, board);
    }
    context.perform(|context| {
        context.reserve(context.heap.places_of(board) * 8)?;
        Ok(CandidatesWork::undecided(board))
    })
}

/// `__candidates(b, places)`: all values that the places can have, in order.
fn candidates(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "related", arguments[0])?;
    let only = match arguments[1] {
        Value::NULL => None,
        name => Some(place(context, "related", board, name)?),
    };
    context.perform(|_| Ok(Candidates::new(board, only)))
}

/// A function is asked for at most this many pairs of values: more would take long and fill the memory.
const MOST_PAIRS: usize = 20_000_000;

/// `__mayAsk(lefts, rights, function)`: an error where a function would be asked for too many pairs.
fn may_ask(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let function = args::text(context, "__mayAsk", arguments[2])?;
    let count = |list: Value| match list.kind() {
        Kind::Set => context.heap.set_len(list),
        _ => context.heap.array_len(list.payload()),
    };
    let (lefts, rights) = (count(arguments[0]), count(arguments[1]));
    let pairs = lefts.saturating_mul(rights);
    if pairs <= MOST_PAIRS {
        return Ok(Value::NULL);
    }
    let message = format!(
        "`{function}` would ask its function for {pairs} pairs of values, {lefts} beside {rights}, and {MOST_PAIRS} are the most"
    );
    Err(Fault::error(ErrorKind::Value, message).with_hint(
        "give a relation, or let places hold fewer values, such as classes of them; `relatedLazily(b, p, q, r)`, after \
         `import \"std/lazy.nds\";`, asks for those pairs alone that it needs",
    ))
}

/// `__listForValues(list, function)`: the error for an array where a set of values is meant.
fn list_for_values(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let function = args::text(context, "__listForValues", arguments[1])?;
    Err(context.list_for_values(&function, arguments[0]))
}

/// `__setForValues(cell, values, function)`: the error for a cell that holds a set where plain values are looked for.
fn set_for_values(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let [cell, values] = [arguments[0], arguments[1]];
    let first = context.heap.set_get(values, 0);
    if !cell.is_kind(Kind::Set) || first.is_none_or(|first| first.is_kind(Kind::Set)) {
        return Ok(Value::NULL);
    }
    let function = args::text(context, "__setForValues", arguments[2])?;
    let message = format!(
        "`{function}` looks for a plain value, but a cell holds {}",
        context.describe(cell)
    );
    Err(Fault::error(ErrorKind::Type, message).with_hint(format!(
        "`{function}(decided(g), ...)` goes over a decided board; a function may ask for candidates: `p => contains(v, g[p])`"
    )))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "allDifferent",
        "b[, places[, offsets]]",
        1,
        Some(3),
        all_different,
        "Puts a constraint on a board: no two of the places (all, if they are left out) are equal; of numbers with \
         offsets, no two sums of value and offset. Takes away all that this alone rules out. A place that is listed twice is one \
         place, but with offsets.",
        ("allDifferent([setOf(1, 2), setOf(1, 2), setOf(1, 2, 3)])[2]", "{3}"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::script(
        "related",
        "b, p, q, r[, options]",
        &[(4, "relatedSimply"), (5, "relatedBy")],
        "Puts a constraint on a board: the relation, or the function of two values, holds between the values at the \
         places p and q. A function is asked once for each pair, for 20 million at most; `std/lazy` asks as far as needed.",
        ("related([setOf(1, 2, 3), setOf(1, 2, 3)], 0, 1, (a, b) => a > b + 1)", "[{3}, {1}]"),
    ).constraining()
    .costing(Cost::Search),
    Row::script(
        "adjacent",
        "g, r[, options]",
        &[(2, "adjacentSimply"), (3, "adjacentBy")],
        "Puts a constraint on a grid: the relation, or the function of two values, holds between every two neighbours, \
         both ways round. `{right: r, down: s}` has one for each side, as `relationsFrom` gives them. Options: `wrap`, \
         by which a cell of a single row or column is its own neighbour, and `diagonal`.",
        ("adjacent(grid([[setOf(1), setOf(1, 2, 3), setOf(1, 2)]]), (a, b) => a != b)[1, 0]", "{2, 3}"),
    ).constraining()
    .costing(Cost::Linear),
    Row::plain(
        "tuples",
        "b, places, rows[, options]",
        3,
        Some(4),
        tuples,
        "Puts a constraint on a board: read in order, the places spell one of the rows, an array or a set of arrays. A place \
         that is listed twice is read twice.",
        ("tuples([setOf(1, 2), setOf(1, 2, 3)], [0, 1], [[1, 2], [2, 2], [3, 3]])", "[{1, 2}, {2}]"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::plain(
        "pattern",
        "b, places, text[, names][, options]",
        3,
        Some(5),
        pattern,
        "Puts a constraint on a board: read in order, the places spell a text that the regular expression matches from \
         beginning to end, so that it needs no `^` and `$`. A character stands for the value that shows as it, or for \
         what `names` gives for it. Known are `.`, classes, groups, `|`, `*`, `+`, `?` and counts such as `{2,3}`. A place that \
         is read twice keeps candidates as if it were two.",
        ("pattern([setOf(0, 1), setOf(0, 1), setOf(0, 1)], [0, 1, 2], \"0*11\")", "[{0}, {1}, {1}]"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::script(
        "automaton",
        "b, places, start, next, ends",
        &[(5, "automaton")],
        "Puts a constraint on a board: it is read place by place, from the state `start`; `next(state, value)` is the state \
         after a value, or null where none may follow, and `ends(state)` whether the last state is a right one. Both are asked \
         once for each state, not for each row. A place that is read twice keeps candidates as if it were two.",
        ("automaton([setOf(1, 2, 3), setOf(1, 2), 3], [0, 1, 2], 0, (sum, n) => sum + n, sum => sum == 8)", "[{3}, {2}, 3]"),
    ).constraining()
    .costing(Cost::Linear),
    Row::plain(
        "connected",
        "b, values[, options]",
        2,
        Some(3),
        connected_cells,
        "Puts a constraint on a grid: the cells that hold one of the values (a set, or one value) form one piece; none \
         is allowed. What counts of the grid leave is all that a piece may take. Options: `wrap` and `diagonal` on grids; \
         `links`, on any board, a relation or an array of pairs of places, both ways round, in place of the neighbours; `joined`, \
         a relation or one for each side, as in `adjacent`: neighbours count only where their values fit.",
        ("connected(grid([[1, setOf(0, 1), 1, 0, setOf(0, 1)]]), 1)[1, 0]", "{1}"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .with_scripts(&[(3, "connectedBy")])
    .costing(Cost::Linear),
    Row::plain(
        "reachable",
        "b, values, from, to[, options]",
        4,
        Some(5),
        reachable_cells,
        "Puts a constraint on a grid: both ends hold one of the values (a set, or one value), and a way of such cells \
         joins them. What counts of the grid leave is all that a way may take. Options: `wrap`, `diagonal`, `links` and `joined`, \
         as in `connected`; `atLeast` and `atMost`, steps of the shortest way.",
        ("reachable(makeGrid(3, 1, setOf(0, 1)), 1, position(0, 0), position(2, 0))[1, 0]", "{1}"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .with_scripts(&[(5, "reachableBy")])
    .costing(Cost::Linear),
    Row::plain(
        "constrain",
        "b, places, f",
        3,
        Some(3),
        constrain,
        "Puts a constraint on a board: `f()` runs now, and again whenever one of the places (null: all) has lost candidates \
         and the other constraints are at rest. It takes candidates away by writing to the board, and fails by failing; its result means nothing.",
        (
            "var b = [setOf(1, 2, 3), setOf(2, 3)]; \
             constrain(b, [0, 1], () => { if (isSingleton(b[0])) narrow(b, 1, except(b[1], b[0])); }); b[0] = 2; b",
            "[{2}, {3}]",
        ),
    ).constraining().dropping_result().with_effect(NativeEffect::Constrains)
    .costing(Cost::Search),
    Row::plain(
        "narrow",
        "b, place, allowed",
        3,
        Some(3),
        narrow,
        "Takes away from a place of any board what is not in `allowed` (a set, or one value), and returns the set that \
         is left; fails if nothing is.",
        ("narrow([setOf(1, 2, 3)], 0, setOf(2, 3, 4))", "{2, 3}"),
    ).constraining().with_effect(NativeEffect::Narrows).giving(ResultKind::Set)
    .costing(Cost::Linear),
    Row::plain(
        "undecided",
        "b",
        1,
        Some(1),
        undecided,
        "The places of a board that hold a set with not exactly one element, in order.",
        ("undecided({a: setOf(1, 2), b: setOf(1), c: 5})", "[\"a\"]"),
    ).with_effect(NativeEffect::FindsPlaces).listing_undecided()
    .costing(Cost::Linear),
    Row::script(
        "decide",
        "b[, options]",
        &[(1, "decideSimply"), (2, "decideBy")],
        "Guesses until no place of the board is undecided, and returns the board. Which place is next is no choice, its \
         value is; where a piece of `connected` takes nearly all that counts leave, what it has there comes first. Options: `order`, which is \"smallest\", \"conflicts\", \"first\" or \"random\", `weights` as in \
         `chooseElement`, `places`, `backjump`: false if guesses are tried anew that had no part in a failure, `fair`: true if the first solution is drawn so \
         that all are about as likely, and `least`: an array of \
         places and, if wanted, of factors as in `sumOf`; then it is of all solutions one with the least sum, and takes no `weights` and `places`; with `improve`, the best after so many rounds in each of which few places change.",
        ("countSolutions(() => decide(allDifferent([setOf(1, 2, 3), setOf(1, 2, 3), setOf(1, 2, 3)])))", "6"),
    )
    .deciding()
    .costing(Cost::Search),
    Row::control("__nextFunction", "", 1, Some(1), Control::NextFunction, "", ("", "")),
    Row::control("__endFunction", "", 0, Some(0), Control::EndFunction, "", ("", "")),
    Row::plain("__related", "", 4, Some(5), related, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__adjacent", "", 3, Some(3), adjacent, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__automaton", "", 5, Some(5), automaton, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__fewStates", "", 1, Some(1), few_states, "", ("", "")),
    Row::plain("__mayAsk", "", 3, Some(3), may_ask, "", ("", "")),
    Row::plain("__candidates", "", 2, Some(2), candidates, "", ("", "")).with_effect(NativeEffect::Names),
    Row::plain("__listForValues", "", 2, Some(2), list_for_values, "", ("", "")),
    Row::plain("__setForValues", "", 3, Some(3), set_for_values, "", ("", "")),
];
