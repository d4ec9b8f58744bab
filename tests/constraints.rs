//! Constraints against brute force, on many small generated boards: `decide` finds exactly the assignments that every
//! rule allows, each once; what a constraint takes away belongs to no solution; and those that promise it take away
//! all that they rule out alone.

#[path = "constraints/again.rs"]
mod again;
#[path = "constraints/attack.rs"]
mod attack;
#[path = "constraints/backjumping.rs"]
mod backjumping;
#[path = "constraints/cuts.rs"]
mod cuts;
#[path = "constraints/graphs.rs"]
mod graphs;
#[path = "constraints/learning.rs"]
mod learning;
#[path = "constraints/mixed.rs"]
mod mixed;
#[path = "constraints/orders.rs"]
mod orders;
#[path = "constraints/parting.rs"]
mod parting;
#[path = "constraints/repeated.rs"]
mod repeated;
#[path = "constraints/shortage.rs"]
mod shortage;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use ndscript::{Engine, Event, Limits, Moment, Outcome, Removal, Target, View};

/// A generator of its own, so that the boards stay the same.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    fn some(&mut self, of: usize, least: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..of).collect();
        for at in (1..of).rev() {
            all.swap(at, self.below(at + 1));
        }
        all.truncate(least + self.below(of - least + 1));
        all
    }
}

/// How a board is written in a program.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Array,
    Object,
    Grid { columns: usize },
}

#[derive(Clone, Debug)]
enum Rule {
    Different {
        places: Vec<usize>,
        offsets: Option<Vec<i64>>,
    },
    Related {
        p: usize,
        q: usize,
        table: Vec<Vec<bool>>,
    },
    Adjacent {
        table: Vec<Vec<bool>>,
        down: Option<Vec<Vec<bool>>>,
        wrap: bool,
        diagonal: bool,
    },
    Count {
        places: Vec<usize>,
        values: Vec<usize>,
        least: usize,
        most: usize,
    },
    Table {
        places: Vec<usize>,
        rows: Vec<Vec<usize>>,
    },
    Pattern {
        places: Vec<usize>,
        expression: Regular,
    },
    Connected {
        values: Vec<usize>,
    },
    Reachable {
        values: Vec<usize>,
        from: usize,
        to: usize,
    },
    Sum {
        places: Vec<usize>,
        factors: Vec<i64>,
        low: i64,
        high: i64,
    },
    Lexicographic {
        rows: Vec<Vec<usize>>,
    },
    Script {
        places: Vec<usize>,
        low: i64,
        high: i64,
        way: Way,
    },
}

/// How a function of the program holds a sum within its bounds.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Once all is decided.
    Late,
    /// It takes away from the last place that is open.
    Narrowing,
    /// By assigning, to all places, as long as that changes anything.
    Assigning,
    /// By a choice of values that fit, of which nothing remains.
    Choosing,
}

/// A regular expression of digits.
#[derive(Clone, Debug)]
enum Regular {
    Digit(usize),
    Class(Vec<usize>, bool),
    Any,
    All(Vec<Regular>),
    Either(Vec<Regular>),
    /// How often; without an end if there is no most.
    Often(Box<Regular>, usize, Option<usize>),
}

impl Regular {
    fn some(random: &mut Random, depth: usize) -> Regular {
        let several = |random: &mut Random| {
            (0..1 + random.below(3))
                .map(|_| Regular::some(random, depth - 1))
                .collect::<Vec<Regular>>()
        };
        match if depth == 0 {
            random.below(3)
        } else {
            random.below(8)
        } {
            0 => Regular::Digit(random.below(VALUES)),
            1 => Regular::Class(random.some(VALUES, 1), random.below(3) == 0),
            2 => Regular::Any,
            3 | 4 => Regular::All(several(random)),
            5 => Regular::Either(several(random)),
            _ => {
                let least = random.below(3);
                let most = (random.below(2) == 0).then(|| least + random.below(3));
                Regular::Often(Box::new(Regular::some(random, depth - 1)), least, most)
            }
        }
    }

    fn text(&self) -> String {
        let list = |parts: &[Regular], between: &str| {
            format!(
                "({})",
                parts
                    .iter()
                    .map(Regular::text)
                    .collect::<Vec<String>>()
                    .join(between)
            )
        };
        match self {
            Regular::Digit(digit) => digit.to_string(),
            Regular::Class(digits, negated) => {
                let digits: String = digits.iter().map(usize::to_string).collect();
                format!("[{}{digits}]", if *negated { "^" } else { "" })
            }
            Regular::Any => ".".to_string(),
            Regular::All(parts) => list(parts, ""),
            Regular::Either(parts) => list(parts, "|"),
            Regular::Often(part, 0, None) => format!("({})*", part.text()),
            Regular::Often(part, 1, None) => format!("({})+", part.text()),
            Regular::Often(part, 0, Some(1)) => format!("({})?", part.text()),
            Regular::Often(part, least, None) => format!("({}){{{least},}}", part.text()),
            Regular::Often(part, least, Some(most)) if least == most => {
                format!("({}){{{least}}}", part.text())
            }
            Regular::Often(part, least, Some(most)) => {
                format!("({}){{{least},{most}}}", part.text())
            }
        }
    }

