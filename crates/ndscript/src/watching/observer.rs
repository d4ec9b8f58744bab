//! Watching a search: its events, reported to the host as they happen.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::runs::calls::{CallView, calls_of};
use crate::runs::outcome::Outcome;
use crate::runs::run::{Pause, Run};
use crate::values::path::path_from;
use crate::values::view::View;
use ndscript_base::limits::LimitReached;
use ndscript_base::picture::Picture;
use ndscript_base::source::{Sources, Span};
use ndscript_bytecode::Function;
use ndscript_heap::Value as Word;
use ndscript_machine::host::record::Snapshot;
use ndscript_machine::host::when::When;
use ndscript_machine::machine::Machine;
use ndscript_machine::watch::Unreported;
pub use ndscript_machine::watch::Wanted;
use ndscript_machine::watch::origins::{OriginWatcher, Origins};
use ndscript_machine::watch::{EventPoint, Watch, WatchEvent, Watcher, Watching, Written};

/// The number of calls in which a variable, or a name for a collection, is searched for.
const CALLS: usize = 16;
const NAMING: usize = 4;

/// At most this many variables of a statement are searched for a name.
const WORDS: usize = 8;

/// The events of a search, in the order in which they happen (docs/language.md).
///
/// Values are views: nothing is copied unless the observer does.
#[non_exhaustive]
pub enum Event<'a> {
    /// A line of the program is about to run: another one than before, in another call, or the current one again. Only
    /// if wanted: see [`Wanted::lines`].
    Line,
    /// An element, a field or a cell was read by the program itself. Only if wanted: see [`Wanted::reads`].
    Read {
        /// The collection.
        collection: View<'a>,
        /// The index, the key or the position.
        key: View<'a>,
    },
    /// An element, a field or a cell is about to be written to, by the program itself. Only if reads are wanted.
    Overwritten {
        /// The collection.
        collection: View<'a>,
        /// The index, the key or the position.
        key: View<'a>,
        /// Its earlier value.
        held: View<'a>,
    },
    /// The branch is about to fail: variables and collections still hold its values. [`Event::Fail`] follows, with all
    /// of that undone. Not reported of a guess that is undone because another solution is wanted, nor where a
    /// constraint that the program has written itself fails. Only if wanted: see [`Wanted::deaths`].
    Dying,
    /// A loop begins its next turn; the place of the moment is all of the loop. Only if reads are wanted.
    Turn,
    /// A choice point was made.
    Choice {
        /// Its number: those of a run count up.
        id: u64,
        /// The choice point that was open before it.
        parent: Option<u64>,
        /// How many alternatives it has, the one that is tried first included.
        alternatives: usize,
    },
    /// An alternative of a choice point is tried.
    Take {
        /// The choice point.
        id: u64,
        /// How many of its alternatives were tried before.
        number: usize,
        /// Where the alternative stands, if it is one of a `choose`.
        alternative: Option<Span>,
        /// The value that was chosen, if it is an element of something.
        value: Option<View<'a>>,
    },
    /// The branch has failed. The run backtracks to the latest choice that has an alternative left: the next event is
    /// the `Take` of that, or the end.
    Fail {
        /// In words.
        why: &'a str,
    },
    /// A variable, an element, a field or a cell has a value, or a place of a board has lost candidates.
    Write {
        /// The place that was written to.
        target: Target<'a>,
        /// Its new value.
        value: View<'a>,
    },
    /// Text was printed.
    Print {
        /// The text.
        text: &'a str,
    },
    /// A picture was printed.
    Picture {
        /// Its description.
        picture: &'a Arc<Picture>,
    },
    /// A picture was recorded by `snapshot`.
    Snapshot {
        /// The picture, with the program's text for it.
        snapshot: &'a Snapshot,
    },
    /// A function of the program was called.
    Enter {
        /// Its name; empty for a function value.
        function: &'a str,
        /// Its arguments.
        arguments: Arguments<'a>,
    },
    /// A function of the program has returned.
    Leave {
        /// Its name; empty for a function value.
        function: &'a str,
        /// The value that it has returned.
        value: View<'a>,
    },
    /// The end of the program was reached.
    Solution {
        /// How many solutions there were, this one included.
        number: u64,
    },
    /// The run has ended: there is no further solution, or an error or a limit has stopped it.
    End {
        /// The result, as the exit codes of the command line name it: `solution`, `no solution`, `error`, `limit` or
        /// `interrupted`.
        result: &'a str,
        /// The error, or the limit that has stopped it. The place of the moment is that of the error.
        why: Option<&'a str>,
    },
}

