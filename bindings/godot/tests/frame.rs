//! The search without Godot: what comes of frames, one after the other.

use std::time::Duration;

use godot_ndscript::frame::{Found, FrameSearch};
use godot_ndscript::ndscript::{Data, Engine, Param};

/// Frames until something is found, and how many it took.
fn frames(search: &mut FrameSearch, time: Duration) -> (Found, usize) {
    for frame in 1..1_000_000 {
        if let Some(found) = search.advance(time) {
            return (found, frame);
        }
    }
    panic!("nothing is found");
}

fn search(text: &str, seed: u64, parameters: &[(String, Param)]) -> FrameSearch {
    FrameSearch::new(&Engine::new().compile(text).unwrap(), seed, parameters)
}

const FRAME: Duration = Duration::from_millis(1);

#[test]
fn a_long_search_takes_several_frames_and_finds_what_a_run_finds() {
    let text = "let n = param(\"n\", 1); let s = 0; for (let i = 0; i < n; i++) s += i; return chooseElement([s, -s]);";
    let parameters = [("n".to_string(), Param::Data(Data::from(200_000)))];
    let mut parts = search(text, 7, &parameters);
    let (found, count) = frames(&mut parts, Duration::ZERO);
    let Found::Solved(solution) = found else {
        panic!("it is solved: {found:?}");
    };
    assert!(count > 10, "{count} frames");
    let mut whole = Engine::new()
        .compile(text)
        .unwrap()
        .run_with(7, &parameters);
    let wanted = whole.next().unwrap().unwrap();
    assert_eq!(solution.value, wanted.value);
    assert_eq!(parts.global("s").as_ref(), wanted.globals.get("s"));
    assert_eq!(parts.global("t"), None);
    assert!(parts.statistics().0 > 200_000);
}

#[test]
fn it_rests_at_a_solution_until_the_next_one_is_wanted() {
    let mut search = search("return chooseElement([1, 2]);", 1, &[]);
    let (first, _) = frames(&mut search, FRAME);
    assert!(matches!(first, Found::Solved(_)));
    assert!(!search.is_searching() && search.advance(FRAME).is_none());
    search.search_next();
    assert!(matches!(frames(&mut search, FRAME).0, Found::Solved(_)));
    search.search_next();
    let (end, _) = frames(&mut search, FRAME);
    assert!(matches!(end, Found::Failed(_)), "{end:?}");
    assert!(!search.is_searching());
}

#[test]
fn questions_wait_for_their_answers() {
    let mut search = search(
        "print(ask(\"where?\", [\"left\", \"right\"]), input(\"name?\"));",
        1,
        &[],
    );
    let (Found::Asked(question), _) = frames(&mut search, FRAME) else {
        panic!("it asks");
    };
    assert_eq!(
        question.options.as_deref(),
        Some(&["left".to_string(), "right".to_string()][..])
    );
    assert!(!search.answer(2) && !search.answer_line("left") && !search.is_searching());
    assert!(search.answer(1));
    let (Found::Asked(question), _) = frames(&mut search, FRAME) else {
        panic!("it asks again");
    };
    assert_eq!(question.options, None);
    assert!(search.answer_line("Ada"));
    let (Found::Solved(solution), _) = frames(&mut search, FRAME) else {
        panic!("it is solved");
    };
    assert_eq!(solution.text, "rightAda");
}

#[test]
fn failures_and_errors_say_why() {
    let (Found::Failed(why), _) = frames(&mut search("fail(\"no room\");", 1, &[]), FRAME) else {
        panic!("it fails");
    };
    assert_eq!(why.as_deref(), Some("no room"));
    let mut wrong = search("let a = [1];\nprint(a[3]);", 1, &[]);
    let (Found::Error(why), _) = frames(&mut wrong, FRAME) else {
        panic!("it is wrong");
    };
    assert!(why.contains("line 2") || why.contains(":2:"), "{why}");
    assert!(!wrong.is_searching());
}
