//! A step as a sentence, and what follows from something that is supposed, link by link.

use super::rule_words::{BoardPhrases, list_in_words};
use ndscript_solver::steps::{Kind, Step};

/// From so many links on, each has a letter, to which later ones refer.
const LETTERED: usize = 4;
/// More links than these are called a long trial.
const LONG: usize = 10;
/// A link refers to at most so many others.
const MOST_LETTERS: usize = 3;
/// A rule of so many letters or more is told once in a chain.
const TOLD_ONCE: usize = 40;

/// What a sentence can refer to.
#[derive(Default)]
struct Told<'a> {
    /// The place and the value that are supposed, if anything is.
    supposed: Option<(u32, u32)>,
    /// The links before it.
    before: &'a [Step],
    /// Whether links have letters.
    has_letters: bool,
}

impl Told<'_> {
    /// The letter of the link that has told a rule before.
    fn letter_of_rule(&self, rules: &[u32]) -> Option<String> {
        let before = self.has_letters.then_some(self.before)?;
        let at = before.iter().position(|link| link.rules == rules)?;
        Some(letter(at))
    }

    /// The letters of links that a link follows from, but for the one before it.
    fn letters_of_places(&self, places: &[u32]) -> Vec<String> {
        let before = match self.before {
            [before @ .., _] if self.has_letters => before,
            _ => &[],
        };
        let is_on = |link: &Step| {
            let mut conclusions = link.conclusions.iter();
            conclusions.any(|one| places.contains(&one.place))
        };
        let links = before.iter().enumerate();
        let links = links.filter(|(_, link)| is_on(link));
        let letters: Vec<String> = links.map(|(at, _)| letter(at)).collect();
        // More of them do not help.
        match letters.len() <= MOST_LETTERS {
            true => letters,
            false => Vec::new(),
        }
    }
}

/// The letter of a link by its number: a, b, ..., z, a2, b2, ...
fn letter(at: usize) -> String {
    let letter = (b'a' + (at % 26) as u8) as char;
    match at / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}

impl BoardPhrases<'_> {
    /// A step as a sentence.
    pub fn sentence(&self, step: &Step) -> String {
        let what = self.conclusions(&step.conclusions);
        let Some((place, value)) = step.supposed else {
            return match step.kind {
                Kind::Search => format!("{what}, as a search over all rules shows"),
                _ if step.chain.is_empty() => {
                    format!("{what}, {}", self.reasons(step, &Told::default()))
                }
                _ => format!("{}. So {what}", self.chain(step)),
            };
        };
        match &step.chain[..] {
            // The rule itself says it.
            [only] if only.conclusions.is_empty() => {
                let told = Told {
                    supposed: step.supposed,
                    ..Told::default()
                };
                format!("{what}, {}", self.reasons(only, &told))
            }
            links => {
                let trial = match links.len() > LONG {
                    true => format!("a long trial of {} links: ", links.len()),
                    false => String::new(),
                };
                format!(
                    "{trial}suppose {} is {}: {}. So {what}",
                    self.place(place),
                    self.value(value),
                    self.chain(step)
                )
            }
        }
    }

    /// The links of a chain.
    fn chain(&self, step: &Step) -> String {
        let links = &step.chain;
        let has_letters = links.len() >= LETTERED;
        let sentences = links.iter().enumerate().map(|(at, link)| {
            let told = Told {
                supposed: None,
                before: &links[..at],
                has_letters,
            };
            let is_last = at + 1 == links.len();
            let but = match is_last && !link.conclusions.is_empty() {
                true => "but ",
                false => "",
            };
            let letter = match has_letters && !is_last {
                true => format!("{}) ", letter(at)),
                false => String::new(),
            };
            let what = self.conclusions(&link.conclusions);
            let from = told.letters_of_places(&link.places);
            let from = match from.is_empty() {
                true => String::new(),
                false => format!(" (by {})", list_in_words(&from, "and")),
            };
            format!("{letter}{but}{what}, {}{from}", self.reasons(link, &told))
        });
        sentences.collect::<Vec<String>>().join("; ")
    }

    /// The rules and the known places of a step, but for a place whose value is only supposed.
    fn reasons(&self, step: &Step, told: &Told<'_>) -> String {
        let supposed = told.supposed;
        let rules = step.rules.iter();
        let rules: Vec<String> = rules.map(|rule| self.used_rule(*rule, step)).collect();
        let known = step.places.iter().zip(&step.candidates);
        let known = known.filter(|(place, _)| supposed.is_none_or(|(other, _)| **place != other));
        let (places, held): (Vec<u32>, Vec<Vec<u32>>) = known
            .map(|(place, held)| (*place, held.clone()))
            .chain(self.certain(step))
            .unzip();
        let rules = list_in_words(&rules, "and");
        let letter = told.letter_of_rule(&step.rules);
        let mut reasons = match letter.filter(|_| rules.chars().count() >= TOLD_ONCE) {
            Some(letter) => format!("by the rule in {letter}"),
            None => format!("since {rules}"),
        };
        if !places.is_empty() {
            reasons.push_str(&self.known(step, &places, &held));
        }
        // What would go wrong, where the rule and the places alone do not show it.
        let wrong = self
            .sum_without(step, supposed)
            .or_else(|| self.regions_without(step))
            .or_else(|| self.piece_without(step))
            .or_else(|| self.edges_without(step, supposed));
        match wrong {
            Some(wrong) => format!("{reasons}: {wrong}"),
            None => reasons,
        }
    }
}
