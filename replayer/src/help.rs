//! What `--help` and the man pages say beyond the options: examples and exit codes of every
//! command, in one table.

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use std::ffi::OsString;

/// What all commands have in common.
const CODES: &str =
    "0  done\n2  bad usage, or nothing that can be read; one sentence says which file and what to do";
const LOSSES: &str = "0  done\n1  done, and a part of the log is missing or damaged\n2  bad usage, or nothing that can be read";
const VERDICTS: &str = "0  passed, or reproduced: what the recording ends with happened again\n1  diverged or blocked: the sentence names the step\n2  bad usage, or invalid: no log that can be replayed";
const SESSIONS: &str = "0  every session went through\n1  a session failed: a crash, a property that does not hold, something that cannot be done, no end\n2  bad usage, or nothing that can be read; one sentence says which file and what to do";
const SCRIPTS: &str =
    "0  all are as expected\n1  some are not\n2  bad usage, or a script that cannot be read; nothing was run";

/// What was asked for. A command that is misspelt behind `help` gets the suggestions that it gets by itself.
pub(crate) fn parse(command: &Command, given: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let parsed = command.clone().try_get_matches_from(given);
    let is_unknown = |error: &clap::Error| error.kind() == ErrorKind::InvalidSubcommand;
    match (parsed, given) {
        (Err(error), [program, help, rest @ ..]) if help == "help" && is_unknown(&error) => {
            let without =
                command.clone().try_get_matches_from([std::slice::from_ref(program), rest].concat());
            Err(without.err().filter(is_unknown).unwrap_or(error))
        }
        (parsed, _) => parsed,
    }
}

/// A command, its examples with what each does, its exit codes.
type Entry = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const TABLE: &[Entry] = &[
    (
        "run",
        &[
            ("dashcam run -- invoice.exe", "record a program that knows nothing of it"),
            (
                "dashcam run --log D:\\logs --retention 8h -- invoice.exe /new",
                "elsewhere, eight hours back, with arguments",
            ),
        ],
        "that of the program; 2 if it was not started",
    ),
    (
        "attach",
        &[
            ("dashcam attach --pid 4711", "record a program that runs"),
            ("dashcam attach --window Notepad", "the one with a window of this class"),
        ],
        CODES,
    ),
    (
        "check",
        &[
            ("dashcam check bug.dashcam", "what is in it, and is it whole?"),
            ("dashcam check bug.dashcam --secrets words.txt", "are my own words in it?"),
        ],
        "0  whole\n1  a part is missing or damaged, or a word was found\n2  bad usage, or nothing that can be read",
    ),
    (
        "show",
        &[("dashcam show bug.dashcam", "the steps, in words"), ("dashcam show --json log", "for programs")],
        LOSSES,
    ),
    (
        "replay",
        &[
            ("dashcam replay bug.dashcam --app invoice.exe", "start the program and do it again"),
            (
                "dashcam replay bug.dashcam --dry-run",
                "what would be done for each step, and why; on any system",
            ),
            (
                "dashcam replay bug.dashcam --secret password-1205=hush --app invoice.exe",
                "with a password, which a log never has",
            ),
            (
                "dashcam replay bug.dashcam --map-file C:\\kim\\a.txt=D:\\a.txt --app invoice.exe",
                "with a file that lies elsewhere",
            ),
            (
                "dashcam replay bug.dashcam --report page.html --screenshots --app invoice.exe",
                "and look at it; --app and its arguments come last",
            ),
        ],
        VERDICTS,
    ),
    (
        "report",
        &[
            ("dashcam report bug.dashcam --open", "look at a log"),
            ("dashcam report bug.dashcam --replay result.json -o page.html", "with what a replay made of it"),
        ],
        CODES,
    ),
    (
        "tree",
        &[
            ("dashcam tree bug.dashcam", "the windows at the end"),
            ("dashcam tree bug.dashcam --at 3", "after step 3 of `dashcam show`"),
        ],
        CODES,
    ),
    (
        "export",
        &[
            (
                "dashcam export %LOCALAPPDATA%\\Dashcam\\invoice -o bug.dashcam",
                "the newest session as one file, also after a crash",
            ),
            (
                "dashcam export trace.log -o bug.dashcam --force",
                "out of a program's own trace, over an older file",
            ),
        ],
        CODES,
    ),
    (
        "test",
        &[
            ("dashcam test tests", "all scripts of a folder, side by side"),
            (
                "dashcam test tests --shard 2/4 --retries 1 --junit result.xml --history history.json",
                "a part of them, in CI",
            ),
        ],
        SCRIPTS,
    ),
    (
        "baseline",
        &[("dashcam baseline tests\\invoice.toml", "capture what is compared, and find what is volatile")],
        "0  captured\n2  bad usage, a script that cannot be read, or one whose replay does not end as it expects",
    ),
    (
        "bless",
        &[
            ("dashcam bless --dry-run tests\\invoice.toml", "what is otherwise?"),
            ("dashcam bless tests\\invoice.toml", "expect it from now on"),
        ],
        "0  as expected, or accepted; with --dry-run, shown\n2  bad usage, a script that cannot be read, or a replay that told no verdict",
    ),
    (
        "minimize",
        &[(
            "dashcam minimize bug.dashcam --app invoice.exe",
            "the few steps that the crash needs, as a script",
        )],
        "0  a script was written\n1  the failure does not happen again, so nothing can be left out\n2  bad usage, or nothing that can be read",
    ),
    (
        "merge",
        &[("dashcam merge 1.jsonl 2.jsonl -o result.xml -o page.html", "one result of two shards")],
        "0  all are as expected\n1  some are not\n2  bad usage, or a result that cannot be read or is not whole",
    ),
    (
        "doctor",
        &[
            ("dashcam doctor", "does the installation work?"),
            ("dashcam doctor invoice.exe", "and with this program?"),
            ("dashcam doctor --pid 4711", "and with this one, which runs?"),
        ],
        "0  nothing would keep it from working\n1  something would; its line begins with a cross and ends with what to do\n2  bad usage",
    ),
    ("model", &[("dashcam model train logs\\*.dashcam -o use.json", "how is the program used?")], CODES),
    (
        "model check",
        &[("dashcam model check invoice.smid", "is it sound?")],
        "0  it is\n2  it is not; each complaint has its line; or bad usage",
    ),
    ("model draw", &[("dashcam model draw invoice.smid -o invoice.svg", "a picture of it")], CODES),
    ("model walk", &[("dashcam model walk invoice.smid --seed 7", "what would be done?")], CODES),
    ("model run", &[("dashcam model run invoice.smid --app invoice.exe", "do it to a program")], SESSIONS),
    ("model train", &[("dashcam model train a.dashcam b.dashcam -o use.json", "from two logs")], CODES),
    ("model stats", &[("dashcam model stats use.json", "what is used most, what never?")], CODES),
    (
        "model generate",
        &[("dashcam model generate use.json --seed 7", "sessions that users could have had")],
        CODES,
    ),
    (
        "model coverage",
        &[("dashcam model coverage use.json tests\\*.dashcam", "how much of the use do the tests cover?")],
        CODES,
    ),
    (
        "model probability",
        &[("dashcam model probability use.json bug.dashcam", "how unusual was that session?")],
        CODES,
    ),
    (
        "model compare",
        &[("dashcam model compare old.json new.json", "what changed between two versions?")],
        CODES,
    ),
];

