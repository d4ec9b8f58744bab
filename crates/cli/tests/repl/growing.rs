//! Programs that grow by inputs, through the library.

use ndscript::{Alternative, CompileError, Engine, ExtendError, Outcome, Program, Run, Solution};

/// A conversation that keeps the program of every input, as a host would.
struct Talk {
    programs: Vec<Program>,
    run: Run,
}

impl Talk {
    fn new(first: &str) -> (Talk, Solution) {
        let program = Engine::new()
            .compile_input("input 1", first)
            .unwrap_or_else(|error| panic!("{error}"));
        let mut run = program.run(1);
        #[cfg(debug_assertions)]
        run.verify_backtracking();
        let solution = run.next().expect("a solution").expect("no error");
        (
            Talk {
                programs: vec![program],
                run,
            },
            solution,
        )
    }

    fn compile(&self, text: &str) -> Result<Program, CompileError> {
        let last = self.programs.last().unwrap();
        last.extend(&format!("input {}", self.programs.len() + 1), text)
    }

    /// The next input; the solution may be that of an earlier one.
    fn try_input(&mut self, text: &str) -> Option<Solution> {
        let program = self.compile(text).unwrap_or_else(|error| panic!("{error}"));
        self.run.extend(&program).unwrap();
        self.programs.push(program);
        let solution = self
            .run
            .next()
            .map(|solution| solution.unwrap_or_else(|error| panic!("{error}")));
        self.programs.truncate(self.run.input());
        solution
    }

    fn input(&mut self, text: &str) -> Solution {
        self.try_input(text).expect("a solution")
    }

    fn value(&mut self, text: &str) -> String {
        self.input(text).value.to_string()
    }

