//! Hot reload: the script of a game is changed while the game is played, and what has happened so far stays.
//!
//! `cargo run --example embed_reload`

use ndscript::{Engine, Run};

const FIRST: &str = r#"
    let gold = 30, bag = [], visitors = 0;
    let price = 10;
    function buy(what) {
        require(gold >= price);
        gold = gold - price;
        push(bag, what);
    }
"#;

/// The designer makes things cheaper, and buys two at once. Nobody counts visitors any more.
const SECOND: &str = r#"
    let gold = 30, bag = [];
    let price = 4;
    function buy(what) {
        require(gold >= 2 * price);
        gold = gold - 2 * price;
        push(bag, what);
        push(bag, what);
    }
"#;

/// Runs a script up to its solution, where its functions can be called.
fn begin(engine: &Engine, script: &str) -> Result<Run, Box<dyn std::error::Error>> {
    let mut run = engine.compile(script)?.run(1);
    run.next().ok_or("the script has no solution")??;
    Ok(run)
}

fn buy(run: &mut Run, what: &str) -> Result<(), Box<dyn std::error::Error>> {
    run.call("buy", (what,))?
        .next()
        .ok_or("it costs too much")??;
    Ok(())
}

fn state(run: &Run) -> String {
    let state = run
        .view_globals()
        .map(|(name, value)| format!("{name} = {value}"));
    state.collect::<Vec<String>>().join(", ")
}

/// What the game says.
pub fn play() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let engine = Engine::new();
    let mut game = begin(&engine, FIRST)?;
    buy(&mut game, "lamp")?;
    let mut said = vec![state(&game)];

    // A script with mistakes changes nothing: the game goes on with the version that it has.
    if let Err(error) = begin(&engine, "let gold = ;") {
        said.push(format!(
            "not taken: {}",
            error.to_string().lines().next().unwrap_or_default()
        ));
    }

    let mut next = begin(&engine, SECOND)?;
    let done = next.reload_from(&game, |name| name != "price");
    game = next;
    said.push(format!("kept {}", done.kept.join(", ")));
    for (name, why) in &done.dropped {
        said.push(format!("dropped {name}: {why}"));
    }
    buy(&mut game, "rope")?;
    said.push(state(&game));
    Ok(said)
}

#[allow(dead_code, reason = "a test plays it, too")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in play()? {
        println!("{line}");
    }
    Ok(())
}
