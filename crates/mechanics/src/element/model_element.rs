//! A force element by what it acts on.

use super::{BallFriction, Element, FrameElement, JointElement};
use std::ops::{Deref, DerefMut};

/// A force element of a model, by what it acts on.
#[derive(Debug)]
pub enum ModelElement {
    /// Between frames of bodies.
    Frames(Box<dyn FrameElement>),
    /// On a joint coordinate.
    Joint(Box<dyn JointElement>),
    /// In a spherical joint.
    Ball(Box<BallFriction>),
}

impl ModelElement {
    /// An element between frames of bodies.
    pub fn frames(element: impl FrameElement) -> Self {
        Self::Frames(Box::new(element))
    }

    /// An element on a joint coordinate.
    pub fn joint(element: impl JointElement) -> Self {
        Self::Joint(Box::new(element))
    }

    /// Friction in a spherical joint.
    pub fn ball(element: BallFriction) -> Self {
        Self::Ball(Box::new(element))
    }

    /// As an element between frames.
    #[inline]
    pub fn on_frames(&self) -> Option<&dyn FrameElement> {
        match self {
            Self::Frames(element) => Some(&**element),
            Self::Joint(_) | Self::Ball(_) => None,
        }
    }

    /// As an element on a joint coordinate.
    #[inline]
    pub fn on_joint(&self) -> Option<&dyn JointElement> {
        match self {
            Self::Frames(_) | Self::Ball(_) => None,
            Self::Joint(element) => Some(&**element),
        }
    }

    /// As friction in a spherical joint.
    #[inline]
    pub fn on_ball(&self) -> Option<&BallFriction> {
        match self {
            Self::Frames(_) | Self::Joint(_) => None,
            Self::Ball(element) => Some(element),
        }
    }
}

impl Deref for ModelElement {
    type Target = dyn Element;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Frames(element) => &**element,
            Self::Joint(element) => &**element,
            Self::Ball(element) => &**element,
        }
    }
}

impl DerefMut for ModelElement {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Frames(element) => &mut **element,
            Self::Joint(element) => &mut **element,
            Self::Ball(element) => &mut **element,
        }
    }
}
