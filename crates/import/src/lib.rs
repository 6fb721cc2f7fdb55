//! Scenarios from models of robots: URDF and MJCF.
//!
//! [`import`] takes the text of a file and returns the text of a scenario, with a list of what was assumed,
//! lost or is doubtful. It is pure: it opens no files and prints nothing.
//!
//! Both formats are read into one [`ImportedMachine`], with bodies whose frames are the frames of their joints as a
//! scenario has them, and written by one writer.

mod friction_table;
mod machine;
mod masses;
mod mjcf;
mod names;
mod numbers;
mod placeholders;
mod remarks;
mod stops;
mod urdf;
mod write;
mod xml;

pub use machine::{
    CoordinateName, DrawnSolid, ImportedMachine, MachineBody, MachineCoupling, MachineFriction,
    MachineJoint, MachineLoop, MachineSpring, MachineStop, MassProperties, Placement,
};
pub use remarks::{ImportProblem, ImportRemark, RemarkKind};

use bristle_laws::LawCard;

/// What the import of a file depends on beside the file.
#[derive(Clone, Copy, Debug)]
pub struct ImportOptions<'a> {
    /// Name of the file, for the title and the comments of the scenario.
    pub file: &'a str,
    /// The friction law of the joints.
    pub law: &'a LawCard<'static>,
    /// Whether the root of a URDF floats; else it stands on the ground.
    pub floating: bool,
    /// Whether masses and inertias that no body can have are replaced, and reported, instead of refused.
    pub repair: bool,
}

/// A scenario and what its reader must know.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The machine that the file describes.
    pub machine: ImportedMachine,
    /// What was assumed, changed, lost or is doubtful, in the order of the lines.
    pub remarks: Vec<ImportRemark>,
    /// The scenario.
    pub toml: String,
}

/// Reads a URDF or MJCF file and writes a scenario.
///
/// The root element decides: `robot` is URDF, `mujoco` is MJCF.
///
/// # Errors
/// All that keeps the file from being a machine, each with its line and a remedy.
pub fn import(text: &str, options: &ImportOptions<'_>) -> Result<Imported, Vec<ImportProblem>> {
    let text = xml::declared(text);
    let document = xml::parse(&text)?;
    let root = document.root_element();
    let mut remarks = Vec::new();
    let mut machine = match root.tag_name().name() {
        "robot" => urdf::read(root, options, &mut remarks)?,
        "mujoco" => mjcf::read(root, options, &mut remarks)?,
        other => {
            return Err(vec![ImportProblem::new(
                xml::line(root),
                format!(
                    "the root element is <{other}>, neither <robot> (URDF) nor <mujoco> (MJCF)"
                ),
                "give a URDF or MJCF file; convert other formats (SDF, xacro) to one of them first",
            )]);
        }
    };
    stops::start_within(&mut machine, &mut remarks);
    machine.start_followers();
    masses::settle(&mut machine, options.repair, &mut remarks)?;
    stops::settle(&mut machine, &mut remarks);
    placeholders::point_out(&machine, &mut remarks);
    remarks.sort_by_key(|remark| remark.line);
    let toml = write::scenario(&machine, options, &remarks)?;
    Ok(Imported {
        machine,
        remarks,
        toml,
    })
}
