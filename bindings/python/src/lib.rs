//! NDScript for Python: a thin skin over the crate `ndscript`. The package's own files, in `ndscript/`, give it the form
//! that people see.

mod function;
mod message;
mod run;
mod value;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ndscript::tiles::{TileSource, Tiles};
use ndscript::{Data, ImportSource, Limits, Rest};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::function::{Callback, Raised};
use crate::message::{messages, raise};
use crate::run::Run;

/// A lock that a panic elsewhere does not make useless.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Files by path: texts to import, and PNG files of tiles.
#[derive(Clone, Default)]
struct Files(Arc<Vec<(String, Vec<u8>)>>);

impl Files {
    fn get(&self, path: &str) -> Option<&[u8]> {
        self.0
            .iter()
            .find(|file| file.0 == path)
            .map(|file| &*file.1)
    }
}

impl ImportSource for Files {
    fn read(&self, path: &str) -> Result<String, String> {
        let bytes = self.get(path).ok_or("there is no such file")?;
        String::from_utf8(bytes.to_vec()).map_err(|_| "it is no text".to_string())
    }
}

impl TileSource for Files {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.get(path).map(<[u8]>::to_vec))
    }

    fn places(&self) -> String {
        "the files of the engine".to_string()
    }
}

/// Compiles programs. All that they may use is given when it is made.
#[pyclass(frozen)]
struct Engine {
    engine: ndscript::Engine,
    tiles: Tiles,
    raised: Raised,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(
        limits: &Bound<'_, PyDict>,
        files: Vec<(String, Vec<u8>)>,
        functions: Vec<(String, Py<PyAny>, u32, Option<u32>)>,
    ) -> PyResult<Engine> {
        let files = Files(Arc::new(files));
        let tiles = Tiles::new(files.clone());
        let started = Instant::now();
        let raised = Raised::default();
        let mut engine = ndscript::Engine::new()
            .with_limits(limits_of(limits)?)
            .with_imports(files)
            .with_tiles(tiles.clone())
            .with_clock(move || started.elapsed());
        for (name, function, least, most) in functions {
            let callback = Callback {
                function,
                raised: raised.clone(),
            };
            engine = engine
                .with_function(&name, move |arguments: Rest<Data>| {
                    callback.call(&arguments)
                })
                .with_arity(least, most);
        }
        Ok(Engine {
            engine,
            tiles,
            raised,
        })
    }

    fn compile(&self, py: Python<'_>, name: &str, text: &str) -> PyResult<Program> {
        match py.detach(|| self.engine.compile_named(name, text)) {
            Ok(program) => Ok(Program {
                program,
                tiles: self.tiles.clone(),
                raised: self.raised.clone(),
            }),
            Err(error) => {
                let diagnostics = messages(py, &error.diagnostics, &error.sources)?;
                Err(raise(
                    py,
                    "CompileError",
                    error.to_string(),
                    diagnostics.into_any(),
                ))
            }
        }
    }

    fn check(&self, py: Python<'_>, name: &str, text: &str) -> PyResult<Py<PyAny>> {
        let check = self.engine.check_named(name, text);
        Ok(messages(py, &check.diagnostics, &check.sources)?
            .into_any()
            .unbind())
    }

    fn restore(&self, program: &Program, saved: &[u8]) -> PyResult<Run> {
        let run = self
            .engine
            .restore(&program.program, saved)
            .map_err(|why| PyValueError::new_err(why.to_string()))?;
        Ok(Run::new(run, self.tiles.clone(), self.raised.clone()))
    }
}

fn limits_of(given: &Bound<'_, PyDict>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    for (name, value) in given.iter() {
        let name: String = name.extract()?;
        match &*name {
            "steps" => limits.steps = value.extract()?,
            "memory" => limits.memory = value.extract()?,
            "depth" => limits.depth = value.extract()?,
            "output" => limits.output = value.extract()?,
            "pictures" => limits.pictures = value.extract()?,
            "picture_cells" => limits.picture_cells = value.extract()?,
            "source" => limits.source = value.extract()?,
            "seconds" => {
                let seconds = Duration::try_from_secs_f64(value.extract()?);
                limits.time = seconds.map_err(|why| PyValueError::new_err(why.to_string()))?;
            }
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no limit {other:?}"
                )));
            }
        }
    }
    Ok(limits)
}

/// A compiled program.
#[pyclass(frozen)]
struct Program {
    program: ndscript::Program,
    tiles: Tiles,
    raised: Raised,
}

#[pymethods]
impl Program {
    fn run(&self, seed: u64, parameters: &Bound<'_, PyDict>) -> PyResult<Run> {
        let mut given: Vec<(String, _)> = Vec::new();
        for (name, value) in parameters.iter() {
            given.push((name.extract()?, value::parameter(&value)?));
        }
        let names = given.iter().map(|(name, _)| name.as_str());
        let unknown = self.program.unknown_parameters(names);
        if !unknown.is_empty() {
            return Err(PyTypeError::new_err(unknown.join("\n")));
        }
        let run = self.program.run_with(seed, &given);
        Ok(Run::new(run, self.tiles.clone(), self.raised.clone()))
    }

    fn parameters(&self) -> Option<Vec<String>> {
        Some(self.program.parameters()?.map(str::to_string).collect())
    }

    fn warnings(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(
            messages(py, self.program.warnings(), self.program.sources())?
                .into_any()
                .unbind(),
        )
    }
}

#[pymodule]
mod _ndscript {
    #[pymodule_export]
    use super::Engine;
    #[pymodule_export]
    use super::Program;
    #[pymodule_export]
    use crate::run::Picture;
    #[pymodule_export]
    use crate::run::Run;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
