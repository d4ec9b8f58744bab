//! The command line `ndscript`. Everything it knows of the language comes from the library.
#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main(std::env::args_os()).into()
}
