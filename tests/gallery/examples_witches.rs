//! `examples/witches/`: recipes and potions, brewed again by rules that are written here once more.

#[path = "../support/mod.rs"]
mod support;

use ndscript::{Data, Outcome, Program, Question, Run, Solution};
use support::{example, no_solution, number, refusal, solve, text, tiles};

#[derive(Clone, Debug)]
struct Ingredient {
    name: String,
    number: Option<i32>,
    effect: Option<String>,
}

/// Reads a line such as `2 basil: turn (the numbers so far turn around)`.
fn ingredient(line: &str) -> Ingredient {
    let (head, effect) = line
        .trim()
        .split_once(": ")
        .map_or((line.trim(), None), |(head, rest)| (head, Some(rest)));
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
        let before = numbers.len();
        numbers.extend(each.number.map(|number| number + shift_now));
        let size = numbers.len();
        match effect {
            "" => {}
            "chill" => shift = -1,
            "heat" => shift = 1,
            "hide" => ignore = true,
            "turn" => numbers.reverse(),
            // The number before: not the ingredient's own one.
            "drop" if before > 0 => drop(numbers.remove(before - 1)),
            "swap" if size > 1 => numbers.swap(size - 2, size - 1),
            "drop" | "swap" => {}
            other => panic!("the effect {other:?}"),
        }
    }
    numbers
}

/// Which ingredient may follow which.
#[derive(Clone, Copy)]
enum Sequence {
    Any,
    /// As in the document, where decoys have the number -1.
    Literal,
    /// Each number is at most one from the last one, whatever decoys lie between them.
    PastDecoys,
}

impl Sequence {
    fn allows(self, potion: &[&Ingredient], next: &Ingredient) -> bool {
        match self {
            Sequence::Any => true,
            Sequence::Literal => {
                let number = |each: &Ingredient| each.number.unwrap_or(-1);
                potion.last().is_none_or(|last| {
                    (number(last) - number(next)).abs() <= 1
                        || number(next) == -1 && next.effect.is_some()
                })
            }
            Sequence::PastDecoys => {
                let last = potion.iter().rev().find_map(|each| each.number);
                last.zip(next.number)
                    .is_none_or(|(last, next)| (last - next).abs() <= 1)
            }
        }
    }
}

/// How many potions there are to try, and how many of them are right.
fn try_all<'a>(
    shelf: &[&'a Ingredient],
    count: i32,
    sizes: std::ops::RangeInclusive<usize>,
    sequence: Sequence,
) -> (usize, usize) {
    let wanted: Vec<i32> = (1..=count).collect();
    let (mut tried, mut right) = (0, 0);
    for size in sizes {
        let mut potions: Vec<Vec<&'a Ingredient>> = vec![vec![]];
        for _ in 0..size {
            let longer = |potion: &Vec<&'a Ingredient>| {
                let next = shelf.iter().filter(|next| sequence.allows(potion, next));
                next.map(|next| [potion.as_slice(), &[*next]].concat())
                    .collect::<Vec<_>>()
            };
            potions = potions.iter().flat_map(longer).collect();
        }
        tried += potions.len();
        right += potions
            .iter()
            .filter(|potion| brew(potion) == wanted)
            .count();
    }
    (tried, right)
}

