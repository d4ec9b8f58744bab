//! Random sessions: whatever is typed, nothing panics, and the session equals one that makes its surviving inputs
//! afresh: its variables, its open choices, its output, and the next answers.
//!
//! The program that `:save` writes has equal values, with an equal seed, and so does a session that loads it. Commands
//! that only look change nothing. `NDSCRIPT_REPL_SECONDS` lets the test run for this time, from the seed
//! `NDSCRIPT_REPL_SEED` on.

mod inputs;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use ndscript::rng::Rng;
use ndscript::{Alternative, Engine, Event, Kind, Moment, Outcome, Question, Run};
use ndscript_timeline::Place;

use self::inputs::{BEGINNING, Generator};
use super::looking::{EarlierMoment, Trace, reasons};
use super::reply::Reply;
use super::session::open_choices;
use super::session::script::Written;
use super::session::state::PersonAnswer;
use super::session::taken::chosen_alternatives;
use super::session::{InputLimits, Session};
use super::{UnfinishedInput, saving};

/// A session that has taken these inputs.
pub fn session(inputs: &[&str]) -> Session {
    let mut session = Session::new(&Engine::new(), 1, Vec::new(), InputLimits::default()).unwrap();
    for input in inputs {
        session.input(input, None, &mut |_| PersonAnswer::Nothing);
    }
    session
}

/// An action on a session that was not undone.
#[derive(Clone, Debug, PartialEq)]
enum Act {
    Input(String),
    /// A file with this text was loaded.
    Load(String),
    /// `:next` has found another solution.
    Next,
    /// `fail;` has.
    Refuse,
    Commit,
    Seed(u64),
}

/// All of it, in order.
type Acts = Vec<Act>;

/// The number of inputs.
fn inputs(acts: &[Act]) -> usize {
    acts.iter()
        .filter(|act| matches!(act, Act::Input(_) | Act::Load(_)))
        .count()
}

/// The file that is loaded.
const FILE: &str = "loaded.nds";

/// Questions always get equal answers.
fn answer(question: &Question) -> PersonAnswer {
    match &question.options {
        Some(options) => PersonAnswer::Option(options.len() - 1),
        None => PersonAnswer::Line(question.prompt.clone()),
    }
}

fn begun() -> Session {
    let allowance = InputLimits {
        steps: Some(20_000),
        time: None,
    };
    let limits = ndscript::Limits {
        depth: 500,
        memory: 64 << 20,
        ..ndscript::Limits::default()
    };
    let engine = Engine::new().with_limits(limits);
    let mut session = Session::new(&engine, 1, Vec::new(), allowance).unwrap();
    session.verify();
    session
}

/// All that can be seen of a session.
fn seen(session: &Session) -> String {
    let sources = session.program().sources();
    let mut out = format!(
        "{} inputs, seed {}, {:?}\n",
        session.inputs().len(),
        session.seed(),
        session.run().show_globals(10_000)
    );
    // The text of a grid contains only its size.
    for (name, grid) in session
        .run()
        .view_globals()
        .filter(|(_, view)| view.kind() == Kind::Grid)
    {
        let cells: Vec<String> = grid.cells().map(|cell| cell.beginning(1000)).collect();
        out.push_str(&format!("{name}: {cells:?}\n"));
    }
    for (input, open) in session.choices(usize::MAX) {
        let left = open
            .alternatives
            .iter()
            .map(|alternative| match alternative {
                Alternative::Code(span) => sources.text(*span).to_string(),
                Alternative::Element(text) => text.clone(),
            });
        let left: Vec<String> = left.collect();
        out.push_str(&format!(
            "{input} `{}` {} left: {left:?}\n",
            sources.text(open.span),
            open.left
        ));
    }
    for input in session.inputs() {
        out.push_str(&format!("{:?} {:?}\n", input.text, input.answer));
    }
    out
}

/// The answers that come next.
fn coming(session: &mut Session) -> Vec<String> {
    let mut found = Vec::new();
    session.all(&mut |answer, changes| {
        found.push(format!("{answer:?} {changes:?}"));
        found.len() < 3
    });
    found
}