/// Views of the arguments of a call.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    machine: &'a Machine,
    words: &'a [Word],
}

impl<'a> Arguments<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// A look at each.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = View<'a>> + use<'a> {
        let machine = self.machine;
        self.words.iter().map(move |word| View {
            context: &machine.context,
            word: machine.content(*word),
        })
    }
}

/// The place that was written to.
pub enum Target<'a> {
    /// A variable.
    Variable(&'a str),
    /// An element, a field or a cell of a collection, by its index, key or position.
    Part(View<'a>, View<'a>),
    /// A collection that has other elements now.
    Whole(View<'a>),
}

/// When and where an event has happened.
pub struct Moment<'a> {
    pub(crate) machine: &'a Machine,
    /// The place in the program, if there is one.
    pub span: Option<Span>,
    began: When,
    when: When,
}

/// Observes a run.
///
/// Every closure that takes a moment and an event is an observer.
pub trait Observer {
    /// Receives an event. `ControlFlow::Break` stops the run there; it can be resumed later.
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()>;

    /// The events that it wants.
    fn wanted(&self) -> Wanted {
        Wanted::default()
    }

    /// The variable whose writes are recorded with their origins, and the memory that this may take. The reasons of a
    /// timeline ask for it, together with reads: an observer that forwards events to another one forwards this, too.
    fn traced(&self) -> Option<(&str, usize)> {
        None
    }
}

impl<F: FnMut(&Moment<'_>, &Event<'_>) -> ControlFlow<()>> Observer for F {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        self(moment, event)
    }
}

impl<'a> Moment<'a> {
    /// The steps that the run has taken.
    pub fn step(&self) -> u64 {
        self.machine.steps_now()
    }

    /// The number of the present input of a run that grows by inputs, as [`Run::input`] returns it; the first is 1. The
    /// end of an input is reported as a solution.
    pub fn input(&self) -> usize {
        self.machine.input_number()
    }

    /// The moment after the event.
    pub fn when(&self) -> When {
        self.when
    }

    /// The moment before the instruction of the event. A failure has undone nothing yet then.
    pub fn began(&self) -> When {
        self.began
    }

    /// The number of calls in progress, including built-ins that call functions.
    pub fn depth(&self) -> usize {
        self.machine.active_calls()
    }

