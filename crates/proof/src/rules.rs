//! The meaning of rules: whether one can hold, for given values of places and known facts.
//!
//! An answer "impossible" is always true. An answer "possible" need not be, unless all places have one value each:
//! explanations are simple enough for that.

mod different;
mod graph;
mod lexicographic;

mod pattern;
mod sum;
mod table;

use crate::bits::{self, Bits};
use crate::board::{Board, Written};
use crate::state::{Fact, State};

use different::Different;
use graph::Graph;
use lexicographic::Lexicographic;
use pattern::Pattern;
use sum::Sum;
use table::Table;

/// A rule of a board.
pub enum Rule {
    Different(Different),
    /// Two places and the number of their relation; and by place, the pairs that it is in.
    Pairs {
        pairs: Vec<[usize; 3]>,
        of: Vec<Vec<usize>>,
    },
    Count {
        places: Vec<usize>,
        values: Bits,
        least: i64,
        most: i64,
    },
    Sum(Sum),
    Table(Table),
    Pattern(Pattern),
    Lexicographic(Lexicographic),
    Graph(Graph),
}

impl Rule {
    pub(crate) fn read(written: &Written<'_>, board: &Board) -> Result<Rule, String> {
        let sections = &written.sections;
        let rule = match written.kind {
            "different" => Rule::Different(Different::of_values(written, board)?),
            "symbols" => Rule::Different(Different::of_symbols(written, board)?),
            "pairs" => {
                let [pairs] = &sections[..] else {
                    return Err("expected one section".into());
                };
                let pairs = triples(pairs, board)?;
                let mut rules_of_place = vec![Vec::new(); board.places.len()];
                for (number, [first, second, _]) in pairs.iter().enumerate() {
                    rules_of_place[*first].push(number);
                    rules_of_place[*second].push(number);
                }
                Rule::Pairs {
                    pairs,
                    of: rules_of_place,
                }
            }
            "count" => {
                let ([places, values], [least, most]) = (&sections[..], &written.numbers[..])
                else {
                    return Err("expected two bounds and two sections".into());
                };
                Rule::Count {
                    places: board.all_places(places)?,
                    values: board.set(values)?,
                    least: least.unwrap_or(0),
                    most: most.unwrap_or(i64::MAX),
                }
            }
            "sum" => Rule::Sum(Sum::read(written, board)?),
            "table" => Rule::Table(Table::read(written, board)?),
            "pattern" => Rule::Pattern(Pattern::read(written, board)?),
            "lexicographic" => Rule::Lexicographic(Lexicographic::read(written, board)?),
            _ => Rule::Graph(Graph::read(written, board)?),
        };
        Ok(rule)
    }

    /// Whether there can be such a fact of it.
    pub fn knows(&self, fact: Fact) -> bool {
        match (self, fact) {
            (Rule::Table(table), Fact::Row(row)) => row < table.rows.len(),
            (Rule::Pattern(pattern), Fact::State(at, state)) => pattern.knows(at, state),
            (Rule::Graph(graph), Fact::Fits(edge)) => edge < graph.fits.len(),
            (Rule::Lexicographic(own), Fact::Equal(count)) => count <= own.pairs.len(),
            _ => false,
        }
    }

    /// Whether it cannot hold.
    pub fn is_impossible(&self, board: &Board, state: &State<'_>, facts: &[(Fact, bool)]) -> bool {
        match self {
            Rule::Different(own) => own.is_impossible(state),
            Rule::Pairs { pairs, of } => {
                let is_apart = |pair: &usize| {
                    let [first, second, relation] = pairs[*pair];
                    let relation = &board.relations[relation];
                    let mut values = bits::numbers(state.domain(first));
                    !values.any(|value| bits::meets(&relation[value], state.domain(second)))
                };
                match state.narrowed() {
                    [] => (0..pairs.len()).any(|pair| is_apart(&pair)),
                    // Places that were not narrowed have their initial values.
                    narrowed => narrowed.iter().any(|place| of[*place].iter().any(is_apart)),
                }
            }
            Rule::Count {
                places,
                values,
                least,
                most,
            } => {
                let (mut can, mut must) = (0, 0);
                for place in places {
                    can += i64::from(bits::meets(state.domain(*place), values));
                    must += i64::from(bits::is_within(state.domain(*place), values));
                }
                can < *least || must > *most
            }
            Rule::Sum(own) => own.is_impossible(state),
            Rule::Table(own) => own.is_impossible(state, facts),
            Rule::Pattern(own) => own.is_impossible(state, facts),
            Rule::Lexicographic(own) => own.is_impossible(state, facts),
            Rule::Graph(own) => own.is_impossible(board, state, facts),
        }
    }
}

/// Two places and a relation each.
fn triples(numbers: &[i64], board: &Board) -> Result<Vec<[usize; 3]>, String> {
    let chunks = numbers.chunks(3);
    let triples = chunks.map(|chunk| match chunk {
        [first, second, relation] => Ok([
            board.place(*first)?,
            board.place(*second)?,
            board.relation(*relation)?,
        ]),
        _ => Err("expected two places and a relation each".to_string()),
    });
    triples.collect()
}

/// A number for each value that a place may have, in their order.
fn by_value(place: usize, numbers: &[i64], board: &Board) -> Result<Vec<(usize, i64)>, String> {
    let values: Vec<usize> = bits::numbers(&board.places[place]).collect();
    match values.len() == numbers.len() {
        true => Ok(values.into_iter().zip(numbers.iter().copied()).collect()),
        false => Err(format!("place {place} has {} values", values.len())),
    }
}
