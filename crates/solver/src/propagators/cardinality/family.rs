//! Finds the counts and `allDifferent` that can be filtered together with a new constraint: their places equal its
//! places, lie inside or around them, and their values are nested or disjoint.

use std::sync::Arc;

use super::hall::{self, Hall};
use super::network::{Network, meet};
use super::{Bounds, Cardinality, Method};
use crate::propagators::{AllDifferent, Count};
use crate::{Constraint, ConstraintNumber, Solver};

/// The most constraints in one family.
const MOST_MEMBERS: usize = 64;
/// The most edges of a flow network.
const MOST_EDGES: usize = 1 << 14;
/// The most watcher links visited by the search.
const MOST_LINKS: usize = 1 << 14;
/// A place with more constraints than this is skipped: each new constraint would visit all earlier ones.
const MOST_AT_PLACE: usize = 24;
/// Constraints on more places are skipped: the search cannot pause.
const MOST_OWN_PLACES: usize = 1 << 11;
/// On larger boards only families with equal places are found.
const MOST_PLACES: usize = 1 << 13;
/// A flow over at most this number of places is always used; over more only if the slack of a count is at most a
/// share of its places.
const FEW_PLACES: usize = 64;
const SHORT_SHARE: u64 = 4;
/// Classes are bits of a word, with one for all other values.
const MOST_CLASSES: usize = 63;

/// How the places of one constraint relate to those of another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Apart,
    Same,
    Inside,
    Around,
    Across,
}

/// A constraint that may be a member.
#[derive(Clone)]
struct Candidate {
    number: ConstraintNumber,
    places: Arc<Vec<u32>>,
    /// The places as bits; empty on boards larger than [`MOST_PLACES`].
    bits: Vec<u64>,
}

/// Collects members.
struct Search<'a> {
    solver: &'a Solver,
    work: usize,
    seen: Vec<u64>,
}

fn is_plain(different: &AllDifferent) -> bool {
    different.starts.is_empty()
}

/// The places of a constraint that can be a member.
fn places_of(constraint: &Constraint) -> Option<&Vec<u32>> {
    match constraint {
        Constraint::Count(count) => Some(&count.places),
        Constraint::AllDifferent(different) if is_plain(different) => Some(&different.places),
        _ => None,
    }
}

impl Search<'_> {
    /// The places of a constraint that can be a member, if there are not too many.
    fn candidate(&mut self, number: ConstraintNumber) -> Option<Candidate> {
        let constraint = self.solver.constraints.get(number as usize)?;
        let places = places_of(constraint).filter(|own| own.len() <= MOST_OWN_PLACES)?;
        let mut bits = Vec::new();
        if self.solver.places <= MOST_PLACES {
            bits.resize(self.solver.places.div_ceil(64), 0);
            for place in places {
                bits[*place as usize / 64] |= 1 << (place % 64);
            }
        }
        self.work += places.len();
        let mut places = places.clone();
        places.sort_unstable();
        // A saved constraint that was forged could have one twice.
        if places.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        Some(Candidate {
            number,
            places: Arc::new(places),
            bits,
        })
    }

    /// Adds the constraints that share a place with `one` and were not seen before.
    fn collect_sharing(&mut self, one: &Candidate, found: &mut Vec<Candidate>) {
        for place in one.places.iter() {
            for number in self.solver.watchers.of(*place as usize) {
                self.work += 1;
                let (word, bit) = (number as usize / 64, 1 << (number % 64));
                if self.seen[word] & bit != 0 {
                    continue;
                }
                self.seen[word] |= bit;
                found.extend(self.candidate(number));
            }
            if self.work > MOST_LINKS || found.len() > 2 * MOST_MEMBERS {
                return;
            }
        }
    }

    /// How the places of two constraints overlap.
    fn relation(&mut self, one: &Candidate, other: &Candidate) -> Relation {
        self.work += one.bits.len() / 4 + 1;
        if one.bits.is_empty() {
            self.work += one.places.len() / 4;
            return match one.places == other.places {
                true => Relation::Same,
                false => Relation::Across,
            };
        }
        let (mut both, mut only_one, mut only_other) = (0, 0, 0);
        for (one, other) in one.bits.iter().zip(&other.bits) {
            both |= one & other;
            only_one |= one & !other;
            only_other |= other & !one;
        }
        match (both != 0, only_one != 0, only_other != 0) {
            (false, ..) => Relation::Apart,
            (true, false, false) => Relation::Same,
            (true, false, true) => Relation::Inside,
            (true, true, false) => Relation::Around,
            (true, true, true) => Relation::Across,
        }
    }

    fn as_count(&self, number: ConstraintNumber) -> Option<&Count> {
        self.solver.constraints.get(number as usize)?.as_count()
    }
}

