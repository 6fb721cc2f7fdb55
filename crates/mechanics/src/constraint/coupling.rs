//! Couplings: a linear equation between joint coordinates.

use crate::body::BodyId;

/// A coupling's place in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CouplingId(pub(crate) usize);

impl CouplingId {
    /// Position in the list of couplings.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The faces of a coupling that slide on each other.
///
/// The slip is linear in the coupled coordinates, s = Σ bᵢ qᵢ, and the force F against it acts on
/// each of them with −bᵢ F. The load is N = ν |λ|.
///
/// On the flank of a screw of mean radius r and lead angle β, tan β = p/(2π r), the multiplier of
/// Φ = x − p θ/(2π) is the axial part of the normal force, so that ν = 1/cos β; the slip goes along
/// the helix, b_θ = r cos β and b_x = sin β. The friction that turns a screw grows with its own
/// reaction on the flank: above μ = tan β it locks.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplingSlip {
    /// b, one for every term, m or 1.
    pub by_terms: Vec<f64>,
    /// ν.
    pub load: f64,
}

/// A coupling of joint coordinates, such as a gear, a rack or a screw.
///
/// $$ \Phi = \sum_i c_i\,q_i - c_0 = 0 $$
///
/// One that is not rigid holds nothing: friction alone acts between its coordinates, as in a clutch.
#[derive(Clone, Debug)]
pub struct Coupling {
    /// Name.
    pub name: String,
    /// Whether it holds Φ = 0.
    pub is_rigid: bool,
    /// The coordinates with their coefficients.
    pub terms: Vec<CouplingTerm>,
    /// c₀.
    pub offset: f64,
    /// Where it slides, if friction may act there.
    pub slip: Option<CouplingSlip>,
}

impl Coupling {
    /// The load on the faces over λ, with the sign of the coupling's force on its driven coordinate,
    /// the first one, along the slip: that force is c₁ λ, and its coordinate q₁ goes with the slip
    /// where b₁ − b₂ c₁/c₂ is positive. 0 without faces.
    pub(crate) fn load_along_slip(&self) -> f64 {
        let Some(CouplingSlip { by_terms, load }) = &self.slip else {
            return 0.0;
        };
        match (&self.terms[..], &by_terms[..]) {
            ([to, from], [b_to, b_from]) if from.coefficient != 0.0 => {
                let slip = b_to - b_from * to.coefficient / from.coefficient;
                load * (to.coefficient * slip).signum()
            }
            _ => *load,
        }
    }
}

/// A joint coordinate of a coupling.
#[derive(Clone, Copy, Debug)]
pub struct CouplingTerm {
    /// The body whose joint it is in.
    pub body: BodyId,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// c.
    pub coefficient: f64,
}
