//! A chain from a supposition to a contradiction without the links that its end does not need.

use super::chain::{Chain, Event};
use super::masks::Masks;
use super::model::{Model, lost};
use super::reason::fewest;
use ndscript_base::budget::Budget;

/// Longer chains are not shortened.
const MOST_LINKS: usize = 96;

impl Model {
    /// A chain with those of some of its links that its end needs, each after those before it.
    pub(super) fn fewest_links(
        &self,
        domains: &Masks,
        mut chain: Chain,
        links: Vec<u32>,
        budget: &mut Budget,
    ) -> Chain {
        if links.len() > MOST_LINKS {
            return chain;
        }
        let Some(end) = self.end_of(domains, &chain, &links, budget) else {
            return chain;
        };
        chain.last = end.rules;
        let needed = fewest(links[..end.links].to_vec(), |links| {
            self.end_of(domains, &chain, links, budget).is_some()
        });
        let Some(end) = self.end_of(domains, &chain, &needed, budget) else {
            return chain;
        };
        let events = needed[..end.links].iter().enumerate();
        let events = events.map(|(before, at)| Event {
            before,
            ..chain.events[*at as usize].clone()
        });
        Chain {
            events: events.collect(),
            last: end.rules,
        }
    }

    /// Where some links lead to, if each of them follows from those before it: to rules that cannot hold, which may be those of
    /// a link itself.
    fn end_of(
        &self,
        domains: &Masks,
        chain: &Chain,
        links: &[u32],
        budget: &mut Budget,
    ) -> Option<ChainEnd> {
        let mut state = domains.clone();
        for (before, at) in links.iter().enumerate() {
            let event = &chain.events[*at as usize];
            let place = event.place as usize;
            let Some(left) = self.propagated(&state, &event.rules, budget) else {
                return Some(ChainEnd {
                    links: before,
                    rules: event.rules.clone(),
                });
            };
            let lost = lost(state.row(place), left.candidates(place));
            let row = state.row(place).iter().zip(&event.values);
            let follows = row
                .zip(&lost)
                .all(|((row, values), lost)| row & values & !lost == 0);
            if !follows {
                return None;
            }
            state.leave_out(place, &event.values);
        }
        let is_broken = self.propagated(&state, &chain.last, budget).is_none();
        is_broken.then(|| ChainEnd {
            links: links.len(),
            rules: chain.last.clone(),
        })
    }
}

/// How many links lead to rules that cannot hold.
struct ChainEnd {
    links: usize,
    rules: Vec<u32>,
}
