//! `examples/games/`, played through the embedding API and judged by rules that are written here once more.

#[path = "examples_games/hints.rs"]
mod hints;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use ndscript::{Data, Outcome, Param, Program, Question, Run, Solution};
use support::{example, number, refusal, text, tiles};

/// A game in progress: a question, or its end.
struct Play {
    run: Run,
    now: Result<Question, Solution>,
}

impl Play {
    fn new(program: &Program, seed: u64, parameters: &[(String, Param)]) -> Play {
        let mut run = program.run_with(seed, parameters);
        let now = Play::next(&mut run);
        Play { run, now }
    }

    fn next(run: &mut Run) -> Result<Question, Solution> {
        match run.resume(u64::MAX) {
            Outcome::Asked(question) => Ok(question),
            Outcome::Solved(solution) => Err(solution),
            other => panic!("{other:?}"),
        }
    }

    fn options(&self) -> Vec<String> {
        self.now
            .as_ref()
            .map(|question| question.options.clone().unwrap())
            .unwrap_or_default()
    }

    fn is_over(&self) -> bool {
        self.now.is_err()
    }

    /// What was shown since the last answer.
    fn text(&self) -> &str {
        match &self.now {
            Ok(question) => &question.text,
            Err(solution) => &solution.text,
        }
    }

    fn pick(&mut self, option: &str) {
        let place = self.options().iter().position(|each| each == option);
        assert!(
            self.run
                .answer(place.unwrap_or_else(|| panic!("no option {option:?}: {:?}", self.now)))
        );
        self.now = Play::next(&mut self.run);
    }
}

/// A small generator of random numbers for the player.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % below as u64) as usize
    }
}

/// The number that stands behind a word of a text.
fn number_behind(text: &str, word: &str) -> i64 {
    let rest = &text[text
        .find(word)
        .unwrap_or_else(|| panic!("no {word:?} in {text:?}"))
        + word.len()..];
    let digits: String = rest
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits
        .parse()
        .unwrap_or_else(|_| panic!("no number behind {word:?} in {text:?}"))
}

#[test]
fn a_refuted_guess_may_be_repeated() {
    let program = example("games", "guess.nds");
    let mut play = Play::new(&program, 7, &[]);
    // The number is 1. Each guess is answered and counts, whatever was answered before.
    for guess in ["50", "100", "50", "50"] {
        play.pick(guess);
        let answer = format!("No, my number is lower than {guess}.");
        assert!(play.text().contains(&answer), "{}", play.text());
    }
    play.pick("1");
    assert!(play.is_over());
    assert_eq!(play.text(), "Yes, it is 1! You needed 5 guesses.\n");
}

#[test]
fn halving_guesses_the_number_in_seven() {
    let program = example("games", "guess.nds");
    let mut targets = Vec::new();
    for seed in 1..=30 {
        let mut play = Play::new(&program, seed, &[]);
        assert_eq!(play.options().len(), 100);
        let (mut low, mut high, mut guesses) = (1, 100, 0);
        while !play.is_over() {
            // All of them, whatever the answers rule out.
            assert_eq!(
                play.options(),
                (1..=100).map(|n| n.to_string()).collect::<Vec<_>>()
            );
            let guess = (low + high) / 2;
            guesses += 1;
            play.pick(&guess.to_string());
            if play.text().contains(&format!("higher than {guess}")) {
                low = guess + 1;
            } else if play.text().contains(&format!("lower than {guess}")) {
                high = guess - 1;
            } else {
                assert_eq!(
                    play.text(),
                    format!("Yes, it is {guess}! You needed {guesses} guesses.\n")
                );
                targets.push(guess);
            }
        }
        assert!(guesses <= 7, "{guesses} guesses");
    }
    targets.sort_unstable();
    targets.dedup();
    assert!(
        targets.len() > 15 && targets[0] >= 1 && targets[targets.len() - 1] <= 100,
        "{targets:?}"
    );
}

