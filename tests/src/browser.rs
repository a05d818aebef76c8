//! A headless browser: Debian's Chromium, controlled through chromedriver by the WebDriver standard. Clicks
//! and keys are real input.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::wait::{DEADLINE, wait_until};

/// A browser with one page; dropping it closes the browser.
#[derive(Debug)]
pub struct Browser {
    driver: Child,
    /// The address of the session.
    session: String,
}

impl Browser {
    /// Starts a browser with a window of this size and a dark or light colour scheme.
    pub fn start(width: u32, height: u32, dark: bool) -> Result<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("chromedriver is missing: install chromium-driver")?;
        let said = BufReader::new(driver.stdout.take().context("chromedriver has no output")?);
        let mut browser = Self { driver, session: String::new() };
        let port = said.lines().map_while(Result::ok).find_map(|line| {
            line.split_once("successfully on port ").map(|(_, port)| port.trim_end_matches('.').to_owned())
        });
        let port = port.context("chromedriver did not start")?;
        let scheme = format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 });
        let size = format!("--window-size={width},{height}");
        // Chromium's sandbox refuses to run as root, as tests on a build machine often do.
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--force-device-scale-factor=1",
            &scheme,
            &size,
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let root = format!("http://127.0.0.1:{port}/session");
        let session = request(minreq::post(&root), Some(&wanted))?;
        let id = session["sessionId"].as_str().context("the browser did not start")?;
        browser.session = format!("{root}/{id}");
        Ok(browser)
    }

    fn post(&self, what: &str, body: &Value) -> Result<Value> {
        request(minreq::post(format!("{}/{what}", self.session)), Some(body))
    }

    /// Opens a file; `fragment` is what follows the `#`.
    pub fn open(&self, file: &Path, fragment: &str) -> Result<()> {
        let hash = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
        self.post("url", &json!({ "url": format!("file://{}{hash}", file.display()) })).map(drop)
    }

    /// Opens a file and loads it again even if only the fragment differs.
    pub fn open_anew(&self, file: &Path, fragment: &str) -> Result<()> {
        self.post("url", &json!({ "url": "about:blank" }))?;
        self.open(file, fragment)
    }

    /// Runs a script and returns its result.
    pub fn run(&self, script: &str) -> Result<Value> {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true.
    pub fn wait(&self, condition: &str) -> Result<()> {
        let script = format!("return Boolean({condition});");
        wait_until(condition, DEADLINE, || Ok((self.run(&script)? == json!(true)).then_some(())))
    }

    fn element(&self, css: &str) -> Result<String> {
        let found = self.post("element", &json!({ "using": "css selector", "value": css }))?;
        let id = found.as_object().and_then(|it| it.values().next()).and_then(Value::as_str);
        Ok(id.with_context(|| format!("there is no {css}"))?.to_owned())
    }

    /// Clicks into the middle of an element.
    pub fn click(&self, css: &str) -> Result<()> {
        let element = self.element(css)?;
        self.post(&format!("element/{element}/click"), &json!({})).with_context(|| css.to_owned()).map(drop)
    }

    /// Clicks at this many thousandths of an element's width.
    pub fn click_at(&self, css: &str, thousandths: i64) -> Result<()> {
        let script = format!(
            "const r = document.querySelector({}).getBoundingClientRect(); return [Math.round(r.left + r.width * {thousandths} / 1000), Math.round(r.top + r.height / 2)];",
            json!(css)
        );
        let place = self.run(&script)?;
        let acts = json!([
            { "type": "pointerMove", "duration": 0, "x": place[0], "y": place[1] },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        self.post("actions", &json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": acts }] }))
            .map(drop)
    }

    /// Types keys; special keys by their code points in the WebDriver standard.
    pub fn keys(&self, keys: &str) -> Result<()> {
        let strokes = keys.chars().flat_map(|key| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let acts: Vec<Value> = strokes.collect();
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": acts }] }))
            .map(drop)
    }

    /// Saves a picture of the visible part of the page.
    pub fn screenshot(&self, file: &Path) -> Result<()> {
        self.save(&request(minreq::get(format!("{}/screenshot", self.session)), None)?, file)
    }

    /// Saves the page as it would be printed.
    pub fn print(&self, file: &Path) -> Result<()> {
        self.save(&self.post("print", &json!({ "background": true }))?, file)
    }

    fn save(&self, encoded: &Value, file: &Path) -> Result<()> {
        let bytes = STANDARD.decode(encoded.as_str().context("no picture")?)?;
        fs::create_dir_all(file.parent().context("no folder")?)?;
        fs::write(file, bytes).with_context(|| file.display().to_string())
    }

    /// The messages in the browser's log since the last call: script errors and policy violations.
    pub fn complaints(&self) -> Result<Vec<String>> {
        let said = self.post("se/log", &json!({ "type": "browser" }))?;
        let lines = said.as_array().context("no log")?.iter();
        Ok(lines.filter_map(|line| line["message"].as_str()).map(str::to_owned).collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = minreq::delete(&self.session).with_timeout(DEADLINE.as_secs()).send();
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Sends a request and returns the value of the reply.
fn request(request: minreq::Request, body: Option<&Value>) -> Result<Value> {
    let patience: Duration = DEADLINE * 3;
    let request = request.with_timeout(patience.as_secs());
    let request = match body {
        Some(body) => request.with_json(body)?,
        None => request,
    };
    let reply = request.send().context("the browser's driver does not answer")?;
    let value: Value = reply.json().context("the browser's driver sent an unreadable reply")?;
    let value = value["value"].clone();
    if reply.status_code != 200 {
        bail!("{}: {}", value["error"], value["message"].as_str().unwrap_or_default());
    }
    ensure!(value["error"].is_null(), "{}", value["message"]);
    Ok(value)
}
