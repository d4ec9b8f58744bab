//! Programs of two boards with rules of all kinds and with choices, restarts, checks and searches around `decide`, against brute
//! force; some are stopped, saved and read back again and again. `MIXES=30000 MIXES_FROM=7` tries more of them, from another seed.

use std::collections::BTreeSet;

use super::mixed::{More, more};
use super::repeated::repeated;
use super::{Puzzle, Random, Rule, Shape, VALUES, graphs, puzzle, rule};
use ndscript::{Engine, Limits, Outcome};

/// A rule of any kind, as a statement about the board `b` and as what it means.
enum Any {
    Plain(Rule),
    Made(More),
    /// A rule about neighbours other than those of the grid.
    Graph(graphs::Rule),
}

impl Any {
    fn some(random: &mut Random, puzzle: &Puzzle) -> Any {
        let is_grid = matches!(puzzle.shape, Shape::Grid { .. });
        match random.below(8) {
            0 | 1 if is_grid => Any::Graph(neighbours_rule(random, puzzle)),
            0..=3 => Any::Plain(rule(random, puzzle.shape, puzzle.domains.len())),
            4 => Any::Plain(repeated(random, puzzle)),
            _ => Any::Made(more(random, puzzle)),
        }
    }

    fn statement(&self, puzzle: &Puzzle) -> String {
        match self {
            Any::Plain(rule) => Puzzle {
                rules: vec![rule.clone()],
                ..puzzle.clone()
            }
            .statements(),
            Any::Made(more) => more.statement(puzzle),
            Any::Graph(rule) => rule.text.clone(),
        }
    }

    fn allows(&self, puzzle: &Puzzle, v: &[usize]) -> bool {
        match self {
            Any::Plain(rule) => puzzle.allows(rule, v),
            Any::Made(more) => more.allows(puzzle, v),
            Any::Graph(rule) => (rule.allows)(v),
        }
    }
}

/// A rule with options about neighbours, on a grid.
fn neighbours_rule(random: &mut Random, puzzle: &Puzzle) -> graphs::Rule {
    let (wrap, diagonal) = (random.below(2) == 0, random.below(2) == 0);
    let links: graphs::Links = puzzle
        .neighbours(wrap, diagonal)
        .into_iter()
        .filter(|(p, q, _)| p != q)
        .map(|(p, q, _)| [p, q])
        .collect();
    let options = format!("wrap: {wrap}, diagonal: {diagonal}");
    let values = random.some(VALUES, 1);
    let count = puzzle.domains.len();
    let held = |v: &[usize], values: &[usize]| -> BTreeSet<usize> {
        (0..v.len())
            .filter(|place| values.contains(&v[*place]))
            .collect()
    };
    let (text, allows): (String, graphs::Allows) = match random.below(4) {
        0 => (
            format!("connected(b, toSet({values:?}), {{{options}, missing: true}});"),
            Box::new(move |v| graphs::pieces(&links, &held(v, &values)).len() <= 1),
        ),
        1 => {
            let fits: BTreeSet<(usize, usize)> = (0..VALUES * VALUES)
                .filter(|_| random.below(2) == 0)
                .map(|at| (at / VALUES, at % VALUES))
                .chain([(0, 0)])
                .collect();
            let pairs: Vec<[usize; 2]> = fits.iter().map(|(a, b)| [*a, *b]).collect();
            (
                format!(
                    "connected(b, toSet({values:?}), {{joined: relation({pairs:?}), {options}, missing: true}});"
                ),
                Box::new(move |v| {
                    let is_joined = |[p, q]: &[usize; 2]| {
                        fits.contains(&(v[*p], v[*q])) && fits.contains(&(v[*q], v[*p]))
                    };
                    let joined: graphs::Links = links.iter().copied().filter(is_joined).collect();
                    graphs::pieces(&joined, &held(v, &values)).len() <= 1
                }),
            )
        }
        2 => {
            let (from, to) = (random.below(count), random.below(count));
            let (least, most) = (random.below(3), 1 + random.below(4));
            (
                format!(
                    "reachable(b, toSet({values:?}), {}, {}, {{{options}, atLeast: {least}, atMost: {most}, missing: true}});",
                    puzzle.place(from),
                    puzzle.place(to)
                ),
                Box::new(move |v| {
                    let nodes = held(v, &values);
                    let is_within = |steps| steps >= least && steps <= most;
                    nodes.contains(&from)
                        && graphs::steps(&links, &nodes, from, to).is_some_and(is_within)
                }),
            )
        }
        _ => {
            let single = random.below(3) == 0;
            let sizes: Vec<Vec<usize>> = (0..VALUES)
                .map(|_| (1..5).filter(|_| random.below(3) > 0).collect())
                .collect();
            (
                format!("regions(b, {{{options}, single: {single}, sizes: v => {sizes:?}[v]}});"),
                Box::new(move |v| {
                    (0..VALUES).all(|value| {
                        let pieces = graphs::pieces(&links, &held(v, &[value]));
                        pieces
                            .iter()
                            .all(|piece| sizes[value].contains(&piece.len()))
                            && (!single || pieces.len() <= 1)
                    })
                }),
            )
        }
    };
    graphs::Rule {
        text,
        places: count,
        values: VALUES,
        allows,
    }
}

