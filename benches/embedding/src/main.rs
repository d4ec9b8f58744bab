//! What it costs to embed: an engine made, a script of twenty lines compiled and run; a function of a script called; and
//! the same with Lua. Prints a line for each: its name and the CPU time in nanoseconds, the median of many batches.

use std::time::Duration;

use cpu_time::ThreadTime;
use mlua::Lua;
use ndscript::Engine;

const OURS: &str = include_str!("../script.nds");
const LUAS: &str = include_str!("../script.lua");

/// The median over batches of the CPU time of one call.
fn median(batches: usize, calls: u32, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = Vec::with_capacity(batches);
    for _ in 0..batches {
        let started = ThreadTime::now();
        for _ in 0..calls {
            work();
        }
        times.push(started.elapsed() / calls);
    }
    times.sort();
    times[batches / 2]
}

fn ours() -> String {
    let program = Engine::new().compile(OURS).expect("the script compiles");
    let solution = program
        .run(1)
        .next()
        .expect("a solution")
        .expect("no error");
    solution.text
}

fn luas() -> String {
    Lua::new().load(LUAS).eval().expect("the script runs")
}

fn main() {
    assert_eq!(ours(), luas(), "both do the same work");
    let program = Engine::new()
        .compile("function half(x) { return x / 2; }")
        .expect("the script compiles");
    let mut run = program.run(1);
    run.next().expect("a solution").expect("no error");
    let half = run.global("half").expect("the function");
    let lua = Lua::new();
    let lua_half: mlua::Function = lua
        .load("return function(x) return x // 2 end")
        .eval()
        .expect("the script runs");
    // In turn, so that both meet the same weather.
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..15 {
        times[0].push(median(3, 100, || drop(ours())));
        times[1].push(median(3, 100, || drop(luas())));
        times[2].push(median(3, 20_000, || {
            assert_eq!(
                run.call_once::<i64>(&half, (14,)).expect("no error"),
                Some(7)
            );
        }));
        times[3].push(median(3, 20_000, || {
            assert_eq!(lua_half.call::<i64>(14).expect("no error"), 7);
        }));
    }
    for (name, times) in ["script ours", "script lua", "call ours", "call lua"]
        .iter()
        .zip(&mut times)
    {
        times.sort();
        println!("{name} {}", times[times.len() / 2].as_nanos());
    }
}
