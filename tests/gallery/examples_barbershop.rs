//! The simulation of `examples/barbershop/`, checked by its log, its timeline and queueing theory.

#[path = "../support/mod.rs"]
mod support;

use std::collections::VecDeque;

use support::{example, number, refusal, solve, text, tiles};

/// One line of the log: the minute of the day, who, and what happens.
fn entry(line: &str) -> Option<(u32, usize, String)> {
    let (time, rest) = line.split_once("  customer ")?;
    let (hour, minute) = time.split_once(':')?;
    let (who, what) = rest.split_once(' ')?;
    Some((
        hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?,
        who.parse().ok()?,
        what.to_string(),
    ))
}

/// The timeline without the numbers of customers and the hours.
fn without_labels(timeline: Vec<Vec<String>>) -> Vec<Vec<String>> {
    assert!(
        timeline[0][1].ends_with("|9"),
        "the first hour stands above its moment: {:?}",
        timeline[0]
    );
    let rows = timeline.into_iter().zip(0..).skip(1);
    rows.map(|(mut row, number)| {
        let label = row.remove(0);
        assert!(
            label.starts_with("label:") && label.ends_with(&format!("|{number}")),
            "{label} in row {number}"
        );
        row
    })
    .collect()
}

#[test]
fn customers_are_served_in_order_by_as_many_as_there_are() {
    let program = example("barbershop", "barbershop.nds");
    let mut waits = 0;
    for (seed, barbers) in (1..=6).flat_map(|seed| [(seed, 1), (seed, 2), (seed, 3)]) {
        let parameters = [
            number("customers", 30.0),
            number("barbers", f64::from(barbers)),
            number("cut", 16.0),
        ];
        let solution = solve(&program, seed, &parameters);
        let log: Vec<_> = solution.text.lines().map_while(entry).collect();
        assert_eq!(log.len(), 90, "{}", solution.text);
        assert!(log.is_sorted_by_key(|entry| entry.0));

        let (mut came, mut line, mut sitting, mut gone) = (0, VecDeque::new(), Vec::new(), 0);
        for (_, who, what) in &log {
            match what.as_str() {
                "comes in" | "comes in and has to wait" => {
                    came += 1;
                    assert_eq!(*who, came);
                    let full = sitting.len() == barbers as usize;
                    assert_eq!(what.ends_with("wait"), full);
                    waits += u32::from(full);
                    line.push_back(*who);
                }
                "sits down" => {
                    assert_eq!(line.pop_front(), Some(*who), "out of turn");
                    sitting.push(*who);
                    assert!(sitting.len() <= barbers as usize);
                }
                "leaves" => {
                    let place = sitting.iter().position(|each| each == who).unwrap();
                    sitting.remove(place);
                    gone += 1;
                }
                other => panic!("{other}"),
            }
        }
        assert_eq!((came, gone, line.len()), (30, 30, 0));

        let timeline = without_labels(tiles(&solution.pictures[0].1));
        assert_eq!(timeline.len(), 30);
        for moment in 0..timeline[0].len() {
            let busy = timeline
                .iter()
                .filter(|row| row[moment] == "mediumseagreen")
                .count();
            let waiting = timeline
                .iter()
                .filter(|row| row[moment] == "darkorange")
                .count();
            assert!(busy <= barbers as usize);
            assert!(
                waiting == 0 || busy == barbers as usize,
                "somebody waits though a chair is free"
            );
        }
        assert!(
            timeline
                .iter()
                .flatten()
                .all(|c| ["mediumseagreen", "darkorange", "#20242c"].contains(&c.as_str()))
        );
    }
    assert!(waits > 20);
}

/// A customer of the log.
#[derive(Default)]
struct Guest {
    came: u32,
    is_regular: bool,
    sat: Option<u32>,
    left: Option<(u32, String)>,
}