#[test]
fn potions_are_right_and_checks_agree() {
    let program = example("witches", "make.nds");
    let (mut effects, mut missed) = (std::collections::BTreeSet::new(), 0);
    for seed in 1..=12 {
        let (count, room) = (3, (seed % 2) as usize);
        let parameters = [
            number("count", 3.0),
            number("decoys", 2.0),
            number("room", room as f64),
            number("effects", 0.7),
            number("heuristics", 1.0),
        ];
        let solution = solve(&program, seed, &parameters);
        let recipe: Vec<Ingredient> = solution
            .text
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("  "))
            .map(ingredient)
            .collect();
        assert_eq!(recipe.len(), 5, "{}", solution.text);
        let mut numbers: Vec<i32> = recipe.iter().filter_map(|each| each.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2, 3]);
        effects.extend(recipe.iter().filter_map(|each| each.effect.clone()));

        let line = |start: &str| {
            solution
                .text
                .lines()
                .find_map(|line| line.strip_prefix(start))
                .unwrap()
                .to_string()
        };
        let potion: Vec<&Ingredient> = line("potion: ")
            .split(", ")
            .map(|name| recipe.iter().find(|each| each.name == name).unwrap())
            .collect();
        assert_eq!(brew(&potion), [1, 2, 3], "{}", solution.text);
        assert!(line("numbers: ").ends_with("effective: 1 2 3"));

        let names = tiles(&solution.pictures[0].1);
        let shown: Vec<String> = potion
            .iter()
            .map(|each| format!("tiles/{}", each.name))
            .collect();
        assert_eq!(names[0], shown);

        let all: Vec<&Ingredient> = recipe.iter().collect();
        let busy: Vec<&Ingredient> = recipe
            .iter()
            .filter(|each| each.number.is_some() || each.effect.is_some())
            .collect();
        let checks = [
            ("without heuristics: ", &all, Sequence::Any),
            ("without idle ingredients: ", &busy, Sequence::Any),
            ("and numbers in sequence: ", &busy, Sequence::Literal),
            ("and in sequence past decoys: ", &busy, Sequence::PastDecoys),
        ];
        for (start, shelf, sequence) in checks {
            let (tried, right) = try_all(shelf, count, 3..=3 + room, sequence);
            let until = if right == 0 {
                tried
            } else {
                ((tried + 1) as f64 / (right + 1) as f64).round() as usize
            };
            let told = line(start);
            let expected = format!(
                "{tried} potions, {right} of them right; {until} on average until it is known"
            );
            assert_eq!(told, expected, "{}", solution.text);
            missed += usize::from(right == 0);
        }
    }
    assert_eq!(effects.len(), 6, "all effects are dealt: {effects:?}");
    assert!(missed > 0, "the second heuristic missed nothing");
}

#[test]
fn the_measure_adds_up() {
    let program = example("witches", "measure.nds");
    let parameters = [number("recipes", 40.0), number("room", 0.0)];
    let solution = solve(&program, 4, &parameters);
    let numbers = |solution: &Solution, start: &str| -> Vec<u32> {
        let line = solution
            .text
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap();
        line.split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    let (none, first) = (
        numbers(&solution, "without heuristics"),
        numbers(&solution, "without idle"),
    );
    let (second, missed) = (
        numbers(&solution, "and numbers"),
        numbers(&solution, "the second"),
    );
    let (third, missed_by_third) = (
        numbers(&solution, "and in sequence past"),
        numbers(&solution, "past decoys it"),
    );
    assert_eq!(none[2], first[2], "the first heuristic loses nothing");
    assert!(
        second[2] <= first[2] && none[2] <= 40 && none[2] > 0,
        "{}",
        solution.text
    );
    assert!(
        second[0] <= first[0] && first[0] <= none[0] && none[0] == 125,
        "{}",
        solution.text
    );
    assert!(
        [&none, &first, &second]
            .iter()
            .all(|numbers| numbers[1] <= numbers[0]),
        "{}",
        solution.text
    );
    assert_eq!((missed[0], missed[1]), (none[2] - second[2], none[2]));
    assert_eq!(
        (missed_by_third[0], missed_by_third[1]),
        (none[2] - third[2], none[2])
    );
    assert!(
        second[2] <= third[2] && second[0] < third[0] && third[0] < first[0],
        "{}",
        solution.text
    );
    // Without the check that finds nothing more, the rest is the same.
    let short = solve(
        &program,
        4,
        &[
            &parameters[..],
            &[("plain".to_string(), ndscript::Param::Boolean(false))],
        ]
        .concat(),
    );
    assert!(!short.text.contains("without heuristics"));
    assert_eq!(numbers(&short, "without idle"), first);
}

#[test]
fn recipes_of_the_size_of_the_document_are_brewed() {
    let program = example("witches", "make.nds");
    // The million is left to release builds: it is said to be too much, and not tried.
    let solution = solve(
        &program,
        2,
        &[number("effects", 0.0), number("most", 200_000.0)],
    );
    assert_eq!(
        solution
            .text
            .lines()
            .filter(|line| line.starts_with("  "))
            .count(),
        10,
        "{}",
        solution.text
    );
    assert!(solution.text.contains("effective: 1 2 3 4 5 6\n"));
    // What the document says of both heuristics: 500 to 1000 potions.
    assert!(
        solution
            .text
            .contains("and numbers in sequence: 950 potions, 1 of them right"),
        "{}",
        solution.text
    );
    assert!(
        solution
            .text
            .contains("without heuristics: 1000000 potions, too many to try")
    );
}

#[test]
fn a_recipe_of_the_size_of_the_document_comes_for_every_seed() {
    let program = example("witches", "make.nds");
    for seed in 1..=8 {
        let solution = solve(&program, seed, &[number("compare", 0.0)]);
        let potion = solution
            .text
            .lines()
            .find_map(|line| line.strip_prefix("potion: "))
            .unwrap();
        assert_eq!(potion.split(", ").count(), 6, "{}", solution.text);
        let recipe: Vec<Ingredient> = solution
            .text
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("  "))
            .map(ingredient)
            .collect();
        let potion: Vec<&Ingredient> = potion
            .split(", ")
            .map(|name| recipe.iter().find(|each| each.name == name).unwrap())
            .collect();
        assert_eq!(brew(&potion), [1, 2, 3, 4, 5, 6], "{}", solution.text);
        for (at, next) in potion.iter().enumerate() {
            assert!(
                Sequence::Literal.allows(&potion[..at], next),
                "{}",
                solution.text
            );
        }
    }
}

