//! What a branch has printed and drawn, for clients that show it: sent as it comes, each picture with the line that draws it.

use ndscript_timeline::Direction;
use serde_json::{Value, json};

use super::launch::Host;
use super::motion::Motion;
use super::sent_pictures::SentPictures;
use super::session::Session;

/// The client gets at most this many bytes of the text before each picture: the last ones.
const TEXT: usize = 100_000;

impl<H: Host> Session<H> {
    /// Sends a client that has asked for it by `pictures` in its launch what the branch that is being run has drawn so far, if
    /// that is something new. Where the run stops, it is sent anyway. Whoever carries the messages calls this now and then while
    /// the run is [moving](Session::is_moving): drawing takes time.
    ///
    /// The event `ndscriptPictures` has `keep`, how many of the pictures that were sent before are still there; `pictures`, those
    /// after these, each with `image` (as [`Host::picture`] has it), `alt`, `before` (the text in front of it), `source` and
    /// `line`; and `text`, the text after all of them.
    pub fn pictures(&mut self) -> Vec<Value> {
        let is_forward = |motion: &Motion| motion.direction == Direction::Forward;
        if self.motion.as_ref().is_some_and(is_forward) {
            self.send_drawn(true);
        }
        self.out.take()
    }

    /// The same where the run stands still.
    pub(super) fn send_pictures(&mut self) {
        if self.motion.is_none() {
            self.send_drawn(false);
        }
    }

    /// Sends the pictures that are drawn at the current moment, if the client wants them.
    fn send_drawn(&mut self, at_head: bool) {
        let wants = self.launched.as_ref().is_some_and(|launch| launch.pictures);
        let Some(debuggee) = self.debuggee.as_mut().filter(|_| wants) else {
            return;
        };
        let walk = &mut debuggee.walk;
        let at = if at_head {
            walk.timeline().end()
        } else {
            walk.at()
        };
        if debuggee.sent_pictures.at == Some(at) {
            return;
        }
        let pending = if at_head {
            Ok(walk.timeline().head().pending_output())
        } else {
            walk.run().map(ndscript::Run::pending_output)
        };
        let Ok((text, pictures)) = pending else {
            return;
        };
        let timeline = debuggee.walk.timeline();
        let drawn = timeline.drawn_at(at, pictures.len());
        let sources = timeline.sources().clone();
        let before = std::mem::replace(
            &mut debuggee.sent_pictures,
            SentPictures {
                at: Some(at),
                drawn: drawn.clone(),
            },
        );
        let same = before.drawn.iter().zip(&drawn);
        let keep = same
            .take_while(|(old, new)| old.is_some() && old == new)
            .count();
        let mut behind = keep.checked_sub(1).map_or(0, |last| pictures[last].0);
        let mut new = Vec::new();
        for (placed, drawn) in pictures.iter().zip(&drawn).skip(keep) {
            let mut sent = json!({
                "image": self.host.picture(&placed.1),
                "alt": placed.1.in_words(),
                "before": end_of(&text[behind..placed.0]),
            });
            let span = drawn.and_then(|(_, span)| span);
            if let Some((file, line, _)) = span.and_then(|span| sources.locate(span)) {
                sent["source"] = self.source_of(&file.name);
                sent["line"] = json!(line as u64 - 1 + self.first_line);
            }
            behind = placed.0;
            new.push(sent);
        }
        let body = json!({"keep": keep, "pictures": new, "text": end_of(&text[behind..])});
        self.out.event("ndscriptPictures", body);
    }
}

/// The last bytes of a text.
fn end_of(text: &str) -> &str {
    let from = text.len().saturating_sub(TEXT);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at));
    &text[from.unwrap_or(0)..]
}
