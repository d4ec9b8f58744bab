//! The regular expressions of `pattern`, which a board reads with its own symbols: characters, `.`, classes, groups,
//! `|`, `*`, `+`, `?` and counts. They become automata by way of Glushkov (1961): a state for each symbol of the
//! expression, so that there are no empty steps.

/// An expression. Symbols are numbered by where they stand; each has the characters that it matches.
#[derive(Debug)]
enum Part {
    Empty,
    Symbol(usize),
    All(Vec<Part>),
    Any(Vec<Part>),
    /// Once or more often.
    Repeated(Box<Part>),
    Maybe(Box<Part>),
}

/// What a symbol matches.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Characters from one to another.
    ranges: Vec<(char, char)>,
    negated: bool,
}

impl Symbol {
    pub fn matches(&self, character: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&character)) != self.negated
    }
}

/// An expression as states: the beginning is 0, and each symbol has the state of its number and 1.
#[derive(Debug)]
pub struct Expression {
    pub symbols: Vec<Symbol>,
    /// For each state the symbols that may come next.
    pub follows: Vec<Vec<usize>>,
    /// The states at which a text may end.
    pub ends: Vec<usize>,
}

/// Expressions with more symbols, once counts are written out, are refused.
const MOST_SYMBOLS: usize = 2000;
/// Groups nest no deeper.
const MOST_GROUPS: usize = 100;

struct Reader<'a> {
    text: std::iter::Peekable<std::str::Chars<'a>>,
    symbols: Vec<Symbol>,
    depth: usize,
}

/// What a part begins and ends with, as symbols, and whether it may be nothing.
#[derive(Clone, Default)]
struct Edges {
    first: Vec<usize>,
    last: Vec<usize>,
    nothing: bool,
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Expression, String> {
        let mut reader = Reader { text: text.chars().peekable(), symbols: Vec::new(), depth: 0 };
        let part = reader.alternatives()?;
        if let Some(rest) = reader.text.next() {
            return Err(format!("`{rest}` closes nothing"));
        }
        let mut follows = vec![Vec::new(); reader.symbols.len() + 1];
        let edges = connect(&part, &mut follows);
        follows[0] = edges.first;
        let mut ends: Vec<usize> = edges.last.iter().map(|symbol| symbol + 1).collect();
        if edges.nothing {
            ends.push(0);
        }
        Ok(Expression { symbols: reader.symbols, follows, ends })
    }
}

