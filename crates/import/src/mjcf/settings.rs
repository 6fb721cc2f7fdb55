//! `<compiler>` and `<default>`: what numbers mean, and what attributes are where an element has none.

use std::collections::BTreeMap;

use nalgebra::{Matrix3, Quaternion, Rotation3, Unit, UnitQuaternion, Vector3};
use roxmltree::Node;

use crate::machine::{ImportedMachine, Placement};
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// TagDefaults of one tag.
type TagDefaults = BTreeMap<String, String>;

/// When moments of inertia come from geoms.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FromGeoms {
    Never,
    WhereNoneIsGiven,
    Always,
}

/// What holds for all elements.
pub(super) struct CompilerSettings {
    degrees: bool,
    euler: Vec<char>,
    pub(super) from_geoms: FromGeoms,
    total_mass: Option<f64>,
    /// TagDefaults by class and tag; a class holds what it inherits.
    classes: BTreeMap<String, BTreeMap<String, TagDefaults>>,
}

/// An element with its defaults.
pub(super) struct ClassedElement<'s, 'a, 'input> {
    pub(super) node: Node<'a, 'input>,
    settings: &'s CompilerSettings,
    defaults: Option<&'s TagDefaults>,
}

impl CompilerSettings {
    pub(super) fn read(
        root: Node<'_, '_>,
        remarks: &mut Vec<ImportRemark>,
    ) -> Result<Self, ImportProblem> {
        let mut settings = Self {
            degrees: true,
            euler: vec!['x', 'y', 'z'],
            from_geoms: FromGeoms::WhereNoneIsGiven,
            total_mass: None,
            classes: BTreeMap::new(),
        };
        for compiler in xml::named(root, "compiler") {
            settings.compiler(compiler, remarks)?;
        }
        for default in xml::named(root, "default") {
            settings.class(default, "main", &BTreeMap::new());
        }
        Ok(settings)
    }

    fn compiler(
        &mut self,
        node: Node<'_, '_>,
        remarks: &mut Vec<ImportRemark>,
    ) -> Result<(), ImportProblem> {
        let line = xml::line(node);
        match node.attribute("angle") {
            Some("radian") => self.degrees = false,
            Some("degree") => self.degrees = true,
            _ => {}
        }
        if let Some(sequence) = node.attribute("eulerseq") {
            self.euler = sequence.chars().collect();
            if self.euler.len() != 3 || self.euler.iter().any(|c| !"xyzXYZ".contains(*c)) {
                let what = format!("eulerseq=\"{sequence}\"");
                return Err(ImportProblem::new(
                    line,
                    what,
                    "give three of x, y, z (or X, Y, Z)",
                ));
            }
        }
        if node.attribute("coordinate") == Some("global") {
            let what = "coordinate=\"global\": places in the world, which MuJoCo itself dropped";
            return Err(ImportProblem::new(
                line,
                what,
                "convert the file with an older MuJoCo (2.3.3) first",
            ));
        }
        match node.attribute("inertiafromgeom") {
            Some("true") => self.from_geoms = FromGeoms::Always,
            Some("false") => self.from_geoms = FromGeoms::Never,
            _ => {}
        }
        self.total_mass = xml::number(node, "settotalmass")?
            .filter(|x| *x > 0.0)
            .or(self.total_mass);
        for name in ["boundmass", "boundinertia"] {
            if xml::number(node, name)?.is_some_and(|x| x > 0.0) {
                let what = "least mass and inertia of the compiler: the values of the file stand";
                remarks.push(ImportRemark::new(RemarkKind::Lost, line, what, name));
            }
        }
        if node.attribute("balanceinertia") == Some("true") {
            let what = "balanceinertia: an inertia that no solid has is refused or repaired here";
            remarks.push(ImportRemark::new(RemarkKind::Lost, line, what, ""));
        }
        Ok(())
    }

    /// A class and the classes within it.
    fn class(&mut self, node: Node<'_, '_>, name: &str, inherited: &BTreeMap<String, TagDefaults>) {
        let name = node.attribute("class").unwrap_or(name).to_owned();
        let mut own = self.classes.get(&name).unwrap_or(inherited).clone();
        for child in xml::children(node).filter(|child| !child.has_tag_name("default")) {
            let attributes = own.entry(xml::tag(child)).or_default();
            for attribute in child.attributes() {
                attributes.insert(attribute.name().to_owned(), attribute.value().to_owned());
            }
        }
        self.classes.insert(name, own.clone());
        for child in xml::named(node, "default") {
            self.class(child, "main", &own);
        }
    }

