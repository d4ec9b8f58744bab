//! Calls of all built-ins: how an argument is made follows from what the parameter is called.

use ndscript::reference::{Entry, entries};

use super::kinds::Kind;
use super::writer::Writer;

/// What a parameter takes: where it belongs (a built-in, a domain, or `*` for all), its name, and kinds, the likely ones
/// several times. The first row that fits counts.
const RECIPES: &[(&str, &str, &[Kind])] = &[
    ("reduce", "f", &[Kind::Folding]),
    ("reduce", "start", &[Kind::Any]),
    ("filter", "f", &[Kind::Predicate]),
    ("automaton", "start", &[Kind::Any]),
    ("automaton", "next", &[Kind::Folding]),
    ("automaton", "ends", &[Kind::Predicate]),
    ("retry", "times", &[Kind::Count]),
    ("textFromCodes", "codes", &[Kind::Numbers]),
    ("Strings", "pattern", &[Kind::Text]),
    ("replaceAll", "to", &[Kind::Text]),
    ("*", "edges", &[Kind::Rows, Kind::Pairs, Kind::Array]),
    ("either", "list", &[Kind::Pairs, Kind::Array]),
    ("counts", "limits", &[Kind::Object, Kind::Pairs]),
    ("count", "f", &[Kind::Predicate]),
    ("mapGrid", "f", &[Kind::Folding]),
    (
        "floodFill",
        "test",
        &[Kind::Predicate, Kind::Any, Kind::Set],
    ),
    ("floodFill", "start", &[Kind::Position]),
    (
        "shortestPath",
        "test",
        &[Kind::Predicate, Kind::Any, Kind::Set],
    ),
    ("shortestPath", "from", &[Kind::Position]),
    ("shortestPath", "to", &[Kind::Position]),
    ("printTilemap", "legend", &[Kind::Legend, Kind::Function]),
    ("printGrid", "separator", &[Kind::Text]),
    ("printLegend", "legend", &[Kind::Legend, Kind::Array]),
    ("printLayers", "layers", &[Kind::Array, Kind::Layers]),
    ("label", "text", &[Kind::Text, Kind::Number]),
    ("label", "look", &[Kind::Object]),
    ("formatNumber", "digits", &[Kind::Count]),
    ("any", "f", &[Kind::Predicate]),
    ("all", "f", &[Kind::Predicate]),
    ("minBy", "f", &[Kind::Measure]),
    ("maxBy", "f", &[Kind::Measure]),
    ("sorted", "keyFunction", &[Kind::Function, Kind::Measure]),
    ("Collections", "f", &[Kind::Function]),
    ("sum", "collection", &[Kind::NumberCollection]),
    ("join", "separator", &[Kind::Text]),
    ("chooseElement", "weights", &[Kind::Weights, Kind::Measure]),
    ("randomElement", "weights", &[Kind::Weights, Kind::Measure]),
    ("toNumber", "s", &[Kind::Text]),
    ("Numbers", "a", &[Kind::NumberCollection, Kind::Number]),
    ("Any value", "a", &[Kind::Any]),
    ("Printing", "a", &[Kind::Any]),
    ("Arrays", "a", &[Kind::Array]),
    ("Numbers", "b", &[Kind::Number]),
    ("range", "b", &[Kind::Count]),
    ("range", "a", &[Kind::Count]),
    ("range", "step", &[Kind::Count, Kind::Number]),
    ("Printing", "b", &[Kind::Any]),
    ("Arrays", "b", &[Kind::Array]),
    ("trueIn", "literal", &[Kind::Text]),
    ("trueIn", "model", &[Kind::Collection]),
    ("Strings", "s", &[Kind::Text]),
    ("Tiled", "s", &[Kind::Text]),
    ("Tiled", "tileSets", &[Kind::Object]),
    ("Sets", "s", &[Kind::Set]),
    ("Sets", "t", &[Kind::Set]),
    ("Relations", "s", &[Kind::Set]),
    ("Relations", "r", &[Kind::Relation]),
    ("Relations", "t", &[Kind::Relation]),
    ("replace", "from", &[Kind::Text]),
    ("replace", "to", &[Kind::Text]),
    ("printHeatmap", "g", &[Kind::Heights]),
    ("printTilemap", "g", &[Kind::Tiles]),
    ("printTilesetMap", "g", &[Kind::Tileset]),
    ("snapshot", "g", &[Kind::Tileset]),
    ("printGrid", "g", &[Kind::Grid]),
    ("snapshot", "g", &[Kind::Tileset]),
    ("relationsFrom", "sampleGrid", &[Kind::Grid]),
    ("gridFromText", "text", &[Kind::Picture]),
    ("makeGrid", "value", &[Kind::Any]),
    ("pattern", "text", &[Kind::Text]),
    ("pattern", "names", &[Kind::Legend]),
    ("constrain", "f", &[Kind::Thunk]),
    ("reachable", "from", &[Kind::Position]),
    ("reachable", "to", &[Kind::Position]),
    ("named", "name", &[Kind::Text]),
    ("named", "f", &[Kind::Thunk]),
    ("steps", "b", &[Kind::Ruled]),
    ("difficulty", "b", &[Kind::Ruled]),
    ("makeUnique", "b", &[Kind::Ruled]),
    ("makeUnique", "options", &[Kind::Options]),
    ("element", "index", &[Kind::Position]),
    ("element", "result", &[Kind::Position]),
    ("adjacent", "options", &[Kind::Options]),
    ("decide", "options", &[Kind::Options]),
    ("Guessing", "f", &[Kind::Thunk]),
    ("Guessing", "n", &[Kind::Count]),
    ("Pictures", "g", &[Kind::Grid]),
    ("*", "g", &[Kind::Board]),
    ("*", "b", &[Kind::Board]),
    ("*", "board", &[Kind::Board]),
    ("*", "places", &[Kind::Places]),
    ("*", "place", &[Kind::Position, Kind::Count]),
    ("*", "p", &[Kind::Position]),
    ("*", "q", &[Kind::Position]),
    ("*", "r", &[Kind::Relation, Kind::Folding]),
    ("*", "offsets", &[Kind::Numbers]),
    ("*", "factors", &[Kind::Numbers]),
    ("*", "values", &[Kind::Set, Kind::Any]),
    ("*", "allowed", &[Kind::Set, Kind::Any]),
    ("*", "failures", &[Kind::Count]),
    ("*", "caption", &[Kind::Text]),
    ("*", "message", &[Kind::Any, Kind::Text]),
    ("*", "condition", &[Kind::Boolean]),
    ("*", "v", &[Kind::Any]),
    ("*", "value", &[Kind::Any]),
    ("*", "array", &[Kind::Array]),
    ("*", "index", &[Kind::Count]),
    ("*", "result", &[Kind::Count, Kind::Position]),
    ("*", "from", &[Kind::Count]),
    ("*", "to", &[Kind::Count]),
    ("*", "string", &[Kind::Text]),
    ("*", "part", &[Kind::Text]),
    ("*", "separator", &[Kind::Text]),
    ("*", "filler", &[Kind::Text]),
    ("*", "text", &[Kind::Text]),
    ("*", "collection", &[Kind::Collection]),
    ("*", "c", &[Kind::Collection]),
    ("*", "d", &[Kind::Collection]),
    ("*", "element", &[Kind::Any]),
    ("*", "set", &[Kind::Set]),
    ("*", "object", &[Kind::Object]),
    ("*", "key", &[Kind::Text]),
    ("*", "queue", &[Kind::Queue, Kind::PriorityQueue]),
    ("*", "priority", &[Kind::Number]),
    ("*", "pair", &[Kind::Pairs]),
    ("*", "arrayOfPairs", &[Kind::Pairs]),
    ("*", "position", &[Kind::Position]),
    ("*", "grid", &[Kind::Grid]),
    ("*", "rows", &[Kind::Rows]),
    ("*", "legend", &[Kind::Legend]),
    ("*", "defaultTile", &[Kind::Tile]),
    ("*", "width", &[Kind::Count]),
    ("*", "height", &[Kind::Count]),
    ("*", "size", &[Kind::Count]),
    ("*", "name", &[Kind::Tile, Kind::Text]),
    ("*", "prompt", &[Kind::Text, Kind::Any]),
    ("*", "options", &[Kind::Collection]),
    ("*", "default", &[Kind::Any]),
    ("*", "x", &[Kind::Number]),
    ("*", "y", &[Kind::Number]),
    ("*", "n", &[Kind::Count, Kind::Number]),
    ("*", "a", &[Kind::Count]),
    ("*", "step", &[Kind::Number]),
    ("*", "low", &[Kind::Number]),
    ("*", "high", &[Kind::Number]),
    ("*", "f", &[Kind::Function]),
    ("*", "start", &[Kind::Any]),
];

