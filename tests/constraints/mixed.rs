//! Rules that are made of others, that read their places by a machine or that wait for a place, mixed with all the rest,
//! against brute force.

use std::collections::BTreeSet;

use super::{Puzzle, Random, Rule, VALUES, count, puzzle, rule, shown, texts};

pub(super) enum More {
    Automaton {
        places: Vec<usize>,
        /// The state after a state and a value.
        next: Vec<Vec<Option<usize>>>,
        ends: Vec<bool>,
    },
    Element {
        index: usize,
        places: Vec<usize>,
        result: usize,
    },
    Ordered {
        places: Vec<usize>,
        strict: bool,
    },
    Either(Vec<(usize, Vec<usize>)>),
    Counts {
        places: Vec<usize>,
        /// Values with the fewest and the most places that hold them.
        limits: Vec<(usize, usize, usize)>,
    },
    /// A sum whose factors are near the largest that are exact.
    LargeSum {
        places: Vec<usize>,
        factors: Vec<i64>,
        low: i64,
        high: i64,
    },
    When {
        place: usize,
        values: Vec<usize>,
        rule: Rule,
    },
}

/// Places, some of them more than once at times.
fn places(random: &mut Random, count: usize) -> Vec<usize> {
    let mut places = random.some(count, 1);
    if random.below(3) == 0 {
        let again = places[random.below(places.len())];
        places.insert(random.below(places.len() + 1), again);
    }
    places
}

pub(super) fn more(random: &mut Random, puzzle: &Puzzle) -> More {
    let count = puzzle.domains.len();
    match random.below(7) {
        0 => {
            let states = 1 + random.below(4);
            let state = |random: &mut Random| (random.below(4) > 0).then(|| random.below(states));
            More::Automaton {
                places: places(random, count),
                next: (0..states)
                    .map(|_| (0..VALUES).map(|_| state(random)).collect())
                    .collect(),
                ends: (0..states).map(|_| random.below(3) > 0).collect(),
            }
        }
        1 => More::Element {
            index: random.below(count),
            places: places(random, count),
            result: random.below(count),
        },
        2 => More::Ordered {
            places: places(random, count),
            strict: random.below(3) == 0,
        },
        3 => More::Either(
            (0..1 + random.below(3))
                .map(|_| (random.below(count), random.some(VALUES, 1)))
                .collect(),
        ),
        4 => {
            let limit = |random: &mut Random, value| {
                let least = random.below(3);
                (value, least, least + random.below(3))
            };
            let values = random.some(VALUES, 1);
            More::Counts {
                places: places(random, count),
                limits: values
                    .into_iter()
                    .map(|value| limit(random, value))
                    .collect(),
            }
        }
        5 => {
            let places = places(random, count);
            let factors: Vec<i64> = places
                .iter()
                .map(|_| (random.below(7) as i64 - 3) * (1 << 46) + random.below(5) as i64 - 2)
                .collect();
            let some: Vec<usize> = puzzle
                .domains
                .iter()
                .map(|domain| domain[random.below(domain.len())])
                .collect();
            let low = sum(&places, &factors, &some) - random.below(2) as i64;
            let high = low + random.below(3) as i64;
            More::LargeSum {
                places,
                factors,
                low,
                high,
            }
        }
        _ => More::When {
            place: random.below(count),
            values: random.some(VALUES, 1),
            rule: rule(random, puzzle.shape, count),
        },
    }
}

fn sum(places: &[usize], factors: &[i64], v: &[usize]) -> i64 {
    let parts = places.iter().zip(factors);
    parts.map(|(place, factor)| v[*place] as i64 * factor).sum()
}

