//! Tiled's JSON, walked as if it were the tags of a .tmx file, where sets of tiles come before layers, whatever the
//! order of the keys.

use super::fields::Fields;
use super::making::MapBuilder;
use super::values::{LONGEST_TAG, NotAMap, VALUES_OF_TAG, short};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;

/// At most this many numbers of a layer, or bytes of its text, are read at a time.
const BLOCK: usize = 1 << 10;

/// An object has at most this many points.
const MOST_POINTS: usize = 1 << 12;

/// The type of an object, by the name of its tag.
type Tag = &'static str;

/// The fields that are read of any object.
const FIELDS: &[&str] = &[
    "name",
    "type",
    "class",
    "width",
    "height",
    "orientation",
    "tilewidth",
    "tileheight",
    "hexsidelength",
    "staggeraxis",
    "staggerindex",
    "firstgid",
    "source",
    "columns",
    "margin",
    "spacing",
    "id",
    "probability",
    "visible",
    "x",
    "y",
    "rotation",
    "gid",
    "template",
    "encoding",
    "compression",
    "tileid",
    "wangid",
];

/// The parts of each object, in the order in which they are walked, and the tag that each one is.
const PARTS: &[(Tag, &str, Tag)] = &[
    ("map", "properties", "property"),
    ("map", "tilesets", "tileset"),
    ("map", "layers", ""),
    ("group", "layers", ""),
    ("tileset", "properties", "property"),
    ("tileset", "tiles", "tile"),
    ("tileset", "wangsets", "wangset"),
    ("tile", "properties", "property"),
    ("wangset", "properties", "property"),
    ("wangset", "edgecolors", "wangcolor"),
    ("wangset", "cornercolors", "wangcolor"),
    ("wangset", "colors", "wangcolor"),
    ("wangset", "wangtiles", "wangtile"),
    ("layer", "properties", "property"),
    ("objectgroup", "properties", "property"),
    ("objectgroup", "objects", "object"),
    ("imagelayer", "properties", "property"),
    ("object", "properties", "property"),
];

#[derive(Clone, Copy)]
enum Step {
    Begin(Tag, Value),
    /// The elements of an array, or the fields of an object, from one on.
    Each(Tag, Value, usize),
    /// The numbers of a layer, from one on.
    Numbers(Value, usize),
    Close(Tag),
}

/// The value that `readJson` gives for a file of Tiled, being turned into tags.
#[derive(Clone)]
pub struct Walk {
    steps: Vec<Step>,
}

impl Walk {
    /// # Errors
    /// If it is no file of Tiled.
    pub fn new(context: &Context, root: Value) -> Result<Walk, NotAMap> {
        let kind = field(context, root, "type");
        let kind = kind
            .and_then(|kind| context.heap.as_str(kind))
            .unwrap_or_default();
        let has_field = |name| field(context, root, name).is_some();
        let tag = match kind {
            "map" => "map",
            "tileset" => "tileset",
            "template" => return Err(NotAMap::new("this is a template of things, not a map")),
            // Files have the type since Tiled 1.0.
            _ if has_field("layers") && has_field("tilesets") => "map",
            _ if has_field("tilewidth") && has_field("tilecount") => "tileset",
            _ if has_field("defs") && has_field("levels") => {
                return Err(NotAMap::new(
                    "this is a file of LDtk: `readLdtk` of \"std/ldtk\" reads it",
                ));
            }
            _ => {
                return Err(NotAMap::new(
                    "this is JSON, but no map of Tiled; `readJson` reads it",
                ));
            }
        };
        Ok(Walk {
            steps: vec![Step::Begin(tag, root)],
        })
    }

    /// Continues by a step; true at the end.
    ///
    /// # Errors
    /// If something in the file is wrong.
    pub fn step(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        budget: &mut Budget,
    ) -> Result<bool, NotAMap> {
        let Some(step) = self.steps.last().copied() else {
            return Ok(true);
        };
        budget.spend(16);
        match step {
            Step::Begin(tag, object) => {
                let fields = fields_of(context, object, budget)?;
                let bytes_of_parts = bytes_of_other_parts(context, object);
                context
                    .reserve(making.room(context, fields.1 + bytes_of_parts) + 64 * PARTS.len())?;
                self.steps.pop();
                self.begin(context, making, tag, object, &fields.0)?;
            }
            Step::Each(tag, list, at) => {
                context.reserve(making.room(context, 512))?;
                self.steps.pop();
                self.each(context, making, tag, list, at)?;
            }
            Step::Numbers(list, at) => self.numbers(context, making, list, at, budget)?,
            Step::Close(tag) => {
                context.reserve(making.room(context, 0))?;
                making.close(context, tag)?;
                self.steps.pop();
            }
        }
        Ok(self.steps.is_empty())
    }

