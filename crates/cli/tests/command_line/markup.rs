//! Files for readers that are strict, whatever a program puts into them.

use super::*;
use resvg::usvg::roxmltree::Document;

/// What XML has no place for, what it would take for its own, and what its readers make something else of.
const STRANGE: &str = "\u{fffe}\u{ffff}\u{1}\u{1b}<b>&\"'\r\n\t]]>\u{85}\u{fdd0}\u{1f600}";

/// The same as a string of the language.
fn in_script() -> String {
    STRANGE
        .chars()
        .map(|character| format!("\\u{{{:x}}}", u32::from(character)))
        .collect()
}

/// The text of a file that an XML reader has read, with all attributes.
fn read(folder: &Folder, file: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.path(file)).unwrap();
    let document = Document::parse(&text).unwrap_or_else(|why| panic!("{file}: {why}"));
    let texts = document.descendants().filter_map(|node| node.text());
    let attributes = document
        .descendants()
        .flat_map(|node| node.attributes())
        .map(|attribute| attribute.value());
    texts.chain(attributes).map(String::from).collect()
}

#[test]
fn every_file_of_xml_is_read() {
    let (strange, kept) = (
        in_script(),
        STRANGE.replace(['\u{fffe}', '\u{ffff}', '\u{1}', '\u{1b}'], "\u{fffd}"),
    );
    let text = format!(
        "let tile = \"{strange}\"; let g = makeGrid(2, 1, \"red\"); g[1, 0] = tile; printTilemap(g); printImage(tile);
         let n = choose(tile, 2, 3); function f(x) {{ require(n == 3, tile); return x; }} f(tile);"
    );
    let name = format!("{}.nds", STRANGE.replace(['\0', '/'], ""));
    let tile = format!("{STRANGE}.png");
    let red = fs::read(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("docs/images/map.png"),
    )
    .unwrap();
    let folder = Folder::new().with(&name, text).with(&tile, red);
    let ended = folder.run(&[
        &name, "--seed", "1", "--svg", "--png", "p.png", "--tmx", "m.tmx", "--html", "p.html",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    read(&folder, "p.svg");
    let map = read(&folder, "m.tmx");
    assert_eq!(
        map.iter().filter(|text| **text == kept).count(),
        2,
        "the name of a tile is what it was: {map:?}"
    );
    for (command, file) in [("tree", "t.svg"), ("profile", "f.svg")] {
        let ended = folder.run(&[command, &name, "--seed", "1", "--svg", file]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        let texts = read(&folder, file);
        assert!(
            texts.iter().any(|text| text.contains("\u{fffd}\u{fffd}")),
            "{file}: {texts:?}"
        );
    }
    let page = fs::read_to_string(folder.path("p.html")).unwrap();
    assert!(!page.contains(['\u{ffff}', '\u{fffe}', '\u{1b}']), "{page}");
}

/// A caption a line, whatever it says.
#[test]
fn captions_stand_in_a_line_each() {
    let text = "let g = makeGrid(1, 1, \"red\"); snapshot(g, \"one\\ntwo\\r\\n\\u{2028}\\u{85}\\tx\\u{1b}[2J\"); snapshot(g);";
    let folder = script(text);
    folder
        .run(&["a.nds", "--seed", "1", "--frames", "f"])
        .expect_code(0);
    assert_eq!(
        fs::read_to_string(folder.path("f/captions.txt")).unwrap(),
        "001.png  1: one\\ntwo\\r\\n\\u{2028}\\u{85}\\tx\\u{1b}[2J\n002.png  2\n"
    );
}

/// A node of a tree has a line, whatever it failed with.
#[test]
fn a_reason_of_several_lines_stands_in_one() {
    let folder = script("let x = choose(1, 2);\nif (x == 1) fail \"too\\n  small\";");
    let told = folder.run(&["tree", "a.nds", "--seed", "1"]).out;
    assert_eq!(
        told,
        "start\n  line 1: 1 of 2: 1  -- failed: too small, line 2\n  line 1: 2 of 2: 2  -- solution\n"
    );
}

/// Options that are wrong are quoted as text.
#[test]
fn usage_errors_show_escapes_as_text() {
    let folder = script("print(1);");
    let strange = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";
    for args in [
        vec![format!("--{strange}"), "a.nds".into()],
        vec!["a.nds".into(), "--max-steps".into(), strange.into()],
        vec!["a.nds".into(), format!("--max-steps={strange}")],
        vec![
            "tree".into(),
            "a.nds".into(),
            "--nodes".into(),
            strange.into(),
        ],
        vec!["a.nds".into(), "--preview".into(), strange.into()],
        vec!["why".into(), "a.nds".into(), "x".into(), strange.into()],
        vec![strange.into()],
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ended = folder.run(&args);
        assert!(
            ended.code == 2 && ended.err.contains("\\u{1b}]0;x\\u{7}\\u{9b}2J\\u{202e}"),
            "{args:?}: {}",
            ended.err
        );
        assert!(
            !ended
                .err
                .contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{args:?}: {:?}",
            ended.err
        );
    }
}

/// Graphs are text that people look at, too.
#[test]
fn a_graph_has_nothing_that_a_terminal_obeys() {
    let text = "let evil = \"\\u{1b}]0;title\\u{7}\\u{9b}31m\"; let n = choose(evil, \"b\"); require(false, evil);";
    let folder = script(text);
    folder.run(&["tree", "a.nds", "--seed", "1", "--dot", "t.dot"]);
    let graph = fs::read_to_string(folder.path("t.dot")).unwrap();
    assert!(graph.contains("\\\\u{1b}]0;title\\\\u{7}"), "{graph}");
    assert!(
        !graph.contains(|c: char| c.is_control() && c != '\n'),
        "{graph}"
    );
}