/// Notes what may follow what; as deep as groups nest.
fn connect(part: &Part, follows: &mut [Vec<usize>]) -> Edges {
    let link = |last: &[usize], first: &[usize], follows: &mut [Vec<usize>]| {
        for symbol in last {
            follows[symbol + 1].extend_from_slice(first);
        }
    };
    match part {
        Part::Empty => Edges { nothing: true, ..Edges::default() },
        Part::Symbol(symbol) => Edges { first: vec![*symbol], last: vec![*symbol], nothing: false },
        Part::All(parts) => {
            let mut edges = Edges { nothing: true, ..Edges::default() };
            for part in parts {
                let next = connect(part, follows);
                link(&edges.last, &next.first, follows);
                if edges.nothing {
                    edges.first.extend_from_slice(&next.first);
                }
                if !next.nothing {
                    edges.last.clear();
                }
                edges.last.extend(next.last);
                edges.nothing &= next.nothing;
            }
            edges
        }
        Part::Any(parts) => {
            let mut edges = Edges::default();
            for part in parts {
                let next = connect(part, follows);
                edges.first.extend(next.first);
                edges.last.extend(next.last);
                edges.nothing |= next.nothing;
            }
            edges
        }
        Part::Repeated(part) => {
            let edges = connect(part, follows);
            link(&edges.last, &edges.first, follows);
            edges
        }
        Part::Maybe(part) => Edges { nothing: true, ..connect(part, follows) },
    }
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Result<Part, String> {
        let mut parts = vec![self.sequence()?];
        while self.text.next_if_eq(&'|').is_some() {
            parts.push(self.sequence()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Part::Any(parts) })
    }

    fn sequence(&mut self) -> Result<Part, String> {
        let mut parts = Vec::new();
        while self.text.peek().is_some_and(|next| !matches!(next, '|' | ')')) {
            let part = self.single()?;
            parts.push(self.counted(part)?);
        }
        Ok(Part::All(parts))
    }

    fn symbol(&mut self, ranges: Vec<(char, char)>, negated: bool) -> Result<Part, String> {
        if self.symbols.len() >= MOST_SYMBOLS {
            return Err(format!("it has more than {MOST_SYMBOLS} symbols"));
        }
        self.symbols.push(Symbol { ranges, negated });
        Ok(Part::Symbol(self.symbols.len() - 1))
    }

    fn single(&mut self) -> Result<Part, String> {
        match self.text.next() {
            Some('(') => {
                self.depth += 1;
                if self.depth > MOST_GROUPS {
                    return Err("its groups are nested too deeply".to_string());
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.text.next() == Some(')') { Ok(inner) } else { Err("a `(` is not closed".to_string()) }
            }
            Some('[') => self.class(),
            Some('.') => self.symbol(Vec::new(), true),
            Some('\\') => {
                let ranges = self.escaped()?;
                self.symbol(ranges, false)
            }
            Some(odd @ ('*' | '+' | '?' | '{')) => {
                Err(format!("nothing stands before `{odd}`; the character itself is written `\\{odd}`"))
            }
            Some(character) => self.symbol(vec![(character, character)], false),
            None => Ok(Part::Empty),
        }
    }

    fn escaped(&mut self) -> Result<Vec<(char, char)>, String> {
        match self.text.next() {
            Some('d') => Ok(vec![('0', '9')]),
            Some('w') => Ok(vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
            Some(letter) if letter.is_alphanumeric() => Err(format!("`\\{letter}` means nothing")),
            Some(character) => Ok(vec![(character, character)]),
            None => Err("it ends with `\\`".to_string()),
        }
    }

    fn class(&mut self) -> Result<Part, String> {
        let negated = self.text.next_if_eq(&'^').is_some();
        let mut ranges = Vec::new();
        loop {
            let from = match self.text.next() {
                Some(']') if !ranges.is_empty() => return self.symbol(ranges, negated),
                Some('\\') => {
                    ranges.extend(self.escaped()?);
                    continue;
                }
                Some(character) => character,
                None => return Err("a `[` is not closed".to_string()),
            };
            let mut ahead = self.text.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(to)) if to != ']' => {
                    if to < from {
                        return Err(format!("`{from}-{to}` runs backwards"));
                    }
                    self.text = ahead;
                    ranges.push((from, to));
                }
                _ => ranges.push((from, from)),
            }
        }
    }

    fn number(&mut self) -> Option<usize> {
        let mut digits = String::new();
        while let Some(digit) = self.text.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        digits.parse().ok().filter(|number| *number <= MOST_SYMBOLS)
    }

    /// The part as often as is written behind it.
    fn counted(&mut self, part: Part) -> Result<Part, String> {
        match self.text.peek() {
            Some('*') => {
                self.text.next();
                Ok(Part::Maybe(Box::new(Part::Repeated(Box::new(part)))))
            }
            Some('+') => {
                self.text.next();
                Ok(Part::Repeated(Box::new(part)))
            }
            Some('?') => {
                self.text.next();
                Ok(Part::Maybe(Box::new(part)))
            }
            Some('{') => {
                self.text.next();
                let wrong = || "a count is written `{3}`, `{2,}` or `{2,5}`, up to 2000".to_string();
                let least = self.number().ok_or_else(wrong)?;
                let most = match self.text.next_if_eq(&',') {
                    None => Some(least),
                    Some(_) if self.text.peek() == Some(&'}') => None,
                    Some(_) => Some(self.number().ok_or_else(wrong)?),
                };
                if self.text.next() != Some('}') || most.is_some_and(|most| most < least) {
                    return Err(wrong());
                }
                let mut parts = Vec::new();
                for _ in 0..least {
                    parts.push(self.again(&part)?);
                }
                match most {
                    None => parts.push(Part::Maybe(Box::new(Part::Repeated(Box::new(self.again(&part)?))))),
                    Some(most) => {
                        for _ in least..most {
                            parts.push(Part::Maybe(Box::new(self.again(&part)?)));
                        }
                    }
                }
                Ok(Part::All(parts))
            }
            _ => Ok(part),
        }
    }

    /// A copy of a part with symbols of its own.
    fn again(&mut self, part: &Part) -> Result<Part, String> {
        Ok(match part {
            Part::Empty => Part::Empty,
            Part::Symbol(symbol) => {
                let Symbol { ranges, negated } = self.symbols[*symbol].clone();
                self.symbol(ranges, negated)?
            }
            Part::All(parts) => Part::All(parts.iter().map(|part| self.again(part)).collect::<Result<_, _>>()?),
            Part::Any(parts) => Part::Any(parts.iter().map(|part| self.again(part)).collect::<Result<_, _>>()?),
            Part::Repeated(part) => Part::Repeated(Box::new(self.again(part)?)),
            Part::Maybe(part) => Part::Maybe(Box::new(self.again(part)?)),
        })
    }
}
