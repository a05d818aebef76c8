//! Which threads are hooked. Lives on the recorder's own thread, which sets and removes every hook, since on
//! Windows a hook belongs to the thread that set it.

use crate::callback::thread_state::ThreadState;
use crate::callback::{hook_procedures, ring_writer};
use crate::crash::crash_record;
use crate::recorder::drain::Drain;
use crate::shared::fault;
use crate::shared::ring::{self, Ring};
use crate::system::win32::{self, MessageHook, ThreadHandle};
use message_log::{Key, RecordKind, Value};
use ringbuf::traits::Observer;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The ring for crashes of threads that have none: its bytes, and its number, which no thread gets.
const SPARE_CAPACITY: usize = 16 << 10;
const SPARE: u32 = u32::MAX;

/// The hooked threads of this process.
pub(crate) struct Hooks {
    folder: PathBuf,
    session: String,
    /// Whether rings may be files: a mapped file of another machine is no memory to rely on.
    in_files: bool,
    threads: Vec<Hooked>,
    last_number: u32,
}

struct Hooked {
    state: &'static ThreadState,
    /// None for the spare ring, which belongs to no thread.
    thread: Option<ThreadHandle>,
    /// Dropped before the ring is taken back.
    hooks: Option<(MessageHook, MessageHook)>,
}

impl Hooks {
    pub(crate) fn new(folder: PathBuf, session: String, in_files: bool) -> Self {
        Self { folder, session, in_files, threads: Vec::new(), last_number: 0 }
    }

