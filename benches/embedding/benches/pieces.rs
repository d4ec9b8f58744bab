//! What single pieces of the language cost: `cargo bench --manifest-path benches/embedding/Cargo.toml`.
//!
//! Each piece is a script that does the same thing many times; the figure to look at is the number of items a second.
//! Scripts are compiled, and runs are made, outside the time.

use divan::Bencher;
use divan::counter::ItemsCount;
use ndscript::render::{RenderOptions, draw};
use ndscript::tiles::Tiles;
use ndscript::{Engine, Program};

fn main() {
    divan::main();
}

/// How often a script does what it is about.
const TIMES: usize = 20_000;

fn compile(text: &str) -> Program {
    Engine::new()
        .compile(&text.replace("TIMES", &TIMES.to_string()))
        .expect("the script compiles")
}

/// Times runs of a script that does `items` things.
fn bench_items(bencher: Bencher, items: usize, text: &str) {
    let program = compile(text);
    bencher
        .counter(ItemsCount::new(items))
        .with_inputs(|| program.run(1))
        .bench_local_refs(|run| run.next().expect("a solution").expect("no error").value);
}

fn bench(bencher: Bencher, text: &str) {
    bench_items(bencher, TIMES, text);
}

/// What all others contain as well.
#[divan::bench]
fn loop_turn(bencher: Bencher) {
    bench(
        bencher,
        "function run() { for (let i = 0; i < TIMES; i++) {} } run();",
    );
}

#[divan::bench]
fn call(bencher: Bencher) {
    bench(
        bencher,
        "function f(x) { return x; } function run() { for (let i = 0; i < TIMES; i++) f(i); } run();",
    );
}

#[divan::bench]
fn deterministic_call(bencher: Bencher) {
    bench(
        bencher,
        "deterministic function f(x) { return x; } function run() { for (let i = 0; i < TIMES; i++) f(i); } run();",
    );
}

#[divan::bench]
fn call_of_a_function_value(bencher: Bencher) {
    bench(bencher, "let c = range(TIMES); sum(map(c, x => x + 1));");
}

#[divan::bench]
fn choice_left_open(bencher: Bencher) {
    bench(
        bencher,
        "function run() { for (let i = 0; i < TIMES; i++) choose first {} or fail; } run();",
    );
}

#[divan::bench]
fn choice_and_failure(bencher: Bencher) {
    bench(
        bencher,
        "function run() { for (let i = 0; i < TIMES; i++) { choose first fail; or {} } } run();",
    );
}

#[divan::bench]
fn random_element_chosen(bencher: Bencher) {
    bench(
        bencher,
        "let c = range(100); function run() { for (let i = 0; i < TIMES; i++) chooseElement(c); } run();",
    );
}

#[divan::bench]
fn write_without_a_choice(bencher: Bencher) {
    bench(
        bencher,
        "function run() { let a = toArray(range(TIMES)); for (let i = 0; i < TIMES; i++) a[i] = 0; } run();",
    );
}

#[divan::bench]
fn write_undone(bencher: Bencher) {
    bench(
        bencher,
        "let a = toArray(range(TIMES));
         function run() { choose first { for (let i = 0; i < TIMES; i++) a[i] = 0; fail; } or {} } run();",
    );
}

#[divan::bench]
fn set_union_remembered(bencher: Bencher) {
    bench(
        bencher,
        "let a = toSet(range(8)); let b = toSet(range(4, 12));
         function run() { for (let i = 0; i < TIMES; i++) union(a, b); } run();",
    );
}

#[divan::bench]
fn set_union_new(bencher: Bencher) {
    bench(
        bencher,
        "let a = toSet(range(8));
         function run() { for (let i = 0; i < TIMES; i++) union(a, setOf(i, i + 1, i + 2)); } run();",
    );
}

#[divan::bench]
fn set_growing_by_add(bencher: Bencher) {
    bench(
        bencher,
        "let s = setOf(); function run() { for (let i = 0; i < TIMES; i++) s = add(s, i); } run();",
    );
}

#[divan::bench]
fn set_contains(bencher: Bencher) {
    bench(
        bencher,
        "let s = toSet(range(0, 1000, 3)); function run() { for (let i = 0; i < TIMES; i++) contains(i, s); } run();",
    );
}

const RELATION: &str =
    "let r = relation(map(range(64), x => [x, x * 7 % 64])); let all = range(64);";

#[divan::bench]
fn image_remembered(bencher: Bencher) {
    bench(
        bencher,
        &format!(
            "{RELATION} let s = toSet(range(8)); function run() {{ for (let i = 0; i < TIMES; i++) rightImage(r, s); }} run();"
        ),
    );
}

#[divan::bench]
fn image_new(bencher: Bencher) {
    bench(
        bencher,
        &format!(
            "{RELATION} function run() {{ for (let i = 0; i < TIMES; i++) rightImage(r, setOf(i % 64, floor(i, 64) % 64)); }} run();"
        ),
    );
}

#[divan::bench]
fn grid_read(bencher: Bencher) {
    bench(
        bencher,
        "let g = makeGrid(100, 100, 1); let p = position(50, 50);
         function run() { for (let i = 0; i < TIMES; i++) g[p]; } run();",
    );
}

#[divan::bench]
fn grid_write(bencher: Bencher) {
    bench(
        bencher,
        "let g = makeGrid(100, 100, 1); let p = position(50, 50);
         function run() { for (let i = 0; i < TIMES; i++) g[p] = i; } run();",
    );
}

#[divan::bench]
fn undecided_cell_picked_and_decided(bencher: Bencher) {
    bench_items(
        bencher,
        40 * 40,
        "let g = makeGrid(40, 40, setOf(1, 2, 3)); let one = setOf(1);
         function run() {
             while (true) {
                 let open = nonsingletonPositionsOf(g);
                 if (isEmpty(open)) return null;
                 g[chooseElement(open)] = one;
             }
         }
         run();",
    );
}

#[divan::bench]
fn neighbors_visited(bencher: Bencher) {
    bench_items(
        bencher,
        4 * (TIMES / 4),
        "let g = makeGrid(100, 100, 1); let p = position(50, 50);
         function run() { for (let i = 0; i < TIMES / 4; i++) foreach (n in neighborsOf(p, g)) n; } run();",
    );
}

/// A picture on paper only: what the script itself pays for.
#[divan::bench]
fn picture_described(bencher: Bencher) {
    bench_items(
        bencher,
        50,
        "let g = makeGrid(40, 40, setOf(\"red\")); for (let i = 0; i < 50; i++) printTilesetMap(g, \"gray\");",
    );
}

/// The same drawn, 16 pixels a tile, and made a PNG file.
#[divan::bench]
fn picture_drawn(bencher: Bencher) {
    let program = compile("printTilesetMap(makeGrid(40, 40, setOf(\"red\")), \"gray\");");
    let solution = program
        .run(1)
        .next()
        .expect("a solution")
        .expect("no error");
    let (_, picture) = &solution.pictures[0];
    let (tiles, options) = (Tiles::default(), RenderOptions::default());
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| {
        draw(picture, &tiles, &options)
            .expect("it can be drawn")
            .to_png()
    });
}
