//! Values in sets and relations, their equality, and copies.

use ndscript::{Engine, ErrorKind, HostType, HostValue};

use super::{bag_without_anything, counter, counting, engine, fails, texts, undone, with};

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
        [
            "{bag of , bag of a, bag of x}3truetruetruetruetruefalsefalse2true\
        {[bag of x and y, 1], bag of a, bag of x}true[bag of x, bag of x and y]truefalse20"
        ]
    );
    let frozen = "var s = setOf(bag(\"x\"));  foreach (b in s) b.add(\"y\");";
    fails(
        &engine(),
        frozen,
        ErrorKind::Frozen,
        "the bag of x is frozen: it is an element of a set or relation",
    );
    assert_eq!(
        texts(
            &engine(),
            "foreach (b in setOf(bag(\"x\"))) { let c = copy(b); c.add(\"y\"); print(b, c); }"
        ),
        ["bag of xbag of x and y"]
    );
    assert_eq!(
        texts(
            &engine(),
            "print(setOf(bag(), 1, \"x\", [1], {}, null, setOf()));"
        ),
        ["{null, 1, \"x\", [1], {}, {}, bag of }"]
    );
    // Orders hold after a failure, too.
    let text =
        "var b = bag(\"x\"); var s = setOf(b); choose first { s = add(s, bag(\"w\")); b.add(\"v\"); fail; } or {}
        print(s, contains(b, s), union(s, setOf(bag(\"w\"))));";
    assert_eq!(
        texts(&engine(), text),
        ["{bag of x}true{bag of w, bag of x}"]
    );
}

#[test]
fn sets_refuse_values_without_an_order() {
    let counters = counting(undone());
    let no_order = "a counter cannot be an element of a set: its type has no order";
    for text in [
        "setOf(counter());",
        "toSet([counter()]);",
        "add(setOf(), [1, [counter()]]);",
        "relation([counter(), 1]);",
    ] {
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
    let tag = HostType::<Tag>::new()
        .ordered()
        .getter("number", |tag: &Tag| Ok(tag.0));
    let tags = Engine::new()
        .with_type(tag)
        .with_function("tag", |n: i64| Ok(Tag(n)));
    let text = "let t = tag(2); let s = setOf(tag(3), t, tag(1), tag(2)); print(map(s, t => t.number), contains(tag(3), s), copy(t) == t);";
    assert_eq!(texts(&tags, text), ["[1, 2, 3]truetrue"]);
    let maker = tags.with_type(counter()).with_function("both", || {
        Ok(std::collections::BTreeSet::from([Tag(1), Tag(2)]))
    });
    assert_eq!(texts(&maker, "print(sizeOf(both()));"), ["2"]);
}

#[test]
fn copies_need_a_clone() {
    let text = "var b = bag(\"x\"); let c = copy(b); let d = deepCopy([b, b, {in: b}]); b.add(\"y\"); c.add(\"z\"); d[0].add(\"w\");
        print(b, \" \", c, \" \", d); let all = solutions(() => { b.add(choose(\"1\", \"2\")); return b; }); print(all, b);";
    assert_eq!(
        texts(&engine(), text),
        [
            "bag of x and y bag of x and z [bag of x and w, bag of x and w, \
        {in: bag of x and w}][bag of x and y and 1, bag of x and y and 2]bag of x and y"
        ]
    );
    let none = with(bag_without_anything());
    fails(
        &none,
        "copy(bag());",
        ErrorKind::Type,
        "a bag cannot be copied: its type has no clone",
    );
    fails(
        &none,
        "deepCopy([bag()]);",
        ErrorKind::Type,
        "a bag cannot be copied: its type has no clone",
    );
    let text = "solutions(() => bag());";
    fails(
        &none,
        text,
        ErrorKind::Type,
        "a bag cannot be a result of `solutions`: its type has no clone",
    );
}

#[test]
fn results_have_their_own_values_wherever_they_are() {
    let engine = engine();
    // What a method or a function is bound to is as much a part of a result as an element of an array.
    let text = "function holder() { let b = bag(); return {b: b, add: b.add, has: x => b.has(x), s: setOf(b.add, 1)}; }
        let h = holder();
        let all = solutions(() => { h.add(choose(\"1\", \"2\")); return h; });
        print(map(all, h => h.b.count), map(all, h => h.has(\"1\")), h.b.count);
        // They share it still, within a result and not across.
        all[0].add(\"3\");
        foreach (x in all[1].s) if (typeOf(x) == \"function\") { x(\"4\"); x(\"5\"); }
        print(all[0].b, map(all, h => h.has(\"3\")), all[1].b, h.b.count);";
    assert_eq!(
        texts(&engine, text),
        ["[1, 1][true, false]0bag of 1 and 3[true, false]bag of 2 and 4 and 5".to_string() + "0"]
    );
    // A frozen one is an element, which nothing changes; outside of the set it becomes one that can be changed.
    let text = "let s = setOf(bag(\"x\"));
        let out = solutions(() => ({s: s, b: singletonValue(s)}))[0];
        out.b.add(\"y\");
        print(out.s == s, out.b, out.s);";
    assert_eq!(texts(&engine, text), ["truebag of x and y{bag of x}"]);
    // A counter that the host keeps has no copy, so no result can have a way to it that it would share with others.
    let text =
        "function f() { let c = counter(); return () => c.up(); } let g = f(); solutions(() => g);";
    let message = "a counter cannot be a result of `solutions`: its type has no clone";
    fails(&counting(counter()), text, ErrorKind::Type, message);
}
