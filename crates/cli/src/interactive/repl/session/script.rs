//! The inputs of a session as one program.
//!
//! A session may declare a name twice, a program may not. So from its second declaration on a name is assigned, and a
//! constant becomes a variable. A session may also assign a name in one input and declare it in a later one; in a
//! program a declaration holds from the beginning, so such a name becomes a `var`, which may be assigned there.
//!
//! Where a person has refused a solution, the program fails when it arrives there for the first time. So with an equal
//! seed it runs like the session.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use ndscript::reference;
use ndscript::syntax::ast::{DeclareKeyword, Function, Script, Statement, StatementKind};
use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::syntax::parse;

/// An input, as far as it matters here.
pub struct Part<'a> {
    pub text: &'a str,
    /// The file that it was loaded from.
    pub file: Option<&'a str>,
    /// The number of solutions that were refused while it was the latest.
    pub refused: u32,
    /// The mark before the input.
    pub mark: Option<String>,
}

/// A program, and its differences from the session.
pub struct Written {
    pub text: String,
    pub notes: Vec<String>,
}

/// How a name is known so far.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    /// By `var` or `function`, which a `var` may repeat.
    Loosely,
    /// By `let` or `const`.
    Strictly,
}

/// Writes inputs as a program that will lie in a folder.
pub fn script(parts: &[Part<'_>], folder: &Path) -> Written {
    let mut texts: Vec<String> = Vec::new();
    let mut scripts: Vec<Script> = Vec::new();
    for part in parts {
        let text = part.text.strip_prefix('\u{feff}').unwrap_or(part.text);
        let text = match text.strip_prefix("#!") {
            Some(rest) => rest.split_once('\n').map_or("", |(_, rest)| rest),
            None => text,
        };
        // Inputs of a session can be parsed, perhaps after adding a missing `;`.
        let (text, parsed) = match parse(text, 0) {
            Ok(parsed) => (text.to_string(), parsed),
            Err(_) => {
                let whole = with_semicolon(text);
                let parsed = parse(&whole, 0).unwrap_or(Script {
                    statements: Vec::new(),
                });
                (whole, parsed)
            }
        };
        texts.push(text);
        scripts.push(parsed);
    }
    let mut declared: BTreeMap<&str, usize> = BTreeMap::new();
    for statement in scripts.iter().flat_map(|script| &script.statements) {
        names(statement)
            .iter()
            .for_each(|name| *declared.entry(name).or_default() += 1);
    }
    let again: BTreeSet<&str> = declared
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(name, _)| name)
        .collect();
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let mut assigned: BTreeSet<&str> = BTreeSet::new();
    let mut notes = Vec::new();
    let mut out = String::new();
    for (at, (part, (text, parsed))) in parts.iter().zip(texts.iter().zip(&scripts)).enumerate() {
        warn_of_built_ins(&parsed.statements, &texts[..at], &mut notes);
        let mut edit = Edit {
            text,
            redeclared: &again,
            assigned: &assigned,
            known: &mut known,
            changes: Vec::new(),
            first: String::new(),
        };
        edit.statements(&parsed.statements);
        if let Some(file) = part.file {
            out.push_str(&format!("\n// From {file}\n"));
        }
        for (path, range, seen) in imports(&parsed.statements, part.file, folder) {
            match seen {
                Ok(seen) if seen == path => {}
                Ok(seen) => edit.changes.push((range, format!("{seen:?}"))),
                Err(from) => notes.push(format!(
                    "the program imports {path:?}, which is not below its folder: it needs `--import-path {}`",
                    from.display()
                )),
            }
        }
        let ends = parsed
            .statements
            .iter()
            .any(|statement| matches!(statement.kind, StatementKind::Return(_)));
        if ends {
            notes.push(format!(
                "the `return` of input {} ends the program, too",
                at + 1
            ));
        }
        out.extend(part.mark.as_deref());
        out.push_str(&edit.finish());
        out.push_str(&refusals(part.refused, at + 1));
        assigned.extend(assigned_names(text));
    }
    Written { text: out, notes }
}

/// Fails as often as solutions were refused after this input.
fn refusals(refused: u32, input: usize) -> String {
    match refused {
        0 => String::new(),
        1 => format!(
            "// Here another solution was wanted.\nif (firstVisit(\"refused behind input {input}\")) fail;\n"
        ),
        many => format!(
            "// Here another solution was wanted, {many} times.\nfor (let n = 0; n < {many}; n++) if (firstVisit([\"refused behind input {input}\", n])) fail;\n"
        ),
    }
}

