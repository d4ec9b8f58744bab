//! The table of built-ins, and those of no particular domain.

use super::collections;
use super::interpreter::{ErrorName, Interpreter, Interrupt, Result, boolean, error, type_error};
use super::order::DeepCopy;
use super::value::{Value, is_integer};
use super::{arrays, boards, grids, numbers, sets, show};

/// For any number of arguments.
const MANY: usize = usize::MAX;

/// Name, least and greatest number of arguments.
const NATIVES: &[(&str, usize, usize)] = &[
    ("print", 0, MANY),
    ("printLine", 0, MANY),
    ("toString", 1, 1),
    ("toNumber", 1, 1),
    ("typeOf", 1, 1),
    ("copy", 1, 1),
    ("deepCopy", 1, 1),
    ("floor", 1, 2),
    ("ceil", 1, 1),
    ("round", 1, 1),
    ("abs", 1, 1),
    ("sign", 1, 1),
    ("sqrt", 1, 1),
    ("exp", 1, 1),
    ("log", 1, 1),
    ("sin", 1, 1),
    ("cos", 1, 1),
    ("tan", 1, 1),
    ("pow", 2, 2),
    ("min", 1, MANY),
    ("max", 1, MANY),
    ("isEmpty", 1, 1),
    ("isSingleton", 1, 1),
    ("sizeOf", 1, 1),
    ("contains", 2, 2),
    ("singletonValue", 1, 1),
    ("toArray", 1, 1),
    ("toSet", 1, 1),
    ("map", 2, 2),
    ("filter", 2, 2),
    ("reduce", 3, 3),
    ("any", 2, 2),
    ("all", 2, 2),
    ("sum", 1, 1),
    ("sorted", 1, 2),
    ("reversed", 1, 1),
    ("zip", 2, 2),
    ("range", 1, 3),
    ("push", 2, 2),
    ("pop", 1, 1),
    ("insert", 3, 3),
    ("removeAt", 2, 2),
    ("slice", 3, 3),
    ("concat", 2, 2),
    ("indexOf", 2, 2),
    ("join", 2, 2),
    ("split", 2, 2),
    ("chars", 1, 1),
    ("lines", 1, 1),
    ("substring", 3, 3),
    ("replace", 3, 3),
    ("trim", 1, 1),
    ("upper", 1, 1),
    ("lower", 1, 1),
    ("startsWith", 2, 2),
    ("endsWith", 2, 2),
    ("repeat", 2, 2),
    ("formatNumber", 2, 2),
    ("padLeft", 2, 3),
    ("padRight", 2, 3),
    ("setOf", 0, MANY),
    ("union", 2, 2),
    ("intersection", 2, 2),
    ("except", 2, 2),
    ("symmetricDifference", 2, 2),
    ("isSubset", 2, 2),
    ("add", 2, 2),
    ("remove", 2, 2),
    ("relation", 0, MANY),
    ("leftImage", 2, 2),
    ("rightImage", 2, 2),
    ("inverse", 1, 1),
    ("symmetricClosure", 1, 1),
    ("compose", 2, 2),
    ("pairsOf", 1, 1),
    ("domainOf", 1, 1),
    ("rangeOf", 1, 1),
    ("keysOf", 1, 1),
    ("valuesOf", 1, 1),
    ("has", 2, 2),
    ("removeKey", 2, 2),
    ("nonsingletonFieldsOf", 1, 1),
    ("queue", 0, 0),
    ("priorityQueue", 0, 0),
    ("enqueue", 2, 3),
    ("dequeue", 1, 1),
    ("peek", 1, 1),
    ("position", 2, 2),
    ("distance", 2, 2),
    ("grid", 1, 1),
    ("makeGrid", 3, 3),
    ("widthOf", 1, 1),
    ("heightOf", 1, 1),
    ("positionsOf", 1, 1),
    ("inGrid", 2, 2),
    ("rowOf", 2, 2),
    ("columnOf", 2, 2),
    ("fill", 2, 2),
    ("neighborsOf", 2, 2),
    ("neighbors8Of", 2, 2),
    ("nonsingletonPositionsOf", 1, 1),
    ("trueIn", 2, 2),
    ("chooseElement", 1, 2),
    ("minBy", 2, 2),
    ("count", 2, 2),
    ("groupBy", 2, 2),
    ("mapGrid", 2, 2),
    ("floodFill", 3, 3),
    ("shortestPath", 4, 4),
    ("transitiveClosure", 1, 1),
    ("reachableFrom", 2, 2),
    ("maxBy", 2, 2),
    ("firstVisit", 1, 1),
    ("once", 1, 1),
    ("named", 2, 2),
    ("not", 1, 1),
    ("solutions", 1, 2),
    ("countSolutions", 1, 1),
    ("cost", 1, 1),
    ("tally", 1, 2),
    ("snapshot", 1, 2),
    ("minimize", 1, 1),
    ("require", 1, 2),
    ("withRestarts", 1, 2),
    ("withinFailures", 2, 2),
    ("numberOfSolutions", 1, 1),
    ("uniformSolution", 1, 1),
    ("allDifferent", 1, 3),
    ("related", 4, 4),
    ("adjacent", 2, 2),
    ("atLeast", 3, 4),
    ("atMost", 3, 4),
    ("exactly", 3, 4),
    ("sumOf", 3, 5),
    ("costOf", 3, 3),
    ("tuples", 3, 4),
    ("connected", 2, 2),
    ("reachable", 4, 4),
    ("constrain", 3, 3),
    ("narrow", 3, 3),
    ("undecided", 1, 1),
    ("decide", 1, 2),
];