/// The log of a shop where customers have priorities, are turned away and give up.
#[test]
fn regulars_go_first_and_who_waits_may_give_up() {
    let program = example("barbershop", "barbershop.nds");
    let (mut given_up, mut turned_away, mut overtaken) = (0, 0, 0);
    for (seed, barbers, chairs) in
        (1..=12).flat_map(|seed| [(seed, 1, 2), (seed, 2, 3), (seed, 3, 0)])
    {
        let parameters = [
            number("barbers", f64::from(barbers)),
            number("chairs", f64::from(chairs)),
            number("patience", 12.0),
            number("regulars", 0.3),
            number("cut", 14.0),
            text("rates", "6 14 0 9"),
        ];
        let solution = solve(&program, seed, &parameters);
        let mut guests: Vec<Guest> = Vec::new();
        let (mut line, mut busy): (Vec<usize>, u32) = (Vec::new(), 0);
        for text in solution.text.lines() {
            let is_regular = text.contains("  regular  ");
            let Some((minute, who, what)) = entry(&text.replace("  regular  ", "  customer "))
            else {
                continue;
            };
            if what.starts_with("comes in") {
                guests.push(Guest {
                    came: minute,
                    is_regular,
                    ..Guest::default()
                });
                assert_eq!(guests.len(), who);
            }
            let guest = &mut guests[who - 1];
            assert_eq!(guest.is_regular, is_regular);
            match what.as_str() {
                "comes in" | "comes in and has to wait" => {
                    assert_eq!(what.ends_with("wait"), busy == barbers, "{}", solution.text);
                    line.push(who);
                    assert!(
                        busy < barbers || line.len() <= chairs as usize,
                        "too few chairs: {}",
                        solution.text
                    );
                }
                "comes in and finds no chair" => {
                    assert!(
                        busy == barbers && line.len() == chairs as usize,
                        "{}",
                        solution.text
                    );
                    turned_away += 1;
                }
                "sits down" => {
                    guest.sat = Some(minute);
                    busy += 1;
                    let rank = |who: usize, guests: &[Guest]| (!guests[who - 1].is_regular, who);
                    let first = line
                        .iter()
                        .copied()
                        .min_by_key(|who| rank(*who, &guests))
                        .unwrap();
                    assert_eq!(first, who, "out of turn: {}", solution.text);
                    overtaken += usize::from(line.iter().any(|other| *other < who));
                    line.retain(|each| *each != who);
                    assert!(busy <= barbers);
                }
                "gives up" => {
                    assert!(
                        line.contains(&who) && guest.sat.is_none(),
                        "{}",
                        solution.text
                    );
                    line.retain(|each| *each != who);
                    given_up += 1;
                }
                "leaves" => {
                    assert!(guest.sat.is_some());
                    guest.left = Some((minute, what.clone()));
                    busy -= 1;
                }
                other => panic!("{other}"),
            }
        }
        assert!(line.is_empty() && busy == 0, "{}", solution.text);
        // From 9 on; in the third hour nobody comes.
        assert!(
            guests
                .iter()
                .all(|guest| (540..780).contains(&guest.came) && !(660..720).contains(&guest.came))
        );
        let timeline = without_labels(tiles(&solution.pictures[0].1));
        assert_eq!(timeline.len(), guests.len());
        for (row, guest) in timeline.iter().zip(&guests) {
            assert_eq!(row.contains(&"crimson".to_string()), guest.sat.is_none());
        }
    }
    assert!(
        given_up > 20 && turned_away > 50 && overtaken > 10,
        "{given_up} {turned_away} {overtaken}"
    );
}

/// The figures of a line: simulated and in theory.
fn figures(text: &str, what: &str) -> (f64, f64) {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(what))
        .unwrap_or_else(|| panic!("{what}: {text}"));
    let (simulated, theory) = line
        .trim_start_matches(": ")
        .split_once(", in theory ")
        .unwrap();
    (simulated.parse().unwrap(), theory.parse().unwrap())
}

