//! The equations of a law of your own, compiled.

use super::error::Place;
use super::graph::{Graph, Id};
use super::program::{Program, ProgramInputs, Registers};
use crate::card::{Behaviour, LawCard, ParameterCard, StateCard};
use crate::law::StateLayout;
use crate::law::slip::Slip;
use crate::numbers::scalar::{MixesWith, Scalar};

/// States that equations may have.
pub(super) const MAX_OWN_STATES: usize = 8;

/// A rate that is linear in its state, ż = b + a z: the results that are b and a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinearRate {
    /// The result that is b; none if b is zero.
    pub(super) constant: Option<usize>,
    /// The result that is a.
    pub(super) slope: usize,
}

/// A state of a law of your own, as it stands in the state slice.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatePlace {
    pub(super) vector: bool,
    pub(super) position: usize,
}

/// The equations of a law, read, checked and compiled; without values of its parameters.
#[derive(Clone, Debug)]
pub struct OwnEquations {
    pub(super) name: String,
    /// As they were written, one by one.
    pub(super) written: Vec<String>,
    pub(super) parameters: Vec<ParameterCard>,
    /// Number of the first parameter of the Stribeck curve, if the equations have one.
    pub(super) levels_from: Option<usize>,
    /// The states: vectors, then numbers.
    pub(super) states: Vec<StateCard>,
    pub(super) behaviour: &'static [Behaviour],
    /// Where the states, in the order of their lines, stand.
    pub(super) order: Vec<StatePlace>,
    pub(super) layout: StateLayout,
    pub(super) graph: Graph,
    /// The values that follow from the parameters alone and that programs use.
    pub(super) constants: Vec<Id>,
    /// Rates in the order of the lines, then the force.
    pub(super) rates: Program,
    /// The force alone.
    pub(super) force: Program,
    /// The parts of the rates, if each is linear in its own state and has no other.
    pub(super) relaxation: Option<(Program, Vec<LinearRate>)>,
}

impl StatePlace {
    /// Where the state starts in a state slice.
    #[inline]
    pub(super) fn first(&self, layout: StateLayout, dimension: usize) -> usize {
        if self.vector {
            self.position * dimension
        } else {
            layout.vectors * dimension + self.position
        }
    }
}

impl OwnEquations {
    /// What the cards of all laws of your own share.
    pub(super) const SHARED: LawCard<'static> = LawCard {
        name: "own",
        title: "A law of your own",
        summary: "States with their rates and the force, written as equations.",
        equations: &[],
        parameters: &[],
        states: &[],
        behaviour: &[],
        reproduces: &[],
        cannot: &[],
        source: "",
        remarks: "",
        printed: None,
    };

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The equations as they were written, one by one and without comments.
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// Its card.
    pub fn card(&self) -> LawCard<'_> {
        LawCard {
            name: &self.name,
            parameters: &self.parameters,
            states: &self.states,
            behaviour: self.behaviour,
            ..Self::SHARED
        }
    }

    /// Its parameters, with those of the Stribeck curve.
    pub fn parameters(&self) -> &[ParameterCard] {
        &self.parameters
    }

    /// Whether the states follow exactly from one step to the next: their rates are linear in them.
    pub fn relaxes(&self) -> bool {
        self.relaxation.is_some()
    }

    /// Where the value of a node comes from.
    pub(super) fn place_of(&self, id: Id) -> Option<Place> {
        self.graph.places[id].clone()
    }

    /// The continuous view with some numbers.
    #[inline]
    pub(super) fn rates_at<P: Scalar, T: Scalar + MixesWith<P>, const D: usize>(
        &self,
        numbers: ProgramInputs<'_, P>,
        slip: &Slip<T, D>,
        state: &[T],
        rates: &mut [T],
    ) -> [T; D] {
        let mut registers = Registers::new();
        let from = D * self.layout.vectors;
        self.rates.run(numbers, slip, state, from, &mut registers);
        let results = &self.rates.results;
        for (place, register) in self.order.iter().zip(results) {
            let first = place.first(self.layout, D);
            if place.vector {
                rates[first..first + D].copy_from_slice(&registers.vector(*register));
            } else {
                rates[first] = registers.scalar(*register);
            }
        }
        registers.vector(results[self.order.len()])
    }
}
