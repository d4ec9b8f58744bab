//! Canvases as PNG files.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use crate::Canvas;

impl Canvas {
    /// The canvas as a PNG file. If every pixel is opaque, opacity is left out.
    pub fn to_png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let encoder =
            PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive);
        let written = if self.pixels().iter().all(|pixel| pixel[3] == 255) {
            let mut bytes = Vec::with_capacity(self.pixels().len() * 3);
            bytes.extend(
                self.pixels()
                    .iter()
                    .flat_map(|[red, green, blue, _]| [*red, *green, *blue]),
            );
            encoder.write_image(&bytes, self.width(), self.height(), ExtendedColorType::Rgb8)
        } else {
            let bytes = self.pixels().as_flattened();
            encoder.write_image(bytes, self.width(), self.height(), ExtendedColorType::Rgba8)
        };
        // Writing to memory cannot fail, and a canvas is never empty and always full.
        debug_assert!(written.is_ok());
        file
    }
}
