//! Every built-in's example does what its row says.

use ndscript::{Engine, Outcome, reference};

const MARK: char = '\u{1}';

#[test]
fn every_example_gives_what_its_row_says() {
    let mut wrong = Vec::new();
    for entry in reference::entries() {
        assert!(
            !entry.doc.is_empty() && !entry.example.is_empty(),
            "{} has no doc or example",
            entry.name
        );
        // What a built-in prints itself stands before the mark, the value of the example behind it.
        let text = format!("\n{}", entry.program());
        let (statements, value) = text
            .rsplit_once("\nprint(")
            .unwrap_or_else(|| panic!("{}: {text}", entry.name));
        let text = format!("{statements}\nprint(\"{MARK}\", {value}");
        let program = Engine::new()
            .compile(&text)
            .unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        let mut run = program.run(1);
        let found = loop {
            match run.resume(u64::MAX) {
                Outcome::Solved(solution) => break solution.text,
                Outcome::Asked(question) => match question.options {
                    Some(_) => assert!(run.answer(0)),
                    None => assert!(run.answer_text("Ada")),
                },
                other => break format!("{other:?}"),
            }
        };
        if found.rsplit(MARK).next() != Some(entry.gives) || !found.contains(MARK) {
            wrong.push(format!(
                "{}: {:?} gives {found:?}, not {:?}",
                entry.name, entry.example, entry.gives
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_name_of_the_contract_is_there() {
    let contract = "print printLine debug toString toNumber typeOf copy deepCopy floor ceil round abs sign sqrt exp log \
        sin cos tan pow min max randomInt random isEmpty isSingleton sizeOf contains singletonValue toArray toSet map \
        filter reduce any all sum sorted reversed shuffled zip range push pop insert removeAt slice concat indexOf \
        join split chars lines substring replace trim upper lower startsWith endsWith repeat setOf union intersection \
        except symmetricDifference isSubset add remove relation leftImage rightImage inverse symmetricClosure compose \
        pairsOf domainOf rangeOf keysOf valuesOf has removeKey nonsingletonFieldsOf queue enqueue dequeue peek \
        priorityQueue position distance grid makeGrid gridFromText widthOf heightOf positionsOf inGrid rowOf columnOf \
        fill neighborsOf neighbors8Of nonsingletonPositionsOf trueIn printGrid printImage printTilemap \
        printTilesetMap printHeatmap ask input param chooseElement randomElement minBy maxBy firstVisit withRestarts allDifferent related \
        tuples adjacent pattern atLeast atMost exactly sumOf connected reachable constrain narrow undecided decide require once not solutions countSolutions cost \
        minimize error";
    for name in contract.split_whitespace() {
        assert!(reference::find(name).is_some(), "{name} is missing");
    }
}

#[test]
fn every_word_of_the_language_has_a_page_whose_example_runs() {
    for word in ndscript::reference::words() {
        assert!(
            !word.forms.is_empty() && word.doc.ends_with('.'),
            "{word:?}"
        );
        if word.example.is_empty() {
            continue;
        }
        let program = Engine::new()
            .compile(&word.program())
            .unwrap_or_else(|e| panic!("{:?}: {e}", word.names));
        let solution = program
            .run(1)
            .next()
            .unwrap_or_else(|| panic!("{:?}: no solution", word.names))
            .unwrap();
        assert_eq!(solution.text, word.gives, "{:?}", word.names);
    }
    let reserved = "var let const function deterministic if else while for foreach in break continue choose or fail \
                    return true false null import";
    for name in reserved.split_whitespace() {
        assert!(ndscript::reference::find_word(name).is_some(), "{name}");
        assert!(ndscript::reference::find(name).is_none(), "{name}");
    }
}
