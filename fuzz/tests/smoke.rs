//! A smoke run of every target; longer ones are made by hand (README.md).

use std::process::Command;

#[test]
fn every_target_withstands_inputs_by_chance() {
    let folder = std::env::temp_dir().join(format!("bristle-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_bristle-fuzz"))
        .arg("2000")
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    // an input that breaks a target stays there
    assert!(ran.status.success(), "in {}\n{said}", folder.display());
    for (target, _) in bristle_fuzz::TARGETS {
        assert!(
            said.contains(&format!("{target}: 2000 executions, 0 panics")),
            "{said}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