    /// An element with the defaults of its class, of `childclass` around it, or of all.
    pub(super) fn element<'s, 'a, 'input>(
        &'s self,
        node: Node<'a, 'input>,
        class: Option<&str>,
    ) -> Result<ClassedElement<'s, 'a, 'input>, ImportProblem> {
        let given = node.attribute("class").or(class);
        let class = self.classes.get(given.unwrap_or("main"));
        if let (Some(name), None) = (given, class) {
            let what = format!("there is no default class \"{name}\"");
            return Err(ImportProblem::new(
                xml::line(node),
                what,
                "declare it in <default>",
            ));
        }
        let defaults = class.and_then(|class| class.get(&xml::tag(node)));
        Ok(ClassedElement {
            node,
            settings: self,
            defaults,
        })
    }

    /// An angle of the file in rad.
    pub(super) fn angle(&self, x: f64) -> f64 {
        if self.degrees { x.to_radians() } else { x }
    }

    /// Masses and inertias scaled to the total mass that the compiler asks for.
    pub(super) fn scale(&self, machine: &mut ImportedMachine) {
        let own = machine.bodies.iter().filter_map(|body| body.inertia);
        let sum: f64 = own.map(|own| own.mass).sum();
        let Some(factor) = self
            .total_mass
            .filter(|_| sum > 0.0)
            .map(|total| total / sum)
        else {
            return;
        };
        for inertia in machine
            .bodies
            .iter_mut()
            .filter_map(|body| body.inertia.as_mut())
        {
            inertia.mass *= factor;
            inertia.tensor *= factor;
        }
    }
}

impl ClassedElement<'_, '_, '_> {
    pub(super) fn line(&self) -> u32 {
        xml::line(self.node)
    }

    /// An attribute, of the element or by default.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let default = || {
            self.defaults
                .and_then(|all| all.get(name))
                .map(String::as_str)
        };
        self.node.attribute(name).or_else(default)
    }

    /// Numbers of an attribute.
    pub(super) fn list(&self, name: &str) -> Result<Option<Vec<f64>>, ImportProblem> {
        let Some(text) = self.attribute(name) else {
            return Ok(None);
        };
        let place = format!("<{}> {name}", xml::tag(self.node));
        xml::numbers(self.line(), &place, text).map(Some)
    }

    /// The first number of an attribute.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, ImportProblem> {
        Ok(self.list(name)?.and_then(|list| list.first().copied()))
    }

    /// Exactly so many numbers of an attribute.
    pub(super) fn exactly<const N: usize>(
        &self,
        name: &str,
    ) -> Result<Option<[f64; N]>, ImportProblem> {
        let Some(list) = self.list(name)? else {
            return Ok(None);
        };
        let found = list.len();
        let numbers = <[f64; N]>::try_from(list);
        numbers
            .map(Some)
            .map_err(|_| xml::wrong_count(self.node, name, N, found))
    }

    /// Three numbers of an attribute.
    pub(super) fn vector(&self, name: &str) -> Result<Option<Vector3<f64>>, ImportProblem> {
        Ok(self.exactly::<3>(name)?.map(Vector3::from))
    }

    /// `pos` and the orientation in one of its five forms.
    pub(super) fn placement(&self) -> Result<Placement, ImportProblem> {
        Ok(Placement {
            position: self.vector("pos")?.unwrap_or_default(),
            rotation: self.rotation()?,
        })
    }

    fn rotation(&self) -> Result<UnitQuaternion<f64>, ImportProblem> {
        let no_direction = || {
            let what = format!("<{}>: an orientation of length 0", xml::tag(self.node));
            ImportProblem::new(self.line(), what, "give directions that are not 0")
        };
        let unit = |v: Vector3<f64>| xml::unit(v).ok_or_else(no_direction);
        if let Some([w, x, y, z]) = self.exactly::<4>("quat")? {
            let quaternion = Quaternion::new(w, x, y, z);
            return UnitQuaternion::try_new(quaternion, 1e-12).ok_or_else(no_direction);
        }
        if let Some([x, y, z, angle]) = self.exactly::<4>("axisangle")? {
            let axis = Unit::new_unchecked(unit(Vector3::new(x, y, z))?);
            return Ok(UnitQuaternion::from_axis_angle(
                &axis,
                self.settings.angle(angle),
            ));
        }
        if let Some(angles) = self.exactly::<3>("euler")? {
            return Ok(self.euler(angles));
        }
        if let Some([x, y, z, u, v, w]) = self.exactly::<6>("xyaxes")? {
            let first = unit(Vector3::new(x, y, z))?;
            let second = Vector3::new(u, v, w);
            let second = unit(second - first * first.dot(&second))?;
            let axes = Matrix3::from_columns(&[first, second, first.cross(&second)]);
            return Ok(UnitQuaternion::from_rotation_matrix(
                &Rotation3::from_matrix_unchecked(axes),
            ));
        }
        if let Some(direction) = self.vector("zaxis")? {
            return Ok(onto(&unit(direction)?));
        }
        Ok(UnitQuaternion::identity())
    }

    /// Rotations one after the other, about turned axes (small letters) or those of the parent (capitals).
    fn euler(&self, angles: [f64; 3]) -> UnitQuaternion<f64> {
        let mut all = UnitQuaternion::identity();
        for (letter, angle) in self.settings.euler.iter().zip(angles) {
            let axis = match letter.to_ascii_lowercase() {
                'x' => Vector3::x_axis(),
                'y' => Vector3::y_axis(),
                _ => Vector3::z_axis(),
            };
            let one = UnitQuaternion::from_axis_angle(&axis, self.settings.angle(angle));
            all = if letter.is_ascii_lowercase() {
                all * one
            } else {
                one * all
            };
        }
        all
    }
}

/// The shortest rotation of z onto a direction of length 1.
pub(super) fn onto(direction: &Vector3<f64>) -> UnitQuaternion<f64> {
    let half_turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    UnitQuaternion::rotation_between(&Vector3::z(), direction).unwrap_or(half_turn)
}
