//! Waits for a condition with a deadline.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// How long a test waits for something a program should do at once. Generous: machines are busy.
pub const DEADLINE: Duration = Duration::from_secs(30);

const PAUSE: Duration = Duration::from_millis(20);

/// Asks until there is a value. After the deadline, returns an error that names what was awaited.
pub fn wait_until<T>(
    what: &str,
    deadline: Duration,
    mut ask: impl FnMut() -> Result<Option<T>>,
) -> Result<T> {
    let start = Instant::now();
    loop {
        // The clock is read before asking, so that a slow answer still counts.
        let late = start.elapsed() >= deadline;
        if let Some(value) = ask()? {
            return Ok(value);
        }
        if late {
            bail!("timed out after {:.1} s: {what}", deadline.as_secs_f64());
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_the_wait() {
        let mut asked = 0;
        let value = wait_until("three questions", DEADLINE, || {
            asked += 1;
            Ok((asked == 3).then_some(asked))
        });
        assert_eq!(value.unwrap(), 3);
    }

    #[test]
    fn a_timeout_names_what_was_awaited() {
        let start = Instant::now();
        let error = wait_until("the moon", Duration::from_millis(50), || Ok(None::<()>)).unwrap_err();
        assert_eq!(error.to_string(), "timed out after 0.1 s: the moon");
        assert!(start.elapsed() >= Duration::from_millis(50));
    }

    #[test]
    fn an_error_ends_the_wait_at_once() {
        let error =
            wait_until("anything", DEADLINE, || -> Result<Option<()>> { bail!("the program is gone") });
        assert_eq!(error.unwrap_err().to_string(), "the program is gone");
    }
}
