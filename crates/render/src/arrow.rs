//! Arrows from cell to cell.

use super::canvas::Canvas;

/// Draws an arrow between two points, of this thickness in pixels.
pub(super) fn draw(
    canvas: &mut Canvas,
    from: (u32, u32),
    to: (u32, u32),
    thick: u32,
    color: [u8; 4],
) {
    let (x0, y0, x1, y1) = (
        f64::from(from.0),
        f64::from(from.1),
        f64::from(to.0),
        f64::from(to.1),
    );
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let head = (3.5 * f64::from(thick)).max(4.0).min(length);
    let mut dot = |x: f64, y: f64, half: f64| {
        let (left, top) = ((x - half).max(0.0) as u32, (y - half).max(0.0) as u32);
        for row in top..=(y + half).max(0.0) as u32 {
            for column in left..=(x + half).max(0.0) as u32 {
                canvas.put(column, row, color);
            }
        }
    };
    let mut at = 0.0;
    while at <= length {
        // The head is a triangle whose point is where the arrow ends.
        let left = length - at;
        let half = if left < head {
            left / 2.0
        } else {
            f64::from(thick - 1) / 2.0
        };
        let mut side = -half;
        while side <= half {
            dot(x0 + ux * at - uy * side, y0 + uy * at + ux * side, 0.0);
            side += 0.5;
        }
        at += 0.5;
    }
}
