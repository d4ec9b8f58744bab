//! The maps of `examples/tiles/`, checked by rules that are written here once more.

#[path = "examples_tiles/sample.rs"]
mod sample;
#[path = "../support/mod.rs"]
mod support;

use support::{example, number, refusal, solve, text, tiles};

type Map = Vec<Vec<String>>;

fn make(script: &str, seed: u64, width: usize, height: usize) -> Map {
    let parameters = [
        number("width", width as f64),
        number("height", height as f64),
    ];
    let solution = solve(&example("tiles", script), seed, &parameters);
    assert_eq!(
        (solution.text.as_str(), solution.pictures.len()),
        ("", 1),
        "{script}"
    );
    tiles(&solution.pictures[0].1)
}

/// How high a tile lies: neighbors may differ by one level only.
fn level(levels: &[&str], name: &str) -> i32 {
    levels
        .iter()
        .position(|each| *each == name)
        .unwrap_or_else(|| panic!("the tile {name:?}")) as i32
}

const SHORE: [&str; 3] = ["blue", "brown", "green"];

/// Fails unless all cells fit those that `steps` leads to, on a torus if told so.
fn check_fit(map: &Map, levels: &[&str], steps: &[(i32, i32)], torus: bool) {
    let (width, height) = (map[0].len() as i32, map.len() as i32);
    for y in 0..height {
        for x in 0..width {
            for (right, down) in steps {
                let (mut to_x, mut to_y) = (x + right, y + down);
                if torus {
                    (to_x, to_y) = (to_x.rem_euclid(width), to_y.rem_euclid(height));
                }
                let Some(other) = map
                    .get(to_y as usize)
                    .and_then(|row| row.get(to_x as usize))
                else {
                    continue;
                };
                let here = &map[y as usize][x as usize];
                let apart = (level(levels, here) - level(levels, other)).abs();
                assert!(
                    apart <= 1,
                    "{here} at ({x},{y}) beside {other} at ({to_x},{to_y})"
                );
            }
        }
    }
}

const FOUR: [(i32, i32); 2] = [(1, 0), (0, 1)];
const EIGHT: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

fn size(map: &Map) -> (usize, usize) {
    assert!(map.iter().all(|row| row.len() == map[0].len()));
    (map[0].len(), map.len())
}

fn check_border(map: &Map) {
    let (width, height) = size(map);
    for (y, row) in map.iter().enumerate() {
        for (x, tile) in row.iter().enumerate() {
            if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
                assert_eq!(tile, "blue", "at ({x},{y})");
            }
        }
    }
}

#[test]
fn a_queue_makes_maps_that_fit() {
    for seed in 1..=20 {
        let map = make("queue.nds", seed, 13, 7);
        assert_eq!(size(&map), (13, 7));
        check_fit(&map, &SHORE, &FOUR, false);
    }
}

#[test]
fn all_tiles_occur_and_seeds_differ() {
    let map = make("queue.nds", 1, 20, 20);
    assert_ne!(map, make("queue.nds", 2, 20, 20));
    for tile in SHORE {
        assert!(map.iter().flatten().any(|each| each == tile), "no {tile}");
    }
}

#[test]
fn smallest_first_makes_maps_that_fit() {
    for seed in 1..=10 {
        let map = make("smallest_first.nds", seed, 13, 9);
        assert_eq!(size(&map), (13, 9));
        let levels = [
            "navy",
            "royalblue",
            "khaki",
            "limegreen",
            "darkgreen",
            "dimgray",
        ];
        check_fit(&map, &levels, &FOUR, false);
    }
}

#[test]
fn the_border_is_water() {
    for seed in 1..=20 {
        let map = make("border.nds", seed, 11, 8);
        assert_eq!(size(&map), (11, 8));
        check_fit(&map, &SHORE, &FOUR, false);
        check_border(&map);
    }
}

#[test]
fn a_torus_has_no_seam() {
    for seed in 1..=20 {
        for (width, height) in [(9, 5), (2, 2), (1, 1), (1, 6)] {
            let shown = make("torus.nds", seed, width, height);
            assert_eq!(size(&shown), (2 * width, 2 * height));
            for (y, row) in shown.iter().enumerate() {
                for (x, tile) in row.iter().enumerate() {
                    assert_eq!(
                        tile,
                        &shown[y % height][x % width],
                        "the four copies are equal"
                    );
                }
            }
            let map: Map = shown[..height]
                .iter()
                .map(|row| row[..width].to_vec())
                .collect();
            check_fit(&map, &SHORE, &FOUR, true);
        }
    }
}

#[test]
fn eight_neighbors_fit() {
    for seed in 1..=20 {
        let map = make("eight_neighbors.nds", seed, 12, 9);
        assert_eq!(size(&map), (12, 9));
        check_fit(&map, &SHORE, &EIGHT, false);
    }
}

#[test]
fn an_island_is_connected() {
    check_islands("island.nds");
}

#[test]
fn an_island_by_constraints_keeps_the_same_rules() {
    check_islands("connected.nds");
}

fn check_islands(script: &str) {
    for seed in 1..=15 {
        let map = make(script, seed, 14, 10);
        assert_eq!(size(&map), (14, 10));
        check_fit(&map, &SHORE, &FOUR, false);
        check_border(&map);
        let land: Vec<(usize, usize)> = (0..10)
            .flat_map(|y| (0..14).map(move |x| (x, y)))
            .filter(|(x, y)| map[*y][*x] != "blue")
            .collect();
        assert!(
            land.len() * 10 >= 14 * 10 * 4,
            "only {} cells of land",
            land.len()
        );
        let mut reached = vec![land[0]];
        let mut next = 0;
        while let Some((x, y)) = reached.get(next).copied() {
            next += 1;
            for to in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if land.contains(&to) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        assert_eq!(
            reached.len(),
            land.len(),
            "the land of seed {seed} is in pieces"
        );
    }
}

#[test]
fn an_island_may_be_nearly_all_land_or_none() {
    let program = example("tiles", "island.nds");
    let parameters = [
        number("width", 5.0),
        number("height", 4.0),
        number("share", 0.3),
    ];
    let solution = solve(&program, 3, &parameters);
    assert!(
        tiles(&solution.pictures[0].1)
            .iter()
            .flatten()
            .filter(|tile| *tile != "blue")
            .count()
            == 6
    );
    let parameters = [
        number("width", 3.0),
        number("height", 3.0),
        number("share", 0.0),
    ];
    for seed in 0..20 {
        check_border(&tiles(&solve(&program, seed, &parameters).pictures[0].1));
    }
}

#[test]
fn bad_sizes_are_refused_in_words() {
    for script in [
        "queue.nds",
        "smallest_first.nds",
        "border.nds",
        "torus.nds",
        "eight_neighbors.nds",
        "island.nds",
    ] {
        let program = example("tiles", script);
        for bad in [
            number("width", 0.0),
            number("height", 2.5),
            text("width", "wide"),
            number("height", 1000.0),
        ] {
            let message = refusal(&program, &[bad]);
            let is_told = [
                "width and height have to be whole numbers",
                "the parameter width must be a number",
            ]
            .iter()
            .any(|told| message.starts_with(told));
            assert!(is_told, "{script}: {message}");
        }
    }
    for bad in [
        number("share", 2.0),
        number("share", -1.0),
        text("share", "half"),
    ] {
        let message = refusal(&example("tiles", "island.nds"), &[bad]);
        let is_told = [
            "share has to be a number",
            "the parameter share must be a number",
        ];
        assert!(
            is_told.iter().any(|told| message.starts_with(told)),
            "{message}"
        );
    }
}
