//! A board with constraints as a puzzle: its places on paper, what each could hold at first, and the steps to its solution.

use std::collections::HashMap;

use ndscript::{Kind, View};

/// At most this many characters of a value are shown.
const LONGEST: usize = 14;
/// At most this many boxes lie in a row.
const BOXES_IN_ROW: usize = 10;

/// How the places of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As the cells of a grid, row by row.
    Grid,
    /// As boxes with names: the elements of an array, the fields of an object.
    Boxes,
}

/// A place of a [`Puzzle`].
#[derive(Clone, Debug)]
pub struct PuzzlePlace {
    /// Its column.
    pub x: usize,
    /// Its row.
    pub y: usize,
    /// The name of the box, which is shown above it.
    pub name: String,
    /// The numbers of the values that it could hold before any rule was applied; none if no rule is on it.
    pub start: Vec<usize>,
    /// The clue beside the value: a number of mines, the sum of a cage.
    pub clue: Option<String>,
}

/// A step to the solution of a [`Puzzle`]. Places and values are numbers.
#[derive(Clone, Debug)]
pub struct PuzzleStep {
    /// How it is concluded, as `steps` names it.
    pub kind: String,
    /// The step as a sentence.
    pub text: String,
    /// The rules that it uses, in words.
    pub rules: Vec<String>,
    /// The places that it follows from.
    pub places: Vec<usize>,
    /// The values that places lose.
    pub removed: Vec<(usize, Vec<usize>)>,
    /// The places that are decided by it.
    pub decided: Vec<(usize, usize)>,
    /// The place and the value that are supposed, if anything is.
    pub supposed: Option<(usize, usize)>,
    /// The steps from the supposition to the contradiction.
    pub chain: Vec<PuzzleStep>,
}

/// A rule of a [`Puzzle`].
#[derive(Clone, Debug)]
pub struct PuzzleRule {
    /// The rule as a sentence.
    pub text: String,
    /// The numbers of the places that it is about.
    pub places: Vec<usize>,
}

/// A board with constraints, and how a person could solve it.
///
/// ```
/// use ndscript_timeline::Puzzle;
///
/// let program = ndscript::Engine::new().compile("let board = allDifferent([setOf(1), setOf(1, 2)]);")?;
/// let mut run = program.run(1);
/// run.next();
/// let board = run.global("board").unwrap();
/// let found = run.steps(&board)?.next().unwrap()?;
/// let puzzle = Puzzle::new("two places", run.view(&board)?, run.view(&found)?);
/// assert_eq!((puzzle.level, &*puzzle.end), (0.5, "solved"));
/// assert_eq!(puzzle.places[1].start, [0, 1]);
/// assert_eq!(puzzle.steps[0].decided, [(1, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The name of the puzzle among others.
    pub name: String,
    /// How hard it is, from 0 to 10.
    pub level: f64,
    /// How its steps end, as `difficulty` names it.
    pub end: String,
    /// How its places lie.
    pub layout: Layout,
    /// How many places lie side by side.
    pub width: usize,
    /// How many rows there are.
    pub height: usize,
    /// Its places.
    pub places: Vec<PuzzlePlace>,
    /// The values that its places may have, as they are shown.
    pub values: Vec<String>,
    /// The steps to its solution.
    pub steps: Vec<PuzzleStep>,
    /// Its rules.
    pub rules: Vec<PuzzleRule>,
    /// The clues beside each row of a grid.
    pub beside: Vec<String>,
    /// The clues above each column of a grid, in lines.
    pub above: Vec<String>,
}

