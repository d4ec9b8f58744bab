//! Where in the program the pictures come from that a branch has drawn.

use crate::When;
use crate::recording::line::Timeline;
use ndscript::{Moment, Run};
use ndscript_base::source::Span;

/// At most this many pictures are recorded.
const MOST_PICTURES: usize = 1 << 16;

/// A picture that was drawn.
#[derive(Clone, Copy, Debug)]
struct Picture {
    when: When,
    /// Its number among those of its branch.
    number: usize,
    span: Option<Span>,
}

/// The pictures of a recording, in order. A failure undoes the pictures of its branch, so numbers occur again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn(Vec<Picture>);

impl Drawn {
    /// Records the picture of an event, the latest of its branch.
    pub fn record(&mut self, moment: &Moment<'_>) {
        let (when, count) = (moment.when(), moment.pictures());
        // Several pictures of one instruction are reported one by one when all of them exist.
        let same = self.0.iter_mut().rev();
        same.take_while(|picture| picture.when == when)
            .for_each(|picture| picture.number = picture.number.saturating_sub(1));
        if self.0.len() < MOST_PICTURES {
            self.0.push(Picture {
                when,
                number: count.saturating_sub(1),
                span: moment.span,
            });
        }
    }

    fn until(&self, when: When) -> &[Picture] {
        &self.0[..self.0.partition_point(|picture| picture.when <= when)]
    }
}

impl Timeline {
    /// When and where the first `count` pictures of a moment were drawn, in the order of
    /// [`Run::pending_pictures`](ndscript::Run::pending_pictures). `None` for unknown ones: of very many pictures only
    /// the first ones are recorded.
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
        for picture in self.drawn.until(when).iter().rev() {
            if missing == 0 {
                break;
            }
            if let Some(place) = drawn
                .get_mut(picture.number)
                .filter(|place| place.is_none())
            {
                *place = Some((picture.when, picture.span));
                missing -= 1;
            }
        }
        drawn
    }

    /// The timeline of a run that left this one at a moment.
    pub(crate) fn continued_by(&self, run: Run, when: When) -> Timeline {
        let mut timeline = Timeline::new(run);
        timeline.drawn = Drawn(self.drawn.until(when).to_vec());
        timeline
    }
}
