//! The log of a proof, after its head. Literals are atoms by number, with a minus if negated.
//!
//! | line | meaning |
//! | --- | --- |
//! | `a N in P V V ...` | an atom: the place has one of the values |
//! | `a N row R I`, `a N state R I S`, `a N fits R E`, `a N equal R I` | an atom that only rule R knows: see `Fact` |
//! | `e ID R L L ...` | a clause that rule R alone implies |
//! | `n ID L L ... : ID ID ...` | a clause that follows from others, in this order |
//! | `s ID V V ...` | a solution, by place. As a clause: not all places have these values; for each place an atom `in P V` is numbered |
//! | `end CLAIM` | what was shown: `none`, `one`, `some` or `several` |
//!
//! Clauses and atoms are numbered from 1 on, without gaps.

use crate::board::{Board, index, is_remark};
use crate::head::Head;
use crate::rules::Rule;
use crate::state::{Atom, Fact, Literal, State, Status};
use crate::{Checked, Claim, Wrong};

/// Checks a proof.
///
/// ```
/// let wrong = ndscript_proof::check("ndscript proof 1\nlog\nend none\n").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 3: nothing shows that there is no solution: a clause without literals is missing");
/// ```
///
/// # Errors
/// If it shows nothing, with the first line that is wrong.
pub fn check(proof: &str) -> Result<Checked, Wrong> {
    check_while(proof, || true).expect("nobody stops it")
}

/// As [`check`], and calls a function before each line. `None` if that returns false.
pub fn check_while(
    proof: &str,
    mut may_continue: impl FnMut() -> bool,
) -> Option<Result<Checked, Wrong>> {
    check_lines(proof, &mut may_continue).transpose()
}

/// Checks all lines of a proof. `None` if `may_continue` has stopped it.
fn check_lines(
    proof: &str,
    may_continue: &mut dyn FnMut() -> bool,
) -> Result<Option<Checked>, Wrong> {
    let lines: Vec<&str> = proof.lines().collect();
    let (Head { board, rules }, log) = Head::read(&lines)?;
    let mut checking = Checking {
        board: &board,
        rules: &rules,
        state: State::new(&board),
        atoms: Vec::new(),
        literals: Vec::new(),
        ends: Vec::new(),
        is_refuted: false,
        checked: Checked {
            claim: Claim::None,
            solutions: Vec::new(),
            explanations: 0,
            nogoods: 0,
        },
    };
    let mut has_ended = false;
    for (number, line) in lines.iter().enumerate().skip(log + 1) {
        if !may_continue() {
            return Ok(None);
        }
        if is_remark(line) {
            continue;
        }
        let wrong = |why: String| Wrong {
            line: number + 1,
            why,
        };
        if has_ended {
            return Err(wrong("something stands behind the end".into()));
        }
        has_ended = checking.line(line).map_err(wrong)?;
    }
    if !has_ended {
        return Err(Wrong {
            line: lines.len(),
            why: "the proof has no end".into(),
        });
    }
    Ok(Some(checking.checked))
}

struct Checking<'a> {
    board: &'a Board,
    rules: &'a [Rule],
    state: State<'a>,
    atoms: Vec<Atom>,
    /// The clauses, one after another, and their ends.
    literals: Vec<Literal>,
    ends: Vec<usize>,
    is_refuted: bool,
    checked: Checked,
}

