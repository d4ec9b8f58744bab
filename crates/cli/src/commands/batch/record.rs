//! A map as a line of JSON.

use std::io::{self, Write};

use ndscript::Data;
use serde_json::{Value, json};

use super::batch_result::{BatchResult, Ending};
use crate::exit::Stop;
use crate::runs::stats::TALLIES;

/// The text and the value of a map may each take this part of the memory of a run, as JSON: shared parts of a value are
/// written wherever they are.
const PART_OF_MEMORY: usize = 16;

/// The bytes that each of them may always take.
const LEAST_BYTES: usize = 1 << 16;

/// The bytes that are written between two looks at the clock.
const BYTES_BETWEEN_CHECKS: usize = 1 << 16;

/// The limits of a line.
pub struct LineLimits<'a> {
    /// Bytes of the text, and of the value.
    bytes: usize,
    /// Asked while a line is written; why it has to end, if so.
    check_stop: &'a dyn Fn() -> Result<(), Stop>,
}

impl<'a> LineLimits<'a> {
    /// The limits of a line for runs with this limit of memory.
    pub fn of(memory: usize, check_stop: &'a dyn Fn() -> Result<(), Stop>) -> LineLimits<'a> {
        LineLimits {
            bytes: (memory / PART_OF_MEMORY).max(LEAST_BYTES),
            check_stop,
        }
    }
}

/// All data of a map, on one line. A text or a value that is too large is left out, and the line says so.
pub fn line(
    result: &BatchResult,
    text: &str,
    value: Option<&Data>,
    allowance: &LineLimits<'_>,
) -> Result<Vec<u8>, Stop> {
    let mut line = Line {
        bytes: vec![b'{'],
        left_out: Vec::new(),
        allowance,
    };
    let figures = &result.figures;
    if let Some(best) = result.best {
        line.add("best", json!(best));
    }
    line.add("choice_points", json!(figures.choice_points));
    let end = match &result.ending {
        Ending::Solved => "solution",
        Ending::NoSolution(_) => "no solution",
        Ending::Error(_) => "error",
        Ending::Stopped(..) => "stopped",
        Ending::Cancelled => "interrupted",
    };
    line.add("end", json!(end));
    line.add("failures", json!(figures.failures));
    let files: Vec<String> = result
        .files
        .iter()
        .map(|(path, _)| path.display().to_string())
        .collect();
    line.add("files", json!(files));
    if !result.is_solved() {
        line.add("message", json!(result.in_words()));
    }
    line.add("seed", json!(result.seed));
    line.add("solved", json!(result.is_solved()));
    line.add("steps", json!(figures.steps));
    if !result.tallies.is_empty() {
        let tallies = result
            .tallies
            .iter()
            .take(TALLIES)
            .map(|(name, amount)| (name.clone(), json!(amount)));
        line.add("tallies", Value::Object(tallies.collect()));
    }
    line.add_large("text", |out| write_text(text, out))?;
    line.add(
        "time",
        json!((result.time.as_secs_f64() * 1e6).round() / 1e6),
    );
    if let Some(value) = value {
        line.add_large("value", |out| write_data(value, out))?;
    }
    if !line.left_out.is_empty() {
        line.add("left_out", json!(line.left_out));
    }
    line.bytes.extend_from_slice(b"}\n");
    Ok(line.bytes)
}

struct Line<'a> {
    bytes: Vec<u8>,
    /// The names of fields that were too large.
    left_out: Vec<&'static str>,
    allowance: &'a LineLimits<'a>,
}

impl Line<'_> {
    fn name(&mut self, name: &str) {
        if self.bytes.len() > 1 {
            self.bytes.push(b',');
        }
        self.bytes
            .extend_from_slice(format!("\"{name}\":").as_bytes());
    }

    fn add(&mut self, name: &'static str, value: Value) {
        self.name(name);
        self.bytes.extend_from_slice(value.to_string().as_bytes());
    }

    /// Adds a field that is written piece by piece, within the limits of the line.
    fn add_large(
        &mut self,
        name: &'static str,
        write: impl FnOnce(&mut Bounded<'_>) -> io::Result<()>,
    ) -> Result<(), Stop> {
        let before = self.bytes.len();
        self.name(name);
        let LineLimits { bytes, check_stop } = *self.allowance;
        let most = self.bytes.len() + bytes;
        let mut out = Bounded {
            bytes: &mut self.bytes,
            most,
            unwatched: 0,
            check_stop,
            stopped: None,
        };
        let written = write(&mut out);
        if let Some(stop) = out.stopped {
            return Err(stop);
        }
        if written.is_err() {
            self.bytes.truncate(before);
            self.left_out.push(name);
        }
        Ok(())
    }
}

/// Collects bytes until there are too many, or no time is left.
struct Bounded<'a> {
    bytes: &'a mut Vec<u8>,
    most: usize,
    /// Bytes since the last look at the clock.
    unwatched: usize,
    check_stop: &'a dyn Fn() -> Result<(), Stop>,
    stopped: Option<Stop>,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.most - self.bytes.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.unwatched += bytes.len();
        if self.unwatched >= BYTES_BETWEEN_CHECKS {
            self.unwatched = 0;
            if let Err(stop) = (self.check_stop)() {
                self.stopped = Some(stop);
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a value as JSON: positions have `x` and `y`, sets and queues are arrays, grids arrays of rows, relations arrays of
/// pairs, and what has no content is its text. Data are nested 200 deep at most.
fn write_data(value: &Data, out: &mut Bounded<'_>) -> io::Result<()> {
    match value {
        Data::Null => out.write_all(b"null"),
        Data::Boolean(value) => write!(out, "{value}"),
        Data::Integer(value) => write!(out, "{value}"),
        Data::Float(value) => Ok(serde_json::to_writer(out, value)?),
        Data::Text(text) => write_text(text, out),
        Data::Position(x, y) => write!(out, "{{\"x\":{x},\"y\":{y}}}"),
        Data::Array(parts) | Data::Set(parts) | Data::Queue(parts) => {
            write_list(parts.iter(), out, write_data)
        }
        Data::PriorityQueue(queue) => write_list(queue.elements().iter(), out, write_data),
        Data::Relation(pairs) => write_list(pairs.iter(), out, |(a, b), out| {
            write_list([a, b].into_iter(), out, write_data)
        }),
        Data::Grid(grid) => {
            let rows = grid.cells().chunks(grid.width().max(1));
            write_list(rows, out, |row, out| {
                write_list(row.iter(), out, write_data)
            })
        }
        Data::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            out.write_all(b"{")?;
            for (at, (name, value)) in fields.into_iter().enumerate() {
                out.write_all(if at > 0 { b"," } else { b"" })?;
                write_text(name, out)?;
                out.write_all(b":")?;
                write_data(value, out)?;
            }
            out.write_all(b"}")
        }
        other => write_text(&other.to_string(), out),
    }
}

fn write_text(text: &str, out: &mut Bounded<'_>) -> io::Result<()> {
    // A text that is too long even without escapes is not scanned.
    if text.len() > out.most - out.bytes.len() {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(serde_json::to_writer(out, text)?)
}

fn write_list<T>(
    parts: impl Iterator<Item = T>,
    out: &mut Bounded<'_>,
    write: impl Fn(T, &mut Bounded<'_>) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, part) in parts.enumerate() {
        out.write_all(if at > 0 { b"," } else { b"" })?;
        write(part, out)?;
    }
    out.write_all(b"]")
}
