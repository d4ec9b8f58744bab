//! The cost of a run, for `--stats`.

use std::collections::BTreeMap;
use std::time::Duration;

use ndscript::counted::counted;
use ndscript::source::{SourceFile, Sources};
use ndscript::{Record, Statistics};

/// The cost of a run.
pub struct Stats<'a> {
    pub seed: u64,
    pub solutions: u64,
    pub figures: Statistics,
    pub time: Duration,
    /// The longest collection of garbage.
    pub pause: Duration,
    pub record: &'a Record,
    pub sources: &'a Sources,
}

/// At most this many of the failing lines are shown.
const MOST_FAILING: usize = 3;

/// At most this many tallies of the program are shown.
pub const TALLIES: usize = 100;

/// At most this many characters of such a line are shown.
pub const LINE: usize = 60;

/// The beginning of a text, which ends in `...` if it was cut.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 3).chain("...".chars()).collect()
}

/// The lines that failed, the most frequent first: file, line, number of failures, and their text.
pub fn failing<'a>(record: &Record, sources: &'a Sources) -> Vec<(&'a str, usize, u64, &'a str)> {
    let mut lines: BTreeMap<(u32, usize), (&'a SourceFile, u64)> = BTreeMap::new();
    for (place, count) in record.failing() {
        if let Some((file, line, _)) = sources.locate(place) {
            lines.entry((file.base, line)).or_insert((file, 0)).1 += count;
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(_, (_, count))| std::cmp::Reverse(*count));
    lines.truncate(MOST_FAILING);
    lines
        .into_iter()
        .map(|((_, line), (file, count))| (&*file.name, line, count, file.line(line).trim()))
        .collect()
}

/// The figures of a run, a line each, and what the program has counted.
pub fn show(stats: &Stats<'_>) -> String {
    let Stats {
        seed,
        solutions,
        figures,
        time,
        pause,
        record,
        sources,
    } = stats;
    let mut rows = vec![
        ("seed", crate::arguments::seed::shown(*seed)),
        ("solutions", solutions.to_string()),
        ("steps", figures.steps.to_string()),
        ("choice points", figures.choice_points.to_string()),
        ("alternatives", format!("{} tried", figures.alternatives)),
        ("failures", figures.failures.to_string()),
        ("open choices", format!("{} at most", figures.open_choices)),
        ("depth", figures.depth.to_string()),
        ("time", format!("{:.3} s", time.as_secs_f64())),
        ("memory", size_in_words(figures.memory)),
        (
            "collections",
            format!(
                "{}, longest {:.1} ms",
                figures.collections,
                pause.as_secs_f64() * 1000.0
            ),
        ),
    ];
    if figures.skipped > 0 {
        rows.insert(
            6,
            (
                "skipped",
                format!(
                    "{} that had no part in a failure",
                    counted(figures.skipped, "guess")
                ),
            ),
        );
    }
    let mut out: String = rows
        .iter()
        .map(|(name, value)| format!("{name:<14} {value}\n"))
        .collect();
    for (name, amount) in record.tallies().take(TALLIES) {
        out += &format!("{:<14} {amount}\n", tally_in_words(name));
    }
    out += &left_out_in_words(record.tallies().count());
    for (at, (_, line, count, text)) in failing(record, sources).into_iter().enumerate() {
        let name = if at == 0 { "failing lines" } else { "" };
        let text = shortened(text, LINE);
        out += &format!(
            "{name:<14} {} line {line}: {text}\n",
            counted(count, "time")
        );
    }
    out
}

/// A tally of the program in words.
pub fn tally_in_words(name: &str) -> String {
    format!("tally {name:?}")
}

/// A line for the names beyond those that are shown; nothing if there are none.
pub fn left_out_in_words(names: usize) -> String {
    match names.saturating_sub(TALLIES) {
        0 => String::new(),
        left_out => format!("{:<14} and {}\n", "", counted(left_out, "more name")),
    }
}

/// A seed as a number, or as the text that it was given as.
fn seed_as_given(seed: u64) -> serde_json::Value {
    crate::arguments::seed::text_of(seed).map_or_else(|| seed.into(), Into::into)
}

/// The statistics as one line of JSON.
pub fn json(stats: &Stats<'_>) -> String {
    let Stats {
        seed,
        solutions,
        figures,
        time,
        pause,
        record,
        sources,
    } = stats;
    let tallies: serde_json::Map<String, serde_json::Value> = record
        .tallies()
        .take(TALLIES)
        .map(|(name, amount)| (name.to_string(), amount.into()))
        .collect();
    let failing: Vec<serde_json::Value> = failing(record, sources)
        .into_iter()
        .map(|(file, line, count, _)| serde_json::json!({"file": file, "line": line, "failures": count}))
        .collect();
    let all = serde_json::json!({
        "seed": seed_as_given(*seed),
        "solutions": solutions,
        "steps": figures.steps,
        "choice_points": figures.choice_points,
        "alternatives": figures.alternatives,
        "failures": figures.failures,
        "skipped": figures.skipped,
        "depth": figures.depth,
        "time": time.as_secs_f64(),
        "memory": figures.memory,
        "collections": figures.collections,
        "open_choices": figures.open_choices,
        "longest_collection": pause.as_secs_f64(),
        "tallies": tallies,
        "tallies_left_out": record.tallies().skip(TALLIES).count(),
        "failing": failing,
    });
    all.to_string()
}

/// An amount of memory.
pub fn size_in_words(bytes: usize) -> String {
    match bytes {
        0..1024 => counted(bytes, "byte"),
        1024..0x10_0000 => format!("{:.1} kB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}
