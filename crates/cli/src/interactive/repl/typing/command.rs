//! The commands of the REPL: lines that begin with a colon.

use ndscript::diagnostics::wrap;
use ndscript::spelling::nearest;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Next,
    All(Option<u64>),
    Undo,
    Choices,
    Commit,
    Trace,
    Tree,
    Why(String),
    Back(Option<u64>),
    Vars,
    Doc(Option<String>),
    Load(String),
    Reload,
    Save(SaveHow, String),
    Png(String),
    /// Characters for a cell, 0 for as large as the window allows.
    Size(Option<u64>),
    Seed(Option<u64>),
    /// Times an input, or says what the latest one took.
    Time(Option<String>),
    Stats,
    Clear,
    Quit,
}

/// How a session is written as a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaveHow {
    /// Over a file that the session has not written.
    pub over: bool,
    /// With what was chosen in place of the choices.
    pub fixed: bool,
}

/// The operand after a command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    None,
    Name,
    File,
    Input,
    Number,
}

/// A row of the help.
pub struct Row {
    pub name: &'static str,
    /// A shorter name.
    pub short: Option<&'static str>,
    pub operand: Operand,
    pub usage: &'static str,
    pub help: &'static str,
}

const fn row(
    name: &'static str,
    short: Option<&'static str>,
    operand: Operand,
    usage: &'static str,
    help: &'static str,
) -> Row {
    Row {
        name,
        short,
        operand,
        usage,
        help,
    }
}

/// All commands, in the order of the help.
pub const COMMANDS: &[Row] = &[
    row(
        "next",
        Some("n"),
        Operand::None,
        ":next",
        "another solution of the latest input",
    ),
    row(
        "all",
        None,
        Operand::Number,
        ":all [N]",
        "the solutions of the latest input from here on, at most N; pauses after a screenful",
    ),
    row(
        "undo",
        Some("u"),
        Operand::None,
        ":undo",
        "takes the latest input back",
    ),
    row(
        "choices",
        None,
        Operand::None,
        ":choices",
        "the open choices: where they are, what is chosen now, what is left",
    ),
    row(
        "commit",
        None,
        Operand::None,
        ":commit",
        "drops the open choices: no failure goes back past this point",
    ),
    row(
        "trace",
        None,
        Operand::None,
        ":trace",
        "what the latest input did: choices, failures, what was written",
    ),
    row(
        "tree",
        None,
        Operand::None,
        ":tree",
        "what the latest input tried, and where and why it failed",
    ),
    row(
        "why",
        None,
        Operand::Name,
        ":why PLACE",
        "the writes that led to what a place holds, such as `g[3,4]`, and the guesses behind them",
    ),
    row(
        "back",
        None,
        Operand::Number,
        ":back [N]",
        "shows the latest input a line earlier, or N lines; repeat it to go further back",
    ),
    row(
        "vars",
        None,
        Operand::None,
        ":vars",
        "the global variables and their values",
    ),
    row(
        "doc",
        None,
        Operand::Name,
        ":doc [NAME]",
        "explains a built-in function, or lists them all",
    ),
    row(
        "load",
        None,
        Operand::File,
        ":load FILE",
        "takes a file as an input",
    ),
    row(
        "reload",
        Some("r"),
        Operand::None,
        ":reload",
        "loads the latest file again, in place of what it was",
    ),
    row(
        "save",
        None,
        Operand::File,
        ":save [--fixed] FILE",
        "writes the inputs as a program, with comments on what was chosen, or with --fixed the chosen values in place \
         of the choices; `:save!` overwrites a file",
    ),
    row(
        "png",
        None,
        Operand::File,
        ":png FILE",
        "writes the latest picture",
    ),
    row(
        "size",
        None,
        Operand::Number,
        ":size [N]",
        "shows pictures with N characters for a cell, 0 for as large as the window allows; without N the latest again",
    ),
    row(
        "seed",
        None,
        Operand::Number,
        ":seed [N]",
        "shows the seed, or sets it",
    ),
    row(
        "time",
        None,
        Operand::Input,
        ":time [CODE]",
        "says how long a statement or an expression takes, or the latest input took",
    ),
    row(
        "stats",
        None,
        Operand::None,
        ":stats",
        "what the session has used so far",
    ),
    row(
        "clear",
        None,
        Operand::None,
        ":clear",
        "forgets all inputs (Ctrl-L clears the screen)",
    ),
    row("help", Some("h"), Operand::None, ":help", "this list"),
    row(
        "quit",
        Some("q"),
        Operand::None,
        ":quit",
        "leaves, as Ctrl-D does",
    ),
];

