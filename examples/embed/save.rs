//! A search that outlives its process: it is saved to a file, and another engine goes on with it.
//!
//! `cargo run --example embed_save`

use std::fs;
use std::path::Path;

use ndscript::{Engine, Limits, Outcome, RestoreError, Solution};

const SCRIPT: &str = r#"
    // Eight queens that leave one another alone.
    var rows = [];
    while (sizeOf(rows) < param("size", 8)) {
        let row = chooseElement(range(param("size", 8)));
        for (let i = 0; i < sizeOf(rows); i++) {
            require(rows[i] != row && abs(rows[i] - row) != sizeOf(rows) - i);
        }
        push(rows, row);
    }
    print(join(rows, " "));
"#;

/// Whoever does not know it can neither change a saved search nor make one up. A game keeps it on its server.
const KEY: [u8; 32] = *b"only the server of this game has";

fn engine() -> Engine {
    Engine::new()
        .with_limits(Limits {
            memory: 16 << 20,
            ..Limits::default()
        })
        .with_save_key(KEY)
}

/// The first process: it searches for a while, and then has to go.
fn begin(file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut run = engine().compile(SCRIPT)?.run(3);
    match run.resume(200) {
        Outcome::OutOfFuel => {}
        other => return Err(format!("the search is over already: {other:?}").into()),
    }
    let bytes = run.save()?;
    println!(
        "saved after {} steps: {} bytes",
        run.statistics().steps,
        bytes.len()
    );
    fs::write(file, bytes)?;
    Ok(())
}

/// The second process: it compiles the same program, and goes on.
fn go_on(file: &Path) -> Result<Solution, Box<dyn std::error::Error>> {
    let engine = engine();
    let program = engine.compile(SCRIPT)?;
    let mut run = engine.restore(&program, &fs::read(file)?)?;
    Ok(run.next().ok_or("there is no solution")??)
}

/// Somebody without the key changes the file.
fn tamper(file: &Path) -> Result<RestoreError, Box<dyn std::error::Error>> {
    let mut bytes = fs::read(file)?;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let engine = engine();
    match engine.restore(&engine.compile(SCRIPT)?, &bytes) {
        Ok(_) => Err("the change was not noticed".into()),
        Err(why) => Ok(why),
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::temp_dir().join(format!("ndscript-example-{}.save", std::process::id()));
    begin(&file)?;
    let solution = go_on(&file)?;
    println!("found by the second process: {}", solution.text);
    println!("and after a change: {}", tamper(&file)?);
    fs::remove_file(&file)?;

    let unstopped = engine()
        .compile(SCRIPT)?
        .run(3)
        .next()
        .ok_or("there is no solution")??;
    assert_eq!(solution.text, unstopped.text);
    Ok(())
}
