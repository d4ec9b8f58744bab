//! The bytes of saved runs. Types declare their fields by `saved!`; the compiler reports a missing one. Reading trusts
//! nothing: every number is checked against the bytes left, and everything that is made against the memory that the
//! reader was given.

use std::sync::Arc;
use std::time::Duration;

/// Collects bytes.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

/// Takes bytes apart.
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// Bytes of memory that may still be asked for.
    room: usize,
    /// By kind of object: which of its places are in use. Handles are checked against it as they are read, so that no
    /// place is missed.
    used: [Vec<bool>; KINDS],
    /// The numbers that types of the host have here, by those that they had.
    types: Vec<u32>,
    /// The host's message about bytes that it could not read, and their type.
    complaint: Option<(&'static str, String)>,
}

/// Kinds of objects, at most.
const KINDS: usize = 25;

/// Why bytes cannot be what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsound {
    /// This is wrong with them.
    Wrong(&'static str),
    /// Their content needs too much memory.
    TooLarge,
}

/// Values that can be written and read back.
pub trait Saved: Sized {
    /// Appends it.
    fn save(&self, out: &mut Writer);

    /// Reads it back.
    ///
    /// # Errors
    /// If the bytes are not what [`Saved::save`] writes.
    fn load(from: &mut Reader<'_>) -> Result<Self, Unsound>;
}

impl Writer {
    /// All that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn byte(&mut self, byte: u8) {
        self.make_room(1);
        self.bytes.push(byte);
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// A large run is written with little more memory than its bytes take: there never are twice as many.
    fn make_room(&mut self, count: usize) {
        if self.bytes.capacity() - self.bytes.len() < count {
            self.bytes
                .reserve_exact(count.max(self.bytes.len() / 4).max(64));
        }
    }

    /// A number, seven bits a byte, the lowest first.
    pub fn number(&mut self, mut number: u64) {
        self.make_room(10);
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A number that may be negative.
    pub fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    fn each<'a, T: Saved + 'a>(&mut self, items: impl ExactSizeIterator<Item = &'a T>) {
        self.number(items.len() as u64);
        items.for_each(|item| item.save(self));
    }
}

impl<'a> Reader<'a> {
    /// A reader that takes at most this number of bytes of memory.
    pub fn new(bytes: &'a [u8], room: usize) -> Reader<'a> {
        Reader {
            bytes,
            room,
            used: Default::default(),
            types: Vec::new(),
            complaint: None,
        }
    }

    pub fn byte(&mut self) -> Result<u8, Unsound> {
        let (first, rest) = self
            .bytes
            .split_first()
            .ok_or(Unsound::Wrong("it ends too early"))?;
        self.bytes = rest;
        Ok(*first)
    }

    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], Unsound> {
        let (bytes, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or(Unsound::Wrong("it ends too early"))?;
        self.bytes = rest;
        Ok(bytes)
    }

    pub fn number(&mut self) -> Result<u64, Unsound> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Unsound::Wrong("a number is too long"))
    }

    pub fn signed(&mut self) -> Result<i64, Unsound> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// How many things of a type follow, each of which takes at least a byte here.
    pub fn count<T>(&mut self) -> Result<usize, Unsound> {
        let count = self.number()?;
        if count > self.bytes.len() as u64 {
            return Err(Unsound::Wrong("it ends too early"));
        }
        self.make_room::<T>(count as usize)?;
        Ok(count as usize)
    }

    /// Accounts for memory that is about to be asked for.
    pub fn make_room<T>(&mut self, count: usize) -> Result<(), Unsound> {
        let bytes = count.saturating_mul(size_of::<T>());
        self.room = self.room.checked_sub(bytes).ok_or(Unsound::TooLarge)?;
        Ok(())
    }

    /// How many bytes of memory may still be asked for.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Whether all bytes have been read.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Says which places there are for objects of a kind.
    pub fn know(&mut self, kind: usize, used: Vec<bool>) {
        self.used[kind] = used;
    }

    /// A handle of an object that is there.
    pub fn handle(&mut self, kind: usize) -> Result<u32, Unsound> {
        let handle = u32::load(self)?;
        self.check_handle(kind, handle)?;
        Ok(handle)
    }

    /// Says which numbers types of the host have here, by those that they had.
    pub fn know_types(&mut self, types: Vec<u32>) {
        self.types = types;
    }

    /// The number of a type of the host, by that which it had.
    pub fn type_number(&self, saved: u32) -> Result<u32, Unsound> {
        self.types
            .get(saved as usize)
            .copied()
            .ok_or(Unsound::Wrong("there is no such type"))
    }

