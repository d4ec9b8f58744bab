//! Saving and restoring runs, perhaps in another process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::run::Run;
use crate::host::host_type::TypeEntry;
use crate::programs::engine::{Engine, TextOrigin};
use crate::programs::import::GivenFiles;
use crate::programs::outline::Outline;
use crate::programs::program::Program;
use ndscript_base::codec::{Reader, Saved, Unsound, Writer};
use ndscript_heap::outside::saved_hosts::Unsaved;
use ndscript_machine::machine::Machine;

/// How a saved run begins.
const MAGIC: &[u8; 8] = b"NDSsaved";
/// The number of the form in which runs are saved. Every change of it counts up.
const FORMAT: u32 = 37;
/// Sealed with a hash, or with a hash that needs the key.
const PLAIN: u8 = 0;
const KEYED: u8 = 1;
/// Bytes of a seal, and of a program's fingerprint.
const SEAL: usize = 32;
/// The offset of the state: after the magic, the format, the kind of seal, and the fingerprint.
const STATE: usize = 8 + 4 + 1 + SEAL;

/// Why a run cannot be saved: only values of types of the host are a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// The run holds a value of this type of the host, which cannot be saved: see
    /// [`HostType::saved_by`](crate::HostType::saved_by).
    NoSaving(&'static str),
    /// The host could not save a value of one of its types.
    Host {
        /// The type.
        type_name: &'static str,
        /// The message of the host.
        message: String,
    },
    /// A function of the host, or something else of it, has panicked in the middle of the run, and the host went on.
    Panicked,
}

impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SaveError::Panicked => {
                f.write_str("the run cannot be saved: something of the host has panicked in it")
            }
            SaveError::NoSaving(name) => write!(
                f,
                "the run holds a value of the host's type `{name}`, which cannot be saved: give it `HostType::saved` or \
                 `HostType::saved_by`"
            ),
            SaveError::Host { type_name, message } => {
                write!(
                    f,
                    "a value of the host's type `{type_name}` cannot be saved: {message}"
                )
            }
        }
    }
}

impl std::error::Error for SaveError {}

/// Why a saved run cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes do not begin like a saved run.
    NotASave,
    /// They have the form of another version.
    OtherFormat {
        /// The number of that form.
        found: u32,
        /// The number of the only form that can be read here.
        known: u32,
    },
    /// They were changed, or are not all there; or they were sealed with another key.
    Damaged,
    /// They are sealed with a key, and the engine has none.
    KeyNeeded,
    /// They are not sealed with a key, and the engine wants them to be.
    NotKeyed,
    /// The run is one of another program, or of another version of this crate.
    OtherProgram,
    /// A relevant part of the program, or of the host's functions, has changed since. It is named: `the function
    /// \`walk\``. Comments, blanks, names of files and functions that the host has added after the others do not
    /// matter.
    Changed(String),
    /// The run knows a type of the host of this name, and the engine of the program does not.
    NoType(String),
    /// The type of the host of this name has other methods, or its values are treated differently.
    OtherType(String),
    /// The host cannot read a value of one of its types.
    Host {
        /// The type.
        type_name: &'static str,
        /// The message of the host, or of serde.
        message: String,
    },
    /// The state does not fit into [`Limits::memory`](crate::Limits::memory).
    TooLarge,
    /// The seal is right, but no run can have reached such a state. The message tells why.
    Unsound(&'static str),
}

impl std::fmt::Display for RestoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RestoreError::NotASave => f.write_str("this is no saved run"),
            RestoreError::OtherFormat { found, known } => {
                write!(
                    f,
                    "the run was saved in form {found}, and this version knows form {known} only"
                )
            }
            RestoreError::Damaged => {
                f.write_str("the saved run is damaged, or sealed with another key")
            }
            RestoreError::KeyNeeded => {
                f.write_str("the saved run is sealed with a key, and the engine has none")
            }
            RestoreError::NotKeyed => {
                f.write_str("the saved run is not sealed with the engine's key")
            }
            RestoreError::OtherProgram => f.write_str(
                "the saved run is one of another program: the inputs or the version differ",
            ),
            RestoreError::Changed(what) => write!(
                f,
                "the saved run cannot go on in this program, as something has changed since: {what}"
            ),
            RestoreError::NoType(name) => write!(
                f,
                "the saved run knows the host's type `{name}`, but the engine does not: register it with \
                 `Engine::with_type`"
            ),
            RestoreError::OtherType(name) => write!(
                f,
                "the host's type `{name}` differs from that of the saved run: it has other methods, or its values are \
                 cloned, undone or ordered in another way"
            ),
            RestoreError::Host { type_name, message } => {
                write!(
                    f,
                    "a saved value of the host's type `{type_name}` cannot be read: {message}"
                )
            }
            RestoreError::TooLarge => {
                f.write_str("the saved run needs more memory than the limit allows")
            }
            RestoreError::Unsound(what) => write!(f, "the saved run cannot be one: {what}"),
        }
    }
}

