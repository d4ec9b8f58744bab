//! A printer after Wadler ("A prettier printer", 2003): a text with places where a line may break, and the choice
//! of those that are needed for the width. A comment after code waits for the end of its line, so it ends nothing
//! by accident.

use std::borrow::Cow;

/// How long a line may be, in characters.
const WIDTH: usize = 100;

/// How far what belongs to something stands to the right of it.
const STEP: usize = 4;

/// A text whose line breaks are not decided yet.
pub struct Layout<'t> {
    kind: Kind<'t>,
    /// Whether there is a line break inside that must be.
    forced: bool,
    /// How many characters it takes on one line.
    width: usize,
}

enum Kind<'t> {
    Text(Cow<'t, str>),
    /// Written at the end of the line.
    Behind(&'t str),
    /// On a line of its own.
    Above(&'t str),
    /// A space, or a line break in a group that is broken.
    Line,
    /// Nothing, or a line break in a group that is broken.
    Soft,
    /// A line break, with an empty line before it or not.
    Hard {
        blank: bool,
    },
    /// Written only in a group that is broken.
    IfBroken(&'static str),
    All(Vec<Layout<'t>>),
    Indent(Box<Layout<'t>>),
    /// On one line if there is room.
    Group(Box<Layout<'t>>),
    /// On this line if there is room, else on the next one if there it is a single line, else it begins here.
    Hang(Box<Layout<'t>>),
    /// As many on a line as there is room for.
    Fill(Vec<Layout<'t>>),
    Arguments {
        items: Vec<Layout<'t>>,
        /// The last one may begin on the line of the call and end where the call ends.
        hugs_last: bool,
        /// Whether the first item may break, if the rest is short.
        hugs_first: bool,
    },
}

impl<'t> Layout<'t> {
    fn new(kind: Kind<'t>, forced: bool, width: usize) -> Layout<'t> {
        Layout {
            kind,
            forced,
            width,
        }
    }

    /// A layout of parts, with this many spaces between them.
    fn of(
        kind: impl FnOnce(Vec<Layout<'t>>) -> Kind<'t>,
        parts: Vec<Layout<'t>>,
        spaces: usize,
    ) -> Layout<'t> {
        let forced = parts.iter().any(|part| part.forced);
        let width = parts.iter().map(|part| part.width).sum::<usize>() + spaces;
        Layout::new(kind(parts), forced, width)
    }

    pub fn text(text: impl Into<Cow<'t, str>>) -> Layout<'t> {
        let text = text.into();
        let width = text.chars().count();
        Layout::new(Kind::Text(text), false, width)
    }

    pub fn trailing_comment(comment: &'t str) -> Layout<'t> {
        Layout::new(Kind::Behind(comment), true, 0)
    }

    pub fn above(comment: &'t str) -> Layout<'t> {
        Layout::new(Kind::Above(comment), true, 0)
    }

    pub fn line() -> Layout<'t> {
        Layout::new(Kind::Line, false, 1)
    }

    pub fn soft() -> Layout<'t> {
        Layout::new(Kind::Soft, false, 0)
    }

    pub fn hard(blank: bool) -> Layout<'t> {
        Layout::new(Kind::Hard { blank }, true, 0)
    }

    pub fn if_broken(text: &'static str) -> Layout<'t> {
        Layout::new(Kind::IfBroken(text), false, 0)
    }

    pub fn all(parts: Vec<Layout<'t>>) -> Layout<'t> {
        Layout::of(Kind::All, parts, 0)
    }

    pub fn indent(self) -> Layout<'t> {
        let (forced, width) = (self.forced, self.width);
        Layout::new(Kind::Indent(Box::new(self)), forced, width)
    }

    pub fn group(self) -> Layout<'t> {
        let (forced, width) = (self.forced, self.width);
        Layout::new(Kind::Group(Box::new(self)), forced, width)
    }

    pub fn hang(self) -> Layout<'t> {
        let (forced, width) = (self.forced, self.width + 1);
        Layout::new(Kind::Hang(Box::new(self)), forced, width)
    }

    pub fn fill(items: Vec<Layout<'t>>) -> Layout<'t> {
        let spaces = items.len().saturating_sub(1);
        Layout::of(Kind::Fill, items, spaces)
    }

    /// What stands between the brackets of a call.
    pub fn arguments(items: Vec<Layout<'t>>, hugs_last: bool, hugs_first: bool) -> Layout<'t> {
        let spaces = items.len().saturating_sub(1);
        let kind = |items| Kind::Arguments {
            items,
            hugs_last,
            hugs_first,
        };
        Layout::of(kind, items, spaces)
    }

    pub fn is_forced(&self) -> bool {
        self.forced
    }

    /// Whether it is one word, which has no place for a line break.
    pub fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Text(_))
    }

    /// Whether it takes at most `width` characters on one line.
    pub fn is_short(&self, most: usize) -> bool {
        !self.forced && fits(vec![(Mode::Flat, self)], &[], most as isize)
    }

    /// How many characters it takes on one line.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The text, ended by a line break unless it is empty.
    pub fn print(self, line_break: &'static str) -> String {
        let mut printer = Printer {
            line_break,
            ..Printer::default()
        };
        printer.run(&self);
        printer.flush();
        let mut out = printer.out;
        self.take_apart();
        out.truncate(out.trim_end_matches([' ', '\n', '\r']).len());
        if !out.is_empty() {
            out.push_str(line_break);
        }
        out
    }

    /// Frees what is inside from the outside in: dropped as it is, what is deep would take much of the stack.
    fn take_apart(self) {
        let mut open = vec![self];
        while let Some(layout) = open.pop() {
            match layout.kind {
                Kind::Indent(inner) | Kind::Group(inner) | Kind::Hang(inner) => open.push(*inner),
                Kind::All(parts) | Kind::Fill(parts) => open.extend(parts),
                Kind::Arguments { items, .. } => open.extend(items),
                Kind::Text(_) | Kind::Behind(_) | Kind::Above(_) => {}
                Kind::Line | Kind::Soft | Kind::Hard { .. } | Kind::IfBroken(_) => {}
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Flat,
    Broken,
}

/// What is still to be printed; the next one stands last.
#[derive(Clone, Copy)]
enum Step<'l, 't> {
    Print(usize, Mode, &'l Layout<'t>),
    NewLine(usize),
    Space,
    /// What is left of a [`Kind::Fill`], and what was printed last of it.
    Fill(usize, &'l [Layout<'t>], Option<Mode>),
}

/// Whether the text up to the next line break has room. After these items, any place for a break counts as one.
fn fits<'l, 't>(
    mut next: Vec<(Mode, &'l Layout<'t>)>,
    rest: &[Step<'l, 't>],
    mut room: isize,
) -> bool {
    let mut rest = rest.iter().rev();
    loop {
        if room < 0 {
            return false;
        }
        let (mode, layout) = match next.pop() {
            Some(one) => one,
            None => match rest.next() {
                Some(Step::Print(_, mode, layout)) => (*mode, *layout),
                Some(Step::Space) => {
                    room -= 1;
                    continue;
                }
                Some(Step::NewLine(_) | Step::Fill(..)) | None => return true,
            },
        };
        match &layout.kind {
            Kind::Text(text) => match text.rsplit_once('\n') {
                None => room -= text.chars().count() as isize,
                Some((_, last)) => {
                    let first = text.lines().next().unwrap_or_default();
                    if first.chars().count() as isize > room {
                        return false;
                    }
                    room = (WIDTH - last.chars().count().min(WIDTH)) as isize;
                }
            },
            Kind::Behind(_) | Kind::Above(_) | Kind::Hard { .. } => return true,
            Kind::Line | Kind::Soft if mode == Mode::Broken => return true,
            Kind::Line => room -= 1,
            Kind::Soft => {}
            Kind::IfBroken(text) if mode == Mode::Broken => room -= text.len() as isize,
            Kind::IfBroken(_) => {}
            Kind::All(parts) => next.extend(parts.iter().rev().map(|part| (mode, part))),
            Kind::Hang(_) if mode == Mode::Broken => return true,
            Kind::Hang(inner) => {
                room -= 1;
                next.push((mode, inner));
            }
            Kind::Indent(inner) | Kind::Group(inner) => next.push((mode, inner)),
            Kind::Fill(items) => {
                room -= items.len().saturating_sub(1) as isize;
                next.extend(items.iter().rev().map(|item| (mode, item)));
            }
            Kind::Arguments { .. } if mode == Mode::Broken => return true,
            Kind::Arguments { items, .. } => {
                room -= items.len().saturating_sub(1) as isize;
                next.extend(items.iter().rev().map(|item| (mode, item)));
            }
        }
    }
}

#[derive(Default)]
struct Printer<'t> {
    out: String,
    line_break: &'static str,
    column: usize,
    /// How far the current line stands to the right.
    indent: usize,
    /// Nothing stands on the current line.
    fresh: bool,
    /// Comments that wait for the end of the line.
    trailing_comments: Vec<&'t str>,
    /// The line ends with a comment, so nothing may follow on it.
    ended: bool,
}

impl<'t> Printer<'t> {
    fn flush(&mut self) {
        for comment in std::mem::take(&mut self.trailing_comments) {
            if !self.fresh {
                self.out.push(' ');
            }
            self.out.push_str(comment);
        }
    }

    fn new_line(&mut self, indent: usize, blank: bool) {
        self.flush();
        self.out.truncate(self.out.trim_end_matches(' ').len());
        if !self.out.is_empty() {
            self.out.push_str(self.line_break);
            if blank {
                self.out.push_str(self.line_break);
            }
        }
        self.indent = indent;
        self.column = indent;
        self.fresh = true;
        self.ended = false;
    }

    /// Prints a text, after the indentation of its line.
    fn text(&mut self, text: &str) {
        // Comments keep their order.
        let overtakes = text.starts_with("/*") && !self.trailing_comments.is_empty();
        if self.ended || overtakes {
            self.new_line(self.indent, false);
        }
        let mut text = text;
        if self.fresh || self.out.is_empty() {
            text = text.trim_start_matches(' ');
            if text.is_empty() {
                return;
            }
            self.out.extend(std::iter::repeat_n(' ', self.indent));
            self.fresh = false;
        }
        self.out.push_str(text);
        match text.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn room(&self) -> isize {
        WIDTH as isize - self.column as isize
    }

    fn run<'l>(&mut self, layout: &'l Layout<'t>) {
        let mut todo: Vec<Step<'l, 't>> = vec![Step::Print(0, Mode::Broken, layout)];
        while let Some(step) = todo.pop() {
            match step {
                Step::NewLine(indent) => self.new_line(indent, false),
                Step::Space => self.text(" "),
                Step::Fill(indent, items, last) => self.fill(&mut todo, indent, items, last),
                Step::Print(indent, mode, layout) => self.print(&mut todo, indent, mode, layout),
            }
        }
    }

    /// Prints a layout, or puts its parts on the list of work.
    fn print<'l>(
        &mut self,
        todo: &mut Vec<Step<'l, 't>>,
        indent: usize,
        mode: Mode,
        layout: &'l Layout<'t>,
    ) {
        match &layout.kind {
            Kind::Text(text) => self.text(text),
            // Two of them on one line would be one comment.
            Kind::Behind(comment) if !self.trailing_comments.is_empty() => {
                self.new_line(indent, false);
                self.text(comment);
                self.ended = true;
            }
            Kind::Behind(comment) => self.trailing_comments.push(comment),
            Kind::Above(comment) => {
                if !self.fresh && !self.out.is_empty() {
                    self.new_line(indent, false);
                }
                self.text(comment);
                self.ended = true;
            }
            Kind::Line | Kind::Soft if mode == Mode::Broken => self.new_line(indent, false),
            Kind::Line => self.text(" "),
            Kind::Soft => {}
            Kind::Hard { blank } => self.new_line(indent, *blank),
            Kind::IfBroken(text) if mode == Mode::Broken => self.text(text),
            Kind::IfBroken(_) => {}
            Kind::All(parts) => {
                let parts = parts.iter().rev();
                todo.extend(parts.map(|part| Step::Print(indent, mode, part)));
            }
            Kind::Indent(inner) => todo.push(Step::Print(indent + STEP, mode, inner)),
            Kind::Group(inner) => {
                let has_room =
                    || !layout.forced && fits(vec![(Mode::Flat, inner)], todo, self.room());
                let mode = if mode == Mode::Flat || has_room() {
                    Mode::Flat
                } else {
                    Mode::Broken
                };
                todo.push(Step::Print(indent, mode, inner));
            }
            Kind::Hang(inner) => self.hang(todo, indent, mode, inner),
            Kind::Fill(items) if mode == Mode::Broken => {
                todo.push(Step::Fill(indent, items, None));
            }
            Kind::Fill(items) => in_a_row(todo, indent, items, None),
            Kind::Arguments { items, .. } if mode == Mode::Flat => {
                in_a_row(todo, indent, items, None);
            }
            Kind::Arguments {
                items,
                hugs_last,
                hugs_first,
            } => {
                let last = items.len() - 1;
                let has_room = |broken: Option<usize>| {
                    let forced = |at: usize| Some(at) != broken && items[at].forced;
                    let items = items.iter().enumerate().rev();
                    let items = items.map(|(at, item)| (mode_of(at, broken), item));
                    !(0..=last).any(forced)
                        && fits(items.collect(), todo, self.room() - last as isize)
                };
                let first = (*hugs_first).then_some(0);
                let hugs = (*hugs_last).then_some(last).into_iter().chain(first);
                let arrangement = std::iter::once(None)
                    .chain(hugs.map(Some))
                    .find(|broken| has_room(*broken));
                match arrangement {
                    Some(broken) => in_a_row(todo, indent, items, broken),
                    None => one_below_another(todo, indent, items),
                }
            }
        }
    }

    fn hang<'l>(
        &mut self,
        todo: &mut Vec<Step<'l, 't>>,
        indent: usize,
        mode: Mode,
        inner: &'l Layout<'t>,
    ) {
        let below = indent + STEP;
        let has_room = |room: isize| !inner.forced && fits(vec![(Mode::Flat, inner)], todo, room);
        if mode == Mode::Flat || has_room(self.room() - 1) {
            self.text(" ");
            todo.push(Step::Print(indent, Mode::Flat, inner));
        } else if has_room((WIDTH - below.min(WIDTH)) as isize) {
            self.new_line(below, false);
            todo.push(Step::Print(below, Mode::Flat, inner));
        } else {
            self.text(" ");
            todo.push(Step::Print(indent, Mode::Broken, inner));
        }
    }

    /// As many items as there is room for; the first of them begins where the line is.
    fn fill<'l>(
        &mut self,
        todo: &mut Vec<Step<'l, 't>>,
        indent: usize,
        items: &'l [Layout<'t>],
        last: Option<Mode>,
    ) {
        let Some((item, rest)) = items.split_first() else {
            return;
        };
        let following: &[Step<'l, 't>] = if rest.is_empty() { todo } else { &[] };
        let has_room =
            |room: isize| !item.forced && fits(vec![(Mode::Flat, item)], following, room);
        if let Some(last) = last {
            let has_end = self.ended || !self.trailing_comments.is_empty() || last == Mode::Broken;
            if has_end || !has_room(self.room() - 1) {
                self.new_line(indent, false);
            } else {
                self.text(" ");
            }
        }
        let mode = if has_room(self.room()) {
            Mode::Flat
        } else {
            Mode::Broken
        };
        todo.push(Step::Fill(indent, rest, Some(mode)));
        todo.push(Step::Print(indent, mode, item));
    }
}

fn mode_of(at: usize, broken: Option<usize>) -> Mode {
    if broken == Some(at) {
        Mode::Broken
    } else {
        Mode::Flat
    }
}

/// All on one line, apart from breaks inside of one of them.
fn in_a_row<'l, 't>(
    todo: &mut Vec<Step<'l, 't>>,
    indent: usize,
    items: &'l [Layout<'t>],
    broken: Option<usize>,
) {
    for (at, item) in items.iter().enumerate().rev() {
        todo.push(Step::Print(indent, mode_of(at, broken), item));
        if at > 0 {
            todo.push(Step::Space);
        }
    }
}

/// Each on a line of its own, between the brackets.
fn one_below_another<'l, 't>(todo: &mut Vec<Step<'l, 't>>, indent: usize, items: &'l [Layout<'t>]) {
    todo.push(Step::NewLine(indent));
    for item in items.iter().rev() {
        todo.push(Step::Print(indent + STEP, Mode::Broken, item));
        todo.push(Step::NewLine(indent + STEP));
    }
}
