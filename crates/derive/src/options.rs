//! What `#[nds(...)]` says.

use syn::{Attribute, LitStr, Result};

use super::names::camel;

/// The options of a type, a field or a variant.
#[derive(Default)]
pub struct Options {
    pub name: Option<String>,
    /// A missing field gets the default of its type.
    pub default: bool,
    /// The field can be read by scripts.
    pub get: bool,
    /// The field can be assigned by scripts.
    pub set: bool,
}

impl Options {
    /// Reads the options that may stand there.
    pub fn of(attributes: &[Attribute], allowed: &[&str]) -> Result<Options> {
        let mut options = Options::default();
        for attribute in attributes.iter().filter(|each| each.path().is_ident("nds")) {
            attribute.parse_nested_meta(|meta| {
                let word = meta.path.get_ident().map(ToString::to_string);
                let word = word.unwrap_or_default();
                if !allowed.contains(&&*word) {
                    let known = allowed.join("`, `");
                    return Err(meta.error(format!("here `nds` knows: `{known}`")));
                }
                match &*word {
                    "name" => options.name = Some(meta.value()?.parse::<LitStr>()?.value()),
                    "default" => options.default = true,
                    "get" => options.get = true,
                    _ => {
                        options.get = true;
                        options.set = true;
                    }
                }
                Ok(())
            })?;
        }
        Ok(options)
    }

    /// The name for scripts.
    pub fn name_of(&self, ident: &dyn ToString) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| camel(&ident.to_string()))
    }
}