    /// The calls of the program in progress, innermost first, at most `most`: see [`Run::calls`].
    pub fn calls(&self, most: usize) -> Vec<CallView<'a>> {
        calls_of(self.machine, most)
    }

    /// The number of open barriers, at whose end choices are discarded or effects undone.
    #[doc(hidden)]
    pub fn barriers(&self) -> usize {
        self.machine.open_barriers()
    }

    /// How many pictures the branch has drawn since the last question: as many as [`Run::pending_pictures`] has then.
    pub fn pictures(&self) -> usize {
        let output = &self.machine.context.output;
        let before = output.handed_over.pictures as usize;
        output.pictures.len().saturating_sub(before)
    }

    /// How many choice points are open.
    pub fn open_choices(&self) -> usize {
        self.machine.open_choices()
    }

    /// A look at a global variable of the program, if it has a value.
    pub fn global(&self, name: &str) -> Option<View<'a>> {
        self.machine.global(name).map(|word| self.view(word))
    }

    /// The global variables of the program that have a value, in the order in which it names them; functions that it
    /// declares are not among them.
    pub fn globals(&self) -> impl Iterator<Item = (&'a str, View<'a>)> + use<'a> {
        let machine = self.machine;
        let variables = machine
            .globals()
            .filter(|(global, _)| global.function.is_none());
        variables.map(move |(global, word)| {
            (
                &*global.name,
                View {
                    context: &machine.context,
                    word,
                },
            )
        })
    }

    /// The name of the variable that holds this very collection, if there is one: a global one, or one of the calls in
    /// progress, the innermost first.
    pub fn name_of(&self, collection: View<'_>) -> Option<&'a str> {
        self.machine.name_of(collection.word).or_else(|| {
            let calls = self.machine.calls(NAMING);
            let mut own = calls.iter().flat_map(|call| self.machine.names(call));
            own.find(|(_, word)| *word == collection.word)
                .map(|(name, _)| name)
        })
    }

    /// How the program would write this very collection: by the name of a variable, or as a part of what one holds. `None` if
    /// nothing near leads there.
    pub fn path_of(&self, collection: View<'_>) -> Option<String> {
        if let Some(name) = self.name_of(collection) {
            return Some(name.to_string());
        }
        let calls = self.machine.calls(NAMING);
        let own = calls.iter().flat_map(|call| self.machine.names(call));
        let own = own.map(|(name, word)| (name, self.view(word)));
        path_from(own.chain(self.globals()), collection)
    }

    /// The name by the words of the statement itself, if it is in no function: several variables may hold one
    /// collection, and there the program says which of them it means.
    fn path_by_words(&self, collection: View<'_>, sources: &Sources) -> Option<String> {
        let span = self.span.filter(|_| self.depth() == 0)?;
        let words = sources
            .text(span)
            .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        // A name after a point is a field.
        let words = words.filter_map(|word| word.split('.').next());
        let call = self.machine.calls(1);
        let own: Vec<(&str, Word)> = call
            .first()
            .map_or_else(Vec::new, |call| self.machine.names(call));
        let named = words.filter_map(|name| {
            let own = own
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, word)| *word);
            own.or_else(|| self.machine.global(name))
                .map(|word| (name, self.view(word)))
        });
        let named: Vec<(&str, View<'_>)> = named.take(WORDS).collect();
        let directly = named
            .iter()
            .find(|(_, held)| held.is_same(collection))
            .map(|(name, _)| (*name).to_string());
        directly.or_else(|| path_from(named.into_iter(), collection))
    }

    /// What a built-in chooses for, where an alternative of it was taken: the place of a board that `decide` has
    /// reached.
    pub fn place_decided(&self) -> Option<Target<'a>> {
        let (board, key) = self.machine.place_decided()?;
        Some(Target::Part(self.view(board), self.view(key)))
    }

    /// The board whose constraint failed, while the branch fails because of that, if [`Run::keep_refused`] asks for it.
    #[doc(hidden)]
    pub fn refused_board(&self) -> Option<View<'a>> {
        let refused = self.machine.context.refused.latest.as_ref()?;
        Some(self.view(refused.container))
    }

    /// The words for an alternative of a built-in's search, by its number, where one of `minimize`, `not`, `solutions`
    /// and the like was taken.
    pub fn search_in_words(&self, number: usize) -> Option<&'static str> {
        self.machine.search_in_words(number)
    }

    /// A view of the variable that a name means at the event: one of the calls in progress, the innermost first, or a
    /// global one.
    pub fn variable(&self, name: &str) -> Option<View<'a>> {
        let calls = self.machine.calls(CALLS);
        let mut own = calls.iter().flat_map(|call| self.machine.variables(call));
        let word = own.find(|(known, _)| *known == name).map(|(_, word)| word);
        word.or_else(|| self.machine.global(name))
            .map(|word| self.view(word))
    }

    pub(crate) fn view(&self, word: Word) -> View<'a> {
        View {
            context: &self.machine.context,
            word,
        }
    }
}

impl Target<'_> {
    /// Column and row, if it is a cell of a grid.
    pub fn position(&self) -> Option<(i64, i64)> {
        if let Target::Part(_, key) = self {
            key.as_position()
        } else {
            None
        }
    }

    /// As it would be written in the program: `x`, `map[3, 4]`, `o.key`.
    pub fn text(&self, moment: &Moment<'_>) -> String {
        self.text_by(|collection| moment.path_of(collection))
    }

    /// The target as the statement itself writes it in these texts of the program, if it is in no function.
    pub fn text_in(&self, moment: &Moment<'_>, sources: &Sources) -> String {
        self.text_by(|collection| {
            moment
                .path_by_words(collection, sources)
                .or_else(|| moment.path_of(collection))
        })
    }

    /// The target as text, with the name that `path_of` gives its collection.
    fn text_by(&self, path_of: impl Fn(View<'_>) -> Option<String>) -> String {
        let name_of = |collection: &View<'_>| {
            let kind = collection.kind();
            path_of(*collection).unwrap_or_else(|| format!("{kind:?}").to_lowercase())
        };
        match self {
            Target::Variable(name) => (*name).to_string(),
            Target::Whole(collection) => name_of(collection),
            Target::Part(collection, key) => {
                let name = name_of(collection);
                match (key.as_str(), key.as_position()) {
                    (Some(field), _) => format!("{name}.{field}"),
                    (_, Some((x, y))) => format!("{name}[{x}, {y}]"),
                    _ => format!("{name}[{key}]"),
                }
            }
        }
    }
}

/// Turns what the machine tells into events.
struct EventTranslator<'a> {
    observer: &'a mut dyn Observer,
    has_stopped: bool,
}

