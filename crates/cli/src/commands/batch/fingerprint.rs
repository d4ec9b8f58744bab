//! The visible part of a solution, as a hash.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use blake3::Hasher;
use ndscript::picture::{HeatMap, Legend, Picture, TileMap};
use ndscript::{Data, PlacedPicture};

/// A hash of the visible part of a solution: printed text and pictures; only if there are none, the value.
pub fn fingerprint_of(text: &str, pictures: &[PlacedPicture], value: &Data) -> [u8; 32] {
    let mut hasher = Hasher::new();
    let mut parts = Parts::default();
    add(&mut hasher, text.as_bytes());
    for (offset, picture) in pictures {
        add(&mut hasher, &(*offset as u64).to_le_bytes());
        hasher.update(parts.picture(picture).as_bytes());
    }
    if text.is_empty() && pictures.is_empty() {
        add(&mut hasher, parts.value(value).as_bytes());
    }
    *hasher.finalize().as_bytes()
}

fn add(hasher: &mut Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn add_debug(hasher: &mut Hasher, shown: &impl fmt::Debug) {
    // Nothing in it fails.
    let _ = write!(HashWriter(hasher), "{shown:?}");
}

/// Takes text into a hash, without keeping it.
struct HashWriter<'h>(&'h mut Hasher);

impl fmt::Write for HashWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// Hashes of values and pictures by content. A part that several share, also a text, is hashed once: so the work never
/// exceeds the memory.
#[derive(Default)]
struct Parts {
    /// By where the parts lie, and what they are parts of.
    known: HashMap<(usize, Kind), blake3::Hash>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Text,
    Array,
    Set,
    Queue,
    Relation,
    Object,
    Grid(usize),
}

impl Parts {
    /// Data are nested 200 deep at most.
    fn value(&mut self, value: &Data) -> blake3::Hash {
        let place = match value {
            Data::Array(parts) => (parts.as_ptr() as usize, Kind::Array),
            Data::Set(parts) => (parts.as_ptr() as usize, Kind::Set),
            Data::Queue(parts) => (parts.as_ptr() as usize, Kind::Queue),
            Data::PriorityQueue(queue) => (queue.elements().as_ptr() as usize, Kind::Queue),
            Data::Relation(pairs) => (pairs.as_ptr() as usize, Kind::Relation),
            Data::Object(fields) => (fields.as_ptr() as usize, Kind::Object),
            Data::Grid(grid) => (grid.cells().as_ptr() as usize, Kind::Grid(grid.width())),
            Data::Text(text) => return self.text(text),
            leaf => {
                let mut hasher = Hasher::new();
                add_debug(&mut hasher, leaf);
                return hasher.finalize();
            }
        };
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let mut hasher = Hasher::new();
        match place.1 {
            Kind::Text => {}
            Kind::Array => add(&mut hasher, b"array"),
            Kind::Set => add(&mut hasher, b"set"),
            Kind::Queue => add(&mut hasher, b"queue"),
            Kind::Relation => add(&mut hasher, b"relation"),
            Kind::Object => add(&mut hasher, b"object"),
            Kind::Grid(width) => add(&mut hasher, format!("grid {width}").as_bytes()),
        }
        match value {
            Data::Relation(pairs) => pairs.iter().for_each(|(a, b)| {
                hasher.update(self.value(a).as_bytes());
                hasher.update(self.value(b).as_bytes());
            }),
            Data::Object(fields) => fields.iter().for_each(|(name, value)| {
                hasher.update(self.text(name).as_bytes());
                hasher.update(self.value(value).as_bytes());
            }),
            Data::Grid(grid) => self.add_all(grid.cells(), &mut hasher),
            other => self.add_all(other.elements(), &mut hasher),
        }
        let hash = hasher.finalize();
        self.known.insert(place, hash);
        hash
    }

    fn text(&mut self, text: &Arc<str>) -> blake3::Hash {
        *self
            .known
            .entry((text.as_ptr() as usize, Kind::Text))
            .or_insert_with(|| {
                let mut hasher = Hasher::new();
                add(&mut hasher, b"text");
                add(&mut hasher, text.as_bytes());
                hasher.finalize()
            })
    }

    fn add_texts(&mut self, texts: &[Arc<str>], hasher: &mut Hasher) {
        hasher.update(&(texts.len() as u64).to_le_bytes());
        texts.iter().for_each(|text| {
            hasher.update(self.text(text).as_bytes());
        });
    }

    /// The hash of a picture, whichever numbers its names have.
    fn picture(&mut self, picture: &Picture) -> blake3::Hash {
        let mut hasher = Hasher::new();
        match picture {
            Picture::Image(name) => {
                add(&mut hasher, b"image");
                hasher.update(self.text(name).as_bytes());
            }
            Picture::Tiles(map) => self.add_map(map, &mut hasher),
            Picture::Layers(maps) => {
                add(&mut hasher, b"layers");
                maps.iter().for_each(|map| self.add_map(map, &mut hasher));
            }
            Picture::Heat(HeatMap {
                width,
                height,
                names,
                cells,
            }) => {
                add(&mut hasher, b"heat");
                self.add_texts(names, &mut hasher);
                add_debug(&mut hasher, &(width, height, cells));
            }
            Picture::Legend(Legend { names, words }) => {
                add(&mut hasher, b"legend");
                self.add_texts(names, &mut hasher);
                self.add_texts(words, &mut hasher);
            }
        }
        hasher.finalize()
    }

    fn add_map(&mut self, map: &TileMap, hasher: &mut Hasher) {
        let TileMap {
            width,
            height,
            names,
            cells,
            candidates,
        } = map;
        add(hasher, b"tiles");
        self.add_texts(names, hasher);
        add_debug(hasher, &(width, height, cells, candidates));
    }

    fn add_all(&mut self, parts: &[Data], hasher: &mut Hasher) {
        parts.iter().for_each(|part| {
            hasher.update(self.value(part).as_bytes());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(value: &Data) -> [u8; 32] {
        fingerprint_of("", &[], value)
    }

    #[test]
    fn values_are_told_apart_by_what_is_in_them() {
        let one = || Data::from(vec![1, 2]);
        let shared = one();
        assert_eq!(
            print(&vec![shared.clone(), shared].into()),
            print(&vec![one(), one()].into())
        );
        let values: [Data; 7] = [
            vec![one()].into(),
            one(),
            vec![1, 2, 3].into(),
            Data::Set([1.into(), 2.into()].into()),
            "1".into(),
            1.into(),
            Data::object([("a", 1.into())]),
        ];
        let prints: std::collections::HashSet<_> = values.iter().map(print).collect();
        assert_eq!(prints.len(), values.len());
        assert_ne!(
            fingerprint_of("a", &[], &one()),
            fingerprint_of("b", &[], &one())
        );
    }

    #[test]
    fn what_is_shared_is_looked_at_once() {
        let long: Arc<str> = "x".repeat(1 << 20).into();
        let texts: Data = vec![Data::Text(long.clone()); 1 << 20].into();
        let images = vec![(0, Arc::new(Picture::Image(long))); 1 << 20];
        // Each text once; a terabyte of them otherwise.
        assert_ne!(print(&texts), fingerprint_of("", &images, &texts));
        let deep = (0..100).fold(Data::from(1), |part, _| vec![part.clone(), part].into());
        assert_ne!(print(&deep), print(&vec![deep.clone()].into()));
    }
}
