//! Generated programs in which every variable has one value: each statement makes one of others, by way of a queue, a search, a
//! loop or whatever else values come through, and somebody knows which guesses are behind it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ndscript::Engine;
use ndscript::rng::Rng;
use ndscript_timeline::{Place, Recorded, Timeline};

/// A value, and what was guessed for it.
#[derive(Clone, Debug)]
struct Flow {
    value: i64,
    guesses: BTreeSet<i64>,
}

type Guesses = BTreeSet<i64>;

fn union<'a>(flows: impl IntoIterator<Item = &'a Flow>) -> Guesses {
    flows
        .into_iter()
        .flat_map(|flow| flow.guesses.iter().copied())
        .collect()
}

/// Of lists the beginning is told, in order.
struct Program {
    text: String,
    flows: Vec<Flow>,
    guesses: i64,
}

impl Program {
    fn new(seed: u64, statements: usize) -> Program {
        let mut rng = Rng::new(seed);
        let mut program = Program {
            text: String::new(),
            flows: Vec::new(),
            guesses: 100,
        };
        for _ in 0..5 {
            let value = program.fresh();
            program.say(
                &format!("choose({value}, -1)"),
                value,
                Guesses::from([value]),
            );
        }
        for _ in 0..statements {
            program.statement(&mut rng);
        }
        program
    }

    fn fresh(&mut self) -> i64 {
        self.guesses += 7;
        self.guesses
    }

    fn say(&mut self, text: &str, value: i64, guesses: Guesses) {
        let _ = writeln!(self.text, "let v{} = {text};", self.flows.len());
        self.flows.push(Flow { value, guesses });
    }

    /// The same of what a function gives.
    fn call(&mut self, body: &str, value: i64, guesses: Guesses) {
        self.say(&format!("(() => {{ {body} }})()"), value, guesses);
    }

