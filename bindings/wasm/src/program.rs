//! Compiled programs.

use ndscript::tiles::Tiles;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::message::messages;
use crate::object::array;
use crate::parameter::{given, parameter};
use crate::run::Run;

/// A compiled program; it never changes.
#[wasm_bindgen]
pub struct Program {
    inner: ndscript::Program,
    tiles: Tiles,
}

impl Program {
    pub(crate) fn new(inner: ndscript::Program, tiles: Tiles) -> Program {
        Program { inner, tiles }
    }
}

#[wasm_bindgen]
impl Program {
    /// A run of the program. The same seed, an integer from 0 on, and the same parameters always give the same run. A
    /// parameter that the program cannot ask for is an error.
    pub fn run(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number | bigint")] seed: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Parameters")] parameters: JsValue,
    ) -> Result<Run, JsError> {
        let seed = seed_of(&seed)
            .ok_or_else(|| JsError::new("a seed is an integer from 0 to 2^64 - 1"))?;
        let given = given(&parameters)?;
        let names = given.iter().map(|(name, _)| name.as_str());
        let unknown = self.inner.unknown_parameters(names);
        if !unknown.is_empty() {
            return Err(JsError::new(&unknown.join("\n")));
        }
        let run = self.inner.run_with(seed, &given);
        Ok(Run::new(run, self.tiles.clone()))
    }

    /// The parameters that the program asks for, in the order of its text; `undefined` if it works some of their names
    /// out as it runs, so that it may ask for any.
    #[wasm_bindgen(unchecked_return_type = "Parameter[] | undefined")]
    pub fn parameters(&self) -> JsValue {
        match self.inner.parameters() {
            Some(names) => array(names.map(|name| parameter(&self.inner, name))),
            None => JsValue::UNDEFINED,
        }
    }

    /// What is allowed, but seldom meant.
    #[wasm_bindgen(unchecked_return_type = "Diagnostic[]")]
    pub fn warnings(&self) -> JsValue {
        messages(self.inner.warnings(), self.inner.sources())
    }
}

fn seed_of(seed: &JsValue) -> Option<u64> {
    match seed.as_f64() {
        Some(number) => (number >= 0.0 && number.fract() == 0.0 && number < 2f64.powi(64))
            .then_some(number as u64),
        None if seed.is_bigint() => u64::try_from(seed.clone()).ok(),
        None => None,
    }
}
