//! The options of the commands.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::seed;

#[derive(Debug, Args)]
pub struct DocOptions {
    /// Names of built-in functions and words such as `choose`; without one, all are listed
    pub names: Vec<String>,
}

pub const RUN_EXAMPLE: &str = "\
Examples:
  ndscript run dungeon.nds puzzle=@level1.txt width=30 --seed 7 --out pictures --stats
  ndscript run map.nds --seed 1 --count 1000 --jsonl=maps.jsonl --out pictures

Exit codes: 0 a solution, 1 no solution, 2 an error, 3 a limit, 130 interrupted. With --count: 2 if any map ended with an
error; else 0 if any is solved; else 3 if any reached a limit; else 1. Folders of outputs are made where they are missing.";

/// What runs: the program, its parameters, and the seed.
#[derive(Debug, Args)]
pub struct ProgramOptions {
    /// The program; `-` is standard input
    pub file: PathBuf,
    /// Values for `param(name, default)`; `name=@FILE` gives the text of a file
    #[arg(value_name = "NAME=VALUE")]
    pub params: Vec<OsString>,
    /// The seed of the random generator, a number or any text; without it a fresh one
    #[arg(long, value_name = "TEXT", value_parser = seed::read, allow_negative_numbers = true)]
    pub seed: Option<u64>,
}

/// Where imported files come from.
#[derive(Clone, Debug, Default, Args)]
pub struct ImportOptions {
    /// A folder with files to import, searched after that of the importing file; may be given several times
    #[arg(long, value_name = "DIR")]
    pub import_path: Vec<PathBuf>,
}

/// Where tiles come from, and how large they are.
#[derive(Clone, Debug, Args)]
pub struct TileOptions {
    /// A folder with tile images, searched after the program's own; may be given several times
    #[arg(long, value_name = "DIR")]
    pub tiles: Vec<PathBuf>,
    /// The width and height of a map's cells in pixels; without it the largest tile decides
    #[arg(long, value_name = "N", value_parser = tile_size, allow_negative_numbers = true)]
    pub tile_size: Option<u32>,
}

/// How a terminal is used.
#[derive(Clone, Copy, Debug, Args)]
pub struct ScreenOptions {
    /// Whether pictures appear in the terminal, and how
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub preview: Preview,
    /// Whether messages are colored; the variable NO_COLOR turns that off, too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

/// How much memory a run may take.
#[derive(Clone, Copy, Debug, Args)]
pub struct MemoryOptions {
    /// Stop when the program uses more memory than this, such as 64M
    #[arg(long, value_name = "SIZE", value_parser = memory_size, allow_negative_numbers = true)]
    pub max_memory: Option<u64>,
}

/// How much a search may take.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitOptions {
    /// Stop after this many steps
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub max_steps: Option<u64>,
    #[command(flatten)]
    pub memory: MemoryOptions,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,
}

#[derive(Debug, Args)]
pub struct RunOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    /// How many solutions to find, each followed by a line `---`
    #[arg(long, value_name = "N|all", value_parser = solution_count, allow_negative_numbers = true)]
    pub solutions: Option<SolutionCount>,
    /// The folder that pictures are written to
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    pub out: PathBuf,
    /// The file of the first picture; the next ones are named after it, as in map-2.png, unless --out is given
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write each picture as SVG, too, beside its PNG file: sharp at any size
    #[arg(long)]
    pub svg: bool,
    /// Write text and pictures in order as one web page, with those that `snapshot` has recorded
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the pictures that `snapshot` has recorded into this folder, in order, with their captions in captions.txt
    #[arg(long, value_name = "DIR", conflicts_with = "count")]
    pub frames: Option<PathBuf>,
    /// Write tile maps with their tiles for the map editor Tiled, as TMX
    #[arg(long, value_name = "FILE")]
    pub tmx: Option<PathBuf>,
    /// Write tile maps with their tiles for the map editor Tiled, as JSON
    #[arg(long, value_name = "FILE")]
    pub tiled_json: Option<PathBuf>,
    #[command(flatten)]
    pub tiles: TileOptions,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub screen: ScreenOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Write the state of a run that is stopped by a limit or Ctrl-C, for `ndscript resume FILE`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Leave out solutions that print, draw and return the same as an earlier one
    #[arg(long)]
    pub distinct: bool,
    #[command(flatten)]
    pub batch: BatchOptions,
    /// Say afterwards what the run took: seed, steps, choice points, failures, depth, time, memory; `json` as one line of
    /// JSON; with --count their means and quartiles
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub stats: Option<StatsForm>,
}

