//! Programs without loops whose causes are known beforehand: they are written and carried out at once, by somebody who knows of
//! every value which write or guess it came from.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ndscript::rng::Rng;

/// What a value is, and the deeds that it came from: those that it was computed from, and those that decided.
#[derive(Clone, Debug, Default)]
struct Tracked {
    value: i64,
    parts: BTreeSet<usize>,
    deciding: BTreeSet<usize>,
}

/// A write or a guess: its line and what was written to, and the deeds that it came from.
#[derive(Clone, Debug)]
pub struct Deed {
    pub line: usize,
    pub place: String,
    pub from: BTreeSet<usize>,
    before: Option<usize>,
    /// Whether what was written came from what the place held before.
    keeps: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Variable(usize),
    Field(usize),
    Element(usize),
}

const VARIABLES: [&str; 4] = ["u", "v", "w", "x"];
const FIELDS: [&str; 3] = ["a", "b", "c"];

/// Functions of the program, of which the lines count.
const PRELUDE: &str = "let o = {};\nlet r = [];\nfunction add(d, e) { let s = d + e; return s; }\n\
                       function put(i, d) {\n    r[i] = d;\n}\nfunction at(i) { let s = r[i]; return s; }\n\
                       function larger(d, e) { if (d > e) return d; return e; }\n";
const LINE_OF_PUT: usize = 5;

pub struct World {
    pub text: String,
    line: usize,
    /// The variable that is asked for: what is written to it is a deed, too.
    asked: Option<usize>,
    variables: Vec<Tracked>,
    latest_of_asked: Option<usize>,
    fields: Vec<Tracked>,
    elements: Vec<Tracked>,
    pub deeds: Vec<Deed>,
    guesses: i64,
}

impl World {
    /// The program of a seed, as it is carried out for somebody who asks for a variable.
    pub fn new(seed: u64, statements: usize, asked: Option<usize>) -> World {
        let mut rng = Rng::new(seed);
        let mut world = World {
            text: PRELUDE.to_string(),
            line: PRELUDE.lines().count() + 1,
            asked,
            variables: vec![Tracked::default(); VARIABLES.len()],
            latest_of_asked: None,
            fields: vec![Tracked::default(); FIELDS.len()],
            elements: Vec::new(),
            deeds: Vec::new(),
            guesses: 0,
        };
        for (at, name) in VARIABLES.iter().enumerate() {
            let (text, value) = world.guess();
            world.say(&format!("let {name} = {text};"), |world| {
                world.write(At::Variable(at), value)
            });
        }
        for (at, name) in FIELDS.iter().enumerate() {
            world.say(&format!("o.{name} = {at};"), |world| {
                world.write(
                    At::Field(at),
                    Tracked {
                        value: at as i64,
                        ..Tracked::default()
                    },
                );
            });
        }
        for _ in 0..3 {
            let (text, value) = world.guess();
            world.say(&format!("push(r, {text});"), |world| world.push(value));
        }
        for _ in 0..statements {
            world.statement(&mut rng);
        }
        world
    }

    /// Adds a line, and does what it says.
    fn say(&mut self, text: &str, does: impl FnOnce(&mut World)) {
        let _ = writeln!(self.text, "{text}");
        does(self);
        self.line += 1;
    }

    fn guess(&mut self) -> (String, Tracked) {
        self.guesses += 1;
        let value = self.guesses * 10 % 97;
        let number = self.deed(String::new(), BTreeSet::new(), None, false);
        (
            format!("choose({value}, -1)"),
            Tracked {
                value,
                parts: BTreeSet::from([number]),
                ..Tracked::default()
            },
        )
    }

    fn deed(
        &mut self,
        place: String,
        from: BTreeSet<usize>,
        before: Option<usize>,
        keeps: bool,
    ) -> usize {
        self.deeds.push(Deed {
            line: self.line,
            place,
            from,
            before,
            keeps,
        });
        self.deeds.len() - 1
    }

    fn name(&self, at: At) -> String {
        match at {
            At::Variable(at) => VARIABLES[at].to_string(),
            At::Field(at) => format!("o.{}", FIELDS[at]),
            At::Element(at) => format!("r[{at}]"),
        }
    }

    fn get(&self, at: At) -> &Tracked {
        match at {
            At::Variable(at) => &self.variables[at],
            At::Field(at) => &self.fields[at],
            At::Element(at) => &self.elements[at],
        }
    }

    fn is_at_or_before(&self, deed: usize, later: usize) -> bool {
        std::iter::successors(Some(later), |later| self.deeds[*later].before)
            .any(|known| known == deed)
    }

