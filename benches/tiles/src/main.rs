//! `tiles plain map SIZE SEED` fills the map of three tiles by a loop made for it, `tiles wfc terrain SIZE SEED` the forty heights
//! of ../peers/constraints/terrain.nds by the crate `wfc`.

use std::num::NonZeroU32;

use direction::{CardinalDirection, CardinalDirectionTable};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use wfc::retry::Forever;
use wfc::{GlobalStats, PatternDescription, PatternTable, RunOwn, Size, wrap};

/// What may stand beside each set of sand, grass and water: everything beside sand, no water beside grass.
fn image(set: u8) -> u8 {
    let beside = |tile: u8, allowed: u8| if set & tile != 0 { allowed } else { 0 };
    beside(1, 7) | beside(2, 3) | beside(4, 5)
}

/// A random undecided cell, a random tile of it, and what follows, until no cell is undecided.
fn plain_map(size: usize, rng: &mut SmallRng) -> Vec<u8> {
    let images: [u8; 8] = std::array::from_fn(|set| image(set as u8));
    let mut cells = vec![7u8; size * size];
    let mut open: Vec<u32> = (0..cells.len() as u32).collect();
    let mut waiting: Vec<(u32, u8)> = Vec::new();
    while !open.is_empty() {
        let at = rng.gen_range(0..open.len());
        let cell = open[at] as usize;
        let count = cells[cell].count_ones();
        if count == 1 {
            open.swap_remove(at);
            continue;
        }
        let mut set = cells[cell];
        for _ in 0..rng.gen_range(0..count) {
            set &= set - 1;
        }
        waiting.push((cell as u32, set & set.wrapping_neg()));
        while let Some((cell, allowed)) = waiting.pop() {
            let cell = cell as usize;
            let left = cells[cell] & allowed;
            if left == cells[cell] {
                continue;
            }
            cells[cell] = left;
            let (x, y, image) = (cell % size, cell / size, images[left as usize]);
            if x > 0 {
                waiting.push((cell as u32 - 1, image));
            }
            if x + 1 < size {
                waiting.push((cell as u32 + 1, image));
            }
            if y > 0 {
                waiting.push(((cell - size) as u32, image));
            }
            if y + 1 < size {
                waiting.push(((cell + size) as u32, image));
            }
        }
    }
    cells
}

/// Forty heights: to the right the ground rises by 3 or falls by 2 at most, downwards it rises by 2 or falls by 3.
fn terrain(size: usize, rng: &mut SmallRng) -> bool {
    let heights = |from: i32, low: i32, high: i32| -> Vec<u32> {
        (from + low..=from + high)
            .filter(|to| (0..40).contains(to))
            .map(|to| to as u32)
            .collect()
    };
    let patterns = (0..40).map(|height| {
        let mut beside = CardinalDirectionTable::default();
        beside[CardinalDirection::East] = heights(height, -2, 3);
        beside[CardinalDirection::West] = heights(height, -3, 2);
        beside[CardinalDirection::South] = heights(height, -3, 2);
        beside[CardinalDirection::North] = heights(height, -2, 3);
        PatternDescription::new(Some(NonZeroU32::MIN), beside)
    });
    let stats = GlobalStats::new(PatternTable::from_vec(patterns.collect()));
    let size = Size::new(size as u32, size as u32);
    let wave = RunOwn::new_wrap(size, &stats, wrap::WrapNone, rng).collapse_retrying(Forever, rng);
    wave.grid()
        .enumerate()
        .all(|(_, cell)| cell.chosen_pattern_id().is_ok())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    let (Some(size), Some(seed)) = (number(2), number(3)) else {
        eprintln!("usage: tiles plain map SIZE SEED, or tiles wfc terrain SIZE SEED");
        std::process::exit(2);
    };
    let mut rng = SmallRng::seed_from_u64(seed);
    let is_done = match arguments[0].as_str() {
        "plain" => plain_map(size as usize, &mut rng)
            .iter()
            .all(|cell| cell.is_power_of_two()),
        _ => terrain(size as usize, &mut rng),
    };
    println!("{is_done}");
    std::process::exit(i32::from(!is_done));
}
