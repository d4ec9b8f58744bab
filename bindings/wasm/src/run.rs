//! Searches.

use ndscript::tiles::Tiles;
use ndscript::{Data, Kind, Value, View};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::contradiction::{Contradiction, Misplaced};
use crate::explanation::Explanation;
use crate::film::Film;
use crate::object::{Fields, array};
use crate::outcome::{Shown, outcome};
use crate::rule::lines_to_js;
use crate::solving::Solving;
use crate::timeline::Timeline;

/// The function of a program that hears the mouse.
const HEARS_CLICKS: &str = "clicked";
/// A click is answered within so many steps, or not at all.
const CLICK_STEPS: u64 = 50_000_000;
/// The function of a program that says how something is placed, and how many steps that may take.
const PLACES: &str = "place";
/// The built-in that does it otherwise.
const NARROWS: &str = "narrow";
const PLACE_STEPS: u64 = 500_000_000;
/// Of the text of a candidate so much is compared; scenes show as much.
const TEXT: usize = 40;

/// One search: resumed with fuel, it yields solutions one after another.
#[wasm_bindgen]
pub struct Run {
    inner: ndscript::Run,
    tiles: Tiles,
}

impl Run {
    pub(crate) fn new(inner: ndscript::Run, tiles: Tiles) -> Run {
        Run { inner, tiles }
    }

    /// Places a value in a cell; what is wrong with it.
    fn try_to_place(
        &mut self,
        grid: &str,
        x: usize,
        y: usize,
        value: &str,
    ) -> Result<(), Misplaced> {
        let problem = |words: &str| Misplaced::new(words);
        self.inner.commit();
        let board = self
            .inner
            .global(grid)
            .ok_or_else(|| problem(&format!("there is no `{grid}`")))?;
        let candidate = self
            .inner
            .view_global(grid)
            .and_then(|view| candidate(view.cell(x, y)?, value));
        let candidate = candidate.ok_or_else(|| problem("it is no candidate any more"))?;
        let at = Data::Position(x as i64, y as i64);
        // A function of that name may be for something else.
        let function = if self.has_function(PLACES, 3) {
            PLACES
        } else {
            NARROWS
        };
        if function == NARROWS && self.inner.global(NARROWS).is_some() {
            return Err(problem(
                "the program has to say how: `function place(grid, position, value) { ... }`",
            ));
        }
        let before = *self.inner.limits();
        self.limit_steps(PLACE_STEPS);
        let placed = self
            .inner
            .call_once::<Value>(function, (&board, at.clone(), candidate.clone()));
        let placed = match placed {
            Ok(Some(_)) => Ok(()),
            Err(why) => Err(problem(&why.to_string())),
            Ok(None) => {
                let said = self.inner.failure_message().map(str::to_string);
                // It has failed and is undone. Once more, and watched: that takes longer, and tells at which cells.
                let mut contradiction = Contradiction::new(&self.inner);
                self.limit_steps(PLACE_STEPS);
                if let Ok(mut call) = self.inner.call(function, (&board, at, candidate)) {
                    call.watch(u64::MAX, &mut contradiction);
                }
                Err(contradiction.in_words(&self.inner, grid, said))
            }
        };
        self.inner.set_limits(before);
        placed
    }

    /// Lets the run take so many steps more.
    fn limit_steps(&mut self, more: u64) {
        let steps = self.inner.statistics().steps.saturating_add(more);
        self.inner.set_limits(ndscript::Limits {
            steps,
            ..*self.inner.limits()
        });
    }

    /// Whether the program has a function of this name that takes so many arguments.
    fn has_function(&self, name: &str, arguments: usize) -> bool {
        self.inner
            .view_global(name)
            .is_some_and(|function| function.accepts(arguments))
    }
}

/// The candidate of a cell that reads so.
fn candidate(cell: View<'_>, text: &str) -> Option<Data> {
    let reads = |value: View<'_>| {
        value
            .as_str()
            .map_or_else(|| value.beginning(TEXT) == text, |own| own == text)
    };
    let found = if cell.kind() == Kind::Set {
        cell.elements().find(|value| reads(*value))
    } else {
        None
    };
    found.map(View::data)
}

