//! Tiles for maps of a land: 16 by 16 pixels each, drawn for this project.

use ndscript_base::tiles::BuiltInTile;

/// The width and height of the tiles that come with the language.
pub(super) const SIZE: usize = 16;

/// A tile row by row, a letter a pixel.
pub(super) type Drawing = [&'static str; SIZE];

/// The drawing of a tile; `None` if it shows no land.
pub(super) fn drawing(tile: BuiltInTile) -> Option<&'static Drawing> {
    Some(match tile {
        BuiltInTile::Sea => &SEA,
        BuiltInTile::Sand => &SAND,
        BuiltInTile::Grass => &GRASS,
        BuiltInTile::Forest => &FOREST,
        BuiltInTile::Hill => &HILL,
        BuiltInTile::Mountain => &MOUNTAIN,
        BuiltInTile::Road => &ROAD,
        BuiltInTile::River => &RIVER,
        BuiltInTile::Bridge => &BRIDGE,
        BuiltInTile::House => &HOUSE,
        BuiltInTile::Tower => &TOWER,
        _ => return None,
    })
}

/// The color of a letter of a drawing.
pub(super) fn color(letter: u8) -> [u8; 4] {
    // Water a to d, sand e to h, grass i to l, trees m to q, rock and snow r to w, roads x to z, wood A to C, roofs D to F,
    // walls and windows G to J, the stone of towers K to N.
    let [_, red, green, blue] = match letter {
        b'a' => 0x1d5f96_u32,
        b'b' => 0x2673ae,
        b'c' => 0x3c8cc4,
        b'd' => 0x86bfe0,
        b'e' => 0xd9c07f,
        b'f' => 0xe8d49a,
        b'g' => 0xc7ab68,
        b'h' => 0xf4e6b8,
        b'i' => 0x5a9a3c,
        b'j' => 0x69ab45,
        b'k' => 0x7cbc52,
        b'l' => 0x4a8632,
        b'm' => 0x1f5130,
        b'n' => 0x2c6b3c,
        b'o' => 0x3d8549,
        b'p' => 0x57a05a,
        b'q' => 0x5b3d24,
        b'r' => 0x8a8d92,
        b's' => 0xa9acb0,
        b't' => 0x6a6d74,
        b'u' => 0x4d5058,
        b'v' => 0xf3f6f8,
        b'w' => 0xd5dde4,
        b'x' => 0xb98f5c,
        b'y' => 0xcda673,
        b'z' => 0xa17a4a,
        b'A' => 0x6b4526,
        b'B' => 0x8c5d34,
        b'C' => 0xa97645,
        b'D' => 0xb4472f,
        b'E' => 0xd0603f,
        b'F' => 0x8c3423,
        b'G' => 0xefe0c2,
        b'H' => 0xd8c49c,
        b'I' => 0x3a2a1e,
        b'J' => 0xf6d35b,
        b'K' => 0x9a9ca6,
        b'L' => 0xbfc1c9,
        b'M' => 0x74767f,
        b'N' => 0x55575f,
        _ => return [0; 4],
    }
    .to_be_bytes();
    [red, green, blue, 255]
}

const SEA: Drawing = [
    "bbbbbbbbbbbbbbbb",
    "bbbbbbbbbcdccbbb",
    "bcdccbbbbabbabbb",
    "babbabbbbbbbbbbb",
    "bbbbbbbbbbbbbbbb",
    "bbbbbbbbbbbbbbbb",
    "bbbbbcdccbbbbbbb",
    "bbbbbabbabbbcdcb",
    "bbbbbbbbbbbbabab",
    "bbbbbbbbbbbbbbbb",
    "cdcbbbbbbbbbbbbb",
    "ababbbbcdccbbbbb",
    "bbbbbbbabbabbbbb",
    "bbbbbbbbbbbbbbbb",
    "bbbcdcbbbbbcdccb",
    "bbbababbbbbabbab",
];

const SAND: Drawing = [
    "fffgfffeffffhgff",
    "fhfgffffffheffef",
    "ffffffffffhfffff",
    "ffffffffffefffff",
    "ffefffffffehffff",
    "ffffffefhhfgefff",
    "ffeeffffffffffff",
    "ffffffffffffffff",
    "effeffffhffffeef",
    "ffefgffefeffffff",
    "ffffffffffheffff",
    "ffeeffffffffffef",
    "effffffefeffffff",
    "feffffeefhffffhf",
    "fffffffhhffhefff",
    "efffffegfgffffff",
];

const GRASS: Drawing = [
    "jjjjjjjjjjjijjjj",
    "jijjjjjjjjkjijij",
    "jikjijjjjlkljjjj",
    "jlkljjjjjjjjjijj",
    "jjijjjjjjjjijjjj",
    "jjjjjjijjjjjijji",
    "jjjjjjjjijjjjjjj",
    "jjjjjjkijjjijjjj",
    "jjijjlkljijjjjjj",
    "jjjjjjjjjjjjjkij",
    "jjjjjjjjjjjjlklj",
    "jjjjjjjjjjjijjjj",
    "jjjkjijjjjjjjjjj",
    "jjlkljjjjkjjjjjj",
    "jjjjjjjjlkljjiji",
    "ijjjjjjjjijjjjjj",
];

const FOREST: Drawing = [
    "jjjjjjijjjmmmjij",
    "jjjmmmjjjmppomjj",
    "jjmppomjmppoonmj",
    "jmppoonmmpoonnmj",
    "jmpoonnmmoonnnmi",
    "jmoonnnmjmnnnmij",
    "jimnnnmmmmmmmjjj",
    "jjjmmmpppoomijjj",
    "jijjqmppoonmljij",
    "jijjqppoonnnjkjj",
    "jmmmjmoonnnmlmmm",
    "mpoommonnnnmmpoo",
    "moonmjmmmmmjmoon",
    "monnmjjjqkjjmonn",
    "jmmmjjjjqlljjmmm",
    "jjqjjjijjjjjjiqj",
];

