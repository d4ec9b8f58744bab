//! `ndscript doc`: explains built-in functions.

use ndscript::reference::{self, Entry};
use ndscript::spelling::nearest;

use super::exit::{Exit, Stop};
use super::options::DocOptions;
use super::stdout;

/// Explains the functions of these names, or lists all by domain.
pub fn doc(options: &DocOptions) -> Result<Exit, Stop> {
    let text = if options.names.is_empty() { list() } else { explain(&options.names)? };
    stdout::write(&text)?;
    Ok(Exit::Success)
}

fn explain(names: &[String]) -> Result<String, Stop> {
    let mut out = String::new();
    for name in names {
        let Some(entry) = reference::find(name) else {
            let hint = suggestion(name, "ndscript doc");
            return Err(Stop::error(format!("there is no built-in function `{name}`\n{hint}")));
        };
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&long(&entry));
    }
    Ok(out)
}

/// What to do about a name that is no built-in; `list` is the command that lists them.
pub fn suggestion(name: &str, list: &str) -> String {
    match nearest(name, reference::entries().map(|entry| entry.name)) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("`{list}` lists them all"),
    }
}

/// A function with its example.
pub fn long(entry: &Entry) -> String {
    let Entry { name, parameters, doc, domain, cost, example, gives } = entry;
    let cost = if *cost == "1" { String::new() } else { format!("  steps: {cost}\n") };
    format!(
        "{name}({parameters})    [{domain}]\n  {doc}\n{cost}\n  {example}\n  => {}\n",
        gives.replace('\n', "\n     ")
    )
}

/// All functions, by domain.
pub fn list() -> String {
    let mut out = String::new();
    let mut domain = "";
    for entry in reference::entries() {
        if entry.domain != domain {
            domain = entry.domain;
            out.push_str(&format!("{}{domain}\n", if out.is_empty() { "" } else { "\n" }));
        }
        let call = format!("{}({})", entry.name, entry.parameters);
        out.push_str(&format!("  {call:<44} {}\n", entry.doc));
    }
    out
}