#[test]
fn rock_paper_scissors_counts_rounds() {
    let program = example("games", "rock_paper_scissors.nds");
    let hands = ["rock", "paper", "scissors"];
    let mut ends = BTreeMap::new();
    let mut answers = BTreeMap::new();
    for seed in 1..=40 {
        let mut play = Play::new(&program, seed, &[]);
        let (mut yours, mut mine) = (0, 0);
        let mut dice = Dice(seed);
        while !play.is_over() {
            assert_eq!(play.options(), hands);
            let hand = dice.below(3);
            play.pick(hands[hand]);
            let answer = (0..3)
                .find(|at| play.text().contains(&format!("my {}:", hands[*at])))
                .unwrap();
            *answers.entry(answer).or_insert(0) += 1;
            // Each hand beats the one before it in the list.
            match (hand + 3 - answer) % 3 {
                0 => assert!(play.text().contains(": a draw."), "{}", play.text()),
                1 => {
                    assert!(play.text().contains(": yours."), "{}", play.text());
                    yours += 1;
                }
                _ => {
                    assert!(play.text().contains(": mine."), "{}", play.text());
                    mine += 1;
                }
            }
            assert!(
                play.text()
                    .contains(&format!("You have won {yours}, I have won {mine}.")),
                "{}",
                play.text()
            );
            assert_eq!(play.is_over(), yours == 3 || mine == 3);
        }
        assert!(
            play.text()
                .contains(if yours == 3 { "is yours!" } else { "is mine!" })
        );
        *ends.entry(yours == 3).or_insert(0) += 1;
    }
    assert!(
        ends.len() == 2 && answers.len() == 3,
        "{ends:?} {answers:?}"
    );
}

fn enter(play: &mut Play, digits: &str) {
    for digit in digits.chars() {
        play.pick(&digit.to_string());
    }
    play.pick("mix");
}

/// Whether so much water is within 5% of 7 parts to 3, without fractions: 20 |3w - 7a| <= 7a.
fn is_well_mixed(acid: i64, water: i64) -> bool {
    20 * (3 * water - 7 * acid).abs() <= 7 * acid
}

#[test]
fn the_chemist_has_nine_lives_and_five_percent() {
    let program = example("games", "chemist.nds");
    for seed in 1..=12 {
        let mut play = Play::new(&program, seed, &[]);
        let mut dice = Dice(seed);
        let (mut lives, mut mixed) = (9, 0);
        while !play.is_over() {
            let acid = number_behind(play.text(), "Here are");
            assert!((1..=50).contains(&acid));
            // Around the right amount, so that both ends of the 5% are met.
            let water = (acid * 7 / 3 + dice.below(9) as i64 - 4).max(0);
            enter(&mut play, &water.to_string());
            if is_well_mixed(acid, water) {
                mixed += 1;
                assert!(play.text().contains(&format!(
                    "{acid} liters of acid with {water} liters of water: well mixed."
                )));
            } else {
                lives -= 1;
                assert!(
                    play.text()
                        .contains(&format!("it explodes! Lives left: {lives}.")),
                    "{}",
                    play.text()
                );
            }
            assert_eq!(play.is_over(), lives == 0);
        }
        assert!(
            play.text()
                .contains(&format!("That was the ninth life. You mixed {mixed} well.")),
            "{}",
            play.text()
        );
    }
}

#[test]
fn the_chemist_enters_digits_deletes_them_and_goes_home() {
    let program = example("games", "chemist.nds");
    let mut play = Play::new(&program, 5, &[]);
    let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    assert_eq!(play.options(), [&digits[..], &["go home"]].concat());
    for digit in ["1", "2", "0", "5"] {
        play.pick(digit);
    }
    assert!(
        play.text().contains("Water so far: 1205 liters."),
        "{}",
        play.text()
    );
    assert_eq!(play.options(), [&digits[..], &["mix", "delete"]].concat());
    play.pick("delete");
    assert!(
        play.text().contains("Water so far: 120 liters."),
        "{}",
        play.text()
    );
    for _ in 0..3 {
        play.pick("delete");
    }
    assert!(
        play.text().contains("How many liters of water?"),
        "{}",
        play.text()
    );
    // A number of any size.
    enter(&mut play, &"9".repeat(400));
    assert!(play.text().contains(&format!(
        "with {} liters of water: it explodes! Lives left: 8.",
        "9".repeat(400)
    )));
    let acid = number_behind(play.text(), "Here are");
    enter(&mut play, &format!("000{}", (acid * 7 + 1) / 3));
    assert!(play.text().contains("well mixed"), "{}", play.text());
    play.pick("go home");
    assert!(
        play.is_over() && play.text() == "You go home with 8 lives. You mixed 1 well.\n",
        "{}",
        play.text()
    );
}