const HILL: Drawing = [
    "ijjjjjjjjjjjjjjj",
    "jjjjijijjjkjjijj",
    "jjkjjjjjjlkljjjj",
    "jlkljjjjjiijjjjj",
    "jjjjijjilllllljj",
    "jjjjjjjlkkjjjilj",
    "jjjjjjjkkkjjjiij",
    "jjjjllllkkjjjiil",
    "jjlljjjjlljjjiii",
    "jlkkjjjjiiljjiii",
    "jkkkjjjjiiilllll",
    "lkkkjjjjiiiljjjj",
    "kkjjjjjjiiiijjjj",
    "kjjjjjjjiiiijjjj",
    "lllllllllllljijj",
    "jjjjjjjjijjijjjj",
];

const MOUNTAIN: Drawing = [
    "jijjjjjjjjjjjjji",
    "ijjjjjujjjkjjjjj",
    "jjkjjiujilkljjij",
    "jlkljuwujjjjjjij",
    "jjjjjuwujjjjjjjj",
    "jjjjuvvwujjujjjj",
    "jjjjusttujjuijjj",
    "jjjjrsttujutujjj",
    "ijjursstuurstjjj",
    "jijrrstttusttuij",
    "iiurrstttuuttuuj",
    "jjrrsssttuusttuj",
    "jurrssttttuuttuu",
    "jurrssttttuuttuu",
    "urrrssstttuuujjj",
    "jjjjjjjijijijjjj",
];

const ROAD: Drawing = [
    "yyyyyyyyyxxyyyyy",
    "zyzyyxyyyyyxyyyx",
    "yyyyyyyyyyyxyxyy",
    "yyyyyxyyyzyyyyyy",
    "yxyzxyxyyyyyyyyz",
    "yyyyxxyyyyyyyyyy",
    "yyyzzyyxyxyzxyyy",
    "yyzyxyyyyyzyyyyx",
    "yyyyyyyyyyxyxyyx",
    "yyyyyyzyyyyyyyxy",
    "yyyxyyyyyyyyyyyy",
    "yyyyyyzxyyyxyyxy",
    "yyyyyzyyxyyyyyyy",
    "yyyxyyyyyyyyyzxy",
    "yyyyxyxyyyyyxyyy",
    "yxxyyyyyyyyxyyyy",
];

const RIVER: Drawing = [
    "cccccccccccccccc",
    "cccccccccddddccc",
    "cddddccccbccbccc",
    "cbccbccccccccccc",
    "cccccccccccccccc",
    "cccccccccccccccc",
    "cccccddddccccccc",
    "cccccbccbcccdddc",
    "ccccccccccccbcbc",
    "cccccccccccccccc",
    "dddccccccccccccc",
    "bcbccccddddccccc",
    "cccccccbccbccccc",
    "cccccccccccccccc",
    "cccdddcccccddddc",
    "cccbcbcccccbccbc",
];

const BRIDGE: Drawing = [
    "cccccccccccccccc",
    "cABccccccABddccc",
    "AABAAAAAAABAAAAA",
    "AABCACCCAABCACCC",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "ACBBACBBACBBACBB",
    "AABCACCCAABCACCC",
    "AABAAAAAAABAAAAA",
    "aABaaaaaaABaaaaa",
    "cccbcbcccccbccbc",
];

const HOUSE: Drawing = [
    "jjijjjjjjjjjjjjj",
    "jjjjjjFEDFkFDjji",
    "jjkjjFFEDFFFDjjj",
    "jlkliFEEDDFFDjij",
    "jjjjFEFEDFDFjiji",
    "jjjFEEEEDDDDFjjj",
    "jjFFEEFEDFDDFFjj",
    "jFEEEEEEDDDDDDFj",
    "FFFFFFFFFFFFFFFF",
    "jizGGGGGGGGHHzjj",
    "jjzGIJGABGIJHzlj",
    "jjzGJIGABGJIHzjj",
    "jjzGGGGAJGGHHzjj",
    "jjzGGGGABGGHHzjj",
    "jiqqqqqABqqqqqji",
    "jjllllllllllllji",
];

const TOWER: Drawing = [
    "jjjjjjjjjjijjjjj",
    "jjjLLjjLLjkMMjjj",
    "jjkNLLKKKKMMNjji",
    "jlkNLLKKKKMMNjjj",
    "jjjNNNNNNNNNNjjj",
    "jjjjNLMKKKNNjjji",
    "jjijNKMIMMNNjjjj",
    "jjjjNLKIIKMNjjjj",
    "jjjjNLKIIKMNjjij",
    "jjjjNKMMMMNNjkjj",
    "jjjjNLMKKKNNlklj",
    "jjijNLMIIKNNjjjj",
    "jjjkNKMABMNNjjji",
    "jjlkNLKABKMNjjii",
    "jjjjNLKABKMNjjjj",
    "jjjjllllllllljjj",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_use_known_letters() {
        let drawn: Vec<&Drawing> = BuiltInTile::ALL
            .iter()
            .filter_map(|(_, tile)| drawing(*tile))
            .collect();
        assert_eq!(drawn.len(), 11);
        for row in drawn.into_iter().flatten() {
            assert_eq!(row.len(), 16, "{row}");
            assert!(row.bytes().all(|letter| color(letter)[3] == 255), "{row}");
        }
    }
}
