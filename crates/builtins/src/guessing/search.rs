//! Guessing: choices, and searches inside a search.

use ndscript_bytecode::Form;
use ndscript_machine::natives::effect::{NativeEffect, OutsideSource, SearchWords};
use std::cmp::Ordering;

use crate::{Cost, Row, args};
use ndscript_base::counted::counted;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault, VALUE_OF_SET};
use ndscript_machine::host::record::LONGEST;
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::native::{Control, DecideStep};

fn require(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if args::boolean(context, "require", arguments[0])? {
        return Ok(Value::TRUE);
    }
    if let Some(message) = arguments.get(1) {
        context.set_failure_message_to(*message)?;
    }
    Err(Fault::Fail)
}

/// This is not a failure: nothing in a script catches it.
fn error(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if !arguments[0].is_kind(Kind::Text) {
        return Err(context.wrong_argument("error", "a string", arguments[0]));
    }
    let message = context.words(arguments[0]);
    // Further lines add details, like the hints of other errors.
    let mut lines = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines
        .next()
        .unwrap_or("the script ended its run with an error that says nothing");
    let fault = Fault::error(ErrorKind::Script, first);
    let more: Vec<&str> = lines.collect();
    Err(if more.is_empty() {
        fault
    } else {
        fault.with_hint(more.join(" "))
    })
}

/// `__function(f, name, parameters)`: an error in the name of a built-in unless `f` can be called.
fn check_function(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments[0].kind() {
        Kind::Function | Kind::Native | Kind::Method | Kind::Relation => Ok(Value::NULL),
        _ => {
            let name = args::text(context, "", arguments[1])?.to_string();
            let fault = context.wrong_argument(&name, "a function", arguments[0]);
            Err(match name.as_str() {
                "named" => fault.with_hint(
                    "what puts the constraints is called by it: `named(\"row 3\", () => exactly(b, 2, 1, row))`",
                ),
                _ => fault,
            })
        }
    }
}

/// `__takesOne(f)`: whether a function that is called with a value, and more if it wants that, is called with the value
/// alone.
fn takes_one(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let function = arguments[0];
    let takes_one = match function.kind() {
        Kind::Function => {
            let number = context.heap.functions[function.payload()].function as usize;
            context
                .code
                .functions
                .get(number)
                .is_some_and(|called| called.accepts(1) && !called.accepts(2))
        }
        // Further arguments of built-ins mean something else.
        Kind::Native => context
            .natives
            .get(function.payload() as usize)
            .is_some_and(|native| native.least <= 1),
        _ => false,
    };
    Ok(Value::boolean(takes_one))
}

/// `__gaveUp(failures)`: the failure of a `withinFailures` that has had enough.
fn gave_up(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let failures = args::integer(context, "withinFailures", arguments[0])?;
    context.set_failure_message(&format!(
        "`withinFailures` gave up after {}",
        counted(failures, "failure")
    ))?;
    Err(Fault::Fail)
}

/// `__collection(c, name)`: an error in the name of a built-in unless `c` is a collection.
fn check_collection(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments[0].kind() {
        Kind::Array | Kind::Set | Kind::Queue | Kind::Object | Kind::Grid | Kind::Text => {
            Ok(Value::NULL)
        }
        _ => {
            let name = args::text(context, "", arguments[1])?;
            Err(context.wrong_argument(&name, "a collection", arguments[0]))
        }
    }
}

/// `__wrongWeights(weights, name)`: the error for weights that are neither an object nor a function.
fn wrong_weights(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = args::text(context, "", arguments[1])?;
    Err(context.wrong_argument(&name, "an object or a function as weights", arguments[0]))
}

/// `__comesBefore(rank, least, name)`: whether what a callback returned is less than the least so far, null at first.
fn comes_before(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    compare_ranks(context, arguments, Ordering::Less)
}

/// `__comesBehind(rank, greatest, name)`: as for the least, with the greatest.
fn comes_after(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    compare_ranks(context, arguments, Ordering::Greater)
}

