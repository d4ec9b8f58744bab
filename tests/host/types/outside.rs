//! Values in the hands of the host, and what tools are told of types.

use ndscript::{Data, HostType, Kind, ValueError, View};

use super::{Bag, Counter, bag, counter, counting, engine, run_of, texts, with};

#[test]
fn the_host_looks_at_values_and_changes_them() {
    let program = engine()
        .compile("function count() { return bag2.count; } choose(1, 2); print(count());")
        .unwrap();
    let mut run = program.run(1);
    run.set_global(
        "bag2",
        Bag {
            items: vec!["rope".to_string()],
        },
    )
    .unwrap();
    let held = run.global("bag2").unwrap();
    assert_eq!(held.kind(), Kind::Host);
    assert_eq!(run.next().unwrap().unwrap().text, "1");
    run.change_host_value(&held, |bag: &mut Bag| bag.items.push("lamp".to_string()))
        .unwrap();
    assert_eq!(run.call_once::<i64>("count", ()).unwrap(), Some(2));
    assert_eq!(
        run.host_value::<Bag>(&held).unwrap().items,
        ["rope", "lamp"]
    );
    assert_eq!(run.read::<Bag>(&held).unwrap().items.len(), 2);
    assert_eq!(
        run.next().unwrap().unwrap().text,
        "1",
        "the host's change is undone as one of the script"
    );
    assert_eq!(run.host_value::<Bag>(&held).unwrap().items, ["rope"]);
    let message = "expected a counter, not the bag of rope";
    assert_eq!(
        run.host_value::<Counter>(&held).err().unwrap().to_string(),
        message
    );
    assert!(
        run.change_host_value(&held, |counter: &mut Counter| counter.0 = 1)
            .is_err()
    );
    assert_eq!(
        run.read::<i64>(&held).err().unwrap().to_string(),
        "expected a whole number, not the bag of rope"
    );
    let mut other = program.run(1);
    assert_eq!(
        other.host_value::<Bag>(&held).err(),
        Some(ValueError::OtherRun)
    );
    let unknown = other
        .set_global("bag2", Counter(1))
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        unknown,
        "the engine does not know the type `counter`: register it with `Engine::with_type`"
    );
    let made = run
        .make(vec![
            Bag::default(),
            Bag {
                items: vec!["x".to_string()],
            },
        ])
        .unwrap();
    assert_eq!(run.text_of(&made).unwrap(), "[bag of , bag of x]");
    let set = std::collections::BTreeSet::from([Bag::default()]);
    let set = run.make(set).unwrap();
    let element = run.view(&set).unwrap().get(0).unwrap().hold();
    assert!(matches!(
        run.change_host_value(&element, |_: &mut Bag| ()),
        Err(ValueError::CannotBeSet(_))
    ));
}

#[test]
fn values_leave_the_run_as_data() {
    let solution = run_of(&engine(), "var b = bag(\"x\"); return [b, b.add];")
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(
        solution.globals.get("b"),
        Some(&Data::Host("bag".into(), "bag of x".into()))
    );
    assert_eq!(solution.value.to_string(), "[bag of x, function bag.add]");
    let error = solution
        .value
        .to::<Vec<String>>()
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("the type `bag` of the host has no data"),
        "{error}"
    );
    let engine = with(bag().data_by(|bag| Data::of(bag).unwrap()));
    let mut run = run_of(&engine, "var b = bag(\"x\", \"y\");");
    run.next();
    let held = run.global("b").unwrap();
    assert_eq!(run.from_value::<Bag>(&held).unwrap().items, ["x", "y"]);
    assert_eq!(
        run.data(&held).unwrap().to_string(),
        "{items: [\"x\", \"y\"]}"
    );
    assert!(
        run.make(Data::Host("bag".into(), "bag of x".into()))
            .is_err()
    );
}

