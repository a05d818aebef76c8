//! How long it takes to learn a hundred thousand actions, beside counting pairs alone.
//!
//! Prints one JSON object per row for `cargo xtask bench`. Rounds of all contestants are interleaved and
//! the median counts.

use scenario::usage::{Kind, Predictor};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 5;
const FEATURES: u32 = 200;

fn main() {
    let mut rng = fastrand::Rng::with_seed(1);
    // A thousand sessions of a hundred steps; each feature is followed by one of five.
    let session = |rng: &mut fastrand::Rng| {
        let mut step = 0_u32;
        let next = |_| {
            step = (step * 7 + rng.u32(..5)) % FEATURES;
            step
        };
        (0..100).map(next).collect::<Vec<u32>>()
    };
    let sessions: Vec<Vec<u32>> = (0..1000).map(|_| session(&mut rng)).collect();
    let kinds = [Kind::Chain(1), Kind::Chain(3), Kind::Ppm(3), Kind::Ctw(3), Kind::Ctw(5)];
    let mut times = vec![Vec::new(); kinds.len() + 1];
    for _ in 0..ROUNDS {
        let millis = |start: Instant| start.elapsed().as_secs_f64() * 1000.0;
        let start = Instant::now();
        let mut pairs: HashMap<(u32, u32), u32> = HashMap::new();
        sessions
            .iter()
            .flat_map(|steps| steps.windows(2))
            .for_each(|pair| *pairs.entry((pair[0], pair[1])).or_default() += 1);
        black_box(pairs);
        times[0].push(millis(start));
        for (kind, times) in kinds.iter().zip(&mut times[1..]) {
            let start = Instant::now();
            black_box(Predictor::train(&sessions, FEATURES as usize, *kind).distribution(&[1, 7]));
            times.push(millis(start));
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let reference = median(&mut times[0]);
    for (kind, times) in kinds.iter().zip(&mut times[1..]) {
        let row = serde_json::json!({
            "row": format!("learn 100,000 actions: {}", kind.name()),
            "unit": "ms",
            "ours": median(times),
            "reference": { "name": "counting pairs in a hash map", "value": reference },
            "better": "lower",
        });
        println!("{row}");
    }
}
