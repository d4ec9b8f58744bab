//! The word that every register, element and field holds.
//!
//! Eight bytes, `Copy`. The two low bits give the type:
//!
//! | low bits | type | the rest |
//! |---|---|---|
//! | `00` | integer | the integer in bits 10..64, bits 2..10 clear, so that words add and compare as they are |
//! | `10` | float | a float whose exponent lies within ±255, rotated so that two bits fall free |
//! | `01` | other | [`Kind`] in bits 2..8, a payload above |
//!
//! No word ends in `11`, so that one bit identifies a float.
//!
//! Two equal words are equal values. The converse holds for all but arrays, long texts and values of the host
//! (compared by content): other strings, sets and rare floats are interned.

use std::sync::atomic::{Ordering, compiler_fence};

use super::store::packing::Packable;

/// The largest integer; the smallest is its negation.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;
/// Coordinates of a position lie between `-MAX_COORDINATE - 1` and this.
pub const MAX_COORDINATE: i64 = (1 << 27) - 1;

const INTEGER_SHIFT: u32 = 10;
const LOW: u64 = 0b11;
const FLOAT: u64 = 0b10;
const OTHER: u64 = 0b01;
/// Added to a float's bits, it turns the two topmost bits of the exponent into those of [`FLOAT`] where the rest of the
/// exponent fits into a word; then a rotation brings them down.
const FLOAT_BIAS: u64 = 1 << 60;
const FLOAT_TURN: u32 = 3;
/// The largest number of a method.
const MOST_METHODS: u32 = (1 << 24) - 1;

/// A value of the language. Handles inside are valid in the heap that made them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(u64);

/// The type of a word with low bits `01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Null,
    Boolean,
    /// The value of an unassigned variable; no expression yields it.
    Unset,
    Position,
    Text,
    BoxedFloat,
    Array,
    Set,
    Relation,
    Grid,
    Object,
    Queue,
    /// A closure.
    Function,
    /// A built-in function.
    Native,
    /// The box of a captured variable; no expression yields it.
    Variable,
    Integer,
    Float,
    /// A value of a type of the host. Its number differs from that of [`Kind::Array`] in one bit, as that of a long text
    /// does: [`Value::may_equal_another`] tests all of them at once.
    Host = 22,
    /// A method of a value of a host type: its handle, and after the kind the number of the method.
    Method,
}

/// The number in words of texts that are long, of which several may be equal.
const LONG_TEXT: u8 = 38;
/// The bits in which the numbers of the kinds compared by content differ.
const CONTENT: u8 = 1 << 4 | 1 << 5;
const _: () = assert!(Kind::Set as u8 == Kind::Array as u8 | 1 && Kind::Array as u8 & 1 == 0);
const _: () = assert!(
    Kind::Host as u8 & !CONTENT == Kind::Array as u8 && LONG_TEXT & !CONTENT == Kind::Array as u8
);

/// By the six bits of a word that decide; unused combinations mean null.
const KINDS: [Kind; 64] = {
    let mut kinds = [Kind::Null; 64];
    let mut at = 0;
    while at < OTHERS.len() {
        kinds[OTHERS[at] as usize] = OTHERS[at];
        at += 1;
    }
    kinds[LONG_TEXT as usize] = Kind::Text;
    kinds
};

const OTHERS: [Kind; 17] = [
    Kind::Null,
    Kind::Boolean,
    Kind::Unset,
    Kind::Position,
    Kind::Text,
    Kind::BoxedFloat,
    Kind::Array,
    Kind::Set,
    Kind::Relation,
    Kind::Grid,
    Kind::Object,
    Kind::Queue,
    Kind::Function,
    Kind::Native,
    Kind::Variable,
    Kind::Host,
    Kind::Method,
];

/// A handle: an index into the arena of its kind.
pub type Handle = u32;

impl Value {
    pub const NULL: Value = Value::other(Kind::Null, 0);
    pub const FALSE: Value = Value::other(Kind::Boolean, 0);
    pub const TRUE: Value = Value::other(Kind::Boolean, 1);
    pub const UNSET: Value = Value::other(Kind::Unset, 0);
    pub const ZERO: Value = Value(0);

    const fn other(kind: Kind, payload: u32) -> Value {
        Value((payload as u64) << 32 | (kind as u64) << 2 | OTHER)
    }

