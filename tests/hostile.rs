//! Hostile programs: made of all built-ins and operators, with arguments that are shared, deep, wide, long or inside
//! themselves, in loops, callbacks and searches. Whatever they do, the machine looks at its limits after a bounded number of
//! steps, takes little more memory than it may, sees a cancellation soon, and says things in a few words.
//!
//! For as long as one asks, with seeds from a number on:
//! `NDSCRIPT_HOSTILE_SECONDS=600 NDSCRIPT_HOSTILE_SEED=1000 cargo test --profile quick --test hostile -- --nocapture as_long`.
//! That also tells what took long by the clock, which is held to nothing. `NDSCRIPT_HOSTILE_SEEDS=117,700044` and
//! `those_that` in the place of `as_long` run the programs of those seeds again.

#[path = "hostile/allocator.rs"]
mod allocator;
#[path = "hostile/arrays.rs"]
mod arrays;
#[path = "hostile/callbacks.rs"]
mod callbacks;
#[path = "hostile/calls.rs"]
mod calls;
#[path = "hostile/clock.rs"]
mod clock;
#[path = "hostile/exceptions.rs"]
mod exceptions;
#[path = "hostile/growth.rs"]
mod growth;
#[path = "hostile/hunt.rs"]
mod hunt;
#[path = "hostile/kinds.rs"]
mod kinds;
#[path = "hostile/measure.rs"]
mod measure;
#[path = "hostile/messages.rs"]
mod messages;
#[path = "hostile/program.rs"]
mod program;
#[path = "generator/random.rs"]
#[allow(dead_code, reason = "nothing here is decided by bytes")]
mod random;
#[path = "hostile/rows.rs"]
mod rows;
#[path = "hostile/shapes.rs"]
mod shapes;
#[path = "hostile/texts.rs"]
mod texts;
#[path = "hostile/worker.rs"]
mod worker;
#[path = "hostile/writer.rs"]
mod writer;

use measure::{Measured, SLICE, measure};
use program::Program;
use writer::Scale;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// How large the programs are that are run with all other tests, and those of a long search.
const SMALL: Scale = Scale {
    elements: 1_000_000,
    steps: 2_000_000,
};
const LARGE: Scale = Scale {
    elements: 6_000_000,
    steps: 20_000_000,
};
/// How many programs run with all other tests.
const PROGRAMS: u64 = 150;

#[test]
fn what_is_promised_holds_for_hostile_programs() {
    let mut broken = Vec::new();
    let mut cancelled = 0;
    for seed in (1..=PROGRAMS).filter(|seed| !exceptions::hangs(*seed)) {
        let program = Program::of_seed(seed, SMALL);
        let measured = measure(&program);
        cancelled += u64::from(measured.latency > SLICE / 2);
        let is_known = |measured: &Measured, program: &Program| {
            measured
                .broken()
                .iter()
                .all(|promise| exceptions::is_known(*promise, &program.text()))
        };
        if is_known(&measured, &program) {
            continue;
        }
        let program = program.shrunk(&mut |smaller| !is_known(&measure(smaller), smaller));
        let measured = measure(&program);
        broken.push(format!(
            "seed {seed}: {:?}: {measured}\n{}",
            measured.broken(),
            program.text()
        ));
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
    assert!(
        cancelled > PROGRAMS / 10,
        "only {cancelled} programs went on for a while after they were cancelled"
    );
}
