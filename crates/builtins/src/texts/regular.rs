//! The regular expressions of `pattern`, which a board reads with its own symbols, and of `matches` and related
//! functions: characters, `.`, classes, groups, `|`, `*`, `+`, `?` and counts. They become automata by the
//! construction of Glushkov (1961): a state for each symbol of the expression, so that there are no empty
//! transitions.

/// An expression. Symbols are numbered by position; each has the characters that it matches.
#[derive(Debug)]
enum Part {
    Empty,
    Symbol(usize),
    All(Vec<Part>),
    Any(Vec<Part>),
    /// Repeated at least once.
    Repeated(Box<Part>),
    Maybe(Box<Part>),
}

/// Characters that a symbol matches, or all others.
#[derive(Clone, Debug)]
pub struct Class {
    /// From one to another, in order and apart.
    ranges: Vec<(char, char)>,
    negated: bool,
}

impl Class {
    /// A class of characters, with its ranges sorted and joined.
    fn of(mut ranges: Vec<(char, char)>, negated: bool) -> Class {
        if ranges.len() <= 1 {
            return Class { ranges, negated };
        }
        ranges.sort_unstable();
        let mut apart: Vec<(char, char)> = Vec::with_capacity(ranges.len());
        for (from, to) in ranges {
            match apart.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => apart.push((from, to)),
            }
        }
        Class {
            ranges: apart,
            negated,
        }
    }

    /// Whether it lists what it does not match.
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    pub fn matches(&self, character: char) -> bool {
        let at = self.ranges.partition_point(|(_, to)| *to < character);
        self.ranges
            .get(at)
            .is_some_and(|(from, _)| *from <= character)
            != self.negated
    }
}

/// An expression as states: the start state is 0, and each symbol has the state of its number plus 1.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The class of each symbol.
    pub symbols: Vec<u32>,
    pub classes: Vec<Class>,
    /// For each state the states that may come next, as rows of bits.
    pub follows: Vec<u64>,
    /// The states at which a text may end, as bits.
    pub ends: Vec<u64>,
    /// The visits of the work so far.
    pub visits: usize,
}

/// Expressions with more symbols, once counts are written out, are refused.
const MOST_SYMBOLS: usize = 2000;
/// Groups nest no deeper.
const MOST_GROUPS: usize = 100;
/// A character is compared with at most this many classes.
const MOST_COMPARED: usize = 16;
/// At most this many bytes of an expression are read.
const MOST_BYTES: usize = 1 << 16;

struct Reader<'a> {
    text: std::iter::Peekable<std::str::Chars<'a>>,
    symbols: Vec<u32>,
    classes: Vec<Class>,
    depth: usize,
}

/// Symbols, each once: the first ones of an expression as bits, since few have more.
#[derive(Clone, Default)]
struct Symbols {
    bits: u64,
    rest: Vec<usize>,
}

impl Symbols {
    fn of(symbol: usize) -> Symbols {
        if symbol < 64 {
            return Symbols {
                bits: 1 << symbol,
                rest: Vec::new(),
            };
        }
        Symbols {
            bits: 0,
            rest: vec![symbol],
        }
    }

    fn len(&self) -> usize {
        self.bits.count_ones() as usize + self.rest.len()
    }

    fn extend(&mut self, others: &Symbols) {
        self.bits |= others.bits;
        self.rest.extend_from_slice(&others.rest);
    }

    fn clear(&mut self) {
        self.bits = 0;
        self.rest.clear();
    }

    fn each(&self) -> impl Iterator<Item = usize> + '_ {
        let mut bits = self.bits;
        let first = std::iter::from_fn(move || {
            let symbol = (bits != 0).then(|| bits.trailing_zeros() as usize);
            bits &= bits.wrapping_sub(1);
            symbol
        });
        first.chain(self.rest.iter().copied())
    }
}

