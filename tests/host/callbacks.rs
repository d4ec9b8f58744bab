//! Functions of the host that call functions of the script, and values of the host at signs of the language.

use super::texts;
use ndscript::{
    Callback, Choices, Engine, HostError, HostType, HostValue, LimitReached, Limits, NdData,
    NdType, Outcome, RunError, SaveError, Value,
};

fn engine() -> Engine {
    Engine::new()
        .with_function("each", |f: Value, items: Vec<i64>| Callback::each(f, items))
        .with_function("call", |f: Value| Callback::call(f, ()))
        .with_function("twice", |f: Value, x: i64| {
            let again = f.clone();
            Callback::call(f, (x,)).then(move |y: i64| Callback::call(again.clone(), (y,)))
        })
        .with_function("down", |f: Value, n: i64| down(f, n))
        .with_function("around", |f: Value| {
            Callback::call(f, ()).then(|n: i64| Choices::in_order([n - 1, n + 1]))
        })
        .with_function("small", |f: Value| {
            Callback::call(f, ()).then(|n: i64| -> Result<i64, HostError> {
                if n > 9 {
                    return Err(HostError::new("that is too much"));
                }
                Ok(n)
            })
        })
}

/// A machine of states: one call after another.
fn down(f: Value, n: i64) -> Callback {
    let again = f.clone();
    Callback::call(f, (n,)).then(move |more: i64| match more {
        0 => Callback::call(again.clone(), (0,)),
        more => down(again.clone(), more),
    })
}

fn error_of(program: &str) -> String {
    let mut run = engine().compile(program).unwrap().run(1);
    run.next().unwrap().unwrap_err().to_string()
}

#[test]
fn the_host_calls_what_it_is_given() {
    let program = "
        var seen = [];
        function note(x) { push(seen, x); return x * 10; }
        let result = each(note, [1, 2, 3]);
        print(result, seen, twice(x => x + 3, 4), ' ', call(() => 'done'), ' ', map([1, 2], x => twice(y => y * 2, x)));
        print(' ', down(x => { push(seen, x); return x > 0 ? x - 1 : 0; }, 1000), ' ', sizeOf(seen));
        let own = each; print(own(sqrt, [4, 9]), each(each, []));";
    assert_eq!(
        texts(&engine(), program),
        ["[10, 20, 30][1, 2, 3]10 done [4, 8] 0 1004[2, 3][]"]
    );
}

#[test]
fn choices_of_the_called_function_are_choices_of_the_run() {
    let program = "
        var calls = 0;
        let x = twice(x => { calls++; return x + choose(1, 2); }, 10);
        let y = around(() => choose(1, 5));
        require(x + y > 15); print(x, ' ', y, ' ', calls);";
    assert_eq!(
        texts(&engine(), program),
        [
            "12 4 2", "12 6 2", "13 4 2", "13 6 2", "13 4 2", "13 6 2", "14 2 2", "14 4 2",
            "14 6 2"
        ]
    );
    // Barriers, and functions that fail.
    let program = "print(countSolutions(() => around(() => choose(1, 5))), not(() => call(() => { fail; })), \
        once(() => twice(x => x + choose(1, 2), 0)), minimize(() => { let n = call(() => choose(3, 1, 2)); cost(n); return n; }));";
    assert_eq!(texts(&engine(), program), ["4true21"]);
}

#[test]
fn errors_have_their_place_in_the_called_function() {
    assert_eq!(
        error_of("function f(x) {\n  return x.y;\n}\nprint(each(f, [7]));"),
        "program:2:10: 7 (a number) has no fields: cannot read `.y`\n  called from f(7) at program:4"
    );
    assert!(error_of("call(3);").contains("3 (a number) is not a function"));
    assert!(error_of("twice(() => 1, 2);").contains("takes no arguments, but got 1"));
    assert!(error_of("twice(x => 'a', 2);").contains(
        "the host cannot use the result of the function that it called: expected a whole number"
    ));
    assert!(error_of("small(() => 12);").contains("that is too much"));
}

