//! Rules over graphs against their definitions, on small random graphs: no solution is lost, an assignment is accepted
//! only if it is a solution, and each reason implies its conclusion by the rule alone. Leaving a literal out of a
//! reason mostly makes it wrong: so the test would notice wrong reasons.

use super::*;
use crate::Constraint;
use crate::{Count, Tally};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A private generator, so that the graphs never change.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// Edges between this number of nodes; mostly no pair twice.
fn edges(random: &mut Random, nodes: usize, count: usize) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = Vec::new();
    // Some graphs have two parts that share a node, or are longer than others.
    let kind = random.below(4);
    for tries in 0.. {
        if edges.len() == count {
            break;
        }
        let (a, b) = (random.below(nodes), random.below(nodes));
        let is_known =
            edges.contains(&[a as u32, b as u32]) || edges.contains(&[b as u32, a as u32]);
        let middle = nodes / 2;
        let fits = match kind {
            0 => (a <= middle) == (b <= middle) || a == middle || b == middle,
            1 => a.abs_diff(b) <= 2,
            _ => true,
        };
        if a != b && (fits && !is_known || random.below(8) == 0 || tries > 100) {
            edges.push([a as u32, b as u32]);
        }
    }
    edges
}

/// The groups of nodes that edges hold together, each as a set; only nodes of a kind count.
fn parts(nodes: usize, edges: &[[u32; 2]], is_in: impl Fn(usize) -> bool) -> Vec<BTreeSet<usize>> {
    let mut parts: Vec<BTreeSet<usize>> = (0..nodes)
        .filter(|node| is_in(*node))
        .map(|node| BTreeSet::from([node]))
        .collect();
    for [a, b] in edges {
        let of = |parts: &[BTreeSet<usize>], node: u32| {
            parts
                .iter()
                .position(|part| part.contains(&(node as usize)))
        };
        if let (Some(first), Some(second)) = (of(&parts, *a), of(&parts, *b))
            && first != second
        {
            let taken = parts[second].clone();
            parts[first].extend(taken);
            parts.remove(second);
        }
    }
    parts
}

fn has_loop(nodes: usize, edges: &[[u32; 2]]) -> bool {
    let count: usize = parts(nodes, edges, |_| true).len();
    edges.len() > nodes - count
}

fn is_circuit(nodes: usize, edges: &[[u32; 2]]) -> bool {
    let degree = |node: usize| {
        edges
            .iter()
            .flatten()
            .filter(|end| **end as usize == node)
            .count()
    };
    let touched: Vec<usize> = (0..nodes).filter(|node| degree(*node) > 0).collect();
    !edges.is_empty()
        && touched.iter().all(|node| degree(*node) == 2)
        && parts(nodes, edges, |node| degree(node) > 0).len() == 1
}

/// The number of steps of the shortest path.
fn steps(
    nodes: usize,
    edges: &[[u32; 2]],
    is_in: impl Fn(usize) -> bool,
    ends: [u32; 2],
) -> Option<u32> {
    let mut near = BTreeSet::from([ends[0] as usize]);
    for steps in 0..=nodes as u32 {
        if near.contains(&(ends[1] as usize)) {
            return Some(steps);
        }
        let known = near.clone();
        for [a, b] in edges {
            for [a, b] in [[*a as usize, *b as usize], [*b as usize, *a as usize]] {
                if known.contains(&a) && is_in(b) {
                    near.insert(b);
                }
            }
        }
    }
    None
}

type Check = Box<dyn Fn(&[usize]) -> bool>;

/// A rule on a board of places and values, with its definition.
struct Case {
    network: Network,
    places: usize,
    values: usize,
    holds: Check,
    /// Counts beside it.
    counts: Vec<Count>,
}

