//! A fixed share of what the fuzzing targets do, in every run of the tests. `NDSCRIPT_FUZZ=n` asks for n times as much.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ndscript::picture::Picture;
use ndscript::render::{RenderOptions, draw};
use ndscript::rng::Rng;
use ndscript::tiles::Tiles;

use super::drivers;

fn times(count: u64) -> u64 {
    count
        * std::env::var("NDSCRIPT_FUZZ")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(1)
}

/// Bytes with a few changes: some replaced, inserted, removed, or moved.
fn changed(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.below(6) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        match rng.below(4) {
            0 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            1 => bytes.insert(at, rng.below(256) as u8),
            2 if at < bytes.len() => drop(bytes.drain(at..(at + 4).min(bytes.len()))),
            _ => {
                let part: Vec<u8> = bytes[at..(at + 8).min(bytes.len())].to_vec();
                let to = rng.below(bytes.len() as u64 + 1) as usize;
                bytes.splice(to..to, part);
            }
        }
    }
    bytes
}

fn survives(drive: fn(&[u8]), bytes: &[u8]) {
    let attempt = catch_unwind(AssertUnwindSafe(|| drive(bytes)));
    assert!(
        attempt.is_ok(),
        "these bytes bring it down: {:?}\n{bytes:?}",
        String::from_utf8_lossy(bytes)
    );
}

#[test]
fn scripts_with_changes() {
    let texts: Vec<Vec<u8>> = super::corpus::scripts()
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .collect();
    let mut rng = Rng::new(21);
    for _ in 0..times(400) {
        let at = rng.below(texts.len() as u64) as usize;
        let text = changed(&mut rng, &texts[at]);
        survives(drivers::script::drive, &text);
    }
}

#[test]
fn image_files() {
    let canvas = draw(
        &Picture::Image("up".into()),
        &Tiles::default(),
        &RenderOptions::default(),
    )
    .unwrap();
    let file = canvas.to_png();
    let mut rng = Rng::new(22);
    survives(drivers::tile::drive, &file);
    for _ in 0..times(400) {
        let bytes = changed(&mut rng, &file);
        survives(drivers::tile::drive, &bytes);
    }
}

#[test]
fn calls_of_the_api() {
    let mut rng = Rng::new(23);
    for _ in 0..times(400) {
        let mut bytes = vec![rng.below(256) as u8, 0, rng.below(256) as u8, 2, 0];
        bytes.extend((0..rng.below(150)).map(|_| rng.below(256) as u8));
        survives(drivers::api::drive, &bytes);
    }
}

#[test]
fn saved_runs() {
    let mut rng = Rng::new(24);
    for mode in 0..6 {
        survives(drivers::restore::drive, &[mode]);
    }
    for _ in 0..times(400) {
        let bytes: Vec<u8> = (0..1 + rng.below(16))
            .map(|_| rng.below(256) as u8)
            .collect();
        survives(drivers::restore::drive, &bytes);
    }
}