impl std::error::Error for RestoreError {}

impl From<Unsound> for RestoreError {
    fn from(unsound: Unsound) -> RestoreError {
        match unsound {
            Unsound::Wrong(what) => RestoreError::Unsound(what),
            Unsound::TooLarge => RestoreError::TooLarge,
        }
    }
}

/// Authenticates saved bytes.
fn seal(key: Option<&[u8; SEAL]>, bytes: &[u8]) -> blake3::Hash {
    match key {
        Some(key) => blake3::keyed_hash(key, bytes),
        None => blake3::hash(bytes),
    }
}

impl Run {
    /// The whole state of the run as bytes, from which [`Engine::restore`] makes a copy of it, in this process or
    /// another one: the copy finds equal solutions by equal steps and equal random draws. This run stays as it is.
    ///
    /// It can be saved whenever it is not running: before its first step, out of fuel, at a solution, at a question.
    /// Also after a limit and after a cancellation: the copy, restored under other limits, continues. The cancellation
    /// is not saved.
    ///
    /// Values of types of the host are saved as their types define ([`HostType::saved_by`](crate::HostType::saved_by)).
    ///
    /// A saved run continues in a program with other comments, blanks and names of files, and with further functions of
    /// the host after the earlier ones. A relevant change is an error that names it, [`RestoreError::Changed`].
    ///
    /// Not saved are the program, the limits, tiles, imports, functions and types of the host: they are those of the
    /// program that it is restored with. Of a growing program that is the first input; the texts of further ones are
    /// saved, with what they import. A limit of memory may be reached at another moment, since a copy is packed more
    /// tightly; all else is equal.
    ///
    /// Without a key ([`Engine::with_save_key`]) the bytes are sealed with a hash (BLAKE3), which detects every
    /// accidental change. It does not stop an attacker, who can seal any bytes.
    ///
    /// # Errors
    /// [`SaveError`], if the state holds something that cannot be saved.
    ///
    /// ```
    /// use ndscript::{Engine, Outcome};
    /// let text = "var n = 0; while (n < 1000) n = n + randomInt(1, 3); print(n);";
    /// let engine = Engine::new();
    /// let program = engine.compile(text)?;
    /// let mut run = program.run(1);
    /// assert!(matches!(run.resume(100), Outcome::OutOfFuel));
    /// let saved = run.save()?;
    /// let mut restored = engine.restore(&program, &saved)?;
    /// assert_eq!(restored.next().unwrap().unwrap().text, run.next().unwrap().unwrap().text);
    /// assert_eq!(restored.statistics().steps, run.statistics().steps);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        let programs = &self.extended[..self.input().min(self.extended.len())];
        let latest = self.program();
        let key = self.first.save_key();
        let mut out = Writer::default();
        out.raw(MAGIC);
        out.raw(&FORMAT.to_le_bytes());
        out.byte(if key.is_some() { KEYED } else { PLAIN });
        out.raw(&self.first.fingerprint());
        Outline::of(&self.first).save(&mut out);
        out.number(programs.len() as u64 - 1);
        for two in programs.windows(2) {
            let files = &latest.sources().files()[two[0].files..two[1].files];
            out.number(files.len() as u64);
            for file in files {
                file.name.save(&mut out);
                file.text.save(&mut out);
            }
        }
        if programs.len() > 1 {
            out.raw(&latest.fingerprint());
        }
        self.first.save_types(&mut out);
        self.machine
            .save(&mut out)
            .map_err(|unsaved| match unsaved {
                Unsaved::Broken => SaveError::Panicked,
                Unsaved::NoWay(name) => SaveError::NoSaving(name),
                Unsaved::Host(type_name, message) => SaveError::Host { type_name, message },
            })?;
        let mut bytes = out.into_bytes();
        let seal = seal(key, &bytes);
        bytes.extend_from_slice(seal.as_bytes());
        Ok(bytes)
    }

    /// Whether a restored copy of this run would have anything left to do: false at the end of the search and after an
    /// error.
    pub fn can_go_on(&self) -> bool {
        self.machine.can_go_on()
    }
}

