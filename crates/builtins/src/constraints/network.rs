//! Constraints on graphs: loops and trees of edges, regions and paths over given neighbors, divisions into regions.

use super::constraint::{allows_missing, board, connected_cells, reachable_cells, with_options};
use super::constraint_work::Rows;
use super::network_work::{Edges, NeighborRelation, NetworkBuilder, Wanted};
use super::place::{place, place_named};
use crate::options::{flag, known_options};
use crate::{Cost, Row, args};
use ndscript_base::budget::Budget;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::work::naming::Names;
use ndscript_machine::work::posting::Places;
use ndscript_solver::{Lattice, Shape};

/// The value of an option, if it is given.
fn option(context: &mut Context, options: Value, name: &str) -> Option<Value> {
    let key = context.heap.text(name);
    context.heap.objects[options.payload()].get(key)
}

/// The place of an edge `[place, node, node]`, for a work.
fn place_of_edge(
    context: &mut Context,
    function: &'static str,
    board: Value,
    edge: Value,
) -> Result<usize, Fault> {
    let row = edge.handle_of(Kind::Array);
    let Some(row) = row.filter(|row| context.heap.array_len(*row) == 3) else {
        return Err(context.wrong_argument(function, "edges, each `[place, node, node]`", edge));
    };
    let name = context.heap.element(row, 0).unwrap_or(Value::NULL);
    // The text of a key is short compared with the edges.
    let found = Names::default().finding_name(context, name, &mut Budget::unlimited());
    place_named(context, function, board, found.unwrap_or(name))
}

/// `__neighbours(b, options, function)`: checks the options of a rule about neighbors.
fn check_neighbours(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = args::text(context, "", arguments[2])?;
    let (function, known): (&'static str, &[&str]) = match &*name {
        "connected" => (
            "connected",
            &["wrap", "diagonal", "links", "joined", "missing"],
        ),
        "reachable" => (
            "reachable",
            &[
                "wrap", "diagonal", "links", "joined", "atLeast", "atMost", "missing",
            ],
        ),
        _ => (
            "regions",
            &["sizes", "single", "wrap", "diagonal", "links", "parted"],
        ),
    };
    let own = board(context, function, arguments[0])?;
    let options = arguments[1];
    args::object(context, function, options)?;
    if function == "regions" && option(context, options, "parted").is_some() {
        let known = ["parted", "values", "sizes", "missing"];
        let refused = known_options(context, function, options, &known);
        return refused
            .map(|()| Value::NULL)
            .map_err(|fault| fault.with_hint("with `parted`, the edges say what is joined"));
    }
    known_options(context, function, options, known)?;
    let wraps = flag(context, function, options, "wrap")?;
    let diagonal = flag(context, function, options, "diagonal")?;
    let links = option(context, options, "links");
    let joined = option(context, options, "joined");
    let sides = joined.filter(|joined| joined.is_kind(Kind::Object));
    if links.is_none() && !own.is_kind(Kind::Grid) {
        return Err(context
            .wrong_argument(function, "a grid", own)
            .with_hint("of another board give the neighbours: `{links: [[place, place], ...]}`"));
    }
    if let Some(sides) = sides {
        known_options(context, function, sides, &["right", "left", "down", "up"])?;
    }
    let (message, hint) = match () {
        () if links.is_some() && (wraps || diagonal) => (
            "has `links`, which say all neighbours, and `wrap` or `diagonal`",
            "leave one of them out",
        ),
        () if links.is_some() && sides.is_some() => (
            "has `links`, which have no sides, and `joined` with a relation for each side",
            "give one relation as `joined`",
        ),
        () if diagonal && sides.is_some() => (
            "has `joined` with a relation for each side, and none for the diagonals",
            "leave out `diagonal`, or give one relation",
        ),
        () => return Ok(Value::NULL),
    };
    Err(Fault::error(ErrorKind::Value, format!("`{function}` {message}")).with_hint(hint))
}

/// The neighbors that the options give: those of a list of links, or of the grid.
fn edges(
    context: &mut Context,
    function: &'static str,
    board: Value,
    options: Value,
) -> Result<Edges, Fault> {
    if let Some(links) = option(context, options, "links") {
        return match links.kind() {
            Kind::Array | Kind::Set | Kind::Relation => Ok(Edges::Links(links)),
            _ => {
                let wanted = "`links` as a relation or an array of pairs of places";
                Err(context.wrong_argument(function, wanted, links))
            }
        };
    }
    let grid = args::grid(context, function, board)?;
    Ok(Edges::Lattice(Lattice {
        columns: context.heap.grids[grid].width,
        rows: context.heap.grids[grid].height,
        wraps: flag(context, function, options, "wrap")?,
        diagonal: flag(context, function, options, "diagonal")?,
    }))
}

