//! Proofs of small boards with all constraints: what is claimed is what brute force finds, and what was changed is refused or still true.
//! The second checker, in Python, says the same.

use super::{ALL, COLUMNS, Checked, PLACES, ROWS, VALUES, any_constraint, bit_of, by_force};
use ndscript_base::rng::Rng;
use ndscript_proof::{Claim, check};
use ndscript_solver::proof::{Found, Names, Progress, Prover};
use ndscript_solver::{
    Adjacent, AllDifferent, Booleans, Budget, Direction, Division, Network, Regions, Shape, Solver,
    Sum, Supports, Wiring,
};
use std::collections::BTreeSet;

const BOARDS: u64 = 600;

/// A graph with as many edges as are wanted; two nodes may have several.
fn edges(rng: &mut Rng, nodes: u64, count: usize) -> Vec<u32> {
    let pairs = (0..count).flat_map(|_| {
        let a = rng.below(nodes);
        [a as u32, ((a + 1 + rng.below(nodes - 1)) % nodes) as u32]
    });
    pairs.collect()
}

fn ends_of(edges: &[u32]) -> Vec<[usize; 2]> {
    let pairs = edges.chunks(2);
    pairs
        .map(|two| [two[0] as usize, two[1] as usize])
        .collect()
}

/// The nodes that can be come to from one over some edges, with the steps.
fn steps_from(from: usize, nodes: usize, edges: &[[usize; 2]]) -> Vec<Option<usize>> {
    let mut steps = vec![None; nodes];
    steps[from] = Some(0);
    for round in 0..nodes {
        for [a, b] in edges {
            for (a, b) in [(*a, *b), (*b, *a)] {
                if steps[a] == Some(round) && steps[b].is_none() {
                    steps[b] = Some(round + 1);
                }
            }
        }
    }
    steps
}

/// The first two rows, without the size of no place.
fn sized_rows(sizes: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let sized = |row: &Vec<u32>| row.iter().copied().filter(|size| *size > 0).collect();
    sizes[..2].iter().map(sized).collect()
}

