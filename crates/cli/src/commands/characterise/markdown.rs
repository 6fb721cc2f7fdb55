//! The overview as a page of the documentation.

use bristle_rig::characterise::Characterisation;

use super::tables::{BEYOND, KEY, PRINTED, number_heads, numbers, verdicts};

const HEAD: &str = "# What the laws can and cannot do, measured

<!-- made by: cargo run --release -p bristle -- characterise --all --markdown docs/validation/characterisation.md -->

Every friction law of the catalogue on the virtual test bench, with the standard parameters: static
coefficient 0.15, kinetic 0.1, bristle stiffness 10⁴ 1/m, Stribeck velocity 1 mm/s where the law has
them, 10 N of normal force, a block of 1 kg. This page is made by

```sh
bristle characterise --all --markdown docs/validation/characterisation.md
```

and `bristle characterise LAW` shows the same for one law and any parameters.

## Verdicts
";

/// The page.
pub(super) fn page(reports: &[Characterisation]) -> String {
    let mut footnotes = Vec::new();
    let mut lines = vec![
        HEAD.to_owned(),
        format!("{KEY} What is printed for LuGre is compared with both of its forms.\n"),
    ];
    let (heads, rows) = verdicts(reports, &PRINTED, &mut footnotes);
    table(&mut lines, &heads, rows);
    lines.push("\nBeyond the printed table:\n".to_owned());
    let (heads, rows) = verdicts(reports, &BEYOND, &mut footnotes);
    table(&mut lines, &heads, rows);
    lines.push("\n## Where measurement and print differ\n".to_owned());
    let remark = |(i, text): (usize, &String)| format!("{}. {text}.", i + 1);
    lines.extend(footnotes.iter().enumerate().map(remark));
    lines.push("\n## Numbers\n".to_owned());
    let heads = number_heads(|column| column.long);
    table(&mut lines, &heads, numbers(reports, |_| true));
    lines.push("\n## Criteria\n".to_owned());
    for feature in reports.first().map_or(&[][..], |report| &report.features) {
        lines.push(format!(
            "- **{}**: yes if {}.",
            feature.title, feature.criterion
        ));
    }
    lines.push("\n## Remarks of the measurements\n".to_owned());
    for report in reports {
        for feature in report.features.iter().filter(|f| !f.note.is_empty()) {
            let title = feature.title;
            let note = feature.note.trim_end_matches('.');
            lines.push(format!("- `{}`, {title}: {note}.", report.law));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

fn table(lines: &mut Vec<String>, heads: &[&str], rows: Vec<Vec<String>>) {
    lines.push(format!("| {} |", heads.join(" | ")));
    lines.push(format!("|{}", "---|".repeat(heads.len())));
    for mut row in rows {
        if let Some(name) = row.first_mut() {
            *name = format!("`{name}`");
        }
        lines.push(format!("| {} |", row.join(" | ")));
    }
}
