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
        chain: Chain,
        links: Vec<u32>,
        budget: &mut Budget,
    ) -> Chain {
        if links.len() > MOST_LINKS || !self.leads_to_end(domains, &chain, &links, budget) {
            return chain;
        }
        let needed = fewest(links, |links| {
            self.leads_to_end(domains, &chain, links, budget)
        });
        let events = needed.into_iter().enumerate().map(|(before, at)| Event {
            before,
            ..chain.events[at as usize].clone()
        });
        Chain {
            events: events.collect(),
            last: chain.last,
        }
    }

    /// Whether each of some links follows from those before it, and all of them lead to the end.
    fn leads_to_end(
        &self,
        domains: &Masks,
        chain: &Chain,
        links: &[u32],
        budget: &mut Budget,
    ) -> bool {
        let mut state = domains.clone();
        for at in links {
            let event = &chain.events[*at as usize];
            let place = event.place as usize;
            let Some(left) = self.propagated(&state, &event.rules, budget) else {
                return false;
            };
            let lost = lost(state.row(place), left.candidates(place));
            let row = state.row(place).iter().zip(&event.values);
            let follows = row
                .zip(&lost)
                .all(|((row, values), lost)| row & values & !lost == 0);
            if !follows {
                return false;
            }
            state.leave_out(place, &event.values);
            if state.count(place) == 0 {
                return true;
            }
        }
        self.propagated(&state, &chain.last, budget).is_none()
    }
}
