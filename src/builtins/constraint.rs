//! Constraints on boards: grids, arrays and objects whose places hold sets of candidates.

use rustc_hash::FxHashMap;

use super::regular::Expression;
use super::{Cost, Row, args};
use crate::value::board::{Automaton, Constraint, Direction, Table};
use crate::value::value::Handle;
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// A board, of which every place is there to be written.
fn board(context: &mut Context, function: &str, value: Value) -> Result<Value, Fault> {
    match value.kind() {
        Kind::Grid | Kind::Object => Ok(value),
        Kind::Array => {
            let array = value.payload();
            if context.heap.arrays[array].frozen {
                context.writable(array)?;
            }
            context.heap.elements(array);
            Ok(value)
        }
        _ => Err(context.wrong_argument(function, "a board, which is a grid, an array or an object,", value)),
    }
}

/// A place of a board by its position, index or key.
fn place(context: &mut Context, function: &str, board: Value, name: Value) -> Result<usize, Fault> {
    let handle = board.payload();
    match board.kind() {
        Kind::Grid => {
            let (x, y) = args::position(context, function, name)?;
            context.cell(handle, x, y)
        }
        Kind::Object => {
            let found = context.heap.objects[handle].find(name);
            found.ok_or_else(|| context.wrong_argument(function, "a key of the board", name))
        }
        _ => {
            let count = context.heap.places_of(board);
            context.index_in(name, count, "array")
        }
    }
}

/// The places that an argument lists; `None` for all, if it was left out.
fn places(
    context: &mut Context,
    function: &str,
    board: Value,
    list: Option<&Value>,
) -> Result<Option<Vec<u32>>, Fault> {
    let Some(list) = list.copied().filter(|list| *list != Value::NULL) else { return Ok(None) };
    let names = match list.kind() {
        Kind::Array => context.heap.elements(list.payload()).to_vec(),
        Kind::Set => context.heap.set_elements(list),
        _ => return Err(context.wrong_argument(function, "an array or a set of places", list)),
    };
    context.charge(names.len());
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        places.push(place(context, function, board, name)? as u32);
    }
    Ok(Some(places))
}

fn all_or(context: &Context, board: Value, places: &Option<Vec<u32>>) -> Vec<u32> {
    match places {
        Some(places) => places.clone(),
        None => (0..context.heap.places_of(board) as u32).collect(),
    }
}

/// Each once: a place is not two.
fn distinct(mut places: Vec<u32>) -> Vec<u32> {
    places.sort_unstable();
    places.dedup();
    places
}

fn all_different(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "allDifferent";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = places(context, FUNCTION, board, arguments.get(1))?;
    let Some(offsets) = arguments.get(2) else {
        let places = distinct(all_or(context, board, &places));
        let bound = places.clone();
        return context.constrain(board, Some(&bound), |_, _| {
            Ok(Constraint::Different { places, symbols: Vec::new(), matching: Vec::new() })
        });
    };
    let places = all_or(context, board, &places);
    let array = args::array(context, FUNCTION, *offsets)?;
    let offsets = context.heap.elements(array).to_vec();
    if offsets.len() != places.len() {
        let message = format!("`allDifferent` has {} offsets for {} places", offsets.len(), places.len());
        return Err(Fault::error(ErrorKind::Value, message).with_hint("give one offset for each place, in their order"));
    }
    let offsets: Vec<f64> =
        offsets.iter().map(|offset| args::number(context, FUNCTION, *offset)).collect::<Result<_, _>>()?;
    let bound = places.clone();
    context.constrain(board, Some(&bound), move |context, board| {
        let numbers = numbers(context, FUNCTION, board, &places)?;
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        context.reserve(places.len() * numbers.len() * 8)?;
        context.charge(places.len() * numbers.len() / 4);
        let mut symbols = Vec::with_capacity(places.len() * numbers.len());
        for offset in &offsets {
            for number in &numbers {
                // Zero has two signs, and is one number.
                let sum = number + offset + 0.0;
                let next = known.len() as u32;
                symbols.push(*known.entry(sum.to_bits()).or_insert(next));
            }
        }
        Ok(Constraint::Different { places, symbols, matching: Vec::new() })
    })
}

