//! No text brings the library down: random soups of tokens, and programs with random changes, are parsed, compiled,
//! run within small limits, and their errors rendered. `NDSCRIPT_SOUPS=n` asks for more of them.

mod corpus;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ndscript::rng::Rng;
use ndscript::{Engine, Limits, Outcome, Program};

const TOKENS: &[&str] = &[
    "var",
    "let",
    "const",
    "function",
    "deterministic",
    "if",
    "else",
    "while",
    "for",
    "foreach",
    "in",
    "break",
    "continue",
    "choose",
    "first",
    "or",
    "fail",
    "return",
    "true",
    "false",
    "null",
    "import",
    "x",
    "y",
    "f",
    "g",
    "a",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "?",
    ".",
    "=>",
    "=",
    "+=",
    "++",
    "--",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "!",
    "0",
    "1",
    "2",
    "7",
    "0.5",
    "9007199254740991",
    "1e300",
    "\"s\"",
    "'é▒'",
    "`t${",
    "}`",
    "`",
    "// c\n",
    "/* c */",
    "\n",
    "print",
    "push",
    "pop",
    "map",
    "filter",
    "sorted",
    "setOf",
    "union",
    "add",
    "relation",
    "rightImage",
    "makeGrid",
    "nonsingletonPositionsOf",
    "neighborsOf",
    "position",
    "queue",
    "enqueue",
    "dequeue",
    "priorityQueue",
    "solutions",
    "countSolutions",
    "minimize",
    "once",
    "not",
    "cost",
    "chooseElement",
    "require",
    "range",
    "toString",
    "deepCopy",
    "keysOf",
    "removeKey",
    "gridFromText",
    "printTilemap",
    "printTilesetMap",
    "printHeatmap",
    "ask",
    "input",
    "param",
    "split",
    "join",
    "repeat",
    "substring",
    "shuffled",
];

fn engine() -> Engine {
    let limits = Limits {
        pictures: 20,
        steps: 20_000,
        memory: 8 << 20,
        depth: 2_000,
        output: 1 << 16,
        picture_cells: 1 << 12,
        source: 1 << 20,
        ..Limits::default()
    };
    Engine::new().with_limits(limits)
}

fn run(program: &Program) {
    let mut run = program.run(1);
    for _ in 0..20 {
        match run.resume(5_000) {
            Outcome::Solved(_) | Outcome::OutOfFuel => {}
            Outcome::Asked(_) => {
                if !run.answer(0) {
                    run.answer_text("line");
                }
            }
            Outcome::Error(error) => {
                error.diagnostic.render(program.sources(), false);
                return;
            }
            Outcome::Failed | Outcome::Limit(_) | Outcome::Waiting(_) => return,
        }
    }
}

fn survives(text: &str) {
    let attempt = catch_unwind(AssertUnwindSafe(|| match engine().compile(text) {
        Ok(program) => run(&program),
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            let _ = error.to_string();
        }
    }));
    assert!(attempt.is_ok(), "this text made the library panic:\n{text}");
}

/// A thread with as much stack as embedders give.
fn on_a_small_stack(work: fn()) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.below(from.len() as u64) as usize]
}

fn asked_for() -> u64 {
    std::env::var("NDSCRIPT_SOUPS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1_500)
}

#[test]
fn soups_of_tokens() {
    on_a_small_stack(soups_of_tokens_survive);
}

fn soups_of_tokens_survive() {
    let mut rng = Rng::new(11);
    for _ in 0..asked_for() {
        let length = rng.below(40) + 1;
        let text: Vec<&str> = (0..length).map(|_| pick(&mut rng, TOKENS)).collect();
        survives(&text.join(" "));
    }
}

#[test]
fn programs_with_random_changes() {
    on_a_small_stack(programs_with_random_changes_survive);
}

fn programs_with_random_changes_survive() {
    let texts: Vec<String> = corpus::scripts()
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    let texts: Vec<&String> = texts.iter().filter(|text| text.len() < 2_000).collect();
    let mut rng = Rng::new(12);
    for _ in 0..asked_for() {
        let mut characters: Vec<char> = texts[rng.below(texts.len() as u64) as usize]
            .chars()
            .collect();
        for _ in 0..rng.below(4) + 1 {
            let at = rng.below(characters.len() as u64 + 1) as usize;
            match rng.below(3) {
                0 if at < characters.len() => {
                    let end = (at + rng.below(6) as usize + 1).min(characters.len());
                    characters.drain(at..end);
                }
                1 => {
                    let token = format!(" {} ", pick(&mut rng, TOKENS));
                    characters.splice(at..at, token.chars());
                }
                _ if at < characters.len() => {
                    let from = rng.below(characters.len() as u64) as usize;
                    characters.swap(at, from);
                }
                _ => {}
            }
        }
        survives(&characters.into_iter().collect::<String>());
    }
}

#[test]
fn bytes_of_any_kind() {
    on_a_small_stack(bytes_of_any_kind_survive);
}

fn bytes_of_any_kind_survive() {
    let mut rng = Rng::new(13);
    for _ in 0..asked_for() / 3 {
        let bytes: Vec<u8> = (0..rng.below(120)).map(|_| rng.below(256) as u8).collect();
        survives(&String::from_utf8_lossy(&bytes));
    }
}