/// A parameter of a built-in.
#[derive(Debug, PartialEq)]
struct Parameter<'a> {
    name: &'a str,
    optional: bool,
}

/// For every parameter of every built-in, a call in which it is an argument that is long, while all others are small.
pub fn calls_with(argument: &str) -> Vec<String> {
    let mut calls = Vec::new();
    for entry in entries() {
        for (parameters, _) in ways(entry.parameters) {
            for place in 0..parameters.len() {
                let small = |at: usize| {
                    recipe(&entry, parameters[at].name).unwrap_or(&[Kind::Any])[0].smallest()
                };
                let text = |at: usize| if at == place { argument } else { small(at) };
                let arguments: Vec<&str> = (0..parameters.len()).map(text).collect();
                calls.push(format!("{}({})", entry.name, arguments.join(", ")));
            }
        }
    }
    calls
}

/// The ways to call a built-in; the second of each says whether its last parameter may be given again and again.
fn ways(parameters: &str) -> Vec<(Vec<Parameter<'_>>, bool)> {
    parameters.split('|').map(way).collect()
}

fn way(parameters: &str) -> (Vec<Parameter<'_>>, bool) {
    let mut way = Vec::new();
    let mut depth = 0;
    let mut begin = 0;
    let ends = parameters.char_indices().chain([(parameters.len(), ',')]);
    for (at, character) in ends {
        if !matches!(character, ',' | '[' | ']') {
            continue;
        }
        let name = parameters[begin..at].trim();
        if !name.is_empty() && name != "..." {
            way.push(Parameter {
                name,
                optional: depth > 0,
            });
        }
        begin = at + 1;
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
    }
    (way, parameters.contains("..."))
}

