//! Elements that nothing can strain: a support too many.

use crate::Fields;
use bristle_mechanics::Model;
use std::collections::HashMap;

/// Sections whose elements stand between two bodies.
const SECTIONS: [&str; 5] = ["contact", "spring", "cable", "bushing", "beam"];

/// Warns of elements between bodies that both stand still: they have no influence.
pub(super) fn warn(root: &Fields<'_>, model: &Model) {
    let elements = model.elements().iter();
    let by_name: HashMap<_, _> = elements.map(|e| ((e.kind(), e.name()), e)).collect();
    for section in SECTIONS {
        for entry in root.named_entries(section) {
            let name = &entry.key;
            let Some(element) = by_name.get(&(section, name.as_str())) else {
                continue;
            };
            let [a, b] = element.bodies();
            if model.stands(a) && model.stands(b) {
                let name_of = |body: bristle_mechanics::BodyId| &model.bodies()[body.index()].name;
                root.reader().warn(
                    entry.key_span,
                    format!(
                        "{section}.{name}: {} and {} both stand still, so that it has no \
                         influence; free one of them or leave it out",
                        name_of(a),
                        name_of(b)
                    ),
                );
            }
        }
    }
}
