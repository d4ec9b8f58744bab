//! NDScript for [Godot](https://godotengine.org) 4: `.nds` files are resources, and [`NdSearch`] is a node that searches
//! a part of each frame until it is solved. README.md shows it from GDScript.
//!
//! [`frame`] is the part that knows nothing of Godot; everything else turns its values into Godot's and back.

mod extension;
mod files;
pub mod frame;
mod program;
mod search;
mod values;

pub use ndscript;
pub use program::{NdProgram, NdProgramLoader};
pub use search::NdSearch;
