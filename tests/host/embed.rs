//! The programs in `examples/embed` run, and what they assert holds.

#[path = "../../examples/embed/frames.rs"]
mod frames;
#[path = "../../examples/embed/hello.rs"]
mod hello;
#[path = "../../examples/embed/threads.rs"]
mod threads;
#[path = "../../examples/embed/tiles.rs"]
mod tiles;

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
fn what_the_readme_says_of_functions_holds() -> Result<(), Box<dyn std::error::Error>> {
    use ndscript::{Choices, Engine, View};

    let engine = Engine::new()
        .with_function("walls", |map: View| Ok(map.cells().filter(|cell| cell.as_str() == Some("#")).count() as i64))
        .with_function("exits", |room: i64| Ok(Choices::in_order([room - 1, room + 1])));
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
fn the_readme_shows_the_first() {
    let hello = include_str!("../../examples/embed/hello.rs");
    let code = &hello[hello.find("use ndscript").unwrap()..];
    let block = format!("```rust\n{code}```");
    assert!(include_str!("../../README.md").contains(&block));
}
