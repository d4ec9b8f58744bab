//! `examples/DOCUMENTS.md`: each file that it names is there, and each line that it names holds what is said of it.
//!
//! `DOCUMENTS=write cargo test --test examples_documents` writes the numbers of the lines anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn page() -> String {
    std::fs::read_to_string(folder().join("DOCUMENTS.md")).unwrap()
}

/// A place that the page names: `[file:LINE](file#LLINE) ` and, in backticks, what that line holds.
#[derive(Debug)]
struct Place {
    file: String,
    line: usize,
    holds: String,
}

/// The targets of all links, and the places among them.
fn links(page: &str) -> (Vec<String>, Vec<Place>) {
    let (mut targets, mut places) = (Vec::new(), Vec::new());
    for part in page.split("](").skip(1) {
        let (target, behind) = part.split_once(')').expect("the end of a link");
        let Some((file, line)) = target.split_once("#L") else {
            targets.push(target.to_string());
            continue;
        };
        targets.push(file.to_string());
        let holds = behind
            .strip_prefix(" `")
            .and_then(|rest| rest.split('`').next());
        let holds = holds
            .unwrap_or_else(|| panic!("{target}: what does the line hold?"))
            .to_string();
        places.push(Place {
            file: file.to_string(),
            line: line.parse().unwrap(),
            holds,
        });
    }
    (targets, places)
}

/// What is wrong with a place; `None` if its line holds what is said.
fn problem(place: &Place) -> Option<String> {
    let text = std::fs::read_to_string(folder().join(&place.file)).unwrap_or_default();
    let holds = |line: &&str| line.contains(&place.holds);
    if text
        .lines()
        .nth(place.line.wrapping_sub(1))
        .is_some_and(|line| holds(&line))
    {
        return None;
    }
    let found: Vec<usize> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| holds(line))
        .map(|(_, number)| number)
        .collect();
    Some(format!(
        "{}:{} does not hold `{}`; lines that do: {found:?}",
        place.file, place.line, place.holds
    ))
}

/// The page with the first line of each file that holds what is said.
fn renumbered(page: &str) -> String {
    let mut page = page.to_string();
    for place in links(&page.clone()).1 {
        let text = std::fs::read_to_string(folder().join(&place.file)).unwrap_or_default();
        let Some(line) = text.lines().position(|line| line.contains(&place.holds)) else {
            continue;
        };
        let link =
            |line: usize| format!("[{0}:{line}]({0}#L{line}) `{1}`", place.file, place.holds);
        page = page.replace(&link(place.line), &link(line + 1));
    }
    page
}

#[test]
fn lines_hold_what_the_page_says() {
    if std::env::var("DOCUMENTS").is_ok_and(|wish| wish == "write") {
        std::fs::write(folder().join("DOCUMENTS.md"), renumbered(&page())).unwrap();
    }
    let page = page();
    let (targets, places) = links(&page);
    let missing: Vec<&String> = targets
        .iter()
        .filter(|file| !folder().join(file).exists())
        .collect();
    assert!(missing.is_empty(), "files that are not there: {missing:?}");
    let problems: Vec<String> = places.iter().filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for place in &places {
        let text = format!("[{}:{}]", place.file, place.line);
        assert!(
            page.contains(&text),
            "a link says another line than it leads to: {place:?}"
        );
        assert!(
            place.holds.len() >= 5,
            "so little is in many lines: {place:?}"
        );
    }
}

#[test]
fn every_document_has_its_rows() {
    let page = page();
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut document = "";
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            document = title.split(':').next().unwrap();
        } else if line.starts_with("| ")
            && !line.starts_with("| ---")
            && !line.starts_with("| the document")
        {
            *rows.entry(document).or_default() += 1;
            assert!(line.contains("]("), "a row without a place: {line}");
        }
    }
    assert!(
        rows.len() == 5 && rows.values().all(|count| *count >= 8),
        "{rows:?}"
    );
}

#[test]
fn a_wrong_line_is_told() {
    let place = |line| Place {
        file: "capture/board.nds".into(),
        line,
        holds: "function readBoard(text)".into(),
    };
    let right = (1..1000)
        .find(|line| problem(&place(*line)).is_none())
        .expect("the line");
    for wrong in [0, right - 1, right + 1, 100_000] {
        let told = problem(&place(wrong)).expect("a problem");
        assert!(
            told.ends_with(&format!("lines that do: [{right}]")),
            "{told}"
        );
    }
    assert!(
        problem(&Place {
            file: "no/such.nds".into(),
            ..place(1)
        })
        .is_some()
    );
}