/// The relations of the neighbors that count.
fn joined_rows(
    context: &mut Context,
    function: &str,
    joined: Value,
) -> Result<(NeighborRelation, Vec<Rows>), Fault> {
    let relation = |context: &Context, value: Value| {
        args::handle(context, function, "a relation", Kind::Relation, value).map(|_| value)
    };
    if !joined.is_kind(Kind::Object) {
        let both = relation(context, joined)?;
        return Ok((NeighborRelation::Both, vec![Rows::both_ways(both)]));
    }
    let mut rows = Vec::new();
    let mut tables = [None; 2];
    for (at, sides) in [["right", "left"], ["down", "up"]].into_iter().enumerate() {
        let mut given = [None; 2];
        for (side, given) in sides.into_iter().zip(&mut given) {
            let value = option(context, joined, side);
            *given = value.map(|value| relation(context, value)).transpose()?;
        }
        let row = match given {
            [Some(there), Some(back)] => Rows::there_and_back(there, back),
            [Some(there), None] => Rows::of(there),
            [None, Some(back)] => Rows::turned(back),
            [None, None] => continue,
        };
        tables[at] = Some(rows.len() as u32);
        rows.push(row);
    }
    Ok((NeighborRelation::Sides(tables), rows))
}

/// Whether no option is about neighbors, so that the plain ones of the grid apply.
fn is_plain(
    context: &mut Context,
    function: &str,
    options: Value,
    joined: Value,
) -> Result<bool, Fault> {
    let has_others = flag(context, function, options, "wrap")?
        || flag(context, function, options, "diagonal")?
        || option(context, options, "links").is_some()
        || joined != Value::NULL;
    Ok(!has_others)
}

/// Posts a rule about regions or paths on a board. The prelude has made the relations.
fn join(
    context: &mut Context,
    function: &'static str,
    board: Value,
    values: Value,
    options: Value,
    shape: Shape,
    joined: Value,
) -> Result<Value, Fault> {
    let missing = allows_missing(context, function, Some(options))?;
    let edges = edges(context, function, board, options)?;
    let mut making =
        NetworkBuilder::new(function, Wanted::Shape(shape), edges).about(values, missing);
    if joined != Value::NULL {
        let (joined, rows) = joined_rows(context, function, joined)?;
        making = making.joined_by(joined, rows);
    }
    context.constrain(function, board, place_named, Places::Everywhere, making)
}

/// `__connected(b, values, options, joined)`
fn connected(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "connected";
    let (options, joined) = (arguments[2], arguments[3]);
    if is_plain(context, FUNCTION, options, joined)? {
        return connected_cells(context, &[arguments[0], arguments[1], options]);
    }
    let board = board(context, FUNCTION, arguments[0])?;
    join(
        context,
        FUNCTION,
        board,
        arguments[1],
        options,
        Shape::Connected,
        joined,
    )
}

/// The number of steps that an option allows.
fn steps(context: &mut Context, options: Value, name: &str) -> Result<Option<u32>, Fault> {
    let Some(given) = option(context, options, name) else {
        return Ok(None);
    };
    let steps = given.as_integer().filter(|steps| *steps >= 0);
    match steps {
        Some(steps) => Ok(Some(u32::try_from(steps).unwrap_or(u32::MAX))),
        None => {
            let wanted = format!("a whole number from 0 as its `{name}`");
            Err(context.wrong_argument("reachable", &wanted, given))
        }
    }
}

/// `__reachable(b, values, from, to, options, joined)`
fn reachable(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "reachable";
    let (options, joined) = (arguments[4], arguments[5]);
    let least = steps(context, options, "atLeast")?;
    let most = steps(context, options, "atMost")?;
    if least.is_none() && most.is_none() && is_plain(context, FUNCTION, options, joined)? {
        let [g, values, from, to] = [0, 1, 2, 3].map(|at| arguments[at]);
        return reachable_cells(context, &[g, values, from, to, options]);
    }
    let board = board(context, FUNCTION, arguments[0])?;
    let shape = Shape::Reachable {
        ends: [
            place(context, FUNCTION, board, arguments[2])? as u32,
            place(context, FUNCTION, board, arguments[3])? as u32,
        ],
        steps: [least.unwrap_or(0), most.unwrap_or(u32::MAX)],
    };
    join(
        context,
        FUNCTION,
        board,
        arguments[1],
        options,
        shape,
        joined,
    )
}

/// Posts a rule on a board whose places are edges: `(b, edges[, values][, options])`.
fn on_edges(
    context: &mut Context,
    function: &'static str,
    shape: Shape,
    arguments: &[Value],
) -> Result<Value, Fault> {
    let board = board(context, function, arguments[0])?;
    let (arguments, options) = with_options(context, function, arguments, 2, &["missing"])?;
    let missing = allows_missing(context, function, options)?;
    let edges = list_of_edges(context, function, arguments[1])?;
    let values = arguments.get(2).copied().unwrap_or(Value::TRUE);
    let making = NetworkBuilder::new(function, Wanted::Shape(shape), Edges::Listed)
        .about(values, missing)
        .listing(edges);
    let places = Places::Listed {
        names: Some(edges),
        are_distinct: false,
    };
    context.constrain(function, board, place_of_edge, places, making)
}

