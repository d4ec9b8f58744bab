//! Lints: code that is allowed but seldom intended, and code that always fails when it is reached.

use super::chosen_places::{ChosenPlace, chosen_places};
use super::lints::lints;
use super::notes::NamedCall;
use super::resolve::meaning::Meaning;
use super::resolve::scope::Resolution;
use ndscript_base::counted::counted;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Span;
use ndscript_base::spelling::nearest;
use ndscript_bytecode::{Global, Signatures};
use ndscript_syntax::ast::Script;

/// A program gets at most this many warnings.
const MOST: usize = 50;

/// Suggesting a name compares all names. Every program pays for that when it is compiled, whether its warnings are
/// read or not, so there are at most this many comparisons for warnings of a kind.
const LOOKS: usize = 20_000;

/// The warnings for a program that compiles, in the order of the text.
pub fn warnings(
    files: &[&Script],
    resolution: &Resolution,
    signatures: &Signatures,
) -> Vec<Diagnostic> {
    let mut found = undeclared(resolution);
    found.extend(unknown(resolution, signatures));
    found.extend(
        resolution
            .notes
            .calls
            .iter()
            .filter_map(|call| wrong_count(call, resolution, signatures)),
    );
    found.extend(
        resolution
            .notes
            .calls
            .iter()
            .filter_map(|call| hides_built_in(call, resolution)),
    );
    found.extend(resolution.notes.missing_fields.iter().cloned());
    found.extend(unused(resolution));
    found.extend(lints(files, resolution, signatures));
    found.extend(
        chosen_places(files, resolution, signatures)
            .iter()
            .map(chooses_place),
    );
    found.extend(resolution.notes.unreachable.iter().map(|(span, word)| {
        Diagnostic::warning(
            format!("what stands behind `{word}` is never reached"),
            *span,
        )
        .with_label("this never runs")
    }));
    found.sort_by_key(|warning| warning.span);
    if let Some(more) = found.len().checked_sub(MOST + 1)
        && let Some(span) = found[MOST].span
    {
        found.truncate(MOST);
        found.push(Diagnostic::warning(
            format!("and {} from here on", counted(more + 1, "more warning")),
            span,
        ));
    }
    found
}

/// The names that something declares.
fn declared(resolution: &Resolution) -> impl Iterator<Item = &str> {
    let globals = resolution.globals.iter().zip(&resolution.declared_globals);
    let globals = globals
        .filter(|(_, place)| place.is_some())
        .map(|(global, _)| &*global.name);
    globals.chain(resolution.variables.iter().map(|variable| &*variable.name))
}

/// A suggested name, for the first of many.
fn suggestion<'n>(at: usize, name: &str, known: &[&'n str]) -> Option<&'n str> {
    if at < LOOKS / known.len().max(1) {
        nearest(name, known.iter().copied())
    } else {
        None
    }
}

/// Assignments that make a global because nothing declares the name.
fn undeclared(resolution: &Resolution) -> Vec<Diagnostic> {
    if resolution.undeclared.is_empty() {
        return Vec::new();
    }
    let known: Vec<&str> = declared(resolution).collect();
    let warning = |(at, (name, span)): (usize, &(std::sync::Arc<str>, _))| {
        let warning = Diagnostic::warning(format!("nothing declares `{name}`"), *span)
            .with_label("this assignment makes a global variable");
        match suggestion(at, name, &known) {
            Some(close) => warning.with_hint(format!("did you mean `{close}`?")),
            None => warning.with_hint(format!("declare it: `var {name} = ...;`")),
        }
    };
    resolution
        .undeclared
        .iter()
        .enumerate()
        .map(warning)
        .collect()
}

/// Names that are read, but that nothing ever declares or assigns.
fn unknown(resolution: &Resolution, signatures: &Signatures) -> Vec<Diagnostic> {
    let globals = resolution.globals.iter().enumerate();
    let nothing_gives = globals.filter(|(_, global)| {
        !global.is_declared && global.native.is_none() && !global.is_host_constant
    });
    let unknown: Vec<_> = nothing_gives
        .filter_map(|(slot, global)| Some((global, resolution.notes.read.get(&(slot as u32))?)))
        .collect();
    if unknown.is_empty() {
        return Vec::new();
    }
    let known: Vec<&str> = declared(resolution)
        .chain(signatures.names())
        .chain(signatures.host_constant_names())
        .collect();
    let warning = |(at, (global, span)): (usize, &(&Global, &Span))| {
        let name = &global.name;
        let warning = Diagnostic::warning(format!("nothing gives `{name}` a value"), **span)
            .with_label("when the program gets here, this is an error");
        if let Some(module) = signatures.module_of(name) {
            let hint = format!("the module {module:?} has it: write `import {module:?};`");
            return warning.with_hint(hint);
        }
        if let Some(hint) = ndscript_syntax::foreign::global(name) {
            return warning.with_hint(hint);
        }
        match suggestion(at, name, &known) {
            Some(close) => warning.with_hint(format!("did you mean `{close}`?")),
            None if global.is_called => {
                warning.with_hint(format!("declare it: `function {name}(...) {{ ... }}`"))
            }
            None => warning.with_hint(format!("declare it: `var {name} = ...;`")),
        }
    };
    unknown.iter().enumerate().map(warning).collect()
}

