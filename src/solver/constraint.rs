//! The constraints that a board can have, as they lie in it. What they rule out is in `propagation.rs`.

#[cfg(feature = "save")]
use std::sync::Arc;

#[cfg(feature = "save")]
use super::TableMaking;
use super::few_states::Steps;
use super::sum::Sum;
use super::{Automaton, Solver, Supports, Table, bounds, symbols};
use crate::value::room;

/// Neighbours of `adjacent` that lie so many columns and rows away.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    pub columns: i32,
    pub rows: i32,
    /// The number of the table that says what may stand there.
    pub table: u32,
}

/// The built-ins that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    AtLeast,
    AtMost,
    Exactly,
}

impl Tally {
    pub fn name(self) -> &'static str {
        match self {
            Tally::AtLeast => "atLeast",
            Tally::AtMost => "atMost",
            Tally::Exactly => "exactly",
        }
    }

    /// The least and the most that it says of a number.
    pub fn bounds(self, count: u64) -> (u64, u64) {
        match self {
            Tally::AtLeast => (count, u64::MAX),
            Tally::AtMost => (0, count),
            Tally::Exactly => (count, count),
        }
    }

    #[cfg(feature = "save")]
    const ALL: [Tally; 3] = [Tally::AtLeast, Tally::AtMost, Tally::Exactly];
}

/// What a callback is known by to who calls it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallbackId(pub u32);

/// A rule of a board.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// No two places are equal. With offsets each value in the window of each place has a symbol, a place after
    /// another, from where `starts` says. The shifts follow from that.
    Different {
        places: Vec<u32>,
        symbols: Vec<u32>,
        starts: Vec<u32>,
        shifts: Vec<u8>,
    },
    /// For each number of a value of the one place what the other may have, and the other way round, in rows of so many
    /// words.
    Related {
        places: [u32; 2],
        width: u32,
        forward: Vec<u64>,
        backward: Vec<u64>,
    },
    /// What stands next to what, in all cells of a grid, by tables with rows of so many words.
    Adjacent {
        columns: u32,
        rows: u32,
        wraps: bool,
        width: u32,
        tables: Vec<Supports>,
        directions: Vec<Direction>,
    },
    /// How many places hold one of some values, as a built-in says.
    Count {
        places: Vec<u32>,
        values: Vec<u64>,
        least: u64,
        most: u64,
        tally: Tally,
    },
    /// What the numbers add up to, each times its factor. `numbers` are those of the values. Whether they go up, and the rest is
    /// such that bounds are found at once, follows from that.
    Sum {
        places: Vec<u32>,
        factors: Vec<f64>,
        numbers: Vec<f64>,
        low: f64,
        high: f64,
        go_up: bool,
    },
    /// The rows that the places can spell. Rows were left out where a place of the clues had lost their value before.
    Table {
        places: Vec<u32>,
        table: Table,
        clues: Vec<u32>,
    },
    /// What the places spell is a text of an automaton. Its steps follow from that.
    Pattern {
        places: Vec<u32>,
        automaton: Automaton,
        steps: Option<Box<Steps>>,
    },
    /// The cells of a grid that hold one of some values form one piece.
    Connected {
        columns: u32,
        rows: u32,
        values: Vec<u64>,
    },
    /// A way of such cells joins two of them.
    Reachable {
        columns: u32,
        rows: u32,
        values: Vec<u64>,
        ends: [u32; 2],
    },
    /// What a function takes away that the solver does not know: whoever does calls it.
    Callback {
        places: Vec<u32>,
        callback: CallbackId,
    },
}

impl Constraint {
    /// The same with what follows for short ways on the board that it is for, where that is no long work.
    pub fn with_short_ways(mut self, solver: &Solver) -> Constraint {
        match &mut self {
            Constraint::Different {
                places,
                symbols,
                starts,
                shifts,
            } if !starts.is_empty() && places.len() <= symbols::MOST_SYMBOLS => {
                *shifts = symbols::shifts(places, symbols, starts, &solver.domains);
            }
            Constraint::Sum {
                places,
                factors,
                numbers,
                go_up,
                ..
            } => *go_up = bounds::go_up(places, factors, numbers),
            Constraint::Pattern {
                places,
                automaton,
                steps,
            } => *steps = Steps::of(automaton, places.len()),
            _ => {}
        }
        self
    }

