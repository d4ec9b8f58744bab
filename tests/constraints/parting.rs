//! `allDifferent` of places with many candidates each, against matchings one by one.

use super::{BTreeSet, Random, count, shown, texts};

/// Whether all places can have different values, after Kuhn.
fn are_matched(domains: &[BTreeSet<usize>], values: usize) -> bool {
    fn finds(
        place: usize,
        domains: &[BTreeSet<usize>],
        owner: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        for value in &domains[place] {
            if std::mem::replace(&mut seen[*value], true) {
                continue;
            }
            if owner[*value].is_none_or(|other| finds(other, domains, owner, seen)) {
                owner[*value] = Some(place);
                return true;
            }
        }
        false
    }
    let mut owner = vec![None; values];
    (0..domains.len()).all(|place| finds(place, domains, &mut owner, &mut vec![false; values]))
}

/// What is left if each candidate stays that some assignment has; nothing if there is none.
fn left(domains: &[BTreeSet<usize>], values: usize) -> Option<Vec<BTreeSet<usize>>> {
    are_matched(domains, values).then(|| {
        let stays = |place: usize, value: usize| {
            let mut with = domains.to_vec();
            with[place] = BTreeSet::from([value]);
            are_matched(&with, values)
        };
        let each = domains.iter().enumerate();
        each.map(|(place, domain)| {
            domain
                .iter()
                .copied()
                .filter(|value| stays(place, *value))
                .collect()
        })
        .collect()
    })
}

/// Places in groups: those of a group have values of a block that is hardly larger, and now and then one of another.
fn groups(random: &mut Random) -> (Vec<BTreeSet<usize>>, usize) {
    let (mut domains, mut values): (Vec<BTreeSet<usize>>, usize) = (Vec::new(), 0);
    for _ in 0..1 + random.below(4) {
        let block = 2 + random.below(6);
        let places =
            block.saturating_sub(random.below(2) * random.below(3)) + random.below(12) / 11;
        for _ in 0..places {
            let least = block.min(2 + random.below(3));
            let mut domain: BTreeSet<usize> = random
                .some(block, least)
                .iter()
                .map(|value| values + value)
                .collect();
            if random.below(5) == 0 {
                domain.insert(random.below(values + block));
            }
            domains.push(domain);
        }
        values += block;
    }
    (domains, values)
}

/// Many values that are taken away before make rows of several words of the candidates.
#[test]
fn places_of_many_candidates_keep_what_some_matching_has() {
    let mut random = Random(131);
    let (mut failed, mut narrowed) = (0, 0);
    for number in 0..count() / 3 {
        let (domains, values) = groups(&mut random);
        // Rows of two words mostly, which is where as few candidates are many.
        let spread = [1, 1, 3, 30][random.below(4)];
        let value = |value: &usize| value * spread;
        let all = 66.max(values * spread);
        let sets: Vec<Vec<usize>> = domains
            .iter()
            .map(|domain| domain.iter().map(value).collect())
            .collect();
        let board = format!(
            "let b = map(range({}), i => toSet(range({all}))); atLeast(b, 0, setOf());",
            domains.len()
        );
        let narrow: Vec<String> = sets
            .iter()
            .enumerate()
            .map(|(place, set)| format!("narrow(b, {place}, toSet({set:?}));"))
            .collect();
        // At once, or with the last ones behind it, which finds the matching of before.
        let (early, late) = narrow.split_at(random.below(narrow.len() + 1));
        let program = format!(
            "{board}\n{}\nallDifferent(b);\n{}\nprint(b);",
            early.join("\n"),
            late.join("\n")
        );
        let found = texts(&program, number.is_multiple_of(8));
        let expected: Option<Vec<BTreeSet<usize>>> = left(&domains, values);
        let told: Vec<String> = expected
            .iter()
            .map(|sets| shown(sets.iter().map(|set| set.iter().map(value).collect())))
            .collect();
        assert_eq!(found, told, "{number}:\n{program}");
        failed += usize::from(expected.is_none());
        narrowed += usize::from(expected.is_some_and(|left| left != domains));
    }
    assert!(
        failed > count() / 60 && narrowed > count() / 20,
        "too few of either: {failed} and {narrowed}"
    );
}

/// All of them can have all values: that takes some dozen visits a place and guess, not one for each value.
#[test]
fn a_permutation_is_found_in_few_steps() {
    let program = "let b = map(range(150), i => toSet(range(150))); allDifferent(b); decide(b);
        print(sizeOf(toSet(map(b, singletonValue))));";
    let compiled = ndscript::Engine::new().compile(program).expect("a program");
    let mut run = compiled.run(1);
    assert!(
        matches!(run.resume(u64::MAX), ndscript::Outcome::Solved(solution) if solution.text == "150")
    );
    assert!(
        run.statistics().steps < 1_000_000,
        "{}",
        run.statistics().steps
    );
}