    fn came_from(&self, deed: usize, from: usize) -> bool {
        self.deeds[deed]
            .from
            .iter()
            .any(|known| *known == from || self.came_from(*known, from))
    }

    /// What is told of a value: what decided on it is left out where something else tells of it.
    fn causes(&self, value: &Tracked, before: Option<usize>) -> BTreeSet<usize> {
        let is_own =
            |deed: &usize| before.is_some_and(|before| self.is_at_or_before(*deed, before));
        let mut found: BTreeSet<usize> = value
            .parts
            .iter()
            .copied()
            .filter(|deed| !is_own(deed))
            .collect();
        for deed in value
            .deciding
            .iter()
            .rev()
            .copied()
            .filter(|deed| !is_own(deed))
        {
            if !found
                .iter()
                .any(|known| self.is_at_or_before(deed, *known) || self.came_from(*known, deed))
            {
                found.insert(deed);
            }
        }
        found
    }

    fn write(&mut self, at: At, value: Tracked) {
        let before = match at {
            At::Variable(at) if self.asked == Some(at) => self.latest_of_asked,
            At::Variable(at) => {
                self.variables[at] = value;
                return;
            }
            _ => self.get(at).parts.first().copied(),
        };
        let from = self.causes(&value, before);
        let keeps = before.is_some_and(|before| {
            value
                .parts
                .iter()
                .any(|deed| self.is_at_or_before(*deed, before))
        });
        let number = self.deed(self.name(at), from, before, keeps);
        let held = Tracked {
            value: value.value,
            parts: BTreeSet::from([number]),
            deciding: BTreeSet::new(),
        };
        match at {
            At::Variable(at) => (self.variables[at], self.latest_of_asked) = (held, Some(number)),
            At::Field(at) => self.fields[at] = held,
            At::Element(at) => self.elements[at] = held,
        }
    }

    /// A variable is put somewhere. If it came from what stood there, it is what stands there from now on.
    fn put_variable(&mut self, at: At, variable: usize) {
        let value = self.variables[variable].clone();
        let is_from_there = self
            .get(at)
            .parts
            .first()
            .is_some_and(|before| value.parts.contains(before));
        self.write(at, value);
        if is_from_there {
            self.variables[variable] = self.get(at).clone();
        }
    }

    fn push(&mut self, value: Tracked) {
        let from = self.causes(&value, None);
        let number = self.deed(format!("r[{}]", self.elements.len()), from, None, false);
        self.elements.push(Tracked {
            value: value.value,
            parts: BTreeSet::from([number]),
            deciding: BTreeSet::new(),
        });
    }

    fn any_place(&self, rng: &mut Rng) -> At {
        match rng.below(3) {
            0 => At::Variable(rng.below(VARIABLES.len() as u64) as usize),
            1 => At::Field(rng.below(FIELDS.len() as u64) as usize),
            _ => At::Element(rng.below(self.elements.len() as u64) as usize),
        }
    }

    fn read(&self, rng: &mut Rng) -> (String, Tracked) {
        let at = self.any_place(rng);
        (self.name(at), self.get(at).clone())
    }

    fn decided_by(value: &Tracked, conditions: &[&Tracked]) -> Tracked {
        let mut all = value.clone();
        for condition in conditions {
            all.deciding
                .extend(condition.parts.iter().chain(&condition.deciding));
        }
        all
    }

    fn expression(&mut self, rng: &mut Rng) -> (String, Tracked) {
        let (a_text, a) = self.read(rng);
        let (b_text, b) = self.read(rng);
        let (c_text, c) = self.read(rng);
        let sum = Tracked {
            value: (a.value + b.value) % 1000,
            parts: a.parts.union(&b.parts).copied().collect(),
            deciding: a.deciding.union(&b.deciding).copied().collect(),
        };
        match rng.below(6) {
            0 => (format!("({a_text} + {b_text}) % 1000"), sum),
            1 => (format!("add({a_text}, {b_text}) % 1000"), sum),
            2 => {
                let at = rng.below(self.elements.len() as u64) as usize;
                (format!("at({at})"), self.elements[at].clone())
            }
            3 => {
                let taken = if a.value > 20 { &b } else { &c };
                (
                    format!("({a_text} > 20 ? {b_text} : {c_text})"),
                    World::decided_by(taken, &[&a]),
                )
            }
            4 => {
                let taken = if a.value > b.value { &a } else { &b };
                (
                    format!("larger({a_text}, {b_text})"),
                    World::decided_by(taken, &[&a, &b]),
                )
            }
            _ => {
                // The second is looked at only where it matters.
                let is_both = a.value > 20 && b.value > 20;
                let one = Tracked {
                    value: i64::from(is_both),
                    ..Tracked::default()
                };
                let text = format!("({a_text} > 20 && {b_text} > 20 ? 1 : 0)");
                let conditions = [&a, &b];
                (
                    text,
                    World::decided_by(&one, &conditions[..if a.value > 20 { 2 } else { 1 }]),
                )
            }
        }
    }

