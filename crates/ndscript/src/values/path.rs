//! How a program would write a collection: by the name of a variable, or as a part of what one holds.

use super::value::Kind;
use super::view::View;

/// At most this many collections are searched, and this many parts of each.
const LOOKED_INTO: usize = 64;
const LOOKED_AT: usize = 64;

/// A step on the path to a collection. It becomes words only if the path leads there.
enum Step<'a> {
    Variable(&'a str),
    Field(&'a str),
    Element(usize),
    Cell(usize, usize),
}

/// A collection, and how it was reached: from which other one, and by what step.
struct ReachedCollection<'a> {
    content: View<'a>,
    from: Option<usize>,
    step: Step<'a>,
}

/// The collections that were reached, those nearest to a variable first.
struct ReachedCollections<'a, 'b> {
    wanted: View<'b>,
    reached: Vec<ReachedCollection<'a>>,
}

/// How this very collection is written where one of these variables leads to it, the nearest first.
pub(crate) fn path_from<'a>(
    variables: impl Iterator<Item = (&'a str, View<'a>)>,
    wanted: View<'_>,
) -> Option<String> {
    let mut collections = ReachedCollections {
        wanted,
        reached: Vec::new(),
    };
    for (name, content) in variables {
        if collections.reach(content, None, Step::Variable(name)) {
            return Some(collections.latest_in_words());
        }
    }
    let mut at = 0;
    while let Some(ReachedCollection { content, .. }) = collections.reached.get(at) {
        if collections.look_into(*content, at) {
            return Some(collections.latest_in_words());
        }
        at += 1;
    }
    None
}

impl<'a> ReachedCollections<'a, '_> {
    /// Records a value if it is a collection that was not reached before. Whether it is the one that is searched for.
    fn reach(&mut self, content: View<'a>, from: Option<usize>, step: Step<'a>) -> bool {
        let is_collection = matches!(content.kind(), Kind::Array | Kind::Object | Kind::Grid);
        let is_new = || {
            !self
                .reached
                .iter()
                .any(|known| known.content.is_same(content))
        };
        if !is_collection || self.reached.len() == LOOKED_INTO || !is_new() {
            return false;
        }
        self.reached.push(ReachedCollection {
            content,
            from,
            step,
        });
        content.is_same(self.wanted)
    }

    /// Records the parts of a collection. Whether the last one is the one that is searched for.
    fn look_into(&mut self, content: View<'a>, at: usize) -> bool {
        let from = Some(at);
        match content.kind() {
            Kind::Object => content
                .fields()
                .take(LOOKED_AT)
                .any(|(name, field)| self.reach(field, from, Step::Field(name))),
            Kind::Array => {
                let mut elements = content.elements().take(LOOKED_AT).enumerate();
                elements.any(|(index, element)| self.reach(element, from, Step::Element(index)))
            }
            _ => {
                let width = content.width().max(1);
                let mut cells = content.cells().take(LOOKED_AT).enumerate();
                cells.any(|(index, cell)| {
                    self.reach(cell, from, Step::Cell(index % width, index / width))
                })
            }
        }
    }

    /// The path to the latest collection, in words.
    fn latest_in_words(&self) -> String {
        let latest = self.reached.last();
        let back = std::iter::successors(latest, |reached| {
            reached.from.and_then(|from| self.reached.get(from))
        });
        let mut steps: Vec<String> = back.map(|reached| reached.step.in_words()).collect();
        steps.reverse();
        steps.concat()
    }
}

impl Step<'_> {
    fn in_words(&self) -> String {
        match self {
            Step::Variable(name) => (*name).to_string(),
            Step::Field(name) => format!(".{name}"),
            Step::Element(index) => format!("[{index}]"),
            Step::Cell(x, y) => format!("[{x}, {y}]"),
        }
    }
}
