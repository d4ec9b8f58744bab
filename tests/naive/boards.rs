//! Boards and their constraints, as plain checks: a rule is looked at when all of its places are decided, and takes
//! nothing away before. So what can be compared is what is left when a whole board is decided.

use std::collections::BTreeMap;

use super::interpreter::{ErrorName, Interpreter, Interrupt, Result, error, type_error};
use super::numbers;
use super::order::equal;
use super::targets::position_in;
use super::value::Value;

/// A rule of a board, with its places by number.
#[derive(Clone, Debug)]
pub struct Rule {
    places: Vec<usize>,
    kind: RuleKind,
}

#[derive(Clone, Debug)]
enum RuleKind {
    Different {
        offsets: Option<Vec<f64>>,
    },
    /// The relation or function holds between the values of two places.
    Related(Value),
    Count {
        values: Vec<Value>,
        least: usize,
        most: usize,
    },
    Sum {
        factors: Vec<f64>,
        low: f64,
        high: f64,
    },
    /// What the places spell is one of the rows.
    Rows(Vec<Value>),
    /// The places that hold one of the values form one piece; with two ends these are joined.
    Piece {
        width: usize,
        values: Vec<Value>,
        ends: Option<(usize, usize)>,
    },
    Function(Value),
}

/// What a place holds, as its candidates.
fn candidates(held: &Value) -> Vec<Value> {
    match held {
        Value::Set(set) => set.to_vec(),
        other => vec![other.clone()],
    }
}

fn id(board: &Value) -> Result<usize> {
    match board {
        Value::Array(id) | Value::Grid(id) | Value::Object(id) => Ok(*id),
        other => type_error("a board", other),
    }
}

impl Interpreter {
    fn cells(&self, board: &Value) -> Result<Vec<Value>> {
        Ok(match board {
            Value::Array(id) => self.state.array(*id).clone(),
            Value::Grid(id) => self.state.grid(*id).2.clone(),
            Value::Object(id) => self
                .state
                .object(*id)
                .iter()
                .map(|field| field.1.clone())
                .collect(),
            other => return type_error("a board", other),
        })
    }

    fn put(&mut self, board: &Value, place: usize, value: Value) {
        match board {
            Value::Array(id) => self.state.array_mut(*id)[place] = value,
            Value::Grid(id) => self.state.cells_mut(*id)[place] = value,
            Value::Object(id) => self.state.object_mut(*id)[place].1 = value,
            _ => {}
        }
    }

    /// The number of a place by its position, index or key.
    fn place_of(&self, board: &Value, name: &Value) -> Result<usize> {
        match (board, name) {
            (Value::Grid(id), _) => self.cell(*id, std::slice::from_ref(name)),
            (Value::Array(id), _) => position_in(name, self.state.array(*id).len()),
            (Value::Object(id), Value::String(key)) => {
                match self
                    .state
                    .object(*id)
                    .iter()
                    .position(|(other, _)| other == key)
                {
                    Some(at) => Ok(at),
                    None => error(ErrorName::Type, "no such key"),
                }
            }
            _ => type_error("a place", name),
        }
    }

    fn name_of(&self, board: &Value, place: usize) -> Value {
        match board {
            Value::Grid(id) => {
                let width = self.state.grid(*id).0;
                Value::Position((place % width) as i64, (place / width) as i64)
            }
            Value::Object(id) => Value::String(self.state.object(*id)[place].0.clone()),
            _ => Value::Number(place as f64),
        }
    }

    fn places(&self, board: &Value, list: Option<&Value>) -> Result<Vec<usize>> {
        let names = match list {
            None | Some(Value::Null) => return Ok((0..self.cells(board)?.len()).collect()),
            Some(Value::Set(set)) => set.to_vec(),
            Some(list) => match self.state.elements(list) {
                Some(names) => names,
                None => return type_error("places", list),
            },
        };
        names
            .iter()
            .map(|name| self.place_of(board, name))
            .collect()
    }

