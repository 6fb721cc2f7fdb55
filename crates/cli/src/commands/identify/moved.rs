//! `identify --scenario` is `bristle calibrate`.

use std::path::Path;

use crate::args::IdentifyArguments;
use crate::commands::escape::shell_word;
use crate::commands::refuse;
use crate::exit::Exit;

/// Refuses, with the call that does it.
pub(super) fn to_calibrate(scenario: &Path, arguments: &IdentifyArguments) -> Exit {
    let a = arguments;
    let mut words = vec![
        "bristle calibrate".to_owned(),
        shell_word(&scenario.to_string_lossy()),
    ];
    words.extend(
        a.data
            .iter()
            .map(|path| shell_word(&path.to_string_lossy())),
    );
    let columns = &a.column_options;
    for (option, values) in [
        ("input", &a.input),
        ("output", &a.output),
        ("free", &a.free),
        ("start", &a.start),
        ("bound", &a.bound),
        ("set", &a.set),
        ("column", &columns.column),
        ("unit", &columns.unit),
        ("gain", &columns.gain),
    ] {
        let each = values
            .iter()
            .map(|value| format!("--{option} {}", shell_word(value)));
        words.extend(each);
    }
    for (option, value) in [("columns", &columns.columns), ("rate", &columns.rate)] {
        words.extend(
            value
                .iter()
                .map(|v| format!("--{option} {}", shell_word(v))),
        );
    }
    let to = &a.output_to;
    if let Some(folder) = &to.out {
        words.push(format!("--out {}", shell_word(&folder.to_string_lossy())));
    }
    for (option, given) in [
        ("no-plots", to.no_plots),
        ("pdf", to.pdf),
        ("png", to.png),
        ("report", to.report),
        ("json", to.json),
        ("quiet", to.quiet),
    ] {
        if given {
            words.push(format!("--{option}"));
        }
    }
    refuse(
        "identify fits laws; fields of a scenario are found by `bristle calibrate`",
        Some(words.join(" ")),
    )
}
