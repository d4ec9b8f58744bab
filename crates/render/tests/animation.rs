//! Animations hold only what has changed, and show the very pictures that they were given.

use std::io::Cursor;

use ndscript_base::tiles::Tiles;
use ndscript_render::Canvas;
use ndscript_render::animation::{Apng, Gif, Part};
use ndscript_render::board::{BoardLayout, BoardPainter, Mark};

/// The pixels of a picture, row by row.
type Picture = Vec<[u8; 4]>;

fn pixels(canvas: &Canvas) -> Picture {
    (0..canvas.height())
        .flat_map(|y| canvas.row(y).to_vec())
        .collect()
}

/// A board that comes to be: cells lose candidates and get them back, and a mark goes from cell to cell.
fn pictures() -> Vec<(Canvas, Part)> {
    let values = ["crimson", "gold", "navy", "sand"].map(String::from);
    let layout = BoardLayout {
        size: (6, 4),
        cell: Some(16),
        captions: vec![20],
        max_pixels: 1 << 20,
    };
    let mut painter = BoardPainter::new(&values, &Tiles::default(), &layout).unwrap();
    let mut pictures = Vec::new();
    for step in 0..40_u32 {
        let left: Vec<u32> = (0..4).filter(|value| (step + value) % 3 > 0).collect();
        painter.clear_marks();
        painter.show(step * 7 % 24, Some(&left));
        painter.mark(step * 7 % 24, Mark::Chosen);
        // Two in a row are the same.
        if step % 5 != 1 {
            painter.caption(0, &format!("step {}", step / 2));
        }
        let part = painter.take_changed().unwrap_or((0, 0, 1, 1));
        pictures.push((painter.canvas().clone(), part));
    }
    let whole = (0, 0, painter.canvas().width(), painter.canvas().height());
    // What is said to have changed may be more than what has.
    let last = pictures.last().unwrap().0.clone();
    pictures.push((last, whole));
    pictures
}

#[test]
fn a_gif_shows_the_pictures_that_it_was_given() {
    let pictures = pictures();
    let (width, height) = (pictures[0].0.width(), pictures[0].0.height());
    let mut gif = Gif::new(Vec::new(), width, height).unwrap();
    for (canvas, part) in &pictures {
        gif.add(canvas, *part, 100).unwrap();
    }
    let file = gif.finish().unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(&file[..]).unwrap();
    let mut shown = vec![[0; 4]; width as usize * height as usize];
    let mut sizes = Vec::new();
    for (canvas, _) in &pictures {
        let frame = decoder.read_next_frame().unwrap().unwrap();
        let palette = frame.palette.as_ref().unwrap();
        for (at, number) in frame.buffer.iter().enumerate() {
            if frame.transparent != Some(*number) {
                let (left, top) = (usize::from(frame.left), usize::from(frame.top));
                let (x, y) = (
                    left + at % usize::from(frame.width),
                    top + at / usize::from(frame.width),
                );
                let color = &palette[3 * usize::from(*number)..][..3];
                shown[y * width as usize + x] = [color[0], color[1], color[2], 255];
            }
        }
        sizes.push((frame.width, frame.height));
        assert!(shown == pixels(canvas), "picture {}", sizes.len());
    }
    assert!(decoder.read_next_frame().unwrap().is_none());
    assert_eq!(sizes[0], (width as u16, height as u16));
    assert_eq!(sizes.last(), Some(&(1, 1)), "nothing has changed");
}

fn assert_apng_shows(pictures: &[(Canvas, Part)]) {
    let (width, height) = (pictures[0].0.width(), pictures[0].0.height());
    let mut file = Vec::new();
    let mut apng = Apng::new(&mut file, width, height, pictures.len() as u32).unwrap();
    for (canvas, part) in pictures {
        apng.add(canvas, *part, 100).unwrap();
    }
    apng.finish().unwrap();
    let mut reader = png::Decoder::new(Cursor::new(&file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let mut shown = vec![[0; 4]; width as usize * height as usize];
    for (number, (canvas, _)) in pictures.iter().enumerate() {
        reader.next_frame(&mut bytes).unwrap();
        let frame = *reader.info().frame_control().unwrap();
        let news = bytes.as_chunks::<4>().0.iter();
        for (at, pixel) in news
            .take(frame.width as usize * frame.height as usize)
            .enumerate()
        {
            if frame.blend_op == png::BlendOp::Source || pixel[3] > 0 {
                let x = frame.x_offset as usize + at % frame.width as usize;
                let y = frame.y_offset as usize + at / frame.width as usize;
                shown[y * width as usize + x] = *pixel;
            }
        }
        assert!(shown == pixels(canvas), "picture {number}");
    }
}

#[test]
fn an_apng_shows_the_pictures_that_it_was_given() {
    assert_apng_shows(&pictures());
    // What can be seen through takes the place of what was there.
    let tile = |name: &str| {
        let picture = ndscript_base::picture::Picture::Image(name.into());
        let options = ndscript_render::RenderOptions::default();
        let canvas = ndscript_render::draw(&picture, &Tiles::default(), &options).unwrap();
        (canvas, (0, 0, 16, 16))
    };
    assert_apng_shows(&["red", "transparent", "transparent", "blue", "red"].map(tile));
}
