//! The programs of `docs/language.md`, `docs/modelling.md` and `docs/library.md` print what their comments say.

use std::path::Path;

use ndscript::{Engine, library};

fn page(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("docs")
            .join(name),
    )
    .unwrap()
}

/// Runs the programs of a page; returns how many there are.
fn check(page: &str) -> usize {
    let mut checked = 0;
    for block in page.split("```js\n").skip(1) {
        let program = block.split_once("```").expect("the end of a program").0;
        let wanted: Vec<&str> = program
            .lines()
            .filter_map(|line| Some(line.split_once("// => ")?.1))
            .collect();
        let compiled = Engine::new()
            .compile(program)
            .unwrap_or_else(|error| panic!("{program}\n{error}"));
        let solution = compiled
            .run(1)
            .next()
            .unwrap_or_else(|| panic!("no solution: {program}"))
            .unwrap();
        let found: Vec<&str> = solution.text.lines().collect();
        assert_eq!(found, wanted, "{program}");
        assert!(
            compiled
                .warnings()
                .iter()
                .all(|warning| warning.message.contains("never used")),
            "{program}"
        );
        checked += 1;
    }
    checked
}

#[test]
fn the_programs_of_the_language_page_do_what_it_says() {
    let checked = check(&page("language.md"));
    assert!(checked >= 15, "{checked} programs");
}

#[test]
fn the_programs_of_the_modelling_page_do_what_it_says() {
    let checked = check(&page("modelling.md"));
    assert!(checked >= 5, "{checked} programs");
}

#[test]
fn the_programs_of_the_library_page_do_what_it_says() {
    let page = page("library.md");
    assert_eq!(check(&page), library::files().len());
    for file in library::files() {
        for function in file.functions() {
            assert!(
                page.contains(&format!("`{}", function.name)),
                "{} is not on the page",
                function.name
            );
        }
    }
}
