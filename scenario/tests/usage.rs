//! Usage models: probabilities are probabilities, chains are exact, generated sessions are ones that
//! users could have had.

use fastrand::Rng;
use proptest::prelude::*;
use scenario::usage::{
    Executability, Feature, Generated, Kind, Model, ModelError, Occurrence, Predictor, Session, Walker, Way,
    compare, coverage, every, generate, picture, statistics,
};
use scenario::{Action, Application, Event, Life, Outcome, Role, Scene, Target, Widget, execute};

const KINDS: [Kind; 8] = [
    Kind::Chain(0),
    Kind::Chain(1),
    Kind::Chain(2),
    Kind::Chain(4),
    Kind::Ppm(1),
    Kind::Ppm(3),
    Kind::Ctw(1),
    Kind::Ctw(3),
];

/// A model of sessions that are given as letters; each letter is a button, capitals are in a dialog.
fn model(program: &str, sessions: &[&str]) -> Model {
    let mut model = Model::new(program);
    let windows = [model.window("Main"), model.window("Dialog")];
    for (number, session) in sessions.iter().enumerate() {
        let steps = session.chars().map(|c| {
            let event = Event::new(Action::Click(vec![]), Target::named(c.to_string()));
            let window = windows[usize::from(c.is_uppercase())];
            let feature = model.feature(Feature {
                event: event.clone(),
                label: format!("press “{c}”"),
                window,
                is_cancel: c == 'X',
                widget: format!("{c} in it"),
                examples: vec![event],
            });
            Occurrence { feature, millis: 100 * number as u32, open: vec![window] }
        });
        let steps = steps.collect();
        model.sessions.push(Session { name: number.to_string(), is_whole: true, steps });
    }
    model
}

fn sequences() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(0..6_u32, 0..20), 1..8)
}