/// A rule on places that are edges, for those of value 1.
fn network_of(nodes: usize, edges: &[[u32; 2]], shape: Shape) -> Network {
    let places = 0..edges.len() as u32;
    Network {
        places: Some(places.clone().collect()),
        booleans: Booleans {
            width: 1,
            masks: vec![0b10],
            holds: places.flat_map(|place| [place, 0]).collect(),
            ..Booleans::default()
        },
        wiring: Wiring::new(nodes as u32, edges.concat()),
        shape,
    }
}

fn on_edges(random: &mut Random, shape: Shape) -> Case {
    let nodes = 3 + random.below(5);
    let edges = edges_for(random, nodes, 10);
    let is_circuit_wanted = matches!(shape, Shape::Circuit);
    let list = edges.clone();
    Case {
        network: network_of(nodes, &edges, shape),
        places: edges.len(),
        values: 2,
        counts: Vec::new(),
        holds: Box::new(move |values| {
            let chosen = list.iter().zip(values).filter(|(_, value)| **value == 1);
            let chosen: Vec<[u32; 2]> = chosen.map(|(edge, _)| *edge).collect();
            match is_circuit_wanted {
                true => is_circuit(nodes, &chosen),
                false => !has_loop(nodes, &chosen),
            }
        }),
    }
}

/// No loop, and so many edges at least; one place more than edges is counted, or one less.
fn on_forest(random: &mut Random) -> Case {
    let mut case = on_edges(random, Shape::Acyclic);
    let (edges, nodes) = (case.places, case.network.wiring.nodes());
    let counted = edges - 1 + random.below(3);
    let least = (nodes - random.below(3)).min(counted) as u64;
    case.places = edges.max(counted);
    case.counts = vec![Count {
        places: (0..counted as u32).collect(),
        values: vec![0b10],
        least,
        most: u64::MAX,
        tally: Tally::AtLeast,
    }];
    let forest = case.holds;
    case.holds = Box::new(move |values| {
        let count = values[..counted].iter().filter(|value| **value == 1);
        count.count() as u64 >= least && forest(&values[..edges])
    });
    case
}

fn edges_for(random: &mut Random, nodes: usize, most: usize) -> Vec<[u32; 2]> {
    let count = (nodes - 1 + random.below(6)).min(most);
    edges(random, nodes, count)
}

/// Values 1 and 2 are in a region; with `fits` a random relation tells which of them are joined.
fn on_nodes(random: &mut Random, is_path: bool, has_fits: bool) -> Case {
    let values = if has_fits { 3 } else { 2 };
    let nodes = if has_fits {
        4 + random.below(2)
    } else {
        4 + random.below(5)
    };
    let edges = edges_for(random, nodes, 12);
    let ends = [random.below(nodes) as u32, random.below(nodes) as u32];
    let steps_wanted = match random.below(4) {
        0 => [0, u32::MAX],
        1 => [0, 1 + random.below(4) as u32],
        2 => [2 + random.below(4) as u32, u32::MAX],
        _ => [random.below(3) as u32, 2 + random.below(3) as u32],
    };
    let mut table: Vec<u64> = (0..values).map(|_| random.below(8) as u64 | 2).collect();
    table[0] = 0;
    let table = if has_fits { table } else { Vec::new() };
    of_nodes(nodes, edges, table, is_path.then_some((ends, steps_wanted)))
}

