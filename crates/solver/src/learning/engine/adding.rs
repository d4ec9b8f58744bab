//! Adds clauses, exclusions, linear constraints and kernels.

use std::sync::Arc;

use super::{Attached, Engine, Reason, Watch};
use crate::kernel::Kernel;
use crate::learning::clauses::ClauseAt;
use crate::learning::linear::Linear;
use crate::learning::literal::Lit;
use crate::learning::log::Id;

/// Roughly the bytes of a variable in all rows that have an entry for it, and of a clause and each of its literals,
/// with their watches.
pub(super) const BYTES_OF_VARIABLE: usize = 260;
const BYTES_OF_CLAUSE: usize = 64;
const BYTES_OF_LITERAL: usize = 12;

/// Adding constraints, while nothing is decided.
impl Engine {
    /// Takes this number of bytes from those left; false if there are too few.
    pub fn reserve(&mut self, bytes: usize) -> bool {
        let left = self.bytes_left.checked_sub(bytes);
        self.is_full |= left.is_none();
        self.bytes_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Adds a clause: at least one of these holds.
    pub fn add_clause(&mut self, literals: &[Lit]) {
        if !self.reserve(BYTES_OF_CLAUSE + BYTES_OF_LITERAL * literals.len()) {
            return;
        }
        let id = self.log_clause(literals);
        let mut open: Vec<Lit> = literals.to_vec();
        open.sort_unstable();
        open.dedup();
        if open.windows(2).any(|pair| pair[0] == !pair[1])
            || open.iter().any(|literal| self.holds(*literal))
        {
            return;
        }
        open.retain(|literal| self.is_open(*literal));
        match open[..] {
            [] => {
                self.is_unsat = true;
                self.log_shortened(id, None);
            }
            [only] => {
                self.enqueue(only, Reason::None);
                self.log_shortened(id, Some(only));
            }
            _ => {
                self.add_watched(&open, 0, id);
            }
        }
    }

    /// Stores a clause of at least two literals, which watches the first two.
    pub fn add_watched(&mut self, literals: &[Lit], levels: u32, id: Id) -> ClauseAt {
        let clause = self.clauses.add(literals, levels);
        if self.log.is_some() {
            self.clauses.set_id(id);
        }
        self.watches[literals[0].index()].push(Watch {
            clause,
            other: literals[1],
        });
        self.watches[literals[1].index()].push(Watch {
            clause,
            other: literals[0],
        });
        clause
    }

    /// Adds a clause that was learned before.
    pub fn add_learned(&mut self, literals: &[Lit], levels: u32) {
        let mut open: Vec<Lit> = literals.to_vec();
        open.sort_unstable();
        open.dedup();
        open.retain(|literal| !self.holds(!*literal));
        let is_over = open.iter().any(|literal| self.holds(*literal))
            || open.windows(2).any(|pair| pair[0] == !pair[1]);
        match open[..] {
            _ if is_over => {}
            [] | [_] => self.add_clause(&open),
            _ => {
                self.add_watched(&open, levels, 0);
            }
        }
    }

    /// Adds an exclusion: at most one of these holds.
    pub fn add_exclusion(&mut self, literals: &[Lit]) {
        if !self.reserve(BYTES_OF_CLAUSE + BYTES_OF_LITERAL * literals.len()) {
            return;
        }
        let mut own: Vec<Lit> = literals.to_vec();
        own.sort_unstable();
        // A literal that is listed twice cannot hold.
        let twice: Vec<Lit> = own
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        twice
            .into_iter()
            .for_each(|literal| self.add_clause(&[!literal]));
        own.retain(|literal| !self.holds(!*literal));
        own.dedup();
        let holding: Vec<Lit> = own
            .iter()
            .copied()
            .filter(|literal| self.holds(*literal))
            .collect();
        match holding[..] {
            [] if own.len() < 2 => {}
            [] if own.len() == 2 => self.add_clause(&[!own[0], !own[1]]),
            [] => {
                let number = self.exclusion_starts.len() as u32;
                self.exclusion_starts.push(self.exclusions.len() as u32);
                if let Some(log) = &mut self.log {
                    log.record_exclusion();
                }
                self.exclusions.extend_from_slice(&own);
                for literal in own {
                    self.exclusions_of[literal.index()].push(number);
                }
            }
            [only] => {
                for other in own.into_iter().filter(|other| *other != only) {
                    self.add_clause(&[!only, !other]);
                }
            }
            [first, second, ..] => self.add_clause(&[!first, !second]),
        }
    }

    /// Adds a linear constraint: the weights of the literals that hold add up to at most the bound.
    pub fn add_linear(&mut self, terms: Vec<(i64, Lit)>, mut bound: i64) {
        if !self.reserve(BYTES_OF_CLAUSE + 3 * BYTES_OF_LITERAL * terms.len()) {
            return;
        }
        let mut open = Vec::with_capacity(terms.len());
        for (weight, literal) in terms {
            // A logged constraint is stored whole, because its steps follow from the constraint alone.
            if self.log.is_some() {
                open.push((weight, literal));
            } else if self.holds(literal) {
                bound -= weight;
            } else if !self.holds(!literal) {
                open.push((weight, literal));
            }
        }
        let Some(linear) = Linear::new(open, bound) else {
            return;
        };
        if linear.slack < 0 {
            return self.add_clause(&[]);
        }
        let are_alike = linear
            .terms
            .iter()
            .all(|(weight, _)| 2 * weight > linear.slack);
        if are_alike && linear.heaviest() <= linear.slack {
            let literals: Vec<Lit> = linear.terms.iter().map(|(_, literal)| *literal).collect();
            return self.add_exclusion(&literals);
        }
        let number = self.linears.len() as u32;
        if let Some(log) = &mut self.log {
            log.record_linear();
        }
        for (weight, literal) in &linear.terms {
            self.linear_terms_of[literal.index()].push((number, *weight));
        }
        let too_heavy: Vec<Lit> = linear
            .terms
            .iter()
            .take_while(|(weight, _)| *weight > linear.slack)
            .map(|(_, literal)| *literal)
            .collect();
        self.linears.push(linear);
        for literal in too_heavy {
            self.add_clause(&[!literal]);
        }
    }

    /// Adds a kernel with the literals of its items.
    pub fn add_kernel(&mut self, kernel: Arc<dyn Kernel>, items: Vec<Lit>) {
        let number = self.kernels.len() as u32;
        let mut own: Vec<usize> = items.iter().map(|item| item.variable()).collect();
        own.sort_unstable();
        own.dedup();
        for variable in own {
            self.kernels_of[variable].push(number);
        }
        if let Some(log) = &mut self.log {
            log.record_kernel();
        }
        self.kernels.push(Attached {
            kernel,
            items,
            waits: true,
        });
        self.waiting.push(number);
    }

    /// Values that keep a bound are tried first where values as likely as these would break it. `chances` has by variable
    /// how likely it is that it holds. Returns its work.
    pub fn keep_bounds(&mut self, chances: &[f64]) -> usize {
        let mut work = 0;
        for linear in &self.linears {
            work += 4 * linear.terms.len();
            let open = linear.terms.iter().filter(|(_, own)| self.is_open(*own));
            let likely: f64 = open
                .map(|(weight, literal)| {
                    let chance = chances[literal.variable()];
                    *weight as f64 * if literal.is() { chance } else { 1.0 - chance }
                })
                .sum();
            let held = linear.terms.iter().filter(|(_, own)| self.holds(*own));
            let held: i64 = held.map(|(weight, _)| weight).sum();
            if likely > (linear.bound - held) as f64 {
                for (_, literal) in &linear.terms {
                    self.phase[literal.variable()] = !literal.is();
                }
            }
        }
        work
    }
}
