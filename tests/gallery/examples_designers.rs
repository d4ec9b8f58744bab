//! The village, the chest, the zebra, the characters, the names, the tales and the nonogram: each is held to its rules, written down
//! here once more.

#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ndscript::picture::{Cell, Picture, TileMap};
use ndscript::{Program, Run, Solution};
use support::{example, number, refusal, solve, text};

fn layers(solution: &Solution) -> &[TileMap] {
    match solution.pictures[0].1.as_ref() {
        Picture::Layers(maps) => maps,
        other => panic!("no layers: {other:?}"),
    }
}

/// What is wrong with a village, drawn with `.` for nothing, `r`, `h` and `w`.
fn wrong_village(rows: &[Vec<char>], houses: usize) -> Option<String> {
    let at = |x: i32, y: i32| {
        usize::try_from(y)
            .ok()
            .and_then(|y| rows.get(y))
            .and_then(|row| row.get(usize::try_from(x).ok()?))
    };
    let places = || {
        rows.iter()
            .enumerate()
            .flat_map(|(y, row)| (0..row.len()).map(move |x| (x as i32, y as i32)))
    };
    let of = |wanted: char| {
        places()
            .filter(|(x, y)| at(*x, *y) == Some(&wanted))
            .collect::<Vec<_>>()
    };
    if of('h').len() != houses || of('w').len() != 1 {
        return Some(format!(
            "{} houses and {} wells",
            of('h').len(),
            of('w').len()
        ));
    }
    for (x, y) in of('h') {
        for (dx, dy) in (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
            .filter(|step| *step != (0, 0))
        {
            if at(x + dx, y + dy) == Some(&'h') {
                return Some(format!("houses touch at {x}, {y}"));
            }
        }
    }
    // From the well along roads; a house is a door, not a way.
    let mut seen: BTreeSet<(i32, i32)> = of('w').into_iter().collect();
    let mut next: VecDeque<(i32, i32)> = seen.iter().copied().collect();
    while let Some((x, y)) = next.pop_front() {
        for place in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            match at(place.0, place.1) {
                Some('r') if seen.insert(place) => next.push_back(place),
                Some('h') => {
                    seen.insert(place);
                }
                _ => {}
            }
        }
    }
    let lost = of('h')
        .into_iter()
        .chain(of('r'))
        .find(|place| !seen.contains(place));
    lost.map(|(x, y)| format!("no road leads from {x}, {y} to the well"))
}

fn drawn(map: &TileMap) -> Vec<Vec<char>> {
    let letter = |cell: &Cell| match cell {
        Cell::Nothing => '.',
        Cell::Tile(at) => match &*map.names[*at as usize] {
            "road" => 'r',
            "house" => 'h',
            name if name.starts_with("label:") => 'w',
            other => panic!("a tile {other}"),
        },
        other => panic!("{other:?}"),
    };
    map.cells
        .chunks(map.width as usize)
        .map(|row| row.iter().map(letter).collect())
        .collect()
}

#[test]
fn houses_never_touch_and_all_reach_the_well() {
    let program = example("village", "village.nds");
    for seed in 0..30 {
        let solution = solve(&program, seed, &[]);
        let rows = drawn(&layers(&solution)[1]);
        assert_eq!((rows.len(), rows[0].len()), (10, 16));
        assert_eq!(wrong_village(&rows, 8), None, "seed {seed}");
    }
    let large = solve(
        &program,
        1,
        &[
            number("width", 24.0),
            number("height", 14.0),
            number("houses", 14.0),
        ],
    );
    assert_eq!(wrong_village(&drawn(&layers(&large)[1]), 14), None);
    assert!(refusal(&program, &[number("houses", 60.0)]).contains("a twelfth"));
}

