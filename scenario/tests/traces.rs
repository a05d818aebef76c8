//! Traces: the semantics rule by rule on an application in memory, generators and the sets they stand for,
//! and failing traces that shrink.

use fastrand::Rng;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, FileFailurePersistence, RngAlgorithm, TestError, TestRng, TestRunner};
use scenario::{
    Action, Application, Event, Execution, Generator, Life, Outcome, Property, Role, Rule, Scene, Target,
    Texts, Trace, Widget, click, execute, gorilla, monkey, read, relevant_monkey, typed,
};

/// A small program: a list that grows and shrinks, a dialog, an edit, and a crash when the third item is
/// removed while the box is checked.
#[derive(Default)]
struct Shop {
    items: usize,
    is_checked: bool,
    has_dialog: bool,
    text: String,
    crash: Option<String>,
    is_busy: bool,
    /// Whether nothing can come from outside.
    is_alone: bool,
    has_ended: bool,
    starts: usize,
    /// What the program does by itself at the next look.
    later: Option<fn(&mut Shop)>,
}

const NAMES: [&str; 6] = ["Add", "Remove", "Wrap", "Ask", "Name", "Hang"];

impl Application for Shop {
    fn look(&mut self) -> Scene {
        if let Some(later) = self.later.take() {
            later(self);
        }
        let widget = |key: u64, parent, name: &str, role| Widget {
            key,
            parent,
            id: None,
            name: name.into(),
            class: "c".into(),
            role,
            text: String::new(),
            is_displayed: true,
            is_enabled: true,
            is_checked: None,
            is_focused: false,
        };
        let mut widgets = vec![widget(1, None, "Shop", Role::Window)];
        for (at, name) in NAMES.into_iter().enumerate() {
            let role = match name {
                "Wrap" => Role::CheckBox,
                "Name" => Role::Edit,
                _ => Role::Button,
            };
            let mut it = widget(10 + at as u64, Some(1), name, role);
            it.is_enabled = !self.has_dialog && (name != "Remove" || self.items > 0);
            it.is_checked = (name == "Wrap").then_some(self.is_checked);
            it.text = if name == "Name" { self.text.clone() } else { String::new() };
            widgets.push(it);
        }
        if self.has_dialog {
            widgets.push(widget(2, None, "Really?", Role::Dialog));
            widgets.push(widget(20, Some(2), "Yes", Role::Button));
            widgets.push(widget(21, Some(2), "No", Role::Button));
        }
        Scene { widgets }
    }

    fn act(&mut self, event: &Event, widget: u64) -> Result<(), String> {
        match (&event.action, widget) {
            (Action::Click(_), 10) => self.items += 1,
            (Action::Click(_), 11) => {
                if self.items == 3 && self.is_checked {
                    self.crash = Some("access violation in remove".into());
                }
                self.items -= 1;
            }
            (Action::Click(_), 12) => self.is_checked = !self.is_checked,
            (Action::Click(_), 13) => self.has_dialog = true,
            (Action::Click(_), 15) => self.is_busy = true,
            (Action::Click(_), 20 | 21) => self.has_dialog = false,
            (Action::Type(text), 14) => self.text.push_str(text),
            (Action::Menu(path), _) if path == &["Shop", "Ask"] => self.has_dialog = true,
            (Action::Close, 1) => self.has_ended = true,
            (Action::Interrupt(_), _) if self.is_alone => return Err("nobody else is there".into()),
            (Action::Interrupt(_) | Action::Sleep(_), _) => {}
            _ => return Err("the shop cannot do that".into()),
        }
        Ok(())
    }

    fn items(&mut self, action: &Action, _widget: u64) -> Vec<Vec<String>> {
        let path = |item: &str| vec!["Shop".to_owned(), item.to_owned()];
        if matches!(action, Action::Menu(_)) {
            ["Closed", "Ask", "Greyed"].map(path).into()
        } else {
            Vec::new()
        }
    }

    fn idle(&mut self) -> bool {
        !self.is_busy
    }

    fn alive(&mut self) -> Life {
        match &self.crash {
            Some(report) => Life::Crashed(report.clone()),
            None if self.has_ended => Life::Ended,
            None => Life::Running,
        }
    }

