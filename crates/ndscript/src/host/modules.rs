//! Modules and preludes of the host.

mod in_engine;

use crate::programs::engine::Engine;
use ndscript_base::diagnostics::Diagnostic;
use ndscript_syntax::ast::Script;
use std::sync::{Arc, OnceLock};

/// The offset at which texts of the host begin in the common line of all source files, far after those of programs:
/// their trees have places in it, and are shared by all programs of an engine.
const FIRST_BASE: u32 = 1 << 31;

/// A text of the host that programs run: it is parsed once.
#[derive(Clone)]
pub(crate) struct HostText {
    pub name: Arc<str>,
    pub text: Arc<str>,
    pub base: u32,
    tree: Arc<OnceLock<Result<Arc<Script>, Vec<Diagnostic>>>>,
}

impl HostText {
    fn new(name: &str, text: Arc<str>, base: u32) -> HostText {
        HostText {
            name: name.into(),
            text,
            base,
            tree: Arc::default(),
        }
    }

    /// The tree of the text at its own base.
    pub fn tree(&self) -> &Result<Arc<Script>, Vec<Diagnostic>> {
        self.tree
            .get_or_init(|| ndscript_syntax::parse(&self.text, self.base).map(Arc::new))
    }

    /// The offset of the next text; `None` if none fits.
    fn next_offset(&self) -> Option<u32> {
        let length = u32::try_from(self.text.len()).ok()?;
        self.base.checked_add(length)?.checked_add(1)
    }
}

/// A module of the host.
#[derive(Clone)]
pub(crate) struct ModuleEntry {
    /// Its script texts, in the order in which they run.
    pub text: HostText,
    /// Its functions, constants and prelude.
    pub engine: Arc<Engine>,
}
