//! The distance of two words, for "did you mean".

/// The number of letters to change, add, leave out or swap with their neighbor to make `a` of `b`.
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The word that `word` most likely means, if one is near enough.
///
/// ```
/// use ndscript::spelling::nearest;
/// assert_eq!(nearest("whlie", ["if", "while"]), Some("while"));
/// assert_eq!(nearest("banana", ["if", "while"]), None);
/// ```
pub fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    if length > 40 {
        return None;
    }
    let lower = word.to_lowercase();
    let near = |candidate: &str| {
        let distance = distance(&lower, &candidate.to_lowercase());
        let limit = match length.max(candidate.len()) {
            0..=2 => usize::from(candidate.chars().rev().eq(lower.chars())),
            3..=4 => 1,
            _ => 2,
        };
        (distance <= limit).then_some(distance)
    };
    let candidates = words
        .into_iter()
        .filter(|candidate| candidate.len() <= 64 && *candidate != word);
    candidates
        .filter_map(|candidate| near(candidate).map(|distance| (distance, candidate)))
        .min()
        .map(|found| found.1)
}
