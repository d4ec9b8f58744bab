//! Types of the host. Here are methods, and what is said where a type lacks something.

mod guessing;
mod lasting;
mod memory;
mod outside;
mod sets;

use ndscript::{
    Choices, Engine, ErrorKind, HostError, HostType, HostValue, Rest, Run, RunError, View,
};

/// What somebody carries: cloned, ordered, saved.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
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
        .method("has", |bag: &Bag, item: &str| {
            Ok(bag.items.iter().any(|held| held == item))
        })
        .method_mut("take", |bag: &mut Bag| {
            bag.items.pop().ok_or(HostError::new("the bag is empty"))
        })
        .method("any", |bag: &Bag| Ok(Choices::in_order(bag.items.clone())))
        .method_mut("fill", |bag: &mut Bag, from: &Bag, more: Rest<String>| {
            bag.items.extend(from.items.iter().cloned());
            bag.items.extend(more);
            Ok(())
        })
        .getter("count", |bag: &Bag| Ok(bag.items.len()))
}

fn bag() -> HostType<Bag> {
    bag_without_anything()
        .cloned()
        .shown()
        .ordered()
        .sized_by(|bag| bag.items.iter().map(|item| item.len() + 40).sum())
}

fn with(host_type: HostType<Bag>) -> Engine {
    Engine::new()
        .with_type(host_type)
        .with_function("bag", |items: Rest<String>| Ok(Bag { items: items.0 }))
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
    Engine::new()
        .with_type(host_type)
        .with_function("counter", || Ok(Counter::default()))
}

/// A counter that is undone by mementos.
fn undone() -> HostType<Counter> {
    counter().undone_by(|counter| counter.0, |counter, value| counter.0 = value)
}

fn run_of(engine: &Engine, text: &str) -> Run {
    #[allow(unused_mut, reason = "only debug builds can verify")]
    let mut run = engine
        .compile(text)
        .unwrap_or_else(|error| panic!("{error}"))
        .run(1);
    #[cfg(debug_assertions)]
    run.verify_backtracking();
    run
}

fn texts(engine: &Engine, text: &str) -> Vec<String> {
    run_of(engine, text)
        .map(|solution| {
            solution
                .unwrap_or_else(|error| panic!("{text}: {error}"))
                .text
        })
        .collect()
}

fn error_of(mut run: Run) -> (ErrorKind, String, Vec<String>) {
    match run.next() {
        Some(Err(RunError::Script(error))) => {
            (error.kind, error.diagnostic.message, error.diagnostic.hints)
        }
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
        [
            "2truefalsebag bag of rope and lamp [bag of rope and lamp] function bag.add 5[true, false]functiontrue"
        ]
    );
    assert_eq!(
        texts(&with(bag_without_anything()), "print(bag(), [bag(\"x\")]);"),
        ["bag[bag]"]
    );
}

#[test]
fn what_a_type_does_not_have_is_said() {
    let engine = engine();
    let (kind, message, hints) = error_of(run_of(&engine, "bag().ad(\"x\");"));
    assert_eq!(
        (kind, message.as_str()),
        (ErrorKind::Field, "a bag has no method `ad`")
    );
    assert_eq!(hints, ["did you mean `add`?"]);
    let (_, _, hints) = error_of(run_of(&engine, "bag().weight;"));
    assert_eq!(hints, ["it has: add, has, take, any, fill, count"]);
    fails(
        &engine,
        "bag().add();",
        ErrorKind::Arity,
        "`bag.add` takes 1 argument, but got 0",
    );
    fails(
        &engine,
        "bag().fill();",
        ErrorKind::Arity,
        "`bag.fill` takes at least 1 argument, but got 0",
    );
    fails(
        &engine,
        "bag().add(3);",
        ErrorKind::Type,
        "`bag.add` wants a string, not 3 (a number)",
    );
    fails(
        &engine,
        "bag().fill(3);",
        ErrorKind::Type,
        "`bag.fill` wants a bag, not 3 (a number)",
    );
    fails(
        &engine,
        "bag().count();",
        ErrorKind::Type,
        "0 (a number) is not a function and cannot be called",
    );
    fails(
        &engine,
        "bag()[0];",
        ErrorKind::Type,
        "the bag of  has no elements to be indexed with []",
    );
    fails(
        &engine,
        "foreach (x in bag()) {}",
        ErrorKind::Type,
        "cannot loop over the bag of : it is not a collection",
    );
    fails(
        &engine,
        "sizeOf(bag());",
        ErrorKind::Type,
        "`sizeOf` wants a collection, not the bag of ",
    );
    fails(
        &engine,
        "if (bag()) {}",
        ErrorKind::Type,
        "a condition must be true or false, not the bag of ",
    );
    fails(
        &engine,
        "let o = {}; o[bag()] = 1;",
        ErrorKind::Type,
        "the key of an object must be a string, not the bag of ",
    );
    let (_, message, hints) = error_of(run_of(&engine, "let b = bag(); b.count = 3;"));
    assert_eq!(message, "cannot set the field `count` of the bag of ");
    assert_eq!(hints, ["only its methods change it"]);
    let (kind, message, hints) = error_of(run_of(&engine, "let b = bag(); b.fill(b);"));
    assert_eq!(
        (kind, message.as_str()),
        (
            ErrorKind::Type,
            "`bag.fill` cannot have the value that it changes as an argument"
        )
    );
    assert_eq!(hints, ["`copy` it first"]);
    fails(
        &engine,
        "let b = bag(); b.has(b);",
        ErrorKind::Type,
        "`bag.has` wants a string, not the bag of ",
    );
}

#[test]
fn errors_of_methods_have_a_place_and_calls() {
    let program = engine()
        .compile("function empty(b) {\n  return b.take();\n}\nonce(() => empty(bag()));")
        .unwrap();
    let Some(Err(RunError::Script(error))) = program.run(1).next() else {
        panic!()
    };
    assert_eq!(
        (error.kind, error.diagnostic.message.as_str()),
        (ErrorKind::Host, "the bag is empty")
    );
    assert_eq!(
        program
            .sources()
            .locate(error.diagnostic.span.unwrap())
            .unwrap()
            .1,
        2
    );
    assert!(
        error.diagnostic.calls[0].text.starts_with("empty(bag of"),
        "{:?}",
        error.diagnostic.calls
    );
}

#[test]
fn host_functions_take_references_and_copies() {
    let engine = engine()
        .with_function("sum", |a: &Bag, b: &Bag| Ok(a.items.len() + b.items.len()))
        .with_function("doubled", |mut bag: Bag| {
            bag.items.extend(bag.items.clone());
            Ok(bag)
        })
        .with_function("largest", |bags: Vec<Bag>| {
            Ok(bags.into_iter().max_by_key(|bag| bag.items.len()))
        })
        .with_function("kinds", |view: View| {
            Ok(format!("{:?} {:?}", view.kind(), view.host_type()))
        })
        .with_function("some", |n: i64| {
            Ok(Choices::in_order((0..n).map(|n| Bag {
                items: vec![n.to_string()],
            })))
        });
    let text = "var a = bag(\"x\"); let d = doubled(a); a.add(\"y\"); a.add(\"z\"); d.take();
        print(sum(a, a), d, largest([d, a]), kinds(a), kinds(1), largest([]));
        var s = some(3); require(!s.has(\"0\")); print(s);";
    let told = "6bag of xbag of x and y and zHost Some(\"bag\")Number Nonenull";
    assert_eq!(
        texts(&engine, text),
        [format!("{told}bag of 1"), format!("{told}bag of 2")]
    );
}
