//! NDScript for C: a thin skin over the crate `ndscript`. What each function is for stands in `ndscript.h`, which is made
//! from the comments here.
//!
//! Handles are references that may be null (`Option<&T>`), so the compiler checks what is done with them; the few places
//! that need `unsafe` are in `border.rs`, in `host_function.rs` and where a run is freed.

// A name that C can find is not mangled: each of ours begins with `nds_`, so none covers one of somebody else.
mod border;
mod cancel;
mod engine;
mod grid;
mod host_function;
mod json;
mod message;
mod picture;
mod program;
mod run;
mod script_call;
