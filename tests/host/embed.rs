//! The programs in `examples/embed` run, and what they assert holds.

#[path = "../../examples/embed/frames.rs"]
mod frames;
#[path = "../../examples/embed/hello.rs"]
mod hello;
#[path = "../../examples/embed/threads.rs"]
mod threads;
#[path = "../../examples/embed/tiles.rs"]
mod tiles;
#[path = "../../examples/embed/types.rs"]
mod types;
#[path = "../../examples/embed/watch.rs"]
mod watch;

#[test]
fn hello() {
    hello::main().unwrap();
}

#[test]
fn a_search_goes_on_between_frames() {
    frames::main().unwrap();
}

#[test]
fn a_host_with_its_own_tiles() {
    tiles::main().unwrap();
}

#[test]
fn a_search_is_split_over_threads() {
    threads::main().unwrap();
}

#[test]
fn a_host_that_watches() {
    watch::main().unwrap();
}

#[test]
fn a_host_with_a_type_of_its_own() {
    types::main().unwrap();
}

#[test]
fn what_the_readme_says_of_functions_holds() -> Result<(), Box<dyn std::error::Error>> {
    use ndscript::{Choices, Engine, View};

    let engine = Engine::new()
        .with_function("walls", |map: View| {
            Ok(map
                .cells()
                .filter(|cell| cell.as_str() == Some("#"))
                .count() as i64)
        })
        .with_function("exits", |room: i64| {
            Ok(Choices::in_order([room - 1, room + 1]))
        });
    let program = engine.compile(
        "var found = walls(gridFromText(\"#.#\\n##.\"));
         function walk(room, steps) { return steps == 0 ? room : walk(exits(room), steps - 1); }",
    )?;
    let mut run = program.run(1);
    let solution = run.next().unwrap()?;
    assert_eq!(solution.globals.get("found").unwrap().as_i64(), Some(4));

    let mut rooms = Vec::new();
    let call = run.call("walk", (5, 2))?;
    for room in call.collect::<Result<Vec<_>, _>>()? {
        rooms.push(run.read::<i64>(&room)?);
    }
    assert_eq!(rooms, [3, 5, 5, 7]);
    Ok(())
}

#[test]
fn what_the_readme_says_of_pictures_and_errors_holds() -> Result<(), Box<dyn std::error::Error>> {
    use ndscript::picture::Picture;
    use ndscript::render::{RenderOptions, draw};
    use ndscript::tiles::Tiles;
    use ndscript::{Engine, Param, RunError};

    let script = "var garden = makeGrid(3, 2, \"green\");\ngarden[param(\"x\", 1), 0] = \"gold\";\nprintTilemap(garden);";
    let program = Engine::new().compile_named("garden.nds", script)?;

    let solution = program.run(1).next().unwrap()?;
    let (place, picture) = &solution.pictures[0];
    assert_eq!(*place, 0, "where in the text it stands");
    assert!(matches!(&**picture, Picture::Tiles(map) if map.width == 3));
    let canvas = draw(picture, &Tiles::default(), &RenderOptions::default())?;
    assert_eq!(
        (canvas.width(), canvas.pixel(20, 5)),
        (48, Some([255, 215, 0, 255]))
    );
    assert!(canvas.to_png().starts_with(b"\x89PNG"));

    match program
        .run_with(1, &[("x".into(), Param::Number(7.0))])
        .next()
    {
        Some(Err(RunError::Script(error))) => {
            let (file, line, column) = program
                .sources()
                .locate(error.diagnostic.span.unwrap())
                .unwrap();
            assert_eq!((&*file.name, line, column), ("garden.nds", 2, 1));
            assert_eq!(
                error.diagnostic.message,
                "the position (7,0) is outside the grid"
            );
            eprintln!("{}", error.diagnostic.render(program.sources(), false)); // with the line, marked
        }
        other => panic!("an error was expected, not {other:?}"),
    }
    Ok(())
}

#[test]
fn what_the_readme_says_of_constants_and_modules_holds() -> Result<(), Box<dyn std::error::Error>> {
    use ndscript::{Callback, Data, Engine, Outcome, Value, Waiting};

    let game = Engine::new()
        .with_function("forEachEnemy", |f: Value| Callback::each(f, ["orc", "bat"]))
        .with_function("download", |_name: String| Waiting(7)) // a ticket of the host's own
        .with_prelude("function shout(s) { return upper(s) + '!'; }");
    let engine = Engine::new()
        .with_constant("TILE_SIZE", 16)
        .with_constant(
            "layers",
            Data::object([("floor", 0.into()), ("walls", 1.into())]),
        )
        .with_module("game", game)
        .without("ask");

    let program = engine.compile(
        "import \"game\"; print(forEachEnemy(shout), TILE_SIZE * layers.walls, download(\"map\"));",
    )?;
    let mut run = program.run(1);
    assert!(matches!(run.resume(1000), Outcome::Waiting(7)));
    assert_eq!(
        run.calls(1)[0].function,
        None,
        "where it stands: in the program itself"
    );
    run.deliver(7, "...")?;
    assert!(
        matches!(run.resume(1000), Outcome::Solved(solution) if solution.text == "[\"ORC!\", \"BAT!\"]16...")
    );

    let error = engine.compile("ask(\"Which way?\", [1, 2]);").unwrap_err();
    assert_eq!(error.diagnostics[0].message, "`ask` is not allowed here");
    Ok(())
}

/// The blocks of the README stand in this file, whatever the breaks of their lines.
#[test]
fn the_readme_shows_what_was_tested() {
    // rustfmt also ends lists that it breaks with a comma.
    let words = |text: &str| {
        let joined: String = text.split_whitespace().collect();
        joined.replace(",)", ")").replace(",]", "]")
    };
    let here = words(include_str!("embed.rs"));
    let readme = include_str!("../../README.md");
    let blocks = readme
        .split("```rust\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap());
    let shown = blocks.filter(|block| {
        block.contains("Choices") || block.contains("pictures[0]") || block.contains("TILE_SIZE")
    });
    let missing: Vec<&str> = shown
        .clone()
        .filter(|block| !here.contains(&words(block)))
        .collect();
    assert!(missing.is_empty() && shown.count() == 3, "{missing:?}");
}

#[test]
fn what_the_readme_says_of_types_holds() -> Result<(), Box<dyn std::error::Error>> {
    use ndscript::{Engine, HostType, HostValue};

    #[derive(Clone)]
    struct Purse {
        coins: i64,
    }

    impl HostValue for Purse {
        const NAME: &'static str = "purse";
    }

    let purse = HostType::<Purse>::new()
        .cloned()
        .getter("coins", |purse: &Purse| Ok(purse.coins))
        .method_mut("pay", |purse: &mut Purse, price: i64| {
            purse.coins -= price;
            Ok(purse.coins)
        });
    let program = Engine::new().with_type(purse).compile(
        "var bought = [];
         foreach (price in [4, 6, 5, 1]) choose first { purse.pay(price); push(bought, price); } or {}
         require(purse.coins == 0);",
    )?;
    let mut run = program.run(1);
    run.set_global("purse", Purse { coins: 10 })?;
    let bought: Vec<String> = run
        .map(|solution| solution.unwrap().globals.get("bought").unwrap().to_string())
        .collect();
    assert_eq!(bought, ["[4, 6]", "[4, 5, 1]"]);
    Ok(())
}

#[test]
fn the_readme_shows_the_first() {
    let hello = include_str!("../../examples/embed/hello.rs");
    let code = &hello[hello.find("use ndscript").unwrap()..];
    let block = format!("```rust\n{code}```");
    assert!(include_str!("../../README.md").contains(&block));
}