fn with_semicolon(text: &str) -> String {
    let end = tokens(text)
        .filter(|(class, _)| *class != TokenClass::Comment)
        .last()
        .map_or(0, |(_, range)| range.end);
    format!("{};{}", &text[..end], &text[end..])
}

/// The names that a statement of the top level declares.
fn names(statement: &Statement) -> Vec<&str> {
    match &statement.kind {
        StatementKind::Declare { declarators, .. } => {
            declarators.iter().map(|each| &*each.name.name).collect()
        }
        StatementKind::Function(function) => function.name.iter().map(|name| &*name.name).collect(),
        _ => Vec::new(),
    }
}

/// The names that a text assigns, those of inner variables among them.
fn assigned_names(text: &str) -> Vec<&str> {
    let is_assignment =
        |word: &str| matches!(word, "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "++" | "--");
    let words: Vec<(TokenClass, &str)> = tokens(text)
        .filter(|(class, _)| *class != TokenClass::Comment)
        .map(|(class, range)| (class, &text[range]))
        .collect();
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |(_, word)| word);
    let is_assigned = |at: &usize| {
        let (before, after) = (word(at.checked_sub(1)), word(Some(at + 1)));
        words[*at].0 == TokenClass::Name
            && before != "."
            && (is_assignment(after) || matches!(before, "++" | "--"))
    };
    (0..words.len())
        .filter(is_assigned)
        .map(|at| words[at].1)
        .collect()
}

/// Records names of built-ins that are used before an input declares them.
fn warn_of_built_ins(statements: &[Statement], before: &[String], notes: &mut Vec<String>) {
    for name in statements
        .iter()
        .flat_map(names)
        .filter(|name| reference::find(name).is_some())
    {
        let uses = |text: &String| {
            tokens(text)
                .any(|(class, range)| class == TokenClass::Name && text.get(range) == Some(name))
        };
        if before.iter().any(uses) {
            notes.push(format!(
                "in the program `{name}` is your own from the beginning, not the built-in"
            ));
        }
    }
}

/// The paths of imports, where they stand, and how they are seen from another folder; or the folder that they are seen
/// from, if what they name does not lie in the other one.
fn imports<'a>(
    statements: &'a [Statement],
    file: Option<&str>,
    folder: &Path,
) -> Vec<(&'a str, Range<usize>, Result<String, PathBuf>)> {
    let from = whole(
        file.and_then(|file| Path::new(file).parent())
            .unwrap_or(Path::new("")),
    );
    let folder = whole(folder);
    let mut found = Vec::new();
    for statement in statements {
        let StatementKind::Import {
            path, path_span, ..
        } = &statement.kind
        else {
            continue;
        };
        let seen = from.join(&**path);
        let seen = match seen.strip_prefix(&folder) {
            Ok(seen) => Ok(seen
                .components()
                .map(|part| part.as_os_str().to_string_lossy())
                .collect::<Vec<_>>()
                .join("/")),
            Err(_) => Err(from.clone()),
        };
        found.push((
            &**path,
            path_span.start as usize..path_span.end as usize,
            seen,
        ));
    }
    found
}

/// A path from the root on, without `..`.
fn whole(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in std::path::absolute(Path::new(".").join(path))
        .unwrap_or_else(|_| path.to_path_buf())
        .components()
    {
        if part == Component::ParentDir {
            whole.pop();
        } else {
            whole.push(part);
        }
    }
    whole
}

/// One input that is being rewritten.
struct Edit<'a> {
    text: &'a str,
    redeclared: &'a BTreeSet<&'a str>,
    /// The names that earlier inputs assign.
    assigned: &'a BTreeSet<&'a str>,
    known: &'a mut BTreeMap<String, Known>,
    changes: Vec<(Range<usize>, String)>,
    /// Initial values of functions that are declared again, at the very beginning: functions exist from the start.
    first: String,
}

