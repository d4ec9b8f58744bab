//! Questions on a terminal: lists to pick from with keys, and lines to type.
//!
//! Nothing but the rows of the question is drawn over, so that what a game has shown stays in the terminal's history.

use std::io::{self, Write};
use std::ops::Range;

use crossterm::cursor::{self, MoveToColumn, MoveUp};
use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent, MouseEventKind,
};
use crossterm::queue;
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{Clear, ClearType};
use unicode_width::UnicodeWidthChar;

use super::click::Click;
use super::line::TypedLine;
use crate::exit::Stop;
use crate::terminal;
use crate::terminal::ask::with_answer;
use crate::terminal::interrupt::while_waiting;
use crate::terminal::raw_mode::{RawMode, cannot_use};

/// The result of the keys of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    Option(usize),
    Line(String),
    /// To the question before.
    Back,
    /// The list of moments.
    Moments,
    Quit,
}

/// The meaning of a click, `None` if it has none.
pub type OnClick<'a> = dyn FnMut(Click) -> Result<Option<Key>, Stop> + 'a;

/// Rows that are drawn again and again at one place.
#[derive(Default)]
struct Rows {
    /// The row of the cursor, counted from the first.
    cursor_row: u16,
}

impl Rows {
    /// Draws the rows; the cursor moves to a row and column of them. Some may be marked.
    fn draw(
        &mut self,
        rows: &[String],
        marked: Range<usize>,
        cursor: (u16, u16),
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.go_to_start(&mut out)?;
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                queue!(out, Print("\r\n"))?;
            }
            if marked.contains(&at) {
                queue!(
                    out,
                    SetAttribute(Attribute::Reverse),
                    Print(row),
                    SetAttribute(Attribute::Reset)
                )?;
            } else {
                queue!(out, Print(row))?;
            }
        }
        let below = (rows.len() as u16)
            .saturating_sub(1)
            .saturating_sub(cursor.0);
        if below > 0 {
            queue!(out, MoveUp(below))?;
        }
        queue!(out, MoveToColumn(cursor.1))?;
        self.cursor_row = cursor.0;
        out.flush()
    }

    /// Takes the rows away and leaves a line in their place.
    fn replace(&mut self, line: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.go_to_start(&mut out)?;
        queue!(out, Print(line), Print("\r\n"))?;
        self.cursor_row = 0;
        out.flush()
    }

    fn clear(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.go_to_start(&mut out)?;
        self.cursor_row = 0;
        out.flush()
    }

    /// The place of a click, relative to these rows; `None` for anything else, and if the terminal does not report its
    /// cursor.
    fn click(&self, mouse: MouseEvent) -> Option<Click> {
        let MouseEventKind::Down(button) = mouse.kind else {
            return None;
        };
        let (_, cursor) = cursor::position().ok()?;
        let first = cursor.checked_sub(self.cursor_row)?;
        let above = first.checked_sub(mouse.row).filter(|above| *above > 0)?;
        Some(Click {
            column: u32::from(mouse.column),
            above: u32::from(above),
            button,
        })
    }

    fn go_to_start(&self, out: &mut impl Write) -> io::Result<()> {
        if self.cursor_row > 0 {
            queue!(out, MoveUp(self.cursor_row))?;
        }
        queue!(out, MoveToColumn(0), Clear(ClearType::FromCursorDown))
    }
}

/// An action of the person.
enum UserAction {
    Press(KeyEvent),
    Decide(Key),
    /// Something else, such as a new size of the window.
    Other,
}

/// The next key that is pressed, or the meaning of the next click.
fn next_action(rows: &Rows, on_click: &mut Option<&mut OnClick<'_>>) -> Result<UserAction, Stop> {
    Ok(
        match while_waiting(event::read).map_err(|why| cannot_use(&why))? {
            Event::Key(key) if key.kind != KeyEventKind::Release => UserAction::Press(key),
            Event::Mouse(mouse) => {
                let decided = match (rows.click(mouse), on_click) {
                    (Some(click), Some(on_click)) => on_click(click)?,
                    _ => None,
                };
                decided.map_or(UserAction::Other, UserAction::Decide)
            }
            _ => UserAction::Other,
        },
    )
}