/// Such a case with everything given; a table, if there is one, tells which of three values are joined.
fn of_nodes(
    nodes: usize,
    edges: Vec<[u32; 2]>,
    table: Vec<u64>,
    path: Option<([u32; 2], [u32; 2])>,
) -> Case {
    let has_fits = !table.is_empty();
    let values = if has_fits { 3 } else { 2 };
    let masks = vec![if has_fits { 0b110 } else { 0b10 }];
    let fits = edges.iter().flat_map(|[a, b]| [*a, *b, 0]);
    let shape = path.map_or(Shape::Connected, |(ends, steps)| Shape::Reachable {
        ends,
        steps,
    });
    let (list, relation) = (edges.clone(), table.clone());
    Case {
        network: Network {
            places: None,
            booleans: Booleans {
                width: 1,
                masks,
                holds: (0..nodes as u32).flat_map(|place| [place, 0]).collect(),
                tables: if has_fits { vec![table] } else { Vec::new() },
                fits: if has_fits { fits.collect() } else { Vec::new() },
            },
            wiring: Wiring::new(nodes as u32, edges.concat()),
            shape,
        },
        places: nodes,
        values,
        counts: Vec::new(),
        holds: Box::new(move |held| {
            let joined = list.iter().filter(|[a, b]| {
                !has_fits || relation[held[*a as usize]] >> held[*b as usize] & 1 == 1
            });
            let joined: Vec<[u32; 2]> = joined.copied().collect();
            let is_in = |node: usize| held[node] > 0;
            let Some((ends, steps_wanted)) = path else {
                return parts(nodes, &joined, is_in).len() <= 1;
            };
            let are_in = ends.iter().all(|end| is_in(*end as usize));
            let within = |steps: u32| steps >= steps_wanted[0] && steps <= steps_wanted[1];
            are_in && steps(nodes, &joined, is_in, ends).is_some_and(within)
        }),
    }
}

fn on_regions(random: &mut Random) -> Case {
    let values = 2 + random.below(2);
    let nodes = if values == 2 {
        5 + random.below(4)
    } else {
        4 + random.below(3)
    };
    let edges = edges_for(random, nodes, 12);
    let single = random.below(3) == 0;
    let sizes: Vec<Vec<u32>> = match single && random.below(2) == 0 {
        true => Vec::new(),
        false => (0..values)
            .map(|_| (1..7).filter(|_| random.below(3) == 0).collect())
            .collect(),
    };
    let all: Vec<u32> = (0..nodes as u32).collect();
    let item = |value: usize| (0..nodes as u32).flat_map(move |place| [place, value as u32]);
    let (list, allowed) = (edges.clone(), sizes.clone());
    Case {
        network: Network {
            places: None,
            booleans: Booleans {
                width: 1,
                masks: (0..values).map(|value| 1 << value).collect(),
                holds: (0..values).flat_map(item).collect(),
                ..Booleans::default()
            },
            wiring: Wiring::new(nodes as u32, edges.concat()),
            shape: Shape::Regions(Regions {
                places: vec![all; values],
                sizes,
                single,
            }),
        },
        places: nodes,
        values,
        counts: Vec::new(),
        holds: Box::new(move |held| {
            (0..values).all(|value| {
                let pieces = parts(nodes, &list, |node| held[node] == value);
                let sizes = allowed.get(value);
                let fits = |piece: &BTreeSet<usize>| {
                    sizes.is_none_or(|sizes| sizes.contains(&(piece.len() as u32)))
                };
                pieces.iter().all(fits) && (!single || pieces.len() <= 1)
            })
        }),
    }
}