/// A rule over a graph.
fn any_network(rng: &mut Rng) -> Checked {
    let mask = 1 + rng.below(ALL - 1);
    let kind = rng.below(6);
    let are_edges = [0, 1, 5].contains(&kind);
    let nodes = if are_edges { 4 } else { PLACES as u64 };
    let count = if are_edges {
        PLACES
    } else {
        5 + rng.below(5) as usize
    };
    let list = edges(rng, nodes, count);
    let ends = ends_of(&list);
    let nodes = nodes as usize;
    let mut booleans = Booleans {
        width: 1,
        masks: vec![mask],
        holds: (0..PLACES as u32).flat_map(|place| [place, 0]).collect(),
        ..Booleans::default()
    };
    let mut table = vec![u64::MAX; VALUES];
    if (2..4).contains(&kind) && rng.below(2) == 0 {
        table = (0..VALUES).map(|_| 1 + rng.below(ALL)).collect();
        booleans.tables = vec![table.clone()];
        booleans.fits = list.chunks(2).flat_map(|two| [two[0], two[1], 0]).collect();
    }
    let steps = [
        rng.below(4) as u32,
        [u32::MAX, 1, 2, 3][rng.below(4) as usize],
    ];
    let far = [
        rng.below(nodes as u64) as u32,
        rng.below(nodes as u64) as u32,
    ];
    let sizes: Vec<Vec<u32>> = (0..VALUES)
        .map(|_| (0..=PLACES as u32).filter(|_| rng.below(2) == 0).collect())
        .collect();
    let (single, sized) = (rng.below(2) == 0, rng.below(3) > 0);
    let shape = match kind {
        0 => Shape::Circuit,
        1 => Shape::Acyclic,
        2 => Shape::Connected,
        3 => Shape::Reachable { ends: far, steps },
        5 if sized => {
            let row_of = (0..nodes as u32).map(|node| node % 2).collect();
            Shape::Division(Division::new(sized_rows(&sizes), row_of))
        }
        5 => Shape::Division(Division::of_any_size()),
        _ => {
            booleans.masks = (0..VALUES).map(|value| 1 << value).collect();
            booleans.holds = (0..VALUES as u32)
                .flat_map(|value| (0..PLACES as u32).flat_map(move |place| [place, value]))
                .collect();
            Shape::Regions(Regions {
                places: vec![(0..PLACES as u32).collect(); VALUES],
                sizes: if sized { sizes.clone() } else { Vec::new() },
                single,
            })
        }
    };
    let network = Network {
        places: Some((0..PLACES as u32).collect()),
        booleans,
        wiring: Wiring::new(nodes as u32, list),
        shape,
    };
    let holds = move |values: &[usize]| {
        let is_in = |place: usize| bit_of(mask, values[place]);
        let chosen: Vec<[usize; 2]> = (0..ends.len())
            .filter(|edge| *edge < PLACES && is_in(*edge))
            .map(|edge| ends[edge])
            .collect();
        let open: Vec<[usize; 2]> = ends
            .iter()
            .copied()
            .filter(|[a, b]| is_in(*a) && is_in(*b) && bit_of(table[values[*a]], values[*b]))
            .collect();
        match kind {
            0 => {
                let degree =
                    |node: usize| chosen.iter().flatten().filter(|end| **end == node).count();
                let on: Vec<usize> = (0..nodes).filter(|node| degree(*node) > 0).collect();
                let reached = on.first().map(|first| steps_from(*first, nodes, &chosen));
                reached.is_some_and(|reached| {
                    on.iter()
                        .all(|node| degree(*node) == 2 && reached[*node].is_some())
                })
            }
            1 => (0..chosen.len()).all(|edge| {
                let mut others = chosen.clone();
                let [a, b] = others.remove(edge);
                steps_from(a, nodes, &others)[b].is_none()
            }),
            2 => {
                let on: Vec<usize> = (0..nodes).filter(|node| is_in(*node)).collect();
                on.iter()
                    .all(|node| steps_from(on[0], nodes, &open)[*node].is_some())
            }
            3 => {
                let [a, b] = far.map(|end| end as usize);
                let way = steps_from(a, nodes, &open)[b];
                is_in(a)
                    && is_in(b)
                    && way.is_some_and(|way| (steps[0]..=steps[1]).contains(&(way as u32)))
            }
            5 => {
                let joined: Vec<[usize; 2]> = (0..PLACES)
                    .filter(|edge| !is_in(*edge))
                    .map(|edge| ends[edge])
                    .collect();
                let rows = sized_rows(&sizes);
                (0..PLACES).all(|edge| {
                    let [a, b] = ends[edge];
                    !is_in(edge) || steps_from(a, nodes, &joined)[b].is_none()
                }) && (0..nodes).all(|node| {
                    let size = steps_from(node, nodes, &joined).iter().flatten().count();
                    !sized || rows[node % 2].contains(&(size as u32))
                })
            }
            _ => (0..PLACES).all(|place| {
                let same = |[a, b]: &&[usize; 2]| values[*a] == values[*b];
                let same: Vec<[usize; 2]> = ends.iter().filter(same).copied().collect();
                let piece = steps_from(place, nodes, &same);
                let size = piece.iter().flatten().count() as u32;
                let others = (0..PLACES).filter(|other| values[*other] == values[place]);
                (!sized || sizes[values[place]].contains(&size))
                    && (!single || others.count() as u32 == size)
            }),
        }
    };
    (network.into(), Box::new(holds))
}