/// The numbers that the values of a board are, by their numbers; those that are none count as 0 if no place can hold
/// them.
fn numbers(context: &mut Context, function: &str, board: Handle, places: &[u32]) -> Result<Vec<f64>, Fault> {
    let target = &context.heap.boards[board];
    let mut held = vec![0u64; target.width()];
    for place in places {
        held.iter_mut().zip(target.candidates(*place as usize)).for_each(|(held, bits)| *held |= bits);
    }
    let mut numbers = Vec::with_capacity(target.universe().len());
    for (at, value) in target.universe().iter().enumerate() {
        let is_held = held[at / 64] >> (at % 64) & 1 == 1;
        match context.heap.as_f64(*value) {
            Some(number) => numbers.push(number),
            None if !is_held => numbers.push(0.0),
            None => return Err(context.wrong_argument(function, "numbers as candidates", *value)),
        }
    }
    Ok(numbers)
}

/// For each value on the left side of a relation those on the right, as rows of bits.
fn rows(context: &mut Context, board: Handle, relation: Value) -> Result<Vec<u64>, Fault> {
    let (width, count) = (context.heap.boards[board].width(), context.heap.boards[board].universe().len());
    // The rows, their turned form, and the numbers.
    context.reserve(count * (width * 8 * 3 + 32))?;
    context.charge(count * width / 4);
    let target = &context.heap.boards[board];
    let mut rows = vec![0; count * width];
    let numbers: FxHashMap<Value, usize> =
        target.universe().iter().enumerate().map(|(at, value)| (*value, at)).collect();
    let pairs = &context.heap.relations[relation.payload()].pairs;
    let work = pairs.len();
    for (left, right) in pairs.iter() {
        if let (Some(left), Some(right)) = (numbers.get(left), numbers.get(right)) {
            rows[left * width + right / 64] |= 1 << (right % 64);
        }
    }
    context.charge(work / 2);
    Ok(rows)
}

fn turned(rows: &[u64], width: usize) -> Vec<u64> {
    let mut turned = vec![0; rows.len()];
    for left in 0..rows.len() / width {
        for (at, word) in rows[left * width..(left + 1) * width].iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let right = at * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                turned[right * width + left / 64] |= 1 << (left % 64);
            }
        }
    }
    turned
}

fn common(mut rows: Vec<u64>, others: &[u64]) -> Vec<u64> {
    rows.iter_mut().zip(others).for_each(|(row, other)| *row &= other);
    rows
}

fn relation_of(context: &Context, function: &str, value: Value) -> Result<Value, Fault> {
    args::handle(context, function, "a relation", Kind::Relation, value).map(|_| value)
}

/// `__related(b, p, q, relation)`
fn related(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "related";
    let board = board(context, FUNCTION, arguments[0])?;
    let places =
        [place(context, FUNCTION, board, arguments[1])? as u32, place(context, FUNCTION, board, arguments[2])? as u32];
    let relation = relation_of(context, FUNCTION, arguments[3])?;
    context.constrain(board, Some(&places), |context, board| {
        let forward = rows(context, board, relation)?;
        let backward = turned(&forward, context.heap.boards[board].width());
        Ok(Constraint::Related { places, forward, backward })
    })
}

/// Whether an option of that name is set.
fn flag(context: &mut Context, function: &str, options: Value, name: &str) -> Result<bool, Fault> {
    let key = context.heap.text(name);
    match context.heap.objects[options.payload()].get(key) {
        Some(value) => args::boolean(context, function, value),
        None => Ok(false),
    }
}

fn known_options(context: &Context, function: &str, options: Value, known: &[&str]) -> Result<(), Fault> {
    let options = args::object(context, function, options)?;
    let keys: Vec<Value> = context.heap.objects[options].keys().collect();
    match keys.into_iter().find(|key| !known.contains(&context.heap.as_str(*key).unwrap_or(""))) {
        Some(key) => Err(Fault::error(
            ErrorKind::Value,
            format!("`{function}` has no option {}; it has: {}", context.brief(key), known.join(", ")),
        )),
        None => Ok(()),
    }
}

