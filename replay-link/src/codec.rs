//! The windows of a snapshot as bytes: quicker to write and read than text, and every UTF-16 unit survives.

use message_log::{Key, Keyframe, Param, Params, Point, Rect, Text, Value};

/// Bytes that [`encode`] did not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

/// The windows of a keyframe as bytes, without facts of other versions.
pub fn encode(keyframe: &Keyframe) -> Vec<u8> {
    let mut out = Vec::with_capacity(256 * keyframe.windows.len() + 4);
    put_len(&mut out, keyframe.windows.len());
    for window in &keyframe.windows {
        let known = || {
            window.iter().filter_map(|param| match param {
                Param::Known(key, value) => Some((*key, value)),
                Param::Other(..) => None,
            })
        };
        put_len(&mut out, known().count());
        known().for_each(|(key, value)| put(&mut out, key, value));
    }
    out
}

fn put_len(out: &mut Vec<u8>, len: usize) {
    out.extend_from_slice(&(len as u32).to_le_bytes());
}

fn put(out: &mut Vec<u8>, key: Key, value: &Value) {
    out.extend_from_slice(&(key as u16).to_le_bytes());
    let mut numbers = |tag: u8, numbers: &[i64]| {
        out.push(tag);
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    };
    match value {
        Value::Unsigned(n) => numbers(0, &[n.cast_signed()]),
        Value::Signed(n) => numbers(1, &[*n]),
        Value::Flag(flag) => numbers(2, &[i64::from(*flag)]),
        Value::Point(p) => numbers(3, &[p.x, p.y].map(i64::from)),
        Value::Rect(r) => numbers(4, &[r.left, r.top, r.right, r.bottom].map(i64::from)),
        Value::Text(text) => {
            let units: Vec<u16> = text.to_wide();
            out.push(5);
            put_len(out, units.len());
            units.iter().for_each(|unit| out.extend_from_slice(&unit.to_le_bytes()));
        }
    }
}

/// The keyframe in bytes that [`encode`] wrote.
pub fn decode(bytes: &[u8]) -> Result<Keyframe, Malformed> {
    let mut bytes = Bytes(bytes);
    let windows = (0..bytes.len()?)
        .map(|_| (0..bytes.len()?).map(|_| bytes.param()).collect::<Result<Params, Malformed>>());
    Ok(Keyframe { of_thread: None, windows: windows.collect::<Result<_, _>>()?, complete: true })
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (first, rest) = self.0.split_first_chunk().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*first)
    }

    fn len(&mut self) -> Result<u32, Malformed> {
        self.take().map(u32::from_le_bytes)
    }

    fn number(&mut self) -> Result<i64, Malformed> {
        self.take().map(i64::from_le_bytes)
    }

    fn small(&mut self) -> Result<i32, Malformed> {
        i32::try_from(self.number()?).map_err(|_| Malformed)
    }

    fn param(&mut self) -> Result<Param, Malformed> {
        let key = Key::from_code(u16::from_le_bytes(self.take()?)).ok_or(Malformed)?;
        let [tag] = self.take()?;
        let value = match tag {
            0 => Value::Unsigned(self.number()?.cast_unsigned()),
            1 => Value::Signed(self.number()?),
            2 => Value::Flag(self.number()? != 0),
            3 => Value::Point(Point { x: self.small()?, y: self.small()? }),
            4 => Value::Rect(Rect {
                left: self.small()?,
                top: self.small()?,
                right: self.small()?,
                bottom: self.small()?,
            }),
            5 => {
                let mut units = Vec::new();
                for _ in 0..self.len()? {
                    units.push(u16::from_le_bytes(self.take()?));
                }
                Value::Text(Text::from_wide(units))
            }
            _ => return Err(Malformed),
        };
        Ok(Param::Known(key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Keyframe {
        let window = Params::new()
            .with_number(Key::WindowHwnd, -7)
            .with_number(Key::WindowResourceId, -1)
            .with_text(Key::WindowName, Text::from_wide([0x41, 0xD800, 0x4E2D]))
            .with(Key::WindowRect, Value::Rect(Rect { left: -8, top: 0, right: 9, bottom: i32::MAX }))
            .with(Key::PointClient, Value::Point(Point { x: i32::MIN, y: 2 }))
            .with(Key::WindowVisible, Value::Flag(true));
        Keyframe { of_thread: None, windows: vec![window, Params::new()], complete: true }
    }

    #[test]
    fn windows_survive_encoding() {
        assert_eq!(decode(&encode(&sample())), Ok(sample()));
    }

    #[test]
    fn truncated_bytes_are_refused() {
        let bytes = encode(&sample());
        for len in 0..bytes.len() {
            assert_eq!(decode(&bytes[..len]), Err(Malformed), "{len}");
        }
    }
}
