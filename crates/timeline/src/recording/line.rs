//! A run that was recorded, so that every moment of it can be gone back to.

use std::ops::ControlFlow;

use super::approach::MovingFork;
use super::event_log::{Counts, EventLog};
use super::forks::{Fork, Forks};
use crate::When;
use crate::moments::drawn::Drawn;
use ndscript::LimitReached;
use ndscript::Run;
use ndscript::ScriptError;
use ndscript::{Answer, Outcome, Question, Solution};
use ndscript::{Event, Moment, Observer, Wanted};
use ndscript_base::source::Sources;

/// The most forks and bytes. When there are more, every second fork goes: then a hundredth of the run lies between two,
/// which is less than a second of a run of a minute.
const MOST_FORKS: usize = 200;
const MOST_BYTES: usize = 256 << 20;

/// At most this many solutions are listed.
const MOST_LISTED: usize = 10_000;

/// Why recording has stopped.
#[derive(Clone, Debug)]
pub enum Recorded {
    /// The fuel is used up.
    Paused,
    /// A solution; recording again continues to the next one.
    Solved(Solution),
    /// The program asks; recording continues once there is an [answer](Timeline::answer).
    Asked(Question),
    /// There are no more solutions.
    Failed,
    /// The script made an error.
    Error(Box<ScriptError>),
    /// A limit was reached.
    Limit(LimitReached),
}

/// A run, recorded: it can be viewed as it was at any moment, and searched for events in both directions.
///
/// It stores a bounded number of forks of the run, and recomputes everything else from there: one program with one
/// seed, one set of parameters and equal answers always runs alike. The run does not print to the program's own sinks;
/// questions go to the caller that records.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::{Detail, Kind, Recorded, Sought, Timeline};
/// let program = Engine::new().compile("let x = choose(1, 2, 3);\nrequire(x > 2);\nprint(x);")?;
/// let mut timeline = Timeline::new(program.run(1));
/// assert!(matches!(timeline.record(1000), Recorded::Solved(_)));
/// assert_eq!(timeline.counts().of(Kind::Failure), 2);
/// let end = timeline.end();
/// let failure = timeline.previous(end, &Sought::Event(Kind::Failure)).unwrap();
/// assert_eq!(failure.line.unwrap().line, 2);
/// let scene = timeline.scene(failure.when, &Detail::default())?;
/// assert_eq!((scene.globals[0].name.as_str(), scene.globals[0].text.as_str()), ("x", "2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Timeline {
    pub(crate) head: Run,
    pub(crate) forks: Forks,
    pub(crate) answers: Vec<Answer>,
    pub(crate) has_ended: bool,
    pub(crate) is_asking: bool,
    latest: Recorded,
    counts: Counts,
    solutions: Vec<(When, u64)>,
    pub(crate) drawn: Drawn,
    /// The fork at or near the current moment.
    pub(crate) stand: Option<MovingFork>,
    pub(crate) going: Option<MovingFork>,
    /// A fork shortly before the latest moment, for stepping back.
    pub(crate) near: Option<(Run, usize)>,
}

impl Timeline {
    /// The timeline of a run from where it stands, which is its beginning or any other moment.
    pub fn new(mut run: Run) -> Timeline {
        run.ask_the_host();
        let when = run.when();
        // Earlier events are not recorded.
        run.take_unreported();
        // Values of types of the host that cannot be copied are missing in it, which is an error of the script there.
        let mut start = run.fork().unwrap_or_else(|_| run.clone());
        start.go_once_more();
        let most_bytes = MOST_BYTES.min(run.limits().memory / 2);
        let forks = Forks::new(Fork::new(start, when, 0), MOST_FORKS, most_bytes);
        Timeline {
            head: run,
            forks,
            answers: Vec::new(),
            has_ended: false,
            is_asking: false,
            latest: Recorded::Paused,
            counts: Counts::default(),
            solutions: Vec::new(),
            drawn: Drawn::default(),
            stand: None,
            going: None,
            near: None,
        }
    }

    /// Stores at most this many forks, of this many bytes in all; 96 and 256 MB by default, or half of the run's memory
    /// limit if that is less. The beginning is always stored.
    pub fn bounded(mut self, forks: usize, bytes: usize) -> Timeline {
        self.forks.bound(forks, bytes);
        self
    }

    /// Continues the recorded run for about `fuel` steps.
    pub fn record(&mut self, fuel: u64) -> Recorded {
        self.record_with(fuel, &mut NoEvents)
    }