proptest! {
    #[test]
    fn probabilities_sum_to_one(sequences in sequences(), history in prop::collection::vec(0..6_u32, 0..6)) {
        for kind in KINDS {
            let predictor = Predictor::train(&sequences, 6, kind);
            let shares = predictor.distribution(&history);
            prop_assert_eq!(shares.len(), 8);
            prop_assert!(shares.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)), "{:?} {:?}", kind, shares);
            let sum: f64 = shares.iter().sum();
            // A chain says nothing where it has never been.
            let is_silent = matches!(kind, Kind::Chain(1..)) && sum == 0.0;
            prop_assert!(is_silent || (sum - 1.0).abs() < 1e-9, "{:?}: {}", kind, sum);
        }
    }

    #[test]
    fn chains_reproduce_the_likelihood_of_their_training(sequences in sequences()) {
        // Counted here once more, in another way.
        for order in 0..4_usize {
            let mut counts = std::collections::HashMap::new();
            let mut totals = std::collections::HashMap::new();
            let mut rows = Vec::new();
            for sequence in &sequences {
                for at in 0..=sequence.len() {
                    let context: Vec<Option<u32>> = (1..=order).map(|back| at.checked_sub(back).map(|at| sequence[at])).collect();
                    let row = (context.clone(), sequence.get(at).copied());
                    *counts.entry(row.clone()).or_insert(0_u32) += 1;
                    *totals.entry(context).or_insert(0_u32) += 1;
                    rows.push(row);
                }
            }
            let bits: f64 = rows.iter().map(|row| -(f64::from(counts[row]) / f64::from(totals[&row.0])).log2()).sum();
            let loss = Predictor::train(&sequences, 6, Kind::Chain(order)).loss(&known(&sequences));
            prop_assert_eq!(loss.impossible, 0);
            prop_assert_eq!(loss.predicted, rows.len());
            prop_assert!((loss.bits - bits).abs() < 1e-6, "order {}: {} and {}", order, loss.bits, bits);
        }
    }

    #[test]
    fn generated_sessions_are_allowed(seed in 0..1000_u64, sessions in prop::collection::vec("[a-d]{0,3}[A-CX]{0,3}[a-d]{0,2}", 1..6)) {
        let sessions: Vec<&str> = sessions.iter().map(String::as_str).collect();
        let model = model("p", &sessions);
        let can = Executability::of(&model);
        for way in [Way::Random, Way::Probable, Way::Greedy] {
            for kind in [Kind::Chain(1), Kind::Ppm(3), Kind::Ctw(3)] {
                for session in generate(&model, kind, way, 5, 12, &mut Rng::with_seed(seed)) {
                    prop_assert!(session.steps.len() <= 12);
                    prop_assert!(can.allows(&session.steps), "{:?} {:?}", way, session);
                    // What the first-order chain has never seen is never generated.
                    let loss = Predictor::of(&model, Kind::Chain(1)).loss(&known(std::slice::from_ref(&session.steps)));
                    prop_assert!(loss.impossible <= usize::from(!session.is_ended), "{:?}", session);
                }
            }
        }
        let (all, is_cut) = every(&model, 2, 1000);
        prop_assert!(!is_cut && all.iter().all(|session| session.steps.len() == 2 && can.allows(&session.steps)));
        let distinct: std::collections::BTreeSet<&Vec<u32>> = all.iter().map(|session| &session.steps).collect();
        prop_assert_eq!(distinct.len(), all.len());
    }

    #[test]
    fn merged_models_are_models_of_all_logs(first in prop::collection::vec("[a-eA-C]{0,9}", 1..4), second in prop::collection::vec("[c-gB-D]{0,9}", 1..4)) {
        let texts = |texts: &[String]| -> Vec<String> { texts.to_vec() };
        let all: Vec<String> = texts(&first).into_iter().chain(texts(&second)).collect();
        let strs = |texts: &[String]| model("p", &texts.iter().map(String::as_str).collect::<Vec<_>>());
        let together = strs(&all);
        let mut merged = strs(&first);
        merged.merge(strs(&second)).unwrap();
        prop_assert_eq!(merged.features.len(), together.features.len());
        for kind in KINDS {
            let loss = |model: &Model| Predictor::of(model, kind).loss(&known(&model.sequences())).bits;
            prop_assert!((loss(&merged) - loss(&together)).abs() < 1e-6);
        }
        prop_assert!(compare(&merged, &together).divergence.abs() < 1e-9);
    }
}

fn known(sequences: &[Vec<u32>]) -> Vec<Vec<Option<u32>>> {
    sequences.iter().map(|steps| steps.iter().copied().map(Some).collect()).collect()
}

#[test]
fn partial_match_escapes_as_method_c_says() {
    // After “a” came b twice and c once: 2/5, 1/5, and 2/5 for what is left. Below, without b and c, come a
    // (3 times) and the end (once): 3/6 and 1/6 of that.
    let predictor = Predictor::train(&[vec![0, 1, 0, 1, 0, 2]], 4, Kind::Ppm(1));
    let shares = predictor.distribution(&[0]);
    let expected = [
        2.0 / 5.0 * 3.0 / 6.0,
        2.0 / 5.0,
        1.0 / 5.0,
        2.0 / 5.0 * 2.0 / 6.0 / 2.0,
        2.0 / 5.0 / 6.0,
        2.0 / 5.0 * 2.0 / 6.0 / 2.0,
    ];
    for (share, expected) in shares.iter().zip(expected) {
        assert!((share - expected).abs() < 1e-12, "{shares:?}");
    }
}

