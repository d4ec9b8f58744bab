//! Moving: a step or a continuation is a search in slices, at whose finds it is decided whether the run stops there.

use ndscript_timeline::{Direction, Found, Goal, Kind, Recorded, Sought, When};

use super::breakpoint::{Breakpoint, Filters, Spot};
use super::debuggee::Debuggee;
use super::evaluate;
use super::launch::Host;
use super::message::Outbox;
use super::motion::{Motion, Wish};
use super::session::Session;

/// What becomes of a find.
enum Verdict {
    Stop {
        reason: &'static str,
        words: String,
        hit: Vec<u64>,
    },
    Pass,
    /// The run is through.
    Terminate,
}

impl Verdict {
    /// Both of one moment: it is told by what says more, and with all breakpoints.
    fn or(self, other: Verdict) -> Verdict {
        let rank = |reason: &str| {
            let reasons = ["step", "breakpoint", "data breakpoint", "exception"];
            reasons.iter().position(|known| *known == reason)
        };
        match (self, other) {
            (Verdict::Pass, other) => other,
            (verdict, Verdict::Pass) => verdict,
            (
                Verdict::Stop {
                    reason,
                    words,
                    mut hit,
                },
                Verdict::Stop {
                    reason: other,
                    words: others,
                    hit: more,
                },
            ) => {
                hit.extend(more);
                let (reason, words) = if rank(other) > rank(reason) {
                    (other, others)
                } else {
                    (reason, words)
                };
                Verdict::Stop { reason, words, hit }
            }
            (verdict, _) => verdict,
        }
    }
}

impl<H: Host> Session<H> {
    /// Begins to move.
    ///
    /// # Errors
    /// If there is no way there.
    pub(super) fn begin(&mut self, wish: Wish, direction: Direction) -> Result<(), String> {
        let Some(debuggee) = &mut self.debuggee else {
            return Err("no program is debugged".to_string());
        };
        let is_forward = direction == Direction::Forward;
        if is_forward && debuggee.is_at_end() {
            self.terminate();
            return Ok(());
        }
        if is_forward
            && matches!(debuggee.walk.timeline().recorded(), Recorded::Asked(_))
            && debuggee.walk.at() >= debuggee.walk.timeline().end()
        {
            return Err("the program asks: type the answer into the debug console".to_string());
        }
        // A failure leads somewhere else: whatever line comes next is where a step ends.
        let wish = match wish {
            Wish::Step(_) if is_forward && debuggee.walk.is_at_failure() => Wish::Step(Goal::Step),
            wish => wish,
        };
        let depth = match &wish {
            Wish::Step(Goal::Over) => debuggee.walk.run().ok().map(ndscript::Run::depth),
            Wish::Step(Goal::Out) => {
                let run = debuggee.walk.run().ok();
                run.and_then(|run| run.depth().checked_sub(1))
            }
            Wish::Step(_) | Wish::Continue => None,
        };
        let mut goals: Vec<Goal> = Vec::new();
        if let Wish::Step(goal) = &wish {
            goals.push(goal.clone());
        }
        goals.extend(self.stops(direction).into_iter().map(Goal::Event));
        let goal = Goal::Any(goals);
        let Some(debuggee) = &mut self.debuggee else {
            return Ok(());
        };
        let search = debuggee
            .walk
            .search(&goal, direction)
            .map_err(|no_way| no_way.to_string())?;
        debuggee.references.clear();
        let from = debuggee.walk.at();
        self.motion = Some(Motion {
            wish,
            direction,
            search,
            from,
            depth,
        });
        Ok(())
    }

    /// What the client wants the run to stop at, and solutions.
    fn stops(&self, direction: Direction) -> Vec<Sought> {
        let mut sought: Vec<Sought> = self.breakpoints.iter().map(Breakpoint::sought).collect();
        sought.extend(self.filters.sought());
        if direction == Direction::Forward || self.filters.solution {
            sought.push(Sought::Event(Kind::Solution));
        }
        sought
    }

    /// Begins the same move anew from where the run stands: what it is to stop at has changed.
    pub(super) fn begin_again(&mut self) {
        if let Some(Motion {
            wish, direction, ..
        }) = self.motion.take()
        {
            // There was a way.
            let _ = self.begin(wish, direction);
        }
    }

    /// Stops a move; the run stands where it has come to.
    pub(super) fn pause(&mut self) {
        let Some(motion) = self.motion.take() else {
            return;
        };
        let Some(debuggee) = &mut self.debuggee else {
            return;
        };
        if motion.direction == Direction::Forward {
            let end = debuggee.walk.timeline().end();
            debuggee.walk.stand(end);
        }
        debuggee.stop(&mut self.out, "pause", "", &[]);
    }

