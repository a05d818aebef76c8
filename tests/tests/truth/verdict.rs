//! The rule that every replay is held to.

use anyhow::{Result, ensure};

/// Fails if the verdict claims success although the program did something else than in the recording.
pub(crate) fn check(recorded: &str, replayed: &str, verdict: &str) -> Result<()> {
    ensure!(
        !claims_success(verdict) || recorded == replayed,
        "false {verdict}: recorded {:?}, replayed {:?}",
        one_line(recorded),
        one_line(replayed)
    );
    Ok(())
}

fn claims_success(verdict: &str) -> bool {
    ["passed", "reproduced"].contains(&verdict)
}

/// An outcome, its lines separated by semicolons.
pub(crate) fn one_line(outcome: &str) -> String {
    outcome.lines().collect::<Vec<_>>().join("; ")
}

#[test]
fn success_is_claimed_only_with_the_recorded_outcome() {
    for verdict in ["passed", "reproduced"] {
        assert!(check("SAVE a\n", "SAVE a\n", verdict).is_ok());
        let error = check("SAVE a\n", "SAVE b\nEND\n", verdict).unwrap_err().to_string();
        assert_eq!(error, format!(r#"false {verdict}: recorded "SAVE a", replayed "SAVE b; END""#));
    }
    for verdict in ["unverified", "diverged", "blocked", "invalid"] {
        assert!(check("SAVE a\n", "SAVE b\n", verdict).is_ok());
    }
}