#[test]
fn longer_contexts_pay_where_use_has_them() {
    // What comes after “b” depends on what came before it.
    let usage = model("p", &["abcabcxbyxby"; 20]);
    let held_out = known(
        &model("p", &["abcxbyabc"])
            .sequences()
            .iter()
            .map(|_| vec![0, 1, 2, 3, 1, 4, 0, 1, 2])
            .collect::<Vec<_>>(),
    );
    let loss = |kind| Predictor::of(&usage, kind).loss(&held_out).per_step();
    assert!(loss(Kind::Ppm(3)) < loss(Kind::Ppm(1)), "{} {}", loss(Kind::Ppm(3)), loss(Kind::Ppm(1)));
    assert!(loss(Kind::Ctw(3)) < loss(Kind::Ctw(1)));
    let strange = [vec![None, Some(0)]];
    assert_eq!(Predictor::of(&usage, Kind::Chain(1)).loss(&strange).impossible, 3);
    assert_eq!(Predictor::of(&usage, Kind::Ppm(3)).loss(&strange).impossible, 0);
    assert_eq!(Predictor::of(&usage, Kind::Ctw(3)).loss(&strange).impossible, 0);
}

#[test]
fn nothing_is_done_in_a_window_that_is_not_open() {
    // “b” follows both “a” and the dialog's “A”; in the dialog the main window takes no input
    // until it is closed.
    let mut model = model("p", &["abAb"]);
    for step in &mut model.sessions[0].steps {
        step.open = vec![0, 1];
    }
    assert!(Executability::of(&model).allows(&[0, 1, 2, 1]));
    model.sessions[0].steps[3].open = vec![1];
    assert!(!Executability::of(&model).allows(&[0, 1, 2, 1]));
    model.sessions[0].is_whole = false;
    assert!(
        generate(&model, Kind::Chain(1), Way::Random, 3, 9, &mut Rng::with_seed(1)).is_empty(),
        "nobody knows how it begins"
    );
}

/// Whether the dialog comes after “b” hangs on what was before it: the recorded windows say so.
#[test]
fn the_longest_way_that_is_known_says_which_windows_are_open() {
    let mut model = model("p", &["abAcb", "cbAcb"]);
    let dialog = [1];
    // After “acb” no dialog has come, though one has come after “ab” and “cb”.
    for session in &mut model.sessions {
        for step in &mut session.steps {
            step.open =
                if model.features[step.feature as usize].window == 1 { dialog.into() } else { vec![0] };
        }
    }
    let place = |c: char| model.features.iter().position(|it| it.label.contains(c)).unwrap() as u32;
    let [a, b, dialog, c] = ['a', 'b', 'A', 'c'].map(place);
    let can = Executability::of(&model);
    assert!(can.allows(&[a, b, dialog, c, b]));
    assert!(can.allows(&[c, b, dialog]));
    assert!(!can.allows(&[a, b, c]), "the dialog is still open");
}

/// What a trace cannot do is no step of a generated session; what came after it follows what came before it.
#[test]
fn steps_that_no_trace_can_do_are_left_out() {
    let mut model = model("p", &["abc", "abc"]);
    model.features[1].event.action = Action::Other("set the date".into());
    let can = Executability::of(&model);
    assert!(can.allows(&[0, 2]) && !can.allows(&[0, 1]));
    for session in generate(&model, Kind::Ppm(2), Way::Probable, 5, 9, &mut Rng::with_seed(1)) {
        assert_eq!(session.steps, [0, 2]);
    }
}

/// Nobody can select what nobody has made.
#[test]
fn an_item_that_users_typed_is_selected_only_where_it_was_typed() {
    let mut model = model("p", &["ab", "b"]);
    let typed = |text: &str| Event::new(Action::Type(text.into()), Target::named("a"));
    let select = |path: &[&str]| {
        Event::new(Action::Select(path.iter().map(|&text| text.into()).collect()), Target::named("b"))
    };
    model.features[0].examples = vec![typed("tea")];
    model.features[1].event = select(&[]);
    model.features[1].examples = vec![select(&["lamp"]), select(&["tea"])];
    model.features.push(Feature { examples: vec![typed("lamp")], ..model.features[0].clone() });
    let trace = |steps: &[u32]| {
        let session = Generated { steps: steps.into(), is_ended: true };
        session.trace(&model, &mut Rng::with_seed(1)).to_string()
    };
    assert_eq!(trace(&[0, 1]), "type \"tea\" into \"a\" >> select \"tea\" in \"b\"");
    assert_eq!(trace(&[1]), "select * in \"b\"");
}

