//! Functions of the host that have no result yet.

use ndscript::{CallOutcome, Engine, HostAnswer, Outcome, Run, RunError, ValueError, Waiting};

fn engine() -> Engine {
    Engine::new()
        .with_function("load", |number: i64| Waiting(number as u64))
        .with_function("maybe", |number: i64| match number {
            0 => HostAnswer::Value(100),
            number => HostAnswer::Waiting(number as u64),
        })
}

fn waits(run: &mut Run, ticket: u64) {
    for _ in 0..2 {
        assert!(matches!(run.resume(1000), Outcome::Waiting(found) if found == ticket));
        assert_eq!(run.ticket(), Some(ticket));
    }
}

#[test]
fn a_run_goes_on_when_the_result_is_there() {
    let program = engine()
        .compile("let a = load(choose(1, 2)); require(a > 5); print(a + maybe(0) + maybe(9));")
        .unwrap();
    let mut run = program.run(1);
    waits(&mut run, 1);
    assert!(!run.answer_text("9") && !run.answer(0), "it is no question");
    assert!(matches!(run.deliver(2, 7), Err(ValueError::NotAValue(_))));
    run.deliver(1, 3).unwrap();
    assert!(
        matches!(run.deliver(1, 3), Err(ValueError::NotAValue(_))),
        "it has its result"
    );
    waits(&mut run, 2);
    run.deliver(2, 7).unwrap();
    waits(&mut run, 9);
    run.deliver(9, 0.5).unwrap();
    assert!(matches!(run.resume(1000), Outcome::Solved(solution) if solution.text == "107.5"));
    assert!(matches!(run.resume(1000), Outcome::Failed));
}

#[test]
fn results_may_be_any_value_of_the_run() {
    let mut run = engine()
        .compile("let f = load(1); print(f);")
        .unwrap()
        .run(1);
    let mut other = engine().compile("var x = [1];").unwrap().run(1);
    waits(&mut run, 1);
    let foreign = other.make(vec![1, 2]).unwrap();
    assert_eq!(run.deliver(1, &foreign), Err(ValueError::OtherRun));
    assert!(run.deliver(1, f64::NAN).is_err());
    waits(&mut run, 1);
    let own = run.make(vec![("a".to_string(), 2)]).unwrap();
    run.deliver(1, &own).unwrap();
    assert_eq!(run.next().unwrap().unwrap().text, "[[\"a\", 2]]");
}

#[test]
fn what_the_host_refuses_is_an_error_at_the_call() {
    let mut run = engine()
        .compile("print(1);\nlet a = load(4);")
        .unwrap()
        .run(1);
    waits(&mut run, 4);
    run.refuse(4, "the disk is full").unwrap();
    let error = run.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "program:2:9: the disk is full");
    assert!(matches!(run.resume(100), Outcome::Failed), "it has ended");
}

#[test]
fn clones_and_saved_runs_wait_for_themselves() {
    let program = engine()
        .compile("let a = load(3); print(a, choose(1, 2));")
        .unwrap();
    let mut run = program.run(1);
    waits(&mut run, 3);
    let mut fork = run.fork().unwrap();
    let mut restored = engine().restore(&program, &run.save().unwrap()).unwrap();
    for (at, run) in [&mut run, &mut fork, &mut restored].into_iter().enumerate() {
        waits(run, 3);
        run.deliver(3, at).unwrap();
        assert_eq!(run.next().unwrap().unwrap().text, format!("{at}1"));
    }
    // A result that is there is saved with the run.
    let mut run = program.run(1);
    waits(&mut run, 3);
    run.deliver(3, "x").unwrap();
    let mut restored = engine().restore(&program, &run.save().unwrap()).unwrap();
    assert_eq!(restored.next().unwrap().unwrap().text, "x1");
}

#[test]
fn iterators_say_that_they_cannot_wait() {
    let mut run = engine().compile("load(8);").unwrap().run(1);
    assert!(matches!(run.next(), Some(Err(RunError::Waiting(8)))));
    assert!(run.next().is_none());
    run.deliver(8, ()).unwrap();
    assert!(run.next().unwrap().is_ok());
}

#[test]
fn calls_of_the_host_wait_too() {
    let program = engine()
        .compile("function f(x) { return load(x) + 1; } load(2);")
        .unwrap();
    let mut run = program.run(1);
    waits(&mut run, 2);
    run.begin_call("f", (6,)).unwrap();
    assert!(matches!(run.resume_call(100), CallOutcome::Waiting(6)));
    run.deliver(6, 1).unwrap();
    let CallOutcome::Returned(value) = run.resume_call(100) else {
        panic!()
    };
    assert_eq!(run.read::<i64>(&value), Ok(2));
    run.end_call();
    waits(&mut run, 2);
    // Inside of barriers and of built-ins that call functions.
    let text = "print(solutions(() => load(choose(1, 2))), map([5, 6], load));";
    let mut run = engine().compile(text).unwrap().run(1);
    for ticket in [1, 2, 5, 6] {
        waits(&mut run, ticket);
        run.deliver(ticket, ticket * 10).unwrap();
    }
    assert_eq!(run.next().unwrap().unwrap().text, "[10, 20][50, 60]");
}
