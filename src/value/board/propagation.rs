//! Bringing the constraints of a board to rest: each that has something to look at takes away what it rules out, until
//! none finds anything more.

use std::collections::VecDeque;

use super::adding::{Adding, Sum};
use super::automaton::Reading;
use super::constraint::Constraint;
use super::counting::Counting;
use super::different::Parting;
use super::piece::Piece;
use super::relating::{LookingAround, Neighbours, Revising, VISITS_OF_LOOK, look_by_words};
use super::symbols::Places;
use super::table::Spelling;
use super::ways::Joining;
use super::{Board, Rest, Wiped};
use crate::value::budget::Budget;
use crate::value::heap::Heap;
use crate::value::value::Handle;

/// So little is taken without asking.
const LITTLE: usize = 1 << 12;

/// What a constraint does that is being propagated.
#[expect(clippy::large_enum_variant, reason = "it lies on the stack, and in a box of its own while it is under way")]
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
}

impl Propagation {
    fn of(constraint: &Constraint) -> Propagation {
        match constraint {
            Constraint::Different { .. } => Propagation::Parting(Parting::default()),
            Constraint::Related { .. } => Propagation::Revising(Revising::default()),
            Constraint::Adjacent { .. } => Propagation::LookingAround(LookingAround::default()),
            Constraint::Count { .. } => Propagation::Counting(Counting::default()),
            Constraint::Sum { .. } => Propagation::Adding(Adding::default()),
            Constraint::Table { .. } => Propagation::Spelling(Spelling::default()),
            Constraint::Pattern { .. } => Propagation::Reading(Reading::default()),
            // Functions of the program are never queued.
            Constraint::Connected { .. } | Constraint::Reachable { .. } | Constraint::Function { .. } => {
                Propagation::Joining(Joining::default())
            }
        }
    }

    fn go(
        &mut self,
        board: &mut Board,
        number: u32,
        constraint: &Constraint,
        matching: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Rest, Wiped> {
        match (self, constraint) {
            (Propagation::Parting(parting), Constraint::Different { places, symbols, starts }) => {
                parting.go(board, number, Places { places, symbols, starts }, matching, budget)
            }
            (Propagation::Revising(revising), Constraint::Related { places, width, forward, backward }) => {
                let rows = [(&forward[..], *width as usize), (&backward[..], *width as usize)];
                revising.go(board, number, *places, rows, budget)
            }
            (Propagation::LookingAround(looking), Constraint::Adjacent { .. }) => {
                let Some(neighbours) = Neighbours::of_constraint(constraint) else { return Ok(Rest::Reached) };
                looking.go(board, number, neighbours, budget)
            }
            (Propagation::Counting(counting), Constraint::Count { places, values, least, most }) => {
                counting.go(board, number, places, values, (*least, *most), budget)
            }
            (Propagation::Adding(adding), Constraint::Sum { places, factors, numbers, low, high }) => {
                adding.go(board, number, Sum { places, factors, numbers, low: *low, high: *high }, budget)
            }
            (Propagation::Spelling(spelling), Constraint::Table { places, table }) => {
                spelling.go(board, number, places, table, budget)
            }
            (Propagation::Reading(reading), Constraint::Pattern { places, automaton }) => {
                reading.go(board, number, places, automaton, budget)
            }
            (Propagation::Joining(joining), Constraint::Connected { columns, rows, values }) => {
                let (columns, rows) = (*columns as usize, *rows as usize);
                joining.go(board, number, Piece { columns, rows, values, ends: None }, budget)
            }
            (Propagation::Joining(joining), Constraint::Reachable { columns, rows, values, ends }) => {
                let (columns, rows) = (*columns as usize, *rows as usize);
                joining.go(board, number, Piece { columns, rows, values, ends: Some(*ends) }, budget)
            }
            _ => Ok(Rest::Reached),
        }
    }

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
        }
    }
}

impl Heap {
    /// Goes on until the board is at rest or the budget is spent.
    ///
    /// # Errors
    /// [`Wiped`] if a place has no candidate left; what has changed is to be forgotten then.
    pub fn bring_to_rest(&mut self, board: Handle, budget: &mut Budget) -> Result<Rest, Wiped> {
        let board = &mut self.boards[board];
        let before = board.bytes_in_motion();
        let result = board.go(budget);
        let now = board.bytes_in_motion();
        board.counted = (board.counted + now).saturating_sub(before);
        self.bytes = (self.bytes + now).saturating_sub(before);
        result
    }

    /// Lets the propagation that is under way have so many bytes.
    pub fn grant(&mut self, board: Handle, bytes: usize) {
        self.boards[board].granted = bytes;
        self.count_board(board);
    }
}

impl Board {
    pub(super) fn is_at_rest(&self) -> bool {
        self.under_way.is_none() && self.queues.iter().all(|queue| queue.is_empty())
    }

    /// Whether a propagation may take so many bytes.
    pub(super) fn is_granted(&self, bytes: usize) -> bool {
        bytes <= LITTLE || bytes <= self.granted
    }

    fn go(&mut self, budget: &mut Budget) -> Result<Rest, Wiped> {
        loop {
            if budget.is_spent() {
                return Ok(if self.is_at_rest() { Rest::Reached } else { Rest::NotYet });
            }
            let (number, mut propagation) = match self.under_way.take() {
                Some(under_way) => *under_way,
                None => {
                    let Some(number) = self.queues.iter_mut().find_map(VecDeque::pop_front) else {
                        budget.spend(std::mem::take(&mut self.wakes));
                        return Ok(Rest::Reached);
                    };
                    self.is_queued[number as usize] = false;
                    if let Some(result) = self.look_around(number, budget) {
                        match result {
                            Ok(()) => continue,
                            Err(wiped) => return Err(self.wiped_by(number, wiped)),
                        }
                    }
                    (number, Propagation::of(&self.constraints[number as usize]))
                }
            };
            let constraint = self.constraints[number as usize].clone();
            let mut matching = std::mem::take(&mut self.matchings[number as usize]);
            let result = propagation.go(self, number, &constraint, &mut matching, budget);
            self.matchings[number as usize] = matching;
            self.looks_from = None;
            budget.spend(4 + std::mem::take(&mut self.wakes));
            match result {
                Ok(Rest::Reached) => self.granted = 0,
                Ok(other) => {
                    self.under_way = Some(Box::new((number, propagation)));
                    return Ok(other);
                }
                Err(wiped) => return Err(self.wiped_by(number, wiped)),
            }
        }
    }

    fn wiped_by(&mut self, number: u32, wiped: Wiped) -> Wiped {
        self.granted = 0;
        self.note_conflict(number);
        self.failed = Some(number);
        self.note_failure(number);
        wiped
    }

    /// Lets an `adjacent` look around that keeps nothing on its way, so that most guesses at most maps come to no more than
    /// this. Nothing if the constraint is another one.
    fn look_around(&mut self, number: u32, budget: &mut Budget) -> Option<Result<(), Wiped>> {
        let constraint = self.constraints[number as usize].clone();
        let neighbours = Neighbours::of_constraint(&constraint).filter(|neighbours| neighbours.are_words(self))?;
        let result = look_by_words(self, number, neighbours, budget);
        self.looks_from = None;
        budget.spend(VISITS_OF_LOOK + std::mem::take(&mut self.wakes));
        Some(result.map(|rest| match rest {
            Rest::Reached => self.granted = 0,
            _ => self.under_way = Some(Box::new((number, Propagation::of(&constraint)))),
        }))
    }
}
