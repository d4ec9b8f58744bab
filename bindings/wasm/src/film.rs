//! How a grid comes to be, as a picture that moves and as a page that plays it.

use std::sync::Arc;

use ndscript::Outcome;
use ndscript::picture::Picture;
use ndscript::tiles::Tiles;
use ndscript_render::RenderError;
use ndscript_render::animation::Gif;
use ndscript_timeline::{Film as Shots, FilmOptions, FilmRenderer, Reel};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::outcome::outcome;

/// The most pixels of a picture of a film.
const MOST_PIXELS: u64 = 1 << 22;

/// A film of a grid: a run is recorded, then what was recorded becomes a file.
#[wasm_bindgen]
pub struct Film {
    run: ndscript::Run,
    tiles: Tiles,
    shots: Shots,
    showing: FilmOptions,
    /// What the solution has printed last, where the run stands at one.
    printed: Option<Arc<Picture>>,
    making: Option<Making>,
}

/// A GIF that is half made.
struct Making {
    cutting: FilmRenderer,
    reel: Reel,
    gif: Gif<Vec<u8>>,
}

impl Film {
    pub(crate) fn new(run: ndscript::Run, tiles: Tiles, grid: Option<String>, most: usize) -> Film {
        let shots = Shots::new(run.program().sources().clone(), grid, 1, most);
        Film {
            run,
            tiles,
            shots,
            showing: FilmOptions {
                max_pixels: MOST_PIXELS,
                ..FilmOptions::default()
            },
            printed: None,
            making: None,
        }
    }

    /// What was recorded, made ready to be shown.
    fn cut(&self) -> Result<FilmRenderer, JsError> {
        if self.shots.shots().is_empty() {
            return Err(JsError::new(&match self.shots.watched() {
                Some(grid) => format!("there is no film: the variable `{grid}` held no grid"),
                None => "there is no film: no variable of the program held a grid with sets of candidates".to_string(),
            }));
        }
        Ok(FilmRenderer::new(
            self.shots.clone(),
            self.tiles.clone(),
            self.showing.clone(),
        ))
    }
}

fn cannot_draw(why: RenderError) -> JsError {
    JsError::new(&format!("cannot draw the film: {why}"))
}

#[wasm_bindgen]
impl Film {
    /// Records on for at most so many steps, and says why the run has stopped.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn record(&mut self, fuel: f64) -> JsValue {
        self.making = None;
        let told = self.run.watch(fuel as u64, &mut self.shots);
        self.printed = match &told {
            Outcome::Solved(solution) => {
                solution.pictures.last().map(|(_, picture)| picture.clone())
            }
            _ => None,
        };
        outcome(told, &self.run, &self.tiles)
    }

    /// As [`Run`](crate::run::Run) has it.
    pub fn answer(&mut self, option: usize) -> bool {
        self.run.answer(option)
    }

    /// As [`Run`](crate::run::Run) has it.
    #[wasm_bindgen(js_name = "answerText")]
    pub fn answer_text(&mut self, line: &str) -> bool {
        self.run.answer_text(line)
    }

    /// How it is shown from now on: the width and height of a cell in pixels, as large as is comfortable without that, and for how
    /// many milliseconds each picture stands.
    pub fn show(&mut self, cell: Option<u32>, milliseconds: u32) {
        self.making = None;
        self.showing.cell = cell;
        self.showing.milliseconds = milliseconds;
    }

    /// Goes on with making a GIF by so many pictures; its bytes when it is done. Where the run stands at a solution, the last
    /// picture is what that has printed. Throws if there is no grid to be seen, or if the pictures are too large.
    #[wasm_bindgen(js_name = "goOnGif")]
    pub fn go_on_gif(&mut self, pictures: usize) -> Result<Option<Vec<u8>>, JsError> {
        let mut making = match self.making.take() {
            Some(begun) => begun,
            None => {
                let cutting = self.cut()?;
                let reel = cutting.reel().map_err(cannot_draw)?;
                let gif = Gif::new(Vec::new(), reel.canvas().width(), reel.canvas().height())?;
                Making { cutting, reel, gif }
            }
        };
        for _ in 0..pictures {
            let Making { cutting, reel, gif } = &mut making;
            if let Some(still) = reel.advance(cutting) {
                gif.add(reel.canvas(), still.part, still.milliseconds)?;
                continue;
            }
            if let Some(printed) = &self.printed
                && let Some(still) = reel.show_picture(cutting, printed).map_err(cannot_draw)?
            {
                gif.add(reel.canvas(), still.part, still.milliseconds)?;
            }
            return Ok(Some(making.gif.finish()?));
        }
        self.making = Some(making);
        Ok(None)
    }

    /// A page that plays it. Throws as [`goOnGif`](Film::go_on_gif) does.
    pub fn page(&self, title: &str) -> Result<String, JsError> {
        self.cut()?.page(title).map_err(cannot_draw)
    }
}