/// Whether a line is meant as a command.
pub fn is_command(line: &str) -> bool {
    line.trim_start().starts_with(':')
}

/// Reads a command.
///
/// # Errors
/// In words, with a hint on a second line: an unknown name, or a wrong operand.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim().trim_start_matches(':').trim_start();
    let (name, operand) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (name, over) = name
        .strip_suffix('!')
        .map_or((name, false), |name| (name, true));
    let operand = operand.trim();
    let Some(row) = COMMANDS
        .iter()
        .find(|row| row.name == name || row.short == Some(name))
    else {
        let names = COMMANDS.iter().map(|row| row.name);
        let hint = match nearest(name, names) {
            Some(close) => format!("did you mean `:{close}`? `:help` lists them all"),
            None => "`:help` lists them all".to_string(),
        };
        return Err(format!("there is no command `:{name}`\n{hint}"));
    };
    if over && row.name != "save" {
        return Err(format!(
            "there is no command `:{name}!`\nonly `:save!` is written like that"
        ));
    }
    let usage = || format!("it is used as `{}`", row.usage);
    let given = (!operand.is_empty()).then(|| operand.to_string());
    let number = || match &given {
        None => Ok(None),
        Some(text) => match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!(
                "`:{}` wants a number, not `{text}`\n{}",
                row.name,
                usage()
            )),
        },
    };
    let file = || match &given {
        Some(path) => Ok(unquoted(path).to_string()),
        None => Err(format!(
            "`:{}` wants the name of a file\n{}",
            row.name,
            usage()
        )),
    };
    if row.operand == Operand::None && given.is_some() {
        return Err(format!("`:{}` takes no argument\n{}", row.name, usage()));
    }
    Ok(match row.name {
        "next" => Command::Next,
        "all" => Command::All(number()?),
        "undo" => Command::Undo,
        "choices" => Command::Choices,
        "commit" => Command::Commit,
        "trace" => Command::Trace,
        "tree" => Command::Tree,
        "why" => match given {
            Some(place) => Command::Why(place),
            None => return Err(format!("`:why` wants a place\n{}", usage())),
        },
        "back" => Command::Back(number()?),
        "vars" => Command::Vars,
        "doc" => Command::Doc(given),
        "load" => Command::Load(file()?),
        "reload" => Command::Reload,
        "save" => {
            let file = file()?;
            // A name that begins with `--` stands in quotes.
            let word = given
                .as_deref()
                .unwrap_or_default()
                .split_whitespace()
                .next()
                .unwrap_or_default();
            match word {
                "--fixed" => match file.strip_prefix(word).map(str::trim) {
                    Some(file) if !file.is_empty() => {
                        Command::Save(SaveHow { over, fixed: true }, unquoted(file).to_string())
                    }
                    _ => return Err(format!("`:save` wants the name of a file\n{}", usage())),
                },
                other if other.starts_with("--") => {
                    return Err(format!("`:save` has no option `{other}`\n{}", usage()));
                }
                _ => Command::Save(SaveHow { over, fixed: false }, file),
            }
        }
        "png" => Command::Png(file()?),
        "size" => Command::Size(number()?),
        "seed" => Command::Seed(number()?),
        "time" => Command::Time(given),
        "stats" => Command::Stats,
        "clear" => Command::Clear,
        "quit" => Command::Quit,
        _ => Command::Help,
    })
}

/// A file name may be quoted, as in a shell.
fn unquoted(path: &str) -> &str {
    let inner = |quote: char| {
        path.strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
    };
    inner('"').or_else(|| inner('\'')).unwrap_or(path)
}