/// `__adjacent(g, relation, options)`
fn adjacent(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "adjacent";
    let grid = args::grid(context, FUNCTION, arguments[0])?;
    let options = arguments[2];
    known_options(context, FUNCTION, options, &["wrap", "diagonal"])?;
    let wraps = flag(context, FUNCTION, options, "wrap")?;
    let diagonal = flag(context, FUNCTION, options, "diagonal")?;
    let sides = ["right", "left", "down", "up"];
    let mut given = [None; 4];
    if arguments[1].is_kind(Kind::Object) {
        known_options(context, FUNCTION, arguments[1], &sides)?;
        if diagonal {
            let message = "`adjacent` with a relation for each side has none for the diagonals";
            return Err(Fault::error(ErrorKind::Value, message).with_hint("leave out `diagonal`, or give one relation"));
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
    let (columns, lines) = (context.heap.grids[grid].width, context.heap.grids[grid].height);
    context.constrain(arguments[0], None, |context, board| {
        let width = context.heap.boards[board].width();
        let count = context.heap.boards[board].universe().len();
        context.charge(count * count / 4);
        let mut directions = Vec::new();
        let mut both = |columns: i32, rows: i32, allowed: Vec<u64>| {
            directions.push(Direction { columns: -columns, rows: -rows, allowed: turned(&allowed, width) });
            directions.push(Direction { columns, rows, allowed });
        };
        if is_one {
            let there = rows(context, board, arguments[1])?;
            let back = turned(&there, width);
            let allowed = common(there, &back);
            both(1, 0, allowed.clone());
            both(0, 1, allowed.clone());
            if diagonal {
                both(1, 1, allowed.clone());
                both(-1, 1, allowed);
            }
        } else {
            for (at, (columns, lines)) in [(0, (1, 0)), (2, (0, 1))] {
                let there = given[at].map(|relation| rows(context, board, relation)).transpose()?;
                let back = given[at + 1].map(|relation| rows(context, board, relation)).transpose()?;
                let back = back.map(|rows| turned(&rows, width));
                match (there, back) {
                    (Some(there), Some(back)) => both(columns, lines, common(there, &back)),
                    (Some(allowed), None) | (None, Some(allowed)) => both(columns, lines, allowed),
                    (None, None) => {}
                }
            }
        }
        Ok(Constraint::Adjacent { columns: columns.max(1), rows: lines, wraps, directions })
    })
}

fn counted(
    context: &mut Context,
    function: &str,
    arguments: &[Value],
    bounds: fn(u64) -> (u64, u64),
) -> Result<Value, Fault> {
    let board = board(context, function, arguments[0])?;
    let count = args::integer(context, function, arguments[1])?;
    let values = context.candidates_of(arguments[2])?;
    let places = places(context, function, board, arguments.get(3))?;
    let places = distinct(all_or(context, board, &places));
    let bound = places.clone();
    context.constrain(board, Some(&bound), |context, board| {
        let values = context.heap.boards[board].bits_of(&values);
        let (least, most) = match u64::try_from(count) {
            Ok(count) => bounds(count),
            // There are always more than so few: at most that many there are never.
            Err(_) if bounds(0).1 == 0 => (1, 0),
            Err(_) => (0, u64::MAX),
        };
        Ok(Constraint::Count { places, values, least, most })
    })
}

fn at_least(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    counted(context, "atLeast", arguments, |count| (count, u64::MAX))
}

fn at_most(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    counted(context, "atMost", arguments, |count| (0, count))
}

fn exactly(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    counted(context, "exactly", arguments, |count| (count, count))
}

fn sum_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "sumOf";
    let board = board(context, FUNCTION, arguments[0])?;
    let (low, high) = (args::number(context, FUNCTION, arguments[1])?, args::number(context, FUNCTION, arguments[2])?);
    let places = places(context, FUNCTION, board, arguments.get(3))?;
    let places = all_or(context, board, &places);
    let factors = match arguments.get(4) {
        None => vec![1.0; places.len()],
        Some(factors) => {
            let array = args::array(context, FUNCTION, *factors)?;
            let factors = context.heap.elements(array).to_vec();
            if factors.len() != places.len() {
                let message = format!("`sumOf` has {} factors for {} places", factors.len(), places.len());
                return Err(
                    Fault::error(ErrorKind::Value, message).with_hint("give one factor for each place, in their order")
                );
            }
            factors.iter().map(|factor| args::number(context, FUNCTION, *factor)).collect::<Result<_, _>>()?
        }
    };
    let bound = places.clone();
    context.constrain(board, Some(&bound), |context, board| {
        let numbers = numbers(context, FUNCTION, board, &places)?;
        Ok(Constraint::Sum { places, factors, numbers, low, high })
    })
}

fn tuples(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "tuples";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = places(context, FUNCTION, board, Some(&arguments[1]))?.unwrap_or_default();
    let rows = match arguments[2].kind() {
        Kind::Array => context.heap.elements(arguments[2].payload()).to_vec(),
        Kind::Set => context.heap.set_elements(arguments[2]),
        _ => return Err(context.wrong_argument(FUNCTION, "an array or a set of rows", arguments[2])),
    };
    let bound = places.clone();
    context.constrain(board, Some(&bound), |context, board| {
        let words = rows.len().div_ceil(64) + 2;
        let kinds = rows.len().min(context.heap.boards[board].universe().len());
        let bits = places.len().saturating_mul(kinds).saturating_mul(words);
        context.reserve(bits.saturating_mul(8).saturating_add(rows.len().saturating_mul(places.len() * 8)))?;
        context.charge(bits / 4);
        let universe = context.heap.boards[board].universe();
        let known: FxHashMap<Value, usize> = universe.iter().enumerate().map(|(at, value)| (*value, at)).collect();
        let mut numbers = Vec::new();
        for row in rows {
            let Some(array) = row.handle_of(Kind::Array) else {
                return Err(context.wrong_argument(FUNCTION, "rows that are arrays", row));
            };
            let values = context.heap.elements(array).to_vec();
            if values.len() != places.len() {
                let message = format!("`tuples` has {} places, but a row of {}", places.len(), values.len());
                return Err(Fault::error(ErrorKind::Value, message).with_hint("a row has a value for each place"));
            }
            context.charge(values.len() + 1);
            let mut spelled = Vec::with_capacity(values.len());
            for (value, place) in values.into_iter().zip(&places) {
                let value = context.freeze_at_once(value)?;
                let target = &context.heap.boards[board];
                let number = known.get(&value).copied();
                let can_be = |number: &usize| target.candidates(*place as usize)[number / 64] >> (number % 64) & 1 == 1;
                spelled.extend(number.filter(can_be).map(|number| number as u32));
            }
            // A row with a value that a place cannot have spells nothing.
            if spelled.len() == places.len() {
                numbers.extend(spelled);
            }
        }
        let length = places.len();
        Ok(Constraint::Table { places, table: Table::new(numbers, length) })
    })
}

fn pattern(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "pattern";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = places(context, FUNCTION, board, Some(&arguments[1]))?.unwrap_or_default();
    let text = args::text(context, FUNCTION, arguments[2])?;
    let mut names: FxHashMap<char, Value> = FxHashMap::default();
    if let Some(given) = arguments.get(3) {
        let object = args::object(context, FUNCTION, *given)?;
        let fields: Vec<(Value, Value)> = {
            let object = &context.heap.objects[object];
            object.keys().zip(object.values()).collect()
        };
        for (key, value) in fields {
            let key = args::text(context, FUNCTION, key)?;
            let mut characters = key.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                let message = format!("`pattern` gives names to single characters, not to {key:?}");
                return Err(Fault::error(ErrorKind::Value, message));
            };
            let value = context.freeze_at_once(value)?;
            names.insert(character, value);
        }
    }
    context.charge(text.len());
    let expression = Expression::read(&text).map_err(|wrong| {
        Fault::error(ErrorKind::Value, format!("`pattern` cannot read its regular expression: {wrong}"))
    })?;
    let bound = places.clone();
    context.constrain(board, Some(&bound), |context, board| {
        let universe = context.heap.boards[board].universe().to_vec();
        // The character that each value is read as.
        let mut read: Vec<Vec<char>> = Vec::with_capacity(universe.len());
        for value in universe {
            let named = names.iter().filter(|(_, other)| **other == value).map(|(character, _)| *character);
            let mut characters: Vec<char> = named.collect();
            let shown = context.display(value)?;
            let mut own = shown.chars();
            if let (Some(character), None) = (own.next(), own.next())
                && !names.contains_key(&character)
            {
                characters.push(character);
            }
            read.push(characters);
        }
        let Expression { symbols, follows, ends } = expression;
        let links: usize = follows.iter().map(Vec::len).sum();
        context.reserve(links.saturating_mul(read.len()).saturating_mul(12))?;
        context.charge(links.saturating_mul(read.len()) / 2 + 1);
        let mut steps = Vec::new();
        for (from, next) in follows.iter().enumerate() {
            for symbol in next {
                for (number, characters) in read.iter().enumerate() {
                    // `.` and classes with `^` match values that read as nothing, too.
                    let fits = match characters.is_empty() {
                        true => symbols[*symbol].matches('\u{fffd}'),
                        false => characters.iter().any(|character| symbols[*symbol].matches(*character)),
                    };
                    if fits {
                        steps.push((from as u32, number as u32, *symbol as u32 + 1));
                    }
                }
            }
        }
        steps.sort_unstable();
        steps.dedup();
        let ends = ends.into_iter().map(|end| end as u32).collect();
        Ok(Constraint::Pattern { places, automaton: Automaton { states: symbols.len() as u32 + 1, steps, ends } })
    })
}

