//! `new`, `test`, `completions`, `man`, and maps for Tiled.

use super::*;

#[test]
fn a_new_program_runs_and_its_tests_hold() {
    let folder = Folder::new();
    folder
        .run(&["new", "lake"])
        .expect(0, "")
        .says("wrote lake.nds: `ndscript run lake.nds` runs it");
    folder
        .run(&["new", "lake.nds"])
        .expect(2, "")
        .says("\"lake.nds\" is there already");
    let text = fs::read_to_string(folder.path("lake.nds")).unwrap();
    assert!(
        text.contains("ndscript watch lake.nds") && !text.contains("FILE"),
        "{text}"
    );
    // The commands can be typed as they stand there, whatever the name is.
    for (name, file, word) in [
        ("two words", "two words.nds", "\"two words.nds\""),
        ("-x", "-x.nds", "./-x.nds"),
        ("a$b", "a$b.nds", "'a$b.nds'"),
        ("art/oak.nds", "art/oak.nds", "art/oak.nds"),
    ] {
        folder
            .run(&["new", "--", name])
            .expect(0, "")
            .says(&format!("`ndscript run {word}` runs it"));
        let text = fs::read_to_string(folder.path(file)).unwrap();
        assert!(
            text.contains(&format!("//     ndscript watch {word}\n")),
            "{text}"
        );
    }
    for name in ["", "..", "art/", "two\nlines"] {
        folder
            .run(&["new", name])
            .expect(2, "")
            .says("names no program");
    }
    folder.run(&["check", "lake.nds"]).expect(0, "");
    let ended = folder.run(&["lake.nds", "size=12", "--seed", "1"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "A lake of 36 cells.\n"),
        "{}",
        ended.err
    );
    folder
        .run(&["lake.nds", "size=big"])
        .expect(2, "")
        .says("the parameter size must be a number, not \"big\"");
    let ended = folder.run(&["test", "lake.nds", "--seeds", "2"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    assert!(
        ended.out.ends_with("2 of 2 tests passed\n"),
        "{}",
        ended.out
    );
}

#[test]
fn tests_are_functions_that_fail() {
    let script = "let n = chooseElement([1, 2, 3]); printLine('not shown'); let list = [];
function testHolds() { push(list, 1); require(sizeOf(list) == 1, 'tests see nothing of each other'); }
function testOther(times = 2) { push(list, 1); require(sizeOf(list) == 1); let guess = choose(1, 2); require(guess == 2); }
function testSmall() { require(n < 3, `n is ${n}`); }
function testWrong() { missing(); }
function testEndless() { while (true) {} }
function testNeeds(argument) { fail; }
function helper() { fail; }
function testFalse() { return n > 5; }
function testTrue() { return n < 5; }";
    let folder = Folder::new()
        .with("a.nds", script)
        .with("empty.nds", "let testing = 1;")
        .with("broken.nds", "let = 1;");
    let ended = folder.run(&["test", "a.nds", "--seeds", "8", "--max-steps", "2000000"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(
        lines[1].starts_with("  ok    testHolds   8 seeds, "),
        "{}",
        ended.out
    );
    assert!(
        lines[2].starts_with("  ok    testOther   8 seeds, "),
        "{}",
        ended.out
    );
    assert!(
        lines[3].starts_with("  FAIL  testSmall   seed "),
        "{}",
        ended.out
    );
    // A test is about the solution that was found, and not about any other.
    assert_eq!(lines[4], "        it fails: n is 3");
    let seed = lines[3].rsplit(' ').next().unwrap();
    folder
        .run(&["a.nds", "--seed", seed])
        .expect(0, "not shown\n");
    for part in [
        "testFalse   seed 1\n        it returns false",
        "ok    testTrue",
        "testWrong   seed 1",
        "`missing` is not defined",
        "a.nds:5:24",
        "testEndless   seed 1",
        "--max-steps allows",
    ] {
        assert!(ended.out.contains(part), "{part}: {}", ended.out);
    }
    assert!(
        ended.out.ends_with("3 of 7 tests passed\n"),
        "{}",
        ended.out
    );
    assert!(
        !ended.out.contains("called from"),
        "nobody has written the call of a test: {}",
        ended.out
    );
    let ended = folder.run(&["test", "broken.nds", "empty.nds"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended
            .out
            .contains("no function that needs no arguments and whose name begins with `test`"),
        "{}",
        ended.out
    );
    ended
        .says("broken.nds cannot be tested")
        .says("broken.nds:1:5");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = Folder::new();
    let commands = [
        "run",
        "watch",
        "play",
        "resume",
        "repl",
        "test",
        "check",
        "fmt",
        "lsp",
        "doc",
        "tiles",
        "new",
        "completions",
        "man",
    ];
    for shell in ["bash", "zsh", "fish"] {
        let ended = folder.run(&["completions", shell]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        for command in commands {
            assert!(ended.out.contains(command), "{shell}: {command}");
        }
        // Options of commands are there, too.
        assert!(
            ended.out.contains("max-memory") && ended.out.contains("jsonl"),
            "{shell}"
        );
    }
    let page = folder.run(&["man"]).out;
    assert!(
        page.contains(".TH ndscript 1") && page.contains("watch"),
        "{page}"
    );
    for command in commands {
        let page = folder.run(&["man", command]).out;
        assert!(
            page.contains(&format!(".TH ndscript-{command} 1")),
            "{page}"
        );
    }
    assert!(
        folder
            .run(&["man", "run"])
            .out
            .contains("Stop when the program uses more memory"),
        "options have their words"
    );
    folder
        .run(&["man", "nothing"])
        .expect(2, "")
        .says("the commands are run, watch");
}

/// The completions are programs of the shell: it reads them, and offers what begins as the word does.
#[cfg(unix)]
#[test]
fn bash_completes() {
    let folder = Folder::new();
    fs::write(
        folder.path("c.sh"),
        folder.run(&["completions", "bash"]).out,
    )
    .unwrap();
    let script =
        "source c.sh; COMP_WORDS=(ndscript wa); COMP_CWORD=1; _ndscript ndscript wa ndscript; echo ${COMPREPLY[@]}
        COMP_WORDS=(ndscript run --js); COMP_CWORD=2; _ndscript ndscript --js run; echo ${COMPREPLY[@]}";
    let output = Command::new("bash")
        .current_dir(&folder.0)
        .args(["-c", script])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "watch\n--jsonl\n");
}

/// A tile set too large to be drawn is refused before anything long is done for it.
#[test]
fn a_map_of_many_tiles_is_refused_soon() {
    let text = "let g = makeGrid(200, 200, 'red'); var i = 0;
foreach (p in g) { i++; g[p] = '#' + padLeft(i, 6, '0'); } printTilemap(g);";
    let folder = Folder::new().with("map.nds", text);
    let ended = folder.run(&[
        "map.nds",
        "--tmx",
        "m.tmx",
        "--out",
        "o",
        "--max-memory",
        "64M",
    ]);
    ended.says("the picture would be");
}

const MAP: &str =
    "let g = makeGrid(3, 2, 'red'); g[1, 0] = 'blue'; g[2, 1] = setOf('red', 'blue'); g[0, 1] = setOf('a <b> & \"c\"');
printTilesetMap(g); printImage('red'); printTilemap(gridFromText('ab\\nba', {a: 'left', b: 'wall'}));";

#[test]
fn tiled_maps_are_read_by_others() {
    let map = MAP.replace("setOf('a <b> & \"c\"')", "'floor'");
    let folder = Folder::new().with("map.nds", map);
    let ended = folder.run(&[
        "map.nds",
        "--tmx",
        "out/cave.tmx",
        "--tiled-json",
        "out/cave.tmj",
        "--tile-size",
        "8",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let told = ended.err.clone();
    ended
        .says("wrote out/cave.tmx")
        .says("wrote out/cave-tiles.png")
        .says("1 cell is undecided")
        .says("wrote out/cave-2.tmx");
    // Both forms share their image, and it is told once, as is what is undecided.
    assert_eq!(
        told.matches("wrote out/cave-tiles.png").count(),
        1,
        "{told}"
    );
    assert_eq!(told.matches("is undecided").count(), 1, "{told}");
    let mut loader = tiled::Loader::new();
    let read = loader.load_tmx_map(folder.path("out/cave.tmx")).unwrap();
    assert_eq!(
        (read.width, read.height, read.tile_width, read.tile_height),
        (3, 2, 8, 8)
    );
    let names = |map: &tiled::Map| -> Vec<Option<String>> {
        let layer = map.get_layer(0).unwrap().as_tile_layer().unwrap();
        let cells = (0..map.height as i32).flat_map(|y| (0..map.width as i32).map(move |x| (x, y)));
        cells
            .map(|(x, y)| {
                let tile = layer.get_tile(x, y)?;
                let tile = tile.get_tile().unwrap();
                let tiled::PropertyValue::StringValue(name) = tile.properties.get("name").unwrap()
                else {
                    panic!()
                };
                assert_eq!(&tile.user_type, name);
                Some(name.clone())
            })
            .collect()
    };
    let some = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name != "-").then(|| name.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&read),
        some(&["red", "blue", "red", "floor", "red", "-"])
    );
    let second = loader.load_tmx_map(folder.path("out/cave-2.tmx")).unwrap();
    assert_eq!(names(&second), some(&["left", "wall", "wall", "left"]));
    // The image has the tiles, in their order.
    let set = &read.tilesets()[0];
    let image = set.image.as_ref().unwrap();
    assert_eq!(image.source, folder.path("out/cave-tiles.png"));
    assert_eq!(image.width / set.columns as i32, 8);
    assert!(fs::read(&image.source).unwrap().starts_with(PNG));
    // The JSON says the same.
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("out/cave.tmj")).unwrap()).unwrap();
    let data: Vec<u64> = json["layers"][0]["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_u64().unwrap())
        .collect();
    let tiles = &json["tilesets"][0]["tiles"];
    let by_json: Vec<Option<String>> = data
        .iter()
        .map(|id| {
            Some(
                tiles[(id.checked_sub(1)?) as usize]["type"]
                    .as_str()
                    .unwrap()
                    .to_string(),
            )
        })
        .collect();
    assert_eq!(by_json, names(&read));
}

#[test]
fn layers_become_layers() {
    let script = "let ground = makeGrid(2, 1, 'red'); let things = makeGrid(2, 1, null); things[1, 0] = 'wall';
printLayers([ground, things]);";
    let folder = Folder::new().with("a.nds", script);
    let ended = folder.run(&["a.nds", "--tmx", "out.tmx", "--tiled-json", "out.tmj"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let read = tiled::Loader::new()
        .load_tmx_map(folder.path("out.tmx"))
        .unwrap();
    let ids = |layer: usize| -> Vec<Option<u32>> {
        let layer = read.get_layer(layer).unwrap().as_tile_layer().unwrap();
        (0..2)
            .map(|x| layer.get_tile(x, 0).map(|tile| tile.id()))
            .collect()
    };
    assert_eq!(
        (read.layers().len(), ids(0), ids(1)),
        (2, vec![Some(0), Some(0)], vec![None, Some(1)])
    );
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("out.tmj")).unwrap()).unwrap();
    assert_eq!(json["layers"][1]["data"], serde_json::json!([0, 2]));
}

#[test]
fn tiled_maps_come_back_as_they_went() {
    let map = "let g = grid([['up', 'up@90', 'up@180', 'up@270'], ['up@flip', 'up@90@flip', 'up@180@flip', 'up@270@flip'],
['left', 'red', 'red@90', 'red']]);";
    let folder = Folder::new()
        .with("map.nds", format!("{map} printTilemap(g);"))
        .with(
            "back.nds",
            format!("{map} let back = readTiled(param('map', '')).layers[0].grid; printLine(all(g, p => back[p] == g[p]));"),
        );
    let ended = folder.run(&["map.nds", "--tmx", "cave.tmx", "--tiled-json", "cave.tmj"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let written = fs::read_to_string(folder.path("cave.tmx")).unwrap();
    assert!(written.contains("tilecount=\"3\""), "{written}");
    assert!(
        written.contains(
            "\n1,2684354561,3221225473,1610612737,\n2147483649,536870913,1073741825,3758096385,\n"
        ),
        "{written}"
    );
    for map in ["map=@cave.tmx", "map=@cave.tmj"] {
        let ended = folder.run(&["back.nds", map]);
        assert_eq!(
            (ended.code, ended.out.as_str()),
            (0, "true\n"),
            "{map}: {}",
            ended.err
        );
    }
}

#[test]
fn layers_of_tiled_are_read() {
    let script =
        "let g = gridFromText(param('layer', ''), {\"1\": 'red', \"2\": 'blue', \"-1\": 'gray'});
printTilemap(g); printGrid(g);";
    let folder = Folder::new()
        .with("a.nds", script)
        .with("layer.csv", "1,2,1\r\n-1,1,2\r\n");
    let ended = folder.run(&["a.nds", "layer=@layer.csv", "--tmx", "out.tmx"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "redbluered\ngrayredblue\n"),
        "{}",
        ended.err
    );
    let written = fs::read_to_string(folder.path("out.tmx")).unwrap();
    assert!(written.contains("\n1,2,1,\n3,1,2\n</data>"), "{written}");
}

#[test]
fn pictures_are_written_as_svg_too() {
    let folder = Folder::new().with("map.nds", MAP.replace("'a <b> & \"c\"'", "'floor'"));
    let ended = folder.run(&["map.nds", "--svg", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    ended
        .says("wrote out/map.png")
        .says("wrote out/map.svg")
        .says("wrote out/map-3.svg");
    let drawing = fs::read_to_string(folder.path("out/map.svg")).unwrap();
    assert!(
        drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"),
        "{drawing}"
    );
    folder
        .run(&["map.nds", "--svg", "--png", "named.png"])
        .says("wrote named.svg");
    let ended = folder.run(&[
        "map.nds", "--seed", "3", "--count", "2", "--svg", "--tmx", "cave.tmx", "--html",
        "all.html",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    for file in [
        "map-3.png",
        "map-3.svg",
        "map-4-3.svg",
        "cave-3.tmx",
        "cave-3-tiles.png",
        "cave-4-2.tmx",
    ] {
        assert!(folder.path(file).exists(), "{file}");
    }
    let map = tiled::Loader::new()
        .load_tmx_map(folder.path("cave-4.tmx"))
        .unwrap();
    assert_eq!((map.width, map.height), (3, 2));
    let page = fs::read_to_string(folder.path("all.html")).unwrap();
    assert_eq!(page.matches("<img ").count(), 6);
    assert!(
        page.contains("<h2>Seed 3</h2>")
            && page.contains("<h2>Seed 4</h2>")
            && page.ends_with("</html>\n")
    );
}

#[test]
fn tiles_are_listed() {
    let folder = Folder::new().with("map.nds", "printImage('red');");
    folder.run(&["map.nds", "--png", "art/leaf.png"]);
    // No image, whatever it is called.
    fs::create_dir(folder.path("art/folder.png")).unwrap();
    let names = folder.run(&["tiles"]).out;
    assert!(
        names.starts_with("left\nright\n") && names.contains("\nbridge\n"),
        "{names}"
    );
    let names = folder.run(&["tiles", "--tiles", "art", "--colors"]).out;
    assert!(
        names.contains("\nleaf\n") && names.contains("\nteal\n"),
        "{names}"
    );
    let shown = folder.run(&["tiles", "--preview", "always"]).out;
    assert!(
        shown.starts_with("Built-in tiles\n\n\u{1b}[") && shown.contains("tower"),
        "{shown}"
    );
    let ended = folder.run(&[
        "tiles", "--tiles", "art", "--png", "all.png", "--svg", "all.svg", "--html", "all.html",
    ]);
    ended
        .expect(0, "")
        .says("wrote all.png")
        .says("wrote all.svg")
        .says("wrote all.html");
    assert!(fs::read(folder.path("all.png")).unwrap().starts_with(PNG));
    let page = fs::read_to_string(folder.path("all.html")).unwrap();
    assert!(
        page.contains("<h2>Images in art</h2>") && page.contains("alt=\"a legend: leaf\""),
        "{page}"
    );
    folder
        .run(&["tiles", "--tiles", "nowhere"])
        .expect(2, "")
        .says("nowhere");
}

#[test]
fn legends_are_words_in_the_terminal() {
    let folder = script("printLegend({deep: 'sea', high: 'red'});");
    let shown = folder.run(&["a.nds", "--preview", "blocks"]).out;
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    assert!(
        lines[0].ends_with(" deep") && lines[2].ends_with(" high"),
        "{shown}"
    );
    assert!(lines[2].contains("48;2;255;0;0"), "{shown}");
}

#[test]
fn a_program_names_the_folder_of_its_tiles() {
    let folder = Folder::new()
        .with("leaf.nds", "printImage('green');")
        .with(
            "land/map.nds",
            "import 'art/'; import 'parts/well.nds'; import 'art/';
printTilemap(grid([['leaf', 'well', 'sea', label('A', {background: 'leaf'}), 'leaf@8:1,0']]));
printTilemap(gridFromPicture('leaf', 8)); printImage('leaf');",
        )
        .with("land/parts/well.nds", "import 'art/';");
    for path in [
        "land/art/leaf.png",
        "land/parts/art/well.png",
        "land/other.png",
    ] {
        folder.run(&["leaf.nds", "--png", path]).expect(0, "");
    }
    let ended = folder.run(&["land/map.nds", "--svg", "--tmx", "map.tmx"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let set = fs::read_to_string(folder.path("map.tmx")).unwrap();
    assert!(
        set.contains("\"art/leaf\"")
            && set.contains("\"parts/art/well\"")
            && set.contains("\"sea\""),
        "{set}"
    );
    // What lies beside the program comes first.
    folder
        .run(&["leaf.nds", "--png", "land/leaf.png"])
        .expect(0, "");
    folder.run(&["land/map.nds", "--tmx", "map.tmx"]);
    assert!(
        fs::read_to_string(folder.path("map.tmx"))
            .unwrap()
            .contains("\"leaf\"")
    );
    fs::remove_file(folder.path("land/leaf.png")).unwrap();
    folder.run(&["check", "land/map.nds"]).expect(0, "");
    // It is a folder, inside.
    for (path, words) in [
        ("nowhere/", "there is no folder \"nowhere\" in"),
        ("../", "without `..`"),
        ("/tmp/", "without `..`"),
        ("map.nds/", "there is no folder"),
    ] {
        fs::write(folder.path("land/a.nds"), format!("import '{path}';")).unwrap();
        folder
            .run(&["land/a.nds"])
            .expect(2, "")
            .says("cannot import")
            .says(words);
    }
    fs::write(
        folder.path("land/a.nds"),
        "import 'art/'; printImage('lava');",
    )
    .unwrap();
    folder
        .run(&["land/a.nds"])
        .expect(2, "")
        .says("the program's tile folders were searched, too: \"art\"");
    // A run that is stopped goes on with them, and so does a conversation.
    let text = "import 'art/'; let n = 0; while (n < 100000) n++; printImage('leaf');";
    fs::write(folder.path("land/a.nds"), text).unwrap();
    folder
        .run(&[
            "land/a.nds",
            "--max-steps",
            "1000",
            "--save",
            "land/a.state",
        ])
        .expect(3, "");
    folder
        .run(&["resume", "land/a.state", "--png", "again.png"])
        .expect(0, "")
        .says("wrote again.png");
    let ended = folder.run_with_input(
        &["repl", "land/a.nds"],
        "printImage('well');\nimport 'parts/art/';\nprintImage('well');\nprintImage('leaf');\n",
    );
    assert_eq!(
        ended.err.matches("unknown tile").count(),
        1,
        "{}\n{}",
        ended.out,
        ended.err
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("."), folder.path("land/out")).unwrap();
        fs::write(folder.path("land/a.nds"), "import 'out/';").unwrap();
        folder
            .run(&["land/a.nds"])
            .expect(2, "")
            .says("a link that leads out of");
    }
}

/// What a conversation says to some lines, and the folder that it has written to.
fn conversation(lines: &str) -> (String, Folder) {
    let folder = Folder::new();
    let ended = folder.run_with_input(&["repl", "--seed", "1"], lines);
    (ended.out + &ended.err, folder)
}

#[test]
fn what_was_open_before_is_in_the_tree_of_a_refusal() {
    let (said, _) =
        conversation("let a = choose(1, 2, 3), b = choose(7, 8);\n:next\nfail;\n:tree\n");
    assert!(
        said.contains("start\n  what was chosen before  -- failed: another solution is wanted\n  input 1, line 1: alternative 2: 2\n    input 1, line 1: 1 of 2: 7  -- solution"),
        "{said}"
    );
    let (said, _) = conversation("let a = choose(1, 2);\nfail;\n:tree\n");
    assert!(
        said.contains(
            "another solution is wanted\n  input 1, line 1: alternative 2: 2  -- solution"
        ),
        "{said}"
    );
}

#[test]
fn what_fail_has_found_out_next_does_not_contradict() {
    let (said, _) =
        conversation("let a = choose(1, 2);\nlet b = 3;\n:next\nrequire(a == 1);\nfail;\n:next\n");
    let after = said
        .split_once("the inputs have no other solution")
        .expect("`fail;` finds none")
        .1;
    assert!(
        said.contains("input 2 has no other solution; `fail;` goes back into input 1"),
        "{said}"
    );
    assert!(
        after.contains("input 3 has no other solution, and neither have those before it"),
        "{said}"
    );
}

#[test]
fn a_session_with_several_seeds_is_saved_with_what_was_chosen() {
    let (said, folder) = conversation(
        "let a = chooseElement(range(100));\n:seed 7\nlet b = chooseElement(range(100)), c = randomInt(1, 1000);\nfail;\n\
         :seed 8\nfunction f() { return chooseElement([1, 2, 3, 4]); }\nlet d = [f(), f()];\nrequire(d[0] != d[1]);\n\
         :seed 9\nfail;\nprintLine([a, b, c, d])\n:save a.nds\n",
    );
    assert!(said.contains("the seed was changed on the way"), "{said}");
    let seen = said
        .lines()
        .find(|line| line.starts_with("["))
        .expect("it was printed");
    for seed in ["1", "7", "30"] {
        folder
            .run(&["a.nds", "--seed", seed])
            .expect(0, &format!("{seen}\n"));
    }
}

#[test]
fn data_beside_a_program_is_imported_under_the_rules_of_imports() {
    let program =
        "import \"data/a.json\" as a;\nimport \"note.txt\" as note;\nprintLine(a.b, note);";
    let folder = Folder::new()
        .with("a.nds", program)
        .with("data/a.json", "{\"b\": [1, 2]}")
        .with("note.txt", "hi");
    folder.run(&["a.nds"]).expect(0, "[1, 2]hi\n");
    let outside = Folder::new()
        .with(
            "here/a.nds",
            "import \"../secret.json\" as a; printLine(a);",
        )
        .with("secret.json", "7");
    let ended = outside.run(&["here/a.nds"]);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert!(ended.err.contains("cannot import"), "{}", ended.err);
    let ended = folder.run(&["check", "a.nds"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
}
