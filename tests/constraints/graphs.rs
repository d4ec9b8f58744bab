//! Rules over graphs as programs write them, against plain checks: what `decide` finds is exactly what they allow, each once.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Random, count, texts};

/// Pairs of nodes.
pub(super) type Links = Vec<[usize; 2]>;

fn links(random: &mut Random, nodes: usize, most: usize) -> Links {
    let mut links = Links::new();
    for _ in 0..nodes - 1 + random.below(most + 2 - nodes) {
        let first = random.below(nodes);
        links.push([first, (first + 1 + random.below(nodes - 1)) % nodes]);
    }
    links
}

/// What hangs together of some nodes.
pub(super) fn pieces(links: &[[usize; 2]], nodes: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let mut left = nodes.clone();
    let mut pieces = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut piece = BTreeSet::from([first]);
        while let Some(next) = left.iter().copied().find(|node| {
            links
                .iter()
                .any(|[a, b]| a == node && piece.contains(b) || b == node && piece.contains(a))
        }) {
            left.remove(&next);
            piece.insert(next);
        }
        pieces.push(piece);
    }
    pieces
}

/// The fewest links from one node to another by some nodes.
pub(super) fn steps(
    links: &[[usize; 2]],
    nodes: &BTreeSet<usize>,
    from: usize,
    to: usize,
) -> Option<usize> {
    let mut near = BTreeSet::from([from]);
    for steps in 0..=nodes.len() {
        if near.contains(&to) {
            return Some(steps);
        }
        let beside = |node: usize| {
            links.iter().filter_map(move |[a, b]| match node {
                _ if *a == node => Some(*b),
                _ if *b == node => Some(*a),
                _ => None,
            })
        };
        let next: Vec<usize> = near.iter().flat_map(|node| beside(*node)).collect();
        near.extend(next.into_iter().filter(|node| nodes.contains(node)));
    }
    None
}

/// Whether a rule holds for values of all places.
pub(super) type Allows = Box<dyn Fn(&[usize]) -> bool>;

/// A rule as it is written for a board `b`, the number of places and values of that, and what it means.
pub(super) struct Rule {
    pub(super) text: String,
    pub(super) places: usize,
    pub(super) values: usize,
    pub(super) allows: Allows,
}

/// Edges that part pieces of some sizes.
fn parted(random: &mut Random, nodes: usize, links: Links) -> Rule {
    let mut edges = String::new();
    for (place, [a, b]) in links.iter().enumerate() {
        let _ = write!(edges, "[{place}, {a}, {b}], ");
    }
    let mut sizes = vec![Vec::new(); nodes];
    let is_of_node = random.below(2) == 0;
    for node in 0..nodes {
        let row = (1..5).filter(|_| random.below(2) == 0).collect();
        sizes[node] = if is_of_node || node == 0 {
            row
        } else {
            sizes[0].clone()
        };
    }
    let said = match is_of_node {
        true => format!("n => {sizes:?}[n]"),
        false => format!("{:?}", sizes[0]),
    };
    Rule {
        text: format!(
            "regions(b, {{parted: [{edges}], values: 1, sizes: {said}, missing: true}});"
        ),
        places: links.len(),
        values: 2,
        allows: Box::new(move |v| {
            let joining = links.iter().zip(v).filter(|(_, value)| **value == 0);
            let joining: Links = joining.map(|(link, _)| *link).collect();
            let touched: BTreeSet<usize> = links.iter().flatten().copied().collect();
            let pieces = pieces(&joining, &touched);
            let is_whole = |[a, b]: &[usize; 2]| {
                pieces
                    .iter()
                    .any(|piece| piece.contains(a) && piece.contains(b))
            };
            let parts_pieces =
                |(link, value): (&[usize; 2], &usize)| *value == 0 || !is_whole(link);
            links.iter().zip(v).all(parts_pieces)
                && pieces
                    .iter()
                    .all(|piece| piece.iter().all(|node| sizes[*node].contains(&piece.len())))
        }),
    }
}

