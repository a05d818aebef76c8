//! What follows `--app` is the program's. One of our own options there is told: it may be one of the
//! program's too, but most often it was meant for us, and nobody would notice.

use clap::{ArgMatches, Command};

/// A note on such an option, if there is one.
pub(crate) fn note(command: &Command, matches: &ArgMatches) -> Option<String> {
    if let Some((name, matches)) = matches.subcommand() {
        return note(command.find_subcommand(name)?, matches);
    }
    let mut app = matches.try_get_many::<String>("app").ok().flatten()?;
    let program = app.next()?;
    let is_ours = |word: &&String| {
        let name = word.strip_prefix("--").map(|name| name.split('=').next().unwrap_or(name));
        name.is_some_and(|name| command.get_arguments().any(|argument| argument.get_long() == Some(name)))
    };
    let option = app.find(is_ours)?;
    Some(format!("{option} is given to {program}: if it is not for that program, put it before --app"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn an_option_of_ours_behind_app_is_told() {
        let of = |line: &str| {
            let command = crate::Arguments::command();
            let matches = command.clone().try_get_matches_from(line.split(' ')).unwrap();
            note(&command, &matches)
        };
        let told = of("dashcam replay x --app a.exe --report p.html").unwrap();
        assert!(told.starts_with("--report is given to a.exe"), "{told}");
        assert!(of("dashcam model run x --app a.exe --seed=1").is_some());
        for fine in [
            "dashcam replay x --report p.html --app a.exe --at 1 -n",
            "dashcam show x",
            "dashcam doctor a.exe",
        ] {
            assert_eq!(of(fine), None, "{fine}");
        }
    }
}
