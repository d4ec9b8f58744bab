//! A line of text that is being typed.

/// The text and the cursor in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedLine {
    characters: Vec<char>,
    /// The number of characters before the cursor.
    cursor: usize,
}

impl TypedLine {
    /// A line with the cursor at its end.
    pub fn new(text: &str) -> TypedLine {
        let characters: Vec<char> = text.chars().collect();
        TypedLine {
            cursor: characters.len(),
            characters,
        }
    }

    pub fn text(&self) -> String {
        self.characters.iter().collect()
    }

    /// The texts before and after the cursor.
    pub fn parts(&self) -> (String, String) {
        let (before, after) = self.characters.split_at(self.cursor);
        (before.iter().collect(), after.iter().collect())
    }

    pub fn insert(&mut self, character: char) {
        self.characters.insert(self.cursor, character);
        self.cursor += 1;
    }

    pub fn delete_before(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.characters.remove(self.cursor);
        }
    }

    pub fn delete_forward(&mut self) {
        if self.cursor < self.characters.len() {
            self.characters.remove(self.cursor);
        }
    }

    pub fn left(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    pub fn right(&mut self) {
        self.cursor = (self.cursor + 1).min(self.characters.len());
    }

    pub fn home(&mut self) {
        self.cursor = 0;
    }

    pub fn end(&mut self) {
        self.cursor = self.characters.len();
    }

    pub fn clear(&mut self) {
        *self = TypedLine::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_edited_at_its_cursor() {
        let mut line = TypedLine::new("aöc");
        line.left();
        line.insert('b');
        assert_eq!(line.parts(), ("aöb".to_string(), "c".to_string()));
        line.home();
        line.delete_before();
        line.delete_forward();
        line.right();
        line.delete_before();
        assert_eq!(
            (line.text(), line.parts().0),
            ("bc".to_string(), String::new())
        );
        line.end();
        line.delete_forward();
        line.right();
        line.delete_before();
        assert_eq!(line.text(), "b");
        line.clear();
        line.left();
        assert_eq!(line, TypedLine::default());
    }
}