impl More {
    pub(super) fn statement(&self, puzzle: &Puzzle) -> String {
        let list = |places: &[usize]| puzzle.list(places);
        match self {
            More::Automaton { places, next, ends } => {
                let state = |state: &Option<usize>| {
                    state.map_or("null".to_string(), |state| state.to_string())
                };
                let row = |row: &Vec<Option<usize>>| {
                    format!(
                        "[{}]",
                        row.iter().map(state).collect::<Vec<String>>().join(", ")
                    )
                };
                let rows: Vec<String> = next.iter().map(row).collect();
                format!(
                    "{{ let t = [{}], e = {ends:?}; automaton(b, {}, 0, (s, v) => t[s][v], s => e[s]); }}",
                    rows.join(", "),
                    list(places)
                )
            }
            More::Element {
                index,
                places,
                result,
            } => format!(
                "element(b, {}, {}, {});",
                puzzle.place(*index),
                list(places),
                puzzle.place(*result)
            ),
            More::Ordered { places, strict } => {
                format!("ordered(b, {}, {{strict: {strict}}});", list(places))
            }
            More::Either(parts) => {
                let part = |(place, values): &(usize, Vec<usize>)| {
                    format!("[{}, toSet({values:?})]", puzzle.place(*place))
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("either(b, [{}], {{missing: true}});", parts.join(", "))
            }
            More::Counts { places, limits } => {
                let limit = |(value, least, most): &(usize, usize, usize)| {
                    format!("[{value}, [{least}, {most}]]")
                };
                let limits: Vec<String> = limits.iter().map(limit).collect();
                format!(
                    "counts(b, [{}], {}, {{missing: true}});",
                    limits.join(", "),
                    list(places)
                )
            }
            More::LargeSum {
                places,
                factors,
                low,
                high,
            } => format!("sumOf(b, {low}, {high}, {}, {factors:?});", list(places)),
            More::When {
                place,
                values,
                rule,
            } => {
                let waiting = Puzzle {
                    rules: vec![rule.clone()],
                    ..puzzle.clone()
                };
                format!(
                    "when(b, {}, toSet({values:?}), () => {{ {} }}, {{missing: true}});",
                    puzzle.place(*place),
                    waiting.statements().trim()
                )
            }
        }
    }

    pub(super) fn allows(&self, puzzle: &Puzzle, v: &[usize]) -> bool {
        match self {
            More::Automaton { places, next, ends } => {
                let last = places
                    .iter()
                    .try_fold(0, |state: usize, place| next[state][v[*place]]);
                last.is_some_and(|state| ends[state])
            }
            More::Element {
                index,
                places,
                result,
            } => places
                .get(v[*index])
                .is_some_and(|place| v[*place] == v[*result]),
            More::Ordered { places, strict } => places.windows(2).all(|pair| {
                let (a, b) = (v[pair[0]], v[pair[1]]);
                if *strict { a < b } else { a <= b }
            }),
            More::Either(parts) => parts
                .iter()
                .any(|(place, values)| values.contains(&v[*place])),
            More::Counts { places, limits } => {
                let places: BTreeSet<&usize> = places.iter().collect();
                limits.iter().all(|(value, least, most)| {
                    let count = places.iter().filter(|place| v[***place] == *value).count();
                    (*least..=*most).contains(&count)
                })
            }
            More::LargeSum {
                places,
                factors,
                low,
                high,
            } => (*low..=*high).contains(&sum(places, factors, v)),
            More::When {
                place,
                values,
                rule,
            } => !values.contains(&v[*place]) || puzzle.allows(rule, v),
        }
    }
}

#[test]
fn mixes_of_all_rules_have_the_solutions_of_brute_force() {
    let mut random = Random(417);
    let mut solved = 0;
    let options = [
        "",
        ", {order: \"first\"}",
        ", {backjump: false}",
        ", {fair: true}",
    ];
    for number in 0..count() {
        let rules = random.below(3);
        let mut puzzle = puzzle(&mut random, rules);
        // A machine is asked for the values of the board alone.
        puzzle.is_wide = false;
        let all: Vec<More> = (0..1 + random.below(3))
            .map(|_| more(&mut random, &puzzle))
            .collect();
        let statements: Vec<String> = all.iter().map(|more| more.statement(&puzzle)).collect();
        let program = format!(
            "{}{}{}\ndecide(b{});\n{}",
            puzzle.declaration(),
            puzzle.statements(),
            statements.join("\n"),
            options[number % options.len()],
            puzzle.printing()
        );
        let mut found = texts(&program, number % 8 == 0);
        let each = |v: &Vec<usize>| shown(v.iter().map(|value| BTreeSet::from([*value])));
        let mut expected: Vec<String> = puzzle
            .solutions()
            .iter()
            .filter(|v| all.iter().all(|more| more.allows(&puzzle, v)))
            .map(each)
            .collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{number}:\n{program}");
        solved += usize::from(!expected.is_empty());
    }
    assert!(
        solved > count() / 5,
        "too few boards have a solution: {solved}"
    );
}
