//! Pictures with all their pixels, in the terminals that can show them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use icy_sixel::{
    DiffusionMethod, MethodForLargest, MethodForRep, PixelFormat, Quality, sixel_string,
};
use ndscript_render::Canvas;

use crate::arguments::options::Preview;

/// The way pictures are sent to a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Two pixels a character, for every terminal with colors.
    Blocks,
    Kitty,
    Iterm,
    Sixel,
}

/// The protocol of this terminal, as far as its environment tells, unless one is asked for.
pub fn protocol(preview: Preview) -> Protocol {
    match preview {
        Preview::Kitty => Protocol::Kitty,
        Preview::Iterm => Protocol::Iterm,
        Preview::Sixel => Protocol::Sixel,
        Preview::Blocks => Protocol::Blocks,
        Preview::Auto | Preview::Always | Preview::Never => {
            protocol_by(&|name| std::env::var(name).ok())
        }
    }
}

/// The protocol for pictures that the terminal knows, by the environment.
fn protocol_by(variable: &dyn Fn(&str) -> Option<String>) -> Protocol {
    let value = |name| variable(name).unwrap_or_default();
    let (term, program) = (value("TERM"), value("TERM_PROGRAM"));
    // Terminal multiplexers do not pass pictures through.
    if variable("TMUX").is_some()
        || variable("STY").is_some()
        || term.starts_with("screen")
        || term.starts_with("tmux")
    {
        return Protocol::Blocks;
    }
    match (term.as_str(), program.as_str()) {
        ("xterm-kitty" | "xterm-ghostty", _) | (_, "ghostty") => Protocol::Kitty,
        _ if variable("KITTY_WINDOW_ID").is_some() => Protocol::Kitty,
        (_, "iTerm.app" | "WezTerm") => Protocol::Iterm,
        (_, "mintty" | "mlterm" | "contour") => Protocol::Sixel,
        (term, _)
            if ["foot", "mlterm", "contour", "yaft"]
                .iter()
                .any(|known| term.starts_with(known)) =>
        {
            Protocol::Sixel
        }
        (term, _) if term.contains("sixel") => Protocol::Sixel,
        _ => Protocol::Blocks,
    }
}

/// A picture, `columns` wide, with the end of its line; `None` if a pixel protocol cannot show it.
pub fn picture(protocol: Protocol, canvas: &Canvas, columns: u32, window: u32) -> Option<String> {
    match protocol {
        Protocol::Blocks => None,
        Protocol::Kitty => Some(kitty(&canvas.to_png(), columns)),
        Protocol::Iterm => {
            let png = canvas.to_png();
            let data = STANDARD.encode(&png);
            let size = png.len();
            Some(format!(
                "\x1b]1337;File=inline=1;size={size};width={columns};preserveAspectRatio=1:{data}\x07\n"
            ))
        }
        Protocol::Sixel => sixel(canvas, window),
    }
}

/// The data is sent in pieces of at most 4096 bytes.
fn kitty(png: &[u8], columns: u32) -> String {
    let data = STANDARD.encode(png);
    let pieces: Vec<&[u8]> = data.as_bytes().chunks(4096).collect();
    let mut out = String::with_capacity(data.len() + 64 * pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        let head = if at == 0 {
            format!("a=T,f=100,q=2,c={columns},")
        } else {
            String::new()
        };
        let more = u32::from(at + 1 < pieces.len());
        out.push_str(&format!(
            "\x1b_G{head}m={more};{}\x1b\\",
            String::from_utf8_lossy(piece)
        ));
    }
    out.push('\n');
    out
}

/// Dots of a column, as terminals commonly have them.
const DOTS: u32 = 8;

/// A picture as sixels, shrunk to the window.
fn sixel(canvas: &Canvas, window: u32) -> Option<String> {
    // Sixels are shown as large as they are.
    let step = canvas.width().div_ceil((window * DOTS).max(1)).max(1) as usize;
    let rows = (0..canvas.height()).step_by(step);
    let bytes: Vec<u8> = rows
        .flat_map(|row| canvas.row(row).iter().step_by(step).flat_map(over_black))
        .collect();
    let width = i32::try_from((canvas.width() as usize).div_ceil(step)).ok()?;
    let height = i32::try_from((canvas.height() as usize).div_ceil(step)).ok()?;
    let text = sixel_string(
        &bytes,
        width,
        height,
        PixelFormat::RGB888,
        DiffusionMethod::None,
        MethodForLargest::Auto,
        MethodForRep::Auto,
        Quality::HIGH,
    );
    text.ok().map(|text| format!("{text}\n"))
}

/// The color of a pixel before a dark screen.
fn over_black(pixel: &[u8; 4]) -> [u8; 3] {
    let [red, green, blue, opacity] = pixel.map(u32::from);
    [red, green, blue].map(|part| (part * opacity / 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript::picture::Picture;
    use ndscript_render::{RenderOptions, draw};

    #[test]
    fn the_environment_tells_the_protocol() {
        let by = |set: &[(&str, &str)]| {
            protocol_by(&|name| {
                set.iter()
                    .find(|(other, _)| *other == name)
                    .map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(by(&[("TERM", "xterm-256color")]), Protocol::Blocks);
        assert_eq!(by(&[("TERM", "xterm-kitty")]), Protocol::Kitty);
        assert_eq!(
            by(&[("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")]),
            Protocol::Kitty
        );
        assert_eq!(by(&[("TERM_PROGRAM", "iTerm.app")]), Protocol::Iterm);
        assert_eq!(by(&[("TERM", "foot-extra")]), Protocol::Sixel);
        assert_eq!(
            by(&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/x")]),
            Protocol::Blocks
        );
    }

    #[test]
    fn every_protocol_holds_the_picture() {
        let canvas = draw(
            &Picture::Image("red".into()),
            &Default::default(),
            &RenderOptions::default(),
        )
        .unwrap();
        let kitty = picture(Protocol::Kitty, &canvas, 4, 80).unwrap();
        assert!(
            kitty.starts_with("\x1b_Ga=T,f=100,q=2,c=4,m=0;iVBOR") && kitty.ends_with("\x1b\\\n"),
            "{kitty:?}"
        );
        let iterm = picture(Protocol::Iterm, &canvas, 4, 80).unwrap();
        let data = iterm
            .split_once(':')
            .unwrap()
            .1
            .strip_suffix("\x07\n")
            .unwrap();
        assert_eq!(STANDARD.decode(data).unwrap(), canvas.to_png());
        let sixel = picture(Protocol::Sixel, &canvas, 4, 80).unwrap();
        // The size, and the one color in percent, which the crate rounds a little.
        let (size, color) = ("\"1;1;16;16", sixel.split_once("#0;2;").unwrap().1);
        assert!(
            sixel.starts_with("\x1bP") && sixel.contains(size) && sixel.ends_with("\x1b\\\n"),
            "{sixel:?}"
        );
        assert!(
            color.starts_with("97;0;0#") || color.starts_with("100;0;0#"),
            "{sixel:?}"
        );
    }

    #[test]
    fn large_pictures_go_in_pieces() {
        let pieces = kitty(&vec![7; 10_000], 9);
        assert_eq!(pieces.matches("\x1b_G").count(), 4);
        assert_eq!(pieces.matches("m=1;").count(), 3);
        assert!(pieces.split("\x1b\\").all(|piece| piece.len() < 4200));
    }
}
