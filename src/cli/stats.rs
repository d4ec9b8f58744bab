//! What a run took, for `--stats`.

use std::time::Duration;

use ndscript::Statistics;

/// The figures of a run, a line each.
pub fn show(seed: u64, solutions: u64, figures: &Statistics, time: Duration, pause: Duration) -> String {
    let rows = [
        ("seed", seed.to_string()),
        ("solutions", solutions.to_string()),
        ("steps", figures.steps.to_string()),
        ("choice points", figures.choice_points.to_string()),
        ("failures", figures.failures.to_string()),
        ("depth", figures.depth.to_string()),
        ("time", format!("{:.3} s", time.as_secs_f64())),
        ("memory", size_in_words(figures.memory)),
        ("collections", format!("{}, longest {:.1} ms", figures.collections, pause.as_secs_f64() * 1000.0)),
    ];
    rows.iter().map(|(name, value)| format!("{name:<14} {value}\n")).collect()
}

/// The same as one line of JSON.
pub fn json(seed: u64, solutions: u64, figures: &Statistics, time: Duration, pause: Duration) -> String {
    let all = serde_json::json!({
        "seed": seed,
        "solutions": solutions,
        "steps": figures.steps,
        "choice_points": figures.choice_points,
        "failures": figures.failures,
        "depth": figures.depth,
        "time": time.as_secs_f64(),
        "memory": figures.memory,
        "collections": figures.collections,
        "longest_collection": pause.as_secs_f64(),
    });
    all.to_string()
}

/// An amount of memory.
pub fn size_in_words(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{:.1} kB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}
