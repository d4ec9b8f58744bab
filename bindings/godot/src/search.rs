//! A node that searches.

use std::time::Duration;

use godot::classes::{INode, Image, Node, image::Format};
use godot::prelude::*;
use ndscript::render::{RenderOptions, draw_to_fit};
use ndscript::tiles::Tiles;
use ndscript::{Param, PlacedPicture, Question, Solution};

use crate::frame::{Found, FrameSearch};
use crate::program::{NdProgram, tiles};
use crate::values::{to_data, to_variant};

/// Runs a program, a part of each frame, until it is solved.
#[derive(GodotClass)]
#[class(base = Node, init)]
pub struct NdSearch {
    /// The program that is run.
    #[export]
    program: Option<Gd<NdProgram>>,
    /// Equal seeds and parameters give equal solutions.
    #[export]
    seed: i64,
    /// Values for `param(name, default)`, by name.
    #[export]
    parameters: VarDictionary,
    /// How long it may search in each frame.
    #[export]
    #[init(val = 1.0)]
    milliseconds_per_frame: f64,
    /// Whether it starts by itself as soon as it is in the tree.
    #[export]
    #[init(val = true)]
    autostart: bool,
    search: Option<FrameSearch>,
    /// The tile images, read once.
    #[init(val = tiles())]
    tiles: Tiles,
    base: Base<Node>,
}

#[godot_api]
impl NdSearch {
    /// A solution: `text`, `value` (of `return`) and `pictures` (an array of `Image`); `global_value` has the variables.
    /// `search_next` looks for another one.
    #[signal]
    fn solved(solution: VarDictionary);

    /// The program asks: `prompt`, `options` (an array of strings, or null for a free line), `text` and `pictures`.
    /// The search waits for `answer` or `answer_line`.
    #[signal]
    fn waiting(question: VarDictionary);

    /// There is no solution, or none after those that were found, with the last reason that the program gave; or the
    /// program has an error, with its place.
    #[signal]
    fn failed(reason: GString, is_error: bool);

    /// Begins the search, anew if one is under way.
    #[func]
    fn start(&mut self) {
        match self.begin() {
            Ok(search) => self.search = Some(search),
            Err(why) => {
                self.search = None;
                self.signals().failed().emit(&GString::from(&why), true);
            }
        }
    }

    /// Ends the search.
    #[func]
    fn stop(&mut self) {
        self.search = None;
    }

    /// Looks for the next solution, after `solved`.
    #[func]
    fn search_next(&mut self) {
        if let Some(search) = &mut self.search {
            search.search_next();
        }
    }

    /// Answers a question with one of its options, counted from 0. False if there is no such question or option.
    #[func]
    fn answer(&mut self, option: i64) -> bool {
        let option = usize::try_from(option);
        let search = self.search.as_mut();
        option.is_ok_and(|option| search.is_some_and(|search| search.answer(option)))
    }

    /// Answers a question that has no options. False if there is no such question.
    #[func]
    fn answer_line(&mut self, line: GString) -> bool {
        let search = self.search.as_mut();
        search.is_some_and(|search| search.answer_line(&line.to_string()))
    }

    /// A variable of the program as it is now; null if there is none.
    #[func]
    fn global_value(&self, name: GString) -> Variant {
        let search = self.search.as_ref();
        let value = search.and_then(|search| search.global(&name.to_string()));
        value.as_ref().map_or_else(Variant::nil, to_variant)
    }

    /// Whether it is neither solved nor waiting nor at its end.
    #[func]
    fn is_searching(&self) -> bool {
        let search = self.search.as_ref();
        search.is_some_and(FrameSearch::is_searching)
    }

    /// The steps so far, as `x`, and the failures, as `y`.
    #[func]
    fn progress(&self) -> Vector2i {
        let of = |count: u64| i32::try_from(count).unwrap_or(i32::MAX);
        let search = self.search.as_ref();
        search.map_or(Vector2i::ZERO, |search| {
            let (steps, failures) = search.statistics();
            Vector2i::new(of(steps), of(failures))
        })
    }
}

impl NdSearch {
    fn begin(&mut self) -> Result<FrameSearch, String> {
        let Some(program) = &mut self.program else {
            return Err("NdSearch has no program: give it a `.nds` file".to_string());
        };
        let program = program.bind_mut().program()?;
        let mut parameters: Vec<(String, Param)> = Vec::new();
        for (name, value) in self.parameters.iter_shared() {
            let name = name.stringify().to_string();
            let value = to_data(&value).map_err(|why| format!("the parameter `{name}`: {why}"))?;
            parameters.push((name, Param::Data(value)));
        }
        let names = parameters.iter().map(|(name, _)| name.as_str());
        let unknown = program.unknown_parameters(names);
        if !unknown.is_empty() {
            return Err(unknown.join("\n"));
        }
        // Any bits are a seed.
        Ok(FrameSearch::new(&program, self.seed as u64, &parameters))
    }

    fn tell(&mut self, found: Found) {
        match found {
            Found::Solved(solution) => {
                let fields = solution_fields(&solution, &self.tiles);
                self.signals().solved().emit(&fields);
            }
            Found::Asked(question) => {
                let fields = question_fields(&question, &self.tiles);
                self.signals().waiting().emit(&fields);
            }
            Found::Failed(reason) => {
                let reason = GString::from(&reason.unwrap_or_default());
                self.signals().failed().emit(&reason, false);
            }
            Found::Error(why) => self.signals().failed().emit(&GString::from(&why), true),
        }
    }
}

#[godot_api]
impl INode for NdSearch {
    fn ready(&mut self) {
        if self.autostart && self.search.is_none() {
            self.start();
        }
    }

    fn process(&mut self, _delta: f64) {
        let time = self.milliseconds_per_frame / 1000.0;
        let time = Duration::try_from_secs_f64(time).unwrap_or(Duration::ZERO);
        let found = self.search.as_mut().and_then(|search| search.advance(time));
        if let Some(found) = found {
            self.tell(found);
        }
    }
}

fn solution_fields(solution: &Solution, tiles: &Tiles) -> VarDictionary {
    let mut fields = VarDictionary::new();
    fields.set("text", &GString::from(&solution.text));
    fields.set("value", &to_variant(&solution.value));
    fields.set("pictures", &images(&solution.pictures, tiles));
    fields
}

fn question_fields(question: &Question, tiles: &Tiles) -> VarDictionary {
    let options = question
        .options
        .as_ref()
        .map_or_else(Variant::nil, |options| {
            let options: Array<GString> = options.iter().map(GString::from).collect();
            options.to_variant()
        });
    let mut fields = VarDictionary::new();
    fields.set("prompt", &GString::from(&question.prompt));
    fields.set("options", &options);
    fields.set("text", &GString::from(&question.text));
    fields.set("pictures", &images(&question.pictures, tiles));
    fields
}

/// Pictures as Godot's images; one that cannot be drawn is left out, with an error in Godot's log.
fn images(pictures: &[PlacedPicture], tiles: &Tiles) -> Array<Gd<Image>> {
    let options = RenderOptions::default();
    let mut images = Array::new();
    for (_, picture) in pictures {
        let canvas = match draw_to_fit(picture, tiles, &options) {
            Ok((canvas, _)) => canvas,
            Err(why) => {
                godot_error!("cannot draw a picture: {why}");
                continue;
            }
        };
        let pixels = PackedByteArray::from(canvas.pixels().as_flattened());
        let (width, height) = (canvas.width() as i32, canvas.height() as i32);
        let image = Image::create_from_data(width, height, false, Format::RGBA8, &pixels);
        images.extend(image);
    }
    images
}
