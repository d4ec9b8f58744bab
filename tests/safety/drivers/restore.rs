//! Bytes that are taken for a saved run: any bytes, and those of a true one with changes that are sealed again.

use ndscript::{Engine, HostError, HostType, HostValue, Limits, Outcome, Program};

const TEXT: &str = "
    var g = makeGrid(3, 2, setOf(1, 2, 3)); var q = queue(); var p = priorityQueue(); enqueue(1.5e200, p, 2);
    var o = {a: [1, \"x\"], b: position(1, 2)}; o.self = o; var r = relation([1, 2], [2, setOf(1)]);
    function counter() { var n = 0; return () => { n = n + 1; return n; }; }
    var tick = counter();
    var t = tally(); var marked = t.mark; var tallies = setOf(t); var w = walker();
    while (!isEmpty(nonsingletonPositionsOf(g))) {
        var at = chooseElement(nonsingletonPositionsOf(g));
        g[at] = setOf(chooseElement(g[at], {\"1\": 1, \"2\": 3, \"3\": 0})); tick(); enqueue(at, q); print(g[at]);
        marked(at.x); choose first tallies = add(tallies, [t]); or w.go(3);
    }
    var best = minimize(() => { let x = chooseElement(toSet(range(40))); cost(x); t.mark(x); w.go(x); return [x]; });
    print(best, solutions(() => choose(1, 2)), input(\"which?\"), tick(), q, t, tallies, w.place);";

/// A type of the host with all that there is: clones, an order, bytes.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Tally(Vec<u8>);

impl HostValue for Tally {
    const NAME: &'static str = "tally";
}

/// One with mementos.
#[derive(Clone, Default)]
struct Walker(i64);

impl HostValue for Walker {
    const NAME: &'static str = "walker";
}

fn engine() -> Engine {
    let limits = Limits {
        steps: 100_000,
        memory: 4 << 20,
        ..Limits::default()
    };
    let tally = HostType::<Tally>::new()
        .method_mut("mark", |tally: &mut Tally, mark: i64| {
            tally.0.push(mark as u8);
            Ok(tally.0.len())
        })
        .cloned()
        .ordered()
        .shown_by(|tally| format!("{:?}", tally.0))
        .sized_by(|tally| tally.0.capacity())
        .saved_by(
            |tally| Ok(tally.0.clone()),
            |bytes| Ok(Tally(bytes.to_vec())),
        );
    let eight = |bytes: &[u8]| {
        bytes
            .try_into()
            .map_err(|_| HostError::new("not eight bytes"))
    };
    let walker = HostType::<Walker>::new()
        .method_mut("go", |walker: &mut Walker, steps: i64| {
            walker.0 = walker.0.wrapping_add(steps);
            Ok(())
        })
        .getter("place", |walker: &Walker| Ok(walker.0 as f64))
        .cloned()
        .undone_by(|walker| walker.0, |walker, place| walker.0 = place)
        .saved_by(
            |walker| Ok(walker.0.to_le_bytes().to_vec()),
            move |bytes| Ok(Walker(i64::from_le_bytes(eight(bytes)?))),
        );
    Engine::new()
        .with_limits(limits)
        .with_type(tally)
        .with_type(walker)
        .with_function("tally", || Ok(Tally::default()))
        .with_function("walker", || Ok(Walker::default()))
}

fn saved(program: &Program, steps: u64) -> Vec<u8> {
    let mut run = program.run(3);
    run.resume(steps);
    run.save().unwrap_or_else(|error| panic!("{error}"))
}

pub fn drive(bytes: &[u8]) {
    let engine = engine();
    let program = engine
        .compile(TEXT)
        .unwrap_or_else(|error| panic!("{error}"));
    let Some((mode, rest)) = bytes.split_first() else {
        return;
    };
    let true_save = saved(
        &program,
        [0, 40, 150, 300, 900, 3_000][usize::from(*mode) % 6],
    );
    if mode % 8 == 7 {
        // Any bytes: nothing but a true save is sealed rightly.
        match engine.restore(&program, rest) {
            Ok(mut run) => drop(run.resume(1_000)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        return;
    }
    let mut changed = true_save.clone();
    changed.truncate(changed.len() - 32);
    for change in rest.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % changed.len();
        match change[2] {
            254 => drop(changed.drain(at..(at + 3).min(changed.len()))),
            255 => changed.insert(at, 0x80),
            value => changed[at] = value,
        }
        if changed.is_empty() {
            return;
        }
    }
    let unchanged = changed[..] == true_save[..true_save.len() - 32];
    let seal = blake3::hash(&changed);
    changed.extend_from_slice(seal.as_bytes());
    match engine.restore(&program, &changed) {
        // What such a run does is its forger's business; but it can be looked at, copied, saved and dropped.
        Ok(run) => {
            let mut fork = run.clone();
            let (text, _) = run.pending_output();
            assert!(text.len() < 4 << 20);
            run.statistics();
            drop(run);
            drop(fork.save());
            if unchanged {
                let outcome = fork.resume(100_000);
                assert!(!matches!(outcome, Outcome::Error(_)), "{outcome:?}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty() && !unchanged, "{error}"),
    }
}