/// Places that are edges: 1 parts its nodes.
fn on_division(random: &mut Random) -> Case {
    let nodes = 4 + random.below(4);
    let edges = edges_for(random, nodes, 10);
    let rows = [0, 2, 1, 1][random.below(4)];
    let sizes: Vec<Vec<u32>> = (0..rows)
        .map(|_| {
            let least = 1 + random.below(3) as u32;
            let more = (least + 1..7).filter(|_| random.below(4) == 0);
            std::iter::once(least).chain(more).collect()
        })
        .collect();
    let mut row = || random.below(sizes.len()) as u32;
    let row_of: Vec<u32> = match sizes.is_empty() {
        true => Vec::new(),
        false => (0..nodes).map(|_| row()).collect(),
    };
    let (list, allowed, of) = (edges.clone(), sizes.clone(), row_of.clone());
    let division = match sizes.is_empty() {
        true => Division::of_any_size(),
        false => Division::new(sizes, row_of),
    };
    Case {
        network: network_of(nodes, &edges, Shape::Division(division)),
        places: edges.len(),
        values: 2,
        counts: Vec::new(),
        holds: Box::new(move |held| {
            let joining = list.iter().zip(held).filter(|(_, held)| **held == 0);
            let joining: Vec<[u32; 2]> = joining.map(|(edge, _)| *edge).collect();
            let pieces = parts(nodes, &joining, |_| true);
            let piece_of = |node: u32| {
                pieces
                    .iter()
                    .position(|piece| piece.contains(&(node as usize)))
            };
            let parts_two = |(edge, held): (&[u32; 2], &usize)| {
                *held == 0 || piece_of(edge[0]) != piece_of(edge[1])
            };
            let fits = |piece: &BTreeSet<usize>| {
                piece.iter().all(|node| {
                    let sizes = of.get(*node).map(|row| &allowed[*row as usize]);
                    sizes.is_none_or(|sizes| sizes.contains(&(piece.len() as u32)))
                })
            };
            list.iter().zip(held).all(parts_two) && pieces.iter().all(fits)
        }),
    }
}

impl Case {
    /// All ways to fill the board.
    fn boards(&self) -> Vec<Vec<usize>> {
        (0..self.values.pow(self.places as u32))
            .map(|mut number| {
                let mut digit = || {
                    let digit = number % self.values;
                    number /= self.values;
                    digit
                };
                (0..self.places).map(|_| digit()).collect()
            })
            .collect()
    }

    fn statuses(&self, domains: &[u64]) -> Vec<Status> {
        let mut status = Vec::new();
        let domain =
            |place: u32| crate::Candidates::whole(std::slice::from_ref(&domains[place as usize]));
        self.network.booleans.statuses(domain, &mut status);
        status
    }

    fn of_board(&self, board: &[usize]) -> Vec<bool> {
        let domains: Vec<u64> = board.iter().map(|value| 1 << value).collect();
        self.statuses(&domains)
            .into_iter()
            .map(|status| status == Status::Yes)
            .collect()
    }

    fn solver(&self, domains: &[u64]) -> Solver {
        let masks: Vec<Vec<u64>> = domains.iter().map(|domain| vec![*domain]).collect();
        let mut solver = Solver::with_domains(self.values, &masks);
        solver.add(Constraint::from(self.network.clone()));
        for count in &self.counts {
            solver.add(Constraint::from(count.clone()));
        }
        solver
    }

    fn infer(&self, status: &[Status]) -> Inferences {
        let mut found = Inferences::new(true);
        self.network.infer(status, &mut found);
        let counts = self.counts.iter().cloned();
        let counts: Vec<Arc<Constraint>> = counts.map(|own| Arc::new(own.into())).collect();
        if let (Some(together), _) = self.network.with_counts(&counts, self.places) {
            together.infer(status, &mut found);
        }
        found
    }
}

/// How many reasons were checked, and how many of them fail if one of their literals is left out.
#[derive(Default)]
struct Seen {
    conclusions: usize,
    failures: usize,
    literals: usize,
    needed: usize,
}

