//! Pictures, drawn when somebody asks for pixels.

use ndscript::render::{RenderOptions, draw_to_fit};

use crate::border::{emptied, give, give_text, given, guard, tell};
use crate::run::{NdsRun, State};
use std::ffi::c_char;

fn picture(state: &State, at: usize) -> Result<&ndscript::PlacedPicture, String> {
    let pictures = &state.told.pictures;
    pictures.get(at).ok_or_else(|| match pictures.len() {
        0 => "there are no pictures".to_string(),
        1 => format!("there is no picture {at}: there is one, number 0"),
        count => format!("there is no picture {at}: there are {count}, from number 0"),
    })
}

/// How many pictures were printed for the latest solution or question, or later by a call: a call that prints none leaves
/// those from before.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_picture_count(run: Option<&NdsRun>) -> usize {
    guard(0, || Ok(given(run, "run")?.lock()?.told.pictures.len()))
}

/// Before which byte of the text a picture stands. If there is no such picture, it is 0 and nds_last_error says so.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_picture_offset(run: Option<&NdsRun>, picture_number: usize) -> usize {
    guard(0, || {
        Ok(picture(&*given(run, "run")?.lock()?, picture_number)?.0)
    })
}

/// What a picture shows, in words.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_picture_words(
    run: Option<&NdsRun>,
    picture_number: usize,
) -> *mut c_char {
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        Ok(give_text(&picture(&state, picture_number)?.1.in_words()))
    })
}

/// A picture as the bytes of a PNG file. `tile_size` is the width and height of a cell in pixels; with 0 the tiles of the
/// map decide. `length` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_picture_png(
    run: Option<&NdsRun>,
    picture_number: usize,
    tile_size: u32,
    length: Option<&mut usize>,
) -> *mut u8 {
    let length = emptied(length, 0);
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let options = RenderOptions {
            tile_size: (tile_size > 0).then_some(tile_size),
            ..RenderOptions::default()
        };
        let drawn = draw_to_fit(&picture(&state, picture_number)?.1, &state.tiles, &options);
        let (canvas, _) = drawn.map_err(|why| format!("cannot draw the picture: {why}"))?;
        let png = canvas.to_png();
        tell(length, png.len());
        Ok(give(&png))
    })
}
