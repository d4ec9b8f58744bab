//! Runs that have grown by inputs: what the host keeps of inputs that were left, and saving.

use std::collections::HashMap;

use ndscript::{
    Engine, ErrorKind, ImportSource, Limits, Outcome, Program, RestoreError, Run, RunError,
};

struct Files(HashMap<&'static str, &'static str>);

impl ImportSource for Files {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0
            .get(path)
            .map(|text| text.to_string())
            .ok_or_else(|| "there is no such file".to_string())
    }
}

/// A host whose libraries lie in a folder of their own.
struct Library;

impl ImportSource for Library {
    fn locate(&self, importer: &str, name: &str) -> Result<Option<String>, String> {
        let beside = ndscript::import_beside(importer, name);
        let path = if beside == "maps/own.nds" {
            beside
        } else {
            format!("library/{name}")
        };
        Ok(self.read(&path).is_ok().then_some(path))
    }

    fn read(&self, path: &str) -> Result<String, String> {
        match path {
            "maps/own.nds" => Ok("import \"shared/tools.nds\"; var own = tools * 2;".into()),
            "library/shared/tools.nds" => Ok("var tools = 7; print(\"once \");".into()),
            _ => Err("it is missing".into()),
        }
    }
}

#[test]
fn a_grown_run_finds_its_libraries_again() {
    let engine = Engine::new().with_imports(Library);
    let first = engine
        .compile_input("maps/input 1", "import \"own.nds\"; print(own);")
        .unwrap();
    let mut run = first.run(1);
    assert_eq!(run.next().unwrap().unwrap().text, "once 14");
    let texts = [
        "import \"shared/tools.nds\"; tools",
        "import \"own.nds\"; own + tools",
    ];
    for (at, text) in texts.iter().enumerate() {
        let next = run
            .program()
            .extend(&format!("maps/input {}", at + 2), text);
        run.extend(&next.unwrap_or_else(|error| panic!("{error}")))
            .unwrap();
        run.next().unwrap().unwrap();
    }
    let error = run
        .program()
        .extend("input 4", "import \"tools.nds\";")
        .err()
        .unwrap();
    assert!(
        error.to_string().contains("there is no such file"),
        "{error}"
    );
    let mut restored = Engine::new().restore(&first, &run.save().unwrap()).unwrap();
    let next = restored.program().extend("input 4", "own").unwrap();
    restored.extend(&next).unwrap();
    assert_eq!(restored.next().unwrap().unwrap().value.to_string(), "14");
}

fn engine() -> Engine {
    let files = [(
        "tools.nds",
        "import \"more.nds\"; function twice(x) { return more(x) * 2; }",
    )];
    let more = [(
        "more.nds",
        "var loaded = choose(1, 2); function more(x) { return x + loaded; }",
    )];
    let limits = Limits {
        memory: 64 << 20,
        ..Limits::default()
    };
    Engine::new()
        .with_limits(limits)
        .with_imports(Files(files.into_iter().chain(more).collect()))
}