/// The first and the last symbols of a part, and whether it may be empty.
#[derive(Clone, Default)]
struct Edges {
    first: Symbols,
    last: Symbols,
    nothing: bool,
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// A message about its first mistake.
    pub fn read(text: &str) -> Result<Expression, String> {
        let whole = text;
        let end = (0..=MOST_BYTES.min(text.len()))
            .rev()
            .find(|end| text.is_char_boundary(*end))
            .unwrap_or(0);
        let text = &text[..end];
        let (symbols, classes) = (Vec::with_capacity(32), Vec::with_capacity(4));
        let mut reader = Reader {
            text: text.chars().peekable(),
            symbols,
            classes,
            depth: 0,
        };
        let part = reader.alternatives();
        if text.len() < whole.len() && part.is_ok() {
            return Err(format!("it is longer than {MOST_BYTES} bytes"));
        }
        let part = part?;
        if let Some(rest) = reader.text.next() {
            return Err(format!("`{rest}` closes nothing"));
        }
        let mut follows = Follows::new(reader.symbols.len() + 1);
        let edges = follows.connect(&part);
        edges.first.each().for_each(|symbol| follows.set(0, symbol));
        let mut ends = vec![0; follows.width];
        let nothing = edges.nothing.then_some(0);
        for state in edges.last.each().map(|symbol| symbol + 1).chain(nothing) {
            ends[state / 64] |= 1 << (state % 64);
        }
        let visits = follows.visits + text.len();
        Ok(Expression {
            symbols: reader.symbols,
            classes: reader.classes,
            follows: follows.rows,
            ends,
            visits,
        })
    }
}

/// The symbols that may follow each symbol, as rows of bits.
struct Follows {
    rows: Vec<u64>,
    width: usize,
    visits: usize,
}

impl Follows {
    fn new(states: usize) -> Follows {
        let width = states.div_ceil(64);
        Follows {
            rows: vec![0; states * width],
            width,
            visits: states * width / 8,
        }
    }

    fn set(&mut self, state: usize, symbol: usize) {
        let next = symbol + 1;
        self.rows[state * self.width + next / 64] |= 1 << (next % 64);
    }

    /// Allows each of some symbols after each of others.
    fn link(&mut self, last: &Symbols, first: &Symbols) {
        self.visits += last.len() * first.len().min(self.width) + first.len();
        if self.width == 1 {
            // The state of a symbol is one more, and there is a bit for each.
            last.each()
                .for_each(|symbol| self.rows[symbol + 1] |= first.bits << 1);
            return;
        }
        if first.len() <= self.width {
            for symbol in last.each() {
                first.each().for_each(|next| self.set(symbol + 1, next));
            }
            return;
        }
        let mut mask = vec![0u64; self.width];
        for symbol in first.each() {
            mask[(symbol + 1) / 64] |= 1 << ((symbol + 1) % 64);
        }
        for symbol in last.each() {
            let start = (symbol + 1) * self.width;
            self.rows[start..start + self.width]
                .iter_mut()
                .zip(&mask)
                .for_each(|(row, mask)| *row |= mask);
        }
    }

    /// Records which symbol may follow which; recursion is as deep as groups nest.
    fn connect(&mut self, part: &Part) -> Edges {
        match part {
            Part::Empty => Edges {
                nothing: true,
                ..Edges::default()
            },
            Part::Symbol(symbol) => Edges {
                first: Symbols::of(*symbol),
                last: Symbols::of(*symbol),
                nothing: false,
            },
            Part::All(parts) => {
                let mut edges = Edges {
                    nothing: true,
                    ..Edges::default()
                };
                for part in parts {
                    let next = self.connect(part);
                    self.link(&edges.last, &next.first);
                    if edges.nothing {
                        edges.first.extend(&next.first);
                    }
                    if !next.nothing {
                        edges.last.clear();
                    }
                    edges.last.extend(&next.last);
                    edges.nothing &= next.nothing;
                }
                edges
            }
            Part::Any(parts) => {
                let mut edges = Edges::default();
                for part in parts {
                    let next = self.connect(part);
                    edges.first.extend(&next.first);
                    edges.last.extend(&next.last);
                    edges.nothing |= next.nothing;
                }
                edges
            }
            Part::Repeated(part) => {
                let edges = self.connect(part);
                self.link(&edges.last, &edges.first);
                edges
            }
            Part::Maybe(part) => Edges {
                nothing: true,
                ..self.connect(part)
            },
        }
    }
}