/// Many runs instead of one.
#[derive(Clone, Debug, Default, Args)]
#[group(skip)]
pub struct BatchOptions {
    /// Make this many maps, from the seed, the next one, and so on; pictures are numbered by seed
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true, conflicts_with_all = ["solutions", "png", "save", "race"])]
    pub count: Option<u64>,
    /// With --count, how many work at once; without it as many as there are cores
    #[arg(long, value_name = "J", value_parser = threads, allow_negative_numbers = true, requires = "count")]
    pub jobs: Option<u64>,
    /// Write a line of JSON for each map, to standard output or a file, instead of its text
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", conflicts_with_all = ["solutions", "png", "save", "race"])]
    pub jsonl: Option<PathBuf>,
    /// Search from this many seeds at once, and take the first solution; --stats are those of its run
    #[arg(long, value_name = "J", value_parser = threads, allow_negative_numbers = true, conflicts_with_all = ["solutions", "save"])]
    pub race: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsForm {
    /// A line for each figure
    Text,
    /// One line of JSON
    Json,
}

pub const RESUME_EXAMPLE: &str = "\
Example:
  ndscript run map.nds --timeout 60 --save map.state
  ndscript resume map.state --timeout 600

The state holds the program with what it imports, and its parameters. What was printed is not printed again; all else
is as if the run had never been stopped. Limits count from here. Where it is stopped again, the state is written again.

A state gives no permission: what is written, and which folders with tile images are read, is said here, by --out, --png,
--html and --tiles. Pictures are called after the state, and their numbers go on.

Exit codes: 0 a solution, 1 no solution, 2 an error, 3 a limit, 130 interrupted.";

#[derive(Debug, Args)]
pub struct ResumeOptions {
    /// The state that `ndscript run --save` has written
    pub state: PathBuf,
    /// How many solutions to find in all, each followed by a line `---`; otherwise as the run began
    #[arg(long, value_name = "N|all", value_parser = solution_count, allow_negative_numbers = true)]
    pub solutions: Option<SolutionCount>,
    /// The folder that pictures are written to
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    pub out: PathBuf,
    /// The file of the first picture from here
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write each picture as SVG, too, beside its PNG file: sharp at any size
    #[arg(long)]
    pub svg: bool,
    /// Write text and pictures in order as one web page, with those from before if one was wanted then
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub tiles: TileOptions,
    #[command(flatten)]
    pub screen: ScreenOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Write the state to another file if the run is stopped again
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Say afterwards what the whole run took: seed, steps, choice points, failures, depth, time, memory; `json` as one
    /// line of JSON
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub stats: Option<StatsForm>,
}

pub const REPL_EXAMPLE: &str = "\
Example:
  ndscript repl dungeon.nds --seed 7          the file is the first input; then `:help` says what there is
  ndscript repl < inputs.txt                  inputs and commands from a file

Limits of steps and time count anew for each input.

Exit codes from a file of inputs: those of `ndscript run` for the first input that failed, 0 if none did.";

