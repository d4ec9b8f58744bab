//! The options of the commands that show how a search went, or walk through it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ndscript::When as Moment;

use super::options::{
    ImportOptions, LimitOptions, MemoryOptions, ProgramOptions, SolutionCount, When, positive,
    solution_count, whole_number,
};
use super::seed;

pub const TRACE_EXAMPLE: &str = "\
Examples:
  ndscript trace map.nds --seed 7 --only choice,take,fail       how the search went
  ndscript trace map.nds --seed 7 --watch 'map[3, 4]'           what happened to a cell
  ndscript trace map.nds --seed 7 --json > map.jsonl            all of it, for other programs

A line has the moment, the line of the program and what happened, indented by the choices that are open. A moment is a step, or
`172.3`: three instructions behind step 172. `--from`, `ndscript why --at` and `go` of `ndscript debug` take it. In JSON it is
`step` and, if there is one, `inside`.

Exit codes: those of `ndscript run`.";

/// What a watched program runs with, apart from its parameters.
#[derive(Clone, Debug, Args)]
pub struct WatchedRunOptions {
    /// How many solutions to look for
    #[arg(long, value_name = "N|all", value_parser = solution_count, allow_negative_numbers = true)]
    pub solutions: Option<SolutionCount>,
    /// A folder with tile images, searched after the program's own; may be given several times
    #[arg(long, value_name = "DIR")]
    pub tiles: Vec<PathBuf>,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Whether messages are colored; the variable NO_COLOR turns that off, too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

/// What is watched: a program with its limits.
#[derive(Debug, Args)]
pub struct WatchOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    #[command(flatten)]
    pub run: WatchedRunOptions,
}

/// What may happen in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EventKind {
    /// A choice point is made
    Choice,
    /// An alternative is tried
    Take,
    /// A branch dies
    Fail,
    /// A variable, element, field or cell gets a value
    Write,
    /// Text is printed
    Print,
    /// A picture is printed
    Picture,
    /// A function is called
    Enter,
    /// A function returns
    Leave,
    /// The end of the program is reached
    Solution,
    /// The run ends
    End,
}

#[derive(Debug, Args)]
pub struct TraceOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// Only events of these kinds, with commas between them; without it all but calls
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub only: Vec<EventKind>,
    /// Of what is written, only this variable or place, such as `map[3, 4]`; may be given several times
    #[arg(long, value_name = "PLACE")]
    pub watch: Vec<String>,
    /// Begin at this moment: a step, such as `1234`, or `1234.5` as other commands show it
    #[arg(long, value_name = "STEP", value_parser = moment, allow_negative_numbers = true)]
    pub from: Option<Moment>,
    /// End behind this moment; the run goes no further, so there is no event `end` then
    #[arg(long, value_name = "STEP", value_parser = moment, allow_negative_numbers = true)]
    pub to: Option<Moment>,
    /// One JSON object a line, with all events
    #[arg(long)]
    pub json: bool,
}

pub const PROFILE_EXAMPLE: &str = "\
Examples:
  ndscript profile map.nds --seed 7                     the lines and functions that cost most
  ndscript profile map.nds --seed 7 --source            the program with what each line costs
  ndscript profile map.nds --seed 7 --svg flames.svg    a flame graph of the calls

Steps are exact: those of a built-in belong to the line that calls it. Time is measured in another run of the same seed, by
looking every few thousand steps where it stands. Undone are the writes that were taken back when a guess was.

Exit codes: those of `ndscript run`.";

#[derive(Debug, Args)]
pub struct ProfileOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// Show the text of the program with what each line costs
    #[arg(long)]
    pub source: bool,
    /// Write a flame graph of the calls, as wide as their steps
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the calls for speedscope (https://www.speedscope.app)
    #[arg(long, value_name = "FILE")]
    pub speedscope: Option<PathBuf>,
}

