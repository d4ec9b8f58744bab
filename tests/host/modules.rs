//! Constants, modules and preludes of the host, and built-ins that it takes away.

use super::texts;
use ndscript::{Data, Engine, GridData, Outcome, ValueError};

fn sizes() -> Data {
    Data::object([
        ("tile", 16.into()),
        (
            "map",
            Data::object([("width", 40.into()), ("names", vec!["a", "b"].into())]),
        ),
    ])
}

fn first_error(engine: &Engine, program: &str) -> String {
    let error = engine.compile(program).map(drop).unwrap_err();
    error.diagnostics[0].message.clone()
}

#[test]
fn constants_are_there_wherever_their_names_stand() {
    let engine = Engine::new()
        .with_constant("SIZE", 16)
        .with_constant("half", 0.5)
        .with_constant("name", "Ann")
        .with_constant("start", Data::Position(2, -3))
        .with_constant("walls", Data::Set(vec!["#".into(), "+".into()].into()))
        .with_constant("sizes", sizes());
    let program = "
        function area(w) { return w * SIZE; }
        let n = 0;
        for (let i = 0; i < SIZE; i++) n += SIZE - i;
        print(area(2), ' ', SIZE * half, ' ', 100 - SIZE, ' ', name + '!', ' ', start.y, ' ', contains('#', walls));
        print(' ', sizes.map.width, ' ', sizes.map.names[1], ' ', sizes['tile'], ' ', keysOf(sizes), ' ', n, ' ', -SIZE);
        print(map([1], x => x + SIZE), SIZE == 16 ? 'y' : 'n', SIZE < 17 && SIZE >= 16);";
    assert_eq!(
        texts(&engine, program),
        ["32 8 84 Ann! -3 true 40 b 16 [\"tile\", \"map\"] 136 -16[17]ytrue"]
    );
}

#[test]
fn a_literal_and_a_constant_take_the_same_steps() {
    let engine = Engine::new().with_constant("SIZE", 16);
    let steps = |text: &str| {
        let mut run = engine.compile(text).unwrap().run(1);
        let value = run.next().unwrap().unwrap().value;
        (value, run.statistics().steps)
    };
    let text = "let n = 0; for (let i = 0; i < SIZE; i++) n += i * SIZE; return n;";
    assert_eq!(steps(text), steps(&text.replace("SIZE", "16")));
}

#[test]
fn nothing_changes_a_constant() {
    let engine = Engine::new().with_constant("sizes", sizes());
    for program in [
        "sizes = 3;",
        "sizes.tile = 3;",
        "sizes.map.width += 3;",
        "sizes['tile'] = 3;",
        "sizes.map.names[0] = 3;",
        "function f() { sizes++; }",
        "let o = [sizes = 4];",
    ] {
        let message = "`sizes` is a constant of the host and cannot be changed";
        assert_eq!(first_error(&engine, program), message, "{program}");
    }
    // Whoever holds the whole of it holds a copy.
    let program = "let own = sizes; own.tile = 3; push(sizes.map.names, 'c'); print(own.tile, sizes.tile, sizes.map.names);";
    assert_eq!(texts(&engine, program), ["316[\"a\", \"b\"]"]);
    let mut run = engine.compile("print(sizes.tile);").unwrap().run(1);
    assert_eq!(
        run.set_global("sizes", 3),
        Err(ValueError::CannotBeSet("sizes".into()))
    );
}

#[test]
fn programs_declare_what_constants_are_called() {
    let engine = Engine::new()
        .with_constant("size", 16)
        .with_constant("max", 4);
    assert_eq!(
        texts(&engine, "var size = 3; size++; print(size, max);"),
        ["44"]
    );
    assert_eq!(
        texts(
            &engine,
            "function f(size) { size += 1; return size; } print(f(1), size);"
        ),
        ["216"]
    );
    // A constant covers a built-in; the built-ins in the language do not mind.
    assert_eq!(
        texts(&engine, "print(max, maxBy([1, 3, 2], x => x));"),
        ["43"]
    );
    let first = engine.compile_input("1", "let a = size;").unwrap();
    let mut run = first.run(1);
    run.next().unwrap().unwrap();
    let second = first
        .extend("2", "let size = a + 1; size = size + 1; size")
        .unwrap();
    run.extend(&second).unwrap();
    assert_eq!(run.next().unwrap().unwrap().value, 18.into());
}

