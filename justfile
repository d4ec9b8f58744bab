# The commands of every day; `just` lists them.

default:
    @just --list

# Run a program: just run examples/queens/queens.nds n=12
run *ARGS:
    cargo run --release -- run {{ARGS}}

# All tests
test:
    cargo test

# The tests of one chapter of the language: just chapter sets
chapter NAME:
    cargo test --test language {{NAME}}

# Look at changed snapshots (needs cargo-insta)
snapshots:
    cargo insta review

# What single pieces of the language cost: just bench grid
bench *ARGS:
    cargo bench --manifest-path benches/embedding/Cargo.toml --target-dir target/embedding -- {{ARGS}}

# Our programs against other languages: installs those, measures, and writes benches/RESULTS.md
peers:
    cargo build --release
    python3 benches/peers/run.py --write

# Our models of puzzles against clingo and CP-SAT: installs those, measures, and writes benches/puzzles/RESULTS.md
puzzles:
    cargo build --release
    python3 benches/puzzles/run.py target/release/ndscript --write

# Bring everything into form
fmt:
    cargo fmt

# The lints
lint:
    cargo clippy --all-targets -- -D warnings

# The API's documentation
doc:
    cargo doc --no-deps --open

# Everything that has to pass before a change lands
ci:
    .ci/run
