//! Which pictures a client was told of.

use ndscript::source::Span;
use ndscript_timeline::When;

/// When and where a picture was drawn, as far as that is known.
pub type DrawnAt = Option<(When, Option<Span>)>;

/// What the client was told of.
#[derive(Default)]
pub struct ToldPictures {
    /// The moment; `None` if nothing was told yet.
    pub at: Option<When>,
    pub drawn: Vec<DrawnAt>,
}
