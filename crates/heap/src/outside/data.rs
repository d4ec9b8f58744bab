//! Values outside of any run.

use std::fmt::{self, Display, Formatter, Write};
use std::sync::Arc;

use super::parts::Parts;
use crate::value::MAX_INTEGER;
use crate::walks::quoting::{key_or_quoted, quote};

/// Collections in [`Data`] are nested at most this deep.
pub const MAX_DEPTH: usize = 128;

/// A value of the language as it was at some moment, outside of any run: a tree that can be stored, compared, sent to
/// other threads and matched with `match`.
///
/// Its `Display` text is what `print` shows.
///
/// ```
/// use ndscript::{Data, Engine};
/// let program = Engine::new().compile("return {name: \"rope\", prices: [1, 2.5]};")?;
/// let value = program.run(1).next().unwrap().unwrap().value;
/// assert_eq!(value.to_string(), "{name: \"rope\", prices: [1, 2.5]}");
/// assert_eq!(value.field("name").and_then(Data::as_str), Some("rope"));
/// assert_eq!(value.field("prices"), Some(&Data::from(vec![1.0, 2.5])));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Data {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number without fraction between -(2^53 - 1) and 2^53 - 1.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Arc<str>),
    /// A position: column and row.
    Position(i64, i64),
    /// The elements of an array.
    Array(Parts<Data>),
    /// The elements of a set, in the order of sets.
    Set(Parts<Data>),
    /// The pairs of a relation, in the order of sets.
    Relation(Parts<(Data, Data)>),
    /// A grid.
    Grid(Arc<GridData>),
    /// The fields of an object, in order.
    Object(Parts<(Arc<str>, Data)>),
    /// The elements of a queue, in the order in which they will be taken.
    Queue(Parts<Data>),
    /// A queue with priorities.
    PriorityQueue(Arc<PriorityQueueData>),
    /// A function, by its name; the name of a function value is empty.
    Function(Arc<str>),
    /// A value of a type of the host, by the name of the type and as text; see `HostType::data_by` for others.
    ///
    Host(Arc<str>, Arc<str>),
    /// Left out: a collection inside itself, nested more than 128 deep, or beyond two million parts in all (fewer
    /// where memory is limited to less than 800 MB). Shown as `...`.
    Elided,
}

/// A grid outside of any run.
#[derive(Clone, Debug, PartialEq)]
pub struct GridData {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) cells: Parts<Data>,
}

/// A queue with priorities outside of any run.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityQueueData {
    pub(crate) elements: Parts<Data>,
    pub(crate) priorities: Vec<f64>,
}

impl PriorityQueueData {
    /// A queue of elements with their priorities. The least one comes first, and equal ones in this order.
    ///
    /// ```
    /// use ndscript::{Data, PriorityQueueData};
    /// let queue = PriorityQueueData::new(vec![("late".into(), 5.0), ("soon".into(), 1.5)]);
    /// assert_eq!(queue.elements(), [Data::from("soon"), Data::from("late")]);
    /// assert_eq!(queue.priorities(), [1.5, 5.0]);
    /// ```
    pub fn new(mut entries: Vec<(Data, f64)>) -> PriorityQueueData {
        entries.sort_by(|one, other| one.1.total_cmp(&other.1));
        let (elements, priorities): (Vec<Data>, Vec<f64>) = entries.into_iter().unzip();
        PriorityQueueData {
            elements: elements.into(),
            priorities,
        }
    }

    /// The elements, in the order in which they will be taken.
    pub fn elements(&self) -> &[Data] {
        &self.elements
    }

    /// Their priorities.
    pub fn priorities(&self) -> &[f64] {
        &self.priorities
    }
}

impl GridData {
    /// A grid with its cells row by row; `None` unless they fill a number of rows of that width.
    ///
    /// ```
    /// use ndscript::{Data, GridData};
    /// let grid = GridData::new(2, vec![1.into(), 2.into(), 3.into(), 4.into()]).unwrap();
    /// assert_eq!(grid.height(), 2);
    /// assert_eq!(grid.cell(0, 1), Some(&Data::from(3)));
    /// assert_eq!(GridData::new(2, vec![1.into()]), None);
    /// ```
    pub fn new(width: usize, cells: Vec<Data>) -> Option<GridData> {
        let height = cells.len().checked_div(width).unwrap_or(0);
        let fits = width * height == cells.len();
        let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
        fits.then(|| GridData {
            width,
            height,
            cells: cells.into(),
        })
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.height as usize
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[Data] {
        &self.cells
    }

    /// The cell in a column and a row, both counted from 0.
    pub fn cell(&self, x: usize, y: usize) -> Option<&Data> {
        if x < self.width() && y < self.height() {
            self.cells.get(y * self.width() + x)
        } else {
            None
        }
    }
}

impl Data {
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        *self == Data::Null
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Data::Boolean(boolean) = self {
            Some(*boolean)
        } else {
            None
        }
    }

