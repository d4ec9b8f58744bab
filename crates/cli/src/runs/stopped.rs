//! The file of a stopped run: the run itself, the texts of its program, and the state of its output. It may come from
//! anywhere, so it does not decide which files are read or written: the resuming command does.

use std::path::Path;
use std::time::Duration;

use ndscript::source::Sources;
use ndscript::{Engine, ImportSource, Program, Run, import_beside};

use crate::arguments::options::SolutionCount;
use crate::exit::Stop;
use crate::files::save::save_pieces;
use crate::files::{Bounds, read_bytes};

/// How the file begins; the number counts up with every change of its form.
const MAGIC: &[u8; 8] = b"NDSrun2\n";
/// Bytes of the hash at the end.
const HASH: usize = 32;

/// A run that was stopped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stopped {
    /// Names and texts of the program's files, the program itself first.
    pub sources: Vec<(String, String)>,
    /// The names of the folders of tile images: words for a person, not folders to read.
    pub tiles: Vec<String>,
    pub tile_size: Option<u64>,
    /// As given by `--solutions`; 0 for all.
    pub wanted: Option<u64>,
    pub seed: u64,
    pub solutions: u64,
    pub time: Duration,
    /// Whether what was printed before the question that waits has been shown.
    pub shown: bool,
    pub output: Vec<u8>,
    pub run: Vec<u8>,
}

/// Consecutive fields, each with its length. Large ones are borrowed, so that they exist once.
#[derive(Default)]
pub struct Fields<'a> {
    /// The bytes before each large field, and the field.
    parts: Vec<(Vec<u8>, &'a [u8])>,
    last: Vec<u8>,
}

/// From here on a field is large, in bytes.
const LARGE: usize = 1 << 16;

impl<'a> Fields<'a> {
    pub fn bytes(&mut self, bytes: &'a [u8]) {
        self.number(bytes.len() as u64);
        if bytes.len() < LARGE {
            self.raw(bytes);
        } else {
            self.parts.push((std::mem::take(&mut self.last), bytes));
        }
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.last.extend_from_slice(bytes);
    }

    pub fn number(&mut self, number: u64) {
        self.raw(&number.to_le_bytes());
    }

    pub fn option<T>(&mut self, option: Option<T>, put: impl FnOnce(&mut Fields<'a>, T)) {
        self.number(option.is_some().into());
        if let Some(value) = option {
            put(self, value);
        }
    }

    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.parts
            .iter()
            .flat_map(|(before, large)| [before, *large])
            .chain([&*self.last])
    }

    pub fn into_bytes(self) -> Vec<u8> {
        if self.parts.is_empty() {
            return self.last;
        }
        let mut bytes = Vec::with_capacity(self.pieces().map(<[u8]>::len).sum());
        self.pieces()
            .for_each(|piece| bytes.extend_from_slice(piece));
        bytes
    }
}

/// Reads [`Fields`]; `None` for invalid ones.
pub struct StateReader<'a>(pub &'a [u8]);

impl<'a> StateReader<'a> {
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    pub fn option<T>(
        &mut self,
        take: impl FnOnce(&mut StateReader<'a>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.number()? {
            0 => Some(None),
            1 => take(self).map(Some),
            _ => None,
        }
    }

    /// A list after its length.
    pub fn list<T>(
        &mut self,
        mut take: impl FnMut(&mut StateReader<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| take(self)).collect()
    }
}

impl Stopped {
    /// Names and texts of a program's files.
    pub fn texts(sources: &Sources) -> Vec<(String, String)> {
        sources
            .files()
            .iter()
            .map(|file| (file.name.to_string(), file.text.to_string()))
            .collect()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.fields().into_bytes()
    }

    /// The bytes of a saved state, field by field.
    fn fields(&self) -> Fields<'_> {
        let Stopped {
            sources,
            tiles,
            tile_size,
            wanted,
            seed,
            solutions,
            time,
            shown,
            output,
            run,
        } = self;
        let mut fields = Fields::default();
        fields.raw(MAGIC);
        fields.number(sources.len() as u64);
        for (name, text) in sources {
            fields.bytes(name.as_bytes());
            fields.bytes(text.as_bytes());
        }
        fields.number(tiles.len() as u64);
        tiles
            .iter()
            .for_each(|folder| fields.bytes(folder.as_bytes()));
        fields.option(*tile_size, Fields::number);
        fields.option(*wanted, Fields::number);
        fields.number(*seed);
        fields.number(*solutions);
        fields.number(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        fields.number((*shown).into());
        fields.bytes(output);
        fields.bytes(run);
        let mut hasher = blake3::Hasher::new();
        fields.pieces().for_each(|piece| {
            hasher.update(piece);
        });
        fields.raw(hasher.finalize().as_bytes());
        fields
    }