    /// The fault of bytes that the host cannot read.
    pub fn complain(&mut self, type_name: &'static str, message: String) -> Unsound {
        self.complaint = Some((type_name, message));
        Unsound::Wrong("a value of the host cannot be read")
    }

    /// The host's message about bytes that it could not read, and their type.
    pub fn complaint(&mut self) -> Option<(&'static str, String)> {
        self.complaint.take()
    }

    /// Makes sure that there is an object of this kind.
    pub fn check_handle(&self, kind: usize, handle: u32) -> Result<(), Unsound> {
        let used = self
            .used
            .get(kind)
            .and_then(|used| used.get(handle as usize));
        if used == Some(&true) {
            Ok(())
        } else {
            Err(Unsound::Wrong("a value refers to nothing"))
        }
    }
}

/// Says `what` is wrong unless a condition holds.
pub fn ensure(holds: bool, what: &'static str) -> Result<(), Unsound> {
    if holds {
        Ok(())
    } else {
        Err(Unsound::Wrong(what))
    }
}

/// `saved!(struct Name { every, field })`, or `saved!(enum Name { 0 => Variant { field }, 1 => Other(value), })`:
/// fields are written one after another, after the number of
/// the variant. `sound: is_sound, "what is wrong otherwise"` at its end checks what was read.
#[macro_export]
macro_rules! saved {
    (struct $name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::codec::Saved for $name {
            fn save(&self, out: &mut $crate::codec::Writer) {
                let $name { $($field),* } = self;
                $($crate::codec::Saved::save($field, out);)*
            }

            fn load(from: &mut $crate::codec::Reader<'_>) -> Result<Self, $crate::codec::Unsound> {
                $(let $field = $crate::codec::Saved::load(from)?;)*
                Ok($name { $($field),* })
            }
        }
    };
    (enum $name:ident { $($tag:literal => $variant:ident $fields:tt),* $(,)? } $(sound: $is_sound:ident, $why:literal)?) => {
        impl $crate::codec::Saved for $name {
            fn save(&self, out: &mut $crate::codec::Writer) {
                match self {
                    $($name::$variant $fields => {
                        out.byte($tag);
                        $crate::saved!(@save out $fields);
                    })*
                }
            }

            fn load(from: &mut $crate::codec::Reader<'_>) -> Result<Self, $crate::codec::Unsound> {
                let loaded = match from.byte()? {
                    $($tag => {
                        $crate::saved!(@load from $fields);
                        $name::$variant $fields
                    })*
                    _ => return Err($crate::codec::Unsound::Wrong(concat!("there is no such ", stringify!($name)))),
                };
                $($crate::codec::ensure(loaded.$is_sound(), $why)?;)?
                Ok(loaded)
            }
        }
    };
    (@save $out:ident { $($field:ident),* $(,)? }) => { $($crate::codec::Saved::save($field, $out);)* };
    (@save $out:ident ( $($field:ident),* $(,)? )) => { $($crate::codec::Saved::save($field, $out);)* };
    (@load $from:ident { $($field:ident),* $(,)? }) => { $(let $field = $crate::codec::Saved::load($from)?;)* };
    (@load $from:ident ( $($field:ident),* $(,)? )) => { $(let $field = $crate::codec::Saved::load($from)?;)* };
}

macro_rules! saved_numbers {
    ($($type:ty)*) => {
        $(impl Saved for $type {
            fn save(&self, out: &mut Writer) {
                out.number(*self as u64);
            }

            fn load(from: &mut Reader<'_>) -> Result<$type, Unsound> {
                <$type>::try_from(from.number()?).map_err(|_| Unsound::Wrong("a number is too large"))
            }
        })*
    };
}

saved_numbers!(u16 u32 u64 usize);

impl Saved for u8 {
    fn save(&self, out: &mut Writer) {
        out.byte(*self);
    }

    fn load(from: &mut Reader<'_>) -> Result<u8, Unsound> {
        from.byte()
    }
}

impl Saved for bool {
    fn save(&self, out: &mut Writer) {
        out.byte(u8::from(*self));
    }

    fn load(from: &mut Reader<'_>) -> Result<bool, Unsound> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Unsound::Wrong("neither true nor false")),
        }
    }
}

