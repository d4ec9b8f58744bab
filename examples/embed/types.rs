//! A type of the host: a lock whose wheels only Rust knows how to turn. The script guesses turns until it opens; when a
//! guess was wrong, the run takes the lock back, too. Locks can be in sets, be forked, and be looked at by the host.
//!
//! `cargo run --example embed_types`

use ndscript::{Engine, HostError, HostType, HostValue};

const SCRIPT: &str = r#"
    // Moves that open the lock, at most so many. Positions that were seen before lead nowhere new.
    function open(most) {
        let seen = setOf(lock);
        let moves = [];
        while (!lock.isOpen) {
            require(sizeOf(moves) < most);
            let wheel = chooseElement(range(lock.wheels));
            lock.turn(wheel);
            require(!contains(lock, seen));
            seen = add(seen, lock);
            push(moves, wheel);
        }
        return moves;
    }
    let moves = minimize(() => { let moves = open(5); cost(sizeOf(moves)); return moves; });
    print(moves, " opens it: ", lock);
"#;

/// A row of wheels with digits; it opens when all show 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Lock {
    digits: Vec<u8>,
}

impl HostValue for Lock {
    const NAME: &'static str = "lock";
}

impl Lock {
    /// Turns a wheel, which drags the next one along.
    fn turn(&mut self, wheel: usize) -> Result<(), HostError> {
        let count = self.digits.len();
        if wheel >= count {
            return Err(HostError::new(format!(
                "the lock has {count} wheels, counted from 0"
            )));
        }
        for at in [wheel, (wheel + 1) % count] {
            self.digits[at] = (self.digits[at] + 1) % 10;
        }
        Ok(())
    }
}

impl std::fmt::Display for Lock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.digits
            .iter()
            .try_for_each(|digit| write!(f, "{digit}"))
    }
}

fn lock() -> HostType<Lock> {
    HostType::<Lock>::new()
        .about("A row of wheels; it opens at 0 everywhere.")
        .method_mut("turn", Lock::turn)
        .with_doc("wheel", "Turns a wheel, and the next one with it.")
        .getter("isOpen", |lock: &Lock| {
            Ok(lock.digits.iter().all(|digit| *digit == 0))
        })
        .getter("wheels", |lock: &Lock| Ok(lock.digits.len()))
        .cloned()
        .ordered()
        .shown()
        .sized_by(|lock| lock.digits.capacity())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = Engine::new().with_type(lock()).compile(SCRIPT)?;
    let mut run = program.run(1);
    run.set_global(
        "lock",
        Lock {
            digits: vec![8, 7, 9, 0],
        },
    )?;

    // A fork has a lock of its own.
    let mut fork = run.fork()?;
    let other = fork.global("lock").ok_or("no lock")?;
    fork.change_host_value(&other, |lock: &mut Lock| lock.digits = vec![9, 9, 0, 0])?;

    for mut run in [run, fork] {
        println!("{}", run.next().ok_or("it stays shut")??.text);
        let lock = run.global("lock").ok_or("no lock")?;
        assert!(
            run.host_value::<Lock>(&lock)?
                .digits
                .iter()
                .all(|digit| *digit == 0)
        );
    }
    Ok(())
}
