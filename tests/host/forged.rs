//! Saved runs with random changes whose seal is put right: restoring finds them or not, but never panics, hangs or asks
//! for more memory than the limit. `NDSCRIPT_FORGERIES=n` tries more of them, `NDSCRIPT_FORGERY_SEED=n` others.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ndscript::rng::Rng;
use ndscript::{Engine, HostError, HostType, HostValue, Limits, Outcome, Program, RestoreError};

use super::save::{PROGRAM, stopped};

const PROGRAMS: &[&str] = &[
    PROGRAM,
    "function f(n) { if (n == 0) return chooseElement([1, 2, 3, 4]); let a = f(n - 1); let g = () => a + 1; return g(); }
     var o = {}; foreach (i in range(12)) o[\"k\" + i] = i;
     var q = queue(); foreach (i in range(40)) enqueue(i, q);
     var s = toSet(range(40)); var t = setOf([1, [2]], setOf(3), \"x\");
     while (true) { removeKey(o, \"k3\"); dequeue(q); s = remove(s, f(3)); o.k3 = add(t, f(2)); if (sizeOf(s) < 38) fail; }",
    "var r = []; deterministic function d() { return choose(1, 2, 3); }
     r = solutions(() => { let x = chooseElement(range(40)); push(r, x); require(x % 7 == d()); return [x]; });
     var m = minimize(() => { cost(randomInt(1, 9)); printImage(\"red\"); return chooseElement(r); });
     foreach (x in r) { print(x); choose print(1); or print(2); or fail; } fail;",
    "var p = pile([3]); var c = cursor(5); var add = p.add; var s = setOf(p, [p, 1], pile([7]));
     while (true) { add(c.move(choose(1, 2, 3))); choose first s = add2(s, copy(p)); or p.add(1); or c.move(1);
       minimize(() => { let n = choose(3, 1, 2); c.move(n); p.add(n); cost(n); }); if (p.size > 6) fail; }
     function add2(s, e) { return union(s, setOf(e)); }",
    "var b = makeGrid(4, 4, setOf(1, 2, 3, 4)), a = map(range(8), i => setOf(1, 2, 3, 4, 5, 6, 7, 8, 9)), seen = [];
     var o = {x: setOf(1, 2), y: setOf(1, 2, 3)}; allDifferent(o);
     foreach (i in range(4)) { allDifferent(b, map(range(4), x => position(x, i))); allDifferent(b, map(range(4), y => position(i, y))); }
     allDifferent(a, range(6)); constrain(a, [6, 7], () => { if (!contains(1, a[6])) narrow(a, 7, setOf(1, 2, 3)); }); when(a, 0, setOf(1, 2), () => push(seen, a[0]));
     decide(b); decide(a, {order: \"conflicts\"}); choose { o.x = 1; } or { a[7] = 3; } fail;",
];

/// A type of the host that is cloned, ordered and saved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Pile(Vec<u8>);

impl HostValue for Pile {
    const NAME: &'static str = "pile";
}

/// One that is undone by mementos.
#[derive(Clone)]
struct Cursor(u8);

impl HostValue for Cursor {
    const NAME: &'static str = "cursor";
}

fn engine() -> Engine {
    let pile = HostType::<Pile>::new()
        .method_mut("add", |pile: &mut Pile, number: i64| {
            pile.0.push(number as u8);
            Ok(())
        })
        .getter("size", |pile: &Pile| Ok(pile.0.len()))
        .cloned()
        .ordered()
        .sized_by(|pile| pile.0.capacity())
        .saved_by(|pile| Ok(pile.0.clone()), |bytes| Ok(Pile(bytes.to_vec())));
    let cursor = HostType::<Cursor>::new()
        .method_mut("move", |cursor: &mut Cursor, by: i64| {
            cursor.0 = cursor.0.wrapping_add(by as u8);
            Ok(cursor.0)
        })
        .cloned()
        .undone_by(|cursor| cursor.0, |cursor, place| cursor.0 = place)
        .saved_by(
            |cursor| Ok(vec![cursor.0]),
            |bytes| {
                bytes
                    .first()
                    .map(|byte| Cursor(*byte))
                    .ok_or(HostError::new("there is no byte"))
            },
        );
    Engine::new()
        .with_limits(Limits {
            memory: 64 << 20,
            ..Limits::default()
        })
        .with_type(pile)
        .with_type(cursor)
        .with_function("pile", |bytes: Vec<u8>| Ok(Pile(bytes)))
        .with_function("cursor", |at: u8| Ok(Cursor(at)))
}

/// How long a forgery may go on.
const STEPS: u64 = 20_000;

fn reseal(bytes: &mut Vec<u8>) {
    let contents = bytes.len() - 32;
    let seal = blake3::hash(&bytes[..contents]);
    bytes.truncate(contents);
    bytes.extend_from_slice(seal.as_bytes());
}

/// Where the state begins: behind the magic, the format, the kind of seal and the fingerprint.
const STATE: usize = 45;

fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let end = bytes.len() - 32;
    let at = STATE + rng.below((end - STATE) as u64) as usize;
    match rng.below(6) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes[at] = rng.below(256) as u8,
        2 => bytes[at] = bytes[at].wrapping_add(1),
        3 => {
            bytes.insert(at, rng.below(256) as u8);
        }
        4 => {
            bytes.remove(at);
        }
        _ => {
            let from = STATE + rng.below((end - STATE) as u64) as usize;
            bytes[at] = bytes[from];
        }
    }
}

/// What has become of some forgeries.
#[derive(Debug, Default)]
struct Tally {
    refused: usize,
    restored: usize,
    panics: Vec<String>,
}

fn forge(engine: &Engine, program: &Program, save: &[u8], rng: &mut Rng, tally: &mut Tally) {
    let mut forged = save.to_vec();
    for _ in 0..=rng.below(3) {
        change(&mut forged, rng);
    }
    try_out(engine, program, forged, tally);
}

/// Restores a forgery and lets it go on.
fn try_out(engine: &Engine, program: &Program, mut forged: Vec<u8>, tally: &mut Tally) {
    reseal(&mut forged);
    match engine.restore(program, &forged) {
        // Other texts of further inputs are another program.
        Err(
            RestoreError::Unsound(_)
            | RestoreError::TooLarge
            | RestoreError::OtherProgram
            | RestoreError::Changed(_),
        ) => tally.refused += 1,
        Err(RestoreError::NoType(_) | RestoreError::OtherType(_) | RestoreError::Host { .. }) => {
            tally.refused += 1
        }
        Err(other) => panic!("{other}"),
        Ok(mut run) => {
            tally.restored += 1;
            // What was restored is whole, so it can be saved.
            assert!(run.save().is_ok());
            let went_on = catch_unwind(AssertUnwindSafe(|| {
                for _ in 0..3 {
                    if let Outcome::Asked(_) = run.resume(STEPS) {
                        run.answer_text("an answer");
                    }
                }
            }));
            if let Err(panic) = went_on {
                let message = panic.downcast_ref::<String>().cloned();
                tally
                    .panics
                    .push(message.unwrap_or_else(|| "?".to_string()));
            }
        }
    }
}

#[test]
fn forgeries_are_refused_or_restored_without_a_panic() {
    let number = |name, default| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let count = number("NDSCRIPT_FORGERIES", 250);
    let engine = engine();
    let mut rng = Rng::new(number("NDSCRIPT_FORGERY_SEED", 11));
    let mut tally = Tally::default();
    for text in PROGRAMS {
        let program = engine.compile(text).unwrap();
        for steps in [30, 250, 400, 2000] {
            let save = stopped(&engine, text, steps).save().unwrap();
            for _ in 0..count {
                forge(&engine, &program, &save, &mut rng, &mut tally);
            }
        }
    }
    for (program, mut run) in super::grown::stages() {
        let save = run.save().unwrap();
        for _ in 0..count / 6 {
            forge(&engine, &program, &save, &mut rng, &mut tally);
        }
    }
    println!(
        "{} refused, {} restored, {} panicked later",
        tally.refused,
        tally.restored,
        tally.panics.len()
    );
    assert!(tally.refused > 100 && tally.restored > 100, "{tally:?}");
    assert!(tally.panics.is_empty(), "{tally:?}");
}

/// A trail that leads to places which a board under constraints does not have, or changes how many it has.
#[test]
fn no_byte_of_a_board_leads_out_of_it() {
    let text = "var a = map(range(3), i => setOf(1, 2, 3, 4)), o = {x: setOf(1, 2), y: setOf(1, 2)};
        function f() { return choose(1, 2); }
        f(); push(a, setOf(1, 2)); o.z = setOf(1, 2, 3);
        connected(a, setOf(1, 2), {links: [[0, 1], [1, 2], [2, 3]]}); connected(o, setOf(2), {links: [['x', 'y'], ['y', 'z']]});
        f(); decide(a); decide(o); fail;";
    let engine = engine();
    let program = engine.compile(text).unwrap();
    let save = stopped(&engine, text, 400).save().unwrap();
    let mut tally = Tally::default();
    for at in STATE..save.len() - 32 {
        for byte in [1, 4, 9] {
            let mut forged = save.clone();
            forged[at] = byte;
            try_out(&engine, &program, forged, &mut tally);
        }
    }
    assert!(tally.refused > 100 && tally.restored > 100, "{tally:?}");
    assert!(tally.panics.is_empty(), "{tally:?}");
}
