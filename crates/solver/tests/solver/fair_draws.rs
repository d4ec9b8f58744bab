//! Fair draws against all solutions of boards that are too large for one block.

use ndscript_base::budget::Budget;
use ndscript_solver::learning::FairDraw;
use ndscript_solver::{Connected, Count, Related, Solver, Tally};

const SIDE: u32 = 4;
const CELLS: u32 = SIDE * SIDE;
const INSIDE: u32 = 8;
const DRAWS: u32 = 200;

fn is_connected(mask: u32) -> bool {
    let mut seen = mask & mask.wrapping_neg();
    loop {
        let column = |at: u32| (0..SIDE).fold(0, |bits, row| bits | 1 << (row * SIDE + at));
        let right = (seen & !column(SIDE - 1)) << 1;
        let left = (seen & !column(0)) >> 1;
        let next = (seen | right | left | seen << SIDE | seen >> SIDE) & mask;
        if next == seen {
            return seen == mask;
        }
        seen = next;
    }
}

/// What is drawn from a solution, both as masks.
fn drawn(solver: &Solver, first: u32, seed: u64) -> u32 {
    let first = (0..solver.places()).map(|place| first >> place & 1);
    let mut draw = FairDraw::new(solver, first.collect(), seed, 1 << 24);
    while !draw.resume(&mut Budget::unlimited()) {}
    (0..)
        .zip(draw.values())
        .fold(0, |mask, (place, value)| mask | value << place)
}

/// Of the solutions, one has 1 at the first place: that where all begin.
#[test]
fn where_a_draw_begins_is_forgotten() {
    let others = 6;
    let mut solver = Solver::with_domains(2, &vec![vec![0b11]; 1 + others as usize]);
    for other in 1..=others {
        // 1 goes with 1 alone.
        solver.add(Related {
            places: [0, other],
            width: 1,
            forward: vec![0b11, 0b10],
            backward: vec![0b01, 0b11],
        });
    }
    let draws = 650;
    let ones = (0..draws).filter(|seed| drawn(&solver, 0b111_1111, *seed) & 1 == 1);
    // Ten are expected, and a deviation of three.
    let ones = ones.count();
    assert!((1..=22).contains(&ones), "{ones} of {draws}");
}

#[test]
fn each_cell_is_inside_as_often_as_in_all_solutions() {
    let all: Vec<u32> = (0..1 << CELLS)
        .filter(|mask: &u32| mask.count_ones() == INSIDE && is_connected(*mask))
        .collect();
    let mut solver = Solver::with_domains(2, &vec![vec![0b11]; CELLS as usize]);
    solver.add(Connected {
        columns: SIDE,
        rows: SIDE,
        values: vec![0b10],
    });
    solver.add(Count {
        places: (0..CELLS).collect(),
        values: vec![0b10],
        least: u64::from(INSIDE),
        most: u64::from(INSIDE),
        tally: Tally::Exactly,
    });
    let mut found: Vec<u32> = (0..DRAWS)
        .map(|seed| drawn(&solver, all[0], u64::from(seed)))
        .collect();
    for mask in &found {
        assert!(all.contains(mask), "{mask:b} is no solution");
    }
    for cell in 0..CELLS {
        let count = |masks: &[u32]| masks.iter().filter(|mask| **mask >> cell & 1 == 1).count();
        let share = count(&all) as f64 / all.len() as f64;
        let expected = share * f64::from(DRAWS);
        let deviation = (expected * (1.0 - share)).sqrt();
        let times = count(&found) as f64;
        assert!(
            (times - expected).abs() < 4.0 * deviation,
            "cell {cell}: {times} of {DRAWS}, not {expected:.0} +- {deviation:.0}"
        );
    }
    // Draws repeat some solutions by chance, as birthdays do.
    let expected = all.len() as f64 * (1.0 - (1.0 - 1.0 / all.len() as f64).powi(DRAWS as i32));
    found.sort_unstable();
    found.dedup();
    let different = found.len() as f64;
    assert!(
        (different - expected).abs() < 0.05 * expected,
        "{different} different ones, not {expected:.0} of {}",
        all.len()
    );
}
