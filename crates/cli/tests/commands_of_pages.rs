//! Every command that a page shows is one that the binary understands, and those that run an example run it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Pages for people who use the language.
fn pages() -> Vec<PathBuf> {
    fn all(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                all(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let mut found = vec![PathBuf::from("README.md")];
    all(Path::new("docs"), &mut found);
    all(Path::new("examples"), &mut found);
    found
}

/// The commands of a page: in backticks, and the lines of blocks that begin with one.
fn commands(page: &str) -> BTreeSet<String> {
    let inline = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|text| !text.contains('\n'));
    let lines = page
        .lines()
        .map(|line| line.trim_start().trim_start_matches("$ "));
    let is_command = |text: &&str| {
        text.strip_prefix("ndscript ")
            .is_some_and(|rest| !rest.starts_with('='))
    };
    inline
        .chain(lines)
        .filter(is_command)
        .map(str::to_string)
        .collect()
}

/// The words of a command as a shell splits them, up to what is for the shell; words in square brackets are left out.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = command;
    while let Some(begin) = rest.find(|c: char| !c.is_whitespace()) {
        rest = &rest[begin..];
        if rest.starts_with(['|', '>', '<', '#', '&']) || rest.starts_with("2>") {
            break;
        }
        let (mut word, mut quote, mut end) = (String::new(), None, rest.len());
        for (at, character) in rest.char_indices() {
            match (character, quote) {
                ('"' | '\'', None) => quote = Some(character),
                (character, Some(open)) if character == open => quote = None,
                (character, None) if character.is_whitespace() => {
                    end = at;
                    break;
                }
                _ => word.push(character),
            }
        }
        rest = &rest[end..];
        words.push(word);
    }
    let is_left_out = words.iter().scan(false, |inside, word| {
        *inside |= word.starts_with('[');
        let result = *inside;
        *inside &= !word.ends_with(']');
        Some(result)
    });
    let is_left_out: Vec<bool> = is_left_out.collect();
    words
        .into_iter()
        .zip(is_left_out)
        .filter(|(_, out)| !out)
        .map(|(word, _)| word)
        .skip(1)
        .collect()
}

fn run(words: &[String], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ndscript"));
    command
        .args(words)
        .args(more)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The pages name files from there.
fn go_to_the_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
}

#[test]
fn every_command_is_understood() {
    go_to_the_root();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages() {
        for command in commands(&fs::read_to_string(&page).unwrap()) {
            // What a shell or a person puts in: a number, a file.
            let put_in = |word: &String| match word.as_str() {
                "FILE" | "FILE..." => "map.nds".to_string(),
                word if word.starts_with('$') => "1".to_string(),
                word => word.to_string(),
            };
            let words: Vec<String> = words(&command).iter().map(put_in).collect();
            // Help is given instead of a run, but only where all that stands before it is right.
            let output = run(&words, &["--help"]);
            if !output.status.success() {
                let errors = String::from_utf8_lossy(&output.stderr);
                wrong.push(format!("{}: `{command}`: {errors}", page.display()));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "{count} commands");
}

#[test]
fn commands_that_run_examples_run_them() {
    go_to_the_root();
    let out = std::env::temp_dir().join(format!("ndscript-pages-{}", std::process::id()));
    let out_text = out.display().to_string();
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        for command in commands(&fs::read_to_string(&page).unwrap()) {
            let words = words(&command);
            if words.first().is_none_or(|word| word != "run")
                || words.iter().all(|word| !word.starts_with("examples/"))
            {
                continue;
            }
            // Those that search for long are begun.
            let given = ["--max-steps", "300000", "--out", &out_text];
            let is_missing = |option: &&[&str]| words.iter().all(|word| word != option[0]);
            let more: Vec<&str> = given
                .chunks(2)
                .filter(is_missing)
                .flatten()
                .copied()
                .collect();
            let words: Vec<String> = words
                .iter()
                .map(|word| word.replace("pictures", &out_text))
                .collect();
            let output = run(&words, &more);
            if ![Some(0), Some(3)].contains(&output.status.code()) {
                wrong.push(format!(
                    "{}: `{command}`: {}",
                    page.display(),
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
            count += 1;
        }
    }
    let _ = fs::remove_dir_all(&out);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 20, "{count} commands");
}

/// Of each row of `examples/DOCUMENTS.md` the command that shows it, and what that is to tell.
fn shown_by(page: &str) -> Vec<(&str, &str)> {
    let rows = page.lines().filter(|line| {
        line.starts_with("| ") && !line.starts_with("| ---") && !line.starts_with("| the document")
    });
    rows.map(|row| {
        let (_, last) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        last.strip_prefix("`ndscript ")
            .and_then(|rest| rest.strip_suffix('`'))
            .and_then(|rest| rest.split_once("`<br>tells `"))
            .unwrap_or_else(|| panic!("a row without a command and what it tells: {row}"))
    })
    .collect()
}

#[test]
fn every_mechanism_of_the_documents_is_shown_by_its_command() {
    let page = fs::read_to_string("examples/DOCUMENTS.md").unwrap();
    let out = std::env::temp_dir().join(format!("ndscript-documents-{}", std::process::id()));
    let out_text = out.display().to_string();
    let rows = shown_by(&page);
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (command, expected) in &rows {
        let text = told.entry(command).or_insert_with(|| {
            let words = words(&format!("ndscript {command}"));
            let more: &[&str] = match words[0].as_str() {
                "run" => &["--out", &out_text],
                _ => &[],
            };
            let output = run(&words, more);
            let text = [&output.stdout, &output.stderr]
                .map(|text| String::from_utf8_lossy(text).into_owned())
                .concat();
            if !output.status.success() {
                wrong.push(format!("`{command}` ends with {}: {text}", output.status));
            }
            text
        });
        if !text.contains(expected) {
            wrong.push(format!(
                "`{command}` does not tell `{expected}` but: {text}"
            ));
        }
    }
    let _ = fs::remove_dir_all(&out);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(rows.len() > 90, "{} rows", rows.len());
    assert!(told.len() > 40, "{} commands", told.len());
}

#[test]
fn words_are_those_of_a_shell() {
    assert_eq!(
        words("ndscript run a.nds rates=\"4 12\" [name=value ...] --seed 1 > out.txt"),
        ["run", "a.nds", "rates=4 12", "--seed", "1"]
    );
    assert_eq!(
        commands("Say `ndscript doc`, `ndscript = 1` or\n$ ndscript tiles\n    ndscript new x\n")
            .len(),
        3
    );
}