/// Parts are simplified as they are combined, so that none is empty or contains one part twice in a row: an
/// expression has few more parts than symbols, however it is written.
impl Part {
    fn all(mut parts: Vec<Part>) -> Part {
        parts.retain(|part| !matches!(part, Part::Empty));
        match parts.len() {
            0 => Part::Empty,
            1 => parts.remove(0),
            _ => Part::All(parts),
        }
    }

    fn any(mut parts: Vec<Part>) -> Part {
        let before = parts.len();
        parts.retain(|part| !matches!(part, Part::Empty));
        let has_nothing = parts.len() < before;
        let part = match parts.len() {
            0 => Part::Empty,
            1 => parts.remove(0),
            _ => Part::Any(parts),
        };
        if has_nothing { part.maybe() } else { part }
    }

    fn maybe(self) -> Part {
        match self {
            Part::Empty | Part::Maybe(_) => self,
            part => Part::Maybe(Box::new(part)),
        }
    }

    fn repeated(self) -> Part {
        match self {
            Part::Empty | Part::Repeated(_) => self,
            Part::Maybe(part) => part.repeated().maybe(),
            part => Part::Repeated(Box::new(part)),
        }
    }
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Result<Part, String> {
        let mut parts = vec![self.sequence()?];
        while self.text.next_if_eq(&'|').is_some() {
            parts.push(self.sequence()?);
        }
        Ok(Part::any(parts))
    }

    fn sequence(&mut self) -> Result<Part, String> {
        let mut parts = Vec::with_capacity(8);
        while self
            .text
            .peek()
            .is_some_and(|next| !matches!(next, '|' | ')'))
        {
            let part = self.single()?;
            parts.push(self.counted(part)?);
        }
        Ok(Part::all(parts))
    }

    fn symbol(&mut self, ranges: Vec<(char, char)>, negated: bool) -> Result<Part, String> {
        let class = self.classes.len() as u32;
        let part = self.symbol_of(class)?;
        self.classes.push(Class::of(ranges, negated));
        Ok(part)
    }

    /// A symbol for one character. Most expressions consist of a few characters, repeated.
    fn character(&mut self, character: char) -> Result<Part, String> {
        let only = (character, character);
        let known = self
            .classes
            .iter()
            .take(MOST_COMPARED)
            .position(|class| !class.negated && class.ranges == [only]);
        match known {
            Some(class) => self.symbol_of(class as u32),
            None => self.symbol(vec![only], false),
        }
    }

    fn symbol_of(&mut self, class: u32) -> Result<Part, String> {
        if self.symbols.len() >= MOST_SYMBOLS {
            return Err(format!("it has more than {MOST_SYMBOLS} symbols"));
        }
        self.symbols.push(class);
        Ok(Part::Symbol(self.symbols.len() - 1))
    }