impl Engine {
    /// Sets a key that saved runs are sealed with and have to be sealed with (BLAKE3 with a key). Without the key
    /// nobody can change a saved run or make one up, so with it runs can be restored that come from untrusted people.
    ///
    /// ```
    /// use ndscript::{Engine, RestoreError};
    /// let engine = Engine::new().with_save_key([7; 32]);
    /// let program = engine.compile("print(choose(1, 2));")?;
    /// let saved = program.run(1).save()?;
    /// assert!(engine.restore(&program, &saved).is_ok());
    /// let stranger = Engine::new().with_save_key([8; 32]);
    /// assert_eq!(stranger.restore(&program, &saved).err(), Some(RestoreError::Damaged));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_save_key(mut self, key: [u8; 32]) -> Engine {
        self.save_key = Some(key);
        self
    }

    /// The run that was saved as these bytes by [`Run::save`]. `program` is compiled from the original texts, with the
    /// original host functions; its limits count from now on. Of a growing program the first input is enough, and
    /// further ones are compiled again: [`Run::program`] is what the next input extends.
    ///
    /// Any bytes may be given: bytes that are no saved run of this program are an error. The time and memory for that
    /// are bounded by the number of bytes, the memory also by [`Limits::memory`](crate::Limits::memory). A forger of
    /// the seal of bytes without a key can still make a state that no run could reach; all that restoring itself needs
    /// is checked, and every handle, function, instruction, table and height. Not checked is whether a register holds
    /// the kind of value that its instruction wants: resuming such a forgery ends in an error, in results that the
    /// program does not have, or at its limits. A key rules that out.
    /// # Errors
    /// See [`RestoreError`].
    pub fn restore(&self, program: &Program, bytes: &[u8]) -> Result<Run, RestoreError> {
        let magic = bytes.get(..8).unwrap_or(bytes);
        if magic.is_empty() || !MAGIC.starts_with(magic) {
            return Err(RestoreError::NotASave);
        }
        let Some(contents) = bytes
            .len()
            .checked_sub(SEAL)
            .filter(|contents| *contents >= STATE)
        else {
            return Err(RestoreError::Damaged);
        };
        let (contents, found_seal) = bytes.split_at(contents);
        let number = contents[8..12]
            .iter()
            .rev()
            .fold(0, |number: u32, byte| number << 8 | u32::from(*byte));
        if number != FORMAT {
            return Err(RestoreError::OtherFormat {
                found: number,
                known: FORMAT,
            });
        }
        let key = self.save_key.as_ref();
        match (contents[12], key) {
            (PLAIN, None) | (KEYED, Some(_)) => {}
            (PLAIN, Some(_)) => return Err(RestoreError::NotKeyed),
            (KEYED, None) => return Err(RestoreError::KeyNeeded),
            _ => return Err(RestoreError::Damaged),
        }
        // Compared in constant time.
        if seal(key, contents) != *found_seal {
            return Err(RestoreError::Damaged);
        }
        let first = program.first();
        let mut from = Reader::new(&contents[STATE..], first.0.limits.memory);
        let (saved, now) = (Outline::load(&mut from)?, Outline::of(first));
        if contents[13..STATE] != first.fingerprint() {
            return Err(RestoreError::Changed(saved.changed(&now)));
        }
        if let Some(what) = saved.missing_of_host(&now) {
            return Err(RestoreError::Changed(what));
        }
        let programs = first.restore_extended(&mut from)?;
        let codes = programs
            .iter()
            .map(|program| program.code().clone())
            .collect();
        let context = programs[programs.len() - 1].context(0, &[]);
        let cancelled = Arc::new(AtomicBool::new(false));
        let types = first.load_types(&mut from)?;
        from.know_types(types);
        let machine =
            Machine::load(&mut from, context, codes, cancelled.clone()).map_err(|unsound| {
                let complaint = from.complaint();
                complaint.map_or(unsound.into(), |(type_name, message)| RestoreError::Host {
                    type_name,
                    message,
                })
            })?;
        Ok(Run::of(programs, machine, cancelled))
    }
}