/// The meaning of a key in every question.
fn common(key: KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'd') if control => Some(Key::Quit),
        KeyCode::Tab => Some(Key::Moments),
        KeyCode::Esc => Some(Key::Back),
        _ => None,
    }
}

/// A list to pick from.
pub struct Menu<'a> {
    prompt: &'a str,
    options: &'a [String],
    numbered: bool,
    can_go_back: bool,
    selected: usize,
    /// Letters and digits that were typed to find an option.
    typed: String,
    /// Whether they are a number that means none.
    is_unknown: bool,
}

/// Whether a menu offers to go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoBack {
    Offered,
    Hidden,
}

impl GoBack {
    pub fn if_possible(can_go_back: bool) -> GoBack {
        if can_go_back {
            GoBack::Offered
        } else {
            GoBack::Hidden
        }
    }
}

impl Menu<'_> {
    pub fn new<'a>(
        prompt: &'a str,
        options: &'a [String],
        selected: usize,
        back: GoBack,
    ) -> Menu<'a> {
        let selected = selected.min(options.len().saturating_sub(1));
        let numbered = !crate::terminal::ask::looks_like_numbers(options);
        Menu {
            prompt,
            options,
            numbered,
            can_go_back: back == GoBack::Offered,
            selected,
            typed: String::new(),
            is_unknown: false,
        }
    }

    /// Does not number the options, because their texts have their numbers.
    pub fn unnumbered(mut self) -> Self {
        self.numbered = false;
        self
    }

    /// Waits for a decision. The picked option stays on the screen, as a line.
    pub fn pick(mut self, mut on_click: Option<&mut OnClick<'_>>) -> Result<Key, Stop> {
        let _raw = RawMode::new(on_click.is_some())?;
        let mut rows = Rows::default();
        loop {
            self.draw(&mut rows).map_err(|why| cannot_use(&why))?;
            let decided = match next_action(&rows, &mut on_click)? {
                UserAction::Press(key) => common(key).or_else(|| self.press(key)),
                UserAction::Decide(decided) => Some(decided),
                UserAction::Other => None,
            };
            let Some(decided) = decided else { continue };
            let left = match &decided {
                Key::Option(index) => {
                    rows.replace(&in_rows(&with_answer(self.prompt, &self.options[*index])))
                }
                _ => rows.clear(),
            };
            left.map_err(|why| cannot_use(&why))?;
            return Ok(decided);
        }
    }

    /// Handles a key; returns the answer if the key gives one.
    fn press(&mut self, key: KeyEvent) -> Option<Key> {
        let last = self.options.len().saturating_sub(1);
        let page = visible_options();
        let moved = match key.code {
            // A number that matches no option must not pick the selected one.
            KeyCode::Enter if self.is_unknown => return None,
            KeyCode::Enter if !self.options.is_empty() => return Some(Key::Option(self.selected)),
            KeyCode::Left => return Some(Key::Back),
            KeyCode::Up => self.selected.checked_sub(1).unwrap_or(last),
            KeyCode::Down => {
                if self.selected == last {
                    0
                } else {
                    self.selected + 1
                }
            }
            KeyCode::PageUp => self.selected.saturating_sub(page),
            KeyCode::PageDown => (self.selected + page).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Backspace => {
                self.typed.pop();
                self.is_unknown = false;
                if let Some(found) = self.meant().filter(|_| !self.typed.is_empty()) {
                    self.selected = found;
                }
                return None;
            }
            KeyCode::Char(character) => {
                self.find(character);
                return None;
            }
            _ => return None,
        };
        self.typed.clear();
        self.is_unknown = false;
        self.selected = moved;
        None
    }

    /// Selects what the letters and digits typed so far mean, or else the latest alone. A number that means nothing stays
    /// one number.
    fn find(&mut self, character: char) {
        self.typed.push(character);
        let is_number = self.typed.bytes().all(|byte| byte.is_ascii_digit());
        let found = self.meant().or_else(|| {
            if is_number {
                return None;
            }
            self.typed = character.to_string();
            self.meant()
        });
        self.is_unknown = found.is_none() && is_number;
        match found {
            Some(found) => self.selected = found,
            None if is_number => {}
            None => self.typed.clear(),
        }
    }

    /// The option that the typed text stands for: its number, its text, or its beginning.
    fn meant(&self) -> Option<usize> {
        let number = self
            .typed
            .parse::<usize>()
            .ok()
            .filter(|number| (1..=self.options.len()).contains(number));
        if let Some(number) = number.filter(|_| self.numbered) {
            return Some(number - 1);
        }
        let wanted = self.typed.to_lowercase();
        let exact = self.options.iter().position(|option| *option == self.typed);
        exact.or_else(|| {
            self.options
                .iter()
                .position(|option| option.to_lowercase().starts_with(&wanted))
        })
    }

    /// Draws the prompt and the visible options.
    fn draw(&self, rows: &mut Rows) -> io::Result<()> {
        let columns = columns();
        let visible = visible_options().min(self.options.len());
        let top = self
            .selected
            .saturating_sub(visible / 2)
            .min(self.options.len() - visible);
        let mut lines = folded(self.prompt, columns, most_rows());
        let mut marked = 0..0;
        let digits = self.options.len().to_string().len();
        for (at, option) in self.options.iter().enumerate().skip(top).take(visible) {
            let arrow = if at == self.selected { '>' } else { ' ' };
            let number = if self.numbered {
                format!("{:digits$}) ", at + 1)
            } else {
                String::new()
            };
            let text = format!("{arrow} {number}{option}");
            if at != self.selected {
                lines.extend(folded(&text, columns, 1));
                continue;
            }
            // The one that may be picked is shown in full.
            let first = lines.len();
            lines.extend(folded(&text, columns, most_rows()));
            marked = first..lines.len();
        }
        let back = if self.can_go_back {
            "   left back   tab moments"
        } else {
            ""
        };
        let more = if visible < self.options.len() {
            format!("   {} of {}", self.selected + 1, self.options.len())
        } else {
            String::new()
        };
        let keys = format!("  up down or a number, enter{back}   ctrl-c quit{more}");
        let short_back = if self.can_go_back {
            "  left back  tab list"
        } else {
            ""
        };
        let short = format!("  enter{short_back}  ^C quit");
        let keys = if width(&keys) <= columns { keys } else { short };
        let unknown = format!("  there is no {}; backspace", self.typed);
        lines.push(cut(if self.is_unknown { &unknown } else { &keys }, columns));
        let row = marked.start as u16;
        rows.draw(&lines, marked, (row, 0))
    }
}