    /// The word for a text that is long.
    #[inline(always)]
    pub(super) const fn long_text(text: Handle) -> Value {
        Value((text as u64) << 32 | (LONG_TEXT as u64) << 2 | OTHER)
    }

    /// An integer inside the range.
    #[inline(always)]
    pub const fn integer(value: i64) -> Value {
        debug_assert!(value >= -MAX_INTEGER && value <= MAX_INTEGER);
        Value((value << INTEGER_SHIFT) as u64)
    }

    /// A size or an index, which always fits.
    #[inline(always)]
    pub const fn size(value: usize) -> Value {
        Value::integer(value as i64)
    }

    #[inline(always)]
    pub const fn boolean(value: bool) -> Value {
        Value((value as u64) << 32 | (Kind::Boolean as u64) << 2 | OTHER)
    }

    /// A position; `None` if a coordinate is out of range.
    #[inline]
    pub fn position(x: i64, y: i64) -> Option<Value> {
        let fits = |c: i64| (-MAX_COORDINATE - 1..=MAX_COORDINATE).contains(&c);
        (fits(x) && fits(y)).then(|| {
            let pack = |c: i64| (c as u64) & ((1 << 28) - 1);
            Value(pack(y) << 36 | pack(x) << 8 | (Kind::Position as u64) << 2 | OTHER)
        })
    }

    /// The word for a handle of a kind.
    #[inline(always)]
    pub const fn handle(kind: Kind, handle: Handle) -> Value {
        Value::other(kind, handle)
    }

    /// A float in the word itself; `None` if its exponent is too large or too small.
    #[inline(always)]
    pub fn inline_float(value: f64) -> Option<Value> {
        let word = value
            .to_bits()
            .wrapping_add(FLOAT_BIAS)
            .rotate_left(FLOAT_TURN);
        (word & LOW == FLOAT).then_some(Value(word))
    }

    /// The word of a float with a fraction, where a quick check suffices: for most results of calculations.
    #[inline(always)]
    pub fn fraction(value: f64) -> Option<Value> {
        // Exponents as they are in the upper half of a float without its sign: from 2^-255, which a word can hold, to
        // below 2^20. There all of the lower half belongs to the fraction.
        const LEAST: u32 = (1023 - 255) << 21;
        const SPAN: u32 = (255 + 20) << 21;
        let bits = value.to_bits();
        if ((bits << 1 >> 32) as u32).wrapping_sub(LEAST) >= SPAN {
            return None;
        }
        // Two branches, both predictable. The fence prevents the compiler from merging both conditions into one.
        compiler_fence(Ordering::Acquire);
        (bits as u32 != 0).then(|| Value(bits.wrapping_add(FLOAT_BIAS).rotate_left(FLOAT_TURN)))
    }

    /// The word of a float, which is an integer if it is whole; `None` for one too far from 1, and for one that is no
    /// number.
    #[cold]
    #[inline(never)]
    pub fn from_float(value: f64) -> Option<Value> {
        // The sum with this has no bits for a fraction, so it is rounded to a whole number, which is in its lowest
        // bits.
        const ROUNDS: f64 = 1.5 * (1_u64 << 52) as f64;
        const LIMIT: f64 = (1_u64 << 51) as f64;
        if value.abs() < LIMIT {
            let sum = value + ROUNDS;
            if sum - ROUNDS != value {
                return Value::inline_float(value);
            }
            return Some(Value::integer(
                sum.to_bits() as i64 - ROUNDS.to_bits() as i64,
            ));
        }
        let whole = value as i64;
        if whole as f64 == value && (-MAX_INTEGER..=MAX_INTEGER).contains(&whole) {
            return Some(Value::integer(whole));
        }
        Value::inline_float(value)
    }

    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The word with these bits, for tables that store words as numbers.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Value {
        Value(bits)
    }

    #[inline(always)]
    pub const fn is_integer(self) -> bool {
        self.0 & LOW == 0
    }

    #[inline(always)]
    pub const fn is_inline_float(self) -> bool {
        self.0 & FLOAT != 0
    }

    #[inline(always)]
    pub const fn both_integers(self, other: Value) -> bool {
        (self.0 | other.0) & LOW == 0
    }

    /// The integer of a word that is one.
    #[inline(always)]
    pub const fn integer_unchecked(self) -> i64 {
        self.0 as i64 >> INTEGER_SHIFT
    }