    /// The places of a list, each once.
    fn distinct(&self, board: &Value, list: Option<&Value>) -> Result<Vec<usize>> {
        let mut places = self.places(board, list)?;
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }

    fn numbers(&self, list: &Value) -> Result<Vec<f64>> {
        match self.state.elements(list) {
            Some(list) => list.iter().map(numbers::number).collect(),
            None => type_error("an array", list),
        }
    }

    /// The least that numbers at places add up to, each times its factor.
    pub fn least_sum(&self, board: &Value, places: &[usize], factors: &[f64]) -> Result<f64> {
        let cells = self.cells(board)?;
        let mut sum = 0.0;
        for (place, factor) in places.iter().zip(factors) {
            let mut least = f64::INFINITY;
            for value in candidates(&cells[*place]) {
                least = least.min(numbers::number(&value)? * factor);
            }
            sum += least;
        }
        Ok(sum)
    }

    /// Puts a rule on a board; what it says of places that are decided already must hold.
    fn rule(&mut self, board: &Value, places: Vec<usize>, kind: RuleKind) -> Result<Value> {
        let cells = self.cells(board)?;
        let known = self.state.boards.entry(id(board)?).or_default();
        for place in &places {
            known
                .initial
                .entry(*place)
                .or_insert_with(|| candidates(&cells[*place]));
        }
        if let RuleKind::Count { values, .. } | RuleKind::Piece { values, .. } = &kind {
            let known = known.clone();
            let held = (0..cells.len()).flat_map(|place| match known.initial.get(&place) {
                Some(initial) => initial.clone(),
                None => candidates(&cells[place]),
            });
            let held: Vec<Value> = held.collect();
            let is_missing =
                |value: &Value| !held.iter().any(|other| equal(&self.state, value, other));
            if values.iter().any(is_missing) {
                return error(ErrorName::Value, "no place of the board can hold it");
            }
        }
        let known = self.state.boards.entry(id(board)?).or_default();
        known.rules.push(Rule { places, kind });
        self.check(board)?;
        Ok(board.clone())
    }

    /// Assigns to a place of a board with rules, or narrows it; `None` if there is no rule on it.
    pub fn assign_place(
        &mut self,
        board: &Value,
        place: usize,
        value: &Value,
    ) -> Option<Result<Value>> {
        let initial = self
            .state
            .boards
            .get(&id(board).ok()?)?
            .initial
            .get(&place)?;
        let is_stranger =
            |value: &Value| !initial.iter().any(|other| equal(&self.state, value, other));
        if candidates(value).iter().any(is_stranger) {
            return Some(error(ErrorName::Value, "it was no candidate"));
        }
        Some(self.narrow(board, place, value))
    }

    fn narrow(&mut self, board: &Value, place: usize, allowed: &Value) -> Result<Value> {
        let held = candidates(&self.cells(board)?[place]);
        let allowed = candidates(allowed);
        let both: Vec<Value> = held
            .into_iter()
            .filter(|value| allowed.iter().any(|other| equal(&self.state, value, other)))
            .collect();
        if both.is_empty() {
            return Err(Interrupt::Fail);
        }
        let set = self.new_set(&both)?;
        self.put(board, place, set.clone());
        self.check(board)?;
        Ok(set)
    }

    /// Looks at every rule all of whose places are decided.
    fn check(&mut self, board: &Value) -> Result<()> {
        let known = self
            .state
            .boards
            .get(&id(board)?)
            .cloned()
            .unwrap_or_default();
        for rule in known.rules {
            self.charge(1 + rule.places.len())?;
            let cells = self.cells(board)?;
            let decided: Vec<Vec<Value>> = rule
                .places
                .iter()
                .map(|place| candidates(&cells[*place]))
                .collect();
            if decided.iter().any(Vec::is_empty) {
                return Err(Interrupt::Fail);
            }
            if decided.iter().any(|candidates| candidates.len() > 1) {
                continue;
            }
            let values: Vec<Value> = decided
                .into_iter()
                .map(|mut candidates| candidates.remove(0))
                .collect();
            if !self.holds(&rule, &values)? {
                return Err(Interrupt::Fail);
            }
        }
        Ok(())
    }

