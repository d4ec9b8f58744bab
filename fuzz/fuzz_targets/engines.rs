//! Generated programs in both engines; the bytes decide what is generated.
#![no_main]

#[path = "../../tests/agreement/mod.rs"]
#[allow(dead_code, reason = "the tests use what this target does not")]
mod agreement;
#[path = "../../tests/generator/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the tests use what this target does not"
)]
mod generator;
#[path = "../../tests/naive/mod.rs"]
#[allow(dead_code, reason = "the tests use what this target does not")]
mod naive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((order, bytes)) = bytes.split_first() else {
        return;
    };
    let any_order = order % 3 == 2;
    let text = generator::text(&generator::program_of_bytes(bytes, any_order));
    // The naive interpreter recurses on the native stack.
    let thread = std::thread::Builder::new().stack_size(agreement::STACK);
    let compared = thread.spawn(move || {
        if let agreement::Verdict::Disagree(_, difference) =
            agreement::compare(&text, any_order).verdict
        {
            panic!("{text}\n{difference}");
        }
    });
    compared
        .expect("a thread can be made")
        .join()
        .expect("the engines agree");
});
