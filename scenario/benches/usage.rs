//! How long it takes to learn: a hundred thousand actions, each kind of model.

use scenario::usage::{Kind, Predictor};
use std::time::Instant;

fn main() {
    let mut rng = fastrand::Rng::with_seed(1);
    // A thousand sessions of a hundred steps among 200 features; each feature is followed by one of five.
    let session = |rng: &mut fastrand::Rng| {
        let mut step = 0_u32;
        (0..100)
            .map(|_| {
                step = (step * 7 + rng.u32(..5)) % 200;
                step
            })
            .collect::<Vec<u32>>()
    };
    let sessions: Vec<Vec<u32>> = (0..1000).map(|_| session(&mut rng)).collect();
    let mut rows = Vec::new();
    for kind in [Kind::Chain(1), Kind::Chain(3), Kind::Ppm(3), Kind::Ctw(3), Kind::Ctw(5)] {
        let start = Instant::now();
        let predictor = Predictor::train(&sessions, 200, kind);
        std::hint::black_box(predictor.distribution(&[1, 7]));
        let millis = start.elapsed().as_secs_f64() * 1000.0;
        eprintln!("{:<32} {millis:>8.1} ms for 100,000 actions", kind.name());
        rows.push(serde_json::json!({ "name": format!("learn 100,000 actions: {}", kind.name()), "value": millis, "unit": "ms" }));
    }
    println!("{}", serde_json::Value::from(rows));
}