    fn statement(&mut self, rng: &mut Rng) {
        let picked: [usize; 4] =
            std::array::from_fn(|_| rng.below(self.flows.len() as u64) as usize);
        let [na, nb, nc, nd] = picked.map(|at| format!("v{at}"));
        let [a, b, c, d] = picked.map(|at| self.flows[at].clone());
        let limit = [a.value, b.value, 120][rng.below(3) as usize];
        let over = |flow: &Flow| flow.value > limit;
        match rng.below(26) {
            0 => self.say(
                &format!("({na} + {nb}) % 1000"),
                (a.value + b.value) % 1000,
                union([&a, &b]),
            ),
            1 => {
                let taken = if over(&a) { &b } else { &c };
                self.say(
                    &format!("{na} > {limit} ? {nb} : {nc}"),
                    taken.value,
                    union([&a, taken]),
                );
            }
            2 => {
                let first = if c.value < b.value { &d } else { &a };
                let text = format!(
                    "let q = priorityQueue(); enqueue({na}, q, {nb}); enqueue({nd}, q, {nc}); return dequeue(q);"
                );
                self.call(&text, first.value, union([&b, &c, first]));
            }
            3 => {
                let text = format!(
                    "let q = queue(); enqueue({nb}, q); if ({na} > {limit}) enqueue(-9, q); return sizeOf(q);"
                );
                self.call(
                    &text,
                    1 + i64::from(over(&a)),
                    if over(&a) { a.guesses } else { Guesses::new() },
                );
            }
            4 => {
                let text =
                    format!("let l = [{nb}, {nc}]; if ({na} > {limit}) pop(l); return sizeOf(l);");
                self.call(
                    &text,
                    2 - i64::from(over(&a)),
                    if over(&a) { a.guesses } else { Guesses::new() },
                );
            }
            5 => {
                let text = format!(
                    "let l = [{nb}, {nc}]; if ({na} > {limit}) removeAt(l, 0); return l[0];"
                );
                let (held, all) = if over(&a) {
                    (&c, union([&a, &c]))
                } else {
                    (&b, union([&b]))
                };
                self.call(&text, held.value, all);
            }
            6 => {
                let text = format!(
                    "let o = {{x: {nb}}}; if ({na} > {limit}) o.y = {nc}; else removeKey(o, \"x\"); return has(o, \"y\") ? 1 : 0;"
                );
                self.call(
                    &text,
                    i64::from(over(&a)),
                    if over(&a) { a.guesses } else { Guesses::new() },
                );
            }
            7 => {
                let text = format!(
                    "let o = {{x: {nb}, z: {nc}}}; if ({na} > {limit}) removeKey(o, \"x\"); return sizeOf(keysOf(o));"
                );
                self.call(
                    &text,
                    2 - i64::from(over(&a)),
                    if over(&a) { a.guesses } else { Guesses::new() },
                );
            }
            8 => {
                let [i, j] = [self.fresh(), self.fresh()];
                let text = format!(
                    "let all = solutions(() => {{ let i = choose({i}, {j}); require({na} > {limit} || i == {j}); return i + {nb}; }}); \
                     return all[0] % 1000;"
                );
                let first = if over(&a) { i } else { j };
                let mut all = union([&a, &b]);
                all.insert(first);
                self.call(&text, (first + b.value) % 1000, all);
            }
            9 => {
                let text = format!(
                    "return countSolutions(() => {{ let i = choose(1, 2, 3); if ({na} <= {limit} && i > 1) fail; return {nb}; }});"
                );
                self.call(&text, if over(&a) { 3 } else { 1 }, a.guesses);
            }
            10 => {
                let text = format!(
                    "return countSolutions(() => not(() => {{ require({na} > {limit}); return {nb}; }}));"
                );
                self.call(&text, i64::from(!over(&a)), a.guesses);
            }
            11 => {
                let [i, j] = [self.fresh(), self.fresh()];
                let text = format!(
                    "return minimize(() => {{ let i = choose({i}, {j}); cost(1 + (i == {i} ? {na} : {nb})); return i; }});"
                );
                let best = if b.value < a.value { j } else { i };
                let mut all = union([&a, &b]);
                all.insert(best);
                if a.value >= 0 && b.value >= 0 {
                    self.call(&text, best, all);
                }
            }
            12 => {
                let text = format!(
                    "return sizeOf(groupBy([{na}, {nb}, {nc}], x => x > {nd} ? \"more\" : \"less\"));"
                );
                let mut seen = Vec::new();
                let mut all = Guesses::new();
                for flow in [&a, &b, &c] {
                    let key = flow.value > d.value;
                    if !seen.contains(&key) {
                        seen.push(key);
                        all.extend(union([flow, &d]));
                    }
                }
                self.call(&text, seen.len() as i64, all);
            }
            13 => {
                let text = format!(
                    "let g = groupBy([{na}, {nb}], x => x > {nc} ? \"more\" : \"less\"); return valuesOf(g)[0][0];"
                );
                self.call(&text, a.value, union([&a, &c]));
            }
            14 => {
                let text = format!(
                    "let r = 0; let i = 0; while (true) {{ i++; if (i * 100 > {na}) {{ r = {nb}; break; }} }} return r;"
                );
                self.call(&text, b.value, union([&a, &b]));
            }
            15 => {
                let text = format!(
                    "let i = 0; while (true) {{ i++; if (i * 100 > {na}) break; }} return i;"
                );
                let turns = (1..).find(|i| i * 100 > a.value).unwrap_or(1);
                self.call(
                    &text,
                    turns,
                    if turns > 1 { a.guesses } else { Guesses::new() },
                );
            }
            16 => {
                let text = format!("return any([{na}, {nb}, {nc}], x => x > {nd}) ? 1 : 0;");
                let at = [&a, &b, &c].iter().position(|flow| flow.value > d.value);
                let looked_at = [&a, &b, &c].into_iter().take(at.map_or(3, |at| at + 1));
                self.call(&text, i64::from(at.is_some()), union(looked_at.chain([&d])));
            }
            17 => {
                let text =
                    format!("foreach (x in [{na}, {nb}]) if (x > {limit}) return 7; return 8;");
                let looked_at = if over(&a) { vec![&a] } else { vec![&a, &b] };
                self.call(
                    &text,
                    if over(&a) || over(&b) { 7 } else { 8 },
                    union(looked_at),
                );
            }
            18 => self.say(
                &format!("zip([{na}, {nb}], [{nc}, {nd}])[1][0]"),
                b.value,
                b.guesses,
            ),
            19 => self.say(
                &format!("deepCopy({{p: [{na}, {nb}]}}).p[1]"),
                b.value,
                b.guesses,
            ),
            20 => self.say(
                &format!("rowOf(grid([[{na}, {nb}], [{nc}, {nd}]]), 1)[0]"),
                c.value,
                c.guesses,
            ),
            21 => {
                let text = format!("[{na}, {nb}] == [{na}, {nc}] ? 1 : 0");
                self.say(&text, i64::from(b.value == c.value), union([&a, &b, &c]));
            }
            22 => {
                let text = format!("sizeOf(filter([{na}, {nb}], x => x > {nc}))");
                let kept = [&a, &b]
                    .into_iter()
                    .filter(|flow| flow.value > c.value)
                    .count();
                // Those that were left out say how many there are, too.
                self.say(&text, kept as i64, union([&a, &b, &c]));
            }
            23 => {
                let taken = if a.value + b.value > 240 { &c } else { &d };
                let text = format!("sum([{na}, {nb}]) > 240 ? {nc} : {nd}");
                self.say(&text, taken.value, union([&a, &b, taken]));
            }
            24 => {
                let text = format!("sum([sum([{na}, {nb}]), {nc} > {limit} ? 1 : 2]) % 1000");
                let value = a.value + b.value + if over(&c) { 1 } else { 2 };
                self.say(&text, value % 1000, union([&a, &b, &c]));
            }
            _ => self.say(
                &format!("sizeOf(map([{na}, {nb}], x => x + {nc}))"),
                2,
                Guesses::new(),
            ),
        }
    }
}

#[test]
fn the_guesses_behind_a_value_are_those_that_it_came_from() {
    let programs = std::env::var("NDSCRIPT_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(25);
    for seed in 0..programs {
        let known = Program::new(seed, 20);
        let program = Engine::new().compile(&known.text).unwrap();
        let mut timeline = Timeline::new(program.run(1));
        assert!(
            matches!(timeline.record(10_000_000), Recorded::Solved(_)),
            "{:?}\n{}",
            timeline.recorded(),
            known.text
        );
        for (at, flow) in known.flows.iter().enumerate() {
            let place: Place = format!("v{at}").parse().unwrap();
            let reasons = timeline.why(&place, timeline.end()).unwrap();
            assert_eq!(
                reasons.value,
                flow.value.to_string(),
                "seed {seed}, v{at} of\n{}",
                known.text
            );
            let guesses = reasons.links.iter().filter(|link| link.is_guess);
            let told: Guesses = guesses
                .filter_map(|link| link.value.rsplit(' ').next()?.parse().ok())
                .collect();
            assert_eq!(
                told,
                flow.guesses,
                "seed {seed}, v{at} of\n{}\n{}",
                known.text,
                reasons.to_text(&place)
            );
        }
    }
}
