//! `ndscript explain --solve --html`: a booklet of puzzles with their solutions.

use super::*;
use resvg::usvg::roxmltree::{Document, Node};

/// A Latin square whose corner differs from seed to seed, with values that are markup.
const LATIN: &str = "let b = makeGrid(2, 2, setOf(\"<b>\", \"&\"));
    b[0, 0] = setOf(chooseElement([\"<b>\", \"&\"]));
    foreach (i in range(2)) {
        allDifferent(b, filter(positionsOf(b), p => p.x == i));
        allDifferent(b, filter(positionsOf(b), p => p.y == i));
    }
    let notes = grid([[null, \"7<\"], [\".\", \" \"]]), sides = [[1, 2], 3];";

fn booklet(program: &str, options: &[&str]) -> (Ended, String) {
    let folder = Folder::new().with("puzzle.nds", program);
    let command = ["explain", "--solve", "puzzle.nds", "--html", "b.html"];
    let ended = folder.run(&[&command, options].concat());
    let page = fs::read_to_string(folder.path("b.html")).unwrap_or_default();
    (ended, page)
}

/// What is between the tags `body` of a page, which a strict reader reads.
fn body(page: &str) -> String {
    let begin = page.find("<body>").unwrap();
    page[begin..page.find("</html>").unwrap()].to_string()
}

fn with_class<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class")
            .is_some_and(|classes| classes.split(' ').any(|own| own == class))
    };
    document.descendants().filter(has).collect()
}

fn text_of(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter(|node| node.is_text());
    texts.filter_map(|node| node.text()).collect()
}

#[test]
fn puzzles_come_first_and_each_seed_has_one() {
    let (ended, page) = booklet(LATIN, &["--seed", "5", "--count", "3", "--title", "1 < 2"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.err.contains("wrote b.html"), "{}", ended.err);
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let sections: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("section"))
        .filter_map(|node| node.attribute("id"))
        .collect();
    let wanted = [
        "puzzle1",
        "puzzle2",
        "puzzle3",
        "solution1",
        "solution2",
        "solution3",
    ];
    assert_eq!(sections, wanted);
    for seed in ["seed 5", "seed 6", "seed 7"] {
        assert!(page.contains(seed), "{seed}");
    }
    let heading = document.descendants().find(|node| node.has_tag_name("h1"));
    assert_eq!(text_of(heading.unwrap()), "1 < 2");
}

#[test]
fn a_page_needs_nothing_else() {
    let (_, page) = booklet(LATIN, &["--seed", "5"]);
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let links: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("href").or(node.attribute("src")))
        .collect();
    assert!(!links.is_empty());
    for link in links {
        let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link}"));
        assert!(ids.contains(&target), "{link} leads to nothing");
    }
    for outside in ["http:", "https:", "<script", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// Each step has its picture, and marks in it what it says.
#[test]
fn steps_are_drawn() {
    let (_, page) = booklet(LATIN, &["--seed", "5"]);
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let steps = with_class(&document, "steps")[0];
    let steps: Vec<Node<'_, '_>> = steps.children().filter(Node::is_element).collect();
    assert_eq!(steps.len(), 4, "three steps and the end");
    for step in &steps[..3] {
        let count = |class: &str| {
            let has = |node: &Node<'_, '_>| node.attribute("class") == Some(class);
            step.descendants().filter(has).count()
        };
        assert_eq!((count("why"), count("so")), (1, 1));
    }
    let words = text_of(steps[0]);
    assert!(
        words.contains("(0,1) is ") && words.contains("since column 0 has no value twice"),
        "{words}"
    );
    assert!(text_of(steps[3]).contains("Solved."));
    let rules: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("li"))
        .map(text_of)
        .collect();
    assert_eq!(rules[0], "column 0 has no value twice");
}

#[test]
fn rules_of_all_rows_are_one_line_and_boxes_have_borders() {
    let program = "let b = makeGrid(4, 4, setOf(1, 2, 3, 4));
        foreach (i in range(4)) foreach (unit in [p => p.y == i, p => p.x == i, p => floor(p.x, 2) + 2 * floor(p.y, 2) == i])
            allDifferent(b, filter(positionsOf(b), unit));
        foreach (clue in [[0, 0, 1], [1, 1, 4], [2, 0, 3], [3, 2, 3], [2, 3, 2], [0, 3, 4]])
            b[clue[0], clue[1]] = setOf(clue[2]);";
    let (ended, page) = booklet(program, &["--seed", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let rules: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("ul"))
        .flat_map(|list| list.children().filter(Node::is_element))
        .map(text_of)
        .collect();
    assert_eq!(
        rules,
        [
            "every row has no value twice",
            "every column has no value twice",
            "4 groups of places each have no value twice"
        ]
    );
    assert_eq!(with_class(&document, "border").len(), 1);
    assert!(with_class(&document, "cage").is_empty());
}

#[test]
fn clues_beside_and_within_the_board_are_shown() {
    let options = ["--clues", "notes", "--rows", "sides", "--columns", "sides"];
    let (ended, page) = booklet(LATIN, &[&["--seed", "5"], &options[..]].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let texts = |class| -> Vec<String> {
        let nodes = with_class(&document, class).into_iter();
        nodes.map(text_of).collect()
    };
    assert_eq!(texts("clue"), ["7<"]);
    assert_eq!(texts("beside"), ["1", "2", "3", "1 2", "3"]);
}

#[test]
fn boards_that_are_no_grids_are_boxes_with_names() {
    let program =
        "let house = {tea: setOf(1, 2), milk: setOf(1, 2)}; allDifferent(house); house.tea = 1;";
    let (ended, page) = booklet(program, &["--seed", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(page.contains(">tea</text>") && page.contains(">milk</text>"));
    assert!(page.contains("milk is 2"));
}

#[test]
fn what_cannot_be_is_said() {
    let (ended, page) = booklet(LATIN, &["--seed", "5", "--board", "c"]);
    assert_eq!((ended.code, page.as_str()), (2, ""));
    ended.says("no variable `c`");
    let (ended, page) = booklet(LATIN, &["--seed", "5", "--clues", "sides"]);
    assert_eq!((ended.code, page.as_str()), (2, ""));
    ended.says("`sides` is to be a grid of clues");
    let (ended, page) = booklet(
        "let b = allDifferent([setOf(1, 2), setOf(1, 2)]);",
        &["--seed", "1"],
    );
    assert_eq!((ended.code, page.as_str()), (2, ""));
    ended.says("there is no puzzle");
}

/// One board of several, and a seed that has no solution.
#[test]
fn a_board_is_named_and_a_seed_may_be_skipped() {
    let two = format!("{LATIN} let full = allDifferent([setOf(1), setOf(1, 2)]);");
    let (_, page) = booklet(&two, &["--seed", "5"]);
    assert!(page.contains("id=\"puzzle2\""));
    let (_, page) = booklet(&two, &["--seed", "5", "--board", "full"]);
    assert!(!page.contains("id=\"puzzle2\""));
    assert!(page.contains("place 1 is 2"));
    let program = "let b = allDifferent([setOf(1), setOf(1, 2)]); require(random() < 0.5);";
    let (ended, page) = booklet(program, &["--seed", "1", "--count", "12"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    ended.says("is left out");
    let puzzles = page.matches("class=\"puzzle").count();
    assert!((2..12).contains(&puzzles), "{puzzles}");
}

/// What is supposed stands before the list of what follows from it, and what that shows behind the list.
#[test]
fn a_supposition_is_a_list() {
    let zebra = include_str!("../../../../examples/zebra/zebra.nds");
    let (ended, page) = booklet(zebra, &["--seed", "5"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let steps: Vec<String> = with_class(&document, "steps")[0]
        .children()
        .filter(|step| step.descendants().any(|node| node.has_tag_name("ol")))
        .map(text_of)
        .collect();
    assert!(!steps.is_empty());
    for words in steps {
        let words = words.rsplit_once("Suppose ").unwrap().1;
        assert!(
            !words.contains("suppose") && words.contains("So ") && words.ends_with('.'),
            "{words}"
        );
    }
    assert!(page.contains("<h1>Puzzles of puzzle.nds</h1>"), "{page}");
}
