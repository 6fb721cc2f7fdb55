//! What identifies everything that a scenario was read from.

use sha2::{Digest as _, Sha256};

use crate::{Node, NodeValue, SourceMap, shipped};

/// Hash of all texts after the first `known`, and of the data files that the tree names.
pub(super) fn hash(root: &Node, sources: &SourceMap, known: usize) -> String {
    let mut hasher = Sha256::new();
    let mut add = |bytes: &[u8]| {
        // the length keeps two texts apart from one that is both together
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for (_, source) in sources.iter().skip(known) {
        add(source.text().as_bytes());
    }
    add_data(root, sources, &mut add);
    let digest = hasher.finalize();
    let digits = digest[..8]
        .iter()
        .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{digits:016x}")
}

/// Adds the files of functions of time and of meshes; one that cannot be read is reported elsewhere.
fn add_data(node: &Node, sources: &SourceMap, add: &mut impl FnMut(&[u8])) {
    match &node.value {
        NodeValue::Table(table) => {
            for entry in &table.entries {
                let folder = sources.get(entry.node.span.source);
                if let (Some(file), Some(folder)) = (entry.node.as_text(), folder)
                    && shipped::names_data(&entry.key)
                    && let Ok(bytes) = shipped::bytes(&folder.directory().join(file))
                {
                    add(&bytes);
                }
                add_data(&entry.node, sources, add);
            }
        }
        NodeValue::List(list) => {
            for item in list {
                add_data(item, sources, add);
            }
        }
        _ => {}
    }
}
