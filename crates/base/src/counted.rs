//! Numbers with the word for what they count.

use std::fmt::Display;

/// A number with its noun; a word in the plural ends in `s`, or `es` after an `s`.
///
/// ```
/// use ndscript::counted::counted;
/// assert_eq!(counted(1, "more line"), "1 more line");
/// assert_eq!(counted(0, "place"), "0 places");
/// assert_eq!(counted(2, "guess"), "2 guesses");
/// assert_eq!(counted(2.5, "second"), "2.5 seconds");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let plural = match noun.ends_with('s') {
        _ if count == N::from(1) => "",
        true => "es",
        false => "s",
    };
    format!("{count} {noun}{plural}")
}