/// The command line with all of it.
pub(crate) fn with_examples(command: Command) -> Command {
    let commands = command.get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
    let command = commands
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(&name, |command| add(command, &name)));
    command.after_long_help(section(
        "Begin with",
        &[
            ("dashcam run -- invoice.exe", "record a program"),
            ("dashcam export %LOCALAPPDATA%\\Dashcam\\invoice -o bug.dashcam", "make one file of it"),
            ("dashcam show bug.dashcam", "read what was done"),
            ("dashcam replay bug.dashcam --app invoice.exe", "do it again"),
        ],
    ) + "\n\nExit codes:\n" + &indented(
        "0  all is well\n1  a log with losses, words that were found, a replay or a test that went otherwise\n2  bad usage, or nothing that can be read",
    ) + "\n\n`dashcam COMMAND --help` says more about each.")
}

/// A command and those below it; `path` is its name with those above.
fn add(command: Command, path: &str) -> Command {
    let below = command.get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
    let command = below.into_iter().fold(command, |command, name| {
        command.mut_subcommand(&name, |below| add(below, &format!("{path} {name}")))
    });
    // A number below zero is a wrong number, and not an option that nobody knows.
    let command = command.mut_args(|arg| {
        let is_number = arg.get_long().is_some() && arg.get_action().takes_values();
        if is_number { arg.allow_negative_numbers(true) } else { arg }
    });
    match TABLE.iter().find(|(name, ..)| *name == path) {
        Some((_, examples, codes)) => command.after_long_help(format!(
            "{}\n\nExit codes:\n{}",
            section("Examples", examples),
            indented(codes)
        )),
        None => command,
    }
}

