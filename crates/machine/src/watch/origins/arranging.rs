//! Built-ins that put the elements of collections into new ones, unchanged.

use super::Origins;
use super::collections::places_of;
use super::natives::NativeCall;
use super::nodes::{NOWHERE, Node};
use super::shadow::{Aspect, PlaceOrigins};
use crate::machine::Machine;
use crate::natives::effect::NativeEffect;
use ndscript_heap::{Kind, Value};

impl Origins {
    /// Records the origins of the elements in the result of such a built-in; false if it is none, or nothing is
    /// known.
    pub(super) fn arranges(
        &mut self,
        machine: &Machine,
        called: &mut NativeCall,
        values: &[Value],
        nodes: &[Node],
    ) -> bool {
        let (effect, [first, second]) = (called.effect, called.first_arguments);
        let node = |at: usize| nodes.get(at).copied().unwrap_or(NOWHERE);
        let index = |at: usize| {
            values
                .get(at)
                .and_then(|at| at.as_integer())
                .and_then(|at| usize::try_from(at).ok())
        };
        let heap = &machine.context.heap;
        let elements = match effect {
            NativeEffect::Concatenates => {
                let parts = values
                    .iter()
                    .enumerate()
                    .map(|(at, array)| self.elements_of(machine, *array, node(at)));
                parts.collect::<Vec<_>>().concat()
            }
            NativeEffect::LaysOut if first.is_kind(Kind::Array) => {
                let rows = (0..places_of(machine, first))
                    .map(|at| (self.shadow.place(first, at), heap.at_place(first, at)));
                let rows = rows
                    .map(|(row, array)| self.elements_of(machine, array, row.unwrap_or(node(0))));
                rows.collect::<Vec<_>>().concat()
            }
            NativeEffect::Zips => Vec::new(),
            NativeEffect::Copies if self.shadow.places(first).is_none() => return false,
            NativeEffect::Copies
            | NativeEffect::Reverses
            | NativeEffect::Slices
            | NativeEffect::Row
            | NativeEffect::Column
                if places_of(machine, first) > 0 =>
            {
                let all = self.elements_of(machine, first, node(0));
                match effect {
                    NativeEffect::Reverses => all.into_iter().rev().collect(),
                    NativeEffect::Slices => {
                        let to = index(2).unwrap_or(all.len()).min(all.len());
                        all.get(index(1).unwrap_or(0)..to).unwrap_or(&[]).to_vec()
                    }
                    NativeEffect::Row | NativeEffect::Column => {
                        let width = first
                            .handle_of(Kind::Grid)
                            .map_or(1, |grid| heap.grids[grid].width as usize);
                        let line = |at: usize| {
                            Some(if effect == NativeEffect::Row {
                                at / width
                            } else {
                                at % width
                            })
                        };
                        (0..all.len())
                            .filter(|at| line(*at) == index(1))
                            .map(|at| all[at])
                            .collect()
                    }
                    _ => all,
                }
            }
            _ => return false,
        };
        let shapes = [first, second].map(|value| self.shadow.aspect(value, Aspect::Shape));
        called.shape = match effect {
            NativeEffect::Slices => self.all([shapes[0], node(1), node(2)]),
            NativeEffect::Concatenates | NativeEffect::Zips => self.all(shapes),
            _ => shapes[0],
        };
        called.result = match effect {
            NativeEffect::Concatenates | NativeEffect::Zips => NOWHERE,
            // The index says which elements these are.
            NativeEffect::Slices | NativeEffect::Row | NativeEffect::Column => {
                let index = self.nodes.as_lead(node(1));
                self.both(node(0), index)
            }
            _ => node(0),
        };
        called.elements = (effect != NativeEffect::Zips).then_some(elements);
        true
    }

    /// Two collections were combined pair by pair.
    pub(super) fn zipped(&mut self, machine: &Machine, result: Value, called: &NativeCall) {
        let [first, second] = called.first_arguments;
        let nodes = [first, second].map(|value| {
            let whole = self.whole_of(machine, value);
            let elements = if value.is_kind(Kind::Array) {
                self.elements_of(machine, value, NOWHERE)
            } else {
                Vec::new()
            };
            (elements, whole)
        });
        let heap = &machine.context.heap;
        let length = places_of(machine, result);
        for at in 0..length {
            let pair = nodes
                .each_ref()
                .map(|(elements, whole)| elements.get(at).copied().unwrap_or(*whole));
            self.shadow.make(
                heap.at_place(result, at),
                PlaceOrigins::new(pair.to_vec(), NOWHERE),
            );
        }
        self.shadow.make(
            result,
            PlaceOrigins::new(Vec::new(), NOWHERE).with(Aspect::Shape, called.shape),
        );
    }
}
