//! Searches as components.

use std::time::Instant;

use bevy_asset::{AssetEvent, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::prelude::*;
use bevy_platform::cell::SyncCell;
use ndscript::{Data, Outcome, Param, Question, Run, Solution};

use crate::{NdProgram, SearchTime};

/// The steps of a slice: the clock is looked at after each.
const SLICE: u64 = 2_000;

/// A program that looks for a solution, in a part of each frame.
///
/// What comes of it are events of its entity: [`Solved`], [`Asked`] and [`Stopped`]. Removing the component or despawning
/// the entity ends the search.
#[derive(Component)]
pub struct Search {
    program: Handle<NdProgram>,
    seed: u64,
    parameters: Vec<(String, Param)>,
    /// In a cell since a run may not be looked at by two threads at once.
    run: Option<SyncCell<Run>>,
    rests: bool,
}

/// A solution was found. The search rests; [`Search::next`] looks for another one.
#[derive(EntityEvent)]
pub struct Solved {
    /// The entity of the search.
    pub entity: Entity,
    /// What the program printed and returned. What it left in its variables, the run of the search has: see
    /// [`Search::run`] and [`Run::view_global`].
    pub solution: Solution,
}

/// The program asks somebody. The search rests until [`Search::answer`] or [`Search::answer_line`].
#[derive(EntityEvent)]
pub struct Asked {
    /// The entity of the search.
    pub entity: Entity,
    /// The question.
    pub question: Question,
}

/// The search has ended without another solution.
#[derive(EntityEvent)]
pub struct Stopped {
    /// The entity of the search.
    pub entity: Entity,
    /// Why.
    pub why: Why,
}

/// Why a search has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// There is no solution, or none after those that were found; the text is the last reason that the program gave for
    /// a failure.
    Failed(Option<String>),
    /// The program could not be loaded, has no such parameter or made an error, with its place, or a limit was reached.
    Error(String),
}

impl Search {
    /// Of a program, by a seed: equal seeds and parameters give equal solutions.
    pub fn new(program: Handle<NdProgram>, seed: u64) -> Search {
        Search {
            program,
            seed,
            parameters: Vec::new(),
            run: None,
            rests: false,
        }
    }

    /// Gives `param(name, default)` a value.
    pub fn with(mut self, name: &str, value: impl Into<Data>) -> Search {
        let value = Param::Data(value.into());
        self.parameters.push((name.to_string(), value));
        self
    }

    /// Looks for the next solution, after [`Solved`].
    pub fn next(&mut self) {
        self.rests = false;
    }

    /// Answers a question with one of its options, counted from 0. False if there is no such question or option.
    pub fn answer(&mut self, option: usize) -> bool {
        let is_taken = self.run().is_some_and(|run| run.answer(option));
        self.rests &= !is_taken;
        is_taken
    }

    /// Answers a question that has no options. False if there is no such question.
    pub fn answer_line(&mut self, line: &str) -> bool {
        let is_taken = self.run().is_some_and(|run| run.answer_text(line));
        self.rests &= !is_taken;
        is_taken
    }

    /// The run, once the program is loaded: for its variables, its statistics, its best solution so far, calls of its functions, or to
    /// save it.
    pub fn run(&mut self) -> Option<&mut Run> {
        self.run.as_mut().map(SyncCell::get)
    }

    /// Whether it is neither solved nor waiting nor at its end.
    pub fn is_searching(&self) -> bool {
        !self.rests
    }

    /// A slice of its work; what comes of it, if it comes to something.
    fn resume(
        &mut self,
        entity: Entity,
        programs: &Assets<NdProgram>,
        server: &AssetServer,
    ) -> Slice {
        if self.run.is_none() {
            let Some(program) = programs.get(&self.program) else {
                return match server.load_state(&self.program) {
                    LoadState::Failed(error) => self.stopped(entity, Why::Error(error.to_string())),
                    _ => Slice::Waits,
                };
            };
            let names = self.parameters.iter().map(|(name, _)| name.as_str());
            let unknown = program.0.unknown_parameters(names);
            if !unknown.is_empty() {
                return self.stopped(entity, Why::Error(unknown.join("\n")));
            }
            let run = program.0.run_with(self.seed, &self.parameters);
            self.run = Some(SyncCell::new(run));
        }
        let Some(run) = self.run.as_mut().map(SyncCell::get) else {
            return Slice::Waits;
        };
        match run.resume(SLICE) {
            Outcome::OutOfFuel => Slice::Searches,
            // The host's function is at work elsewhere.
            Outcome::Waiting(_) => Slice::Waits,
            Outcome::Solved(solution) => {
                self.rests = true;
                Slice::Solved(Solved { entity, solution })
            }
            Outcome::Asked(question) => {
                self.rests = true;
                Slice::Asked(Asked { entity, question })
            }
            Outcome::Failed => {
                let why = Why::Failed(run.failure_message().map(str::to_string));
                self.stopped(entity, why)
            }
            Outcome::Error(error) => self.stopped(entity, Why::Error(error.to_string())),
            Outcome::Limit(limit) => self.stopped(entity, Why::Error(limit.to_string())),
        }
    }

    fn stopped(&mut self, entity: Entity, why: Why) -> Slice {
        self.rests = true;
        Slice::Stopped(Stopped { entity, why })
    }
}

/// What came of a slice.
enum Slice {
    /// It has more to do.
    Searches,
    /// It can do nothing in this frame.
    Waits,
    Solved(Solved),
    Asked(Asked),
    Stopped(Stopped),
}

/// Gives all searches slices in turn, as long as the time of the frame lasts.
pub(crate) fn search(
    mut searches: Query<(Entity, &mut Search)>,
    mut changes: MessageReader<AssetEvent<NdProgram>>,
    programs: Res<Assets<NdProgram>>,
    server: Res<AssetServer>,
    time: Res<SearchTime>,
    mut turn: Local<usize>,
    mut commands: Commands,
) {
    for change in changes.read() {
        if let AssetEvent::Modified { id } = change {
            for (_, mut search) in &mut searches {
                if search.program.id() == *id {
                    (search.run, search.rests) = (None, false);
                }
            }
        }
    }
    let until = Instant::now() + time.0;
    let mut active: Vec<(Entity, Mut<Search>)> = searches
        .iter_mut()
        .filter(|(_, search)| search.is_searching())
        .collect();
    // Another one is first in every frame, so that none is left out where the time is short.
    while !active.is_empty() && Instant::now() < until {
        *turn = (*turn + 1) % active.len();
        let (entity, search) = &mut active[*turn];
        match search.resume(*entity, &programs, &server) {
            Slice::Searches => continue,
            Slice::Waits => {}
            Slice::Solved(event) => commands.trigger(event),
            Slice::Asked(event) => commands.trigger(event),
            Slice::Stopped(event) => commands.trigger(event),
        }
        active.swap_remove(*turn);
    }
}
