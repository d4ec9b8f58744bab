//! Types of serde in and out of runs.

use std::collections::{BTreeMap, HashMap};

use ndscript::{Data, Engine, Param, Run, RunError, Serde, ValueError};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Dot,
    Circle(f64),
    Line(i32, i32),
    Box { width: u8, height: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Monster {
    name: String,
    health: i64,
    shape: Shape,
    loot: Option<Vec<String>>,
    weights: BTreeMap<i32, f32>,
    #[serde(default)]
    tag: char,
    inside: Option<Box<Monster>>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Map {
    width: usize,
    height: usize,
    cells: Vec<String>,
}

fn monster() -> Monster {
    let inner = Monster {
        name: "bat".into(),
        health: -1,
        shape: Shape::Line(1, -2),
        loot: None,
        weights: BTreeMap::from([(3, 0.5), (-1, 2.0)]),
        tag: 'ä',
        inside: None,
    };
    Monster {
        name: "cave".into(),
        shape: Shape::Box {
            width: 2,
            height: 3,
        },
        loot: Some(vec!["gem".into()]),
        inside: Some(Box::new(inner.clone())),
        ..inner
    }
}

fn run_of(text: &str) -> Run {
    let mut run = Engine::new().compile(text).unwrap().run(1);
    run.next().unwrap().unwrap();
    run
}

#[test]
fn any_type_goes_in_and_comes_out_the_same() {
    let mut run = run_of("var it; function shown() { return toString(it); }");
    let value = run.to_value(&monster()).unwrap();
    assert_eq!(run.from_value::<Monster>(&value).unwrap(), monster());
    run.set_global("it", Serde(monster())).unwrap();
    let shown = run.call_once::<String>("shown", ()).unwrap().unwrap();
    assert!(
        shown.starts_with(
            "{name: \"cave\", health: -1, shape: {Box: {width: 2, height: 3}}, loot: [\"gem\"], weights: {"
        )
    );
    for shape in [
        Shape::Dot,
        Shape::Circle(0.25),
        Shape::Line(1, 2),
        Shape::Box {
            width: 255,
            height: 0,
        },
    ] {
        let value = run.to_value(&shape).unwrap();
        assert_eq!(run.from_value::<Shape>(&value).unwrap(), shape);
    }
    let tuple = (
        1u64,
        -2i8,
        0.5f32,
        'x',
        "text".to_string(),
        [true, false],
        (),
        Some(()),
        vec![0u8, 255],
    );
    let value = run.to_value(&tuple).unwrap();
    assert_eq!(
        run.data(&value).unwrap().to_string(),
        "[1, -2, 0.5, \"x\", \"text\", [true, false], null, null, [0, 255]]"
    );
    let keys = HashMap::from([(true, 1), (false, 0)]);
    let value = run.to_value(&keys).unwrap();
    assert_eq!(run.from_value::<HashMap<bool, u8>>(&value).unwrap(), keys);
}

#[test]
fn values_of_the_language_are_read_by_what_they_hold() {
    let mut run = run_of(
        "function make() { let q = queue(); enqueue(3, q); let big = {g: gridFromText(\"ab\\ncd\"), r: relation([1, \"one\"]), q: q,
            s: setOf(2, 1), p: position(4, -5), f: make}; return big; }",
    );
    let big = run.call("make", ()).unwrap().next().unwrap().unwrap();
    let part = |run: &Run, name: &str| run.view(&big).unwrap().field(name).unwrap().hold();
    let grid = part(&run, "g");
    assert_eq!(
        run.from_value::<Vec<Vec<char>>>(&grid).unwrap(),
        [['a', 'b'], ['c', 'd']]
    );
    let map = run.from_value::<Map>(&grid).unwrap();
    assert_eq!(
        (map.width, map.height, map.cells.concat().as_str()),
        (2, 2, "abcd")
    );
    assert_eq!(
        run.from_value::<Vec<(i32, String)>>(&part(&run, "r"))
            .unwrap(),
        [(1, "one".to_string())]
    );
    assert_eq!(run.from_value::<[u8; 1]>(&part(&run, "q")).unwrap(), [3]);
    assert_eq!(
        run.from_value::<Vec<i32>>(&part(&run, "s")).unwrap(),
        [1, 2]
    );
    assert_eq!(
        run.from_value::<Point>(&part(&run, "p")).unwrap(),
        Point { x: 4, y: -5 }
    );
    assert_eq!(
        run.from_value::<(i32, i32)>(&part(&run, "p")).unwrap(),
        (4, -5)
    );
    let error = run
        .from_value::<String>(&part(&run, "f"))
        .unwrap_err()
        .to_string();
    assert_eq!(error, "a function cannot be read as data");
    assert!(serde_json::to_string(&run.data(&part(&run, "f")).unwrap()).is_err());
    let json = serde_json::to_string(&run.data(&grid).unwrap()).unwrap();
    assert_eq!(json, "[[\"a\",\"b\"],[\"c\",\"d\"]]");
}

