//! Explains why `allDifferent` removed values from a place: a Hall set of other places needs all of these values
//! (Hall, 1935).

use ndscript_base::keyed::KeyedMap;

/// The most places for which an explanation is computed: the matching below is quadratic.
const MOST_PLACES: usize = 256;

/// The smallest Hall set that needs all of `values`: n places that have n values between them, these included.
/// `places` are the numbers of the places with their domains. `None` if a value is in no Hall set, if the places have
/// no matching, or if there are more than [`MOST_PLACES`].
pub(super) fn smallest_hall_set(values: &[u32], places: &[(u32, Vec<u32>)]) -> Option<Vec<u32>> {
    if places.len() > MOST_PLACES {
        return None;
    }
    // The matching, from value to index into `places`.
    let mut owners: KeyedMap<u32, usize> = KeyedMap::default();
    for place in 0..places.len() {
        augment(place, places, &mut owners)?;
    }
    let mut required: Vec<u32> = values.to_vec();
    let mut is_member = vec![false; places.len()];
    let mut at = 0;
    while let Some(value) = required.get(at) {
        at += 1;
        // An unmatched value is in no Hall set.
        let owner = *owners.get(value)?;
        if !std::mem::replace(&mut is_member[owner], true) {
            required.extend(
                places[owner]
                    .1
                    .iter()
                    .filter(|value| !required.contains(value))
                    .copied()
                    .collect::<Vec<u32>>(),
            );
        }
    }
    let members = places
        .iter()
        .zip(is_member)
        .filter(|(_, is_found)| *is_found);
    Some(members.map(|((place, _), _)| *place).collect())
}

/// Matches one more place, along an alternating path where others have to change their values (breadth first). `None`
/// if there is no such path.
fn augment(
    place: usize,
    places: &[(u32, Vec<u32>)],
    owners: &mut KeyedMap<u32, usize>,
) -> Option<()> {
    // For each value reached, the place from which the search reached it.
    let mut reached_from: KeyedMap<u32, usize> = KeyedMap::default();
    let mut queue = vec![place];
    let mut at = 0;
    while let Some(next) = queue.get(at).copied() {
        at += 1;
        for value in &places[next].1 {
            if reached_from.contains_key(value) {
                continue;
            }
            reached_from.insert(*value, next);
            match owners.get(value) {
                Some(owner) => queue.push(*owner),
                None => {
                    let mut value = *value;
                    loop {
                        let new_owner = reached_from[&value];
                        let old_value = owners
                            .iter()
                            .find(|(_, owner)| **owner == new_owner)
                            .map(|(value, _)| *value);
                        owners.insert(value, new_owner);
                        match old_value {
                            Some(old_value) if new_owner != place => {
                                owners.remove(&old_value);
                                value = old_value;
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
    use super::smallest_hall_set;

    #[test]
    fn the_hall_set_is_the_smallest() {
        let places = [
            (0, vec![1, 2]),
            (1, vec![1, 2]),
            (3, vec![3, 4, 5]),
            (4, vec![3, 4, 5, 6]),
        ];
        assert_eq!(smallest_hall_set(&[1], &places), Some(vec![0, 1]));
        assert_eq!(smallest_hall_set(&[1, 2], &places), Some(vec![0, 1]));
        assert_eq!(smallest_hall_set(&[3], &places), None);
        let places = [
            (7, vec![3, 4]),
            (8, vec![4, 5]),
            (9, vec![5, 3]),
            (5, vec![1]),
        ];
        assert_eq!(smallest_hall_set(&[4], &places), Some(vec![7, 8, 9]));
        assert_eq!(smallest_hall_set(&[1, 4], &places), Some(vec![7, 8, 9, 5]));
        // Two places with one candidate between them have no matching.
        assert_eq!(smallest_hall_set(&[1], &[(0, vec![1]), (1, vec![1])]), None);
    }
}
