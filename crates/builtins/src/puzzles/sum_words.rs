//! Sums in words.

use super::rule_words::{BoardPhrases, MOST_NAMED, list_in_words};
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Sum};

/// What a sum says of its places is applied so often at most.
const PASSES: usize = 8;
/// At most this many reasons are told.
const MOST_TOLD: usize = 4;
/// At most this many places are told of which the sum itself says something.
const MOST_NEEDED: usize = 5;
/// More work than this is not done for a step, in visits.
const MOST_LOOKED_AT: usize = 1 << 18;

impl BoardPhrases<'_> {
    /// The terms of a sum.
    pub(super) fn sum(&self, rule: &Sum, own: &str) -> String {
        if !rule.parts.is_empty() {
            return format!("what {own} count, added up,");
        }
        if rule.factors.iter().all(|factor| *factor == 1.0) {
            return format!("the sum of {own}");
        }
        if rule.places.len() > 2 * MOST_NAMED {
            return format!("the sum of {own} with their factors");
        }
        let mut out = String::new();
        for (place, factor) in rule.places.iter().zip(&rule.factors) {
            let sign = match (*factor < 0.0, out.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            out.push_str(sign);
            if factor.abs() != 1.0 {
                out.push_str(&format!("{} × ", factor.abs()));
            }
            out.push_str(&self.place(*place));
        }
        out
    }

    /// How large a sum would be with what a step excludes: `with 2 at E it would be at most -15`. `None` if that is not why it
    /// follows, or if all other places of the sum are known.
    pub(super) fn sum_without(&self, step: &Step, supposed: Option<(u32, u32)>) -> Option<String> {
        let [number] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::Sum(rule) = &**solver.constraints().get(number as usize)? else {
            return None;
        };
        if !rule.parts.is_empty() || work_of_sum(rule, step) == 0 {
            return None;
        }
        let terms = self.terms(rule, step)?;
        if step.conclusions.is_empty() {
            let at = supposed
                .and_then(|(place, _)| terms.all.iter().position(|term| term.place == place));
            let is_open = terms.are_open(at);
            return self.wrong_by_bounds(&terms, at).filter(|_| is_open);
        }
        let mut told: Vec<String> = Vec::new();
        let (mut high, mut low) = (Vec::new(), Vec::new());
        let (mut at_least, mut at_most) = (f64::INFINITY, f64::NEG_INFINITY);
        for one in &step.conclusions {
            let at = terms.all.iter().position(|term| term.place == one.place)?;
            if !terms.are_open(Some(at)) {
                return None;
            }
            for value in &one.values {
                let mut supposed = terms.clone();
                supposed.all[at].numbers = vec![self.number(*value)?];
                let [least, most] = supposed.range(None);
                if least > rule.high {
                    add_value(&mut high, one.place, *value);
                    at_least = at_least.min(least);
                } else if most < rule.low {
                    add_value(&mut low, one.place, *value);
                    at_most = at_most.max(most);
                } else {
                    told.push(self.wrong_by_bounds(&supposed, Some(at))?);
                }
            }
        }
        let with = |supposed: &[(u32, Vec<u32>)], bound: String| {
            let parts = supposed.iter().map(|(place, values)| {
                format!("{} at {}", self.either_of(values), self.place(*place))
            });
            let parts = list_in_words(&parts.collect::<Vec<String>>(), "or");
            (!supposed.is_empty()).then(|| format!("with {parts} it would be {bound}"))
        };
        let simple = [
            with(&high, format!("at least {at_least}")),
            with(&low, format!("at most {at_most}")),
        ];
        told.splice(0..0, simple.into_iter().flatten());
        ((1..=MOST_TOLD).contains(&told.len())).then(|| told.join("; "))
    }

    /// The terms of a sum with what a step knows of them. `None` if some are no numbers.
    fn terms(&self, rule: &Sum, step: &Step) -> Option<Terms> {
        let mut all: Vec<Term> = Vec::new();
        for (place, factor) in rule.places.iter().zip(&rule.factors) {
            if let Some(own) = all.iter_mut().find(|term| term.place == *place) {
                own.factor += factor;
                continue;
            }
            let held = self.held(step, *place);
            let numbers = held.iter().map(|value| self.number(*value));
            all.push(Term {
                place: *place,
                factor: *factor,
                numbers: numbers.collect::<Option<_>>()?,
            });
        }
        let (low, high) = (rule.low, rule.high);
        Some(Terms { all, low, high })
    }

    /// What goes wrong with a value that is supposed, after what the bounds of the sum say of the other places. These are told as far
    /// as they are needed.
    fn wrong_by_bounds(&self, terms: &Terms, supposed: Option<usize>) -> Option<String> {
        let mut narrowed = terms.clone();
        for _ in 0..PASSES {
            if narrowed.wrong(self).is_some() || !narrowed.narrow() {
                break;
            }
        }
        let (why, _) = narrowed.wrong(self)?;
        let is_still_so = |terms: &Terms| terms.wrong(self).is_some_and(|(other, _)| other == why);
        let mut needed = Vec::new();
        for at in (0..terms.all.len()).filter(|at| Some(*at) != supposed) {
            if narrowed.all[at].numbers == terms.all[at].numbers {
                continue;
            }
            let own =
                std::mem::replace(&mut narrowed.all[at].numbers, terms.all[at].numbers.clone());
            if !is_still_so(&narrowed) {
                narrowed.all[at].numbers = own;
                needed.push(at);
            }
        }
        if needed.len() > MOST_NEEDED {
            return None;
        }
        let (_, wrong) = narrowed.wrong(self)?;
        let phrases = needed.iter().map(|at| {
            let term = &narrowed.all[*at];
            format!("{} is {}", self.place(term.place), in_range(&term.numbers))
        });
        let phrases: Vec<String> = phrases.collect();
        let so = match phrases.is_empty() {
            true => wrong,
            false => format!("{}, and {wrong}", list_in_words(&phrases, "and")),
        };
        Some(match supposed {
            Some(at) => {
                let term = &terms.all[at];
                format!(
                    "with {} at {}, {so}",
                    term.numbers[0],
                    self.place(term.place)
                )
            }
            None => so,
        })
    }
}