/// A session with only these actions.
fn afresh(acts: &[Act]) -> Session {
    let mut session = begun();
    for act in acts {
        match act {
            Act::Input(text) | Act::Load(text) => {
                let file = matches!(act, Act::Load(_)).then_some(FILE);
                let reply = session.input(text, file, &mut answer);
                assert!(
                    matches!(reply, Reply::Solved { .. } | Reply::Back(_)),
                    "{text:?} is not solved afresh: {acts:?}"
                );
            }
            Act::Next => {
                let reply = session.next(&mut answer);
                assert!(
                    matches!(reply, Reply::Solved { .. }),
                    "no other solution afresh: {acts:?}"
                );
            }
            Act::Refuse => {
                let reply = session.input("fail;", None, &mut answer);
                assert!(
                    matches!(reply, Reply::Back(_)),
                    "it cannot be refused afresh: {acts:?}"
                );
            }
            Act::Commit => drop(session.commit()),
            Act::Seed(seed) => session.reseed(*seed),
        }
    }
    session
}

/// The commands that only look.
fn look(generator: &mut Generator, session: &Session, acts: &[Act]) -> String {
    match generator.rng.below(5) {
        0 => {
            let lines = open_choices::lines(session, 80);
            let choices = session.choices(50);
            assert!(
                !lines.is_empty() && lines.len() >= choices.len(),
                "{lines:?}"
            );
            let taken = chosen_alternatives(session);
            assert_eq!(taken.len(), session.run().open_choices(), "{acts:?}");
            assert!(
                taken.iter().all(|chosen| !chosen.is_empty()),
                "{taken:?}: {acts:?}"
            );
            let again = session
                .all_once_more(&mut |_: &Moment<'_>, _: &Event<'_>| ControlFlow::Continue(()));
            if let Ok(run) = again {
                let (there, here) = (run.show_globals(10_000), session.run().show_globals(10_000));
                assert_eq!(there, here, "the whole way goes elsewhere: {acts:?}");
            }
            ":choices".to_string()
        }
        1 => {
            let mut trace = Trace::new(session.program_of_latest().sources().clone());
            let again = session.latest_once_more(&mut trace);
            assert!(
                again.is_ok() || session.attempt_in_words().is_none(),
                "what was dropped cannot be looked at: {acts:?}"
            );
            if let Ok(run) = again.map_err(drop).and_then(|run| {
                if session.attempt_in_words().is_some() {
                    Err(())
                } else {
                    Ok(run)
                }
            }) {
                let (there, here) = (run.show_globals(10_000), session.run().show_globals(10_000));
                assert_eq!(there, here, "`:trace` goes elsewhere: {acts:?}");
            }
            ":trace".to_string()
        }
        2 => {
            let mut looking = EarlierMoment::default();
            let _ = looking.back(session, 1 + generator.rng.below(3));
            let _ = looking.back(session, 1);
            ":back".to_string()
        }
        3 => {
            let place = generator.pick(&[
                "a",
                "b",
                "list[0]",
                "board[0, 1]",
                "cells[1, 1]",
                "table.k",
                "none",
            ]);
            let _ = reasons(session, &place.parse::<Place>().unwrap());
            format!(":why {place}")
        }
        _ => {
            saving::program(
                session,
                Path::new("looked.nds"),
                generator.rng.below(2) == 0,
            );
            ":save".to_string()
        }
    }
}

/// Counts of what a random session did, which show that it was worth running.
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
    looked: u64,
    reloaded: u64,
}

/// A session with what it should be.
struct CheckedSession {
    session: Session,
    way: Acts,
    /// The states that `:undo` goes back to.
    earlier: Vec<Acts>,
    typed: Vec<String>,
}

impl CheckedSession {
    /// Takes an input; whether it is part of the session now.
    fn take(&mut self, text: String, file: Option<&str>, counts: &mut Counts) -> bool {
        let before = self.way.clone();
        let act = |text| {
            if file.is_some() {
                Act::Load(text)
            } else {
                Act::Input(text)
            }
        };
        match self.session.input(&text, file, &mut answer) {
            Reply::Solved { .. } => {
                counts.solved += 1;
                self.way.push(act(text));
            }
            Reply::Back(back) => {
                counts.back += 1;
                counts.further_back += u64::from(back.to < inputs(&before));
                assert!(
                    back.to >= 1 && back.to <= inputs(&before),
                    "{:?}",
                    self.typed
                );
                self.way.push(if text == "fail;" {
                    Act::Refuse
                } else {
                    act(text)
                });
            }
            Reply::NoSolution(_) | Reply::NoOtherAnywhere => {
                counts.unsolved += 1;
                return false;
            }
            Reply::Refused(why) => panic!("{why}: {:?}", self.typed),
            _ => {
                counts.wrong += 1;
                return false;
            }
        }
        self.earlier.push(before);
        true
    }

