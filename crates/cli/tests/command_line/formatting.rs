//! `ndscript fmt`.

use super::*;

const ROUGH: &str = "var x=1 ;\n// kept\nprintLine( x );";
const FORMATTED: &str = "var x = 1;\n// kept\nprintLine(x);\n";

#[test]
fn programs_are_brought_into_form() {
    let folder = Folder::new().with("a.nds", ROUGH);
    let name = "a.nds";
    let read = || fs::read_to_string(folder.path(name)).unwrap();
    folder
        .run(&["fmt", "--check", name])
        .expect(1, "")
        .says("is not in form");
    assert_eq!(read(), ROUGH, "--check writes nothing");
    folder.run(&["fmt", name]).expect(0, "");
    assert_eq!(read(), FORMATTED);
    folder.run(&["fmt", "--check", name]).expect(0, "");
}

#[test]
fn a_folder_stands_for_its_programs() {
    let folder = Folder::new()
        .with("maps/a.nds", ROUGH)
        .with("maps/deep/b.nds", ROUGH)
        .with("maps/c.txt", ROUGH);
    folder.run(&["fmt", "maps"]).expect(0, "");
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("maps/a.nds"), FORMATTED);
    assert_eq!(read("maps/deep/b.nds"), FORMATTED);
    assert_eq!(read("maps/c.txt"), ROUGH);
}

#[test]
fn a_program_with_errors_is_left_alone_and_the_others_are_not() {
    let folder = Folder::new()
        .with("a.nds", "var x=1\nprint(x);")
        .with("b.nds", ROUGH);
    folder
        .run(&["fmt", "a.nds", "none.nds", "b.nds"])
        .expect(2, "")
        .says("a `;` is missing")
        .says("none.nds");
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(read("a.nds"), "var x=1\nprint(x);");
    assert_eq!(read("b.nds"), FORMATTED);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new();
    folder
        .run_with_input(&["fmt", "--stdin"], ROUGH)
        .expect(0, FORMATTED);
    folder
        .run_with_input(&["fmt", "--stdin", "--check"], ROUGH)
        .expect(1, "");
    folder
        .run_with_input(&["fmt", "--stdin"], "var x = ;")
        .expect(2, "");
    folder.run(&["fmt"]).expect(2, "");
}
