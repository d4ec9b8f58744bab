//! Puts into words the writes and guesses from which a value came.

use std::ops::ControlFlow;

use crate::When;
use crate::moments::place::Key;
use crate::moments::scene::candidates;
use crate::moments::words;
use ndscript::Kind;
use ndscript::Removal;
use ndscript::View;
use ndscript::internals::in_quotes;
use ndscript::internals::{Definition, DefinitionTarget, Part};
use ndscript::{Event, Moment, Observer, Target, Wanted};
use ndscript_base::keyed::{KeyedMap, KeyedSet};
use ndscript_base::source::Sources;

/// The most characters of a value in a narration.
const MOST_CHARACTERS: usize = 80;

/// The most places of a constraint in a narration.
pub const MOST_NAMED: usize = 6;

/// Watches a run a second time, and records a narration for each wanted definition.
pub struct Narrator {
    sources: Sources,
    /// The variable whose value is to be explained.
    variable: String,
    wanted: KeyedSet<When>,
    recorded: KeyedMap<(When, Topic), Narration>,
    /// The latest content of each followed place, to see what a write removes.
    contents: KeyedMap<(u64, Key), PlaceContent>,
    followed: KeyedSet<Key>,
}

/// A candidate as cells show it, and as a program writes it: a text in quotes, so that spaces show, and `"1"` differs
/// from `1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateName {
    pub shown: String,
    pub written: String,
}

impl CandidateName {
    /// The candidates of a value, by their names.
    fn all(value: View<'_>) -> Vec<CandidateName> {
        let named = |(shown, element): (String, View<'_>)| match element.kind() {
            Kind::String => CandidateName {
                written: in_quotes(&shown),
                shown,
            },
            _ => CandidateName {
                written: shown.clone(),
                shown,
            },
        };
        match value.kind() {
            Kind::Set => candidates(value)
                .into_iter()
                .zip(value.elements())
                .map(named)
                .collect(),
            _ => candidates(value)
                .into_iter()
                .map(|shown| named((shown, value)))
                .collect(),
        }
    }
}

/// Sorts candidates: numbers first, by their values, then words.
fn sort_candidates(candidates: &mut Vec<CandidateName>) {
    let number = |text: &CandidateName| text.written.parse::<f64>().ok();
    candidates.sort_unstable_by(|a, b| {
        let order = match (number(a), number(b)) {
            (Some(x), Some(y)) => x.total_cmp(&y),
            (x, y) => y.is_some().cmp(&x.is_some()),
        };
        order.then_with(|| a.written.cmp(&b.written))
    });
    candidates.dedup();
}

/// The subject of a narration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Topic {
    /// A part of a collection, by the identity of the collection.
    Part(u64, Key),
    Whole(u64),
    Variable,
    Guess,
}

/// The content of a place: the candidates of a set, or the text of another value.
#[derive(Clone, Debug)]
struct PlaceContent {
    is_set: bool,
    all: Vec<CandidateName>,
    text: String,
}

