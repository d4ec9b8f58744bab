//! The programs of `docs/language.md` print what their comments say.

use std::path::Path;

use ndscript::Engine;

#[test]
fn the_programs_of_the_page_do_what_it_says() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md")).unwrap();
    let mut checked = 0;
    for block in page.split("```js\n").skip(1) {
        let program = block.split_once("```").expect("the end of a program").0;
        let wanted: Vec<&str> = program.lines().filter_map(|line| Some(line.split_once("// => ")?.1)).collect();
        let compiled = Engine::new().compile(program).unwrap_or_else(|error| panic!("{program}\n{error}"));
        let solution = compiled.run(1).next().unwrap_or_else(|| panic!("no solution: {program}")).unwrap();
        let found: Vec<&str> = solution.text.lines().collect();
        assert_eq!(found, wanted, "{program}");
        assert!(compiled.warnings().iter().all(|warning| warning.message.contains("never used")), "{program}");
        checked += 1;
    }
    assert!(checked >= 15, "{checked} programs");
}