#[test]
fn callbacks_pause_fork_and_come_to_limits() {
    let program = "let n = 0; let all = each(x => { for (let i = 0; i < 50; i++) n += x; return choose(n, 0); }, [1, 2, 3]); print(all);";
    let compiled = engine().compile(program).unwrap();
    let whole: Vec<String> = compiled.run(3).map(|each| each.unwrap().text).collect();
    assert_eq!(whole.len(), 8);
    let (mut run, mut found) = (compiled.run(3), Vec::new());
    loop {
        let mut fork = run.fork().unwrap();
        let outcome = run.resume(7);
        assert_eq!(format!("{:?}", fork.resume(7)), format!("{outcome:?}"));
        match outcome {
            Outcome::Solved(solution) => found.push(solution.text),
            Outcome::OutOfFuel => {}
            Outcome::Failed => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, whole);

    let endless = engine()
        .compile("call(() => { while (true) {} });")
        .unwrap();
    let mut run = endless.run(1);
    assert!(matches!(run.resume(1000), Outcome::OutOfFuel));
    assert_eq!(run.save(), Err(SaveError::NoSaving("callback")));
    run.set_limits(Limits {
        steps: 5000,
        ..Limits::default()
    });
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Steps(5000))
    ));
    let deep = engine()
        .compile("function f() { return call(f); } f();")
        .unwrap();
    let mut run = deep.run(1);
    run.set_limits(Limits {
        depth: 10_000,
        ..Limits::default()
    });
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Depth(_))
    ));
    // Before and behind such a call there is nothing that cannot be saved.
    let program = engine()
        .compile("let a = call(() => 4); while (true) {}")
        .unwrap();
    let mut run = program.run(1);
    run.resume(1000);
    assert!(engine().restore(&program, &run.save().unwrap()).is_ok());
}

#[test]
fn calls_of_the_host_and_methods_call_back_too() {
    #[derive(Clone)]
    struct Shelf(Vec<i64>);
    impl HostValue for Shelf {
        const NAME: &'static str = "shelf";
    }
    let shelf = HostType::<Shelf>::new()
        .cloned()
        .method("each", |shelf: &Shelf, f: Value| {
            Callback::each(f, shelf.0.clone())
        })
        .method("first", |shelf: &Shelf, f: Value| {
            Callback::call(f, (shelf.0[0],)).then(|n: i64| n + 1)
        });
    let engine = engine()
        .with_type(shelf)
        .with_function("shelf", || Shelf(vec![5, 6]));
    let program = "var s = shelf(); function f(g) { return s.first(g); } print(s.each(x => x * 2), f(x => x + 1));";
    let program = engine.compile(program).unwrap();
    let mut run = program.run(1);
    assert_eq!(run.next().unwrap().unwrap().text, "[10, 12]7");
    let negate = run.call_once::<Value>("call", (run.global("f").unwrap(),));
    assert!(negate.is_err(), "`f` takes an argument");
    let shown = run.call_once::<i64>("call", (run.global("s").unwrap(),));
    assert!(matches!(shown, Err(RunError::Script(_))));
}

#[derive(Clone, Debug, PartialEq, NdData)]
enum Move {
    Wait,
    #[nds(name = "go")]
    Walk {
        to: (i64, i64),
        max_cost: Option<i64>,
    },
    Say(String, i64),
}

#[derive(Clone, Debug, PartialEq, NdData)]
struct Unit<T> {
    name: String,
    hit_points: T,
    #[nds(default)]
    moves: Vec<Move>,
    pair: Pair,
    id: Id,
}

#[derive(Clone, Debug, PartialEq, NdData)]
struct Pair(f64, bool);

#[derive(Clone, Debug, PartialEq, NdData)]
struct Id(u32);

