//! Results of tests as JUnit's XML: a suite for each file, a case for each test. A file that could not be tested is a
//! case with an error, so that no server takes it for one without tests.

use std::fmt::Write as _;
use std::time::Duration;

use ndscript::markup::{attribute, text};

use super::finding::Finding;
use super::test_result::{FileState, TestFile, TestResult};

/// The document for all files.
pub fn document(files: &[TestFile]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for file in files {
        match &file.state {
            FileState::Tested(results) => suite(&mut out, &file.name, results),
            FileState::Broken(findings) => broken(&mut out, &file.name, findings),
        }
    }
    out.push_str("</testsuites>\n");
    out
}

/// Writes the tests of a file.
fn suite(out: &mut String, file: &str, results: &[TestResult]) {
    let failures = results
        .iter()
        .filter(|result| result.failure.is_some())
        .count();
    // Without results the sum of seconds would be -0.
    let time: Duration = results.iter().map(|result| result.time).sum();
    let seconds = time.as_secs_f64();
    let name = attribute(file);
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" time=\"{seconds:.3}\">",
        results.len()
    );
    for result in results {
        let line = result
            .region
            .as_ref()
            .map_or_else(String::new, |region| format!(" line=\"{}\"", region.line));
        let _ = write!(
            out,
            "    <testcase classname=\"{name}\" name=\"{}\" file=\"{name}\"{line} time=\"{:.3}\"",
            attribute(&result.name),
            result.time.as_secs_f64()
        );
        let Some(failure) = &result.failure else {
            out.push_str("/>\n");
            continue;
        };
        let message = format!(
            "seed {}: {}",
            failure.seed,
            failure.words.lines().next().unwrap_or_default()
        );
        let _ = write!(
            out,
            ">\n      <failure type=\"failure\" message=\"{}\">{}</failure>\n    </testcase>\n",
            attribute(&message),
            text(&failure.words)
        );
    }
    out.push_str("  </testsuite>\n");
}

/// Writes a file that could not be tested.
fn broken(out: &mut String, file: &str, findings: &[Finding]) {
    let name = attribute(file);
    let _ = write!(
        out,
        "  <testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\" time=\"0.000\">\n    <testcase \
         classname=\"{name}\" name=\"(the file)\" file=\"{name}\" time=\"0.000\">\n"
    );
    let words: Vec<String> = findings
        .iter()
        .map(|finding| match &finding.region {
            Some(region) => format!(
                "{}:{}:{}: {}",
                region.file,
                region.line,
                region.column,
                finding.words()
            ),
            None => finding.words(),
        })
        .collect();
    let _ = write!(
        out,
        "      <error type=\"error\" message=\"it cannot be tested\">{}</error>\n    </testcase>\n  </testsuite>\n",
        text(&words.join("\n"))
    );
}

#[cfg(test)]
mod tests {
    use super::document;
    use crate::results::test_result::{FileState, TestFile};

    #[test]
    fn a_file_without_tests_takes_no_time() {
        let file = TestFile {
            name: "a.nds".to_string(),
            state: FileState::Tested(Vec::new()),
        };
        assert!(
            document(&[file]).contains(" tests=\"0\" failures=\"0\" errors=\"0\" time=\"0.000\">")
        );
    }
}