/// Waits for a line of text.
pub fn line(
    prompt: &str,
    text: &str,
    can_go_back: bool,
    mut on_click: Option<&mut OnClick<'_>>,
) -> Result<Key, Stop> {
    let _raw = RawMode::new(on_click.is_some())?;
    let mut rows = Rows::default();
    let mut typed = TypedLine::new(text);
    loop {
        draw_line(&mut rows, prompt, &typed, can_go_back).map_err(|why| cannot_use(&why))?;
        let decided = match next_action(&rows, &mut on_click)? {
            UserAction::Press(key) => match common(key) {
                Some(decided) => decided,
                None if key.code == KeyCode::Enter => Key::Line(typed.text()),
                None => {
                    edit(&mut typed, key);
                    continue;
                }
            },
            UserAction::Decide(decided) => decided,
            UserAction::Other => continue,
        };
        let left = match &decided {
            Key::Line(line) => rows.replace(&in_rows(&with_answer(prompt, line))),
            _ => rows.clear(),
        };
        left.map_err(|why| cannot_use(&why))?;
        return Ok(decided);
    }
}

/// Changes the typed line as the key says.
fn edit(typed: &mut TypedLine, key: KeyEvent) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('u') if control => typed.clear(),
        KeyCode::Char('a') if control => typed.home(),
        KeyCode::Char('e') if control => typed.end(),
        KeyCode::Char(character) if !control => typed.insert(character),
        KeyCode::Backspace => typed.delete_before(),
        KeyCode::Delete => typed.delete_forward(),
        KeyCode::Left => typed.left(),
        KeyCode::Right => typed.right(),
        KeyCode::Home => typed.home(),
        KeyCode::End => typed.end(),
        _ => {}
    }
}

