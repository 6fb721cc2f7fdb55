//! The name that was probably meant.

/// A name with hyphens turned into underscores: both spellings mean the same.
pub fn canonical(name: &str) -> String {
    name.replace('-', "_")
}

/// The candidate nearest to `name`, if it is near enough to be a slip of the pen: about one edit
/// in three characters. Case, hyphens and underscores do not count.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody mistypes a name of this length, and the distance costs its square.
    if name.len() > 64 {
        return None;
    }
    let plain = |text: &str| canonical(text).to_lowercase();
    let name = plain(name);
    candidates
        .into_iter()
        .map(|candidate| (distance(&name, &plain(candidate)), candidate))
        .filter(|(distance, candidate)| {
            *distance <= name.chars().count().max(candidate.len()).div_ceil(3).min(4)
                && *distance < name.chars().count().max(1)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `did you mean "NAME"?` for the nearest candidate, if there is one.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("did you mean \"{candidate}\"?"))
}

/// Insertions, deletions, replacements and swaps of neighbours between two texts (restricted
/// Damerau–Levenshtein distance).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_but_not_other_words() {
        let fields = ["mass", "joint", "bristle_stiffness", "position"];
        assert_eq!(nearest("mas", fields), Some("mass"));
        assert_eq!(nearest("jiont", fields), Some("joint"));
        assert_eq!(
            nearest("Bristle-Stifness", fields),
            Some("bristle_stiffness")
        );
        assert_eq!(nearest("velocity", fields), None);
        assert_eq!(nearest("", fields), None);
        assert_eq!(nearest(&"m".repeat(1_000_000), fields), None);
    }

    #[test]
    fn distance_of_known_pairs() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
