//! Going once more the way that a session has come, for whoever looks at it: `:trace`, `:tree`, `:why`, `:back`.

use ndscript::{LimitReached, Observer, Outcome, Run};

use super::super::interrupt::fork;
use super::session::{SLICE, Said, Session, State};

/// Lets a run go the way from one state to the next.
fn follow(run: &mut Run, from: &State, to: &State, observer: &mut dyn Observer) -> Result<(), String> {
    if let Some(latest) = to.inputs.get(from.inputs.len()) {
        latest.begin_once_more(run)?;
    }
    let mut answers = to.answers.iter().skip(from.answers.len());
    loop {
        match run.watch(SLICE, observer) {
            Outcome::OutOfFuel => {}
            Outcome::Solved(_) => match to.inputs.get(run.input() - 1) {
                None => break,
                Some(next) => next.begin_once_more(run)?,
            },
            Outcome::Asked(_) => {
                let is_answered = match answers.next() {
                    Some(Said::Option(option)) => run.answer(*option),
                    Some(Said::Line(line)) => run.answer_text(line),
                    _ => false,
                };
                if !is_answered {
                    return Err("an answer is not known any more".to_string());
                }
            }
            Outcome::Limit(LimitReached::Cancelled) => return Err("interrupted".to_string()),
            _ => return Err("the way there is not found once more".to_string()),
        }
    }
    // A seed was given when it stood there.
    if let Some(latest) = to.seeds.last().filter(|latest| from.seeds.last() != Some(latest)) {
        run.reseed(latest.seed);
    }
    Ok(())
}

impl Session {
    /// The states on the way to where the session stands, as far as they are kept. What `:clear` and `:reload` have left
    /// is not on it.
    fn way(&self) -> Vec<&State> {
        let mut way: Vec<&State> = Vec::new();
        for state in self.earlier.iter().chain([&self.state]) {
            if way.last().is_some_and(|last| state.inputs.len() < last.inputs.len()) {
                let steps = state.run.statistics().steps;
                let is_same =
                    |known: &&State| known.inputs.len() == state.inputs.len() && known.run.statistics().steps == steps;
                way.truncate(way.iter().position(is_same).unwrap_or(0));
            }
            way.push(state);
        }
        way
    }

    /// Whether the way is kept from where no choice was open.
    pub fn has_whole_way(&self) -> bool {
        self.way()[0].run.open_choices() == 0
    }

    /// The state before the latest input, or before the latest refusal of it.
    fn before_latest(&self) -> Result<&State, String> {
        let way = self.way();
        let before = way.len().checked_sub(2).map(|at| way[at]);
        before.ok_or_else(|| "there is no input yet".to_string())
    }

    /// Goes once more the way from before the latest input, or the latest refusal of it, to where the session stands, and
    /// tells an observer. Returns the run, which stands there, too.
    ///
    /// # Errors
    /// Why that cannot be done, in words.
    pub fn latest_once_more(&self, observer: &mut dyn Observer) -> Result<Run, String> {
        let before = self.before_latest()?;
        let mut run = fork(&before.run);
        run.go_once_more();
        follow(&mut run, before, &self.state, observer)?;
        Ok(run)
    }

    /// The same from the earliest state that is kept, which is mostly the beginning.
    ///
    /// # Errors
    /// See there.
    pub fn all_once_more(&self, observer: &mut dyn Observer) -> Result<Run, String> {
        self.before_latest()?;
        let way = self.way();
        let mut run = fork(&way[0].run);
        run.go_once_more();
        for two in way.windows(2) {
            follow(&mut run, two[0], two[1], observer)?;
        }
        if run.statistics().steps != self.state.run.statistics().steps {
            return Err("the session was changed from outside, so the way to it is not known any more".to_string());
        }
        Ok(run)
    }

    /// The run from before the latest input on, with that begun, and how many solutions lead to where the session stands.
    ///
    /// # Errors
    /// If there is none.
    pub fn begun_once_more(&self) -> Result<Run, String> {
        let before = self.before_latest()?;
        let mut run = fork(&before.run);
        run.go_once_more();
        if let Some(latest) = self.state.inputs.get(before.inputs.len()) {
            latest.begin_once_more(&mut run)?;
        }
        Ok(run)
    }
}