#[test]
fn the_checker_of_villages_finds_what_is_wrong() {
    let village = |text: &str| {
        text.lines()
            .map(|line| line.chars().collect())
            .collect::<Vec<Vec<char>>>()
    };
    assert_eq!(wrong_village(&village("hrw\n..r\n..h"), 2), None);
    assert!(
        wrong_village(&village("hrw\n.h."), 2)
            .unwrap()
            .contains("touch")
    );
    assert!(
        wrong_village(&village("hrw..h"), 2)
            .unwrap()
            .contains("no road")
    );
    assert!(
        wrong_village(&village("w.r"), 0)
            .unwrap()
            .contains("no road")
    );
    assert!(
        wrong_village(&village("h.hrw"), 2)
            .unwrap()
            .contains("no road")
    );
    assert!(
        wrong_village(&village("hrw"), 2)
            .unwrap()
            .contains("1 houses")
    );
}

#[test]
fn chests_are_worth_what_they_should_be() {
    let program = example("loot", "loot.nds");
    let mut rarities: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..60 {
        let solution = solve(&program, seed, &[]);
        let lines: Vec<&str> = solution.text.lines().collect();
        let (last, items) = lines.split_last().unwrap();
        assert_eq!(items.len(), 5, "{}", solution.text);
        let mut total = 0;
        let mut names = BTreeSet::new();
        let mut before = i64::MAX;
        for line in items {
            // The columns are as wide in every line.
            let (name, rest) = line.split_at(20);
            let (rarity, worth) = rest.split_at(12);
            let worth: i64 = worth
                .trim()
                .strip_suffix(" gold")
                .unwrap()
                .trim()
                .parse()
                .unwrap();
            assert!(names.insert(name.trim().to_string()), "{name} twice");
            assert!(worth <= before, "sorted by worth: {}", solution.text);
            before = worth;
            total += worth;
            *rarities.entry(rarity.trim().to_string()).or_default() += 1;
        }
        assert_eq!(last.trim(), format!("{total} gold"));
        assert!((300..=1200).contains(&total), "{total}");
    }
    assert!(
        rarities["common"] > rarities["uncommon"] && rarities["uncommon"] > rarities["rare"],
        "{rarities:?}"
    );
    assert!(refusal(&program, &[number("items", 0.0)]).contains("from 1 to 10"));
}

/// Whether the clues hold for a table of houses, by word.
fn clues_hold(house: &BTreeMap<&str, i64>) -> bool {
    let same = |a: &str, b: &str| house[a] == house[b];
    let beside = |a: &str, b: &str| (house[a] - house[b]).abs() == 1;
    same("Dane", "red")
        && same("Swiss", "dog")
        && same("coffee", "green")
        && same("Pole", "tea")
        && house["ivory"] + 1 == house["green"]
        && same("baker", "snail")
        && same("tailor", "yellow")
        && house["milk"] == 3
        && house["Greek"] == 1
        && beside("smith", "fox")
        && beside("tailor", "horse")
        && same("painter", "juice")
        && same("Finn", "sailor")
        && beside("Greek", "blue")
}

#[test]
fn the_zebra_has_one_keeper() {
    let program = example("zebra", "zebra.nds");
    let solutions: Vec<Solution> = program.run(3).map(Result::unwrap).collect();
    assert_eq!(solutions.len(), 1, "the clues are enough");
    let lines: Vec<&str> = solutions[0].text.lines().collect();
    let mut house = BTreeMap::new();
    for line in &lines[1..6] {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words.len(), 6, "{line}");
        house.extend(
            words[1..]
                .iter()
                .zip(1..)
                .map(|(word, number)| (*word, number)),
        );
    }
    assert_eq!(house.len(), 25);
    assert!(clues_hold(&house), "{}", solutions[0].text);
    house.insert("milk", 4);
    assert!(!clues_hold(&house));
    let keeper = |word: &str| {
        let nations = ["Dane", "Swiss", "Pole", "Greek", "Finn"];
        *nations
            .iter()
            .find(|nation| house[**nation] == house[word])
            .unwrap()
    };
    assert_eq!(
        lines[6],
        format!(
            "The {} drinks water, and the {} keeps the zebra.",
            keeper("water"),
            keeper("zebra")
        )
    );
}

