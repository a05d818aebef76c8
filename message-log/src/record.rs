//! The record that a callback writes into a ring: fixed width, little-endian, the same for x86 and x64.
//!
//! Writing allocates nothing, cannot panic and takes nanoseconds. Reading trusts nothing: a record is
//! accepted only if its checksum is correct, and its payload is read fact by fact. `docs/log-format.md`
//! specifies the layout; this file is its only writer and reader.

use crate::{
    DamageKind, Event, Hook, Key, Kind, Message, Param, Params, Point, Rect, Stamp, Text, Type, Value,
};

use crate::xml::MAX_PARAMS;

/// The size of the part before the payload.
pub const RECORD_HEADER: usize = 80;
/// The largest payload of a record.
pub const MAX_PAYLOAD: usize = 4 << 20;
/// The markers of records of this version and of older ones, which have other checksums: those of rings of
/// version 3, and of versions 1 and 2.
const MARKER: u16 = 0xDCA5;
const MARKER_3: u16 = 0xDCA4;
const MARKER_2: u16 = 0xDCA3;

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum RecordKind {
    /// [`Kind::Message`]
    Message = 1,
    /// [`Kind::Session`]
    Session = 2,
    /// [`Kind::Thread`]
    Thread = 3,
    /// [`Kind::Mark`]
    Mark = 4,
    /// [`Kind::Gap`]
    Gap = 5,
    /// [`Kind::Crash`]
    Crash = 6,
    /// [`Kind::Hang`]
    Hang = 7,
    /// [`Kind::Recording`]
    Recording = 8,
    /// [`Kind::Statistics`]
    Statistics = 9,
    /// [`Kind::Act`]
    Act = 10,
}

impl RecordKind {
    const ALL: [Self; 10] = [
        Self::Message,
        Self::Session,
        Self::Thread,
        Self::Mark,
        Self::Gap,
        Self::Crash,
        Self::Hang,
        Self::Recording,
        Self::Statistics,
        Self::Act,
    ];

    fn from_code(code: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|&kind| kind as u16 == code)
    }

    /// The kind of record for an event; keyframes do not pass through rings.
    pub fn of(kind: &Kind) -> Option<Self> {
        Some(match kind {
            Kind::Message(_) => Self::Message,
            Kind::Session => Self::Session,
            Kind::Thread => Self::Thread,
            Kind::Mark => Self::Mark,
            Kind::Act => Self::Act,
            Kind::Gap => Self::Gap,
            Kind::Crash => Self::Crash,
            Kind::Hang => Self::Hang,
            Kind::Recording => Self::Recording,
            Kind::Statistics => Self::Statistics,
            Kind::Keyframe(_) => return None,
        })
    }
}

/// A record; its payload is still in the buffer from which it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its kind.
    pub kind: RecordKind,
    /// See [`Stamp::thread`].
    pub thread: u32,
    /// See [`Stamp::sequence`].
    pub sequence: u64,
    /// The processor's time stamp counter; the ring's header says how to convert it to [`Stamp::time`].
    pub tick: u64,
    /// The message; all zero for other kinds.
    pub message: Message,
    /// The encoded facts; see [`Payload`].
    pub payload: &'a [u8],
}

/// Why bytes are not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// There are fewer bytes than the record states.
    #[error("cut")]
    Cut,
    /// No record begins here.
    #[error("no record")]
    NoRecord,
    /// The bytes begin like a record but have changed.
    #[error("damaged")]
    Damaged,
}

impl<'a> Record<'a> {
    /// The size of a record with this much payload.
    pub const fn size(payload: usize) -> usize {
        (RECORD_HEADER + payload + 7) & !7
    }

