//! Memory runs out at every moment at which it can: always a limit, never a panic, and the engine works afterwards.
//! And garbage is collected at every moment at which it can: the result stays the same.

use ndscript::{Engine, LimitReached, Limits, Outcome, Program, Run};

/// Programs that ask for memory in many ways, each with a few hundred or thousand questions.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "collections",
        r#"
        var a = toArray(range(40));
        var parts = map(a, x => [x, toString(x), setOf(x, x + 1)]);
        print(sizeOf(sorted(parts)), join(map(parts, p => p[1]), "-"), reversed(a), shuffled(a)[0] < 40);
        var o = {}; foreach (x in a) o["key " + x] = [x];
        print(keysOf(o), valuesOf(o), zip(a, "abc"), concat(a, a), slice(a, 3, 9), sum(a), reduce(a, (x, y) => x + y, 0));
        print(deepCopy(parts) == parts, copy(o), toSet(parts), split("a,b,c", ","), replace("aXbX", "X", "yy"), upper("abc"));
        "#,
    ),
    (
        "search",
        r#"
        var log = [];
        function queens(n) {
            var columns = [];
            foreach (row in range(n)) {
                let column = chooseElement(toArray(range(n)));
                foreach (other in range(row)) if (columns[other] == column || abs(columns[other] - column) == row - other) fail;
                push(columns, column);
            }
            return columns;
        }
        print(sizeOf(queens(6)));
        print(countSolutions(() => queens(4)), solutions(() => queens(5)));
        print(minimize(() => { let x = chooseElement(toArray(range(6))); cost(x + 1); push(log, "tried " + x); return [x]; }), log);
        print(not(() => { let x = choose(1, 2); require(x == 3); }), once(() => chooseElement([1])));
        "#,
    ),
    (
        "grids",
        r##"
        var g = makeGrid(4, 3, setOf("red", "blue", "green", "white", "black"));
        while (!isEmpty(nonsingletonPositionsOf(g))) {
            let p = chooseElement(nonsingletonPositionsOf(g));
            g[p] = setOf(chooseElement(g[p]));
            foreach (q in neighborsOf(p, g)) { let left = except(g[q], g[p]); if (isEmpty(left)) fail; g[q] = left; }
        }
        printTilesetMap(g, "gray"); printTilesetMap(g); printGrid(g);
        var h = makeGrid(4, 4, 0); h[1, 1] = 2.5; printHeatmap(h); fill(h, "red"); printTilemap(h); printImage("teal");
        print(gridFromText("ab\nba", {a: [1], b: setOf(2)})[0, 1], rowOf(h, 0), columnOf(h, 1));
        "##,
    ),
    (
        "sets and relations",
        r#"
        var s = setOf();
        foreach (i in range(90)) s = add(s, (i * 37) % 101);
        var t = toSet(range(50, 120));
        print(sizeOf(union(s, t)), intersection(s, t) == intersection(t, s), sizeOf(symmetricDifference(s, t)), isSubset(s, t));
        var r = relation(map(range(40), i => [i % 7, [i % 5, i]]));
        print(sizeOf(pairsOf(compose(r, inverse(r)))), sizeOf(leftImage(r, rightImage(r, setOf(1, 2)))), domainOf(r), sizeOf(rangeOf(symmetricClosure(r))));
        var q = queue(); var p = priorityQueue();
        foreach (i in range(60)) { enqueue([i % 20], q); enqueue(i, p, (i * 7) % 13); }
        print(q, p, dequeue(q), dequeue(p));
        "#,
    ),
    (
        "propagation",
        r#"
        var all = toSet(range(1, 5));
        var g = makeGrid(4, 4, all);
        function rule(p, taken) {
            let old = g[p];
            let left = except(old, taken);
            if (isEmpty(left)) fail;
            if (left == old) return null;
            g[p] = left;
            if (isSingleton(left)) foreach (q in g) if (q != p && (q.x == p.x || q.y == p.y)) rule(q, left);
        }
        while (!isEmpty(nonsingletonPositionsOf(g))) {
            let p = sorted(nonsingletonPositionsOf(g), p => sizeOf(g[p]))[0];
            rule(p, remove(g[p], chooseElement(g[p])));
        }
        printGrid(g);
        "#,
    ),
    (
        "results",
        r#"
        function maker(n) {
            let o = {n: n}, list = map(range(9), i => [i, o]), g = makeGrid(3, 3, o);
            let q = queue(), p = priorityQueue();
            foreach (x in list) { enqueue(x, q); enqueue(x, p, -x[0]); }
            let s = toSet(list), r = relation(map(list, x => [x, setOf(x, q)]));
            return {change: k => { o.n += k; push(list, k); g[1, 1] = k; enqueue(k, q); }, all: [list, g, q, p], s: s, r: r,
                many: union(toSet(map(range(40), i => ({i: i, o: o}))), setOf(() => n + o.n)), n: () => n};
        }
        let made = maker(3);
        let results = solutions(() => { made.change(choose(1, 2, 3)); return made; });
        print(map(results, x => [x.all, x.s, sizeOf(x.many), x.n()]), results[1].r(results[1].all[0][0], setOf(1)), made.all);
        print(map(results[2].many, x => typeOf(x) == "object" ? x.o.n : x()));
        "#,
    ),
    (
        "texts that grow",
        r#"
        let s = repeat("x", 126), kept = [];
        for (let i = 0; i < 60; i++) { push(kept, s); s += i % 7 == 0 ? "é" : "ab"; }
        let t = s + repeat("long ", 3000);
        t = `${t}${map(range(900), i => i)}`;
        let o = {};
        choose first { s += "no"; o[s] = 1; fail; } or { s += "yes"; o[s] = 2; o[t] = kept[20] + "!"; }
        print(s, sizeOf(t), sizeOf(toSet(kept)), contains(s, setOf(s + "", t)), o[t], has(o, s), [s] == [kept[59] + "yes"]);
        "#,
    ),
    (
        "calls",
        r#"
        function deep(n, text) { if (n == 0) return text; return deep(n - 1, text + n) + "."; }
        function count(a, b, c, d) { return a + b + c + d; }
        deterministic function pick(n) { let x = chooseElement(toArray(range(n))); let f = () => { x += 1; return x; }; return f() + f(); }
        print(deep(120, ""), pick(9) > 0);
        var fs = map(range(30), i => { let n = i; return () => { n += 0.1; return `${n} of ${[n, "x"]}`; }; });
        print(map(fs, f => f()), count(1, 2, 3, 4));
        choose first { foreach (f in fs) print(f()); fail; } or { print("or"); }
        "#,
    ),
];

