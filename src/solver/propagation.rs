//! Bringing the constraints of a board to rest: each that has something to look at takes away what it rules out, until
//! none finds anything more.

use std::collections::VecDeque;

use super::adding::Adding;
use super::automaton::Reading;
use super::constraint::Constraint;
use super::counting::Counting;
use super::different::Parting;
use super::piece::Piece;
use super::reaching::{Reaching, Way};
use super::relating::{LookingAround, Neighbours, Revising, VISITS_OF_LOOK, look_by_words};
use super::symbols::Places;
use super::table::Spelling;
use super::ways::Joining;
use super::{Rest, Solver, Wiped, bounds, few_symbols};
use crate::value::budget::Budget;

/// So little is taken without asking.
const LITTLE: usize = 1 << 12;

/// So much is turning to a constraint.
const VISITS_OF_BEGINNING: usize = 4;

/// What a constraint does that is being propagated, which can stop and go on.
trait Propagating {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped>;
}

/// A constraint with its number, and the matching or the witness that lies beside it.
struct Of<'a> {
    number: u32,
    constraint: &'a Constraint,
    matching: &'a mut Vec<u32>,
}

impl Propagating for Parting {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Different {
            places,
            symbols,
            starts,
            shifts,
        } = of.constraint
        else {
            return Ok(Rest::Reached);
        };
        self.go(
            solver,
            of.number,
            Places {
                places,
                symbols,
                starts,
                shifts,
            },
            of.matching,
            budget,
        )
    }
}

impl Propagating for Revising {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Related {
            places,
            width,
            forward,
            backward,
        } = of.constraint
        else {
            return Ok(Rest::Reached);
        };
        let rows = [
            (&forward[..], *width as usize),
            (&backward[..], *width as usize),
        ];
        self.go(solver, of.number, *places, rows, budget)
    }
}

impl Propagating for LookingAround {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Some(neighbours) = Neighbours::of_constraint(of.constraint) else {
            return Ok(Rest::Reached);
        };
        self.go(solver, of.number, neighbours, budget)
    }
}

impl Propagating for Counting {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Count {
            places,
            values,
            least,
            most,
            ..
        } = of.constraint
        else {
            return Ok(Rest::Reached);
        };
        self.go(solver, of.number, places, values, (*least, *most), budget)
    }
}

impl Propagating for Adding {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        match of.constraint.sum() {
            Some(sum) => self.go(solver, of.number, sum, budget),
            None => Ok(Rest::Reached),
        }
    }
}

impl Propagating for Spelling {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Table { places, table, .. } = of.constraint else {
            return Ok(Rest::Reached);
        };
        self.go(solver, of.number, places, table, budget)
    }
}

impl Propagating for Reading {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Pattern {
            places, automaton, ..
        } = of.constraint
        else {
            return Ok(Rest::Reached);
        };
        self.go(solver, of.number, places, automaton, budget)
    }
}

impl Propagating for Joining {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Connected {
            columns,
            rows,
            values,
        } = of.constraint
        else {
            return Ok(Rest::Reached);
        };
        let piece = Piece {
            columns: *columns as usize,
            rows: *rows as usize,
            values,
        };
        self.go(solver, of.number, piece, of.matching, budget)
    }
}

impl Propagating for Reaching {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let Constraint::Reachable {
            columns,
            rows,
            values,
            ends,
        } = of.constraint
        else {
            return Ok(Rest::Reached);
        };
        let (columns, rows) = (*columns as usize, *rows as usize);
        self.go(
            solver,
            of.number,
            Way {
                columns,
                rows,
                values,
                ends: *ends,
            },
            of.matching,
            budget,
        )
    }
}

/// One of them that has stopped.
#[derive(Clone, Debug)]
pub(super) enum Propagation {
    Parting(Parting),
    Revising(Revising),
    LookingAround(LookingAround),
    Counting(Counting),
    Adding(Adding),
    Spelling(Spelling),
    Reading(Reading),
    Joining(Joining),
    Reaching(Reaching),
}