#[derive(Debug, Args)]
pub struct ReplOptions {
    /// A program to begin with
    pub file: Option<PathBuf>,
    /// Values for `param(name, default)`; `name=@FILE` gives the text of a file
    #[arg(value_name = "NAME=VALUE")]
    pub params: Vec<OsString>,
    /// The seed of the random generator, a number or any text; without it a fresh one, which `:seed` shows
    #[arg(long, value_name = "TEXT", value_parser = seed::read, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub tiles: TileOptions,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub screen: ScreenOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

pub const PLAY_EXAMPLE: &str = "\
Examples:
  ndscript play minesweeper.nds               arrow keys or numbers, enter; left goes back, tab lists all moments
  ndscript play chemist.nds --record game.txt --seed 7
  ndscript play chemist.nds --answers game.txt

A transcript has a line for each answer: the text of an option or its number, or the line that `input` wants.
First may stand `:seed N`, the seed, and lines `:param NAME=VALUE`. `:back` goes back to the question before, `:go N` to moment N, `:pick N`
picks option N whatever the texts are, and `::TEXT` is the answer `:TEXT`. Where no terminal is, the same lines are
read from standard input.

Exit codes: 0 the game came to its end, 1 no solution, 2 an error, 3 a limit, 130 left before the end.";

#[derive(Debug, Args)]
pub struct PlayOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    /// Give the answers of this transcript first
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Write the seed and all answers to this file, as a transcript
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub tiles: TileOptions,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub screen: ScreenOptions,
    #[command(flatten)]
    pub memory: MemoryOptions,
}

pub const WATCH_EXAMPLE: &str = "\
Example:
  ndscript watch map.nds size=20              then change map.nds, or a tile, in an editor

The seed stays the same until a key asks for another. Keys: n the next solution, s a new seed, r again, p writes the pictures, q quits.";

#[derive(Debug, Args)]
pub struct WatchFileOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    /// The folder that pictures are written to
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    pub out: PathBuf,
    #[command(flatten)]
    pub tiles: TileOptions,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
}

pub const TEST_EXAMPLE: &str = "\
Examples:
  ndscript test map.nds --seeds 100           runs the program with 100 seeds, and every test behind each
  ndscript test map.nds --only testPath       only the test of this name

A test is a function whose name begins with `test` and that needs no arguments. It holds if it comes to its end. It does not if
it fails, as by `require(condition, words)`, if it returns false, or if it makes an error.

Exit codes: 0 all tests hold, 1 some do not, 2 a program cannot be tested, 130 interrupted.";