    /// `:reload` with this text in the file.
    fn reload(&mut self, text: String, counts: &mut Counts) {
        let loaded = self.way.iter().rposition(|act| matches!(act, Act::Load(_)));
        let at = loaded.map(|at| inputs(&self.way[..at]));
        let is_back = self.session.undo_load(FILE);
        assert_eq!(is_back, loaded.is_some(), "{:?}", self.typed);
        if let Some(at) = at {
            let without = self
                .earlier
                .iter()
                .rposition(|way| inputs(way) == at)
                .expect("all states are kept");
            let without = self.earlier[without].clone();
            self.earlier.push(std::mem::replace(&mut self.way, without));
        }
        if !self.take(text, Some(FILE), counts) && is_back {
            assert!(self.session.undo(), "{:?}", self.typed);
            self.way = self.earlier.pop().unwrap_or_default();
        }
        counts.reloaded += u64::from(is_back);
    }
}

fn one(seed: u64, counts: &mut Counts) {
    let mut generator = Generator {
        rng: Rng::new(seed),
    };
    let mut held = CheckedSession {
        session: begun(),
        way: Vec::new(),
        earlier: Vec::new(),
        typed: Vec::new(),
    };
    // Some sessions are long.
    let steps = if generator.rng.below(20) == 0 { 40 } else { 14 };
    for step in 0..steps {
        let before = held.way.clone();
        let CheckedSession {
            session,
            way,
            earlier,
            typed,
        } = &mut held;
        match if step == 0 {
            15
        } else {
            generator.rng.below(16)
        } {
            0 | 1 => {
                typed.push(":next".into());
                if inputs(way) > 0 {
                    match session.next(&mut answer) {
                        Reply::Solved { .. } => {
                            counts.next += 1;
                            way.push(Act::Next);
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
                *way = earlier.pop().unwrap_or(before);
                counts.undone += 1;
            }
            3 if generator.rng.below(3) == 0 => {
                typed.push(":commit".into());
                session.commit();
                way.push(Act::Commit);
            }
            4 if generator.rng.below(2) == 0 => {
                typed.push(":all".into());
                coming(session);
            }
            5 if generator.rng.below(20) == 0 => {
                typed.push(":clear".into());
                session.clear();
                *way = vec![Act::Seed(session.seed())];
                earlier.push(before);
            }
            6 if generator.rng.below(4) == 0 => {
                let seed = generator.rng.below(100);
                typed.push(format!(":seed {seed}"));
                session.reseed(seed);
                way.push(Act::Seed(seed));
            }
            7 if generator.rng.below(3) == 0 => {
                let text = generator.input();
                typed.push(format!(":load {text}"));
                held.take(text, Some(FILE), counts);
            }
            8 if generator.rng.below(2) == 0 => {
                let text = generator.input();
                typed.push(format!(":reload {text}"));
                held.reload(text, counts);
            }
            9 => {
                let looked = look(&mut generator, session, way);
                typed.push(looked);
                counts.looked += 1;
            }
            _ => {
                let text = if step == 0 {
                    BEGINNING.to_string()
                } else {
                    generator.input()
                };
                typed.push(text.clone());
                if held.take(text.clone(), None, counts) && step > 0 {
                    let lines = broken_up(&text, &mut generator);
                    assert_eq!(gathered(&lines), [text], "{lines}");
                }
            }
        }
        let mut again = afresh(&held.way);
        let (is, should) = (seen(&held.session), seen(&again));
        let typed = || held.typed.join("\n  > ");
        assert!(
            is == should,
            "seed {seed}, {}\nis\n{is}\nbut afresh it is\n{should}",
            typed()
        );
        if generator.rng.below(4) == 0 {
            let (next, should) = (coming(&mut held.session), coming(&mut again));
            assert!(
                next == should,
                "seed {seed}, {}\nnext is\n{next:#?}\nbut afresh\n{should:#?}",
                typed()
            );
        }
    }
    compare_program(&held, seed, counts);
    counts.sessions += 1;
}

/// A text with some more line ends, where something is missing before them.
fn broken_up(text: &str, generator: &mut Generator) -> String {
    let (mut out, mut depth, mut quote) = (String::new(), 0, None);
    for c in text.chars() {
        out.push(c);
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            // Not all that may stand in a template is known here.
            (None, '`' | '#' | '/') => return text.to_string(),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ' ') if depth > 0 && generator.rng.below(4) == 0 => {
                out.pop();
                out.push('\n');
            }
            _ => {}
        }
    }
    out
}

/// The inputs that typed lines are, with spaces for the line ends inside.
fn gathered(text: &str) -> Vec<String> {
    let (mut all, mut input) = (Vec::new(), UnfinishedInput::default());
    for line in text.split_inclusive('\n') {
        if input.is_whole_with(line) {
            all.push(std::mem::take(&mut input).text.replace('\n', " "));
        }
    }
    if !input.text.is_empty() {
        all.push(input.text.replace('\n', " "));
    }
    all
}

/// The program of a session has equal variables with an equal seed, and with fixed choices equal ones with any seed.
fn compare_program(
    CheckedSession { session, way, .. }: &CheckedSession,
    seed: u64,
    counts: &mut Counts,
) {
    let is_seeded = way.iter().any(|act| matches!(act, Act::Seed(_)));
    for fixed in [false, true] {
        let Written { text, notes } = saving::program(session, Path::new("session.nds"), fixed);
        // If no one seed gives the result, the choices are fixed, and any seed gives what was seen.
        let is_reseeded =
            is_seeded && matches!(&notes[..], [note] if note.contains("what was chosen stands"));
        let fixed = fixed || is_reseeded;
        if !notes.is_empty() && !is_reseeded {
            let is_known = |note: &String| {
                note.contains("is your own")
                    || note.contains("the `return` of input")
                    || is_seeded && note.contains("does not quite give what was seen")
            };
            let is_fixed = |note: &String| note.contains("in place of the choices");
            let is_said = |note: &String| {
                is_known(note) || fixed && is_fixed(note) || notes.iter().any(is_known)
            };
            assert!(notes.iter().all(is_said), "seed {seed}: {notes:?}\n{text}");
            counts.noted += 1;
            continue;
        }
        if session
            .inputs()
            .iter()
            .any(|input| input.text.contains("ask("))
            && !fixed
        {
            continue;
        }
        let program = Engine::new()
            .compile(&text)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let mut run = program.run(if fixed { seed } else { session.seed() });
        let outcome = run.resume(10_000_000);
        assert!(
            matches!(outcome, Outcome::Solved(_)),
            "seed {seed}, {fixed}: {outcome:?}\n{text}"
        );
        // A function that was declared again is one without a name in the program. Names come in another order.
        let sorted = |run: &Run| {
            let named = |value: String| {
                if value.starts_with("function") {
                    "function".to_string()
                } else {
                    value
                }
            };
            let globals = run
                .show_globals(10_000)
                .into_iter()
                .filter(|(name, _)| !name.starts_with("chosenAt"));
            globals
                .map(|(name, value)| (name, named(value)))
                .collect::<BTreeMap<_, _>>()
        };
        assert_eq!(
            sorted(session.run()),
            sorted(&run),
            "seed {seed}, {fixed}: the program\n{text}"
        );
        let mut loaded = begun();
        loaded.reseed(session.seed());
        let reply = loaded.input(&text, Some("session.nds"), &mut answer);
        assert!(
            matches!(reply, Reply::Solved { .. }),
            "seed {seed}, {fixed}: it is not loaded\n{text}"
        );
        assert_eq!(
            sorted(session.run()),
            sorted(loaded.run()),
            "seed {seed}, {fixed}: loaded\n{text}"
        );
        counts.programs += u64::from(!fixed);
        counts.fixed += u64::from(fixed);
    }
}

#[test]
fn random_sessions_are_what_their_surviving_inputs_make() {
    let variable = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse::<u64>().ok())
    };
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
        None => (first..first + 48).for_each(|seed| one(seed, &mut counts)),
    }
    println!("{counts:?}");
    // The tested cases must be frequent.
    let Counts {
        sessions,
        solved,
        back,
        further_back,
        unsolved,
        wrong,
        next,
        undone,
        programs,
        fixed,
        ..
    } = counts;
    let Counts {
        looked, reloaded, ..
    } = counts;
    for (what, count) in [
        ("solved", solved),
        ("back", back),
        ("wrong", wrong),
        ("next", next),
        ("undone", undone),
        ("looked", looked),
    ] {
        assert!(
            count > sessions / 3,
            "{what}: {count} in {sessions} sessions"
        );
    }
    assert!(
        reloaded > sessions / 20,
        "{reloaded} reloaded in {sessions} sessions"
    );
    assert!(
        programs > sessions / 3 && fixed > sessions / 5,
        "{programs} {fixed} programs of {sessions} sessions"
    );
    assert!(
        further_back > sessions / 8 && unsolved > sessions / 20,
        "{further_back} {unsolved} in {sessions} sessions"
    );
}
