//! The longest (CPU) that a host waits for one `resume(500)`, with large heaps: `cargo run --release --bin frames`.

use cpu_time::ThreadTime;
use ndscript::{Engine, Outcome};
use std::time::Duration;

const PROGRAMS: &[(&str, &str)] = &[
    (
        "three million arrays, then garbage",
        "var a = []; for (let i = 0; i < 3000000; i++) push(a, [i]); for (let i = 0; i < 9000000; i++) { let b = [i]; }",
    ),
    (
        "300,000 texts and sets, then garbage",
        "var a = []; for (let i = 0; i < 300000; i++) push(a, [`text ${i}`, setOf(i, `${i}`), {x: i}]); for (let i = 0; i < 3000000; i++) { let b = [i]; }",
    ),
    (
        "300,000 open choices, then garbage",
        "var n = 0; function f(i) { return choose(i, i + 1); } for (let i = 0; i < 300000; i++) n += f(i); for (let i = 0; i < 9000000; i++) { let b = [i]; }",
    ),
    (
        "a solution with a million elements",
        "var a = map(range(1000000), i => i); choose(1, 2); print(1);",
    ),
    (
        "join and split of a million",
        "var a = map(range(1000000), i => i), t = join(a, \",\"), b = split(t, \",\"); print(sizeOf(b));",
    ),
];

fn main() {
    for (name, program) in PROGRAMS {
        let program = Engine::new().compile(*program).expect("a program");
        let mut run = program.run(1);
        let (mut pauses, mut still) = (Vec::new(), 0);
        loop {
            let steps = run.statistics().steps;
            let begin = ThreadTime::now();
            let outcome = run.resume(500);
            pauses.push(begin.elapsed());
            still += u64::from(run.statistics().steps == steps);
            if !matches!(outcome, Outcome::OutOfFuel) {
                break;
            }
        }
        pauses.sort();
        let ms = |time: &Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name}: {} resumptions, {still} of them without a step; longest {:.2} ms, 1 in 1,000 above {:.2} ms, {:.1} s in all, {} collections, {} MB",
            pauses.len(),
            pauses.last().map_or(0.0, ms),
            ms(&pauses[pauses.len() * 999 / 1000]),
            pauses.iter().sum::<Duration>().as_secs_f64(),
            run.statistics().collections,
            run.statistics().memory >> 20,
        );
    }
}
