//! Tables that find interned values grow by little at a time, however many values there are.

use super::measure::measure;
use super::program::Program;

/// Programs that go on to the limit of memory by values of one kind each.
const FILLING: &[(&str, &str)] = &[
    (
        "nodes of trees",
        "let s = toSet(range(130000)); let kept = map(range(83837), i => remove(s, i));",
    ),
    (
        "sets",
        "let kept = []; for (let i = 0; ; i++) push(kept, setOf(i));",
    ),
    (
        "texts",
        "let kept = []; for (let i = 0; ; i++) push(kept, \"the text number \" + i);",
    ),
    (
        "floats",
        "let kept = []; for (let i = 0; ; i++) push(kept, 1e300 + i * 1e290);",
    ),
    (
        "frozen arrays",
        "let kept = setOf(); for (let i = 0; ; i++) kept = add(kept, [i]);",
    ),
];

#[test]
fn values_fill_memory_up_to_the_limit_and_hardly_beyond() {
    const LIMIT: usize = 16 << 20;
    for (name, text) in FILLING {
        let program = Program {
            lines: vec![text.to_string()],
            steps: 100_000_000,
            memory: LIMIT,
            keeps_globals: false,
        };
        let measured = measure(&program);
        assert!(measured.end == "limit: Memory", "{name}: {measured}");
        assert!(measured.peak < LIMIT + LIMIT / 8, "{name}: {measured}");
    }
}

#[test]
fn a_look_at_sizes_of_regions_takes_no_row_of_sizes_for_each_node() {
    const LIMIT: usize = 32 << 20;
    for sizes in ["range(2000, 8000)", "node => node % 2 == 0 ? a : b"] {
        let program = Program {
            lines: vec![format!(
                "let a = range(2000, 8000), b = range(1900, 8000);
                 let walls = map(range(4000), i => setOf(true, false));
                 regions(walls, {{parted: map(range(4000), i => [i, i, (i + 1) % 4000]), sizes: {sizes}}});
                 walls[0] = false;"
            )],
            steps: 100_000_000,
            memory: LIMIT,
            keeps_globals: false,
        };
        let measured = measure(&program);
        // Nothing is left after its only solution.
        assert_eq!(measured.end, "failed", "{sizes}: {measured}");
        assert!(measured.peak < LIMIT + LIMIT / 8, "{sizes}: {measured}");
    }
}
