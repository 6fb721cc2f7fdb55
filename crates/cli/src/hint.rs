//! Words that other programs have for what a command does.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// What people type, and what does it here.
const WORDS: &[(&[&str], &str)] = &[
    (
        &[
            "simulate",
            "sim",
            "solve",
            "integrate",
            "exec",
            "execute",
            "start",
            "dynamics",
            "transient",
        ],
        "'bristle run SCENARIO.toml' simulates",
    ),
    (
        &["fit", "estimate", "identification", "regress", "sysid"],
        "'bristle identify DATA.csv --law LAW' fits a law to measurements, 'bristle calibrate SCENARIO.toml \
         DATA.csv' fields of a scenario",
    ),
    (
        &["calibration", "tune", "match"],
        "'bristle calibrate SCENARIO.toml DATA.csv' finds fields of a scenario in measurements, 'bristle \
         identify DATA.csv --law LAW' the parameters of a law",
    ),
    (
        &[
            "plot",
            "plots",
            "draw",
            "view",
            "show",
            "open",
            "gui",
            "postprocess",
        ],
        "'bristle run' draws plots into its folder, those of [plot.NAME] too; 'bristle report RUN_DIR' makes \
         one page of them with an animation",
    ),
    (
        &["animate", "animation", "video", "movie", "gif"],
        "'bristle report RUN_DIR' makes a page with an animation; with --gif FILE.gif or --strip FILE.svg it \
         writes the motion as a picture",
    ),
    (
        &[
            "optimize",
            "optimise",
            "optimization",
            "optimisation",
            "minimize",
            "minimise",
        ],
        "'bristle response SCENARIO.toml --optimise PATH=FROM:TO' finds the value with the lowest peak, \
         'bristle calibrate' fits fields to measurements, 'bristle sweep' runs combinations",
    ),
    (
        &[
            "scan",
            "study",
            "doe",
            "montecarlo",
            "monte-carlo",
            "vary",
            "parametric",
            "batch",
            "grid",
            "sample",
        ],
        "'bristle sweep SCENARIO.toml' runs combinations (--vary), tables (--cases) and samples (--sample)",
    ),
    (
        &[
            "gradient",
            "gradients",
            "derivatives",
            "sensitivities",
            "adjoint",
        ],
        "'bristle sensitivity SCENARIO.toml' ranks the numbers of a scenario by their effect",
    ),
    (
        &["validate", "lint", "verify", "parse"],
        "'bristle check SCENARIO.toml' validates without running; 'bristle run --verify' compares with a \
         finer run",
    ),
    (
        &[
            "modal",
            "eigen",
            "eigenvalues",
            "eigenfrequencies",
            "frequencies",
            "linearize",
            "linearise",
        ],
        "'bristle modes SCENARIO.toml' gives frequencies, damping ratios and shapes",
    ),
    (
        &[
            "frf",
            "hbm",
            "harmonic",
            "frequency",
            "frequency-response",
            "harmonic-balance",
        ],
        "'bristle response SCENARIO.toml' follows the steady motion under harmonic loads",
    ),
    (
        &[
            "test",
            "bench",
            "testbench",
            "characterize",
            "characterization",
            "characterisation",
        ],
        "'bristle characterise LAW' puts a law on the test bench",
    ),
    (
        &["evaluate", "eval", "force", "apply"],
        "'bristle drive MOTION.csv --law LAW' gives the force of a law for a motion",
    ),
    (
        &["law", "models", "model", "catalogue", "catalog"],
        "'bristle laws' lists the laws, 'bristle laws LAW' shows one",
    ),
    (
        &[
            "new",
            "init",
            "create",
            "template",
            "templates",
            "example",
            "demo",
            "demos",
            "list",
            "tutorial",
        ],
        "'bristle examples' lists scenarios to start from, 'bristle examples NAME --out .' copies one",
    ),
    (
        &["export", "cosimulation", "co-simulation"],
        "'bristle fmu LAW' or 'bristle fmu SCENARIO.toml' makes an FMU",
    ),
    (
        &["convert", "urdf", "mjcf"],
        "'bristle import MODEL.urdf' makes a scenario of a robot model (URDF or MJCF)",
    ),
    (
        &["doc", "docs", "documentation", "manual"],
        "'bristle man' prints the manual page, 'bristle COMMAND --help' the help of a command",
    ),
    (
        &["feedforward", "compensate", "compensation"],
        "'bristle identify DATA.csv --law LAW --out DIR' writes a feedforward function in C, Python, MATLAB and \
         Structured Text, from a fit",
    ),
    (&["version"], "'bristle --version' prints the version"),
];

/// Adds to the refusal of an unknown command what does here what the word says.
pub(crate) fn add(mut error: Error) -> Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let word = word.to_lowercase();
    let known = |(words, _): &&(&[&str], &str)| words.contains(&word.as_str());
    if let Some((_, text)) = WORDS.iter().find(known) {
        // a word that is spelt alike would be a second answer
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = ContextValue::StyledStrs(vec![(*text).into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::WORDS;
    use crate::args::Arguments;

    #[test]
    fn every_word_stands_once_is_no_command_and_leads_to_one() {
        let command = Arguments::command();
        let commands: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        let mut seen = Vec::new();
        for (words, text) in WORDS {
            for word in *words {
                assert!(!commands.contains(word) && !seen.contains(word), "{word}");
                seen.push(*word);
            }
            for part in text.split("'bristle ").skip(1) {
                let name = part.split([' ', '\'']).next().unwrap_or_default();
                let known = commands.contains(&name) || ["--version", "COMMAND"].contains(&name);
                assert!(known, "{text}: {name}");
            }
        }
    }
}