fn compile(text: &str) -> Program {
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The same with long work in pieces so small that nearly everything is long.
fn compile_in_pieces(text: &str) -> Program {
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    Engine::new()
        .with_limits(limits)
        .with_pieces(50)
        .compile(text)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What a run comes to.
fn text_of(run: &mut Run, name: &str) -> String {
    match run.resume(u64::MAX) {
        Outcome::Solved(solution) => format!("{} {}", solution.text, solution.pictures.len()),
        other => panic!("{name}: {other:?}"),
    }
}

/// How many questions for memory a whole run asks.
fn questions(program: &Program, name: &str) -> u64 {
    let mut run = program.run(3);
    run.refuse_memory(1 << 40, false);
    text_of(&mut run, name);
    (1 << 40) - run.questions_left()
}

/// Every number up to 1500, and fifty of those beyond.
fn moments(count: u64) -> impl Iterator<Item = u64> {
    (1..=count.min(1500)).chain((1500..count).step_by((count / 50 + 1) as usize))
}

#[test]
fn memory_runs_out_at_every_moment() {
    let mut all = 0;
    for (name, text) in PROGRAMS {
        let program = compile(text);
        let expected = text_of(&mut program.run(3), name);
        let count = questions(&program, name);
        all += count;
        for at in moments(count) {
            let mut run = program.run(3);
            run.refuse_memory(at, false);
            match run.resume(u64::MAX) {
                Outcome::Limit(LimitReached::Memory(limit)) => assert_eq!(limit, 64 << 20),
                other => {
                    panic!("{name}: {other:?} where memory ran out at question {at} of {count}")
                }
            }
            // The run stands still, and says so however often it is asked.
            assert!(matches!(
                run.resume(1000),
                Outcome::Limit(LimitReached::Memory(_))
            ));
            run.pending_output();
            // Where memory is to be had again, nothing was lost.
            run.refuse_memory(0, false);
            run.set_limits(*run.limits());
            if at % 3 == 0 || count < 700 {
                assert_eq!(
                    text_of(&mut run, name),
                    expected,
                    "{name} after memory ran out at question {at} of {count}"
                );
            }
            if at % 97 == 0 {
                assert_eq!(
                    text_of(&mut program.run(3), name),
                    expected,
                    "{name} after {at}"
                );
            }
        }
    }
    assert!(
        all > 3000,
        "only {all} questions for memory in all programs"
    );
}

/// The result stays the same, and so do the steps: what asks again is not charged again. (Where pieces are tiny it may be
/// a step more or less, as a piece that was interrupted is cut otherwise.)
#[test]
fn garbage_is_collected_at_every_moment() {
    for (name, text) in PROGRAMS {
        let expected = text_of(&mut compile(text).run(3), name);
        for (program, leeway) in [(compile(text), 0), (compile_in_pieces(text), 1)] {
            let steps = {
                let mut run = program.run(3);
                text_of(&mut run, name);
                run.statistics().steps
            };
            let count = questions(&program, name);
            for at in moments(count).filter(|at| at % 2 == 1 || *at < 200) {
                let mut run = program.run(3);
                run.refuse_memory(at, true);
                assert_eq!(
                    text_of(&mut run, name),
                    expected,
                    "{name} with a collection at question {at} of {count}"
                );
                assert!(
                    run.statistics().steps.abs_diff(steps) <= leeway,
                    "{name}: {} steps for {steps} with a collection at question {at} of {count}",
                    run.statistics().steps
                );
            }
        }
    }
}

/// Whether a text is made longer in its place goes by what the program did, and with it what is charged.
#[test]
fn collecting_garbage_costs_no_steps_where_texts_grow() {
    let program = compile(
        r#"
        let s = "x", kept = null, n = 0;
        for (let i = 0; i < 90; i++) { if (i % 20 == 0) kept = s; s += "é" + i; }
        s = `${kept}${s}` + "long";
        choose first { s += "no"; kept += "no"; fail; } or { s += "yes"; s += "yes"; kept += "yes"; kept += "yes"; }
        for (let i = 0; i < 5; i++) { s += kept; if (s == kept) n++; }
        "#,
    );
    let steps = |run: &mut Run| match run.resume(u64::MAX) {
        Outcome::Solved(_) => run.statistics().steps,
        other => panic!("{other:?}"),
    };
    let expected = steps(&mut program.run(3));
    for at in moments(questions(&program, "texts that grow")) {
        let mut run = program.run(3);
        run.refuse_memory(at, true);
        assert_eq!(
            steps(&mut run),
            expected,
            "with a collection at question {at}"
        );
    }
}

/// What a large set is searched for was found before memory is asked for, and is not searched for again.
#[test]
fn collecting_garbage_costs_no_steps_where_large_sets_change() {
    let making = "let alike = i => [1, 2, 3, 4, 5, 6, 7, 8, i], kept = [];
        let s = union(toSet(range(66000)), toSet(map(range(300), alike)));";
    let changing = "foreach (i in [-1, 400, 9.5]) { s = add(s, alike(i)); push(kept, remove(s, alike(i * 2))); }
        foreach (element in setOf(alike(-2), alike(401), alike(7.5))) push(kept, remove(add(s, element), element));";
    let program = compile(&format!("{making}{changing}"));
    let steps = |run: &mut Run| match run.resume(u64::MAX) {
        Outcome::Solved(_) => run.statistics().steps,
        other => panic!("{other:?}"),
    };
    let expected = steps(&mut program.run(3));
    let (made, count) = (
        questions(&compile(making), "a large set"),
        questions(&program, "large sets"),
    );
    assert!(count > made + 6, "{made} and {count} questions");
    for at in made + 1..=count {
        let mut run = program.run(3);
        run.refuse_memory(at, true);
        assert_eq!(
            steps(&mut run),
            expected,
            "with a collection at question {at} of {count}"
        );
    }
}
