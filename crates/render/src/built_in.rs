//! The tiles that come with the language: 16 by 16 pixels each, drawn for this project.

use super::canvas::Canvas;
use super::terrain::{self, Drawing, SIZE};
use ndscript_base::tiles::BuiltInTile;

/// The pixels of a built-in tile.
pub(super) fn pixels(tile: BuiltInTile) -> Canvas {
    let (drawing, quarter_turns) = match tile {
        BuiltInTile::Up => (&ARROW, 0),
        BuiltInTile::Right => (&ARROW, 1),
        BuiltInTile::Down => (&ARROW, 2),
        BuiltInTile::Left => (&ARROW, 3),
        BuiltInTile::Wall => (&WALL, 0),
        BuiltInTile::Floor => (&FLOOR, 0),
        BuiltInTile::Door => (&DOOR, 0),
        BuiltInTile::Treasure => (&TREASURE, 0),
        BuiltInTile::Monster => (&MONSTER, 0),
        BuiltInTile::Unknown => (&UNKNOWN, 0),
        land => (terrain::drawing(land).unwrap_or(&UNKNOWN), 0),
    };
    let color = if terrain::drawing(tile).is_some() {
        terrain::color
    } else {
        color
    };
    let letter = |x: usize, y: usize| {
        drawing
            .get(y)
            .and_then(|row| row.as_bytes().get(x))
            .copied()
            .unwrap_or(b' ')
    };
    let last = SIZE - 1;
    let places = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| match quarter_turns {
        0 => color(letter(x, y)),
        1 => color(letter(y, last - x)),
        2 => color(letter(last - x, last - y)),
        _ => color(letter(last - y, x)),
    });
    let pixels: Vec<[u8; 4]> = pixels.collect();
    Canvas::from_pixels(SIZE as u32, SIZE as u32, pixels)
        .unwrap_or_else(|| unreachable!("16 by 16 pixels"))
}

/// The color of a letter of a drawing.
fn color(letter: u8) -> [u8; 4] {
    let [_, red, green, blue] = match letter {
        // Stone, from the joints to the lit edges.
        b'0' => 0x232531_u32,
        b'1' => 0x3f4357,
        b'2' => 0x585d75,
        b'3' => 0x707690,
        b'4' => 0x8d93ab,
        // Flagstones.
        b'j' => 0xa39374,
        b'f' => 0xc4b595,
        b'F' => 0xd3c6a8,
        b's' => 0xb6a685,
        // Shadow on flagstones.
        b'S' => 0x86785e,
        // Wood.
        b'w' => 0x4a2c1a,
        b'W' => 0x7a4a27,
        b'v' => 0x965f33,
        b'V' => 0xb37844,
        // Iron.
        b'i' => 0x2d2f38,
        b'I' => 0x6a6f7e,
        // Gold.
        b'g' => 0xb37d14,
        b'G' => 0xf0be35,
        b'y' => 0xffe98a,
        // The monster: outline, skin, horns, eyes, teeth.
        b'k' => 0x2a1233,
        b'm' => 0x6c2c85,
        b'M' => 0x9347b0,
        b'N' => 0xb872cf,
        b'h' => 0xeadcb4,
        b'e' => 0xfff35c,
        b'r' => 0xd82d3a,
        b't' => 0xfffff5,
        // The question mark.
        b'u' => 0x2b364a,
        b'U' => 0x36435b,
        b'd' => 0x1b2332,
        b'q' => 0xf2f5fa,
        // Arrows.
        b'p' => 0xf3ecda,
        b'P' => 0xe2d7bd,
        b'a' => 0x1f5f8b,
        b'A' => 0x2f83bb,
        b'b' => 0x6fb4dd,
        _ => return [0; 4],
    }
    .to_be_bytes();
    [red, green, blue, 255]
}

const WALL: Drawing = [
    "4444443044444430",
    "4333332043333320",
    "3332221033222210",
    "0000000000000000",
    "4430444444304444",
    "3320433333204333",
    "2210332222103322",
    "0000000000000000",
    "3333332044444430",
    "3222221043333320",
    "2222111033322210",
    "0000000000000000",
    "4430333333204444",
    "3320322222104333",
    "2210222111103332",
    "0000000000000000",
];