impl Checking<'_> {
    /// Checks a line; whether it is the last one.
    fn line(&mut self, line: &str) -> Result<bool, String> {
        let mut words = line.split_ascii_whitespace();
        let letter = words.next().unwrap_or_default();
        if letter == "end" {
            self.end(words.next().unwrap_or_default())?;
            return Ok(true);
        }
        let expected = match letter {
            "a" => self.atoms.len() + 1,
            _ => self.ends.len() + 1,
        };
        if words.next().and_then(|word| word.parse().ok()) != Some(expected) {
            return Err(format!("expected number {expected}"));
        }
        match letter {
            "a" => {
                let kind = words.next().unwrap_or_default();
                let atom = self.atom(kind, &numbers(words)?)?;
                self.atoms.push(atom);
            }
            "e" => {
                let numbers = numbers(words)?;
                let (rule, clause) = numbers.split_first().ok_or("a rule is missing")?;
                let rule = index(*rule, self.rules.len(), "rule")?;
                let clause = self.clause(clause)?;
                self.explain(rule, &clause)?;
                self.checked.explanations += 1;
                self.add(&clause);
            }
            "n" => {
                let rest: Vec<&str> = words.collect();
                let colon = rest.iter().position(|word| *word == ":");
                let colon = colon.ok_or("`:` and clauses are missing")?;
                let clause = self.clause(&numbers(rest[..colon].iter().copied())?)?;
                self.follow(&clause, &numbers(rest[colon + 1..].iter().copied())?)?;
                self.checked.nogoods += 1;
                self.add(&clause);
            }
            "s" => self.solution(&numbers(words)?)?,
            _ => return Err(format!("`{letter}` begins no line of a log")),
        }
        Ok(false)
    }

    /// Reads an atom: a place has one of some values, or a fact of a rule.
    fn atom(&self, kind: &str, numbers: &[i64]) -> Result<Atom, String> {
        if kind == "in" {
            let (place, values) = numbers.split_first().ok_or("a place is missing")?;
            return Ok(Atom::In {
                place: self.board.place(*place)?,
                values: self.board.set(values)?,
            });
        }
        let (rule, rest) = numbers.split_first().ok_or("a rule is missing")?;
        let rule = index(*rule, self.rules.len(), "rule")?;
        let rest: Vec<usize> = rest
            .iter()
            .map(|number| index(*number, usize::MAX, "fact"))
            .collect::<Result<_, String>>()?;
        let fact = match (kind, &rest[..]) {
            ("row", [row]) => Fact::Row(*row),
            ("state", [at, state]) => Fact::State(*at, *state),
            ("fits", [edge]) => Fact::Fits(*edge),
            ("equal", [count]) => Fact::Equal(*count),
            _ => return Err(format!("there is no such atom `{kind}`")),
        };
        match self.rules[rule].knows(fact) {
            true => Ok(Atom::Of { rule, fact }),
            false => Err(format!("rule {rule} knows no such fact")),
        }
    }

    fn clause(&self, numbers: &[i64]) -> Result<Vec<Literal>, String> {
        let literals = numbers.iter().map(|number| {
            let atom = number.unsigned_abs() as usize;
            let is_known = (1..=self.atoms.len()).contains(&atom);
            let literal = Literal::try_from(*number).ok().filter(|_| is_known);
            literal.ok_or_else(|| format!("there is no atom {atom}"))
        });
        literals.collect()
    }

    fn add(&mut self, clause: &[Literal]) {
        self.is_refuted |= clause.is_empty();
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    /// Supposes that no literal of a clause holds; false if that contradicts itself.
    fn deny(&mut self, clause: &[Literal]) -> bool {
        self.state.clear();
        !self.board.has_empty_place
            && clause
                .iter()
                .all(|literal| self.state.suppose(&self.atoms, -literal))
    }

    fn explain(&mut self, rule: usize, clause: &[Literal]) -> Result<(), String> {
        if !self.deny(clause) {
            return Ok(());
        }
        let facts = self.state.facts(&self.atoms, rule);
        match self.rules[rule].is_impossible(self.board, &self.state, &facts) {
            true => Ok(()),
            false => Err(format!("rule {rule} does not imply this clause")),
        }
    }

    /// Checks that a clause follows from the clauses of its hints, by unit propagation in their order.
    fn follow(&mut self, clause: &[Literal], hints: &[i64]) -> Result<(), String> {
        let mut is_refuted = !self.deny(clause);
        for hint in hints {
            let at = index(
                hint.wrapping_sub(1),
                self.ends.len(),
                "clause before this one, less one,",
            )?;
            if is_refuted {
                continue;
            }
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            let mut open = None;
            let mut holds = false;
            for literal in &self.literals[start..self.ends[at]] {
                match self.state.status(&self.atoms, *literal) {
                    Status::True => holds = true,
                    Status::False => {}
                    Status::Open if open.is_some() => {
                        return Err(format!("clause {hint} leaves more than one literal"));
                    }
                    Status::Open => open = Some(*literal),
                }
            }
            match open {
                _ if holds => {}
                None => is_refuted = true,
                Some(literal) => {
                    self.state.suppose(&self.atoms, literal);
                }
            }
        }
        match is_refuted {
            true => Ok(()),
            false => Err("it does not follow from the clauses that are named".into()),
        }
    }

    /// Checks that a solution has candidates only, and that every rule holds in it.
    fn solution(&mut self, numbers: &[i64]) -> Result<(), String> {
        let places = &self.board.places;
        if numbers.len() != places.len() {
            return Err("a solution has a value for each place".into());
        }
        let mut values = Vec::new();
        self.state.clear();
        for (place, number) in numbers.iter().enumerate() {
            let value = index(*number, self.board.values, "value")?;
            if !crate::bits::has(&places[place], value) {
                return Err(format!("place {place} cannot have value {value}"));
            }
            self.state.set(place, value);
            values.push(value as u32);
        }
        for (number, rule) in self.rules.iter().enumerate() {
            if rule.is_impossible(self.board, &self.state, &[]) {
                return Err(format!("rule {number} does not hold in this solution"));
            }
        }
        let mut clause = Vec::new();
        for (place, value) in values.iter().enumerate() {
            self.atoms.push(Atom::In {
                place,
                values: crate::bits::set_of([*value as usize], self.board.words),
            });
            clause.push(-(self.atoms.len() as Literal));
        }
        self.add(&clause);
        self.checked.solutions.push(values);
        Ok(())
    }

    /// Checks that the claim at the end was shown.
    fn end(&mut self, word: &str) -> Result<(), String> {
        let solutions = &self.checked.solutions;
        let are_two = solutions.iter().any(|other| *other != solutions[0]);
        let refuted = |claim: Claim| match self.is_refuted {
            true => Ok(claim),
            false => Err(format!(
                "nothing shows that {}: a clause without literals is missing",
                claim.in_words()
            )),
        };
        self.checked.claim = match (word, solutions.len()) {
            ("none", 0) => refuted(Claim::None)?,
            ("one", 1) => refuted(Claim::One)?,
            ("some", 1..) => Claim::Some,
            ("several", 2..) if are_two => Claim::Several,
            ("none" | "one" | "some" | "several", _) => {
                return Err("it does not fit to the solutions that were told".into());
            }
            _ => return Err(format!("`{word}` is no claim")),
        };
        Ok(())
    }
}

fn numbers<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<i64>, String> {
    words
        .map(|word| {
            let number = word.parse::<i64>();
            number.map_err(|_| format!("`{word}` is no number"))
        })
        .collect()
}
