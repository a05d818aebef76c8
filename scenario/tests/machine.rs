//! State machines: the published language, its meaning, its checks, and walks that cover.

use fastrand::Rng;
use scenario::machine::{Act, Goal, Machine, Probability, check, cover, picture, read, session, walk};
use std::collections::{BTreeSet, HashMap};

const FIREFOX: &str = r#"
initial new_window
final quit

all -- keys [ Control+Q ] --> quit
all -- keys [ Control+N ] --> new_window

all-except print_dialog -- keys [ Control+P ] --> print_dialog
print_dialog -- keys [ Escape ] --> new_window

new_window load_window --
  move url_bar
  click (1 left)
  line "URLs.txt"
  keys [ Return ]
--> load_window

load_window -- keys [ Control+S ] --> save_dialog
save_dialog -- keys [ Return ] --> new_window
save_dialog -- keys [ Escape ] --> load_window

region url_bar = (30 5 200 15)
"#;

fn machine(text: &str) -> Machine {
    let mut files = |file: &str| match file {
        "URLs.txt" => Ok("example.org\nexample.com\n\n".into()),
        "empty" => Ok(String::new()),
        _ => Err("it is not there".into()),
    };
    read(text, &mut files).unwrap_or_else(|complaint| panic!("{}", complaint.show(text)))
}

fn complaints(text: &str) -> Vec<String> {
    match read(text, &mut |_| Err("it is not there".into())) {
        Ok(machine) => check(&machine).iter().map(ToString::to_string).collect(),
        Err(complaint) => vec![complaint.to_string()],
    }
}

#[test]
fn the_published_examples_expand_as_published() {
    let fig1 = machine(
        "initial nice_state\nfinal boring_state\nnice_state -- keys [ Control+b Return ] text \"A random string\" move zork click (1 right) --> boring_state\nregion zork = ( 30 110 50 145 )",
    );
    assert_eq!(fig1.transitions.len(), 1);
    assert_eq!(fig1.transitions[0].acts.len(), 4);

    // Figures 2 and 3: `all` leaves final states out, `stay` goes back to where it came from.
    let short = machine(
        "initial foo final quit foo bar baz -- keys [x] --> baz foo -- keys [y] --> bar all -- keys [ q ] --> quit foo bar -- keys [ r ] --> stay",
    );
    let long = machine(
        "initial foo final quit foo -- keys [x] -> baz bar -- keys [x] -> baz baz -- keys [x] -> baz foo -- keys [y] -> bar
         foo -- keys [ q ] --> quit bar -- keys [ q ] --> quit baz -- keys [ q ] --> quit foo -- keys [ r ] --> foo bar -- keys [ r ] --> bar",
    );
    let set = |machine: &Machine| -> BTreeSet<String> {
        let name = |state: usize| &machine.states[state].name;
        machine
            .transitions
            .iter()
            .map(|it| format!("{} {:?} {}", name(it.from), it.acts, name(it.to)))
            .collect()
    };
    assert_eq!(set(&short), set(&long));

    // Figure 4: one transition for each line of the file.
    let firefox = machine(FIREFOX);
    assert_eq!(check(&firefox), []);
    assert_eq!(firefox.states.len(), 5);
    let loads = firefox
        .transitions
        .iter()
        .filter(|it| it.acts.iter().any(|act| matches!(act, Act::Text { .. })))
        .count();
    assert_eq!(loads, 4);
}

#[test]
fn every_action_and_alias_is_read() {
    let text = r#"
        # a comment, and commas, which mean nothing
        initial [a, b]  final [ z ]
        region spot = (1, 2)
        a, b -- keys [ Ctrl+M 5 Return \] # in between
             bracketleft ] text "say \"hi\"" move (3 4) move (1 2 3 4) move spot move-rel (-1 2) movr (3, -4) move_rel [1 1] --> z
        a -- click (left 2) clik (1 R) scroll (3 up) scrl (D 4) shell { echo {x} } shel { ls } win-change "Other" winc "Main" prob low -> z
        b -- prob high click "OK" menu "File" > "Save" type "x" into id 7 move id 9 click (1 left) assert enabled "OK" --> stay
        a -- winc "Main" --> pre
        b -- keys [ x ] --> post
    "#;
    let machine = machine(text);
    assert_eq!(check(&machine), []);
    assert_eq!(machine.transitions.iter().map(|it| it.acts.len()).collect::<Vec<_>>(), [8, 8, 8, 6]);
    assert_eq!(machine.transitions[2].probability, Probability::Low);
    let start = |name: &str| machine.states.iter().position(|state| state.name == name).unwrap();
    let mut rng = Rng::with_seed(5);
    let on_b = scenario::machine::Walk { start: start("b"), transitions: vec![3, 1] };
    let trace = session(&machine, &on_b, &mut rng).to_string();
    assert!(
        trace.starts_with("click \"OK\" >> menu \"File\" > \"Save\" >> type \"x\" into id 7 >> click id 9 >> assert enabled \"OK\" >> type \"x\" >> keys \"Ctrl+M\" >> type \"5\" >> keys \"Enter\" >> type \"]\""),
        "{trace}"
    );
    let on_a = scenario::machine::Walk { start: start("a"), transitions: vec![2] };
    let trace = session(&machine, &on_a, &mut rng).to_string();
    assert_eq!(
        trace,
        "switch \"Main\" >> double-click focus >> right-click focus >> scroll up 3 >> scroll down 4 >> shell { echo {x} } >> shell { ls } >> switch \"Other\" >> switch \"Main\""
    );
}