fn section(title: &str, examples: &[(&str, &str)]) -> String {
    let lines: Vec<String> =
        examples.iter().map(|(line, meaning)| format!("  {line}\n      {meaning}")).collect();
    format!("{title}:\n{}", lines.join("\n"))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn what_is_misspelt_behind_help_is_suggested_too() {
        let said = |line: &str| {
            let given: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            parse(&with_examples(crate::Arguments::command()), &given).err().map(|error| error.to_string())
        };
        assert!(said("dashcam help tre").is_some_and(|said| said.contains("'tree'")));
        assert!(said("dashcam help model trian").is_some_and(|said| said.contains("'train'")));
        assert!(said("dashcam help nothing-like-it").is_some_and(|said| said.contains("unrecognized")));
        assert!(said("dashcam help tree").is_some_and(|said| said.contains("dashcam tree")));
    }

    /// Every command that a user sees, with the names above it.
    fn walk(command: &Command, path: &str, found: &mut Vec<(String, Command)>) {
        for below in
            command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
        {
            let path = format!("{path} {}", below.get_name()).trim().to_owned();
            walk(below, &path, found);
            found.push((path, below.clone()));
        }
    }

    #[test]
    fn every_command_has_examples_that_it_understands() {
        let command = with_examples(crate::Arguments::command());
        let mut all = Vec::new();
        walk(&command, "", &mut all);
        for (path, found) in &all {
            let help = found.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{path} lacks them");
            assert!(found.get_about().is_some(), "{path} does not say what it does");
        }
        for (path, examples, _) in TABLE {
            assert!(all.iter().any(|(name, _)| name == path), "there is no {path}");
            for (line, _) in *examples {
                let parsed = command.clone().try_get_matches_from(line.split(' '));
                assert!(
                    parsed.is_ok(),
                    "{line}: {}",
                    parsed.err().map(|error| error.to_string()).unwrap_or_default()
                );
            }
        }
    }

    #[test]
    fn every_option_says_what_it_is_for() {
        let mut all = Vec::new();
        walk(&with_examples(crate::Arguments::command()), "", &mut all);
        for (path, command) in all {
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                assert!(argument.get_help().is_some(), "{path}: {}", argument.get_id());
            }
        }
    }

    /// Commands in the documentation: in blocks of code, and in spans of it.
    fn commands_of(page: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (number, part) in page.split("```").enumerate() {
            let spans: Vec<&str> = if number % 2 == 0 {
                part.split('`').skip(1).step_by(2).collect()
            } else {
                part.lines().collect()
            };
            for span in spans {
                // What stands behind a wider space says what the command does.
                let Some((_, command)) = span.split_once("dashcam ") else { continue };
                found.push(command.split("   ").next().unwrap_or_default().replace(['[', ']'], " "));
            }
        }
        found
    }

    /// Options that are not there, and options of ours behind `--app`, where they would be the program's.
    fn wrong_options(line: &str, command: &Command) -> Vec<String> {
        let mut words = line.split_whitespace().peekable();
        let mut command = command;
        while let Some(below) = words.peek().and_then(|word| command.find_subcommand(word)) {
            (command, _) = (below, words.next());
        }
        let ours: Vec<String> = command
            .get_arguments()
            .filter_map(|argument| argument.get_long())
            .map(|long| format!("--{long}"))
            .collect();
        let mut is_theirs = false;
        let mut wrong = Vec::new();
        for word in words.take_while(|word| *word != "--" && *word != ">") {
            let word = word.trim_end_matches(['…', ',', '.']);
            let is_ours = ours.iter().any(|option| option == word);
            if word.starts_with("--") && word != "--help" && word != "--version" && is_ours == is_theirs {
                wrong.push(word.to_owned());
            }
            is_theirs |= word == "--app";
        }
        wrong
    }

    #[test]
    fn the_documentation_names_options_that_are_there() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
        let command = with_examples(crate::Arguments::command());
        let mut count = 0;
        for page in
            docs.chain([root.join("README.md")]).filter(|page| page.extension().is_some_and(|e| e == "md"))
        {
            for line in commands_of(&std::fs::read_to_string(&page).unwrap()) {
                count += 1;
                let wrong = wrong_options(&line, &command);
                assert!(wrong.is_empty(), "{}: dashcam {line}: {wrong:?}", page.display());
            }
        }
        assert!(count > 80, "only {count} commands were found");
        assert_eq!(wrong_options("replay x --app a --json", &command), ["--json"]);
        assert_eq!(wrong_options("model run x --nubmer 3", &command), ["--nubmer"]);
    }

    #[test]
    fn a_misspelt_option_or_command_gets_the_nearest() {
        for (line, nearest) in [
            ("dashcam replay x --repot y", "--report"),
            ("dashcam shwo x", "show"),
            ("dashcam check --secret w x", "--secrets"),
        ] {
            let error = with_examples(crate::Arguments::command())
                .try_get_matches_from(line.split(' '))
                .expect_err(line);
            assert!(error.to_string().contains(nearest), "{error}");
        }
    }
}
