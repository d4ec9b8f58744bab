//! Walking through a recorded search, forwards and backwards: where one stands, and where a goal lies from there. The debugger
//! at the terminal and those in editors walk by this.

use super::approach::Beyond;
use super::event_log::Kind;
use super::line::Timeline;
use super::search::{Direction, Found, Search, Sought};
use crate::When;
use crate::moments::narrowed::CannotNarrow;
use crate::moments::place::Place;
use crate::moments::scene::{Detail, NoAlternative, Scene};
use ndscript::Run;
use ndscript::{Answer, Data};

/// Where to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The next line, into calls. Forward, a failure comes first if there is one.
    Step,
    /// The next line, over calls; a failure as well.
    Over,
    /// Out of the call; a failure as well.
    Out,
    /// Whatever it is.
    Event(Sought),
    /// The first of several.
    Any(Vec<Goal>),
}

/// Why a goal cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWay {
    /// The current moment is in no call that could be left.
    NoCall,
    /// Where it stands was not recorded.
    Beyond(Beyond),
}

impl std::fmt::Display for NoWay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoWay::NoCall => f.write_str("this is the program itself: there is no call to leave"),
            NoWay::Beyond(beyond) => beyond.fmt(f),
        }
    }
}

impl std::error::Error for NoWay {}

/// A recorded run, and the current moment in it.
struct Way {
    timeline: Timeline,
    at: When,
    at_failure: bool,
    /// It starts at the current moment of the way before it.
    is_fork: bool,
}

/// A walk: a timeline with a current moment, and those that were left to take another alternative.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::{Direction, Goal, Kind, Sought, Timeline, Walk};
/// let program = Engine::new().compile("let x = choose(1, 2);\nrequire(x > 1);\nprint(x);")?;
/// let mut walk = Walk::new(Timeline::new(program.run(1)));
/// let mut search = walk.search(&Goal::Event(Sought::Event(Kind::Failure)), Direction::Forward)?;
/// let found = loop {
///     if let Some(found) = walk.resume(&mut search, 1000) {
///         break found.unwrap();
///     }
/// };
/// walk.come_to(&found);
/// assert!(walk.is_at_failure() && walk.at() == found.when);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Walk {
    /// The current way, last, and those that were left. Never empty.
    ways: Vec<Way>,
}

impl Walk {
    /// A walk that stands at the beginning of a timeline.
    pub fn new(timeline: Timeline) -> Walk {
        Walk {
            ways: vec![Way::new(timeline)],
        }
    }

    fn way(&self) -> &Way {
        &self.ways[self.ways.len() - 1]
    }

    fn way_mut(&mut self) -> &mut Way {
        let last = self.ways.len() - 1;
        &mut self.ways[last]
    }

    /// The timeline of the current way.
    pub fn timeline(&self) -> &Timeline {
        &self.way().timeline
    }

    /// See [`Walk::timeline`].
    pub fn timeline_mut(&mut self) -> &mut Timeline {
        &mut self.way_mut().timeline
    }

    /// Where it stands.
    pub fn at(&self) -> When {
        self.way().at
    }

    /// Whether it stands at a failure, before anything is undone.
    pub fn is_at_failure(&self) -> bool {
        self.way().at_failure
    }

    /// Whether the current way is the first.
    pub fn is_on_first_way(&self) -> bool {
        self.ways.len() == 1
    }

    /// Stands at a moment that was recorded.
    pub fn stand(&mut self, at: When) {
        let way = self.way_mut();
        (way.at, way.at_failure) = (at, false);
    }

    /// Stands where something was found.
    pub fn come_to(&mut self, found: &Found) {
        let way = self.way_mut();
        (way.at, way.at_failure) = (found.when, found.kind == Kind::Failure);
    }

