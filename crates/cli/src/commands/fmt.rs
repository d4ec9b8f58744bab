//! `ndscript fmt`: brings programs into the one form.

use std::fs;
use std::path::{Path, PathBuf};

use ndscript::source::Sources;
use ndscript_editor::{FormatError, format};

use crate::arguments::options::FmtOptions;
use crate::exit::{Exit, Stop};
use crate::files::save;
use crate::files::{self, Bounds};
use crate::terminal;
use crate::terminal::stdout;

/// The greatest depth of folders that are searched.
const MOST_FOLDERS: usize = 32;

/// Formats all files, also those after one that has errors.
pub fn fmt(options: &FmtOptions) -> Result<Exit, Stop> {
    if options.stdin {
        return Formatter { options }.file(Path::new("-"));
    }
    let mut programs = Vec::new();
    let mut exit = Exit::Success;
    for file in &options.files {
        if let Err(stop) = collect(file, MOST_FOLDERS, &mut programs) {
            crate::report(&stop);
            exit = Exit::Error;
        }
    }
    for program in programs {
        let one = Formatter { options }.file(&program).unwrap_or_else(|stop| {
            crate::report(&stop);
            stop.exit
        });
        exit = if exit == Exit::Error {
            exit
        } else {
            worse(exit, one)
        };
    }
    Ok(exit)
}

fn worse(one: Exit, other: Exit) -> Exit {
    if one.code() > other.code() {
        one
    } else {
        other
    }
}

/// The file, or the programs below a folder, in the order of their names. Links inside of folders are not followed.
fn collect(path: &Path, depth: usize, programs: &mut Vec<PathBuf>) -> Result<(), Stop> {
    if !path.is_dir() {
        programs.push(path.to_path_buf());
        return Ok(());
    }
    let in_words = |why: std::io::Error| {
        Stop::error(format!(
            "cannot read the folder \"{}\": {}",
            path.display(),
            files::in_words(&why)
        ))
    };
    let entries = fs::read_dir(path).map_err(in_words)?;
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(in_words)?;
    entries.sort();
    for entry in entries {
        let is_program = entry
            .extension()
            .is_some_and(|extension| extension == "nds");
        if entry.is_symlink() {
            continue;
        }
        if entry.is_dir() && depth > 0 {
            collect(&entry, depth - 1, programs)?;
        } else if is_program && entry.is_file() {
            programs.push(entry);
        }
    }
    Ok(())
}

struct Formatter<'o> {
    options: &'o FmtOptions,
}

impl Formatter<'_> {
    /// Formats one file, or only compares it.
    fn file(&self, path: &Path) -> Result<Exit, Stop> {
        let text = files::read_program(path, Bounds::new(None, None))?;
        let name = files::shown_name(path);
        let formatted = match format(&text) {
            Ok(formatted) => formatted,
            Err(FormatError::Syntax(errors)) => {
                let mut sources = Sources::default();
                sources.add(&name, &text);
                let color = terminal::colors_messages(self.options.color);
                errors
                    .iter()
                    .for_each(|each| terminal::show(each, &sources, color));
                return Ok(Exit::Error);
            }
            Err(why @ FormatError::Unsafe) => return Err(Stop::error(format!("{name}: {why}"))),
        };
        if self.options.check {
            if formatted == text {
                return Ok(Exit::Success);
            }
            terminal::say(&format!("{name} is not in form"));
            return Ok(Exit::NoSolution);
        }
        if files::is_standard_input(path) {
            stdout::write_text(&formatted)?;
        } else if formatted != text {
            save::save_over(path, formatted.as_bytes())?;
        }
        Ok(Exit::Success)
    }
}
