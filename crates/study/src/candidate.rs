//! A law that a study puts into a contact: by its name, from a file, or as equations.

use std::path::Path;

use bristle_laws::Declaration;
use bristle_scenario::{
    Diagnostic, Diagnostics, Node, SourceMap, Span, law_of_file, load_file, load_text,
};

use crate::adapt::{Given, full_name};

/// A law with the parameters that the user gives.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How it is called: the name of the law, or of its file.
    pub label: String,
    pub(crate) law: Declaration,
    /// The field `law` as a scenario would have it.
    pub(crate) text: String,
    /// Fields and their texts.
    pub(crate) given: Vec<Given>,
}

/// Why there is no law in a file or a text.
#[derive(Debug)]
pub(crate) enum NoLaw {
    /// It cannot be read, is not TOML, or its equations are wrong.
    Unsound(Diagnostics, Box<SourceMap>),
    /// It has no field `law`.
    Nameless,
    /// The catalogue has no law of that name.
    Unknown(String),
}

/// Whether a text is the name of a file with a law.
pub(crate) fn is_file(text: &str) -> bool {
    let extension = Path::new(text).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

impl Candidate {
    /// The law of the scenario itself, or one by its name.
    pub(crate) fn own(law: Declaration) -> Self {
        let name = law.card().name.to_owned();
        Self {
            label: name.clone(),
            law,
            text: name,
            given: Vec::new(),
        }
    }

    /// The law of a file `LAW.toml` with the values that it gives.
    pub(crate) fn from_file(file: &str) -> Result<Self, NoLaw> {
        let path = Path::new(file);
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let node = load_file(path, &mut sources, &mut diagnostics);
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        Self::from_node(&stem.to_string_lossy(), node, sources, diagnostics)
    }

    /// Equations `{ equations = … }` of the command line; `option` is where they stand.
    pub(crate) fn from_equations(option: &str, text: &str) -> Result<Self, NoLaw> {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let node = load_text(
            option,
            &format!("law = {text}"),
            &mut sources,
            &mut diagnostics,
        );
        let mut candidate = Self::from_node("", node, sources, diagnostics)?;
        candidate.label = candidate.law.card().name.to_owned();
        Ok(candidate)
    }

    /// The fields that it gives, each by its full name.
    pub(crate) fn given_in_full(&self) -> Vec<Given> {
        let card = self.law.card();
        let given = self.given.iter();
        given
            .map(|(name, text)| (full_name(&card, name), text.clone()))
            .collect()
    }

    fn from_node(
        label: &str,
        node: Option<Node>,
        sources: SourceMap,
        diagnostics: Diagnostics,
    ) -> Result<Self, NoLaw> {
        let Some(node) = node else {
            return Err(NoLaw::Unsound(diagnostics, Box::new(sources)));
        };
        let table = node.as_table().ok_or(NoLaw::Nameless)?;
        let entry = table.get("law").ok_or(NoLaw::Nameless)?;
        let law = match entry.node.as_text() {
            Some(name) => {
                Declaration::named(name).ok_or_else(|| NoLaw::Unknown(name.to_owned()))?
            }
            None => match law_of_file(&node, &sources) {
                Ok(law) => law.ok_or(NoLaw::Nameless)?,
                Err(diagnostics) => return Err(NoLaw::Unsound(diagnostics, Box::new(sources))),
            },
        };
        let value = |span: Span| {
            let source = sources.get(span.source)?;
            source.text().get(span.start..span.end).map(str::to_owned)
        };
        let fields = table.entries.iter().filter(|entry| entry.key != "law");
        let given = fields.filter_map(|entry| Some((entry.key.clone(), value(entry.node.span)?)));
        Ok(Self {
            label: label.to_owned(),
            text: entry.node.inline(),
            given: given.collect(),
            law,
        })
    }
}

impl NoLaw {
    /// What is wrong, where `origin` names the file or the option.
    pub(crate) fn report(self, origin: &str) -> (Diagnostics, Box<SourceMap>) {
        let message = match self {
            Self::Unsound(diagnostics, sources) => return (diagnostics, sources),
            Self::Nameless => format!("{origin}: there is no field law = \"NAME\""),
            Self::Unknown(name) => format!("{origin}: there is no law \"{name}\""),
        };
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::error(message));
        (diagnostics, Box::new(SourceMap::new()))
    }
}
