//! Strings: sequences of Unicode scalar values, which no built-in changes.

use super::padding::{Side, pad};
use super::text_pattern;
use super::text_work::{
    ChangeCase, FindText, MatchesAt, RepeatText, ReplaceText, SplitText, TakeText, Text,
    TextBuilder, TextFromCodes, TrimText, make_by,
};
use crate::formats::json_reading::JsonReader;
use crate::formats::json_writing::JsonWriter;
use crate::formats::xml_reading::XmlReader;
use crate::{Cost, Row, args};
use ndscript_bytecode::ResultKind;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

/// Where a part of a text begins, as the number of the character.
pub(crate) fn find(
    context: &mut Context,
    text: Value,
    part: Value,
) -> Result<Option<usize>, Fault> {
    let found = context.perform(|_| Ok(FindText::new(text, part)))?;
    Ok(found.as_integer().and_then(|at| usize::try_from(at).ok()))
}

/// A string, left in the heap.
fn string(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    args::handle(context, function, "a string", Kind::Text, value)
}

/// Makes a text that needs at most this many bytes.
fn make(context: &mut Context, bytes: usize, making: impl TextBuilder) -> Result<Value, Fault> {
    make_by(context, bytes, |_| Ok(Text::new(making)))
}

/// The bytes of a string.
fn length(context: &Context, text: Value) -> usize {
    context.heap.as_str(text).map_or(0, str::len)
}

fn split(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "split", arguments[0])?;
    string(context, "split", arguments[1])?;
    let (text, separator) = (arguments[0], arguments[1]);
    if length(context, separator) == 0 {
        return context.perform_array(move |context| context.list(text));
    }
    context.perform(|_| Ok(SplitText::new(text, Some(separator))))
}

fn chars(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "chars", arguments[0])?;
    let text = arguments[0];
    context.perform_array(move |context| context.list(text))
}

fn lines(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "lines", arguments[0])?;
    let text = arguments[0];
    context.perform(|_| Ok(SplitText::new(text, None)))
}

fn substring(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let handle = string(context, "substring", arguments[0])?;
    let from = args::integer(context, "substring", arguments[1])?;
    let to = args::integer(context, "substring", arguments[2])?;
    let text = context.heap.text_at(handle);
    let length = text.characters as i64;
    if let Some(outside) = [from, to]
        .into_iter()
        .find(|index| !(0..=length).contains(index))
    {
        let message =
            format!("`substring` wants indexes from 0 to {length} for this string, not {outside}");
        return Err(Fault::error(ErrorKind::Index, message).with_hint(
            "`to` is the index behind the last character; `sizeOf(s)` is the number of characters",
        ));
    }
    if from > to {
        let message =
            format!("`substring` wants `from` not to be behind `to`, but {from} is behind {to}");
        return Err(Fault::error(ErrorKind::Index, message));
    }
    let length = text.string.len();
    let bounds = text
        .byte_offset(from as usize)
        .zip(text.byte_offset(to as usize));
    let (start, end) = bounds.unwrap_or((length, length));
    let taking = TakeText::new(arguments[0], start, end);
    make_by(context, end - start, move |_| Ok(taking))
}

fn replace(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    for argument in arguments {
        string(context, "replace", *argument)?;
    }
    // Memory is requested as the text grows.
    make(
        context,
        0,
        ReplaceText::new(arguments[0], arguments[1], arguments[2]),
    )
}

fn trim(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "trim", arguments[0])?;
    let text = context.heap.text_at(text).string;
    let is_blank = |character: Option<char>| character.is_some_and(char::is_whitespace);
    if !is_blank(text.chars().next()) && !is_blank(text.chars().next_back()) {
        return Ok(arguments[0]);
    }
    let bytes = text.len();
    make(context, bytes, TrimText::new(arguments[0]))
}

fn upper(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "upper", arguments[0])?;
    make(
        context,
        length(context, arguments[0]),
        ChangeCase::new(arguments[0], str::to_uppercase),
    )
}

fn lower(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "lower", arguments[0])?;
    make(
        context,
        length(context, arguments[0]),
        ChangeCase::new(arguments[0], str::to_lowercase),
    )
}