/// A call with a number of arguments that its function does not take.
fn wrong_count(
    call: &NamedCall,
    resolution: &Resolution,
    signatures: &Signatures,
) -> Option<Diagnostic> {
    let (name, least, most) = match call.meaning {
        Meaning::Local(id) => {
            let variable = resolution
                .variables
                .get(id as usize)
                .filter(|variable| !variable.reassigned)?;
            let (least, most) = *resolution.notes.functions.get(&call.meaning)?;
            (&*variable.name, least, Some(most))
        }
        Meaning::Global(slot) => {
            let global = resolution.globals.get(slot as usize)?;
            match (resolution.notes.functions.get(&call.meaning), global.native) {
                (Some((least, most)), _) if !resolution.reassigned_globals[slot as usize] => {
                    (&*global.name, *least, Some(*most))
                }
                (None, Some(native)) if !global.is_declared => {
                    let signature = signatures.get(native);
                    (
                        &*global.name,
                        signature.least as usize,
                        signature.most.map(|most| most as usize),
                    )
                }
                _ => return None,
            }
        }
    };
    if call.arguments >= least && most.is_none_or(|most| call.arguments <= most) {
        return None;
    }
    let wanted_count = match most {
        Some(most) if most == least => counted(least, "argument"),
        Some(most) => format!("{least} to {most} arguments"),
        None => format!("at least {}", counted(least, "argument")),
    };
    let warning = Diagnostic::warning(
        format!("`{name}` takes {wanted_count}, but gets {}", call.arguments),
        call.span,
    );
    let warning = warning.with_label("when the program gets here, this is an error");
    // The built-in of that name may be intended.
    let hidden = signatures
        .find(name, false)
        .map(|native| signatures.get(native));
    let is_own = resolution.notes.functions.contains_key(&call.meaning);
    Some(match hidden {
        Some(native) if is_own && native.accepts(call.arguments as u32) => warning.with_hint(format!(
            "the program's own function `{name}` hides the built-in `{name}`: give one of them another name"
        )),
        _ => warning,
    })
}

/// A call of a variable that hides a built-in and is no function.
fn hides_built_in(call: &NamedCall, resolution: &Resolution) -> Option<Diagnostic> {
    let declared = resolution.notes.hiding.get(&call.meaning)?;
    let (name, changes) = match call.meaning {
        // The initial value of a `var` counts as an assignment, too.
        Meaning::Local(id) => {
            let variable = resolution.variables.get(id as usize)?;
            (&variable.name, variable.lexical && variable.reassigned)
        }
        Meaning::Global(slot) => {
            let global = resolution.globals.get(slot as usize)?;
            (&global.name, resolution.reassigned_globals[slot as usize])
        }
    };
    if changes {
        return None;
    }
    let warning = Diagnostic::warning(
        format!("`{name}` is a variable here, which hides the built-in `{name}`"),
        call.span,
    );
    Some(
        warning
            .with_label("when the program gets here, this is an error")
            .with_related(*declared, "declared here")
            .with_hint("give the variable another name"),
    )
}

/// Local variables that nothing reads.
fn unused(resolution: &Resolution) -> impl Iterator<Item = Diagnostic> {
    let unused = resolution
        .variables
        .iter()
        .filter(|variable| variable.is_unused && !variable.name.starts_with('_'));
    unused.map(|variable| {
        Diagnostic::warning(
            format!("`{}` is never used", variable.name),
            variable.declared,
        )
        .with_label("nothing reads it")
        .with_hint("take it away, or begin its name with `_` if that is meant")
    })
}

/// A choice of the next place to decide.
fn chooses_place(chosen: &ChosenPlace) -> Diagnostic {
    let places = chosen
        .collection
        .as_ref()
        .map_or("places", |name| &*name.name);
    let message =
        "an undecided place is chosen, so failures try the places in every order".to_string();
    let warning = Diagnostic::warning(message, chosen.span)
        .with_label("which place comes next need not be a choice");
    // A list written in the call itself is visible anyway.
    let is_apart = chosen.collection.is_some() || chosen.list_span.start < chosen.span.start;
    let warning = if is_apart {
        warning.with_related(chosen.list_span, "the undecided places come from here")
    } else {
        warning
    };
    warning.with_hint(format!(
        "draw the place, `randomElement({places})`, or take one with the fewest candidates, `minBy({places}, p => sizeOf(...))`; \
         choose only what it holds. `decide(board)` does all of that"
    ))
}