    fn statement(&mut self, rng: &mut Rng) {
        let to = self.any_place(rng);
        match rng.below(9) {
            0 => {
                let (text, value) = self.guess();
                self.say(&format!("{} = {text};", self.name(to)), |world| {
                    world.write(to, value)
                });
            }
            1 => {
                let from = rng.below(VARIABLES.len() as u64) as usize;
                let text = format!("{} = {};", self.name(to), VARIABLES[from]);
                self.say(&text, |world| match to {
                    At::Variable(_) => world.write(to, world.variables[from].clone()),
                    _ => world.put_variable(to, from),
                });
            }
            2 => {
                let other = self.any_place(rng);
                let (a, b) = (self.name(to), self.name(other));
                // In a function, so that the helper is a variable of its own.
                let text = format!("(() => {{ let t = {a}; {a} = {b}; {b} = t; }})();");
                self.say(&text, |world| {
                    let held = world.get(to).clone();
                    let moved = world.get(other).clone();
                    world.write(to, moved);
                    world.write(other, held);
                });
            }
            3 => {
                let (text, value) = self.expression(rng);
                let at = rng.below(self.elements.len() as u64) as usize;
                let line = self.line;
                self.say(&format!("put({at}, {text});"), |world| {
                    world.line = LINE_OF_PUT;
                    world.write(At::Element(at), value);
                    world.line = line;
                });
            }
            4 if self.elements.len() < 6 => {
                let (text, value) = self.expression(rng);
                self.say(&format!("push(r, {text});"), |world| world.push(value));
            }
            5 if self.elements.len() > 2 => {
                let at = rng.below(self.elements.len() as u64) as usize;
                self.say(&format!("{} = removeAt(r, {at});", VARIABLES[0]), |world| {
                    let value = world.elements.remove(at);
                    world.write(At::Variable(0), value);
                });
            }
            _ => {
                let (text, value) = self.expression(rng);
                self.say(&format!("{} = {text};", self.name(to)), |world| {
                    world.write(to, value)
                });
            }
        }
    }

    /// The places that can be asked for, with the deed that each shows at the end.
    pub fn places(&self) -> Vec<(String, usize)> {
        if let Some(asked) = self.asked {
            return self
                .latest_of_asked
                .iter()
                .map(|deed| (VARIABLES[asked].to_string(), *deed))
                .collect();
        }
        let all = (0..FIELDS.len())
            .map(At::Field)
            .chain((0..self.elements.len()).map(At::Element));
        all.filter_map(|at| Some((self.name(at), *self.get(at).parts.first()?)))
            .collect()
    }

    /// All that can be asked for: nothing, or one of the variables.
    pub fn asked() -> impl Iterator<Item = Option<usize>> {
        std::iter::once(None).chain((0..VARIABLES.len()).map(Some))
    }

    /// What is told of a deed. Of what the place held before it is told where somebody asks for the place itself; else as far as
    /// the value came from that, and that from anything.
    fn told(&self, deed: usize, asked: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = self.deeds[deed].from.clone();
        let older = |deed: &usize| self.deeds[*deed].before.filter(|_| self.deeds[*deed].keeps);
        let mut befores = std::iter::successors(older(&deed), older);
        all.extend(
            befores
                .find(|deed| !self.deeds[*deed].from.is_empty())
                .filter(|before| !asked.contains(before)),
        );
        all
    }

    /// A deed and the deeds behind it, as lines with places, and what each came from.
    pub fn behind(&self, deed: usize) -> BTreeSet<(String, BTreeSet<String>)> {
        let name = |deed: usize| format!("{}: {}", self.deeds[deed].line, self.deeds[deed].place);
        let asked = std::iter::successors(Some(deed), |deed| self.deeds[*deed].before).collect();
        let mut seen = BTreeSet::new();
        let mut open = vec![deed];
        while let Some(deed) = open.pop() {
            if seen.insert(deed) {
                open.extend(self.told(deed, &asked));
            }
        }
        let names = |deed: usize| self.told(deed, &asked).into_iter().map(name).collect();
        seen.iter()
            .map(|deed| (name(*deed), names(*deed)))
            .collect()
    }
}
