//! What the compiler knows of built-ins and host functions.

use std::borrow::Cow;

use ndscript_base::keyed::KeyedMap;

use super::shortcut::Shortcut;

/// A built-in as its callers see it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Cow<'static, str>,
    /// The fewest and the most arguments; `None` for any number.
    pub least: u32,
    pub most: Option<u32>,
    /// The functions of the prelude that serve calls with so many arguments.
    pub scripts: Vec<(u32, u32)>,
    /// Whether each call returns a new array that nobody else holds.
    pub fresh: bool,
    /// Whether it only computes a value: it makes no choice, calls no function, and asks nobody.
    pub computes: bool,
    /// The calls of it that the main loop can carry out by itself.
    pub shortcuts: &'static [Shortcut],
    /// Whether only the prelude can name it.
    pub hidden: bool,
}

/// All built-ins, by number and by name.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    list: Vec<Signature>,
    by_name: KeyedMap<Cow<'static, str>, u32>,
}

impl Signatures {
    /// No built-ins yet, but room for so many.
    pub fn with_capacity(count: usize) -> Signatures {
        let by_name = KeyedMap::with_capacity_and_hasher(count, Default::default());
        Signatures {
            list: Vec::with_capacity(count),
            by_name,
        }
    }

    /// Adds a built-in and returns its number; one of the same name is covered.
    pub fn add(&mut self, signature: Signature) -> u32 {
        let number = self.list.len() as u32;
        self.by_name.insert(signature.name.clone(), number);
        self.list.push(signature);
        number
    }

    /// The number of a built-in; hidden ones are found for the prelude only.
    pub fn find(&self, name: &str, in_prelude: bool) -> Option<u32> {
        let number = *self.by_name.get(name)?;
        (in_prelude || !self.list[number as usize].hidden).then_some(number)
    }

    /// The names that programs can use.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list
            .iter()
            .filter(|signature| !signature.hidden)
            .map(|signature| &*signature.name)
    }

    pub fn get(&self, number: u32) -> &Signature {
        &self.list[number as usize]
    }
}

impl Signature {
    /// The function of the prelude that serves a call with so many arguments.
    pub fn script_for(&self, arguments: u32) -> Option<u32> {
        self.scripts
            .iter()
            .find(|script| script.0 == arguments)
            .map(|script| script.1)
    }

    /// What carries out a call with so many arguments in the main loop.
    pub fn shortcut_for(&self, arguments: u32) -> Option<Shortcut> {
        self.shortcuts
            .iter()
            .copied()
            .find(|shortcut| shortcut.arguments() == arguments)
    }

    /// Whether a call with so many arguments is right.
    pub fn accepts(&self, arguments: u32) -> bool {
        arguments >= self.least && self.most.is_none_or(|most| arguments <= most)
    }
}