    /// Where a match that begins at a place may end.
    fn ends(&self, v: &[usize], from: usize) -> BTreeSet<usize> {
        let one = |fits: bool| {
            if fits {
                BTreeSet::from([from + 1])
            } else {
                BTreeSet::new()
            }
        };
        match self {
            Regular::Digit(digit) => one(v.get(from) == Some(digit)),
            Regular::Class(digits, negated) => one(v
                .get(from)
                .is_some_and(|value| digits.contains(value) != *negated)),
            Regular::Any => one(from < v.len()),
            Regular::All(parts) => parts.iter().fold(BTreeSet::from([from]), |ends, part| {
                ends.iter().flat_map(|end| part.ends(v, *end)).collect()
            }),
            Regular::Either(parts) => parts.iter().flat_map(|part| part.ends(v, from)).collect(),
            Regular::Often(part, least, most) => {
                let (mut ends, mut all) = (BTreeSet::from([from]), BTreeSet::new());
                for turn in 0..=most.unwrap_or(v.len() + least + 1) {
                    if turn >= *least {
                        all.extend(ends.iter().copied());
                    }
                    ends = ends.iter().flat_map(|end| part.ends(v, *end)).collect();
                }
                all
            }
        }
    }
}

#[derive(Clone)]
struct Puzzle {
    shape: Shape,
    domains: Vec<Vec<usize>>,
    values: usize,
    rules: Vec<Rule>,
    /// Whether the values that matter lie far apart among many others, which are taken away before the rules come.
    is_wide: bool,
}

const VALUES: usize = 4;

fn table(random: &mut Random) -> Vec<Vec<bool>> {
    (0..VALUES)
        .map(|_| (0..VALUES).map(|_| random.below(5) < 3).collect())
        .collect()
}

fn puzzle(random: &mut Random, rules: usize) -> Puzzle {
    let shape = match random.below(4) {
        0 => Shape::Array,
        1 => Shape::Object,
        _ => Shape::Grid {
            columns: 1 + random.below(3),
        },
    };
    let count = match shape {
        Shape::Grid { columns } => columns * (1 + random.below(6 / columns)),
        _ => 2 + random.below(4),
    };
    let domains = (0..count).map(|_| random.some(VALUES, 1)).collect();
    let rules = (0..rules).map(|_| rule(random, shape, count)).collect();
    Puzzle {
        shape,
        domains,
        values: VALUES,
        rules,
        is_wide: random.below(3) == 0,
    }
}

fn rule(random: &mut Random, shape: Shape, count: usize) -> Rule {
    let kinds = if matches!(shape, Shape::Grid { .. }) {
        12
    } else {
        8
    };
    match random.below(kinds) {
        0 => {
            let places = random.some(count, 1);
            let offsets = (random.below(2) == 0)
                .then(|| places.iter().map(|_| random.below(5) as i64 - 2).collect());
            Rule::Different { places, offsets }
        }
        1 => Rule::Related {
            p: random.below(count),
            q: random.below(count),
            table: table(random),
        },
        2 => {
            let places = random.some(count, 1);
            let values = random.some(VALUES, 1);
            let least = random.below(places.len() + 1);
            let most = if random.below(2) == 0 {
                usize::MAX
            } else {
                least
            };
            Rule::Count {
                places,
                values,
                least: if random.below(3) == 0 { 0 } else { least },
                most,
            }
        }
        3 => {
            let places = random.some(count, 1);
            let factors = places.iter().map(|_| random.below(5) as i64 - 2).collect();
            let low = random.below(9) as i64 - 4;
            Rule::Sum {
                places,
                factors,
                low,
                high: low + random.below(3) as i64,
            }
        }
        4 => {
            let places = random.some(count, 1);
            let row = |random: &mut Random| places.iter().map(|_| random.below(VALUES)).collect();
            let rows = (0..random.below(90)).map(|_| row(random)).collect();
            Rule::Table { places, rows }
        }
        5 => Rule::Pattern {
            places: random.some(count, 1),
            expression: Regular::some(random, 3),
        },
        7 => {
            // Two rows of places of their own, or any.
            let mut places = random.some(count, 1);
            let rows = match random.below(3) {
                0 => (0..2 + random.below(2))
                    .map(|_| random.some(count, 0))
                    .collect(),
                _ => {
                    let second = places.split_off(places.len() / 2);
                    vec![places, second]
                }
            };
            Rule::Lexicographic { rows }
        }
        6 => {
            let places = random.some(count, 1);
            let low = random.below(3 * places.len()) as i64;
            let ways = [Way::Late, Way::Narrowing, Way::Assigning, Way::Choosing];
            Rule::Script {
                places,
                low,
                high: low + random.below(4) as i64,
                way: ways[random.below(ways.len())],
            }
        }
        8 => Rule::Connected {
            values: random.some(VALUES, 1),
        },
        9 => Rule::Reachable {
            values: random.some(VALUES, 1),
            from: random.below(count),
            to: random.below(count),
        },
        _ => Rule::Adjacent {
            table: table(random),
            down: (random.below(2) == 0).then(|| table(random)),
            wrap: random.below(3) == 0,
            diagonal: random.below(3) == 0,
        },
    }
}

impl Puzzle {
    fn place(&self, place: usize) -> String {
        match self.shape {
            Shape::Array => place.to_string(),
            Shape::Object => format!("\"k{place}\""),
            Shape::Grid { columns } => {
                format!("position({}, {})", place % columns, place / columns)
            }
        }
    }

