//! Numbers: rounding, elementary functions from a portable library, and random draws.
//!
//! Square roots and whole parts have one result by IEEE 754, so these are the processor's. All others come from `libm`.

use super::collections::list_work::FindExtreme;
use super::{Cost, Row, args};
use ndscript_bytecode::ResultKind;
use ndscript_bytecode::Shortcut;
use ndscript_heap::value::MAX_INTEGER;
use ndscript_heap::{Heap, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::{Context, number_fault};
use ndscript_machine::natives::effect::OutsideSource;

/// A number rounded to an integer; integers stay unchanged.
fn whole(
    context: &Context,
    function: &str,
    value: Value,
    rounding: fn(f64) -> f64,
) -> Result<Value, Fault> {
    if value.is_integer() {
        return Ok(value);
    }
    let rounded = rounding(args::number(context, function, value)?);
    if rounded.abs() > MAX_INTEGER as f64 {
        let message = format!(
            "integer overflow: `{function}` of {} is beyond {MAX_INTEGER}",
            context.brief(value)
        );
        return Err(Fault::error(ErrorKind::Overflow, message));
    }
    Ok(Value::integer(rounded as i64))
}

fn floor(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let [x, y] = *arguments else {
        return whole(context, "floor", arguments[0], f64::floor);
    };
    let (a, b) = (
        args::number(context, "floor", x)?,
        args::number(context, "floor", y)?,
    );
    if b == 0.0 {
        return Err(
            Fault::error(ErrorKind::Arithmetic, "division by zero in `floor`")
                .with_hint("check that the divisor is not 0 first"),
        );
    }
    if let (Some(a), Some(b)) = (x.as_integer(), y.as_integer()) {
        let quotient = a / b - (a % b != 0 && (a < 0) != (b < 0)) as i64;
        return Ok(Value::integer(quotient));
    }
    let quotient = (a / b).floor();
    if quotient.abs() > MAX_INTEGER as f64 {
        let (x, y) = (context.brief(x), context.brief(y));
        let message = format!("integer overflow: `floor` of {x} / {y} is beyond {MAX_INTEGER}");
        return Err(Fault::error(ErrorKind::Overflow, message));
    }
    Ok(Value::integer(quotient as i64))
}

/// `formatNumber` writes at most this many digits after the point.
const MOST_DIGITS: i64 = 100;

fn format_number(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let number = args::number(context, "formatNumber", arguments[0])?;
    let digits = args::integer(context, "formatNumber", arguments[1])?;
    if !(0..=MOST_DIGITS).contains(&digits) {
        let message = format!(
            "`formatNumber` writes 0 to {MOST_DIGITS} digits behind the point, not {digits}"
        );
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let text = with_digits(number, digits as usize);
    // Each digit is a division of all remaining ones.
    context.charge(16 + text.len() * text.len() / 64);
    Ok(context.heap.text(&text))
}

/// The decimal text of a number with this many digits after the point. Exact ties are rounded away from zero, as by
/// `round`.
fn with_digits(number: f64, digits: usize) -> String {
    // A number is a tie if it is an odd multiple of half the smallest step: then its binary fraction has exactly
    // `digits + 1` digits, and one decimal digit more writes it exactly.
    let scaled = libm::ldexp(number, digits as i32 + 1);
    let is_between =
        scaled.is_finite() && scaled.trunc() == scaled && libm::fmod(scaled, 2.0) != 0.0;
    let mut text = if is_between {
        let exact = format!("{number:.*}", digits + 1);
        let mut digits_kept: Vec<u8> = exact.bytes().take(exact.len() - 1).collect();
        if digits_kept.last() == Some(&b'.') {
            digits_kept.pop();
        }
        let mut carries = true;
        for digit in digits_kept
            .iter_mut()
            .rev()
            .filter(|digit| digit.is_ascii_digit())
        {
            if !carries {
                break;
            }
            carries = *digit == b'9';
            *digit = if carries { b'0' } else { *digit + 1 };
        }
        if carries {
            digits_kept.insert(usize::from(number < 0.0), b'1');
        }
        digits_kept.into_iter().map(char::from).collect()
    } else {
        format!("{number:.digits$}")
    };
    // Avoid `-0.00`.
    if text.starts_with('-') && text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) {
        text.remove(0);
    }
    text
}

fn ceil(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    whole(context, "ceil", arguments[0], f64::ceil)
}

fn round(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    whole(context, "round", arguments[0], libm::round)
}

fn abs(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments[0].as_integer() {
        Some(integer) => Ok(Value::integer(integer.abs())),
        None => {
            let number = args::number(context, "abs", arguments[0])?;
            context.number(number.abs())
        }
    }
}

fn sign(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let number = args::number(context, "sign", arguments[0])?;
    Ok(Value::integer(
        (number > 0.0) as i64 - (number < 0.0) as i64,
    ))
}

/// The result of an elementary function, or the error in its name.
fn result(
    context: &mut Context,
    function: &str,
    argument: Value,
    result: f64,
) -> Result<Value, Fault> {
    let value = context.heap.float(result);
    value.map_err(|fault| {
        number_fault(
            fault,
            &format!("`{function}` of {}", context.brief(argument)),
        )
    })
}

fn sqrt(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::number(context, "sqrt", arguments[0])?;
    if x < 0.0 {
        let message = format!(
            "`sqrt` wants a number that is 0 or more, not {}",
            context.brief(arguments[0])
        );
        return Err(Fault::error(ErrorKind::Arithmetic, message));
    }
    result(context, "sqrt", arguments[0], x.sqrt())
}

fn exp(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::number(context, "exp", arguments[0])?;
    let power = libm::exp(x);
    result(context, "exp", arguments[0], power)
}

fn log(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::number(context, "log", arguments[0])?;
    if x <= 0.0 {
        let message = format!(
            "`log` wants a number above 0, not {}",
            context.brief(arguments[0])
        );
        return Err(Fault::error(ErrorKind::Arithmetic, message));
    }
    result(context, "log", arguments[0], libm::log(x))
}

fn sin(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::number(context, "sin", arguments[0])?;
    result(context, "sin", arguments[0], libm::sin(x))
}

fn cos(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::number(context, "cos", arguments[0])?;
    result(context, "cos", arguments[0], libm::cos(x))
}

fn tan(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let x = args::number(context, "tan", arguments[0])?;
    result(context, "tan", arguments[0], libm::tan(x))
}

fn pow(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (x, y) = (arguments[0], arguments[1]);
    let (base, exponent) = (
        args::number(context, "pow", x)?,
        args::number(context, "pow", y)?,
    );
    if let (Some(base), Some(exponent @ 0..)) = (x.as_integer(), y.as_integer()) {
        return integer_power(base, exponent).ok_or_else(|| {
            let message =
                format!("integer overflow: pow({base}, {exponent}) is beyond {MAX_INTEGER}");
            Fault::error(ErrorKind::Overflow, message)
                .with_hint("keep the numbers smaller, or use a base with a fraction, such as 1.5")
        });
    }
    let what = format!("pow({}, {})", context.brief(x), context.brief(y));
    if base == 0.0 && exponent < 0.0 {
        return Err(Fault::error(
            ErrorKind::Arithmetic,
            format!("division by zero in {what}"),
        ));
    }
    if base < 0.0 && exponent != exponent.trunc() {
        return Err(
            Fault::error(ErrorKind::Arithmetic, format!("{what} is not a number"))
                .with_hint("a negative number has powers with whole exponents only"),
        );
    }
    context
        .heap
        .float(libm::pow(base, exponent))
        .map_err(|fault| number_fault(fault, &what))
}

/// A power with an exponent of at least 0; `None` if it is out of range.
fn integer_power(base: i64, exponent: i64) -> Option<Value> {
    let power = match base {
        _ if exponent == 0 => 1,
        0 | 1 => base,
        -1 => 1 - 2 * (exponent % 2),
        // A base of two and more leaves the range within 53 turns.
        _ => (0..exponent).try_fold(1i64, |power, _| {
            power
                .checked_mul(base)
                .filter(|power| power.abs() <= MAX_INTEGER)
        })?,
    };
    Heap::integer(power).ok()
}

/// The first number that no other one `beats`.
fn extreme(
    context: &mut Context,
    function: &'static str,
    arguments: &[Value],
    beats: fn(f64, f64) -> bool,
) -> Result<Value, Fault> {
    if let [collection] = *arguments {
        return context.perform(move |context| {
            Ok(FindExtreme::new(
                args::collection(context, function, collection)?,
                function,
                beats,
            ))
        });
    }
    let mut best: Option<(f64, Value)> = None;
    context.charge(arguments.len() / 4);
    for element in arguments {
        let number = args::number(context, function, *element)?;
        if best.is_none_or(|best| beats(number, best.0)) {
            best = Some((number, *element));
        }
    }
    Ok(best.map_or(Value::NULL, |best| best.1))
}

fn min(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    extreme(context, "min", arguments, |number, best| number < best)
}

fn max(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    extreme(context, "max", arguments, |number, best| number > best)
}

fn random_int(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let low = args::integer(context, "randomInt", arguments[0])?;
    let high = args::integer(context, "randomInt", arguments[1])?;
    if low > high {
        let message = format!("`randomInt` wants the lower bound first, not {low} before {high}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let drawn = context.rng.below((high - low) as u64 + 1);
    Ok(Value::integer(low + drawn as i64))
}

fn random(context: &mut Context, _: &[Value]) -> Result<Value, Fault> {
    let drawn = context.rng.unit();
    context.number(drawn)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "floor",
        "x[, y]",
        1,
        Some(2),
        floor,
        "The largest integer that is not above x; with y, not above x / y.",
        ("[floor(-2.5), floor(7, 2)]", "[-3, 3]"),
    ).giving(ResultKind::Number)
    .with_shortcuts(&[Shortcut::Floor, Shortcut::FloorOfQuotient]),
    Row::plain(
        "ceil",
        "x",
        1,
        Some(1),
        ceil,
        "The smallest integer that is not below x.",
        ("ceil(2.1)", "3"),
    ).giving(ResultKind::Number),
    Row::plain(
        "round",
        "x",
        1,
        Some(1),
        round,
        "The nearest integer; a half goes away from zero.",
        ("[round(2.5), round(-2.5)]", "[3, -3]"),
    ).giving(ResultKind::Number),
    Row::plain(
        "formatNumber",
        "x, digits",
        2,
        Some(2),
        format_number,
        "The text of a number with so many digits behind the point.",
        (
            "formatNumber(2 / 3, 2) + \" \" + formatNumber(4, 1)",
            "0.67 4.0",
        ),
    ).giving(ResultKind::String),
    Row::plain(
        "abs",
        "x",
        1,
        Some(1),
        abs,
        "x without its sign.",
        ("abs(-5)", "5"),
    ).giving(ResultKind::Number)
    .with_shortcuts(&[Shortcut::Abs]),
    Row::plain(
        "sign",
        "x",
        1,
        Some(1),
        sign,
        "-1, 0 or 1, as x is below, equal to, or above 0.",
        ("sign(-0.5)", "-1"),
    ).giving(ResultKind::Number),
    Row::plain(
        "sqrt",
        "x",
        1,
        Some(1),
        sqrt,
        "The square root; of a negative number, an error.",
        ("sqrt(16)", "4"),
    ).giving(ResultKind::Number)
    .with_shortcuts(&[Shortcut::Sqrt]),
    Row::plain(
        "exp",
        "x",
        1,
        Some(1),
        exp,
        "e to the power of x.",
        ("exp(0)", "1"),
    ).giving(ResultKind::Number),
    Row::plain(
        "log",
        "x",
        1,
        Some(1),
        log,
        "The natural logarithm of a number above 0.",
        ("log(1)", "0"),
    ).giving(ResultKind::Number),
    Row::plain(
        "sin",
        "x",
        1,
        Some(1),
        sin,
        "The sine of an angle in radians.",
        ("sin(0)", "0"),
    ).giving(ResultKind::Number)
    .with_shortcuts(&[Shortcut::Sin]),
    Row::plain(
        "cos",
        "x",
        1,
        Some(1),
        cos,
        "The cosine of an angle in radians.",
        ("cos(0)", "1"),
    ).giving(ResultKind::Number)
    .with_shortcuts(&[Shortcut::Cos]),
    Row::plain(
        "tan",
        "x",
        1,
        Some(1),
        tan,
        "The tangent of an angle in radians.",
        ("tan(0)", "0"),
    ).giving(ResultKind::Number),
    Row::plain(
        "pow",
        "x, y",
        2,
        Some(2),
        pow,
        "x to the power of y; exact for integers with y >= 0, and an error beyond their range.",
        ("[pow(2, 10), pow(2, -1)]", "[1024, 0.5]"),
    ).giving(ResultKind::Number),
    Row::plain(
        "min",
        "a, b, ...",
        1,
        None,
        min,
        "The smallest of its arguments, or of one collection of numbers, which must not be empty.",
        ("[min(3, 1, 2), min([5, 4])]", "[1, 4]"),
    )
    .with_shortcuts(&[Shortcut::Min])
    .costing(Cost::Linear),
    Row::plain(
        "max",
        "a, b, ...",
        1,
        None,
        max,
        "The largest of its arguments, or of one collection of numbers, which must not be empty.",
        ("[max(3, 1, 2), max([5, 4])]", "[3, 5]"),
    )
    .with_shortcuts(&[Shortcut::Max])
    .costing(Cost::Linear),
    Row::plain(
        "randomInt",
        "low, high",
        2,
        Some(2),
        random_int,
        "A random integer from low to high, each equally likely. A draw is not a choice: failing does not repeat it.",
        ("randomInt(3, 3)", "3"),
    ).from_outside(OutsideSource::Drawn).giving(ResultKind::Number),
    Row::plain(
        "random",
        "",
        0,
        Some(0),
        random,
        "A random number from 0 up to, but not including, 1.",
        ("floor(random())", "0"),
    ).from_outside(OutsideSource::Drawn).giving(ResultKind::Number),
];