/// What the text of a minesweeper board shows, row by row: `#`, `*`, `X`, or a number with `.` for 0.
fn board(text: &str) -> Vec<Vec<char>> {
    let rows = text.lines().filter(|line| {
        line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && !line.contains("cells")
    });
    rows.map(|row| {
        row.split_whitespace()
            .skip(1)
            .map(|cell| cell.chars().next().unwrap())
            .collect()
    })
    .collect()
}

fn near(cells: &[Vec<char>], x: usize, y: usize) -> Vec<(usize, usize)> {
    let all = (y.saturating_sub(1)..=y + 1)
        .flat_map(|b| (x.saturating_sub(1)..=x + 1).map(move |a| (a, b)));
    all.filter(|(a, b)| (*a, *b) != (x, y) && *b < cells.len() && *a < cells[0].len())
        .collect()
}

fn name((x, y): (usize, usize)) -> String {
    format!("{}{}", (b'a' + x as u8) as char, y + 1)
}

fn cell(name: &str) -> (usize, usize) {
    (
        (name.as_bytes()[0] - b'a') as usize,
        name[1..].parse::<usize>().unwrap() - 1,
    )
}

fn digit(shown: char) -> Option<usize> {
    if shown == '.' {
        Some(0)
    } else {
        shown.to_digit(10).map(|digit| digit as usize)
    }
}

fn sweep(width: u32, height: u32, mines: u32) -> [(String, Param); 4] {
    let numbers = [("width", width), ("height", height), ("mines", mines)]
        .map(|(name, n)| number(name, n.into()));
    let [a, b, c] = numbers;
    [a, b, c, ("text".to_string(), Param::Boolean(true))]
}

/// The cells that a player may open now.
fn closed(play: &Play) -> Vec<String> {
    play.options()
        .into_iter()
        .filter(|option| option != "hint" && !option.contains("flag"))
        .collect()
}

#[test]
fn the_first_click_is_always_safe() {
    let program = example("games", "minesweeper.nds");
    for seed in 1..=40 {
        for (width, height, mines) in [(5, 4, 19), (5, 4, 12), (9, 9, 10), (2, 2, 1), (2, 2, 3)] {
            let mut play = Play::new(&program, seed, &sweep(width, height, mines));
            let options = play.options();
            assert_eq!(options.len() as u32, width * height + 1);
            if seed % 2 == 0 {
                play.pick("hint");
                assert!(
                    play.text().contains("Every cell is safe"),
                    "{}",
                    play.text()
                );
            }
            play.pick(&options[1 + Dice(seed).below(options.len() - 1)]);
            assert!(!play.text().contains("You have lost"), "{}", play.text());
            assert_eq!(
                play.is_over(),
                board(play.text()).iter().flatten().all(|cell| *cell != '#')
            );
        }
    }
}

#[test]
fn numbers_and_mines_agree_at_the_end() {
    let program = example("games", "minesweeper.nds");
    let (mut won, mut lost) = (0, 0);
    for seed in 1..=30 {
        let (width, height, mines) = if seed % 2 == 0 { (6, 5, 2) } else { (8, 6, 9) };
        let mut play = Play::new(&program, seed, &sweep(width, height, mines));
        let mut dice = Dice(seed);
        while !play.is_over() {
            let cells = closed(&play);
            play.pick(&cells[dice.below(cells.len())]);
        }
        let cells = board(play.text());
        assert_eq!((cells[0].len() as u32, cells.len() as u32), (width, height));
        let is_mine = |x: usize, y: usize| matches!(cells[y][x], '*' | 'X');
        let all = (0..cells.len()).flat_map(|y| (0..cells[0].len()).map(move |x| (x, y)));
        assert_eq!(
            all.clone().filter(|(x, y)| is_mine(*x, *y)).count() as u32,
            mines
        );
        for (x, y) in all {
            if let Some(shown) = digit(cells[y][x]) {
                let around = near(&cells, x, y);
                assert_eq!(
                    shown,
                    around.iter().filter(|(a, b)| is_mine(*a, *b)).count(),
                    "{}",
                    play.text()
                );
                assert!(
                    shown > 0 || around.iter().all(|(a, b)| digit(cells[*b][*a]).is_some()),
                    "{}",
                    play.text()
                );
            }
        }
        let exploded = cells.iter().flatten().filter(|cell| **cell == 'X').count();
        if play.text().contains("You have won!") {
            assert!(exploded == 0 && cells.iter().flatten().all(|cell| *cell != '#'));
            won += 1;
        } else {
            assert!(
                exploded == 1 && play.text().contains("You have lost."),
                "{}",
                play.text()
            );
            lost += 1;
        }
    }
    assert!(won > 0 && lost > 0, "{won} won, {lost} lost");
}

