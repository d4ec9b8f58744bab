//! What gets into messages, however long a script makes it.

use super::*;

/// Scripts that come to an error with a text or a collection of nearly all the memory that they may use.
const SCRIPTS: &[&str] = &[
    "printImage(text);",
    "printTilemap(makeGrid(1, 1, text));",
    "printTilesetMap(makeGrid(1, 1, \"red\"), text);",
    "printTilesetMap(makeGrid(1, 1, setOf(text, \"red\")));",
    "gridFromPicture(text);",
    "gridFromPicture(text, 8);",
    "error(text);",
    "({})[text];",
    "({a: 1})[text];",
    "var o = {}; o[text] = 1; o.missing;",
    "var o = {}; o[text] = 1; o + 1;",
    "position(1, 2)[text];",
    "toNumber(text);",
    "text.missing;",
    "param(null, text) + param(text, null);",
    "function f(a, b, c) { return a - b; } f(text, [text, [text]], {a: text});",
    "push(setOf(text), 1);",
    "chooseElement([text], {a: 1});",
    "makeGrid(2, 2, text)[text];",
    "ask(text, text);",
    "printHeatmap(makeGrid(1, 1, text));",
    "relation(text)(1);",
    "sorted([text], x => x - 1);",
];

fn run(folder: &Folder, script: &str) -> Ended {
    fs::write(folder.path("a.nds"), script).unwrap();
    let run = format!("ulimit -v 260000; exec {} run a.nds --max-memory 64M", env!("CARGO_BIN_EXE_ndscript"));
    let output = Command::new("sh").current_dir(&folder.0).args(["-c", &run]).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

#[cfg(target_os = "linux")]
#[test]
fn texts_are_shortened_where_they_enter_a_message() {
    let folder = Folder::new();
    for script in SCRIPTS {
        let ended = run(&folder, &format!("var text = repeat(\"\u{7f}\", 40000000);\n{script}"));
        // A text that has to be made for the script, not for the message, comes to the limit.
        assert!(matches!(ended.code, 2 | 3), "{script}: {}", ended.err);
        assert!(ended.err.len() < 20_000, "{script}: {} bytes of messages", ended.err.len());
    }
}

#[test]
fn long_names_are_shortened() {
    let folder = Folder::new();
    let name = "n".repeat(2_000_000);
    for script in [
        format!("var {name} = 1; print({name}b);"),
        format!("let {name} = 1; let {name} = 1;"),
        format!("const {name} = 1; {name} = 1;"),
        format!("var x = {name} y;"),
        format!("import \"{name}\";"),
        format!("({{}}).{name};"),
        format!("function {name}(x) {{ return x - null; }} {name}(1);"),
        format!("print({{a: 1}}.{name}(1));"),
    ] {
        fs::write(folder.path("a.nds"), &script).unwrap();
        let ended = folder.run(&["a.nds"]);
        let begin = script.get(..40).unwrap_or_default();
        assert!(ended.code == 2 && ended.err.len() < 5000, "{begin}: {} bytes of messages", ended.err.len());
    }
}

/// The arguments of each call that led to an error are told, but not each time they are copied.
#[cfg(target_os = "linux")]
#[test]
fn calls_with_large_arguments_are_told_at_once() {
    let folder = Folder::new();
    let values = ["range(3000000)", "toSet(range(400000))", "[repeat(\"x\", 30000000)]"];
    for value in values {
        let script =
            format!("var v = {value};\nfunction f(v, n) {{ return n == 0 ? v - 1 : f(v, n - 1) + 1; }}\nf(v, 90000);");
        let ended = run(&folder, &script);
        assert_eq!(ended.code, 2, "{value}: {}", ended.err);
        assert!(ended.err.len() < 5000 && ended.err.contains("more calls"), "{value}: {}", ended.err);
    }
}
