//! The files in which input history is stored.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The file of a history: what `NDSCRIPT_HISTORY` names (empty, or a device: none), or else a file among the person's own state. Histories
/// that are not that of inputs have another ending each.
pub fn file(ending: &str) -> Option<PathBuf> {
    file_by(&|name| env::var_os(name))
        .filter(|file| keeps(file))
        .map(|file| {
            let mut file = file.into_os_string();
            file.push(ending);
            file.into()
        })
}

/// A device or a pipe stores nothing, and no file can lie beside it.
fn keeps(file: &Path) -> bool {
    file.metadata()
        .map_or(true, |about| about.is_file() || about.is_dir())
}

fn file_by(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| {
        variable(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(named) = variable("NDSCRIPT_HISTORY") {
        return (!named.is_empty()).then(|| named.into());
    }
    let absolute = |path: &PathBuf| path.is_absolute();
    let state = set("XDG_STATE_HOME").filter(absolute);
    let state = state.or_else(|| set("HOME").map(|home| home.join(".local").join("state")));
    let state = state.or_else(|| set("LOCALAPPDATA"));
    state.map(|folder| folder.join("ndscript").join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_where() {
        let file = |set: &[(&str, &str)]| {
            let found = file_by(&|name| {
                set.iter()
                    .find(|(other, _)| *other == name)
                    .map(|(_, value)| value.into())
            });
            found.map(|path| path.to_string_lossy().replace('\\', "/"))
        };
        let home = ("HOME", "/home/ann");
        assert_eq!(
            file(&[home]).as_deref(),
            Some("/home/ann/.local/state/ndscript/history")
        );
        assert_eq!(
            file(&[home, ("XDG_STATE_HOME", "/s")]).as_deref(),
            Some("/s/ndscript/history")
        );
        assert_eq!(
            file(&[home, ("XDG_STATE_HOME", "s")]).as_deref(),
            Some("/home/ann/.local/state/ndscript/history")
        );
        assert_eq!(
            file(&[home, ("NDSCRIPT_HISTORY", "h")]).as_deref(),
            Some("h")
        );
        assert_eq!(file(&[home, ("NDSCRIPT_HISTORY", "")]), None);
        assert_eq!(file(&[]), None);
    }

    #[cfg(unix)]
    #[test]
    fn devices_keep_nothing() {
        assert!(
            !keeps(Path::new("/dev/null"))
                && keeps(Path::new("/dev/no such file"))
                && keeps(Path::new("Cargo.toml"))
        );
    }
}