impl PlaceContent {
    fn of(value: View<'_>) -> PlaceContent {
        let is_set = value.kind() == Kind::Set;
        PlaceContent {
            is_set,
            all: if is_set {
                CandidateName::all(value)
            } else {
                Vec::new()
            },
            text: value.beginning(MOST_CHARACTERS),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Narration {
    pub place: String,
    pub value: String,
    pub lost: Vec<CandidateName>,
    /// The text of the previous value, unless both are sets.
    pub was: Option<String>,
    pub by: Option<String>,
}

impl Narrator {
    /// A narrator of `definitions`, from which the value of `variable` came.
    pub fn new(sources: &Sources, variable: &str, definitions: &[Definition]) -> Narrator {
        Narrator {
            sources: sources.clone(),
            variable: variable.to_string(),
            wanted: definitions
                .iter()
                .map(|definition| definition.when)
                .collect(),
            recorded: KeyedMap::default(),
            contents: KeyedMap::default(),
            followed: definitions
                .iter()
                .filter_map(|definition| key_of(&definition.to))
                .collect(),
        }
    }

    /// The narration of a write or a guess; empty if none was recorded.
    pub fn narrate(&self, definition: &Definition) -> Narration {
        let recorded = |topic| self.recorded.get(&(definition.when, topic));
        let found = match &definition.to {
            DefinitionTarget::Guess => recorded(Topic::Guess),
            DefinitionTarget::Outside(words) => {
                return Narration {
                    value: words.to_string(),
                    ..Narration::default()
                };
            }
            DefinitionTarget::Variable => recorded(Topic::Variable),
            DefinitionTarget::Whole(collection) | DefinitionTarget::Shape(collection) => {
                recorded(Topic::Whole(collection.bits()))
            }
            // A built-in reports its writes for the whole collection.
            DefinitionTarget::Part(collection, _) => {
                let part = key_of(&definition.to)
                    .and_then(|key| recorded(Topic::Part(collection.bits(), key)));
                part.or_else(|| recorded(Topic::Whole(collection.bits())))
            }
        };
        found.cloned().unwrap_or_default()
    }
}

impl Observer for Narrator {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Write {
                target: Target::Part(collection, key),
                value,
            } => {
                let Some(name) = Key::of(*key) else {
                    return ControlFlow::Continue(());
                };
                if !self.followed.contains(&name) {
                    return ControlFlow::Continue(());
                }
                let now = PlaceContent::of(*value);
                let before = self
                    .contents
                    .insert((collection.identity(), name.clone()), now.clone());
                if self.wanted.contains(&moment.when()) {
                    let are_sets =
                        now.is_set && before.as_ref().is_some_and(|before| before.is_set);
                    let mut lost = before
                        .as_ref()
                        .filter(|_| are_sets)
                        .map_or_else(Vec::new, |content| content.all.clone());
                    lost.retain(|candidate| !now.all.contains(candidate));
                    let before_text = before.filter(|before| {
                        !are_sets && before.text != now.text && before.text != "null"
                    });
                    let before_text = before_text.map(|before| before.text);
                    let place = Target::Part(*collection, *key).text_in(moment, &self.sources);
                    let removals = moment.removals(*collection, *key);
                    if !removals.is_empty() {
                        lost = removals
                            .iter()
                            .flat_map(|removal| &removal.lost)
                            .flat_map(|value| CandidateName::all(*value))
                            .collect();
                    }
                    sort_candidates(&mut lost);
                    let constraints = constraints_in_words(moment, *collection, &removals);
                    let value = now.text;
                    let topic = Topic::Part(collection.identity(), name);
                    self.recorded.insert(
                        (moment.when(), topic),
                        Narration {
                            place,
                            value,
                            lost,
                            was: before_text,
                            by: constraints,
                        },
                    );
                }
            }
            Event::Write {
                target: target @ Target::Whole(collection),
                value,
            } if self.wanted.contains(&moment.when()) => {
                let recorded = Narration {
                    place: target.text_in(moment, &self.sources),
                    value: value.beginning(MOST_CHARACTERS),
                    ..Narration::default()
                };
                self.recorded.insert(
                    (moment.when(), Topic::Whole(collection.identity())),
                    recorded,
                );
            }
            Event::Write {
                target: Target::Variable(name),
                value,
            } if *name == self.variable && self.wanted.contains(&moment.when()) => {
                let recorded = Narration {
                    place: (*name).to_string(),
                    value: value.beginning(MOST_CHARACTERS),
                    ..Narration::default()
                };
                self.recorded
                    .insert((moment.when(), Topic::Variable), recorded);
            }
            Event::Read { collection, key } => {
                if let Some(name) = Key::of(*key).filter(|name| self.followed.contains(name))
                    && let Some(content) = name.of_collection(*collection)
                {
                    self.contents
                        .entry((collection.identity(), name))
                        .or_insert_with(|| PlaceContent::of(content));
                }
            }
            Event::Overwritten {
                collection,
                key,
                held: content,
            } => {
                if let Some(name) = Key::of(*key).filter(|name| self.followed.contains(name)) {
                    self.contents
                        .insert((collection.identity(), name), PlaceContent::of(*content));
                }
            }
            Event::Take { number, .. } => {
                if *number > 0 {
                    // Backtracking: stored contents are out of date.
                    self.contents.clear();
                }
                if self.wanted.contains(&moment.when()) {
                    let value = words::in_words(moment, event, &self.sources);
                    self.recorded.insert(
                        (moment.when(), Topic::Guess),
                        Narration {
                            value,
                            ..Narration::default()
                        },
                    );
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reads: true,
            ..Wanted::default()
        }
    }
}

/// The key of the part that a definition writes; `None` for other targets.
fn key_of(to: &DefinitionTarget) -> Option<Key> {
    let DefinitionTarget::Part(_, part) = to else {
        return None;
    };
    Some(match part {
        Part::Field(name) => Key::Field(name.to_string()),
        Part::Index(index) => Key::Index(*index),
        Part::Cell(x, y) => Key::Cell(*x, *y),
    })
}

/// The constraints that removed candidates of a place, in words, each with the places from which it follows. `None`
/// if there is none.
fn constraints_in_words(
    moment: &Moment<'_>,
    board: View<'_>,
    removals: &[Removal<'_>],
) -> Option<String> {
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for removal in removals {
        let Some(name) = removal.constraint else {
            continue;
        };
        let name = removal.beside.map_or_else(
            || name.to_string(),
            |count| format!("{name} beside {count}"),
        );
        let at = grouped
            .iter()
            .position(|(known, _)| *known == name)
            .unwrap_or(grouped.len());
        if at == grouped.len() {
            grouped.push((name, Vec::new()));
        }
        for (place, _) in &removal.from {
            let place = Target::Part(board, *place).text(moment);
            if !grouped[at].1.contains(&place) {
                grouped[at].1.push(place);
            }
        }
    }
    let in_words = |(name, places): &(String, Vec<String>)| match &places[..] {
        [] => name.clone(),
        places if places.len() <= MOST_NAMED => format!("{name} with {}", places.join(", ")),
        places => format!("{name} with {}, ...", places[..MOST_NAMED].join(", ")),
    };
    let grouped: Vec<String> = grouped.iter().map(in_words).collect();
    (!grouped.is_empty()).then(|| grouped.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_stand_in_order() {
        let named = |written: &str| CandidateName {
            shown: written.trim_matches('"').to_string(),
            written: written.to_string(),
        };
        let mut lost = ["5", "\"b\"", "10", "-1", "\"5\"", "4", "\"a\"", "5"]
            .map(named)
            .to_vec();
        sort_candidates(&mut lost);
        assert_eq!(
            lost,
            ["-1", "4", "5", "10", "\"5\"", "\"a\"", "\"b\""].map(named)
        );
    }
}
