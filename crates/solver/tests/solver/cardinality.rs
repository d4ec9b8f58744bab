//! Counts that know of one another, against brute force.

use ndscript_base::rng::Rng;
use ndscript_solver::{AllDifferent, Budget, Constraint, Count, DomainWipeout, Solver, Tally};

const VALUES: usize = 4;

/// A count, or that places are different, as what is checked.
#[derive(Clone, Debug)]
enum Rule {
    Count {
        places: Vec<u32>,
        mask: u64,
        least: u64,
        most: u64,
    },
    Different(Vec<u32>),
}

impl Rule {
    fn constraint(&self) -> Constraint {
        match self.clone() {
            Rule::Count {
                places,
                mask,
                least,
                most,
            } => Count {
                places,
                values: vec![mask],
                least,
                most,
                tally: Tally::Counts,
            }
            .into(),
            Rule::Different(places) => AllDifferent::new(places).into(),
        }
    }

    fn holds(&self, values: &[usize]) -> bool {
        match self {
            Rule::Count {
                places,
                mask,
                least,
                most,
            } => {
                let own = places.iter().map(|place| values[*place as usize]);
                let count = own.filter(|value| mask >> value & 1 == 1).count() as u64;
                (*least..=*most).contains(&count)
            }
            Rule::Different(places) => {
                let own = places.iter().map(|place| 1u64 << values[*place as usize]);
                own.clone().fold(0, |all, bit| all | bit).count_ones() as usize == places.len()
            }
        }
    }
}

fn count(rng: &mut Rng, places: &[u32], mask: u64) -> Rule {
    let size = places.len() as u64;
    let least = rng.below(size + 1);
    let (least, most) = match rng.below(4) {
        0 => (least, u64::MAX),
        1 => (0, least),
        2 => (least, least),
        _ => (least.saturating_sub(1), least + rng.below(2)),
    };
    Rule::Count {
        places: places.to_vec(),
        mask,
        least,
        most,
    }
}

/// Counts of the same places for values that have nothing in common.
fn flat(rng: &mut Rng, places: &[u32]) -> Vec<Rule> {
    let masks = [
        vec![0b0001, 0b0010, 0b0100, 0b1000],
        vec![0b0011, 0b0100],
        vec![0b0101, 0b1010],
        vec![0b0001, 0b0110],
        vec![0b0010, 0b1000],
    ];
    let masks = &masks[rng.below(masks.len() as u64) as usize];
    masks.iter().map(|mask| count(rng, places, *mask)).collect()
}

/// Counts of each value on all places, and of some on rows, some of which have different values.
fn nested(rng: &mut Rng, rows: &[Vec<u32>]) -> Vec<Rule> {
    let all: Vec<u32> = rows.concat();
    let mut rules: Vec<Rule> = (0..VALUES)
        .map(|value| match rng.below(3) {
            0 => Rule::Count {
                places: all.clone(),
                mask: 1 << value,
                least: 0,
                most: u64::MAX,
            },
            _ => count(rng, &all, 1 << value),
        })
        .collect();
    for row in rows {
        match rng.below(3) {
            0 => rules.push(Rule::Different(row.clone())),
            1 => {
                let value = rng.below(VALUES as u64);
                rules.push(count(rng, row, 1 << value));
            }
            _ => {}
        }
    }
    // In any order.
    for at in (1..rules.len()).rev() {
        rules.swap(at, rng.below(at as u64 + 1) as usize);
    }
    rules
}

/// Anything, on any places.
fn across(rng: &mut Rng, places: usize) -> Vec<Rule> {
    let some = |rng: &mut Rng| {
        let mut own: Vec<u32> = (0..places as u32).collect();
        let least = 2 + rng.below(places as u64 - 1) as usize;
        while own.len() > least {
            own.swap_remove(rng.below(own.len() as u64) as usize);
        }
        own.sort_unstable();
        own
    };
    (0..2 + rng.below(4))
        .map(|_| {
            let own = some(rng);
            match own.len() <= VALUES && rng.below(4) == 0 {
                true => Rule::Different(own),
                false => {
                    let mask = 1 + rng.below((1 << VALUES) - 1);
                    count(rng, &own, mask)
                }
            }
        })
        .collect()
}

fn domains(rng: &mut Rng, places: usize) -> Vec<Vec<u64>> {
    let domain = |_| {
        let some = 1 + rng.below((1 << VALUES) - 1);
        vec![if rng.below(2) > 0 { 0b1111 } else { some }]
    };
    (0..places).map(domain).collect()
}

