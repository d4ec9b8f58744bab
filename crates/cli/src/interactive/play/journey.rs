//! The moments of a game: every question with its answer, and going back to each of them.

use ndscript::{Data, Outcome, Question, Run, RunError};

use super::answer::Answer;
use super::transcript::written;
use crate::terminal::interrupt::fork;

/// The most bytes of runs that are stored for going back, or half of the limit of memory if that is less; moments
/// between them are reached by running again.
const MAX_STORED_BYTES: usize = 256 << 20;
/// The bytes of a run apart from those of its account of memory.
const BYTES_OUTSIDE_ACCOUNT: usize = 32 << 10;
/// The longest text of a question or an answer in the list of moments, in bytes.
const MAX_LABEL: usize = 120;

/// The function of a program that receives clicks of the mouse.
const HEARS_CLICKS: &str = "clicked";

/// A question that was answered.
struct Moment {
    /// The run as it waits for the answer.
    run: Option<Run>,
    bytes: usize,
    label: String,
    answer: Answer,
    /// The answer as a line of a transcript.
    line: String,
}

/// A game from its start to now.
pub struct Journey {
    start: Run,
    now: Run,
    moments: Vec<Moment>,
    stored_bytes: usize,
    most_bytes: usize,
    /// The answer here before the person went back.
    before: Option<Answer>,
}

impl Journey {
    pub fn new(start: Run) -> Journey {
        let now = fork(&start);
        let most_bytes = MAX_STORED_BYTES.min(start.limits().memory / 2);
        Journey {
            start,
            now,
            moments: Vec::new(),
            stored_bytes: 0,
            most_bytes,
            before: None,
        }
    }

    /// Runs until there is something to show; at a question, shows it again.
    pub fn resume(&mut self) -> Outcome {
        self.now.resume(u64::MAX)
    }

    /// The reason of the latest failure that gave one.
    pub fn failure_message(&self) -> Option<&str> {
        self.now.failure_message()
    }

    /// Whether the program receives clicks.
    pub fn hears_clicks(&self) -> bool {
        self.now.global(HEARS_CLICKS).is_some()
    }

    /// The program's meaning of a click on a cell, by column and row: the text of an option or a line. Its effects are
    /// undone.
    pub fn clicked(&self, (x, y): (i64, i64), button: &str) -> Result<Option<String>, RunError> {
        let answer = fork(&self.now)
            .call_once::<Option<String>>(HEARS_CLICKS, (Data::Position(x, y), button))?;
        Ok(answer.flatten())
    }

    /// The number of answered questions, which is that of the present moment, from 0.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// The answers as lines of a transcript.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.moments.iter().map(|moment| moment.line.as_str())
    }

    /// The answer at this moment before the person went back to it.
    pub fn earlier_answer(&self) -> Option<&Answer> {
        self.before.as_ref()
    }

    /// The moments so far, a line each.
    pub fn list(&self) -> Vec<String> {
        let line = |(at, moment): (usize, &Moment)| {
            format!(
                "{}. {} {}",
                at + 1,
                moment.label,
                shortened(moment.answer.text())
            )
        };
        self.moments.iter().enumerate().map(line).collect()
    }

    /// Answers the question that the run asks.
    pub fn answer(&mut self, question: &Question, answer: Answer) {
        let bytes = self.now.memory() + BYTES_OUTSIDE_ACCOUNT;
        // Memory is freed before the copy is made.
        while self.stored_bytes + bytes > self.most_bytes && self.thin_out() {}
        let run = (self.stored_bytes + bytes <= self.most_bytes).then(|| fork(&self.now));
        self.stored_bytes += run.as_ref().map_or(0, |_| bytes);
        give(&mut self.now, &answer);
        let line = written(question, &answer);
        self.moments.push(Moment {
            run,
            bytes,
            label: shortened(&question.prompt),
            answer,
            line,
        });
        self.before = None;
    }

    /// Drops every second stored run, so that the rest is spread over the whole game. False if there is none.
    fn thin_out(&mut self) -> bool {
        let stored = self
            .moments
            .iter_mut()
            .filter(|moment| moment.run.is_some());
        let mut dropped = false;
        for moment in stored.step_by(2) {
            moment.run = None;
            self.stored_bytes -= moment.bytes;
            dropped = true;
        }
        dropped
    }

    /// Goes back to an earlier moment; everything after it is undone.
    pub fn go_to(&mut self, moment: usize) {
        if moment >= self.moments.len() {
            return;
        }
        let stored = (0..=moment)
            .rev()
            .find_map(|at| Some((at, fork(self.moments[at].run.as_ref()?))));
        let (from, mut run) = stored.unwrap_or_else(|| (0, fork(&self.start)));
        for moment in &self.moments[from..moment] {
            // One seed, one program, equal answers: the run passes here as before.
            let _ = run.resume(u64::MAX);
            give(&mut run, &moment.answer);
        }
        self.now = run;
        let left = self.moments.drain(moment..);
        let mut left = left.inspect(|moment| {
            if moment.run.is_some() {
                self.stored_bytes -= moment.bytes;
            }
        });
        self.before = left.next().map(|moment| moment.answer);
        left.for_each(drop);
    }
}

