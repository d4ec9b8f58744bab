//! Texts in other formats, read and written: JSON, XML, tables, maps of Tiled.

pub mod json_reading;
pub mod json_writing;
mod markup;
pub mod table_work;
pub mod tiled;
pub mod xml_reading;