#[test]
fn what_takes_long_is_said_and_can_be_raised() {
    let program = example("witches", "make.nds");
    let large = [
        number("count", 4.0),
        number("effects", 0.0),
        number("heuristics", 1.0),
        number("compare", 256.0),
        number("most", 200.0),
    ];
    let refused = refusal(&program, &large);
    assert!(
        refused.starts_with(
            "that makes 256 potions, some 1 seconds, too many to try; most=256 allows it"
        ),
        "{refused}"
    );
    let allowed = solve(
        &program,
        1,
        &[&large[..4], &[number("most", 256.0)]].concat(),
    );
    assert!(
        allowed
            .text
            .contains("without heuristics: 4096 potions, too many to try; compare=4096 allows it"),
        "{}",
        allowed.text
    );
    // Potions of all recipes count; a recipe with one effect a number is seldom right at once.
    let tight = [
        number("count", 4.0),
        number("decoys", 1.0),
        number("effects", 1.0),
        number("heuristics", 1.0),
        number("most", 700.0),
    ];
    let words: Vec<String> = (1..=10)
        .filter(|seed| program.run_with(*seed, &tight).next().is_none())
        .map(|seed| no_solution(&program, seed, &tight))
        .collect();
    assert!(!words.is_empty());
    assert!(
        words.iter().all(|words| words
            .starts_with("none of 1 recipes can be brewed, and with one more that makes")),
        "{words:?}"
    );
}

/// Brewing in progress: a question, or its end.
fn ask(run: &mut Run) -> Result<Question, Solution> {
    match run.resume(u64::MAX) {
        Outcome::Asked(question) => Ok(question),
        Outcome::Solved(solution) => Err(solution),
        other => panic!("{other:?}"),
    }
}

fn answer(run: &mut Run, question: &Question, option: &str) -> Result<Question, Solution> {
    let options = question.options.as_ref().unwrap();
    let at = options
        .iter()
        .position(|each| each == option)
        .unwrap_or_else(|| panic!("{option}: {options:?}"));
    assert!(run.answer(at));
    ask(run)
}

