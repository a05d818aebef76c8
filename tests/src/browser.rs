//! A real browser without a screen: Debian's Chromium, by its driver and the WebDriver standard. Clicks and
//! keys are those of a user.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::wait::{DEADLINE, wait_until};

/// A browser with one page; it ends when dropped.
#[derive(Debug)]
pub struct Browser {
    driver: Child,
    /// Where the session is told what to do.
    session: String,
}

impl Browser {
    /// Starts a browser with a window of this size, on a desktop that is dark or light.
    pub fn start(width: u32, height: u32, dark: bool) -> Result<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("chromedriver is missing: install chromium-driver")?;
        let said = BufReader::new(driver.stdout.take().context("chromedriver says nothing")?);
        let mut browser = Self { driver, session: String::new() };
        let port = said.lines().map_while(Result::ok).find_map(|line| {
            line.split_once("successfully on port ").map(|(_, port)| port.trim_end_matches('.').to_owned())
        });
        let port = port.context("chromedriver did not start")?;
        let scheme = format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 });
        let size = format!("--window-size={width},{height}");
        // Chromium refuses its sandbox to root, which tests on a build machine are.
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

    /// Opens a file as if it were never open before: the same page with another fragment is not loaded again.
    pub fn open_anew(&self, file: &Path, fragment: &str) -> Result<()> {
        self.post("url", &json!({ "url": "about:blank" }))?;
        self.open(file, fragment)
    }

    /// What a script returns.
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

    /// A click with the pointer into the middle of an element.
    pub fn click(&self, css: &str) -> Result<()> {
        let element = self.element(css)?;
        self.post(&format!("element/{element}/click"), &json!({})).with_context(|| css.to_owned()).map(drop)
    }

    /// A click with the pointer at a part of an element's width, in thousandths.
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

    /// Keys one after the other; special ones by their numbers in the standard.
    pub fn keys(&self, keys: &str) -> Result<()> {
        let strokes = keys.chars().flat_map(|key| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let acts: Vec<Value> = strokes.collect();
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": acts }] }))
            .map(drop)
    }

    /// A picture of the page, as large as the window.
    pub fn screenshot(&self, file: &Path) -> Result<()> {
        self.save(&request(minreq::get(format!("{}/screenshot", self.session)), None)?, file)
    }

    /// The page as it is printed.
    pub fn print(&self, file: &Path) -> Result<()> {
        self.save(&self.post("print", &json!({ "background": true }))?, file)
    }

    fn save(&self, encoded: &Value, file: &Path) -> Result<()> {
        let bytes = STANDARD.decode(encoded.as_str().context("no picture")?)?;
        fs::create_dir_all(file.parent().context("no folder")?)?;
        fs::write(file, bytes).with_context(|| file.display().to_string())
    }

    /// What the page complained of since the last question: errors of scripts, what the policy refused.
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

/// Sends a request; the value of the reply.
fn request(request: minreq::Request, body: Option<&Value>) -> Result<Value> {
    let patience: Duration = DEADLINE * 3;
    let request = request.with_timeout(patience.as_secs());
    let request = match body {
        Some(body) => request.with_json(body)?,
        None => request,
    };
    let reply = request.send().context("the browser's driver does not answer")?;
    let value: Value = reply.json().context("the browser's driver says nothing that can be read")?;
    let value = value["value"].clone();
    if reply.status_code != 200 {
        bail!("{}: {}", value["error"], value["message"].as_str().unwrap_or_default());
    }
    ensure!(value["error"].is_null(), "{}", value["message"]);
    Ok(value)
}