/// What `any_constraint` leaves out.
fn any_other(rng: &mut Rng) -> Checked {
    match rng.below(3) {
        0 => {
            // Each place has numbers of its own.
            let parts: Vec<f64> = (0..PLACES * VALUES)
                .map(|_| rng.below(7) as f64 - 2.0)
                .collect();
            let low = rng.below(12) as f64 - 2.0;
            let high = low + rng.below(4) as f64;
            let own = parts.clone();
            let holds = move |values: &[usize]| {
                let part = |place: usize| own[place * VALUES + values[place]];
                (low..=high).contains(&(0..PLACES).map(part).sum::<f64>())
            };
            let places = (0..PLACES as u32).collect();
            let sum = Sum::of_parts(places, VALUES, parts, [low, high]);
            (sum.into(), Box::new(holds))
        }
        1 => {
            let symbols: Vec<u32> = (0..3 * 64).map(|_| rng.below(6) as u32).collect();
            let places: Vec<u32> = (0..3).map(|_| rng.below(PLACES as u64) as u32).collect();
            let (own, of) = (places.clone(), symbols.clone());
            let holds = move |values: &[usize]| {
                let symbol = |at: usize| of[64 * at + values[own[at] as usize]];
                let all: BTreeSet<u32> = (0..3).map(symbol).collect();
                all.len() == 3
            };
            let different = AllDifferent::with_symbols(places, symbols, vec![0, 64, 128]);
            (different.into(), Box::new(holds))
        }
        _ => {
            let right: Vec<u64> = (0..VALUES).map(|_| 1 + rng.below(ALL)).collect();
            let constraint = Adjacent {
                columns: COLUMNS as u32,
                rows: ROWS as u32,
                wraps: true,
                width: 1,
                tables: vec![Supports::new(right.clone(), 1)],
                directions: vec![Direction {
                    columns: 1,
                    rows: 0,
                    table: 0,
                }],
            };
            let holds = move |values: &[usize]| {
                (0..PLACES).all(|place| {
                    let row = place / COLUMNS * COLUMNS;
                    let next = row + (place + 1) % COLUMNS;
                    bit_of(right[values[place]], values[next])
                })
            };
            (constraint.into(), Box::new(holds))
        }
    }
}

/// A board with its rules.
fn board(rng: &mut Rng) -> (Solver, Vec<Vec<u64>>, Vec<Checked>) {
    let masks: Vec<Vec<u64>> = (0..PLACES)
        .map(|_| match rng.below(5) {
            0 => vec![1 << rng.below(VALUES as u64)],
            1 => vec![(1 + rng.below(ALL)) & ALL],
            _ => vec![ALL],
        })
        .collect();
    let mut solver = Solver::with_domains(VALUES, &masks);
    let mut rules = Vec::new();
    for _ in 0..1 + rng.below(5) {
        let (constraint, holds) = match rng.below(4) {
            0 => any_network(rng),
            1 => any_other(rng),
            _ => any_constraint(rng),
        };
        solver.add(constraint.clone());
        rules.push((constraint, holds));
    }
    (solver, masks, rules)
}

/// The proof of a board; none if it has fractions.
fn proof_of(solver: &Solver, seed: u64) -> Option<(Found, String)> {
    let mut prover = Prover::new(solver, &[], &Names::default(), seed, 1 << 26).ok()?;
    match prover.resume(&mut Budget::unlimited()) {
        Progress::Done(found) => Some((found, prover.text())),
        other => panic!("nothing stops it: {other:?}"),
    }
}

fn claim_of(solutions: usize) -> Claim {
    match solutions {
        0 => Claim::None,
        1 => Claim::One,
        _ => Claim::Several,
    }
}

/// Whether a claim is true.
fn is_true(claim: Claim, solutions: usize) -> bool {
    match claim {
        Claim::None => solutions == 0,
        Claim::One => solutions == 1,
        Claim::Some => solutions > 0,
        Claim::Several => solutions > 1,
    }
}

fn each_proof(
    from: u64,
    count: u64,
    mut look: impl FnMut(&str, &[Vec<usize>], &[Vec<u64>], &[Checked]),
) {
    for seed in from..from + count {
        let rng = &mut Rng::new(seed);
        let (solver, masks, rules) = board(rng);
        if let Some((_, text)) = proof_of(&solver, seed) {
            look(&text, &by_force(&masks, &rules), &masks, &rules);
        }
    }
}

