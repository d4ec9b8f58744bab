//! The commands. Only the requested one builds its options: building all takes longer than a run of a short program.

use clap::{ArgMatches, Args, Error, FromArgMatches, Subcommand};

use super::options::{
    CheckOptions, CompletionsOptions, DAP_EXAMPLE, DapOptions, DocOptions, FMT_EXAMPLE, FmtOptions,
    LSP_EXAMPLE, LspOptions, ManOptions, NewOptions, PLAY_EXAMPLE, PlayOptions, REPL_EXAMPLE,
    RESUME_EXAMPLE, RUN_EXAMPLE, ReplOptions, ResumeOptions, RunOptions, TEST_EXAMPLE,
    TILES_EXAMPLE, TestOptions, TileListOptions, WATCH_EXAMPLE, WatchFileOptions,
};
use super::search_options::{
    ANIMATE_EXAMPLE, AnimateOptions, DEBUG_EXAMPLE, DebugOptions, EXPLAIN_EXAMPLE, ExplainOptions,
    HINT_EXAMPLE, HintOptions, PROFILE_EXAMPLE, ProfileOptions, SOLVE_EXAMPLE, SolveOptions,
    TRACE_EXAMPLE, TREE_EXAMPLE, TraceOptions, TreeOptions, VERIFY_EXAMPLE, VerifyOptions,
    WHY_EXAMPLE, WhyOptions,
};

/// A command with its options.
#[derive(Debug)]
pub enum Command {
    Run(Box<RunOptions>),
    Resume(Box<ResumeOptions>),
    Repl(Box<ReplOptions>),
    Play(Box<PlayOptions>),
    Trace(Box<TraceOptions>),
    Tree(Box<TreeOptions>),
    Explain(Box<ExplainOptions>),
    Solve(Box<SolveOptions>),
    Verify(Box<VerifyOptions>),
    Debug(Box<DebugOptions>),
    Why(Box<WhyOptions>),
    Animate(Box<AnimateOptions>),
    Profile(Box<ProfileOptions>),
    Hint(Box<HintOptions>),
    Check(CheckOptions),
    Fmt(FmtOptions),
    Lsp(LspOptions),
    Doc(DocOptions),
    Watch(Box<WatchFileOptions>),
    Test(Box<TestOptions>),
    Dap(DapOptions),
    New(NewOptions),
    Tiles(TileListOptions),
    Completions(CompletionsOptions),
    Man(ManOptions),
}

/// The commands, which may be the first word.
pub const COMMANDS: &[&str] = &[
    "debug",
    "why",
    "run",
    "watch",
    "play",
    "resume",
    "repl",
    "trace",
    "tree",
    "explain",
    "solve",
    "verify",
    "animate",
    "profile",
    "hint",
    "dap",
    "test",
    "check",
    "fmt",
    "lsp",
    "doc",
    "tiles",
    "new",
    "completions",
    "man",
    "help",
];

fn command<Options: Args>(name: &'static str, about: &'static str) -> clap::Command {
    clap::Command::new(name)
        .about(about)
        .defer(with_options::<Options>)
}

fn with_options<Options: Args>(command: clap::Command) -> clap::Command {
    // The doc comment of the options does not replace that of the command.
    let about = command.get_about().cloned().unwrap_or_default();
    Options::augment_args(command).about(about)
}

/// The file argument of commands that watch a run.
fn with_watch_options(command: clap::Command) -> clap::Command {
    with_file::<WatchFileOptions>(command, "The program")
}

/// Standard input is where the answers come from.
fn with_play_options(command: clap::Command) -> clap::Command {
    with_file::<PlayOptions>(
        command,
        "The program; `-` is standard input, with --answers only",
    )
}

/// Options whose program is not read from just anywhere.
fn with_file<Options: Args>(command: clap::Command, help: &'static str) -> clap::Command {
    // The file argument comes last, unless it has a place.
    let command = with_options::<Options>(command).mut_arg("file", |file| file.help(help).index(1));
    command.mut_arg("params", |params| params.index(2))
}

