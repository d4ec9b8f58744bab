//! The language server, by a client of its own: what it offers, and that no message makes it panic, hang or lose track.

#[path = "language_server/client.rs"]
mod client;
#[path = "language_server/disorder.rs"]
mod disorder;
#[path = "language_server/host.rs"]
mod host;
#[path = "language_server/hostile.rs"]
mod hostile;
#[path = "language_server/offers.rs"]
mod offers;