impl Saved for f64 {
    fn save(&self, out: &mut Writer) {
        out.raw(&self.to_bits().to_le_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<f64, Unsound> {
        let mut bits = [0; 8];
        bits.copy_from_slice(from.raw(8)?);
        Ok(f64::from_bits(u64::from_le_bytes(bits)))
    }
}

impl Saved for Duration {
    fn save(&self, out: &mut Writer) {
        out.number(self.as_secs());
        out.number(u64::from(self.subsec_nanos()));
    }

    fn load(from: &mut Reader<'_>) -> Result<Duration, Unsound> {
        let (seconds, rest) = (u64::load(from)?, u32::load(from)?);
        ensure(
            seconds < 1 << 40 && rest < 1_000_000_000,
            "a time is too long",
        )?;
        Ok(Duration::new(seconds, rest))
    }
}

impl Saved for Arc<str> {
    fn save(&self, out: &mut Writer) {
        out.number(self.len() as u64);
        out.raw(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<Arc<str>, Unsound> {
        String::load(from).map(Into::into)
    }
}

impl Saved for String {
    fn save(&self, out: &mut Writer) {
        out.number(self.len() as u64);
        out.raw(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<String, Unsound> {
        let count = from.count::<u8>()?;
        let text = std::str::from_utf8(from.raw(count)?)
            .map_err(|_| Unsound::Wrong("a text is not UTF-8"))?;
        Ok(text.to_string())
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn save(&self, out: &mut Writer) {
        out.each(self.iter());
    }

    fn load(from: &mut Reader<'_>) -> Result<Vec<T>, Unsound> {
        let count = from.count::<T>()?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(T::load(from)?);
        }
        Ok(items)
    }
}

impl<T: Saved> Saved for Box<[T]> {
    fn save(&self, out: &mut Writer) {
        out.each(self.iter());
    }

    fn load(from: &mut Reader<'_>) -> Result<Box<[T]>, Unsound> {
        Vec::load(from).map(Vec::into_boxed_slice)
    }
}

/// A shared value is read back as one of its own.
impl<T: Saved> Saved for Arc<T> {
    fn save(&self, out: &mut Writer) {
        T::save(self, out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Arc<T>, Unsound> {
        from.make_room::<T>(1)?;
        T::load(from).map(Arc::new)
    }
}

impl<T: Saved> Saved for Box<T> {
    fn save(&self, out: &mut Writer) {
        T::save(self, out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Box<T>, Unsound> {
        from.make_room::<T>(1)?;
        T::load(from).map(Box::new)
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, out: &mut Writer) {
        self.is_some().save(out);
        if let Some(item) = self {
            item.save(out);
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Option<T>, Unsound> {
        Ok(if bool::load(from)? {
            Some(T::load(from)?)
        } else {
            None
        })
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, out: &mut Writer) {
        self.0.save(out);
        self.1.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<(A, B), Unsound> {
        Ok((A::load(from)?, B::load(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Shape {
        Point(u32),
        Box { width: u64, name: String },
        Nothing,
    }

    saved!(enum Shape { 0 => Point(at), 1 => Box { width, name }, 2 => Nothing {} });

    #[test]
    fn what_was_written_is_read_back() {
        let shapes = vec![
            Shape::Point(300),
            Shape::Box {
                width: u64::MAX,
                name: "né".into(),
            },
            Shape::Nothing,
            Shape::Point(0),
        ];
        let mut out = Writer::default();
        shapes.save(&mut out);
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            out.signed(number);
        }
        let bytes = out.into_bytes();
        let mut from = Reader::new(&bytes, 10_000);
        assert_eq!(Vec::<Shape>::load(&mut from), Ok(shapes));
        for number in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(from.signed(), Ok(number));
        }
        assert!(from.is_at_end());
        for length in 0..bytes.len() {
            let mut from = Reader::new(&bytes[..length], 10_000);
            let all =
                Vec::<Shape>::load(&mut from).is_ok() && (0..5).all(|_| from.signed().is_ok());
            assert!(!all, "{length}");
        }
    }

    #[test]
    fn a_claim_of_many_things_asks_for_no_memory() {
        let many = [0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        assert!(Vec::<u64>::load(&mut Reader::new(&many, usize::MAX)).is_err());
        let mut zeros = vec![0x80, 0x08];
        zeros.resize(1026, 0);
        assert_eq!(
            Vec::<u64>::load(&mut Reader::new(&zeros, 8191)),
            Err(Unsound::TooLarge)
        );
        assert_eq!(
            Vec::<u64>::load(&mut Reader::new(&zeros, 8192)),
            Ok(vec![0; 1024])
        );
    }
}