/// The built-in of this name.
pub fn named(name: &str) -> Option<Value> {
    NATIVES
        .iter()
        .find(|(native, _, _)| *native == name)
        .map(|(native, _, _)| Value::Native(native))
}

pub fn call(i: &mut Interpreter, name: &str, arguments: Vec<Value>) -> Result<Value> {
    let Some((_, least, most)) = NATIVES.iter().find(|(native, _, _)| *native == name) else {
        return Err(Interrupt::Drop("a built-in without a row"));
    };
    if arguments.len() < *least || arguments.len() > *most {
        return error(
            ErrorName::Arity,
            format!("{name} with {} arguments", arguments.len()),
        );
    }
    match (name, &arguments[..]) {
        ("print" | "printLine", _) => {
            for argument in &arguments {
                let text = show::text(&i.state, argument);
                i.state.text.push_str(&text);
            }
            if name == "printLine" {
                i.state.text.push('\n');
            }
            if i.state.text.len() > 50_000 {
                Err(Interrupt::Drop("a long text"))
            } else {
                Ok(Value::Null)
            }
        }
        ("toString", [value]) => Ok(Value::text(show::text(&i.state, value))),
        ("toNumber", [Value::String(text)]) => match text.trim().parse::<f64>() {
            Ok(n)
                if text
                    .chars()
                    .all(|c| c.is_ascii_digit() || "+-.eE".contains(c)) =>
            {
                numbers::float(n)
            }
            _ => error(ErrorName::Value, "not the text of a number"),
        },
        ("typeOf", [value]) => Ok(Value::text(value.kind())),
        ("copy", [value]) => copy(i, value),
        ("deepCopy", [value]) => {
            let from = i.state.clone();
            Ok(DeepCopy::of_data(&from, &mut i.state).copy(value))
        }
        ("floor", [x, y]) => {
            let (x, y) = (numbers::number(x)?, numbers::number(y)?);
            if y == 0.0 {
                error(ErrorName::Arithmetic, "division by zero")
            } else {
                numbers::whole((x / y).floor())
            }
        }
        ("formatNumber", [x, digits]) => {
            format_number(numbers::number(x)?, numbers::integer(digits)?)
        }
        ("padLeft" | "padRight", [text, width]) => {
            pad(i, name == "padLeft", text, width, &Value::text(" "))
        }
        ("padLeft" | "padRight", [text, width, filler]) => {
            pad(i, name == "padLeft", text, width, filler)
        }
        ("min" | "max", _) => extreme(i, name == "max", &arguments),
        ("pow", [x, y]) => numbers::power(numbers::number(x)?, numbers::number(y)?),
        (
            "floor" | "ceil" | "round" | "abs" | "sign" | "sqrt" | "exp" | "log" | "sin" | "cos"
            | "tan",
            [x],
        ) => mathematics(name, numbers::number(x)?),
        ("trueIn", [Value::String(literal), model]) => {
            let elements = collections::elements(&i.state, model)?;
            let (wanted, atom) = match literal.strip_prefix('!') {
                Some(atom) => (false, atom),
                None => (true, &**literal),
            };
            let held = elements
                .iter()
                .any(|element| matches!(element, Value::String(text) if &**text == atom));
            Ok(Value::Boolean(held == wanted))
        }
        // Weights change only the order, which this interpreter leaves open.
        ("chooseElement", [collection] | [collection, Value::Object(_)]) => {
            let elements = collections::elements(&i.state, collection)?;
            let chosen = i.decide(elements.len())?;
            Ok(elements[chosen].clone())
        }
        ("once", [f]) => i.once(&mut |i| i.call(f, Vec::new())),
        // Names change only words.
        ("named", [_, f]) => i.call(f, Vec::new()),
        ("not", [f]) => i.not(f),
        ("solutions", [f]) => i.solutions(f, usize::MAX),
        ("solutions", [f, n]) => match numbers::integer(n)? {
            n if n < 0 => error(ErrorName::Value, "a negative number of solutions"),
            n => i.solutions(f, n as usize),
        },
        ("countSolutions", [f]) => i.count_solutions(f),
        ("minimize", [f]) => i.minimize(f),
        ("withinFailures", [f, failures]) => i.within_failures(f, numbers::integer(failures)?),
        ("firstVisit", [value]) => i.first_visit(value),
        ("cost", [price]) => i.cost(numbers::number(price)?),
        ("tally", [Value::String(_)] | [Value::String(_), Value::Number(_)]) => Ok(Value::Null),
        ("tally", _) => error(ErrorName::Type, "what is counted"),
        ("snapshot", [Value::Grid(_)] | [Value::Grid(_), Value::String(_)]) => {
            Ok(arguments[0].clone())
        }
        ("snapshot", _) => error(ErrorName::Type, "what is drawn"),
        // What a failure says changes nothing.
        ("require", [condition] | [condition, _]) => {
            if boolean(condition)? {
                Ok(Value::Null)
            } else {
                Err(Interrupt::Fail)
            }
        }
        _ => {
            for domain in [
                collections::call,
                arrays::call,
                sets::call,
                grids::call,
                boards::call,
            ] {
                if let Some(result) = domain(i, name, &arguments) {
                    return result;
                }
            }
            type_error("other arguments", arguments.first().unwrap_or(&Value::Null))
        }
    }
}