fn connected(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "connected", arguments[0])?;
    let values = context.candidates_of(arguments[1])?;
    let (columns, rows) = (context.heap.grids[grid].width, context.heap.grids[grid].height);
    context.constrain(arguments[0], None, |context, board| {
        let values = context.heap.boards[board].bits_of(&values);
        Ok(Constraint::Connected { columns: columns.max(1), rows, values })
    })
}

fn reachable(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "reachable";
    let grid = args::grid(context, FUNCTION, arguments[0])?;
    let values = context.candidates_of(arguments[1])?;
    let ends = [
        place(context, FUNCTION, arguments[0], arguments[2])? as u32,
        place(context, FUNCTION, arguments[0], arguments[3])? as u32,
    ];
    let (columns, rows) = (context.heap.grids[grid].width, context.heap.grids[grid].height);
    context.constrain(arguments[0], None, |context, board| {
        let values = context.heap.boards[board].bits_of(&values);
        Ok(Constraint::Reachable { columns: columns.max(1), rows, values, ends })
    })
}

fn narrow(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "narrow", arguments[0])?;
    let place = place(context, "narrow", board, arguments[1])?;
    let narrowed = context.narrow_places(board, Some(place), arguments[2], false)?;
    if narrowed.is_kind(Kind::Set) {
        return Ok(narrowed);
    }
    Ok(context.heap.singleton(narrowed))
}

