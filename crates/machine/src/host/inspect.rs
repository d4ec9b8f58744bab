//! Inspecting a run from outside: its global variables and its open choice points, as text for a person.

use crate::machine::Machine;
use crate::search::choices::choice::{LargeAlternatives, ONE_PICKED};
use crate::search::shuffle::MOST_LISTED;
use ndscript_base::source::Span;
use ndscript_bytecode::Flow;
use ndscript_heap::{Kind, Value};

/// An open choice point.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenChoice {
    /// The choosing expression or statement.
    pub span: Span,
    /// The number of the input that it belongs to; the first is 1.
    pub input: usize,
    /// The call of a function of the program that it was made in, with its arguments: `paint("Niger")`.
    pub call: Option<String>,
    /// What it chooses for, if a built-in made it: the place of a board that `decide` is at.
    pub place: Option<String>,
    /// How many alternatives are left.
    pub left: usize,
    /// The first of them.
    pub alternatives: Vec<Alternative>,
}

/// An alternative that a choice point has left.
#[derive(Clone, Debug, PartialEq)]
pub enum Alternative {
    /// A statement or an expression of the program.
    Code(Span),
    /// An element, as text, shortened; or in words, how a built-in such as `not` continues.
    Element(String),
}

impl Machine {
    /// The place of a choice point in the text of its input; `None` if it is one of the prelude, such as that of
    /// `decide`: the calls that led there are not searched.
    pub(crate) fn place_of_choice(&self, choice: usize) -> Option<Span> {
        let at = self.choices.point(choice)?.pc - 1;
        let code = self.inputs[self.input_of(choice)].code.as_ref()?;
        let is_prelude = code.functions[code.function_at(at) as usize].prelude;
        if is_prelude {
            None
        } else {
            code.spans.get(at as usize).copied()
        }
    }

    /// The open choice points, at most `most`, the latest first. Takes as long as cloning the run and backtracking
    /// through them.
    pub fn open_choice_points(&self, most: usize) -> Vec<OpenChoice> {
        let mut machine = self.clone();
        std::iter::from_fn(|| machine.take_back())
            .take(most)
            .collect()
    }

    /// Undoes everything since the latest open choice point and drops it. It takes no other alternative, so the run
    /// can only be inspected then.
    pub fn take_back(&mut self) -> Option<OpenChoice> {
        self.finish_collection();
        let last = self.choices.height().checked_sub(1)?;
        // Elements are those that the collection had when the choice was made.
        self.restore(last);
        let places = self.places_of_calls();
        let span = places.first().map_or(Span::default(), |place| place.1);
        let call = places
            .get(1)
            .and_then(|place| place.0)
            .map(|caller| self.call_text(caller));
        let place = self
            .place_decided()
            .map(|(board, key)| self.part_in_words(board, key));
        let input = self
            .inputs
            .partition_point(|input| input.choices as usize <= last);
        let (left, alternatives) = self.alternatives_left(last);
        self.drop_latest_choice();
        Some(OpenChoice {
            span,
            input,
            call,
            place,
            left,
            alternatives,
        })
    }

    /// How many alternatives a choice point has left, and the first of them.
    fn alternatives_left(&mut self, choice: usize) -> (usize, Vec<Alternative>) {
        let Some(choice) = self.choices.point(choice) else {
            return (0, Vec::new());
        };
        let bits = |left: u32| {
            (0..32)
                .filter(move |bit| left >> bit & 1 == 1)
                .take(MOST_LISTED)
                .collect::<Vec<usize>>()
        };
        let (left, places, collection) = match self.choices.large_of(&choice) {
            Some(LargeAlternatives::Branches(left)) => {
                return (
                    left.left(),
                    self.branches(choice.pc, &left.remaining(MOST_LISTED)),
                );
            }
            Some(LargeAlternatives::Weighted(left)) => {
                let values: Vec<Value> = left
                    .elements()
                    .iter()
                    .take(MOST_LISTED)
                    .map(|element| element.0)
                    .collect();
                let named = values
                    .into_iter()
                    .map(|value| Alternative::Element(self.context.brief(value)));
                return (left.elements().len(), named.collect());
            }
            Some(LargeAlternatives::Elements(left)) => (
                left.order.left(),
                left.order.remaining(MOST_LISTED),
                left.collection,
            ),
            None if choice.from == Value::NULL => {
                return (
                    choice.left.count_ones() as usize,
                    self.branches(choice.pc, &bits(choice.left)),
                );
            }
            None if choice.left & ONE_PICKED != 0 => {
                let picked = (choice.left & !ONE_PICKED) as usize;
                let size = self.alternatives(choice.from).unwrap_or(1);
                (
                    size - 1,
                    (0..size)
                        .filter(|place| *place != picked)
                        .take(MOST_LISTED)
                        .collect(),
                    choice.from,
                )
            }
            None => (
                choice.left.count_ones() as usize,
                bits(choice.left),
                choice.from,
            ),
        };
        let values: Vec<Value> = places
            .into_iter()
            .map(|place| self.place_of(collection, place))
            .collect();
        (
            left,
            values
                .into_iter()
                .map(|value| Alternative::Element(self.context.brief(value)))
                .collect(),
        )
    }

