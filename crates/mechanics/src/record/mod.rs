//! What a run records: channels at the output times, the energy ledger, stick and slip.

mod balance;
mod channel_watch;
mod channels;
mod contacts;
mod crossings;
mod last_step;
mod ledger;
mod model_run;
mod recorder;
mod run_course;
mod step_work;

pub use crate::channel::ChannelInfo;
pub use balance::{Balance, Energies};
pub use channel_watch::ChannelWatch;
pub use channels::channels;
pub(crate) use channels::{coordinate_names, is_reported, values};
pub use contacts::{ContactRecord, StickInterval};
pub use model_run::{ModelRun, simulate};
pub use recorder::{Outcome, RowObserver, Start};
pub use run_course::RunCourse;