/// A board with its rules, and one rule more that comes later.
struct Board {
    puzzle: Puzzle,
    rules: Vec<Any>,
    later: Any,
}

impl Board {
    fn some(random: &mut Random) -> Board {
        if random.below(8) == 0 {
            let graph = graphs::rule(random);
            let domains = (0..graph.places)
                .map(|_| random.some(graph.values, 1))
                .collect();
            let puzzle = Puzzle {
                shape: Shape::Array,
                domains,
                values: VALUES,
                rules: Vec::new(),
                is_wide: false,
            };
            let later = Any::some(random, &puzzle);
            return Board {
                puzzle,
                rules: vec![Any::Graph(graph)],
                later,
            };
        }
        let mut puzzle = puzzle(random, 0);
        puzzle.is_wide = false;
        let rules = (0..1 + random.below(3))
            .map(|_| Any::some(random, &puzzle))
            .collect();
        let later = Any::some(random, &puzzle);
        Board {
            puzzle,
            rules,
            later,
        }
    }

    /// Functions that make the board, that put the late rule on it, and that show it; so many rules are left out.
    fn functions(&self, name: &str, left_out: usize) -> String {
        let rules: Vec<String> = self.rules[left_out..]
            .iter()
            .map(|rule| rule.statement(&self.puzzle))
            .collect();
        format!(
            "function make_{name}() {{ {}{} return b; }}\nfunction later_{name}(b) {{ {} }}\nfunction show_{name}(b) {{ return {}; }}\n",
            self.puzzle.declaration(),
            rules.join(" "),
            self.later.statement(&self.puzzle),
            self.values()
        )
    }

    /// An array of the values of the board `b`.
    fn values(&self) -> String {
        let values: Vec<String> = (0..self.puzzle.domains.len())
            .map(|place| format!("valueAt(b, {})", self.puzzle.place(place)))
            .collect();
        format!("[{}]", values.join(", "))
    }

    fn solutions(&self) -> Vec<Vec<usize>> {
        let all = self.puzzle.solutions();
        let fits = |v: &Vec<usize>| self.rules.iter().all(|rule| rule.allows(&self.puzzle, v));
        all.into_iter().filter(fits).collect()
    }

    fn late(&self, v: &[usize]) -> bool {
        self.later.allows(&self.puzzle, v)
    }
}

/// What a program may print, one text for each of its solutions.
enum Expected {
    /// These, in some order.
    All(Vec<String>),
    /// One of these, or nothing where there are none.
    One(BTreeSet<String>),
    /// As many as there are lists, each time one of a list.
    OneOfEach(Vec<BTreeSet<String>>),
}

