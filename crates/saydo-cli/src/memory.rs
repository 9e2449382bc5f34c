//! How the allocator treats memory that training gives back and asks for again.
#![expect(unsafe_code, reason = "the allocator's settings are reached through C")]

/// Has the allocator keep what is freed. A training step frees gigabytes and the next one asks for them again; given back
/// to the system in between, every page is cleared anew, a tenth of the time. Only GNU's allocator is told; others keep
/// their ways.
pub fn keep_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets numbers of the allocator, which may be set at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 30);
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
        libc::mallopt(libc::M_TOP_PAD, 64 << 20);
        // Other arenas than the first give back what is large, whatever is said above.
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}
