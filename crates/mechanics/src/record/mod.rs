//! What a run records: channels at the output times, the energy ledger, stick and slip.

mod channels;
mod contacts;
mod ledger;
mod recorder;

pub use crate::channel::ChannelInfo;
pub use channels::channels;
pub use contacts::{ContactRecord, StickInterval};
pub use ledger::{Balance, Energies};
pub use recorder::{Outcome, RowObserver, Start, simulate};