    /// As `record`, with an observer. If it stops the run, the recording [pauses](Recorded::Paused).
    pub fn record_with(&mut self, fuel: u64, observer: &mut dyn Observer) -> Recorded {
        if matches!(self.latest, Recorded::Failed | Recorded::Error(_)) {
            // A run that has ended records nothing more.
            return self.latest.clone();
        }
        let goal = self.head.statistics().steps.saturating_add(fuel);
        loop {
            let steps = self.head.statistics().steps;
            let slice = self
                .forks
                .due_in(&self.head)
                .max(1)
                .min(goal.saturating_sub(steps));
            let mut recorder = Recorder {
                happened: self.forks.latest_mut(),
                counts: &mut self.counts,
                solutions: &mut self.solutions,
                drawn: &mut self.drawn,
                observer,
                has_stopped: false,
            };
            let outcome = self.head.watch(slice, &mut recorder);
            let has_stopped = recorder.has_stopped;
            let unreported = self.head.take_unreported();
            self.forks.latest_mut().record_unreported(&unreported);
            self.counts.add_unreported(&unreported);
            if self.forks.due_in(&self.head) == 0 {
                self.forks.add(&mut self.head, self.answers.len());
            }
            self.is_asking = matches!(outcome, Outcome::Asked(_));
            let recorded = match outcome {
                Outcome::OutOfFuel if has_stopped || self.head.statistics().steps >= goal => {
                    Recorded::Paused
                }
                Outcome::OutOfFuel => continue,
                Outcome::Solved(solution) => Recorded::Solved(solution),
                Outcome::Asked(question) => Recorded::Asked(question),
                // Later data of the host cannot be provided again when going back.
                Outcome::Waiting(ticket) => Recorded::Asked(Question {
                    prompt: format!(
                        "a function of the host waits for number {ticket}, which a recording cannot do"
                    ),
                    options: None,
                    text: String::new(),
                    pictures: Vec::new(),
                }),
                Outcome::Failed => Recorded::Failed,
                Outcome::Error(error) => Recorded::Error(error),
                Outcome::Limit(limit) => Recorded::Limit(limit),
            };
            self.latest = recorded.clone();
            self.has_ended = matches!(
                recorded,
                Recorded::Failed | Recorded::Error(_) | Recorded::Limit(_)
            );
            return recorded;
        }
    }

    /// Answers the pending question; false if there is none, or no such option.
    pub fn answer(&mut self, answer: Answer) -> bool {
        if !give(&mut self.head, &answer) {
            return false;
        }
        self.answers.push(answer);
        self.is_asking = false;
        self.latest = Recorded::Paused;
        true
    }

    /// The moment up to which the run was recorded.
    pub fn end(&self) -> When {
        self.head.when()
    }

    /// The moment at which the recording has begun.
    pub fn begin(&self) -> When {
        self.forks.list()[0].when
    }

    /// Whether the run is over: no solution is left, or an error or a limit has stopped it.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Why the recording has stopped.
    pub fn recorded(&self) -> &Recorded {
        &self.latest
    }

    /// How many events of each kind were recorded.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The solutions, with their moments and numbers; of very many the first ones.
    pub fn solutions(&self) -> &[(When, u64)] {
        &self.solutions
    }

    /// The texts of the program.
    pub fn sources(&self) -> &Sources {
        self.head.program().sources()
    }

    /// The run at the end of what was recorded.
    pub fn head(&self) -> &Run {
        &self.head
    }

    /// The number of stored forks, and their bytes.
    pub fn stored_forks(&self) -> (usize, usize) {
        (self.forks.list().len(), self.forks.bytes())
    }
}

/// Gives a run the answer to its question.
pub(crate) fn give(run: &mut Run, answer: &Answer) -> bool {
    match answer {
        Answer::Option(option) => run.answer(*option),
        Answer::Line(line) => run.answer_text(line),
    }
}

/// Wants as few events as possible.
struct NoEvents;

impl Observer for NoEvents {
    fn observe(&mut self, _: &Moment<'_>, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::NOTHING
    }
}

/// Records events.
struct Recorder<'a> {
    happened: &'a mut EventLog,
    counts: &'a mut Counts,
    solutions: &'a mut Vec<(When, u64)>,
    drawn: &'a mut Drawn,
    observer: &'a mut dyn Observer,
    has_stopped: bool,
}

impl Observer for Recorder<'_> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        // Lines are reported for the observer.
        if !matches!(
            event,
            Event::Line
                | Event::Failing
                | Event::Read { .. }
                | Event::Overwritten { .. }
                | Event::Turn
        ) {
            self.happened.record(event);
            self.counts.add(super::event_log::Kind::of(event));
        }
        if let Event::Solution { number } = event
            && self.solutions.len() < MOST_LISTED
        {
            self.solutions.push((moment.when(), *number));
        }
        if let Event::Picture { .. } = event {
            self.drawn.record(moment);
        }
        let flow = self.observer.observe(moment, event);
        self.has_stopped |= flow.is_break();
        flow
    }

    fn wanted(&self) -> Wanted {
        self.observer.wanted()
    }

    fn traced(&self) -> Option<(&str, usize)> {
        self.observer.traced()
    }
}
