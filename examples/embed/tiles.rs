//! A host with a tile type of its own and a function that guesses: the script asks for a tile that fits, the host lists
//! those that do, and the run tries them one after another until the whole picture closes.
//!
//! `cargo run --example embed_tiles`

use ndscript::{Choices, Engine, FromValue, HostError, IntoValue, Made, Maker, ValueError, View};

const SCRIPT: &str = r#"
    var width = 12, height = 5;
    var picture = makeGrid(width, height, null);
    foreach (p in positionsOf(picture)) {
        let left = p.x > 0 ? picture[p - position(1, 0)] : null;
        let above = p.y > 0 ? picture[p - position(0, 1)] : null;
        picture[p] = fitting(left, above, p.x == width - 1, p.y == height - 1);
    }
    for (let y = 0; y < height; y++) printLine(join(map(rowOf(picture, y), tile => tile.sign), ""));
"#;

/// A tile with pipes to some of its sides.
#[derive(Clone, Debug, PartialEq)]
struct Tile {
    sign: char,
    left: bool,
    up: bool,
    right: bool,
    down: bool,
}

impl FromValue for Tile {
    const EXPECTED: &'static str = "a tile";

    fn from_value(view: View<'_>) -> Option<Tile> {
        let side = |name: &str| view.field(name)?.as_bool();
        let sign = view.field("sign")?.as_str()?.chars().next()?;
        Some(Tile {
            sign,
            left: side("left")?,
            up: side("up")?,
            right: side("right")?,
            down: side("down")?,
        })
    }
}

impl IntoValue for Tile {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let sides = [
            ("left", self.left),
            ("up", self.up),
            ("right", self.right),
            ("down", self.down),
        ];
        let mut fields = vec![("sign", self.sign.into_value(maker)?)];
        for (name, side) in sides {
            fields.push((name, side.into_value(maker)?));
        }
        Ok(maker.object(fields))
    }
}

/// All tiles, by their pipes to the left, up, right and down.
fn tiles() -> Vec<Tile> {
    let kinds = "│0101 ─1010 ┌0011 ┐1001 └0110 ┘1100 ├0111 ┤1101 ┬1011 ┴1110 ·0000";
    let tile = |kind: &str| {
        let mut signs = kind.chars();
        let sign = signs.next().unwrap_or('?');
        let mut side = || signs.next() == Some('1');
        Tile {
            sign,
            left: side(),
            up: side(),
            right: side(),
            down: side(),
        }
    };
    kinds.split(' ').map(tile).collect()
}

/// The tiles that fit to the right of one and below another. Pipes do not leave the picture.
fn fitting(
    left: Option<Tile>,
    above: Option<Tile>,
    is_last_column: bool,
    is_last_row: bool,
) -> Result<Choices<Tile>, HostError> {
    let from_left = left.is_some_and(|tile| tile.right);
    let from_above = above.is_some_and(|tile| tile.down);
    let fits = |tile: &Tile| {
        tile.left == from_left
            && tile.up == from_above
            && !(is_last_column && tile.right)
            && !(is_last_row && tile.down)
    };
    Ok(Choices::shuffled(tiles().into_iter().filter(fits)))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new().with_function("fitting", fitting).with_doc(
        "left, above, isLastColumn, isLastRow",
        "A tile that fits beside its neighbours: a guess.",
    );
    let solution = engine
        .compile(SCRIPT)?
        .run(5)
        .next()
        .ok_or("no picture closes")??;
    print!("{}", solution.text);
    assert_eq!(solution.text.lines().count(), 5);
    Ok(())
}
