//! `docs/propagation.md`: its table says what the programs of `examples/lesson` come to, and its pictures are what its
//! commands make. `NDSCRIPT_WRITE_LESSON=1 cargo test --test lesson` writes both anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PAGE: &str = "docs/propagation.md";
const BEGIN: &str = "<!-- table: written by NDSCRIPT_WRITE_LESSON=1 cargo test --test lesson -->\n";
const END: &str = "<!-- end of the table -->";

/// The rows of the table: a program with its parameters.
const ROWS: [&str; 10] = [
    "1_guess_and_check.nds",
    "2_check_early.nds",
    "3_keep_sets.nds",
    "4_propagate.nds",
    "5_where_next.nds where=draw",
    "5_where_next.nds where=fewest",
    "5_where_next.nds where=draw width=5 height=4",
    "5_where_next.nds where=choose width=5 height=4",
    "6_too_late.nds",
    "6_in_time.nds",
];

fn is_writing() -> bool {
    std::env::var_os("NDSCRIPT_WRITE_LESSON").is_some()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("lesson-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn ndscript(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ndscript"))
        .args(arguments)
        .output()
        .unwrap()
}

/// A row as twenty runs make it.
fn row(program: &str) -> String {
    let folder = scratch("pictures");
    let words: Vec<&str> = program.split(' ').collect();
    let file = format!("examples/lesson/{}", words[0]);
    let out = folder.to_string_lossy().into_owned();
    let options = [
        "--seed",
        "1",
        "--count",
        "20",
        "--max-steps",
        "100000",
        "--stats",
        "--out",
        &out,
    ];
    let output = ndscript(&[&["run", &file], &words[1..], &options[..]].concat());
    fs::remove_dir_all(folder).unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let solved = told
        .lines()
        .find(|line| line.contains(" maps solved"))
        .expect(&told)
        .split(' ')
        .next()
        .unwrap();
    let mean = |name: &str| {
        let line = told
            .lines()
            .find(|line| line.starts_with(name))
            .expect(&told);
        let mean = line[name.len()..]
            .split_whitespace()
            .next()
            .unwrap()
            .to_string();
        let digits: Vec<char> = mean.chars().rev().collect();
        let groups: Vec<String> = digits
            .chunks(3)
            .rev()
            .map(|group| group.iter().rev().collect())
            .collect();
        groups.join(",")
    };
    format!(
        "| `{program}` | {solved} of 20 | {} | {} | {} |\n",
        mean("steps"),
        mean("choice points"),
        mean("failures")
    )
}

/// The pages name files from there.
fn go_to_the_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
}

#[test]
fn the_table_is_what_the_programs_come_to() {
    go_to_the_root();
    let rows: String = ROWS.iter().map(|program| row(program)).collect();
    let table = format!(
        "| program | solved | steps | choices | failures |\n| --- | ---: | ---: | ---: | ---: |\n{rows}"
    );
    let page = fs::read_to_string(PAGE).unwrap();
    let begin = page.find(BEGIN).unwrap() + BEGIN.len();
    let end = page.find(END).unwrap();
    if is_writing() {
        fs::write(PAGE, format!("{}{table}{}", &page[..begin], &page[end..])).unwrap();
    } else {
        // Whoever makes a built-in cheaper by a step has not made the lesson wrong.
        let is_near = |(told, now): (&str, &str)| {
            let number = |text: &str| text.trim().replace(',', "").parse::<f64>().ok();
            match (number(told), number(now)) {
                (Some(told), Some(now)) => (told - now).abs() <= (now * 0.05).max(1.0),
                _ => told == now,
            }
        };
        let told = &page[begin..end];
        let is_current = told.split('|').zip(table.split('|')).all(is_near);
        assert!(
            is_current && told.lines().count() == table.lines().count(),
            "{told} is not\n{table}"
        );
    }
}

#[test]
fn the_pictures_are_what_the_commands_make() {
    go_to_the_root();
    let page = fs::read_to_string(PAGE).unwrap();
    let folder = scratch("images");
    let mut made = Vec::new();
    for line in page
        .lines()
        .filter(|line| line.starts_with("$ ndscript ") && line.contains("docs/images/"))
    {
        let words: Vec<&str> = line["$ ndscript ".len()..].split(' ').collect();
        let image = *words
            .iter()
            .find(|word| word.starts_with("docs/images/"))
            .unwrap();
        let file = folder.join(Path::new(image).file_name().unwrap());
        let path = file.to_string_lossy().into_owned();
        let words: Vec<&str> = words
            .iter()
            .map(|word| if *word == image { &*path } else { word })
            .collect();
        let output = ndscript(&words);
        assert!(
            output.status.success(),
            "{line}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        if is_writing() {
            fs::copy(&file, image).unwrap();
        } else {
            assert!(
                fs::read(&file).unwrap() == fs::read(image).unwrap(),
                "{image} is not what `{line}` makes"
            );
        }
        made.push(image.trim_start_matches("docs/").to_string());
    }
    fs::remove_dir_all(folder).unwrap();
    let shown: Vec<&str> = page
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    let shown: Vec<&str> = shown
        .into_iter()
        .filter(|target| target.starts_with("images/"))
        .collect();
    assert_eq!(shown, made, "each picture has its command");
}

/// What a chapter shows of its program stands in it.
#[test]
fn the_page_shows_lines_of_the_programs() {
    go_to_the_root();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut programs = String::new();
    for entry in fs::read_dir("examples/lesson").unwrap() {
        programs += &fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    let mut count = 0;
    for block in page.split("```js\n").skip(1) {
        for line in block
            .split("```")
            .next()
            .unwrap()
            .lines()
            .map(str::trim)
            .filter(|line| !matches!(*line, "..." | ""))
        {
            assert!(programs.lines().any(|other| other.trim() == line), "{line}");
            count += 1;
        }
    }
    assert!(count > 15);
}
