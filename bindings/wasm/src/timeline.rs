//! Runs that were recorded: every moment of them can be gone back to.

use ndscript::tiles::Tiles;
use ndscript_timeline::{
    CellShown, Detail, Direction, FailingCells, Found, GridShown, Kind, LineAt, Place, Scene,
    Search, SearchTree, Sought, State, Variable, Why,
};
use std::ops::ControlFlow;

use ndscript::{Answer, Event, Moment, Observer, Wanted, When};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::data::position;
use crate::object::{Fields, array, field};
use crate::offsets::units_before;
use crate::outcome::{Shown, recorded};
use crate::run::Run;
use crate::tree::{Lines, columns};

/// The forks that a page keeps, and their bytes.
const FORKS: usize = 64;
const BYTES: usize = 96 << 20;
/// The nodes of a tree that are kept, but for those that lead to solutions.
const NODES: usize = 100_000;
/// Cells of a grid that is shown with its candidates.
const CELLS: usize = 2500;

/// A run that was recorded.
#[wasm_bindgen]
pub struct Timeline {
    inner: ndscript_timeline::Timeline,
    tree: SearchTree,
    failing_cells: FailingCells,
    search: Option<Search>,
    why: Option<Why>,
    tiles: Tiles,
}

impl Timeline {
    pub(crate) fn new(run: ndscript::Run, tiles: Tiles) -> Timeline {
        let sources = run.program().sources().clone();
        let (tree, failing_cells) = (
            SearchTree::new(sources.clone(), NODES),
            FailingCells::new(sources),
        );
        let inner = ndscript_timeline::Timeline::new(run).bounded(FORKS, BYTES);
        Timeline {
            inner,
            tree,
            failing_cells,
            search: None,
            why: None,
            tiles,
        }
    }

    fn line(&self, line: &LineAt) -> JsValue {
        let files = self.inner.sources().files();
        let text = files
            .iter()
            .find(|file| *file.name == *line.file)
            .map_or("", |file| &*file.text);
        Fields::new()
            .with("file", line.file.as_str())
            .with("line", line.line as f64)
            .with("column", line.column as f64)
            .with("start", units_before(text, line.start) as f64)
            .with("end", units_before(text, line.end) as f64)
            .into()
    }

    fn found(&self, found: &Found) -> JsValue {
        Fields::of_kind(found.kind.name())
            .with("when", when_to_js(found.when))
            .with("text", found.text.as_str())
            .with_some("line", found.line.as_ref().map(|line| self.line(line)))
            .into()
    }

    fn scene_to_js(&self, scene: &Scene) -> JsValue {
        let calls = scene.calls.iter().map(|call| {
            Fields::new()
                .with_some("function", call.function.as_deref())
                .with_some("line", call.line.as_ref().map(|line| self.line(line)))
                .with("variables", array(call.variables.iter().map(variable)))
        });
        let choices = scene.choices.iter().map(|choice| {
            Fields::new()
                .with_some("line", choice.line.as_ref().map(|line| self.line(line)))
                .with_some("call", choice.call.as_deref())
                .with("left", choice.left as f64)
                .with(
                    "alternatives",
                    array(choice.alternatives.iter().map(String::as_str)),
                )
        });
        Fields::new()
            .with("when", when_to_js(scene.when))
            .with_some("line", scene.line.as_ref().map(|line| self.line(line)))
            .with("calls", array(calls))
            .with("depth", scene.depth as f64)
            .with("globals", array(scene.globals.iter().map(variable)))
            .with("choices", array(choices))
            .with("open", scene.open as f64)
            .with(
                "output",
                Shown {
                    text: &scene.text,
                    pictures: &scene.pictures,
                    tiles: &self.tiles,
                }
                .to_js(),
            )
            .into()
    }
}

/// What is kept of a run while it is recorded.
struct Both<'a>(&'a mut SearchTree, &'a mut FailingCells);

impl Observer for Both<'_> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let _ = self.0.observe(moment, event);
        self.1.observe(moment, event)
    }

    fn wanted(&self) -> Wanted {
        self.0.wanted().or(self.1.wanted())
    }
}

