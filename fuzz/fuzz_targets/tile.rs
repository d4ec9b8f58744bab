#![no_main]

#[path = "../../tests/safety/drivers/tile.rs"]
mod tile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tile::drive(bytes));