impl Puzzle {
    /// Makes a puzzle of a board and the result of [`Run::steps`](ndscript::Run::steps).
    pub fn new(name: &str, board: View<'_>, found: View<'_>) -> Puzzle {
        let parts: Vec<View<'_>> = found.elements().collect();
        let part = |number: usize| parts.get(number).copied();
        let (layout, width, mut places, names) = places_of(board);
        let starts: Vec<(View<'_>, View<'_>)> = elements(part(2)).filter_map(pair_of).collect();
        let words = Words {
            values: values_of(&starts),
            names,
        };
        for (place, values) in &starts {
            if let Some(place) = words.place(*place) {
                places[place].start = words.values(*values);
            }
        }
        let mut values = vec![String::new(); words.values.len()];
        for (key, number) in &words.values {
            values[*number] = shown(key.1.as_str());
        }
        let field = |name| part(1).and_then(|difficulty| difficulty.field(name));
        let rules = elements(part(3)).map(|rule| PuzzleRule {
            text: text_in(rule, "text"),
            places: words.places(rule.field("places")),
        });
        Puzzle {
            name: name.to_string(),
            level: field("level").and_then(View::as_f64).unwrap_or(0.0),
            end: field("end")
                .and_then(View::as_str)
                .unwrap_or_default()
                .to_string(),
            layout,
            width,
            height: places.iter().map(|place| place.y + 1).max().unwrap_or(0),
            steps: elements(part(0)).map(|step| words.step(step)).collect(),
            rules: rules.collect(),
            places,
            values,
            beside: Vec::new(),
            above: Vec::new(),
        }
    }

    /// Writes the elements of a grid into the cells, but for null, blanks and points.
    pub fn put_clues(&mut self, clues: View<'_>) {
        for place in &mut self.places {
            let clue = clues.cell(place.x, place.y);
            let text = clue.filter(|clue| !clue.is_null()).map(text_of);
            place.clue = text.filter(|text| !matches!(text.trim(), "" | "."));
        }
    }

    /// Puts the elements of an array beside the rows; those of nested arrays follow one another.
    pub fn put_rows(&mut self, lines: View<'_>) {
        self.beside = lines.elements().map(|line| line_of(line, " ")).collect();
    }

    /// Puts the elements of an array above the columns; those of nested arrays lie one below another.
    pub fn put_columns(&mut self, lines: View<'_>) {
        self.above = lines.elements().map(|line| line_of(line, "\n")).collect();
    }

    /// Whether its steps lead anywhere: a board that only lies open is no puzzle.
    pub fn is_solvable(&self) -> bool {
        self.steps.iter().any(|step| !step.decided.is_empty())
    }

    /// The initial candidates of places.
    pub fn start(&self) -> Vec<Vec<usize>> {
        let starts = self.places.iter().map(|place| place.start.clone());
        starts.collect()
    }
}

impl PuzzleStep {
    /// Whether one known place removes values next to it and decides nothing, which is plain to see.
    pub fn is_plain(&self) -> bool {
        self.kind == "direct" && self.places.len() == 1 && self.decided.is_empty()
    }

    /// Removes the values that the step removes.
    pub fn apply(&self, known: &mut [Vec<usize>]) {
        for (place, gone) in &self.removed {
            if let Some(known) = known.get_mut(*place) {
                known.retain(|value| !gone.contains(value));
            }
        }
    }
}

/// The key by which values differ: 1 is not "1".
type Key = (Kind, String);

fn key(view: View<'_>) -> Key {
    let text = match view.as_position() {
        Some((x, y)) => format!("{x},{y}"),
        None => text_of(view),
    };
    (view.kind(), text)
}

/// The numbers of places and values.
struct Words {
    names: HashMap<Key, usize>,
    values: HashMap<Key, usize>,
}

impl Words {
    fn place(&self, name: View<'_>) -> Option<usize> {
        self.names.get(&key(name)).copied()
    }

    fn places(&self, names: Option<View<'_>>) -> Vec<usize> {
        elements(names)
            .filter_map(|name| self.place(name))
            .collect()
    }

    fn value(&self, value: View<'_>) -> Option<usize> {
        self.values.get(&key(value)).copied()
    }