/// How it shows that a sum cannot be.
#[derive(Clone, Copy, PartialEq)]
enum Why {
    Bounds,
    /// A term, by its number, has none that fits.
    Number(usize),
    /// The rest of the sum is no multiple of a divisor.
    Multiple(u64),
}

/// Why a sum cannot be, and that in words.
type Wrong = (Why, String);

/// A place of a sum, its factor and the numbers that it can be.
#[derive(Clone)]
struct Term {
    place: u32,
    factor: f64,
    numbers: Vec<f64>,
}

impl Term {
    fn range(&self) -> [f64; 2] {
        let products = self.numbers.iter().map(|number| number * self.factor);
        products.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], own| {
            [least.min(own), most.max(own)]
        })
    }

    fn in_words(&self, words: &BoardPhrases<'_>) -> String {
        let place = words.place(self.place);
        match self.factor.abs() {
            1.0 => place,
            factor => format!("{factor} × {place}"),
        }
    }
}

/// A sum with what is known of its places.
#[derive(Clone)]
struct Terms {
    all: Vec<Term>,
    low: f64,
    high: f64,
}

impl Terms {
    /// Whether some place is open, but for one.
    fn are_open(&self, but: Option<usize>) -> bool {
        let mut terms = self.all.iter().enumerate();
        terms.any(|(at, term)| Some(at) != but && term.numbers.len() > 1)
    }

    /// The least and the most that all places can make, but for one.
    fn range(&self, but: Option<usize>) -> [f64; 2] {
        let terms = self.all.iter().enumerate();
        let terms = terms.filter(|(at, _)| Some(*at) != but);
        terms.fold([0.0, 0.0], |[least, most], (_, term)| {
            let [low, high] = term.range();
            [least + low, most + high]
        })
    }

    /// Leaves each place the numbers that the bounds of the sum allow. Whether that changes anything.
    fn narrow(&mut self) -> bool {
        let mut is_changed = false;
        for at in 0..self.all.len() {
            let [least, most] = self.range(Some(at));
            let (low, high) = (self.low - most, self.high - least);
            let term = &mut self.all[at];
            let count = term.numbers.len();
            let factor = term.factor;
            let fits = |number: &f64| (low..=high).contains(&(number * factor));
            if term.numbers.iter().any(fits) {
                term.numbers.retain(fits);
            }
            is_changed |= term.numbers.len() < count;
        }
        is_changed
    }

    /// What shows that the sum cannot be.
    fn wrong(&self, words: &BoardPhrases<'_>) -> Option<Wrong> {
        let [least, most] = self.range(None);
        if least > self.high {
            return Some((Why::Bounds, format!("it would be at least {least}")));
        }
        if most < self.low {
            return Some((Why::Bounds, format!("it would be at most {most}")));
        }
        self.without_number(words)
            .or_else(|| self.no_multiple(words))
    }

