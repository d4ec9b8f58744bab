//! Runs: resuming them, calls by the host, output, and saving.

pub mod call;
pub mod calls;
pub mod cancel;
pub mod globals;
pub mod growing;
pub mod outcome;
pub mod proof;
pub mod reload;
pub mod run;
pub mod save;