#[test]
fn characters_follow_the_grammar_and_share_no_name() {
    let program = example("characters", "characters.nds");
    let mut tales = BTreeSet::new();
    for seed in 0..40 {
        let solution = solve(&program, seed, &[]);
        let mut names = BTreeSet::new();
        for line in solution.text.lines() {
            let person = line.strip_prefix("- ").unwrap();
            assert!(!person.contains('<') && !person.contains('>'), "{person}");
            let (head, report) = person.split_once(". ").unwrap();
            let (name, trade) = head.split_once(", ").unwrap();
            assert!(
                names.insert(name.split(' ').next().unwrap().to_string()),
                "two are called {name}: {}",
                solution.text
            );
            let crafts = ["miller", "ferrywoman", "smith", "herbalist", "poacher"];
            assert!(crafts.iter().any(|craft| trade.contains(craft)), "{trade}");
            assert!(
                report.starts_with("They say this one ")
                    || report.starts_with("Everybody knows who "),
                "{report}"
            );
            assert!(
                report.contains(", and ") || report.contains(", but "),
                "{report}"
            );
            tales.insert(report.to_string());
        }
        assert_eq!(names.len(), 5);
    }
    assert!(tales.len() > 80, "only {} tales among 200", tales.len());
}

/// What is wrong with names that were made like others.
fn wrong_names(names: &[String], like: &[&str]) -> Option<String> {
    let threes = |name: &str| {
        let letters: Vec<char> = format!("^^{name}$").chars().collect();
        letters
            .windows(3)
            .map(|three| three.iter().collect::<String>())
            .collect::<BTreeSet<_>>()
    };
    let known: BTreeSet<String> = like.iter().flat_map(|name| threes(name)).collect();
    for (at, name) in names.iter().enumerate() {
        let strange = threes(name)
            .into_iter()
            .find(|three| !known.contains(three));
        if let Some(strange) = strange {
            return Some(format!("{name}: no name has {strange}"));
        }
        if like.contains(&&**name) || names[..at].contains(name) || !(4..=12).contains(&name.len())
        {
            return Some(format!("{name} is not new, or too short or too long"));
        }
    }
    None
}

#[test]
fn names_sound_like_those_of_the_list() {
    let like: Vec<&str> =
        "oakham ashby thornbury appleby kirkby whitby selby thornby oakbury appleham aldbury ashbury kirkham \
        whitham selham thorney oakley ashley whitley kirkley appley selley"
            .split_whitespace()
            .collect();
    let program = example("names", "names.nds");
    for seed in 0..20 {
        let solution = solve(
            &program,
            seed,
            &[text("like", &like.join(" ")), number("count", 4.0)],
        );
        let names: Vec<String> = solution.text.lines().map(str::to_lowercase).collect();
        assert_eq!(names.len(), 4);
        assert_eq!(wrong_names(&names, &like), None, "seed {seed}");
    }
    assert!(
        wrong_names(&["ashham".into()], &like)
            .unwrap()
            .contains("no name has")
    );
    assert!(
        wrong_names(&["oakham".into()], &like)
            .unwrap()
            .contains("not new")
    );
    assert!(wrong_names(&["oakby".into(), "oakby".into()], &like).is_some());
    assert!(refusal(&program, &[text("like", "ab cd")]).contains("teach nothing"));
}

fn runs(line: impl Iterator<Item = char>) -> Vec<usize> {
    let text: String = line.collect();
    text.split('.')
        .map(str::len)
        .filter(|length| *length > 0)
        .collect()
}

fn clues(text: &str) -> Vec<Vec<usize>> {
    let line = |line: &str| {
        line.split(',')
            .map(|n| n.parse().unwrap())
            .filter(|n| *n > 0)
            .collect()
    };
    text.split(' ').map(line).collect()
}

fn nonogram_of(run: &mut Run) -> Vec<Vec<char>> {
    let solution = support::finish(run);
    let rows = solution.text.lines().skip(1);
    rows.map(|row| row.chars().collect()).collect()
}