impl Expected {
    fn holds(&self, found: &[String]) -> bool {
        match self {
            Expected::All(all) => {
                let (mut all, mut found) = (all.clone(), found.to_vec());
                all.sort();
                found.sort();
                all == found
            }
            Expected::One(all) => {
                found.len() == usize::from(!all.is_empty())
                    && found.iter().all(|text| all.contains(text))
            }
            Expected::OneOfEach(lists) => {
                let mut left: Vec<&BTreeSet<String>> = lists.iter().collect();
                found.iter().all(|text| {
                    let at = left.iter().position(|list| list.contains(text));
                    at.map(|at| left.remove(at)).is_some()
                }) && left.is_empty()
            }
        }
    }
}

const OPTIONS: &[&str] = &[
    "",
    ", {order: \"first\"}",
    ", {order: \"random\"}",
    ", {order: \"conflicts\"}",
    ", {backjump: false}",
    ", {weights: v => v}",
    ", {fair: true}",
];

/// What is done with the boards `x` and `y`, and what comes of it.
fn body(random: &mut Random, x: &Board, y: &Board) -> (String, Expected) {
    let (of_x, of_y) = (x.solutions(), y.solutions());
    let both = |is: &dyn Fn(&[usize], &[usize]) -> bool| -> Vec<String> {
        of_x.iter()
            .flat_map(|v| of_y.iter().map(move |w| (v, w)))
            .filter(|(v, w)| is(v, w))
            .map(|(v, w)| format!("{v:?}{w:?}"))
            .collect()
    };
    let mut decide =
        |name: &str| format!("decide({name}{});", OPTIONS[random.below(OPTIONS.len())]);
    let (first, second) = (decide("x"), decide("y"));
    let show = "print(show_x(x), show_y(y));";
    let p = random.below(x.puzzle.domains.len());
    let q = random.below(y.puzzle.domains.len());
    let (at_p, at_q) = (x.puzzle.place(p), y.puzzle.place(q));
    let (v, w) = (random.below(VALUES), random.below(VALUES));
    let price = |values: &[usize]| -> usize {
        values
            .iter()
            .enumerate()
            .map(|(at, value)| value * ((value * (3 + at) + at) % 5))
            .sum()
    };
    let priced = |name: &str| format!("price(show_{name}({name}))");
    let cheapest = |all: &[Vec<usize>]| -> Vec<Vec<usize>> {
        let least = all.iter().map(|v| price(v)).min();
        let all = all.iter().filter(|v| Some(price(v)) == least);
        all.cloned().collect()
    };
    let kind = random.below(13);
    // A board without a solution fails before anything is done with the other one.
    let kind = if of_x.is_empty() || of_y.is_empty() {
        0
    } else {
        kind
    };
    match kind {
        0 => (
            format!("{first} {second} {show}"),
            Expected::All(both(&|_, _| true)),
        ),
        1 => {
            let text = format!(
                "let way = choose(0, 1, 2); if (way == 1) later_x(x); {first} if (way == 2) later_y(y); {second} {show}"
            );
            let mut all = both(&|_, _| true);
            all.extend(both(&|v, _| x.late(v)));
            all.extend(both(&|_, w| y.late(w)));
            (text, Expected::All(all))
        }
        2 => (
            format!("{first} if (valueAt(x, {at_p}) == {v}) later_y(y); {second} {show}"),
            Expected::All(both(&|a, b| a[p] != v || y.late(b))),
        ),
        3 => {
            let texts = of_y
                .iter()
                .map(|w| format!("{}{w:?}{}", of_x.len(), of_x.len() == 1));
            (
                format!(
                    "let n = countSolutions(() => {{ {first} }}); let one = unique(x); {second} print(n, show_y(y), one);"
                ),
                Expected::All(texts.collect()),
            )
        }
        4 => {
            let least = both(&|v, w| {
                let (v, w) = (
                    cheapest(&of_x).contains(&v.to_vec()),
                    cheapest(&of_y).contains(&w.to_vec()),
                );
                v && w
            });
            (
                format!(
                    "minimize(() => {{ {first} cost({}); {second} cost({}); }}); {show}",
                    priced("x"),
                    priced("y")
                ),
                Expected::One(least.into_iter().collect()),
            )
        }
        5 => {
            let text = format!(
                "withRestarts(() => {{ {first} {second} require((valueAt(x, {at_p}) + valueAt(y, {at_q})) % 3 == 1); }}, {}); {show}",
                1 + random.below(3)
            );
            let fits = both(&|a, b| (a[p] + b[q]) % 3 == 1);
            (text, Expected::One(fits.into_iter().collect()))
        }
        6 => {
            let each = of_x
                .iter()
                .filter(|_| !of_y.is_empty())
                .map(|v| of_y.iter().map(|w| format!("{v:?}{w:?}")).collect());
            (
                format!("{first} once(() => {{ {second} }}); {show}"),
                Expected::OneOfEach(each.collect()),
            )
        }
        7 => {
            let text = format!(
                "let found = solutions(() => {{ {first} return show_x(x); }}); choose {{ {second} print(toSet(found), show_y(y)); }} or {{ later_y(y); {second} print(show_y(y)); }}"
            );
            let list = of_x
                .iter()
                .map(|v| format!("{v:?}"))
                .collect::<BTreeSet<String>>();
            let list = format!(
                "{{{}}}",
                list.into_iter().collect::<Vec<String>>().join(", ")
            );
            let mut all: Vec<String> = of_y.iter().map(|w| format!("{list}{w:?}")).collect();
            all.extend(of_y.iter().filter(|w| y.late(w)).map(|w| format!("{w:?}")));
            (text, Expected::All(all))
        }
        8 => {
            let is_there = of_x.iter().any(|v| x.late(v));
            let all = if is_there {
                Vec::new()
            } else {
                both(&|_, _| true)
            };
            (
                format!("not(() => {{ later_x(x); {first} }}); {second} {first} {show}"),
                Expected::All(all),
            )
        }
        9 => {
            let best = cheapest(&of_x);
            let places: Vec<usize> = (0..x.puzzle.domains.len()).collect();
            let places = x.puzzle.list(&places);
            // One of the best, with each solution of the other board.
            let lists: Vec<BTreeSet<String>> = of_y
                .iter()
                .filter(|_| !best.is_empty())
                .map(|w| best.iter().map(|v| format!("{v:?}{w:?}")).collect())
                .collect();
            (
                format!(
                    "let at = {places}; decide(x, {{least: [at, (v, p) => (v * (3 + indexOf(at, p)) + indexOf(at, p)) % 5]}}); {second} {show}"
                ),
                Expected::OneOfEach(lists),
            )
        }
        10 => (
            format!(
                "when(x, {at_p}, {v}, () => {{ narrow(y, {at_q}, {w}); }}, {{missing: true}}); {first} {second} {show}"
            ),
            Expected::All(both(&|a, b| a[p] != v || b[q] == w)),
        ),
        11 => {
            let places: Vec<usize> = (0..x.puzzle.domains.len()).collect();
            let places = x.puzzle.list(&places);
            let least = both(&|v, w| {
                cheapest(&of_x).contains(&v.to_vec()) && cheapest(&of_y).contains(&w.to_vec())
            });
            (
                format!(
                    "let at = {places}; minimize(() => {{ costOf(x, at, (v, p) => (v * (3 + indexOf(at, p)) + indexOf(at, p)) % 5); {second} cost({}); {first} }}); {show}",
                    priced("y")
                ),
                Expected::One(least.into_iter().collect()),
            )
        }
        _ => {
            let text = format!(
                "deterministic function draw() {{ {first} }} choose {{ later_x(x); }} or {{ }} draw(); let n = choose(1, 2); if (n == 2) {{ {second} print(n, show_x(x), show_y(y)); }} else print(n, show_x(x));"
            );
            let mut lists = Vec::new();
            for is_late in [false, true] {
                let own: Vec<&Vec<usize>> = of_x.iter().filter(|v| !is_late || x.late(v)).collect();
                if own.is_empty() {
                    continue;
                }
                lists.push(own.iter().map(|v| format!("1{v:?}")).collect());
                for w in &of_y {
                    lists.push(own.iter().map(|v| format!("2{v:?}{w:?}")).collect());
                }
            }
            // The narrower lists take theirs first.
            lists.sort_by_key(BTreeSet::len);
            (text, Expected::OneOfEach(lists))
        }
    }
}