#[test]
fn structs_and_enums_are_data() {
    let engine = Engine::new().with_function("same", |unit: Unit<i64>| unit);
    let unit = "{name: \"Bo\", hitPoints: 7, moves: [\"wait\", {kind: \"go\", to: (1,2), maxCost: null}, \
        {kind: \"say\", values: [\"hi\", 2]}], pair: [0.5, true], id: 3}";
    let program = format!(
        "print(same({}));",
        unit.replace("(1,2)", "position(1, 2)")
            .replace(", maxCost: null", "")
    );
    assert_eq!(texts(&engine, &program), [unit]);
    let mut run = engine
        .compile("var unit = null; unit = same(unit);")
        .unwrap()
        .run(1);
    let bo = Unit {
        name: "Bo".into(),
        hit_points: 7,
        moves: vec![Move::Say("a".into(), 1)],
        pair: Pair(1.0, false),
        id: Id(9),
    };
    run.set_global("unit", bo.clone()).unwrap();
    let unit = run.global("unit").unwrap();
    assert_eq!(run.read::<Unit<i64>>(&unit), Ok(bo));
    for (argument, message) in [
        ("3", "an object with name, hitPoints, moves, pair and id"),
        ("{}", "the object has no field `name`"),
        (
            "{name: 'a', hitPoints: 'b'}",
            "at .hitPoints: expected a whole number",
        ),
        (
            "{name: 'a', hitPoints: 1, pair: [1]}",
            "at .pair: expected an array of 2 elements",
        ),
        (
            "{name: 'a', hitPoints: 1, pair: [1, true], id: -1}",
            "at .id: expected a whole number in range",
        ),
        (
            "{name: 'a', hitPoints: 1, moves: ['hop']}",
            "at .moves[0]: expected \"wait\", or an object whose `kind` is \"go\" or \"say\"",
        ),
        (
            "{name: 'a', hitPoints: 1, moves: [{kind: 'say', values: [1]}]}",
            "at .moves[0].values: expected an array of 2 elements",
        ),
        (
            "{name: 'a', hitPoints: 1, moves: [{kind: 'say', values: [1, 2]}]}",
            "at .moves[0].values[0]: expected a string",
        ),
    ] {
        let mut run = engine
            .compile(&format!("same({argument});"))
            .unwrap()
            .run(1);
        let error = run.next().unwrap().unwrap_err().to_string();
        assert!(error.contains(message), "{argument}: {error}");
    }
}

#[derive(Clone, NdType)]
#[nds(name = "vector")]
struct Vector {
    #[nds(set)]
    x: i64,
    #[nds(set)]
    y: i64,
    #[nds(get)]
    label_text: String,
    #[allow(dead_code, reason = "scripts do not see it")]
    secret: i64,
}

fn vectors() -> Engine {
    let make = |x: i64, y: i64| Vector {
        x,
        y,
        label_text: format!("{x}|{y}"),
        secret: 1,
    };
    let kind = Vector::host_type()
        .cloned()
        .operator("+", move |a: &Vector, b: &Vector| {
            make(a.x + b.x, a.y + b.y)
        })
        .operator("*", move |a: &Vector, by: i64| make(a.x * by, a.y * by))
        .operator_of_trait("*", move |a: &Vector, by: i64| make(a.x * by, a.y * by))
        .index(|a: &Vector, at: i64| -> Result<i64, HostError> {
            match at {
                0 => Ok(a.x),
                1 => Ok(a.y),
                _ => Err(HostError::new(format!("a vector has no coordinate {at}"))),
            }
        })
        .index_mut(
            |a: &mut Vector, at: i64, value: i64| if at == 0 { a.x = value } else { a.y = value },
        )
        .elements(|a: &Vector| vec![a.x, a.y])
        .equal_by(|a, b| a.x == b.x && a.y == b.y);
    Engine::new().with_type(kind).with_function("vector", make)
}

#[test]
fn values_of_the_host_stand_at_signs_of_the_language() {
    let program = "
        let v = vector(1, 2), w = v; v.x = 5; v[1] += 3;
        let total = 0; foreach (n in v) total += n;
        print(w.x, w.y, ' ', (v + vector(1, 1)).labelText, ' ', (2 * v * 10)[0], ' ', total, ' ', v == vector(5, 5), v != vector(5, 6), [v] == [vector(5, 5)]);
        choose first { v.x = 99; v[1] = 98; fail; } or {} print(' ', v.x, v.y);
        v.x += 1; v.y++; print(' ', v.x, v[1]);";
    assert_eq!(
        texts(&vectors(), program),
        ["55 6|6 100 10 truetruetrue 55 66"]
    );
    for (program, message) in [
        (
            "vector(1, 2).labelText = 'a';",
            "cannot set the field `labelText`",
        ),
        ("vector(1, 2).secret;", "a vector has no method `secret`"),
        ("vector(1, 2).x = 'a';", "a whole number"),
        ("vector(1, 2)[7];", "a vector has no coordinate 7"),
        ("vector(1, 2)['x'];", "a whole number"),
        ("vector(1, 2) - vector(1, 2);", "cannot subtract"),
        ("vector(1, 2) + 1;", "a vector"),
        ("setOf(vector(1, 2));", "its type has no order"),
    ] {
        let mut run = vectors().compile(program).unwrap().run(1);
        let error = run.next().unwrap().unwrap_err().to_string();
        assert!(error.contains(message), "{program}: {error}");
    }
}
