//! From a report to one HTML text.

use std::collections::BTreeSet;

use bristle_results::Summary;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;
use serde_json::{Value, json};

use crate::block::{Band, Fact, PageNotice, TimelineRow, Tone};
use crate::chart::{Chart, Shared};
use crate::error::Result;
use crate::grid::ShownGrid;
use crate::report::{Channels, Report, SectionContent};
use crate::scene::Scene;
use crate::series::{ColumnLabel, Store};

const TEMPLATE: &str = include_str!("../assets/page.html");
const STYLE: &str = concat!(
    include_str!("../assets/vendor/uPlot.min.css"),
    include_str!("../assets/style.css"),
    include_str!("../assets/parts.css"),
);
pub(crate) const UPLOT: &str = include_str!("../assets/vendor/uPlot.iife.min.js");
const THREE: &str = include_str!("../assets/vendor/three.bundle.min.js");
/// The page's own scripts; each adds to one object, `bristle`.
const SCRIPT: &str = concat!(
    include_str!("../assets/data.js"),
    include_str!("../assets/format.js"),
    include_str!("../assets/clock.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/path.js"),
    include_str!("../assets/timeline.js"),
    include_str!("../assets/explorer.js"),
    include_str!("../assets/page.js"),
);
const STAGE: &str = concat!(
    include_str!("../assets/stage-build.js"),
    include_str!("../assets/stage-beam.js"),
    include_str!("../assets/stage.js"),
);

/// Values of the channels in one page: 4 bytes each, a third more in base64 (11 MB) …
const VALUES: usize = 2_000_000;
/// … in so many rows at least; further channels are then left out.
const LEAST_ROWS: usize = 2_000;
/// Moments of an animation.
const FRAMES: usize = 4_000;

/// A block as the template shows it.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum TemplateBlock {
    Text {
        text: String,
    },
    Chart {
        index: usize,
        path: bool,
        title: String,
        note: Option<String>,
    },
    Grid {
        grid: ShownGrid,
    },
    Timeline {
        index: usize,
        title: String,
        rows: usize,
    },
    Picture {
        title: String,
        svg: String,
    },
    Scene,
    Source {
        name: String,
        text: String,
    },
    Channels {
        shown: usize,
        all: usize,
    },
}

#[derive(Debug, Serialize)]
struct ShownSection {
    title: String,
    id: String,
    blocks: Vec<TemplateBlock>,
}

/// What the template is filled with.
#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
    subtitle: &'a str,
    badge: Option<&'a (Tone, String)>,
    facts: &'a [Fact],
    notices: &'a [PageNotice],
    sections: Vec<ShownSection>,
    footer: &'a str,
    version: &'a str,
    style: &'a str,
    uplot: &'a str,
    three: &'a str,
    script: &'a str,
    stage: &'a str,
    data: String,
}

/// What the scripts of the page get.
#[derive(Default)]
struct Data {
    store: Store,
    charts: Vec<Chart>,
    timelines: Vec<Value>,
    scene: Option<Value>,
}

pub(crate) fn render(report: &Report) -> Result<String> {
    let mut data = Data::default();
    let shared = report
        .channels
        .as_ref()
        .map(|channels| share(channels, report, &mut data.store));
    let mut sections = Vec::with_capacity(report.sections.len());
    for (number, section) in report.sections.iter().enumerate() {
        let mut blocks = Vec::with_capacity(section.blocks.len());
        for block in &section.blocks {
            blocks.push(shown(block, shared.as_ref(), &mut data)?);
        }
        sections.push(ShownSection {
            title: section.title.clone(),
            id: format!("section-{}", number + 1),
            blocks,
        });
    }
    let payload = payload(report, shared.as_ref(), &data);
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("page", TEMPLATE)?;
    let has_scene = data.scene.is_some();
    let only_with_scene = |text| if has_scene { text } else { "" };
    let page = Page {
        title: &report.title,
        subtitle: &report.subtitle,
        badge: report.badge.as_ref(),
        facts: &report.facts,
        notices: &report.notices,
        sections,
        footer: &report.footer,
        version: env!("CARGO_PKG_VERSION"),
        style: STYLE,
        uplot: UPLOT,
        three: only_with_scene(THREE),
        script: SCRIPT,
        stage: only_with_scene(STAGE),
        data: in_script(&serde_json::to_string(&payload)?),
    };
    Ok(environment
        .get_template("page")?
        .render(minijinja::value::Serde(&page))?)
}

