//! Places of a program: variables, and the parts of what they hold.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use ndscript::Kind;
use ndscript::{Moment, Target};
use ndscript::{Run, View};

/// A place that a program writes to: a variable, or an element, a field or a cell of what it holds.
///
/// ```
/// use ndscript_timeline::Place;
/// let place: Place = "maps[1].cells[3, 4]".parse()?;
/// assert_eq!(place.to_string(), "maps[1].cells[3, 4]");
/// assert!("3 + 4".parse::<Place>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub variable: String,
    /// The path from the variable to the place.
    pub path: Vec<Key>,
}

/// A part of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A field of an object.
    Field(String),
    /// An element of an array.
    Index(i64),
    /// A cell of a grid: column and row.
    Cell(i64, i64),
}

/// The variable that a name means where a run stands: one of a call, counted from the innermost one, or else a global one.
///
/// ```
/// let program = ndscript::Engine::new().compile("let n = 3;")?;
/// let mut run = program.run(1);
/// run.next();
/// assert_eq!(ndscript_timeline::variable(&run, Some(0), "n").unwrap().as_i64(), Some(3));
/// # Ok::<(), ndscript::CompileError>(())
/// ```
pub fn variable<'r>(run: &'r Run, call: Option<usize>, name: &str) -> Option<View<'r>> {
    let own = call.and_then(|call| {
        let calls = run.calls(call.saturating_add(1));
        let mut variables = calls.get(call)?.variables.iter();
        let found = variables.find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    });
    own.or_else(|| run.view_global(name))
}

impl Key {
    /// The key that a value is, if it is one.
    pub fn of(view: View<'_>) -> Option<Key> {
        if let Some((x, y)) = view.as_position() {
            return Some(Key::Cell(x, y));
        }
        view.as_i64()
            .map(Key::Index)
            .or_else(|| Some(Key::Field(view.as_str()?.to_string())))
    }

    /// Whether a value is this key.
    pub fn is(&self, view: View<'_>) -> bool {
        match self {
            Key::Field(name) => view.as_str() == Some(name),
            // The keys of objects are strings.
            Key::Index(index) => {
                view.as_i64() == Some(*index)
                    || view.as_str().is_some_and(|text| text == index.to_string())
            }
            Key::Cell(x, y) => view.as_position() == Some((*x, *y)),
        }
    }

    /// The number of the place of a collection that this is.
    pub(crate) fn number_in(&self, collection: View<'_>) -> Option<usize> {
        let field = |name: &str| collection.fields().position(|(known, _)| *known == *name);
        match self {
            Key::Field(name) => field(name),
            Key::Index(index) if collection.kind() == Kind::Object => field(&index.to_string()),
            Key::Index(index) => usize::try_from(*index).ok(),
            Key::Cell(x, y) => {
                Some(usize::try_from(*y).ok()? * collection.width() + usize::try_from(*x).ok()?)
            }
        }
    }

    /// The value of the place in a collection.
    pub fn of_collection<'a>(&self, collection: View<'a>) -> Option<View<'a>> {
        match self {
            Key::Field(name) => collection.field(name),
            Key::Index(index) => {
                let found = usize::try_from(*index)
                    .ok()
                    .and_then(|index| collection.get(index));
                found.or_else(|| collection.field(&index.to_string()))
            }
            Key::Cell(x, y) => {
                collection.cell(usize::try_from(*x).ok()?, usize::try_from(*y).ok()?)
            }
        }
    }
}

impl Place {
    /// The value of the place, if its variable holds `value`.
    pub fn follow<'a>(&self, mut value: View<'a>) -> Option<View<'a>> {
        for key in &self.path {
            value = key.of_collection(value)?;
        }
        Some(value)
    }

    /// The value of the place at an event.
    pub fn value<'a>(&self, moment: &Moment<'a>) -> Option<View<'a>> {
        self.follow(moment.variable(&self.variable)?)
    }

    /// Whether a write to a target changes what the place holds.
    pub fn is_changed(&self, moment: &Moment<'_>, target: &Target<'_>) -> bool {
        match target {
            Target::Variable(name) => *name == self.variable,
            Target::Part(collection, key) => {
                let leads_there = |(at, step): (usize, &Key)| {
                    step.is(*key)
                        && self
                            .prefix(moment, at)
                            .is_some_and(|value| value.is_same(*collection))
                };
                self.path.iter().enumerate().any(leads_there)
            }
            Target::Whole(collection) => (0..=self.path.len()).any(|at| {
                self.prefix(moment, at)
                    .is_some_and(|value| value.is_same(*collection))
            }),
        }
    }

    /// Whether a write to a target changes what the place holds, or the inside of the collection that it holds.
    pub fn is_changed_inside(&self, moment: &Moment<'_>, target: &Target<'_>) -> bool {
        let is_inside = match target {
            Target::Part(collection, _) if self.may_hold_collection() => self
                .value(moment)
                .is_some_and(|value| value.is_same(*collection)),
            _ => false,
        };
        is_inside || self.is_changed(moment, target)
    }

    /// Whether it is worth looking into: cells hold what is chosen.
    pub fn may_hold_collection(&self) -> bool {
        !matches!(self.path.last(), Some(Key::Cell(..)))
    }

    /// The value after the first steps of the path.
    fn prefix<'a>(&self, moment: &Moment<'a>, steps: usize) -> Option<View<'a>> {
        self.path[..steps]
            .iter()
            .try_fold(moment.variable(&self.variable)?, |value, key| {
                key.of_collection(value)
            })
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.variable)?;
        for key in &self.path {
            match key {
                Key::Field(name) => write!(f, ".{name}")?,
                Key::Index(index) => write!(f, "[{index}]")?,
                Key::Cell(x, y) => write!(f, "[{x}, {y}]")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let wrong = || {
            format!(
                "`{text}` is not a place: write a variable, or a part of one, such as `g[3,4]`, `list[2]` or \
                 `o.name`"
            )
        };
        let is_name = |name: &str| {
            !name.starts_with(|first: char| first.is_ascii_digit())
                && !name.is_empty()
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let text = text.trim();
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (variable, mut rest) = (text[..end].trim_end(), &text[end..]);
        if !is_name(variable) {
            return Err(wrong());
        }
        let mut path = Vec::new();
        while !rest.is_empty() {
            if let Some(field) = rest.strip_prefix('.') {
                let end = field.find(['.', '[']).unwrap_or(field.len());
                let name = field[..end].trim();
                if !is_name(name) {
                    return Err(wrong());
                }
                path.push(Key::Field(name.to_string()));
                rest = &field[end..];
                continue;
            }
            let inside = rest.strip_prefix('[').ok_or_else(wrong)?;
            let end = inside.find(']').ok_or_else(wrong)?;
            let key = inside[..end].trim();
            let quoted = ['"', '\'']
                .iter()
                .find_map(|quote| key.strip_prefix(*quote)?.strip_suffix(*quote));
            path.push(match (quoted, key.split_once(',')) {
                (Some(name), _) => Key::Field(name.to_string()),
                (None, Some((x, y))) => match (x.trim().parse(), y.trim().parse()) {
                    (Ok(x), Ok(y)) => Key::Cell(x, y),
                    _ => return Err(wrong()),
                },
                (None, None) => Key::Index(key.parse().map_err(|_| wrong())?),
            });
            rest = inside[end + 1..].trim_start();
        }
        Ok(Place {
            variable: variable.to_string(),
            path,
        })
    }
}