    fn predicate(&mut self, name: &str, args: &[String], _scene: &Scene) -> Option<bool> {
        (name == "items").then(|| args == [self.items.to_string()])
    }

    fn restart(&mut self) -> Result<(), String> {
        *self = Self { starts: self.starts + 1, ..Self::default() };
        Ok(())
    }
}

fn trace(text: &str) -> Trace {
    read(text).unwrap_or_else(|complaint| panic!("{}", complaint.show(text))).only().expect("one trace")
}

fn run(text: &str) -> (Execution, Shop) {
    let mut shop = Shop::default();
    (execute(&trace(text), &mut shop, &mut Rng::with_seed(1)), shop)
}

#[test]
fn each_rule_of_the_figure() {
    use Rule::*;
    for (text, rules, outcome) in [
        ("unit", vec![NoOp], "success"),
        ("click \"Add\"", vec![Enabled, NoOp], "success"),
        ("click \"Remove\"", vec![Block1], "blocked at click \"Remove\": it takes no input"),
        ("click \"Nobody\"", vec![Block1], "blocked at click \"Nobody\": there is no such widget"),
        ("type \"x\" into *", vec![Inferred, NoOp], "success"),
        ("select \"x\" in *", vec![Block2], "blocked at select \"x\" in *: there is no widget for it now"),
        ("menu *", vec![Inferred, NoOp], "success"),
        (
            "menu \"Shop\" > \"Greyed\"",
            vec![Block1],
            "blocked at menu \"Shop\" > \"Greyed\": the shop cannot do that",
        ),
        ("select * in \"Name\"", vec![Block2], "blocked at select * in \"Name\": it has no items"),
        ("click \"Add\" >> skip", vec![Seq1, Enabled, Seq2, Enabled, NoOp], "success"),
        (
            "click \"Remove\" >> skip",
            vec![Seq1, Block1, Seq3],
            "blocked at click \"Remove\": it takes no input",
        ),
        ("assert enabled \"Add\"", vec![AssertPass, NoOp], "success"),
        ("assert enabled \"Remove\"", vec![AssertFail], "failed: enabled \"Remove\""),
        ("(click \"Add\")?", vec![Try1, Enabled, NoOp, Try2, NoOp], "success"),
        ("(click \"Remove\")?", vec![Try1, Block1, Try2, NoOp], "success"),
        ("(assert enabled \"Remove\")?", vec![Try1, AssertFail, Try3], "failed: enabled \"Remove\""),
        ("when enabled \"Add\" then skip", vec![Qualified, Enabled, NoOp], "success"),
        ("when enabled \"Remove\" then skip", vec![Unqualified, NoOp], "success"),
        (
            "click \"Hang\" >> skip",
            vec![Seq1, Enabled, Timeout],
            "timeout: the application was not done in time",
        ),
    ] {
        let (execution, _) = run(text);
        assert_eq!(execution.rules, rules, "{text}");
        assert_eq!(execution.outcome.to_string(), outcome, "{text}");
    }
    let crash = "click \"Wrap\" >> click \"Add\" >> click \"Add\" >> click \"Add\" >> (click \"Remove\")? >> click \"Add\"";
    let (execution, _) = run(crash);
    assert_eq!(execution.outcome, Outcome::Crash("access violation in remove".into()));
    assert_eq!(execution.rules.last(), Some(&Crash));
    assert_eq!(execution.executed.len(), 5);
}

#[test]
fn the_figure_is_synchronous() {
    // The paper's own example: what was clicked has happened before the next assertion.
    let (execution, shop) =
        run("assert items(0) >> click \"Add\" >> assert items(1) >> click \"Add\" >> assert items(2)");
    assert_eq!((execution.outcome, shop.items), (Outcome::Success, 2));
    let (execution, _) = run("assert nobody()");
    assert!(execution.outcome.to_string().contains("nobody has defined the predicate nobody"));
}

#[test]
fn what_the_application_does_by_itself_is_seen_by_the_next_rule() {
    let mut shop = Shop { later: Some(|shop| shop.items = 7), ..Shop::default() };
    let execution = execute(&trace("click \"Remove\" >> assert items(6)"), &mut shop, &mut Rng::with_seed(1));
    assert_eq!(execution.outcome, Outcome::Success);
}