pub const HINT_EXAMPLE: &str = "\
Examples:
  ndscript hint examples/sudoku/hint.nds --png hint.png
  ndscript hint examples/games/hint.nds field=@field.txt mines=10
  ndscript hint examples/dungeons/hint.nds puzzle=@puzzle.txt

The program has a function `hintPuzzle()`. It returns an object: `board`, a grid whose open cells hold sets or null; `reasons`,
an array of {text, places}; `solve(numbers, place, value)`, which returns a filled grid that keeps the reasons with these
numbers and does not hold the value at the place, or fails if there is none (place and value may be null); and `name(place)`,
if places have names.

Reasons are left out as long as what is left forces the place. What nobody can answer within a number of steps is not said.

Exit codes: 0 something is forced, 1 nothing is, or there is no solution, 2 an error, 3 a limit, 130 interrupted.";

#[derive(Debug, Args)]
pub struct HintOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// Draw the board with the place, and the places of the reasons
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write the hint as JSON
    #[arg(long)]
    pub json: bool,
    /// The width and height of a cell in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), allow_negative_numbers = true)]
    pub tile_size: Option<u32>,
}

pub const ANIMATE_EXAMPLE: &str = "\
Examples:
  ndscript animate map.nds --seed 7 --gif map.gif               how the map comes to be
  ndscript animate sudoku.nds --watch board --html sudoku.html  a page to go through it step by step
  ndscript animate map.nds --seed 7 --frames pictures --fps 5   as PNG files

Every candidate of a cell stands at its own spot in it, and goes when it is ruled out. The cell that was guessed is framed,
a failure flashes red, and what comes back then is framed blue. A long search keeps as many frames as --max-frames allows.

Exit codes: those of `ndscript run`.";

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("animation").required(true).multiple(true).args(["gif", "apng", "html", "frames"]))]
pub struct AnimateOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// The variable with the grid, of the program or of a function; without it the first of the program that holds sets
    #[arg(long, value_name = "NAME")]
    pub watch: Option<String>,
    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    pub gif: Option<PathBuf>,
    /// Write an animated PNG
    #[arg(long, value_name = "FILE")]
    pub apng: Option<PathBuf>,
    /// Write a page on which one can go through the search, forward and back
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write each frame as a PNG file into this folder
    #[arg(long, value_name = "DIR")]
    pub frames: Option<PathBuf>,
    /// One frame every this many events of the search
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive, allow_negative_numbers = true)]
    pub every: u64,
    /// At most this many frames; those of a longer search are thinned out evenly
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(3..=100_000), allow_negative_numbers = true)]
    pub max_frames: u32,
    /// Frames in a second
    #[arg(long, value_name = "N", default_value = "10", value_parser = frames_per_second, allow_negative_numbers = true)]
    pub fps: f64,
    /// The width and height of a cell in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), allow_negative_numbers = true)]
    pub tile_size: Option<u32>,
}

pub const EXPLAIN_EXAMPLE: &str = "\
Examples:
  ndscript explain map.nds --seed 7                     why it has no solution
  ndscript explain map.nds --seed 7 --timeout 10        what it spends its time on

It counts which lines failed and with what words, where was chosen how often, and shows the branch that came deepest.

With --solve it tells, for each board with constraints that a variable of the program holds at its first solution, the steps by
which a person could find that solution, the simplest first, and how hard they are: `ndscript doc steps`, `ndscript doc difficulty`.

  ndscript explain --solve sudoku.nds                              in words
  ndscript explain --solve make.nds --seed 1 --count 6 --html booklet.html

--html makes a booklet: the puzzles first, behind them each solution as pictures with the sentences, for a browser to show and to print.

Exit codes: those of `ndscript run`.";

