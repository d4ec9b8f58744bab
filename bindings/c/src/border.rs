//! What crosses the border: texts, bytes, errors in words, and no panic.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use crate::message::for_hosts;

thread_local! {
    /// Why the latest function of this thread has failed, if it did.
    static LATEST: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Why the latest call of a function of this library failed in this thread; empty if it did not. The text is there
/// until the next call. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn nds_last_error() -> *const c_char {
    // A thread that ends has none any more.
    let words = LATEST.try_with(|latest| latest.borrow().as_ref().map(|words| words.as_ptr()));
    words.ok().flatten().unwrap_or(c"".as_ptr())
}

/// The version of the engine. Not to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn nds_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// Does the work of a function: what fails or panics is `otherwise`, and in words the latest error.
pub fn guard<T>(otherwise: T, work: impl FnOnce() -> Result<T, String>) -> T {
    // What a panic leaves half done is a run, and a run knows that it is broken.
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err("the engine has panicked: this run cannot be used any more".to_string())
    });
    let (result, words) = match done {
        Ok(result) => (result, None),
        Err(words) => (otherwise, Some(c_text(&for_hosts(&words)))),
    };
    // Destructors of the host's own may call this library while a thread ends: then nobody can ask for the words.
    let _ = LATEST.try_with(|latest| latest.replace(words));
    result
}

/// A text for C, which cannot hold a zero byte.
pub fn c_text(text: &str) -> CString {
    CString::new(without_zeros(text)).unwrap_or_default()
}

fn without_zeros(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// A handle that was handed in.
pub fn given<T>(handle: Option<T>, what: &str) -> Result<T, String> {
    handle.ok_or_else(|| format!("the {what} is NULL"))
}

/// A text that was handed in.
pub fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, String> {
    some_text(pointer, what)?.ok_or_else(|| format!("the {what} is NULL"))
}

/// A text that may be NULL.
pub fn some_text<'a>(pointer: *const c_char, what: &str) -> Result<Option<&'a str>, String> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, and the header asks for a text that ends in a zero byte and lives during the call.
    let text = unsafe { CStr::from_ptr(pointer) };
    match text.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(format!("the {what} is not UTF-8")),
    }
}

/// Bytes that were handed in.
pub fn bytes<'a>(pointer: *const u8, length: usize, what: &str) -> Result<&'a [u8], String> {
    items(pointer, length, &format!("bytes of the {what}"))
}

/// Numbers or bytes that were handed in.
pub fn items<'a, T: Copy>(pointer: *const T, count: usize, what: &str) -> Result<&'a [T], String> {
    if count == 0 {
        return Ok(&[]);
    }
    let is_too_many = count > isize::MAX as usize / size_of::<T>();
    if pointer.is_null() || !pointer.is_aligned() || is_too_many {
        return Err(format!("the {what} are NULL, or too many"));
    }
    // SAFETY: it is not null, and the header asks for so many items that live during the call.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// How much lies before what is given out: its length, and as much as keeps everything aligned.
const HEAD: usize = 16;

fn layout(length: usize) -> Option<Layout> {
    Layout::from_size_align(length.checked_add(HEAD)?, HEAD).ok()
}

/// Memory for C with a copy of these bytes, and a zero byte after them.
pub fn give(bytes: &[u8]) -> *mut u8 {
    let length = bytes.len() + 1;
    let Some(layout) = layout(length) else {
        return null_mut();
    };
    // SAFETY: the layout is not empty, what is written lies inside of it, and both are aligned: the head is 16 bytes.
    unsafe {
        let block = alloc(layout);
        if block.is_null() {
            handle_alloc_error(layout);
        }
        block.cast::<usize>().write(length);
        let begin = block.add(HEAD);
        begin.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        begin.add(bytes.len()).write(0);
        begin
    }
}

/// A text for C, which ends at a zero byte.
pub fn give_text(text: &str) -> *mut c_char {
    give(without_zeros(text).as_bytes()).cast()
}

/// A place of the host for a result. It holds `nothing` until there is one, so that no failure leaves it unwritten.
pub fn emptied<T>(place: Option<&mut T>, nothing: T) -> Option<&mut T> {
    place.map(|place| {
        *place = nothing;
        place
    })
}

/// Tells a result, if anybody wants to know.
pub fn tell<T>(place: Option<&mut T>, result: T) {
    if let Some(place) = place {
        *place = result;
    }
}

/// Gives back a text, or bytes, that a function of this library has returned. NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nds_free(given: *mut c_void) {
    if given.is_null() {
        return;
    }
    // SAFETY: the header allows nothing but what `give` has returned, once: its head says how long it is.
    unsafe {
        let block = given.cast::<u8>().sub(HEAD);
        let length = block.cast::<usize>().read();
        if let Some(layout) = layout(length) {
            dealloc(block, layout);
        }
    }
}
