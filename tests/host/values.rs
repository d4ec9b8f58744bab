//! Handles to values, views, data, and global variables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndscript::{
    Data, Engine, GridData, HostType, HostValue, Kind, Limits, Outcome, Run, Value, ValueError,
};

fn run_of(program: &str) -> Run {
    let mut run = Engine::new().compile(program).unwrap().run(1);
    run.next().unwrap().unwrap();
    run
}

#[test]
fn a_handle_is_an_error_in_every_other_run() {
    let program = Engine::new()
        .compile("var list = [1, 2]; var number = 5; var same;")
        .unwrap();
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    let mut fork = run.clone();
    let mut other = program.run(1);
    for name in ["list", "number"] {
        let handle = run.global(name).unwrap();
        for stranger in [&mut fork, &mut other] {
            assert_eq!(stranger.view(&handle).err(), Some(ValueError::OtherRun));
            assert_eq!(stranger.data(&handle), Err(ValueError::OtherRun));
            assert_eq!(stranger.read::<i64>(&handle), Err(ValueError::OtherRun));
            assert_eq!(stranger.make(&handle).err(), Some(ValueError::OtherRun));
            assert_eq!(
                stranger.make(vec![handle.clone()]).err(),
                Some(ValueError::OtherRun)
            );
            assert_eq!(
                stranger.set_global("same", &handle).err(),
                Some(ValueError::OtherRun)
            );
        }
        run.set_global("same", &handle).unwrap();
    }
    let outlives = run.global("list").unwrap();
    drop(run);
    assert_eq!(other.view(&outlives).err(), Some(ValueError::OtherRun));
    assert_eq!(outlives.kind(), Kind::Array);
}

#[test]
fn handles_keep_their_values_through_collections() {
    let limits = Limits {
        memory: 8 << 20,
        ..Limits::default()
    };
    let text = "var kept = [[1, 2], {a: [3]}, setOf([4]), \"five\" + 5]; choose first {} or {}
        for (let i = 0; i < 9; i++) {} kept = null; for (let i = 0; i < 200000; i++) { let waste = [i, `${i}`, setOf(i)]; }";
    let program = Engine::new().with_limits(limits).compile(text).unwrap();
    let mut run = program.run(1);
    let mut handles = Vec::new();
    while handles.is_empty() {
        assert!(matches!(run.resume(1), Outcome::OutOfFuel));
        let list = run.global("kept").unwrap();
        if list.kind() == Kind::Array {
            handles.extend(
                run.view(&list)
                    .unwrap()
                    .elements()
                    .map(|element| element.hold()),
            );
        }
    }
    let made: Vec<_> = (0..100)
        .map(|at| run.make(format!("made {at}")).unwrap())
        .collect();
    let dropped: Vec<_> = (0..100).map(|at| run.make(vec![at]).unwrap()).collect();
    drop(dropped);
    let copies = handles.clone();
    drop(handles);
    run.next().unwrap().unwrap();
    assert!(run.statistics().collections > 3);
    let texts: Vec<String> = copies
        .iter()
        .map(|handle| run.text_of(handle).unwrap())
        .collect();
    assert_eq!(texts, ["[1, 2]", "{a: [3]}", "{[4]}", "five5"]);
    for (at, handle) in made.iter().enumerate() {
        assert_eq!(run.text_of(handle).unwrap(), format!("made {at}"));
    }
}

#[test]
fn a_host_that_only_makes_values_is_collected_after() {
    let mut run = run_of("var x;");
    for _ in 0..3_000 {
        run.make(vec![0i64; 10_000]).unwrap();
    }
    assert!(run.memory() < 64 << 20, "{}", run.memory());
}

