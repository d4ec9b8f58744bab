//! Which constraints lie on a place, for whoever looks on.

use super::Constraint;
use crate::value::heap::Heap;
use crate::value::value::Value;

impl Constraint {
    /// The built-in that puts it on a board. Some have more than one name.
    pub fn name(&self) -> &'static str {
        match self {
            Constraint::Different { .. } => "allDifferent",
            Constraint::Related { .. } => "related",
            Constraint::Adjacent { .. } => "adjacent",
            Constraint::Count { .. } => "atLeast, atMost or exactly",
            Constraint::Sum { .. } => "sumOf",
            Constraint::Table { .. } => "tuples",
            Constraint::Pattern { .. } => "pattern",
            Constraint::Connected { .. } => "connected",
            Constraint::Reachable { .. } => "reachable",
            Constraint::Function { .. } => "constrain",
        }
    }

    /// The other places that it looks at together with one; `None` if it is not about that one. Where it is about the
    /// board as a whole there are none.
    fn others(&self, place: usize) -> Option<Vec<usize>> {
        if let Some(places) = self.places() {
            let is_in = places.contains(&(place as u32));
            return is_in.then(|| places.iter().map(|other| *other as usize).filter(|other| *other != place).collect());
        }
        let Constraint::Adjacent { columns, rows, wraps, directions, .. } = self else { return Some(Vec::new()) };
        let (columns, rows) = (i64::from(*columns), i64::from(*rows));
        let (x, y) = (place as i64 % columns.max(1), place as i64 / columns.max(1));
        let neighbour = |dx: i64, dy: i64| {
            let (x, y) = (x + dx, y + dy);
            let (x, y) = if *wraps { (x.rem_euclid(columns), y.rem_euclid(rows)) } else { (x, y) };
            ((0..columns).contains(&x) && (0..rows).contains(&y)).then_some((y * columns + x) as usize)
        };
        let both = directions.iter().flat_map(|direction| {
            let (dx, dy) = (i64::from(direction.columns), i64::from(direction.rows));
            [neighbour(dx, dy), neighbour(-dx, -dy)]
        });
        let mut others: Vec<usize> = both.flatten().filter(|other| *other != place).collect();
        others.sort_unstable();
        others.dedup();
        Some(others)
    }
}

impl Heap {
    /// The constraints on a place of a board, each with the other places that it looks at together with it.
    pub fn constraints_on(&self, container: Value, place: usize) -> Vec<(&'static str, Vec<usize>)> {
        let Some(board) = self.constrained(container) else { return Vec::new() };
        let constraints = self.boards[board].constraints.iter();
        constraints.filter_map(|constraint| Some((constraint.name(), constraint.others(place)?))).collect()
    }
}