    /// Goes on with a move for about so many steps.
    pub(super) fn advance(&mut self, fuel: u64) {
        let (Some(motion), Some(debuggee)) = (&mut self.motion, &mut self.debuggee) else {
            return;
        };
        let Some(found) = debuggee.walk.resume(&mut motion.search, fuel) else {
            return;
        };
        let Some(found) = found else {
            self.come_to_border();
            return;
        };
        debuggee.walk.come_to(&found);
        match self.verdict_on_moment(&found) {
            Verdict::Stop { reason: "step", .. } if self.has_come_to_begin() => {
                self.come_to_border();
            }
            Verdict::Stop { reason, words, hit } => {
                self.motion = None;
                if let Some(debuggee) = &mut self.debuggee {
                    debuggee.stop(&mut self.out, reason, &words, &hit);
                }
            }
            Verdict::Pass => self.pass(),
            Verdict::Terminate => {
                self.motion = None;
                self.terminate();
            }
        }
    }

    /// Whether a step back ends where the run begins, so that there is no further one.
    fn has_come_to_begin(&self) -> bool {
        let is_back = |motion: &Motion| motion.direction == Direction::Back;
        let is_there = |debuggee: &Debuggee| debuggee.walk.at() <= debuggee.walk.timeline().begin();
        self.motion.as_ref().is_some_and(is_back) && self.debuggee.as_ref().is_some_and(is_there)
    }

    /// What ends a move: what the client wants to stop at, and what ends a step, which stays within the calls that it began
    /// in.
    fn ends(&self, motion: &Motion) -> Vec<Sought> {
        let is_back = motion.direction == Direction::Back;
        let lines = |depth| Sought::Line { at: None, depth };
        let own = match &motion.wish {
            Wish::Continue => None,
            Wish::Step(Goal::Out) if !is_back => motion.depth.map(|depth| Sought::Return { depth }),
            Wish::Step(_) => Some(lines(motion.depth)),
        };
        let is_step = own.is_some();
        let mut all = self.stops(motion.direction);
        all.extend(own);
        all.extend(is_step.then_some(Sought::Event(Kind::Failure)));
        all
    }

    /// Goes on behind a find.
    fn pass(&mut self) {
        let Some(motion) = self.motion.take() else {
            return;
        };
        let all = self.ends(&motion);
        let Some(debuggee) = &self.debuggee else {
            return;
        };
        let at = debuggee.walk.at();
        let timeline = debuggee.walk.timeline();
        let search = timeline.search(at, motion.direction, Sought::Any(all));
        self.motion = Some(Motion { search, ..motion });
    }

    /// There is nothing more in the direction: it stands at the end or the beginning.
    fn come_to_border(&mut self) {
        let (Some(motion), Some(debuggee)) = (self.motion.take(), &mut self.debuggee) else {
            return;
        };
        let timeline = debuggee.walk.timeline();
        if motion.direction == Direction::Back {
            let begin = timeline.begin();
            debuggee.walk.stand(begin);
            let is_fork = debuggee.walk.is_where_fork_begins();
            // What was before a fork lies on the way that it has left.
            if is_fork && (motion.wish == Wish::Continue || motion.from <= begin) {
                debuggee.walk.untake();
                debuggee.told = 0;
                self.breakpoints.iter_mut().for_each(Breakpoint::forget);
                // There is a way back from wherever it stood.
                let _ = self.begin(motion.wish, Direction::Back);
                return;
            }
            let words = if debuggee.walk.is_on_first_way() {
                "The run begins here"
            } else if is_fork {
                "This fork begins here; a step back leaves it"
            } else {
                "This way begins here; `untake` returns to the one that was left"
            };
            debuggee.stop(&mut self.out, "entry", words, &[]);
            return;
        }
        let end = timeline.end();
        debuggee.walk.stand(end);
        let (reason, words) = debuggee.end(&mut self.out);
        debuggee.stop(&mut self.out, reason, &words, &[]);
    }

    /// Whether the run stops at what was found, or at something else of the same moment: behind a write begins a line, and on
    /// a line a branch may fail. No search comes back to that moment.
    fn verdict_on_moment(&mut self, found: &Found) -> Verdict {
        let mut verdict = self.verdict(found);
        let mut seen = vec![found.kind];
        for other in self.others_at(found) {
            // Of several writes one was asked for all breakpoints.
            if seen.contains(&other.kind) {
                continue;
            }
            seen.push(other.kind);
            if other.kind == Kind::Failure
                && let Some(debuggee) = &mut self.debuggee
            {
                debuggee.walk.come_to(&other);
            }
            verdict = verdict.or(self.verdict(&other));
        }
        verdict
    }

    /// What else the move is looking for at the moment of a find.
    fn others_at(&mut self, found: &Found) -> Vec<Found> {
        let Filters {
            failure,
            choice,
            empty_cell,
            ..
        } = self.filters;
        let is_data = |breakpoint: &Breakpoint| breakpoint.spot.is_data();
        // Lines alone, as most moves have them, share no moment.
        let may_be = failure || choice || empty_cell || self.breakpoints.iter().any(is_data);
        let (Some(motion), Some(debuggee)) = (&self.motion, &self.debuggee) else {
            return Vec::new();
        };
        if !may_be || found.kind == Kind::Solution {
            return Vec::new();
        }
        let all = Sought::Any(self.ends(motion));
        let timeline = debuggee.walk.timeline();
        let begin = When::step(found.when.step.saturating_sub(1)).max(timeline.begin());
        let behind = When {
            inside: found.when.inside + 1,
            ..found.when
        };
        let Some(debuggee) = &mut self.debuggee else {
            return Vec::new();
        };
        let mut others = debuggee
            .walk
            .timeline_mut()
            .all(begin, behind, &all, usize::MAX);
        others.retain(|other| other.when == found.when);
        others
    }

