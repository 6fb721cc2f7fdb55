//! Arguments of `bristle laws`.

use std::path::PathBuf;

/// `bristle laws`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle laws
  bristle laws lugre
  bristle laws lugre --json | jq '.parameters[].name'
  bristle laws --page                     a page with sliders for all of them: laws.html
  bristle laws dahl --page -o dahl.html   the same, beginning with a law
  bristle laws --markdown pages           a page per law, with equations in TeX")]
pub(crate) struct LawsArguments {
    /// The law to show; hyphens and underscores are the same. Or a file LAW.toml.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page on which laws can be tried: sliders of all parameters, and the curves that follow
    /// them. It opens in a browser without network.
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    pub(crate) page: bool,
    /// The file of the page.
    #[arg(
        short,
        long,
        value_name = "FILE.html",
        requires = "page",
        default_value = "laws.html"
    )]
    pub(crate) out: PathBuf,
    /// Write a Markdown page per law, and an index, to this folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "json"])]
    pub(crate) markdown: Option<PathBuf>,
    /// Write into a folder that this command did not make; files of the same names are replaced.
    #[arg(long, requires = "markdown")]
    pub(crate) force: bool,
}
