//! What is known of a board before any step: the names of its rules, and what places can hold at first.

use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::natives::context::Context;
use std::collections::BTreeSet;

/// What at least one of so many places can hold at first, readers know.
const USUAL: usize = 8;
/// What places can hold at first is compared up to this many kinds.
const MOST_KINDS: usize = 64;
/// Texts of a board with more values are not looked at.
const MOST_TEXTS: usize = 4096;

/// What the program says of a board before any step.
#[derive(Clone, Default)]
pub(crate) struct FirstKnown {
    /// The names that the program has given to constraints.
    pub names: KeyedMap<u32, Value>,
    /// What the program has narrowed itself, as masks.
    pub givens: KeyedMap<u32, Vec<u64>>,
    /// Whether texts among the values stand in quotes.
    pub are_texts_quoted: bool,
    /// What many places can hold at first.
    usual: Vec<Vec<u32>>,
}

impl FirstKnown {
    /// What is known of a board, and the work for that, in visits.
    pub fn of(context: &Context, board: Handle) -> (FirstKnown, usize) {
        let own = &context.heap.boards[board];
        let mut givens: KeyedMap<u32, Vec<u64>> = KeyedMap::default();
        for (place, mask) in context.heap.givens(board) {
            let before = givens.entry(place).or_insert_with(|| mask.clone());
            before
                .iter_mut()
                .zip(&mask)
                .for_each(|(word, mask)| *word &= mask);
        }
        let mut first = FirstKnown {
            names: context.heap.rule_names(board),
            givens,
            are_texts_quoted: are_texts_quoted(context, own.universe()),
            usual: Vec::new(),
        };
        let solver = &own.solver;
        let bound = (0..solver.places()).filter(|place| solver.is_bound(*place));
        let mut kinds: Vec<(Vec<u32>, usize)> = Vec::new();
        let mut all = 0;
        for place in bound {
            all += 1;
            let values = solver.initial(place).numbers();
            let values: Vec<u32> = values.map(|value| value as u32).collect();
            match kinds.iter().position(|(kind, _)| *kind == values) {
                Some(at) => kinds[at].1 += 1,
                None if kinds.len() < MOST_KINDS => kinds.push((values, 1)),
                None => {}
            }
        }
        kinds.retain(|(values, count)| values.len() > 1 && USUAL * count >= all);
        first.usual = kinds.into_iter().map(|(values, _)| values).collect();
        let work = solver.places() * (MOST_KINDS + own.universe().len() / 16);
        (first, work + own.universe().len().min(MOST_TEXTS))
    }

    /// Whether it need not be said that a place can hold these values at first.
    pub fn is_usual(&self, values: &[u32]) -> bool {
        self.usual.iter().any(|usual| usual == values)
    }

    /// The values of some that the program leaves a place.
    pub fn left(&self, place: u32, mut values: Vec<u32>) -> Vec<u32> {
        if let Some(mask) = self.givens.get(&place) {
            values.retain(|value| mask[*value as usize / 64] >> (value % 64) & 1 == 1);
        }
        values
    }

    /// The bytes that it owns, about.
    pub fn bytes(&self) -> usize {
        let masks = self.givens.values();
        let masks: usize = masks.map(|mask| 8 * mask.len()).sum();
        let usual: usize = self.usual.iter().map(|values| 32 + 4 * values.len()).sum();
        room::hash_map(self.names.capacity(), 16)
            + room::hash_map(self.givens.capacity(), 32)
            + masks
            + usual
    }
}

/// Whether some text of these values is a plain word, which a sentence would read as its own, is no word at all, or reads as another
/// value. Then all of them stand in quotes.
fn are_texts_quoted(context: &Context, universe: &[Value]) -> bool {
    let (texts, others): (Vec<&Value>, Vec<&Value>) = universe
        .iter()
        .take(MOST_TEXTS)
        .partition(|value| value.kind() == Kind::Text);
    let others: BTreeSet<String> = others
        .into_iter()
        .map(|other| context.words(*other))
        .collect();
    let mut texts = texts.into_iter().map(|text| context.words(*text));
    texts.any(|text| {
        let is_word = text.chars().count() > 1 && text.chars().all(char::is_alphabetic);
        let is_no_word = !text.chars().any(char::is_alphanumeric);
        let is_literal = text.parse::<f64>().is_ok() || text == "true" || text == "false";
        is_word || is_no_word || is_literal && others.contains(&text)
    })
}
