//! How a person could solve a board with constraints.

use ndscript::{CallOutcome, Value};
use ndscript_timeline::{Layout, Puzzle, PuzzleStep, booklet};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::object::{Fields, array};

/// The search for the steps to the solution of a board.
#[wasm_bindgen]
pub struct Solving {
    run: ndscript::Run,
    name: String,
    board: Value,
    puzzle: Option<Puzzle>,
}

impl Solving {
    /// Of the board that a global variable holds, if it holds one.
    pub(crate) fn new(mut run: ndscript::Run, name: String) -> Option<Solving> {
        let board = run
            .view_global(&name)
            .filter(|view| view.is_constrained())?;
        let board = board.hold();
        run.begin_steps(&board).ok()?;
        Some(Solving {
            run,
            name,
            board,
            puzzle: None,
        })
    }
}

#[wasm_bindgen]
impl Solving {
    /// Goes on for at most so many steps of the machine. Returns the puzzle when all its steps are found.
    #[wasm_bindgen(unchecked_return_type = "Puzzle | undefined")]
    pub fn resume(&mut self, fuel: f64) -> Result<JsValue, JsError> {
        let found = match self.run.resume_call(fuel as u64) {
            CallOutcome::Returned(found) => found,
            CallOutcome::OutOfFuel => return Ok(JsValue::UNDEFINED),
            CallOutcome::Error(why) => return Err(JsError::new(&why.diagnostic.message)),
            CallOutcome::Limit(limit) => return Err(JsError::new(&limit.to_string())),
            CallOutcome::Failed | CallOutcome::Asked(_) | CallOutcome::Waiting(_) => {
                return Err(JsError::new("the steps are found already"));
            }
        };
        let (board, found) = (self.run.view(&self.board)?, self.run.view(&found)?);
        let puzzle = Puzzle::new(&self.name, board, found);
        Ok(puzzle_to_js(self.puzzle.insert(puzzle)))
    }

    /// The puzzle with its solution as a page for print; nothing before its steps are found.
    pub fn booklet(&self, title: &str) -> Option<String> {
        let puzzle = self.puzzle.clone()?;
        Some(booklet(title, &[puzzle], false))
    }
}

fn puzzle_to_js(puzzle: &Puzzle) -> JsValue {
    let texts = |texts: &[String]| array(texts.iter().map(String::as_str));
    let places = puzzle.places.iter().map(|place| {
        Fields::new()
            .with("name", place.name.as_str())
            .with("start", numbers(&place.start))
    });
    let rules = puzzle.rules.iter().map(|rule| {
        Fields::new()
            .with("text", rule.text.as_str())
            .with("places", numbers(&rule.places))
    });
    Fields::new()
        .with("name", puzzle.name.as_str())
        .with("level", puzzle.level)
        .with("end", puzzle.end.as_str())
        .with("isGrid", puzzle.layout == Layout::Grid)
        .with("width", puzzle.width as f64)
        .with("values", texts(&puzzle.values))
        .with("places", array(places))
        .with("steps", array(puzzle.steps.iter().map(step)))
        .with("rules", array(rules))
        .into()
}

fn step(step: &PuzzleStep) -> Fields {
    let pair = |(place, value): &(usize, usize)| numbers(&[*place, *value]);
    let removed = step.removed.iter();
    let removed = removed.map(|(place, values)| array([(*place as f64).into(), numbers(values)]));
    Fields::new()
        .with("kind", step.kind.as_str())
        .with("text", step.text.as_str())
        .with("rules", array(step.rules.iter().map(String::as_str)))
        .with("places", numbers(&step.places))
        .with("removed", array(removed))
        .with("decided", array(step.decided.iter().map(pair)))
        .with_some("supposed", step.supposed.as_ref().map(pair))
        .with("chain", array(step.chain.iter().map(self::step)))
}

fn numbers(numbers: &[usize]) -> JsValue {
    array(numbers.iter().map(|number| *number as f64))
}