    /// The next integer, if there is one. For any other word the result is some integer.
    #[inline(always)]
    pub const fn successor(self) -> Value {
        Value(((self.integer_unchecked() + 1) << INTEGER_SHIFT) as u64)
    }

    /// The word of an integer as a number that adds and compares like it.
    #[inline(always)]
    pub const fn scaled(self) -> i64 {
        self.0 as i64
    }

    /// The inverse of [`Value::scaled`]; `None` for the one number of that form outside the range.
    #[inline(always)]
    pub const fn from_scaled(scaled: i64) -> Option<Value> {
        if scaled == i64::MIN {
            None
        } else {
            Some(Value(scaled as u64))
        }
    }

    #[inline(always)]
    pub const fn as_integer(self) -> Option<i64> {
        if self.is_integer() {
            Some(self.integer_unchecked())
        } else {
            None
        }
    }

    #[inline(always)]
    pub fn inline_float_unchecked(self) -> f64 {
        f64::from_bits(self.0.rotate_right(FLOAT_TURN).wrapping_sub(FLOAT_BIAS))
    }

    /// The float of a word that holds one itself.
    #[inline(always)]
    pub fn inline_float_value(self) -> Option<f64> {
        if self.is_inline_float() {
            Some(self.inline_float_unchecked())
        } else {
            None
        }
    }

    /// Two numbers that are integers or floats in their words.
    #[inline(always)]
    pub fn two_inline_f64(self, other: Value) -> Option<(f64, f64)> {
        if self.0 & other.0 & FLOAT != 0 {
            return Some((
                self.inline_float_unchecked(),
                other.inline_float_unchecked(),
            ));
        }
        Some((self.inline_f64()?, other.inline_f64()?))
    }

    /// The number of a word that is an integer or holds a float itself.
    #[inline(always)]
    pub fn inline_f64(self) -> Option<f64> {
        if self.is_integer() {
            Some(self.integer_unchecked() as f64)
        } else if self.is_inline_float() {
            Some(self.inline_float_unchecked())
        } else {
            None
        }
    }

    #[inline(always)]
    pub const fn as_boolean(self) -> Option<bool> {
        if self.0 == Value::TRUE.0 {
            Some(true)
        } else if self.0 == Value::FALSE.0 {
            Some(false)
        } else {
            None
        }
    }

    #[inline(always)]
    pub const fn is_kind(self, kind: Kind) -> bool {
        let number = self.0 & 0xff;
        number == (kind as u64) << 2 | OTHER
            || kind as u8 == Kind::Text as u8 && number == (LONG_TEXT as u64) << 2 | OTHER
    }

    /// Whether another word may be an equal value: this is an array, a long text or a value of the host.
    #[inline(always)]
    pub const fn may_equal_another(self) -> bool {
        self.0 & (0xff & !((CONTENT as u64) << 2)) == (Kind::Array as u64) << 2 | OTHER
    }

    /// Whether equality has more to look at than the word: it may equal another word, or is a set, which is compared with
    /// sets alone.
    #[inline(always)]
    pub const fn needs_a_look(self) -> bool {
        self.0 & (0xff & !((CONTENT as u64 | 1) << 2)) == (Kind::Array as u64) << 2 | OTHER
    }

    /// A method of a value of the host, by its number.
    pub const fn method(host: Handle, number: u32) -> Value {
        Value(
            (host as u64) << 32
                | (number as u64 & MOST_METHODS as u64) << 8
                | (Kind::Method as u64) << 2
                | OTHER,
        )
    }

    /// The number of a method.
    pub const fn method_number(self) -> u32 {
        (self.0 >> 8) as u32 & MOST_METHODS
    }

    /// The handle, if this is a value of that kind.
    #[inline(always)]
    pub const fn handle_of(self, kind: Kind) -> Option<Handle> {
        if self.is_kind(kind) {
            Some(self.payload())
        } else {
            None
        }
    }