fn list_of_edges(context: &Context, function: &str, edges: Value) -> Result<Value, Fault> {
    match edges.kind() {
        Kind::Array | Kind::Set => Ok(edges),
        _ => {
            let wanted = "an array of edges, each `[place, node, node]`";
            Err(context.wrong_argument(function, wanted, edges))
        }
    }
}

fn circuit(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    on_edges(context, "circuit", Shape::Circuit, arguments)
}

fn acyclic(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    on_edges(context, "acyclic", Shape::Acyclic, arguments)
}

/// `__regions(b, options, sizes)`: an array of values and their sizes, one after the other.
fn regions_by(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "regions";
    let board = board(context, FUNCTION, arguments[0])?;
    let (options, sizes) = (arguments[1], arguments[2]);
    let wanted = Wanted::Regions {
        single: flag(context, FUNCTION, options, "single")?,
        has_sizes: sizes != Value::NULL,
    };
    let edges = edges(context, FUNCTION, board, options)?;
    let mut making = NetworkBuilder::new(FUNCTION, wanted, edges);
    if sizes != Value::NULL {
        making = making.listing(sizes);
    }
    context.constrain(FUNCTION, board, place_named, Places::Everywhere, making)
}

/// `__regionsParted(b, options, sizes)`: an array of nodes and their sizes, one after the other; one element if it is for all; or null.
fn regions_parted(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "regions";
    let board = board(context, FUNCTION, arguments[0])?;
    let (options, sizes) = (arguments[1], arguments[2]);
    let missing = allows_missing(context, FUNCTION, Some(options))?;
    let edges = option(context, options, "parted").unwrap_or(Value::NULL);
    let edges = list_of_edges(context, FUNCTION, edges)?;
    let values = option(context, options, "values").unwrap_or(Value::TRUE);
    let mut making = NetworkBuilder::new(FUNCTION, Wanted::Division, Edges::Listed)
        .about(values, missing)
        .listing(edges);
    if sizes != Value::NULL {
        making = making.sized_by(sizes);
    }
    let places = Places::Listed {
        names: Some(edges),
        are_distinct: false,
    };
    context.constrain(FUNCTION, board, place_of_edge, places, making)
}

/// `regions(g)`, which only checks that it is a grid.
fn regions(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, "regions", arguments[0]).map(|_| arguments[0])
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "circuit",
        "b, edges[, values][, options]",
        2,
        Some(4),
        circuit,
        "Puts a constraint on a board: `edges` is an array of `[place, node, node]`; the edges whose place holds one of the values \
         (a set, or one value; true, if they are left out) form exactly one closed loop, which goes through no node twice. Nodes \
         are any values. Two edges between the same nodes are a loop.",
        (
            "circuit([setOf(true, false), setOf(true, false), true], [[0, \"a\", \"b\"], [1, \"b\", \"c\"], [2, \"c\", \"a\"]])",
            "[{true}, {true}, true]",
        ),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::plain(
        "acyclic",
        "b, edges[, values][, options]",
        2,
        Some(4),
        acyclic,
        "Puts a constraint on a board: the edges, as in `circuit`, whose place holds one of the values form no closed loop. They have no \
         direction: two between the same nodes are a loop.",
        (
            "acyclic([true, setOf(true, false), true], [[0, \"a\", \"b\"], [1, \"b\", \"c\"], [2, \"c\", \"a\"]])",
            "[true, {false}, true]",
        ),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::plain(
        "regions",
        "b[, options]",
        1,
        Some(2),
        regions,
        "Puts a constraint on a board: places with equal values that touch form pieces. Options: `{sizes: f}`, where `f(value)` is \
         the size, or an array or a set of the sizes, that a piece of that value may have; `{single: true}`, by which each value \
         has at most one piece; `wrap`, `diagonal` and `links`, as in `connected`. With `{parted: edges}`, edges as in `circuit`, \
         the pieces are of nodes: an edge whose place holds one of the `values` (true, if they are left out) parts two pieces, and every \
         other edge joins two nodes of one; `f(node)` is the size of its piece. `sizes` may also be what holds for all, without a function.",
        ("regions(grid([[setOf(1, 2), 2, setOf(1, 2, 3)]]), {sizes: n => n})[2, 0]", "{1, 2}"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .with_scripts(&[(2, "regionsBy")])
    .costing(Cost::Search),
    Row::plain("__connected", "", 4, Some(4), connected, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__reachable", "", 6, Some(6), reachable, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__regions", "", 3, Some(3), regions_by, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__regionsParted", "", 3, Some(3), regions_parted, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__neighbours", "", 3, Some(3), check_neighbours, "", ("", "")),
];