#[test]
fn a_proof_claims_what_is_so() {
    let mut claims = [0; 3];
    let mut nogoods = 0;
    each_proof(1, BOARDS, |text, solutions, _, _| {
        let checked = check(text).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        assert_eq!(checked.claim, claim_of(solutions.len()), "{text}");
        for told in &checked.solutions {
            let told: Vec<usize> = told.iter().map(|value| *value as usize).collect();
            // Places under no rule are not told.
            if told.len() == PLACES {
                assert!(solutions.contains(&told));
            }
        }
        claims[solutions.len().min(2)] += 1;
        nogoods += checked.nogoods;
    });
    assert!(claims.iter().all(|count| *count > 10), "{claims:?}");
    assert!(nogoods > 200, "{nogoods}");
}

#[test]
fn a_solution_is_checked_by_what_rules_mean() {
    let (mut right, mut wrong) = (0, 0);
    each_proof(5000, 300, |text, _, masks, rules| {
        if text.lines().filter(|line| line.starts_with("p ")).count() < PLACES {
            return;
        }
        let head = text.split("log\n").next().unwrap();
        let rng = &mut Rng::new(text.len() as u64);
        for _ in 0..40 {
            let values: Vec<usize> = masks
                .iter()
                .map(|mask| {
                    let all: Vec<usize> = (0..VALUES)
                        .filter(|value| bit_of(mask[0], *value))
                        .collect();
                    all[rng.below(all.len() as u64) as usize]
                })
                .collect();
            let listed: Vec<String> = values.iter().map(usize::to_string).collect();
            let told = format!("{head}log\ns 1 {}\nend some\n", listed.join(" "));
            let holds = rules.iter().all(|(_, holds)| holds(&values));
            assert_eq!(check(&told).is_ok(), holds, "{told}");
            *(if holds { &mut right } else { &mut wrong }) += 1;
        }
    });
    assert!(right > 300 && wrong > 3000, "{right} {wrong}");
}

/// A changed proof.
fn changed(lines: &[&str], rng: &mut Rng) -> Option<String> {
    let log = lines.iter().position(|line| *line == "log")? + 1;
    let at = log + rng.below((lines.len() - log) as u64) as usize;
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_string).collect();
    let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
    let kind = rng.below(3);
    let from = [("e", 3), ("n", 2), ("s", 2)];
    let from = from.iter().find(|(letter, _)| *letter == words[0])?.1;
    if kind == 0 {
        changed.remove(at);
        return Some(changed.join("\n") + "\n");
    }
    if words.len() <= from {
        return None;
    }
    let word = from + rng.below((words.len() - from) as u64) as usize;
    match kind {
        1 if words[word] != ":" => {
            words.remove(word);
        }
        _ => {
            let number: i64 = words[word].parse().ok()?;
            words[word] = match words[0].as_str() {
                "s" => (number + 1) % VALUES as i64,
                _ => -number,
            }
            .to_string();
        }
    }
    changed[at] = words.join(" ");
    Some(changed.join("\n") + "\n")
}

#[test]
fn a_changed_proof_is_refused_or_still_true() {
    let (mut refused, mut accepted) = (0, 0);
    each_proof(1, BOARDS, |text, solutions, _, _| {
        let lines: Vec<&str> = text.lines().collect();
        let rng = &mut Rng::new(text.len() as u64);
        for _ in 0..20 {
            let Some(changed) = changed(&lines, rng) else {
                continue;
            };
            match check(&changed) {
                Err(_) => refused += 1,
                Ok(checked) => {
                    accepted += 1;
                    assert!(is_true(checked.claim, solutions.len()), "{changed}");
                }
            }
        }
        for (at, line) in lines.iter().enumerate() {
            // Nothing that is there can be left out.
            if ["a ", "e ", "n ", "s "]
                .iter()
                .any(|letter| line.starts_with(letter))
            {
                let mut less = lines.clone();
                less.remove(at);
                assert!(check(&(less.join("\n") + "\n")).is_err(), "{line}\n{text}");
            }
        }
        for claim in ["none", "one", "some", "several"] {
            let end = lines.last().unwrap();
            let other = text.replace(end, &format!("end {claim}"));
            if let Ok(checked) = check(&other) {
                assert!(is_true(checked.claim, solutions.len()), "{other}");
            }
        }
    });
    assert!(
        refused > 3000 && accepted < refused / 4,
        "{refused} {accepted}"
    );
}