    /// Reads a group, a class or a single character.
    fn single(&mut self) -> Result<Part, String> {
        match self.text.next() {
            Some('(') => {
                self.depth += 1;
                if self.depth > MOST_GROUPS {
                    return Err("its groups are nested too deeply".to_string());
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.text.next() == Some(')') {
                    Ok(inner)
                } else {
                    Err("a `(` is not closed".to_string())
                }
            }
            Some('[') => self.class(),
            Some('.') => self.symbol(Vec::new(), true),
            Some('\\') => match self.text.next_if(|next| !next.is_alphanumeric()) {
                Some(character) => self.character(character),
                None => {
                    let ranges = self.escaped()?;
                    self.symbol(ranges, false)
                }
            },
            Some(odd @ ('*' | '+' | '?' | '{')) => Err(format!(
                "nothing stands before `{odd}`; the character itself is written `\\{odd}`"
            )),
            Some(anchor @ ('^' | '$')) => Err(format!(
                "`{anchor}` has no meaning: `pattern` and `matches` are about the whole text, `findAll` and `replaceAll` about any part of it; \
                 the character itself is written `\\{anchor}`"
            )),
            Some(character) => self.character(character),
            None => Ok(Part::Empty),
        }
    }

    fn escaped(&mut self) -> Result<Vec<(char, char)>, String> {
        match self.text.next() {
            Some('d') => Ok(vec![('0', '9')]),
            Some('w') => Ok(vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
            Some('s') => Ok(vec![(' ', ' '), ('\t', '\r'), ('\u{a0}', '\u{a0}')]),
            Some(letter) if letter.is_alphanumeric() => Err(format!("`\\{letter}` means nothing")),
            Some(character) => Ok(vec![(character, character)]),
            None => Err("it ends with `\\`".to_string()),
        }
    }

    /// Reads a class of characters after its `[`.
    fn class(&mut self) -> Result<Part, String> {
        let negated = self.text.next_if_eq(&'^').is_some();
        let mut ranges = Vec::new();
        loop {
            let from = match self.text.next() {
                Some(']') if !ranges.is_empty() => return self.symbol(ranges, negated),
                Some('\\') => {
                    let escaped = self.escaped()?;
                    let [(from, to)] = escaped[..] else {
                        ranges.extend(escaped);
                        continue;
                    };
                    if from != to {
                        ranges.push((from, to));
                        continue;
                    }
                    from
                }
                Some(character) => character,
                None => return Err("a `[` is not closed".to_string()),
            };
            // A range extends from one character to another, escaped or not.
            let before = self.text.clone();
            if self.text.next_if_eq(&'-').is_none() {
                ranges.push((from, from));
                continue;
            }
            let to = match self.text.next() {
                Some('\\') => match self.escaped()?[..] {
                    [(to, same)] if to == same => Some(to),
                    _ => return Err(format!("`{from}-` is followed by no single character")),
                },
                to => to.filter(|to| *to != ']'),
            };
            match to {
                Some(to) if to < from => return Err(format!("`{from}-{to}` runs backwards")),
                Some(to) => ranges.push((from, to)),
                None => {
                    self.text = before;
                    ranges.push((from, from));
                }
            }
        }
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.text.next_if(char::is_ascii_digit) {
            let more = 10 * number.unwrap_or(0) + digit as usize - '0' as usize;
            number = Some(more.min(MOST_SYMBOLS + 1));
        }
        number.filter(|number| *number <= MOST_SYMBOLS)
    }

    /// The part repeated by the count after it.
    fn counted(&mut self, part: Part) -> Result<Part, String> {
        match self.text.peek() {
            Some('*') => {
                self.text.next();
                Ok(part.repeated().maybe())
            }
            Some('+') => {
                self.text.next();
                Ok(part.repeated())
            }
            Some('?') => {
                self.text.next();
                Ok(part.maybe())
            }
            Some('{') => {
                self.text.next();
                let wrong =
                    || "a count is written `{3}`, `{2,}` or `{2,5}`, up to 2000".to_string();
                let least = self.number().ok_or_else(wrong)?;
                let most = match self.text.next_if_eq(&',') {
                    None => Some(least),
                    Some(_) if self.text.peek() == Some(&'}') => None,
                    Some(_) => Some(self.number().ok_or_else(wrong)?),
                };
                if self.text.next() != Some('}') || most.is_some_and(|most| most < least) {
                    return Err(wrong());
                }
                if let Part::Empty = part {
                    return Ok(part);
                }
                let mut parts = Vec::with_capacity(most.unwrap_or(least + 1));
                for _ in 0..least {
                    parts.push(self.copy_part(&part)?);
                }
                match most {
                    None => parts.push(self.copy_part(&part)?.repeated().maybe()),
                    Some(most) => {
                        for _ in least..most {
                            parts.push(self.copy_part(&part)?.maybe());
                        }
                    }
                }
                Ok(Part::all(parts))
            }
            _ => Ok(part),
        }
    }

    /// A copy of a part with symbols of its own.
    fn copy_part(&mut self, part: &Part) -> Result<Part, String> {
        Ok(match part {
            Part::Empty => Part::Empty,
            Part::Symbol(symbol) => {
                let class = self.symbols[*symbol];
                self.symbol_of(class)?
            }
            Part::All(parts) => Part::All(
                parts
                    .iter()
                    .map(|part| self.copy_part(part))
                    .collect::<Result<_, _>>()?,
            ),
            Part::Any(parts) => Part::Any(
                parts
                    .iter()
                    .map(|part| self.copy_part(part))
                    .collect::<Result<_, _>>()?,
            ),
            Part::Repeated(part) => Part::Repeated(Box::new(self.copy_part(part)?)),
            Part::Maybe(part) => Part::Maybe(Box::new(self.copy_part(part)?)),
        })
    }
}
