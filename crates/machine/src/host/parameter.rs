//! Parameters of a run, by name.

use ndscript_heap::outside::data::Data;
use ndscript_heap::value::MAX_INTEGER;

/// A parameter of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// `true` or `false`.
    Boolean(bool),
    /// A number; one without fraction is an integer.
    Number(f64),
    /// A string.
    Text(String),
    /// Anything else.
    Data(Data),
    /// What a person has typed. Where the program's default is a string it is that string, unchanged: `007` keeps its
    /// zeros. Elsewhere [`Parameter::read`] reads it.
    Typed(String),
}

impl Parameter {
    /// What reads as a Boolean or a number is one, everything else is a string.
    ///
    /// ```
    /// use ndscript::Param;
    /// assert_eq!(Param::read("1.5e3"), Param::Number(1500.0));
    /// assert_eq!(Param::read("true"), Param::Boolean(true));
    /// assert_eq!(Param::read("north"), Param::Text("north".into()));
    /// ```
    pub fn read(text: &str) -> Parameter {
        match text {
            "true" => Parameter::Boolean(true),
            "false" => Parameter::Boolean(false),
            _ => number(text).map_or_else(|| Parameter::Text(text.to_string()), Parameter::Number),
        }
    }
}

/// The number that a text writes, unless it would lose digits as a number.
fn number(text: &str) -> Option<f64> {
    // Rust also reads `inf` and `nan`.
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let number: f64 = if plain {
        text.parse().ok()?
    } else {
        return None;
    };
    // A long row of digits is a name rather than a number: as a number it would lose digits.
    let exact = number.abs() <= MAX_INTEGER as f64
        || !text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    (number.is_finite() && exact).then_some(number)
}

ndscript_base::saved!(enum Parameter { 0 => Boolean(value), 1 => Number(value), 2 => Text(value), 3 => Data(value), 4 => Typed(value) });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_booleans_are_recognized() {
        assert_eq!(Parameter::read("12"), Parameter::Number(12.0));
        assert_eq!(Parameter::read("-1.5e3"), Parameter::Number(-1500.0));
        assert_eq!(Parameter::read("true"), Parameter::Boolean(true));
        for text in [
            "",
            "True",
            "inf",
            "NaN",
            "1e999",
            "12px",
            "0x10",
            "1 2",
            "90071992547409930",
            "-",
            ".",
        ] {
            assert_eq!(Parameter::read(text), Parameter::Text(text.to_string()));
        }
    }
}
