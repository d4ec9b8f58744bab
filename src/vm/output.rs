//! What a branch has printed: an append-only log that a failure cuts back.

use std::sync::Arc;

use crate::picture::Picture;

/// The log of text and pictures.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub text: String,
    /// Pictures with the place in the text where they stand.
    pub pictures: Vec<(usize, Arc<Picture>)>,
    /// The height of the log when the run was last handed over to its host.
    pub handed_over: OutputMark,
    picture_bytes: usize,
}

/// A height of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputMark {
    pub text: u32,
    pub pictures: u32,
}

impl Output {
    #[inline]
    pub fn mark(&self) -> OutputMark {
        OutputMark { text: self.text.len() as u32, pictures: self.pictures.len() as u32 }
    }

    #[inline]
    pub fn cut_back(&mut self, mark: OutputMark) {
        if self.text.len() > mark.text as usize {
            self.text.truncate(mark.text as usize);
        }
        if self.pictures.len() > mark.pictures as usize {
            for (_, picture) in self.pictures.drain(mark.pictures as usize..) {
                self.picture_bytes -= picture.bytes();
            }
        }
    }

    pub fn draw(&mut self, picture: Picture) {
        self.picture_bytes += picture.bytes();
        self.pictures.push((self.text.len(), Arc::new(picture)));
    }

    /// Text and pictures behind a mark; the places of the pictures count from it.
    pub fn behind(&self, mark: OutputMark) -> (String, Vec<(usize, Arc<Picture>)>) {
        let start = (mark.text as usize).min(self.text.len());
        let pictures = self.pictures.iter().skip(mark.pictures as usize);
        (
            self.text[start..].to_string(),
            pictures.map(|(at, picture)| (at.saturating_sub(start), picture.clone())).collect(),
        )
    }

    /// Appends what [`Output::behind`] returned.
    pub fn append(&mut self, text: &str, pictures: &[(usize, Arc<Picture>)]) {
        let start = self.text.len();
        self.text.push_str(text);
        for (at, picture) in pictures {
            self.picture_bytes += picture.bytes();
            self.pictures.push((start + at, picture.clone()));
        }
    }

    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.pictures.capacity() * 16 + self.picture_bytes
    }
}
