//! Forks and saved runs.

use ndscript::{
    Engine, ErrorKind, ForkError, HostError, HostType, HostValue, Outcome, Rest, RestoreError, Run,
    SaveError,
};

use super::{
    Bag, Counter, bag, bag_without_anything, counter, counting, engine, error_of, run_of, texts,
    undone, with,
};

#[test]
fn a_fork_has_values_of_its_own() {
    let text = "var b = bag(); foreach (i in range(6)) { b.add(\"\" + choose(0, 1, 2)); require(!(b.has(\"0\") && b.has(\"2\"))); } print(b);";
    let mut run = run_of(&engine(), text);
    for _ in 0..5 {
        run.resume(100);
        let fork = run.fork().unwrap();
        let there =
            std::thread::spawn(move || fork.take(30).map(|s| s.unwrap().text).collect::<Vec<_>>());
        let mine: Vec<String> = run
            .clone()
            .take(30)
            .map(|solution| solution.unwrap().text)
            .collect();
        assert_eq!((there.join().unwrap(), mine.len()), (mine, 30));
    }
    // Also with mementos in the trail.
    let kept = HostType::<Bag>::new()
        .cloned()
        .method_mut("add", |bag: &mut Bag, item: String| {
            bag.items.push(item);
            Ok(())
        })
        .undone_by(|bag| bag.items.clone(), |bag, items| bag.items = items)
        .shown();
    let mut run = run_of(
        &with(kept),
        "var b = bag(); foreach (i in range(3)) b.add(\"\" + choose(0, 1)); print(b);",
    );
    run.next();
    let fork: Vec<String> = run
        .fork()
        .unwrap()
        .map(|solution| solution.unwrap().text)
        .collect();
    assert_eq!(
        fork,
        run.map(|solution| solution.unwrap().text)
            .collect::<Vec<_>>()
    );
    assert_eq!(fork.len(), 7);
}

#[test]
fn a_fork_needs_a_clone_and_says_so() {
    let engine = counting(undone());
    let mut run = run_of(
        &engine,
        "counter().up(); choose {} or {} let c = counter(); choose {} or {} c.up(); print(c.value);",
    );
    run.resume(3);
    run.next().unwrap().unwrap();
    assert_eq!(run.fork().err(), Some(ForkError::NoClone("counter")));
    let message = "the run holds a value of the host's type `counter`, which has no clone: give it one with `HostType::cloned`";
    assert_eq!(run.fork().err().unwrap().to_string(), message);
    // Garbage does not count.
    let mut run = run_of(
        &engine,
        "function use() { const c = counter(); c.up(); } use(); choose {} or {}",
    );
    run.next().unwrap().unwrap();
    assert!(run.fork().is_ok());
    // A plain clone goes on until it needs the value.
    let mut run = run_of(
        &engine,
        "var c = counter(); c.up(); print(input(\"go on?\"), c, c == c); c.up(); print(c.value);",
    );
    assert!(matches!(run.resume(1000), Outcome::Asked(_)));
    let mut clone = run.clone();
    assert!(run.answer_text("yes") && clone.answer_text("no"));
    assert_eq!(run.next().unwrap().unwrap().text, "yescountertrue2");
    let c = clone.global("c").unwrap();
    assert!(clone.host_value::<Counter>(&c).is_err());
    let (kind, message, hints) = error_of(clone);
    assert_eq!(
        (kind, message.as_str()),
        (ErrorKind::Value, "this counter is not in this run")
    );
    assert!(hints[0].contains("no clone"), "{hints:?}");
}

/// The texts of the next solutions.
fn rest(run: &mut Run, most: usize) -> Vec<String> {
    run.take(most)
        .map(|solution| solution.unwrap_or_else(|error| panic!("{error}")).text)
        .collect()
}