    /// Writes the record; returns its size, or `None` if it does not fit.
    pub fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let payload = self.payload;
        out.get_mut(RECORD_HEADER..)?.get_mut(..payload.len())?.copy_from_slice(payload);
        self.seal(payload.len(), out)
    }

    /// Writes all but the payload, which is in `out` at [`RECORD_HEADER`] already. Returns the size of the
    /// record, or `None` if it does not fit.
    #[inline(always)]
    pub fn seal(&self, payload: usize, out: &mut [u8]) -> Option<usize> {
        if payload > MAX_PAYLOAD {
            return None;
        }
        let size = Self::size(payload);
        let (header, facts) = out.get_mut(..size)?.split_first_chunk_mut::<RECORD_HEADER>()?;
        if !payload.is_multiple_of(8)
            && let Some(padding) = facts.get_mut(payload..)
        {
            padding.fill(0);
        }
        // Assembled in registers: a load that covers two recent smaller stores stalls until both are through.
        let message = &self.message;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let codes = u32::from(MARKER) | (self.kind as u32) << 16 | u32::from(hook_code(message.hook)) << 24;
        let mut words = [
            size as u64,
            pair(codes, self.thread),
            self.sequence,
            self.tick,
            pair(message.depth, message.posted_at),
            message.hwnd,
            message.wparam,
            message.lparam,
            pair(message.number, payload as u32),
            message.window_id,
        ];
        words[0] |= u64::from(sum(&words, facts)) << 32;
        let (places, _) = header.as_chunks_mut::<8>();
        for (place, word) in places.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        Some(size)
    }

    /// Reads the record at the beginning of `bytes`, and its size.
    pub fn decode(bytes: &'a [u8]) -> Result<(Self, usize), RecordError> {
        let header = bytes.get(..RECORD_HEADER).ok_or(RecordError::Cut)?;
        let size = u32_at(header, 0) as usize;
        let payload = u32_at(header, 68) as usize;
        let code = u16::from_le_bytes([header[8], header[9]]);
        if !matches!(code, MARKER | MARKER_3 | MARKER_2)
            || payload > MAX_PAYLOAD
            || size != Self::size(payload)
        {
            return Err(RecordError::NoRecord);
        }
        let whole = bytes.get(..size).ok_or(RecordError::Cut)?;
        let sum = match code {
            MARKER_2 => checksum(size as u32, &whole[8..]),
            MARKER_3 => sum_of(header, whole, sum_3),
            _ => sum_of(header, whole, sum),
        };
        if sum != u32_at(header, 4) {
            return Err(RecordError::Damaged);
        }
        let kind = RecordKind::from_code(u16::from(header[10])).ok_or(RecordError::Damaged)?;
        let message = Message {
            number: u32_at(header, 64),
            hwnd: u64_at(header, 40),
            window_id: u64_at(header, 72),
            hook: hook_from(header[11]).ok_or(RecordError::Damaged)?,
            depth: u32_at(header, 32),
            posted_at: u32_at(header, 36),
            wparam: u64_at(header, 48),
            lparam: u64_at(header, 56),
        };
        let record = Self {
            kind,
            thread: u32_at(header, 12),
            sequence: u64_at(header, 16),
            tick: u64_at(header, 24),
            message,
            payload: &whole[RECORD_HEADER..RECORD_HEADER + payload],
        };
        Ok((record, size))
    }

    /// The event at an already converted time; facts that cannot be read are added to `unreadable`.
    pub fn to_event(&self, time: u64, damage: &mut Vec<DamageKind>) -> Event {
        let kind = match self.kind {
            RecordKind::Message => Kind::Message(self.message),
            RecordKind::Session => Kind::Session,
            RecordKind::Thread => Kind::Thread,
            RecordKind::Mark => Kind::Mark,
            RecordKind::Act => Kind::Act,
            RecordKind::Gap => Kind::Gap,
            RecordKind::Crash => Kind::Crash,
            RecordKind::Hang => Kind::Hang,
            RecordKind::Recording => Kind::Recording,
            RecordKind::Statistics => Kind::Statistics,
        };
        let stamp = Stamp { sequence: self.sequence, time, thread: self.thread };
        Event { stamp: Some(stamp), kind, params: read_payload(self.payload, damage) }
    }
}

/// Writes the facts of a record one after another: the key and the number of padding bytes (2 bytes), form
/// (2), length (4), value. Each begins at a multiple of 8, because the checksum loads every word, and a load
/// that covers two stores stalls until both are through. A fact that does not fit is left out, and
/// [`Payload::overflowed`] reports that.
#[derive(Debug)]
pub struct Payload<'a> {
    /// The offset of the next fact.
    room: &'a mut [u8],
    most: usize,
    overflowed: bool,
}

