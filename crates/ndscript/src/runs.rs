//! Runs: how they go on, what the host calls, what comes out, and how they are saved.

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