/// Whether a rank is better than the best one so far; an error if the two do not compare.
fn compare_ranks(
    context: &mut Context,
    arguments: &[Value],
    wanted: Ordering,
) -> Result<Value, Fault> {
    let (rank, best) = (arguments[0], arguments[1]);
    let is_rank = rank.is_number() || rank.is_kind(Kind::Text);
    let fits = best == Value::NULL || rank.is_number() == best.is_number();
    if !is_rank || !fits {
        let name = args::text(context, "", arguments[2])?;
        let found = context.describe(rank);
        let message = if is_rank {
            let other = context.describe(best);
            format!(
                "the function given to `{name}` returned {other}, and then {found}: these do not compare"
            )
        } else {
            format!("the function given to `{name}` must return numbers or strings, not {found}")
        };
        let fault = Fault::error(ErrorKind::Type, message);
        return Err(match rank.kind() {
            Kind::Set => fault.with_hint(VALUE_OF_SET),
            _ => fault,
        });
    }
    let comes = best == Value::NULL || context.compare(rank, best)? == wanted;
    Ok(Value::boolean(comes))
}

/// `__empty(name)`: the error for a collection without elements.
fn empty(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = args::text(context, "", arguments[0])?;
    Err(
        Fault::error(ErrorKind::Empty, format!("`{name}` of an empty collection"))
            .with_hint("check `isEmpty(c)` first"),
    )
}

/// `__limit(n)`: an error unless `n` can be a number of solutions.
fn check_limit(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments[0].as_integer() {
        Some(limit) if limit >= 0 => Ok(Value::NULL),
        Some(limit) => Err(Fault::error(
            ErrorKind::Value,
            format!("`solutions` wants a number of solutions that is 0 or more, not {limit}"),
        )),
        None => {
            Err(context.wrong_argument("solutions", "a whole number of solutions", arguments[0]))
        }
    }
}

/// `__verdict(b, name)`: the Boolean that a callback returned, or an error in the name of a built-in.
fn verdict(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments[0].as_boolean() {
        Some(_) => Ok(arguments[0]),
        None => {
            let name = args::text(context, "", arguments[1])?;
            let found = context.describe(arguments[0]);
            Err(Fault::error(
                ErrorKind::Type,
                format!("the function given to `{name}` must return true or false, not {found}"),
            ))
        }
    }
}

const fn hidden(name: &'static str, count: u32, control: Control) -> Row {
    Row::control(name, "", count, Some(count), control, "", ("", ""))
}

/// `__ruleName(name)`: gives constraints a name from now on, or none, and gives back the one before.
fn rule_name(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = arguments[0];
    if name != Value::NULL && context.heap.as_str(name).is_none() {
        return Err(context.wrong_argument("named", "a string as name", name));
    }
    let before = context.heap.branch.rule_name;
    context.heap.set_rule_name(name);
    Ok(before)
}

