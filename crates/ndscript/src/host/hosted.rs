//! Values of types of the host, used by the host: put into runs, read, changed.

mod in_run;

use crate::values::convert::{FromValue, IntoValue, Made, Maker};
use crate::values::view::View;
use ndscript_heap::Kind as WordKind;
use ndscript_heap::outside::value_error::ValueError;

/// A type of the host whose values scripts can hold, pass around and call methods of. [`HostType`](crate::HostType)
/// defines their operations, and [`Engine::with_type`](crate::Engine::with_type) registers it.
///
/// Such a value enters a run wherever a value can: as a result of a host function, an argument of a call, a global
/// variable. The run owns it from then on. Host functions and methods take it as `&T`, or as `T` if it is `Clone`,
/// which copies it.
///
/// ```
/// use ndscript::{Engine, HostType, HostValue};
///
/// #[derive(Clone)]
/// struct Door { open: bool }
///
/// impl HostValue for Door {
///     const NAME: &'static str = "door";
/// }
///
/// let engine = Engine::new()
///     .with_type(HostType::<Door>::new().cloned().method_mut("push", |door: &mut Door| {
///         door.open = !door.open;
///         Ok(door.open)
///     }))
///     .with_function("door", || Ok(Door { open: false }))
///     .with_function("canPass", |door: &Door| Ok(door.open));
/// let program = engine.compile("var d = door(); choose first { d.push(); fail; } or {} print(canPass(d), typeOf(d));")?;
/// assert_eq!(program.run(1).next().unwrap().unwrap().text, "falsedoor");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
pub trait HostValue: Sized + Send + 'static {
    /// The name of the type, which `typeOf` gives and messages use: a noun such as `inventory`. Letters, digits and
    /// `_`, at most 60, and no name that `typeOf` gives for other values; the compiler checks that.
    const NAME: &'static str;
}

/// Whether a type may have this name.
pub(crate) const fn is_type_name(name: &str) -> bool {
    const TAKEN: [&str; 12] = [
        "null", "boolean", "number", "string", "position", "array", "set", "relation", "grid",
        "object", "queue", "function",
    ];
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() && bytes[at] != b'_' {
            return false;
        }
        at += 1;
    }
    let mut characters = 0;
    while characters < TAKEN.len() {
        if is_same(bytes, TAKEN[characters].as_bytes()) {
            return false;
        }
        characters += 1;
    }
    !bytes.is_empty() && bytes.len() <= LONGEST_NAME && !bytes[0].is_ascii_digit()
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const LONGEST_NAME: usize = 60;

/// The name of a type with its article, put together by the compiler.
struct Noun<T>(T);

impl<T: HostValue> Noun<T> {
    const ARTICLE: &'static [u8] = match T::NAME.as_bytes() {
        [
            b'a' | b'e' | b'i' | b'o' | b'u' | b'A' | b'E' | b'I' | b'O' | b'U',
            ..,
        ] => b"an ",
        _ => b"a ",
    };

    const BYTES: [u8; LONGEST_NAME + 3] = {
        assert!(
            is_type_name(T::NAME),
            "a host type needs another `HostValue::NAME`"
        );
        let mut bytes = [0; LONGEST_NAME + 3];
        let mut at = 0;
        while at < Self::ARTICLE.len() + T::NAME.len() {
            let own = at < Self::ARTICLE.len();
            bytes[at] = if own {
                Self::ARTICLE[at]
            } else {
                T::NAME.as_bytes()[at - Self::ARTICLE.len()]
            };
            at += 1;
        }
        bytes
    };

    const TEXT: &'static str = {
        let (used, _) = Self::BYTES.split_at(Self::ARTICLE.len() + T::NAME.len());
        match std::str::from_utf8(used) {
            Ok(text) => text,
            Err(_) => T::NAME,
        }
    };
}

/// The name of the type with an article, for messages: `an inventory`.
pub(crate) const fn noun<T: HostValue>() -> &'static str {
    Noun::<T>::TEXT
}

impl<'a> View<'a> {
    /// The value itself, if it is one of this type of the host.
    ///
    /// `None` also if it is in a clone of its run without being there itself: see
    /// [`HostType::cloned`](crate::HostType::cloned).
    pub fn as_host<T: HostValue>(self) -> Option<&'a T> {
        if !self.word.is_kind(WordKind::Host) {
            return None;
        }
        self.context.heap.host_state(self.word)?.downcast_ref()
    }

    /// The name of its type, if it is a value of a type of the host.
    pub fn host_type(self) -> Option<&'static str> {
        self.word
            .is_kind(WordKind::Host)
            .then(|| self.context.heap.rules_of(self.word).name)
    }
}

impl<T: HostValue + Clone> FromValue for T {
    const EXPECTED: &'static str = noun::<T>();
    const DEPTH: usize = 1;

    fn from_value(view: View<'_>) -> Option<T> {
        view.as_host::<T>().cloned()
    }
}

impl<T: HostValue> IntoValue for T {
    fn into_value<'a>(self, maker: &mut Maker<'a>) -> Result<Made<'a>, ValueError> {
        let heap = &mut maker.context.heap;
        let Some(number) = heap.hosts.type_of::<T>() else {
            return Err(ValueError::NotAValue(format!(
                "the engine does not know the type `{}`: register it with `Engine::with_type`",
                T::NAME
            )));
        };
        let word = heap.host_value(number, Box::new(self));
        maker.context.charge(1);
        Ok(maker.made(word))
    }
}
