//! Why a search fails, in sentences.

use ndscript::tiles::Tiles;
use ndscript_timeline::Causes;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::object::array;
use crate::outcome::outcome;

/// A run that is watched to find out why its search fails.
#[wasm_bindgen]
pub struct Explanation {
    run: ndscript::Run,
    tiles: Tiles,
    causes: Causes,
}

impl Explanation {
    pub(crate) fn new(run: ndscript::Run, tiles: Tiles) -> Explanation {
        let causes = Causes::new(run.program().sources().clone());
        Explanation { run, tiles, causes }
    }
}

#[wasm_bindgen]
impl Explanation {
    /// Watches on for at most so many steps, and says why the run has stopped.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn record(&mut self, fuel: f64) -> JsValue {
        let told = self.run.watch(fuel as u64, &mut self.causes);
        outcome(told, &self.run, &self.tiles)
    }

    /// As [`Run`](crate::run::Run) has it.
    pub fn answer(&mut self, option: usize) -> bool {
        self.run.answer(option)
    }

    /// As [`Run`](crate::run::Run) has it.
    #[wasm_bindgen(js_name = "answerText")]
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.run.answer_text(line)
    }

    /// What failed most often, and what to try, in a sentence each; nothing if nothing has failed.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn sentences(&self) -> JsValue {
        array(self.causes.in_short().iter().map(String::as_str))
    }
}