/// `tally(name[, n])`
fn tally(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let Some(name) = context.heap.as_str(arguments[0]) else {
        return Err(context.wrong_argument("tally", "a string as name", arguments[0]));
    };
    let amount = match arguments.get(1) {
        None => 1.0,
        Some(amount) => context
            .heap
            .as_f64(*amount)
            .ok_or_else(|| context.wrong_argument("tally", "a number to add", *amount))?,
    };
    let looked_at = name.len().min(LONGEST);
    if context.record.is_wanted {
        context.record.count(name, amount, context.limits.memory);
    }
    context.charge(looked_at / 8);
    Ok(Value::NULL)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::control(
        "chooseElement",
        "collection[, weights]",
        1,
        Some(2),
        Control::ChooseElement,
        "An element of the collection, in a random order; with weights, likelier ones come sooner. Fails if there is none.",
        ("solutions(() => chooseElement([7]))", "[7]"),
    ).with_effect(NativeEffect::Picks).with_form(Form::ChooseElement)
    .with_scripts(&[(2, "chooseElementByWeight")]),
    Row::plain(
        "require",
        "condition[, message]",
        1,
        Some(2),
        require,
        "Fails unless the condition is true. If the run ends without a solution, the message of the last failure that had \
         one is shown: words for people, any value as text.",
        ("solutions(() => { var x = choose(1, 2, 3); require(x != 2); return x; })", "[1, 3]"),
    ).with_effect(NativeEffect::Requires),
    Row::control(
        "randomElement",
        "collection[, weights]",
        1,
        Some(2),
        Control::RandomElement,
        "An element of the collection by a draw, which is no choice: a failure does not try the others. With weights, \
         likelier ones come more often, and those of weight 0 never. Fails if there is none.",
        ("randomElement([7])", "7"),
    ).with_effect(NativeEffect::Picks).from_outside(OutsideSource::Drawn)
    .with_scripts(&[(2, "randomElementByWeight")]),
    Row::control(
        "firstVisit",
        "v",
        1,
        Some(1),
        Control::FirstVisit,
        "Whether this is the first call with a value equal to v; failures do not undo that. Each call of `once`, \
         `not`, `solutions`, `minimize` and their like, or of a deterministic function, has a memory of its own.",
        ("solutions(() => { var x = choose(1, 2, 1); require(firstVisit(x)); return x; })", "[1, 2]"),
    ).costing(Cost::Linear),
    Row::plain(
        "error",
        "message",
        1,
        Some(1),
        error,
        "Ends the run with an error that says the message: for input that makes no sense. No guess is tried again.",
        ("var size = 8; if (size > 64) error(\"the size must be at most 64\"); size", "8"),
    ).costing(Cost::Linear),
    Row::script(
        "once",
        "f",
        &[(1, "once")],
        "The first result of `f()`; the choices made inside are forgotten.",
        ("once(() => choose(1, 2))", "1"),
    ).costing(Cost::Search),
    Row::script(
        "not",
        "f",
        &[(1, "not")],
        "Fails if `f()` has a solution, else true. What `f` does is undone.",
        ("not(() => { require(1 > 2); })", "true"),
    ).searching(SearchWords { first: "`not` looks for a solution", then: "`not` finds none", continues: Some("`not` has found a solution") }).costing(Cost::Search),
    Row::script(
        "solutions",
        "f[, n]",
        &[(1, "solutions"), (2, "firstSolutions")],
        "The results of `f()`, at most n, in the order in which they are found. What `f` does is undone.",
        ("solutions(() => choose(1, 2) * 10)", "[10, 20]"),
    ).searching(SearchWords { first: "`solutions` looks for all", then: "`solutions` has enough", continues: Some("`solutions` keeps a result and looks for more") }).costing(Cost::Search),
    Row::script(
        "countSolutions",
        "f",
        &[(1, "countSolutions")],
        "The number of solutions of `f()`. What `f` does is undone.",
        ("countSolutions(() => choose(1, 2, 3))", "3"),
    ).searching(SearchWords { first: "`countSolutions` looks for all", then: "`countSolutions` has all", continues: Some("`countSolutions` counts a result and looks for more") }).costing(Cost::Search),
    Row::control(
        "cost",
        "n",
        1,
        Some(1),
        Control::Cost,
        "Adds n to the cost of this branch; returns the total cost since the run began.",
        ("cost(2); cost(3)", "5"),
    )
    .adding_price(),
    Row::plain(
        "tally",
        "name[, n]",
        1,
        Some(2),
        tally,
        "Counts under a name, by 1 or by n, for whoever watches the run or wants `--stats`; failures do not take it back, and \
         the program cannot read it. Returns null.",
        ("tally(\"dead ends\")", "null"),
    ),
    Row::script(
        "minimize",
        "f",
        &[(1, "minimize")],
        "The result and the effects of the cheapest solution of `f()`, by `cost`; the first of them if there are several.",
        ("minimize(() => { var x = choose(3, 1, 2); cost(x); return x; })", "1"),
    ).minimizing().searching(SearchWords { first: "`minimize` searches up to a price", then: "`minimize` has searched up to that price", continues: Some("`minimize` keeps a result and looks for a better one") }).costing(Cost::Search),
    Row::script(
        "withRestarts",
        "f[, failures]",
        &[(1, "withRestarts"), (2, "withRestartsAfter")],
        "The first result of `f()`, which begins again after some failures inside, with other draws: after as many as \
         `failures` (250 if it is left out) times 1, 1, 2, 1, 1, 2, 4, ... Fails when an attempt has searched everything.",
        ("withRestarts(() => { var x = chooseElement([1, 2, 3, 4]); require(x > 3); return x; }, 1)", "4"),
    ).searching(SearchWords { first: "`withRestarts` makes an attempt", then: "`withRestarts` begins again", continues: None }).costing(Cost::Search),
    Row::script(
        "retry",
        "f[, times]",
        &[(1, "retry"), (2, "retryTimes")],
        "The first result of `f()` in an attempt that has one, as of a deterministic call: an attempt without is undone, and the \
         next one begins with other draws. Fails after so many attempts; without a number it goes on until a limit.",
        ("retry(() => { let n = randomInt(1, 6); require(n == 6); return n; })", "6"),
    ).costing(Cost::Search),
    Row::script(
        "withinFailures",
        "f, failures",
        &[(2, "withinFailures")],
        "The first result of `f()`, as of a deterministic call; fails at the failure inside with this number, and then \
         says that it gave up.",
        ("withinFailures(() => { var x = choose(1, 2, 3, 4); require(x > 3); return x; }, 9)", "4"),
    ).searching(SearchWords { first: "`withinFailures` makes an attempt", then: "`withinFailures` has failed often enough", continues: None }).costing(Cost::Search),
    Row::plain("__function", "", 2, Some(2), check_function, "", ("", "")),
    Row::plain("__ruleName", "", 1, Some(1), rule_name, "", ("", "")),
    Row::plain("__gaveUp", "", 1, Some(1), gave_up, "", ("", "")),
    Row::plain("__takesOne", "", 1, Some(1), takes_one, "", ("", "")),
    Row::plain("__collection", "", 2, Some(2), check_collection, "", ("", "")),
    Row::plain("__wrongWeights", "", 2, Some(2), wrong_weights, "", ("", "")),
    Row::plain("__comesBefore", "", 3, Some(3), comes_before, "", ("", "")),
    Row::plain("__comesBehind", "", 3, Some(3), comes_after, "", ("", "")),
    Row::plain("__empty", "", 1, Some(1), empty, "", ("", "")),
    Row::plain("__limit", "", 1, Some(1), check_limit, "", ("", "")),
    Row::plain("__verdict", "", 2, Some(2), verdict, "", ("", "")),
    hidden("__chooseWeighted", 2, Control::ChooseWeighted),
    hidden("__drawWeighted", 2, Control::DrawWeighted).from_outside(OutsideSource::Drawn),
    hidden("__beginDeciding", 1, Control::BeginDeciding),
    hidden("__endDeciding", 2, Control::EndDeciding),
    hidden("__guess", 4, Control::Guess).as_stage(DecideStep::Guess),
    hidden("__guessWeighted", 5, Control::GuessWeighted),
    hidden("__openSearch", 0, Control::OpenSearch),
    hidden("__endSearch", 0, Control::EndSearch),
    hidden("__dropSearch", 0, Control::DropSearch),
    hidden("__gather", 0, Control::Gather),
    hidden("__collect", 2, Control::Collect),
    hidden("__count", 0, Control::Count),
    hidden("__gathered", 0, Control::Gathered),
    hidden("__counted", 0, Control::Counted),
    hidden("__openRestarts", 2, Control::OpenRestarts),
    hidden("__openRetries", 2, Control::OpenRetries),
    hidden("__endRestarts", 0, Control::EndRestarts),
    hidden("__nextAttempt", 0, Control::NextAttempt),
    hidden("__endRound", 0, Control::EndRound),
    hidden("__openMinimize", 1, Control::OpenMinimize),
    hidden("__offer", 1, Control::Offer),
    hidden("__offerLeast", 2, Control::OfferLeast),
    hidden("__leastSoFar", 0, Control::LeastSoFar),
    hidden("__bestSoFar", 0, Control::BestSoFar),
    hidden("__owed", 0, Control::Owed),
    hidden("__boundOwed", 1, Control::BoundOwed),
    hidden("__hasEnded", 0, Control::HasEnded),
    hidden("__best", 0, Control::Best),
];