/// Under SMID the pointer really moves. What is clicked or scrolled there needs no move before.
#[test]
fn a_pointer_that_only_moves_is_led_there() {
    let machine = machine(
        "initial a final z region spot = (7 8) a -- move spot movr (1 -1) keys [x] move (3 4) click (1 left) move id 9 scroll (2 up) move \"OK\" --> z",
    );
    let walk = scenario::machine::Walk { start: 0, transitions: vec![0] };
    assert_eq!(
        session(&machine, &walk, &mut Rng::with_seed(1)).to_string(),
        "hover at (7 8) >> hover at (8 7) >> type \"x\" >> click at (3 4) >> scroll up 2 over id 9 >> hover \"OK\""
    );
}

/// A region may have any name, one too that begins the description of a widget.
#[test]
fn regions_may_be_called_as_words_of_targets() {
    let text = "initial menu final close region id = (1 2) region focus = (3 4)
        menu -- move id text \"x\" move focus move id 7 move at (5 6) --> close";
    let walk = scenario::machine::Walk { start: 0, transitions: vec![0] };
    let does = |text: &str| session(&machine(text), &walk, &mut Rng::with_seed(1)).to_string();
    assert_eq!(does(text), "hover at (1 2) >> type \"x\" >> hover at (3 4) >> hover id 7 >> hover at (5 6)");
    assert_eq!(does("initial a final z a -- move focus --> z"), "hover focus");
}

#[test]
fn complaints_name_the_place_and_what_was_expected() {
    for (text, expected) in [
        ("initial", "line 1, column 8: expected `[` or a state, found the end of the file"),
        ("a -- --> b", "line 1, column 6: expected `keys`, `text`, `line`"),
        ("a -- keys [x] => b", "line 1, column 15: expected `-->`, `->`, `keys`"),
        ("a -- keys [] --> b", "line 1, column 11: at least one key"),
        ("a -- keys [ Retrun ] --> b", "line 1, column 13: there is no key `Retrun`"),
        ("a -- keys [x", "line 1, column 12: `[` has no closing `]`"),
        ("a -- shell { x --> b", "`{` has no closing `}`"),
        ("a -- text \"x --> b", "line 1, column 11: the text has no closing"),
        ("a -- move zork --> b", "line 1, column 11: there is no region `zork`"),
        ("a -- move id move \"x\" --> b", "line 1, column 11: there is no region `id`"),
        ("a -- move class button --> b", "line 1, column 17: expected a class in quotation marks"),
        ("region r = (5 5 1 9)", "line 1, column 13: the box ends before it begins"),
        ("region r = (1 2) region r = (1 2)", "line 1, column 25: the region `r` is declared twice"),
        ("a -- click (0 left) --> b", "a number between 1 and 1000"),
        ("a -- click (left) --> b", "line 1, column 17: expected a number, found `)`"),
        ("a -- line \"none\" --> b", "line 1, column 11: the file “none” cannot be read: it is not there"),
        ("a -- prob often --> b", "expected `high`, `med` or `low`, found `often`"),
        ("a -- assert (checked \"x\" and not checked \"x\") --> b", "line 1, column 13: this never can hold"),
        ("region r = (99999999999 1)", "line 1, column 13: 99999999999 is no coordinate"),
    ] {
        let found = complaints(text);
        assert!(found[0].contains(expected), "{text}\n{found:#?}");
    }
}

#[test]
fn unsound_machines_are_told_with_state_and_line() {
    for (text, expected) in [
        ("a -- keys [x] --> b\nfinal b", "there is no initial state"),
        ("initial a\na -- keys [x] --> a", "there is no final state"),
        (
            "initial a final z\na -- keys [x] --> b\na -- keys [y] --> z",
            "line 2, column 19: state `b` is stuck",
        ),
        (
            "initial a final z\na -- keys [x] --> z\nb -- keys [y] --> z",
            "line 3, column 1: state `b` has no way in",
        ),
        (
            "initial a final z\na -- keys [x] --> z\nb -- keys [y] --> c\nc -- keys [y] --> b\nc -- keys [z] --> z",
            "line 3, column 1: state `b` is not reached from any initial state",
        ),
        (
            "initial a final z\na -- keys [x] --> z\na -- keys [y] --> b\nb -- keys [y] --> b",
            "line 3, column 19: state `b` has no way to a final state",
        ),
        (
            "initial a final z\na -- keys [x] --> z\na -- keys [y] --> pre\na -- keys [z] --> pre",
            "line 4, column 1: state `a` has a second pre hook; the first is on line 3",
        ),
        (
            "initial a final z\na -- keys [x] --> z\na -- keys [y] --> post\nall -- keys [z] --> post",
            "line 4, column 1: state `a` has a second post hook",
        ),
        (
            "initial a final z\na -- keys [x] --> z\nall-except aa -- keys [y] --> z",
            "line 3, column 12: state `aa` is unknown",
        ),
    ] {
        let found = complaints(text);
        assert!(found.iter().any(|complaint| complaint.contains(expected)), "{text}\n{found:#?}");
    }
}

