//! Which threads are hooked. Lives on the recorder's own thread, which sets and removes every hook, since on Windows a hook
//! belongs to the thread that set it.

use crate::callback;
use crate::drain::Drain;
use crate::ring::Ring;
use crate::thread::ThreadState;
use crate::win32::{self, MessageHook, ThreadHandle};
use message_log::{Key, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The hooked threads of this process.
pub(crate) struct Hooks {
    folder: PathBuf,
    session: String,
    threads: Vec<Hooked>,
    last_number: u32,
}

struct Hooked {
    state: &'static ThreadState,
    thread: ThreadHandle,
    /// Dropped before the ring is taken back.
    hooks: Option<(MessageHook, MessageHook)>,
}

impl Hooks {
    pub(crate) fn new(folder: PathBuf, session: String) -> Self {
        Self { folder, session, threads: Vec::new(), last_number: 0 }
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = &'static ThreadState> {
        self.threads.iter().map(|hooked| hooked.state)
    }

    /// Hooks every thread that has a window and is not hooked yet, and `also`. Whether all could be.
    pub(crate) fn add_new(&mut self, also: Option<u32>, drain: &mut Drain) -> bool {
        let with_windows = win32::top_level_windows().into_iter().map(|window| window.thread_and_process().0);
        let wanted: BTreeSet<u32> = with_windows.chain(also).filter(|&id| id != 0).collect();
        let own = win32::current_thread_id();
        let mut all = true;
        for id in wanted {
            if id != own && !self.threads.iter().any(|hooked| hooked.state.id == id) {
                all &= self.add(id, drain).is_some();
            }
        }
        all
    }

    fn add(&mut self, id: u32, drain: &mut Drain) -> Option<()> {
        let thread = ThreadHandle::open(id)?;
        let number = self.last_number + 1;
        let path = self.folder.join(format!("thread-{number}.ring"));
        let ring = Ring::create(&path, &drain.ring_header(&self.session, number, id)).ok()?;
        let in_memory = !ring.is_in_file();
        let state = ThreadState::publish(number, id, ring)?;
        let posted = MessageHook::on_posted(Some(callback::on_posted), id);
        let sent = MessageHook::on_sent(Some(callback::on_sent), id);
        let (Some(posted), Some(sent)) = (posted, sent) else {
            // A thread without a message queue; its first window brings us back.
            state.switch_off();
            state.retire().into_iter().for_each(Ring::remove);
            return None;
        };
        self.last_number = number;
        self.threads.push(Hooked { state, thread, hooks: Some((posted, sent)) });
        drain.add_thread(id, number, |event| match in_memory {
            true => event.with(Key::State, Value::Text("memory-only".into())),
            false => event,
        });
        Some(())
    }

    /// Lets go of threads that have ended, after a last look at their rings; `gone` may look at their counters.
    pub(crate) fn remove_ended(&mut self, drain: &mut Drain, mut gone: impl FnMut(&ThreadState)) {
        self.threads.retain_mut(|hooked| {
            let ended = hooked.thread.has_ended();
            if ended {
                hooked.let_go(drain);
                gone(hooked.state);
            }
            !ended
        });
    }

    /// Removes every hook, after a last look at every ring.
    pub(crate) fn remove_all(&mut self, drain: &mut Drain) {
        for hooked in &mut self.threads {
            hooked.let_go(drain);
        }
        self.threads.clear();
    }
}

impl Hooked {
    fn let_go(&mut self, drain: &mut Drain) {
        self.hooks = None;
        let idle = self.state.switch_off();
        drain.take(self.state);
        if idle {
            self.state.retire().into_iter().for_each(Ring::remove);
        }
    }
}