/// Whether the text looks like a command in the syntax of other tools: `help`, `/help`, `quit()`.
pub fn is_meant(text: &str) -> bool {
    let text = text.trim().trim_end_matches(';').trim_end_matches("()");
    let bare = text.trim_start_matches(['/', '\\', '.']);
    let word = bare.split_whitespace().next().unwrap_or_default();
    let is_command = COMMANDS
        .iter()
        .any(|row| row.name == word || row.short == Some(word));
    matches!(text, "help" | "quit" | "exit" | "?" | "q")
        || bare.len() < text.len() && (is_command || word == "exit")
}

/// The list of commands, for windows of this many columns.
pub fn help(columns: usize) -> String {
    let about = "Statements and expressions are inputs; choices stay open from one to the next, and `fail;` goes back \
                 into earlier ones. An expression without `;` shows its value.";
    let mut text = format!("{}\n\n", wrap(about, columns.min(84), 0));
    for row in COMMANDS {
        let usage = match row.short {
            Some(short) => format!("{} (:{short})", row.usage),
            None => row.usage.to_string(),
        };
        text.push_str(&match columns {
            0..72 => format!(
                "  {usage}\n{}\n",
                wrap(&format!("      {}", row.help), columns, 6)
            ),
            _ => format!(
                "{}\n",
                wrap(&format!("  {usage:<16}  {}", row.help), columns, 20)
            ),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_help_is_known() {
        for row in COMMANDS {
            let operand = match row.operand {
                Operand::None => "",
                Operand::Number => " 3",
                _ => " name",
            };
            for name in std::iter::once(row.name).chain(row.short) {
                let command = parse(&format!(":{name}{operand}")).unwrap();
                assert_eq!(command == Command::Help, row.name == "help", "{name}");
            }
            assert!(row.usage.starts_with(&format!(":{}", row.name)));
        }
    }

    #[test]
    fn commands_of_other_programs_are_known() {
        for meant in [
            "help",
            "/help",
            "\\help",
            "quit()",
            "exit();",
            " ? ",
            "/load a.nds",
            ".exit",
            "/q",
            "help;",
        ] {
            assert!(is_meant(meant), "{meant}");
        }
        for other in ["load", "next", "/x/", "helper", "fail;", "", "/", "quit(1)"] {
            assert!(!is_meant(other), "{other}");
        }
    }

    #[test]
    fn the_help_fits_its_window() {
        for columns in [30, 40, 71, 72, 80, usize::MAX] {
            let text = help(columns);
            assert!(
                text.lines().all(|line| line.chars().count() <= columns),
                "{text}"
            );
            assert!(
                COMMANDS.iter().all(|row| text.contains(row.usage)),
                "{text}"
            );
        }
    }

    #[test]
    fn commands_have_operands() {
        assert_eq!(parse(":all"), Ok(Command::All(None)));
        assert_eq!(parse(" : all  7 "), Ok(Command::All(Some(7))));
        assert_eq!(
            parse(":load \"a b.nds\""),
            Ok(Command::Load("a b.nds".into()))
        );
        assert_eq!(
            parse(":save a.nds"),
            Ok(Command::Save(SaveHow::default(), "a.nds".into()))
        );
        let all = SaveHow {
            over: true,
            fixed: true,
        };
        assert_eq!(
            parse(":save! --fixed 'a b.nds'"),
            Ok(Command::Save(all, "a b.nds".into()))
        );
        assert_eq!(
            parse(":save '--fixd a'"),
            Ok(Command::Save(SaveHow::default(), "--fixd a".into()))
        );
        assert_eq!(
            parse(":time 1 + 1;"),
            Ok(Command::Time(Some("1 + 1;".into())))
        );
        for wrong in [
            ":all x",
            ":load",
            ":next 3",
            ":nxt",
            ":",
            ":frobnicate",
            ":seed -1",
            ":load! a",
            ":save --fixed",
            ":save --fixd a",
            ":save --fixeda",
        ] {
            let why = parse(wrong).unwrap_err();
            assert_eq!(why.lines().count(), 2, "{why}");
        }
        assert!(parse(":nxt").unwrap_err().contains("`:next`"));
    }
}
