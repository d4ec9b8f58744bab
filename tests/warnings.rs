//! `check` tells when a name of the program hides a built-in that is then called.

use ndscript::Engine;

fn warnings(text: &str) -> Vec<String> {
    let program = Engine::new().compile(text).unwrap();
    program
        .warnings()
        .iter()
        .map(|warning| warning.message.clone())
        .collect()
}

#[test]
fn variables_that_are_no_functions_and_are_called() {
    for text in [
        "var map = makeGrid(2, 2, 0); map([1], x => x);",
        "let filter = [1]; filter([1], x => true);",
        "function f() { const max = 5; return max(1, 2); } f();",
        "function f() { var max = {a: 1}; return max(1, 2); } f();",
    ] {
        let found = warnings(text);
        assert!(
            found
                .iter()
                .any(|warning| warning.contains("hides the built-in")),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn what_may_be_a_function_is_not_doubted() {
    for text in [
        "let map = x => x; map(1);",
        "function map(x) { return x; } map(1);",
        "let max = 5; max = x => x; print(max(1));",
        "function apply(map, x) { return map(x); } apply(x => x, 1);",
        "var map = makeGrid(2, 2, 0); print(map);",
        "let count = 0; count += 1; print(count);",
        "let best = [x => x][0]; print(best(1));",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

const PLACES: &str = "an undecided place is chosen, so failures try the places in every order";

#[test]
fn choosing_an_undecided_place_is_doubted() {
    let board = "var b = makeGrid(2, 2, setOf(1, 2)); ";
    for text in [
        "chooseElement(undecided(b));",
        "chooseElement(nonsingletonPositionsOf(b), p => 1);",
        "let open = nonsingletonPositionsOf(b); while (!isEmpty(open)) { chooseElement(open); open = undecided(b); }",
        "let o = {a: setOf(1, 2)}; chooseElement(nonsingletonFieldsOf(o));",
        "var open = undecided(b); var near = filter(shuffled(open), p => p.x == 0); chooseElement(near);",
        "let open = []; open = undecided(b); chooseElement(isEmpty(open) ? [1] : open);",
        "function next(open) { return chooseElement(open); } next(undecided(b));",
        "next(undecided(b)); function next(open) { if (true) { return chooseElement(slice(open, 0, 1)); } }",
        "let next = open => chooseElement(open); let all = undecided(b); next(all);",
        "function near(open) { return filter(open, p => p.x == 0); } chooseElement(near(undecided(b)));",
        "function all() { return undecided(b); } let f = () => chooseElement(all()); f();",
    ] {
        let text = format!("{board}{text}");
        assert_eq!(warnings(&text), [PLACES], "{text}");
    }
}

#[test]
fn other_choices_are_not_doubted() {
    let board = "var b = makeGrid(2, 2, setOf(1, 2)); ";
    for text in [
        "let p = randomElement(undecided(b)); b[p] = setOf(chooseElement(b[p]));",
        "let open = undecided(b); let p = minBy(open, q => sizeOf(b[q])); narrow(b, p, chooseElement(b[p]));",
        "let open = undecided(b); chooseElement(map(open, p => p.x));",
        "function undecided(b) { return [1, 2]; } chooseElement(undecided(b));",
        "function chooseElement(c) { return c[0]; } chooseElement(undecided(b));",
        "let open = undecided(b); { let open = [1, 2]; chooseElement(open); } print(open);",
        "function next(open, other) { print(open); return chooseElement(other); } next(undecided(b), [1]);",
    ] {
        let text = format!("{board}{text}");
        assert_eq!(warnings(&text), [""; 0], "{text}");
    }
}

#[test]
fn the_warning_says_what_to_do() {
    let program = Engine::new()
        .compile("let b = [setOf(1, 2)];\nlet open = undecided(b);\nlet at = chooseElement(open);\nb[at] = setOf(1);")
        .unwrap();
    assert_eq!(
        program.warnings()[0].render(program.sources(), false),
        "warning: an undecided place is chosen, so failures try the places in every order
   ╭─[ program:3:10 ]
   │
 2 │ let open = undecided(b);
   │            ──────┬─────
   │                  ╰─────── the undecided places come from here
 3 │ let at = chooseElement(open);
   │          ──────┬──────
   │                ╰──────── which place comes next need not be a choice
───╯
  hint: draw the place, `randomElement(open)`, or take one with the fewest candidates, `minBy(open, p => sizeOf(...))`; choose only what it holds. `decide(board)` does all of that"
    );
}

#[test]
fn a_set_compared_with_what_is_no_set_is_doubted() {
    const SET: &str = "a set never equals what is no set";
    for text in [
        "print(setOf(1) == 1);",
        "let s = setOf(1); if (\"a\" != s) print(1);",
        "let g = makeGrid(2, 2, setOf(\"sea\")); print(count(g, p => g[p] == \"sea\"));",
        "var g = makeGrid(2, 2, setOf(1)); g[0, 0] = setOf(2); print(g[0, 0] == 2);",
        "let a = map(range(3), i => toSet(range(i))); print(a[0] == [1]);",
        "function f() { const rows = [setOf(1), setOf(2)]; return rows[0] == {}; } f();",
    ] {
        assert_eq!(warnings(text), [SET], "{text}");
    }
    for text in [
        "print(setOf(1) == null);",
        "let s = setOf(1); s = 2; print(s == 2);",
        "let g = makeGrid(2, 2, setOf(1)); g[0, 0] = 2; print(g[0, 0] == 2);",
        "let g = decided(makeGrid(2, 2, setOf(1))); print(g[0, 0] == 1);",
        "function f(s) { return s == 1; } f(setOf(1));",
        "function setOf(x) { return x; } print(setOf(1) == 1);",
        "foreach (s in [setOf(1)]) print(s == 1);",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

#[test]
fn results_that_are_thrown_away_are_doubted() {
    for text in [
        "let s = setOf(1); add(s, 2); print(s);",
        "let a = [2, 1]; sorted(a); print(a);",
        "let t = \"a\"; upper(t); print(t);",
        "let a = 1; a == 2; print(a);",
        "let g = makeGrid(2, 2, 0); foreach (p in g) g[p] == 3; print(g);",
        "print(1) != 2;",
    ] {
        let found = warnings(text);
        assert!(
            found.len() == 1 && found[0].contains("is thrown away"),
            "{text}: {found:?}"
        );
    }
    for text in [
        "let s = setOf(1); s = add(s, 2); print(s);",
        "let a = [1]; push(a, 2); print(a);",
        "function sorted(a) { print(a); } sorted([1]);",
        "let sort = () => sorted([1]); print(sort());",
        "let f = a => a == 2; print(f(1)); require(1 < 2);",
        "let a = 1; a = a == 2; print(a);",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

#[test]
fn choices_and_sets_of_one_array_are_doubted() {
    assert_eq!(
        warnings("print(choose([1, 2, 3]));"),
        ["this `choose` has one alternative"]
    );
    assert_eq!(
        warnings("print(setOf([1, 2, 3]));"),
        ["this set has one element, which is the array"]
    );
    for text in [
        "print(choose(1, 2));",
        "print(setOf([1, 2]));",
        "print(setOf([1], [2]));",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

#[test]
fn a_condition_that_leads_to_nothing_is_doubted() {
    for text in [
        "if (1 < 2); print(1);",
        "if (1 < 2) print(1); else if (2 < 3); print(2);",
    ] {
        let found = warnings(text);
        assert!(
            found.len() == 1 && found[0].contains("leads to nothing"),
            "{text}: {found:?}"
        );
    }
    for text in [
        "if (1 < 2) {} print(1);",
        "let n = 3; while (n-- > 0); print(n);",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

/// A name of another language is told as the run tells it, not as a slip of the pen.
#[test]
fn names_of_other_languages_are_known() {
    for (text, hint) in [
        ("print(parseInt(\"3\"));", "toNumber"),
        ("print(int(\"3\"));", "toNumber"),
        ("assert(1 < 2);", "require(condition)"),
        ("console.log(1);", "printLine"),
        ("print(JSON.parse(\"1\"));", "readJson"),
        ("print(ord(\"a\"));", "codeOf"),
    ] {
        let program = Engine::new().compile(text).unwrap();
        let hints: Vec<&String> = program
            .warnings()
            .iter()
            .flat_map(|warning| &warning.hints)
            .collect();
        assert!(
            hints.len() == 1 && hints[0].contains(hint),
            "{text}: {hints:?}"
        );
    }
}

#[test]
fn looking_for_a_value_among_sets_is_doubted() {
    const BOARD: &str = "let g = makeGrid(3, 3, setOf(\"sea\", \"land\")); let b = [setOf(1, 2)]; let s = setOf(1); decide(g);";
    for text in [
        "print(contains(1, b));",
        "print(contains(g[0, 0], [\"sea\", \"land\"]));",
        "print(indexOf(b, 2));",
        "print(indexOf([1, 2], b[0]));",
        "print(floodFill(g, position(0, 0), \"sea\"));",
        "print(shortestPath(g, position(0, 0), position(1, 1), \"sea\"));",
    ] {
        let found = warnings(&format!("{BOARD} {text}"));
        assert!(
            found.len() == 1 && found[0].contains("a set never equals"),
            "{text}: {found:?}"
        );
    }
    for text in [
        "print(contains(1, s), contains(\"e\", \"sea\"), contains(s, [s, 1]));",
        "print(contains(position(0, 0), g) || contains(setOf(1), b));",
        "print(floodFill(g, position(0, 0), p => g[p] == setOf(\"sea\")));",
        "let d = decided(g); print(floodFill(d, position(0, 0), \"sea\"));",
    ] {
        assert_eq!(warnings(&format!("{BOARD} {text}")), [""; 0], "{text}");
    }
}

#[test]
fn a_constraint_on_a_copy_is_doubted() {
    const BOARD: &str =
        "let g = makeGrid(3, 3, setOf(1, 2, 3)), row = map(range(3), x => position(x, 0));";
    for text in [
        "allDifferent(rowOf(g, 0)); print(row);",
        "print(row); sumOf(map(row, p => g[p]), 6, 6);",
    ] {
        let found = warnings(&format!("{BOARD} {text}"));
        assert!(
            found.len() == 1 && found[0].contains("is about a copy"),
            "{text}: {found:?}"
        );
    }
    for text in [
        "allDifferent(g, row);",
        "let own = allDifferent(map(row, p => g[p])); print(own);",
        "decide(copy(g)); print(row);",
    ] {
        assert_eq!(warnings(&format!("{BOARD} {text}")), [""; 0], "{text}");
    }
}

#[test]
fn arrays_in_place_of_sets_of_candidates_are_doubted() {
    const GUESTS: &str =
        "const guests = [\"Ann\", \"Ben\", \"Cat\"]; let pairs = setOf([1, 2], [3, 4]);";
    for (text, part) in [
        ("let g = makeGrid(2, 2, [1, 2]); decide(g);", "hold arrays"),
        (
            "let s = map(guests, g => guests); allDifferent(s);",
            "hold arrays",
        ),
        (
            "let c = [range(9), range(9)]; sumOf(c, 3, 3);",
            "hold arrays",
        ),
        (
            "let o = {a: guests, b: guests}; related(o, 'a', 'b', (a, b) => a != b);",
            "hold arrays",
        ),
        ("print(setOf(range(9)));", "one element"),
        ("print(setOf(guests), pairs);", "one element"),
        (
            "const other = [1, 2, 3]; print(setOf(guests, other));",
            "are the arrays",
        ),
        (
            "let g = makeGrid(2, 2, setOf(1, 2)); allDifferent(g, rowOf(g, 0));",
            "not their places",
        ),
    ] {
        let found = warnings(&format!("{GUESTS} {text}"));
        assert!(
            found.len() == 1 && found[0].contains(part),
            "{text}: {found:?}"
        );
    }
    for text in [
        "let s = map(guests, g => toSet(guests)); allDifferent(s);",
        "let g = makeGrid(2, 2, []); foreach (p in g) g[p] = setOf(1, 2); decide(g);",
        "let c = [range(9), setOf(1)]; decide(c);",
        "let rows = []; push(rows, guests); decide(rows);",
        "print(setOf([1, 2], [3, 4]), pairs);",
        "const step = [0, 1], other = [1, 0]; print(setOf(step), setOf(step, other));",
    ] {
        assert_eq!(warnings(&format!("{GUESTS} {text}")), [""; 0], "{text}");
    }
}

#[test]
fn elements_that_are_taken_for_something_else_are_doubted() {
    const THINGS: &str = "let g = makeGrid(3, 3, \"sea\"), o = {a: true, b: false}, walls = map(range(9), i => setOf(true, false)), \
                          next = [1, 2, 0], words = [\"a\", \"b\"];";
    for (text, part) in [
        (
            "print(count(g, v => v == \"sea\"));",
            "a position never equals",
        ),
        (
            "print(filter(g, c => { return \"sea\" != c; }));",
            "a position never equals",
        ),
        ("print(any(o, v => v == true));", "a key never equals"),
        (
            "print(count(walls, i => walls[i] == setOf(true)));",
            "not their indexes",
        ),
        ("print(map(words, i => words[i]));", "not their indexes"),
        ("print(count(valuesOf(g), \"sea\"));", "wants a function"),
        ("print(filter(words, 3));", "wants a function"),
    ] {
        let found = warnings(&format!("{THINGS} {text}"));
        assert!(
            found.len() == 1 && found[0].contains(part),
            "{text}: {found:?}"
        );
    }
    for text in [
        "print(count(g, p => g[p] == \"sea\"), filter(g, p => p == position(1, 1)));",
        "print(count(valuesOf(g), v => v == \"sea\"));",
        "print(any(o, k => k == \"a\"), any(valuesOf(o), v => v == true));",
        "print(map(next, i => next[i]), map(range(9), i => walls[i]));",
        "print(map(words, w => next[0]), count(words, w => w == \"a\"));",
        "let f = x => x == 1; print(filter(next, f));",
    ] {
        assert_eq!(warnings(&format!("{THINGS} {text}")), [""; 0], "{text}");
    }
}

#[test]
fn decided_places_that_are_shown_as_sets_are_doubted() {
    const BOARD: &str = "let b = [setOf(\"A\", \"B\"), setOf(\"A\")], o = {k: setOf(1, 2)}, g = makeGrid(2, 2, setOf(\"A\", \"B\")); ";
    const DECIDED: &str = "decide(b); decide(o); decide(g); ";
    for text in [
        "print(`${b[0]} sits there`);",
        "print(\"seat \" + b[0] + \"!\");",
        "print(\"seat \", b[0]);",
        "print(\"who: \", o.k, o[\"k\"] == setOf(1));",
        "print(join(b, \"\"));",
        "print(join(map(range(2), i => b[i]), \", \"));",
        "print(join(rowOf(g, 0), \"\"));",
        "printGrid(g);",
        "print(toString(g[0, 0]));",
        "print(groupBy(positionsOf(g), p => g[p]));",
        "foreach (one in b) print(`${one} `);",
        "function show() { print(`${b[1]}`); } show();",
    ] {
        let found = warnings(&format!("{BOARD}{DECIDED}{text}"));
        assert_eq!(found, ["a decided place is shown as a set"], "{text}");
    }
    for text in [
        "print(b, b[0], g[0, 0]);",
        "print(`${valueAt(b, 0)} ${b}`, \" \", sizeOf(g[0, 0]));",
        "let d = decided(b); print(`${d[0]}`, join(d, \"\")); printGrid(decided(g));",
        "print(join(map(b, singletonValue), \"\"), join(map(b, v => v == setOf(\"A\")), \" \"));",
        "foreach (key in o) print(`${key}: ${valueAt(o, key)}`);",
    ] {
        assert_eq!(
            warnings(&format!("{BOARD}{DECIDED}{text}")),
            [""; 0],
            "{text}"
        );
    }
    // Before it is decided, where it is decided only in a search of its own, and where it is another board since.
    for text in [
        "print(`${b[0]}`); decide(b);",
        "print(countSolutions(() => decide(b)), `${b[0]}`);",
        "print(countSolutions(() => { decide(b); }), `${b[0]}`);",
        "decide(b); b = decided(b); print(`${b[0]}`);",
    ] {
        let found = warnings(&format!("{BOARD}print(o, g); {text}"));
        assert_eq!(found, [""; 0], "{text}");
    }
}

#[test]
fn conditions_of_which_nothing_comes_are_doubted() {
    const BOARD: &str = "let b = [setOf(1, 2), setOf(1, 2)];";
    for text in [
        "constrain(b, null, () => valueAt(b, 0) != 2);",
        "when(b, 0, 1, () => !isSingleton(b[1]));",
        "constrain(b, null, () => sizeOf(b) > 1 && sizeOf(b) < 3);",
    ] {
        let found = warnings(&format!("{BOARD} {text}"));
        assert_eq!(found, ["nothing comes of this condition"], "{text}");
    }
    for text in [
        "constrain(b, null, () => isSingleton(b[0]) && narrow(b, 1, 2));",
        "constrain(b, null, () => { require(sizeOf(b) > 1); });",
        "when(b, 0, 1, () => narrow(b, 1, 2));",
    ] {
        assert_eq!(warnings(&format!("{BOARD} {text}")), [""; 0], "{text}");
    }
}

#[test]
fn a_search_for_the_least_price_where_nothing_has_one_is_doubted() {
    let found = warnings("print(minimize(() => choose(3, 1, 2)));");
    assert_eq!(found, ["nothing in this program has a price"]);
    for text in [
        "print(minimize(() => { let n = choose(3, 1); cost(n); return n; }));",
        "let pay = cost; print(minimize(() => { pay(choose(2, 1)); return 1; }));",
        "let b = [setOf(1, 2)]; minimize(() => { costOf(b, null, null); decide(b); });",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

#[test]
fn looking_for_a_cell_among_positions_is_doubted() {
    for (text, warning) in [
        (
            "let g = makeGrid(2, 2, \"sea\"); print(contains(\"sea\", g));",
            "a position never equals what is none",
        ),
        (
            "let b = [setOf(\"a\")]; print(contains(b[0], setOf(\"a\", \"b\")));",
            "a set never equals what is no set",
        ),
    ] {
        assert_eq!(warnings(text), [warning], "{text}");
    }
    for text in [
        "let g = makeGrid(2, 2, \"sea\"); print(contains(\"sea\", valuesOf(g)), contains(position(0, 0), g));",
        "let b = [setOf(\"a\")]; print(contains(b[0], setOf(setOf(\"a\"))), contains(\"a\", b[0]));",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}