#[test]
fn probability_groups_are_drawn_as_smid_draws_them() {
    let machine = machine(
        "initial a final z a -- keys [l] prob low --> z a -- keys [m] --> z a -- keys [n] --> z a -- keys [h] prob high --> z",
    );
    let mut rng = Rng::with_seed(11);
    let mut drawn = HashMap::new();
    const DRAWS: usize = 40_000;
    for _ in 0..DRAWS {
        let walk = walk(&machine, 1, &mut rng).unwrap();
        *drawn.entry(walk.transitions[0]).or_insert(0_usize) += 1;
    }
    // High replaces with 19 in 20; of the rest medium replaces low with 19 in 20, and its two
    // transitions share.
    let expected = [0.05 * 0.05, 0.05 * 0.95 / 2.0, 0.05 * 0.95 / 2.0, 0.95];
    for (transition, share) in expected.into_iter().enumerate() {
        let found = drawn[&transition] as f64 / DRAWS as f64;
        let spread = (share * (1.0 - share) / DRAWS as f64).sqrt();
        assert!((found - share).abs() < 5.0 * spread, "transition {transition}: {found}, expected {share}");
    }
}

#[test]
fn walks_are_walks_and_repeat_from_their_seed() {
    let machine = machine(FIREFOX);
    for seed in 0..50 {
        let one = walk(&machine, 20, &mut Rng::with_seed(seed)).unwrap();
        assert_eq!(Some(&one), walk(&machine, 20, &mut Rng::with_seed(seed)).as_ref());
        assert_walks(&machine, &one);
        assert!(one.transitions.len() > 20);
    }
}

fn assert_walks(machine: &Machine, walk: &scenario::machine::Walk) {
    let mut state = walk.start;
    assert!(machine.states[state].is_initial);
    for &transition in &walk.transitions {
        assert!(!machine.states[state].is_final);
        assert_eq!(machine.transitions[transition].from, state);
        state = machine.transitions[transition].to;
    }
    assert!(machine.states[state].is_final);
}

#[test]
fn covering_walks_cover() {
    let machine = machine(FIREFOX);
    for (goal, all) in [(Goal::States, 5), (Goal::Transitions, machine.transitions.len()), (Goal::Pairs, 0)] {
        let walks = cover(&machine, goal, 60, &mut Rng::with_seed(1)).unwrap();
        walks.walks.iter().for_each(|walk| assert_walks(&machine, walk));
        assert_eq!(walks.coverage.covered, walks.coverage.all);
        let (mut transitions, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        for walk in &walks.walks {
            transitions.extend(walk.transitions.iter().copied());
            pairs.extend(walk.transitions.windows(2).map(|pair| (pair[0], pair[1])));
        }
        match goal {
            Goal::States => assert_eq!(walks.coverage.all, all),
            Goal::Transitions => assert_eq!(transitions.len(), all),
            Goal::Pairs => {
                let follow = |a: usize, b: usize| machine.transitions[a].to == machine.transitions[b].from;
                let count = machine.transitions.len();
                let expected =
                    (0..count).flat_map(|a| (0..count).filter(move |&b| follow(a, b)).map(move |b| (a, b)));
                assert_eq!(pairs, expected.collect());
            }
        }
    }
}

#[test]
fn a_goal_that_cannot_be_reached_is_told_before_walking() {
    let machine = machine(
        "initial a final z a -- keys [x] --> z a -- keys [y] --> trap trap -- keys [y] --> trap b -- keys [x] --> z",
    );
    let told = cover(&machine, Goal::States, 9, &mut Rng::with_seed(1)).unwrap_err();
    assert!(told.contains("the state trap") || told.contains("the state b"), "{told}");
}

#[test]
fn a_picture_shows_every_state_and_edge() {
    let machine = machine(FIREFOX);
    let graph = picture(&machine);
    assert_eq!(graph.nodes.len(), 5);
    for state in &machine.states {
        assert!(graph.to_svg().contains(&format!(">{}</text>", state.name)));
        assert!(graph.to_dot().contains(&state.name));
    }
    assert!(graph.to_dot().contains("a line of URLs.txt"));
    assert_eq!(graph.to_svg().matches("<path class=\"e\"").count(), graph.edges.len());
}