const FORM_PLAIN: u16 = 0;
/// The bits of a fact's key that hold the number of padding bytes.
const ZEROS: u32 = 13;
const FACT_HEADER: usize = 8;

impl<'a> Payload<'a> {
    /// Writes facts into `out`, usually the bytes after [`RECORD_HEADER`].
    pub fn new(out: &'a mut [u8]) -> Self {
        let most = out.len().min(MAX_PAYLOAD);
        Self { room: &mut out[..most], most, overflowed: false }
    }

    /// The number of bytes written.
    pub fn len(&self) -> usize {
        self.most - self.room.len()
    }

    /// Whether there is no fact yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a fact was left out.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// A number, for keys of type unsigned and signed.
    #[inline]
    pub fn number(&mut self, key: Key, value: u64) {
        self.plain(key, value.to_le_bytes());
    }

    /// Several numbers and a rectangle (as [words](Rect::words)) at once; all or none.
    #[inline]
    pub fn numbers_and_rect<const N: usize>(&mut self, facts: [(Key, u64); N], (key, rect): (Key, [u64; 2])) {
        let Some(room) = self.room.split_off_mut(..(N * 2 + 3) * FACT_HEADER) else {
            self.overflowed = true;
            return;
        };
        let (words, _) = room.as_chunks_mut::<FACT_HEADER>();
        let Some((words, [header, first, second])) = words.split_last_chunk_mut() else { return };
        for (words, (key, value)) in words.chunks_exact_mut(2).zip(facts) {
            words[0] = fact_header(key, FORM_PLAIN, FACT_HEADER);
            words[1] = value.to_le_bytes();
        }
        *header = fact_header(key, FORM_PLAIN, 2 * FACT_HEADER);
        [*first, *second] = rect.map(u64::to_le_bytes);
    }

    /// A flag.
    pub fn flag(&mut self, key: Key, value: bool) {
        self.plain(key, [u8::from(value)]);
    }

    /// A point.
    pub fn point(&mut self, key: Key, p: Point) {
        let [x, y] = [p.x, p.y].map(|part| u64::from(part.cast_unsigned()));
        self.number(key, x | y << 32);
    }

    /// A rectangle.
    #[inline]
    pub fn rect(&mut self, key: Key, r: Rect) {
        let [first, second] = r.words();
        self.plain(key, (u128::from(first) | u128::from(second) << 64).to_le_bytes());
    }

    /// A text in UTF-16.
    pub fn wide(&mut self, key: Key, units: &[u16]) {
        if let Some(out) = self.reserve_wide(key, units.len() * 2) {
            for (slot, unit) in out.as_chunks_mut::<2>().0.iter_mut().zip(units) {
                *slot = unit.to_le_bytes();
            }
        }
    }

    /// A text in an ANSI code page, converted when the log is written.
    pub fn ansi(&mut self, key: Key, code_page: u16, bytes: &[u8]) {
        if let Some(out) = self.reserve(key, form_of(code_page), bytes.len()) {
            out.copy_from_slice(bytes);
        }
    }

    /// Reserves a UTF-16 text of `bytes` bytes, for a caller that copies in its own way.
    pub fn reserve_wide(&mut self, key: Key, bytes: usize) -> Option<&mut [u8]> {
        self.reserve(key, FORM_PLAIN, bytes)
    }

    /// Space for a text of unknown length, at most this many bytes. [`Payload::text`] makes a fact of it;
    /// otherwise it is discarded.
    #[inline(always)]
    pub fn room(&mut self, most: usize) -> &mut [u8] {
        let room = self.room.get_mut(FACT_HEADER..).unwrap_or_default();
        let most = room.len().min(most) & !7;
        &mut room[..most]
    }

    /// Makes a text of the first bytes of [`Payload::room`], in UTF-16 or in an ANSI code page.
    #[inline(always)]
    pub fn text(&mut self, key: Key, code_page: Option<u16>, len: usize) {
        let Some(fact) = self.room.split_off_mut(..FACT_HEADER + len.next_multiple_of(8)) else {
            self.overflowed = true;
            return;
        };
        let (words, _) = fact.as_chunks_mut::<FACT_HEADER>();
        // Stores the last word of the text again as a whole: a load of it would stall on the smaller stores.
        if !len.is_multiple_of(8)
            && let Some(last) = words.last_mut()
        {
            *last = (u64::from_le_bytes(*last) & ((1 << (8 * (len % 8))) - 1)).to_le_bytes();
        }
        if let Some(header) = words.first_mut() {
            *header = fact_header(key, code_page.map_or(FORM_PLAIN, form_of), len);
        }
    }

