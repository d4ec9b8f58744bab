//! The solver by itself, against brute force on small boards: what is left of each place after propagation never lacks a value of a
//! solution, a search finds every solution once, and taking constraints away leaves nothing of them.

#[path = "solver/cardinality.rs"]
mod cardinality;
#[path = "solver/fair_draws.rs"]
mod fair_draws;
#[path = "solver/proofs.rs"]
mod proofs;
#[path = "solver/steps.rs"]
mod steps;
#[path = "solver/tables.rs"]
mod tables;

use ndscript_base::codec::{Reader, Saved, Writer};
use ndscript_base::rng::Rng;
use ndscript_solver::learning::{Learner, Resting, Verdict};
use ndscript_solver::{
    Adjacent, AllDifferent, Automaton, Budget, Connected, Constraint, Count, Direction,
    DomainWipeout, Lexicographic, Pattern, Reachable, Related, Solver, Sum, Supports, TableBuilder,
    TableProgress, Tally, Tuples, Wording,
};

const COLUMNS: usize = 3;
const ROWS: usize = 2;
const PLACES: usize = COLUMNS * ROWS;
const VALUES: usize = 4;
/// All values, as a mask.
const ALL: u64 = (1 << VALUES) - 1;

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
    match TableBuilder::new(rows, length).resume(&mut Budget::unlimited(), &mut |_| true) {
        TableProgress::Done(table) => table,
        _ => panic!("nothing stops it"),
    }
}

