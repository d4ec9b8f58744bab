//! `ndscript tiles`: the tiles of pictures, with names: as lines, in colors on a terminal, or as a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ndscript::picture::{Legend, Picture};
use ndscript::tiles::{BuiltInTile, Tiles, color_names};
use ndscript_render::RenderOptions;
use ndscript_render::html::{END, Piece, begin, section};

use crate::arguments::options::TileListOptions;
use crate::exit::{Exit, Stop};
use crate::files::save::save;
use crate::files::{FolderTiles, in_words};
use crate::terminal::{self, say};
use crate::terminal::{preview, stdout};

/// Tiles of one kind.
struct Group {
    heading: String,
    names: Vec<String>,
    /// The lines of a tile on a terminal.
    lines: usize,
}

/// Shows the built-in tiles, and others that are asked for.
pub fn tiles(options: &TileListOptions) -> Result<Exit, Stop> {
    let tiles = Tiles::new(FolderTiles::new(options.tiles.iter().cloned())?);
    let render = RenderOptions {
        tile_size: options.tile_size,
        ..RenderOptions::default()
    };
    let groups = groups(options)?;
    let picture = picture_of(groups.iter().flat_map(|group| group.names.iter()));
    if let Some(path) = &options.png {
        let canvas =
            ndscript_render::draw(&picture, &tiles, &render).map_err(|why| Stop::undrawn(&why))?;
        write(path, &canvas.to_png())?;
    }
    if let Some(path) = &options.svg {
        let drawing = ndscript_render::draw_svg(&picture, &tiles, &render)
            .map_err(|why| Stop::undrawn(&why))?;
        write(path, drawing.as_bytes())?;
    }
    if let Some(path) = &options.html {
        let mut page = begin("Tiles");
        for group in &groups {
            let picture = picture_of(group.names.iter());
            let canvas = ndscript_render::draw(&picture, &tiles, &render)
                .map_err(|why| Stop::undrawn(&why))?;
            let (png, width, height) = (canvas.to_png(), canvas.width(), canvas.height());
            page.push_str(&section(
                &group.heading,
                &[Piece::Image {
                    png,
                    width,
                    height,
                    name: picture.in_words(),
                }],
            ));
        }
        write(path, (page + END).as_bytes())?;
    }
    if options.png.is_none() && options.svg.is_none() && options.html.is_none() {
        let is_shown = terminal::shows_pictures(options.screen);
        for (at, group) in groups.iter().enumerate() {
            let gap = if at > 0 { "\n" } else { "" };
            let tiles = if is_shown {
                swatches(group, &tiles)?
            } else {
                group.names.iter().map(|name| format!("{name}\n")).collect()
            };
            if is_shown {
                stdout::write_text(&format!("{gap}{}\n\n", group.heading))?;
                stdout::write_styled(&tiles)?;
            } else {
                stdout::write_text(&tiles)?;
            }
        }
        stdout::flush()?;
    }
    Ok(Exit::Success)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    save(path, bytes)?;
    say(&format!("wrote {}", path.display()));
    Ok(())
}

fn picture_of<'a>(names: impl Iterator<Item = &'a String>) -> Picture {
    let names: Vec<Arc<str>> = names.map(|name| name.as_str().into()).collect();
    Picture::Legend(Legend {
        words: names.clone(),
        names,
    })
}

/// The tiles to show, in groups with headings.
fn groups(options: &TileListOptions) -> Result<Vec<Group>, Stop> {
    let names = BuiltInTile::ALL
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    let mut groups = vec![Group {
        heading: "Built-in tiles".to_string(),
        names,
        lines: usize::MAX,
    }];
    for folder in &options.tiles {
        let names = images_in(folder)?;
        if names.is_empty() {
            say(&format!("there are no PNG files in {}", folder.display()));
        } else {
            groups.push(Group {
                heading: format!("Images in {}", folder.display()),
                names,
                lines: usize::MAX,
            });
        }
    }
    if options.colors {
        let names = color_names().into_iter().map(str::to_string).collect();
        groups.push(Group {
            heading: "Colors".to_string(),
            names,
            lines: 2,
        });
    }
    Ok(groups)
}

/// The names of the tiles in a folder, sorted.
fn images_in(folder: &Path) -> Result<Vec<String>, Stop> {
    let problem = |why: &std::io::Error| {
        Stop::error(format!(
            "cannot read the tile folder \"{}\": {}",
            folder.display(),
            in_words(why)
        ))
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|why| problem(&why))? {
        let entry = entry.map_err(|why| problem(&why))?;
        // Links count as what they lead to.
        if fs::metadata(entry.path()).is_ok_and(|about| !about.is_file()) {
            continue;
        }
        let name = entry.file_name();
        if let Some(name) = name
            .to_str()
            .and_then(|name| name.strip_suffix(".png"))
            .filter(|name| !name.is_empty())
        {
            names.push(name.to_string());
        }
    }
    names.sort();
    Ok(names)
}

/// The width of a tile, and the gap to the next.
const WIDTH: u32 = 16;
const GAP: usize = 2;

/// The tiles of a group side by side, as wide as the window, each above its name.
fn swatches(group: &Group, tiles: &Tiles) -> Result<String, Stop> {
    let across = (terminal::size().0 as usize + GAP) / (WIDTH as usize + GAP);
    let mut out = String::new();
    for row in group.names.chunks(across.max(1)) {
        let mut pictures = Vec::new();
        for name in row {
            let swatch = preview::swatch(name, tiles, WIDTH)?;
            pictures.push(
                swatch
                    .into_iter()
                    .take(group.lines)
                    .collect::<Vec<String>>(),
            );
        }
        let height = pictures.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let blank = " ".repeat(WIDTH as usize);
            let parts: Vec<&str> = pictures
                .iter()
                .map(|lines| lines.get(line).map_or(blank.as_str(), String::as_str))
                .collect();
            out.push_str(&format!("{}\n", parts.join(&" ".repeat(GAP))));
        }
        let named: Vec<String> = row
            .iter()
            .map(|name| {
                format!(
                    "{:<width$.width$}",
                    stdout::shown(name),
                    width = WIDTH as usize
                )
            })
            .collect();
        out.push_str(&format!("{}\n\n", named.join(&" ".repeat(GAP)).trim_end()));
    }
    Ok(out)
}
