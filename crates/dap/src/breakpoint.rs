//! Where a run is to stop: lines, writes to places, and kinds of events.

use ndscript_timeline::{Found, Kind, Place, Sought, When};
use serde_json::{Value, json};

/// Where a breakpoint lies.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// On a line of a file.
    Line(String, usize),
    /// At writes to a place.
    Write(Place),
    /// At writes by which a place loses candidates.
    Loss(Place),
    /// At writes by which a place loses this one.
    LossOf(Place, String),
}

impl Spot {
    /// Whether it is at writes of values.
    pub fn is_data(&self) -> bool {
        !matches!(self, Spot::Line(..))
    }

    /// A spot of data by the name that a client has for it.
    pub fn of_data(text: &str) -> Result<Spot, String> {
        let Some(place) = text.strip_prefix("loss ") else {
            return text.parse().map(Spot::Write);
        };
        match place.split_once('\n') {
            Some((place, candidate)) => Ok(Spot::LossOf(place.parse()?, candidate.to_string())),
            None => place.parse().map(Spot::Loss),
        }
    }

    /// That name, for the loss of a candidate.
    pub fn name_of_loss(place: &Place, candidate: &str) -> String {
        format!("loss {place}\n{candidate}")
    }
}

/// A breakpoint that can be come to.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    pub id: u64,
    pub spot: Spot,
    /// It counts only where this holds.
    pub condition: Option<String>,
    /// How often it must have been come to.
    pub hits: Option<HitCondition>,
    /// It writes this, and does not stop.
    pub log: Option<String>,
    /// When it was come to, as far as that was looked for, and up to where that was.
    pub met: Vec<When>,
    pub looked_to: Option<When>,
}

impl Breakpoint {
    pub fn sought(&self) -> Sought {
        match &self.spot {
            Spot::Line(file, line) => Sought::Line {
                at: Some((file.clone(), *line)),
                depth: None,
            },
            Spot::Write(place) => Sought::Write(place.clone()),
            Spot::Loss(place) => Sought::Loss(place.clone()),
            Spot::LossOf(place, candidate) => Sought::LossOf(place.clone(), candidate.clone()),
        }
    }

    /// Whether what was found may be at this breakpoint. That a write is at the place is not known from that alone.
    pub fn may_be_at(&self, found: &Found) -> bool {
        match &self.spot {
            Spot::Line(file, line) => {
                let is_there =
                    |at: &ndscript_timeline::LineAt| at.file == *file && at.line == *line;
                found.kind == Kind::Line && found.line.as_ref().is_some_and(is_there)
            }
            _ => found.kind == Kind::Write,
        }
    }

    /// Another way is gone: what was met on the one before is not on it.
    pub fn forget(&mut self) {
        self.met.clear();
        self.looked_to = None;
    }
}

/// How often a breakpoint must have been come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(usize),
    AtLeast(usize),
    MoreThan(usize),
    Every(usize),
}

impl HitCondition {
    /// Reads `3`, `== 3`, `>= 3`, `> 3` or `% 3`.
    pub fn read(text: &str) -> Result<HitCondition, String> {
        let text = text.trim();
        let number = |rest: &str| {
            let number = rest.trim().parse::<usize>().ok();
            number.filter(|number| *number > 0).ok_or_else(|| {
                format!("`{text}` is no number of times: write `3`, `>= 3`, `> 3` or `% 3`")
            })
        };
        Ok(if let Some(rest) = text.strip_prefix(">=") {
            HitCondition::AtLeast(number(rest)?)
        } else if let Some(rest) = text.strip_prefix('>') {
            HitCondition::MoreThan(number(rest)?)
        } else if let Some(rest) = text.strip_prefix('%') {
            HitCondition::Every(number(rest)?)
        } else {
            HitCondition::Exactly(number(text.trim_start_matches('='))?)
        })
    }

    /// Whether it holds for the so manieth time.
    pub fn holds(self, time: usize) -> bool {
        match self {
            HitCondition::Exactly(wanted) => time == wanted,
            HitCondition::AtLeast(least) => time >= least,
            HitCondition::MoreThan(most) => time > most,
            HitCondition::Every(number) => time.is_multiple_of(number),
        }
    }
}

/// The kinds of events that a client can let a run stop at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    pub failure: bool,
    pub choice: bool,
    pub solution: bool,
    pub empty_cell: bool,
}

impl Filters {
    /// What the client is told that there is.
    pub fn described() -> Value {
        json!([
            {"filter": "solution", "label": "Solutions", "default": true,
             "description": "Stop where the end of the program is reached; else the first solution ends the run"},
            {"filter": "failure", "label": "Failures", "default": false,
             "description": "Stop where a branch fails, before anything is undone"},
            {"filter": "emptyCell", "label": "Empty cells", "default": false,
             "description": "Stop where a place of a board has no candidate left"},
            {"filter": "choice", "label": "Choices", "default": false,
             "description": "Stop where a choice is made"},
        ])
    }

    pub fn of(names: &Value) -> Filters {
        let has = |name: &str| {
            let names = names.as_array();
            names.is_some_and(|names| names.iter().any(|known| known == name))
        };
        Filters {
            failure: has("failure"),
            choice: has("choice"),
            solution: has("solution"),
            empty_cell: has("emptyCell"),
        }
    }

    /// What they let a run stop at, but for solutions, at which something is to be done anyway.
    pub fn sought(self) -> Vec<Sought> {
        let mut sought = Vec::new();
        if self.failure {
            sought.push(Sought::Event(Kind::Failure));
        } else if self.empty_cell {
            sought.push(Sought::EmptyPlace);
        }
        if self.choice {
            sought.push(Sought::Event(Kind::Choice));
        }
        sought
    }
}

#[cfg(test)]
mod tests {
    use super::{HitCondition, Spot};
    use ndscript_timeline::Place;

    #[test]
    fn spots_of_data_have_names() {
        let place: Place = "g[3, 4]".parse().unwrap();
        let name = Spot::name_of_loss(&place, "a\nb");
        assert_eq!(
            Spot::of_data(&name),
            Ok(Spot::LossOf(place.clone(), "a\nb".to_string()))
        );
        assert_eq!(Spot::of_data("loss g[3, 4]"), Ok(Spot::Loss(place.clone())));
        assert_eq!(Spot::of_data("g[3, 4]"), Ok(Spot::Write(place)));
        assert!(Spot::of_data("loss g[\n1").is_err());
    }

    #[test]
    fn numbers_of_times_are_read() {
        let holding = |text: &str| -> Vec<usize> {
            let condition = HitCondition::read(text).unwrap();
            (1..=7).filter(|time| condition.holds(*time)).collect()
        };
        assert_eq!(holding("3"), [3]);
        assert_eq!(holding(" == 3 "), [3]);
        assert_eq!(holding(">= 5"), [5, 6, 7]);
        assert_eq!(holding(">5"), [6, 7]);
        assert_eq!(holding("%3"), [3, 6]);
        for wrong in ["", "0", "x", "< 3", ">= -1"] {
            assert!(HitCondition::read(wrong).is_err(), "{wrong}");
        }
    }
}