fn any_constraint(rng: &mut Rng) -> Checked {
    let mask = 1 + rng.below((1 << VALUES) - 2);
    match rng.below(10) {
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
            let numbers =
                [vec![0.0, 1.0, 2.0, 4.0], vec![2.0, 0.5, 1.0, 3.0]][rng.below(2) as usize].clone();
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
            // Ways into a state all spell the same.
            let places = some_places(rng, 2, 4);
            let states = 2 + rng.below(4) as usize;
            let follows: Vec<u64> = (0..states).map(|_| rng.below(1 << states) & !1).collect();
            let masks: Vec<u64> = (0..states)
                .map(|_| 1 + rng.below((1 << VALUES) - 1))
                .collect();
            let ends = 1 + rng.below((1 << states) - 1);
            let automaton = Automaton {
                states: states as u32,
                follows: follows.clone(),
                classes: (0..states as u32).collect(),
                masks: masks.clone(),
                words: 1,
                ends: vec![ends],
            };
            let own = places.clone();
            let holds = move |values: &[usize]| {
                let reached = own.iter().fold(1_u64, |reached, place| {
                    let next = |to: &usize| {
                        (0..states).any(|from| bit_of(reached, from) && bit_of(follows[from], *to))
                            && bit_of(masks[*to], values[*place as usize])
                    };
                    (0..states).filter(next).fold(0, |all, to| all | 1 << to)
                });
                reached & ends != 0
            };
            (
                Pattern::new(places, automaton, Wording::Unknown).into(),
                Box::new(holds),
            )
        }
        6 => {
            let right: Vec<u64> = (0..VALUES).map(|_| 1 + rng.below(ALL)).collect();
            let left: Vec<u64> = (0..VALUES)
                .map(|value| {
                    let allows = |other: &usize| bit_of(right[*other], value);
                    (0..VALUES)
                        .filter(allows)
                        .fold(0, |row, other| row | 1 << other)
                })
                .collect();
            let direction = |columns, table| Direction {
                columns,
                rows: 0,
                table,
            };
            let constraint = Adjacent {
                columns: COLUMNS as u32,
                rows: ROWS as u32,
                wraps: false,
                width: 1,
                tables: vec![Supports::new(right.clone(), 1), Supports::new(left, 1)],
                directions: vec![direction(1, 0), direction(-1, 1)],
            };
            let holds = move |values: &[usize]| {
                (0..PLACES)
                    .filter(|place| place % COLUMNS + 1 < COLUMNS)
                    .all(|place| bit_of(right[values[place]], values[place + 1]))
            };
            (constraint.into(), Box::new(holds))
        }
        7 => {
            let places = some_places(rng, 3, 5);
            let split = 1 + rng.below(places.len() as u64 - 1) as usize;
            let ranks: Vec<u32> = (0..VALUES).map(|_| rng.below(4) as u32).collect();
            let constraint = Lexicographic {
                places: places.clone(),
                split: split as u32,
                ranks: ranks.clone(),
            };
            let holds = move |values: &[usize]| {
                let read: Vec<u32> = places
                    .iter()
                    .map(|place| ranks[values[*place as usize]])
                    .collect();
                read[..split] <= read[split..]
            };
            (constraint.into(), Box::new(holds))
        }
        8 => region(mask),
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

/// The cells of some values are one region.
fn region(mask: u64) -> Checked {
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
                    ALL
                } else {
                    1 + rng.below(ALL)
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

/// All solutions, by the search that learns; and how many conflicts there were. `None` if it does not know all constraints.
fn by_learning(
    solver: &Solver,
    seed: u64,
    expected: &[Vec<usize>],
) -> (Option<Vec<Vec<usize>>>, u64) {
    let mut learner = Learner::new(solver, seed, usize::MAX);
    let mut found = Vec::new();
    loop {
        // Nothing that was learned cuts off a solution that was not excluded yet.
        for solution in expected {
            let values: Vec<u32> = solution.iter().map(|value| *value as u32).collect();
            let is_left = !found.contains(solution);
            assert!(
                learner.conflicts() == 0 || !is_left || learner.admits(&values),
                "{solution:?} is cut off: {:?}",
                solver.constraints()
            );
        }
        match learner.resume(&mut Budget::unlimited()) {
            Verdict::Solution if learner.is_relaxed() => return (None, learner.conflicts()),
            Verdict::Solution => {
                let values = (0..PLACES).map(|place| learner.value(place) as usize);
                found.push(values.collect());
                learner.exclude();
            }
            Verdict::Resting => {}
            Verdict::NoSolution => break,
            other => panic!("{other:?}"),
        }
    }
    let conflicts = learner.conflicts();
    ((!learner.is_relaxed()).then_some(found), conflicts)
}

#[test]
fn a_search_that_learns_finds_every_solution_once() {
    let mut rng = Rng::new(9);
    let (mut conflicts, mut complete) = (0, 0);
    for _ in 0..400 {
        let masks = vec![vec![ALL]; PLACES];
        let checked: Vec<Checked> = (0..2 + rng.below(4))
            .map(|_| any_constraint(&mut rng))
            .collect();
        let mut solver = Solver::with_domains(VALUES, &masks);
        for (constraint, _) in &checked {
            solver.add(constraint.clone());
        }
        let mut expected = by_force(&masks, &checked);
        if expected.len() > 80 {
            continue;
        }
        let (found, own) = by_learning(&solver, rng.below(1 << 20), &expected);
        conflicts += own;
        if let Some(mut found) = found {
            complete += 1;
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{:?}", solver.constraints());
        }
    }
    assert!(conflicts > 500 && complete > 60, "{conflicts} {complete}");
}

/// Two or three regions, mostly of values that differ, and what else there may be.
#[test]
fn regions_that_cannot_cross_lose_no_solution() {
    let mut rng = Rng::new(39);
    let mut complete = 0;
    for _ in 0..120 {
        let mut checked: Vec<Checked> = Vec::new();
        let mut left = ALL;
        for _ in 0..2 + rng.below(2) {
            let mask = left & (1 + rng.below(ALL));
            // Regions that share values may cross.
            left &= if rng.below(3) > 0 { !mask } else { ALL };
            checked.push(region(mask));
        }
        checked.extend((0..1 + rng.below(2)).map(|_| any_constraint(&mut rng)));
        let mut solver = Solver::with_domains(VALUES, &vec![vec![ALL]; PLACES]);
        for (constraint, _) in &checked {
            solver.add(constraint.clone());
        }
        let mut expected = by_force(&vec![vec![ALL]; PLACES], &checked);
        if expected.len() > 400 {
            continue;
        }
        let (found, _) = by_learning(&solver, rng.below(1 << 20), &expected);
        if let Some(mut found) = found {
            complete += usize::from(!expected.is_empty());
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{:?}", solver.constraints());
        }
    }
    assert!(complete > 25, "{complete}");
}

/// A board with few solutions that are hard to come by.
fn crossing_sums() -> Solver {
    let places: Vec<u32> = (0..14).collect();
    let mut solver = Solver::with_domains(3, &vec![vec![0b111]; 14]);
    for step in [1, 3, 5, 9] {
        let factors: Vec<f64> = (0..14)
            .map(|place| f64::from(place * step % 13) - 6.0)
            .collect();
        let sum = Sum::new(places.clone(), factors, vec![0.0, 1.0, 2.0], [1.0, 1.0]);
        solver.add(sum);
    }
    solver
}

#[test]
fn a_search_that_rests_is_read_back_and_nothing_else_is_believed() {
    let solver = crossing_sums();
    let mut learner = Learner::new(&solver, 5, 1 << 22);
    while learner.conflicts() < 150 {
        match learner.resume(&mut Budget::unlimited()) {
            Verdict::Resting => {}
            Verdict::Solution => learner.exclude(),
            other => panic!("{other:?}"),
        }
    }
    // To where it rests next.
    while learner.resume(&mut Budget::unlimited()) != Verdict::Resting {
        learner.exclude();
    }
    let mut out = Writer::default();
    learner.save(&mut out);
    let saved = out.into_bytes();
    let read = |bytes: &[u8]| {
        let mut from = Reader::new(bytes, 1 << 24);
        Resting::load(&mut from).and_then(|resting| resting.on(&solver, &[], 1 << 22))
    };
    let mut again = read(&saved).expect("it is of this board");
    for _ in 0..5 {
        let verdicts = [&mut learner, &mut again].map(|learner| {
            let verdict = learner.resume(&mut Budget::unlimited());
            (verdict, learner.conflicts())
        });
        assert_eq!(verdicts[0], verdicts[1]);
        if verdicts[0].0 != Verdict::Resting {
            break;
        }
    }
    // What was forged is refused or searched, and nothing panics.
    let mut rng = Rng::new(4);
    let (mut refused, mut searched) = (0, 0);
    for _ in 0..400 {
        let mut forged = saved.clone();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(forged.len() as u64) as usize;
            forged[at] = rng.below(256) as u8;
        }
        match read(&forged) {
            Err(_) => refused += 1,
            Ok(mut learner) => {
                learner.resume(&mut Budget::unlimited());
                searched += 1;
            }
        }
    }
    assert!(refused > 20 && searched > 20, "{refused} {searched}");
}

#[test]
fn a_search_takes_no_more_than_it_may() {
    let solver = crossing_sums();
    let mut learner = Learner::new(&solver, 5, 4_000);
    assert_eq!(learner.resume(&mut Budget::unlimited()), Verdict::TooLarge);
}

#[test]
fn what_is_withdrawn_has_no_say_any_more() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let masks = vec![vec![ALL]; PLACES];
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

    let mut solver = Solver::with_domains(VALUES, &vec![vec![ALL]; PLACES]);
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
    assert_eq!(
        solver.candidates(1).numbers().collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(solver.callbacks_on(0).flatten().next(), None);
    assert_eq!(solver.callbacks_on(1).flatten().next(), Some(CallbackId(9)));
}
