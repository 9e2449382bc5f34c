//! Cuts a sentence into the tokens that UD English EWT would: punctuation apart, clitics apart, hyphenated words at
//! their hyphens. Separate from the tagger because its rules are about characters, not about words.
//!
//! Every token is a slice of the sentence, so byte offsets survive; together the tokens hold every character that is
//! not whitespace, in order.

mod clitic;
mod join;

/// The tokens of a sentence, in order; none for a sentence without any visible character.
///
/// ```
/// assert_eq!(
///     saydo_tagger::tokenize("The dog's owner didn't pay $3.50, did he?"),
///     ["The", "dog", "'s", "owner", "did", "n't", "pay", "$", "3.50", ",", "did", "he", "?"],
/// );
/// ```
pub fn tokenize(sentence: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for chunk in sentence.split_whitespace() {
        split_chunk(chunk, &mut tokens);
    }
    part_final_period(&mut tokens);
    tokens
}

/// At the end of a sentence a period is the sentence's, except after initials such as `U.S.`.
fn part_final_period(tokens: &mut Vec<&str>) {
    if let Some(word) = tokens.last().copied().and_then(|last| last.strip_suffix('.'))
        && word.ends_with(char::is_alphabetic)
        && !word.contains('.')
    {
        let period = tokens.pop().map_or("", |last| &last[word.len()..]);
        tokens.extend([word, period]);
    }
}

/// Cuts a chunk without whitespace, always from the left, so that nothing is lost.
fn split_chunk<'a>(chunk: &'a str, tokens: &mut Vec<&'a str>) {
    if is_emoticon(chunk) {
        return tokens.push(chunk);
    }
    let mut rest = chunk;
    while let Some(first) = rest.chars().next() {
        let end = match address_end(rest) {
            0 if starts_word(first, rest) => join::word_end(rest),
            0 => mark_end(first, rest),
            end => end,
        };
        let (token, tail) = rest.split_at(end);
        clitic::split(token, tokens);
        rest = tail;
    }
}

/// Whether a word begins here: at a letter or digit, or at a mark that belongs to the word after it (`#tag`, `.5`,
/// `'s`).
fn starts_word(first: char, rest: &str) -> bool {
    let second = rest[first.len_utf8()..].chars().next();
    first.is_alphanumeric()
        || match first {
            '#' | '@' => second.is_some_and(char::is_alphabetic),
            '.' => second.is_some_and(|c| c.is_ascii_digit()),
            '\'' | '’' => clitic::is_bare(rest),
            _ => false,
        }
}

/// Where a run of marks ends: sentence-final marks, and repeats of one mark, stay together.
fn mark_end(first: char, rest: &str) -> usize {
    let final_mark = |c: char| matches!(c, '.' | '!' | '?');
    let run = |keep: &dyn Fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    match first {
        '.' | '!' | '?' => run(&final_mark),
        '(' | ')' | '[' | ']' | '"' | '“' | '”' | ',' => first.len_utf8(),
        '\'' | '`' if rest.starts_with("''") || rest.starts_with("``") => 2,
        '\'' | '`' | '‘' | '’' => first.len_utf8(),
        _ => run(&|c| c == first),
    }
}

/// Whether the whole chunk is a face such as `:)` or `;-(`.
fn is_emoticon(chunk: &str) -> bool {
    let mut marks = chunk.chars();
    let eyes = marks.next().is_some_and(|c| matches!(c, ':' | ';' | '='));
    let mouth = marks.next_back().is_some_and(|c| matches!(c, ')' | '(' | 'D' | 'P' | 'p' | '/' | '|'));
    eyes && mouth && matches!(marks.as_str(), "" | "-")
}

/// Where a web or mail address that begins here ends, 0 if none does. Marks that close the sentence stay outside.
fn address_end(rest: &str) -> usize {
    let end = rest.find(['<', '>', '"', '“', '”', ')', '(', ']', '[']).unwrap_or(rest.len());
    let body = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’']);
    if body.starts_with("http://") || body.starts_with("https://") || body.starts_with("www.") || is_mail(body) {
        body.len()
    } else {
        0
    }
}

/// Whether the text has the form `name@host`, written with the characters that addresses use.
fn is_mail(body: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    match body.split_once('@') {
        Some((name, host)) => !name.is_empty() && !host.is_empty() && name.chars().chain(host.chars()).all(allowed),
        None => false,
    }
}

#[cfg(test)]
mod tests;
