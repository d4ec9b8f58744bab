//! What writes and guesses are in words, for those that have led to what is asked for.

use std::ops::ControlFlow;

use super::When;
use super::place::Key;
use super::scene::candidates;
use super::words;
use ndscript::Kind;
use ndscript::Removal;
use ndscript::View;
use ndscript::internals::in_quotes;
use ndscript::internals::{Definition, DefinitionTarget, Part};
use ndscript::{Event, Moment, Observer, Target, Wanted};
use ndscript_base::keyed::{KeyedMap, KeyedSet};
use ndscript_base::source::Sources;

/// Of a value so many characters are told.
const SHOWN: usize = 80;

/// Of a constraint so many places are named.
pub const NAMED: usize = 6;

/// By moment and target, what was found out about a write.
pub struct Narrator {
    sources: Sources,
    /// The variable that is asked for.
    variable: String,
    wanted: KeyedSet<When>,
    told: KeyedMap<(When, Topic), Narration>,
    /// What places hold that are of interest, to see what they lost.
    held: KeyedMap<(u64, Key), PlaceContent>,
    followed: KeyedSet<Key>,
}

/// A candidate as cells show it, and as a program writes it: a text in quotes, so that one sees a space, and which `1` it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub shown: String,
    pub written: String,
}

impl Named {
    fn all(value: View<'_>) -> Vec<Named> {
        let named = |(shown, element): (String, View<'_>)| match element.kind() {
            Kind::String => Named {
                written: in_quotes(&shown),
                shown,
            },
            _ => Named {
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
fn in_order(candidates: &mut Vec<Named>) {
    let number = |text: &Named| text.written.parse::<f64>().ok();
    candidates.sort_unstable_by(|a, b| {
        let order = match (number(a), number(b)) {
            (Some(x), Some(y)) => x.total_cmp(&y),
            (x, y) => y.is_some().cmp(&x.is_some()),
        };
        order.then_with(|| a.written.cmp(&b.written))
    });
    candidates.dedup();
}

/// What was told about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Topic {
    /// Of a collection, by its identity.
    Part(u64, Key),
    Whole(u64),
    Variable,
    Guess,
}

/// What a place holds: the candidates that a set has, or something else.
#[derive(Clone, Debug)]
struct PlaceContent {
    is_set: bool,
    all: Vec<Named>,
    text: String,
}

impl PlaceContent {
    fn of(value: View<'_>) -> PlaceContent {
        let is_set = value.kind() == Kind::Set;
        PlaceContent {
            is_set,
            all: if is_set {
                Named::all(value)
            } else {
                Vec::new()
            },
            text: value.beginning(SHOWN),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Narration {
    pub place: String,
    pub value: String,
    pub lost: Vec<Named>,
    /// What was there before, if not both are sets.
    pub was: Option<String>,
    pub by: Option<String>,
}

impl Narrator {
    /// For the variable that is asked for, and what has led there.
    pub fn new(sources: &Sources, variable: &str, definitions: &[Definition]) -> Narrator {
        Narrator {
            sources: sources.clone(),
            variable: variable.to_string(),
            wanted: definitions
                .iter()
                .map(|definition| definition.when)
                .collect(),
            told: KeyedMap::default(),
            held: KeyedMap::default(),
            followed: definitions
                .iter()
                .filter_map(|definition| key_of(&definition.to))
                .collect(),
        }
    }

    /// What was found out about a write or a guess.
    pub fn narrate(&self, definition: &Definition) -> Narration {
        let told = |about| self.told.get(&(definition.when, about));
        let found = match &definition.to {
            DefinitionTarget::Guess => told(Topic::Guess),
            DefinitionTarget::Outside(words) => {
                return Narration {
                    value: words.to_string(),
                    ..Narration::default()
                };
            }
            DefinitionTarget::Variable => told(Topic::Variable),
            DefinitionTarget::Whole(collection) | DefinitionTarget::Shape(collection) => {
                told(Topic::Whole(collection.bits()))
            }
            // What a built-in does to a collection is told of all of it.
            DefinitionTarget::Part(collection, _) => {
                let part = key_of(&definition.to)
                    .and_then(|key| told(Topic::Part(collection.bits(), key)));
                part.or_else(|| told(Topic::Whole(collection.bits())))
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
                    .held
                    .insert((collection.identity(), name.clone()), now.clone());
                if self.wanted.contains(&moment.when()) {
                    let are_sets =
                        now.is_set && before.as_ref().is_some_and(|before| before.is_set);
                    let mut lost = before
                        .as_ref()
                        .filter(|_| are_sets)
                        .map_or_else(Vec::new, |held| held.all.clone());
                    lost.retain(|candidate| !now.all.contains(candidate));
                    let was = before.filter(|before| {
                        !are_sets && before.text != now.text && before.text != "null"
                    });
                    let was = was.map(|before| before.text);
                    let place = Target::Part(*collection, *key).text_in(moment, &self.sources);
                    let removals = moment.removals(*collection, *key);
                    if !removals.is_empty() {
                        lost = removals
                            .iter()
                            .flat_map(|removal| &removal.lost)
                            .flat_map(|value| Named::all(*value))
                            .collect();
                    }
                    in_order(&mut lost);
                    let by = named(moment, *collection, &removals);
                    let value = now.text;
                    let about = Topic::Part(collection.identity(), name);
                    self.told.insert(
                        (moment.when(), about),
                        Narration {
                            place,
                            value,
                            lost,
                            was,
                            by,
                        },
                    );
                }
            }
            Event::Write {
                target: target @ Target::Whole(collection),
                value,
            } if self.wanted.contains(&moment.when()) => {
                let told = Narration {
                    place: target.text_in(moment, &self.sources),
                    value: value.beginning(SHOWN),
                    ..Narration::default()
                };
                self.told
                    .insert((moment.when(), Topic::Whole(collection.identity())), told);
            }
            Event::Write {
                target: Target::Variable(name),
                value,
            } if *name == self.variable && self.wanted.contains(&moment.when()) => {
                let told = Narration {
                    place: (*name).to_string(),
                    value: value.beginning(SHOWN),
                    ..Narration::default()
                };
                self.told.insert((moment.when(), Topic::Variable), told);
            }
            Event::Read { collection, key } => {
                if let Some(name) = Key::of(*key).filter(|name| self.followed.contains(name))
                    && let Some(held) = name.of_collection(*collection)
                {
                    self.held
                        .entry((collection.identity(), name))
                        .or_insert_with(|| PlaceContent::of(held));
                }
            }
            Event::Overwritten {
                collection,
                key,
                held,
            } => {
                if let Some(name) = Key::of(*key).filter(|name| self.followed.contains(name)) {
                    self.held
                        .insert((collection.identity(), name), PlaceContent::of(*held));
                }
            }
            Event::Take { number, .. } => {
                if *number > 0 {
                    // What is undone is known no more.
                    self.held.clear();
                }
                if self.wanted.contains(&moment.when()) {
                    let value = words::in_words(moment, event, &self.sources);
                    self.told.insert(
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

/// The part of a collection that was written to.
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

/// The constraints that have taken something from a place, each with the places that it had that from.
fn named(moment: &Moment<'_>, board: View<'_>, removals: &[Removal<'_>]) -> Option<String> {
    let mut by: Vec<(String, Vec<String>)> = Vec::new();
    for removal in removals {
        let Some(name) = removal.constraint else {
            continue;
        };
        let name = removal.beside.map_or_else(
            || name.to_string(),
            |count| format!("{name} beside {count}"),
        );
        let at = by
            .iter()
            .position(|(known, _)| *known == name)
            .unwrap_or(by.len());
        if at == by.len() {
            by.push((name, Vec::new()));
        }
        for (place, _) in &removal.from {
            let place = Target::Part(board, *place).text(moment);
            if !by[at].1.contains(&place) {
                by[at].1.push(place);
            }
        }
    }
    let in_words = |(name, places): &(String, Vec<String>)| match &places[..] {
        [] => name.clone(),
        places if places.len() <= NAMED => format!("{name} with {}", places.join(", ")),
        places => format!("{name} with {}, ...", places[..NAMED].join(", ")),
    };
    let by: Vec<String> = by.iter().map(in_words).collect();
    (!by.is_empty()).then(|| by.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_stand_in_order() {
        let named = |written: &str| Named {
            shown: written.trim_matches('"').to_string(),
            written: written.to_string(),
        };
        let mut lost = ["5", "\"b\"", "10", "-1", "\"5\"", "4", "\"a\"", "5"]
            .map(named)
            .to_vec();
        in_order(&mut lost);
        assert_eq!(
            lost,
            ["-1", "4", "5", "10", "\"5\"", "\"a\"", "\"b\""].map(named)
        );
    }
}
