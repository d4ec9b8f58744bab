//! Functions of every value.

use super::{Cost, Row, args};
use ndscript_base::budget::Budget;
use ndscript_bytecode::{ResultKind, Shows};
use ndscript_heap::value::MAX_INTEGER;
use ndscript_heap::walks::copy::{CopyWalk, Halt};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::{Context, number_fault};
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::work::writing::TextTarget;
use ndscript_machine::work::{Tracer, Work};

fn to_string(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if arguments[0].is_kind(Kind::Text) {
        return Ok(arguments[0]);
    }
    context.write(arguments, "", TextTarget::Text)
}

fn to_number(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const LONGEST: usize = 1 << 16;
    let handle = args::handle(context, "toNumber", "a string", Kind::Text, arguments[0])?;
    let length = context.heap.texts[handle].length();
    if length > LONGEST {
        let message = format!(
            "`toNumber` cannot read {} as a number: it is too long",
            context.brief(arguments[0])
        );
        return Err(Fault::error(ErrorKind::Value, message).with_hint(format!(
            "what can be read has {LONGEST} bytes at most; `trim(s)` drops blanks"
        )));
    }
    context.charge(length / 8);
    let text = context.heap.text_at(handle).string.to_string();
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let what = || context.brief(arguments[0]);
    let number = match (is_number(digits), text.parse::<f64>()) {
        (true, Ok(number)) => number,
        _ => {
            let message = format!("`toNumber` cannot read {} as a number", what());
            return Err(Fault::error(ErrorKind::Value, message)
                .with_hint("numbers are written like 12, -3, 2.5 or 1e6"));
        }
    };
    if digits.bytes().all(|byte| byte.is_ascii_digit()) && number.abs() > MAX_INTEGER as f64 {
        let message = format!("integer overflow: {} is beyond {MAX_INTEGER}", what());
        return Err(Fault::error(ErrorKind::Overflow, message));
    }
    context
        .heap
        .float(number)
        .map_err(|fault| number_fault(fault, &context.brief(arguments[0])))
}

/// Whether a text without sign is a number of the language: `12`, `0.5`, `1e-6`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        ),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

fn type_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = match arguments[0].kind() {
        Kind::Null | Kind::Unset | Kind::Variable => "null",
        Kind::Boolean => "boolean",
        Kind::Integer | Kind::Float | Kind::BoxedFloat => "number",
        Kind::Text => "string",
        Kind::Position => "position",
        Kind::Array => "array",
        Kind::Set => "set",
        Kind::Relation => "relation",
        Kind::Grid => "grid",
        Kind::Object => "object",
        Kind::Queue => "queue",
        Kind::Function | Kind::Native | Kind::Method => "function",
        Kind::Host => context.heap.rules_of(arguments[0]).name,
    };
    Ok(context.heap.text(name))
}

fn copy(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let value = arguments[0];
    if value.is_kind(Kind::Host) {
        context.reserve(context.heap.host_bytes(value))?;
        let copied = context.heap.copy_host(value);
        return copied.map_err(|host| context.no_copy(host, "cannot be copied"));
    }
    if !CopyWalk::changes(value) {
        return Ok(value);
    }
    context.perform(move |context| {
        context.reserve(context.heap.bytes_of_parts(value))?;
        Ok(CopyWork {
            copying: CopyWalk::of_one_level(value),
        })
    })
}

fn deep_copy(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let value = arguments[0];
    if !CopyWalk::changes(value) {
        return Ok(value);
    }
    context.perform(move |_| {
        Ok(CopyWork {
            copying: CopyWalk::new(value),
        })
    })
}

/// A copy being made.
#[derive(Clone)]
struct CopyWork {
    copying: CopyWalk,
}

impl Work for CopyWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            match self.copying.resume(&mut context.heap, budget) {
                Ok(copied) => return Ok(copied),
                Err(Halt::Host(host)) => return Err(context.no_copy(host, "cannot be copied")),
                Err(Halt::Room(bytes)) => {
                    context.reserve(bytes)?;
                    self.copying.grant(bytes);
                }
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.copying.values(&mut |value| tracer.values.push(value));
    }

    fn bytes(&self) -> usize {
        self.copying.bytes()
    }
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "toString",
        "v",
        1,
        Some(1),
        to_string,
        "The text of a value, as `print` shows it.",
        ("toString([1, \"a\"]) + \"!\"", "[1, \"a\"]!"),
    ).giving(ResultKind::String)
    .showing(Shows::Text)
    .costing(Cost::Linear),
    Row::plain(
        "toNumber",
        "s",
        1,
        Some(1),
        to_number,
        "The number that a string stands for; an error if it is not a number.",
        ("toNumber(\"12\") + 1", "13"),
    ).giving(ResultKind::Number)
    .costing(Cost::Linear),
    Row::plain(
        "typeOf",
        "v",
        1,
        Some(1),
        type_of,
        "What a value is: \"null\", \"boolean\", \"number\", \"string\", \"position\", \"array\", \"set\", \"relation\", \
         \"grid\", \"object\", \"queue\" or \"function\"; a type of the host has a name of its own.",
        ("typeOf(setOf(1))", "set"),
    ).with_effect(NativeEffect::LooksAtShape),
    Row::plain(
        "copy",
        "v",
        1,
        Some(1),
        copy,
        "A shallow copy: what is inside is shared.",
        (
            "let a = [1]; let b = copy(a); push(b, 2); [a, b]",
            "[[1], [1, 2]]",
        ),
    ).with_effect(NativeEffect::Copies).passing_elements().unchanging("it is a copy")
    .costing(Cost::Linear),
    Row::plain(
        "deepCopy",
        "v",
        1,
        Some(1),
        deep_copy,
        "A copy of a value and of everything inside that can change.",
        (
            "let a = [[1]]; let b = deepCopy(a); push(b[0], 2); [a, b]",
            "[[[1]], [[1, 2]]]",
        ),
    ).with_effect(NativeEffect::CopiesDeeply).unchanging("it is a copy")
    .costing(Cost::Linear),
];