impl Program {
    /// The program of a first input and what it becomes by those that were saved.
    fn restore_extended(&self, from: &mut Reader<'_>) -> Result<Vec<Program>, RestoreError> {
        let mut programs = vec![self.clone()];
        let further = from.count::<Program>()?;
        let Some(inputs) = self.0.inputs.as_ref().filter(|_| further > 0) else {
            return if further == 0 {
                Ok(programs)
            } else {
                Err(RestoreError::OtherProgram)
            };
        };
        for _ in 0..further {
            let mut files = Vec::new();
            for _ in 0..from.count::<(String, String)>()? {
                files.push((String::load(from)?, String::load(from)?));
            }
            let Some((name, text)) = files.first().cloned() else {
                return Err(RestoreError::OtherProgram);
            };
            let latest = &programs[programs.len() - 1];
            let files = GivenFiles {
                files,
                earlier: latest.earlier().imported,
            };
            let program =
                inputs
                    .engine
                    .compile_at(TextOrigin::Behind(latest), &name, &text, Some(&files));
            // Each holds the code of those before it.
            let program = program.map_err(|_| RestoreError::OtherProgram)?;
            from.make_room::<u8>(program.code().bytes() + size_of_val(program.sources().files()))?;
            programs.push(program);
        }
        let found: [u8; SEAL] = from.raw(SEAL)?.try_into().unwrap_or_default();
        if programs[further].fingerprint() == found {
            Ok(programs)
        } else {
            Err(RestoreError::OtherProgram)
        }
    }

