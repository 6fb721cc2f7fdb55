//! XML with lines: what both formats ask of an element.

use std::borrow::Cow;

use nalgebra::Vector3;
use roxmltree::{Document, Error, Node};

use crate::remarks::ImportProblem;

/// Parses the text.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Vec<ImportProblem>> {
    Document::parse(text).map_err(|error| {
        vec![ImportProblem::new(
            error.pos().row,
            format!("not well-formed XML: {error}"),
            "repair the XML; `xmllint FILE` shows all such places",
        )]
    })
}

/// The text with its namespace prefixes declared: files of robots use prefixes (`sensor:`, `xacro:`)
/// without a declaration. Lines stay as they are.
pub(crate) fn declared(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text.trim_start_matches('\u{feff}'));
    // every pass declares one prefix; a file with more of them is no robot
    for _ in 0..64 {
        let Err(Error::UnknownNamespace(prefix, _)) = Document::parse(&text) else {
            break;
        };
        let root = ["<robot", "<mujoco"]
            .iter()
            .find_map(|tag| text.find(tag).map(|at| at + tag.len()));
        let Some(at) = root else { break };
        let (before, after) = text.split_at(at);
        text = Cow::Owned(format!(
            "{before} xmlns:{prefix}=\"undeclared:{prefix}\"{after}"
        ));
    }
    text
}

/// Line of an element, from 1.
pub(crate) fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

/// Child elements.
pub(crate) fn children<'a, 'input>(
    node: Node<'a, 'input>,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

/// Child elements of a name.
pub(crate) fn named<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    children(node).filter(move |child| child.has_tag_name(name))
}

/// The first child element of a name.
pub(crate) fn first<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> Option<Node<'a, 'input>> {
    named(node, name).next()
}

/// The tag with its prefix, as it is written.
pub(crate) fn tag(node: Node<'_, '_>) -> String {
    let name = node.tag_name().name();
    let namespace = node.tag_name().namespace();
    match namespace.and_then(|uri| node.lookup_prefix(uri)) {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{name}"),
        _ => name.to_owned(),
    }
}

/// Numbers of a text; commas count as spaces.
pub(crate) fn numbers(at: u32, place: &str, text: &str) -> Result<Vec<f64>, ImportProblem> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let numbers: Option<Vec<f64>> = words
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok().filter(|x: &f64| x.is_finite()))
        .collect();
    numbers.ok_or_else(|| {
        let remedy = if text.contains('$') {
            "this is a xacro file: run `xacro FILE.xacro > FILE.urdf` first"
        } else {
            "give finite numbers with spaces between them"
        };
        ImportProblem::new(at, format!("{place}=\"{text}\" holds no numbers"), remedy)
    })
}

/// Numbers of an attribute of any length; `None` if there is no such attribute.
pub(crate) fn list(node: Node<'_, '_>, attribute: &str) -> Result<Option<Vec<f64>>, ImportProblem> {
    let Some(text) = node.attribute(attribute) else {
        return Ok(None);
    };
    let place = format!("<{}> {attribute}", tag(node));
    numbers(line(node), &place, text).map(Some)
}

/// A number of an attribute; `None` if there is no such attribute.
pub(crate) fn number(node: Node<'_, '_>, attribute: &str) -> Result<Option<f64>, ImportProblem> {
    match list(node, attribute)?.as_deref() {
        None => Ok(None),
        Some([x]) => Ok(Some(*x)),
        Some(found) => Err(wrong_count(node, attribute, 1, found.len())),
    }
}

/// Three numbers of an attribute; `None` if there is no such attribute.
pub(crate) fn vector(
    node: Node<'_, '_>,
    attribute: &str,
) -> Result<Option<Vector3<f64>>, ImportProblem> {
    match list(node, attribute)?.as_deref() {
        None => Ok(None),
        Some([x, y, z]) => Ok(Some(Vector3::new(*x, *y, *z))),
        Some(found) => Err(wrong_count(node, attribute, 3, found.len())),
    }
}

/// A direction of an attribute, of length 1; `None` if there is no such attribute.
pub(crate) fn direction(
    node: Node<'_, '_>,
    attribute: &str,
) -> Result<Option<Vector3<f64>>, ImportProblem> {
    let Some(given) = vector(node, attribute)? else {
        return Ok(None);
    };
    unit(given).map(Some).ok_or_else(|| {
        ImportProblem::new(
            line(node),
            format!("<{}> {attribute}=\"0 0 0\" is no direction", tag(node)),
            "give three numbers, not all 0",
        )
    })
}

/// The vector at length 1, unchanged where it has that length; `None` for a zero vector.
pub(crate) fn unit(given: Vector3<f64>) -> Option<Vector3<f64>> {
    let length = given.norm();
    // as written where it is of length 1 already: one rounding less, and a person knows the numbers again
    if (length - 1.0).abs() < 1e-15 {
        return Some(given);
    }
    (length > 1e-12).then(|| given / length)
}

/// A wrong count of numbers in an attribute.
pub(crate) fn wrong_count(
    node: Node<'_, '_>,
    attribute: &str,
    wanted: usize,
    found: usize,
) -> ImportProblem {
    let text = node.attribute(attribute).unwrap_or_default();
    ImportProblem::new(
        line(node),
        format!(
            "<{}> {attribute}=\"{text}\" holds {found} numbers, not {wanted}",
            tag(node)
        ),
        format!("give {wanted} of them"),
    )
}

/// An attribute that must be there.
pub(crate) fn required<'a>(node: Node<'a, '_>, attribute: &str) -> Result<&'a str, ImportProblem> {
    node.attribute(attribute).ok_or_else(|| {
        ImportProblem::new(
            line(node),
            format!("<{}> has no attribute {attribute}", tag(node)),
            format!("add {attribute}=\"…\""),
        )
    })
}
