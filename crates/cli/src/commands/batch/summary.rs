//! The cost of many maps: means and quartiles.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::batch_result::BatchResult;
use crate::runs::stats::{TALLIES, left_out_in_words, tally_in_words};

/// Figures of all maps that were made.
#[derive(Default)]
pub struct Summary {
    solved: u64,
    steps: Vec<f64>,
    choice_points: Vec<f64>,
    failures: Vec<f64>,
    memory: Vec<f64>,
    time: Vec<f64>,
    /// The tallies of the programs, by name: the number of the map and the amount. A map without an amount has counted
    /// 0.
    tallies: BTreeMap<String, Vec<(usize, f64)>>,
}

/// At most this many names are counted.
const MOST_NAMES: usize = 1000;

/// How numbers are spread.
#[derive(Debug, PartialEq)]
struct Spread {
    mean: f64,
    /// The smallest, the quartiles with the median in the middle, the largest.
    quartiles: [f64; 5],
}

impl Summary {
    /// Adds the figures of a result.
    pub fn add(&mut self, result: &BatchResult) {
        let number = self.steps.len();
        for (name, amount) in &result.tallies {
            if self.tallies.len() < MOST_NAMES || self.tallies.contains_key(name) {
                self.tallies
                    .entry(name.clone())
                    .or_default()
                    .push((number, *amount));
            }
        }
        self.solved += u64::from(result.is_solved());
        self.steps.push(result.figures.steps as f64);
        self.choice_points.push(result.figures.choice_points as f64);
        self.failures.push(result.figures.failures as f64);
        self.memory.push(result.figures.memory as f64);
        self.time.push(result.time.as_secs_f64());
    }

    fn rows(&self) -> [(&'static str, &[f64]); 5] {
        [
            ("steps", &self.steps),
            ("choice points", &self.choice_points),
            ("failures", &self.failures),
            ("memory", &self.memory),
            ("time", &self.time),
        ]
    }

    /// The names that were counted, with an amount for each map; as many as are shown.
    fn tallies(&self) -> impl Iterator<Item = (&str, Vec<f64>)> {
        self.tallies.iter().take(TALLIES).map(|(name, amounts)| {
            let mut all = vec![0.0; self.steps.len()];
            amounts
                .iter()
                .for_each(|(number, amount)| all[*number] = *amount);
            (&**name, all)
        })
    }

    pub fn text(&self) -> String {
        let mut out = format!(
            "{:<14} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}\n",
            "", "mean", "least", "quarter", "half", "three quarters", "most"
        );
        for (name, numbers) in self.rows() {
            let shown = |number: f64| {
                if name == "time" {
                    format!("{number:.4} s")
                } else {
                    format!("{number:.0}")
                }
            };
            out += &in_a_line(name, numbers, &shown);
        }
        for (name, amounts) in self.tallies() {
            // An amount need not be whole, and its mean rarely is.
            let shown = |amount: f64| format!("{}", (amount * 100.0).round() / 100.0);
            out += &in_a_line(&tally_in_words(name), &amounts, &shown);
        }
        out + &left_out_in_words(self.tallies.len())
    }

    pub fn json(&self) -> String {
        let mut all = Map::new();
        all.insert("maps".into(), json!(self.steps.len()));
        all.insert("solved".into(), json!(self.solved));
        for (name, numbers) in self.rows() {
            let Some(spread) = spread(numbers) else {
                continue;
            };
            all.insert(name.replace(' ', "_"), spread.json());
        }
        let tallies = self
            .tallies()
            .filter_map(|(name, amounts)| Some((name.to_string(), spread(&amounts)?.json())));
        all.insert("tallies".into(), Value::Object(tallies.collect()));
        all.insert(
            "tallies_left_out".into(),
            json!(self.tallies.len().saturating_sub(TALLIES)),
        );
        Value::Object(all).to_string()
    }
}

/// A row of the table; nothing if there are no numbers.
fn in_a_line(name: &str, numbers: &[f64], shown: &dyn Fn(f64) -> String) -> String {
    let Some(spread) = spread(numbers) else {
        return String::new();
    };
    let quartiles: String = spread
        .quartiles
        .iter()
        .map(|number| format!(" {:>14}", shown(*number)))
        .collect();
    format!("{name:<14} {:>14}{quartiles}\n", shown(spread.mean))
}

impl Spread {
    fn json(&self) -> Value {
        let Spread {
            mean,
            quartiles: [least, quarter, half, three_quarters, most],
        } = self;
        json!({"mean": mean, "min": least, "q1": quarter, "median": half, "q3": three_quarters, "max": most})
    }
}

/// `None` of no numbers. A quartile between two numbers is interpolated.
fn spread(numbers: &[f64]) -> Option<Spread> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |part: f64| {
        let place = part * last as f64;
        let (below, above) = (
            sorted[place.floor() as usize],
            sorted[place.ceil() as usize],
        );
        below + (above - below) * place.fract()
    };
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    Some(Spread {
        mean,
        quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(at),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between() {
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[7.0]).unwrap().quartiles, [7.0; 5]);
        let spread = spread(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!(
            spread,
            Spread {
                mean: 2.5,
                quartiles: [1.0, 1.75, 2.5, 3.25, 4.0]
            }
        );
    }
}