#[wasm_bindgen]
impl Timeline {
    /// Lets the recorded run go on for about so many steps, and says why it has stopped.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn record(&mut self, fuel: f64) -> JsValue {
        let mut both = Both(&mut self.tree, &mut self.failing_cells);
        let outcome = self.inner.record_with(fuel as u64, &mut both);
        recorded(outcome, self.inner.head(), &self.tiles)
    }

    /// Answers a question with the number of an option, from 0; false if there is no such option or no such question.
    pub fn answer(&mut self, option: usize) -> bool {
        self.inner.answer(Answer::Option(option))
    }

    /// Answers a question that wants a line; false if there is none.
    #[wasm_bindgen(js_name = "answerText")]
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.inner.answer(Answer::Line(line.to_string()))
    }

    /// The first moment.
    #[wasm_bindgen(unchecked_return_type = "When")]
    pub fn begin(&self) -> JsValue {
        when_to_js(self.inner.begin())
    }

    /// The moment up to which the run was recorded.
    #[wasm_bindgen(unchecked_return_type = "When")]
    pub fn end(&self) -> JsValue {
        when_to_js(self.inner.end())
    }

    /// The moments of the solutions.
    #[wasm_bindgen(unchecked_return_type = "When[]")]
    pub fn solutions(&self) -> JsValue {
        array(
            self.inner
                .solutions()
                .iter()
                .map(|(when, _)| when_to_js(*when)),
        )
    }

    /// How many events were recorded, by their kinds.
    #[wasm_bindgen(unchecked_return_type = "{ [kind: string]: number }")]
    pub fn counts(&self) -> JsValue {
        let kinds = [
            Kind::Choice,
            Kind::Failure,
            Kind::Solution,
            Kind::Write,
            Kind::Call,
        ];
        let counts = self.inner.counts();
        kinds
            .iter()
            .fold(Fields::new(), |fields, kind| {
                fields.with(kind.name(), counts.of(*kind) as f64)
            })
            .into()
    }

    /// What stands at a moment; `undefined` if the way there takes more than so many steps: then ask again.
    #[wasm_bindgen(unchecked_return_type = "Scene | undefined")]
    pub fn scene(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "When")] when: JsValue,
        fuel: f64,
    ) -> Result<JsValue, JsError> {
        let when = when_of(&when)?;
        if !self.inner.approach(when, fuel as u64)? {
            return Ok(JsValue::UNDEFINED);
        }
        let detail = Detail {
            cells: CELLS,
            ..Detail::default()
        };
        let scene = self.inner.scene(when, &detail)?;
        Ok(self.scene_to_js(&scene))
    }

    /// Begins to look for an event: `choice`, `failure`, `solution`, `line`, or `write` and `loss` (of a candidate) with
    /// a place such as `map[3, 4]`.
    pub fn seek(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "When")] from: JsValue,
        back: bool,
        what: &str,
        place: Option<String>,
    ) -> Result<(), JsError> {
        let place = || {
            place
                .as_deref()
                .unwrap_or_default()
                .parse()
                .map_err(|why: String| JsError::new(&why))
        };
        let what = match what {
            "choice" => Sought::Event(Kind::Choice),
            "failure" => Sought::Event(Kind::Failure),
            "solution" => Sought::Event(Kind::Solution),
            "line" => Sought::Line {
                at: None,
                depth: None,
            },
            "write" => Sought::Write(place()?),
            "loss" => Sought::Loss(place()?),
            other => return Err(JsError::new(&format!("there is no event {other:?}"))),
        };
        let direction = if back {
            Direction::Back
        } else {
            Direction::Forward
        };
        self.search = Some(self.inner.search(when_of(&from)?, direction, what));
        Ok(())
    }

    /// Goes on with looking for so many steps: what was found, at most one event; `undefined` if it is not known yet.
    #[wasm_bindgen(js_name = "goOnSeeking", unchecked_return_type = "Found[] | undefined")]
    pub fn go_on_seeking(&mut self, fuel: f64) -> JsValue {
        let Some(mut search) = self.search.take() else {
            return array::<JsValue>([]);
        };
        match search.resume(&mut self.inner, fuel as u64) {
            Some(found) => array(found.iter().map(|found| self.found(found))),
            None => {
                self.search = Some(search);
                JsValue::UNDEFINED
            }
        }
    }

    /// Begins to look for the reasons why a place such as `map[3, 4]` holds what it holds at a moment.
    #[wasm_bindgen(js_name = "askWhy")]
    pub fn ask_why(
        &mut self,
        place: &str,
        #[wasm_bindgen(unchecked_param_type = "When")] when: JsValue,
    ) -> Result<(), JsError> {
        let place: Place = place.parse().map_err(|why: String| JsError::new(&why))?;
        self.why = Some(self.inner.search_reasons(&place, when_of(&when)?)?);
        Ok(())
    }

    /// Goes on with looking for reasons for so many steps; `undefined` if they are not known yet. Throws if there are none.
    #[wasm_bindgen(js_name = "goOnWhy", unchecked_return_type = "Reasons | undefined")]
    pub fn go_on_why(&mut self, fuel: f64) -> Result<JsValue, JsError> {
        let Some(mut why) = self.why.take() else {
            return Err(JsError::new("nothing was asked"));
        };
        let Some(found) = why.resume(&self.inner, fuel as u64) else {
            self.why = Some(why);
            return Ok(JsValue::UNDEFINED);
        };
        let reasons = found?;
        let links = reasons.links.iter().map(|link| {
            Fields::new()
                .with("when", when_to_js(link.when))
                .with_some("line", link.line.as_ref().map(|line| self.line(line)))
                .with("place", link.place.as_str())
                .with_some("cell", link.cell.map(|(x, y)| position(x, y)))
                .with("value", link.value.as_str())
                .with("lost", array(link.lost_in_words.iter().map(String::as_str)))
                .with_some("was", link.was.as_deref())
                .with_some("by", link.by.as_deref())
                .with("isGuess", link.is_guess)
                .with("from", array(link.from.iter().map(|from| *from as f64)))
        });
        let fields = Fields::new()
            .with("value", reasons.value.as_str())
            .with("links", array(links));
        Ok(fields
            .with("own", reasons.own as f64)
            .with("isCut", reasons.is_cut)
            .into())
    }

    /// A run that goes on from a moment, which has to be [at hand](Timeline::scene).
    #[wasm_bindgen(js_name = "runAt")]
    pub fn run_at(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "When")] when: JsValue,
    ) -> Result<Run, JsError> {
        let run = self.inner.run_at(when_of(&when)?)?.clone();
        Ok(Run::new(run, self.tiles.clone()))
    }

    /// The tree of the search, from a node on: nodes come after their parents, and subtrees lie together. What failed as a
    /// whole may be folded into its uppermost node.
    #[wasm_bindgen(unchecked_return_type = "TreeNode[]")]
    pub fn tree(&self, most: usize) -> JsValue {
        array(self.tree.nodes().iter().take(most).map(|node| {
            let state = if node.state == State::Inner {
                "inner"
            } else {
                node.state.name()
            };
            Fields::new()
                .with_some("parent", node.parent.map(|parent| parent as f64))
                .with("state", state)
                .with("label", node.label.as_str())
                .with_some("line", self.tree.line(node).map(|line| line as f64))
                .with_some("why", node.why.as_ref().map(|(why, _)| why.as_str()))
                .with("when", when_to_js(node.when))
                .with("folded", node.folded as f64)
                .with("failures", node.folded_failures as f64)
        }))
    }

    /// The same tree in columns, for trees of many nodes.
    #[wasm_bindgen(js_name = "treeColumns", unchecked_return_type = "TreeColumns")]
    pub fn tree_columns(&self, most: usize) -> JsValue {
        columns(&self.tree, most)
    }

    /// How often each cell of the grid in a global variable was the one at which a branch died, row by row; `undefined` if
    /// none was.
    #[wasm_bindgen(
        js_name = "failingCells",
        unchecked_return_type = "number[] | undefined"
    )]
    pub fn failing_cells(&self, grid: &str) -> JsValue {
        match self.failing_cells.counts(grid) {
            Some(counts) => array(counts.iter().map(|count| *count as f64)),
            None => JsValue::UNDEFINED,
        }
    }

    /// On which lines the search has failed, and how often, the worst first.
    #[wasm_bindgen(
        js_name = "failingLines",
        unchecked_return_type = "{ line: number, failures: number, why: string }[]"
    )]
    pub fn failing_lines(&self) -> JsValue {
        let mut places = Lines::new(&self.tree);
        let mut lines: Vec<(u32, u64, &str)> = Vec::new();
        for node in self.tree.nodes() {
            let Some((why, span @ Some(_))) = &node.why else {
                continue;
            };
            let line = places.line(*span);
            match lines.iter_mut().find(|known| known.0 == line) {
                Some(known) => known.1 += 1 + node.folded_failures,
                None => lines.push((line, 1 + node.folded_failures, why)),
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.1));
        array(lines.iter().map(|(line, failures, why)| {
            Fields::new()
                .with("line", f64::from(*line))
                .with("failures", *failures as f64)
                .with("why", *why)
        }))
    }
}

