//! The functions that a page calls, without a generator of bindings: a buffer of bytes, in which
//! the page writes a request and reads the reply.

// An exported name needs an attribute that counts as unsafe code.
#![allow(unsafe_code, reason = "exported functions have plain names")]

use std::cell::RefCell;
use std::panic;

use crate::Playground;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator::new();

/// The maximum size of a request, in bytes.
const LARGEST_REQUEST: usize = 64 << 20;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PLAYGROUND: RefCell<Option<Playground>> = const { RefCell::new(None) };
}

/// Makes room for a request of this many bytes, and returns its address; 0 if it is too large.
#[unsafe(no_mangle)]
pub extern "C" fn playground_room(length: usize) -> *mut u8 {
    if length > LARGEST_REQUEST {
        return std::ptr::null_mut();
    }
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Handles the request in the buffer, and leaves the reply there. Returns the reply's length in
/// bytes. If it panics, the buffer contains the reason.
#[unsafe(no_mangle)]
pub extern "C" fn playground_handle() -> usize {
    let request = BUFFER.take();
    let text = String::from_utf8_lossy(&request).into_owned();
    drop(request);
    let reply = PLAYGROUND.with_borrow_mut(|playground| {
        let playground = playground.get_or_insert_with(|| {
            panic::set_hook(Box::new(|why| {
                leave(why.to_string());
            }));
            Playground::default()
        });
        playground.handle(&text)
    });
    leave(reply)
}

fn leave(reply: String) -> usize {
    let length = reply.len();
    BUFFER.set(reply.into_bytes());
    length
}

/// Returns the address of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn playground_buffer() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}

/// Returns the length of the buffer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn playground_length() -> usize {
    BUFFER.with_borrow(Vec::len)
}