#[test]
fn an_inferred_widget_is_named_and_the_executed_trace_does_the_same_again() {
    for seed in 0..40 {
        let mut runner = TestRunner::new_with_rng(
            Config::default(),
            TestRng::deterministic_rng(Config::default().rng_algorithm),
        );
        for _ in 0..seed % 7 {
            let _ = relevant_monkey(12).new_tree(&mut runner);
        }
        let trace = relevant_monkey(12).new_tree(&mut runner).unwrap().current();
        let (mut one, mut two) = (Shop::default(), Shop::default());
        let execution = execute(&trace, &mut one, &mut Rng::with_seed(seed));
        assert!(execution.executed.iter().all(Event::is_concrete), "{:?}", execution.executed);
        let again = execute(&execution.trace(), &mut two, &mut Rng::with_seed(99));
        assert_eq!(
            (one.items, one.is_checked, &one.text, &one.crash),
            (two.items, two.is_checked, &two.text, &two.crash)
        );
        if execution.outcome.is_success() {
            assert_eq!(again.outcome, Outcome::Success, "{}", execution.trace());
        }
        // And what was executed can be written down.
        assert_eq!(read(&execution.trace().to_file()).unwrap().only(), Some(execution.trace()));
    }
}

#[test]
fn a_failing_trace_shrinks_until_nothing_can_be_left_out() {
    let any = click("Add")
        | click("Remove").attempt()
        | click("Wrap")
        | (click("Ask") >> click("No"))
        | typed("x", Target::named("Name"));
    let config =
        Config { cases: 2000, failure_persistence: None, max_shrink_iters: 100_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[1; 32]));
    let failure = runner.run(&any.repeat(20), |trace| {
        let execution = execute(&trace, &mut Shop::default(), &mut Rng::with_seed(1));
        prop_assert!(!matches!(execution.outcome, Outcome::Crash(_)));
        Ok(())
    });
    let Err(TestError::Fail(_, trace)) = failure else { panic!("the crash was not found") };
    // What was executed ends with the crash, whatever was to follow.
    let trace = execute(&trace, &mut Shop::default(), &mut Rng::with_seed(1)).trace();
    // Nothing can be left out any more. (Two clicks on the box undo each other, and are left
    // out only together.)
    assert!(trace.parts().len() <= 9, "{trace}");
    for at in 0..trace.parts().len() {
        let rest =
            trace.parts().iter().enumerate().filter(|(part, _)| *part != at).map(|(_, part)| part.clone());
        let execution = execute(&Trace::sequence(rest), &mut Shop::default(), &mut Rng::with_seed(1));
        assert!(!matches!(execution.outcome, Outcome::Crash(_)), "{trace} without part {at}");
    }
}

/// An item that is left open is named by the executed trace, which does the same again.
#[test]
fn the_item_that_was_taken_is_named() {
    let (execution, _) = run("menu *");
    assert_eq!(execution.trace().to_string(), "menu \"Shop\" > \"Ask\"");
    assert_eq!(run(&execution.trace().to_file()).0.executed, execution.executed);
}

/// A desktop does not allow every interrupt at any time: a sequence goes on without those.
#[test]
fn a_sequence_goes_on_without_interrupts_that_cannot_be() {
    let twice = read("click \"Add\" *>> click \"Add\"").unwrap();
    let mut runner = TestRunner::deterministic();
    for is_alone in [true, false] {
        let trace = twice.new_tree(&mut runner).unwrap().current();
        let mut shop = Shop { is_alone, ..Shop::default() };
        let execution = execute(&trace, &mut shop, &mut Rng::with_seed(1));
        assert_eq!((execution.outcome, shop.items), (Outcome::Success, 2), "{trace}");
        assert_eq!(execution.executed.len() == 2, is_alone, "{trace}");
    }
}

/// What is pinned fails again: it ends with the property that did not hold, or the event that
/// could not be done.
#[test]
fn a_pinned_execution_ends_the_same_way() {
    for text in [
        "click \"Add\" >> assert items(1) >> click * >> assert items(7) >> click \"Add\"",
        "click \"Ask\" >> (click \"Add\")? >> click \"Remove\" >> click \"No\"",
        "click \"Add\" >> click \"Add\"",
    ] {
        let (first, _) = run(text);
        let again = run(&first.pinned().to_file()).0;
        assert_eq!((&again.outcome, &again.executed), (&first.outcome, &first.executed), "{text}");
    }
}

