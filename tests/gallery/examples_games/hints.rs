//! What `deduction.nds` says is certain, held against all layouts of the mines.

use std::collections::BTreeSet;

use ndscript::Engine;

use super::support::{Folder, folder_of, solve};
use super::*;

/// A field with its mines, and what is open of it.
struct Field {
    width: usize,
    height: usize,
    mines: Vec<bool>,
    open: Vec<bool>,
}

impl Field {
    fn random(width: usize, height: usize, mines: usize, dice: &mut Dice) -> Field {
        let mut cells: Vec<bool> = (0..width * height).map(|at| at < mines).collect();
        for last in (1..cells.len()).rev() {
            cells.swap(last, dice.below(last + 1));
        }
        Field {
            width,
            height,
            mines: cells,
            open: vec![false; width * height],
        }
    }

    fn near(&self, at: usize) -> Vec<usize> {
        let (x, y) = (at % self.width, at / self.width);
        let rows = y.saturating_sub(1)..(y + 2).min(self.height);
        let cells =
            rows.flat_map(|b| (x.saturating_sub(1)..(x + 2).min(self.width)).map(move |a| (a, b)));
        cells
            .map(|(a, b)| b * self.width + a)
            .filter(|other| *other != at)
            .collect()
    }

    fn clue(&self, at: usize) -> usize {
        self.near(at)
            .into_iter()
            .filter(|each| self.mines[*each])
            .count()
    }

    fn mine_count(&self) -> usize {
        self.mines.iter().filter(|mine| **mine).count()
    }

    /// Opens a cell without a mine, and its neighbours where none of them has one.
    fn open(&mut self, at: usize) {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut self.open[at], true) && self.clue(at) == 0 {
                waiting.extend(self.near(at));
            }
        }
    }

    fn closed(&self) -> Vec<usize> {
        (0..self.open.len()).filter(|at| !self.open[*at]).collect()
    }

    /// The view as text: a digit in an open cell, `#` in a closed one.
    fn view(&self) -> String {
        let shown = |at: usize| {
            if self.open[at] {
                self.clue(at).to_string()
            } else {
                "#".to_string()
            }
        };
        let row = |y: usize| {
            (0..self.width)
                .map(|x| shown(y * self.width + x))
                .collect::<String>()
                + "\n"
        };
        (0..self.height).map(row).collect()
    }
}

/// What the script says of each cell: safe, a mine, or nothing.
fn said(program: &Program, field: &Field) -> Vec<Option<bool>> {
    let parameters = [
        text("view", &field.view()),
        number("mines", field.mine_count() as f64),
    ];
    let shown = solve(program, 1, &parameters).text;
    let cells: Vec<char> = shown.chars().filter(|c| !c.is_whitespace()).collect();
    assert_eq!(cells.len(), field.open.len(), "{shown}");
    cells
        .into_iter()
        .map(|cell| "_*".find(cell).map(|at| at == 1))
        .collect()
}