impl Watcher for EventTranslator<'_> {
    #[inline(always)]
    fn tell(&mut self, machine: &Machine, at: EventPoint, watch_event: WatchEvent<'_>) -> bool {
        let moment = Moment {
            machine,
            span: at.span,
            began: at.began,
            when: at.when,
        };
        let event = match watch_event {
            WatchEvent::Line => Event::Line,
            WatchEvent::Read { container, key } => Event::Read {
                collection: moment.view(container),
                key: moment.view(key),
            },
            WatchEvent::Overwritten {
                container,
                key,
                held,
            } => Event::Overwritten {
                collection: moment.view(container),
                key: moment.view(key),
                held: moment.view(held),
            },
            WatchEvent::Dying => Event::Dying,
            WatchEvent::Turn => Event::Turn,
            WatchEvent::Choice {
                id,
                parent,
                alternatives,
            } => Event::Choice {
                id,
                parent,
                alternatives,
            },
            WatchEvent::Take {
                id,
                number,
                alternative,
                value,
            } => Event::Take {
                id,
                number,
                alternative,
                value: value.map(|word| moment.view(word)),
            },
            WatchEvent::Fail { why } => {
                return self.observe(
                    &moment,
                    &Event::Fail {
                        why: &why.in_words(),
                    },
                );
            }
            WatchEvent::Print { text } => Event::Print { text },
            WatchEvent::Picture { picture } => Event::Picture { picture },
            WatchEvent::Snapshot { snapshot } => Event::Snapshot { snapshot },
            WatchEvent::Enter {
                function,
                arguments,
            } => Event::Enter {
                function: name_of(function),
                arguments: Arguments {
                    machine,
                    words: arguments,
                },
            },
            WatchEvent::Leave { function, value } => Event::Leave {
                function: name_of(function),
                value: moment.view(value),
            },
        };
        self.observe(&moment, &event)
    }

    #[inline(always)]
    fn tell_write(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        target: Written<'_>,
        value: Word,
    ) -> bool {
        let moment = Moment {
            machine,
            span: at.span,
            began: at.began,
            when: at.when,
        };
        let target = match target {
            Written::Variable(name) => Target::Variable(name),
            Written::Whole(collection) => Target::Whole(moment.view(collection)),
            Written::Part(collection, key) => {
                Target::Part(moment.view(collection), moment.view(key))
            }
        };
        self.observe(
            &moment,
            &Event::Write {
                target,
                value: moment.view(value),
            },
        )
    }
}

/// Empty for a function value.
fn name_of(function: &Function) -> &str {
    function.name.as_deref().unwrap_or("")
}

impl EventTranslator<'_> {
    #[inline(always)]
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> bool {
        // All events of one instruction are reported, even if the observer stops at the first.
        self.has_stopped |= self.observer.observe(moment, event).is_break();
        !self.has_stopped
    }
}

impl Run {
    /// As [`Run::resume`], and reports events to an observer. A watched run takes equal steps, finds equal solutions
    /// and can be stopped, saved and forked like any other; it is slower. Stopped by the observer, it returns
    /// [`Outcome::OutOfFuel`], and continues when it is resumed, watched or not.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ndscript::{Engine, Event, Moment};
    /// let program = Engine::new().compile("let x; choose first { x = 1; } or { x = 2; } require(x == 2);")?;
    /// let mut told = Vec::new();
    /// program.run(1).watch(1000, &mut |_: &Moment, event: &Event| {
    ///     match event {
    ///         Event::Choice { alternatives, .. } => told.push(format!("{alternatives} alternatives")),
    ///         Event::Fail { why } => told.push(why.to_string()),
    ///         Event::Write { value, .. } => told.push(value.to_string()),
    ///         _ => {}
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(told, ["null", "2 alternatives", "1", "the condition does not hold", "2"]);
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn watch(&mut self, fuel: u64, observer: &mut dyn Observer) -> Outcome {
        self.watch_until(fuel, None, observer)
    }

    /// The moment that the run stands at. It is exact where the run came to its latest step watched; else it is the first
    /// moment at that step.
    pub fn when(&self) -> When {
        let (step, watched) = (self.machine.statistics.steps, self.watch.when);
        if step == watched.step {
            watched
        } else {
            When { step, inside: 0 }
        }
    }

    /// Events of the watched run that the observer did not want, since the last call.
    #[doc(hidden)]
    pub fn take_unreported(&mut self) -> Unreported {
        self.watch.take_unreported()
    }

