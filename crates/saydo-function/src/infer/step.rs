//! How much the rules read, counted so that a test can hold it against the length of the text. Whoever describes a task
//! may be a stranger who sends a megabyte of colons, so no rule may read the text again and again.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Notes that so many characters or words were looked at. Costs nothing outside of tests.
#[cfg_attr(not(test), expect(unused_variables, reason = "only tests count"))]
#[inline]
pub(super) fn read(count: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + count));
}

/// The steps that `work` takes.
#[cfg(test)]
pub(super) fn count(work: impl FnOnce()) -> usize {
    STEPS.with(|steps| steps.set(0));
    work();
    STEPS.with(std::cell::Cell::get)
}
