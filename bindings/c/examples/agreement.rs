//! Runs the programs of `bindings/agreement` in Rust, and prints what every binding has to print.

use std::fmt::Write as _;

use ndscript::{Engine, Outcome};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("agreement PROGRAMS SEEDS")?;
    let seeds: u64 = arguments.next().ok_or("how many seeds?")?.parse()?;
    let all = std::fs::read_to_string(path)?;
    let engine = Engine::new();
    for block in all.split("=== ").skip(1) {
        let (name, text) = block.split_once('\n').ok_or("a program without text")?;
        let program = engine.compile_named(name, text)?;
        let mut out = String::new();
        for seed in 1..=seeds {
            let mut run = program.run(seed);
            let (outcome, text, pictures) = match run.resume(u64::MAX) {
                Outcome::Solved(solution) => ("solved", solution.text, solution.pictures.len()),
                Outcome::Failed => ("failed", String::new(), 0),
                Outcome::Error(error) => ("error", error.diagnostic.message.clone(), 0),
                other => return Err(format!("{name}: {other:?}").into()),
            };
            let steps = run.statistics().steps;
            let text = text.replace('\n', "|");
            writeln!(out, "{name} {seed} {outcome} {steps} {pictures} {text}")?;
        }
        print!("{out}");
    }
    Ok(())
}