const FLOOR: Drawing = [
    "FFFFFFFjFFFFFFFj",
    "FffffffjFffffffj",
    "FfsffffjFfffFffj",
    "FffffffjFffffffj",
    "FffffFfjFffffffj",
    "FffffffjFfsffffj",
    "Fffffffjfffffssj",
    "jjjjjjjjjjjjjjjj",
    "FFFjFFFFFFFjFFFF",
    "fffjFffffffjFfff",
    "fffjFfffsffjFfff",
    "fsfjFffffffjFfFf",
    "fffjFFfffffjFfff",
    "fffjFffffffjFfff",
    "ffsjFfffffsjFfff",
    "jjjjjjjjjjjjjjjj",
];

const DOOR: Drawing = [
    "4444444444444440",
    "4333211111233320",
    "4322wwwwwww23320",
    "332wVvwVvwVvw210",
    "01wvVvwVvwVvWw10",
    "42wvVvwVvwVvWw30",
    "32IIIIIIIIIIIi20",
    "01iiiiiiiiiiii10",
    "42wvVvwVvwVvWw30",
    "32wvVvwVvwGyWw20",
    "01wvVvwVvwgGWw10",
    "42wvVvwVvwVvWw30",
    "32IIIIIIIIIIIi20",
    "01iiiiiiiiiiii10",
    "42wvVvwVvwVvWw30",
    "01wWWWwWWwWWww10",
];

const TREASURE: Drawing = [
    "FFFFFFFjFFFFFFFj",
    "FffffffjFffffffj",
    "FffwwwwwwwwwwFfj",
    "FfwVVVgVVgVVVwfj",
    "FwVvvvGvvGvvvVwj",
    "FwvvvvGvvGvvvvwj",
    "FwvWWWGWWGWWWvwj",
    "jwgGGGyyyyGGGgwj",
    "FwwwwwGiiGwwwwwF",
    "fwVvvvGiiGvvvVwf",
    "fwvvvvgGGgvvvvwf",
    "fwvWWWgvvgWWWvwf",
    "fwvWWWgWWgWWWvwf",
    "fwwwwwwwwwwwwwwf",
    "fSSSSSSSSSSSSSSf",
    "jjSSSSSSSSSSSSjj",
];

const MONSTER: Drawing = [
    "FFFFFFFjFFFFFFFj",
    "FkkffffjFffffkkj",
    "FkhkfffjFfffkhkj",
    "FkhhkkkkkkkkhhkF",
    "FfkkNNNNNNNNkkfj",
    "FfkNNMMMMMMNMkfj",
    "FkNMkMMMMMMkMMkj",
    "jkNMekkMMkkeMMkj",
    "FkMMeekMMkeeMMkF",
    "fkMMMMMMMMMMMmkf",
    "fkMMkkkkkkkkMmkf",
    "fkMktkrrrrktkmkf",
    "fkmMkrrttrrkmmkf",
    "fSkmmkkkkkkmmkSf",
    "fSSkkmkSSkmkkSSf",
    "jjSSkkSSSSkkSSjj",
];

const UNKNOWN: Drawing = [
    "UUUUUUUUUUUUUUUd",
    "Uuuuuuuuuuuuuuud",
    "Uuuuuqqqqquuuuud",
    "Uuuuqqqqqqquuuud",
    "Uuuuqqdduqqduuud",
    "Uuuuuddduqqduuud",
    "Uuuuuuuuqqqduuud",
    "Uuuuuuuqqqdduuud",
    "Uuuuuuqqqdduuuud",
    "Uuuuuuqqdduuuuud",
    "Uuuuuuqqduuuuuud",
    "Uuuuuuudduuuuuud",
    "Uuuuuuqqduuuuuud",
    "Uuuuuuqqduuuuuud",
    "Uuuuuuudduuuuuud",
    "dddddddddddddddd",
];

const ARROW: Drawing = [
    "pppppppppppppppp",
    "pppppppppppppppp",
    "pppppppaappppppp",
    "ppppppabAapppppp",
    "pppppabAAAappppp",
    "ppppabAAAAAapppp",
    "pppabAAAAAAAappp",
    "ppabAAAAAAAAAapp",
    "ppaaaabAAAaaaapp",
    "ppppppabAapppppp",
    "ppppppabAapppppp",
    "ppppppabAapppppp",
    "ppppppabAapppppp",
    "ppppppaaaapppppp",
    "pppppppppppppppp",
    "pppppppppppppppp",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_full_and_use_known_letters() {
        for drawing in [WALL, FLOOR, DOOR, TREASURE, MONSTER, UNKNOWN, ARROW] {
            for row in drawing {
                assert_eq!(row.len(), SIZE, "{row}");
                assert!(row.bytes().all(|letter| color(letter)[3] == 255), "{row}");
            }
        }
    }
}
