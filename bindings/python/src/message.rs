//! Messages for people, as dicts.

use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::source::{Sources, Span};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::value::classes;

/// A message with its place; lines and columns count from 1.
pub fn message<'py>(
    py: Python<'py>,
    diagnostic: &Diagnostic,
    sources: &Sources,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    dict.set_item("severity", severity)?;
    dict.set_item("message", &diagnostic.message)?;
    put_place(&dict, diagnostic.span, sources)?;
    dict.set_item("hints", &diagnostic.hints)?;
    let calls = PyList::empty(py);
    for call in &diagnostic.calls {
        let one = PyDict::new(py);
        one.set_item("text", &call.text)?;
        put_place(&one, call.span, sources)?;
        calls.append(one)?;
    }
    dict.set_item("calls", calls)?;
    dict.set_item("rendered", diagnostic.render(sources, false))?;
    Ok(dict)
}

fn put_place(dict: &Bound<'_, PyDict>, span: Option<Span>, sources: &Sources) -> PyResult<()> {
    if let Some((file, line, column)) = span.and_then(|span| sources.locate(span)) {
        dict.set_item("file", &*file.name)?;
        dict.set_item("line", line)?;
        dict.set_item("column", column)?;
    }
    Ok(())
}

pub fn messages<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
    sources: &Sources,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for diagnostic in diagnostics {
        list.append(message(py, diagnostic, sources)?)?;
    }
    Ok(list)
}

/// An exception of the package, with words and what belongs to it.
pub fn raise(py: Python<'_>, class: &str, words: String, about: Bound<'_, PyAny>) -> PyErr {
    let made = classes(py)
        .and_then(|classes| classes.getattr(class))
        .and_then(|class| class.call1((words, about)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