/// Checks a question's picture against the ingredients in the cauldron; the recipe that it shows.
fn shown_recipe(question: &Question, potion: &[Ingredient], width: usize) -> Vec<Ingredient> {
    let names = tiles(&question.pictures[0].1);
    let tile = |row: usize, x: usize| names[row][x].trim_start_matches("tiles/").to_string();
    let recipe: Vec<Ingredient> = (0..width)
        .map(|x| Ingredient {
            name: tile(0, x),
            number: tile(1, x).parse().ok(),
            effect: Some(tile(2, x)).filter(|effect| effect != "none"),
        })
        .collect();
    for (x, each) in potion.iter().enumerate() {
        assert_eq!(tile(4, x), each.name);
    }
    let numbers = brew(&potion.iter().collect::<Vec<_>>());
    for x in 0..width {
        let expected = match numbers.get(x) {
            Some(number) if *number == x as i32 + 1 => format!("right-{number}"),
            Some(number) => number.to_string(),
            None => "none".to_string(),
        };
        assert_eq!(tile(5, x), expected, "{numbers:?}");
    }
    let told = numbers
        .iter()
        .map(i32::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    let told = if told.is_empty() {
        "none".to_string()
    } else {
        told
    };
    assert!(
        question.text.contains(&format!("Numbers: {told}.\n")),
        "{told}: {}",
        question.text
    );
    recipe
}

/// Plays as the hints say; how many ingredients that took.
fn brew_by_hints(program: &Program, seed: u64) -> usize {
    let parameters = [
        number("count", 3.0),
        number("decoys", 2.0),
        number("room", 1.0),
        number("effects", 0.8),
    ];
    let mut run = program.run_with(seed, &parameters);
    let mut question = ask(&mut run).unwrap();
    let mut potion: Vec<Ingredient> = Vec::new();
    // Something at random first, so that there is something to take out again.
    let recipe = shown_recipe(&question, &potion, 5);
    let wrong = &recipe[seed as usize % 5];
    question = answer(&mut run, &question, &wrong.name).unwrap();
    potion.push(wrong.clone());
    loop {
        assert_eq!(shown_recipe(&question, &potion, 5).len(), 5);
        question = answer(&mut run, &question, "hint").unwrap();
        let hint = question.text.lines().next().unwrap().to_string();
        // Whether something leads on, found by trying everything.
        let longer = |potion: &Vec<Ingredient>| -> Vec<Vec<Ingredient>> {
            recipe
                .iter()
                .map(|next| [potion.clone(), vec![next.clone()]].concat())
                .collect()
        };
        let mut ends = vec![potion.clone()];
        let mut possible = false;
        for _ in potion.len()..=4 {
            let is_right = |potion: &Vec<Ingredient>| {
                potion.len() >= 3 && brew(&potion.iter().collect::<Vec<_>>()) == [1, 2, 3]
            };
            possible |= ends.iter().any(is_right);
            ends = ends.iter().flat_map(longer).collect();
        }
        let Some(next) = hint.strip_suffix(" leads on.") else {
            assert_eq!(
                hint,
                "Nothing leads from here to a right potion: take something out."
            );
            assert!(!possible, "{potion:?} leads on");
            potion.pop();
            question = answer(&mut run, &question, "take the last out").unwrap();
            continue;
        };
        assert!(possible, "{potion:?} leads nowhere");
        potion.push(
            recipe
                .iter()
                .find(|each| each.name == next)
                .unwrap()
                .clone(),
        );
        match answer(&mut run, &question, next) {
            Ok(asked) => question = asked,
            Err(solution) => {
                assert!(
                    solution
                        .text
                        .ends_with("The potion reads 1 2 3: it is right!\n"),
                    "{}",
                    solution.text
                );
                assert_eq!(brew(&potion.iter().collect::<Vec<_>>()), [1, 2, 3]);
                return potion.len();
            }
        }
    }
}

#[test]
fn the_cauldron_shows_what_potions_come_to() {
    let program = example("witches", "brew.nds");
    let parameters = [
        number("count", 3.0),
        number("decoys", 4.0),
        number("room", 1.0),
        number("effects", 1.0),
        number("heuristics", 1.0),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for seed in 1..=10_u64 {
        let mut run = program.run_with(seed, &parameters);
        let mut question = ask(&mut run).unwrap();
        let mut potion: Vec<Ingredient> = Vec::new();
        for turn in 0..40 {
            let recipe = shown_recipe(&question, &potion, 7);
            let options = question.options.clone().unwrap();
            let at = (seed * 7919 + turn * turn * 31 + turn * 5) as usize % 7;
            let next = if potion.len() == 4 {
                "pour it away"
            } else {
                &options[at]
            };
            let asked = answer(&mut run, &question, next);
            if potion.len() == 4 {
                potion.clear();
            } else {
                seen.insert((
                    recipe[at].effect.clone(),
                    recipe[at].number.is_none(),
                    potion.len().min(3),
                ));
                potion.push(recipe[at].clone());
            }
            match asked {
                Ok(asked) => question = asked,
                Err(_) => break,
            }
        }
    }
    // Each of the six effects, of numbered ingredients and of decoys, early and late.
    assert!(seen.len() > 24, "{}: {seen:?}", seen.len());
}

#[test]
fn potions_are_brewed_by_hand() {
    let program = example("witches", "brew.nds");
    let sizes: Vec<usize> = (1..=8).map(|seed| brew_by_hints(&program, seed)).collect();
    assert!(sizes.iter().all(|size| (3..=4).contains(size)), "{sizes:?}");
    let mut run = program.run_with(1, &[number("count", 3.0), number("decoys", 1.0)]);
    let mut question = ask(&mut run).unwrap();
    // Clicks stand for options.
    let click = |run: &mut Run, x: i64, y: i64| {
        run.call_once::<Option<String>>("clicked", (Data::Position(x, y), "left"))
            .unwrap()
            .unwrap()
    };
    let names = question.options.clone().unwrap();
    assert_eq!(
        (
            click(&mut run, 3, 0).as_deref(),
            click(&mut run, 0, 2).as_deref()
        ),
        (Some(&*names[3]), Some(&*names[0]))
    );
    assert_eq!(
        (
            click(&mut run, 4, 0),
            click(&mut run, 0, 4),
            click(&mut run, 0, 5)
        ),
        (None, None, None)
    );
    question = answer(&mut run, &question, &names[3]).unwrap();
    assert_eq!(
        (click(&mut run, 0, 4).as_deref(), click(&mut run, 1, 4)),
        (Some("take the last out"), None)
    );
    let Err(solution) = answer(&mut run, &question, "go home") else {
        panic!("it goes on")
    };
    assert!(solution.text.contains("You go home without a potion."));
}

#[test]
fn bad_input_is_refused_in_words() {
    for script in ["make.nds", "measure.nds", "brew.nds"] {
        let program = example("witches", script);
        for (parameters, message) in [
            (
                vec![number("count", 7.0)],
                "count has to be a whole number from 1 to 6",
            ),
            (
                vec![number("count", 0.0)],
                "count has to be a whole number from 1 to 6",
            ),
            (
                vec![number("decoys", 2.5)],
                "decoys has to be a whole number from 0 to 4",
            ),
            (vec![number("room", 3.0)], "room has to be 0, 1 or 2"),
            (
                vec![number("effects", 2.0)],
                "effects has to be a number from 0 to 1",
            ),
            (
                vec![text("count", "four")],
                "the parameter count must be a number",
            ),
            (
                vec![number("most", 0.0)],
                "most has to be a number of potions, from 1",
            ),
        ] {
            let refused = refusal(&program, &parameters);
            assert!(refused.starts_with(message), "{script}: {refused}");
        }
    }
    let message = refusal(
        &example("witches", "measure.nds"),
        &[number("recipes", 0.0)],
    );
    assert!(
        message.starts_with("recipes has to be a whole number"),
        "{message}"
    );
    let message = refusal(
        &example("witches", "make.nds"),
        &[number("heuristics", 4.0)],
    );
    assert!(
        message.starts_with("heuristics has to be 0, 1, 2 or 3"),
        "{message}"
    );
    let much = [
        number("count", 6.0),
        number("decoys", 4.0),
        number("room", 1.0),
    ];
    let message = refusal(&example("witches", "measure.nds"), &much);
    assert!(
        message.starts_with("that makes ") && message.contains("too many to try; most="),
        "{message}"
    );
}