#[test]
fn tools_know_constants() {
    let engine = Engine::new()
        .with_constant("SIZE", 16)
        .with_doc("", "Pixels of a tile.")
        .with_constant("sizes", sizes());
    assert!(engine.check("print(SIZE);").diagnostics.is_empty());
    assert!(engine.check("").diagnostics.is_empty());
    let check = engine.check("print(sizes.map.widht);\nprint(SIZZ);");
    let messages: Vec<&str> = check
        .diagnostics
        .iter()
        .map(|each| &*each.message)
        .collect();
    assert_eq!(
        messages,
        [
            "the host's constant `sizes.map` has no field `widht`",
            "nothing gives `SIZZ` a value"
        ]
    );
    assert_eq!(check.diagnostics[1].hints, ["did you mean `SIZE`?"]);
    let doc = engine.doc("SIZE").unwrap();
    assert_eq!(
        (doc.call(), &*doc.doc, &*doc.gives),
        ("SIZE".to_string(), "Pixels of a tile.", "16")
    );
    let words = |text: &str| -> Vec<String> {
        let found = engine.complete(text, text.len()).words;
        found.iter().map(|word| word.word.to_string()).collect()
    };
    assert_eq!(words("SI"), ["SIZE"]);
    assert_eq!(words("print(sizes.map.w"), ["width"]);
    assert!(words("sizes.nothing.w").is_empty());
    // What is certain to be missing is an error when the program gets there.
    let run = engine
        .compile("print(sizes.map.widht);")
        .unwrap()
        .run(1)
        .next()
        .unwrap();
    assert!(
        run.unwrap_err()
            .to_string()
            .contains("the object has no field `widht`")
    );
}

#[test]
fn what_cannot_be_a_constant_is_an_error_of_every_program() {
    let grid = Data::from(GridData::new(1, vec![1.into()]).unwrap());
    let deep = (0..120).fold(Data::from(1), |inner, _| vec![inner].into());
    let engine = Engine::new().with_constant("g", vec![grid]);
    assert!(first_error(&engine, "").starts_with("the host's constant `g` is, or holds, a grid"));
    let engine = Engine::new().with_constant("two words", 1);
    assert_eq!(
        first_error(&engine, ""),
        "no program can read the host's constant \"two words\" by its name"
    );
    let engine = Engine::new().with_constant("n", f64::NAN);
    assert!(engine.compile("").is_err());
    // What takes more registers than there are is refused, too.
    let engine = Engine::new().with_constant("deep", deep);
    if let Ok(program) = engine.compile("print(deep);") {
        let text = program.run(1).next().unwrap().unwrap().text;
        assert_eq!(text.len(), 241);
    }
    let long: Vec<i64> = (0..10_000).collect();
    let engine = Engine::new().with_constant(
        "long",
        long.iter().map(|n| Data::from(*n)).collect::<Vec<_>>(),
    );
    assert_eq!(texts(&engine, "print(sum(long));"), ["49995000"]);
}

fn game() -> Engine {
    Engine::new()
        .with_function("spawn", |what: String| Ok(format!("a {what}")))
        .with_doc("what", "Makes something.")
        .with_constant("most", 3)
        .with_prelude("var made = 0;\nfunction make(what) { made++; require(made <= most); return spawn(what); }")
}

#[test]
fn modules_are_there_for_programs_that_import_them() {
    let engine = Engine::new()
        .with_module(
            "ui",
            Engine::new().with_prelude("import \"game\"; function both() { return make('cat'); }"),
        )
        .with_module("game", game());
    assert_eq!(
        texts(&engine, "import \"game\"; print(make('bat'), made, most);"),
        ["a bat13"]
    );
    assert_eq!(
        texts(
            &engine,
            "import \"ui\"; import \"game\"; print(both(), make('dog'), made);"
        ),
        ["a cata dog2"]
    );
    assert_eq!(
        texts(
            &engine,
            "import \"game\"; import \"ui\"; print(both(), made);"
        ),
        ["a cat1"]
    );
    // What is not imported is not there, and a program may use the names.
    assert_eq!(
        texts(
            &engine,
            "var most = 5; function spawn(n) { return n; } print(spawn(most));"
        ),
        ["5"]
    );
    let check = engine.check("print(spawn('bat'));");
    assert_eq!(
        check.diagnostics[0].hints,
        ["the module \"game\" has it: write `import \"game\";`"]
    );
    let error = engine
        .compile("import \"game\"; make('bat', 1, 2); most = 3;")
        .unwrap_err();
    assert!(
        error.diagnostics[0]
            .message
            .contains("`most` is a constant of the host")
    );
    assert_eq!(&*engine.doc("spawn").unwrap().doc, "Makes something.");
    let text = "import \"game\"; spa";
    assert!(
        engine
            .complete(text, text.len())
            .words
            .iter()
            .any(|word| &*word.word == "spawn")
    );
    assert!(
        engine
            .complete("spa", 3)
            .words
            .iter()
            .all(|word| &*word.word != "spawn")
    );
}

