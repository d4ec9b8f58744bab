#![no_main]

#[path = "../../tests/safety/drivers/api.rs"]
mod api;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| api::drive(bytes));