/// A program that says of each cell of a view: `_` surely safe, `*` surely a mine, `.` neither.
fn deduction() -> Program {
    let script = "import 'deduction.nds';
        let view = gridFromText(param('view', ''));
        foreach (p in view) view[p] = view[p] == '#' ? null : toNumber(view[p]);
        let certain = certainCells(view, param('mines', 1));
        let shown = makeGrid(widthOf(view), heightOf(view), '.');
        foreach (p in certain.safe) shown[p] = '_';
        foreach (p in certain.mines) shown[p] = '*';
        printGrid(shown);";
    let engine = Engine::new().with_imports(Folder(folder_of("games")));
    engine
        .compile_named("certain.nds", script)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What is the same in each of some layouts, bit by bit.
fn common(layouts: &[u32], cells: usize, open: &[bool]) -> Vec<Option<bool>> {
    let (all, any) = layouts.iter().fold((u32::MAX, 0), |(all, any), layout| {
        (all & layout, any | layout)
    });
    let certain = |at: usize| match (all >> at & 1, any >> at & 1) {
        (1, _) => Some(true),
        (_, 0) => Some(false),
        _ => None,
    };
    (0..cells)
        .map(|at| if open[at] { None } else { certain(at) })
        .collect()
}

/// Small fields against all layouts with so many mines, at every moment of a game.
#[test]
fn certain_is_what_all_layouts_have_in_common() {
    let program = deduction();
    let (mut views, mut by_count) = (0, 0);
    for seed in 1..=60 {
        let mut dice = Dice(seed);
        let (width, height) = [(3, 3), (4, 4), (5, 4), (5, 5), (2, 8), (6, 5)][seed as usize % 6];
        let mines = 1 + dice.below(if width * height > 20 {
            5
        } else {
            9.min(width * height - 2)
        });
        let mut field = Field::random(width, height, mines, &mut dice);
        let cells = width * height;
        let mut layouts: Vec<u32> = (0..1_u32 << cells.min(20))
            .filter(|_| cells <= 20)
            .collect();
        layouts.retain(|layout| layout.count_ones() as usize == mines);
        if cells > 20 {
            choose(cells, mines, 0, 0, &mut layouts);
        }
        while field.closed().len() > mines {
            let safe: Vec<usize> = field
                .closed()
                .into_iter()
                .filter(|at| !field.mines[*at])
                .collect();
            let before = field.open.clone();
            field.open(safe[dice.below(safe.len())]);
            for at in (0..cells).filter(|at| field.open[*at] && !before[*at]) {
                let near = field
                    .near(at)
                    .into_iter()
                    .fold(0_u32, |near, each| near | 1 << each);
                let clue = field.clue(at) as u32;
                layouts
                    .retain(|layout| layout >> at & 1 == 0 && (layout & near).count_ones() == clue);
            }
            let expected = common(&layouts, cells, &field.open);
            assert_eq!(
                said(&program, &field),
                expected,
                "{mines} mines\n{}",
                field.view()
            );
            views += 1;
            let far = |at: usize| field.near(at).iter().all(|each| !field.open[*each]);
            by_count += usize::from((0..cells).any(|at| expected[at].is_some() && far(at)));
        }
    }
    assert!(
        views > 250 && by_count > 15,
        "{views} views, {by_count} where cells far from all clues are certain"
    );
}

/// All layouts with so many mines, as bits.
fn choose(cells: usize, mines: usize, from: usize, layout: u32, found: &mut Vec<u32>) {
    if mines == 0 {
        found.push(layout);
        return;
    }
    for at in from..=cells - mines {
        choose(cells, mines - 1, at + 1, layout | 1 << at, found);
    }
}

/// The clues of a large field, and what was found by trying.
struct Trying<'a> {
    field: &'a Field,
    /// The cells of the edge that hang together, in the order of trying.
    cells: Vec<usize>,
    laid: Vec<Option<bool>>,
    /// For each place of `cells`, without and with a mine there: the totals of the ways found.
    totals: Vec<[BTreeSet<usize>; 2]>,
    steps: usize,
}

impl Trying<'_> {
    const MOST_STEPS: usize = 60_000;

    fn fits(&self, at: usize) -> bool {
        self.field
            .near(at)
            .into_iter()
            .filter(|clue| self.field.open[*clue])
            .all(|clue| {
                let near = self.field.near(clue);
                let certain = near
                    .iter()
                    .filter(|each| self.laid[**each] == Some(true))
                    .count();
                let open = near
                    .iter()
                    .filter(|each| !self.field.open[**each] && self.laid[**each].is_none())
                    .count();
                (certain..=certain + open).contains(&self.field.clue(clue))
            })
    }

    fn lay(&mut self, next: usize, mines: usize) {
        self.steps += 1;
        let Some(at) = self.cells.get(next).copied() else {
            for (place, cell) in self.cells.iter().enumerate() {
                self.totals[place][usize::from(self.laid[*cell] == Some(true))].insert(mines);
            }
            return;
        };
        for mine in [false, true] {
            self.laid[at] = Some(mine);
            if self.steps < Self::MOST_STEPS && self.fits(at) {
                self.lay(next + 1, mines + usize::from(mine));
            }
        }
        self.laid[at] = None;
    }
}

