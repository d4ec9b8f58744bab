//! The simulation of `examples/barbershop/`, checked by its log, its timeline and queueing theory.

mod support;

use std::collections::VecDeque;

use support::{example, number, refusal, solve, text, tiles};

/// One line of the log: the minute of the day, who, and what happens.
fn entry(line: &str) -> Option<(u32, usize, String)> {
    let (time, rest) = line.split_once("  customer ")?;
    let (hour, minute) = time.split_once(':')?;
    let (who, what) = rest.split_once(' ')?;
    Some((hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?, who.parse().ok()?, what.to_string()))
}

#[test]
fn customers_are_served_in_order_by_as_many_as_there_are() {
    let program = example("barbershop", "barbershop.nds");
    let mut waits = 0;
    for (seed, barbers) in (1..=6).flat_map(|seed| [(seed, 1), (seed, 2), (seed, 3)]) {
        let parameters = [number("customers", 30.0), number("barbers", f64::from(barbers)), number("cut", 16.0)];
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

        let timeline = tiles(&solution.pictures[0].1);
        assert_eq!(timeline.len(), 30);
        for moment in 0..timeline[0].len() {
            let busy = timeline.iter().filter(|row| row[moment] == "mediumseagreen").count();
            let waiting = timeline.iter().filter(|row| row[moment] == "darkorange").count();
            assert!(busy <= barbers as usize);
            assert!(waiting == 0 || busy == barbers as usize, "somebody waits though a chair is free");
        }
        assert!(timeline.iter().flatten().all(|c| ["mediumseagreen", "darkorange", "#20242c"].contains(&c.as_str())));
    }
    assert!(waits > 20);
}

/// The figures of a line: simulated and in theory.
fn figures(text: &str, what: &str) -> (f64, f64) {
    let line = text.lines().find_map(|line| line.strip_prefix(what)).unwrap_or_else(|| panic!("{what}: {text}"));
    let (simulated, theory) = line.trim_start_matches(": ").split_once(", in theory ").unwrap();
    (simulated.parse().unwrap(), theory.parse().unwrap())
}

#[test]
fn a_long_run_agrees_with_queueing_theory() {
    let program = example("barbershop", "long_run.nds");
    for (seed, between, cut) in [(1, 10.0, 6.0), (2, 8.0, 4.0), (3, 20.0, 5.0)] {
        let parameters = [number("customers", 200_000.0), number("between", between), number("cut", cut)];
        let solution = solve(&program, seed, &parameters);
        let load: f64 = cut / between;
        for (what, expected) in [
            ("utilization", load),
            ("mean wait in minutes", load / (1.0 / cut - 1.0 / between)),
            ("mean length of the line", load * load / (1.0 - load)),
        ] {
            let (simulated, theory) = figures(&solution.text, what);
            assert!((theory - expected).abs() < 0.001, "{what}: {theory} instead of {expected}");
            assert!((simulated / expected - 1.0).abs() < 0.05, "{what}: {simulated} instead of {expected}");
        }
    }
}

#[test]
fn bad_input_is_told() {
    for (script, parameter, expected) in [
        ("barbershop.nds", number("customers", 0.0), "customers has to be a whole number"),
        ("barbershop.nds", number("barbers", 1.5), "barbers from 1 to 50"),
        ("barbershop.nds", text("cut", "short"), "mean times in minutes"),
        ("barbershop.nds", number("between", -1.0), "mean times in minutes"),
        ("long_run.nds", number("cut", 10.0), "the line grows without end"),
        ("long_run.nds", text("customers", "all"), "customers has to be a whole number"),
    ] {
        let message = refusal(&example("barbershop", script), &[parameter]);
        assert!(message.contains(expected), "{script}: {message}");
    }
}