    fn values(&self, values: View<'_>) -> Vec<usize> {
        values
            .elements()
            .filter_map(|value| self.value(value))
            .collect()
    }

    /// A step of a solution, from the object that `steps` has made.
    fn step(&self, step: View<'_>) -> PuzzleStep {
        let pairs = |name| elements(step.field(name)).filter_map(pair_of);
        let one = |(place, value)| Some((self.place(place)?, self.value(value)?));
        let removed = pairs("removed");
        let removed =
            removed.filter_map(|(place, values)| Some((self.place(place)?, self.values(values))));
        PuzzleStep {
            kind: text_in(step, "kind"),
            text: text_in(step, "text"),
            rules: elements(step.field("rules")).map(text_of).collect(),
            places: self.places(step.field("places")),
            removed: removed.collect(),
            decided: pairs("decided").filter_map(one).collect(),
            supposed: step.field("supposed").and_then(pair_of).and_then(one),
            // A chain has no chains in it.
            chain: elements(step.field("chain"))
                .map(|link| self.step(link))
                .collect(),
        }
    }
}

/// The numbers of values in the order in which they are shown: that of the largest sets, as sets are in order.
fn values_of(starts: &[(View<'_>, View<'_>)]) -> HashMap<Key, usize> {
    let mut sets: Vec<View<'_>> = starts.iter().map(|(_, values)| *values).collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    let mut values = HashMap::new();
    for value in sets.into_iter().flat_map(View::elements) {
        let next = values.len();
        values.entry(key(value)).or_insert(next);
    }
    values
}

/// The places of a board in its order, how many lie side by side, and the numbers by their names.
fn places_of(board: View<'_>) -> (Layout, usize, Vec<PuzzlePlace>, HashMap<Key, usize>) {
    let mut names = HashMap::new();
    let mut places = Vec::new();
    let mut put = |key: Key, x, y, name| {
        names.insert(key, places.len());
        places.push(PuzzlePlace {
            x,
            y,
            name,
            start: Vec::new(),
            clue: None,
        });
    };
    let (layout, width) = match board.kind() {
        Kind::Grid => (Layout::Grid, board.width()),
        _ => (Layout::Boxes, board.len().min(BOXES_IN_ROW)),
    };
    let at = |number: usize| (number % width.max(1), number / width.max(1));
    match board.kind() {
        Kind::Grid => {
            for number in 0..board.len() {
                let (x, y) = at(number);
                put((Kind::Position, format!("{x},{y}")), x, y, String::new());
            }
        }
        Kind::Array => {
            for number in 0..board.len() {
                let (x, y) = at(number);
                put((Kind::Number, number.to_string()), x, y, number.to_string());
            }
        }
        _ => {
            for (number, (name, _)) in board.fields().enumerate() {
                let (x, y) = at(number);
                put((Kind::String, name.to_string()), x, y, shown(name));
            }
        }
    }
    (layout, width, places, names)
}

fn elements(view: Option<View<'_>>) -> impl Iterator<Item = View<'_>> {
    view.into_iter().flat_map(View::elements)
}

fn pair_of(view: View<'_>) -> Option<(View<'_>, View<'_>)> {
    Some((view.get(0)?, view.get(1)?))
}

fn text_in(object: View<'_>, field: &str) -> String {
    object.field(field).map_or_else(String::new, text_of)
}

/// A string as it is, and another value as `print` shows it.
fn text_of(view: View<'_>) -> String {
    view.as_str()
        .map_or_else(|| view.to_string(), str::to_string)
}

/// The text beside a line: a value, or several.
fn line_of(line: View<'_>, between: &str) -> String {
    if line.kind() != Kind::Array {
        return text_of(line);
    }
    let parts: Vec<String> = line.elements().map(text_of).collect();
    parts.join(between)
}

/// As much of a text as fits into a cell.
fn shown(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let beginning: String = text.chars().take(LONGEST - 1).collect();
    format!("{beginning}…")
}