#[test]
fn pictures_show_the_same_board() {
    let program = example("games", "minesweeper.nds");
    let parameters = sweep(7, 12, 9);
    let mut written = Play::new(&program, 4, &parameters);
    let mut drawn = Play::new(&program, 4, &parameters[..3]);
    for _ in 0..4 {
        let Ok(question) = &drawn.now else { break };
        let names = tiles(&question.pictures[0].1);
        assert_eq!(
            (names[0][0].as_str(), names[0][7].as_str()),
            ("tiles/corner", "tiles/column-g")
        );
        assert_eq!(names[12][0], "tiles/row-12");
        let letter = |name: &String| match name.trim_start_matches("tiles/") {
            "closed" => '#',
            "0" => '.',
            other => other.chars().next().unwrap(),
        };
        let shown: Vec<Vec<char>> = names[1..]
            .iter()
            .map(|row| row[1..].iter().map(letter).collect())
            .collect();
        assert_eq!(shown, board(written.text()));
        let safe = closed(&written).last().unwrap().clone();
        drawn.pick(&safe);
        written.pick(&safe);
    }
}

#[test]
fn a_click_opens_the_cell_that_it_means() {
    let program = example("games", "minesweeper.nds");
    let mut play = Play::new(&program, 4, &sweep(7, 12, 9)[..3]);
    let click = |play: &mut Play, x: i64, y: i64, button: &str| {
        let cell = (Data::Position(x, y), button);
        play.run
            .call_once::<Option<String>>("clicked", cell)
            .unwrap()
            .unwrap()
    };
    // The first row and column of the picture are names.
    for (x, y, name) in [
        (1, 1, Some("a1")),
        (7, 12, Some("g12")),
        (0, 3, None),
        (3, 0, None),
    ] {
        assert_eq!(click(&mut play, x, y, "left").as_deref(), name);
    }
    assert_eq!(
        click(&mut play, 1, 1, "right"),
        None,
        "there are no mines yet"
    );
    play.pick("c5");
    assert_eq!(
        click(&mut play, 3, 5, "left"),
        None,
        "an open cell stands for nothing"
    );
    let other = closed(&play)[0].clone();
    let (x, y) = cell(&other);
    assert_eq!(
        click(&mut play, x as i64 + 1, y as i64 + 1, "right"),
        Some(format!("flag {other}"))
    );
    play.pick(&format!("flag {other}"));
    for button in ["left", "right"] {
        assert_eq!(
            click(&mut play, x as i64 + 1, y as i64 + 1, button),
            Some(format!("no flag {other}"))
        );
    }
}