#[derive(Debug, Args)]
pub struct TestOptions {
    /// The programs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run only the test of this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// How many seeds
    #[arg(long, value_name = "N", value_parser = positive, default_value = "10", allow_negative_numbers = true)]
    pub seeds: u64,
    /// The first of them
    #[arg(long, value_name = "TEXT", value_parser = seed::read, default_value = "1", allow_negative_numbers = true)]
    pub seed: u64,
    #[command(flatten)]
    pub tiles: TileOptions,
    #[command(flatten)]
    pub imports: ImportOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Write the results to standard output, one JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Write the results as JUnit's XML, which servers that run tests read
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Whether messages are colored; the variable NO_COLOR turns that off, too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

pub const TILES_EXAMPLE: &str = "\
Examples:
  ndscript tiles                              the built-in tiles, with their names
  ndscript tiles --colors --html tiles.html   with all colors, as a web page
  ndscript tiles --tiles art --png tiles.png  with the images in a folder, as a picture";

#[derive(Debug, Args)]
pub struct TileListOptions {
    /// A folder whose tile images are shown as well; may be given several times
    #[arg(long, value_name = "DIR")]
    pub tiles: Vec<PathBuf>,
    /// Show all names of colors as well
    #[arg(long)]
    pub colors: bool,
    /// The width and height of tiles in pixels; without it the largest tile decides
    #[arg(long, value_name = "N", value_parser = tile_size, allow_negative_numbers = true)]
    pub tile_size: Option<u32>,
    /// Write them as a picture
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Write them as an SVG drawing
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write them as a web page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub screen: ScreenOptions,
}

#[derive(Debug, Args)]
pub struct NewOptions {
    /// The name of the program, with its folder if it is to lie in another one; its file is NAME.nds
    pub name: String,
}

#[derive(Debug, Args)]
pub struct CompletionsOptions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManOptions {
    /// A command; without one the page is about all
    pub command: Option<String>,
}

pub const FMT_EXAMPLE: &str = "\
Examples:
  ndscript fmt map.nds
  ndscript fmt --check examples

With --check nothing is written: programs that are not in form are named, and the exit code is 1. A program with syntax
errors is left alone: 2.";

#[derive(Debug, Args)]
pub struct FmtOptions {
    /// The programs, or folders with programs (`.nds`)
    #[arg(required_unless_present = "stdin", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, but name the programs that would change
    #[arg(long)]
    pub check: bool,
    /// Format standard input to standard output
    #[arg(long, conflicts_with = "files")]
    pub stdin: bool,
    /// Whether messages are colored; the variable NO_COLOR turns that off, too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

pub const LSP_EXAMPLE: &str = "\
An editor starts it and talks with it over standard input and output, by the Language Server Protocol. What it needs to be
told stands in the page on editors.";

#[derive(Debug, Args)]
pub struct LspOptions {
    /// Functions of a host, as `Engine::description` writes them
    #[arg(long, value_name = "FILE")]
    pub host: Option<PathBuf>,
    #[command(flatten)]
    pub imports: ImportOptions,
    /// What many editors say by themselves: there is no other way to talk
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Debug, Args)]
pub struct CheckOptions {
    /// The programs; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write what is found to standard output, one JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Write what is found as a log of SARIF 2.1.0, which code hosts show beside the lines
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    #[command(flatten)]
    pub imports: ImportOptions,
    /// Whether messages are colored; the variable NO_COLOR turns that off, too
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

pub const DAP_EXAMPLE: &str = "\
An editor starts this, and talks to it by the Debug Adapter Protocol. A launch names `program`, and may have `seed`, `params` (an
object), `tiles` and `importPath` (folders), `maxSteps` and `stopOnEntry`. Ready configurations are in the folder `editors`.";

#[derive(Debug, Args)]
pub struct DapOptions {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preview {
    /// On a terminal, with pixels where it is known to show them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
    /// As blocks of two pixels a character
    Blocks,
    /// With pixels, as kitty and Ghostty show them
    Kitty,
    /// With pixels, as iTerm and WezTerm show them
    Iterm,
    /// With pixels, as sixels
    Sixel,
}

/// How many solutions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionCount {
    AtMost(u64),
    All,
}

impl SolutionCount {
    /// Whether the search is over after this number of solutions.
    pub fn is_reached(self, found: u64) -> bool {
        matches!(self, SolutionCount::AtMost(most) if found >= most)
    }
}

pub fn whole_number(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

pub fn positive(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("expected a whole number from 1 to {}", u64::MAX))
}

/// A batch or a race has at most this many threads.
const MOST_THREADS: u64 = 1000;

fn threads(text: &str) -> Result<u64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=MOST_THREADS).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MOST_THREADS}"))
}

/// The largest cells that a map is drawn with, in pixels.
const LARGEST_TILE: u32 = 1024;

fn tile_size(text: &str) -> Result<u32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=LARGEST_TILE).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {LARGEST_TILE}"))
}

pub fn solution_count(text: &str) -> Result<SolutionCount, String> {
    if text == "all" {
        return Ok(SolutionCount::All);
    }
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a number of at least 1, or `all`".to_string()),
        Ok(most) => Ok(SolutionCount::AtMost(most)),
    }
}

/// Reads a number of bytes such as `64M`.
fn memory_size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes such as 500000, 64M or 2G".to_string();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number
        .checked_mul(1 << shift)
        .filter(|size| *size > 0)
        .ok_or_else(wrong)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text
        .parse()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    let words = || {
        format!(
            "expected a number of seconds, such as 2.5, above 0 and at most {}",
            u64::MAX
        )
    };
    number.filter(|time| !time.is_zero()).ok_or_else(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            ["7", "64M", "64mb", "2GiB", "1k"].map(memory_size),
            [7, 64 << 20, 64 << 20, 2 << 30, 1024].map(Ok)
        );
        for text in ["", "M", "0", "-1", "1.5M", "5T", "99999999999G"] {
            assert!(memory_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_positive() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(
            ["0", "-1", "x", "inf", "NaN", "1e300"]
                .iter()
                .all(|text| seconds(text).is_err())
        );
    }
}
