//! Contents of grid cells, each with a number, so that many maps of one grid take little memory.

use ndscript::Kind;
use ndscript::View;
use ndscript_base::keyed::KeyedMap;

/// At most this many characters of a value are stored.
const MOST_CHARACTERS: usize = 40;

/// At most this many candidates of a set are stored.
pub(crate) const MOST_CANDIDATES: usize = 1000;

/// At most this many different contents, and values, have their own number; all others share one.
const MOST_CONTENTS: usize = 1 << 18;

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Nothing: `null`, or what is outside of the grid.
    Nothing,
    /// The candidates, by the numbers of their values, in order. A plain value is the only candidate; no candidate is a
    /// contradiction.
    Candidates(Vec<u32>),
}

/// All contents that were met.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    values: Vec<Value>,
    numbers: KeyedMap<String, u32>,
    contents: Vec<Content>,
    content_numbers: KeyedMap<Content, u32>,
}

#[derive(Clone, Debug)]
struct Value {
    text: String,
    number: Option<f64>,
}

impl Contents {
    pub fn new() -> Contents {
        Contents {
            values: Vec::new(),
            numbers: KeyedMap::default(),
            contents: vec![Content::Nothing],
            content_numbers: KeyedMap::from_iter([(Content::Nothing, 0)]),
        }
    }

    /// The number of what a cell holds; nothing is 0.
    pub fn number_of(&mut self, cell: View<'_>) -> u32 {
        let content = match cell.kind() {
            Kind::Null => return 0,
            Kind::Set => {
                let mut candidates: Vec<u32> = cell
                    .elements()
                    .take(MOST_CANDIDATES)
                    .map(|value| self.value(value))
                    .collect();
                candidates.sort_unstable();
                Content::Candidates(candidates)
            }
            _ => Content::Candidates(vec![self.value(cell)]),
        };
        self.number(content)
    }

    /// The number of a content of cells, which a new content gets.
    fn number(&mut self, content: Content) -> u32 {
        if let Some(number) = self.content_numbers.get(&content) {
            return *number;
        }
        // The last number is shared by all later contents.
        let content = if self.contents.len() < MOST_CONTENTS {
            content
        } else {
            Content::Candidates(vec![self.value_of("...", None)])
        };
        if let Some(number) = self.content_numbers.get(&content) {
            return *number;
        }
        let number = self.contents.len() as u32;
        self.contents.push(content.clone());
        self.content_numbers.insert(content, number);
        number
    }

    fn value(&mut self, value: View<'_>) -> u32 {
        let known = value
            .as_str()
            .filter(|text| text.len() <= MOST_CHARACTERS)
            .and_then(|text| self.numbers.get(text));
        if let Some(number) = known {
            return *number;
        }
        let text = match value.as_str() {
            Some(text) => text.chars().take(MOST_CHARACTERS).collect(),
            None => value.beginning(MOST_CHARACTERS),
        };
        self.value_of(&text, value.as_f64())
    }

    fn value_of(&mut self, text: &str, number: Option<f64>) -> u32 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let at = self.values.len() as u32;
        self.values.push(Value {
            text: text.to_string(),
            number,
        });
        self.numbers.insert(text.to_string(), at);
        at
    }

    /// The numbers here of what another one has numbered, by its numbers.
    pub fn take_over(&mut self, other: &Contents) -> Vec<u32> {
        let values: Vec<u32> = other
            .values
            .iter()
            .map(|value| self.value_of(&value.text, value.number))
            .collect();
        let contents = other.contents.iter().map(|content| match content {
            Content::Nothing => 0,
            Content::Candidates(candidates) => {
                let mut candidates: Vec<u32> =
                    candidates.iter().map(|at| values[*at as usize]).collect();
                candidates.sort_unstable();
                self.number(Content::Candidates(candidates))
            }
        });
        contents.collect()
    }

    /// The values, as text: numbers first, in order, then words.
    pub fn values(&self) -> Vec<String> {
        self.order()
            .into_iter()
            .map(|at| self.values[at as usize].text.clone())
            .collect()
    }

    /// The contents, by their numbers; their candidates are places in [`Contents::values`].
    pub fn contents(&self) -> Vec<Content> {
        let mut places = vec![0; self.values.len()];
        self.order()
            .iter()
            .enumerate()
            .for_each(|(place, at)| places[*at as usize] = place as u32);
        let placed = |content: &Content| match content {
            Content::Nothing => Content::Nothing,
            Content::Candidates(candidates) => {
                let mut candidates: Vec<u32> =
                    candidates.iter().map(|at| places[*at as usize]).collect();
                candidates.sort_unstable();
                Content::Candidates(candidates)
            }
        };
        self.contents.iter().map(placed).collect()
    }

    /// The values in order: numbers by size, then texts.
    fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.values.len() as u32).collect();
        order.sort_unstable_by(|first, second| {
            let (a, b) = (
                &self.values[*first as usize],
                &self.values[*second as usize],
            );
            let order = match (a.number, b.number) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a_number, b_number) => b_number
                    .is_some()
                    .cmp(&a_number.is_some())
                    .then_with(|| a.text.cmp(&b.text)),
            };
            order.then(first.cmp(second))
        });
        order
    }
}
