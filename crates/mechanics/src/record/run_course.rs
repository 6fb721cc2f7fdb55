//! What a run is of.

use super::channel_watch::ChannelWatch;
use crate::model::Model;
use bristle_integrate::{Course, Plan};

/// What runs, how, and how often its values are recorded.
#[derive(Clone, Copy, Debug)]
pub struct RunCourse<'a> {
    /// The model.
    pub model: &'a Model,
    /// The plan.
    pub plan: &'a Plan,
    /// Time between two rows, s.
    pub output_step: f64,
    /// Channels that are watched.
    pub watches: &'a [ChannelWatch],
}

impl<'a> RunCourse<'a> {
    pub(super) fn on(&self) -> Course<'a, Model> {
        Course {
            system: self.model,
            plan: self.plan,
        }
    }
}
