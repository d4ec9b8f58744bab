//! What the word before the cursor may become.

use std::collections::BTreeMap;

use gen_lsp_types as lsp;
use ndscript::library;
use ndscript::syntax::highlight::TokenClass;

use super::analysis::bytes;
use super::hover::{documentation, markdown, with_code};
use super::{Cursor, Failure, Server};
use crate::outline::Kind;
use crate::store::is_library;

/// At most this many names of a program are offered at once.
const MOST: usize = 500;

/// Words of the language with what usually follows; `$0` is where one goes on writing.
const FORMS: &[(&str, &str)] = &[
    ("choose", "choose {\n    $1\n} or {\n    $0\n}"),
    (
        "for",
        "for (let ${1:i} = 0; ${1:i} < ${2:n}; ${1:i}++) {\n    $0\n}",
    ),
    (
        "foreach",
        "foreach (${1:x} in ${2:collection}) {\n    $0\n}",
    ),
    ("function", "function ${1:name}(${2:a}) {\n    $0\n}"),
    ("if", "if (${1:condition}) {\n    $0\n}"),
    ("import", "import \"$0\";"),
    ("while", "while (${1:condition}) {\n    $0\n}"),
];

impl Server {
    pub(super) fn completion(
        &mut self,
        parameters: lsp::CompletionParams,
    ) -> Result<lsp::CompletionList, Failure> {
        let cursor = self.at(&parameters.text_document_position_params)?;
        let mut list = lsp::CompletionList::default();
        if let Some(start) = import_before(&cursor) {
            list.items = self.files_to_import(&cursor, start);
            return Ok(list);
        }
        let text = &cursor.document.text.text;
        let before = &text[..cursor.offset];
        if is_inside_text(&cursor) {
            return Ok(list);
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let start = before.trim_end_matches(is_word).len();
        let behind_point = before[..start].trim_end().ends_with('.');
        let mut items = BTreeMap::new();
        if behind_point {
            self.fields(&cursor, start, &mut items);
        } else {
            self.names_here(&cursor, start, &mut items);
        }
        let range = cursor.document.text.range(start..cursor.offset);
        let items = items.into_values().map(|mut item: lsp::CompletionItem| {
            let new_text = item
                .insert_text
                .take()
                .unwrap_or_else(|| item.label.clone());
            item.text_edit = Some(lsp::TextEdit { range, new_text }.into());
            item
        });
        list.items = items.collect();
        // There may be more that begin with what is written next; built-ins are offered from the first letter on.
        let is_whole = behind_point || start < cursor.offset;
        list.is_incomplete = !is_whole || list.items.len() >= MOST;
        Ok(list)
    }

    /// Names of the program that are visible, functions that can be called, and words of the language.
    fn names_here(
        &self,
        cursor: &Cursor,
        start: usize,
        items: &mut BTreeMap<String, lsp::CompletionItem>,
    ) {
        let analysis = &cursor.analysis;
        let text = &cursor.document.text.text;
        let word = &text[start..cursor.offset];
        let is_called = text[cursor.offset..].starts_with('(');
        let all = analysis.all_declared();
        for name in analysis.names().visible(start as u32) {
            if items.len() >= MOST {
                break;
            }
            // A name that is only read may be the word itself, or one that is not declared yet.
            let is_known = name.declared.is_some() || name.changes && *name.text != *word;
            if !name.text.starts_with(word) || items.contains_key(&*name.text) || !is_known {
                continue;
            }
            let declared = name.declared.and_then(|span| all.get(&span.start).copied());
            let mut item = plain(&name.text, lsp::CompletionItemKind::Variable);
            if let Some(declared) = declared {
                item.kind = Some(match (declared.kind, &declared.parameters) {
                    (_, Some(_)) => lsp::CompletionItemKind::Function,
                    (Kind::Constant, None) => lsp::CompletionItemKind::Constant,
                    _ => lsp::CompletionItemKind::Variable,
                });
                let head = analysis.head(declared);
                item.documentation =
                    Some(markdown(with_code(&head, &analysis.comment(declared))).into());
                if let Some(parameters) = declared.parameters.as_ref().filter(|_| !is_called) {
                    let sources = analysis.names().sources();
                    let needed = parameters.iter().map(|span| sources.text(*span));
                    let needed: Vec<&str> = needed.filter(|text| !text.contains('=')).collect();
                    let can_be_more = needed.len() < parameters.len();
                    self.insert_call(&mut item, &needed, can_be_more);
                }
            }
            item.sort_text = Some(format!("0{}", name.text));
            items.insert(name.text.to_string(), item);
        }
        if word.is_empty() {
            return;
        }
        // Of the text only its imports matter here: they say which modules there are.
        let imports = analysis
            .outline()
            .map_or(&[][..], |outline| &outline.imports);
        let own = imports.iter().filter_map(|span| text.get(bytes(*span, 0)));
        let short = own.chain([word]).collect::<Vec<_>>().join(" ");
        for completion in analysis.engine().complete(&short, short.len()).words {
            if items.contains_key(&*completion.word) {
                continue;
            }
            let item = match &completion.function {
                Some(constant) if constant.is_field => {
                    let mut item = plain(&constant.name, lsp::CompletionItemKind::Constant);
                    item.documentation = Some(markdown(documentation(constant)).into());
                    item
                }
                Some(function) => {
                    let mut item = plain(&function.name, lsp::CompletionItemKind::Function);
                    item.detail = Some(function.call());
                    item.documentation = Some(markdown(documentation(function)).into());
                    if !is_called {
                        let parameters = &function.parameters;
                        let needed = parameters.split('[').next().unwrap_or_default();
                        let needed = needed.split(',').map(str::trim);
                        let needed: Vec<&str> = needed
                            .filter(|it| !it.is_empty() && !it.contains("..."))
                            .collect();
                        self.insert_call(&mut item, &needed, !parameters.is_empty());
                    }
                    item
                }
                None if is_keyword(&completion.word) => self.keyword(&completion.word),
                // A name that stands somewhere else in the text means nothing here.
                None => continue,
            };
            items.insert(completion.word.to_string(), item);
        }
    }

    /// After a point: members of the host's types, fields of its constants, and the fields that the program names.
    fn fields(
        &self,
        cursor: &Cursor,
        start: usize,
        items: &mut BTreeMap<String, lsp::CompletionItem>,
    ) {
        let word = &cursor.document.text.text[start..cursor.offset];
        for host_type in cursor.analysis.engine().types() {
            for member in host_type.members {
                if !member.name.starts_with(word) {
                    continue;
                }
                let kind = if member.is_field {
                    lsp::CompletionItemKind::Field
                } else {
                    lsp::CompletionItemKind::Method
                };
                let mut item = plain(&member.name, kind);
                item.detail = Some(format!(
                    "{}.{}({})",
                    host_type.name, member.name, member.parameters
                ));
                item.documentation = Some(markdown(member.doc.to_string()).into());
                items.insert(member.name.to_string(), item);
            }
        }
        let before = cursor.document.text.text[..start].trim_end();
        let path = before.trim_end_matches('.');
        for field in cursor.analysis.engine().fields_of_constant(path) {
            if field.starts_with(word) {
                let item = plain(&field, lsp::CompletionItemKind::Field);
                items.insert(field.to_string(), item);
            }
        }
        let fields = cursor
            .analysis
            .outlines()
            .iter()
            .flat_map(|outline| &outline.fields);
        // The field that is being written does not exist yet.
        let others = fields.filter(|field| field.span.start as usize != start);
        for field in others.filter(|field| field.name.starts_with(word) && !field.name.is_empty()) {
            if items.len() >= MOST {
                break;
            }
            items
                .entry(field.name.to_string())
                .or_insert_with(|| plain(&field.name, lsp::CompletionItemKind::Field));
        }
        // Positions have these, wherever they come from.
        for field in ["x", "y"]
            .into_iter()
            .filter(|field| field.starts_with(word))
        {
            items
                .entry(field.to_string())
                .or_insert_with(|| plain(field, lsp::CompletionItemKind::Field));
        }
    }

    fn keyword(&self, word: &str) -> lsp::CompletionItem {
        let mut item = plain(word, lsp::CompletionItemKind::Keyword);
        let form = FORMS.iter().find(|(known, _)| *known == word);
        if let Some((_, form)) = form.filter(|_| self.abilities.snippets) {
            item.insert_text = Some(form.to_string());
            item.insert_text_format = Some(lsp::InsertTextFormat::Snippet);
        }
        item
    }

    /// Lets a function be inserted with its brackets.
    fn insert_call(&self, item: &mut lsp::CompletionItem, needed: &[&str], takes_any: bool) {
        if !self.abilities.snippets {
            return;
        }
        let holes = needed.iter().enumerate().map(|(at, parameter)| {
            let parameter = parameter.replace(['\\', '$', '}'], "");
            format!("${{{}:{parameter}}}", at + 1)
        });
        let mut inside = holes.collect::<Vec<_>>().join(", ");
        if inside.is_empty() && takes_any {
            inside = "$1".to_string();
        }
        item.insert_text = Some(format!("{}({inside})$0", item.label));
        item.insert_text_format = Some(lsp::InsertTextFormat::Snippet);
    }

    /// The library, and the programs in the folder of the document and below it.
    fn files_to_import(&self, cursor: &Cursor, start: usize) -> Vec<lsp::CompletionItem> {
        let text = &cursor.document.text;
        let word = &text.text[start..cursor.offset];
        let mut found: Vec<(String, String)> = Vec::new();
        for file in library::files() {
            found.push((file.path.to_string(), file.doc()));
        }
        if let Some((folder, _)) = cursor.name.rsplit_once('/') {
            let programs = self.store.files.programs(folder).into_iter();
            let programs = programs.chain(self.store.open_names());
            let inside = programs.filter(|path| *path != cursor.name && !is_library(path));
            found.extend(inside.filter_map(|path| {
                let name = path.strip_prefix(folder)?.strip_prefix('/')?;
                Some((name.to_string(), String::new()))
            }));
        }
        found.sort_unstable();
        found.dedup_by(|later, earlier| later.0 == earlier.0);
        let range = text.range(start..cursor.offset);
        let fitting = found.into_iter().filter(|(name, _)| name.starts_with(word));
        fitting
            .map(|(name, words)| {
                let mut item = plain(&name, lsp::CompletionItemKind::File);
                if !words.is_empty() {
                    item.documentation = Some(markdown(words).into());
                }
                item.text_edit = Some(
                    lsp::TextEdit {
                        range,
                        new_text: name,
                    }
                    .into(),
                );
                item
            })
            .collect()
    }
}

fn plain(label: &str, kind: lsp::CompletionItemKind) -> lsp::CompletionItem {
    lsp::CompletionItem {
        label: label.to_string(),
        kind: Some(kind),
        ..lsp::CompletionItem::default()
    }
}

fn is_keyword(word: &str) -> bool {
    ndscript::syntax::KEYWORDS.contains(&word)
}

/// Whether a place is inside of a string or a comment.
fn is_inside_text(cursor: &Cursor) -> bool {
    let before = cursor.document.tokens_before(cursor.offset);
    before.last().is_some_and(|(class, range)| {
        let part = &cursor.document.text.text[range.clone()];
        let is_open = match class {
            // `}` of a template and its end are text, what follows `${` is code.
            TokenClass::String => !part.ends_with("${") && !is_closed(part),
            TokenClass::Comment => part.starts_with("//") || !part.ends_with("*/"),
            TokenClass::Error => part.starts_with(['"', '\'', '`', '}']),
            _ => false,
        };
        let is_text = matches!(class, TokenClass::String | TokenClass::Comment);
        cursor.offset < range.end && (is_text || is_open) || cursor.offset == range.end && is_open
    })
}

fn is_closed(part: &str) -> bool {
    part.len() > 1 && part.ends_with(['"', '\'', '`'])
}

/// Where the name of an import begins that the cursor stands in.
fn import_before(cursor: &Cursor) -> Option<usize> {
    let text = &cursor.document.text;
    let line = text.line(text.line_of(cursor.offset));
    let before = &text.text[line.start..cursor.offset.max(line.start)];
    let rest = before.trim_start().strip_prefix("import")?.trim_start();
    let name = rest.strip_prefix(['"', '\''])?;
    (!name.contains(['"', '\''])).then(|| cursor.offset - name.len())
}
