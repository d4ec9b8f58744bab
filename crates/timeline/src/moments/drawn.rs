//! Where in the program the pictures come from that a branch has drawn.

use crate::When;
use crate::recording::line::Timeline;
use ndscript::{Moment, Run};
use ndscript_base::source::Span;

/// So many are noted.
const MOST: usize = 1 << 16;

/// A picture that was drawn.
#[derive(Clone, Copy, Debug)]
struct Noted {
    when: When,
    /// Its number among those of its branch.
    number: usize,
    span: Option<Span>,
}

/// The pictures of a recording, in order. What a branch has drawn is cut back when it fails: a number comes again then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn(Vec<Noted>);

impl Drawn {
    /// Notes the picture that an event tells of, the latest of its branch.
    pub fn note(&mut self, moment: &Moment<'_>) {
        let (when, count) = (moment.when(), moment.pictures());
        // Several of one instruction are told one after the other when all of them are there.
        let same = self.0.iter_mut().rev();
        same.take_while(|noted| noted.when == when)
            .for_each(|noted| noted.number = noted.number.saturating_sub(1));
        if self.0.len() < MOST {
            self.0.push(Noted {
                when,
                number: count.saturating_sub(1),
                span: moment.span,
            });
        }
    }

    fn until(&self, when: When) -> &[Noted] {
        &self.0[..self.0.partition_point(|noted| noted.when <= when)]
    }
}

impl Timeline {
    /// When and where the pictures were drawn that a moment has, in the order of
    /// [`Run::pending_pictures`](ndscript::Run::pending_pictures): so many. `None` of those that are not known: of very many
    /// pictures the first ones are.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::Timeline;
    /// let program = Engine::new().compile("printImage(\"red\");\nchoose { printImage(\"blue\"); fail; } or {}\nprintImage(\"green\");")?;
    /// let mut timeline = Timeline::new(program.run(1));
    /// while timeline.solutions().is_empty() {
    ///     timeline.record(1000);
    /// }
    /// let drawn = timeline.drawn_at(timeline.end(), 2);
    /// let lines = drawn.iter().map(|drawn| timeline.sources().locate(drawn.unwrap().1.unwrap()).unwrap().1);
    /// assert_eq!(lines.collect::<Vec<_>>(), [1, 3]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn drawn_at(&self, when: When, count: usize) -> Vec<Option<(When, Option<Span>)>> {
        let mut drawn = vec![None; count];
        let mut missing = count;
        for noted in self.drawn.until(when).iter().rev() {
            if missing == 0 {
                break;
            }
            if let Some(place) = drawn.get_mut(noted.number).filter(|place| place.is_none()) {
                *place = Some((noted.when, noted.span));
                missing -= 1;
            }
        }
        drawn
    }

    /// The timeline of a run that has left this one at a moment.
    pub(crate) fn going_on_with(&self, run: Run, when: When) -> Timeline {
        let mut timeline = Timeline::new(run);
        timeline.drawn = Drawn(self.drawn.until(when).to_vec());
        timeline
    }
}