fn starts_with(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "startsWith", arguments[0])?;
    string(context, "startsWith", arguments[1])?;
    let (text, part) = (arguments[0], arguments[1]);
    context.perform(|_| Ok(MatchesAt::new(text, part, 0)))
}

fn ends_with(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "endsWith", arguments[0])?;
    string(context, "endsWith", arguments[1])?;
    let (text, part) = (arguments[0], arguments[1]);
    match length(context, text).checked_sub(length(context, part)) {
        Some(from) => context.perform(|_| Ok(MatchesAt::new(text, part, from))),
        None => Ok(Value::FALSE),
    }
}

fn repeat(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "repeat", arguments[0])?;
    let count = args::integer(context, "repeat", arguments[1])?;
    if count < 0 {
        let message = format!("`repeat` wants a number that is 0 or more, not {count}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let length = length(context, arguments[0]);
    if length == 0 || count == 1 {
        return Ok(arguments[0]);
    }
    make(
        context,
        length.saturating_mul(count as usize),
        RepeatText::new(arguments[0], count as usize),
    )
}

/// `codeOf(s)`
fn code_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let handle = string(context, "codeOf", arguments[0])?;
    let mut characters = context.heap.text_at(handle).string.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Ok(Value::integer(i64::from(u32::from(character)))),
        _ => Err(context
            .wrong_argument("codeOf", "a text of one character", arguments[0])
            .with_hint("`map(chars(s), codeOf)` gives the codes of all characters of a text")),
    }
}

/// `textFromCodes(codes)`
fn text_from_codes(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let codes = arguments[0];
    args::array(context, "textFromCodes", codes)?;
    context.perform(|_| Ok(TextFromCodes::new(codes)))
}

/// `readJson(s)`
fn read_json(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "readJson", arguments[0])?;
    let text = arguments[0];
    context.perform(|_| Ok(JsonReader::new("readJson", text)))
}

/// `readXml(s)`
fn read_xml(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "readXml", arguments[0])?;
    let text = arguments[0];
    context.perform(|_| Ok(XmlReader::new(text)))
}

/// `writeJson(v)`
fn write_json(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let value = arguments[0];
    context.perform(|_| Ok(JsonWriter::new(value)))
}

fn pad_left(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    pad(context, "padLeft", arguments, Side::Left)
}

fn pad_right(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    pad(context, "padRight", arguments, Side::Right)
}

