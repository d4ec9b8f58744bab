//! The visible state of a run at a moment, as plain data.

use crate::When;
use crate::recording::approach::Beyond;
use crate::recording::line::Timeline;
use ndscript::Alternative;
use ndscript::Kind;
use ndscript::PlacedPicture;
use ndscript::Run;
use ndscript::View;
use ndscript_base::source::{Sources, Span};

/// How much of a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Characters of a value's text.
    pub text: usize,
    /// Cells of a grid: a larger one is shown as text only.
    pub cells: usize,
    /// Calls, the innermost ones.
    pub calls: usize,
    /// Open choices, the latest ones. To find them takes about as long as to copy the run.
    pub choices: usize,
}

impl Default for Detail {
    fn default() -> Detail {
        Detail {
            text: 400,
            cells: 1 << 16,
            calls: 40,
            choices: 20,
        }
    }
}

/// A place in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineAt {
    /// The name of the file.
    pub file: String,
    /// Line and column, counted from 1.
    pub line: usize,
    /// See there.
    pub column: usize,
    /// The bytes of the file that it is about.
    pub start: usize,
    /// See there.
    pub end: usize,
    /// The line in words, with the file if it is not the program itself.
    pub in_words: String,
    /// The text of the line.
    pub text: String,
}

/// The state of a run at a moment.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The moment.
    pub when: When,
    /// The next line to run; at a solution and at the end, the latest one.
    pub line: Option<LineAt>,
    /// The calls in progress, innermost first. The last one, unless there are too many, is the program itself, with the
    /// variables of its blocks.
    pub calls: Vec<CallShown>,
    /// The number of calls in progress, without the program itself, with those of built-ins.
    pub depth: usize,
    /// The global variables that have a value.
    pub globals: Vec<Variable>,
    /// The open choices, latest first.
    pub choices: Vec<ChoiceShown>,
    /// How many of them there are.
    pub open: usize,
    /// The text that the branch has printed since the latest question.
    pub text: String,
    /// The pictures in it, by the places where they stand.
    pub pictures: Vec<PlacedPicture>,
}

/// A call in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct CallShown {
    /// The function; empty for a function value, `None` for the program itself.
    pub function: Option<String>,
    /// Where it stands.
    pub line: Option<LineAt>,
    /// Its variables.
    pub variables: Vec<Variable>,
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The beginning of its value, as text for a person: strings are quoted.
    pub text: String,
    /// The cells, if it holds a grid.
    pub grid: Option<GridShown>,
}

/// A grid with its candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct GridShown {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whether constraints lie on it.
    pub is_constrained: bool,
    /// The cells, row by row.
    pub cells: Vec<CellShown>,
}

/// A cell of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct CellShown {
    /// Its candidates as text; for a plain value that value alone.
    pub candidates: Vec<String>,
    /// Whether it holds a set.
    pub is_set: bool,
}

/// A choice that may still be gone back to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceShown {
    /// Where it was made.
    pub line: Option<LineAt>,
    /// The call that it was made in.
    pub call: Option<String>,
    /// The place that it chooses for, if a built-in does so: the place of a board that `decide` has reached.
    pub place: Option<String>,
    /// The number of alternatives left.
    pub left: usize,
    /// The first of them, as text.
    pub alternatives: Vec<String>,
}

/// At most this many characters of a candidate are shown.
const CANDIDATE: usize = 40;

impl LineAt {
    /// The place of a span.
    pub fn of(sources: &Sources, span: Span) -> Option<LineAt> {
        let (file, line, column) = sources.locate(span)?;
        let (start, end) = (
            file.clamp(span.start - file.base),
            file.clamp(span.end.saturating_sub(file.base)),
        );
        let text = file.line(line).to_string();
        let in_words = sources.line_in_words(span)?;
        Some(LineAt {
            file: file.name.to_string(),
            in_words,
            line,
            column,
            start,
            end: end.max(start),
            text,
        })
    }
}

impl GridShown {
    /// The cells of a grid, unless there are more than `most`.
    pub fn of(grid: View<'_>, most: usize) -> Option<GridShown> {
        let is_shown = grid.kind() == Kind::Grid && grid.len() <= most;
        is_shown.then(|| GridShown {
            width: grid.width(),
            height: grid.height(),
            is_constrained: grid.is_constrained(),
            cells: grid.cells().map(CellShown::of).collect(),
        })
    }

    /// The cell in a column and a row.
    pub fn cell(&self, x: usize, y: usize) -> Option<&CellShown> {
        if x < self.width {
            self.cells.get(y * self.width + x)
        } else {
            None
        }
    }
}

/// A cell of a map in letters is this wide at most.
const WIDEST: usize = 8;

impl CellShown {
    /// A short form: its value, its candidates if these are short, else their number, or a cross if it has none.
    pub fn brief(&self) -> String {
        match &self.candidates[..] {
            [] => "×".to_string(),
            [only] => only.chars().take(WIDEST).collect(),
            several => {
                let joined: String = several.iter().map(String::as_str).collect();
                let is_short = several
                    .iter()
                    .all(|candidate| candidate.chars().count() == 1);
                if is_short && several.len() < WIDEST {
                    joined
                } else {
                    format!("?{}", several.len())
                }
            }
        }
    }

