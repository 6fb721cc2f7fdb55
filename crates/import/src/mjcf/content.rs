//! What is in a body of the file.

use roxmltree::Node;

use super::joint::{self, FileJoint};
use super::settings::{ClassedElement, CompilerSettings};
use crate::machine::Placement;
use crate::names::NameMap;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// What a body holds, with the places of `<frame>`s around it.
#[derive(Default)]
pub(super) struct Content<'s, 'a, 'input> {
    pub(super) joints: Vec<FileJoint<'s, 'a, 'input>>,
    pub(super) geoms: Vec<(ClassedElement<'s, 'a, 'input>, Placement)>,
    pub(super) bodies: Vec<(Node<'a, 'input>, Placement, Option<&'a str>)>,
    pub(super) sites: Vec<(&'a str, Placement)>,
}

/// Default classes.
#[derive(Clone, Copy)]
struct Classes<'c, 'a> {
    /// Of what is in the body.
    own: Option<&'c str>,
    /// That a `<frame>` gives to bodies in it.
    framed: Option<&'a str>,
}

/// Sorts the content of bodies.
pub(super) struct Sorter<'s, 'n, 'r> {
    pub(super) settings: &'s CompilerSettings,
    pub(super) joint_names: &'n mut NameMap,
    pub(super) remarks: &'r mut Vec<ImportRemark>,
}

impl<'s> Sorter<'s, '_, '_> {
    /// What is in a body, with its frames opened.
    pub(super) fn content<'a, 'input>(
        &mut self,
        node: Node<'a, 'input>,
        class: Option<&str>,
    ) -> Result<Content<'s, 'a, 'input>, ImportProblem> {
        let mut content = Content::default();
        self.fill(
            node,
            Classes {
                own: class,
                framed: None,
            },
            Placement::default(),
            &mut content,
        )?;
        Ok(content)
    }

    fn fill<'a, 'input>(
        &mut self,
        node: Node<'a, 'input>,
        classes: Classes<'_, 'a>,
        around: Placement,
        content: &mut Content<'s, 'a, 'input>,
    ) -> Result<(), ImportProblem> {
        let settings = self.settings;
        let class = classes.own;
        for child in xml::children(node) {
            match xml::tag(child).as_str() {
                "joint" | "freejoint" => {
                    let name = self
                        .joint_names
                        .take(child.attribute("name").unwrap_or("joint"));
                    content
                        .joints
                        .push(joint::read(settings.element(child, class)?, name)?);
                }
                "geom" => content
                    .geoms
                    .push((settings.element(child, class)?, around)),
                "body" => content.bodies.push((child, around, classes.framed)),
                "site" => {
                    let own = settings.element(child, class)?.placement()?;
                    let name = child.attribute("name").unwrap_or_default();
                    content.sites.push((name, around.then(&own)));
                }
                "frame" => {
                    let inner = around.then(&settings.element(child, None)?.placement()?);
                    let own = child.attribute("childclass");
                    let inner_classes = Classes {
                        own: own.or(class),
                        framed: own.or(classes.framed),
                    };
                    self.fill(child, inner_classes, inner, content)?;
                }
                tag @ ("composite" | "flexcomp" | "replicate" | "attach") => {
                    let what = format!("<{tag}>: it makes bodies when MuJoCo compiles the model");
                    return Err(ImportProblem::new(
                        xml::line(child),
                        what,
                        "compile the model first: mujoco.mj_saveLastXML writes what it makes",
                    ));
                }
                // read apart, or without a motion
                "inertial" | "camera" | "light" => {}
                tag => {
                    let what = format!("<{tag}> in a body: unknown to Bristle");
                    self.remarks.push(ImportRemark::new(
                        RemarkKind::Lost,
                        xml::line(child),
                        what,
                        "",
                    ));
                }
            }
        }
        Ok(())
    }
}
