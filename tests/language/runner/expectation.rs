//! The comments in a script that say what should happen.

/// Everything that a script says about itself.
#[derive(Debug, Default)]
pub struct Expectation {
    /// The lines of the first solution's text; of the unfinished branch if the script ends in an error or limit.
    pub text: Vec<String>,
    /// The text must be empty.
    pub no_text: bool,
    pub value: Option<String>,
    pub no_solution: bool,
    /// What the last failure said that said anything.
    pub message: Option<String>,
    pub error: Option<Mistake>,
    pub syntax_errors: Vec<Mistake>,
    /// `None`: no limit is expected; an empty name stands for any.
    pub limit: Option<String>,
    /// How many solutions are asked for; `usize::MAX` stands for all.
    pub solutions: Option<usize>,
    pub solution_list: Vec<String>,
    pub any_order: bool,
    pub pictures: Vec<String>,
    pub picture_places: Option<Vec<usize>>,
    /// The lines sent by `debug`.
    pub debug: Vec<String>,
    pub questions: Vec<String>,
    pub answers: Vec<String>,
    pub seeds: u64,
    pub params: Vec<(String, String)>,
    pub max_steps: Option<u64>,
    pub max_memory: Option<u64>,
}

/// An error that should happen.
#[derive(Debug)]
pub struct Mistake {
    /// What the message says, in any case of letters.
    pub part: String,
    /// The name of the `ErrorKind`; empty stands for any.
    pub kind: String,
    /// The line, where the comment stands behind code.
    pub line: Option<usize>,
}

const WORDS: [&str; 8] = [
    "expect",
    "kind:",
    "solutions:",
    "seeds:",
    "param:",
    "max-steps:",
    "max-memory:",
    "answer:",
];

/// Reads the comments of a script; `Err` tells what is wrong with them.
pub fn read(script: &str) -> Result<Expectation, String> {
    let mut expectation = Expectation {
        seeds: 1,
        ..Expectation::default()
    };
    let mut any = false;
    for (index, line) in script.lines().enumerate() {
        let Some((code, comment)) = find(line) else {
            continue;
        };
        let line = if code.trim().is_empty() {
            None
        } else {
            Some(index + 1)
        };
        any |= comment.starts_with("expect");
        read_one(&mut expectation, comment, line)
            .map_err(|problem| format!("line {}: {problem}", index + 1))?;
    }
    if any {
        Ok(expectation)
    } else {
        Err("the script says nothing about what to expect".into())
    }
}

/// The code of a line and the comment in it that is for us, if there is one.
fn find(line: &str) -> Option<(&str, &str)> {
    line.match_indices("// ")
        .map(|(at, _)| (&line[..at], &line[at + 3..]))
        .find(|(_, comment)| WORDS.iter().any(|word| comment.starts_with(word)))
}

fn read_one(
    expectation: &mut Expectation,
    comment: &str,
    line: Option<usize>,
) -> Result<(), String> {
    let (head, rest) = match comment.split_once(':') {
        Some((head, rest)) => (head, rest.strip_prefix(' ').unwrap_or(rest)),
        None => (
            comment.split(" // ").next().unwrap_or_default().trim_end(),
            "",
        ),
    };
    let (head, rest) = match head.split_once(" // kind") {
        Some((head, _)) => (
            head,
            comment.split_once(" // ").map_or("", |(_, kind)| kind),
        ),
        None => (head, rest),
    };
    let number = || {
        rest.trim()
            .parse::<u64>()
            .map_err(|_| format!("`{rest}` is no number"))
    };
    match head {
        "expect" => expectation.text.push(rest.to_string()),
        "expect no text" => expectation.no_text = true,
        "expect value" => expectation.value = Some(rest.to_string()),
        "expect no solution" => expectation.no_solution = true,
        "expect message" => expectation.message = Some(rest.to_string()),
        "expect error" => expectation.error = Some(mistake(rest, line)),
        "expect syntax error" => expectation.syntax_errors.push(mistake(rest, line)),
        "expect syntax error anywhere" => expectation.syntax_errors.push(mistake(rest, None)),
        "expect limit" => expectation.limit = Some(rest.trim().to_string()),
        "expect solution" => expectation.solution_list.push(rest.to_string()),
        "expect solution set" => expectation.any_order = true,
        "expect picture" => expectation.pictures.push(rest.to_string()),
        "expect picture places" => {
            let places = rest
                .split_whitespace()
                .map(str::parse)
                .collect::<Result<_, _>>();
            expectation.picture_places =
                Some(places.map_err(|_| "places are numbers".to_string())?);
        }
        "expect debug" => expectation.debug.push(rest.to_string()),
        "expect question" => expectation.questions.push(rest.trim_end().to_string()),
        "answer" => expectation.answers.push(rest.to_string()),
        "solutions" if rest.trim() == "all" => expectation.solutions = Some(usize::MAX),
        "solutions" => expectation.solutions = Some(number()? as usize),
        "seeds" => expectation.seeds = number()?,
        "max-steps" => expectation.max_steps = Some(number()?),
        "max-memory" => expectation.max_memory = Some(number()?),
        "param" => {
            let (name, value) = rest
                .split_once('=')
                .ok_or("a parameter is written `name=value`")?;
            expectation
                .params
                .push((name.to_string(), value.to_string()));
        }
        _ => return Err(format!("unknown expectation `{comment}`")),
    }
    Ok(())
}

/// `PART // kind: KIND`, both of which may be missing.
fn mistake(rest: &str, line: Option<usize>) -> Mistake {
    let (part, kind) = match rest.find("// kind:") {
        Some(at) => (&rest[..at], &rest[at + "// kind:".len()..]),
        None => (
            rest.strip_prefix("kind:").map_or(rest, |_| ""),
            rest.strip_prefix("kind:").unwrap_or_default(),
        ),
    };
    Mistake {
        part: part.trim().to_string(),
        kind: kind.trim().to_string(),
        line,
    }
}