    /// The handle of a word that has one.
    #[inline(always)]
    pub const fn payload(self) -> Handle {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    pub fn as_position(self) -> Option<(i64, i64)> {
        self.is_kind(Kind::Position).then(|| {
            let unpack = |field: u64| ((field << 36) as i64) >> 36;
            (unpack(self.0 >> 8), unpack(self.0 >> 36))
        })
    }

    /// The kind of the value.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.0 & LOW {
            0 => Kind::Integer,
            FLOAT => Kind::Float,
            _ => KINDS[(self.0 >> 2 & 0x3f) as usize],
        }
    }

    /// Whether it is more than null, a Boolean, a number, a string or a position; those come first in the order of sets.
    #[inline]
    pub fn is_compound(self) -> bool {
        use Kind::{Boolean, BoxedFloat, Float, Integer, Null, Position, Text, Unset};
        !matches!(
            self.kind(),
            Null | Unset | Boolean | Integer | Float | BoxedFloat | Text | Position
        )
    }

    /// Whether it is a number of any form.
    #[inline]
    pub fn is_number(self) -> bool {
        self.0 & 1 == 0 || self.is_kind(Kind::BoxedFloat)
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            Kind::Integer => write!(f, "{}", self.integer_unchecked()),
            Kind::Float => write!(f, "{}", self.inline_float_unchecked()),
            Kind::Position => write!(f, "{:?}", self.as_position()),
            kind => write!(f, "{kind:?}#{}", self.payload()),
        }
    }
}

/// Numbers of kinds in saved runs; from here on integers from -16 have a byte of their own.
const SMALL: u8 = 32;
/// The tag of a long text there.
pub(super) const SAVED_LONG_TEXT: u8 = 24;

impl ndscript_base::codec::Saved for Value {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let kind = self.kind();
        match kind {
            Kind::Integer => {
                let integer = self.integer_unchecked();
                match u8::try_from(integer + i64::from(SMALL) + 16) {
                    Ok(byte) if byte >= SMALL => out.byte(byte),
                    _ => {
                        out.byte(kind as u8);
                        out.signed(integer);
                    }
                }
                return;
            }
            Kind::Text if self.may_equal_another() => out.byte(SAVED_LONG_TEXT),
            _ => out.byte(kind as u8),
        }
        match kind {
            Kind::Null | Kind::Unset | Kind::Integer => {}
            Kind::Float => self.inline_float_unchecked().save(out),
            Kind::Position => {
                let (x, y) = self.as_position().unwrap_or_default();
                out.signed(x);
                out.signed(y);
            }
            Kind::Method => {
                out.number(u64::from(self.payload()));
                out.number(u64::from(self.method_number()));
            }
            _ => out.number(u64::from(self.payload())),
        }
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Value, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::{Unsound, ensure};
        let byte = from.byte()?;
        if byte >= SMALL {
            return Ok(Value::integer(i64::from(byte) - i64::from(SMALL) - 16));
        }
        if byte == SAVED_LONG_TEXT {
            return Ok(Value::long_text(from.handle(SAVED_LONG_TEXT as usize)?));
        }
        let all = OTHERS.iter().chain(&[Kind::Integer, Kind::Float]);
        let kind = all
            .copied()
            .find(|kind| *kind as u8 == byte)
            .ok_or(Unsound::Wrong("there is no such kind"))?;
        Ok(match kind {
            Kind::Null => Value::NULL,
            Kind::Unset => Value::UNSET,
            Kind::Boolean => Value::boolean(bool::load(from)?),
            Kind::Integer => {
                let integer = from.signed()?;
                ensure(
                    (-MAX_INTEGER..=MAX_INTEGER).contains(&integer),
                    "an integer is out of range",
                )?;
                Value::integer(integer)
            }
            Kind::Float => {
                let float = f64::load(from)?;
                let is_integer = float.abs() <= MAX_INTEGER as f64 && float as i64 as f64 == float;
                let word = Value::inline_float(float).filter(|_| !is_integer);
                word.ok_or(Unsound::Wrong("a float has another form"))?
            }
            Kind::Position => {
                let (x, y) = (from.signed()?, from.signed()?);
                Value::position(x, y).ok_or(Unsound::Wrong("a position is out of range"))?
            }
            // Calling a method of a number that the type does not have is an error.
            Kind::Method => {
                let host = from.handle(Kind::Host as usize)?;
                let number = u32::load(from)?;
                ensure(number <= MOST_METHODS, "a number is too large")?;
                Value::method(host, number)
            }
            _ => Value::handle(kind, from.handle(kind as usize)?),
        })
    }
}