/// The seed of a failing trace is kept in a file; with that file the trace is the first one that is tried.
/// The shortest one is pinned as a text.
#[test]
fn a_failing_trace_is_kept() {
    let file = std::env::temp_dir().join(format!("dashcam-regressions-{}.txt", std::process::id()));
    let file: &'static str = file.display().to_string().leak();
    let _ = std::fs::remove_file(file);
    let any = (click("Add") | click("Remove").attempt() | click("Wrap")).repeat(20);
    let hunt = || {
        let tried = std::cell::Cell::new(None);
        let count = std::cell::Cell::new(0);
        let config = Config {
            cases: 2000,
            failure_persistence: Some(Box::new(FileFailurePersistence::Direct(file))),
            source_file: Some(file!()),
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]));
        let failure = runner.run(&any, |trace| {
            count.set(count.get() + 1);
            let execution = execute(&trace, &mut Shop::default(), &mut Rng::with_seed(1));
            let is_crash = matches!(execution.outcome, Outcome::Crash(_));
            if is_crash && tried.get().is_none() {
                tried.set(Some(count.get()));
            }
            prop_assert!(!is_crash);
            Ok(())
        });
        let Err(TestError::Fail(_, trace)) = failure else { panic!("the crash was not found") };
        (tried.get().unwrap(), trace)
    };
    let (first, shortest) = hunt();
    let (again, same) = hunt();
    std::fs::remove_file(file).unwrap();
    assert!(first > 1 && again == 1, "{first} {again}");
    assert_eq!(shortest, same);
    let pinned = run(&shortest.to_file()).0;
    assert!(matches!(pinned.outcome, Outcome::Crash(_)), "{}", pinned.outcome);
}

/// Any generator, up to a depth.
fn generators() -> impl Strategy<Value = Generator> {
    let leaf = prop_oneof![
        Just(Generator::Unit),
        Just(click("Add")),
        Just(Generator::from(Event::new(Action::Click(vec![]), Target::Any))),
        Just(Generator::Assert(Property::Exists(Target::named("Add")))),
        (0..9_usize).prop_map(|most| Generator::Type(Texts::UpTo(most), Target::Any)),
        Just(Generator::Type(Texts::OneOf(vec!["a".into(), "b".into()]), Target::Focus)),
        (-9..9_i32, 0..9_i32)
            .prop_map(|(x, w)| Generator::Point(Action::Click(vec![]), [x, x, x + w, x + w])),
        (0..9_u64).prop_map(|least| Generator::Sleep(least, least + 5)),
        Just(relevant_monkey(3)),
        Just(monkey(3, [0, 0, 9, 9])),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a >> b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a | b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.interruptible(b)),
            inner.clone().prop_map(Generator::optional),
            inner.clone().prop_map(Generator::attempt),
            inner.clone().prop_map(|g| Generator::When(Property::Enabled(Target::named("Add")), Box::new(g))),
            inner.clone().prop_map(|g| g.preserves(Property::Exists(Target::named("Shop")))),
            (1..4_usize, inner.clone()).prop_map(|(n, g)| g.repeat(n)),
            (1..3_usize, inner).prop_map(|(n, g)| gorilla(n, g)),
        ]
    })
}

proptest! {
    #![proptest_config(Config { cases: 300, ..Config::default() })]

    #[test]
    fn every_generated_trace_is_in_the_set(generator in generators()) {
        let mut runner = TestRunner::deterministic();
        for _ in 0..3 {
            let mut tree = generator.new_tree(&mut runner).unwrap();
            prop_assert!(generator.contains(&tree.current()), "{}", tree.current());
            // A trace that shrinks stays in the set.
            for _ in 0..20 {
                if !tree.simplify() {
                    break;
                }
                prop_assert!(generator.contains(&tree.current()), "{}", tree.current());
            }
        }
    }

    #[test]
    fn a_trace_of_another_set_is_not_in_it(generator in generators()) {
        let strange = Event::new(Action::Keys("F12".into()), Target::named("nowhere"));
        let trace = generator.new_tree(&mut TestRunner::deterministic()).unwrap().current();
        prop_assert!(!generator.contains(&trace.then(strange.into())));
    }
}
