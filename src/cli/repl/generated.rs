//! Random sessions: whatever is typed, nothing panics, and the session is what its surviving inputs make afresh.
//!
//! The program that `:save` writes comes to the same values, with the same seed. `NDSCRIPT_REPL_SECONDS` lets the test
//! run for so long, from the seed `NDSCRIPT_REPL_SEED` on.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use ndscript::rng::Rng;
use ndscript::{Alternative, Engine, Outcome, Question, Run};

use super::reply::Reply;
use super::saving;
use super::script::Written;
use super::session::{Allowance, Said, Session};

/// A session that has taken these inputs.
pub fn session(inputs: &[&str]) -> Session {
    let mut session = Session::new(&Engine::new(), 1, Vec::new(), Allowance::default()).unwrap();
    for input in inputs {
        session.input(input, None, &mut |_| Said::Nothing);
    }
    session
}

/// What was done while an input was the latest.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    /// `:next` has found another solution.
    Next,
    /// `fail;` has.
    Refuse,
    Commit,
}

/// The inputs that should have survived, and what was done after each.
type Survivors = Vec<(String, Vec<Event>)>;

struct Generator {
    rng: Rng,
}

impl Generator {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "d"])
    }

    fn expression(&mut self, depth: u32) -> String {
        let small = self.rng.below(5);
        if depth == 0 || self.rng.below(3) == 0 {
            return match self.rng.below(4) {
                0 => small.to_string(),
                _ => self.variable().to_string(),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.below(20) {
            16 => format!("chooseElement([{x}, {y}, {small}])"),
            17 => format!("chooseElement(setOf({x}, {y}, {small}, 8))"),
            18 => format!("randomInt(0, {small})"),
            19 => format!("shuffled([1, 2, {small}])[1]"),
            0 | 1 => format!("choose({x}, {y})"),
            2 => format!("choose({x}, {y}, {small})"),
            3 => format!("{x} + {y}"),
            4 => format!("f({x})"),
            5 => format!("g({x})"),
            6 => format!("pick({x})"),
            7 => format!("once(() => choose({x}, {y}))"),
            8 => format!("sizeOf(solutions(() => choose({x}, fail, {y})))"),
            9 => format!("minimize(() => {{ let v = choose({x}, {y}); cost(v == {small} ? 1 : 2); return v; }})"),
            10 => format!("({x} == {y} ? {small} : choose({y}, {x}))"),
            11 => "sizeOf(list)".to_string(),
            12 => format!("sum(map(list, v => v == {small} ? 1 : 0))"),
            13 => "table.k".to_string(),
            14 => format!("(v => choose(v, {y}))({x})"),
            _ => format!("cells[{}, 1]", small % 2),
        }
    }

    fn statement(&mut self) -> String {
        let variable = self.variable();
        let value = self.expression(2);
        let small = self.rng.below(4);
        match self.rng.below(28) {
            27 => format!("choose {variable} = {value}; or {variable} = {small}; or push(list, {small});"),
            0 | 1 => format!("let {variable} = {value};"),
            2 => format!("var {variable} = {value};"),
            3 => format!("const {variable} = {value};"),
            4..=6 => format!("{variable} = {value};"),
            7 => format!("choose first {variable} = {value}; or {variable} = {small}; or fail;"),
            8 => format!("push(list, {value});"),
            9 => format!("table.k = {value};"),
            10 => format!("cells[{}, 1] = {value};", small % 2),
            11 => format!("require({value} != {small});"),
            12 => format!("printLine({value}, ' ', list);"),
            13 => format!("function f(x) {{ return x + {small}; }}"),
            14 => format!("function f(x) {{ let y = choose(x, {small}); return g(y); }}"),
            15 => format!("function g(x) {{ {variable} = x; return choose({small}, x); }}"),
            16 => format!("deterministic function g(x) {{ let y = choose(x, {small}, 7); return y; }}"),
            17 => {
                "function pick(x) { for (let i = 0; i < 3; i++) if (choose(i == x, true)) return i; fail; }".to_string()
            }
            18 => format!("for (let i = 0; i < {small}; i++) {{ if (choose(true, false)) push(list, i); }}"),
            19 => format!("let {variable} = x => choose(x, {variable});"),
            20 => format!("if ({value} == {small}) fail;"),
            21 => format!("let sizeOf = x => {small};"),
            22 => format!("add{variable} = setOf({value}, {small});"),
            23 => format!("let {variable} = ask('{small}?', [{value}, {small}]);"),
            24 => format!("cost({small});"),
            25 => format!("grid{small} = copy(cells); grid{small}[0, 0] = {value};"),
            _ => format!("once(() => {{ {variable} = choose({value}, {small}); }});"),
        }
    }

    /// What goes wrong, or nowhere.
    fn bad_input(&mut self) -> String {
        let statement = self.statement();
        let end = self.pick(&[
            "missing;",
            "1 / 0;",
            "let = 3;",
            "f(1, 2);",
            "while (true) ;",
            "choose first missing(); or ;",
            "import \"nothing.nds\";",
            "while (true) { choose first fail; or ; }",
            "let q = 1; let q = 2;",
            "function deep(n) { return deep(n + 1) + 1; } deep(0);",
            "{",
            "'",
            "solutions(() => { while (true) choose first ; or ; });",
        ]);
        format!("{statement} {end}")
    }

    fn input(&mut self) -> String {
        match self.rng.below(12) {
            0 => self.bad_input(),
            1 => "fail;".to_string(),
            2 => format!("require({} == {});", self.variable(), self.rng.below(3)),
            3 => self.expression(2),
            4 => format!("{} return {};", self.statement(), self.variable()),
            5 => self.pick(&["", ";", "// nothing", "#! line", "var a", "let b = 3", "{ }"]).to_string(),
            _ => (0..=self.rng.below(3)).map(|_| self.statement()).collect::<Vec<_>>().join(" "),
        }
    }
}

const BEGINNING: &str = "var a = choose(1, 2, 3), b = 2, c = 0, d; let list = [1]; let table = {k: 1};
    let cells = makeGrid(2, 2, 0); function f(x) { return x; } function g(x) { return choose(x, 1); }
    function pick(x) { return choose(x, 2); }";

/// Questions are answered in the same way whenever they are asked.
fn answer(question: &Question) -> Said {
    match &question.options {
        Some(options) => Said::Option(options.len() - 1),
        None => Said::Line(question.prompt.clone()),
    }
}

fn begun() -> Session {
    let allowance = Allowance { steps: Some(20_000), time: None };
    let limits = ndscript::Limits { depth: 500, memory: 64 << 20, ..ndscript::Limits::default() };
    let engine = Engine::new().with_limits(limits);
    let mut session = Session::new(&engine, 1, Vec::new(), allowance).unwrap();
    session.verify();
    session
}

/// All that can be seen of a session.
fn seen(session: &Session) -> String {
    let sources = session.program().sources();
    let mut out = format!("{} inputs, {:?}\n", session.inputs().len(), session.run().show_globals(10_000));
    for (input, open) in session.choices(usize::MAX) {
        let left = open.alternatives.iter().map(|alternative| match alternative {
            Alternative::Code(span) => sources.text(*span).to_string(),
            Alternative::Element(text) => text.clone(),
        });
        let left: Vec<String> = left.collect();
        out.push_str(&format!("{input} `{}` {} left: {left:?}\n", sources.text(open.span), open.left));
    }
    for input in session.inputs() {
        out.push_str(&format!("{:?} {:?} {:?}\n", input.text, input.answer.text, input.answer.value));
    }
    out
}

/// A session of the surviving inputs alone.
fn afresh(survivors: &Survivors) -> Session {
    let mut session = begun();
    for (text, events) in survivors {
        let reply = session.input(text, None, &mut answer);
        assert!(matches!(reply, Reply::Solved { .. } | Reply::Back(_)), "{text:?} is not solved afresh");
        for event in events {
            match event {
                Event::Next => {
                    let reply = session.next(&mut answer);
                    assert!(matches!(reply, Reply::Solved { .. }), "{text:?} has no other solution afresh");
                }
                Event::Refuse => {
                    let reply = session.input("fail;", None, &mut answer);
                    assert!(matches!(reply, Reply::Back(_)), "{text:?} cannot be refused afresh");
                }
                Event::Commit => drop(session.commit()),
            }
        }
    }
    session
}

/// What a random session came to, so that one can see that it was worth running.
#[derive(Debug, Default)]
struct Counts {
    sessions: u64,
    solved: u64,
    back: u64,
    further_back: u64,
    unsolved: u64,
    wrong: u64,
    next: u64,
    undone: u64,
    programs: u64,
    fixed: u64,
    noted: u64,
}

fn one(seed: u64, counts: &mut Counts) {
    let mut generator = Generator { rng: Rng::new(seed) };
    let mut session = begun();
    let mut survivors: Survivors = Vec::new();
    let mut earlier: Vec<Survivors> = Vec::new();
    let mut typed: Vec<String> = Vec::new();
    for step in 0..14 {
        let before = survivors.clone();
        match if step == 0 { 9 } else { generator.rng.below(12) } {
            0 | 1 => {
                typed.push(":next".into());
                if !survivors.is_empty() {
                    match session.next(&mut answer) {
                        Reply::Solved { .. } => {
                            counts.next += 1;
                            survivors.last_mut().unwrap().1.push(Event::Next);
                            earlier.push(before);
                        }
                        Reply::Back(_) => panic!("`:next` left its input: {typed:?}"),
                        _ => {}
                    }
                }
            }
            2 => {
                typed.push(":undo".into());
                assert_eq!(session.undo(), !earlier.is_empty(), "{typed:?}");
                survivors = earlier.pop().unwrap_or(survivors);
                counts.undone += 1;
            }
            3 if generator.rng.below(3) == 0 => {
                typed.push(":commit".into());
                session.commit();
                survivors.iter_mut().rev().take(1).for_each(|survivor| survivor.1.push(Event::Commit));
            }
            4 if generator.rng.below(2) == 0 => {
                typed.push(":all".into());
                let mut shown = 0;
                session.all(&mut |_, _| {
                    shown += 1;
                    shown < 5
                });
            }
            5 if generator.rng.below(20) == 0 => {
                typed.push(":clear".into());
                session.clear();
                survivors.clear();
                earlier.push(before);
            }
            _ => {
                let text = if step == 0 { BEGINNING.to_string() } else { generator.input() };
                typed.push(text.clone());
                match session.input(&text, None, &mut answer) {
                    Reply::Solved { .. } => {
                        counts.solved += 1;
                        survivors.push((text, Vec::new()));
                        earlier.push(before);
                    }
                    Reply::Back(back) => {
                        counts.back += 1;
                        counts.further_back += u64::from(back.to < before.len());
                        assert!(back.to >= 1 && back.to <= before.len(), "{typed:?}");
                        if text == "fail;" {
                            survivors.last_mut().unwrap().1.push(Event::Refuse);
                        } else {
                            survivors.push((text, Vec::new()));
                        }
                        earlier.push(before);
                    }
                    Reply::NoSolution(_) | Reply::NoOtherAnywhere => counts.unsolved += 1,
                    Reply::Refused(why) => panic!("{why}: {typed:?}"),
                    _ => counts.wrong += 1,
                }
            }
        }
        let (is, should) = (seen(&session), seen(&afresh(&survivors)));
        assert!(is == should, "seed {seed}, {}\nis\n{is}\nbut afresh it is\n{should}", typed.join("\n  > "));
    }
    compare_program(&session, seed, counts);
    counts.sessions += 1;
}

/// The program of a session comes to the same variables with the same seed, and with what was chosen to the same with
/// any seed.
fn compare_program(session: &Session, seed: u64, counts: &mut Counts) {
    for fixed in [false, true] {
        let Written { text, notes } = saving::program(session, Path::new("session.nds"), fixed);
        if !notes.is_empty() {
            let is_known = |note: &String| note.contains("is your own") || note.contains("the `return` of input");
            let is_fixed = |note: &String| note.contains("in place of the choices");
            let is_said = |note: &String| is_known(note) || fixed && is_fixed(note) || notes.iter().any(is_known);
            assert!(notes.iter().all(is_said), "seed {seed}: {notes:?}\n{text}");
            counts.noted += 1;
            continue;
        }
        if session.inputs().iter().any(|input| input.text.contains("ask(")) && !fixed {
            continue;
        }
        let program = Engine::new().compile(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let mut run = program.run(if fixed { seed } else { 1 });
        let outcome = run.resume(10_000_000);
        assert!(matches!(outcome, Outcome::Solved(_)), "seed {seed}, {fixed}: {outcome:?}\n{text}");
        // A function that was declared again is one without a name in the program. Names come in another order.
        let sorted = |run: &Run| {
            let named = |value: String| if value.starts_with("function") { "function".to_string() } else { value };
            let globals = run.show_globals(10_000).into_iter().filter(|(name, _)| !name.starts_with("chosenAt"));
            globals.map(|(name, value)| (name, named(value))).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(sorted(session.run()), sorted(&run), "seed {seed}, {fixed}: the program\n{text}");
        counts.programs += u64::from(!fixed);
        counts.fixed += u64::from(fixed);
    }
}

#[test]
fn random_sessions_are_what_their_surviving_inputs_make() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = variable("NDSCRIPT_REPL_SEED").unwrap_or(0);
    let mut counts = Counts::default();
    match variable("NDSCRIPT_REPL_SECONDS").map(Duration::from_secs) {
        Some(time) => {
            let started = Instant::now();
            let mut seed = first;
            while started.elapsed() < time {
                one(seed, &mut counts);
                seed += 1;
            }
        }
        None => (first..first + 160).for_each(|seed| one(seed, &mut counts)),
    }
    println!("{counts:?}");
    // What is to be tested must happen often.
    let Counts { sessions, solved, back, further_back, unsolved, wrong, next, undone, programs, fixed, .. } = counts;
    for (what, count) in [("solved", solved), ("back", back), ("wrong", wrong), ("next", next), ("undone", undone)] {
        assert!(count > sessions / 3, "{what}: {count} in {sessions} sessions");
    }
    assert!(programs > sessions / 3 && fixed > sessions / 5, "{programs} {fixed} programs of {sessions} sessions");
    assert!(
        further_back > sessions / 8 && unsolved > sessions / 20,
        "{further_back} {unsolved} in {sessions} sessions"
    );
}
