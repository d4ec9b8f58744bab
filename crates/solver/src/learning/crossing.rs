//! Two regions of a grid cannot cross. Where four cells meet, no two opposite ones can be of one region while the others are of
//! another: what joins the first two goes around one of the others, so those are apart (the theorem of Jordan).
//!
//! Each region alone does not say so, and a search would learn it anew for each four cells.

use super::encoder::Encoder;
use super::literal::Lit;
use crate::Constraint;
use crate::propagator::JoinedCells;
use std::sync::Arc;

/// So many pairs of regions and meetings of four cells are looked at, at most: what is left out is learned.
const MOST: usize = 1 << 14;

/// Adds the clauses for all pairs of regions. Returns how many pairs and meetings it has looked at.
pub fn add_crossings(encoder: &mut Encoder, constraints: &[Arc<Constraint>]) -> usize {
    let joined = constraints.iter().filter_map(|own| own.joined_cells());
    let regions: Vec<JoinedCells> = joined.filter(|region| region.ends.is_none()).collect();
    let mut visits = 0;
    for (at, first) in regions.iter().enumerate() {
        for second in &regions[at + 1..] {
            if visits >= MOST {
                return visits;
            }
            visits += 1;
            let mut values = first.values.iter().zip(second.values);
            if values.any(|(own, other)| own & other != 0) || first.columns != second.columns {
                continue;
            }
            for corner in (0..first.columns * first.rows).filter(|corner| {
                corner % first.columns + 1 < first.columns
                    && corner / first.columns + 1 < first.rows
            }) {
                if visits >= MOST || encoder.engine.is_full {
                    return visits;
                }
                visits += 1;
                let [down, opposite] = [corner + first.columns, corner + first.columns + 1];
                let [falling, rising] = [[corner, opposite], [corner + 1, down]];
                for [own, other] in [[falling, rising], [rising, falling]] {
                    let mut outside = |places: [usize; 2], region: &JoinedCells| {
                        places.map(|place| !encoder.within(place as u32, region.values))
                    };
                    let (own, other) = (outside(own, first), outside(other, second));
                    let clause: Vec<Lit> = own.into_iter().chain(other).collect();
                    // What holds anyway would take memory.
                    if !clause.iter().any(|literal| encoder.engine.holds(*literal)) {
                        encoder.engine.add_clause(&clause);
                    }
                }
            }
        }
    }
    visits
}
