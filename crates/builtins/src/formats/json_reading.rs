//! `readJson`: a text as objects, arrays and plain values, in pieces.

use crate::texts::text_search::BYTES_OF_VISIT;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::kinds::text::InternWalk;
use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// At most this many bytes of a number are read.
const LONGEST_NUMBER: usize = 1 << 10;
/// At most this many bytes of a string are read at a time.
const BLOCK: usize = 1 << 12;

/// What is allowed next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum NextToken {
    Value,
    /// A value, or the end of an empty array.
    ValueOrEnd,
    Key,
    /// A key, or the end of an empty object.
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    /// Nothing but blanks.
    End,
}

impl NextToken {
    fn words(self, is_object: bool) -> &'static str {
        match self {
            NextToken::Value => "a value",
            NextToken::ValueOrEnd => "a value or `]`",
            NextToken::Key => "a key in quotes",
            NextToken::KeyOrEnd => "a key in quotes or `}`",
            NextToken::Colon => "`:`",
            NextToken::CommaOrEnd if is_object => "`,` or `}`",
            NextToken::CommaOrEnd => "`,` or `]`",
            NextToken::End => "the end",
        }
    }
}

/// An array or an object that is being read.
#[derive(Clone)]
enum OpenCollection {
    Array(Vec<Value>),
    Object(Handle, Option<Value>),
}

/// A text being read as a value.
#[derive(Clone)]
pub struct JsonReader {
    /// The function that reads it.
    function: &'static str,
    text: Value,
    at: usize,
    next: NextToken,
    open: Vec<OpenCollection>,
    /// The string that is being read.
    string: Option<String>,
    interning: Option<InternWalk>,
    /// A string that was read.
    read_string: Option<Value>,
    result: Option<Value>,
}

impl JsonReader {
    pub fn new(function: &'static str, text: Value) -> JsonReader {
        JsonReader {
            function,
            text,
            at: 0,
            next: NextToken::Value,
            open: Vec::new(),
            string: None,
            interning: None,
            read_string: None,
            result: None,
        }
    }

