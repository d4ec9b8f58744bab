//! Sums in words.

use super::rule_words::{BoardPhrases, MOST_NAMED, list_in_words};
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Sum};

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
    pub(super) fn sum_without(&self, step: &Step) -> Option<String> {
        let ([number], [one]) = (&step.rules[..], &step.conclusions[..]) else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::Sum(rule) = &**solver.constraints().get(*number as usize)? else {
            return None;
        };
        if !rule.parts.is_empty() {
            return None;
        }
        let (mut own, mut least, mut most, mut is_open) = (0.0, 0.0, 0.0, false);
        for (place, factor) in rule.places.iter().zip(&rule.factors) {
            if *place == one.place {
                own += factor;
                continue;
            }
            let known = step.places.iter().position(|own| own == place);
            let values = known.map_or_else(
                || self.initial(*place),
                |known| step.candidates[known].clone(),
            );
            is_open |= values.len() > 1;
            let terms = values.iter().map(|value| self.number(*value));
            let terms: Vec<f64> = terms
                .map(|term| term.map(|term| term * factor))
                .collect::<Option<_>>()?;
            least += terms.iter().copied().fold(f64::INFINITY, f64::min);
            most += terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
        if !is_open {
            return None;
        }
        let (mut high, mut low) = (Vec::new(), Vec::new());
        let (mut at_least, mut at_most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in &one.values {
            let term = own * self.number(*value)?;
            if term + least > rule.high {
                high.push(*value);
                at_least = at_least.min(term + least);
            } else if term + most < rule.low {
                low.push(*value);
                at_most = at_most.max(term + most);
            } else {
                return None;
            }
        }
        let place = self.place(one.place);
        let phrase = |values: &[u32], bound: String| {
            (!values.is_empty()).then(|| {
                let values = self.either_of(values);
                format!("with {values} at {place} it would be {bound}")
            })
        };
        let phrases = [
            phrase(&high, format!("at least {at_least}")),
            phrase(&low, format!("at most {at_most}")),
        ];
        let phrases: Vec<String> = phrases.into_iter().flatten().collect();
        (!phrases.is_empty()).then(|| list_in_words(&phrases, "and"))
    }
}
