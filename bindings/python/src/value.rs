//! Values of the language as values of Python, and back. The classes are those of `ndscript/_values.py`.

use ndscript::{Data, GridData, Param, PriorityQueueData};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyModule, PySet, PyString, PyTuple,
};

/// Deeper than any value of the language.
const DEEPEST: usize = 128;

/// The module with the classes of values and errors.
pub fn classes(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("ndscript._values")
}

/// A value of Python. [`Data`] is nested 128 deep at most, so this may recurse.
pub fn to_python<'py>(py: Python<'py>, data: &Data) -> PyResult<Bound<'py, PyAny>> {
    Maker {
        classes: classes(py)?,
        py,
    }
    .value(data, false)
}

struct Maker<'py> {
    py: Python<'py>,
    classes: Bound<'py, PyModule>,
}

impl<'py> Maker<'py> {
    /// What lies in a set is frozen, so that Python can hash it.
    fn value(&self, data: &Data, frozen: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let class = |name: &str| self.classes.getattr(name);
        Ok(match data {
            Data::Null | Data::Elided => py.None().into_bound(py),
            Data::Boolean(value) => PyBool::new(py, *value).to_owned().into_any(),
            Data::Integer(value) => value.into_pyobject(py)?.into_any(),
            Data::Float(value) => PyFloat::new(py, *value).into_any(),
            Data::Text(text) => PyString::new(py, text).into_any(),
            Data::Position(x, y) => class("Position")?.call1((*x, *y))?,
            Data::Array(parts) if frozen => self.tuple(parts)?.into_any(),
            Data::Array(parts) => self.list(parts)?.into_any(),
            Data::Queue(parts) => class("Queue")?.call1((self.tuple(parts)?,))?,
            Data::PriorityQueue(queue) => {
                let mut all = Vec::new();
                for (element, priority) in queue.elements().iter().zip(queue.priorities()) {
                    let priority = self.value(&Data::from(*priority), true)?;
                    all.push((self.value(element, true)?, priority));
                }
                class("PriorityQueue")?.call1((all,))?
            }
            Data::Set(parts) => PyFrozenSet::new(py, self.tuple(parts)?)?.into_any(),
            Data::Relation(pairs) => {
                let mut all = Vec::new();
                for (a, b) in pairs.iter() {
                    all.push((self.value(a, true)?, self.value(b, true)?));
                }
                class("Relation")?.call1((all,))?
            }
            Data::Grid(grid) => {
                let cells = if frozen {
                    self.tuple(grid.cells())?.into_any()
                } else {
                    self.list(grid.cells())?.into_any()
                };
                class("Grid")?.call1((grid.width(), grid.height(), cells))?
            }
            Data::Object(fields) if frozen => {
                let mut all = Vec::new();
                for (name, value) in fields.iter() {
                    all.push((&**name, self.value(value, true)?));
                }
                class("FrozenObject")?.call1((all,))?
            }
            Data::Object(fields) => {
                let dict = PyDict::new(py);
                for (name, value) in fields.iter() {
                    dict.set_item(&**name, self.value(value, false)?)?;
                }
                dict.into_any()
            }
            Data::Function(name) => class("Function")?.call1((&**name,))?,
            other => PyString::new(py, &other.to_string()).into_any(),
        })
    }

    fn list(&self, parts: &[Data]) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(self.py);
        for part in parts {
            list.append(self.value(part, false)?)?;
        }
        Ok(list)
    }

    fn tuple(&self, parts: &[Data]) -> PyResult<Bound<'py, PyTuple>> {
        let parts: PyResult<Vec<_>> = parts.iter().map(|part| self.value(part, true)).collect();
        PyTuple::new(self.py, parts?)
    }
}

/// A value of the language.
pub fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Data> {
    Reader {
        classes: classes(value.py())?,
    }
    .data(value, 0)
}

