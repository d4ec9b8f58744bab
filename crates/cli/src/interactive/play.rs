//! `ndscript play`: a program that asks, played by a person who can go back to any earlier moment.

mod answer;
mod click;
mod journey;
mod line;
mod menu;
mod player;
mod show;
mod transcript;

use std::io::{self, IsTerminal};
use std::path::Path;

use ndscript::tiles::Tiles;
use ndscript::{Engine, LimitReached, Limits, Outcome, Program, Question};

use crate::arguments::options::PlayOptions;
use crate::arguments::{limits, params};
use crate::commands::run;
use crate::exit::{Exit, Stop};
use crate::files::imports::{FileImports, source_limit};
use crate::files::{self, Bounds, FolderTiles};
use crate::terminal::interrupt;
use crate::terminal::{self, say};
use answer::Move;
use journey::Journey;
use player::Player;
use show::Show;
use transcript::{Recorder, Transcript};

pub use menu::{GoBack, Key, Menu};

/// A game in progress.
struct Game<'a> {
    program: Program,
    color: bool,
    journey: Journey,
    show: Show,
    transcript: Transcript,
    recorder: Option<Recorder<'a>>,
}

/// The decision at an end, of the person or the transcript.
enum AtEnd {
    Stay,
    WentBack,
}

/// Plays a program as the options say.
pub fn play(options: &PlayOptions) -> Result<Exit, Stop> {
    if files::is_standard_input(&options.program.file) && options.answers.is_none() {
        return Err(Stop::error(
            "the program cannot come from standard input, from where the answers come",
        ));
    }
    let memory = options.memory.max_memory;
    let bounds = Bounds::new(memory, None);
    let mut params = params::read_all(&options.program.params, bounds)?;
    let color = terminal::colors_messages(options.screen.color);
    let transcript = match &options.answers {
        Some(path) => Transcript::read(path)?,
        None => Transcript::default(),
    };
    // The command line takes precedence over the transcript.
    let recorded = transcript
        .params
        .iter()
        .filter(|(name, _)| params.iter().all(|(given, _)| given != name));
    let recorded: Vec<_> = recorded.cloned().collect();
    params.extend(recorded);
    let text = files::read_program(&options.program.file, bounds)?;
    let folders = std::iter::once(files::folder_of(&options.program.file))
        .chain(options.tiles.tiles.iter().cloned());
    let tiles = Tiles::new(FolderTiles::new(folders)?.within(memory));
    let imports = FileImports::new(
        files::folder_of(&options.program.file),
        &options.imports.import_path,
        memory,
    )?;
    let limits = Limits {
        memory: run::memory_limit(memory),
        source: source_limit(memory),
        ..Limits::default()
    };
    let engine = Engine::new()
        .with_limits(limits)
        .with_tiles(tiles.clone())
        .with_imports(imports)
        .with_debug(say);
    let program = match engine.compile_named(&files::shown_name(&options.program.file), &text) {
        Ok(program) => program,
        Err(error) => {
            error
                .diagnostics
                .iter()
                .for_each(|each| terminal::show(each, &error.sources, color));
            return Ok(Exit::Error);
        }
    };
    params::warn_of_unknown(&params, &program);
    let seed = match options.program.seed.or(transcript.seed) {
        Some(seed) => seed,
        None => run::fresh_seed()?,
    };
    let start = program.run_with(seed, &params);
    interrupt::watch(start.cancel_token());
    let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut game = Game {
        program,
        color,
        journey: Journey::new(start),
        show: Show::new(options, tiles),
        transcript,
        recorder: options
            .record
            .as_deref()
            .map(|path: &Path| Recorder::new(path, seed, &params)),
    };
    let result = game.play(&mut Player::new(on_terminal));
    // The answers so far are worth saving, however it ended.
    let recorded = game.record();
    let exit = result?;
    recorded?;
    Ok(if interrupt::pressed() {
        Exit::Interrupted
    } else {
        exit
    })
}

impl Game<'_> {
    /// Plays until the end, or until the player leaves.
    fn play(&mut self, player: &mut Player) -> Result<Exit, Stop> {
        loop {
            let exit = match self.journey.resume() {
                Outcome::Waiting(_) => return Err(Stop::error(crate::arguments::limits::WAITS)),
                Outcome::Asked(question) => {
                    let options = question.options.as_ref().map_or(0, Vec::len);
                    self.show.put(
                        &question.text,
                        &question.pictures,
                        menu::lines(&question.prompt, options),
                    )?;
                    if let Some(exit) = self.ask(player, &question)? {
                        return Ok(exit);
                    }
                    continue;
                }
                Outcome::Solved(solution) => {
                    self.show
                        .put(&solution.text, &solution.pictures, menu::lines("", 2))?;
                    Exit::Success
                }
                Outcome::Failed => {
                    terminal::no_solution(self.journey.failure_message());
                    Exit::NoSolution
                }
                Outcome::Error(error) => {
                    terminal::show(&error.diagnostic, self.program.sources(), self.color);
                    Exit::Error
                }
                Outcome::Limit(LimitReached::Cancelled) => {
                    say("interrupted");
                    return Ok(Exit::Interrupted);
                }
                Outcome::Limit(limit) => {
                    terminal::complain(&limits::in_words(limit));
                    Exit::Limit
                }
                // The journey grants all the fuel that there is.
                Outcome::OutOfFuel => continue,
            };
            if let AtEnd::Stay = self.end(player, exit)? {
                return Ok(exit);
            }
        }
    }

    /// One question: the exit code if the person leaves.
    fn ask(&mut self, player: &mut Player, question: &Question) -> Result<Option<Exit>, Stop> {
        self.show.before_question()?;
        let next = match self.transcript.next(question, self.journey.len())? {
            Some(next) => {
                player.echo(question, &next);
                next
            }
            None => player.ask(question, &self.journey, self.show.target())?,
        };
        self.show.passed(player.take_rows());
        match next {
            Move::Answer(answer) => {
                self.journey.answer(question, answer);
                if self.transcript.is_over() {
                    self.record()?;
                }
            }
            Move::GoTo(moment) => self.go_to(moment),
            Move::Quit => return Ok(Some(Exit::Interrupted)),
        }
        Ok(None)
    }

    /// Asks at the end whether to leave or to go back.
    fn end(&mut self, player: &mut Player, exit: Exit) -> Result<AtEnd, Stop> {
        self.record()?;
        self.show.before_question()?;
        let next = match self.transcript.after_the_end(self.journey.len())? {
            Some(next) => Some(next),
            None => player.at_end(exit, &self.journey)?,
        };
        self.show.passed(player.take_rows());
        match next {
            Some(Move::GoTo(moment)) => {
                self.go_to(moment);
                Ok(AtEnd::WentBack)
            }
            _ => {
                self.show.end()?;
                Ok(AtEnd::Stay)
            }
        }
    }

    fn go_to(&mut self, moment: usize) {
        say(&format!("-- back at moment {} --", moment + 1));
        self.show.passed(1);
        self.journey.go_to(moment);
    }

    fn record(&self) -> Result<(), Stop> {
        match &self.recorder {
            Some(recorder) => recorder.write(self.journey.lines()),
            None => Ok(()),
        }
    }
}