impl Propagating for Propagation {
    fn propagate(
        &mut self,
        solver: &mut Solver,
        of: Of,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        match self {
            Propagation::Parting(parting) => parting.propagate(solver, of, budget),
            Propagation::Revising(revising) => revising.propagate(solver, of, budget),
            Propagation::LookingAround(looking) => looking.propagate(solver, of, budget),
            Propagation::Counting(counting) => counting.propagate(solver, of, budget),
            Propagation::Adding(adding) => adding.propagate(solver, of, budget),
            Propagation::Spelling(spelling) => spelling.propagate(solver, of, budget),
            Propagation::Reading(reading) => reading.propagate(solver, of, budget),
            Propagation::Joining(joining) => joining.propagate(solver, of, budget),
            Propagation::Reaching(reaching) => reaching.propagate(solver, of, budget),
        }
    }
}

impl Propagation {
    pub fn bytes(&self) -> usize {
        match self {
            Propagation::Parting(parting) => parting.bytes(),
            Propagation::Revising(revising) => revising.bytes(),
            Propagation::LookingAround(looking) => looking.bytes(),
            Propagation::Counting(_) => 0,
            Propagation::Adding(adding) => adding.bytes(),
            Propagation::Spelling(spelling) => spelling.bytes(),
            Propagation::Reading(reading) => reading.bytes(),
            Propagation::Joining(joining) => joining.bytes(),
            Propagation::Reaching(reaching) => reaching.bytes(),
        }
    }
}

impl Solver {
    pub(super) fn is_at_rest(&self) -> bool {
        self.under_way.is_none() && self.queues.iter().all(|queue| queue.is_empty())
    }

    /// Whether a propagation may take so many bytes.
    pub(super) fn is_granted(&self, bytes: usize) -> bool {
        bytes <= LITTLE || bytes <= self.granted
    }

    /// Goes on until no propagator finds anything more, or the budget is spent.
    ///
    /// # Errors
    /// [`Wiped`] if a place has no candidate left; what has changed is to be forgotten then.
    pub fn propagate_to_fixpoint(&mut self, budget: &mut Budget) -> Result<Rest, Wiped> {
        loop {
            if budget.is_spent() {
                return Ok(if self.is_at_rest() {
                    Rest::Reached
                } else {
                    Rest::NotYet
                });
            }
            let (number, result) = match self.under_way.take() {
                Some(mut under_way) => {
                    let (number, propagation) = &mut *under_way;
                    let (number, result) = (*number, self.advance(*number, propagation, budget));
                    if let Ok(Rest::NotYet | Rest::Wants(_)) = result {
                        self.under_way = Some(under_way);
                    }
                    (number, result)
                }
                None => {
                    let Some(number) = self.queues.iter_mut().find_map(VecDeque::pop_front) else {
                        budget.spend(std::mem::take(&mut self.wakes));
                        return Ok(Rest::Reached);
                    };
                    self.waking[number as usize].is_queued = false;
                    (number, self.begin(number, budget))
                }
            };
            match result {
                Ok(Rest::Reached) => self.granted = 0,
                Ok(other) => return Ok(other),
                Err(wiped) => return Err(self.wiped_by(number, wiped)),
            }
        }
    }

    /// Lets a constraint look at what concerns it. It is under way if that is not done then.
    fn begin(&mut self, number: u32, budget: &mut Budget) -> Result<Rest, Wiped> {
        if let Some(result) = self.go_shortly(number, budget) {
            return result;
        }
        match &*self.constraints[number as usize] {
            Constraint::Different { .. } => {
                self.begin_with(number, Parting::default(), Propagation::Parting, budget)
            }
            Constraint::Related { .. } => {
                self.begin_with(number, Revising::default(), Propagation::Revising, budget)
            }
            Constraint::Adjacent { .. } => self.begin_with(
                number,
                LookingAround::default(),
                Propagation::LookingAround,
                budget,
            ),
            Constraint::Count { .. } => {
                self.begin_with(number, Counting::default(), Propagation::Counting, budget)
            }
            Constraint::Sum { .. } => {
                self.begin_with(number, Adding::default(), Propagation::Adding, budget)
            }
            Constraint::Table { .. } => {
                self.begin_with(number, Spelling::default(), Propagation::Spelling, budget)
            }
            Constraint::Pattern { .. } => {
                self.begin_with(number, Reading::default(), Propagation::Reading, budget)
            }
            Constraint::Reachable { .. } => {
                self.begin_with(number, Reaching::default(), Propagation::Reaching, budget)
            }
            // Callbacks are never queued.
            Constraint::Connected { .. } | Constraint::Callback { .. } => {
                self.begin_with(number, Joining::default(), Propagation::Joining, budget)
            }
        }
    }