impl Subcommand for Command {
    fn augment_subcommands(parent: clap::Command) -> clap::Command {
        let run = command::<RunOptions>("run", "Run a program and show its solution");
        let resume = command::<ResumeOptions>(
            "resume",
            "Go on with a run that was stopped by a limit or Ctrl-C",
        );
        let repl = command::<ReplOptions>(
            "repl",
            "Start a conversation: a program that grows by what you type",
        );
        let play = command::<PlayOptions>(
            "play",
            "Play a program that asks, and go back to any earlier moment",
        );
        let play = play.defer(with_play_options);
        let watch = command::<WatchFileOptions>(
            "watch",
            "Run a program again whenever it changes, beside an editor",
        );
        let watch = watch.defer(with_watch_options);
        let test = command::<TestOptions>(
            "test",
            "Run the functions of programs whose names begin with `test`",
        );
        let trace = command::<TraceOptions>("trace", "Show what a search does, step by step");
        let explain = command::<ExplainOptions>(
            "explain",
            "Say why a search fails, or what it spends its time on",
        );
        let animate = command::<AnimateOptions>("animate", "Show as a film how a grid comes to be");
        let profile = command::<ProfileOptions>(
            "profile",
            "Show which lines and functions take the steps and the \
             time",
        );
        let hint = command::<HintOptions>("hint", "Say what is forced next in a puzzle, and why");
        let tree = command::<TreeOptions>(
            "tree",
            "Draw the tree of a search: what was tried, and why it failed",
        );
        let debug = command::<DebugOptions>("debug", "Step through a run, forward and back");
        let why = command::<WhyOptions>(
            "why",
            "Say why a place holds its value, back to the guesses",
        );
        parent
            .subcommand(run.after_help(RUN_EXAMPLE))
            .subcommand(watch.after_help(WATCH_EXAMPLE))
            .subcommand(resume.after_help(RESUME_EXAMPLE))
            .subcommand(repl.after_help(REPL_EXAMPLE))
            .subcommand(play.after_help(PLAY_EXAMPLE))
            .subcommand(test.after_help(TEST_EXAMPLE))
            .subcommand(trace.after_help(TRACE_EXAMPLE))
            .subcommand(tree.after_help(TREE_EXAMPLE))
            .subcommand(explain.after_help(EXPLAIN_EXAMPLE))
            .subcommand(
                command::<SolveOptions>(
                    "solve",
                    "Find out whether a board has no solution, one or several, and prove it",
                )
                .after_help(SOLVE_EXAMPLE),
            )
            .subcommand(
                command::<VerifyOptions>("verify", "Check a proof of `solve --proof`")
                    .after_help(VERIFY_EXAMPLE),
            )
            .subcommand(why.after_help(WHY_EXAMPLE))
            .subcommand(debug.after_help(DEBUG_EXAMPLE))
            .subcommand(
                command::<DapOptions>("dap", "Serve the debugger to an editor, forward and back")
                    .after_help(DAP_EXAMPLE),
            )
            .subcommand(animate.after_help(ANIMATE_EXAMPLE))
            .subcommand(profile.after_help(PROFILE_EXAMPLE))
            .subcommand(hint.after_help(HINT_EXAMPLE))
            .subcommand(command::<CheckOptions>(
                "check",
                "Look for mistakes in programs without running them",
            ))
            .subcommand(
                command::<FmtOptions>("fmt", "Bring programs into the one form")
                    .after_help(FMT_EXAMPLE),
            )
            .subcommand(
                command::<LspOptions>("lsp", "Serve an editor: the language server")
                    .after_help(LSP_EXAMPLE),
            )
            .subcommand(command::<DocOptions>(
                "doc",
                "Explain a built-in function or a word of the language, or list them all",
            ))
            .subcommand(
                command::<TileListOptions>(
                    "tiles",
                    "Show the tiles that pictures can be made of, with their names",
                )
                .after_help(TILES_EXAMPLE),
            )
            .subcommand(command::<NewOptions>(
                "new",
                "Write a commented program to begin with",
            ))
            .subcommand(command::<CompletionsOptions>(
                "completions",
                "Write shell completions",
            ))
            .subcommand(command::<ManOptions>(
                "man",
                "Write the manual page of ndscript, or of a command",
            ))
    }

    fn augment_subcommands_for_update(parent: clap::Command) -> clap::Command {
        Self::augment_subcommands(parent)
    }

    fn has_subcommand(name: &str) -> bool {
        COMMANDS.contains(&name)
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Command, Error> {
        Command::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Command, Error> {
        let Some((name, mut matches)) = matches.remove_subcommand() else {
            return Err(Error::raw(
                clap::error::ErrorKind::MissingSubcommand,
                "a command is missing\n",
            ));
        };
        let matches = &mut matches;
        Ok(match &*name {
            "resume" => Command::Resume(Box::new(ResumeOptions::from_arg_matches_mut(matches)?)),
            "repl" => Command::Repl(Box::new(ReplOptions::from_arg_matches_mut(matches)?)),
            "play" => Command::Play(Box::new(PlayOptions::from_arg_matches_mut(matches)?)),
            "trace" => Command::Trace(Box::new(TraceOptions::from_arg_matches_mut(matches)?)),
            "explain" => Command::Explain(Box::new(ExplainOptions::from_arg_matches_mut(matches)?)),
            "solve" => Command::Solve(Box::new(SolveOptions::from_arg_matches_mut(matches)?)),
            "verify" => Command::Verify(Box::new(VerifyOptions::from_arg_matches_mut(matches)?)),
            "why" => Command::Why(Box::new(WhyOptions::from_arg_matches_mut(matches)?)),
            "debug" => Command::Debug(Box::new(DebugOptions::from_arg_matches_mut(matches)?)),
            "animate" => Command::Animate(Box::new(AnimateOptions::from_arg_matches_mut(matches)?)),
            "profile" => Command::Profile(Box::new(ProfileOptions::from_arg_matches_mut(matches)?)),
            "hint" => Command::Hint(Box::new(HintOptions::from_arg_matches_mut(matches)?)),
            "tree" => Command::Tree(Box::new(TreeOptions::from_arg_matches_mut(matches)?)),
            "check" => Command::Check(CheckOptions::from_arg_matches_mut(matches)?),
            "fmt" => Command::Fmt(FmtOptions::from_arg_matches_mut(matches)?),
            "lsp" => Command::Lsp(LspOptions::from_arg_matches_mut(matches)?),
            "watch" => Command::Watch(Box::new(WatchFileOptions::from_arg_matches_mut(matches)?)),
            "test" => Command::Test(Box::new(TestOptions::from_arg_matches_mut(matches)?)),
            "dap" => Command::Dap(DapOptions::from_arg_matches_mut(matches)?),
            "tiles" => Command::Tiles(TileListOptions::from_arg_matches_mut(matches)?),
            "new" => Command::New(NewOptions::from_arg_matches_mut(matches)?),
            "completions" => {
                Command::Completions(CompletionsOptions::from_arg_matches_mut(matches)?)
            }
            "man" => Command::Man(ManOptions::from_arg_matches_mut(matches)?),
            "doc" => Command::Doc(DocOptions::from_arg_matches_mut(matches)?),
            _ => Command::Run(Box::new(RunOptions::from_arg_matches_mut(matches)?)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Command::from_arg_matches(matches)?;
        Ok(())
    }
}
