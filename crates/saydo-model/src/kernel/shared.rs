//! A slice that several threads write at once, each to its own ranges.
//!
//! Parts of a matrix product write columns of every output row, which no safe split of a slice can express.
#![expect(unsafe_code, reason = "threads write disjoint ranges of one slice")]

use std::marker::PhantomData;

/// A mutable slice that can be shared between threads; who writes where is the caller's promise.
pub(super) struct SharedSlice<'a, T> {
    start: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a borrowed `&mut [T]`; `range` asks that no two threads touch the same element.
unsafe impl<T: Send> Sync for SharedSlice<'_, T> {}

impl<'a, T> SharedSlice<'a, T> {
    pub fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), borrow: PhantomData }
    }

    /// The elements `at..at + len`. Panics if they are outside the slice.
    ///
    /// # Safety
    /// While the result lives, no other call's result may overlap it.
    #[expect(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    pub unsafe fn range(&self, at: usize, len: usize) -> &mut [T] {
        assert!(at <= self.len && len <= self.len - at, "range {at}+{len} is outside {} elements", self.len);
        // SAFETY: in bounds by the check above, exclusive by the caller's promise, borrowed for 'a.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(at), len) }
    }
}
