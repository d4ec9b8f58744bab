//! Runs, and the pictures that they draw.

use std::sync::{Arc, Mutex, MutexGuard};

use ndscript::picture::Picture as Described;
use ndscript::render::{RenderOptions, draw_svg, draw_to_fit};
use ndscript::tiles::Tiles;
use ndscript::{
    CallOutcome, CancelToken, LimitReached, Outcome, PlacedPicture, Question, ScriptError,
};
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::function::Raised;
use crate::lock;
use crate::message::{message, raise};
use crate::value::{from_python, to_python};

/// Between two looks at signals a run goes on for so many steps: some milliseconds.
const SLICE: u64 = 200_000;

/// A search.
#[pyclass(frozen)]
pub struct Run {
    run: Mutex<ndscript::Run>,
    token: CancelToken,
    tiles: Tiles,
    raised: Raised,
}

impl Run {
    pub fn new(run: ndscript::Run, tiles: Tiles, raised: Raised) -> Run {
        Run {
            token: run.cancel_token(),
            run: Mutex::new(run),
            tiles,
            raised,
        }
    }

    /// The run, unless a function of Python that it calls, or another thread, is in the middle of it.
    fn lock(&self) -> PyResult<MutexGuard<'_, ndscript::Run>> {
        self.run.try_lock().map_err(|_| {
            PyRuntimeError::new_err(
                "the run is busy: it is being resumed, here or in another thread",
            )
        })
    }

    fn pictures<'py>(
        &self,
        py: Python<'py>,
        pictures: &[PlacedPicture],
    ) -> PyResult<Bound<'py, PyTuple>> {
        let picture = |(_, described): &PlacedPicture| Picture {
            described: described.clone(),
            tiles: self.tiles.clone(),
        };
        let made: PyResult<Vec<_>> = pictures
            .iter()
            .map(|placed| Py::new(py, picture(placed)))
            .collect();
        PyTuple::new(py, made?)
    }

    fn question<'py>(&self, py: Python<'py>, asked: &Question) -> PyResult<Bound<'py, PyAny>> {
        let pictures = self.pictures(py, &asked.pictures)?;
        let about = (
            asked.prompt.as_str(),
            asked.options.clone(),
            asked.text.as_str(),
            pictures,
        );
        Ok(about.into_pyobject(py)?.into_any())
    }

    /// The error of a script; where Python has raised it, that is its cause. An interrupt stays one.
    fn script_error(&self, py: Python<'_>, error: &ScriptError, run: &ndscript::Run) -> PyErr {
        let cause = lock(&self.raised).take();
        if let Some(cause) = &cause
            && cause.is_instance_of::<PyKeyboardInterrupt>(py)
        {
            return cause.clone_ref(py);
        }
        let sources = run.program().sources();
        match message(py, &error.diagnostic, sources) {
            Ok(about) => {
                let words = error.diagnostic.render(sources, false);
                let raised = raise(py, "ScriptError", words, about.into_any());
                raised.set_cause(py, cause);
                raised
            }
            Err(error) => error,
        }
    }

    fn limit(&self, py: Python<'_>, reached: LimitReached) -> PyErr {
        let words = reached.to_string();
        let words = words
            .split(": raise")
            .next()
            .unwrap_or_default()
            .to_string();
        let name = pyo3::types::PyString::new(py, reached.name());
        raise(py, "LimitError", words, name.into_any())
    }
}

