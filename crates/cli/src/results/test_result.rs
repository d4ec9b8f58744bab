//! The results of tests, for people and as JSON.

use std::sync::Arc;
use std::time::Duration;

use ndscript::counted::counted;
use serde_json::{Value, json};

use super::finding::{Finding, Region};

/// A file whose tests were to be run.
pub struct TestFile {
    pub name: String,
    pub state: FileState,
}

pub enum FileState {
    Tested(Vec<TestResult>),
    /// It could not be tested, and why.
    Broken(Vec<Finding>),
}

/// The result of a test.
pub struct TestResult {
    pub file: String,
    pub name: String,
    /// The place of its name.
    pub region: Option<Region>,
    /// The number of seeds to run it with.
    pub seeds: u64,
    pub time: Duration,
    /// The failure with the first seed for which the test failed.
    pub failure: Option<TestFailure>,
}

pub struct TestFailure {
    pub seed: u64,
    pub words: String,
    /// The error that it made, if it made one.
    pub error: Option<Arc<Finding>>,
}

impl TestResult {
    /// As people read it.
    pub fn words(&self) -> String {
        let TestResult { name, seeds, .. } = self;
        match &self.failure {
            None => {
                let (seeds, seconds) = (counted(*seeds, "seed"), self.time.as_secs_f64());
                format!("  ok    {name}   {seeds}, {seconds:.2} s\n")
            }
            Some(TestFailure { seed, words, .. }) => {
                let lines: String = words
                    .lines()
                    .map(|line| format!("        {line}\n"))
                    .collect();
                format!("  FAIL  {name}   seed {seed}\n{lines}")
            }
        }
    }

    pub fn to_json(&self) -> Value {
        let mut json = json!({"event": "test", "file": self.file, "name": self.name});
        if let Some(region) = &self.region {
            json["line"] = json!(region.line);
            json["column"] = json!(region.column);
        }
        json["seconds"] = json!(self.time.as_secs_f64());
        match &self.failure {
            None => {
                json["result"] = json!("passed");
                json["seeds"] = json!(self.seeds);
            }
            Some(failure) => {
                json["result"] = json!("failed");
                json["seed"] = json!(failure.seed);
                json["message"] = json!(failure.words);
                if let Some(error) = &failure.error {
                    json["error"] = error.to_json(&self.file);
                }
            }
        }
        json
    }
}

impl TestFile {
    /// The findings in a file that could not be tested.
    pub fn to_json(&self) -> Value {
        let findings = match &self.state {
            FileState::Tested(_) => &[][..],
            FileState::Broken(findings) => findings,
        };
        let errors: Vec<Value> = findings
            .iter()
            .map(|finding| finding.to_json(&self.name))
            .collect();
        json!({"event": "file", "file": self.name, "result": "error", "errors": errors})
    }
}

/// The totals.
pub struct Total {
    pub passed: u64,
    pub failed: u64,
    /// Files that could not be tested.
    pub broken: u64,
}

impl Total {
    /// Counts the tests of all files.
    pub fn of(files: &[TestFile]) -> Total {
        let mut total = Total {
            passed: 0,
            failed: 0,
            broken: 0,
        };
        for file in files {
            match &file.state {
                FileState::Tested(results) => {
                    for result in results {
                        match result.failure {
                            None => total.passed += 1,
                            Some(_) => total.failed += 1,
                        }
                    }
                }
                FileState::Broken(_) => total.broken += 1,
            }
        }
        total
    }

    pub fn words(&self) -> String {
        let files = match self.broken {
            0 => String::new(),
            broken => format!(", {} could not be tested", counted(broken, "file")),
        };
        let tests = counted(self.passed + self.failed, "test");
        format!("{} of {tests} passed{files}\n", self.passed)
    }

    pub fn to_json(&self) -> Value {
        let Total {
            passed,
            failed,
            broken,
        } = self;
        json!({"event": "end", "passed": passed, "failed": failed, "brokenFiles": broken})
    }
}
