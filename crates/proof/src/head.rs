//! The head of a proof: the board. A line for each value, place and rule, in the order of their numbers; its name
//! follows after ` | `. Lines that begin with `c` are remarks.
//!
//! | line | meaning |
//! | --- | --- |
//! | `v N` | a value |
//! | `p N V V ...` | a place, and the values that it may have |
//! | `m N V V ...` | a set of values |
//! | `t N : V W W ... : ...` | a relation: the values W are allowed beside V |
//! | `r N different : P P ...` | no two places have equal values |
//! | `r N symbols : P S S ... : ...` | no two places have equal symbols; one for each value that the place may have |
//! | `r N pairs : P Q T P Q T ...` | P and Q are related by T |
//! | `r N count LEAST MOST : P P ... : V V ...` | the number of places with one of the values is between the bounds |
//! | `r N sum LEAST MOST : P W W ... : ...` | the weights add up to that; one for each value that the place may have |
//! | `r N table : P P ... : V V ... : ...` | the places spell a row |
//! | `r N pattern : P P ... : E E ... : V V ... : S S ... : ...` | an automaton reads what the places spell. It begins in state 0, ends in one of E; for each state the values that enter it, and the states that follow |
//! | `r N lexicographic : P P ... : Q Q ... : V R V R ...` | the ranks of P read no later than those of Q |
//! | `r N circuit NODES : A B ... : P M ...` | of edges from A to B, those whose place has a value of M are one closed loop that goes through no node twice |
//! | `r N acyclic NODES : A B ... : P M ...` | no closed loop |
//! | `r N piece NODES : A B ... : P M ... : P Q T ...` | the nodes whose place has a value of M are one region; with T, over edges whose ends are related |
//! | `r N way NODES FROM TO LEAST MOST : A B ... : P M ... : P Q T ...` | both are such nodes, and the number of steps of the shortest path of such nodes is between the bounds |
//! | `r N regions NODES SINGLE SIZED : A B ... : P M ... : A A ... : S S ... : ...` | for each value the nodes that may have it (P M are their items, one after the other), and the sizes of its regions |
//! | `r N division NODES : A B ... : P M ... : A A ... : S S ... : ...` | the edges whose place has a value of M part nodes of different regions, and no others do; for each row of sizes the nodes whose regions have one of them, and the sizes |
//!
//! `none` is a missing bound.

use crate::Wrong;
use crate::bits;
use crate::board::{Board, Written, index, is_remark, not_a_number, numbers, numbers_of};
use crate::rules::Rule;

/// The parsed head.
pub struct Head {
    pub(crate) board: Board,
    pub(crate) rules: Vec<Rule>,
}

/// The head of a proof, without remarks: two proofs with equal heads are about one board.
///
/// ```
/// let proof = "ndscript proof 1\nc by hand\nv 0 | red\nlog\nend none\n";
/// assert_eq!(ndscript_proof::head(proof), ["ndscript proof 1", "v 0 | red"]);
/// ```
pub fn head(proof: &str) -> Vec<&str> {
    let head = proof.lines().take_while(|line| *line != "log");
    head.filter(|line| !is_remark(line)).collect()
}

impl Head {
    /// Reads the head. Also gives back the number of the line `log`, from 0 on.
    pub(crate) fn read(lines: &[&str]) -> Result<(Head, usize), Wrong> {
        let wrong = |line: usize, why: String| Wrong {
            line: line + 1,
            why,
        };
        if lines.first() != Some(&"ndscript proof 1") {
            return Err(wrong(0, "a proof begins with `ndscript proof 1`".into()));
        }
        let Some(end) = lines.iter().position(|line| *line == "log") else {
            let why = "the head has no end: a line `log` is missing";
            return Err(wrong(lines.len().saturating_sub(1), why.into()));
        };
        let values = lines[..end]
            .iter()
            .filter(|line| line.starts_with("v "))
            .count();
        let mut head = Head {
            board: Board::of(values),
            rules: Vec::new(),
        };
        let mut next = [0; 5];
        for (number, line) in lines[..end].iter().enumerate().skip(1) {
            if !is_remark(line) {
                head.read_line(line, &mut next)
                    .map_err(|why| wrong(number, why))?;
            }
        }
        Ok((head, end))
    }

    /// Reads one line; `next` has the number that each kind of line must have next.
    fn read_line(&mut self, line: &str, next: &mut [usize; 5]) -> Result<(), String> {
        let line = line.split_once(" | ").map_or(line, |(line, _)| line);
        let mut parts = line.split(':');
        let mut first = parts.next().unwrap_or_default().split_ascii_whitespace();
        let letter = first.next().unwrap_or_default();
        let kind = ["v", "p", "m", "t", "r"]
            .iter()
            .position(|known| *known == letter)
            .ok_or_else(|| format!("`{letter}` begins no line of a head"))?;
        let number = first.next().and_then(|word| word.parse::<usize>().ok());
        if number != Some(next[kind]) {
            return Err(format!("expected number {}", next[kind]));
        }
        next[kind] += 1;
        let sections: Vec<Vec<i64>> = parts.map(numbers).collect::<Result<_, String>>()?;
        match letter {
            "v" => {}
            "p" | "m" => {
                let own = self.board.set(&numbers_of(first)?)?;
                match letter {
                    "p" => {
                        self.board.has_empty_place |= bits::is_empty(&own);
                        self.board.places.push(own);
                    }
                    _ => self.board.sets.push(own),
                }
            }
            "t" => {
                let mut rows = vec![vec![0; self.board.words]; self.board.values];
                for section in sections {
                    let (value, beside) = section.split_first().ok_or("a row is empty")?;
                    let value = index(*value, self.board.values, "value")?;
                    rows[value] = self.board.set(beside)?;
                }
                self.board.relations.push(rows);
            }
            _ => {
                let kind = first.next().unwrap_or_default();
                let bound = |word: &str| match word {
                    "none" => Ok(None),
                    _ => word.parse().map(Some).map_err(|_| not_a_number(word)),
                };
                let written = Written {
                    kind,
                    numbers: first.map(bound).collect::<Result<_, String>>()?,
                    sections,
                };
                let rule = Rule::read(&written, &self.board)?;
                self.rules.push(rule);
            }
        }
        Ok(())
    }
}
