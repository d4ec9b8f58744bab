//! Compiled programs.

use std::ffi::c_char;

use ndscript::Program;
use ndscript::tiles::Tiles;
use serde_json::Value;

use crate::border::{give_text, given, guard, some_text};
use crate::json::parameters_from_json;
use crate::run::NdsRun;

/// A compiled program. It never changes: several threads may use it at the same time.
pub struct NdsProgram {
    pub(crate) program: Program,
    pub(crate) tiles: Tiles,
}

/// Frees a program. Its runs go on. NULL is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn nds_program_free(program: Option<Box<NdsProgram>>) {
    guard((), || {
        drop(program);
        Ok(())
    });
}

/// The names of the parameters that the program asks for, as a JSON array; null if it works some out as it runs.
#[unsafe(no_mangle)]
pub extern "C" fn nds_program_parameters(program: Option<&NdsProgram>) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let program = given(program, "program")?;
        let names = program
            .program
            .parameters()
            .map(|names| names.collect::<Vec<_>>());
        Ok(give_text(&Value::from(names).to_string()))
    })
}

/// Begins a run. `parameters` is a JSON object with a field for each, or NULL; one that the program cannot ask for is a
/// mistake. The same seed and the same parameters give the same run.
#[unsafe(no_mangle)]
pub extern "C" fn nds_program_run(
    program: Option<&NdsProgram>,
    seed: u64,
    parameters: *const c_char,
) -> Option<Box<NdsRun>> {
    guard(None, || {
        let program = given(program, "program")?;
        let parameters = some_text(parameters, "JSON of the parameters")?
            .map(parameters_from_json)
            .transpose()?
            .unwrap_or_default();
        let names = parameters.iter().map(|(name, _)| name.as_str());
        let unknown = program.program.unknown_parameters(names);
        if !unknown.is_empty() {
            return Err(unknown.join("\n"));
        }
        let run = program.program.run_with(seed, &parameters);
        Ok(Some(Box::new(NdsRun::new(run, program.tiles.clone()))))
    })
}
