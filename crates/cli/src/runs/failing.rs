//! The most frequent failures of a run without a solution.

use ndscript::Run;
use ndscript::counted::counted;

use super::stats;

/// Fewer failures need no count, if the program gave a reason.
const FEWEST: u64 = 10;

/// The lines that failed most, in words; `was_saved` says that the run was loaded. Empty if there were few failures and
/// the reason was already given.
pub fn in_words(run: &Run, was_saved: bool, is_told: bool) -> Option<String> {
    // A saved run does not contain the record.
    let since = if was_saved {
        " since it was taken up again"
    } else {
        ""
    };
    let failures = if was_saved {
        run.record().failing().map(|(_, count)| count).sum()
    } else {
        run.statistics().failures
    };
    let fewest = if is_told { FEWEST } else { 1 };
    if failures < fewest {
        return None;
    }
    let lines = stats::failing(run.record(), run.program().sources());
    if lines.is_empty() {
        return None;
    }
    let in_words = |file: &str, line: usize, text: &str| {
        let is_own = run
            .program()
            .sources()
            .files()
            .first()
            .is_some_and(|own| *own.name == *file);
        let file = if is_own {
            String::new()
        } else {
            format!("{file}, ")
        };
        format!("{file}line {line}: {}", stats::shortened(text, stats::LINE))
    };
    if let ([(file, line, _, text)], 1) = (&lines[..], failures) {
        return Some(format!(
            "it failed{since} on {}",
            in_words(file, *line, text)
        ));
    }
    let times = counted(failures, "time");
    let mut out =
        format!("it failed {times}{since}, most often here; `ndscript explain` tells more:");
    for (file, line, count, text) in lines {
        out += &format!(
            "\n{:>15}  {}",
            counted(count, "time"),
            in_words(file, line, text)
        );
    }
    Some(out)
}