pub(super) fn rule(random: &mut Random) -> Rule {
    let nodes = 3 + random.below(4);
    let links = links(random, nodes, 8);
    let shown = |links: &Links| format!("{links:?}");
    let held = |v: &[usize], wanted: usize| -> BTreeSet<usize> {
        (0..v.len()).filter(|place| v[*place] == wanted).collect()
    };
    match random.below(6) {
        kind @ (0 | 1) => {
            let mut edges = String::new();
            for (place, [a, b]) in links.iter().enumerate() {
                let _ = write!(edges, "[{place}, \"n{a}\", \"n{b}\"], ");
            }
            let name = if kind == 0 { "circuit" } else { "acyclic" };
            Rule {
                text: format!("{name}(b, [{edges}], 1, {{missing: true}});"),
                places: links.len(),
                values: 2,
                allows: Box::new(move |v| {
                    let chosen: Links = held(v, 1).iter().map(|place| links[*place]).collect();
                    let touched: BTreeSet<usize> = chosen.iter().flatten().copied().collect();
                    let parts = pieces(&chosen, &touched).len();
                    if kind == 1 {
                        return chosen.len() + parts == touched.len();
                    }
                    let is_even = |node: &usize| {
                        chosen.iter().flatten().filter(|end| *end == node).count() == 2
                    };
                    parts == 1 && touched.iter().all(is_even)
                }),
            }
        }
        2 => Rule {
            text: format!(
                "connected(b, 1, {{links: {}, missing: true}});",
                shown(&links)
            ),
            places: nodes,
            values: 2,
            allows: Box::new(move |v| pieces(&links, &held(v, 1)).len() <= 1),
        },
        3 => {
            let (from, to) = (random.below(nodes), random.below(nodes));
            let (least, most) = (random.below(4), 1 + random.below(4));
            Rule {
                text: format!(
                    "reachable(b, 1, {from}, {to}, {{links: {}, atLeast: {least}, atMost: {most}, missing: true}});",
                    shown(&links)
                ),
                places: nodes,
                values: 2,
                allows: Box::new(move |v| {
                    let nodes = held(v, 1);
                    let is_within = |steps| steps >= least && steps <= most;
                    nodes.contains(&from) && steps(&links, &nodes, from, to).is_some_and(is_within)
                }),
            }
        }
        4 => parted(random, nodes, links),
        _ => {
            let single = random.below(3) == 0;
            let sizes: Vec<BTreeSet<usize>> = (0..3)
                .map(|_| (1..5).filter(|_| random.below(2) == 0).collect())
                .collect();
            let lists: Vec<Vec<usize>> = sizes
                .iter()
                .map(|set| set.iter().copied().collect())
                .collect();
            Rule {
                text: format!(
                    "regions(b, {{links: {}, single: {single}, sizes: v => {lists:?}[v]}});",
                    shown(&links)
                ),
                places: nodes,
                values: 3,
                allows: Box::new(move |v| {
                    (0..3).all(|value| {
                        let pieces = pieces(&links, &held(v, value));
                        let fits = |piece: &BTreeSet<usize>| sizes[value].contains(&piece.len());
                        pieces.iter().all(fits) && (!single || pieces.len() <= 1)
                    })
                }),
            }
        }
    }
}

#[test]
fn decide_finds_what_rules_over_graphs_allow() {
    let mut random = Random(29);
    let (mut none, mut several) = (0, 0);
    for number in 0..count() / 2 {
        let rule = rule(&mut random);
        let domains: Vec<Vec<usize>> = (0..rule.places)
            .map(|_| match random.below(4) {
                0 => random.some(rule.values, 1),
                _ => (0..rule.values).collect(),
            })
            .collect();
        let mut boards = vec![Vec::new()];
        for domain in &domains {
            let longer = |board: &Vec<usize>| {
                let board = board.clone();
                let values = domain.iter();
                values
                    .map(move |value| [&board[..], &[*value]].concat())
                    .collect::<Vec<_>>()
            };
            boards = boards.iter().flat_map(longer).collect();
        }
        let solutions: BTreeSet<Vec<usize>> =
            boards.into_iter().filter(|v| (rule.allows)(v)).collect();
        let sets: Vec<String> = domains
            .iter()
            .map(|domain| {
                let values: Vec<String> = domain.iter().map(usize::to_string).collect();
                format!("setOf({})", values.join(", "))
            })
            .collect();
        let program = format!(
            "let b = [{}]; {} decide(b); print(decided(b));",
            sets.join(", "),
            rule.text
        );
        let found = texts(&program, number % 16 == 0);
        let wanted: BTreeSet<String> = solutions.iter().map(|v| format!("{v:?}")).collect();
        assert_eq!(found.len(), wanted.len(), "{program}");
        assert_eq!(
            found.into_iter().collect::<BTreeSet<String>>(),
            wanted,
            "{program}"
        );
        none += usize::from(wanted.is_empty());
        several += usize::from(wanted.len() > 1);
    }
    assert!(
        none > 20 && several > 100,
        "{none} without and {several} with solutions"
    );
}

/// Where a count leaves no room, a piece that is known is followed, and which one is known is drawn.
#[test]
fn each_seed_draws_a_maze_of_its_own() {
    let program = "let g = makeGrid(11, 9, setOf(\"#\", \".\"));
        foreach (p in g) {
            if (p.x % 2 == 0 && p.y % 2 == 0) g[p] = setOf(\".\");
            else if (p.x % 2 == 1 && p.y % 2 == 1) g[p] = setOf(\"#\");
        }
        exactly(g, 59, \".\");
        connected(g, \".\");
        decide(g);
        print(join(map(positionsOf(g), p => singletonValue(g[p])), \"\"));";
    let compiled = ndscript::Engine::new().compile(program).expect("a program");
    let mazes: Vec<String> = (0..120)
        .map(|seed| {
            compiled
                .run(seed)
                .next()
                .expect("it ends")
                .expect("a maze")
                .text
        })
        .collect();
    let different: BTreeSet<&String> = mazes.iter().collect();
    assert!(different.len() >= 114, "{}", different.len());
    for at in 0..99 {
        let (x, y) = (at % 11, at / 11);
        if (x + y) % 2 == 1 {
            let open = mazes
                .iter()
                .filter(|maze| maze.as_bytes()[at] == b'.')
                .count();
            assert!((24..=102).contains(&open), "({x}, {y}): {open} of 120");
        }
    }
}
