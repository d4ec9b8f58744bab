//! Searches.

use ndscript::Data;
use ndscript::tiles::Tiles;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::object::{Fields, array};
use crate::outcome::{Shown, outcome};

/// The function of a program that hears the mouse.
const HEARS_CLICKS: &str = "clicked";
/// A click is answered within so many steps, or not at all.
const CLICK_STEPS: u64 = 50_000_000;

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
        self.inner.global(HEARS_CLICKS).is_some()
    }

    /// What the program says that a click on a cell of the latest picture stands for: the text of an option, or a line.
    /// Nothing that it does on the way stays.
    pub fn clicked(&self, x: f64, y: f64, button: &str) -> Result<Option<String>, JsError> {
        let mut run = self.inner.clone();
        let steps = run.statistics().steps.saturating_add(CLICK_STEPS);
        run.set_limits(ndscript::Limits { steps, ..*run.limits() });
        let answer = run.call_once::<Option<String>>(HEARS_CLICKS, (Data::Position(x as i64, y as i64), button));
        answer.map(Option::flatten).map_err(|why| JsError::new(&why.to_string()))
    }

    /// A run that goes on independently from the same state.
    pub fn fork(&self) -> Run {
        Run::new(self.inner.clone(), self.tiles.clone())
    }

    /// What the present branch has printed since the last question.
    #[wasm_bindgen(js_name = "pendingOutput", unchecked_return_type = "Output")]
    pub fn pending_output(&self) -> JsValue {
        let (text, pictures) = self.inner.pending_output();
        Shown { text: &text, pictures: &pictures, tiles: &self.tiles }.to_js()
    }

    /// The global variables that have a value, by name, as text of at most so many bytes each.
    #[wasm_bindgen(unchecked_return_type = "[name: string, value: string][]")]
    pub fn globals(&self, most: usize) -> JsValue {
        array(self.inner.show_globals(most).iter().map(|(name, value)| array([name.as_str(), value.as_str()])))
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
