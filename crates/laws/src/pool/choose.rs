//! The choice of a kernel for a law, by its kind: once for a batch.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use super::blocks::{ConstitutiveKernel, ContinuousKernel};
use super::kernels::{Curves, NoCurve, Relaxing, Static};
use super::passes::OnLanes;
use super::{Points, Steps};
use crate::friction::{Friction, LawVisitor};
use crate::kind::{BristleLaw, KindVisitor, SpeedLaw};
use crate::law::FrictionLaw;

/// Something to do with a law and its kernel.
pub(super) trait WithKernel {
    /// Called with the types of both.
    fn call<L: FrictionLaw, X: OnLanes<S>, const S: usize>(self, law: &L, kernel: X);
}

/// The continuous view in vector instructions.
pub(super) struct RatesJob<'a, 'b, 'c, const D: usize> {
    pub(super) points: &'a Points<'a, D>,
    pub(super) states: &'a [&'a [f64]],
    pub(super) rates: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

/// The update in vector instructions.
pub(super) struct UpdateJob<'a, 'b, 'c, const D: usize> {
    pub(super) steps: &'a Steps<'a, D>,
    pub(super) states: &'a mut [&'b mut [f64]],
    pub(super) force: &'a mut [&'c mut [f64]; D],
}

/// A job with its number of vector states.
struct SizedJob<J, const S: usize>(J);

impl<L: FrictionLaw, X: OnLanes<S>, const D: usize, const S: usize> pulp::WithSimd
    for SizedJob<ContinuousKernel<'_, '_, '_, L, X, D>, S>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<I: pulp::Simd>(self, _: I) {
        self.0.run::<S>();
    }
}

impl<L: FrictionLaw, X: OnLanes<S>, const D: usize, const S: usize> pulp::WithSimd
    for SizedJob<ConstitutiveKernel<'_, '_, '_, L, X, D>, S>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<I: pulp::Simd>(self, _: I) {
        self.0.run::<S>();
    }
}

impl<const D: usize> WithKernel for RatesJob<'_, '_, '_, D> {
    fn call<L: FrictionLaw, X: OnLanes<S>, const S: usize>(self, law: &L, kernel: X) {
        pulp::Arch::new().dispatch(SizedJob::<_, S>(ContinuousKernel {
            law,
            kernel,
            points: self.points,
            states: self.states,
            rates: self.rates,
            force: self.force,
        }));
    }
}

impl<const D: usize> WithKernel for UpdateJob<'_, '_, '_, D> {
    fn call<L: FrictionLaw, X: OnLanes<S>, const S: usize>(self, law: &L, kernel: X) {
        pulp::Arch::new().dispatch(SizedJob::<_, S>(ConstitutiveKernel {
            law,
            kernel,
            steps: self.steps,
            states: self.states,
            force: self.force,
        }));
    }
}

/// Calls `with` with the kernel of the law; gives it back if there is none.
pub(super) fn with_kernel<W: WithKernel>(law: &Friction, with: W) -> Result<(), W> {
    law.visit(KernelOfLaw(with))
}

/// Something to do with the kernel of a law.
struct KernelOfLaw<W>(W);

impl<W: WithKernel> LawVisitor for KernelOfLaw<W> {
    type Output = Result<(), W>;

    fn visit<L: FrictionLaw>(self, law: &L) -> Self::Output {
        law.visit_kind(KernelOfKind { law, with: self.0 })
    }
}

/// The same, of a law of known type.
struct KernelOfKind<'a, L, W> {
    law: &'a L,
    with: W,
}

impl<L: FrictionLaw, W: WithKernel> KernelOfKind<'_, L, W> {
    fn call<K: OnLanes<S>, const S: usize>(self, kernel: K) {
        self.with.call(self.law, kernel);
    }
}

impl<L: FrictionLaw, W: WithKernel> KindVisitor for KernelOfKind<'_, L, W> {
    type Output = Result<(), W>;

    fn speed<F: SpeedLaw<f64>>(self, law: &F) -> Self::Output {
        match law.curve().map(Curves::of) {
            None => self.call(Static(law, NoCurve)),
            Some(Some(Curves::Square(curve))) => self.call(Static(law, curve)),
            Some(Some(Curves::Power(curve))) => self.call(Static(law, curve)),
            Some(None) => return Err(self.with),
        }
        Ok(())
    }

    fn bristles<F: BristleLaw<f64, S>, const S: usize>(self, law: &F) -> Self::Output {
        if law
            .force()
            .damping
            .is_some_and(|damping| damping.velocity.is_some())
        {
            return Err(self.with);
        }
        match law.curve().map(Curves::of) {
            None => self.call(Relaxing(law, NoCurve)),
            Some(Some(Curves::Square(curve))) => self.call(Relaxing(law, curve)),
            Some(Some(Curves::Power(curve))) => self.call(Relaxing(law, curve)),
            Some(None) => return Err(self.with),
        }
        Ok(())
    }

    fn general(self) -> Self::Output {
        Err(self.with)
    }
}
