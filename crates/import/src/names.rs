//! Names as a scenario allows them.

use std::collections::BTreeSet;

/// Gives names of a file the form that a scenario allows, each of them once.
#[derive(Debug, Default)]
pub(crate) struct NameMap {
    taken: BTreeSet<String>,
}

impl NameMap {
    /// The name with letters, digits, `_` and `-` only; a number behind it where it is taken.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let clean: String = name
            .trim()
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let clean = match clean.as_str() {
            "" => "unnamed".to_owned(),
            // the world of a scenario
            "ground" => "ground_link".to_owned(),
            _ => clean,
        };
        let mut unique = clean.clone();
        let mut count = 2;
        while !self.taken.insert(Self::alike(&unique)) {
            unique = format!("{clean}_{count}");
            count += 1;
        }
        unique
    }

    /// A scenario takes hyphens and underscores for the same.
    fn alike(name: &str) -> String {
        name.replace('-', "_").to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::NameMap;

    #[test]
    fn names_get_a_form_that_a_scenario_allows_and_stay_apart() {
        let mut names = NameMap::default();
        assert_eq!(names.take("link 1.0"), "link_1_0");
        assert_eq!(names.take("link-1-0"), "link-1-0_2");
        assert_eq!(names.take("ground"), "ground_link");
        assert_eq!(names.take(""), "unnamed");
    }
}
