//! The solver by itself, against brute force on small boards: what is left of each place after propagation never lacks a value of a
//! solution, a search finds every solution once, and taking constraints away leaves nothing of them.

#[path = "solver/cardinality.rs"]
mod cardinality;

use ndscript::rng::Rng;
use ndscript_solver::{
    AllDifferent, Budget, Connected, Constraint, Count, DomainWipeout, Reachable, Related, Solver,
    Sum, TableMaking, Tabled, Tally, Tuples,
};

const COLUMNS: usize = 3;
const ROWS: usize = 2;
const PLACES: usize = COLUMNS * ROWS;
const VALUES: usize = 3;

/// A constraint, and whether values of all places hold it.
type Checked = (Constraint, Box<dyn Fn(&[usize]) -> bool>);

fn some_places(rng: &mut Rng, least: u64, most: u64) -> Vec<u32> {
    let count = (least + rng.below(most - least + 1)) as usize;
    let mut places: Vec<u32> = (0..PLACES as u32).collect();
    while places.len() > count {
        places.swap_remove(rng.below(places.len() as u64) as usize);
    }
    places.sort_unstable();
    places
}

fn bit_of(mask: u64, value: usize) -> bool {
    mask >> value & 1 == 1
}

fn beside(one: usize, other: usize) -> bool {
    let [a, b] = [one, other].map(|place| (place % COLUMNS, place / COLUMNS));
    a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1
}

/// The cells that can be come to from one over cells of a mask.
fn come_to(from: usize, values: &[usize], mask: u64) -> Vec<bool> {
    let mut seen = vec![false; PLACES];
    seen[from] = bit_of(mask, values[from]);
    for _ in 0..PLACES {
        for place in 0..PLACES {
            let is_beside = (0..PLACES).any(|other| seen[other] && beside(place, other));
            seen[place] |= is_beside && bit_of(mask, values[place]);
        }
    }
    seen
}

fn table_of(rows: Vec<u32>, length: usize) -> ndscript_solver::Table {
    match TableMaking::new(rows, length).resume(&mut Budget::unlimited(), &mut |_| true) {
        Tabled::Done(table) => table,
        _ => panic!("nothing stops it"),
    }
}

fn any_constraint(rng: &mut Rng) -> Checked {
    let mask = 1 + rng.below((1 << VALUES) - 2);
    match rng.below(7) {
        0 => {
            let places = some_places(rng, 2, 3);
            let own = places.clone();
            let holds = move |values: &[usize]| {
                let mut here: Vec<usize> =
                    own.iter().map(|place| values[*place as usize]).collect();
                here.sort_unstable();
                here.windows(2).all(|two| two[0] != two[1])
            };
            (AllDifferent::new(places).into(), Box::new(holds))
        }
        1 => {
            let places = some_places(rng, 2, 2);
            let forward: Vec<u64> = (0..VALUES).map(|_| rng.below(1 << VALUES)).collect();
            let backward = (0..VALUES).map(|value| {
                let allows = |other: &usize| bit_of(forward[*other], value);
                (0..VALUES)
                    .filter(allows)
                    .fold(0, |row, other| row | 1 << other)
            });
            let constraint = Related {
                places: [places[0], places[1]],
                width: 1,
                backward: backward.collect(),
                forward: forward.clone(),
            };
            let holds = move |values: &[usize]| {
                bit_of(
                    forward[values[places[0] as usize]],
                    values[places[1] as usize],
                )
            };
            (constraint.into(), Box::new(holds))
        }
        2 => {
            let places = some_places(rng, 3, 6);
            let (least, most) = (rng.below(3), 1 + rng.below(4));
            let own = places.clone();
            let holds = move |values: &[usize]| {
                let is_counted = |place: &&u32| bit_of(mask, values[**place as usize]);
                (least..=most).contains(&(own.iter().filter(is_counted).count() as u64))
            };
            let constraint = Count {
                places,
                values: vec![mask],
                least,
                most,
                tally: Tally::Exactly,
            };
            (constraint.into(), Box::new(holds))
        }
        3 => {
            let places = some_places(rng, 3, 3);
            let factors: Vec<f64> = (0..3).map(|_| rng.below(5) as f64 - 2.0).collect();
            // In order, or not: both ways of finding bounds.
            let numbers = [vec![0.0, 1.0, 2.0], vec![2.0, 0.5, 1.0]][rng.below(2) as usize].clone();
            let low = rng.below(5) as f64 - 2.0;
            let high = low + rng.below(3) as f64;
            let (own, by, of) = (places.clone(), factors.clone(), numbers.clone());
            let holds = move |values: &[usize]| {
                let part = |(place, factor): (&u32, &f64)| of[values[*place as usize]] * factor;
                (low..=high).contains(&own.iter().zip(&by).map(part).sum::<f64>())
            };
            let constraint = Sum::new(places, factors, numbers, [low, high]);
            (constraint.into(), Box::new(holds))
        }
        4 => {
            let places = some_places(rng, 3, 3);
            let rows: Vec<u32> = (0..3 * (1 + rng.below(8)))
                .map(|_| rng.below(VALUES as u64) as u32)
                .collect();
            let constraint = Tuples {
                places: places.clone(),
                table: table_of(rows.clone(), 3),
                clues: Vec::new(),
            };
            let holds = move |values: &[usize]| {
                let here = places.iter().map(|place| values[*place as usize] as u32);
                let here: Vec<u32> = here.collect();
                rows.chunks(3).any(|row| row == here)
            };
            (constraint.into(), Box::new(holds))
        }
        5 => {
            let constraint = Connected {
                columns: COLUMNS as u32,
                rows: ROWS as u32,
                values: vec![mask],
            };
            let holds = move |values: &[usize]| {
                let first = (0..PLACES).find(|place| bit_of(mask, values[*place]));
                first.is_none_or(|first| {
                    let seen = come_to(first, values, mask);
                    (0..PLACES).all(|place| seen[place] || !bit_of(mask, values[place]))
                })
            };
            (constraint.into(), Box::new(holds))
        }
        _ => {
            let ends = [
                rng.below(PLACES as u64) as u32,
                rng.below(PLACES as u64) as u32,
            ];
            let constraint = Reachable {
                columns: COLUMNS as u32,
                rows: ROWS as u32,
                values: vec![mask],
                ends,
            };
            let holds =
                move |values: &[usize]| come_to(ends[0] as usize, values, mask)[ends[1] as usize];
            (constraint.into(), Box::new(holds))
        }
    }
}