fn recipe(entry: &Entry, parameter: &str) -> Option<&'static [Kind]> {
    let fits = |row: &&(&str, &str, &[Kind])| {
        [entry.name, entry.domain, "*"].contains(&row.0) && row.1 == parameter
    };
    RECIPES.iter().find(fits).map(|row| row.2)
}

impl Writer {
    /// A call of some built-in.
    pub fn call(&mut self) -> String {
        let all: Vec<Entry> = entries().collect();
        let entry = *self.random.pick(&all);
        self.call_of(&entry)
    }

    fn call_of(&mut self, entry: &Entry) -> String {
        format!("{}({})", entry.name, self.arguments(entry).join(", "))
    }

    /// The arguments of a call of it.
    pub fn arguments(&mut self, entry: &Entry) -> Vec<String> {
        let ways = ways(entry.parameters);
        let (parameters, repeats) = &ways[self.random.below(ways.len())];
        let mut arguments = Vec::new();
        // Optional parameters go together: all of them, or those before some place.
        let wants_options = self.random.percent(50);
        for parameter in parameters
            .iter()
            .filter(|parameter| wants_options || !parameter.optional)
        {
            arguments.push(self.argument(entry, parameter.name));
        }
        if let Some(last) = parameters.last().filter(|_| *repeats) {
            let more = if self.random.percent(4) {
                self.random.between(100, 400)
            } else {
                self.random.below(3)
            };
            let argument = self.argument(entry, last.name);
            arguments.extend(std::iter::repeat_n(argument, more));
        }
        arguments
    }

    fn argument(&mut self, entry: &Entry, parameter: &str) -> String {
        let kinds = recipe(entry, parameter).unwrap_or(&[Kind::Any]);
        let kind = if self.random.percent(4) {
            Kind::Any
        } else {
            *self.random.pick(kinds)
        };
        self.value(kind)
    }
}

#[test]
fn every_parameter_of_every_built_in_has_a_recipe() {
    let mut missing = Vec::new();
    for entry in entries() {
        for (parameters, _) in ways(entry.parameters) {
            for parameter in parameters
                .iter()
                .filter(|parameter| recipe(&entry, parameter.name).is_none())
            {
                missing.push(format!(
                    "`{}` of `{}` ({})",
                    parameter.name, entry.name, entry.domain
                ));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "add rows to RECIPES in tests/hostile/calls.rs for {}",
        missing.join(", ")
    );
}

#[test]
fn every_built_in_is_called_in_many_ways_that_are_no_type_errors() {
    use super::measure::measure;
    use super::program::Program;
    let scale = super::writer::Scale {
        elements: 2_000,
        steps: 100_000,
    };
    for entry in entries() {
        let mut right = 0;
        for seed in 0..20 {
            let mut writer = Writer::new(seed, scale);
            let call = writer.call_of(&entry);
            writer.lines.push(format!("{call};"));
            let program = Program {
                lines: writer.lines,
                steps: scale.steps,
                memory: 16 << 20,
                keeps_globals: false,
            };
            let measured = measure(&program);
            right += u32::from(!measured.end.contains("wants") && measured.panic.is_none());
        }
        assert!(
            right >= 1,
            "the recipes of `{}` make {right} right calls out of 20",
            entry.name
        );
    }
}

#[test]
fn parameters_are_read() {
    let names = |text: &'static str| {
        ways(text)
            .into_iter()
            .map(|way| way.0.iter().map(|p| (p.name, p.optional)).collect())
            .collect::<Vec<Vec<_>>>()
    };
    assert_eq!(
        names("[a, ]b[, step]"),
        [[("a", true), ("b", false), ("step", true)]]
    );
    assert_eq!(
        names("array, value | string, part"),
        [
            [("array", false), ("value", false)],
            [("string", false), ("part", false)]
        ]
    );
    assert_eq!(
        names("b[, places[, offsets]]"),
        [[("b", false), ("places", true), ("offsets", true)]]
    );
    assert_eq!(names("element, ..."), [[("element", false)]]);
    assert_eq!(names(""), [[]; 1]);
}