/// What is certain in a field, by trying all ways of each part of its edge; `None` if there are too many.
fn by_trying(field: &Field) -> Option<Vec<Option<bool>>> {
    let mut left: Vec<usize> = field
        .closed()
        .into_iter()
        .filter(|at| field.near(*at).iter().any(|each| field.open[*each]))
        .collect();
    let far: Vec<usize> = field
        .closed()
        .into_iter()
        .filter(|at| !left.contains(at))
        .collect();
    let mut parts = Vec::new();
    while let Some(first) = left.pop() {
        let mut cells = vec![first];
        let mut done = 0;
        while done < cells.len() {
            let clues: Vec<usize> = field
                .near(cells[done])
                .into_iter()
                .filter(|each| field.open[*each])
                .collect();
            let (more, rest) = left
                .into_iter()
                .partition(|at| field.near(*at).iter().any(|each| clues.contains(each)));
            left = rest;
            let more: Vec<usize> = more;
            cells.extend(more);
            done += 1;
        }
        let totals = vec![Default::default(); cells.len()];
        let mut trying = Trying {
            field,
            cells,
            laid: vec![None; field.open.len()],
            totals,
            steps: 0,
        };
        trying.lay(0, 0);
        if trying.steps >= Trying::MOST_STEPS {
            return None;
        }
        parts.push((trying.cells, trying.totals));
    }
    // All sums of mines over the parts but one.
    let sums_without = |skipped: usize| {
        let others = parts
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != skipped);
        others.fold(
            BTreeSet::from([0]),
            |sums: BTreeSet<usize>, (_, (_, totals))| {
                let each: BTreeSet<usize> = totals[0].iter().flatten().copied().collect();
                sums.iter()
                    .flat_map(|sum| each.iter().map(move |more| sum + more))
                    .collect()
            },
        )
    };
    let mines = field.mine_count();
    let fits = |sum: usize| sum <= mines && mines - sum <= far.len();
    let mut certain = vec![None; field.open.len()];
    for (number, (cells, totals)) in parts.iter().enumerate() {
        let others = sums_without(number);
        for (cell, totals) in cells.iter().zip(totals) {
            let [safe, mine] = totals.each_ref().map(|totals| {
                totals
                    .iter()
                    .any(|total| others.iter().any(|other| fits(total + other)))
            });
            assert!(safe || mine, "no way at all\n{}", field.view());
            certain[*cell] = if safe && mine { None } else { Some(mine) };
        }
    }
    let sums: Vec<usize> = sums_without(usize::MAX)
        .into_iter()
        .filter(|sum| fits(*sum))
        .collect();
    for at in &far {
        let (can_be_safe, can_be_mine) = (
            sums.iter().any(|sum| mines - sum < far.len()),
            sums.iter().any(|sum| mines - sum > 0),
        );
        certain[*at] = if can_be_safe && can_be_mine {
            None
        } else {
            Some(can_be_mine)
        };
    }
    Some(certain)
}

/// Fields of 16 by 16, from the first clicks to the last.
#[test]
fn certain_is_exact_on_large_fields_too() {
    let program = deduction();
    let (mut views, mut found) = (0, 0);
    for seed in 1..=50 {
        let mut dice = Dice(seed);
        let mines = 20 + dice.below(45);
        let mut field = Field::random(16, 16, mines, &mut dice);
        // Few cells open, or few closed ones left, or any number between.
        let clicks = match seed % 3 {
            0 => 1 + dice.below(12),
            1 => 256,
            _ => 20 + dice.below(100),
        };
        let left = mines + dice.below(12);
        for _ in 0..clicks {
            let safe: Vec<usize> = field
                .closed()
                .into_iter()
                .filter(|at| !field.mines[*at])
                .collect();
            if safe.is_empty() || field.closed().len() <= left {
                break;
            }
            field.open(safe[dice.below(safe.len())]);
        }
        let Some(expected) = by_trying(&field) else {
            continue;
        };
        assert_eq!(
            said(&program, &field),
            expected,
            "{mines} mines\n{}",
            field.view()
        );
        views += 1;
        found += expected.iter().flatten().count();
    }
    assert!(
        views > 28 && found > 400,
        "{views} views, {found} certain cells"
    );
}