#[wasm_bindgen]
impl Run {
    /// Goes on for at most so many steps, and says why it has stopped.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn resume(&mut self, fuel: f64) -> JsValue {
        // A number that is too large, or none at all, saturates.
        let told = self.inner.resume(fuel as u64);
        outcome(told, &self.inner, &self.tiles)
    }

    /// Answers a question with the number of an option, from 0; false if there is no such option or no such question.
    pub fn answer(&mut self, option: usize) -> bool {
        self.inner.answer(option)
    }

    /// Answers a question that wants a line; false if there is none.
    #[wasm_bindgen(js_name = "answerText")]
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.inner.answer_text(line)
    }

    /// Whether the program defines `function clicked(cell, button)`.
    #[wasm_bindgen(js_name = "hearsClicks")]
    pub fn hears_clicks(&self) -> bool {
        self.has_function(HEARS_CLICKS, 2)
    }

    /// What the program says that a click on a cell of the latest picture stands for: the text of an option, or a line.
    /// Nothing that it does on the way stays.
    pub fn clicked(&self, x: f64, y: f64, button: &str) -> Result<Option<String>, JsError> {
        let mut run = self.inner.clone();
        let steps = run.statistics().steps.saturating_add(CLICK_STEPS);
        run.set_limits(ndscript::Limits {
            steps,
            ..*run.limits()
        });
        let answer = run.call_once::<Option<String>>(
            HEARS_CLICKS,
            (Data::Position(x as i64, y as i64), button),
        );
        answer
            .map(Option::flatten)
            .map_err(|why| JsError::new(&why.to_string()))
    }

    /// A run that goes on independently from the same state.
    pub fn fork(&self) -> Run {
        Run::new(self.inner.clone(), self.tiles.clone())
    }

    /// A recording of the run from here on, so that every moment behind can be gone back to.
    pub fn timeline(&self) -> Timeline {
        Timeline::new(self.inner.clone(), self.tiles.clone())
    }

    /// Watches what the run does from here on, to say why its search fails.
    pub fn explain(&self) -> Explanation {
        Explanation::new(self.inner.clone(), self.tiles.clone())
    }

    /// The global variables that hold boards with constraints: what [`Run::solving`] can be asked for.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn boards(&self) -> JsValue {
        let boards = self.inner.view_globals();
        let boards = boards.filter(|(_, view)| {
            matches!(view.kind(), Kind::Grid | Kind::Array | Kind::Object) && view.is_constrained()
        });
        array(boards.map(|(name, _)| name))
    }

    /// Begins to find how a person could solve the board in a global variable from its rules and what it was given; nothing if there is
    /// no board with constraints. The run stays as it is.
    pub fn solving(&self, board: String) -> Option<Solving> {
        Solving::new(self.inner.clone(), board)
    }

    /// A film of what the run does from here on: of the grid in a global variable, or in the first that holds sets of
    /// candidates. It has at most so many pictures, spread over the whole of a long search.
    pub fn film(&self, grid: Option<String>, most: usize) -> Film {
        Film::new(self.inner.clone(), self.tiles.clone(), grid, most)
    }

    /// Lets a cell of a grid that a global variable holds be one of its candidates, given as text. What was guessed so far
    /// stays. A program says how by `function place(grid, position, value)`; without one the other candidates are taken
    /// away, and constraints do the rest. Returns what is wrong with it, if anything; then the run is no use any more.
    #[wasm_bindgen(unchecked_return_type = "Misplaced | undefined")]
    pub fn place(&mut self, grid: &str, x: usize, y: usize, value: &str) -> JsValue {
        let numbers = |cells: Vec<usize>| array(cells.into_iter().map(|cell| cell as f64));
        let misplaced = |Misplaced {
                             problem,
                             cells,
                             on,
                             lines,
                         }: Misplaced| {
            let fields = Fields::new()
                .with("problem", problem.as_str())
                .with("cells", numbers(cells));
            fields
                .with("on", numbers(on))
                .with("lines", lines_to_js(&lines))
                .into()
        };
        self.try_to_place(grid, x, y, value)
            .map_or_else(misplaced, |()| JsValue::UNDEFINED)
    }

    /// What the present branch has printed since the last question.
    #[wasm_bindgen(js_name = "pendingOutput", unchecked_return_type = "Output")]
    pub fn pending_output(&self) -> JsValue {
        let (text, pictures) = self.inner.pending_output();
        Shown {
            text: &text,
            pictures: &pictures,
            tiles: &self.tiles,
        }
        .to_js()
    }

    /// The global variables that have a value, by name, as text of at most so many bytes each.
    #[wasm_bindgen(unchecked_return_type = "[name: string, value: string][]")]
    pub fn globals(&self, most: usize) -> JsValue {
        array(
            self.inner
                .show_globals(most)
                .iter()
                .map(|(name, value)| array([name.as_str(), value.as_str()])),
        )
    }

    /// What the run has done so far.
    #[wasm_bindgen(unchecked_return_type = "Statistics")]
    pub fn statistics(&self) -> JsValue {
        let figures = self.inner.statistics();
        Fields::new()
            .with("steps", figures.steps as f64)
            .with("choices", figures.choice_points as f64)
            .with("failures", figures.failures as f64)
            .into()
    }

    /// How many bytes the run holds, garbage included.
    pub fn memory(&self) -> f64 {
        self.inner.memory() as f64
    }
}
