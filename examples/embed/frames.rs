//! A game that goes on while a search runs: each frame gives the search a millisecond and draws how far it has come.
//!
//! `cargo run --example embed_frames`

use std::time::{Duration, Instant};

use ndscript::{Engine, Outcome, Run};

const SCRIPT: &str = r#"
    // Latin squares: every row and every column has each number once.
    var size = 9;
    var square = makeGrid(size, size, toSet(range(size)));
    while (!isEmpty(nonsingletonPositionsOf(square))) {
        var least = size + 1, here = null;
        foreach (p in nonsingletonPositionsOf(square)) {
            if (sizeOf(square[p]) < least) { least = sizeOf(square[p]); here = p; }
        }
        var n = chooseElement(square[here]);
        square[here] = setOf(n);
        for (let i = 0; i < size; i++) {
            foreach (p in [position(here.x, i), position(i, here.y)]) {
                if (p != here) {
                    square[p] = remove(square[p], n);
                    if (isEmpty(square[p])) fail;
                }
            }
        }
    }
"#;

/// What a frame may spend on the search.
const BUDGET: Duration = Duration::from_millis(1);
/// Steps between two looks at the clock: far less than a frame's.
const SLICE: u64 = 500;

/// Lets the search go on for one frame. `None` as long as it is under way.
fn search_for_a_frame(run: &mut Run) -> Option<Result<(), String>> {
    let started = Instant::now();
    while started.elapsed() < BUDGET {
        match run.resume(SLICE) {
            Outcome::OutOfFuel => {}
            Outcome::Solved(_) => return Some(Ok(())),
            other => return Some(Err(format!("{other:?}"))),
        }
    }
    None
}

/// The part of the cells that are decided, from 0 to 1. Looks at them where they are, without copying.
fn progress(run: &Run) -> f64 {
    let Some(square) = run
        .view_global("square")
        .filter(|square| !square.is_empty())
    else {
        return 0.0;
    };
    let decided = square.cells().filter(|cell| cell.len() == 1).count();
    decided as f64 / square.len() as f64
}

fn bar(progress: f64) -> String {
    let full = (progress * 30.0).round() as usize;
    format!(
        "[{}{}] {:3.0}%",
        "#".repeat(full),
        " ".repeat(30 - full),
        progress * 100.0
    )
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut run = Engine::new().compile(SCRIPT)?.run(4);
    let mut frames = 0;
    loop {
        frames += 1;
        if let Some(result) = search_for_a_frame(&mut run) {
            result?;
            break;
        }
        // Here the game would move its monsters and draw itself.
        print!("\r{}", bar(progress(&run)));
    }
    println!("\r{} after {frames} frames", bar(progress(&run)));
    // Copied here; a solution of `resume` has no copies, so that this frame takes no longer than the others.
    let square = run.view_global("square").ok_or("there is a square")?.data();
    let square = square.as_grid().ok_or("it is a grid")?;
    for row in square.cells().chunks(square.width()) {
        println!(
            "{}",
            row.iter()
                .map(|cell| cell.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        );
    }
    assert!(square.cells().iter().all(|cell| cell.elements().len() == 1));
    Ok(())
}
