//! One search, split over two threads: the run is cloned where it asks which half to search, and each fork gets
//! another answer.
//!
//! `cargo run --example embed_threads`

use std::thread;

use ndscript::{Engine, Outcome, Run};

const SCRIPT: &str = r#"
    var size = 7, columns = [];
    var free = map(range(size), y => range(size));   // what both forks need is made once
    var half = ask("Which half of the first row?", [0, 1]);
    for (let y = 0; y < size; y++) {
        let x = chooseElement(free[y]);
        if (y == 0) require(x % 2 == half);
        for (let before = 0; before < y; before++) {
            let distance = abs(columns[before] - x);
            require(distance != 0 && distance != y - before);
        }
        push(columns, x);
    }
"#;

/// Counts the solutions of a run.
fn count(run: Run) -> Result<usize, String> {
    let mut found = 0;
    for solution in run {
        solution.map_err(|error| error.to_string())?;
        found += 1;
    }
    Ok(found)
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut run = Engine::new().compile(SCRIPT)?.run(1);
    while !matches!(run.resume(1_000), Outcome::Asked(_)) {}
    let mut fork = run.clone();
    run.answer(0);
    fork.answer(1);
    let other = thread::spawn(move || count(fork));
    let even = count(run)?;
    let odd = other.join().map_err(|_| "the other thread panicked")??;
    println!("{even} + {odd} = {} ways to place seven queens", even + odd);
    assert_eq!(even + odd, 40);
    Ok(())
}
