//! Arguments of `bristle laws`.

use std::path::PathBuf;

/// `bristle laws`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle laws
  bristle laws lugre
  bristle laws lugre --json | jq '.parameters[].name'
  bristle laws --markdown pages           a page per law, with equations in TeX")]
pub(crate) struct LawsArguments {
    /// The law to show; hyphens and underscores are the same. Or a file LAW.toml.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a Markdown page per law, and an index, to this folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "json"])]
    pub(crate) markdown: Option<PathBuf>,
    /// Write into a folder that this command did not make; files of the same names are replaced.
    #[arg(long, requires = "markdown")]
    pub(crate) force: bool,
}
