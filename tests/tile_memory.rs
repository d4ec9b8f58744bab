//! Drawing takes memory for pixels and little more, whatever is in the files of its tiles.
#![allow(unsafe_code)]

#[path = "hostile/allocator.rs"]
#[allow(dead_code, reason = "only hostile programs are refused memory")]
mod allocator;

use ndscript::picture::Picture;
use ndscript::render::{Canvas, RenderOptions, draw};
use ndscript::tiles::{TileSource, Tiles};
use png::{BitDepth, ColorType, Encoder, Info};

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

const SIDE: u32 = 1024;

struct File(Vec<u8>);

impl TileSource for File {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok((name == "tile.png").then(|| self.0.clone()))
    }

    fn places(&self) -> String {
        "the test".to_string()
    }
}

/// Red, green, blue and opacity of a pixel, in 16 bits each.
fn sample(x: u32, y: u32) -> [u16; 4] {
    [
        (x * 64) as u16,
        (y * 64) as u16,
        0x8000,
        if (x + y).is_multiple_of(3) {
            0xffff
        } else {
            0x1234
        },
    ]
}

fn eight_bits(sample: u16) -> u8 {
    ((u32::from(sample) + 128) / 257) as u8
}

/// A file of 16 bits a sample, with a colour profile and a text that are larger than all the rest.
fn deep_file() -> Vec<u8> {
    let mut file = Vec::new();
    let mut info = Info::with_size(SIDE, SIDE);
    (info.color_type, info.bit_depth) = (ColorType::Rgba, BitDepth::Sixteen);
    info.icc_profile = Some(vec![0; 64 << 20].into());
    let mut encoder = Encoder::with_info(&mut file, info).unwrap();
    encoder
        .add_ztxt_chunk("Comment".to_string(), "x".repeat(64 << 20))
        .unwrap();
    let mut writer = encoder.write_header().unwrap();
    let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    let bytes: Vec<u8> = places
        .flat_map(|(x, y)| sample(x, y))
        .flat_map(u16::to_be_bytes)
        .collect();
    writer.write_image_data(&bytes).unwrap();
    drop(writer);
    file
}

fn drawn(file: Vec<u8>) -> Canvas {
    let tiles = Tiles::new(File(file));
    draw(
        &Picture::Image("tile".into()),
        &tiles,
        &RenderOptions::default(),
    )
    .unwrap()
}

#[test]
fn a_tile_takes_the_memory_of_its_pixels() {
    let file = deep_file();
    let tiles = Tiles::new(File(file));
    let before = allocator::live();
    allocator::forget_peak();
    let canvas = draw(
        &Picture::Image("tile".into()),
        &tiles,
        &RenderOptions::default(),
    )
    .unwrap();
    let taken = allocator::peak() - before;
    // The tile and the canvas that it is drawn on, at four bytes a pixel; and the file, which is handed over as a copy.
    let pixels = 4 * (SIDE * SIDE) as isize;
    assert!(
        taken < 2 * pixels + (3 << 20),
        "{taken} bytes for {pixels} of pixels"
    );
    for (x, y) in [(0, 0), (1, 2), (700, 3), (SIDE - 1, SIDE - 1)] {
        assert_eq!(
            canvas.pixel(x, y),
            Some(sample(x, y).map(eight_bits)),
            "({x}, {y})"
        );
    }
}

/// A chunk of a file.
fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let content: Vec<u8> = name.iter().chain(data).copied().collect();
    let sum = content.iter().fold(!0u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                sum >> 1 ^ 0xedb8_8320
            } else {
                sum >> 1
            }
        })
    });
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(content);
    file.extend((!sum).to_be_bytes());
}

/// Rows that come in seven passes are put where they belong.
#[test]
fn interlaced_tiles_are_drawn() {
    const WIDTH: usize = 11;
    const HEIGHT: usize = 9;
    let gray = |x: usize, y: usize| (x * 20 + y) as u8;
    let mut rows = Vec::new();
    for (x, y, dx, dy) in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ] {
        for y in (y..HEIGHT).step_by(dy) {
            rows.push(0);
            rows.extend((x..WIDTH).step_by(dx).map(|x| gray(x, y)));
        }
    }
    let (a, b) = rows.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    let length = rows.len() as u16;
    let mut data = vec![0x78, 0x01, 1];
    data.extend(length.to_le_bytes());
    data.extend((!length).to_le_bytes());
    data.extend(rows);
    data.extend((b << 16 | a).to_be_bytes());
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [WIDTH as u32, HEIGHT as u32].map(u32::to_be_bytes).concat();
    header.extend([8, 0, 0, 0, 1]);
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &data);
    chunk(&mut file, b"IEND", &[]);
    let canvas = drawn(file);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let gray = gray(x, y);
            assert_eq!(
                canvas.pixel(x as u32, y as u32),
                Some([gray, gray, gray, 255]),
                "({x}, {y})"
            );
        }
    }
}
