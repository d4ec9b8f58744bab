//! The work of built-ins is charged as the reference says, and bounded between two looks at the limits.
//!
//! The machine looks at its limits every 32,768 steps and after every built-in and comparison, so what it does between
//! two looks is at most such a slice and one operation; and one operation visits what it reads and makes, sorting
//! it at most, which the limit of memory bounds.

use ndscript::{Limits, Outcome, reference};

use super::program;

/// A built-in, what is made ready, and the call; # stands for the size.
const CASES: &[(&str, &str, &str)] = &[
    ("toString", "var a = toArray(range(#));", "toString(a)"),
    (
        "toNumber",
        "var s = repeat(\"0\", #) + \"1\"; s = \"0.\" + s;",
        "toNumber(s)",
    ),
    ("copy", "var a = toArray(range(#));", "copy(a)"),
    (
        "deepCopy",
        "var a = map(range(#), i => [i]);",
        "deepCopy(a)",
    ),
    (
        "textFromCodes",
        "var a = map(range(#), i => 97);",
        "textFromCodes(a)",
    ),
    (
        "matches",
        "var s = repeat(\"ab\", #);",
        "matches(s, \"(ab)*\")",
    ),
    (
        "findAll",
        "var s = repeat(\"ab \", #);",
        "findAll(s, \"[ab]+\")",
    ),
    (
        "replaceAll",
        "var s = repeat(\"ab \", #);",
        "replaceAll(s, \"b+\", \"\")",
    ),
    (
        "readJson",
        "var s = writeJson(map(range(#), i => [1, {a: null}]));",
        "readJson(s)",
    ),
    (
        "readTiled",
        "var s = \"<map width='\" + # + \"' height='1'><tileset firstgid='1' name='t'/><layer><data encoding='csv'>\" + join(map(range(#), i => i), \",\") + \"</data></layer></map>\";",
        "readTiled(s)",
    ),
    (
        "readTiled",
        "var s = writeJson({type: \"map\", width: #, height: 1, tilesets: [{firstgid: 1, name: \"t\"}], layers: [{type: \"tilelayer\", data: toArray(range(#))}]});",
        "readTiled(s)",
    ),
    (
        "readXml",
        "var s = \"<a>\" + repeat(\"<b c='d'>e</b>\", #) + \"</a>\";",
        "readXml(s)",
    ),
    (
        "writeJson",
        "var a = map(range(#), i => [1, {a: null}]);",
        "writeJson(a)",
    ),
    (
        "decided",
        "var a = map(range(#), i => setOf(i));",
        "decided(a)",
    ),
    (
        "ordered",
        "var a = map(range(#), i => setOf(1, 2));",
        "ordered(a)",
    ),
    (
        "either",
        "var a = map(range(#), i => setOf(1, 2)); var list = [[0, 1], [1, 1]];",
        "either(a, list)",
    ),
    ("insert", "var a = toArray(range(#));", "insert(a, 0, 1)"),
    ("removeAt", "var a = toArray(range(#));", "removeAt(a, 0)"),
    ("slice", "var a = toArray(range(#));", "slice(a, 0, #)"),
    ("concat", "var a = toArray(range(#));", "concat(a, a)"),
    ("indexOf", "var a = toArray(range(#));", "indexOf(a, -1)"),
    (
        "indexOf",
        "var s = repeat(\"ab\", #);",
        "indexOf(s, \"ac\")",
    ),
    (
        "allDifferent",
        "var a = map(range(#), i => setOf(i, i + 1));",
        "allDifferent(a)",
    ),
    (
        "adjacent",
        "var g = makeGrid(#, 1, setOf(1, 2));",
        "adjacent(g, relation([1, 2], [2, 1], [1, 1]))",
    ),
    (
        "atLeast",
        "var a = map(range(#), i => setOf(1, 2));",
        "atLeast(a, 3, 1)",
    ),
    (
        "atMost",
        "var a = map(range(#), i => setOf(1, 2));",
        "atMost(a, 3, 1)",
    ),
    (
        "exactly",
        "var a = map(range(#), i => setOf(1, 2));",
        "exactly(a, 3, 1)",
    ),
    (
        "counts",
        "var a = map(range(#), i => setOf(1, 2));",
        "counts(a, [[1, 3], [2, [0, 99999999]]])",
    ),
    (
        "when",
        "var a = [toSet(range(9))]; var s = toSet(range(#));",
        "when(a, 0, s, () => 0, {missing: true})",
    ),
    (
        "lexicographic",
        "var a = map(range(#), i => setOf(1, 2));",
        "lexicographic(a, [range(# / 2), range(# / 2, #)])",
    ),
    (
        "costOf",
        "var a = map(range(#), i => setOf(1, 2));",
        "costOf(a, null, null)",
    ),
    (
        "element",
        "var a = map(range(#), i => setOf(1, 2, 3));",
        "element(a, 0, [1, 2, 3, 4], 5)",
    ),
    (
        "sumOf",
        "var a = map(range(#), i => setOf(1, 2));",
        "sumOf(a, 0, 9999999)",
    ),
    (
        "tuples",
        "var a = [setOf(1, 2), setOf(1, 2)]; var r = map(range(#), i => [1, 2]);",
        "tuples(a, [0, 1], r)",
    ),
    (
        "automaton",
        "var a = map(range(#), i => setOf(0, 1));",
        "automaton(a, range(#), 0, (state, value) => 1 - state, state => true)",
    ),
    (
        "pattern",
        "var a = map(range(#), i => setOf(0, 1));",
        "pattern(a, range(#), \"(01|1)*0?\")",
    ),
    (
        "connected",
        "var g = makeGrid(#, 1, setOf(1, 2)); g[0, 0] = 1;",
        "connected(g, 1)",
    ),
    (
        "reachable",
        "var g = makeGrid(#, 2, setOf(1, 2));",
        "reachable(g, 1, position(0, 0), position(9, 0))",
    ),
    (
        "connected",
        "var a = map(range(#), i => setOf(1, 2)); var links = map(range(1, #), i => [i - 1, i]);",
        "connected(a, 1, {links: links})",
    ),
    (
        "circuit",
        "var a = map(range(#), i => setOf(true, false)); var edges = map(range(#), i => [i, i, (i + 1) % #]);",
        "circuit(a, edges)",
    ),
    (
        "acyclic",
        "var a = map(range(#), i => setOf(true, false)); var edges = map(range(#), i => [i, i, (i + 1) % #]);",
        "acyclic(a, edges)",
    ),
    (
        "regions",
        "var g = makeGrid(#, 1, setOf(1, 2));",
        "regions(g, {sizes: n => n})",
    ),
    (
        "regions",
        "var a = map(range(#), i => setOf(true, false)); var edges = map(range(#), i => [i, i, (i + 1) % #]);",
        "regions(a, {parted: edges, sizes: node => 10})",
    ),
    (
        "constrain",
        "var a = map(range(#), i => setOf(1, 2));",
        "constrain(a, null, () => 0)",
    ),
    (
        "narrow",
        "var a = [toSet(range(#))];",
        "narrow(a, 0, toSet(range(1, #)))",
    ),
    (
        "numberOfSolutions",
        "var g = makeGrid(2, #, 1); adjacent(g, relation([1, 1]));",
        "numberOfSolutions(g)",
    ),
    (
        "numberOfSolutions",
        "var g = makeGrid(#, 1, setOf());",
        "numberOfSolutions(g)",
    ),
    (
        "undecided",
        "var a = map(range(#), i => setOf(1, 2));",
        "undecided(a)",
    ),
    ("count", "var a = toArray(range(#));", "count(a, x => true)"),
    (
        "groupBy",
        "var a = toArray(range(#));",
        "groupBy(a, x => x % 3)",
    ),
    (
        "mapGrid",
        "var g = makeGrid(#, 1, 0);",
        "mapGrid(g, (v, p) => v)",
    ),
    (
        "floodFill",
        "var g = makeGrid(#, 1, 0);",
        "floodFill(g, position(0, 0), p => true)",
    ),
    (
        "shortestPath",
        "var g = makeGrid(#, 1, 0);",
        "shortestPath(g, position(0, 0), position(# - 1, 0), 0)",
    ),
    (
        "transitiveClosure",
        "var r = relation(map(range(#), i => [i, i]));",
        "transitiveClosure(r)",
    ),
    (
        "transitiveClosure",
        "var r = relation(map(range(# / 8), i => [i, 8 * floor(i, 8) + (i + 1) % 8]));",
        "transitiveClosure(r)",
    ),
    (
        "reachableFrom",
        "var r = relation(map(range(#), i => [i, i + 1]));",
        "reachableFrom(r, setOf(0))",
    ),
    ("padLeft", "", "padLeft(\"ab\", #)"),
    (
        "padRight",
        "var s = repeat(\"ab\", #);",
        "padRight(s, 3 * #, \"äö\")",
    ),
    ("valuesOf", "var g = makeGrid(#, 1, 0);", "valuesOf(g)"),
    ("makeGrid", "", "makeGrid(#, 1, [])"),
    (
        "printGrid",
        "var g = makeGrid(10, # / 10, 7);",
        "printGrid(g, \" \")",
    ),
    (
        "printTilemap",
        "var g = makeGrid(#, 1, 5);",
        "printTilemap(g, {\"5\": \"red\"})",
    ),
    (
        "chooseElement",
        "var a = toArray(range(#)); var o = {}; foreach (i in a) o[i + \"\"] = 1;",
        "chooseElement(a, o)",
    ),
    (
        "chooseElement",
        "var a = toArray(range(#));",
        "chooseElement(a, x => 1)",
    ),
    (
        "randomElement",
        "var a = toArray(range(#)); var o = {}; foreach (i in a) o[i + \"\"] = 1;",
        "randomElement(a, o)",
    ),
    (
        "minimize",
        "var g = makeGrid(2, 1, setOf());",
        "minimize(() => map(range(#), i => nonsingletonPositionsOf(g)))",
    ),
    ("minBy", "var a = toArray(range(#));", "minBy(a, x => x)"),
    ("maxBy", "var a = toArray(range(#));", "maxBy(a, x => x)"),
    ("firstVisit", "var a = toArray(range(#));", "firstVisit(a)"),
    ("join", "var a = toArray(range(#));", "join(a, \"-\")"),
    ("contains", "var a = toArray(range(#));", "contains(-1, a)"),
    (
        "contains",
        "var a = map(range(#), i => [i]);",
        "contains([-1], a)",
    ),
    (
        "contains",
        "var s = repeat(\"ab\", #);",
        "contains(\"c\", s)",
    ),
    (
        "contains",
        "var p = priorityQueue(); foreach (i in range(#)) enqueue(i, p, 1);",
        "contains(-1, p)",
    ),
    ("toArray", "var s = toSet(range(#));", "toArray(s)"),
    ("toArray", "var s = repeat(\"é\", #);", "toArray(s)"),
    ("sum", "var a = toArray(range(#));", "sum(a)"),
    ("reversed", "var a = toArray(range(#));", "reversed(a)"),
    ("shuffled", "var a = toArray(range(#));", "shuffled(a)"),
    ("zip", "var a = toArray(range(#));", "zip(a, a)"),
    ("range", "", "range(#)"),
    ("grid", "var a = map(range(#), i => [i]);", "grid(a)"),
    ("makeGrid", "", "makeGrid(#, 2, 0)"),
    (
        "gridFromText",
        "var s = repeat(repeat(\"a\", 100) + \"\\n\", # / 100);",
        "gridFromText(s)",
    ),
    (
        "positionsOf",
        "var g = makeGrid(#, 1, 0);",
        "positionsOf(g)",
    ),
    ("rowOf", "var g = makeGrid(#, 1, 0);", "rowOf(g, 0)"),
    ("columnOf", "var g = makeGrid(1, #, 0);", "columnOf(g, 0)"),
    ("fill", "var g = makeGrid(#, 1, 0);", "fill(g, 1)"),
    (
        "nonsingletonPositionsOf",
        "var g = makeGrid(#, 1, setOf());",
        "nonsingletonPositionsOf(g)",
    ),
    (
        "keysOf",
        "var o = {}; foreach (i in range(#)) o[i + \"\"] = i;",
        "keysOf(o)",
    ),
    (
        "valuesOf",
        "var o = {}; foreach (i in range(#)) o[i + \"\"] = i;",
        "valuesOf(o)",
    ),
    (
        "removeKey",
        "var o = {}; foreach (i in range(#)) o[i + \"\"] = i;",
        "removeKey(o, \"0\")",
    ),
    (
        "nonsingletonFieldsOf",
        "var o = {}; foreach (i in range(#)) o[i + \"\"] = [];",
        "nonsingletonFieldsOf(o)",
    ),
    ("printGrid", "var g = makeGrid(#, 1, 0);", "printGrid(g)"),
    (
        "printTilemap",
        "var g = makeGrid(#, 1, \"red\");",
        "printTilemap(g)",
    ),
    (
        "printTilesetMap",
        "var g = makeGrid(#, 1, setOf(\"red\", \"blue\"));",
        "printTilesetMap(g)",
    ),
    (
        "printTilesetMap",
        "var g = makeGrid(1, 1, toSet(map(range(#), i => label(i + \"\"))));",
        "printTilesetMap(g)",
    ),
    (
        "snapshot",
        "var g = makeGrid(#, 1, setOf(\"red\", \"blue\"));",
        "snapshot(g)",
    ),
    (
        "snapshot",
        "var g = makeGrid(1, 1, toSet(map(range(#), i => label(i + \"\"))));",
        "snapshot(g)",
    ),
    (
        "printLayers",
        "var g = makeGrid(#, 1, \"red\");",
        "printLayers([g, g])",
    ),
    (
        "printHeatmap",
        "var g = makeGrid(#, 1, 0);",
        "printHeatmap(g)",
    ),
    ("print", "var s = repeat(\"ab\", #);", "print(s)"),
    ("printLine", "var a = toArray(range(#));", "printLine(a)"),
    ("debug", "var a = toArray(range(#));", "debug(a)"),
    (
        "union",
        "var a = toSet(range(#)); var b = toSet(range(1, # + 1));",
        "union(a, b)",
    ),
    (
        "intersection",
        "var a = toSet(range(#)); var b = toSet(range(1, # + 1));",
        "intersection(a, b)",
    ),
    (
        "except",
        "var a = toSet(range(#)); var b = toSet(range(1, # + 1));",
        "except(a, b)",
    ),
    (
        "symmetricDifference",
        "var a = toSet(range(#)); var b = toSet(range(1, # + 1));",
        "symmetricDifference(a, b)",
    ),
    (
        "isSubset",
        "var a = toSet(range(#)); var b = toSet(range(# + 1));",
        "isSubset(a, b)",
    ),
    (
        "pairsOf",
        "var r = relation(map(range(#), i => [i, i]));",
        "pairsOf(r)",
    ),
    (
        "trueIn",
        "var a = map(range(#), i => i + \"\");",
        "trueIn(\"x\", a)",
    ),
    (
        "trueIn",
        "var s = \"!\" + repeat(\"abcd\", 8 * #);",
        "trueIn(s, setOf(1))",
    ),
    ("split", "var s = repeat(\"a,\", #);", "split(s, \",\")"),
    ("chars", "var s = repeat(\"a\", #);", "chars(s)"),
    ("lines", "var s = repeat(\"a\\n\", #);", "lines(s)"),
    (
        "substring",
        "var s = repeat(\"ab\", #);",
        "substring(s, 1, #)",
    ),
    (
        "replace",
        "var s = repeat(\"ab\", #);",
        "replace(s, \"b\", \"c\")",
    ),
    ("trim", "var s = \" \" + repeat(\"ab\", #);", "trim(s)"),
    ("upper", "var s = repeat(\"ab\", #);", "upper(s)"),
    ("lower", "var s = repeat(\"AB\", #);", "lower(s)"),
    (
        "startsWith",
        "var s = repeat(\"ab\", #); var t = s + \"c\";",
        "startsWith(t, s)",
    ),
    (
        "endsWith",
        "var s = repeat(\"ab\", #); var t = \"c\" + s;",
        "endsWith(t, s)",
    ),
    ("repeat", "", "repeat(\"ab\", #)"),
    ("min", "var a = toArray(range(#));", "min(a)"),
    ("max", "var a = toArray(range(#));", "max(a)"),
    ("toSet", "var a = toArray(range(#));", "toSet(a)"),
    ("sorted", "var a = toArray(range(#));", "sorted(a)"),
    (
        "relation",
        "var a = map(range(#), i => [i, i]);",
        "relation(a)",
    ),
    (
        "leftImage",
        "var r = relation(map(range(#), i => [i, i])); var s = toSet(range(#));",
        "leftImage(r, s)",
    ),
    (
        "rightImage",
        "var r = relation(map(range(#), i => [i, i])); var s = toSet(range(#));",
        "rightImage(r, s)",
    ),
    (
        "inverse",
        "var r = relation(map(range(#), i => [i, i]));",
        "inverse(r)",
    ),
    (
        "symmetricClosure",
        "var r = relation(map(range(#), i => [i, i]));",
        "symmetricClosure(r)",
    ),
    (
        "compose",
        "var r = relation(map(range(#), i => [i, i]));",
        "compose(r, r)",
    ),
    (
        "domainOf",
        "var r = relation(map(range(#), i => [i, i]));",
        "domainOf(r)",
    ),
    (
        "rangeOf",
        "var r = relation(map(range(#), i => [i, i]));",
        "rangeOf(r)",
    ),
    (
        "relationsFrom",
        "var g = makeGrid(#, 1, 0); foreach (i in range(#)) g[i, 0] = i;",
        "relationsFrom(g)",
    ),
    ("add", "var s = toSet(range(#));", "add(s, -1)"),
    ("remove", "var s = toSet(range(#));", "remove(s, 1)"),
    (
        "enqueue",
        "var p = priorityQueue(); foreach (i in range(#)) enqueue(i, p, i);",
        "enqueue(1, p, -1)",
    ),
    (
        "dequeue",
        "var p = priorityQueue(); foreach (i in range(#)) enqueue(i, p, i);",
        "dequeue(p)",
    ),
    ("map", "var a = toArray(range(#));", "map(a, x => x)"),
    (
        "filter",
        "var a = toArray(range(#));",
        "filter(a, x => true)",
    ),
    (
        "reduce",
        "var a = toArray(range(#));",
        "reduce(a, (x, y) => y, 0)",
    ),
    ("any", "var a = toArray(range(#));", "any(a, x => false)"),
    ("all", "var a = toArray(range(#));", "all(a, x => true)"),
    // Not built-ins, but work by the size of their operands as well.
    (
        "==",
        "var a = map(range(#), i => [i]); var b = deepCopy(a);",
        "a == b",
    ),
    (
        "<",
        "var s = repeat(\"ab\", #); var t = s + \"c\"; var u = s + \"d\";",
        "t < u",
    ),
    ("+", "var s = repeat(\"ab\", #);", "s + \"c\""),
    (
        "==",
        "var s = repeat(\"ab\", #) + \"c\"; var t = repeat(\"ab\", #) + \"c\";",
        "s == t",
    ),
    (
        "+ in its place",
        "var s = \"x\" + repeat(\"a\", 200); var t = repeat(\"ab\", #);",
        "s + t",
    ),
    (
        "foreach",
        "var a = toArray(range(#));",
        "once(() => { foreach (x in a) {} })",
    ),
    (
        "elements of a set",
        "var s = repeat(\"ab\", #); var t = setOf(s + \"c\", s + \"d\");",
        "contains(s + \"e\", t)",
    ),
];

