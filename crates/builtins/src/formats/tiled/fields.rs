//! The fields of a tag in a .tmx file, or of an object in Tiled's JSON.

/// Names with their values, as text.
#[derive(Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    pub fn new(fields: impl IntoIterator<Item = (String, String)>) -> Fields {
        Fields(fields.into_iter().collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| &**value)
    }

    /// A text; empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// A number; 0 where there is none.
    pub fn number<T: std::str::FromStr + Default>(&self, name: &str) -> T {
        self.get(name)
            .and_then(|value| value.parse().ok())
            .unwrap_or_default()
    }

    /// Tiled has used two names for this field.
    pub fn class(&self) -> &str {
        let class = self.get("type").filter(|class| !class.is_empty());
        class.unwrap_or_else(|| self.text("class"))
    }
}
