//! Writes the tokens of files: what the grammars for editors are compared with (see `editors/`). For each file a line
//! `file NAME parsed` (or `broken`, if the parser refuses it), then a line `CLASS START END` for each token, in bytes.

use std::error::Error;
use std::io::{self, BufWriter, Write};

use ndscript_syntax::highlight::tokens;
use ndscript_syntax::parse;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lines() {
        let name = line?;
        let text = String::from_utf8_lossy(&std::fs::read(&name)?).into_owned();
        let state = match parse(&text, 0) {
            Ok(_) => "parsed",
            Err(_) => "broken",
        };
        writeln!(out, "file {name} {state}")?;
        for (class, range) in tokens(&text) {
            writeln!(out, "{class:?} {} {}", range.start, range.end)?;
        }
    }
    Ok(())
}
