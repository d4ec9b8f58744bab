//! The output of a branch: an append-only log that a failure truncates.

use std::sync::Arc;

use ndscript_base::picture::Picture;
use ndscript_base::room;

/// Larger buffers are freed after use.
pub const LARGEST_BUFFER: usize = 4096;

/// The log of text and pictures.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub text: String,
    /// Pictures with their place in the text.
    pub pictures: Vec<(usize, Arc<Picture>)>,
    /// The height of the log when the run was last handed over to its host.
    pub handed_over: OutputMark,
    picture_bytes: usize,
    /// Where texts are written before they are appended; empty in between.
    pub buffer: String,
}

/// A height of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputMark {
    pub text: u32,
    pub pictures: u32,
}

impl OutputMark {
    /// The mark as one number, see [`Output::height`].
    pub fn height(self) -> u32 {
        self.text + self.pictures
    }
}

impl Output {
    #[inline]
    pub fn mark(&self) -> OutputMark {
        OutputMark {
            text: self.text.len() as u32,
            pictures: self.pictures.len() as u32,
        }
    }

    /// The length of the log, text and pictures together, as one number that only a failure reduces.
    #[inline]
    pub fn height(&self) -> u32 {
        (self.text.len() + self.pictures.len()) as u32
    }

    /// Cuts the log back to a height that it had; returns how many bytes became free.
    #[inline]
    pub fn cut_back(&mut self, height: u32) -> usize {
        if self.height() > height {
            self.cut(height as usize)
        } else {
            0
        }
    }

    /// Cuts the output back to a height. Returns the bytes of pictures that this frees.
    #[cold]
    fn cut(&mut self, height: usize) -> usize {
        let before = self.picture_bytes;
        // Right after the n-th picture, which is at `place` in the text, the log was `place + n` high.
        while let Some((place, picture)) = self.pictures.last()
            && place + self.pictures.len() > height
        {
            self.picture_bytes -= picture.bytes();
            self.pictures.pop();
        }
        self.text.truncate(height - self.pictures.len());
        before - self.picture_bytes
    }

    /// Takes the buffer, emptied. The caller puts it back if it is still small.
    #[inline]
    pub fn take_buffer(&mut self) -> String {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer
    }

    /// Appends a picture; returns by how many bytes the log grew.
    pub fn draw(&mut self, picture: Picture) -> usize {
        self.put((self.text.len(), Arc::new(picture)))
    }

    fn put(&mut self, placed: (usize, Arc<Picture>)) -> usize {
        let own = placed.1.bytes();
        self.picture_bytes += own;
        let added = room::grow(&mut self.pictures, 1);
        self.pictures.push(placed);
        own + added
    }

    /// Appends text; returns by how many bytes the log grew.
    pub fn write(&mut self, text: &str) -> usize {
        let added = room::grow_text(&mut self.text, text.len());
        self.text.push_str(text);
        added
    }

    /// The text after a mark.
    pub fn text_after(&self, mark: OutputMark) -> &str {
        &self.text[(mark.text as usize).min(self.text.len())..]
    }

    /// Text and pictures after a mark; positions of pictures count from it.
    pub fn output_after(&self, mark: OutputMark) -> (String, Vec<(usize, Arc<Picture>)>) {
        (self.text_after(mark).to_string(), self.pictures_after(mark))
    }

    /// The pictures after a mark, with their positions in the text after it.
    pub fn pictures_after(&self, mark: OutputMark) -> Vec<(usize, Arc<Picture>)> {
        let start = self.text.len() - self.text_after(mark).len();
        let pictures = self.pictures.iter().skip(mark.pictures as usize);
        pictures
            .map(|(at, picture)| (at.saturating_sub(start), picture.clone()))
            .collect()
    }

    /// Appends what [`Output::output_after`] returned. Returns by how many bytes the log grew.
    pub fn append(&mut self, text: &str, pictures: &[(usize, Arc<Picture>)]) -> usize {
        let start = self.text.len();
        let mut added = self.write(text);
        for (at, picture) in pictures {
            added += self.put((start + at, picture.clone()));
        }
        added
    }

    pub fn bytes(&self) -> usize {
        room::block(self.text.capacity()) + room::row(&self.pictures) + self.picture_bytes
    }
}

ndscript_base::saved!(struct OutputMark { text, pictures });

impl ndscript_base::codec::Saved for Output {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Output {
            text,
            pictures,
            handed_over,
            picture_bytes: _,
            buffer: _,
        } = self;
        text.save(out);
        pictures.save(out);
        handed_over.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Output, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let text = String::load(from)?;
        let pictures: Vec<(usize, Arc<Picture>)> = Vec::load(from)?;
        let handed_over = OutputMark::load(from)?;
        let picture_bytes = pictures.iter().map(|(_, picture)| picture.bytes()).sum();
        let output = Output {
            text,
            pictures,
            handed_over,
            picture_bytes,
            buffer: String::new(),
        };
        let rising = output.pictures.windows(2).all(|two| two[0].0 <= two[1].0);
        let inside = output
            .pictures
            .iter()
            .all(|(at, _)| *at <= output.text.len());
        ensure(rising && inside, "a picture stands outside the text")?;
        ensure(output.has(handed_over), "a height lies outside the text")?;
        Ok(output)
    }
}

impl Output {
    /// Whether the log was that high, so that it can be cut back to it.
    pub fn has_been(&self, height: u32) -> bool {
        let height = height as usize;
        let mut pictures = self.pictures.len();
        while pictures > 0 && self.pictures[pictures - 1].0 + pictures > height {
            pictures -= 1;
        }
        height
            .checked_sub(pictures)
            .is_some_and(|text| self.text.is_char_boundary(text))
    }

    /// Whether the log can be looked at from a height on.
    pub fn has(&self, mark: OutputMark) -> bool {
        self.text.is_char_boundary(mark.text as usize)
    }
}
