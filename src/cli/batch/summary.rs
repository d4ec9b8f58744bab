//! What many maps took: means and quartiles.

use serde_json::{Map, Value, json};

use super::made::Made;

/// Figures of all maps that were made.
#[derive(Default)]
pub struct Summary {
    solved: u64,
    steps: Vec<f64>,
    choice_points: Vec<f64>,
    failures: Vec<f64>,
    memory: Vec<f64>,
    time: Vec<f64>,
}

/// How numbers are spread.
#[derive(Debug, PartialEq)]
struct Spread {
    mean: f64,
    /// The smallest, the quartiles with the median in the middle, the largest.
    quartiles: [f64; 5],
}

impl Summary {
    pub fn add(&mut self, made: &Made) {
        self.solved += u64::from(made.is_solved());
        self.steps.push(made.figures.steps as f64);
        self.choice_points.push(made.figures.choice_points as f64);
        self.failures.push(made.figures.failures as f64);
        self.memory.push(made.figures.memory as f64);
        self.time.push(made.time.as_secs_f64());
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

    pub fn text(&self) -> String {
        let mut out = format!(
            "{:<14} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}\n",
            "", "mean", "least", "quarter", "half", "three quarters", "most"
        );
        for (name, numbers) in self.rows() {
            let Some(spread) = spread(numbers) else { continue };
            let shown = |number: f64| if name == "time" { format!("{number:.4} s") } else { format!("{number:.0}") };
            out.push_str(&format!("{name:<14} {:>14}", shown(spread.mean)));
            spread.quartiles.iter().for_each(|number| out.push_str(&format!(" {:>14}", shown(*number))));
            out.push('\n');
        }
        out
    }

    pub fn json(&self) -> String {
        let mut all = Map::new();
        all.insert("maps".into(), json!(self.steps.len()));
        all.insert("solved".into(), json!(self.solved));
        for (name, numbers) in self.rows() {
            let Some(Spread { mean, quartiles: [least, quarter, half, three_quarters, most] }) = spread(numbers) else {
                continue;
            };
            let name = name.replace(' ', "_");
            let value = json!({
                "mean": mean, "min": least, "q1": quarter, "median": half, "q3": three_quarters, "max": most
            });
            all.insert(name, value);
        }
        Value::Object(all).to_string()
    }
}

/// `None` of no numbers. Between two of them a quartile lies where their distance says.
fn spread(numbers: &[f64]) -> Option<Spread> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |part: f64| {
        let place = part * last as f64;
        let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        below + (above - below) * place.fract()
    };
    let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
    Some(Spread { mean, quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(at) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between() {
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[7.0]).unwrap().quartiles, [7.0; 5]);
        let spread = spread(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!(spread, Spread { mean: 2.5, quartiles: [1.0, 1.75, 2.5, 3.25, 4.0] });
    }
}
