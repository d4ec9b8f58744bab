//! Why a program does not compile.

use ndscript_base::diagnostics::Diagnostic;
use ndscript_base::source::Sources;

/// Why a program does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// The errors; at least one message.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the messages point into.
    pub sources: Sources,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if at > 0 { "\n" } else { "" };
            write!(f, "{separator}{}", diagnostic.render(&self.sources, false))?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}