/// A program whose dialog comes only every other time.
#[derive(Default)]
struct Door {
    knocks: usize,
    is_open: bool,
}

impl Application for Door {
    fn look(&mut self) -> Scene {
        let widget = |key: u64, parent: Option<u64>, name: &str, role, is_enabled| Widget {
            key,
            parent,
            id: None,
            name: name.into(),
            class: "c".into(),
            role,
            text: String::new(),
            is_displayed: true,
            is_enabled,
            is_checked: None,
            is_focused: false,
        };
        let is_free = !self.is_open;
        let mut widgets = vec![
            widget(1, None, "Main", Role::Window, is_free),
            widget(2, Some(1), "a", Role::Button, is_free),
            widget(3, Some(1), "b", Role::Button, is_free),
        ];
        if self.is_open {
            widgets.push(widget(4, None, "Dialog", Role::Dialog, true));
            widgets.push(widget(5, Some(4), "A", Role::Button, true));
        }
        Scene { widgets }
    }

    fn act(&mut self, _event: &Event, widget: u64) -> Result<(), String> {
        match widget {
            3 => {
                self.knocks += 1;
                self.is_open = self.knocks.is_multiple_of(2);
            }
            5 => self.is_open = false,
            _ => {}
        }
        Ok(())
    }

    fn idle(&mut self) -> bool {
        true
    }

    fn alive(&mut self) -> Life {
        Life::Running
    }

    fn restart(&mut self) -> Result<(), String> {
        *self = Self::default();
        Ok(())
    }
}

#[test]
fn a_walk_takes_another_step_where_a_generated_session_is_blocked() {
    // Whoever was recorded has always seen the dialog.
    let usage = model("p", &["abAabAa", "aabAbA"]);
    let blocked = generate(&usage, Kind::Ppm(2), Way::Probable, 20, 12, &mut Rng::with_seed(3));
    let is_blocked = |trace| {
        let execution = execute(&trace, &mut Door::default(), &mut Rng::with_seed(1));
        matches!(execution.outcome, Outcome::Blocked(..))
    };
    assert!(blocked.iter().any(|it| is_blocked(it.trace(&usage, &mut Rng::with_seed(1)))));
    let walker = Walker::of(usage.clone(), Kind::Ppm(2)).unwrap();
    let mut dialogs = 0;
    for seed in 0..50 {
        let execution = walker.session(12, &mut Door::default(), &mut Rng::with_seed(seed));
        assert_eq!(execution.outcome, Outcome::Success);
        let events = &execution.executed;
        assert!(
            !events.is_empty()
                && events.iter().all(|event| usage.features.iter().any(|it| it.event == *event))
        );
        dialogs += events.iter().filter(|event| event.target == Target::named("A")).count();
    }
    assert!(dialogs > 10, "{dialogs}");
    let mut late = usage;
    late.sessions.iter_mut().for_each(|session| session.is_whole = false);
    assert!(Walker::of(late, Kind::Ppm(2)).is_none(), "nobody knows how it begins");
}

/// A model keeps a share for what nobody did yet: a walk that sees that it can be done takes it, as seldom
/// as the model says.
#[test]
fn a_walk_sometimes_does_what_users_did_elsewhere() {
    let walker = Walker::of(model("p", &["abab", "abab", "abab"]), Kind::Ppm(2)).unwrap();
    let (mut known, mut new) = (0, 0);
    for seed in 0..200 {
        let execution = walker.session(2, &mut Door::default(), &mut Rng::with_seed(seed));
        match execution.trace().to_string().as_str() {
            "click \"a\" >> click \"b\"" => known += 1,
            "click \"a\" >> click \"a\"" => new += 1,
            _ => {}
        }
    }
    assert!(new > 5 && known > 4 * new, "{known} {new}");
}

