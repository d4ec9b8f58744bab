//! Assumptions: which values places may still have, and facts of single rules.

use crate::bits::{self, Bits};
use crate::board::Board;

/// Something that a literal speaks of.
#[derive(Clone, Debug)]
pub enum Atom {
    /// The place has one of these values.
    In { place: usize, values: Bits },
    /// A fact of a rule, by its number.
    Of { rule: usize, fact: Fact },
}

/// A fact that only one rule knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The places spell this row of the table: the first one, if it is there twice.
    Row(usize),
    /// After this number of places the automaton is in this state, on one fixed path for what the places spell.
    State(usize, usize),
    /// The two places of an edge hold values that fit.
    Fits(usize),
    /// This number of pairs from the first on have equal ranks.
    Equal(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Status {
    True,
    False,
    Open,
}

/// A literal: an atom by number from 1 on, negative if it is not so.
pub type Literal = i32;

/// Begins with the values of the board.
pub struct State<'a> {
    board: &'a Board,
    domains: Vec<Bits>,
    narrowed: Vec<usize>,
    /// By number of the atom, for facts.
    known: Vec<Option<bool>>,
    asserted: Vec<usize>,
}

impl<'a> State<'a> {
    pub fn new(board: &'a Board) -> State<'a> {
        State {
            board,
            domains: board.places.clone(),
            narrowed: Vec::new(),
            known: Vec::new(),
            asserted: Vec::new(),
        }
    }

    /// Supposes nothing any more.
    pub fn clear(&mut self) {
        for place in self.narrowed.drain(..) {
            self.domains[place].clone_from(&self.board.places[place]);
        }
        for atom in self.asserted.drain(..) {
            self.known[atom] = None;
        }
    }

    pub fn domain(&self, place: usize) -> &[u64] {
        &self.domains[place]
    }

    /// The places that were narrowed; some may be there twice.
    pub fn narrowed(&self) -> &[usize] {
        &self.narrowed
    }

    /// The facts of a rule that are supposed, and whether they are so.
    pub fn facts(&self, atoms: &[Atom], rule: usize) -> Vec<(Fact, bool)> {
        let told = self.asserted.iter().filter_map(|at| match &atoms[*at] {
            Atom::Of { rule: own, fact } if *own == rule => Some((*fact, self.known[*at]?)),
            _ => None,
        });
        told.collect()
    }

    /// Whether a literal holds for certain.
    pub fn status(&self, atoms: &[Atom], literal: Literal) -> Status {
        let at = literal.unsigned_abs() as usize - 1;
        let atom_holds = match &atoms[at] {
            Atom::In { place, values } => {
                let domain = &self.domains[*place];
                match (bits::meets(domain, values), bits::is_within(domain, values)) {
                    (false, _) => Some(false),
                    (true, true) => Some(true),
                    (true, false) => None,
                }
            }
            Atom::Of { .. } => self.known.get(at).copied().flatten(),
        };
        match atom_holds {
            None => Status::Open,
            Some(atom_holds) if atom_holds == (literal > 0) => Status::True,
            Some(_) => Status::False,
        }
    }

    /// Supposes that a literal holds. False if that contradicts what is supposed.
    pub fn suppose(&mut self, atoms: &[Atom], literal: Literal) -> bool {
        match self.status(atoms, literal) {
            Status::True => return true,
            Status::False => return false,
            Status::Open => {}
        }
        let at = literal.unsigned_abs() as usize - 1;
        match &atoms[at] {
            Atom::In { place, values } => {
                self.narrowed.push(*place);
                for (word, values) in self.domains[*place].iter_mut().zip(values) {
                    *word &= if literal > 0 { *values } else { !values };
                }
            }
            Atom::Of { .. } => {
                self.known.resize(self.known.len().max(at + 1), None);
                self.known[at] = Some(literal > 0);
                self.asserted.push(at);
            }
        }
        true
    }

    /// Gives a place one value.
    pub fn set(&mut self, place: usize, value: usize) {
        let words = self.domains[place].len();
        self.domains[place] = bits::set_of([value], words);
        self.narrowed.push(place);
    }
}