fn by_force(masks: &[Vec<u64>], rules: &[Rule]) -> Vec<Vec<usize>> {
    let values_of = |mut number: usize| {
        let digit = |_| {
            let value = number % VALUES;
            number /= VALUES;
            value
        };
        (0..masks.len()).map(digit).collect::<Vec<usize>>()
    };
    let fits = |values: &Vec<usize>| {
        let mut places = values.iter().zip(masks);
        places.all(|(value, mask)| mask[0] >> value & 1 == 1)
            && rules.iter().all(|rule| rule.holds(values))
    };
    let all = VALUES.pow(masks.len() as u32);
    (0..all).map(values_of).filter(fits).collect()
}

/// What solutions have at each place, as masks.
fn held(solutions: &[Vec<usize>], places: usize) -> Vec<u64> {
    let at = |place: usize| {
        let values = solutions.iter().map(|solution| 1 << solution[place]);
        values.fold(0, |all, bit: u64| all | bit)
    };
    (0..places).map(at).collect()
}

fn left(solver: &Solver) -> Vec<u64> {
    let at = |place| {
        let numbers = solver.candidates(place).numbers();
        numbers.fold(0, |all, number| all | 1 << number)
    };
    (0..solver.places()).map(at).collect()
}

fn posted(masks: &[Vec<u64>], rules: &[Rule], at_once: bool) -> Result<Solver, DomainWipeout> {
    let mut solver = Solver::with_domains(VALUES, masks);
    for rule in rules {
        solver.add(rule.constraint());
        if !at_once {
            solver.propagate_to_fixpoint(&mut Budget::unlimited())?;
        }
    }
    solver.propagate_to_fixpoint(&mut Budget::unlimited())?;
    Ok(solver)
}

/// Goes down at random to a solution or a failure, and checks each board on the way by force.
fn descend(rng: &mut Rng, mut solver: Solver, rules: &[Rule], is_complete: bool) {
    loop {
        let masks: Vec<Vec<u64>> = left(&solver).into_iter().map(|mask| vec![mask]).collect();
        let open: Vec<usize> = (0..masks.len())
            .filter(|place| masks[*place][0].count_ones() > 1)
            .collect();
        if open.is_empty() {
            return;
        }
        let place = open[rng.below(open.len() as u64) as usize];
        let values: Vec<usize> = solver.candidates(place).numbers().collect();
        let value = values[rng.below(values.len() as u64) as usize];
        let mut guessed = masks.clone();
        guessed[place] = vec![1 << value];
        let expected = held(&by_force(&guessed, rules), masks.len());
        solver.narrow(place, &[1 << value]).unwrap();
        match solver.propagate_to_fixpoint(&mut Budget::unlimited()) {
            Err(DomainWipeout) => {
                assert!(expected.contains(&0), "{rules:?} {guessed:?}");
                return;
            }
            Ok(_) => {
                let now = left(&solver);
                let told = || format!("{rules:?} {guessed:?} left {now:?}");
                let is_sound = expected.iter().zip(&now).all(|(own, now)| own & !now == 0);
                assert!(is_sound, "{}", told());
                if is_complete {
                    assert_eq!(now, expected, "{}", told());
                }
            }
        }
    }
}

/// Checks generated boards by force, from the first propagation on; how many had solutions.
fn check(
    seed: u64,
    boards: usize,
    is_complete: bool,
    mut rules_of: impl FnMut(&mut Rng, usize) -> Vec<Rule>,
) -> usize {
    let mut rng = Rng::new(seed);
    let mut with_solutions = 0;
    for _ in 0..boards {
        let places = 4 + rng.below(3) as usize;
        let masks = domains(&mut rng, places);
        let rules = rules_of(&mut rng, places);
        let expected = held(&by_force(&masks, &rules), places);
        with_solutions += usize::from(!expected.contains(&0));
        let at_once = rng.below(2) == 0;
        match posted(&masks, &rules, at_once) {
            Err(DomainWipeout) => assert!(expected.contains(&0), "{rules:?} {masks:?}"),
            Ok(solver) => {
                let now = left(&solver);
                let told = format!("{rules:?} {masks:?} left {now:?}");
                let is_sound = expected.iter().zip(&now).all(|(own, now)| own & !now == 0);
                assert!(is_sound, "{told}");
                if is_complete {
                    assert_eq!(now, expected, "{told}");
                }
                descend(&mut rng, solver, &rules, is_complete);
            }
        }
    }
    with_solutions
}

