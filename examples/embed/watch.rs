//! Watching a search: which values of a choice fail how often, and why.
//!
//! `cargo run --example embed_watch`

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ndscript::{Engine, Event, Moment, Outcome};

const SCRIPT: &str = r#"
    // Three knights of five sit down; two of them are at odds.
    let seats = [];
    for (let i = 0; i < 3; i++) {
        let knight = chooseElement(["Gareth", "Kay", "Bors", "Percival", "Mordred"]);
        require(!contains(knight, seats), "nobody sits twice");
        require(isEmpty(seats) || seats[i - 1] != "Mordred" || knight != "Percival", "not beside Mordred");
        push(seats, knight);
    }
"#;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = Engine::new().compile(SCRIPT)?;
    let mut run = program.run(7);
    let mut chosen = String::new();
    let mut failures: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut tables = 0;
    let mut watch = |_: &Moment, event: &Event| {
        match event {
            Event::Take {
                value: Some(value), ..
            } => chosen = value.to_string(),
            Event::Fail { why } if *why != "another solution is wanted" => {
                *failures
                    .entry((chosen.clone(), (*why).to_string()))
                    .or_default() += 1;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    };
    while let Outcome::Solved(_) = run.watch(u64::MAX, &mut watch) {
        tables += 1;
    }
    println!("{tables} tables");
    for ((knight, why), count) in &failures {
        println!("{knight:10} {count:3} times: {why}");
    }
    // 5 * 4 * 3 tables, less those where Percival follows Mordred.
    assert_eq!(tables, 54);
    assert_eq!(
        failures[&("Percival".to_string(), "not beside Mordred".to_string())],
        4
    );
    Ok(())
}