/// A copy of one level.
fn copy(i: &mut Interpreter, value: &Value) -> Result<Value> {
    match value {
        Value::Array(_) | Value::Frozen(_) => {
            let elements = i.state.elements(value).unwrap_or_default();
            Ok(i.state.new_array(elements))
        }
        Value::Grid(id) => {
            let (width, height, cells) = i.state.grid(*id);
            let cells = cells.clone();
            Ok(i.state.new_grid(width, height, cells))
        }
        Value::Object(id) => {
            let fields = i.state.object(*id).clone();
            Ok(i.state.new_object(fields))
        }
        Value::Queue(id) => {
            let (by_priority, elements) = i.state.queue(*id);
            let elements = elements.clone();
            Ok(i.state.new_queue(by_priority, elements))
        }
        _ => Ok(value.clone()),
    }
}

/// Digit by digit, from the number as it exactly is.
fn format_number(x: f64, digits: i64) -> Result<Value> {
    if !(0..=100).contains(&digits) {
        return error(ErrorName::Value, "that many digits");
    }
    // No float has more digits behind the point.
    let exact = format!("{:.1100}", x.abs());
    let (whole, rest) = exact.split_once('.').unwrap_or((&exact, ""));
    let (kept, cut) = rest.split_at(digits as usize);
    let mut written: Vec<u8> = format!("0{whole}{kept}").into_bytes();
    if cut.as_bytes()[0] >= b'5' {
        let nines = written
            .iter()
            .rev()
            .take_while(|digit| **digit == b'9')
            .count();
        let last = written.len() - nines;
        written[last - 1] += 1;
        written[last..].fill(b'0');
    }
    let text = String::from_utf8_lossy(&written).into_owned();
    let (whole, kept) = text.split_at(text.len() - digits as usize);
    let whole = whole.trim_start_matches('0');
    let sign = if x < 0.0 && text.bytes().any(|digit| digit != b'0') {
        "-"
    } else {
        ""
    };
    let point = if digits > 0 { "." } else { "" };
    Ok(Value::text(format!(
        "{sign}{}{point}{kept}",
        if whole.is_empty() { "0" } else { whole }
    )))
}

