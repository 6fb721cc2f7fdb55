//! Texts of cards as Markdown: symbols are set as in equations, signs of Markdown stay signs.

/// Letters that a symbol may be named by, with a subscript or without.
const GREEK: [&str; 16] = [
    "alpha", "beta", "gamma", "delta", "eps", "eta", "theta", "lambda", "mu", "xi", "rho", "sigma",
    "tau", "phi", "psi", "omega",
];

/// The TeX of a symbol such as `sigma_0`, `v_s` or `K`; `None` for a word.
pub(super) fn tex(symbol: &str) -> Option<String> {
    let (base, below) = symbol.split_once('_').unwrap_or((symbol, ""));
    let base = match base {
        // the width of a dead zone, which code writes in one word
        "Dv" => return Some("D_v".to_owned()),
        "eps" => r"\varepsilon".to_owned(),
        greek if GREEK.contains(&greek) => format!("\\{greek}"),
        letter if letter.len() == 1 => letter.to_owned(),
        _ => return None,
    };
    Some(match below {
        "" => base,
        "inf" => format!("{base}_\\infty"),
        below if below.len() == 1 => format!("{base}_{below}"),
        below if below.len() <= 3 => format!("{base}_{{{below}}}"),
        _ => return None,
    })
}

/// A text of a card with its symbols in TeX. A single letter alone stays a letter.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(start) = rest.find(is_part) {
        out.push_str(&plain(&rest[..start]));
        let length = rest[start..].find(|c| !is_part(c));
        let end = length.map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        match tex(word).filter(|_| word.len() > 1) {
            Some(tex) => out.extend(["$", &tex, "$"]),
            None => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out.push_str(&plain(rest));
    out
}

/// Text that Markdown must not take for its own, in paragraphs and in cells of tables.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace("<=", "≤").replace(">=", "≥");
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '*' | '|' | '~' | '\\' | '`' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{plain, prose, tex};

    #[test]
    fn signs_of_markdown_are_escaped() {
        assert_eq!(plain("|v| < a*b >= 0"), r"\|v\| &lt; a\*b ≥ 0");
    }

    #[test]
    fn symbols_are_set_and_words_stay() {
        assert_eq!(tex("sigma_0").as_deref(), Some(r"\sigma_0"));
        assert_eq!(tex("z_ba").as_deref(), Some("z_{ba}"));
        assert_eq!(tex("s_inf").as_deref(), Some(r"s_\infty"));
        assert_eq!(tex("eps_f").as_deref(), Some(r"\varepsilon_f"));
        assert_eq!(tex("K").as_deref(), Some("K"));
        assert_eq!((tex("stribeck"), tex("transition_rate")), (None, None));
        assert_eq!(
            prose("z lags by g/sigma_0 (use coulomb_tanh), alpha < 1"),
            r"z lags by g/$\sigma_0$ (use coulomb_tanh), $\alpha$ &lt; 1"
        );
    }
}
