//! Makes `crates/syntax/src/parser.rs` from `ndscript.lalrpop`: `cargo run -p ndscript-grammar`.
//!
//! The parser is committed, so that whoever uses the library does not build a parser generator. With `--check` nothing is
//! written; it is an error if the committed parser is another one.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = here.join("../src/parser.rs");
    let out = std::env::temp_dir().join(format!("ndscript-grammar-{}", std::process::id()));
    lalrpop::Configuration::new()
        .set_in_dir(here)
        .set_out_dir(&out)
        .emit_whitespace(false)
        .process()
        .expect("the grammar is without conflicts");
    let made = std::fs::read(out.join("ndscript.rs")).expect("the parser was made");
    std::fs::remove_dir_all(&out).expect("the folder can be removed");
    if std::fs::read(&committed).is_ok_and(|before| before == made) {
        return ExitCode::SUCCESS;
    }
    if std::env::args().any(|argument| argument == "--check") {
        eprintln!(
            "crates/syntax/src/parser.rs is not what the grammar makes: run `cargo run -p ndscript-grammar`"
        );
        return ExitCode::FAILURE;
    }
    std::fs::write(committed, made).expect("the parser can be written");
    ExitCode::SUCCESS
}
