//! `ndscript new`: a program to begin with.

use std::path::{PathBuf, is_separator};

use crate::arguments::options::NewOptions;
use crate::exit::{Exit, Stop};
use crate::files::save::save;
use crate::files::shell_word;
use crate::terminal::say;

const STARTER: &str = include_str!("starter.nds");

/// Writes a commented program, and tells how to use it.
pub fn new(options: &NewOptions) -> Result<Exit, Stop> {
    let name = &options.name;
    let mut path = PathBuf::from(name);
    if path.file_name().is_none() || name.ends_with(is_separator) || name.contains(char::is_control)
    {
        return Err(Stop::error(format!(
            "{name:?} names no program\nname it by a word, such as `island`"
        )));
    }
    if path.extension().is_none_or(|ending| ending != "nds") {
        path.as_mut_os_string().push(".nds");
    }
    let shown = path.display().to_string();
    if path.exists() {
        return Err(Stop::error(format!(
            "\"{shown}\" is there already\nname another file, or remove it"
        )));
    }
    let word = shell_word(&path);
    save(&path, STARTER.replace("FILE", &word).as_bytes())?;
    say(&format!(
        "wrote {shown}: `ndscript run {word}` runs it, `ndscript watch {word}` shows it while you change it"
    ));
    Ok(Exit::Success)
}