    fn error(&mut self, text: &str) -> String {
        let program = match self.compile(text) {
            Ok(program) => program,
            Err(error) => return error.diagnostics[0].message.clone(),
        };
        let mut run = self.run.clone();
        run.extend(&program).unwrap();
        match run.next() {
            Some(Err(error)) => error
                .diagnostic()
                .map_or_else(|| error.to_string(), |told| told.message.clone()),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn inputs_see_what_earlier_ones_left() {
    let (mut talk, _) = Talk::new("var a = [1]; function double(x) { return 2 * x; } let c = 7;");
    assert_eq!(talk.value("push(a, double(c)); a"), "[1, 14]");
    assert_eq!(talk.value("const d = sizeOf(a); d"), "2");
    assert_eq!(talk.value("d + 1 // and a comment"), "3");
    assert_eq!(
        talk.error("d = 3;"),
        "`d` is a constant and cannot be assigned"
    );
    assert_eq!(talk.value("let d = 5; d = 6; d"), "6");
    assert_eq!(talk.value("return d;"), "6");
    assert_eq!(talk.value("var d; d"), "6");
    assert_eq!(talk.value("var e; e"), "null");
    assert_eq!(talk.error("print(e1);"), "`e1` is not defined");
    assert_eq!(
        talk.error("print(d); let d = 1;"),
        "`d` is used before its declaration"
    );
    assert_eq!(talk.value("d"), "6");
}

#[test]
fn a_failure_goes_back_into_earlier_inputs() {
    let (mut talk, _) = Talk::new("var x = choose(1, 2);");
    talk.input("var y = choose(10, 20); printLine(`y is ${y}`);");
    assert_eq!(talk.value("x + y"), "11");
    let solution = talk.input("fail;");
    assert_eq!((talk.run.input(), solution.text.as_str()), (2, "y is 20\n"));
    assert_eq!(talk.value("x + y"), "21");
    talk.input("var z = 3;");
    assert_eq!(talk.run.input(), 4);
    // `y` has no alternative left: the first input is taken up again, and ends at its own end.
    let solution = talk.input("require(x == 2);");
    assert_eq!(
        (
            talk.run.input(),
            solution.text.as_str(),
            talk.run.open_choices()
        ),
        (1, "", 0)
    );
    assert_eq!(
        talk.run.show_globals(20),
        [("x".to_string(), "2".to_string())]
    );
    assert_eq!(talk.error("y"), "`y` is not defined");
    assert_eq!(talk.value("let y = x; y"), "2");
    assert!(talk.try_input("fail;").is_none());
}

#[test]
fn a_redefined_function_is_new_for_open_choices_and_old_again_after_failing() {
    let (mut talk, _) = Talk::new(
        "function name(x) { return `old ${x}`; }
         function say(x) { printLine(name(x)); }
         function pick() { let x = choose(1, 2, 3); say(x); return x; }
         let x = pick();",
    );
    let function = "function name(x) { return `new ${x}`; } say(x);";
    assert_eq!(talk.input(function).text, "new 1\n");
    // The redefinition is undone with the input that made it.
    let solution = talk.input("fail;");
    assert_eq!((talk.run.input(), solution.text.as_str()), (1, "old 2\n"));
    talk.input("let name = v => `a value ${v}`; say(4);");
    let solution = talk.input("say(x); if (x == 2) fail;");
    assert_eq!((talk.run.input(), solution.text.as_str()), (1, "old 3\n"));
    // Without an open choice nothing undoes it.
    assert_eq!(talk.run.open_choices(), 0);
    talk.input(function);
    assert_eq!(talk.input("say(5);").text, "new 5\n");
}

#[test]
fn names_of_built_ins_come_back() {
    let (mut talk, _) = Talk::new("var x = choose(1, 2, 3);");
    talk.input("let sizeOf = 5;");
    assert_eq!(talk.value("sizeOf + x"), "6");
    talk.input("fail;");
    assert_eq!(
        (talk.run.input(), talk.value("sizeOf('abc')").as_str()),
        (1, "3")
    );
    // While the third input has not come to its line, its `sizeOf` has no value; before it, there was none.
    talk.input("function measure(s) { return sizeOf(s); }");
    talk.input("fail;");
    assert_eq!(talk.value("sizeOf('abcd') + x"), "7");
}

#[test]
fn other_solutions_of_the_latest_input_alone() {
    let (mut talk, _) = Talk::new("let x = choose(1, 2, 3);");
    assert_eq!(talk.value("choose(4, 5)"), "4");
    assert!(
        matches!(talk.run.resume_input(u64::MAX), Outcome::Solved(solution) if solution.value == 5.into())
    );
    let before = talk.run.clone();
    assert!(matches!(talk.run.resume_input(u64::MAX), Outcome::Failed));
    assert!(matches!(talk.run.resume(u64::MAX), Outcome::Failed));
    talk.run = before;
    let solution = talk.run.next().unwrap().unwrap();
    assert_eq!(
        (talk.run.input(), solution.value.to_string().as_str()),
        (1, "null")
    );
    assert_eq!(
        talk.run
            .view_global("x")
            .map(|view| view.to_string())
            .as_deref(),
        Some("2")
    );
}

#[test]
fn a_commit_is_a_floor() {
    let (mut talk, _) = Talk::new("let x = choose(1, 2, 3);");
    talk.input("let y = choose(1, 2, 3);");
    talk.run.commit();
    talk.input("let z = choose(1, 2);");
    assert_eq!(talk.run.open_choices(), 1);
    talk.input("fail;");
    assert_eq!(
        (
            talk.run.input(),
            talk.run
                .view_global("z")
                .map(|view| view.to_string())
                .as_deref()
        ),
        (3, Some("2"))
    );
    assert!(talk.try_input("fail;").is_none());
}

#[test]
fn a_question_drops_the_choices_of_all_inputs() {
    let (mut talk, _) = Talk::new("let x = choose(1, 2, 3); print('one ');");
    let program = talk
        .compile("let a = input('?'); print('two '); let b = choose(1, 2);")
        .unwrap();
    talk.run.extend(&program).unwrap();
    talk.programs.push(program);
    assert!(matches!(talk.run.resume(u64::MAX), Outcome::Asked(_)));
    assert!(talk.run.answer_text("yes"));
    assert!(
        matches!(talk.run.resume(u64::MAX), Outcome::Solved(solution) if solution.text == "two ")
    );
    assert_eq!(talk.input("fail;").text, "two ");
    assert_eq!(
        (
            talk.run.input(),
            talk.run
                .view_global("b")
                .map(|view| view.to_string())
                .as_deref()
        ),
        (2, Some("2"))
    );
    assert!(talk.try_input("fail;").is_none());
}

#[test]
fn open_choice_points_say_where_they_are_and_what_is_left() {
    let (mut talk, _) = Talk::new(
        "let letters = ['a', 'b', 'c'];
         function pick(from) { return chooseElement(from); }
         let first = pick(letters);",
    );
    talk.input("choose first print(1); or { print(2); } or print(3);");
    talk.input("push(letters, 'd'); chooseElement(range(50), x => x == 7 ? 1 : 0)");
    let open = talk.run.open_choice_points(10);
    let places: Vec<_> = open
        .iter()
        .map(|open| (open.input, open.left, open.alternatives.len()))
        .collect();
    assert_eq!(places, [(3, 49, 20), (2, 2, 2), (1, 2, 2)]);
    let sources = talk.programs.last().unwrap().sources();
    let code = |alternative: &Alternative| match alternative {
        Alternative::Code(span) => sources.text(*span).to_string(),
        Alternative::Element(text) => text.clone(),
    };
    assert_eq!(
        open[1].alternatives.iter().map(code).collect::<Vec<_>>(),
        ["{ print(2); }", "print(3);"]
    );
    let first = talk.run.view_global("first").unwrap().to_string();
    let left: Vec<String> = open[2].alternatives.iter().map(code).collect();
    let expected: Vec<String> = ["a", "b", "c"]
        .into_iter()
        .filter(|letter| *letter != first)
        .map(|letter| format!("\"{letter}\""))
        .collect();
    assert_eq!(left, expected);
    assert_eq!(sources.text(open[2].span), "chooseElement(from)");
    let (file, line, _) = sources.locate(open[2].span).unwrap();
    assert_eq!((&*file.name, line), ("input 1", 2));
    // Looking changes nothing.
    assert_eq!(talk.run.open_choice_points(1), open[..1]);
}

#[test]
fn a_run_takes_only_its_own_next_input() {
    let engine = Engine::new();
    let first = engine.compile_input("input 1", "let x = 1;").unwrap();
    let second = first.extend("input 2", "let y = 2;").unwrap();
    let mut run = first.run(1);
    assert_eq!(run.extend(&second), Err(ExtendError::NotSolved));
    run.next();
    assert_eq!(run.extend(&first), Err(ExtendError::OtherProgram));
    assert_eq!(
        run.extend(&second.extend("input 3", "").unwrap()),
        Err(ExtendError::OtherProgram)
    );
    assert_eq!(run.extend(&second), Ok(()));
    let whole = engine.compile("let x = 1;").unwrap();
    assert!(
        whole
            .extend("input 2", "")
            .err()
            .unwrap()
            .to_string()
            .contains("compiled as a whole")
    );
}

#[test]
fn an_input_may_lack_its_last_semicolon() {
    let (mut talk, solution) = Talk::new("1 + 1");
    assert_eq!(solution.value.to_string(), "2");
    assert!(talk.programs[0].gives_value());
    assert_eq!(talk.value("var x = 3"), "null");
    assert_eq!(talk.value("x = 4"), "4");
    assert_eq!(talk.value(""), "null");
    assert_eq!(talk.error("x = = 3"), talk.error("x = = 3;"));
    assert_eq!(talk.value("let y = 3; if (x == 4) y = 5; return y"), "5");
    assert_eq!(talk.run.show_value(10), "5");
    assert_eq!(talk.input("if (x == 4) y = 7; else print('no')").text, "");
    assert_eq!(
        talk.input("foreach (i in range(3)) choose first print(i); or fail")
            .text,
        "012"
    );
    for unfinished in [
        "while (true)",
        "if (x == 4) y = 1; else",
        "function f()",
        "{ x = 1",
        "choose x = 1; or",
    ] {
        talk.error(unfinished);
    }
    assert_eq!(talk.error("x y"), talk.error("x y;"));
    talk.input("'a\\nb'");
    assert_eq!(talk.run.show_value(10), "\"a\\nb\"");
}

#[test]
fn values_are_shown_for_people() {
    let (talk, _) = Talk::new(
        "let g = gridFromText('ab\\ncd'); let r = relation([1, 2], [3, 4]); let s = setOf('x');
         let long = range(1000); let text = 'äöü'; function f() {}",
    );
    let shown = talk.run.show_globals(16);
    let texts: Vec<&str> = shown.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "grid 2x2\n  \"a...",
            "relation {[1,...",
            "{\"x\"}",
            "[0, 1, 2, 3, ...",
            "\"äöü\"",
            "function f"
        ]
    );
    assert_eq!(
        talk.run.show_globals(99)[0].1,
        "grid 2x2\n  \"a\" \"b\"\n  \"c\" \"d\""
    );
}

#[test]
fn boards_that_fit_into_no_window_are_shown_in_brief() {
    let (mut talk, _) = Talk::new("let g = makeGrid(6, 4, toSet(range(7)));");
    talk.input("g[1, 0] = setOf(3); g[0, 2] = setOf(); g");
    let shown = |talk: &Talk, columns, rows| talk.run.show_value_within(4000, columns, rows);
    let brief = shown(&talk, 80, 24);
    let expected = "grid 6x4
  ·7 {3} ·7 ·7 ·7 ·7
  ·7  ·7 ·7 ·7 ·7 ·7
  ·0  ·7 ·7 ·7 ·7 ·7
  ·7  ·7 ·7 ·7 ·7 ·7
·7: 7 candidates. Name a cell, `g[0, 0]`, for them, or `printGrid` the whole";
    assert_eq!(brief, expected);
    assert_eq!(shown(&talk, 400, 24), talk.run.show_value(4000), "it fits");
    let small = shown(&talk, 12, 9);
    assert!(small.starts_with("grid 6x4\n  ·7 {3} …\n"), "{small}");
    assert!(small.contains("\n  … 3 more rows\n"), "{small}");
    talk.input("toArray(map(g, p => g[p]))");
    let list = shown(&talk, 60, 24);
    assert!(
        list.starts_with("[·7, {3}, ·7, ·7, ") && list.lines().count() < 5,
        "{list}"
    );
    talk.input("let o = {}; foreach (n in range(30)) o[`room${n}`] = setOf(1, 2); o");
    let object = shown(&talk, 40, 24);
    assert!(object.starts_with("{room0: ·2, room1: ·2, "), "{object}");
    // What is no board is cut at the height of the window.
    talk.input("range(2000)");
    assert!(shown(&talk, 40, 12).len() <= 40 * 7);
}

#[test]
fn imported_files_run_once_in_all_inputs() {
    struct Files;
    impl ndscript::ImportSource for Files {
        fn read(&self, path: &str) -> Result<String, String> {
            if path == "a.nds" {
                Ok("var count = 1; function f() { return 8; }".into())
            } else {
                Err("no".into())
            }
        }
    }
    let first = Engine::new()
        .with_imports(Files)
        .compile_input("input 1", "import 'a.nds'; count += f();")
        .unwrap();
    let mut run = first.run(1);
    run.next();
    let second = first.extend("input 2", "import 'a.nds'; count").unwrap();
    run.extend(&second).unwrap();
    assert_eq!(run.next().unwrap().unwrap().value.to_string(), "9");
}