/// Constant, however large what they look at.
const CONSTANT: &[(&str, &str)] = &[
    ("var a = toArray(range(#));", "isEmpty(a)"),
    ("var a = toArray(range(#));", "sizeOf(a)"),
    ("var a = toArray(range(#));", "isSingleton(a)"),
    ("var a = toArray(range(#));", "pop(a)"),
    ("var a = toArray(range(#));", "typeOf(a)"),
    ("var a = toArray(range(#));", "chooseElement(a)"),
    ("var s = repeat(\"ab\", #);", "sizeOf(s)"),
    ("var s = repeat(\"ab\", #) + \"x\";", "s + \"c\""),
    ("var s = repeat(\"ab\", #) + \"x\";", "`${s}${12}!`"),
    (
        "var s = repeat(\"ab\", #) + \"x\"; var t = s + \"y\";",
        "s == t",
    ),
    (
        "var o = {}; foreach (i in range(#)) o[i + \"\"] = i;",
        "has(o, \"7\")",
    ),
    (
        "var g = makeGrid(#, 1, 0);",
        "neighborsOf(position(1, 0), g)",
    ),
    ("var g = makeGrid(#, 1, 0);", "inGrid(position(1, 0), g)"),
    (
        "var q = queue(); foreach (i in range(#)) enqueue(i, q);",
        "peek(q)",
    ),
    (
        "var q = queue(); foreach (i in range(#)) enqueue(i, q);",
        "dequeue(q)",
    ),
];

