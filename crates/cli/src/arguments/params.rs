//! The parameters of a run: `name=value` on the command line.

use std::ffi::OsString;
use std::path::Path;

use ndscript::{Param, Program};

use crate::exit::Stop;
use crate::files::guard;
use crate::files::{self, Bounds};
use crate::terminal::complain;

/// Reads all `name=value` arguments.
pub fn read_all(arguments: &[OsString], bounds: Bounds) -> Result<Vec<(String, Param)>, Stop> {
    let mut params: Vec<(String, Param)> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let text = argument
            .to_str()
            .ok_or_else(|| Stop::error(format!("{argument:?} is not UTF-8 text")))?;
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            let hint = match Path::new(text)
                .extension()
                .and_then(|extension| extension.to_str())
            {
                Some("svg") => {
                    "`--svg` takes no file: it writes each picture as SVG beside its PNG file"
                }
                Some("jsonl") => "a file for `--jsonl` is written behind `=`: `--jsonl=maps.jsonl`",
                _ => "parameters are written name=value, and only one program can be run",
            };
            return Err(Stop::error(format!(
                "expected name=value, found {text:?}\n{hint}"
            )));
        };
        if params.iter().any(|(other, _)| other == name) {
            return Err(Stop::error(format!(
                "the parameter {name:?} is given twice"
            )));
        }
        let value = match value.strip_prefix('@') {
            Some(path) => {
                guard::read(Path::new(path))?;
                Param::Text(files::read_text(Path::new(path), bounds)?)
            }
            None => from_text(value),
        };
        params.push((name.to_string(), value));
    }
    Ok(params)
}

/// Says which of these parameters the program cannot ask for.
pub fn warn_of_unknown(params: &[(String, Param)], program: &Program) {
    for warning in unknown(params, program) {
        complain(&format!("warning: {warning}"));
    }
}

/// A warning for each of these parameters that the program cannot ask for, its hint in a line of its own.
pub fn unknown(params: &[(String, Param)], program: &Program) -> Vec<String> {
    program.unknown_parameters(params.iter().map(|(name, _)| name.as_str()))
}

/// A parameter as a line, which [`read_written`] reads; texts are in quotes.
pub fn written((name, value): &(String, Param)) -> String {
    let plain = !name.starts_with('"') && !name.contains(|c: char| c.is_control() || c == '=');
    let name = if plain { name.clone() } else { quoted(name) };
    match value {
        Param::Typed(text) => format!("{name}={text}"),
        Param::Text(text) => format!("{name}={}", quoted(text)),
        // The command line gives no other values.
        other => format!("{name}={}", quoted(&format!("{other:?}"))),
    }
}

/// Reads `name=value`, where either may be a text in quotes; `None` if it is no such line.
pub fn read_written(line: &str) -> Option<(String, Param)> {
    let (name, value) = if line.starts_with('"') {
        let (name, rest) = unquoted(line)?;
        (name, rest.strip_prefix('=')?)
    } else {
        let (name, value) = line.split_once('=')?;
        (name.to_string(), value)
    };
    if name.is_empty() {
        return None;
    }
    let value = if value.starts_with('"') {
        let (text, rest) = unquoted(value)?;
        if !rest.trim().is_empty() {
            return None;
        }
        Param::Text(text)
    } else {
        from_text(value)
    };
    Some((name, value))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

/// The text in quotes that a line begins with, and what follows it.
fn unquoted(line: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = line.strip_prefix('"')?.chars();
    loop {
        match characters.next()? {
            '"' => return Some((text, characters.as_str())),
            '\\' => text.push(match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                quoted @ ('"' | '\\') => quoted,
                _ => return None,
            }),
            character => text.push(character),
        }
    }
}

/// A text that reads as a Boolean or a number becomes one, unless the program wants a text.
fn from_text(text: &str) -> Param {
    match Param::read(text) {
        Param::Text(text) => Param::Text(text),
        _ => Param::Typed(text.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_as_the_same() {
        let texts = [
            "",
            "12",
            "true",
            "a b",
            " 41\n3##\r\n\t\"x\" \\n",
            "=",
            "\"",
            "ä\u{1f600}",
        ];
        let values = texts.map(|text| Param::Text(text.to_string())).into_iter();
        let typed = [
            "0",
            "007",
            "-2.50",
            "1e3",
            "true",
            "false",
            "9007199254740991",
        ]
        .map(from_text);
        assert!(typed.iter().all(|typed| matches!(typed, Param::Typed(_))));
        for value in values.chain(typed) {
            for name in ["size", "a b", "\"q", "two\nlines", "x\\"] {
                let param = (name.to_string(), value.clone());
                let line = written(&param);
                assert!(!line.contains(['\n', '\r']), "{line}");
                assert_eq!(read_written(&line), Some(param), "{line}");
            }
        }
        assert_eq!(
            read_written("level=hard"),
            Some(("level".to_string(), Param::Text("hard".to_string())))
        );
        for wrong in ["", "x", "=3", "x=\"a", "x=\"a\" b", "x=\"\\q\"", "\"x"] {
            assert_eq!(read_written(wrong), None, "{wrong}");
        }
    }
}
