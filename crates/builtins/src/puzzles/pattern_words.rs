//! Rules about the text that places spell, in words.

use super::rule_words::{BoardPhrases, MOST_NAMED, add_to_group, list_in_words, times};
use ndscript_solver::{Automaton, Pattern, Wording, ones};

/// A text of at most this many places is compared with a count of values.
const MOST_COUNTED: usize = 40;
/// An automaton of at most this many states is.
const MOST_STATES: usize = 256;
/// At most this many sets of states are looked at for one place and count.
const MOST_SETS: usize = 8;
/// Where places are too few for a value, so many more are looked at.
const MORE_PLACES: usize = 8;
/// At most this many counts are listed.
const MOST_COUNTS: usize = 3;

impl BoardPhrases<'_> {
    /// The text that places spell, as a rule.
    pub(super) fn pattern(&self, rule: &Pattern) -> String {
        let mut sorted = rule.places.clone();
        sorted.sort_unstable();
        let is_one = self.are_one(&sorted);
        let own = self.places(&rule.places);
        let has = if is_one { "has" } else { "have" };
        let reads = if is_one { "reads" } else { "read" };
        let class = |state: u32| {
            let class = *rule.automaton.classes.get(state as usize)? as usize;
            rule.automaton
                .masks
                .chunks((rule.automaton.words as usize).max(1))
                .nth(class)
        };
        if let Wording::Either = rule.wording {
            return self.either(rule);
        }
        if let Some((counts, values)) = counts_of(rule) {
            let times = match counts[..] {
                [only] => times(only as u64),
                _ => {
                    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
                    format!("{} times", list_in_words(&counts, "or"))
                }
            };
            return format!("{own} {has} {} {times}", self.values(&values));
        }
        match &rule.wording {
            // The first symbol is what stands between the runs.
            Wording::Expression(text) => match (runs(text), class(2)) {
                (Some(runs), Some(mask)) => {
                    let a_run = if runs.len() == 1 { "a run" } else { "runs" };
                    let runs = list_in_words(&runs, "and");
                    format!("{own} {has} {a_run} of {runs} {}", self.values(mask))
                }
                _ => format!("{own} {reads} {text}"),
            },
            Wording::Transitions => format!("{own} {reads} as its automaton allows"),
            Wording::Unknown | Wording::Either => format!("{own} {reads} as its pattern says"),
        }
    }

    /// `(0,1) is wall or (2,0) is floor or sand`.
    fn either(&self, rule: &Pattern) -> String {
        if rule.places.len() > MOST_NAMED {
            return "at least one condition of a list holds".to_string();
        }
        let words = rule.automaton.words as usize;
        let masks = rule.automaton.masks.chunks(words.max(1)).skip(1);
        let mut groups: Vec<(&[u64], Vec<u32>)> = Vec::new();
        for (place, mask) in rule.places.iter().zip(masks) {
            add_to_group(&mut groups, mask, *place);
        }
        let parts = groups.iter().map(|(mask, places)| {
            let places: Vec<String> = places.iter().map(|place| self.place(*place)).collect();
            format!("{} is {}", list_in_words(&places, "or"), self.values(mask))
        });
        list_in_words(&parts.collect::<Vec<String>>(), "or")
    }
}

/// The lengths of runs that an expression such as `\.*#{5}\.+#{2}\.*` asks for, as texts: "5" and "2".
fn runs(text: &str) -> Option<Vec<String>> {
    let mut chars = text.chars().peekable();
    // A symbol and how often: "*", "+" or a number.
    let mut parts: Vec<(char, String)> = Vec::new();
    while let Some(first) = chars.next() {
        let symbol = match first {
            '\\' => chars.next()?,
            '(' | ')' | '[' | ']' | '|' | '.' | '?' | '*' | '+' | '{' | '}' | '^' | '$' => {
                return None;
            }
            _ => first,
        };
        let often = match chars.peek() {
            Some('*' | '+') => chars.next()?.to_string(),
            Some('{') => {
                let often: String = chars
                    .by_ref()
                    .skip(1)
                    .take_while(|char| *char != '}')
                    .collect();
                often.parse::<u32>().ok()?.to_string()
            }
            _ => "1".to_string(),
        };
        parts.push((symbol, often));
    }
    let between = parts.first()?.0;
    let run = parts.get(1)?.0;
    let is_fit = |(at, (symbol, often)): (usize, &(char, String))| match at % 2 {
        0 if at == 0 || at + 1 == parts.len() => *symbol == between && often == "*",
        0 => *symbol == between && often == "+",
        _ => *symbol == run && run != between && !["*", "+"].contains(&often.as_str()),
    };
    let is_so = parts.len() % 2 == 1 && parts.iter().enumerate().all(is_fit);
    is_so.then(|| {
        parts
            .into_iter()
            .skip(1)
            .step_by(2)
            .map(|(_, often)| often)
            .collect()
    })
}

