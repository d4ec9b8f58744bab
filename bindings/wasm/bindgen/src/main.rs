//! `bindgen FILE.wasm FOLDER`: writes the JavaScript, its types and the WebAssembly for it into the folder.

use std::error::Error;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        eprintln!("usage: bindgen FILE.wasm FOLDER");
        return ExitCode::from(2);
    };
    match generate(input, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("cannot make JavaScript for {input}: {why}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name("ndscript")
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    Ok(bindgen.generate(folder)?)
}