#[test]
fn messages_have_places_in_texts_of_the_host() {
    let broken = Engine::new().with_prelude("let a = 1;\nlet b = (;");
    let engine = Engine::new()
        .with_prelude("function boom() {\n  error('no');\n}")
        .with_module("game", broken);
    let error = engine
        .compile("print(1);\nimport \"game\";")
        .map(drop)
        .unwrap_err();
    let (file, line, _) = error
        .sources
        .locate(error.diagnostics[0].span.unwrap())
        .unwrap();
    assert_eq!((&*file.name, line), ("game", 2));
    let program = engine.compile("print(1);\nboom();").unwrap();
    let Outcome::Error(error) = program.run(1).resume(1000) else {
        panic!()
    };
    let (file, line, _) = program
        .sources()
        .locate(error.diagnostic.span.unwrap())
        .unwrap();
    assert_eq!((&*file.name, line), ("prelude", 2));
    let (file, line, _) = program
        .sources()
        .locate(error.diagnostic.calls[0].span.unwrap())
        .unwrap();
    assert_eq!((&*file.name, line), ("program", 2));
    assert_eq!(
        first_error(&engine, "function boom() {}"),
        "`boom` is declared twice"
    );
}

#[test]
fn growing_programs_import_modules_when_they_like() {
    let engine = Engine::new()
        .with_prelude("var seen = 5;")
        .with_module("game", game());
    let first = engine
        .compile_input("1", "let x = choose(1, 2); seen += x;")
        .unwrap();
    let mut run = first.run(1);
    run.next().unwrap().unwrap();
    assert!(first.extend("2", "print(make('bat'));").is_ok());
    run.extend(
        &first
            .extend("2", "import \"game\"; print(make('bat'), seen);")
            .unwrap(),
    )
    .unwrap();
    assert_eq!(run.next().unwrap().unwrap().text, "a bat6");
    let saved = run.save().unwrap();
    let mut restored = engine.restore(&first, &saved).unwrap();
    let third = restored
        .program()
        .extend("3", "print(make('cat'), made);")
        .unwrap();
    restored.extend(&third).unwrap();
    assert_eq!(restored.next().unwrap().unwrap().text, "a cat2");
}

#[test]
fn module_names_must_be_importable() {
    let engine = Engine::new().with_module("../game", game());
    assert!(first_error(&engine, "").contains("no program can import the host's module"));
    let engine = Engine::new().with_module("game", Engine::new().with_module("inner", game()));
    assert_eq!(texts(&engine, "import \"inner\"; print(most);"), ["3"]);
    let engine = Engine::new().with_module("game", game());
    assert!(engine.compile("import \"gaem\";").is_err());
    // The same text is parsed once, and programs share it.
    let engine = engine.clone().with_limits(ndscript::Limits {
        source: 60,
        ..Default::default()
    });
    assert!(first_error(&engine, "import \"game\";").contains("larger than the limit of 60 bytes"));
}

#[test]
fn built_ins_are_taken_away() {
    let engine = Engine::new().without("ask").without("map");
    for (program, name) in [
        ("ask('?', [1, 2]);", "ask"),
        ("let f = ask;", "ask"),
        (
            "function f() { return g(); } function g() { return [1, map([1], f)]; }",
            "map",
        ),
        ("import \"std/picks.nds\"; print(map([1], x => x));", "map"),
    ] {
        assert_eq!(
            first_error(&engine, program),
            format!("`{name}` is not allowed here"),
            "{program}"
        );
    }
    // The rest goes on, also what uses it inside, and a program may use the name.
    assert_eq!(
        texts(
            &engine,
            "let map = {}; map.ask = 1; print(map, mapGrid(makeGrid(1, 1, 2), x => x + 1)[0, 0]);"
        ),
        ["{ask: 1}3"]
    );
    let own = engine
        .clone()
        .with_function("ask", |what: String| Ok(format!("no {what}")));
    assert_eq!(texts(&own, "print(ask('way'));"), ["no way"]);
    assert!(engine.functions().all(|function| &*function.name != "ask"));
    assert!(engine.doc("ask").is_none());

    let few = Engine::new()
        .only(["print", "range"])
        .only(["print", "sizeOf"]);
    assert_eq!(texts(&few, "print(choose(1, 2) + 1);"), ["2", "3"]);
    assert_eq!(
        first_error(&few, "print(range(3));"),
        "`range` is not allowed here"
    );
    assert_eq!(
        first_error(&few, "print(sizeOf([]));"),
        "`sizeOf` is not allowed here"
    );
}

#[test]
fn a_slip_of_the_pen_allows_nothing() {
    let misspelt = Engine::new().without("askk");
    assert_eq!(
        first_error(&misspelt, ""),
        "there is no built-in `askk`: does the host mean `ask`?"
    );
    assert!(
        first_error(&Engine::new().only(["choose"]), "").contains("it is a word of the language")
    );
    assert!(
        first_error(&Engine::new().without("__nextPlace"), "").contains("there is no built-in")
    );
}
