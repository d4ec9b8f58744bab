//! Constraints that `minimize` puts on a board again, with the best of its solutions.

use ndscript::{Engine, Limits, Outcome};

/// Whether a program comes to its end within so many bytes.
fn ends_within(memory: usize, program: &str) -> bool {
    let compiled = Engine::new()
        .with_limits(Limits {
            memory,
            ..Limits::default()
        })
        .compile(program);
    match compiled.expect("a program").run(1).resume(u64::MAX) {
        Outcome::Solved(solution) => {
            assert_eq!(solution.text, "{1} {2}");
            true
        }
        Outcome::Limit(_) => false,
        other => panic!("{program}\n{other:?}"),
    }
}

/// The memory that a program takes, nearly.
fn memory_of(program: &str) -> usize {
    let (mut least, mut most) = (1 << 18, 1 << 26);
    while most - least > 1 << 16 {
        let middle = usize::midpoint(least, most);
        if ends_within(middle, program) {
            most = middle
        } else {
            least = middle
        }
    }
    most
}

/// Where all places had a constraint before, nobody has to know what each was like at first.
#[test]
fn a_constraint_within_minimize_does_not_keep_the_whole_board() {
    let program = |before: &str, within: &str| {
        format!(
            "let g = makeGrid(300, 300, setOf(1, 2)); adjacent(g, (a, b) => true);
             let two = [position(0, 0), position(1, 0)]; {before}
             minimize(() => {{ {within} g[0, 0] = choose(1, 2); g[1, 0] = 2; cost(singletonValue(g[0, 0])); }});
             print(g[0, 0], \" \", g[1, 0]);"
        )
    };
    let put = "atLeast(g, 1, 2, two);";
    let [before, within] = [memory_of(&program(put, "")), memory_of(&program("", put))];
    assert!(
        within < before + (1 << 19),
        "{within} bytes, where {before} are enough"
    );
}