/// One barber or several, and any number of customers: the wait by Erlang's formula, written as it is in books.
#[test]
fn a_long_run_agrees_with_queueing_theory() {
    let program = example("barbershop", "long_run.nds");
    for (seed, barbers, between, cut) in [
        (1, 1, 10.0, 6.0),
        (2, 1, 8.0, 4.0),
        (3, 1, 20.0, 5.0),
        (4, 2, 5.0, 7.0),
        (5, 5, 2.0, 8.0),
    ] {
        let parameters = [
            number("customers", 60_000.0),
            number("barbers", f64::from(barbers)),
            number("between", between),
            number("cut", cut),
        ];
        let solution = solve(&program, seed, &parameters);
        let (servers, offered): (f64, f64) = (f64::from(barbers), cut / between);
        let load = offered / servers;
        let term = |n: u32| (1..=n).fold(1.0, |term, k| term * offered / f64::from(k));
        let waits = term(barbers) / (1.0 - load);
        let all_busy = waits / ((0..barbers).map(term).sum::<f64>() + waits);
        let wait = all_busy * cut / (servers - offered);
        for (what, expected) in [
            ("utilization", load),
            ("mean wait in minutes", wait),
            ("mean length of the line", wait / between),
        ] {
            let (simulated, theory) = figures(&solution.text, what);
            assert!(
                (theory - expected).abs() < 0.001,
                "{what}: {theory} instead of {expected}"
            );
            assert!(
                (simulated / expected - 1.0).abs() < 0.08,
                "{what}: {simulated} instead of {expected}"
            );
        }
    }
}

/// With few chairs and little patience: the balance of coming and going, solved by repeated steps of a Markov chain.
#[test]
fn lost_customers_agree_with_theory() {
    let program = example("barbershop", "long_run.nds");
    for (seed, barbers, chairs, between, cut, patience) in [
        (1, 1, 0, 5.0, 5.0, 0.0),
        (2, 2, 3, 4.0, 10.0, 0.0),
        (3, 3, 8, 4.0, 14.0, 20.0),
        (4, 1, 4, 6.0, 9.0, 10.0),
    ] {
        let parameters = [
            number("customers", 40_000.0),
            number("barbers", f64::from(barbers)),
            number("chairs", f64::from(chairs)),
            number("between", between),
            number("cut", cut),
            number("patience", patience),
        ];
        let text = solve(&program, seed, &parameters).text;
        let states = (barbers + chairs + 1) as usize;
        let busy = |n: usize| (n as f64).min(f64::from(barbers));
        let line = |n: usize| n as f64 - busy(n);
        let leaves = |n: usize| {
            busy(n) / cut
                + if patience > 0.0 {
                    line(n) / patience
                } else {
                    0.0
                }
        };
        let step = 0.05;
        let mut shares = vec![1.0 / states as f64; states];
        for _ in 0..60_000 {
            let mut next = shares.clone();
            for n in 0..states {
                let (more, less) = (
                    if n + 1 < states { step / between } else { 0.0 },
                    step * leaves(n),
                );
                next[n] -= shares[n] * (more + less);
                if n + 1 < states {
                    next[n + 1] += shares[n] * more;
                }
                if n > 0 {
                    next[n - 1] += shares[n] * less;
                }
            }
            shares = next;
        }
        let mean = |f: &dyn Fn(usize) -> f64| (0..states).map(|n| f(n) * shares[n]).sum::<f64>();
        let away = shares[states - 1];
        let mut expected = vec![
            ("utilization", mean(&busy) / f64::from(barbers)),
            ("mean length of the line", mean(&line)),
            ("mean wait in minutes", mean(&line) * between / (1.0 - away)),
            ("share turned away", away),
        ];
        if patience > 0.0 {
            expected.push(("share who give up", mean(&line) * between / patience));
        }
        for (what, expected) in expected {
            let (simulated, theory) = figures(&text, what);
            assert!(
                (theory - expected).abs() < 0.0015,
                "{what}: {theory} instead of {expected}\n{text}"
            );
            assert!(
                (simulated - expected).abs() < 0.08 * expected + 0.01,
                "{what}: {simulated}, {expected}\n{text}"
            );
        }
    }
}