/// All solutions, by trying everything.
fn by_force(masks: &[Vec<u64>], holds: &[Checked]) -> Vec<Vec<usize>> {
    let count = VALUES.pow(PLACES as u32);
    let values_of = |mut number: usize| {
        let digit = |_| {
            let value = number % VALUES;
            number /= VALUES;
            value
        };
        (0..PLACES).map(digit).collect::<Vec<usize>>()
    };
    let fits = |values: &Vec<usize>| {
        let mut places = values.iter().zip(masks);
        places.all(|(value, mask)| bit_of(mask[0], *value))
            && holds.iter().all(|(_, holds)| holds(values))
    };
    (0..count).map(values_of).filter(fits).collect()
}

/// All solutions, by search.
fn by_search(mut solver: Solver, found: &mut Vec<Vec<usize>>) {
    if let Err(DomainWipeout) = solver.propagate_to_fixpoint(&mut Budget::unlimited()) {
        return;
    }
    let Some(place) = (0..PLACES).find(|place| solver.candidates(*place).count() != 1) else {
        let value = |place| solver.candidates(place).numbers().next().unwrap();
        return found.push((0..PLACES).map(value).collect());
    };
    for value in solver.candidates(place).numbers() {
        let mut guessed = solver.clone();
        if guessed.narrow(place, &[1 << value]).is_ok() {
            by_search(guessed, found);
        }
    }
}

#[test]
fn nothing_of_a_solution_is_taken_away_and_every_solution_is_found_once() {
    let mut rng = Rng::new(36);
    let mut with_solutions = 0;
    for _ in 0..3_000 {
        let masks: Vec<Vec<u64>> = (0..PLACES)
            .map(|_| {
                vec![if rng.below(3) > 0 {
                    0b111
                } else {
                    1 + rng.below(7)
                }]
            })
            .collect();
        let checked: Vec<Checked> = (0..1 + rng.below(4))
            .map(|_| any_constraint(&mut rng))
            .collect();
        let mut solver = Solver::with_domains(VALUES, &masks);
        for (constraint, _) in &checked {
            solver.add(constraint.clone());
        }
        let expected = by_force(&masks, &checked);
        with_solutions += usize::from(!expected.is_empty());
        let told = format!("{masks:?} {:?}", solver.constraints());
        let mut propagated = solver.clone();
        match propagated.propagate_to_fixpoint(&mut Budget::unlimited()) {
            Ok(_) => {
                for solution in &expected {
                    for (place, value) in solution.iter().enumerate() {
                        assert!(propagated.candidates(place).has(*value), "{told}");
                    }
                }
            }
            Err(DomainWipeout) => assert!(expected.is_empty(), "{told}"),
        }
        let mut found = Vec::new();
        by_search(solver, &mut found);
        let mut expected = expected;
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{told}");
    }
    assert!((500..2_900).contains(&with_solutions), "{with_solutions}");
}

#[test]
fn what_is_withdrawn_has_no_say_any_more() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let masks = vec![vec![0b111]; PLACES];
        let [first, second] = [any_constraint(&mut rng), any_constraint(&mut rng)];
        let mut solver = Solver::with_domains(VALUES, &masks);
        solver.add(first.0.clone());
        solver.add(second.0);
        assert!(solver.withdraw(1, &mut Budget::unlimited()));
        let mut found = Vec::new();
        by_search(solver, &mut found);
        found.sort();
        let mut expected = by_force(&masks, &[first]);
        expected.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn callbacks_are_told_by_their_ids() {
    use ndscript_solver::{Callback, CallbackId};

    let mut solver = Solver::with_domains(VALUES, &vec![vec![0b111]; PLACES]);
    solver.add(AllDifferent::new(vec![0, 1]));
    solver.add(Callback {
        places: vec![1, 2],
        callback: CallbackId(9),
        ..Callback::default()
    });
    solver.narrow(0, &[0b001]).unwrap();
    solver
        .propagate_to_fixpoint(&mut Budget::unlimited())
        .unwrap();
    assert_eq!(solver.changed(), [0, 1]);
    assert_eq!(solver.candidates(1).numbers().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(solver.callbacks_on(0).flatten().next(), None);
    assert_eq!(solver.callbacks_on(1).flatten().next(), Some(CallbackId(9)));
}