impl Edit<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declare { keyword, .. } => self.declaration(statement, *keyword),
                StatementKind::Function(function) => self.function(function, statement),
                _ => {}
            }
        }
    }

    /// Turns a declaration of known names into assignments.
    fn declaration(&mut self, statement: &Statement, keyword: DeclareKeyword) {
        let is_var = keyword == DeclareKeyword::Var;
        let range =
            statement.span.start as usize..(statement.span.end as usize).min(self.text.len());
        let mut pieces = Vec::new();
        let mut changed = false;
        for declarator in declarators(self.text, range.clone()) {
            let text = self.text[declarator].trim();
            let end = text
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(text.len());
            let name = &text[..end];
            let has_value = end < text.len();
            match self.known.get(name) {
                Some(Known::Loosely) if is_var => pieces.push(format!("var {text};")),
                Some(_) => {
                    changed = true;
                    if has_value {
                        pieces.push(format!("{text};"));
                    } else if !is_var {
                        pieces.push(format!("{name} = null;"));
                    }
                }
                None if !is_var && self.assigned.contains(name) => {
                    changed = true;
                    self.known.insert(name.to_string(), Known::Loosely);
                    let null = if has_value { "" } else { " = null" };
                    pieces.push(format!("var {text}{null};"));
                }
                None => {
                    let keyword_text = if is_var {
                        Known::Loosely
                    } else {
                        Known::Strictly
                    };
                    self.known.insert(name.to_string(), keyword_text);
                    let word = match keyword {
                        DeclareKeyword::Var => "var",
                        DeclareKeyword::Const if !self.redeclared.contains(name) => "const",
                        _ => "let",
                    };
                    changed |= keyword == DeclareKeyword::Const && word == "let";
                    pieces.push(format!("{word} {text};"));
                }
            }
        }
        if changed {
            self.changes.push((range, pieces.join(" ")));
        }
    }

    /// Turns the declaration of a known function into an assignment.
    fn function(&mut self, function: &Function, statement: &Statement) {
        let Some(name) = &function.name else { return };
        let is_new = self
            .known
            .insert(name.name.to_string(), Known::Loosely)
            .is_none();
        if is_new && !self.assigned.contains(&*name.name) {
            return;
        }
        let range = statement.span.start as usize..statement.span.end as usize;
        let rest = &self.text[name.span.end as usize..range.end];
        let value = if function.deterministic {
            let body = tokens(rest)
                .find(|(_, range)| &rest[range.clone()] == "{")
                .map_or(0, |(_, range)| range.start);
            format!(
                "function{}{{ return once(function () {}); }}",
                &rest[..body],
                &rest[body..]
            )
        } else {
            format!("function {}", rest.trim_start())
        };
        self.first.push_str(&format!("{} = {value};\n", name.name));
        self.changes.push((range, String::new()));
    }

    fn finish(mut self) -> String {
        self.changes.sort_by_key(|(range, _)| range.start);
        let mut out = self.first;
        let mut done = 0;
        for (range, replacement) in &self.changes {
            out.push_str(&self.text[done..range.start]);
            out.push_str(replacement);
            done = range.end;
        }
        out.push_str(&self.text[done..]);
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }
}

/// The places of the declarators of a declaration: between its commas.
fn declarators(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let statement = &text[range.clone()];
    let mut depth = 0;
    let mut found = Vec::new();
    let mut start = None;
    for (class, token) in tokens(statement) {
        let word = &statement[token.clone()];
        let Some(begin) = start else {
            // The keyword.
            start = Some(token.end);
            continue;
        };
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ if class == TokenClass::String => depth += template_depth(word),
            "," | ";" if depth == 0 && class == TokenClass::Operator => {
                found.push(range.start + begin..range.start + token.start);
                start = Some(token.end);
            }
            _ => {}
        }
    }
    found.retain(|range| !text[range.clone()].trim().is_empty());
    found
}