/// The mean and the ends of its interval.
fn interval(text: &str, what: &str) -> [f64; 3] {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(what))
        .unwrap_or_else(|| panic!("{what}: {text}"));
    let numbers = line
        .trim_start_matches(": ")
        .replace(", 95% from ", " ")
        .replace(" to ", " ");
    let numbers: Vec<f64> = numbers
        .split(' ')
        .map(|number| number.parse().unwrap())
        .collect();
    numbers.try_into().unwrap()
}

/// As many customers come as the rates say, and in about 95 of 100 experiments the interval says so.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let program = example("barbershop", "replications.nds");
    let (mut held, mut all) = (0, 0);
    for (days, seeds) in [(3, 60), (8, 40)] {
        for seed in 1..=seeds {
            let parameters = [
                number("days", f64::from(days)),
                text("rates", "3 9.5 0 6"),
                number("barbers", 1.0),
            ];
            let text = solve(&program, seed, &parameters).text;
            let [mean, low, high] = interval(&text, "customers");
            assert!(
                low <= mean && mean <= high && (mean - 18.5).abs() < 10.0,
                "{text}"
            );
            held += usize::from(low <= 18.5 && 18.5 <= high);
            all += 1;
            let [served, ..] = interval(&text, "served");
            assert!(served <= mean, "{text}");
        }
    }
    assert!(
        (87..=99).contains(&(100 * held / all)),
        "{held} of {all} intervals"
    );
}

#[test]
fn more_barbers_wait_less() {
    let program = example("barbershop", "replications.nds");
    let wait = |barbers: f64| {
        let text = solve(
            &program,
            1,
            &[number("days", 30.0), number("barbers", barbers)],
        )
        .text;
        for what in [
            "turned away in %",
            "gave up in %",
            "wait of regulars",
            "utilization in %",
            "closed at minute",
        ] {
            let [mean, low, high] = interval(&text, what);
            assert!(low <= mean && mean <= high, "{text}");
        }
        (
            interval(&text, "wait in minutes"),
            interval(&text, "wait of regulars"),
        )
    };
    let ((one, _), (three, regulars)) = (wait(1.0), wait(3.0));
    assert!(
        three[2] < one[1] && regulars[0] < three[0],
        "{one:?} {three:?} {regulars:?}"
    );
}

#[test]
fn bad_input_is_told() {
    for (script, parameter, expected) in [
        (
            "barbershop.nds",
            number("customers", 0.0),
            "customers has to be a whole number",
        ),
        (
            "barbershop.nds",
            number("barbers", 1.5),
            "barbers has to be a whole number from 1 to 50",
        ),
        (
            "barbershop.nds",
            number("chairs", -1.0),
            "chairs, to wait on, has to be a whole number from 0 to 1000",
        ),
        (
            "barbershop.nds",
            number("patience", -1.0),
            "patience is the mean time in minutes",
        ),
        (
            "barbershop.nds",
            number("regulars", 2.0),
            "regulars is the share of customers who go first, from 0 to 1",
        ),
        (
            "barbershop.nds",
            text("rates", "4 many"),
            "rates are the customers of each hour",
        ),
        (
            "barbershop.nds",
            text("rates", "4 1.2.3"),
            "rates are the customers of each hour",
        ),
        (
            "replications.nds",
            text("rates", ""),
            "rates are the customers of each hour",
        ),
        (
            "replications.nds",
            number("days", 1.0),
            "days has to be a whole number from 2",
        ),
        (
            "long_run.nds",
            number("barbers", 0.0),
            "barbers has to be a whole number from 1 to 50",
        ),
        (
            "barbershop.nds",
            text("cut", "short"),
            "the parameter cut must be a number",
        ),
        (
            "barbershop.nds",
            number("between", -1.0),
            "mean times in minutes",
        ),
        (
            "long_run.nds",
            number("cut", 10.0),
            "the line grows without end",
        ),
        (
            "long_run.nds",
            text("customers", "all"),
            "the parameter customers must be a number",
        ),
    ] {
        let message = refusal(&example("barbershop", script), &[parameter]);
        assert!(message.contains(expected), "{script}: {message}");
    }
}
