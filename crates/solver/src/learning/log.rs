//! The log of a search: its clauses, step by step, with what each follows from, for proofs
//! (`docs/decisions/proofs.md`).
//!
//! What follows from the values of one place alone is not written: the checker knows that each place has one of them.

use super::literal::Lit;
use ndscript_base::keyed::{KeyedMap, hasher};
use ndscript_base::room;
use std::hash::{Hash, Hasher};

/// The number of a step, from 1 on; 0 is none.
pub type Id = u32;

/// The rule of steps that follow from others, and of solutions that were found and are ruled out.
pub const FOLLOWS: u32 = u32::MAX;
pub const SOLVED: u32 = u32::MAX - 1;
/// A step that follows from the values of one place alone. It is recorded, as literals of it may be left out later, but
/// is not written.
pub const PLAIN: u32 = u32::MAX - 2;

/// The meaning of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// It always holds.
    #[default]
    Truth,
    /// The place has one of these values.
    Within(u32, Vec<u32>),
    /// The rest is known to the constraint only for which the variable was made. The places spell this row of the table.
    Row(u32),
    /// After this number of places the automaton is in this state.
    State(u32, u32),
    /// The two places of this edge fit.
    Fits(u32),
    /// The first this number of pairs are equal.
    Equal(u32),
}

impl Meaning {
    /// The place has one of some values.
    pub fn within(place: usize, values: impl IntoIterator<Item = u32>) -> Meaning {
        Meaning::Within(place as u32, values.into_iter().collect())
    }
}

/// A clause from a constraint, or one that follows from others.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Of which constraint, by number; or [`FOLLOWS`] or [`SOLVED`].
    rule: u32,
    /// The ends of its literals and of the steps that it follows from.
    literals: u32,
    hints: u32,
}

/// The steps.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// By variable, with the constraint that it was made for.
    meanings: Vec<(u32, Meaning)>,
    /// By place, the values that it may have.
    places: Vec<Vec<u32>>,
    /// The constraint that is being encoded.
    rule: u32,
    steps: Vec<Step>,
    literals: Vec<Lit>,
    hints: Vec<Id>,
    /// By variable, the step that fixes its value.
    units: Vec<Id>,
    /// The length of the part of the trail whose literals have their steps.
    pub(super) looked_at: usize,
    /// The constraint of each exclusion, linear constraint and kernel.
    exclusions: Vec<u32>,
    linears: Vec<u32>,
    kernels: Vec<u32>,
    /// Explanations by hash: equal ones are frequent.
    explained: KeyedMap<u64, Id>,
    /// The clause without literals.
    end: Id,
}

impl Log {
    pub fn set_rule(&mut self, rule: u32) {
        self.rule = rule;
    }

    pub fn add_place(&mut self, values: Vec<u32>) {
        self.places.push(values);
    }

    pub fn record_meaning(&mut self, literal: Lit, meaning: Meaning) {
        let at = literal.variable();
        self.meanings
            .resize(self.meanings.len().max(at + 1), Default::default());
        self.meanings[at] = (self.rule, meaning);
    }

    pub fn record_exclusion(&mut self) {
        self.exclusions.push(self.rule);
    }

    pub fn record_linear(&mut self) {
        self.linears.push(self.rule);
    }

    pub fn record_kernel(&mut self) {
        self.kernels.push(self.rule);
    }

    pub fn rule_of_exclusion(&self, number: u32) -> u32 {
        self.exclusions[number as usize]
    }

    pub fn rule_of_linear(&self, number: u32) -> u32 {
        self.linears[number as usize]
    }

    pub fn rule_of_kernel(&self, number: u32) -> u32 {
        self.kernels[number as usize]
    }

    /// The meaning of a variable, and the constraint that it was made for.
    pub fn meaning(&self, literal: Lit) -> (u32, &Meaning) {
        match self.meanings.get(literal.variable()) {
            Some((rule, meaning)) => (*rule, meaning),
            None => (0, &Meaning::Truth),
        }
    }

