//! `examples/witches/`: recipes and potions, brewed again by rules that are written here once more.

mod support;

use support::{example, number, refusal, solve, text, tiles};

#[derive(Clone, Debug)]
struct Ingredient {
    name: String,
    number: Option<i32>,
    effect: Option<String>,
}

/// Reads a line such as `2 basil: turn (the numbers so far turn around)`.
fn ingredient(line: &str) -> Ingredient {
    let (head, effect) = line.trim().split_once(": ").map_or((line.trim(), None), |(head, rest)| (head, Some(rest)));
    let (number, name) = head.split_once(' ').unwrap();
    Ingredient {
        name: name.to_string(),
        number: number.parse().ok(),
        effect: effect.map(|rest| rest.split_once(' ').unwrap().0.to_string()),
    }
}

/// The effective numbers of a potion.
fn brew(potion: &[&Ingredient]) -> Vec<i32> {
    let mut numbers: Vec<i32> = Vec::new();
    let (mut shift, mut ignore) = (0, false);
    for each in potion {
        let effect = each.effect.as_deref().unwrap_or("");
        if each.number.is_none() && effect.is_empty() {
            continue;
        }
        if std::mem::take(&mut ignore) {
            continue;
        }
        let shift_now = std::mem::take(&mut shift);
        numbers.extend(each.number.map(|number| number + shift_now));
        let size = numbers.len();
        match effect {
            "" => {}
            "chill" => shift = -1,
            "heat" => shift = 1,
            "hide" => ignore = true,
            "turn" => numbers.reverse(),
            "drop" if size > 1 => drop(numbers.remove(size - 2)),
            "swap" if size > 1 => numbers.swap(size - 2, size - 1),
            "drop" | "swap" => {}
            other => panic!("the effect {other:?}"),
        }
    }
    numbers
}

/// How many potions there are to try, and whether one of them is right.
fn try_all<'a>(
    shelf: &[&'a Ingredient],
    count: i32,
    sizes: std::ops::RangeInclusive<usize>,
    in_sequence: bool,
) -> (usize, bool) {
    let wanted: Vec<i32> = (1..=count).collect();
    let (mut tried, mut right) = (0, false);
    for size in sizes {
        let mut potions: Vec<Vec<&'a Ingredient>> = vec![vec![]];
        for _ in 0..size {
            let longer = |potion: &Vec<&'a Ingredient>| {
                let last = potion.iter().rev().find_map(|each| each.number);
                let fits = |next: &Ingredient| match (last, next.number) {
                    (Some(last), Some(number)) if in_sequence => (last - number).abs() <= 1,
                    _ => true,
                };
                let next = shelf.iter().filter(|next| fits(next));
                next.map(|next| [potion.as_slice(), &[*next]].concat()).collect::<Vec<_>>()
            };
            potions = potions.iter().flat_map(longer).collect();
        }
        tried += potions.len();
        right |= potions.iter().any(|potion| brew(potion) == wanted);
    }
    (tried, right)
}

#[test]
fn potions_are_right_and_checks_agree() {
    let program = example("witches", "make.nds");
    let (mut effects, mut missed) = (std::collections::BTreeSet::new(), 0);
    for seed in 1..=12 {
        let (count, room) = (3, (seed % 2) as usize);
        let parameters = [number("count", 3.0), number("room", room as f64), number("effects", 0.7)];
        let solution = solve(&program, seed, &parameters);
        let recipe: Vec<Ingredient> =
            solution.text.lines().skip(1).take_while(|line| line.starts_with("  ")).map(ingredient).collect();
        assert_eq!(recipe.len(), 5, "{}", solution.text);
        let mut numbers: Vec<i32> = recipe.iter().filter_map(|each| each.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2, 3]);
        effects.extend(recipe.iter().filter_map(|each| each.effect.clone()));

        let line = |start: &str| solution.text.lines().find_map(|line| line.strip_prefix(start)).unwrap().to_string();
        let potion: Vec<&Ingredient> =
            line("potion: ").split(", ").map(|name| recipe.iter().find(|each| each.name == name).unwrap()).collect();
        assert_eq!(brew(&potion), [1, 2, 3], "{}", solution.text);
        assert!(line("numbers: ").ends_with("effective: 1 2 3"));

        let names = tiles(&solution.pictures[0].1);
        let shown: Vec<String> = potion.iter().map(|each| format!("tiles/{}", each.name)).collect();
        assert_eq!(names[0], shown);

        let all: Vec<&Ingredient> = recipe.iter().collect();
        let busy: Vec<&Ingredient> =
            recipe.iter().filter(|each| each.number.is_some() || each.effect.is_some()).collect();
        let checks = [
            ("without heuristics: ", &all, false),
            ("without idle ingredients: ", &busy, false),
            ("and numbers in sequence: ", &busy, true),
        ];
        for (start, shelf, in_sequence) in checks {
            let (tried, right) = try_all(shelf, count, 3..=3 + room, in_sequence);
            let told = line(start);
            let evaluations: usize = told.split(' ').next().unwrap().parse().unwrap();
            assert_eq!(told.ends_with(", one right"), right, "{told}: {}", solution.text);
            assert!(
                if right { (1..=tried).contains(&evaluations) } else { evaluations == tried },
                "{told}, of {tried}"
            );
            missed += usize::from(!right);
        }
    }
    assert_eq!(effects.len(), 6, "all effects are dealt: {effects:?}");
    assert!(missed > 0, "the second heuristic missed nothing");
}

#[test]
fn the_measure_adds_up() {
    let solution = solve(&example("witches", "measure.nds"), 4, &[number("recipes", 40.0), number("room", 0.0)]);
    let numbers = |start: &str| -> Vec<u32> {
        let line = solution.text.lines().find(|line| line.starts_with(start)).unwrap();
        line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    };
    let (none, first) = (numbers("without heuristics"), numbers("without idle"));
    let (second, missed) = (numbers("and numbers"), numbers("the second"));
    assert_eq!(none[1], first[1], "the first heuristic loses nothing");
    assert!(second[1] <= first[1] && none[1] <= 40 && none[1] > 0, "{}", solution.text);
    assert!(second[0] <= first[0] && first[0] <= none[0] && none[0] <= 125, "{}", solution.text);
    assert_eq!((missed[0], missed[1]), (none[1] - second[1], none[1]));
}

#[test]
fn bad_input_is_refused_in_words() {
    for script in ["make.nds", "measure.nds"] {
        let program = example("witches", script);
        for (parameters, message) in [
            (vec![number("count", 7.0)], "count has to be a whole number from 1 to 6"),
            (vec![number("count", 0.0)], "count has to be a whole number from 1 to 6"),
            (vec![number("decoys", 2.5)], "decoys has to be a whole number from 0 to 4"),
            (vec![number("room", 3.0)], "room has to be 0, 1 or 2"),
            (vec![number("effects", 2.0)], "effects has to be a number from 0 to 1"),
            (vec![text("count", "four")], "count, decoys, room and effects have to be numbers"),
            (vec![number("count", 6.0), number("decoys", 4.0)], "that makes 10000000 potions, too many to try"),
        ] {
            let refused = refusal(&program, &parameters);
            assert!(refused.starts_with(message), "{script}: {refused}");
        }
    }
    let message = refusal(&example("witches", "measure.nds"), &[number("recipes", 0.0)]);
    assert!(message.starts_with("recipes has to be a whole number"), "{message}");
}
