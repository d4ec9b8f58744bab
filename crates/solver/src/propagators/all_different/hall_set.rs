//! Why a value cannot stand in a place among places that must all be different: other places that need all of their values
//! themselves (Hall, 1935).

use ndscript_base::keyed::KeyedMap;

/// Among more places nobody looks: whoever asks is watching, and wants it soon.
const MOST_PLACES: usize = 256;

/// The fewest places that need these values: what they may be is as many values as there are of them. `None` if there are
/// none such. Places are given with what they may be.
pub(super) fn in_need_of(values: &[u32], places: &[(u32, Vec<u32>)]) -> Option<Vec<u32>> {
    if places.len() > MOST_PLACES {
        return None;
    }
    // By value, the place that has it while each place has a value of its own.
    let mut owners: KeyedMap<u32, usize> = KeyedMap::default();
    for place in 0..places.len() {
        find_value(place, places, &mut owners)?;
    }
    let mut needed: Vec<u32> = values.to_vec();
    let mut found = vec![false; places.len()];
    let mut at = 0;
    while let Some(value) = needed.get(at) {
        at += 1;
        // A value that nobody has to have could be left to the place that has lost it.
        let owner = *owners.get(value)?;
        if !std::mem::replace(&mut found[owner], true) {
            needed.extend(
                places[owner]
                    .1
                    .iter()
                    .filter(|value| !needed.contains(value))
                    .copied()
                    .collect::<Vec<u32>>(),
            );
        }
    }
    let found = places.iter().zip(found).filter(|(_, is_found)| *is_found);
    Some(found.map(|((place, _), _)| *place).collect())
}

/// Gives a place a value, by an alternating path if others have to change theirs.
fn find_value(
    place: usize,
    places: &[(u32, Vec<u32>)],
    owners: &mut KeyedMap<u32, usize>,
) -> Option<()> {
    // Which place has come to a value first.
    let mut from: KeyedMap<u32, usize> = KeyedMap::default();
    let mut waiting = vec![place];
    let mut at = 0;
    while let Some(next) = waiting.get(at).copied() {
        at += 1;
        for value in &places[next].1 {
            if from.contains_key(value) {
                continue;
            }
            from.insert(*value, next);
            match owners.get(value) {
                Some(owner) => waiting.push(*owner),
                None => {
                    let mut value = *value;
                    loop {
                        let taker = from[&value];
                        let before = owners
                            .iter()
                            .find(|(_, owner)| **owner == taker)
                            .map(|(value, _)| *value);
                        owners.insert(value, taker);
                        match before {
                            Some(before) if taker != place => {
                                owners.remove(&before);
                                value = before;
                            }
                            _ => return Some(()),
                        }
                    }
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::in_need_of;

    #[test]
    fn the_places_in_need_are_the_fewest() {
        let places = [
            (0, vec![1, 2]),
            (1, vec![1, 2]),
            (3, vec![3, 4, 5]),
            (4, vec![3, 4, 5, 6]),
        ];
        assert_eq!(in_need_of(&[1], &places), Some(vec![0, 1]));
        assert_eq!(in_need_of(&[1, 2], &places), Some(vec![0, 1]));
        assert_eq!(in_need_of(&[3], &places), None);
        let places = [
            (7, vec![3, 4]),
            (8, vec![4, 5]),
            (9, vec![5, 3]),
            (5, vec![1]),
        ];
        assert_eq!(in_need_of(&[4], &places), Some(vec![7, 8, 9]));
        assert_eq!(in_need_of(&[1, 4], &places), Some(vec![7, 8, 9, 5]));
        // Two places that can only be the same are no reason for anything.
        assert_eq!(in_need_of(&[1], &[(0, vec![1]), (1, vec![1])]), None);
    }
}