#[test]
fn json_is_data() {
    let text = "{\"a\":[1,2.5,null,true,\"x\"],\"b\":{\"c\":-9007199254740991}}";
    let data: Data = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&data).unwrap(), text);
    for wrong in [
        "9007199254740992",
        "-9007199254740992",
        "18446744073709551615",
        "{\"a\":1,\"a\":2}",
    ] {
        assert!(serde_json::from_str::<Data>(wrong).is_err(), "{wrong}");
    }
    assert!(serde_json::from_str::<Data>(&"[".repeat(100_000)).is_err());
}

#[derive(Serialize)]
struct Nested(Vec<Nested>);

#[test]
fn what_is_no_value_is_an_error() {
    let mut run = run_of(
        "var round = []; push(round, [round]); var deep = []; for (let i = 0; i < 500; i++) deep = [deep]; let o = {a: 1};",
    );
    assert!(
        run.to_value(&(1u64 << 60)).is_err()
            && run.to_value(&u128::MAX).is_err()
            && run.to_value(&f64::NAN).is_err()
    );
    assert!(
        run.to_value(&BTreeMap::from([(vec![1], 1)]))
            .unwrap_err()
            .to_string()
            .contains("the key of a map")
    );
    let nested = (0..5_000).fold(Nested(Vec::new()), |inner, _| Nested(vec![inner]));
    assert_eq!(run.to_value(&nested).err(), Some(ValueError::TooDeep));
    // Takes it apart without recursion.
    let mut rest = vec![nested];
    while let Some(mut nested) = rest.pop() {
        rest.append(&mut nested.0);
    }
    let round = run.global("round").unwrap();
    assert_eq!(
        run.from_value::<Data>(&round),
        Err(ValueError::ContainsItself)
    );
    let deep = run.global("deep").unwrap();
    assert_eq!(run.from_value::<Data>(&deep), Err(ValueError::TooDeep));
    let o = run.global("o").unwrap();
    assert!(
        run.from_value::<Monster>(&o)
            .unwrap_err()
            .to_string()
            .contains("missing field `name`")
    );
    assert!(
        run.from_value::<Shape>(&o)
            .unwrap_err()
            .to_string()
            .contains("unknown variant `a`")
    );
    let fork = run.clone();
    assert_eq!(fork.from_value::<Data>(&o), Err(ValueError::OtherRun));
}

#[test]
fn host_functions_and_parameters_take_any_type() {
    let engine = Engine::new().with_function(
        "hurt",
        |Serde(mut monster): Serde<Monster>, by: Option<i64>| {
            monster.health -= by.unwrap_or(1);
            Ok(Serde(monster))
        },
    );
    let text = "let m = param(\"monster\", null); let hurt2 = hurt(hurt(m, 5)); return [hurt2.health, hurt2.inside.name, m.health];";
    let program = engine.compile(text).unwrap();
    let mut run = program.run_with(
        1,
        &[("monster".into(), Param::Data(Data::of(&monster()).unwrap()))],
    );
    {
        let saved = run.save().unwrap();
        let mut restored = engine.restore(&program, &saved).unwrap();
        assert_eq!(
            restored.next().unwrap().unwrap().value.to_string(),
            "[-7, \"bat\", -1]"
        );
    }
    let value = run.next().unwrap().unwrap().value;
    assert_eq!(
        value.to::<(i64, String, i64)>().unwrap(),
        (-7, "bat".to_string(), -1)
    );
    let mut run = program.run_with(
        1,
        &[("monster".into(), Param::Data(Data::from(1i64 << 60)))],
    );
    assert!(
        run.next()
            .unwrap()
            .unwrap_err()
            .to_string()
            .contains("the parameter monster")
    );
}

#[test]
fn the_words_of_serde_come_with_the_place() {
    #[derive(Debug, Deserialize)]
    struct Item {
        _name: String,
        _price: u8,
    }
    let engine = Engine::new().with_function("buy", |Serde(items): Serde<Vec<Item>>| {
        Ok(items.len() as i64)
    });
    let message = |text: &str| match engine.compile(text).unwrap().run(1).next() {
        Some(Err(RunError::Script(error))) => error.diagnostic.message,
        other => panic!("{other:?}"),
    };
    let rope = "{_name: \"rope\", _price: 4}";
    assert_eq!(
        message(&format!("buy([{rope}, {{_name: \"lamp\"}}]);")),
        "`buy` cannot take argument 1: at [1]: missing field `_price`"
    );
    assert_eq!(
        message(&format!("buy([{rope}, {{_name: \"lamp\", _price: 400}}]);")),
        "`buy` cannot take argument 1: at [1]._price: invalid value: integer `400`, expected u8"
    );
    let mut run = engine
        .compile("var pairs = [[1, 2], [3]], long = {a: [1, 2, 3]};")
        .unwrap()
        .run(1);
    run.next().unwrap().unwrap();
    let error = run
        .from_value::<Vec<(i64, i64)>>(&run.global("pairs").unwrap())
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "at [1]: invalid length 1, expected a tuple of size 2"
    );
    let error = run
        .from_value::<BTreeMap<String, (i64, i64)>>(&run.global("long").unwrap())
        .unwrap_err()
        .to_string();
    assert_eq!(error, "at .a: invalid length 3, expected 2 elements");
}