fn pad(
    i: &Interpreter,
    is_left: bool,
    text: &Value,
    width: &Value,
    filler: &Value,
) -> Result<Value> {
    let width = numbers::integer(width)?;
    let filler = match filler {
        Value::String(filler) if filler.is_empty() => {
            return error(ErrorName::Value, "nothing to fill with");
        }
        Value::String(filler) => filler,
        _ => return type_error("a string", filler),
    };
    let text = match text {
        Value::String(_) | Value::Number(_) => show::text(&i.state, text),
        _ => return type_error("a string or a number", text),
    };
    let missing = usize::try_from(width)
        .unwrap_or(0)
        .saturating_sub(text.chars().count());
    if missing > 50_000 {
        return Err(Interrupt::Drop("a long text"));
    }
    let more: String = filler.chars().cycle().take(missing).collect();
    Ok(Value::text(if is_left {
        more + &text
    } else {
        text + &more
    }))
}

fn extreme(i: &Interpreter, greatest: bool, arguments: &[Value]) -> Result<Value> {
    let numbers = match arguments {
        [one] => collections::elements(&i.state, one)?,
        _ => arguments.to_vec(),
    };
    let mut best: Option<f64> = None;
    for value in &numbers {
        let n = numbers::number(value)?;
        if best.is_none_or(|best| if greatest { n > best } else { n < best }) {
            best = Some(n);
        }
    }
    match best {
        Some(best) => Ok(Value::Number(best)),
        None => error(ErrorName::Empty, "of nothing"),
    }
}

fn mathematics(name: &str, x: f64) -> Result<Value> {
    match name {
        "floor" => numbers::whole(x.floor()),
        "ceil" => numbers::whole(x.ceil()),
        "round" => numbers::whole(numbers::round(x)),
        "abs" => numbers::float(x.abs()),
        "sign" => numbers::float(if x == 0.0 { 0.0 } else { x.signum() }),
        "sqrt" if is_integer(x) || x >= 0.0 => numbers::float(libm::sqrt(x)),
        "exp" => numbers::float(libm::exp(x)),
        "log" => numbers::float(libm::log(x)),
        "sin" => numbers::float(libm::sin(x)),
        "cos" => numbers::float(libm::cos(x)),
        "tan" => numbers::float(libm::tan(x)),
        _ => error(ErrorName::Arithmetic, "not a number"),
    }
}