/// The two games in which a hint once denied what follows from the number of mines.
#[test]
fn hints_count_the_mines_that_are_left() {
    let program = example("games", "minesweeper.nds");
    let mut play = Play::new(&program, 15, &[("text".to_string(), Param::Boolean(true))]);
    ["e5", "g1", "i6", "h7", "i7", "h8", "h9", "i9", "hint"]
        .iter()
        .for_each(|click| play.pick(click));
    assert!(
        play.text()
            .contains("11 cells are closed, 10 of them are mines. a1 is safe."),
        "{}",
        play.text()
    );
    let mut play = Play::new(&program, 336_982, &sweep(3, 3, 4));
    ["b1", "a2", "hint"]
        .iter()
        .for_each(|click| play.pick(click));
    assert!(
        play.text()
            .contains("7 cells are closed, 4 of them are mines. a1 is safe."),
        "{}",
        play.text()
    );
}

#[test]
fn hints_say_what_is_certain() {
    let program = example("games", "minesweeper.nds");
    let certain = deduction();
    let mut kinds = BTreeMap::new();
    for seed in 1..=25 {
        let mines = 4 + seed % 4;
        let mut play = Play::new(&program, seed, &sweep(6, 5, mines as u32));
        let mut dice = Dice(seed);
        let options = play.options();
        play.pick(&options[1 + dice.below(30)]);
        while !play.is_over() {
            let cells = board(play.text());
            let view: String = cells
                .iter()
                .map(|row| row.iter().collect::<String>().replace('.', "0") + "\n")
                .collect();
            let shown = solve(
                &certain,
                1,
                &[text("view", &view), number("mines", mines as f64)],
            )
            .text;
            let found: Vec<Vec<char>> = shown.lines().map(|row| row.chars().collect()).collect();
            play.pick("hint");
            assert_eq!(board(play.text()), cells, "a hint changes nothing");
            let hint = play
                .text()
                .lines()
                .next()
                .unwrap()
                .split("are mines. ")
                .nth(1)
                .unwrap()
                .to_string();
            let at = |name: &str| found[cell(name).1][cell(name).0];
            let click = if let Some(safe) = hint.strip_suffix(" is safe.") {
                assert_eq!(at(safe), '_', "{hint}\n{}", play.text());
                *kinds.entry("safe").or_insert(0) += 1;
                safe.to_string()
            } else {
                assert!(
                    !shown.contains('_'),
                    "a safe cell was not found: {}",
                    play.text()
                );
                if let Some(mine) = hint.strip_prefix("No cell is surely safe; ") {
                    assert_eq!(at(mine.strip_suffix(" is a mine.").unwrap()), '*', "{hint}");
                    *kinds.entry("mine").or_insert(0) += 1;
                } else {
                    assert_eq!(hint, "Nothing is certain here, you have to guess.");
                    assert!(!shown.contains('*'), "{}", play.text());
                    *kinds.entry("nothing").or_insert(0) += 1;
                }
                let open = closed(&play);
                let likely: Vec<_> = open.iter().filter(|name| at(name) != '*').collect();
                likely[dice.below(likely.len())].clone()
            };
            assert!(play.options().contains(&click) && name(cell(&click)) == click);
            play.pick(&click);
            assert!(
                !hint.ends_with("safe.") || !play.text().contains("You have lost."),
                "{hint}\n{}",
                play.text()
            );
        }
    }
    assert!(kinds.len() == 3 && kinds["safe"] > 50, "{kinds:?}");
}