fn check(case: &Case, random: &mut Random, seen: &mut Seen) {
    let full = (1 << case.values) - 1;
    let boards = case.boards();
    let truths: Vec<Vec<bool>> = boards.iter().map(|board| case.of_board(board)).collect();
    let is_solution: Vec<bool> = boards.iter().map(|board| (case.holds)(board)).collect();
    let solutions = || {
        truths
            .iter()
            .zip(&is_solution)
            .filter(|(_, is)| **is)
            .map(|(truth, _)| truth)
    };
    let solved: Vec<&Vec<usize>> = boards
        .iter()
        .zip(&is_solution)
        .filter(|(_, is)| **is)
        .map(|(board, _)| board)
        .collect();
    for turn in 0..8 {
        let spare = random.below(4);
        // A part of a solution with something changed, or anything.
        let near =
            (turn % 2 == 0 && !solved.is_empty()).then(|| solved[random.below(solved.len())]);
        let changed = random.below(2 * case.places);
        let domains: Vec<u64> = (0..case.places)
            .map(|place| match (random.below(4) < spare, near) {
                (true, _) => full,
                (false, Some(board)) if place != changed => 1 << board[place],
                _ => 1 + random.below(full as usize) as u64,
            })
            .collect();
        let status = case.statuses(&domains);
        let found = case.infer(&status);
        let mut look = |reason: &[Literal], conclusion: Option<Literal>| {
            // Some are there several times.
            let mut reason = reason.to_vec();
            reason.sort_unstable_by_key(|literal| literal.item);
            reason.dedup();
            let reason = &reason;
            for literal in reason {
                let wanted = if literal.is { Status::Yes } else { Status::No };
                assert_eq!(
                    status[literal.item as usize], wanted,
                    "{:?}",
                    case.network.shape
                );
            }
            let refuted = |left_out: Option<usize>| {
                solutions().any(|truth| {
                    let mut reason = reason.iter().enumerate();
                    reason.all(|(at, literal)| {
                        Some(at) == left_out || truth[literal.item as usize] == literal.is
                    }) && conclusion.is_none_or(|end| truth[end.item as usize] != end.is)
                })
            };
            assert!(
                !refuted(None),
                "{reason:?} does not imply {conclusion:?}: {status:?} of {:?}",
                case.network
            );
            seen.literals += reason.len();
            seen.needed += (0..reason.len()).filter(|at| refuted(Some(*at))).count();
        };
        for (literal, reason) in found.conclusions() {
            look(reason, Some(literal));
            seen.conclusions += 1;
        }
        if let Some(reason) = found.failure() {
            look(reason, None);
            seen.failures += 1;
        }
        let mut solver = case.solver(&domains);
        let result = solver.propagate_to_fixpoint(&mut Budget::unlimited());
        for (board, is_solution) in boards.iter().zip(&is_solution) {
            let was_there = board
                .iter()
                .zip(&domains)
                .all(|(value, domain)| domain >> value & 1 == 1);
            if was_there && *is_solution {
                let stays =
                    (0..case.places).all(|place| solver.candidates(place).has(board[place]));
                assert!(
                    result.is_ok() && stays,
                    "{board:?} is lost: {:?}",
                    case.network
                );
            }
        }
    }
    for (board, is_solution) in boards.iter().zip(&is_solution) {
        let domains: Vec<u64> = board.iter().map(|value| 1 << value).collect();
        let result = case
            .solver(&domains)
            .propagate_to_fixpoint(&mut Budget::unlimited());
        assert_eq!(
            result.is_ok(),
            *is_solution,
            "{board:?} of {:?}",
            case.network
        );
    }
}

/// Checks many cases; at least this percentage of literals has to be needed.
fn check_many(count: usize, make: impl Fn(&mut Random) -> Case, least_needed: usize) {
    let (mut random, mut seen) = (Random(7), Seen::default());
    for _ in 0..count {
        let case = make(&mut random);
        check(&case, &mut random, &mut seen);
    }
    assert!(
        seen.conclusions > count / 2,
        "only {} conclusions",
        seen.conclusions
    );
    assert!(
        seen.failures > count / 20,
        "only {} failures",
        seen.failures
    );
    let needed = 100 * seen.needed / seen.literals.max(1);
    assert!(
        needed >= least_needed,
        "only {needed} of 100 literals are needed"
    );
}

#[test]
fn one_closed_loop() {
    check_many(300, |random| on_edges(random, Shape::Circuit), 50);
}

#[test]
fn no_closed_loop() {
    check_many(300, |random| on_edges(random, Shape::Acyclic), 50);
}

#[test]
fn a_forest_of_so_many_edges() {
    check_many(300, on_forest, 40);
}

