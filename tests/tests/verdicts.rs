//! Replays of the invoice sample with seeded faults: each failure ends in its own verdict at the right step,
//! and unusual but correct runs pass.

use anyhow::ensure;
use harness::folders::{self, sample_for_windows as sample};
use harness::wait::DEADLINE;
use harness::{stage, window};
use std::fs;

fn check(recording: &str, arguments: &[&str], code: i32, said: &[&str]) {
    stage(|stage| stage.check_replay(recording, arguments, code, said));
}

/// The customer's session, replayed with a program that has a fault.
#[track_caller]
fn faulty(fault: &str, step: usize, said: &str) {
    let at = format!("diverged at step {step}\n");
    stage(|stage| {
        let (code, text) = stage.replay("invoice-crash", &["--app", &sample("invoice"), "--fault", fault])?;
        ensure!(code == 1 && text.contains(&at) && text.contains(said), "{code}: {text}");
        // The replay has closed the program.
        stage.wait_gone(&window().class("InvoiceFrame"))
    });
}

#[test]
fn an_unexpected_box_diverges_and_the_program_stays_open_if_it_should() {
    stage(|stage| {
        let arguments = ["--keep-open", "--app", &sample("invoice"), "--fault", "extra-box"];
        let (code, said) = stage.replay("invoice-crash", &arguments)?;
        let is_told =
            said.contains("diverged at step 12\n") && said.contains("expected no other modal window");
        ensure!(code == 1 && is_told, "{code}: {said}");
        let kept = stage.wait_for(&window().class("#32770").title("Invoice"))?;
        let end = stage.start("taskkill", &["/F", "/PID", &kept.pid.to_string()])?;
        ensure!(end.wait(DEADLINE)? == 0, "{}", end.stderr()?);
        stage.wait_gone(&window().class("InvoiceFrame"))
    });
}

#[test]
fn a_hang_diverges() {
    faulty("edit-hangs", 23, "the application does not answer any more");
}

#[test]
fn an_exit_diverges() {
    faulty("edit-exits", 23, "the application ended with code 0x3");
}

#[test]
fn a_crash_at_another_step_diverges() {
    let said = "the application crashed with 0xC0000005 in invoice.exe+0x";
    faulty("edit-crashes", 23, said);
}

#[test]
fn a_command_that_does_not_come_diverges() {
    let said = "gets the command of button \"&Gift wrap";
    faulty("box-dead", 11, said);
}

#[test]
fn an_item_whose_text_is_gone_is_not_replaced_by_its_neighbour() {
    check(
        "invoice-crash",
        &["--app", &sample("invoice"), "--fault", "text-truncated"],
        1,
        &["blocked at step 20", "there is no item \"blue lamp\""],
    );
}

#[test]
fn in_another_order_the_text_of_an_item_wins() {
    stage(|stage| {
        let arguments = ["--app", &sample("invoice"), "--fault", "order-wrong"];
        let (_, said) = stage.replay("invoice-crash", &arguments)?;
        let remark = "\"blue lamp\" was found by its text: it is item 2 now and was item 1";
        ensure!(said.contains("✓ 20. Select “blue lamp”") && said.contains(remark), "{said}");
        Ok(())
    });
}

#[test]
fn a_crash_is_compared_by_its_frame() {
    stage(|stage| {
        let trace = stage.folder().join("trace");
        let kept = folders::for_windows(&trace);
        let (code, said) = stage.replay("invoice-crash", &["--trace", &kept, "--app", &sample("invoice")])?;
        ensure!(code == 0, "{code}: {said}");
        let frame = "compared: the step, the exception code 0xC0000005 and the ";
        ensure!(said.contains("crashed with 0xC0000005 in invoice.exe+0x"), "{said}");
        ensure!(said.contains(frame) && said.contains("invoice.exe"), "{said}");
        ensure!(fs::read_dir(&trace)?.count() > 0, "no trace is kept");
        Ok(())
    });
}

#[test]
fn without_agent_and_recorder_unverified_steps_are_listed() {
    check(
        "dialogs",
        &["--no-agent", "--no-recorder", "--app", &sample("gallery"), "--page", "dialogs"],
        1,
        &["without the agent they are not verified", "cannot be done by posting alone"],
    );
}

#[test]
fn a_program_that_ends_with_its_windows_passes() {
    let wordpad = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";
    let end = "every step had its effects, but 2 of 10";
    check("wordpad", &["--allow-unverified", "--app", wordpad], 0, &["unverified: ", end]);
}
