//! Large tables of three columns, one of which has few values: the search that learns says them otherwise.

use ndscript_base::rng::Rng;
use ndscript_solver::learning::{Learner, Verdict};
use ndscript_solver::{AllDifferent, Budget, Solver, Tuples};

use super::table_of;

/// Values of the two wide columns, and of the narrow one.
const WIDE: u32 = 13;
const NARROW: u32 = 3;

#[test]
fn every_row_of_a_large_table_is_found_once() {
    let mut rng = Rng::new(4);
    let mut conflicts = 0;
    for turn in 0..12 {
        // Of each narrow value all pairs, those that are equal, those that are not, or any.
        let kinds: Vec<u64> = (0..NARROW).map(|_| rng.below(4)).collect();
        let column = turn % 3;
        let mut rows: Vec<[u32; 3]> = Vec::new();
        for key in 0..NARROW {
            for one in 0..WIDE {
                for other in 0..WIDE {
                    let is_in = match kinds[key as usize] {
                        0 => true,
                        1 => one == other,
                        2 => one != other,
                        _ => rng.below(3) == 0,
                    };
                    if is_in {
                        let mut row = [one, other, key];
                        row.rotate_right((column + 1) % 3);
                        rows.push(row);
                    }
                }
            }
        }
        let mut masks = vec![vec![(1 << WIDE) - 1]; 4];
        masks[column] = vec![(1 << NARROW) - 1];
        masks[(column + 1) % 3] = vec![rng.below(1 << WIDE) | 1];
        // The fourth place lets pairs of constraints conflict.
        masks[3] = vec![0b111];
        let different = [(column + 1) as u32 % 3, (column + 2) as u32 % 3, 3];
        let mut solver = Solver::with_domains(WIDE as usize, &masks);
        let table = table_of(rows.concat(), 3);
        solver.add(Tuples {
            places: vec![0, 1, 2],
            table,
            clues: Vec::new(),
        });
        solver.add(AllDifferent::new(different.to_vec()));
        let may_be = |place: usize, value: u32| masks[place][0] >> value & 1 == 1;
        let mut expected: Vec<[u32; 4]> = Vec::new();
        for row in &rows {
            for last in 0..3 {
                let all = [row[0], row[1], row[2], last];
                let [a, b, c] = different.map(|place| all[place as usize]);
                if (0..3).all(|place| may_be(place, row[place])) && a != b && b != c && a != c {
                    expected.push(all);
                }
            }
        }
        let mut learner = Learner::new(&solver, turn as u64, usize::MAX);
        let mut found: Vec<[u32; 4]> = Vec::new();
        loop {
            match learner.resume(&mut Budget::unlimited()) {
                Verdict::Solution => {
                    found.push([0, 1, 2, 3].map(|place| learner.value(place)));
                    learner.exclude();
                }
                Verdict::Resting => {}
                Verdict::NoSolution => break,
                other => panic!("{other:?}"),
            }
        }
        conflicts += learner.conflicts();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{kinds:?} {column}");
    }
    assert!(conflicts > 100, "{conflicts}");
}
