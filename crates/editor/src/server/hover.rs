//! What a word stands for.

use gen_lsp_types as lsp;
use ndscript::EngineFunction;

use super::analysis::Analysis;
use super::{Cursor, Failure, Server};

impl Server {
    pub(super) fn hover(
        &mut self,
        parameters: lsp::HoverParams,
    ) -> Result<Option<lsp::Hover>, Failure> {
        let cursor = self.at(&parameters.text_document_position_params)?;
        Ok(self.hovered(&cursor))
    }

    /// What to show for the name, the import or the word at a position.
    fn hovered(&self, cursor: &Cursor) -> Option<lsp::Hover> {
        let analysis = &cursor.analysis;
        let text = &cursor.document.text;
        let place = cursor.offset as u32;
        let shown = |bytes, words| {
            Some(lsp::Hover {
                contents: markdown(words).into(),
                range: Some(text.range(bytes)),
            })
        };
        let mut imports = analysis.names().imports().iter();
        if let Some((span, path)) =
            imports.find(|(span, _)| span.start <= place && place <= span.end)
        {
            let library = ndscript::library::find(path).map(|file| file.doc());
            let words = library.unwrap_or_else(|| path.to_string());
            return shown(span.start as usize..span.end as usize, words);
        }
        if let Some((mention, name)) = analysis.mention(cursor.offset) {
            let bytes = mention.span.start as usize..mention.span.end as usize;
            if name.is_built_in {
                let function = analysis.engine().doc(&name.text)?;
                return shown(bytes, full(&function));
            }
            let words = match name.declared.and_then(|span| analysis.declared(span)) {
                Some(declared) => {
                    let words = with_code(&analysis.head(declared), &analysis.comment(declared));
                    format!(
                        "{words}{}",
                        self.where_declared(analysis, declared.span.start)
                    )
                }
                None => "a global that is assigned, and declared nowhere".to_string(),
            };
            return shown(bytes, words);
        }
        let word = field_at(&text.text, cursor.offset)?;
        let types = analysis.engine().types();
        let mut members = types.flat_map(|host_type| {
            let name = host_type.name;
            host_type
                .members
                .into_iter()
                .map(move |member| (name, member))
        });
        let (name, member) = members.find(|(_, member)| *member.name == text.text[word.clone()])?;
        let function = analysis.engine().doc(&format!("{name}.{}", member.name))?;
        shown(word, full(&function))
    }

    /// In which file something is declared, if it is another than the document.
    fn where_declared(&self, analysis: &Analysis, place: u32) -> String {
        let file = analysis.names().sources().file_at(place);
        match file.filter(|file| file.base > 0) {
            Some(file) => format!("\n\n*{}*", file.name),
            None => String::new(),
        }
    }
}

/// The name after the point at a place.
fn field_at(text: &str, offset: usize) -> Option<std::ops::Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = text[..offset].trim_end_matches(is_word).len();
    let after = &text[offset..];
    let end = offset + (after.len() - after.trim_start_matches(is_word).len());
    (start < end && text[..start].trim_end().ends_with('.')).then_some(start..end)
}

/// A function with its parameters, what it does, and its example.
pub(super) fn full(function: &EngineFunction) -> String {
    with_code(&function.call(), &documentation(function))
}

/// What a function does, and its example.
pub(super) fn documentation(function: &EngineFunction) -> String {
    if function.example.is_empty() {
        return function.doc.to_string();
    }
    format!(
        "{}\n\n```ndscript\n{}\n// => {}\n```",
        function.doc,
        function.example,
        function.gives.replace('\n', "\n//    ")
    )
}

pub(super) fn with_code(code: &str, words: &str) -> String {
    let code = format!("```ndscript\n{code}\n```");
    if words.is_empty() {
        code
    } else {
        format!("{code}\n\n{words}")
    }
}

pub(super) fn markdown(value: String) -> lsp::MarkupContent {
    lsp::MarkupContent {
        kind: lsp::MarkupKind::Markdown,
        value,
    }
}
