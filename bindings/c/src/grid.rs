//! Grids as integers, without JSON.

use std::ffi::c_char;

use ndscript::{Kind, View};

use crate::border::{emptied, give, given, guard, some_text, text};
use crate::json::list_from_json;
use crate::run::NdsRun;

/// The cells of a grid in a global variable, row by row, as 64-bit integers; `width` and `height` get its size. A cell is
/// its number, or the only candidate of a set of one. With `values`, a JSON array, a cell is the index of its value in
/// that: so tiles become numbers. Whatever else a cell holds is `other`.
#[unsafe(no_mangle)]
pub extern "C" fn nds_run_grid(
    run: Option<&NdsRun>,
    name: *const c_char,
    values: *const c_char,
    other: i64,
    width: Option<&mut usize>,
    height: Option<&mut usize>,
) -> *mut i64 {
    let (width, height) = (emptied(width, 0), emptied(height, 0));
    guard(std::ptr::null_mut(), || {
        let state = given(run, "run")?.lock()?;
        let name = text(name, "name of the variable")?;
        let values = some_text(values, "JSON of the values")?
            .map(|values| list_from_json(values, "values"))
            .transpose()?;
        let grid = state
            .run
            .view_global(name)
            .filter(|view| view.kind() == Kind::Grid);
        let grid = grid.ok_or_else(|| format!("there is no grid `{name}`"))?;
        let cell = |view: View<'_>| {
            let view = match view.kind() {
                Kind::Set if view.len() == 1 => view.get(0).unwrap_or(view),
                _ => view,
            };
            let number = match &values {
                None => view.as_i64(),
                Some(values) => {
                    let value = view.data();
                    values
                        .iter()
                        .position(|known| *known == value)
                        .map(|at| at as i64)
                }
            };
            number.unwrap_or(other)
        };
        let cells: Vec<u8> = grid
            .cells()
            .flat_map(|view| cell(view).to_ne_bytes())
            .collect();
        *given(width, "width")? = grid.width();
        *given(height, "height")? = grid.height();
        Ok(give(&cells).cast())
    })
}
