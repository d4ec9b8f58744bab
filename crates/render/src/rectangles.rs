//! Few rectangles in place of many equal cells.

use super::canvas::Area;

/// Rectangles of equal things that together cover all cells where there is something, each cell once.
pub(super) fn rectangles<T: PartialEq>(
    width: u32,
    height: u32,
    at: impl Fn(u32, u32) -> Option<T>,
) -> Vec<(T, Area)> {
    let place = |x: u32, y: u32| y as usize * width as usize + x as usize;
    let mut is_covered = vec![false; width as usize * height as usize];
    let mut found = Vec::new();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        if is_covered[place(x, y)] {
            continue;
        }
        let Some(what) = at(x, y) else { continue };
        let is_free = |x: u32, y: u32| !is_covered[place(x, y)] && at(x, y).as_ref() == Some(&what);
        let right = (x + 1..width)
            .find(|right| !is_free(*right, y))
            .unwrap_or(width);
        let bottom = (y + 1..height)
            .find(|row| (x..right).any(|x| !is_free(x, *row)))
            .unwrap_or(height);
        for row in y..bottom {
            is_covered[place(x, row)..place(x, row) + (right - x) as usize].fill(true);
        }
        found.push((
            what,
            Area {
                x,
                y,
                width: right - x,
                height: bottom - y,
            },
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::rng::Rng;

    #[test]
    fn each_cell_is_covered_once() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let (width, height) = (rng.below(9) as u32, rng.below(9) as u32);
            let cells: Vec<u64> = (0..width * height).map(|_| rng.below(3)).collect();
            let at =
                |x: u32, y: u32| Some(cells[(y * width + x) as usize]).filter(|cell| *cell > 0);
            let mut covered = vec![0; cells.len()];
            for (what, area) in rectangles(width, height, at) {
                for (x, y) in (area.y..area.y + area.height)
                    .flat_map(|y| (area.x..area.x + area.width).map(move |x| (x, y)))
                {
                    assert_eq!(covered[(y * width + x) as usize], 0);
                    covered[(y * width + x) as usize] = what;
                }
            }
            assert_eq!(covered, cells);
        }
    }
}
