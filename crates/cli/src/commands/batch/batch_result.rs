//! A map of a batch, or why there is none.

use std::path::PathBuf;
use std::time::Duration;

use ndscript::{ScriptError, Statistics};
use ndscript_render::html::Piece;

use crate::exit::Exit;

/// How a map ended.
pub enum Ending {
    Solved,
    /// With the last reason that was given.
    NoSolution(Option<String>),
    Error(Box<ScriptError>),
    /// A limit, or something that a batch cannot do, in words.
    Stopped(Exit, String),
    Cancelled,
}

/// A map, or why there is none.
pub struct BatchResult {
    pub seed: u64,
    pub ending: Ending,
    /// Cost of the best result found before stopping; other fields describe it.
    pub best: Option<f64>,
    /// The text that it printed, unless that is in its line of JSON.
    pub text: String,
    /// Its line of JSON, if one is wanted.
    pub line: Vec<u8>,
    /// Pictures and maps, under the names that they are to have.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The number of pictures among them.
    pub pictures: u64,
    /// Its pieces for the web page, if one is wanted.
    pub pieces: Vec<Piece>,
    pub figures: Statistics,
    /// The counts of the program by `tally`, if they are shown.
    pub tallies: Vec<(String, f64)>,
    pub time: Duration,
    /// A hash of what it shows, if it is to be compared with others.
    pub fingerprint: [u8; 32],
}

impl BatchResult {
    pub fn is_solved(&self) -> bool {
        matches!(self.ending, Ending::Solved)
    }

    /// The bytes that it owns while it waits for maps of earlier seeds.
    pub fn bytes(&self) -> usize {
        let files = self
            .files
            .iter()
            .map(|(_, bytes)| bytes.len())
            .sum::<usize>();
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Image { png, .. } => png.len(),
        });
        let tallies = self
            .tallies
            .iter()
            .map(|(name, _)| name.len() + size_of::<(String, f64)>());
        self.text.len() + self.line.len() + files + pieces.sum::<usize>() + tallies.sum::<usize>()
    }

    pub fn exit(&self) -> Exit {
        match &self.ending {
            Ending::Solved => Exit::Success,
            Ending::NoSolution(_) => Exit::NoSolution,
            Ending::Error(_) => Exit::Error,
            Ending::Stopped(exit, _) => *exit,
            Ending::Cancelled => Exit::Interrupted,
        }
    }

    /// Why there is no map, in a line.
    pub fn in_words(&self) -> String {
        match &self.ending {
            Ending::Solved => "solved".to_string(),
            Ending::NoSolution(None) => "no solution".to_string(),
            Ending::NoSolution(Some(reason)) => {
                format!("no solution: {}", reason.lines().next().unwrap_or_default())
            }
            Ending::Error(error) => error.diagnostic.message.clone(),
            Ending::Stopped(_, words) => words.lines().next().unwrap_or_default().to_string(),
            Ending::Cancelled => "interrupted".to_string(),
        }
    }
}
