//! The tree of a search in columns: an array for each field, so that a large tree is handed over at once.

use std::collections::BTreeMap;

use js_sys::{Float64Array, Int32Array, Uint8Array, Uint32Array};
use ndscript::source::Span;
use ndscript_timeline::{SearchTree, State};
use wasm_bindgen::JsValue;

use crate::object::{Fields, array};

/// Texts by number: most nodes share a few.
struct Texts<'a> {
    numbers: BTreeMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: &'a str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }
}

/// Lines by where something stands: most nodes stand at a few places.
pub struct Lines<'a> {
    tree: &'a SearchTree,
    known: BTreeMap<(u32, u32), u32>,
}

impl<'a> Lines<'a> {
    pub fn new(tree: &'a SearchTree) -> Lines<'a> {
        Lines {
            tree,
            known: BTreeMap::new(),
        }
    }

    /// The line, from 1; 0 if there is none.
    pub fn line(&mut self, span: Option<Span>) -> u32 {
        let Some(span) = span else { return 0 };
        let locate = || {
            self.tree
                .sources()
                .locate(span)
                .map_or(0, |(_, line, _)| line as u32)
        };
        *self
            .known
            .entry((span.start, span.end))
            .or_insert_with(locate)
    }
}

/// As `TreeColumns` of `types.d.ts` says.
pub fn columns(tree: &SearchTree, most: usize) -> JsValue {
    let nodes = &tree.nodes()[..tree.nodes().len().min(most)];
    let mut texts = Texts {
        numbers: BTreeMap::new(),
        texts: Vec::new(),
    };
    texts.number("");
    let mut lines = Lines::new(tree);
    let states: Vec<u8> = nodes.iter().map(|node| number_of(node.state)).collect();
    let parents: Vec<i32> = nodes
        .iter()
        .map(|node| node.parent.map_or(-1, |parent| parent as i32))
        .collect();
    let labels: Vec<u32> = nodes.iter().map(|node| texts.number(&node.label)).collect();
    let whys: Vec<u32> = nodes
        .iter()
        .map(|node| node.why.as_ref().map_or(0, |(why, _)| texts.number(why)))
        .collect();
    let at: Vec<u32> = nodes.iter().map(|node| lines.line(node.span)).collect();
    let steps: Vec<f64> = nodes.iter().map(|node| node.when.step as f64).collect();
    let insides: Vec<u32> = nodes.iter().map(|node| node.when.inside).collect();
    let folded: Vec<f64> = nodes.iter().map(|node| node.folded as f64).collect();
    Fields::new()
        .with("states", Uint8Array::from(&states[..]))
        .with("parents", Int32Array::from(&parents[..]))
        .with("labels", Uint32Array::from(&labels[..]))
        .with("whys", Uint32Array::from(&whys[..]))
        .with("lines", Uint32Array::from(&at[..]))
        .with("steps", Float64Array::from(&steps[..]))
        .with("insides", Uint32Array::from(&insides[..]))
        .with("folded", Float64Array::from(&folded[..]))
        .with("texts", array(texts.texts))
        .into()
}

fn number_of(state: State) -> u8 {
    match state {
        State::Inner => 0,
        State::Open => 1,
        State::Failed => 2,
        State::Solution => 3,
    }
}
