//! Messages as text: no span, however wrong, and no file, however odd, makes rendering fail.

use ndscript::diagnostics::{Call, Diagnostic};
use ndscript::source::{Sources, Span};

fn sources(texts: &[&str]) -> Sources {
    let mut sources = Sources::default();
    for (at, text) in texts.iter().enumerate() {
        sources.add(&format!("file{at}.nds"), text);
    }
    sources
}

#[test]
fn every_span_of_every_text_renders() {
    let texts = [
        "",
        "\n",
        "a",
        "é▒\n▒é\r\nüx\n",
        "\r\r\n\r",
        "a\u{b}b\u{2028}c\u{85}\n\u{1b}[31mred",
        "\t\tx\ty\n",
        "日本 = 1;\n\u{301}\u{200d}👩‍👩‍👧",
        "last line",
    ];
    let sources = sources(&texts);
    let end = texts.iter().map(|text| text.len() as u32 + 1).sum::<u32>() + 5;
    for start in 0..end {
        for stop in [
            0,
            start,
            start + 1,
            start + 2,
            start + 3,
            start + 9,
            end,
            u32::MAX,
        ] {
            let other = Span::new(stop.min(end), start);
            let diagnostic = Diagnostic::error("wrong", Span::new(start, stop))
                .with_label(if start % 2 == 0 { "label" } else { "" })
                .with_related(other, "other")
                .with_related(Span::new(0, u32::MAX), "all");
            for color in [false, true] {
                assert!(diagnostic.render(&sources, color).contains("wrong"));
            }
        }
    }
    assert!(
        Diagnostic::error("wrong", Span::new(3, 4))
            .render(&Sources::default(), true)
            .contains("wrong")
    );
}

#[test]
fn a_message_names_its_place_its_hints_and_its_calls() {
    let sources = sources(&["f(1, 2);\n", "é = \"▒\" + 1;"]);
    let base = sources.files()[1].base;
    let mut diagnostic = Diagnostic::error("wrong kind of value", Span::new(base + 5, base + 10))
        .with_label("a text")
        .with_related(Span::new(0, 1), "from here")
        .with_hint("write a number");
    diagnostic.calls.push(Call {
        text: "f(1, 2)".into(),
        span: Some(Span::new(0, 7)),
    });
    diagnostic.calls.push(Call {
        text: "... 17 more calls ...".into(),
        span: None,
    });
    let text = diagnostic.render(&sources, false);
    for part in [
        "error: wrong kind of value",
        "file1.nds:1:5",
        "file0.nds:1:1",
        "é = \"▒\" + 1;",
        "a text",
        "from here",
        "hint: write a number",
        "called from f(1, 2) at file0.nds:1",
        "... 17 more calls ...",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "no colours were asked for");
    assert!(diagnostic.render(&sources, true).contains('\u{1b}'));
}

#[test]
fn what_a_terminal_would_obey_is_not_shown() {
    let sources = sources(&["x = \"\u{1b}[2J\u{202e}\";"]);
    let text = Diagnostic::error("odd \u{1b}[31m", Span::new(4, 9)).render(&sources, false);
    assert!(
        !text.contains('\u{1b}') && !text.contains('\u{202e}'),
        "{text:?}"
    );
}

#[test]
fn of_a_long_line_only_the_place_is_shown() {
    let line = "x + ".repeat(100_000);
    let sources = sources(&[&line]);
    let text = Diagnostic::error("wrong", Span::new(200_000, 200_001))
        .with_label("this")
        .render(&sources, false);
    assert!(text.len() < 1000, "{} bytes", text.len());
    let shown = text
        .lines()
        .find(|line| line.contains("x + x"))
        .expect("the line is shown");
    let marks = text
        .lines()
        .find(|line| line.contains("^ this"))
        .expect("the place is marked");
    let at = marks.find('^').expect("just found");
    assert_eq!(&shown[at..at + 3], "x +");
}
