//! Text is compiled and run within small limits, and every error is rendered.

use ndscript::{Engine, Limits, Outcome};

pub fn limits() -> Limits {
    Limits {
        steps: 20_000,
        memory: 4 << 20,
        depth: 500,
        output: 1 << 14,
        pictures: 8,
        picture_cells: 1 << 10,
        source: 1 << 16,
        ..Limits::default()
    }
}

/// Runs a text; what it prints, and how it ends, must be the same with and without pauses.
pub fn drive(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let program = match Engine::new().with_limits(limits()).compile(&text) {
        Ok(program) => program,
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for warning in program.warnings() {
        warning.render(program.sources(), false);
    }
    let whole = observe(&program, u64::MAX);
    if text.len() < 2_000 {
        let in_pieces = observe(&program, 700);
        assert_eq!(whole, in_pieces, "pauses change what happens");
    }
}

/// The first solutions, or how the run ended.
fn observe(program: &ndscript::Program, fuel: u64) -> Vec<String> {
    let mut run = program.run(1);
    let mut observed = Vec::new();
    while observed.len() < 4 {
        observed.push(match run.resume(fuel) {
            Outcome::OutOfFuel => continue,
            Outcome::Solved(solution) => format!("{} {}", solution.value, solution.text),
            Outcome::Asked(question) => {
                if !run.answer(0) {
                    run.answer_text("line");
                }
                question.prompt
            }
            Outcome::Error(error) => {
                let rendered = error.diagnostic.render(program.sources(), false);
                assert!(!rendered.is_empty());
                observed.push(rendered);
                break;
            }
            // Which limit comes first, and on what branch, may depend on when they are looked at.
            Outcome::Limit(_) => {
                observed.clear();
                break;
            }
            Outcome::Failed | Outcome::Waiting(_) => break,
        });
    }
    run.pending_output();
    observed
}