    fn holds(&mut self, rule: &Rule, values: &[Value]) -> Result<bool> {
        let is_in = |i: &Interpreter, list: &[Value], value: &Value| {
            list.iter().any(|other| equal(&i.state, other, value))
        };
        Ok(match &rule.kind {
            RuleKind::Different { offsets } => {
                let mut seen: Vec<Value> = Vec::new();
                for (at, value) in values.iter().enumerate() {
                    let shown = match offsets {
                        Some(offsets) => Value::Number(numbers::number(value)? + offsets[at]),
                        None => value.clone(),
                    };
                    if is_in(self, &seen, &shown) {
                        return Ok(false);
                    }
                    seen.push(shown);
                }
                true
            }
            RuleKind::Related(relation) => {
                matches!(self.call(relation, values.to_vec())?, Value::Boolean(true))
            }
            RuleKind::Count {
                values: wanted,
                least,
                most,
            } => {
                let count = values
                    .iter()
                    .filter(|value| is_in(self, wanted, value))
                    .count();
                (*least..=*most).contains(&count)
            }
            RuleKind::Sum { factors, low, high } => {
                let mut sum = 0.0;
                for (value, factor) in values.iter().zip(factors) {
                    sum += numbers::number(value)? * factor;
                }
                (*low..=*high).contains(&sum)
            }
            RuleKind::Rows(rows) => rows.iter().any(|row| {
                let row = self.state.elements(row).unwrap_or_default();
                row.len() == values.len()
                    && row
                        .iter()
                        .zip(values)
                        .all(|(a, b)| equal(&self.state, a, b))
            }),
            RuleKind::Piece {
                width,
                values: wanted,
                ends,
            } => {
                let mut left: Vec<usize> = (0..values.len())
                    .filter(|at| is_in(self, wanted, &values[*at]))
                    .collect();
                if let Some((from, to)) = ends
                    && !(left.contains(from) && left.contains(to))
                {
                    return Ok(false);
                }
                let Some(first) = ends.map(|ends| ends.0).or(left.first().copied()) else {
                    return Ok(true);
                };
                let mut open = vec![first];
                let mut piece = Vec::new();
                while let Some(at) = open.pop() {
                    let Some(index) = left.iter().position(|other| *other == at) else {
                        continue;
                    };
                    left.remove(index);
                    piece.push(at);
                    let (x, y) = (at % width, at / width);
                    open.extend((x > 0).then(|| at - 1));
                    open.extend((x + 1 < *width).then_some(at + 1));
                    open.extend((y > 0).then(|| at - width));
                    open.push(at + width);
                }
                match ends {
                    Some((_, to)) => piece.contains(to),
                    None => left.is_empty(),
                }
            }
            // It looks at what is decided: earlier calls do nothing in the programs that are compared.
            RuleKind::Function(function) => {
                match self.once(&mut |i| i.call(function, Vec::new())) {
                    Ok(_) => true,
                    Err(Interrupt::Fail) => false,
                    Err(other) => return Err(other),
                }
            }
        })
    }

    /// All ways in which a board can be decided, by trying them.
    fn solutions_of_board(&mut self, board: &Value) -> Result<Vec<Vec<Value>>> {
        let cells = self.cells(board)?;
        let mut all = vec![Vec::new()];
        for cell in &cells {
            let candidates = candidates(cell);
            self.charge(all.len() * candidates.len())?;
            let longer = |begun: &Vec<Value>| {
                let begun = begun.clone();
                candidates
                    .clone()
                    .into_iter()
                    .map(move |value| begun.iter().cloned().chain([value]).collect())
            };
            all = all.iter().flat_map(longer).collect();
        }
        let rules = self
            .state
            .boards
            .get(&id(board)?)
            .cloned()
            .unwrap_or_default()
            .rules;
        let mut found = Vec::new();
        for values in all {
            let mut holds = true;
            for rule in &rules {
                let own: Vec<Value> = rule
                    .places
                    .iter()
                    .map(|place| values[*place].clone())
                    .collect();
                holds = holds && self.holds(rule, &own)?;
            }
            if holds {
                found.push(values);
            }
        }
        Ok(found)
    }