/// Whether a text and its automaton are small enough to be compared with a count of values.
fn is_countable(automaton: &Automaton, length: usize) -> bool {
    length <= MOST_COUNTED && automaton.states as usize <= MOST_STATES
}

/// How much work it is, in visits, to put a pattern into words.
pub(super) fn work_of_pattern(rule: &Pattern) -> usize {
    match is_countable(&rule.automaton, rule.places.len()) {
        true => 2 * (rule.places.len() + MORE_PLACES).pow(2) * rule.automaton.states as usize,
        false => 0,
    }
}

/// How often places have some values, and these, if nothing else matters. Where they cannot have any, what more places could have tells why.
fn counts_of(rule: &Pattern) -> Option<(Vec<usize>, Vec<u64>)> {
    let length = rule.places.len();
    let own = counts(&rule.automaton, length)?;
    if own.0 != [0] {
        return Some(own);
    }
    let longer = counts(&rule.automaton, length + MORE_PLACES);
    Some(longer.filter(|longer| longer.1 == own.1).unwrap_or(own))
}

/// How often texts of this length that an automaton reads have some values, and these, if nothing else matters.
fn counts(automaton: &Automaton, length: usize) -> Option<(Vec<usize>, Vec<u64>)> {
    let width = Automaton::state_words(automaton.states as usize);
    let words = automaton.words as usize;
    let mask = |class: u32| automaton.masks.chunks(words.max(1)).nth(class as usize);
    let mut kinds: Vec<&[u64]> = Vec::new();
    for class in automaton.classes.iter().skip(1) {
        let mask = mask(*class)?;
        if !kinds.contains(&mask) {
            kinds.push(mask);
        }
    }
    let [one, other] = kinds[..] else {
        return None;
    };
    let are_apart = one.iter().zip(other).all(|(one, other)| one & other == 0);
    if !is_countable(automaton, length) || !are_apart {
        return None;
    }
    let (counted, rest) = match ones(one).count() <= ones(other).count() {
        true => (one, other),
        false => (other, one),
    };
    let next = |states: &[u64], kind: &[u64]| {
        let mut out = vec![0; width];
        for state in ones(states) {
            let row = automaton
                .follows
                .chunks(width)
                .nth(state)
                .unwrap_or_default();
            out.iter_mut().zip(row).for_each(|(out, row)| *out |= row);
        }
        for state in 0..automaton.states as usize {
            if mask(automaton.classes[state]) != Some(kind) {
                out[state / 64] &= !(1 << (state % 64));
            }
        }
        out
    };
    // By count, the sets of states that some text reaches.
    let mut start = vec![0; width];
    *start.first_mut()? |= 1;
    let mut reached: Vec<Vec<Vec<u64>>> = vec![vec![start]];
    for _ in 0..length {
        let mut after: Vec<Vec<Vec<u64>>> = vec![Vec::new(); reached.len() + 1];
        for (count, sets) in reached.iter().enumerate() {
            for set in sets {
                for (count, kind) in [(count, rest), (count + 1, counted)] {
                    let set = next(set, kind);
                    if !after[count].contains(&set) {
                        after[count].push(set);
                    }
                }
                if after[count].len() > MOST_SETS {
                    return None;
                }
            }
        }
        reached = after;
    }
    let ends = |set: &Vec<u64>| {
        set.iter()
            .zip(&automaton.ends)
            .any(|(set, ends)| set & ends != 0)
    };
    let mut found = Vec::new();
    for (count, sets) in reached.iter().enumerate() {
        match sets.iter().filter(|set| ends(set)).count() {
            0 => {}
            some if some == sets.len() => found.push(count),
            _ => return None,
        }
    }
    (found.len() <= MOST_COUNTS && !found.is_empty()).then(|| (found, counted.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn expressions_of_runs_are_read() {
        let of = |text: &str| runs(text).map(|runs| runs.join(","));
        assert_eq!(of(r"\.*#{5}\.+#{12}\.*").as_deref(), Some("5,12"));
        assert_eq!(of("w*bw*").as_deref(), Some("1"));
        for other in [r"\.*#{5}\.*#{2}\.*", "#{5}w*", "w*#+w*", "(ab)*", "w*", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