#[test]
fn calls_of_the_host_undo_what_they_did() {
    let program = engine()
        .compile(
            "var b = bag(); function grow(x) { b.add(x); b.add(choose(\"1\", \"2\")); return b; }
             function method() { return b.add; }
             function isZ(x) { return x == bag(\"z\") && param(\"none\", x).has(\"z\"); }",
        )
        .unwrap();
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    let mut seen = Vec::new();
    let mut call = run
        .call("grow", (Bag::default().items.len() as i64,))
        .unwrap();
    assert!(call.next().unwrap().is_err(), "a number is no item");
    drop(call);
    let mut call = run.call("grow", ("x",)).unwrap();
    while let Some(result) = call.next() {
        seen.push(call.run().text_of(&result.unwrap()).unwrap());
    }
    drop(call);
    assert_eq!(seen, ["bag of x and 1", "bag of x and 2"]);
    assert_eq!(run.view_global("b").unwrap().to_string(), "bag of ");
    run.call("grow", ("x",)).unwrap().next();
    assert_eq!(run.view_global("b").unwrap().to_string(), "bag of x and 1");
    // A method is a function that the host can hold, and call.
    let add = run.call("method", ()).unwrap().next().unwrap().unwrap();
    assert_eq!(
        (add.kind(), run.text_of(&add).unwrap().as_str()),
        (Kind::Function, "function bag.add")
    );
    assert_eq!(run.call_once::<i64>(&add, ("y",)).unwrap(), Some(3));
    let tiny = Bag {
        items: vec!["z".to_string()],
    };
    assert_eq!(run.call_once::<bool>("isZ", (tiny,)).unwrap(), Some(true));
}

#[test]
fn engines_list_their_types() {
    let engine = engine().with_type(counter()).with_type(bag());
    let types: Vec<_> = engine.types().collect();
    assert_eq!(
        types
            .iter()
            .map(|host_type| host_type.name)
            .collect::<Vec<_>>(),
        ["bag", "counter"]
    );
    assert_eq!(&*types[0].doc, "What somebody carries.");
    let member = |at: usize| {
        let member = &types[0].members[at];
        (
            &*member.name,
            &*member.parameters,
            &*member.doc,
            member.is_field,
            member.changes,
        )
    };
    assert_eq!(member(0), ("add", "item", "Puts an item in.", false, true));
    assert_eq!(
        member(4),
        ("fill", "a, ...", "A method of the host.", false, true)
    );
    assert_eq!(
        member(5),
        ("count", "", "A field of the host.", true, false)
    );
    let completed = |text: &str| {
        let completions = engine.complete(text, text.len());
        completions
            .words
            .into_iter()
            .map(|completion| completion.function.unwrap().call())
            .collect::<Vec<String>>()
    };
    assert_eq!(completed("let b = bag(); b.a"), ["add(item)", "any()"]);
    assert_eq!(completed("b.u"), ["up()"]);
    assert_eq!(completed("b.co"), ["count"]);
    let add = engine.doc("bag.add").unwrap();
    assert_eq!(
        (add.call(), add.domain, &*add.doc),
        ("bag.add(item)".to_string(), "bag", "Puts an item in.")
    );
    assert_eq!(
        engine.doc("bag").unwrap().domain,
        "The host",
        "the function of that name"
    );
    assert!(engine.doc("bag.ad").is_none());
    let mut run = run_of(&engine, "var b = bag();");
    run.next();
    assert_eq!(
        run.fields(&["b"]),
        ["add", "has", "take", "any", "fill", "count"]
    );
    assert_eq!(
        run.show_globals(80),
        [("b".to_string(), "bag of ".to_string())]
    );
}

#[test]
fn methods_take_as_many_arguments_as_functions() {
    let many = HostType::<Counter>::new()
        .method(
            "eight",
            |_: &Counter,
             a: i64,
             b: i64,
             c: i64,
             d: i64,
             e: i64,
             f: i64,
             g: i64,
             h: Option<i64>| { Ok(a + b + c + d + e + f + g + h.unwrap_or(100)) },
        )
        .method_mut(
            "set",
            |counter: &mut Counter, a: Vec<i64>, _: View, _: &Counter, _: Option<bool>| {
                counter.0 = a.iter().sum();
                Ok(counter.0)
            },
        );
    let engine = counting(many);
    let text = "let c = counter(); print(c.eight(1, 2, 3, 4, 5, 6, 7), \" \", c.eight(1, 2, 3, 4, 5, 6, 7, 8), \" \", c.set([1, 2], {}, counter()));";
    assert_eq!(texts(&engine, text), ["128 36 3"]);
}

#[test]
fn a_run_with_values_of_the_host_can_be_sent() {
    fn is_send<T: Send>(_: &T) {}
    let run = run_of(&engine(), "var b = bag();");
    is_send(&run);
}
