//! The name that was probably meant.

// Insertions, deletions, replacements and swaps of neighbours (restricted Damerau–Levenshtein).
use strsim::osa_distance as distance;

/// A name with hyphens turned into underscores: both spellings mean the same.
pub fn canonical(name: &str) -> String {
    name.replace('-', "_")
}

/// Whether two names are the same, however they are spelt.
pub fn is_same_name(a: &str, b: &str) -> bool {
    let plain = |byte: u8| if byte == b'-' { b'_' } else { byte };
    a.len() == b.len() && a.bytes().map(plain).eq(b.bytes().map(plain))
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

/// `did you mean "NAME"?` for the nearest candidate, or for those of which the name is a part
/// (`simpack`) or which are a part of it (`modified_lugre`), if they are few.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let meant = match nearest(name, candidates.iter().copied()) {
        Some(nearest) => vec![nearest],
        None => kindred(name, &candidates),
    };
    let quoted: Vec<String> = meant.iter().map(|name| format!("\"{name}\"")).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}

/// Shorter texts are a part of too many names.
const PART: usize = 4;
/// More names than this are no help.
const FEW: usize = 4;

/// The candidates that hold the name or are held by it; none if there are many.
fn kindred<'a>(name: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    let name = canonical(name).to_lowercase();
    let holds = |whole: &str, part: &str| part.len() >= PART && whole.contains(part);
    let own = |candidate: &&&str| {
        let candidate = canonical(candidate).to_lowercase();
        holds(&candidate, &name) || holds(&name, &candidate)
    };
    let found: Vec<&str> = candidates.iter().filter(own).copied().collect();
    if found.len() > FEW { Vec::new() } else { found }
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
    fn a_part_of_a_name_leads_to_the_names_that_have_it() {
        let laws = ["simpack_regularised", "simpack_stick_slip", "lugre", "gms"];
        assert_eq!(
            did_you_mean("Simpack", laws).unwrap(),
            "did you mean \"simpack_regularised\" or \"simpack_stick_slip\"?"
        );
        assert_eq!(
            did_you_mean("modified-lugre", laws).unwrap(),
            "did you mean \"lugre\"?"
        );
        assert_eq!(did_you_mean("gms_of_al_bender", laws), None);
        assert_eq!(did_you_mean("s_", laws), None);
        let many = [
            "of_a_name",
            "of_b_name",
            "of_c_name",
            "of_d_name",
            "of_e_name",
        ];
        assert_eq!(did_you_mean("name", many), None);
    }

    #[test]
    fn distance_of_known_pairs() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