    /// The built-in that puts it on a board.
    pub fn name(&self) -> &'static str {
        match self {
            Constraint::Different { .. } => "allDifferent",
            Constraint::Related { .. } => "related",
            Constraint::Adjacent { .. } => "adjacent",
            Constraint::Count { tally, .. } => tally.name(),
            Constraint::Sum { .. } => "sumOf",
            Constraint::Table { .. } => "tuples",
            Constraint::Pattern { .. } => "pattern",
            Constraint::Connected { .. } => "connected",
            Constraint::Reachable { .. } => "reachable",
            Constraint::Callback { .. } => "constrain",
        }
    }

    /// The places that it looks at; `None` for all.
    pub fn places(&self) -> Option<&[u32]> {
        match self {
            Constraint::Different { places, .. }
            | Constraint::Count { places, .. }
            | Constraint::Sum { places, .. }
            | Constraint::Table { places, .. }
            | Constraint::Pattern { places, .. }
            | Constraint::Callback { places, .. } => Some(places),
            Constraint::Related { places, .. } => Some(places),
            Constraint::Adjacent { .. }
            | Constraint::Connected { .. }
            | Constraint::Reachable { .. } => None,
        }
    }

    /// The later, the more it costs.
    pub(super) fn rank(&self) -> usize {
        match self {
            Constraint::Related { .. } | Constraint::Adjacent { .. } => 0,
            Constraint::Count { .. } | Constraint::Sum { .. } => 1,
            Constraint::Table { .. } | Constraint::Pattern { .. } => 1,
            Constraint::Different { .. }
            | Constraint::Connected { .. }
            | Constraint::Reachable { .. } => 2,
            Constraint::Callback { .. } => 2,
        }
    }

    /// Whether it reads the same place twice, where that makes a difference.
    pub(super) fn reads_twice(&self) -> bool {
        let (Constraint::Table { places, .. } | Constraint::Pattern { places, .. }) = self else {
            return false;
        };
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|two| two[0] == two[1])
    }

    /// Whether it wants to know which cells have changed.
    pub fn looks_at_changes(&self) -> bool {
        matches!(
            self,
            Constraint::Adjacent { .. } | Constraint::Connected { .. }
        )
    }

    /// What it adds up, if that is what it does.
    pub(super) fn sum(&self) -> Option<Sum<'_>> {
        let Constraint::Sum {
            places,
            factors,
            numbers,
            low,
            high,
            go_up,
        } = self
        else {
            return None;
        };
        Some(Sum {
            places,
            factors,
            numbers,
            low: *low,
            high: *high,
            go_up: *go_up,
        })
    }

    /// Whether nothing follows for it from what lies between the ends of what a place has.
    pub(super) fn looks_at_ends(&self) -> bool {
        matches!(self, Constraint::Sum { go_up: true, .. })
    }

    /// Whether it is propagated here. A callback is not.
    pub fn is_native(&self) -> bool {
        !matches!(self, Constraint::Callback { .. })
    }

    /// The id of a callback.
    pub fn callback(&self) -> Option<CallbackId> {
        match self {
            Constraint::Callback { callback, .. } => Some(*callback),
            _ => None,
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Constraint::Different {
                places,
                symbols,
                starts,
                shifts,
            } => room::row(places) + room::row(symbols) + room::row(starts) + room::row(shifts),
            Constraint::Related {
                forward, backward, ..
            } => room::row(forward) + room::row(backward),
            Constraint::Adjacent {
                directions, tables, ..
            } => {
                room::row(directions)
                    + room::row(tables)
                    + tables.iter().map(Supports::bytes).sum::<usize>()
            }
            Constraint::Count { places, values, .. } => room::row(places) + room::row(values),
            Constraint::Callback { places, .. } => room::row(places),
            Constraint::Table {
                places,
                table,
                clues,
            } => room::row(places) + room::row(clues) + table.bytes(),
            Constraint::Pattern {
                places,
                automaton,
                steps,
            } => {
                room::row(places)
                    + automaton.bytes()
                    + steps.as_ref().map_or(0, |steps| steps.bytes())
            }
            Constraint::Connected { values, .. } | Constraint::Reachable { values, .. } => {
                room::row(values)
            }
            Constraint::Sum {
                places,
                factors,
                numbers,
                ..
            } => room::row(places) + room::row(factors) + room::row(numbers),
        }
    }
}

