//! Steps against brute force: each conclusion follows from the rules and places that are named, and in the end is known what all
//! solutions have; clues leave one solution, and none can be left out.

use super::{ALL, Checked, PLACES, VALUES, any_constraint};
use ndscript_base::rng::Rng;
use ndscript_solver::steps::{Clues, End, Fewest, Kind, Progress, Step, Steps};
use ndscript_solver::{Budget, Constraint, Solver};

/// A board with some rules; they are given back in order of their numbers.
fn board(rng: &mut Rng) -> (Solver, Vec<Vec<u64>>, Vec<(u32, Checked)>) {
    let masks: Vec<Vec<u64>> = (0..PLACES)
        .map(|_| match rng.below(4) {
            0 => vec![1 << rng.below(VALUES as u64)],
            1 => vec![(1 + rng.below(ALL)) & ALL],
            _ => vec![ALL],
        })
        .collect();
    let mut solver = Solver::with_domains(VALUES, &masks);
    let mut rules = Vec::new();
    for _ in 0..2 + rng.below(4) {
        let (constraint, holds) = any_constraint(rng);
        let number = solver.add(constraint.clone());
        rules.push((number, (constraint, holds)));
    }
    (solver, masks, rules)
}

/// All values of all places that hold some rules.
fn assignments<'a>(
    masks: &'a [u64],
    rules: &'a [&'a Checked],
) -> impl Iterator<Item = Vec<usize>> + 'a {
    let count = VALUES.pow(PLACES as u32);
    (0..count).filter_map(move |number| {
        let mut rest = number;
        let values: Vec<usize> = (0..PLACES)
            .map(|_| {
                let value = rest % VALUES;
                rest /= VALUES;
                value
            })
            .collect();
        let fits = (0..PLACES).all(|place| masks[place] >> values[place] & 1 == 1);
        (fits && rules.iter().all(|(_, holds)| holds(&values))).then_some(values)
    })
}

/// Whether what a step concludes follows from what it names, where all else is what it was at first.
fn follows(
    step: &Step,
    known: &[u64],
    initial: &[Vec<u64>],
    rules: &[(u32, Checked)],
    supposed: Option<(u32, u32)>,
) -> bool {
    let mut masks: Vec<u64> = initial.iter().map(|mask| mask[0]).collect();
    for place in &step.places {
        masks[*place as usize] = known[*place as usize];
    }
    if let Some((place, value)) = supposed {
        masks[place as usize] &= 1 << value;
    }
    let own: Vec<&Checked> = rules
        .iter()
        .filter(|(number, _)| step.rules.contains(number))
        .map(|(_, rule)| rule)
        .collect();
    let all: Vec<Vec<usize>> = assignments(&masks, &own).collect();
    if step.conclusions.is_empty() {
        return all.is_empty();
    }
    step.conclusions.iter().all(|conclusion| {
        let has_gone = |values: &Vec<usize>| {
            let value = values[conclusion.place as usize] as u32;
            conclusion.values.contains(&value)
        };
        !all.iter().any(has_gone)
    })
}

/// What places could hold if those that are given were not: what any place of the rule could. `None` if nobody knows.
fn free(rule: u32, initial: &[Vec<u64>], rules: &[(u32, Checked)]) -> Option<Vec<Vec<u64>>> {
    let own = rules.iter().find(|(number, _)| *number == rule);
    let constraint = own.map(|(_, (constraint, _))| constraint);
    // A table has no rows for what could not be when it was made, so steps by it name all places that are given.
    if matches!(
        constraint,
        Some(Constraint::Tuples(_) | Constraint::Related(_))
    ) {
        return None;
    }
    let all = (0..PLACES as u32).collect::<Vec<u32>>();
    let places = constraint.and_then(Constraint::places).unwrap_or(&all);
    let any = places
        .iter()
        .fold(0, |any, place| any | initial[*place as usize][0]);
    let is_given = |mask: &&Vec<u64>| mask[0].count_ones() == 1;
    Some(
        (0..)
            .zip(initial)
            .map(
                |(place, mask)| match is_given(&mask) && places.contains(&place) {
                    true => vec![any],
                    false => mask.clone(),
                },
            )
            .collect(),
    )
}