    fn list(&self, places: &[usize]) -> String {
        let places: Vec<String> = places.iter().map(|place| self.place(*place)).collect();
        format!("[{}]", places.join(", "))
    }

    fn board(&self) -> String {
        let set = |domain: &Vec<usize>| {
            let values: Vec<String> = domain.iter().map(usize::to_string).collect();
            format!("setOf({})", values.join(", "))
        };
        let sets: Vec<String> = self.domains.iter().map(set).collect();
        match self.shape {
            Shape::Array => format!("[{}]", sets.join(", ")),
            Shape::Object => {
                let fields: Vec<String> = sets
                    .iter()
                    .enumerate()
                    .map(|(at, set)| format!("k{at}: {set}"))
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
            Shape::Grid { columns } => {
                let rows: Vec<String> = sets
                    .chunks(columns)
                    .map(|row| format!("[{}]", row.join(", ")))
                    .collect();
                format!("grid([{}])", rows.join(", "))
            }
        }
    }

    /// The statements that make the board `b`.
    fn declaration(&self) -> String {
        if !self.is_wide {
            return format!("var b = {};\n", self.board());
        }
        let others: Vec<String> = (0..90)
            .map(|at| format!("{}", (at / 30) as f64 + (at % 30 + 1) as f64 / 100.0))
            .collect();
        let wide = self
            .board()
            .replace("setOf(", &format!("setOf({}, ", others.join(", ")));
        let mut out = format!("var b = {wide};\natLeast(b, 0, setOf());\n");
        for (place, domain) in self.domains.iter().enumerate() {
            let name = self.place(place);
            let _ = writeln!(out, "b[{name}] = toSet({domain:?});");
        }
        out
    }

    /// The statements that put the rules on the board `b`.
    fn statements(&self) -> String {
        let mut out = String::new();
        let pairs = |table: &[Vec<bool>]| {
            let mut pairs = Vec::new();
            for (a, row) in table.iter().enumerate() {
                pairs.extend(
                    row.iter()
                        .enumerate()
                        .filter(|(_, allowed)| **allowed)
                        .map(|(b, _)| format!("[{a}, {b}]")),
                );
            }
            format!("relation([{}])", pairs.join(", "))
        };
        for (number, rule) in self.rules.iter().enumerate() {
            let line = match rule {
                Rule::Different {
                    places,
                    offsets: None,
                } => format!("allDifferent(b, {});", self.list(places)),
                Rule::Different {
                    places,
                    offsets: Some(offsets),
                } => {
                    format!("allDifferent(b, {}, {offsets:?});", self.list(places))
                }
                Rule::Related { p, q, table } if number % 2 == 0 => {
                    format!(
                        "related(b, {}, {}, {}, {{missing: true}});",
                        self.place(*p),
                        self.place(*q),
                        pairs(table)
                    )
                }
                Rule::Related { p, q, table } => {
                    format!(
                        "{{ let r = {}; related(b, {}, {}, (x, y) => r(x, y)); }}",
                        pairs(table),
                        self.place(*p),
                        self.place(*q)
                    )
                }
                Rule::Adjacent {
                    table,
                    down,
                    wrap,
                    diagonal,
                } => match down {
                    Some(down) => {
                        format!(
                            "adjacent(b, {{right: {}, down: {}}}, {{wrap: {wrap}, missing: true}});",
                            pairs(table),
                            pairs(down)
                        )
                    }
                    None => format!(
                        "adjacent(b, {}, {{wrap: {wrap}, diagonal: {diagonal}, missing: true}});",
                        pairs(table)
                    ),
                },
                Rule::Count {
                    places,
                    values,
                    least,
                    most,
                } => {
                    let values: Vec<String> = values.iter().map(usize::to_string).collect();
                    let (places, values) =
                        (self.list(places), format!("setOf({})", values.join(", ")));
                    match (*least, *most) {
                        (least, most) if least == most => {
                            format!("exactly(b, {least}, {values}, {places}, {{missing: true}});")
                        }
                        (0, usize::MAX) => {
                            format!("atLeast(b, 0, {values}, {places}, {{missing: true}});")
                        }
                        (0, most) => {
                            format!("atMost(b, {most}, {values}, {places}, {{missing: true}});")
                        }
                        (least, _) => {
                            format!("atLeast(b, {least}, {values}, {places}, {{missing: true}});")
                        }
                    }
                }
                Rule::Table { places, rows } => {
                    format!(
                        "tuples(b, {}, {rows:?}, {{missing: true}});",
                        self.list(places)
                    )
                }
                Rule::Pattern { places, expression } => {
                    format!(
                        "pattern(b, {}, \"{}\");",
                        self.list(places),
                        expression.text()
                    )
                }
                Rule::Connected { values } => {
                    format!("connected(b, toSet({values:?}), {{missing: true}});")
                }
                Rule::Reachable { values, from, to } => {
                    format!(
                        "reachable(b, toSet({values:?}), {}, {}, {{missing: true}});",
                        self.place(*from),
                        self.place(*to)
                    )
                }
                Rule::Sum {
                    places,
                    factors,
                    low,
                    high,
                } => {
                    format!(
                        "sumOf(b, {low}, {high}, {}, {factors:?});",
                        self.list(places)
                    )
                }
                Rule::Lexicographic { rows } => {
                    let rows: Vec<String> = rows.iter().map(|row| self.list(row)).collect();
                    format!("lexicographic(b, [{}]);", rows.join(", "))
                }
                Rule::Script {
                    places,
                    low,
                    high,
                    way,
                } => {
                    let body = match way {
                        Way::Late => {
                            "if (all(ps, p => isSingleton(b[p]))) {
                                let total = sum(map(ps, p => singletonValue(b[p])));
                                require(total >= low && total <= high);
                            }"
                        }
                        Way::Narrowing => {
                            "let open = filter(ps, p => !isSingleton(b[p]));
                            let total = reduce(ps, (total, p) => total + (isSingleton(b[p]) ? singletonValue(b[p]) : 0), 0);
                            if (isEmpty(open)) require(total >= low && total <= high);
                            if (sizeOf(open) == 1) {
                                narrow(b, open[0], toSet(filter(b[open[0]], v => total + v >= low && total + v <= high)));
                            }"
                        }
                        Way::Assigning => {
                            "let least = sum(map(ps, p => min(b[p])));
                            let most = sum(map(ps, p => max(b[p])));
                            foreach (p in ps) {
                                let from = least - min(b[p]);
                                let to = most - max(b[p]);
                                let left = filter(b[p], v => from + v <= high && to + v >= low);
                                if (sizeOf(left) < sizeOf(b[p])) b[p] = toSet(left);
                            }"
                        }
                        Way::Choosing => {
                            "let total = 0;
                            foreach (p in ps) total += chooseElement(b[p]);
                            require(total >= low && total <= high);"
                        }
                    };
                    let ps = self.list(places);
                    format!(
                        "{{ let ps = {ps}; let low = {low}; let high = {high}; constrain(b, ps, () => {{ {body} }}); }}"
                    )
                    .replace('\n', " ")
                }
            };
            let _ = writeln!(out, "{line}");
        }
        out
    }