/// The dialog opens at the second `b`, and none of these users met it.
#[test]
fn a_walk_that_meets_what_no_user_met_says_so() {
    let walker = Walker::of(model("p", &["ababab", "ababab", "ababab"]), Kind::Ppm(2)).unwrap();
    let mut ends = [0, 0];
    for seed in 0..50 {
        let mut door = Door::default();
        match walker.session(10, &mut door, &mut Rng::with_seed(seed)).outcome {
            Outcome::Success => ends[0] += usize::from(!door.is_open),
            Outcome::Blocked(_, why) => {
                assert!(door.is_open && why.contains("\"Dialog\""), "{why}");
                ends[1] += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert!(ends[1] > 10 && ends[0] + ends[1] == 50, "{ends:?}");
}

#[test]
fn greedy_sessions_cover_more_use_than_random_ones() {
    let usage = model("p", &["abcdefgh", "abcdefgh", "acbdfegh", "hgfedcba", "aaaabbbb", "ghabcdab"]);
    let covered = |way| {
        let sessions = generate(&usage, Kind::Chain(1), way, 3, 10, &mut Rng::with_seed(7));
        coverage(
            &usage.sequences(),
            &known(&sessions.iter().map(|it| it.steps.clone()).collect::<Vec<_>>()),
            2,
        )[1]
        .weight
    };
    assert!(covered(Way::Greedy) > covered(Way::Random), "{} {}", covered(Way::Greedy), covered(Way::Random));
    let own = coverage(&usage.sequences(), &known(&usage.sequences()), 3);
    assert!(
        own.iter().all(|share| share.weight == 1.0 && share.covered == share.all && share.missing.is_none())
    );
}

#[test]
fn statistics_tell_what_people_ask() {
    let mut usage = model("p", &["abAXab", "abAXab", "abc"]);
    usage.offered.extend(["a in it".to_owned(), "z in it".to_owned()]);
    let told = statistics(&usage);
    assert_eq!((told.sessions, told.steps), (3, 15));
    assert_eq!((told.uses[0].label.as_str(), told.uses[0].count, told.uses[0].sessions), ("press “a”", 5, 3));
    assert_eq!(told.never, ["z in it"]);
    assert_eq!(
        (told.cancels[0].window.as_str(), told.cancels[0].after.as_deref(), told.cancels[0].count),
        ("Dialog", Some("press “A”"), 2)
    );
    assert_eq!((told.paths[0].labels.len(), told.paths[0].count), (6, 2));
    assert!(told.entropy > 0.0);
    assert!(picture(&usage, 10).to_svg().contains("press “a”"));
}

#[test]
fn versions_are_compared() {
    let (one, two) = (model("p", &["abab"]), model("p", &["abcc"]));
    let told = compare(&one, &two);
    assert_eq!(
        (told.features[0].label.as_str(), told.features[0].before, told.features[0].after),
        ("press “c”", 0.0, 0.5)
    );
    assert!(told.divergence > 0.0 && told.divergence < 1.0);
    assert!((compare(&model("p", &["ab"]), &model("p", &["cd"])).divergence - 1.0).abs() < 1e-9);
}

#[test]
fn files_come_back_and_strangers_are_refused() {
    let usage = model("p", &["abAX"]);
    assert_eq!(Model::from_json(&usage.to_json()), Ok(usage.clone()));
    let newer = usage.to_json().replacen("\"dashcam_model\":1", "\"dashcam_model\":2,\"dreams\":[]", 1);
    assert_eq!(Model::from_json(&newer), Err(ModelError::Newer(2)));
    for bad in [
        "",
        "{}",
        "[1]",
        "{\"dashcam_model\":1}",
        &usage.to_json().replace("\"feature\":0", "\"feature\":99"),
    ] {
        assert!(matches!(Model::from_json(bad), Err(ModelError::Malformed(_))), "{bad}");
    }
    let mut other = usage.clone();
    assert_eq!(other.merge(model("q", &["a"])), Err(ModelError::DifferentPrograms("p".into(), "q".into())));
}