/// Inputs with open choices, with functions, constants and lists of an earlier input that are declared again, with
/// imports, and with questions.
pub const INPUTS: &[&str] = &[
    "let x = choose(1, 2, 3); print(\"x\", x); function f(n) { return n + 1; } const c = 1.5e200;",
    "import \"tools.nds\"; let y = chooseElement(range(40)); require(y > 30); printImage(\"red\"); twice(x)",
    "function f(n) { return x * y + n; } const c = [y]; let g = makeGrid(2, 2, setOf(1, 2)); map(c, n => f(n))",
    "foreach (p in nonsingletonPositionsOf(g)) g[p] = setOf(chooseElement(g[p]));",
    "let z = choose(() => x, () => y); minimize(() => { cost(z()); return choose(f(1), f(2)); });
     let line = input(\"line?\"); print(line); choose(line, z())",
];

/// Takes up the next input; the run stands at a solution.
fn extend(run: &mut Run, input: usize) -> Program {
    let program = run
        .program()
        .extend(&format!("input {}", input + 1), INPUTS[input])
        .unwrap_or_else(|e| panic!("{e}"));
    run.extend(&program).unwrap();
    program
}

/// All that a run still does, going back through its inputs and taking up the next one again and again.
fn rest(mut run: Run, steps: u64) -> String {
    let mut told = String::new();
    for _ in 0..60 {
        match run.resume(steps) {
            Outcome::Solved(solution) => {
                let place = (run.input(), run.program().sources().files().len());
                told.push_str(&format!(
                    "{place:?} {solution:?} {:?}\n",
                    run.open_choice_points(3)
                ));
                if run.input() < INPUTS.len() && !told.len().is_multiple_of(3) {
                    let input = run.input();
                    extend(&mut run, input);
                }
            }
            Outcome::Asked(question) => {
                told.push_str(&format!("{question:?}\n"));
                assert!(run.answer_text("an answer"));
            }
            Outcome::OutOfFuel => {}
            Outcome::Failed => break,
            other => panic!("{other:?}\n{told}"),
        }
    }
    told + &format!("{:?}", run.statistics().steps)
}

/// Runs in every stage of growing, each in the middle of its latest input or at the end of it.
pub fn stages() -> Vec<(Program, Run)> {
    let first = engine().compile_input("input 1", INPUTS[0]).unwrap();
    let mut run = first.run(3);
    let mut program = first;
    let mut stages = Vec::new();
    for input in 1..=INPUTS.len() {
        loop {
            match run.resume(6) {
                Outcome::Solved(_) => break,
                Outcome::Asked(_) => {
                    stages.push((program.clone(), run.clone()));
                    assert!(run.answer_text("a line"));
                }
                Outcome::OutOfFuel => stages.push((program.clone(), run.clone())),
                other => panic!("{other:?}"),
            }
        }
        stages.push((program.clone(), run.clone()));
        if input < INPUTS.len() {
            program = extend(&mut run, input);
        }
    }
    assert!(
        stages.len() > 10 && run.open_choices() > 0,
        "{}",
        stages.len()
    );
    stages
}

#[test]
fn a_grown_run_is_saved_at_every_stage() {
    let mut long = 0;
    for (at, (program, run)) in stages().into_iter().enumerate() {
        let saved = run.clone().save().unwrap();
        let expected = rest(run.clone(), u64::MAX);
        long = long.max(expected.len());
        assert_eq!(rest(run, 10), expected, "stage {at}");
        // In the same process, with any of the programs that it was made with.
        assert_eq!(
            rest(engine().restore(&program, &saved).unwrap(), u64::MAX),
            expected,
            "stage {at}"
        );
        // In another one, that knows the first input only; also one that has lost the files that later ones import.
        for elsewhere in [engine(), Engine::new()] {
            let first = elsewhere.compile_input("input 1", INPUTS[0]).unwrap();
            let mut restored = elsewhere.restore(&first, &saved).unwrap();
            assert_eq!(restored.save().unwrap(), saved, "stage {at}");
        }
        let first = engine().compile_input("input 1", INPUTS[0]).unwrap();
        assert_eq!(
            rest(engine().restore(&first, &saved).unwrap(), u64::MAX),
            expected,
            "stage {at}"
        );
    }
    assert!(long > 3000, "{long}");
}

#[test]
fn a_grown_run_is_saved_again_after_going_back() {
    let (_, mut run) = stages()
        .into_iter()
        .rfind(|(_, run)| run.input() == 4)
        .unwrap();
    let first = engine().compile_input("input 1", INPUTS[0]).unwrap();
    while run.input() > 1 {
        run = engine().restore(&first, &run.save().unwrap()).unwrap();
        match run.resume(u64::MAX) {
            Outcome::Asked(_) => assert!(run.answer_text("another")),
            Outcome::Solved(_) => {}
            other => panic!("{other:?}"),
        }
    }
    let next = run.program().extend("other", "x * 100").unwrap();
    run.extend(&next).unwrap();
    let mut run = engine().restore(&next, &run.save().unwrap()).unwrap();
    assert_eq!(run.next().unwrap().unwrap().value.to_string(), "200");
}

#[test]
fn a_grown_run_belongs_to_its_first_input() {
    let (program, mut run) = stages().pop().unwrap();
    let saved = run.save().unwrap();
    let restore = |first: &Program| engine().restore(first, &saved).err();
    assert_eq!(restore(&program), None);
    assert!(matches!(
        restore(&engine().compile_input("input 1", "let x = 1;").unwrap()),
        Some(RestoreError::Changed(_))
    ));
    assert!(matches!(
        restore(&engine().compile_named("input 1", INPUTS[0]).unwrap()),
        Some(RestoreError::Changed(_) | RestoreError::OtherProgram)
    ));
}

#[test]
fn functions_of_an_input_that_was_left_say_so() {
    let engine = Engine::new();
    let program = engine
        .compile_input("input 1", "let x = choose(1, 2); let kept = [];")
        .unwrap();
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    let second = "let n = 7; function outer() { let own = n; return () => own; } let made = outer(); let built_in = map; made";
    run.extend(&program.extend("input 2", second).unwrap())
        .unwrap();
    run.next().unwrap().unwrap();
    let handles: Vec<_> = ["outer", "made", "built_in"]
        .iter()
        .map(|name| run.global(name).unwrap())
        .collect();
    assert_eq!(run.call_once::<i64>(&handles[1], ()).unwrap(), Some(7));
    run.next().unwrap().unwrap();
    assert_eq!(run.input(), 1);
    for at_other_code in [false, true] {
        if at_other_code {
            // Functions with the numbers of those that are gone.
            let other = "let k = 1; let a = () => k; function b(x) { return a; } function d() { return b(3); }";
            run.extend(&run.program().extend("input 2", other).unwrap())
                .unwrap();
            run.next().unwrap().unwrap();
        }
        for (handle, arguments) in handles.iter().zip([vec![], vec![], vec![1, 2]]) {
            match run.call(handle, arguments).unwrap().next() {
                Some(Err(RunError::Script(error))) => {
                    assert_eq!(error.kind, ErrorKind::Undefined);
                    let message = &error.diagnostic.message;
                    assert_eq!(
                        message,
                        "this function belongs to an input that was taken back"
                    );
                }
                other => panic!("{other:?}"),
            }
        }
        let saved = run.save().unwrap();
        assert!(engine.restore(&program, &saved).is_ok());
    }
    assert_eq!(run.text_of(&handles[0]).unwrap(), "function");
}
