//! Which variable is decided next: the one that had most part in recent conflicts (VSIDS; Moskewicz et al., "Chaff", 2001), found
//! by a heap.

use ndscript_base::room;

/// Variables by their activity.
#[derive(Clone, Debug)]
pub struct Activity {
    scores: Vec<f64>,
    /// A binary heap of variables, and where in it each is.
    heap: Vec<u32>,
    places: Vec<u32>,
    /// What a part in a conflict adds. It grows, so that older conflicts count less.
    step: f64,
}

/// Not in the heap.
const NOWHERE: u32 = u32::MAX;
/// The factor by which the latest conflict counts more than the one before.
const GROWTH: f64 = 1.0 / 0.95;
/// Beyond this all scores are made small again.
const MOST: f64 = 1e100;

impl Default for Activity {
    fn default() -> Activity {
        Activity {
            scores: Vec::new(),
            heap: Vec::new(),
            places: Vec::new(),
            step: 1.0,
        }
    }
}

impl Activity {
    /// Adds a variable.
    pub fn add(&mut self, score: f64) {
        self.scores.push(score);
        self.places.push(NOWHERE);
        self.put_back(self.scores.len() - 1);
    }

    /// Records that a variable had a part in a conflict.
    pub fn bump(&mut self, variable: usize) {
        self.scores[variable] += self.step;
        if self.scores[variable] > MOST {
            self.scores.iter_mut().for_each(|score| *score /= MOST);
            self.step /= MOST;
        }
        if self.places[variable] != NOWHERE {
            self.go_up(self.places[variable] as usize);
        }
    }

    /// Ends a conflict.
    pub fn decay(&mut self) {
        self.step *= GROWTH;
    }

    /// Takes the most active variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[first as usize] = NOWHERE;
        if last != first {
            self.set(0, last);
            self.go_down(0);
        }
        Some(first as usize)
    }

    /// Puts a variable in that may be decided again.
    pub fn put_back(&mut self, variable: usize) {
        if self.places[variable] == NOWHERE {
            self.heap.push(variable as u32);
            let at = self.heap.len() - 1;
            self.places[variable] = at as u32;
            self.go_up(at);
        }
    }

    /// Makes the heap anew of the variables that are open.
    pub fn settle(&mut self, is_open: impl Fn(usize) -> bool) {
        self.heap.clear();
        self.places.fill(NOWHERE);
        for variable in (0..self.scores.len()).filter(|variable| is_open(*variable)) {
            self.put_back(variable);
        }
    }

    /// The score of each variable, and the step.
    pub fn scores(&self) -> (&[f64], f64) {
        (&self.scores, self.step)
    }

    /// Sets the scores and the step.
    pub fn set_scores(&mut self, scores: Vec<f64>, step: f64) {
        (self.scores, self.step) = (scores, step);
    }

    fn set(&mut self, at: usize, variable: u32) {
        self.heap[at] = variable;
        self.places[variable as usize] = at as u32;
    }

    fn score(&self, at: usize) -> f64 {
        self.scores[self.heap[at] as usize]
    }

    /// Moves a variable up the binary heap to where its score belongs.
    fn go_up(&mut self, mut at: usize) {
        let variable = self.heap[at];
        let score = self.scores[variable as usize];
        while at > 0 {
            let above = (at - 1) / 2;
            if self.score(above) >= score {
                break;
            }
            self.set(at, self.heap[above]);
            at = above;
        }
        self.set(at, variable);
    }

    /// Moves a variable down the binary heap to where its score belongs.
    fn go_down(&mut self, mut at: usize) {
        let variable = self.heap[at];
        let score = self.scores[variable as usize];
        loop {
            let mut below = 2 * at + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len() && self.score(below + 1) > self.score(below) {
                below += 1;
            }
            if self.score(below) <= score {
                break;
            }
            self.set(at, self.heap[below]);
            at = below;
        }
        self.set(at, variable);
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.scores) + room::row(&self.heap) + room::row(&self.places)
    }
}