    #[inline]
    fn plain<const N: usize>(&mut self, key: Key, value: [u8; N]) {
        if let Some(out) = self.reserve(key, FORM_PLAIN, N).and_then(<[u8]>::first_chunk_mut) {
            *out = value;
        }
    }

    #[inline]
    fn reserve(&mut self, key: Key, form: u16, len: usize) -> Option<&mut [u8]> {
        let Some(fact) = self.room.split_off_mut(..FACT_HEADER + len.next_multiple_of(8)) else {
            self.overflowed = true;
            return None;
        };
        let (header, value) = fact.split_first_chunk_mut()?;
        *header = fact_header(key, form, len);
        let (value, zeros) = value.split_at_mut_checked(len)?;
        zeros.fill(0);
        Some(value)
    }

    /// Writes facts that are at hand; unknown facts cannot be written.
    pub fn params(&mut self, params: &Params) {
        for param in params {
            match param {
                Param::Known(key, Value::Unsigned(n)) => self.number(*key, *n),
                Param::Known(key, Value::Signed(n)) => self.number(*key, n.cast_unsigned()),
                Param::Known(key, Value::Text(text)) => self.wide(*key, &text.to_wide()),
                Param::Known(key, Value::Flag(b)) => self.flag(*key, *b),
                Param::Known(key, Value::Point(p)) => self.point(*key, *p),
                Param::Known(key, Value::Rect(r)) => self.rect(*key, *r),
                Param::Other(..) => self.overflowed = true,
            }
        }
    }
}

/// Form 0 is UTF-16, so code page 0 cannot occur.
fn form_of(code_page: u16) -> u16 {
    code_page.max(1)
}

fn fact_header(key: Key, form: u16, len: usize) -> [u8; FACT_HEADER] {
    let zeros = (len as u64).wrapping_neg() & 7;
    (u64::from(key as u16) | zeros << ZEROS | u64::from(form) << 16 | (len as u64) << 32).to_le_bytes()
}

fn read_payload(mut bytes: &[u8], damage: &mut Vec<DamageKind>) -> Params {
    let mut params = Params::new();
    let unreadable =
        |reason: &str| DamageKind::Unreadable { element: "record".into(), reason: reason.into() };
    while !bytes.is_empty() {
        if params.len() == MAX_PARAMS {
            damage.push(unreadable("too many facts"));
            break;
        }
        let Some((header, rest)) = bytes.split_at_checked(FACT_HEADER) else {
            damage.push(unreadable("a fact is cut"));
            break;
        };
        let (code, form) =
            (u16::from_le_bytes([header[0], header[1]]), u16::from_le_bytes([header[2], header[3]]));
        // Records of rings before version 4 have no padding.
        let zeros = usize::from(code >> ZEROS);
        let value = rest.split_at_checked(u32_at(header, 4) as usize);
        let Some((value, rest)) = value.and_then(|(value, rest)| Some((value, rest.get(zeros..)?))) else {
            damage.push(unreadable("a fact is cut"));
            break;
        };
        bytes = rest;
        let code = code & ((1 << ZEROS) - 1);
        match Key::from_code(code) {
            None => damage.push(DamageKind::UnknownParam { name: format!("number {code}") }),
            Some(key) => match read_value(key, form, value, damage) {
                Some(value) => params.push(Param::Known(key, value)),
                None => damage.push(DamageKind::WrongType { name: key.name().into() }),
            },
        }
    }
    params
}

