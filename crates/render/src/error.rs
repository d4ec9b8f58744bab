//! Why a picture could not be drawn.

use std::fmt;

/// Why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum RenderError {
    /// It would have more pixels than allowed.
    TooLarge {
        /// Its width in pixels.
        width: u64,
        /// Its height in pixels.
        height: u64,
        /// How many pixels a picture may have.
        max_pixels: u64,
    },
    /// Its tile images together have more pixels than allowed.
    TilesTooLarge {
        /// The pixels of all its tile images.
        pixels: u64,
        /// How many they may have.
        max_pixels: u64,
    },
    /// As SVG it would be longer than allowed.
    SvgTooLarge {
        /// How many bytes it may have.
        max_bytes: u64,
    },
    /// A tile could not be found, or its image is damaged.
    Tile(String),
}

impl RenderError {
    /// Whether the picture is too large, and nothing wrong with it otherwise.
    pub fn is_limit(&self) -> bool {
        !matches!(self, RenderError::Tile(_))
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::TooLarge {
                width,
                height,
                max_pixels,
            } => write!(
                f,
                "the picture would be {width} x {height} pixels, more than the {max_pixels} pixels allowed: \
                 use a smaller map or a smaller tile size"
            ),
            RenderError::TilesTooLarge { pixels, max_pixels } => write!(
                f,
                "the tile images of the picture have {pixels} pixels together, more than the {max_pixels} allowed: \
                 use smaller images"
            ),
            RenderError::SvgTooLarge { max_bytes } => {
                write!(
                    f,
                    "the picture would take more than {max_bytes} bytes as SVG: use a smaller map, or PNG"
                )
            }
            RenderError::Tile(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RenderError {}