#[derive(Debug, Args)]
pub struct ExplainOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// Tell the way that a person could take to the solution of each board, from its rules alone
    #[arg(long)]
    pub solve: bool,
    /// With --solve: tell the plain steps, too
    #[arg(long, requires = "solve")]
    pub all: bool,
    /// With --solve: write an object for each board: its steps, its difficulty, what places could hold at first, and the rules
    #[arg(long, requires = "solve", conflicts_with = "html")]
    pub json: bool,
    /// With --solve: the board in this variable alone
    #[arg(long, value_name = "NAME", requires = "solve")]
    pub board: Option<String>,
    /// With --solve: write a booklet of puzzles with their solutions in pictures, for print
    #[arg(long, value_name = "FILE", requires = "solve")]
    pub html: Option<PathBuf>,
    /// With --html: puzzles from this many seeds: the seed, the next one, and so on
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true, requires = "html")]
    pub count: Option<u64>,
    /// With --html: the heading
    #[arg(long, value_name = "TEXT", requires = "html")]
    pub title: Option<String>,
    /// With --html: the grid in this variable has what is to stand in the cells, such as numbers of mines
    #[arg(long, value_name = "NAME", requires = "html")]
    pub clues: Option<String>,
    /// With --html: the array in this variable has what is to stand beside the rows
    #[arg(long, value_name = "NAME", requires = "html")]
    pub rows: Option<String>,
    /// With --html: the same above the columns
    #[arg(long, value_name = "NAME", requires = "html")]
    pub columns: Option<String>,
}

pub const SOLVE_EXAMPLE: &str = "\
Examples:
  ndscript solve hitori.nds --seed 7                       none, exactly one, or more than one
  ndscript solve hitori.nds --seed 7 --proof hitori.proof  and a proof of it
  ndscript verify hitori.proof hitori.nds                  whether the proof is of this board, and holds
  python3 tools/check_proof.py hitori.proof                the same by another program, without the board

The board is the one for which the program is about to guess first by `decide`, as it is then: what places can hold, what the
program has assigned, and the constraints. If the program fails or ends before, it is the one that a variable holds, or that of
--board. Its constraints must not be functions: what a function says nobody can check without running it.

Exit codes: 0 there is a solution, 1 there is none, 2 an error, 3 a limit, 130 interrupted.";

#[derive(Debug, Args)]
pub struct SolveOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// Write a proof of what was found out
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// The variable that holds the board
    #[arg(long, value_name = "NAME")]
    pub board: Option<String>,
}

pub const VERIFY_EXAMPLE: &str = "\
Example:
  ndscript verify hitori.proof hitori.nds

The program is run up to the board, with the seed that the proof names and the parameters that are given here. The board must be
the one that the proof is about, and each step of the proof is checked by what the constraints mean; nothing is searched.

Exit codes: 0 the proof holds, 1 it does not or is about another board, 2 an error, 3 a limit, 130 interrupted.";

#[derive(Debug, Args)]
pub struct VerifyOptions {
    /// The proof
    pub proof: PathBuf,
    /// The program
    pub file: PathBuf,
    /// Values for `param(name, default)`; `name=@FILE` gives the text of a file
    #[arg(value_name = "NAME=VALUE")]
    pub params: Vec<OsString>,
    /// The seed of the random generator; without it that of the proof
    #[arg(long, value_name = "TEXT", value_parser = seed::read, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The variable that holds the board
    #[arg(long, value_name = "NAME")]
    pub board: Option<String>,
    #[command(flatten)]
    pub run: WatchedRunOptions,
}

pub const DEBUG_EXAMPLE: &str = "\
Example:
  ndscript debug map.nds --seed 7             then `fail` runs to the first failure, `back over` goes a line back

Commands come from the terminal or, line by line, from standard input; `help` lists them. One seed gives one run, so any moment
of it can be gone back to. Without --seed a fresh one is drawn and shown.

Exit codes: 0, or 2 if the program has mistakes.";

#[derive(Debug, Args)]
pub struct DebugOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    /// A folder with tile images, searched after the program's own; may be given several times
    #[arg(long, value_name = "DIR")]
    pub tiles: Vec<PathBuf>,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub memory: MemoryOptions,
    /// The run ends after this many steps
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub max_steps: Option<u64>,
    /// Whether the screen is drawn anew at each command; else what has changed is written below
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub screen: When,
    /// Whether messages are colored; the variable NO_COLOR turns that off, too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