    /// The number, if it is one without fraction.
    pub fn as_i64(&self) -> Option<i64> {
        if let Data::Integer(integer) = self {
            Some(*integer)
        } else {
            None
        }
    }

    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Data::Integer(integer) => Some(*integer as f64),
            Data::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Data::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// Column and row, if it is a position.
    pub fn as_position(&self) -> Option<(i64, i64)> {
        if let Data::Position(x, y) = self {
            Some((*x, *y))
        } else {
            None
        }
    }

    /// The elements of an array, a set or a queue; none of anything else.
    pub fn elements(&self) -> &[Data] {
        match self {
            Data::Array(elements) | Data::Set(elements) | Data::Queue(elements) => elements,
            Data::PriorityQueue(queue) => &queue.elements,
            _ => &[],
        }
    }

    /// The fields of an object; none of anything else.
    pub fn fields(&self) -> &[(Arc<str>, Data)] {
        if let Data::Object(fields) = self {
            fields
        } else {
            &[]
        }
    }

    /// The field of an object.
    pub fn field(&self, name: &str) -> Option<&Data> {
        self.fields()
            .iter()
            .find(|field| &*field.0 == name)
            .map(|field| &field.1)
    }

    /// The grid, if it is one.
    pub fn as_grid(&self) -> Option<&GridData> {
        if let Data::Grid(grid) = self {
            Some(grid)
        } else {
            None
        }
    }

    /// An object with these fields.
    ///
    /// ```
    /// let rope = ndscript::Data::object([("name", "rope".into()), ("price", 1.5.into())]);
    /// assert_eq!(rope.to_string(), "{name: \"rope\", price: 1.5}");
    /// ```
    pub fn object<'n>(fields: impl IntoIterator<Item = (&'n str, Data)>) -> Data {
        Data::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
        )
    }

    fn show_inside(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Data::Text(text) => {
                let mut quoted = String::with_capacity(text.len() + 2);
                quote(text, &mut quoted);
                out.write_str(&quoted)
            }
            other => other.fmt(out),
        }
    }
}

fn show_list(begin: &str, elements: &[Data], end: char, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_str(begin)?;
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        element.show_inside(out)?;
    }
    out.write_char(end)
}

impl Display for Data {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Data::Null => out.write_str("null"),
            Data::Boolean(boolean) => write!(out, "{boolean}"),
            Data::Integer(integer) => write!(out, "{integer}"),
            Data::Float(float) => out.write_str(ryu_js::Buffer::new().format(*float)),
            Data::Text(text) => out.write_str(text),
            Data::Position(x, y) => write!(out, "({x},{y})"),
            Data::Array(elements) => show_list("[", elements, ']', out),
            Data::Set(elements) => show_list("{", elements, '}', out),
            Data::Queue(elements) => show_list("queue [", elements, ']', out),
            Data::PriorityQueue(queue) => show_list("queue [", &queue.elements, ']', out),
            Data::Relation(_) => out.write_str("relation"),
            Data::Grid(grid) => write!(out, "grid {}x{}", grid.width, grid.height),
            Data::Object(fields) => {
                out.write_char('{')?;
                for (at, (name, value)) in fields.iter().enumerate() {
                    let mut key = String::new();
                    key_or_quoted(name, &mut key);
                    let separator = if at > 0 { ", " } else { "" };
                    write!(out, "{separator}{key}: ")?;
                    value.show_inside(out)?;
                }
                out.write_char('}')
            }
            Data::Function(name) if name.is_empty() => out.write_str("function"),
            Data::Function(name) => write!(out, "function {name}"),
            Data::Host(_, text) => out.write_str(text),
            Data::Elided => out.write_str("..."),
        }
    }
}

impl From<()> for Data {
    fn from((): ()) -> Data {
        Data::Null
    }
}

impl From<bool> for Data {
    fn from(boolean: bool) -> Data {
        Data::Boolean(boolean)
    }
}

impl From<i32> for Data {
    fn from(integer: i32) -> Data {
        Data::Integer(integer.into())
    }
}

/// An integer beyond the language's becomes a [`Data::Integer`] that no run takes.
impl From<i64> for Data {
    fn from(integer: i64) -> Data {
        Data::Integer(integer)
    }
}

impl From<f64> for Data {
    fn from(float: f64) -> Data {
        let whole = float as i64;
        if whole as f64 == float && whole.unsigned_abs() <= MAX_INTEGER as u64 {
            Data::Integer(whole)
        } else {
            Data::Float(float)
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Data {
        Data::Text(text.into())
    }
}

impl From<String> for Data {
    fn from(text: String) -> Data {
        Data::Text(text.into())
    }
}

impl From<GridData> for Data {
    fn from(grid: GridData) -> Data {
        Data::Grid(Arc::new(grid))
    }
}

impl<T: Into<Data>> From<Vec<T>> for Data {
    fn from(elements: Vec<T>) -> Data {
        Data::Array(elements.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Data>> From<Option<T>> for Data {
    fn from(value: Option<T>) -> Data {
        value.map_or(Data::Null, Into::into)
    }
}
