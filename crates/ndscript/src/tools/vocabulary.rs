//! The names that programs of an engine can use: built-ins, and functions and constants of the host and its modules.

use std::borrow::Cow;
use std::sync::Arc;

use super::functions::HostEntry;
use crate::host::host_type::TypeEntry;
use crate::host::modules::ModuleEntry;
use crate::programs::engine::Engine;
use crate::programs::prelude::prelude;
use ndscript_base::source::relative_path;
use ndscript_bytecode::{Facts, Signature, Signatures};
use ndscript_machine::natives::native::{Action, Native};
use ndscript_syntax::highlight::{TokenClass, tokens};

impl Engine {
    /// All functions of the host with the modules that have them, in the order of their numbers.
    pub(crate) fn all_functions(&self) -> impl Iterator<Item = (Option<&ModuleEntry>, &HostEntry)> {
        let own = self.functions.iter().map(|entry| (None, entry));
        let of_modules = self.modules.iter().flat_map(|module| {
            let entries = module.engine.functions.iter();
            entries.map(move |entry| (Some(module), entry))
        });
        own.chain(of_modules)
    }

    /// The types of the host, and that of calls it makes.
    pub(crate) fn all_types(&self) -> impl Iterator<Item = TypeEntry> {
        let errand = self.may_call_back().then(TypeEntry::errand);
        self.types.iter().cloned().chain(errand)
    }

    /// Whether functions or methods of the host may call functions of the script.
    pub(crate) fn may_call_back(&self) -> bool {
        !self.types.is_empty() || self.all_functions().any(|(_, entry)| entry.calls_back)
    }

    /// Built-ins, and functions and constants of the host: for the compiler, and for the machine. Programs see of modules
    /// what they have imported; functions have their numbers anyway, as later inputs of a growing program may import more.
    pub(crate) fn natives(&self, imported: &[String]) -> (Cow<'static, Signatures>, Arc<[Native]>) {
        let prelude = prelude();
        let is_plain = self.functions.is_empty()
            && self.types.is_empty()
            && self.constants.is_empty()
            && self.modules.is_empty()
            && !self.allowed.denies_any();
        if is_plain {
            return (Cow::Borrowed(&prelude.signatures), prelude.natives.clone());
        }
        let mut signatures = prelude.signatures.clone();
        let mut natives = prelude.natives.to_vec();
        if self.allowed.denies_any() {
            let denied = crate::tools::reference::entries()
                .map(|entry| entry.name)
                .filter(|name| !self.allowed.allows(name));
            denied.for_each(|name| signatures.deny(name));
        }
        if self.may_call_back() {
            signatures.call_back();
        }
        let is_imported =
            |module: &ModuleEntry| imported.iter().any(|name| **name == *module.text.name);
        for (number, (module, entry)) in self.all_functions().enumerate() {
            let signature = Signature {
                name: entry.name.to_string().into(),
                least: entry.arity.0,
                most: entry.arity.1,
                scripts: Vec::new(),
                fresh: false,
                computes: false,
                shortcuts: &[],
                hidden: false,
                facts: Facts::default(),
                calls_back: entry.calls_back,
            };
            match module {
                Some(module) if !is_imported(module) => {
                    signatures.add_unnamed(signature);
                    signatures.add_name_of_module(entry.name.clone(), module.text.name.clone());
                }
                _ => {
                    signatures.allow(&entry.name);
                    signatures.add(signature);
                }
            }
            natives.push(Native::computing(
                entry.name.to_string().into(),
                entry.arity,
                Action::Host(number as u32),
            ));
        }
        let modules = self.modules.iter();
        let of_modules = modules.flat_map(|module| {
            let entries = module.engine.constants.iter();
            entries.map(move |entry| (Some(module), entry))
        });
        let own = self.constants.iter().map(|entry| (None, entry));
        for (module, entry) in own.chain(of_modules) {
            match (module, &entry.compiled) {
                (Some(module), _) if !is_imported(module) => {
                    signatures.add_name_of_module(entry.name.clone(), module.text.name.clone());
                }
                (_, Ok(constant)) => {
                    signatures.add_host_constant(entry.name.clone(), constant.clone());
                }
                (_, Err(_)) => {}
            }
        }
        (Cow::Owned(signatures), natives.into())
    }

    /// The first error in the host's functions, constants, modules, built-ins and types, and what to do.
    pub(crate) fn host_problem(&self) -> Option<(String, &'static str)> {
        const NAMES: &str = "a name is a letter or `_`, then letters, digits and `_`; the name of a function or constant is no word of the language";
        const HOST: &str = "the host of this program has to mend that";
        let is_name = |name: &str, may_be_word: bool| {
            let mut tokens = tokens(name);
            let first = tokens.next();
            let is_whole = first
                .as_ref()
                .is_some_and(|(_, range)| *range == (0..name.len()))
                && tokens.next().is_none();
            is_whole
                && first.is_some_and(|(class, _)| {
                    class == TokenClass::Name || class == TokenClass::Keyword && may_be_word
                })
        };
        let function = self
            .all_functions()
            .find(|(_, entry)| !is_name(&entry.name, false));
        if let Some((_, entry)) = function {
            let problem = format!(
                "no program can call the host's function {:?} by its name",
                entry.name
            );
            return Some((problem, NAMES));
        }
        let constants = self
            .modules
            .iter()
            .flat_map(|module| &module.engine.constants);
        for entry in self.constants.iter().chain(constants) {
            if !is_name(&entry.name, false) {
                let problem = format!(
                    "no program can read the host's constant {:?} by its name",
                    entry.name
                );
                return Some((problem, NAMES));
            }
            if let Some(problem) = entry.problem() {
                return Some((problem, HOST));
            }
        }
        let is_path = |name: &str| relative_path(name).as_deref() == Some(name);
        let module = self
            .modules
            .iter()
            .find(|module| !is_path(&module.text.name));
        if let Some(module) = module {
            let problem = format!(
                "no program can import the host's module {:?}: its name is no relative path",
                module.text.name
            );
            return Some((problem, HOST));
        }
        if let Some(problem) = self.allowed.problem() {
            return Some((problem, HOST));
        }
        let mut members = self.types.iter().flat_map(|known| {
            let members = known.members.iter().zip(known.docs.iter());
            let named = members.filter(|(_, doc)| !doc.is_sign);
            named.map(move |(member, _)| (known, member))
        });
        let (known, member) = members.find(|(_, member)| !is_name(&member.name, true))?;
        let problem = format!(
            "no program can write the name {:?} of the host's type `{}`",
            member.name, known.rules.name
        );
        Some((problem, NAMES))
    }
}