#[test]
fn a_saved_run_goes_on_in_a_fresh_engine() {
    let text = "var b = bag(); var s = setOf(bag(\"q\")); let add = b.add; var o = {deep: [b]};
        foreach (i in range(5)) {
            choose first add(\"x\" + i); or o.deep[0].add(\"y\" + i); or { s = add2(s, copy(b)); b.add(\"z\"); }
            require(!b.has(\"x1\") || !b.has(\"y2\"));
        }
        var m = minimize(() => { let n = choose(3, 1, 2); foreach (i in range(n)) { b.add(\"m\"); cost(1); } return b.count; });
        require(contains(bag(\"q\"), s)); print(b, s, m, typeOf(add), o.deep[0] == b);"
        .replace("add2", "union2");
    let text = format!("function union2(s, e) {{ return union(s, setOf(e)); }} {text}");
    for steps in [0, 30, 100, 200, 300, 500, 800, 1500] {
        let mut run = run_of(&engine(), &text);
        run.resume(steps);
        let saved = run.save().unwrap();
        let engine = engine();
        let program = engine.compile(&text).unwrap();
        let mut restored = engine.restore(&program, &saved).unwrap();
        assert_eq!(restored.save().unwrap(), saved);
        assert_eq!(rest(&mut restored, 60), rest(&mut run, 60), "{steps}");
        assert_eq!(restored.statistics().steps, run.statistics().steps);
    }
}

#[test]
fn a_conversation_keeps_values_from_one_input_to_the_next() {
    let inputs = [
        "let b = bag(\"x\"); let add = b.add; b.add(choose(\"1\", \"2\"));",
        "add(\"y\"); let s = setOf(b); require(b.has(\"2\"));",
    ];
    let first = engine().compile_input("input 1", inputs[0]).unwrap();
    let mut run = first.run(7);
    run.next().unwrap().unwrap();
    run.extend(&first.extend("input 2", inputs[1]).unwrap())
        .unwrap();
    let saved = run.save().unwrap();
    for mut run in [
        run.fork().unwrap(),
        run,
        engine().restore(&first, &saved).unwrap(),
    ] {
        // The second input fails, so the first goes on with its other bag.
        assert!(run.next().unwrap().is_ok());
        assert_eq!(
            (run.input(), run.view_global("b").unwrap().to_string()),
            (1, "bag of x and 2".to_string())
        );
        run.extend(&first.extend("input 2", inputs[1]).unwrap())
            .unwrap();
        run.next().unwrap().unwrap();
        assert_eq!(
            run.view_global("s").unwrap().to_string(),
            "{bag of x and 2 and y}"
        );
    }
}

#[test]
fn mementos_are_saved_as_the_states_that_they_stand_for() {
    fn engine() -> Engine {
        counting(undone().saved_by(
            |counter| Ok(counter.0.to_le_bytes().to_vec()),
            |bytes| {
                Ok(Counter(i64::from_le_bytes(
                    bytes
                        .try_into()
                        .map_err(|_| HostError::new("not eight bytes"))?,
                )))
            },
        ))
    }
    let text = "var c = counter(); foreach (i in range(5)) { choose first c.up(); or { c.up(); c.up(); } }
        let m = minimize(() => { let n = choose(3, 1, 2); foreach (i in range(n)) { c.up(); cost(1); } return c.value; });
        require(c.value % 3 != 0); print(c.value, m);";
    let whole = texts(&engine(), text);
    for steps in [20, 60, 90, 120, 160, 200, 250] {
        let mut run = run_of(&engine(), text);
        run.resume(steps);
        let engine = engine();
        let mut restored = engine
            .restore(&engine.compile(text).unwrap(), &run.save().unwrap())
            .unwrap();
        let mine = rest(&mut run, 100);
        assert_eq!(rest(&mut restored, 100), mine);
        assert!(whole.ends_with(&mine));
    }
}

#[test]
fn what_cannot_be_saved_or_read_is_said() {
    let text = "var b = bag(\"rope\"); print(input(\"?\"), b.count);";
    let stopped = |host_type: HostType<Bag>| {
        let mut run = run_of(&with(host_type), text);
        run.resume(1000);
        run.save()
    };
    let error = stopped(bag()).err().unwrap();
    assert_eq!(error, SaveError::NoSaving("bag"));
    let message = "the run holds a value of the host's type `bag`, which cannot be saved: give it `HostType::saved` or `HostType::saved_by`";
    assert_eq!(error.to_string(), message);
    let full = bag().saved_by(
        |_| Err(HostError::new("the bag is too heavy")),
        |_| Ok(Bag::default()),
    );
    let error = stopped(full).err().unwrap();
    assert_eq!(
        error.to_string(),
        "a value of the host's type `bag` cannot be saved: the bag is too heavy"
    );

    let saved = stopped(bag().saved()).unwrap();
    let restored = |engine: &Engine| {
        engine
            .restore(&engine.compile(text).unwrap(), &saved)
            .map(|_| ())
    };
    let others = Engine::new()
        .with_type(counter())
        .with_function("bag", |_: Rest<String>| Ok(Counter::default()));
    let error = restored(&others).err().unwrap();
    assert_eq!(error, RestoreError::NoType("bag".to_string()));
    assert!(
        error
            .to_string()
            .contains("register it with `Engine::with_type`")
    );
    let changed = bag().saved().method("weight", |_: &Bag| Ok(1));
    assert_eq!(
        restored(&with(changed)),
        Err(RestoreError::OtherType("bag".to_string()))
    );
    let unordered = bag_without_anything().cloned().shown().saved();
    assert_eq!(
        restored(&with(unordered)),
        Err(RestoreError::OtherType("bag".to_string()))
    );
    let unreadable = bag().saved_by(
        |_| Ok(Vec::new()),
        |_| Err(HostError::new("this is no bag")),
    );
    let error = restored(&with(unreadable)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "a saved value of the host's type `bag` cannot be read: this is no bag"
    );
    // More types, and in another order, do not matter.
    let more = Engine::new().with_type(counter()).with_type(bag().saved());
    let more = more.with_function("bag", |items: Rest<String>| Ok(Bag { items: items.0 }));
    let mut run = more.restore(&more.compile(text).unwrap(), &saved).unwrap();
    assert!(run.answer_text("yes"));
    assert_eq!(run.next().unwrap().unwrap().text, "yes1");
}

#[test]
fn serde_says_what_it_cannot_save() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Large(u64);
    impl HostValue for Large {
        const NAME: &'static str = "large";
    }
    let engine = Engine::new()
        .with_type(HostType::<Large>::new().saved())
        .with_function("large", || Ok(Large(u64::MAX)));
    let mut run = run_of(&engine, "var l = large();");
    run.next();
    let error = run.save().err().unwrap().to_string();
    assert!(
        error.starts_with("a value of the host's type `large` cannot be saved: "),
        "{error}"
    );
}
