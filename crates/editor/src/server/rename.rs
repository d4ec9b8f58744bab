//! Other names for variables and functions. A new name that would mean something else somewhere is refused: the
//! program with the new name has to bind every name as it did before.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::{Name, Names};

use super::navigation::Places;
use super::{Cursor, Failure, Server};
use crate::store::is_library;
use crate::text::replaced;

impl Server {
    pub(super) fn prepare_rename(
        &mut self,
        parameters: lsp::PrepareRenameParams,
    ) -> Result<Option<lsp::PrepareRenameResult>, Failure> {
        let cursor = self.at(&parameters.text_document_position_params)?;
        let Some((mention, name)) = cursor.analysis.mention(cursor.offset) else {
            return Ok(None);
        };
        can_change(cursor.analysis.names(), name)?;
        let bytes = mention.span.start as usize..mention.span.end as usize;
        let placeholder = lsp::PrepareRenamePlaceholder {
            range: cursor.document.text.range(bytes),
            placeholder: name.text.to_string(),
        };
        Ok(Some(placeholder.into()))
    }

    pub(super) fn rename(
        &mut self,
        parameters: lsp::RenameParams,
    ) -> Result<Option<lsp::WorkspaceEdit>, Failure> {
        let cursor = self.at_now(&parameters.text_document_position_params)?;
        self.renamed(&cursor, &parameters.new_name).map(Some)
    }

    /// What to change for another name.
    pub(super) fn renamed(
        &mut self,
        cursor: &Cursor,
        new: &str,
    ) -> Result<lsp::WorkspaceEdit, Failure> {
        let names = cursor.analysis.names();
        let Some((_, name)) = cursor.analysis.mention(cursor.offset) else {
            return Err(Failure::refused("no name stands here"));
        };
        can_change(names, name)?;
        if !is_name(new) {
            let problem = format!(
                "`{new}` cannot be a name: a name is a letter or `_`, then letters, digits and `_`, and no word of the language"
            );
            return Err(Failure::refused(problem));
        }
        // The built-in would be there before the first assignment, where nothing was.
        if name.declared.is_none() && cursor.analysis.engine().doc(new).is_some() {
            let problem = format!(
                "nothing declares `{}`, so it would be the built-in `{new}` until it is assigned: declare it first, `var {} = ...;`",
                name.text, name.text
            );
            return Err(Failure::refused(problem));
        }
        let places = self.everywhere(cursor);
        let mut replacements = HashMap::new();
        let mut changes = HashMap::new();
        for (file, found) in &places {
            if is_library(file) {
                return Err(Failure::refused(format!(
                    "it is used in {file}, which comes with the language"
                )));
            }
            let Some((text, uri)) = self.text_of(file).zip(self.store.uri(file)) else {
                return Err(Failure::refused(format!(
                    "it is used in {file}, which cannot be changed here"
                )));
            };
            let has_name = |bytes: &Range<usize>| text.text.get(bytes.clone()) == Some(&*name.text);
            if !found.iter().all(has_name) {
                let problem = format!("{file} has changed meanwhile: try it again");
                return Err(Failure::refused(problem));
            }
            let changed = replaced(&text.text, found.iter().map(|bytes| (bytes.clone(), new)));
            replacements.insert(file.to_string(), changed);
            let edits = found.iter().map(|bytes| lsp::TextEdit {
                range: text.range(bytes.clone()),
                new_text: new.to_string(),
            });
            changes.insert(uri, edits.collect());
        }
        self.refuse_other_meanings(cursor, name, new, &places, replacements)?;
        Ok(lsp::WorkspaceEdit {
            changes: Some(changes),
            ..lsp::WorkspaceEdit::default()
        })
    }

    /// Compares what all names mean before and after, in the program and in those that use what is renamed.
    fn refuse_other_meanings(
        &mut self,
        cursor: &Cursor,
        name: &Name,
        new: &str,
        places: &Places,
        replacements: HashMap<String, String>,
    ) -> Result<(), Failure> {
        let store = self.store.with(replacements);
        let others = if name.is_global {
            // One that has the new name, and never mentions the old one, may not import both.
            self.programs_with(&cursor.name, &[&name.text, new])
        } else {
            Vec::new()
        };
        let others = others.iter().map(|(program, names)| (program, names));
        let own = std::iter::once((&cursor.name, cursor.analysis.names()));
        for (program, before) in own.chain(others) {
            let files = before.sources().files();
            if !files.iter().any(|file| places.contains_key(&file.name)) {
                continue;
            }
            let Ok(text) = ndscript::ImportSource::read(&store, program) else {
                continue;
            };
            let engine = self.engine.clone().with_imports(store.clone());
            let after = engine.names_after(program, &text, before);
            if !mean_the_same(before, &after) {
                return Err(Failure::refused(format!(
                    "`{new}` means something else already where `{}` is used or declared: this would change what {program} does",
                    name.text
                )));
            }
        }
        Ok(())
    }
}

/// Whether the names of two programs stand for the same things, one by one.
fn mean_the_same(before: &Names, after: &Names) -> bool {
    if before.mentions().len() != after.mentions().len()
        || before.problems().len() != after.problems().len()
    {
        return false;
    }
    let mut there = HashMap::new();
    let mut back = HashMap::new();
    before
        .mentions()
        .iter()
        .zip(after.mentions())
        .all(|(old, new)| {
            let is_built_in = |names: &Names, number: usize| names.all()[number].is_built_in;
            *there.entry(old.name).or_insert(new.name) == new.name
                && *back.entry(new.name).or_insert(old.name) == old.name
                && is_built_in(before, old.name) == is_built_in(after, new.name)
        })
}

fn can_change(names: &Names, name: &Name) -> Result<(), Failure> {
    if name.is_built_in {
        return Err(Failure::refused(format!("`{}` is a built-in", name.text)));
    }
    let declared = name
        .declared
        .and_then(|span| names.sources().file_at(span.start));
    if let Some(file) = declared.filter(|file| is_library(&file.name)) {
        return Err(Failure::refused(format!(
            "`{}` is declared in {}, which comes with the language",
            name.text, file.name
        )));
    }
    Ok(())
}

fn is_name(text: &str) -> bool {
    let mut all = tokens(text);
    let first = all.next();
    let is_whole = first == Some((TokenClass::Name, 0..text.len()));
    is_whole && all.next().is_none()
}
