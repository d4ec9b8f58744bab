//! The texts that a server knows: those that are open in the editor, and those that the host can read.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock, RwLock};

use gen_lsp_types::Uri;
use ndscript::library::{self, LibraryFile};
use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::tiles::Tiles;
use ndscript::{ImportSource, import_beside};

use crate::text::Text;

/// What the host of a server lets it see. Paths are those of `file:` addresses, with `/` between their parts.
pub trait Files: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    /// Says in words why it cannot be read.
    fn read(&self, path: &str) -> Result<String, String> {
        let _ = path;
        Err("it cannot be read here".to_string())
    }

    /// The programs in a folder and below it.
    fn programs(&self, folder: &str) -> Vec<String> {
        let _ = folder;
        Vec::new()
    }

    /// The path by which an editor can open a file of the library.
    fn library(&self, file: &LibraryFile) -> Option<String> {
        let _ = file;
        None
    }

    /// The tiles of a program.
    fn tiles(&self, program: &str) -> Tiles {
        let _ = program;
        Tiles::default()
    }
}

/// A host that has no files.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {}

/// A text that is open in the editor.
#[derive(Debug)]
pub struct Document {
    pub uri: Uri,
    pub version: i32,
    pub text: Text,
    tokens: OnceLock<Vec<Token>>,
}

/// The class of a token, and its bytes.
pub type Token = (TokenClass, Range<usize>);

impl Document {
    pub fn new(uri: Uri, version: i32, text: Text) -> Document {
        Document {
            uri,
            version,
            text,
            tokens: OnceLock::new(),
        }
    }

    /// The tokens and comments of the text.
    pub fn tokens(&self) -> &[Token] {
        let read = || tokens(&self.text.text).collect();
        self.tokens.get_or_init(read)
    }

    /// The tokens that begin before a byte.
    pub fn tokens_before(&self, offset: usize) -> &[Token] {
        let all = self.tokens();
        &all[..all.partition_point(|(_, range)| range.start < offset)]
    }
}

/// Where programs find what they import. Clones share what they know.
#[derive(Clone)]
pub struct Store {
    open: Arc<RwLock<HashMap<String, Arc<Document>>>>,
    pub files: Arc<dyn Files>,
    folders: Arc<[String]>,
    /// Texts that stand for those of the same names.
    replacements: Arc<HashMap<String, String>>,
}

impl Store {
    /// Imports are looked for beside the importing file, and then in `folders`.
    pub fn new(files: Arc<dyn Files>, folders: Vec<String>) -> Store {
        Store {
            open: Arc::default(),
            files,
            folders: folders.into(),
            replacements: Arc::default(),
        }
    }

    /// This store with other texts for some names.
    pub fn with(&self, replacements: HashMap<String, String>) -> Store {
        Store {
            replacements: Arc::new(replacements),
            ..self.clone()
        }
    }

    pub fn document(&self, name: &str) -> Option<Arc<Document>> {
        let open = self
            .open
            .read()
            .unwrap_or_else(|broken| broken.into_inner());
        open.get(name).cloned()
    }

    /// The names of all documents, by the alphabet.
    pub fn open_names(&self) -> Vec<String> {
        let open = self
            .open
            .read()
            .unwrap_or_else(|broken| broken.into_inner());
        let mut names: Vec<String> = open.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    pub fn put(&self, name: String, document: Document) {
        let mut open = self
            .open
            .write()
            .unwrap_or_else(|broken| broken.into_inner());
        open.insert(name, Arc::new(document));
    }

    pub fn close(&self, name: &str) {
        let mut open = self
            .open
            .write()
            .unwrap_or_else(|broken| broken.into_inner());
        open.remove(name);
    }

    /// Where an editor finds a file; a document keeps the address by which it was opened. There is none for texts of the host.
    pub fn uri(&self, name: &str) -> Option<Uri> {
        if let Some(document) = self.document(name) {
            return Some(document.uri.clone());
        }
        if is_library(name) && self.files.read(name).is_err() {
            let path = self.files.library(library::find(name)?)?;
            return Some(uri_of(&path));
        }
        is_path(name).then(|| uri_of(name))
    }
}

/// Whether the name of a source is the path of a file. Modules and preludes of a host have other names.
pub fn is_path(name: &str) -> bool {
    name.starts_with('/') || name.as_bytes().get(1) == Some(&b':')
}

/// Whether a name is that of a file of the library.
pub fn is_library(name: &str) -> bool {
    library::files().iter().any(|file| file.path == name)
}

impl ImportSource for Store {
    fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
        let sibling = import_beside(importer, name);
        let in_folders = self.folders.iter().map(|folder| format!("{folder}/{name}"));
        let mut paths = std::iter::once(sibling.clone()).chain(in_folders);
        let found = paths.find(|path| self.read(path).is_ok());
        Ok(Some(found.unwrap_or(sibling)))
    }

    fn read(&self, path: &str) -> Result<String, String> {
        if let Some(text) = self.replacements.get(path) {
            return Ok(text.clone());
        }
        match self.document(path) {
            Some(document) => Ok(document.text.text.to_string()),
            None => self.files.read(path),
        }
    }
}

/// The name of a document: the path of a `file:` address, else the address itself.
pub fn name_of(uri: &Uri) -> String {
    let Some(path) = uri.0.strip_prefix("file://") else {
        return uri.0.clone();
    };
    // A machine may stand before the path; there is no other than this one.
    let path = path.find('/').map_or(path, |at| &path[at..]);
    let path = without_escapes(path);
    let has_drive = {
        let bytes = path.as_bytes();
        bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':'
    };
    if has_drive {
        path[1..].to_string()
    } else {
        path
    }
}

fn without_escapes(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| *first == b'%');
        let escaped = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

/// The address of a path; what is an address already stays as it is.
pub fn uri_of(path: &str) -> Uri {
    if !is_path(path) {
        return Uri(path.to_string());
    }
    let mut uri = "file://".to_string();
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte);
        if is_plain {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    Uri(uri)
}

#[cfg(test)]
mod tests {
    use super::{name_of, uri_of};
    use gen_lsp_types::Uri;

    #[test]
    fn addresses_and_paths_belong_together() {
        for path in ["/a/b.nds", "/ä b/100%.nds", "c:/maps/a.nds"] {
            assert_eq!(name_of(&uri_of(path)), path);
        }
        assert_eq!(
            name_of(&Uri("file:///c%3A/x%20y.nds".to_string())),
            "c:/x y.nds"
        );
        assert_eq!(
            name_of(&Uri("untitled:Untitled-1".to_string())),
            "untitled:Untitled-1"
        );
        assert_eq!(name_of(&Uri("file:///a%zz%f".to_string())), "/a%zz%f");
    }
}