    /// A place that has no number between the bounds that the others leave it.
    fn without_number(&self, words: &BoardPhrases<'_>) -> Option<Wrong> {
        for (at, term) in self.all.iter().enumerate() {
            let [least, most] = self.range(Some(at));
            let (low, high) = (self.low - most, self.high - least);
            let mut products = term.numbers.iter().map(|number| number * term.factor);
            if term.numbers.len() > 1 && !products.any(|own| (low..=high).contains(&own)) {
                let sign = term.factor.signum();
                let (a, b) = (low * sign, high * sign);
                let needed = match a == b {
                    true => a.to_string(),
                    false => format!("{} to {}", a.min(b), a.max(b)),
                };
                let wrong = format!("{} would have to be {needed}", term.in_words(words));
                return Some((Why::Number(at), wrong));
            }
        }
        None
    }

    /// A divisor of some factors of a sum that is known, of which the rest is no multiple.
    fn no_multiple(&self, words: &BoardPhrases<'_>) -> Option<Wrong> {
        let are_whole = self.all.iter().all(|term| {
            term.factor.fract() == 0.0 && term.numbers.iter().all(|number| number.fract() == 0.0)
        });
        if self.low != self.high || !are_whole {
            return None;
        }
        let mut divisors: Vec<f64> = self.all.iter().map(|term| term.factor.abs()).collect();
        divisors.retain(|divisor| *divisor > 1.0);
        divisors.sort_by(f64::total_cmp);
        divisors.dedup();
        divisors.into_iter().find_map(|divisor| {
            let rest = |number: f64| {
                let rest = number.rem_euclid(divisor);
                if 2.0 * rest > divisor {
                    rest - divisor
                } else {
                    rest
                }
            };
            let mut fixed = -self.low;
            let mut open: Vec<Term> = Vec::new();
            for term in &self.all {
                match (
                    term.numbers[..].first(),
                    term.numbers.len(),
                    rest(term.factor),
                ) {
                    (Some(only), 1, _) => fixed += term.factor * only,
                    (_, _, 0.0) => {}
                    (_, _, factor) => open.push(Term {
                        factor,
                        ..term.clone()
                    }),
                }
            }
            let fixed = fixed.rem_euclid(divisor);
            let [mut least, mut most] = [fixed, fixed];
            for term in &open {
                let [low, high] = term.range();
                least += low;
                most += high;
            }
            if (least / divisor).ceil() * divisor <= most || open.is_empty() {
                return None;
            }
            let mut sum = String::new();
            open.sort_by_key(|term| term.factor < 0.0);
            for term in &open {
                let sign = match (term.factor < 0.0, sum.is_empty()) {
                    (true, true) => "-",
                    (true, false) => " - ",
                    (false, true) => "",
                    (false, false) => " + ",
                };
                sum.push_str(sign);
                sum.push_str(&term.in_words(words));
            }
            if fixed != 0.0 {
                sum.push_str(&format!(" + {fixed}"));
            }
            let wrong =
                format!("{sum} would have to be a multiple of {divisor}, but is {least} to {most}");
            Some((Why::Multiple(divisor as u64), wrong))
        })
    }
}

/// Numbers in words: `3`, `0 or 1`, `4 to 8`.
fn in_range(numbers: &[f64]) -> String {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match numbers.len() {
        1 => least.to_string(),
        2 => format!("{least} or {most}"),
        _ => format!("{least} to {most}"),
    }
}

/// Adds a value to those that are supposed of a place.
fn add_value(supposed: &mut Vec<(u32, Vec<u32>)>, place: u32, value: u32) {
    match supposed.iter_mut().find(|(own, _)| *own == place) {
        Some((_, values)) => values.push(value),
        None => supposed.push((place, vec![value])),
    }
}

/// How much work it is, in visits, to say why a step follows from a sum. Zero if that is too much.
pub(super) fn work_of_sum(rule: &Sum, step: &Step) -> usize {
    let values = step.conclusions.iter().map(|one| one.values.len());
    let suppositions = 1 + values.sum::<usize>();
    let places = rule.places.len();
    let passes = places * rule.numbers.len() * PASSES;
    let work = suppositions
        .saturating_mul(places * 4)
        .saturating_mul(passes / 8 + 1);
    match work <= MOST_LOOKED_AT {
        true => work,
        false => 0,
    }
}