fn apply(step: &Step, known: &mut [u64]) {
    for conclusion in &step.conclusions {
        for value in &conclusion.values {
            known[conclusion.place as usize] &= !(1 << value);
        }
    }
}

#[test]
fn each_step_follows_from_what_it_names_and_all_that_follows_is_found() {
    let mut rng = Rng::new(11);
    let mut kinds = [0; 5];
    // Steps by one rule, and those that name a place that they do not need. Some constraints do not see all that follows from them.
    let (mut by_one, mut with_more) = (0, 0);
    let (mut links, mut from_broken) = (0, 0);
    for round in 0..3_000 {
        let (solver, initial, rules) = board(&mut rng);
        let masks: Vec<u64> = initial.iter().map(|mask| mask[0]).collect();
        let all: Vec<&Checked> = rules.iter().map(|(_, rule)| rule).collect();
        // Places under no rule may hold anything.
        let mut masks_of_all = masks.clone();
        for (place, mask) in masks_of_all.iter_mut().enumerate() {
            if !solver.is_bound(place) {
                *mask &= mask.wrapping_neg();
            }
        }
        let solutions: Vec<Vec<usize>> = assignments(&masks_of_all, &all).collect();
        let mut known = masks.clone();
        let mut steps = Steps::new(&solver, &[]);
        let end = loop {
            match steps.resume(&mut Budget::unlimited()) {
                Progress::NotYet => {}
                Progress::End(end) => break end,
                Progress::Step(step) => {
                    kinds[step.kind as usize] += 1;
                    if step.kind != Kind::Search
                        && !(step.kind == Kind::Rules && step.chain.is_empty())
                    {
                        // A supposition that is refuted: what is supposed does not hold.
                        assert!(
                            follows(&step, &known, &initial, &rules, None),
                            "{round}: {step:?}"
                        );
                        if let [rule] = step.rules[..]
                            && let Some(free) = free(rule, &initial, &rules)
                        {
                            by_one += 1;
                            let is_needed = |at: usize| {
                                let mut less = (*step).clone();
                                less.places.remove(at);
                                !follows(&less, &known, &free, &rules, None)
                            };
                            with_more += usize::from(!(0..step.places.len()).all(is_needed));
                        }
                        let mut then = known.clone();
                        if let Some((place, value)) = step.supposed {
                            then[place as usize] &= 1 << value;
                        }
                        for part in &step.chain {
                            let mut part = part.clone();
                            part.places.extend(step.supposed.map(|(place, _)| place));
                            assert!(
                                follows(&part, &then, &initial, &rules, None),
                                "{round}: {step:?}"
                            );
                            // A rule that cannot hold any more is the end: nothing is concluded from it.
                            let mut broken = part.clone();
                            broken.conclusions.clear();
                            from_broken += usize::from(
                                !part.conclusions.is_empty()
                                    && follows(&broken, &then, &initial, &rules, None),
                            );
                            links += 1;
                            apply(&part, &mut then);
                        }
                        if !step.chain.is_empty() {
                            let is_over = step
                                .chain
                                .last()
                                .is_some_and(|last| last.conclusions.is_empty())
                                || then.contains(&0);
                            assert!(is_over, "{round}: {step:?}");
                        }
                    }
                    apply(&step, &mut known);
                    for solution in &solutions {
                        for (place, value) in solution.iter().enumerate() {
                            assert!(known[place] >> value & 1 == 1, "{round}: {step:?}");
                        }
                    }
                }
            }
        };
        match end {
            End::NoSolution => assert!(solutions.is_empty(), "{round}"),
            End::Solved => assert_eq!(solutions.len(), 1, "{round}"),
            End::Open => {
                assert!(solutions.len() > 1, "{round}");
                for place in 0..PLACES {
                    let possible = solutions
                        .iter()
                        .fold(0, |all, values| all | 1 << values[place]);
                    let is_bound = solver.is_bound(place);
                    assert!(
                        !is_bound || known[place] == possible,
                        "{round}: place {place}"
                    );
                }
            }
            End::GaveUp => panic!("{round}: it gave up"),
        }
    }
    assert!(kinds.iter().take(4).all(|count| *count > 5), "{kinds:?}");
    // What rules say is hardly ever left to a search.
    assert!(kinds[4] < 12, "{kinds:?}");
    assert!(100 * with_more < by_one, "{with_more} of {by_one}");
    assert!(100 * from_broken < links, "{from_broken} of {links}");
}

