//! An allocator that counts what each thread has, to hold the account of a run against what the process takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicIsize, Ordering};

pub struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// What a thread may take; a process that wants more dies.
static MOST: AtomicIsize = AtomicIsize::new(isize::MAX);

pub fn refuse_beyond(bytes: isize) {
    MOST.store(bytes, Ordering::Relaxed);
}

fn is_refused(more: usize) -> bool {
    let most = MOST.load(Ordering::Relaxed);
    LIVE.try_with(|live| live.get().saturating_add_unsigned(more) > most)
        .unwrap_or(false)
}

/// What a block takes: with a word before it, in steps of 16, as most allocators hand it out.
fn block(bytes: usize) -> isize {
    ((bytes + 8 + 15) & !15).max(32) as isize
}

fn count(change: isize) {
    // While a thread ends, nothing is counted any more.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: all of it is the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return null_mut();
        }
        count(block(layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return null_mut();
        }
        count(block(layout.size()));
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-block(layout.size()));
        unsafe { System.dealloc(at, layout) }
    }

    /// A large block that grows keeps its pages, so the old and the new one are never there together.
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_refused(size.saturating_sub(layout.size())) {
            return null_mut();
        }
        count(block(size) - block(layout.size()));
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What the thread takes now.
pub fn live() -> isize {
    LIVE.get()
}

/// The most that the thread has taken since the latest [`forget_peak`].
pub fn peak() -> isize {
    PEAK.get()
}

pub fn forget_peak() {
    PEAK.set(LIVE.get());
}

#[test]
fn what_a_thread_takes_is_counted() {
    forget_peak();
    let before = live();
    let row = vec![1_u8; 1 << 20];
    assert!(live() >= before + (1 << 20));
    drop(row);
    assert_eq!(live(), before);
    assert!((before + (1 << 20)..before + (1 << 20) + 64).contains(&peak()));
    std::thread::spawn(|| assert!(peak() < 1 << 20))
        .join()
        .unwrap();
}
