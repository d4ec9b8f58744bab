//! Types of the host: methods, backtracking, sets, copies, forks, saves, memory, and what is said where a type lacks
//! something.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ndscript::{
    Choices, Data, Engine, ErrorKind, ForkError, HostError, HostType, HostValue, Kind, LimitReached, Limits, Outcome,
    Rest, RestoreError, Run, RunError, SaveError, ValueError, View,
};

/// What somebody carries: cloned, ordered, saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
struct Bag {
    items: Vec<String>,
}

impl HostValue for Bag {
    const NAME: &'static str = "bag";
}

impl std::fmt::Display for Bag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bag of {}", self.items.join(" and "))
    }
}

fn bag_without_anything() -> HostType<Bag> {
    HostType::<Bag>::new()
        .about("What somebody carries.")
        .method_mut("add", |bag: &mut Bag, item: String| {
            bag.items.push(item);
            Ok(bag.items.len())
        })
        .with_doc("item", "Puts an item in.")
        .method("has", |bag: &Bag, item: &str| Ok(bag.items.iter().any(|held| held == item)))
        .method_mut("take", |bag: &mut Bag| bag.items.pop().ok_or(HostError::new("the bag is empty")))
        .method("any", |bag: &Bag| Ok(Choices::in_order(bag.items.clone())))
        .method_mut("fill", |bag: &mut Bag, from: &Bag, more: Rest<String>| {
            bag.items.extend(from.items.iter().cloned());
            bag.items.extend(more);
            Ok(())
        })
        .getter("count", |bag: &Bag| Ok(bag.items.len()))
}

fn bag() -> HostType<Bag> {
    bag_without_anything().cloned().shown().ordered().sized_by(|bag| bag.items.iter().map(|item| item.len() + 40).sum())
}

fn with(host_type: HostType<Bag>) -> Engine {
    Engine::new().with_type(host_type).with_function("bag", |items: Rest<String>| Ok(Bag { items: items.0 }))
}

fn engine() -> Engine {
    with(bag().saved())
}

/// A counter whose state is nobody's business but the host's.
#[derive(Default)]
struct Counter(i64);

impl HostValue for Counter {
    const NAME: &'static str = "counter";
}

fn counter() -> HostType<Counter> {
    HostType::<Counter>::new()
        .method_mut("up", |counter: &mut Counter| {
            counter.0 += 1;
            Ok(counter.0)
        })
        .getter("value", |counter: &Counter| Ok(counter.0))
}

fn counting(host_type: HostType<Counter>) -> Engine {
    Engine::new().with_type(host_type).with_function("counter", || Ok(Counter::default()))
}

/// A counter that is undone by mementos.
fn undone() -> HostType<Counter> {
    counter().undone_by(|counter| counter.0, |counter, value| counter.0 = value)
}

fn run_of(engine: &Engine, text: &str) -> Run {
    #[allow(unused_mut)]
    let mut run = engine.compile(text).unwrap_or_else(|error| panic!("{error}")).run(1);
    #[cfg(debug_assertions)]
    run.verify_backtracking();
    run
}

fn texts(engine: &Engine, text: &str) -> Vec<String> {
    run_of(engine, text).map(|solution| solution.unwrap_or_else(|error| panic!("{text}: {error}")).text).collect()
}

fn error_of(mut run: Run) -> (ErrorKind, String, Vec<String>) {
    match run.next() {
        Some(Err(RunError::Script(error))) => (error.kind, error.diagnostic.message, error.diagnostic.hints),
        other => panic!("{other:?}"),
    }
}

fn fails(engine: &Engine, text: &str, kind: ErrorKind, message: &str) {
    let (found, said, _) = error_of(run_of(engine, text));
    assert_eq!((found, said.as_str()), (kind, message), "{text}");
}