    /// Identifies the program: its code and this crate's version. Comments, blanks and names of files do not matter;
    /// functions of the host are compared separately.
    fn fingerprint(&self) -> [u8; SEAL] {
        *self.0.fingerprint.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            let mut part = |bytes: &[u8]| {
                hasher.update(&(bytes.len() as u64).to_le_bytes());
                hasher.update(bytes);
            };
            part(env!("CARGO_PKG_VERSION").as_bytes());
            // A program that was compiled with other settings has other instructions at equal places.
            let code = &self.0.code;
            let mut numbers: Vec<u8> = Vec::new();
            for op in &code.ops {
                let (name, _, operands) = op.describe();
                numbers.extend_from_slice(name.as_bytes());
                operands
                    .iter()
                    .for_each(|(_, operand)| numbers.extend_from_slice(&operand.to_le_bytes()));
            }
            part(&numbers);
            part(format!("{:?}", code.tables).as_bytes());
            for function in &code.functions {
                part(
                    format!(
                        "{} {:?} {} {} {} {} {}",
                        function.entry,
                        function.captures,
                        function.registers,
                        function.parameters.len(),
                        function.optional,
                        function.deterministic,
                        function.takes_list
                    )
                    .as_bytes(),
                );
            }
            part(format!("{:?}", self.0.code.constants).as_bytes());
            for global in &self.0.code.globals {
                part(global.name.as_bytes());
            }
            hasher.finalize().into()
        })
    }

    /// Writes which types of the host there are.
    fn save_types(&self, out: &mut Writer) {
        out.number(self.0.types.len() as u64);
        for (rules, members) in self.0.types.iter().zip(self.0.members.iter()) {
            rules.name.to_string().save(out);
            TypeEntry::description(rules, members).save(out);
        }
    }

    /// Reads which types of the host there were: the number that each of them has now.
    fn load_types(&self, from: &mut Reader<'_>) -> Result<Vec<u32>, RestoreError> {
        let count = from.count::<u32>()?;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            let (name, description) = (String::load(from)?, String::load(from)?);
            let Some(number) = self.0.types.iter().position(|rules| rules.name == name) else {
                return Err(RestoreError::NoType(name));
            };
            if TypeEntry::description(&self.0.types[number], &self.0.members[number]) != description
            {
                return Err(RestoreError::OtherType(name));
            }
            numbers.push(number as u32);
        }
        Ok(numbers)
    }

    fn save_key(&self) -> Option<&[u8; SEAL]> {
        self.0.save_key.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::Outcome;
    use super::*;
    use ndscript_base::limits::Limits;
    use ndscript_base::rng::Rng;
    use ndscript_heap::{Heap, Kind, Value as Word};

    /// Programs with all instructions that rely on what earlier ones have put into their registers.
    fn programs() -> Vec<String> {
        let names: Vec<String> = (0..300).map(|at| format!("v{at}")).collect();
        let many = names.join(" = 1, ");
        let long = vec!["i"; 400].join(", ");
        vec![
            "function f() { let n = 0; let add = x => { n += x; return later + n; }; let later = 1;
                for (let i = 0; i < 9; i++) add(i); later = n; n = add(1); choose first n = 1; or n = add(2); return add(n); }
             while (true) { f(); if (choose(true, false)) fail; }"
                .into(),
            format!("function f(i) {{ let {many} = 2; let add = () => v299 += i; for (v298 = 0; v298 < 9; v298++) add();
                return v299 + v297; }} while (true) f(choose(1, 2));"),
            format!("function f(i) {{ let a = [{long}]; let o = {{a: i, b: [choose(1, 2)], c: {{d: a}}}}; return o; }}
                let i = 1; while (true) {{ f(1); max({long}); f(2); }}"),
            "let g = makeGrid(3, 3, 1); let s = setOf(1, 2, 3); function each(f) { return map(s, f); }
             while (true) {
                foreach (i in range(2, 5)) choose i = 1; or i = 2;
                foreach (p in positionsOf(g)) foreach (n in neighborsOf(p, g)) g[n] += 1;
                foreach (c in \"abc\") foreach (x in s) each(y => x + y);
                chooseElement([1, 2, 3], {1: 1, 2: 2, 3: 3}); chooseElement(s, x => x * 2);
                let r = solutions(() => minimize(() => { let x = chooseElement(s); cost(x); return x; }));
             }"
            .into(),
        ]
    }

    fn some_value(heap: &mut Heap, rng: &mut Rng) -> Word {
        let last = Word::integer((1 << 53) - 1);
        match rng.below(15) {
            0 => Word::NULL,
            1 => Word::UNSET,
            2 => Word::integer(-1),
            3 => last,
            4 => heap.float(0.5).unwrap(),
            5 => heap.float(1e300).unwrap(),
            6 => heap.text("é"),
            7 => Word::position(1, 2).unwrap(),
            8 => heap.array(vec![last; 3]),
            9 => {
                let array = heap.array(vec![Word::NULL]);
                heap.freeze(array).unwrap()
            }
            10 => heap.set_of_frozen((0..40).map(Word::integer).collect()),
            11 => heap.object(),
            12 => heap.grid(1, 1, vec![Word::NULL]),
            13 => heap.variable(last),
            _ => Word::handle(Kind::Native, 3),
        }
    }

    /// Restoring does not check of which kinds registers are, so no instruction may bring the host down over it.
    #[test]
    fn every_register_may_hold_anything() {
        let engine = Engine::new().with_limits(Limits {
            memory: 64 << 20,
            ..Limits::default()
        });
        let mut rng = Rng::new(1);
        let (mut forged, mut told) = (0, 0);
        for text in programs() {
            let program = engine
                .compile(&text)
                .unwrap_or_else(|error| panic!("{error}"));
            let mut run = program.run(1);
            for _ in 0..60 {
                assert!(
                    matches!(run.resume(1 + rng.below(3)), Outcome::OutOfFuel),
                    "{text}"
                );
                for _ in 0..60 {
                    let mut copy = run.clone();
                    let value = some_value(&mut copy.machine.context.heap, &mut rng);
                    if copy.machine.forge(rng.below(60) as usize, value) {
                        forged += 1;
                        if let Outcome::Error(error) = copy.resume(300) {
                            told +=
                                usize::from(error.diagnostic.message.contains("no run has saved"));
                        }
                        copy.resume(100);
                    }
                }
            }
        }
        assert!(forged > 2_000 && told > 100, "{forged} {told}");
    }
}