/// For stacks of words in a deep search.
impl Packable<1> for Value {
    const GROWING_LANES: u32 = 0;
    // As many registers as a turn of a loop saves, mostly.
    const LONGEST_PERIOD: usize = 16;
    const FEW_ENOUGH_BYTES: usize = 2;

    #[inline]
    fn lanes(self) -> [u64; 1] {
        [self.0]
    }

    #[inline]
    fn of_lanes([word]: [u64; 1]) -> Value {
        Value(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_the_word_of_the_integer_or_the_float() {
        let mut seed = 1_u64;
        for _ in 0..100_000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let sign = (seed >> 40 & 1) << 63;
            // Fractions of few bits, so that many are whole; exponents around all limits.
            let bits = [52, 51, 40, 1, 0, 230][(seed >> 50) as usize % 6];
            let exponent = (1023 - 300 + (seed >> 33) % 600) << 52;
            let fraction = if bits > 52 {
                seed >> 12
            } else {
                (seed >> 12) & !0 << bits & ((1 << 52) - 1)
            };
            let near = (1023 + (seed >> 20) % 54) << 52;
            for float in [
                sign | exponent | fraction & ((1 << 52) - 1),
                sign | near | fraction & ((1 << 52) - 1),
            ] {
                let float = f64::from_bits(float);
                let is_integer = float % 1.0 == 0.0 && float.abs() <= MAX_INTEGER as f64;
                let word = if is_integer {
                    Some(Value::integer(float as i64))
                } else {
                    Value::inline_float(float)
                };
                assert_eq!(Value::from_float(float), word, "{float:e}");
                assert!(
                    Value::fraction(float).is_none_or(|found| Some(found) == word),
                    "{float:e}"
                );
            }
        }
        for odd in [
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
            1e300,
            1e-300,
        ] {
            assert_eq!((Value::from_float(odd), Value::fraction(odd)), (None, None));
        }
        for zero in [0.0, -0.0] {
            assert_eq!(
                (Value::from_float(zero), Value::fraction(zero)),
                (Some(Value::ZERO), None)
            );
        }
        for mixed in [1.0 / 3.0, 1_048_575.1, -1e-70] {
            assert!(Value::fraction(mixed).is_some(), "{mixed}");
        }
    }

    #[test]
    fn words_hold_what_was_put_in() {
        for i in [0, 1, -1, MAX_INTEGER, -MAX_INTEGER, 123_456_789] {
            assert_eq!(Value::integer(i).as_integer(), Some(i));
        }
        for f in [0.5, -0.5, 1e-70, -1e70, std::f64::consts::PI, 1.0 / 3.0] {
            let word = Value::inline_float(f).unwrap();
            assert!(word.is_inline_float());
            assert_eq!(word.inline_float_unchecked(), f);
        }
        for f in [
            0.0,
            -0.0,
            1e-100,
            1e100,
            f64::INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
        ] {
            assert!(Value::inline_float(f).is_none(), "{f}");
        }
        for (x, y) in [(0, 0), (-1, 3), (MAX_COORDINATE, -MAX_COORDINATE - 1)] {
            assert_eq!(Value::position(x, y).unwrap().as_position(), Some((x, y)));
        }
        assert!(Value::position(MAX_COORDINATE + 1, 0).is_none());
        assert_eq!(Value::handle(Kind::Grid, 7).handle_of(Kind::Grid), Some(7));
        assert_eq!(Value::handle(Kind::Grid, 7).handle_of(Kind::Set), None);
        assert_eq!(Value::TRUE.as_boolean(), Some(true));
        let method = Value::method(7, 300);
        assert_eq!(
            (method.kind(), method.payload(), method.method_number()),
            (Kind::Method, 7, 300)
        );
        for kind in OTHERS {
            let word = Value::handle(kind, 1);
            assert_eq!(word.kind(), kind);
            assert_eq!(
                word.may_equal_another(),
                matches!(kind, Kind::Array | Kind::Host),
                "{kind:?}"
            );
        }
        let long = Value::long_text(9);
        assert_eq!(
            (long.kind(), long.handle_of(Kind::Text)),
            (Kind::Text, Some(9))
        );
        assert!(
            long.may_equal_another() && !long.is_kind(Kind::Array) && !long.is_kind(Kind::Host)
        );
        assert!(
            !Value::integer(6).may_equal_another()
                && !Value::inline_float(1.5).unwrap().may_equal_another()
        );
    }
}