/// What a program prints, with its steps; where there is a stretch, it is saved and read back after so many steps.
fn outcome(program: &str, seed: u64, stretch: u64) -> Result<(Vec<String>, u64), String> {
    let limits = Limits {
        steps: 60_000_000,
        ..Limits::default()
    };
    let engine = Engine::new().with_limits(limits);
    let compiled = engine.compile(program).map_err(|why| why.to_string())?;
    let mut run = compiled.run(seed);
    let mut texts = Vec::new();
    loop {
        match run.resume(stretch) {
            Outcome::Solved(solution) => texts.push(solution.text),
            Outcome::OutOfFuel => {
                let saved = run.save().expect("it has no values of the host");
                run = engine.restore(&compiled, &saved).expect("a run");
            }
            Outcome::Failed => return Ok((texts, run.statistics().steps)),
            other => return Err(format!("{other:?}")),
        }
    }
}

const PRICE: &str = "function price(a) { return sum(map(range(sizeOf(a)), i => a[i] * ((a[i] * (3 + i) + i) % 5))); }\n";

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A program and what it may print, made by a generator of its own, so that one can be tried by itself. So many rules of one board
/// are left out of the program.
fn mix(from: u64, number: u64, left_out: usize) -> (String, Expected, Random) {
    let mut random = Random((from * 1_000_000 + number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (x, y) = loop {
        let (x, y) = (Board::some(&mut random), Board::some(&mut random));
        let both = x.solutions().len() * y.solutions().len();
        if both <= 120 && (both > 0 || random.below(8) == 0) {
            break (x, y);
        }
    };
    let (text, expected) = body(&mut random, &x, &y);
    let program = format!(
        "{PRICE}{}{}let x = make_x(), y = make_y();\n{text}",
        x.functions("x", left_out),
        y.functions("y", 0)
    );
    (program, expected, random)
}

#[test]
fn programs_of_two_boards_do_what_brute_force_says() {
    let (count, from) = (number("MIXES", 400), number("MIXES_FROM", 1));
    let (mut solved, mut wrongs) = (0, 0);
    for number in 0..count {
        let (program, expected, mut random) = mix(from, number, 0);
        let seen = outcome(&program, number, u64::MAX);
        let wrong = match &seen {
            Ok((found, _)) if !expected.holds(found) => Some(format!("{found:?}")),
            Ok((_, steps)) if number % 4 == 0 => {
                let stretch = 1 + (steps / 40).max(random.below(400) as u64);
                let again = outcome(&program, number, stretch);
                (again != seen).then(|| format!("saved after each {stretch} steps: {again:?}"))
            }
            Ok(_) => None,
            Err(why) => Some(why.clone()),
        };
        if let Some(wrong) = wrong {
            wrongs += 1;
            if wrongs <= 5 {
                eprintln!("MIXES_FROM={from}, mix {number}: {wrong}\n{program}");
            }
        }
        let is_solved = seen.is_ok_and(|(found, _)| !found.is_empty());
        solved += u64::from(is_solved);
        if number % 1000 == 999 {
            let mixes = number + 1;
            eprintln!("{mixes} mixes, {solved} with solutions, {wrongs} wrong");
        }
    }
    assert_eq!(wrongs, 0, "of {count} mixes, {solved} with solutions");
    assert!(solved > count / 4, "too few have a solution: {solved}");
}

/// A fault that is planted: one board has a rule less than brute force knows.
#[test]
fn a_rule_that_does_nothing_is_noticed() {
    let noticed = (0..200).filter(|number| {
        let (program, expected, _) = mix(1, *number, 1);
        let seen = outcome(&program, *number, u64::MAX);
        !seen.is_ok_and(|(found, _)| expected.holds(&found))
    });
    let noticed = noticed.count();
    assert!(noticed > 60, "only {noticed} of 200");
}