    /// The content of a cell.
    pub fn of(cell: View<'_>) -> CellShown {
        let is_set = cell.kind() == Kind::Set;
        CellShown {
            candidates: candidates(cell),
            is_set,
        }
    }
}

/// The candidates of a value as text: the elements of a set, or the value itself.
pub(crate) fn candidates(value: View<'_>) -> Vec<String> {
    let shown = |value: View<'_>| match value.as_str() {
        Some(text) => text.chars().take(CANDIDATE).collect(),
        None => value.beginning(CANDIDATE),
    };
    if value.kind() == Kind::Set {
        value.elements().map(shown).collect()
    } else {
        vec![shown(value)]
    }
}

impl Variable {
    fn of(name: &str, value: View<'_>, detail: &Detail) -> Variable {
        Variable {
            name: name.to_string(),
            text: value.beginning(detail.text),
            grid: GridShown::of(value, detail.cells),
        }
    }
}

impl Scene {
    /// The present state of a run.
    pub fn of(run: &Run, detail: &Detail) -> Scene {
        let sources = run.program().sources();
        let line = |span: Option<Span>| LineAt::of(sources, span?);
        let calls: Vec<CallShown> = run
            .calls(detail.calls.max(1))
            .iter()
            .map(|call| CallShown {
                function: call.function.map(str::to_string),
                line: line(call.span),
                variables: call
                    .variables
                    .iter()
                    .map(|(name, value)| Variable::of(name, *value, detail))
                    .collect(),
            })
            .collect();
        let choices = if detail.choices == 0 {
            Vec::new()
        } else {
            run.open_choice_points(detail.choices)
        };
        let choices = choices.into_iter().map(|choice| ChoiceShown {
            line: line(Some(choice.span)),
            call: choice.call,
            place: choice.place,
            left: choice.left,
            alternatives: choice
                .alternatives
                .iter()
                .map(|alternative| alternative_text(alternative, sources))
                .collect(),
        });
        let (text, pictures) = run.pending_output();
        Scene {
            when: run.when(),
            line: calls.first().and_then(|call| call.line.clone()),
            calls,
            depth: run.depth(),
            globals: run
                .view_globals()
                .map(|(name, value)| Variable::of(name, value, detail))
                .collect(),
            choices: choices.collect(),
            open: run.open_choices(),
            text,
            pictures,
        }
    }

    /// The variable that a name means here: one of the innermost call, or a global one.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        let own = self.calls.iter().flat_map(|call| &call.variables);
        own.chain(&self.globals)
            .find(|variable| variable.name == name)
    }
}

fn alternative_text(alternative: &Alternative, sources: &Sources) -> String {
    match alternative {
        Alternative::Element(text) => text.clone(),
        Alternative::Code(span) => {
            let words: Vec<&str> = sources.text(*span).split_whitespace().collect();
            let line = words.join(" ");
            let short: String = line.chars().take(2 * CANDIDATE).collect();
            if short.len() < line.len() {
                short + "..."
            } else {
                short
            }
        }
    }
}

/// There is no such alternative to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAlternative {
    /// The moment was not recorded.
    Beyond(Beyond),
    /// There are fewer open choices at the moment, or the choice has fewer alternatives left.
    NotLeft,
}

impl std::fmt::Display for NoAlternative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAlternative::Beyond(beyond) => beyond.fmt(f),
            NoAlternative::NotLeft => {
                f.write_str("there is no such alternative left to take at this moment")
            }
        }
    }
}

impl std::error::Error for NoAlternative {}

impl Timeline {
    /// The state at a moment: at the first boundary between two instructions that is not before it.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn scene(&mut self, when: When, detail: &Detail) -> Result<Scene, Beyond> {
        Ok(Scene::of(self.run_at(when)?, detail))
    }

    /// Another timeline, which begins at a moment of this one with an open choice gone back to and another alternative of
    /// it taken. Both are counted as in [`Scene::choices`].
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::{Detail, Recorded, Timeline};
    /// let program = Engine::new().compile("let x = choose(1, 2, 3); print(x);")?;
    /// let mut timeline = Timeline::new(program.run(1));
    /// timeline.record(1000);
    /// let end = timeline.end();
    /// assert_eq!(timeline.scene(end, &Detail::default())?.choices[0].alternatives, ["2", "3"]);
    /// let mut other = timeline.with_alternative(end, 0, 1)?;
    /// assert!(matches!(other.record(1000), Recorded::Solved(solution) if solution.text == "3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the moment was not recorded, or there is no such alternative.
    pub fn with_alternative(
        &mut self,
        when: When,
        choice: usize,
        alternative: usize,
    ) -> Result<Timeline, NoAlternative> {
        let mut run = self.run_at(when).map_err(NoAlternative::Beyond)?.clone();
        if !run.take_alternative(choice, alternative) {
            return Err(NoAlternative::NotLeft);
        }
        Ok(self.continued_by(run, when))
    }
}