    /// Everything there is to drain.
    pub(crate) fn states(&self) -> impl Iterator<Item = &'static ThreadState> {
        self.threads.iter().map(|hooked| hooked.state)
    }

    /// Whether a thread is hooked.
    pub(crate) fn has(&self, id: u32) -> bool {
        self.threads.iter().any(|hooked| hooked.state.id() == id)
    }

    /// How many threads are hooked.
    pub(crate) fn count(&self) -> usize {
        self.threads.iter().filter(|hooked| hooked.hooks.is_some()).count()
    }

    /// Hooks every thread that has a window and is not hooked yet, and `also`. Whether all could be.
    pub(crate) fn add_new(&mut self, also: Option<u32>, drain: &mut Drain) -> bool {
        let with_windows = win32::top_level_windows().into_iter().map(|window| window.thread_and_process().0);
        let wanted: BTreeSet<u32> = with_windows.chain(also).filter(|&id| id != 0).collect();
        let own = win32::current_thread_id();
        let mut all = true;
        for id in wanted {
            if id != own && !self.has(id) {
                all &= self.add(id, drain).is_some();
            }
        }
        all
    }

    fn add(&mut self, id: u32, drain: &mut Drain) -> Option<()> {
        fault::point("hooks");
        let thread = ThreadHandle::open(id)?;
        let number = self.last_number + 1;
        let state = self.publish(number, id, ring::CAPACITY, drain)?;
        let in_memory = state.ring().is_none_or(|ring| !ring.is_in_file());
        let posted = MessageHook::on_posted(Some(hook_procedures::on_posted), id);
        let sent = MessageHook::on_sent(Some(hook_procedures::on_sent), id);
        let (Some(posted), Some(sent)) = (posted, sent) else {
            // A thread without a message queue; its first window brings us back.
            if state.switch_off() {
                state.retire(Some(thread)).into_iter().for_each(Ring::remove);
            }
            return None;
        };
        self.last_number = number;
        self.threads.push(Hooked { state, thread: Some(thread), hooks: Some((posted, sent)) });
        drain.add_thread(id, number, |event| match in_memory {
            true => event.with(Key::State, Value::Text("memory-only".into())),
            false => event,
        });
        Some(())
    }

    /// Makes a place for crashes of threads that are not hooked.
    pub(crate) fn add_spare(&mut self, drain: &mut Drain) {
        if let Some(state) = self.publish(SPARE, 0, SPARE_CAPACITY, drain) {
            self.threads.push(Hooked { state, thread: None, hooks: None });
            crash_record::set_spare(Some(state));
        }
    }

    /// A ring under a number.
    fn publish(&self, number: u32, id: u32, capacity: usize, drain: &Drain) -> Option<&'static ThreadState> {
        let path = self.folder.join(format!("thread-{number}.ring"));
        let header = drain.ring_header(&self.session, number, id, capacity);
        let ring = Ring::create(self.in_files.then_some(&path), &header).ok()?;
        ThreadState::publish(number, id, ring)
    }

    /// Lets go of threads that have ended, after a last look at the rings; `gone` may look at their counters.
    pub(crate) fn remove_ended(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        let has_ended = |hooked: &Hooked| hooked.thread.as_ref().is_some_and(ThreadHandle::has_ended);
        let ended: Vec<Hooked> = self.threads.extract_if(.., |hooked| has_ended(hooked)).collect();
        if ended.is_empty() {
            return;
        }
        let states: Vec<_> = ended.iter().map(|hooked| hooked.state).chain(self.states()).collect();
        let ended: Vec<_> = ended.into_iter().map(Hooked::switch_off).collect();
        drain.take(&states);
        for (hooked, is_off) in ended {
            if is_off && hooked.is_written() {
                drain.remove_thread(hooked.state);
                gone(hooked.state);
                hooked.retire().into_iter().for_each(Ring::remove);
            } else {
                // What cannot be written yet stays in the ring, and the ring with us.
                self.threads.push(hooked);
            }
        }
    }

    /// Gives another ring to threads whose own has faulted, since its disk is gone: what nobody has read of
    /// it is lost, and stated. `gone` may look at the counters.
    pub(crate) fn renew_broken(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        let is_broken = |hooked: &Hooked| hooked.state.ring().is_some_and(Ring::is_broken);
        let broken: Vec<Hooked> = self.threads.extract_if(.., |hooked| is_broken(hooked)).collect();
        for hooked in broken {
            let (id, is_spare) = (hooked.state.id(), hooked.thread.is_none());
            if is_spare {
                crash_record::set_spare(None);
            }
            let (hooked, is_off) = hooked.switch_off();
            let is_read = drain.lose_thread(hooked.state) == 0;
            gone(hooked.state);
            // The file of what was not read stays: the disk may come back.
            if is_off
                && let Some(ring) = hooked.retire()
                && is_read
            {
                ring.remove();
            }
            if is_spare {
                self.add_spare(drain);
            } else {
                self.add(id, drain);
            }
        }
    }

    /// Removes every hook, after a last look at every ring. The file of a ring that cannot be written to XML
    /// stays. `gone` may look at the counters.
    pub(crate) fn remove_all(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        crash_record::set_spare(None);
        let states: Vec<_> = self.states().collect();
        let all: Vec<_> = self.threads.drain(..).map(Hooked::switch_off).collect();
        drain.take(&states);
        for (hooked, is_off) in all {
            gone(hooked.state);
            let is_written = is_off && hooked.is_written();
            if is_written {
                drain.remove_thread(hooked.state);
            }
            if is_off
                && let Some(ring) = hooked.retire()
                && is_written
            {
                ring.remove();
            }
        }
    }

    /// The recorder has failed: says so where nothing of what failed is needed, removes every hook and leaves
    /// every ring's file, from which the rest is recovered.
    pub(crate) fn abandon(&mut self, reason: &str) {
        let wide = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        let (state, reason) = (wide("disabled"), wide(reason));
        let spare = self.threads.iter().find(|hooked| hooked.thread.is_none());
        if let Some(spare) = spare.or(self.threads.first()) {
            ring_writer::note_in(spare.state, RecordKind::Recording, |payload| {
                payload.wide(Key::State, &state);
                payload.wide(Key::Reason, &reason);
            });
        }
        crash_record::set_spare(None);
        for hooked in self.threads.drain(..) {
            let (hooked, is_off) = hooked.switch_off();
            if is_off {
                hooked.retire();
            }
        }
    }
}

impl Hooked {
    /// Without its hooks, and whether no callback is in flight any more.
    fn switch_off(mut self) -> (Self, bool) {
        self.hooks = None;
        let is_off = self.state.switch_off();
        (self, is_off)
    }

    /// Whether everything in its ring is on the disk.
    fn is_written(&self) -> bool {
        self.state.ring().is_none_or(Observer::is_empty)
    }

    fn retire(mut self) -> Option<Ring> {
        self.state.retire(self.thread.take())
    }
}