    /// An error at the current line and column.
    fn wrong(&self, text: &str, what: &str) -> Fault {
        let before = &text[..self.at.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .map_or(0, |line| line.chars().count())
            + 1;
        let function = self.function;
        let message = format!("`{function}` cannot read line {line}, column {column}: {what}");
        Fault::error(ErrorKind::Value, message)
    }

    /// The error at the current place: what was expected there and what was found.
    fn unexpected(&self, text: &str) -> Fault {
        let is_object = matches!(self.open.last(), Some(OpenCollection::Object(..)));
        let is_array = matches!(self.open.last(), Some(OpenCollection::Array(_)));
        let wanted = self.next.words(is_object);
        let what = match (self.next, text[self.at..].chars().next()) {
            (NextToken::Value, Some(']')) if is_array => {
                format!("expected {wanted}, found `]`; JSON has no comma after the last value")
            }
            (NextToken::Key, Some('}')) => {
                format!("expected {wanted}, found `}}`; JSON has no comma after the last value")
            }
            (_, Some('/')) => format!("expected {wanted}, found `/`; JSON has no comments"),
            (_, Some('\'')) => format!("expected {wanted}, found `'`; JSON has double quotes"),
            (_, Some(found)) => format!("expected {wanted}, found `{found}`"),
            (_, None) => format!("expected {wanted}, but the text ends"),
        };
        self.wrong(text, &what)
    }

    /// Upper bound on bytes for adding the next value, including a closed parent.
    fn room(&self, context: &Context) -> usize {
        let last = self.open.iter().rev().take(2);
        let rooms = last.map(|open| match open {
            OpenCollection::Array(elements) => room::step(8 * elements.capacity()),
            OpenCollection::Object(object, _) => context
                .heap
                .bytes_to_write(Value::handle(Kind::Object, *object)),
        });
        256 + room::step(self.open.capacity() * size_of::<OpenCollection>()) + rooms.sum::<usize>()
    }

    /// Puts a value into its parent; it fits into memory.
    fn put(&mut self, context: &mut Context, value: Value) {
        match self.open.last_mut() {
            None => (self.result, self.next) = (Some(value), NextToken::End),
            Some(OpenCollection::Array(elements)) => {
                room::grow(elements, 1);
                elements.push(value);
                self.next = NextToken::CommaOrEnd;
            }
            Some(OpenCollection::Object(object, key)) => {
                if let Some(key) = key.take() {
                    context.heap.set_field(*object, key, value);
                }
                self.next = NextToken::CommaOrEnd;
            }
        }
    }

    /// Closes the innermost open array or object.
    fn close(&mut self, context: &mut Context) {
        let value = match self.open.pop() {
            Some(OpenCollection::Array(elements)) => context.heap.array(elements),
            Some(OpenCollection::Object(object, _)) => Value::handle(Kind::Object, object),
            None => Value::NULL,
        };
        self.put(context, value);
    }

    /// Continues to read a string; true when the quote at its end is read.
    fn read_string(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let Some(mut out) = self.string.take() else {
            return Ok(true);
        };
        let is_closed = loop {
            if budget.is_spent() {
                break false;
            }
            let rest = &text[self.at..];
            let most = rest.len().min(BLOCK);
            let plain = rest.as_bytes()[..most]
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\') || *byte < b' ');
            let mut end = plain.unwrap_or(most);
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            room::grow_text(&mut out, end + 4);
            out.push_str(&rest[..end]);
            budget.spend(end / BYTES_OF_VISIT + 2);
            self.at += end;
            match rest[end..].chars().next() {
                Some('"') => {
                    self.at += 1;
                    break true;
                }
                Some('\\') => {
                    let (character, length) = escaped(&rest[end + 1..])
                        .ok_or_else(|| self.wrong(text, "this escape means nothing"))?;
                    out.push(character);
                    self.at += 1 + length;
                }
                Some(control) if control < ' ' => {
                    let what = "a line break or control character in a string is written as an escape, `\\n`";
                    return Err(self.wrong(text, what));
                }
                Some(_) => {}
                None => return Err(self.wrong(text, "the text ends in a string")),
            }
        };
        self.string = Some(out);
        Ok(is_closed)
    }

    /// Reads a number or a word.
    fn read_plain(&mut self, context: &mut Context) -> Result<Value, Fault> {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let rest = &text.as_bytes()[self.at..];
        let most = rest.len().min(LONGEST_NUMBER + 1);
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = rest[..most].iter().take_while(|byte| is_part(byte)).count();
        let word = &text[self.at..self.at + length];
        let value = match word {
            "null" => Value::NULL,
            "true" => Value::TRUE,
            "false" => Value::FALSE,
            _ => {
                let is_number = length <= LONGEST_NUMBER && is_number(word);
                let Some(number) = is_number.then(|| word.parse::<f64>().ok()).flatten() else {
                    return Err(match word {
                        "" => self.unexpected(text),
                        _ if length > LONGEST_NUMBER => self.wrong(text, "a number is too long"),
                        _ => self.wrong(text, &format!("`{word}` is no value of JSON")),
                    });
                };
                let is_whole = !word.contains(['.', 'e', 'E']);
                let known = match is_whole {
                    true => word
                        .parse()
                        .ok()
                        .and_then(|whole| Heap::integer(whole).ok()),
                    false => context.heap.float(number).ok(),
                };
                let Some(number) = known else {
                    let text = context.heap.as_str(self.text).unwrap_or_default();
                    let word = &text[self.at..self.at + length.min(32)];
                    return Err(self.wrong(text, &format!("the number {word} is too large")));
                };
                number
            }
        };
        self.at += length;
        Ok(value)
    }

    /// Reads the next item, outside of strings.
    fn read_next(&mut self, context: &mut Context) -> Result<(), Fault> {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let Some(byte) = text.as_bytes().get(self.at).copied() else {
            return Err(self.unexpected(text));
        };
        match (self.next, byte) {
            (_, b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
            (
                NextToken::Value | NextToken::ValueOrEnd | NextToken::Key | NextToken::KeyOrEnd,
                b'"',
            ) => {
                self.at += 1;
                self.string = Some(String::new());
            }
            (NextToken::Value | NextToken::ValueOrEnd, b'[' | b'{') => {
                room::grow(&mut self.open, 1);
                if byte == b'[' {
                    self.open.push(OpenCollection::Array(Vec::new()));
                    self.next = NextToken::ValueOrEnd;
                } else {
                    let object = context.heap.object().payload();
                    self.open.push(OpenCollection::Object(object, None));
                    self.next = NextToken::KeyOrEnd;
                }
                self.at += 1;
            }
            (NextToken::ValueOrEnd, b']') | (NextToken::KeyOrEnd, b'}') => {
                self.at += 1;
                self.close(context);
            }
            (NextToken::CommaOrEnd, byte) => match (self.open.last(), byte) {
                (Some(OpenCollection::Array(_)), b']')
                | (Some(OpenCollection::Object(..)), b'}') => {
                    self.at += 1;
                    self.close(context);
                }
                (Some(OpenCollection::Array(_)), b',') => {
                    (self.at, self.next) = (self.at + 1, NextToken::Value)
                }
                (Some(OpenCollection::Object(..)), b',') => {
                    (self.at, self.next) = (self.at + 1, NextToken::Key)
                }
                _ => return Err(self.unexpected(text)),
            },
            (NextToken::Colon, b':') => (self.at, self.next) = (self.at + 1, NextToken::Value),
            (NextToken::Value | NextToken::ValueOrEnd, _) => {
                let value = self.read_plain(context)?;
                self.put(context, value);
            }
            _ => return Err(self.unexpected(text)),
        }
        Ok(())
    }
}

/// Whether a text is a number as JSON writes it.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    if whole == 0 || whole > 1 && text.starts_with('0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

/// The character of an escape after its backslash, and its length in bytes.
fn escaped(text: &str) -> Option<(char, usize)> {
    let plain = match text.bytes().next()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(text),
        _ => return None,
    };
    Some((plain, 1))
}

/// As `escaped`, for `u` and four digits, or two of these in a row for a character beyond 16 bits.
fn unicode(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        are_digits.then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = unit(1)?;
    if !(0xd800..0xe000).contains(&first) {
        return Some((char::from_u32(first)?, 5));
    }
    let second = unit(7).filter(|_| text.get(5..7) == Some("\\u"))?;
    if first >= 0xdc00 || !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    Some((char::from_u32(code)?, 11))
}

impl Work for JsonReader {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            if budget.is_spent() {
                return Ok(None);
            }
            if self.string.is_some() {
                context.reserve(BLOCK + self.string.as_ref().map_or(0, String::capacity))?;
                if !self.read_string(context, budget)? {
                    return Ok(None);
                }
                self.interning = self.string.take().map(InternWalk::new);
            }
            if let Some(interning) = &mut self.interning {
                let Some(string) = interning.resume(&mut context.heap, budget) else {
                    return Ok(None);
                };
                (self.read_string, self.interning) = (Some(string), None);
            }
            context.reserve(self.room(context))?;
            if let Some(string) = self.read_string.take() {
                if matches!(self.next, NextToken::Key | NextToken::KeyOrEnd) {
                    if let Some(OpenCollection::Object(_, key)) = self.open.last_mut() {
                        *key = Some(string);
                    }
                    self.next = NextToken::Colon;
                } else {
                    self.put(context, string);
                }
            }
            budget.spend(4);
            let text = context.heap.as_str(self.text).unwrap_or_default();
            if self.next == NextToken::End {
                let rest = text[self.at..].trim_start_matches([' ', '\t', '\n', '\r']);
                if rest.is_empty() {
                    return Ok(self.result);
                }
                self.at = text.len() - rest.len();
                return Err(self.unexpected(text));
            }
            self.read_next(context)?;
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.result);
        tracer.values.extend(self.read_string);
        for open in &self.open {
            match open {
                OpenCollection::Array(elements) => tracer.values.extend_from_slice(elements),
                OpenCollection::Object(object, key) => {
                    tracer.values.push(Value::handle(Kind::Object, *object));
                    tracer.values.extend(*key);
                }
            }
        }
        if let Some(interning) = &self.interning {
            interning.values(&mut |value| tracer.values.push(value));
        }
    }

    fn bytes(&self) -> usize {
        let open = self.open.iter().map(|open| match open {
            OpenCollection::Array(elements) => room::row(elements),
            OpenCollection::Object(..) => 0,
        });
        room::row(&self.open)
            + open.sum::<usize>()
            + self
                .string
                .as_ref()
                .map_or(0, |out| room::block(out.capacity()))
            + self.interning.as_ref().map_or(0, InternWalk::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_escapes_are_those_of_json() {
        for number in ["0", "-0", "12", "-3.25", "1e5", "1E-5", "0.5e+2"] {
            assert!(is_number(number), "{number}");
        }
        for other in [
            "", "-", "01", "1.", ".5", "1e", "+1", "1.5.2", "0x1", "1e5x", "NaN",
        ] {
            assert!(!is_number(other), "{other}");
        }
        assert_eq!(escaped("u00f6x"), Some(('ö', 5)));
        assert_eq!(escaped("ud83d\\ude00"), Some(('😀', 11)));
        for wrong in ["ud83d", "ude00\\ud83d", "u12", "x", "", "u+123"] {
            assert_eq!(escaped(wrong), None, "{wrong}");
        }
    }
}