    /// Enters an object of the JSON form of a map, as the XML form would enter its tag.
    fn begin(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        tag: Tag,
        object: Value,
        fields: &Fields,
    ) -> Result<(), NotAMap> {
        let tag = match tag {
            "" => match fields.text("type") {
                "tilelayer" => "layer",
                "objectgroup" => "objectgroup",
                "imagelayer" => "imagelayer",
                "group" => "group",
                other => {
                    let what = format!(
                        "a layer is of the type {:?}, which Tiled does not write",
                        short(other)
                    );
                    return Err(NotAMap::Text(what));
                }
            },
            tag => tag,
        };
        if tag == "property" {
            return self.property(context, making, object, fields);
        }
        making.enter(context, tag, fields)?;
        self.push(Step::Close(tag));
        let at = self.steps.len();
        for (_, part, inner) in PARTS.iter().filter(|(of, ..)| *of == tag) {
            if let Some(list) = field(context, object, part) {
                self.push(Step::Each(inner, list, 0));
            }
        }
        self.steps[at..].reverse();
        match tag {
            "tileset" | "tile" => self.image(context, making, object)?,
            "object" => self.shape(context, making, object)?,
            "layer" => self.data(context, making, object, fields)?,
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, step: Step) {
        room::grow(&mut self.steps, 1);
        self.steps.push(step);
    }

    /// Enters the next element of a list, and comes back for the one after it.
    fn each(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        tag: Tag,
        list: Value,
        at: usize,
    ) -> Result<(), NotAMap> {
        let handle = list.payload();
        match list.kind() {
            Kind::Array => {
                let Some(element) = context.heap.element(handle, at) else {
                    return Ok(());
                };
                self.push(Step::Each(tag, list, at + 1));
                if tag == "chunk" {
                    return self.chunk(context, making, element);
                }
                self.push(Step::Begin(tag, element));
            }
            // Files of before Tiled 1.2 have properties as fields.
            Kind::Object if tag == "property" => {
                let slots = context.heap.objects[handle].slots();
                let Some([name, value]) = slots.get(2 * at..2 * at + 2) else {
                    return Ok(());
                };
                let (name, value) = (*name, *value);
                let name = context.heap.as_str(name).unwrap_or_default();
                let name = name.chars().take(LONGEST_TAG / 4).collect::<String>();
                self.push(Step::Each(tag, list, at + 1));
                making.put_property(context, &name, value);
            }
            _ => {}
        }
        Ok(())
    }

    fn property(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        object: Value,
        fields: &Fields,
    ) -> Result<(), NotAMap> {
        let value = field(context, object, "value").unwrap_or(Value::NULL);
        making.put_property(context, fields.text("name"), value);
        Ok(())
    }

    /// The picture of a set or a tile, which is a tag of its own in a .tmx file.
    fn image(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        object: Value,
    ) -> Result<(), NotAMap> {
        let Some(image) = field(context, object, "image") else {
            return Ok(());
        };
        let source = context.heap.as_str(image).unwrap_or_default();
        let source = source.chars().take(LONGEST_TAG / 4).collect();
        let width = field(context, object, "imagewidth").and_then(Value::as_integer);
        let width = width.unwrap_or_default().to_string();
        let fields = Fields::new([("source".into(), source), ("width".into(), width)]);
        making.enter(context, "image", &fields)?;
        making.close(context, "image")
    }

    /// Enters the shape of an object on a map, if it has one.
    fn shape(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        object: Value,
    ) -> Result<(), NotAMap> {
        for shape in ["ellipse", "point", "polygon", "polyline", "text"] {
            let Some(value) = field(context, object, shape) else {
                continue;
            };
            if value == Value::FALSE {
                continue;
            }
            let mut points = String::new();
            if value.is_kind(Kind::Array) {
                let count = context.heap.array_len(value.payload());
                for at in 0..count.min(MOST_POINTS) {
                    let point = context
                        .heap
                        .element(value.payload(), at)
                        .unwrap_or(Value::NULL);
                    let number =
                        |name| field(context, point, name).and_then(|x| context.heap.as_f64(x));
                    let (x, y) = (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0));
                    points += &format!("{x},{y} ");
                }
            }
            let fields = match points.is_empty() {
                true => Fields::default(),
                false => Fields::new([("points".into(), points)]),
            };
            making.enter(context, shape, &fields)?;
            if let Some(text) = field(context, value, "text").filter(|_| shape == "text") {
                let text = context.heap.as_str(text).unwrap_or_default();
                let text = text.chars().take(LONGEST_TAG).collect::<String>();
                making.take_text(&text);
            }
            making.close(context, shape)?;
        }
        Ok(())
    }

    /// The numbers of a layer: all of them, or in chunks.
    fn data(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        object: Value,
        fields: &Fields,
    ) -> Result<(), NotAMap> {
        let encoding = match fields.text("encoding") {
            "" => "csv",
            encoding => encoding,
        };
        let fields = Fields::new([
            ("encoding".into(), encoding.into()),
            ("compression".into(), fields.text("compression").into()),
        ]);
        making.enter(context, "data", &fields)?;
        // They come before what else there is in the layer, as it was put on before them.
        self.push(Step::Close("data"));
        if let Some(chunks) = field(context, object, "chunks") {
            self.push(Step::Each("chunk", chunks, 0));
        } else if let Some(data) = field(context, object, "data") {
            self.push(Step::Numbers(data, 0));
        }
        Ok(())
    }

