//! From a name to its declaration, and to everywhere it stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use gen_lsp_types as lsp;
use ndscript::Names;
use ndscript::source::{SourceFile, Sources, Span};

use super::analysis::bytes;
use super::{Cursor, Failure, Server};
use crate::store::{Document, is_path};
use crate::text::Text;

/// A name by where it is declared: the file, and the byte in it.
pub(super) type Place = (Arc<str>, u32);

/// The bytes of each file where a name stands, each once.
pub(super) type Places = BTreeMap<Arc<str>, Vec<std::ops::Range<usize>>>;

impl Server {
    /// Where a span of a program lies.
    pub(super) fn location(&self, sources: &Sources, span: Span) -> Option<lsp::Location> {
        let file = sources.file_at(span.start)?;
        let is_file = |document: &Arc<Document>| *document.text.text == *file.text;
        let text = match self.store.document(&file.name).filter(is_file) {
            Some(document) => document.text.clone(),
            None => Text::new(file.text.clone(), self.encoding),
        };
        let bytes = bytes(span, file.base);
        let end = text.text.len();
        Some(lsp::Location {
            uri: self.store.uri(&file.name)?,
            range: text.range(bytes.start.min(end)..bytes.end.min(end)),
        })
    }

    pub(super) fn definition(
        &mut self,
        parameters: lsp::DefinitionParams,
    ) -> Result<Option<lsp::Location>, Failure> {
        let cursor = self.at(&parameters.text_document_position_params)?;
        let names = cursor.analysis.names();
        let place = cursor.offset as u32;
        let import = names
            .imports()
            .iter()
            .find(|(span, _)| span.start <= place && place <= span.end);
        if let Some((_, path)) = import {
            let start = lsp::Range::default();
            let uri = self.store.uri(path);
            return Ok(uri.map(|uri| lsp::Location { uri, range: start }));
        }
        let declared = cursor.analysis.mention(cursor.offset);
        let declared = declared.and_then(|(_, name)| name.declared);
        Ok(declared.and_then(|span| self.location(names.sources(), span)))
    }

    pub(super) fn references(
        &mut self,
        parameters: lsp::ReferenceParams,
    ) -> Result<Vec<lsp::Location>, Failure> {
        let cursor = self.at_now(&parameters.text_document_position_params)?;
        let mut places = self.everywhere(&cursor);
        if !parameters.context.include_declaration
            && let Some(name) = cursor.analysis.mention(cursor.offset)
            && let Some((file, start)) = name
                .1
                .declared
                .and_then(|span| place_of(cursor.analysis.names(), span))
            && let Some(found) = places.get_mut(&file)
        {
            found.retain(|bytes| bytes.start != start as usize);
        }
        let mut locations = Vec::new();
        for (file, found) in places {
            let Some((text, uri)) = self.text_of(&file).zip(self.store.uri(&file)) else {
                continue;
            };
            for bytes in found {
                locations.push(lsp::Location {
                    uri: uri.clone(),
                    range: text.range(bytes),
                });
            }
        }
        Ok(locations)
    }

    pub(super) fn highlights(
        &mut self,
        parameters: lsp::DocumentHighlightParams,
    ) -> Result<Vec<lsp::DocumentHighlight>, Failure> {
        let cursor = self.at(&parameters.text_document_position_params)?;
        let Some((here, _)) = cursor.analysis.mention(cursor.offset) else {
            return Ok(Vec::new());
        };
        let text = &cursor.document.text;
        let names = cursor.analysis.names();
        let same = names.mentions().iter().filter(|it| it.name == here.name);
        let own = same.filter(|it| (it.span.end as usize) <= text.text.len());
        Ok(own
            .map(|mention| lsp::DocumentHighlight {
                range: text.range(bytes(mention.span, 0)),
                kind: Some(lsp::DocumentHighlightKind::Text),
            })
            .collect())
    }

    /// Where the name at a place stands, in all files of the program and in other programs that import its file.
    pub(super) fn everywhere(&mut self, cursor: &Cursor) -> Places {
        let mut places = Places::new();
        let Some((mention, name)) = cursor.analysis.mention(cursor.offset) else {
            return places;
        };
        let names = cursor.analysis.names();
        add_places(names, mention.name, &mut places);
        let declared = name.declared.and_then(|span| place_of(names, span));
        if let Some(declared) = declared.filter(|_| name.is_global) {
            for (_, other) in self.programs_with(&cursor.name, &[&name.text]) {
                if let Some(number) = number_of(&other, &declared) {
                    add_places(&other, number, &mut places);
                }
            }
        }
        for found in places.values_mut() {
            found.sort_by_key(|bytes| bytes.start);
            found.dedup();
        }
        places
    }

    /// The names of other programs, open ones and those in the folders, that import something and have one of some words.
    pub(super) fn programs_with(&mut self, except: &str, words: &[&str]) -> Vec<(String, Names)> {
        let mut programs = self.store.open_names();
        for folder in self.folders.clone() {
            programs.extend(self.store.files.programs(&folder));
        }
        programs.sort_unstable();
        programs.dedup();
        programs.retain(|program| program != except);
        let mut found = Vec::new();
        for program in programs {
            let Some(text) = self.text_of(&program) else {
                continue;
            };
            let has_one = words.iter().any(|word| text.text.contains(word));
            if !text.text.contains("import") || !has_one {
                continue;
            }
            let names = self.engine_for(&program).names(&program, &text.text);
            found.push((program, names));
        }
        found
    }

    /// The text of a file as the editor has it, or as it is on disk.
    pub(super) fn text_of(&self, name: &str) -> Option<Text> {
        if let Some(document) = self.store.document(name) {
            return Some(document.text.clone());
        }
        if is_path(name)
            && let Ok(text) = self.store.files.read(name)
        {
            return Some(Text::new(text, self.encoding));
        }
        let file = ndscript::library::find(name)?;
        Some(Text::new(file.text, self.encoding))
    }
}

/// The file of a span and where it begins there.
pub(super) fn place_of(names: &Names, span: Span) -> Option<Place> {
    let file: &SourceFile = names.sources().file_at(span.start)?;
    Some((file.name.clone(), span.start - file.base))
}

/// The number of the name that is declared at a place.
pub(super) fn number_of(names: &Names, place: &Place) -> Option<usize> {
    let files = names.sources().files();
    let file = files.iter().find(|file| file.name == place.0)?;
    let start = file.base + place.1;
    let declared = |name: &ndscript::Name| name.declared.is_some_and(|span| span.start == start);
    names.all().iter().position(declared)
}

fn add_places(names: &Names, number: usize, places: &mut Places) {
    for mention in names.mentions().iter().filter(|it| it.name == number) {
        if let Some(file) = names.sources().file_at(mention.span.start) {
            let bytes = bytes(mention.span, file.base);
            places.entry(file.name.clone()).or_default().push(bytes);
        }
    }
}
