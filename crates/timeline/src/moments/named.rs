//! The names in a line of a program, and their values at a moment.

use super::place::Key;
use ndscript::Kind;
use ndscript::View;
use ndscript::{Moment, Target};
use ndscript_base::source::{Sources, Span};
use ndscript_syntax::highlight::{TokenClass, tokens};

/// At most this many names of a line are read.
const MOST_NAMES: usize = 6;

/// At most this many characters of a value are shown.
const MOST_CHARACTERS: usize = 40;

/// A look at a variable or at a part of what it holds, as a program writes it: `x`, `g[p]`, `o.key`, `map[x, 3]`.
#[derive(Clone, Debug)]
struct NamedPlace {
    text: String,
    root: String,
    path: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Field(String),
    At(Index),
    Cell(Index, Index),
}

/// An index between brackets.
#[derive(Clone, Debug)]
enum Index {
    Number(i64),
    Of(NamedPlace),
}

/// The places that a line of a program reads, and the functions that it calls.
#[derive(Clone, Debug, Default)]
pub struct Line {
    looks: Vec<NamedPlace>,
    calls: Vec<String>,
    /// Whether there are more than are known.
    has_more: bool,
}

/// The values that a line has read, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadValues {
    /// `x = 3`, in the order of the line.
    pub words: Vec<String>,
    /// Whether the line goes by nothing else.
    pub is_all: bool,
    /// Whether nothing of that was written since the latest guess, which then has no part in it.
    pub is_older: bool,
}

/// The writes since the latest guess, as far as they matter to watched lines.
#[derive(Clone, Debug, Default)]
pub struct WritesSinceGuess {
    /// The variables that matter, and whether each was written to.
    variables: Vec<(String, bool)>,
    /// The collections of which a part was written to, or that all may have been.
    collections: Vec<u64>,
    is_full: bool,
}

/// At most this many collections are distinguished.
const MOST_COLLECTIONS: usize = 64;

impl WritesSinceGuess {
    /// Watches the places of a line from now on; earlier writes are unknown.
    pub fn watch(&mut self, line: &Line) {
        for look in &line.looks {
            if self.variables.iter().all(|(known, _)| *known != look.root) {
                self.variables.push((look.root.clone(), true));
            }
        }
        self.is_full = true;
    }

    /// A guess is made.
    pub fn guess(&mut self) {
        self.variables
            .iter_mut()
            .for_each(|(_, is_written)| *is_written = false);
        self.collections.clear();
        self.is_full = false;
    }

    /// Records a write since the latest guess.
    pub fn write(&mut self, target: &Target<'_>) {
        if self.variables.is_empty() {
            return;
        }
        match target {
            Target::Variable(name) => {
                let known = self.variables.iter_mut().find(|(known, _)| known == name);
                known
                    .into_iter()
                    .for_each(|(_, is_written)| *is_written = true);
            }
            Target::Part(collection, _) | Target::Whole(collection) => {
                if self.collections.len() >= MOST_COLLECTIONS {
                    self.is_full = true;
                } else if !self.collections.contains(&collection.identity()) {
                    self.collections.push(collection.identity());
                }
            }
        }
    }

    fn has(&self, look: &NamedPlace, moment: &Moment<'_>) -> bool {
        self.is_full
            || self
                .variables
                .iter()
                .any(|(name, is_written)| *is_written && *name == look.root)
            || look
                .collections(moment)
                .iter()
                .any(|collection| self.collections.contains(collection))
    }
}

impl Line {
    /// The line at a span; or the whole line that it begins, if the span is a `fail` whose condition the line gives, or
    /// names nothing.
    pub fn at(sources: &Sources, span: Span) -> Line {
        let Some((file, line, _)) = sources.locate(span) else {
            return Line::default();
        };
        let (line, own) = (file.line(line), sources.text(span));
        let known = Line::of(own);
        if known.looks.is_empty() || own.starts_with("fail") {
            Line::of(line)
        } else {
            known
        }
    }

