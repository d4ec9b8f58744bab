//! A program that is being written: its lines, the values that it has, and how large it may still become.

use super::kinds::Kind;
use super::random::Random;

/// How large the programs are.
#[derive(Clone, Copy)]
pub struct Scale {
    /// Elements that all values of a program have together, each with what it weighs.
    pub elements: usize,
    pub steps: u64,
}

pub struct Writer {
    pub random: Random,
    pub lines: Vec<String>,
    /// The variables that there are, with what they hold.
    values: Vec<(Kind, String)>,
    names: usize,
    /// Elements that may still be made.
    budget: usize,
    /// How many values lie inside each other where the writer is.
    depth: usize,
}

impl Writer {
    pub fn new(seed: u64, scale: Scale) -> Writer {
        let random = Random::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(77));
        let lines = vec!["let log = [];".to_string()];
        Writer {
            random,
            lines,
            values: Vec::new(),
            names: 0,
            budget: scale.elements,
            depth: 0,
        }
    }

    pub fn fresh(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    /// A number of elements that weigh so much each: now and then a few, and often as many as there may be.
    pub fn size(&mut self, weight: usize) -> usize {
        let most = (self.budget / weight).max(1);
        let size = match self.random.below(100) {
            0..8 => self.random.below(4),
            8..25 => self.log_uniform(most.min(3_000)),
            25..80 => self.log_uniform(most),
            _ => self.random.between(most / 2, most),
        };
        self.budget -= (size * weight).min(self.budget);
        size
    }

    /// A number up to `most`, each order of magnitude as likely.
    pub fn log_uniform(&mut self, most: usize) -> usize {
        let bits = usize::BITS - most.leading_zeros();
        let top = 1_usize << self.random.below(bits as usize + 1).min(62);
        self.random.between(top / 2, top).min(most)
    }

    /// A variable that holds what the line, in which `#` stands for its name, puts into it.
    pub fn declare(&mut self, kind: Kind, line: &str) -> String {
        let name = self.fresh("v");
        self.lines.push(line.replace('#', &name));
        self.values.push((kind, name.clone()));
        name
    }

    /// A variable that the lines use but no argument asks for.
    pub fn aside(&mut self, line: &str) -> String {
        let name = self.fresh("w");
        self.lines.push(line.replace('#', &name));
        name
    }

    /// A value of a kind: at times one that is there already, so that values are shared.
    pub fn value(&mut self, kind: Kind) -> String {
        let known: Vec<String> = self
            .values
            .iter()
            .filter(|value| kind.takes(value.0))
            .map(|value| value.1.clone())
            .collect();
        if !known.is_empty() && self.random.percent(45) {
            return self.random.pick(&known).clone();
        }
        if self.depth > 2 {
            // What lies deep inside is small.
            return match known.is_empty() {
                true => kind.smallest().to_string(),
                false => self.random.pick(&known).clone(),
            };
        }
        self.depth += 1;
        let value = self.shape(kind);
        self.depth -= 1;
        value
    }
}