#[test]
fn what_handles_refer_to_is_undone_like_everything() {
    let program = Engine::new()
        .compile("var a = [1]; choose first push(a, 2); or push(a, 3);")
        .unwrap();
    let mut run = program.run(1);
    let first = run.next().unwrap().unwrap();
    let a = run.global("a").unwrap();
    assert_eq!(run.read::<Vec<i64>>(&a), Ok(vec![1, 2]));
    let second = run.next().unwrap().unwrap();
    assert_eq!(run.read::<Vec<i64>>(&a), Ok(vec![1, 3]));
    let in_both = [first, second].map(|solution| solution.globals.get("a").unwrap().to_string());
    assert_eq!(in_both, ["[1, 2]", "[1, 3]"]);
}

#[test]
fn notes_of_undecided_cells_are_written_out_before_they_are_lost() {
    let text = "var g = makeGrid(3, 1, setOf(1, 2)); g[0, 0] = 1; var held = [0];
        choose first {} or {} or {}
        for (let x = 0; x < 3; x++) { held = [nonsingletonPositionsOf(g)]; g[2 - x, 0] = 7; }";
    let mut run = Engine::new().compile(text).unwrap().run(1);
    run.next().unwrap().unwrap();
    let held = run.global("held").unwrap();
    let before = run.text_of(&held).unwrap();
    assert_eq!(before, "[[]]");
    let positions = run.view(&held).unwrap().get(0).unwrap().hold();
    run.next().unwrap().unwrap();
    run.next().unwrap().unwrap();
    assert_eq!(
        (
            run.text_of(&held).unwrap(),
            run.text_of(&positions).unwrap()
        ),
        (before, "[]".to_string())
    );
}

/// A branch puts the undecided cells of a moment into something that only the host still holds when it has failed.
#[test]
fn notes_of_undecided_cells_outlive_the_branch_that_made_them() {
    for (make, put, read) in [
        ("[0]", "c[0] = positions", "c => c[0]"),
        ("[[0]]", "c[0][0] = positions", "c => c[0][0]"),
        ("[0]", "push(c, [positions])", "c => c[1][0]"),
        ("{}", "c.a = positions", "c => c.a"),
        ("queue()", "enqueue(positions, c)", "c => peek(c)"),
        ("makeGrid(1, 1, 0)", "c[0, 0] = positions", "c => c[0, 0]"),
        (
            "setOf({a: 0})",
            "singletonValue(c).a = positions",
            "c => singletonValue(c).a",
        ),
        (
            "relation([1, {a: 0}])",
            "singletonValue(rangeOf(c)).a = positions",
            "c => singletonValue(rangeOf(c)).a",
        ),
        ("holder()", "c(positions)", "c => c(null)"),
    ] {
        for choices in ["", "choose first {} or {} choose(1, 2);"] {
            let text = format!(
                "function holder() {{ let held; return x => {{ if (x != null) held = x; return held; }}; }}
                 var g = makeGrid(4, 1, setOf(1, 2)), c, read = {read}, first = nonsingletonPositionsOf(g);
                 choose first {{
                    c = {make}; for (let i = 0; i < 9; i++) {{}}
                    g[0, 0] = 1; {choices} let positions = nonsingletonPositionsOf(g); {put}; g[1, 0] = 1; fail;
                 }} or {{ g[2, 0] = 1; g[3, 0] = 1; g[0, 0] = setOf(3); }}"
            );
            let mut run = Engine::new().compile(&text).unwrap().run(1);
            while run.view_global("c").is_none_or(|c| c.is_null()) {
                assert!(matches!(run.resume(1), Outcome::OutOfFuel));
            }
            let held = run.global("c").unwrap();
            run.next().unwrap().unwrap();
            let read = run.call("read", (&held,)).unwrap().next().unwrap().unwrap();
            assert_eq!(
                run.text_of(&read).unwrap(),
                "[(1,0), (2,0), (3,0)]",
                "{text}"
            );
        }
    }
}

