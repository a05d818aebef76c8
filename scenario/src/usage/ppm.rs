//! Prediction by partial match (Cleary and Witten), with escape method C and exclusion: the longest known
//! context first; what it has never seen is left to the next shorter one, and in the end to nothing but the
//! number of symbols.

use super::contexts::Contexts;

/// The probability of each symbol and, last, of one that is unknown.
pub(super) fn distribution(contexts: &Contexts, history: &[u32]) -> Vec<f64> {
    let mut shares = vec![0.0; contexts.alphabet + 1];
    let mut is_excluded = vec![false; contexts.alphabet];
    let mut mass = 1.0;
    for &node in contexts.path(history).iter().rev() {
        let node = &contexts.nodes[node];
        let seen = || node.next.iter().filter(|(symbol, _)| !is_excluded[**symbol as usize]);
        let (total, kinds) = (seen().map(|(_, &count)| f64::from(count)).sum::<f64>(), seen().count() as f64);
        if kinds == 0.0 {
            continue;
        }
        // Something unknown is always left, so there is always an escape.
        for (&symbol, &count) in seen() {
            shares[symbol as usize] += mass * f64::from(count) / (total + kinds);
        }
        mass *= kinds / (total + kinds);
        node.next.keys().for_each(|&symbol| is_excluded[symbol as usize] = true);
    }
    let left = is_excluded.iter().filter(|excluded| !**excluded).count() + 1;
    let each = mass / left as f64;
    for (symbol, excluded) in is_excluded.into_iter().enumerate() {
        if !excluded {
            shares[symbol] += each;
        }
    }
    shares[contexts.alphabet] = each;
    shares
}
