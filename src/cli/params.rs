//! The parameters of a run: `name=value` on the command line.

use std::ffi::OsString;
use std::path::Path;

use ndscript::Param;

use super::exit::Stop;
use super::files;

/// The greatest integer that is exact everywhere in the language.
const MAX_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Reads all `name=value` arguments.
pub fn read_all(arguments: &[OsString]) -> Result<Vec<(String, Param)>, Stop> {
    let mut params: Vec<(String, Param)> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let text = argument.to_str().ok_or_else(|| Stop::error(format!("{argument:?} is not UTF-8 text")))?;
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            let hint = "parameters are written name=value, and only one program can be run";
            return Err(Stop::error(format!("expected name=value, found {text:?}\n{hint}")));
        };
        if params.iter().any(|(other, _)| other == name) {
            return Err(Stop::error(format!("the parameter {name:?} is given twice")));
        }
        let value = match value.strip_prefix('@') {
            Some(path) => Param::Text(files::read_text(Path::new(path))?),
            None => from_text(value),
        };
        params.push((name.to_string(), value));
    }
    Ok(params)
}

/// What reads as a Boolean or a number is one.
fn from_text(text: &str) -> Param {
    match text {
        "true" => Param::Boolean(true),
        "false" => Param::Boolean(false),
        _ => number(text).map_or_else(|| Param::Text(text.to_string()), Param::Number),
    }
}

fn number(text: &str) -> Option<f64> {
    // Rust also reads `inf` and `nan`.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let number: f64 = if plain { text.parse().ok()? } else { return None };
    // A long row of digits is a name rather than a number: as a number it would lose digits.
    let exact = number.abs() <= MAX_INTEGER || !text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    (number.is_finite() && exact).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_booleans_are_recognized() {
        let read = |text: &str| from_text(text);
        assert_eq!(read("12"), Param::Number(12.0));
        assert_eq!(read("-1.5e3"), Param::Number(-1500.0));
        assert_eq!(read("true"), Param::Boolean(true));
        for text in ["", "True", "inf", "NaN", "1e999", "12px", "0x10", "1 2", "90071992547409930", "-", "."] {
            assert_eq!(read(text), Param::Text(text.to_string()));
        }
    }
}
