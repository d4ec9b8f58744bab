//! How an engine describes its functions.

use super::{EngineFunction, HOST, HostEntry};
use crate::programs::engine::Engine;
use crate::tools::reference;

impl Engine {
    /// Documents the host function that was added last, for completion and documentation: its parameters, optional ones
    /// in brackets, and one line on what it does. If a constant was added last, the line.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new()
    ///     .with_function("price", |item: String, count: Option<i64>| Ok(item.len() as i64 * count.unwrap_or(1)))
    ///     .with_doc("item[, count]", "What so many of an item cost.");
    /// let price = engine.functions().find(|function| &*function.name == "price").unwrap();
    /// assert_eq!((&*price.parameters, price.domain), ("item[, count]", "The host"));
    /// ```
    pub fn with_doc(mut self, parameters: &str, doc: &str) -> Engine {
        if self.latest_is_constant {
            if let Some(entry) = self.constants.last_mut() {
                entry.doc = doc.into();
            }
        } else if let Some(entry) = self.functions.get_mut(self.latest_function) {
            entry.parameters = parameters.into();
            entry.doc = doc.into();
        }
        self
    }

    /// Sets the number of arguments of the host function that was added last: at least `least`, and at most `most`, or
    /// any number. [`Engine::check`] warns of other calls, and running them is an error. For functions that take
    /// [`Rest`](crate::Rest) because they come from another language; the types of others tell their number.
    ///
    /// ```
    /// use ndscript::{Data, Engine, Rest};
    /// let engine = Engine::new().with_function("size", |all: Rest<Data>| Ok(all.len())).with_arity(1, Some(2));
    /// assert!(engine.check("print(size(1));").diagnostics.is_empty());
    /// assert_eq!(engine.check("print(size());").diagnostics.len(), 1);
    /// assert!(engine.compile("print(size(1, 2, 3));")?.run(1).next().unwrap().is_err());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn with_arity(mut self, least: u32, most: Option<u32>) -> Engine {
        if let Some(entry) = self.functions.get_mut(self.latest_function) {
            let (fewest, all) = entry.arity;
            let most = match (most, all) {
                (Some(most), Some(all)) => Some(most.min(all)),
                (most, all) => most.or(all),
            };
            entry.arity = (least.max(fewest), most.map(|most| most.max(fewest)));
        }
        self
    }

    /// Adds an example for the host function that was added last, and the text of its value.
    ///
    /// ```
    /// let engine = ndscript::Engine::new().with_function("twice", |n: i64| Ok(n * 2)).with_example("twice(4)", "8");
    /// assert_eq!(&*engine.doc("twice").unwrap().gives, "8");
    /// ```
    pub fn with_example(mut self, example: &str, gives: &str) -> Engine {
        if let Some(entry) = self.functions.get_mut(self.latest_function) {
            entry.example = example.into();
            entry.gives = gives.into();
        }
        self
    }

    /// All functions that programs can call without defining them: the built-ins, by domain, and then those of the
    /// host. A function of the host covers what had its name before.
    ///
    /// ```
    /// let engine = ndscript::Engine::new().with_function("sizeOf", |a: i64, b: Option<i64>| Ok(a + b.unwrap_or(0)));
    /// let named: Vec<_> = engine.functions().filter(|function| &*function.name == "sizeOf").collect();
    /// assert_eq!(named.len(), 1);
    /// assert_eq!(&*named[0].parameters, "a[, b]");
    /// ```
    pub fn functions(&self) -> impl Iterator<Item = EngineFunction> {
        let covered = |name: &str, behind: usize| {
            self.functions[behind..]
                .iter()
                .any(|entry| &*entry.name == name)
        };
        let built_in = reference::entries()
            .filter(move |entry| !covered(entry.name, 0) && self.allowed.allows(entry.name))
            .map(|entry| EngineFunction {
                name: entry.name.into(),
                domain: entry.domain,
                parameters: entry.parameters.into(),
                is_field: false,
                doc: entry.doc.into(),
                example: entry.example.into(),
                gives: entry.gives.into(),
            });
        let of_host = self
            .functions
            .iter()
            .enumerate()
            .filter(move |(at, entry)| !covered(&entry.name, at + 1));
        built_in.chain(of_host.map(|(_, entry)| entry.described()))
    }

    /// The constants of the host as completion and documentation show them: like fields, which are not called.
    pub(crate) fn described_constants(&self) -> impl Iterator<Item = EngineFunction> {
        self.constants_there().map(|entry| EngineFunction {
            name: entry.name.clone(),
            domain: HOST,
            parameters: "".into(),
            is_field: true,
            doc: entry.doc.clone(),
            example: entry.name.clone(),
            gives: entry.value.to_string().into(),
        })
    }

    /// The functions and constants of a module.
    pub(crate) fn of_module(module: &Engine) -> impl Iterator<Item = EngineFunction> {
        let functions = module.functions.iter().map(HostEntry::described);
        functions.chain(module.described_constants())
    }
}