#[test]
fn notes_of_undecided_cells_can_be_kept_by_a_host_function() {
    use std::sync::{Arc, Mutex};
    let kept: Arc<Mutex<Vec<Value>>> = Arc::default();
    let keeper = kept.clone();
    let engine = Engine::new().with_function("keep", move |value: Value| {
        keeper.lock().unwrap().push(value);
        Ok(())
    });
    let text = "var g = makeGrid(4, 1, setOf(1, 2)); nonsingletonPositionsOf(g);
        choose first {
            let c = []; keep(c); g[0, 0] = 1; keep(nonsingletonPositionsOf(g)); push(c, nonsingletonPositionsOf(g));
            g[1, 0] = 1; fail;
        } or { g[2, 0] = 1; g[3, 0] = 1; }";
    let mut run = engine.compile(text).unwrap().run(1);
    run.next().unwrap().unwrap();
    let kept: Vec<String> = kept
        .lock()
        .unwrap()
        .iter()
        .map(|value| run.text_of(value).unwrap())
        .collect();
    assert_eq!(kept, ["[[(1,0), (2,0), (3,0)]]", "[(1,0), (2,0), (3,0)]"]);
}

#[test]
fn views_look_into_every_kind() {
    let run = run_of(
        "var all = {n: null, b: true, i: 7, f: 0.5, s: \"äb\", p: position(2, 3), a: [1, [2]], set: setOf(3, 1),
            r: relation([1, 2], [3, 4]), g: gridFromText(\"ab\\ncd\"), q: queue(), fun: x => x, big: toSet(range(100))};
         enqueue(\"first\", all.q); enqueue(\"second\", all.q); all.wide = 1e300; function f() {}",
    );
    let all = run.view_global("all").unwrap();
    let field = |name: &str| all.field(name).unwrap();
    assert_eq!(
        (all.kind(), all.len(), all.fields().len()),
        (Kind::Object, 14, 14)
    );
    assert!(field("n").is_null() && field("n").is_empty());
    assert_eq!(field("b").as_bool(), Some(true));
    assert_eq!(
        (
            field("i").as_i64(),
            field("i").as_f64(),
            field("f").as_i64()
        ),
        (Some(7), Some(7.0), None)
    );
    assert_eq!(
        (field("f").as_f64(), field("wide").as_f64()),
        (Some(0.5), Some(1e300))
    );
    assert_eq!((field("s").as_str(), field("s").len()), (Some("äb"), 2));
    assert_eq!(field("p").as_position(), Some((2, 3)));
    assert_eq!(field("a").get(1).unwrap().get(0).unwrap().as_i64(), Some(2));
    assert!(field("a").get(2).is_none() && field("i").get(0).is_none());
    assert_eq!(
        field("set").read::<BTreeSet<i64>>(),
        Ok(BTreeSet::from([1, 3]))
    );
    assert!(field("big").contains(99) && !field("big").contains(100) && field("big").contains(7));
    assert!(
        field("big")
            .elements()
            .map(|n| n.as_i64().unwrap())
            .eq(0..100)
    );
    assert_eq!(field("big").get(42).unwrap().as_i64(), Some(42));
    assert_eq!(
        field("r")
            .pairs()
            .map(|(a, b)| format!("{a}{b}"))
            .collect::<String>(),
        "1234"
    );
    let grid = field("g");
    assert_eq!((grid.width(), grid.height(), grid.len()), (2, 2, 4));
    assert_eq!(
        grid.cells()
            .filter_map(|cell| cell.as_str())
            .collect::<String>(),
        "abcd"
    );
    assert_eq!(
        (grid.cell(1, 0).unwrap().as_str(), grid.cell(2, 0).is_none()),
        (Some("b"), true)
    );
    assert_eq!(
        field("q")
            .elements()
            .map(|e| e.to_string())
            .collect::<Vec<_>>(),
        ["first", "second"]
    );
    assert_eq!(field("q").get(1).unwrap().as_str(), Some("second"));
    assert_eq!(field("fun").kind(), Kind::Function);
    assert!(all.contains("set") && !all.contains("unheard of"));
    assert!(
        field("s").contains("b")
            && field("a").contains(vec![2])
            && field("p").elements().next().is_none()
    );
}

#[test]
fn data_reads_as_print_shows_it() {
    let text = "var all = [null, true, -7, 0.1, 1e300, \"a\\n\\\"b\\\"\", position(-1, 2), [[]], setOf(2, \"x\", [1]), {a: 1, \"b c\": {}},
            queue(), relation([1, 2]), makeGrid(2, 1, 0), x => x, print, all2];
        function all2() {} push(all, all);";
    let mut run = Engine::new()
        .compile(&format!("{text} print(all); return all;"))
        .unwrap()
        .run(1);
    let solution = run.next().unwrap().unwrap();
    assert_eq!(solution.value.to_string(), solution.text);
    assert_eq!(solution.value.elements().last(), Some(&Data::Elided));
    assert!(
        solution.globals.get("all2").is_none(),
        "a function that the program declares is no variable"
    );
    let all = run.global("all").unwrap();
    assert_eq!(
        run.view(&all).unwrap().whole_data(),
        Err(ValueError::ContainsItself)
    );
}

#[test]
fn data_goes_into_a_run_and_comes_out_the_same() {
    let mut run = run_of("var x;");
    let grid = GridData::new(
        2,
        vec![1.into(), "a".into(), Data::Position(0, 1), Data::Null],
    )
    .unwrap();
    let data = Data::object([
        ("array", vec![1.5, 2.0].into()),
        ("set", Data::Set([Data::from(1), vec![2].into()].into())),
        (
            "relation",
            Data::Relation([(1.into(), 2.into()), (1.into(), 3.into())].into()),
        ),
        ("grid", grid.into()),
        ("queue", Data::Queue([Data::from("q")].into())),
        ("none", Data::from(None::<i32>)),
        ("yes", true.into()),
    ]);
    run.set_global("x", &data).unwrap();
    let x = run.global("x").unwrap();
    assert_eq!(run.data(&x), Ok(data));
    for (wrong, part) in [
        (Data::from(1i64 << 60), "beyond the integers"),
        (Data::from(f64::NAN), "finite"),
        (Data::Position(1 << 40, 0), "out of range"),
        (Data::Elided, "left out"),
        (Data::Function("f".into()), "a function"),
    ] {
        let error = run.make(vec![wrong]).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let deep = (0..1_000).fold(Data::Null, |data, _| Data::Array([data].into()));
    assert_eq!(run.make(&deep).err(), Some(ValueError::TooDeep));
}

/// All that recurses over data, on a small stack.
#[test]
fn data_of_the_host_is_never_nested_too_deep() {
    let work = || {
        let array = (0..200_000).fold(Data::Null, |data, _| {
            Data::Array([Data::from(1), data].into())
        });
        let grid = (0..200_000).fold(Data::Null, |data, _| {
            GridData::new(1, vec![data]).unwrap().into()
        });
        let object = (0..200_000).fold(Data::Null, |data, _| Data::object([("a", data)]));
        let pair = (0..200_000).fold(Data::Null, |data, _| {
            Data::Relation([(data, 1.into())].into())
        });
        for data in [array, grid, object, pair] {
            assert!(
                data.clone() == data
                    && !data.to_string().is_empty()
                    && format!("{data:?}").contains("Elided")
            );
            assert_eq!(
                run_of("var x;").make(&data).err(),
                Some(ValueError::TooDeep)
            );
        }
        // What is less deep is whole.
        let deep = (0..200).fold(Data::Null, |data, _| Data::Array([data].into()));
        assert_eq!(
            deep.to_string(),
            format!("{}null{}", "[".repeat(200), "]".repeat(200))
        );
        assert!(format!("{deep:#?}").contains("Null") && deep.clone() == deep);
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn cells_are_inside_the_grid_or_none() {
    let grid = GridData::new(2, vec![1.into(), 2.into(), 3.into(), 4.into()]).unwrap();
    assert_eq!(grid.cell(1, 1), Some(&Data::from(4)));
    for (x, y) in [
        (0, 2),
        (2, 0),
        (0, 1 << 63),
        (1, usize::MAX),
        (usize::MAX, 0),
        (usize::MAX, usize::MAX),
    ] {
        assert_eq!(grid.cell(x, y), None, "{x}, {y}");
    }
    let run = run_of("var g = makeGrid(2, 2, 5);");
    let value = run.global("g").unwrap();
    let view = run.view(&value).unwrap();
    assert!(view.cell(1, 1).is_some());
    for (x, y) in [
        (0, 2),
        (2, 0),
        (0, 1 << 63),
        (1, usize::MAX),
        (usize::MAX, 0),
        (usize::MAX, usize::MAX),
    ] {
        assert!(view.cell(x, y).is_none(), "{x}, {y}");
    }
}

#[test]
fn data_of_hostile_values_stays_small() {
    let text = "var wide = map(range(3000), x => toSet(range(3000)));
        var a = [1]; for (let i = 0; i < 200; i++) a = [a, a];
        var deep = []; for (let i = 0; i < 100000; i++) deep = [deep];
        var round = {}; round.round = round; return [a, deep, round];";
    let mut run = Engine::new().compile(text).unwrap().run(1);
    let solution = run.next().unwrap().unwrap();
    assert!(solution.value.to_string().len() < 10 << 20);
    assert_eq!(
        solution.globals.get("wide").unwrap().elements()[2999]
            .elements()
            .len(),
        3000,
        "sets are shared"
    );
    for (name, error) in [
        ("a", ValueError::TooDeep),
        ("deep", ValueError::TooDeep),
        ("round", ValueError::ContainsItself),
    ] {
        assert_eq!(
            run.view_global(name).unwrap().whole_data(),
            Err(error),
            "{name}"
        );
    }
    let run = run_of("var a = [1]; for (let i = 0; i < 60; i++) a = [a, a];");
    let a = run.global("a").unwrap();
    assert_eq!(
        run.view(&a).unwrap().whole_data(),
        Err(ValueError::TooLarge)
    );
    assert!(run.clone().next().is_none());
}

/// Whoever resumes a run holds it, and reads from it what is wanted; an iterator's solutions have all.
#[test]
fn only_an_iterator_copies_the_globals() {
    let looked = Arc::new(AtomicUsize::new(0));
    let (given, count) = (looked.clone(), looked.clone());
    let counted = HostType::<Counted>::new().data_by(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Data::Null
    });
    let engine = Engine::new()
        .with_type(counted)
        .with_function("counted", || Ok(Counted));
    let program = engine
        .compile("var x = 7, y = counted(); choose(1, 2);")
        .unwrap();
    let mut run = program.run(1);
    let Outcome::Solved(solution) = run.resume(u64::MAX) else {
        panic!("no solution")
    };
    assert!(solution.globals.is_empty());
    assert_eq!(given.load(Ordering::Relaxed), 0, "nothing was copied");
    assert_eq!(run.view_global("x").unwrap().as_i64(), Some(7));
    let second = run.next().unwrap().unwrap();
    assert_eq!(second.globals.get("x"), Some(&Data::from(7)));
    assert_eq!(given.load(Ordering::Relaxed), 1);
    // Between the two, nothing has changed.
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    let Outcome::Solved(solution) = run.resume(u64::MAX) else {
        panic!("no solution")
    };
    assert!(solution.globals.is_empty());
    run = program.run(1);
    run.keep_globals(true);
    let Outcome::Solved(solution) = run.resume(u64::MAX) else {
        panic!("no solution")
    };
    assert_eq!(solution.globals.len(), 2);
}

struct Counted;

impl HostValue for Counted {
    const NAME: &'static str = "counted";
}

#[test]
fn rust_types_go_in_and_out() {
    let mut run = run_of("var x;");
    macro_rules! round_trip {
        ($($value:expr => $type:ty),* $(,)?) => {$(
            let handle = run.make($value).unwrap();
            assert_eq!(run.read::<$type>(&handle), Ok($value));
        )*};
    }
    round_trip! {
        5i64 => i64, 5u8 => u8, -5i32 => i32, 0.25f64 => f64, 0.25f32 => f32, true => bool, 'ä' => char, () => (),
        "text".to_string() => String, (3i64, -4i64) => (i64, i64), Some(1u16) => Option<u16>, None::<i64> => Option<i64>,
        vec![vec![1i64], vec![]] => Vec<Vec<i64>>, BTreeSet::from(["a".to_string()]) => BTreeSet<String>,
        BTreeMap::from([("k".to_string(), 1i64)]) => BTreeMap<String, i64>,
    }
    let big = run.make(300).unwrap();
    assert!(run.read::<u8>(&big).is_err());
    assert_eq!(
        run.read::<bool>(&big).unwrap_err().to_string(),
        "expected true or false, not 300 (a number)"
    );
    assert!(
        run.make(u64::MAX).is_err()
            && run.make(f64::INFINITY).is_err()
            && run.make((1i64 << 40, 0)).is_err()
    );
}

#[test]
fn a_write_of_the_host_takes_part_in_undoing() {
    let text = "var seen = []; choose first {} or {} or {} push(seen, mark); print(seen); var late; const fixed = 1;
        function f() { return 1; } f(); let block = 1; print(block);";
    let program = Engine::new().compile(text).unwrap();
    let mut run = program.run(1);
    run.set_global("mark", "host").unwrap();
    assert_eq!(run.next().unwrap().unwrap().text, "[\"host\"]1");
    run.set_global("mark", "changed").unwrap();
    run.set_global("block", 7).unwrap();
    let mark = run.global("mark").unwrap();
    assert_eq!(run.read::<String>(&mark).unwrap(), "changed");
    assert_eq!(
        run.next().unwrap().unwrap().text,
        "[\"host\"]1",
        "the write came after the guess that failed"
    );
    assert_eq!(run.view_global("mark").unwrap().as_str(), Some("host"));
    for name in ["fixed", "f", "print"] {
        assert_eq!(
            run.set_global(name, 1),
            Err(ValueError::CannotBeSet(name.to_string()))
        );
    }
    let missing = run.set_global("mrk", 1).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "the program has no global `mrk`: did you mean `mark`?"
    );
    assert!(
        run.set_global("zzzzzz", 1)
            .unwrap_err()
            .to_string()
            .ends_with("`zzzzzz`")
    );
    run.verify();
}

trait Verify {
    fn verify(self);
}

impl Verify for Run {
    /// Goes on to the end, with a check that each failure restores what there was.
    fn verify(self) {
        #[cfg(debug_assertions)]
        let this = {
            let mut this = self;
            this.verify_backtracking();
            this
        };
        #[cfg(not(debug_assertions))]
        let this = self;
        for solution in this {
            solution.unwrap();
        }
    }
}

#[test]
fn what_is_wrong_inside_a_value_says_where() {
    let run = run_of(
        "var a = [1, 2, \"x\"], s = setOf([1], [0.5]), o = {ok: [1], \"not so\": [1, null]}, deep = [[1], [2, [3]]],
            cyclic = [1]; push(cyclic, cyclic);",
    );
    let error = |name: &str, read: &dyn Fn(ndscript::View) -> Option<ValueError>| {
        read(run.view_global(name).unwrap()).map_or("fine".to_string(), |error| error.to_string())
    };
    assert_eq!(
        error("a", &|view| view.read::<Vec<i64>>().err()),
        "at [2]: expected a whole number, not \"x\" (a string)"
    );
    assert_eq!(
        error("a", &|view| view.read::<i64>().err()),
        "expected a whole number, not [1, 2, \"x\"] (an array)"
    );
    let nested = "at [0][0]: expected a whole number, not 0.5 (a number)";
    assert_eq!(
        error("s", &|view| view.read::<BTreeSet<Vec<i64>>>().err()),
        nested
    );
    let field = "at [\"not so\"][1]: expected a whole number, not null";
    assert_eq!(
        error("o", &|view| view.read::<BTreeMap<String, Vec<i64>>>().err()),
        field
    );
    assert_eq!(
        error("o", &|view| view
            .read::<BTreeMap<String, Vec<Option<i64>>>>()
            .err()),
        "fine"
    );
    assert_eq!(
        error("o", &|view| view.read_field::<bool>("ok").err()),
        "at .ok: expected true or false, not [1] (an array)"
    );
    assert_eq!(
        error("o", &|view| view.read_field::<bool>("no").err()),
        "the object has no field `no`"
    );
    assert_eq!(
        error("a", &|view| view.read_field::<bool>("no").err()),
        "expected an object, not [1, 2, \"x\"] (an array)"
    );
    assert_eq!(
        error("cyclic", &|view| view.read::<Vec<Data>>().err()),
        "at [1]: the value contains itself"
    );
    assert_eq!(
        error("deep", &|view| view.read::<Vec<Vec<char>>>().err()),
        "at [0][0]: expected a string of one character, not 1 (a number)"
    );
}

#[test]
fn what_is_wrong_inside_an_argument_says_where() {
    let engine = Engine::new()
        .with_function("total", |_: String, numbers: Vec<f64>| {
            Ok(numbers.iter().sum::<f64>())
        })
        .with_function("keep", |value: Data| Ok(value));
    let message = |text: &str| match engine.compile(text).unwrap().run(1).next() {
        Some(Err(ndscript::RunError::Script(error))) => error.diagnostic.message,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        message("total(\"\", 5);"),
        "`total` wants an array, a set or a queue of the right elements as its second argument, not 5 (a number)"
    );
    assert_eq!(
        message("total(\"\", [1, [2]]);"),
        "`total` cannot take argument 2: at [1]: expected a number, not [2] (an array)"
    );
    assert_eq!(
        message("let a = []; push(a, a); keep(a);"),
        "`keep` cannot take argument 1: the value contains itself"
    );
    let deep = "let a = []; for (let i = 0; i < 200; i++) a = [a]; keep(a);";
    assert_eq!(
        message(deep),
        "`keep` cannot take argument 1: the value is nested more than 128 deep"
    );
}

/// A few arrays that are very large once they are written out.
#[test]
fn a_copy_for_the_host_is_held_to_the_limit_of_memory() {
    let text = "var a = range(1000), b = [], c = []; foreach (i in range(1000)) push(b, a); foreach (i in range(1000)) push(c, b);
        var d = [a, a], text = repeat(\"0123456789\", 20000), texts = map(range(1000), i => text), set = toSet(range(300)), sets = map(range(9000), i => set);";
    let limits = Limits {
        memory: 16 << 20,
        ..Limits::default()
    };
    let mut run = Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap()
        .run(1);
    run.next().unwrap().unwrap();
    let large = Some(ValueError::TooLarge);
    let view = |name: &str| run.view_global(name).unwrap();
    assert_eq!(view("b").read::<Vec<Vec<i64>>>().err(), large);
    assert_eq!(view("c").read::<Vec<Vec<Vec<i64>>>>().err(), large);
    assert_eq!(view("c").whole_data().err(), large);
    assert_eq!(view("b").whole_data().err(), large);
    assert_eq!(view("texts").read::<Vec<String>>().err(), large);
    assert_eq!(view("sets").read::<Vec<BTreeSet<i64>>>().err(), large);
    assert_eq!(view("sets").whole_data().err(), large);
    assert_eq!(view("d").read::<Vec<Vec<i64>>>().unwrap().len(), 2);
    // What holds handles alone is no copy.
    assert_eq!(view("c").read::<Vec<Value>>().unwrap().len(), 1000);
    assert!(view("c").to_string().len() <= 17 << 20);
    assert!(
        ValueError::TooLarge
            .to_string()
            .contains("raise `Limits::memory`")
    );
    run.set_limits(Limits::default());
    assert_eq!(
        run.view_global("b")
            .unwrap()
            .read::<Vec<Vec<i64>>>()
            .unwrap()
            .len(),
        1000
    );
}
