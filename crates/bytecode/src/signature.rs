//! Signatures of built-ins, host functions and constants of the host, for the compiler.

use std::borrow::Cow;
use std::sync::Arc;

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use super::facts::Facts;
use super::host_constant::HostConstant;
use super::shortcut::Shortcut;

/// A built-in as its callers see it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Cow<'static, str>,
    /// The fewest and the most arguments; `None` for any number.
    pub least: u32,
    pub most: Option<u32>,
    /// The prelude functions that implement it, by number of arguments.
    pub scripts: Vec<(u32, u32)>,
    /// Whether each call returns a new array that nothing else refers to.
    pub fresh: bool,
    /// Whether it only computes a value: it makes no choice, calls no function, and asks no question.
    pub computes: bool,
    /// Its calls that the main loop can carry out itself.
    pub shortcuts: &'static [Shortcut],
    /// Whether only the prelude can name it.
    pub hidden: bool,
    pub facts: Facts,
    /// Whether it may call functions of the script, so that its result comes back as that of a function does.
    pub calls_back: bool,
}

/// All built-ins, by number and by name.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    list: Vec<Signature>,
    by_name: KeyedMap<Cow<'static, str>, u32>,
    host_constants: KeyedMap<Arc<str>, Arc<HostConstant>>,
    /// Built-ins that the host does not allow.
    denied: KeyedSet<Cow<'static, str>>,
    /// The modules of the host that have what the program has not imported.
    elsewhere: KeyedMap<Arc<str>, Arc<str>>,
    calls_back: bool,
}

impl Signatures {
    /// No built-ins yet, with capacity for `count`.
    pub fn with_capacity(count: usize) -> Signatures {
        let by_name = KeyedMap::with_capacity_and_hasher(count, Default::default());
        Signatures {
            list: Vec::with_capacity(count),
            by_name,
            ..Signatures::default()
        }
    }

    /// Adds a built-in and returns its number; one of the same name is hidden.
    pub fn add(&mut self, signature: Signature) -> u32 {
        let number = self.list.len() as u32;
        self.by_name.insert(signature.name.clone(), number);
        self.list.push(signature);
        number
    }

    /// Records that functions or methods of the host may call functions of the script.
    pub fn call_back(&mut self) {
        self.calls_back = true;
    }

    /// Whether they may.
    pub fn may_call_back(&self) -> bool {
        self.calls_back
    }

    /// The number of the built-in of a name, whatever the host has added or removed.
    pub fn built_in(&self, name: &str) -> Option<u32> {
        let at = self.list.iter().position(|known| known.name == name)?;
        Some(at as u32)
    }

    /// Adds one that no program can name, so that others keep their numbers.
    pub fn add_unnamed(&mut self, signature: Signature) {
        self.list.push(signature);
    }

    /// Adds a constant of the host; a built-in of this name is hidden.
    pub fn add_host_constant(&mut self, name: Arc<str>, value: Arc<HostConstant>) {
        self.host_constants.insert(name, value);
    }

    /// The constant of the host of this name.
    pub fn host_constant(&self, name: &str) -> Option<&Arc<HostConstant>> {
        self.host_constants.get(name)
    }

    /// The names of the constants of the host.
    pub fn host_constant_names(&self) -> impl Iterator<Item = &str> {
        self.host_constants.keys().map(|name| &**name)
    }

    /// Removes a built-in from programs; the prelude keeps it.
    pub fn deny(&mut self, name: &'static str) {
        self.denied.insert(name.into());
    }

    /// Gives it back, as the host has a function of that name.
    pub fn allow(&mut self, name: &str) {
        self.denied.remove(name);
    }

    /// Whether the host has taken the built-in of this name away.
    pub fn is_denied(&self, name: &str) -> bool {
        self.denied.contains(name)
    }

    /// Records which module has a name that the program has not imported.
    pub fn add_name_of_module(&mut self, name: Arc<str>, module: Arc<str>) {
        self.elsewhere.insert(name, module);
    }

    /// The module that has a name.
    pub fn module_of(&self, name: &str) -> Option<&Arc<str>> {
        self.elsewhere.get(name)
    }

    /// The number of a built-in; hidden ones are found for the prelude only.
    pub fn find(&self, name: &str, in_prelude: bool) -> Option<u32> {
        let number = *self.by_name.get(name)?;
        if !in_prelude && self.is_denied(name) {
            return None;
        }
        (in_prelude || !self.list[number as usize].hidden).then_some(number)
    }

    /// The names that programs can use.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list
            .iter()
            .filter(|signature| !signature.hidden && !self.is_denied(&signature.name))
            .map(|signature| &*signature.name)
    }

    pub fn get(&self, number: u32) -> &Signature {
        &self.list[number as usize]
    }
}

impl Signature {
    /// The prelude function for a call with this many arguments.
    pub fn script_for(&self, arguments: u32) -> Option<u32> {
        self.scripts
            .iter()
            .find(|script| script.0 == arguments)
            .map(|script| script.1)
    }

    /// The shortcut for a call with this many arguments in the main loop.
    pub fn shortcut_for(&self, arguments: u32) -> Option<Shortcut> {
        self.shortcuts
            .iter()
            .copied()
            .find(|shortcut| shortcut.arguments() == arguments)
    }

    /// Whether a call may have this many arguments.
    pub fn accepts(&self, arguments: u32) -> bool {
        arguments >= self.least && self.most.is_none_or(|most| arguments <= most)
    }
}
