//! Small groups of places that a constraint joins closely, see [`Propagator::groups`](crate::propagator::Propagator::groups).

/// The most places of a group.
pub const MOST_OF_GROUP: usize = 64;

/// Each square of two by two cells of a grid; of a grid that is one line, each pair of neighbors.
pub fn squares(columns: u32, rows: u32, take: &mut dyn FnMut(Vec<u32>)) {
    let (wide, high) = (columns.min(2), rows.min(2));
    for y in 0..=rows - high {
        for x in 0..=columns - wide {
            let cells = (0..high).flat_map(|down| (0..wide).map(move |right| [right, down]));
            take(
                cells
                    .map(|[right, down]| (y + down) * columns + x + right)
                    .collect(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::squares;

    #[test]
    fn neighbors_share_a_square() {
        let groups_of = |columns, rows| {
            let mut found = Vec::new();
            squares(columns, rows, &mut |group| found.push(group));
            found
        };
        assert_eq!(groups_of(3, 2), [[0, 1, 3, 4], [1, 2, 4, 5]]);
        assert_eq!(groups_of(1, 3), [[0, 1], [1, 2]]);
        assert_eq!(groups_of(1, 1), [[0]]);
    }
}