/// JSON inside a script element: no text of it may look like the element's end.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Puts the channels of the table into the page, as far as there is room.
fn share<'r>(channels: &'r Channels, report: &Report, store: &mut Store) -> Shared<'r> {
    let names = channels.peaks.channels();
    let most = VALUES / LEAST_ROWS;
    let wanted = wanted(report);
    let mut room = most.saturating_sub(wanted.len());
    let chosen: Vec<bool> = names
        .iter()
        .enumerate()
        .map(|(i, channel)| {
            let take = i == 0 || wanted.contains(channel.name.as_str());
            let spare = !take && room > 0;
            room -= usize::from(spare);
            take || spare
        })
        .collect();
    let count = chosen.iter().filter(|chosen| **chosen).count();
    let peaks = channels
        .peaks
        .condensed((VALUES / count.max(1)).max(LEAST_ROWS));
    let columns = names
        .iter()
        .zip(&chosen)
        .enumerate()
        .map(|(i, (channel, chosen))| {
            let values = peaks.column(&channel.name).filter(|_| *chosen)?;
            let label = ColumnLabel {
                name: &channel.name,
                unit: &channel.unit,
                meaning: &channel.meaning,
            };
            Some(if i == 0 {
                store.add_exact(label, values)
            } else {
                store.add(label, values)
            })
        });
    let columns = columns.collect();
    Shared {
        columns,
        whole: &channels.whole,
        peaks,
    }
}

/// The channels that plots and the animation need.
fn wanted(report: &Report) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for block in report.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            SectionContent::Plot(plot) => {
                names.extend(plot.series.iter().map(|series| series.y.clone()));
            }
            SectionContent::Scene(scene) => names.extend(scene.channels()),
            _ => {}
        }
    }
    names
}

fn shown(
    block: &SectionContent,
    shared: Option<&Shared<'_>>,
    data: &mut Data,
) -> Result<TemplateBlock> {
    Ok(match block {
        SectionContent::Text(text) => TemplateBlock::Text { text: text.clone() },
        SectionContent::Plot(plot) => {
            let chart = shared
                .ok_or_else(|| "there are no results".to_owned())
                .and_then(|shared| Chart::of_plot(plot, shared, &mut data.store));
            charted(chart, &plot.title, data)
        }
        SectionContent::Figure(figure) => {
            let chart = Chart::of_figure(figure, &mut data.store);
            charted(chart, &figure.title, data)
        }
        SectionContent::Path(figure) => {
            let chart = Chart::of_figure(figure, &mut data.store).map(Chart::into_path);
            charted(chart, &figure.title, data)
        }
        SectionContent::Loops(loops) => {
            let chart = Chart::of_loops(loops, &mut data.store);
            charted(chart, &loops.title, data)
        }
        SectionContent::Grid(grid) => TemplateBlock::Grid {
            grid: ShownGrid::new(grid),
        },
        SectionContent::Timeline(timeline) => {
            data.timelines.push(serde_json::to_value(timeline)?);
            TemplateBlock::Timeline {
                index: data.timelines.len() - 1,
                title: timeline.title.clone(),
                rows: timeline.rows.len(),
            }
        }
        SectionContent::Picture { title, svg } => TemplateBlock::Picture {
            title: title.clone(),
            svg: svg.clone(),
        },
        SectionContent::Scene(scene) => {
            match shared.map(|shared| staged(scene, shared, &mut data.store)) {
                Some(Ok(scene)) => {
                    data.scene = Some(scene?);
                    TemplateBlock::Scene
                }
                Some(Err(channel)) => TemplateBlock::Text {
                    text: format!("There is no animation: the results have no channel {channel}."),
                },
                None => TemplateBlock::Text {
                    text: "There is no animation: there are no results.".to_owned(),
                },
            }
        }
        SectionContent::Source { name, text } => TemplateBlock::Source {
            name: name.clone(),
            text: text.clone(),
        },
        SectionContent::Channels => {
            let columns = shared.map_or(&[][..], |shared| &shared.columns);
            TemplateBlock::Channels {
                shown: columns.iter().flatten().count().saturating_sub(1),
                all: columns.len().saturating_sub(1),
            }
        }
    })
}

