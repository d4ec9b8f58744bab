#![no_main]

#[path = "../../tests/safety/drivers/script.rs"]
mod script;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| script::drive(bytes));
