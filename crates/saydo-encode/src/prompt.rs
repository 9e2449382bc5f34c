//! The finished prompt, and the view of a tokenizer that layouts need.

use std::sync::Arc;

/// A prompt in two parts, cut at the last point where all instances of the task agree.
///
/// What is computed for the prefix can be used for every prompt with an equal one. All prompts of a task have the same
/// prefix, except those that were cut, and under Tk-Instruct, where a long input may leave room for fewer examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What comes before the instance's input.
    pub prefix: Arc<str>,
    /// The input and what follows it.
    pub suffix: String,
    /// Whether the end was cut off to fit the limit; all the text is then in the suffix.
    pub is_cut: bool,
}

impl Prompt {
    /// The whole prompt.
    pub fn text(&self) -> String {
        [&*self.prefix, &*self.suffix].concat()
    }

    /// The prompt, cut to its first `max_tokens` tokens if it has more.
    pub(crate) fn cut_to(self, max_tokens: usize, tokens: Tokens<'_>) -> Self {
        let text = self.text();
        if (tokens.count)(&text) <= max_tokens {
            return self;
        }
        Self { prefix: Arc::from(""), suffix: (tokens.truncate)(&text, max_tokens), is_cut: true }
    }
}

/// A model's tokenizer as far as layouts care about it.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    /// How many tokens a text has, any end marker the model expects included.
    pub count: &'a (dyn Fn(&str) -> usize + Sync),
    /// The text of the first so many tokens.
    pub truncate: &'a (dyn Fn(&str, usize) -> String + Sync),
}

impl Tokens<'static> {
    /// For when no tokenizer is at hand: every text counts as 0 tokens, so that nothing is ever too long.
    pub const UNCOUNTED: Self = Self { count: &|_| 0, truncate: &|text, _| text.to_owned() };
}

impl std::fmt::Debug for Tokens<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}