/// The rows of this domain. `indexOf` is among the arrays.
pub const TABLE: &[Row] = &[
    Row::plain(
        "split",
        "s, separator",
        2,
        Some(2),
        split,
        "The pieces of s between the separators; with an empty separator, its characters.",
        ("split(\"a,b,,c\", \",\")", "[\"a\", \"b\", \"\", \"c\"]"),
    ).giving(ResultKind::Array)
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain("chars", "s", 1, Some(1), chars, "The characters of s.", ("chars(\"né\")", "[\"n\", \"é\"]")).giving(ResultKind::Array)
        .costing(Cost::Linear)
        .returning_fresh(),
    Row::plain(
        "lines",
        "s",
        1,
        Some(1),
        lines,
        "The lines of s; a line break at its end does not begin another one.",
        ("lines(\"one\\ntwo\\n\")", "[\"one\", \"two\"]"),
    ).giving(ResultKind::Array)
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "substring",
        "s, from, to",
        3,
        Some(3),
        substring,
        "The characters of s from the index `from` up to, but not including, the index `to`.",
        ("substring(\"castle\", 1, 4)", "ast"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "replace",
        "s, from, to",
        3,
        Some(3),
        replace,
        "s with every occurrence of `from` replaced by `to`.",
        ("replace(\"banana\", \"an\", \"o\")", "booa"),
    ).giving(ResultKind::String).unchanging("a string does not change")
    .costing(Cost::Linear),
    Row::plain("trim", "s", 1, Some(1), trim, "s without white space at its ends.", ("trim(\"  hill \")", "hill")).giving(ResultKind::String).unchanging("a string does not change")
        .costing(Cost::Linear),
    Row::plain("upper", "s", 1, Some(1), upper, "s in capital letters.", ("upper(\"door\")", "DOOR")).giving(ResultKind::String).unchanging("a string does not change")
        .costing(Cost::Linear),
    Row::plain("lower", "s", 1, Some(1), lower, "s in small letters.", ("lower(\"Door\")", "door")).giving(ResultKind::String).unchanging("a string does not change")
        .costing(Cost::Linear),
    Row::plain(
        "startsWith",
        "s, part",
        2,
        Some(2),
        starts_with,
        "Whether s begins with the part.",
        ("startsWith(\"castle\", \"cas\")", "true"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "endsWith",
        "s, part",
        2,
        Some(2),
        ends_with,
        "Whether s ends with the part.",
        ("endsWith(\"castle\", \"cas\")", "false"),
    )
    .costing(Cost::Linear),
    Row::plain("repeat", "s, n", 2, Some(2), repeat, "s n times in a row.", ("repeat(\"ab\", 3)", "ababab"))
        .costing(Cost::Linear),
    Row::plain(
        "codeOf",
        "s",
        1,
        Some(1),
        code_of,
        "The code point of a text of one character.",
        ("codeOf(\"A\")", "65"),
    ),
    Row::plain(
        "textFromCodes",
        "codes",
        1,
        Some(1),
        text_from_codes,
        "The text of the characters whose code points an array holds.",
        ("textFromCodes([72, 105, 33])", "Hi!"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "matches",
        "s, pattern",
        2,
        Some(2),
        text_pattern::matches,
        "Whether the regular expression matches the whole of s. Known are `.`, classes, `\\d`, `\\w`, `\\s`, groups, `|`, `*`, `+`, `?` \
         and counts such as `{2,3}`.",
        ("matches(\"room 12\", \"[a-z]+ \\\\d+\")", "true"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "findAll",
        "s, pattern",
        2,
        Some(2),
        text_pattern::find_all,
        "The parts of s that the regular expression matches, from left to right, as an array; where several begin at one \
         place, the longest.",
        ("findAll(\"a1 b22 c\", \"\\\\d+\")", "[\"1\", \"22\"]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "replaceAll",
        "s, pattern, to",
        3,
        Some(3),
        text_pattern::replace_all,
        "s with each part that `findAll` would list replaced by `to`, as it is.",
        ("replaceAll(\"a1 b22\", \"\\\\d+\", \"#\")", "a# b#"),
    ).giving(ResultKind::String).unchanging("a string does not change")
    .costing(Cost::Linear),
    Row::plain(
        "readJson",
        "s",
        1,
        Some(1),
        read_json,
        "The value that a JSON text stands for: objects, arrays, strings, numbers, true, false and null. An error says line \
         and column.",
        ("readJson(\"{\\\"a\\\": [1, 2.5]}\")", "{a: [1, 2.5]}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "readXml",
        "s",
        1,
        Some(1),
        read_xml,
        "The element that an XML text consists of: an object with its `name`, its `attributes` (an object of strings) and its \
         `children`, an array of elements and of the texts between them that are not blank.",
        (
            "readXml(\"<set size='2'><tile name='a'/>more</set>\").children",
            "[{name: \"tile\", attributes: {name: \"a\"}, children: []}, \"more\"]",
        ),
    )
    .costing(Cost::Linear),
    Row::plain(
        "writeJson",
        "v",
        1,
        Some(1),
        write_json,
        "The JSON text of a value: positions as objects with `x` and `y`, sets and queues as arrays, grids as arrays of \
         rows. What has no form there is an error that names it.",
        ("writeJson([1, setOf(true), position(2, 3)])", "[1,[true],{\"x\":2,\"y\":3}]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "padLeft",
        "text, width[, filler]",
        2,
        Some(3),
        pad_left,
        "A string, or a number as one, with blanks before it, or with a filler: `width` characters at least.",
        ("padLeft(7, 3) + padLeft(42, 4, \".\")", "  7..42"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "padRight",
        "text, width[, filler]",
        2,
        Some(3),
        pad_right,
        "A string, or a number as one, with blanks behind it, or with a filler: `width` characters at least.",
        ("padRight(\"ab\", 4, \"-\") + \"|\"", "ab--|"),
    )
    .costing(Cost::Linear),
];