#[test]
fn clues_leave_one_solution_and_none_can_be_left_out() {
    let mut rng = Rng::new(12);
    let mut found = 0;
    while found < 150 {
        let (solver, initial, rules) = board(&mut rng);
        let masks: Vec<u64> = initial.iter().map(|mask| mask[0]).collect();
        let all: Vec<&Checked> = rules.iter().map(|(_, rule)| rule).collect();
        let solutions: Vec<Vec<usize>> = assignments(&masks, &all).collect();
        let is_bound = (0..PLACES).all(|place| solver.is_bound(place));
        if solutions.is_empty() || !is_bound {
            continue;
        }
        let solution = &solutions[rng.below(solutions.len() as u64) as usize];
        let groups: Vec<Vec<u32>> = match rng.below(2) {
            0 => (0..PLACES as u32).map(|place| vec![place]).collect(),
            _ => (0..PLACES as u32 / 2)
                .map(|place| vec![place, PLACES as u32 - 1 - place])
                .collect(),
        };
        let numbers = solution.iter().map(|value| *value as u32).collect();
        let mut clues = Clues::new(&solver, &[], numbers, groups.clone(), found);
        let answer = loop {
            match clues.resume(&mut Budget::unlimited()) {
                Fewest::NotYet => {}
                other => break other,
            }
        };
        let Fewest::Found(needed) = answer else {
            panic!("{answer:?}")
        };
        let left = |without: Option<usize>| {
            let told: Vec<u32> = needed
                .iter()
                .filter(|group| Some(**group) != without)
                .flat_map(|group| groups[*group].clone())
                .collect();
            solutions
                .iter()
                .filter(|values| {
                    told.iter()
                        .all(|place| values[*place as usize] == solution[*place as usize])
                })
                .count()
        };
        assert_eq!(left(None), 1);
        // A sum of fractions is not said in Booleans, so of its boards nobody knows what could be left out.
        let is_whole = |rule: &Constraint| match rule {
            Constraint::Sum(sum) => !sum.numbers.contains(&0.5),
            _ => true,
        };
        if rules.iter().all(|(_, (rule, _))| is_whole(rule)) {
            for group in &needed {
                assert!(left(Some(*group)) > 1);
            }
        }
        found += 1;
    }
}

#[test]
fn steps_of_a_sudoku_are_those_of_a_person() {
    let clues = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let masks: Vec<Vec<u64>> = clues
        .bytes()
        .map(|clue| match clue {
            b'.' => vec![0x1ff],
            digit => vec![1 << (digit - b'1')],
        })
        .collect();
    let mut solver = Solver::with_domains(9, &masks);
    for line in 0..9 {
        let (top, left) = (line / 3 * 3, line % 3 * 3);
        for places in [
            (0..9).map(|at| line * 9 + at).collect::<Vec<u32>>(),
            (0..9).map(|at| at * 9 + line).collect(),
            (0..9)
                .map(|at| (top + at / 3) * 9 + left + at % 3)
                .collect(),
        ] {
            solver.add(ndscript_solver::AllDifferent::new(places));
        }
    }
    let mut steps = Steps::new(&solver, &[]);
    let mut taken = Vec::new();
    let end = loop {
        match steps.resume(&mut Budget::unlimited()) {
            Progress::Step(step) => taken.push(*step),
            Progress::End(end) => break end,
            Progress::NotYet => {}
        }
    };
    assert_eq!(end, End::Solved);
    // An easy one: nothing has to be supposed.
    assert!(taken.iter().all(|step| step.kind <= Kind::Rule));
    let level = ndscript_solver::steps::grade(&taken, end).level;
    assert!((0.5..4.0).contains(&level), "{level}");
}
