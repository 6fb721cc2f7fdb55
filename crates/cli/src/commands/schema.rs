//! `bristle schema`.

use super::print_json;
use crate::exit::Exit;

/// Prints the JSON Schema of scenario files.
pub(crate) fn schema() -> Exit {
    print_json(&bristle_scenario::schema());
    Exit::Done
}