fn read_value(key: Key, form: u16, bytes: &[u8], damage: &mut Vec<DamageKind>) -> Option<Value> {
    let i32_at = |at: usize| u32_at(bytes, at).cast_signed();
    Some(match (key.kind(), bytes.len()) {
        (Type::Unsigned, 8) => Value::Unsigned(u64_at(bytes, 0)),
        (Type::Signed, 8) => Value::Signed(u64_at(bytes, 0).cast_signed()),
        (Type::Flag, 1) => Value::Flag(bytes[0] != 0),
        (Type::Point, 8) => Value::Point(Point { x: i32_at(0), y: i32_at(4) }),
        (Type::Rect, 16) => {
            Value::Rect(Rect { left: i32_at(0), top: i32_at(4), right: i32_at(8), bottom: i32_at(12) })
        }
        (Type::Text, n) if form == FORM_PLAIN => {
            if n % 2 != 0 {
                damage.push(DamageKind::BadText { encoding: "UTF-16" });
            }
            let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            Value::Text(Text::from_wide(units))
        }
        (Type::Text, _) => {
            let encoding = codepage::to_encoding(form).unwrap_or(encoding_rs::WINDOWS_1252);
            let (text, bad) = encoding.decode_without_bom_handling(bytes);
            if bad {
                damage.push(DamageKind::BadText { encoding: encoding.name() });
            }
            Value::Text(Text::from(text.into_owned()))
        }
        _ => return None,
    })
}

fn hook_code(hook: Hook) -> u8 {
    match hook {
        Hook::Unknown => 0,
        Hook::Posted => 1,
        Hook::Sent => 2,
    }
}

fn hook_from(code: u8) -> Option<Hook> {
    [Hook::Unknown, Hook::Posted, Hook::Sent].get(usize::from(code)).copied()
}

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn step(state: u64, word: u64, turn: u32) -> u64 {
    (state ^ word).wrapping_mul(ODD).rotate_left(turn)
}

/// Mixes the upper half into the lower half.
#[inline]
fn fold(state: u64) -> u32 {
    let state = state.wrapping_mul(ODD);
    (state >> 32) as u32 ^ state as u32
}

/// Detects corruption, not tampering: the sum of all words, and the sum of all partial sums, which depends on
/// their order. A change of one word changes the first. It takes two additions per word; a multiplication
/// would cost more than copying the word, and a table-driven CRC costs several times as much and evicts the
/// host's cache.
#[inline(always)]
fn sum(header: &[u64; RECORD_HEADER / 8], facts: &[u8]) -> u32 {
    let (mut total, mut totals) = (ODD, 0u64);
    let mut add = |word: u64| {
        total = total.wrapping_add(word);
        totals = totals.wrapping_add(total);
    };
    header.iter().copied().for_each(&mut add);
    // A click has no remainder.
    if !facts.is_empty() {
        let (words, _) = facts.as_chunks::<8>();
        words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    }
    fold(total.wrapping_add(totals.rotate_left(32)))
}

/// The checksum of a record of version 3: five products in parallel.
fn sum_3(header: &[u64; RECORD_HEADER / 8], facts: &[u8]) -> u32 {
    const TURNS: [u32; 5] = [29, 31, 27, 33, 25];
    let mut lanes = [ODD; TURNS.len()];
    let (facts, _) = facts.as_chunks::<8>();
    let words = header.iter().copied().chain(facts.iter().copied().map(u64::from_le_bytes));
    for (i, word) in words.enumerate() {
        let at = i % TURNS.len();
        lanes[at] = step(lanes[at], word, TURNS[at]);
    }
    let turned = lanes.into_iter().zip([0, 13, 26, 39, 52]).map(|(lane, by)| lane.rotate_left(by));
    fold(turned.fold(0, u64::wrapping_add))
}

/// The checksum of a record in the version in which it was written.
fn sum_of(header: &[u8], whole: &[u8], sum: fn(&[u64; RECORD_HEADER / 8], &[u8]) -> u32) -> u32 {
    let mut words = std::array::from_fn(|i| u64_at(header, 8 * i));
    words[0] &= u64::from(u32::MAX);
    sum(&words, whole.get(RECORD_HEADER..).unwrap_or_default())
}

/// The checksum of a ring's header, and of records of versions 1 and 2: one word after another.
pub(crate) fn checksum(seed: u32, bytes: &[u8]) -> u32 {
    let mut words = bytes.chunks_exact(8);
    let step = |state, word| step(state, word, 29);
    let mut state = step(ODD, u64::from(seed));
    for word in &mut words {
        state = step(state, u64_at(word, 0));
    }
    for &byte in words.remainder() {
        state = step(state, u64::from(byte));
    }
    fold(state)
}

#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|tail| tail.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|tail| tail.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}