/// Whether `one` includes all of `other`.
fn holds_all(one: &[u64], other: &[u64]) -> bool {
    let word_of = |at: usize| one.get(at).copied().unwrap_or(0);
    let mut other = other.iter().enumerate();
    other.all(|(at, word)| word & !word_of(at) == 0)
}

/// Whether two counts are nested or disjoint, given how their places relate.
fn are_compatible(relation: Relation, one: &[u64], other: &[u64]) -> bool {
    let are_apart = !meet(one, other);
    match relation {
        Relation::Apart => true,
        Relation::Across => are_apart,
        Relation::Same => are_apart || holds_all(one, other) || holds_all(other, one),
        Relation::Inside => are_apart || holds_all(other, one),
        Relation::Around => are_apart || holds_all(one, other),
    }
}

/// The coarsest partition of the values in which each count is a union of parts.
fn classes_of(counts: &[Bounds]) -> Vec<Vec<u64>> {
    let width = counts.iter().map(|count| count.values.len()).max();
    let mut classes: Vec<Vec<u64>> = Vec::new();
    for count in counts {
        let mut left = count.values.clone();
        left.resize(width.unwrap_or(0), 0);
        let mut parts = Vec::new();
        for class in &mut classes {
            let inside: Vec<u64> = class.iter().zip(&left).map(|(a, b)| a & b).collect();
            let outside: Vec<u64> = class.iter().zip(&left).map(|(a, b)| a & !b).collect();
            for (left, class) in left.iter_mut().zip(class.iter()) {
                *left &= !class;
            }
            let is_parted = [&inside, &outside]
                .iter()
                .all(|part| part.iter().any(|w| *w != 0));
            if is_parted {
                *class = inside;
                parts.push(outside);
            }
        }
        classes.append(&mut parts);
        if left.iter().any(|word| *word != 0) {
            classes.push(left);
        }
    }
    classes
}