    /// `None` if the bytes are not the file of a stopped run, all of them and unchanged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Stopped> {
        let (contents, hash) = bytes.split_at_checked(bytes.len().checked_sub(HASH)?)?;
        if blake3::hash(contents) != *hash {
            return None;
        }
        let mut reader = StateReader(contents.strip_prefix(MAGIC)?);
        Some(Stopped {
            sources: reader.list(|reader| Some((reader.text()?, reader.text()?)))?,
            tiles: reader.list(StateReader::text)?,
            tile_size: reader.option(StateReader::number)?,
            wanted: reader.option(StateReader::number)?,
            seed: reader.number()?,
            solutions: reader.number()?,
            time: Duration::from_micros(reader.number()?),
            shown: reader.number()? == 1,
            output: reader.bytes()?.to_vec(),
            run: reader.bytes()?.to_vec(),
        })
    }

    /// Reads the state of a stopped run from a file.
    pub fn read(path: &Path, bounds: Bounds) -> Result<Stopped, Stop> {
        let bytes = read_bytes(path, bounds)?;
        let shown = path.display();
        if !bytes.starts_with(&MAGIC[..6]) {
            let hint = "`ndscript run FILE --save STATE` writes such files";
            return Err(Stop::error(format!(
                "\"{shown}\" is not the state of a stopped run\n{hint}"
            )));
        }
        if !bytes.starts_with(MAGIC) {
            return Err(Stop::error(format!(
                "\"{shown}\" was written by another version of ndscript"
            )));
        }
        Stopped::from_bytes(&bytes).ok_or_else(|| {
            Stop::error(format!(
                "\"{shown}\" is damaged: it is not what was written, or not all of it"
            ))
        })
    }

    pub fn write(&self, path: &Path) -> Result<(), Stop> {
        save_pieces(path, self.fields().pieces())
    }

    /// Compiles the program, and takes the run up again.
    pub fn restore(&self, engine: Engine) -> Result<(Program, Run), Stop> {
        let engine = engine.with_imports(Texts(self.sources.iter().skip(1).cloned().collect()));
        let damaged = || Stop::error("the state is damaged: its program does not compile");
        let (name, text) = self.sources.first().ok_or_else(damaged)?;
        let program = engine.compile_named(name, text).map_err(|_| damaged())?;
        let run = engine.restore(&program, &self.run).map_err(|why| {
            let hint = match why {
                ndscript::RestoreError::TooLarge => "\n`--max-memory SIZE` allows more",
                ndscript::RestoreError::OtherProgram
                | ndscript::RestoreError::Changed(_)
                | ndscript::RestoreError::OtherFormat { .. } => {
                    "\nonly the version of ndscript that has saved it can go on"
                }
                _ => "",
            };
            Stop::error(format!("cannot go on: {why}{hint}"))
        })?;
        Ok((program, run))
    }
}

/// Imported files whose texts were saved with the run.
struct Texts(Vec<(String, String)>);

impl ImportSource for Texts {
    fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
        // Beside the importing file, or else in one of the folders that there were for imports.
        let (sibling, end) = (import_beside(importer, name), format!("/{name}"));
        let found = self.0.iter().find(|(path, _)| *path == sibling);
        let found = found.or_else(|| self.0.iter().find(|(path, _)| path.ends_with(&end)));
        Ok(found.map(|(path, _)| path.clone()))
    }

    fn read(&self, path: &str) -> Result<String, String> {
        self.0
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, text)| text.clone())
            .ok_or_else(|| "it was not saved".to_string())
    }
}

/// The wanted number of solutions.
pub fn number_of(count: SolutionCount) -> u64 {
    match count {
        SolutionCount::All => 0,
        SolutionCount::AtMost(most) => most,
    }
}

/// The inverse.
pub fn count_of(number: u64) -> SolutionCount {
    if number == 0 {
        SolutionCount::All
    } else {
        SolutionCount::AtMost(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_run_is_read_back_whole_or_not_at_all() {
        let stopped = Stopped {
            sources: vec![
                ("a.nds".into(), "import \"b.nds\";".into()),
                ("b.nds".into(), "fail;".into()),
            ],
            tiles: vec![".".into()],
            tile_size: Some(8),
            wanted: Some(0),
            seed: u64::MAX,
            solutions: 3,
            time: Duration::from_millis(1500),
            shown: true,
            output: vec![1, 2, 3],
            run: vec![0; 100],
        };
        let bytes = stopped.to_bytes();
        assert_eq!(Stopped::from_bytes(&bytes), Some(stopped));
        let mut changed = bytes.clone();
        for at in 0..bytes.len() {
            assert_eq!(Stopped::from_bytes(&bytes[..at]), None);
            changed[at] ^= 4;
            assert_eq!(Stopped::from_bytes(&changed), None);
            changed[at] = bytes[at];
        }
    }
}
