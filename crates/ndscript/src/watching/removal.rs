//! Why places of boards lose candidates, for observers.

use super::observer::Moment;
use crate::values::view::View;
use ndscript_heap::Value as Word;
use ndscript_heap::board;

/// Candidates that a place of a board has lost, and why.
pub struct Removal<'a> {
    /// The place, by its position, index or key.
    pub place: View<'a>,
    /// The built-in that has put the constraint on the board; `None` if the statement itself has taken them away.
    pub constraint: Option<&'static str>,
    /// The built-in that posted the count which leaves too little for a path or a region that needs them, if that is
    /// the reason.
    pub beside: Option<&'static str>,
    /// The candidates that were lost.
    pub lost: Vec<View<'a>>,
    /// The other places that it came from, with the candidates that each had then: of `related`, `tuples`, `pattern`, `sumOf`,
    /// `connected` and `reachable` as few as leaving out finds. Empty where it follows from the constraint alone, or came from the statement, or the
    /// observer does not want [reasons](crate::Wanted::reasons).
    pub from: Vec<(View<'a>, Vec<View<'a>>)>,
}

/// How a place of a board lost all its candidates.
pub struct DeadEnd<'a> {
    /// The board.
    pub board: View<'a>,
    /// The constraint that could not hold.
    pub constraint: Option<&'static str>,
    /// The places that it is on, by their positions, indices or keys; none where it is on the whole board.
    pub on: Vec<View<'a>>,
    /// The removals since the failing statement began, in order: the last ones led to the dead end.
    pub removals: Vec<Removal<'a>>,
}

impl<'a> Moment<'a> {
    /// Why a place of a board has lost candidates, in order; to be asked at its
    /// [`Write`](super::observer::Event::Write) event. The reasons are those of this write alone: earlier ones were
    /// reported before.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ndscript::{Engine, Event, Moment, Target};
    /// let program = Engine::new().compile(
    ///     "let b = [setOf(1, 2, 3), setOf(1, 2, 3), setOf(1, 2)]; allDifferent(b, [0, 1]); sumOf(b, 0, 4); b[0] = 2;",
    /// )?;
    /// let mut told = Vec::new();
    /// program.run(1).watch(1000, &mut |moment: &Moment, event: &Event| {
    ///     if let Event::Write { target: Target::Part(board, place), .. } = event {
    ///         for removal in moment.removals(*board, *place) {
    ///             let lost: Vec<String> = removal.lost.iter().map(|value| value.to_string()).collect();
    ///             let from: Vec<String> = removal.from.iter().map(|(place, _)| place.to_string()).collect();
    ///             let by = removal.constraint.unwrap_or("statement");
    ///             told.push(format!("{place} loses {} by {by} from {}", lost.join(" "), from.join(" ")));
    ///         }
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(told[0], "0 loses 3 by sumOf from ");
    /// assert!(told.contains(&"0 loses 1 by statement from ".to_string()), "{told:?}");
    /// assert!(told.contains(&"1 loses 2 by sumOf from 0".to_string()), "{told:?}");
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn removals(&self, board: View<'_>, place: View<'_>) -> Vec<Removal<'a>> {
        let Some(place) = self.machine.place_of_key(board.word, place.word) else {
            return Vec::new();
        };
        let removals = self.machine.context.heap.removals(board.word, place);
        removals
            .into_iter()
            .map(|removal| self.removal(board.word, removal))
            .collect()
    }

    /// How many guesses of `decide` the latest failure has skipped because they had no part in it: asked at the
    /// [`Take`](super::observer::Event::Take) of another alternative than the first, which the failure has led to.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ndscript::{Engine, Event, Moment};
    /// let text = "let s = setOf(0, 1);
    ///     let b = [s, s, s, s, s, s];
    ///     related(b, 0, 1, (x, y) => x <= y);
    ///     related(b, 5, 1, (x, y) => x <= y);
    ///     tuples(b, [2, 3, 4], [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    ///     tuples(b, [2, 4, 3], [[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]]);
    ///     decide(b, {places: [5, 2, 0, 3], order: \"first\"});";
    /// let mut skipped = 0;
    /// Engine::new().compile(text)?.run(1).watch(100_000, &mut |moment: &Moment, event: &Event| {
    ///     if let Event::Take { number: 1.., .. } = event {
    ///         skipped += moment.skipped();
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert!(skipped > 0);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn skipped(&self) -> u64 {
        self.machine.search.skipped_by_failure
    }

    /// How a place of the failing statement's board lost all its candidates; to be asked at the
    /// [`Fail`](super::observer::Event::Fail) event. `None` if something else has failed.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ndscript::{Engine, Event, Moment};
    /// let mut told = Vec::new();
    /// for text in [
    ///     "let b = [setOf(1, 2), setOf(1, 2)]; allDifferent(b); b[0] = 1; b[1] = 1;",
    ///     "let s = setOf(1, 2); let b = [s, s, s, s]; tuples(b, [1, 3], [[2, 2]]); tuples(b, [3, 1], [[1, 1]]);",
    /// ] {
    ///     Engine::new().compile(text)?.run(1).watch(1000, &mut |moment: &Moment, event: &Event| {
    ///         if let (Event::Fail { .. }, Some(dead_end)) = (event, moment.dead_end()) {
    ///             let on: Vec<i64> = dead_end.on.iter().filter_map(|place| place.as_i64()).collect();
    ///             told.push((dead_end.constraint, on));
    ///         }
    ///         ControlFlow::Continue(())
    ///     });
    /// }
    /// assert_eq!(told, [(None, vec![]), (Some("tuples"), vec![3, 1])]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn dead_end(&self) -> Option<DeadEnd<'a>> {
        let dead_end = self.machine.context.heap.observed.dead_end.as_deref()?;
        let removals = dead_end
            .removals
            .iter()
            .map(|removal| self.removal(dead_end.container, removal.clone()));
        Some(DeadEnd {
            board: self.view(dead_end.container),
            constraint: dead_end.constraint,
            on: dead_end
                .on
                .iter()
                .map(|place| self.place(dead_end.container, *place as usize))
                .collect(),
            removals: removals.collect(),
        })
    }

    /// Whether there is one.
    #[doc(hidden)]
    pub fn leaves_nothing(&self) -> bool {
        self.machine.context.heap.observed.dead_end.is_some()
    }

    fn place(&self, container: Word, place: usize) -> View<'a> {
        self.view(self.machine.context.name_of_place(container, place))
    }

    fn removal(&self, container: Word, removal: board::Removal) -> Removal<'a> {
        let name = |place| self.place(container, place);
        let views = |values: Vec<Word>| values.into_iter().map(|value| self.view(value)).collect();
        Removal {
            place: name(removal.place),
            constraint: removal.constraint,
            beside: removal.beside,
            lost: views(removal.values),
            from: removal
                .from
                .into_iter()
                .map(|(place, values)| (name(place), views(values)))
                .collect(),
        }
    }
}