#[cfg(feature = "save")]
impl Constraint {
    /// Whether it looks only at places and values that there are.
    pub fn fits(&self, count: usize) -> bool {
        let in_board = self
            .places()
            .unwrap_or_default()
            .iter()
            .all(|place| (*place as usize) < count);
        let is_grid =
            |columns: u32, rows: u32| columns as usize * rows as usize == count && columns > 0;
        in_board
            && match self {
                Constraint::Different {
                    places,
                    symbols,
                    starts,
                    shifts: _,
                } => {
                    let is_small = symbols
                        .iter()
                        .all(|symbol| (*symbol as usize) < symbols.len());
                    let is_plain = starts.is_empty() && symbols.is_empty();
                    is_plain || is_small && starts.len() == places.len()
                }
                Constraint::Related { .. } | Constraint::Callback { .. } => true,
                Constraint::Adjacent { columns, rows, .. } => is_grid(*columns, *rows),
                Constraint::Count { .. } => true,
                Constraint::Table { places, table, .. } => {
                    table.rows().len().is_multiple_of(places.len().max(1))
                }
                Constraint::Pattern { automaton, .. } => automaton.is_sound(),
                Constraint::Connected { columns, rows, .. } => is_grid(*columns, *rows),
                Constraint::Reachable {
                    columns,
                    rows,
                    ends,
                    ..
                } => is_grid(*columns, *rows) && ends.iter().all(|end| (*end as usize) < count),
                Constraint::Sum {
                    places,
                    factors,
                    numbers,
                    low,
                    high,
                    go_up: _,
                } => {
                    let all = numbers.iter().chain(factors).chain([low, high]);
                    factors.len() == places.len() && !all.copied().any(f64::is_nan)
                }
            }
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Direction {
    fn save(&self, out: &mut crate::codec::Writer) {
        // From -1 to 1.
        ((self.columns + 1) as u32).save(out);
        ((self.rows + 1) as u32).save(out);
        self.table.save(out);
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Direction, crate::codec::Unsound> {
        use crate::codec::ensure;
        let (columns, rows) = (u32::load(from)?, u32::load(from)?);
        ensure(columns <= 2 && rows <= 2, "a neighbour lies too far away")?;
        Ok(Direction {
            columns: columns as i32 - 1,
            rows: rows as i32 - 1,
            table: u32::load(from)?,
        })
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Constraint {
    fn save(&self, out: &mut crate::codec::Writer) {
        match self {
            Constraint::Different {
                places,
                symbols,
                starts,
                shifts: _,
            } => {
                0u32.save(out);
                places.save(out);
                symbols.save(out);
                starts.save(out);
            }
            Constraint::Related {
                places,
                width,
                forward,
                backward,
            } => {
                1u32.save(out);
                places.to_vec().save(out);
                width.save(out);
                forward.save(out);
                backward.save(out);
            }
            Constraint::Adjacent {
                columns,
                rows,
                wraps,
                width,
                tables,
                directions,
            } => {
                2u32.save(out);
                columns.save(out);
                rows.save(out);
                wraps.save(out);
                width.save(out);
                tables
                    .iter()
                    .map(|table| table.rows().to_vec())
                    .collect::<Vec<_>>()
                    .save(out);
                directions.save(out);
            }
            Constraint::Count {
                places,
                values,
                least,
                most,
                tally,
            } => {
                3u32.save(out);
                places.save(out);
                values.save(out);
                least.save(out);
                most.save(out);
                (*tally as usize).save(out);
            }
            Constraint::Sum {
                places,
                factors,
                numbers,
                low,
                high,
                go_up: _,
            } => {
                4u32.save(out);
                places.save(out);
                factors.save(out);
                numbers.save(out);
                low.save(out);
                high.save(out);
            }
            Constraint::Table {
                places,
                table,
                clues,
            } => {
                5u32.save(out);
                places.save(out);
                table.rows().save(out);
                clues.save(out);
            }
            Constraint::Pattern {
                places,
                automaton,
                steps: _,
            } => {
                8u32.save(out);
                places.save(out);
                automaton.save(out);
            }
            Constraint::Connected {
                columns,
                rows,
                values,
            } => {
                6u32.save(out);
                columns.save(out);
                rows.save(out);
                values.save(out);
            }
            Constraint::Reachable {
                columns,
                rows,
                values,
                ends: [from, to],
            } => {
                7u32.save(out);
                columns.save(out);
                rows.save(out);
                values.save(out);
                from.save(out);
                to.save(out);
            }
            Constraint::Callback { places, callback } => {
                9u32.save(out);
                places.save(out);
                callback.0.save(out);
            }
        }
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Constraint, crate::codec::Unsound> {
        use crate::codec::Unsound;
        Ok(match u32::load(from)? {
            0 => {
                let (places, symbols, starts) =
                    (Vec::load(from)?, Vec::load(from)?, Vec::load(from)?);
                Constraint::Different {
                    places,
                    symbols,
                    starts,
                    shifts: Vec::new(),
                }
            }
            1 => {
                let places: Vec<u32> = Vec::load(from)?;
                let places = places
                    .try_into()
                    .map_err(|_| Unsound::Wrong("a relation has other than two places"))?;
                let width = u32::load(from)?;
                Constraint::Related {
                    places,
                    width,
                    forward: Vec::load(from)?,
                    backward: Vec::load(from)?,
                }
            }
            2 => {
                let (columns, rows) = (u32::load(from)?, u32::load(from)?);
                let (wraps, width) = (bool::load(from)?, u32::load(from)?);
                let tables: Vec<Vec<u64>> = Vec::load(from)?;
                // More values than a word has are no board of that width, and would take more room than they have.
                if width == 1 && tables.iter().any(|rows| rows.len() > 64) {
                    return Err(Unsound::Wrong("a table has more values than bits"));
                }
                for rows in &tables {
                    from.make_room::<u64>(Supports::sets_of(rows.len()))?;
                }
                let tables = tables
                    .into_iter()
                    .map(|rows| Supports::new(rows, width as usize))
                    .collect();
                Constraint::Adjacent {
                    columns,
                    rows,
                    wraps,
                    width,
                    tables,
                    directions: Vec::load(from)?,
                }
            }
            3 => Constraint::Count {
                places: Vec::load(from)?,
                values: Vec::load(from)?,
                least: u64::load(from)?,
                most: u64::load(from)?,
                tally: *Tally::ALL
                    .get(usize::load(from)?)
                    .ok_or(Unsound::Wrong("a count is none"))?,
            },
            4 => Constraint::Sum {
                places: Vec::load(from)?,
                factors: Vec::load(from)?,
                numbers: Vec::load(from)?,
                low: f64::load(from)?,
                high: f64::load(from)?,
                go_up: false,
            },
            5 => {
                let (places, rows): (Vec<u32>, Vec<u32>) = (Vec::load(from)?, Vec::load(from)?);
                from.make_room::<u64>(
                    rows.len()
                        .saturating_mul(rows.len() / places.len().max(1) / 64 + 3),
                )?;
                let length = places.len();
                Constraint::Table {
                    places,
                    table: TableMaking::new(rows, length).finish(),
                    clues: Vec::load(from)?,
                }
            }
            6 => Constraint::Connected {
                columns: u32::load(from)?,
                rows: u32::load(from)?,
                values: Vec::load(from)?,
            },
            7 => Constraint::Reachable {
                columns: u32::load(from)?,
                rows: u32::load(from)?,
                values: Vec::load(from)?,
                ends: [u32::load(from)?, u32::load(from)?],
            },
            8 => Constraint::Pattern {
                places: Vec::load(from)?,
                automaton: Automaton::load(from)?,
                steps: None,
            },
            9 => Constraint::Callback {
                places: Vec::load(from)?,
                callback: CallbackId(u32::load(from)?),
            },
            _ => return Err(Unsound::Wrong("there is no such constraint")),
        })
    }
}

/// What was shared is read back as rows of its own.
#[cfg(feature = "save")]
impl crate::codec::Saved for Arc<Constraint> {
    fn save(&self, out: &mut crate::codec::Writer) {
        Constraint::save(self, out);
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Arc<Constraint>, crate::codec::Unsound> {
        Ok(Arc::new(Constraint::load(from)?))
    }
}
