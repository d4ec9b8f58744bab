//! The results of reading texts.

use std::sync::Arc;

use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::{SourceFile, Sources};
use ndscript_syntax::ast::Script;

/// The tree of a text as far as it can be read, and what is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub base: u32,
    pub script: Option<Arc<Script>>,
    pub errors: Vec<Diagnostic>,
}

/// The files of a program that were read, so that nobody has to read them again.
#[derive(Clone, Copy)]
pub(crate) struct Readings<'a> {
    pub sources: &'a Sources,
    pub each: &'a [Reading],
}

impl<'a> Readings<'a> {
    /// The result for a text, if it was read as the file that begins at this offset.
    pub fn of(self, text: &str, base: u32) -> Option<&'a Reading> {
        let file = self.sources.file_at(base)?;
        let is_same = file.base == base && *file.text == *text;
        let mut readings = self.each.iter().filter(|_| is_same);
        readings.find(|reading| reading.base == base)
    }

    /// The file of a name, and the result for its text.
    pub fn named(self, name: &str) -> Option<(&'a SourceFile, &'a Reading)> {
        let mut files = self.sources.files().iter();
        let file = files.find(|file| *file.name == *name)?;
        let reading = self.each.iter().find(|reading| reading.base == file.base)?;
        Some((file, reading))
    }
}