/// Flags on mines: whatever is marked by them is right, and all that a number says by itself is marked.
#[test]
fn what_follows_from_flags_is_marked() {
    let program = example("games", "minesweeper.nds");
    let mut marked = 0;
    for seed in 1..=20 {
        let begin = || {
            let mut play = Play::new(&program, seed, &sweep(7, 6, 8));
            play.pick(&name((seed as usize % 7, seed as usize % 6)));
            play
        };
        let mut opened = begin();
        while !opened.is_over() {
            opened.pick(&closed(&opened)[0]);
        }
        let shown = board(opened.text());
        let all = (0..6).flat_map(|y| (0..7).map(move |x| (x, y)));
        let is_mine = |(x, y): (usize, usize)| matches!(shown[y][x], '*' | 'X');
        let mines: Vec<_> = all.clone().filter(|at| is_mine(*at)).collect();

        let mut play = begin();
        for (flags, mine) in mines.iter().enumerate() {
            play.pick(&format!("flag {}", name(*mine)));
            assert!(!play.text().contains("That cannot be"), "{}", play.text());
            let cells = board(play.text());
            let at = |(x, y): (usize, usize)| cells[y][x];
            for place in all.clone() {
                match at(place) {
                    'F' | 'm' => assert!(is_mine(place), "{}", play.text()),
                    's' => assert!(!is_mine(place), "{}", play.text()),
                    shown if let Some(digit) = digit(shown) => {
                        let near = near(&cells, place.0, place.1);
                        if near.iter().filter(|near| at(**near) == 'F').count() == digit
                            && digit > 0
                        {
                            assert!(
                                near.iter().all(|near| !matches!(at(*near), '#' | 'm')),
                                "{}",
                                play.text()
                            );
                        }
                    }
                    _ => {}
                }
                marked += usize::from(matches!(at(place), 'm' | 's'));
            }
            if flags + 1 == mines.len() {
                assert!(
                    cells
                        .iter()
                        .flatten()
                        .all(|cell| !matches!(cell, '#' | 'm')),
                    "{}",
                    play.text()
                );
            }
        }
        let one_more = closed(&play)[0].clone();
        play.pick(&format!("flag {one_more}"));
        assert!(play.text().contains("That cannot be: "), "{}", play.text());
        assert!(
            !play.options().contains(&one_more),
            "a flag keeps a cell closed"
        );
        play.pick(&format!("no flag {one_more}"));
        assert!(!play.text().contains("That cannot be: "), "{}", play.text());
        play.pick(&format!("no flag {}", name(mines[0])));
        assert!(
            play.options().contains(&name(mines[0])),
            "any flag is taken away, not only the latest"
        );
    }
    assert!(marked > 100, "{marked} cells were marked");
}

/// A flag on a cell that is no mine is gone when the cell opens by itself, as the cells around a 0 do.
#[test]
fn a_flag_on_a_cell_that_opens_is_gone() {
    let program = example("games", "minesweeper.nds");
    let mut gone = 0;
    for seed in 1..=20 {
        let begin = || {
            let mut play = Play::new(&program, seed, &sweep(12, 9, 14));
            play.pick("a1");
            play
        };
        let mut ended = begin();
        while !ended.is_over() {
            ended.pick(&closed(&ended)[0]);
        }
        let mines = board(ended.text());
        let is_mine = |(x, y): (usize, usize)| matches!(mines[y][x], '*' | 'X');
        let mut play = begin();
        let open_now: Vec<_> = closed(&play).iter().map(|name| cell(name)).collect();
        let is_empty = |at: &(usize, usize)| {
            !is_mine(*at) && near(&mines, at.0, at.1).iter().all(|near| !is_mine(*near))
        };
        let Some(empty) = open_now.iter().copied().find(is_empty) else {
            continue;
        };
        let flagged = name(near(&mines, empty.0, empty.1)[0]);
        play.pick(&format!("flag {flagged}"));
        assert!(
            play.text().contains("Flags: ")
                && play.options().contains(&format!("no flag {flagged}"))
        );
        play.pick(&name(empty));
        assert!(!play.text().contains("Flags: "), "{}", play.text());
        assert!(
            !play.options().contains(&format!("no flag {flagged}")),
            "{}",
            play.text()
        );
        gone += 1;
    }
    assert!(gone > 3, "{gone} flags");
}

#[test]
fn bad_input_is_refused_in_words() {
    let program = example("games", "minesweeper.nds");
    for (parameter, message) in [
        (
            number("width", 1.0),
            "width and height have to be whole numbers from 2 to 16",
        ),
        (
            number("height", 9.5),
            "width and height have to be whole numbers from 2 to 16",
        ),
        (
            text("width", "wide"),
            "the parameter width must be a number",
        ),
        (
            number("mines", 81.0),
            "mines has to be a whole number from 1 to 80",
        ),
        (
            number("mines", 0.0),
            "mines has to be a whole number from 1 to 80",
        ),
        (
            text("text", "maybe"),
            "the parameter text must be true or false",
        ),
    ] {
        assert!(
            refusal(&program, &[parameter]).starts_with(message),
            "{message}"
        );
    }
}