fn undecided(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "undecided", arguments[0])?;
    if board.is_kind(Kind::Grid) {
        return super::grid::undecided_positions(context, board);
    }
    let count = context.heap.places_of(board);
    context.reserve(count * 8)?;
    context.charge(count / 4);
    let open: Vec<usize> =
        (0..count).filter(|place| context.heap.is_undecided(context.heap.at_place(board, *place))).collect();
    let names = if board.is_kind(Kind::Object) {
        let keys: Vec<Value> = context.heap.objects[board.payload()].keys().collect();
        open.into_iter().map(|place| keys[place]).collect()
    } else {
        open.into_iter().map(Value::size).collect()
    };
    Ok(context.heap.array(names))
}

/// `__candidates(b, places)`: all values that the places can have, in order.
fn candidates(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "related", arguments[0])?;
    let places = match arguments[1] {
        Value::NULL => all_or(context, board, &None),
        name => vec![place(context, "related", board, name)? as u32],
    };
    let mut all: Vec<Value> = Vec::new();
    let mut met = rustc_hash::FxHashSet::default();
    context.charge(places.len() / 2);
    for place in places {
        let held = context.heap.at_place(board, place as usize);
        // Places often hold the same few sets.
        if met.insert(held) {
            all.extend(context.candidates_of(held)?);
        }
    }
    let set = context.heap.set_of_frozen(all);
    let all = context.heap.set_elements(set);
    Ok(context.heap.array(all))
}

/// How `decide` goes about choosing the next place.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Smallest,
    Conflicts,
    First,
    Random,
}