/// Draws the prompt with the line that is being typed.
fn draw_line(
    rows: &mut Rows,
    prompt: &str,
    typed: &TypedLine,
    can_go_back: bool,
) -> io::Result<()> {
    let columns = columns();
    let (before, after) = typed.parts();
    let mut prompt_rows = folded(&with_answer(prompt, ""), columns, most_rows());
    let last = prompt_rows.pop().unwrap_or_default();
    // If the line is too long, show its end before the cursor.
    let shown = last_columns(
        &plain(&format!("{last}{before}")),
        columns.saturating_sub(1),
    );
    let cursor = width(&shown) as u16;
    prompt_rows.push(cut(&format!("{shown}{after}"), columns));
    let row = prompt_rows.len() as u16 - 1;
    let back = if can_go_back {
        "   esc back   tab moments"
    } else {
        ""
    };
    let keys = format!("  enter{back}   ctrl-c quit");
    let short = format!(
        "  enter{}  ^C quit",
        if can_go_back {
            "  esc back  tab list"
        } else {
            ""
        }
    );
    let keys = if width(&keys) <= columns { keys } else { short };
    prompt_rows.push(cut(&keys, columns));
    rows.draw(&prompt_rows, 0..0, (row, cursor))
}

/// The most columns of a row: one less than the window, so that no terminal breaks it.
fn columns() -> usize {
    (terminal::size().0 as usize).saturating_sub(1).max(1)
}

/// Lines of the window that a question takes: the options that it has, the prompt, the keys, and a line of the game's.
pub fn lines(prompt: &str, options: usize) -> u32 {
    (folded(prompt, columns(), most_rows()).len() + visible_options().min(options)) as u32 + 2
}

/// The most rows of a prompt, or of the selected option, such that the whole question fits into the window.
fn most_rows() -> usize {
    let rows = terminal::size().1 as usize;
    // The keys follow the options, and one row before them is for the prompt.
    (rows.saturating_sub(visible_options() + 2) / 2).clamp(1, 10)
}

/// The number of options that are shown at a time, so that the whole question fits into the window.
fn visible_options() -> usize {
    let rows = terminal::size().1 as usize;
    // The rest of the window is for what the game has shown.
    (rows / 3).clamp(3, 20).min(rows.saturating_sub(4).max(1))
}

/// A text in one row: what would move the cursor is a blank.
fn plain(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_control() || turns_direction(character) {
                ' '
            } else {
                character
            }
        })
        .collect()
}

fn turns_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn width(text: &str) -> usize {
    text.chars()
        .map(|character| character.width().unwrap_or(0))
        .sum()
}

/// The beginning of a text that fits into this many columns.
fn cut(text: &str, columns: usize) -> String {
    let mut used = 0;
    let fits = |character: &char| {
        used += character.width().unwrap_or(0);
        used <= columns
    };
    plain(text).chars().take_while(fits).collect()
}

/// A text in rows of this many columns, broken between words if possible. If there are too many, the last one ends in
/// `...`.
fn folded(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut used = 0;
    for word in plain(text).split_inclusive(' ') {
        let visible = width(word.trim_end_matches(' '));
        if used > 0 && used + visible > columns {
            rows.push(String::new());
            used = 0;
        }
        for character in word.chars() {
            let width = character.width().unwrap_or(0);
            if used + width > columns {
                // A blank is not the first of a row.
                if character == ' ' {
                    continue;
                }
                rows.push(String::new());
                used = 0;
            }
            rows.last_mut()
                .into_iter()
                .for_each(|row| row.push(character));
            used += width;
        }
    }
    if rows.len() > most {
        rows.truncate(most);
        if let Some(last) = rows.last_mut() {
            *last = format!("{}...", cut(last.trim_end(), columns.saturating_sub(3)));
        }
    }
    rows
}