/// A chart, or a line that says why there is none.
fn charted(
    chart: std::result::Result<Chart, String>,
    title: &str,
    data: &mut Data,
) -> TemplateBlock {
    let chart = match chart {
        Ok(chart) => chart,
        Err(reason) => {
            let text = format!("“{title}” cannot be drawn: {reason}.");
            return TemplateBlock::Text { text };
        }
    };
    let (path, title) = (chart.is_path(), chart.title().to_owned());
    let note = chart.note().map(str::to_owned);
    data.charts.push(chart);
    TemplateBlock::Chart {
        index: data.charts.len() - 1,
        path,
        title,
        note,
    }
}

/// A scene with the columns of its channels. `Err` names a channel that is not there.
fn staged(
    scene: &Scene,
    shared: &Shared<'_>,
    store: &mut Store,
) -> std::result::Result<Result<Value>, String> {
    let whole = shared.whole.whole_rows(FRAMES);
    // the page has these very rows already if nothing was condensed and nothing left out
    let same = whole.time() == shared.peaks.time() && shared.peaks.is_complete();
    let mut columns = serde_json::Map::new();
    let time = if same {
        shared.columns.first().copied().flatten().unwrap_or(0)
    } else {
        store.add_exact(
            ColumnLabel {
                name: "t",
                unit: "s",
                meaning: "",
            },
            whole.time(),
        )
    };
    for name in scene.channels() {
        let position = shared.peaks.channels().iter().position(|c| c.name == name);
        let position = position.ok_or_else(|| name.clone())?;
        let known = shared
            .columns
            .get(position)
            .copied()
            .flatten()
            .filter(|_| same);
        let column = known.unwrap_or_else(|| {
            let label = ColumnLabel {
                name: &name,
                ..ColumnLabel::default()
            };
            store.add(label, whole.column(&name).unwrap_or_default())
        });
        columns.insert(name, json!(column));
    }
    Ok(serde_json::to_value(scene)
        .map(|scene| json!({ "stage": scene, "t": time, "columns": columns }))
        .map_err(Into::into))
}

fn payload(report: &Report, shared: Option<&Shared<'_>>, data: &Data) -> Value {
    let time = shared.map_or(&[][..], |shared| shared.peaks.time());
    let start = time.first().copied();
    let end = time.last().copied();
    let bands = |name: &str, stick: &[[f64; 2]]| -> Vec<Band> {
        let span = (start.unwrap_or(0.0), end.unwrap_or(0.0));
        TimelineRow::of_stick_intervals(name, span, stick).bands
    };
    let pairs = report.summary.iter().flat_map(Summary::pairs);
    let pairs: serde_json::Map<String, Value> = pairs
        .map(|(kind, name, pair)| {
            let path = format!("{}.{name}", kind.section());
            (path, json!(bands(name, &pair.stick_intervals)))
        })
        .collect();
    let channels: Vec<usize> = shared
        .map(|shared| shared.columns.iter().copied().flatten().collect())
        .unwrap_or_default();
    json!({
        "title": report.title,
        "columns": data.store.columns(),
        "channels": channels,
        "charts": data.charts,
        "timelines": data.timelines,
        "pairs": pairs,
        "scene": data.scene,
        "condensed": shared.is_some_and(|shared| !shared.peaks.is_complete()),
    })
}