    fn neighbours(&self, wrap: bool, diagonal: bool) -> Vec<(usize, usize, bool)> {
        let Shape::Grid { columns } = self.shape else {
            return Vec::new();
        };
        let (columns, rows) = (columns as i64, (self.domains.len() / columns) as i64);
        let mut pairs = Vec::new();
        for y in 0..rows {
            for x in 0..columns {
                let steps: &[(i64, i64, bool)] =
                    &[(1, 0, true), (0, 1, false), (1, 1, true), (-1, 1, true)];
                for (across, below, is_right) in &steps[..if diagonal { 4 } else { 2 }] {
                    let (mut to_x, mut to_y) = (x + across, y + below);
                    if wrap {
                        (to_x, to_y) = (to_x.rem_euclid(columns), to_y.rem_euclid(rows));
                    }
                    if (0..columns).contains(&to_x) && (0..rows).contains(&to_y) {
                        pairs.push((
                            (y * columns + x) as usize,
                            (to_y * columns + to_x) as usize,
                            *is_right,
                        ));
                    }
                }
            }
        }
        pairs
    }

    /// The cells that hold one of the values and hang together with one of them.
    fn piece(&self, values: &[usize], v: &[usize], first: usize) -> BTreeSet<usize> {
        let pairs = self.neighbours(false, false);
        let mut piece = BTreeSet::from([first]);
        loop {
            let mut next = piece.clone();
            for (p, q, _) in &pairs {
                if values.contains(&v[*p])
                    && values.contains(&v[*q])
                    && (piece.contains(p) || piece.contains(q))
                {
                    next.extend([*p, *q]);
                }
            }
            if next.len() == piece.len() {
                return piece;
            }
            piece = next;
        }
    }

    fn allows(&self, rule: &Rule, v: &[usize]) -> bool {
        match rule {
            Rule::Different { places, offsets } => {
                let sum = |at: usize| {
                    v[places[at]] as i64 + offsets.as_ref().map_or(0, |offsets| offsets[at])
                };
                (0..places.len()).map(sum).collect::<BTreeSet<i64>>().len() == places.len()
            }
            Rule::Related { p, q, table } => table[v[*p]][v[*q]],
            Rule::Adjacent {
                table,
                down: None,
                wrap,
                diagonal,
            } => self
                .neighbours(*wrap, *diagonal)
                .iter()
                .all(|(p, q, _)| table[v[*p]][v[*q]] && table[v[*q]][v[*p]]),
            Rule::Adjacent {
                table,
                down: Some(down),
                wrap,
                ..
            } => self
                .neighbours(*wrap, false)
                .iter()
                .all(|(p, q, is_right)| {
                    if *is_right {
                        table[v[*p]][v[*q]]
                    } else {
                        down[v[*p]][v[*q]]
                    }
                }),
            Rule::Count {
                places,
                values,
                least,
                most,
            } => {
                let count = places
                    .iter()
                    .filter(|place| values.contains(&v[**place]))
                    .count();
                count >= *least && count <= *most
            }
            Rule::Table { places, rows } => {
                rows.contains(&places.iter().map(|place| v[*place]).collect::<Vec<usize>>())
            }
            Rule::Pattern { places, expression } => {
                let spelled: Vec<usize> = places.iter().map(|place| v[*place]).collect();
                expression.ends(&spelled, 0).contains(&spelled.len())
            }
            Rule::Connected { values } => {
                let all: Vec<usize> = (0..v.len())
                    .filter(|place| values.contains(&v[*place]))
                    .collect();
                all.first()
                    .is_none_or(|first| self.piece(values, v, *first).len() == all.len())
            }
            Rule::Reachable { values, from, to } => {
                values.contains(&v[*from]) && self.piece(values, v, *from).contains(to)
            }
            Rule::Lexicographic { rows } => {
                let read = |row: &Vec<usize>| row.iter().map(|place| v[*place]).collect();
                let read: Vec<Vec<usize>> = rows.iter().map(read).collect();
                read.is_sorted()
            }
            Rule::Script {
                places, low, high, ..
            } => (*low..=*high).contains(&places.iter().map(|place| v[*place] as i64).sum()),
            Rule::Sum {
                places,
                factors,
                low,
                high,
            } => {
                let sum: i64 = places
                    .iter()
                    .zip(factors)
                    .map(|(place, factor)| v[*place] as i64 * factor)
                    .sum();
                (*low..=*high).contains(&sum)
            }
        }
    }