/// Who checks a proof need not trust it: nothing in it brings the checker down.
#[test]
fn hostile_proofs_are_refused_in_words() {
    const WORDS: [&str; 10] = [
        "-1",
        "0",
        "7",
        "64",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
        "none",
        ":",
        "",
    ];
    let mut refused = 0;
    each_proof(1, BOARDS, |text, _, _, _| {
        let rng = &mut Rng::new(text.len() as u64 + 1);
        let lines: Vec<&str> = text.lines().collect();
        for _ in 0..40 {
            let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
            for _ in 0..1 + rng.below(3) {
                let line = rng.below(changed.len() as u64) as usize;
                let mut words: Vec<&str> = changed[line].split(' ').collect();
                let at = rng.below(words.len() as u64) as usize;
                words[at] = WORDS[rng.below(WORDS.len() as u64) as usize];
                changed[line] = words.join(" ");
            }
            refused += u32::from(check(&changed.join("\n")).is_err());
        }
    });
    assert!(refused > 10_000, "{refused}");
}

/// Each rule in turn is left out of the head, as if a propagator concluded more than it says.
#[test]
fn a_proof_by_a_rule_that_says_less_is_refused() {
    let (mut refused, mut accepted) = (0, 0);
    each_proof(1, BOARDS, |text, _, masks, rules| {
        for number in 0..rules.len() {
            let lines: Vec<String> = text
                .lines()
                .map(|line| match line.starts_with(&format!("r {number} ")) {
                    true => format!("r {number} count 0 none : :"),
                    false => line.to_string(),
                })
                .collect();
            let without = check(&(lines.join("\n") + "\n"));
            let left = |values: &Vec<usize>| {
                let others = rules.iter().enumerate().filter(|(at, _)| *at != number);
                others.into_iter().all(|(_, (_, holds))| holds(values))
            };
            let count = by_force(masks, &[]).into_iter().filter(left).count();
            match without {
                Err(_) => refused += 1,
                Ok(checked) => {
                    accepted += 1;
                    assert!(is_true(checked.claim, count), "{text}");
                }
            }
        }
    });
    assert!(refused > 400 && accepted > 50, "{refused} {accepted}");
}

/// Whether the second checker takes a proof; `None` if there is no `python3`, and then nothing is tested.
fn by_python(text: &str, name: &str) -> Option<(bool, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let file = std::env::temp_dir().join(format!("ndscript-{}-{name}.proof", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let mut command = std::process::Command::new("python3");
    command
        .arg(format!("{root}/tools/check_proof.py"))
        .arg(&file);
    let ended = command.output().ok();
    std::fs::remove_file(&file).unwrap();
    let ended = ended?;
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(
        matches!(ended.status.code(), Some(0 | 1)),
        "{said} {ended:?}"
    );
    Some((ended.status.success(), said))
}

#[test]
fn the_second_checker_agrees() {
    let (mut held, mut refused, mut at) = (0, 0, 0);
    each_proof(1, 30, |text, _, _, _| {
        at += 1;
        let lines: Vec<&str> = text.lines().collect();
        let rng = &mut Rng::new(text.len() as u64);
        let changes = (0..1).filter_map(|_| changed(&lines, rng));
        for text in std::iter::once(text.to_string()).chain(changes) {
            let Some((holds, said)) = by_python(&text, &at.to_string()) else {
                return;
            };
            let checked = check(&text);
            assert_eq!(holds, checked.is_ok(), "{said}{checked:?}\n{text}");
            *(if holds { &mut held } else { &mut refused }) += 1;
        }
    });
    // Without Python there is no word about it.
    assert!(held == 0 || refused > 5, "{held} {refused}");
}