    /// Whether the run stops at what was found.
    fn verdict(&mut self, found: &Found) -> Verdict {
        let (Some(motion), Some(debuggee)) = (&self.motion, &mut self.debuggee) else {
            return Verdict::Pass;
        };
        let stop = |reason, words: String| Verdict::Stop {
            reason,
            words,
            hit: Vec::new(),
        };
        let is_step = matches!(motion.wish, Wish::Step(_));
        if found.kind == Kind::Solution {
            let number = debuggee.come_to_solution(&mut self.out);
            if self.filters.solution || is_step {
                return stop("exception", format!("Solution {number}"));
            }
            return Verdict::Terminate;
        }
        if matches!(found.kind, Kind::Failure | Kind::Choice) {
            // A step in either direction ends at a failure; a search for it stops nowhere else.
            return stop("exception", found.text.clone());
        }
        let mut hit = Vec::new();
        let is_only = self.breakpoints.len() == 1;
        let (host, first) = (&self.host, self.first_line);
        let place = |debuggee: &mut Debuggee| debuggee.place_of_line(first, |name| host.path(name));
        for breakpoint in &mut self.breakpoints {
            if breakpoint.may_be_at(found)
                && (is_only || found.kind == Kind::Line || debuggee.is_found_by(found, breakpoint))
                && comes_to(debuggee, &mut self.out, breakpoint, place)
            {
                hit.push(breakpoint.id);
            }
        }
        if !hit.is_empty() {
            let is_line = found.kind == Kind::Line;
            return Verdict::Stop {
                reason: if is_line {
                    "breakpoint"
                } else {
                    "data breakpoint"
                },
                words: if is_line {
                    String::new()
                } else {
                    found.text.clone()
                },
                hit,
            };
        }
        let mut is_deeper = || {
            let depth = debuggee.walk.run().map_or(0, ndscript::Run::depth);
            motion.depth.is_some_and(|most| depth > most)
        };
        let ends_step = match found.kind {
            Kind::Line => {
                is_step
                    && !(matches!(motion.wish, Wish::Step(Goal::Out))
                        && motion.direction == Direction::Forward)
                    && !is_deeper()
            }
            Kind::Return => is_step && !is_deeper(),
            _ => false,
        };
        if ends_step {
            return stop("step", String::new());
        }
        Verdict::Pass
    }

    /// The breakpoints that stop the run where it begins; log points write. No search finds the line that the run stands on.
    pub(super) fn hits_at_entry(&mut self) -> Vec<u64> {
        let Some(debuggee) = &mut self.debuggee else {
            return Vec::new();
        };
        let Some(line) = debuggee.scene(0).ok().and_then(|scene| scene.line) else {
            return Vec::new();
        };
        let here = Spot::Line(line.file, line.line);
        let (host, first) = (&self.host, self.first_line);
        let place = |debuggee: &mut Debuggee| debuggee.place_of_line(first, |name| host.path(name));
        let mut hit = Vec::new();
        for breakpoint in &mut self.breakpoints {
            if breakpoint.spot == here && comes_to(debuggee, &mut self.out, breakpoint, place) {
                hit.push(breakpoint.id);
            }
        }
        hit
    }

    /// The run is through.
    pub(super) fn terminate(&mut self) {
        let code = self.debuggee.as_ref().map_or(0, Debuggee::exit_code);
        self.out
            .event("exited", serde_json::json!({"exitCode": code}));
        self.out.event("terminated", serde_json::json!({}));
    }
}

/// Whether a breakpoint stops the run, which stands at it.
fn comes_to(
    debuggee: &mut Debuggee,
    out: &mut Outbox,
    breakpoint: &mut Breakpoint,
    place: impl Fn(&mut Debuggee) -> serde_json::Value,
) -> bool {
    if let Some(condition) = &breakpoint.condition {
        let held = match debuggee.walk.run() {
            Ok(run) => evaluate::holds(run, 0, condition),
            Err(beyond) => Err(beyond.to_string()),
        };
        match held {
            Ok(true) => {}
            Ok(false) => return false,
            Err(why) => {
                // As other debuggers do: a condition that says nothing stops.
                out.output("stderr", &format!("the condition `{condition}`: {why}"));
            }
        }
    }
    if let Some(hits) = breakpoint.hits
        && !hits.holds(debuggee.times_met(breakpoint))
    {
        return false;
    }
    let Some(log) = &breakpoint.log else {
        return true;
    };
    let text = match debuggee.walk.run() {
        Ok(run) => evaluate::message(run, 0, log),
        Err(beyond) => beyond.to_string(),
    };
    let mut body = place(debuggee);
    if !body.is_object() {
        body = serde_json::json!({});
    }
    body["category"] = serde_json::json!("console");
    body["output"] = serde_json::json!(text + "\n");
    out.event("output", body);
    false
}
