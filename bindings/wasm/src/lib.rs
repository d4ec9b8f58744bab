//! NDScript for JavaScript: engines, programs, runs and pictures, in plain JavaScript types.
//!
//! Everything here is a thin skin over the crate `ndscript`. Places in texts are counted as JavaScript counts them, in
//! units of UTF-16. What each type looks like from JavaScript is in `types.d.ts`.

mod contradiction;
mod data;
mod engine;
mod explanation;
mod film;
mod message;
mod object;
mod offsets;
mod outcome;
mod parameter;
mod picture;
mod program;
mod rule;
mod run;
mod solving;
mod timeline;
mod tree;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &'static str = include_str!("types.d.ts");
