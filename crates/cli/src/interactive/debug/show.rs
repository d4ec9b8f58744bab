//! The views of the debugger, as text.

use std::fmt::Write as _;

use ndscript::counted::counted;
use ndscript::source::Sources;
use ndscript_timeline::{CellShown, GridShown, LineAt, Scene, Variable};

/// Lines of source around the current one, if the space is unknown.
pub const AROUND: usize = 3;

/// The place of a scene, in one line.
pub fn place(scene: &Scene) -> String {
    let line = scene
        .line
        .as_ref()
        .map_or_else(String::new, |line| format!("{}:{}", line.file, line.line));
    let function = match scene.calls.first() {
        Some(call) => match call.function.as_deref() {
            Some("") => " in a function value".to_string(),
            Some(name) => format!(" in {name}"),
            None => String::new(),
        },
        None => String::new(),
    };
    format!(
        "step {}  {line}{function}  open choices: {}",
        scene.when, scene.open
    )
}

/// The source around a line, which is marked.
pub fn source(sources: &Sources, at: &LineAt, around: usize) -> String {
    let Some(file) = sources.files().iter().find(|file| *file.name == *at.file) else {
        return String::new();
    };
    let last = file.text.lines().count().max(1);
    let first = at.line.saturating_sub(around).max(1);
    let mut out = String::new();
    for number in first..=(first + 2 * around).min(last).max(at.line) {
        let mark = if number == at.line { '>' } else { ' ' };
        let _ = writeln!(out, "{mark}{number:>5} | {}", file.line(number).trim_end());
    }
    out
}

/// Variables, one a line: those of the innermost call first, then global ones.
pub fn variables(scene: &Scene, width: usize) -> String {
    let mut out = String::new();
    for call in &scene.calls {
        for variable in &call.variables {
            let _ = writeln!(out, "  {}", shown(variable, width.saturating_sub(2)));
        }
        if call.function.is_some() {
            break;
        }
    }
    for variable in &scene.globals {
        let _ = writeln!(out, "{}", shown(variable, width));
    }
    if out.is_empty() {
        "no variable has a value yet\n".to_string()
    } else {
        out
    }
}

fn shown(variable: &Variable, width: usize) -> String {
    cut(
        &format!("{} = {}", variable.name, variable.text.replace('\n', " ")),
        width,
    )
}

/// A text of at most `width` characters.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let short: String = text.chars().take(width.saturating_sub(3)).collect();
    short + "..."
}

/// A grid as text: decided cells show their values, others their candidates if these are short, or their number.
pub fn map(grid: &GridShown, rows: usize) -> String {
    let cells: Vec<String> = grid.cells.iter().map(CellShown::brief).collect();
    let wide = cells
        .iter()
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(1);
    let mut out = String::new();
    for row in cells.chunks(grid.width.max(1)).take(rows) {
        for (at, cell) in row.iter().enumerate() {
            let _ = write!(out, "{}{cell:wide$}", if at == 0 { "" } else { " " });
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    if grid.height > rows {
        let _ = writeln!(out, "... {}", counted(grid.height - rows, "more row"));
    }
    out
}

/// The open choices, latest first.
pub fn choices(scene: &Scene, most: usize, width: usize) -> String {
    let mut out = String::new();
    for (number, choice) in scene.choices.iter().take(most).enumerate() {
        let line = choice
            .line
            .as_ref()
            .map_or_else(String::new, |line| line.in_words.clone());
        let call = choice
            .call
            .as_ref()
            .map_or_else(String::new, |call| format!(" in {call}"));
        let named: Vec<String> = choice
            .alternatives
            .iter()
            .enumerate()
            .map(|(at, text)| format!("{}: {}", at + 1, cut(text, 24)))
            .collect();
        let more = if choice.left > named.len() {
            ", ..."
        } else {
            ""
        };
        let place = choice
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!(" for {place}"));
        let text = format!(
            "{}. {line}{call}{place}, {} left: {}{more}",
            number + 1,
            choice.left,
            named.join(", ")
        );
        let _ = writeln!(out, "{}", cut(&text, width));
    }
    if scene.open > scene.choices.len().min(most) {
        let _ = writeln!(
            out,
            "... {}",
            counted(scene.open - scene.choices.len().min(most), "earlier one")
        );
    }
    if out.is_empty() {
        "no choice is open\n".to_string()
    } else {
        out
    }
}

/// The calls, innermost first.
pub fn calls(scene: &Scene, width: usize) -> String {
    let mut out = String::new();
    for call in &scene.calls {
        let name = match call.function.as_deref() {
            Some("") => "(function)",
            Some(name) => name,
            None => "the program",
        };
        let line = call.line.as_ref().map_or_else(String::new, |line| {
            format!("{}:{}  {}", line.file, line.line, line.text.trim())
        });
        let _ = writeln!(out, "{}", cut(&format!("{name}  {line}"), width));
    }
    out
}

/// All views, for a terminal of this many columns and rows.
pub fn screen(
    scene: &Scene,
    sources: &Sources,
    reply: &str,
    columns: usize,
    rows: usize,
) -> String {
    let mut out = format!("{}\n", cut(&place(scene), columns));
    let lines: Vec<&str> = reply.lines().collect();
    // The prompt, the latest output, and the lines between the parts.
    let mut left = rows.saturating_sub(1 + 1 + lines.len() + 4);
    let around = (left / 6).clamp(1, 6);
    let mut part = |out: &mut String, text: String, most: usize| {
        let lines: Vec<&str> = text.lines().take(most.min(left)).collect();
        left -= lines.len();
        lines.iter().for_each(|line| {
            out.push_str(&cut(line, columns));
            out.push('\n');
        });
    };
    if let Some(line) = &scene.line {
        part(&mut out, source(sources, line, around), 2 * around + 1);
    }
    out.push_str(&"-".repeat(columns.min(60)));
    out.push('\n');
    let all = scene
        .calls
        .iter()
        .flat_map(|call| &call.variables)
        .chain(&scene.globals);
    if let Some((variable, grid)) = all
        .filter_map(|variable| Some((variable, variable.grid.as_ref()?)))
        .next()
    {
        part(
            &mut out,
            format!("{}:\n{}", variable.name, map(grid, rows / 3)),
            rows / 3 + 2,
        );
    }
    part(&mut out, variables(scene, columns), (rows / 4).max(3));
    out.push_str(&"-".repeat(columns.min(60)));
    out.push('\n');
    part(&mut out, choices(scene, 3, columns), 4);
    for line in lines {
        out.push_str(&cut(line, columns));
        out.push('\n');
    }
    out
}