#[test]
fn scripts_call_methods_and_pass_values_around() {
    let text = "var b = bag(\"rope\"); let c = b; c.add(\"lamp\"); let o = {held: [b]};
        print(o.held[0].count, b.has(\"lamp\"), b.has(\"map\"), typeOf(b), \" \", b, \" \", [b], \" \", b.add);
        b.fill(bag(\"x\"), \"y\", \"z\"); print(\" \", b.count, map([\"rope\", \"q\"], b.has), typeOf(b.has), b.has == b.has);";
    assert_eq!(
        texts(&engine(), text),
        ["2truefalsebag bag of rope and lamp [bag of rope and lamp] function bag.add 5[true, false]functiontrue"]
    );
    assert_eq!(texts(&with(bag_without_anything()), "print(bag(), [bag(\"x\")]);"), ["bag[bag]"]);
}

#[test]
fn what_a_type_does_not_have_is_said() {
    let engine = engine();
    let (kind, message, hints) = error_of(run_of(&engine, "bag().ad(\"x\");"));
    assert_eq!((kind, message.as_str()), (ErrorKind::Field, "a bag has no method `ad`"));
    assert_eq!(hints, ["did you mean `add`?"]);
    let (_, _, hints) = error_of(run_of(&engine, "bag().weight;"));
    assert_eq!(hints, ["it has: add, has, take, any, fill, count"]);
    fails(&engine, "bag().add();", ErrorKind::Arity, "`bag.add` takes 1 argument, but got 0");
    fails(&engine, "bag().fill();", ErrorKind::Arity, "`bag.fill` takes at least 1 argument, but got 0");
    fails(&engine, "bag().add(3);", ErrorKind::Type, "`bag.add` wants a string, not 3 (a number)");
    fails(&engine, "bag().fill(3);", ErrorKind::Type, "`bag.fill` wants a bag, not 3 (a number)");
    fails(&engine, "bag().count();", ErrorKind::Type, "0 (a number) is not a function and cannot be called");
    fails(&engine, "bag()[0];", ErrorKind::Type, "the bag of  has no elements to be indexed with []");
    fails(&engine, "foreach (x in bag()) {}", ErrorKind::Type, "cannot go over the bag of : it is no collection");
    fails(&engine, "sizeOf(bag());", ErrorKind::Type, "`sizeOf` wants a collection, not the bag of ");
    fails(&engine, "if (bag()) {}", ErrorKind::Type, "a condition must be true or false, not the bag of ");
    fails(
        &engine,
        "let o = {}; o[bag()] = 1;",
        ErrorKind::Type,
        "the key of an object must be a string, not the bag of ",
    );
    let (_, message, hints) = error_of(run_of(&engine, "let b = bag(); b.count = 3;"));
    assert_eq!(message, "cannot set the field `count` of the bag of ");
    assert_eq!(hints, ["only its methods change it"]);
    let (kind, _, hints) = error_of(run_of(&engine, "let b = bag(); b.fill(b);"));
    assert_eq!(kind, ErrorKind::Type);
    assert_eq!(hints, ["a method that changes a value cannot have the same value as an argument"]);
}

#[test]
fn errors_of_methods_have_a_place_and_calls() {
    let program = engine().compile("function empty(b) {\n  return b.take();\n}\nonce(() => empty(bag()));").unwrap();
    let Some(Err(RunError::Script(error))) = program.run(1).next() else { panic!() };
    assert_eq!((error.kind, error.diagnostic.message.as_str()), (ErrorKind::Host, "the bag is empty"));
    assert_eq!(program.sources().locate(error.diagnostic.span.unwrap()).unwrap().1, 2);
    assert!(error.diagnostic.calls[0].text.starts_with("empty(bag of"), "{:?}", error.diagnostic.calls);
}

#[test]
fn host_functions_take_references_and_copies() {
    let engine = engine()
        .with_function("sum", |a: &Bag, b: &Bag| Ok(a.items.len() + b.items.len()))
        .with_function("doubled", |mut bag: Bag| {
            bag.items.extend(bag.items.clone());
            Ok(bag)
        })
        .with_function("largest", |bags: Vec<Bag>| Ok(bags.into_iter().max_by_key(|bag| bag.items.len())))
        .with_function("kinds", |view: View| Ok(format!("{:?} {:?}", view.kind(), view.host_type())))
        .with_function("some", |n: i64| Ok(Choices::in_order((0..n).map(|n| Bag { items: vec![n.to_string()] }))));
    let text = "var a = bag(\"x\"); let d = doubled(a); a.add(\"y\"); a.add(\"z\"); d.take();
        print(sum(a, a), d, largest([d, a]), kinds(a), kinds(1), largest([]));
        var s = some(3); require(!s.has(\"0\")); print(s);";
    let told = "6bag of xbag of x and y and zHost Some(\"bag\")Number Nonenull";
    assert_eq!(texts(&engine, text), [format!("{told}bag of 1"), format!("{told}bag of 2")]);
}

/// A program in every way of guessing, with the texts of all its solutions. `X` makes a counter.
const GUESSES: &[(&str, &[&str])] = &[
    ("var c = X; choose first { c.up(); c.up(); fail; } or c.up(); print(c.value);", &["1"]),
    ("var c = X; c.up(); choose first c.up(); or {} or { c.up(); c.up(); } print(c.value);", &["2", "1", "3"]),
    ("var c = X; foreach (i in range(4)) choose first c.up(); or {} require(c.value == 3); print(c.value);",
        &["3", "3", "3", "3"]),
    ("var c = X; var n = once(() => { c.up(); choose first fail; or c.up(); return c.value; }); print(n, c.value);",
        &["22"]),
    ("var c = X; choose first once(() => { c.up(); choose first c.up(); or {} }); or {} print(c.value);", &["2", "0"]),
    ("deterministic function d(c) { choose first c.up(); or c.up(); choose first c.up(); or {} }
      var c = X; c.up(); choose first { d(c); d(c); } or d(c); print(c.value);", &["5", "3"]),
    ("var c = X; c.up(); not(() => { c.up(); fail; }); print(c.value);", &["1"]),
    ("var c = X; c.up(); print(solutions(() => { choose first c.up(); or { c.up(); c.up(); } return c.value; }), c.value);",
        &["[2, 3]1"]),
    ("var c = X; c.up(); print(countSolutions(() => { c.up(); choose(1, 2); }), c.value);", &["21"]),
    ("var c = X; c.up(); let n = minimize(() => { let x = choose(4, 2, 3); foreach (i in range(x)) c.up(); cost(x); return x; });
      print(n, c.value);", &["23"]),
    ("var c = X; choose first minimize(() => { let x = choose(4, 2); foreach (i in range(x)) { c.up(); cost(1); } }); or {}
      print(c.value);", &["2", "0"]),
    ("var all = [X, X]; foreach (i in range(3)) chooseElement(all).up(); require(all[0].value == 3); print(all[1].value);",
        &["0"]),
    ("var c = X; let up = c.up; choose first { up(); up(); fail; } or {} choose first map([1, 2], x => up()); or {} print(c.value);",
        &["2", "0"]),
];

#[test]
fn changes_are_undone_by_clones() {
    #[derive(Clone, Default)]
    struct Cloned(i64);
    impl HostValue for Cloned {
        const NAME: &'static str = "cloned";
    }
    let cloned = HostType::<Cloned>::new()
        .cloned()
        .shown_by(|counter| counter.0.to_string())
        .method_mut("up", |counter: &mut Cloned| {
            counter.0 += 1;
            Ok(counter.0)
        })
        .getter("value", |counter: &Cloned| Ok(counter.0));
    let engine = Engine::new().with_type(cloned).with_function("X", || Ok(Cloned::default()));
    for (text, expected) in GUESSES {
        assert_eq!(texts(&engine, &text.replace('X', "X()")), *expected, "{text}");
    }
}

#[test]
fn changes_are_undone_by_mementos() {
    let engine = counting(undone().shown_by(|counter| counter.0.to_string()));
    for (text, expected) in GUESSES {
        assert_eq!(texts(&engine, &text.replace('X', "counter()")), *expected, "{text}");
    }
}

#[test]
fn changes_stay_where_the_host_gives_no_undo() {
    let text = "var c = counter(); foreach (i in range(3)) choose first { c.up(); fail; } or {} print(c.value);";
    assert_eq!(texts(&counting(counter()), text), ["3"]);
    let solutions = "var c = counter(); print(solutions(() => choose(c.up(), c.up())), c.value);";
    assert_eq!(texts(&counting(counter()), solutions), ["[1, 2]2"]);
    let text = "var b = bag(); choose first { b.add(\"x\"); fail; } or {} print(b.count);";
    assert_eq!(texts(&with(bag_without_anything()), text), ["1"]);
    assert_eq!(texts(&with(bag_without_anything().cloned()), text), ["0"]);
    assert_eq!(texts(&with(bag_without_anything().cloned().never_undone()), text), ["1"]);
}

/// Tells how often it was cloned.
#[derive(Default)]
struct Told {
    clones: Arc<AtomicI64>,
}

impl Clone for Told {
    fn clone(&self) -> Told {
        self.clones.fetch_add(1, Ordering::Relaxed);
        Told { clones: self.clones.clone() }
    }
}

impl HostValue for Told {
    const NAME: &'static str = "told";
}

#[test]
fn a_value_is_logged_once_for_each_choice_point() {
    let clones = Arc::new(AtomicI64::new(0));
    let counted = clones.clone();
    let told =
        HostType::<Told>::new().cloned().method_mut("change", |_: &mut Told| Ok(())).method("look", |_: &Told| Ok(()));
    let engine = Engine::new().with_type(told).with_function("told", move || Ok(Told { clones: counted.clone() }));
    let cases = [
        ("var t = told(); foreach (i in range(50)) t.change();", 0),
        ("var t = told(); choose {} or {} foreach (i in range(50)) t.look();", 0),
        ("var t = told(); choose {} or {} foreach (i in range(50)) t.change();", 1),
        ("choose {} or {} var t = told(); foreach (i in range(50)) t.change();", 0),
        ("var t = told(); foreach (i in range(5)) { choose {} or {} t.change(); t.change(); }", 5),
    ];
    for (text, expected) in cases {
        clones.store(0, Ordering::Relaxed);
        run_of(&engine, text).next().unwrap().unwrap();
        assert_eq!(clones.load(Ordering::Relaxed), expected, "{text}");
    }
}

#[test]
fn alternatives_of_methods_are_a_choice() {
    let text = "var b = bag(\"a\", \"b\", \"c\"); var x = b.any(); b.add(x + \"!\"); require(x != \"b\"); print(x, b);";
    assert_eq!(texts(&engine(), text), ["abag of a and b and c and a!", "cbag of a and b and c and c!"]);
    assert!(texts(&engine(), "bag().any();").is_empty());
    let text = "deterministic function pick(b) { let x = b.any(); require(x != \"a\"); return x; } print(pick(bag(\"a\", \"b\", \"c\")));";
    assert_eq!(texts(&engine(), text), ["b"]);
    let text = "let b = bag(\"a\", \"b\"); print(solutions(b.any), once(b.any), map([1, 2], x => b.any()));";
    assert_eq!(
        texts(&engine(), text),
        [
            "[\"a\", \"b\"]a[\"a\", \"a\"]",
            "[\"a\", \"b\"]a[\"a\", \"b\"]",
            "[\"a\", \"b\"]a[\"b\", \"a\"]",
            "[\"a\", \"b\"]a[\"b\", \"b\"]"
        ]
    );
}

#[test]
fn sets_hold_ordered_values_by_content() {
    let text = "var a = bag(\"x\"); var b = bag(\"x\"); var s = setOf(b, a, bag(\"a\"), bag());
        print(s, sizeOf(s), a == b, a != bag(), [a] == [b], setOf(a) == setOf(b), contains(a, s));
        a.add(\"y\"); print(a == b, contains(a, s), indexOf([1, b, a], a), contains(bag(\"a\"), s));
        s = remove(add(s, [a, 1]), bag()); print(s, contains([bag(\"x\", \"y\"), 1], s), sorted([a, b]));
        var r = relation([a, 1], [b, 2]); print(r(bag(\"x\"), 2), r(a, 2));
        var q = queue(); foreach (i in range(30)) enqueue(bag(\"\" + i % 20), q); print(sizeOf(q));";
    assert_eq!(
        texts(&engine(), text),
        ["{bag of , bag of a, bag of x}3truetruetruetruetruefalsefalse2true\
        {[bag of x and y, 1], bag of a, bag of x}true[bag of x, bag of x and y]truefalse20"]
    );
    let frozen = "var s = setOf(bag(\"x\"));  foreach (b in s) b.add(\"y\");";
    fails(&engine(), frozen, ErrorKind::Frozen, "the bag of x is frozen: it is an element of a set or relation");
    assert_eq!(
        texts(&engine(), "foreach (b in setOf(bag(\"x\"))) { let c = copy(b); c.add(\"y\"); print(b, c); }"),
        ["bag of xbag of x and y"]
    );
    assert_eq!(
        texts(&engine(), "print(setOf(bag(), 1, \"x\", [1], {}, null, setOf()));"),
        ["{null, 1, \"x\", [1], {}, {}, bag of }"]
    );
    // Orders hold after a failure, too.
    let text =
        "var b = bag(\"x\"); var s = setOf(b); choose first { s = add(s, bag(\"w\")); b.add(\"v\"); fail; } or {}
        print(s, contains(b, s), union(s, setOf(bag(\"w\"))));";
    assert_eq!(texts(&engine(), text), ["{bag of x}true{bag of w, bag of x}"]);
}

#[test]
fn sets_refuse_values_without_an_order() {
    let counters = counting(undone());
    let no_order = "a counter cannot be an element of a set: its type has no order";
    for text in
        ["setOf(counter());", "toSet([counter()]);", "add(setOf(), [1, [counter()]]);", "relation([counter(), 1]);"]
    {
        fails(&counters, text, ErrorKind::Type, no_order);
    }
    fails(
        &counters,
        "sorted([counter(), counter()]);",
        ErrorKind::Type,
        "a counter cannot be sorted: its type has no order",
    );
    let text = "var c = counter(); var d = counter(); print(c == d, c == c, c != d, contains(c, setOf(1)), contains(d, [c, d]),
        indexOf([c, d], d), remove(setOf(1), c)); c.up(); print(c == c);";
    assert_eq!(texts(&counters, text), ["falsetruetruefalsetrue1{1}true"]);
    fails(
        &with(bag_without_anything().ordered()),
        "setOf(bag());",
        ErrorKind::Type,
        "a bag cannot be an element of a set: its type has no clone",
    );
    // What no method changes needs no clone for that.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Tag(i64);
    impl HostValue for Tag {
        const NAME: &'static str = "tag";
    }
    let tag = HostType::<Tag>::new().ordered().getter("number", |tag: &Tag| Ok(tag.0));
    let tags = Engine::new().with_type(tag).with_function("tag", |n: i64| Ok(Tag(n)));
    let text = "let t = tag(2); let s = setOf(tag(3), t, tag(1), tag(2)); print(map(s, t => t.number), contains(tag(3), s), copy(t) == t);";
    assert_eq!(texts(&tags, text), ["[1, 2, 3]truetrue"]);
    let maker =
        tags.with_type(counter()).with_function("both", || Ok(std::collections::BTreeSet::from([Tag(1), Tag(2)])));
    assert_eq!(texts(&maker, "print(sizeOf(both()));"), ["2"]);
}

#[test]
fn copies_need_a_clone() {
    let text = "var b = bag(\"x\"); let c = copy(b); let d = deepCopy([b, b, {in: b}]); b.add(\"y\"); c.add(\"z\"); d[0].add(\"w\");
        print(b, \" \", c, \" \", d); let all = solutions(() => { b.add(choose(\"1\", \"2\")); return b; }); print(all, b);";
    assert_eq!(
        texts(&engine(), text),
        ["bag of x and y bag of x and z [bag of x and w, bag of x and w, \
        {in: bag of x and w}][bag of x and y and 1, bag of x and y and 2]bag of x and y"]
    );
    let none = with(bag_without_anything());
    fails(&none, "copy(bag());", ErrorKind::Type, "a bag cannot be copied: its type has no clone");
    fails(&none, "deepCopy([bag()]);", ErrorKind::Type, "a bag cannot be copied: its type has no clone");
    let text = "solutions(() => bag());";
    fails(&none, text, ErrorKind::Type, "a bag cannot be a result of `solutions`: its type has no clone");
}

#[test]
fn a_fork_has_values_of_its_own() {
    let text = "var b = bag(); foreach (i in range(6)) { b.add(\"\" + choose(0, 1, 2)); require(!(b.has(\"0\") && b.has(\"2\"))); } print(b);";
    let mut run = run_of(&engine(), text);
    for _ in 0..5 {
        run.resume(100);
        let fork = run.fork().unwrap();
        let there = std::thread::spawn(move || fork.take(30).map(|s| s.unwrap().text).collect::<Vec<_>>());
        let mine: Vec<String> = run.clone().take(30).map(|solution| solution.unwrap().text).collect();
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
    let mut run = run_of(&with(kept), "var b = bag(); foreach (i in range(3)) b.add(\"\" + choose(0, 1)); print(b);");
    run.next();
    let fork: Vec<String> = run.fork().unwrap().map(|solution| solution.unwrap().text).collect();
    assert_eq!(fork, run.map(|solution| solution.unwrap().text).collect::<Vec<_>>());
    assert_eq!(fork.len(), 7);
}

#[test]
fn a_fork_needs_a_clone_and_says_so() {
    let engine = counting(undone());
    let mut run =
        run_of(&engine, "counter().up(); choose {} or {} let c = counter(); choose {} or {} c.up(); print(c.value);");
    run.resume(3);
    run.next().unwrap().unwrap();
    assert_eq!(run.fork().err(), Some(ForkError::NoClone("counter")));
    let message =
        "the run holds a value of the host's type `counter`, which has no clone: give it one with `HostType::cloned`";
    assert_eq!(run.fork().err().unwrap().to_string(), message);
    // Garbage does not count.
    let mut run = run_of(&engine, "var c = counter(); c = null; choose {} or {}");
    run.next().unwrap().unwrap();
    assert!(run.fork().is_ok());
    // A plain clone goes on until it needs the value.
    let mut run =
        run_of(&engine, "var c = counter(); c.up(); print(input(\"go on?\"), c, c == c); c.up(); print(c.value);");
    assert!(matches!(run.resume(1000), Outcome::Asked(_)));
    let mut clone = run.clone();
    assert!(run.answer_text("yes") && clone.answer_text("no"));
    assert_eq!(run.next().unwrap().unwrap().text, "yescountertrue2");
    let c = clone.global("c").unwrap();
    assert!(clone.host_value::<Counter>(&c).is_err());
    let (kind, message, hints) = error_of(clone);
    assert_eq!((kind, message.as_str()), (ErrorKind::Value, "this counter is not in this run"));
    assert!(hints[0].contains("no clone"), "{hints:?}");
}

/// The texts of the next solutions.
fn rest(run: &mut Run, most: usize) -> Vec<String> {
    run.take(most).map(|solution| solution.unwrap_or_else(|error| panic!("{error}")).text).collect()
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
    run.extend(&first.extend("input 2", inputs[1]).unwrap()).unwrap();
    let saved = run.save().unwrap();
    for mut run in [run.fork().unwrap(), run, engine().restore(&first, &saved).unwrap()] {
        // The second input fails, so the first goes on with its other bag.
        assert!(run.next().unwrap().is_ok());
        assert_eq!((run.input(), run.view_global("b").unwrap().to_string()), (1, "bag of x and 2".to_string()));
        run.extend(&first.extend("input 2", inputs[1]).unwrap()).unwrap();
        run.next().unwrap().unwrap();
        assert_eq!(run.view_global("s").unwrap().to_string(), "{bag of x and 2 and y}");
    }
}

#[test]
fn mementos_are_saved_as_the_states_that_they_stand_for() {
    fn engine() -> Engine {
        counting(undone().saved_by(
            |counter| Ok(counter.0.to_le_bytes().to_vec()),
            |bytes| Ok(Counter(i64::from_le_bytes(bytes.try_into().map_err(|_| HostError::new("not eight bytes"))?))),
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
        let mut restored = engine.restore(&engine.compile(text).unwrap(), &run.save().unwrap()).unwrap();
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
    let full = bag().saved_by(|_| Err(HostError::new("the bag is too heavy")), |_| Ok(Bag::default()));
    let error = stopped(full).err().unwrap();
    assert_eq!(error.to_string(), "a value of the host's type `bag` cannot be saved: the bag is too heavy");

    let saved = stopped(bag().saved()).unwrap();
    let restored = |engine: &Engine| engine.restore(&engine.compile(text).unwrap(), &saved).map(|_| ());
    let others = Engine::new().with_type(counter()).with_function("bag", |_: Rest<String>| Ok(Counter::default()));
    let error = restored(&others).err().unwrap();
    assert_eq!(error, RestoreError::NoType("bag".to_string()));
    assert!(error.to_string().contains("register it with `Engine::with_type`"));
    let changed = bag().saved().method("weight", |_: &Bag| Ok(1));
    assert_eq!(restored(&with(changed)), Err(RestoreError::OtherType("bag".to_string())));
    let unordered = bag_without_anything().cloned().shown().saved();
    assert_eq!(restored(&with(unordered)), Err(RestoreError::OtherType("bag".to_string())));
    let unreadable = bag().saved_by(|_| Ok(Vec::new()), |_| Err(HostError::new("this is no bag")));
    let error = restored(&with(unreadable)).err().unwrap();
    assert_eq!(error.to_string(), "a saved value of the host's type `bag` cannot be read: this is no bag");
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
    let engine =
        Engine::new().with_type(HostType::<Large>::new().saved()).with_function("large", || Ok(Large(u64::MAX)));
    let mut run = run_of(&engine, "var l = large();");
    run.next();
    let error = run.save().err().unwrap().to_string();
    assert!(error.starts_with("a value of the host's type `large` cannot be saved: "), "{error}");
}

#[test]
fn the_host_looks_at_values_and_changes_them() {
    let program = engine().compile("function count() { return bag2.count; } choose(1, 2); print(count());").unwrap();
    let mut run = program.run(1);
    run.set_global("bag2", Bag { items: vec!["rope".to_string()] }).unwrap();
    let held = run.global("bag2").unwrap();
    assert_eq!(held.kind(), Kind::Host);
    assert_eq!(run.next().unwrap().unwrap().text, "1");
    run.change_host_value(&held, |bag: &mut Bag| bag.items.push("lamp".to_string())).unwrap();
    assert_eq!(run.call_once::<i64>("count", ()).unwrap(), Some(2));
    assert_eq!(run.host_value::<Bag>(&held).unwrap().items, ["rope", "lamp"]);
    assert_eq!(run.read::<Bag>(&held).unwrap().items.len(), 2);
    assert_eq!(run.next().unwrap().unwrap().text, "1", "the host's change is undone as one of the script");
    assert_eq!(run.host_value::<Bag>(&held).unwrap().items, ["rope"]);
    let message = "expected a counter, not the bag of rope";
    assert_eq!(run.host_value::<Counter>(&held).err().unwrap().to_string(), message);
    assert!(run.change_host_value(&held, |counter: &mut Counter| counter.0 = 1).is_err());
    assert_eq!(run.read::<i64>(&held).err().unwrap().to_string(), "expected a whole number, not the bag of rope");
    let mut other = program.run(1);
    assert_eq!(other.host_value::<Bag>(&held).err(), Some(ValueError::OtherRun));
    let unknown = other.set_global("bag2", Counter(1)).err().unwrap().to_string();
    assert_eq!(unknown, "the engine does not know the type `counter`: register it with `Engine::with_type`");
    let made = run.make(vec![Bag::default(), Bag { items: vec!["x".to_string()] }]).unwrap();
    assert_eq!(run.text_of(&made).unwrap(), "[bag of , bag of x]");
    let set = std::collections::BTreeSet::from([Bag::default()]);
    let set = run.make(set).unwrap();
    let element = run.view(&set).unwrap().get(0).unwrap().hold();
    assert!(matches!(run.change_host_value(&element, |_: &mut Bag| ()), Err(ValueError::CannotBeSet(_))));
}

#[test]
fn values_leave_the_run_as_data() {
    let solution = run_of(&engine(), "var b = bag(\"x\"); return [b, b.add];").next().unwrap().unwrap();
    assert_eq!(solution.globals.get("b"), Some(&Data::Host("bag".into(), "bag of x".into())));
    assert_eq!(solution.value.to_string(), "[bag of x, function bag.add]");
    let error = solution.value.to::<Vec<String>>().err().unwrap().to_string();
    assert!(error.contains("the type `bag` of the host has no data"), "{error}");
    let engine = with(bag().data_by(|bag| Data::of(bag).unwrap()));
    let mut run = run_of(&engine, "var b = bag(\"x\", \"y\");");
    run.next();
    let held = run.global("b").unwrap();
    assert_eq!(run.from_value::<Bag>(&held).unwrap().items, ["x", "y"]);
    assert_eq!(run.data(&held).unwrap().to_string(), "{items: [\"x\", \"y\"]}");
    assert!(run.make(Data::Host("bag".into(), "bag of x".into())).is_err());
}

/// Counts those that live.
struct Living(Arc<AtomicI64>);

impl Drop for Living {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Clone for Living {
    fn clone(&self) -> Living {
        self.0.fetch_add(1, Ordering::Relaxed);
        Living(self.0.clone())
    }
}

impl HostValue for Living {
    const NAME: &'static str = "living";
}

fn living(count: &Arc<AtomicI64>, limits: Limits) -> Engine {
    let kind = HostType::<Living>::new().cloned().method_mut("touch", |_: &mut Living| Ok(())).sized_by(|_| 100_000);
    let count = count.clone();
    Engine::new().with_limits(limits).with_type(kind).with_function("living", move || {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(Living(count.clone()))
    })
}

#[test]
fn what_nobody_can_reach_is_dropped() {
    let count = Arc::new(AtomicI64::new(0));
    let engine = living(&count, Limits { memory: 4 << 20, ..Limits::default() });
    let mut run = run_of(
        &engine,
        "var kept = living(); var touch = living().touch; foreach (i in range(2000)) living(); touch(); print(1);",
    );
    assert_eq!(run.next().unwrap().unwrap().text, "1");
    assert!(run.statistics().collections > 20, "{:?}", run.statistics());
    assert!((2..60).contains(&count.load(Ordering::Relaxed)), "{count:?}");
    drop(run);
    assert_eq!(count.load(Ordering::Relaxed), 0);
    // What the trail keeps lives as long as it may be needed.
    let text = "var v = living(); while (true) { choose first v.touch(); or v.touch(); once(() => v.touch()); require(false); }";
    assert!(run_of(&engine, text).next().is_none());
    assert_eq!(count.load(Ordering::Relaxed), 0);
}

#[test]
fn values_and_what_the_trail_keeps_of_them_count_as_memory() {
    let count = Arc::new(AtomicI64::new(0));
    let engine = living(&count, Limits { memory: 4 << 20, ..Limits::default() });
    for text in [
        "var all = []; while (true) push(all, living());",
        "var v = living(); while (true) { choose {} or {} v.touch(); }",
        "var v = living(); var all = []; while (true) push(all, copy(v));",
        "var s = solutions(() => { let v = living(); while (true) { choose v.touch(); or v.touch(); return v; } }, 100);
         while (true) push(s, deepCopy(s));",
    ] {
        match run_of(&engine, text).next() {
            Some(Err(RunError::Limit(LimitReached::Memory(_)))) => {}
            other => panic!("{text}: {other:?}"),
        }
        assert_eq!(count.load(Ordering::Relaxed), 0, "{text}");
    }
    // Commits let go of what the trail has kept.
    let text =
        "var v = living(); deterministic function f() { choose {} or {} v.touch(); } foreach (i in range(500)) f();
        choose {} or {} foreach (i in range(500)) f(); print(1);";
    assert_eq!(run_of(&engine, text).next().unwrap().unwrap().text, "1");
}

#[test]
fn sizes_follow_the_methods_and_the_failures() {
    let sized = bag_without_anything().cloned().sized_by(|bag| bag.items.iter().map(String::len).sum());
    let text = "var b = bag(); choose {} or fail; b.add(repeat(\"x\", 100000)); input(\"grown\"); b.take(); input(\"less\"); fail;";
    let mut run = run_of(&with(sized), text);
    let mut at = |answer: Option<&str>| {
        if let Some(answer) = answer {
            assert!(run.answer_text(answer));
        }
        assert!(matches!(run.resume(u64::MAX), Outcome::Asked(_)));
        run.memory() as i64
    };
    let (grown, less) = (at(None), at(Some("go on")));
    assert!((grown - less - 100_000).abs() < 2_000, "{grown} {less}");
}

#[test]
fn memory_runs_out_at_every_moment_without_harm() {
    let text = "var b = bag(\"x\"); var s = setOf(b); foreach (i in range(4)) { choose first b.add(\"y\" + i); or {} s = add(s, copy(b)); }
        require(b.count == 3); let m = minimize(() => { b.add(\"m\" + choose(1, 2)); cost(1); return b; });
        print(solutions(() => { b.add(choose(\"p\", \"q\")); return b; }), s, m);";
    let whole = texts(&engine(), text);
    #[cfg(debug_assertions)]
    for once in [false, true] {
        for at in 1.. {
            let mut run = run_of(&engine(), text);
            run.refuse_memory(at, once);
            match run.next() {
                Some(Ok(solution)) => assert_eq!(solution.text, whole[0]),
                Some(Err(RunError::Limit(LimitReached::Memory(_)))) => {}
                other => panic!("{at}: {other:?}"),
            }
            if run.questions_left() > 0 && !once || at > 400 {
                break;
            }
        }
    }
    assert!(!whole.is_empty());
}

#[test]
fn a_panic_in_a_method_passes_through_and_the_run_can_be_dropped() {
    let burst = bag().method_mut("burst", |bag: &mut Bag| -> Result<(), HostError> {
        bag.items.push("half".to_string());
        panic!("burst")
    });
    let engine = with(burst);
    let mut run = run_of(&engine, "var b = bag(); b.burst();");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(run.next())));
    assert!(caught.is_err());
    let held = run.global("b").unwrap();
    assert_eq!(run.host_value::<Bag>(&held).unwrap().items, ["half"], "the value is as the method has left it");
    assert_eq!(texts(&engine, "print(bag(\"x\"));"), ["bag of x"]);
}

#[test]
fn calls_of_the_host_undo_what_they_did() {
    let program = engine()
        .compile("var b = bag(); function grow(x) { b.add(x); b.add(choose(\"1\", \"2\")); return b; }")
        .unwrap();
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    let mut seen = Vec::new();
    let mut call = run.call("grow", (Bag::default().items.len() as i64,)).unwrap();
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
}

#[test]
fn engines_list_their_types() {
    let engine = engine().with_type(counter()).with_type(bag());
    let types: Vec<_> = engine.types().collect();
    assert_eq!(types.iter().map(|host_type| host_type.name).collect::<Vec<_>>(), ["bag", "counter"]);
    assert_eq!(&*types[0].doc, "What somebody carries.");
    let member = |at: usize| {
        let member = &types[0].members[at];
        (&*member.name, &*member.parameters, &*member.doc, member.is_field, member.changes)
    };
    assert_eq!(member(0), ("add", "item", "Puts an item in.", false, true));
    assert_eq!(member(4), ("fill", "a, ...", "A method of the host.", false, true));
    assert_eq!(member(5), ("count", "", "A field of the host.", true, false));
    let completed = |text: &str| {
        let completions = engine.complete(text, text.len());
        completions.words.into_iter().map(|completion| completion.function.unwrap().call()).collect::<Vec<String>>()
    };
    assert_eq!(completed("let b = bag(); b.a"), ["add(item)", "any()"]);
    assert_eq!(completed("b.u"), ["up()"]);
    assert_eq!(completed("b.co"), ["count"]);
    let add = engine.doc("bag.add").unwrap();
    assert_eq!((add.call(), add.domain, &*add.doc), ("bag.add(item)".to_string(), "bag", "Puts an item in."));
    assert_eq!(engine.doc("bag").unwrap().domain, "The host", "the function of that name");
    assert!(engine.doc("bag.ad").is_none());
    let mut run = run_of(&engine, "var b = bag();");
    run.next();
    assert_eq!(run.fields(&["b"]), ["add", "has", "take", "any", "fill", "count"]);
    assert_eq!(run.show_globals(80), [("b".to_string(), "bag of ".to_string())]);
}

#[test]
fn methods_take_as_many_arguments_as_functions() {
    let many = HostType::<Counter>::new()
        .method("eight", |_: &Counter, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: Option<i64>| {
            Ok(a + b + c + d + e + f + g + h.unwrap_or(100))
        })
        .method_mut("set", |counter: &mut Counter, a: Vec<i64>, _: View, _: &Counter, _: Option<bool>| {
            counter.0 = a.iter().sum();
            Ok(counter.0)
        });
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
