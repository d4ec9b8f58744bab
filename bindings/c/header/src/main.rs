//! Writes `ndscript.h`; with `--check` it fails if the file is not what it would write.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the folder of the binding");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    let builder = cbindgen::Builder::new().with_src(folder.join("src/lib.rs"));
    let bindings = builder.with_config(config).generate().expect("a header");
    let mut header = Vec::new();
    bindings.write(&mut header);
    let path = folder.join("ndscript.h");
    if std::env::args().any(|argument| argument == "--check") {
        if std::fs::read(&path).unwrap_or_default() != header {
            eprintln!(
                "bindings/c/ndscript.h is not what the sources say: run `cargo run --manifest-path bindings/c/header/Cargo.toml`"
            );
            return ExitCode::FAILURE;
        }
    } else {
        std::fs::write(&path, header).expect("ndscript.h is written");
    }
    ExitCode::SUCCESS
}
