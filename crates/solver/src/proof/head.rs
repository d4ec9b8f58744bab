//! The head of a proof: the board, in the form that `ndscript-proof` reads (its `board.rs` describes the lines).

use std::fmt::Write;

use super::{Names, Refused};
use crate::propagators::{
    Adjacent, AllDifferent, Lattice, Lexicographic, MOST_OF_NETWORK, Network, Pattern, Shape, Sum,
};
use crate::{Constraint, Solver, ones};

/// The text so far, and the parts of the board.
pub(super) struct Head {
    pub text: String,
    /// By place of the board its number here; only what is under a constraint has one.
    pub places: Vec<Option<u32>>,
    /// By constraint of the board its number here; what follows from others has none.
    pub rules: Vec<Option<u32>>,
    values: usize,
    sets: usize,
    relations: usize,
}

impl Head {
    /// From the initial domains of a solver.
    pub fn of(solver: &Solver, names: &Names) -> Result<Head, Refused> {
        let mut head = Head {
            text: "ndscript proof 1\n".to_string(),
            places: vec![None; solver.places()],
            rules: Vec::new(),
            values: solver.values(),
            sets: 0,
            relations: 0,
        };
        for value in 0..solver.values() {
            let name = names.values.get(value);
            head.line(&format!("v {value}"), name);
        }
        let bound = (0..solver.places()).filter(|place| solver.is_bound(*place));
        for (number, place) in (0..).zip(bound) {
            let mut line = format!("p {number}");
            push(&mut line, solver.candidates(place).numbers());
            head.line(&line, names.places.get(place));
            head.places[place] = Some(number);
        }
        let mut count = 0;
        for (number, constraint) in solver.constraints().iter().enumerate() {
            if constraint.is_derived() {
                head.rules.push(None);
                continue;
            }
            let line = head.rule(constraint, solver);
            let line = line.map_err(|why| Refused {
                rule: number as u32,
                why,
            })?;
            head.line(&format!("r {count} {line}"), names.rules.get(number));
            head.rules.push(Some(count));
            count += 1;
        }
        Ok(head)
    }

    /// Writes a line, with the name of its constraint as a comment.
    fn line(&mut self, line: &str, name: Option<&String>) {
        self.text.push_str(line);
        if let Some(name) = name {
            let plain: String = name
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            let _ = write!(self.text, " | {plain}");
        }
        self.text.push('\n');
    }

    fn place(&self, place: u32) -> u32 {
        self.places[place as usize].unwrap_or(u32::MAX)
    }

    fn all(&self, places: &[u32]) -> String {
        let mut text = String::new();
        push(&mut text, places.iter().map(|place| self.place(*place)));
        text
    }

    /// The values of a mask.
    fn values(&self, mask: &[u64]) -> String {
        let mut text = String::new();
        push(&mut text, ones(mask).filter(|value| *value < self.values));
        text
    }

    fn set(&mut self, mask: &[u64]) -> usize {
        let values = self.values(mask);
        self.line(&format!("m {}{values}", self.sets), None);
        self.sets += 1;
        self.sets - 1
    }

    /// For each value, the values that it allows.
    fn relation(&mut self, rows: &[u64], width: usize) -> usize {
        let mut line = format!("t {}", self.relations);
        let rows = rows.chunks(width.max(1)).take(self.values);
        for (value, row) in rows.enumerate() {
            let beside = self.values(row);
            if !beside.is_empty() {
                let _ = write!(line, " : {value}{beside}");
            }
        }
        self.line(&line, None);
        self.relations += 1;
        self.relations - 1
    }

