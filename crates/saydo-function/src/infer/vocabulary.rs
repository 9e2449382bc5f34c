//! The words that tell what is asked: question words, auxiliaries, verbs of finding, choosing, checking and writing.
//! Separate because lists are read and extended apart from the rules that use them.

/// What begins a question that asks for a thing.
pub(super) const QUESTION: &[&str] = &["what", "which", "who", "whom", "whose", "where", "when", "why", "how"];

/// What may stand before a question word: `on what year`, `for which price`.
pub(super) const BEFORE_QUESTION: &[&str] = &[
    "on", "in", "at", "for", "from", "to", "by", "of", "with", "under", "during", "through", "until", "since", "about",
];

/// Forms of `be`.
pub(super) const BE: &[&str] = &["is", "are", "was", "were", "'s", "'re", "am"];

/// Forms of `do`.
pub(super) const DO: &[&str] = &["do", "does", "did"];

/// Forms of `have`.
pub(super) const HAVE: &[&str] = &["has", "have", "had"];

/// Modal verbs.
pub(super) const MODAL: &[&str] =
    &["can", "could", "will", "would", "should", "may", "might", "must", "shall", "ca", "wo"];

/// What names the thing spoken of without saying what it is.
pub(super) const PRONOUN: &[&str] = &[
    "they", "it", "he", "she", "we", "you", "i", "each", "them", "him", "these", "those", "one", "there", "everyone",
    "anyone", "someone", "any",
];

/// What makes a noun somebody's: such a noun is a property of the things before it.
pub(super) const POSSESSIVE: &[&str] = &["their", "its", "his", "her", "whose"];

/// What stands before a noun and is no part of its name.
pub(super) const ARTICLE: &[&str] = &[
    "the", "a", "an", "all", "every", "each", "any", "some", "both", "these", "those", "this", "that", "their", "its",
    "his", "her", "your", "our", "my", "only", "just", "also", "whose", "either",
];

/// Verbs that ask for text of the document.
pub(super) const FIND: &[&str] = &[
    "list",
    "find",
    "extract",
    "return",
    "name",
    "identify",
    "give",
    "show",
    "get",
    "highlight",
    "locate",
    "mention",
    "copy",
    "quote",
    "enumerate",
    "report",
    "retrieve",
    "collect",
    "pull",
    "fetch",
    "specify",
    "provide",
    "pick",
    "select",
    "note",
    "state",
    "output",
    "count",
    "detect",
    "recognize",
    "spot",
    "search",
    "look",
    "gather",
    "cite",
    "record",
    "print",
    "present",
    "tell",
    "say",
    "underline",
    "point",
    "determine",
    "capture",
    "include",
    "indicate",
    "mark",
    "tag",
    "single",
    "work",
    "figure",
    "add",
    "display",
    "scan",
    "write",
    "lift",
    "obtain",
    "call",
];

/// The particles of verbs of two words: `pull out`, `look for`, `write down`.
pub(super) const PARTICLE: &[&str] = &["out", "for", "up", "down", "me", "us", "to"];

/// Verbs that ask for a judgement; `whether` or `if` follows.
pub(super) const CHECK: &[&str] = &[
    "decide",
    "determine",
    "check",
    "say",
    "tell",
    "judge",
    "state",
    "indicate",
    "verify",
    "see",
    "predict",
    "detect",
    "assess",
    "evaluate",
    "note",
    "find",
    "figure",
    "identify",
    "know",
    "answer",
    "show",
    "report",
    "specify",
    "give",
    "mention",
    "confirm",
    "test",
    "guess",
    "return",
    "mark",
    "flag",
    "output",
    "establish",
    "explain",
    "list",
    "ask",
    "infer",
    "recognize",
    "add",
    "include",
    "work",
    "describe",
    "write",
    "record",
];

/// Verbs that put the document into one of several classes.
pub(super) const CHOOSE: &[&str] = &[
    "classify",
    "categorize",
    "categorise",
    "label",
    "mark",
    "tag",
    "sort",
    "assign",
    "rate",
    "grade",
    "score",
    "flag",
    "choose",
    "pick",
    "select",
    "group",
    "rank",
    "route",
    "file",
    "put",
    "place",
    "annotate",
    "judge",
];

/// Verbs whose list of replies is the set of answers.
pub(super) const ANSWER: &[&str] =
    &["answer", "reply", "respond", "output", "return", "say", "print", "write", "use", "give"];

/// Verbs that ask for new text.
pub(super) const WRITE: &[&str] = &[
    "summarize",
    "summarise",
    "rewrite",
    "rephrase",
    "reword",
    "paraphrase",
    "translate",
    "write",
    "compose",
    "draft",
    "generate",
    "create",
    "explain",
    "describe",
    "simplify",
    "shorten",
    "expand",
    "continue",
    "complete",
    "correct",
    "fix",
    "proofread",
    "edit",
    "improve",
    "convert",
    "turn",
    "transform",
    "change",
    "modify",
    "make",
    "elaborate",
    "discuss",
    "comment",
    "respond",
    "reply",
    "invent",
    "imagine",
    "suggest",
    "propose",
    "compare",
    "analyze",
    "analyse",
    "condense",
    "outline",
    "restate",
    "reformulate",
    "polish",
    "craft",
    "formulate",
    "produce",
    "finish",
    "fill",
    "replace",
    "remove",
    "add",
    "tidy",
    "lengthen",
    "adapt",
    "recommend",
    "argue",
    "answer",
    "construct",
    "devise",
    "reverse",
    "abridge",
    "clarify",
    "interpret",
    "retell",
    "transcribe",
    "brainstorm",
    "format",
    "redact",
    "combine",
    "merge",
    "insert",
    "recap",
];

/// Nouns that name new text: `a short summary`.
pub(super) const WRITTEN: &[&str] = &[
    "summary",
    "summaries",
    "explanation",
    "translation",
    "paraphrase",
    "overview",
    "synopsis",
    "gist",
    "rewrite",
    "rewording",
    "recap",
    "comment",
    "essay",
    "poem",
    "haiku",
    "tweet",
    "analysis",
    "interpretation",
    "headline",
    "description",
    "reply",
    "response",
    "advice",
    "recommendation",
    "abstract",
    "outline",
];

/// Joints after which properties of the things before follow.
pub(super) const TOGETHER: &[&[&str]] =
    &[&["along", "with"], &["together", "with"], &["as", "well", "as"], &["each", "with"], &["including"], &["plus"]];

/// How a question of measure is named: `how long` asks for a length.
pub(super) const MEASURE: &[(&str, &str)] = &[
    ("long", "length"),
    ("tall", "height"),
    ("high", "height"),
    ("deep", "depth"),
    ("wide", "width"),
    ("far", "distance"),
    ("old", "age"),
    ("big", "size"),
    ("large", "size"),
    ("heavy", "weight"),
    ("fast", "speed"),
    ("often", "frequency"),
    ("frequently", "frequency"),
    ("much", "amount"),
    ("difficult", "difficulty"),
    ("hard", "difficulty"),
    ("expensive", "price"),
    ("strong", "strength"),
    ("severe", "severity"),
    ("likely", "likelihood"),
    ("urgent", "urgency"),
    ("important", "importance"),
    ("hot", "temperature"),
    ("cold", "temperature"),
    ("steep", "steepness"),
];
