//! Functions of Python that scripts call.

use std::sync::{Arc, Mutex};

use ndscript::{Choices, Data, HostAnswer, HostError};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::lock;
use crate::value::{classes, from_python, to_python};

/// What a function of Python has raised: the cause of the script's error.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// A function of Python. It is called in the thread that resumes the run, with the interpreter's lock.
pub struct Callback {
    pub function: Py<PyAny>,
    pub raised: Raised,
}

impl Callback {
    pub fn call(&self, arguments: &[Data]) -> Result<HostAnswer<Data>, HostError> {
        Python::attach(|py| {
            self.answer(py, arguments)
                .map_err(|error| told(py, error, &self.raised))
        })
    }

    /// Alternatives that a function of Python makes by their numbers, until it raises `StopIteration`.
    fn one_by_one(&self, make: Py<PyAny>) -> Choices<Data> {
        let raised = self.raised.clone();
        Choices::try_lazily(move |number| {
            Python::attach(|py| {
                let made = make.bind(py).call1((number,));
                match made.and_then(|made| from_python(&made)) {
                    Ok(made) => Ok(Some(made)),
                    Err(error) if error.is_instance_of::<PyStopIteration>(py) => Ok(None),
                    Err(error) => Err(told(py, error, &raised)),
                }
            })
        })
    }

    fn answer(&self, py: Python<'_>, arguments: &[Data]) -> PyResult<HostAnswer<Data>> {
        let arguments: PyResult<Vec<_>> =
            arguments.iter().map(|data| to_python(py, data)).collect();
        let answer = self
            .function
            .bind(py)
            .call1(PyTuple::new(py, arguments?)?)?;
        if !answer.is_instance(&classes(py)?.getattr("Choices")?)? {
            return Ok(HostAnswer::Value(from_python(&answer)?));
        }
        let alternatives = answer.getattr("alternatives")?;
        if alternatives.is_callable() {
            return Ok(HostAnswer::Choices(self.one_by_one(alternatives.unbind())));
        }
        let alternatives = from_python(&alternatives)?;
        let alternatives = alternatives.elements().to_vec();
        Ok(HostAnswer::Choices(
            match answer.getattr("shuffled")?.extract()? {
                true => Choices::shuffled(alternatives),
                false => Choices::in_order(alternatives),
            },
        ))
    }
}

/// What a function of Python has raised as the error of the script, whose cause it becomes.
fn told(py: Python<'_>, error: PyErr, raised: &Raised) -> HostError {
    let words = error.value(py).to_string();
    let words = if words.is_empty() {
        error.to_string()
    } else {
        words
    };
    *lock(raised) = Some(error);
    HostError::new(words)
}
