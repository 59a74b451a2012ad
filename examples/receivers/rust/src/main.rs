//! Receives Zimbo's webhooks, with a current Rust.
//!
//!     ZIMBO_WEBHOOK_SECRET=whsec_… ZIMBO_API_KEY=sk_test_… cargo run --release
use std::env::var;
use std::error::Error;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{process, thread};

use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;
use tiny_http::{Method, Request, Response, Server};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const MAX_BYTES: u64 = 4 * 1024 * 1024;
const MAX_AGE_SECONDS: u64 = 300;

struct Receiver {
    secret: String,
    api_key: String,
    api_url: String,
    folder: PathBuf,
}

impl Receiver {
    fn receive(&self, request: &mut Request) -> Outcome<u16> {
        if *request.method() != Method::Post {
            return Ok(405);
        }
        let mut body = Vec::new();
        request.as_reader().take(MAX_BYTES + 1).read_to_end(&mut body)?;
        if body.len() as u64 > MAX_BYTES {
            return Ok(413);
        }
        if !self.is_genuine(request, &body) {
            return Ok(400);
        }
        let event: Value = serde_json::from_slice(&body)?;
        self.store(text(&event["id"])?, &body)?;
        Ok(200)
    }

    /// The signature covers the time and the raw bytes. During a rotation, two secrets sign.
    fn is_genuine(&self, request: &Request, body: &[u8]) -> bool {
        let timestamp = header(request, "X-Service-Timestamp");
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes()).unwrap();
        mac.update(format!("{timestamp}.").as_bytes());
        mac.update(body);
        let is_signed = ["X-Service-Signature", "X-Service-Signature-Next"].iter().any(|name| {
            let given = hex::decode(header(request, name)).unwrap_or_default();
            mac.clone().verify_slice(&given).is_ok()
        });
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        is_signed && timestamp.parse::<u64>().is_ok_and(|sent| now.abs_diff(sent) <= MAX_AGE_SECONDS)
    }

    /// Zimbo does not send an event again once we have answered 200, so it is on the disk before.
    fn store(&self, event_id: &str, body: &[u8]) -> Outcome<()> {
        if self.folder.join("done").join(event_id).exists() {
            return Ok(());
        }
        self.write(&self.folder.join("inbox").join(event_id), body)
    }

    /// Writes all of the file or nothing, and waits for the disk.
    fn write(&self, path: &Path, content: &[u8]) -> Outcome<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = self.folder.join(format!("{name}.{:?}", thread::current().id()));
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        Ok(fs::rename(temporary, path)?)
    }

    /// Handles what is in the inbox. An event that fails stays there and is tried again.
    fn work(&self) -> Outcome<()> {
        for entry in fs::read_dir(self.folder.join("inbox"))? {
            let entry = entry?;
            match self.handle(&entry.path()) {
                Ok(()) => {
                    File::create(self.folder.join("done").join(entry.file_name()))?;
                    fs::remove_file(entry.path())?;
                }
                Err(error) => eprintln!("{:?}: {error}", entry.file_name()),
            }
        }
        Ok(())
    }

    /// An event only says that something has changed. The API says how things stand now, so the
    /// order in which events arrive does not matter.
    fn handle(&self, path: &Path) -> Outcome<()> {
        let event: Value = serde_json::from_slice(&fs::read(path)?)?;
        let resource = match text(&event["type"])?.split('.').next() {
            Some("payment") => "payments",
            Some("refund") => "refunds",
            Some("checkout") => "checkout/sessions",
            _ => return Ok(()),
        };
        let url = format!("{}/v1/{resource}/{}", self.api_url, text(&event["data"]["id"])?);
        let request = ureq::get(&url).timeout(Duration::from_secs(10));
        let answer = request.set("Authorization", &format!("Bearer {}", self.api_key)).call()?;
        self.update(&answer.into_json()?)
    }

    /// Your part: find the order by current["externalId"] and change it, in one transaction.
    fn update(&self, current: &Value) -> Outcome<()> {
        let (id, status) = (text(&current["id"])?, text(&current["status"])?);
        let path = self.folder.join("statuses").join(id);
        if fs::read_to_string(&path).is_ok_and(|known| known == status) {
            return Ok(());
        }
        println!("{id} {status}");
        self.write(&path, status.as_bytes())
    }
}

fn header<'a>(request: &'a Request, name: &str) -> &'a str {
    let found =
        request.headers().iter().find(|header| header.field.as_str().as_str().eq_ignore_ascii_case(name));
    found.map_or("", |header| header.value.as_str())
}

fn text(value: &Value) -> Outcome<&str> {
    value.as_str().ok_or_else(|| "a text is missing".into())
}

fn setting(name: &str, otherwise: &str) -> Outcome<String> {
    let value = var(name).ok().filter(|value| !value.is_empty()).unwrap_or(otherwise.into());
    if value.is_empty() {
        return Err(format!("{name} is not set").into());
    }
    Ok(value)
}

fn main() -> Outcome<()> {
    let secret = setting("ZIMBO_WEBHOOK_SECRET", "")?;
    let api_key = setting("ZIMBO_API_KEY", "")?;
    let api_url = setting("ZIMBO_URL", "http://127.0.0.1:3000")?;
    let port = setting("PORT", "4400")?;
    let folder = PathBuf::from(setting("RECEIVER_FOLDER", "received")?);
    for name in ["inbox", "done", "statuses"] {
        fs::create_dir_all(folder.join(name))?;
    }
    let receiver = Receiver { secret, api_key, api_url, folder };
    let server = Server::http(format!("127.0.0.1:{port}"))?;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for mut request in server.incoming_requests() {
                    let status = receiver.receive(&mut request).unwrap_or(500);
                    let _ = request.respond(Response::empty(status));
                }
            });
        }
        loop {
            if let Err(error) = receiver.work() {
                eprintln!("{error}");
                process::exit(1);
            }
            thread::sleep(Duration::from_secs(1));
        }
    })
}