fn variable(variable: &Variable) -> Fields {
    let grid = variable.grid.as_ref().map(grid);
    Fields::new()
        .with("name", variable.name.as_str())
        .with("text", variable.text.as_str())
        .with_some("grid", grid)
}

/// A grid whose cells are lists of numbers of values: most cells have the same few.
fn grid(grid: &GridShown) -> Fields {
    let mut values: Vec<&str> = Vec::new();
    let mut cells: Vec<JsValue> = Vec::with_capacity(grid.cells.len());
    for CellShown { candidates, .. } in &grid.cells {
        let mut numbers: Vec<f64> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let known = values.iter().position(|value| value == candidate);
            numbers.push(known.unwrap_or(values.len()) as f64);
            if known.is_none() {
                values.push(candidate);
            }
        }
        cells.push(array(numbers));
    }
    let is_set = grid.cells.iter().any(|cell| cell.is_set);
    Fields::new()
        .with("width", grid.width as f64)
        .with("height", grid.height as f64)
        .with("values", array(values.iter().copied()))
        .with("cells", array(cells))
        .with("isBoard", is_set)
        .with("isConstrained", grid.is_constrained)
}

fn when_to_js(when: When) -> JsValue {
    Fields::new()
        .with("step", when.step as f64)
        .with("inside", f64::from(when.inside))
        .into()
}

fn when_of(value: &JsValue) -> Result<When, JsError> {
    let number = |name| {
        field(value, name)
            .and_then(|value| value.as_f64())
            .filter(|number| *number >= 0.0)
    };
    match number("step") {
        Some(step) => Ok(When {
            step: step as u64,
            inside: number("inside").unwrap_or(0.0) as u32,
        }),
        None => Err(JsError::new(
            "a moment is an object with `step` and `inside`",
        )),
    }
}