#[test]
fn counts_of_the_same_places_take_away_all_that_they_rule_out_together() {
    let found = check(1, 1_500, true, |rng, places| {
        let all: Vec<u32> = (0..places as u32).collect();
        flat(rng, &all)
    });
    assert!((300..1_400).contains(&found), "{found}");
}

#[test]
fn counts_of_a_whole_and_its_rows_take_away_all_that_they_rule_out_together() {
    let found = check(2, 1_500, true, |rng, places| {
        let all: Vec<u32> = (0..places as u32).collect();
        let rows = all.chunks(places.div_ceil(2)).map(<[u32]>::to_vec);
        nested(rng, &rows.collect::<Vec<Vec<u32>>>())
    });
    assert!((300..1_400).contains(&found), "{found}");
}

#[test]
fn counts_that_cross_lose_no_solution() {
    let found = check(3, 1_500, false, across);
    assert!((300..1_400).contains(&found), "{found}");
}

#[test]
fn what_is_said_together_is_withdrawn_with_the_latest_of_those_that_say_it() {
    let mut rng = Rng::new(4);
    for _ in 0..500 {
        let masks = vec![vec![0b1111]; 6];
        let rules = match rng.below(2) {
            0 => across(&mut rng, 6),
            _ => nested(&mut rng, &[vec![0, 1, 2], vec![3, 4, 5]]),
        };
        let shorter = rng.below(rules.len() as u64) as usize;
        let mut solver = Solver::with_domains(VALUES, &masks);
        let mut heights = Vec::new();
        for rule in &rules {
            heights.push(solver.constraints().len());
            solver.add(rule.constraint());
        }
        assert!(solver.withdraw(heights[shorter], &mut Budget::unlimited()));
        let mut fresh = Solver::with_domains(VALUES, &masks);
        for rule in &rules[..shorter] {
            fresh.add(rule.constraint());
        }
        let shown = |solver: &Solver| format!("{:?}", solver.constraints());
        assert_eq!(shown(&solver), shown(&fresh));
        // And it reasons as if the later ones had never been there.
        solver.add(rules[shorter].constraint());
        fresh.add(rules[shorter].constraint());
        assert_eq!(shown(&solver), shown(&fresh));
        let rest = |mut solver: Solver| {
            let result = solver.propagate_to_fixpoint(&mut Budget::unlimited());
            (result.is_ok(), left(&solver))
        };
        let (one, other) = (rest(solver), rest(fresh));
        assert_eq!(one.0, other.0, "{rules:?}");
        if one.0 {
            assert_eq!(one.1, other.1, "{rules:?}");
        }
    }
}

#[test]
fn a_budget_that_is_spent_all_the_time_changes_nothing() {
    let mut rng = Rng::new(5);
    for _ in 0..500 {
        let masks = domains(&mut rng, 6);
        let rules = nested(&mut rng, &[vec![0, 1, 2], vec![3, 4, 5]]);
        let Ok(expected) = posted(&masks, &rules, true) else {
            continue;
        };
        let mut solver = Solver::with_domains(VALUES, &masks);
        rules.iter().for_each(|rule| {
            solver.add(rule.constraint());
        });
        for _ in 0..100_000 {
            let mut budget = Budget::unlimited();
            budget.spend(i64::MAX as usize - 3);
            match solver.propagate_to_fixpoint(&mut budget).unwrap() {
                ndscript_solver::Fixpoint::Reached => break,
                ndscript_solver::Fixpoint::NotYet => {}
                ndscript_solver::Fixpoint::NeedsMemory(bytes) => solver.grant(bytes),
            }
        }
        assert_eq!(left(&solver), left(&expected));
    }
}

#[test]
fn a_place_that_a_forged_count_has_twice_hangs_nothing() {
    for twice in [vec![0, 1, 1, 2], vec![0, 0, 0, 0], vec![3, 2, 1, 3]] {
        let mut solver = Solver::with_domains(VALUES, &vec![vec![0b1111]; 4]);
        for mask in [0b0001, 0b0010, 0b0100] {
            let places = twice.clone();
            let rule = Rule::Count {
                places,
                mask,
                least: 1,
                most: 2,
            };
            solver.add(rule.constraint());
        }
        solver.add(AllDifferent::new(vec![0, 1, 2, 3]));
        let mut budget = Budget::unlimited();
        // What such a rule means is nobody's business.
        let _ = solver.propagate_to_fixpoint(&mut budget);
    }
}
