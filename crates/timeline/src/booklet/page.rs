//! A booklet as one HTML file that needs no other: puzzles first, then each solution, step by step.

use std::fmt::Write as _;

use ndscript::counted::counted;
use ndscript::markup;

use super::picture::Pictures;
use super::rules;
use crate::puzzle::{Puzzle, PuzzleStep};

const STYLE: &str = include_str!("booklet.css");

/// The legend of the marks.
const LEGEND: [(&str, &str); 5] = [
    (
        "<rect class=\"why\" x=\"4\" y=\"4\" width=\"32\" height=\"32\"/>",
        "what it follows from",
    ),
    (
        "<rect class=\"so\" x=\"5\" y=\"5\" width=\"30\" height=\"30\"/>",
        "what follows",
    ),
    (
        "<rect class=\"gone\" x=\"5\" y=\"5\" width=\"30\" height=\"30\"/><path class=\"strike\" d=\"M13 24L27 16\"/>",
        "what is ruled out",
    ),
    (
        "<rect class=\"if\" x=\"5\" y=\"5\" width=\"30\" height=\"30\"/>",
        "what is supposed",
    ),
    (
        "<circle class=\"link\" cx=\"20\" cy=\"20\" r=\"11\"/><text class=\"number\" x=\"20\" y=\"23\">1</text>",
        "where the supposition leads",
    ),
];

/// A booklet as one HTML file that needs no other: the puzzles first, then each solution as pictures with sentences.
/// `all` includes plain steps.
///
/// ```
/// use ndscript_timeline::{Puzzle, booklet};
///
/// let program = ndscript::Engine::new().compile("let board = allDifferent([setOf(1), setOf(1, 2)]);")?;
/// let mut run = program.run(1);
/// run.next();
/// let board = run.global("board").unwrap();
/// let found = run.steps(&board)?.next().unwrap()?;
/// let puzzle = Puzzle::new("two places", run.view(&board)?, run.view(&found)?);
/// let page = booklet("A puzzle", &[puzzle], false);
/// assert!(page.contains("place 1 is 2, since the whole board has no value twice"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn booklet(title: &str, puzzles: &[Puzzle], all: bool) -> String {
    let title = markup::text(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let pictures = puzzles.iter().zip(1..);
    let pictures = pictures.map(|(puzzle, number)| Pictures::new(puzzle, format!("board{number}")));
    let pictures: Vec<Pictures<'_>> = pictures.collect();
    for (number, (puzzle, pictures)) in (1..).zip(puzzles.iter().zip(&pictures)) {
        put_puzzle(number, puzzle, pictures, &mut out);
    }
    for (number, (puzzle, pictures)) in (1..).zip(puzzles.iter().zip(&pictures)) {
        put_solution(number, puzzle, pictures, all, &mut out);
    }
    out + "</body>\n</html>\n"
}

/// Writes a puzzle with its rules.
fn put_puzzle(number: usize, puzzle: &Puzzle, pictures: &Pictures<'_>, out: &mut String) {
    let class = if number == 1 {
        "puzzle first"
    } else {
        "puzzle"
    };
    let _ = write!(
        out,
        "<section class=\"{class}\" id=\"puzzle{number}\">\n<h2>Puzzle {number}</h2>\n\
         <p>{} <span class=\"name\">({})</span></p>\n\
         <div class=\"board\" style=\"max-width:{}px\">{}</div>\n<ul>\n",
        goal(puzzle),
        markup::text(&puzzle.name),
        pictures.size().0 * 3 / 2,
        pictures.puzzle(),
    );
    for line in rules::lines(puzzle) {
        let _ = writeln!(out, "<li>{}</li>", markup::text(&line));
    }
    let _ = write!(
        out,
        "</ul>\n<nav><a href=\"#solution{number}\">How it is solved</a></nav>\n</section>\n"
    );
}

/// Writes the solution of a puzzle step by step; plain steps are left out unless `all`.
fn put_solution(
    number: usize,
    puzzle: &Puzzle,
    pictures: &Pictures<'_>,
    all: bool,
    out: &mut String,
) {
    let _ = write!(
        out,
        "<section class=\"solution\" id=\"solution{number}\">\n<h2>Solution {number}</h2>\n\
         <nav><a href=\"#puzzle{number}\">The puzzle</a></nav>\n<p class=\"legend\">"
    );
    let is_shown = |step: &&PuzzleStep| all || !step.is_plain();
    let is_supposed = puzzle
        .steps
        .iter()
        .filter(is_shown)
        .any(|step| step.supposed.is_some());
    for (mark, words) in LEGEND.iter().take(if is_supposed { 5 } else { 3 }) {
        let _ = write!(
            out,
            "<span><svg viewBox=\"0 0 40 40\" aria-hidden=\"true\">{mark}</svg>{words}</span>"
        );
    }
    let width = (pictures.size().0 * 11 / 20).clamp(150, 640);
    let _ = write!(
        out,
        "</p>\n<ol class=\"steps\" style=\"grid-template-columns:repeat(auto-fill,minmax(min({width}px,100%),1fr))\">\n"
    );
    let mut known = puzzle.start();
    let mut skipped = 0;
    let mut number = 0;
    for step in &puzzle.steps {
        if is_shown(&step) {
            number += 1;
            let _ = write!(out, "<li>{}<b>{number}.</b> ", pictures.step(step, &known));
            put_words(step, out);
            out.push_str("</li>\n");
        } else {
            skipped += 1;
        }
        step.apply(&mut known);
    }
    let _ = write!(
        out,
        "<li>{}<b>{}</b></li>\n</ol>\n",
        pictures.known("the end", &known),
        ended(&puzzle.end)
    );
    if skipped > 0 {
        let steps = counted(skipped, "step");
        let _ = writeln!(
            out,
            "<p class=\"under\">Left out: {steps} in which one known place rules values out beside it.</p>"
        );
    }
    out.push_str("</section>\n");
}

/// The sentence of a step; a chain is a list.
fn put_words(step: &PuzzleStep, out: &mut String) {
    let ends = step.chain.first().zip(step.chain.last());
    let ends = ends.and_then(|(first, last)| {
        let (supposed, _) = step.text.split_once(&*first.text)?;
        let (_, so) = step.text.rsplit_once(&*last.text)?;
        Some((supposed, so))
    });
    match ends {
        Some((supposed, so)) => {
            let supposed = supposed.replacen('s', "S", 1);
            let _ = write!(out, "{}<ol>", markup::text(supposed.trim_end()));
            for link in &step.chain {
                let _ = write!(out, "<li>{}</li>", markup::text(&link.text));
            }
            let so = so.trim_start_matches(['.', ' ']);
            let _ = write!(out, "</ol>{}.", markup::text(so));
        }
        _ => {
            let _ = write!(out, "{}.", markup::text(&step.text));
        }
    }
}

/// The task, and how hard it is.
fn goal(puzzle: &Puzzle) -> String {
    match &*puzzle.end {
        "solved" => format!("Difficulty {} of 10", puzzle.level),
        "open" => "There are several solutions: find all that is certain".to_string(),
        "none" => "There is no solution".to_string(),
        _ => "Find all that is certain".to_string(),
    }
}

/// How steps end, in words.
fn ended(end: &str) -> &'static str {
    match end {
        "solved" => "Solved.",
        "open" => "Nothing more follows: there are several solutions.",
        "none" => "There is no solution.",
        _ => "Nothing more was found.",
    }
}
