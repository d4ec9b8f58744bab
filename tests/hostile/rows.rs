//! What the rows of built-ins say is held against what calls of them do.

use ndscript::reference::entries;
use ndscript::{Engine, Limits, Outcome};
use ndscript_builtins::CALLED;
use ndscript_builtins::row::{Called, RowAction};
use ndscript_bytecode::ResultKind;
use ndscript_machine::natives::effect::NativeEffect;

use super::writer::{Scale, Writer};

const SCALE: Scale = Scale {
    elements: 60,
    steps: 100_000,
};
/// Calls of each built-in.
const CALLS: u64 = 60;

/// What a call of a built-in showed: the kind of its result, and whether its arguments were then what they had been.
struct Seen {
    kind: String,
    leaves_arguments: bool,
    text: String,
}

/// Calls a built-in with arguments that its recipes make. `None` if that was an error or failed.
fn call(name: &str, arguments: &[String], lines: &[String]) -> Option<Seen> {
    let declared: String = arguments
        .iter()
        .enumerate()
        .map(|(at, argument)| format!("let given{at} = {argument};\n"))
        .collect();
    let names: Vec<String> = (0..arguments.len())
        .map(|at| format!("given{at}"))
        .collect();
    let shown: Vec<String> = names.iter().map(|name| format!("shown({name})")).collect();
    let shown = format!("[{}]", shown.join(", "));
    let names = names.join(", ");
    let text = format!(
        "// Other texts of grids are short.\n\
         function shown(v) {{ return toString(typeOf(v) == \"grid\" ? valuesOf(v) : v); }}\n\
         {}\n{declared}let before = {shown};\nlet result = {name}({names});\n\
         let kind = typeOf(result);\nlet after = {shown};\n\
         let same = all(range(sizeOf(before)), i => before[i] == after[i]);",
        lines.join("\n"),
    );
    let program = Engine::new();
    let limits = Limits {
        steps: SCALE.steps,
        memory: 16 << 20,
        ..Limits::default()
    };
    let program = program.with_limits(limits).compile(&text).unwrap();
    let mut run = program.run(1);
    let Outcome::Solved(_) = run.resume(u64::MAX) else {
        return None;
    };
    Some(Seen {
        kind: run.view_global("kind")?.as_str()?.to_string(),
        leaves_arguments: run.view_global("same")?.as_bool()?,
        text,
    })
}

/// Whether a row says that a call changes what it is given.
fn says_change(row: &Called) -> bool {
    match row.effect {
        NativeEffect::Pushes
        | NativeEffect::Inserts
        | NativeEffect::RemovesAt
        | NativeEffect::Pops
        | NativeEffect::RemovesKey
        | NativeEffect::Fills
        | NativeEffect::Enqueues
        | NativeEffect::Dequeues
        | NativeEffect::Narrows
        | NativeEffect::Constrains
        | NativeEffect::Controls(_) => true,
        NativeEffect::Computes
        | NativeEffect::LooksAtShape
        | NativeEffect::Names
        | NativeEffect::FindsPlaces
        | NativeEffect::Counts
        | NativeEffect::HasKey
        | NativeEffect::ListsKeys
        | NativeEffect::Lists
        | NativeEffect::Peeks
        | NativeEffect::Copies
        | NativeEffect::CopiesDeeply
        | NativeEffect::Slices
        | NativeEffect::Concatenates
        | NativeEffect::Reverses
        | NativeEffect::LaysOut
        | NativeEffect::Row
        | NativeEffect::Column
        | NativeEffect::Rearranges
        | NativeEffect::Zips
        | NativeEffect::Picks
        | NativeEffect::Requires => false,
    }
}

/// Whether a result of a kind is what a row says of a call with so many arguments.
fn is_given(gives: ResultKind, kind: &str, arguments: usize) -> bool {
    match gives {
        ResultKind::Anything => true,
        ResultKind::Set => kind == "set",
        ResultKind::SetOf(count) => count as usize != arguments || kind == "set",
        ResultKind::Array => kind == "array",
        ResultKind::Grid => kind == "grid",
        ResultKind::Queue => kind == "queue",
        ResultKind::Position => kind == "position",
        ResultKind::Number => kind == "number",
        ResultKind::String => kind == "string",
    }
}

#[test]
fn rows_say_what_calls_do() {
    let (mut wrong, mut never_right) = (Vec::new(), Vec::new());
    for entry in entries() {
        let row = CALLED.iter().find(|row| row.name == entry.name).unwrap();
        let (mut right, mut changes) = (0, 0);
        for seed in 0..CALLS {
            let mut writer = Writer::new(seed, SCALE);
            let arguments = writer.arguments(&entry);
            let Some(seen) = call(entry.name, &arguments, &writer.lines) else {
                continue;
            };
            right += 1;
            changes += u32::from(!seen.leaves_arguments);
            if !is_given(row.facts.gives, &seen.kind, arguments.len()) {
                wrong.push(format!(
                    "`{}` gives {}, and its row says {:?}:\n{}",
                    row.name, seen.kind, row.facts.gives, seen.text
                ));
                break;
            }
            // What functions of the prelude or the script change is seen as they do it.
            let is_plain = matches!(row.action, RowAction::Plain(_)) && row.scripts.is_empty();
            let may_change = !is_plain || says_change(row);
            if !seen.leaves_arguments && (!may_change || row.facts.unchanging.is_some()) {
                wrong.push(format!(
                    "`{}` changes what it is given, and its row says {:?}:\n{}",
                    row.name, row.effect, seen.text
                ));
                break;
            }
        }
        if right == 0 && row.most != Some(0) {
            never_right.push(row.name);
        }
        if says_change(row) && changes == 0 && right > 0 {
            println!("{}: nothing changed in {right} calls", row.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // What is never called right is not held to its row.
    println!("no right call: {}", never_right.join(" "));
    assert!(never_right.len() <= 25, "{never_right:?}");
}
