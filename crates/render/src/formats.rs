//! The forms in which pictures leave: PNG and GIF, SVG, pages, films, characters of a terminal.

pub mod animation;
mod decode;
pub mod html;
pub mod player;
mod png;
pub mod svg;
pub mod terminal;
