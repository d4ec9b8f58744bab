//! Bytes that are taken for a saved run: any bytes, and those of a true one with changes that are sealed again.

use ndscript::{Engine, Limits, Outcome, Program};

const TEXT: &str = "
    var g = makeGrid(3, 2, setOf(1, 2, 3)); var q = queue(); var p = priorityQueue(); enqueue(1.5e200, p, 2);
    var o = {a: [1, \"x\"], b: position(1, 2)}; o.self = o; var r = relation([1, 2], [2, setOf(1)]);
    function counter() { var n = 0; return () => { n = n + 1; return n; }; }
    var tick = counter();
    while (!isEmpty(nonsingletonPositionsOf(g))) {
        var at = chooseElement(nonsingletonPositionsOf(g));
        g[at] = setOf(chooseElement(g[at], {\"1\": 1, \"2\": 3, \"3\": 0})); tick(); enqueue(at, q); print(g[at]);
    }
    var best = minimize(() => { let x = chooseElement(toSet(range(40))); cost(x); return [x]; });
    print(best, solutions(() => choose(1, 2)), input(\"which?\"), tick(), q);";

fn engine() -> Engine {
    let limits = Limits { steps: 100_000, memory: 4 << 20, ..Limits::default() };
    Engine::new().with_limits(limits)
}

fn saved(program: &Program, steps: u64) -> Vec<u8> {
    let mut run = program.run(3);
    run.resume(steps);
    run.save().unwrap_or_else(|error| panic!("{error}"))
}

pub fn drive(bytes: &[u8]) {
    let engine = engine();
    let program = engine.compile(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let Some((mode, rest)) = bytes.split_first() else { return };
    let true_save = saved(&program, [0, 40, 150, 300, 900, 3_000][usize::from(*mode) % 6]);
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
                assert!(!matches!(fork.resume(100_000), Outcome::Error(_)));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty() && !unchanged, "{error}"),
    }
}