    /// The state at the current moment.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn scene(&mut self, detail: &Detail) -> Result<Scene, Beyond> {
        let way = self.way_mut();
        way.timeline.scene(way.at, detail)
    }

    /// The run where it stands.
    ///
    /// # Errors
    /// If the moment was not recorded.
    pub fn run(&mut self) -> Result<&Run, Beyond> {
        let way = self.way_mut();
        way.timeline.run_at(way.at)
    }

    /// Begins to search for a goal; [`Walk::resume`] continues.
    ///
    /// # Errors
    /// If it cannot be searched for.
    pub fn search(&mut self, goal: &Goal, direction: Direction) -> Result<Search, NoWay> {
        let what = self.sought(goal, direction)?;
        let way = self.way();
        Ok(way.timeline.search(way.at, direction, what))
    }

    fn depth(&mut self) -> Result<usize, NoWay> {
        Ok(self.run().map_err(NoWay::Beyond)?.depth())
    }

    /// The events that reach a goal from the current moment.
    fn sought(&mut self, goal: &Goal, direction: Direction) -> Result<Sought, NoWay> {
        let is_back = direction == Direction::Back;
        let line = |depth| Sought::Line { at: None, depth };
        let or_failure = |what| Sought::Any(vec![what, Sought::Event(Kind::Failure)]);
        Ok(match goal {
            // A failure leads somewhere else: it is not passed over.
            Goal::Step | Goal::Over | Goal::Out if self.is_at_failure() && !is_back => line(None),
            Goal::Step => or_failure(line(None)),
            Goal::Over => or_failure(line(Some(self.depth()?))),
            Goal::Out => {
                let outside = self.depth()?.checked_sub(1).ok_or(NoWay::NoCall)?;
                if is_back {
                    line(Some(outside))
                } else {
                    or_failure(Sought::Return { depth: outside })
                }
            }
            Goal::Event(sought) => sought.clone(),
            Goal::Any(goals) => {
                let sought = goals.iter().map(|goal| self.sought(goal, direction));
                Sought::Any(sought.collect::<Result<_, _>>()?)
            }
        })
    }

    /// Continues a search for about `fuel` steps; `None` if it is not done. The current moment stays.
    pub fn resume(&mut self, search: &mut Search, fuel: u64) -> Option<Option<Found>> {
        let found = search.resume(&mut self.way_mut().timeline, fuel)?;
        Some(found.into_iter().next())
    }

    /// Goes back to an open choice and takes another alternative of it, both counted as in [`Scene::choices`]. That
    /// begins a way of its own, at whose beginning the walk then is.
    ///
    /// # Errors
    /// If there is no such alternative.
    pub fn take(&mut self, choice: usize, alternative: usize) -> Result<(), NoAlternative> {
        let way = self.way_mut();
        let timeline = way.timeline.with_alternative(way.at, choice, alternative)?;
        self.ways.push(Way::new(timeline));
        Ok(())
    }

    /// Narrows a place of a board at the current moment: see [`Timeline::with_narrowed`]. That begins a way of its own,
    /// a fork of the present one, at whose beginning the walk then is.
    ///
    /// # Errors
    /// If there is nothing to narrow, or nothing would be left.
    pub fn narrow(
        &mut self,
        call: Option<usize>,
        place: &Place,
        values: &Data,
    ) -> Result<(), CannotNarrow> {
        let way = self.way_mut();
        let timeline = way.timeline.with_narrowed(way.at, call, place, values)?;
        self.ways.push(Way {
            is_fork: true,
            ..Way::new(timeline)
        });
        Ok(())
    }

    /// Whether this is the beginning of a fork: what came before is on the previous way, to which [`Walk::untake`]
    /// returns.
    pub fn is_where_fork_begins(&self) -> bool {
        let way = self.way();
        way.is_fork && way.at <= way.timeline.begin()
    }

    /// Returns to the previous way; false if there is none.
    pub fn untake(&mut self) -> bool {
        let has_left = !self.is_on_first_way();
        if has_left {
            self.ways.pop();
        }
        has_left
    }

    /// Answers what the program asks where the recording ends, and stands there; false if it asks nothing, or has no such
    /// option.
    pub fn answer(&mut self, answer: Answer) -> bool {
        let is_answered = self.timeline_mut().answer(answer);
        if is_answered {
            let end = self.timeline().end();
            self.stand(end);
        }
        is_answered
    }
}

impl Way {
    fn new(timeline: Timeline) -> Way {
        let at = timeline.begin();
        Way {
            timeline,
            at,
            at_failure: false,
            is_fork: false,
        }
    }
}