/// The rows of an answered question.
fn in_rows(text: &str) -> String {
    folded(text, columns(), usize::MAX).join("\r\n")
}

/// The number of rows that a question leaves on the screen.
pub fn rows_left(prompt: &str, answer: &str) -> u32 {
    folded(&with_answer(prompt, answer), columns(), usize::MAX).len() as u32
}

/// The end of a text that fits into this many columns.
fn last_columns(text: &str, columns: usize) -> String {
    let reversed: String = text.chars().rev().collect();
    cut(&reversed, columns).chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_never_exceed_their_columns() {
        assert_eq!(
            (cut("日本語", 5), cut("a\tb\n", 9)),
            ("日本".to_string(), "a b ".to_string())
        );
        assert_eq!(
            (last_columns("abcdef", 3), last_columns("日本", 3)),
            ("def".to_string(), "本".to_string())
        );
    }

    #[test]
    fn long_texts_are_folded() {
        let rows = |text, columns, most| folded(text, columns, most).join("|");
        assert_eq!(
            rows("to the left where it sleeps", 11, 9),
            "to the left|where it |sleeps"
        );
        assert_eq!(
            rows("to the left where it sleeps", 11, 2),
            "to the left|where it..."
        );
        assert_eq!(rows("to the left where it sleeps", 11, 1), "to the l...");
        assert_eq!(rows("abcdefghij k", 4, 9), "abcd|efgh|ij k");
        assert_eq!(rows("日本語", 5, 9), "日本|語");
        assert_eq!(
            (rows("", 5, 9), rows("Who? ", 4, 9)),
            (String::new(), "Who?".to_string())
        );
        assert_eq!(rows("a", 1, 1), "a");
        for columns in 1..30 {
            for row in folded(
                "a long question, of words and a wooooooooooooooooooord 日本語",
                columns,
                4,
            ) {
                assert!(width(&row) <= columns.max(3), "{row:?} in {columns}");
            }
        }
    }

    #[test]
    fn typing_finds_options() {
        let options: Vec<String> = (0..12)
            .map(|n| format!("cell {n}"))
            .chain(["Quit".to_string()])
            .collect();
        let mut menu = Menu::new("?", &options, 0, GoBack::Offered);
        let mut type_key = |character| {
            menu.press(KeyEvent::new(KeyCode::Char(character), KeyModifiers::NONE));
            menu.selected
        };
        assert_eq!(
            [type_key('1'), type_key('2'), type_key('q'), type_key('3')],
            [0, 11, 12, 2]
        );
        let digits: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let mut menu = Menu::new("?", &digits, 0, GoBack::Offered);
        menu.press(KeyEvent::new(KeyCode::Char('7'), KeyModifiers::NONE));
        assert_eq!(
            menu.selected, 7,
            "options that are numbers are meant by their text"
        );
        let mut press = |code| {
            (
                menu.press(KeyEvent::new(code, KeyModifiers::NONE)),
                menu.selected,
            )
        };
        assert_eq!(press(KeyCode::Char('5')), (None, 7), "75 is none of them");
        assert_eq!(press(KeyCode::Enter), (None, 7), "and 7 was not meant");
        assert_eq!(press(KeyCode::Backspace), (None, 7));
        assert_eq!(press(KeyCode::Enter), (Some(Key::Option(7)), 7));
        assert_eq!(press(KeyCode::Char('x')), (None, 7));
        assert_eq!(press(KeyCode::Char('5')), (None, 5));
        menu.press(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE));
        menu.press(KeyEvent::new(KeyCode::End, KeyModifiers::NONE));
        menu.press(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE));
        assert_eq!(
            menu.press(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)),
            Some(Key::Option(0))
        );
    }
}
