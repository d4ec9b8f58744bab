//! An automaton reads what the places spell.

use crate::bits;
use crate::board::{Board, Written, index};
use crate::state::{Fact, State};

/// For each state the values that enter it, and the states that may come next.
pub struct Pattern {
    places: Vec<usize>,
    ends: Vec<usize>,
    values: Vec<bits::Bits>,
    follows: Vec<Vec<usize>>,
}

impl Pattern {
    pub(crate) fn read(written: &Written<'_>, board: &Board) -> Result<Pattern, String> {
        let [places, ends, states @ ..] = &written.sections[..] else {
            return Err("places or ends are missing".into());
        };
        let count = states.len() / 2;
        if count == 0 || states.len() % 2 == 1 {
            return Err("each state has values and what follows".into());
        }
        let all = |numbers: &[i64]| -> Result<Vec<usize>, String> {
            let states = numbers.iter().map(|number| index(*number, count, "state"));
            states.collect()
        };
        let mut pattern = Pattern {
            places: board.all_places(places)?,
            ends: all(ends)?,
            values: Vec::new(),
            follows: Vec::new(),
        };
        for state in states.chunks(2) {
            pattern.values.push(board.set(&state[0])?);
            pattern.follows.push(all(&state[1])?);
        }
        Ok(pattern)
    }

    pub fn knows(&self, at: usize, state: usize) -> bool {
        (1..=self.places.len()).contains(&at) && state < self.values.len()
    }

    /// No path through the states reads such values and agrees with its known facts.
    pub fn is_impossible(&self, state: &State<'_>, facts: &[(Fact, bool)]) -> bool {
        let mut reached = vec![false; self.values.len()];
        reached[0] = true;
        for (at, place) in self.places.iter().enumerate() {
            let mut next = vec![false; reached.len()];
            for from in (0..reached.len()).filter(|from| reached[*from]) {
                for to in &self.follows[from] {
                    next[*to] = bits::meets(&self.values[*to], state.domain(*place));
                }
            }
            for (fact, is) in facts {
                if let Fact::State(position, known) = fact
                    && *position == at + 1
                {
                    let was_possible = next[*known];
                    if *is {
                        next.fill(false);
                    }
                    next[*known] = was_possible && *is;
                }
            }
            reached = next;
        }
        !self.ends.iter().any(|end| reached[*end])
    }
}
