//! Tile names that are colors, and links to imported files and to images.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::import_beside;
use ndscript::syntax::highlight::TokenClass;
use ndscript::tiles::{Tile, Tiles, color_names};

use super::{Failure, Server};
use crate::store::{Document, uri_of};

/// Asks for at most this many different texts whether there is an image of that name: each question reads the disk.
const MOST_NAMES: usize = 1000;

impl Server {
    /// The colors that strings of a document name.
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

    /// The ways to write a color.
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
            Some(link(text.range(range), self.store.uri(path)))
        };
        let mut links: Vec<lsp::DocumentLink> = own.filter_map(link).collect();
        links.extend(self.image_links(&name, &document));
        Ok(links)
    }

    /// Links from the names of tiles to their images. Tiles without a file have none.
    fn image_links(&self, program: &str, document: &Document) -> Vec<lsp::DocumentLink> {
        let text = &document.text;
        let tiles = self.store.files.tiles(program);
        let mut known: HashMap<&str, Option<lsp::Uri>> = HashMap::new();
        let mut links = Vec::new();
        for (class, range) in document.tokens() {
            if *class != TokenClass::String {
                continue;
            }
            let Some(inner) = unquoted(&text.text, range.clone()) else {
                continue;
            };
            let name = &text.text[inner.clone()];
            if known.len() >= MOST_NAMES && !known.contains_key(name) {
                continue;
            }
            let target = known.entry(name).or_insert_with(|| {
                let tile = tiles.resolve(name).ok()?;
                let path = import_beside(program, image(&tile)?);
                Some(uri_of(&path))
            });
            if target.is_some() {
                links.push(link(text.range(inner), target.clone()));
            }
        }
        links
    }
}

fn link(range: lsp::Range, target: Option<lsp::Uri>) -> lsp::DocumentLink {
    lsp::DocumentLink {
        range,
        target,
        tooltip: None,
        data: None,
    }
}

/// The path of the image that a tile is made of.
fn image(tile: &Tile) -> Option<&str> {
    match tile {
        Tile::Image(image) => Some(&image.path),
        Tile::Square(square) => image(&square.of),
        Tile::Turned(turned) => image(&turned.of),
        Tile::Color(_) | Tile::BuiltIn(_) | Tile::Label(_) => None,
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
