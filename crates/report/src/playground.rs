//! The page on which laws are tried.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use crate::error::Result;
use crate::page::UPLOT;

const TEMPLATE: &str = include_str!("../assets/playground/page.html");
const STYLE: &str = concat!(
    include_str!("../assets/vendor/uPlot.min.css"),
    include_str!("../assets/style.css"),
    include_str!("../assets/parts.css"),
    include_str!("../assets/playground/playground.css"),
);
/// Those of reports as far as the page has what they show, then its own.
const SCRIPT: &str = concat!(
    include_str!("../assets/playground/data.js"),
    include_str!("../assets/format.js"),
    include_str!("../assets/clock.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/path.js"),
    include_str!("../assets/page.js"),
    include_str!("../assets/playground/laws.js"),
    include_str!("../assets/playground/pictures.js"),
    include_str!("../assets/playground/dials.js"),
    include_str!("../assets/playground/playground.js"),
);
/// The C library of the laws for browsers, packed; `tools/playground` makes it.
const LAWS: &[u8] = include_bytes!("../assets/playground/bristle.wasm.gz");

/// A picture of the page; what it shows is in `pictures.js`.
#[derive(Serialize)]
struct PictureFrame {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    /// Whether its motion can be saved.
    motion: bool,
}

const PICTURES: [PictureFrame; 5] = [
    PictureFrame {
        id: "velocity",
        title: "Force over slip velocity",
        about: "Steady sliding, and the same speeds while they grow and fall: what differs is the history.",
        motion: true,
    },
    PictureFrame {
        id: "presliding",
        title: "Presliding loop",
        about: "Before it slips a contact gives way like a spring with losses. The path turns at 1, −0.5, 0.3, −0.5 and 1 times the amplitude.",
        motion: true,
    },
    PictureFrame {
        id: "stick-slip",
        title: "Stick–slip",
        about: "A spring draws the block: it sticks until the spring reaches break-away, then slips faster than the drive.",
        motion: false,
    },
    PictureFrame {
        id: "lag",
        title: "Frictional lag",
        about: "The speed swings about its mean. Where force lags behind velocity, it rises on another path than it falls.",
        motion: true,
    },
    PictureFrame {
        id: "break-away",
        title: "Break-away force",
        about: "The largest force under a load that grows, over the rate of its growth.",
        motion: false,
    },
];

#[derive(Serialize)]
struct PlaygroundPage<'a> {
    version: &'a str,
    style: &'a str,
    uplot: &'a str,
    script: &'a str,
    wasm: String,
    pictures: &'a [PictureFrame],
    start: &'a str,
}

/// A page on which every law of the catalogue can be tried: sliders of its parameters, and what a test
/// bench shows of it, computed in the page. It opens without network.
///
/// `start` is the law that it begins with.
///
/// # Errors
/// If the page cannot be put together.
pub fn playground(start: &str) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("page", TEMPLATE)?;
    let page = PlaygroundPage {
        version: env!("CARGO_PKG_VERSION"),
        style: STYLE,
        uplot: UPLOT,
        script: SCRIPT,
        wasm: STANDARD.encode(LAWS),
        pictures: &PICTURES,
        start,
    };
    Ok(environment
        .get_template("page")?
        .render(minijinja::value::Serde(&page))?)
}
