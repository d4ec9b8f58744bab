//! Where a run stands that was stopped.

use ndscript::Run;

use super::stats;

/// The line that a run was stopped on, with the function that it belongs to; `None` if it is on none.
pub fn in_words(run: &Run) -> Option<String> {
    let calls = run.calls(1);
    let call = calls.first()?;
    let span = call.span?;
    let sources = run.program().sources();
    let (file, line, _) = sources.locate(span)?;
    let function = match call.function {
        None => String::new(),
        Some("") => ", in a function without a name".to_string(),
        Some(name) => format!(", in `{name}`"),
    };
    Some(format!(
        "it was on {}{function}: {}",
        sources.line_in_words(span)?,
        stats::shortened(file.line(line).trim(), stats::LINE)
    ))
}