fn size(values: &[u64]) -> u64 {
    values.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The constraint that a new one and earlier ones imply together, if any, and the work of finding it.
pub(super) fn find(solver: &Solver, number: ConstraintNumber) -> (Option<Cardinality>, usize) {
    if solver.tallies < 2 {
        return (None, 0);
    }
    let mut search = Search {
        solver,
        work: 0,
        seen: vec![0; solver.constraints.len().div_ceil(64)],
    };
    let places = places_of(&solver.constraints[number as usize]);
    let first = places.and_then(|places| places.first());
    let crowd = first.map(|place| solver.watchers.of(*place as usize).take(MOST_AT_PLACE + 1));
    if crowd.is_some_and(|crowd| crowd.count() > MOST_AT_PLACE) {
        return (None, MOST_AT_PLACE);
    }
    let found = collect(&mut search, number);
    let made = found.and_then(|(own, members)| make(&mut search, &own, &members));
    (made, search.work)
}

/// The constraint, and candidate members, the most relevant first.
fn collect(
    search: &mut Search<'_>,
    number: ConstraintNumber,
) -> Option<(Candidate, Vec<(Relation, Candidate)>)> {
    let own = search.candidate(number)?;
    search.seen[number as usize / 64] |= 1 << (number % 64);
    let mut near = Vec::new();
    search.collect_sharing(&own, &mut near);
    let mut members: Vec<(Relation, Candidate)> = near
        .into_iter()
        .map(|other| (search.relation(&other, &own), other))
        .filter(|(relation, _)| {
            matches!(
                relation,
                Relation::Same | Relation::Inside | Relation::Around
            )
        })
        .collect();
    let rank = |relation: &Relation| usize::from(*relation != Relation::Same);
    members.sort_by_key(|(relation, other)| {
        let size = std::cmp::Reverse(other.places.len());
        (rank(relation), size, other.number)
    });
    // Siblings: other constraints inside the counts that contain it.
    let larger_counts = members
        .iter()
        .filter(|(relation, _)| *relation == Relation::Around);
    let larger_counts: Vec<Candidate> = larger_counts.map(|(_, other)| other.clone()).collect();
    let mut parts = Vec::new();
    for larger in &larger_counts {
        if search.as_count(larger.number).is_some() {
            search.collect_sharing(larger, &mut parts);
        }
    }
    parts.retain(|part| search.relation(part, &own) == Relation::Apart);
    parts.sort_by_key(|part| (std::cmp::Reverse(part.places.len()), part.number));
    members.extend(parts.into_iter().map(|part| (Relation::Apart, part)));
    Some((own, members))
}

/// The chosen members, of which any two are nested or disjoint: the counts, and those that are `allDifferent`.
fn choose<'a>(
    search: &mut Search<'_>,
    own: &'a Candidate,
    members: &'a [(Relation, Candidate)],
) -> (Vec<(&'a Candidate, Bounds)>, Vec<&'a Candidate>) {
    let mut chosen: Vec<(&Candidate, Bounds)> = Vec::new();
    let mut different: Vec<&Candidate> = Vec::new();
    let all = std::iter::once(own).chain(members.iter().map(|(_, other)| other));
    for candidate in all {
        if chosen.len() + different.len() == MOST_MEMBERS {
            break;
        }
        let values = search
            .as_count(candidate.number)
            .map(|count| (count.values.clone(), count.least, count.most));
        let known = chosen.iter().map(|(other, bounds)| (*other, Some(bounds)));
        let known = known.chain(different.iter().map(|other| (*other, None)));
        let fits = known.into_iter().all(|(other, bounds)| {
            let relation = search.relation(candidate, other);
            let are_values_in_order = match (&values, bounds) {
                (Some((values, ..)), Some(bounds)) => {
                    are_compatible(relation, values, &bounds.values)
                }
                _ => true,
            };
            relation != Relation::Across && are_values_in_order
        });
        if !fits {
            continue;
        }
        let Some((values, least, most)) = values else {
            different.push(candidate);
            continue;
        };
        let places = candidate.places.clone();
        chosen.push((
            candidate,
            Bounds {
                places,
                values,
                least,
                most,
            },
        ));
    }
    (chosen, different)
}

/// Merges counts of equal values on equal places.
fn merged(counts: impl Iterator<Item = Bounds>) -> Vec<Bounds> {
    let mut merged: Vec<Bounds> = Vec::new();
    for count in counts {
        let is_same = |other: &&mut Bounds| {
            let are_same =
                holds_all(&other.values, &count.values) && holds_all(&count.values, &other.values);
            are_same && other.places == count.places
        };
        match merged.iter_mut().find(is_same) {
            Some(other) => {
                other.least = other.least.max(count.least);
                other.most = other.most.min(count.most);
            }
            None => merged.push(count),
        }
    }
    merged
}

/// The constraint on the counts of all members together, if it can infer more than they do alone.
fn make(
    search: &mut Search<'_>,
    own: &Candidate,
    members: &[(Relation, Candidate)],
) -> Option<Cardinality> {
    let (chosen, different) = choose(search, own, members);
    let counts = merged(chosen.iter().map(|(_, bounds)| bounds.clone()));
    if counts.len() < 2 {
        return None;
    }
    let are_flat = counts
        .iter()
        .all(|count| count.places == counts[0].places && count.places.len() > 1);
    let are_apart = counts.iter().enumerate().all(|(at, count)| {
        let mut before = counts[..at].iter();
        before.all(|other| !meet(&count.values, &other.values))
    });
    let mut places: Vec<u32> = counts
        .iter()
        .flat_map(|count| count.places.iter().copied())
        .collect();
    places.sort_unstable();
    places.dedup();
    search.work += 4 * places.len();
    let classes = classes_of(&counts);
    let rows = rows(&counts, &classes, &places, &different);
    if search.as_count(own.number).is_none() && !rows.iter().any(|row| row.places == own.places) {
        return None;
    }
    let is_hall = are_flat && are_apart && rows.is_empty() && counts.len() <= hall::MOST_CLASSES;
    if is_hall && are_redundant_together(search, &counts) {
        return None;
    }
    let method = if is_hall {
        Method::Hall(Hall::new(counts))
    } else {
        Method::Flow(network(search, &places, classes, counts, rows)?)
    };
    let mut numbers: Vec<u32> = chosen.iter().map(|(own, _)| own.number).collect();
    numbers.extend(different.iter().map(|own| own.number));
    numbers.sort_unstable();
    let solver = search.solver;
    let name = chosen.first().map_or("exactly", |(first, _)| {
        solver.constraints[first.number as usize].name()
    });
    let knows_all_of = |number: &usize| match &*solver.constraints[*number] {
        Constraint::Cardinality(other) => {
            let mut members = other.members.iter();
            let has_all = members.all(|own| numbers.binary_search(own).is_ok());
            has_all && !other.members.is_empty() && !solver.is_superseded(*number as u32)
        }
        _ => false,
    };
    let supersedes = (0..solver.constraints.len()).filter(knows_all_of);
    search.work += solver.constraints.len();
    let supersedes = supersedes.map(|number| number as u32).collect();
    Some(Cardinality {
        members: numbers,
        supersedes,
        places,
        name,
        method,
    })
}

/// Whether two counts of equal places, which hold only values of either, both bound one number and leave it some range:
/// then each alone removes all that both do together.
fn are_redundant_together(search: &mut Search<'_>, counts: &[Bounds]) -> bool {
    let [one, other] = counts else {
        return false;
    };
    let places = one.places.len() as u64;
    search.work += one.places.len();
    let holds_others = |place: &u32| {
        // Initial domains, so that a restored board decides alike.
        let (first, words) = search.solver.initial(*place as usize).words();
        words.iter().enumerate().any(|(at, word)| {
            let word_of = |values: &[u64]| values.get(first + at).copied().unwrap_or(0);
            word & !word_of(&one.values) & !word_of(&other.values) != 0
        })
    };
    let fewest = one.least.max(places.saturating_sub(other.most));
    let most = one.most.min(places.saturating_sub(other.least));
    let leave_room = other.least <= places && fewest <= most;
    leave_room && !one.places.iter().any(holds_others)
}

/// The upper bounds that an `allDifferent` implies: a class occurs at most as often as it has values.
fn rows(
    counts: &[Bounds],
    classes: &[Vec<u64>],
    places: &[u32],
    different: &[&Candidate],
) -> Vec<Bounds> {
    let is_in = |place: &u32| places.binary_search(place).is_ok();
    let inside = different.iter().filter(|row| row.places.iter().all(is_in));
    let rows = inside.flat_map(|row| {
        let fewer = classes
            .iter()
            .filter(|class| size(class) < row.places.len() as u64);
        fewer.map(|class| Bounds {
            places: row.places.clone(),
            values: class.clone(),
            least: 0,
            most: size(class),
        })
    });
    // A count of several classes inside a row overlaps the row's counts of single classes.
    let crosses = |row: &Bounds| {
        let is_in = |place: &u32| row.places.binary_search(place).is_ok();
        counts.iter().any(|count| {
            meet(&count.values, &row.values)
                && !holds_all(&row.values, &count.values)
                && count.places.len() < row.places.len()
                && count.places.iter().all(is_in)
        })
    };
    rows.filter(|row| !crosses(row)).collect()
}

/// Whether the slack of some count is a small share of its places. A flow runs whenever a place changes, so a large
/// one has to be likely to remove something.
fn may_be_short(search: &mut Search<'_>, counts: &[Bounds]) -> bool {
    search.work += counts.len() * counts.len();
    let is_in = |part: &Bounds, whole: &Bounds| {
        let is_in = |place: &u32| whole.places.binary_search(place).is_ok();
        part.places.len() < whole.places.len() && part.places.iter().all(is_in)
    };
    counts.iter().any(|whole| {
        let room = whole.places.len() as u64;
        let is_little = |spare: u64| spare <= room / SHORT_SHARE;
        // Disjoint counts on equal places, and the largest disjoint counts on parts of them.
        let apart = counts
            .iter()
            .filter(|other| other.places == whole.places && !meet(&other.values, &whole.values));
        let others: u64 = apart.map(|other| other.least).sum();
        let (mut least, mut most, mut rest) = (0, 0, room);
        let mut chosen: Vec<&Bounds> = Vec::new();
        for part in counts.iter().filter(|part| is_in(part, whole)) {
            let is_new = chosen.iter().all(|known| {
                !part
                    .places
                    .iter()
                    .any(|place| known.places.binary_search(place).is_ok())
            });
            search.work += part.places.len();
            if !is_new {
                continue;
            }
            if holds_all(&whole.values, &part.values) {
                least += part.least;
            }
            if holds_all(&part.values, &whole.values) {
                most += part.most.min(part.places.len() as u64);
                rest -= part.places.len() as u64;
            }
            chosen.push(part);
        }
        is_little(room.saturating_sub(others + whole.least))
            || is_little((most + rest).saturating_sub(whole.least))
            || whole.most < room && is_little(whole.most.saturating_sub(least))
    })
}

/// The network of counts and rows; `None` if it is too large, or unlikely to remove anything.
fn network(
    search: &mut Search<'_>,
    places: &[u32],
    classes: Vec<Vec<u64>>,
    counts: Vec<Bounds>,
    rows: Vec<Bounds>,
) -> Option<Network> {
    if classes.len() > MOST_CLASSES || places.len() * (classes.len() + 1) > MOST_EDGES {
        return None;
    }
    let mut counts = merged(counts.into_iter().chain(rows));
    if places.len() > FEW_PLACES && !may_be_short(search, &counts) {
        return None;
    }
    let area = |count: &Bounds| count.places.len() as u64 * size(&count.values);
    search.work += counts
        .iter()
        .map(|count| 2 * count.places.len() * size(&count.values).min(64) as usize)
        .sum::<usize>();
    counts.sort_by_key(|count| std::cmp::Reverse(area(count)));
    Some(Network::new(places, classes, &counts))
}