    /// A rule without its number.
    fn rule(&mut self, constraint: &Constraint, solver: &Solver) -> Result<String, &'static str> {
        let joined = |columns: u32, rows: u32, values: &[u64], shape: Shape| {
            let lattice = Lattice {
                columns,
                rows,
                ..Lattice::default()
            };
            lattice.network(values, shape)
        };
        match constraint {
            Constraint::AllDifferent(own) => Ok(self.different(own, solver)),
            Constraint::Related(own) => {
                let relation = self.relation(&own.forward, own.width as usize);
                Ok(format!("pairs :{} {relation}", self.all(&own.places)))
            }
            Constraint::Adjacent(own) => Ok(self.adjacent(own, solver)),
            Constraint::Count(own) => {
                let most = match own.most {
                    u64::MAX => "none".to_string(),
                    most => most.to_string(),
                };
                let (places, values) = (self.all(&own.places), self.values(&own.values));
                Ok(format!("count {} {most} :{places} :{values}", own.least))
            }
            Constraint::Sum(own) => self.sum(own, solver),
            Constraint::Tuples(own) => {
                let mut text = format!("table :{}", self.all(&own.places));
                for row in own.table.each_row() {
                    text.push_str(" :");
                    push(&mut text, row);
                }
                Ok(text)
            }
            Constraint::Pattern(own) => Ok(self.pattern(own)),
            Constraint::Lexicographic(own) => self.lexicographic(own, solver),
            Constraint::Connected(own) => self.network(&joined(
                own.columns,
                own.rows,
                &own.values,
                Shape::Connected,
            )),
            Constraint::Reachable(own) => {
                let shape = Shape::Reachable {
                    ends: own.ends,
                    steps: [0, u32::MAX],
                };
                self.network(&joined(own.columns, own.rows, &own.values, shape))
            }
            Constraint::Network(own) => self.network(own),
            Constraint::Callback(_) => Err(
                "it is a function of the program, and nobody can check what it says without running it: say it by constraints that are none, such as `tuples`, `related`, `pattern` or `sumOf`",
            ),
            Constraint::Cardinality(_) => Err("it follows from others"),
        }
    }

    fn different(&self, own: &AllDifferent, solver: &Solver) -> String {
        if own.starts.is_empty() {
            return format!("different :{}", self.all(&own.places));
        }
        let mut text = "symbols".to_string();
        for (at, place) in own.places.iter().enumerate() {
            let candidates = solver.candidates(*place as usize);
            let _ = write!(text, " : {}", self.place(*place));
            let symbol = |value| own.symbol(at, value);
            push(&mut text, candidates.numbers().map(symbol));
        }
        text
    }

    fn adjacent(&mut self, own: &Adjacent, solver: &Solver) -> String {
        let tables = own.tables.iter();
        let relations: Vec<usize> = tables
            .map(|table| self.relation(table.rows(), own.width as usize))
            .collect();
        let mut text = "pairs :".to_string();
        for place in 0..solver.places() {
            let around = own.neighbors().around(place);
            for direction in &own.directions {
                let relation = relations.get(direction.table as usize);
                if let (Some(other), Some(relation)) = (around.cell(direction), relation) {
                    let pair = [place as u32, other as u32].map(|place| self.place(place));
                    push(&mut text, pair);
                    let _ = write!(text, " {relation}");
                }
            }
        }
        text
    }

    fn sum(&self, own: &Sum, solver: &Solver) -> Result<String, &'static str> {
        if !own.is_whole() {
            return Err(
                "it adds up fractions, or more than can be added exactly: use whole numbers",
            );
        }
        // No sum of a constraint reaches this.
        const UNBOUNDED: f64 = (1_u64 << 60) as f64;
        let bound = |bound: f64| match bound.abs() < UNBOUNDED {
            true => (bound as i64).to_string(),
            false => "none".to_string(),
        };
        let mut text = format!("sum {} {}", bound(own.low.ceil()), bound(own.high.floor()));
        for (at, place) in own.places.iter().enumerate() {
            let _ = write!(text, " : {}", self.place(*place));
            let values = solver.candidates(*place as usize).numbers();
            push(&mut text, values.map(|value| own.part(at, value) as i64));
        }
        Ok(text)
    }

    fn pattern(&self, own: &Pattern) -> String {
        let automaton = &own.automaton;
        let states = automaton.states as usize;
        let width = states.div_ceil(64).max(1);
        let mut text = format!("pattern :{} :", self.all(&own.places));
        push(&mut text, ones(&automaton.ends));
        for state in 0..states {
            let class = automaton.classes.get(state).copied().unwrap_or_default() as usize;
            let words = automaton.words as usize;
            let mask = automaton.masks.get(class * words..(class + 1) * words);
            let _ = write!(text, " :{} :", self.values(mask.unwrap_or_default()));
            let row = automaton.follows.get(state * width..(state + 1) * width);
            push(&mut text, ones(row.unwrap_or_default()));
        }
        text
    }

    /// The line of a constraint by lexicographic order; an error if its values have no order.
    fn lexicographic(&self, own: &Lexicographic, solver: &Solver) -> Result<String, &'static str> {
        let (left, right) = own.places.split_at(own.split as usize);
        let mut text = format!("lexicographic :{} :{} :", self.all(left), self.all(right));
        let mut values: Vec<usize> = own
            .places
            .iter()
            .flat_map(|place| solver.candidates(*place as usize).numbers())
            .collect();
        values.sort_unstable();
        values.dedup();
        for value in values {
            match own.ranks.get(value) {
                Some(rank) if *rank != crate::propagators::UNRANKED => {
                    let _ = write!(text, " {value} {rank}");
                }
                _ => return Err("a place could hold values without an order when it was put"),
            }
        }
        Ok(text)
    }

    /// The line of a constraint on a graph; an error if the graph is too large for a proof.
    fn network(&mut self, own: &Network) -> Result<String, &'static str> {
        let (nodes, edges) = (own.wiring.nodes(), own.wiring.edges());
        let booleans = &own.booleans;
        if nodes + edges + booleans.count() > MOST_OF_NETWORK {
            return Err("its graph is too large");
        }
        let width = booleans.width.max(1) as usize;
        let masks = booleans.masks.chunks(width);
        let sets: Vec<usize> = masks.map(|mask| self.set(mask)).collect();
        let tables: Vec<usize> = booleans
            .tables
            .iter()
            .map(|table| self.relation(table, width))
            .collect();
        let mut text = match &own.shape {
            Shape::Circuit => format!("circuit {nodes}"),
            Shape::Acyclic => format!("acyclic {nodes}"),
            Shape::Connected => format!("piece {nodes}"),
            Shape::Reachable { ends, steps } => {
                let most = match steps[1] {
                    u32::MAX => "none".to_string(),
                    most => most.to_string(),
                };
                format!("way {nodes} {} {} {} {most}", ends[0], ends[1], steps[0])
            }
            Shape::Regions(regions) => {
                let (single, sized) = (regions.single, !regions.sizes.is_empty());
                format!("regions {nodes} {} {}", u8::from(single), u8::from(sized))
            }
            Shape::Division(_) => format!("division {nodes}"),
        };
        text.push_str(" :");
        push(
            &mut text,
            (0..edges).flat_map(|edge| own.wiring.ends(edge as u32)),
        );
        text.push_str(" :");
        for hold in booleans.holds.chunks_exact(2) {
            let _ = write!(text, " {} {}", self.place(hold[0]), sets[hold[1] as usize]);
        }
        if let Shape::Regions(regions) = &own.shape {
            for (value, nodes) in regions.places.iter().enumerate() {
                text.push_str(" :");
                push(&mut text, nodes);
                text.push_str(" :");
                push(&mut text, regions.sizes.get(value).into_iter().flatten());
            }
        } else if let Shape::Division(division) = &own.shape {
            for (row, sizes) in division.sizes().iter().enumerate() {
                let rows = division.row_of().iter().enumerate();
                let nodes = rows.filter(|(_, own)| **own as usize == row);
                text.push_str(" :");
                push(&mut text, nodes.map(|(node, _)| node));
                text.push_str(" :");
                push(&mut text, sizes);
            }
        } else if !booleans.fits.is_empty() {
            text.push_str(" :");
            for fit in booleans.fits.chunks_exact(3) {
                let [first, second] = [fit[0], fit[1]].map(|place| self.place(place));
                let _ = write!(text, " {first} {second} {}", tables[fit[2] as usize]);
            }
        }
        Ok(text)
    }
}

/// Writes numbers, each after a space.
pub(super) fn push<N: std::fmt::Display>(text: &mut String, numbers: impl IntoIterator<Item = N>) {
    for number in numbers {
        let _ = write!(text, " {number}");
    }
}
