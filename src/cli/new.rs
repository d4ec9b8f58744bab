//! `ndscript new`: a program to begin with.

use std::path::PathBuf;

use super::exit::{Exit, Stop};
use super::options::NewOptions;
use super::save::save;
use super::terminal::say_text;

const STARTER: &str = include_str!("starter.nds");

/// Writes a commented program, and says what can be done with it.
pub fn new(options: &NewOptions) -> Result<Exit, Stop> {
    let mut path = PathBuf::from(&options.name);
    if path.extension().is_none_or(|ending| ending != "nds") {
        path.as_mut_os_string().push(".nds");
    }
    let shown = path.display().to_string();
    if path.exists() {
        return Err(Stop::error(format!("\"{shown}\" is there already\nname another file, or remove it")));
    }
    let name = shown.strip_suffix(".nds").unwrap_or(&shown);
    save(&path, STARTER.replace("NAME", name).as_bytes())?;
    say_text(&format!(
        "wrote {shown}: `ndscript run {shown}` runs it, `ndscript watch {shown}` shows it while you change it"
    ));
    Ok(Exit::Success)
}