    fn chunk(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        chunk: Value,
    ) -> Result<(), NotAMap> {
        let number = |name: &str| {
            let number = field(context, chunk, name).and_then(Value::as_integer);
            (name.to_string(), number.unwrap_or_default().to_string())
        };
        let fields = Fields::new(["x", "y", "width", "height"].map(number));
        making.enter(context, "chunk", &fields)?;
        self.push(Step::Close("chunk"));
        if let Some(data) = field(context, chunk, "data") {
            self.push(Step::Numbers(data, 0));
        }
        Ok(())
    }

    /// Continues to read the tile numbers of a layer, a block at a time.
    fn numbers(
        &mut self,
        context: &mut Context,
        making: &mut MapBuilder,
        list: Value,
        at: usize,
        budget: &mut Budget,
    ) -> Result<(), NotAMap> {
        let Some(numbers) = &mut making.numbers else {
            self.steps.pop();
            return Ok(());
        };
        context.reserve(VALUES_OF_TAG + numbers.room(BLOCK))?;
        let (mut block, mut values) = (Vec::new(), Vec::new());
        let mut is_end = false;
        if let Some(text) = context.heap.as_str(list) {
            let end = (at + BLOCK).min(text.len());
            is_end = end == text.len();
            block.extend_from_slice(&text.as_bytes()[at..end]);
        } else if list.is_kind(Kind::Array) {
            let end = (at + BLOCK).min(context.heap.array_len(list.payload()));
            is_end = end == context.heap.array_len(list.payload());
            for at in at..end {
                values.push(
                    context
                        .heap
                        .element(list.payload(), at)
                        .unwrap_or(Value::NULL),
                );
            }
        }
        budget.spend(block.len() + values.len() + 1);
        let wrong = || NotAMap::new("what stands in a layer is no number of a tile");
        for byte in &block {
            if !numbers.take(*byte)? {
                return Err(wrong());
            }
        }
        for value in &values {
            let number = value
                .as_integer()
                .and_then(|number| u32::try_from(number).ok());
            numbers.take_number(number.ok_or_else(wrong)?);
        }
        self.steps.pop();
        if is_end {
            numbers.end_number()?;
        } else if !block.is_empty() || !values.is_empty() {
            self.steps.push(Step::Numbers(list, at + BLOCK));
        } else {
            return Err(wrong());
        }
        Ok(())
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        for step in &self.steps {
            match step {
                Step::Begin(_, value) | Step::Each(_, value, _) | Step::Numbers(value, _) => {
                    tracer.values.push(*value);
                }
                Step::Close(_) => {}
            }
        }
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.steps)
    }
}

fn field(context: &Context, object: Value, name: &str) -> Option<Value> {
    let object: Handle = object.handle_of(Kind::Object)?;
    let key = context.heap.find_text(name)?;
    let value = context.heap.objects[object].get(key)?;
    (value != Value::NULL).then_some(value)
}

/// The bytes of the parts of an object apart from its plain fields: a picture, points, words.
fn bytes_of_other_parts(context: &Context, object: Value) -> usize {
    let text = |of, name| {
        let text = field(context, of, name)?;
        Some(context.heap.as_str(text)?.len())
    };
    let points = ["polygon", "polyline"].map(|name| {
        let points = field(context, object, name)?.handle_of(Kind::Array)?;
        Some(128 * context.heap.array_len(points).min(MOST_POINTS))
    });
    let words = field(context, object, "text").and_then(|words| text(words, "text"));
    let parts = [text(object, "image"), words].into_iter().chain(points);
    parts.flatten().sum::<usize>() + 512
}

/// The fields of an object that are plain values, and the bytes that they take.
fn fields_of(
    context: &mut Context,
    object: Value,
    budget: &mut Budget,
) -> Result<(Fields, usize), NotAMap> {
    let mut found = Vec::new();
    let mut bytes = 0;
    for name in FIELDS {
        let Some(value) = field(context, object, name) else {
            continue;
        };
        let text = if let Some(text) = context.heap.as_str(value) {
            if text.len() > LONGEST_TAG {
                return Err(NotAMap::Text(format!(
                    "`{name}` is longer than 64,000 characters"
                )));
            }
            text.to_string()
        } else if let Some(number) = context.heap.as_f64(value) {
            number.to_string()
        } else if let Some(is) = value.as_boolean() {
            is.to_string()
        } else if *name == "wangid" && value.is_kind(Kind::Array) {
            let colors =
                (0..8).filter_map(|at| context.heap.element(value.payload(), at)?.as_integer());
            let colors: Vec<String> = colors.map(|color| color.to_string()).collect();
            colors.join(",")
        } else {
            continue;
        };
        bytes += text.len() + 64;
        found.push((name.to_string(), text));
    }
    budget.spend(FIELDS.len() + bytes / 4);
    Ok((Fields::new(found), bytes))
}
