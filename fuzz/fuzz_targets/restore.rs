#![no_main]

#[path = "../../tests/safety/drivers/restore.rs"]
mod restore;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| restore::drive(bytes));