/// Pieces of a template open and close brackets of their own.
fn template_depth(piece: &str) -> i32 {
    let opens = piece.ends_with("${");
    let closes = piece.starts_with('}');
    i32::from(opens) - i32::from(closes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript::Engine;

    fn written(inputs: &[&str]) -> Written {
        let parts: Vec<Part<'_>> = inputs
            .iter()
            .map(|text| Part {
                text,
                file: None,
                refused: 0,
                mark: None,
            })
            .collect();
        script(&parts, Path::new(""))
    }

    fn value(inputs: &[&str]) -> String {
        let text = written(inputs).text;
        let program = Engine::new()
            .compile(&text)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        program
            .run(1)
            .next()
            .unwrap_or_else(|| panic!("{text}"))
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
            .text
    }

    #[test]
    fn inputs_become_a_program() {
        assert_eq!(value(&["let x = 1", "x + 1 // two", "print(x);"]), "1");
        assert_eq!(
            value(&[
                "let x = (1)",
                "let x = x + (2), y = [3, 4]; const z = `${x},${y}`",
                "print(x, y, z)"
            ]),
            "3[3, 4]3,[3, 4]"
        );
        assert_eq!(
            value(&[
                "const x = 1;",
                "var x;",
                "let y = x; let x; const x = 5",
                "x = 6; print(x, y)"
            ]),
            "61"
        );
        assert_eq!(
            value(&["var x = 1;", "var x = 2, y;", "print(x, y)"]),
            "2null"
        );
    }

    #[test]
    fn names_are_assigned_before_they_are_declared() {
        assert_eq!(
            value(&[
                "c = 1;",
                "let d = c, c = x => choose(x, c), e;",
                "print(typeOf(c), d, e)"
            ]),
            "function1null"
        );
        assert_eq!(
            value(&["n = 1;", "const n = n + 1;", "let n = n + 1", "print(n)"]),
            "3"
        );
        assert_eq!(
            value(&[
                "n = 1; o = {m: 1}; o.m++;",
                "let n; let m = 5;",
                "print(n, m)"
            ]),
            "null5"
        );
        assert_eq!(
            value(&[
                "f = 1;",
                "let g = f",
                "function f(n) { return n == 0 ? g : f(n - 1); }",
                "print(f(3))"
            ]),
            "1"
        );
        assert!(written(&["o.m = 1;", "let m = 5;"]).text.contains("let m"));
    }

    #[test]
    fn functions_are_declared_again() {
        let inputs = [
            "function f(a) { return a; } function g() { return f(1); }",
            "print(g());",
            "print(f(2)); deterministic function f(a, b) { let c = choose(a, b); require(c > 1); return c; }\n
             function g() { return f(1, 3); }",
            "print(g());",
        ];
        // `f(2)` of the third input is wrong there as well.
        let inputs = inputs.map(|text| text.replace("print(f(2)); ", ""));
        assert_eq!(value(&inputs.each_ref().map(String::as_str)), "13");
    }

    #[test]
    fn refused_solutions_are_refused_again() {
        let value = |refused: u32| {
            let part = |text, refused| Part {
                text,
                file: None,
                refused,
                mark: None,
            };
            let parts = [
                part("let x = choose(1, 2, 3, 4)", 1),
                part("let y = choose(5, 6);", refused),
                part("print(x, y)", 0),
            ];
            let program = Engine::new()
                .compile(&script(&parts, Path::new("")).text)
                .unwrap();
            program.run(1).next().unwrap().unwrap().text
        };
        assert_eq!([0, 1, 2, 5].map(value), ["25", "26", "35", "46"]);
    }

    #[test]
    fn what_differs_is_noted() {
        let written = written(&[
            "#!/usr/bin/env ndscript\nprint(sizeOf('a'));",
            "let sizeOf = 1; return 2;",
        ]);
        assert_eq!(written.notes.len(), 2);
        assert!(!written.text.contains("#!"));
    }

    #[test]
    fn imports_are_seen_from_the_new_folder() {
        let parts = [Part {
            text: "import \"b.nds\"; import 'c.nds';",
            file: Some("maps/a.nds"),
            refused: 0,
            mark: None,
        }];
        let text = script(&parts, Path::new(".")).text;
        assert!(
            text.ends_with("import \"maps/b.nds\"; import \"maps/c.nds\";\n"),
            "{text}"
        );
        let text = script(&parts, Path::new("elsewhere/../maps")).text;
        assert!(
            text.ends_with("import \"b.nds\"; import 'c.nds';\n"),
            "{text}"
        );
        // A program cannot name what lies outside its folder.
        let written = script(&parts, Path::new("elsewhere"));
        assert!(
            written
                .text
                .ends_with("import \"b.nds\"; import 'c.nds';\n"),
            "{}",
            written.text
        );
        assert!(
            written.notes[0].contains("--import-path") && written.notes[0].ends_with("maps`"),
            "{:?}",
            written.notes
        );
    }
}