pub const WHY_EXAMPLE: &str = "\
Examples:
  ndscript why sudoku.nds 'g[3,4]' --seed 7            the writes that led to what the cell holds at the end
  ndscript why map.nds 'map[0, 5]' --seed 7 --at 1234 --png why.png

A line for each write to the place: its line, the value, the candidates that were lost; below it what it came from, back to the
guesses. What a write came from is what the same turn of its loop, or else the calls around it, have read; of constraints,
what they had changed before. `(step 495)` is the moment behind a write: `ndscript debug`, then `go 495`, shows it.

In the picture of --png the place itself has a green frame, guesses a yellow one and what came before an orange one; an arrow
leads from what was written to what came of it.

Exit codes: 0 it is about a solution, or about the moment of --at; else it is about the last moment of the run, and they are
those of `ndscript run`; 2 also if there is no such place or moment.";

#[derive(Debug, Args)]
pub struct WhyOptions {
    /// The program; `-` is standard input
    pub file: PathBuf,
    /// A variable or a part of one: `g[3,4]`, `o.name`, `list[2]`
    pub place: String,
    /// Values for `param(name, default)`; `name=@FILE` gives the text of a file
    #[arg(value_name = "NAME=VALUE")]
    pub params: Vec<OsString>,
    /// The seed of the random generator, a number or any text; without it a fresh one
    #[arg(long, value_name = "TEXT", value_parser = seed::read, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The moment that is asked about; without it the end of the last solution, or of the run
    #[arg(long, value_name = "STEP")]
    pub at: Option<String>,
    /// Draw the map of a cell, with arrows from what it came from
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    #[command(flatten)]
    pub around: WatchedRunOptions,
}

pub const TREE_EXAMPLE: &str = "\
Examples:
  ndscript tree queens.nds --seed 7                     the tree as text
  ndscript tree queens.nds --seed 7 --html tree.html    a page to click through
  ndscript tree queens.nds --dot tree.dot               for Graphviz
  ndscript tree queens.nds --cp-profiler localhost:6565 for a CP-Profiler that runs
  ndscript tree map.nds --seed 7 --diff 8               where the runs of two seeds part
  ndscript tree map.nds --seed 7 --diff other.nds       the same of two programs, with one seed

Subtrees that failed, and chains of single alternatives, are folded; the page unfolds them. It shows the text, the changes
and the map at each node that is clicked.

With --diff, `=` stands before what both runs have tried, `<` before what only the first has, `>` before what only the second
has. Alternatives are the same if the same was chosen behind the same choices.

Exit codes: those of `ndscript run`.";

#[derive(Debug, Args)]
pub struct TreeOptions {
    #[command(flatten)]
    pub watched: WatchOptions,
    /// Write the tree as a web page of its own
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The variable whose grid the page shows at each node; without it the one that the search is about
    #[arg(long, value_name = "NAME", requires = "html")]
    pub watch: Option<String>,
    /// Write the tree as a drawing
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the tree for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Write the tree for speedscope (https://www.speedscope.app): choices that lie inside of one another
    #[arg(long, value_name = "FILE")]
    pub speedscope: Option<PathBuf>,
    /// Write the tree as JSON to standard output
    #[arg(long)]
    pub json: bool,
    /// Compare with the run of another seed, or of another program: one tree of both, which says where they part
    #[arg(long, value_name = "SEED|FILE", conflicts_with = "speedscope")]
    pub diff: Option<PathBuf>,
    /// Keep this many nodes; beyond that, subtrees that failed are folded as soon as they are finished, and the run stops
    /// where the others are more than twice as many and 10,000
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub nodes: u32,
}

fn moment(text: &str) -> Result<Moment, String> {
    text.parse()
}

fn frames_per_second(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &f64| (0.1..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.1 to 100".to_string())
}