    /// Calls `see` with the cells of grids that the line reads, as they were at an event.
    pub fn each_cell<'a>(&self, moment: &Moment<'a>, mut see: impl FnMut(View<'a>, (i64, i64))) {
        for look in &self.looks {
            if let Some((grid, place)) = look.cell(moment) {
                see(grid, place);
            }
        }
    }

    /// The looks in a text that compute nothing, each once.
    pub fn of(text: &str) -> Line {
        let mut words: Vec<Word<'_>> = Vec::new();
        for (class, range) in tokens(text) {
            if class != TokenClass::Comment {
                words.push(Word {
                    class,
                    text: &text[range],
                });
            }
        }
        let mut line = Line::default();
        for at in 0..words.len() {
            if at > 0 && words[at - 1].text == "." {
                continue;
            }
            if let Some((named, next)) = named_place_at(&words, at) {
                match words.get(next).map_or("", |word| word.text) {
                    "(" => line.calls.push(named.root),
                    "=>" | ":" => line.has_more = true,
                    _ if line.looks.iter().any(|known| known.text == named.text) => {}
                    _ => line.looks.push(named),
                }
            }
        }
        line.has_more |= line.looks.len() > MOST_NAMES;
        line.looks.truncate(MOST_NAMES);
        line
    }

    /// The values that the line read at an event.
    pub fn seen(&self, moment: &Moment<'_>, since: &WritesSinceGuess) -> ReadValues {
        let words: Vec<String> = self
            .looks
            .iter()
            .filter_map(|look| look.in_words(moment))
            .collect();
        // A built-in goes by its arguments; a function of the program may go by anything.
        let is_own = |name: &String| moment.variable(name).is_some();
        let is_all =
            !self.has_more && words.len() == self.looks.len() && !self.calls.iter().any(is_own);
        let is_older = self.looks.iter().all(|look| !since.has(look, moment));
        ReadValues {
            words,
            is_all,
            is_older,
        }
    }
}

impl NamedPlace {
    fn value<'a>(&self, moment: &Moment<'a>) -> Option<View<'a>> {
        self.value_of_prefix(self.path.len(), moment)
    }

    /// The value after this many parts of its path.
    fn value_of_prefix<'a>(&self, length: usize, moment: &Moment<'a>) -> Option<View<'a>> {
        let mut value = moment.variable(&self.root)?;
        for part in &self.path[..length] {
            value = part.key(moment)?.of_collection(value)?;
        }
        Some(value)
    }

    /// The grid and its cell, if it reads one.
    fn cell<'a>(&self, moment: &Moment<'a>) -> Option<(View<'a>, (i64, i64))> {
        let Key::Cell(x, y) = self.path.last()?.key(moment)? else {
            return None;
        };
        let grid = self.value_of_prefix(self.path.len() - 1, moment)?;
        (grid.kind() == Kind::Grid).then_some((grid, (x, y)))
    }

    /// The collections that it reads on its path.
    fn collections(&self, moment: &Moment<'_>) -> Vec<u64> {
        let containers =
            (0..self.path.len()).filter_map(|length| self.value_of_prefix(length, moment));
        let inside = self.path.iter().flat_map(|part| match part {
            Part::Field(_) => Vec::new(),
            Part::At(index) => vec![index],
            Part::Cell(x, y) => vec![x, y],
        });
        let inside = inside.flat_map(|index| match index {
            Index::Number(_) => Vec::new(),
            Index::Of(named) => named.collections(moment),
        });
        containers
            .map(|containers| containers.identity())
            .chain(inside.collect::<Vec<u64>>())
            .collect()
    }

    /// A coordinate of a position in words; it is no part of a collection.
    fn coordinate(&self, moment: &Moment<'_>) -> Option<String> {
        let Some(Part::Field(field)) = self.path.last() else {
            return None;
        };
        let (x, y) = self
            .value_of_prefix(self.path.len() - 1, moment)?
            .as_position()?;
        match field.as_str() {
            "x" => Some(x.to_string()),
            "y" => Some(y.to_string()),
            _ => None,
        }
    }

    /// Its text and its value, as in `x = 3`; `None` if it has no value, or one with places of its own.
    fn in_words(&self, moment: &Moment<'_>) -> Option<String> {
        let Some(value) = self.value(moment) else {
            return Some(format!("{} = {}", self.text, self.coordinate(moment)?));
        };
        let is_shown = !matches!(
            value.kind(),
            Kind::Array | Kind::Object | Kind::Grid | Kind::Queue | Kind::Function
        );
        is_shown.then(|| format!("{} = {}", self.text, value.beginning(MOST_CHARACTERS)))
    }
}