    /// The alternatives of these numbers, as places in the program or in words.
    fn branches(&self, pc: u32, numbers: &[usize]) -> Vec<Alternative> {
        let code = &self.context.code;
        let Flow::Branch(table) = code.ops[pc as usize - 1].flow() else {
            return Vec::new();
        };
        if code.functions[code.function_at(pc - 1) as usize].prelude {
            // Code of the prelude is no text of the program.
            let words = |number: usize| self.search_in_words(number).map(str::to_string);
            let words = |number: &usize| {
                words(*number).unwrap_or_else(|| format!("alternative {}", number + 1))
            };
            return numbers
                .iter()
                .map(words)
                .map(Alternative::Element)
                .collect();
        }
        let spans = code.alternatives(table);
        numbers
            .iter()
            .filter_map(|number| spans.get(*number))
            .copied()
            .map(Alternative::Code)
            .collect()
    }

    /// The global variables that have a value, in the order of the program, each with its text of at most `most`
    /// bytes.
    pub fn show_globals(&self, most: usize) -> Vec<(String, String)> {
        self.globals()
            .map(|(global, value)| (global.name.to_string(), self.inspect(value, most)))
            .collect()
    }

    /// The keys of an object that a path of fields leads to, beginning with a global variable; of a position its two.
    pub fn fields(&self, path: &[&str]) -> Vec<String> {
        let heap = &self.context.heap;
        let Some((first, rest)) = path.split_first() else {
            return Vec::new();
        };
        let Some(mut value) = self.global(first) else {
            return Vec::new();
        };
        for name in rest {
            if !value.is_kind(Kind::Object) {
                return Vec::new();
            }
            let found = heap
                .fields(value)
                .into_iter()
                .find(|field| heap.as_str(field.0) == Some(name));
            let Some((_, held)) = found else {
                return Vec::new();
            };
            value = held;
        }
        match value.kind() {
            Kind::Object => heap
                .fields(value)
                .iter()
                .filter_map(|field| heap.as_str(field.0))
                .map(String::from)
                .collect(),
            Kind::Position => vec!["x".to_string(), "y".to_string()],
            Kind::Host => self
                .context
                .members_of(value)
                .iter()
                .map(|member| member.name.to_string())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The value of the latest solution as text of at most `most` bytes.
    pub fn show_result(&self, most: usize) -> String {
        self.inspect(self.result, most)
    }

    /// A value as text for a person: strings quoted, the cells of a grid row by row, the pairs of a relation. A text
    /// of more than `most` bytes is cut, and ends in `...`.
    fn inspect(&self, value: Value, most: usize) -> String {
        let heap = &self.context.heap;
        let mut out = String::new();
        let show = |value: Value, out: &mut String| {
            // Too long a text is cut below.
            let room = most.saturating_sub(out.len());
            out.push_str(&heap.show_beginning(value, &self.context, room));
        };
        match value.kind() {
            Kind::Grid => {
                let grid = &heap.grids[value.payload()];
                show(value, &mut out);
                for row in grid.slots.values().chunks((grid.width as usize).max(1)) {
                    out.push('\n');
                    for (at, cell) in row.iter().enumerate() {
                        out.push_str(if at == 0 { "  " } else { " " });
                        show(*cell, &mut out);
                        if out.len() > most {
                            break;
                        }
                    }
                    if out.len() > most {
                        break;
                    }
                }
            }
            Kind::Relation => {
                out.push_str("relation {");
                for (at, (a, b)) in heap.relations[value.payload()].pairs.iter().enumerate() {
                    out.push_str(if at == 0 { "[" } else { ", [" });
                    show(*a, &mut out);
                    out.push_str(", ");
                    show(*b, &mut out);
                    out.push(']');
                    if out.len() > most {
                        break;
                    }
                }
                out.push('}');
            }
            _ => show(value, &mut out),
        }
        cut(&mut out, most);
        out
    }
}

/// Cuts a text to `most` bytes, `...` included.
fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        let mut end = most.saturating_sub(3);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("...");
    }
}
