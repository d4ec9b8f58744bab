//! Text and pictures in order, as one web page that needs no other file.

use std::io::Write;

use ndscript_base::markup;

/// A piece of what a solution printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Printed text.
    Text(String),
    /// A picture as a PNG file, with its size in pixels.
    Image {
        /// The PNG file.
        png: Vec<u8>,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// A description in words, for those who cannot see it.
        name: String,
    },
}

const STYLE: &str = "body { margin: 2rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fafaf8; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; color: #777; }
pre { font: 15px/1.4 ui-monospace, monospace; white-space: pre-wrap; margin: 0.5rem 0; }
img { display: block; max-width: 100%; height: auto; image-rendering: pixelated; margin: 0.75rem 0; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1c20; } }";

/// A page that shows the solutions one after the other, with headings where there are several.
///
/// ```
/// use ndscript::render::html::{Piece, page};
/// let page = page("map", &[vec![Piece::Text("1 < 2".into())]]);
/// assert!(page.contains("<pre>1 &lt; 2</pre>"));
/// ```
pub fn page(title: &str, solutions: &[Vec<Piece>]) -> String {
    let body = written(|out| write_solutions(solutions, out));
    format!("{}{body}{END}", begin(title))
}

/// Writes the [`section`]s of solutions, with headings where there are several.
///
/// ```
/// use ndscript::render::html::{END, Piece, begin, page, write_solutions};
/// let solutions = [vec![Piece::Text("an island".into())], vec![Piece::Text("a lake".into())]];
/// let mut out = begin("map").into_bytes();
/// write_solutions(&solutions, &mut out)?;
/// assert_eq!(String::from_utf8(out).unwrap() + END, page("map", &solutions));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_solutions(solutions: &[Vec<Piece>], out: &mut dyn Write) -> std::io::Result<()> {
    for (pieces, number) in solutions.iter().zip(1..) {
        let heading = if solutions.len() > 1 {
            format!("Solution {number}")
        } else {
            String::new()
        };
        write_section(&heading, pieces, out)?;
    }
    Ok(())
}

/// The text that `write` writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    // A row of bytes takes all.
    let _ = write(&mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}

/// How a page begins. Then come [`section`]s, and [`END`].
///
/// ```
/// use ndscript::render::html::{END, Piece, begin, page, section};
/// let pieces = vec![Piece::Text("an island".into())];
/// assert_eq!(begin("map") + &section("", &pieces) + END, page("map", &[pieces]));
/// ```
pub fn begin(title: &str) -> String {
    let title = markup::text(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

/// A part of a page, with a heading unless that is empty.
pub fn section(heading: &str, pieces: &[Piece]) -> String {
    written(|out| write_section(heading, pieces, out))
}

/// Writes a [`section`] bit by bit: a page may be much larger than what it shows.
///
/// ```
/// use ndscript::render::html::{Piece, section, write_section};
/// let pieces = [Piece::Text("1 < 2".into())];
/// let mut out = Vec::new();
/// write_section("Order", &pieces, &mut out)?;
/// assert_eq!(out, section("Order", &pieces).as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_section(heading: &str, pieces: &[Piece], out: &mut dyn Write) -> std::io::Result<()> {
    if !heading.is_empty() {
        writeln!(out, "<h2>{}</h2>", markup::text(heading))?;
    }
    pieces.iter().try_for_each(|piece| write_piece(piece, out))
}

/// How a page ends.
pub const END: &str = "</body>\n</html>\n";

/// Writes a text or an image.
fn write_piece(piece: &Piece, out: &mut dyn Write) -> std::io::Result<()> {
    match piece {
        Piece::Text(text) if text.is_empty() => Ok(()),
        Piece::Text(text) => {
            // A browser drops a line break right after `<pre>`, so a printed one is written twice.
            out.write_all(if text.starts_with('\n') {
                b"<pre>\n"
            } else {
                b"<pre>"
            })?;
            // Line by line, so that a long text is not there twice.
            text.split_inclusive('\n')
                .try_for_each(|line| out.write_all(markup::text(line).as_bytes()))?;
            out.write_all(b"</pre>\n")
        }
        Piece::Image {
            png,
            width,
            height,
            name,
        } => {
            let name = markup::attribute(name);
            write!(
                out,
                "<img width=\"{width}\" height=\"{height}\" alt=\"{name}\" src=\"data:image/png;base64,"
            )?;
            // Whole groups of three bytes, so that only the last block is padded.
            png.chunks(3 << 10)
                .try_for_each(|block| out.write_all(base64(block).as_bytes()))?;
            out.write_all(b"\">\n")
        }
    }
}

/// The bytes as Base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, at| {
            bits << 8 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        for digit in 0..4 {
            let used = digit <= group.len();
            text.push(if used {
                char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize])
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_pads_what_is_left() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }
}
