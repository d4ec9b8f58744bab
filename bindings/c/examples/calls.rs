//! The side of Rust in `benches/calls`: what a call costs, of a function of the script and of the host.

use ndscript::{CallOutcome, Data, Engine, Run};

/// CPU time of this thread in nanoseconds.
fn now() -> u64 {
    let figures = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = figures.split(' ').next().and_then(|word| word.parse().ok());
    first.expect("benches/calls wants Linux")
}

fn measure(name: &str, times: u64, work: impl FnOnce()) {
    let started = now();
    work();
    println!("{name} {}", (now() - started) / times);
}

/// As the bindings call: by a name, in pieces.
fn call_by_name(run: &mut Run) -> i64 {
    run.begin_call("half", vec![Data::from(14)])
        .expect("a function");
    let CallOutcome::Returned(value) = run.resume_call(1000) else {
        panic!("no result");
    };
    let result = run.data(&value).expect("a value");
    run.end_call();
    result.as_i64().expect("a number")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("calls PROGRAM TIMES")?)?;
    let times: u64 = arguments.next().ok_or("how many times?")?.parse()?;
    let engine = Engine::new().with_function("twice", |n: i64| n * 2);
    let mut run = engine.compile(&text)?.run(1);
    run.next().ok_or("no solution")??;
    let half = run.global("half").ok_or("no function")?;
    measure("script", times, || {
        for _ in 0..times {
            assert_eq!(
                run.call_once::<i64>(&half, (14,)).expect("no error"),
                Some(7)
            );
        }
    });
    measure("script in pieces", times, || {
        for _ in 0..times {
            assert_eq!(call_by_name(&mut run), 7);
        }
    });
    let ask = run.global("askHost").ok_or("no function")?;
    measure("host", times, || {
        let sum = run.call_once::<u64>(&ask, (times,)).expect("no error");
        assert_eq!(sum, Some(times * (times - 1)));
    });
    Ok(())
}