    /// As [`Run::watch`], and stops at a moment: then [`Run::when`] has reached it, and it returns
    /// [`Outcome::OutOfFuel`].
    ///
    /// ```
    /// use ndscript::{Engine, Event, Moment, When};
    /// let program = Engine::new().compile("let x = choose(1, 2);\nrequire(x == 3);")?;
    /// let mut last = When::START;
    /// program.run(1).watch(1000, &mut |moment: &Moment, event: &Event| {
    ///     if let Event::Fail { .. } = event {
    ///         last = moment.began();
    ///     }
    ///     std::ops::ControlFlow::Continue(())
    /// });
    /// let mut run = program.run(1);
    /// run.watch_until(1000, Some(last), &mut |_: &Moment, _: &Event| std::ops::ControlFlow::Continue(()));
    /// assert_eq!((run.when(), run.view_global("x").unwrap().as_i64()), (last, Some(2)));
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn watch_until(
        &mut self,
        fuel: u64,
        until: Option<When>,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.machine.end_host_call();
        let mut watch = std::mem::take(&mut self.watch);
        let mut telling = EventTranslator {
            observer,
            has_stopped: false,
        };
        let pause = self.run_watched(fuel, until, &mut watch, &mut telling);
        let outcome = self.outcome(pause);
        let mut moment = Moment {
            machine: &self.machine,
            span: None,
            began: watch.began,
            when: watch.when,
        };
        let mut why = None;
        let end = match &outcome {
            Outcome::Solved(_) => {
                watch.solutions += 1;
                telling.observe(
                    &moment,
                    &Event::Solution {
                        number: watch.solutions,
                    },
                );
                None
            }
            Outcome::Failed if watch.solutions > 0 => Some("solution"),
            Outcome::Failed => Some("no solution"),
            Outcome::Error(error) => {
                moment.span = error.diagnostic.span;
                why = Some(error.diagnostic.message.clone());
                Some("error")
            }
            Outcome::Limit(LimitReached::Cancelled) => Some("interrupted"),
            Outcome::Limit(limit) => {
                why = Some(limit.to_string());
                Some("limit")
            }
            Outcome::Asked(_) | Outcome::Waiting(_) | Outcome::OutOfFuel => None,
        };
        if let Some(result) = end {
            telling.observe(
                &moment,
                &Event::End {
                    result,
                    why: why.as_deref(),
                },
            );
        }
        self.watch = watch;
        outcome
    }

    /// Continues the run or the call of the host in progress, and reports to an observer. `watch` is the earlier state.
    fn run_watched(
        &mut self,
        fuel: u64,
        until: Option<When>,
        watch: &mut Watch,
        telling: &mut EventTranslator<'_>,
    ) -> Result<Pause, LimitReached> {
        let wanted = telling.observer.wanted();
        let lines = wanted.lines.then(|| self.program().lines());
        let mut origins =
            telling
                .observer
                .traced()
                .filter(|_| wanted.reads)
                .map(|(variable, most_bytes)| {
                    let known = watch.origins.take();
                    known.unwrap_or_else(|| Box::new(Origins::new(variable, most_bytes)))
                });
        self.machine.context.heap.written = Some(Vec::new());
        self.machine.context.heap.gives_reasons = wanted.reasons;
        self.machine.context.record.is_wanted = true;
        let pause = self.run_to_outcome(fuel, |machine, fuel| {
            let (watch, lines) = (&mut *watch, lines.as_deref());
            if let Some(origins) = origins.as_deref_mut() {
                let watcher = &mut OriginWatcher {
                    origins,
                    watcher: &mut *telling,
                };
                return machine.resume_watched(
                    fuel,
                    &mut Watching {
                        watch,
                        watcher,
                        lines,
                        wanted,
                        until,
                    },
                );
            }
            machine.resume_watched(
                fuel,
                &mut Watching {
                    watch,
                    watcher: &mut *telling,
                    lines,
                    wanted,
                    until,
                },
            )
        });
        {
            watch.origins = origins;
        }
        self.machine.context.heap.written = None;
        self.machine.context.heap.gives_reasons = false;
        self.machine.context.heap.dead_end = None;
        pause
    }

    /// As `run_to_outcome`, for a call that is reported to an observer: only its own events, as if there had been no observer
    /// before.
    pub(crate) fn run_call_watched(
        &mut self,
        fuel: u64,
        observer: &mut dyn Observer,
    ) -> Result<Pause, LimitReached> {
        let mut telling = EventTranslator {
            observer,
            has_stopped: false,
        };
        self.run_watched(fuel, None, &mut Watch::default(), &mut telling)
    }
}