fn give(run: &mut Run, answer: &Answer) {
    let is_accepted = match answer {
        Answer::Option(index, _) => run.answer(*index),
        Answer::Line(line) => run.answer_text(line),
    };
    debug_assert!(is_accepted, "an answer of the kind that the question wants");
}

/// The first line of a text, cut if it is long.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    if line.len() <= MAX_LABEL {
        return line.to_string();
    }
    let mut end = MAX_LABEL - 3;
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}...", &line[..end])
}

#[cfg(test)]
mod tests {
    use ndscript::Engine;

    use super::*;

    const SCRIPT: &str = "let sum = 0; let said = []; let big = range(2000);
        while (sum < 1000) { push(said, randomInt(1, 9)); push(said, ask(`sum ${sum}`, [1, 2, 3])); sum += said[sizeOf(said) - 1]; }";

    fn journey(most_bytes: usize) -> Journey {
        let mut journey = Journey::new(Engine::new().compile(SCRIPT).unwrap().run(3));
        journey.most_bytes = most_bytes;
        journey
    }

    #[test]
    fn what_is_kept_is_a_part_of_the_limit_of_memory() {
        let limits = ndscript::Limits {
            memory: 32 << 20,
            ..ndscript::Limits::default()
        };
        let program = Engine::new().with_limits(limits).compile(SCRIPT).unwrap();
        assert_eq!(Journey::new(program.run(3)).most_bytes, 16 << 20);
    }

    fn question(journey: &mut Journey) -> Question {
        match journey.resume() {
            Outcome::Asked(question) => question,
            other => panic!("{other:?}"),
        }
    }

    /// The globals, which contain everything that was drawn and printed.
    fn state(journey: &mut Journey) -> Vec<(String, String)> {
        question(journey);
        journey.now.show_globals(100_000)
    }

    #[test]
    fn every_moment_is_reached_again_with_little_memory_as_with_much() {
        let one = journey(usize::MAX).now.memory();
        for most in [usize::MAX, 20 * (one + 40_000), 0] {
            let mut journey = journey(most);
            let mut states = Vec::new();
            for turn in 0..60 {
                states.push(state(&mut journey));
                let asked = question(&mut journey);
                journey.answer(&asked, Answer::Option(turn % 3, (turn % 3 + 1).to_string()));
                assert!(journey.stored_bytes <= most);
            }
            if most == usize::MAX {
                assert!(journey.moments.iter().all(|moment| moment.run.is_some()));
            } else {
                assert!(journey.moments.iter().any(|moment| moment.run.is_none()));
            }
            for moment in [59, 41, 40, 17, 16, 1, 0] {
                journey.go_to(moment);
                assert_eq!(journey.len(), moment);
                assert_eq!(
                    state(&mut journey),
                    states[moment],
                    "moment {moment}, {most} bytes"
                );
                let before = Answer::Option(moment % 3, (moment % 3 + 1).to_string());
                assert_eq!(journey.earlier_answer(), Some(&before));
            }
            assert_eq!(journey.stored_bytes, 0);
        }
    }
}