fn order_of(context: &mut Context, options: Value) -> Result<Order, Fault> {
    let key = context.heap.text("order");
    let Some(order) = context.heap.objects[options.payload()].get(key) else { return Ok(Order::Smallest) };
    match context.heap.as_str(order) {
        Some("smallest") => Ok(Order::Smallest),
        Some("conflicts") => Ok(Order::Conflicts),
        Some("first") => Ok(Order::First),
        Some("random") => Ok(Order::Random),
        _ => {
            let wanted = "\"smallest\", \"conflicts\", \"first\" or \"random\" as its order";
            Err(context.wrong_argument("decide", wanted, order))
        }
    }
}

/// `__nextPlace(b, options)`: the place that `decide` turns to, or null if all are decided.
fn next_place(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "decide", arguments[0])?;
    let options = arguments[1];
    known_options(context, "decide", options, &["order", "weights", "places"])?;
    let order = order_of(context, options)?;
    let key = context.heap.text("places");
    let among = context.heap.objects[options.payload()].get(key);
    let among = places(context, "decide", board, among.as_ref())?;
    if among.is_none()
        && order != Order::Conflicts
        && let Some(handle) = context.heap.constrained(board)
    {
        // Half a step for a place, once.
        context.charge(1);
        let rng = &mut context.rng;
        if let Some((open, fewest)) = context.heap.open_places(handle) {
            let picked = match order {
                Order::First => open.select(0),
                _ if open.len() == 0 => None,
                Order::Random => open.select(rng.below(open.len() as u64) as usize),
                _ => fewest.select(rng.below(fewest.len() as u64) as usize),
            };
            return Ok(picked.map_or(Value::NULL, |place| context.name_of_place(board, place)));
        }
    }
    let among = all_or(context, board, &among);
    context.charge(among.len() / 2 + 1);
    let open: Vec<u32> = among
        .into_iter()
        .filter(|place| context.heap.is_undecided(context.heap.at_place(board, *place as usize)))
        .collect();
    let rank = |context: &Context, place: u32| -> (u64, u64) {
        let size = context.heap.set_len(context.heap.at_place(board, place as usize)) as u64;
        let weight = match (order, context.heap.constrained(board)) {
            (Order::Conflicts, Some(handle)) => context.heap.weight_of_place(handle, place as usize),
            _ => 1,
        };
        (size, weight)
    };
    let best: Vec<u32> = match order {
        Order::First => open.into_iter().take(1).collect(),
        Order::Random => open,
        _ => {
            let mut best: Vec<u32> = Vec::new();
            let mut least = (u64::MAX, 1u64);
            for place in open {
                let (size, weight) = rank(context, place);
                let order = (u128::from(size) * u128::from(least.1)).cmp(&(u128::from(least.0) * u128::from(weight)));
                if order.is_lt() {
                    best.clear();
                    least = (size, weight);
                }
                if order.is_le() {
                    best.push(place);
                }
            }
            best
        }
    };
    let picked = match best.len() {
        0 => return Ok(Value::NULL),
        1 => best[0],
        count => best[context.rng.below(count as u64) as usize],
    };
    Ok(context.name_of_place(board, picked as usize))
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
         offsets, no two sums of value and offset. Takes away all that this alone rules out.",
        ("allDifferent([setOf(1, 2), setOf(1, 2), setOf(1, 2, 3)])[2]", "{3}"),
    )
    .costing(Cost::Linear),
    Row::script(
        "related",
        "b, p, q, r",
        &[(4, "relatedBy")],
        "Puts a constraint on a board: the relation, or the function of two values, holds between the values at the \
         places p and q.",
        ("related([setOf(1, 2, 3), setOf(1, 2, 3)], 0, 1, (a, b) => a > b + 1)", "[{3}, {1}]"),
    )
    .costing(Cost::Search),
    Row::script(
        "adjacent",
        "g, r[, options]",
        &[(2, "adjacentSimply"), (3, "adjacentBy")],
        "Puts a constraint on a grid: the relation, or the function of two values, holds between every two neighbours, \
         both ways round. `{right: r, down: s}` has one for each side, as `relationsFrom` gives them. Options: `wrap`, \
         `diagonal`.",
        ("adjacent(grid([[setOf(1), setOf(1, 2, 3), setOf(1, 2)]]), (a, b) => a != b)[1, 0]", "{2, 3}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "atLeast",
        "b, n, values[, places]",
        3,
        Some(4),
        at_least,
        "Puts a constraint on a board: at least n of the places hold one of the values (a set, or one value).",
        ("atLeast([setOf(1, 2), setOf(2, 3)], 2, 2)", "[{2}, {2}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "atMost",
        "b, n, values[, places]",
        3,
        Some(4),
        at_most,
        "Puts a constraint on a board: at most n of the places hold one of the values (a set, or one value).",
        ("atMost([2, setOf(2, 3)], 1, 2)", "[2, {3}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "exactly",
        "b, n, values[, places]",
        3,
        Some(4),
        exactly,
        "Puts a constraint on a board: n of the places hold one of the values (a set, or one value).",
        ("exactly([2, setOf(2, 3), setOf(2)], 2, 2)", "[2, {3}, {2}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "sumOf",
        "b, low, high[, places[, factors]]",
        3,
        Some(5),
        sum_of,
        "Puts a constraint on a board: the sum of the numbers, each times its factor, lies between the two.",
        ("sumOf([setOf(1, 5, 9), setOf(2, 3)], 7, 7)", "[{5}, {2}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "tuples",
        "b, places, rows",
        3,
        Some(3),
        tuples,
        "Puts a constraint on a board: read in order, the places spell one of the rows, an array or a set of arrays.",
        ("tuples([setOf(1, 2), setOf(1, 2, 3)], [0, 1], [[1, 2], [2, 2], [3, 3]])", "[{1, 2}, {2}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "pattern",
        "b, places, text[, names]",
        3,
        Some(4),
        pattern,
        "Puts a constraint on a board: read in order, the places spell a text that the regular expression matches from \
         beginning to end. A character stands for the value that shows as it, or for what `names` gives for it. Known \
         are `.`, classes, groups, `|`, `*`, `+`, `?` and counts such as `{2,3}`.",
        ("pattern([setOf(0, 1), setOf(0, 1), setOf(0, 1)], [0, 1, 2], \"0*11\")", "[{0}, {1}, {1}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "connected",
        "g, values",
        2,
        Some(2),
        connected,
        "Puts a constraint on a grid: the cells that hold one of the values (a set, or one value) form one piece; none \
         is allowed.",
        ("connected(grid([[1, setOf(0, 1), 1, 0, setOf(0, 1)]]), 1)[1, 0]", "{1}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "reachable",
        "g, values, from, to",
        4,
        Some(4),
        reachable,
        "Puts a constraint on a grid: both ends hold one of the values (a set, or one value), and a way of such cells \
         joins them.",
        ("reachable(makeGrid(3, 1, setOf(0, 1)), 1, position(0, 0), position(2, 0))[1, 0]", "{1}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "narrow",
        "b, place, allowed",
        3,
        Some(3),
        narrow,
        "Takes away from a place of any board what is not in `allowed` (a set, or one value), and returns the set that \
         is left; fails if nothing is.",
        ("narrow([setOf(1, 2, 3)], 0, setOf(2, 3, 4))", "{2, 3}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "undecided",
        "b",
        1,
        Some(1),
        undecided,
        "The places of a board that hold a set with not exactly one element, in order.",
        ("undecided({a: setOf(1, 2), b: setOf(1), c: 5})", "[\"a\"]"),
    )
    .costing(Cost::Linear),
    Row::script(
        "decide",
        "b[, options]",
        &[(1, "decideSimply"), (2, "decideBy")],
        "Guesses until no place of the board is undecided, and returns the board. Which place is next is no choice, its \
         value is. Options: `order`, which is \"smallest\", \"conflicts\", \"first\" or \"random\", `weights` as in \
         `chooseElement`, and `places`.",
        ("countSolutions(() => decide(allDifferent([setOf(1, 2, 3), setOf(1, 2, 3), setOf(1, 2, 3)])))", "6"),
    )
    .costing(Cost::Search),
    Row::plain("__related", "", 4, Some(4), related, "", ("", "")),
    Row::plain("__adjacent", "", 3, Some(3), adjacent, "", ("", "")),
    Row::plain("__candidates", "", 2, Some(2), candidates, "", ("", "")),
    Row::plain("__nextPlace", "", 2, Some(2), next_place, "", ("", "")),
];
