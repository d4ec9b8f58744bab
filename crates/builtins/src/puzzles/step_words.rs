//! The conclusions of a step and its reasons, in words.

use super::rule_words::{BoardPhrases, MOST_NAMED, add_to_group, list_in_words};
use ndscript_base::counted::counted;
use ndscript_solver::Constraint;
use ndscript_solver::steps::{Conclusion, Step};

/// Name a place's earlier candidates, or those that it has lost, if there are at most this many.
const MOST_EARLIER: usize = 4;
/// Name its earlier candidates if there are so many, where it has lost as many.
const MOST_LEFT: usize = 9;

/// Of a known place with more candidates, those that it has lost are told, if they are fewer.
const MOST_LISTED_LEFT: usize = 6;

/// What a place could be before it was decided.
#[derive(PartialEq)]
enum Before {
    /// What many places can be at first.
    Usual,
    Was(String),
    WasNot(String),
}

impl BoardPhrases<'_> {
    /// The conclusions: `(0,1) and (2,1) are not 4, and (3,1), which was 2 or 4, is 2`.
    pub fn conclusions(&self, conclusions: &[Conclusion]) -> String {
        let mut groups: Vec<((Before, String), Vec<u32>)> = Vec::new();
        for one in conclusions {
            let phrase = match one.decided {
                Some(value) => (self.before(one, value), self.value(value)),
                None => (
                    Before::Usual,
                    format!("not {}", self.either_of(&one.values)),
                ),
            };
            add_to_group(&mut groups, phrase, one.place);
        }
        let phrases = groups.iter().map(|((before, is), places)| {
            let (was_or_were, is_or_are) = match places.len() {
                1 => ("was", "is"),
                _ => ("were", "are"),
            };
            let list = list_in_words(&self.names_of(places), "and");
            match before {
                Before::Usual => format!("{list} {is_or_are} {is}"),
                Before::Was(values) => {
                    format!("{list}, which {was_or_were} {values}, {is_or_are} {is}")
                }
                Before::WasNot(values) => {
                    format!("{list}, which could not be {values}, {is_or_are} {is}")
                }
            }
        });
        let phrases: Vec<String> = phrases.collect();
        match (&phrases[..], conclusions.len()) {
            ([], _) => "that cannot be".to_string(),
            // If places are listed, another "and" would be ambiguous.
            ([before @ .., last], more) if phrases.len() > 1 && more > phrases.len() => {
                format!("{}, and {last}", before.join(", "))
            }
            _ => list_in_words(&phrases, "and"),
        }
    }

    /// What a place could be before a conclusion, which leaves it one value.
    fn before(&self, one: &Conclusion, value: u32) -> Before {
        // The removed values imply that only this one is left.
        let mut before = one.values.clone();
        before.push(value);
        before.sort_unstable();
        if self.first.is_usual(&before) {
            return Before::Usual;
        }
        let mut lost = self.initial(one.place);
        lost.retain(|value| !before.contains(value));
        match (before.len(), lost.len()) {
            (..=MOST_EARLIER, _) => Before::Was(self.either_of(&before)),
            (_, 1..=MOST_EARLIER) => Before::WasNot(self.either_of(&lost)),
            (..=MOST_LEFT, _) => Before::Was(self.either_of(&before)),
            _ => Before::Usual,
        }
    }

    /// The known values of places, with the word before them: `, and (0,1) is 4 or 8, (0,2) and (0,3) are wall`.
    pub fn known(&self, step: &Step, places: &[u32], values: &[Vec<u32>]) -> String {
        let known = self.known_values(step, places, values);
        let are_against = ["all are", "both are", "none is", "neither is"];
        let word = match are_against.iter().any(|words| known.starts_with(words)) {
            true => "but",
            false => "and",
        };
        format!(", {word} {known}")
    }

    /// The known values of places: `(0,1) is 4 or 8, (0,2) and (0,3) are wall`. If the step's only rule is about some
    /// values and several places have none of them, says that: `(1,4) and (2,2) are not wall`.
    fn known_values(&self, step: &Step, places: &[u32], values: &[Vec<u32>]) -> String {
        if let Some(phrases) = self.phrase_with_only(step) {
            return phrases;
        }
        if let Some(phrase) = self.shared_values(step, places, values) {
            return phrase;
        }
        let mut groups: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for (place, candidates) in places.iter().zip(values) {
            add_to_group(&mut groups, candidates.clone(), *place);
        }
        let mut phrases: Vec<String> = Vec::new();
        if let Some(counted) = self.counted_values(step) {
            let is_counted = |value: &u32| counted[*value as usize / 64] >> (value % 64) & 1 == 1;
            let (others, rest): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|(candidates, _)| !candidates.iter().any(is_counted));
            groups = rest;
            // One value says more than a list of excluded ones.
            if others.len() > 1 {
                let mut places: Vec<u32> = others.into_iter().flat_map(|(_, own)| own).collect();
                places.sort_unstable();
                let values = self.values(&counted);
                if groups.is_empty()
                    && let Some(left) = self.others_than(step, &places)
                {
                    return format!("only {left} can be {values}");
                }
                phrases.push(self.known_not(step, &places, &values));
            } else {
                groups.extend(others);
            }
        }
        phrases.extend(groups.iter().map(|(candidates, own)| {
            match self.lost_values(step, own, candidates) {
                Some(lost) => self.known_not(step, own, &self.either_of(&lost)),
                None => format!(
                    "{} {}",
                    self.known_places(step, own),
                    self.either_of(candidates)
                ),
            }
        }));
        list_in_words(&phrases, "and")
    }

    /// What places have lost, if that is shorter than what is left of them, and the same of all. Where values are counted against places,
    /// those that are left are needed.
    fn lost_values(&self, step: &Step, places: &[u32], left: &[u32]) -> Option<Vec<u32>> {
        if left.len() <= MOST_LISTED_LEFT || self.counts_values(step) {
            return None;
        }
        let lost = |place: u32| {
            let mut values = self.start(place);
            values.retain(|value| !left.contains(value));
            values
        };
        let first = lost(*places.first()?);
        let are_alike = places.iter().all(|place| lost(*place) == first);
        (are_alike && (1..left.len()).contains(&first.len())).then_some(first)
    }

    /// Whether the only rule of a step lets values be on one place each.
    fn counts_values(&self, step: &Step) -> bool {
        let solver = &self.context.heap.boards[self.board].solver;
        let own = match step.rules[..] {
            [rule] => solver.constraints().get(rule as usize),
            _ => None,
        };
        own.is_some_and(|own| matches!(**own, Constraint::AllDifferent(_)))
    }

    /// The places that say something from the beginning: those that have a counted value in any case, for a step of a count that is
    /// reached, and those that bound a piece.
    pub fn certain(&self, step: &Step) -> Vec<(u32, Vec<u32>)> {
        if let Some(around) = self.around_piece(step) {
            return around;
        }
        let Some(counted) = self.counted_values(step) else {
            return Vec::new();
        };
        let is_counted = |value: &u32| counted[*value as usize / 64] >> (value % 64) & 1 == 1;
        let solver = &self.context.heap.boards[self.board].solver;
        let mut removed = step.conclusions.iter().flat_map(|one| &one.values);
        let rule = step
            .rules
            .first()
            .and_then(|rule| solver.constraints().get(*rule as usize));
        match rule.map(|rule| &**rule) {
            Some(Constraint::Count(rule)) if removed.all(is_counted) => {
                let is_concluded =
                    |place: &u32| step.conclusions.iter().any(|one| one.place == *place);
                let others = rule.places.iter().copied();
                let others =
                    others.filter(|place| !is_concluded(place) && !step.places.contains(place));
                let initial = others.map(|place| (place, self.initial(place)));
                initial
                    .filter(|(_, values)| values.len() > 1 && values.iter().all(is_counted))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Places of different candidates that have as many values as there are places, so no other place has any of them, or fewer:
    /// `(1,1), (2,1) and (4,1) are 3, 6 and 7 in some order`.
    fn shared_values(&self, step: &Step, places: &[u32], values: &[Vec<u32>]) -> Option<String> {
        let [rule] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::AllDifferent(rule) = &**solver.constraints().get(rule as usize)? else {
            return None;
        };
        let mut all: Vec<u32> = values.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let are_open = values.iter().all(|values| values.len() > 1);
        let are_alike = values.windows(2).all(|pair| pair[0] == pair[1]);
        let is_short = all.len() < values.len();
        if !rule.starts.is_empty() || !(are_open || is_short) || all.len() > values.len() {
            return None;
        }
        let (places, count) = (self.places(places), places.len());
        let list: Vec<u32> = all.clone();
        match all.len() == count {
            true if are_alike => None,
            true => Some(format!("{places} are {} in some order", self.all_of(&list))),
            false => Some(format!(
                "for {places}, {}, there {} only {}: {}",
                counted(count, "place"),
                if list.len() == 1 { "is" } else { "are" },
                counted(list.len(), "value"),
                self.all_of(&list)
            )),
        }
    }

    /// The reasons of a step, as the few places that are left for some values rather than the many that have others:
    /// `only (1,2) and (11,2) can be 1 or 2`. There must be as many values as places in its only rule.
    fn phrase_with_only(&self, step: &Step) -> Option<String> {
        let [rule] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::AllDifferent(rule) = &**solver.constraints().get(rule as usize)? else {
            return None;
        };
        let left = rule.places.iter().copied();
        let left: Vec<u32> = left.filter(|place| !step.places.contains(place)).collect();
        let mut values: Vec<u32> = (rule.places.iter())
            .flat_map(|place| solver.initial(*place as usize).numbers())
            .map(|value| value as u32)
            .collect();
        values.sort_unstable();
        values.dedup();
        let is_permutation = rule.starts.is_empty() && values.len() == rule.places.len();
        values.retain(|value| {
            !step
                .candidates
                .iter()
                .any(|candidates| candidates.contains(value))
        });
        // Without a conclusion there are too many values for the places that are left.
        let is_over = step.conclusions.is_empty();
        let (needed, room) = (values.len(), left.len());
        let fits = if is_over {
            needed > room
        } else {
            needed == room
        };
        if !is_permutation || !fits || room >= step.places.len() {
            return None;
        }
        // What is fixed from the beginning has no part in it.
        let (mut open, mut needed) = (left, values);
        open.retain(|place| match self.start(*place)[..] {
            [only] => {
                needed.retain(|value| *value != only);
                false
            }
            _ => true,
        });
        let have = if needed.len() == 1 { "has" } else { "have" };
        if is_over {
            let values = self.either_of(&needed);
            return Some(match open.is_empty() {
                true => format!("no place can be {values}, which {have} to occur"),
                false => {
                    let all = if needed.len() == 2 { "both" } else { "all" };
                    format!(
                        "only {} can be {values}, which {all} have to occur",
                        self.places(&open)
                    )
                }
            });
        }
        (!open.is_empty() && needed.len() == open.len()).then(|| {
            format!(
                "only {} can be {}, which {have} to occur",
                self.places(&open),
                self.either_of(&needed)
            )
        })
    }

    /// That places have none of some values: `(1,3) is not 2`, or `none is 2`.
    fn known_not(&self, step: &Step, places: &[u32], values: &str) -> String {
        let places = self.known_places(step, places);
        match &places[..] {
            "all are" => format!("none is {values}"),
            "both are" => format!("neither is {values}"),
            "all others are" => format!("no other is {values}"),
            places => format!("{places} not {values}"),
        }
    }

    /// The places that a step follows from: "(1,3) and (2,2) are", or "all others are", if they are all places of its
    /// rule except those of its conclusions.
    fn known_places(&self, step: &Step, places: &[u32]) -> String {
        let solver = &self.context.heap.boards[self.board].solver;
        let own = match step.rules[..] {
            [rule] => solver.constraints().get(rule as usize),
            _ => None,
        };
        let is_other = |place: &u32| {
            let concluded = step.conclusions.iter().map(|one| one.place);
            let supposed = step.supposed.map(|(place, _)| place);
            !concluded.chain(supposed).any(|own| own == *place)
        };
        let are_all = places.len() > MOST_NAMED
            && own.is_some_and(|own| match own.places() {
                Some(own) => own
                    .iter()
                    .filter(|place| is_other(place))
                    .all(|own| places.contains(own)),
                None => (0..solver.places() as u32)
                    .filter(is_other)
                    .all(|own| places.contains(&own)),
            });
        let is_whole = |own: &&Constraint| {
            let own = own.places();
            own.is_some_and(|own| own.len() > 1 && own.iter().all(|own| places.contains(own)))
        };
        match are_all {
            _ if own.is_some_and(|own| is_whole(&&**own)) => match places.len() {
                2 => "both are".to_string(),
                _ => "all are".to_string(),
            },
            true => "all others are".to_string(),
            false => {
                let verb = if self.are_one(places) { "is" } else { "are" };
                format!("{} {verb}", self.places(places))
            }
        }
    }

    /// The places of the step's only rule that are not among many others, if they are fewer.
    fn others_than(&self, step: &Step, places: &[u32]) -> Option<String> {
        let [rule] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let own = solver.constraints().get(rule as usize)?.places()?;
        let mut left = own.to_vec();
        left.retain(|place| !places.contains(place));
        let is_shorter = places.len() > MOST_NAMED && left.len() <= MOST_NAMED && !left.is_empty();
        is_shorter.then(|| self.places(&left))
    }

    /// Mask of the values that the step's only rule counts or connects.
    fn counted_values(&self, step: &Step) -> Option<Vec<u64>> {
        let [rule] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        match &**solver.constraints().get(rule as usize)? {
            Constraint::Count(rule) => Some(rule.values.to_vec()),
            Constraint::Connected(rule) => Some(rule.values.to_vec()),
            Constraint::Reachable(rule) => Some(rule.values.to_vec()),
            _ => None,
        }
    }
}
