//! Why a run has stopped, as `Outcome` of `types.d.ts` says.

use ndscript::tiles::Tiles;
use ndscript::{LimitReached, Outcome, PlacedPicture, Question, Run, ScriptError, Solution};
use ndscript_timeline::Recorded;
use wasm_bindgen::JsValue;

use crate::data::to_js;
use crate::message::message;
use crate::object::{Fields, array};
use crate::picture::Picture;

/// What was printed: text, and pictures with their places in it.
pub struct Shown<'a> {
    pub text: &'a str,
    pub pictures: &'a [PlacedPicture],
    pub tiles: &'a Tiles,
}

impl Shown<'_> {
    /// Text and pictures in order.
    pub fn to_js(&self) -> JsValue {
        let mut pieces: Vec<JsValue> = Vec::new();
        let put_text = |pieces: &mut Vec<JsValue>, text: Option<&str>| {
            pieces.extend(text.filter(|text| !text.is_empty()).map(JsValue::from));
        };
        let mut done = 0;
        for (place, picture) in self.pictures {
            let next = (*place).clamp(done, self.text.len());
            put_text(&mut pieces, self.text.get(done..next));
            pieces.push(Picture::new(picture.clone(), self.tiles.clone()).into());
            done = next;
        }
        put_text(&mut pieces, self.text.get(done..));
        array(pieces)
    }
}

/// What a run has told.
pub fn outcome(outcome: Outcome, run: &Run, tiles: &Tiles) -> JsValue {
    match outcome {
        Outcome::Solved(solution) => solved(&solution, tiles),
        // No function of JavaScript waits.
        Outcome::OutOfFuel | Outcome::Waiting(_) => out_of_fuel(),
        Outcome::Asked(question) => asked(&question, tiles),
        Outcome::Failed => failed(run),
        Outcome::Error(why) => error(&why, run),
        Outcome::Limit(reached) => limit(reached),
    }
}

/// What a recording has come to; `run` is the recorded one.
pub fn recorded(recorded: Recorded, run: &Run, tiles: &Tiles) -> JsValue {
    match recorded {
        Recorded::Solved(solution) => solved(&solution, tiles),
        Recorded::Paused => out_of_fuel(),
        Recorded::Asked(question) => asked(&question, tiles),
        Recorded::Failed => failed(run),
        Recorded::Error(why) => error(&why, run),
        Recorded::Limit(reached) => limit(reached),
    }
}

fn out_of_fuel() -> JsValue {
    Fields::of_kind("outOfFuel").into()
}

fn solved(solution: &Solution, tiles: &Tiles) -> JsValue {
    let Solution {
        value,
        text,
        pictures,
        ..
    } = solution;
    Fields::of_kind("solved")
        .with(
            "output",
            Shown {
                text,
                pictures,
                tiles,
            }
            .to_js(),
        )
        .with("value", to_js(value))
        .with(
            "text",
            if value.is_null() {
                String::new()
            } else {
                value.to_string()
            },
        )
        .into()
}

fn asked(question: &Question, tiles: &Tiles) -> JsValue {
    let Question {
        prompt,
        options,
        text,
        pictures,
    } = question;
    Fields::of_kind("asked")
        .with("prompt", prompt.as_str())
        .with_some(
            "options",
            options
                .as_ref()
                .map(|options| array(options.iter().map(String::as_str))),
        )
        .with(
            "output",
            Shown {
                text,
                pictures,
                tiles,
            }
            .to_js(),
        )
        .into()
}

fn failed(run: &Run) -> JsValue {
    Fields::of_kind("failed")
        .with_some("message", run.failure_message())
        .into()
}

fn error(why: &ScriptError, run: &Run) -> JsValue {
    Fields::of_kind("error")
        .with(
            "diagnostic",
            message(&why.diagnostic, run.program().sources()),
        )
        .into()
}

fn limit(reached: LimitReached) -> JsValue {
    // How a limit is raised differs from page to page.
    let text = reached.to_string();
    let text = text.split(": raise").next().unwrap_or_default();
    Fields::of_kind("limit")
        .with("limit", reached.name())
        .with("message", text)
        .into()
}