    /// One of the ways to decide a board; which one is a draw, which no program that is compared shows.
    fn some_solution(&mut self, board: &Value) -> Result<Value> {
        let Some(values) = self.solutions_of_board(board)?.into_iter().next() else {
            return Err(Interrupt::Fail);
        };
        for (place, value) in values.iter().enumerate() {
            let set = self.new_set(std::slice::from_ref(value))?;
            self.narrow(board, place, &set)?;
        }
        Ok(board.clone())
    }

    /// Guesses until all places are decided.
    fn decide_board(&mut self, board: &Value) -> Result<Value> {
        loop {
            self.charge(1)?;
            let cells = self.cells(board)?;
            let open = cells
                .iter()
                .position(|cell| matches!(cell, Value::Set(set) if set.len() != 1));
            let Some(place) = open else {
                return Ok(board.clone());
            };
            let values = candidates(&cells[place]);
            let chosen = self.decide(values.len())?;
            match self.assign_place(board, place, &values[chosen]) {
                Some(result) => result.map(|_| ())?,
                None => self.narrow(board, place, &values[chosen]).map(|_| ())?,
            }
        }
    }
}

pub fn call(i: &mut Interpreter, name: &str, arguments: &[Value]) -> Option<Result<Value>> {
    let make = |i: &mut Interpreter| -> Option<Result<Value>> {
        let board = arguments.first()?;
        let rule = |i: &mut Interpreter, places: Result<Vec<usize>>, kind: RuleKind| {
            places.and_then(|places| i.rule(board, places, kind))
        };
        let wanted = |value: &Value| candidates(value);
        Some(match (name, arguments) {
            ("allDifferent", [_]) => rule(
                i,
                i.distinct(board, None),
                RuleKind::Different { offsets: None },
            ),
            ("allDifferent", [_, places]) => rule(
                i,
                i.distinct(board, Some(places)),
                RuleKind::Different { offsets: None },
            ),
            ("allDifferent", [_, places, offsets]) => match i.numbers(offsets) {
                Ok(offsets) => rule(
                    i,
                    i.places(board, Some(places)),
                    RuleKind::Different {
                        offsets: Some(offsets),
                    },
                ),
                Err(other) => Err(other),
            },
            ("related", [_, p, q, relation]) => {
                let places = i
                    .place_of(board, p)
                    .and_then(|p| i.place_of(board, q).map(|q| vec![p, q]));
                rule(i, places, RuleKind::Related(relation.clone()))
            }
            ("adjacent", [Value::Grid(grid), relation]) => {
                let (width, height, _) = i.state.grid(*grid);
                let mut result = Ok(board.clone());
                for at in 0..width * height {
                    let right = (at % width + 1 < width).then_some(at + 1);
                    let below = (at / width + 1 < height).then_some(at + width);
                    for other in right.into_iter().chain(below) {
                        for places in [vec![at, other], vec![other, at]] {
                            result = result.and_then(|_| {
                                i.rule(board, places, RuleKind::Related(relation.clone()))
                            });
                        }
                    }
                }
                result
            }
            ("atLeast" | "atMost" | "exactly", [_, count, values, rest @ ..]) => {
                match numbers::integer(count) {
                    Ok(count) => {
                        let count = count.max(0) as usize;
                        let (least, most) = match name {
                            "atLeast" => (count, usize::MAX),
                            "atMost" => (0, count),
                            _ => (count, count),
                        };
                        let kind = RuleKind::Count {
                            values: wanted(values),
                            least,
                            most,
                        };
                        rule(i, i.distinct(board, rest.first()), kind)
                    }
                    Err(other) => Err(other),
                }
            }
            ("sumOf", [_, low, high, rest @ ..]) => {
                match (numbers::number(low), numbers::number(high)) {
                    (Ok(low), Ok(high)) => {
                        let places = i.places(board, rest.first());
                        let factors = match rest.get(1) {
                            Some(factors) => i.numbers(factors),
                            None => places.clone().map(|places| vec![1.0; places.len()]),
                        };
                        match factors {
                            Ok(factors) => rule(i, places, RuleKind::Sum { factors, low, high }),
                            Err(other) => Err(other),
                        }
                    }
                    _ => type_error("numbers", low),
                }
            }
            ("costOf", [_, rest @ ..]) => {
                let places = match i.places(board, rest.first()) {
                    Ok(places) => places,
                    Err(other) => return Some(Err(other)),
                };
                let factors = match rest.get(1) {
                    Some(factors) if !matches!(factors, Value::Null) => i.numbers(factors),
                    _ => Ok(vec![1.0; places.len()]),
                };
                factors.and_then(|factors| {
                    if i.least_sum(board, &places, &factors)? < 0.0 {
                        return error(ErrorName::Value, "a negative cost");
                    }
                    i.state.owed.push((board.clone(), places, factors));
                    Ok(board.clone())
                })
            }
            ("tuples", [_, places, rows, ..]) => {
                let rows = match rows {
                    Value::Set(set) => set.to_vec(),
                    rows => i.state.elements(rows)?,
                };
                rule(i, i.places(board, Some(places)), RuleKind::Rows(rows))
            }
            ("connected", [Value::Grid(grid), values]) => {
                let kind = RuleKind::Piece {
                    width: i.state.grid(*grid).0,
                    values: wanted(values),
                    ends: None,
                };
                rule(i, i.places(board, None), kind)
            }
            ("reachable", [Value::Grid(grid), values, from, to]) => {
                let ends = i
                    .place_of(board, from)
                    .and_then(|from| i.place_of(board, to).map(|to| (from, to)));
                match ends {
                    Ok(ends) => {
                        let width = i.state.grid(*grid).0;
                        let kind = RuleKind::Piece {
                            width,
                            values: wanted(values),
                            ends: Some(ends),
                        };
                        rule(i, i.places(board, None), kind)
                    }
                    Err(other) => Err(other),
                }
            }
            ("constrain", [_, places, function]) => rule(
                i,
                i.distinct(board, Some(places)),
                RuleKind::Function(function.clone()),
            ),
            ("narrow", [_, place, allowed]) => i
                .place_of(board, place)
                .and_then(|place| i.narrow(board, place, allowed)),
            ("undecided", [_]) => i.cells(board).map(|cells| {
                let is_open = |cell: &Value| matches!(cell, Value::Set(set) if set.len() != 1);
                let open = (0..cells.len()).filter(|at| is_open(&cells[*at]));
                let names = open.map(|at| i.name_of(board, at)).collect();
                i.state.new_array(names)
            }),
            ("decide", [_] | [_, Value::Object(_)]) => i.decide_board(board),
            ("numberOfSolutions", [Value::Grid(_)]) => i
                .solutions_of_board(board)
                .map(|all| Value::text(all.len().to_string())),
            ("uniformSolution", [Value::Grid(_)]) => i.some_solution(board),
            ("withRestarts", [f] | [f, _]) => i.once(&mut |i| i.call(f, Vec::new())),
            _ => return None,
        })
    };
    make(i)
}

/// What a state knows of its boards, by the things that they are.
pub type Boards = BTreeMap<usize, Board>;

/// The rules of a board, and what its places could be when the first rule was put on them.
#[derive(Clone, Debug, Default)]
pub struct Board {
    rules: Vec<Rule>,
    initial: BTreeMap<usize, Vec<Value>>,
}
