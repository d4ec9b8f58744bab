//! Data in a saved run, for parameters.

use std::sync::Arc;

use super::data::{Data, GridData, MAX_DEPTH, PriorityQueueData};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};

const NULL: u8 = 0;
const BOOLEAN: u8 = 1;
const INTEGER: u8 = 2;
const FLOAT: u8 = 3;
const TEXT: u8 = 4;
const POSITION: u8 = 5;
const ARRAY: u8 = 6;
const SET: u8 = 7;
const RELATION: u8 = 8;
const GRID: u8 = 9;
const OBJECT: u8 = 10;
const QUEUE: u8 = 11;
const FUNCTION: u8 = 12;
const ELIDED: u8 = 13;
const HOST: u8 = 14;
const PRIORITY_QUEUE: u8 = 15;

impl Saved for Data {
    fn save(&self, out: &mut Writer) {
        save(self, 0, out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Data, Unsound> {
        load(from, 0)
    }
}

fn save(data: &Data, depth: usize, out: &mut Writer) {
    // A deeper one is no value, and an error when the program reads it.
    if depth > MAX_DEPTH {
        return out.byte(ELIDED);
    }
    let list = |tag: u8, elements: &[Data], out: &mut Writer| {
        out.byte(tag);
        out.number(elements.len() as u64);
        elements
            .iter()
            .for_each(|element| save(element, depth + 1, out));
    };
    match data {
        Data::Null => out.byte(NULL),
        Data::Boolean(boolean) => {
            out.byte(BOOLEAN);
            boolean.save(out);
        }
        Data::Integer(integer) => {
            out.byte(INTEGER);
            out.signed(*integer);
        }
        Data::Float(float) => {
            out.byte(FLOAT);
            float.save(out);
        }
        Data::Text(text) => {
            out.byte(TEXT);
            text.save(out);
        }
        Data::Position(x, y) => {
            out.byte(POSITION);
            out.signed(*x);
            out.signed(*y);
        }
        Data::Array(elements) => list(ARRAY, elements, out),
        Data::Set(elements) => list(SET, elements, out),
        Data::Queue(elements) => list(QUEUE, elements, out),
        Data::PriorityQueue(queue) => {
            list(PRIORITY_QUEUE, &queue.elements, out);
            queue
                .priorities
                .iter()
                .for_each(|priority| priority.save(out));
        }
        Data::Relation(pairs) => {
            out.byte(RELATION);
            out.number(pairs.len() as u64);
            for (left, right) in pairs.iter() {
                save(left, depth + 1, out);
                save(right, depth + 1, out);
            }
        }
        Data::Grid(grid) => {
            list(GRID, &grid.cells, out);
            grid.width.save(out);
            grid.height.save(out);
        }
        Data::Object(fields) => {
            out.byte(OBJECT);
            out.number(fields.len() as u64);
            for (name, value) in fields.iter() {
                name.save(out);
                save(value, depth + 1, out);
            }
        }
        Data::Function(name) => {
            out.byte(FUNCTION);
            name.save(out);
        }
        Data::Host(name, text) => {
            out.byte(HOST);
            name.save(out);
            text.save(out);
        }
        Data::Elided => out.byte(ELIDED),
    }
}

fn load(from: &mut Reader<'_>, depth: usize) -> Result<Data, Unsound> {
    ensure(depth <= MAX_DEPTH + 1, "data is nested too deep")?;
    fn list(from: &mut Reader<'_>, depth: usize) -> Result<Vec<Data>, Unsound> {
        let count = from.count::<Data>()?;
        (0..count).map(|_| load(from, depth + 1)).collect()
    }
    Ok(match from.byte()? {
        NULL => Data::Null,
        BOOLEAN => Data::Boolean(Saved::load(from)?),
        INTEGER => Data::Integer(from.signed()?),
        FLOAT => Data::Float(Saved::load(from)?),
        TEXT => Data::Text(Saved::load(from)?),
        POSITION => Data::Position(from.signed()?, from.signed()?),
        ARRAY => Data::Array(list(from, depth)?.into()),
        SET => Data::Set(list(from, depth)?.into()),
        QUEUE => Data::Queue(list(from, depth)?.into()),
        PRIORITY_QUEUE => {
            let elements = list(from, depth)?;
            let entries: Result<Vec<(Data, f64)>, Unsound> = elements
                .into_iter()
                .map(|element| Ok((element, Saved::load(from)?)))
                .collect();
            Data::PriorityQueue(Arc::new(PriorityQueueData::new(entries?)))
        }
        RELATION => {
            let count = from.count::<(Data, Data)>()?;
            let pairs: Result<Vec<(Data, Data)>, Unsound> = (0..count)
                .map(|_| Ok((load(from, depth + 1)?, load(from, depth + 1)?)))
                .collect();
            Data::Relation(pairs?.into())
        }
        GRID => {
            let cells = list(from, depth)?;
            let (width, height): (u32, u32) = (Saved::load(from)?, Saved::load(from)?);
            ensure(
                u64::from(width) * u64::from(height) == cells.len() as u64,
                "a grid has other cells",
            )?;
            Data::Grid(Arc::new(GridData {
                width,
                height,
                cells: cells.into(),
            }))
        }
        OBJECT => {
            let count = from.count::<(Arc<str>, Data)>()?;
            let fields: Result<Vec<(Arc<str>, Data)>, Unsound> = (0..count)
                .map(|_| Ok((Saved::load(from)?, load(from, depth + 1)?)))
                .collect();
            Data::Object(fields?.into())
        }
        FUNCTION => Data::Function(Saved::load(from)?),
        HOST => Data::Host(Saved::load(from)?, Saved::load(from)?),
        ELIDED => Data::Elided,
        _ => return Err(Unsound::Wrong("there is no such kind of data")),
    })
}
