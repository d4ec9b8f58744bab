//! Tile names that are colors, and links to imported files.

use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::syntax::highlight::TokenClass;
use ndscript::tiles::{Tile, Tiles, color_names};

use super::{Failure, Server};

impl Server {
    pub(super) fn colors(
        &mut self,
        parameters: lsp::DocumentColorParams,
    ) -> Result<Vec<lsp::ColorInformation>, Failure> {
        let (_, document) = self.document(&parameters.text_document.uri)?;
        let text = &document.text;
        // Colors alone: no image is looked for.
        let tiles = Tiles::default();
        let tokens = document.tokens().iter();
        let strings = tokens.filter(|(class, _)| *class == TokenClass::String);
        let color = |range: &Range<usize>| {
            let inner = unquoted(&text.text, range.clone())?;
            match tiles.resolve(&text.text[inner.clone()]) {
                Ok(Tile::Color(color)) => Some(lsp::ColorInformation {
                    range: text.range(inner),
                    color: shown(color),
                }),
                _ => None,
            }
        };
        Ok(strings.filter_map(|(_, range)| color(range)).collect())
    }

    pub(super) fn presentations(
        &mut self,
        parameters: lsp::ColorPresentationParams,
    ) -> Result<Vec<lsp::ColorPresentation>, Failure> {
        let color = parameters.color;
        let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
        let wanted = [byte(color.red), byte(color.green), byte(color.blue), 255];
        let tiles = Tiles::default();
        let mut labels = vec![format!(
            "#{:02x}{:02x}{:02x}",
            wanted[0], wanted[1], wanted[2]
        )];
        let named = color_names().into_iter();
        labels.extend(
            named
                .filter(|name| tiles.resolve(name) == Ok(Tile::Color(wanted)))
                .map(str::to_string),
        );
        Ok(labels
            .into_iter()
            .map(|label| lsp::ColorPresentation {
                text_edit: Some(lsp::TextEdit {
                    range: parameters.range,
                    new_text: label.clone(),
                }),
                label,
                additional_text_edits: None,
            })
            .collect())
    }

    pub(super) fn links(
        &mut self,
        parameters: lsp::DocumentLinkParams,
    ) -> Result<Vec<lsp::DocumentLink>, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let analysis = self.analysis(&name, &document);
        let text = &document.text;
        let imports = analysis.names().imports().iter();
        let own = imports.filter(|(span, _)| span.end as usize <= text.text.len());
        let link = |(span, path): &(ndscript::source::Span, std::sync::Arc<str>)| {
            self.text_of(path)?;
            let range = unquoted(&text.text, span.start as usize..span.end as usize)?;
            Some(lsp::DocumentLink {
                range: text.range(range),
                target: self.store.uri(path),
                tooltip: None,
                data: None,
            })
        };
        Ok(own.filter_map(link).collect())
    }
}

/// What stands between the quotes of a whole text.
fn unquoted(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let quote = part
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let is_whole = part.len() > 2 && part.ends_with(quote);
    is_whole.then(|| range.start + 1..range.end - 1)
}

fn shown(color: [u8; 4]) -> lsp::Color {
    let [red, green, blue, alpha] = color.map(|part| f32::from(part) / 255.0);
    lsp::Color {
        red,
        green,
        blue,
        alpha,
    }
}