pub fn parameter(value: &Bound<'_, PyAny>) -> PyResult<Param> {
    Ok(match from_python(value)? {
        Data::Boolean(value) => Param::Boolean(value),
        Data::Integer(value) => Param::Number(value as f64),
        Data::Float(value) => Param::Number(value),
        Data::Text(text) => Param::Text(text.to_string()),
        other => Param::Data(other),
    })
}

struct Reader<'py> {
    classes: Bound<'py, PyModule>,
}

impl<'py> Reader<'py> {
    fn data(&self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Data> {
        if depth > DEEPEST {
            return Err(PyValueError::new_err(
                "a value is nested too deep, or inside itself",
            ));
        }
        let is = |name: &str| value.is_instance(&self.classes.getattr(name)?);
        let parts = || -> PyResult<Vec<Data>> {
            value
                .try_iter()?
                .map(|part| self.data(&part?, depth + 1))
                .collect()
        };
        if value.is_none() {
            return Ok(Data::Null);
        }
        if value.is_instance_of::<PyBool>() {
            return Ok(value.extract::<bool>()?.into());
        }
        if value.is_instance_of::<PyInt>() {
            let integer = value.extract::<i64>();
            return integer.map(Data::from).map_err(|_| {
                PyValueError::new_err(format!("{value} is beyond the integers of the language"))
            });
        }
        if value.is_instance_of::<PyFloat>() {
            return Ok(value.extract::<f64>()?.into());
        }
        if value.is_instance_of::<PyString>() {
            return Ok(value.extract::<String>()?.into());
        }
        if is("Position")? {
            let (x, y) = value.extract()?;
            return Ok(Data::Position(x, y));
        }
        if is("Grid")? {
            let width: usize = value.getattr("width")?.extract()?;
            let cells = self.data(&value.getattr("cells")?, depth)?;
            let grid = GridData::new(width, cells.elements().to_vec());
            return grid.map(Data::from).ok_or_else(|| {
                PyValueError::new_err("the cells of a grid have to be width times height")
            });
        }
        if is("Queue")? {
            return Ok(Data::Queue(parts()?.into()));
        }
        if is("PriorityQueue")? {
            let entry = |entry: Data| match entry.elements() {
                [element, priority] => Some((element.clone(), priority.as_f64()?)),
                _ => None,
            };
            let entries: Option<Vec<(Data, f64)>> = parts()?.into_iter().map(entry).collect();
            let entries = entries.ok_or_else(|| {
                PyValueError::new_err("a priority queue holds pairs of an element and a number")
            })?;
            return Ok(Data::PriorityQueue(PriorityQueueData::new(entries).into()));
        }
        if is("Relation")? {
            let pair = |pair: Data| match pair.elements() {
                [a, b] => Ok((a.clone(), b.clone())),
                _ => Err(PyValueError::new_err("a relation holds pairs")),
            };
            let pairs: PyResult<Vec<(Data, Data)>> = parts()?.into_iter().map(pair).collect();
            return Ok(Data::Relation(pairs?.into()));
        }
        if is("FrozenObject")? {
            return self.object(&value.py().get_type::<PyDict>().call1((value,))?, depth);
        }
        if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
            return Ok(Data::Set(parts()?.into()));
        }
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            return Ok(Data::Array(parts()?.into()));
        }
        if value.is_instance_of::<PyDict>() {
            return self.object(value, depth);
        }
        // Arrays and numbers of numpy.
        if value.hasattr("tolist")? {
            return self.data(&value.call_method0("tolist")?, depth + 1);
        }
        let kind = value.get_type();
        Err(PyTypeError::new_err(format!(
            "a value of {} is none of the language",
            kind.name()?
        )))
    }

    fn object(&self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Data> {
        let mut fields = Vec::new();
        for (name, field) in value.cast::<PyDict>()?.iter() {
            let name: String = name.extract().map_err(|_| {
                PyTypeError::new_err(format!("the keys of an object are texts, not {name}"))
            })?;
            fields.push((name.into(), self.data(&field, depth + 1)?));
        }
        Ok(Data::Object(fields.into()))
    }
}
