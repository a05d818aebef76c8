//! Which threads are hooked. The recorder thread sets and removes every hook, because on Windows a hook
//! belongs to the thread that set it.

use crate::callback::thread_state::{Idle, ThreadState};
use crate::callback::{hook_procedures, ring_writer};
use crate::crash::crash_record;
use crate::recorder::drain::Drain;
use crate::shared::fault;
use crate::shared::ring::{self, Ring};
use crate::system::hooks::MessageHook;
use crate::system::threads::{self, ThreadHandle};
use crate::system::window;
use message_log::{Key, RecordKind, Value};
use ringbuf::traits::Observer;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The ring for crashes of threads that have none: its size in bytes, and its number, which no thread gets.
const SPARE_CAPACITY: usize = 16 << 10;
const SPARE: u32 = u32::MAX;

/// The hooked threads of this process.
pub(crate) struct Hooks {
    folder: PathBuf,
    session: String,
    /// Whether rings are files: not on a network drive, whose mapped files may fault at any time.
    in_files: bool,
    threads: Vec<Hooked>,
    last_number: u32,
}

struct Hooked {
    state: &'static ThreadState,
    /// None for the spare ring, which belongs to no thread.
    thread: Option<ThreadHandle>,
    /// Dropped before the ring is freed.
    hooks: Option<(MessageHook, MessageHook)>,
}

impl Hooks {
    pub(crate) fn new(folder: PathBuf, session: String, in_files: bool) -> Self {
        Self { folder, session, in_files, threads: Vec::new(), last_number: 0 }
    }

    /// The states of all threads, and the one for crashes.
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

    /// Hooks every thread that has a window and is not hooked yet, and `also`. Returns whether all
    /// could be hooked.
    pub(crate) fn add_new(&mut self, also: Option<u32>, drain: &mut Drain) -> bool {
        let with_windows =
            window::top_level_windows().into_iter().map(|window| window.thread_and_process().0);
        let wanted: BTreeSet<u32> = with_windows.chain(also).filter(|&id| id != 0).collect();
        let own = threads::current_thread_id();
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
            // The thread has no message queue yet. It is hooked when it creates a window.
            if let Some(idle) = state.switch_off() {
                idle.retire(Some(thread)).into_iter().for_each(Ring::remove);
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

    /// Adds the ring for crashes of threads that are not hooked.
    pub(crate) fn add_spare(&mut self, drain: &mut Drain) {
        if let Some(state) = self.publish(SPARE, 0, SPARE_CAPACITY, drain) {
            self.threads.push(Hooked { state, thread: None, hooks: None });
            crash_record::set_spare(Some(state));
        }
    }

    /// Creates a ring with a number.
    fn publish(&self, number: u32, id: u32, capacity: usize, drain: &Drain) -> Option<&'static ThreadState> {
        let path = self.folder.join(format!("thread-{number}.ring"));
        let header = drain.ring_header(&self.session, number, id, capacity);
        let ring = Ring::create(self.in_files.then_some(&path), &header).ok()?;
        ThreadState::publish(number, id, ring)
    }

    /// Removes threads that have ended, after it has written what is in their rings. `gone` gets each state.
    pub(crate) fn remove_ended(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        let has_ended = |hooked: &Hooked| hooked.thread.as_ref().is_some_and(ThreadHandle::has_ended);
        let ended: Vec<Hooked> = self.threads.extract_if(.., |hooked| has_ended(hooked)).collect();
        if ended.is_empty() {
            return;
        }
        let states: Vec<_> = ended.iter().map(|hooked| hooked.state).chain(self.states()).collect();
        let ended: Vec<_> = ended.into_iter().map(Hooked::switch_off).collect();
        drain.take(&states);
        for (mut hooked, idle) in ended {
            match idle.filter(|_| hooked.is_written()) {
                Some(idle) => {
                    drain.remove_thread(hooked.state);
                    gone(hooked.state);
                    idle.retire(hooked.thread.take()).into_iter().for_each(Ring::remove);
                }
                // What cannot be written yet stays in the ring.
                None => self.threads.push(hooked),
            }
        }
    }

    /// Replaces rings that have faulted because their disk is gone. What is unread in them is lost, and the
    /// log states it. `gone` gets each state.
    pub(crate) fn renew_broken(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        let is_broken = |hooked: &Hooked| hooked.state.ring().is_some_and(Ring::is_broken);
        let broken: Vec<Hooked> = self.threads.extract_if(.., |hooked| is_broken(hooked)).collect();
        for hooked in broken {
            let (id, is_spare) = (hooked.state.id(), hooked.thread.is_none());
            if is_spare {
                crash_record::set_spare(None);
            }
            let (mut hooked, idle) = hooked.switch_off();
            let is_read = drain.lose_thread(hooked.state) == 0;
            gone(hooked.state);
            // A file with unread records stays: the disk may come back.
            if let Some(idle) = idle
                && let Some(ring) = idle.retire(hooked.thread.take())
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

    /// Removes every hook, then writes what is in the rings. The file of a ring that cannot be written to XML
    /// stays. `gone` gets each state.
    pub(crate) fn remove_all(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        crash_record::set_spare(None);
        let states: Vec<_> = self.states().collect();
        let all: Vec<_> = self.threads.drain(..).map(Hooked::switch_off).collect();
        drain.take(&states);
        for (mut hooked, idle) in all {
            gone(hooked.state);
            let is_written = idle.is_some() && hooked.is_written();
            if is_written {
                drain.remove_thread(hooked.state);
            }
            if let Some(idle) = idle
                && let Some(ring) = idle.retire(hooked.thread.take())
                && is_written
            {
                ring.remove();
            }
        }
    }

    /// After a failure of the recorder: removes every hook, notes the reason in a ring, which needs nothing
    /// of what failed, and leaves the files of the rings, from which `dashcam export` recovers the rest.
    pub(crate) fn abandon(&mut self, reason: &str) {
        let wide = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        let (state, reason) = (wide("disabled"), wide(reason));
        crash_record::set_spare(None);
        // The note goes into the ring for crashes if there is one.
        self.threads.sort_by_key(|hooked| hooked.thread.is_some());
        let mut is_noted = false;
        for hooked in self.threads.drain(..) {
            let (mut hooked, idle) = hooked.switch_off();
            let Some(mut idle) = idle else { continue };
            is_noted = is_noted
                || ring_writer::note_in_idle(&mut idle, RecordKind::Recording, |payload| {
                    payload.wide(Key::State, &state);
                    payload.wide(Key::Reason, &reason);
                });
            idle.retire(hooked.thread.take());
        }
    }
}

impl Hooked {
    /// Removes its hooks. Returns its memory unless a callback is still running.
    fn switch_off(mut self) -> (Self, Option<Idle>) {
        self.hooks = None;
        let idle = self.state.switch_off();
        (self, idle)
    }

    /// Whether everything in its ring is on the disk.
    fn is_written(&self) -> bool {
        self.state.ring().is_none_or(Observer::is_empty)
    }
}