    /// Whether a clause follows from the values of one place.
    pub fn is_plain(&self, literals: &[Lit]) -> bool {
        let place_of = |literal: &Lit| match self.meaning(*literal) {
            (_, Meaning::Within(place, _)) => Some(*place),
            _ => None,
        };
        let Some(place) = literals.first().and_then(place_of) else {
            return literals
                .iter()
                .any(|literal| literal.is() && self.meaning(*literal).1 == &Meaning::Truth);
        };
        literals
            .iter()
            .all(|literal| place_of(literal) == Some(place))
            && self.places[place as usize].iter().all(|value| {
                literals.iter().any(|literal| match self.meaning(*literal) {
                    (_, Meaning::Within(_, values)) => values.contains(value) == literal.is(),
                    _ => false,
                })
            })
    }

    /// Adds a step.
    pub fn add(&mut self, rule: u32, literals: &[Lit], hints: &[Id]) -> Id {
        self.literals.extend_from_slice(literals);
        self.hints.extend_from_slice(hints);
        self.steps.push(Step {
            rule,
            literals: self.literals.len() as u32,
            hints: self.hints.len() as u32,
        });
        let id = self.steps.len() as Id;
        if literals.is_empty() && self.end == 0 {
            self.end = id;
        }
        id
    }

    /// Adds a clause of the constraint that is being encoded.
    pub fn say(&mut self, literals: &[Lit]) -> Id {
        let rule = match self.is_plain(literals) {
            true => PLAIN,
            false => self.rule,
        };
        let mut literals = literals.to_vec();
        self.leave_out_never(&mut literals);
        self.add(rule, &literals, &[])
    }

    /// Leaves out what never holds.
    fn leave_out_never(&self, literals: &mut Vec<Lit>) {
        literals.retain(|literal| literal.is() || self.meaning(*literal).1 != &Meaning::Truth);
    }

    /// A clause that one constraint implies.
    pub fn explain(&mut self, rule: u32, mut literals: Vec<Lit>) -> Id {
        literals.sort_unstable();
        self.leave_out_never(&mut literals);
        let mut hash = hasher();
        (rule, &literals).hash(&mut hash);
        let hash = hash.finish();
        if let Some(known) = self.explained.get(&hash).copied()
            && self.rule_of(known) == rule
            && self.clause(known) == literals
        {
            return known;
        }
        let id = self.add(rule, &literals, &[]);
        self.explained.insert(hash, id);
        id
    }

    /// Whose clause a step is.
    pub fn rule_of(&self, id: Id) -> u32 {
        self.steps[id as usize - 1].rule
    }

    fn before(&self, id: Id) -> (usize, usize) {
        let before = (id as usize).checked_sub(2).map(|at| self.steps[at]);
        before.map_or((0, 0), |step| (step.literals as usize, step.hints as usize))
    }

    /// The literals of a step.
    pub fn clause(&self, id: Id) -> &[Lit] {
        &self.literals[self.before(id).0..self.steps[id as usize - 1].literals as usize]
    }

    /// The steps that a step follows from, in order.
    pub fn hints(&self, id: Id) -> &[Id] {
        &self.hints[self.before(id).1..self.steps[id as usize - 1].hints as usize]
    }

    /// The step that fixes the value of a variable; 0 if there is none.
    pub fn unit(&self, variable: usize) -> Id {
        self.units.get(variable).copied().unwrap_or_default()
    }

    pub fn set_unit(&mut self, literal: Lit, id: Id) {
        let at = literal.variable();
        self.units.resize(self.units.len().max(at + 1), 0);
        self.units[at] = id;
    }

    /// The step with the empty clause; 0 if there is none yet.
    pub fn end(&self) -> Id {
        self.end
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The bytes that it owns, about.
    pub fn bytes(&self) -> usize {
        let meanings = self.meanings.len() * 64;
        meanings
            + room::row(&self.steps)
            + room::row(&self.literals)
            + room::row(&self.hints)
            + room::row(&self.units)
            + self.explained.len() * 24
    }
}