impl Part {
    fn key(&self, moment: &Moment<'_>) -> Option<Key> {
        match self {
            Part::Field(name) => Some(Key::Field(name.clone())),
            Part::At(index) => index.key(moment),
            Part::Cell(x, y) => match (x.key(moment)?, y.key(moment)?) {
                (Key::Index(x), Key::Index(y)) => Some(Key::Cell(x, y)),
                _ => None,
            },
        }
    }
}

impl Index {
    fn key(&self, moment: &Moment<'_>) -> Option<Key> {
        match self {
            Index::Number(number) => Some(Key::Index(*number)),
            Index::Of(named) => Key::of(named.value(moment)?),
        }
    }
}

#[derive(Clone, Copy)]
struct Word<'a> {
    class: TokenClass,
    text: &'a str,
}

/// The place that begins at a word, and the number of the next word. A computed index ends it before the brackets.
fn named_place_at(words: &[Word<'_>], at: usize) -> Option<(NamedPlace, usize)> {
    let root = words
        .get(at)
        .filter(|word| word.class == TokenClass::Name)?
        .text;
    let mut named = NamedPlace {
        text: root.to_string(),
        root: root.to_string(),
        path: Vec::new(),
    };
    let mut at = at + 1;
    loop {
        let text = words.get(at).map_or("", |word| word.text);
        if text == "."
            && let Some(field) = words
                .get(at + 1)
                .filter(|word| word.class == TokenClass::Name)
        {
            named.text += &format!(".{}", field.text);
            named.path.push(Part::Field(field.text.to_string()));
            at += 2;
        } else if text == "["
            && let Some((part, inside, next)) = between_brackets(words, at + 1)
        {
            named.text += &format!("[{inside}]");
            named.path.push(part);
            at = next;
        } else {
            return Some((named, at));
        }
    }
}

/// The index or the cell between brackets, from the word after the `[` on: as a part of a path, as text, and the position
/// of the word after the `]`.
fn between_brackets(words: &[Word<'_>], at: usize) -> Option<(Part, String, usize)> {
    let (first, text, at) = index(words, at)?;
    match words.get(at)?.text {
        "]" => Some((Part::At(first), text, at + 1)),
        "," => {
            let (second, more, at) = index(words, at + 1)?;
            let is_over = words.get(at)?.text == "]";
            is_over.then(|| (Part::Cell(first, second), format!("{text}, {more}"), at + 1))
        }
        _ => None,
    }
}

fn index(words: &[Word<'_>], at: usize) -> Option<(Index, String, usize)> {
    if let Ok(number) = words.get(at)?.text.parse() {
        return Some((Index::Number(number), words[at].text.to_string(), at + 1));
    }
    let (named, next) = named_place_at(words, at)?;
    let text = named.text.clone();
    Some((Index::Of(named), text, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_found_in_a_line() {
        let texts = |line: &str| {
            Line::of(line)
                .looks
                .into_iter()
                .map(|named| named.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            texts("if (a.b > limit + 2) fail; // no x"),
            ["a.b", "limit"]
        );
        assert_eq!(
            texts("require(g[p] != g[x, 3], \"of \" + name);"),
            ["g[p]", "p", "g[x, 3]", "x", "name"]
        );
        assert_eq!(
            texts("f(y); g[f(y)] = all[i + 1][2]; f = z => {k: 1};"),
            ["y", "g", "all", "i", "f"]
        );
        assert_eq!(
            texts("a + a + b + c + d + e + f + g"),
            ["a", "b", "c", "d", "e", "f"]
        );
        assert!(Line::of("a + b + c + d + e + f + g").has_more);
        assert_eq!(
            Line::of("require(distance(p, q) > 8);").calls,
            ["require", "distance"]
        );
    }
}
