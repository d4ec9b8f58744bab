//! Looking at values of a run without copying them.

use std::fmt::{self, Display, Formatter};

use super::value::{Kind, Value};
use ndscript_heap::outside::data::Data;
use ndscript_heap::outside::snapshot::Snapshot;
use ndscript_heap::outside::value_error::ValueError;
use ndscript_heap::walks::quoting::quote;
use ndscript_heap::{Kind as WordKind, Value as Word};
use ndscript_machine::natives::context::Context;

/// A look at a value and into it, without copying anything. It borrows the run, which stands still meanwhile.
///
/// [`Run::view`](crate::Run::view) gives one; functions of the host can have views as arguments.
///
/// ```
/// use ndscript::{Engine, View};
/// let engine = Engine::new().with_function("walls", |map: View| {
///     Ok(map.cells().filter(|cell| cell.as_str() == Some("#")).count() as i64)
/// });
/// let program = engine.compile("print(walls(gridFromText(\"#.#\\n##.\")));")?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "4");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) context: &'a Context,
    pub(crate) word: Word,
}

/// A text as it shows inside a collection.
#[doc(hidden)]
pub fn in_quotes(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

impl<'a> View<'a> {
    fn at(self, word: Word) -> View<'a> {
        View {
            context: self.context,
            word,
        }
    }

    /// The kind of the value.
    pub fn kind(self) -> Kind {
        Kind::of(self.word.kind())
    }

    /// A number that tells whether two views at one moment are of one value: equal texts, sets and numbers have equal
    /// ones.
    #[doc(hidden)]
    pub fn identity(self) -> u64 {
        self.word.bits()
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The truth value, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        self.word.as_boolean()
    }

    /// The number, if it is one without fraction.
    pub fn as_i64(self) -> Option<i64> {
        self.word.as_integer()
    }

    /// The number, if it is one.
    pub fn as_f64(self) -> Option<f64> {
        self.context.heap.as_f64(self.word)
    }

    /// The string, if it is one.
    pub fn as_str(self) -> Option<&'a str> {
        self.context.heap.as_str(self.word)
    }

    /// Column and row, if it is a position.
    pub fn as_position(self) -> Option<(i64, i64)> {
        self.word.as_position()
    }

    /// Whether it is a function of the program that takes this number of arguments.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("function place(grid, at, value) { return narrow(grid, at, value); }")?;
    /// let mut run = program.run(1);
    /// run.resume(100);
    /// let place = run.view_global("place").expect("it is declared");
    /// assert!(place.accepts(3) && !place.accepts(1));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn accepts(self, arguments: usize) -> bool {
        let Some(closure) = self.word.handle_of(WordKind::Function) else {
            return false;
        };
        let number = self.context.heap.functions[closure].function as usize;
        self.context
            .code
            .functions
            .get(number)
            .is_some_and(|function| function.accepts(arguments))
    }

    /// The number of elements, fields, pairs, cells or characters; 0 of anything that has none.
    pub fn len(self) -> usize {
        let (heap, handle) = (&self.context.heap, self.word.payload());
        match self.word.kind() {
            WordKind::Array => heap.array_len(handle),
            WordKind::Set => heap.set_len(self.word),
            WordKind::Queue => heap.queues[handle].len(),
            WordKind::Object => heap.objects[handle].len(),
            WordKind::Relation => heap.relations[handle].pairs.len(),
            WordKind::Grid => heap.grids[handle].slots.len(),
            WordKind::Text => heap.texts[handle].characters as usize,
            _ => 0,
        }
    }

    /// Whether [`View::len`] is 0.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element of an array, a set or a queue at an index, counted from 0.
    pub fn get(self, index: usize) -> Option<View<'a>> {
        let (heap, handle) = (&self.context.heap, self.word.payload());
        match self.word.kind() {
            WordKind::Array if heap.arrays[handle].view().is_none() => {
                heap.arrays[handle].slots.get(index)
            }
            WordKind::Set => heap.set_get(self.word, index),
            WordKind::Array | WordKind::Queue => heap.parts_of(self.word).get(index).copied(),
            _ => None,
        }
        .map(|word| self.at(word))
    }

    /// Whether it is a board: a grid, an array or an object that constraints lie on.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var g = makeGrid(2, 1, setOf(1, 2)), h = copy(g); allDifferent(g);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let [g, h] = ["g", "h"].map(|name| run.global(name).unwrap());
    /// assert!(run.view(&g)?.is_constrained() && !run.view(&h)?.is_constrained());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_constrained(self) -> bool {
        self.context.heap.constrained(self.word).is_some()
    }

    /// The elements of an array, a set or a queue, in order; none of anything else.
    pub fn elements(self) -> impl ExactSizeIterator<Item = View<'a>> {
        let kinds = [WordKind::Array, WordKind::Set, WordKind::Queue];
        self.words_if(kinds.contains(&self.word.kind()))
            .map(move |word| self.at(word))
    }

    /// Whether an array, a set or a queue has an equal element, an object such a field, a string such a part.
    ///
    /// ```
    /// let program = ndscript::Engine::new().compile("var s = setOf(\"a\", [1, 2], 0.5);")?;
    /// let mut run = program.run(1);
    /// run.next();
    /// let set = run.global("s").unwrap();
    /// let view = run.view(&set)?;
    /// assert!(view.contains("a") && view.contains(0.5) && view.contains(vec![1, 2]) && !view.contains("b"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(self, element: impl Into<Data>) -> bool {
        let element = element.into();
        match (self.word.kind(), &element) {
            (WordKind::Object, Data::Text(name)) => self.field(name).is_some(),
            (WordKind::Text, Data::Text(part)) => {
                self.as_str().is_some_and(|text| text.contains(&**part))
            }
            (WordKind::Set, Data::Text(text)) => self
                .context
                .heap
                .find_text(text)
                .is_some_and(|word| self.context.heap.set_contains(self.word, word)),
            _ => self.elements().any(|candidate| candidate.is(&element)),
        }
    }

    /// Whether it is equal to data, as `==` has it for numbers, strings, positions, arrays and sets.
    fn is(self, data: &Data) -> bool {
        match data {
            Data::Null => self.is_null(),
            Data::Boolean(boolean) => self.as_bool() == Some(*boolean),
            Data::Integer(_) | Data::Float(_) => {
                self.as_f64().is_some() && self.as_f64() == data.as_f64()
            }
            Data::Text(text) => self.as_str() == Some(text),
            Data::Position(x, y) => self.as_position() == Some((*x, *y)),
            Data::Array(elements) => {
                self.kind() == Kind::Array
                    && self.len() == elements.len()
                    && self
                        .elements()
                        .zip(elements.iter())
                        .all(|(element, data)| element.is(data))
            }
            _ => self.may_be(data) && self.data() == *data,
        }
    }

    /// Whether it is a collection of the kind and size of data; of anything else nobody knows.
    fn may_be(self, data: &Data) -> bool {
        let length = match (self.kind(), data) {
            (Kind::Set, Data::Set(elements)) | (Kind::Queue, Data::Queue(elements)) => {
                elements.len()
            }
            (Kind::Queue, Data::PriorityQueue(queue)) => queue.elements().len(),
            (Kind::Relation, Data::Relation(pairs)) => pairs.len(),
            (Kind::Object, Data::Object(fields)) => fields.len(),
            (Kind::Grid, Data::Grid(grid)) => grid.cells().len(),
            (Kind::Function, Data::Function(_)) | (Kind::Host, _) => return true,
            _ => return false,
        };
        self.len() == length
    }

    /// The field of an object; `None` without one of that name, and of anything else.
    pub fn field(self, name: &str) -> Option<View<'a>> {
        let object = self.word.handle_of(WordKind::Object)?;
        let key = self.context.heap.find_text(name)?;
        self.context.heap.objects[object]
            .get(key)
            .map(|word| self.at(word))
    }

    /// The fields of an object, in order; none of anything else.
    pub fn fields(self) -> impl ExactSizeIterator<Item = (&'a str, View<'a>)> {
        let object = self.word.handle_of(WordKind::Object);
        let slots = object.map_or(&[][..], |object| self.context.heap.objects[object].slots());
        let name = move |key| self.context.heap.as_str(key).unwrap_or("");
        slots
            .chunks_exact(2)
            .map(move |field| (name(field[0]), self.at(field[1])))
    }

    /// The pairs of a relation, in the order of sets; none of anything else.
    pub fn pairs(self) -> impl ExactSizeIterator<Item = (View<'a>, View<'a>)> {
        let relation = self.word.handle_of(WordKind::Relation);
        let pairs = relation.map_or(&[][..], |relation| {
            &*self.context.heap.relations[relation].pairs
        });
        pairs
            .iter()
            .map(move |pair| (self.at(pair.0), self.at(pair.1)))
    }

    /// The number of columns of a grid; 0 of anything else.
    pub fn width(self) -> usize {
        self.word
            .handle_of(WordKind::Grid)
            .map_or(0, |grid| self.context.heap.grids[grid].width as usize)
    }

    /// The number of rows of a grid; 0 of anything else.
    pub fn height(self) -> usize {
        self.word
            .handle_of(WordKind::Grid)
            .map_or(0, |grid| self.context.heap.grids[grid].height as usize)
    }

    /// The cell of a grid in a column and a row, both counted from 0.
    pub fn cell(self, x: usize, y: usize) -> Option<View<'a>> {
        let grid = &self.context.heap.grids[self.word.handle_of(WordKind::Grid)?];
        let cell = grid.cell(i64::try_from(x).ok()?, i64::try_from(y).ok()?)?;
        grid.slots.get(cell).map(|word| self.at(word))
    }

    /// The cells of a grid, row by row; none of anything else.
    pub fn cells(self) -> impl ExactSizeIterator<Item = View<'a>> {
        self.words_if(self.word.is_kind(WordKind::Grid))
            .map(move |word| self.at(word))
    }

    fn words_if(self, wanted: bool) -> Words<'a> {
        let (heap, handle) = (&self.context.heap, self.word.payload());
        match self.word.kind() {
            _ if !wanted => Words::Row(&[]),
            WordKind::Array if heap.arrays[handle].view().is_none() => {
                Words::Row(heap.arrays[handle].slots.values())
            }
            WordKind::Set if heap.sets[handle].row().len() == heap.set_len(self.word) => {
                Words::Row(heap.sets[handle].row())
            }
            WordKind::Set => Words::Tree { set: self, next: 0 },
            WordKind::Grid => Words::Row(heap.grids[handle].slots.values()),
            _ => Words::List(heap.parts_of(self.word).into_iter()),
        }
    }

    /// The value as data outside of the run. A value that contains itself, is nested too deep, or is too large to be
    /// written out is [`Data::Elided`].
    pub fn data(self) -> Data {
        Snapshot::lenient(&self.context.heap, self.context, self.context.limits.memory)
            .take(self.word)
            .unwrap_or(Data::Elided)
    }

    /// The value as data outside of the run, with an error instead of [`Data::Elided`].
    ///
    /// # Errors
    /// [`ValueError::ContainsItself`], [`ValueError::TooDeep`] or [`ValueError::TooLarge`].
    pub fn whole_data(self) -> Result<Data, ValueError> {
        let limit = self.context.limits.memory;
        Ok(Snapshot::strict(&self.context.heap, self.context, limit).take(self.word)?)
    }

    /// The number of parts of a copy of `levels` levels of the value, in which nothing is shared; counted up to a
    /// bound. A value inside itself, or deeper than any copy goes, counts once: the copy fails there.
    pub(crate) fn parts_of_copy(self, levels: usize, most: usize) -> usize {
        const DEEPEST: usize = 256;
        let heap = &self.context.heap;
        let bytes = |word: Word| {
            if word.is_kind(WordKind::Host) {
                heap.host_bytes(word)
            } else {
                0
            }
        };
        if levels > 0 && self.word.is_kind(WordKind::Host) {
            return bytes(self.word) / 32;
        }
        if levels == 0 || self.is_empty() {
            return 0;
        }
        let mut count = 0;
        let mut open = vec![(self.word, vec![self.word].into_iter())];
        while let Some((_, parts)) = open.last_mut() {
            let Some(word) = parts.next() else {
                open.pop();
                continue;
            };
            count += 1 + (heap.as_str(word).map_or(0, str::len) + bytes(word)) / 32;
            if count > most {
                break;
            }
            let has_parts = !self.at(word).is_empty() && !word.is_kind(WordKind::Text);
            let is_open = open.len() > 1 && open[1..].iter().any(|(outer, _)| *outer == word);
            if has_parts && !is_open && open.len() <= levels.min(DEEPEST) {
                // Each of its parts will count: what is too large is not even listed.
                if count + heap.count_of_data(word) > most {
                    return most + 1;
                }
                open.push((word, heap.parts_of(word).into_iter()));
            }
        }
        count
    }

    /// The error for a value that is not what was expected: `expected a tile, not 3 (a number)`.
    pub fn not(self, expected: &str) -> ValueError {
        ValueError::Kind {
            expected: expected.to_string(),
            found: self.context.describe(self.word),
        }
    }

    /// Whether both are one value, and not only equal ones: for collections, whether they are identical.
    pub fn is_same(self, other: View<'_>) -> bool {
        let is_text = self.word.is_kind(WordKind::Text) && self.word.may_equal_another();
        let is_equal_text = || is_text && self.as_str() == other.as_str();
        std::ptr::eq(self.context, other.context) && (self.word == other.word || is_equal_text())
    }

    /// The beginning of its text, of about `most` characters; no more of it is visited.
    pub fn beginning(self, most: usize) -> String {
        self.context
            .heap
            .show_beginning(self.word, self.context, most)
    }

    /// A handle to the value, which outlives the view.
    pub fn hold(self) -> Value {
        Value(self.context.roots.hold(self.word))
    }
}

/// The text of the value, as `print` shows it; what is longer than a run may print is cut.
impl Display for View<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let most = self.context.limits.output.min(self.context.limits.memory);
        let cut = self
            .context
            .heap
            .show(self.word, self.context, &mut text, most)
            .is_err();
        f.write_str(&text)?;
        if cut { f.write_str("...") } else { Ok(()) }
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.context.describe(self.word))
    }
}

/// Roughly the bytes of a part of a value as a value of Rust, such as a field of a map.
pub(crate) const COPIED_PART: usize = 32;

/// The words of a collection.
enum Words<'a> {
    Row(&'a [Word]),
    Tree { set: View<'a>, next: usize },
    List(std::vec::IntoIter<Word>),
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        match self {
            Words::Row(row) => {
                let (first, rest) = row.split_first()?;
                *row = rest;
                Some(*first)
            }
            Words::Tree { set, next } => {
                let word = set.context.heap.set_get(set.word, *next)?;
                *next += 1;
                Some(word)
            }
            Words::List(list) => list.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self {
            Words::Row(row) => row.len(),
            Words::Tree { set, next } => set.len() - next,
            Words::List(list) => list.len(),
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for Words<'_> {}