    /// What is left of the candidates where several relations or bounds are brought to rest one by one, found by trying every
    /// value until all that are left fit: nothing if a place has none. `None` for rules that promise something else.
    fn consistent(&self, rule: &Rule) -> Option<Option<Vec<BTreeSet<usize>>>> {
        if !matches!(rule, Rule::Adjacent { .. } | Rule::Sum { .. }) {
            return None;
        }
        let mut domains: Vec<BTreeSet<usize>> = self
            .domains
            .iter()
            .map(|domain| domain.iter().copied().collect())
            .collect();
        loop {
            let fits = |place: usize, value: usize| match rule {
                Rule::Adjacent {
                    table,
                    down,
                    wrap,
                    diagonal,
                } => {
                    let holds = |a: usize, b: usize, is_right: bool| match down {
                        None => table[a][b] && table[b][a],
                        Some(_) if is_right => table[a][b],
                        Some(down) => down[a][b],
                    };
                    self.neighbours(*wrap, down.is_none() && *diagonal)
                        .iter()
                        .all(|(p, q, is_right)| {
                            if p == q {
                                return *p != place || holds(value, value, *is_right);
                            }
                            (*p != place
                                || domains[*q]
                                    .iter()
                                    .any(|other| holds(value, *other, *is_right)))
                                && (*q != place
                                    || domains[*p]
                                        .iter()
                                        .any(|other| holds(*other, value, *is_right)))
                        })
                }
                Rule::Sum {
                    places,
                    factors,
                    low,
                    high,
                } => {
                    // What the others add up to at least and at most.
                    let parts = |at: usize| {
                        let parts = domains[places[at]]
                            .iter()
                            .map(|value| *value as i64 * factors[at]);
                        (parts.clone().min().unwrap_or(0), parts.max().unwrap_or(0))
                    };
                    let own = places.iter().position(|other| *other == place);
                    own.is_none_or(|own| {
                        let others = (0..places.len()).filter(|at| *at != own).map(parts);
                        let (least, most) =
                            others.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
                        let part = value as i64 * factors[own];
                        least + part <= *high && most + part >= *low
                    })
                }
                _ => true,
            };
            let next: Vec<BTreeSet<usize>> = domains
                .iter()
                .enumerate()
                .map(|(place, domain)| {
                    domain
                        .iter()
                        .copied()
                        .filter(|value| fits(place, *value))
                        .collect()
                })
                .collect();
            if next.iter().any(BTreeSet::is_empty) {
                return Some(None);
            }
            if next == domains {
                return Some(Some(domains));
            }
            domains = next;
        }
    }

    fn solutions(&self) -> BTreeSet<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for domain in &self.domains {
            all = all
                .iter()
                .flat_map(|prefix: &Vec<usize>| {
                    domain
                        .iter()
                        .map(move |value| prefix.iter().copied().chain([*value]).collect())
                })
                .collect();
        }
        all.into_iter()
            .filter(|v| self.rules.iter().all(|rule| self.allows(rule, v)))
            .collect()
    }

    /// Prints the candidates of every place, or what it is decided to.
    fn printing(&self) -> String {
        let places: Vec<String> = (0..self.domains.len())
            .map(|place| format!("b[{}]", self.place(place)))
            .collect();
        format!("print([{}]);", places.join(", "))
    }
}

/// The texts of all solutions of a program.
fn texts(program: &str, verify: bool) -> Vec<String> {
    let limits = Limits {
        steps: 50_000_000,
        ..Limits::default()
    };
    let compiled = Engine::new()
        .with_limits(limits)
        .compile(program)
        .unwrap_or_else(|error| panic!("{program}\n{error}"));
    let mut run = compiled.run(7);
    #[cfg(debug_assertions)]
    if verify {
        run.verify_backtracking();
    }
    let _ = verify;
    let mut texts = Vec::new();
    loop {
        match run.resume(u64::MAX) {
            Outcome::Solved(solution) => texts.push(solution.text),
            Outcome::Failed => return texts,
            other => panic!("{program}\n{other:?}"),
        }
    }
}

fn shown(candidates: impl Iterator<Item = BTreeSet<usize>>) -> String {
    let set = |set: BTreeSet<usize>| {
        let values: Vec<String> = set.iter().map(usize::to_string).collect();
        format!("{{{}}}", values.join(", "))
    };
    let sets: Vec<String> = candidates.map(set).collect();
    format!("[{}]", sets.join(", "))
}