fn fits(board: &[Vec<char>], rows: &str, columns: &str) -> bool {
    let across: Vec<Vec<usize>> = board.iter().map(|row| runs(row.iter().copied())).collect();
    let down: Vec<Vec<usize>> = (0..board[0].len())
        .map(|x| runs(board.iter().map(|row| row[x])))
        .collect();
    across == clues(rows) && down == clues(columns)
}

#[test]
fn nonograms_have_the_runs_of_their_clues() {
    let program: Program = example("nonogram", "nonogram.nds");
    let parameter = |name: &str| {
        let source =
            std::fs::read_to_string(support::folder_of("nonogram").join("nonogram.nds")).unwrap();
        let (_, behind) = source.split_once(&format!("param(\"{name}\", \"")).unwrap();
        behind.split_once('"').unwrap().0.to_string()
    };
    let board = nonogram_of(&mut program.run(1));
    assert!(fits(&board, &parameter("rows"), &parameter("columns")));
    let (rows, columns) = ("1 3 1,1", "2 2 2");
    let board =
        nonogram_of(&mut program.run_with(1, &[text("rows", rows), text("columns", columns)]));
    assert!(fits(&board, rows, columns), "{board:?}");
    assert!(!fits(&board, "1 3 2", columns));
    // Two lines and one number: there is a choice, and every solution comes once.
    let both: BTreeSet<String> = program
        .run_with(1, &[text("rows", "1 1"), text("columns", "1 1")])
        .map(|solution| solution.unwrap().text)
        .collect();
    assert_eq!(both.len(), 2);
}

/// What is wrong with a report.
fn wrong_tale(report: &str, longest: usize) -> Option<String> {
    let words: Vec<String> = report
        .split(|c: char| !c.is_alphabetic())
        .map(str::to_lowercase)
        .collect();
    let counted = |names: &[&str]| -> Vec<usize> {
        let count = |name: &&str| {
            let plurals = [format!("{name}s"), format!("{name}es")];
            let is_it = |word: &&String| *word == name || plurals.contains(word);
            words.iter().filter(is_it).count()
        };
        names.iter().map(count).collect()
    };
    let heroes = counted(&["ada", "bruno", "clara", "dorian", "elif"]);
    if heroes.iter().filter(|count| **count > 0).count() != 1 || heroes.iter().sum::<usize>() < 2 {
        return Some("it has another hero in the middle".into());
    }
    if counted(&["owl", "fox", "unicorn", "toad", "emu"])
        .into_iter()
        .max()
        != Some(1)
    {
        return Some("an animal comes twice, or none comes".into());
    }
    if report.contains("a owl") || report.contains("a emu") || report.contains("an unicorn") {
        return Some("an article is wrong".into());
    }
    (report.chars().count() > longest).then(|| "it is too long".into())
}

#[test]
fn tales_keep_their_hero_and_have_no_animal_twice() {
    let program = example("names", "tales.nds");
    for seed in 0..8 {
        let params = [number("count", 5.0), number("longest", 90.0)];
        let solution = solve(&program, seed, &params);
        let tales: Vec<&str> = solution.text.lines().collect();
        assert_eq!(tales.len(), 5);
        for (at, report) in tales.iter().enumerate() {
            assert_eq!(wrong_tale(report, 90), None, "{report}");
            assert!(!tales[..at].contains(report), "{report}");
        }
    }
    assert!(wrong_tale("Ada met an owl. Nobody believed Bruno.", 90).is_some());
    assert!(wrong_tale("Ada met an owl. Ada saw two owls.", 90).is_some());
    let own = [
        number("count", 1.0),
        text("grammar", "{\"origin\": \"#x.a#\", \"x\": [\"ant\"]}"),
    ];
    assert_eq!(solve(&program, 1, &own).text, "an ant\n");
    assert!(refusal(&program, &[number("count", 0.0)]).contains("count"));
}