#[pymethods]
impl Run {
    /// Goes on for so many steps: the word for what has happened, and what belongs to it. Looks at signals.
    fn resume<'py>(
        &self,
        py: Python<'py>,
        fuel: u64,
        keeps_globals: bool,
    ) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
        let mut guard = self.lock()?;
        // The run itself may go on without the interpreter's lock; the guard stays with this thread.
        let run = &mut *guard;
        run.keep_globals(keeps_globals);
        let none = || py.None().into_bound(py);
        let mut left = fuel;
        loop {
            let slice = left.min(SLICE);
            *lock(&self.raised) = None;
            let outcome = py.detach(|| run.resume(slice));
            left -= slice;
            return match outcome {
                Outcome::Solved(solution) => {
                    let globals = PyDict::new(py);
                    for (name, value) in solution.globals.iter() {
                        globals.set_item(name, to_python(py, value)?)?;
                    }
                    let value = to_python(py, &solution.value)?;
                    let pictures = self.pictures(py, &solution.pictures)?;
                    let about = (solution.text.as_str(), value, globals, pictures);
                    Ok(("solved", about.into_pyobject(py)?.into_any()))
                }
                // No function of Python waits.
                Outcome::OutOfFuel | Outcome::Waiting(_) => {
                    py.check_signals()?;
                    if left > 0 {
                        continue;
                    }
                    Ok(("out_of_fuel", none()))
                }
                Outcome::Asked(question) => Ok(("asked", self.question(py, &question)?)),
                Outcome::Failed => {
                    let said = run.failure_message().map(str::to_string);
                    Ok(("failed", said.into_pyobject(py)?.into_any()))
                }
                Outcome::Error(error) => Err(self.script_error(py, &error, run)),
                Outcome::Limit(reached) => Err(self.limit(py, reached)),
            };
        }
    }

    fn answer(&self, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut run = self.lock()?;
        let fits = match answer.extract::<usize>() {
            Ok(option) => run.answer(option),
            Err(_) => run.answer_text(&answer.extract::<String>()?),
        };
        if fits {
            return Ok(());
        }
        Err(PyValueError::new_err("the question has no such answer"))
    }

    /// Calls a function of the script for its first result, whose effects stay; `None` if there is none.
    fn call<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let arguments: PyResult<Vec<_>> =
            arguments.iter().map(|value| from_python(&value)).collect();
        let arguments = arguments?;
        let mut guard = self.lock()?;
        let run = &mut *guard;
        *lock(&self.raised) = None;
        run.begin_call(name, arguments)
            .map_err(|why| PyValueError::new_err(why.to_string()))?;
        loop {
            let error = match py.detach(|| run.resume_call(SLICE)) {
                CallOutcome::Returned(value) => {
                    let data = run
                        .data(&value)
                        .map_err(|why| PyValueError::new_err(why.to_string()))?;
                    run.end_call();
                    return to_python(py, &data).map(Some);
                }
                CallOutcome::Failed => return Ok(None),
                CallOutcome::OutOfFuel | CallOutcome::Waiting(_) => match py.check_signals() {
                    Ok(()) => continue,
                    Err(error) => error,
                },
                CallOutcome::Error(error) => self.script_error(py, &error, run),
                CallOutcome::Limit(reached) => self.limit(py, reached),
                CallOutcome::Asked(question) => {
                    let about = self.question(py, &question)?;
                    raise(py, "QuestionError", question.prompt.clone(), about)
                }
            };
            run.undo_call();
            return Err(error);
        }
    }

    fn global_value<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let run = self.lock()?;
        let view = run.view_global(name);
        let view = view.ok_or_else(|| {
            PyKeyError::new_err(format!("there is no variable `{name}` with a value"))
        })?;
        to_python(py, &view.data())
    }

    fn set_global(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = from_python(value)?;
        let set = self.lock()?.set_global(name, value);
        set.map_err(|why| PyValueError::new_err(why.to_string()))
    }

    fn fork(&self) -> PyResult<Run> {
        let fork = self
            .lock()?
            .fork()
            .map_err(|why| PyValueError::new_err(why.to_string()))?;
        Ok(Run::new(fork, self.tiles.clone(), self.raised.clone()))
    }

    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self
            .lock()?
            .save()
            .map_err(|why| PyValueError::new_err(why.to_string()))?;
        Ok(PyBytes::new(py, &saved))
    }

    fn steps(&self) -> PyResult<u64> {
        Ok(self.lock()?.statistics().steps)
    }

    fn cancel(&self) {
        self.token.cancel();
    }
}

/// A picture that a program has printed.
#[pyclass(frozen)]
pub struct Picture {
    described: Arc<Described>,
    tiles: Tiles,
}

#[pymethods]
impl Picture {
    fn png<'py>(&self, py: Python<'py>, tile_size: Option<u32>) -> PyResult<Bound<'py, PyBytes>> {
        let options = RenderOptions {
            tile_size,
            ..RenderOptions::default()
        };
        let drawn = py.detach(|| {
            draw_to_fit(&self.described, &self.tiles, &options).map(|(canvas, _)| canvas.to_png())
        });
        let png = drawn
            .map_err(|why| PyValueError::new_err(format!("cannot draw the picture: {why}")))?;
        Ok(PyBytes::new(py, &png))
    }

    fn svg(&self) -> PyResult<String> {
        draw_svg(&self.described, &self.tiles, &RenderOptions::default())
            .map_err(|why| PyValueError::new_err(format!("cannot draw the picture: {why}")))
    }

    fn in_words(&self) -> String {
        self.described.in_words()
    }
}