fn limits() -> Limits {
    Limits {
        memory: 512 << 20,
        ..Limits::default()
    }
}

fn steps(setup: &str, call: &str, size: u64) -> u64 {
    let text = format!("{setup} {call};").replace('#', &size.to_string());
    let mut run = program(limits(), &text).run(1);
    match run.resume(u64::MAX) {
        Outcome::Solved(_) => run.statistics().steps,
        other => panic!("{text}: {other:?}"),
    }
}

/// The steps of the call alone.
fn charge(setup: &str, call: &str, size: u64) -> f64 {
    steps(setup, call, size).saturating_sub(steps(setup, "null", size)) as f64
}

#[test]
fn charges_grow_as_the_reference_says() {
    const SIZE: u64 = 12_800;
    let mut wrong = Vec::new();
    for (name, setup, call) in CASES {
        let (small, large) = (charge(setup, call, SIZE), charge(setup, call, 2 * SIZE));
        let ratio = large / small;
        let cost = reference::find(name).map_or("n", |entry| entry.cost);
        let (least, most) = match cost {
            "log n" => (0.9, 1.6),
            "n" | "n calls of f" => (1.6, 2.3),
            _ => (1.7, 2.6),
        };
        // A charge of a twentieth of a step an element is the least that counts as one.
        let enough = cost == "log n" || small * 20.0 >= SIZE as f64;
        if !(least..most).contains(&ratio) || !enough {
            wrong.push(format!(
                "{call} ({cost}): {small} steps at {SIZE}, {large} at twice that"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn constant_charges_are_constant() {
    for (setup, call) in CONSTANT {
        let (small, large) = (charge(setup, call, 1_000), charge(setup, call, 20_000));
        assert!(
            small <= 12.0 && large <= small + 2.0,
            "{call}: {small} steps, {large} where all is larger"
        );
    }
}

#[test]
fn every_cost_that_is_not_constant_is_measured() {
    // What asks, reads files or takes a function costs what those do.
    let elsewhere = [
        "ask",
        "input",
        "error",
        "gridFromPicture",
        "printImage",
        "setOf",
    ];
    for entry in reference::entries() {
        let measured =
            CASES.iter().any(|case| case.0 == entry.name) || elsewhere.contains(&entry.name);
        assert!(
            measured || ["1", "as f"].contains(&entry.cost),
            "nothing measures `{}` ({})",
            entry.name,
            entry.cost
        );
    }
}

/// With pieces so small that all of the cases are long, none of them does more than a piece before the limits are looked
/// at: what is not cut into pieces shows by its size.
#[cfg(debug_assertions)]
#[test]
fn long_work_goes_in_pieces() {
    const SIZE: u64 = 25_600;
    const VISITS: u32 = 4_096;
    /// A piece, what an instruction is charged before, and a block of a text: less than a quarter of a step an element.
    const MOST: u64 = 5_000;
    // One number, and one comparison, is done at once.
    let whole = ["toNumber", "elements of a set"];
    let mut wrong = Vec::new();
    for (name, setup, call) in CASES.iter().filter(|case| !whole.contains(&case.0)) {
        let text = format!("{setup} {call};").replace('#', &SIZE.to_string());
        let most = most_in_a_row(&text, VISITS);
        // A rule over a graph is looked at as a whole; how large a graph may be is bounded.
        let is_graph = ["circuit", "acyclic", "regions"].contains(name) || call.contains("links");
        if most > if is_graph { 10 * SIZE } else { MOST } {
            wrong.push(format!("{name}: {most} steps in a row: {call}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The most steps between two looks, where each step is followed by one, in pieces of so many visits.
#[cfg(debug_assertions)]
fn most_in_a_row(text: &str, visits: u32) -> u64 {
    let program = ndscript::Engine::new()
        .with_limits(limits())
        .with_pieces(visits)
        .compile(text)
        .unwrap();
    let mut run = program.run(1);
    let (mut before, mut most) = (0, 0);
    loop {
        let outcome = run.resume(1);
        let now = run.statistics().steps;
        most = most.max(now - before);
        before = now;
        match outcome {
            Outcome::OutOfFuel => {}
            Outcome::Solved(_) => return most,
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// What is little for each element is still much for a whole row: where a work begins and ends, and between its stages, it
/// does nothing with all elements at once.
#[cfg(debug_assertions)]
#[test]
fn nothing_is_done_with_a_whole_row_at_once() {
    const SIZE: u64 = 80_000;
    const VISITS: u32 = 4_096;
    /// Three pieces and a half; less than a twentieth of a step an element.
    const MOST: u64 = 3_600;
    let mut wrong = Vec::new();
    for (setup, call) in [
        ("let a = range(#);", "reversed(a)"),
        ("let a = map(range(#), i => [i]);", "grid(a)"),
        (
            "let q = priorityQueue(); for (let i = 0; i < #; i++) enqueue(i, q, -i);",
            "shuffled(q)",
        ),
        ("let a = map(range(#), i => i + \"\");", "trueIn(\"x\", a)"),
        ("let a = map(range(#), i => [i, -i]);", "relation(a)"),
        (
            "let r = relation(map(range(# / 4), i => [{}, i]));",
            "solutions(() => { choose first {} or fail; return r; })",
        ),
        (
            "let g = makeGrid(#, 1, 0); foreach (i in range(#)) g[i, 0] = i;",
            "relationsFrom(g)",
        ),
        ("let g = makeGrid(#, 1, 0);", "deepCopy(g)"),
        ("let a = map(range(#), i => [i]);", "sorted(a)"),
        ("let s = repeat(\"é\", 4 * #);", "replace(s, s, \"x\")"),
        ("let s = repeat(\"é\", 4 * #);", "s[4 * # - 2]"),
    ] {
        let most = most_in_a_row(
            &format!("{setup} {call};").replace('#', &SIZE.to_string()),
            VISITS,
        );
        if most > MOST {
            wrong.push(format!("{most} steps in a row: {call}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What is asked is made in pieces, and a prompt that is a string is not made again.
#[cfg(debug_assertions)]
#[test]
fn questions_go_in_pieces() {
    let engine = || {
        ndscript::Engine::new()
            .with_limits(limits())
            .with_pieces(4_096)
    };
    for (text, fewest) in [
        ("var a = toArray(range(25600)); input(a);", 20_000),
        ("var a = toArray(range(25600)); ask(a, a);", 20_000),
        ("var s = repeat(\"long \", 100000); input(s);", 0),
        ("var s = repeat(\"long \", 100000); ask(s, [s, s]);", 0),
    ] {
        let mut run = engine().compile(text).unwrap().run(1);
        let (mut before, mut most) = (0, 0);
        let asked = loop {
            let outcome = run.resume(1);
            let now = run.statistics().steps;
            most = most.max(now - before);
            before = now;
            match outcome {
                Outcome::OutOfFuel => {}
                Outcome::Asked(question) => break question,
                other => panic!("{text}: {other:?}"),
            }
        };
        assert!(asked.prompt.len() > 100_000, "{text}");
        assert!(
            most < 5_000 && before > fewest,
            "{text}: {most} steps in a row of {before}"
        );
    }
}

/// A text that is long without calls and turns is charged, and so is what the machine does for many variables at once.
#[test]
fn long_texts_are_charged() {
    let many = |count: usize, line: &str| -> String {
        (0..count)
            .map(|at| line.replace('#', &at.to_string()))
            .collect()
    };
    const COUNT: usize = 20_000;
    let variables = many(COUNT, "let p# = 1;");
    for (what, text, least) in [
        (
            "statements",
            format!(
                "let x = 0; function f() {{ {} }} f();",
                many(COUNT, "x = x + 1;")
            ),
            COUNT / 64,
        ),
        (
            "operands",
            format!("let x = 0; x = {} 1;", many(COUNT, "x + ")),
            COUNT / 64,
        ),
        (
            "elements",
            format!("let x = 0; let a = [{} 1];", many(COUNT, "x, ")),
            COUNT / 64,
        ),
        (
            "parts of a text",
            format!("let x = 0; let a = `{}`;", many(COUNT, "${x}")),
            COUNT / 64,
        ),
        (
            "variables",
            format!("function f() {{ return 1; {variables} }} f();"),
            COUNT / 4,
        ),
        (
            "variables that are closed over",
            format!(
                "function f() {{ {variables} return () => {{ {} }}; }} f();",
                many(COUNT, "p#;")
            ),
            COUNT,
        ),
    ] {
        let mut run = program(Limits::default(), &text).run(1);
        assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)), "{what}");
        let steps = run.statistics().steps;
        assert!(
            steps >= least as u64,
            "{what}: {steps} steps, and not {least}"
        );
    }
}

/// What is printed before the price is known is copied with every solution that is cheaper than the best so far.
#[test]
fn better_solutions_pay_for_the_copies_of_their_text() {
    // Prices are paid in small steps, so that a limit lets in many solutions, each cheaper than the one before.
    let setup = "
        function pay(n) { for (var i = 0; i < n; i++) cost(1); }
        function cheaper(n) {
            if (n == 65) { pay(n); return n; }
            choose first { pay(n); return n; }
            or { return cheaper(n - 1); }
        }
        var text = repeat('x', #);";
    let call = "minimize(() => { print(text); return cheaper(128); })";
    let (short, long) = (charge(setup, call, 32), charge(setup, call, 320_032));
    assert!(
        long - short > 64.0 * 320_000.0 / 32.0,
        "{short} steps with a short text, and {long} with a long one"
    );
}

/// The variables of a function are in the account before they are made, however often it is called.
#[test]
fn variables_beyond_the_registers_stay_within_the_limit() {
    let variables: String = (0..20_000).map(|at| format!("let p{at} = 1;")).collect();
    let text = format!("function f(n) {{ if (n > 0) f(n - 1); return 1; {variables} }} f(1000);");
    let limits = Limits {
        memory: 16 << 20,
        ..Limits::default()
    };
    let mut run = ndscript::Engine::new()
        .with_limits(limits)
        .compile(&text)
        .unwrap()
        .run(1);
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(ndscript::LimitReached::Memory(_))
    ));
    assert!(
        run.statistics().memory <= 16 << 20,
        "{}",
        run.statistics().memory
    );
}

#[test]
fn one_operation_at_most_between_two_checks() {
    const SIZE: u64 = 3_000;
    for (_, setup, call) in CASES {
        let text = format!("{setup} {call};").replace('#', &SIZE.to_string());
        let mut run = program(limits(), &text).run(1);
        let mut before = 0;
        let most = loop {
            let outcome = run.resume(1);
            assert!(
                !matches!(outcome, Outcome::Error(_) | Outcome::Limit(_)),
                "{text}: {outcome:?}"
            );
            let now = run.statistics().steps;
            // Each of them visits no more than it may sort: twelve levels for so many elements.
            if now - before > SIZE * 40 {
                break Some(now - before);
            }
            before = now;
            if !matches!(outcome, Outcome::OutOfFuel) {
                break None;
            }
        };
        assert_eq!(most, None, "{text}");
    }
}

/// What takes as long as many others pays for as many.
#[test]
fn what_takes_long_in_a_row_is_paid_for() {
    let steps_of = |line: &str| steps("let c = 0, x = 1.7e308, y = 3e-300;", &line.repeat(40), 0);
    for (line, least) in [
        ("c = () => c;", 15),
        ("c = [1, x, y];", 8),
        ("c = {a: x, b: y};", 20),
        ("c = x % y;", 40 * 12),
        ("c = formatNumber(x, 100);", 40 * 2000),
        ("c = formatNumber(1 / 3, 100);", 40 * 100),
    ] {
        assert!(
            steps_of(line) > least,
            "{line} takes {} steps",
            steps_of(line) as f64 / 40.0
        );
    }
    assert!(steps_of("c = formatNumber(0.25, 1);") < 40 * 20);
    assert!(steps_of("c = 7.5 % 2;") < 4);
}

/// One piece may follow another without a look, with the block that each ends behind: the end of one work and the
/// beginning of the next.
#[test]
fn two_pieces_with_their_last_blocks_are_at_most_what_is_promised() {
    // Found by the search of `tests/hostile.rs` (seed 12,021,236).
    let text = r#"
        let v1 = setOf(1, [1, 1], 1);
        let v2 = map(range(1301), i => setOf(v1, i));
        let v3 = "0." + repeat("0", 660266) + "1";
        let v4 = {}; v4[v3] = v3;
        print(v2, v1, v4);
    "#;
    let most = (1..40).map(|fuel| steps_by(fuel, text).1 - fuel).max();
    assert!(most <= Some(2 * 65_536), "{most:?} steps between two looks");
}

/// The steps of a program whose host grants so many at a time, and the most that it took at once.
fn steps_by(fuel: u64, text: &str) -> (u64, u64) {
    let mut run = program(limits(), text).run(1);
    let (mut before, mut most) = (0, 0);
    loop {
        let outcome = run.resume(fuel);
        assert!(
            !matches!(outcome, Outcome::Error(_) | Outcome::Limit(_)),
            "{text}: {outcome:?}"
        );
        let now = run.statistics().steps;
        most = most.max(now - before);
        before = now;
        if !matches!(outcome, Outcome::OutOfFuel) {
            return (now, most);
        }
    }
}

/// A sum whose bounds close in by one at a time, among many places that have no part in it.
#[test]
fn a_sum_that_closes_in_slowly_goes_in_pieces() {
    // Where there are few places the sum goes by the ends of what they have, elsewhere by all of it.
    for (places, values, least) in [(64, 64, 15_000), (150, 150, 1_000_000)] {
        let text = format!(
            "let b = map(range({places}), i => toSet(range({values})));
            let factors = map(range({places}), i => i == 0 ? 2 : i == 1 ? -2 : 0);
            print(not(() => {{ sumOf(b, 1, 1, range({places}), factors); }}));"
        );
        let (steps, most) = steps_by(1, &text);
        assert!(steps > least, "it takes {steps} steps only");
        assert!(most <= 65_536, "{most} of {steps} steps between two looks");
    }
}

/// Long texts that may be equal are compared in pieces wherever they meet, and the same two are compared once in an
/// operation.
#[test]
fn long_texts_are_compared_in_pieces() {
    const SETUP: &str = "let v = repeat(\"0\", 6400000) + \"1\", o = {}; o[v] = 1; let x = keysOf(o)[0];
        let w = repeat(\"0\", 6400000) + \"2\", q = queue(); foreach (i in range(30)) enqueue(w, q); enqueue(v, q);
        let many = (a, b) => map(range(30), i => i % 2 == 0 ? a : b);";
    let plain = steps_by(u64::MAX, SETUP).0;
    for (call, comparisons) in [
        ("many(x, v) == many(v, x)", 1),
        ("many(x, [v]) == many(v, [x])", 1),
        ("[x, w] == [v, x]", 2),
        ("contains(x, many(w, w))", 1),
        ("contains(x, many(w, v))", 2),
        ("contains(x, q)", 2),
        ("trueIn(x, many(w, v))", 2),
        ("x == v", 2),
        ("x < v", 2),
    ] {
        let text = format!("{SETUP} {call};");
        let (steps, _) = steps_by(u64::MAX, &text);
        let compared = (steps - plain) as f64 / 100_000.0;
        assert!(
            (compared - f64::from(comparisons)).abs() < 0.2,
            "{call}: {compared} texts of 6.4 MB compared"
        );
        let (sliced, most) = steps_by(4096, &text);
        assert_eq!(sliced, steps, "{call}");
        assert!(most < 80_000, "{call}: {most} steps at once");
    }
}

/// A long text in what is shown is written in pieces, as the name of a field, too.
#[test]
fn long_texts_are_shown_in_pieces() {
    const SETUP: &str =
        "let v = repeat(\"0\", 3000000), o = {}; o[v] = v; o.other = [v, \"é\" + v];";
    for call in [
        "print(o)",
        "let s = toString(o)",
        "let s = `${o}`",
        "debug(o)",
        "print([v])",
        "print(setOf(v))",
    ] {
        let (steps, most) = steps_by(4096, &format!("{SETUP} {call};"));
        assert!(
            steps > 20_000 && most < 80_000,
            "{call}: {most} steps at once of {steps}"
        );
    }
}

/// What a text is as an element of sets is found out once, in whatever operations.
#[test]
fn a_long_text_is_frozen_once() {
    const SETUP: &str = "let v = repeat(\"0\", 1000000) + \"1\";";
    let steps = |calls: &str| steps_by(u64::MAX, &format!("{SETUP} {calls}")).0 as f64;
    let plain = steps("");
    let once = steps("setOf(v);") - plain;
    let often =
        steps("for (let i = 0; i < 30; i++) { contains([v], toSet([v, 1])); relation([v, v]); }")
            - plain;
    assert!(
        once > 10_000.0 && often < 2.0 * once,
        "{once} steps once, {often} steps often"
    );
}

/// A comparison goes down into the first parts that differ. However deep these lie, it can stop on the way, and takes the
/// same steps however often it does.
#[test]
fn deep_comparisons_go_in_pieces() {
    const DEEP: &str = "let a = setOf(1), b = setOf(2);
        for (let i = 0; i < 200000; i++) { a = setOf(a); b = setOf(b); }
        let s = add(toSet(range(80)), a), r = relation([[a, 1]]), p = [a], q = [b]; toSet([p]); toSet([q]);";
    const LONG: &str =
        "let a = toArray(range(900000)), b = toArray(range(900000)); b[899999] = 1; toSet([a]); toSet([b]);
        let s = add(toSet(range(80)), a), r = relation([[a, 1]]), p = [a], q = [b]; toSet([p]); toSet([q]);";
    for setup in [DEEP, LONG] {
        let plain = steps_by(u64::MAX, setup).0;
        for call in [
            "add(s, b)",
            "remove(s, b)",
            "contains(b, s)",
            "contains(p, toSet([q]))",
            "isSubset(setOf(b), s)",
            "union(setOf(a), setOf(b))",
            "union(s, setOf(b))",
            "except(s, setOf(b))",
            "intersection(setOf(b), setOf(a))",
            "sorted([a, b])",
            "toSet([b, a])",
            "relation([[b, 1], [a, 1]])",
            "leftImage(relation([[1, a]]), setOf(b))",
            "rightImage(r, setOf(b))",
            "compose(relation([[1, b]]), r)",
            "reachableFrom(r, setOf(b))",
        ] {
            let text = format!("{setup} {call};");
            let (steps, _) = steps_by(u64::MAX, &text);
            assert!(steps > plain + 190_000, "{call}: {} steps", steps - plain);
            let (sliced, most) = steps_by(4096, &text);
            assert_eq!(sliced, steps, "{call}");
            assert!(most < 80_000, "{call}: {most} steps at once");
        }
    }
}

#[test]
fn comparing_arrays_is_linear_however_they_are_shared() {
    // Every array of `x` meets every array of `y`: as many pairs as there are elements in the square of them.
    let text = "function rows(n, length) { return map(range(n), i => { let a = toArray(range(length)); return a; }); }
        let x = rows(300, 300); let y = rows(300, 300); let a = []; let b = [];
        foreach (i in range(300)) foreach (j in range(300)) { push(a, x[i]); push(b, y[j]); }";
    let cost = charge(text, "print(a == b)", 0);
    assert!(
        cost < 1_000_000.0,
        "{cost} steps for comparing 270,000 elements"
    );
}

#[test]
fn sorting_sets_that_share_their_trees_skips_what_they_share() {
    let text =
        "let all = toSet(range(20000)); let sets = map(range(200), i => remove(all, 19000 + i));";
    let cost = charge(text, "sorted(sets)", 0);
    assert!(cost < 2_000_000.0, "{cost} steps for sorting 200 sets");
}