#[test]
fn one_piece() {
    check_many(200, |random| on_nodes(random, false, false), 50);
}

#[test]
fn one_piece_of_what_fits() {
    check_many(120, |random| on_nodes(random, false, true), 50);
}

#[test]
fn a_way() {
    check_many(200, |random| on_nodes(random, true, false), 35);
}

/// A ring, of which one side is too short.
#[test]
fn a_long_way() {
    let ring = |_: &mut Random| {
        let edges = (0..7).map(|node| [node, (node + 1) % 7]).collect();
        of_nodes(7, edges, Vec::new(), Some(([0, 3], [4, u32::MAX])))
    };
    check_many(100, ring, 40);
}

#[test]
fn a_way_over_what_fits() {
    check_many(120, |random| on_nodes(random, true, true), 30);
}

#[test]
fn regions_of_some_sizes() {
    check_many(200, on_regions, 40);
}

#[test]
fn nodes_parted_by_edges() {
    check_many(300, on_division, 30);
}

#[test]
fn a_saved_rule_is_the_same() {
    let mut random = Random(3);
    for make in [
        |random: &mut Random| on_edges(random, Shape::Circuit),
        |random: &mut Random| on_nodes(random, true, true),
        on_regions,
        on_division,
    ] {
        let case = make(&mut random);
        let mut out = Writer::default();
        case.network.save(&mut out);
        let bytes = out.into_bytes();
        let loaded = Network::load(&mut Reader::new(&bytes, 1 << 20)).expect("it was saved");
        assert_eq!(format!("{loaded:?}"), format!("{:?}", case.network));
        assert!(loaded.fits(case.places) && !loaded.fits(case.places - 1));
        assert!(Network::load(&mut Reader::new(&bytes[..bytes.len() - 1], 1 << 20)).is_err());
    }
}

/// The kernels of rules that have a propagator of their own say no less than these.
#[test]
fn pieces_and_ways_of_a_grid() {
    let mut random = Random(11);
    for _ in 0..200 {
        let (columns, rows) = (2 + random.below(3) as u32, 2 + random.below(2) as u32);
        let cells = (columns * rows) as usize;
        let domains: Vec<Vec<u64>> = (0..cells)
            .map(|_| vec![[1, 2, 3, 3][random.below(4)]])
            .collect();
        let ends = [random.below(cells) as u32, random.below(cells) as u32];
        let values = vec![0b10];
        for constraint in [
            Constraint::from(crate::Connected {
                columns,
                rows,
                values: values.clone(),
            }),
            crate::Reachable {
                columns,
                rows,
                values: values.clone(),
                ends,
            }
            .into(),
        ] {
            let mut solver = Solver::with_domains(2, &domains);
            let number = solver.add(constraint.clone());
            let result = solver.propagate_to_fixpoint(&mut Budget::unlimited());
            let kernel = solver.constraints()[number as usize]
                .kernel()
                .expect("it has one");
            assert_eq!(kernel.items().len(), cells);
            let mut status: Vec<Status> = domains
                .iter()
                .map(|domain| [Status::No, Status::Yes, Status::Open][domain[0] as usize - 1])
                .collect();
            let mut fails = false;
            loop {
                let mut found = Inferences::new(true);
                kernel.infer(&status, &mut found);
                fails |= found.failure().is_some();
                let before = status.clone();
                for (literal, _) in found.conclusions() {
                    status[literal.item as usize] =
                        if literal.is { Status::Yes } else { Status::No };
                }
                if fails || before == status {
                    break;
                }
            }
            assert_eq!(fails, result.is_err());
            for (place, status) in status.iter().enumerate().filter(|_| !fails) {
                let left = solver.candidates(place).words().1[0];
                assert_eq!(
                    [Status::No, Status::Yes, Status::Open][left as usize - 1],
                    *status
                );
            }
        }
    }
}