    fn begin_with<P: Propagating>(
        &mut self,
        number: u32,
        mut propagating: P,
        stopped: fn(P) -> Propagation,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let result = self.advance(number, &mut propagating, budget);
        if let Ok(Rest::NotYet | Rest::Wants(_)) = result {
            self.under_way = Some(Box::new((number, stopped(propagating))));
        }
        result
    }

    fn advance(
        &mut self,
        number: u32,
        propagating: &mut impl Propagating,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        let constraint = self.constraints[number as usize].clone();
        let mut matching = std::mem::take(&mut self.matchings[number as usize]);
        let of = Of {
            number,
            constraint: &constraint,
            matching: &mut matching,
        };
        let result = propagating.propagate(self, of, budget);
        self.matchings[number as usize] = matching;
        self.looks_from = None;
        budget.spend(VISITS_OF_BEGINNING + std::mem::take(&mut self.wakes));
        result
    }

    fn wiped_by(&mut self, number: u32, wiped: Wiped) -> Wiped {
        self.granted = 0;
        self.weights[number as usize] += 1;
        self.failed = Some(number);
        self.note_failure(number);
        wiped
    }

    /// Lets a constraint look at what concerns it in a way that keeps nothing, so that most of what puzzles and maps need comes to no
    /// more than this. Nothing if there is no such way.
    fn go_shortly(&mut self, number: u32, budget: &mut Budget) -> Option<Result<Rest, Wiped>> {
        let constraint = self.constraints[number as usize].clone();
        match &*constraint {
            Constraint::Adjacent { .. } => {
                let neighbours = Neighbours::of_constraint(&constraint)
                    .filter(|neighbours| neighbours.are_words(self))?;
                let result = look_by_words(self, number, neighbours, budget);
                self.looks_from = None;
                self.end_look(number, result, VISITS_OF_LOOK, budget, || {
                    Propagation::LookingAround(LookingAround::default())
                })
            }
            Constraint::Different {
                places,
                symbols,
                starts,
                shifts,
            } => {
                let own = Places {
                    places,
                    symbols,
                    starts,
                    shifts,
                };
                let mut matching = std::mem::take(&mut self.matchings[number as usize]);
                let result = few_symbols::part(self, number, own, &mut matching, budget);
                self.matchings[number as usize] = matching;
                let result = result?.map(|()| Rest::Reached);
                self.end_look(number, result, VISITS_OF_BEGINNING, budget, || {
                    Propagation::Parting(Parting::default())
                })
            }
            Constraint::Sum { .. } => {
                let sum = constraint
                    .sum()
                    .filter(|sum| sum.go_up && self.domains.is_plain())?;
                let result = bounds::keep(self, number, sum, budget);
                self.end_look(number, result, VISITS_OF_BEGINNING, budget, || {
                    Propagation::Adding(Adding::default())
                })
            }
            Constraint::Pattern {
                places,
                automaton,
                steps: Some(steps),
            } if self.domains.is_plain() => {
                let result = steps
                    .read(self, number, places, automaton, budget)
                    .map(|()| Rest::Reached);
                self.end_look(number, result, VISITS_OF_BEGINNING, budget, || {
                    Propagation::Reading(Reading::default())
                })
            }
            _ => None,
        }
    }

    /// Ends a look at a constraint, which goes on otherwise if it is not done.
    #[inline(always)]
    fn end_look(
        &mut self,
        number: u32,
        result: Result<Rest, Wiped>,
        visits: usize,
        budget: &mut Budget,
        otherwise: impl FnOnce() -> Propagation,
    ) -> Option<Result<Rest, Wiped>> {
        budget.spend(visits + std::mem::take(&mut self.wakes));
        if let Ok(Rest::NotYet | Rest::Wants(_)) = result {
            self.under_way = Some(Box::new((number, otherwise())));
        }
        Some(result)
    }
}