fn count() -> usize {
    std::env::var("NDSCRIPT_BOARDS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(1500)
}

#[test]
fn decide_finds_what_brute_force_finds() {
    let mut random = Random(11);
    let mut solved = 0;
    let options = [
        "",
        ", {order: \"first\"}",
        ", {order: \"random\"}",
        ", {order: \"conflicts\"}",
        ", {weights: x => x}",
    ];
    for number in 0..count() {
        let rules = 1 + random.below(4);
        let puzzle = puzzle(&mut random, rules);
        let order = options[number % options.len()];
        let program = format!(
            "{}{}decide(b{order});\n{}",
            puzzle.declaration(),
            puzzle.statements(),
            puzzle.printing()
        );
        let mut found = texts(&program, number % 8 == 0);
        let each = |v: &Vec<usize>| shown(v.iter().map(|value| BTreeSet::from([*value])));
        let mut expected: Vec<String> = puzzle.solutions().iter().map(each).collect();
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

#[test]
fn what_is_taken_away_belongs_to_no_solution_and_is_all_that_is_promised() {
    let mut random = Random(23);
    for number in 0..count() {
        let puzzle = puzzle(&mut random, 1);
        let program = format!(
            "{}{}{}",
            puzzle.declaration(),
            puzzle.statements(),
            puzzle.printing()
        );
        let found = texts(&program, false);
        let solutions = puzzle.solutions();
        let left = |place: usize| {
            solutions
                .iter()
                .map(|v| v[place])
                .collect::<BTreeSet<usize>>()
        };
        let exactly = match &puzzle.rules[0] {
            Rule::Different { .. }
            | Rule::Related { .. }
            | Rule::Count { .. }
            | Rule::Table { .. } => Some(&solutions),
            // What all pieces need and what none can use is all that a single one of them rules out.
            Rule::Connected { .. } | Rule::Reachable { .. } | Rule::Pattern { .. } => {
                Some(&solutions)
            }
            // Of two rows all that is ruled out goes, if no place is in them twice.
            Rule::Lexicographic { rows } if rows.len() == 2 => {
                let both = rows.concat();
                let distinct: BTreeSet<&usize> = both.iter().collect();
                (distinct.len() == both.len()).then_some(&solutions)
            }
            Rule::Adjacent { .. }
            | Rule::Sum { .. }
            | Rule::Lexicographic { .. }
            | Rule::Script { .. } => None,
        };
        if let Some(solutions) = exactly {
            let expected: Vec<String> = if solutions.is_empty() {
                Vec::new()
            } else {
                vec![shown((0..puzzle.domains.len()).map(left))]
            };
            assert_eq!(found, expected, "{number}:\n{program}");
        } else if let Some(consistent) = puzzle.consistent(&puzzle.rules[0]) {
            let expected: Vec<String> = consistent
                .map(|domains| shown(domains.into_iter()))
                .into_iter()
                .collect();
            assert_eq!(found, expected, "{number}:\n{program}");
            let kept = |(place, set): (usize, BTreeSet<usize>)| left(place).is_subset(&set);
            let consistent = puzzle
                .consistent(&puzzle.rules[0])
                .flatten()
                .unwrap_or_default();
            assert!(
                consistent.into_iter().enumerate().all(kept),
                "{number}:\n{program}"
            );
        } else if let Some(found) = found.first() {
            let sets: Vec<&str> = found.trim_matches(['[', ']']).split("}, {").collect();
            for (place, set) in sets.iter().enumerate() {
                let kept: BTreeSet<usize> = set
                    .trim_matches(['{', '}'])
                    .split(", ")
                    .filter_map(|value| value.parse().ok())
                    .collect();
                assert!(
                    left(place).is_subset(&kept),
                    "{number}: place {place} has {kept:?}\n{program}"
                );
            }
        } else {
            assert!(solutions.is_empty(), "{number}:\n{program}");
        }
    }
    let _ = Puzzle {
        shape: Shape::Array,
        domains: Vec::new(),
        values: VALUES,
        rules: Vec::new(),
        is_wide: false,
    }
    .values;
}

/// A rule that looks only at what has changed, or around one cell, leaves what it would leave if it were put last. On grids
/// that are large enough for ways around, some of them for such as go far; where several cells change at once, and where changes
/// are undone.
#[test]
fn step_by_step_pieces_and_ways_are_what_they_are_at_once() {
    let mut random = Random(71);
    let mut narrowed = 0;
    for number in 0..count() {
        let is_large = number % 8 == 0;
        let most = if is_large { 15 } else { 4 };
        let (columns, rows) = (3 + random.below(most), 3 + random.below(most));
        let places = columns * rows;
        let (from, to) = (random.below(places), random.below(places));
        let rule = match random.below(2) {
            0 => format!("connected(b, {});", ["1", "setOf(1, 2)"][random.below(2)]),
            _ => format!(
                "reachable(b, setOf(1, 2), position({}, {}), position({}, {}));",
                from % columns,
                from / columns,
                to % columns,
                to / columns
            ),
        };
        // Cells that change together.
        let pairs: Vec<String> = (0..[0, 0, places / 4][random.below(3)])
            .map(|_| {
                let (p, q) = (random.below(places), random.below(places));
                let at =
                    |place: usize| format!("position({}, {})", place % columns, place / columns);
                format!(
                    "related(b, {}, {}, (v, w) => (v > 0) == (w > 0));\n",
                    at(p),
                    at(q)
                )
            })
            .collect();
        let step = |random: &mut Random| {
            let place = random.below(places);
            let ways = if is_large {
                [0, 2, 3, 0, 1 + random.below(2)]
            } else {
                [0, 1, 2, 3, 0]
            };
            let left =
                ["setOf(0)", "setOf(0, 2)", "setOf(0, 1)", "setOf(1, 2)"][ways[random.below(5)]];
            format!(
                "narrow(b, position({}, {}), {left});\n",
                place % columns,
                place / columns
            )
        };
        let steps: Vec<String> = (0..1 + random.below(places))
            .map(|_| step(&mut random))
            .collect();
        // What a branch does that fails says nothing of what comes then.
        let undone = |random: &mut Random| match random.below(3) {
            0 => format!(
                "choose {{ {}fail; }} or {{}}\n",
                (0..3).map(|_| step(random)).collect::<String>()
            ),
            _ => String::new(),
        };
        let with_undone: String = steps
            .iter()
            .map(|step| undone(&mut random) + step)
            .collect();
        let board = format!(
            "var b = makeGrid({columns}, {rows}, setOf(0, 1, 2));\n{}",
            pairs.concat()
        );
        let step_by_step = format!("{board}{rule}\n{with_undone}print(valuesOf(b));");
        let at_once = format!("{board}{}{rule}\nprint(valuesOf(b));", steps.concat());
        let found = texts(&step_by_step, false);
        assert_eq!(found, texts(&at_once, false), "{number}:\n{step_by_step}");
        narrowed += usize::from(!found.is_empty());
    }
    assert!(
        narrowed > count() / 5,
        "too few boards have candidates left: {narrowed}"
    );
}

#[test]
fn rules_are_put_and_taken_back_in_the_middle_of_a_search() {
    let mut random = Random(37);
    for number in 0..count() / 4 {
        let first = puzzle(&mut random, 1);
        let count = first.domains.len();
        let mut both = Puzzle {
            shape: first.shape,
            domains: first.domains.clone(),
            values: VALUES,
            rules: Vec::new(),
            is_wide: false,
        };
        let (second, third) = (
            rule(&mut random, first.shape, count),
            rule(&mut random, first.shape, count),
        );
        let mut expected: Vec<String> = Vec::new();
        let mut branches = Vec::new();
        for branch in [second, third] {
            both.rules = vec![first.rules[0].clone(), branch.clone()];
            let each = |v: &Vec<usize>| shown(v.iter().map(|value| BTreeSet::from([*value])));
            expected.extend(both.solutions().iter().map(each));
            both.rules = vec![branch];
            branches.push(format!(
                "{{ {} decide(b); }}",
                both.statements().replace('\n', " ")
            ));
        }
        let program = format!(
            "{}{}choose {} or {}\n{}",
            first.declaration(),
            first.statements(),
            branches[0],
            branches[1],
            first.printing()
        );
        let mut found = texts(&program, number % 4 == 0);
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{number}:\n{program}");
    }
}

/// What is told of a removal: the place, the constraint, what was lost, and the places that it came from with what they
/// could be then.
type Told = (
    usize,
    Option<&'static str>,
    Vec<usize>,
    Vec<(usize, Vec<usize>)>,
);

impl Puzzle {
    fn number_of(&self, place: View<'_>) -> usize {
        match self.shape {
            Shape::Array => place.as_i64().unwrap() as usize,
            Shape::Object => place.as_str().unwrap()[1..].parse().unwrap(),
            Shape::Grid { columns } => {
                let (x, y) = place.as_position().unwrap();
                y as usize * columns + x as usize
            }
        }
    }

    fn told(&self, removal: &Removal<'_>) -> Told {
        let numbers = |values: &[View<'_>]| {
            values
                .iter()
                .map(|value| value.as_i64().unwrap() as usize)
                .collect()
        };
        let from = removal
            .from
            .iter()
            .map(|(place, values)| (self.number_of(*place), numbers(values)))
            .collect();
        (
            self.number_of(removal.place),
            removal.constraint,
            numbers(&removal.lost),
            from,
        )
    }

    /// The board with all places holding every value that one of them can have.
    fn widened(&self) -> Puzzle {
        let mut all: Vec<usize> = self.domains.concat();
        all.sort();
        all.dedup();
        Puzzle {
            domains: vec![all; self.domains.len()],
            ..self.clone()
        }
    }

    /// The same places, which the program narrows before it puts the rules.
    fn clued_declaration(&self) -> String {
        let mut out = self.widened().declaration();
        for (place, domain) in self.domains.iter().enumerate() {
            let _ = writeln!(out, "b[{}] = toSet({domain:?});", self.place(place));
        }
        out
    }

    /// Whether counts, and what beside them is `allDifferent`, say so together.
    fn follows_from_counts(&self, told: &Told) -> bool {
        let own = self.rules.iter().filter(|rule| {
            matches!(
                rule,
                Rule::Count { .. } | Rule::Different { offsets: None, .. }
            )
        });
        self.follows_from(own.cloned().collect(), told)
    }

    /// Whether a rule, its places from which something came being what they were, and all others what they can be at
    /// all, leaves nothing of what was lost.
    fn follows(&self, rule: &Rule, told: &Told) -> bool {
        self.follows_from(vec![rule.clone()], told)
    }

    fn follows_from(&self, rules: Vec<Rule>, (place, _, lost, from): &Told) -> bool {
        let mut narrowed = Puzzle {
            shape: self.shape,
            domains: self.domains.clone(),
            values: VALUES,
            rules,
            is_wide: false,
        };
        for (other, candidates) in from {
            narrowed.domains[*other].clone_from(candidates);
        }
        narrowed.domains[*place].clone_from(lost);
        narrowed.solutions().is_empty()
    }
}

/// The built-ins that put a rule on a board: bounds on both sides are two.
fn names_of(rule: &Rule) -> &'static [&'static str] {
    match rule {
        Rule::Different { .. } => &["allDifferent"],
        Rule::Related { .. } => &["related"],
        Rule::Adjacent { .. } => &["adjacent"],
        Rule::Count { least, most, .. } if least == most => &["exactly"],
        Rule::Count {
            least: 0,
            most: usize::MAX,
            ..
        } => &["atLeast"],
        Rule::Count { least: 0, .. } => &["atMost"],
        Rule::Count { .. } => &["atLeast", "atMost"],
        Rule::Table { .. } => &["tuples"],
        Rule::Pattern { .. } => &["pattern"],
        Rule::Connected { .. } => &["connected"],
        Rule::Reachable { .. } => &["reachable"],
        Rule::Sum { .. } => &["sumOf"],
        Rule::Lexicographic { .. } => &["lexicographic"],
        Rule::Script { .. } => &["constrain"],
    }
}

#[test]
fn what_is_told_of_a_removal_is_reason_enough() {
    let mut random = Random(53);
    let (mut count, mut fewest, mut dead_ends) = (0, 0, 0);
    for number in 0..self::count() {
        let rules = 1 + random.below(3);
        let puzzle = Puzzle {
            is_wide: false,
            ..puzzle(&mut random, rules)
        };
        // What was narrowed before a rule was put is a reason like any other.
        let is_clued = number % 2 == 1;
        let declaration = if is_clued {
            puzzle.clued_declaration()
        } else {
            puzzle.declaration()
        };
        let at_first = if is_clued {
            puzzle.widened()
        } else {
            puzzle.clone()
        };
        let program = format!("{declaration}{}decide(b);", puzzle.statements());
        let compiled = Engine::new().compile(&program).unwrap();
        // What follows beside a count follows from no rule alone.
        let is_alone = |removal: &&Removal<'_>| removal.beside.is_none();
        let mut told: Vec<Told> = Vec::new();
        let mut run = compiled.run(number as u64);
        for _ in 0..3 {
            let outcome = run.watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
                match event {
                    Event::Write {
                        target: Target::Part(board, place),
                        ..
                    } => {
                        let removals = moment.removals(*board, *place);
                        told.extend(
                            removals
                                .iter()
                                .filter(is_alone)
                                .map(|removal| puzzle.told(removal)),
                        );
                    }
                    Event::Fail { .. } => {
                        if let Some(dead_end) = moment.dead_end() {
                            told.extend(
                                dead_end
                                    .removals
                                    .iter()
                                    .filter(is_alone)
                                    .map(|removal| puzzle.told(removal)),
                            );
                            dead_ends += 1;
                        }
                    }
                    _ => {}
                }
                ControlFlow::Continue(())
            });
            if !matches!(outcome, Outcome::Solved(_)) {
                break;
            }
        }
        // The same few come again and again.
        told.sort();
        told.dedup();
        for removal in &told {
            let (_, name, lost, from) = removal;
            assert!(!lost.is_empty(), "{number}: {removal:?}\n{program}");
            let Some(name) = name else { continue };
            let own = || {
                puzzle
                    .rules
                    .iter()
                    .filter(|rule| names_of(rule).contains(name))
            };
            assert!(
                own().any(|rule| at_first.follows(rule, removal))
                    || matches!(*name, "atLeast" | "atMost" | "exactly")
                        && at_first.follows_from_counts(removal),
                "{number}: {removal:?}\n{program}"
            );
            count += 1;
            if !matches!(
                *name,
                "related" | "tuples" | "pattern" | "connected" | "reachable"
            ) {
                continue;
            }
            let knows_all = !matches!(*name, "related" | "tuples");
            // Relations and tables have left out what was known when they were put, whether it would matter or not.
            if !knows_all && (is_clued || puzzle.rules.len() > 1) {
                continue;
            }
            // None of them could be left out, but for what stands in the program. Where a place may be left out it may be anything.
            let at_first = if knows_all {
                puzzle.widened()
            } else {
                at_first.clone()
            };
            for (at, (other, _)) in from.iter().enumerate() {
                let mut fewer = removal.clone();
                fewer.3.remove(at);
                let is_told = puzzle.domains[*other].len() < VALUES;
                assert!(
                    is_told || own().any(|rule| !at_first.follows(rule, &fewer)),
                    "{number}: {removal:?}\n{program}"
                );
                fewest += 1;
            }
        }
    }
    assert!(
        count > self::count() / 10 && dead_ends > self::count() / 50,
        "{count} removals, {dead_ends} dead ends"
    );
    assert!(
        fewest > self::count() / 10,
        "{fewest} places that could not be left out"
    );
}
