//! Which pictures a client has got.

use ndscript::source::Span;
use ndscript_timeline::When;

/// When and where a picture was drawn, as far as that is known.
pub type DrawnAt = Option<(When, Option<Span>)>;

/// What the client has got.
#[derive(Default)]
pub struct SentPictures {
    /// The moment; `None` if nothing was sent yet.
    pub at: Option<When>,
    pub drawn: Vec<DrawnAt>,
}
